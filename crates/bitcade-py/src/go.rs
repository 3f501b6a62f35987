//! Go: the batch class and engine functions.

use crate::class::env_class;
use crate::convert::{Threads, argument, choose, interruptible, thread_count, value_error};
use crate::env::Shown;
use crate::input::{self, boards_of};
use crate::play_on::{Plan, set_mean};
use crate::state::{self, PythonGames};
use go_mc::batch::Layout;
use go_mc::batch::{BatchGames, BatchView};
use go_mc::search::{Search, Settings};
use go_mc::{
    Board, Color, Error, Game, Ko, Komi, Move, Ownership, Playouts, Point, Rules, Size, Stats,
    Suicide,
};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

const KO: [(&str, Ko); 3] =
    [("simple", Ko::Simple), ("positional", Ko::Positional), ("situational", Ko::Situational)];
const SUICIDE: [(&str, Suicide); 3] =
    [("forbidden", Suicide::Forbidden), ("multi", Suicide::Multi), ("all", Suicide::All)];
const COLORS: [(&str, Color); 2] = [("black", Color::Black), ("white", Color::White)];

/// Reads a board from rows, top row first: 0 empty, 1 black, 2 white. Error messages begin with
/// `whose`.
fn board<'a>(whose: &str, rows: impl IntoIterator<Item = &'a [u8]>) -> PyResult<Board> {
    let mut text = String::new();
    for row in rows {
        for &cell in row {
            text.push(match cell {
                0 => '.',
                1 => 'X',
                2 => 'O',
                _ => return Err(value_error(format!("{whose}: expected 0, 1 or 2, found {cell}"))),
            });
        }
        text.push('\n');
    }
    text.parse().map_err(|error| value_error(format!("{whose}: {error}")))
}

/// Reads the komi: a multiple of 0.5, at most 1000 either way.
fn komi_of(komi: f64) -> PyResult<Komi> {
    let found = Komi::try_from(komi).ok().filter(|_| komi.abs() <= 1000.0);
    found.ok_or_else(|| value_error(format!("komi={komi}: expected a multiple of 0.5")))
}

/// Returns the size of a square board, one of `sizes`.
fn square(size: usize, sizes: &[usize]) -> PyResult<Size> {
    let found = Size::square(size).filter(|_| sizes.contains(&size));
    found.ok_or_else(|| value_error(format!("size={size}: expected one of {sizes:?}")))
}

impl PythonGames for BatchGames {
    fn board(game: BatchView) -> state::Board {
        let board = game.board();
        let size = board.size();
        let points = (0..size.height()).rev().flat_map(|y| (0..size.width()).map(move |x| (x, y)));
        let cell = |(x, y)| match board.at(Point { x: x as u8, y: y as u8 }) {
            None => 0,
            Some(Color::Black) => 1,
            Some(Color::White) => 2,
        };
        state::Board { cells: points.map(cell).collect(), width: size.width() }
    }

    fn text(game: BatchView) -> String {
        game.board().to_string()
    }

    fn arguments(rules: &Rules) -> String {
        let name = |kind: &dyn std::fmt::Debug| format!("{kind:?}").to_lowercase();
        let size = rules.size.width();
        let komi = rules.komi;
        let ko = name(&rules.ko);
        let suicide = name(&rules.suicide);
        format!("size={size}, komi={komi}, ko={ko:?}, suicide={suicide:?}")
    }

    fn is_memory(error: &Self::Error) -> bool {
        matches!(error, Error::Games(_))
    }

    fn play_on<'py>(
        py: Python<'py>,
        rules: &Rules,
        game: BatchView,
        _: u32,
        plan: Plan,
    ) -> PyResult<Bound<'py, PyDict>> {
        // Whoever passed was to move before, on the same board.
        let passes = usize::from(game.passes());
        let first = if passes == 1 { game.to_move().other() } else { game.to_move() };
        let mut position = Game::from_board(game.board().clone(), first, *rules);
        for _ in 0..passes {
            position.play(Move::Pass).map_err(value_error)?;
        }
        let playouts = Playouts::from_game(&position, plan.seed).map_err(value_error)?;
        statistics(py, &plan.play(py, playouts, 0)?)
    }
}

fn statistics<'py>(py: Python<'py>, stats: &Stats) -> PyResult<Bound<'py, PyDict>> {
    let result = PyDict::new(py);
    result.set_item("games", stats.games)?;
    set_mean(&result, "stones", &stats.stones)?;
    set_mean(&result, "plies", &stats.plies)?;
    set_mean(&result, "score", &stats.score)?;
    result.set_item("stderr_score", crate::convert::standard_error(&stats.score))?;
    result.set_item("black_wins", stats.black_wins)?;
    Ok(result)
}

env_class! {
    /// A batch of Go games, stepped together; the caller plays both colors.
    ///
    /// `obs` is uint8, of shape `(num_envs, 6, size, size)`: planes of the player to move, listed
    /// in `help(bitcade.go)`. Action row * size + column is the point in that row from the top,
    /// size * size is the pass. The reward is 0 until two passes end the game, then 1, -1 or 0 for
    /// the player who made the last one.
    GoBatch as "Batch": "bitcade.go", BatchGames;

    new(py, keywords;
        *;
        /// The side of the board.
        size "5 | 7 | 9 | 13 | 19": usize = 9 in 5 to 19;
        /// White's compensation in points, a multiple of 0.5 from -1000 to 1000.
        komi "float": f64 = 7.5;
        /// `simple`, or superko: `positional` or `situational`.
        ko "'simple' | 'positional' | 'situational'": &str = "positional";
        /// `forbidden`, allowed for chains of two or more (`multi`), or for `all`.
        suicide "'forbidden' | 'multi' | 'all'": &str = "forbidden";
        /// The color to move on start boards.
        start_color "'black' | 'white'": &str = "black";
        /// The number of positions in an observation, 1 to 8, as AlphaGo Zero's: the stones of the
        /// player to move in the last `history` positions, newest first, the opponent's, and a
        /// plane that is 1 if Black is to move; 0 for the six planes above.
        history "int": u8 = 0 in 0 to 8;
        starts:
        /// Start boards of 0 empty, 1 black, 2 white: integers of shape `(k, size, size)`, top row
        /// first, where every chain has a liberty. Each new game draws one. By default boards are
        /// empty.
    ) {
        let ko = choose("ko", ko, &KO)?;
        let suicide = choose("suicide", suicide, &SUICIDE)?;
        let start_color = choose("start_color", start_color, &COLORS)?;
        let rules = Rules { size: square(size, &[5, 7, 9, 13, 19])?, ko, suicide, komi: komi_of(komi)? };
        let layout = if history == 0 { Layout::Features } else { Layout::History(history) };
        let layout = Shown { layout, ..Shown::new([0, size, size]) };
        let start = |(index, cells): (usize, Vec<u8>)| {
            Ok((board(&format!("starts: board {index}"), cells.chunks(size))?, start_color))
        };
        Env::new(py, keywords, rules, layout, |starts, _| {
            boards_of("starts", starts, &[size, size])?.into_iter().enumerate().map(start).collect()
        })
    }

    /// Returns the color to move in each game: 0 for Black, 1 for White. uint8, of shape
    /// `(num_envs,)`.
    ///
    /// Returns:
    ///     NDArray[uint8]
    fn to_move<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        shared(slf)?.env.each(slf.py(), |game| game.to_move() as u8)
    }

    /// Returns the Tromp-Taylor score of each game in points: Black's area minus White's, minus
    /// komi. float32, of shape `(num_envs,)`.
    ///
    /// Returns:
    ///     NDArray[float32]
    fn scores<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        shared(slf)?.env.each(slf.py(), |game| game.score().half_points() as f32 / 2.0)
    }

    /// Returns the number of passes since the last stone of each game: 0, 1, or 2 if they ended the
    /// game. uint8, of shape `(num_envs,)`.
    ///
    /// Returns:
    ///     NDArray[uint8]
    fn passes<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        shared(slf)?.env.each(slf.py(), |game| game.passes())
    }
}

/// Plays random games from the empty board and returns their statistics. Players never fill their
/// own eyes.
///
/// Args:
///     games (int): The number of games, at least 0.
///     size (5 | 9 | 13 | 19): 5, 9, 13 or 19.
///     suicide ('forbidden' | 'multi' | 'all'): `forbidden`, `multi` or `all`.
///     seed (int): An integer from 0 to 2**64 - 1. The same seed plays the same games with any `num_threads`.
///     num_threads (int): The number of threads, 1 to 1024.
///
/// Returns:
///     dict: A dictionary with `games`, `mean_stones`, `mean_plies`, `mean_score` (Black's area minus White's, without
///     komi), `stderr_score` and `black_wins` (at a komi of 7.5, of a state at its own). With 0 games, means are NaN.
#[pyfunction]
#[pyo3(signature = (games, *, size=9, suicide="forbidden", seed=1, num_threads=1))]
pub(crate) fn go_playouts<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = argument::games)] games: u64,
    #[pyo3(from_py_with = argument::size)] size: usize,
    suicide: &str,
    #[pyo3(from_py_with = argument::seed)] seed: u64,
    #[pyo3(from_py_with = argument::num_threads)] num_threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let suicide = choose("suicide", suicide, &SUICIDE)?;
    let rules = Rules { suicide, ..square(size, &[5, 9, 13, 19])?.into() };
    let playouts = Playouts::new(rules, seed).map_err(value_error)?;
    let plan = Plan { games, seed, threads: Threads::new(num_threads)? };
    statistics(py, &plan.play(py, playouts, 0)?)
}

/// Estimates who owns each point of a board by random playouts.
///
/// Args:
///     board (Board): Rows of points, top row first: 0 empty, 1 black, 2 white. A square of 5, 9, 13 or 19.
///     games (int): The number of playouts.
///     seed (int): An integer from 0 to 2**64 - 1.
///
/// Returns:
///     NDArray[float32]: float32, of the shape of the board: from 1 (Black) to -1 (White); NaN if `games` is 0.
///
/// Raises:
///     TypeError: The board isn't rows of integers.
///     ValueError: Another number or size, or a chain without a liberty.
#[pyfunction]
#[pyo3(signature = (board, *, games=1000, seed=1))]
pub(crate) fn go_ownership<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = input::board)] board: Vec<Vec<u8>>,
    #[pyo3(from_py_with = argument::playouts_u32)] games: u32,
    #[pyo3(from_py_with = argument::seed)] seed: u64,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let board = crate::go::board("board", board.iter().map(Vec::as_slice))?;
    let width = board.size().width();
    let height = board.size().height();
    let ownership = interruptible(py, |stop| Ownership::estimate_until(&board, games, seed, stop))?
        .map_err(value_error)?;
    let mut values = Vec::new();
    for y in (0..height).rev() {
        for x in 0..width {
            let point = Point { x: x as u8, y: y as u8 };
            values.push(if games == 0 { f32::NAN } else { ownership.value(point) as f32 });
        }
    }
    PyArray1::from_vec(py, values).reshape([height, width])
}

/// Searches for the best move.
///
/// Args:
///     board (Board): Rows of points, as in `ownership`.
///     to_move ('black' | 'white'): `black` or `white`.
///     komi (float): A multiple of 0.5 from -1000 to 1000.
///     playouts (int): The number of playouts of the search.
///     num_threads (int): The number of threads, 1 to 1024. With one, the result depends only on the arguments.
///     seed (int): An integer from 0 to 2**64 - 1.
///
/// Returns:
///     dict: A dictionary with the `action` (row * size + column from the top left, size * size to pass), its
///     `win_rate` from 0 to 1, `to_move`, and the `candidates`, best first: tuples of action, visits and win rate.
///     Win rates are those of the player to move.
///
/// Raises:
///     TypeError: The board isn't rows of integers.
///     ValueError: A wrong board, color or komi.
#[pyfunction]
#[pyo3(signature = (board, *, to_move="black", komi=7.5, playouts=10_000, num_threads=1, seed=1))]
pub(crate) fn go_best_move<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = input::board)] board: Vec<Vec<u8>>,
    to_move: &str,
    komi: f64,
    #[pyo3(from_py_with = argument::playouts)] playouts: u64,
    #[pyo3(from_py_with = argument::num_threads)] num_threads: usize,
    #[pyo3(from_py_with = argument::seed)] seed: u64,
) -> PyResult<Bound<'py, PyDict>> {
    /// Playouts per call of the search. Not to be changed lightly: results depend on where the
    /// calls end.
    const CHUNK: u64 = 2000;
    let board = crate::go::board("board", board.iter().map(Vec::as_slice))?;
    let size = board.size();
    let rules = Rules { komi: komi_of(komi)?, ..size.into() };
    let game = Game::from_board(board, choose("to_move", to_move, &COLORS)?, rules);
    let threads = thread_count(num_threads)?.get();
    let settings = Settings { threads, seed, tromp_taylor: true, ..Settings::default() };
    let mut search = Search::new(&game, &settings).map_err(value_error)?;
    let mut left = playouts;
    while left > 0 {
        let chunk = left.min(CHUNK);
        interruptible(py, |stop| search.run_until(chunk, stop))?;
        left -= chunk;
    }
    // Every candidate is a move on this board, so it has an action.
    let action = |mv: Move| mv.action(size).unwrap_or_default();
    let candidates: Vec<(u32, u64, f64)> =
        search.candidates().iter().map(|c| (action(c.mv), c.visits, c.win_rate)).collect();
    let result = PyDict::new(py);
    result.set_item("action", candidates.first().map(|best| best.0))?;
    result.set_item("win_rate", candidates.first().map(|best| best.2))?;
    result.set_item("to_move", COLORS[game.to_move() as usize].0)?;
    result.set_item("candidates", candidates)?;
    Ok(result)
}
