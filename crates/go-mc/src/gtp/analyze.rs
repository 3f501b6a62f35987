//! How a session goes on with an answer.

use super::analysis::{self, Analysis, Dialect};
use super::fault::{Arguments, Reply};
use super::host::Host;
use super::report::{Effort, Report};
use super::session::{STATUS_GAMES, Session};
use crate::search::Search;
use std::format;
use std::string::String;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

impl Session {
    /// Begins an answer that goes on: until a move is made, or until the next line.
    pub(super) fn analyze(
        &mut self,
        dialect: Dialect,
        moves: bool,
        arguments: Arguments,
        host: &dyn Host,
    ) -> Reply {
        let analysis = Analysis::parse(dialect, arguments)?;
        let color = analysis.color.unwrap_or(self.game.to_move());
        let budget = self.prepare(color, host)?;
        let effort = if moves { budget } else { Effort { playouts: u64::MAX, limit: None, ..budget } };
        let owners = || analysis::owners(self.game.board(), color, STATUS_GAMES);
        let owners = analysis.ownership.then(owners).transpose()?;
        self.report = Some(Report { analysis, color, effort, owners, moves, begun: false });
        Ok(String::new())
    }

    /// What is left of an answer that goes on.
    pub(super) fn finish(&mut self, host: &dyn Host) -> String {
        let mut text = String::new();
        while self.report.is_some() {
            text += &self.next_part(host, &|| true);
        }
        text
    }

    /// See [`go_on`](Session::go_on); `line_waits` is the question of that name.
    pub(super) fn next_part(&mut self, host: &dyn Host, line_waits: &(dyn Fn() -> bool + Sync)) -> String {
        let Some(mut report) = self.report.take() else { return String::new() };
        let (begin, interval, moves) = (host.now(), report.analysis.interval, report.moves);
        let ends = || !moves && line_waits();
        let is_due = || host.now().saturating_sub(begin) >= interval;
        // At least a batch of playouts belongs to a part, whatever the clock says.
        let looked = AtomicBool::new(false);
        let pause = || looked.swap(true, Ordering::Relaxed) && (ends() || is_due());
        let played = self.run(&report.effort, host, &pause);
        report.effort.playouts = report.effort.playouts.saturating_sub(played);
        // The tree has then seen all the playouts that it can count.
        let full = played == 0;
        while full && !(moves || ends() || is_due() || host.interrupted()) {
            thread::yield_now();
        }

        let over = ends() || report.effort.is_over(host) || full && moves;
        // What is known at the end is news if a move is made now or nothing was said before.
        let news = !over || moves || !report.begun;
        let mut text = if news { self.report_line(&report) } else { String::new() };
        if !over {
            report.begun = true;
            self.report = Some(report);
        } else if moves {
            self.clock.spend(report.color, report.effort.time(host));
            // It is its turn on a board that it knows: it can't refuse.
            let mv = self.make_move(report.color).unwrap_or_else(|_| "resign".into());
            text += &format!("play {mv}\n\n");
        } else {
            text.push('\n');
        }
        text
    }

    fn report_line(&self, report: &Report) -> String {
        let variations = self.search.as_ref().map(Search::variations).unwrap_or_default();
        report.analysis.line(&variations, report.owners.as_deref())
    }
}
