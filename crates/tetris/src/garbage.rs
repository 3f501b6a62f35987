//! Garbage: rows with one hole each, inserted at the bottom to push the stack up.

use crate::board::{Board, HEIGHT, WIDTH};
use alloc::collections::VecDeque;

/// An attack: garbage rows that share the column of their one hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Attack {
    /// The number of rows.
    pub lines: u32,
    /// The column of the hole, 0 to 9.
    pub column: u8,
}

/// The time at which pending garbage enters the field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum GarbageTiming {
    /// After each lock that clears no line. Clearing lines with every piece delays the garbage.
    #[default]
    AfterNonClearingLock,
    /// After each lock.
    AfterEveryLock,
    /// On arrival, below the piece in play.
    Immediate,
}

/// The pending attacks, oldest first.
///
/// ```
/// use tetris::{Attack, GarbageQueue};
/// let mut garbage = GarbageQueue::default();
/// garbage.push(Attack { lines: 3, column: 2 });
/// garbage.push(Attack { lines: 4, column: 7 });
/// // Five lines sent back: two are left of the second attack.
/// assert_eq!(garbage.cancel(5), 0);
/// assert_eq!(garbage.iter().collect::<Vec<_>>(), [Attack { lines: 2, column: 7 }]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct GarbageQueue {
    attacks: VecDeque<Attack>,
}

impl GarbageQueue {
    /// Adds an attack. An attack of no lines is dropped.
    pub fn push(&mut self, attack: Attack) {
        if attack.lines > 0 {
            self.attacks.push_back(attack);
        }
    }

    /// Returns the total number of lines.
    pub fn lines(&self) -> u32 {
        self.attacks.iter().fold(0, |sum, attack| sum.saturating_add(attack.lines))
    }

    /// Returns `true` if there is no pending attack.
    pub fn is_empty(&self) -> bool {
        self.attacks.is_empty()
    }

    /// Iterates over the attacks, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = Attack> {
        self.attacks.iter().copied()
    }

    /// Cancels up to `lines` pending lines, starting with the oldest attack. Returns the unused
    /// part of `lines`.
    pub fn cancel(&mut self, mut lines: u32) -> u32 {
        while let Some(attack) = self.take(lines) {
            lines -= attack.lines;
        }
        lines
    }

    /// Removes and returns up to `max` lines of the oldest attack, or `None` if there is no attack
    /// or `max` is 0.
    pub fn take(&mut self, max: u32) -> Option<Attack> {
        let oldest = self.attacks.front_mut().filter(|_| max > 0)?;
        let taken = Attack { lines: oldest.lines.min(max), ..*oldest };
        oldest.lines -= taken.lines;
        if oldest.lines == 0 {
            self.attacks.pop_front();
        }
        Some(taken)
    }
}

impl Board {
    /// Inserts garbage rows, full except for the hole, at the bottom, and pushes the stack up.
    ///
    /// Returns `false` and changes nothing if a filled cell would pass the ceiling or if the column
    /// is outside the field.
    ///
    /// ```
    /// use tetris::{Board, Attack};
    /// let mut board: Board = "1,0,0,0,0,0,0,0,0,0".parse().unwrap();
    /// assert!(board.apply_garbage(Attack { lines: 2, column: 3 }));
    /// assert_eq!(board.to_string(), "#.........\n###.######\n###.######");
    /// assert!(!board.apply_garbage(Attack { lines: 38, column: 3 }));
    /// ```
    #[inline]
    pub fn apply_garbage(&mut self, attack: Attack) -> bool {
        let lines = attack.lines.min(HEIGHT as u32);
        if self.max_height() + attack.lines.min(HEIGHT as u32 + 1) > HEIGHT as u32
            || usize::from(attack.column) >= WIDTH
        {
            return false;
        }
        let mut columns = *self.columns();
        for (x, column) in columns.iter_mut().enumerate() {
            let rows = if x == usize::from(attack.column) { 0 } else { (1 << lines) - 1 };
            *column = *column << lines | rows;
        }
        // Nothing was shifted past the ceiling.
        Self::from_columns(columns).is_some_and(|pushed| {
            *self = pushed;
            true
        })
    }
}
