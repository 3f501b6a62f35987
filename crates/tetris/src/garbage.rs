//! Garbage: rows with one hole each, inserted at the bottom to push the stack up.

use crate::board::{Board, HEIGHT, WIDTH};
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use bitcore::RandomSource;

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

/// The chances that the hole of garbage moves, in percent. Values above 100 count as 100.
///
/// ```
/// use tetris::{Attack, Messiness, Rng};
/// let mut rng = Rng::new(1);
/// let clean = Messiness { between: 0, ..Messiness::default() };
/// assert_eq!(clean.attacks(4, Some(7), &mut rng), [Attack { lines: 4, column: 7 }]);
/// // Cheese: each row's hole is in another column than the one below.
/// let cheese = Messiness { within: 100, moves_away: true, ..Messiness::default() };
/// assert_eq!(cheese.attacks(4, None, &mut rng).len(), 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Messiness {
    /// The chance at the first row of an attack (TETR.IO: `messiness_change`).
    pub between: u8,
    /// The chance at each further row of an attack (TETR.IO: `messiness_inner`).
    pub within: u8,
    /// `true` if a hole that moves never stays in its column (TETR.IO: `messiness_nosame`).
    pub moves_away: bool,
}

impl Default for Messiness {
    /// Returns [`PER_ATTACK`](Self::PER_ATTACK).
    fn default() -> Self {
        Self::PER_ATTACK
    }
}

impl Messiness {
    /// One random hole per attack.
    pub const PER_ATTACK: Self = Self { between: 100, within: 0, moves_away: false };

    /// Converts Jstris' messiness, -100 to 100: from one column for the whole game to a random one
    /// per row; 0 is one [per attack](Self::PER_ATTACK).
    ///
    /// ```
    /// use tetris::Messiness;
    /// assert_eq!(Messiness::jstris(-70), Messiness { between: 30, ..Messiness::default() });
    /// assert_eq!(Messiness::jstris(40), Messiness { within: 40, ..Messiness::default() });
    /// ```
    pub fn jstris(messiness: i8) -> Self {
        Self {
            between: (100 + i16::from(messiness)).clamp(0, 100) as u8,
            within: messiness.max(0) as u8,
            moves_away: false,
        }
    }

    /// Splits an attack by the columns of its holes, in the order in which they enter. `last` is the
    /// column of the hole before, `None` for the first attack of a game. The hole stays after 40
    /// rows, as many as a field has.
    ///
    /// Draws, for each row whose hole may move: [`below(100)`](RandomSource::below), unless the
    /// chance is 0 or 100, which moves the hole if it is below the chance; then the column as
    /// `below(10)`, or `below(9)` among the other columns if the hole moves away.
    pub fn attacks(
        self,
        lines: u32,
        last: Option<u8>,
        rng: &mut (impl RandomSource + ?Sized),
    ) -> Vec<Attack> {
        let mut attacks: Vec<Attack> = Vec::new();
        let mut last = last;
        for row in 0..lines.min(HEIGHT as u32) {
            let chance = if row == 0 { self.between } else { self.within };
            let moves = match (last, chance) {
                (None, _) | (_, 100..) => true,
                (_, 0) => false,
                _ => rng.below(100) < chance.into(),
            };
            let column = match last {
                Some(column) if !moves => column,
                Some(column) if self.moves_away => {
                    let other = rng.below(WIDTH as u32 - 1) as u8;
                    other + u8::from(other >= column)
                }
                _ => rng.below(WIDTH as u32) as u8,
            };
            last = Some(column);
            match attacks.last_mut() {
                Some(attack) if attack.column == column => attack.lines += 1,
                _ => attacks.push(Attack { lines: 1, column }),
            }
        }
        if let Some(attack) = attacks.last_mut() {
            attack.lines += lines.saturating_sub(HEIGHT as u32);
        }
        attacks
    }
}

/// The pending attacks, oldest first. An attack may have a delay before it can enter; it can be
/// cancelled at any time, and never overtakes an older one.
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
    /// Each with the rest of its delay.
    attacks: VecDeque<(Attack, u32)>,
}

impl GarbageQueue {
    /// Adds an attack. An attack of no lines is dropped.
    pub fn push(&mut self, attack: Attack) {
        self.push_delayed(attack, 0);
    }

    /// Adds an attack that can't enter before the queue has [advanced](Self::advance) by `delay`.
    pub fn push_delayed(&mut self, attack: Attack, delay: u32) {
        if attack.lines > 0 {
            self.attacks.push_back((attack, delay));
        }
    }

    /// Lets a time pass for all delays.
    #[inline]
    pub fn advance(&mut self, time: u32) {
        for (_, delay) in &mut self.attacks {
            *delay = delay.saturating_sub(time);
        }
    }

    /// Returns the total number of lines, at most [`u32::MAX`].
    ///
    /// ```
    /// use tetris::{Attack, GarbageQueue};
    /// let mut garbage = GarbageQueue::default();
    /// for column in 0..3 {
    ///     garbage.push(Attack { lines: u32::MAX, column });
    /// }
    /// assert_eq!(garbage.lines(), u32::MAX);
    /// assert_eq!(garbage.ready_lines(), u32::MAX);
    /// assert_eq!(garbage.cancel(u32::MAX), 0);
    /// assert_eq!(garbage.take(7), Some(Attack { lines: 7, column: 1 }));
    /// assert_eq!(garbage.take(0), None);
    /// ```
    pub fn lines(&self) -> u32 {
        self.attacks.iter().fold(0, |sum, (attack, _)| sum.saturating_add(attack.lines))
    }

    /// Returns the number of lines that can enter now: those before the first attack with a delay.
    pub fn ready_lines(&self) -> u32 {
        let ready = self.attacks.iter().take_while(|&&(_, delay)| delay == 0);
        ready.fold(0, |sum, (attack, _)| sum.saturating_add(attack.lines))
    }

    /// Returns `true` if there is no pending attack.
    pub fn is_empty(&self) -> bool {
        self.attacks.is_empty()
    }

    /// Iterates over the attacks, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = Attack> {
        self.attacks.iter().map(|&(attack, _)| attack)
    }

    /// Iterates over the attacks with the rest of their delays, oldest first.
    pub fn iter_delayed(&self) -> impl Iterator<Item = (Attack, u32)> {
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
        let (oldest, _) = self.attacks.front_mut().filter(|_| max > 0)?;
        let taken = Attack { lines: oldest.lines.min(max), ..*oldest };
        oldest.lines -= taken.lines;
        if oldest.lines == 0 {
            self.attacks.pop_front();
        }
        Some(taken)
    }

    /// Like [`take`](Self::take), but returns `None` while the oldest attack has a delay.
    pub fn take_ready(&mut self, max: u32) -> Option<Attack> {
        self.attacks.front().filter(|&&(_, delay)| delay == 0)?;
        self.take(max)
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
