//! The feature weights of a controller.

use super::drops::ControllerDrop;
use std::fmt;
use std::str::FromStr;
use tetris::{Features, Piece};

/// The feature weights of a controller, in hundredths.
///
/// The value of a drop is *twice* the weighted sum: landing heights are multiples of one half, so
/// doubling makes all values integers, which compare exactly.
///
/// ```
/// use tetris_ai::control::ControllerWeights;
/// assert_eq!("dt20".parse(), Ok(ControllerWeights::DT20));
/// assert_eq!(ControllerWeights::DT20.rows_with_holes, -948);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ControllerWeights {
    /// The weight of the landing height, the height of the piece's vertical midpoint above the
    /// floor: half of [`landing_height_twice`](tetris::Location::landing_height_twice).
    pub landing_height: i32,
    /// The weight of the [`eroded_cells`](tetris::Board::eroded_cells): the piece's cells in
    /// completed rows, times the number of completed rows.
    pub eroded_cells: i32,
    /// The weight of the [`row_transitions`](tetris::Board::row_transitions) in the 20 rows of the
    /// field.
    pub row_transitions: i32,
    /// The weight of the [`column_transitions`](tetris::Board::column_transitions).
    pub column_transitions: i32,
    /// The weight of the holes, empty cells below a filled one:
    /// [`covered_cells`](tetris::Board::covered_cells).
    pub holes: i32,
    /// The weight of the [`cumulative_wells`](tetris::Board::cumulative_wells).
    pub cumulative_wells: i32,
    /// The weight of the filled cells above holes: [`hole_depth`](tetris::Board::hole_depth).
    pub hole_depth: i32,
    /// The weight of the [`rows_with_holes`](tetris::Board::rows_with_holes).
    pub rows_with_holes: i32,
    /// The weight of the [`pattern_diversity`](tetris::Board::pattern_diversity).
    pub pattern_diversity: i32,
}

impl ControllerWeights {
    /// P. Dellacherie's hand-tuned weights of 2003. His tie-breaking rule, which prefers drops far
    /// from the middle, is not included.
    pub const DELLACHERIE: Self = Self {
        landing_height: -100,
        eroded_cells: 100,
        row_transitions: -100,
        column_transitions: -100,
        holes: -400,
        cumulative_wells: -100,
        hole_depth: 0,
        rows_with_holes: 0,
        pattern_diversity: 0,
    };

    /// DT-20 by Scherrer and others (2015), learned by classification-based policy iteration on 10
    /// x 20 boards.
    pub const DT20: Self = Self {
        landing_height: -268,
        eroded_cells: 138,
        row_transitions: -241,
        column_transitions: -632,
        holes: 203,
        cumulative_wells: -271,
        hole_depth: -43,
        rows_with_holes: -948,
        pattern_diversity: 89,
    };

    const NAMES: [(&str, Self); 2] = [("dellacherie", Self::DELLACHERIE), ("dt20", Self::DT20)];

    /// Returns the part of a drop's value that depends on the board after it.
    #[inline(always)]
    pub(crate) fn board_value(&self, features: &Features) -> i32 {
        // Boards of `tetris` have 40 rows; the upper 20 are empty here, with two transitions each.
        let transitions = features.row_transitions as i32 - 2 * 20;
        2 * (self.row_transitions * transitions
            + self.column_transitions * features.column_transitions as i32
            + self.holes * features.covered_cells as i32
            + self.cumulative_wells * features.cumulative_wells as i32
            + self.hole_depth * features.hole_depth as i32
            + self.rows_with_holes * features.rows_with_holes as i32
            + self.pattern_diversity * features.pattern_diversity as i32)
    }

    #[inline(always)]
    pub(super) fn drop_value(&self, piece: Piece, drop: ControllerDrop) -> i32 {
        self.landing_value(drop.landing_height_twice(piece), drop.eroded_cells(piece))
    }

    #[inline(always)]
    pub(crate) fn landing_value(&self, height_twice: u32, eroded: u32) -> i32 {
        self.landing_height * height_twice as i32 + 2 * self.eroded_cells * eroded as i32
    }
}

/// The error of parsing an unknown name of [`ControllerWeights`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected dellacherie or dt20, found {found:?}")]
#[non_exhaustive]
pub struct ParseWeightsError {
    /// The text that was found.
    pub found: String,
}

impl FromStr for ControllerWeights {
    type Err = ParseWeightsError;

    fn from_str(name: &str) -> Result<Self, ParseWeightsError> {
        let named = Self::NAMES.iter().find(|(known, _)| *known == name);
        named
            .map(|&(_, weights)| weights)
            .ok_or_else(|| ParseWeightsError { found: name.to_owned() })
    }
}

impl fmt::Display for ControllerWeights {
    /// Formats the name of published weights, and `custom` for all others.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(_, weights)| weights == self);
        f.pad(name.map_or("custom", |(name, _)| name))
    }
}
