//! `truth`: all truth numbers on every level, in a release build. Truth numbers are results on which
//! independent programs agree, such as perft counts; some are too slow for the test matrix.

use crate::runner::{Report, Truth, executables};
use crate::test_matrix::native_levels;
use crate::workspace::{Workspace, cargo};
use crate::{Result, table};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

#[derive(clap::Args)]
#[command(after_help = "Example: cargo xtask truth --json > truth.json")]
pub(crate) struct Args {
    /// Print one JSON array instead of the table
    #[arg(long)]
    json: bool,
    /// Only this package (may be repeated)
    #[arg(long, short, value_name = "NAME")]
    package: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result {
    let workspace = Workspace::load()?;
    let wanted = |name: &String| args.package.is_empty() || args.package.contains(name);
    let members = workspace.packages.iter();
    let packages: Vec<_> =
        members.filter(|member| member.has_tests("truth") && wanted(&member.name)).collect();
    if packages.is_empty() {
        return Err("no selected package has tests of truth numbers".into());
    }
    let mut build = cargo(&[]);
    build.args(["test", "--release", "--test=main", "--no-run", "--message-format=json-render-diagnostics"]);
    build.args(packages.iter().map(|package| format!("--package={}", package.name)));
    let output = build.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err("the build failed".into());
    }
    let mut truths = Vec::new();
    let (mut passed, mut failed) = (0, 0);
    for binary in executables(&String::from_utf8_lossy(&output.stdout), true, &workspace)? {
        let mut command = binary.command(&[]);
        command.args(["truth::", "--nocapture", "--test-threads=1"]).stdout(Stdio::piped());
        command.env("BITCADE_TRUTH", "full").env("BITCADE_EXPECT_LEVELS", native_levels());
        let mut child = command.spawn()?;
        let mut stdout = String::new();
        for line in BufReader::new(child.stdout.take().ok_or("no stdout")?).lines() {
            let line = line?;
            // A number may take minutes, so each row is shown at once.
            if line.starts_with("truth: ") {
                eprintln!("{line}");
            }
            stdout += &line;
            stdout.push('\n');
        }
        let report = Report::parse(&stdout);
        let wrong = report.truths.iter().filter(|truth| is_wrong(truth)).count();
        let ended_well = child.wait()?.success();
        if !ended_well {
            eprintln!("{}: a test failed\n{stdout}", binary.name());
        }
        passed += report.truths.len() - wrong;
        // A test that failed before it printed a row counts, too.
        failed += wrong.max(usize::from(!ended_well));
        if report.truths.is_empty() {
            eprintln!("{}: no truth number was computed", binary.name());
            failed += 1;
        }
        truths.extend(report.truths);
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&truths)?);
    } else {
        let header = ["game", "level", "name", "expected", "found", "seconds", "verdict"];
        table::print(&header, &[3, 4, 5], truths.iter().map(row));
        println!();
        table::print_counts(passed, failed, 0);
    }
    Ok(failed == 0)
}

/// Returns whether the test found the number wrong. The texts can differ nevertheless: a mean has to be right
/// only within its standard errors.
fn is_wrong(truth: &Truth) -> bool {
    truth.verdict != "ok"
}

fn row(truth: &Truth) -> Vec<String> {
    let Truth { game, level, name, expected, found, seconds, verdict } = truth;
    let seconds = format!("{seconds:.2}");
    [game, level, name, expected, found, &seconds, verdict].map(|text| shortened(text)).to_vec()
}

/// The maximum number of characters in a cell of the table; `--json` prints all of them.
const MAX_WIDTH: usize = 60;

fn shortened(text: &str) -> String {
    if text.chars().count() <= MAX_WIDTH {
        return text.to_owned();
    }
    text.chars().take(MAX_WIDTH - 2).chain("..".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::{is_wrong, shortened};
    use crate::runner::Truth;

    #[test]
    fn a_row_is_wrong_by_the_verdict_of_its_test() {
        let wrong = |line| is_wrong(&Truth::parse(line).unwrap());
        assert!(!wrong("truth: go | portable | 3x3 | 79 | 79 | 0.01 | ok"));
        assert!(!wrong("truth: go | portable | stones | 107.371 +- .007 | 107.370 +- 0.024 | 0.01 | ok"));
        assert!(wrong("truth: go | portable | 3x3 | 79 | 80 | 0.01 | WRONG"));
    }

    #[test]
    fn long_cells_are_shortened() {
        assert_eq!(shortened("3x3"), "3x3");
        assert_eq!(shortened(&"é".repeat(61)), "é".repeat(58) + "..");
    }
}
