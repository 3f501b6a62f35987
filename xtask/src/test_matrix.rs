//! `test-matrix`: every crate under every set of flags, with and without std, and on emulated CPUs.
//!
//! A *cell* of the matrix is a build (a set of compiler flags), a choice of features, and the CPU that runs
//! the tests.
//!
//! - In `default` and `default-no_std`, whose flags are those of users, every test runs.
//! - Other flags only change the code of kernels. There the modules `levels` (every level equals the
//!   reference; the crate's digest) and `truth` of the crates' tests run, without overflow checks, as in a
//!   release build.
//! - The emulated cells run the binaries of `default` on other CPUs. For some CPUs only the detection of
//!   levels is tested. No emulator here knows AVX-512: x86-64-v4 is tested where the machine has it.
//! - The foreign cells build the same tests of bitcore and the games for other architectures.
//! - The cell `dependent` builds a program outside the workspace as users do, not optimized, and runs it in small
//!   stacks.
//!
//! Without arguments the cells of [`QUICK`] run; with `--all` every cell, and in `default` also the fuzz targets
//! on their corpus. Each library is built once per cell.
//! The binaries of a cell run at the same time, on all cores; the tests that want the cores for themselves run
//! after them.
//!
//! A cell passes if everything builds, at least one test ran and none failed, and every binary ran exactly
//! the expected levels and reported the same digests as in the other cells. A cell that this machine can't
//! run is skipped, and the table has the reason. The last line counts each test once per cell, each fault
//! that isn't a failed test as one more failure, and each skipped cell as one.

use crate::runner::{Binary, Report, cores, executables, failure, pool};
use crate::workspace::{Package, Workspace, cargo};
use crate::{Result, table};
use foreign::{Architecture, Tools};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

mod dependent;
mod foreign;

#[derive(Default, clap::Args)]
#[command(after_help = "Example: cargo xtask test-matrix --cell avx2-bmi2 --cell qemu-nehalem\n\
    The complete output of each cell is in target/matrix/logs.")]
pub(crate) struct Args {
    /// Every cell, and not only the quick ones: without std, on other CPUs and for other architectures; and
    /// the fuzz targets
    #[arg(long, conflicts_with = "cells")]
    all: bool,
    /// Only this cell (may be repeated)
    #[arg(long = "cell", value_name = "NAME", value_parser = cell_name)]
    cells: Vec<String>,
    /// Print the cells' names and do nothing
    #[arg(long)]
    list: bool,
}

/// A set of compiler flags; each has its own target folder.
struct Build {
    folder: &'static str,
    flags: &'static [&'static str],
    /// The features that a CPU needs to run the result.
    needs: &'static [&'static str],
}

const DEFAULT: Build = Build { folder: "default", flags: &[], needs: &[] };
const AVX2_BMI2: Build =
    Build { folder: "avx2-bmi2", flags: &["-Ctarget-feature=+avx2,+bmi2"], needs: &["avx2", "bmi2"] };
const X86_64_V3: Build = Build {
    folder: "x86-64-v3",
    flags: &["-Ctarget-cpu=x86-64-v3"],
    needs: &["avx2", "bmi1", "bmi2", "lzcnt", "popcnt", "f16c", "fma", "movbe"],
};

const DEPENDENT: Build = Build { folder: "dependent", flags: &[], needs: &[] };
const AARCH64: Build = Build { folder: "aarch64", flags: &[], needs: &[] };
const WASM32: Build = Build { folder: "wasm32", flags: &[], needs: &[] };

/// The features that bitcore's level x86-64-v3 needs.
const LEVEL_NEEDS: &[&str] = &["avx2", "bmi1", "bmi2", "lzcnt", "popcnt"];
const PORTABLE: &str = "portable";
/// The features that the level x86-64-v4 needs beside these.
const V4_NEEDS: &[&str] = &[
    "avx512f",
    "avx512bw",
    "avx512cd",
    "avx512dq",
    "avx512vl",
    "avx512vbmi",
    "avx512vbmi2",
    "avx512bitalg",
    "avx512vpopcntdq",
];
/// The levels of a CPU with x86-64-v3, the slowest first.
const V3_LEVELS: &str = "portable,x86-64-v3-slow-pext,x86-64-v3";
/// The levels of a CPU whose PEXT is microcode.
const SLOW_PEXT_LEVELS: &str = "portable,x86-64-v3,x86-64-v3-slow-pext";
/// The levels of a CPU with x86-64-v4.
const V4_LEVELS: &str = "portable,x86-64-v3-slow-pext,x86-64-v3,x86-64-v4";

#[derive(Clone, Copy)]
enum Mode {
    /// The whole workspace as users get it.
    Std,
    /// The crates that can be built without std, without their default features.
    NoStd,
    /// The [`KERNEL_TESTS`] of every library, built as in `Std`, on another CPU.
    Emulated { cpu: &'static str, levels: &'static str },
    /// Only bitcore's [`DETECTION_TEST`], built as in `Std`, on another CPU. The last of the levels is the
    /// one that must be detected.
    Detection { cpu: &'static str, levels: &'static str },
    /// The [`KERNEL_TESTS`] of bitcore and the games on another architecture.
    Foreign(Architecture),
    /// The program [`dependent`].
    Dependent,
}

/// The modules of tests whose results flags and CPUs can change.
const KERNEL_TESTS: [&str; 2] = ["levels::", "truth::"];
/// The module of tests that want the cores for themselves: they judge times.
const ALONE: &str = "alone::";
/// The test of bitcore that the detected level is the last of those expected.
const DETECTION_TEST: &str = "levels::levels_are_named_printed_and_parsed";
const EMULATOR: &str = "qemu-x86_64";
/// The package of the fuzz targets, whose tests a minute of building stands before.
const FUZZ: &str = "bitcade-fuzz";

struct Cell {
    name: &'static str,
    build: &'static Build,
    mode: Mode,
}

impl Cell {
    /// Returns whether every test runs in this cell, and not only the [`KERNEL_TESTS`].
    fn runs_every_test(&self) -> bool {
        self.build.flags.is_empty() && matches!(self.mode, Mode::Std | Mode::NoStd)
    }

    /// Returns the CPU that is emulated; nothing for the cells of this machine's CPU and of other
    /// architectures.
    const fn emulated_cpu(&self) -> Option<&'static str> {
        match self.mode {
            Mode::Emulated { cpu, .. } | Mode::Detection { cpu, .. } => Some(cpu),
            Mode::Std | Mode::NoStd | Mode::Foreign(_) | Mode::Dependent => None,
        }
    }

    const fn is_detection(&self) -> bool {
        matches!(self.mode, Mode::Detection { .. })
    }

    /// Returns cargo's arguments for the features and tests of this cell. Examples are left to clippy, which
    /// compiles them.
    fn selection(&self) -> Vec<&'static str> {
        let mut selection = Vec::new();
        if matches!(self.mode, Mode::NoStd) {
            selection.push("--no-default-features");
        }
        if self.build.flags.is_empty() && !matches!(self.mode, Mode::Foreign(_)) {
            selection.push("--tests");
        } else {
            selection.extend(["--test", "main"]);
        }
        selection
    }
}

/// The cells that run without `--all`.
const QUICK: [&str; 5] = ["default", "default-no_std", "avx2-bmi2", "x86-64-v3", "qemu-nehalem"];

const CELLS: &[Cell] = &[
    Cell { name: "default", build: &DEFAULT, mode: Mode::Std },
    Cell { name: "default-no_std", build: &DEFAULT, mode: Mode::NoStd },
    Cell { name: "avx2-bmi2", build: &AVX2_BMI2, mode: Mode::Std },
    Cell { name: "avx2-bmi2-no_std", build: &AVX2_BMI2, mode: Mode::NoStd },
    Cell { name: "x86-64-v3", build: &X86_64_V3, mode: Mode::Std },
    Cell { name: "x86-64-v3-no_std", build: &X86_64_V3, mode: Mode::NoStd },
    // A CPU without AVX2: the default build must not execute an illegal instruction.
    Cell { name: "qemu-nehalem", build: &DEFAULT, mode: Mode::Emulated { cpu: "Nehalem", levels: PORTABLE } },
    // A CPU that lacks one of the five features.
    Cell {
        name: "qemu-haswell-no-bmi2",
        build: &DEFAULT,
        mode: Mode::Emulated { cpu: "Haswell,-bmi2", levels: PORTABLE },
    },
    Cell { name: "qemu-max", build: &DEFAULT, mode: Mode::Emulated { cpu: "max", levels: V3_LEVELS } },
    // AMD's Zen, Zen 2 and Hygon's copy of Zen have a slow PEXT; Zen 3 and Intel's CPUs have a fast one.
    detection("detect-epyc", "EPYC", SLOW_PEXT_LEVELS),
    detection("detect-epyc-rome", "EPYC-Rome", SLOW_PEXT_LEVELS),
    detection("detect-dhyana", "Dhyana", SLOW_PEXT_LEVELS),
    detection("detect-epyc-milan", "EPYC-Milan", V3_LEVELS),
    detection("detect-haswell", "Haswell", V3_LEVELS),
    Cell { name: "dependent", build: &DEPENDENT, mode: Mode::Dependent },
    Cell { name: "aarch64", build: &AARCH64, mode: Mode::Foreign(Architecture::Aarch64) },
    Cell { name: "wasm32", build: &WASM32, mode: Mode::Foreign(Architecture::Wasm32) },
];

/// Returns a cell that tests the detection of levels on a CPU.
const fn detection(name: &'static str, cpu: &'static str, levels: &'static str) -> Cell {
    Cell { name, build: &DEFAULT, mode: Mode::Detection { cpu, levels } }
}

/// Returns the cells that make sense on this architecture.
fn cells() -> impl Iterator<Item = &'static Cell> {
    let of_x86 = |cell: &Cell| !cell.build.flags.is_empty() || cell.emulated_cpu().is_some();
    CELLS.iter().filter(move |cell| cfg!(target_arch = "x86_64") || !of_x86(cell))
}

fn cell_name(name: &str) -> std::result::Result<String, String> {
    if cells().any(|cell| cell.name == name) {
        return Ok(name.to_owned());
    }
    let names: Vec<_> = cells().map(|cell| cell.name).collect();
    Err(format!("expected one of {}", names.join(", ")))
}

/// Returns the features in the list that this machine's CPU lacks.
fn missing_features(features: &[&'static str]) -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    let has: &[(&str, bool)] = {
        macro_rules! detect {
            ($($feature:tt)*) => { &[$(($feature, std::is_x86_feature_detected!($feature))),*] };
        }
        detect!(
            "avx2" "bmi1" "bmi2" "lzcnt" "popcnt" "f16c" "fma" "movbe" "avx512f" "avx512bw" "avx512cd"
            "avx512dq" "avx512vl" "avx512vbmi" "avx512vbmi2" "avx512bitalg" "avx512vpopcntdq"
        )
    };
    #[cfg(not(target_arch = "x86_64"))]
    let has: &[(&str, bool)] = &[];
    features.iter().copied().filter(|&feature| !has.contains(&(feature, true))).collect()
}

/// Returns the levels that must run in a cell, on this machine's CPU or the emulated one.
fn expected_levels(cell: &Cell) -> &'static str {
    match cell.mode {
        Mode::Emulated { levels, .. } | Mode::Detection { levels, .. } => levels,
        Mode::Foreign(architecture) => architecture.levels(),
        // Without std the CPU isn't asked at run time, so the build must promise all five features.
        Mode::NoStd if cell.build.folder != X86_64_V3.folder => PORTABLE,
        Mode::NoStd => V3_LEVELS,
        Mode::Std | Mode::Dependent => native_levels(),
    }
}

/// Returns the levels of this machine, for a build with std.
pub(crate) fn native_levels() -> &'static str {
    if cfg!(target_arch = "aarch64") {
        Architecture::Aarch64.levels()
    } else if !missing_features(LEVEL_NEEDS).is_empty() {
        PORTABLE
    } else if std::fs::read_to_string("/proc/cpuinfo").is_ok_and(|text| is_pext_slow(&text)) {
        SLOW_PEXT_LEVELS
    } else if missing_features(V4_NEEDS).is_empty() {
        V4_LEVELS
    } else {
        V3_LEVELS
    }
}

/// Returns whether PEXT is microcode on this CPU: AMD's families 21 to 24. bitcore asks CPUID instead.
fn is_pext_slow(cpuinfo: &str) -> bool {
    let field = |name: &str| {
        let mut lines = cpuinfo.lines().filter_map(|line| line.split_once(':'));
        lines.find(|(found, _)| found.trim() == name).map(|(_, value)| value.trim().to_owned())
    };
    let amd = field("vendor_id").is_some_and(|vendor| vendor == "AuthenticAMD" || vendor == "HygonGenuine");
    let family = field("cpu family").and_then(|family| family.parse().ok());
    amd && family.is_some_and(|family: u32| (21..=24).contains(&family))
}

/// Returns the reason if a cell can't run on this machine.
fn skip_reason(cell: &Cell, workspace: &Workspace) -> Option<String> {
    if let Mode::Foreign(architecture) = cell.mode {
        return architecture.tools(workspace).err();
    }
    if let Mode::Emulated { levels, .. } | Mode::Detection { levels, .. } = cell.mode {
        let Ok(output) = Command::new(EMULATOR).arg("--version").output() else {
            return Some(format!("no {EMULATOR} in PATH"));
        };
        let version = String::from_utf8_lossy(&output.stdout);
        let old = qemu_version(&version) < Some((7, 2));
        return (old && levels != PORTABLE).then(|| format!("{EMULATOR} before 7.2 has no AVX2"));
    }
    let missing_features = missing_features(cell.build.needs);
    (!missing_features.is_empty()).then(|| format!("this CPU lacks {}", missing_features.join(", ")))
}

/// Parses the major and minor number in `qemu-x86_64 version 7.2.22 (..)`.
fn qemu_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split("version ").nth(1)?.split(|c: char| !c.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// The result of a cell.
struct CellResult {
    cell: &'static str,
    levels_expected: &'static str,
    /// `true` if only a part of each binary runs, which reports no digest.
    partial: bool,
    skipped: Option<String>,
    /// The report of each binary, by its name.
    reports: BTreeMap<String, Report>,
    /// Everything that went wrong, except for failed tests.
    faults: Vec<String>,
    build_seconds: f64,
    run_seconds: f64,
}

impl CellResult {
    fn sum(&self, count: impl Fn(&Report) -> usize) -> usize {
        self.reports.values().map(count).sum()
    }

    fn failed(&self) -> usize {
        self.sum(|report| report.failed) + self.faults.len()
    }

    fn digests(&self) -> BTreeSet<(&str, &str)> {
        let all = self.reports.values().flat_map(|report| &report.digests);
        all.map(|(name, value)| (name.as_str(), value.as_str())).collect()
    }
}

pub(crate) fn run(args: &Args) -> Result {
    let chosen = |cell: &Cell| args.cells.iter().any(|name| name == cell.name);
    let wanted = |cell: &&Cell| match (args.all, args.cells.is_empty()) {
        (true, _) => true,
        (false, true) => QUICK.contains(&cell.name),
        (false, false) => chosen(cell),
    };
    if args.list {
        cells().filter(wanted).for_each(|cell| println!("{}", cell.name));
        return Ok(true);
    }
    let workspace = Workspace::load()?;
    let folder = workspace.target.join("matrix");
    std::fs::create_dir_all(folder.join("logs"))?;
    let mut results = Vec::new();
    for cell in cells().filter(wanted) {
        let mut result = CellResult {
            cell: cell.name,
            levels_expected: expected_levels(cell),
            partial: cell.is_detection(),
            skipped: skip_reason(cell, &workspace),
            reports: BTreeMap::new(),
            faults: Vec::new(),
            build_seconds: 0.0,
            run_seconds: 0.0,
        };
        if result.skipped.is_none() {
            let mut log =
                Log { path: folder.join("logs").join(format!("{}.log", cell.name)), text: String::new() };
            run_cell(cell, args.all, &workspace, &folder, &mut log, &mut result)?;
            check_cell(&mut result);
            if result.failed() > 0 {
                println!("{}", log.text);
            }
        }
        progress(&result);
        results.push(result);
    }
    let faults = compare_cells(&results);
    print_tables(&results, &faults);
    Ok(results.iter().all(|result| result.failed() == 0) && faults.is_empty())
}

/// The output of a cell. It is also written to a file at once, so that it survives an interrupted run.
struct Log {
    path: PathBuf,
    text: String,
}

impl Log {
    fn add(&mut self, title: &str, output: &Output) -> Result<()> {
        let (stdout, stderr) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        writeln!(self.text, "=== {title}: {}\n{stdout}{stderr}", output.status)?;
        std::fs::write(&self.path, &self.text)?;
        Ok(())
    }
}

/// A part of the run of a cell.
enum Job {
    Doctests,
    /// The tests of a binary, except for those in [`ALONE`].
    Binary(Binary),
    /// The tests of a program in [`ALONE`].
    Alone(Binary),
}

impl Job {
    fn name(&self) -> String {
        match self {
            Self::Doctests => "doctests".to_owned(),
            Self::Binary(binary) => binary.name(),
            Self::Alone(binary) => format!("{} alone", binary.name()),
        }
    }

    /// Returns the job's place in the order of starts. Long jobs start first, so that no core is idle at the
    /// end.
    fn priority(&self, workspace: &Workspace) -> u32 {
        match self {
            Self::Doctests => 0,
            Self::Binary(binary) if starts_programs(binary, workspace) => 1,
            Self::Binary(binary) if binary.is_main_test() => 2,
            _ => 3,
        }
    }
}

/// Builds the tests of a cell, and runs them if the build succeeds.
fn run_cell(
    cell: &Cell,
    all: bool,
    workspace: &Workspace,
    folder: &Path,
    log: &mut Log,
    result: &mut CellResult,
) -> Result<()> {
    if matches!(cell.mode, Mode::Dependent) {
        return run_dependent(workspace, &folder.join(cell.build.folder), log, result);
    }
    let packages = packages(cell, all, workspace);
    let tools: Option<Tools> =
        if let Mode::Foreign(architecture) = cell.mode { Some(architecture.tools(workspace)?) } else { None };
    let test = || {
        let mut cargo = if let Some(tools) = &tools {
            tools.cargo_test()
        } else {
            let mut cargo = cargo(cell.build.flags);
            // With an explicit target, even the host's own, flags don't apply to build scripts and macros.
            cargo.args(["test", "--target=host-tuple"]);
            cargo
        };
        cargo.arg("--target-dir").arg(folder.join(cell.build.folder));
        cargo.args(packages.iter().map(|package| format!("--package={}", package.name)));
        // Everything is built once, and no one debugs these binaries: a failure is examined with `cargo
        // test`.
        cargo.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_TEST_DEBUG", "none");
        if !cell.build.flags.is_empty() {
            // As in a release build. The cells that run every test have overflow checks.
            cargo.env("CARGO_PROFILE_TEST_OVERFLOW_CHECKS", "false");
            cargo.env("CARGO_PROFILE_TEST_DEBUG_ASSERTIONS", "false");
        }
        if matches!(cell.mode, Mode::NoStd) && cell.build.flags.is_empty() {
            // The checks cost more than the optimizations gain.
            cargo.env("CARGO_PROFILE_TEST_OPT_LEVEL", "1");
            // Everywhere: `profile.test` has them off for a package.
            for check in ["overflow-checks", "debug-assertions"] {
                cargo.args(["--config", &format!("profile.test.package.tetris.{check}=true")]);
            }
        }
        cargo
    };
    let start = Instant::now();
    let mut build = test();
    build.args(cell.selection()).args(["--no-run", "--message-format=json-render-diagnostics"]);
    let mut output = build.output()?;
    result.build_seconds = start.elapsed().as_secs_f64();
    let messages = String::from_utf8_lossy(&std::mem::take(&mut output.stdout)).into_owned();
    log.add("build", &output)?;
    if let Some(end) = failure(&output) {
        result.faults.push(format!("the build failed: {end}"));
        return Ok(());
    }
    let mut binaries = executables(&messages, true, workspace)?;
    if !cell.runs_every_test() {
        let has_kernels =
            |binary: &Binary| packages.iter().any(|p| p.name == binary.package && p.has_tests("levels"));
        binaries.retain(|binary| binary.is_main_test() && has_kernels(binary));
    }
    if cell.is_detection() {
        binaries.retain(|binary| binary.package == "bitcore");
    }
    if let Some(tools) = &tools
        && let Some(first) = binaries.iter().find(|binary| binary.package == "bitcore")
        && let Err(reason) = tools.try_out(first, DETECTION_TEST)
    {
        result.skipped = Some(reason);
        return Ok(());
    }
    let alone = binaries.iter().filter(|binary| starts_programs(binary, workspace)).cloned();
    let alone: Vec<Job> = alone.map(Job::Alone).collect();
    let mut jobs: Vec<Job> = binaries.into_iter().map(Job::Binary).collect();
    if cell.runs_every_test() && matches!(cell.mode, Mode::Std) {
        // With the same packages as before. With others, libraries would have other features and be built
        // again.
        jobs.push(Job::Doctests);
    }
    jobs.sort_by_key(|job| job.priority(workspace));
    let levels = result.levels_expected;
    let work = |job: &Job| {
        let (Job::Binary(binary) | Job::Alone(binary)) = job else {
            return test().args(["--doc", "--no-fail-fast"]).output();
        };
        let mut command = match (cell.emulated_cpu(), &tools) {
            (Some(cpu), _) => binary.command(&[EMULATOR, "-cpu", cpu]),
            (None, Some(tools)) => tools.command(binary),
            (None, None) => binary.command(&[]),
        };
        if cell.emulated_cpu().is_some() || tools.is_some() {
            command.env("BITCADE_EMULATED", "1");
        }
        if cell.is_detection() {
            command.args([DETECTION_TEST, "--exact"]);
        } else if !cell.runs_every_test() {
            command.args(KERNEL_TESTS);
        }
        // Two threads per binary: beside one long test, the short ones still make progress.
        let mut threads = cores().min(2);
        if let Job::Alone(_) = job {
            command.arg(ALONE);
            threads = 1;
        } else if starts_programs(binary, workspace) {
            command.args(["--skip", ALONE]);
        }
        command.env("BITCADE_EXPECT_LEVELS", levels).env("RUST_TEST_THREADS", threads.to_string());
        command.output()
    };
    let start = Instant::now();
    let mut done = |job: &Job, output: std::io::Result<Output>| {
        let output = output.map_err(|error| format!("{}: {error}", job.name()))?;
        record(&job.name(), &output, log, result).map_err(|error| error.to_string())
    };
    pool(&jobs, cores(), work, &mut done)?;
    pool(&alone, 1, work, &mut done)?;
    result.run_seconds = start.elapsed().as_secs_f64();
    let reporting = |package: &&&Package| package.has_tests("levels") || package.supports_no_std();
    for package in packages.iter().filter(reporting).filter(|_| !cell.is_detection()) {
        let name = format!("{} main", package.name);
        let report = result.reports.get(&name);
        if report.is_none_or(|report| report.levels.is_empty() || report.digests.is_empty()) {
            result.faults.push(format!("{name}: reports no levels or no digest"));
        }
    }
    Ok(())
}

/// Builds and runs the program [`dependent`] in each of its profiles.
fn run_dependent(workspace: &Workspace, folder: &Path, log: &mut Log, result: &mut CellResult) -> Result<()> {
    for profile in dependent::PROFILES {
        let start = Instant::now();
        let output = dependent::build(workspace, folder, profile)?;
        result.build_seconds += start.elapsed().as_secs_f64();
        log.add(&format!("build {profile}"), &output)?;
        if let Some(end) = failure(&output) {
            result.faults.push(format!("the build in the profile {profile} failed: {end}"));
            return Ok(());
        }
        let start = Instant::now();
        let output = dependent::run(folder, profile)?;
        record(&format!("dependent {profile}"), &output, log, result)?;
        result.run_seconds += start.elapsed().as_secs_f64();
    }
    Ok(())
}

/// Returns the packages whose tests a cell builds.
fn packages<'a>(cell: &Cell, all: bool, workspace: &'a Workspace) -> Vec<&'a Package> {
    let members = workspace.packages.iter().filter(|package| package.is_tested());
    let members = members.filter(|package| all || package.name != FUZZ);
    let chosen = members.filter(|package| match cell.mode {
        Mode::NoStd => package.supports_no_std(),
        // An emulated cell runs the binaries of the native one.
        Mode::Std | Mode::Emulated { .. } | Mode::Detection { .. } => {
            cell.build.flags.is_empty() || package.has_tests("levels")
        }
        Mode::Foreign(_) => Architecture::tests(package),
        Mode::Dependent => false,
    });
    chosen.collect()
}

/// Returns whether a binary has the integration tests of a package with a program.
fn starts_programs(binary: &Binary, workspace: &Workspace) -> bool {
    let package = workspace.packages.iter().find(|package| package.name == binary.package);
    binary.is_main_test()
        && package.is_some_and(|package| package.targets.iter().any(|target| target.is("bin")))
}

fn record(name: &str, output: &Output, log: &mut Log, result: &mut CellResult) -> Result<()> {
    log.add(name, output)?;
    let report = Report::parse(&String::from_utf8_lossy(&output.stdout));
    // A binary that was killed, by an illegal instruction for example, reports no failed test.
    if let Some(end) = failure(output)
        && report.failed == 0
    {
        result.faults.push(format!("{name}: {end}"));
    }
    if result.reports.insert(name.to_owned(), report).is_some() {
        result.faults.push(format!("{name}: two binaries have this name"));
    }
    Ok(())
}

/// Checks a cell by itself: tests ran, on the expected levels.
fn check_cell(result: &mut CellResult) {
    if !result.faults.is_empty() {
        return;
    }
    if result.sum(|report| report.passed) == 0 {
        result.faults.push("no test ran".to_owned());
    }
    for (name, report) in &result.reports {
        for levels in report.levels.iter().filter(|&levels| levels != result.levels_expected) {
            result.faults.push(format!("{name}: ran {levels}, expected {}", result.levels_expected));
        }
    }
    if result.reports.values().all(|report| report.levels.is_empty()) {
        result.faults.push("no binary reports its levels".to_owned());
    }
}

/// Compares cells: each digest has one value, and a binary reports the same digests in all cells. Returns the
/// faults.
fn compare_cells(results: &[CellResult]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut values: BTreeMap<&str, BTreeMap<&str, Vec<&str>>> = BTreeMap::new();
    for result in results {
        for (name, value) in result.digests() {
            values.entry(name).or_default().entry(value).or_default().push(result.cell);
        }
    }
    for (name, values) in values.iter().filter(|(_, values)| values.len() > 1) {
        let values = values.iter().map(|(value, cells)| format!("{value} ({})", cells.join(", ")));
        faults.push(format!("digest {name} differs: {}", values.collect::<Vec<_>>().join("; ")));
    }
    let mut first: BTreeMap<&str, (&str, &Report)> = BTreeMap::new();
    for result in results.iter().filter(|result| result.failed() == 0 && !result.partial) {
        for (binary, report) in &result.reports {
            let &mut (cell, model) = first.entry(binary).or_insert((result.cell, report));
            let names = |report: &Report| -> BTreeSet<String> {
                report.digests.iter().map(|(name, _)| name.clone()).collect()
            };
            if names(model) != names(report) || model.levels.is_empty() != report.levels.is_empty() {
                faults.push(format!(
                    "{binary}: reports other digests or levels in {} than in {cell}",
                    result.cell
                ));
            }
        }
    }
    faults
}

fn progress(result: &CellResult) {
    let (cell, passed, failed) = (result.cell, result.sum(|report| report.passed), result.failed());
    match &result.skipped {
        Some(reason) => eprintln!("{cell}: SKIPPED, {reason}"),
        None => eprintln!(
            "{cell}: {passed} passed, {failed} failed, built in {:.1} s, run in {:.1} s",
            result.build_seconds, result.run_seconds
        ),
    }
}

/// Returns one number for a set of digests, by which tables can be compared. Equal sets have equal numbers.
fn fold(digests: &BTreeSet<(&str, &str)>) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in digests.iter().flat_map(|(name, value)| [name.bytes(), value.bytes()]).flatten() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{:08x}", hash >> 32)
}

fn print_tables(results: &[CellResult], faults: &[String]) {
    let crates: BTreeSet<(&str, &str)> = results.iter().flat_map(CellResult::digests).collect();
    println!();
    table::print(
        &["crate", "digest", "cells"],
        &[2],
        crates.iter().map(|digest| {
            let cells = results.iter().filter(|result| result.digests().contains(digest)).count();
            vec![digest.0.to_owned(), digest.1.to_owned(), cells.to_string()]
        }),
    );
    println!();
    table::print(
        &["cell", "levels", "tests", "built in s", "run in s", "digests", "verdict"],
        &[2, 3, 4],
        results.iter().map(|result| {
            if let Some(reason) = &result.skipped {
                let dash = || "-".to_owned();
                return vec![
                    result.cell.to_owned(),
                    dash(),
                    dash(),
                    dash(),
                    dash(),
                    dash(),
                    format!("SKIPPED: {reason}"),
                ];
            }
            let levels: BTreeSet<&str> =
                result.reports.values().flat_map(|report| &report.levels).map(String::as_str).collect();
            let digests = result.digests();
            let verdict = if result.failed() == 0 { "ok" } else { "FAILED" };
            vec![
                result.cell.to_owned(),
                levels.into_iter().collect::<Vec<_>>().join(" / "),
                result.sum(|report| report.passed + report.failed).to_string(),
                format!("{:.1}", result.build_seconds),
                format!("{:.1}", result.run_seconds),
                format!("{} of {}", fold(&digests), digests.len()),
                verdict.to_owned(),
            ]
        }),
    );
    println!();
    let seconds = |part: fn(&CellResult) -> f64| results.iter().map(part).sum::<f64>();
    let (built, run) = (seconds(|result| result.build_seconds), seconds(|result| result.run_seconds));
    println!("{:.1} s: {built:.1} to build, {run:.1} to run", built + run);
    for result in results {
        for fault in &result.faults {
            println!("{}: {fault}", result.cell);
        }
    }
    for fault in faults {
        println!("{fault}");
    }
    table::print_counts(
        results.iter().map(|result| result.sum(|report| report.passed)).sum(),
        results.iter().map(CellResult::failed).sum::<usize>() + faults.len(),
        results.iter().filter(|result| result.skipped.is_some()).count(),
    );
}

#[cfg(test)]
mod tests {
    use super::{
        CELLS, Cell, CellResult, QUICK, check_cell, compare_cells, expected_levels, fold, is_pext_slow,
        packages, qemu_version,
    };
    use crate::runner::Report;
    use crate::workspace::Workspace;
    use std::collections::{BTreeMap, BTreeSet};

    fn result(cell: &'static str, reports: &[(&str, &str)]) -> CellResult {
        let reports = reports.iter().map(|&(name, text)| (name.to_owned(), Report::parse(text))).collect();
        CellResult {
            cell,
            levels_expected: "portable",
            partial: false,
            skipped: None,
            reports,
            faults: Vec::new(),
            build_seconds: 0.0,
            run_seconds: 0.0,
        }
    }

    const GOOD: &str =
        "matrix: levels portable\nmatrix: digest go-mc 1f\ntest result: ok. 2 passed; 0 failed; 0 ignored";

    #[test]
    fn cells_have_names_of_their_own() {
        let names: BTreeSet<&str> = CELLS.iter().map(|cell| cell.name).collect();
        assert_eq!(names.len(), CELLS.len());
    }

    fn cell(name: &str) -> &'static Cell {
        CELLS.iter().find(|cell| cell.name == name).unwrap()
    }

    #[test]
    fn every_test_runs_under_the_flags_of_users_and_those_of_kernels_under_all() {
        let whole = CELLS.iter().filter(|cell| cell.runs_every_test()).map(|cell| cell.name);
        assert_eq!(whole.collect::<Vec<_>>(), ["default", "default-no_std"]);
        assert_eq!(cell("default").selection(), ["--tests"]);
        assert_eq!(cell("default-no_std").selection(), ["--no-default-features", "--tests"]);
        assert_eq!(cell("avx2-bmi2").selection(), ["--test", "main"]);
        assert_eq!(cell("aarch64").selection(), ["--test", "main"]);
        assert_eq!(cell("x86-64-v3-no_std").selection(), ["--no-default-features", "--test", "main"]);
        assert!(QUICK.iter().all(|name| CELLS.iter().any(|cell| cell.name == *name)));
    }

    #[test]
    fn what_is_emulated_is_what_the_default_cell_has_built() {
        let default = cell("default");
        for emulated in CELLS.iter().filter(|cell| cell.emulated_cpu().is_some()) {
            assert_eq!(emulated.selection(), default.selection());
            assert_eq!(emulated.build.folder, default.build.folder);
        }
    }

    #[test]
    fn the_cells_build_the_packages_of_this_workspace() {
        let workspace = Workspace::load().unwrap();
        let names = |name| -> Vec<&str> {
            packages(cell(name), true, &workspace).into_iter().map(|package| package.name.as_str()).collect()
        };
        assert!(names("default").contains(&"xtask") && names("default").contains(&"benches"));
        assert_eq!(names("qemu-max"), names("default"));
        assert_eq!(names("detect-epyc"), names("default"));
        assert_eq!(names("aarch64"), names("wasm32"));
        assert!(names("wasm32").iter().all(|name| names("default-no_std").contains(name)));
        let kernels = names("avx2-bmi2");
        assert!(kernels.contains(&"bitcore") && kernels.contains(&"tetris-ai"));
        assert!(!kernels.contains(&"xtask") && !kernels.contains(&"bitcade"));
        assert!(names("default-no_std").iter().all(|name| kernels.contains(name)));
    }

    #[test]
    fn without_std_only_the_build_promises_a_level() {
        let levels: BTreeMap<&str, &str> =
            CELLS.iter().map(|cell| (cell.name, expected_levels(cell))).collect();
        assert_eq!(levels["default-no_std"], "portable");
        assert_eq!(levels["avx2-bmi2-no_std"], "portable");
        assert_eq!(levels["x86-64-v3-no_std"], "portable,x86-64-v3-slow-pext,x86-64-v3");
        assert_eq!(levels["qemu-haswell-no-bmi2"], "portable");
        assert_eq!(levels["qemu-max"], "portable,x86-64-v3-slow-pext,x86-64-v3");
        assert_eq!(levels["aarch64"], "portable,neon");
        assert_eq!(levels["wasm32"], "portable,simd128");
    }

    #[test]
    fn the_detected_level_is_the_last_one() {
        let cells = CELLS.iter().filter(|cell| cell.is_detection());
        let detected: Vec<(&str, &str)> = cells
            .map(|cell| (cell.emulated_cpu().unwrap(), expected_levels(cell).rsplit(',').next().unwrap()))
            .collect();
        let (slow, fast) = ("x86-64-v3-slow-pext", "x86-64-v3");
        let expected = [("EPYC", slow), ("EPYC-Rome", slow), ("Dhyana", slow)];
        assert_eq!(detected[..3], expected);
        assert_eq!(detected[3..], [("EPYC-Milan", fast), ("Haswell", fast)]);
    }

    #[test]
    fn cpus_with_a_slow_pext() {
        let cpu = |vendor, family| {
            format!("processor\t: 0\nvendor_id\t: {vendor}\ncpu family\t: {family}\nmodel\t\t: 49\n")
        };
        assert!(is_pext_slow(&cpu("AuthenticAMD", 23)) && is_pext_slow(&cpu("HygonGenuine", 24)));
        assert!(!is_pext_slow(&cpu("AuthenticAMD", 25)) && !is_pext_slow(&cpu("GenuineIntel", 23)));
        assert!(!is_pext_slow(""));
    }

    #[test]
    fn a_good_cell_has_no_fault() {
        let mut good = result("a", &[("go-mc main", GOOD), ("doctests", "")]);
        check_cell(&mut good);
        assert_eq!(good.failed(), 0);
        assert!(compare_cells(&[good, result("b", &[("go-mc main", GOOD)])]).is_empty());
    }

    #[test]
    fn a_cell_without_tests_or_levels_fails() {
        let texts = [
            "matrix: levels portable\ntest result: ok. 0 passed; 0 failed; 0 ignored",
            "matrix: digest go-mc 1f\ntest result: ok. 2 passed; 0 failed; 0 ignored",
            "matrix: levels portable,x86-64-v3\ntest result: ok. 2 passed; 0 failed; 0 ignored",
            "matrix: levels portable\ntest result: FAILED. 2 passed; 1 failed; 0 ignored",
        ];
        for (i, text) in texts.iter().enumerate() {
            let mut bad = result("a", &[("go-mc main", text)]);
            check_cell(&mut bad);
            assert_eq!(bad.failed(), 1, "text {i}");
        }
    }

    #[test]
    fn digests_that_differ_or_are_missing_are_faults() {
        let good = || result("a", &[("go-mc main", GOOD)]);
        let other = result("b", &[("go-mc main", &GOOD.replace("1f", "2f"))]);
        assert!(compare_cells(&[good(), other])[0].contains("digest go-mc differs: 1f (a); 2f (b)"));
        let missing = result("b", &[("go-mc main", "matrix: levels portable")]);
        assert_eq!(compare_cells(&[good(), missing]).len(), 1);
        let silent = result("b", &[("go-mc main", "matrix: digest go-mc 1f")]);
        assert_eq!(compare_cells(&[good(), silent]).len(), 1);
    }

    #[test]
    fn folded_digests_tell_sets_apart() {
        let fold = |digests: &[(&'static str, &'static str)]| fold(&digests.iter().copied().collect());
        assert_eq!(fold(&[("a", "1"), ("b", "2")]), fold(&[("b", "2"), ("a", "1")]));
        assert_ne!(fold(&[("a", "1"), ("b", "2")]), fold(&[("a", "1"), ("b", "3")]));
    }

    #[test]
    fn versions_of_the_emulator_are_compared_as_numbers() {
        assert_eq!(qemu_version("qemu-x86_64 version 7.2.22 (Debian 1:7.2)\nCopyright"), Some((7, 2)));
        assert!(qemu_version("qemu-x86_64 version 10.0.2") > Some((7, 2)));
        assert_eq!(qemu_version(""), None);
    }
}
