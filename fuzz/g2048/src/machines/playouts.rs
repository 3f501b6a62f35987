//! Random play in portions, and counts of paths, on every level against naive games.

use super::any_board;
use bitcore::{Level, Rng};
use fuzzkit::Input;
use g2048::packed::{playout_from, playout4x4_on};
use g2048::reference::{naive_perft, naive_playout, naive_playout_from, naive_playout4x4};
use g2048::{Perft, Playouts, Playouts4x4, Size, Stats};
use std::cell::Cell;

pub(super) fn run(input: &mut Input<'_>) {
    let seed = u64::from(input.u16());
    let portions: Vec<u64> = (0..1 + input.below(3)).map(|_| u64::from(input.byte() % 3)).collect();
    match input.below(4) {
        0 => classic(seed, &portions),
        1 => {
            let board = any_board(input, Size::CLASSIC);
            let mut rng = Rng::new(seed);
            let expected = naive_playout_from(&board, &mut rng.clone());
            assert_eq!(playout_from(&board, &mut rng), expected, "{board:?}");
        }
        _ => {
            let size = Size::new(2 + input.below(3), 2 + input.below(2)).expect("a size");
            sized(size, seed, &portions, input.byte().into());
        }
    }
}

/// Games of any size, one run of which is stopped at some call.
fn sized(size: Size, seed: u64, portions: &[u64], calls: u32) {
    let games = portions.iter().sum::<u64>() as usize;
    let naive = Rng::streams(seed).take(games).map(|mut rng| naive_playout(size, &mut rng));
    let expected: Stats = naive.sum();
    for level in Level::all() {
        let mut playouts = Playouts::new(size, seed);
        let mut stats = Stats::default();
        for &games in portions {
            let left = Cell::new(calls);
            let stop = || {
                left.set(left.get().saturating_sub(1));
                left.get() == 0
            };
            // The games of a stopped run are lost, so a copy is stopped.
            let stopped = playouts.clone().run_until_on(level, games, &stop);
            let played = playouts.run_on(level, games);
            assert!(stopped.is_err() || stopped == Ok(played), "{level}, {size}");
            stats += played;
        }
        assert_eq!(stats, expected, "{level}, {size}, {portions:?}");
    }
}

fn classic(seed: u64, portions: &[u64]) {
    let mut streams: Vec<Rng> = Rng::streams(seed).take(32).collect();
    let mut next = 0;
    let mut naive = |games: u64| -> Stats {
        let numbers = next..next + games as usize;
        next = numbers.end;
        numbers.map(|number| naive_playout4x4(&mut streams[number % 32])).sum()
    };
    let expected: Vec<Stats> = portions.iter().map(|&games| naive(games)).collect();
    for level in Level::all() {
        let (mut lanes, mut packed) = (Playouts4x4::new(seed), Playouts4x4::new(seed));
        let mut streams: Vec<Rng> = Rng::streams(seed).take(32).collect();
        let mut game = 0;
        for (&games, expected) in portions.iter().zip(&expected) {
            let one_by_one =
                (game..game + games).map(|game| playout4x4_on(level, &mut streams[game as usize % 32])).sum();
            game += games;
            let found = [lanes.run_on(level, games), packed.run_packed_on(level, games), one_by_one];
            assert_eq!(found, [*expected; 3], "{level}, {portions:?}");
        }
    }
}

/// Counts of paths from any board, interrupted at any time.
pub(super) fn perft(input: &mut Input<'_>) {
    let (width, height, depth) =
        *input.pick(&[(2, 2, 4), (3, 2, 2), (2, 3, 2), (3, 3, 1), (4, 4, 1), (8, 2, 1)]);
    let board = any_board(input, Size::new(width, height).expect("a size"));
    let mut perft = Perft::new(&board);
    for depth in 1..=depth {
        if input.flag() {
            assert!(perft.boards().next().is_none() || perft.next_until(&|| true).is_err());
        }
        match perft.next() {
            Some(row) => assert_eq!(row, Ok(naive_perft(&board, depth)), "{board:?}"),
            None => return,
        }
    }
}
