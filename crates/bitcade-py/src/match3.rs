//! Match-3: the batch class and engine functions.

use crate::arrays::zeroed;
use crate::class::env_class;
use crate::convert::{
    Threads, argument, choose, interruptible, interruptible_if, numbered, value_error,
};
use crate::env::{Env, FEW, Shown};
use crate::input::{self, boards_of};
use crate::play_on::{Plan, set_mean};
use crate::state::{self, PythonGames};
use bitcade_core::Stopped;
use bitcade_core::batch::OneHot;
use match3::{Board, Cell, Error, Game, PlayerKind, Playouts, Rules, Swap, ranked_swaps};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

fn boards(
    name: &str,
    boards: &Bound<'_, PyAny>,
    width: usize,
    height: usize,
) -> PyResult<Vec<Board>> {
    let board = |(index, row): (usize, Vec<u8>)| {
        board(&format!("{name}: board {index}"), width, height, &row)
    };
    boards_of(name, boards, &[height, width])?.into_iter().enumerate().map(board).collect()
}

/// Reads a board; error messages begin with `whose`.
fn board(whose: &str, width: usize, height: usize, colors: &[u8]) -> PyResult<Board> {
    let cell = |&color: &u8| {
        let cell = if color == 0 { Some(Cell::default()) } else { Cell::new(color) };
        cell.ok_or_else(|| value_error(format!("{whose}: {color} is no color of a cell")))
    };
    let cells: PyResult<Vec<Cell>> = colors.iter().map(cell).collect();
    Board::from_cells(width, height, cells?)
        .map_err(|error| value_error(format!("{whose}: {error}")))
}

/// Reads a board of any size from rows of colors, 0 for empty cells.
fn any_board(rows: &[Vec<u8>]) -> PyResult<Board> {
    let width = rows.first().map_or(0, Vec::len);
    if rows.iter().any(|row| row.len() != width) {
        return Err(value_error("board: rows of different lengths"));
    }
    board("board", width, rows.len(), &rows.concat())
}

impl PythonGames for match3::batch::BatchGames {
    fn board(game: Board) -> state::Board {
        state::Board {
            cells: game.cells().iter().map(|cell| cell.byte()).collect(),
            width: game.width(),
        }
    }

    fn text(game: Board) -> String {
        game.to_string()
    }

    fn arguments(rules: &Rules) -> String {
        let Rules { width, height, colors, moves } = rules;
        format!("width={width}, height={height}, colors={colors}, moves={moves}")
    }

    fn is_memory(error: &Self::Error) -> bool {
        matches!(error, Error::Games(_))
    }

    fn play_on<'py>(
        py: Python<'py>,
        rules: &Rules,
        game: Board,
        steps: u32,
        plan: Plan,
    ) -> PyResult<Bound<'py, PyDict>> {
        let left = Rules { moves: rules.moves.saturating_sub(steps), ..*rules };
        let position = Game::with_board(left, &game).map_err(value_error)?;
        let seed = plan.seed;
        let stats = plan.play(py, Playouts::from_game(&position, seed), 16)?;
        let result = PyDict::new(py);
        result.set_item("games", stats.games)?;
        set_mean(&result, "score", &stats.score)?;
        result.set_item("stderr_score", crate::convert::standard_error(&stats.score))?;
        result.set_item("mean_moves", stats.moves as f64 / stats.games as f64)?;
        result.set_item("mean_cleared", stats.cleared as f64 / stats.games as f64)?;
        Ok(result)
    }
}

env_class! {
    /// A batch of match-3 games, stepped together.
    ///
    /// `obs` is uint8, of shape `(num_envs, 2, height, width)`: the colors from 1, and the number
    /// of moves left in every cell (at most 255); with `one_hot`
    /// `(num_envs, colors + 1, height, width)`. An action is a swap of two neighbors: see
    /// `encode_action`. The reward is the score of the whole cascade: 10 points per cleared piece,
    /// times the level of the cascade.
    Match3Batch as "Batch": "bitcade.match3", match3::batch::BatchGames;

    new(py, keywords;
        *;
        /// The number of columns, 1 to 16.
        width "int": usize = 8 in 1 to 16;
        /// The number of rows, 1 to 16.
        height "int": usize = 8 in 1 to 16;
        /// The number of colors, 3 to 15.
        colors "int": u8 = 6 in 3 to 15;
        /// The number of moves of a game, at least 1; the last one terminates it.
        moves "int": u32 = 30 in 1 to u32::MAX;
        /// Whether observations are `colors` planes of 0 and 1, followed by the plane of moves
        /// left.
        one_hot "bool": bool = false;
        starts:
        /// Start boards of colors, integers of shape `(k, height, width)`, without runs of three
        /// and with at least one legal swap. Each new game draws one. By default boards are dealt
        /// at random.
    ) {
        let rules = Rules { width, height, colors, moves };
        let one_hot = one_hot.then_some(OneHot { first: 1, planes: colors });
        let layout = Shown { one_hot, ..Shown::new([0, height, width]) };
        Env::new(py, keywords, rules, layout, |starts, _| boards("starts", starts, width, height))
    }

    /// Returns the points that each legal swap scores with the pieces already on the board (no
    /// refill), 0 for other actions: float32, of shape `(num_envs, num_actions)`, a new array. The
    /// greedy player plays the maximum.
    ///
    /// Returns:
    ///     NDArray[float32]
    fn hints<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        shared(slf)?.env.points(slf.py(), |board| {
            let swaps = ranked_swaps(&board).into_iter().map(|(swap, result)| (swap, result.score));
            (board.width(), board.height(), swaps.collect())
        })
    }
}

impl<G: PythonGames> Env<G> {
    /// Returns the points of all actions in all games, from the width, height and swaps of each.
    pub(crate) fn points<'py>(
        &self,
        py: Python<'py>,
        hints: impl Fn(G::View<'_>) -> (usize, usize, Vec<(Swap, u64)>) + Sync,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let n = self.batch.len();
        let actions = self.batch.actions();
        let points = interruptible_if(py, n > FEW, |stop| {
            let mut points = match zeroed(n * actions) {
                Ok(points) => points,
                Err(error) => return Ok(Err(error)),
            };
            for (game, points) in self.views().zip(points.chunks_exact_mut(actions.max(1))) {
                if stop() {
                    return Err(Stopped);
                }
                let (width, height, swaps) = hints(game);
                for (swap, score) in swaps {
                    if let Some(action) = swap.action(width, height) {
                        points[action] = score as f32;
                    }
                }
            }
            Ok(Ok(points))
        })??;
        PyArray1::from_vec(py, points).reshape([n, actions])
    }
}

/// Returns the legal swaps of a board.
///
/// Args:
///     board (Board): Rows of colors from 1, top row first, 0 for empty cells; sides of 1 to 64.
///
/// Returns:
///     list[tuple[int, int, 'H' | 'V']]: A list of tuples `(x, y, axis)`: the cell in column x and row y from the top
///     left is swapped with its neighbor to the right (`"H"`) or below (`"V"`).
///
/// Raises:
///     TypeError: The board isn't rows of integers.
///     ValueError: Rows of different lengths, or a number that is no color.
#[pyfunction]
pub(crate) fn match3_swaps(
    #[pyo3(from_py_with = input::board)] board: Vec<Vec<u8>>,
) -> PyResult<Vec<(usize, usize, &'static str)>> {
    let swaps = match3::swaps(&any_board(&board)?);
    Ok(swaps.iter().map(|swap| (swap.x, swap.y, axis(swap.axis))).collect())
}

fn axis(axis: match3::Axis) -> &'static str {
    match axis {
        match3::Axis::Horizontal => "H",
        match3::Axis::Vertical => "V",
    }
}

type Hint = (usize, usize, &'static str, u64);

/// Returns the legal swaps of a board, best first, with the points that each scores before any
/// refill.
///
/// Args:
///     board (Board): Rows of colors, as in `swaps`.
///
/// Returns:
///     list[tuple[int, int, 'H' | 'V', int]]: A list of tuples `(x, y, axis, points)`.
#[pyfunction]
pub(crate) fn match3_hints(
    #[pyo3(from_py_with = input::board)] board: Vec<Vec<u8>>,
) -> PyResult<Vec<Hint>> {
    let ranked = ranked_swaps(&any_board(&board)?);
    Ok(ranked
        .iter()
        .map(|(swap, result)| (swap.x, swap.y, axis(swap.axis), result.score))
        .collect())
}

/// Plays whole games of a level with an automatic player.
///
/// Args:
///     games (int): The number of games, at least 0.
///     agent ('random' | 'greedy' | 'rollout'): `random` plays a random legal swap, `greedy` the swap with the best
///         hint, `rollout` the best swap by random playouts.
///     budget (int): The number of playouts per move (`rollout` only).
///     width (int): The number of columns, 1 to 16.
///     height (int): The number of rows, 1 to 16.
///     colors (int): The number of colors, 3 to 15.
///     moves (int): The number of moves of a game, at least 1.
///     seed (int): An integer from 0 to 2**64 - 1.
///     first (int): The number of the seed's first game to play.
///     num_threads (int): The number of threads, 1 to 1024. The results don't depend on it.
///
/// Returns:
///     list[int]: A list with the score of each game.
#[pyfunction]
#[pyo3(signature = (
    games, *, agent="greedy", budget=100, width=8, height=8, colors=6, moves=30, seed=1, first=0, num_threads=1
))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments")]
pub(crate) fn match3_evaluate(
    py: Python<'_>,
    #[pyo3(from_py_with = argument::games)] games: u64,
    agent: &str,
    #[pyo3(from_py_with = argument::budget)] budget: u32,
    #[pyo3(from_py_with = argument::width)] width: usize,
    #[pyo3(from_py_with = argument::height)] height: usize,
    #[pyo3(from_py_with = argument::colors)] colors: u8,
    #[pyo3(from_py_with = argument::moves)] moves: u32,
    #[pyo3(from_py_with = argument::seed)] seed: u64,
    #[pyo3(from_py_with = argument::first)] first: u64,
    #[pyo3(from_py_with = argument::num_threads)] num_threads: usize,
) -> PyResult<Vec<u64>> {
    let players = [
        ("random", PlayerKind::Random),
        ("greedy", PlayerKind::Greedy),
        ("rollout", PlayerKind::Rollout(budget)),
    ];
    let player = choose("agent", agent, &players)?;
    let rules = Rules { width, height, colors, moves };
    let games = numbered(first, games)?;
    let mut threads = Threads::new(num_threads)?;
    let pool = threads.pool();
    let mut scores = Vec::new();
    interruptible(py, |stop| {
        player.games_until(pool, rules, seed, games, stop, |score| scores.push(score))
    })?
    .map_err(value_error)?;
    Ok(scores)
}
