//! [`children`]: every hard drop of a piece with its value, on columns of bits. This is the inner step of the
//! tree search.
//!
//! A board is ten columns, bit 0 = the bottom row. A piece in one rotation state covers 1 to 4
//! columns, in each of which its cells are contiguous, so it comes to rest on the column tops:
//!
//! ```text
//! board, bottom row below       J, and its columns
//! . . # . . .                   # #        low  = 0 2    the lowest cell
//! # . # # . .                   # .        high = 3 3    one above the highest cell
//! # . # # # .                   # .
//! heights = 2 0 3 2 1 0
//! ```
//!
//! For each state, the resting rows and values for all leftmost columns are computed in parallel,
//! in 16 lanes of 16 bits:
//!
//! ```text
//! bottom[x] = max over i of (heights[x + i] - low[i])
//! the covered columns are now bottom[x] + high[i] tall, so the sums of heights and of squared heights
//!     follow from the board's sums; with the number of cells they give the value as if no row were full
//! full[x]   = rows full in all columns outside the piece, and full within it     (prefix and suffix ANDs)
//! if full[x] is not 0: build the board without these rows and evaluate it
//! ```

use crate::columns::{COLUMNS, Columns, ROWS, full_beside};
use crate::contest::falling_piece::{ContestKey, SPAWN};
use crate::contest::game::multiplier;
use crate::contest::piece::OrientedPiece;
use crate::contest::record::KeyPresses;
use crate::piece_columns::{PieceColumns, PieceTable};
use bitcore::{Isa, Lanes, U16s, U32s, dispatch};
use tetris::Piece;

/// A hard drop: rotate at the spawn location, move sideways, then move down until the piece rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HardDrop {
    /// The number of rotations, which is the number of presses of C.
    pub rotations: u8,
    /// The column of the center.
    pub x: u8,
    /// The row of the center where the piece locks, which is the number of presses of D.
    pub y: u8,
}

impl HardDrop {
    /// Returns the key presses in order: C, then L or R, then D.
    ///
    /// ```
    /// use tetris_ai::contest::{ContestKey, tree::HardDrop};
    /// let keys = HardDrop { rotations: 1, x: 2, y: 17 }.keys();
    /// let runs = keys.runs().iter();
    /// let keys: String = runs.map(|run| format!("{}{} ", run.key.letter(), run.count)).collect();
    /// assert_eq!(keys, "C1 L2 D17 ");
    /// ```
    pub fn keys(self) -> KeyPresses {
        let spawn = SPAWN.0.unsigned_abs();
        let mut keys = KeyPresses::new();
        keys.push(ContestKey::Rotate, self.rotations.into());
        keys.push(ContestKey::Left, spawn.saturating_sub(self.x).into());
        keys.push(ContestKey::Right, self.x.saturating_sub(spawn).into());
        keys.push(ContestKey::Down, self.y.into());
        keys
    }
}

static COLUMNS_OF: PieceTable = {
    // The contest counts rows from the top.
    const fn up((x, down): (i8, i8)) -> (i32, i32) {
        (x as i32, -down as i32)
    }
    let mut table = [[PieceColumns::NONE; 4]; 7];
    let mut i = 0;
    while i < 4 * 7 {
        let [a, b, c, d] = OrientedPiece::new(Piece::ALL[i / 4], i as u8).cells();
        table[i / 4][i % 4] = PieceColumns::new([up(a), up(b), up(c), up(d)]);
        i += 1;
    }
    table
};

#[inline(always)]
fn columns_of(piece: OrientedPiece, rotations: u8) -> &'static PieceColumns {
    &COLUMNS_OF[piece.kind() as usize][(piece.state() + rotations) as usize % 4]
}

/// The maximum number of drops of one piece: T, J and L have 9 + 8 + 9 + 8.
pub(crate) const MAX_DROPS: usize = 34;

/// A drop and its value, before the board after it is built.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ScoredDrop {
    /// See [`Child::value`].
    pub(crate) value: i32,
    rotations: u8,
    left: u8,
    /// The row of the lowest cell, 0 = bottom.
    bottom: u8,
    /// The rows that the drop completes.
    full: u32,
}

impl ScoredDrop {
    #[inline(always)]
    pub(crate) fn hard_drop(&self, piece: OrientedPiece) -> HardDrop {
        let piece_columns = columns_of(piece, self.rotations);
        let y = ROWS as u8 - 1 - self.bottom - piece_columns.center.1;
        HardDrop { rotations: self.rotations, x: self.left + piece_columns.center.0, y }
    }

    #[inline(always)]
    pub(crate) fn child<S: Isa>(&self, isa: S, board: &Columns, piece: OrientedPiece) -> Columns {
        board.child(isa, columns_of(piece, self.rotations), self.left, self.bottom, self.full)
    }
}

/// The drops of one piece in key order: fewest rotations first, then from the left.
pub(crate) struct DropList {
    drops: [ScoredDrop; MAX_DROPS],
    len: usize,
}

impl DropList {
    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[ScoredDrop] {
        &self.drops[..self.len]
    }

    /// Returns the best `keep` drops, best first, drops of equal value in key order.
    ///
    /// A rank sort: the rank of a drop is the number of drops that beat it, counted branch-free,
    /// eight lanes at a time. Sorting functions are slower for such short lists (see
    /// docs/decisions.md).
    ///
    /// ```text
    /// bit  31 ............ 6 5 ........ 0
    ///      | value + 2^20   | 34 - index |    the greater key is better; an earlier drop wins a tie
    /// ```
    #[inline(always)]
    pub(crate) fn best<S: Isa>(
        &self,
        isa: S,
        keep: usize,
    ) -> impl DoubleEndedIterator<Item = &ScoredDrop> + ExactSizeIterator {
        const GROUPS: usize = MAX_DROPS.div_ceil(8);
        // Values are far smaller than the offset, so every key is greater than 0, the key of unused
        // lanes.
        const OFFSET: i32 = 1 << 20;
        let mut keys = [[0u32; 8]; GROUPS];
        for (i, drop) in self.as_slice().iter().enumerate() {
            keys[i / 8][i % 8] = ((drop.value + OFFSET) as u32) << 6 | (MAX_DROPS - i) as u32;
        }
        let mut order = [0u8; 8 * GROUPS];
        for (group, own) in keys.iter().take(self.len.div_ceil(8)).enumerate() {
            let own = isa.u32x8(own);
            let mut ranks = isa.splat_u32(0);
            for &other in keys.as_flattened().iter().take(self.len) {
                // Differences are below 2^31, so the sign bit is 1 exactly if the lane's own drop
                // is the lesser one.
                ranks = ranks + (own - isa.splat_u32(other)).shr::<31>();
            }
            for (i, rank) in ranks.to_array().into_iter().enumerate() {
                order[rank as usize % order.len()] = (8 * group + i) as u8;
            }
        }
        (0..keep.min(self.len)).map(move |rank| &self.drops[usize::from(order[rank]) % MAX_DROPS])
    }
}

/// Returns the value of a board, computed from its heights: see
/// [`reference::evaluate`](crate::contest::reference::evaluate).
///
/// With g = 20 - avg, the mean height rounded up, the sum of (top - avg)^2 equals the sum of
/// (height - g)^2. The number of holes is the sum of the heights minus the number of cells.
#[inline(always)]
fn evaluate(heights: &[u32; COLUMNS], cells_before: u32, cleared: u32) -> i32 {
    let columns = COLUMNS as i32;
    let sum: i32 = heights.iter().map(|&height| height as i32).sum();
    let squares: i32 = heights.iter().map(|&height| (height * height) as i32).sum();
    let g = (sum + columns - 1) / columns;
    let spread = squares - 2 * g * sum + columns * g * g;
    let holes = sum - (cells_before - COLUMNS as u32 * cleared) as i32;
    -spread - 20 * holes + ((4 + multiplier(cleared)) * cells_before) as i32
}

impl DropList {
    pub(crate) const NONE: Self = Self {
        drops: [ScoredDrop { value: 0, rotations: 0, left: 0, bottom: 0, full: 0 }; MAX_DROPS],
        len: 0,
    };

    /// Too big to inline, so it enters the ISA level itself.
    #[inline(never)]
    pub(crate) fn fill<S: Isa>(&mut self, isa: S, board: &Columns, piece: OrientedPiece) {
        isa.enter(
            #[inline(always)]
            || self.fill_inlined(isa, board, piece),
        );
    }

    #[inline(always)]
    fn fill_inlined<S: Isa>(&mut self, isa: S, board: &Columns, piece: OrientedPiece) {
        self.len = 0;
        let heights = board.heights();
        let highest = heights.into_iter().max().unwrap_or(0);
        if highest >= ROWS as u32 {
            return;
        }
        let (left, right) = full_beside(board.columns(), !0);
        let mut generator = DropGenerator {
            board,
            heights: [0; 20],
            squares: [0; 20],
            highest,
            left,
            right,
            piece,
        };
        for (x, &height) in heights.iter().enumerate() {
            (generator.heights[x], generator.squares[x]) =
                (height as u16, (height * height) as u16);
        }
        for rotations in 0..piece.orientations() {
            let piece_columns = columns_of(piece, rotations);
            let fits = match piece_columns.width {
                1 => generator.run::<1, S>(isa, piece_columns, rotations, self),
                2 => generator.run::<2, S>(isa, piece_columns, rotations, self),
                3 => generator.run::<3, S>(isa, piece_columns, rotations, self),
                _ => generator.run::<4, S>(isa, piece_columns, rotations, self),
            };
            if !fits {
                break;
            }
        }
    }
}

/// The board data shared by all rotation states of a piece. Arrays start at column 0 and end in
/// zeros.
struct DropGenerator<'a> {
    board: &'a Columns,
    heights: [u16; 20],
    squares: [u16; 20],
    highest: u32,
    /// The rows that are full in all columns before column x.
    left: [u32; COLUMNS + 1],
    /// The rows that are full in all columns from column x on.
    right: [u32; COLUMNS + 1],
    piece: OrientedPiece,
}

impl DropGenerator<'_> {
    /// Appends the drops of one rotation state, which covers `W` columns, from the left. Returns
    /// `false` if the state does not fit at the spawn location: then no further rotation is
    /// possible.
    #[inline(always)]
    fn run<const W: usize, S: Isa>(
        &self,
        isa: S,
        piece_columns: &PieceColumns,
        rotations: u8,
        drops: &mut DropList,
    ) -> bool {
        let spawn = SPAWN.0 as usize - usize::from(piece_columns.center.0);
        let mut first = 0;
        let mut last = COLUMNS - W;
        // A low stack blocks nothing. A higher one limits the moves from the spawn to both sides.
        let roof = ROWS as u32 - 1 - u32::from(piece_columns.center.1);
        if self.highest > roof {
            let fits = |x: &usize| {
                (0..W).all(|i| u32::from(self.heights[x + i]) <= roof + piece_columns.low[i])
            };
            if !fits(&spawn) {
                return false;
            }
            first = (first..spawn).rev().take_while(fits).last().unwrap_or(spawn);
            last = (spawn + 1..=last).take_while(fits).last().unwrap_or(spawn);
        }
        let (bottoms, evaluations) = self.evaluate::<W, S>(isa, piece_columns);
        for x in first..=last {
            let bottom = u32::from(bottoms[x]);
            if bottom + piece_columns.height >= ROWS as u32 {
                continue;
            }
            let mut full = self.left[x] & self.right[x + W];
            if full != 0 {
                for i in 0..W {
                    full &= self.board.columns()[x + i] | piece_columns.bits[i] << bottom;
                }
            }
            let value = i32::from(evaluations[x] as i16);
            let mut drop =
                ScoredDrop { value, rotations, left: x as u8, bottom: bottom as u8, full };
            if full != 0 {
                let child = drop.child(isa, self.board, self.piece);
                drop.value = evaluate(&child.heights(), self.board.cells() + 4, full.count_ones());
            }
            drops.drops[drops.len] = drop;
            drops.len += 1;
        }
        true
    }

    /// Returns, for every leftmost column, the row of the piece's lowest cell (0 = bottom), and the
    /// value of [`evaluate`] as if no row were full, both as 16-bit lanes. Lanes for which the
    /// piece would leave the board contain garbage.
    ///
    /// Heights are below 24 and their sums below 240. So a product a * b is exact as
    /// `(256 a * 256 b) >> 16`, the upper half of a 16-bit multiplication, and n / 10 is
    /// `(6554 n) >> 16`.
    #[inline(always)]
    fn evaluate<const W: usize, S: Isa>(
        &self,
        isa: S,
        piece_columns: &PieceColumns,
    ) -> ([u16; 16], [u16; 16]) {
        let splat = |n: u32| isa.splat_u16(n as u16);
        let total = |numbers: &[u16; 20]| u32::from(numbers[..COLUMNS].iter().sum::<u16>());
        // `low` is at most 2. Two rows are added and taken off again at the end, because lanes are
        // unsigned.
        let mut raised = splat(0);
        let mut sum = splat(total(&self.heights) + piece_columns.high.iter().sum::<u32>());
        let mut squares = splat(
            total(&self.squares) + piece_columns.high.iter().map(|high| high * high).sum::<u32>(),
        );
        for i in 0..W {
            let height = isa.u16x16(&sixteen(&self.heights, i));
            raised = raised.max(height + splat(2 - piece_columns.low[i]));
            sum = sum - height;
            squares = squares - isa.u16x16(&sixteen(&self.squares, i));
        }
        let bottom = raised - splat(2);
        // Each covered column is now bottom + high tall.
        let bottom_256 = bottom.shl::<8>();
        let bottom_squared = bottom_256.mul_high(bottom_256);
        squares = squares + bottom_256.mul_high(splat(piece_columns.high.iter().sum::<u32>() << 9));
        for _ in 0..W {
            sum = sum + bottom;
            squares = squares + bottom_squared;
        }
        let g = (sum + splat(COLUMNS as u32 - 1)).mul_high(splat(6554));
        let g_squared = g.shl::<8>().mul_high(g.shl::<8>());
        let spread = squares - g.shl::<9>().mul_high(sum.shl::<8>())
            + g_squared.shl::<3>()
            + g_squared.shl::<1>();
        // 4 per cell and -20 per hole: 24 cells - 20 (sum of heights).
        let cells = splat(24 * (self.board.cells() + 4));
        (bottom.to_array(), (cells - spread - sum.shl::<4>() - sum.shl::<2>()).to_array())
    }
}

/// `from` is below 5.
#[inline(always)]
fn sixteen(numbers: &[u16; 20], from: usize) -> [u16; 16] {
    let mut sixteen = [0; 16];
    sixteen.copy_from_slice(&numbers[from..from + 16]);
    sixteen
}

/// A board after one more piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Child<B = Columns> {
    /// The drop of the piece.
    pub drop: HardDrop,
    /// The board after the drop and its line clear.
    pub board: B,
    /// The value of the drop: see [`reference::evaluate`](crate::contest::reference::evaluate).
    pub value: i32,
}

/// Returns every hard drop of a piece after which the game continues, best first; drops of equal
/// value are in key order: fewest rotations first, then from the left.
///
/// Every single key press must be legal. A drop that touches row 0 ends the game and is not listed;
/// a piece that cannot spawn has no drops.
/// [`reference::children`](crate::contest::reference::children) returns the same list.
///
/// ```
/// use tetris::Piece;
/// use tetris_ai::contest::OrientedPiece;
/// use tetris_ai::{Columns, contest::tree::children};
/// let list = children(&Columns::new(), OrientedPiece::new(Piece::T, 0));
/// assert_eq!(list.len(), 34);
/// assert!(list.is_sorted_by_key(|child| -child.value));
/// ```
pub fn children(board: &Columns, piece: OrientedPiece) -> Vec<Child> {
    let mut list = Vec::with_capacity(MAX_DROPS);
    children_into(board, piece, MAX_DROPS, &mut list);
    list
}

/// Replaces the contents of `children` with the first `keep` of the [`children`].
pub fn children_into(
    board: &Columns,
    piece: OrientedPiece,
    keep: usize,
    children: &mut Vec<Child>,
) {
    dispatch!(isa [board, piece, keep, children] => children_into_with(isa, board, piece, keep, children));
}

#[inline(always)]
fn children_into_with<S: Isa>(
    isa: S,
    board: &Columns,
    piece: OrientedPiece,
    keep: usize,
    children: &mut Vec<Child>,
) {
    let mut drops = DropList::NONE;
    drops.fill(isa, board, piece);
    children.clear();
    // A loop, not `extend`: its closure would not be inlined and so not be compiled for the ISA
    // level.
    for drop in drops.best(isa, keep) {
        children.push(Child {
            drop: drop.hard_drop(piece),
            board: drop.child(isa, board, piece),
            value: drop.value,
        });
    }
}
