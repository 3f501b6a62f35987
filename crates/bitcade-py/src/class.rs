//! [`env_class`]: the Python class of one game's batch.

/// Defines a Python class around an [`Env`](crate::env::Env). The caller supplies the board to render, the
/// constructor and the game's own methods; the macro adds the methods shared by all games.
///
/// Methods borrow the object through [`shared`](crate::convert::shared) and
/// [`exclusive`](crate::convert::exclusive), whose error explains that two threads can't use a batch
/// simultaneously.
macro_rules! env_class {
    ($(#[$meta:meta])* $name:ident: $module:literal, $games:ty; $($methods:tt)*) => {
        $(#[$meta])*
        #[pyo3::pyclass(name = "Batch", module = $module, weakref)]
        pub(crate) struct $name {
            env: crate::env::Env<$games>,
        }

        #[pyo3::pymethods]
        impl $name {
            $($methods)*

            /// Returns one game's board as text.
            fn render(
                slf: &Bound<'_, Self>,
                #[pyo3(from_py_with = crate::convert::argument::game)] game: i64,
            ) -> PyResult<String> {
                let games = crate::convert::shared(slf)?;
                Ok(<$games as crate::env::PythonGames>::text(games.env.view(game)?))
            }

            /// Returns one game's board: uint8, of shape `(height, width)`, in the numbers that `starts` and the
            /// functions of this module take.
            fn board<'py>(
                slf: &Bound<'py, Self>,
                #[pyo3(from_py_with = crate::convert::argument::game)] game: i64,
            ) -> PyResult<Bound<'py, PyAny>> {
                crate::convert::shared(slf)?.env.board(slf.py(), game)
            }

            /// Returns the number of games.
            #[getter]
            fn num_envs(slf: &Bound<'_, Self>) -> PyResult<usize> {
                Ok(crate::convert::shared(slf)?.env.batch().len())
            }

            /// Returns the size of the action space, legal and illegal actions alike.
            #[getter]
            fn num_actions(slf: &Bound<'_, Self>) -> PyResult<usize> {
                Ok(crate::convert::shared(slf)?.env.batch().actions())
            }

            /// Returns the number of threads that step the games.
            #[getter]
            fn num_threads(slf: &Bound<'_, Self>) -> PyResult<usize> {
                Ok(crate::convert::shared(slf)?.env.num_threads())
            }

            /// Returns the shape of one observation.
            #[getter]
            fn obs_shape<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, pyo3::types::PyTuple>> {
                crate::convert::shared(slf)?.env.obs_shape(slf.py())
            }

            /// Returns the type of the observations: `uint8` or `float32`.
            #[getter]
            fn dtype(slf: &Bound<'_, Self>) -> PyResult<&'static str> {
                Ok(crate::convert::shared(slf)?.env.dtype())
            }

            /// Returns the autoreset mode by its Gymnasium name: `SameStep`, `NextStep` or `Disabled`.
            #[getter]
            fn autoreset_mode(slf: &Bound<'_, Self>) -> PyResult<&'static str> {
                Ok(crate::convert::shared(slf)?.env.autoreset())
            }

            /// Returns the current observations: uint8, of shape `(num_envs, *obs_shape)`. This is the
            /// batch's own array, refreshed here if the last step wrote to `out` or an exception ended a call
            /// early.
            #[getter]
            fn obs(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
                Self::update(slf)?;
                Ok(crate::convert::shared(slf)?.env.obs(slf.py()))
            }

            /// Returns the current action masks: bool, of shape `(num_envs, num_actions)`.
            #[getter]
            fn action_mask(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
                Self::update(slf)?;
                Ok(crate::convert::shared(slf)?.env.action_mask(slf.py()))
            }

            /// Returns the seed set by the last reset with a seed (or by the constructor): one integer, or a
            /// list with one seed per game.
            #[getter]
            fn seed(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
                crate::convert::shared(slf)?.env.seed(slf.py())
            }

            /// Restarts all games: with a seed, from the seed's first games; without one, each with the next
            /// game of its stream. Returns observations and action masks.
            #[pyo3(signature = (seed=None))]
            fn reset(
                slf: &Bound<'_, Self>,
                seed: Option<crate::convert::SeedArgument>,
            ) -> PyResult<Py<pyo3::types::PyTuple>> {
                crate::convert::exclusive(slf)?.env.reset(slf.py(), seed)
            }

            /// Restarts the games selected by a boolean mask. Returns the observations and action masks of
            /// all games.
            fn reset_some(slf: &Bound<'_, Self>, which: &Bound<'_, PyAny>) -> PyResult<Py<pyo3::types::PyTuple>> {
                crate::convert::exclusive(slf)?.env.reset_some(which)
            }

            /// Draws a uniformly random legal action for each game from the game's own random stream: int32.
            /// The next call overwrites the array.
            fn sample(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
                crate::convert::exclusive(slf)?.env.sample(slf.py())
            }

            /// Plays one action in each game. Returns observations, rewards, terminated, truncated and action
            /// masks in the arrays of `out`, or by default in the batch's own, which the next call
            /// overwrites.
            #[pyo3(signature = (actions, out=None))]
            fn step(
                slf: &Bound<'_, Self>,
                actions: &Bound<'_, PyAny>,
                out: Option<crate::env::OutArgument<'_>>,
            ) -> PyResult<Py<pyo3::types::PyTuple>> {
                crate::convert::exclusive(slf)?.env.step(slf.py(), Some(actions), out)
            }

            /// Plays one random legal action in each game; same as `step(sample())`.
            #[pyo3(signature = (out=None))]
            fn random_step(
                slf: &Bound<'_, Self>,
                out: Option<crate::env::OutArgument<'_>>,
            ) -> PyResult<Py<pyo3::types::PyTuple>> {
                crate::convert::exclusive(slf)?.env.step(slf.py(), None, out)
            }

            /// Returns the final observation of the last finished game at each of these indices.
            fn final_obs<'py>(
                slf: &Bound<'py, Self>,
                #[pyo3(from_py_with = crate::convert::argument::places)] games: Vec<i64>,
            ) -> PyResult<Bound<'py, PyAny>> {
                crate::convert::shared(slf)?.env.final_obs(slf.py(), &games)
            }

            /// Returns a snapshot of one game: its position, random stream and step count.
            fn get_state(
                slf: &Bound<'_, Self>,
                #[pyo3(from_py_with = crate::convert::argument::game)] game: i64,
            ) -> PyResult<crate::env::State> {
                crate::convert::shared(slf)?.env.state(game, &slf.get_type())
            }

            /// Returns snapshots of these games.
            fn get_states(
                slf: &Bound<'_, Self>,
                #[pyo3(from_py_with = crate::convert::argument::places)] games: Vec<i64>,
            ) -> PyResult<Vec<crate::env::State>> {
                let class = slf.get_type();
                let batch = crate::convert::shared(slf)?;
                games.iter().map(|&game| batch.env.state(game, &class)).collect()
            }

            /// Restores one game from a snapshot of this batch or of another with the same rules, and updates
            /// `obs` and `action_mask`.
            fn set_state(
                slf: &Bound<'_, Self>,
                #[pyo3(from_py_with = crate::convert::argument::game)] game: i64,
                state: PyRef<'_, crate::env::State>,
            ) -> PyResult<()> {
                crate::convert::exclusive(slf)?.env.set_states(slf.py(), &[game], &[state])
            }

            /// Restores these games, each from its own snapshot, as `set_state` does. The time depends on their
            /// number, not on the size of the batch.
            fn set_states(
                slf: &Bound<'_, Self>,
                #[pyo3(from_py_with = crate::convert::argument::places)] games: Vec<i64>,
                states: Vec<PyRef<'_, crate::env::State>>,
            ) -> PyResult<()> {
                crate::convert::exclusive(slf)?.env.set_states(slf.py(), &games, &states)
            }

            /// Copies each game of `source` onto the game at the same place of `target`, like
            /// `set_states(target, get_states(source))`.
            fn copy_games(
                slf: &Bound<'_, Self>,
                #[pyo3(from_py_with = crate::convert::argument::places)] source: Vec<i64>,
                #[pyo3(from_py_with = crate::convert::argument::places)] target: Vec<i64>,
            ) -> PyResult<()> {
                crate::convert::exclusive(slf)?.env.copy_games(slf.py(), &source, &target)
            }

            /// Restores a snapshot from `bytes(state)`. Any inconsistency is a `ValueError`.
            #[classmethod]
            fn state_from_bytes(
                cls: &Bound<'_, pyo3::types::PyType>,
                #[pyo3(from_py_with = crate::convert::argument::bytes)] bytes: Bound<'_, pyo3::types::PyBytes>,
            ) -> PyResult<crate::env::State> {
                crate::env::Env::<$games>::read_state(&bytes, cls.clone())
            }

            /// Returns the number of steps played in each current game: uint32.
            #[getter]
            fn steps<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, numpy::PyArray1<u32>>> {
                Ok(crate::convert::shared(slf)?.env.steps(slf.py()))
            }

            fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
                Ok(crate::convert::shared(slf)?.env.batch().len())
            }

            fn __copy__(slf: &Bound<'_, Self>) -> PyResult<Self> {
                Ok(Self { env: crate::convert::shared(slf)?.env.copy(slf.py())? })
            }

            fn __deepcopy__(slf: &Bound<'_, Self>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
                Self::__copy__(slf)
            }

            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
                let text = crate::convert::shared(slf)?.env.save()?;
                Ok((slf.get_type().getattr("_read")?, (text,)))
            }

            /// Unpickles a batch.
            #[classmethod]
            #[pyo3(name = "_read")]
            fn read(cls: &Bound<'_, pyo3::types::PyType>, text: &str) -> PyResult<Self> {
                Ok(Self { env: crate::env::Env::read(cls.py(), text)? })
            }
        }

        impl $name {
            /// Refreshes the batch's own arrays if they are stale.
            fn update(slf: &Bound<'_, Self>) -> PyResult<()> {
                if crate::convert::shared(slf)?.env.is_stale() {
                    crate::convert::exclusive(slf)?.env.write(slf.py())?;
                }
                Ok(())
            }
        }
    };
}

pub(crate) use env_class;
