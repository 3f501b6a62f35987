//! [`BeamWeights`]: the weights of the evaluation of the beam.

use super::patterns::Patterns;

/// The weight of each feature of a board, in points of the contest's score.
///
/// A *gap* is an empty cell of a row. It is *covered* if any cell above it in its column is filled, otherwise
/// *open*. The *skyline* is the board with all covered gaps filled. In [`FITTED`](Self::FITTED) a covered gap
/// adds points: rows that lack a single cell are cleared together once the rows above them are gone.
///
/// A weight lies between -10,000 and 10,000, `potential_percent` between 0 and 100, and `fade_pieces` is at
/// most 1,000. [`Beam::new`](super::Beam::new) takes others as the nearest of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeamWeights {
    /// The weight of each pair of neighbors in a row of which one is filled. Walls do not count.
    pub row_transitions: i32,
    /// The weight of each pair of neighbors in a column of which one is filled. The floor counts as filled,
    /// the cells above the board as empty.
    pub column_transitions: i32,
    /// The weight of each covered gap.
    pub holes: i32,
    /// The weight of each row with covered gaps.
    pub rows_with_holes: i32,
    /// The weight of each row with a single gap that is open.
    pub open_rows: i32,
    /// The weight of each row with a single gap that is covered.
    pub covered_rows: i32,
    /// The weight of each row with two gaps.
    pub two_gaps: i32,
    /// The weight of each pair of neighbors in a row of the skyline of which one is filled.
    pub skyline_transitions: i32,
    /// The weight of each empty cell of the skyline between two filled ones, or between a filled one and a
    /// wall.
    pub wells: i32,
    /// The weight of a stack near the top: counts 6 times if the highest filled row is row 1, 3 times for row
    /// 2, once for row 3.
    pub top: i32,
    /// The weight of each row of the longest run of neighboring rows with a single, open gap, at most four
    /// rows. Such gaps of neighboring rows always lie in one column.
    pub run: i32,
    /// The weight of a run of four if at most `ready_max_wait` pieces come before the next I.
    pub tetris_ready: i32,
    /// The most pieces before the next I for which `tetris_ready` counts.
    pub ready_max_wait: usize,
    /// The weight of each row of the run if at least `drought_min_wait` pieces come before the next I.
    pub drought: i32,
    /// The fewest pieces before the next I for which `drought` counts.
    pub drought_min_wait: usize,
    /// The weight of each filled cell in the linear part of the value of the filled cells.
    pub cell: i32,
    /// The share of the potential in the value of the filled cells, in hundredths; the rest is linear. The
    /// potential is the most that the remaining pieces can score from this number of cells.
    pub potential_percent: i32,
    /// The number of cells, the piece's included, below which the beam clears no row. The last
    /// `fade_pieces` pieces have no such limit.
    pub min_clear_cells: u32,
    /// The number of pieces before the end over which the weights of the shape fall to zero.
    pub fade_pieces: usize,
    /// The additional values of single rows, runs and heights, if any.
    pub patterns: Option<&'static Patterns>,
    /// The number of pieces after which the patterns count. Earlier boards are unlike the later ones.
    pub patterns_after: usize,
}

impl BeamWeights {
    /// The weights fitted on the contest's sequence and two others, by least squares on the points that small
    /// beams from sampled boards score with the next sixty pieces. The patterns and the value of the filled
    /// cells were fitted in hindsight: see [`Patterns::FITTED`].
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
