//! [`env_class`]: the Python class of one game's batch.

/// Defines a Python class around an [`Env`](crate::env::Env). The caller supplies the game's own
/// keywords, a block that makes an `Env` of them and of the common
/// [`Keywords`](crate::env::Keywords), and the game's own methods; the macro adds the keywords and
/// the methods shared by all games.
///
/// A keyword stands once: documentation, name, type in Python, type, default, if there is one, and the
/// range of a number or the function that reads it. `_native.pyi` is written from the signature and the
/// docstring (`stub.py`).
///
/// Methods borrow the object through [`shared`](crate::convert::shared) and
/// [`exclusive`](crate::convert::exclusive), whose error explains that two threads can't use a
/// batch simultaneously.
macro_rules! env_class {
    (
        $(#[$meta:meta])*
        $name:ident as $class:literal: $module:literal, $games:ty;
        new($py:ident, $keywords:ident;
            $(
                #[doc = $first:literal] $(#[doc = $more:literal])*
                $key:ident $python:literal: $type:ty $(= $default:tt)?
            ;)*
            *;
            $(
                #[doc = $own_first:literal] $(#[doc = $own_more:literal])*
                $own:ident $own_python:literal: $own_type:ty = $own_default:tt
                $(by $reader:ident)? $(in $low:tt to $high:expr)?
            ;)*
            starts: #[doc = $starts:literal] $(#[doc = $starts_more:literal])*
        ) $body:block
        $($methods:tt)*
    ) => {
        $(#[$meta])*
        ///
        /// Args:
        ///     num_envs (int): The number of games, at least 0.
        $(
            #[doc = concat!("    ", stringify!($key), " (", $python, "):", $first)]
            $(#[doc = concat!("       ", $more)])*
        )*
        ///     seed (int | Sequence[int] | None): An integer of at least 0 (game i plays stream i of the seed), a list
        ///         with one per game, or `None` for fresh entropy.
        $(
            #[doc = concat!("    ", stringify!($own), " (", $own_python, "):", $own_first)]
            $(#[doc = concat!("       ", $own_more)])*
        )*
        ///     max_episode_steps (int | None): The number of steps, at least 1, after which a game is truncated; `None`
        ///         for the game's own limit, which only Go has.
        #[doc = concat!("    starts (ArrayLike | None):", $starts)]
        $(#[doc = concat!("       ", $starts_more)])*
        ///     dtype ('uint8' | 'float32'): The type of the observations; the values are the same.
        ///     channels ('first' | 'last'): Whether the planes of an observation, if it has planes, are its first
        ///         dimension or its last, as in `(height, width, planes)`.
        ///     autoreset_mode ('SameStep' | 'NextStep' | 'Disabled'): What happens when a game ends, by Gymnasium's
        ///         names: `SameStep` starts the next game in the same step, whose observation is the new game's (read
        ///         the old one with `final_obs`); `NextStep` starts it in the next step, which ignores the action;
        ///         `Disabled` leaves it to `reset_some`.
        ///     on_illegal ('raise' | 'noop' | 'terminate'): What an illegal action does: `raise` a `ValueError` before
        ///         any game moves, `noop` (no move, but a step) or `terminate` the game.
        ///     num_threads (int): The number of threads, 1 to 1024; more than the CPU has cores are not started. The
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

        const _: () = {
            use crate::arrays::OutArgument;
            use crate::convert::{SeedArgument, argument, exclusive, shared};
            use crate::env::{Env, Keywords};
            use crate::state::{PythonGames, State};
            use numpy::PyArray1;
            use pyo3::types::{PyBytes, PyTuple, PyType};

            /// Readers of the game's own numbers.
            mod own {
                $($(
                    pub(super) fn $own<const LOW: i128>(
                        value: &pyo3::Bound<'_, pyo3::PyAny>,
                    ) -> pyo3::PyResult<$own_type> {
                        crate::convert::Number::read(stringify!($own), value, LOW, i128::from($high))
                    }
                )?)*
            }

            #[pyo3::pymethods]
            impl $name {
                #[new]
                #[pyo3(signature = (
                    num_envs, $($key $(= $default)?,)* *, seed=None, $($own = $own_default,)* max_episode_steps=None,
                    starts=None, dtype="uint8", channels="first", autoreset_mode="SameStep", on_illegal="raise",
                    num_threads=1
                ))]
                #[allow(clippy::too_many_arguments, reason = "keyword arguments")]
                fn new(
                    $py: Python<'_>,
                    #[pyo3(from_py_with = argument::num_envs)] num_envs: usize,
                    $($key: $type,)*
                    seed: Option<SeedArgument>,
                    $(
                        $(#[pyo3(from_py_with = own::$own::<$low>)])?
                        $(#[pyo3(from_py_with = $reader)])?
                        $own: $own_type,
                    )*
                    #[pyo3(from_py_with = argument::max_episode_steps)] max_episode_steps: Option<u32>,
                    starts: Option<&Bound<'_, PyAny>>,
                    dtype: &str,
                    channels: &str,
                    autoreset_mode: &str,
                    on_illegal: &str,
                    #[pyo3(from_py_with = argument::num_threads)] num_threads: usize,
                ) -> PyResult<Self> {
                    let $keywords = Keywords {
                        num_envs, seed, max_episode_steps, starts, dtype, channels, autoreset_mode, on_illegal,
                        num_threads,
                    };
                    let env: PyResult<Env<$games>> = $body;
                    Ok(Self { env: env? })
                }

                $($methods)*

                /// Returns one game's board as text, row by row from the top.
                ///
                /// Returns:
                ///     str
                ///
                /// Raises:
                ///     IndexError: There is no such game.
                fn render(
                    slf: &Bound<'_, Self>,
                    #[pyo3(from_py_with = argument::game)] game: i64,
                ) -> PyResult<String> {
                    let games = shared(slf)?;
                    Ok(<$games as PythonGames>::text(games.env.view(game)?))
                }

                /// Returns one game's board: uint8, of shape `(height, width)`, in the numbers that
                /// `starts` and the functions of this module take. A new array.
                ///
                /// Returns:
                ///     NDArray[uint8]
                ///
                /// Raises:
                ///     IndexError: There is no such game.
                fn board<'py>(
                    slf: &Bound<'py, Self>,
                    #[pyo3(from_py_with = argument::game)] game: i64,
                ) -> PyResult<Bound<'py, PyAny>> {
                    shared(slf)?.env.board(slf.py(), game)
                }

                /// Returns the number of games.
                ///
                /// Returns:
                ///     int
                #[getter]
                fn num_envs(slf: &Bound<'_, Self>) -> PyResult<usize> {
                    Ok(shared(slf)?.env.batch.len())
                }

                /// Returns the size of the action space, legal and illegal actions alike.
                ///
                /// Returns:
                ///     int
                #[getter]
                fn num_actions(slf: &Bound<'_, Self>) -> PyResult<usize> {
                    Ok(shared(slf)?.env.batch.actions())
                }

                /// Returns the number of threads that step the games.
                ///
                /// Returns:
                ///     int
                #[getter]
                fn num_threads(slf: &Bound<'_, Self>) -> PyResult<usize> {
                    Ok(shared(slf)?.env.threads.wanted())
                }

                /// Returns the shape of one observation.
                ///
                /// Returns:
                ///     tuple[int, ...]
                #[getter]
                fn obs_shape<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
                    shared(slf)?.env.obs_shape(slf.py())
                }

                /// Returns the type of the observations: `uint8` or `float32`.
                ///
                /// Returns:
                ///     'uint8' | 'float32'
                #[getter]
                fn dtype(slf: &Bound<'_, Self>) -> PyResult<&'static str> {
                    Ok(shared(slf)?.env.dtype())
                }

                /// Returns the autoreset mode by its Gymnasium name: `SameStep`, `NextStep` or
                /// `Disabled`.
                ///
                /// Returns:
                ///     'SameStep' | 'NextStep' | 'Disabled'
                #[getter]
                fn autoreset_mode(slf: &Bound<'_, Self>) -> PyResult<&'static str> {
                    Ok(shared(slf)?.env.autoreset())
                }

                /// Returns the current observations: uint8, of shape `(num_envs, *obs_shape)`. This
                /// is the batch's own array, refreshed here if the last step wrote to `out` or an
                /// exception ended a call early.
                ///
                /// Returns:
                ///     Obs
                #[getter]
                fn obs(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
                    Self::update(slf)?;
                    Ok(shared(slf)?.env.arrays[0].clone_ref(slf.py()))
                }

                /// Returns the current action masks: bool, of shape `(num_envs, num_actions)`,
                /// `True` for legal actions. This is the batch's own array, like `obs`.
                ///
                /// Returns:
                ///     Mask
                #[getter]
                fn action_mask(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
                    Self::update(slf)?;
                    Ok(shared(slf)?.env.arrays[4].clone_ref(slf.py()))
                }

                /// Returns the seed, or the seeds, below 2**64, set by the last reset with a seed
                /// (or by the constructor): one integer, or a list with one seed per game.
                ///
                /// Returns:
                ///     int | list[int]
                #[getter]
                fn seed(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
                    shared(slf)?.env.seed(slf.py())
                }

                /// Restarts all games: with a seed, from the seed's first games; without one, each
                /// with the next game of its stream.
                ///
                /// Args:
                ///     seed (int | Sequence[int] | None): An integer of at least 0, or a list with one per game, as for
                ///         the constructor.
                ///
                /// Returns:
                ///     tuple[Obs, Mask]: Observations and action masks: the arrays `obs` and `action_mask`.
                ///
                /// Raises:
                ///     ValueError: A negative seed, or the wrong number of seeds.
                #[pyo3(signature = (seed=None))]
                fn reset(
                    slf: &Bound<'_, Self>,
                    seed: Option<SeedArgument>,
                ) -> PyResult<Py<PyTuple>> {
                    exclusive(slf)?.env.reset(slf.py(), seed)
                }

                /// Restarts the games selected by a mask, each with the next game of its stream.
                ///
                /// Args:
                ///     which (Mask | Sequence[bool]): bool, of shape `(num_envs,)`: an array or a list.
                ///
                /// Returns:
                ///     tuple[Obs, Mask]: Observations and action masks of all games: the arrays `obs` and
                ///     `action_mask`.
                ///
                /// Raises:
                ///     TypeError: The mask isn't boolean.
                ///     ValueError: The mask has another shape.
                fn reset_some(slf: &Bound<'_, Self>, which: &Bound<'_, PyAny>) -> PyResult<Py<PyTuple>> {
                    exclusive(slf)?.env.reset_some(which)
                }

                /// Draws a uniformly random legal action for each game from the game's own random
                /// stream, 0 if none is legal: int32, of shape `(num_envs,)`. The next call
                /// overwrites the array.
                ///
                /// Returns:
                ///     NDArray[int32]
                fn sample(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
                    exclusive(slf)?.env.sample(slf.py())
                }

                /// Returns the legal actions of all games as lists of different lengths: offsets,
                /// int64 of shape `(num_envs + 1,)`, and actions, int32. The actions of game i, in
                /// ascending order, are `actions[offsets[i]:offsets[i + 1]]`; a game that awaits
                /// its restart has none. The next call overwrites the actions.
                ///
                /// Returns:
                ///     tuple[NDArray[int64], NDArray[int32]]
                fn legal_actions<'py>(
                    slf: &Bound<'py, Self>,
                ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
                    exclusive(slf)?.env.legal_actions(slf.py())
                }

                /// Plays one action in each game. All games move, or after an error none.
                ///
                /// Args:
                ///     actions (ArrayLike): The actions, of shape `(num_envs,)`: an array of any integer type (int32 is
                ///         read in place) or a list.
                ///     out (Step | None): The arrays to write to: a tuple of five writable, C-contiguous arrays of the
                ///         types and shapes below. By default the batch's own, which the next call overwrites.
                ///
                /// Returns:
                ///     Step: A tuple of observations (uint8, of shape `(num_envs, *obs_shape)`), rewards (float32),
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
                    out: Option<OutArgument<'_>>,
                ) -> PyResult<Py<PyTuple>> {
                    exclusive(slf)?.env.step(slf.py(), Some(actions), out)
                }

                /// Plays one random legal action in each game; same as `step(sample(), out)`.
                ///
                /// Args:
                ///     out (Step | None): The arrays to write to, as for `step`.
                ///
                /// Returns:
                ///     Step
                #[pyo3(signature = (out=None))]
                fn random_step(
                    slf: &Bound<'_, Self>,
                    out: Option<OutArgument<'_>>,
                ) -> PyResult<Py<PyTuple>> {
                    exclusive(slf)?.env.step(slf.py(), None, out)
                }

                /// Returns the final observation of the last finished game at each of these
                /// indices: uint8, of shape `(len(games), *obs_shape)`. A new array.
                ///
                /// Returns:
                ///     Obs
                ///
                /// Raises:
                ///     IndexError: There is no such game.
                ///     ValueError: No game has ended at this index.
                fn final_obs<'py>(
                    slf: &Bound<'py, Self>,
                    #[pyo3(from_py_with = argument::places)] games: Vec<i64>,
                ) -> PyResult<Bound<'py, PyAny>> {
                    shared(slf)?.env.final_obs(slf.py(), &games)
                }

                /// Returns a snapshot of one game: its position, random stream and step count.
                ///
                /// Returns:
                ///     State
                ///
                /// Raises:
                ///     IndexError: There is no such game.
                fn get_state(
                    slf: &Bound<'_, Self>,
                    #[pyo3(from_py_with = argument::game)] game: i64,
                ) -> PyResult<State> {
                    shared(slf)?.env.state(game, &slf.get_type())
                }

                /// Returns a list of snapshots of these games, as `get_state` does.
                ///
                /// Returns:
                ///     list[State]
                fn get_states(
                    slf: &Bound<'_, Self>,
                    #[pyo3(from_py_with = argument::places)] games: Vec<i64>,
                ) -> PyResult<Vec<State>> {
                    let class = slf.get_type();
                    let batch = shared(slf)?;
                    games.iter().map(|&game| batch.env.state(game, &class)).collect()
                }

                /// Restores one game from a snapshot of this batch or of another with the same
                /// rules, and updates `obs` and `action_mask`.
                ///
                /// Raises:
                ///     IndexError: There is no such game.
                ///     TypeError: The snapshot is of a different kind of game.
                ///     ValueError: The snapshot is from games with other rules.
                fn set_state(
                    slf: &Bound<'_, Self>,
                    #[pyo3(from_py_with = argument::game)] game: i64,
                    state: PyRef<'_, State>,
                ) -> PyResult<()> {
                    exclusive(slf)?.env.set_states(slf.py(), &[game], &[state])
                }

                /// Restores these games, each from its own snapshot, as `set_state` does. The time
                /// depends on their number, not on the size of the batch.
                fn set_states(
                    slf: &Bound<'_, Self>,
                    #[pyo3(from_py_with = argument::places)] games: Vec<i64>,
                    states: Vec<PyRef<'_, State>>,
                ) -> PyResult<()> {
                    exclusive(slf)?.env.set_states(slf.py(), &games, &states)
                }

                /// Copies each game of `source` onto the game at the same place of `target`, like
                /// `set_states(target, get_states(source))`.
                fn copy_games(
                    slf: &Bound<'_, Self>,
                    #[pyo3(from_py_with = argument::places)] source: Vec<i64>,
                    #[pyo3(from_py_with = argument::places)] target: Vec<i64>,
                ) -> PyResult<()> {
                    exclusive(slf)?.env.copy_games(slf.py(), &source, &target)
                }

                /// Restores a snapshot from `bytes(state)`. Any inconsistency is a `ValueError`.
                ///
                /// Returns:
                ///     State
                #[classmethod]
                fn state_from_bytes(
                    cls: &Bound<'_, PyType>,
                    #[pyo3(from_py_with = argument::bytes)] bytes: Bound<'_, PyBytes>,
                ) -> PyResult<State> {
                    Env::<$games>::read_state(&bytes, cls.clone())
                }

                /// Returns the number of steps played in each current game: uint32, of shape
                /// `(num_envs,)`. A new array.
                ///
                /// Returns:
                ///     NDArray[uint32]
                #[getter]
                fn steps<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u32>>> {
                    Ok(shared(slf)?.env.steps(slf.py()))
                }

                fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
                    Ok(shared(slf)?.env.batch.len())
                }

                fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
                    Ok(format!("<{}.{}: {}>", $module, $class, shared(slf)?.env.describe()))
                }

                fn __copy__(slf: &Bound<'_, Self>) -> PyResult<Self> {
                    Ok(Self { env: shared(slf)?.env.copy(slf.py())? })
                }

                fn __deepcopy__(slf: &Bound<'_, Self>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
                    Self::__copy__(slf)
                }

                fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
                    let text = shared(slf)?.env.save()?;
                    Ok((slf.get_type().getattr("_read")?, (text,)))
                }

                /// Unpickles a batch.
                #[classmethod]
                #[pyo3(name = "_read")]
                fn read(cls: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
                    Ok(Self { env: Env::read(cls.py(), text)? })
                }
            }

            impl $name {
                /// Refreshes the batch's own arrays if they are stale.
                fn update(slf: &Bound<'_, Self>) -> PyResult<()> {
                    if shared(slf)?.env.is_stale {
                        exclusive(slf)?.env.write(slf.py())?;
                    }
                    Ok(())
                }
            }
        };
    };
}

pub(crate) use env_class;
