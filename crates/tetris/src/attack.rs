//! [`AttackTable`]: lines sent to the opponent per clear.

use crate::placement::Spin;

/// The properties of a lock that determine its attack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Clear {
    /// The number of lines cleared, 0 to 4.
    pub lines: u32,
    /// The kind of spin.
    pub spin: Spin,
    /// `true` for a perfect clear: the field is empty afterwards.
    pub perfect: bool,
    /// The number of consecutive line clears, including this lock: 1 for the first, 0 if this lock
    /// clears no line.
    pub combo: u32,
    /// The length of the back-to-back chain, including this clear: 1 for the first, 0 if this clear
    /// doesn't count.
    pub back_to_back: u32,
}

impl Clear {
    /// Returns `true` if the clear counts as back-to-back: four lines, or any lines with a mini or
    /// full spin. Every other clear breaks the chain; a lock without a clear leaves it unchanged.
    #[inline]
    pub const fn keeps_back_to_back(self) -> bool {
        self.lines == 4 || self.lines > 0 && !matches!(self.spin, Spin::None)
    }
}

/// The attack of each kind of clear, in lines. All parts that apply to a clear are added.
///
/// ```
/// use tetris::{AttackTable, Clear, Spin};
/// let table = AttackTable::GUIDELINE;
/// let quad = Clear { lines: 4, combo: 1, back_to_back: 1, ..Clear::default() };
/// assert_eq!(table.attack(quad), 4);
/// assert_eq!(table.attack(Clear { back_to_back: 2, ..quad }), 4 + 1);
/// // The third clear in a row, a T-spin double.
/// let double = Clear { lines: 2, spin: Spin::Full, combo: 3, back_to_back: 1, ..Clear::default() };
/// assert_eq!(table.attack(double), 4 + 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AttackTable {
    /// The lines for a clear of 0 to 4 lines without a spin, by number of lines.
    pub plain: [u8; 5],
    /// The lines for a clear of 0 to 3 lines with a full T-spin, by number of lines.
    pub full: [u8; 4],
    /// The lines for a clear of 0 to 2 lines with a mini T-spin, by number of lines. A mini can't
    /// clear three.
    pub mini: [u8; 3],
    /// The bonus for each clear of a back-to-back chain after the first.
    pub back_to_back: u8,
    /// The bonus for a perfect clear.
    pub perfect: u8,
    /// The bonus for the first, second, .. consecutive clear. The last entry also applies to all
    /// later ones.
    pub combo: [u8; 16],
}

impl AttackTable {
    /// The guideline table. Combos follow Tetris Online Japan (Hard Drop wiki, `Combo`), which
    /// TETR.IO calls `classic guideline`.
    pub const GUIDELINE: Self = Self {
        plain: [0, 0, 1, 2, 4],
        full: [0, 2, 4, 6],
        mini: [0, 0, 1],
        back_to_back: 1,
        perfect: 10,
        combo: [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 5],
    };

    /// Returns the attack of a clear, in lines. Values past the end of a table row use its last
    /// entry.
    pub fn attack(&self, clear: Clear) -> u32 {
        let row: &[u8] = match clear.spin {
            Spin::None => &self.plain,
            Spin::Mini => &self.mini,
            Spin::Full => &self.full,
        };
        let mut sent = entry(row, clear.lines);
        if clear.lines > 0 {
            sent += entry(&self.combo, clear.combo.saturating_sub(1));
            if clear.back_to_back > 1 {
                sent += u32::from(self.back_to_back);
            }
            if clear.perfect {
                sent += u32::from(self.perfect);
            }
        }
        sent
    }
}

impl Default for AttackTable {
    /// Returns [`GUIDELINE`](Self::GUIDELINE).
    fn default() -> Self {
        Self::GUIDELINE
    }
}

fn entry(row: &[u8], i: u32) -> u32 {
    row.get(i as usize).or(row.last()).map_or(0, |&lines| lines.into())
}
