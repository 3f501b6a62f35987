//! [`RunningAnalysis`]: an answer that goes on, part by part, and [`MoveBudget`]: what it may cost.

use super::analysis::AnalyzeOptions;
use super::host::Host;
use crate::board::Color;
use std::string::String;
use std::time::Duration;

/// An answer that goes on: a line each interval.
pub(super) struct RunningAnalysis {
    pub(super) options: AnalyzeOptions,
    pub(super) color: Color,
    pub(super) budget: MoveBudget,
    /// The owners of all points, if they are asked for.
    pub(super) ownership: Option<String>,
    /// Whether a move is made at the end. Otherwise there is no end but the next line.
    pub(super) plays_move: bool,
    /// Whether a line has been given.
    pub(super) has_reported: bool,
}

/// What may be spent on a move yet.
pub(super) struct MoveBudget {
    pub(super) playouts: u64,
    pub(super) time_limit: Option<Duration>,
    pub(super) start: Duration,
}

impl MoveBudget {
    pub(super) fn elapsed(&self, host: &dyn Host) -> Duration {
        host.now().saturating_sub(self.start)
    }

    pub(super) fn is_spent(&self, host: &dyn Host) -> bool {
        host.interrupted()
            || self.playouts == 0
            || self.time_limit.is_some_and(|limit| self.elapsed(host) >= limit)
    }
}
