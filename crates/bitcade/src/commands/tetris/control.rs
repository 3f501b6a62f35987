//! `bitcade tetris control`: a controller plays simplified Tetris.

use crate::arguments::{parse_positive, parse_seed, parse_time};
use crate::interrupt;
use crate::output::{Failure, Output, remark};
use crate::progress;
use crate::statistics::{mean, or_none, per_second, standard_error, whole_or_none};
use bitcore::{Level, Moments, Rng};
use clap::Args;
use serde::Serialize;
use std::time::{Duration, Instant};
use tetris_ai::control::{Controller, ControllerWeights, GameLength, SimplifiedGame};

/// The arguments of `control`.
#[derive(Args)]
pub(crate) struct ControlArgs {
    /// The weights of the controller: dt20 or dellacherie
    #[arg(long, value_name = "NAME")]
    weights: ControllerWeights,
    /// Let the controller know the next piece
    #[arg(long)]
    two_piece: bool,
    /// Stop after this many games
    #[arg(long, value_parser = parse_positive)]
    games: Option<u64>,
    /// Stop after this many pieces, over all games
    #[arg(long, value_parser = parse_positive)]
    pieces: Option<u64>,
    /// Stop after this time, such as 90 (seconds), 90s or 10m [default: 10 if no other limit is given]
    #[arg(long, value_name = "T", value_parser = parse_time)]
    time: Option<Duration>,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1, value_parser = parse_seed)]
    seed: u64,
}

/// The number of pieces between two checks of the clock and of signals.
const PIECES_PER_POLL: u64 = 1_000;

#[derive(Serialize)]
struct Record {
    weights: String,
    two_piece: bool,
    games: u64,
    mean_lines: Option<f64>,
    stderr_lines: Option<f64>,
    lines: u64,
    unfinished_lines: u64,
    lines_per_death: Option<f64>,
    lines_per_death_low: Option<f64>,
    lines_per_death_high: Option<f64>,
    pieces: u64,
    placements: u64,
    pieces_per_second: Option<u64>,
    placements_per_second: Option<u64>,
    seconds: f64,
}

pub(crate) fn run(arguments: &ControlArgs, level: Level, output: &mut Output) -> Result<(), Failure> {
    let controller = Controller { weights: arguments.weights, two_piece: arguments.two_piece };
    let budget = Budget::new(arguments);
    let (start, interrupted) = (Instant::now(), interrupt::install_handler());
    let bar = progress::bar(arguments.pieces.or(arguments.games).unwrap_or(0));
    let mut totals = Totals::default();
    'games: while budget.games.is_none_or(|games| totals.finished.count < games) {
        // Game i of a seed is the same for every limit.
        let mut game = SimplifiedGame::new(Rng::stream(arguments.seed, totals.finished.count));
        loop {
            let left =
                budget.pieces.map_or(PIECES_PER_POLL, |pieces| PIECES_PER_POLL.min(pieces - totals.pieces));
            totals.pieces += game.play_on(level, &controller, left);
            if game.over() {
                totals.add_finished(&game);
                break;
            }
            bar.set_position(if arguments.pieces.is_some() { totals.pieces } else { totals.finished.count });
            let spent = budget.time.is_some_and(|time| start.elapsed() >= time);
            if spent || budget.pieces == Some(totals.pieces) || interrupted() {
                if spent && budget.pieces != Some(totals.pieces) {
                    bar.suspend(|| remark(format!("--pieces {} repeats this run", totals.pieces)));
                }
                totals.add_unfinished(&game);
                break 'games;
            }
        }
    }
    bar.finish_and_clear();
    print(&controller, &totals, start.elapsed().as_secs_f64().max(1e-9), output)
}

/// The limits of a run; the first one reached ends it.
struct Budget {
    games: Option<u64>,
    pieces: Option<u64>,
    time: Option<Duration>,
}

impl Budget {
    fn new(&ControlArgs { games, pieces, time, .. }: &ControlArgs) -> Self {
        let none = games.is_none() && pieces.is_none();
        Self { games, pieces, time: time.or(none.then_some(Duration::from_secs(10))) }
    }
}

/// The sums over all games of a run.
#[derive(Default)]
struct Totals {
    /// The lines of the finished games.
    finished: Moments,
    /// The lines of the unfinished game.
    unfinished: u64,
    pieces: u64,
    placements: u64,
}

impl Totals {
    fn add_finished(&mut self, game: &SimplifiedGame) {
        self.finished.add(game.lines());
        self.placements += game.evaluated();
    }

    fn add_unfinished(&mut self, game: &SimplifiedGame) {
        self.unfinished = game.lines();
        self.placements += game.evaluated();
    }
}

fn print(controller: &Controller, totals: &Totals, seconds: f64, output: &mut Output) -> Result<(), Failure> {
    let finished = &totals.finished;
    let lines = finished.sum as u64 + totals.unfinished;
    let length = GameLength { lines, ended: finished.count };
    let (low, high) = length.interval();
    let record = Record {
        weights: controller.weights.to_string(),
        two_piece: controller.two_piece,
        games: finished.count,
        mean_lines: mean(finished),
        stderr_lines: standard_error(finished),
        lines,
        unfinished_lines: totals.unfinished,
        lines_per_death: length.mean(),
        lines_per_death_low: (totals.pieces > 0).then_some(low),
        lines_per_death_high: high,
        pieces: totals.pieces,
        placements: totals.placements,
        pieces_per_second: per_second(totals.pieces as f64, seconds),
        placements_per_second: per_second(totals.placements as f64, seconds),
        seconds,
    };
    output.result(&record, || text(&record))
}

fn text(record: &Record) -> String {
    format!(
        "weights {}\ngames {}\nmean_lines {}\nstderr_lines {}\nlines {}\nunfinished_lines {}\n\
         lines_per_death {} (95 %: {} to {})\npieces {}\nplacements {}\npieces_per_second {}\n\
         placements_per_second {}\n",
        record.weights,
        record.games,
        or_none(record.mean_lines, 1),
        or_none(record.stderr_lines, 1),
        record.lines,
        record.unfinished_lines,
        or_none(record.lines_per_death, 1),
        or_none(record.lines_per_death_low, 1),
        or_none(record.lines_per_death_high, 1),
        record.pieces,
        record.placements,
        whole_or_none(record.pieces_per_second),
        whole_or_none(record.placements_per_second),
    )
}
