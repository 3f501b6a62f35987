//! `bitcade 2048`.

mod network;

use crate::color;
use crate::input::Input;
use crate::interrupt;
use crate::output::{Failure, Output};
use crate::progress;
use crate::tour_section::{Check, TourSection};
use bitcore::Level;
use clap::Subcommand;
use g2048::network::{CurvePoint, Settings};
use g2048::{Board, Direction, Learner, Lockstep, Perft, Playouts, Size, Solution, Tally, reference, solve};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Count all paths of play from a board, depth by depth
    ///
    /// A path is a legal move, then a 2 or a 4 on an empty cell, and so on. Prints for each depth the paths (nodes),
    /// the different boards at their ends, the sum of what the paths scored, and how many paths of the depth before
    /// could not go on. Ends early where no path goes on. Board: rows of tile values, `.` or 0 empty, 2x2 to 8x8.
    #[command(after_help = "Example: printf '2 . .\\n. . .\\n. . 2\\n' | bitcade 2048 perft --depth 4")]
    Perft {
        /// The longest paths to count
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
        depth: u32,
        /// The board; `-` or none is standard input
        file: Option<PathBuf>,
    },
    /// Play games of uniformly random legal moves to the end
    ///
    /// Game i of a seed is the same game whatever the level and the number of games. Control-C ends the run and prints
    /// what was reached.
    #[command(after_help = "Example: bitcade 2048 playouts --size 4x4 --games 100000 --seed 1")]
    Playouts {
        /// Width and height of the board, 2x2 to 8x8
        #[arg(long, value_name = "NxM", default_value_t = Size::CLASSIC)]
        size: Size,
        /// How many games to play
        #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
        games: u64,
        /// The seed of all games
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Compute what a whole game is worth, exactly
    ///
    /// Prints how many boards can come up (states), how many of them differ by more than a mirror or a turn
    /// (canonical), the expected score of best play, and the expected score and moves of uniformly random legal play.
    /// 2x2 and 2x3 take a moment; 3x3, of 389 million boards, about a minute and 0.4 GB of memory. Control-C ends the run
    /// without a result.
    #[command(after_help = "Example: bitcade 2048 solve --size 2x3")]
    Solve {
        /// Width and height of the board, at most nine cells
        #[arg(long, value_name = "NxM")]
        size: Size,
    },
    /// Learn the value of 4x4 boards by play
    ///
    /// Writes NET, the network that `play` needs, and NET.learner, from which --resume goes on as if there had been no
    /// pause; both whole at any moment, every two minutes and at the end. Control-C ends the run and saves. Needs up to
    /// 0.8 GB of memory, to resume up to 1.6 GB.
    #[command(after_help = "Example: bitcade 2048 train --minutes 20 --out net.2048")]
    Train(network::TrainArgs),
    /// Play games on 4x4 by a learned network
    ///
    /// Prints the mean score, the share of games that reached each tile, and the speed. Control-C ends the run and
    /// prints the games that were played to their ends.
    #[command(after_help = "Example: bitcade 2048 play --net net.2048 --depth 3 --games 20 --seed 1")]
    Play(network::PlayArgs),
}

pub(crate) fn run(command: Command, level: Level, output: &mut Output) -> Result<(), Failure> {
    match command {
        Command::Perft { depth, file } => {
            let input = Input::read(file)?;
            let board = input.text.parse().map_err(|error| input.error(error))?;
            print_perft(&board, depth, output)
        }
        Command::Playouts { size, games, seed } => {
            let start = Instant::now();
            let (bar, interrupted) = (progress::bar(games), interrupt::install_handler());
            let tally = play(level, size, games, seed, |played| {
                bar.set_position(played);
                interrupted()
            });
            bar.finish_and_clear();
            let seconds = start.elapsed().as_secs_f64().max(1e-9);
            if tally.games() < games {
                eprintln!("bitcade: interrupted after {} of {games} games", tally.games());
            }
            print_playouts(&tally, seconds, output)
        }
        Command::Solve { size } => {
            let (spinner, interrupted) = (progress::spinner(), interrupt::install_handler());
            let stop = || {
                spinner.inc(1);
                interrupted()
            };
            let solution = solve(size, &stop).map_err(|error| Failure::Input(error.to_string()));
            spinner.finish_and_clear();
            print_solution(&solution?, output)
        }
        Command::Train(arguments) => network::train(&arguments, output),
        Command::Play(arguments) => network::play(&arguments, output),
    }
}

#[derive(Serialize)]
struct PerftRecord {
    depth: u32,
    nodes: u128,
    distinct: u64,
    gain: u128,
    dead: u128,
}

fn print_perft(board: &Board, depth: u32, output: &mut Output) -> Result<(), Failure> {
    for row in Perft::new(board).take(depth as usize) {
        let row = row.map_err(|error| Failure::Input(error.to_string()))?;
        let g2048::PerftRow { depth, nodes, distinct, gain, dead } = row;
        output.result(&PerftRecord { depth, nodes, distinct, gain, dead }, || {
            format!("depth {depth} nodes {nodes} distinct {distinct} gain {gain} dead {dead}\n")
        })?;
        // The next depth may take long.
        output.flush()?;
    }
    Ok(())
}

#[derive(Serialize)]
struct SolveRecord {
    states: u64,
    canonical: u64,
    expected_score: f64,
    random_score: f64,
    random_moves: f64,
}

fn print_solution(solution: &Solution, output: &mut Output) -> Result<(), Failure> {
    let &Solution { states, canonical, best_score: expected_score, random_score, random_moves } = solution;
    let record = SolveRecord { states, canonical, expected_score, random_score, random_moves };
    output.result(&record, || {
        format!(
            "states {states}\ncanonical {canonical}\nexpected_score {expected_score:.10}\n\
             random_score {random_score:.10}\nrandom_moves {random_moves:.10}\n"
        )
    })
}

#[derive(Serialize)]
struct PlayoutsRecord {
    games: u64,
    mean_score: f64,
    stderr_score: f64,
    mean_moves: f64,
    stderr_moves: f64,
    moves_per_second: u64,
}

fn print_playouts(tally: &Tally, seconds: f64, output: &mut Output) -> Result<(), Failure> {
    let record = PlayoutsRecord {
        games: tally.games(),
        mean_score: tally.score.mean(),
        stderr_score: tally.score.standard_error(),
        mean_moves: tally.moves.mean(),
        stderr_moves: tally.moves.standard_error(),
        moves_per_second: (tally.moves.sum as f64 / seconds) as u64,
    };
    output.result(&record, || {
        let PlayoutsRecord { games, mean_score, stderr_score, mean_moves, stderr_moves, moves_per_second } =
            &record;
        format!(
            "games {games}\nmean_score {mean_score:.4}\nstderr_score {stderr_score:.4}\nmean_moves {mean_moves:.4}\n\
             stderr_moves {stderr_moves:.4}\nmoves_per_second {moves_per_second}\n"
        )
    })
}

/// Plays the games of a seed, in portions: after each it asks `stop`, telling how many are played, whether to end. Only
/// whole portions count, since the games that end first are the short ones.
fn play(level: Level, size: Size, games: u64, seed: u64, stop: impl Fn(u64) -> bool) -> Tally {
    if size == Size::CLASSIC {
        let mut lockstep = Lockstep::new(seed);
        let mut tally = Tally::default();
        while tally.games() < games && !stop(tally.games()) {
            let chunk = (1 << 16).min(games - tally.games());
            tally += lockstep.run_on(level, chunk);
        }
        return tally;
    }
    // Seven million moves make a game on 8x8: there a portion is what fits into the lanes at once.
    let chunk = if size.cells() <= 25 { 1024 } else { 32 };
    let mut playouts = Playouts::new(size, seed);
    let mut tally = Tally::default();
    while tally.games() < games && !stop(tally.games()) {
        let chunk = chunk.min(games - tally.games());
        tally += playouts.run_on(level, chunk);
    }
    tally
}

/// The tour: the four slides of a board, paths of play against the published counts, and random play against known
/// means.
pub(crate) fn tour() -> TourSection {
    let board: Board = TOUR_BOARD.parse().expect("the tour's board is well formed");
    let published = Direction::ALL.map(|direction| reference::slide_board(&board, direction));
    let slides = Direction::ALL.map(|direction| board.slide(direction));
    let same = published
        .iter()
        .zip(&slides)
        .filter(|((board, slid), slide)| *board == slide.board && slid.score == slide.gain)
        .count();

    let row = Perft::new(&board).nth(3 - 1).and_then(Result::ok);
    let counts = row.map_or_else(String::new, |row| format!("{} {} {}", row.nodes, row.distinct, row.gain));

    let tallies: Vec<Tally> =
        Level::all().map(|level| play(level, Size::CLASSIC, 20_000, 1, |_| false)).collect();
    let (tally, alike) = (&tallies[0], tallies.iter().all(|tally| *tally == tallies[0]));
    let (score, moves) = (&tally.score, &tally.moves);
    let mut learner = Learner::new(1, Settings::default()).expect("the settings are in their ranges");
    while learner.curve().len() < TOUR_THOUSANDS {
        learner.learn(500);
    }
    let learned = learner.curve()[TOUR_THOUSANDS - 1].score as f64 / CurvePoint::GAMES as f64;
    TourSection {
        game: "2048",
        title: "2048: slides as compares and blends, 32 boards at once, on any board from 2x2 to 8x8",
        picture: draw(&board),
        checks: vec![
            Check::new("of these four slides, equal to the published algorithm", 4, same),
            Check::new("perft 3 of this board: nodes, distinct boards, gain", "132892 18601 5123504", counts),
            Check::within(
                "random play on 4x4, mean score",
                1095.1,
                score.mean(),
                score.standard_error(),
                5.0,
            ),
            Check::within(
                "random play on 4x4, mean moves",
                118.40,
                moves.mean(),
                moves.standard_error(),
                5.0,
            ),
            Check::new("every level played the same 20,000 games", true, alike),
            Check::at_least(
                &format!(
                    "a network learns by play: mean score in the last 1000 of its first {TOUR_THOUSANDS}000 games"
                ),
                10_000.0,
                learned,
            ),
        ],
        next: "bitcade 2048 playouts --size 5x5 --games 1000",
    }
}

/// How many thousand games the tour's network learns from: two seconds at most.
const TOUR_THOUSANDS: usize = 2;

/// The board `mid` of the published counts.
const TOUR_BOARD: &str = "
2 4 8 16
. 2 4 8
. . 2 2
. . . 4";

/// The board and its four slides, side by side.
fn draw(board: &Board) -> String {
    let mut columns = vec![("board".to_owned(), board.to_string())];
    for direction in Direction::ALL {
        let slide = board.slide(direction);
        let gain = if slide.changed { format!("+{}", slide.gain) } else { "not legal".to_owned() };
        columns.push((format!("{direction} {gain}"), slide.board.to_string()));
    }
    let line = |cell: &dyn Fn(&(String, String)) -> String| -> String {
        columns.iter().map(|column| format!("{:<15}", cell(column))).collect::<String>().trim_end().to_owned()
    };
    let mut lines = vec![line(&|(title, _)| title.clone())];
    for y in 0..board.size().height() {
        let row = line(&|(_, rows)| rows.lines().nth(y).unwrap_or_default().to_owned());
        let color = |tile: &str| Some(color::palette(tile.parse::<u64>().ok()?.checked_ilog2()? as usize));
        lines.push(color::words(&row, color));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_stopped_run_keeps_whole_games() {
        let size = "2x2".parse().expect("a size");
        let calls = Cell::new(0);
        let stop = |_| calls.replace(calls.get() + 1) == 2;
        let stopped = play(Level::detect(), size, 1_000_000, 7, stop);
        let whole = play(Level::detect(), size, stopped.games(), 7, |_| false);
        assert_eq!((stopped.games(), stopped), (2048, whole));
    }
}
