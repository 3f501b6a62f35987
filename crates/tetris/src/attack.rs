//! [`AttackTable`]: how many lines a clear sends to the opponent.

use crate::placement::Spin;

/// What a lock did, as far as its attack goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Clear {
    /// Lines cleared, 0 to 4.
    pub lines: u32,
    /// Kind of spin.
    pub spin: Spin,
    /// Whether the field is empty now.
    pub perfect: bool,
    /// Clears in a row, this one included: 1 for the first, 0 for none.
    pub combo: u32,
    /// Back-to-back clears in a row, this one included: 1 for the first, 0 if this isn't one.
    pub back_to_back: u32,
}

impl Clear {
    /// Whether it keeps a back-to-back chain: four lines, or lines by a spin of either kind. Any other clear breaks the
    /// chain; a lock without lines leaves it alone.
    #[inline]
    pub const fn keeps_back_to_back(self) -> bool {
        self.lines == 4 || self.lines > 0 && !matches!(self.spin, Spin::None)
    }
}

/// Lines sent, by kind of clear. Every part is added up.
///
/// ```
/// use tetris::attack::{AttackTable, Clear};
/// use tetris::Spin;
/// let table = AttackTable::GUIDELINE;
/// let quad = Clear { lines: 4, combo: 1, back_to_back: 1, ..Clear::default() };
/// assert_eq!(table.attack(quad), 4);
/// assert_eq!(table.attack(Clear { back_to_back: 2, ..quad }), 4 + 1);
/// // The third clear in a row, a T-spin double.
/// let double = Clear { lines: 2, spin: Spin::Full, combo: 3, back_to_back: 1, ..Clear::default() };
/// assert_eq!(table.attack(double), 4 + 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AttackTable {
    /// By 0 to 4 lines without a spin.
    pub plain: [u8; 5],
    /// By 0 to 3 lines with a full T-spin.
    pub full: [u8; 4],
    /// By 0 to 2 lines with a mini T-spin; no mini clears three.
    pub mini: [u8; 3],
    /// Added from the second back-to-back clear of a chain on.
    pub back_to_back: u8,
    /// Added if the field is empty afterwards.
    pub perfect: u8,
    /// Added by clears in a row: first entry, first clear. The last entry is for all that come later.
    pub combo: [u8; 16],
}

impl AttackTable {
    /// The guideline's. Its combos are those that the Hard Drop wiki (`Combo`) gives for Tetris Online Japan, and
    /// TETR.IO's `classic guideline`.
    pub const GUIDELINE: Self = Self {
        plain: [0, 0, 1, 2, 4],
        full: [0, 2, 4, 6],
        mini: [0, 0, 1],
        back_to_back: 1,
        perfect: 10,
        combo: [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 5],
    };

    /// The lines that a clear sends. Lines beyond a row of the table count as its last entry.
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
    /// [`GUIDELINE`](Self::GUIDELINE).
    fn default() -> Self {
        Self::GUIDELINE
    }
}

fn entry(row: &[u8], i: u32) -> u32 {
    row.get(i as usize).or(row.last()).map_or(0, |&lines| lines.into())
}
