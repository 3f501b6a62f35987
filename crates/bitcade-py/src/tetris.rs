//! Tetris: the batch class and engine functions.

use crate::class::env_class;
use crate::convert::{
    SeedArgument, argument, choose, interruptible, interruptible_if, shared, starts_error, thread_count,
    value_error,
};
use crate::env::{self, Env, Options, PythonGames, boards_of, new_batch, with_layout};
use bitcore::batch::{Format, Games};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::num::NonZeroU32;
use tetris::batch::{Actions, BatchGame, BatchSettings, GarbageRate, RewardKind};
use tetris::movegen::{self, MoveRules, Placements, SpinMode};
use tetris::{Board, Piece, Rules};
use tetris_ai::bot::{BotWeights, GameState, Search};
use tetris_ai::control::{Controller, ControllerWeights, GamesSettings, SimplifiedGame, play_games_until};

/// Reads a board from rows of 0 and 1, top row first; missing rows above are empty.
fn board(rows: &[Vec<u8>]) -> PyResult<Board> {
    let mut text = String::new();
    for row in rows {
        text.extend(row.iter().map(|&cell| if cell == 0 { '.' } else { '#' }));
        text.push('\n');
    }
    text.parse().map_err(value_error)
}

fn piece(letter: &str) -> PyResult<Piece> {
    letter.parse().map_err(value_error)
}

impl PythonGames for tetris::batch::BatchGames {
    fn board(game: &BatchGame) -> env::Board {
        let board = game.game().board();
        let rows = (0..Board::HEIGHT as i32).rev();
        let cells = rows.flat_map(|y| (0..Board::WIDTH as i32).map(move |x| board.occupied(x, y).into()));
        env::Board { cells: cells.collect(), width: Board::WIDTH }
    }

    fn text(game: &BatchGame) -> String {
        game.game().board().to_string()
    }
}

env_class! {
    /// A batch of guideline Tetris games, stepped together.
    TetrisBatch: "bitcade.tetris", tetris::batch::BatchGames;

    #[new]
    #[pyo3(signature = (
        num_envs, *, seed=None, actions="placements", reward="lines", hold=true, next=5, rows=20,
        garbage=None, second_spawn_row=true, max_episode_steps=None, starts=None, planes=false,
        dtype="uint8", channels="first", autoreset_mode="SameStep", on_illegal="raise", num_threads=1,
    ))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments")]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = argument::num_envs)] num_envs: usize,
        seed: Option<SeedArgument>,
        actions: &str,
        reward: &str,
        hold: bool,
        #[pyo3(from_py_with = argument::next)] next: usize,
        #[pyo3(from_py_with = argument::rows)] rows: usize,
        #[pyo3(from_py_with = argument::garbage)] garbage: Option<(u32, u32)>,
        second_spawn_row: bool,
        #[pyo3(from_py_with = argument::max_episode_steps)] max_episode_steps: Option<u32>,
        starts: Option<&Bound<'_, PyAny>>,
        planes: bool,
        dtype: &str,
        channels: &str,
        autoreset_mode: &str,
        on_illegal: &str,
        #[pyo3(from_py_with = argument::num_threads)] num_threads: usize,
    ) -> PyResult<Self> {
        let moves = [("placements", Actions::Placements), ("drops", Actions::Drops)];
        let actions = choose("actions", actions, &moves)?;
        let rewards = [("lines", RewardKind::Lines), ("attack", RewardKind::Attack)];
        let reward = choose("reward", reward, &rewards)?;
        let garbage = garbage
            .and_then(|(every, lines)| Some(GarbageRate { every: NonZeroU32::new(every)?, lines }));
        let rules = Rules { hold, next, second_spawn_row, ..Rules::default() };
        let settings = BatchSettings { rules, actions, reward, rows, garbage };
        let is_memory = |error: &tetris::Error| matches!(error, tetris::Error::Games(_));
        let mut batch = new_batch::<tetris::batch::BatchGames>(py, num_envs, settings, is_memory)?;
        if let Some(starts) = starts {
            let starts = &py.import("numpy")?.call_method1("asarray", (starts,))?;
            let shape: Vec<usize> = starts.getattr("shape")?.extract()?;
            let height = shape.get(1).copied().unwrap_or(rows);
            let starts = boards_of("starts", starts, &[height, Board::WIDTH])?;
            let boards: PyResult<Vec<Board>> = starts
                .iter()
                .map(|cells| board(&cells.chunks(Board::WIDTH).map(<[u8]>::to_vec).collect::<Vec<_>>()))
                .collect();
            batch.set_starts(boards?).map_err(starts_error)?;
        }
        let plane = rows * Board::WIDTH;
        let (obs_shape, format) = if planes {
            let format = Format { layout: 1, plane, ..Format::default() };
            let cells = tetris::batch::BatchGames::layout_cells(batch.rules(), 1);
            let cells = cells.ok_or_else(|| value_error("planes: expected rows of at least 2"))?;
            (vec![cells / plane, rows, Board::WIDTH], format)
        } else {
            (vec![batch.cells()], Format::default())
        };
        let (obs_shape, format) = with_layout(obs_shape, format, dtype, channels)?;
        let options =
            Options { autoreset_mode, on_illegal, max_episode_steps, num_threads, obs_shape, format, seed };
        Ok(Self { env: Env::new(py, batch, options)? })
    }

    /// Returns the result of a game's last step: lines, spin, perfect clear, combo, back-to-back, attack,
    /// lines sent, garbage rows, and how the game ended, if it did (`over`). `None` if the game was reset
    /// since.
    fn lock_result<'py>(
        slf: &Bound<'py, Self>,
        #[pyo3(from_py_with = argument::game)] game: i64,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let (py, games) = (slf.py(), shared(slf)?);
        let Some(result) = games.env.view(game)?.lock_result() else { return Ok(None) };
        let dict = PyDict::new(py);
        dict.set_item("lines", result.clear.lines)?;
        dict.set_item("spin", result.clear.spin.to_string())?;
        dict.set_item("perfect_clear", result.clear.perfect)?;
        dict.set_item("combo", result.clear.combo)?;
        dict.set_item("back_to_back", result.clear.back_to_back)?;
        dict.set_item("attack", result.attack)?;
        dict.set_item("sent", result.sent)?;
        dict.set_item("garbage_rows", result.garbage_rows)?;
        dict.set_item("over", result.top_out.map(|over| over.to_string()))?;
        Ok(Some(dict))
    }
}

/// Returns every reachable placement of a piece on a board (rows of 0 and 1, top row first): dictionaries
/// with `orientation, x, y, spin, lines` and the `keys` to press. With `second_spawn_row`, a piece whose
/// spawn is blocked spawns one row higher.
#[pyfunction]
#[pyo3(signature = (board, piece, *, spins=true, second_spawn_row=true))]
pub(crate) fn tetris_placements<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = argument::board)] board: Vec<Vec<u8>>,
    piece: &str,
    spins: bool,
    second_spawn_row: bool,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let (board, piece) = (crate::tetris::board(&board)?, crate::tetris::piece(piece)?);
    let spin_mode = if spins { SpinMode::TSpins } else { SpinMode::Ignore };
    let rules = MoveRules { spin_mode, second_spawn_row };
    let mut found = Vec::new();
    for placement in &Placements::of(&board, piece, rules) {
        let at = placement.at;
        let mut after = board.place(at).unwrap_or(board);
        let keys = movegen::path(&board, placement, rules).unwrap_or_default();
        let dict = PyDict::new(py);
        dict.set_item("orientation", at.orientation.to_string())?;
        dict.set_item("x", at.x)?;
        dict.set_item("y", at.y)?;
        dict.set_item("spin", placement.spin.to_string())?;
        dict.set_item("lines", after.clear_lines())?;
        dict.set_item("keys", keys.iter().map(ToString::to_string).collect::<Vec<_>>())?;
        found.push(dict);
    }
    Ok(found)
}

/// Returns the bot's moves for a position after a search of `nodes` nodes, best first: dictionaries with
/// `hold, piece, orientation, x, y, spin`.
#[pyfunction]
#[pyo3(signature = (
    board, queue, *, hold=None, combo=0, back_to_back=false, nodes=20_000, second_spawn_row=true
))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments")]
pub(crate) fn tetris_bot<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = argument::board)] board: Vec<Vec<u8>>,
    queue: &str,
    hold: Option<&str>,
    #[pyo3(from_py_with = argument::combo)] combo: u32,
    back_to_back: bool,
    #[pyo3(from_py_with = argument::nodes)] nodes: u64,
    second_spawn_row: bool,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    /// A search of this many nodes takes a few milliseconds.
    const QUICK: u64 = 10_000;
    let queue: PyResult<Vec<Piece>> =
        queue.chars().map(|letter| piece(letter.encode_utf8(&mut [0; 4]))).collect();
    let state = GameState {
        board: crate::tetris::board(&board)?,
        hold: hold.map(piece).transpose()?,
        queue: queue?,
        combo,
        back_to_back,
        second_spawn_row,
        ..GameState::default()
    };
    if state.queue.is_empty() {
        return Err(value_error("queue: expected at least one piece"));
    }
    let mut search = Search::new(&state, BotWeights::default());
    interruptible_if(py, nodes > QUICK, |stop| search.run_until(nodes, &|| stop()))?;
    let mut found = Vec::new();
    for turn in search.ranked() {
        let at = turn.placement.at;
        let dict = PyDict::new(py);
        dict.set_item("hold", turn.hold)?;
        dict.set_item("piece", at.piece.to_string())?;
        dict.set_item("orientation", at.orientation.to_string())?;
        dict.set_item("x", at.x)?;
        dict.set_item("y", at.y)?;
        dict.set_item("spin", turn.placement.spin.to_string())?;
        found.push(dict);
    }
    Ok(found)
}

/// Plays `pieces` pieces of simplified Tetris with a controller (`dt20` or `dellacherie`). Returns a
/// dictionary with `games` and `lines` of finished games, `unfinished_games` and `unfinished_lines` of those
/// cut off, and `pieces`. The pieces are dealt in turn to 64 games in progress, a thousand to each.
#[pyfunction]
#[pyo3(signature = (pieces, *, weights="dt20", seed=1, num_threads=1))]
pub(crate) fn tetris_control<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = argument::pieces)] pieces: u64,
    weights: &str,
    #[pyo3(from_py_with = argument::seed)] seed: u64,
    #[pyo3(from_py_with = argument::num_threads)] num_threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let weights: ControllerWeights = weights.parse().map_err(value_error)?;
    let controller = Controller::new(weights);
    let threads = thread_count(num_threads)?.get();
    let settings = GamesSettings { games: None, pieces: Some(pieces), threads };
    let played = interruptible(py, |stop| play_games_until(&controller, settings, seed, stop, &|_, _| {}))?;
    let dict = PyDict::new(py);
    dict.set_item("games", played.finished.count)?;
    dict.set_item("lines", played.finished.sum as u64)?;
    dict.set_item("unfinished_games", played.unfinished.len())?;
    dict.set_item("unfinished_lines", played.unfinished.iter().map(SimplifiedGame::lines).sum::<u64>())?;
    dict.set_item("pieces", played.pieces)?;
    Ok(dict)
}
