//! [`Batch`](crate::Batch) and [`LevelBatch`](crate::LevelBatch): the batches by name.

use crate::batch::BatchGames;
use crate::level::LevelGames;

/// Many games with the same [`Rules`](crate::Rules), in the smallest layout that fits them.
///
/// See [`bitcade_core::batch::Batch`] for its methods and [`bitcade_core::batch`] for the slices
/// they fill.
///
/// An observation has two planes of one byte per cell, row by row from the top: the colors, then
/// the number of moves left, capped at 255 and repeated in every cell. An action is the index of a
/// pair of neighbors ([`Swap::action`](crate::Swap::action)); its reward is the score of the move.
/// A game terminates after [`Rules::moves`](crate::Rules::moves) steps; an
/// [ignored](bitcade_core::batch::IllegalAction::Ignore) action also uses up a move. It is
/// truncated only if [max steps](bitcade_core::batch::Batch::with_step_limit) is lower. A board
/// without a legal swap is replaced by a new one, which costs no move. Games may
/// [start](bitcade_core::batch::Batch::with_starts) from full boards that have no run and at least
/// one legal swap.
///
/// Draws of a game: the dealt boards ([`PlaneBoard::deal`](crate::bitboard::PlaneBoard::deal)) and
/// the refills of each move ([`RandomColors`](crate::RandomColors)). A random move first draws
/// `below(legal swaps)`, counted as in
/// [`PlaneBoard::random_move`](crate::bitboard::PlaneBoard::random_move).
///
/// On ISA levels with vector lanes, boards of up to 8 x 8 are played in lockstep, 64 games at a
/// time. Time per step in nanoseconds on one core (AMD EPYC 9004, 4,096 games, 8 x 8, 6 colors),
/// including the random or given move, its cascade, the legal swaps, the observation, the mask, and
/// a new game after 30 moves:
///
/// | level | random | given, checked |
/// |---|---|---|
/// | `portable` | 190 | 170 |
/// | `x86-64-v3-slow-pext` | 49 | 48 |
/// | `x86-64-v3` | 28 | 32 |
/// | `x86-64-v4` | 27 | 30 |
///
/// ```
/// use match3::batch::StepBuffers;
/// use match3::{Batch, Rules};
/// let mut batch = Batch::new(3, Rules::default(), 42)?;
/// assert_eq!((batch.cells(), batch.actions()), (2 * 64, 112));
/// let mut buffers = StepBuffers::new(batch.shape());
/// batch.reset_into(&mut buffers.obs, &mut buffers.mask)?;
/// let first = |mask: &[bool]| mask.iter().position(|&legal| legal).unwrap() as u32;
/// let chosen: Vec<u32> = buffers.mask.chunks(112).map(first).collect();
/// batch.step_into(&chosen, buffers.out())?;
/// batch.random_step_into(buffers.out())?;
/// assert!(buffers.reward.iter().all(|&points| points >= 30.0) && !buffers.terminated[0]);
/// assert_eq!(buffers.obs[64..128], [28; 64]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Batch = bitcade_core::batch::Batch<BatchGames>;

/// Many games of the same [`Level`](crate::level::Level), stepped together: everything that a level
/// file can say, except a limit of time.
///
/// See [`bitcade_core::batch::Batch`] for its methods and [`bitcade_core::batch`] for the slices
/// they fill. The moves are those of a [`LevelGame`](crate::level::LevelGame): the first game in
/// place i is the game that the same swaps play from stream i of the seed, as in a
/// [`Playtest`](crate::level::Playtest).
///
/// An action is the index of a pair of neighbors ([`Swap::action`](crate::Swap::action)). Its
/// reward is the points of the move, with the level's bonus for moves left, plus
/// [`goal_reward`](crate::level::LevelRules::goal_reward) for each goal that the move reaches. A
/// game terminates when it is over; an
/// [ignored](bitcade_core::batch::IllegalAction::Ignore) action is a step, but none of its moves.
///
/// An observation is a number of planes, each with one byte per cell, row by row from the top. For
/// `n` colors:
///
/// | planes | value of a cell |
/// |---|---|
/// | 0 to 4 | 1 for a row, column, bomb, color or square piece |
/// | 5 | 1 for a locked piece |
/// | 6, 7 | the layers of ice, of a crate |
/// | 8 | 1 for an item |
/// | 9 | the layers of jelly |
/// | 10, 11 | 1 for a wall, a void |
/// | 12 | the number of moves left, capped at 255, in every cell |
/// | 13 to 12 + n | 1 for a piece of color 1 to n |
/// | 13 + n and up | for each goal, in every cell: the part left, of 255, rounded up |
///
/// Games may [start](bitcade_core::batch::Batch::with_starts) from
/// [other pieces](crate::level::LevelSave::start).
///
/// Draws of a game: first its start, if the batch has starts, by
/// [`Rng::below`](crate::Rng::below) their number; otherwise those of
/// [`LevelGame::new`](crate::level::LevelGame::new). Refills are
/// [`RandomColors`](crate::RandomColors) from the same stream. A random move first draws
/// `below(legal actions)`, counted in ascending order.
///
/// ```
/// use match3::LevelBatch;
/// use match3::batch::StepBuffers;
/// use match3::level::{Goal, Level, LevelRules, LevelSpec, Target};
/// let mut spec = LevelSpec::new(7, 7);
/// spec.cell((3, 3)).jelly = 2;
/// spec.goals = vec![Goal { target: Target::Jelly, count: 1 }];
/// let rules = LevelRules::new(Level::new(spec)?, 1000)?;
/// let mut batch = LevelBatch::new(3, rules, 42)?;
/// let mut buffers = StepBuffers::new(batch.shape());
/// batch.reset_into(&mut buffers.obs, &mut buffers.mask)?;
/// assert_eq!(buffers.obs[9 * 49 + 24], 2);
/// while !buffers.terminated[0] {
///     batch.random_step_into(buffers.out())?;
/// }
/// println!("{}", if batch.game(0).unwrap().is_won() { "won" } else { "lost" });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type LevelBatch = bitcade_core::batch::Batch<LevelGames>;
