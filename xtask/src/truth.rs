//! `truth`: all truth numbers on every level, in a release build. Truth numbers are results on which
//! independent programs agree, such as perft counts; some are too slow for the test matrix.

use crate::runner::executables;
use crate::test_matrix::native_levels;
use crate::workspace::{Workspace, cargo};
use crate::{Result, table};
use std::collections::BTreeMap;
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
    let mut build = cargo(&[]);
    build.args(["test", "--release", "--test=main", "--no-run", "--message-format=json-render-diagnostics"]);
    let mut packages = BTreeMap::new();
    for package in workspace.packages.iter().filter(|package| package.has_tests("truth")) {
        if args.package.is_empty() || args.package.contains(&package.name) {
            build.arg(format!("--package={}", package.name));
            packages.insert(package.name.clone(), 0);
        }
    }
    if packages.is_empty() {
        return Err("no selected package has tests/truth.rs".into());
    }
    let output = build.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err("the build failed".into());
    }
    let (mut passed, mut failed) = (0, 0);
    for binary in executables(&String::from_utf8_lossy(&output.stdout), true, &workspace)? {
        let mut command = binary.command(&[]);
        command.args(["truth::", "--nocapture", "--test-threads=1"]).stdout(Stdio::piped());
        command.env("BITCADE_TRUTH", "full").env("BITCADE_EXPECT_LEVELS", native_levels());
        let mut child = command.spawn()?;
        let (mut right, mut wrong, mut others) = (0, 0, Vec::new());
        // A number may take minutes, so each row is shown at once.
        for line in BufReader::new(child.stdout.take().ok_or("no stdout")?).lines() {
            let line = line?;
            if line.starts_with("truth: ") {
                println!("{line}");
                let held = line.ends_with(" | ok");
                (right, wrong) = (right + usize::from(held), wrong + usize::from(!held));
            } else {
                others.push(line);
            }
        }
        let ended_well = child.wait()?.success();
        if !ended_well {
            println!("{}: a test failed\n{}", binary.name(), others.join("\n"));
        }
        // A test that failed before it printed a row counts, too.
        failed += wrong.max(usize::from(!ended_well));
        passed += right;
        *packages.entry(binary.package).or_default() += right + wrong;
    }
    for (package, _) in packages.iter().filter(|(_, rows)| **rows == 0) {
        println!("{package}: no truth number was computed");
        failed += 1;
    }
    table::print_counts(passed, failed, 0);
    Ok(failed == 0)
}
