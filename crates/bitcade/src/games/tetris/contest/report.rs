//! The result of a search and its printed report.

use crate::io::output::{Failure, Fields, Output};
use tetris_ai::contest::beam::Widths;
use tetris_ai::contest::{GameResult, Record, Sequence};

pub(super) struct SolveResult {
    pub(super) record: Record,
    pub(super) sequence: Sequence,
    /// The maximum beam width, or the branch limit of the tree search below a root.
    pub(super) width: usize,
    /// The work budget that repeats the game.
    pub(super) budget: Budget,
    pub(super) ended: SearchEnd,
    pub(super) saved: Result<(), Failure>,
    pub(super) seconds: f64,
}

/// A work budget, as a flag of `solve`.
pub(super) enum Budget {
    Steps(u64),
    Widths(Widths),
}

/// The end of a search. `Lost` contains the error message: a piece had no placement.
pub(super) enum SearchEnd {
    Done,
    Stopped,
    Lost(String),
}

/// What a verified record's text says besides the game.
pub(super) struct Verified {
    /// `ok`, or `none` for a record without a checksum line.
    pub(super) checksum: &'static str,
    /// The score that the record claims.
    pub(super) claimed: Option<u64>,
}

pub(super) fn print(
    game: &GameResult,
    solved: Option<&SolveResult>,
    verified: Option<&Verified>,
    seconds: f64,
    output: &mut Output,
) -> Result<(), Failure> {
    // The work budget that repeats the game.
    let (steps, widths) = match solved.map(|solved| &solved.budget) {
        None => (None, None),
        Some(Budget::Steps(steps)) => (Some(*steps), None),
        Some(Budget::Widths(widths)) => (None, Some(widths.to_string())),
    };
    let [one, two, three, four] = game.clears;
    let over = game.over.map(|over| over.to_string());
    let mut fields = Fields::default()
        .with("score", game.score)
        .whole("width", solved.map(|solved| solved.width as u64))
        .with("bound", game.bound)
        .number("ratio", game.ratio(), 4)
        .with("lines", game.lines)
        .json("clears", game.clears)
        .text("clears", format_args!("{one} {two} {three} {four} (of 1, 2, 3 and 4 lines)"))
        .with("pieces", game.pieces)
        .number("seconds", seconds, 2)
        .json("steps", steps)
        .json("widths", &widths);
    if let Some(steps) = steps {
        fields = fields.text("steps", steps);
    }
    if let Some(widths) = widths {
        fields = fields.text("widths", widths);
    }
    fields = fields
        .json("hovers", game.floating_locks)
        .text("hovers", format_args!("{} (pieces that locked in mid-air)", game.floating_locks))
        .with("cells_left", game.cells_left)
        .json("over", &over)
        .text("over", over.as_deref().unwrap_or("goes on"));
    if let Some(&Verified { checksum, claimed }) = verified {
        fields = fields.json("claimed", claimed);
        if let Some(claimed) = claimed {
            let holds = if claimed == game.score { "the score" } else { "not the score" };
            fields = fields.text("claimed", format_args!("{claimed} ({holds})"));
        }
        fields = fields.with("checksum", checksum);
    }
    output.lines(&fields)
}
