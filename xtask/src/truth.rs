//! `truth`: all truth numbers on every level, in a release build. Truth numbers are results that
//! independent programs agree on, such as perft counts; some are too slow for the test matrix.

use crate::test_matrix::native_levels;
use crate::workspace::{Workspace, cargo};
use crate::{Result, table};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

#[derive(clap::Args)]
#[command(after_help = "Example: cargo xtask truth --package tetris")]
pub(crate) struct Args {
    /// Only this package (may be repeated)
    #[arg(long, short, value_name = "NAME")]
    package: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result {
    let workspace = Workspace::load()?;
    let chosen = |name: &String| args.package.is_empty() || args.package.contains(name);
    let packages = workspace
        .packages
        .iter()
        .filter(|package| package.has_tests("truth") && chosen(&package.name));
    let packages: Vec<String> =
        packages.map(|package| format!("--package={}", package.name)).collect();
    if packages.is_empty() {
        return Err("no selected package has tests/truth.rs".into());
    }
    let mut test = cargo(&[]);
    test.args(["test", "--release", "--test=main", "--no-fail-fast"]).args(&packages);
    test.args(["--", "truth::", "--nocapture", "--test-threads=1"]).stdout(Stdio::piped());
    test.env("BITCADE_TRUTH", "full").env("BITCADE_EXPECT_LEVELS", native_levels());
    let mut child = test.spawn()?;
    let mut passed = 0;
    let mut failed = 0;
    let mut games = BTreeSet::new();
    let mut others = Vec::new();
    // A number may take minutes, so print each row as it arrives.
    for line in BufReader::new(child.stdout.take().ok_or("no stdout")?).lines() {
        let line = line?;
        if let Some(row) = line.strip_prefix("truth: ") {
            println!("{line}");
            let held = row.ends_with(" | ok");
            (passed, failed) = (passed + usize::from(held), failed + usize::from(!held));
            games.extend(row.split(" | ").next().map(str::to_owned));
        } else {
            others.push(line);
        }
    }
    // A test that failed before printing a row also counts.
    if !child.wait()?.success() {
        println!("{}", others.join("\n"));
        failed = failed.max(1);
    }
    if games.len() < packages.len() {
        println!("{} of {} packages computed a truth number", games.len(), packages.len());
        failed += 1;
    }
    table::print_counts(passed, failed, 0);
    Ok(failed == 0)
}
