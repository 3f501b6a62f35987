//! [`Batch`] and [`KeysBatch`]: vectorized reinforcement learning environments.

use crate::batch::BatchGames;
use crate::keys::KeysGames;

/// Many games stepped together, with the same [`Rules`] or [`BatchSettings`]: an environment for
/// reinforcement learning.
///
/// See [`bitcade_core::batch::Batch`] for its methods, and [`bitcade_core::batch`] for the slices
/// they fill.
///
/// The caller owns the slices, which are row-major with one row per game:
///
/// - observation: [`cells`](bitcade_core::batch::Batch::cells) bytes. First the visible rows from
///   the top, ten bytes each, 1 for a filled cell; then the current piece, the held piece and the
///   preview, each 1 to 7 in the order of [`Piece::ALL`], 0 for none; then the combo and the
///   back-to-back chain, both capped at 255; with
///   [`garbage`](crate::batch::BatchSettings::garbage), the pending lines, capped at 255;
///   [`Layout::Planes`](crate::batch::Layout::Planes) has planes of the visible rows instead: the
///   board; the current piece; its ghost, the cells where it lands if it drops straight from its
///   spawn; the held piece; each piece of the preview; then the combo, the back-to-back chain and
///   with `garbage` the pending lines as above, the same number everywhere. A piece is drawn in the
///   columns where it spawns, in the top two rows: a convolution sees its shape. It needs two
///   visible rows;
/// - action: a number as defined by [`Actions`];
/// - reward: the lines, the attack or the points of the move;
/// - mask: one flag per action. A game that isn't over has at least one legal action.
///
/// A top-out terminates a game; the [step limit](bitcade_core::batch::Batch::with_step_limit)
/// truncates it. [`Autoreset`] selects when the next game begins.
///
/// Game i draws only from [stream](crate::Rng::stream) i of the seed: first its start board, if the
/// batch has starts, then the pieces of its queue, each by [`Bag::draw`](crate::Bag::draw), then in
/// each step
///
/// 1. the random action, if any: [`Rng::below`] the number of legal actions, an index into them in
///    ascending order;
/// 2. the pieces entering the queue;
/// 3. the hole column of a [`GarbageRate`], if due: [`Rng::below`] 10.
///
/// The [afterstate](crate::batch::Afterstates) of an action is the visible rows after the lock and
/// the clear, before the next piece and any garbage, with the lines cleared and the [`FEATURES`].
///
/// A start is a [`Board`] without full rows that lets all seven pieces
/// [spawn](crate::Board::spawn).
///
/// ```
/// use tetris::batch::StepBuffers;
/// use tetris::{Batch, Rules};
/// let mut batch = Batch::new(3, Rules::default(), 42)?;
/// let (cells, actions) = (batch.cells(), batch.actions());
/// assert_eq!((cells, actions), (20 * 10 + 1 + 1 + 5 + 2, 80));
/// let mut buffers = StepBuffers::new(batch.shape());
/// batch.reset_into(&mut buffers.obs, &mut buffers.mask)?;
/// let first = |mask: &[bool]| mask.iter().position(|&legal| legal).unwrap() as u32;
/// let chosen: Vec<u32> = buffers.mask.chunks(actions).map(first).collect();
/// batch.step_into(&chosen, buffers.out())?;
/// assert_eq!((&buffers.reward, &buffers.terminated), (&vec![0.0; 3], &vec![false; 3]));
/// assert!(buffers.obs.chunks(cells).all(|obs| obs[..200].iter().sum::<u8>() == 4));
///
/// let legal = buffers.mask.clone();
/// batch.random_step_into(buffers.out())?;
/// let action = batch.game(0).and_then(|env| env.action()).unwrap();
/// assert!(legal[action as usize]);
///
/// let lists = batch.legal_lists();
/// let mut actions = vec![0; lists.len()];
/// lists.actions_into(&mut actions)?;
/// let of_game_2 = &actions[lists.offsets()[2]..lists.offsets()[3]];
/// let mask = (0..80).filter(|&action| buffers.mask[2 * 80 + action as usize]);
/// assert_eq!(of_game_2, mask.collect::<Vec<u32>>());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`Actions`]: crate::batch::Actions
/// [`Autoreset`]: crate::batch::Autoreset
/// [`BatchSettings`]: crate::batch::BatchSettings
/// [`Board`]: crate::Board
/// [`FEATURES`]: crate::batch::FEATURES
/// [`GarbageRate`]: crate::batch::GarbageRate
/// [`Piece::ALL`]: crate::Piece::ALL
/// [`Rng::below`]: crate::Rng::below
/// [`Rules`]: crate::Rules
pub type Batch = bitcade_core::batch::Batch<BatchGames>;

/// Many real-time games stepped together, one key at a time, with the same [`KeysSettings`]: the
/// step of consoles, for agents that move and rotate the falling piece themselves.
///
/// See [`bitcade_core::batch::Batch`] for its methods, [`bitcade_core::batch`] for the slices they
/// fill, and [`real_time`](crate::real_time) for the rules of a tick.
///
/// A step [taps](crate::real_time::RealTimeGame::tap) one of the [keys], or none, and runs
/// [`frames`](crate::keys::KeysSettings::frames) ticks. The caller owns the slices, which are
/// row-major with one row per game:
///
/// - observation: [`CELLS`] bytes, each 0 or 1: [`PLANES`] planes of [`ROWS`] x [`COLUMNS`],
///   described below;
/// - action: an index into the [keys], which depend on the rules;
/// - reward: the points, lines or attack of the step;
/// - mask: all keys are legal until the game is over. A key that can't move the piece is no key,
///   and the time passes.
///
/// A top-out or the [goal](crate::real_time::RealTimeRules::goal) terminates a game; the
/// [step limit](bitcade_core::batch::Batch::with_step_limit) truncates it.
///
/// | plane | cells |
/// |---|---|
/// | 0 | the locked cells of the lowest 24 rows, from the top |
/// | 1 | the piece in play; before its first tick, at its spawn |
/// | 2 | the ghost: the piece in play after a hard drop |
/// | 3 | pieces and counters, one a row, as in the next table |
///
/// | rows of plane 3 | columns |
/// |---|---|
/// | 0 | the piece in play, one-hot in the order of [`Piece::ALL`](crate::Piece::ALL) |
/// | 1 | the held piece, one-hot; column 9: the piece in play can be held |
/// | 2 to 16 | the preview, one-hot |
/// | 17 | the orientation of the piece in play, one-hot |
/// | 18, 19 | the combo; the back-to-back chain: the first n columns are 1, at most ten |
/// | 20, 21 | the lock delay; its resets: the part used up, in tenths |
/// | 22 | the part of a row fallen since the last one, in tenths |
/// | 23 | the level: one column per two levels |
///
/// Game i draws only from [stream](crate::Rng::stream) i of the seed: first its start board, if the
/// batch has starts, by [`Rng::below`] their number; then the seed of its pieces, by
/// [`Rng::next_u64`]; then in each random step the action, by [`Rng::below`] the number of keys.
/// The pieces are those of a [`RealTimeGame`] with that seed, whatever keys are pressed.
///
/// A start is a [`Board`] without full rows that lets all seven pieces
/// [spawn](crate::Board::spawn).
///
/// ```
/// use tetris::batch::{Seeds, StepBuffers};
/// use tetris::keys::KeysSettings;
/// use tetris::real_time::{Handling, Key, RealTimeGame, RealTimeRules};
/// use tetris::{KeysBatch, Rng};
/// let settings = KeysSettings::default();
/// let mut batch = KeysBatch::new(2, settings, 42)?;
/// assert_eq!((batch.cells(), batch.actions()), (960, 8));
/// let mut buffers = StepBuffers::new(batch.shape());
/// let mut one = RealTimeGame::new(RealTimeRules::MARATHON, Handling::default(), Rng::new(42).next_u64());
/// for key in [Key::Left, Key::Cw, Key::HardDrop] {
///     let action = settings.keys().position(|known| known == Some(key)).unwrap() as u32;
///     batch.step_into(&[action, 0], buffers.out())?;
///     one.tap(key);
///     one.tick(&mut Vec::new());
/// }
/// let game = batch.game(0).unwrap().game();
/// assert_eq!((game.board(), game.falling()), (one.board(), one.falling()));
/// assert_eq!(buffers.reward[0] as u64, one.score());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`Board`]: crate::Board
/// [`CELLS`]: crate::keys::CELLS
/// [`COLUMNS`]: crate::keys::COLUMNS
/// [`KeysSettings`]: crate::keys::KeysSettings
/// [`PLANES`]: crate::keys::PLANES
/// [`RealTimeGame`]: crate::real_time::RealTimeGame
/// [`ROWS`]: crate::keys::ROWS
/// [`Rng::below`]: crate::Rng::below
/// [`Rng::next_u64`]: crate::Rng::next_u64
/// [keys]: crate::keys::KeysSettings::keys
pub type KeysBatch = bitcade_core::batch::Batch<KeysGames>;
