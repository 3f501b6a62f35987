//! [`Env`]: a batch with its NumPy arrays, generic over the game.

mod lists;

use crate::convert::{AUTORESET, Call, SeedArgument, Threads, choose, interruptible_if, value_error};
use bitcore::batch::{
    Autoreset, Batch, BatchError, Element, Format, GameState, Games, IllegalAction, OtherRules, Seeds,
    StepOut,
};
use numpy::{
    BorrowError, Element as _, PyArray1, PyArray2, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods,
    PyReadwriteArrayDyn, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PySlice, PyTuple, PyType};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::fmt::Display;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU32;
use std::ops::Range;
use zerocopy::{FromBytes, IntoBytes};

/// A snapshot of one game of a batch: position, random stream and step count. It never changes.
///
/// `Batch.get_state` makes it, and `Batch.set_state` restores it in any batch with the same rules. `bytes(state)`
/// saves it, and `Batch.state_from_bytes` or pickling reads it back. Equal states play on identically.
#[pyclass(frozen, module = "bitcade", weakref)]
pub(crate) struct State {
    game: Box<dyn AnyState>,
    /// The class of its batch.
    class: Py<PyType>,
}

#[pymethods]
impl State {
    /// Returns the board, as `Batch.board` does: uint8, of shape `(height, width)`.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.game.board()?.into_array(py)
    }

    /// Returns the number of steps played.
    #[getter]
    fn steps(&self) -> u32 {
        self.game.steps()
    }

    /// Returns the state as bytes, from which `Batch.state_from_bytes` restores it.
    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.game.save()?.as_bytes()))
    }

    /// Compares everything that determines how the games continue: rules, position, random stream and step
    /// count.
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
trait AnyState: Any + Send + Sync {
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
    fn into_array(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let shape = [self.cells.len() / self.width, self.width];
        Ok(PyArray1::from_vec(py, self.cells).reshape(shape)?.into_any())
    }
}

/// A game's batch that can be saved and shown.
pub(crate) trait PythonGames:
    Games<
        Rules: Serialize + DeserializeOwned,
        Start: Serialize + DeserializeOwned,
        Game: Serialize + DeserializeOwned,
        Error: Display,
    > + 'static
{
    /// Returns a game's board.
    fn board(game: Self::View<'_>) -> Board;

    /// Returns a game's board as text.
    fn text(game: Self::View<'_>) -> String;

    /// Returns the constructor arguments of the rules as Python would write them.
    fn arguments(rules: &Self::Rules) -> String;
}

/// The pickled form of an [`Env`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedEnv<B> {
    batch: B,
    autoreset: String,
    num_threads: usize,
    obs_shape: Vec<usize>,
}

/// The constructor arguments shared by all games.
pub(crate) struct Options<'a> {
    pub(crate) autoreset_mode: &'a str,
    pub(crate) on_illegal: &'a str,
    pub(crate) max_episode_steps: Option<u32>,
    pub(crate) num_threads: usize,
    /// The shape of one observation.
    pub(crate) obs_shape: Vec<usize>,
    pub(crate) format: Format,
    /// Fresh entropy if `None`.
    pub(crate) seed: Option<SeedArgument>,
}

/// Returns the shape and the format of observations with planes, first before and then after the arguments
/// `dtype` and `channels` are applied. An error names the argument.
pub(crate) fn with_layout(
    shape: Vec<usize>,
    format: Format,
    dtype: &str,
    channels: &str,
) -> PyResult<(Vec<usize>, Format)> {
    let element = choose("dtype", dtype, &[("uint8", Element::U8), ("float32", Element::F32)])?;
    let channels_last = choose("channels", channels, &[("first", false), ("last", true)])?;
    let mut shape = shape;
    if channels_last {
        if shape.len() != 3 {
            return Err(value_error("channels=\"last\": the observations have no planes"));
        }
        shape.rotate_left(1);
    }
    Ok((shape, Format { channels_last, element, ..format }))
}

/// The caller's arrays for a step, unchecked: observations, rewards, terminated, truncated and action masks.
pub(crate) struct OutArgument<'py>([Bound<'py, PyAny>; 5]);

impl<'py> FromPyObject<'_, 'py> for OutArgument<'py> {
    type Error = PyErr;

    fn extract(out: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let Ok(tuple) = out.cast::<PyTuple>() else {
            let found = out.get_type().name()?;
            return Err(PyTypeError::new_err(format!("out: expected a tuple of 5 arrays, found {found}")));
        };
        let arrays: Vec<Bound<'py, PyAny>> = tuple.iter().collect();
        let found = arrays.len();
        let arrays = arrays.try_into();
        arrays.map(Self).map_err(|_| value_error(format!("out: expected a tuple of 5 arrays, found {found}")))
    }
}

/// A batch's own observations and action masks.
type OwnArrays<'py> = (ObsArray<'py>, Bound<'py, PyArrayDyn<bool>>);

/// The names of these arrays in error messages.
const NAMES: [&str; 5] = ["obs", "reward", "terminated", "truncated", "action_mask"];

/// The prefix of error messages about the caller's arrays.
const OUT: &str = "out: ";

/// The number of games that start within 10 ms: up to here no work needs to be interruptible.
pub(crate) const FEW: usize = 2048;

pub(crate) struct Env<G: Games> {
    batch: Batch<G>,
    threads: Threads,
    /// The batch's own arrays, in the order of [`NAMES`].
    arrays: [Py<PyAny>; 5],
    /// The number of games, followed by the shape of one observation.
    all_obs_shape: Vec<usize>,
    autoreset: Autoreset,
    /// `true` if the batch's own observations and action masks are older than the games.
    is_stale: bool,
    actions: Vec<u32>,
    sampled: Py<PyAny>,
    lists: lists::Lists,
}

/// Returns an array of zeros that begins at a multiple of 64 bytes, as JAX needs it to share memory.
///
/// Goes through Python because the `numpy` crate can't report a `MemoryError`.
fn zeros<T: numpy::Element>(py: Python<'_>, shape: &[usize]) -> PyResult<Py<PyAny>> {
    const ALIGNMENT: usize = 64;
    let numpy = py.import("numpy")?;
    let bytes = shape.iter().try_fold(size_of::<T>(), |product, &side| product.checked_mul(side));
    let bytes = bytes.and_then(|bytes| bytes.checked_add(ALIGNMENT));
    let bytes = bytes.ok_or_else(|| PyMemoryError::new_err("an array larger than memory"))?;
    let buffer = numpy.call_method1("zeros", (bytes, u8::get_dtype(py)))?;
    let address = buffer.cast::<PyArray1<u8>>()?.data() as usize;
    let start = address.next_multiple_of(ALIGNMENT) - address;
    let part = buffer.get_item(PySlice::new(py, start as isize, (start + bytes - ALIGNMENT) as isize, 1))?;
    let shape = PyTuple::new(py, shape)?;
    Ok(part.call_method1("view", (T::get_dtype(py),))?.call_method1("reshape", (shape,))?.unbind())
}

pub(crate) fn zeroed<T: Clone + Default>(length: usize) -> PyResult<Vec<T>> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(length).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
    vector.resize(length, T::default());
    Ok(vector)
}

/// Checks that an array can be written by a call: its type and shape, C order, alignment. Error messages
/// begin with `whose` ([`OUT`] or nothing) and the array's name.
fn writable<'py, T: numpy::Element>(
    whose: &str,
    name: &str,
    array: &Bound<'py, PyAny>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let py = array.py();
    let Ok(untyped) = array.cast::<PyUntypedArray>() else {
        let found = array.get_type().name()?;
        let expected = T::get_dtype(py);
        return Err(PyTypeError::new_err(format!(
            "{whose}{name}: expected an array of {expected}, found {found}"
        )));
    };
    if !untyped.dtype().is_equiv_to(&T::get_dtype(py)) {
        let (expected, found) = (T::get_dtype(py), untyped.dtype());
        return Err(PyTypeError::new_err(format!("{whose}{name}: expected dtype {expected}, found {found}")));
    }
    if untyped.shape() != shape {
        let (expected, found) = (PyTuple::new(py, shape)?, PyTuple::new(py, untyped.shape())?);
        return Err(value_error(format!("{whose}{name}: expected shape {expected}, found {found}")));
    }
    if !untyped.is_c_contiguous() {
        return Err(value_error(format!("{whose}{name}: expected an array in C order without gaps")));
    }
    if !untyped.is_aligned() {
        return Err(value_error(format!("{whose}{name}: expected an aligned array")));
    }
    Ok(array.cast::<PyArrayDyn<T>>()?.clone())
}

fn borrow<'py, T: numpy::Element>(
    whose: &str,
    name: &str,
    array: &Bound<'py, PyArrayDyn<T>>,
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    array.try_readwrite().map_err(|error| {
        value_error(match error {
            BorrowError::NotWriteable => format!("{whose}{name}: the array is read-only"),
            _ => format!("{whose}{name}: the array is in use by another call"),
        })
    })
}

/// Borrows arrays for writing and shadows their names with their slices.
macro_rules! slices {
    ($whose:expr; $($array:ident),*) => {$(
        let mut $array = borrow($whose, stringify!($array), $array)?;
        let $array = $array.as_slice_mut().map_err(value_error)?;
    )*};
}

fn addresses<T: numpy::Element>(array: &Bound<'_, PyArrayDyn<T>>) -> Range<usize> {
    let first = array.data() as usize;
    first..first + array.len() * size_of::<T>()
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start.max(b.start) < a.end.min(b.end)
}

/// An array of observations.
enum ObsArray<'py> {
    Bytes(Bound<'py, PyArrayDyn<u8>>),
    Floats(Bound<'py, PyArrayDyn<f32>>),
}

impl<'py> ObsArray<'py> {
    /// Checks an array like [`writable`].
    fn new(element: Element, whose: &str, array: &Bound<'py, PyAny>, shape: &[usize]) -> PyResult<Self> {
        Ok(match element {
            Element::U8 => Self::Bytes(writable(whose, "obs", array, shape)?),
            Element::F32 => Self::Floats(writable(whose, "obs", array, shape)?),
        })
    }

    fn as_any(&self) -> &Bound<'py, PyAny> {
        match self {
            Self::Bytes(array) => array.as_any(),
            Self::Floats(array) => array.as_any(),
        }
    }

    fn addresses(&self) -> Range<usize> {
        match self {
            Self::Bytes(array) => addresses(array),
            Self::Floats(array) => addresses(array),
        }
    }

    fn borrow(&self, whose: &str) -> PyResult<ObsBorrow<'py>> {
        Ok(match self {
            Self::Bytes(array) => ObsBorrow::Bytes(borrow(whose, "obs", array)?),
            Self::Floats(array) => ObsBorrow::Floats(borrow(whose, "obs", array)?),
        })
    }
}

/// A borrowed [`ObsArray`].
enum ObsBorrow<'py> {
    Bytes(PyReadwriteArrayDyn<'py, u8>),
    Floats(PyReadwriteArrayDyn<'py, f32>),
}

impl ObsBorrow<'_> {
    /// Returns the bytes of the elements.
    fn bytes(&mut self) -> PyResult<&mut [u8]> {
        match self {
            Self::Bytes(array) => array.as_slice_mut().map_err(value_error),
            Self::Floats(array) => Ok(array.as_slice_mut().map_err(value_error)?.as_mut_bytes()),
        }
    }
}

/// The checked arrays of one step.
struct StepArrays<'py> {
    /// The prefix of error messages: [`OUT`] for the caller's arrays.
    whose: &'static str,
    obs: ObsArray<'py>,
    reward: Bound<'py, PyArrayDyn<f32>>,
    terminated: Bound<'py, PyArrayDyn<bool>>,
    truncated: Bound<'py, PyArrayDyn<bool>>,
    action_mask: Bound<'py, PyArrayDyn<bool>>,
}

impl StepArrays<'_> {
    fn addresses(&self) -> [Range<usize>; 5] {
        let (terminated, truncated) = (addresses(&self.terminated), addresses(&self.truncated));
        [self.obs.addresses(), addresses(&self.reward), terminated, truncated, addresses(&self.action_mask)]
    }
}

impl<G: PythonGames> Env<G> {
    pub(crate) fn new(py: Python<'_>, mut batch: Batch<G>, options: Options<'_>) -> PyResult<Self> {
        // Raise for a pending signal here rather than inside a NumPy call.
        py.check_signals()?;
        let autoreset = choose("autoreset_mode", options.autoreset_mode, &AUTORESET)?;
        let treatments = [
            ("raise", IllegalAction::Refuse),
            ("noop", IllegalAction::Ignore),
            ("terminate", IllegalAction::End),
        ];
        let on_illegal = choose("on_illegal", options.on_illegal, &treatments)?;
        batch = batch.with_autoreset(autoreset).with_illegal_action(on_illegal);
        if let Some(steps) = options.max_episode_steps {
            batch = batch.with_step_limit(NonZeroU32::new(steps));
        }
        let seed = options.seed.map_or_else(|| SeedArgument::entropy(py), Ok)?;
        batch.set_seeds(seed.into()).map_err(value_error)?;
        let batch = batch.with_format(options.format).map_err(value_error)?;
        let threads = Threads::new(options.num_threads)?;
        let mut env = Self::from_parts(py, batch, threads, options.obs_shape, autoreset)?;
        env.start_all(py)?;
        Ok(env)
    }

    /// Returns the batch with new arrays, still stale.
    fn from_parts(
        py: Python<'_>,
        batch: Batch<G>,
        threads: Threads,
        obs_shape: Vec<usize>,
        autoreset: Autoreset,
    ) -> PyResult<Self> {
        let (n, actions) = (batch.len(), batch.actions());
        let mut all_obs_shape = obs_shape;
        all_obs_shape.insert(0, n);
        let (ended, cut) = (zeros::<bool>(py, &[n])?, zeros::<bool>(py, &[n])?);
        let obs = match batch.format().element {
            Element::U8 => zeros::<u8>(py, &all_obs_shape)?,
            Element::F32 => zeros::<f32>(py, &all_obs_shape)?,
        };
        let action_mask = zeros::<bool>(py, &[n, actions])?;
        Ok(Self {
            threads,
            arrays: [obs, zeros::<f32>(py, &[n])?, ended, cut, action_mask],
            all_obs_shape,
            autoreset,
            is_stale: true,
            actions: Vec::new(),
            sampled: zeros::<i32>(py, &[n])?,
            lists: lists::Lists::default(),
            batch,
        })
    }

    /// Returns a copy with separate arrays and threads that plays on identically.
    pub(crate) fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let (batch, threads) = (self.batch.clone(), Threads::new(self.threads.wanted())?);
        let obs_shape = self.all_obs_shape[1..].to_vec();
        Self::from_parts(py, batch, threads, obs_shape, self.autoreset)
    }

    pub(crate) fn save(&self) -> PyResult<String> {
        let saved = SavedEnv {
            batch: &self.batch,
            autoreset: self.autoreset().to_owned(),
            num_threads: self.threads.wanted(),
            obs_shape: self.all_obs_shape[1..].to_vec(),
        };
        serde_json::to_string(&saved).map_err(value_error)
    }

    /// Deserializes a batch. The text may be corrupt: any inconsistency is a `ValueError`.
    pub(crate) fn read(py: Python<'_>, text: &str) -> PyResult<Self> {
        let SavedEnv { batch, autoreset, num_threads, obs_shape } =
            serde_json::from_str::<SavedEnv<Batch<G>>>(text).map_err(value_error)?;
        let autoreset = choose("autoreset_mode", &autoreset, &AUTORESET)?;
        let element = match batch.format().element {
            Element::U8 => size_of::<u8>(),
            Element::F32 => size_of::<f32>(),
        };
        let found = obs_shape.iter().try_fold(element, |product, &side| product.checked_mul(side));
        if found != Some(batch.cells()) {
            return Err(value_error("an observation of another shape"));
        }
        let batch = batch.with_autoreset(autoreset);
        Self::from_parts(py, batch, Threads::new(num_threads)?, obs_shape, autoreset)
    }

    pub(crate) fn read_state(bytes: &Bound<'_, PyBytes>, class: Bound<'_, PyType>) -> PyResult<State> {
        let game: GameState<G> = serde_json::from_slice(bytes.as_bytes())
            .map_err(|error| value_error(format!("bytes: not a saved state: {error}")))?;
        Ok(State { game: Box::new(game), class: class.unbind() })
    }

    pub(crate) fn batch(&self) -> &Batch<G> {
        &self.batch
    }

    pub(crate) fn obs_shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.all_obs_shape[1..])
    }

    pub(crate) fn autoreset(&self) -> &'static str {
        AUTORESET.iter().find(|(_, mode)| *mode == self.autoreset).map_or("", |(name, _)| name)
    }

    pub(crate) fn seed(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(match self.batch.seeds() {
            Seeds::One(seed) => seed.into_pyobject(py)?.into_any().unbind(),
            Seeds::Each(seeds) => seeds.into_pyobject(py)?.into_any().unbind(),
        })
    }

    pub(crate) fn num_threads(&self) -> usize {
        self.threads.wanted()
    }

    /// Returns the number of games, their rules and seed in one line.
    pub(crate) fn describe(&self) -> String {
        let n = self.batch.len();
        let games = if n == 1 { "game" } else { "games" };
        let seed = match self.batch.seeds() {
            Seeds::One(seed) => format!("seed={seed}"),
            Seeds::Each(_) => "a seed each".to_owned(),
        };
        format!("{n} {games}, {}, {seed}", G::arguments(self.batch.rules()))
    }

    /// Returns the name of the observations' type.
    pub(crate) fn dtype(&self) -> &'static str {
        match self.batch.format().element {
            Element::U8 => "uint8",
            Element::F32 => "float32",
        }
    }

    pub(crate) fn obs(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays[0].clone_ref(py)
    }

    pub(crate) fn action_mask(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays[4].clone_ref(py)
    }

    pub(crate) fn is_stale(&self) -> bool {
        self.is_stale
    }

    pub(crate) fn write(&mut self, py: Python<'_>) -> PyResult<()> {
        // At 0.1 us per game this is too short to need interrupting.
        self.with_arrays(py, false, |batch, _, obs, action_mask, _| batch.write_into(obs, action_mask))
    }

    /// Calls `work` with the batch's own observation and mask arrays. A signal can interrupt it.
    fn with_observations(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(
            &mut Batch<G>,
            &bitcore::ThreadPool,
            &mut [u8],
            &mut [bool],
            &(dyn Fn() -> bool + Sync),
        ) -> Result<(), BatchError>
        + Send,
    ) -> PyResult<()> {
        self.with_arrays(py, self.batch.len() > FEW, work)
    }

    /// Does the same, but polls signals only if the work may take long.
    fn with_arrays(
        &mut self,
        py: Python<'_>,
        may_take_long: bool,
        work: impl FnOnce(
            &mut Batch<G>,
            &bitcore::ThreadPool,
            &mut [u8],
            &mut [bool],
            &(dyn Fn() -> bool + Sync),
        ) -> Result<(), BatchError>
        + Send,
    ) -> PyResult<()> {
        let (obs, action_mask) = &self.own_arrays(py)?;
        let mut obs = obs.borrow("")?;
        slices!(""; action_mask);
        let obs = obs.bytes()?;
        // Stale until the work succeeds: a signal may arrive after the games change and before the arrays do.
        self.is_stale = true;
        let (batch, pool) = (&mut self.batch, self.threads.pool());
        interruptible_if(py, may_take_long, |stop| work(batch, pool, obs, action_mask, stop))?
            .map_err(value_error)?;
        self.is_stale = false;
        Ok(())
    }

    /// Returns the batch's own observation and mask arrays. Python code has access to them and may have
    /// changed their flags or shape.
    fn own_arrays<'py>(&self, py: Python<'py>) -> PyResult<OwnArrays<'py>> {
        let shape = self.batch.shape();
        let element = self.batch.format().element;
        let obs = ObsArray::new(element, "", self.arrays[0].bind(py), &self.all_obs_shape)?;
        let mask = writable("", "action_mask", self.arrays[4].bind(py), &[shape.games, shape.actions])?;
        Ok((obs, mask))
    }

    /// If a signal interrupts it, the remaining games are unchanged.
    fn start_all(&mut self, py: Python<'_>) -> PyResult<()> {
        self.with_observations(py, |batch, pool, obs, action_mask, stop| {
            batch.reset_into_until(pool, obs, action_mask, stop).map(|_| ())
        })
    }

    pub(crate) fn reset(&mut self, py: Python<'_>, seed: Option<SeedArgument>) -> PyResult<Py<PyTuple>> {
        if let Some(seed) = seed {
            self.batch.set_seeds(seed.into()).map_err(value_error)?;
            self.start_all(py)?;
        } else {
            let all = vec![true; self.batch.len()];
            self.restart(py, &all)?;
        }
        self.observed(py)
    }

    pub(crate) fn reset_some(&mut self, which: &Bound<'_, PyAny>) -> PyResult<Py<PyTuple>> {
        let py = which.py();
        let which = py.import("numpy")?.call_method1("asarray", (which,))?;
        let n = self.batch.len();
        let Ok(which) = which.cast::<PyArrayDyn<bool>>() else {
            let found = which.getattr("dtype")?;
            return Err(PyTypeError::new_err(format!(
                "which: expected a boolean mask of {n} games, found {found}"
            )));
        };
        if which.shape() != [n] {
            let found = PyTuple::new(py, which.shape())?;
            return Err(value_error(format!(
                "which: expected a boolean mask of shape ({n},), found {found}"
            )));
        }
        let which: Vec<bool> =
            which.try_readonly().map_err(value_error)?.as_array().iter().copied().collect();
        self.restart(py, &which)?;
        self.observed(py)
    }

    /// If a signal interrupts it, the remaining games are unchanged.
    fn restart(&mut self, py: Python<'_>, which: &[bool]) -> PyResult<()> {
        self.with_observations(py, |batch, _, obs, action_mask, stop| {
            batch.reset_some_into_until(which, obs, action_mask, stop).map(|_| ())
        })
    }

    fn observed(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        Ok((self.obs(py), self.action_mask(py)).into_pyobject(py)?.unbind())
    }

    pub(crate) fn sample(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        {
            let sampled = self.sampled.bind(py).cast::<PyArrayDyn<i32>>()?;
            slices!(""; sampled);
            // Actions are far below 2^31, so int32 and `u32` agree.
            let actions = <[u32]>::mut_from_bytes(sampled.as_mut_bytes()).map_err(value_error)?;
            let (batch, threads) = (&mut self.batch, &mut self.threads);
            py.detach(|| threads.call(Call::Sample, |pool| batch.sample_into_parallel(pool, actions)))
                .map_err(value_error)?;
        }
        Ok(self.sampled.clone_ref(py))
    }

    /// Plays the given actions, or random legal ones for `None`.
    pub(crate) fn step(
        &mut self,
        py: Python<'_>,
        actions: Option<&Bound<'_, PyAny>>,
        out: Option<OutArgument<'_>>,
    ) -> PyResult<Py<PyTuple>> {
        let arrays = self.step_arrays(py, out)?;
        let Some(actions) = actions else { return self.play(py, None, &arrays)?.map_err(value_error) };
        check_apart(&arrays, actions)?;
        let played = if let Ok(actions) = actions.cast::<PyArray1<i32>>()
            && actions.is_c_contiguous()
            && actions.is_aligned()
        {
            let actions =
                actions.try_readonly().map_err(|_| value_error("actions: in use by another call"))?;
            let slice = actions.as_slice().map_err(value_error)?;
            // A negative number becomes at least 2^31, which is never an action.
            let slice = <[u32]>::ref_from_bytes(slice.as_bytes()).map_err(value_error)?;
            self.play(py, Some(slice), &arrays)?
        } else {
            let mut converted = std::mem::take(&mut self.actions);
            converted.clear();
            let played = convert_actions(actions, &mut converted)
                .and_then(|()| self.play(py, Some(&converted), &arrays));
            self.actions = converted;
            played?
        };
        let error = match played {
            Ok(tuple) => return Ok(tuple),
            Err(error) => error,
        };
        let BatchError::Illegal { game, .. } = error else { return Err(value_error(error)) };
        // Report the caller's number: the batch saw it reinterpreted or clamped.
        let array = py.import("numpy")?.call_method1("asarray", (actions,))?;
        let action = array.call_method1("item", (game,))?;
        Err(value_error(format!("game {game}: action {action} is not a legal move")))
    }

    fn step_arrays<'py>(&self, py: Python<'py>, out: Option<OutArgument<'py>>) -> PyResult<StepArrays<'py>> {
        let whose = if out.is_some() { OUT } else { "" };
        let given = match out {
            Some(OutArgument(arrays)) => arrays,
            None => self.arrays.each_ref().map(|array| array.bind(py).clone()),
        };
        let (n, actions) = (self.batch.len(), self.batch.actions());
        let arrays = StepArrays {
            whose,
            obs: ObsArray::new(self.batch.format().element, whose, &given[0], &self.all_obs_shape)?,
            reward: writable(whose, "reward", &given[1], &[n])?,
            terminated: writable(whose, "terminated", &given[2], &[n])?,
            truncated: writable(whose, "truncated", &given[3], &[n])?,
            action_mask: writable(whose, "action_mask", &given[4], &[n, actions])?,
        };
        let addresses = arrays.addresses();
        for (i, a) in addresses.iter().enumerate() {
            if let Some(j) = (i + 1..5).find(|&j| overlap(a, &addresses[j])) {
                return Err(value_error(format!("{whose}{} and {} share memory", NAMES[i], NAMES[j])));
            }
        }
        Ok(arrays)
    }

    fn play(
        &mut self,
        py: Python<'_>,
        actions: Option<&[u32]>,
        arrays: &StepArrays<'_>,
    ) -> PyResult<Result<Py<PyTuple>, BatchError>> {
        {
            let StepArrays { whose, obs, reward, terminated, truncated, action_mask } = arrays;
            let mut obs = obs.borrow(whose)?;
            slices!(whose; reward, terminated, truncated, action_mask);
            let obs = obs.bytes()?;
            let (batch, threads) = (&mut self.batch, &mut self.threads);
            let was_stale = std::mem::replace(&mut self.is_stale, true);
            let played = py.detach(|| {
                let out = StepOut { obs, reward, terminated, truncated, mask: action_mask };
                threads.call(Call::Step, |pool| match actions {
                    Some(actions) => batch.step_into_parallel(pool, actions, out),
                    None => batch.random_step_into_parallel(pool, out),
                })
            });
            if let Err(error) = played {
                self.is_stale = was_stale;
                return Ok(Err(error));
            }
            self.is_stale = *whose == OUT;
        }
        let StepArrays { obs, reward, terminated, truncated, action_mask, .. } = arrays;
        Ok(Ok((obs.as_any(), reward, terminated, truncated, action_mask).into_pyobject(py)?.unbind()))
    }

    pub(crate) fn final_obs<'py>(&self, py: Python<'py>, games: &[i64]) -> PyResult<Bound<'py, PyAny>> {
        let cells = self.batch.cells();
        let mut shape = self.all_obs_shape.clone();
        shape[0] = games.len();
        let element = self.batch.format().element;
        let array = match element {
            Element::U8 => zeros::<u8>(py, &shape)?,
            Element::F32 => zeros::<f32>(py, &shape)?,
        };
        let mut all = ObsArray::new(element, "", array.bind(py), &shape)?.borrow("")?;
        for (&game, obs) in games.iter().zip(all.bytes()?.chunks_exact_mut(cells.max(1))) {
            let game = self.place(game)?;
            if !self.batch.final_obs_into(game, obs) {
                return Err(value_error(format!("no game has ended at index {game}")));
            }
        }
        Ok(array.into_bound(py))
    }

    fn place(&self, game: i64) -> PyResult<usize> {
        let n = self.batch.len();
        usize::try_from(game)
            .ok()
            .filter(|&place| place < n)
            .ok_or_else(|| PyIndexError::new_err(format!("game {game}: expected one of {n}, from 0")))
    }

    pub(crate) fn views(&self) -> impl Iterator<Item = G::View<'_>> {
        (0..self.batch.len()).filter_map(|game| self.batch.game(game))
    }

    pub(crate) fn view(&self, game: i64) -> PyResult<G::View<'_>> {
        self.batch.game(self.place(game)?).ok_or_else(|| PyIndexError::new_err("no such game"))
    }

    pub(crate) fn board<'py>(&self, py: Python<'py>, game: i64) -> PyResult<Bound<'py, PyAny>> {
        G::board(self.view(game)?).into_array(py)
    }

    pub(crate) fn state(&self, game: i64, class: &Bound<'_, PyType>) -> PyResult<State> {
        let state = self.batch.state(self.place(game)?).expect("the place of a game");
        Ok(State { game: Box::new(state), class: class.clone().unbind() })
    }

    /// Restores games. An error about the arguments changes nothing.
    pub(crate) fn set_states(
        &mut self,
        py: Python<'_>,
        games: &[i64],
        states: &[PyRef<'_, State>],
    ) -> PyResult<()> {
        if games.len() != states.len() {
            let (games, states) = (games.len(), states.len());
            return Err(value_error(format!(
                "expected one state per game, found {states} for {games} games"
            )));
        }
        let games = self.places(games)?;
        let mut values = Vec::with_capacity(states.len());
        for state in states {
            let state = (&*state.game as &dyn Any).downcast_ref::<GameState<G>>();
            let state = state.ok_or_else(|| PyTypeError::new_err("the state of a different game"))?;
            if state.rules() != self.batch.rules() {
                return Err(value_error(OtherRules));
            }
            values.push(state);
        }
        self.replace(py, &games, &values)
    }

    /// Copies games onto others. An error about the arguments changes nothing.
    pub(crate) fn copy_games(&mut self, py: Python<'_>, source: &[i64], target: &[i64]) -> PyResult<()> {
        if source.len() != target.len() {
            let (source, target) = (source.len(), target.len());
            return Err(value_error(format!("expected one target per source, found {target} for {source}")));
        }
        let (source, target) = (self.places(source)?, self.places(target)?);
        let states: Vec<_> = source.iter().filter_map(|&game| self.batch.state(game)).collect();
        self.replace(py, &target, &states.iter().collect::<Vec<_>>())
    }

    fn places(&self, games: &[i64]) -> PyResult<Vec<usize>> {
        games.iter().map(|&game| self.place(game)).collect()
    }

    /// Replaces games by states of the same rules, and updates their rows of the batch's own arrays.
    fn replace(&mut self, py: Python<'_>, games: &[usize], states: &[&GameState<G>]) -> PyResult<()> {
        for (&game, state) in games.iter().zip(states) {
            self.batch.set_state(game, state).map_err(value_error)?;
        }
        if std::mem::replace(&mut self.is_stale, true) {
            return self.write(py);
        }
        let (obs, action_mask) = &self.own_arrays(py)?;
        let mut obs = obs.borrow("")?;
        slices!(""; action_mask);
        self.batch.write_some_into(games, obs.bytes()?, action_mask).map_err(value_error)?;
        self.is_stale = false;
        Ok(())
    }

    pub(crate) fn steps<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        let steps = (0..self.batch.len()).filter_map(|game| self.batch.steps(game)).collect();
        PyArray1::from_vec(py, steps)
    }
}

/// Rejects actions whose memory a step would overwrite.
fn check_apart(arrays: &StepArrays<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
    if !actions.is_instance_of::<PyUntypedArray>() {
        return Ok(());
    }
    let typed = [
        actions.cast::<PyArrayDyn<i32>>().ok().map(|array| (array.is_c_contiguous(), addresses(array))),
        actions.cast::<PyArrayDyn<i64>>().ok().map(|array| (array.is_c_contiguous(), addresses(array))),
    ];
    let shared = if let Some((true, actions)) = typed.into_iter().flatten().next() {
        arrays.addresses().iter().position(|array| overlap(array, &actions))
    } else {
        // For any other type or layout, ask NumPy.
        let py = actions.py();
        let share = py.import("numpy")?.getattr("may_share_memory")?;
        let StepArrays { obs, reward, terminated, truncated, action_mask, .. } = arrays;
        let arrays =
            [obs.as_any(), reward.as_any(), terminated.as_any(), truncated.as_any(), action_mask.as_any()];
        let mut shared = None;
        for (at, array) in arrays.into_iter().enumerate() {
            if share.call1((actions, array))?.extract()? {
                shared = shared.or(Some(at));
            }
        }
        shared
    };
    match shared {
        None => Ok(()),
        Some(at) => Err(value_error(format!("actions and {} share memory", NAMES[at]))),
    }
}

/// Creates a batch; a signal can interrupt it. Errors for which `is_memory` is true become a `MemoryError`,
/// others (about the rules) a `ValueError`.
pub(crate) fn new_batch<G: Games<Rules: Send, Error: Display + Send>>(
    py: Python<'_>,
    n: usize,
    rules: G::Rules,
    is_memory: impl FnOnce(&G::Error) -> bool,
) -> PyResult<Batch<G>> {
    match interruptible_if(py, n > FEW, |stop| Batch::new_until(n, rules, 0, stop))? {
        Ok(batch) => Ok(batch.expect("a signal that stops it is raised")),
        Err(error) if is_memory(&error) => Err(PyMemoryError::new_err(error.to_string())),
        Err(error) => Err(value_error(error)),
    }
}

/// Converts actions from a one-dimensional array or sequence of any integer type.
fn convert_actions(actions: &Bound<'_, PyAny>, converted: &mut Vec<u32>) -> PyResult<()> {
    let narrow = |action: i64| u32::try_from(action).unwrap_or(u32::MAX);
    if let Ok(array) = actions.cast::<PyArray1<i64>>()
        && array.is_aligned()
    {
        let array = array.try_readonly().map_err(value_error)?;
        converted.extend(array.as_array().iter().map(|&action| narrow(action)));
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

/// Reads boards from an array of shape `(k, *shape)`, or from nested lists of that shape. Returns each
/// board's cells in row-major order.
pub(crate) fn boards_of(name: &str, boards: &Bound<'_, PyAny>, shape: &[usize]) -> PyResult<Vec<Vec<u8>>> {
    let numpy = boards.py().import("numpy")?;
    let mut array = numpy.call_method1("asarray", (boards,))?;
    if array.getattr("dtype")?.getattr("kind")?.eq("O")? {
        // Treat an object array like a list of its items.
        array = numpy.call_method1("asarray", (array.call_method0("tolist")?,))?;
    }
    let found: Vec<usize> = array.getattr("shape")?.extract()?;
    if found.len() != shape.len() + 1 || found[1..] != *shape {
        let [shape, found] = [shape, &found].map(|sides| {
            let sides: Vec<String> = sides.iter().map(ToString::to_string).collect();
            sides.join(", ")
        });
        return Err(value_error(format!("{name}: expected an array of shape (k, {shape}), found ({found})")));
    }
    if found[0] == 0 && name == "starts" {
        return Err(value_error("starts: expected at least one board"));
    }
    let flat = array.call_method1("reshape", (found[0], shape.iter().product::<usize>()))?;
    let kind: String = flat.getattr("dtype")?.getattr("kind")?.extract()?;
    if !matches!(kind.as_str(), "b" | "i" | "u") {
        let found = flat.getattr("dtype")?;
        return Err(PyTypeError::new_err(format!("{name}: expected integers, found {found}")));
    }
    // Clamp uint64 before the cast to int64: 256 is too large for a cell already.
    let is_u64 = kind == "u" && flat.getattr("itemsize")?.extract::<usize>()? == 8;
    let flat = if is_u64 { numpy.call_method1("minimum", (flat, 256))? } else { flat };
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
