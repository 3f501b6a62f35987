//! [`RandomMove`]: what the bits of a stream mean to the games of [`Playouts4x4`](crate::Playouts4x4).

/// What the 32 bits of a step say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomMove {
    /// Bit 0: mirror the board at its main diagonal, ..
    pub transpose: bool,
    /// .. bit 1: and then at the other one.
    pub anti_transpose: bool,
    /// Bits 2 to 15, below 1638 of 16384: a 4 is spawned, with a probability of 0.1 less 2.4e-5.
    pub four: bool,
    /// Bits 16 to 31: of n empty cells, row by row, the one numbered `(position * n) >> 16`. Two cells' probabilities
    /// differ by 2^-12 of them at most.
    pub position: u16,
}

/// Of a step's low 16 bits: below this, a 4.
pub(crate) const FOUR_BELOW: u16 = 1638 << 2;
/// Attempts between two looks for boards that are over.
pub(crate) const MOVES_PER_BLOCK: usize = 8;

impl RandomMove {
    /// Returns the fields of 32 bits.
    pub const fn new(bits: u32) -> Self {
        let low = bits as u16;
        Self {
            transpose: low & 1 == 1,
            anti_transpose: low & 2 == 2,
            four: low < FOUR_BELOW,
            position: (bits >> 16) as u16,
        }
    }
}
