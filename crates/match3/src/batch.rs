//! [`Batch`]: many games that a caller plays, as learning programs want them.

use crate::colours::RandomColours;
use crate::mask::{Columns, Mask, Swaps};
use crate::planes::{Board8, PlanesError};
use crate::swaps::Swap;
use alloc::vec::Vec;
use bitcore::{Isa, Rng, dispatch};

/// Cells of an observation.
const CELLS: usize = 64;
/// Actions of a game.
const ACTIONS: usize = Swap::actions(8, 8);

/// Why a step was refused. Nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// A slice has the wrong length.
    #[error("{slice}: {found} elements, expected {expected}")]
    Length {
        /// Which one.
        slice: &'static str,
        /// Games times elements a game.
        expected: usize,
        /// The elements given.
        found: usize,
    },
    /// An action isn't a legal swap.
    #[error("game {game}: action {action} is no legal swap")]
    Illegal {
        /// The game, from 0.
        game: usize,
        /// Its action.
        action: u32,
    },
}

/// Many games of 8 x 8, each of so many moves, that restart by themselves.
///
/// Game i draws from [stream](Rng::stream) i of the seed alone: it is the same however many are played beside it.
/// Per game, in row-major slices that the caller owns: an observation of 64 bytes, the colours row by row from the top;
/// an action, the index of a pair of neighbours ([`Swap::action`]); a mask of 112 flags, which of them are legal. A board
/// without a legal swap never stays: a new one is dealt, which takes no move.
///
/// ```
/// use match3::Batch;
/// let mut batch: Batch = Batch::new(3, 42, 6, 30)?;
/// let (mut obs, mut mask) = (vec![0; 3 * 64], vec![false; 3 * 112]);
/// batch.reset_into(&mut obs, &mut mask)?;
/// let first = |mask: &[bool]| mask.iter().position(|&legal| legal).unwrap() as u32;
/// let actions: Vec<u32> = mask.chunks(112).map(first).collect();
/// let (mut reward, mut done) = (vec![0; 3], vec![false; 3]);
/// batch.step_into(&actions, &mut obs, &mut reward, &mut done, &mut mask)?;
/// assert!(reward.iter().all(|&points| points >= 30) && !done[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch<const P: usize = 3> {
    seed: u64,
    moves: u32,
    games: Vec<Game<P>>,
}

#[derive(Clone, Debug)]
struct Game<const P: usize> {
    board: Board8<P>,
    colours: RandomColours<P>,
    legal: Swaps<Columns<1>>,
    /// Moves that are left.
    moves: u32,
    /// How the game before this one ended.
    last: Option<Board8<P>>,
}

impl<const P: usize> Game<P> {
    fn new(count: u8, rng: Rng, moves: u32) -> Result<Self, PlanesError> {
        let mut colours = RandomColours::new(count, rng)?;
        let board = Board8::deal(&mut colours)?;
        Ok(Self { board, legal: board.swaps(), colours, moves, last: None })
    }

    /// A new board of the same stream.
    fn deal(&mut self) {
        self.board = Board8::deal(&mut self.colours).expect("as many colours as at the start");
        self.legal = self.board.swaps();
    }

    /// The first game of a stream.
    fn restart(&mut self, rng: Rng, moves: u32) {
        self.colours.restart(rng);
        self.deal();
        (self.moves, self.last) = (moves, None);
    }

    /// Plays a legal swap.
    #[inline(always)]
    fn step_with<S: Isa>(&mut self, isa: S, swap: Swap, moves: u32) -> (i32, bool) {
        self.board.exchange(swap);
        let outcome = self.board.cascade_with(isa, &mut self.colours);
        self.moves -= 1;
        let done = self.moves == 0;
        if done {
            self.last = Some(self.board);
            self.moves = moves;
            self.deal();
        } else {
            self.legal = self.board.swaps_with(isa);
            if self.legal.is_empty() {
                self.deal();
            }
        }
        (i32::try_from(outcome.score).unwrap_or(i32::MAX), done)
    }

    fn write(&self, obs: &mut [u8], mask: &mut [bool]) {
        self.board.write_colours(obs);
        for (y, mask) in mask[..56].chunks_exact_mut(7).enumerate() {
            write_bits(self.legal.right.row(y), mask);
        }
        for (y, mask) in mask[56..].chunks_exact_mut(8).enumerate() {
            write_bits(self.legal.down.row(y), mask);
        }
    }
}

fn write_bits(row: u64, mask: &mut [bool]) {
    for (x, mask) in mask.iter_mut().enumerate() {
        *mask = row >> x & 1 == 1;
    }
}

impl<const P: usize> Batch<P> {
    /// `n` games of a seed, with 3 to 2^`P` - 1 colours, that end after `moves` moves.
    ///
    /// # Errors
    ///
    /// [`PlanesError::Colours`] if there are too few or too many colours.
    ///
    /// # Panics
    ///
    /// If `moves` is 0.
    pub fn new(n: usize, seed: u64, colours: u8, moves: u32) -> Result<Self, PlanesError> {
        assert!(moves > 0, "a game of no move");
        let games = Rng::streams(seed).take(n).map(|rng| Game::new(colours, rng, moves));
        Ok(Self { seed, moves, games: games.collect::<Result<_, _>>()? })
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    fn check(&self, slice: &'static str, found: usize, each: usize) -> Result<(), BatchError> {
        let expected = each * self.len();
        if found == expected { Ok(()) } else { Err(BatchError::Length { slice, expected, found }) }
    }

    /// Starts every game from the beginning of its stream and writes the first observations and masks.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`].
    pub fn reset_into(&mut self, obs: &mut [u8], mask: &mut [bool]) -> Result<(), BatchError> {
        self.check("obs", obs.len(), CELLS)?;
        self.check("mask", mask.len(), ACTIONS)?;
        for (game, rng) in self.games.iter_mut().zip(Rng::streams(self.seed)) {
            game.restart(rng, self.moves);
        }
        self.write(obs, mask);
        Ok(())
    }

    /// Plays one action in each game. `reward` gets the points of the move; `done` whether it was the game's last: then
    /// a new game has begun, `obs` and `mask` are its first, and [`last_into`](Self::last_into) has how the old one ended.
    ///
    /// # Errors
    ///
    /// [`BatchError::Length`]; [`BatchError::Illegal`] for the first action that isn't legal.
    pub fn step_into(
        &mut self,
        actions: &[u32],
        obs: &mut [u8],
        reward: &mut [i32],
        done: &mut [bool],
        mask: &mut [bool],
    ) -> Result<(), BatchError> {
        self.check("actions", actions.len(), 1)?;
        self.check("obs", obs.len(), CELLS)?;
        self.check("reward", reward.len(), 1)?;
        self.check("done", done.len(), 1)?;
        self.check("mask", mask.len(), ACTIONS)?;
        let legal = |game: &Game<P>, action: u32| {
            Swap::from_action(action as usize, 8, 8).filter(|&swap| game.legal.contains(swap))
        };
        for (game, (state, &action)) in self.games.iter().zip(actions).enumerate() {
            if legal(state, action).is_none() {
                return Err(BatchError::Illegal { game, action });
            }
        }
        let moves = self.moves;
        dispatch!(isa => {
            for (i, game) in self.games.iter_mut().enumerate() {
                if let Some(swap) = legal(game, actions[i]) {
                    (reward[i], done[i]) = game.step_with(isa, swap, moves);
                }
            }
        });
        self.write(obs, mask);
        Ok(())
    }

    fn write(&self, obs: &mut [u8], mask: &mut [bool]) {
        let slices = obs.chunks_exact_mut(CELLS).zip(mask.chunks_exact_mut(ACTIONS));
        for (game, (obs, mask)) in self.games.iter().zip(slices) {
            game.write(obs, mask);
        }
    }

    /// The last observation of the game that was played before the present one in this place: `false`, and `obs`
    /// untouched, if there was none.
    ///
    /// # Panics
    ///
    /// If there is no such game or `obs` hasn't 64 bytes.
    pub fn last_into(&self, game: usize, obs: &mut [u8]) -> bool {
        assert_eq!(obs.len(), CELLS, "64 bytes an observation");
        let last = &self.games[game].last;
        if let Some(board) = last {
            board.write_colours(obs);
        }
        last.is_some()
    }
}
