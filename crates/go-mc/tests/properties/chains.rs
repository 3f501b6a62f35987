//! Sets of points, and chains with the playable points of every policy.

use super::values::point;
use bitcore::Rng;
use go_mc::reference::{ColorSets, FooGo};
use go_mc::{Board, Chains, Color, Point, Points, Policy, Position, Size, Suicide};
use std::collections::BTreeSet;
use testkit::{Input, on_each_level};

type Pairs = BTreeSet<(u8, u8)>;

/// Sets of points, compared with sets of pairs.
pub(crate) fn points<const N: usize>(input: &Input) {
    let mut sets = [Points::<N>::EMPTY; 2];
    let mut pairs = [Pairs::new(), Pairs::new()];
    let side = N as u8;
    let all: Pairs = (0..side).flat_map(|y| (0..side).map(move |x| (y, x))).collect();
    let edge = all.iter().filter(|&&(y, x)| [0, side - 1].iter().any(|&end| x == end || y == end));
    assert_eq!(in_order(Points::<N>::EDGE), in_order_of::<N>(&edge.copied().collect()));
    assert_eq!(Points::<N>::index(Point { x: 0, y: 255 }), None);
    for _ in input.steps(64) {
        let i = input.below(2);
        let at = Point { x: input.below(N + 2) as u8, y: input.below(N + 2) as u8 };
        let index = Points::<N>::index(at);
        assert_eq!(index.map(Points::<N>::point), (at.x < side && at.y < side).then_some(at));
        let [a, b] = sets;
        let [c, d] = &pairs;
        match (input.below(9), index) {
            (0 | 1, Some(index)) => {
                sets[i].insert(index);
                pairs[i].insert((at.y, at.x));
            }
            (2, Some(index)) => {
                sets[i].remove(index);
                pairs[i].remove(&(at.y, at.x));
            }
            (3, _) => (sets[i], pairs[i]) = (!sets[i], &all - &pairs[i]),
            (4, _) => (sets[i], pairs[i]) = (a & b, c & d),
            (5, _) => (sets[i], pairs[i]) = (a | b, c | d),
            (6, _) => (sets[i], pairs[i]) = (a - b, c - d),
            (8, _) => {
                let mut rng = Rng::new(input.byte().into());
                let density = 1 + rng.below(9);
                pairs[i] = all.iter().copied().filter(|_| rng.below(10) < density).collect();
                sets[i] = in_order_of::<N>(&pairs[i]).into_iter().collect();
            }
            _ => assert_spread(sets, &pairs),
        }
        for (set, pairs) in sets.iter().zip(&pairs) {
            let listed = in_order_of::<N>(pairs);
            assert_eq!(in_order(*set), listed);
            assert_eq!(set.len() as usize, listed.len());
            assert_eq!(set.is_empty(), listed.is_empty());
            assert_eq!(set.is_single(), listed.len() == 1);
            let k = input.below(N * (N + 1));
            on_each_level(|| {
                assert_eq!(set.select(k as u32), listed.get(k).copied());
            });
            assert_eq!(set.contains(k), listed.contains(&k));
        }
    }
    assert_spread(sets, &pairs);
    let listed = in_order(sets[0]);
    assert!(!sets[0].contains(usize::MAX) && !sets[0].contains(N));
    on_each_level(|| {
        for k in 0..listed.len() + 2 {
            assert_eq!(sets[0].select(k as u32), listed.get(k).copied());
        }
    });
}

/// Checks the neighbors of the first set, and its flood fill in the second.
fn assert_spread<const N: usize>(sets: [Points<N>; 2], pairs: &[Pairs; 2]) {
    let around = |pairs: &Pairs, steps: &[(i8, i8)]| -> Pairs {
        let near = pairs.iter().flat_map(|&(y, x)| {
            steps
                .iter()
                .map(move |&(dy, dx)| (y.wrapping_add_signed(dy), x.wrapping_add_signed(dx)))
        });
        near.filter(|&(y, x)| usize::from(y) < N && usize::from(x) < N).collect()
    };
    let mut reached = &pairs[0] & &pairs[1];
    assert_eq!(in_order(sets[0].neighbors()), in_order_of::<N>(&around(&pairs[0], &STRAIGHT)));
    assert_eq!(in_order(sets[0].diagonals()), in_order_of::<N>(&around(&pairs[0], &DIAGONAL)));
    loop {
        let more = &(&around(&reached, &STRAIGHT) | &reached) & &pairs[1];
        if more == reached {
            break;
        }
        reached = more;
    }
    assert_eq!(in_order(sets[0].flood(sets[1])), in_order_of::<N>(&reached));
}

const STRAIGHT: [(i8, i8); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

fn in_order<const N: usize>(set: Points<N>) -> Vec<usize> {
    set.iter().collect()
}

fn in_order_of<const N: usize>(pairs: &Pairs) -> Vec<usize> {
    pairs.iter().map(|&(y, x)| usize::from(y) * (N + 1) + usize::from(x)).collect()
}

/// Plays legal moves, including suicides of any kind.
pub(crate) fn chains<const N: usize>(input: &Input) {
    let size = Size::new(N, N).expect("a size");
    let mut board = Board::new(size);
    let mut chains = Chains::<N>::new();
    let mut to_move = Color::Black;
    for _ in input.steps(64) {
        let kind = input.below(17);
        match kind {
            0 => {
                board.pass();
                chains.pass();
            }
            1 => {
                let position = chains.position(to_move);
                chains = Chains::from(&position);
            }
            2 if input.below(4) == 0 => {
                board = Board::new(size);
                chains.clear();
            }
            16 => {
                // Enough moves to fill the board and capture chains.
                let mut rng = Rng::new(input.byte().into());
                for _ in 0..rng.below(2 * (N * N) as u32) {
                    let Some(index) = chains.empty().select(rng.below(chains.empty().len().max(1)))
                    else {
                        break;
                    };
                    to_move = to_move.other();
                    if board.play(to_move, Points::<N>::point(index), Suicide::All).is_ok() {
                        chains.play(to_move, index);
                    }
                }
                assert_chains(&board, &chains);
                assert_playable(&board, &chains, to_move);
            }
            _ => {
                to_move = if kind < 6 { to_move } else { to_move.other() };
                let at = point(input, size);
                if board.play(to_move, at, Suicide::All).is_ok() {
                    let index = Points::<N>::index(at).expect("a legal move is on the board");
                    chains.play(to_move, index);
                }
            }
        }
        // After a suicide or a pass, neither color has a ko point.
        let ko = Color::ALL.into_iter().find_map(|color| board.ko(color));
        let ko = ko.and_then(Points::<N>::index).map_or(Points::EMPTY, Points::from_index);
        assert_eq!(chains.ko(), ko);
        let position = Position::<N>::new(&board, to_move).expect("the board's size");
        for color in Color::ALL {
            assert_eq!(chains.stones(color), position.stones(color));
        }
        if input.below(32) == 0 {
            assert_chains(&board, &chains);
            let color = *input.pick(&Color::ALL);
            assert_playable(&board, &chains, color);
        }
    }
    assert_chains(&board, &chains);
    assert_playable(&board, &chains, to_move);
}

fn assert_chains<const N: usize>(board: &Board, chains: &Chains<N>) {
    let narrow = |set: Points<19>| -> Points<N> {
        set.iter().filter_map(|index| Points::<N>::index(Points::<19>::point(index))).collect()
    };
    for index in Points::<N>::FULL {
        let at = Points::<N>::point(index);
        let liberties = narrow(board.liberties(at));
        assert_eq!(chains.chain(index), narrow(board.chain(at)));
        assert_eq!(chains.liberties(index), liberties);
        for color in Color::ALL {
            let in_atari = board.at(at) == Some(color) && liberties.is_single();
            assert_eq!(chains.atari(color).contains(index), in_atari);
        }
    }
}

fn assert_playable<const N: usize>(board: &Board, chains: &Chains<N>, color: Color) {
    let stones = [chains.stones(Color::Black), chains.stones(Color::White)];
    let mut free = board.clone();
    free.pass();
    let legal = |suicide| -> Points<N> {
        let is_legal = |&index: &usize| {
            let at = Points::<N>::point(index);
            !board.is_eye(color, at) && free.clone().play(color, at, suicide).is_ok()
        };
        chains.empty().iter().filter(is_legal).collect()
    };
    let expected = [
        (Policy::NoSuicide, legal(Suicide::Forbidden)),
        (Policy::MultiSuicide, legal(Suicide::Multi)),
        (Policy::FooGo, ColorSets::from_stones(stones, color).playable),
    ];
    for (policy, expected) in expected {
        on_each_level(|| {
            assert_eq!(policy.playable(chains, color), expected, "{policy:?} {color}\n{board}");
        });
    }
    assert_eq!(Policy::NoSuicide.area(chains), board.simple_area());
}

/// Compares the sets maintained by a `FooGo` game with their definition after every move.
pub(crate) fn foogo(input: &Input) {
    match input.below(64) {
        0 => foogo_of::<19>(input),
        1 => foogo_of::<13>(input),
        2..8 => foogo_of::<9>(input),
        _ => foogo_of::<5>(input),
    }
}

fn foogo_of<const N: usize>(input: &Input) {
    let mut game = FooGo::<N>::new();
    let mut rng = Rng::new(input.u64());
    let mut color = Color::Black;
    for _ in 0..3 * N * N {
        let ko = game.ko().map_or(Points::EMPTY, Points::from_index);
        let choice = game.sets()[color as usize].playable - ko;
        match choice.select(rng.below(choice.len().max(1))) {
            Some(index) => game.play(color, index),
            None => game.pass(color),
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
