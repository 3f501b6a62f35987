//! The native module of the Python package `bitcade`: each game's
//! [`Batch`](bitcade_core::batch::Batch) behind NumPy arrays, and the engines as functions. The
//! package is documented in `python/bitcade`.
//!
//! | file | contents |
//! |---|---|
//! | `env.rs` | a batch with its arrays and threads, generic over the game |
//! | `arrays.rs` | NumPy arrays that calls write to, checked and borrowed |
//! | `input.rs` | actions and boards, read from arrays or lists |
//! | `state.rs` | what a batch needs to be saved and shown, and a snapshot of one game |
//! | `play_on.rs` | random games from a state |
//! | `env/lists.rs` | its legal actions as lists, and their afterstates |
//! | `class.rs` | the macro that turns it into a Python class |
//! | `match3.rs`, `g2048.rs`, `tetris.rs`, `go.rs` | each game's batch class and engine functions |
//! | `match3_level.rs` | match-3 levels in files, their playtests and reports |
//! | `match3_levels.rs` | their batch class |
//! | `tetris_keys.rs` | the batch class of Tetris played key by key |
//! | `tetris_versus.rs` | two games that send each other garbage |
//! | `contest.rs` | the Tetris contest |
//! | `convert.rs` | argument conversion, errors, signals and threads |
#![warn(missing_docs)]
// PyO3 dictates the signatures: arguments arrive owned, and methods take `self` even where they
// don't use it. `'py` is PyO3's conventional lifetime name. Python's documentation names arguments
// and exceptions plainly.
#![allow(
    clippy::doc_markdown,
    clippy::elidable_lifetime_names,
    clippy::needless_pass_by_value,
    clippy::unused_self
)]

mod arrays;
mod class;
mod contest;
mod convert;
mod env;
mod g2048;
mod go;
mod input;
mod match3;
mod match3_level;
mod match3_levels;
mod play_on;
mod state;
mod tetris;
mod tetris_keys;
mod tetris_versus;

use pyo3::prelude::*;

/// The native module of bitcade.
#[pymodule]
mod _native {
    use numpy::{PyArray1, PyArrayMethods};
    use pyo3::prelude::*;

    /// Loads NumPy's C API now. Loaded lazily by the first call with an array, it would panic if a
    /// signal arrived meanwhile.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::convert::set_level_of_environment()?;
        let py = module.py();
        py.import("numpy")?;
        // Added by hand: each class is named `Batch`, for its game's module, so their own names
        // would collide here.
        module.add("Batch2048", py.get_type::<crate::g2048::Batch2048>())?;
        module.add("GoBatch", py.get_type::<crate::go::GoBatch>())?;
        module.add("LevelBatch", py.get_type::<crate::match3_levels::LevelBatch>())?;
        module.add("Match3Batch", py.get_type::<crate::match3::Match3Batch>())?;
        module.add("TetrisBatch", py.get_type::<crate::tetris::TetrisBatch>())?;
        module.add("TetrisKeysBatch", py.get_type::<crate::tetris_keys::TetrisKeysBatch>())?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        drop(PyArray1::<u8>::zeros(py, 1, false).try_readwrite());
        Ok(())
    }

    #[pymodule_export]
    use crate::contest::{contest_solve, contest_verify};
    #[pymodule_export]
    use crate::convert::{level, levels, set_level};
    #[pymodule_export]
    use crate::g2048::{Learner2048, Network2048, playouts_2048, solve_2048};
    #[pymodule_export]
    use crate::go::{go_best_move, go_ownership, go_playouts};
    #[pymodule_export]
    use crate::match3::{match3_evaluate, match3_hints, match3_swaps};
    #[pymodule_export]
    use crate::match3_level::{PyLevel, PyLevelGame, PyPlaytestReport, match3_playtest};
    #[pymodule_export]
    use crate::state::State;
    #[pymodule_export]
    use crate::tetris::{tetris_bot, tetris_control, tetris_placements};
    #[pymodule_export]
    use crate::tetris_versus::PyTetrisVersus;
}
