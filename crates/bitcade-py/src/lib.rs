//! The native part of the Python package `bitcade`: the [`Batch`](bitcore::batch::Batch) of each game behind
//! NumPy arrays, and the engines as functions. The package's documentation is in `python/bitcade`.
//!
//! | file | holds |
//! |---|---|
//! | `env.rs` | one batch with its arrays and threads, the same for all games |
//! | `class.rs` | the macro that makes a Python class of it |
//! | `match3.rs`, `g2048.rs`, `tetris.rs`, `go.rs` | the class of each game, and its functions |
//! | `contest.rs` | the Tetris contest |
//! | `checkpoint.rs` | files of results |
//! | `convert.rs` | arguments and errors |
#![warn(missing_docs)]
// Python calls methods with what it has: owned values, and `self` where a method always fails. `'py` is the
// name that everybody knows.
#![allow(clippy::elidable_lifetime_names, clippy::needless_pass_by_value, clippy::unused_self)]

mod checkpoint;
mod class;
mod contest;
mod convert;
mod env;
mod g2048;
mod go;
mod match3;
mod tetris;

use pyo3::prelude::*;

/// The native part of bitcade.
#[pymodule]
mod _native {
    use numpy::{PyArray1, PyArrayMethods};
    use pyo3::prelude::*;

    /// Fetches what NumPy offers to native code. A signal that comes while this is done later, in the first
    /// call with an array, would be a panic.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::convert::set_level_of_environment()?;
        let py = module.py();
        py.import("numpy")?;
        // Each is the `Batch` of its game's module, so their own names are the same.
        module.add("Batch2048", py.get_type::<crate::g2048::Batch2048>())?;
        module.add("GoBatch", py.get_type::<crate::go::GoBatch>())?;
        module.add("Match3Batch", py.get_type::<crate::match3::Match3Batch>())?;
        module.add("TetrisBatch", py.get_type::<crate::tetris::TetrisBatch>())?;
        module.add("_SOURCES", crate::checkpoint::SOURCES)?;
        drop(PyArray1::<u8>::zeros(py, 1, false).try_readwrite());
        Ok(())
    }

    #[pymodule_export]
    use crate::checkpoint::PyOutputFile;
    #[pymodule_export]
    use crate::contest::{contest_solve, contest_verify};
    #[pymodule_export]
    use crate::convert::{level, levels, set_level};
    #[pymodule_export]
    use crate::env::State;
    #[pymodule_export]
    use crate::g2048::{Learner2048, Network2048, playouts_2048, solve_2048};
    #[pymodule_export]
    use crate::go::{go_best_move, go_ownership, go_playouts};
    #[pymodule_export]
    use crate::match3::{match3_evaluate, match3_hints, match3_swaps};
    #[pymodule_export]
    use crate::tetris::{tetris_bot, tetris_control, tetris_placements};
}
