//! [`CascadeResult`]: the sums of one move and its cascade.

/// The sums of one move and its cascade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CascadeResult {
    /// The number of cells cleared.
    pub cleared: u64,
    /// The points: 10 per cell, times the level in which it was cleared.
    pub score: u64,
    /// The number of levels of the cascade: rounds of clearing, falling and refilling.
    pub levels: u64,
}

impl CascadeResult {
    /// Adds a level that clears this number of cells.
    pub(crate) fn add_level(&mut self, cells: u64) {
        self.levels += 1;
        self.cleared += cells;
        self.score += 10 * cells * self.levels;
    }
}
