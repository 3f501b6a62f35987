//! The command `bitcade contest solve --search tree`.

use super::arguments::{Solve, save};
use super::report::{Budget, SearchEnd, SolveResult};
use crate::io::input::Input;
use crate::io::output::{Checkpoints, Failure};
use crate::io::stopwatch::Stopwatch;
use crate::io::threads::report_missing;
use crate::io::{interrupt, progress};
use bitcade_files::OutputFile;
use tetris_ai::Stopped;
use tetris_ai::contest::Sequence;
use tetris_ai::contest::tree::{Settings, Solver, StepResult, branch_limit};

pub(super) fn solve(
    arguments: &Solve,
    out: &OutputFile,
    resumed: Option<&Input>,
) -> Result<SolveResult, Failure> {
    let start = Stopwatch::start();
    let mut solver = begin(arguments, resumed)?;
    let interrupted = interrupt::install_handler();
    let threads = arguments.threads();
    solver.set_threads(threads);
    let out_of_time = || arguments.time.is_some_and(|time| start.elapsed() >= time);
    let stop = || interrupted() || out_of_time();
    let bar = progress::bar(arguments.pieces() as u64);
    let mut written = start.elapsed();
    let mut checkpoints = Checkpoints::default();
    let mut ended = SearchEnd::Done;
    while solver.pieces() < arguments.pieces()
        && arguments.steps.is_none_or(|steps| solver.steps() < steps)
    {
        let result = solver.step_until(&stop);
        report_missing(threads, solver.missing_threads());
        match result {
            Ok(StepResult::Placed | StepResult::Backtracked { .. }) => {}
            Ok(StepResult::Finished) => break,
            Err(Stopped) => {
                ended = SearchEnd::Stopped;
                break;
            }
            Ok(StepResult::Lost) => {
                let piece = solver.pieces() + 1;
                let max_depth = solver.settings().max_depth;
                ended = SearchEnd::Lost(format!(
                    "piece {piece} has no drop, searched up to depth {max_depth}"
                ));
                break;
            }
        }
        bar.set_position(solver.pieces() as u64);
        bar.set_message(format!("pieces, score {}", solver.score()));
        if out.is_regular() && start.elapsed().saturating_sub(written) >= arguments.save_every {
            checkpoints.take(save(out, &solver));
            written = start.elapsed();
        }
    }
    bar.finish_and_clear();
    let saved = save(out, &solver);
    Ok(SolveResult {
        record: solver.record().clone(),
        sequence: solver.sequence().clone(),
        width: branch_limit(solver.settings().depth - 1),
        budget: Budget::Steps(solver.steps()),
        ended,
        saved,
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// Returns a new game, or the resumed one if the flags agree with it.
fn begin(arguments: &Solve, resumed: Option<&Input>) -> Result<Solver, Failure> {
    let asked = |seed: u64, settings: Settings| {
        let size = |flag: Option<u64>, or: usize| flag.map_or(or, |flag| flag as usize);
        let depth = size(arguments.depth, settings.depth);
        let extension = arguments.early.or(settings.extension);
        (
            arguments.seed.unwrap_or(seed),
            Settings { depth, max_depth: size(arguments.most, settings.max_depth), extension },
        )
    };
    let Some(input) = resumed else {
        let (seed, settings) = asked(Sequence::CONTEST_SEED, Settings::default());
        let settings = Settings { max_depth: settings.max_depth.max(settings.depth), ..settings };
        return Ok(Solver::new(Sequence::new(seed), settings));
    };
    let solver: Solver = input.text.parse().map_err(|error| input.error(error))?;
    let seed = solver.sequence().seed();
    let settings = solver.settings();
    if asked(seed, settings) != (seed, settings) {
        let Settings { depth, max_depth: most, extension } = settings;
        let early = extension
            .map_or(String::new(), |early| format!(" --early {}:{}", early.pieces, early.depth));
        let flags = format!("--seed {seed} --depth {depth} --most {most}{early}");
        return Err(input.error(format!(
            "line 2: this game was begun with {flags}, expected the same or none"
        )));
    }
    Ok(solver)
}
