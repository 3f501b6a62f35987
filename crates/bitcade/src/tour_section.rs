//! What a game's commands give to the tour.

use serde::Serialize;

/// What one game shows.
pub(crate) struct TourSection {
    /// The first word of the game's operations.
    pub(crate) game: &'static str,
    pub(crate) title: &'static str,
    /// What was played, drawn.
    pub(crate) picture: String,
    pub(crate) checks: Vec<Check>,
    /// The command to try next.
    pub(crate) next: &'static str,
}

/// A number beside the one it should be.
#[derive(Serialize)]
pub(crate) struct Check {
    #[serde(rename = "check")]
    pub(crate) name: String,
    pub(crate) expected: String,
    pub(crate) found: String,
    pub(crate) ok: bool,
}

impl Check {
    /// An exact number.
    #[allow(clippy::needless_pass_by_value, reason = "numbers and strings alike")]
    pub(crate) fn new(name: &str, expected: impl ToString, found: impl ToString) -> Self {
        let (expected, found) = (expected.to_string(), found.to_string());
        Self { name: name.to_owned(), ok: expected == found, expected, found }
    }

    /// A number that should not be smaller.
    pub(crate) fn at_least(name: &str, least: f64, found: f64) -> Self {
        Self {
            name: name.to_owned(),
            expected: format!("at least {least}"),
            found: format!("{found:.2}"),
            ok: found >= least,
        }
    }

    /// A mean that should lie within `sigmas` of its standard errors round `expected`.
    pub(crate) fn within(name: &str, expected: f64, found: f64, stderr: f64, sigmas: f64) -> Self {
        Self {
            name: name.to_owned(),
            expected: format!("{expected}"),
            found: format!("{found:.2} +- {stderr:.2}"),
            ok: (found - expected).abs() <= sigmas * stderr,
        }
    }
}
