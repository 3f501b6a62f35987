//! [`Thinker`]: the engine of a game on the screen, without its thread.

use super::start::Start;
use crate::io::stopwatch::Stopwatch;
use go_mc::gtp::{Budget, NullHost, Options, Session};
use go_mc::search::{Choice, MAX_KOMI, RESIGN_TURNS, Search};
use go_mc::{Color, Game, Move, Ownership};
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Move,
    /// Estimating the win rate during the user's turn.
    Watch,
    Score,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chance {
    /// The share of playouts that Black won, 0 to 1.
    pub(crate) black: f64,
    pub(crate) visits: u64,
    /// The PV: the best moves of both players from here on.
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

/// The interval between two reports of a search.
const INTERVAL: Duration = Duration::from_millis(100);

/// The longest search during the user's turn, after which the CPU rests.
const WATCH: Duration = Duration::from_secs(10);

/// Returns the number of playouts for the ownership map: fewer on sizes without lane playouts.
fn owner_playouts(size: usize) -> u32 {
    if [9, 13].contains(&size) { 1000 } else { 300 }
}

/// The engine itself, which keeps its search tree between tasks.
pub(crate) struct Thinker {
    options: Options,
    start: Start,
    search: Option<Search>,
    /// The moves from the start to the position of the search.
    moves: Vec<Move>,
    /// The moves of the last turn.
    turn: Vec<Move>,
    /// The lengths of the prefixes of `turn` after which the search chose to resign.
    hopeless: Vec<usize>,
}

impl Thinker {
    pub(crate) fn new(options: Options, start: Start) -> Self {
        Self {
            options,
            start,
            search: None,
            moves: Vec::new(),
            turn: Vec::new(),
            hopeless: Vec::new(),
        }
    }

    /// Thinks about another position from now on.
    pub(crate) fn restart(&mut self, start: Start) {
        *self = Self::new(self.options.clone(), start);
    }

    /// Illegal moves, which no caller passes, are left out.
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
            // With a playout budget, moves do not depend on how long the user thinks. A finished
            // game needs no search.
            Task::Watch if matches!(self.options.budget, Budget::Time(_)) && !game.is_over() => {
                self.search(&game, moves, WATCH, stop, report);
            }
            Task::Watch => {}
        }
        report(Report::Done);
    }

    /// Searches a position until a move's budget or `most` is spent.
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
            let part = Stopwatch::start();
            let before = search.visits();
            // The end of an interval, or of the time.
            let _ = search.run_until(playouts, &|| over() || part.elapsed() >= INTERVAL);
            let visits = search.visits();
            playouts = playouts.saturating_sub(visits - before);
            if let Some(black) = search.win_rate(Color::Black) {
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

    /// Returns the engine's choice after `moves`: it resigns on the last of [`RESIGN_TURNS`]
    /// hopeless turns.
    fn patient(&mut self, choice: Choice, moves: &[Move]) -> Choice {
        // Turns that were undone, and turns of other games, do not count.
        let common = self.turn.iter().zip(moves).take_while(|(before, now)| before == now).count();
        self.hopeless.retain(|&length| length <= common && length < moves.len());
        self.turn = moves.to_vec();
        let Choice::Resign = choice else { return choice };
        self.hopeless.push(moves.len());
        let earlier = (0..RESIGN_TURNS).map(|turns| moves.len().checked_sub(2 * turns));
        if earlier.flatten().filter(|length| self.hopeless.contains(length)).count() == RESIGN_TURNS
        {
            return choice;
        }
        Choice::Move(self.search.as_ref().map_or(Move::Pass, Search::choose_move))
    }

    /// Moves the search to a position, keeping its tree if the position descends from the current
    /// root.
    fn follow(&mut self, game: &Game, moves: &[Move]) {
        let search = self.search.take().zip(moves.strip_prefix(self.moves.as_slice()));
        let followed = search.and_then(|(mut search, new)| {
            new.iter().all(|&mv| search.play(mv).is_ok()).then_some(search)
        });
        let komi = self.options.komi + f64::from(self.start.handicap_bonus());
        // The largest komi already wins for White.
        let new = || Search::with_komi(game, komi.min(MAX_KOMI.into()), &self.options.search).ok();
        self.search = followed.or_else(new);
        self.moves = moves.to_vec();
    }

    /// Returns the score in the format of GTP's `final_score`.
    fn score(&self, moves: &[Move]) -> String {
        let Ok(mut session) = Session::new(self.options.clone()) else { return String::new() };
        if session.load(self.start.record()).is_err() {
            return String::new();
        }
        let mut ask =
            |line: String| session.respond(line.as_bytes(), &NullHost).map(|answer| answer.text);
        let first = self.start.game().to_move();
        for (mv, color) in moves.iter().zip([first, first.other()].into_iter().cycle()) {
            ask(format!("play {color} {mv}"));
        }
        let answer = ask("final_score".to_owned()).unwrap_or_default();
        answer.trim_start_matches('=').trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::instant_engine::options;
    use super::*;

    fn thinker(options: &Options) -> Thinker {
        Thinker::new(options.clone(), Start::empty(options).expect("a size"))
    }

    /// The engine resigns a lost game on its third turn; undone turns do not count.
    #[test]
    fn a_lost_game_is_resigned_in_the_third_turn() {
        // White cannot win with this komi.
        let options = Options { komi: -100.0, ..options(5, 10_000) };
        let mut thinker = thinker(&options);
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
        // After the third turn two are undone, which leaves one hopeless turn.
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

    /// Black owns all 25 points, but White gets 20 of komi, and 13 for the handicap by Chinese
    /// rules.
    #[test]
    fn the_bonus_for_a_handicap_counts() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("game.sgf");
        let stones = "AB[bd][cd][dd][ed][bc][dc][ec][bb][cb][db][eb][be][ba]";
        for (rules, black_wins, score) in [("Chinese", false, "W+8"), ("NZ", true, "B+5")] {
            std::fs::write(&path, format!("(;SZ[5]KM[20]RU[{rules}]HA[13]{stones})"))
                .expect("written");
            let mut options = options(5, 300);
            let start = Start::load(&path, &mut options).unwrap_or_else(|_| panic!("a record"));
            let mut thinker = Thinker::new(options, start);
            let mut told = Vec::new();
            thinker.work(&[], Task::Move, &|| false, &mut |report| {
                if let Report::Chance(chance) = report {
                    told.push(chance.black);
                }
            });
            assert_eq!(
                told.last().map(|black| *black > 0.5),
                Some(black_wins),
                "{rules}: {told:?}"
            );
            assert_eq!(thinker.score(&[]), score, "{rules}");
        }
    }

    /// Neither a finished game nor a full tree keeps the CPU busy.
    #[test]
    fn watching_ends() {
        let mut options = options(5, 0);
        options.search.max_nodes = 100;
        let chances = |limit, moves: &[Move]| {
            let options = Options { budget: Budget::Time(limit), ..options.clone() };
            let begin = Stopwatch::start();
            let mut chances = Vec::new();
            thinker(&options).work(moves, Task::Watch, &|| false, &mut |report| {
                if let Report::Chance(chance) = report {
                    chances.push(chance.visits);
                }
            });
            assert!(begin.elapsed() < WATCH / 2, "{moves:?}: {:?}", begin.elapsed());
            chances
        };
        assert_eq!(chances(Duration::from_secs(100), &[Move::Pass; 2]).len(), 0);
        let visits = chances(INTERVAL * 3, &[]);
        assert!(visits.last().is_some_and(|&visits| visits > 100), "{visits:?}");
    }
}
