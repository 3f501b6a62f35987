//! [`Env`]: a batch with its NumPy arrays, generic over the game.

mod lists;

use crate::arrays::{
    NAMES, OUT, ObsArray, OutArgument, OwnArrays, StepArrays, check_apart, overlap, slices,
    writable, zeros,
};
use crate::convert::{
    Call, SeedArgument, Threads, choose, interruptible_if, name_of, starts_error, value_error,
};
use crate::input::{array_of, convert_actions};
use crate::state::{PythonGames, State};
use bitcade_core::batch::{
    Autoreset, Batch, BatchError, Element, Format, GameState, Games, IllegalAction, OneHot,
    OtherRules, Seeds, StepOut,
};
use bitcade_core::{Stop, Stopped};
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::num::NonZeroU32;
use zerocopy::{FromBytes, IntoBytes};

/// The pickled form of an [`Env`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedEnv<B> {
    batch: B,
    autoreset: String,
    num_threads: usize,
    obs_shape: Vec<usize>,
}

/// The autoreset modes by their Gymnasium names.
const AUTORESET: [(&str, Autoreset); 3] = [
    ("SameStep", Autoreset::SameStep),
    ("NextStep", Autoreset::NextStep),
    ("Disabled", Autoreset::Disabled),
];

const ON_ILLEGAL: [(&str, IllegalAction); 3] = [
    ("raise", IllegalAction::Refuse),
    ("noop", IllegalAction::Ignore),
    ("terminate", IllegalAction::End),
];

const ELEMENTS: [(&str, Element); 2] = [("uint8", Element::U8), ("float32", Element::F32)];

/// The keywords that the batches of all games take, as Python gave them.
pub(crate) struct Keywords<'a> {
    pub(crate) num_envs: usize,
    /// Fresh entropy if `None`.
    pub(crate) seed: Option<SeedArgument>,
    pub(crate) max_episode_steps: Option<u32>,
    pub(crate) starts: Option<&'a Bound<'a, PyAny>>,
    pub(crate) dtype: &'a str,
    pub(crate) channels: &'a str,
    pub(crate) autoreset_mode: &'a str,
    pub(crate) on_illegal: &'a str,
    pub(crate) num_threads: usize,
}

/// What a game's own keywords make of its observations.
pub(crate) struct Shown<L = ()> {
    /// The game's [layout](Games::Layout).
    pub(crate) layout: L,
    pub(crate) one_hot: Option<OneHot>,
    /// The shape of one observation; 0 stands for as many as there are. With three dimensions it
    /// has planes.
    pub(crate) shape: Vec<usize>,
}

impl<L: Default> Shown<L> {
    pub(crate) fn new(shape: impl Into<Vec<usize>>) -> Self {
        Self { layout: L::default(), one_hot: None, shape: shape.into() }
    }
}

/// The number of games that start within 10 ms: up to here no work needs to be interruptible.
pub(crate) const FEW: usize = 2048;

pub(crate) struct Env<G: Games> {
    pub(crate) batch: Batch<G>,
    pub(crate) threads: Threads,
    /// The batch's own arrays, in the order of [`NAMES`].
    pub(crate) arrays: [Py<PyAny>; 5],
    /// The number of games, followed by the shape of one observation.
    all_obs_shape: Vec<usize>,
    autoreset: Autoreset,
    /// `true` if the batch's own observations and action masks are older than the games.
    pub(crate) is_stale: bool,
    actions: Vec<u32>,
    sampled: Py<PyAny>,
    lists: lists::Lists,
}

impl<G: PythonGames> Env<G> {
    /// Makes a batch of games that have started. `starts` reads the start boards.
    pub(crate) fn new(
        py: Python<'_>,
        keywords: Keywords<'_>,
        rules: G::Rules,
        shown: Shown<G::Layout>,
        starts: impl FnOnce(&Bound<'_, PyAny>, &G::Rules) -> PyResult<Vec<G::Start>>,
    ) -> PyResult<Self> {
        let autoreset = choose("autoreset_mode", keywords.autoreset_mode, &AUTORESET)?;
        let illegal = choose("on_illegal", keywords.on_illegal, &ON_ILLEGAL)?;
        let element = choose("dtype", keywords.dtype, &ELEMENTS)?;
        let channels_last =
            choose("channels", keywords.channels, &[("first", false), ("last", true)])?;
        let Shown { layout, one_hot, mut shape } = shown;
        if channels_last && shape.len() < 3 {
            return Err(value_error("channels=\"last\": the observations have no planes"));
        }
        let starts = keywords.starts.map(|boards| starts(boards, &rules)).transpose()?;
        let limit = keywords.max_episode_steps.and_then(NonZeroU32::new);
        let mut batch = new_batch::<G>(py, keywords.num_envs, rules)?;
        if let Some(starts) = starts {
            batch.set_starts(starts).map_err(starts_error)?;
        }
        // Raise for a pending signal here rather than inside a NumPy call.
        py.check_signals()?;
        if limit.is_some() {
            batch = batch.with_step_limit(limit);
        }
        let seed = keywords.seed.map_or_else(|| SeedArgument::entropy(py), Ok)?;
        batch.set_seeds(seed.into()).map_err(value_error)?;
        let format = Format { layout, one_hot, channels_last, element };
        let batch = batch.with_format(format).map_err(value_error)?;
        let batch = batch.with_autoreset(autoreset).with_illegal_action(illegal);
        let known: usize = shape.iter().filter(|&&side| side > 0).product();
        let counted = batch.cells() / size_of_element(element) / known;
        shape.iter_mut().filter(|side| **side == 0).for_each(|side| *side = counted);
        if channels_last {
            shape.rotate_left(1);
        }
        let threads = Threads::new(keywords.num_threads)?;
        let mut env = Self::from_parts(py, batch, threads, shape, autoreset)?;
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
        let n = batch.len();
        let actions = batch.actions();
        let mut all_obs_shape = obs_shape;
        all_obs_shape.insert(0, n);
        let ended = zeros::<bool>(py, &[n])?;
        let cut = zeros::<bool>(py, &[n])?;
        let obs = ObsArray::zeros(py, batch.format().element, &all_obs_shape)?;
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
        let batch = self.batch.clone();
        let threads = Threads::new(self.threads.wanted())?;
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
        let element = size_of_element(batch.format().element);
        let found = obs_shape.iter().try_fold(element, |product, &side| product.checked_mul(side));
        if found != Some(batch.cells()) {
            return Err(value_error("an observation of another shape"));
        }
        let batch = batch.with_autoreset(autoreset);
        Self::from_parts(py, batch, Threads::new(num_threads)?, obs_shape, autoreset)
    }

    pub(crate) fn read_state(
        bytes: &Bound<'_, PyBytes>,
        class: Bound<'_, PyType>,
    ) -> PyResult<State> {
        let game: GameState<G> = serde_json::from_slice(bytes.as_bytes())
            .map_err(|error| value_error(format!("bytes: not a saved state: {error}")))?;
        Ok(State { game: Box::new(game), class: class.unbind() })
    }

    pub(crate) fn obs_shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.all_obs_shape[1..])
    }

    pub(crate) fn autoreset(&self) -> &'static str {
        name_of(&AUTORESET, self.autoreset)
    }

    pub(crate) fn seed(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(match self.batch.seeds() {
            Seeds::One(seed) => seed.into_pyobject(py)?.into_any().unbind(),
            Seeds::Each(seeds) => seeds.into_pyobject(py)?.into_any().unbind(),
        })
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
        name_of(&ELEMENTS, self.batch.format().element)
    }

    pub(crate) fn write(&mut self, py: Python<'_>) -> PyResult<()> {
        // At 0.1 us per game this is too short to need interrupting.
        self.with_arrays(py, false, |batch, _, obs, action_mask, _| {
            Ok(batch.write_into(obs, action_mask))
        })
    }

    /// Calls `work` with the batch's own observation and mask arrays. A signal can interrupt it if
    /// it may take long.
    fn with_arrays(
        &mut self,
        py: Python<'_>,
        may_take_long: bool,
        work: impl FnOnce(
            &mut Batch<G>,
            &bitcade_core::ThreadPool,
            &mut [u8],
            &mut [bool],
            Stop<'_>,
        ) -> Result<Result<(), BatchError>, Stopped>
        + Send,
    ) -> PyResult<()> {
        let (obs, action_mask) = &self.own_arrays(py)?;
        slices!(""; action_mask);
        // Stale until the work succeeds: a signal may arrive after the games change and before the
        // arrays do.
        self.is_stale = true;
        let batch = &mut self.batch;
        let pool = self.threads.pool();
        obs.write("", |obs| {
            interruptible_if(py, may_take_long, |stop| work(batch, pool, obs, action_mask, stop))
        })??
        .map_err(value_error)?;
        self.is_stale = false;
        Ok(())
    }

    /// Returns the batch's own observation and mask arrays. Python code has access to them and may
    /// have changed their flags or shape.
    fn own_arrays<'py>(&self, py: Python<'py>) -> PyResult<OwnArrays<'py>> {
        let shape = self.batch.shape();
        let element = self.batch.format().element;
        let obs = ObsArray::new(element, "", self.arrays[0].bind(py), &self.all_obs_shape)?;
        let mask =
            writable("", "action_mask", self.arrays[4].bind(py), &[shape.games, shape.actions])?;
        Ok((obs, mask))
    }

    /// If a signal interrupts it, the remaining games are unchanged.
    fn start_all(&mut self, py: Python<'_>) -> PyResult<()> {
        self.with_arrays(py, self.batch.len() > FEW, |batch, pool, obs, action_mask, stop| {
            batch.reset_into_until(pool, obs, action_mask, stop)
        })
    }

    pub(crate) fn reset(
        &mut self,
        py: Python<'_>,
        seed: Option<SeedArgument>,
    ) -> PyResult<Py<PyTuple>> {
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
        let which = array_of("which", which, "bool")?;
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
        self.with_arrays(py, self.batch.len() > FEW, |batch, _, obs, action_mask, stop| {
            batch.reset_some_into_until(which, obs, action_mask, stop)
        })
    }

    fn observed(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        Ok((&self.arrays[0], &self.arrays[4]).into_pyobject(py)?.unbind())
    }

    pub(crate) fn sample(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        {
            let sampled = self.sampled.bind(py).cast::<PyArrayDyn<i32>>()?;
            slices!(""; sampled);
            // Actions are far below 2^31, so int32 and `u32` agree.
            let actions = <[u32]>::mut_from_bytes(sampled.as_mut_bytes()).map_err(value_error)?;
            let batch = &mut self.batch;
            let threads = &mut self.threads;
            py.detach(|| {
                threads.call(Call::Sample, |pool| batch.sample_into_parallel(pool, actions))
            })
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
        let Some(actions) = actions else {
            return self.play(py, None, &arrays)?.map_err(value_error);
        };
        check_apart(&arrays, actions)?;
        let played = if let Ok(actions) = actions.cast::<PyArray1<i32>>()
            && actions.is_c_contiguous()
            && actions.is_aligned()
        {
            let actions = actions
                .try_readonly()
                .map_err(|_| value_error("actions: in use by another call"))?;
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

    fn step_arrays<'py>(
        &self,
        py: Python<'py>,
        out: Option<OutArgument<'py>>,
    ) -> PyResult<StepArrays<'py>> {
        let whose = if out.is_some() { OUT } else { "" };
        let given = match out {
            Some(OutArgument(arrays)) => arrays,
            None => self.arrays.each_ref().map(|array| array.bind(py).clone()),
        };
        let n = self.batch.len();
        let actions = self.batch.actions();
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
                return Err(value_error(format!(
                    "{whose}{} and {} share memory",
                    NAMES[i], NAMES[j]
                )));
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
        let StepArrays { whose, obs, reward, terminated, truncated, action_mask } = arrays;
        let was_stale = std::mem::replace(&mut self.is_stale, true);
        let played = self.play_into(py, actions, arrays);
        self.is_stale = if matches!(played, Ok(Ok(()))) { *whose == OUT } else { was_stale };
        if let Err(error) = played? {
            return Ok(Err(error));
        }
        Ok(Ok((obs.as_any(), reward, terminated, truncated, action_mask)
            .into_pyobject(py)?
            .unbind()))
    }

    fn play_into(
        &mut self,
        py: Python<'_>,
        actions: Option<&[u32]>,
        arrays: &StepArrays<'_>,
    ) -> PyResult<Result<(), BatchError>> {
        let StepArrays { whose, obs, reward, terminated, truncated, action_mask } = arrays;
        let batch = &mut self.batch;
        let threads = &mut self.threads;
        obs.write(whose, |obs| {
            slices!(whose; reward, terminated, truncated, action_mask);
            let out = StepOut { obs, reward, terminated, truncated, mask: action_mask };
            Ok(py.detach(|| {
                threads.call(Call::Step, |pool| match actions {
                    Some(actions) => batch.step_into_parallel(pool, actions, out),
                    None => batch.random_step_into_parallel(pool, out),
                })
            }))
        })?
    }

    pub(crate) fn final_obs<'py>(
        &self,
        py: Python<'py>,
        games: &[i64],
    ) -> PyResult<Bound<'py, PyAny>> {
        let cells = self.batch.cells();
        let mut shape = self.all_obs_shape.clone();
        shape[0] = games.len();
        let element = self.batch.format().element;
        let array = ObsArray::zeros(py, element, &shape)?;
        ObsArray::new(element, "", array.bind(py), &shape)?.write("", |all| {
            for (&game, obs) in games.iter().zip(all.chunks_exact_mut(cells.max(1))) {
                let game = self.place(game)?;
                if !self.batch.final_obs_into(game, obs) {
                    return Err(value_error(format!("no game has ended at index {game}")));
                }
            }
            Ok(())
        })??;
        Ok(array.into_bound(py))
    }

    fn place(&self, game: i64) -> PyResult<usize> {
        let n = self.batch.len();
        usize::try_from(game).ok().filter(|&place| place < n).ok_or_else(|| {
            PyIndexError::new_err(format!("game {game}: expected one of {n}, from 0"))
        })
    }

    pub(crate) fn views(&self) -> impl Iterator<Item = G::View<'_>> {
        (0..self.batch.len()).filter_map(|game| self.batch.game(game))
    }

    /// Returns a new array with a number of each game.
    pub(crate) fn each<'py, T: numpy::Element + Send>(
        &self,
        py: Python<'py>,
        number: impl Fn(G::View<'_>) -> T + Sync,
    ) -> PyResult<Bound<'py, PyArray1<T>>> {
        let numbers = interruptible_if(py, self.batch.len() > FEW, |stop| {
            let number = |view| if stop() { Err(Stopped) } else { Ok(number(view)) };
            self.views().map(number).collect()
        })?;
        Ok(PyArray1::from_vec(py, numbers))
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
            let games = games.len();
            let states = states.len();
            return Err(value_error(format!(
                "expected one state per game, found {states} for {games} games"
            )));
        }
        let games = self.places(games)?;
        let mut values = Vec::with_capacity(states.len());
        for state in states {
            let state = (&*state.game as &dyn Any).downcast_ref::<GameState<G>>();
            let state =
                state.ok_or_else(|| PyTypeError::new_err("the state of a different game"))?;
            if state.rules() != self.batch.rules() {
                return Err(value_error(OtherRules));
            }
            values.push(state);
        }
        self.replace(py, &games, &values)
    }

    /// Copies games onto others. An error about the arguments changes nothing.
    pub(crate) fn copy_games(
        &mut self,
        py: Python<'_>,
        source: &[i64],
        target: &[i64],
    ) -> PyResult<()> {
        if source.len() != target.len() {
            let source = source.len();
            let target = target.len();
            return Err(value_error(format!(
                "expected one target per source, found {target} for {source}"
            )));
        }
        let source = self.places(source)?;
        let target = self.places(target)?;
        let states: Vec<_> = source.iter().filter_map(|&game| self.batch.state(game)).collect();
        self.replace(py, &target, &states.iter().collect::<Vec<_>>())
    }

    fn places(&self, games: &[i64]) -> PyResult<Vec<usize>> {
        games.iter().map(|&game| self.place(game)).collect()
    }

    /// Replaces games by states of the same rules, and updates their rows of the batch's own
    /// arrays.
    fn replace(
        &mut self,
        py: Python<'_>,
        games: &[usize],
        states: &[&GameState<G>],
    ) -> PyResult<()> {
        for (&game, state) in games.iter().zip(states) {
            self.batch.set_state(game, state).map_err(value_error)?;
        }
        let all = std::mem::replace(&mut self.is_stale, true);
        self.with_arrays(py, false, |batch, _, obs, mask, _| {
            Ok(if all {
                batch.write_into(obs, mask)
            } else {
                batch.write_some_into(games, obs, mask)
            })
        })
    }

    pub(crate) fn steps<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        let steps = (0..self.batch.len()).filter_map(|game| self.batch.steps(game)).collect();
        PyArray1::from_vec(py, steps)
    }
}

const fn size_of_element(element: Element) -> usize {
    match element {
        Element::U8 => size_of::<u8>(),
        Element::F32 => size_of::<f32>(),
    }
}

/// Creates a batch; a signal can interrupt it.
fn new_batch<G: PythonGames>(py: Python<'_>, n: usize, rules: G::Rules) -> PyResult<Batch<G>> {
    match interruptible_if(py, n > FEW, |stop| Batch::new_until(n, rules, 0, stop))? {
        Ok(batch) => Ok(batch),
        Err(error) if G::is_memory(&error) => Err(PyMemoryError::new_err(error.to_string())),
        Err(error) => Err(value_error(error)),
    }
}
