//! [`CascadeResult`]: the totals of a move and its cascade.

/// The totals of a move and its cascade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct CascadeResult {
    /// The number of cells cleared.
    pub cleared: u64,
    /// The score: 10 points per cell, times the cascade level in which it was cleared.
    pub score: u64,
    /// The number of cascade levels: rounds of clearing, falling and refilling.
    pub levels: u64,
}

impl CascadeResult {
    /// The most levels of a cascade on a [`Board`](crate::Board) or a
    /// [`SpecialBoard`](crate::special::SpecialBoard). Few colors on a large board, such as three on
    /// 16 x 16 cells with special pieces, would refill themselves for ever; other cascades have far
    /// fewer levels.
    pub const MAX_LEVELS: u64 = 10_000;

    /// Returns whether the cascade was ended by [`MAX_LEVELS`](Self::MAX_LEVELS). Its board may have
    /// runs, which the next move clears.
    pub const fn is_limited(&self) -> bool {
        self.levels >= Self::MAX_LEVELS
    }

    pub(crate) fn add_level(&mut self, cells: u64) {
        self.levels += 1;
        self.cleared += cells;
        self.score += 10 * cells * self.levels;
    }
}
