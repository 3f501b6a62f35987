//! [`PieceColumns`]: the columns of a piece in one rotation state.

use tetris::Piece;

/// Indexed by [`Piece`], then by rotation state.
pub(crate) type PieceTable = [[PieceColumns; 4]; 7];

/// Returns the number of distinct rotation states of a piece. States that are equal modulo this
/// number have the same cells.
pub(crate) const fn orientations(piece: Piece) -> u8 {
    match piece {
        Piece::O => 1,
        Piece::I | Piece::S | Piece::Z => 2,
        Piece::L | Piece::J | Piece::T => 4,
    }
}

/// A piece in one rotation state, as columns from its leftmost cell on. The cells of each column
/// are contiguous.
#[derive(Clone, Copy)]
pub(crate) struct PieceColumns {
    pub(crate) width: usize,
    pub(crate) height: u32,
    /// The column and row of the center, relative to the lower left corner of the bounding box.
    pub(crate) center: (u8, u8),
    /// For each column, the row of its lowest cell.
    pub(crate) low: [u32; 4],
    /// For each column, the row above its highest cell.
    pub(crate) high: [u32; 4],
    /// The cells of each column; bit 0 is the lowest row of the bounding box.
    pub(crate) bits: [u32; 4],
    /// `bits` padded with ten empty columns on both sides: the slice from index `10 - x` on is a
    /// board with the piece in column x.
    pub(crate) row: [u32; 2 * tetris::Board::WIDTH + 4],
    /// `bits` as 16-bit lanes after 16 empty lanes: the slice from lane `16 - x` on is a board with
    /// the piece in column x.
    pub(crate) lanes: [u16; 32],
}

impl PieceColumns {
    /// A placeholder for const tables.
    pub(crate) const NONE: Self = Self::new([(0, 0); 4]);

    /// Computes the columns from four cells, given as offsets (right, up) from the center.
    pub(crate) const fn new(cells: [(i32, i32); 4]) -> Self {
        let mut left = 0;
        let mut right = 0;
        let mut bottom = 0;
        let mut top = 0;
        let mut i = 0;
        while i < 4 {
            let (dx, dy) = cells[i];
            (left, right) =
                (if dx < left { dx } else { left }, if dx > right { dx } else { right });
            (bottom, top) =
                (if dy < bottom { dy } else { bottom }, if dy > top { dy } else { top });
            i += 1;
        }
        let mut bits = [0u32; 4];
        i = 0;
        while i < 4 {
            bits[(cells[i].0 - left) as usize] |= 1 << (cells[i].1 - bottom);
            i += 1;
        }
        let mut row = [0; 2 * tetris::Board::WIDTH + 4];
        let mut lanes = [0; 32];
        let mut low = [0; 4];
        let mut high = [0; 4];
        let width = (right - left + 1) as usize;
        i = 0;
        while i < width {
            (low[i], high[i]) = (bits[i].trailing_zeros(), u32::BITS - bits[i].leading_zeros());
            (row[tetris::Board::WIDTH + i], lanes[16 + i]) = (bits[i], bits[i] as u16);
            i += 1;
        }
        let height = (top - bottom + 1) as u32;
        let center = ((-left) as u8, (-bottom) as u8);
        Self { width, height, center, low, high, bits, row, lanes }
    }
}
