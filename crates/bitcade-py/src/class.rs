//! [`env_class`]: the Python class of one game's batch.

/// Makes a Python class around an [`Env`](crate::env::Env): the constructor and further methods are given,
/// those that all games share are added.
macro_rules! env_class {
    ($(#[$meta:meta])* $name:ident, $games:ty; $($methods:tt)*) => {
        $(#[$meta])*
        #[pyo3::pyclass(module = "bitcade")]
        pub(crate) struct $name {
            env: crate::env::Env<$games>,
        }

        #[pyo3::pymethods]
        impl $name {
            $($methods)*

            /// Returns the number of games.
            #[getter]
            fn num_envs(&self) -> usize {
                self.env.batch().len()
            }

            /// Returns the number of actions of a game, legal or not.
            #[getter]
            fn num_actions(&self) -> usize {
                self.env.batch().actions()
            }

            /// Returns the number of threads that step the games.
            #[getter]
            fn num_threads(&self) -> usize {
                self.env.num_threads()
            }

            /// Returns the shape of one observation.
            #[getter]
            fn obs_shape<'py>(
                &self,
                py: pyo3::Python<'py>,
            ) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::types::PyTuple>> {
                self.env.obs_shape(py)
            }

            /// Returns the mode of restart: `same_step`, `next_step` or `disabled`.
            #[getter]
            fn autoreset(&self) -> &'static str {
                self.env.autoreset()
            }

            /// Returns the observations that the last call wrote: uint8, of shape `(num_envs, *obs_shape)`.
            #[getter]
            fn obs(&self, py: pyo3::Python<'_>) -> pyo3::Py<numpy::PyArrayDyn<u8>> {
                self.env.obs(py)
            }

            /// Returns the legal actions of the observations: bool, of shape `(num_envs, num_actions)`.
            #[getter]
            fn mask(&self, py: pyo3::Python<'_>) -> pyo3::Py<numpy::PyArrayDyn<bool>> {
                self.env.mask(py)
            }

            /// Starts the games of a seed from their beginning, or without one the next game in every place.
            /// Returns observations and mask.
            #[pyo3(signature = (seed=None))]
            fn reset(
                &mut self,
                py: pyo3::Python<'_>,
                seed: Option<crate::convert::SeedArgument>,
            ) -> pyo3::PyResult<pyo3::Py<pyo3::types::PyTuple>> {
                self.env.reset(py, seed)
            }

            /// Starts the next game in each place whose flag is set. Returns observations and mask of all.
            fn reset_some(
                &mut self,
                py: pyo3::Python<'_>,
                which: numpy::PyReadonlyArray1<'_, bool>,
            ) -> pyo3::PyResult<pyo3::Py<pyo3::types::PyTuple>> {
                self.env.reset_some(py, which)
            }

            /// Draws a legal action of each game, all equally likely, from the game's own stream: int32. The
            /// array is overwritten by the next call.
            fn sample(&mut self, py: pyo3::Python<'_>) -> pyo3::PyResult<pyo3::Py<numpy::PyArrayDyn<i32>>> {
                self.env.sample(py)
            }

            /// Plays one action in each game. Returns observations, rewards, terminated, truncated and mask:
            /// the arrays of `out`, or else the batch's own, which the next call overwrites.
            #[pyo3(signature = (actions, out=None))]
            fn step(
                &mut self,
                py: pyo3::Python<'_>,
                actions: &pyo3::Bound<'_, pyo3::PyAny>,
                out: Option<crate::env::OutArgument<'_>>,
            ) -> pyo3::PyResult<pyo3::Py<pyo3::types::PyTuple>> {
                self.env.step(py, Some(actions), out)
            }

            /// Plays one random legal action in each game: the same as `step(sample())`.
            #[pyo3(signature = (out=None))]
            fn random_step(
                &mut self,
                py: pyo3::Python<'_>,
                out: Option<crate::env::OutArgument<'_>>,
            ) -> pyo3::PyResult<pyo3::Py<pyo3::types::PyTuple>> {
                self.env.step(py, None, out)
            }

            /// Returns the final observations of the games that ended last in these places.
            fn final_obs<'py>(
                &self,
                py: pyo3::Python<'py>,
                games: Vec<usize>,
            ) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                self.env.final_obs(py, &games)
            }

            /// Returns one game as a value: its position, its random stream and the number of its steps.
            fn get_state(&self, game: usize) -> pyo3::PyResult<crate::env::State> {
                self.env.state(game)
            }

            /// Replaces a game by a state of this or another batch of the same rules, and writes `obs` and
            /// `mask`.
            fn set_state(
                &mut self,
                py: pyo3::Python<'_>,
                game: usize,
                state: &crate::env::State,
            ) -> pyo3::PyResult<()> {
                self.env.set_state(py, game, state)
            }

            /// Returns the number of steps of each present game: uint32.
            #[getter]
            fn steps<'py>(&self, py: pyo3::Python<'py>) -> pyo3::Bound<'py, numpy::PyArray1<u32>> {
                self.env.steps(py)
            }

            fn __len__(&self) -> usize {
                self.env.batch().len()
            }

            fn __reduce__(&self) -> pyo3::PyResult<()> {
                Err(crate::convert::no_pickle(stringify!($name)))
            }
        }
    };
}

pub(crate) use env_class;
