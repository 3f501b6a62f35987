//! Types shared by the batches of all games: shapes and slices, seeds and modes, errors.

use alloc::vec;
use alloc::vec::Vec;
use bitcore::Rng;

/// The error for a slice of the wrong length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{slice}: {found} elements, expected {expected}")]
pub struct WrongLength {
    /// The name of the slice: `obs`, `reward`, ..
    pub slice: &'static str,
    /// The number of elements needed: games times elements per game.
    pub expected: usize,
    /// The number of elements given.
    pub found: usize,
}

/// The error for a batch whose games or slices don't fit into memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{games} games: more than memory can hold")]
pub struct TooManyGames {
    /// The number of games requested.
    pub games: usize,
}

/// The reason a step was refused. A refused step changes nothing.
///
/// ```
/// use bitcade_core::batch::{BatchError, check_legal};
/// let error = check_legal(&[2, 0, 7], |_game, action| action < 4).unwrap_err();
/// assert_eq!(error, BatchError::Illegal { game: 2, action: 7 });
/// assert_eq!(error.to_string(), "game 2: action 7 is not a legal move");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// A slice of the wrong length.
    #[error(transparent)]
    Length(#[from] WrongLength),
    /// An illegal action.
    #[error("game {game}: action {action} is not a legal move")]
    Illegal {
        /// The game, from 0.
        game: usize,
        /// The action given for it.
        action: u32,
    },
    /// A step of a finished game, in a batch that doesn't restart games ([`Autoreset::Disabled`]).
    #[error("game {game} is over: reset it first")]
    Finished {
        /// The game, from 0.
        game: usize,
    },
    /// A start position that doesn't fit the rules, or has no legal action.
    #[error("start {index}: {reason}")]
    Start {
        /// The index of the position, from 0.
        index: usize,
        /// The reason games can't start from it.
        reason: &'static str,
    },
}

impl BatchError {
    /// Returns the same error with its game counted from `first`.
    pub(super) fn after(self, first: usize) -> Self {
        match self {
            Self::Illegal { game, action } => Self::Illegal { game: first + game, action },
            error => error,
        }
    }
}

/// The error for a state from a batch with different rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the state is from games with other rules")]
pub struct OtherRules;

/// The handling of illegal actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum IllegalAction {
    /// The whole step is refused with [`BatchError::Illegal`], and changes nothing.
    #[default]
    Refuse,
    /// The game doesn't change and gives no reward. The step counts toward the step limit.
    Ignore,
    /// The game is terminated without a reward.
    End,
}

/// The seeds of a batch's games.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Seeds {
    /// Game i draws from [stream](Rng::stream) i of one seed.
    One(u64),
    /// Game i draws from stream 0 of its own seed.
    Each(Vec<u64>),
}

impl Seeds {
    pub(super) fn streams(&self) -> impl Iterator<Item = Rng> + Send + '_ {
        let (one, each) = match self {
            Self::One(seed) => (Some(Rng::streams(*seed)), &[][..]),
            Self::Each(seeds) => (None, &seeds[..]),
        };
        one.into_iter().flatten().chain(each.iter().map(|&seed| Rng::stream(seed, 0)))
    }
}

/// When a batch replaces a finished game with the next game of its stream.
///
/// Every mode plays the same games, since a restart draws from the game's own stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Autoreset {
    /// In the step that ends the game: `obs` and `mask` describe the first position of the next
    /// game, and the batch keeps the final observation of the finished one. The default.
    #[default]
    SameStep,
    /// In the next step: the step that ends the game writes its final observation and an empty
    /// mask; the next step ignores the action, starts the next game, and gives no reward.
    NextStep,
    /// Never: the caller resets finished games, and steps are refused until then.
    Disabled,
}

/// The slices that a step writes, row-major, game by game.
#[derive(Debug, PartialEq)]
pub struct StepOut<'a> {
    /// Observations: [`Shape::cells`] bytes per game.
    pub obs: &'a mut [u8],
    /// Points of the move played, one number per game; exact up to 2^24.
    pub reward: &'a mut [f32],
    /// One flag per game: `true` if the move ended the game by its rules.
    pub terminated: &'a mut [bool],
    /// One flag per game: `true` if the game was cut off after the move by a step limit.
    pub truncated: &'a mut [bool],
    /// Legal moves of the observation: [`Shape::actions`] flags per game.
    pub mask: &'a mut [bool],
}

impl<'a> StepOut<'a> {
    /// Splits the slices into parts of `together` consecutive games: 1 for game by game, 32 for
    /// groups of vector lanes. The last part contains the remaining games.
    ///
    /// # Panics
    ///
    /// If a game has no cells or no actions, or `together` is 0.
    #[inline]
    pub fn split(self, shape: Shape, together: usize) -> impl Iterator<Item = StepOut<'a>> {
        let flags = self.terminated.chunks_mut(together).zip(self.truncated.chunks_mut(together));
        let rows = shape.rows(together, self.obs, self.mask);
        let parts = rows.zip(self.reward.chunks_mut(together).zip(flags));
        parts.map(|((obs, mask), (reward, (terminated, truncated)))| StepOut {
            obs,
            reward,
            terminated,
            truncated,
            mask,
        })
    }
}

/// Vectors of the right lengths for a batch, for callers without their own arrays.
///
/// ```
/// use bitcade_core::batch::{Shape, StepBuffers};
/// let shape = Shape { games: 2, cells: 16, actions: 4 };
/// let mut buffers = StepBuffers::new(shape);
/// assert_eq!((buffers.obs.len(), buffers.reward.len(), buffers.mask.len()), (32, 2, 8));
/// assert_eq!(shape.check_step(&buffers.out()), Ok(()));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepBuffers {
    /// The vector of [`StepOut::obs`].
    pub obs: Vec<u8>,
    /// The vector of [`StepOut::reward`].
    pub reward: Vec<f32>,
    /// The vector of [`StepOut::terminated`].
    pub terminated: Vec<bool>,
    /// The vector of [`StepOut::truncated`].
    pub truncated: Vec<bool>,
    /// The vector of [`StepOut::mask`].
    pub mask: Vec<bool>,
}

impl StepBuffers {
    /// Creates vectors of zeros and `false` for a batch of this shape.
    ///
    /// # Panics
    ///
    /// If a vector would be longer than `isize::MAX` bytes. No batch has such a shape.
    pub fn new(shape: Shape) -> Self {
        let Shape { games, cells, actions } = shape;
        Self {
            obs: vec![0; games.saturating_mul(cells)],
            reward: vec![0.0; games],
            terminated: vec![false; games],
            truncated: vec![false; games],
            mask: vec![false; games.saturating_mul(actions)],
        }
    }

    /// Returns the vectors as the slices that a step writes.
    pub fn out(&mut self) -> StepOut<'_> {
        StepOut {
            obs: &mut self.obs,
            reward: &mut self.reward,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            mask: &mut self.mask,
        }
    }
}

/// Checks one action per game before any of them is played.
///
/// # Errors
///
/// [`BatchError::Illegal`] for the first action with `legal(game, action)` false.
#[inline]
pub fn check_legal(
    actions: &[u32],
    mut legal: impl FnMut(usize, u32) -> bool,
) -> Result<(), BatchError> {
    for (game, &action) in actions.iter().enumerate() {
        if !legal(game, action) {
            return Err(BatchError::Illegal { game, action });
        }
    }
    Ok(())
}

pub(super) fn check_length(
    slice: &'static str,
    expected: usize,
    found: usize,
) -> Result<(), WrongLength> {
    if found == expected { Ok(()) } else { Err(WrongLength { slice, expected, found }) }
}

/// The dimensions of a batch's slices.
///
/// ```
/// use bitcade_core::batch::{Shape, WrongLength};
/// let shape = Shape { games: 2, cells: 16, actions: 4 };
/// assert_eq!(shape.check_reset(&[0; 32], &[false; 8]), Ok(()));
/// let error = shape.check_actions(&[0; 3]).unwrap_err();
/// assert_eq!(error, WrongLength { slice: "actions", expected: 2, found: 3 });
/// assert_eq!(error.to_string(), "actions: 3 elements, expected 2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// The number of games.
    pub games: usize,
    /// The number of bytes of one game's observation.
    pub cells: usize,
    /// The number of actions of one game, legal or not.
    pub actions: usize,
}

impl Shape {
    fn check<T>(
        &self,
        slice: &'static str,
        elements: &[T],
        each: usize,
    ) -> Result<(), WrongLength> {
        // No slice is long enough to match an overflowing product.
        check_length(slice, each.saturating_mul(self.games), elements.len())
    }

    /// Reserves memory for the states of all games, with `together` consecutive games per element.
    ///
    /// A batch calls this before it creates any game, so an impossible number of games fails early
    /// and costs neither time nor memory.
    ///
    /// ```
    /// use bitcade_core::batch::{Shape, TooManyGames};
    /// let shape = Shape { games: 33, cells: 16, actions: 4 };
    /// assert!(shape.reserve_games::<[u8; 512]>(32)?.capacity() >= 2);
    /// let shape = Shape { games: usize::MAX, ..shape };
    /// assert_eq!(shape.reserve_games::<u8>(32), Err(TooManyGames { games: usize::MAX }));
    /// # Ok::<(), TooManyGames>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`TooManyGames`] if the allocator refuses the memory, or if a slice of a step would be
    /// longer than `isize::MAX` bytes.
    ///
    /// # Panics
    ///
    /// If `together` is 0.
    pub fn reserve_games<T>(&self, together: usize) -> Result<Vec<T>, TooManyGames> {
        let error = TooManyGames { games: self.games };
        for bytes in [self.cells, self.actions, size_of::<f32>()] {
            if self.games.checked_mul(bytes).is_none_or(|bytes| isize::try_from(bytes).is_err()) {
                return Err(error);
            }
        }
        let mut states = Vec::new();
        states.try_reserve_exact(self.games.div_ceil(together)).map_err(|_| error)?;
        Ok(states)
    }

    /// Checks the length of `actions`: one per game.
    ///
    /// # Errors
    ///
    /// [`WrongLength`] for `actions`.
    pub fn check_actions(&self, actions: &[u32]) -> Result<(), WrongLength> {
        self.check("actions", actions, 1)
    }

    /// Checks the length of `seeds`: one per game.
    ///
    /// # Errors
    ///
    /// [`WrongLength`] for `seeds`.
    pub fn check_seeds(&self, seeds: &[u64]) -> Result<(), WrongLength> {
        self.check("seeds", seeds, 1)
    }

    /// Checks the length of `which`, the flags of the games to reset: one per game.
    ///
    /// # Errors
    ///
    /// [`WrongLength`] for `which`.
    pub fn check_which(&self, which: &[bool]) -> Result<(), WrongLength> {
        self.check("which", which, 1)
    }

    /// Checks the lengths of the slices that a reset writes.
    ///
    /// # Errors
    ///
    /// [`WrongLength`] for the first slice that doesn't fit, in the order of the arguments.
    pub fn check_reset(&self, obs: &[u8], mask: &[bool]) -> Result<(), WrongLength> {
        self.check("obs", obs, self.cells)?;
        self.check("mask", mask, self.actions)
    }

    /// Checks the lengths of the slices that a step writes.
    ///
    /// # Errors
    ///
    /// [`WrongLength`] for the first slice that doesn't fit, in the order of the fields.
    pub fn check_step(&self, out: &StepOut<'_>) -> Result<(), WrongLength> {
        self.check("obs", out.obs, self.cells)?;
        self.check("reward", out.reward, 1)?;
        self.check("terminated", out.terminated, 1)?;
        self.check("truncated", out.truncated, 1)?;
        self.check("mask", out.mask, self.actions)
    }

    /// Splits observations and masks into parts of `together` consecutive games: 1 for game by
    /// game, 32 for groups of vector lanes. The last part contains the remaining games.
    ///
    /// ```
    /// use bitcade_core::batch::Shape;
    /// let shape = Shape { games: 3, cells: 2, actions: 1 };
    /// let mut obs = [0u8; 6];
    /// let mut mask = [false; 3];
    /// for (game, (obs, mask)) in shape.rows(1, &mut obs, &mut mask).enumerate() {
    ///     obs.fill(game as u8);
    ///     mask[0] = true;
    /// }
    /// assert_eq!(obs, [0, 0, 1, 1, 2, 2]);
    /// assert_eq!(mask, [true; 3]);
    /// ```
    ///
    /// # Panics
    ///
    /// If a game has no cells or no actions, or `together` is 0.
    #[inline]
    pub fn rows<'a>(
        &self,
        together: usize,
        obs: &'a mut [u8],
        mask: &'a mut [bool],
    ) -> impl Iterator<Item = (&'a mut [u8], &'a mut [bool])> + use<'a> {
        let chunk = |each: usize| together.saturating_mul(each);
        obs.chunks_mut(chunk(self.cells)).zip(mask.chunks_mut(chunk(self.actions)))
    }
}
