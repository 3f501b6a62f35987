//! The commands of `bitcade contest`.

mod arguments;
mod beam;
mod record_file;
pub(crate) mod replay;
mod report;
mod solve;
mod tree;

use crate::arguments::parse_seed;
use crate::io::color;
use crate::io::input::Input;
use crate::io::output::{Failure, Output};
use crate::io::stopwatch::Stopwatch;
use crate::tour_section::{Check, Timed, TourSection};
use arguments::Solve;
use bitcade_core::Stop;
use clap::Subcommand;
use record_file::{read_record, sequence};
use replay::Replay;
use report::{Verified, print};
use std::path::PathBuf;
use tetris_ai::Columns;
use tetris_ai::contest::tree::{Settings, Solver, StepResult, TreeSearch, children};
use tetris_ai::contest::{
    ClaimedScore, PIECES, Record, Sequence, bound, checksum, claimed_score, position_of_item,
    reference, verify,
};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Replay a record by the rules and print its score
    ///
    /// The record is the first line; the following lines must be blank or begin with #. One of them
    /// may be the score claimed by a published record; if it differs from the record's score, that
    /// is an error, after the result. `contest solve` writes a last line with a checksum.
    /// `checksum ok` means that it matches; `checksum none` means that there is no such line, as in
    /// records of other programs, so the record may be cut off. A wrong checksum is an error.
    #[command(after_help = "Example: bitcade contest verify game.txt --json")]
    Verify {
        /// The record, `N,C1,L2,D17,N,..`; `-` or no file reads standard input
        file: Option<PathBuf>,
        /// The seed of the sequence; it must match the seed in the file, if any [default: the
        /// file's seed, else 12358]
        #[arg(long, value_parser = parse_seed)]
        seed: Option<u64>,
        /// Refuse a record without a checksum
        #[arg(long)]
        require_checksum: bool,
    },
    /// Play a sequence by beam or tree search and write the record
    ///
    /// The first line of the written file is the record; --resume reads the following lines.
    /// Control-C stops the search and keeps the game so far.
    #[command(after_help = "Example: bitcade contest solve --time 10m --out game.txt\n\
                            Example: bitcade contest solve --width 100 --pieces 1000 --out game.txt")]
    Solve(Box<Solve>),
    /// Show the game of a record in the terminal or as a picture
    ///
    /// With --json prints an object per piece: its number (piece), shape, where it locked
    /// (rotation, and the column and row of its center: x, y), its key presses, the lines it
    /// cleared, and the score so far.
    #[command(after_help = "Example: bitcade contest replay game.txt --every 10 --gif game.gif")]
    Replay(Replay),
}

pub(crate) fn run(command: Command, output: &mut Output) -> Result<(), Failure> {
    match command {
        Command::Verify { file, seed, require_checksum } => {
            let start = Stopwatch::start();
            let input = Input::read(file)?;
            let (record, has_checksum) = read_record(&input)?;
            if require_checksum {
                checksum::checked(&input.text).map_err(|error| input.error(error))?;
            }
            let result = verify(&record, &sequence(&input, seed)?).map_err(|error| {
                let place = position_of_item(input.text.as_bytes(), error.item());
                let place =
                    place.map(|place| format!("line {}, column {}, ", place.line, place.column));
                input.error(format!("{}{error}", place.unwrap_or_default()))
            })?;
            let checksum = if has_checksum { "ok" } else { "none" };
            let claimed = claimed_score(input.text.as_bytes());
            let verified = Verified { checksum, claimed: claimed.map(|claimed| claimed.score) };
            print(&result, None, Some(&verified), start.elapsed().as_secs_f64(), output)?;
            match claimed {
                Some(ClaimedScore { score, position, .. }) if score != result.score => {
                    Err(input.error(format!(
                        "{position}: the record claims a score of {score}, expected {}, by the rules",
                        result.score
                    )))
                }
                _ => Ok(()),
            }
        }
        Command::Solve(arguments) => solve::run(&arguments, output),
        Command::Replay(arguments) => replay::run(arguments, output),
    }
}

/// Returns the tour section: the first pieces of the contest by tree search, verified by the rules.
pub(crate) fn tour(stop: Stop) -> TourSection {
    const SHOWN: usize = 100;
    let sequence = Sequence::contest();
    let settings = Settings { depth: 5, ..Settings::default() };
    let mut solver = Solver::new(sequence.clone(), settings).with_threads(2);
    while solver.pieces() < SHOWN && solver.step_until(stop) == Ok(StepResult::Placed) {}
    let text = solver.record().to_string();
    let record: Record = text.parse().unwrap_or_default();
    let result = verify(&record, &sequence);
    let found = result.map_or_else(|error| error.to_string(), |result| result.score.to_string());
    let first: Vec<String> = sequence.pieces()[..50].iter().map(ToString::to_string).collect();
    let empty = Columns::new();
    let leaves = |depth| {
        let search = TreeSearch { depth, threads: 2 };
        search
            .best_until(&sequence, 0, &empty, stop)
            .ok()
            .flatten()
            .map_or(0, |result| result.leaves / 17)
    };
    let search = TreeSearch { depth: 3, threads: 1 };
    let fast = search.best(&sequence, SHOWN, &solver.board());
    let slow = reference::search(&sequence, SHOWN, &(&solver.board()).into(), 3);
    let total = |result: Option<tetris_ai::contest::tree::SearchResult>| {
        result.map_or(0, |result| result.leaf.total)
    };

    let board = tetris_ai::contest::Board::from(&solver.board()).to_string();
    let board = color::characters(&board, |c| (c == '#').then_some(color::palette(2)));
    let score = solver.score();
    let limit = bound(&sequence.pieces()[..SHOWN]);
    TourSection {
        title: "Contest: tree search on the 2021 Goose Tetris sequence",
        picture: format!(
            "{board}after {SHOWN} pieces at depth 5: {score} points, upper bound {limit}\n"
        ),
        checks: vec![
            Check::new("the first 50 pieces", FIRST, first.join(" ")),
            Check::new(
                "upper bound of the whole contest",
                1_516_598,
                bound(&sequence.pieces()[..PIECES - 1]),
            ),
            Check::new("leaves below one root at depth 6", 540, leaves(6)),
            Check::new("leaves below one root at depth 7", 3240, leaves(7)),
            Check::new("the score of the record, by the rules", score, found),
            Check::new("total of the next search, by the reference", total(slow), total(fast)),
        ],
        timed: timed_placements(solver.board()),
        next: "bitcade contest solve --time 60 --out game.txt",
    }
}

/// Returns the hard drops of the first hundred pieces on a board, each with its evaluation.
fn timed_placements(board: Columns) -> Timed {
    let slow = tetris_ai::contest::Board::from(&board);
    let pieces = *Sequence::contest().pieces().first_chunk::<100>().expect("a long game");
    Timed {
        operation: "contest placements",
        unit: "placement",
        units: pieces.into_iter().map(|piece| reference::children(&slow, piece).len()).sum(),
        reference: Box::new(move || {
            let found = pieces.into_iter().flat_map(|piece| reference::children(&slow, piece));
            found.map(|child| i64::from(child.value)).sum::<i64>() as u64
        }),
        kernel: Box::new(move || {
            let found = pieces.into_iter().flat_map(|piece| children(&board, piece));
            found.map(|child| i64::from(child.value)).sum::<i64>() as u64
        }),
    }
}

/// The contest's first pieces: letter and state.
const FIRST: &str = "Z0 I1 O2 S3 L0 Z1 S2 I3 Z0 J1 S2 S3 Z0 Z1 I2 Z3 Z0 J1 O2 L3 S0 O1 L2 L3 S0 Z1 S2 J3 S0 Z1 Z2 I3 \
                     Z0 Z1 S2 J3 Z0 O1 Z2 S3 Z0 O1 Z2 Z3 O0 L1 O2 Z3 J0 J1";
