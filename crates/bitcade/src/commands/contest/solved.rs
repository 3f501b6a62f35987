//! A search that has ended, and what is printed of it.

use crate::output::{Failure, Output};
use serde::Serialize;
use tetris_ai::beam::Widths;
use tetris_ai::contest::{GameResult, Record, Sequence};

/// A search that has ended.
pub(super) struct Solved {
    pub(super) record: Record,
    pub(super) sequence: Sequence,
    /// The greatest width.
    pub(super) width: usize,
    /// The flag that repeats the game.
    pub(super) budget: Budget,
    /// Why the game isn't complete, if it isn't: nothing to complain of, or a piece that has no place.
    pub(super) ended: Ended,
    pub(super) seconds: f64,
}

/// The work that was done.
pub(super) enum Budget {
    Steps(u64),
    Widths(Widths),
}

/// How a search ended.
pub(super) enum Ended {
    Done,
    Stopped,
    Lost(String),
}

/// What both commands print.
#[derive(Serialize)]
pub(super) struct Printed {
    score: u64,
    /// The most boards that the beam kept; the most children that the tree search follows below a root.
    width: Option<usize>,
    bound: u64,
    ratio: f64,
    lines: u32,
    clears: [u32; 4],
    pieces: usize,
    seconds: f64,
    /// The tree search's steps: the budget of work that repeats the game.
    steps: Option<u64>,
    /// The beam's widths: likewise.
    widths: Option<String>,
    hovers: u32,
    cells_left: u32,
    over: Option<String>,
}

impl Printed {
    pub(super) fn new(report: &GameResult, solved: Option<&Solved>, seconds: f64) -> Self {
        let (steps, widths) = match solved.map(|solved| &solved.budget) {
            None => (None, None),
            Some(Budget::Steps(steps)) => (Some(*steps), None),
            Some(Budget::Widths(widths)) => (None, Some(widths.to_string())),
        };
        Self {
            score: report.score,
            width: solved.map(|solved| solved.width),
            bound: report.bound,
            ratio: report.ratio(),
            lines: report.lines,
            clears: report.clears,
            pieces: report.pieces,
            seconds,
            steps,
            widths,
            hovers: report.floating_locks,
            cells_left: report.cells_left,
            over: report.over.map(|over| over.to_string()),
        }
    }
}

pub(super) fn print(printed: &Printed, output: &mut Output) -> Result<(), Failure> {
    output.result(printed, || {
        let Printed { score, bound, ratio, lines, clears, pieces, seconds, hovers, cells_left, .. } = printed;
        let width = printed.width.map_or(String::new(), |width| format!("width {width}\n"));
        let steps = printed.steps.map_or(String::new(), |steps| format!("steps {steps}\n"));
        let widths = printed.widths.as_ref().map_or(String::new(), |widths| format!("widths {widths}\n"));
        let [one, two, three, four] = clears;
        let over = printed.over.as_deref().unwrap_or("goes on");
        format!(
            "score {score}\n{width}bound {bound}\nratio {ratio:.4}\nlines {lines}\n\
             clears {one} {two} {three} {four}\npieces {pieces}\nseconds {seconds:.2}\n{steps}{widths}hovers {hovers}\n\
             cells_left {cells_left}\nover {over}\n"
        )
    })
}
