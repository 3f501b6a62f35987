//! [`Pasted`]: a board or a game in the forms that `2048 analyze` reads.

use crate::io::input::json_text;
use crate::play::saved_games::{FORMAT, SavedGame};
use bitcore::Rng;
use g2048::posted::{Turn, boards, leads, turns};
use g2048::{Board, Direction, Game, Size};
use serde_json::Value;

#[derive(Debug, PartialEq)]
pub(super) enum Pasted {
    Board(Board),
    Game(Vec<Turn>),
}

impl Pasted {
    /// Reads a board in a posted form, a game as its boards, as the JSON lines of `play 2048`, or
    /// as a saved game, or the state of the original game in a browser.
    pub(super) fn read(text: &str, are_ranks: bool) -> Result<Self, String> {
        let trimmed = text.trim_start();
        if trimmed.starts_with("{\"") {
            let lines = || text.lines().filter(|line| !line.trim().is_empty());
            let is_object = |line: &str| line.trim_start().starts_with("{\"");
            return if lines().count() > 1 && lines().all(is_object) {
                played_lines(text)
            } else {
                object(text)
            };
        }
        let boards = boards(text, are_ranks).map_err(|error| error.to_string())?;
        let turns = turns(&boards).map_err(|error| error.to_string())?;
        Ok(if turns.is_empty() { Self::Board(boards[0].board) } else { Self::Game(turns) })
    }
}

fn object(text: &str) -> Result<Pasted, String> {
    let error = |error: serde_json::Error| {
        format!("line {}, column {}: {}", error.line(), error.column(), json_text(&error))
    };
    let object: Value = serde_json::from_str(text).map_err(error)?;
    if object.get("seed").is_some() {
        return saved(&serde_json::from_str(text).map_err(error)?);
    }
    if let Some(grid) = object.get("grid") {
        return state(grid).map(Pasted::Board);
    }
    match rows(&object) {
        Some(board) => Ok(Pasted::Board(board)),
        None => {
            Err("expected an object with \"board\", \"grid\" or \"seed\" and \"moves\"".to_owned())
        }
    }
}

/// Plays a saved game again.
fn saved(saved: &SavedGame) -> Result<Pasted, String> {
    let size = saved.rules.strip_prefix("2048 ").and_then(|size| size.parse::<Size>().ok());
    let (Some(size), FORMAT) = (size, saved.format) else {
        return Err(format!(
            "expected a game of 2048 in format {FORMAT}, found {:?} in format {}",
            saved.rules, saved.format
        ));
    };
    let mut rng = Rng::stream(saved.seed, saved.stream);
    let mut game = Game::new(size, &mut rng);
    let mut turns = Vec::new();
    for (number, mv) in (1..).zip(&saved.moves) {
        let board = game.board();
        let direction = mv.parse().ok().filter(|&direction| board.is_legal(direction));
        let Some(direction) = direction else {
            return Err(format!("move {number}: expected a legal move, found {mv:?}"));
        };
        turns.push(Turn { board, moves: vec![direction] });
        game.play(direction, &mut rng).map_err(|error| error.to_string())?;
    }
    if game.score() != saved.score || game.board().to_string() != saved.board {
        return Err("expected the score and the board after the moves".to_owned());
    }
    Ok(if turns.is_empty() { Pasted::Board(game.board()) } else { Pasted::Game(turns) })
}

/// Reads the state that the original game keeps in a browser: columns of tiles with their places.
fn state(grid: &Value) -> Result<Board, String> {
    let wrong =
        || "grid: expected \"size\", and \"cells\" with \"position\" and \"value\"".to_owned();
    let size = grid["size"].as_u64().ok_or_else(wrong)? as usize;
    let size = Size::new(size, size).map_err(|error| error.to_string())?;
    let mut ranks = vec![0; size.cells()];
    let columns = grid["cells"].as_array().ok_or_else(wrong)?;
    for cell in columns.iter().flat_map(|column| column.as_array().into_iter().flatten()) {
        if cell.is_null() {
            continue;
        }
        let [x, y] = ["x", "y"].map(|axis| cell["position"][axis].as_u64());
        let (Some(x), Some(y), Some(value)) = (x, y, cell["value"].as_u64()) else {
            return Err(wrong());
        };
        let at = size.width().saturating_mul(y as usize).saturating_add(x as usize);
        let is_tile = value > 1 && value.is_power_of_two();
        match ranks.get_mut(at) {
            Some(rank) if is_tile && x < size.width() as u64 => *rank = value.ilog2() as u8,
            _ => return Err(format!("grid: expected a tile in the grid, found {cell}")),
        }
    }
    Board::from_ranks(size, &ranks).map_err(|error| error.to_string())
}

/// Returns the board of an object, in rows of tiles.
fn rows(object: &Value) -> Option<Board> {
    object["board"].to_string().parse().ok()
}

/// Reads the output of `play 2048 --lines --json`.
fn played_lines(text: &str) -> Result<Pasted, String> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut shown: Option<Board> = None;
    let mut has_moved = false;
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let object: Value = serde_json::from_str(line).map_err(|error| {
            format!("line {number}, column {}: {}", error.column(), json_text(&error))
        })?;
        let wrong = |expected: &str| Err(format!("line {number}: expected {expected}"));
        if object.get("board").is_some() {
            let Some(board) = rows(&object) else { return wrong("a board in rows of tiles") };
            let last = turns.last().filter(|_| has_moved);
            if last.is_some_and(|turn| !leads(&turn.board, turn.moves[0], &board)) {
                return wrong("the board after this move");
            }
            (shown, has_moved) = (Some(board), false);
        } else if let Some(mv) = object.get("move") {
            let direction: Option<Direction> = mv.as_str().and_then(|mv| mv.parse().ok());
            let played = shown.zip(direction).filter(|(board, mv)| board.is_legal(*mv));
            let Some((board, direction)) = played else {
                return wrong("a legal move of the board before");
            };
            turns.push(Turn { board, moves: vec![direction] });
            has_moved = true;
        } else if object.get("undo").is_some() {
            turns.pop();
        } else if object.get("new").is_some() && !turns.is_empty() {
            return wrong("one game");
        }
    }
    match (turns.is_empty(), shown) {
        (false, _) => Ok(Pasted::Game(turns)),
        (true, Some(board)) => Ok(Pasted::Board(board)),
        (true, None) => Err("expected a line with a board".to_owned()),
    }
}
