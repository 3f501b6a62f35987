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
    pub(crate) fn add_level(&mut self, cells: u64) {
        self.levels += 1;
        self.cleared += cells;
        self.score += 10 * cells * self.levels;
    }
}
