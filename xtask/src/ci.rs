//! `ci`: all checks that a change must pass before it is merged.

use crate::{Result, codegen, fuzz, lint, package, python, table, test_matrix};
use std::time::Instant;

type Step = (&'static str, fn() -> Result);

const STEPS: [Step; 6] = [
    ("lint", || lint::run(&lint::Args::default())),
    ("test-matrix", || test_matrix::run(&test_matrix::Args::default())),
    ("fuzz --replay", || fuzz::run(&fuzz::Args::replayed())),
    ("codegen", || codegen::run(&codegen::Args::default())),
    ("package", || package::run(&package::Args::default())),
    ("python", || python::run(&python::Args::quick())),
];

pub(crate) fn run() -> bool {
    let mut lines = Vec::new();
    let mut failed = 0;
    for (name, step) in STEPS {
        println!("== {name}");
        let start = Instant::now();
        let held = step().unwrap_or_else(|error| {
            eprintln!("xtask: {name}: {error}");
            false
        });
        let verdict = if held { "ok" } else { "FAILED" };
        lines.push(format!("{name}: {verdict}, {:.1} s", start.elapsed().as_secs_f64()));
        failed += usize::from(!held);
    }
    println!("== ci");
    for line in lines {
        println!("{line}");
    }
    table::print_counts(STEPS.len() - failed, failed, 0);
    failed == 0
}
