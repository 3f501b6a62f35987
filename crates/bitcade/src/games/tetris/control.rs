//! `bitcade tetris control`: a controller plays simplified Tetris.

use crate::arguments::{named, parse_positive, parse_seed, parse_time};
use crate::io::interrupt;
use crate::io::output::{Failure, Fields, Output, remark};
use crate::io::progress;
use crate::io::stopwatch::Stopwatch;
use crate::io::threads::{Threads, report_missing};
use crate::statistics::{mean, per_second, standard_error};
use clap::Args;
use std::str::FromStr;
use std::time::Duration;
use tetris_ai::control::{
    Controller, ControllerWeights, GameLength, GamesPlayed, GamesSettings, SimplifiedGame,
    SimplifiedGames,
};

#[derive(Args)]
pub(crate) struct ControlArgs {
    /// The controller's weights: dt20 or dellacherie
    #[arg(long, value_name = "NAME", hide_possible_values = true,
        value_parser = named(&["dt20", "dellacherie"], ControllerWeights::from_str))]
    weights: ControllerWeights,
    /// Show the controller the next piece
    #[arg(long)]
    two_piece: bool,
    /// Stop after this many games
    #[arg(long, value_parser = parse_positive)]
    games: Option<u64>,
    /// Stop after this many pieces, over all games; each of 64 games in progress gets an equal
    /// share
    #[arg(long, value_parser = parse_positive)]
    pieces: Option<u64>,
    /// Stop after this time, such as 90 (seconds), 90s or 10m [default: 10 if no other limit is
    /// given]
    #[arg(long, value_name = "T", value_parser = parse_time)]
    time: Option<Duration>,
    /// The random seed
    #[arg(long, default_value_t = 1, value_parser = parse_seed)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
}

pub(crate) fn run(arguments: &ControlArgs, output: &mut Output) -> Result<(), Failure> {
    let &ControlArgs { weights, two_piece, games, pieces, time, seed, threads } = arguments;
    let controller = Controller { weights, two_piece };
    let time = time.or((games.is_none() && pieces.is_none()).then_some(Duration::from_secs(10)));
    let start = Stopwatch::start();
    let interrupted = interrupt::install_handler();
    let bar = progress::bar(pieces.or(games).unwrap_or(0));
    let out_of_time = || time.is_some_and(|time| start.elapsed() >= time);
    let stop = || out_of_time() || interrupted();
    let show = |games, placed| bar.set_position(if pieces.is_some() { placed } else { games });
    let settings = GamesSettings { games, pieces, threads: threads.count() };
    let mut games = SimplifiedGames::new(controller, settings, seed);
    // After a stop, the games so far count.
    let _ = games.play_until(&stop, &show);
    let played = games.played();
    report_missing(threads.count(), played.missing_threads);
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    if !played.unfinished.is_empty() && out_of_time() && pieces != Some(played.dealt) {
        remark(format_args!("--pieces {} repeats this run", played.dealt));
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
    let unfinished_lines = played.unfinished.iter().map(SimplifiedGame::lines).sum::<u64>();
    let lines = finished.sum as u64 + unfinished_lines;
    let length = GameLength { lines, ended: finished.count };
    let (low, high) = length.interval();
    let fields = Fields::default()
        .with("weights", controller.weights.to_string())
        .json("two_piece", controller.two_piece)
        .with("games", finished.count)
        .number("mean_lines", mean(finished), 1)
        .number("stderr_lines", standard_error(finished), 1)
        .with("unfinished_games", played.unfinished.len())
        .with("lines", lines)
        .with("unfinished_lines", unfinished_lines)
        .interval("lines_per_death", [length.mean(), (pieces > 0).then_some(low), high], 1)
        .with("pieces", pieces)
        .with("placements", placements)
        .whole("pieces_per_second", per_second(pieces as f64, seconds))
        .whole("placements_per_second", per_second(placements as f64, seconds));
    output.lines(&fields.json("seconds", seconds))
}
