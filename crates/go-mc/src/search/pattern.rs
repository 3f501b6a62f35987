//! Shapes of 3 x 3 points around a move that are worth a look.
//!
//! Source: the patterns of `MoGo` (Gelly, Wang, Munos, Teytaud: Modification of UCT with patterns in Monte-Carlo Go,
//! 2006): bends, cuts and moves on the edge.

use crate::board::Color;
use crate::chains::Chains;
use crate::points::Points;
use std::boxed::Box;
use std::sync::OnceLock;

/// Three rows each, the move in the middle. `X` and `O` the two colours, either way round; `.` empty; `x` no X and `o` no O
/// (but on the board); `?` anything on the board; a space is off the board. Every turn and mirror image counts.
const SHAPES: [&str; 13] = [
    "XOX...???", // a bend that encloses
    "XO....?.?", // a bend that doesn't cut
    "XO?X..x.?", // a bend beside an own stone
    ".O.X.....", // a diagonal attachment
    "XO?O.o?o?", // a cut that nothing defends
    "XO?O.X???", // a cut that an own stone peeps at
    "?X?O.Oooo", // the push between two stones
    "OX?o.O???", // a cut through a knight's move
    "X.?O.?   ", // on the edge: after it
    "OX?X.O   ", // on the edge: a block that cuts
    "?X?x.O   ", // on the edge: a block that connects
    "?XOx.x   ", // on the edge: a descent beside the opponent
    "?OXX.O   ", // on the edge: a cut
];

/// What a neighbour is, as two bits: empty, Black, White, off the board.
const EMPTY: u8 = 0;
const OUTSIDE: u8 = 3;

/// The places around the middle of a text of three rows.
const AROUND: [usize; 8] = [0, 1, 2, 3, 5, 6, 7, 8];

/// Which surroundings are such a shape.
struct Table(Box<[bool]>);

impl Table {
    fn get() -> &'static Self {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(Self::new)
    }

    fn new() -> Self {
        let mut table = Self(std::vec![false; 1 << 16].into());
        for shape in SHAPES {
            let mut shape: [u8; 9] = shape.as_bytes().try_into().expect("nine points");
            for _ in 0..4 {
                shape = [2, 5, 8, 1, 4, 7, 0, 3, 6].map(|from| shape[from]);
                for shape in [shape, [2, 1, 0, 5, 4, 3, 8, 7, 6].map(|from| shape[from])] {
                    table.mark(&shape, 1, 0, 0);
                    table.mark(&shape, 2, 0, 0);
                }
            }
        }
        table
    }

    /// Marks all surroundings that begin with `code` and fit a shape from neighbour `nth` on; `x` is the colour of X.
    fn mark(&mut self, shape: &[u8; 9], x: u8, nth: usize, code: usize) {
        let Some(&place) = AROUND.get(nth) else {
            self.0[code] = true;
            return;
        };
        for what in 0..=OUTSIDE {
            let fits = match shape[place] {
                b'X' => what == x,
                b'O' => what == 3 - x,
                b'.' => what == EMPTY,
                b'x' => what != x && what != OUTSIDE,
                b'o' => what != 3 - x && what != OUTSIDE,
                b'?' => what != OUTSIDE,
                _ => what == OUTSIDE,
            };
            if fits {
                self.mark(shape, x, nth + 1, code | usize::from(what) << (2 * nth));
            }
        }
    }
}

/// Whether a stone on an empty point would make one of the shapes.
pub(super) fn matches<const N: usize>(chains: &Chains<N>, index: usize) -> bool {
    let stride = Points::<N>::STRIDE;
    let rows = [index + stride, index, index.wrapping_sub(stride)];
    let [black, white] = Color::ALL.map(|color| chains.stones(color));
    let mut code = 0;
    for (nth, place) in AROUND.into_iter().enumerate() {
        let at = rows[place / 3].wrapping_add(place % 3).wrapping_sub(1);
        let what = if Points::<N>::FULL.contains(at) {
            u8::from(black.contains(at)) | u8::from(white.contains(at)) << 1
        } else {
            OUTSIDE
        };
        code |= usize::from(what) << (2 * nth);
    }
    Table::get().0[code]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::lockstep::Position;
    use std::string::String;
    use std::vec::Vec;

    fn at(board: &str, point: &str) -> bool {
        let board: Board = board.parse().unwrap();
        let chains = Chains::<5>::of_position(&Position::new(&board, Color::Black).unwrap());
        matches(&chains, Points::<5>::index(point.parse().unwrap()).unwrap())
    }

    #[test]
    fn shapes_are_found_whichever_way_they_lie() {
        let cut = "..X..\n.XO..\n.O...\n.....\n.....";
        assert!(at(cut, "C3"));
        assert!(at(&cut.replace('X', "b").replace('O', "X").replace('b', "O"), "C3"));
        let mirrored: Vec<String> = cut.lines().map(|row| row.chars().rev().collect()).collect();
        assert!(at(&mirrored.join("\n"), "C3"));
        let turned: Vec<&str> = cut.lines().rev().collect();
        assert!(at(&turned.join("\n"), "C3"));
        // On the edge.
        assert!(at(".....\n.....\n.....\n.OX..\n.X.O.", "C1"));
        // A lone stone beside it, or nothing at all, is no shape.
        assert!(!at(".....\n.....\n.XO..\n.....\n.....", "E5"));
        assert!(!at(".....\n.....\n.....\n.....\n.....", "C3"));
    }
}
