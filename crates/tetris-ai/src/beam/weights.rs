//! [`BeamWeights`]: what a board is worth, as data.

use super::patterns::Patterns;

/// What each feature of a board adds to its value, in points of the contest's score.
///
/// A *gap* is an empty cell of a row; it is *covered* if any cell above it in its column is filled, otherwise *open*. The
/// *skyline* is the board with all covered gaps filled. A covered gap is worth points: rows that lack one cell are what
/// clears of several rows are built of, as ready_max_wait as the rows above them are gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeamWeights {
    /// Each pair of neighbors in a row of which one is filled; the walls are no neighbors.
    pub row_transitions: i32,
    /// Each pair of neighbors in a column of which one is filled; the floor is filled, what is above the board isn't.
    pub column_transitions: i32,
    /// Each covered gap.
    pub holes: i32,
    /// Each row with covered gaps.
    pub rows_with_holes: i32,
    /// Each row with a single gap, if that is open.
    pub open_rows: i32,
    /// Each row with a single gap, if that is covered.
    pub covered_rows: i32,
    /// Each row with two gaps.
    pub two_gaps: i32,
    /// Each pair of neighbors in a row of the skyline of which one is filled.
    pub skyline_transitions: i32,
    /// Each empty cell between two filled ones (or a filled one and a wall) of a row of the skyline.
    pub wells: i32,
    /// How near the highest filled row is to the top: 6 for row 1, 3 for row 2, 1 for row 3.
    pub top: i32,
    /// Each row of the longest run of neighboring rows with a single, open gap, at most four. Where two rows have such
    /// gaps these are in one column.
    pub run: i32,
    /// A run of four, if at most `ready_max_wait` pieces come before the next I.
    pub tetris_ready: i32,
    /// See `tetris_ready`.
    pub ready_max_wait: usize,
    /// Each row of the run, if at least `drought_min_wait` pieces come before the next I.
    pub drought: i32,
    /// See `drought`.
    pub drought_min_wait: usize,
    /// Each filled cell, by the linear part.
    pub cell: i32,
    /// How much of the value of the filled cells comes from the bound by cell count, in hundredths; the rest is linear.
    pub potential_percent: i32,
    /// With fewer cells than this, the piece's included, no row is cleared.
    pub min_clear_cells: u32,
    /// For how many pieces before the end the shape of the board matters less and less.
    pub fade_pieces: usize,
    /// What single rows, runs and heights add to all that, if anything.
    pub patterns: Option<&'static Patterns>,
    /// After so many pieces. The first ones make a board unlike all that follow.
    pub patterns_after: usize,
}

impl BeamWeights {
    /// Fitted on the contest's sequence and two others: least squares of what small beams from sampled boards make in the
    /// next sixty pieces. The patterns, and the parts of the cells' value with them, come from hindsight.
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
    /// [`BeamWeights::FITTED`].
    fn default() -> Self {
        Self::FITTED
    }
}
