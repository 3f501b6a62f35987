//! [`RandomMove`]: the 32 random bits behind each tried move of [`Classic`](crate::playouts::Classic).

/// The fields of 32 random bits: a symmetry, which stands for the direction, and a spawn.
///
/// ```text
///  31            16 15              2        1              0
/// +----------------+-----------------+----------------+-----------+
/// |    position    | four if < 1638  | anti_transpose | transpose |
/// +----------------+-----------------+----------------+-----------+
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RandomMove {
    /// Bit 0: mirror the board at its main diagonal.
    pub(crate) transpose: bool,
    /// Bit 1: then mirror it at the other diagonal.
    pub(crate) anti_transpose: bool,
    /// Bits 2 to 15 are below 1638 of 16384: spawn a 4. The probability is 0.1 - 2.4e-5.
    pub(crate) four: bool,
    /// Bits 16 to 31: of n empty cells in row-major order, spawn on number `(position * n) >> 16`. The
    /// probabilities of two cells differ by at most 2^-12 of themselves.
    pub(crate) position: u16,
}

/// The threshold of the low 16 bits below which a 4 is spawned.
pub(crate) const FOUR_BELOW: u16 = 1638 << 2;
/// Tried moves between two checks for finished games.
pub(crate) const MOVES_PER_BLOCK: usize = 8;

impl RandomMove {
    /// Splits 32 random bits into their fields.
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
