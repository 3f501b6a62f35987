//! The text form of [`BeamWeights`], one line of a checkpoint.
//!
//! ```text
//! # weights: row_transitions -50 column_transitions -47 .. patterns_after 80 patterns 5f0c21aa
//! ```
//!
//! The patterns are thousands of numbers, so the line stores only their checksum, or `-` for none.
//! Parsing needs the patterns themselves and compares the checksum.

use super::patterns::Patterns;
use super::weights::BeamWeights;
use crate::contest::checkpoint_error::{ParseCheckpointError, WEIGHTS};
use crate::contest::state_line::StateLine;
use std::fmt::{self, Write};

/// The largest absolute weight. With larger weights, the sums of an evaluation could overflow.
const MAX_WEIGHT: i32 = 10_000;
/// The maximum of `fade_pieces`: each piece needs its own table of all rows.
const MAX_FADE_PIECES: usize = 1_000;

/// Passes the names of the weights that are in points to a macro, in the order of the line.
macro_rules! points {
    ($each:ident) => {
        $each! {
            row_transitions column_transitions holes rows_with_holes open_rows covered_rows two_gaps
            skyline_transitions wells top run tetris_ready drought cell potential_percent
        }
    };
}

/// Passes the names of the remaining numbers, in the order of the line.
macro_rules! counts {
    ($each:ident) => {
        $each! { min_clear_cells ready_max_wait drought_min_wait fade_pieces patterns_after }
    };
}

pub(super) fn clamp(mut weights: BeamWeights) -> BeamWeights {
    macro_rules! clamp_each {
        ($($name:ident)*) => { $(weights.$name = weights.$name.clamp(-MAX_WEIGHT, MAX_WEIGHT);)* };
    }
    points!(clamp_each);
    weights.potential_percent = weights.potential_percent.clamp(0, 100);
    weights.fade_pieces = weights.fade_pieces.min(MAX_FADE_PIECES);
    weights
}

/// Writes the line, including its line feed.
pub(super) fn write(weights: &BeamWeights, f: &mut impl Write) -> fmt::Result {
    f.write_str(WEIGHTS)?;
    macro_rules! write_each {
        ($($name:ident)*) => { $(write!(f, concat!(" ", stringify!($name), " {}"), weights.$name)?;)* };
    }
    points!(write_each);
    counts!(write_each);
    match weights.patterns {
        Some(patterns) => writeln!(f, " patterns {:08x}", patterns.checksum()),
        None => writeln!(f, " patterns -"),
    }
}

/// If the line has patterns, their checksum must match `patterns`.
pub(super) fn parse(
    line: &str,
    patterns: &'static Patterns,
) -> Result<BeamWeights, ParseCheckpointError> {
    let (weights, checksum) = parse_words(line).ok_or(ParseCheckpointError::Weights)?;
    let expected = patterns.checksum();
    match checksum {
        Some(found) if found != expected => Err(ParseCheckpointError::Patterns { expected, found }),
        _ => Ok(BeamWeights { patterns: checksum.map(|_| patterns), ..weights }),
    }
}

/// Parses the weights without their patterns, and the checksum of the patterns.
fn parse_words(line: &str) -> Option<(BeamWeights, Option<u32>)> {
    let mut weights = BeamWeights { patterns: None, ..BeamWeights::FITTED };
    let mut line = StateLine::new(line, WEIGHTS)?;
    macro_rules! parse_each {
        ($($name:ident)*) => { $(weights.$name = line.number(stringify!($name))?;)* };
    }
    points!(parse_each);
    counts!(parse_each);
    let checksum = match line.word("patterns")? {
        "-" => None,
        checksum => Some(u32::from_str_radix(checksum, 16).ok()?),
    };
    line.end()?;
    (clamp(weights) == weights).then_some((weights, checksum))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every field has a distinct value, to detect omitted and swapped fields.
    const ALL_DIFFERENT: BeamWeights = BeamWeights {
        row_transitions: -1,
        column_transitions: 2,
        holes: -3,
        rows_with_holes: 4,
        open_rows: -5,
        covered_rows: 6,
        two_gaps: -7,
        skyline_transitions: 8,
        wells: -9,
        top: 10,
        run: -10_000,
        tetris_ready: 12,
        ready_max_wait: 13,
        drought: -14,
        drought_min_wait: usize::MAX,
        cell: 16,
        potential_percent: 17,
        min_clear_cells: u32::MAX,
        fade_pieces: 19,
        patterns: None,
        patterns_after: 20,
    };

    fn line(weights: &BeamWeights) -> String {
        let mut line = String::new();
        write(weights, &mut line).expect("a String");
        line
    }

    #[test]
    fn weights_are_exact() {
        let with_patterns = BeamWeights { patterns: Some(Patterns::FITTED), ..ALL_DIFFERENT };
        for weights in [ALL_DIFFERENT, with_patterns, BeamWeights::FITTED] {
            let line = line(&weights);
            assert_eq!(parse(&line, Patterns::FITTED), Ok(weights), "{line}");
        }
    }

    #[test]
    fn wrong_weights_are_refused() {
        let good = line(&BeamWeights::FITTED);
        for (from, to) in [
            ("cell 26", "cell 10001"),
            ("cell 26", "cell -10001"),
            ("cell 26", "cell 2.5"),
            ("cell 26", "cells 26"),
            ("cell 26", "cell"),
            ("percent 58", "percent 101"),
            ("percent 58", "percent -1"),
            ("fade_pieces 40", "fade_pieces 1001"),
            ("patterns_after 80", "patterns_after 18446744073709551616"),
            ("patterns ", "patterns x"),
            ("\n", " 1\n"),
            ("# weights:", "# weight:"),
        ] {
            let line = good.replace(from, to);
            assert_ne!(line, good);
            assert_eq!(
                parse(&line, Patterns::FITTED),
                Err(ParseCheckpointError::Weights),
                "{line}"
            );
        }
        let (before, _) = good.rsplit_once(' ').expect("words");
        let expected = Patterns::FITTED.checksum();
        assert_eq!(
            parse(&format!("{before} 1"), Patterns::FITTED),
            Err(ParseCheckpointError::Patterns { expected, found: 1 })
        );
    }
}
