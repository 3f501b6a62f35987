//! [`Env`]: one batch with the arrays that it writes, the same for all games.

use crate::convert::{Call, SeedArgument, Threads, autoreset, on_illegal, value_error};
use bitcore::batch::{Autoreset, Batch, GameState, Games, StepOut};
use numpy::{
    IxDyn, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadwriteArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::num::NonZeroU32;
use zerocopy::{FromBytes, IntoBytes};

/// One game of a batch as a value: position, random stream and number of steps.
#[pyclass(frozen, module = "bitcade")]
pub(crate) struct State(pub(crate) AnyState);

pub(crate) enum AnyState {
    Match3(GameState<match3::batch::BatchGames>),
    Game2048(GameState<g2048::batch::BatchGames>),
    Tetris(GameState<tetris::batch::EnvGroup>),
    Go(GameState<go_mc::batch::GoGames>),
}

#[pymethods]
impl State {
    fn __reduce__(&self) -> PyResult<()> {
        Err(crate::convert::no_pickle("State"))
    }
}

/// The games whose states a [`State`] can hold.
pub(crate) trait PyGames: Games {
    fn wrap(state: GameState<Self>) -> AnyState;
    fn unwrap(state: &AnyState) -> Option<&GameState<Self>>;
}

macro_rules! py_games {
    ($($variant:ident: $games:ty),*) => {$(
        impl PyGames for $games {
            fn wrap(state: GameState<Self>) -> AnyState {
                AnyState::$variant(state)
            }

            fn unwrap(state: &AnyState) -> Option<&GameState<Self>> {
                match state {
                    AnyState::$variant(state) => Some(state),
                    _ => None,
                }
            }
        }
    )*};
}
py_games!(
    Match3: match3::batch::BatchGames,
    Game2048: g2048::batch::BatchGames,
    Tetris: tetris::batch::EnvGroup,
    Go: go_mc::batch::GoGames
);

/// The arguments that the classes of all games share.
pub(crate) struct Options<'a> {
    pub(crate) autoreset: &'a str,
    pub(crate) on_illegal: &'a str,
    pub(crate) max_steps: Option<u32>,
    pub(crate) num_threads: usize,
    /// The shape of one observation.
    pub(crate) obs_shape: Vec<usize>,
    /// `Some` for observations of one plane per value.
    pub(crate) one_hot: Option<OneHot>,
    pub(crate) seed: SeedArgument,
}

/// Observations of one plane per value: plane k is 1 where a cell is `first + k`; larger values count as the
/// last plane's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OneHot {
    pub(crate) first: u8,
    pub(crate) planes: u8,
}

impl OneHot {
    fn expand(self, cells: usize, raw: &[u8], obs: &mut [u8]) {
        let last = self.first + self.planes - 1;
        for (raw, obs) in raw.chunks_exact(cells).zip(obs.chunks_exact_mut(cells * usize::from(self.planes)))
        {
            for (plane, value) in obs.chunks_exact_mut(cells).zip(self.first..) {
                for (out, &raw) in plane.iter_mut().zip(raw) {
                    *out = (raw.min(last) == value).into();
                }
            }
        }
    }
}

/// The arrays of one step: the batch's own, or the caller's.
pub(crate) struct Arrays {
    obs: Py<PyArrayDyn<u8>>,
    reward: Py<PyArrayDyn<f32>>,
    terminated: Py<PyArrayDyn<bool>>,
    truncated: Py<PyArrayDyn<bool>>,
    mask: Py<PyArrayDyn<bool>>,
}

/// The caller's arrays for a step: observations, rewards, terminated, truncated and mask.
pub(crate) type OutArgument<'py> = (
    Bound<'py, PyArrayDyn<u8>>,
    Bound<'py, PyArrayDyn<f32>>,
    Bound<'py, PyArrayDyn<bool>>,
    Bound<'py, PyArrayDyn<bool>>,
    Bound<'py, PyArrayDyn<bool>>,
);

/// One batch with the arrays that it writes.
pub(crate) struct Env<G: Games> {
    batch: Batch<G>,
    threads: Threads,
    arrays: Arrays,
    obs_shape: Vec<usize>,
    one_hot: Option<OneHot>,
    autoreset: Autoreset,
    /// Observations before they are expanded to planes.
    raw_obs: Vec<u8>,
    raw_reward: Vec<i64>,
    /// Actions converted from the caller's type.
    actions: Vec<u32>,
    sampled: Py<PyArrayDyn<i32>>,
}

/// Returns a new array of NumPy.
///
/// Called through Python, since a `MemoryError` there is none that the crate `numpy` returns.
fn zeros<T: numpy::Element>(py: Python<'_>, shape: &[usize]) -> PyResult<Py<PyArrayDyn<T>>> {
    let array = py.import("numpy")?.call_method1("zeros", (PyTuple::new(py, shape)?, T::get_dtype(py)))?;
    Ok(array.cast_into::<PyArrayDyn<T>>()?.unbind())
}

/// Returns a vector of zeros.
pub(crate) fn zeroed<T: Clone + Default>(length: usize) -> PyResult<Vec<T>> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(length).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
    vector.resize(length, T::default());
    Ok(vector)
}

/// Borrows the elements of an array for writing.
fn elements<'a, T: numpy::Element>(
    name: &str,
    array: &'a mut PyReadwriteArrayDyn<'_, T>,
    expected: usize,
) -> PyResult<&'a mut [T]> {
    if array.len() != expected {
        return Err(value_error(format!("{name}: {} elements, expected {expected}", array.len())));
    }
    array.as_slice_mut().map_err(|_| value_error(format!("{name}: expected a C-contiguous array")))
}

fn borrow<'py, T: numpy::Element>(
    name: &str,
    array: &Bound<'py, PyArrayDyn<T>>,
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    array.try_readwrite().map_err(|error| value_error(format!("{name}: {error}")))
}

impl<G: PyGames> Env<G> {
    pub(crate) fn new(py: Python<'_>, batch: Batch<G>, options: Options<'_>) -> PyResult<Self> {
        let mut batch = batch;
        let autoreset = autoreset(options.autoreset)?;
        batch = batch.with_autoreset(autoreset).with_illegal_action(on_illegal(options.on_illegal)?);
        if let Some(steps) = options.max_steps {
            let steps =
                NonZeroU32::new(steps).ok_or_else(|| value_error("max_steps=0: expected at least 1"))?;
            batch = batch.with_step_limit(Some(steps));
        }
        batch.set_seeds(options.seed.into()).map_err(value_error)?;
        let (n, actions) = (batch.len(), batch.actions());
        let mut obs_shape = options.obs_shape;
        if let Some(one_hot) = options.one_hot {
            obs_shape.insert(0, one_hot.planes.into());
        }
        let all: Vec<usize> = std::iter::once(n).chain(obs_shape.iter().copied()).collect();
        let arrays = Arrays {
            obs: zeros(py, &all)?,
            reward: zeros(py, &[n])?,
            terminated: zeros(py, &[n])?,
            truncated: zeros(py, &[n])?,
            mask: zeros(py, &[n, actions])?,
        };
        let raw_obs = zeroed(if options.one_hot.is_some() { n * batch.cells() } else { 0 })?;
        let mut env = Self {
            threads: Threads::new(options.num_threads)?,
            arrays,
            obs_shape,
            one_hot: options.one_hot,
            autoreset,
            raw_obs,
            raw_reward: zeroed(n)?,
            actions: Vec::new(),
            sampled: zeros(py, &[n])?,
            batch,
        };
        env.with_observations(py, Batch::reset_into_parallel)?;
        Ok(env)
    }

    pub(crate) fn batch(&self) -> &Batch<G> {
        &self.batch
    }

    pub(crate) fn obs_shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.obs_shape)
    }

    pub(crate) fn autoreset(&self) -> &'static str {
        match self.autoreset {
            Autoreset::SameStep => "same_step",
            Autoreset::NextStep => "next_step",
            Autoreset::Disabled => "disabled",
        }
    }

    pub(crate) fn num_threads(&self) -> usize {
        self.threads.wanted()
    }

    pub(crate) fn obs(&self, py: Python<'_>) -> Py<PyArrayDyn<u8>> {
        self.arrays.obs.clone_ref(py)
    }

    pub(crate) fn mask(&self, py: Python<'_>) -> Py<PyArrayDyn<bool>> {
        self.arrays.mask.clone_ref(py)
    }

    /// Writes the observations and masks of the present games into the batch's own arrays.
    fn write(&mut self, py: Python<'_>) -> PyResult<()> {
        self.with_observations(py, |batch, _, obs, mask| batch.write_into(obs, mask))
    }

    /// Calls `work` with the slices of observations and masks of the batch's own arrays.
    fn with_observations(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(
            &mut Batch<G>,
            &bitcore::ThreadPool,
            &mut [u8],
            &mut [bool],
        ) -> Result<(), bitcore::batch::BatchError>
        + Send,
    ) -> PyResult<()> {
        let shape = self.batch.shape();
        let (obs, mask) = (self.arrays.obs.bind(py), self.arrays.mask.bind(py));
        let (mut obs, mut mask) = (borrow("obs", obs)?, borrow("mask", mask)?);
        let planes = self.one_hot.map_or(1, |one_hot| one_hot.planes.into());
        let obs = elements("obs", &mut obs, shape.games * shape.cells * planes)?;
        let mask = elements("mask", &mut mask, shape.games * shape.actions)?;
        let (batch, raw, one_hot) = (&mut self.batch, &mut self.raw_obs, self.one_hot);
        let pool = self.threads.pool();
        py.detach(|| match one_hot {
            None => work(batch, pool, obs, mask),
            Some(one_hot) => {
                work(batch, pool, raw, mask)?;
                one_hot.expand(shape.cells, raw, obs);
                Ok(())
            }
        })
        .map_err(value_error)
    }

    pub(crate) fn reset(&mut self, py: Python<'_>, seed: Option<SeedArgument>) -> PyResult<Py<PyTuple>> {
        if let Some(seed) = seed {
            self.batch.set_seeds(seed.into()).map_err(value_error)?;
            self.with_observations(py, Batch::reset_into_parallel)?;
        } else {
            let all = vec![true; self.batch.len()];
            self.with_observations(py, |batch, _, obs, mask| batch.reset_some_into(&all, obs, mask))?;
        }
        self.observed(py)
    }

    pub(crate) fn reset_some(
        &mut self,
        py: Python<'_>,
        which: PyReadonlyArray1<'_, bool>,
    ) -> PyResult<Py<PyTuple>> {
        let which = which.as_array().to_vec();
        self.with_observations(py, |batch, _, obs, mask| batch.reset_some_into(&which, obs, mask))?;
        self.observed(py)
    }

    fn observed(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        let arrays = &self.arrays;
        Ok((arrays.obs.clone_ref(py), arrays.mask.clone_ref(py)).into_pyobject(py)?.unbind())
    }

    /// Draws a legal action of each game.
    pub(crate) fn sample(&mut self, py: Python<'_>) -> PyResult<Py<PyArrayDyn<i32>>> {
        {
            let mut sampled = self.sampled.bind(py).try_readwrite().map_err(value_error)?;
            let slice = sampled.as_slice_mut().map_err(value_error)?;
            // Actions are far below 2^31.
            let actions = <[u32]>::mut_from_bytes(slice.as_mut_bytes()).map_err(value_error)?;
            let (batch, threads) = (&mut self.batch, &mut self.threads);
            py.detach(|| threads.call(Call::Sample, |pool| batch.sample_into_parallel(pool, actions)))
                .map_err(value_error)?;
        }
        Ok(self.sampled.clone_ref(py))
    }

    /// Plays the caller's actions, or random legal ones without.
    pub(crate) fn step(
        &mut self,
        py: Python<'_>,
        actions: Option<&Bound<'_, PyAny>>,
        out: Option<OutArgument<'_>>,
    ) -> PyResult<Py<PyTuple>> {
        match actions {
            None => self.play(py, None, out),
            Some(actions) => {
                if let Ok(actions) = actions.cast::<PyArray1<i32>>()
                    && actions.is_c_contiguous()
                {
                    let actions = actions.try_readonly().map_err(value_error)?;
                    let slice = actions.as_slice().map_err(value_error)?;
                    // A negative number becomes one that is no action.
                    let slice = <[u32]>::ref_from_bytes(slice.as_bytes()).map_err(value_error)?;
                    return self.play(py, Some(slice), out);
                }
                let mut converted = std::mem::take(&mut self.actions);
                converted.clear();
                let result = convert_actions(actions, &mut converted)
                    .and_then(|()| self.play(py, Some(&converted), out));
                self.actions = converted;
                result
            }
        }
    }

    fn play(
        &mut self,
        py: Python<'_>,
        actions: Option<&[u32]>,
        out: Option<OutArgument<'_>>,
    ) -> PyResult<Py<PyTuple>> {
        let shape = self.batch.shape();
        let arrays = out.unwrap_or_else(|| {
            let arrays = &self.arrays;
            (
                arrays.obs.bind(py).clone(),
                arrays.reward.bind(py).clone(),
                arrays.terminated.bind(py).clone(),
                arrays.truncated.bind(py).clone(),
                arrays.mask.bind(py).clone(),
            )
        });
        {
            let planes = self.one_hot.map_or(1, |one_hot| one_hot.planes.into());
            let (mut obs, mut reward) = (borrow("obs", &arrays.0)?, borrow("reward", &arrays.1)?);
            let (mut terminated, mut truncated) =
                (borrow("terminated", &arrays.2)?, borrow("truncated", &arrays.3)?);
            let mut mask = borrow("mask", &arrays.4)?;
            let obs = elements("obs", &mut obs, shape.games * shape.cells * planes)?;
            let reward = elements("reward", &mut reward, shape.games)?;
            let terminated = elements("terminated", &mut terminated, shape.games)?;
            let truncated = elements("truncated", &mut truncated, shape.games)?;
            let mask = elements("mask", &mut mask, shape.games * shape.actions)?;
            let (batch, raw_obs, raw_reward) = (&mut self.batch, &mut self.raw_obs, &mut self.raw_reward);
            let (one_hot, threads) = (self.one_hot, &mut self.threads);
            py.detach(|| {
                let target = if one_hot.is_some() { &mut raw_obs[..] } else { &mut *obs };
                let out = StepOut { obs: target, reward: raw_reward, terminated, truncated, mask };
                threads.call(Call::Step, |pool| match actions {
                    Some(actions) => batch.step_into_parallel(pool, actions, out),
                    None => batch.random_step_into_parallel(pool, out),
                })?;
                for (reward, &raw) in reward.iter_mut().zip(raw_reward.iter()) {
                    *reward = raw as f32;
                }
                if let Some(one_hot) = one_hot {
                    one_hot.expand(shape.cells, raw_obs, obs);
                }
                Ok::<(), bitcore::batch::BatchError>(())
            })
            .map_err(value_error)?;
        }
        Ok(arrays.into_pyobject(py)?.unbind())
    }

    /// Returns the final observations of the games that ended last in some places.
    pub(crate) fn final_obs<'py>(&self, py: Python<'py>, games: &[usize]) -> PyResult<Bound<'py, PyAny>> {
        let cells = self.batch.cells();
        let planes = self.one_hot.map_or(1, |one_hot| one_hot.planes.into());
        let mut all = zeroed(games.len().saturating_mul(cells * planes))?;
        let mut raw = vec![0; cells];
        for (&game, obs) in games.iter().zip(all.chunks_exact_mut((cells * planes).max(1))) {
            self.check_game(game)?;
            if !self.batch.final_obs_into(game, &mut raw) {
                return Err(value_error(format!("no game has ended in place {game}")));
            }
            match self.one_hot {
                Some(one_hot) => one_hot.expand(cells, &raw, obs),
                None => obs.copy_from_slice(&raw),
            }
        }
        let array = PyArray1::from_vec(py, all);
        let shape: Vec<usize> = std::iter::once(games.len()).chain(self.obs_shape.iter().copied()).collect();
        Ok(array.reshape(IxDyn(&shape))?.into_any())
    }

    fn check_game(&self, game: usize) -> PyResult<()> {
        if game < self.batch.len() {
            Ok(())
        } else {
            Err(PyIndexError::new_err(format!("game {game} of {}", self.batch.len())))
        }
    }

    /// Returns a game to look at.
    pub(crate) fn view(&self, game: usize) -> PyResult<G::View<'_>> {
        self.check_game(game)?;
        self.batch.game(game).ok_or_else(|| PyIndexError::new_err("no such game"))
    }

    pub(crate) fn state(&self, game: usize) -> PyResult<State> {
        self.check_game(game)?;
        let state = self.batch.state(game).ok_or_else(|| PyIndexError::new_err("no such game"))?;
        Ok(State(G::wrap(state)))
    }

    pub(crate) fn set_state(&mut self, py: Python<'_>, game: usize, state: &State) -> PyResult<()> {
        self.check_game(game)?;
        let state =
            G::unwrap(&state.0).ok_or_else(|| PyTypeError::new_err("the state of another kind of game"))?;
        self.batch.set_state(game, state).map_err(value_error)?;
        self.write(py)
    }

    pub(crate) fn steps<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        let steps = (0..self.batch.len()).filter_map(|game| self.batch.steps(game)).collect();
        PyArray1::from_vec(py, steps)
    }
}

/// Converts actions of any type that NumPy can make integers of.
fn convert_actions(actions: &Bound<'_, PyAny>, converted: &mut Vec<u32>) -> PyResult<()> {
    let narrow = |action: i64| u32::try_from(action).unwrap_or(u32::MAX);
    if let Ok(array) = actions.cast::<PyArray1<i64>>() {
        let array = array.try_readonly().map_err(value_error)?;
        match array.as_slice() {
            Ok(slice) => converted.extend(slice.iter().map(|&action| narrow(action))),
            Err(_) => converted.extend(array.as_array().iter().map(|&action| narrow(action))),
        }
        return Ok(());
    }
    if let Ok(array) = actions.cast::<PyArray1<u32>>() {
        let array = array.try_readonly().map_err(value_error)?;
        converted.extend(array.as_array().iter());
        return Ok(());
    }
    let py = actions.py();
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("asarray", (actions,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !matches!(kind.as_str(), "i" | "u") {
        let kind = array.getattr("dtype")?;
        return Err(PyTypeError::new_err(format!("actions: expected integers, found {kind}")));
    }
    let dimensions: usize = array.getattr("ndim")?.extract()?;
    if dimensions != 1 {
        return Err(value_error(format!("actions: expected 1 dimension, found {dimensions}")));
    }
    let array = array.call_method1("astype", ("int64",))?;
    let array = array.cast::<PyArray1<i64>>().map_err(|_| value_error("actions: expected integers"))?;
    converted
        .extend(array.try_readonly().map_err(value_error)?.as_array().iter().map(|&action| narrow(action)));
    Ok(())
}

/// Returns the rows of boards of `cells` cells each: an array of any shape with bytes in row-major order.
pub(crate) fn boards_of(name: &str, boards: &Bound<'_, PyAny>, shape: &[usize]) -> PyResult<Vec<Vec<u8>>> {
    let numpy = boards.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (boards,))?;
    let found: Vec<usize> = array.getattr("shape")?.extract()?;
    if found.len() != shape.len() + 1 || found[1..] != *shape {
        let [shape, found] = [shape, &found].map(|sides| {
            let sides: Vec<String> = sides.iter().map(ToString::to_string).collect();
            sides.join(", ")
        });
        return Err(value_error(format!("{name}: expected an array of shape (k, {shape}), found ({found})")));
    }
    let flat = array.call_method1("reshape", (found[0], shape.iter().product::<usize>()))?;
    let small =
        numpy.call_method1("can_cast", (flat.getattr("dtype")?, "int64", "safe"))?.extract::<bool>()?;
    if !small {
        return Err(PyTypeError::new_err(format!("{name}: expected integers")));
    }
    let flat = flat.call_method1("astype", ("int64",))?;
    let flat = flat.cast::<PyArray2<i64>>().map_err(|_| value_error(format!("{name}: expected integers")))?;
    let flat = flat.try_readonly().map_err(value_error)?;
    let mut rows = Vec::new();
    for row in flat.as_array().rows() {
        let bytes: Option<Vec<u8>> = row.iter().map(|&cell| u8::try_from(cell).ok()).collect();
        rows.push(bytes.ok_or_else(|| value_error(format!("{name}: a cell is not within 0 to 255")))?);
    }
    Ok(rows)
}
