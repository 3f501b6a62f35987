//! [`on_each_level`]: checks on every level of the machine.

use crate::property::OnPanic;
use bitcore::Level;
use std::cell::Cell;
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};

/// The environment variable with the names of the levels xtask expects, separated by commas.
///
/// The names must come from outside the test binary: a test that took them from [`Level::all`]
/// would compare the detection with itself.
pub const EXPECT_LEVELS: &str = "BITCADE_EXPECT_LEVELS";
/// The environment variable with the only level for tests to run; if unset, they run all.
pub const LEVEL: &str = "BITCADE_LEVEL";

/// The levels for tests to run. The first use reports them to the test matrix.
static LEVELS: LazyLock<Vec<Level>> = LazyLock::new(|| {
    let levels: Vec<Level> = match std::env::var(LEVEL) {
        Ok(name) if !name.is_empty() => {
            vec![name.parse().unwrap_or_else(|error| panic!("{LEVEL}: {error}"))]
        }
        _ => Level::all().collect(),
    };
    let names = levels.iter().map(|level| level.name()).collect::<Vec<_>>().join(",");
    if let Ok(expected) = std::env::var(EXPECT_LEVELS) {
        assert_eq!(names, expected, "the levels this binary can run, and the levels xtask expects");
    }
    crate::print_line(&format!("matrix: levels {names}"));
    levels
});

/// The number of checks running on the active level. A check on another level waits for 0.
static RUNNING: Mutex<usize> = Mutex::new(0);
static NONE_RUNS: Condvar = Condvar::new();

fn running() -> MutexGuard<'static, usize> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Runs a check on every level of this machine, the slowest first. Prints the level if the check
/// panics.
///
/// Tests on other threads wait, or run concurrently on the same level. Afterwards the best level is
/// active.
///
/// # Panics
///
/// If the check panics or calls this function again, or if the levels aren't the
/// [expected](EXPECT_LEVELS) ones.
pub fn on_each_level(mut check: impl FnMut()) {
    assert!(!INSIDE.replace(true), "nested levels");
    let _left = OnDrop(|| INSIDE.set(false));
    for &level in &*LEVELS {
        let mut checks = NONE_RUNS
            .wait_while(running(), |checks| *checks > 0 && Level::active() != level)
            .unwrap_or_else(PoisonError::into_inner);
        Level::set_active(level);
        assert_eq!(Level::active(), level, "the level that was set, and the active one");
        *checks += 1;
        drop(checks);
        let _ended = OnDrop(|| {
            let mut checks = running();
            *checks -= 1;
            if *checks == 0 {
                Level::set_active(Level::best());
                NONE_RUNS.notify_all();
            }
        });
        let _printed = OnPanic(|| format!("the level was {level}"));
        check();
    }
}

/// A call at the end of a scope, even on a panic.
struct OnDrop<F: Fn()>(F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        self.0();
    }
}
