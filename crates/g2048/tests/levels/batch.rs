//! A batch against single games played by the plain rules, and what it refuses.

use bitcore::batch::WrongLength;
use bitcore::{Level, Rng};
use g2048::reference::NaiveGames;
use g2048::{Batch, BatchError, Direction, Size};

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

    fn step(&mut self, batch: &mut Batch, actions: &[u32]) -> Result<(), BatchError> {
        let Self { obs, reward, done, mask } = self;
        batch.step_into(actions, obs, reward, done, mask)
    }

    fn random_step(&mut self, batch: &mut Batch) -> Result<(), BatchError> {
        let Self { obs, reward, done, mask } = self;
        batch.random_step_into(obs, reward, done, mask)
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

/// A slice, its length, and how to make it too short.
type Cut = (&'static str, usize, fn(&mut Slices));

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
    let mut batch = Batch::new_on(level, n, seed, size);
    let mut games: Vec<NaiveGames> =
        Rng::streams(seed).take(n).map(|rng| NaiveGames::new(size, rng)).collect();
    let mut slices = Slices::new(n, size);
    slices.reset(&mut batch);
    assert_eq!(
        slices,
        Slices { ..plain_slices(&games, &vec![(99, false); n]) },
        "{level}, {size}, {n} games"
    );
    let (mut choice, mut ended) = (Rng::new(seed + 77), 0);
    for step in 0..steps {
        let told: Vec<(u64, bool)> = if choice.below(2) == 0 {
            slices.random_step(&mut batch).expect("slices that fit");
            games.iter_mut().map(|game| game.random_step().expect("never a dead board")).collect()
        } else {
            let turn = choice.below(4);
            let actions = slices.actions(|game| turn + game as u32 % 3);
            slices.step(&mut batch, &actions).expect("legal actions");
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
        for (n, width, height, steps) in
            [(1, 4, 4, 800), (31, 3, 3, 300), (32, 4, 4, 400), (33, 2, 4, 300), (100, 4, 4, 250)]
        {
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
            compare(level, n, i as u64, size, if n == 100 { 20 } else { testkit::cases(60) as usize });
        }
    }
}

#[test]
fn a_game_does_not_depend_on_the_batch() {
    let size = Size::CLASSIC;
    let run = |n: usize| {
        let mut batch = Batch::new(n, 8, size);
        let mut slices = Slices::new(n, size);
        slices.reset(&mut batch);
        let mut told = Vec::new();
        for step in 0..300 {
            if step % 3 == 0 {
                let actions = slices.actions(|_| step);
                slices.step(&mut batch, &actions).expect("legal actions");
            } else {
                slices.random_step(&mut batch).expect("slices that fit");
            }
            told.push((slices.reward[0], slices.done[0], slices.obs[..16].to_vec()));
        }
        told
    };
    let alone = run(1);
    assert!(alone.iter().any(|&(_, done, _)| done));
    for n in [2, 32, 45] {
        assert_eq!(run(n), alone);
    }
}

#[test]
fn reset_begins_the_streams_again() {
    let size = Size::new(3, 2).expect("a size");
    for level in testkit::levels() {
        let mut batch = Batch::new_on(level, 40, 8, size);
        let mut slices = Slices::new(40, size);
        slices.reset(&mut batch);
        let start = slices.clone();
        let play = |slices: &mut Slices, batch: &mut Batch| {
            for _ in 0..50 {
                slices.random_step(batch).expect("slices that fit");
            }
            slices.clone()
        };
        let first = play(&mut slices, &mut batch);
        assert_ne!(slices.obs, start.obs);
        assert!(batch.last_into(39, &mut [0; 6]));
        slices.reset(&mut batch);
        assert_eq!((&slices.obs, &slices.mask), (&start.obs, &start.mask));
        assert!((0..40).all(|game| !batch.last_into(game, &mut [0; 6])));
        assert_eq!(play(&mut slices, &mut batch), first);
    }
}

#[test]
fn what_is_refused_changes_nothing() {
    let (n, size) = (35, Size::CLASSIC);
    for level in testkit::levels() {
        let mut batch = Batch::new_on(level, n, 8, size);
        let mut slices = Slices::new(n, size);
        slices.reset(&mut batch);
        // On until some board has a direction that isn't legal, in each group.
        let illegal = |slices: &Slices| -> Option<[(usize, u32); 2]> {
            let find = |mut games: std::ops::Range<usize>| {
                games.find_map(|game| {
                    (0..4)
                        .find(|&action| !slices.mask[4 * game + action as usize])
                        .map(|action| (game, action))
                })
            };
            Some([find(3..32)?, find(32..35)?])
        };
        let [first, second] = loop {
            slices.random_step(&mut batch).expect("slices that fit");
            if let Some(found) = illegal(&slices) {
                break found;
            }
        };
        let legal = slices.actions(|_| 0);
        let (untouched, mut twin) = (slices.clone(), batch.clone());
        let mut refuse = |batch: &mut Batch, actions: &[u32], error: BatchError| {
            assert_eq!(slices.step(batch, actions), Err(error), "{level}");
            assert_eq!(slices, untouched, "{level}");
        };
        for (game, action) in [first, second, (34, 4), (0, 255), (33, 256), (1, u32::MAX)] {
            let mut actions = legal.clone();
            actions[game] = action;
            refuse(&mut batch, &actions, BatchError::Illegal { game, action });
        }
        // Of several, the first one is told.
        let mut actions = legal.clone();
        (actions[first.0], actions[second.0]) = (first.1, second.1);
        refuse(&mut batch, &actions, BatchError::Illegal { game: first.0, action: first.1 });
        refuse(
            &mut batch,
            &legal[1..],
            BatchError::Length(WrongLength { slice: "actions", expected: 35, found: 34 }),
        );
        let cut: [Cut; 4] = [
            ("obs", 35 * 16, |slices| slices.obs.truncate(35 * 16 - 1)),
            ("reward", 35, |slices| slices.reward.truncate(34)),
            ("done", 35, |slices| slices.done.truncate(34)),
            ("mask", 35 * 4, |slices| slices.mask.truncate(35 * 4 - 1)),
        ];
        for (slice, expected, cut) in cut {
            let mut short = slices.clone();
            cut(&mut short);
            let before = short.clone();
            let error = Err(BatchError::Length(WrongLength { slice, expected, found: expected - 1 }));
            assert_eq!(short.step(&mut batch, &legal), error);
            assert_eq!(short.random_step(&mut batch), error);
            if ["obs", "mask"].contains(&slice) {
                assert_eq!(batch.reset_into(&mut short.obs, &mut short.mask), error);
            }
            assert_eq!(short, before);
        }
        // Nothing has changed in the games either: they go on as ones that were never asked.
        let mut other = slices.clone();
        for _ in 0..200 {
            slices.random_step(&mut batch).expect("slices that fit");
            other.random_step(&mut twin).expect("slices that fit");
            assert_eq!(slices, other);
        }
        let actions = slices.actions(|game| game as u32);
        slices.step(&mut batch, &actions).expect("legal actions");
        other.step(&mut twin, &actions).expect("legal actions");
        assert_eq!(slices, other);
    }
}

#[test]
fn refusals_say_which() {
    let illegal = BatchError::Illegal { game: 34, action: 7 };
    assert_eq!(illegal.to_string(), "game 34: action 7 is no legal move");
    let length = BatchError::Length(WrongLength { slice: "mask", expected: 8, found: 7 });
    assert_eq!(length.to_string(), "mask: 7 elements, expected 8");
}

#[test]
fn a_batch_of_no_game() {
    let mut batch = Batch::new(0, 1, Size::CLASSIC);
    assert!(batch.is_empty());
    assert_eq!((batch.cells(), batch.actions()), (16, 4));
    assert_eq!(batch.reset_into(&mut [], &mut []), Ok(()));
    assert_eq!(batch.step_into(&[], &mut [], &mut [], &mut [], &mut []), Ok(()));
    assert_eq!(batch.random_step_into(&mut [], &mut [], &mut [], &mut []), Ok(()));
}

#[test]
fn a_batch_goes_to_another_thread() {
    fn is_send<T: Send + 'static>(_: &T) {}
    is_send(&Batch::new(1, 1, Size::CLASSIC));
}
