//! 2048: the batch class, n-tuple networks and engine functions.

use crate::class::env_class;
use crate::convert::{
    Threads, argument, exclusive, interruptible, interruptible_if, numbered, shared, value_error,
};
use crate::env::Shown;
use crate::input::boards_of;
use crate::play_on::{Plan, set_mean};
use crate::state::{self, PythonGames};
use bitcade_core::ThreadPool;
use bitcade_core::batch::OneHot;
use g2048::expectimax::{Evaluate, Limits};
use g2048::network::LearnerSettings;
use g2048::{
    Board, Error, Expectimax, Game, Learner, Network, Playouts, Rules, Size, SmallNetwork, Stats,
    play_games_until, solve_until,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// Planes of a one-hot observation: empty, then the tiles 2 to 131072.
const PLANES: u8 = 18;

fn size(width: usize, height: usize) -> PyResult<Size> {
    Size::new(width, height).map_err(value_error)
}

fn boards(name: &str, boards: &Bound<'_, PyAny>, size: Size) -> PyResult<Vec<Board>> {
    let rows = boards_of(name, boards, &[size.height(), size.width()])?;
    let board = |(index, row): (usize, &Vec<u8>)| {
        Board::from_ranks(size, row)
            .map_err(|error| value_error(format!("{name}: board {index}: {error}")))
    };
    rows.iter().enumerate().map(board).collect()
}

impl PythonGames for g2048::batch::BatchGames {
    fn board(game: Board) -> state::Board {
        state::Board { cells: game.ranks().to_vec(), width: game.size().width() }
    }

    fn text(game: Board) -> String {
        game.to_string()
    }

    fn arguments(rules: &Rules) -> String {
        format!("width={}, height={}", rules.size.width(), rules.size.height())
    }

    fn is_memory(_: &Self::Error) -> bool {
        true
    }

    fn play_on<'py>(
        py: Python<'py>,
        _: &Rules,
        game: Board,
        _: u32,
        plan: Plan,
    ) -> PyResult<Bound<'py, PyDict>> {
        let size = game.size();
        let playouts = Playouts::from_game(&Game::from(game), plan.seed);
        statistics(py, &plan.play(py, playouts, quick(size))?)
    }
}

/// Returns the number of games that finish in under 1 ms; a single game on 8x8 may take seconds.
fn quick(size: Size) -> u64 {
    if size.cells() > Size::CLASSIC.cells() { 0 } else { 256 }
}

fn statistics<'py>(py: Python<'py>, stats: &Stats) -> PyResult<Bound<'py, PyDict>> {
    let result = PyDict::new(py);
    result.set_item("games", stats.games)?;
    set_mean(&result, "score", &stats.score)?;
    result.set_item("stderr_score", crate::convert::standard_error(&stats.score))?;
    set_mean(&result, "moves", &stats.moves)?;
    let largest = PyDict::new(py);
    for (rank, &count) in stats.largest.iter().enumerate().filter(|&(_, &count)| count > 0) {
        largest.set_item(1u64 << rank, count)?;
    }
    result.set_item("largest", largest)?;
    Ok(result)
}

env_class! {
    /// A batch of 2048 games, stepped together.
    ///
    /// `obs` is uint8, of shape `(num_envs, height, width)`: the ranks (0 empty, k for the tile
    /// 2**k), or with `one_hot` `(num_envs, 18, height, width)`. The actions are 0 left, 1 right, 2
    /// up, 3 down. The reward is the sum of the merged tiles.
    Batch2048 as "Batch": "bitcade.g2048", g2048::batch::BatchGames;

    new(py, keywords;
        *;
        /// The number of columns, 2 to 8.
        width "int": usize = 4 in 2 to 8;
        /// The number of rows, 2 to 8.
        height "int": usize = 4 in 2 to 8;
        /// Whether observations are 18 planes of 0 and 1: empty, then the tiles 2 to 131072 (or
        /// larger).
        one_hot "bool": bool = false;
        starts:
        /// Start boards of ranks, integers of shape `(k, height, width)`, on each of which a move
        /// is legal. Each new game draws one. By default a game starts with two random tiles.
    ) {
        let size = size(width, height)?;
        let layout = if one_hot {
            let one_hot = Some(OneHot { first: 0, planes: PLANES });
            Shown { one_hot, ..Shown::new([0, height, width]) }
        } else {
            Shown::new([height, width])
        };
        Env::new(py, keywords, size.into(), layout, |starts, _| boards("starts", starts, size))
    }

    /// Returns what each legal action leads to, in the order of `legal_actions`: the board after
    /// the slide, before the new tile, and the reward. The next call overwrites the arrays, except
    /// the offsets.
    ///
    /// Returns:
    ///     bitcade.g2048.Afterstates
    fn afterstates<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let mut games = exclusive(slf)?;
        let size = games.env.batch.rules().size;
        games.env.afterstates(slf.py(), "bitcade._afterstates.g2048", [size.height(), size.width()], [true, false])
    }
}

/// Plays random games and returns their statistics.
///
/// Args:
///     games (int): The number of games, at least 0.
///     width (int): The number of columns, 2 to 8.
///     height (int): The number of rows, 2 to 8.
///     seed (int): An integer from 0 to 2**64 - 1. The same seed plays the same games with any `num_threads`.
///     num_threads (int): The number of threads, 1 to 1024.
///
/// Returns:
///     dict: A dictionary with `games`, `mean_score`, `stderr_score` (standard error of the mean), `mean_moves`, and
///     `largest`: the number of games by largest tile. With 0 games, means are NaN.
#[pyfunction]
#[pyo3(signature = (games, *, width=4, height=4, seed=0, num_threads=1))]
pub(crate) fn playouts_2048<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = argument::games)] games: u64,
    #[pyo3(from_py_with = argument::width_2048)] width: usize,
    #[pyo3(from_py_with = argument::height_2048)] height: usize,
    #[pyo3(from_py_with = argument::seed)] seed: u64,
    #[pyo3(from_py_with = argument::num_threads)] num_threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let size = size(width, height)?;
    let plan = Plan { games, seed, threads: Threads::new(num_threads)? };
    statistics(py, &plan.play(py, Playouts::new(size, seed), quick(size))?)
}

/// Solves a small board size exactly.
///
/// Args:
///     width (int): The number of columns.
///     height (int): The number of rows, at most 9 cells in total.
///
/// Returns:
///     dict: A dictionary with the number of reachable `states`, that up to symmetry (`canonical`), and the mean scores
///     of the best player (`expected_score`) and of a random one (`random_score`).
///
/// Raises:
///     ValueError: A board with too many positions.
#[pyfunction]
pub(crate) fn solve_2048(
    py: Python<'_>,
    #[pyo3(from_py_with = argument::width_2048)] width: usize,
    #[pyo3(from_py_with = argument::height_2048)] height: usize,
) -> PyResult<Bound<'_, PyDict>> {
    let size = size(width, height)?;
    let pool = ThreadPool::single();
    let solution =
        interruptible(py, |stop| solve_until(&pool, size, stop))?.map_err(value_error)?;
    let result = PyDict::new(py);
    result.set_item("states", solution.states)?;
    result.set_item("canonical", solution.canonical)?;
    result.set_item("expected_score", solution.best_score)?;
    result.set_item("random_score", solution.random_score)?;
    Ok(result)
}

/// A trained n-tuple network for 4x4 boards.
#[pyclass(module = "bitcade._native", frozen, weakref)]
pub(crate) struct Network2048 {
    weights: Weights,
}

enum Weights {
    Large(Network),
    Small(SmallNetwork),
}

impl Weights {
    fn values(&self) -> &(dyn Evaluate + Sync) {
        match self {
            Self::Large(network) => network,
            Self::Small(network) => network,
        }
    }
}

#[pymethods]
impl Network2048 {
    /// Returns the network that comes with the package: a small one, with a mean score of 120,981 one move ahead.
    ///
    /// Returns:
    ///     Network2048
    #[staticmethod]
    fn builtin() -> Self {
        Self { weights: Weights::Small(SmallNetwork::builtin()) }
    }

    /// Reads a network from its file format: any object with a buffer, such as `bytes`. Networks of `bitcade 2048
    /// train` and of its option `--small` are read.
    ///
    /// Returns:
    ///     Network2048
    ///
    /// Raises:
    ///     ValueError: The bytes aren't a network.
    #[staticmethod]
    fn load(#[pyo3(from_py_with = argument::bytes)] bytes: Bound<'_, PyBytes>) -> PyResult<Self> {
        let bytes = bytes.as_bytes();
        let weights = match SmallNetwork::load(bytes) {
            Err(Error::FileName { .. }) => Network::load(bytes).map(Weights::Large),
            small => small.map(Weights::Small),
        };
        Ok(Self { weights: weights.map_err(value_error)? })
    }

    /// Returns the network in its file format.
    ///
    /// Returns:
    ///     bytes
    fn save<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let mut bytes = Vec::new();
        let sink = &mut |part: &[u8]| {
            if bytes.is_empty() {
                bytes.reserve(Network::file_length(part).map_or(0, |length| length as usize));
            }
            bytes.extend_from_slice(part);
        };
        match &self.weights {
            Weights::Large(network) => network.save(sink),
            Weights::Small(network) => network.save(sink),
        }
        PyBytes::new(py, &bytes)
    }

    /// Returns the best action for each board.
    ///
    /// Args:
    ///     boards (ArrayLike): Ranks, integers of shape `(k, 4, 4)`.
    ///     depth (int): The number of moves to search ahead; each more takes about 20 times as long.
    ///
    /// Returns:
    ///     list[int]: A list of k actions (0 left, 1 right, 2 up, 3 down); -1 if no move is legal.
    #[pyo3(signature = (boards, depth=1))]
    fn actions(
        &self,
        py: Python<'_>,
        boards: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = argument::depth)] depth: u32,
    ) -> PyResult<Vec<i64>> {
        /// Up to this depth a search takes milliseconds.
        const QUICK: u32 = 2;
        let boards = crate::g2048::boards("boards", boards, Size::CLASSIC)?;
        let mut search = Expectimax::new(self.weights.values(), Limits::depth(depth));
        let mut actions = Vec::new();
        for board in &boards {
            let choice =
                interruptible_if(py, depth > QUICK, |stop| search.search_until(board, stop))?;
            actions.push(choice.map_or(-1, |choice| choice.direction as i64));
            py.check_signals()?;
        }
        Ok(actions)
    }

    /// Plays whole games.
    ///
    /// Args:
    ///     games (int): The number of games, at least 0.
    ///     depth (int): The number of moves to search ahead.
    ///     seed (int): An integer from 0 to 2**64 - 1.
    ///     first (int): The number of the seed's first game to play: `evaluate(10, first=5)` plays games 5 to 14.
    ///     num_threads (int): The number of threads, 1 to 1024. The results don't depend on it.
    ///
    /// Returns:
    ///     list[tuple[int, int]]: A list with a tuple of score and largest tile for each game.
    #[pyo3(signature = (games, *, depth=1, seed=1, first=0, num_threads=1))]
    fn evaluate(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::games)] games: u64,
        #[pyo3(from_py_with = argument::depth)] depth: u32,
        #[pyo3(from_py_with = argument::seed)] seed: u64,
        #[pyo3(from_py_with = argument::first)] first: u64,
        #[pyo3(from_py_with = argument::num_threads)] num_threads: usize,
    ) -> PyResult<Vec<(u64, u64)>> {
        let games = numbered(first, games)?;
        let mut threads = Threads::new(num_threads)?;
        let pool = threads.pool();
        let mut results = Vec::new();
        interruptible(py, |stop| {
            let visit =
                |game: &Game| results.push((game.score(), 1 << game.board().max_rank().min(63)));
            let player = |_| Expectimax::new(self.weights.values(), Limits::depth(depth));
            play_games_until(pool, player, Rules::default(), seed, games, stop, visit)
        })?;
        Ok(results)
    }

    fn __reduce_ex__<'py>(
        &self,
        py: Python<'py>,
        protocol: u32,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let bytes = self.save(py).into_any();
        // From protocol 5 on, for example in Ray, the bytes needn't be copied once more.
        let bytes = if protocol < 5 {
            bytes
        } else {
            py.import("pickle")?.call_method1("PickleBuffer", (bytes,))?
        };
        Ok((py.get_type::<Self>().getattr("load")?, (bytes,)))
    }
}

/// A learner that trains an n-tuple network for 4x4 boards by self-play (temporal difference
/// learning).
///
/// Args:
///     seed (int): An integer from 0 to 2**64 - 1.
///     learning_rate (float): Above 0 and at most 1.
///     coherence (bool): Whether each weight adapts its own learning rate (temporal coherence).
///     num_threads (int): The number of threads, 1 to 1024. With one, training is repeatable.
///
/// Raises:
///     ValueError: An argument out of range.
#[pyclass(module = "bitcade._native", weakref)]
pub(crate) struct Learner2048 {
    learner: Learner,
    threads: Threads,
}

#[pymethods]
impl Learner2048 {
    #[new]
    #[pyo3(signature = (*, seed=1, learning_rate=1.0, coherence=true, num_threads=1))]
    fn new(
        #[pyo3(from_py_with = argument::seed)] seed: u64,
        learning_rate: f32,
        coherence: bool,
        #[pyo3(from_py_with = argument::num_threads)] num_threads: usize,
    ) -> PyResult<Self> {
        let settings = LearnerSettings { learning_rate, coherence, ..LearnerSettings::default() };
        let learner = Learner::new(settings, seed)
            .map_err(|error| value_error(format!("learning_rate={learning_rate}: {error}")))?;
        Ok(Self { learner, threads: Threads::new(num_threads)? })
    }

    /// Restores a learner from the bytes returned by `save`.
    ///
    /// Args:
    ///     bytes (ReadableBuffer): Any object with a buffer.
    ///     num_threads (int): The number of threads, 1 to 1024. With one, training is repeatable.
    ///
    /// Returns:
    ///     Learner2048
    ///
    /// Raises:
    ///     ValueError: The bytes aren't a learner.
    #[staticmethod]
    #[pyo3(signature = (bytes, *, num_threads=1))]
    fn load(
        #[pyo3(from_py_with = argument::bytes)] bytes: Bound<'_, PyBytes>,
        #[pyo3(from_py_with = argument::num_threads)] num_threads: usize,
    ) -> PyResult<Self> {
        let learner = Learner::load(bytes.as_bytes()).map_err(value_error)?;
        Ok(Self { learner, threads: Threads::new(num_threads)? })
    }

    /// Returns the learner's state as bytes, from which `load` resumes training.
    ///
    /// Returns:
    ///     bytes
    fn save<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyBytes>> {
        let mut bytes = Vec::new();
        shared(slf)?.learner.save(&mut |part| bytes.extend_from_slice(part));
        Ok(PyBytes::new(slf.py(), &bytes))
    }

    /// Trains until `games` games have been finished in total, not in addition.
    ///
    /// Args:
    ///     games (int): The number of games.
    fn learn(
        slf: &Bound<'_, Self>,
        #[pyo3(from_py_with = argument::games)] games: u64,
    ) -> PyResult<()> {
        let py = slf.py();
        let mut this = exclusive(slf)?;
        let Self { learner, threads } = &mut *this;
        while learner.games() < games {
            let pool = threads.pool();
            py.detach(|| learner.learn_parallel(pool, 4096));
            py.check_signals()?;
        }
        Ok(())
    }

    /// Returns the number of finished games.
    ///
    /// Returns:
    ///     int
    #[getter]
    fn games(slf: &Bound<'_, Self>) -> PyResult<u64> {
        Ok(shared(slf)?.learner.games())
    }

    /// Returns the number of moves played.
    ///
    /// Returns:
    ///     int
    #[getter]
    fn moves(slf: &Bound<'_, Self>) -> PyResult<u64> {
        Ok(shared(slf)?.learner.moves())
    }

    /// Returns the learning curve: for every 1,000 games, a tuple of the mean score and the
    /// fraction that reached the tile 2048.
    ///
    /// Returns:
    ///     list[tuple[float, float]]
    #[getter]
    fn curve(slf: &Bound<'_, Self>) -> PyResult<Vec<(f64, f64)>> {
        let games = g2048::network::CurvePoint::GAMES as f64;
        let point = |point: &g2048::network::CurvePoint| {
            (point.score as f64 / games, point.reached_2048 as f64 / games)
        };
        Ok(shared(slf)?.learner.curve().iter().map(point).collect())
    }

    /// Returns the network trained so far.
    ///
    /// Returns:
    ///     Network2048
    fn network(slf: &Bound<'_, Self>) -> PyResult<Network2048> {
        Ok(Network2048 { weights: Weights::Large(shared(slf)?.learner.network()) })
    }
}
