//! The priors of new moves: virtual playouts that encode Go knowledge.

use super::arena::{NewChild, PASS, WinStats};
use super::pattern::Patterns;
use crate::playout::policy::Policy;
use crate::rules::board::Color;
use crate::rules::chains::Chains;
use crate::rules::points::Points;
use std::vec::Vec;

/// Virtual playouts, and how many of them are wins.
type Prior = (u32, u32);

const EVEN: Prior = (20, 10);
const PASS_MOVE: Prior = (20, 4);
const CAPTURE_ONE: Prior = (30, 30);
const CAPTURE_MANY: Prior = (60, 60);
/// Gives an own chain in atari, of one stone or several, at least two liberties.
const SAVE_ONE: Prior = (20, 20);
const SAVE_MANY: Prior = (50, 50);
/// Leaves an enemy chain one liberty.
const ATARI: Prior = (10, 10);
/// Leaves the resulting own chain, the new stone alone or connected, at most one liberty.
const SELF_ATARI_ONE: Prior = (20, 0);
const SELF_ATARI_MANY: Prior = (50, 0);
const PATTERN: Prior = (20, 20);
/// Is at a [gridcular distance](gridcular_distance) of 2 (adjacent), 3, 4 or 5 from the last move.
const NEAR_LAST_MOVE: [Prior; 4] = [(40, 40), (40, 40), (20, 20), (16, 16)];
/// Is on the first, second or third line with no stone within three steps.
const EMPTY_AREA: [Prior; 3] = [(40, 0), (20, 0), (20, 20)];

/// Returns the moves of a player with their priors: every legal move except filling an own eye,
/// then a pass.
pub(super) fn new_children<const N: usize>(
    chains: &Chains<N>,
    color: Color,
    last: Option<usize>,
    policy: Policy,
) -> Vec<NewChild> {
    let playable = policy.playable(chains, color) - chains.ko();
    let near_stones = (0..3).fold(!chains.empty(), |near, _| near | near.neighbors());
    let patterns = Patterns::get();
    let mut children = Vec::with_capacity(playable.len() as usize + 1);
    for index in playable {
        let mut prior = WinStats { visits: EVEN.0, half_wins: 2 * EVEN.1 };
        let mut add = |(playouts, wins): Prior| {
            prior.visits += playouts;
            prior.half_wins += 2 * wins;
        };
        add_tactics(chains, color, index, &mut add);
        if patterns.matches(chains, index) {
            add(PATTERN);
        }
        let steps = last.map(|last| gridcular_distance::<N>(index, last).wrapping_sub(2));
        if let Some(&near) = steps.and_then(|steps| NEAR_LAST_MOVE.get(steps)) {
            add(near);
        }
        if !near_stones.contains(index)
            && let Some(&empty_area) = EMPTY_AREA.get(distance_to_edge::<N>(index))
        {
            add(empty_area);
        }
        children.push(NewChild { point: index as u16, prior });
    }
    let pass = WinStats { visits: PASS_MOVE.0, half_wins: 2 * PASS_MOVE.1 };
    children.push(NewChild { point: PASS, prior: pass });
    children
}

/// Adds the priors of captures, rescues, ataris and self-ataris.
fn add_tactics<const N: usize>(
    chains: &Chains<N>,
    color: Color,
    index: usize,
    add: &mut impl FnMut(Prior),
) {
    let around = Points::<N>::bit(index).neighbors();
    let own = chains.stones(color);
    let enemy = chains.stones(color.other());
    let captured = chains_at(chains, around & chains.atari(color.other()));
    if !captured.is_empty() {
        add(if captured.is_single() { CAPTURE_ONE } else { CAPTURE_MANY });
    }
    let surviving = (around & (enemy - chains.atari(color.other()))).iter();
    if surviving.into_iter().any(|at| chains.liberties(at).len() == 2) {
        add(ATARI);
    }

    let connected = chains_at(chains, around & own);
    let mut liberties = (around & chains.empty()) | (around & captured);
    for at in around & own {
        liberties |= chains.liberties(at);
    }
    liberties.clear_bit(index);
    let in_atari = connected & chains.atari(color);
    if liberties.len() < 2 && captured.is_empty() {
        add(if connected.is_empty() { SELF_ATARI_ONE } else { SELF_ATARI_MANY });
    } else if !in_atari.is_empty() {
        add(if in_atari.is_single() { SAVE_ONE } else { SAVE_MANY });
    }
}

fn chains_at<const N: usize>(chains: &Chains<N>, stones: Points<N>) -> Points<N> {
    stones.iter().fold(Points::EMPTY, |all, at| all | chains.chain(at))
}

/// Returns the gridcular distance of two points, dx + dy + max(dx, dy): 2 if adjacent, 3 if
/// diagonal.
fn gridcular_distance<const N: usize>(a: usize, b: usize) -> usize {
    let a = Points::<N>::point(a);
    let b = Points::<N>::point(b);
    let dx = usize::from(a.x.abs_diff(b.x));
    let dy = usize::from(a.y.abs_diff(b.y));
    dx + dy + dx.max(dy)
}

/// Returns the distance to the nearest edge: 0 on the first line.
fn distance_to_edge<const N: usize>(index: usize) -> usize {
    let point = Points::<N>::point(index);
    let x = usize::from(point.x);
    let y = usize::from(point.y);
    x.min(y).min(N - 1 - x).min(N - 1 - y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::board::Board;
    use crate::rules::position::Position;

    fn chains(board: &str) -> Chains<5> {
        let board: Board = board.parse().unwrap();
        Chains::from(&Position::new(&board, Color::Black).unwrap())
    }

    fn at(point: &str) -> usize {
        Points::<5>::index(point.parse().unwrap()).unwrap()
    }

    #[test]
    fn captures_rescues_and_ataris() {
        let found = |board: &str, point: &str| {
            let mut found = Vec::new();
            add_tactics(&chains(board), Color::Black, at(point), &mut |prior| found.push(prior));
            found
        };
        assert_eq!(found(".....\n.....\n.....\nX....\nO....", "B1"), [CAPTURE_ONE]);
        assert_eq!(found(".....\n.....\n.....\nXX...\nOO...", "C1"), [CAPTURE_MANY]);
        assert_eq!(found(".....\n.....\n..O..\n.OXO.\n.....", "C1"), [SAVE_ONE]);
        assert_eq!(found(".....\n.OO..\nOXXO.\nOOXO.\n.....", "C1"), [SAVE_MANY]);
        assert_eq!(found(".....\n.....\n.....\n.....\n.XO..", "D1"), [ATARI]);
        assert_eq!(found(".....\n.....\n.....\nO....\n.....", "A1"), [SELF_ATARI_ONE]);
        assert_eq!(found(".....\n.....\n.....\nOO...\nX....", "B1"), [SELF_ATARI_MANY]);
        // Capturing the attacker is not a self-atari.
        assert_eq!(found(".....\n.....\n.....\nXX...\nO.X..", "B1"), [CAPTURE_ONE]);
        assert_eq!(found(".....\n.....\n.....\n.....\n.....", "C3"), []);
    }

    #[test]
    fn children_are_the_legal_moves_without_own_eyes_and_a_pass() {
        let children = |last| {
            let chains = chains("...X.\n...XX\n.....\n.....\n.....");
            new_children(&chains, Color::Black, last, Policy::NoSuicide)
        };
        let visits = |last, point: &str| {
            let child =
                children(last).into_iter().find(|child| usize::from(child.point) == at(point));
            child.map(|child| child.prior.visits)
        };
        assert_eq!(children(None).len(), 25 - 4 + 1);
        assert_eq!(children(None).last().unwrap().point, PASS);
        assert_eq!(visits(None, "E5"), None, "an eye");
        assert_eq!(visits(None, "A1"), Some(EVEN.0 + EMPTY_AREA[0].0));
        assert_eq!(visits(None, "B3"), Some(EVEN.0));
        assert_eq!(visits(Some(at("D4")), "B4"), Some(EVEN.0 + NEAR_LAST_MOVE[2].0));
    }

    #[test]
    fn distances_and_lines() {
        let index = |point: &str| Points::<9>::index(point.parse().unwrap()).unwrap();
        assert_eq!(gridcular_distance::<9>(index("D4"), index("D5")), 2);
        assert_eq!(gridcular_distance::<9>(index("D4"), index("E5")), 3);
        assert_eq!(gridcular_distance::<9>(index("D4"), index("F4")), 4);
        assert_eq!(gridcular_distance::<9>(index("D4"), index("F5")), 5);
        assert_eq!(
            ["A1", "B7", "E5", "G3"].map(|point| distance_to_edge::<9>(index(point))),
            [0, 1, 4, 2]
        );
    }
}
