//! Match-3 levels in files: the level, one game of it for a bot, playtests and their reports.

use crate::convert::{Threads, argument, interruptible, numbered, type_error, value_error};
use match3::level::{
    Agent, Content, Cover, Ground, Level, LevelBoard, LevelGame, LevelSpec, Limit, Playtest,
    PlaytestReport, Target,
};
use match3::{Axis, Player, Swap, ThreadPool};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A level of match-3, as a level file describes it. It never changes.
///
/// `Level.load` reads a file and `Level.parse` a text: TOML, as docs/level-files.md describes it.
/// Levels can be compared and pickled.
#[pyclass(frozen, name = "Level", module = "bitcade.match3")]
pub(crate) struct PyLevel {
    pub(crate) level: Arc<Level>,
}

#[pymethods]
impl PyLevel {
    /// Reads a level from the text of a level file.
    ///
    /// Args:
    ///     text (str): The text, TOML.
    ///
    /// Returns:
    ///     Level
    ///
    /// Raises:
    ///     ValueError: What is wrong, and its line and column.
    #[staticmethod]
    fn parse(text: &str) -> PyResult<Self> {
        let level = Level::from_toml(text).map_err(value_error)?;
        Ok(Self { level: Arc::new(level) })
    }

    /// Reads a level file.
    ///
    /// Args:
    ///     path (str | PathLike[str]): The name of the file.
    ///
    /// Returns:
    ///     Level
    ///
    /// Raises:
    ///     OSError: The file can't be read.
    ///     ValueError: What is wrong, with the name of the file, its line and column.
    #[staticmethod]
    fn load(path: &Bound<'_, PyAny>) -> PyResult<Self> {
        let file = path.py().import("pathlib")?.getattr("Path")?.call1((path,))?;
        let bytes: Vec<u8> = file.call_method0("read_bytes")?.extract()?;
        let level = String::from_utf8(bytes)
            .map_err(|_| "expected text in UTF-8".to_owned())
            .and_then(|text| Level::from_toml(&text).map_err(|error| error.to_string()));
        let level = level.map_err(|error| value_error(format!("{file}: {error}")))?;
        Ok(Self { level: Arc::new(level) })
    }

    /// Returns the text of a level file, which `parse` reads back as an equal level.
    ///
    /// Returns:
    ///     str
    fn to_toml(&self) -> String {
        self.level.to_toml()
    }

    /// Returns the name; empty if the file has none.
    ///
    /// Returns:
    ///     str
    #[getter]
    fn name(&self) -> &str {
        &self.level.spec().name
    }

    /// Returns the number of columns.
    ///
    /// Returns:
    ///     int
    #[getter]
    fn width(&self) -> usize {
        self.level.width()
    }

    /// Returns the number of rows.
    ///
    /// Returns:
    ///     int
    #[getter]
    fn height(&self) -> usize {
        self.level.height()
    }

    /// Returns the number of colors.
    ///
    /// Returns:
    ///     int
    #[getter]
    fn colors(&self) -> u8 {
        self.level.colors()
    }

    /// Returns the number of moves; `None` if the level has a limit of time.
    ///
    /// Returns:
    ///     int | None
    #[getter]
    fn moves(&self) -> Option<u32> {
        match self.level.spec().limit {
            Limit::Moves(moves) => Some(moves),
            Limit::Time(_) => None,
        }
    }

    /// Returns the count of each goal, by the names of level files; those of colors are `color 1`
    /// and so on.
    ///
    /// Returns:
    ///     Mapping[str, int]
    #[getter]
    fn goals(&self) -> BTreeMap<String, u32> {
        let goals = self.level.spec().goals.iter();
        goals.map(|goal| (goal_name(goal.target), goal.count)).collect()
    }

    /// Compares what the levels were made from.
    ///
    /// Returns:
    ///     bool
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> Option<bool> {
        Some(self.level == other.cast_exact::<Self>().ok()?.get().level)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, &self.to_toml()).hash()
    }

    fn __repr__(&self) -> String {
        let LevelSpec { name, width, height, .. } = self.level.spec();
        format!("<bitcade.match3.Level {name:?}: {width} x {height}>")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("parse")?, (slf.get().to_toml(),)))
    }
}

/// Reads a level, or the text of its file.
pub(crate) fn level_of(value: &Bound<'_, PyAny>) -> PyResult<Arc<Level>> {
    if let Ok(level) = value.cast::<PyLevel>() {
        return Ok(level.get().level.clone());
    }
    let Ok(text) = value.cast::<PyString>() else {
        return Err(type_error("level", "a Level, or the text of a level file", value));
    };
    let text = text.to_str()?;
    let level = Level::from_toml(text).map_err(|error| {
        let hint = if text.contains('\n') { "" } else { " (Level.load reads a file)" };
        value_error(format!("level: {error}{hint}"))
    });
    level.map(Arc::new)
}

/// Returns the name of a target, as the program's reports have it.
fn goal_name(target: Target) -> String {
    match target {
        Target::Score => "score".to_owned(),
        Target::Color(color) => format!("color {color}"),
        Target::Locked => "locks".to_owned(),
        Target::Jelly => "jelly".to_owned(),
        Target::Crates => "crates".to_owned(),
        Target::Ice => "ice".to_owned(),
        Target::Items => "items".to_owned(),
        Target::SetOff => "set_off".to_owned(),
        Target::Made => "made".to_owned(),
    }
}

fn goals_of<T>(level: &Level, counts: &[T]) -> BTreeMap<String, T>
where
    T: Copy,
{
    let goals = level.spec().goals.iter().zip(counts);
    goals.map(|(goal, &count)| (goal_name(goal.target), count)).collect()
}

/// Returns an array with a number of each cell.
fn cells_array<'py, T: Element>(
    py: Python<'py>,
    width: usize,
    cells: Vec<T>,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let height = cells.len() / width.max(1);
    PyArray1::from_vec(py, cells).reshape([height, width])
}

/// The layers of a board, by name: a number of each cell.
const LAYERS: [&str; 9] =
    ["color", "special", "lock", "ice", "crate", "item", "jelly", "wall", "void"];

/// Returns a layer of a board.
fn layer(board: &LevelBoard, name: &str) -> Vec<u8> {
    let number = |cell: match3::level::LevelCell| match (name, cell.content) {
        ("color", Content::Piece { color, .. }) => color,
        ("special", Content::Piece { special, .. }) => special.map_or(0, |kind| kind as u8 + 1),
        ("lock", Content::Piece { cover, .. }) => (cover == Cover::Lock).into(),
        ("ice", Content::Piece { cover: Cover::Ice(layers), .. })
        | ("crate", Content::Crate(layers)) => layers,
        ("item", content) => (content == Content::Item).into(),
        ("jelly", _) => cell.jelly,
        ("wall", _) => (cell.ground == Ground::Wall).into(),
        ("void", _) => (cell.ground == Ground::Void).into(),
        _ => 0,
    };
    board.cells().map(number).collect()
}

type PySwap = (usize, usize, &'static str);

fn shown(swap: Swap) -> PySwap {
    (swap.x, swap.y, if swap.axis == Axis::Horizontal { "H" } else { "V" })
}

/// Reads a swap that is legal in a game; errors begin with `name`.
fn legal_swap(name: &str, value: &Bound<'_, PyAny>, game: &LevelGame) -> PyResult<Swap> {
    let (x, y, axis): (usize, usize, String) =
        value.extract().map_err(|_| type_error(name, "a swap (x, y, 'H' or 'V')", value))?;
    let legal = game.legal_moves().iter();
    legal.copied().find(|&swap| shown(swap) == (x, y, axis.as_str())).ok_or_else(|| {
        value_error(format!("{name}: ({x}, {y}, {axis}) is not a legal swap of this game"))
    })
}

/// What a bot sees of a game of a level before it chooses a swap. It never changes.
#[pyclass(frozen, name = "LevelGame", module = "bitcade.match3")]
pub(crate) struct PyLevelGame {
    game: LevelGame,
    seed: u64,
}

#[pymethods]
impl PyLevelGame {
    /// Returns the legal swaps `(x, y, "H" or "V")`, by row, then column.
    ///
    /// Returns:
    ///     list[tuple[int, int, 'H' | 'V']]
    #[getter]
    fn swaps(&self) -> Vec<PySwap> {
        self.game.legal_moves().iter().copied().map(shown).collect()
    }

    /// Returns the board as layers: a dictionary of arrays, uint8 of shape `(height, width)`, of
    /// each `color`, kind of `special` piece (1 for a row, 2 column, 3 bomb, 4 color, 5 square),
    /// `lock`, layers of `ice`, layers of a `crate`, `item`, layers of `jelly`, `wall` and `void`;
    /// 0 for none.
    ///
    /// Returns:
    ///     Mapping[str, NDArray[uint8]]
    #[getter]
    fn layers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let layers = PyDict::new(py);
        for name in LAYERS {
            let board = self.game.board();
            layers.set_item(name, cells_array(py, board.width(), layer(board, name))?)?;
        }
        Ok(layers)
    }

    /// Returns what each goal lacks, by name as in `Level.goals`.
    ///
    /// Returns:
    ///     Mapping[str, int]
    #[getter]
    fn goals_left(&self) -> BTreeMap<String, u32> {
        goals_of(self.game.level(), self.game.left())
    }

    /// Returns the number of moves left.
    ///
    /// Returns:
    ///     int
    #[getter]
    fn left(&self) -> u32 {
        self.game.limit_left()
    }

    /// Returns the number of moves played.
    ///
    /// Returns:
    ///     int
    #[getter]
    fn moves(&self) -> u32 {
        self.game.moves()
    }

    /// Returns the points so far.
    ///
    /// Returns:
    ///     int
    #[getter]
    fn score(&self) -> u64 {
        self.game.score()
    }

    /// Returns a number that is the same in all moves of a game and in every run, 0 to 2**64 - 1,
    /// for bots that draw.
    ///
    /// Returns:
    ///     int
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns what a swap leads to with the pieces that are on the board, before any new ones: the
    /// points, and what each goal then lacks.
    ///
    /// Args:
    ///     swap (tuple[int, int, str]): One of `swaps`.
    ///
    /// Returns:
    ///     tuple[int, Mapping[str, int]]
    ///
    /// Raises:
    ///     ValueError: The swap isn't legal.
    fn foresee(&self, swap: &Bound<'_, PyAny>) -> PyResult<(u64, BTreeMap<String, u32>)> {
        let swap = legal_swap("swap", swap, &self.game)?;
        let (result, left) = self.game.foresee(swap).map_err(value_error)?;
        Ok((result.score, goals_of(self.game.level(), &left)))
    }

    fn __repr__(&self) -> String {
        format!("<bitcade.match3.LevelGame after {} moves>", self.game.moves())
    }
}

/// A bot of the caller. The first exception ends the playtest.
struct Bot {
    call: Arc<Py<PyAny>>,
    seed: u64,
    failure: Arc<Mutex<Option<PyErr>>>,
}

impl Bot {
    fn ask(&self, game: &LevelGame) -> PyResult<Swap> {
        Python::attach(|py| {
            py.check_signals()?;
            let seen = Bound::new(py, PyLevelGame { game: game.clone(), seed: self.seed })?;
            legal_swap("agent", &self.call.bind(py).call1((seen,))?, game)
        })
    }
}

impl Player<LevelGame> for Bot {
    fn choose(&mut self, game: &LevelGame) -> Option<Swap> {
        self.ask(game).ok()
    }

    fn choose_until(
        &mut self,
        game: &LevelGame,
        _: bitcade_core::Stop<'_>,
    ) -> Result<Option<Swap>, bitcade_core::Stopped> {
        self.ask(game).map(Some).map_err(|error| {
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            bitcade_core::Stopped
        })
    }
}

/// Plays many games of a level by one agent.
///
/// Game i of a seed meets the same luck on every level, on any number of threads, and in the
/// program's `match3 playtest`, whose numbers these are. So reports of parts of the games, as
/// `first` selects them, add up to the report of all.
///
/// Args:
///     level (Level | str): The level, or the text of its file. It needs a goal; one with a limit of time has a move
///         for each five seconds.
///     agent (str | Callable[[LevelGame], tuple[int, int, str]]): `random`; `greedy`, who takes what counts most towards
///         the goals; `careful`, who tries swaps out; `human`, or `human:N,RATE`, who sees N of the swaps and slips at a
///         RATE; or your own bot: a function of a `LevelGame` that returns one of its `swaps`. It is called on the
///         calling thread.
///     games (int): The number of games, at least 0.
///     seed (int): An integer from 0 to 2**64 - 1.
///     first (int): The number of the seed's first game to play.
///     num_threads (int): The number of threads, 1 to 1024. The results don't depend on it.
///
/// Returns:
///     PlaytestReport
///
/// Raises:
///     ValueError: No such agent, a level without goals, or a bot that returned an illegal swap.
#[pyfunction]
#[pyo3(signature = (level, agent, *, games=1000, seed=1, first=0, num_threads=1))]
pub(crate) fn match3_playtest(
    py: Python<'_>,
    level: &Bound<'_, PyAny>,
    agent: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = argument::games)] games: u64,
    #[pyo3(from_py_with = argument::seed)] seed: u64,
    #[pyo3(from_py_with = argument::first)] first: u64,
    #[pyo3(from_py_with = argument::num_threads)] num_threads: usize,
) -> PyResult<PyPlaytestReport> {
    let level = level_of(level)?;
    if level.spec().goals.is_empty() {
        return Err(value_error("level: no goals, so nobody can pass it"));
    }
    numbered(first, games)?;
    let mut threads = Threads::new(num_threads)?;
    let played = if let Ok(name) = agent.cast::<PyString>() {
        let name = name.to_str()?;
        let agent: Agent =
            name.parse().map_err(|error| value_error(format!("agent={name:?}: {error}")))?;
        let mut playtest = Playtest::new(level.clone(), agent, seed);
        let pool = threads.pool();
        interruptible(py, |stop| {
            playtest.skip(first);
            playtest.play_until(pool, games, stop, |_| ())
        })?
    } else if agent.is_callable() {
        let call = Arc::new(agent.clone().unbind());
        let failure = Arc::new(Mutex::new(None));
        let failed = failure.clone();
        let bot = move |mut rng: match3::Rng| -> Box<dyn Player<LevelGame>> {
            let (call, failure) = (call.clone(), failure.clone());
            Box::new(Bot { call, seed: rng.next_u64(), failure })
        };
        let mut playtest = Playtest::with_player(level.clone(), bot, seed);
        playtest.skip(first);
        let played = playtest.play_until(&ThreadPool::single(), games, &|| false, |_| ());
        played.map_err(|_| {
            let error = failed.lock().unwrap_or_else(PoisonError::into_inner).take();
            error.unwrap_or_else(|| value_error("agent: no swap"))
        })?
    } else {
        return Err(type_error("agent", "a name, or a function of a LevelGame", agent));
    };
    Ok(PyPlaytestReport(Kept::new(&level, played)))
}

/// A report and what its lists belong to.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    width: usize,
    height: usize,
    goals: Vec<String>,
    report: PlaytestReport,
}

impl Kept {
    fn new(level: &Level, mut report: PlaytestReport) -> Self {
        let (width, height) = (level.width(), level.height());
        let goals: Vec<String> =
            level.spec().goals.iter().map(|goal| goal_name(goal.target)).collect();
        // A report of no game has no lists.
        report.lacked.resize(goals.len(), 0);
        report.cleared.resize(width * height, 0);
        report.lost_at.resize(width * height, 0);
        Self { width, height, goals, report }
    }

    fn is_whole(&self) -> bool {
        let Self { width, height, goals, report } = self;
        let cells = width.checked_mul(*height).filter(|&cells| cells > 0);
        Some(report.cleared.len()) == cells
            && report.lost_at.len() == report.cleared.len()
            && report.lacked.len() == goals.len()
    }
}

/// Sums over the games of a playtest. It never changes; the sum of two reports of one level is
/// that of all their games, also by `sum`.
#[pyclass(frozen, name = "PlaytestReport", module = "bitcade.match3")]
pub(crate) struct PyPlaytestReport(Kept);

#[pymethods]
impl PyPlaytestReport {
    /// Returns the number of games.
    ///
    /// Returns:
    ///     int
    #[getter]
    fn games(&self) -> u64 {
        self.0.report.games
    }

    /// Returns the number of games in which all goals were reached.
    ///
    /// Returns:
    ///     int
    #[getter]
    fn won(&self) -> u64 {
        self.0.report.won
    }

    /// Returns the number of games that ended without a legal swap.
    ///
    /// Returns:
    ///     int
    #[getter]
    fn dead(&self) -> u64 {
        self.0.report.dead
    }

    /// Returns the number of lost games in which no goal lacked more than a tenth of its count,
    /// rounded up.
    ///
    /// Returns:
    ///     int
    #[getter]
    fn near_misses(&self) -> u64 {
        self.0.report.near_misses
    }

    /// Returns by number of moves how many games were won with them.
    ///
    /// Returns:
    ///     Mapping[int, int]
    #[getter]
    fn moves_needed(&self) -> BTreeMap<u32, u64> {
        self.0.report.moves_needed.clone()
    }

    /// Returns by moves left how many games were won with them.
    ///
    /// Returns:
    ///     Mapping[int, int]
    #[getter]
    fn left_at_win(&self) -> BTreeMap<u32, u64> {
        self.0.report.left_at_win.clone()
    }

    /// Returns by points how many games ended with them.
    ///
    /// Returns:
    ///     Mapping[int, int]
    #[getter]
    fn scores(&self) -> BTreeMap<u64, u64> {
        self.0.report.scores.clone()
    }

    /// Returns the moves of all games.
    ///
    /// Returns:
    ///     int
    #[getter]
    fn moves(&self) -> u64 {
        self.0.report.moves
    }

    /// Returns the legal swaps of all moves.
    ///
    /// Returns:
    ///     int
    #[getter]
    fn choices(&self) -> u64 {
        self.0.report.choices
    }

    /// Returns the cascade levels of all moves.
    ///
    /// Returns:
    ///     int
    #[getter]
    fn cascade_levels(&self) -> u64 {
        self.0.report.cascade_levels
    }

    /// Returns the levels of the longest cascade.
    ///
    /// Returns:
    ///     int
    #[getter]
    fn longest_cascade(&self) -> u64 {
        self.0.report.longest_cascade
    }

    /// Returns the number of moves that the level's bound on cascades ended.
    ///
    /// Returns:
    ///     int
    #[getter]
    fn limited(&self) -> u64 {
        self.0.report.limited
    }

    /// Returns the number of shuffles.
    ///
    /// Returns:
    ///     int
    #[getter]
    fn shuffles(&self) -> u64 {
        self.0.report.shuffles
    }

    /// Returns the share of games that were won, and the bounds of its 95 % interval (Wilson); NaN
    /// without games.
    ///
    /// Returns:
    ///     tuple[float, float, float]
    #[getter]
    fn pass_rate(&self) -> (f64, f64, f64) {
        self.0.report.pass_rate().unwrap_or([f64::NAN; 3]).into()
    }

    /// Returns the moves within which the best 5 % of all games were won, of the published
    /// predictors of how many people pass a level the best; `None` if fewer games were won.
    ///
    /// Returns:
    ///     int | None
    #[getter]
    fn moves_of_best(&self) -> Option<u32> {
        self.0.report.moves_of_best()
    }

    /// Returns what each goal lacked in all lost games together, by name as in `Level.goals`.
    ///
    /// Returns:
    ///     Mapping[str, int]
    #[getter]
    fn lacked(&self) -> BTreeMap<String, u64> {
        let Kept { goals, report, .. } = &self.0;
        goals.iter().cloned().zip(report.lacked.iter().copied()).collect()
    }

    /// Returns the pieces that were cleared in each cell: uint64, of shape `(height, width)`.
    ///
    /// Returns:
    ///     NDArray[uint64]
    #[getter]
    fn cleared<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        cells_array(py, self.0.width, self.0.report.cleared.clone())
    }

    /// Returns for each cell the lost games that ended with something there that a goal still
    /// wanted (jelly, a crate, ice, a lock or an item): uint64, of shape `(height, width)`.
    ///
    /// Returns:
    ///     NDArray[uint64]
    #[getter]
    fn lost_at<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        cells_array(py, self.0.width, self.0.report.lost_at.clone())
    }

    /// Returns the points that a share of the games doesn't exceed; `None` without games.
    ///
    /// Args:
    ///     share (float): 0 to 1, such as 0.5 for the median.
    ///
    /// Returns:
    ///     int | None
    ///
    /// Raises:
    ///     ValueError: The share isn't within 0 to 1.
    fn score_at(&self, share: f64) -> PyResult<Option<u64>> {
        if !(0.0..=1.0).contains(&share) {
            return Err(value_error(format!("share={share}: expected 0 to 1")));
        }
        Ok(self.0.report.score_at(share))
    }

    /// Returns the report as JSON, which `from_json` reads back.
    ///
    /// Returns:
    ///     str
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.0).map_err(value_error)
    }

    /// Reads a report that `to_json` has written.
    ///
    /// Args:
    ///     text (str): The text.
    ///
    /// Returns:
    ///     PlaytestReport
    ///
    /// Raises:
    ///     ValueError: It isn't the text of a report.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        let kept: Kept =
            serde_json::from_str(text).map_err(|error| value_error(format!("text: {error}")))?;
        if !kept.is_whole() {
            return Err(value_error("text: not a report: its lists have other lengths"));
        }
        Ok(Self(kept))
    }

    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Ok(other) = other.cast_exact::<Self>() else {
            return Err(type_error("sum", "another PlaytestReport", other));
        };
        let (mut sum, other) = (self.0.clone(), other.get().0.clone());
        if (sum.width, sum.height, &sum.goals) != (other.width, other.height, &other.goals) {
            return Err(value_error("sum: the reports of different levels"));
        }
        sum.report += other.report;
        Ok(Self(sum))
    }

    // `sum` begins with 0.
    fn __radd__(slf: Py<Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        if other.eq(0)? {
            return Ok(slf);
        }
        Err(type_error("sum", "another PlaytestReport", other))
    }

    /// Compares all numbers.
    ///
    /// Returns:
    ///     bool
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> Option<bool> {
        Some(self.0 == other.cast_exact::<Self>().ok()?.get().0)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, &self.to_json()?).hash()
    }

    fn __repr__(&self) -> String {
        let PlaytestReport { games, won, .. } = self.0.report;
        format!("<bitcade.match3.PlaytestReport: {won} of {games} games won>")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_json")?, (slf.get().to_json()?,)))
    }
}
