//! [`Widths`]: the width of a beam at each piece.

use std::fmt;
use std::str::FromStr;

/// The maximum width: the number of distinct indices within a partition.
pub(super) const MAX_WIDTH: usize = 1 << 28;

/// The error of parsing an invalid list of widths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a width such as 500, or a list of runs such as 900x50,500, each width from 1 to {MAX_WIDTH}"
)]
pub struct ParseWidthsError;

/// The widths of a beam, which are the numbers of boards kept after each piece.
///
/// The text form is a list of runs: `1000x50,24000x9950` is 50 pieces at width 1000, then 9950
/// pieces at width 24000. A last run without a count covers all remaining pieces.
///
/// ```
/// use tetris_ai::contest::beam::Widths;
/// let widths: Widths = "1000x50,24000".parse()?;
/// assert_eq!((widths.at(49), widths.at(50)), ((1000, Some(1)), (24000, None)));
/// assert!("1000x50,0".parse::<Widths>().is_err());
/// # Ok::<(), tetris_ai::contest::beam::ParseWidthsError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Widths {
    /// The runs as (pieces, width); neighbors differ in width. A run without a number of pieces
    /// doesn't end.
    runs: Vec<(Option<usize>, usize)>,
}

impl Widths {
    pub(super) fn push(&mut self, pieces: Option<usize>, width: usize) {
        match self.runs.last_mut() {
            Some(last) if last.1 == width => last.0 = sum(last.0, pieces),
            _ => self.runs.push((pieces, width)),
        }
    }

    /// Returns the width at piece `piece` (from 0) and the number of consecutive pieces from there
    /// with the same width, `None` for all that follow. Beyond the last run its width continues;
    /// without any run the width is 1.
    pub fn at(&self, piece: usize) -> (usize, Option<usize>) {
        let mut start = Some(0);
        for &(pieces, width) in &self.runs {
            let end = sum(start, pieces);
            match end {
                Some(end) if end <= piece => start = Some(end),
                _ => return (width, end.map(|end| end - piece)),
            }
        }
        (self.last().max(1), None)
    }

    /// Returns the last width, or 0 if there are no runs.
    pub(super) fn last(&self) -> usize {
        self.runs.last().map_or(0, |run| run.1)
    }

    /// Returns the greatest width, or 0 if there are no runs.
    pub fn max(&self) -> usize {
        self.runs.iter().map(|run| run.1).max().unwrap_or(0)
    }

    /// Returns the number of pieces of all runs, `None` if the last doesn't end.
    pub(super) fn pieces(&self) -> Option<usize> {
        self.runs.iter().try_fold(0usize, |all, run| all.checked_add(run.0?))
    }

    pub(super) fn boards(&self) -> f64 {
        let boards = |&(pieces, width): &(Option<usize>, usize)| {
            pieces.map_or(f64::INFINITY, |pieces| pieces as f64) * width as f64
        };
        self.runs.iter().map(boards).sum()
    }
}

fn sum(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    a?.checked_add(b?)
}

impl fmt::Display for Widths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let run = |&(pieces, width): &(Option<usize>, usize)| match pieces {
            Some(pieces) => format!("{width}x{pieces}"),
            None => width.to_string(),
        };
        f.write_str(&self.runs.iter().map(run).collect::<Vec<_>>().join(","))
    }
}

impl FromStr for Widths {
    type Err = ParseWidthsError;

    fn from_str(text: &str) -> Result<Self, ParseWidthsError> {
        let mut widths = Self::default();
        for run in text.split(',') {
            let (width, pieces) = match run.split_once(['x', 'X']) {
                Some((width, pieces)) => {
                    (width, Some(pieces.parse().map_err(|_| ParseWidthsError)?))
                }
                None => (run, None),
            };
            let width = width.parse().ok().filter(|width| (1..=MAX_WIDTH).contains(width));
            widths.push(pieces, width.ok_or(ParseWidthsError)?);
        }
        Ok(widths)
    }
}
