//! Match-3: the batch class and engine functions.

use crate::class::env_class;
use crate::convert::{
    SeedArgument, Threads, argument, choose, interruptible, interruptible_if, shared, starts_error,
    value_error,
};
use crate::env::{self, Env, FEW, Options, PythonGames, boards_of, new_batch, with_layout, zeroed};
use bitcore::batch::{Format, OneHot};
use match3::{Board, Cell, Error, PlayerKind, Rules, ranked_swaps};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

fn boards(name: &str, boards: &Bound<'_, PyAny>, width: usize, height: usize) -> PyResult<Vec<Board>> {
    boards_of(name, boards, &[height, width])?.into_iter().map(|row| board(width, height, &row)).collect()
}

fn board(width: usize, height: usize, colors: &[u8]) -> PyResult<Board> {
    let cell = |&color: &u8| if color == 0 { Some(Cell::default()) } else { Cell::new(color) };
    let cells: Option<Vec<Cell>> = colors.iter().map(cell).collect();
    let cells = cells.ok_or_else(|| value_error("a board has a color that no cell can have"))?;
    Board::from_cells(width, height, cells).map_err(value_error)
}

/// Reads a board of any size from rows of colors, 0 for empty cells.
fn any_board(rows: &[Vec<u8>]) -> PyResult<Board> {
    let width = rows.first().map_or(0, Vec::len);
    if rows.iter().any(|row| row.len() != width) {
        return Err(value_error("board: rows of different lengths"));
    }
    board(width, rows.len(), &rows.concat())
}

fn rules(width: usize, height: usize, colors: u8, moves: u32) -> Rules {
    Rules { width, height, colors, moves }
}

impl PythonGames for match3::batch::BatchGames {
    fn board(game: Board) -> env::Board {
        env::Board { cells: game.cells().iter().map(|cell| cell.byte()).collect(), width: game.width() }
    }

    fn text(game: Board) -> String {
        game.to_string()
    }
}

env_class! {
    /// A batch of match-3 games, stepped together.
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
    /// other actions: float32, of shape `(num_envs, num_actions)`. The greedy player plays the maximum.
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

/// Returns the legal swaps of a board as tuples `(x, y, "H" or "V")`. The board is rows of colors, 0 for
/// empty cells.
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

/// Returns the legal swaps of a board with the points that each scores, best first: tuples `(x, y, "H" or
/// "V", points)`.
#[pyfunction]
pub(crate) fn match3_hints(
    #[pyo3(from_py_with = argument::board)] board: Vec<Vec<u8>>,
) -> PyResult<Vec<Hint>> {
    let ranked = ranked_swaps(&any_board(&board)?);
    Ok(ranked.iter().map(|(swap, result)| (swap.x, swap.y, axis(swap.axis), result.score)).collect())
}

/// Plays a level with an `agent`: `random`, `greedy`, or `rollout` with its `budget`. Returns the score of
/// each game.
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
