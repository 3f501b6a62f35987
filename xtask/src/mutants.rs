//! `mutants`: changes one operator or one result of a function at a time, by cargo-mutants, and tells which
//! of these mutants no test notices. Runs on bitcore and on the rules of the games. The mutants that can't be
//! noticed are in a list, each with its reason.

mod explained;
mod outcomes;

use crate::test_matrix::native_levels;
use crate::workspace::{CASES_DIVISOR, Workspace, is_installed, subcommand};
use crate::{Result, table};
use clap::builder::PossibleValuesParser;
use explained::Explained;
use outcomes::{Mutant, TestedMutants};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The list of mutants that no test can notice, relative to the workspace's root.
const EXPLAINED: &str = "xtask/data/explained_mutants.txt";
/// The number by which property tests divide their numbers of cases.
const DIVISOR: &str = "20";
/// A mutant whose tests take this many times as long as those of the unchanged code, which run first on the
/// same machine, has been noticed; but none does in the first minute.
const TIMES_AS_LONG: &str = "8";
const MIN_SECONDS: &str = "60";
/// The bytes of a test's stack: without optimization the kernels' frames fill the usual 2 MiB.
const STACK: &str = "67108864";
/// The bytes of memory that a mutant may ask for, where `prlimit` is found: one that never ends may fill it.
const MEMORY: &str = "--as=12000000000";

/// A package with the part of it that is mutated.
struct Rules {
    package: &'static str,
    /// The files and folders in the package's `src`; everything if empty.
    sources: &'static [&'static str],
    /// The test targets beside the unit tests.
    tests: &'static [&'static str],
    /// Parts of the names of tests that are left out: slow ones, of other parts of the package.
    skipped: &'static [&'static str],
}

/// The parts that are mutated: rules and vector kernels. References, players, networks, searches and digests
/// are left out.
const RULES: [Rules; 5] = [
    Rules { package: "bitcore", sources: &[], tests: &["levels"], skipped: &[] },
    Rules {
        package: "g2048",
        sources: &["batch", "board", "lanes", "packed", "random_move", "slide", "text"],
        tests: &["levels", "play"],
        skipped: &["expectimax::", "network::", "learn::"],
    },
    Rules {
        package: "match3",
        sources: &[
            "board", "board64", "boards8", "cascade", "fall", "formula", "groups", "legality", "mask",
            "rules", "runs", "swap", "swaps", "text",
        ],
        tests: &["levels", "rules"],
        skipped: &["agents::"],
    },
    Rules {
        package: "go-mc",
        sources: &[
            "board",
            "board_size",
            "chains",
            "eyes",
            "game",
            "mailbox",
            "perft",
            "points",
            "position",
            "text",
        ],
        tests: &["go", "levels"],
        skipped: &["gtp::", "ownership::", "search::", "sgf::"],
    },
    Rules {
        package: "tetris",
        sources: &[
            "attack",
            "bag",
            "board",
            "bounding_box",
            "game",
            "garbage",
            "kicks",
            "location",
            "movegen",
            "piece",
            "placement",
            "simd_board",
        ],
        tests: &["levels", "rules"],
        skipped: &["features::", "playout::", "perft_loses_no_row"],
    },
];

#[derive(clap::Args)]
#[command(after_help = "Example: cargo xtask mutants --package bitcore --shard 0/8\n\n\
                        Mutants are dealt to shards one by one, so each shard is a sample of all files and the \
                        same in every run. All mutants of a package take an hour or more.")]
pub(crate) struct Args {
    /// Only this package (may be repeated)
    #[arg(long, short, value_name = "NAME",
          value_parser = PossibleValuesParser::new(RULES.map(|rules| rules.package)))]
    package: Vec<String>,
    /// Only part K of N of each package's mutants, K from 0 to N - 1
    #[arg(long, value_name = "K/N", value_parser = parse_shard)]
    shard: Option<Shard>,
    /// Print the mutants without testing them
    #[arg(long)]
    list: bool,
}

/// A part of the mutants.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shard {
    index: u64,
    count: u64,
}

fn parse_shard(text: &str) -> std::result::Result<Shard, String> {
    let expected = || "expected K/N with K below N, such as 0/8".to_owned();
    let (index, count) = text.split_once('/').ok_or_else(expected)?;
    match (index.parse(), count.parse()) {
        (Ok(index), Ok(count)) if index < count => Ok(Shard { index, count }),
        _ => Err(expected()),
    }
}

pub(crate) fn run(args: &Args) -> Result {
    if !is_installed("mutants") {
        return Err("no cargo-mutants (cargo install --locked cargo-mutants)".into());
    }
    let workspace = Workspace::load()?;
    let explained = Explained::load(&workspace.root, EXPLAINED)?;
    let wanted =
        |rules: &&Rules| args.package.is_empty() || args.package.iter().any(|name| name == rules.package);
    let mut results = Vec::new();
    for rules in RULES.iter().filter(wanted) {
        if args.list {
            cargo_mutants(&workspace, rules, args)?.arg("--list").status()?;
            continue;
        }
        let found = test(&workspace, rules, args)?;
        results.push(Figures::new(rules.package, &found, &explained, &workspace.root)?);
    }
    if args.list {
        return Ok(true);
    }
    let header =
        ["package", "mutants", "killed", "by time", "survived", "explained", "share", "seconds each"];
    println!();
    table::print(&header, &[1, 2, 3, 4, 5, 6, 7], results.iter().map(Figures::row));
    println!();
    let unexplained: Vec<&String> = results.iter().flat_map(|figures| &figures.unexplained).collect();
    for line in &unexplained {
        println!("survived: {line}");
    }
    let killed = results.iter().map(|figures| figures.killed).sum();
    table::print_counts(killed, unexplained.len(), 0);
    Ok(unexplained.is_empty())
}

/// Runs cargo-mutants on a package. Returns its tested.
fn test(workspace: &Workspace, rules: &Rules, args: &Args) -> Result<TestedMutants> {
    let mut folder = workspace.target.join("mutants").join(rules.package);
    if let Some(Shard { index, count }) = args.shard {
        folder.set_file_name(format!("{}-{index}-of-{count}", rules.package));
    }
    std::fs::create_dir_all(&folder)?;
    let mut command = cargo_mutants(workspace, rules, args)?;
    command.args(["--profile=mutants", "--jobs=1", "--copy-target=false", "--cap-lints=true", "--no-times"]);
    command.arg(format!("--timeout-multiplier={TIMES_AS_LONG}"));
    command.arg(format!("--minimum-test-timeout={MIN_SECONDS}"));
    command.arg("--output").arg(&folder);
    let fast_fail: &[&str] = if is_installed("nextest") {
        command.arg("--test-tool=nextest");
        &["--max-fail=1:immediate"]
    } else {
        &[]
    };
    // These hold for the build, too: the package's other tests and its examples aren't compiled.
    command
        .arg("--cargo-arg=--lib")
        .args(rules.tests.iter().map(|test| format!("--cargo-arg=--test={test}")));
    command.arg("--").args(fast_fail).arg("--");
    // As two arguments: nextest doesn't take `--skip=PART`.
    command.args(rules.skipped.iter().flat_map(|part| ["--skip", part]));
    // A mutant that hides a level would hide all others of that level.
    command.env(CASES_DIVISOR, DIVISOR).env("BITCADE_EXPECT_LEVELS", native_levels());
    // With so few cases, no test may ask that its cases were of all kinds: as under an emulator.
    command.env("BITCADE_EMULATED", "1").env("RUST_MIN_STACK", STACK);
    println!("== {}", rules.package);
    // Its status tells of survivors, some of which are explained, and its outcome of all else.
    let _ = command.status()?;
    TestedMutants::load(&folder.join("mutants.out/outcomes.json"))
}

/// Returns a call of cargo-mutants with the files and the shard.
fn cargo_mutants(workspace: &Workspace, rules: &Rules, args: &Args) -> Result<Command> {
    let inner = subcommand("mutants");
    let limits = Command::new("prlimit").arg("--version").stdout(Stdio::null()).status();
    let mut command = if limits.is_ok_and(|status| status.success()) {
        let mut command = Command::new("prlimit");
        command.arg(MEMORY).arg(inner.get_program()).args(inner.get_args()).stdin(Stdio::null());
        for (name, value) in inner.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    } else {
        inner
    };
    command.arg("--dir").arg(&workspace.root).arg("--package").arg(rules.package);
    // The mutants are built in a copy of the workspace with a target folder of its own.
    command.env_remove("CARGO_TARGET_DIR");
    let sources = workspace.root.join("crates").join(rules.package).join("src");
    for name in rules.sources {
        for glob in globs(&sources, name)? {
            let glob = glob.strip_prefix(&workspace.root)?.to_path_buf();
            command.arg("--file").arg(glob);
        }
    }
    if let Some(Shard { index, count }) = args.shard {
        command.arg(format!("--shard={index}/{count}")).arg("--sharding=round-robin");
    }
    Ok(command)
}

/// Returns the patterns of a module's file and folder, those that exist.
fn globs(sources: &Path, name: &str) -> Result<Vec<PathBuf>> {
    let (file, folder) = (sources.join(format!("{name}.rs")), sources.join(name));
    if !file.is_file() && !folder.is_dir() {
        return Err(format!("{}: no such file", file.display()).into());
    }
    let inside = folder.is_dir().then(|| folder.join("**"));
    Ok([file.is_file().then_some(file), inside].into_iter().flatten().collect())
}

/// The figures of a package.
struct Figures {
    package: &'static str,
    killed: usize,
    /// The number of killed mutants whose tests didn't end.
    timeouts: usize,
    explained: usize,
    /// The survivors without an explanation, as lines to print.
    unexplained: Vec<String>,
    seconds: f64,
}

impl Figures {
    fn new(
        package: &'static str,
        tested: &TestedMutants,
        explained: &Explained,
        root: &Path,
    ) -> Result<Self> {
        let (mut known, mut unexplained) = (0, Vec::new());
        for mutant in &tested.survivors {
            let text = std::fs::read_to_string(root.join(&mutant.file))?;
            let line = text.lines().nth(mutant.line - 1).unwrap_or_default().trim();
            if explained.has(mutant, line) {
                known += 1;
            } else {
                let Mutant { file, line: number, column, change } = mutant;
                let mut shown = format!("{file}:{number}:{column}: {change}");
                write!(shown, "\n    {line}")?;
                unexplained.push(shown);
            }
        }
        let count = (tested.killed + tested.survivors.len()).max(1);
        let seconds = tested.seconds / count as f64;
        let TestedMutants { killed, timeouts, .. } = *tested;
        Ok(Self { package, killed, timeouts, explained: known, unexplained, seconds })
    }

    fn row(&self) -> Vec<String> {
        let Self { package, killed, timeouts, explained, unexplained, seconds } = self;
        let tested = killed + explained + unexplained.len();
        // A mutant that no test can notice is no fault of the tests.
        let share = *killed as f64 / (tested - explained).max(1) as f64;
        let numbers =
            [tested, *killed, *timeouts, unexplained.len(), *explained].map(|number| number.to_string());
        let mut row = vec![(*package).to_owned()];
        row.extend(numbers);
        row.extend([format!("{:.1} %", 100.0 * share), format!("{seconds:.1}")]);
        row
    }
}

#[cfg(test)]
mod tests {
    use super::{Explained, RULES, Shard, globs, parse_shard};
    use crate::workspace::Workspace;

    #[test]
    fn shards_are_parsed() {
        assert_eq!(parse_shard("3/8"), Ok(Shard { index: 3, count: 8 }));
        for wrong in ["8/8", "0/0", "3", "/", "-1/2", "1/x"] {
            assert!(parse_shard(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_files_and_tests_exist() {
        let workspace = Workspace::load().unwrap();
        for rules in &RULES {
            let package = workspace.packages.iter().find(|package| package.name == rules.package).unwrap();
            for name in rules.sources {
                assert!(!globs(&package.folder().join("src"), name).unwrap().is_empty());
            }
            assert!(rules.tests.iter().all(|test| package.has_test(test)), "{}", rules.package);
        }
    }

    #[test]
    fn explained_mutants_stand_in_the_sources() {
        let workspace = Workspace::load().unwrap();
        Explained::load(&workspace.root, super::EXPLAINED).unwrap();
    }
}
