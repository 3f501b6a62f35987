//! A batch against single games played by the plain rules, and the steps that it refuses.

use bitcore::batch::{Autoreset, StepBuffers, TooManyGames, WrongLength};
use bitcore::{Level, Rng};
use match3::batch::BatchError;
use match3::colors::{Colors, RandomColors};
use match3::planes::PlanesError;
use match3::reference::naive;
use match3::{Axis, Batch, Board, Board16, Rules, RulesError, Swap};

/// The caller's slices.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Slices(StepBuffers);

impl Slices {
    /// Slices for a batch, with the first observations.
    fn reset(batch: &mut Batch) -> Self {
        let mut slices = Self(StepBuffers::new(batch.shape()));
        batch.reset_into(&mut slices.0.obs, &mut slices.0.mask).expect("slices that fit");
        slices
    }

    fn step(&mut self, batch: &mut Batch, actions: &[u32]) -> Result<(), BatchError> {
        batch.step_into(actions, self.0.out())
    }

    fn random_step(&mut self, batch: &mut Batch) -> Result<(), BatchError> {
        batch.random_step_into(self.0.out())
    }

    /// A random legal action of each game.
    fn actions(&self, games: usize, rng: &mut Rng) -> Vec<u32> {
        let pick = |mask: &[bool]| {
            let legal: Vec<usize> = (0..mask.len()).filter(|&action| mask[action]).collect();
            legal[rng.below(legal.len() as u32) as usize] as u32
        };
        self.0.mask.chunks(self.0.mask.len() / games).map(pick).collect()
    }

    /// The first legal action of each game.
    fn first_actions(&self, games: usize) -> Vec<u32> {
        let first = |mask: &[bool]| mask.iter().position(|&legal| legal).expect("never a dead board") as u32;
        self.0.mask.chunks(self.0.mask.len() / games).map(first).collect()
    }
}

/// One game by the plain rules, on its own stream.
pub(crate) struct Plain {
    pub(crate) board: Board,
    pub(crate) colors: RandomColors,
    pub(crate) moves_left: u32,
    pub(crate) last: Option<Vec<u8>>,
}

impl Plain {
    pub(crate) fn new(rules: &Rules, rng: Rng) -> Self {
        Self::started(rules, rng, &[])
    }

    /// Starts a game from one of some boards, or without any from a new one.
    pub(crate) fn started(rules: &Rules, rng: Rng, starts: &[Board]) -> Self {
        let board = Board::new(rules.width, rules.height).expect("a size");
        let colors = RandomColors::new(rules.colors, rng).expect("few colors");
        let mut game = Self { board, colors, moves_left: rules.moves, last: None };
        game.start(starts);
        game
    }

    pub(crate) fn start(&mut self, starts: &[Board]) {
        match starts.len() {
            0 => self.deal(),
            n => self.board = starts[self.colors.rng().below(n as u32) as usize].clone(),
        }
    }

    fn deal(&mut self) {
        let (width, height) = (self.board.width(), self.board.height());
        let board = Board16::<4>::deal(width, height, &mut self.colors).expect("a board that can be dealt");
        self.board = board.into();
    }

    /// The observation: the colors, then the moves left in every cell.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let cells = self.board.cells();
        let left = std::iter::repeat_n(self.moves_left.min(255) as u8, cells.len());
        cells.iter().map(|cell| cell.byte()).chain(left).collect()
    }

    pub(crate) fn mask(&self) -> Vec<bool> {
        let (width, height) = (self.board.width(), self.board.height());
        let legal = naive::swaps(&self.board);
        let pairs = (0..Swap::actions(width, height)).map(|action| Swap::from_action(action, width, height));
        pairs.map(|pair| legal.contains(&pair.expect("a pair"))).collect()
    }

    /// Draws a legal swap: horizontal ones first, by column from the left, in a column from the lowest cell
    /// up.
    pub(crate) fn random_swap(&mut self) -> Swap {
        let mut legal = naive::swaps(&self.board);
        legal.sort_by_key(|swap| (swap.axis, swap.x, std::cmp::Reverse(swap.y)));
        legal[self.colors.rng().below(legal.len() as u32) as usize]
    }

    /// Plays a legal swap and returns the points. A dead board is replaced unless the move was the last one.
    pub(crate) fn play(&mut self, swap: Swap, is_last: bool) -> i64 {
        let [a, b] = swap.cells();
        self.board.exchange(a, b);
        let result = naive::cascade(&mut self.board, || self.colors.next());
        if !is_last && naive::swaps(&self.board).is_empty() {
            self.deal();
        }
        result.score as i64
    }

    /// Plays a legal swap. Returns the points, and whether it was the last move.
    fn step(&mut self, rules: &Rules, swap: Swap) -> (i64, bool) {
        self.moves_left -= 1;
        let ended = self.moves_left == 0;
        let points = self.play(swap, ended);
        if ended {
            self.last = Some(self.bytes());
            self.moves_left = rules.moves;
            self.deal();
        }
        (points, ended)
    }
}

/// Returns the slices that the plain games would have written.
fn plain_slices(games: &[Plain], played: &[(i64, bool)]) -> Slices {
    Slices(StepBuffers {
        obs: games.iter().flat_map(Plain::bytes).collect(),
        reward: played.iter().map(|&(reward, _)| reward).collect(),
        terminated: played.iter().map(|&(_, ended)| ended).collect(),
        truncated: vec![false; games.len()],
        mask: games.iter().flat_map(Plain::mask).collect(),
    })
}

/// Plays random moves and a caller's by turns against plain games.
fn compare(level: Level, n: usize, seed: u64, rules: Rules, steps: usize) {
    let mut batch = Batch::new_on(level, n, seed, rules).expect("rules that can be played");
    let mut games: Vec<Plain> = Rng::streams(seed).take(n).map(|rng| Plain::new(&rules, rng)).collect();
    let mut slices = Slices::reset(&mut batch);
    assert_eq!(slices, plain_slices(&games, &vec![(0, false); n]), "{level}, {rules:?}");
    let mut choice = Rng::new(seed + 77);
    for step in 0..steps {
        let swaps: Vec<Swap> = if choice.below(2) == 0 {
            slices.random_step(&mut batch).expect("slices that fit");
            games.iter_mut().map(Plain::random_swap).collect()
        } else {
            let actions = slices.actions(n, &mut choice);
            slices.step(&mut batch, &actions).expect("legal actions");
            let pair = |&action: &u32| Swap::from_action(action as usize, rules.width, rules.height);
            actions.iter().map(|action| pair(action).expect("a pair")).collect()
        };
        let played: Vec<(i64, bool)> =
            games.iter_mut().zip(swaps).map(|(game, swap)| game.step(&rules, swap)).collect();
        assert_eq!(slices, plain_slices(&games, &played), "{level}, {rules:?}, step {step}");
        for (i, game) in games.iter().enumerate() {
            let untouched = vec![99; batch.cells()];
            let mut obs = untouched.clone();
            assert_eq!(batch.final_obs_into(i, &mut obs), game.last.is_some());
            assert_eq!(&obs, game.last.as_ref().unwrap_or(&untouched));
        }
    }
}

#[test]
fn a_batch_plays_what_single_games_play() {
    for level in testkit::levels() {
        compare(level, 5, 3, Rules { moves: 7, ..Rules::default() }, 60);
    }
}

#[test]
fn boards_of_any_size() {
    for (width, height) in [(9, 9), (16, 3), (3, 16), (1, 16), (12, 1), (8, 5), (5, 8)] {
        compare(Level::detect(), 2, 5, Rules { width, height, colors: 3, moves: 4 }, 9);
    }
    compare(Level::detect(), 2, 5, Rules { width: 11, height: 9, colors: 9, moves: 4 }, 9);
    let rules = Rules { width: 17, ..Rules::default() };
    let error = PlanesError::Size { width: 17, height: 8, longest: 16 };
    assert_eq!(Batch::new(1, 1, rules).map(|_| ()), Err(RulesError::Board(error)));
    let rules = Rules { moves: 0, ..Rules::default() };
    let error = Batch::new(1, 1, rules).map(|_| ()).expect_err("no move");
    assert_eq!((error, error.to_string().as_str()), (RulesError::NoMoves, "0 moves: expected at least 1"));
}

#[test]
fn no_dead_board_stays() {
    // Fifteen colors: most moves end on a dead board, and a new one is dealt at once.
    compare(Level::detect(), 3, 8, Rules { colors: 15, moves: 1000, ..Rules::default() }, 100);
}

#[test]
fn a_game_does_not_depend_on_the_batch() {
    let run = |n: usize| {
        let mut batch =
            Batch::new(n, 8, Rules { colors: 7, moves: 5, ..Rules::default() }).expect("seven colors");
        let mut slices = Slices::reset(&mut batch);
        let mut rewards = Vec::new();
        for step in 0..40 {
            if step % 3 == 0 {
                slices.random_step(&mut batch).expect("slices that fit");
            } else {
                let actions = slices.first_actions(n);
                slices.step(&mut batch, &actions).expect("legal actions");
            }
            rewards.push((slices.0.reward[0], slices.0.terminated[0], slices.0.obs[..128].to_vec()));
        }
        rewards
    };
    let alone = run(1);
    assert!(alone.iter().any(|&(_, ended, _)| ended));
    assert_eq!(run(2), alone);
    assert_eq!(run(9), alone);
}

#[test]
fn reset_begins_the_streams_again() {
    let mut batch = Batch::new(4, 8, Rules { moves: 3, ..Rules::default() }).expect("six colors");
    let mut slices = Slices::reset(&mut batch);
    let start = slices.clone();
    for _ in 0..5 {
        slices.random_step(&mut batch).expect("slices that fit");
    }
    assert_ne!(slices.0.obs, start.0.obs);
    assert!(batch.final_obs_into(0, &mut [0; 128]));
    batch.reset_into(&mut slices.0.obs, &mut slices.0.mask).expect("slices that fit");
    assert_eq!((&slices.0.obs, &slices.0.mask), (&start.0.obs, &start.0.mask));
    assert!(!batch.final_obs_into(0, &mut [0; 128]));
}

#[test]
fn what_is_refused_changes_nothing() {
    let rules = Rules { moves: 3, ..Rules::default() };
    let mut batch = Batch::new(2, 8, rules).expect("six colors");
    let mut slices = Slices::reset(&mut batch);
    let legal = slices.first_actions(2);
    let illegal = slices.0.mask[112..].iter().position(|&is| !is).expect("not all are legal") as u32;
    let before = slices.clone();
    for action in [illegal, 112, u32::MAX] {
        let error = slices.step(&mut batch, &[legal[0], action]);
        assert_eq!(error, Err(BatchError::Illegal { game: 1, action }));
        assert_eq!(slices, before);
    }
    let error = slices.step(&mut batch, &legal[..1]).expect_err("one action for two games");
    assert_eq!(error.to_string(), "actions: 1 elements, expected 2");
    let mut short = slices.clone();
    short.0.mask.pop();
    let error = BatchError::Length(WrongLength { slice: "mask", expected: 2 * 112, found: 2 * 112 - 1 });
    assert_eq!(short.step(&mut batch, &legal), Err(error));
    assert_eq!(short.random_step(&mut batch), Err(error));
    assert_eq!(batch.reset_into(&mut slices.0.obs, &mut short.0.mask), Err(error));
    let error = BatchError::Length(WrongLength { slice: "which", expected: 2, found: 1 });
    assert_eq!(batch.reset_some_into(&[true], &mut slices.0.obs, &mut slices.0.mask), Err(error));
    // Nothing has changed in the games either: they continue as fresh ones do.
    let mut fresh = Batch::new(2, 8, rules).expect("six colors");
    let mut other = slices.clone();
    slices.step(&mut batch, &legal).expect("legal actions");
    other.step(&mut fresh, &legal).expect("legal actions");
    assert_eq!(slices, other);
}

/// Steps a batch by random moves and gives, per game, each observation that its games had, with the points of
/// the move before. The first observation of a game has none.
fn histories(mut batch: Batch, autoreset: Autoreset, steps: usize) -> Vec<Vec<(Vec<u8>, Option<i64>)>> {
    batch = batch.with_autoreset(autoreset);
    let (n, cells, actions) = (batch.len(), batch.cells(), batch.actions());
    let mut slices = Slices::reset(&mut batch);
    let row = |slices: &Slices, game: usize| slices.0.obs[game * cells..(game + 1) * cells].to_vec();
    let mut histories: Vec<_> = (0..n).map(|game| vec![(row(&slices, game), None)]).collect();
    let mut over = vec![false; n];
    for _ in 0..steps {
        slices.random_step(&mut batch).expect("games that are not over");
        for game in 0..n {
            let (obs, points) = (row(&slices, game), slices.0.reward[game]);
            let ended = slices.0.terminated[game];
            match (autoreset, ended) {
                (Autoreset::SameStep, true) => {
                    let mut last = vec![0; cells];
                    assert!(batch.final_obs_into(game, &mut last));
                    histories[game].extend([(last, Some(points)), (obs, None)]);
                }
                (Autoreset::NextStep, false) if over[game] => {
                    assert_eq!(points, 0);
                    histories[game].push((obs, None));
                }
                _ => histories[game].push((obs, Some(points))),
            }
            let dead = !slices.0.mask[actions * game..][..actions].contains(&true);
            assert_eq!(dead, ended && autoreset != Autoreset::SameStep);
            over[game] = ended;
        }
        if autoreset == Autoreset::Disabled && over.contains(&true) {
            let first = over.iter().position(|&over| over).expect("a game that is over");
            let (before, mut out) = (slices.clone(), slices.clone());
            let refused = Err(BatchError::Finished { game: first });
            assert_eq!(out.random_step(&mut batch), refused);
            assert_eq!(out.step(&mut batch, &vec![0; n]), refused);
            assert_eq!(out, before);
            batch.reset_some_into(&over, &mut slices.0.obs, &mut slices.0.mask).expect("slices that fit");
            for game in (0..n).filter(|&game| over[game]) {
                histories[game].push((row(&slices, game), None));
            }
        }
    }
    histories
}

#[test]
fn the_games_are_the_same_in_each_mode_of_restart() {
    for level in testkit::levels() {
        let batch = Batch::new_on(level, 5, 8, Rules { moves: 4, ..Rules::default() }).expect("six colors");
        let same = histories(batch.clone(), Autoreset::SameStep, 30);
        for autoreset in [Autoreset::NextStep, Autoreset::Disabled] {
            let other = histories(batch.clone(), autoreset, 30);
            for (game, (same, other)) in same.iter().zip(&other).enumerate() {
                let starts = other.iter().filter(|(_, points)| points.is_none()).count();
                assert!(starts > 3, "game {game} was restarted");
                // A mode that takes a step to restart has come less far.
                let common = same.len().min(other.len());
                assert_eq!(same[..common], other[..common], "{level}, {autoreset:?}, game {game}");
            }
        }
    }
}

#[test]
fn games_in_the_middle_are_reset_too() {
    let mut batch = Batch::new(3, 8, Rules::default()).expect("six colors");
    let mut slices = Slices::reset(&mut batch);
    slices.random_step(&mut batch).expect("slices that fit");
    let before = slices.clone();
    let which = [false, true, false];
    batch.reset_some_into(&which, &mut slices.0.obs, &mut slices.0.mask).expect("slices that fit");
    for (game, reset) in which.into_iter().enumerate() {
        let row = 128 * game..128 * game + 64;
        assert_eq!(slices.0.obs[row.clone()] != before.0.obs[row], reset, "game {game}");
        assert!(!batch.final_obs_into(game, &mut [0; 128]));
    }
}

#[test]
fn a_batch_of_no_game() {
    let mut batch = Batch::new(0, 1, Rules::default()).expect("six colors");
    assert!(batch.is_empty());
    assert_eq!(batch.reset_into(&mut [], &mut []), Ok(()));
    let mut none = StepBuffers::default();
    assert_eq!(batch.step_into(&[], none.out()), Ok(()));
    assert_eq!(batch.random_step_into(none.out()), Ok(()));
    assert_eq!(batch.reset_some_into(&[], &mut [], &mut []), Ok(()));
}

#[test]
fn rules_of_no_game_are_checked_too() {
    let error = |width, height, colors, moves| {
        let rules = Rules { width, height, colors, moves };
        let none = Batch::new(0, 1, rules).map(|_| ()).unwrap_err();
        assert_eq!(Batch::new(1, 1, rules).map(|_| ()), Err(none), "{rules:?}");
        none
    };
    let size = |width, height, longest| RulesError::Board(PlanesError::Size { width, height, longest });
    // Width times height, and the number of actions, overflow.
    assert_eq!(error(usize::MAX, usize::MAX, 6, 1), size(usize::MAX, usize::MAX, 16));
    assert_eq!(error(0, 0, 6, 1), size(0, 0, 8));
    assert_eq!(error(0, 9, 6, 1), size(0, 9, 16));
    assert_eq!(error(1, 1, 6, 0), RulesError::NoMoves);
    assert!(matches!(error(1, 1, 6, 1), RulesError::Board(PlanesError::Dead { .. })));
    assert!(matches!(error(8, 8, 16, 1), RulesError::Board(PlanesError::Colors { .. })));
}

#[test]
fn games_that_no_memory_holds_are_refused() {
    // A petabyte is beyond addresses of 32 bits.
    let large = usize::try_from(1u64 << 50).unwrap_or(usize::MAX / 8);
    for n in [usize::MAX, usize::MAX / 64, large] {
        for colors in [6, 12] {
            let rules = Rules { colors, ..Rules::default() };
            let error = Batch::new(n, 1, rules).map(|_| ()).unwrap_err();
            assert_eq!(error, RulesError::Games(TooManyGames { games: n }));
            assert_eq!(error.to_string(), format!("{n} games: more than memory can hold"));
        }
    }
}

#[test]
fn sizes_that_no_board_has() {
    let most = usize::MAX;
    assert_eq!(Swap::actions(most, most), most);
    assert_eq!(Swap::from_action(most - 1, most, most), Some(Swap { x: 0, y: 1, axis: Axis::Horizontal }));
    for axis in [Axis::Horizontal, Axis::Vertical] {
        assert_eq!(Swap { x: most, y: most, axis }.action(most, most), None);
        assert_eq!(Swap { x: 1, y: most / 2, axis }.action(most, most), None);
    }
    // Its index would be the number of pairs.
    assert_eq!(Swap { x: 1, y: 1, axis: Axis::Horizontal }.action(most, most), None);
}

#[test]
fn actions_are_pairs() {
    for (width, height) in [(8, 8), (1, 5), (5, 1), (1, 1), (3, 2), (16, 16)] {
        let actions = Swap::actions(width, height);
        assert_eq!(actions, 2 * width * height - width - height);
        let pairs: Vec<Swap> =
            (0..actions).map(|action| Swap::from_action(action, width, height).expect("in range")).collect();
        for (action, pair) in pairs.iter().enumerate() {
            assert_eq!(pair.action(width, height), Some(action));
            assert!(pair.cells().iter().all(|&(x, y)| x < width && y < height));
        }
        assert_eq!(Swap::from_action(actions, width, height), None);
        for (x, y) in (0..=width).flat_map(|x| (0..=height).map(move |y| (x, y))) {
            for axis in [Axis::Horizontal, Axis::Vertical] {
                let pair = Swap { x, y, axis };
                assert_eq!(pair.action(width, height).is_some(), pairs.contains(&pair));
            }
        }
    }
}

#[test]
fn the_abilities_of_every_batch() {
    for level in testkit::levels() {
        for (width, height, colors) in [(8, 8, 6), (5, 7, 4), (9, 9, 5), (8, 8, 9)] {
            let rules = Rules { width, height, colors, moves: 10 };
            testkit::check_batch(&|n, seed| Batch::new_on(level, n, seed, rules).expect("a board"));
        }
    }
    let batch = |colors| Batch::new(2, 1, Rules { colors, ..Rules::default() }).expect("a board");
    testkit::check_other_rules(&mut batch(5), &batch(6));
}
