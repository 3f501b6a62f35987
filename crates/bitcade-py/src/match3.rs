//! The class and functions of match-3.

use crate::class::env_class;
use crate::convert::{SeedArgument, Threads, value_error};
use crate::env::{Env, OneHot, Options, boards_of, zeroed};
use match3::agent::Player;
use match3::{Board, Cell, Rules, RulesError, ranked_swaps};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// Returns boards of colors, 1 and up.
fn boards(name: &str, boards: &Bound<'_, PyAny>, width: usize, height: usize) -> PyResult<Vec<Board>> {
    boards_of(name, boards, &[height, width])?.into_iter().map(|row| board(width, height, &row)).collect()
}

fn board(width: usize, height: usize, colors: &[u8]) -> PyResult<Board> {
    let cell = |&color: &u8| if color == 0 { Some(Cell::default()) } else { Cell::new(color) };
    let cells: Option<Vec<Cell>> = colors.iter().map(cell).collect();
    let cells = cells.ok_or_else(|| value_error("a board has a color that no cell can have"))?;
    Board::from_cells(width, height, cells).map_err(value_error)
}

/// Returns one board of any size, from rows of colors with 0 for empty cells.
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

env_class! {
    /// Many games of match-3, stepped at once.
    Match3, match3::batch::BatchGames;

    #[new]
    #[pyo3(signature = (
        num_envs, *, seed=SeedArgument::One(0), width=8, height=8, colors=6, moves=30, max_steps=None, starts=None,
        one_hot=false, autoreset="same_step", on_illegal="raise", num_threads=1, level="auto"
    ))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments")]
    fn new(
        py: Python<'_>,
        num_envs: usize,
        seed: SeedArgument,
        width: usize,
        height: usize,
        colors: u8,
        moves: u32,
        max_steps: Option<u32>,
        starts: Option<&Bound<'_, PyAny>>,
        one_hot: bool,
        autoreset: &str,
        on_illegal: &str,
        num_threads: usize,
        level: &str,
    ) -> PyResult<Self> {
        let level = crate::convert::level(level)?;
        let mut batch = match3::Batch::new_on(level, num_envs, 0, rules(width, height, colors, moves)).map_err(|error| match error {
                RulesError::Games(error) => PyMemoryError::new_err(error.to_string()),
                error => value_error(error),
            })?;
        if let Some(starts) = starts {
            batch = batch.with_starts(boards("starts", starts, width, height)?).map_err(value_error)?;
        }
        let options = Options {
            autoreset,
            on_illegal,
            max_steps,
            num_threads,
            obs_shape: vec![height, width],
            one_hot: one_hot.then_some(OneHot { first: 1, planes: colors }),
            seed,
        };
        Ok(Self { env: Env::new(py, batch, options)? })
    }

    /// Returns the points that each legal swap makes by the pieces on the board alone, 0 for other actions:
    /// float32, of shape `(num_envs, num_actions)`. The greedy player plays the largest.
    fn hints<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let batch = self.env.batch();
        let actions = batch.actions();
        let points = py.detach(|| {
            let mut points = zeroed(batch.len() * actions)?;
            for (game, points) in points.chunks_exact_mut(actions.max(1)).enumerate() {
                let board = self.env.view(game)?;
                for (swap, result) in ranked_swaps(&board) {
                    if let Some(action) = swap.action(board.width(), board.height()) {
                        points[action] = result.score as f32;
                    }
                }
            }
            Ok::<Vec<f32>, PyErr>(points)
        })?;
        PyArray1::from_vec(py, points).reshape([batch.len(), actions])
    }

    /// Returns the board of one game as text.
    fn render(&self, game: usize) -> PyResult<String> {
        Ok(self.env.view(game)?.to_string())
    }
}

/// Returns the legal swaps of a board, rows of colors with 0 for empty cells: tuples `(x, y, "H" or "V")`.
#[pyfunction]
pub(crate) fn match3_swaps(board: Vec<Vec<u8>>) -> PyResult<Vec<(usize, usize, &'static str)>> {
    let swaps = match3::swaps(&any_board(&board)?);
    Ok(swaps.iter().map(|swap| (swap.x, swap.y, axis(swap.axis))).collect())
}

fn axis(axis: match3::Axis) -> &'static str {
    match axis {
        match3::Axis::Horizontal => "H",
        match3::Axis::Vertical => "V",
    }
}

/// A swap with the points that it makes.
type Hint = (usize, usize, &'static str, u64);

/// Returns the legal swaps of a board with the points that each makes, best first.
#[pyfunction]
pub(crate) fn match3_hints(board: Vec<Vec<u8>>) -> PyResult<Vec<Hint>> {
    let ranked = ranked_swaps(&any_board(&board)?);
    Ok(ranked.iter().map(|(swap, result)| (swap.x, swap.y, axis(swap.axis), result.score)).collect())
}

/// Plays games of a level by a player (`random`, `greedy` or `rollout` with a budget). Returns the score of
/// each.
#[pyfunction]
#[pyo3(signature = (
    games, *, agent="greedy", budget=100, width=8, height=8, colors=6, moves=30, seed=1, first=0, num_threads=1
))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments")]
pub(crate) fn match3_evaluate(
    py: Python<'_>,
    games: u64,
    agent: &str,
    budget: u32,
    width: usize,
    height: usize,
    colors: u8,
    moves: u32,
    seed: u64,
    first: u64,
    num_threads: usize,
) -> PyResult<Vec<u64>> {
    /// The games between two looks at Python's signals.
    const CHUNK: u64 = 256;
    let player = match agent {
        "random" => Player::Random,
        "greedy" => Player::Greedy,
        "rollout" => Player::Rollout(budget),
        _ => return Err(value_error(format!("agent={agent:?}: expected random, greedy or rollout"))),
    };
    let (rules, mut threads) = (rules(width, height, colors, moves), Threads::new(num_threads)?);
    let chunk = if agent == "rollout" { 1 } else { CHUNK } * num_threads as u64;
    let (mut scores, end, mut next) = (Vec::new(), first.saturating_add(games), first);
    while next < end {
        let last = end.min(next + chunk);
        let pool = threads.pool();
        py.detach(|| {
            player.games_parallel(pool, rules, seed, next..last, &|| false, |score| scores.push(score))
        })
        .map_err(value_error)?;
        next = last;
        py.check_signals()?;
    }
    Ok(scores)
}
