//! Match-3 levels with goals and special pieces: the batch class, and rules from a dictionary.

use crate::arrays::zeroed;
use crate::class::env_class;
use crate::convert::{
    SeedArgument, U32, argument, integer, interruptible_if, shared, starts_error, type_error, value_error,
};
use crate::env::{Env, FEW, Options, PythonGames, new_batch, with_layout};
use crate::input::boards_of;
use crate::state;
use bitcore::batch::{Format, Games};
use match3::goals::{Goal, GoalsGame, GoalsGames, GoalsRules, Target};
use match3::special::{Special, SpecialBoard};
use match3::{Board, Cell, Error, ranked_swaps};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// The kinds of special pieces, each with its mark in a board's text.
const KINDS: [(Special, char); 4] =
    [(Special::Row, '-'), (Special::Column, '|'), (Special::Bomb, '*'), (Special::Color, '@')];

/// The characters of a level's board.
const CELLS: [(char, Cell); 3] = [('.', PIECE), ('!', PIECE.locked()), ('#', Cell::BLOCKED)];
const PIECE: Cell = Cell::new(1).expect("a color");

/// Returns a cell's number in an array: the color, plus 16 times the kind, plus 128 if it is locked; 64 for a
/// blocked cell. A plain board has no such kind.
fn number(cell: Cell, special: Option<Special>) -> u8 {
    cell.byte() | special.map_or(0, |kind| (kind as u8 + 1) << 4)
}

fn cell_of(number: u8) -> Option<(Cell, Option<Special>)> {
    let (color, kind) = (number & 15, usize::from(number >> 4 & 7));
    if color == 0 {
        return [Cell::EMPTY, Cell::BLOCKED]
            .into_iter()
            .find(|cell| cell.byte() == number)
            .map(|cell| (cell, None));
    }
    let cell = Cell::new(color)?;
    let special = if kind == 0 { None } else { Some(KINDS.get(kind - 1)?.0) };
    Some((if number >= 128 { cell.locked() } else { cell }, special))
}

fn start_boards(boards: &Bound<'_, PyAny>, rules: &GoalsRules) -> PyResult<Vec<SpecialBoard>> {
    let (width, height) = (rules.board.width(), rules.board.height());
    let start = |(index, numbers): (usize, Vec<u8>)| {
        let mut cells = Vec::new();
        for &number in &numbers {
            let cell = cell_of(number);
            cells.push(
                cell.ok_or_else(|| value_error(format!("starts: board {index}: {number} is no cell")))?,
            );
        }
        let board = Board::from_cells(width, height, cells.iter().map(|&(cell, _)| cell).collect());
        let mut board = SpecialBoard::from(board.map_err(value_error)?);
        for (at, &(_, special)) in cells.iter().enumerate().filter(|(_, (_, special))| special.is_some()) {
            board.set_special(at % width, at / width, special).map_err(value_error)?;
        }
        Ok(board)
    };
    boards_of("starts", boards, &[height, width])?.into_iter().enumerate().map(start).collect()
}

/// Returns the items of a dictionary with string keys, in order. An unknown key is an error that lists `known`.
fn items<'py>(
    name: &str,
    value: &Bound<'py, PyAny>,
    known: &[&str],
) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
    let dict = value.cast::<PyDict>().map_err(|_| type_error(name, "a dictionary", value))?;
    let item = |(key, value): (Bound<'py, PyAny>, Bound<'py, PyAny>)| {
        let text: Option<String> = key.extract().ok();
        if let Some(text) = text.filter(|text| known.contains(&&**text)) {
            return Ok((text, value));
        }
        let (key, (last, others)) = (key.repr()?, known.split_last().expect("there are keys"));
        Err(value_error(format!("{name}: unknown key {key}: expected {} or {last}", others.join(", "))))
    };
    dict.iter().map(item).collect()
}

/// Reads a level, in the form that [`PythonGames::arguments`] writes.
fn rules_of(value: &Bound<'_, PyAny>) -> PyResult<GoalsRules> {
    let mut rules = GoalsRules::default();
    let known = ["board", "colors", "moves", "special", "goals", "bonus"];
    let items = items("rules", value, &known)?;
    for (key, value) in &items {
        match &key[..] {
            "board" => rules.board = board_of(value)?,
            "colors" => rules.colors = integer("rules: colors", value, 4, 15)?,
            "moves" => rules.moves = integer("rules: moves", value, 1, U32)?,
            "special" => {
                rules.special = value.extract().map_err(|_| type_error("rules: special", "a bool", value))?;
            }
            "bonus" => rules.bonus = integer("rules: bonus", value, 0, U32)?,
            _ => {}
        }
    }
    for (key, value) in items.iter().filter(|(key, _)| key == "goals") {
        rules.goals = goals_of(&format!("rules: {key}"), value, rules.colors)?;
    }
    Ok(rules)
}

fn board_of(value: &Bound<'_, PyAny>) -> PyResult<Board> {
    let rows: PyResult<Vec<Bound<'_, PyString>>> = value.extract();
    let rows = rows.map_err(|_| type_error("rules: board", "a list of strings", value))?;
    let mut cells = Vec::new();
    let mut width = 0;
    for (y, row) in rows.iter().enumerate() {
        let row = row.to_string();
        let found = row.chars().count();
        width = if y == 0 { found } else { width };
        if found != width {
            return Err(value_error(format!("rules: board: row {y}: expected {width} cells, found {found}")));
        }
        for (x, character) in row.chars().enumerate() {
            let cell = CELLS.iter().find(|(known, _)| *known == character);
            let expected = "expected . (a piece), ! (a locked piece) or # (a blocked cell)";
            let error =
                || value_error(format!("rules: board: row {y}: {expected}, found {character:?} at {x}"));
            cells.push(cell.ok_or_else(error)?.1);
        }
    }
    let board = Board::from_cells(width, rows.len(), cells);
    board.map_err(|_| {
        value_error(format!("rules: board: {width} x {} cells: expected sides of 1 to 16", rows.len()))
    })
}

fn goals_of(name: &str, value: &Bound<'_, PyAny>, colors: u8) -> PyResult<Vec<Goal>> {
    let mut goals = Vec::new();
    for (key, value) in items(name, value, &["score", "color", "locked", "special"])? {
        let name = format!("{name}: {key}");
        let target = match &key[..] {
            "score" => Target::Score,
            "locked" => Target::Locked,
            "special" => Target::Special,
            _ => {
                let expected = "a dictionary of counts by color";
                let counts = value.cast::<PyDict>().map_err(|_| type_error(&name, expected, &value))?;
                for (color, count) in counts {
                    // JSON has strings for keys.
                    let digits = color.extract::<String>().ok().and_then(|text| text.parse::<i64>().ok());
                    let color = match digits {
                        Some(color) => color.into_pyobject(value.py())?.into_any(),
                        None => color,
                    };
                    let color: u8 = integer(&name, &color, 1, colors.into())?;
                    let count = integer(&format!("{name} {color}"), &count, 1, U32)?;
                    goals.push(Goal { target: Target::Color(color), count });
                }
                continue;
            }
        };
        goals.push(Goal { target, count: integer(&name, &value, 1, U32)? });
    }
    Ok(goals)
}

/// Returns the name of a goal in messages.
fn key_of(target: Target) -> String {
    match target {
        Target::Score => "score".to_owned(),
        Target::Color(color) => format!("color {color}"),
        Target::Locked => "locked".to_owned(),
        Target::Special => "special".to_owned(),
    }
}

/// Names the part of the rules at fault.
fn rules_error(rules: &GoalsRules, error: Error) -> PyErr {
    match error {
        Error::Goal { index, reason } => {
            let Goal { target, count } = rules.goals[index];
            value_error(format!("rules: goals: {}={count}: {reason}", key_of(target)))
        }
        Error::NoneExists | Error::NotFound | Error::Size { .. } => {
            value_error(format!("rules: board: {error}"))
        }
        error => value_error(format!("rules: {error}")),
    }
}

impl PythonGames for GoalsGames {
    fn board(game: &GoalsGame) -> state::Board {
        let (board, width) = (game.board(), game.board().board().width());
        let cells = board.board().cells().iter().enumerate();
        state::Board {
            cells: cells.map(|(at, &cell)| number(cell, board.special(at % width, at / width))).collect(),
            width,
        }
    }

    fn text(game: &GoalsGame) -> String {
        let board = game.board();
        let mut text = String::new();
        for (y, row) in board.board().rows().enumerate() {
            let mut line = String::new();
            for (x, cell) in row.iter().enumerate() {
                line.push(if cell.is_locked() { '!' } else { ' ' });
                line.push(match cell.color() {
                    Some(color) => char::from_digit(color.into(), 16).unwrap_or('?').to_ascii_uppercase(),
                    None => {
                        if *cell == Cell::BLOCKED {
                            '#'
                        } else {
                            '.'
                        }
                    }
                });
                let kind = KINDS.iter().find(|(kind, _)| board.special(x, y) == Some(*kind));
                line.push(kind.map_or(' ', |&(_, mark)| mark));
            }
            text += line.trim_end();
            text.push('\n');
        }
        text.trim_end_matches('\n').to_owned()
    }

    fn arguments(rules: &GoalsRules) -> String {
        let GoalsRules { board, colors, moves, special, goals, bonus } = rules;
        let character =
            |cell: &Cell| CELLS.iter().find(|(_, known)| known == cell).map_or('.', |known| known.0);
        let row = |row: &[Cell]| format!("'{}'", row.iter().map(character).collect::<String>());
        let rows: Vec<String> = board.rows().map(row).collect();
        let goal = |goals: &[Goal]| {
            let count = |goal: &Goal| match goal.target {
                Target::Color(color) => format!("{color}: {}", goal.count),
                target => format!("'{}': {}", key_of(target), goal.count),
            };
            let counts = goals.iter().map(count).collect::<Vec<_>>().join(", ");
            if is_color(goals[0]) { format!("'color': {{{counts}}}") } else { counts }
        };
        let goals: Vec<String> = goals.chunk_by(|a, b| is_color(*a) == is_color(*b)).map(goal).collect();
        format!(
            "rules={{'board': [{}], 'colors': {colors}, 'moves': {moves}, 'special': {}, 'goals': {{{}}}, \
             'bonus': {bonus}}}",
            rows.join(", "),
            if *special { "True" } else { "False" },
            goals.join(", "),
        )
    }
}

fn is_color(goal: Goal) -> bool {
    matches!(goal.target, Target::Color(_))
}

env_class! {
    /// A batch of match-3 games on a level with goals, stepped together.
    ///
    /// A level is a dictionary with these keys, all optional:
    ///
    /// - `board`: rows of cells as strings, with sides of 1 to 16: `.` for a piece, `!` for a locked piece, `#` for a
    ///   blocked cell. Each game gives the pieces random colors. By default 8 x 8 pieces.
    /// - `colors`: the number of colors, 4 to 15; 6.
    /// - `moves`: the number of moves, at least 1; 30.
    /// - `special`: whether four or more in a group create a special piece; `True`.
    /// - `goals`: a dictionary of counts, at least 1: `score` points, `color` a dictionary of pieces to clear by color,
    ///   `locked` pieces to clear, `special` pieces to set off. All of them win. Without goals, a game ends with its
    ///   moves.
    /// - `bonus`: the reward for each goal, added to the points of the move that reaches it; 10,000.
    ///
    /// `obs` is uint8, of shape `(num_envs, 7 + colors + goals, height, width)`: planes of 0 and 1 for row, column, bomb
    /// and color pieces, locked pieces and blocked cells; the number of moves left in every cell (at most 255); a plane
    /// of 0 and 1 per color; and per goal, in the order of the dictionary, the part that is left in every cell, from 255
    /// down to 0. Actions and points are those of `Batch`.
    ///
    /// Args:
    ///     num_envs: The number of games, at least 0.
    ///     rules: The level.
    ///     seed: An integer of at least 0 (game i plays stream i of the seed), a list with one per game, or `None`
    ///         for fresh entropy.
    ///     starts: Start boards in the numbers of `board()`, integers of shape `(k, height, width)`: the color, plus 16
    ///         for a row, 32 for a column, 48 for a bomb and 64 for a color piece, plus 128 if it is locked; 64 for a
    ///         blocked cell. The blocked cells are those of the level, the locked pieces suffice for its goals, no
    ///         three of a color lie in a row, and a swap is legal. Each new game draws one. By default colors are
    ///         dealt at random.
    ///     dtype: The type of the observations: `uint8`, or `float32` with the same values.
    ///     channels: Where the planes of an observation are: `first`, or `last`, of shape `(height, width, planes)`.
    Match3GoalsBatch as "GoalsBatch": "bitcade.match3", GoalsGames;

    #[new]
    #[pyo3(signature = (
        num_envs, rules=None, *, seed=None, max_episode_steps=None, starts=None, dtype="uint8", channels="first",
        autoreset_mode="SameStep", on_illegal="raise", num_threads=1
    ))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments")]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = argument::num_envs)] num_envs: usize,
        rules: Option<&Bound<'_, PyAny>>,
        seed: Option<SeedArgument>,
        #[pyo3(from_py_with = argument::max_episode_steps)] max_episode_steps: Option<u32>,
        starts: Option<&Bound<'_, PyAny>>,
        dtype: &str,
        channels: &str,
        autoreset_mode: &str,
        on_illegal: &str,
        #[pyo3(from_py_with = argument::num_threads)] num_threads: usize,
    ) -> PyResult<Self> {
        let rules = rules.map_or_else(|| Ok(GoalsRules::default()), rules_of)?;
        // Here the goals have names.
        GoalsGames::check(&rules).map_err(|error| rules_error(&rules, error))?;
        let starts = starts.map(|boards| start_boards(boards, &rules)).transpose()?;
        let (width, height) = (rules.board.width(), rules.board.height());
        let is_memory = |error: &Error| matches!(error, Error::Games(_));
        let mut batch = new_batch::<GoalsGames>(py, num_envs, rules, is_memory)?;
        if let Some(starts) = starts {
            batch.set_starts(starts).map_err(starts_error)?;
        }
        let cells = width * height;
        let format = Format { plane: cells, ..Format::default() };
        let (obs_shape, format) = with_layout(vec![batch.cells() / cells, height, width], format, dtype, channels)?;
        let options =
            Options { autoreset_mode, on_illegal, max_episode_steps, num_threads, obs_shape, format, seed };
        Ok(Self { env: Env::new(py, batch, options)? })
    }

    /// Returns the points of each current game, without bonuses: uint64, of shape `(num_envs,)`. A new array.
    fn scores<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let scores = shared(slf)?.env.views().map(GoalsGame::score).collect();
        Ok(PyArray1::from_vec(slf.py(), scores))
    }

    /// Returns which games the last step won by reaching the last goal: bool, of shape `(num_envs,)`. In autoreset mode
    /// `SameStep` the next game has begun. A new array.
    fn won<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let won = shared(slf)?.env.views().map(GoalsGame::is_won).collect();
        Ok(PyArray1::from_vec(slf.py(), won))
    }

    /// Returns how much each goal lacks in each current game, in the order of the dictionary: uint32, of shape
    /// `(num_envs, goals)`. A new array.
    fn goals_left<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let (py, games) = (slf.py(), shared(slf)?);
        let left: Vec<u32> = games.env.views().flat_map(|game| game.left().iter().copied()).collect();
        let batch = games.env.batch();
        PyArray1::from_vec(py, left).reshape([batch.len(), batch.rules().goals.len()])
    }

    /// Returns the points that each legal swap scores with the pieces already on the board (no refill), 0 for
    /// other actions: float32, of shape `(num_envs, num_actions)`, a new array.
    fn hints<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let (py, games) = (slf.py(), shared(slf)?);
        let env = &games.env;
        let (n, actions) = (env.batch().len(), env.batch().actions());
        let special = env.batch().rules().special;
        let points = interruptible_if(py, n > FEW, |stop| {
            let mut points = zeroed(n * actions)?;
            for (game, points) in env.views().zip(points.chunks_exact_mut(actions.max(1))) {
                if stop() {
                    break;
                }
                let board = game.board();
                let ranked = if special { board.ranked_swaps() } else { ranked_swaps(board.board()) };
                for (swap, result) in ranked {
                    if let Some(action) = swap.action(board.board().width(), board.board().height()) {
                        points[action] = result.score as f32;
                    }
                }
            }
            Ok::<Vec<f32>, PyErr>(points)
        })??;
        PyArray1::from_vec(py, points).reshape([n, actions])
    }
}
