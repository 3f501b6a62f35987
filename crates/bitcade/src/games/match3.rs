//! The commands `bitcade match3 ..` and the match-3 section of the tour.

mod act;
mod animation;
mod level;
mod pieces;
mod play;
mod playtest;
mod position;
mod watch;

use super::entry::{GameEntry, Run, Subcommands};
use crate::arguments::{number_in, parse_positive, parse_seed, parse_sides};
use crate::io::color;
use crate::io::input::Input;
use crate::io::interrupt;
use crate::io::output::{Failure, Fields, Output, remark};
use crate::io::progress;
use crate::io::stopwatch::Stopwatch;
use crate::io::threads::Threads;
use crate::play::keys::Keys;
use crate::statistics::{mean, ratio, standard_error};
use crate::tour_section::{Check, Timed, TourSection};
use crate::watch::watched::Watched;
use bitcade_core::{Stop, Stopped};
use clap::Subcommand;
use match3::bitboard::Mask;
use match3::reference::ColorMasks;
use match3::reference::plain::ByteBoard;
use match3::{
    Axis, Board, Board8, CascadeResult, Moments, PlayerKind, Playouts, RandomGame, Rng, Rules,
    Swap, cascade_without_refill, matched, ranked_swaps, swaps,
};
use serde::Serialize;
use std::path::PathBuf;

pub(crate) const GAME: GameEntry = GameEntry {
    name: "match3",
    title: "match-3",
    commands: Subcommands::of::<Commands>(),
    play: Subcommands::of::<Play>(),
    keys: || Keys::<act::Act>::load("match3").map(|keys| keys.page()),
    watch: Watched { unit: "rollouts/s", least: (17, 8), narrow: 18, player: watch::player },
    tour: &[tour],
    fuzzed: &[play::fuzzed, level::fuzzed],
};

#[derive(Subcommand)]
enum Commands {
    /// Match-3: list the legal swaps, get a hint, evaluate players
    #[command(subcommand, after_help = "Example: bitcade match3 hint board.txt")]
    Match3(Command),
}

impl Run for Commands {
    fn run(self, output: &mut Output) -> Result<(), Failure> {
        match self {
            Self::Match3(command) => run(command, output),
        }
    }
}

#[derive(Subcommand)]
enum Play {
    /// Match-3: swap neighbors to reach a goal within a number of moves
    ///
    /// With a level file, or one of the program's levels (`--levels`), the level's goals are to be
    /// reached. Each swap of the piece under the cursor is previewed. A level that is won has a star,
    /// two with a sixth of its moves or seconds left, three with a third.
    #[command(after_help = "Example: bitcade play match3 --size 9 --colors 5 --moves 20")]
    Match3(play::PlayArgs),
}

impl Run for Play {
    fn run(self, output: &mut Output) -> Result<(), Failure> {
        let Self::Match3(arguments) = self;
        play::run(&arguments, output)
    }
}

#[derive(Subcommand)]
enum Command {
    /// List the legal swaps of boards
    ///
    /// Prints one line per swap: `x y H` with the right neighbor or `x y V` with the cell below.
    /// Columns and rows count from 0, from the top left.
    ///
    /// A board has one row per line: `.` empty, `#` blocked, `1`-`9` then `a`-`z` colors, `!`
    /// before a locked cell. A blank line separates boards.
    #[command(after_help = "Example: printf '1121\\n3213\\n' | bitcade match3 swaps")]
    Swaps {
        /// The board file; standard input if it is `-` or missing
        file: Option<PathBuf>,
        /// Print totals over all boards instead
        #[arg(long)]
        count: bool,
    },
    /// List the legal swaps of boards with their scores, best first
    ///
    /// Prints one line per swap: `x y H score` with the right neighbor or `x y V score` with the
    /// cell below. Columns and rows count from 0, from the top left. The score covers the swap and
    /// its whole cascade, before new pieces fall in: 10 points per cleared cell, times the cascade
    /// level. Boards are written as for `swaps`.
    #[command(after_help = "Example: printf '1213\\n3122\\n2331\\n' | bitcade match3 hint")]
    Hint {
        /// The board file; standard input if it is `-` or missing
        file: Option<PathBuf>,
    },
    /// Let computer players play levels, and tell how hard they are
    ///
    /// Prints for each level and agent the pass rate with its 95 % interval, the moves within which
    /// the best 5 % of the games were won (of published predictors of people's pass rates the best),
    /// what lost games lacked, and more. Control-C ends the run and prints the results so far.
    ///
    /// With --require the status is 1 if a pass rate is outside its range, for a level's tests in
    /// CI. --against, --sweep and --target answer a designer's questions: is the new version
    /// harder, what do more moves change, how many moves give a pass rate.
    #[command(after_help = "Example: bitcade match3 playtest level.toml --games 200")]
    Playtest(Box<playtest::PlaytestArgs>),
    /// Check level files and draw them
    ///
    /// Prints each level's rules and goals, and its cells: `1`-`9` colors, `?` a random piece, `!`
    /// before a lock, `'` before ice, `[2]` a crate of two layers, `o` an item, `#` a wall. Beside
    /// them are layers of jelly, and where things come and go: `+` spawners, `x` exits, portals from
    /// `A` to `a`. The exit status is 1 if a file isn't a level; a line says where and why.
    #[command(after_help = "Example: bitcade match3 level level.toml")]
    Level {
        /// The level files; standard input if it is `-` or missing
        files: Vec<PathBuf>,
    },
    /// Let a computer player play games and print its mean score
    ///
    /// A game is a number of moves on a full board. Each cleared cell scores 10 points, times the
    /// cascade level. Refills are random and unknown to the player. Game i of a seed starts with
    /// the same board for every player. Control-C ends the run and prints the results so far.
    #[command(
        after_help = "Example: bitcade match3 evaluate --games 10 --agent rollout --budget 256"
    )]
    Evaluate {
        /// The player: uniformly random swaps, the best cascade without refills, or the best mean
        /// score in simulated continuations
        #[arg(long, value_enum, default_value_t = Agent::Greedy)]
        agent: Agent,
        /// Only with --agent rollout: the number of simulated continuations per move [default: 256]
        #[arg(long, value_parser = number_in(1..=u32::MAX))]
        budget: Option<u32>,
        /// The number of games
        #[arg(long, default_value_t = 1000, value_parser = parse_positive)]
        games: u64,
        /// The number of moves per game
        #[arg(long, default_value_t = 30, value_parser = number_in(1..=u32::MAX))]
        moves: u32,
        /// The board size, 1x1 to 16x16; 5 means 5x5
        #[arg(long, value_name = "NxM", default_value = "8x8", value_parser = parse_size)]
        size: (usize, usize),
        /// The number of colors, 3 to 15
        #[arg(long, default_value_t = 6, value_parser = number_in(3u8..=15))]
        colors: u8,
        /// The random seed
        #[arg(long, default_value_t = 1, value_parser = parse_seed)]
        seed: u64,
        #[command(flatten)]
        threads: Threads,
    },
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum Agent {
    Random,
    Greedy,
    Rollout,
}

fn parse_size(text: &str) -> Result<(usize, usize), String> {
    parse_sides(text, 1..=16)
}

fn run(command: Command, output: &mut Output) -> Result<(), Failure> {
    match command {
        Command::Swaps { file, count } => {
            let input = Input::read(file)?;
            let boards = match3::parse_boards(&input.text).map_err(|error| input.error(error))?;
            if count { print_count(&boards, output) } else { print_swaps(&boards, output) }
        }
        Command::Hint { file } => {
            let input = Input::read(file)?;
            let boards = match3::parse_boards(&input.text).map_err(|error| input.error(error))?;
            print_hints(&boards, output)
        }
        Command::Playtest(arguments) => playtest::run(&arguments, output),
        Command::Level { files } => level::check(files, output),
        Command::Evaluate {
            agent,
            budget,
            games,
            moves,
            size: (width, height),
            colors,
            seed,
            threads,
        } => {
            let player = match (agent, budget) {
                (Agent::Random, None) => PlayerKind::Random,
                (Agent::Greedy, None) => PlayerKind::Greedy,
                (Agent::Rollout, budget) => PlayerKind::Rollout(budget.unwrap_or(256)),
                (_, Some(_)) => {
                    return Err(Failure::Input(
                        "--budget: expected only with --agent rollout".to_owned(),
                    ));
                }
            };
            let rules = Rules { width, height, colors, moves };
            let start = Stopwatch::start();
            let bar = progress::bar(games);
            let interrupted = interrupt::install_handler();
            let mut scores = Moments::default();
            let visit = |score| {
                scores.add(score);
                bar.set_position(scores.count);
            };
            let pool = threads.pool();
            match player.games_until(&pool, rules, seed, 0..games, &interrupted, visit) {
                Ok(Ok(())) | Err(Stopped) => {}
                Ok(Err(error)) => return Err(Failure::Input(error.to_string())),
            }
            bar.finish_and_clear();
            if scores.count < games {
                remark(format_args!("interrupted after {} of {games} games", scores.count));
            }
            let microseconds = start.elapsed().as_secs_f64() * 1e6;
            print_scores(&scores, ratio(microseconds, scores.count * u64::from(moves)), output)
        }
    }
}

#[derive(Serialize)]
struct SwapRecord {
    board: usize,
    x: usize,
    y: usize,
    axis: char,
}

impl SwapRecord {
    fn new(board: usize, swap: Swap) -> Self {
        let Swap { x, y, axis } = swap;
        Self { board, x, y, axis: if axis == Axis::Horizontal { 'H' } else { 'V' } }
    }
}

fn print_swaps(boards: &[Board], output: &mut Output) -> Result<(), Failure> {
    for (i, board) in boards.iter().enumerate() {
        if i > 0 {
            output.text("\n")?;
        }
        for swap in &swaps(board) {
            output.result(&SwapRecord::new(i, swap), || format!("{swap}\n"))?;
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct HintRecord {
    #[serde(flatten)]
    swap: SwapRecord,
    score: u64,
    cleared: u64,
    levels: u64,
}

fn print_hints(boards: &[Board], output: &mut Output) -> Result<(), Failure> {
    for (i, board) in boards.iter().enumerate() {
        if i > 0 {
            output.text("\n")?;
        }
        for (swap, CascadeResult { score, cleared, levels, .. }) in ranked_swaps(board) {
            let record = HintRecord { swap: SwapRecord::new(i, swap), score, cleared, levels };
            output.result(&record, || format!("{swap} {score}\n"))?;
        }
    }
    Ok(())
}

fn print_scores(
    scores: &Moments,
    us_per_move: Option<f64>,
    output: &mut Output,
) -> Result<(), Failure> {
    let fields = Fields::default()
        .number("mean_score", mean(scores), 1)
        .number("stderr", standard_error(scores), 1)
        .number("us_per_move", us_per_move, 3);
    output.lines(&fields.with("games", scores.count))
}

#[derive(Default)]
struct Count {
    boards: usize,
    swaps: usize,
    horizontal: usize,
    vertical: usize,
    dead: usize,
    stable: usize,
    matched_cells: u64,
}

fn count(boards: &[Board]) -> Count {
    let mut count = Count { boards: boards.len(), ..Count::default() };
    for board in boards {
        let found = swaps(board);
        let horizontal = found.iter().filter(|swap| swap.axis == Axis::Horizontal).count();
        count.swaps += found.len();
        count.horizontal += horizontal;
        count.vertical += found.len() - horizontal;
        count.dead += usize::from(found.is_empty());
        let matched = matched(board);
        count.stable += usize::from(matched.is_empty());
        count.matched_cells += matched.len() as u64;
    }
    count
}

fn print_count(boards: &[Board], output: &mut Output) -> Result<(), Failure> {
    let count = count(boards);
    let fields = Fields::default()
        .with("boards", count.boards)
        .with("swaps", count.swaps)
        .with("horizontal", count.horizontal)
        .with("vertical", count.vertical)
        .with("dead", count.dead)
        .with("stable", count.stable);
    output.lines(&fields.with("matched_cells", count.matched_cells))
}

/// Returns the tour section: a board with its swaps and the best swap played, all 3 x 3 boards of
/// three colors against published counts, and random games in lockstep against plain ones.
fn tour(_: Stop) -> TourSection {
    let shown: Board = TOUR_BOARD.parse().expect("the tour's board is well formed");
    let found = swaps(&shown);
    let (best, result) = ranked_swaps(&shown)[0];
    let mut after = shown.clone();
    let [a, b] = best.cells();
    after.exchange(a, b);
    let settled = cascade_without_refill(&mut after, &mut ());
    let paint_row = |row: &[match3::Cell]| {
        let row: String = row.iter().map(|cell| format!("{cell} ")).collect();
        color::characters(&row, |c| c.to_digit(36).map(|color| color::palette(color as usize)))
    };
    let mut picture = String::new();
    for (y, (row, fallen)) in shown.rows().zip(after.rows()).enumerate() {
        let here: Vec<String> =
            found.iter().filter(|swap| swap.y == y).map(|swap| swap.to_string()).collect();
        picture += &format!("{}    {}  {}\n", paint_row(row), paint_row(fallen), here.join(", "));
    }
    picture += &format!(
        "a board, what the best swap ({best}) leaves of it before new pieces fall in ({} cells in {} levels: {} points),\n\
         and all {} legal swaps by row\n",
        result.cleared,
        result.levels,
        result.score,
        found.len()
    );

    let digits = |mut n: u32| (0..9).map(move |_| (n % 3, n /= 3).0 as u8 + 1);
    let all: Vec<Board> = (0..3u32.pow(9))
        .map(|n| {
            let cells = digits(n).filter_map(match3::Cell::new).collect();
            Board::from_cells(3, 3, cells).expect("nine cells")
        })
        .collect();
    let sums = count(&all);
    TourSection {
        title: "Match-3: every legal swap from masks of equal cells",
        picture,
        checks: vec![
            Check::new("swaps on all 19,683 3x3 boards of 3 colors", "33048", sums.swaps),
            Check::new("of these boards, dead", "5595", sums.dead),
            Check::new("cells in runs on these boards", "37179", sums.matched_cells),
            Check::new(
                "the same swaps by brute force on the board shown",
                match3::reference::naive::swaps(&shown).len(),
                found.len(),
            ),
            Check::new("points of the best swap, played on the board", result.score, settled.score),
            random_games(),
        ],
        timed: timed_swaps(),
        next: "bitcade match3 hint FILE",
    }
}

fn timed_swaps() -> Timed {
    let game = |rng| RandomGame::new(Rules::default(), rng).expect("six colors");
    let boards: Vec<Board> = Rng::streams(5).take(1024).map(|rng| game(rng).board()).collect();
    let masks: Vec<ColorMasks> = boards.iter().map(ColorMasks::from).collect();
    let planes: Vec<Board8> =
        boards.iter().map(|board| Board8::try_from(board).expect("six colors")).collect();
    Timed {
        operation: "match3 swaps 8x8",
        unit: "board",
        units: boards.len(),
        reference: Box::new(move || masks.iter().map(|masks| masks.count() as u64).sum()),
        kernel: Box::new(move || Board8::count_swaps(&planes)),
    }
}

/// Plays sixteen random games of 200 moves in lockstep and, with the same draws, on byte boards.
fn random_games() -> Check {
    let rules = Rules { moves: 200, ..Rules::default() };
    let score = Playouts::new(rules, 1).expect("six colors").play(16).score;
    let mut plain = 0;
    for rng in Rng::streams(1).take(16) {
        let game = RandomGame::new(rules, rng).expect("six colors");
        let mut colors = game.colors().clone();
        let mut engine = ByteBoard::new(&game.board()).expect("nothing is blocked");
        plain += (0..200).map(|_| engine.random_step(&mut colors).score).sum::<u64>();
    }
    Check::new("points of 16 random games in lockstep, same as on byte boards", plain, score.sum)
}

/// An 8 x 8 board of six colors without a run, with a swap whose cascade reaches level seven.
const TOUR_BOARD: &str = "
1 4 5 1 2 6 3 1
4 3 1 2 4 3 5 1
6 1 2 1 1 4 6 5
2 6 4 5 5 2 4 4
4 5 6 3 3 2 2 5
2 1 1 6 6 3 1 3
6 4 4 6 6 2 3 3
2 6 4 5 1 6 4 6";
