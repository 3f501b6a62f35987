//! The protocol between the workspace's test binaries and `cargo xtask`.
//!
//! xtask sets environment variables before it starts a test binary, and reads lines from its output
//! (`--nocapture`):
//!
//! | function | variable | line |
//! |---|---|---|
//! | [`on_each_level`] | [`EXPECT_LEVELS`]: the levels that must run; [`LEVEL`]: the only one | `matrix: levels NAME,NAME` |
//! | [`digest`] | | `matrix: digest CRATE HEX` |
//! | [`truth`] | [`TRUTH`]: also the slow numbers | `truth: GAME \| LEVEL \| NAME \| ..` |
//! | [`cases`], [`inputs`], [`seeds`] | [`EMULATED`], [`CASES`]: fewer random cases | |
//!
//! Properties take their values from an [`Input`], and run [`on_each_level`]; [`check_batch`] is the one of the
//! batches of all games.
//!
//! Under plain `cargo test` the variables are unset, and the same tests run on every level of the machine.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

// No published crate may read files outside of its folder, so the examples of the workspace's README are
// tested here.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

mod batch;
mod input;
mod levels;
mod property;
pub mod thread_limit;

use std::fmt::Display;
use std::io::Write;
use std::time::Instant;

pub use batch::{Calls, OneThread, Plain, check_batch, check_refusals};
pub use input::Input;
pub use levels::{EXPECT_LEVELS, LEVEL, on_each_level};
pub use property::{inputs, seeds};

/// The variable that makes truth tests compute every number, not only the quick ones, if its value is `full`.
pub const TRUTH: &str = "BITCADE_TRUTH";
/// The variable that is set under an emulator, where everything is slow: property tests run fewer cases.
pub const EMULATED: &str = "BITCADE_EMULATED";
/// The variable with the number by which property tests divide their numbers of cases: set for mutants and
/// under valgrind.
pub const CASES: &str = "BITCADE_CASES_DIVISOR";

/// Prints one line in a single write, so that the lines of tests on several threads don't mix.
fn print_line(text: &str) {
    let _ = std::io::stdout().lock().write_all(format!("\n{text}\n").as_bytes());
}

/// Computes a crate's digest on every level, and reports it to the test matrix. `stored` is the crate's
/// `tests/data/digest.txt`: the digest in hexadecimal, then the reason for its last change.
///
/// # Panics
///
/// If the digest of a level isn't the stored one.
pub fn digest(crate_name: &str, stored: &str, digest: impl Fn() -> u64) {
    let (stored, _reason) = stored.trim_end().split_once("  ").expect("a digest, two spaces and a reason");
    let remedy = "if this change of behavior is meant, write it to tests/data/digest.txt with the reason";
    on_each_level(|| assert_eq!(format!("{:016x}", digest()), stored, "{crate_name}'s digest; {remedy}"));
    print_line(&format!("matrix: digest {crate_name} {stored}"));
}

/// The runs in which a truth number is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Every run of the tests.
    Quick,
    /// Only `cargo xtask truth`.
    Slow,
}

/// Returns whether this run computes slow truth numbers, too.
pub fn full_truth() -> bool {
    std::env::var(TRUTH).is_ok_and(|value| value == "full")
}

/// Returns whether the test runs under an emulator. There tests run the kernels, but can leave out references
/// and large sets.
pub fn emulated() -> bool {
    std::env::var_os(EMULATED).is_some()
}

/// Returns the number of random cases for a property test: `native`, or a part of it, but at least 20, where
/// [`CASES`] has a divisor or under an emulator, for which the divisor is 50.
pub fn cases(native: u64) -> u64 {
    let divisor = std::env::var(CASES).ok().and_then(|value| value.parse().ok());
    let divisor = divisor.unwrap_or(if emulated() { 50 } else { 1 });
    if divisor > 1 { (native / divisor).max(20) } else { native }
}

/// Checks a truth number: a result on which independent programs agree, such as a perft count.
///
/// Computes the number if this run includes numbers of its `cost`, compares it with `expected` and
/// reports it for the table of `cargo xtask truth`.
///
/// # Panics
///
/// If the number isn't the expected one.
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
    print_line(&format!(
        "truth: {game} | {level} | {name} | {expected} | {found} | {seconds:.2} | {verdict}"
    ));
    assert!(found == *expected, "{game}, {level}, {name}: expected {expected}, found {found}");
}
