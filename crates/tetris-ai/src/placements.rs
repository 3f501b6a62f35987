//! Where a piece can be dropped, and what each drop is worth: the step of the tree search, on columns of bits.

use crate::contest::{Board, COLUMNS, Cells, Key, Piece, ROWS, SPAWN, Shape, Turn, multiplier};
use bitcore::{Isa, Lanes, U16s, U32s, dispatch};

/// A drop: turn where the piece spawns, then shift, then move down until it rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placement {
    /// Presses of C.
    pub turns: u8,
    /// The column of the centre.
    pub x: u8,
    /// The row of the centre where it locks, and so the presses of D.
    pub y: u8,
}

impl Placement {
    /// The key presses, in their order: C, then L or R, then D.
    ///
    /// ```
    /// use tetris_ai::{Placement, contest::Key};
    /// let turn = Placement { turns: 1, x: 2, y: 17 }.keys();
    /// let keys: String = turn.runs().iter().map(|run| format!("{}{} ", run.key.letter(), run.count)).collect();
    /// assert_eq!(keys, "C1 L2 D17 ");
    /// ```
    pub fn keys(self) -> Turn {
        let spawn = SPAWN.0.unsigned_abs();
        let mut turn = Turn::new();
        turn.push(Key::Turn, self.turns.into());
        turn.push(Key::Left, spawn.saturating_sub(self.x).into());
        turn.push(Key::Right, self.x.saturating_sub(spawn).into());
        turn.push(Key::Down, self.y.into());
        turn
    }
}

/// A board between two turns as ten columns of bits: bit 0 = bottom row, bit 19 = row 0 of the contest.
///
/// ```
/// use tetris_ai::{Columns, contest::Board};
/// let board: Board = "#.........\n####.#####".parse()?;
/// let columns = Columns::from(&board);
/// assert_eq!((columns.heights()[0], columns.heights()[4], columns.cells()), (2, 0, 10));
/// assert_eq!(Board::from(&columns), board);
/// # Ok::<(), tetris_ai::ParseBoardError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Columns {
    columns: [u32; COLUMNS],
    cells: u32,
}

impl Columns {
    /// The empty board.
    pub const fn new() -> Self {
        Self { columns: [0; COLUMNS], cells: 0 }
    }

    /// The columns, bit 0 = bottom row.
    pub const fn columns(&self) -> &[u32; COLUMNS] {
        &self.columns
    }

    /// The number of filled cells.
    pub const fn cells(&self) -> u32 {
        self.cells
    }

    /// The height of each column: the rows from the floor up to its highest filled cell.
    #[inline(always)]
    pub fn heights(&self) -> [u32; COLUMNS] {
        self.columns.map(|column| u32::BITS - column.leading_zeros())
    }

    /// The board after a drop, its full rows removed.
    #[inline(always)]
    pub(crate) fn child_with<S: Isa>(&self, isa: S, piece: Piece, drop: &Drop) -> Self {
        let form = &FORMS[piece.shape() as usize][form_of(piece, drop.turns)];
        let start = COLUMNS - usize::from(drop.left);
        let add = |columns: [u32; 8], bits: [u32; 8]| {
            isa.u32x8(&columns) | isa.u32x8(&bits).shl_all(drop.base.into())
        };
        let mut left = add(first8(&self.columns), first8(&form.row[start..]));
        let mut right = add(first8(&self.columns[2..]), first8(&form.row[start + 2..]));
        if drop.full != 0 {
            left = without_rows_with(isa, left, drop.full);
            right = without_rows_with(isa, right, drop.full);
        }
        let mut columns = [0; COLUMNS];
        columns[..8].copy_from_slice(&left.to_array());
        columns[2..].copy_from_slice(&right.to_array());
        Self { columns, cells: self.cells + 4 - COLUMNS as u32 * drop.full.count_ones() }
    }
}

/// The first eight of some numbers; ten columns are eight and, beginning with the third, another eight.
#[inline(always)]
fn first8(numbers: &[u32]) -> [u32; 8] {
    std::array::from_fn(|i| numbers[i])
}

impl From<&Board> for Columns {
    fn from(board: &Board) -> Self {
        let mut columns = [0; COLUMNS];
        for (y, row) in board.rows().iter().enumerate() {
            for (x, column) in columns.iter_mut().enumerate() {
                *column |= u32::from(row >> x & 1) << (ROWS - 1 - y);
            }
        }
        Self { columns, cells: board.cells() }
    }
}

impl From<&Columns> for Board {
    fn from(columns: &Columns) -> Self {
        Self::from_rows(std::array::from_fn(|y| {
            let bits = columns.columns.iter().enumerate();
            bits.fold(0, |row, (x, column)| row | ((column >> (ROWS - 1 - y) & 1) as u16) << x)
        }))
    }
}

/// Removes the rows of a mask from eight columns; what is above them moves down. A loop over at most four rows, some
/// lane operations each: on the portable level far cheaper than a PEXT per column, and no slower with it.
#[inline(always)]
fn without_rows_with<S: Isa>(isa: S, mut columns: S::U32x8, mut rows: u32) -> S::U32x8 {
    while rows != 0 {
        // The highest first: it moves no row that is still to go.
        let row = rows.ilog2();
        columns = isa.splat_u32((1 << row) - 1).blend(columns, columns.shr::<1>());
        rows &= !(1 << row);
    }
    columns
}

/// One of the states of a shape, as the columns that it covers.
struct Form {
    /// The columns that it covers.
    width: usize,
    /// From the leftmost column to the centre.
    centre: usize,
    /// Per column: the rows between the piece's lowest cell and the column's own lowest.
    low: [u32; 4],
    /// Per column: the rows between the piece's lowest cell and the column's top.
    high: [u32; 4],
    /// Per column: its cells, bit 0 = the row of the piece's lowest cell.
    bits: [u32; 4],
    /// `bits` with as many empty columns on both sides as a board has: seen from the column `10 - x` on, a board with
    /// the piece in column x.
    row: [u32; 2 * COLUMNS + 4],
    /// The rows from the centre down to the lowest cell.
    depth: u32,
}

impl Form {
    const fn new(cells: Cells) -> Self {
        let (mut left, mut right, mut bottom) = (0, 0, 0);
        let mut i = 0;
        while i < 4 {
            let (dx, dy) = cells[i];
            left = if dx < left { dx } else { left };
            right = if dx > right { dx } else { right };
            bottom = if dy > bottom { dy } else { bottom };
            i += 1;
        }
        let mut bits = [0u32; 4];
        i = 0;
        while i < 4 {
            bits[(cells[i].0 - left) as usize] |= 1 << (bottom - cells[i].1);
            i += 1;
        }
        let mut row = [0; 2 * COLUMNS + 4];
        let (mut low, mut high) = ([0; 4], [0; 4]);
        i = 0;
        while i <= (right - left) as usize {
            (low[i], high[i]) = (bits[i].trailing_zeros(), u32::BITS - bits[i].leading_zeros());
            row[COLUMNS + i] = bits[i];
            i += 1;
        }
        let (width, centre) = ((right - left + 1) as usize, (-left) as usize);
        Self { width, centre, low, high, bits, row, depth: bottom as u32 }
    }
}

/// By shape and orientation. In each column the cells of a piece are one run, so a piece that fits in row 0 and moves
/// straight down comes to rest on the columns' tops.
static FORMS: [[Form; 4]; 7] = {
    const fn states(shape: Shape) -> [Form; 4] {
        [
            Form::new(Piece::new(shape, 0).cells()),
            Form::new(Piece::new(shape, 1).cells()),
            Form::new(Piece::new(shape, 2).cells()),
            Form::new(Piece::new(shape, 3).cells()),
        ]
    }
    let [i, l, j, t, o, s, z] = Shape::ALL;
    [states(i), states(l), states(j), states(t), states(o), states(s), states(z)]
};

/// The state that a piece is in after some turns.
#[inline(always)]
const fn form_of(piece: Piece, turns: u8) -> usize {
    (piece.state() + turns) as usize % 4
}

/// The most drops of one piece: T, J and L have 9 + 8 + 9 + 8.
pub(crate) const MOST_DROPS: usize = 34;

/// A drop and what it is worth, before the board after it is made.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Drop {
    /// See [`Child::evaluated`].
    pub(crate) evaluated: i32,
    /// Presses of C.
    turns: u8,
    /// The leftmost column.
    left: u8,
    /// The row of the lowest cell, 0 = bottom.
    base: u8,
    /// The full rows.
    full: u32,
}

impl Drop {
    /// The key presses.
    #[inline(always)]
    pub(crate) fn placement(&self, piece: Piece) -> Placement {
        let form = &FORMS[piece.shape() as usize][form_of(piece, self.turns)];
        let y = ROWS as u32 - 1 - u32::from(self.base) - form.depth;
        Placement { turns: self.turns, x: self.left + form.centre as u8, y: y as u8 }
    }
}

/// The drops of one piece, in the order of their keys: fewest turns first, then from the left.
pub(crate) struct Drops {
    drops: [Drop; MOST_DROPS],
    len: usize,
}

impl Drops {
    /// All of them.
    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[Drop] {
        &self.drops[..self.len]
    }

    /// The best `keep`, best first, equals in the order of their keys.
    ///
    /// Each drop's place is the number of those that beat it, counted eight at a time without a branch: faster than any
    /// sort of so few in no order.
    #[inline(always)]
    pub(crate) fn best_with<S: Isa>(
        &self,
        isa: S,
        keep: usize,
    ) -> impl DoubleEndedIterator<Item = &Drop> + ExactSizeIterator {
        const GROUPS: usize = MOST_DROPS.div_ceil(8);
        // Evaluations are far from this large; 0 is what the unused keys have, and less than any other.
        const OFFSET: i32 = 1 << 20;
        let mut keys = [[0u32; 8]; GROUPS];
        for (i, drop) in self.as_slice().iter().enumerate() {
            keys[i / 8][i % 8] = ((drop.evaluated + OFFSET) as u32) << 6 | (MOST_DROPS - i) as u32;
        }
        let mut order = [0u8; 8 * GROUPS];
        for (group, own) in keys.iter().take(self.len.div_ceil(8)).enumerate() {
            let own = isa.u32x8(own);
            let mut ranks = isa.splat_u32(0);
            for &other in keys.as_flattened().iter().take(self.len) {
                // Differences are below 2^31: the sign says who is the less.
                ranks = ranks + (own - isa.splat_u32(other)).shr::<31>();
            }
            for (i, rank) in ranks.to_array().into_iter().enumerate() {
                order[rank as usize % order.len()] = (8 * group + i) as u8;
            }
        }
        (0..keep.min(self.len)).map(move |rank| &self.drops[usize::from(order[rank]) % MOST_DROPS])
    }
}

/// What the evaluation makes of a board's columns. See [`reference::evaluate`](crate::reference::evaluate).
///
/// With g = 20 - avg, the rounded-up mean height, the sum of (top - avg)^2 is that of (height - g)^2; and the holes are
/// what the heights count and the cells don't.
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

/// All drops of a piece.
#[inline(always)]
pub(crate) fn drops_with<S: Isa>(isa: S, board: &Columns, piece: Piece) -> Drops {
    let mut drops = Drops { drops: [Drop::default(); MOST_DROPS], len: 0 };
    let heights = board.heights();
    let highest = heights.into_iter().max().unwrap_or(0);
    if highest >= ROWS as u32 {
        return drops;
    }
    // The rows that are full in all columns left, and in all columns right, of a drop.
    let (mut left, mut right) = ([!0; COLUMNS + 1], [!0; COLUMNS + 1]);
    for x in 0..COLUMNS {
        left[x + 1] = left[x] & board.columns[x];
        right[COLUMNS - 1 - x] = right[COLUMNS - x] & board.columns[COLUMNS - 1 - x];
    }
    let padded = |number: fn(u32) -> u32| {
        std::array::from_fn(|x| if x < COLUMNS { number(heights[x]) as u16 } else { 0 })
    };
    let sweep = Sweep {
        board,
        heights: padded(|height| height),
        squares: padded(|height| height * height),
        highest,
        left,
        right,
        piece,
    };
    for turns in 0..piece.shape().orientations() {
        let form = &FORMS[piece.shape() as usize][form_of(piece, turns)];
        let turned = match form.width {
            1 => sweep.run::<1, S>(isa, form, turns, &mut drops),
            2 => sweep.run::<2, S>(isa, form, turns, &mut drops),
            3 => sweep.run::<3, S>(isa, form, turns, &mut drops),
            _ => sweep.run::<4, S>(isa, form, turns, &mut drops),
        };
        if !turned {
            break;
        }
    }
    drops
}

/// What all states of a piece share. Arrays begin with column 0 and go on with zeros behind the last.
struct Sweep<'a> {
    board: &'a Columns,
    heights: [u16; 20],
    squares: [u16; 20],
    highest: u32,
    left: [u32; COLUMNS + 1],
    right: [u32; COLUMNS + 1],
    piece: Piece,
}

impl Sweep<'_> {
    /// The drops of one state, which covers `W` columns, from the left. False if the piece doesn't fit in this state
    /// where it spawns: then no further turn is possible.
    #[inline(always)]
    fn run<const W: usize, S: Isa>(&self, isa: S, form: &Form, turns: u8, drops: &mut Drops) -> bool {
        let spawn = SPAWN.0 as usize - form.centre;
        let (mut first, mut last) = (0, COLUMNS - W);
        // A stack this low is in nobody's way. Otherwise the way from the spawn has to be free, step by step.
        let roof = ROWS as u32 - 1 - form.depth;
        if self.highest > roof {
            let fits = |x: &usize| (0..W).all(|i| u32::from(self.heights[x + i]) <= roof + form.low[i]);
            if !fits(&spawn) {
                return false;
            }
            first = (first..spawn).rev().take_while(fits).last().unwrap_or(spawn);
            last = (spawn + 1..=last).take_while(fits).last().unwrap_or(spawn);
        }
        let (bases, evaluations) = self.evaluate::<W, S>(isa, form);
        for x in first..=last {
            let base = u32::from(bases[x]);
            let high = (0..W).fold(0, |high, i| high.max(form.high[i]));
            if base + high >= ROWS as u32 {
                continue;
            }
            let mut full = self.left[x] & self.right[x + W];
            if full != 0 {
                for i in 0..W {
                    full &= self.board.columns[x + i] | form.bits[i] << base;
                }
            }
            let evaluated = i32::from(evaluations[x] as i16);
            let mut drop = Drop { evaluated, turns, left: x as u8, base: base as u8, full };
            if full != 0 {
                let child = self.board.child_with(isa, self.piece, &drop);
                drop.evaluated = evaluate(&child.heights(), self.board.cells + 4, full.count_ones());
            }
            drops.drops[drops.len] = drop;
            drops.len += 1;
        }
        true
    }

    /// For every column as the leftmost: the row of the piece's lowest cell, 0 = bottom, and [`evaluate`] as if no row
    /// were full, in 16 bits. The lanes of columns that the piece leaves the board from mean nothing.
    ///
    /// Numbers are small: heights below 24, sums of ten below 240, so products are exact as `(256 a * 256 b) >> 16`,
    /// and n / 10 is `(6554 n) >> 16`.
    #[inline(always)]
    fn evaluate<const W: usize, S: Isa>(&self, isa: S, form: &Form) -> ([u16; 16], [u16; 16]) {
        let splat = |n: u32| isa.splat_u16(n as u16);
        let at = |numbers: &[u16; 20], i: usize| isa.u16x16(&std::array::from_fn(|x| numbers[x + i]));
        let total = |numbers: &[u16; 20]| numbers.iter().map(|&n| u32::from(n)).sum::<u32>();
        // The lowest cell of a column is at most two rows above the piece's.
        let mut raised = splat(0);
        let mut sum = splat(total(&self.heights) + form.high.iter().sum::<u32>());
        let mut squares = splat(total(&self.squares) + form.high.iter().map(|high| high * high).sum::<u32>());
        for i in 0..W {
            let height = at(&self.heights, i);
            raised = raised.max(height + splat(2 - form.low[i]));
            sum = sum - height;
            squares = squares - at(&self.squares, i);
        }
        let base = raised - splat(2);
        // Each covered column is now base + high tall.
        let base_256 = base.shl::<8>();
        let base_squared = base_256.mul_high(base_256);
        squares = squares + base_256.mul_high(splat(form.high.iter().sum::<u32>() << 9));
        for _ in 0..W {
            sum = sum + base;
            squares = squares + base_squared;
        }
        let g = (sum + splat(COLUMNS as u32 - 1)).mul_high(splat(6554));
        let g_squared = g.shl::<8>().mul_high(g.shl::<8>());
        let spread =
            squares - g.shl::<9>().mul_high(sum.shl::<8>()) + g_squared.shl::<3>() + g_squared.shl::<1>();
        // 4 for each cell, and 20 for each that is no hole.
        let cells = splat(24 * (self.board.cells + 4));
        (base.to_array(), (cells - spread - sum.shl::<4>() - sum.shl::<2>()).to_array())
    }
}

/// A board after one more piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Child {
    /// How the piece was placed.
    pub placement: Placement,
    /// The board after it, its full rows removed.
    pub board: Columns,
    /// What the search makes of it: see [`reference::evaluate`](crate::reference::evaluate).
    pub evaluated: i32,
}

/// [`placements`] of a token: replaces what `children` held.
#[doc(hidden)]
#[inline(always)]
pub fn placements_with<S: Isa>(
    isa: S,
    board: &Columns,
    piece: Piece,
    keep: usize,
    children: &mut Vec<Child>,
) {
    let drops = drops_with(isa, board, piece);
    children.clear();
    // A loop: what `extend` calls isn't inlined, and so would not be compiled for the level.
    for drop in drops.best_with(isa, keep) {
        children.push(Child {
            placement: drop.placement(piece),
            board: board.child_with(isa, piece, drop),
            evaluated: drop.evaluated,
        });
    }
}

/// Every drop of a piece that leaves the game going on, best first, equals in the order of their keys (fewest turns,
/// then from the left): what [`reference::children`](crate::reference::children) lists.
///
/// A drop is turned where it spawns, then shifted, then moved down until it rests, and each single press has to be
/// possible. What touches row 0 ends the game and is no child; a piece that can't spawn has none.
///
/// ```
/// use tetris_ai::contest::{Piece, Shape};
/// use tetris_ai::{Columns, placements};
/// let children = placements(&Columns::new(), Piece::new(Shape::T, 0));
/// assert_eq!(children.len(), 34);
/// assert!(children.is_sorted_by_key(|child| -child.evaluated));
/// ```
pub fn placements(board: &Columns, piece: Piece) -> Vec<Child> {
    let mut children = Vec::with_capacity(MOST_DROPS);
    dispatch!(isa => placements_with(isa, board, piece, MOST_DROPS, &mut children));
    children
}
