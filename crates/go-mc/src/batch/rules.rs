//! [`BatchRules`]: the rules of a batch and the numbers of its moves.

use crate::board::Suicide;
use crate::game::{Ko, Move, Rules};
use crate::points::{MAX_SIDE, Point};
use bitcore::batch::TooManyGames;
use core::num::NonZeroU32;

/// The rules of the games of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct BatchRules {
    /// The width and height of the board: 5, 7, 9, 13 or 19.
    pub size: usize,
    /// The ko rule.
    pub ko: Ko,
    /// The suicide rule.
    pub suicide: Suicide,
    /// The komi in half points: the points that White gets are half of it.
    pub komi_half_points: i32,
    /// The number of moves, passes included, after which a game is truncated; `None` for no limit.
    pub max_moves: Option<NonZeroU32>,
}

impl BatchRules {
    /// Returns rules for a size: positional superko, no suicide, a komi of 7.5 points, and at most two moves
    /// for each point.
    pub const fn new(size: usize) -> Self {
        // No game has a size without a batch, but the rules can be made.
        let moves = size.saturating_mul(size).saturating_mul(2);
        let moves = if moves > u32::MAX as usize { u32::MAX } else { moves as u32 };
        Self {
            size,
            ko: Ko::Positional,
            suicide: Suicide::Forbidden,
            komi_half_points: 15,
            max_moves: NonZeroU32::new(moves),
        }
    }

    /// Returns the rules of a [`Game`](crate::Game) by which moves are legal.
    pub const fn rules(&self) -> Rules {
        Rules { ko: self.ko, suicide: self.suicide }
    }

    /// Returns the action of a move, or `None` if its point is off the board or no board has this size.
    ///
    /// ```
    /// use go_mc::{BatchRules, Move};
    /// let rules = BatchRules::default();
    /// assert_eq!(rules.action("A9".parse()?), Some(0));
    /// assert_eq!(rules.action("J1".parse()?), Some(80));
    /// assert_eq!(rules.action(Move::Pass), Some(81));
    /// assert_eq!(rules.action("A10".parse()?), None);
    /// # Ok::<(), go_mc::ParseError>(())
    /// ```
    pub fn action(&self, mv: Move) -> Option<u32> {
        if self.size > MAX_SIDE {
            return None;
        }
        let Move::Play(Point { x, y }) = mv else { return Some((self.size * self.size) as u32) };
        let (x, y) = (usize::from(x), usize::from(y));
        (x < self.size && y < self.size).then(|| (self.size * (self.size - 1 - y) + x) as u32)
    }

    /// Returns the move of an action, or `None` if there is no such action or no board has this size.
    ///
    /// ```
    /// let rules = go_mc::BatchRules::new(19);
    /// assert_eq!((0..=361).find(|&action| rules.decode(action).is_none()), None);
    /// assert_eq!(rules.decode(3), Some("D19".parse()?));
    /// assert_eq!(rules.decode(362), None);
    /// # Ok::<(), go_mc::ParseError>(())
    /// ```
    pub fn decode(&self, action: u32) -> Option<Move> {
        let (size, action) = (self.size, action as usize);
        if size > MAX_SIDE {
            return None;
        }
        if action < size * size {
            Some(Move::Play(Point { x: (action % size) as u8, y: (size - 1 - action / size) as u8 }))
        } else {
            (action == size * size).then_some(Move::Pass)
        }
    }
}

impl Default for BatchRules {
    /// Returns the rules [`new(9)`](Self::new).
    fn default() -> Self {
        Self::new(9)
    }
}

/// The reason why a batch can't be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BatchRulesError {
    /// A size without a batch.
    #[error("no batch of size {0}: expected 5, 7, 9, 13 or 19")]
    Size(usize),
    /// There is no memory for the games.
    #[error(transparent)]
    Games(#[from] TooManyGames),
}
