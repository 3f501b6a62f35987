//! [`Level`]: which instruction set to use.

#[cfg(target_arch = "x86_64")]
use crate::isa::X86V3;
use crate::isa::{Isa, Portable};
use core::{fmt, str::FromStr};

/// An instruction set that this process may use. A value exists only where the CPU has the set.
///
/// ```
/// use bitcore::Level;
/// let names: Vec<_> = Level::all().map(Level::name).collect();
/// assert_eq!(names[0], "portable");
/// assert_eq!(Level::all().last(), Some(Level::detect()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Level(pub(crate) Token);

/// The token of a level. Only this crate looks at it: a kernel asks the constants of [`Isa`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Token {
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    X86V3(X86V3),
}

impl Level {
    /// Nothing beyond the baseline that the crate was compiled for: on every machine.
    pub const PORTABLE: Self = Self(Token::Portable(Portable));

    /// The best level of this CPU. Free where the build promises the features.
    #[inline(always)]
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(isa) = X86V3::new() {
            return Self(Token::X86V3(isa));
        }
        Self::PORTABLE
    }

    /// Every level that this CPU can run, worst first: what a test visits.
    pub fn all() -> impl Iterator<Item = Self> {
        let best = Self::detect();
        core::iter::once(Self::PORTABLE).chain((best != Self::PORTABLE).then_some(best))
    }

    /// The name that commands, tests and tables use: `portable` or `x86-64-v3`.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Token::Portable(_) => Portable::NAME,
            #[cfg(target_arch = "x86_64")]
            Token::X86V3(_) => X86V3::NAME,
        }
    }
}

impl From<Portable> for Level {
    #[inline(always)]
    fn from(isa: Portable) -> Self {
        Self(Token::Portable(isa))
    }
}
#[cfg(target_arch = "x86_64")]
impl From<X86V3> for Level {
    #[inline(always)]
    fn from(isa: X86V3) -> Self {
        Self(Token::X86V3(isa))
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why a name gives no [`Level`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseLevelError {
    /// No level has this name.
    #[error("unknown level: expected auto, portable or x86-64-v3")]
    Unknown,
    /// The level exists, but this CPU (or, without the feature `std`, this build) lacks it.
    #[error(
        "this machine lacks the level x86-64-v3 (AVX2, BMI1, BMI2, LZCNT and POPCNT): use auto or portable"
    )]
    Absent,
}

impl FromStr for Level {
    type Err = ParseLevelError;

    /// `auto` (the best level), or a level's [`name`](Level::name).
    ///
    /// ```
    /// use bitcore::{Level, ParseLevelError};
    /// assert_eq!("auto".parse(), Ok(Level::detect()));
    /// assert_eq!("sse9".parse::<Level>(), Err(ParseLevelError::Unknown));
    /// ```
    fn from_str(name: &str) -> Result<Self, ParseLevelError> {
        match name {
            "auto" => Ok(Self::detect()),
            "portable" | "x86-64-v3" => {
                Self::all().find(|level| level.name() == name).ok_or(ParseLevelError::Absent)
            }
            _ => Err(ParseLevelError::Unknown),
        }
    }
}
