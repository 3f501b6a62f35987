//! `memcheck`: bitcore's tests under valgrind, which sees every access outside of what was allocated, and
//! every decision by bytes that were never written. Of the crates only bitcore has `unsafe` code.

use crate::runner::{Binary, Report, executables};
use crate::test_matrix::native_levels;
use crate::workspace::{CASES_DIVISOR, Workspace, cargo};
use crate::{Result, table};
use std::process::{Command, Stdio};
use std::time::Instant;

const VALGRIND: &str = "valgrind";
/// The status of a test under valgrind that saw a wrong access.
const WRONG_ACCESS: i32 = 99;
/// The number by which property tests divide their numbers of cases: under valgrind each takes about 50 times
/// as long.
const DIVISOR: &str = "200";

pub(crate) fn run() -> Result {
    let version = Command::new(VALGRIND).arg("--version").stdout(Stdio::null()).status();
    if !version.is_ok_and(|status| status.success()) {
        println!("memcheck: SKIPPED, no {VALGRIND} in PATH");
        table::print_counts(0, 0, 1);
        return Ok(true);
    }
    let workspace = Workspace::load()?;
    let mut build = cargo(&[]);
    build.args(["test", "--package=bitcore", "--lib", "--tests", "--no-run"]);
    let output = build.arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err("the build failed".into());
    }
    let (mut passed, mut failed) = (0, 0);
    for binary in executables(&String::from_utf8_lossy(&output.stdout), true, &workspace)? {
        let start = Instant::now();
        let (report, held) = check(&binary)?;
        let levels = report.levels.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        let verdict = if held { "ok" } else { "FAILED" };
        let seconds = start.elapsed().as_secs_f64();
        println!("{}: {verdict}, {} tests, {seconds:.1} s, levels {levels}", binary.name(), report.passed);
        passed += report.passed;
        // A wrong access counts even where every test passed.
        failed += report.failed.max(usize::from(!held));
    }
    table::print_counts(passed, failed, 0);
    Ok(failed == 0)
}

/// Runs a test binary under valgrind. Returns its report, and whether it passed without a wrong access.
fn check(binary: &Binary) -> Result<(Report, bool)> {
    let status = format!("--error-exitcode={WRONG_ACCESS}");
    let mut command = binary.command(&[VALGRIND, "--quiet", "--tool=memcheck", "--leak-check=no", &status]);
    command.args(["--nocapture", "--test-threads=1"]).env(CASES_DIVISOR, DIVISOR);
    // No valgrind knows more of a CPU than AVX2.
    let levels: Vec<&str> = native_levels().split(',').filter(|&level| level != "x86-64-v4").collect();
    command.env("BITCADE_EXPECT_LEVELS", levels.join(","));
    let output = command.stderr(Stdio::inherit()).output()?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        println!("{stdout}");
    }
    Ok((Report::parse(&stdout), output.status.success()))
}
