//! A batch against single games played by the plain rules, and what it refuses.

use bitcore::batch::WrongLength;
use bitcore::{Level, Rng};
use match3::reference::naive;
use match3::{Batch, BatchError, Board, Board8, Colors, PlanesError, RandomColors, Rules, Swap};

const CELLS: usize = 64;
const ACTIONS: usize = 112;

/// The caller's slices.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Slices {
    obs: Vec<u8>,
    reward: Vec<i32>,
    done: Vec<bool>,
    mask: Vec<bool>,
}

impl Slices {
    fn new(n: usize) -> Self {
        Self {
            obs: vec![0; n * CELLS],
            reward: vec![0; n],
            done: vec![false; n],
            mask: vec![false; n * ACTIONS],
        }
    }

    fn step(&mut self, batch: &mut Batch, actions: &[u32]) -> Result<(), BatchError> {
        batch.step_into(actions, &mut self.obs, &mut self.reward, &mut self.done, &mut self.mask)
    }
}

/// One game by the plain rules, on its own stream.
struct Plain {
    board: Board,
    colors: RandomColors,
    left: u32,
}

impl Plain {
    fn deal(&mut self) {
        self.board = Board8::deal(8, 8, &mut self.colors).expect("six colors").into();
    }

    fn bytes(&self) -> Vec<u8> {
        self.board.cells().iter().map(|cell| cell.byte()).collect()
    }

    fn mask(&self) -> Vec<bool> {
        let legal = naive::swaps(&self.board);
        (0..ACTIONS).map(|action| legal.contains(&Swap::from_action(action, 8, 8).expect("a pair"))).collect()
    }
}

#[test]
fn a_batch_plays_what_single_games_play() {
    for level in testkit::levels() {
        plays_what_single_games_play(level);
    }
}

fn plays_what_single_games_play(level: Level) {
    let (n, moves, seed) = (5, 7, 3);
    let mut batch: Batch =
        Batch::new_on(level, n, seed, Rules { moves, ..Rules::default() }).expect("six colors");
    let mut slices = Slices::new(n);
    batch.reset_into(&mut slices.obs, &mut slices.mask).expect("slices that fit");
    let mut games: Vec<Plain> = Rng::streams(seed)
        .take(n)
        .map(|rng| {
            let mut colors = RandomColors::new(6, rng).expect("six colors");
            let board = Board8::deal(8, 8, &mut colors).expect("six colors").into();
            Plain { board, colors, left: moves }
        })
        .collect();
    let mut choice = Rng::new(77);
    let mut last = vec![None; n];
    for step in 0..60 {
        for (i, game) in games.iter().enumerate() {
            assert_eq!(slices.obs[i * CELLS..][..CELLS], game.bytes(), "step {step}, game {i}");
            assert_eq!(slices.mask[i * ACTIONS..][..ACTIONS], game.mask(), "step {step}, game {i}");
            let mut obs = vec![99; CELLS];
            assert_eq!(batch.final_obs_into(i, &mut obs), last[i].is_some());
            assert_eq!(obs, last[i].clone().unwrap_or(vec![99; CELLS]));
        }
        let pick = |rng: &mut Rng, mask: &[bool]| {
            let legal: Vec<usize> = (0..ACTIONS).filter(|&action| mask[action]).collect();
            legal[rng.below(legal.len() as u32) as usize] as u32
        };
        let actions: Vec<u32> = slices.mask.chunks(ACTIONS).map(|mask| pick(&mut choice, mask)).collect();
        slices.step(&mut batch, &actions).expect("legal actions");
        for (i, game) in games.iter_mut().enumerate() {
            let [a, b] = Swap::from_action(actions[i] as usize, 8, 8).expect("a pair").cells();
            game.board.exchange(a, b);
            let result = naive::cascade(&mut game.board, || game.colors.next());
            assert_eq!(slices.reward[i], result.score as i32);
            game.left -= 1;
            assert_eq!(slices.done[i], game.left == 0);
            if game.left == 0 {
                last[i] = Some(game.bytes());
                game.left = moves;
                game.deal();
            } else if naive::swaps(&game.board).is_empty() {
                game.deal();
            }
        }
    }
}

#[test]
fn a_game_does_not_depend_on_the_batch() {
    let run = |n: usize| {
        let mut batch: Batch =
            Batch::new(n, 8, Rules { colors: 7, moves: 5, ..Rules::default() }).expect("seven colors");
        let mut slices = Slices::new(n);
        batch.reset_into(&mut slices.obs, &mut slices.mask).expect("slices that fit");
        let mut rewards = Vec::new();
        for _ in 0..40 {
            let first =
                |mask: &[bool]| mask.iter().position(|&legal| legal).expect("never a dead board") as u32;
            let actions: Vec<u32> = slices.mask.chunks(ACTIONS).map(first).collect();
            slices.step(&mut batch, &actions).expect("legal actions");
            rewards.push((slices.reward[0], slices.obs[..CELLS].to_vec()));
        }
        rewards
    };
    let alone = run(1);
    assert_eq!(run(2), alone);
    assert_eq!(run(9), alone);
}

#[test]
fn no_dead_board_stays() {
    // Fifteen colors: most moves end on a dead board, and a new one is dealt at once.
    let rules = Rules { colors: 15, moves: 1000, ..Rules::default() };
    let mut batch: Batch<1, 4> = Batch::new(3, 8, rules).expect("fifteen colors");
    let mut slices = Slices::new(3);
    batch.reset_into(&mut slices.obs, &mut slices.mask).expect("slices that fit");
    for _ in 0..100 {
        let first = |mask: &[bool]| mask.iter().position(|&legal| legal).expect("never a dead board") as u32;
        let actions: Vec<u32> = slices.mask.chunks(ACTIONS).map(first).collect();
        let Slices { obs, reward, done, mask } = &mut slices;
        batch.step_into(&actions, obs, reward, done, mask).expect("legal actions");
    }
}

#[test]
fn boards_of_any_size() {
    for (width, height) in [(9, 9), (16, 3), (3, 16), (1, 16), (12, 1)] {
        let rules = Rules { width, height, colors: 3, moves: 4 };
        let mut batch: Batch<4, 3> = Batch::new(2, 5, rules).expect("a board that can be dealt");
        let (cells, actions) = (batch.cells(), batch.actions());
        let (mut obs, mut mask) = (vec![0; 2 * cells], vec![false; 2 * actions]);
        let (mut reward, mut done) = (vec![0; 2], vec![false; 2]);
        batch.reset_into(&mut obs, &mut mask).expect("slices that fit");
        for _ in 0..9 {
            for (obs, mask) in obs.chunks(cells).zip(mask.chunks(actions)) {
                let of = |&byte: &u8| match3::Cell::new(byte).expect("a full board");
                let board = Board::from_cells(width, height, obs.iter().map(of).collect()).expect("the size");
                let legal = naive::swaps(&board);
                for (action, &is) in mask.iter().enumerate() {
                    let pair = Swap::from_action(action, width, height).expect("a pair");
                    assert_eq!(legal.contains(&pair), is, "{pair}\n{board}");
                }
            }
            let first =
                |mask: &[bool]| mask.iter().position(|&legal| legal).expect("never a dead board") as u32;
            let chosen: Vec<u32> = mask.chunks(actions).map(first).collect();
            batch.step_into(&chosen, &mut obs, &mut reward, &mut done, &mut mask).expect("legal actions");
        }
    }
    let rules = Rules { width: 9, ..Rules::default() };
    let error = PlanesError::Size { width: 9, height: 8, longest: 8 };
    assert_eq!(Batch::<1, 3>::new(1, 1, rules).map(|_| ()), Err(error));
}

#[test]
fn reset_begins_the_streams_again() {
    let mut batch: Batch = Batch::new(4, 8, Rules { moves: 3, ..Rules::default() }).expect("six colors");
    let mut slices = Slices::new(4);
    batch.reset_into(&mut slices.obs, &mut slices.mask).expect("slices that fit");
    let start = slices.clone();
    for _ in 0..5 {
        let first = |mask: &[bool]| mask.iter().position(|&legal| legal).expect("never a dead board") as u32;
        let actions: Vec<u32> = slices.mask.chunks(ACTIONS).map(first).collect();
        slices.step(&mut batch, &actions).expect("legal actions");
    }
    assert_ne!(slices.obs, start.obs);
    assert!(batch.final_obs_into(0, &mut [0; CELLS]));
    batch.reset_into(&mut slices.obs, &mut slices.mask).expect("slices that fit");
    assert_eq!((&slices.obs, &slices.mask), (&start.obs, &start.mask));
    assert!(!batch.final_obs_into(0, &mut [0; CELLS]));
}

#[test]
fn what_is_refused_changes_nothing() {
    let mut batch: Batch = Batch::new(2, 8, Rules { moves: 3, ..Rules::default() }).expect("six colors");
    let mut slices = Slices::new(2);
    batch.reset_into(&mut slices.obs, &mut slices.mask).expect("slices that fit");
    let legal: Vec<u32> = slices
        .mask
        .chunks(ACTIONS)
        .map(|mask| mask.iter().position(|&is| is).expect("alive") as u32)
        .collect();
    let illegal = slices.mask[ACTIONS..].iter().position(|&is| !is).expect("not all are legal") as u32;
    let before = slices.clone();
    for action in [illegal, 112, u32::MAX] {
        let error = slices.step(&mut batch, &[legal[0], action]);
        assert_eq!(error, Err(BatchError::Illegal { game: 1, action }));
        assert_eq!(slices, before);
    }
    let error = slices.step(&mut batch, &legal[..1]).expect_err("one action for two games");
    assert_eq!(error.to_string(), "actions: 1 elements, expected 2");
    let mut short = slices.clone();
    short.mask.pop();
    let error =
        BatchError::Length(WrongLength { slice: "mask", expected: 2 * ACTIONS, found: 2 * ACTIONS - 1 });
    assert_eq!(short.step(&mut batch, &legal), Err(error));
    assert_eq!(batch.reset_into(&mut slices.obs, &mut short.mask), Err(error));
    // Nothing has changed in the games either: they go on as fresh ones do.
    let mut fresh: Batch = Batch::new(2, 8, Rules { moves: 3, ..Rules::default() }).expect("six colors");
    let mut other = slices.clone();
    slices.step(&mut batch, &legal).expect("legal actions");
    other.step(&mut fresh, &legal).expect("legal actions");
    assert_eq!(slices, other);
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
            for axis in [match3::Axis::Horizontal, match3::Axis::Vertical] {
                let pair = Swap { x, y, axis };
                assert_eq!(pair.action(width, height).is_some(), pairs.contains(&pair));
            }
        }
    }
}
