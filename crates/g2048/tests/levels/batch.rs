//! Batches, compared with naive single games, and their errors.

use bitcore::batch::StepBuffers;
use bitcore::{Level, Rng};
use g2048::reference::NaiveGames;
use g2048::{Batch, BatchError, Board, Direction, Size};

/// Returns a legal action of each game: number `k(game)` modulo the number of legal ones.
fn legal_actions(slices: &StepBuffers, k: impl Fn(usize) -> u32) -> Vec<u32> {
    let nth = |(game, mask): (usize, &[bool])| {
        let legal: Vec<u32> = (0..4).filter(|&action| mask[action as usize]).collect();
        legal[k(game) as usize % legal.len()]
    };
    slices.mask.chunks(4).enumerate().map(nth).collect()
}

fn plain_slices(games: &[NaiveGames], told: &[(i64, bool)]) -> StepBuffers {
    StepBuffers {
        obs: games.iter().flat_map(|game| game.board.ranks().to_vec()).collect(),
        reward: told.iter().map(|&(reward, _)| reward).collect(),
        terminated: told.iter().map(|&(_, done)| done).collect(),
        truncated: vec![false; games.len()],
        mask: games
            .iter()
            .flat_map(|game| Direction::ALL.map(|direction| game.board.is_legal(direction)))
            .collect(),
    }
}

/// Compares random and chosen moves, by turns, with naive games. Returns the number of games that ended.
fn compare(level: Level, n: usize, seed: u64, size: Size, steps: usize) -> usize {
    let mut batch = Batch::new_on(level, n, seed, size).unwrap();
    let mut games: Vec<NaiveGames> =
        Rng::streams(seed).take(n).map(|rng| NaiveGames::new(size, rng)).collect();
    let mut slices = StepBuffers::new(batch.shape());
    batch.reset_into(&mut slices.obs, &mut slices.mask).expect("slices that fit");
    assert_eq!(slices, plain_slices(&games, &vec![(0, false); n]), "{level}, {size}, {n} games");
    let (mut choice, mut ended) = (Rng::new(seed + 77), 0);
    for step in 0..steps {
        let told: Vec<(i64, bool)> = if choice.below(2) == 0 {
            batch.random_step_into(slices.out()).expect("slices that fit");
            games
                .iter_mut()
                .map(|game| game.random_step().expect("never a dead board"))
                .map(|(points, done)| (points as i64, done))
                .collect()
        } else {
            let turn = choice.below(4);
            let actions = legal_actions(&slices, |game| turn + game as u32 % 3);
            batch.step_into(&actions, slices.out()).expect("legal actions");
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
fn the_abilities_of_every_batch() {
    let size = |width, height| Size::new(width, height).expect("a size");
    for size in [Size::CLASSIC, size(2, 3)] {
        testkit::check_batch(&|level, n, seed| Batch::new_on(level, n, seed, size).expect("few games"));
    }
    let batch = |width| Batch::new(2, 1, size(width, 3)).expect("few games");
    testkit::check_other_rules(&mut batch(3), &batch(4));
    for size in [size(2, 2), Size::CLASSIC, size(8, 8)] {
        testkit::check_too_many(|n| Batch::new(n, 1, size), |error| error);
    }
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
