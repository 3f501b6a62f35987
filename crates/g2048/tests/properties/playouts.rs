//! Random play in portions and perft, on every ISA level, against naive versions.

use super::values::any_board;
use bitcore::Rng;
use g2048::reference::{
    naive_perft, naive_playout, naive_playout_from, naive_playout4x4, naive_playout4x4_from,
};
use g2048::{
    Direction, Game, IllegalMove, Kernel, Perft, Playouts, Size, Stats, Stopped, ThreadPool,
};
use testkit::{Input, on_each_level};

/// Checks random play in portions.
pub(crate) fn run(input: &Input) {
    let seed = u64::from(input.u16());
    let portions = input.list(1 + input.below(3), || match input.byte() {
        // More than one game in each lane.
        byte @ 240.. => u64::from(byte % 16) * 5,
        byte => u64::from(byte % 3),
    });
    match input.below(6) {
        0 => classic(seed, &portions),
        4.. => from_position(input, seed, &portions),
        1 => {
            let board = any_board(input, Size::CLASSIC);
            let mut rng = Rng::new(seed);
            let mut twin = Rng::new(seed);
            let expected = naive_playout_from(&board, &mut twin);
            let mut game = Game::from(board);
            game.play_out(&mut rng);
            assert_eq!(game, expected, "{board:?}");
            assert_eq!(rng, twin, "{board:?}");
        }
        _ => {
            let size = Size::new(2 + input.below(3), 2 + input.below(2)).expect("a size");
            sized(size, seed, &portions, input.byte().into());
        }
    }
}

/// Checks games of any size, with one run stopped at some call.
fn sized(size: Size, seed: u64, portions: &[u64], calls: u32) {
    let games = portions.iter().sum::<u64>() as usize;
    let naive = Rng::streams(seed).take(games).map(|mut rng| naive_playout(size, &mut rng));
    let expected: Stats = naive.sum();
    let single = Rng::streams(seed).take(games).map(|mut rng| {
        let mut game = Game::new(size, &mut rng);
        game.play_out(&mut rng);
        game
    });
    assert_eq!(single.sum::<Stats>(), expected, "{size}");
    on_each_level(|| {
        let mut playouts = Playouts::with_kernel(size, seed, Kernel::AnySize);
        let mut stats = Stats::default();
        for &games in portions {
            let stop = testkit::stop_at(calls);
            let mut played = Stats::default();
            let pool = ThreadPool::single();
            let stopped = playouts.play_until(&pool, games, &stop, |so_far| played = *so_far);
            assert!(stopped == Err(Stopped) || stopped == Ok(played), "{size}");
            stats += played;
            stats += playouts.play(games - played.games);
        }
        assert_eq!(stats, expected, "{size}, {portions:?}");
    });
}

fn classic(seed: u64, portions: &[u64]) {
    let mut streams = Rng::streams(seed).take(32).collect::<Vec<_>>();
    let mut numbers = 0..;
    let mut portion = |&games: &u64| -> Stats {
        let numbers = numbers.by_ref().take(games as usize);
        numbers.map(|number: usize| naive_playout4x4(&mut streams[number % 32])).sum()
    };
    let expected: Vec<Stats> = portions.iter().map(&mut portion).collect();
    on_each_level(|| {
        let kernels = [Kernel::Lanes, Kernel::Interleaved, Kernel::Single];
        let [mut best, mut interleaved, mut single] =
            kernels.map(|kernel| Playouts::with_kernel(Size::CLASSIC, seed, kernel));
        for (&games, expected) in portions.iter().zip(&expected) {
            let found = [best.play(games), interleaved.play(games), single.play(games)];
            assert_eq!(found, [*expected; 3], "{portions:?}");
        }
    });
}

/// Checks games from a position and after a move, against play on copies with the documented draws.
fn from_position(input: &Input, seed: u64, portions: &[u64]) {
    let small = Size::new(2 + input.below(3), 2 + input.below(2)).expect("a size");
    let size = if input.flag() { Size::CLASSIC } else { small };
    let mut game = Game::from(any_board(input, size));
    let mut rng = Rng::new(seed + 1);
    for _ in 0..input.below(4) {
        if let Some(&direction) = game.legal_moves().last() {
            game.play(direction, &mut rng).expect("a legal move");
        }
    }
    let first = input.flag().then(|| *input.pick(&Direction::ALL));
    if let Some(direction) = first
        && !game.board().is_legal(direction)
    {
        let error = Playouts::after_move(&game, direction, seed).map(|_| ());
        return assert_eq!(error, Err(IllegalMove { direction }));
    }
    let mut streams: Vec<Rng> = Rng::streams(seed).take(32).collect();
    let mut single = Rng::streams(seed);
    let mut number = 0;
    let mut next = |stats: &mut Stats| {
        let (score, moves, last) = if size == Size::CLASSIC {
            let slide = first.map(|direction| game.board().slide(direction));
            let board = slide.map_or(game.board(), |slide| slide.board);
            let stream = &mut streams[number % 32];
            let rest = naive_playout4x4_from(board, usize::from(first.is_some()), stream);
            let gain = slide.map_or(0, |slide| slide.gain);
            (
                game.score() + gain + rest.score(),
                rest.moves() + u64::from(first.is_some()),
                rest.board(),
            )
        } else {
            let mut copy = game.clone();
            let mut stream = single.next().expect("streams");
            if let Some(direction) = first {
                copy.play(direction, &mut stream).expect("a legal move");
            }
            copy.play_out(&mut stream);
            (copy.score(), copy.moves() - game.moves(), copy.board())
        };
        number += 1;
        stats.games += 1;
        stats.score.add(score);
        stats.moves.add(moves);
        stats.largest[usize::from(last.max_rank())] += 1;
    };
    let mut expected = Vec::new();
    for &games in portions {
        let mut stats = Stats::default();
        (0..games).for_each(|_| next(&mut stats));
        expected.push(stats);
    }
    on_each_level(|| {
        let mut playouts = match first {
            Some(direction) => Playouts::after_move(&game, direction, seed).expect("a legal move"),
            None => Playouts::from_game(&game, seed),
        };
        assert_eq!(playouts.rules(), game.rules());
        for (&games, expected) in portions.iter().zip(&expected) {
            assert_eq!(playouts.play(games), *expected, "{game:?}, {first:?}, {portions:?}");
        }
    });
}

/// Checks rows of perft, some of them stopped first.
pub(crate) fn perft(input: &Input) {
    let (width, height, depth) =
        *input.pick(&[(2, 2, 5), (3, 2, 3), (2, 3, 3), (3, 3, 2), (4, 4, 2), (8, 2, 1)]);
    let board = any_board(input, Size::new(width, height).expect("a size"));
    let mut perft = Perft::new(&board);
    for depth in 1..=depth {
        if input.flag() {
            assert!(
                perft.boards().next().is_none()
                    || perft.next_until(&ThreadPool::single(), &|| true).is_err()
            );
        }
        match perft.next() {
            Some(row) => assert_eq!(row, Ok(naive_perft(&board, depth)), "{board:?}"),
            None => return,
        }
    }
}
