//! The sections of the tour, one per game.

use bitcore::Level;
use serde::Serialize;

pub(crate) struct TourSection {
    pub(crate) title: &'static str,
    pub(crate) picture: String,
    pub(crate) checks: Vec<Check>,
    pub(crate) timed: Timed,
    /// The suggested next command.
    pub(crate) next: &'static str,
}

/// Returns the results of a call with each level of this machine active in turn, slowest first.
/// Restores the active level.
pub(crate) fn on_each_level<R>(call: impl Fn() -> R) -> Vec<R> {
    let active = Level::active();
    let run = |level| {
        Level::set_active(level);
        call()
    };
    let results = Level::all().map(run).collect();
    Level::set_active(active);
    results
}

/// A timed operation of the tour. The reference and the kernel on each level return the same
/// digest.
pub(crate) struct Timed {
    /// The name, beginning with the game.
    pub(crate) operation: &'static str,
    pub(crate) unit: &'static str,
    /// The number of units per call.
    pub(crate) units: usize,
    pub(crate) reference: Box<dyn Fn() -> u64>,
    pub(crate) kernel: Box<dyn Fn() -> u64>,
}

#[derive(Serialize)]
pub(crate) struct Check {
    #[serde(rename = "check")]
    pub(crate) name: String,
    pub(crate) expected: String,
    pub(crate) found: String,
    pub(crate) ok: bool,
}

impl Check {
    #[allow(clippy::needless_pass_by_value, reason = "accepts numbers and strings")]
    pub(crate) fn new(name: &str, expected: impl ToString, found: impl ToString) -> Self {
        let expected = expected.to_string();
        let found = found.to_string();
        Self { name: name.to_owned(), ok: expected == found, expected, found }
    }

    pub(crate) fn at_least(name: &str, least: f64, found: f64) -> Self {
        Self {
            name: name.to_owned(),
            expected: format!("at least {least}"),
            found: format!("{found:.2}"),
            ok: found >= least,
        }
    }

    pub(crate) fn within(name: &str, expected: f64, found: f64, stderr: f64, sigmas: f64) -> Self {
        Self {
            name: name.to_owned(),
            expected: format!("{expected}"),
            found: format!("{found:.2} +- {stderr:.2}"),
            ok: (found - expected).abs() <= sigmas * stderr,
        }
    }
}
