//! [`Patterns`]: values of individual rows beyond the features of [`BeamWeights`](super::BeamWeights).

use crate::columns::{COLUMNS, ROWS};
use std::fmt;

const ROW_STATES: usize = 1 << COLUMNS;

/// The number of distinct waits for the next I, in pieces, in the values of runs.
pub(super) const MAX_WAIT: usize = 24;

/// The values of individual rows, runs and heights, added to the features of
/// [`BeamWeights`](super::BeamWeights), which explains the terms. The unit is a point of the
/// contest's score. Bit x of a row is the cell in column x.
///
/// ```
/// use tetris_ai::contest::beam::{BeamWeights, Patterns};
/// let Patterns { runs, rows, .. } = Patterns::FITTED;
/// // Four rows waiting for an I are worth most when it comes next. Mirror images have equal values.
/// assert!(runs[4][0] > runs[4][6]);
/// assert_eq!(rows[0b00_0000_0111], rows[0b11_1000_0000]);
/// // The evaluation without patterns:
/// let plain = BeamWeights { patterns: None, ..BeamWeights::FITTED };
/// # assert_ne!(plain, BeamWeights::FITTED);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Patterns {
    /// The values by the cells of a row: `[without covered gaps, with covered gaps]`.
    pub rows: [[i16; 2]; ROW_STATES],
    /// The values by the cells of a skyline row.
    pub skyline: [i16; ROW_STATES],
    /// The values by the covered gaps of a row.
    pub holes: [i16; ROW_STATES],
    /// The values by the cells that differ between a row and the row above it.
    pub columns: [i16; ROW_STATES],
    /// The values by the length of the run and the number of pieces before the next I. The last
    /// entry also covers longer waits.
    pub runs: [[i16; MAX_WAIT]; 5],
    /// The values by the highest filled row; the floor is row 20.
    pub tops: [i16; ROWS + 1],
}

impl Patterns {
    /// The patterns fitted in hindsight: they predict which boards of a beam have descendants some
    /// layers later. The head of `src/contest/beam/patterns.txt` describes the method.
    pub const FITTED: &'static Self = {
        static FITTED: Patterns = Patterns::read(include_str!("patterns.txt").as_bytes());
        &FITTED
    };

    /// All values 0, equivalent to no patterns.
    pub(crate) const NONE: Self = Self {
        rows: [[0; 2]; ROW_STATES],
        skyline: [0; ROW_STATES],
        holes: [0; ROW_STATES],
        columns: [0; ROW_STATES],
        runs: [[0; MAX_WAIT]; 5],
        tops: [0; ROWS + 1],
    };

    /// Identifies the patterns in a checkpoint.
    pub(super) fn checksum(&self) -> u32 {
        let Self { rows, skyline, holes, columns, runs, tops } = self;
        let parts = [rows.as_flattened(), skyline, holes, columns, runs.as_flattened(), tops];
        let mut hasher = crc32fast::Hasher::new();
        parts.into_iter().flatten().for_each(|value| hasher.update(&value.to_le_bytes()));
        hasher.finalize()
    }

    const fn set(&mut self, row: usize, values: [i16; 5]) {
        self.rows[row] = [values[0], values[1]];
        [self.skyline[row], self.holes[row], self.columns[row]] = [values[2], values[3], values[4]];
    }

    /// Parses `patterns.txt`, which describes its format in its head. An error in the file fails
    /// the build.
    const fn read(text: &[u8]) -> Self {
        let mut patterns = Self::NONE;
        let mut at = 0;
        let mut lines = 0;
        let mut runs = 0;
        while at < text.len() {
            match text[at] {
                b'#' if matches!(text[at + 1], b' ' | b'\n') => {
                    while text[at] != b'\n' {
                        at += 1;
                    }
                }
                b'#' | b'.' => {
                    let mut row = 0;
                    let mut mirrored = 0;
                    let mut x = 0;
                    while x < COLUMNS {
                        let filled = (text[at + x] == b'#') as usize;
                        row |= filled << x;
                        mirrored |= filled << (COLUMNS - 1 - x);
                        x += 1;
                    }
                    let values: [i16; 5] = numbers(text, &mut at);
                    patterns.set(row, values);
                    patterns.set(mirrored, values);
                    lines += if row == mirrored { 1 } else { 2 };
                }
                b'r' => {
                    patterns.runs[runs] = numbers(text, &mut at);
                    runs += 1;
                }
                b't' => patterns.tops = numbers(text, &mut at),
                _ => at += 1,
            }
        }
        assert!(lines == ROW_STATES && runs == 5, "a line of patterns.txt is missing");
        patterns
    }
}

/// Reads the numbers after the next space, up to the end of the line.
const fn numbers<const N: usize>(text: &[u8], at: &mut usize) -> [i16; N] {
    let mut numbers = [0; N];
    let mut count = 0;
    while text[*at] != b'\n' {
        if text[*at] != b' ' {
            *at += 1;
            continue;
        }
        *at += 1;
        let negative = text[*at] == b'-';
        *at += negative as usize;
        while text[*at].is_ascii_digit() {
            numbers[count] = 10 * numbers[count] + (text[*at] - b'0') as i16;
            *at += 1;
        }
        if negative {
            numbers[count] = -numbers[count];
        }
        count += 1;
    }
    assert!(count == N, "a line of patterns.txt has too few numbers");
    numbers
}

impl fmt::Debug for Patterns {
    /// Omits the tables, which are thousands of numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Patterns").field("tops", &self.tops).finish_non_exhaustive()
    }
}
