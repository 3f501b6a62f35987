//! [`Node`]: a board of the beam; [`Candidate`]: one that may become a node.

use super::Lock;
use super::evaluation::Evaluation;
use super::lock::{FULL, Form, MOVES, Moves, for_each_lock, walled};
use super::select::Bars;
use crate::contest::{Board, COLUMNS, Piece, ROWS, multiplier};
use bitcore::{Level, dispatch};

/// A board of the beam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) rows: [u16; ROWS],
    pub(super) score: u32,
    pub(super) cells: u32,
    /// See [`hash`].
    pub(super) hash: u64,
}

impl Node {
    pub(super) fn new(board: &Board, score: u32) -> Self {
        let rows = *board.rows();
        Self { rows, score, cells: board.cells(), hash: hash(&rows) }
    }

    pub(super) fn board(&self) -> Board {
        Board::from_rows(self.rows)
    }

    /// The board after a lock, whose hash is known.
    pub(super) fn child(&self, moves: &Moves, lock: Lock, scores: bool, hash: u64) -> Self {
        let form = &moves.forms[usize::from(lock.state)];
        let (rows, lines) = placed(&self.rows, form, lock.x.into(), lock.y.into());
        let gain = if scores { multiplier(lines) * (self.cells + 4) } else { 0 };
        Self { rows, score: self.score + gain, cells: self.cells + 4 - COLUMNS as u32 * lines, hash }
    }

    /// The hash of its rows, from the beginning.
    pub(super) fn rehashed(mut self) -> Self {
        self.hash = hash(&self.rows);
        self
    }
}

/// Some rows with a piece whose centre is at (x, y), the full ones removed; and how many these were.
#[inline(always)]
fn placed(rows: &[u16; ROWS], form: &Form, x: u32, y: usize) -> ([u16; ROWS], u32) {
    let mut rows = *rows;
    let mut lines = 0;
    let highest = y - form.up;
    for i in 0..form.height {
        let y = highest + i;
        rows[y] |= form.row(i, x);
        if rows[y] == FULL {
            lines += 1;
            rows.copy_within(0..y, 1);
            rows[0] = 0;
        }
    }
    (rows, lines)
}

/// A random odd number for each row.
const FACTORS: [u64; ROWS] = {
    let mut factors = [0; ROWS];
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut y = 0;
    while y < ROWS {
        // SplitMix64.
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        factors[y] = (z ^ z >> 31) | 1;
        y += 1;
    }
    factors
};

/// A hash that is linear in the rows: a piece that fills no row adds its own.
#[inline(always)]
pub(super) fn hash(rows: &[u16; ROWS]) -> u64 {
    let mut hash = 0u64;
    for y in 0..ROWS {
        hash = hash.wrapping_add(u64::from(rows[y]).wrapping_mul(FACTORS[y]));
    }
    hash
}

/// In how many parts a layer is divided, by [`part_of`].
pub(super) const PARTS: usize = 16;

/// The part of the layer in which a board lies. The product's upper bits depend on all of the hash.
#[inline(always)]
pub(super) const fn part_of(hash: u64) -> usize {
    (hash.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 60) as usize
}

/// A child of a node, before it is made.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Candidate {
    /// Of its board.
    pub(super) hash: u64,
    /// The score and what the board is worth.
    pub(super) key: i32,
    /// See [`Place`].
    pub(super) parent: u32,
    /// See [`Lock::pack`].
    pub(super) lock: u16,
    /// The filled cells, in tens.
    pub(super) class: u8,
}

/// The classes of candidates: tens of cells.
pub(super) const CLASSES: usize = COLUMNS * ROWS / 10;

impl Candidate {
    /// What decides between two candidates with different boards: the greater one is the better one.
    #[inline(always)]
    pub(super) const fn rank(&self) -> u64 {
        ((self.key as u32 ^ 1 << 31) as u64) << 32 | self.hash >> 32
    }

    /// The key in a rank.
    pub(super) const fn key_of(rank: u64) -> i32 {
        ((rank >> 32) as u32 ^ 1 << 31) as i32
    }
}

/// Where a node lies in its layer: the part in the upper four bits, then the place in the part.
#[inline(always)]
pub(super) const fn place(part: usize, index: usize) -> u32 {
    (part as u32) << 28 | index as u32
}

/// The part and the place in the part.
#[inline(always)]
pub(super) const fn part_and_index(place: u32) -> (usize, usize) {
    ((place >> 28) as usize, (place & ((1 << 28) - 1)) as usize)
}

/// What is found below some nodes.
#[derive(Debug, Default)]
pub(super) struct Brood {
    /// The candidates by parts, in each part in the order of nodes and locks.
    pub(super) parts: [Vec<Candidate>; PARTS],
    /// The placements evaluated.
    pub(super) generated: u64,
}

impl Brood {
    /// All candidates, part after part.
    pub(super) fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        self.parts.iter().flatten()
    }

    /// The best key.
    pub(super) fn best_key(&self) -> Option<i32> {
        self.candidates().map(|candidate| candidate.key).max()
    }

    /// Replaces what it held by the children of some nodes, of which the first lies at `first`, as far as the bars
    /// allow.
    pub(super) fn fill(
        &mut self,
        evaluation: &Evaluation,
        piece: Piece,
        nodes: &[Node],
        first: u32,
        bars: &Bars,
        level: Level,
    ) {
        self.parts.iter_mut().for_each(Vec::clear);
        self.generated = 0;
        dispatch!(level, _isa => self.expand(evaluation, piece, nodes, first, bars));
    }

    #[inline(always)]
    fn expand(&mut self, evaluation: &Evaluation, piece: Piece, nodes: &[Node], first: u32, bars: &Bars) {
        let moves = &MOVES[piece.shape() as usize];
        for (parent, node) in (first..).zip(nodes) {
            let rows = walled(&node.rows);
            let profile = evaluation.profile(&rows, node.cells);
            // Compiled with the kernel only if it is part of it.
            #[rustfmt::skip]
            for_each_lock(moves, piece.state(), &rows, #[inline(always)] |state: usize, x: u32, y: usize| {
                let form = &moves.forms[state & 3];
                let Some(child) = evaluation.child(&profile, form, x, y) else { return };
                self.generated += 1;
                let key = node.score as i32 + child.value;
                let class = (child.cells / 10) as u8;
                if !bars.allows(class, key) {
                    return;
                }
                let hash = if child.lines == 0 {
                    let mut hash = node.hash;
                    for i in 0..form.height {
                        let row = u64::from(form.row(i, x));
                        hash = hash.wrapping_add(row.wrapping_mul(FACTORS[y - form.up + i]));
                    }
                    hash
                } else {
                    hash(&placed(&node.rows, form, x, y).0)
                };
                let lock = Lock { state: state as u8, x: x as u8, y: y as u8 }.pack();
                self.parts[part_of(hash)].push(Candidate { hash, key, parent, lock, class });
            });
        }
    }
}
