//! `test-matrix`: the tests of every crate under several sets of flags, with and without std, on
//! other CPUs and for other architectures.
//!
//! A *cell* is a row of the table in `cells.rs`. It runs `cargo test` with its flags and runner:
//! first a build, then tests and doctests concurrently, then the timing-sensitive tests alone.
//!
//! A cell passes if everything builds, at least one test ran, none failed, and each crate with
//! kernels reported its digest. testkit compares the digest with `tests/data/digest.txt`, and the
//! levels that ran with the cell's expected levels. If this machine can't run a cell, the table
//! shows it as skipped, with the reason. The last line repeats what was not proved: skipped cells,
//! and levels that no cell ran.

use crate::workspace::{DEPENDENT, Workspace, cargo};
use crate::{Result, table};
use cells::{Cell, DETECTION_TEST, KERNEL_TESTS, Tests, cells, missing_levels};
use clap::builder::PossibleValuesParser;
use foreign::{Foreign, On};
use report::Report;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::Instant;

mod cells;
pub(crate) mod foreign;
mod report;

pub(crate) use cells::native_levels;

#[derive(Default, clap::Args)]
#[command(after_help = "Example: cargo xtask test-matrix --cell avx2-bmi2 --cell qemu-nehalem\n\
    The complete output of each cell is in target/matrix/logs.")]
pub(crate) struct Args {
    /// Every cell instead of only the quick ones: without std, on other CPUs and for other
    /// architectures; and the fuzz targets
    #[arg(long, conflicts_with = "cells")]
    all: bool,
    /// Only this cell (may be repeated)
    #[arg(long = "cell", value_name = "NAME", value_parser = PossibleValuesParser::new(cells().map(|cell| cell.name)))]
    cells: Vec<String>,
    /// Print the cells' names and exit
    #[arg(long)]
    list: bool,
}

/// The module of timing-sensitive tests, which need all cores to themselves.
const ALONE: &str = "alone::";
/// The folder of the logs, in the target folder.
const LOGS: &str = "matrix/logs";
/// The stack size that must suffice for every operation in a user's program: a quarter of a
/// thread's.
const STACK_KIB: &str = "512";
/// The C programs that run under Wine, in the folder of `bitcade-c`.
const C_PROGRAMS: [&str; 4] =
    ["tests/games.c", "tests/refusals.c", "tests/threads.c", "examples/tour.c"];
/// The tests of programs that run under Wine: with many commands, but not with the user's files,
/// whose place there no variable sets.
const PROGRAM_TESTS: [&str; 14] = [
    "bad_calls_are_refused",
    "c_programs_play",
    "g2048::perft",
    "g2048::playouts",
    "g2048::solved",
    "go::perft",
    "go::playouts",
    "match3::levels",
    "match3::players",
    "match3::swaps",
    "playtest::",
    "tetris::",
    "the_tour_runs",
    "threads_with_two_handles",
];
/// The time limit for one short test in an emulator, in seconds.
const FIRST_TEST: &str = "60";

struct Run<'a> {
    cell: &'static Cell,
    workspace: &'a Workspace,
    with_fuzz: bool,
    tools: Option<Foreign>,
    skipped: Option<String>,
    report: Report,
    /// Everything that went wrong, except failed tests.
    faults: Vec<String>,
    log: String,
    built: f64,
    ran: f64,
}

pub(crate) fn run(args: &Args) -> Result {
    let chosen = |cell: &Cell| args.cells.iter().any(|name| name == cell.name);
    let wanted =
        |cell: &&Cell| if args.cells.is_empty() { args.all || cell.quick } else { chosen(cell) };
    if args.list {
        cells().filter(wanted).for_each(|cell| println!("{}", cell.name));
        return Ok(true);
    }
    let workspace = Workspace::load()?;
    std::fs::create_dir_all(workspace.target.join(LOGS))?;
    let mut runs = Vec::new();
    for cell in cells().filter(wanted) {
        let mut run = Run::new(cell, &workspace, args.all);
        if run.skipped.is_none() {
            run.run()?;
        }
        if run.failed() > 0 {
            println!("{}", run.log);
        }
        eprintln!(
            "{}: {}, built in {:.1} s, run in {:.1} s",
            cell.name,
            run.verdict(),
            run.built,
            run.ran
        );
        runs.push(run);
    }
    print_table(&runs);
    Ok(runs.iter().all(|run| run.failed() == 0))
}

impl<'a> Run<'a> {
    fn new(cell: &'static Cell, workspace: &'a Workspace, with_fuzz: bool) -> Self {
        let (tools, skipped) = match cell.tools(workspace) {
            Ok(tools) => (tools, None),
            Err(reason) => (None, Some(reason)),
        };
        let report = Report::default();
        let faults = Vec::new();
        let log = String::new();
        Run {
            cell,
            workspace,
            with_fuzz,
            tools,
            skipped,
            report,
            faults,
            log,
            built: 0.0,
            ran: 0.0,
        }
    }

    fn failed(&self) -> usize {
        self.report.failed + self.faults.len()
    }

    fn verdict(&self) -> String {
        match (&self.skipped, self.failed()) {
            (Some(reason), _) => format!("SKIPPED: {reason}"),
            (None, 0) => "ok".to_owned(),
            (None, failed) => format!("FAILED: {failed}"),
        }
    }

    fn run(&mut self) -> Result<()> {
        let start = Instant::now();
        let output = match self.cell.tests {
            Tests::Program => self.dependent("build")?.output()?,
            Tests::Check => self.cargo("check").arg("--all-targets").output()?,
            _ => self.cargo("test").args([self.selection(), "--no-run"]).output()?,
        };
        self.built = start.elapsed().as_secs_f64();
        if !self.add("build", &output)? {
            return Ok(());
        }
        let start = Instant::now();
        match self.cell.tests {
            Tests::Program => {
                let output = self.dependent("run")?.args(["--", STACK_KIB]).output()?;
                self.add("run", &output)?;
            }
            Tests::Check => self.report.passed = 1,
            Tests::Detection => {
                let output = self.tests(&[DETECTION_TEST, "--exact"]).output()?;
                self.add("tests", &output)?;
            }
            Tests::Kernels if self.emulator_hangs()? => {
                self.skipped =
                    Some(format!("{DETECTION_TEST} didn't finish within {FIRST_TEST} s"));
            }
            Tests::Kernels => {
                let [levels, truth] = KERNEL_TESTS;
                let truth = self.tests(&[truth, "--skip", levels]);
                self.at_once(vec![("levels", self.tests(&[levels])), ("truth", truth)])?;
                if self.cell.on == On::Wine {
                    self.programs()?;
                }
            }
            Tests::Every => self.every_test()?,
        }
        self.ran = start.elapsed().as_secs_f64();
        self.check();
        Ok(())
    }

    fn every_test(&mut self) -> Result<()> {
        let kernels = self.tests(&KERNEL_TESTS);
        let others =
            self.tests(&["--skip", ALONE, "--skip", KERNEL_TESTS[0], "--skip", KERNEL_TESTS[1]]);
        let mut runs = vec![("tests of kernels", kernels), ("other tests", others)];
        if self.cell.std {
            let mut doctests = self.cargo("test");
            doctests.args(["--doc", "--no-fail-fast"]);
            runs.push(("doctests", doctests));
        }
        self.at_once(runs)?;
        if self.cell.std {
            let output = self.tests(&[ALONE, "--test-threads=1"]).output()?;
            self.add("tests alone", &output)?;
        }
        Ok(())
    }

    /// Runs commands of the program, and C programs compiled outside of Wine.
    fn programs(&mut self) -> Result<()> {
        let compiled = self.workspace.target.join("matrix/c");
        std::fs::create_dir_all(&compiled)?;
        let sources = self.workspace.root.join("crates/bitcade-c");
        for name in C_PROGRAMS {
            let Some(tools) = &self.tools else { continue };
            let target = self.target_folder(tools.target);
            let library = target.join(tools.target).join("debug/deps/libbitcade_c.a");
            let output = tools.compile(&sources, name, &library, &compiled)?;
            self.add(name, &output)?;
        }
        let before = self.report.passed + self.report.failed;
        let mut tests = self.tests(&PROGRAM_TESTS);
        let output = tests.env("BITCADE_C_PROGRAMS", compiled).output()?;
        self.add("programs", &output)?;
        if self.report.passed + self.report.failed < before + PROGRAM_TESTS.len() {
            self.faults.push("fewer tests of programs than names of them".to_owned());
        }
        Ok(())
    }

    /// Runs commands concurrently. A process has only one active level, and its kernel tests wait
    /// for it, so the other tests run in another process.
    fn at_once(&mut self, commands: Vec<(&str, Command)>) -> Result<()> {
        let outputs: Vec<_> = std::thread::scope(|scope| {
            let start =
                |(title, mut command): (_, Command)| (title, scope.spawn(move || command.output()));
            let runs: Vec<_> = commands.into_iter().map(start).collect();
            runs.into_iter().map(|(title, run)| (title, run.join())).collect()
        });
        for (title, output) in outputs {
            self.add(title, &output.map_err(|_| format!("the thread of the {title} panicked"))??)?;
        }
        Ok(())
    }

    /// Adds a command's output to the log, and its tests to the report. Returns `true` if it
    /// succeeded.
    fn add(&mut self, title: &str, output: &Output) -> Result<bool> {
        let out = String::from_utf8_lossy(&output.stdout);
        let err = String::from_utf8_lossy(&output.stderr);
        writeln!(self.log, "=== {title}: {}\n{out}{err}", output.status)?;
        // Write it now, since the run may be interrupted.
        let log = self.workspace.target.join(LOGS).join(self.cell.name).with_extension("log");
        std::fs::write(log, &self.log)?;
        let failed = self.report.failed;
        self.report.add(&out);
        // A binary killed by a signal, such as an illegal instruction, reports no failed test.
        if !output.status.success() && self.report.failed == failed {
            self.faults.push(format!("{title}: {}", output.status));
        }
        Ok(output.status.success())
    }

    /// Checks that something ran, and that every crate reported its digest.
    fn check(&mut self) {
        if self.skipped.is_none() && self.failed() == 0 && self.report.passed == 0 {
            self.faults.push("no test ran".to_owned());
        }
        if self.cell.tests_kernels() && self.skipped.is_none() {
            let packages = self.cell.packages(self.workspace, self.with_fuzz);
            let names = packages.iter().filter(|package| package.has_tests("levels"));
            for name in names
                .map(|package| &package.name)
                .filter(|name| !self.report.digests.contains(*name))
            {
                self.faults.push(format!("{name}: no digest"));
            }
        }
    }

    fn selection(&self) -> &'static str {
        if self.cell.tests == Tests::Every { "--tests" } else { "--test=main" }
    }

    fn tests(&self, arguments: &[&str]) -> Command {
        let mut cargo = self.cargo("test");
        cargo.args([self.selection(), "--no-fail-fast", "--"]).args(arguments);
        cargo
    }

    /// A different set of packages would give libraries other features, and build them again.
    fn cargo(&self, verb: &str) -> Command {
        let cell = self.cell;
        let flags: Vec<&str> = cell.flags.split_whitespace().collect();
        let (mut command, target) = if let Some(tools) = &self.tools {
            (tools.cargo(verb), tools.target)
        } else {
            let mut command = cargo(&flags);
            // With an explicit target, even the host's, flags don't apply to build scripts and
            // macros.
            command.args([verb, "--target=host-tuple"]);
            (command, "host")
        };
        command.arg("--target-dir").arg(self.target_folder(target));
        let packages = cell.packages(self.workspace, self.with_fuzz);
        command.args(packages.iter().map(|package| format!("--package={}", package.name)));
        if !cell.std {
            command.arg("--no-default-features");
        }
        // Build as users do: optimized, without checks. The crates' checks run in the other cells,
        // in WebAssembly, where sizes are 32-bit, and under Wine, where programs are built as well.
        if matches!(cell.tests, Tests::Kernels | Tests::Detection)
            && !matches!(cell.on, On::Wasm32 | On::Wine)
        {
            command.arg("--release");
        }
        let runner = cell.runner(self.tools.as_ref());
        if !runner.is_empty() {
            command.args(["--config", &format!("target.'cfg(all())'.runner={runner:?}")]);
        }
        if cell.is_emulated() {
            command.env("BITCADE_EMULATED", "1");
        }
        // Everything is built once, and failures are debugged with `cargo test`.
        command.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_TEST_DEBUG", "none");
        command.env("BITCADE_EXPECT_LEVELS", cell.levels());
        command
    }

    fn target_folder(&self, target: &str) -> PathBuf {
        self.workspace.target.join("matrix").join(folder(target, self.cell.flags))
    }

    /// Returns `true` if the runner of another architecture doesn't finish one short test. An
    /// emulator with an unexpected version of the C library hangs when the first thread starts.
    fn emulator_hangs(&self) -> Result<bool> {
        if self.tools.is_none() {
            return Ok(false);
        }
        let test = self.tests(&[DETECTION_TEST, "--exact"]);
        let mut command = Command::new("timeout");
        command.arg(FIRST_TEST).arg(test.get_program()).args(test.get_args());
        for (name, value) in test.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        Ok(command.output()?.status.code() == Some(124))
    }

    /// Returns a command for the program outside the workspace, built with default settings as in a
    /// user's workspace.
    fn dependent(&self, verb: &str) -> Result<Command> {
        let package = self.workspace.root.join(DEPENDENT);
        // Use the workspace's versions; cargo removes those the program doesn't need.
        std::fs::copy(self.workspace.root.join("Cargo.lock"), package.join("Cargo.lock"))?;
        let mut cargo = cargo(&[]);
        cargo.args([verb, "--manifest-path"]).arg(package.join("Cargo.toml"));
        cargo.arg("--target-dir").arg(self.workspace.target.join("matrix/dependent"));
        cargo.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "none");
        // This also covers threads of pools.
        let bytes = STACK_KIB.parse::<u32>()? << 10;
        cargo.env("RUST_MIN_STACK", if verb == "run" { bytes.to_string() } else { String::new() });
        Ok(cargo)
    }
}

fn folder(target: &str, flags: &str) -> String {
    format!("{target}{flags}").replace(|c: char| !c.is_ascii_alphanumeric(), "-")
}

fn print_table(runs: &[Run]) {
    println!();
    table::print(
        &["cell", "levels", "tests", "digests", "built in s", "run in s", "verdict"],
        &[2, 3, 4, 5],
        runs.iter().map(|run| {
            vec![
                run.cell.name.to_owned(),
                if run.cell.tests == Tests::Check { "-" } else { run.cell.levels() }.to_owned(),
                (run.report.passed + run.report.failed).to_string(),
                run.report.digests.len().to_string(),
                format!("{:.1}", run.built),
                format!("{:.1}", run.ran),
                run.verdict(),
            ]
        }),
    );
    println!();
    let (built, ran) =
        runs.iter().fold((0.0, 0.0), |sum, run| (sum.0 + run.built, sum.1 + run.ran));
    println!("{:.1} s: {built:.1} to build, {ran:.1} to run", built + ran);
    for run in runs {
        run.faults.iter().for_each(|fault| println!("{}: {fault}", run.cell.name));
    }
    table::print_counts(
        runs.iter().map(|run| run.report.passed).sum(),
        runs.iter().map(Run::failed).sum(),
        runs.iter().filter(|run| run.skipped.is_some()).count(),
    );
    let skipped = runs.iter().filter_map(|run| Some((run.cell.name, run.skipped.as_deref()?)));
    let skipped: Vec<(&str, &str)> = skipped.collect();
    let tested = runs.iter().filter(|run| run.skipped.is_none() && run.cell.tests_kernels());
    let levels: Vec<&str> = tested.flat_map(|run| run.cell.levels().split(',')).collect();
    let missing: Vec<(&str, String)> =
        missing_levels().filter(|(level, _)| !levels.contains(level)).collect();
    println!("{}", not_proved(&skipped, &missing));
}

/// Returns the last line: the skipped cells and the levels that no cell ran, each with the reason.
fn not_proved(cells: &[(&str, &str)], levels: &[(&str, String)]) -> String {
    let cells = cells.iter().map(|(cell, reason)| format!("cell {cell} ({reason})"));
    let levels = levels.iter().map(|(level, reason)| format!("level {level} ({reason})"));
    let all: Vec<String> = cells.chain(levels).collect();
    let all = if all.is_empty() { "nothing".to_owned() } else { all.join("; ") };
    format!("not proved on this machine: {all}")
}

#[test]
fn the_last_line_says_what_was_not_proved() {
    assert_eq!(not_proved(&[], &[]), "not proved on this machine: nothing");
    let cells = [("qemu-nehalem", "no qemu-x86_64"), ("windows", "no /usr/bin/rustc")];
    assert_eq!(
        not_proved(&cells, &[]),
        "not proved on this machine: cell qemu-nehalem (no qemu-x86_64); cell windows (no /usr/bin/rustc)"
    );
    let levels = [("x86-64-v4", "this CPU lacks avx512f".to_owned())];
    assert_eq!(
        not_proved(&cells[..1], &levels),
        "not proved on this machine: cell qemu-nehalem (no qemu-x86_64); \
         level x86-64-v4 (this CPU lacks avx512f)"
    );
}
