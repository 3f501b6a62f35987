//! The cells of the matrix, one row each, and how this machine runs them.

use super::foreign::{Foreign, On, printed};
use crate::workspace::{Package, Workspace};

/// A row of the matrix: what to compile, with which flags, and where to run it.
pub(super) struct Cell {
    pub(super) name: &'static str,
    /// Whether the cell runs without `--all`.
    pub(super) quick: bool,
    pub(super) tests: Tests,
    pub(super) on: On,
    /// The compiler flags, separated by spaces. Cells with the same flags and target share a
    /// folder.
    pub(super) flags: &'static str,
    pub(super) std: bool,
    /// The levels that must run, the slowest first; empty for this machine's levels.
    levels: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tests {
    /// All tests of all packages that the cell can build, with overflow checks and debug
    /// assertions.
    Every,
    /// The modules [`KERNEL_TESTS`], whose results could depend on flags and CPUs. Built for
    /// release, except in WebAssembly.
    Kernels,
    /// Only bitcore's [`DETECTION_TEST`].
    Detection,
    /// Only the type checker.
    Check,
    /// The user's program `xtask/dependent`.
    Program,
}

pub(super) const KERNEL_TESTS: [&str; 2] = ["levels::", "truth::"];
/// The test that the detected level is the last expected one.
pub(super) const DETECTION_TEST: &str = "levels::levels_are_named_printed_and_parsed";
const EMULATOR: &str = "qemu-x86_64";

const AVX2_BMI2: &str = "-Ctarget-feature=+avx2,+bmi2";
const X86_64_V3: &str = "-Ctarget-cpu=x86-64-v3";
/// The features enabled by the flags above, under their Linux names. bitcore's level x86-64-v3
/// requires the first five.
const V3_FEATURES: &str = "avx2 bmi2 bmi1 abm popcnt f16c fma movbe";
/// The additional features that the level x86-64-v4 requires.
const V4_FEATURES: &str = "avx512f avx512bw avx512cd avx512dq avx512vl avx512vbmi avx512_vbmi2 avx512_bitalg \
    avx512_vpopcntdq avx512_vnni";
const PORTABLE: &str = "portable";
const V3: &str = "portable,x86-64-v3-slow-pext,x86-64-v3";
/// The levels of a CPU with PEXT in microcode.
const SLOW_PEXT: &str = "portable,x86-64-v3,x86-64-v3-slow-pext";
const V4: &str = "portable,x86-64-v3-slow-pext,x86-64-v3,x86-64-v4";
const NEON: &str = "portable,neon";

/// The packages without kernels whose programs also run under Wine.
const PROGRAMS: [&str; 2] = ["bitcade", "bitcade-c"];

const CELLS: &[Cell] = &[
    Cell { quick: true, ..cell("default", Tests::Every) },
    Cell { quick: true, flags: AVX2_BMI2, ..cell("avx2-bmi2", Tests::Kernels) },
    // A CPU without AVX2, where a build without flags must not execute an illegal instruction.
    Cell {
        quick: true,
        on: On::Cpu("Nehalem"),
        levels: PORTABLE,
        ..cell("qemu-nehalem", Tests::Kernels)
    },
    // Without std there is no CPU detection, and only flags enable features.
    Cell { std: false, levels: PORTABLE, ..cell("default-no_std", Tests::Every) },
    Cell { std: false, levels: V3, flags: X86_64_V3, ..cell("x86-64-v3-no_std", Tests::Kernels) },
    // A CPU without one of the five.
    Cell {
        on: On::Cpu("Haswell,-bmi2"),
        levels: PORTABLE,
        ..cell("qemu-haswell-no-bmi2", Tests::Kernels)
    },
    // AMD's Zen has a slow PEXT. A test of bitcore has a table of the other CPUs.
    Cell { on: On::Cpu("EPYC"), levels: SLOW_PEXT, ..cell("detect-epyc", Tests::Detection) },
    // As users build the crates, unoptimized.
    cell("dependent", Tests::Program),
    Cell { on: On::Aarch64, levels: NEON, ..cell("aarch64", Tests::Kernels) },
    Cell { on: On::Wasm32, levels: "portable,simd128", ..cell("wasm32", Tests::Kernels) },
    Cell { on: On::Windows, ..cell("windows", Tests::Check) },
    Cell { on: On::Wine, ..cell("wine", Tests::Kernels) },
];

const fn cell(name: &'static str, tests: Tests) -> Cell {
    Cell { name, quick: false, tests, on: On::Host, flags: "", std: true, levels: "" }
}

/// Returns the cells that make sense on this architecture.
pub(super) fn cells() -> impl Iterator<Item = &'static Cell> {
    let of_x86 = |cell: &Cell| !cell.flags.is_empty() || cell.cpu().is_some();
    CELLS.iter().filter(move |cell| cfg!(target_arch = "x86_64") || !of_x86(cell))
}

impl Cell {
    pub(super) fn levels(&self) -> &'static str {
        if self.levels.is_empty() { native_levels() } else { self.levels }
    }

    pub(super) const fn cpu(&self) -> Option<&'static str> {
        if let On::Cpu(cpu) = self.on { Some(cpu) } else { None }
    }

    pub(super) fn is_emulated(&self) -> bool {
        self.on != On::Host
    }

    /// Returns `true` if the cell runs the kernels on its levels.
    pub(super) const fn tests_kernels(&self) -> bool {
        matches!(self.tests, Tests::Every | Tests::Kernels)
    }

    /// Returns the cell's packages. The fuzz targets (`with_fuzz`) belong to `default`.
    pub(super) fn packages<'a>(
        &self,
        workspace: &'a Workspace,
        with_fuzz: bool,
    ) -> Vec<&'a Package> {
        let packages = workspace.packages.iter().filter(|package| package.is_tested());
        let chosen = packages.filter(|package| match self.on {
            // It needs a Python, and isn't built with plain `cargo`.
            On::Windows => package.name != "bitcade-py",
            On::Aarch64 | On::Wasm32 => package.supports_no_std() && package.has_tests("levels"),
            On::Wine => package.has_tests("levels") || PROGRAMS.contains(&package.name.as_str()),
            // The games' kernels run under these flags with std, and without std in
            // `default-no_std`.
            _ if !self.std && !self.flags.is_empty() => package.name == "bitcore",
            _ if !self.std => package.supports_no_std(),
            _ if self.tests != Tests::Every => package.has_tests("levels"),
            _ => with_fuzz || package.name != "bitcade-fuzz",
        });
        chosen.collect()
    }

    /// Returns the tools for another architecture, or `None` for this one.
    ///
    /// # Errors
    ///
    /// The missing requirement, if this machine can't run the cell.
    pub(super) fn tools(&self, workspace: &Workspace) -> Result<Option<Foreign>, String> {
        let wanted = match self.flags {
            AVX2_BMI2 => 2,
            X86_64_V3 => 8,
            _ => 0,
        };
        let lacks = missing_features(V3_FEATURES, wanted);
        if !lacks.is_empty() {
            return Err(format!("this CPU lacks {}", lacks.join(", ")));
        }
        match self.on {
            On::Host => Ok(None),
            On::Cpu(_) => printed(EMULATOR, &["--version"]).map(|_| None),
            on => Foreign::find(on, workspace).map(Some),
        }
    }

    /// Returns the command line that runs a test binary; empty if none is needed.
    pub(super) fn runner(&self, tools: Option<&Foreign>) -> Vec<String> {
        let of_cpu = |cpu: &str| [EMULATOR, "-cpu", cpu].map(str::to_owned).to_vec();
        self.cpu().map(of_cpu).or(tools.map(|tools| tools.runner.clone())).unwrap_or_default()
    }
}

/// Returns the value of a field in `/proc/cpuinfo`; empty on systems other than Linux.
fn cpu(field: &str) -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let mut fields = text.lines().filter_map(|line| line.split_once(':'));
    fields
        .find(|(name, _)| name.trim() == field)
        .map(|(_, value)| value.trim().to_owned())
        .unwrap_or_default()
}

fn missing_features(features: &'static str, first: usize) -> Vec<&'static str> {
    let flags = cpu("flags");
    let has = |feature: &&str| flags.split(' ').any(|flag| flag == *feature);
    features.split_whitespace().take(first).filter(|feature| !has(feature)).collect()
}

/// Returns this machine's levels for a build with std, detected independently of bitcore.
pub(crate) fn native_levels() -> &'static str {
    if cfg!(target_arch = "aarch64") {
        NEON
    } else if !missing_features(V3_FEATURES, 5).is_empty() {
        PORTABLE
    } else if is_pext_slow(&cpu("vendor_id"), &cpu("cpu family")) {
        SLOW_PEXT
    } else if missing_features(V4_FEATURES, 9).is_empty() {
        V4
    } else {
        V3
    }
}

/// Returns the levels of this architecture that its CPU doesn't have, each with the reason.
pub(super) fn missing_levels() -> impl Iterator<Item = (&'static str, String)> {
    let levels = if cfg!(target_arch = "aarch64") { NEON } else { V4 };
    let v3_and_v4 = [missing_features(V3_FEATURES, 5), missing_features(V4_FEATURES, 9)].concat();
    let lacks = v3_and_v4.first().copied().unwrap_or_default();
    let native = |level: &&str| native_levels().split(',').any(|native| native == *level);
    levels
        .split(',')
        .filter(move |level| !native(level))
        .map(move |level| (level, why_missing(level, lacks)))
}

/// `lacks` is the first feature of the level that the CPU doesn't have.
fn why_missing(level: &str, lacks: &str) -> String {
    let mut emulated = CELLS.iter().filter(|cell| cell.cpu().is_some()).map(Cell::levels);
    let has = |levels: &'static str| levels.split(',').any(|emulated| emulated == level);
    let by_none = if emulated.any(has) { "" } else { ", and no emulated one has it" };
    format!("this CPU lacks {lacks}{by_none}")
}

/// Returns `true` if PEXT is microcode on a CPU: AMD families 21 to 24.
fn is_pext_slow(vendor: &str, family: &str) -> bool {
    ["AuthenticAMD", "HygonGenuine"].contains(&vendor) && ["21", "22", "23", "24"].contains(&family)
}

#[cfg(test)]
mod tests {
    use super::{CELLS, Cell, PROGRAMS, is_pext_slow, missing_levels, native_levels, why_missing};
    use crate::workspace::Workspace;
    use std::collections::BTreeSet;

    fn named(name: &str) -> &'static Cell {
        CELLS.iter().find(|cell| cell.name == name).unwrap()
    }

    #[test]
    fn cells_have_names_of_their_own() {
        assert_eq!(CELLS.iter().map(|cell| cell.name).collect::<BTreeSet<_>>().len(), CELLS.len());
        let quick: Vec<&str> =
            CELLS.iter().filter(|cell| cell.quick).map(|cell| cell.name).collect();
        assert_eq!(quick, ["default", "avx2-bmi2", "qemu-nehalem"]);
    }

    #[test]
    fn the_cells_build_the_packages_of_this_workspace() {
        let workspace = Workspace::load().unwrap();
        let names = |name: &str| -> Vec<&str> {
            named(name)
                .packages(&workspace, true)
                .into_iter()
                .map(|package| &*package.name)
                .collect()
        };
        // Every library except `bitcade-files` has levels; the bots of Tetris need std.
        let libraries = workspace.packages.iter().filter(|package| package.is_library());
        let leveled: Vec<&str> = libraries
            .map(|package| &*package.name)
            .filter(|name| *name != "bitcade-files")
            .collect();
        let games: Vec<&str> =
            leveled.iter().copied().filter(|name| *name != "tetris-ai").collect();
        assert!(
            ["bitcade-core", "bitcore", "g2048", "go-mc", "match3", "tetris"]
                .iter()
                .all(|name| games.contains(name))
        );
        assert_eq!(names("aarch64"), games.clone());
        assert_eq!(names("wasm32"), games.clone());
        assert_eq!(names("default-no_std"), games);
        assert_eq!(names("x86-64-v3-no_std"), vec!["bitcore"]);
        assert_eq!(names("avx2-bmi2"), leveled);
        for package in ["bitcade", "bitcade-fuzz", "benches", "testkit", "xtask"] {
            assert!(
                names("default").contains(&package) && names("windows").contains(&package),
                "{package}"
            );
        }
        let wine = names("wine");
        assert!(leveled.iter().chain(&PROGRAMS).all(|name| wine.contains(name)));
        assert_eq!(wine.len(), leveled.len() + PROGRAMS.len());
        for emulated in CELLS.iter().filter(|cell| cell.cpu().is_some()) {
            assert_eq!(names(emulated.name), names("avx2-bmi2"));
            assert_eq!(emulated.flags, "");
        }
        assert!(workspace.rust_version().is_some());
    }

    #[test]
    fn a_missing_level_has_a_reason() {
        let v4 = "this CPU lacks avx512f, and no emulated one has it";
        assert_eq!(why_missing("x86-64-v4", "avx512f"), v4);
        assert_eq!(why_missing("x86-64-v3", "avx2"), "this CPU lacks avx2");
        for (level, _) in missing_levels() {
            assert!(!native_levels().split(',').any(|native| native == level), "{level}");
        }
    }

    #[test]
    fn cpus_with_a_slow_pext() {
        assert!(is_pext_slow("AuthenticAMD", "23") && is_pext_slow("HygonGenuine", "24"));
        assert!(
            !is_pext_slow("AuthenticAMD", "25")
                && !is_pext_slow("GenuineIntel", "23")
                && !is_pext_slow("", "")
        );
    }
}
