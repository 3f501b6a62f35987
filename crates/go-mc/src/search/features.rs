//! What the [prior](super::prior) sees of a move: one class of each of six groups.
//!
//! | group | classes |
//! |---|---|
//! | `pattern` | the eight points around the move, up to symmetry |
//! | `cross` | the four points two steps away in a straight line, up to symmetry |
//! | `place` | the phase of the game and the distances to the two nearest edges |
//! | `tactics` | captured stones, the liberties that are left to the enemy, those of the weakest own chain before the move and of the new chain |
//! | `last` | the distance to the last move |
//! | `before_last` | the distance to the move before it |
//! | `pass` | instead, of a pass: the phase, and whether the last move was a pass |
//!
//! Contents of points are own, enemy, none or off the board, as the player to move sees them.

use super::pattern;
use super::state::SearchState;
use crate::rules::board::Color;
use crate::rules::chains::Chains;
use crate::rules::points::Points;
use core::ops::Range;
use std::sync::OnceLock;
use std::vec::Vec;

const PHASES: usize = 8;
/// None, 0 to 14, more.
const DISTANCES: usize = 17;

/// The numbers of the classes of all groups, one group after the other.
pub(super) struct Groups {
    /// The number of each code's class.
    pattern: Vec<u16>,
    cross: Vec<u16>,
    ends: [usize; NAMES.len()],
}

pub(super) const NAMES: [&str; 7] =
    ["pattern", "cross", "place", "tactics", "last", "before_last", "pass"];

impl Groups {
    pub(super) fn get() -> &'static Self {
        static GROUPS: OnceLock<Groups> = OnceLock::new();
        GROUPS.get_or_init(Self::new)
    }

    fn new() -> Self {
        // The lines of three points, in the order of their bits, that an edge can take off the board.
        let edges = [0b0000_0111, 0b1110_0000, 0b0010_1001, 0b1001_0100];
        let corners = [[0, 2], [0, 3], [1, 2], [1, 3]].map(|[a, b]| edges[a] | edges[b]);
        let is_pattern = |off| off == 0 || edges.contains(&off) || corners.contains(&off);
        let is_cross = |off| off & 0b1001 != 0b1001 && off & 0b0110 != 0b0110;
        let (pattern, patterns) =
            classes([2, 1, 0, 4, 3, 7, 6, 5], [0, 3, 5, 1, 6, 2, 4, 7], is_pattern);
        let (cross, crosses) = classes([0, 2, 1, 3], [1, 0, 3, 2], is_cross);
        let mut end = 0;
        let sizes =
            [patterns, crosses, PHASES * 25, 3 * 4 * 5 * 4, DISTANCES, DISTANCES, PHASES * 2];
        let ends = sizes.map(|size| {
            end += size;
            end
        });
        Self { pattern, cross, ends }
    }

    /// Returns the number of classes.
    pub(super) fn len(&self) -> usize {
        self.ends[NAMES.len() - 1]
    }

    /// Returns the classes of a group.
    pub(super) fn range(&self, group: usize) -> Range<usize> {
        group.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[group]
    }

    /// Returns the class of a pattern's code.
    pub(super) fn pattern(&self, code: u16) -> u16 {
        self.pattern[usize::from(code)]
    }

    /// Returns the class of a cross' code.
    pub(super) fn cross(&self, code: u8) -> u16 {
        self.ends[0] as u16 + self.cross[usize::from(code)]
    }

    /// Returns the classes of the groups `place` to `before_last` within the groups.
    pub(super) fn others(&self, features: Features) -> [u16; 4] {
        let Features { place, tactics, last, before_last, .. } = features;
        let mut group = 1;
        [place, tactics, last, before_last].map(|class| {
            group += 1;
            self.range(group).start as u16 + u16::from(class)
        })
    }

    /// Returns the class of a pass.
    pub(super) fn pass<const N: usize>(&self, state: &SearchState<N>) -> u16 {
        let class = phase(&state.chains) * 2 + usize::from(state.passes > 0);
        (self.range(NAMES.len() - 1).start + class) as u16
    }
}

/// Returns the class of each code of `P` points' contents, and the number of classes. A code has the
/// own stones in its lower bits and the enemy's above; both bits are off the board. Two symmetries
/// generate all: where the content of each point comes from.
fn classes<const P: usize>(
    first: [usize; P],
    second: [usize; P],
    is_possible: impl Fn(usize) -> bool,
) -> (Vec<u16>, usize) {
    let moved = |mask: usize, from: &[usize; P]| {
        from.iter().rev().fold(0, |moved, &at| moved << 1 | (mask >> at & 1))
    };
    let codes = 1 << (2 * P);
    let mut classes = std::vec![0; codes];
    let mut count = 0;
    for code in 0..codes {
        let [own, enemy] = [code & ((1 << P) - 1), code >> P];
        if !is_possible(own & enemy) {
            continue;
        }
        let mut image = [own, enemy];
        let mut least = code;
        for nth in 0..7 {
            image = image.map(|mask| moved(mask, if nth % 2 == 0 { &first } else { &second }));
            least = least.min(image[0] | image[1] << P);
        }
        classes[code] = if least == code {
            count += 1;
            count - 1
        } else {
            classes[least]
        };
    }
    (classes, usize::from(count))
}

/// The features of a stone: the codes of its pattern and its cross, and its classes in the other
/// groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Features {
    pub(super) pattern: u16,
    pub(super) cross: u8,
    pub(super) place: u8,
    pub(super) tactics: u8,
    pub(super) last: u8,
    pub(super) before_last: u8,
}

/// Returns a function that tells the features of a stone on an empty point.
pub(super) fn features<const N: usize>(state: &SearchState<N>) -> impl Fn(usize) -> Features + '_ {
    let SearchState { chains, to_move, last, .. } = state;
    let phase = phase(chains);
    let stones = [chains.stones(*to_move), chains.stones(to_move.other())];
    let distance = |index, other: Option<usize>| {
        other.map_or(0, |other| 1 + gridcular_distance::<N>(index, other).min(DISTANCES - 2)) as u8
    };
    move |index| Features {
        pattern: pattern(&stones, index),
        cross: cross(&stones, index),
        place: (phase * 25 + place::<N>(index)) as u8,
        tactics: tactics(chains, *to_move, index),
        last: distance(index, last[0]),
        before_last: distance(index, last[1]),
    }
}

/// Returns the eighth of the board that has stones.
fn phase<const N: usize>(chains: &Chains<N>) -> usize {
    let stones = N * N - chains.empty().len() as usize;
    (stones * PHASES / (N * N)).min(PHASES - 1)
}

/// The nearest edge counts five times, up to the fifth line.
fn place<const N: usize>(index: usize) -> usize {
    let point = Points::<N>::point(index);
    let [x, y] = [point.x, point.y].map(usize::from).map(|at| at.min(N - 1 - at).min(4));
    x.min(y) * 5 + x.max(y)
}

fn pattern<const N: usize>(stones: &[Points<N>; 2], index: usize) -> u16 {
    let code = pattern::code(stones, index);
    let without_middle = |nine: usize| nine & 0xf | nine >> 1 & 0xf0;
    (without_middle(code & 0x1ff) | without_middle(code >> 9) << 8) as u16
}

fn cross<const N: usize>(stones: &[Points<N>; 2], index: usize) -> u8 {
    let [x, y] = [index % Points::<N>::STRIDE, index / Points::<N>::STRIDE];
    let arms = [
        (y + 2 < N, index + 2 * Points::<N>::STRIDE),
        (x >= 2, index.wrapping_sub(2)),
        (x + 2 < N, index + 2),
        (y >= 2, index.wrapping_sub(2 * Points::<N>::STRIDE)),
    ];
    arms.into_iter().rev().fold(0, |code, (is_inside, at)| {
        let content = |stones: &Points<N>| u8::from(!is_inside || stones.contains(at));
        code << 1 | content(&stones[0]) | content(&stones[1]) << 4
    })
}

fn tactics<const N: usize>(chains: &Chains<N>, color: Color, index: usize) -> u8 {
    let around = Points::<N>::bit(index).neighbors();
    let enemy = chains.stones(color.other());
    let atari = chains.atari(color.other());
    let mut captured = Points::EMPTY;
    for at in around & atari {
        captured |= chains.chain(at);
    }
    let mut left_to_enemy = None;
    for at in around & (enemy - atari) {
        let left = (chains.liberties(at).len() - 1).min(3);
        left_to_enemy = Some(left_to_enemy.map_or(left, |least: u32| least.min(left)));
    }
    let mut liberties = (around & chains.empty()) | (around & captured);
    let mut weakest = None;
    for at in around & chains.stones(color) {
        let own = chains.liberties(at);
        liberties |= own;
        let class = match own.len() {
            1 => 1 + u32::from(!chains.chain(at).is_single()),
            2 => 3,
            _ => 4,
        };
        weakest = Some(weakest.map_or(class, |weakest: u32| weakest.min(class)));
    }
    liberties.clear_bit(index);
    let captures = captured.len().min(2);
    let after = liberties.len().clamp(1, 4) - 1;
    (((captures * 4 + left_to_enemy.unwrap_or(0)) * 5 + weakest.unwrap_or(0)) * 4 + after) as u8
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::board::Board;
    use crate::rules::game::{Game, Move, Rules};
    use crate::rules::points::Point;
    use bitcore::Rng;

    const N: usize = 9;

    fn at(x: u8, y: u8) -> usize {
        Points::<N>::index(Point { x, y }).unwrap()
    }

    /// Mirrors a point, or exchanges its coordinates, by the bits of `symmetry`.
    fn image(index: usize, symmetry: u8) -> usize {
        let Point { mut x, mut y } = Points::<N>::point(index);
        if symmetry & 1 > 0 {
            x = N as u8 - 1 - x;
        }
        if symmetry & 2 > 0 {
            y = N as u8 - 1 - y;
        }
        if symmetry & 4 > 0 { at(y, x) } else { at(x, y) }
    }

    fn classes_of(state: &SearchState<N>, index: usize) -> [u16; 6] {
        let groups = Groups::get();
        let features = features(state)(index);
        let [place, tactics, last, before_last] = groups.others(features);
        let pattern = groups.pattern(features.pattern);
        [pattern, groups.cross(features.cross), place, tactics, last, before_last]
    }

    #[test]
    fn symmetric_moves_have_the_same_classes() {
        let mut rng = Rng::new(5);
        let size = crate::Size::square(N).unwrap();
        for _ in 0..20 {
            let mut game = Game::new(Rules { size, ..Rules::default() });
            let mut images = [(); 8].map(|()| SearchState::<N>::new(&game).unwrap());
            for _ in 0..60 {
                let moves = game.legal_moves();
                let mv = moves[rng.below(moves.len() as u32 - 1) as usize];
                let Move::Play(point) = mv else { continue };
                game.play(mv).unwrap();
                for (symmetry, state) in (0..).zip(&mut images) {
                    state.place_stone(image(Points::<N>::index(point).unwrap(), symmetry));
                }
            }
            let state = SearchState::<N>::new(&game).unwrap();
            for index in state.chains.empty() {
                let classes = classes_of(&state, index);
                for (symmetry, state) in (0..).zip(&images) {
                    assert_eq!(classes_of(state, image(index, symmetry)), classes, "{symmetry}");
                }
            }
        }
    }

    #[test]
    fn colors_change_places_with_the_player() {
        let board = "...X.\n.OXO.\n..O..\nX.O..\n.X...";
        let swap = |letter| match letter {
            'X' => 'O',
            'O' => 'X',
            letter => letter,
        };
        let state = |board: &str, color| {
            let board: Board = board.parse().unwrap();
            let size = board.size();
            let game = Game::from_board(board, color, Rules { size, ..Rules::default() });
            SearchState::<5>::new(&game).unwrap()
        };
        let black = state(board, Color::Black);
        let white = state(&board.chars().map(swap).collect::<std::string::String>(), Color::White);
        for index in black.chains.empty() {
            assert_eq!(features(&black)(index), features(&white)(index), "{index}");
        }
    }

    /// Returns captures, liberties left to the enemy, the weakest own chain and the new liberties.
    fn tactics_of(board: &str, point: &str) -> [u8; 4] {
        let board: Board = board.parse().unwrap();
        let size = board.size();
        let game = Game::from_board(board, Color::Black, Rules { size, ..Rules::default() });
        let state = SearchState::<5>::new(&game).unwrap();
        let index = Points::<5>::index(point.parse().unwrap()).unwrap();
        let code = features(&state)(index).tactics;
        [code / 80, code / 20 % 4, code / 4 % 5, code % 4 + 1]
    }

    #[test]
    fn tactics_are_told_apart() {
        for (board, point, expected) in [
            (".....\n.....\n.....\n.....\n.....", "C3", [0, 0, 0, 4]),
            // Takes a stone, takes two.
            (".....\n.....\n.....\nX....\nO....", "B1", [1, 0, 0, 3]),
            (".....\n.....\n.....\nXX...\nOO...", "C1", [2, 0, 0, 3]),
            // Saves a stone in atari, saves two.
            (".....\n.....\n..O..\n.OXO.\n.....", "C1", [0, 0, 1, 2]),
            (".....\n.OO..\nOXXO.\nOOXO.\n.....", "C1", [0, 0, 2, 2]),
            // Puts a stone in atari and leaves its own chain three liberties.
            (".....\n.....\n.....\n.....\n.XO..", "D1", [0, 1, 0, 2]),
            // Is in atari itself.
            (".....\n.....\n.....\nO....\n.....", "A1", [0, 2, 0, 1]),
            (".....\n.....\n.....\nOO...\nX....", "B1", [0, 3, 1, 1]),
        ] {
            assert_eq!(tactics_of(board, point), expected, "{point}\n{board}");
        }
    }

    #[test]
    fn edges_and_arms_are_seen() {
        let state = SearchState::<N>::empty();
        let seen = |x, y| features(&state)(at(x, y));
        assert_eq!(seen(4, 4).pattern, 0);
        assert_eq!(seen(0, 8).pattern & 0xff, 0b0010_1111);
        assert_eq!([seen(0, 8).cross, seen(4, 4).cross, seen(1, 4).cross], [0x33, 0, 0x22]);
        assert_eq!([seen(0, 8).place, seen(3, 6).place, seen(4, 4).place], [0, 2 * 5 + 3, 24]);
        assert_eq!(Groups::get().len(), 1107 + 45 + 200 + 240 + 17 + 17 + 16);
    }

    #[test]
    fn distances_to_the_last_moves() {
        let mut state = SearchState::<N>::empty();
        state.place_stone(at(3, 3));
        state.place_stone(at(6, 3));
        let seen = features(&state)(at(4, 4));
        // dx 2, dy 1; dx 1, dy 1; one more than the distance.
        assert_eq!([seen.last, seen.before_last], [6, 4]);
        state.pass();
        let seen = features(&state)(at(4, 4));
        assert_eq!([seen.last, seen.before_last], [0, 6]);
        let groups = Groups::get();
        assert_eq!(usize::from(groups.pass(&state)), groups.range(6).start + 1);
    }
}
