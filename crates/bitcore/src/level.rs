//! [`Level`]: an instruction set, chosen at run time.

use core::{fmt, str::FromStr};

/// An instruction set that this CPU has. No value exists for a set that it lacks.
///
/// ```
/// use bitcore::Level;
/// let names: Vec<_> = Level::all().map(Level::name).collect();
/// assert_eq!(names[0], "portable");
/// assert_eq!(Level::all().last(), Some(Level::detect()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Level(Set);

/// The proof that this CPU has AVX2, BMI1, BMI2, LZCNT and POPCNT. `isa/x86_v3.rs` relies on it; only
/// [`Level::detect`] makes one.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct X86V3Detected(());

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Set {
    Portable,
    #[cfg(target_arch = "x86_64")]
    X86V3(X86V3Detected),
}

/// The name of the baseline.
pub(crate) const PORTABLE: &str = "portable";
/// The name of AVX2 + BMI1 + BMI2 + LZCNT + POPCNT.
pub(crate) const X86_V3: &str = "x86-64-v3";

impl Level {
    /// The instruction set that the crate was compiled for, which every machine has.
    pub const PORTABLE: Self = Self(Set::Portable);

    /// Returns the best level of this CPU. Costs one load, or nothing if the build promises the features.
    #[inline(always)]
    pub fn detect() -> Self {
        cfg_if::cfg_if! {
            if #[cfg(all(
                target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi1", target_feature = "bmi2",
                target_feature = "lzcnt", target_feature = "popcnt"
            ))] {
                Self(Set::X86V3(X86V3Detected(())))
            } else if #[cfg(all(target_arch = "x86_64", feature = "std"))] {
                if detection::has_x86_v3() { Self(Set::X86V3(X86V3Detected(()))) } else { Self::PORTABLE }
            } else {
                Self::PORTABLE
            }
        }
    }

    /// Returns every level that this CPU can run, the slowest first. Tests visit them all.
    pub fn all() -> impl Iterator<Item = Self> {
        let best = Self::detect();
        core::iter::once(Self::PORTABLE).chain((best != Self::PORTABLE).then_some(best))
    }

    /// Returns the name that commands, tests and tables use: `portable` or `x86-64-v3`.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Set::Portable => PORTABLE,
            #[cfg(target_arch = "x86_64")]
            Set::X86V3(_) => X86_V3,
        }
    }

    /// Returns the proof that the token `X86V3` is made from, if this is its level.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) const fn x86_v3_detected(self) -> Option<X86V3Detected> {
        match self.0 {
            Set::X86V3(detected) => Some(detected),
            Set::Portable => None,
        }
    }

    /// Returns the level of the token `X86V3`.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) const fn from_x86_v3(detected: X86V3Detected) -> Self {
        Self(Set::X86V3(detected))
    }
}

/// The features of the running CPU.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
#[cfg_attr(
    target_feature = "avx2",
    allow(dead_code, reason = "a build that promises the features doesn't detect them")
)]
mod detection {
    use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

    const UNKNOWN: u8 = 0;
    const ABSENT: u8 = 1;
    const PRESENT: u8 = 2;

    /// The answer of [`detect`], so that each later call costs one load instead of std's five. Threads that
    /// write it at the same time write the same value.
    static ANSWER: AtomicU8 = AtomicU8::new(UNKNOWN);

    /// Returns whether the CPU has all five features.
    #[inline(always)]
    pub(super) fn has_x86_v3() -> bool {
        match ANSWER.load(Relaxed) {
            UNKNOWN => detect(),
            answer => answer == PRESENT,
        }
    }

    #[cold]
    #[inline(never)]
    fn detect() -> bool {
        let present = std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("bmi1")
            && std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("lzcnt")
            && std::is_x86_feature_detected!("popcnt");
        ANSWER.store(if present { PRESENT } else { ABSENT }, Relaxed);
        present
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error of a name that gives no [`Level`].
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

    /// Parses `auto` (the best level) or a level's [`name`](Level::name).
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
