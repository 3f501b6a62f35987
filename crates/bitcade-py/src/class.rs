//! [`env_class`]: the Python class of one game's batch.

/// Makes a Python class around an [`Env`](crate::env::Env): the text of a game, the constructor and further
/// methods are given, those that all games share are added.
///
/// Methods borrow the object by [`shared`](crate::convert::shared) and
/// [`exclusive`](crate::convert::exclusive), whose error says what two threads must not do.
macro_rules! env_class {
    ($(#[$meta:meta])* $name:ident: $module:literal, $games:ty, |$game:ident| $text:expr; $($methods:tt)*) => {
        $(#[$meta])*
        #[pyo3::pyclass(name = "Batch", module = $module, weakref)]
        pub(crate) struct $name {
            env: crate::env::Env<$games>,
        }

        #[pyo3::pymethods]
        impl $name {
            $($methods)*

            /// Returns the board of one game as text.
            fn render(
                slf: &Bound<'_, Self>,
                #[pyo3(from_py_with = crate::convert::argument::game)] game: i64,
            ) -> PyResult<String> {
                let games = crate::convert::shared(slf)?;
                let $game = games.env.view(game)?;
                Ok($text.to_string())
            }

            /// Returns the number of games.
            #[getter]
            fn num_envs(slf: &Bound<'_, Self>) -> PyResult<usize> {
                Ok(crate::convert::shared(slf)?.env.batch().len())
            }

            /// Returns the number of actions of a game, legal or not.
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

            /// Returns the mode of restart, by Gymnasium's names: `SameStep`, `NextStep` or `Disabled`.
            #[getter]
            fn autoreset_mode(slf: &Bound<'_, Self>) -> PyResult<&'static str> {
                Ok(crate::convert::shared(slf)?.env.autoreset())
            }

            /// Returns the observations of the games as they are now: uint8, of shape `(num_envs,
            /// *obs_shape)`. The array is the batch's own, which is brought up to date here if the last step
            /// wrote to `out`, or an exception ended a call early.
            #[getter]
            fn obs(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
                Self::update(slf)?;
                Ok(crate::convert::shared(slf)?.env.obs(slf.py()))
            }

            /// Returns the legal actions of these observations: bool, of shape `(num_envs, num_actions)`.
            #[getter]
            fn action_mask(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
                Self::update(slf)?;
                Ok(crate::convert::shared(slf)?.env.action_mask(slf.py()))
            }

            /// Returns the seed of the games, or the list with one of each, as the last reset with a seed left it.
            #[getter]
            fn seed(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
                crate::convert::shared(slf)?.env.seed(slf.py())
            }

            /// Starts the games of a seed from their beginning, or without one the next game in every place.
            /// Returns observations and action masks.
            #[pyo3(signature = (seed=None))]
            fn reset(
                slf: &Bound<'_, Self>,
                seed: Option<crate::convert::SeedArgument>,
            ) -> PyResult<Py<pyo3::types::PyTuple>> {
                crate::convert::exclusive(slf)?.env.reset(slf.py(), seed)
            }

            /// Starts the next game in each place whose flag is set. Returns observations and action masks of all.
            fn reset_some(slf: &Bound<'_, Self>, which: &Bound<'_, PyAny>) -> PyResult<Py<pyo3::types::PyTuple>> {
                crate::convert::exclusive(slf)?.env.reset_some(which)
            }

            /// Draws a legal action of each game, all equally likely, from the game's own stream: int32. The
            /// array is overwritten by the next call.
            fn sample(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
                crate::convert::exclusive(slf)?.env.sample(slf.py())
            }

            /// Plays one action in each game. Returns observations, rewards, terminated, truncated and action masks:
            /// the arrays of `out`, or else the batch's own, which the next call overwrites.
            #[pyo3(signature = (actions, out=None))]
            fn step(
                slf: &Bound<'_, Self>,
                actions: &Bound<'_, PyAny>,
                out: Option<crate::env::OutArgument<'_>>,
            ) -> PyResult<Py<pyo3::types::PyTuple>> {
                crate::convert::exclusive(slf)?.env.step(slf.py(), Some(actions), out)
            }

            /// Plays one random legal action in each game: the same as `step(sample())`.
            #[pyo3(signature = (out=None))]
            fn random_step(
                slf: &Bound<'_, Self>,
                out: Option<crate::env::OutArgument<'_>>,
            ) -> PyResult<Py<pyo3::types::PyTuple>> {
                crate::convert::exclusive(slf)?.env.step(slf.py(), None, out)
            }

            /// Returns the final observations of the games that ended last in these places.
            fn final_obs<'py>(
                slf: &Bound<'py, Self>,
                #[pyo3(from_py_with = crate::convert::argument::places)] games: Vec<i64>,
            ) -> PyResult<Bound<'py, PyAny>> {
                crate::convert::shared(slf)?.env.final_obs(slf.py(), &games)
            }

            /// Returns one game as a value: its position, its random stream and the number of its steps.
            fn get_state(
                slf: &Bound<'_, Self>,
                #[pyo3(from_py_with = crate::convert::argument::game)] game: i64,
            ) -> PyResult<crate::env::State> {
                crate::convert::shared(slf)?.env.state(game, slf.get_type())
            }

            /// Replaces a game by a state of this or another batch of the same rules, and writes `obs` and
            /// `action_mask`.
            fn set_state(
                slf: &Bound<'_, Self>,
                #[pyo3(from_py_with = crate::convert::argument::game)] game: i64,
                state: &crate::env::State,
            ) -> PyResult<()> {
                crate::convert::exclusive(slf)?.env.set_state(slf.py(), game, state)
            }

            /// Returns the number of steps of each present game: uint32.
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

            /// Reads a batch that was pickled.
            #[classmethod]
            #[pyo3(name = "_read")]
            fn read(cls: &Bound<'_, pyo3::types::PyType>, text: &str) -> PyResult<Self> {
                Ok(Self { env: crate::env::Env::read(cls.py(), text)? })
            }

            /// Reads a state that was pickled.
            #[classmethod]
            #[pyo3(name = "_read_state")]
            fn read_state(cls: &Bound<'_, pyo3::types::PyType>, text: &str) -> PyResult<crate::env::State> {
                crate::env::Env::<$games>::read_state(text, cls.clone())
            }
        }

        impl $name {
            /// Writes the batch's own arrays if they are older than the games.
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
