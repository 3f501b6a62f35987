//! The choice of a [`Controller`], computed cell by cell.

use super::controller::{Choice, Controller};
use crate::columns::ROWS;
use tetris::reference::features::{eroded_cells, features};
use tetris::{Board, Location, Orientation, Piece};

/// Returns every location below row 20 where a piece that falls straight down from above the field
/// comes to rest, by orientation, then by column. Locations with the same cells are listed once.
pub fn drops(board: &Board, piece: Piece) -> Vec<Location> {
    let mut found: Vec<Location> = Vec::new();
    for orientation in Orientation::ALL {
        for x in 0..Board::WIDTH as i8 {
            // Above all cells of a 20-row field.
            let mut at = Location { piece, orientation, x, y: ROWS as i8 + 4 };
            if !fits(board, at) {
                continue;
            }
            while fits(board, at.moved(0, -1)) {
                at = at.moved(0, -1);
            }
            let below_the_top = at.cells().iter().all(|&(_, y)| y < ROWS as i32);
            if below_the_top && at.canonical() == at {
                found.push(at);
            }
        }
    }
    found
}

fn fits(board: &Board, at: Location) -> bool {
    at.cells().iter().all(|&(x, y)| !board.occupied(x, y))
}

/// Returns the board after a drop and the value of the drop itself.
fn drop_piece(controller: &Controller, board: &Board, at: Location) -> Option<(Board, i32)> {
    let mut placed = board.place(at)?;
    let rows = at.cells().map(|(_, y)| y as u32);
    let height_twice = rows.iter().min()? + rows.iter().max()?;
    let drop_value = controller.weights.landing_value(height_twice, eroded_cells(&placed, at));
    placed.clear_lines();
    Some((placed, drop_value))
}

/// Chooses the same drop as [`Controller::choose`], cell by cell.
///
/// ```
/// use tetris::{Board, Piece};
/// use tetris_ai::control::{Controller, ControllerWeights};
/// use tetris_ai::control::reference;
/// let (controller, board) = (Controller::new(ControllerWeights::DT20), Board::EMPTY);
/// let choice = reference::choose(&controller, &board, Piece::S, None);
/// assert_eq!(choice, controller.choose(&board, Piece::S, None));
/// ```
pub fn choose(
    controller: &Controller,
    board: &Board,
    piece: Piece,
    next: Option<Piece>,
) -> Option<Choice> {
    let mut best: Option<Choice> = None;
    for at in drops(board, piece) {
        let (after, drop_value) = drop_piece(controller, board, at)?;
        let rest = match next.filter(|_| controller.two_piece) {
            None => controller.weights.board_value(&features(&after)),
            Some(next) => {
                let one_piece = Controller::new(controller.weights);
                choose(&one_piece, &after, next, None).map_or(i32::MIN / 2, |choice| choice.value)
            }
        };
        let value = rest + drop_value;
        if best.is_none_or(|best| value > best.value) {
            best = Some(Choice { at, value });
        }
    }
    best
}
