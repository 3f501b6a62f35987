//! [`RandomMove`]: the 32 random bits of each attempted move of [`Classic`](crate::playouts::Classic).

/// The fields of 32 random bits: a symmetry, which encodes the direction, and a spawn.
///
/// ```text
///  31            16 15              2        1              0
/// +----------------+-----------------+----------------+-----------+
/// |    position    | four if < 1638  | anti_transpose | transpose |
/// +----------------+-----------------+----------------+-----------+
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RandomMove {
    /// Bit 0: mirror the board across its main diagonal.
    pub(crate) transpose: bool,
    /// Bit 1: then mirror it across the other diagonal.
    pub(crate) anti_transpose: bool,
    /// Bits 2 to 15: spawn a 4 if they are below 1638 of 16384, with probability 0.1 - 2.4e-5.
    pub(crate) four: bool,
    /// Bits 16 to 31: spawn on number `(position * n) >> 16` of the n empty cells, row-major. The
    /// relative difference between the probabilities of two cells is at most 2^-12.
    pub(crate) position: u16,
}

/// A 4 spawns if the low 16 bits are below this threshold.
pub(crate) const FOUR_BELOW: u16 = 1638 << 2;
/// Attempted moves between two checks for finished games.
pub(crate) const MOVES_PER_BLOCK: usize = 8;

impl RandomMove {
    pub(crate) const fn new(bits: u32) -> Self {
        let low = bits as u16;
        Self {
            transpose: low & 1 == 1,
            anti_transpose: low & 2 == 2,
            four: low < FOUR_BELOW,
            position: (bits >> 16) as u16,
        }
    }
}
