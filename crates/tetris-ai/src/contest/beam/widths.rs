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
/// assert_eq!((widths.at(49), widths.at(50)), ((1000, 1), (24000, usize::MAX)));
/// assert!("1000x50,0".parse::<Widths>().is_err());
/// # Ok::<(), tetris_ai::contest::beam::ParseWidthsError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Widths {
    /// The runs as (pieces, width); neighbors differ in width.
    runs: Vec<(usize, usize)>,
}

impl Widths {
    pub(super) fn push(&mut self, pieces: usize, width: usize) {
        match self.runs.last_mut() {
            Some(last) if last.1 == width => last.0 = last.0.saturating_add(pieces),
            _ => self.runs.push((pieces, width)),
        }
    }

    /// Returns the width at piece `piece` (from 0) and the number of consecutive pieces from there
    /// with the same width. Beyond the last run its width continues; without any run the width is 1.
    pub fn at(&self, piece: usize) -> (usize, usize) {
        let mut end = 0usize;
        for &(pieces, width) in &self.runs {
            end = end.saturating_add(pieces);
            if piece < end {
                return (width, if end == usize::MAX { end } else { end - piece });
            }
        }
        (self.runs.last().map_or(1, |run| run.1), usize::MAX)
    }

    /// Returns the last width, or 0 if there are no runs.
    pub(super) fn last(&self) -> usize {
        self.runs.last().map_or(0, |run| run.1)
    }

    /// Returns the greatest width, or 0 if there are no runs.
    pub fn max(&self) -> usize {
        self.runs.iter().map(|run| run.1).max().unwrap_or(0)
    }

    pub(super) fn pieces(&self) -> usize {
        self.runs.iter().fold(0, |sum: usize, run| sum.saturating_add(run.0))
    }

    pub(super) fn boards(&self) -> f64 {
        self.runs.iter().map(|&(pieces, width)| pieces as f64 * width as f64).sum()
    }
}

impl fmt::Display for Widths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let run = |&(pieces, width): &(usize, usize)| match pieces {
            usize::MAX => width.to_string(),
            pieces => format!("{width}x{pieces}"),
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
                Some((width, pieces)) => (width, pieces.parse().ok()),
                None => (run, Some(usize::MAX)),
            };
            let width = width.parse().ok().filter(|width| (1..=MAX_WIDTH).contains(width));
            let (Some(pieces), Some(width)) = (pieces, width) else {
                return Err(ParseWidthsError);
            };
            widths.push(pieces, width);
        }
        Ok(widths)
    }
}
