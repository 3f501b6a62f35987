//! The functions of the Tetris contest.

use crate::convert::{argument, interruptible, thread_count, value_error};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tetris_ai::contest::beam::{AdvanceResult, AdvanceSettings, Beam, BeamWeights};
use tetris_ai::contest::{PIECES, Sequence, verify};

/// The default of `pieces` in the signature below, where Python sees only literals.
const _: () = assert!(PIECES == 10_000);

fn result<'py>(
    py: Python<'py>,
    record: &tetris_ai::contest::Record,
    sequence: &Sequence,
) -> PyResult<Bound<'py, PyDict>> {
    let game = verify(record, sequence).map_err(value_error)?;
    let dict = PyDict::new(py);
    dict.set_item("score", game.score)?;
    dict.set_item("bound", game.bound)?;
    dict.set_item("lines", game.lines)?;
    dict.set_item("pieces", game.pieces)?;
    Ok(dict)
}

fn sequence(seed: Option<u64>) -> Sequence {
    seed.map_or_else(Sequence::contest, Sequence::new)
}

/// Plays the contest game of a seed by beam search.
///
/// Args:
///     seed (int | None): An integer from 0 to 2**64 - 1; `None` for the contest's own sequence of pieces.
///     pieces (int): The number of pieces, 1 to 10,000.
///     width (int): The number of boards in the beam, at least 1.
///     num_threads (int): The number of threads, 1 to 1024. The result doesn't depend on it.
///
/// Returns:
///     dict: A dictionary with `score`, its upper `bound`, `lines`, `pieces` and the `record`, the text of all moves.
///
/// Raises:
///     ValueError: An argument out of range, or no board of the beam has room for the next piece.
///     MemoryError: The beam is too wide.
#[pyfunction]
#[pyo3(signature = (*, seed=None, pieces=10_000, width=100, num_threads=1))]
pub(crate) fn contest_solve<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = argument::optional_seed)] seed: Option<u64>,
    #[pyo3(from_py_with = argument::pieces)] pieces: usize,
    #[pyo3(from_py_with = argument::beam_width)] width: usize,
    #[pyo3(from_py_with = argument::num_threads)] num_threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let threads = thread_count(num_threads)?.get();
    if !(1..=PIECES).contains(&pieces) {
        return Err(value_error(format!("pieces={pieces}: expected 1 to {PIECES}")));
    }
    let mut beam = Beam::new(sequence(seed), pieces, BeamWeights::FITTED).with_threads(threads);
    let settings = AdvanceSettings { pieces, width };
    let ended = interruptible(py, |stop| beam.advance_until(settings, stop))?;
    match ended {
        AdvanceResult::OutOfMemory => {
            return Err(PyMemoryError::new_err(format!("width {width}: not enough memory")));
        }
        AdvanceResult::Lost => {
            return Err(value_error("a piece has no placement on any board of the beam"));
        }
        AdvanceResult::Done | AdvanceResult::Finished => {}
    }
    let record = beam.record();
    let dict = result(py, &record, beam.sequence())?;
    dict.set_item("record", record.to_string())?;
    Ok(dict)
}

/// Replays a record by the rules alone.
///
/// Args:
///     record (str): The text of all moves, as from `solve`.
///     seed (int | None): The seed of its pieces; `None` for the contest's own sequence.
///
/// Returns:
///     dict: A dictionary with `score`, its upper `bound`, `lines` and `pieces`.
///
/// Raises:
///     ValueError: The text isn't a record of legal moves.
#[pyfunction]
#[pyo3(signature = (record, *, seed=None))]
pub(crate) fn contest_verify<'py>(
    py: Python<'py>,
    record: &str,
    #[pyo3(from_py_with = argument::optional_seed)] seed: Option<u64>,
) -> PyResult<Bound<'py, PyDict>> {
    let record = tetris_ai::contest::Record::parse(record.as_bytes()).map_err(value_error)?;
    result(py, &record, &sequence(seed))
}
