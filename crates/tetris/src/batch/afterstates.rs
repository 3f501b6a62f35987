//! Afterstates: the boards that the legal actions lead to, with the features of controllers.

use super::observation::write_rows;
use super::settings::{BatchSettings, RewardKind};
use crate::board::HEIGHT;
use crate::game::{Game, Move};
use crate::location::SKYLINE;
use crate::real_time::guideline_score;
use bitcore::Isa;

/// The names of an afterstate's features, in their order.
///
/// They are those of the controllers [Dellacherie and DT-20](crate::Features): the landing height
/// of the piece's middle ([half of it twice](crate::Location::landing_height_twice)), its [eroded
/// cells](crate::Board::eroded_cells), and of the board after the clear the [row
/// transitions](crate::Board::row_transitions) less the 40 of 20 empty rows, the [column
/// transitions](crate::Board::column_transitions), the holes ([covered
/// cells](crate::Board::covered_cells)), the [cumulative wells](crate::Board::cumulative_wells),
/// the [hole depth](crate::Board::hole_depth), the [rows with holes](crate::Board::rows_with_holes)
/// and the [pattern diversity](crate::Board::pattern_diversity).
pub const FEATURES: [&str; 9] = [
    "landing_height",
    "eroded_cells",
    "row_transitions",
    "column_transitions",
    "holes",
    "cumulative_wells",
    "hole_depth",
    "rows_with_holes",
    "pattern_diversity",
];

/// The rows that aren't written yet; none if they are left out.
pub(super) struct Rows<B, F> {
    pub(super) boards: B,
    pub(super) features: F,
}

impl<'a, B, F> Rows<B, F>
where
    B: Iterator<Item = &'a mut [u8]>,
    F: Iterator<Item = &'a mut [f32; FEATURES.len()]>,
{
    /// Writes the next row. Returns the reward and the number of lines.
    #[inline(always)]
    pub(super) fn write<S: Isa>(
        &mut self,
        isa: S,
        settings: &BatchSettings,
        game: &Game,
        turn: Move,
    ) -> (f32, u8) {
        let at = turn.placement.at;
        let mut board = *game.board();
        board.add(at);
        let full = board;
        let lines = board.clear_lines_with(isa);
        if let Some(cells) = self.boards.next() {
            write_rows(isa, &board, settings.rows, cells);
        }
        if let Some(to) = self.features.next() {
            let features = board.every_feature();
            let transitions = features.row_transitions - 2 * (HEIGHT as u32 - SKYLINE as u32);
            *to = [
                at.landing_height_twice() as f32 / 2.0,
                full.eroded_cells(at) as f32,
                transitions as f32,
                features.column_transitions as f32,
                features.covered_cells as f32,
                features.cumulative_wells as f32,
                features.hole_depth as f32,
                features.rows_with_holes as f32,
                features.pattern_diversity as f32,
            ];
        }
        let clear = || game.clear(&board, lines, turn.placement.spin);
        let reward = match settings.reward {
            RewardKind::Lines => lines,
            RewardKind::Attack => settings.rules.attack.attack(clear()),
            RewardKind::Score => guideline_score(clear(), 1) as u32,
        };
        (reward as f32, lines as u8)
    }
}
