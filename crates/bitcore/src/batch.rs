//! What the batches of the game crates share: the slices that a caller owns, game by game, whether they have the right
//! lengths, and why a step is refused.

/// A slice hasn't as many elements as a batch needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{slice}: {found} elements, expected {expected}")]
pub struct WrongLength {
    /// Which one.
    pub slice: &'static str,
    /// Games times elements a game.
    pub expected: usize,
    /// The elements given.
    pub found: usize,
}

/// Why a step was refused. Nothing has changed then.
///
/// ```
/// use bitcore::batch::{BatchError, check_legal};
/// let error = check_legal(&[2, 0, 7], |_game, action| action < 4).unwrap_err();
/// assert_eq!(error, BatchError::Illegal { game: 2, action: 7 });
/// assert_eq!(error.to_string(), "game 2: action 7 is no legal move");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// A slice has the wrong length.
    #[error(transparent)]
    Length(#[from] WrongLength),
    /// An action isn't a legal move.
    #[error("game {game}: action {action} is no legal move")]
    Illegal {
        /// The game, from 0.
        game: usize,
        /// Its action.
        action: u32,
    },
}

/// Checks one action for each game, before any of them is played.
///
/// # Errors
///
/// [`BatchError::Illegal`] of the first action for which `legal(game, action)` is false.
#[inline]
pub fn check_legal(actions: &[u32], mut legal: impl FnMut(usize, u32) -> bool) -> Result<(), BatchError> {
    for (game, &action) in actions.iter().enumerate() {
        if !legal(game, action) {
            return Err(BatchError::Illegal { game, action });
        }
    }
    Ok(())
}

/// How many elements the slices of a batch have. Row-major, game by game: an observation of bytes, an action, a reward,
/// whether the game ended, a flag an action that is legal.
///
/// ```
/// use bitcore::batch::{Shape, WrongLength};
/// let shape = Shape { games: 2, cells: 16, actions: 4 };
/// assert_eq!(shape.check_reset(&[0; 32], &[false; 8]), Ok(()));
/// assert_eq!(shape.check_step(&[0; 32], &[0u64; 2], &[false; 2], &[false; 8]), Ok(()));
/// let error = shape.check_actions(&[0; 3]).unwrap_err();
/// assert_eq!(error, WrongLength { slice: "actions", expected: 2, found: 3 });
/// assert_eq!(error.to_string(), "actions: 3 elements, expected 2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Games.
    pub games: usize,
    /// Bytes of an observation of one game.
    pub cells: usize,
    /// Actions of one game, legal or not.
    pub actions: usize,
}

impl Shape {
    fn check<T>(&self, slice: &'static str, elements: &[T], each: usize) -> Result<(), WrongLength> {
        let (expected, found) = (each * self.games, elements.len());
        if found == expected { Ok(()) } else { Err(WrongLength { slice, expected, found }) }
    }

    /// What a caller chooses: an action a game.
    ///
    /// # Errors
    ///
    /// [`WrongLength`] of `actions`.
    pub fn check_actions(&self, actions: &[u32]) -> Result<(), WrongLength> {
        self.check("actions", actions, 1)
    }

    /// What a reset writes.
    ///
    /// # Errors
    ///
    /// [`WrongLength`] of the first slice, in the order of the arguments, that doesn't fit.
    pub fn check_reset(&self, obs: &[u8], mask: &[bool]) -> Result<(), WrongLength> {
        self.check("obs", obs, self.cells)?;
        self.check("mask", mask, self.actions)
    }

    /// What a step writes.
    ///
    /// # Errors
    ///
    /// [`WrongLength`] of the first slice, in the order of the arguments, that doesn't fit.
    pub fn check_step<R>(
        &self,
        obs: &[u8],
        reward: &[R],
        done: &[bool],
        mask: &[bool],
    ) -> Result<(), WrongLength> {
        self.check("obs", obs, self.cells)?;
        self.check("reward", reward, 1)?;
        self.check("done", done, 1)?;
        self.check("mask", mask, self.actions)
    }

    /// The observations and masks of each `together` games, in the order of the games: 1 for game by game, 32 for groups
    /// of lanes. The last group has what is left.
    ///
    /// ```
    /// use bitcore::batch::Shape;
    /// let shape = Shape { games: 3, cells: 2, actions: 1 };
    /// let (mut obs, mut mask) = ([0u8; 6], [false; 3]);
    /// for (game, (obs, mask)) in shape.rows(1, &mut obs, &mut mask).enumerate() {
    ///     obs.fill(game as u8);
    ///     mask[0] = true;
    /// }
    /// assert_eq!((obs, mask), ([0, 0, 1, 1, 2, 2], [true; 3]));
    /// ```
    ///
    /// # Panics
    ///
    /// If a game has no cell or no action, or `together` is 0.
    #[inline]
    pub fn rows<'a>(
        &self,
        together: usize,
        obs: &'a mut [u8],
        mask: &'a mut [bool],
    ) -> impl Iterator<Item = (&'a mut [u8], &'a mut [bool])> + use<'a> {
        obs.chunks_mut(together * self.cells).zip(mask.chunks_mut(together * self.actions))
    }
}

#[cfg(test)]
mod tests {
    use super::{Shape, WrongLength};

    #[test]
    fn the_first_slice_that_does_not_fit_is_named() {
        let shape = Shape { games: 3, cells: 5, actions: 2 };
        let wrong = |slice, expected, found| Err(WrongLength { slice, expected, found });
        let fits = ([0u8; 15], [0i32; 3], [false; 3], [false; 6]);
        let (obs, reward, done, mask) = (&fits.0, &fits.1, &fits.2, &fits.3);
        assert_eq!(shape.check_step(obs, reward, done, mask), Ok(()));
        assert_eq!(shape.check_step(&obs[1..], reward, done, &[]), wrong("obs", 15, 14));
        assert_eq!(shape.check_step(obs, &[0i32; 4], &[], mask), wrong("reward", 3, 4));
        assert_eq!(shape.check_step(obs, reward, &done[1..], &[]), wrong("done", 3, 2));
        assert_eq!(shape.check_step(obs, reward, done, &mask[1..]), wrong("mask", 6, 5));
        assert_eq!(shape.check_reset(obs, mask), Ok(()));
        assert_eq!(shape.check_reset(&[0; 16], &[]), wrong("obs", 15, 16));
        assert_eq!(shape.check_reset(obs, &[false; 7]), wrong("mask", 6, 7));
        assert_eq!(shape.check_actions(&[1, 0, 1]), Ok(()));
        assert_eq!(shape.check_actions(&[1, 0]), wrong("actions", 3, 2));
        assert_eq!(Shape { games: 0, ..shape }.check_reset(&[], &[]), Ok(()));
    }
}
