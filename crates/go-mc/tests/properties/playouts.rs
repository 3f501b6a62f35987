//! Playouts from positions that bytes have made, against their definitions.

use super::values::{COLORS, point};
use bitcore::Level;
use go_mc::reference::{sequential_playout, simd_playout};
use go_mc::{
    Board, Ownership, Playouts, Policy, Position, SequentialPlayouts, SimdPlayouts, Size, Stats, Suicide,
    dead_stones, seki_stones,
};
use testkit::Input;

const LIGHT: [Policy; 2] = [Policy::NoSuicide, Policy::MultiSuicide];

/// Takes a position after some moves of either color.
fn position<const N: usize>(input: &Input) -> (Board, Position<N>) {
    let size = Size::new(N, N).expect("a size");
    let mut board = Board::new(size);
    let mut color = *input.pick(&COLORS);
    for _ in input.steps(input.byte().into()) {
        if input.below(8) > 0 {
            color = color.other();
        }
        // A refused move is another byte.
        let _ = board.play(color, point(input, size), Suicide::Multi);
    }
    let position = Position::new(&board, color.other()).expect("the board's size");
    let position = if input.below(4) == 0 { position.after_pass() } else { position };
    (board, position)
}

pub(crate) fn simd(input: &Input) {
    let (policy, seed) = (*input.pick(&LIGHT), input.u64());
    let games = input.below(2) as u64;
    macro_rules! sized {
        ($size:literal) => {{
            let (_, start) = position::<$size>(input);
            let playout = |number| simd_playout(&start, policy, seed, number);
            let expected: Vec<_> = (0..games).map(playout).collect();
            for level in Level::all() {
                let (mut playouts, mut played) =
                    (SimdPlayouts::<$size>::new(policy, seed).unwrap(), Vec::new());
                playouts.run_each_on(level, &start, games, |game| played.push(*game));
                played.sort_by_key(|game| game.number);
                assert_eq!(played, expected);
            }
        }};
    }
    if input.below(32) == 0 { sized!(13) } else { sized!(9) }
}

pub(crate) fn sequential(input: &Input) {
    match input.below(64) {
        0 => sequential_of::<19>(input),
        1 => sequential_of::<13>(input),
        2..8 => sequential_of::<9>(input),
        _ => sequential_of::<5>(input),
    }
}

fn sequential_of<const N: usize>(input: &Input) {
    let (policy, seed) = (*input.pick(&LIGHT), input.u64());
    let (_, start) = position::<N>(input);
    let mut playouts = SequentialPlayouts::<N>::new(policy, seed).expect("a light policy");
    let games = 1 + u64::from(N < 13);
    playouts.run_each(&start, games, |game| {
        assert_eq!(*game, sequential_playout(&start, policy, seed, game.number));
    });
    assert_eq!(playouts.next_number(), games);
}

/// Games in portions of any size, and what playouts say about a position.
pub(crate) fn portions(input: &Input) {
    let policy = *input.pick(&[Policy::NoSuicide, Policy::MultiSuicide, Policy::FooGo]);
    let (size, seed) = (if input.below(16) == 0 { 9 } else { 5 }, input.u64());
    let portions = input.list(3, || input.below(3) as u64);
    let all: u64 = portions.iter().sum();
    let stats = Level::all().map(|level| {
        let mut playouts = Playouts::new(size, policy, seed).expect("a size with playouts");
        let mut stats = Stats::default();
        for &portion in &portions {
            stats += playouts.run_on(level, portion);
        }
        stats
    });
    let stats: Vec<Stats> = stats.collect();
    assert!(stats.iter().all(|each| *each == stats[0] && each.games == all));

    let (board, _) = position::<5>(input);
    let ownership = Ownership::<5>::estimate_on_chains(&board, 4, seed).expect("5 x 5");
    assert_eq!(ownership.games(), 4);
    let stones = board.stones(COLORS[0]) | board.stones(COLORS[1]);
    let dead = dead_stones(&board, 4, seed).expect("a size with playouts");
    let seki = seki_stones(&board, 4, seed).expect("a size with playouts");
    assert!((dead - stones).is_empty() && (seki - stones).is_empty() && (dead & seki).is_empty());
}
