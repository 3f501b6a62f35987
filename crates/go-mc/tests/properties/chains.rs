//! Sets of points, and chains with the playable points of every policy.

use super::values::point;
use bitcore::Level;
use go_mc::reference::ColorSets;
use go_mc::{Board, Chains, Color, Point, Points, Policy, Position, Size, Suicide};
use std::collections::BTreeSet;
use testkit::Input;

/// A set of points of 9 x 9 against a set of pairs.
pub(crate) fn points(input: &Input) {
    let mut sets = [Points::<9>::EMPTY; 2];
    let mut pairs = [BTreeSet::new(), BTreeSet::new()];
    let all: BTreeSet<(u8, u8)> = (0..9).flat_map(|y| (0..9).map(move |x| (y, x))).collect();
    for _ in input.steps(64) {
        let (i, at) = (input.below(2), Point { x: input.below(11) as u8, y: input.below(11) as u8 });
        let index = Points::<9>::index(at);
        assert_eq!(index.is_some(), at.x < 9 && at.y < 9);
        let ([a, b], [c, d]) = (sets, &pairs);
        match (input.below(8), index) {
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
            _ => {
                let mut reached = &pairs[0] & &pairs[1];
                assert_eq!(in_order(sets[0].neighbors()), in_order_of(&around(&pairs[0], &STRAIGHT)));
                assert_eq!(in_order(sets[0].diagonals()), in_order_of(&around(&pairs[0], &DIAGONAL)));
                loop {
                    let more = &(&around(&reached, &STRAIGHT) | &reached) & &pairs[1];
                    if more == reached {
                        break;
                    }
                    reached = more;
                }
                assert_eq!(in_order(sets[0].flood(sets[1])), in_order_of(&reached));
            }
        }
        for (set, pairs) in sets.iter().zip(&pairs) {
            let listed = in_order_of(pairs);
            assert_eq!(in_order(*set), listed);
            assert_eq!((set.len() as usize, set.is_empty()), (listed.len(), listed.is_empty()));
            assert_eq!(set.is_single(), listed.len() == 1);
            let k = input.below(90);
            for level in Level::all() {
                assert_eq!(set.select_on(level, k as u32), listed.get(k).copied());
            }
            assert_eq!(set.contains(k), listed.contains(&k));
        }
    }
}

const STRAIGHT: [(i8, i8); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

fn around(pairs: &BTreeSet<(u8, u8)>, steps: &[(i8, i8)]) -> BTreeSet<(u8, u8)> {
    let near = pairs.iter().flat_map(|&(y, x)| {
        steps.iter().map(move |&(dy, dx)| (y.wrapping_add_signed(dy), x.wrapping_add_signed(dx)))
    });
    near.filter(|&(y, x)| y < 9 && x < 9).collect()
}

fn in_order(set: Points<9>) -> Vec<usize> {
    set.iter().collect()
}

fn in_order_of(pairs: &BTreeSet<(u8, u8)>) -> Vec<usize> {
    pairs.iter().map(|&(y, x)| usize::from(y) * 10 + usize::from(x)).collect()
}

/// Plays legal moves, suicide of any kind among them.
pub(crate) fn chains<const N: usize>(input: &Input) {
    let size = Size::new(N, N).expect("a size");
    let (mut board, mut chains) = (Board::new(size), Chains::<N>::new());
    let mut to_move = Color::Black;
    for _ in input.steps(64) {
        let kind = input.below(16);
        match kind {
            0 => {
                board.pass();
                chains.pass();
            }
            1 => {
                let position = Position::<N>::from_chains(&chains, to_move);
                chains = Chains::from_position(&position);
            }
            2 if input.below(4) == 0 => {
                board = Board::new(size);
                chains.clear();
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
        // After a suicide or a pass, nobody's ko point is left.
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
        for level in Level::all() {
            assert_eq!(policy.playable_on(level, chains, color), expected, "{policy:?} {color}\n{board}");
        }
    }
    assert_eq!(Policy::NoSuicide.area(chains), board.simple_area());
}
