//! [`BeamNode`]: a board of the beam, its hash, and its position in a layer.
//!
//! The hash selects one of the 16 partitions of the layer. Within a partition, nodes are ordered by
//! parent, then by placement. A node id packs the partition and the index into one word:
//!
//! ```text
//! bit  31 ..... 28 27 .................... 0
//!      | partition | index in the partition |
//! ```

use super::movegen::MoveTables;
use super::rows::PieceRows;
use crate::columns::{COLUMNS, ROWS};
use crate::contest::board::{Board, FULL_ROW};
use crate::contest::falling_piece::FallingPiece;
use crate::contest::game::multiplier;

/// A board of the beam with the best score that leads to it: 56 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BeamNode {
    pub(super) rows: [u16; ROWS],
    pub(super) score: u32,
    pub(super) cells: u32,
    pub(super) hash: u64,
}

impl BeamNode {
    pub(super) fn new(board: &Board, score: u32) -> Self {
        let rows = *board.rows();
        Self { rows, score, cells: board.cells(), hash: hash(&rows) }
    }

    pub(super) fn board(&self) -> Board {
        Board::from_rows(self.rows)
    }

    /// `hash` is the new board's hash.
    pub(super) fn child(
        &self,
        moves: &MoveTables,
        place: FallingPiece,
        scores: bool,
        hash: u64,
    ) -> Self {
        let piece_rows = &moves.piece_rows[usize::from(place.piece.state())];
        let (rows, lines) = place_piece(&self.rows, piece_rows, place.x as u32, place.y as usize);
        let gain = if scores { multiplier(lines) * (self.cells + 4) } else { 0 };
        Self {
            rows,
            score: self.score + gain,
            cells: self.cells + 4 - COLUMNS as u32 * lines,
            hash,
        }
    }

    pub(super) fn rehashed(mut self) -> Self {
        self.hash = hash(&self.rows);
        self
    }
}

/// Places a piece with its center at (x, y) and clears full rows. Returns the rows and the number
/// cleared.
#[inline(always)]
pub(super) fn place_piece(
    rows: &[u16; ROWS],
    piece_rows: &PieceRows,
    x: u32,
    y: usize,
) -> ([u16; ROWS], u32) {
    let mut rows = *rows;
    let mut lines = 0;
    let highest = y - piece_rows.up;
    for i in 0..piece_rows.height {
        let y = highest + i;
        rows[y] |= piece_rows.row(i, x);
        if rows[y] == FULL_ROW {
            lines += 1;
            rows.copy_within(0..y, 1);
            rows[0] = 0;
        }
    }
    (rows, lines)
}

/// A random odd factor for each row.
pub(super) const HASH_FACTORS: [u64; ROWS] = {
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

/// Returns the hash of a board: the sum of `row * factor` modulo 2^64.
///
/// The hash is linear in the rows, so a piece that completes no row just adds the hash of its own
/// cells.
#[inline(always)]
pub(super) fn hash(rows: &[u16; ROWS]) -> u64 {
    let mut hash = 0u64;
    for y in 0..ROWS {
        hash = hash.wrapping_add(u64::from(rows[y]).wrapping_mul(HASH_FACTORS[y]));
    }
    hash
}

pub(super) const PARTITIONS: usize = 16;

/// Returns the partition of a hash: the top four bits of a product, which depend on all bits of the
/// hash.
#[inline(always)]
pub(super) const fn partition_of(hash: u64) -> usize {
    (hash.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 60) as usize
}

#[inline(always)]
pub(super) const fn node_id(partition: usize, index: usize) -> u32 {
    (partition as u32) << 28 | index as u32
}

#[inline(always)]
pub(super) const fn partition_and_index(node_id: u32) -> (usize, usize) {
    ((node_id >> 28) as usize, (node_id & ((1 << 28) - 1)) as usize)
}
