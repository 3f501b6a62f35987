//! The result of a search and its printed report.

use crate::output::{Failure, Output};
use serde::Serialize;
use tetris_ai::beam::Widths;
use tetris_ai::contest::{GameResult, Record, Sequence};

/// The result of a search.
pub(super) struct SolveResult {
    pub(super) record: Record,
    pub(super) sequence: Sequence,
    /// The greatest width of the beam, or the branch limit of the tree search below a root.
    pub(super) width: usize,
    /// The budget of work that repeats the game.
    pub(super) budget: Budget,
    /// The end of the search.
    pub(super) ended: SearchEnd,
    pub(super) seconds: f64,
}

/// A budget of work, as a flag of `solve`.
pub(super) enum Budget {
    Steps(u64),
    Widths(Widths),
}

/// The end of a search. `Lost` has the error message: a piece has no place.
pub(super) enum SearchEnd {
    Done,
    Stopped,
    Lost(String),
}

/// The result that `verify` and `solve` print.
#[derive(Serialize)]
pub(super) struct Report {
    score: u64,
    /// The greatest width of the beam, or the most children that the tree search follows below a root.
    width: Option<usize>,
    bound: u64,
    /// The share of the bound, `None` if the bound is 0.
    ratio: Option<f64>,
    lines: u32,
    clears: [u32; 4],
    pieces: usize,
    seconds: f64,
    /// The steps of the tree search: the budget of work that repeats the game.
    steps: Option<u64>,
    /// The widths of the beam: the budget of work that repeats the game.
    widths: Option<String>,
    /// The number of pieces that locked in mid-air.
    hovers: u32,
    cells_left: u32,
    over: Option<String>,
    /// The checksum of a verified record: `ok`, or `none` for a record without a checksum line.
    #[serde(skip_serializing_if = "Option::is_none")]
    checksum: Option<&'static str>,
}

impl Report {
    pub(super) fn new(game: &GameResult, solved: Option<&SolveResult>, seconds: f64) -> Self {
        let (steps, widths) = match solved.map(|solved| &solved.budget) {
            None => (None, None),
            Some(Budget::Steps(steps)) => (Some(*steps), None),
            Some(Budget::Widths(widths)) => (None, Some(widths.to_string())),
        };
        Self {
            score: game.score,
            width: solved.map(|solved| solved.width),
            bound: game.bound,
            ratio: game.ratio(),
            lines: game.lines,
            clears: game.clears,
            pieces: game.pieces,
            seconds,
            steps,
            widths,
            hovers: game.floating_locks,
            cells_left: game.cells_left,
            over: game.over.map(|over| over.to_string()),
            checksum: None,
        }
    }

    /// Returns the report of a verified record, with or without a checksum line.
    pub(super) fn verified(game: &GameResult, has_checksum: bool, seconds: f64) -> Self {
        let checksum = Some(if has_checksum { "ok" } else { "none" });
        Self { checksum, ..Self::new(game, None, seconds) }
    }
}

pub(super) fn print(report: &Report, output: &mut Output) -> Result<(), Failure> {
    output.result(report, || {
        let Report { score, bound, lines, clears, pieces, seconds, hovers, cells_left, .. } = report;
        let width = report.width.map_or("none".to_owned(), |width| width.to_string());
        let steps = report.steps.map_or(String::new(), |steps| format!("steps {steps}\n"));
        let widths = report.widths.as_ref().map_or(String::new(), |widths| format!("widths {widths}\n"));
        let [one, two, three, four] = clears;
        let ratio = report.ratio.map_or("none".to_owned(), |ratio| format!("{ratio:.4}"));
        let checksum = report.checksum.map_or(String::new(), |checksum| format!("checksum {checksum}\n"));
        let over = report.over.as_deref().unwrap_or("goes on");
        format!(
            "score {score}\nwidth {width}\nbound {bound}\nratio {ratio}\nlines {lines}\n\
             clears {one} {two} {three} {four} (of 1, 2, 3 and 4 lines)\npieces {pieces}\nseconds {seconds:.2}\n\
             {steps}{widths}hovers {hovers} (pieces that locked in mid-air)\ncells_left {cells_left}\nover {over}\n{checksum}"
        )
    })
}
