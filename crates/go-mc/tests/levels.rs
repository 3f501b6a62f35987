//! Tests that every level plays the games of the references, move for move.

mod batch;

use bitcore::{Level, Rng};
use go_mc::board_size::BoardSize;
use go_mc::playout::{HasChainPlayouts, playout_on};
use go_mc::reference::{ColorSets, FooGo, light_playout, sequential_playout, simd_playout};
use go_mc::simd_playouts::HasSimdPlayouts;
use go_mc::{
    Board, Chains, Color, Point, Points, Policy, Position, SequentialPlayouts, SimdPlayouts, Size, Stats,
    Suicide,
};
use std::ops::Range;

testkit::properties! {
    boards: crate::properties::boards::board, 300;
    games: crate::properties::boards::game, 300;
    perft: crate::properties::boards::perft, 100;
    points: crate::properties::chains::points, 300;
    chains_5x5: crate::properties::chains::chains::<5>, 200;
    chains_9x9: crate::properties::chains::chains::<9>, 100;
    chains_19x19: crate::properties::chains::chains::<19>, 30;
    simd_playouts: crate::properties::playouts::simd, 60;
    sequential_playouts: crate::properties::playouts::sequential, 60;
    portions_of_playouts: crate::properties::playouts::portions, 60;
    searches: crate::properties::searches::search, 60;
}

fn widen<const N: usize>(points: Points<N>) -> Points<19> {
    points.iter().map(|index| Points::<19>::index(Points::<N>::point(index)).unwrap()).collect()
}

fn square<const N: usize>() -> Size {
    Size::new(N, N).unwrap()
}

/// Returns seeds for boards on which the definitions are slow: none under an emulator, where smaller boards
/// suffice.
fn few(native: u64) -> Range<u64> {
    0..if std::env::var_os(testkit::EMULATED).is_some() { 0 } else { native }
}

#[test]
fn sets_of_points_are_sets_of_points() {
    fn case<const N: usize>(seed: u64) {
        let mut rng = Rng::new(seed);
        let point = |index| Points::<N>::point(index);
        let all: Vec<usize> = Points::<N>::FULL.iter().collect();
        assert_eq!(all.len(), N * N);
        assert!(all.iter().all(|&index| Points::<N>::index(point(index)) == Some(index)));
        let density = 1 + rng.below(9);
        let [a, b] = [0; 2].map(|_| {
            let chosen = all.iter().copied().filter(|_| rng.below(10) < density);
            chosen.collect::<Points<N>>()
        });
        let far = |p: Point, q: Point| (p.x.abs_diff(q.x), p.y.abs_diff(q.y));
        let near =
            |p, far_enough: fn((u8, u8)) -> bool| a.iter().any(|q| far_enough(far(point(p), point(q))));
        for &p in &all {
            assert_eq!((a & b).contains(p), a.contains(p) && b.contains(p));
            assert_eq!((a | b).contains(p), a.contains(p) || b.contains(p));
            assert_eq!((a - b).contains(p), a.contains(p) && !b.contains(p));
            assert_eq!((!a).contains(p), !a.contains(p));
            assert_eq!(a.neighbors().contains(p), near(p, |d| matches!(d, (0, 1) | (1, 0))));
            assert_eq!(a.diagonals().contains(p), near(p, |d| d == (1, 1)));
            let Point { x, y } = point(p);
            let last = N as u8 - 1;
            assert_eq!(Points::<N>::EDGE.contains(p), x == 0 || y == 0 || x == last || y == last);
        }
        for outside in
            [Points::<N>::index(Point { x: N as u8, y: 0 }), Points::<N>::index(Point { x: 0, y: 255 })]
        {
            assert_eq!(outside, None);
        }
        assert!(!a.contains(usize::MAX) && !a.contains(N));
        let members: Vec<usize> = all.iter().copied().filter(|&p| a.contains(p)).collect();
        assert!(a.iter().eq(members.iter().copied()));
        assert_eq!(
            (a.len() as usize, a.is_empty(), a.is_single()),
            (members.len(), members.is_empty(), members.len() == 1)
        );
        for level in Level::all() {
            for k in 0..a.len() + 2 {
                let selected = a.select_on(level, k);
                assert_eq!(selected, members.get(k as usize).copied(), "{level}, {k}");
            }
        }
    }
    let _ = testkit::levels();
    testkit::seeds(200, |seed| {
        case::<1>(seed);
        case::<2>(seed);
        case::<5>(seed);
        case::<9>(seed);
        case::<13>(seed);
        case::<19>(seed);
    });
}

/// Plays random moves, suicide included, on a [`Board`] and on [`Chains`]; compares all sets at each ply.
fn walk<const N: usize>(seed: u64) {
    let mut rng = Rng::new(seed);
    let (mut board, mut chains, mut color) = (Board::new(square::<N>()), Chains::<N>::new(), Color::Black);
    for _ in 0..rng.below(3 * (N * N) as u32) {
        let empty = chains.empty();
        let Some(index) = empty.select(rng.below(empty.len())) else { break };
        if chains.ko().contains(index) || rng.below(20) == 0 {
            board.pass();
            chains.pass();
        } else {
            board.play(color, Points::<N>::point(index), Suicide::All).unwrap();
            chains.play(color, index);
        }
        color = color.other();
        let ko = chains.ko().iter().next().map(Points::<N>::point);
        assert_eq!((board.ko(color), board.ko(color.other())), (ko, None), "{board}");
        for side in Color::ALL {
            assert_eq!(widen(chains.stones(side)), board.stones(side), "{board}");
            let (mut atari, mut left) = (Points::EMPTY, board.stones(side));
            while let Some(first) = left.iter().next() {
                let point = Points::<19>::point(first);
                let (chain, liberties) = (board.chain(point), board.liberties(point));
                for stone in chain {
                    let here = Points::<N>::index(Points::<19>::point(stone)).unwrap();
                    assert_eq!(widen(chains.liberties(here)), liberties, "{board}");
                }
                if liberties.is_single() {
                    atari |= chain;
                }
                left -= chain;
            }
            assert_eq!(widen(chains.atari(side)), atari, "{board}");
        }
        for (policy, suicide) in
            [(Policy::NoSuicide, Suicide::Forbidden), (Policy::MultiSuicide, Suicide::Multi)]
        {
            let playable = policy.playable(&chains, color) - chains.ko();
            let legal = board.empty().iter().map(Points::<19>::point).filter(|&point| {
                !board.is_eye(color, point) && board.clone().play(color, point, suicide).is_ok()
            });
            let legal = legal.filter_map(Points::<N>::index).collect::<Points<N>>();
            assert_eq!(playable, legal, "{policy:?} {color}\n{board}");
            assert_eq!(policy.area(&chains), board.simple_area(), "{board}");
        }
        let playable = Policy::FooGo.playable(&chains, color);
        let stones = Color::ALL.map(|side| chains.stones(side));
        assert_eq!(playable, ColorSets::from_stones(stones, color).playable, "FooGo {color}\n{board}");
    }
}

#[test]
fn chains_know_what_the_board_says() {
    testkit::seeds(300, |seed| {
        walk::<2>(seed);
        walk::<5>(seed);
    });
    few(20).for_each(walk::<9>);
    few(2).for_each(walk::<13>);
    few(1).for_each(walk::<19>);
}

/// Plays a game of `FooGo` and compares its sets with their definition after every move.
fn maintained<const N: usize>(seed: u64) {
    let (mut game, mut rng, mut color) = (FooGo::<N>::new(), Rng::new(seed), Color::Black);
    for _ in 0..3 * N * N {
        let mut choice = game.sets()[color as usize].playable;
        if let Some(ko) = game.ko() {
            choice.remove(ko);
        }
        if choice.is_empty() {
            game.pass(color);
        } else {
            game.play(color, choice.select(rng.below(choice.len())).unwrap());
        }
        color = color.other();
        let stones = game.stones();
        assert_eq!(game.sets(), &Color::ALL.map(|color| ColorSets::from_stones(stones, color)));
        assert_eq!(game.black(), stones[0].len());
        if game.sets().iter().all(|sets| sets.playable.is_empty()) {
            return;
        }
    }
}

#[test]
fn foogo_maintains_what_it_defines() {
    testkit::seeds(800, maintained::<5>);
    few(50).for_each(maintained::<9>);
    few(5).for_each(maintained::<13>);
    few(2).for_each(maintained::<19>);
}

/// Compares a game of `FooGo` by the maintained sets with the same game on chains, on every level.
fn same_foogo<const N: usize>(seed: u64)
where
    BoardSize<N>: HasChainPlayouts<N>,
{
    let mut reference = (FooGo::<N>::new(), Rng::new(seed));
    let result = reference.0.playout(&mut reference.1);
    for level in Level::all() {
        let (mut chains, mut rng) = (Chains::<N>::new(), Rng::new(seed));
        let found = play(level, &mut chains, Policy::FooGo, &mut rng);
        assert_eq!(found, result, "{level}");
        assert_eq!(Color::ALL.map(|color| chains.stones(color)), reference.0.stones(), "{level}");
        assert_eq!(rng, reference.1, "{level}: draws");
    }
}

fn play<const N: usize>(
    level: Level,
    chains: &mut Chains<N>,
    policy: Policy,
    rng: &mut Rng,
) -> go_mc::GameResult
where
    BoardSize<N>: HasChainPlayouts<N>,
{
    playout_on(level, chains, Color::Black, policy, rng)
}

#[test]
fn every_level_plays_foogos_games() {
    let _ = testkit::levels();
    testkit::seeds(500, |seed| {
        same_foogo::<5>(seed);
        same_foogo::<9>(seed);
    });
    few(100).for_each(same_foogo::<13>);
    few(50).for_each(same_foogo::<19>);
}

/// Compares a light game on a [`Board`] with the same game on chains, on every level.
fn same_light<const N: usize>(seed: u64)
where
    BoardSize<N>: HasChainPlayouts<N>,
{
    for (policy, suicide) in [(Policy::NoSuicide, Suicide::Forbidden), (Policy::MultiSuicide, Suicide::Multi)]
    {
        let mut expected_rng = Rng::new(seed);
        let (result, board) = light_playout(square::<N>(), suicide, &mut expected_rng);
        for level in Level::all() {
            let (mut chains, mut rng) = (Chains::<N>::new(), Rng::new(seed));
            let found = play(level, &mut chains, policy, &mut rng);
            assert_eq!(found, result, "{level}");
            assert_eq!(
                Color::ALL.map(|color| widen(chains.stones(color))),
                Color::ALL.map(|c| board.stones(c))
            );
            assert_eq!(rng, expected_rng, "{level}: draws");
        }
        // Two passes ended the game, so the simple score is the area score.
        assert_eq!(board.simple_area(), board.area(), "{board}");
    }
}

#[test]
fn every_level_plays_the_naive_light_games() {
    let _ = testkit::levels();
    testkit::seeds(300, same_light::<5>);
    few(20).for_each(same_light::<9>);
    few(2).for_each(same_light::<13>);
    few(1).for_each(same_light::<19>);
}

fn random_position<const N: usize>(rng: &mut Rng) -> Position<N> {
    let (mut chains, mut color) = (Chains::<N>::new(), Color::ALL[rng.below(2) as usize]);
    for _ in 0..rng.below(2 * (N * N) as u32) {
        let legal = Policy::NoSuicide.playable(&chains, color) - chains.ko();
        match legal.select(rng.below(legal.len())) {
            Some(index) => chains.play(color, index),
            None => chains.pass(),
        }
        color = if rng.below(8) == 0 { color } else { color.other() };
    }
    let position = Position::from_chains(&chains, color);
    if rng.below(4) == 0 { position.after_pass() } else { position }
}

/// Compares the reference's playouts with SIMD playouts from a position, on every level and in two portions.
fn same_simd<const N: usize>(seed: u64, start: &Position<N>, games: u64)
where
    BoardSize<N>: HasSimdPlayouts<N>,
{
    for policy in [Policy::NoSuicide, Policy::MultiSuicide] {
        let expected: Vec<_> = (0..games).map(|i| simd_playout(start, policy, seed, i)).collect();
        for level in Level::all() {
            let (mut lanes, mut found) = (SimdPlayouts::<N>::new(policy, seed).unwrap(), vec![]);
            for portion in [games / 3, games - games / 3] {
                lanes.run_each_on(level, start, portion, |playout| found.push(*playout));
                assert_eq!(found.len() as u64, lanes.next_number());
            }
            found.sort_by_key(|playout| playout.number);
            assert_eq!(found, expected, "{level}, {policy:?} from {start:?}");
            let mut sum = Stats::default();
            for playout in &found {
                sum.add(&playout.result);
            }
            let stats = SimdPlayouts::<N>::new(policy, seed).unwrap().run_on(level, start, games);
            assert_eq!(stats, sum, "{level}, {policy:?}");
        }
    }
}

#[test]
fn lanes_play_the_naive_games() {
    let _ = testkit::levels();
    same_simd::<9>(1, &Position::EMPTY, 40);
    for seed in 0..testkit::cases(200) / 10 {
        let mut rng = Rng::new(seed);
        same_simd::<9>(seed, &random_position(&mut rng), 5);
    }
    few(1).for_each(|seed| same_simd::<13>(seed, &Position::EMPTY, 3));
    few(4).for_each(|seed| same_simd::<13>(seed, &random_position(&mut Rng::new(seed)), 1));
    assert!(SimdPlayouts::<9>::new(Policy::FooGo, 1).is_none());
}

/// Compares sequential playouts from a position, in two portions, with those of the reference.
fn same_sequential<const N: usize>(seed: u64, start: &Position<N>, games: u64) {
    for policy in [Policy::NoSuicide, Policy::MultiSuicide] {
        let (mut playouts, mut number) = (SequentialPlayouts::<N>::new(policy, seed).unwrap(), 0);
        for portion in [games / 3, games - games / 3] {
            playouts.run_each(start, portion, |playout| {
                let expected = sequential_playout(start, policy, seed, number);
                assert_eq!(playout, &expected, "{policy:?} from {start:?}");
                number += 1;
            });
            assert_eq!(number, playouts.next_number());
        }
        assert_eq!(number, games);
        let mut sum = Stats::default();
        SequentialPlayouts::<N>::new(policy, seed)
            .unwrap()
            .run_each(start, games, |playout| sum.add(&playout.result));
        assert_eq!(SequentialPlayouts::<N>::new(policy, seed).unwrap().run(start, games), sum);
    }
}

#[test]
fn sequential_playouts_are_the_naive_games() {
    let some = |native| testkit::cases(native).min(native);
    same_sequential::<2>(1, &Position::EMPTY, some(500));
    same_sequential::<5>(1, &Position::EMPTY, some(4000));
    same_sequential::<9>(1, &Position::EMPTY, some(400));
    for seed in 0..testkit::cases(500) {
        let mut rng = Rng::new(seed);
        same_sequential::<5>(seed, &random_position(&mut rng), 8);
        same_sequential::<9>(seed, &random_position(&mut rng), 1);
    }
    few(1).for_each(|seed| same_sequential::<13>(seed, &Position::EMPTY, 20));
    few(40).for_each(|seed| same_sequential::<13>(seed, &random_position(&mut Rng::new(seed)), 1));
    few(1).for_each(|seed| same_sequential::<19>(seed, &Position::EMPTY, 4));
    few(8).for_each(|seed| same_sequential::<19>(seed, &random_position(&mut Rng::new(seed)), 1));
    assert!(SequentialPlayouts::<9>::new(Policy::FooGo, 1).is_none());
}

#[test]
fn digests_are_equal() {
    testkit::digest("go-mc", include_str!("data/digest.txt"), go_mc::digest);
}
