//! `bitcade 2048`: the 2048 commands.

mod advisor;
mod analyze;
mod arguments;
mod evaluate;
mod learning_curve;
mod network;
mod play;
mod tiles;
mod train;
mod watch;

use super::entry::{GameEntry, Run, Subcommands};
use crate::arguments::{number_in, parse_positive, parse_seed};
use crate::io::color;
use crate::io::input::Input;
use crate::io::interrupt;
use crate::io::output::{Failure, Fields, Output, remark};
use crate::io::progress;
use crate::io::stopwatch::Stopwatch;
use crate::io::threads::Threads;
use crate::play::keys::Keys;
use crate::statistics::{mean, per_second, standard_error};
use crate::tour_section::{Check, Timed, TourSection, on_each_level};
use crate::watch::watched::Watched;
use arguments::parse_2048_size;
use bitcade_core::Stop;
use bitcore::Rng;
use clap::Subcommand;
use g2048::network::{CurvePoint, LearnerSettings};
use g2048::{
    Board, Direction, Learner, Perft, PerftError, Playouts, Rules, Size, Solution, SolveError,
    Stats, Stopped, reference, solve_until,
};
use std::path::PathBuf;

pub(crate) const GAME: GameEntry = GameEntry {
    name: "2048",
    title: "2048",
    commands: Subcommands::of::<Commands>(),
    play: Subcommands::of::<Play>(),
    keys: || Keys::<play::Act>::load("2048").map(|keys| keys.page()),
    watch: Watched { unit: "moves/s", least: (20, 4), narrow: 18, player: watch::player },
    tour: &[tour],
    fuzzed: &[play::fuzzed],
};

#[derive(Subcommand)]
enum Commands {
    /// 2048: count paths, solve small boards, train a network
    #[command(
        subcommand,
        name = "2048",
        after_help = "Example: bitcade 2048 playouts --games 1000"
    )]
    G2048(Command),
}

impl Run for Commands {
    fn run(self, output: &mut Output) -> Result<(), Failure> {
        match self {
            Self::G2048(command) => run(command, output),
        }
    }
}

#[derive(Subcommand)]
enum Play {
    /// 2048: slide the tiles with the arrow keys
    #[command(name = "2048", after_help = "Example: bitcade play 2048 --size 5")]
    G2048(play::PlayArgs),
}

impl Run for Play {
    fn run(self, output: &mut Output) -> Result<(), Failure> {
        let Self::G2048(arguments) = self;
        play::run(&arguments, output)
    }
}

#[derive(Subcommand)]
enum Command {
    /// Count all play sequences from a board, depth by depth (perft)
    ///
    /// One step is a legal move followed by a 2 or a 4 on an empty cell. Prints for each depth the
    /// number of sequences (nodes), of distinct final boards (distinct), the total points over all
    /// sequences (gain), and how many sequences of the previous depth had no legal move (dead).
    /// Stops early if no sequence can continue.
    ///
    /// The board has 2x2 to 8x8 cells, one row of tile values per line; `.` or 0 is an empty cell.
    #[command(
        after_help = "Example: printf '2 . .\\n. . .\\n. . 2\\n' | bitcade 2048 perft --depth 4"
    )]
    Perft {
        /// The maximum length of the sequences
        #[arg(long, value_parser = number_in(1..=u32::MAX))]
        depth: u32,
        #[command(flatten)]
        threads: Threads,
        /// The board file; standard input if it is `-` or missing
        file: Option<PathBuf>,
    },
    /// Play games with uniformly random legal moves
    ///
    /// Prints the mean score and the mean number of moves per game with standard errors, and the
    /// speed. Game i of a seed is the same at every level and for any number of games. Control-C
    /// ends the run and prints the results so far.
    #[command(after_help = "Example: bitcade 2048 playouts --size 4x4 --games 100000 --seed 1")]
    Playouts {
        /// The board size, 2x2 to 8x8; 5 means 5x5
        #[arg(long, value_name = "NxM", default_value_t = Size::CLASSIC, value_parser = parse_2048_size)]
        size: Size,
        /// The number of games
        #[arg(long, default_value_t = 10_000, value_parser = parse_positive)]
        games: u64,
        /// The random seed
        #[arg(long, default_value_t = 1, value_parser = parse_seed)]
        seed: u64,
        #[command(flatten)]
        threads: Threads,
    },
    /// Compute the exact expected score of optimal play on a small board
    ///
    /// Prints the number of reachable boards (states), their number up to rotation and reflection
    /// (canonical), the expected score of optimal play, and the expected score and number of moves
    /// of uniformly random play. 2x2 and 2x3 take a moment; 3x3, with 389 million boards, takes
    /// about a minute and 0.4 GB of memory. Control-C ends the run without a result.
    #[command(after_help = "Example: bitcade 2048 solve --size 2x3")]
    Solve {
        /// The board size, at most nine cells; 3 means 3x3
        #[arg(long, value_name = "NxM", value_parser = parse_2048_size)]
        size: Size,
        #[command(flatten)]
        threads: Threads,
    },
    /// Train a network that estimates the value of boards
    ///
    /// The network learns by self-play. Writes two files: NET, the network for
    /// `bitcade 2048 evaluate`, and NET.learner, from which --resume continues as if the run had
    /// never been interrupted. Both are saved atomically, every two minutes and at the end.
    /// Control-C saves them and ends the run. Prints the learning curve; on a terminal, a line shows
    /// it during the run, from 0 to the best mean score. Needs up to 0.8 GB of memory, or 1.6 GB to
    /// resume.
    ///
    /// What to expect: 157,000 points one move ahead after 3 minutes on one core of a Zen 5, and
    /// 208,000 after 25. With --small, 121,000 after 16 minutes. The score still grows then, ever
    /// more slowly.
    ///
    /// Runs with --small, or for boards other than 4x4, write only NET and can't be resumed. They
    /// need up to 0.2 GB and, by size, 0.6 GB.
    #[command(after_help = "Example: bitcade 2048 train --minutes 20 --out net.2048")]
    Train(train::TrainArgs),
    /// Play games with a network and print the mean score
    ///
    /// Also prints the share of games that reached each large tile (`rate_2048` and so on) and the
    /// speed. Control-C ends the run and prints the results of the finished games.
    #[command(
        alias = "play",
        after_help = "Example: bitcade 2048 evaluate --depth 2 --games 20 --seed 1"
    )]
    Evaluate(evaluate::EvaluateArgs),
    /// Print the value of each move of a board, or a game's worst moves
    ///
    /// Reads a board as people post it: rows of tiles between blanks, tabs, commas or bars, with or
    /// without a frame; nested lists; one line of 16; digits that stand for ranks, in rows, as 16
    /// digits, or as a 64-bit number `0x..` whose lowest digit is the top left cell. An empty cell
    /// is 0 or one of `. _ -`, or blank between two bars or commas. Prints the value of each move,
    /// its points plus the expected ones to come, the best move, and the line of play that follows
    /// if new 2s appear where they cost most.
    ///
    /// Reads a game as its boards, each after a move and a blank line, as the output of
    /// `bitcade play 2048 --json`, or as a saved game. Prints how many moves were the best ones,
    /// and those that cost most, worst first.
    ///
    /// Boards other than 4x4 are valued by random play, unless --net names a network for their size.
    #[command(
        after_help = "Example: printf '2 4 8 2  . . . 2  . . . .  . . . 2' | bitcade 2048 analyze"
    )]
    Analyze(analyze::AnalyzeArgs),
}

fn run(command: Command, output: &mut Output) -> Result<(), Failure> {
    match command {
        Command::Perft { depth, threads, file } => {
            let input = Input::read(file)?;
            let board = input.text.parse().map_err(|error| input.error(error))?;
            print_perft(&board, depth, threads, output)
        }
        Command::Playouts { size, games, seed, threads } => {
            let start = Stopwatch::start();
            let bar = progress::bar(games);
            let interrupted = interrupt::install_handler();
            let mut stats = Stats::default();
            let show = |so_far: &Stats| {
                stats = *so_far;
                bar.set_position(stats.games);
            };
            let mut playouts = Playouts::new(size, seed);
            let played = playouts.play_until(&threads.pool(), games, &interrupted, show);
            bar.finish_and_clear();
            let seconds = start.elapsed().as_secs_f64().max(1e-9);
            if played.is_err() {
                remark(format_args!("interrupted after {} of {games} games", stats.games));
            }
            print_playouts(&stats, seconds, output)
        }
        Command::Solve { size, threads } => {
            let spinner = progress::spinner();
            let interrupted = interrupt::install_handler();
            let stop = || {
                spinner.inc(1);
                interrupted()
            };
            let solution = solve_until(&threads.pool(), size, &stop);
            spinner.finish_and_clear();
            match solution {
                Ok(Ok(solution)) => print_solution(&solution, output),
                Ok(Err(error @ SolveError::OutOfMemory)) => Err(Failure::Check(error.to_string())),
                Ok(Err(error)) => Err(Failure::Input(error.to_string())),
                Err(Stopped) => {
                    remark("interrupted without a result");
                    Ok(())
                }
            }
        }
        Command::Train(arguments) => train::train(&arguments, output),
        Command::Evaluate(arguments) => evaluate::evaluate(&arguments, output),
        Command::Analyze(arguments) => analyze::analyze(arguments, output),
    }
}

fn print_perft(
    board: &Board,
    depth: u32,
    threads: Threads,
    output: &mut Output,
) -> Result<(), Failure> {
    let pool = threads.pool();
    let interrupted = interrupt::install_handler();
    let mut rows = Perft::new(board);
    for depth in 1..=depth {
        let row = match rows.next_until(&pool, &interrupted) {
            Ok(Some(Ok(row))) => row,
            Ok(Some(Err(error @ PerftError::OutOfMemory { .. }))) => {
                return Err(Failure::Check(error.to_string()));
            }
            Ok(Some(Err(error))) => return Err(Failure::Input(error.to_string())),
            Ok(None) => break,
            Err(Stopped) => {
                remark(format_args!("interrupted at depth {depth}"));
                break;
            }
        };
        let g2048::PerftRow { depth, nodes, distinct, gain, dead, .. } = row;
        let fields = Fields::default().with("depth", depth).with("nodes", nodes);
        output.line(&fields.with("distinct", distinct).with("gain", gain).with("dead", dead))?;
    }
    Ok(())
}

fn print_solution(solution: &Solution, output: &mut Output) -> Result<(), Failure> {
    let &Solution { states, canonical, best_score, random_score, random_moves, .. } = solution;
    let fields = Fields::default().with("states", states).with("canonical", canonical);
    let fields =
        fields.number("expected_score", best_score, 10).number("random_score", random_score, 10);
    output.lines(&fields.number("random_moves", random_moves, 10))
}

fn print_playouts(stats: &Stats, seconds: f64, output: &mut Output) -> Result<(), Failure> {
    let fields = Fields::default()
        .with("games", stats.games)
        .number("mean_score", mean(&stats.score), 4)
        .number("stderr_score", standard_error(&stats.score), 4)
        .number("mean_moves", mean(&stats.moves), 4)
        .number("stderr_moves", standard_error(&stats.moves), 4)
        .whole("moves_per_second", per_second(stats.moves.sum as f64, seconds));
    output.lines(&fields)
}

/// Returns the tour section: the four slides of a board, perft against published counts, random
/// play against known means, and a network that learns for two seconds.
fn tour(stop: Stop) -> TourSection {
    let board: Board = TOUR_BOARD.parse().expect("the tour's board is well formed");
    let published = Direction::ALL.map(|direction| reference::slide_board(&board, direction));
    let slides = Direction::ALL.map(|direction| board.slide(direction));
    let same = published
        .iter()
        .zip(&slides)
        .filter(|((board, slid), slide)| *board == slide.board && slid.gain == slide.gain)
        .count();

    let row = Perft::new(&board).nth(3 - 1).and_then(Result::ok);
    let counts =
        row.map_or_else(String::new, |row| format!("{} {} {}", row.nodes, row.distinct, row.gain));

    let stats_by_level: Vec<Stats> =
        on_each_level(|| Playouts::new(Rules::default(), 1).play(20_000));
    let (stats, alike) =
        (&stats_by_level[0], stats_by_level.iter().all(|stats| *stats == stats_by_level[0]));
    let score = &stats.score;
    let moves = &stats.moves;
    let mut learner =
        Learner::new(LearnerSettings::default(), 1).expect("the settings are in their ranges");
    while learner.curve().len() < TOUR_THOUSANDS && !stop() {
        learner.learn(500);
    }
    let learned =
        learner.curve().last().map_or(0.0, |point| point.score as f64 / CurvePoint::GAMES as f64);
    TourSection {
        title: "2048: slides as vector compares and blends, 32 boards per call, on boards from 2x2 to 8x8",
        picture: draw(&board),
        checks: vec![
            Check::new("slides that match the published algorithm, of these four", 4, same),
            Check::new(
                "perft 3 of this board: nodes, distinct boards, gain",
                "132892 18601 5123504",
                counts,
            ),
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
            Check::new("every instruction set played the same 20,000 games", true, alike),
            Check::at_least(
                &format!(
                    "a network learns: mean score of the last 1000 of its first {TOUR_THOUSANDS}000 games"
                ),
                10_000.0,
                learned,
            ),
        ],
        timed: Timed {
            operation: "2048 playout batch",
            unit: "game",
            units: 1024,
            reference: Box::new(|| {
                let mut streams: Vec<Rng> = Rng::streams(1).take(32).collect();
                (0..1024)
                    .map(|game| reference::naive_playout4x4(&mut streams[game % 32]).score())
                    .sum()
            }),
            kernel: Box::new(|| Playouts::new(Rules::default(), 1).play(1024).score.sum as u64),
        },
        next: "bitcade 2048 playouts --size 5x5 --games 1000",
    }
}

/// The games, in thousands, that the tour's network learns from. They take at most two seconds.
const TOUR_THOUSANDS: usize = 2;

/// The board `mid` of the published perft counts.
const TOUR_BOARD: &str = "
2 4 8 16
. 2 4 8
. . 2 2
. . . 4";

fn draw(board: &Board) -> String {
    let mut columns = vec![("board".to_owned(), board.to_string())];
    for direction in Direction::ALL {
        let slide = board.slide(direction);
        let gain = if slide.changed { format!("+{}", slide.gain) } else { "not legal".to_owned() };
        columns.push((format!("{direction} {gain}"), slide.board.to_string()));
    }
    let line = |cell: &dyn Fn(&(String, String)) -> String| -> String {
        columns
            .iter()
            .map(|column| format!("{:<15}", cell(column)))
            .collect::<String>()
            .trim_end()
            .to_owned()
    };
    let mut lines = vec![line(&|(title, _)| title.clone())];
    for y in 0..board.size().height() {
        let row = line(&|(_, rows)| rows.lines().nth(y).unwrap_or_default().to_owned());
        let color =
            |tile: &str| Some(color::palette(tile.parse::<u64>().ok()?.checked_ilog2()? as usize));
        lines.push(color::words(&row, color));
    }
    lines.join("\n")
}
