//! A batch against single games played by the plain rules, and what it refuses.

use bitcore::{Level, Rng, dispatch};
use g2048::reference::NaiveGames;
use g2048::{Batch, BatchError, Board, Direction, Size};
use quickcheck::QuickCheck;

const ACTIONS: usize = 4;

/// The caller's slices.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Slices {
    obs: Vec<u8>,
    reward: Vec<u64>,
    done: Vec<bool>,
    mask: Vec<bool>,
}

impl Slices {
    fn new(n: usize, size: Size) -> Self {
        Self {
            obs: vec![99; n * size.cells()],
            reward: vec![99; n],
            done: vec![false; n],
            mask: vec![false; n * ACTIONS],
        }
    }

    fn reset(&mut self, batch: &mut Batch) {
        batch.reset_into(&mut self.obs, &mut self.mask).expect("slices that fit");
    }

    fn step(&mut self, level: Level, batch: &mut Batch, actions: &[u32]) -> Result<(), BatchError> {
        let Self { obs, reward, done, mask } = self;
        dispatch!(level, isa => batch.step_into_with(isa, actions, obs, reward, done, mask))
    }

    fn random_step(&mut self, level: Level, batch: &mut Batch) -> Result<(), BatchError> {
        let Self { obs, reward, done, mask } = self;
        dispatch!(level, isa => batch.random_step_into_with(isa, obs, reward, done, mask))
    }

    /// A legal action of each game: the `k`-th, counted round and round.
    fn actions(&self, k: impl Fn(usize) -> u32) -> Vec<u32> {
        let nth = |(game, mask): (usize, &[bool])| {
            let legal: Vec<u32> = (0..4).filter(|&action| mask[action as usize]).collect();
            legal[k(game) as usize % legal.len()]
        };
        self.mask.chunks(ACTIONS).enumerate().map(nth).collect()
    }
}

/// What the plain games would have written.
fn plain_slices(games: &[NaiveGames], told: &[(u64, bool)]) -> Slices {
    Slices {
        obs: games.iter().flat_map(|game| game.board.ranks().to_vec()).collect(),
        reward: told.iter().map(|&(reward, _)| reward).collect(),
        done: told.iter().map(|&(_, done)| done).collect(),
        mask: games
            .iter()
            .flat_map(|game| Direction::ALL.map(|direction| game.board.is_legal(direction)))
            .collect(),
    }
}

/// Plays random moves and a caller's by turns against plain games. Returns how many games ended.
fn compare(level: Level, n: usize, seed: u64, size: Size, steps: usize) -> usize {
    let mut batch = Batch::new(n, seed, size);
    let mut games: Vec<NaiveGames> = Rng::streams(seed).take(n).map(|rng| NaiveGames::new(size, rng)).collect();
    let mut slices = Slices::new(n, size);
    slices.reset(&mut batch);
    assert_eq!(slices, Slices { ..plain_slices(&games, &vec![(99, false); n]) }, "{level}, {size}, {n} games");
    let (mut choice, mut ended) = (Rng::new(seed ^ 77), 0);
    for step in 0..steps {
        let told: Vec<(u64, bool)> = if choice.below(2) == 0 {
            slices.random_step(level, &mut batch).expect("slices that fit");
            games.iter_mut().map(|game| game.random_step().expect("never a dead board")).collect()
        } else {
            let turn = choice.below(4);
            let actions = slices.actions(|game| turn + game as u32 % 3);
            slices.step(level, &mut batch, &actions).expect("legal actions");
            let directions = actions.iter().map(|&action| Direction::ALL[action as usize]);
            games.iter_mut().zip(directions).map(|(game, way)| game.step(way).expect("legal")).collect()
        };
        assert_eq!(slices, plain_slices(&games, &told), "{level}, {size}, {n} games, step {step}");
        ended += told.iter().filter(|&&(_, done)| done).count();
        for (i, game) in games.iter().enumerate() {
            let mut obs = vec![99; size.cells()];
            assert_eq!(batch.last_into(i, &mut obs), game.last.is_some());
            assert_eq!(obs, game.last.map_or(vec![99; size.cells()], |board| board.ranks().to_vec()));
        }
    }
    ended
}

/// Steps enough for most games to end at least once.
#[test]
fn a_batch_plays_what_plain_games_play() {
    for level in testkit::levels() {
        for (n, width, height, steps) in [(1, 4, 4, 800), (31, 3, 3, 300), (32, 4, 4, 400), (33, 2, 4, 300), (100, 4, 4, 250)] {
            let size = Size::new(width, height).expect("a size");
            let ended = compare(level, n, 5, size, steps);
            assert!(ended >= n, "{ended} games of {n} ended");
        }
    }
}

#[test]
fn batches_of_any_size() {
    let levels = testkit::levels();
    for (i, size) in Size::all().enumerate() {
        let n = [1, 31, 32, 33, 100][i % 5];
        for &level in &levels {
            compare(level, n, i as u64, size, if n == 100 { 20 } else { 60 });
        }
    }
}
