//! 3 x 3 patterns around a move.
//!
//! A pattern match is one bit in a table of 2^18 bits. The index of the bit is the occupancy of the
//! nine points around (and including) the move, one bit per point and color:
//!
//! ```text
//! Black's bits         White's bits
//!   0  1  2              9 10 11      the row above
//!   3  4  5             12 13 14      the row of the move; 4 and 13, the move itself, are 0
//!   6  7  8             15 16 17      the row below
//! ```
//!
//! A point is empty if both its bits are 0 and off the board if both are 1. The table is built once
//! from
//! [`PATTERNS`]: every rotation and reflection of each pattern, with both color assignments.
//!
//! The patterns are from Gelly, Wang, Munos and Teytaud, "Modification of UCT with patterns in
//! Monte-Carlo Go" (2006).

use crate::rules::chains::Chains;
use crate::rules::points::Points;
use std::boxed::Box;
use std::sync::OnceLock;

/// The patterns, three rows each, with the move in the middle. `X` and `O` are stones of different
/// colors; `.` is empty; `x` is on the board and not X, `o` is on the board and not O; `?` is any
/// point on the board; a space is off the board.
const PATTERNS: [&str; 13] = [
    "XOX...???", // enclosing hane
    "XO....?.?", // non-cutting hane
    "XO?X..x.?", // magari, a turn next to an own stone
    ".O.X.....", // diagonal attachment
    "XO?O.o?o?", // undefended cut
    "XO?O.X???", // cut peeped at by an own stone
    "?X?O.Oooo", // push between two stones
    "OX?o.O???", // cut through a knight's move
    "X.?O.?   ", // edge: chase
    "OX?X.O   ", // edge: cutting block
    "?X?x.O   ", // edge: connecting block
    "?XOx.x   ", // edge: sagari next to an enemy stone
    "?OXX.O   ", // edge: cut
];

/// A point's contents as two bits, Black's the lower: empty, Black, White, off the board.
const EMPTY: u8 = 0;
const OFF_BOARD: u8 = 3;

/// The positions of the eight neighbors in a nine-character pattern.
const NEIGHBORS: [usize; 8] = [0, 1, 2, 3, 5, 6, 7, 8];

/// The set of matching surroundings, one bit for each [`code`].
pub(super) struct Patterns(Box<[u64]>);

impl Patterns {
    pub(super) fn get() -> &'static Self {
        static TABLE: OnceLock<Patterns> = OnceLock::new();
        TABLE.get_or_init(Self::new)
    }

    fn new() -> Self {
        let mut table = Self(std::vec![0; (1 << 18) / 64].into());
        for pattern in PATTERNS {
            let mut pattern: [u8; 9] = pattern.as_bytes().try_into().expect("nine points");
            for _ in 0..4 {
                pattern = [2, 5, 8, 1, 4, 7, 0, 3, 6].map(|from| pattern[from]);
                for pattern in [pattern, [2, 1, 0, 5, 4, 3, 8, 7, 6].map(|from| pattern[from])] {
                    table.mark(&pattern, 1, 0, 0);
                    table.mark(&pattern, 2, 0, 0);
                }
            }
        }
        table
    }

    /// Marks all codes that extend `code` and match the pattern from its `nth` neighbor on; `x` is
    /// the color of X.
    fn mark(&mut self, pattern: &[u8; 9], x: u8, nth: usize, code: usize) {
        let Some(&position) = NEIGHBORS.get(nth) else {
            self.0[code / 64] |= 1 << (code % 64);
            return;
        };
        for content in 0..=OFF_BOARD {
            let matches = match pattern[position] {
                b'X' => content == x,
                b'O' => content == 3 - x,
                b'.' => content == EMPTY,
                b'x' => content != x && content != OFF_BOARD,
                b'o' => content != 3 - x && content != OFF_BOARD,
                b'?' => content != OFF_BOARD,
                _ => content == OFF_BOARD,
            };
            if matches {
                let [black, white] = [usize::from(content & 1), usize::from(content >> 1)];
                self.mark(pattern, x, nth + 1, code | black << position | white << (9 + position));
            }
        }
    }

    /// Returns whether a pattern matches around an empty point.
    pub(super) fn matches<const N: usize>(&self, chains: &Chains<N>, index: usize) -> bool {
        let code = code(chains.stones_by_color(), index);
        self.0[code / 64] >> (code % 64) & 1 != 0
    }
}

/// Returns the 18-bit code of the surroundings of an empty point, as pictured above.
pub(super) fn code<const N: usize>(stones: &[Points<N>; 2], index: usize) -> usize {
    let x = index % Points::<N>::STRIDE;
    let stride = Points::<N>::STRIDE;
    let columns = usize::from(x == 0) | usize::from(x == N - 1) << 2;
    let rows = if index + stride >= Points::<N>::INDEX_END { 0o007 } else { 0 }
        | if index < stride { 0o700 } else { 0 };
    let off_board = (columns * 0o111) | rows;
    let [black, white] = stones;
    (around(black, index) | off_board) | (around(white, index) | off_board) << 9
}

/// Returns the nine points around a point as bits, the row above first; zero off the board.
#[inline(always)]
fn around<const N: usize>(stones: &Points<N>, index: usize) -> usize {
    let stride = Points::<N>::STRIDE;
    let [above, below] =
        [stones.row_triple(index + stride), stones.row_triple(index.wrapping_sub(stride))];
    above | stones.row_triple(index) << 3 | below << 6
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::board::{Board, Color};
    use crate::rules::points::Point;
    use crate::rules::position::Position;

    fn matches_letters<const N: usize>(chains: &Chains<N>, index: usize) -> bool {
        let middle = Points::<N>::point(index);
        let at = |dx: i32, dy: i32| {
            let x = i32::from(middle.x) + dx;
            let y = i32::from(middle.y) + dy;
            let inside = (0..N as i32).contains(&x) && (0..N as i32).contains(&y);
            if !inside {
                return ' ';
            }
            let index = Points::<N>::index(Point { x: x as u8, y: y as u8 }).unwrap();
            match Color::ALL.map(|color| chains.stones(color).contains(index)) {
                [true, _] => 'X',
                [_, true] => 'O',
                _ => '.',
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
        let matches = |pattern: &str, swap: bool, flip: [i32; 2], turn: bool| {
            pattern.chars().enumerate().filter(|&(nth, _)| nth != 4).all(|(nth, want)| {
                let dx = (nth % 3) as i32 - 1;
                let dy = 1 - (nth / 3) as i32;
                let (dx, dy) = if turn { (dy, dx) } else { (dx, dy) };
                let letter = at(dx * flip[0], dy * flip[1]);
                fits(want, if swap { swapped(letter) } else { letter })
            })
        };
        let ways = (0..16).map(|way| {
            (way & 1 > 0, [way & 2, way & 4].map(|bit| if bit > 0 { -1 } else { 1 }), way & 8 > 0)
        });
        ways.into_iter().any(|(swap, flip, turn)| {
            PATTERNS.iter().any(|pattern| matches(pattern, swap, flip, turn))
        })
    }

    #[test]
    fn the_table_equals_the_letters_on_random_games() {
        let mut rng = bitcore::Rng::new(3);
        let mut found = [0, 0];
        for _ in 0..30 {
            let mut chains = Chains::<9>::new();
            let mut color = Color::Black;
            for _ in 0..70 {
                let playable = crate::Policy::NoSuicide.playable(&chains, color);
                let nth = rng.below(playable.len().max(1)) as usize;
                let Some(index) = playable.iter().nth(nth) else { break };
                chains.play(color, index);
                color = color.other();
                for index in chains.empty() {
                    let matches = Patterns::get().matches(&chains, index);
                    assert_eq!(
                        matches,
                        matches_letters(&chains, index),
                        "{:?}",
                        Points::<9>::point(index)
                    );
                    found[usize::from(matches)] += 1;
                }
            }
        }
        assert!(found.into_iter().all(|found| found > 10_000), "{found:?}");
    }

    #[test]
    fn a_cut_matches_and_distant_stones_do_not() {
        for (board, point, matches) in [
            ("..X..\n.XO..\n.O...\n.....\n.....", "C3", true),
            (".....\n.....\n.....\n.OX..\n.X.O.", "C1", true),
            (".....\n.....\n.XO..\n.....\n.....", "E5", false),
            (".....\n.....\n.....\n.....\n.....", "C3", false),
        ] {
            let board: Board = board.parse().unwrap();
            let chains = Chains::<5>::from(&Position::new(&board, Color::Black).unwrap());
            let index = Points::<5>::index(point.parse().unwrap()).unwrap();
            assert_eq!(Patterns::get().matches(&chains, index), matches, "{board}");
        }
    }
}
