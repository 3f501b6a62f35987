//! Batches in all their ways (modes of restart, illegal actions, starts, sizes) against the plain rules.

use crate::batch::Plain;
use bitcore::batch::{Autoreset, IllegalAction, StepBuffers};
use bitcore::{Level, Rng};
use match3::batch::BatchError;
use match3::planes::PlanesError;
use match3::{Batch, Board, Cell, Rules, RulesError, Swap};

/// A batch, and its games by the plain rules.
struct Both {
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
    fn new(level: Level, n: usize, rules: Rules, mode: Autoreset, illegal: IllegalAction) -> Self {
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

    /// Starts the next game of its stream.
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
        let terminated = swap.is_none() && self.illegal == IllegalAction::End;
        self.finished[at] = terminated || is_last;
        if self.finished[at] && self.mode == Autoreset::SameStep {
            self.restart(at);
        }
        (points, terminated, is_last && !terminated)
    }

    fn run(&mut self, steps: usize, what: &str) {
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
    let bad = [
        "1121\n3213".parse().expect("of another height"),
        "112\n321\n213".parse().expect("of another width"),
        "1112\n3213\n2132".parse().expect("with a run"),
        "3322\n2112\n3113".parse().expect("without a swap"),
        with(0, 0, Cell::EMPTY),
        with(0, 0, Cell::BLOCKED),
        with(3, 2, color(2).locked()),
        with(3, 2, color(4)),
        with(3, 2, color(35)),
    ];
    let batch = Batch::new(5, 1, rules).expect("a size");
    for (at, board) in bad.into_iter().enumerate() {
        let refused = batch.clone().with_starts(vec![good.clone(), board]).map(|_| ());
        assert_eq!(refused, Err(BatchError::Start { index: 1 }), "board {at}");
    }
    assert!(batch.with_starts(vec![good]).is_ok());
}

#[test]
fn another_limit_of_steps() {
    let rules = |moves| Rules { moves, ..Rules::default() };
    let batch = |moves| Batch::new(5, 4, rules(moves)).expect("six colors");
    let limit = |moves: u32| moves.try_into().ok();
    let (mut two, mut cut) = (batch(2), batch(30).with_step_limit(limit(2)));
    let mut endless = batch(2).with_step_limit(None);
    let mut slices = StepBuffers::new(two.shape());
    let mut other = slices.clone();
    for step in 1..10 {
        two.random_step_into(slices.out()).expect("slices that fit");
        cut.random_step_into(other.out()).expect("slices that fit");
        assert_eq!(slices, other, "step {step}");
        assert_eq!(slices.truncated, [step % 2 == 0; 5]);
        endless.random_step_into(other.out()).expect("slices that fit");
        assert_eq!((&other.truncated[..], endless.steps(4)), (&[false; 5][..], Some(step)));
    }
}
