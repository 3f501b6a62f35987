//! Shapes of 3 x 3 points around a move that are worth a look.
//!
//! Source: the patterns of `MoGo` (Gelly, Wang, Munos, Teytaud: Modification of UCT with patterns in Monte-Carlo Go,
//! 2006): bends, cuts and moves on the edge.

use crate::chains::Chains;
use crate::points::Points;
use std::boxed::Box;
use std::sync::OnceLock;

/// Three rows each, the move in the middle. `X` and `O` the two colors, either way round; `.` empty; `x` no X and `o` no O
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

/// What a neighbor is, as two bits: empty, Black, White, off the board.
const EMPTY: u8 = 0;
const OUTSIDE: u8 = 3;

/// The places around the middle of a text of three rows.
const AROUND: [usize; 8] = [0, 1, 2, 3, 5, 6, 7, 8];

/// Which surroundings are such a shape: a bit for each [`code`].
pub(super) struct Shapes(Box<[u64]>);

impl Shapes {
    pub(super) fn get() -> &'static Self {
        static SHAPES: OnceLock<Shapes> = OnceLock::new();
        SHAPES.get_or_init(Self::new)
    }

    fn new() -> Self {
        let mut table = Self(std::vec![0; (1 << 18) / 64].into());
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

    /// Marks all surroundings that begin with `code` and fit a shape from neighbor `nth` on; `x` is the color of X.
    fn mark(&mut self, shape: &[u8; 9], x: u8, nth: usize, code: usize) {
        let Some(&place) = AROUND.get(nth) else {
            self.0[code / 64] |= 1 << (code % 64);
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
                let [black, white] = [usize::from(what & 1), usize::from(what >> 1)];
                self.mark(shape, x, nth + 1, code | black << place | white << (9 + place));
            }
        }
    }

    /// Whether a stone on an empty point would make one of the shapes.
    pub(super) fn has<const N: usize>(&self, chains: &Chains<N>, index: usize) -> bool {
        let code = code(chains, index);
        self.0[code / 64] >> (code % 64) & 1 != 0
    }
}

/// The surroundings of an empty point: nine bits of Black's stones, the row above first, then nine of White's. Both are
/// set off the board.
fn code<const N: usize>(chains: &Chains<N>, index: usize) -> usize {
    let (x, stride) = (index % Points::<N>::STRIDE, Points::<N>::STRIDE);
    let sides = usize::from(x == 0) | usize::from(x == N - 1) << 2;
    let ends = if index + stride >= Points::<N>::INDEX_END { 0o007 } else { 0 }
        | if index < stride { 0o700 } else { 0 };
    let outside = (sides * 0o111) | ends;
    let [black, white] = chains.stones_by_color();
    (around(black, index) | outside) | (around(white, index) | outside) << 9
}

/// The nine points around one of the board as bits, the row above first; zeros off the board.
#[inline(always)]
fn around<const N: usize>(stones: &Points<N>, index: usize) -> usize {
    let stride = Points::<N>::STRIDE;
    let [above, below] = [stones.row_triple(index + stride), stones.row_triple(index.wrapping_sub(stride))];
    above | stones.row_triple(index) << 3 | below << 6
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Color};
    use crate::points::Point;
    use crate::position::Position;
    use std::string::String;
    use std::vec::Vec;

    fn at(board: &str, point: &str) -> bool {
        let board: Board = board.parse().unwrap();
        let chains = Chains::<5>::from_position(&Position::new(&board, Color::Black).unwrap());
        Shapes::get().has(&chains, Points::<5>::index(point.parse().unwrap()).unwrap())
    }

    /// Whether one of the shapes lies around a point, looked up letter by letter.
    fn plainly<const N: usize>(chains: &Chains<N>, index: usize) -> bool {
        let middle = Points::<N>::point(index);
        let at = |dx: i32, dy: i32| {
            let (x, y) = (i32::from(middle.x) + dx, i32::from(middle.y) + dy);
            let inside = (0..N as i32).contains(&x) && (0..N as i32).contains(&y);
            if !inside {
                return ' ';
            }
            let index = Points::<N>::index(Point { x: x as u8, y: y as u8 }).unwrap();
            let [black, white] = Color::ALL.map(|color| chains.stones(color).contains(index));
            if black {
                'X'
            } else if white {
                'O'
            } else {
                '.'
            }
        };
        let swapped = |letter| match letter {
            'X' => 'O',
            'O' => 'X',
            letter => letter,
        };
        let fits = |want: char, letter: char| match want {
            'x' => letter != 'X' && letter != ' ',
            'o' => letter != 'O' && letter != ' ',
            '?' => letter != ' ',
            want => letter == want,
        };
        let matches = |shape: &str, swap: bool, flip: [i32; 2], turn: bool| {
            shape.chars().enumerate().filter(|&(nth, _)| nth != 4).all(|(nth, want)| {
                let (dx, dy) = ((nth % 3) as i32 - 1, 1 - (nth / 3) as i32);
                let (dx, dy) = if turn { (dy, dx) } else { (dx, dy) };
                let letter = at(dx * flip[0], dy * flip[1]);
                fits(want, if swap { swapped(letter) } else { letter })
            })
        };
        let ways = (0..16).map(|way| {
            (way & 1 > 0, [way & 2, way & 4].map(|bit| if bit > 0 { -1 } else { 1 }), way & 8 > 0)
        });
        ways.into_iter().any(|(swap, flip, turn)| SHAPES.iter().any(|shape| matches(shape, swap, flip, turn)))
    }

    #[test]
    fn every_point_of_random_games_is_judged_as_by_the_letters() {
        let (mut rng, mut found) = (bitcore::Rng::new(3), [0, 0]);
        for _ in 0..30 {
            let (mut chains, mut color) = (Chains::<9>::new(), Color::Black);
            for _ in 0..70 {
                let playable = crate::Policy::NoSuicide.playable(&chains, color);
                let nth = rng.below(playable.len().max(1)) as usize;
                let Some(index) = playable.iter().nth(nth) else { break };
                chains.play(color, index);
                color = color.other();
                for index in chains.empty() {
                    let has = Shapes::get().has(&chains, index);
                    assert_eq!(has, plainly(&chains, index), "{:?}", Points::<9>::point(index));
                    found[usize::from(has)] += 1;
                }
            }
        }
        assert!(found.into_iter().all(|found| found > 10_000), "{found:?}");
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
