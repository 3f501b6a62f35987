//! Perft by rules with a second spawn row, which only high boards need.

use super::perft_in_first_row;
use crate::board::{Board, height};
use crate::location::Location;
use crate::movegen::{self, MoveRules, Placements};
use crate::piece::Piece;
use bitcore::Level;

/// Counts as [`perft`](super::perft) does.
pub(super) fn perft(level: Level, board: &Board, queue: &[Piece], rules: MoveRules) -> u64 {
    let Some((&piece, rest)) = queue.split_first() else { return 1 };
    // A piece makes the stack higher by four rows at most: the first row stays free.
    if height(board.columns()) as usize + 4 * rest.len() <= Location::SPAWN_Y as usize {
        return perft_in_first_row(level, board, queue, rules.spin_mode);
    }
    if rest.is_empty() {
        return movegen::count_on(level, board, piece, rules).into();
    }
    let mut placements = Placements::new();
    placements.fill_on(level, board, piece, rules);
    let mut nodes = 0;
    for mut child in placements.iter().filter_map(|placement| board.place(placement.at)) {
        child.clear_lines_on(level);
        nodes += perft(level, &child, rest, rules);
    }
    nodes
}
