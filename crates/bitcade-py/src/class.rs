//! [`env_class`]: the Python class of one game's batch.

/// Defines a Python class around an [`Env`](crate::env::Env). The caller supplies the board to render, the
/// constructor and the game's own methods; the macro adds the methods shared by all games.
///
/// Methods borrow the object through [`shared`](crate::convert::shared) and
/// [`exclusive`](crate::convert::exclusive), whose error explains that two threads can't use a batch
/// simultaneously.
macro_rules! env_class {
    ($(#[$meta:meta])* $name:ident: $module:literal, $games:ty; $($methods:tt)*) => {
        crate::class::env_class! { $(#[$meta])* $name as "Batch": $module, $games; $($methods)* }
    };
    ($(#[$meta:meta])* $name:ident as $class:literal: $module:literal, $games:ty; $($methods:tt)*) => {
        $(#[$meta])*
        ///     max_episode_steps: The number of steps, at least 1, after which a game is truncated; `None` for the
        ///         game's own limit, which only Go has.
        ///     autoreset_mode: What happens when a game ends, by Gymnasium's names: `SameStep` starts the next game in
        ///         the same step, whose observation is the new game's (read the old one with `final_obs`);
        ///         `NextStep` starts it in the next step, which ignores the action; `Disabled` leaves it to
        ///         `reset_some`.
        ///     on_illegal: What an illegal action does: `raise` a `ValueError` before any game moves, `noop`
        ///         (no move, but a step) or `terminate` the game.
        ///     num_threads: The number of threads, 1 to 1024; more than the CPU has cores are not started. The
        ///         results don't depend on it.
        ///
        /// Raises:
        ///     TypeError: An argument of the wrong type, or an unknown one.
        ///     ValueError: An argument out of range, or a start board that can't be played.
        ///     MemoryError: Too many games.
        #[pyo3::pyclass(name = $class, module = $module, weakref)]
        pub(crate) struct $name {
            env: crate::env::Env<$games>,
        }

        #[pyo3::pymethods]
        impl $name {
            $($methods)*

            /// Returns one game's board as text, row by row from the top.
            ///
            /// Raises:
            ///     IndexError: There is no such game.
            fn render(
                slf: &Bound<'_, Self>,
                #[pyo3(from_py_with = crate::convert::argument::game)] game: i64,
            ) -> PyResult<String> {
                let games = crate::convert::shared(slf)?;
                Ok(<$games as crate::env::PythonGames>::text(games.env.view(game)?))
            }

            /// Returns one game's board: uint8, of shape `(height, width)`, in the numbers that `starts` and the
            /// functions of this module take. A new array.
            ///
            /// Raises:
            ///     IndexError: There is no such game.
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

            /// Returns the current action masks: bool, of shape `(num_envs, num_actions)`, `True` for legal
            /// actions. This is the batch's own array, like `obs`.
            #[getter]
            fn action_mask(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
                Self::update(slf)?;
                Ok(crate::convert::shared(slf)?.env.action_mask(slf.py()))
            }

            /// Returns the seed, or the seeds, below 2**64, set by the last reset with a seed (or by the constructor): one integer, or a
            /// list with one seed per game.
            #[getter]
            fn seed(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
                crate::convert::shared(slf)?.env.seed(slf.py())
            }

            /// Restarts all games: with a seed, from the seed's first games; without one, each with the next
            /// game of its stream.
            ///
            /// Args:
            ///     seed: An integer of at least 0, or a list with one per game, as for the constructor.
            ///
            /// Returns:
            ///     Observations and action masks: the arrays `obs` and `action_mask`.
            ///
            /// Raises:
            ///     ValueError: A negative seed, or the wrong number of seeds.
            #[pyo3(signature = (seed=None))]
            fn reset(
                slf: &Bound<'_, Self>,
                seed: Option<crate::convert::SeedArgument>,
            ) -> PyResult<Py<pyo3::types::PyTuple>> {
                crate::convert::exclusive(slf)?.env.reset(slf.py(), seed)
            }

            /// Restarts the games selected by a mask, each with the next game of its stream.
            ///
            /// Args:
            ///     which: bool, of shape `(num_envs,)`: an array or a list.
            ///
            /// Returns:
            ///     Observations and action masks of all games: the arrays `obs` and `action_mask`.
            ///
            /// Raises:
            ///     TypeError: The mask isn't boolean.
            ///     ValueError: The mask has another shape.
            fn reset_some(slf: &Bound<'_, Self>, which: &Bound<'_, PyAny>) -> PyResult<Py<pyo3::types::PyTuple>> {
                crate::convert::exclusive(slf)?.env.reset_some(which)
            }

            /// Draws a uniformly random legal action for each game from the game's own random stream, 0 if none
            /// is legal: int32, of shape `(num_envs,)`. The next call overwrites the array.
            fn sample(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
                crate::convert::exclusive(slf)?.env.sample(slf.py())
            }

            /// Returns the legal actions of all games as lists of different lengths: offsets, int64 of shape
            /// `(num_envs + 1,)`, and actions, int32. The actions of game i, in ascending order, are
            /// `actions[offsets[i]:offsets[i + 1]]`; a game that awaits its restart has none. The next call
            /// overwrites the actions.
            fn legal_actions<'py>(
                slf: &Bound<'py, Self>,
            ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
                crate::convert::exclusive(slf)?.env.legal_actions(slf.py())
            }

            /// Plays one action in each game. All games move, or after an error none.
            ///
            /// Args:
            ///     actions: The actions, of shape `(num_envs,)`: an array of any integer type (int32 is read in
            ///         place) or a list.
            ///     out: The arrays to write to: a tuple of five writable, C-contiguous arrays of the types and
            ///         shapes below. By default the batch's own, which the next call overwrites.
            ///
            /// Returns:
            ///     A tuple of observations (uint8, of shape `(num_envs, *obs_shape)`), rewards (float32),
            ///     terminated (bool), truncated (bool), each of shape `(num_envs,)`, and action masks (bool, of
            ///     shape `(num_envs, num_actions)`).
            ///
            /// Raises:
            ///     TypeError: Actions that aren't integers, or an array of the wrong type in `out`.
            ///     ValueError: An illegal action (with `on_illegal="raise"`), an action for a game that is over
            ///         (in autoreset mode `Disabled`), arrays of another shape or layout, or arrays that share
            ///         memory.
            #[pyo3(signature = (actions, out=None))]
            fn step(
                slf: &Bound<'_, Self>,
                actions: &Bound<'_, PyAny>,
                out: Option<crate::arrays::OutArgument<'_>>,
            ) -> PyResult<Py<pyo3::types::PyTuple>> {
                crate::convert::exclusive(slf)?.env.step(slf.py(), Some(actions), out)
            }

            /// Plays one random legal action in each game; same as `step(sample(), out)`.
            ///
            /// Args:
            ///     out: The arrays to write to, as for `step`.
            #[pyo3(signature = (out=None))]
            fn random_step(
                slf: &Bound<'_, Self>,
                out: Option<crate::arrays::OutArgument<'_>>,
            ) -> PyResult<Py<pyo3::types::PyTuple>> {
                crate::convert::exclusive(slf)?.env.step(slf.py(), None, out)
            }

            /// Returns the final observation of the last finished game at each of these indices: uint8, of shape
            /// `(len(games), *obs_shape)`. A new array.
            ///
            /// Raises:
            ///     IndexError: There is no such game.
            ///     ValueError: No game has ended at this index.
            fn final_obs<'py>(
                slf: &Bound<'py, Self>,
                #[pyo3(from_py_with = crate::convert::argument::places)] games: Vec<i64>,
            ) -> PyResult<Bound<'py, PyAny>> {
                crate::convert::shared(slf)?.env.final_obs(slf.py(), &games)
            }

            /// Returns a snapshot of one game: its position, random stream and step count.
            ///
            /// Raises:
            ///     IndexError: There is no such game.
            fn get_state(
                slf: &Bound<'_, Self>,
                #[pyo3(from_py_with = crate::convert::argument::game)] game: i64,
            ) -> PyResult<crate::state::State> {
                crate::convert::shared(slf)?.env.state(game, &slf.get_type())
            }

            /// Returns a list of snapshots of these games, as `get_state` does.
            fn get_states(
                slf: &Bound<'_, Self>,
                #[pyo3(from_py_with = crate::convert::argument::places)] games: Vec<i64>,
            ) -> PyResult<Vec<crate::state::State>> {
                let class = slf.get_type();
                let batch = crate::convert::shared(slf)?;
                games.iter().map(|&game| batch.env.state(game, &class)).collect()
            }

            /// Restores one game from a snapshot of this batch or of another with the same rules, and updates
            /// `obs` and `action_mask`.
            ///
            /// Raises:
            ///     IndexError: There is no such game.
            ///     TypeError: The snapshot is of a different kind of game.
            ///     ValueError: The snapshot is from games with other rules.
            fn set_state(
                slf: &Bound<'_, Self>,
                #[pyo3(from_py_with = crate::convert::argument::game)] game: i64,
                state: PyRef<'_, crate::state::State>,
            ) -> PyResult<()> {
                crate::convert::exclusive(slf)?.env.set_states(slf.py(), &[game], &[state])
            }

            /// Restores these games, each from its own snapshot, as `set_state` does. The time depends on their
            /// number, not on the size of the batch.
            fn set_states(
                slf: &Bound<'_, Self>,
                #[pyo3(from_py_with = crate::convert::argument::places)] games: Vec<i64>,
                states: Vec<PyRef<'_, crate::state::State>>,
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
            ) -> PyResult<crate::state::State> {
                crate::env::Env::<$games>::read_state(&bytes, cls.clone())
            }

            /// Returns the number of steps played in each current game: uint32, of shape `(num_envs,)`. A new
            /// array.
            #[getter]
            fn steps<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, numpy::PyArray1<u32>>> {
                Ok(crate::convert::shared(slf)?.env.steps(slf.py()))
            }

            fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
                Ok(crate::convert::shared(slf)?.env.batch().len())
            }

            fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
                Ok(format!("<{}.{}: {}>", $module, $class, crate::convert::shared(slf)?.env.describe()))
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
