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
    /// The length of the back-to-back chain that this clear broke, 0 if it broke none.
    #[cfg_attr(feature = "serde", serde(default))]
    pub broken_back_to_back: u32,
}

impl Clear {
    /// Returns `true` if the clear counts as back-to-back in the guideline: four lines, or any lines
    /// with a mini or full spin. Every other clear breaks the chain; a lock without a clear leaves
    /// it unchanged. For other games, see [`AttackTable::keeps_back_to_back`].
    #[inline]
    pub const fn keeps_back_to_back(self) -> bool {
        self.lines == 4 || self.lines > 0 && !matches!(self.spin, Spin::None)
    }
}

/// The way in which consecutive clears add to an attack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum ComboBonus {
    /// Adds an entry of [`AttackTable::combo`].
    #[default]
    Table,
    /// Multiplies clear and back-to-back bonus by `1 + c / 4`, where `c` is 0 for the first clear.
    /// From `c = 2` on, a clear sends at least `ln(1 + 1.25 c)`. Both are rounded down.
    Multiplier,
}

/// The way in which a back-to-back chain adds to an attack. The bonus is in units of
/// [`AttackTable::back_to_back`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum BackToBackBonus {
    /// Adds 1 for each clear after the first.
    #[default]
    Constant,
    /// Adds 1 for each clear after the first that sends lines without it.
    IfAttacking,
    /// Adds 1 for the second clear. For clear `b + 1` after it adds
    /// `floor(1 + L) + (1 + L mod 1) / 3`, where `L = ln(1 + 0.8 b)`. The fraction counts before a
    /// combo's multiplier.
    Chaining,
    /// Adds 1 for each clear after the first. A chain of more than `at` clears is a charge: the
    /// clear that breaks it sends its length less `at` plus `base` lines more, the surge.
    Charging {
        /// The longest chain without a surge.
        at: u8,
        /// The lines added to a surge.
        base: u8,
    },
}

/// The way in which a perfect clear adds to an attack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum PerfectBonus {
    /// Adds [`AttackTable::perfect`].
    #[default]
    Added,
    /// Adds it, and counts as back-to-back.
    AddedBackToBack,
    /// Sends it in place of the clear and its back-to-back bonus.
    InPlace,
}

/// The attack of each kind of clear, in lines. All parts that apply to a clear are added, unless
/// the bonuses say otherwise.
///
/// Presets: [`GUIDELINE`](Self::GUIDELINE), [`TETRIO_SEASON_1`](Self::TETRIO_SEASON_1),
/// [`TETRIO_SEASON_2`](Self::TETRIO_SEASON_2) and [`JSTRIS`](Self::JSTRIS). Logarithms are computed
/// in integers, so attacks are equal on every machine.
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
/// assert_eq!(AttackTable::TETRIO_SEASON_1.attack(double), 4 * 3 / 2);
/// // A single that breaks a chain of eight clears.
/// let single = Clear { lines: 1, combo: 1, broken_back_to_back: 8, ..Clear::default() };
/// assert_eq!(AttackTable::TETRIO_SEASON_2.attack(single), 8 - 4 + 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AttackTable {
    /// The lines for a clear of 0 to 4 lines without a spin, by number of lines.
    pub plain: [u8; 5],
    /// The lines for a clear of 0 to 3 lines with a full T-spin, by number of lines.
    pub full: [u8; 4],
    /// The lines for a clear of 0 to 2 lines with a mini spin, by number of lines. A mini T-spin can't
    /// clear more, and one of another piece ([`SpinMode::AllMini`](crate::movegen::SpinMode::AllMini))
    /// sends as many as without a spin then, as in TETR.IO.
    pub mini: [u8; 3],
    /// The bonus for each clear of a back-to-back chain after the first.
    pub back_to_back: u8,
    /// The bonus for a perfect clear.
    pub perfect: u8,
    /// The bonus for the first, second, .. consecutive clear. The last entry also applies to all
    /// later ones.
    pub combo: [u8; 16],
    /// The use of [`combo`](Self::combo).
    #[cfg_attr(feature = "serde", serde(default))]
    pub combo_bonus: ComboBonus,
    /// The use of [`back_to_back`](Self::back_to_back).
    #[cfg_attr(feature = "serde", serde(default))]
    pub back_to_back_bonus: BackToBackBonus,
    /// The use of [`perfect`](Self::perfect).
    #[cfg_attr(feature = "serde", serde(default))]
    pub perfect_bonus: PerfectBonus,
}

impl AttackTable {
    /// The guideline table. Combos follow Tetris Online Japan (Hard Drop wiki, `Combo`), which
    /// TETR.IO calls `classic guideline`.
    ///
    /// ```
    /// use tetris::{AttackTable, Clear, Spin};
    /// let attack = |clear| AttackTable::GUIDELINE.attack(clear);
    /// for (lines, plain, mini, full) in [(0, 0, 0, 0), (1, 0, 0, 2), (2, 1, 1, 4), (3, 2, 2, 6), (4, 4, 4, 6)] {
    ///     for (spin, sent) in [(Spin::None, plain), (Spin::Mini, mini), (Spin::Full, full)] {
    ///         let clear = Clear { lines, spin, combo: 1, back_to_back: 1, ..Clear::default() };
    ///         assert_eq!(attack(clear), sent);
    ///         assert_eq!(attack(Clear { back_to_back: 2, ..clear }), sent + u32::from(lines > 0));
    ///         assert_eq!(attack(Clear { perfect: lines > 0, ..clear }), sent + 10 * u32::from(lines > 0));
    ///         let keeps = lines == 4 || lines > 0 && spin != Spin::None;
    ///         assert_eq!(clear.keeps_back_to_back(), keeps);
    ///     }
    /// }
    /// for (combo, bonus) in (1..).zip([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 5, 5]) {
    ///     assert_eq!(attack(Clear { lines: 1, combo, ..Clear::default() }), bonus);
    /// }
    /// ```
    pub const GUIDELINE: Self = Self {
        plain: [0, 0, 1, 2, 4],
        full: [0, 2, 4, 6],
        mini: [0, 0, 1],
        back_to_back: 1,
        perfect: 10,
        combo: [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 5],
        combo_bonus: ComboBonus::Table,
        back_to_back_bonus: BackToBackBonus::Constant,
        perfect_bonus: PerfectBonus::Added,
    };

    /// TETR.IO's table of Tetra League season 1: combos multiply, and chains grow.
    ///
    /// Source: `garbageCalcV2` of halp1/triangle and `LineInfo.cs` of
    /// CSDotNET0211/TetrioVirtualEnvironment, which agree; the attacks filmed in the game that
    /// `tetriodamcalc.js` of swng/tetriodamcalc lists:
    ///
    /// ```
    /// use tetris::{AttackTable, Clear};
    /// let quads = |combo, expected: [u32; 9]| {
    ///     for (i, sent) in (0..).zip(expected) {
    ///         let quad = Clear { lines: 4, combo: combo + i, back_to_back: 1 + i, ..Clear::default() };
    ///         assert_eq!(AttackTable::TETRIO_SEASON_1.attack(quad), sent, "{quad:?}");
    ///     }
    /// };
    /// quads(1, [4, 6, 8, 11, 12, 14, 16, 18, 22]);
    /// quads(2, [5, 7, 9, 12, 14, 16, 18, 19, 23]);
    /// // Singles send 1, 2, 3 and 4 lines from combos 2, 6, 16 and 43 on.
    /// for (combo, sent) in [(1, 0), (2, 1), (5, 1), (6, 2), (15, 2), (16, 3), (42, 3), (43, 4)] {
    ///     let single = Clear { lines: 1, combo: combo + 1, ..Clear::default() };
    ///     assert_eq!(AttackTable::TETRIO_SEASON_1.attack(single), sent, "{combo}");
    /// }
    /// ```
    pub const TETRIO_SEASON_1: Self = Self {
        combo_bonus: ComboBonus::Multiplier,
        back_to_back_bonus: BackToBackBonus::Chaining,
        ..Self::GUIDELINE
    };

    /// TETR.IO's table of Tetra League season 2: combos multiply, chains charge a surge, and a
    /// perfect clear sends five lines and counts as back-to-back, once even with four lines or a
    /// spin.
    ///
    /// Not included: spins of other pieces, the extra line for garbage cleared by a quad or a spin,
    /// and the stronger defense in the first 14 pieces.
    ///
    /// Source: the preset `tetra league` and the locks of halp1/triangle, `s2/damcalc.js` of
    /// swng/tetriodamcalc. They show a chain from its second clear on:
    ///
    /// ```
    /// use tetris::{AttackTable, Clear};
    /// for (shown, surge) in [(3, 0), (4, 4), (8, 8), (42, 42)] {
    ///     let double = Clear { lines: 2, combo: 5, broken_back_to_back: shown + 1, ..Clear::default() };
    ///     assert_eq!(AttackTable::TETRIO_SEASON_2.attack(double), 2 + surge);
    /// }
    /// let perfect = Clear { lines: 2, combo: 1, perfect: true, ..Clear::default() };
    /// assert_eq!(AttackTable::TETRIO_SEASON_2.attack(perfect), 1 + 5);
    /// assert!(AttackTable::TETRIO_SEASON_2.keeps_back_to_back(perfect));
    /// ```
    pub const TETRIO_SEASON_2: Self = Self {
        perfect: 5,
        back_to_back_bonus: BackToBackBonus::Charging { at: 4, base: 3 },
        perfect_bonus: PerfectBonus::AddedBackToBack,
        ..Self::TETRIO_SEASON_1
    };

    /// Jstris' default table. A mini double counts as a T-spin double, and a mini single earns no
    /// back-to-back bonus.
    ///
    /// Source: `guide.md` and `usermode.md` of jezevec10/jstris-guide; the copies of the game's line
    /// clear in its user scripts.
    ///
    /// ```
    /// use tetris::Spin::{Full, Mini, None};
    /// use tetris::{AttackTable, Clear};
    /// // Eight clears in a row: lines, spin, chain, attack.
    /// for (combo, (lines, spin, back_to_back, sent)) in (1..).zip([
    ///     (4, None, 1, 4),
    ///     (1, Mini, 2, 0),
    ///     (2, Mini, 3, 4 + 1 + 1),
    ///     (3, Full, 4, 6 + 1 + 1),
    ///     (1, Full, 5, 2 + 1 + 1),
    ///     (3, None, 0, 2 + 2),
    ///     (1, None, 0, 2),
    ///     (4, None, 1, 4 + 3),
    /// ]) {
    ///     let clear = Clear { lines, spin, combo, back_to_back, ..Clear::default() };
    ///     assert_eq!(AttackTable::JSTRIS.attack(clear), sent, "{clear:?}");
    ///     assert_eq!(AttackTable::JSTRIS.attack(Clear { perfect: true, combo: 1, ..clear }), 10);
    /// }
    /// ```
    pub const JSTRIS: Self = Self {
        mini: [0, 0, 4],
        combo: [0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5],
        back_to_back_bonus: BackToBackBonus::IfAttacking,
        perfect_bonus: PerfectBonus::InPlace,
        ..Self::GUIDELINE
    };

    /// Returns `true` if the clear counts as back-to-back in this game: as in the
    /// [guideline](Clear::keeps_back_to_back), or as a perfect clear.
    #[inline]
    pub const fn keeps_back_to_back(&self, clear: Clear) -> bool {
        clear.keeps_back_to_back()
            || clear.perfect && matches!(self.perfect_bonus, PerfectBonus::AddedBackToBack)
    }

    /// Returns the attack of a clear, in lines, at most [`u32::MAX`]. Values past the end of a table
    /// row use its last entry.
    pub fn attack(&self, clear: Clear) -> u32 {
        let row: &[u8] = match clear.spin {
            Spin::Mini if clear.lines < 3 => &self.mini,
            Spin::None | Spin::Mini => &self.plain,
            Spin::Full => &self.full,
        };
        let mut base = entry(row, clear.lines);
        if clear.lines == 0 {
            return base;
        }
        let mut chain = clear.back_to_back;
        let mut apart = 0;
        if clear.perfect {
            apart = u32::from(self.perfect);
            if self.perfect_bonus == PerfectBonus::InPlace {
                (base, chain) = (0, 0);
            }
        }
        if let BackToBackBonus::Charging { at, base } = self.back_to_back_bonus
            && clear.broken_back_to_back > at.into()
        {
            let surge = clear.broken_back_to_back - u32::from(at);
            apart = apart.saturating_add(surge.saturating_add(base.into()));
        }
        let thirds = 3 * u64::from(base) * ONE
            + u64::from(self.back_to_back) * self.thirds_for_chain(chain, base);
        let combo = clear.combo.saturating_sub(1);
        let sent = match self.combo_bonus {
            // Every part is a whole number of lines, or one of thirds that rounds down.
            ComboBonus::Table => thirds / ONE / 3 + u64::from(entry(&self.combo, combo)),
            ComboBonus::Multiplier => multiplied(thirds, combo.into()),
        };
        u32::try_from(sent).unwrap_or(u32::MAX).saturating_add(apart)
    }

    /// Returns a clear's back-to-back bonus in thirds of a line, times [`ONE`].
    fn thirds_for_chain(&self, chain: u32, base: u32) -> u64 {
        match self.back_to_back_bonus {
            _ if chain < 2 => 0,
            BackToBackBonus::IfAttacking if base == 0 => 0,
            BackToBackBonus::Chaining if chain > 2 => {
                let log = ln(5 + 4 * u64::from(chain - 1), 5);
                // Three times floor(1 + log) + (1 + log mod 1) / 3.
                4 * ONE + 2 * (log / ONE * ONE) + log
            }
            _ => 3 * ONE,
        }
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

/// The number 1 in fixed point.
const ONE: u64 = 1 << 48;

/// Returns the lines of [`ComboBonus::Multiplier`]. `combo` is 0 for the first clear.
fn multiplied(thirds: u64, combo: u64) -> u64 {
    let twelfths = u128::from(thirds) * u128::from(4 + combo) / u128::from(ONE);
    let least = if combo > 1 { ln(4 + 5 * combo, 4) / ONE } else { 0 };
    least.max(twelfths as u64 / 12)
}

/// Returns the natural logarithm of `n / d` times [`ONE`], for `n >= d > 0`.
fn ln(n: u64, d: u64) -> u64 {
    // ln 2, times 2^64.
    const LN_2: u128 = 0xB172_17F7_D1CF_79AB;
    ((u128::from(log2(n) - log2(d)) * LN_2) >> 64) as u64
}

/// Returns the binary logarithm of `n > 0` times [`ONE`], rounded down. Each squaring of the
/// mantissa doubles its logarithm, whose integer part is the next bit.
fn log2(n: u64) -> u64 {
    let mut log = u64::from(n.ilog2());
    let mut mantissa = u128::from(n << n.leading_zeros());
    for _ in 0..ONE.trailing_zeros() {
        mantissa = (mantissa * mantissa) >> 63;
        let bit = (mantissa >> 64) as u64;
        log = log << 1 | bit;
        mantissa >>= bit;
    }
    log
}
