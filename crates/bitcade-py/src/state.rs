//! [`PythonGames`], and [`State`]: a snapshot of one game.

use crate::convert::value_error;
use bitcade_core::batch::{Batch, GameState, Games};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::any::Any;
use std::fmt::Display;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A game's batch that can be saved and shown.
pub(crate) trait PythonGames:
    Games<
        Layout: Serialize + DeserializeOwned,
        Rules: Serialize + DeserializeOwned + Send,
        Start: Serialize + DeserializeOwned,
        Game: Serialize + DeserializeOwned,
        Error: Display + Send,
    > + 'static
{
    /// Returns a game's board.
    fn board(game: Self::View<'_>) -> Board;

    /// Returns a game's board as text.
    fn text(game: Self::View<'_>) -> String;

    /// Returns the constructor arguments of the rules as Python would write them.
    fn arguments(rules: &Self::Rules) -> String;

    /// Returns whether an error of new games means too little memory, and nothing about the rules.
    fn is_memory(error: &Self::Error) -> bool;
}

/// A snapshot of one game of a batch: position, random stream and step count. It never changes.
///
/// `Batch.get_state` makes it, and `Batch.set_state` restores it in any batch with the same rules. `bytes(state)`
/// saves it, and `Batch.state_from_bytes` or pickling reads it back. Equal states play on identically.
#[pyclass(frozen, module = "bitcade", weakref)]
pub(crate) struct State {
    pub(crate) game: Box<dyn AnyState>,
    /// The class of its batch.
    pub(crate) class: Py<PyType>,
}

#[pymethods]
impl State {
    /// Returns the board, as `Batch.board` does: uint8, of shape `(height, width)`.
    ///
    /// Returns:
    ///     NDArray[uint8]
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.game.board()?.into_array(py)
    }

    /// Returns the number of steps played.
    ///
    /// Returns:
    ///     int
    #[getter]
    fn steps(&self) -> u32 {
        self.game.steps()
    }

    /// Returns the state as bytes, from which `Batch.state_from_bytes` restores it.
    ///
    /// Returns:
    ///     bytes
    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.game.save()?.as_bytes()))
    }

    /// Compares everything that determines how the games continue: rules, position, random stream and step
    /// count.
    ///
    /// Returns:
    ///     bool
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Option<bool>> {
        let Ok(other) = other.cast_exact::<Self>() else { return Ok(None) };
        let other = other.get();
        Ok(Some(self.class.is(&other.class) && self.game.save()? == other.game.save()?))
    }

    fn __hash__(&self) -> PyResult<u64> {
        let mut hasher = DefaultHasher::new();
        self.game.save()?.hash(&mut hasher);
        Ok(hasher.finish())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let module: String = self.class.bind(py).getattr("__module__")?.extract()?;
        let Board { cells, width } = self.game.board()?;
        let shape = (cells.len() / width, width);
        Ok(format!("<State of {module}: a board of {} x {}, {} steps>", shape.0, shape.1, self.game.steps()))
    }

    // Immutable, so a copy is the object itself.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((self.class.bind(py).getattr("state_from_bytes")?, (self.__bytes__(py)?,)))
    }
}

/// A [`GameState`] of any game.
pub(crate) trait AnyState: Any + Send + Sync {
    fn save(&self) -> PyResult<String>;
    fn board(&self) -> PyResult<Board>;
    fn steps(&self) -> u32;
}

impl<G: PythonGames> AnyState for GameState<G> {
    fn save(&self) -> PyResult<String> {
        serde_json::to_string(self).map_err(value_error)
    }

    fn board(&self) -> PyResult<Board> {
        // A view belongs to a batch.
        let mut batch = Batch::<G>::new(1, self.rules().clone(), 0).map_err(value_error)?;
        batch.set_state(0, self).map_err(value_error)?;
        Ok(G::board(batch.game(0).expect("a batch of one game")))
    }

    fn steps(&self) -> u32 {
        self.steps()
    }
}

/// The cells of a board, row by row from the top, in the numbers that the game's functions take.
pub(crate) struct Board {
    pub(crate) cells: Vec<u8>,
    pub(crate) width: usize,
}

impl Board {
    pub(crate) fn into_array(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let shape = [self.cells.len() / self.width, self.width];
        Ok(PyArray1::from_vec(py, self.cells).reshape(shape)?.into_any())
    }
}
