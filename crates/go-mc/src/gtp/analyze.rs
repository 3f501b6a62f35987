//! The analysis commands of a [`Session`].

use super::analysis::{self, AnalysisFormat, AnalyzeOptions};
use super::error::{Arguments, CommandResult};
use super::host::Host;
use super::running::{Goal, MoveBudget, RunningAnalysis};
use super::session::{STATUS_PLAYOUTS, Session};
use crate::search::Search;
use std::format;
use std::string::String;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// The ownership playouts when the clock is empty.
const QUICK_PLAYOUTS: u32 = 10;

impl Session {
    /// Starts an analysis, which runs until the next line or, with [`Goal::Move`], until the move
    /// is found.
    pub(super) fn analyze(
        &mut self,
        format: AnalysisFormat,
        goal: Goal,
        arguments: Arguments,
        host: &dyn Host,
    ) -> CommandResult {
        let options = AnalyzeOptions::parse(format, arguments)?;
        let color = options.color.unwrap_or(self.game.to_move());
        let budget = self.prepare_search(color, host)?;
        let budget = match goal {
            Goal::Move => budget,
            Goal::Analyze => MoveBudget { playouts: u64::MAX, time_limit: None, ..budget },
        };
        // If there is no time for a search, there is none for ownership either.
        let games = if budget.is_empty() { QUICK_PLAYOUTS } else { STATUS_PLAYOUTS };
        let ownership = || analysis::ownership_values(self.game.board(), color, games);
        let ownership = options.ownership.then(ownership).transpose()?;
        self.running =
            Some(RunningAnalysis { options, color, budget, ownership, goal, has_reported: false });
        Ok(String::new())
    }

    /// Ends a running analysis immediately and returns the rest of its response.
    pub(super) fn finish(&mut self, host: &dyn Host) -> String {
        let mut text = String::new();
        while self.running.is_some() {
            text += &self.next_text(host, &|| true);
        }
        text
    }

    /// Returns the next part of the response, for
    /// [`continue_response`](Session::continue_response).
    pub(super) fn next_text(
        &mut self,
        host: &dyn Host,
        input_pending: &(dyn Fn() -> bool + Sync),
    ) -> String {
        let Some(mut running) = self.running.take() else { return String::new() };
        let start = host.now();
        let interval = running.options.interval;
        let plays_move = running.goal == Goal::Move;
        let ends = || !plays_move && input_pending();
        let is_due = || host.now().saturating_sub(start) >= interval;
        // The first call returns `false`, which guarantees each part at least one batch of
        // playouts.
        let asked = AtomicBool::new(false);
        let pause = || asked.swap(true, Ordering::Relaxed) && (ends() || is_due());
        let played = self.run_search(&running.budget, host, &pause);
        running.budget.playouts = running.budget.playouts.saturating_sub(played);
        // The root has reached its visit limit.
        let full = played == 0;
        while full && !(plays_move || ends() || is_due() || host.interrupted()) {
            thread::yield_now();
        }

        let over = ends() || running.budget.is_spent(host) || full && plays_move;
        // An analysis that ends without a move needs no last report if it has already reported.
        let must_report = !over || plays_move || !running.has_reported;
        let mut text = if must_report { self.report(&running) } else { String::new() };
        if !over {
            running.has_reported = true;
            self.running = Some(running);
        } else if plays_move {
            // The search chose a legal move, so the error cannot occur.
            let mv = self
                .make_move(running.color, &running.budget, self.ending())
                .unwrap_or_else(|_| "resign".into());
            self.end_turn(running.color, &running.budget, host);
            text += &format!("play {mv}\n\n");
        } else {
            text.push('\n');
        }
        text
    }

    fn report(&self, running: &RunningAnalysis) -> String {
        let variations = self.search.as_ref().map(Search::variations).unwrap_or_default();
        running.options.report(&variations, running.ownership.as_deref())
    }
}
