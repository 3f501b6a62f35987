//! What is thought of a move before it is tried: playouts that only knowledge has seen.

use super::pattern::Shapes;
use super::pool::{Child, PASS, Tally};
use crate::board::Color;
use crate::chains::Chains;
use crate::points::Points;
use crate::policy::Policy;
use std::vec::Vec;

/// Imagined games, and how many of them are won.
type Weight = (u32, u32);

const EVEN: Weight = (20, 10);
/// A pass costs a move; at the end of the game it is the best that is left.
const PASSING: Weight = (20, 4);
const CAPTURE_ONE: Weight = (30, 30);
const CAPTURE_MORE: Weight = (60, 60);
/// Gives a chain in atari two liberties or more.
const SAVE_ONE: Weight = (20, 20);
const SAVE_MORE: Weight = (50, 50);
/// Leaves an opponent's chain one liberty.
const ATARI: Weight = (10, 10);
const SELF_ATARI_ONE: Weight = (20, 0);
const SELF_ATARI_MORE: Weight = (50, 0);
const SHAPE: Weight = (20, 20);
/// By the distance to the last move: dx + dy + max(dx, dy), from 2 (beside it) on.
const NEAR: [Weight; 4] = [(40, 40), (40, 40), (20, 20), (16, 16)];
/// On the first, second and third line with no stone within three steps.
const VAST: [Weight; 3] = [(40, 0), (20, 0), (20, 20)];

/// The moves of a player with what is thought of each: every legal one but those into its own eyes, and a pass.
pub(super) fn children<const N: usize>(
    chains: &Chains<N>,
    color: Color,
    last: Option<usize>,
    policy: Policy,
) -> Vec<Child> {
    let playable = policy.playable(chains, color) - chains.ko();
    let near_stones = (0..3).fold(!chains.empty(), |near, _| near | near.neighbors());
    let shapes = Shapes::get();
    let mut children = Vec::with_capacity(playable.len() as usize + 1);
    for index in playable {
        let mut prior = Tally { games: EVEN.0, halves: 2 * EVEN.1 };
        let mut add = |(games, wins): Weight| {
            prior.games += games;
            prior.halves += 2 * wins;
        };
        tactics(chains, color, index, &mut add);
        if shapes.has(chains, index) {
            add(SHAPE);
        }
        if let Some(&weight) = last.and_then(|last| NEAR.get(distance::<N>(index, last).wrapping_sub(2))) {
            add(weight);
        }
        if !near_stones.contains(index)
            && let Some(&weight) = VAST.get(line::<N>(index))
        {
            add(weight);
        }
        children.push(Child { point: index as u16, prior });
    }
    children.push(Child { point: PASS, prior: Tally { games: PASSING.0, halves: 2 * PASSING.1 } });
    children
}

/// Captures, rescues and ataris.
fn tactics<const N: usize>(chains: &Chains<N>, color: Color, index: usize, add: &mut impl FnMut(Weight)) {
    let around = Points::<N>::from_index(index).neighbors();
    let (own, enemy) = (chains.stones(color), chains.stones(color.other()));
    let captured = chains_at(chains, around & chains.atari(color.other()));
    if !captured.is_empty() {
        add(if captured.is_single() { CAPTURE_ONE } else { CAPTURE_MORE });
    }
    let pressed = (around & (enemy - chains.atari(color.other()))).iter();
    if pressed.into_iter().any(|at| chains.liberties(at).len() == 2) {
        add(ATARI);
    }

    let joined = chains_at(chains, around & own);
    let mut liberties = (around & chains.empty()) | (around & captured);
    for at in around & own {
        liberties |= chains.liberties(at);
    }
    liberties.remove(index);
    let threatened = joined & chains.atari(color);
    if liberties.len() < 2 && captured.is_empty() {
        add(if joined.is_empty() { SELF_ATARI_ONE } else { SELF_ATARI_MORE });
    } else if !threatened.is_empty() {
        add(if threatened.is_single() { SAVE_ONE } else { SAVE_MORE });
    }
}

/// The chains of some stones.
fn chains_at<const N: usize>(chains: &Chains<N>, stones: Points<N>) -> Points<N> {
    stones.iter().fold(Points::EMPTY, |all, at| all | chains.chain(at))
}

fn distance<const N: usize>(a: usize, b: usize) -> usize {
    let (a, b) = (Points::<N>::point(a), Points::<N>::point(b));
    let (dx, dy) = (usize::from(a.x.abs_diff(b.x)), usize::from(a.y.abs_diff(b.y)));
    dx + dy + dx.max(dy)
}

/// Steps to the edge.
fn line<const N: usize>(index: usize) -> usize {
    let point = Points::<N>::point(index);
    let (x, y) = (usize::from(point.x), usize::from(point.y));
    x.min(y).min(N - 1 - x).min(N - 1 - y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::position::Position;

    fn chains(board: &str) -> Chains<5> {
        let board: Board = board.parse().unwrap();
        Chains::from_position(&Position::new(&board, Color::Black).unwrap())
    }

    fn at(point: &str) -> usize {
        Points::<5>::index(point.parse().unwrap()).unwrap()
    }

    #[test]
    fn captures_rescues_and_ataris() {
        let found = |board: &str, point: &str| {
            let mut found = Vec::new();
            tactics(&chains(board), Color::Black, at(point), &mut |weight| found.push(weight));
            found
        };
        assert_eq!(found(".....\n.....\n.....\nX....\nO....", "B1"), [CAPTURE_ONE]);
        assert_eq!(found(".....\n.....\n.....\nXX...\nOO...", "C1"), [CAPTURE_MORE]);
        assert_eq!(found(".....\n.....\n..O..\n.OXO.\n.....", "C1"), [SAVE_ONE]);
        assert_eq!(found(".....\n.OO..\nOXXO.\nOOXO.\n.....", "C1"), [SAVE_MORE]);
        assert_eq!(found(".....\n.....\n.....\n.....\n.XO..", "D1"), [ATARI]);
        assert_eq!(found(".....\n.....\n.....\nO....\n.....", "A1"), [SELF_ATARI_ONE]);
        assert_eq!(found(".....\n.....\n.....\nOO...\nX....", "B1"), [SELF_ATARI_MORE]);
        // Taking the only stone that presses it is no self-atari.
        assert_eq!(found(".....\n.....\n.....\nXX...\nO.X..", "B1"), [CAPTURE_ONE]);
        assert_eq!(found(".....\n.....\n.....\n.....\n.....", "C3"), []);
    }

    #[test]
    fn children_are_the_legal_moves_but_eyes_and_a_pass() {
        let children = |last| {
            let chains = chains("...X.\n...XX\n.....\n.....\n.....");
            children(&chains, Color::Black, last, Policy::NoSuicide)
        };
        let games = |last, point: &str| {
            let child = children(last).into_iter().find(|child| usize::from(child.point) == at(point));
            child.map(|child| child.prior.games)
        };
        assert_eq!((children(None).len(), children(None).last().unwrap().point), (25 - 4 + 1, PASS));
        assert_eq!(games(None, "E5"), None, "an eye");
        assert_eq!(games(None, "A1"), Some(EVEN.0 + VAST[0].0));
        assert_eq!(games(None, "B3"), Some(EVEN.0));
        assert_eq!(games(Some(at("D4")), "B4"), Some(EVEN.0 + NEAR[2].0));
    }

    #[test]
    fn distances_and_lines() {
        let index = |point: &str| Points::<9>::index(point.parse().unwrap()).unwrap();
        assert_eq!(
            (distance::<9>(index("D4"), index("D5")), distance::<9>(index("D4"), index("E5"))),
            (2, 3)
        );
        assert_eq!(
            (distance::<9>(index("D4"), index("F4")), distance::<9>(index("D4"), index("F5"))),
            (4, 5)
        );
        assert_eq!(["A1", "B7", "E5", "G3"].map(|point| line::<9>(index(point))), [0, 1, 4, 2]);
    }
}
