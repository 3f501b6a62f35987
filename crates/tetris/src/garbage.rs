//! Garbage: rows with one hole each, which are inserted at the bottom and push the stack up.

use crate::board::{Board, HEIGHT, WIDTH};
use alloc::collections::VecDeque;

/// Garbage rows that an opponent has sent at once: rows with one hole each, all in the same column, which are
/// inserted at the bottom and push the stack up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Attack {
    /// The number of rows.
    pub lines: u32,
    /// The column of the hole, 0 to 9.
    pub column: u8,
}

/// The moment at which waiting garbage enters the field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum GarbageTiming {
    /// After each lock that clears no line. A player who clears lines with
    /// every piece holds the garbage back.
    #[default]
    AfterNonClearingLock,
    /// After each lock.
    AfterEveryLock,
    /// At the moment it is received, below the piece in play.
    Immediate,
}

/// The attacks that haven't entered the field yet, the oldest first.
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

    /// Returns the number of lines of all attacks.
    pub fn lines(&self) -> u32 {
        self.attacks.iter().fold(0, |sum, attack| sum.saturating_add(attack.lines))
    }

    /// Returns `true` if no attack waits.
    pub fn is_empty(&self) -> bool {
        self.attacks.is_empty()
    }

    /// Iterates over the attacks, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = Attack> {
        self.attacks.iter().copied()
    }

    /// Cancels up to `lines` waiting lines, from the oldest attack on. Returns the rest of `lines`.
    pub fn cancel(&mut self, mut lines: u32) -> u32 {
        while let Some(attack) = self.take(lines) {
            lines -= attack.lines;
        }
        lines
    }

    /// Removes and returns up to `max` lines of the oldest attack, or `None` if
    /// no attack waits or `max` is 0.
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
    /// Inserts garbage rows at the bottom: full except for the hole, which push the stack up.
    ///
    /// Returns `false` and changes nothing if a filled cell would pass the ceiling or
    /// the column isn't in the field.
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
