//! Tetris: the batch class and engine functions.

use crate::class::env_class;
use crate::convert::{
    U32, argument, choose, integer, interruptible, interruptible_if, name_of, thread_count,
    type_error, value_error,
};
use crate::env::Shown;
use crate::input::{self, boards_of};
use crate::play_on::Plan;
use crate::state::{self, PythonGames};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::num::NonZeroU32;
use tetris::batch::{Actions, BatchGame, BatchSettings, GarbageRate, Layout, RewardKind};
use tetris::movegen::{self, MoveRules, Placements, SpinMode};
use tetris::{Board, Piece, Placement, Playouts, RotationSystem, Rules};
use tetris_ai::bot::{BotWeights, GameState, Search};
use tetris_ai::control::{
    Controller, ControllerWeights, GamesSettings, SimplifiedGame, SimplifiedGames,
};

/// Reads a board from rows of 0 and 1, top row first; missing rows above are empty. Error messages
/// begin with `whose`.
fn board(whose: &str, rows: &[Vec<u8>]) -> PyResult<Board> {
    let mut text = String::new();
    for row in rows {
        text.extend(row.iter().map(|&cell| if cell == 0 { '.' } else { '#' }));
        text.push('\n');
    }
    text.parse().map_err(|error| value_error(format!("{whose}: {error}")))
}

/// Reads start boards from an array of any height, or from nested lists. `rows` is the height that
/// an error about another shape names.
pub(crate) fn boards(starts: &Bound<'_, PyAny>, rows: usize) -> PyResult<Vec<Board>> {
    let starts = &starts.py().import("numpy")?.call_method1("asarray", (starts,))?;
    let shape: Vec<usize> = starts.getattr("shape")?.extract()?;
    let height = shape.get(1).copied().unwrap_or(rows);
    let starts = boards_of("starts", starts, &[height, Board::WIDTH])?;
    starts
        .iter()
        .enumerate()
        .map(|(index, cells)| {
            let rows = cells.chunks(Board::WIDTH).map(<[u8]>::to_vec).collect::<Vec<_>>();
            board(&format!("starts: board {index}"), &rows)
        })
        .collect()
}

/// The names of the numberings of moves.
pub(crate) const ACTIONS: [(&str, Actions); 2] =
    [("placements", Actions::Placements), ("drops", Actions::Drops)];

/// The names of the rewards.
pub(crate) const REWARDS: [(&str, RewardKind); 3] =
    [("lines", RewardKind::Lines), ("attack", RewardKind::Attack), ("score", RewardKind::Score)];

/// The names of the rotation systems.
const ROTATIONS: [(&str, RotationSystem); 3] = [
    ("srs", RotationSystem::Srs),
    ("srs-plus", RotationSystem::SrsPlus),
    ("srs-x", RotationSystem::SrsX),
];

/// The names of the treatments of spins.
const SPINS: [(&str, SpinMode); 3] =
    [("none", SpinMode::Ignore), ("t-spins", SpinMode::TSpins), ("all-mini", SpinMode::AllMini)];

/// Returns the rules by the arguments of a batch.
pub(crate) fn rules(
    hold: bool,
    next: usize,
    second_spawn_row: bool,
    rotation: &str,
    spins: &str,
) -> PyResult<Rules> {
    Ok(Rules {
        hold,
        next,
        second_spawn_row,
        rotation_system: choose("rotation", rotation, &ROTATIONS)?,
        spin_mode: choose("spins", spins, &SPINS)?,
        ..Rules::default()
    })
}

/// Returns the cells of a board for Python.
pub(crate) fn cells(board: &Board) -> state::Board {
    let rows = (0..Board::HEIGHT as i32).rev();
    let cells =
        rows.flat_map(|y| (0..Board::WIDTH as i32).map(move |x| board.occupied(x, y).into()));
    state::Board { cells: cells.collect(), width: Board::WIDTH }
}

/// Reads pieces per delivery of garbage and its lines.
fn garbage(value: &Bound<'_, PyAny>) -> PyResult<Option<GarbageRate>> {
    if value.is_none() {
        return Ok(None);
    }
    let pair: PyResult<[Bound<'_, PyAny>; 2]> = value.extract();
    let [every, lines] =
        &pair.map_err(|_| type_error("garbage", "a tuple (pieces, lines)", value))?;
    let every = integer("garbage: pieces", every, 1, U32)?;
    let lines = integer("garbage: lines", lines, 0, U32)?;
    Ok(NonZeroU32::new(every).map(|every| GarbageRate { every, lines }))
}

fn piece(name: &str, letter: &str) -> PyResult<Piece> {
    let found = letter.parse();
    found.map_err(|_| value_error(format!("{name}={letter:?}: expected one of I O T S Z J L")))
}

impl PythonGames for tetris::batch::BatchGames {
    fn board(game: &BatchGame) -> state::Board {
        cells(game.game().board())
    }

    fn text(game: &BatchGame) -> String {
        game.game().board().to_string()
    }

    fn arguments(settings: &BatchSettings) -> String {
        let BatchSettings { rules, actions, reward, rows, .. } = settings;
        let hold = if rules.hold { "True" } else { "False" };
        let name = |kind: &dyn std::fmt::Debug| format!("{kind:?}").to_lowercase();
        let actions = name(actions);
        let reward = name(reward);
        let next = rules.next;
        format!("actions={actions:?}, reward={reward:?}, hold={hold}, next={next}, rows={rows}")
    }

    fn is_memory(error: &Self::Error) -> bool {
        matches!(error, tetris::Error::Games(_))
    }

    fn play_on<'py>(
        py: Python<'py>,
        _: &BatchSettings,
        game: &BatchGame,
        _: u32,
        plan: Plan,
    ) -> PyResult<Bound<'py, PyDict>> {
        let playouts = Playouts::from_game(game.game(), plan.seed);
        let stats = plan.play(py, playouts, 16)?;
        let result = PyDict::new(py);
        result.set_item("games", stats.games)?;
        result.set_item("mean_pieces", stats.pieces as f64 / stats.games as f64)?;
        result.set_item("mean_lines", stats.lines as f64 / stats.games as f64)?;
        Ok(result)
    }
}

env_class! {
    /// A batch of guideline Tetris games, stepped together; a step places one piece.
    ///
    /// `obs` is uint8, of shape `(num_envs, 10 * rows + 4 + next)`: the cells of the visible rows,
    /// top row first, then the current piece, the held piece, the next ones (1 to 7 for I O T S Z J
    /// L, 0 for none), the combo, back-to-back, and with `garbage` the pending lines.
    /// `decode_action` says what an action means.
    TetrisBatch as "Batch": "bitcade.tetris", tetris::batch::BatchGames;

    new(py, keywords;
        *;
        /// `placements` are all places that a piece can be moved to (1,760 actions, 880 without
        /// hold), `drops` only hard drops from above (80, or 40).
        actions "'placements' | 'drops'": &str = "placements";
        /// `lines` cleared, `attack`, the lines of garbage sent, or `score`, the guideline's points
        /// for a clear on level 1.
        reward "'lines' | 'attack' | 'score'": &str = "lines";
        /// Whether a piece can be held.
        hold "bool": bool = true;
        /// The number of pieces in the preview, 0 to 15.
        next "int": usize = 5 in 0 to 15;
        /// The number of rows in the observation, 1 to 40, counted from the floor.
        rows "int": usize = 20 in 1 to 40;
        /// A pair (pieces, lines): after every so many pieces, that many lines of garbage arrive.
        garbage "Sequence[int] | NDArray[integer] | None": Option<GarbageRate> = None by garbage;
        /// Whether a piece whose spawn is blocked spawns one row higher.
        second_spawn_row "bool": bool = true;
        /// The kicks: `srs` of the guideline, or `srs-plus` and `srs-x` of TETR.IO, with half turns.
        rotation "'srs' | 'srs-plus' | 'srs-x'": &str = "srs";
        /// What spins count: those of a T, or also every piece that can't move back as a mini, which
        /// TETR.IO calls all-mini+.
        spins "'none' | 't-spins' | 'all-mini'": &str = "t-spins";
        /// Whether observations are planes of shape `(rows, 10)`: the board, the current piece at
        /// its spawn, its ghost where it lands if it drops straight, the held piece, the next ones,
        /// and one plane filled with each count. Needs `rows` of at least 2.
        planes "bool": bool = false;
        starts:
        /// Start boards of 0 and 1, integers of shape `(k, height, 10)`, top row first, with at
        /// most 40 rows and room for every piece to spawn. Each new game draws one. By default
        /// boards are empty.
    ) {
        let rules = rules(hold, next, second_spawn_row, rotation, spins)?;
        let actions = choose("actions", actions, &ACTIONS)?;
        let reward = choose("reward", reward, &REWARDS)?;
        let layout = match (planes, rows) {
            (false, _) => Shown::new([0]),
            (true, 1) => return Err(value_error("planes: expected rows of at least 2")),
            (true, _) => Shown { layout: Layout::Planes, ..Shown::new([0, rows, Board::WIDTH]) },
        };
        let settings = BatchSettings { rules, actions, reward, rows, garbage };
        Env::new(py, keywords, settings, layout, |starts, _| boards(starts, rows))
    }

    /// Returns what each legal action leads to, in the order of `legal_actions`: the visible rows
    /// after the lock and the clear, before the next piece and any garbage; the reward; the lines
    /// cleared; and the features. The next call overwrites the arrays, except the offsets.
    ///
    /// Args:
    ///     boards (bool): Whether the boards are wanted; without them, that array has no rows.
    ///     features (bool): Whether the features are wanted; without them, that array has no rows.
    ///
    /// Returns:
    ///     bitcade.tetris.Afterstates
    #[pyo3(signature = (*, boards=true, features=true))]
    fn afterstates<'py>(
        slf: &Bound<'py, Self>,
        boards: bool,
        features: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut games = exclusive(slf)?;
        let board = [games.env.batch.rules().rows, Board::WIDTH];
        games.env.afterstates(slf.py(), "bitcade._afterstates.tetris", board, [boards, features])
    }

    /// Returns the result of a game's last step, or `None` if the game was reset since.
    ///
    /// Returns:
    ///     dict | None: A dictionary with `lines` cleared, `spin` (`none`, `mini` or `full`), `perfect_clear`, `combo`,
    ///     `back_to_back`, `attack` (lines), `sent` (what is left of it after pending garbage), `garbage_rows` (that
    ///     entered the board), and `over`: how the game ended, or `None`.
    ///
    /// Raises:
    ///     IndexError: There is no such game.
    fn lock_result<'py>(
        slf: &Bound<'py, Self>,
        #[pyo3(from_py_with = argument::game)] game: i64,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let py = slf.py();
        let games = shared(slf)?;
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

    /// Returns a game's pieces and chains as the keyword arguments of `bot`, whatever the
    /// observations show.
    ///
    /// Returns:
    ///     dict: `queue` (the current piece and the next ones, such as `"TIO"`), `hold` (the held piece or `None`), `combo`,
    ///         `back_to_back` (whether the last clear was difficult), `second_spawn_row`, `rotation` and `spins`.
    ///
    /// Raises:
    ///     IndexError: There is no such game.
    fn bot_arguments<'py>(
        slf: &Bound<'py, Self>,
        #[pyo3(from_py_with = argument::game)] game: i64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let py = slf.py();
        let games = shared(slf)?;
        let game = games.env.view(game)?.game();
        let queue = [game.piece()].into_iter().chain(game.next().iter().copied());
        let dict = PyDict::new(py);
        dict.set_item("queue", queue.map(|piece| piece.to_string()).collect::<String>())?;
        dict.set_item("hold", game.held().map(|piece| piece.to_string()))?;
        dict.set_item("combo", game.combo())?;
        dict.set_item("back_to_back", game.back_to_back() > 0)?;
        dict.set_item("second_spawn_row", game.rules().second_spawn_row)?;
        dict.set_item("rotation", name_of(&ROTATIONS, game.rules().rotation_system))?;
        dict.set_item("spins", name_of(&SPINS, game.rules().spin_mode))?;
        Ok(dict)
    }
}

/// Adds where a piece is placed.
fn add_place(dict: &Bound<'_, PyDict>, placement: Placement) -> PyResult<()> {
    let at = placement.at;
    dict.set_item("orientation", at.orientation.to_string())?;
    dict.set_item("x", at.x)?;
    dict.set_item("y", at.y)?;
    dict.set_item("spin", placement.spin.to_string())
}

/// Returns every reachable placement of a piece.
///
/// Args:
///     board (Board): Rows of ten cells, 0 or 1, top row first; missing rows above are empty.
///     piece (str): One of I O T S Z J L.
///     spins ('none' | 't-spins' | 'all-mini'): What spins count; placements with and without one are separate.
///     second_spawn_row (bool): Whether a piece whose spawn is blocked spawns one row higher.
///     rotation ('srs' | 'srs-plus' | 'srs-x'): The kicks; the last two have half turns.
///
/// Returns:
///     list[dict]: A list of dictionaries: `orientation` (`north`, `east`, `south`, `west`), `x` and `y` of the center
///     from the lower left, `spin` (`none`, `mini`, `full`), `lines` cleared, and the `keys` to press.
///
/// Raises:
///     TypeError: The board isn't rows of integers.
///     ValueError: Rows of another length than ten, more than 40 rows, or an unknown piece, rotation or treatment of spins.
#[pyfunction]
#[pyo3(signature = (
    board, piece, *, spins="t-spins", second_spawn_row=true, rotation="srs"
))]
pub(crate) fn tetris_placements<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = input::board)] board: Vec<Vec<u8>>,
    piece: &str,
    spins: &str,
    second_spawn_row: bool,
    rotation: &str,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let board = crate::tetris::board("board", &board)?;
    let piece = crate::tetris::piece("piece", piece)?;
    let spin_mode = choose("spins", spins, &SPINS)?;
    let rotation_system = choose("rotation", rotation, &ROTATIONS)?;
    let rules = MoveRules { spin_mode, second_spawn_row, rotation_system };
    let mut found = Vec::new();
    for placement in &Placements::of(&board, piece, rules) {
        let mut after = board.place(placement.at).unwrap_or(board);
        let keys = movegen::path(&board, placement, rules).unwrap_or_default();
        let dict = PyDict::new(py);
        add_place(&dict, placement)?;
        dict.set_item("lines", after.clear_lines())?;
        dict.set_item("keys", keys.iter().map(ToString::to_string).collect::<Vec<_>>())?;
        found.push(dict);
    }
    Ok(found)
}

/// Returns the bot's moves for a position, best first.
///
/// Args:
///     board (Board): Rows of ten cells, 0 or 1, top row first; missing rows above are empty.
///     queue (str): The current piece and the next ones, such as `"TIO"`.
///     hold (str | None): The held piece.
///     combo (int): The number of clears in a row so far.
///     back_to_back (bool): Whether the last clear was difficult.
///     nodes (int): The size of the search, in positions.
///     second_spawn_row (bool): Whether a piece whose spawn is blocked spawns one row higher.
///     rotation ('srs' | 'srs-plus' | 'srs-x'): The kicks; the last two have half turns.
///     spins ('none' | 't-spins' | 'all-mini'): What spins count.
///
/// Returns:
///     list[dict]: A list of dictionaries: `hold` (whether to hold first), `piece`, and the place as in `placements`:
///     `orientation`, `x`, `y`, `spin`. Empty if no move is possible.
///
/// Raises:
///     TypeError: The board isn't rows of integers.
///     ValueError: A wrong board, an empty queue, or an unknown piece, rotation or treatment of spins.
#[pyfunction]
#[pyo3(signature = (
    board, queue, *, hold=None, combo=0, back_to_back=false, nodes=20_000, second_spawn_row=true,
    rotation="srs", spins="t-spins"
))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments")]
pub(crate) fn tetris_bot<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = input::board)] board: Vec<Vec<u8>>,
    queue: &str,
    hold: Option<&str>,
    #[pyo3(from_py_with = argument::combo)] combo: u32,
    back_to_back: bool,
    #[pyo3(from_py_with = argument::nodes)] nodes: u64,
    second_spawn_row: bool,
    rotation: &str,
    spins: &str,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    /// A search of this many nodes takes a few milliseconds.
    const QUICK: u64 = 10_000;
    let queue: PyResult<Vec<Piece>> =
        queue.chars().map(|letter| piece("queue", letter.encode_utf8(&mut [0; 4]))).collect();
    let state = GameState {
        board: crate::tetris::board("board", &board)?,
        hold: hold.map(|hold| piece("hold", hold)).transpose()?,
        queue: queue?,
        combo,
        back_to_back,
        second_spawn_row,
        rotation_system: choose("rotation", rotation, &ROTATIONS)?,
        spin_mode: choose("spins", spins, &SPINS)?,
        ..GameState::default()
    };
    if state.queue.is_empty() {
        return Err(value_error("queue: expected at least one piece"));
    }
    let mut search = Search::new(&state, BotWeights::default());
    interruptible_if(py, nodes > QUICK, |stop| search.run_until(nodes, stop))?;
    let mut found = Vec::new();
    for turn in search.ranked() {
        let dict = PyDict::new(py);
        dict.set_item("hold", turn.hold)?;
        dict.set_item("piece", turn.placement.at.piece.to_string())?;
        add_place(&dict, turn.placement)?;
        found.push(dict);
    }
    Ok(found)
}

/// Plays simplified Tetris (straight drops, no preview, no hold) with a controller of fixed
/// weights.
///
/// Args:
///     pieces (int): The number of pieces to play, dealt in turn to 64 games in progress, a thousand to each.
///     weights ('dt20' | 'dellacherie'): `dt20` or `dellacherie`.
///     seed (int): An integer from 0 to 2**64 - 1.
///     num_threads (int): The number of threads, 1 to 1024. The results don't depend on it.
///
/// Returns:
///     dict: A dictionary with the `games` finished and their `lines`, the `unfinished_games` and `unfinished_lines` of
///     those cut off, and `pieces` played.
#[pyfunction]
#[pyo3(signature = (pieces, *, weights="dt20", seed=1, num_threads=1))]
pub(crate) fn tetris_control<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = argument::pieces)] pieces: u64,
    weights: &str,
    #[pyo3(from_py_with = argument::seed)] seed: u64,
    #[pyo3(from_py_with = argument::num_threads)] num_threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let weights: ControllerWeights =
        weights.parse().map_err(|error| value_error(format!("weights: {error}")))?;
    let controller = Controller::new(weights);
    let threads = thread_count(num_threads)?.get();
    let settings = GamesSettings { games: None, pieces: Some(pieces), threads };
    let mut games = SimplifiedGames::new(controller, settings, seed);
    interruptible(py, |stop| games.play_until(stop, &|_, _| {}))?;
    let played = games.played();
    let dict = PyDict::new(py);
    dict.set_item("games", played.finished.count)?;
    dict.set_item("lines", played.finished.sum as u64)?;
    dict.set_item("unfinished_games", played.unfinished.len())?;
    dict.set_item(
        "unfinished_lines",
        played.unfinished.iter().map(SimplifiedGame::lines).sum::<u64>(),
    )?;
    dict.set_item("pieces", played.pieces)?;
    Ok(dict)
}
