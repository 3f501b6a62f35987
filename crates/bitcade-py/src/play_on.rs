//! [`Plan`]: random games from a state.

use crate::convert::{Threads, interruptible_if};
use bitcade_core::{Moments, Playouts};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// How many random games to play, and how.
pub(crate) struct Plan {
    pub(crate) games: u64,
    pub(crate) seed: u64,
    pub(crate) threads: Threads,
}

impl Plan {
    /// Plays the games. `quick` of them take less than a millisecond.
    pub(crate) fn play<P: Playouts<Stats: Send> + Send>(
        mut self,
        py: Python<'_>,
        mut playouts: P,
        quick: u64,
    ) -> PyResult<P::Stats> {
        let pool = self.threads.pool();
        interruptible_if(py, self.games > quick, |stop| {
            playouts.play_until(pool, self.games, stop, |_| {})
        })
    }
}

/// Writes the mean of a sample as `mean_NAME`; NaN if it is empty, as in NumPy.
pub(crate) fn set_mean(result: &Bound<'_, PyDict>, name: &str, sample: &Moments) -> PyResult<()> {
    result.set_item(format!("mean_{name}"), crate::convert::mean(sample))
}
