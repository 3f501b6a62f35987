//! [`EvaluationTables`]: all data for evaluating a whole sequence, computed once.
//!
//! The potential of n filled cells before a piece is the maximum score of this piece and all later
//! ones in a relaxed game. There a board is only its number of cells, and a piece may clear any
//! number of rows up to the maximum for its kind:
//!
//! ```text
//! potential[end][n] = 0
//! potential[i][n]   = max over k = 0..=max rows of piece i, with n + 4 - 10 k >= 0:
//!                         multiplier(k) * (n + 4) + potential[i + 1][n + 4 - 10 k]
//! ```
//!
//! The 10,000th piece scores nothing.

use super::evaluation::{CELLS, Evaluation, RowTables};
use super::patterns::{MAX_WAIT, Patterns};
use super::weights::BeamWeights;
use crate::columns::COLUMNS;
use crate::contest::game::multiplier;
use crate::contest::piece::OrientedPiece;
use crate::contest::sequence::PIECES;
use std::fmt;
use tetris::Piece;

/// The maximum number of cells before a piece in the potential's table: no beam fills a board
/// further.
const MAX_CELLS: usize = 168;
/// The potential of more cells than [`MAX_CELLS`].
const TOO_MANY_CELLS: i32 = -20_000;

#[derive(PartialEq, Eq)]
pub(super) struct EvaluationTables {
    pub(super) weights: BeamWeights,
    /// Before each piece, the potential by the number of filled cells.
    potential: Vec<[i32; MAX_CELLS + 1]>,
    /// Before each piece, the number of pieces before the next I, if one comes.
    i_wait: Vec<Option<usize>>,
    /// The row tables without and with the patterns (if any), by the number of pieces left, up to
    /// `fade_pieces`.
    tables: [Vec<Box<RowTables>>; 2],
}

impl EvaluationTables {
    pub(super) fn new(weights: &BeamWeights, pieces: &[OrientedPiece]) -> Self {
        let mut potential = vec![[0; MAX_CELLS + 1]; pieces.len() + 1];
        for (i, piece) in pieces.iter().enumerate().rev() {
            potential[i] = before(*piece, i + 1 < PIECES, &potential[i + 1]);
        }
        let mut i_wait = vec![None; pieces.len() + 1];
        for (i, piece) in pieces.iter().enumerate().rev() {
            i_wait[i] =
                if piece.kind() == Piece::I { Some(0) } else { i_wait[i + 1].map(|wait| wait + 1) };
        }
        let steps = weights.fade_pieces as i32;
        let percent = |left: i32| if steps == 0 { 100 } else { left * 100 / steps };
        let tables =
            [&Patterns::NONE, weights.patterns.unwrap_or(&Patterns::NONE)].map(|patterns| {
                (0..=steps).map(|step| RowTables::new(weights, patterns, percent(step))).collect()
            });
        Self { weights: *weights, potential, i_wait, tables }
    }

    /// Returns the evaluation of boards after piece `piece` (from 0).
    pub(super) fn after(&self, piece: usize) -> Evaluation<'_> {
        let BeamWeights {
            cell,
            potential_percent,
            run,
            tetris_ready,
            ready_max_wait,
            drought,
            drought_min_wait,
            top,
            min_clear_cells,
            fade_pieces,
            ..
        } = self.weights;
        let next = piece + 1;
        let left = (self.potential.len() - 1).saturating_sub(next);
        let faded = left.min(fade_pieces);
        let part = |value: i32| {
            if fade_pieces == 0 { value } else { value * faded as i32 / fade_pieces as i32 }
        };
        let potential = &self.potential[next];
        // Only differences matter, so values are relative to the potential of the usual number of
        // cells, 100 to 108.
        let usual = potential[100 + 4 * next % COLUMNS];
        let potential_percent = 100 - part(100 - potential_percent);
        let cells: [i32; CELLS] = std::array::from_fn(|cells| {
            let bound = potential.get(cells).map_or(TOO_MANY_CELLS, |potential| potential - usual);
            (cell * cells as i32 * (100 - potential_percent) + bound * potential_percent) / 100
        });
        let i_wait = self.i_wait[next];
        let is_i_soon = i_wait.is_some_and(|wait| wait <= ready_max_wait);
        let is_drought = i_wait.is_none_or(|wait| wait >= drought_min_wait);
        let wait = i_wait.map_or(MAX_WAIT - 1, |wait| wait.min(MAX_WAIT - 1));
        let with_patterns = next > self.weights.patterns_after;
        let patterns = self.weights.patterns.filter(|_| with_patterns).unwrap_or(&Patterns::NONE);
        let runs = std::array::from_fn(|length| {
            let length = length.min(4);
            let tetris_ready = if length == 4 && is_i_soon { tetris_ready } else { 0 };
            let drought = if is_drought { drought * length as i32 } else { 0 };
            let pattern = i32::from(patterns.runs[length][wait]);
            part(run * length as i32 + tetris_ready + drought + pattern)
        });
        let tops = std::array::from_fn(|row| {
            let nearness = [0, 6, 3, 1].get(row).unwrap_or(&0);
            let pattern = patterns.tops.get(row).copied().unwrap_or(0);
            part(top * nearness + i32::from(pattern))
        });
        Evaluation {
            tables: &self.tables[usize::from(with_patterns)][faded],
            cells,
            runs,
            tops,
            min_clear_cells: if faded < fade_pieces { 0 } else { min_clear_cells },
            scores: next < PIECES,
        }
    }
}

impl fmt::Debug for EvaluationTables {
    /// Omits the tables, which are millions of numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EvaluationTables").finish_non_exhaustive()
    }
}

fn before(
    piece: OrientedPiece,
    scores: bool,
    after: &[i32; MAX_CELLS + 1],
) -> [i32; MAX_CELLS + 1] {
    std::array::from_fn(|cells| {
        let placed = cells + 4;
        let lines = 0..=piece.max_lines();
        let options = lines.filter_map(|lines| {
            let left = placed.checked_sub(COLUMNS * lines as usize)?;
            let gain = if scores { multiplier(lines) as i32 * placed as i32 } else { 0 };
            Some(after.get(left)? + gain)
        });
        options.max().unwrap_or(TOO_MANY_CELLS)
    })
}
