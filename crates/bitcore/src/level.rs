//! [`Level`]: the instruction sets, and the active one.

use core::sync::atomic::{AtomicU8, Ordering::Relaxed};
use core::{fmt, str::FromStr};

/// An instruction set of this CPU. No value exists for a set the CPU lacks.
///
/// A level never changes a result, only the speed, so no function of a game takes one: kernels run
/// on the [active](Self::active) level, which is the [best](Self::best) one unless the program
/// [sets](Self::set_active) another.
///
/// | name | instructions |
/// |---|---|
/// | `portable` | the target features of the build |
/// | `x86-64-v3` | AVX2, BMI1, BMI2, LZCNT, POPCNT |
/// | `x86-64-v3-slow-pext` | the same without PEXT and PDEP, which are microcode on AMD's CPUs before Zen 3 |
/// | `x86-64-v4` | x86-64-v3 and AVX-512 F, BW, CD, DQ, VL, VBMI, VBMI2, BITALG, VPOPCNTDQ, VNNI |
/// | `neon` | NEON, which every aarch64 CPU has |
/// | `simd128` | wasm32's vectors, in builds with `-C target-feature=+simd128` (wasm has no run-time detection) |
///
/// ```standalone_crate
/// use bitcore::Level;
/// let names: Vec<_> = Level::all().map(Level::name).collect();
/// assert_eq!(names[0], "portable");
/// assert_eq!(Level::all().last(), Some(Level::best()));
/// assert_eq!(Level::active(), Level::best());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Level(Set);

/// Proof that this CPU has AVX2, BMI1, BMI2, LZCNT and POPCNT. `isa/x86.rs` relies on it, and only
/// this file makes one.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct X86V3Detected(());

/// Proof that this CPU also has AVX-512 F, BW, CD, DQ, VL, VBMI, VBMI2, BITALG, VPOPCNTDQ and VNNI.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct X86V4Detected(X86V3Detected);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Set {
    Portable,
    #[cfg(target_arch = "x86_64")]
    X86V3SlowPext(X86V3Detected),
    #[cfg(target_arch = "x86_64")]
    X86V3(X86V3Detected),
    #[cfg(target_arch = "x86_64")]
    X86V4(X86V4Detected),
    #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
    Neon,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
}

pub(crate) const PORTABLE: &str = "portable";
/// The name of AVX2 + BMI1 + BMI2 + LZCNT + POPCNT.
pub(crate) const X86_V3: &str = "x86-64-v3";
/// The name of the same without PEXT and PDEP.
pub(crate) const X86_V3_SLOW_PEXT: &str = "x86-64-v3-slow-pext";
pub(crate) const X86_V4: &str = "x86-64-v4";
/// The name of aarch64's vectors.
pub(crate) const NEON: &str = "neon";
/// The name of wasm32's vectors.
pub(crate) const SIMD128: &str = "simd128";

impl Level {
    /// The names that parse as a level: `auto` for the best one, then all levels, including other
    /// architectures'.
    pub const NAMES: [&str; 7] =
        ["auto", PORTABLE, X86_V3_SLOW_PEXT, X86_V3, X86_V4, NEON, SIMD128];

    /// The instruction set the crate was compiled for, available on every machine.
    pub const PORTABLE: Self = Self(Set::Portable);

    /// Returns the best level of this CPU. It never changes. Without the feature `std`, it is the
    /// best level enabled by the build. The first call queries the CPU.
    pub fn best() -> Self {
        cfg_if::cfg_if! {
            if #[cfg(target_arch = "x86_64")] {
                detection::best()
            } else {
                Self::PROMISED
            }
        }
    }

    /// Returns the level that [`dispatch!`](crate::dispatch) runs kernels on: [`best`](Self::best)
    /// until [`set_active`](Self::set_active) sets another. Costs one load.
    #[inline(always)]
    pub fn active() -> Self {
        Self::known().unwrap_or_else(Self::activate_best)
    }

    /// Returns the active level, or `None` before CPU detection.
    #[inline(always)]
    pub(crate) fn known() -> Option<Self> {
        Self::from_code(ACTIVE.load(Relaxed))
    }

    /// Runs all calls from now on at this level, in all threads of the process. For tests and
    /// measurements, or to find out whether a bug depends on the instruction set.
    ///
    /// This can't fail: a level that the CPU or the build lacks has no value, and
    /// [`parse`](str::parse) rejects its name. Calls already running may continue on either level,
    /// with the same results.
    ///
    /// Libraries should leave the level to the program.
    ///
    /// ```standalone_crate
    /// use bitcore::{Isa, Level, dispatch};
    /// for level in Level::all() {
    ///     Level::set_active(level);
    ///     assert_eq!(Level::active(), level);
    ///     assert_eq!(dispatch!(isa => isa.select(0b1011_0100, 2)), 5);
    /// }
    /// Level::set_active("auto".parse()?);
    /// # Ok::<(), bitcore::ParseLevelError>(())
    /// ```
    pub fn set_active(level: Self) {
        ACTIVE.store(level.code(), Relaxed);
    }

    /// Activates the best level, unless another thread has set one in the meantime.
    #[cold]
    #[inline(never)]
    fn activate_best() -> Self {
        let best = Self::best();
        // Other architectures know their first level, and some lack an atomic byte exchange.
        #[cfg(target_arch = "x86_64")]
        if let Err(code) = ACTIVE.compare_exchange(UNKNOWN, best.code(), Relaxed, Relaxed) {
            return Self::from_code(code).unwrap_or(best);
        }
        best
    }

    const fn code(self) -> u8 {
        match self.0 {
            Set::Portable => 1,
            #[cfg(target_arch = "x86_64")]
            Set::X86V3SlowPext(_) => 2,
            #[cfg(target_arch = "x86_64")]
            Set::X86V3(_) => 3,
            #[cfg(target_arch = "x86_64")]
            Set::X86V4(_) => 4,
            #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
            Set::Neon => 2,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Set::Simd128 => 2,
        }
    }

    /// Returns the level of a byte written by [`code`](Self::code), which the CPU therefore has.
    #[inline(always)]
    const fn from_code(code: u8) -> Option<Self> {
        cfg_if::cfg_if! {
            if #[cfg(target_arch = "x86_64")] {
                match code {
                    UNKNOWN => None,
                    1 => Some(Self::PORTABLE),
                    2 => Some(detection::V3_SLOW_PEXT),
                    3 => Some(detection::V3),
                    _ => Some(detection::V4),
                }
            } else {
                Some(if code == 1 { Self::PORTABLE } else { Self::PROMISED })
            }
        }
    }

    /// Returns every level of this CPU, the slowest first. Tests iterate over them.
    pub fn all() -> impl Iterator<Item = Self> {
        let best = Self::best();
        cfg_if::cfg_if! {
            if #[cfg(target_arch = "x86_64")] {
                let others = [Some(Self::PORTABLE)].into_iter().chain(detection::v3_levels());
            } else {
                let others = [Some(Self::PORTABLE)].into_iter();
            }
        }
        others.flatten().filter(move |&level| level != best).chain([best])
    }

    /// Returns the name, as used in commands, tests and tables.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Set::Portable => PORTABLE,
            #[cfg(target_arch = "x86_64")]
            Set::X86V3SlowPext(_) => X86_V3_SLOW_PEXT,
            #[cfg(target_arch = "x86_64")]
            Set::X86V3(_) => X86_V3,
            #[cfg(target_arch = "x86_64")]
            Set::X86V4(_) => X86_V4,
            #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
            Set::Neon => NEON,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Set::Simd128 => SIMD128,
        }
    }
}

/// The best level where it is chosen at compile time: the best one common to all CPUs of the build.
#[cfg(not(target_arch = "x86_64"))]
impl Level {
    cfg_if::cfg_if! {
        if #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))] {
            pub(crate) const PROMISED: Self = Self(Set::Neon);
        } else if #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))] {
            pub(crate) const PROMISED: Self = Self(Set::Simd128);
        } else {
            const PROMISED: Self = Self::PORTABLE;
        }
    }
}

/// The [`code`](Level::code) of the active level. Only `code` produces its values, so each is a
/// level that the CPU has.
static ACTIVE: AtomicU8 = AtomicU8::new(FIRST);
/// The byte before CPU detection.
#[cfg(target_arch = "x86_64")]
const UNKNOWN: u8 = 0;
cfg_if::cfg_if! {
    if #[cfg(target_arch = "x86_64")] {
        /// The best level, if known at compile time.
        const FIRST: u8 = match detection::KNOWN {
            Some(level) => level.code(),
            None => UNKNOWN,
        };
    } else {
        const FIRST: u8 = Level::PROMISED.code();
    }
}

#[cfg(target_arch = "x86_64")]
impl Level {
    /// Returns the proof for the token `X86V3`, if this level has its instructions.
    #[inline(always)]
    pub(crate) const fn x86_v3_detected(self) -> Option<X86V3Detected> {
        match self.0 {
            Set::X86V3SlowPext(detected) | Set::X86V3(detected) => Some(detected),
            Set::X86V4(detected) => Some(detected.0),
            Set::Portable => None,
        }
    }

    /// Returns the proof for the token `X86V3SlowPext`, if this is its level.
    #[inline(always)]
    pub(crate) const fn x86_v3_slow_pext_detected(self) -> Option<X86V3Detected> {
        if let Set::X86V3SlowPext(detected) = self.0 { Some(detected) } else { None }
    }

    /// Returns the proof for the token `X86V4`, if this is its level.
    #[inline(always)]
    pub(crate) const fn x86_v4_detected(self) -> Option<X86V4Detected> {
        if let Set::X86V4(detected) = self.0 { Some(detected) } else { None }
    }

    #[inline(always)]
    pub(crate) const fn from_x86_v3(detected: X86V3Detected) -> Self {
        Self(Set::X86V3(detected))
    }

    #[inline(always)]
    pub(crate) const fn from_x86_v3_slow_pext(detected: X86V3Detected) -> Self {
        Self(Set::X86V3SlowPext(detected))
    }

    #[inline(always)]
    pub(crate) const fn from_x86_v4(detected: X86V4Detected) -> Self {
        Self(Set::X86V4(detected))
    }
}

/// The instruction sets of the running CPU, or of the build.
#[cfg(target_arch = "x86_64")]
mod detection {
    use super::{Level, Set, X86V3Detected, X86V4Detected};

    pub(super) const V3: Level = Level(Set::X86V3(X86V3Detected(())));
    pub(super) const V3_SLOW_PEXT: Level = Level(Set::X86V3SlowPext(X86V3Detected(())));
    pub(super) const V4: Level = Level(Set::X86V4(X86V4Detected(X86V3Detected(()))));

    /// `true` if the build enables x86-64-v3.
    const PROMISES_V3: bool = cfg!(all(
        target_feature = "avx2",
        target_feature = "bmi1",
        target_feature = "bmi2",
        target_feature = "lzcnt",
        target_feature = "popcnt"
    ));
    /// `true` if the build enables x86-64-v4. No CPU with these features has a slow PEXT.
    const PROMISES_V4: bool = PROMISES_V3
        && cfg!(all(
            target_feature = "avx512f",
            target_feature = "avx512bw",
            target_feature = "avx512cd",
            target_feature = "avx512dq",
            target_feature = "avx512vl",
            target_feature = "avx512vbmi",
            target_feature = "avx512vbmi2",
            target_feature = "avx512bitalg",
            target_feature = "avx512vpopcntdq",
            target_feature = "avx512vnni"
        ));

    /// The best level, if it is known without querying the CPU.
    pub(super) const KNOWN: Option<Level> = if PROMISES_V4 {
        Some(V4)
    } else if cfg!(feature = "std") {
        None
    } else if PROMISES_V3 {
        Some(V3)
    } else {
        Some(Level::PORTABLE)
    };

    pub(super) fn best() -> Level {
        #[cfg(feature = "std")]
        return KNOWN.unwrap_or_else(cpu::best);
        #[cfg(not(feature = "std"))]
        KNOWN.unwrap_or(Level::PORTABLE)
    }

    /// Returns the levels of every CPU with x86-64-v3.
    pub(super) fn v3_levels() -> [Option<Level>; 2] {
        let has_v3 = best() != Level::PORTABLE;
        [V3_SLOW_PEXT, V3].map(|level| has_v3.then_some(level))
    }

    /// Returns `true` if PEXT and PDEP are slow on a CPU with this vendor and this signature (CPUID
    /// leaf 1, EAX). On AMD families 0x15 to 0x18 they are microcode and take up to 289 cycles
    /// (Agner Fog, "Instruction tables"). Unknown families are assumed to be fast.
    #[cfg(feature = "std")]
    pub(super) fn is_pext_slow(vendor: &[u8; 12], signature: u32) -> bool {
        let base = signature >> 8 & 0xf;
        let family = if base == 0xf { base + (signature >> 20 & 0xff) } else { base };
        matches!(vendor, b"AuthenticAMD" | b"HygonGenuine") && (0x15..=0x18).contains(&family)
    }

    #[cfg(feature = "std")]
    mod cpu {
        use super::super::UNKNOWN;
        use super::{Level, V3, V3_SLOW_PEXT, V4, is_pext_slow};
        use core::arch::x86_64::__cpuid;
        use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

        /// Queries the CPU once, because CPUID traps on a virtual machine. Threads that store the
        /// answer concurrently store the same one.
        pub(super) fn best() -> Level {
            static ANSWER: AtomicU8 = AtomicU8::new(UNKNOWN);
            Level::from_code(ANSWER.load(Relaxed)).unwrap_or_else(|| {
                let best = detect();
                ANSWER.store(best.code(), Relaxed);
                best
            })
        }

        fn detect() -> Level {
            if !has_v3() {
                Level::PORTABLE
            } else if has_slow_pext() {
                V3_SLOW_PEXT
            } else if has_avx512() {
                V4
            } else {
                V3
            }
        }

        fn has_v3() -> bool {
            std::is_x86_feature_detected!("avx2")
                && std::is_x86_feature_detected!("bmi1")
                && std::is_x86_feature_detected!("bmi2")
                && std::is_x86_feature_detected!("lzcnt")
                && std::is_x86_feature_detected!("popcnt")
        }

        fn has_avx512() -> bool {
            std::is_x86_feature_detected!("avx512f")
                && std::is_x86_feature_detected!("avx512bw")
                && std::is_x86_feature_detected!("avx512cd")
                && std::is_x86_feature_detected!("avx512dq")
                && std::is_x86_feature_detected!("avx512vl")
                && std::is_x86_feature_detected!("avx512vbmi")
                && std::is_x86_feature_detected!("avx512vbmi2")
                && std::is_x86_feature_detected!("avx512bitalg")
                && std::is_x86_feature_detected!("avx512vpopcntdq")
                && std::is_x86_feature_detected!("avx512vnni")
        }

        fn has_slow_pext() -> bool {
            let words = __cpuid(0);
            let mut vendor = [0; 12];
            for (bytes, word) in vendor.chunks_exact_mut(4).zip([words.ebx, words.edx, words.ecx]) {
                bytes.copy_from_slice(&word.to_le_bytes());
            }
            is_pext_slow(&vendor, __cpuid(1).eax)
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a name that doesn't parse as a [`Level`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseLevelError {
    /// No level has this name.
    Unknown,
    /// The level exists, but this CPU (or, without the feature `std`, this build) lacks it.
    Absent(&'static str),
}

impl fmt::Display for ParseLevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => write!(f, "unknown level: expected {}", Level::NAMES.join(", ")),
            Self::Absent(name) => {
                write!(f, "this machine lacks the level {name}: use auto or portable")
            }
        }
    }
}

impl core::error::Error for ParseLevelError {}

impl FromStr for Level {
    type Err = ParseLevelError;

    /// Parses `auto` (the best level) or a level's [`name`](Level::name).
    ///
    /// ```
    /// use bitcore::{Level, ParseLevelError};
    /// assert_eq!("auto".parse(), Ok(Level::best()));
    /// assert_eq!("sse9".parse::<Level>(), Err(ParseLevelError::Unknown));
    /// ```
    fn from_str(name: &str) -> Result<Self, ParseLevelError> {
        if name == "auto" {
            return Ok(Self::best());
        }
        let known = Self::NAMES.into_iter().find(|&known| known == name);
        let known = known.ok_or(ParseLevelError::Unknown)?;
        Self::all().find(|level| level.name() == known).ok_or(ParseLevelError::Absent(known))
    }
}

#[cfg(all(test, target_arch = "x86_64", feature = "std"))]
mod tests {
    use super::detection::is_pext_slow;

    #[test]
    fn families_with_a_slow_pext() {
        // Signatures from InstLatX64's collection of CPUID dumps.
        let slow = [
            (b"AuthenticAMD", 0x0066_0F01, "Carrizo (Excavator)"),
            (b"AuthenticAMD", 0x0080_0F11, "Ryzen 7 1800X (Zen)"),
            (b"AuthenticAMD", 0x0087_0F10, "Ryzen 9 3900X (Zen 2)"),
            (b"AuthenticAMD", 0x0083_0F10, "EPYC 7742 (Zen 2)"),
            (b"HygonGenuine", 0x0090_0F02, "Dhyana"),
        ];
        let fast = [
            (b"AuthenticAMD", 0x00A2_0F10, "Ryzen 9 5950X (Zen 3)"),
            (b"AuthenticAMD", 0x00A1_0F11, "EPYC 9654 (Zen 4)"),
            (b"AuthenticAMD", 0x00B4_0F40, "Ryzen 9 9950X (Zen 5)"),
            (b"AuthenticAMD", 0x0000_0F00, "family 15, as an emulator's"),
            (b"GenuineIntel", 0x0003_06C3, "Core i7-4770K (Haswell)"),
            (b"GenuineIntel", 0x0080_0F11, "another vendor's family 23"),
        ];
        for (vendor, signature, name) in slow {
            assert!(is_pext_slow(vendor, signature), "{name}");
        }
        for (vendor, signature, name) in fast {
            assert!(!is_pext_slow(vendor, signature), "{name}");
        }
    }
}
