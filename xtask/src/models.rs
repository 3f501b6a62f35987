//! `models`: models of what threads share. loom explores the shared search tree of go-mc, every order of its
//! atomic operations up to a number of preemptions; shuttle runs the worker pool and the work queue of
//! tetris-ai in random schedules.
//!
//! The models are unit tests in the modules `models` of both crates, behind `--cfg loom` and `--cfg shuttle`.
//! Each prints a line `model: NAME | CHECKER | THREADS | EXPLORED | SECONDS`.

use crate::report::Report;
use crate::workspace::{Workspace, cargo};
use crate::{Result, table};
use std::process::Stdio;

/// The packages with models, and the model checker of each.
const CHECKERS: [(&str, &str); 2] = [("go-mc", "loom"), ("tetris-ai", "shuttle")];

/// The packages of the checkers themselves, which take most of the time.
const OPTIMIZED: [&str; 5] = ["loom", "generator", "shuttle-engine", "shuttle-schedulers", "shuttle-std"];

pub(crate) fn run() -> Result {
    let target = Workspace::load()?.target.join("models");
    let (mut passed, mut failed) = (0, 0);
    for (package, checker) in CHECKERS {
        eprintln!("{package} under {checker} ..");
        let mut test = cargo(&["--cfg", checker]);
        test.args(["test", "--lib", "--package", package]);
        // The flags differ from those of all other builds.
        test.arg("--target-dir").arg(target.join(checker));
        let optimized = OPTIMIZED.map(|name| format!("profile.test.package.{name}.opt-level=3"));
        test.args(optimized.iter().flat_map(|config| ["--config", config]));
        let output = test.args(["models::", "--", "--nocapture"]).stderr(Stdio::inherit()).output()?;
        let stdout = String::from_utf8_lossy(&output.stdout);
        let explored = stdout.lines().filter(|line| line.starts_with("model: "));
        explored.clone().for_each(|line| println!("{line}"));
        let mut report = Report::default();
        report.add(&stdout);
        if !output.status.success() {
            println!("{stdout}");
        } else if report.passed == 0 || explored.count() != report.passed {
            return Err(format!("{package}: {} models passed without a report", report.passed).into());
        }
        passed += report.passed;
        // A build that failed counts, too.
        failed += report.failed.max(usize::from(!output.status.success()));
    }
    table::print_counts(passed, failed, 0);
    Ok(failed == 0)
}
