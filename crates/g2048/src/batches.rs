//! [`Batch`](crate::Batch): the batches by name.

use crate::batch::BatchGames;

/// A batch of games under the same [`Rules`](crate::Rules), stepped together, 32 per group of
/// vector lanes.
///
/// See [`bitcade_core::batch::Batch`] for its methods and [`bitcade_core::batch`] for the buffers
/// they fill.
///
/// An observation is one byte per cell: the ranks, row-major. An action is an index into
/// [`Direction::ALL`](crate::Direction::ALL); its reward is the gain of the move, the sum of the
/// merged tiles. A game without a legal move is terminated. Games are truncated only by a [step
/// limit](bitcade_core::batch::Batch::with_step_limit), and can
/// [start](bitcade_core::batch::Batch::with_starts) from given boards that have a legal move.
///
/// Each game draws from its own stream in this order: two [`spawn`](crate::Board::spawn)s at the
/// start; then, per move, `below(legal moves)` if the move is random, an index into the legal moves
/// in the order of [`Direction::ALL`](crate::Direction::ALL), and the spawn.
///
/// The [afterstate](crate::batch::Afterstates) of an action is the board after the slide, before
/// the spawn, in ranks.
///
/// A gain is bounded only by the sum of the tiles, which grows by up to 4 per move: a game on a
/// large board can last until the gain of one move exceeds 2^24. Such a reward is rounded.
///
/// ```
/// use g2048::batch::StepBuffers;
/// use g2048::{Batch, Rules};
/// let mut batch = Batch::new(3, Rules::default(), 42)?;
/// assert_eq!((batch.cells(), batch.actions()), (16, 4));
/// let mut buffers = StepBuffers::new(batch.shape());
/// batch.reset_into(&mut buffers.obs, &mut buffers.mask)?;
/// let first = |mask: &[bool]| mask.iter().position(|&legal| legal).unwrap() as u32;
/// let chosen: Vec<u32> = buffers.mask.chunks(4).map(first).collect();
/// batch.step_into(&chosen, buffers.out())?;
/// batch.random_step_into(buffers.out())?;
/// assert!(buffers.obs.iter().filter(|&&rank| rank > 0).count() <= 4 * 3 && !buffers.terminated[0]);
///
/// use g2048::batch::AfterstatesOut;
/// let lists = batch.legal_lists();
/// let (mut boards, mut reward) = (vec![0; 16 * lists.len()], vec![0.0; lists.len()]);
/// lists.afterstates_into(AfterstatesOut { boards: &mut boards, reward: &mut reward, ..Default::default() })?;
/// let of_game_1 = lists.offsets()[1]..lists.offsets()[2];
/// let board = batch.game(1).unwrap();
/// let slide = board.slide(board.legal_moves()[0]);
/// assert_eq!(&boards[16 * of_game_1.start..][..16], slide.board.ranks());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Batch = bitcade_core::batch::Batch<BatchGames>;
