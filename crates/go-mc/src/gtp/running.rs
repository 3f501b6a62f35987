//! [`RunningAnalysis`]: an analysis with an unfinished response, its [`Goal`] and its limits, a
//! [`MoveBudget`].

use super::analysis::AnalyzeOptions;
use super::host::Host;
use crate::rules::board::Color;
use crate::search::Pace;
use std::string::String;
use std::time::Duration;

/// An analysis that reports a line per interval.
pub(super) struct RunningAnalysis {
    pub(super) options: AnalyzeOptions,
    pub(super) color: Color,
    pub(super) budget: MoveBudget,
    /// The ownership of all points in report format, if requested.
    pub(super) ownership: Option<String>,
    pub(super) goal: Goal,
    pub(super) has_reported: bool,
}

/// How an analysis ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// On the next line.
    Analyze,
    /// When it plays a move.
    Move,
}

/// The limits of a search for a move: the playouts left, and the time since `start`, when the line
/// arrived.
pub(super) struct MoveBudget {
    pub(super) playouts: u64,
    pub(super) time_limit: Option<Duration>,
    pub(super) start: Duration,
}

impl MoveBudget {
    /// Returns whether there is no time at all: the move is then played with as little work as
    /// possible.
    pub(super) fn is_empty(&self) -> bool {
        self.time_limit == Some(Duration::ZERO)
    }

    pub(super) fn pace(&self) -> Pace {
        if self.is_empty() { Pace::Hurry } else { Pace::Calm }
    }

    pub(super) fn elapsed(&self, host: &dyn Host) -> Duration {
        host.now().saturating_sub(self.start)
    }

    pub(super) fn is_spent(&self, host: &dyn Host) -> bool {
        host.interrupted()
            || self.playouts == 0
            || self.time_limit.is_some_and(|limit| self.elapsed(host) >= limit || host.abandoned())
    }
}
