//! `bitcade tetris moves`: every placement of a piece.

use super::picture::draw;
use crate::arguments::named;
use crate::io::output::{Failure, Output};
use clap::Args;
use serde::Serialize;
use serde_json::json;
use std::io::{IsTerminal, stdout};
use std::str::FromStr;
use tetris::fumen::{Page, decode, encode, is_fumen};
use tetris::movegen::{self, MoveRules, Placements, SpinMode};
use tetris::{Board, Piece, Placement};

#[derive(Args)]
pub(crate) struct MovesArgs {
    /// The board: ten hexadecimal columns from the left, bit 0 = bottom row, or a fumen or a link
    /// to one, whose first page is used [default: the empty board]
    #[arg(long, value_name = "COLS", default_value_t = Board::EMPTY, hide_default_value = true,
        value_parser = parse_board)]
    board: Board,
    /// The piece: I, O, T, S, Z, J or L
    #[arg(long, hide_possible_values = true,
        value_parser = named(&["I", "O", "T", "S", "Z", "J", "L"], Piece::from_str))]
    piece: Piece,
    /// List placements with the same cells once per kind of T-spin (none, mini, full)
    #[arg(long)]
    spins: bool,
    /// Print one fumen, the text format of Tetris diagram viewers, with one page per placement
    #[arg(long)]
    fumen: bool,
}

/// Parses a board from its columns, or the field of a fumen's first page.
pub(super) fn parse_board(text: &str) -> Result<Board, String> {
    // No board contains an `@`, so a fumen of an unknown version is reported as a fumen.
    if !is_fumen(text) && !text.contains('@') {
        return text.parse().map_err(|error: tetris::Error| error.to_string());
    }
    let pages = decode(text).map_err(|error| error.to_string())?;
    pages
        .first()
        .map(|page| page.board)
        .ok_or_else(|| "expected a fumen of at least one page".to_owned())
}

#[derive(Serialize)]
struct MoveRecord {
    piece: String,
    orientation: String,
    x: i8,
    y: i8,
    spin: String,
    lines: u32,
    keys: Vec<String>,
}

/// Returns keys as text, with repeated keys as `soft-drop*17`.
fn runs(keys: &[String]) -> String {
    let runs = keys.chunk_by(|key, next| key == next).map(|run| match run {
        [key] => key.clone(),
        run => format!("{}*{}", run[0], run.len()),
    });
    runs.collect::<Vec<_>>().join(",")
}

pub(crate) fn run(arguments: &MovesArgs, output: &mut Output) -> Result<(), Failure> {
    let &MovesArgs { ref board, piece, spins, fumen } = arguments;
    let spin_mode = if spins { SpinMode::TSpins } else { SpinMode::Ignore };
    // With `second_spawn_row`, every piece that has a placement under the guideline has one here.
    let rules = MoveRules { second_spawn_row: true, ..spin_mode.into() };
    let mut placements = Placements::new();
    placements.fill(board, piece, rules);
    if fumen {
        let page =
            |placement: Placement| Page { board: *board, piece: Some(placement.at), comment: None };
        let pages: Vec<Page> = placements.iter().map(page).collect();
        let fumen = encode(&pages).map_err(|error| Failure::Input(error.to_string()))?;
        return output.result(&json!({ "fumen": fumen }), || fumen + "\n");
    }
    for placement in &placements {
        let at = placement.at;
        let keys = movegen::path(board, placement, rules).unwrap_or_default();
        let mut after = board.place(at).unwrap_or(*board);
        let record = MoveRecord {
            piece: piece.to_string(),
            orientation: at.orientation.to_string(),
            x: at.x,
            y: at.y,
            spin: placement.spin.to_string(),
            lines: after.clear_lines(),
            keys: keys.iter().map(ToString::to_string).collect(),
        };
        output.result(&record, || {
            let MoveRecord { piece, orientation, x, y, spin, lines, keys } = &record;
            let keys = runs(keys);
            format!("{piece} {orientation} x {x} y {y} spin {spin} lines {lines} keys {keys}\n")
        })?;
        // Scripts read only the lines.
        if stdout().is_terminal() {
            output.colored(&draw(board, placement))?;
        }
    }
    Ok(())
}
