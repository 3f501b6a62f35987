//! [`Goal`]: what wins a level, and how its events count.

/// What a goal counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Target {
    /// Points.
    Score,
    /// Pieces of this color that are cleared.
    Color(u8),
    /// Locked pieces that are cleared.
    Locked,
    /// Cells whose last layer of jelly is taken.
    Jelly,
    /// Crates whose last layer is taken.
    Crates,
    /// Pieces whose last layer of ice is taken.
    Ice,
    /// Items that leave.
    Items,
    /// Special pieces that are set off; a pair is two.
    SetOff,
    /// Special pieces that matches make.
    Made,
}

/// A goal of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Goal {
    /// What is counted.
    pub target: Target,
    /// The number to reach, at least 1.
    pub count: u32,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// All goals are reached (`won`).
    Won,
    /// No move is left (`moves`).
    OutOfMoves,
    /// No second is left (`time`).
    OutOfTime,
    /// No swap is legal, and the board wasn't or couldn't be shuffled (`dead`).
    Dead,
}

crate::text::names! {
    Outcome: "outcome", ParseOutcomeError, "won, moves, time or dead",
    Won "won", OutOfMoves "moves", OutOfTime "time", Dead "dead"
}

/// The goals of a level, and what they lack.
pub(super) struct Tally<'a> {
    pub(super) goals: &'a [Goal],
    pub(super) left: &'a mut [u32],
}

impl Tally<'_> {
    #[inline]
    pub(super) fn add(&mut self, target: Target, count: u64) {
        for (goal, left) in self.goals.iter().zip(&mut *self.left) {
            if goal.target == target {
                *left = left.saturating_sub(u32::try_from(count).unwrap_or(u32::MAX));
            }
        }
    }
}

/// What goals lack, for flights.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wanted {
    /// Crates, jelly, ice and locks.
    pub(super) things: [bool; 4],
    /// Color c is bit c.
    pub(super) colors: u64,
}

impl Tally<'_> {
    pub(super) fn wanted(&self) -> Wanted {
        let mut wanted = Wanted::default();
        for (goal, _) in self.goals.iter().zip(&*self.left).filter(|&(_, &left)| left > 0) {
            match goal.target {
                Target::Crates => wanted.things[0] = true,
                Target::Jelly => wanted.things[1] = true,
                Target::Ice => wanted.things[2] = true,
                Target::Locked => wanted.things[3] = true,
                Target::Color(color) => wanted.colors |= 1 << color,
                Target::Score | Target::Items | Target::SetOff | Target::Made => {}
            }
        }
        wanted
    }
}
