//! [`CascadeResult`]: the sums of one move.

/// What one move did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CascadeResult {
    /// Cells cleared.
    pub cleared: u64,
    /// 10 points a cell, times its level.
    pub score: u64,
    /// Levels of the cascade.
    pub levels: u64,
}
