//! How the workspace's test binaries speak with `cargo xtask`: which levels they must run, the digest that every
//! cell of the test matrix has to share, and the rows of the truth table.
//!
//! The tests print lines that begin with `matrix:` or `truth:`; xtask reads them (`--nocapture`). Without xtask the
//! variables are unset, every level of the machine runs and the tests are the same.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

use bitcore::Level;
use std::fmt::Display;
use std::io::Write;
use std::time::Instant;

/// The variable with the levels that xtask expects, separated by commas: told from outside, so that "all levels
/// ran" isn't the detection compared with itself.
pub const EXPECT_LEVELS: &str = "BITCADE_EXPECT_LEVELS";
/// The variable that makes the truth tests run every number (`full`) and not only the quick ones.
pub const TRUTH: &str = "BITCADE_TRUTH";
/// The variable that thins out random tests where an emulator makes everything slow.
pub const EMULATED: &str = "BITCADE_EMULATED";

/// Prints one line in a single write, so that lines of tests that run at once don't mix.
fn line(text: &str) {
    let _ = std::io::stdout().lock().write_all(format!("\n{text}\n").as_bytes());
}

/// Every level of this machine, worst first, after a check that it is exactly the set that xtask expects.
///
/// # Panics
///
/// If the two sets differ.
pub fn levels() -> Vec<Level> {
    let levels: Vec<Level> = Level::all().collect();
    let names = levels.iter().map(|level| level.name()).collect::<Vec<_>>().join(",");
    if let Ok(expected) = std::env::var(EXPECT_LEVELS) {
        assert_eq!(names, expected, "levels that this binary can run, and those that xtask expects");
    }
    line(&format!("matrix: levels {names}"));
    levels
}

/// Computes a crate's digest on every level, checks that all agree, and reports it to the matrix.
///
/// # Panics
///
/// If two levels differ.
pub fn digest(crate_name: &str, digest: impl Fn(Level) -> u64) {
    let digests: Vec<(Level, u64)> = levels().into_iter().map(|level| (level, digest(level))).collect();
    let first = digests[0].1;
    assert!(digests.iter().all(|&(_, digest)| digest == first), "digests differ: {digests:x?}");
    line(&format!("matrix: digest {crate_name} {first:016x}"));
}

/// When a truth number is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// In every run of the tests.
    Quick,
    /// Only by `cargo xtask truth`.
    Slow,
}

/// Whether slow numbers are wanted in this run.
pub fn full_truth() -> bool {
    std::env::var(TRUTH).is_ok_and(|value| value == "full")
}

/// Whether the test runs under an emulator: kernels are to run there, references and large sets needn't.
pub fn emulated() -> bool {
    std::env::var_os(EMULATED).is_some()
}

/// The number of random cases for a property test: `native`, or a fiftieth of it (at least 20) under an emulator.
pub fn cases(native: u64) -> u64 {
    if emulated() { (native / 50).max(20) } else { native }
}

/// One truth number: computes it if `cost` fits this run, checks it and reports it for the table.
///
/// # Panics
///
/// If the number differs.
pub fn truth<T: PartialEq + Display>(
    game: &str,
    level: &str,
    name: &str,
    cost: Cost,
    expected: &T,
    compute: impl FnOnce() -> T,
) {
    if cost == Cost::Slow && !full_truth() {
        return;
    }
    let start = Instant::now();
    let found = compute();
    let seconds = start.elapsed().as_secs_f64();
    let verdict = if found == *expected { "ok" } else { "WRONG" };
    line(&format!("truth: {game} | {level} | {name} | {expected} | {found} | {seconds:.2} | {verdict}"));
    assert!(found == *expected, "{game}, {level}, {name}: expected {expected}, found {found}");
}
