//! [`Job`]: the parameters of a run of playouts.

use crate::rules::position::Position;
use core::ops::Range;

/// The parameters of a run of playouts.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Job<const N: usize> {
    pub(super) start: Position<N>,
    pub(super) multi_suicide: bool,
    pub(super) track_first: bool,
    pub(super) seed: u64,
    pub(super) numbers: Range<u64>,
}
