//! Where a piece can be dropped, and what each drop is worth: the step of the tree search, on columns of bits.

use crate::columns::{Columns, full_beside};
use crate::contest::{COLUMNS, Key, KeyPresses, Piece, ROWS, SPAWN, Shape, multiplier};
use crate::form::Form;
use bitcore::{Isa, Lanes, Level, U16s, U32s, dispatch};

/// A drop: turn where the piece spawns, then shift, then move down until it rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placement {
    /// Presses of C.
    pub turns: u8,
    /// The column of the center.
    pub x: u8,
    /// The row of the center where it locks, and so the presses of D.
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
    pub fn keys(self) -> KeyPresses {
        let spawn = SPAWN.0.unsigned_abs();
        let mut turn = KeyPresses::new();
        turn.push(Key::Rotate, self.turns.into());
        turn.push(Key::Left, spawn.saturating_sub(self.x).into());
        turn.push(Key::Right, self.x.saturating_sub(spawn).into());
        turn.push(Key::Down, self.y.into());
        turn
    }
}

/// By shape and state. In each column the cells of a piece are one run, so a piece that fits in row 0 and moves straight
/// down comes to rest on the columns' tops.
static FORMS: [[Form; 4]; 7] = {
    const fn form(shape: Shape, state: u8) -> Form {
        // The contest counts rows from the top.
        let (down, mut up) = (Piece::new(shape, state).cells(), [(0, 0); 4]);
        let mut i = 0;
        while i < 4 {
            up[i] = (down[i].0 as i32, -down[i].1 as i32);
            i += 1;
        }
        Form::new(up)
    }
    const fn states(shape: Shape) -> [Form; 4] {
        [form(shape, 0), form(shape, 1), form(shape, 2), form(shape, 3)]
    }
    let [i, l, j, t, o, s, z] = Shape::ALL;
    [states(i), states(l), states(j), states(t), states(o), states(s), states(z)]
};

/// The form of a piece after some turns.
#[inline(always)]
fn form_of(piece: Piece, turns: u8) -> &'static Form {
    &FORMS[piece.shape() as usize][(piece.state() + turns) as usize % 4]
}

/// The most drops of one piece: T, J and L have 9 + 8 + 9 + 8.
pub(crate) const MAX_DROPS: usize = 34;

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
        let form = form_of(piece, self.turns);
        let y = ROWS as u8 - 1 - self.base - form.center.1;
        Placement { turns: self.turns, x: self.left + form.center.0, y }
    }

    /// The board after it.
    #[inline(always)]
    pub(crate) fn child<S: Isa>(&self, isa: S, board: &Columns, piece: Piece) -> Columns {
        board.child(isa, form_of(piece, self.turns), self.left, self.base, self.full)
    }
}

/// The drops of one piece, in the order of their keys: fewest turns first, then from the left.
pub(crate) struct Drops {
    drops: [Drop; MAX_DROPS],
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
    pub(crate) fn best<S: Isa>(
        &self,
        isa: S,
        keep: usize,
    ) -> impl DoubleEndedIterator<Item = &Drop> + ExactSizeIterator {
        const GROUPS: usize = MAX_DROPS.div_ceil(8);
        // Evaluations are far from this large; 0 is what the unused keys have, and less than any other.
        const OFFSET: i32 = 1 << 20;
        let mut keys = [[0u32; 8]; GROUPS];
        for (i, drop) in self.as_slice().iter().enumerate() {
            keys[i / 8][i % 8] = ((drop.evaluated + OFFSET) as u32) << 6 | (MAX_DROPS - i) as u32;
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
        (0..keep.min(self.len)).map(move |rank| &self.drops[usize::from(order[rank]) % MAX_DROPS])
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

impl Drops {
    /// None.
    pub(crate) const NONE: Self =
        Self { drops: [Drop { evaluated: 0, turns: 0, left: 0, base: 0, full: 0 }; MAX_DROPS], len: 0 };

    /// Replaces them by all drops of a piece. Too big to inline, so it enters again.
    #[inline(never)]
    pub(crate) fn fill<S: Isa>(&mut self, isa: S, board: &Columns, piece: Piece) {
        isa.enter(
            #[inline(always)]
            || self.fill_here(isa, board, piece),
        );
    }

    #[inline(always)]
    fn fill_here<S: Isa>(&mut self, isa: S, board: &Columns, piece: Piece) {
        self.len = 0;
        let heights = board.heights();
        let highest = heights.into_iter().max().unwrap_or(0);
        if highest >= ROWS as u32 {
            return;
        }
        let (left, right) = full_beside(board.columns(), !0);
        let mut sweep = Sweep { board, heights: [0; 20], squares: [0; 20], highest, left, right, piece };
        for (x, &height) in heights.iter().enumerate() {
            (sweep.heights[x], sweep.squares[x]) = (height as u16, (height * height) as u16);
        }
        for turns in 0..piece.shape().orientations() {
            let form = form_of(piece, turns);
            let turned = match form.width {
                1 => sweep.run::<1, S>(isa, form, turns, self),
                2 => sweep.run::<2, S>(isa, form, turns, self),
                3 => sweep.run::<3, S>(isa, form, turns, self),
                _ => sweep.run::<4, S>(isa, form, turns, self),
            };
            if !turned {
                break;
            }
        }
    }
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
        let spawn = SPAWN.0 as usize - usize::from(form.center.0);
        let (mut first, mut last) = (0, COLUMNS - W);
        // A stack this low is in nobody's way. Otherwise the way from the spawn has to be free, step by step.
        let roof = ROWS as u32 - 1 - u32::from(form.center.1);
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
            if base + form.height >= ROWS as u32 {
                continue;
            }
            let mut full = self.left[x] & self.right[x + W];
            if full != 0 {
                for i in 0..W {
                    full &= self.board.columns()[x + i] | form.bits[i] << base;
                }
            }
            let evaluated = i32::from(evaluations[x] as i16);
            let mut drop = Drop { evaluated, turns, left: x as u8, base: base as u8, full };
            if full != 0 {
                let child = drop.child(isa, self.board, self.piece);
                drop.evaluated = evaluate(&child.heights(), self.board.cells() + 4, full.count_ones());
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
        let total = |numbers: &[u16; 20]| numbers.iter().map(|&n| u32::from(n)).sum::<u32>();
        // The lowest cell of a column is at most two rows above the piece's.
        let mut raised = splat(0);
        let mut sum = splat(total(&self.heights) + form.high.iter().sum::<u32>());
        let mut squares = splat(total(&self.squares) + form.high.iter().map(|high| high * high).sum::<u32>());
        for i in 0..W {
            let height = isa.u16x16(&sixteen(&self.heights, i));
            raised = raised.max(height + splat(2 - form.low[i]));
            sum = sum - height;
            squares = squares - isa.u16x16(&sixteen(&self.squares, i));
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
        let cells = splat(24 * (self.board.cells() + 4));
        (base.to_array(), (cells - spread - sum.shl::<4>() - sum.shl::<2>()).to_array())
    }
}

/// Sixteen of some numbers, from one of the first five on.
#[inline(always)]
fn sixteen(numbers: &[u16; 20], from: usize) -> [u16; 16] {
    let mut sixteen = [0; 16];
    sixteen.copy_from_slice(&numbers[from..from + 16]);
    sixteen
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
    placements_on(Level::detect(), board, piece)
}

/// [`placements`] with an instruction set; the same at every one.
pub fn placements_on(level: Level, board: &Columns, piece: Piece) -> Vec<Child> {
    let mut children = Vec::with_capacity(MAX_DROPS);
    placements_into_on(level, board, piece, MAX_DROPS, &mut children);
    children
}

/// Replaces what `children` held by the first `keep` of the [`placements`].
pub fn placements_into_on(
    level: Level,
    board: &Columns,
    piece: Piece,
    keep: usize,
    children: &mut Vec<Child>,
) {
    dispatch!(level, isa [board, piece, keep, children] => placements_into(isa, board, piece, keep, children));
}

#[inline(always)]
fn placements_into<S: Isa>(isa: S, board: &Columns, piece: Piece, keep: usize, children: &mut Vec<Child>) {
    let mut drops = Drops::NONE;
    drops.fill(isa, board, piece);
    children.clear();
    // A loop: what `extend` calls isn't inlined, and so would not be compiled for the level.
    for drop in drops.best(isa, keep) {
        children.push(Child {
            placement: drop.placement(piece),
            board: drop.child(isa, board, piece),
            evaluated: drop.evaluated,
        });
    }
}
