//! Match-3: the batch class and engine functions.

use crate::arrays::zeroed;
use crate::class::env_class;
use crate::convert::{
    SeedArgument, Threads, argument, choose, interruptible, interruptible_if, shared, starts_error,
    value_error,
};
use crate::env::{Env, FEW, Options, PythonGames, new_batch, with_layout};
use crate::input::boards_of;
use crate::state;
use bitcore::batch::{Format, OneHot};
use match3::{Board, Cell, Error, PlayerKind, Rules, ranked_swaps};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

fn boards(name: &str, boards: &Bound<'_, PyAny>, width: usize, height: usize) -> PyResult<Vec<Board>> {
    let board =
        |(index, row): (usize, Vec<u8>)| board(&format!("{name}: board {index}"), width, height, &row);
    boards_of(name, boards, &[height, width])?.into_iter().enumerate().map(board).collect()
}

/// Reads a board; error messages begin with `whose`.
fn board(whose: &str, width: usize, height: usize, colors: &[u8]) -> PyResult<Board> {
    let cell = |&color: &u8| {
        let cell = if color == 0 { Some(Cell::default()) } else { Cell::new(color) };
        cell.ok_or_else(|| value_error(format!("{whose}: {color} is no color of a cell")))
    };
    let cells: PyResult<Vec<Cell>> = colors.iter().map(cell).collect();
    Board::from_cells(width, height, cells?).map_err(|error| value_error(format!("{whose}: {error}")))
}

/// Reads a board of any size from rows of colors, 0 for empty cells.
fn any_board(rows: &[Vec<u8>]) -> PyResult<Board> {
    let width = rows.first().map_or(0, Vec::len);
    if rows.iter().any(|row| row.len() != width) {
        return Err(value_error("board: rows of different lengths"));
    }
    board("board", width, rows.len(), &rows.concat())
}

fn rules(width: usize, height: usize, colors: u8, moves: u32) -> Rules {
    Rules { width, height, colors, moves }
}

impl PythonGames for match3::batch::BatchGames {
    fn board(game: Board) -> state::Board {
        state::Board { cells: game.cells().iter().map(|cell| cell.byte()).collect(), width: game.width() }
    }

    fn text(game: Board) -> String {
        game.to_string()
    }

    fn arguments(rules: &Rules) -> String {
        let Rules { width, height, colors, moves } = rules;
        format!("width={width}, height={height}, colors={colors}, moves={moves}")
    }
}

env_class! {
    /// A batch of match-3 games, stepped together.
    ///
    /// `obs` is uint8, of shape `(num_envs, 2, height, width)`: the colors from 1, and the number of moves left in every
    /// cell (at most 255); with `one_hot` `(num_envs, colors + 1, height, width)`. An action is a swap of two neighbors:
    /// see `encode_action`. The reward is the score of the whole cascade: 10 points per cleared piece, times the level
    /// of the cascade.
    ///
    /// Args:
    ///     num_envs: The number of games, at least 0.
    ///     seed: An integer of at least 0 (game i plays stream i of the seed), a list with one per game, or `None`
    ///         for fresh entropy.
    ///     width: The number of columns, 1 to 16.
    ///     height: The number of rows, 1 to 16.
    ///     colors: The number of colors, 3 to 15.
    ///     moves: The number of moves of a game, at least 1; the last one terminates it.
    ///     starts: Start boards of colors, integers of shape `(k, height, width)`, without runs of three and with at
    ///         least one legal swap. Each new game draws one. By default boards are dealt at random.
    ///     one_hot: Whether observations are `colors` planes of 0 and 1, followed by the plane of moves left.
    ///     dtype: The type of the observations: `uint8`, or `float32` with the same values.
    ///     channels: Where the planes of an observation are: `first`, or `last`, of shape `(height, width, planes)`.
    Match3Batch: "bitcade.match3", match3::batch::BatchGames;

    #[new]
    #[pyo3(signature = (
        num_envs, *, seed=None, width=8, height=8, colors=6, moves=30, max_episode_steps=None, starts=None,
        one_hot=false, dtype="uint8", channels="first", autoreset_mode="SameStep", on_illegal="raise", num_threads=1
    ))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments")]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = argument::num_envs)] num_envs: usize,
        seed: Option<SeedArgument>,
        #[pyo3(from_py_with = argument::width)] width: usize,
        #[pyo3(from_py_with = argument::height)] height: usize,
        #[pyo3(from_py_with = argument::colors)] colors: u8,
        #[pyo3(from_py_with = argument::moves)] moves: u32,
        #[pyo3(from_py_with = argument::max_episode_steps)] max_episode_steps: Option<u32>,
        starts: Option<&Bound<'_, PyAny>>,
        one_hot: bool,
        dtype: &str,
        channels: &str,
        autoreset_mode: &str,
        on_illegal: &str,
        #[pyo3(from_py_with = argument::num_threads)] num_threads: usize,
    ) -> PyResult<Self> {
        let rules = rules(width, height, colors, moves);
        let is_memory = |error: &Error| matches!(error, Error::Games(_));
        let mut batch = new_batch::<match3::batch::BatchGames>(py, num_envs, rules, is_memory)?;
        if let Some(starts) = starts {
            batch.set_starts(boards("starts", starts, width, height)?).map_err(starts_error)?;
        }
        let (mut obs_shape, mut format) =
            (vec![2, height, width], Format { plane: width * height, ..Format::default() });
        if one_hot {
            obs_shape[0] = usize::from(colors) + 1;
            format.one_hot = Some(OneHot { first: 1, planes: colors });
        }
        let (obs_shape, format) = with_layout(obs_shape, format, dtype, channels)?;
        let options = Options {
            autoreset_mode,
            on_illegal,
            max_episode_steps,
            num_threads,
            obs_shape,
            format,
            seed,
        };
        Ok(Self { env: Env::new(py, batch, options)? })
    }

    /// Returns the points that each legal swap scores with the pieces already on the board (no refill), 0 for
    /// other actions: float32, of shape `(num_envs, num_actions)`, a new array. The greedy player plays the maximum.
    fn hints<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let (py, games) = (slf.py(), shared(slf)?);
        let env = &games.env;
        let (n, actions) = (env.batch().len(), env.batch().actions());
        let points = interruptible_if(py, n > FEW, |stop| {
            let mut points = zeroed(n * actions)?;
            for (board, points) in env.views().zip(points.chunks_exact_mut(actions.max(1))) {
                if stop() {
                    break;
                }
                for (swap, result) in ranked_swaps(&board) {
                    if let Some(action) = swap.action(board.width(), board.height()) {
                        points[action] = result.score as f32;
                    }
                }
            }
            Ok::<Vec<f32>, PyErr>(points)
        })??;
        PyArray1::from_vec(py, points).reshape([n, actions])
    }
}

/// Returns the legal swaps of a board.
///
/// Args:
///     board: Rows of colors from 1, top row first, 0 for empty cells; sides of 1 to 64.
///
/// Returns:
///     A list of tuples `(x, y, axis)`: the cell in column x and row y from the top left is swapped with its
///     neighbor to the right (`"H"`) or below (`"V"`).
///
/// Raises:
///     TypeError: The board isn't rows of integers.
///     ValueError: Rows of different lengths, or a number that is no color.
#[pyfunction]
pub(crate) fn match3_swaps(
    #[pyo3(from_py_with = argument::board)] board: Vec<Vec<u8>>,
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

/// Returns the legal swaps of a board, best first, with the points that each scores before any refill.
///
/// Args:
///     board: Rows of colors, as in `swaps`.
///
/// Returns:
///     A list of tuples `(x, y, axis, points)`.
#[pyfunction]
pub(crate) fn match3_hints(
    #[pyo3(from_py_with = argument::board)] board: Vec<Vec<u8>>,
) -> PyResult<Vec<Hint>> {
    let ranked = ranked_swaps(&any_board(&board)?);
    Ok(ranked.iter().map(|(swap, result)| (swap.x, swap.y, axis(swap.axis), result.score)).collect())
}

/// Plays whole games of a level with an automatic player.
///
/// Args:
///     games: The number of games, at least 0.
///     agent: `random` plays a random legal swap, `greedy` the swap with the best hint, `rollout` the best swap by
///         random playouts.
///     budget: The number of playouts per move (`rollout` only).
///     width: The number of columns, 1 to 16.
///     height: The number of rows, 1 to 16.
///     colors: The number of colors, 3 to 15.
///     moves: The number of moves of a game, at least 1.
///     seed: An integer from 0 to 2**64 - 1.
///     first: The number of the seed's first game to play.
///     num_threads: The number of threads, 1 to 1024. The results don't depend on it.
///
/// Returns:
///     A list with the score of each game.
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
    let (rules, mut threads) = (rules(width, height, colors, moves), Threads::new(num_threads)?);
    let (mut scores, pool) = (Vec::new(), threads.pool());
    interruptible(py, |stop| {
        let games = first..first.saturating_add(games);
        player.games_parallel(pool, rules, seed, games, stop, |score| scores.push(score))
    })?
    .map_err(value_error)?;
    Ok(scores)
}
