//! The command `bitcade contest solve --search beam`.

use super::arguments::{Solve, save};
use super::report::{self, SearchEnd, SolveResult};
use crate::io::input::Input;
use crate::io::output::{Checkpoints, Failure, remark};
use crate::io::stopwatch::Stopwatch;
use crate::io::threads::report_missing;
use crate::io::{interrupt, progress};
use bitcade_files::OutputFile;
use indicatif::ProgressBar;
use std::time::Duration;
use tetris_ai::Stopped;
use tetris_ai::contest::beam::{
    AdvanceResult, AdvanceSettings, Beam, BeamWeights, Budget, TimeManager, Widths,
};
use tetris_ai::contest::{PIECES, Sequence, bound};

/// The time limit without --time and --width.
const TIME: Duration = Duration::from_mins(1);

/// The number of pieces between the first two readings of the clock.
const FIRST_STRETCH: usize = 20;

/// The target time of later stretches: each starts its threads and fills their memory anew.
const STRETCH_TIME: Duration = Duration::from_millis(500);

pub(super) fn solve(
    arguments: &Solve,
    out: &OutputFile,
    resumed: Option<&Input>,
) -> Result<SolveResult, Failure> {
    let start = Stopwatch::start();
    let mut beam = begin(arguments, resumed)?;
    let interrupted = interrupt::install_handler();
    let threads = arguments.threads();
    let before = Duration::from_millis(beam.budget().spent);
    let elapsed = || before + start.elapsed();
    let time = time(arguments, resumed, &beam)?;
    let allowed = time.map_or(0, milliseconds);
    beam.set_budget(Budget { allowed, ..beam.budget() });
    beam.set_threads(threads);
    let used = || time.map_or(0.0, |time| elapsed().as_secs_f64() / time.as_secs_f64().max(1e-9));
    let mut time_manager = TimeManager::new(beam.goal(), beam.widths(), used());
    let bar = progress::bar(beam.goal() as u64);
    let mut left = 0;
    let mut width = 1;
    let mut written = elapsed();
    let mut checkpoints = Checkpoints::default();
    let mut most = FIRST_STRETCH;
    let ended = loop {
        if left == 0 {
            (left, width) = match &arguments.width {
                Some(widths) => {
                    let (width, pieces) = widths.at(beam.pieces());
                    (pieces.unwrap_or(beam.goal()), width)
                }
                None => time_manager.plan(beam.pieces(), used()),
            };
        }
        let stretch = left.min(most);
        let begun = Stopwatch::start();
        left -= stretch;
        let ended = beam.advance_until(AdvanceSettings { pieces: stretch, width }, &interrupted);
        most = if begun.elapsed() < STRETCH_TIME {
            most.saturating_mul(2)
        } else {
            (most / 2).max(FIRST_STRETCH)
        };
        report_missing(threads, beam.missing_threads());
        beam.set_budget(Budget { spent: milliseconds(elapsed()), allowed });
        show(&bar, &beam);
        match ended {
            Ok(AdvanceResult::Done) => {}
            Ok(AdvanceResult::Finished) => break SearchEnd::Done,
            Err(Stopped) => break SearchEnd::Stopped,
            Ok(AdvanceResult::OutOfMemory) => {
                let piece = beam.pieces() + 1;
                let widths = beam.widths().to_string();
                let widths = if widths.is_empty() { widths } else { widths + "," };
                break SearchEnd::Lost(format!(
                    "not enough memory for piece {piece} with --width {width}; the game so far is saved, \
                     --resume with a smaller width, such as --width {widths}{}, continues it",
                    (width / 2).max(1)
                ));
            }
            Ok(AdvanceResult::Lost) => {
                let piece = beam.pieces() + 1;
                break SearchEnd::Lost(format!(
                    "piece {piece} has no placement on any board of the beam"
                ));
            }
        }
        // Saves early if another stretch as slow as this one would exceed the interval.
        if out.is_regular()
            && elapsed().saturating_sub(written) + begun.elapsed() >= arguments.save_every
        {
            beam.compact();
            checkpoints.take(save(out, &beam));
            written = elapsed();
        }
    };
    bar.finish_and_clear();
    beam.compact();
    let saved = save(out, &beam);
    if time.is_some() && matches!(ended, SearchEnd::Done) {
        remark(format_args!("--width {} repeats this game", beam.widths()));
    }
    Ok(SolveResult {
        record: beam.record(),
        sequence: beam.sequence().clone(),
        width: beam.widths().max(),
        budget: report::Budget::Widths(beam.widths().clone()),
        ended,
        saved,
        seconds: elapsed().as_secs_f64(),
    })
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Returns the time limit, or `None` with widths. A resumed game keeps its original limit.
fn time(
    arguments: &Solve,
    resumed: Option<&Input>,
    beam: &Beam,
) -> Result<Option<Duration>, Failure> {
    if arguments.width.is_some() || beam.pieces() == beam.goal() {
        return Ok(None);
    }
    match (arguments.time, resumed, beam.budget().allowed) {
        (Some(time), ..) => Ok(Some(time)),
        (None, None, _) => Ok(Some(TIME)),
        (None, Some(input), 0) => {
            Err(input.error("line 2: this game was begun with --width, expected --width or --time"))
        }
        (None, Some(_), allowed) => Ok(Some(Duration::from_millis(allowed))),
    }
}

fn show(bar: &ProgressBar, beam: &Beam) {
    if bar.is_hidden() {
        return;
    }
    let pieces = beam.pieces();
    let bound = bound(&beam.sequence().pieces()[..pieces.min(PIECES - 1)]).max(1);
    bar.set_position(pieces as u64);
    let ratio = beam.score() as f64 / bound as f64;
    bar.set_message(format!("pieces, score {}, {ratio:.4} of the bound", beam.score()));
}

/// Returns a new game, or the resumed one if the flags agree with it.
fn begin(arguments: &Solve, resumed: Option<&Input>) -> Result<Beam, Failure> {
    let Some(input) = resumed else {
        let seed = arguments.seed.unwrap_or(Sequence::CONTEST_SEED);
        return Ok(Beam::new(Sequence::new(seed), arguments.pieces(), BeamWeights::FITTED));
    };
    let beam: Beam = input.text.parse().map_err(|error| input.error(error))?;
    let seed = beam.sequence().seed();
    let pieces = beam.goal();
    let other_seed = arguments.seed.is_some_and(|asked| asked != seed);
    if other_seed || (arguments.has_pieces() && arguments.pieces() != pieces) {
        return Err(input.error(format!(
            "line 2: this game was begun with --seed {seed} --pieces {pieces}, expected the same or none"
        )));
    }
    if let Some(other) = arguments.width.as_ref().filter(|asked| !begin_alike(asked, &beam)) {
        let played = beam.widths();
        let next = other.at(beam.pieces()).0;
        let change =
            if beam.pieces() < pieces { format!(", or {played},{next}") } else { String::new() };
        return Err(input.error(format!(
            "line 2: this game was played with --width {played}, expected the same{change}"
        )));
    }
    Ok(beam)
}

fn begin_alike(widths: &Widths, beam: &Beam) -> bool {
    let mut piece = 0;
    while piece < beam.pieces() {
        let (asked, pieces) = widths.at(piece);
        let (played, same) = beam.widths().at(piece);
        if asked != played {
            return false;
        }
        let Some(next) = pieces.into_iter().chain(same).min() else { break };
        piece += next;
    }
    true
}
