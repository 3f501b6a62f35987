//! [`Event`]: an event of a tick.

use crate::game::{LockResult, TopOut};
use crate::piece::{Piece, Rotation};
use crate::placement::{Placement, Spin};

/// An event of a tick, for sounds, animations and statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A piece came into play, from the queue or swapped in.
    Spawned(Piece),
    /// The piece moved sideways, to the right if the number is positive.
    Moved {
        /// The number of columns.
        columns: i8,
    },
    /// The piece rotated.
    Rotated {
        /// The direction.
        rotation: Rotation,
        /// The kind of spin if the piece locks right here.
        spin: Spin,
    },
    /// The piece fell by gravity.
    Fell {
        /// The number of rows.
        rows: u32,
    },
    /// The piece fell by a soft drop.
    SoftDropped {
        /// The number of rows, worth one point each.
        rows: u32,
    },
    /// The piece fell by a hard drop. It locks next.
    HardDropped {
        /// The number of rows, worth two points each.
        rows: u32,
    },
    /// The piece in play was held. Another one spawns next.
    Held(Piece),
    /// The piece locked.
    Locked(Lock),
    /// Garbage rows rose from the floor.
    GarbageRose {
        /// The number of rows.
        rows: u32,
    },
    /// A new level began.
    LevelUp {
        /// The level.
        level: u32,
    },
    /// The game reached its goal and ended.
    Finished,
    /// The game topped out and ended.
    ToppedOut(TopOut),
}

/// The lock of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Lock {
    /// The location of the piece, not always [canonical](crate::Location::canonical), and its kind
    /// of spin.
    pub placement: Placement,
    /// The lines cleared, the attack and the garbage, as in [`Game::play`](crate::Game::play).
    pub result: LockResult,
    /// One bit per full row after the piece is placed, before the clear; bit 0 = bottom row.
    pub full_rows: u64,
    /// The points, computed by [`guideline_score`](super::guideline_score).
    pub points: u64,
}

/// The way in which a real-time game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum End {
    /// The goal was reached, even if the same lock topped out.
    Finished,
    /// The game topped out.
    ToppedOut(TopOut),
}
