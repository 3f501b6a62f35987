//! [`Report`]: an answer that goes on, part by part, and [`Effort`]: what it may cost.

use super::analysis::Analysis;
use super::host::Host;
use crate::board::Color;
use std::string::String;
use std::time::Duration;

/// An answer that goes on: a line each interval.
pub(super) struct Report {
    pub(super) analysis: Analysis,
    pub(super) color: Color,
    pub(super) effort: Effort,
    /// The owners of all points, if they are asked for.
    pub(super) owners: Option<String>,
    /// Whether a move is made at the end. Otherwise there is no end but the next line.
    pub(super) moves: bool,
    /// Whether a line has been given.
    pub(super) begun: bool,
}

/// What may be spent on a move yet.
pub(super) struct Effort {
    pub(super) playouts: u64,
    pub(super) limit: Option<Duration>,
    pub(super) start: Duration,
}

impl Effort {
    pub(super) fn time(&self, host: &dyn Host) -> Duration {
        host.now().saturating_sub(self.start)
    }

    pub(super) fn is_over(&self, host: &dyn Host) -> bool {
        host.interrupted() || self.playouts == 0 || self.limit.is_some_and(|limit| self.time(host) >= limit)
    }
}
