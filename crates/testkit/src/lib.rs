//! The protocol between the workspace's test binaries and `cargo xtask`.
//!
//! xtask sets environment variables before it starts a test binary, and parses lines of its output
//! (`--nocapture`):
//!
//! | function | variable | line |
//! |---|---|---|
//! | [`on_each_level`] | [`EXPECT_LEVELS`]: the levels that must run; [`LEVEL`]: the only one | `matrix: levels NAME,NAME` |
//! | [`digest`] | | `matrix: digest CRATE HEX` |
//! | [`truth`] | [`TRUTH`]: also the slow numbers | `truth: GAME \| LEVEL \| NAME \| ..` |
//! | [`cases`], [`inputs`], [`seeds`] | [`EMULATED`], [`CASES`]: fewer random cases | |
//!
//! Properties draw their values from an [`Input`] and run [`on_each_level`]. [`check_batch`] is the
//! property shared by the batches of all games.
//!
//! With a plain `cargo test` the variables are unset, and the same tests run on every level of the
//! machine.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

// A published crate can't include files outside its folder, so the examples of the workspace's
// README are tested here.
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
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

pub use batch::{Calls, OneThread, Plain, check_batch, check_refusals};
pub use input::Input;
pub use levels::{EXPECT_LEVELS, LEVEL, on_each_level};
pub use property::{inputs, seeds};

/// The environment variable that makes truth tests compute every number, including the slow ones,
/// if set to `full`.
pub const TRUTH: &str = "BITCADE_TRUTH";
/// The environment variable that is set under an emulator, where everything is slow: property tests
/// run fewer cases.
pub const EMULATED: &str = "BITCADE_EMULATED";
/// The environment variable with the divisor for the number of cases of property tests: set for
/// mutants and under valgrind.
pub const CASES: &str = "BITCADE_CASES_DIVISOR";

/// Prints one line in a single write, to keep the output of concurrent tests apart.
fn print_line(text: &str) {
    let _ = std::io::stdout().lock().write_all(format!("\n{text}\n").as_bytes());
}

/// Computes a crate's digest on every level, and reports it to the test matrix. `stored` is the
/// crate's `tests/data/digest.txt`: the digest in hexadecimal, then the reason for its last change.
///
/// # Panics
///
/// If the digest of any level differs from the stored one.
pub fn digest(crate_name: &str, stored: &str, digest: impl Fn() -> u64) {
    let (stored, _reason) =
        stored.trim_end().split_once("  ").expect("a digest, two spaces and a reason");
    let remedy =
        "if this change of behavior is intended, write it to tests/data/digest.txt with the reason";
    on_each_level(|| {
        assert_eq!(format!("{:016x}", digest()), stored, "{crate_name}'s digest; {remedy}");
    });
    print_line(&format!("matrix: digest {crate_name} {stored}"));
}

/// When to compute a truth number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// In every test run.
    Quick,
    /// Only in `cargo xtask truth`.
    Slow,
}

/// Returns `true` if this run also computes slow truth numbers.
pub fn full_truth() -> bool {
    std::env::var(TRUTH).is_ok_and(|value| value == "full")
}

/// Returns `true` if the test runs under an emulator. Tests must still run the kernels there, but
/// can skip references and large sets.
pub fn emulated() -> bool {
    std::env::var_os(EMULATED).is_some()
}

/// Returns the number of random cases for a property test: `native`, divided by [`CASES`] or, under
/// an emulator, by 50, but at least 20.
pub fn cases(native: u64) -> u64 {
    let divisor = std::env::var(CASES).ok().and_then(|value| value.parse().ok());
    let divisor = divisor.unwrap_or(if emulated() { 50 } else { 1 });
    if divisor > 1 { (native / divisor).max(20) } else { native }
}

/// Checks a truth number: a result that independent programs agree on, such as a perft count.
///
/// Computes the number if this run includes its `cost`, compares it with `expected`, and reports it
/// for the table of `cargo xtask truth`.
///
/// # Panics
///
/// If the number differs from `expected`.
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

/// Returns a `stop` that returns `true` from its call number `calls` on, counted from 0.
pub fn stop_at(calls: u32) -> impl Fn() -> bool + Sync {
    let asked = AtomicU32::new(0);
    move || asked.fetch_add(1, Ordering::Relaxed) >= calls
}
