//! [`BeamWeights`]: the weights of the beam's evaluation.

use super::patterns::Patterns;

/// The weights of the board features, in points of the contest's score.
///
/// A *gap* is an empty cell of a row. It is *covered* if any cell above it in its column is filled,
/// otherwise *open*. The *skyline* is the board with all covered gaps filled in. In
/// [`FITTED`](Self::FITTED) a covered gap adds points: rows with a single missing cell are cleared
/// together once the rows above them are gone.
///
/// Weights range from -10,000 to 10,000, `potential_percent` from 0 to 100; `fade_pieces` is at
/// most 1,000. [`Beam::new`](super::Beam::new) clamps values outside these ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeamWeights {
    /// The weight of each pair of neighbors in a row with exactly one filled. Walls do not count.
    pub row_transitions: i32,
    /// The weight of each pair of neighbors in a column with exactly one filled. The floor counts
    /// as filled, the cells above the board as empty.
    pub column_transitions: i32,
    /// The weight of each covered gap.
    pub holes: i32,
    /// The weight of each row with covered gaps.
    pub rows_with_holes: i32,
    /// The weight of each row whose only gap is open.
    pub open_rows: i32,
    /// The weight of each row whose only gap is covered.
    pub covered_rows: i32,
    /// The weight of each row with two gaps.
    pub two_gaps: i32,
    /// The weight of each pair of neighbors in a skyline row with exactly one filled.
    pub skyline_transitions: i32,
    /// The weight of each empty cell of the skyline between two filled cells, or between a filled
    /// cell and a wall.
    pub wells: i32,
    /// The weight of a stack near the top: counted 6 times if the highest filled row is row 1, 3
    /// times for row 2, once for row 3.
    pub top: i32,
    /// The weight of each row in the longest run of consecutive rows with a single, open gap, at
    /// most four rows. The gaps of such a run are always in one column.
    pub run: i32,
    /// The weight of a run of four if at most `ready_max_wait` pieces come before the next I.
    pub tetris_ready: i32,
    /// The maximum number of pieces before the next I for `tetris_ready` to count.
    pub ready_max_wait: usize,
    /// The weight of each row of the run if at least `drought_min_wait` pieces come before the next
    /// I.
    pub drought: i32,
    /// The minimum number of pieces before the next I for `drought` to count.
    pub drought_min_wait: usize,
    /// The weight of each filled cell in the linear part of the cell value.
    pub cell: i32,
    /// The share of the potential in the cell value, in hundredths; the rest is linear. The
    /// potential is the maximum score of the remaining pieces from this number of filled cells.
    pub potential_percent: i32,
    /// The number of filled cells, including the piece, below which the beam clears no row. The
    /// limit does not apply to the last `fade_pieces` pieces.
    pub min_clear_cells: u32,
    /// The number of last pieces over which the weights of the shape fade to zero.
    pub fade_pieces: usize,
    /// The additional values of individual rows, runs and heights, if any.
    pub patterns: Option<&'static Patterns>,
    /// The number of pieces after which the patterns count. Earlier boards differ too much from
    /// later ones.
    pub patterns_after: usize,
}

impl BeamWeights {
    /// The weights fitted on the contest's sequence and two others, by least squares on the points
    /// scored by small beams from sampled boards with the next sixty pieces. The patterns and the
    /// cell value were fitted in hindsight: see [`Patterns::FITTED`].
    pub const FITTED: Self = Self {
        row_transitions: -50,
        column_transitions: -47,
        holes: 18,
        rows_with_holes: -24,
        open_rows: 63,
        covered_rows: 87,
        two_gaps: -17,
        skyline_transitions: 38,
        wells: -31,
        top: -5,
        run: 22,
        tetris_ready: 30,
        ready_max_wait: 6,
        drought: -21,
        drought_min_wait: 12,
        cell: 26,
        potential_percent: 58,
        min_clear_cells: 120,
        fade_pieces: 40,
        patterns: Some(Patterns::FITTED),
        patterns_after: 80,
    };
}

impl Default for BeamWeights {
    /// Returns [`BeamWeights::FITTED`].
    fn default() -> Self {
        Self::FITTED
    }
}
