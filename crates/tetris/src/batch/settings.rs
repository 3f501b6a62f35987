//! [`BatchSettings`]: the settings of a batch.

use super::actions::Actions;
use crate::game::Rules;
use core::num::NonZeroU32;

/// The quantity used as the reward.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum RewardKind {
    /// The number of lines cleared.
    #[default]
    Lines,
    /// The lines of the attack, from the rules' table.
    Attack,
    /// The points: [`guideline_score`](crate::real_time::guideline_score), at level 1 in a
    /// [`Batch`](crate::Batch); in a [`KeysBatch`](crate::KeysBatch) at the game's level, and with
    /// the points of drops.
    Score,
}

/// Garbage that a [`Batch`](crate::Batch) sends to each of its games, in place of an opponent.
///
/// Each time the number of pieces reaches a multiple of `every`, a game that isn't over
/// [receives](crate::Game::receive) an [`Attack`](crate::garbage::Attack). The game's rules decide
/// how it waits, cancels and enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct GarbageRate {
    /// The number of pieces between attacks.
    pub every: NonZeroU32,
    /// The lines of an attack.
    pub lines: u32,
}

/// How a [`Batch`](crate::Batch) shows a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Layout {
    /// The visible rows, then a byte for each of the other facts.
    #[default]
    Bytes,
    /// Planes of the visible rows, two or more.
    Planes,
}

/// The rules, actions, rewards and observations of a [`Batch`](crate::Batch).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct BatchSettings {
    /// The rules of the games.
    pub rules: Rules,
    /// The numbering of the moves.
    pub actions: Actions,
    /// The quantity used as the reward.
    pub reward: RewardKind,
    /// The number of rows of the board in an observation, from the floor: 1 to 40.
    pub rows: usize,
    /// The garbage sent to the games. If set, the observation ends with the pending lines.
    pub garbage: Option<GarbageRate>,
}

impl Default for BatchSettings {
    /// Returns the guideline rules with hard drops, a reward for lines, 20 visible rows and no
    /// garbage.
    fn default() -> Self {
        Self {
            rules: Rules::default(),
            actions: Actions::default(),
            reward: RewardKind::default(),
            rows: 20,
            garbage: None,
        }
    }
}

impl From<Rules> for BatchSettings {
    /// Returns the default settings with these rules.
    fn from(rules: Rules) -> Self {
        Self { rules, ..Self::default() }
    }
}
