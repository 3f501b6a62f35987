//! [`on_each_level`]: checks on every level of the machine.

use crate::property::OnPanic;
use bitcore::Level;
use std::cell::Cell;
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};

/// The variable with the names of the levels that xtask expects, separated by commas.
///
/// They come from outside of the test binary. A test of "all levels ran" that asked [`Level::all`] itself
/// would compare the detection with itself.
pub const EXPECT_LEVELS: &str = "BITCADE_EXPECT_LEVELS";
/// The variable with the only level that tests visit; without it they visit all.
pub const LEVEL: &str = "BITCADE_LEVEL";

/// The levels that tests visit, which the first use reports to the test matrix.
static LEVELS: LazyLock<Vec<Level>> = LazyLock::new(|| {
    let levels: Vec<Level> = match std::env::var(LEVEL) {
        Ok(name) if !name.is_empty() => vec![name.parse().unwrap_or_else(|error| panic!("{LEVEL}: {error}"))],
        _ => Level::all().collect(),
    };
    let names = levels.iter().map(|level| level.name()).collect::<Vec<_>>().join(",");
    if let Ok(expected) = std::env::var(EXPECT_LEVELS) {
        assert_eq!(names, expected, "levels that this binary can run, and those that xtask expects");
    }
    crate::print_line(&format!("matrix: levels {names}"));
    levels
});

/// The number of checks that run on the active level now. Another level waits until there are none.
static RUNNING: Mutex<usize> = Mutex::new(0);
static NONE_RUNS: Condvar = Condvar::new();

fn running() -> MutexGuard<'static, usize> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Runs a check with every level of this machine active in turn, the slowest first. The level is printed if the
/// check panics.
///
/// Tests on other threads wait, or run on the same level meanwhile. Afterwards the best level is active.
///
/// # Panics
///
/// If the check does, if it calls this function again, or if the levels aren't the [expected](EXPECT_LEVELS)
/// ones.
pub fn on_each_level(mut check: impl FnMut()) {
    assert!(!INSIDE.replace(true), "levels inside of a level");
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

/// A call at the end of a scope, after a panic, too.
struct OnDrop<F: Fn()>(F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        self.0();
    }
}
