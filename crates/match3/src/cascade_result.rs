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
