//! [`Engine`]: the engine's part in a game on the screen. [`EngineThread`] runs it on a thread of its own, so
//! that keys and drawing never wait for it.

use super::record_file::Start;
use crate::output::Failure;
use crate::stopwatch::Stopwatch;
use go_mc::gtp::{Budget, NullHost, Options, Session};
use go_mc::search::{Choice, RESIGN_TURNS, Search};
use go_mc::{Color, Game, Move, Ownership};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Move,
    /// Estimating the chances while the user thinks.
    Watch,
    Score,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chance {
    /// The share of playouts that Black won, 0 to 1.
    pub(crate) black: f64,
    /// The playouts in the tree.
    pub(crate) visits: u64,
    /// The best moves of both players from here on.
    pub(crate) line: Vec<Move>,
    pub(crate) missing_threads: usize,
}

/// A part of the engine's answer.
#[derive(Clone, Debug)]
pub(crate) enum Report {
    Owners(Ownership),
    Chance(Chance),
    Chosen(Choice),
    /// The score of the game, such as `B+3.5`.
    Score(String),
    Done,
}

/// An engine, as a screen uses it: it never waits.
pub(crate) trait Engine {
    /// Begins a task on the position after these moves. The task before is dropped.
    fn begin(&mut self, moves: &[Move], task: Task);

    /// Returns the next part of the answer, if there is one by now.
    fn report(&mut self) -> Option<Report>;
}

/// The interval between two reports of a search.
const INTERVAL: Duration = Duration::from_millis(100);

/// The longest search while the user thinks: then the machine rests.
const WATCH: Duration = Duration::from_secs(10);

/// Returns the playouts that estimate the owners: fewer on the boards that don't play them in lanes.
fn owner_playouts(size: usize) -> u32 {
    if [9, 13].contains(&size) { 1000 } else { 300 }
}

/// The engine itself. It keeps its search tree from task to task.
pub(crate) struct Thinker {
    options: Options,
    start: Start,
    search: Option<Search>,
    /// The moves from the start up to the position of the search.
    moves: Vec<Move>,
    /// The moves of the last turn.
    turn: Vec<Move>,
    /// The lengths of the beginnings of `turn` after which the search chose to resign.
    hopeless: Vec<usize>,
}

impl Thinker {
    pub(crate) fn new(options: Options, start: Start) -> Self {
        Self { options, start, search: None, moves: Vec::new(), turn: Vec::new(), hopeless: Vec::new() }
    }

    /// Returns the game after some moves. Moves that are not legal, which no caller has, are left out.
    fn game(&self, moves: &[Move]) -> Game {
        let mut game = self.start.game().clone();
        for &mv in moves {
            let _ = game.play(mv);
        }
        game
    }

    pub(crate) fn work(
        &mut self,
        moves: &[Move],
        task: Task,
        stop: &(dyn Fn() -> bool + Sync),
        report: &mut dyn FnMut(Report),
    ) {
        let game = self.game(moves);
        let games = owner_playouts(self.options.rules.size.width());
        if let Ok(owners) = Ownership::estimate(game.board(), games, 1) {
            report(Report::Owners(owners));
        }
        match task {
            Task::Score => report(Report::Score(self.score(moves))),
            Task::Move => {
                self.search(&game, moves, Duration::MAX, stop, report);
                if let Some(choice) = self.search.as_ref().map(Search::choose)
                    && !stop()
                {
                    report(Report::Chosen(self.patient(choice, moves)));
                }
            }
            // With a budget of playouts the moves do not depend on how long the user thinks. After the end there are none.
            Task::Watch if matches!(self.options.budget, Budget::Time(_)) && !game.is_over() => {
                self.search(&game, moves, WATCH, stop, report);
            }
            Task::Watch => {}
        }
        report(Report::Done);
    }

    /// Searches a position until the budget of a move or `most` is spent.
    fn search(
        &mut self,
        game: &Game,
        moves: &[Move],
        most: Duration,
        stop: &(dyn Fn() -> bool + Sync),
        report: &mut dyn FnMut(Report),
    ) {
        let begin = Stopwatch::start();
        self.follow(game, moves);
        let Some(search) = &mut self.search else { return };
        let (mut playouts, limit) = match self.options.budget {
            Budget::Playouts(playouts) => (playouts, Duration::MAX),
            Budget::Time(limit) => (u64::MAX, limit.min(most)),
        };
        let over = || stop() || begin.elapsed() >= limit;
        loop {
            let (part, before) = (Stopwatch::start(), search.visits());
            search.run(playouts, &|| over() || part.elapsed() >= INTERVAL);
            let visits = search.visits();
            playouts = playouts.saturating_sub(visits - before);
            if let Some(best) = search.candidates().first() {
                let black = match game.to_move() {
                    Color::Black => best.win_rate,
                    Color::White => 1.0 - best.win_rate,
                };
                report(Report::Chance(Chance {
                    black,
                    visits,
                    line: search.principal_variation(),
                    missing_threads: search.missing_threads(),
                }));
            }
            if over() || playouts == 0 || visits == before {
                break;
            }
        }
    }

    /// Returns the engine's choice after `moves`: it resigns in the last of [`RESIGN_TURNS`] hopeless turns.
    fn patient(&mut self, choice: Choice, moves: &[Move]) -> Choice {
        // Turns that were taken back, and those of another game, do not count.
        let common = self.turn.iter().zip(moves).take_while(|(before, now)| before == now).count();
        self.hopeless.retain(|&length| length <= common && length < moves.len());
        self.turn = moves.to_vec();
        let Choice::Resign = choice else { return choice };
        self.hopeless.push(moves.len());
        let earlier = (0..RESIGN_TURNS).map(|turns| moves.len().checked_sub(2 * turns));
        if earlier.flatten().filter(|length| self.hopeless.contains(length)).count() == RESIGN_TURNS {
            return choice;
        }
        Choice::Move(self.search.as_ref().map_or(Move::Pass, Search::choose_move))
    }

    /// Moves the search to a position, with its tree if the position follows that of the tree.
    fn follow(&mut self, game: &Game, moves: &[Move]) {
        let search = self.search.take().zip(moves.strip_prefix(self.moves.as_slice()));
        let followed = search
            .and_then(|(mut search, new)| new.iter().all(|&mv| search.play(mv).is_ok()).then_some(search));
        let new = || Search::with_komi(game, self.options.komi, &self.options.search).ok();
        self.search = followed.or_else(new);
        self.moves = moves.to_vec();
    }

    /// Returns the score, as GTP's `final_score` gives it.
    fn score(&self, moves: &[Move]) -> String {
        let Ok(mut session) = Session::new(self.options.clone()) else { return String::new() };
        if session.load(self.start.record()).is_err() {
            return String::new();
        }
        let mut ask = |line: String| session.respond(line.as_bytes(), &NullHost).map(|answer| answer.text);
        let first = self.start.game().to_move();
        for (mv, color) in moves.iter().zip([first, first.other()].into_iter().cycle()) {
            ask(format!("play {color} {mv}"));
        }
        let answer = ask("final_score".to_owned()).unwrap_or_default();
        answer.trim_start_matches('=').trim().to_owned()
    }
}

struct Request {
    number: u64,
    moves: Vec<Move>,
    task: Task,
}

/// The engine on a thread of its own. The thread ends when this is dropped, within a part of a second.
pub(crate) struct EngineThread {
    /// `None` when the thread is to end.
    requests: Option<Sender<Request>>,
    reports: Receiver<(u64, Report)>,
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
            for Request { number, moves, task } in inbox {
                let stop = || current.load(Ordering::Relaxed) != number;
                if !stop() {
                    // The receiver is gone when the game is about to end.
                    thinker.work(&moves, task, &stop, &mut |report| drop(outbox.send((number, report))));
                }
            }
        };
        let thread = thread::Builder::new().spawn(work);
        let thread = thread.map_err(|error| {
            Failure::Check(format!("the thread of the engine could not be started: {error}"))
        })?;
        Ok(Self { requests: Some(requests), reports, number, thread: Some(thread) })
    }
}

impl Engine for EngineThread {
    fn begin(&mut self, moves: &[Move], task: Task) {
        let number = self.number.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(requests) = &self.requests {
            // The thread ends after this sender is gone.
            let _ = requests.send(Request { number, moves: moves.to_vec(), task });
        }
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
    use super::*;

    fn options(playouts: u64) -> Options {
        Options {
            rules: go_mc::Size::square(5).expect("a size").into(),
            budget: Budget::Playouts(playouts),
            ..Options::default()
        }
    }

    fn start(options: &Options) -> Start {
        Start::empty(options).expect("a size")
    }

    fn thread(playouts: u64) -> EngineThread {
        let options = options(playouts);
        EngineThread::start(options.clone(), start(&options)).unwrap_or_else(|_| panic!("a thread"))
    }

    /// Waits for the next report of a kind, and returns all up to it.
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
        let [.., Report::Chosen(Choice::Move(Move::Play(_))), _] = &answer[..] else { panic!("{answer:?}") };
        let chances = answer.iter().rev().find_map(|report| match report {
            Report::Chance(chance) => Some(chance.visits),
            _ => None,
        });
        assert_eq!(chances, Some(50), "{answer:?}");
        engine.begin(&[Move::Pass, Move::Pass], Task::Score);
        let answer = reports(&mut engine, is_done);
        assert!(matches!(&answer[1], Report::Score(score) if score == "W+7.5"), "{answer:?}");
        // A budget of playouts is for moves only.
        engine.begin(&[], Task::Watch);
        assert_eq!(reports(&mut engine, is_done).len(), 2);
    }

    /// The engine resigns a lost game in its third turn; turns that are taken back do not count.
    #[test]
    fn a_lost_game_is_resigned_in_the_third_turn() {
        // White has no chance with this komi.
        let options = Options { komi: -100.0, ..options(10_000) };
        let mut thinker = Thinker::new(options.clone(), start(&options));
        let mut moves: Vec<Move> = vec!["C3".parse().expect("a move")];
        let mut chosen = |moves: &[Move]| {
            let mut choice = None;
            thinker.work(moves, Task::Move, &|| false, &mut |report| {
                if let Report::Chosen(chosen) = report {
                    choice = Some(chosen);
                }
            });
            choice.expect("a choice")
        };
        // After the third turn two are taken back: one hopeless turn is left.
        for kept in [1, 3, 5, 3, 5] {
            moves.truncate(kept);
            match chosen(&moves) {
                Choice::Move(mv) => moves.extend([mv, Move::Pass]),
                Choice::Resign => assert_eq!(kept, 5),
            }
            assert_eq!(moves.len() == kept, kept == 5, "resigned after {kept}");
        }
        // Another game.
        assert!([1, 3].iter().all(|&turns| matches!(chosen(&moves[..turns]), Choice::Move(_))));
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

    /// Neither a finished game nor a tree without room for more nodes keeps the machine busy.
    #[test]
    fn watching_ends() {
        let mut options = options(0);
        options.search.max_nodes = 100;
        let chances = |limit, moves: &[Move]| {
            let options = Options { budget: Budget::Time(limit), ..options.clone() };
            let (begin, mut chances) = (Stopwatch::start(), Vec::new());
            Thinker::new(options.clone(), start(&options)).work(
                moves,
                Task::Watch,
                &|| false,
                &mut |report| {
                    if let Report::Chance(chance) = report {
                        chances.push(chance.visits);
                    }
                },
            );
            assert!(begin.elapsed() < WATCH / 2, "{moves:?}: {:?}", begin.elapsed());
            chances
        };
        assert_eq!(chances(Duration::from_secs(100), &[Move::Pass; 2]).len(), 0);
        let visits = chances(INTERVAL * 3, &[]);
        assert!(visits.last().is_some_and(|&visits| visits > 100), "{visits:?}");
    }
}
