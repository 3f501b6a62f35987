//! Batches, compared with naive single games, and their errors.

use bitcore::batch::{Autoreset, StepBuffers, TooManyGames, WrongLength};
use bitcore::{Level, Rng};
use g2048::reference::NaiveGames;
use g2048::{Batch, BatchError, Board, Direction, Size};

const ACTIONS: usize = 4;

/// The caller's slices.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Slices(StepBuffers);

impl Slices {
    fn new(batch: &Batch) -> Self {
        let mut buffers = StepBuffers::new(batch.shape());
        buffers.obs.fill(99);
        buffers.reward.fill(99);
        Self(buffers)
    }

    fn reset(&mut self, batch: &mut Batch) {
        batch.reset_into(&mut self.0.obs, &mut self.0.mask).expect("slices that fit");
    }

    fn step(&mut self, batch: &mut Batch, actions: &[u32]) -> Result<(), BatchError> {
        batch.step_into(actions, self.0.out())
    }

    fn random_step(&mut self, batch: &mut Batch) -> Result<(), BatchError> {
        batch.random_step_into(self.0.out())
    }

    /// Returns a legal action of each game: number `k(game)` modulo the number of legal ones.
    fn actions(&self, k: impl Fn(usize) -> u32) -> Vec<u32> {
        let nth = |(game, mask): (usize, &[bool])| {
            let legal: Vec<u32> = (0..4).filter(|&action| mask[action as usize]).collect();
            legal[k(game) as usize % legal.len()]
        };
        self.0.mask.chunks(ACTIONS).enumerate().map(nth).collect()
    }
}

/// A slice, its length, and how to make it too short.
type Cut = (&'static str, usize, fn(&mut Slices));

/// Returns the slices that a batch of these naive games would have written.
fn plain_slices(games: &[NaiveGames], told: &[(i64, bool)]) -> Slices {
    Slices(StepBuffers {
        obs: games.iter().flat_map(|game| game.board.ranks().to_vec()).collect(),
        reward: told.iter().map(|&(reward, _)| reward).collect(),
        terminated: told.iter().map(|&(_, done)| done).collect(),
        truncated: vec![false; games.len()],
        mask: games
            .iter()
            .flat_map(|game| Direction::ALL.map(|direction| game.board.is_legal(direction)))
            .collect(),
    })
}

/// Compares random and chosen moves, in alternation, with naive games. Returns the number of games that
/// ended.
fn compare(level: Level, n: usize, seed: u64, size: Size, steps: usize) -> usize {
    let mut batch = Batch::new_on(level, n, seed, size).unwrap();
    let mut games: Vec<NaiveGames> =
        Rng::streams(seed).take(n).map(|rng| NaiveGames::new(size, rng)).collect();
    let mut slices = Slices::new(&batch);
    slices.reset(&mut batch);
    assert_eq!(slices, plain_slices(&games, &vec![(99, false); n]), "{level}, {size}, {n} games");
    let (mut choice, mut ended) = (Rng::new(seed + 77), 0);
    for step in 0..steps {
        let told: Vec<(i64, bool)> = if choice.below(2) == 0 {
            slices.random_step(&mut batch).expect("slices that fit");
            games
                .iter_mut()
                .map(|game| game.random_step().expect("never a dead board"))
                .map(|(points, done)| (points as i64, done))
                .collect()
        } else {
            let turn = choice.below(4);
            let actions = slices.actions(|game| turn + game as u32 % 3);
            slices.step(&mut batch, &actions).expect("legal actions");
            let directions = actions.iter().map(|&action| Direction::ALL[action as usize]);
            games
                .iter_mut()
                .zip(directions)
                .map(|(game, direction)| game.step(direction).expect("legal"))
                .map(|(points, done)| (points as i64, done))
                .collect()
        };
        assert_eq!(slices, plain_slices(&games, &told), "{level}, {size}, {n} games, step {step}");
        ended += told.iter().filter(|&&(_, done)| done).count();
        for (i, game) in games.iter().enumerate() {
            let mut obs = vec![99; size.cells()];
            assert_eq!(batch.final_obs_into(i, &mut obs), game.last.is_some());
            assert_eq!(obs, game.last.map_or(vec![99; size.cells()], |board| board.ranks().to_vec()));
        }
    }
    ended
}

/// A number of steps in which most games end at least once.
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
        let mut batch = Batch::new(n, 8, size).unwrap();
        let mut slices = Slices::new(&batch);
        slices.reset(&mut batch);
        let mut told = Vec::new();
        for step in 0..300 {
            if step % 3 == 0 {
                let actions = slices.actions(|_| step);
                slices.step(&mut batch, &actions).expect("legal actions");
            } else {
                slices.random_step(&mut batch).expect("slices that fit");
            }
            told.push((slices.0.reward[0], slices.0.terminated[0], slices.0.obs[..16].to_vec()));
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
        let mut batch = Batch::new_on(level, 40, 8, size).unwrap();
        let mut slices = Slices::new(&batch);
        slices.reset(&mut batch);
        let start = slices.clone();
        let play = |slices: &mut Slices, batch: &mut Batch| {
            for _ in 0..50 {
                slices.random_step(batch).expect("slices that fit");
            }
            slices.clone()
        };
        let first = play(&mut slices, &mut batch);
        assert_ne!(slices.0.obs, start.0.obs);
        assert!(batch.final_obs_into(39, &mut [0; 6]));
        slices.reset(&mut batch);
        assert_eq!((&slices.0.obs, &slices.0.mask), (&start.0.obs, &start.0.mask));
        assert!((0..40).all(|game| !batch.final_obs_into(game, &mut [0; 6])));
        assert_eq!(play(&mut slices, &mut batch), first);
    }
}

#[test]
fn what_is_refused_changes_nothing() {
    let (n, size) = (35, Size::CLASSIC);
    for level in testkit::levels() {
        let mut batch = Batch::new_on(level, n, 8, size).unwrap();
        let mut slices = Slices::new(&batch);
        slices.reset(&mut batch);
        // Continues until some board of each group has an illegal direction.
        let illegal = |slices: &Slices| -> Option<[(usize, u32); 2]> {
            let find = |mut games: std::ops::Range<usize>| {
                games.find_map(|game| {
                    (0..4)
                        .find(|&action| !slices.0.mask[4 * game + action as usize])
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
        // The error has the first of several illegal actions.
        let mut actions = legal.clone();
        (actions[first.0], actions[second.0]) = (first.1, second.1);
        refuse(&mut batch, &actions, BatchError::Illegal { game: first.0, action: first.1 });
        refuse(
            &mut batch,
            &legal[1..],
            BatchError::Length(WrongLength { slice: "actions", expected: 35, found: 34 }),
        );
        let cut: [Cut; 5] = [
            ("obs", 35 * 16, |slices| slices.0.obs.truncate(35 * 16 - 1)),
            ("reward", 35, |slices| slices.0.reward.truncate(34)),
            ("terminated", 35, |slices| slices.0.terminated.truncate(34)),
            ("truncated", 35, |slices| slices.0.truncated.truncate(34)),
            ("mask", 35 * 4, |slices| slices.0.mask.truncate(35 * 4 - 1)),
        ];
        for (slice, expected, cut) in cut {
            let mut short = slices.clone();
            cut(&mut short);
            let before = short.clone();
            let error = Err(BatchError::Length(WrongLength { slice, expected, found: expected - 1 }));
            assert_eq!(short.step(&mut batch, &legal), error);
            assert_eq!(short.random_step(&mut batch), error);
            if ["obs", "mask"].contains(&slice) {
                assert_eq!(batch.reset_into(&mut short.0.obs, &mut short.0.mask), error);
            }
            assert_eq!(short, before);
        }
        // The games haven't changed either: they continue like games without the refused calls.
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

/// Steps a batch by random moves. Returns, per slot, each observation of its games with the reward of the
/// move before it, `None` for the first observation of a game.
fn histories(mut batch: Batch, autoreset: Autoreset, steps: usize) -> Vec<Vec<(Vec<u8>, Option<i64>)>> {
    batch = batch.with_autoreset(autoreset);
    let (n, cells) = (batch.len(), batch.cells());
    let mut slices = Slices::new(&batch);
    slices.reset(&mut batch);
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
            let dead = !slices.0.mask[4 * game..4 * game + 4].contains(&true);
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
            let rows = (0..n).filter(|&game| !over[game]);
            rows.for_each(|game| assert_eq!(row(&slices, game), row(&before, game)));
        }
    }
    histories
}

#[test]
fn the_games_are_the_same_in_each_mode_of_restart() {
    let size = Size::new(3, 2).expect("a size");
    for level in testkit::levels() {
        let batch = Batch::new_on(level, 40, 8, size).unwrap();
        let same = histories(batch.clone(), Autoreset::SameStep, 60);
        for autoreset in [Autoreset::NextStep, Autoreset::Disabled] {
            let other = histories(batch.clone(), autoreset, 60);
            for (game, (same, other)) in same.iter().zip(&other).enumerate() {
                let starts = other.iter().filter(|(_, points)| points.is_none()).count();
                assert!(starts > 1, "game {game} was restarted");
                // A mode that takes a step to restart has come less far.
                let common = same.len().min(other.len());
                assert_eq!(same[..common], other[..common], "{level}, {autoreset:?}, game {game}");
            }
        }
    }
}

#[test]
fn games_in_the_middle_are_reset_too() {
    let mut batch = Batch::new(35, 8, Size::CLASSIC).unwrap();
    let mut slices = Slices::new(&batch);
    slices.reset(&mut batch);
    slices.random_step(&mut batch).expect("slices that fit");
    let before = slices.clone();
    let which: Vec<bool> = (0..35).map(|game| [3, 33].contains(&game)).collect();
    let (obs, mask) = (&mut slices.0.obs, &mut slices.0.mask);
    batch.reset_some_into(&which, obs, mask).expect("slices that fit");
    for (game, &reset) in which.iter().enumerate() {
        let row = 16 * game..16 * game + 16;
        assert_eq!(slices.0.obs[row.clone()] != before.0.obs[row], reset, "game {game}");
        assert!(!batch.final_obs_into(game, &mut [0; 16]));
    }
    let short = batch.reset_some_into(&which[1..], &mut slices.0.obs, &mut slices.0.mask);
    let error = WrongLength { slice: "which", expected: 35, found: 34 };
    assert_eq!(short, Err(BatchError::Length(error)));
}

#[test]
fn a_batch_of_no_game() {
    let mut batch = Batch::new(0, 1, Size::CLASSIC).unwrap();
    assert!(batch.is_empty());
    assert_eq!((batch.cells(), batch.actions()), (16, 4));
    assert_eq!(batch.reset_into(&mut [], &mut []), Ok(()));
    let mut none = StepBuffers::default();
    assert_eq!(batch.step_into(&[], none.out()), Ok(()));
    assert_eq!(batch.random_step_into(none.out()), Ok(()));
    assert_eq!(batch.reset_some_into(&[], &mut [], &mut []), Ok(()));
}

#[test]
fn a_batch_goes_to_another_thread() {
    fn is_send<T: Send + 'static>(_: &T) {}
    is_send(&Batch::new(1, 1, Size::CLASSIC).unwrap());
}

#[test]
fn games_that_no_memory_holds_are_refused() {
    // A petabyte is beyond addresses of 32 bits.
    let large = usize::try_from(1u64 << 50).unwrap_or(usize::MAX / 8);
    for n in [usize::MAX, usize::MAX / 64, large] {
        for size in [Size::new(2, 2).unwrap(), Size::CLASSIC, Size::new(8, 8).unwrap()] {
            let error = Batch::new(n, 1, size).map(|_| ()).unwrap_err();
            assert_eq!(error, TooManyGames { games: n });
            assert_eq!(error.to_string(), format!("{n} games: more than memory can hold"));
        }
    }
}

#[test]
fn the_abilities_of_every_batch() {
    for level in testkit::levels() {
        for size in [Size::CLASSIC, Size::new(2, 3).expect("a size")] {
            testkit::check_batch(&|n, seed| Batch::new_on(level, n, seed, size).expect("few games"));
        }
    }
    let batch = |width| Batch::new(2, 1, Size::new(width, 3).expect("a size")).expect("few games");
    testkit::check_other_rules(&mut batch(3), &batch(4));
}

#[test]
fn games_begin_on_given_boards() {
    let size = Size::CLASSIC;
    let board = |ranks: [u8; 16]| Board::from_ranks(size, &ranks).expect("ranks");
    let starts = [board([1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 7]), board([9; 16])];
    let dead = board([1, 2, 1, 2, 2, 1, 2, 1, 1, 2, 1, 2, 2, 1, 2, 1]);
    let batch = || Batch::new(200, 3, size).expect("few games");
    let small = Board::empty(Size::new(3, 3).expect("a size"));
    for (start, reason) in [(dead, "no move is legal"), (small, "a board of another size")] {
        let refused = batch().with_starts(vec![starts[0], start]).map(|_| ());
        assert_eq!(refused, Err(BatchError::Start { index: 1, reason }));
        assert_eq!(refused.expect_err("refused").to_string(), format!("start 1: {reason}"));
    }
    let batch = batch().with_starts(starts.to_vec()).expect("starts with legal moves");
    let count = (0..200).filter(|&game| batch.game(game) == Some(starts[0])).count();
    assert!((70..130).contains(&count), "{count} of 200 games begin on the first board");
    assert!((0..200).all(|game| batch.game(game).is_some_and(|board| starts.contains(&board))));
    // The draw is the first of the stream.
    let streams = Rng::streams(3).take(200).enumerate();
    for (game, mut rng) in streams {
        assert_eq!(batch.game(game), Some(starts[rng.below(2) as usize]), "game {game}");
    }
}
