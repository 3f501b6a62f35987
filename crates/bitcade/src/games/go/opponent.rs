//! [`Engine`]: the engine's side of a game on the screen. [`EngineThread`] runs it on a separate thread, so
//! keys and drawing never wait for it.

use super::start::Start;
use super::thinker::{Report, Task, Thinker};
use crate::io::output::Failure;
use go_mc::Move;
use go_mc::gtp::Options;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

/// A nonblocking engine, as a screen uses it.
pub(crate) trait Engine {
    /// Starts a task on the position after these moves and drops the previous task.
    fn begin(&mut self, moves: &[Move], task: Task);

    /// Sets the position from which the next tasks' moves are played.
    fn restart(&mut self, start: Start);

    fn report(&mut self) -> Option<Report>;
}

struct Request {
    number: u64,
    /// The new start, if it changed.
    start: Option<Start>,
    moves: Vec<Move>,
    task: Task,
}

/// The engine on its own thread, which ends within a fraction of a second after this is dropped.
pub(crate) struct EngineThread {
    /// `None` ends the thread.
    requests: Option<Sender<Request>>,
    reports: Receiver<(u64, Report)>,
    /// The start for the next request, if it changed.
    start: Option<Start>,
    /// The number of the last request: work on earlier ones stops.
    number: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl EngineThread {
    pub(crate) fn start(options: Options, start: Start) -> Result<Self, Failure> {
        let (requests, inbox) = channel::<Request>();
        let (outbox, reports) = channel();
        let number = Arc::new(AtomicU64::new(0));
        let current = Arc::clone(&number);
        let work = move || {
            let mut thinker = Thinker::new(options, start);
            for Request { number, start, moves, task } in inbox {
                if let Some(start) = start {
                    thinker.restart(start);
                }
                let stop = || current.load(Ordering::Relaxed) != number;
                if !stop() {
                    // The receiver is gone when the game is about to end.
                    thinker.work(&moves, task, &stop, &mut |report| {
                        drop(outbox.send((number, report)));
                    });
                }
            }
        };
        let thread = thread::Builder::new().spawn(work);
        let thread = thread.map_err(|error| {
            Failure::Check(format!("the engine's thread could not be started: {error}"))
        })?;
        Ok(Self { requests: Some(requests), reports, start: None, number, thread: Some(thread) })
    }
}

impl Engine for EngineThread {
    fn begin(&mut self, moves: &[Move], task: Task) {
        let number = self.number.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(requests) = &self.requests {
            // The thread ends when this sender is gone.
            let _ = requests.send(Request {
                number,
                start: self.start.take(),
                moves: moves.to_vec(),
                task,
            });
        }
    }

    fn restart(&mut self, start: Start) {
        self.start = Some(start);
    }

    fn report(&mut self) -> Option<Report> {
        let current = self.number.load(Ordering::Relaxed);
        loop {
            match self.reports.try_recv() {
                Ok((number, report)) if number == current => return Some(report),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.number.fetch_add(1, Ordering::Relaxed);
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::instant_engine::options;
    use super::*;

    fn thread(playouts: u64) -> EngineThread {
        let options = options(5, playouts);
        let start = Start::empty(&options).expect("a size");
        EngineThread::start(options, start).unwrap_or_else(|_| panic!("a thread"))
    }

    fn reports(engine: &mut EngineThread, last: impl Fn(&Report) -> bool) -> Vec<Report> {
        let mut reports = Vec::new();
        while !reports.last().is_some_and(&last) {
            match engine.report() {
                Some(report) => reports.push(report),
                None => thread::yield_now(),
            }
        }
        reports
    }

    fn is_done(report: &Report) -> bool {
        matches!(report, Report::Done)
    }

    #[test]
    fn a_task_has_its_reports() {
        let mut engine = thread(50);
        engine.begin(&[], Task::Move);
        let answer = reports(&mut engine, is_done);
        assert!(matches!(answer.first(), Some(Report::Owners(owners)) if owners.games() == 300));
        let [.., Report::Chosen(go_mc::search::Choice::Move(Move::Play(_))), _] = &answer[..]
        else {
            panic!("{answer:?}")
        };
        let chances = answer.iter().rev().find_map(|report| match report {
            Report::Chance(chance) => Some(chance.visits),
            _ => None,
        });
        assert_eq!(chances, Some(50), "{answer:?}");
        engine.begin(&[Move::Pass, Move::Pass], Task::Score);
        let answer = reports(&mut engine, is_done);
        assert!(matches!(&answer[1], Report::Score(score) if score == "W+7.5"), "{answer:?}");
        // A playout budget applies to moves only.
        engine.begin(&[], Task::Watch);
        assert_eq!(reports(&mut engine, is_done).len(), 2);
    }

    #[test]
    fn a_new_task_and_the_end_stop_the_search() {
        let mut engine = thread(u64::MAX);
        engine.begin(&[], Task::Move);
        reports(&mut engine, |_| true);
        engine.begin(&[Move::Pass], Task::Watch);
        let answer = reports(&mut engine, is_done);
        assert!(matches!(answer[..], [Report::Owners(_), Report::Done]), "{answer:?}");
        engine.begin(&[], Task::Move);
        reports(&mut engine, |report| matches!(report, Report::Chance(_)));
        drop(engine);
    }
}
