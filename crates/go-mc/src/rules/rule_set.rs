//! [`RuleSet`]: rules with a name, as protocols and game records give it.

#[cfg(feature = "sgf")]
use crate::rules::board::Color;
use crate::rules::board::Suicide;
#[cfg(feature = "sgf")]
use crate::rules::game::Move;
use crate::rules::game::{Ko, Rules};
use core::fmt;

/// A named rule set. All of them score by area. Territory scoring (Japanese, Korean) is not played.
///
/// | rule set | ko | suicide | White's bonus for N handicap stones |
/// |---|---|---|---|
/// | `Chinese` | positional superko | forbidden | N |
/// | `Aga` | situational superko | forbidden | N - 1 |
/// | `NewZealand` | situational superko | allowed | none |
///
/// The pass stones of the AGA rules make a count of territory equal to the area, so they need not
/// be played.
///
/// ```
/// use go_mc::{Rules, RuleSet};
/// let set = RuleSet::from_name("AGA").unwrap();
/// assert_eq!((set.handicap_bonus(4), set.to_string().as_str()), (3, "AGA"));
/// assert_eq!(RuleSet::of(set.applied_to(Rules::default())), Some(set));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleSet {
    /// The Chinese rules, with superko as on servers.
    Chinese,
    /// The rules of the American Go Association.
    Aga,
    /// The New Zealand rules.
    NewZealand,
}

impl RuleSet {
    /// All rule sets.
    pub const ALL: [Self; 3] = [Self::Chinese, Self::Aga, Self::NewZealand];

    /// Returns the rule set with a name of the KGS commands (`new_zealand`) or of SGF's `RU`
    /// (`NZ`), in any case; `None` for other rules.
    pub fn from_name(name: &str) -> Option<Self> {
        let letters = || name.chars().filter(|c| !matches!(c, ' ' | '_' | '-'));
        let is = |known: &str| letters().map(|c| c.to_ascii_lowercase()).eq(known.chars());
        match () {
            () if is("chinese") => Some(Self::Chinese),
            () if is("aga") => Some(Self::Aga),
            () if is("nz") || is("newzealand") => Some(Self::NewZealand),
            () => None,
        }
    }

    /// Returns the rule set with these ko and suicide rules, if any.
    pub fn of(rules: Rules) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.applied_to(rules) == rules)
    }

    /// Returns `rules` with the ko and suicide rules of the rule set.
    #[must_use]
    pub const fn applied_to(self, rules: Rules) -> Rules {
        let (ko, suicide) = match self {
            Self::Chinese => (Ko::Positional, Suicide::Forbidden),
            Self::Aga => (Ko::Situational, Suicide::Forbidden),
            Self::NewZealand => (Ko::Situational, Suicide::All),
        };
        Rules { ko, suicide, ..rules }
    }

    /// Returns the points that White gets for a handicap, besides the komi. A single stone is no
    /// handicap: it is Black's first move.
    pub const fn handicap_bonus(self, stones: u32) -> u32 {
        match self {
            Self::Chinese if stones > 1 => stones,
            Self::Aga => stones.saturating_sub(1),
            Self::Chinese | Self::NewZealand => 0,
        }
    }
}

impl fmt::Display for RuleSet {
    /// Writes SGF's name: `Chinese`, `AGA` or `NZ`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Chinese => "Chinese",
            Self::Aga => "AGA",
            Self::NewZealand => "NZ",
        })
    }
}

/// Returns the handicap of a game that begins on an empty board: the stones of Black's moves before
/// White's first, because some controllers and servers place a handicap so. It is 0 if White then
/// moves twice in a row, which sets up a position.
#[cfg(feature = "sgf")]
pub(crate) fn opening_handicap(moves: impl IntoIterator<Item = (Color, Move)>) -> u32 {
    let mut black = 0;
    let mut white = 0;
    for (color, mv) in moves {
        match color {
            Color::Black if white > 0 => break,
            Color::Black => black += u32::from(mv != Move::Pass),
            Color::White if white > 0 => return 0,
            Color::White => white += 1,
        }
    }
    if black > 1 { black } else { 0 }
}
