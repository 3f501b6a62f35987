//! [`PythonGames`], and [`State`]: a snapshot of one game.

use crate::convert::{Threads, argument, value_error};
use crate::play_on::Plan;
use bitcade_core::batch::{Batch, GameState, Games};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};
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

    /// Plays random games on from a game after this many steps, and returns their statistics.
    fn play_on<'py>(
        _py: Python<'py>,
        _rules: &Self::Rules,
        _game: Self::View<'_>,
        _steps: u32,
        _plan: Plan,
    ) -> PyResult<Bound<'py, PyDict>> {
        Err(value_error("a state of this kind of game has no playouts"))
    }
}

/// A snapshot of one game of a batch: position, random stream and step count. It never changes.
///
/// `Batch.get_state` makes it, and `Batch.set_state` restores it in any batch with the same rules.
/// `bytes(state)` saves it, and `Batch.state_from_bytes` or pickling reads it back. Equal states
/// play on identically.
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

    /// Plays random games from here to their end, and returns their statistics.
    ///
    /// Each game plays uniformly random legal actions (in Go without filling its own eyes, under
    /// simple ko) and draws what chance decides from a random stream of its own, not from the
    /// state's. `max_episode_steps` and garbage to come don't count. A state of match-3 with goals
    /// or of Tetris played by keys has no playouts.
    ///
    /// Args:
    ///     games (int): The number of games, at least 0.
    ///     seed (int): An integer from 0 to 2**64 - 1. The same seed plays the same games with any `num_threads`.
    ///     num_threads (int): The number of threads, 1 to 1024.
    ///
    /// Returns:
    ///     dict: A dictionary with `games` and, from here on, of 2048 and match-3 `mean_score`, `stderr_score` (standard
    ///     error of the mean) and `mean_moves`, with 2048's `largest` and match-3's `mean_cleared`; of Tetris
    ///     `mean_pieces` and `mean_lines`; of Go what `bitcade.go.playouts` returns. With 0 games, means are NaN.
    ///
    /// Raises:
    ///     ValueError: A state without playouts, such as one of Go on 7 x 7.
    #[pyo3(signature = (games, *, seed=0, num_threads=1))]
    fn playouts<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = argument::games)] games: u64,
        #[pyo3(from_py_with = argument::seed)] seed: u64,
        #[pyo3(from_py_with = argument::num_threads)] num_threads: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        self.game.play_on(py, Plan { games, seed, threads: Threads::new(num_threads)? })
    }

    /// Returns the state as bytes, from which `Batch.state_from_bytes` restores it.
    ///
    /// Returns:
    ///     bytes
    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.game.save()?.as_bytes()))
    }

    /// Compares everything that determines how the games continue: rules, position, random stream
    /// and step count.
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
        Ok(format!(
            "<State of {module}: a board of {} x {}, {} steps>",
            shape.0,
            shape.1,
            self.game.steps()
        ))
    }

    // Immutable, so a copy is the object itself.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((self.class.bind(py).getattr("state_from_bytes")?, (self.__bytes__(py)?,)))
    }
}

/// A [`GameState`] of any game.
pub(crate) trait AnyState: Any + Send + Sync {
    fn save(&self) -> PyResult<String>;
    fn board(&self) -> PyResult<Board>;
    fn steps(&self) -> u32;
    fn play_on<'py>(&self, py: Python<'py>, plan: Plan) -> PyResult<Bound<'py, PyDict>>;
}

/// Calls `work` with a view of a game, which belongs to a batch.
fn with_view<G: PythonGames, R>(
    state: &GameState<G>,
    work: impl FnOnce(G::View<'_>) -> PyResult<R>,
) -> PyResult<R> {
    let mut batch = Batch::<G>::new(1, state.rules().clone(), 0).map_err(value_error)?;
    batch.set_state(0, state).map_err(value_error)?;
    work(batch.game(0).expect("a batch of one game"))
}

impl<G: PythonGames> AnyState for GameState<G> {
    fn save(&self) -> PyResult<String> {
        serde_json::to_string(self).map_err(value_error)
    }

    fn board(&self) -> PyResult<Board> {
        with_view(self, |game| Ok(G::board(game)))
    }

    fn steps(&self) -> u32 {
        self.steps()
    }

    fn play_on<'py>(&self, py: Python<'py>, plan: Plan) -> PyResult<Bound<'py, PyDict>> {
        with_view(self, |game| G::play_on(py, self.rules(), game, self.steps(), plan))
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
