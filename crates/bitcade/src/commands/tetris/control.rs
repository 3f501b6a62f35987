//! `bitcade tetris control`: a controller plays simplified Tetris.

use crate::arguments::{named, parse_positive, parse_seed, parse_time};
use crate::interrupt;
use crate::output::{Failure, Output, remark};
use crate::progress;
use crate::statistics::{mean, or_none, per_second, standard_error, whole_or_none};
use crate::threads::{Threads, report_missing};
use bitcore::Level;
use clap::Args;
use serde::Serialize;
use std::str::FromStr;
use std::time::{Duration, Instant};
use tetris_ai::control::{
    Controller, ControllerWeights, GameLength, GamesLimits, GamesPlayed, SimplifiedGame, play_games_on,
};

/// The arguments of `control`.
#[derive(Args)]
pub(crate) struct ControlArgs {
    /// The weights of the controller: dt20 or dellacherie
    #[arg(long, value_name = "NAME", hide_possible_values = true,
        value_parser = named(&["dt20", "dellacherie"], ControllerWeights::from_str))]
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
    #[command(flatten)]
    threads: Threads,
}

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
    let &ControlArgs { weights, two_piece, games, pieces, time, seed, threads } = arguments;
    let controller = Controller { weights, two_piece };
    let time = time.or((games.is_none() && pieces.is_none()).then_some(Duration::from_secs(10)));
    let (start, interrupted) = (Instant::now(), interrupt::install_handler());
    let bar = progress::bar(pieces.or(games).unwrap_or(0));
    let out_of_time = || time.is_some_and(|time| start.elapsed() >= time);
    let stop = || out_of_time() || interrupted();
    let show = |games, placed| bar.set_position(if pieces.is_some() { placed } else { games });
    let limits = GamesLimits { games, pieces };
    let played = play_games_on(level, &controller, seed, limits, threads.count(), &stop, &show);
    report_missing(threads.count(), played.missing_threads);
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    if played.unfinished.is_some() && out_of_time() && pieces != Some(played.pieces) {
        remark(format_args!("--pieces {} repeats this run", played.pieces));
    }
    print(&controller, &played, seconds, output)
}

fn print(
    controller: &Controller,
    played: &GamesPlayed,
    seconds: f64,
    output: &mut Output,
) -> Result<(), Failure> {
    let &GamesPlayed { ref finished, pieces, evaluated: placements, .. } = played;
    let unfinished_lines = played.unfinished.as_ref().map_or(0, SimplifiedGame::lines);
    let lines = finished.sum as u64 + unfinished_lines;
    let length = GameLength { lines, ended: finished.count };
    let (low, high) = length.interval();
    let record = Record {
        weights: controller.weights.to_string(),
        two_piece: controller.two_piece,
        games: finished.count,
        mean_lines: mean(finished),
        stderr_lines: standard_error(finished),
        lines,
        unfinished_lines,
        lines_per_death: length.mean(),
        lines_per_death_low: (pieces > 0).then_some(low),
        lines_per_death_high: high,
        pieces,
        placements,
        pieces_per_second: per_second(pieces as f64, seconds),
        placements_per_second: per_second(placements as f64, seconds),
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
