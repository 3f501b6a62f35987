//! Match-3 levels with goals and special pieces: the batch class, and rules from a dictionary.

use crate::class::env_class;
use crate::convert::{U32, integer, type_error, value_error};
use crate::env::Shown;
use crate::input::boards_of;
use crate::state::{self, PythonGames};
use bitcade_core::batch::Games;
use match3::goals::{Goal, GoalsGame, GoalsGames, GoalsRules, Target};
use match3::special::{Special, SpecialBoard};
use match3::{Board, Cell, Error, ranked_swaps};
use numpy::{PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The kinds of special pieces, each with its mark in a board's text.
const KINDS: [(Special, char); 4] =
    [(Special::Row, '-'), (Special::Column, '|'), (Special::Bomb, '*'), (Special::Color, '@')];

/// Returns a cell's number in an array: the color, plus 16 times the kind, plus 128 if it is
/// locked; 64 for a blocked cell. A plain board has no such kind.
fn number(cell: Cell, special: Option<Special>) -> u8 {
    cell.byte() | special.map_or(0, |kind| (kind as u8 + 1) << 4)
}

fn cell_of(number: u8) -> Option<(Cell, Option<Special>)> {
    let color = number & 15;
    let kind = usize::from(number >> 4 & 7);
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
    let width = rules.board.width();
    let height = rules.board.height();
    let start = |(index, numbers): (usize, Vec<u8>)| {
        let mut cells = Vec::new();
        for &number in &numbers {
            let cell = cell_of(number);
            cells.push(cell.ok_or_else(|| {
                value_error(format!("starts: board {index}: {number} is no cell"))
            })?);
        }
        let board = Board::from_cells(width, height, cells.iter().map(|&(cell, _)| cell).collect());
        let mut board = SpecialBoard::from(board.map_err(value_error)?);
        for (at, &(_, special)) in
            cells.iter().enumerate().filter(|(_, (_, special))| special.is_some())
        {
            board.set_special(at % width, at / width, special).map_err(value_error)?;
        }
        Ok(board)
    };
    boards_of("starts", boards, &[height, width])?.into_iter().enumerate().map(start).collect()
}

/// Returns the items of a dictionary with string keys, in order. An unknown key is an error that
/// lists `known`.
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
        let key = key.repr()?;
        let (last, others) = known.split_last().expect("there are keys");
        Err(value_error(format!(
            "{name}: unknown key {key}: expected {} or {last}",
            others.join(", ")
        )))
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
                rules.special =
                    value.extract().map_err(|_| type_error("rules: special", "a bool", value))?;
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

/// Reads the text of a board, or its rows.
fn board_of(value: &Bound<'_, PyAny>) -> PyResult<Board> {
    let text = if let Ok(text) = value.extract::<String>() {
        text
    } else {
        let rows: PyResult<Vec<String>> = value.extract();
        rows.map_err(|_| type_error("rules: board", "a string, or a list of strings", value))?
            .join("\n")
    };
    text.parse().map_err(|error| value_error(format!("rules: board: {error}")))
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
                let counts =
                    value.cast::<PyDict>().map_err(|_| type_error(&name, expected, &value))?;
                for (color, count) in counts {
                    // JSON has strings for keys.
                    let digits =
                        color.extract::<String>().ok().and_then(|text| text.parse::<i64>().ok());
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
            cells: cells
                .map(|(at, &cell)| number(cell, board.special(at % width, at / width)))
                .collect(),
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
                    Some(color) => {
                        char::from_digit(color.into(), 16).unwrap_or('?').to_ascii_uppercase()
                    }
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
        let rows: Vec<String> = board.to_string().lines().map(|row| format!("'{row}'")).collect();
        let goal = |goals: &[Goal]| {
            let count = |goal: &Goal| match goal.target {
                Target::Color(color) => format!("{color}: {}", goal.count),
                target => format!("'{}': {}", key_of(target), goal.count),
            };
            let counts = goals.iter().map(count).collect::<Vec<_>>().join(", ");
            if is_color(goals[0]) { format!("'color': {{{counts}}}") } else { counts }
        };
        let goals: Vec<String> =
            goals.chunk_by(|a, b| is_color(*a) == is_color(*b)).map(goal).collect();
        format!(
            "rules={{'board': [{}], 'colors': {colors}, 'moves': {moves}, 'special': {}, 'goals': {{{}}}, \
             'bonus': {bonus}}}",
            rows.join(", "),
            if *special { "True" } else { "False" },
            goals.join(", "),
        )
    }

    fn is_memory(error: &Self::Error) -> bool {
        matches!(error, Error::Games(_))
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
    /// - `board`: a string, or a list of its rows, with sides of 1 to 16: `1` (or another color)
    ///   for a piece, `!1` for a locked piece, `#` for a blocked cell, `.` for an empty cell. Each
    ///   game gives the pieces random colors. By default 8 x 8 pieces.
    /// - `colors`: the number of colors, 4 to 15; 6.
    /// - `moves`: the number of moves, at least 1; 30.
    /// - `special`: whether four or more in a group create a special piece; `True`.
    /// - `goals`: a dictionary of counts, at least 1: `score` points, `color` a dictionary of
    ///   pieces to clear by color, `locked` pieces to clear, `special` pieces to set off. All of
    ///   them win. Without goals, a game ends with its moves.
    /// - `bonus`: the reward for each goal, added to the points of the move that reaches it;
    ///   10,000.
    ///
    /// `obs` is uint8, of shape `(num_envs, 7 + colors + goals, height, width)`: planes of 0 and 1
    /// for row, column, bomb and color pieces, locked pieces and blocked cells; the number of moves
    /// left in every cell (at most 255); a plane of 0 and 1 per color; and per goal, in the order
    /// of the dictionary, the part that is left in every cell, from 255 down to 0. Actions and
    /// points are those of `Batch`.
    Match3GoalsBatch as "GoalsBatch": "bitcade.match3", GoalsGames;

    new(py, keywords;
        /// The level.
        rules "GoalsRules | None": Option<&Bound<'_, PyAny>> = None;
        *;
        starts:
        /// Start boards in the numbers of `board()`, integers of shape `(k, height, width)`: the
        /// color, plus 16 for a row, 32 for a column, 48 for a bomb and 64 for a color piece, plus
        /// 128 if it is locked; 64 for a blocked cell. The blocked cells are those of the level,
        /// the locked pieces suffice for its goals, no three of a color lie in a row, and a swap is
        /// legal. Each new game draws one. By default colors are dealt at random.
    ) {
        let rules = rules.map_or_else(|| Ok(GoalsRules::default()), rules_of)?;
        // Here the goals have names.
        GoalsGames::check(&rules).map_err(|error| rules_error(&rules, error))?;
        let layout = Shown::new([0, rules.board.height(), rules.board.width()]);
        Env::new(py, keywords, rules, layout, start_boards)
    }

    /// Returns the points of each current game, without bonuses: uint64, of shape `(num_envs,)`. A
    /// new array.
    ///
    /// Returns:
    ///     NDArray[uint64]
    fn scores<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        shared(slf)?.env.each(slf.py(), GoalsGame::score)
    }

    /// Returns which games the last step won by reaching the last goal: bool, of shape
    /// `(num_envs,)`. In autoreset mode `SameStep` the next game has begun. A new array.
    ///
    /// Returns:
    ///     NDArray[bool_]
    fn won<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        shared(slf)?.env.each(slf.py(), GoalsGame::is_won)
    }

    /// Returns how much each goal lacks in each current game, in the order of the dictionary:
    /// uint32, of shape `(num_envs, goals)`. A new array.
    ///
    /// Returns:
    ///     NDArray[uint32]
    fn goals_left<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let py = slf.py();
        let games = shared(slf)?;
        let left: Vec<u32> = games.env.views().flat_map(|game| game.left().iter().copied()).collect();
        let batch = &games.env.batch;
        PyArray1::from_vec(py, left).reshape([batch.len(), batch.rules().goals.len()])
    }

    /// Returns the points that each legal swap scores with the pieces already on the board (no
    /// refill), 0 for other actions: float32, of shape `(num_envs, num_actions)`, a new array.
    ///
    /// Returns:
    ///     NDArray[float32]
    fn hints<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let games = shared(slf)?;
        let special = games.env.batch.rules().special;
        games.env.points(slf.py(), |game| {
            let (board, plain) = (game.board(), game.board().board());
            let ranked = if special { board.ranked_swaps() } else { ranked_swaps(plain) };
            (plain.width(), plain.height(), ranked)
        })
    }
}
