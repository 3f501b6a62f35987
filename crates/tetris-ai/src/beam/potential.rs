//! What the filled cells are worth, by the bound that knows nothing else of a board.

use super::evaluation::{CELLS, Evaluation, Tables};
use super::patterns::WAITS;
use super::weights::Weights;
use crate::contest::{COLUMNS, PIECES, Piece, Shape, multiplier};
use std::fmt;

/// The most cells before a piece with which the bound still reckons: no beam fills a board further.
const MAX_CELLS: usize = 168;
/// What more cells than that are worth.
const TOO_MANY: i32 = -20_000;

/// The evaluations of a whole sequence.
#[derive(PartialEq, Eq)]
pub(super) struct Outlook {
    pub(super) weights: Weights,
    /// Before each piece: what the pieces from there on can still score, by the cells filled.
    potential: Vec<[i32; MAX_CELLS + 1]>,
    /// Before each piece: how many others come before the next I.
    wait: Vec<usize>,
    /// The tables without and with the patterns, by how much is left of the shape.
    tables: [Vec<Box<Tables>>; 2],
}

impl Outlook {
    pub(super) fn new(weights: &Weights, pieces: &[Piece]) -> Self {
        let mut potential = vec![[0; MAX_CELLS + 1]; pieces.len() + 1];
        for (i, piece) in pieces.iter().enumerate().rev() {
            potential[i] = before(*piece, i + 1 < PIECES, &potential[i + 1]);
        }
        let mut wait = vec![usize::MAX / 2; pieces.len() + 1];
        for (i, piece) in pieces.iter().enumerate().rev() {
            wait[i] = if piece.shape() == Shape::I { 0 } else { wait[i + 1] + 1 };
        }
        let steps = weights.fade as i32;
        let left = |left: i32| if steps == 0 { 100 } else { left * 100 / steps };
        let tables = [None, weights.patterns]
            .map(|patterns| (0..=steps).map(|step| Tables::new(weights, patterns, left(step))).collect());
        Self { weights: *weights, potential, wait, tables }
    }

    /// What boards are worth after piece `piece` (from 0).
    pub(super) fn after(&self, piece: usize) -> Evaluation<'_> {
        let Weights { cell, foresight, run, ready, soon, waiting, late, top, least_cells, fade, .. } =
            self.weights;
        let next = piece + 1;
        let left = (self.potential.len() - 1).saturating_sub(next);
        let faded = left.min(fade);
        let part = |value: i32| if fade == 0 { value } else { value * faded as i32 / fade as i32 };
        let potential = &self.potential[next];
        // The absolute height of the bound is of no interest: compare with boards as they should be.
        let usual = potential[100 + 4 * next % COLUMNS];
        let foresight = 100 - part(100 - foresight);
        let cells: [i32; CELLS] = std::array::from_fn(|cells| {
            let bound = potential.get(cells).map_or(TOO_MANY, |potential| potential - usual);
            (cell * cells as i32 * (100 - foresight) + bound * foresight) / 100
        });
        let wait = self.wait[next];
        let patterns = self.weights.patterns.filter(|_| next > self.weights.patterns_after);
        let pattern_of_run =
            |length: usize| patterns.map_or(0, |patterns| patterns.runs[length][wait.min(WAITS - 1)].into());
        let runs = std::array::from_fn(|length| {
            let length = length.min(4);
            let ready = if length == 4 && wait <= soon { ready } else { 0 };
            let waiting = if wait >= late { waiting * length as i32 } else { 0 };
            part(run * length as i32 + ready + waiting + pattern_of_run(length))
        });
        let tops = std::array::from_fn(|row| {
            let nearness = [0, 6, 3, 1].get(row).unwrap_or(&0);
            let pattern = patterns.and_then(|patterns| patterns.tops.get(row)).copied();
            part(top * nearness + i32::from(pattern.unwrap_or(0)))
        });
        Evaluation {
            tables: &self.tables[usize::from(patterns.is_some())][faded],
            cells,
            runs,
            tops,
            least_cells: if faded < fade { 0 } else { least_cells },
            scores: next < PIECES,
        }
    }
}

impl fmt::Debug for Outlook {
    /// Without the millions of numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outlook").finish_non_exhaustive()
    }
}

/// The bound before a piece, from that after it.
fn before(piece: Piece, scores: bool, after: &[i32; MAX_CELLS + 1]) -> [i32; MAX_CELLS + 1] {
    std::array::from_fn(|cells| {
        let placed = cells + 4;
        let lines = 0..=piece.shape().max_lines();
        let options = lines.filter_map(|lines| {
            let left = placed.checked_sub(COLUMNS * lines as usize)?;
            let gain = if scores { multiplier(lines) as i32 * placed as i32 } else { 0 };
            Some(after.get(left)? + gain)
        });
        options.max().unwrap_or(TOO_MANY)
    })
}
