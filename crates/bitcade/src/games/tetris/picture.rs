//! Drawings of boards for the terminal.

use crate::io::color;
use tetris::{Board, Placement};

pub(super) fn draw(board: &Board, placement: Placement) -> String {
    let placed = board.place(placement.at).unwrap_or(*board).to_string();
    let width = Board::WIDTH as i32;
    let height = placed.lines().count() as i32;
    let cells = placement.at.cells();
    let letter = placement.at.piece.letter();
    (0..height)
        .rev()
        .map(|y| {
            let cell = |x| match (x, y) {
                here if cells.contains(&here) => letter,
                _ if board.occupied(x, y) => '#',
                _ => '.',
            };
            (0..width).map(cell).flat_map(|cell| [cell, ' ']).collect::<String>() + "\n"
        })
        .map(|row| {
            color::characters(&row, |c| match c {
                '#' => Some(color::GRAY),
                c => (c == letter).then_some(color::palette(4)),
            })
        })
        .collect()
}
