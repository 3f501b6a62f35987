//! Batches in all their ways (modes of restart, illegal actions, starts, sizes) against the plain rules.

use super::batch::Plain;
use bitcore::batch::{Autoreset, IllegalAction, StepBuffers};
use bitcore::{Level, Rng};
use match3::batch::BatchError;
use match3::planes::PlanesError;
use match3::{Batch, Board, Cell, Rules, RulesError, Swap};

/// A batch, and its games by the plain rules.
pub(crate) struct Both {
    rules: Rules,
    mode: Autoreset,
    illegal: IllegalAction,
    starts: Vec<Board>,
    batch: Batch,
    games: Vec<Plain>,
    finished: Vec<bool>,
    slices: StepBuffers,
}

impl Both {
    pub(crate) fn new(level: Level, n: usize, rules: Rules, mode: Autoreset, illegal: IllegalAction) -> Self {
        let batch = Batch::new_on(level, n, 3, rules).expect("rules that can be played");
        let batch = batch.with_autoreset(mode).with_illegal_action(illegal);
        let games = Rng::streams(3).take(n).map(|rng| Plain::new(&rules, rng)).collect();
        let mut slices = StepBuffers::new(batch.shape());
        batch.write_into(&mut slices.obs, &mut slices.mask).expect("slices that fit");
        Self { rules, mode, illegal, starts: Vec::new(), batch, games, finished: vec![false; n], slices }
    }

    /// Starts both again from some boards.
    fn with_starts(mut self, starts: &[Board]) -> Self {
        self.batch = self.batch.with_starts(starts.to_vec()).expect("boards to play");
        self.batch.write_into(&mut self.slices.obs, &mut self.slices.mask).expect("slices that fit");
        self.starts = starts.to_vec();
        let games = Rng::streams(3).take(self.games.len());
        self.games = games.map(|rng| Plain::started(&self.rules, rng, starts)).collect();
        self
    }

    fn check(&self, what: &str) {
        let obs: Vec<u8> = self.games.iter().flat_map(Plain::bytes).collect();
        assert_eq!(self.slices.obs, obs, "{what}");
        for (at, game) in self.games.iter().enumerate() {
            let mask = &self.slices.mask[self.batch.actions() * at..][..self.batch.actions()];
            let expected = game.mask().into_iter().map(|legal| legal && !self.finished[at]);
            assert!(mask.iter().copied().eq(expected), "{what}, game {at}");
            assert_eq!(self.batch.game(at).as_ref(), Some(&game.board), "{what}, game {at}");
        }
    }

    fn restart(&mut self, at: usize) {
        let game = &mut self.games[at];
        if self.finished[at] {
            game.last = Some(game.bytes());
        }
        self.finished[at] = false;
        game.moves_left = self.rules.moves;
        game.start(&self.starts);
    }

    /// Plays a swap, an illegal action without one. Returns reward, terminated, truncated.
    fn step(&mut self, at: usize, swap: Option<Swap>) -> (i64, bool, bool) {
        if self.finished[at] {
            self.restart(at);
            return (0, false, false);
        }
        let game = &mut self.games[at];
        game.moves_left -= 1;
        let is_last = game.moves_left == 0;
        let points = swap.map_or(0, |swap| game.play(swap, is_last));
        self.finished[at] = is_last || (swap.is_none() && self.illegal == IllegalAction::End);
        let terminated = self.finished[at];
        if self.finished[at] && self.mode == Autoreset::SameStep {
            self.restart(at);
        }
        (points, terminated, false)
    }

    pub(crate) fn run(&mut self, steps: usize, what: &str) {
        self.check(what);
        let mut rng = Rng::new(9);
        let n = self.games.len();
        for step in 0..steps {
            let what = format!("{what}, step {step}");
            if self.mode == Autoreset::Disabled && self.finished.contains(&true) {
                let which: Vec<bool> = self.finished.iter().map(|&over| over || rng.below(9) == 0).collect();
                let (obs, mask) = (&mut self.slices.obs, &mut self.slices.mask);
                self.batch.reset_some_into(&which, obs, mask).expect("slices that fit");
                (0..n).filter(|&at| which[at]).for_each(|at| self.restart(at));
                self.check(&what);
            }
            let swaps: Vec<Option<Swap>> = if rng.below(3) == 0 {
                self.batch.random_step_into(self.slices.out()).expect("slices that fit");
                let mut draw = |(game, &over): (&mut Plain, &bool)| (!over).then(|| game.random_swap());
                self.games.iter_mut().zip(&self.finished).map(&mut draw).collect()
            } else {
                let actions: Vec<u32> = (0..n).map(|at| self.action(at, &mut rng)).collect();
                let legal = |at: usize| self.games[at].mask().get(actions[at] as usize) == Some(&true);
                let swap = |at: usize| {
                    Swap::from_action(actions[at] as usize, self.rules.width, self.rules.height)
                        .filter(|_| legal(at))
                };
                let swaps = (0..n).map(swap).collect();
                self.batch.step_into(&actions, self.slices.out()).expect("actions that are treated");
                swaps
            };
            for (at, swap) in swaps.into_iter().enumerate() {
                let found = (self.slices.reward[at], self.slices.terminated[at], self.slices.truncated[at]);
                assert_eq!(self.step(at, swap), found, "{what}, game {at}");
                let mut last = vec![99; self.batch.cells()];
                let has_ended = self.batch.final_obs_into(at, &mut last);
                assert_eq!(has_ended.then_some(last), self.games[at].last, "{what}, game {at}");
            }
            self.check(&what);
        }
    }

    /// A random legal action; sometimes any number, where illegal ones are treated or the game waits.
    fn action(&self, at: usize, rng: &mut Rng) -> u32 {
        if self.finished[at] || (self.illegal != IllegalAction::Refuse && rng.below(4) == 0) {
            return match rng.below(3) {
                0 => u32::MAX - rng.below(2),
                1 => self.batch.actions() as u32 + rng.below(2),
                _ => rng.below(self.batch.actions() as u32),
            };
        }
        let mask = self.games[at].mask();
        let legal: Vec<usize> = (0..mask.len()).filter(|&action| mask[action]).collect();
        legal[rng.below(legal.len() as u32) as usize] as u32
    }
}

const MODES: [Autoreset; 3] = [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled];
const ILLEGAL: [IllegalAction; 3] = [IllegalAction::Refuse, IllegalAction::Ignore, IllegalAction::End];

#[test]
fn all_modes_and_illegal_actions() {
    for level in testkit::levels() {
        for mode in MODES {
            for illegal in ILLEGAL {
                for (n, width, height, colors) in [(67, 8, 8, 6), (6, 8, 8, 9), (7, 6, 7, 4)] {
                    let rules = Rules { width, height, colors, moves: 5 };
                    let what = format!("{level}, {mode:?}, {illegal:?}, {rules:?}");
                    Both::new(level, n, rules, mode, illegal).run(12, &what);
                }
            }
        }
    }
}

#[test]
fn all_small_sizes() {
    for level in testkit::levels() {
        for at in 0..64 {
            let (width, height) = (1 + at % 8, 1 + at / 8);
            for colors in [3, 7, 12] {
                let rules = Rules { width, height, colors, moves: 4 };
                match Batch::new_on(level, 0, 1, rules) {
                    Err(RulesError::Board(PlanesError::Dead { .. })) => continue,
                    other => assert!(other.is_ok(), "{rules:?}"),
                }
                let what = format!("{level}, {rules:?}");
                Both::new(level, 3, rules, Autoreset::SameStep, IllegalAction::Ignore).run(6, &what);
            }
        }
    }
}

#[test]
fn games_start_from_boards() {
    let colors = |text: &str| text.parse::<Board>().expect("a board");
    let starts = [colors("1121\n3213\n2132"), colors("1323\n2131\n1122"), colors("2332\n1121\n3223")];
    let rules = Rules { width: 4, height: 3, colors: 3, moves: 3 };
    for level in testkit::levels() {
        for mode in MODES {
            let mut both = Both::new(level, 9, rules, mode, IllegalAction::Refuse).with_starts(&starts);
            assert!(both.games.iter().any(|game| game.board == starts[0]));
            assert!(both.games.iter().any(|game| game.board == starts[2]));
            both.run(20, &format!("{level}, {mode:?}, starts"));
            let rules = Rules { width: 9, height: 9, ..rules };
            let boards: Vec<Board> = {
                let games = Batch::new(4, 7, rules).expect("a size");
                (0..4).filter_map(|game| games.game(game)).collect()
            };
            let mut both = Both::new(level, 3, rules, mode, IllegalAction::Refuse).with_starts(&boards);
            both.run(9, &format!("{level}, {mode:?}, large starts"));
        }
    }
}

#[test]
fn starts_that_cannot_be_played_are_refused() {
    let rules = Rules { width: 4, height: 3, colors: 3, moves: 3 };
    let good: Board = "1121\n3213\n2132".parse().expect("a board");
    let with = |x, y, cell| {
        let mut board = good.clone();
        board.set(x, y, cell);
        board
    };
    let color = |color| Cell::new(color).expect("a color");
    let (size, cell) = ("a board of another size", "a cell isn't a plain piece of one of the colors");
    let bad = [
        (size, "1121\n3213".parse().expect("of another height")),
        (size, "112\n321\n213".parse().expect("of another width")),
        ("three or more pieces of a color in a row", "1112\n3213\n2132".parse().expect("with a run")),
        ("no swap is legal", "3322\n2112\n3113".parse().expect("without a swap")),
        (cell, with(0, 0, Cell::EMPTY)),
        (cell, with(0, 0, Cell::BLOCKED)),
        (cell, with(3, 2, color(2).locked())),
        (cell, with(3, 2, color(4))),
        (cell, with(3, 2, color(35))),
    ];
    let batch = Batch::new(5, 1, rules).expect("a size");
    for (at, (reason, board)) in bad.into_iter().enumerate() {
        let refused = batch.clone().with_starts(vec![good.clone(), board]).map(|_| ());
        assert_eq!(refused, Err(BatchError::Start { index: 1, reason }), "board {at}");
        assert_eq!(refused.unwrap_err().to_string(), format!("start 1: {reason}"));
    }
    assert!(batch.with_starts(vec![good]).is_ok());
}

#[test]
fn spent_moves_terminate_and_a_limit_of_steps_truncates() {
    let batch = |moves| Batch::new(5, 4, Rules { moves, ..Rules::default() }).expect("six colors");
    let limit = |steps: u32| steps.try_into().ok();
    let mut slices = StepBuffers::new(batch(1).shape());
    // Moves, limit of steps, the length of a game, and whether its end is terminated.
    let cases =
        [(2, None, 2, true), (30, limit(2), 2, false), (3, limit(3), 3, true), (2, limit(9), 2, true)];
    for (moves, limit, length, is_terminated) in cases {
        let mut batch = batch(moves).with_step_limit(limit);
        for step in 1..10 {
            batch.random_step_into(slices.out()).expect("slices that fit");
            let what = format!("{moves} moves, limit {limit:?}, step {step}");
            let ends = step % length == 0;
            assert_eq!(slices.terminated, [ends && is_terminated; 5], "{what}");
            assert_eq!(slices.truncated, [ends && !is_terminated; 5], "{what}");
            let left = moves - step % length;
            assert!(slices.obs.chunks(128).all(|obs| obs[64..] == [left as u8; 64]), "{what}");
            let mut last = [0; 128];
            assert_eq!(batch.final_obs_into(4, &mut last), step >= length, "{what}");
            assert!(step < length || last[64..] == [(moves - length) as u8; 64], "{what}");
        }
    }
}

#[test]
fn moves_left_beyond_a_byte() {
    let mut batch = Batch::new(1, 4, Rules { moves: 257, ..Rules::default() }).expect("six colors");
    let mut slices = StepBuffers::new(batch.shape());
    for left in [255, 255, 254, 253] {
        batch.random_step_into(slices.out()).expect("slices that fit");
        assert_eq!(slices.obs[64..], [left; 64]);
    }
    let rules = Rules { moves: u32::MAX, ..Rules::default() };
    let mut endless = Batch::new(1, 4, rules).expect("six colors");
    endless.random_step_into(slices.out()).expect("slices that fit");
    assert_eq!((slices.obs[127], slices.terminated[0]), (255, false));
}

#[test]
fn a_restart_keeps_the_moves_left_of_a_game_that_was_cut() {
    let mut batch = Batch::new(2, 4, Rules::default())
        .expect("six colors")
        .with_autoreset(Autoreset::NextStep)
        .with_step_limit(3.try_into().ok());
    let mut slices = StepBuffers::new(batch.shape());
    let mut cut = Vec::new();
    for step in 1..=4 {
        batch.random_step_into(slices.out()).expect("slices that fit");
        if step == 3 {
            cut.clone_from(&slices.obs);
        }
    }
    assert_eq!((cut[127], slices.obs[127], batch.steps(1)), (27, 30, Some(0)));
    let mut last = [0; 128];
    assert!(batch.final_obs_into(1, &mut last) && last == cut[128..]);
}
