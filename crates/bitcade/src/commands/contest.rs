//! `bitcade contest`.

use crate::input::Input;
use crate::interrupt;
use crate::output::{Failure, Output};
use crate::paint;
use crate::progress;
use crate::stage::{Check, Stage};
use bitcore::Level;
use clap::{Args, Subcommand};
use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use tetris_ai::contest::{PIECES, Record, Report, Sequence, VerifyError, bound, position_of_item, verify};
use tetris_ai::{Columns, Early, MOST_DEPTH, Settings, Solver, Step, TreeSearch, reference, width};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Replay a record and print what it scores, from the rules alone
    #[command(after_help = "Example: bitcade contest verify game.txt --json")]
    Verify {
        /// The record, `N,C1,L2,D17,N,..`; `-` or none is standard input
        file: Option<PathBuf>,
        /// The seed of the sequence
        #[arg(long, default_value_t = Sequence::CONTEST)]
        seed: u64,
    },
    /// Play a sequence by tree search and write the record
    ///
    /// The first line of the file is the record, the second what --resume needs. Control-C ends the work and keeps what was
    /// reached.
    #[command(after_help = "Example: bitcade contest solve --pieces 300 --depth 6 --out game.txt")]
    Solve(Solve),
}

#[derive(Args)]
pub(crate) struct Solve {
    /// The seed of the sequence [default: 12358]
    #[arg(long)]
    seed: Option<u64>,
    /// How many pieces to place
    #[arg(long, default_value_t = PIECES as u64, value_parser = clap::value_parser!(u64).range(1..=PIECES as u64))]
    pieces: u64,
    /// How many pieces deep to search [default: 8]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MOST_DEPTH as u64))]
    depth: Option<u64>,
    /// How deep to search to get out of a dead end [default: 12]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MOST_DEPTH as u64))]
    most: Option<u64>,
    /// Search deeper before I pieces: for so many pieces, so deep (the contest's seventh place had 9:10)
    #[arg(long, value_name = "PIECES:DEPTH", value_parser = parse_early)]
    early: Option<Early>,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Stop after so many searched pieces, those that were taken back included
    #[arg(long)]
    steps: Option<u64>,
    /// Threads of the search; the result is the same with any number [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Where to write the record
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Go on with the game of that file
    #[arg(long)]
    resume: bool,
}

/// `9:10`: for nine pieces, ten deep.
fn parse_early(text: &str) -> Result<Early, String> {
    let early = text
        .split_once(':')
        .and_then(|(pieces, depth)| Some(Early { pieces: pieces.parse().ok()?, depth: depth.parse().ok()? }));
    let valid = |early: &Early| early.pieces > 0 && (1..=MOST_DEPTH).contains(&early.depth);
    early.filter(valid).ok_or(format!("expected PIECES:DEPTH, a depth of at most {MOST_DEPTH}"))
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or("expected a number of seconds".to_owned())
}

pub(crate) fn run(command: Command, level: Level, output: &mut Output) -> Result<(), Failure> {
    match command {
        Command::Verify { file, seed } => {
            let start = Instant::now();
            let input = Input::read(file)?;
            let record = Record::parse(input.text.as_bytes()).map_err(|error| input.error(error))?;
            let report = verify(&record, &Sequence::new(seed)).map_err(|error| {
                let VerifyError::Moves { item, .. } = error;
                let place = position_of_item(input.text.as_bytes(), item);
                let place = place.map(|place| format!("line {}, column {}, ", place.line, place.column));
                input.error(format!("{}{error}", place.unwrap_or_default()))
            })?;
            print(&Printed::new(&report, None, start.elapsed()), output)
        }
        Command::Solve(arguments) => solve(&arguments, level, output),
    }
}

/// What both commands print.
#[derive(Serialize)]
struct Printed {
    score: u64,
    /// The most children that the search follows below a root.
    width: Option<usize>,
    bound: u64,
    ratio: f64,
    lines: u32,
    clears: [u32; 4],
    pieces: usize,
    seconds: f64,
    /// The solver's steps: the budget of work that repeats the game.
    steps: Option<u64>,
    hovers: u32,
    cells_left: u32,
    over: Option<String>,
}

impl Printed {
    fn new(report: &Report, solver: Option<&Solver>, elapsed: Duration) -> Self {
        Self {
            score: report.score,
            width: solver.map(|solver| width(solver.settings().depth - 1)),
            bound: report.bound,
            ratio: report.ratio(),
            lines: report.lines,
            clears: report.clears,
            pieces: report.pieces,
            seconds: elapsed.as_secs_f64(),
            steps: solver.map(Solver::steps),
            hovers: report.hovers,
            cells_left: report.cells_left,
            over: report.over.map(|over| over.to_string()),
        }
    }
}

fn print(printed: &Printed, output: &mut Output) -> Result<(), Failure> {
    output.result(printed, || {
        let Printed { score, bound, ratio, lines, clears, pieces, seconds, hovers, cells_left, .. } = printed;
        let width = printed.width.map_or(String::new(), |width| format!("width {width}\n"));
        let steps = printed.steps.map_or(String::new(), |steps| format!("steps {steps}\n"));
        let [one, two, three, four] = clears;
        let over = printed.over.as_deref().unwrap_or("goes on");
        format!(
            "score {score}\n{width}bound {bound}\nratio {ratio:.4}\nlines {lines}\n\
             clears {one} {two} {three} {four}\npieces {pieces}\nseconds {seconds:.2}\n{steps}hovers {hovers}\n\
             cells_left {cells_left}\nover {over}\n"
        )
    })
}

/// How often the game is written while it is played.
const SAVE_EVERY: Duration = Duration::from_secs(5);

fn solve(arguments: &Solve, level: Level, output: &mut Output) -> Result<(), Failure> {
    let start = Instant::now();
    let mut solver = begin(arguments)?;
    let saved = SaveFile::new(&arguments.out)?;
    let interrupted = interrupt::watch();
    let threads =
        arguments.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let out_of_time = || arguments.time.is_some_and(|time| start.elapsed() >= time);
    let stop = || interrupted() || out_of_time();
    let bar = progress::bar(arguments.pieces);
    let mut written = Instant::now();
    let mut stopped = false;
    let mut lost = false;
    while solver.pieces() < arguments.pieces as usize
        && arguments.steps.is_none_or(|steps| solver.steps() < steps)
    {
        match solver.step(threads, level, &stop) {
            Step::Placed | Step::Back { .. } => {}
            Step::Finished => break,
            Step::Stopped => stopped = true,
            Step::Lost => lost = true,
        }
        if stopped || lost {
            break;
        }
        bar.set_position(solver.pieces() as u64);
        bar.set_message(format!("pieces, score {}", solver.score()));
        if written.elapsed() >= SAVE_EVERY {
            saved.write(&solver)?;
            written = Instant::now();
        }
    }
    bar.finish_and_clear();
    saved.write(&solver)?;
    let report = verify(solver.record(), solver.sequence())
        .map_err(|error| Failure::Check(format!("the record breaks the rules: {error}")))?;
    print(&Printed::new(&report, Some(&solver), start.elapsed()), output)?;
    if stopped {
        eprintln!("stopped; --steps {} repeats this game, --resume goes on", solver.steps());
    }
    if lost {
        let piece = solver.pieces() + 1;
        let most = solver.settings().most;
        return Err(Failure::Check(format!("no way to place piece {piece}, searched up to depth {most}")));
    }
    Ok(())
}

/// The game to play: a new one, or that of the file, with which the flags must agree.
fn begin(arguments: &Solve) -> Result<Solver, Failure> {
    let asked = |seed: u64, settings: Settings| {
        let size = |flag: Option<u64>, or: usize| flag.map_or(or, |flag| flag as usize);
        let depth = size(arguments.depth, settings.depth);
        let early = arguments.early.or(settings.early);
        (arguments.seed.unwrap_or(seed), Settings { depth, most: size(arguments.most, settings.most), early })
    };
    if !arguments.resume {
        let (seed, settings) = asked(Sequence::CONTEST, Settings::default());
        let settings = Settings { most: settings.most.max(settings.depth), ..settings };
        return Ok(Solver::new(Sequence::new(seed), settings));
    }
    let input = Input::read(Some(arguments.out.clone()))?;
    let solver: Solver = input.text.parse().map_err(|error| input.error(error))?;
    let (seed, settings) = (solver.sequence().seed(), solver.settings());
    if asked(seed, settings) != (seed, settings) {
        let Settings { depth, most, early } = settings;
        let early = early.map_or(String::new(), |early| format!(" --early {}:{}", early.pieces, early.depth));
        let flags = format!("--seed {seed} --depth {depth} --most {most}{early}");
        return Err(
            input.error(format!("line 2: this game was begun with {flags}, expected the same or none"))
        );
    }
    Ok(solver)
}

/// A file that always holds a whole state: written beside it, then renamed.
struct SaveFile<'a> {
    path: &'a Path,
    beside: PathBuf,
}

impl<'a> SaveFile<'a> {
    /// Makes sure that the file can be written, before any work is done.
    fn new(path: &'a Path) -> Result<Self, Failure> {
        let mut beside = path.as_os_str().to_owned();
        beside.push(".part");
        let file = Self { path, beside: beside.into() };
        let named = !path.is_dir() && path.file_name().is_some();
        let tried = if named { File::create(&file.beside) } else { Err(io::ErrorKind::IsADirectory.into()) };
        tried.and_then(|_| fs::remove_file(&file.beside)).map_err(|error| file.failure(&error))?;
        Ok(file)
    }

    fn write(&self, solver: &Solver) -> Result<(), Failure> {
        let write = || {
            let mut file = File::create(&self.beside)?;
            write!(file, "{solver}")?;
            file.sync_all()?;
            fs::rename(&self.beside, self.path)
        };
        write().map_err(|error| self.failure(&error))
    }

    fn failure(&self, error: &io::Error) -> Failure {
        Failure::Input(format!("{}: {error}", self.path.display()))
    }
}

/// The tour: the first pieces of the contest by search, verified from the rules alone.
pub(crate) fn tour() -> Stage {
    const SHOWN: usize = 100;
    let level = Level::detect();
    let sequence = Sequence::contest();
    let settings = Settings { depth: 5, ..Settings::default() };
    let mut solver = Solver::new(sequence.clone(), settings);
    while solver.pieces() < SHOWN && solver.step(2, level, &|| false) == Step::Placed {}
    let text = solver.record().to_string();
    let record: Record = text.parse().unwrap_or_default();
    let report = verify(&record, &sequence);
    let found = report.map_or_else(|error| error.to_string(), |report| report.score.to_string());
    let first: Vec<String> = sequence.pieces()[..50].iter().map(ToString::to_string).collect();
    let empty = Columns::new();
    let leaves = |depth| {
        let search = TreeSearch { depth, threads: 2, level };
        search.best(&sequence, 0, &empty, &|| false).ok().flatten().map_or(0, |outcome| outcome.leaves / 17)
    };
    let search = TreeSearch { depth: 3, threads: 1, level };
    let fast = search.best(&sequence, SHOWN, &solver.board(), &|| false).ok().flatten();
    let slow = reference::search(&sequence, SHOWN, &(&solver.board()).into(), 3);
    let total = |outcome: Option<tetris_ai::Outcome>| outcome.map_or(0, |outcome| outcome.leaf.total);

    let board = tetris_ai::contest::Board::from(&solver.board()).to_string();
    let board = paint::characters(&board, |c| (c == '#').then_some(paint::nth(2)));
    let score = solver.score();
    let limit = bound(&sequence.pieces()[..SHOWN]);
    Stage {
        game: "contest",
        title: "Contest: tree search on the 2021 Goose Tetris sequence",
        picture: format!(
            "{board}after {SHOWN} pieces, five deep: {score} points, no game makes more than {limit}\n"
        ),
        checks: vec![
            Check::new("the first 50 pieces", FIRST, first.join(" ")),
            Check::new(
                "upper bound of the whole contest",
                1_516_598,
                bound(&sequence.pieces()[..PIECES - 1]),
            ),
            Check::new("leaves under one root, six deep", 540, leaves(6)),
            Check::new("leaves under one root, seven deep", 3240, leaves(7)),
            Check::new("the record's score, from the rules alone", score, found),
            Check::new("best total of the next search, cell by cell", total(slow), total(fast)),
        ],
        next: "bitcade contest solve --depth 6 --out game.txt",
    }
}

/// The contest's first pieces: letter and state.
const FIRST: &str = "Z0 I1 O2 S3 L0 Z1 S2 I3 Z0 J1 S2 S3 Z0 Z1 I2 Z3 Z0 J1 O2 L3 S0 O1 L2 L3 S0 Z1 S2 J3 S0 Z1 Z2 I3 \
                     Z0 Z1 S2 J3 Z0 O1 Z2 S3 Z0 O1 Z2 Z3 O0 L1 O2 Z3 J0 J1";
