//! [`AttackTable`]: the lines that a clear sends to the opponent.

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
    /// The number of consecutive locks that cleared lines, this one included: 1 for the
    /// first, 0 if this one clears none.
    pub combo: u32,
    /// The length of the back-to-back chain, this clear included: 1 for the first, 0 if
    /// this one doesn't belong to it.
    pub back_to_back: u32,
}

impl Clear {
    /// Returns `true` if the clear belongs to a back-to-back chain: four lines, or any lines by a mini or
    /// full spin. Any other clear breaks the chain; a lock without lines doesn't change it.
    #[inline]
    pub const fn keeps_back_to_back(self) -> bool {
        self.lines == 4 || self.lines > 0 && !matches!(self.spin, Spin::None)
    }
}

/// The attack of each kind of clear, in lines. The parts that apply to a clear are added up.
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
    /// The lines for a clear of 0 to 4 lines without a spin.
    pub plain: [u8; 5],
    /// The lines for a clear of 0 to 3 lines with a full T-spin.
    pub full: [u8; 4],
    /// The lines for a clear of 0 to 2 lines with a mini T-spin. A mini can't clear three.
    pub mini: [u8; 3],
    /// The lines added for each clear of a back-to-back chain after the first.
    pub back_to_back: u8,
    /// The lines added for a perfect clear.
    pub perfect: u8,
    /// The lines added for the first, second, .. consecutive clear. The last entry
    /// also counts for all later ones.
    pub combo: [u8; 16],
}

impl AttackTable {
    /// The table of the guideline. The combos are those of Tetris Online Japan (Hard Drop wiki, `Combo`),
    /// which are also the `classic guideline` combos of TETR.IO.
    pub const GUIDELINE: Self = Self {
        plain: [0, 0, 1, 2, 4],
        full: [0, 2, 4, 6],
        mini: [0, 0, 1],
        back_to_back: 1,
        perfect: 10,
        combo: [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 5],
    };

    /// Returns the attack of a clear, in lines. Numbers beyond the end of a row of
    /// the table take its last entry.
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
