//! `bitcade tetris`: the Tetris commands.

mod bot_match;
mod cells;
mod contest;
mod control;
mod field;
mod moves;
mod picture;
mod play;
mod tbp;
mod watch;

use super::entry::{GameEntry, Run, Subcommands};
use crate::arguments::number_in;
use crate::io::interrupt;
use crate::io::output::{Failure, Fields, Output, remark};
use crate::io::stopwatch::Stopwatch;
use crate::io::threads::Threads;
use crate::play::keys::Keys;
use crate::statistics::per_second;
use crate::tour_section::{Check, Timed, TourSection};
use crate::watch::watched::Watched;
use bitcade_core::Stop;
use clap::Subcommand;
use std::str::FromStr;
use tetris::movegen::{Placements, SpinMode};
use tetris::reference::naive;
use tetris::{Board, Piece, Placement, Queue, Spin, perft};

pub(crate) const GAME: GameEntry = GameEntry {
    name: "tetris",
    title: "Tetris",
    commands: Subcommands::of::<Commands>(),
    play: Subcommands::of::<Play>(),
    keys: || Keys::<play::act::Act>::load("tetris").map(|keys| keys.page()),
    watch: Watched { unit: "nodes/s", least: (30, 20), narrow: 24, player: watch::player },
    tour: &[tour, contest::tour],
    fuzzed: &[play::fuzzed, contest::replay::replay_screen::fuzzed],
};

#[derive(Subcommand)]
enum Commands {
    /// Tetris: count and list moves, run a bot, let bots play each other
    #[command(subcommand, after_help = "Example: bitcade tetris moves --piece T")]
    Tetris(Command),
    /// The 2021 Goose Tetris contest: search, verify and replay games
    #[command(subcommand, after_help = "Example: bitcade contest verify game.txt")]
    Contest(contest::Command),
}

impl Run for Commands {
    fn run(self, output: &mut Output) -> Result<(), Failure> {
        match self {
            Self::Tetris(command) => run(command, output),
            Self::Contest(command) => contest::run(command, output),
        }
    }
}

#[derive(Subcommand)]
enum Play {
    /// Tetris in real time: marathon, sprint, ultra, survival, practice, or versus the bot
    #[command(after_help = "Example: bitcade play tetris --mode versus --bot-speed 1.5")]
    Tetris(play::PlayArgs),
}

impl Run for Play {
    fn run(self, output: &mut Output) -> Result<(), Failure> {
        let Self::Tetris(arguments) = self;
        play::run(&arguments, output)
    }
}

#[derive(Subcommand)]
enum Command {
    /// Count the ways to place a queue of pieces, depth by depth (perft)
    ///
    /// Pieces move by single presses of left, right, soft drop and both rotations with SRS kicks.
    /// Placements with the same cells count once; full lines are cleared after each piece. Prints
    /// the number of ways (nodes) and the speed for each depth.
    #[command(after_help = "Example: bitcade tetris perft --queue IOLJSZT --depth 4\n\
                            Example: bitcade tetris perft --queue TIO --depth 3 --board \
                            3,3,3,3,5,0,1,3,3,3")]
    Perft {
        /// The pieces in order, as letters of I O T S Z J L
        #[arg(long, value_parser = parse_queue)]
        queue: Queue,
        /// The number of pieces to place
        #[arg(long, value_parser = number_in(1usize..=99))]
        depth: usize,
        /// The board: ten hexadecimal columns from the left, bit 0 = bottom row, or a fumen, whose
        /// first page is used [default: the empty board]
        #[arg(long, value_name = "COLS", default_value_t = Board::EMPTY, hide_default_value = true,
            value_parser = moves::parse_board)]
        board: Board,
        /// Count placements with the same cells once per kind of T-spin (none, mini, full)
        #[arg(long)]
        spins: bool,
        /// Use only rotations at spawn, moves to one side, and hard drops
        #[arg(long, conflicts_with = "spins")]
        hard_drop: bool,
        #[command(flatten)]
        threads: Threads,
    },
    /// List every placement of a piece with its key presses
    ///
    /// Prints one line per placement: the orientation, the column and row of the piece's center,
    /// the kind of spin, the number of lines cleared, and a shortest sequence of key presses from
    /// spawn (`soft-drop*17` means 17 presses; --json lists every press). Placements with the same
    /// cells are listed once. On a terminal each placement is also drawn.
    #[command(
        after_help = "Example: bitcade tetris moves --piece T --spins --board 3,3,3,3,5,0,1,3,3,3"
    )]
    Moves(moves::MovesArgs),
    /// Let a published controller play simplified Tetris
    ///
    /// The board has 10x20 cells, and pieces are only dropped from above. They are drawn uniformly
    /// at random. A game ends when no drop stays within the 20 rows. 64 games are in progress at a
    /// time, and pieces are dealt to them in turn, a thousand to each. The run ends at the first of
    /// the limits --games, --pieces and --time, which cuts off the games in progress. Game i of a
    /// seed is the same game for every limit.
    ///
    /// `games` counts the finished games, `unfinished_games` those cut off. `mean_lines` is the
    /// mean over the finished games; it is too low if the limit cut off long games.
    /// `lines_per_death`, with its 95 % interval, also uses the lines of the unfinished games; it
    /// assumes that a game is equally likely to end at each line. Control-C ends the run and prints
    /// the results so far.
    #[command(after_help = "Example: bitcade tetris control --weights dt20 --pieces 1000000")]
    Control(control::ControlArgs),
    /// Run a Tetris Bot Protocol (TBP) bot on standard input and output
    ///
    /// Reads and writes one JSON object per line. Without a limit the bot searches while it waits
    /// and answers `suggest` immediately with its best moves so far; with --nodes or --time it
    /// searches after `suggest` instead. Messages of unknown types are ignored. A message that
    /// cannot be read is reported on standard error; if it belongs to a game, the bot drops the
    /// game. Without a game the answer to `suggest` is an empty suggestion.
    #[command(after_help = "Example: bitcade tetris tbp --nodes 100000")]
    Tbp(tbp::TbpArgs),
    /// Let two bots play games against each other
    ///
    /// The bots speak the Tetris Bot Protocol (TBP). Both get the same pieces from bags of seven,
    /// see five pieces ahead, and lock one piece per turn. Attack first cancels the bot's own
    /// pending garbage; the rest enters the opponent's board after the opponent's next lock, with
    /// one hole per turn in a random column. A bot loses if it tops out, suggests no legal move or
    /// an unreadable one, exits, sends a line of more than 1 MiB, or does not read its input and
    /// answer in time. After --pieces turns, or if both top out in the same turn, the bot with more
    /// attack wins; if both lose in any other way in the same turn, the game is a draw. Prints how
    /// often each bot lost for each reason.
    ///
    /// Each game restarts both bots; their standard error is shown. FILE is created with the first
    /// result and replaced after each one; its last line is a checksum, which --resume uses to
    /// detect missing games. Control-C ends the run and prints the results so far; --resume replays
    /// the unfinished game.
    #[command(
        after_help = "Example: bitcade tetris match --bot 'bitcade tetris tbp' --bot 'bitcade tetris tbp' --out match"
    )]
    Match(bot_match::MatchArgs),
}

fn parse_queue(text: &str) -> Result<Queue, String> {
    let queue = Queue::from_str(text).map_err(|error| error.to_string())?;
    if queue.is_empty() {
        Err("expected letters of I O T S Z J L, found none".to_owned())
    } else {
        Ok(queue)
    }
}

fn run(command: Command, output: &mut Output) -> Result<(), Failure> {
    let (queue, depth, board, spins, hard_drop, threads) = match command {
        Command::Perft { queue, depth, board, spins, hard_drop, threads } => {
            (queue, depth, board, spins, hard_drop, threads)
        }
        Command::Moves(arguments) => return moves::run(&arguments, output),
        Command::Control(arguments) => return control::run(&arguments, output),
        Command::Tbp(arguments) => {
            output.refuse_json("the Tetris Bot Protocol")?;
            return tbp::run(&arguments, output);
        }
        Command::Match(arguments) => return bot_match::run(&arguments, output),
    };
    if !(1..=queue.len()).contains(&depth) {
        let pieces = queue.len();
        return Err(Failure::Input(format!(
            "--depth {depth}: expected a number from 1 to the length of the queue, {pieces}"
        )));
    }
    let pool = threads.pool();
    let interrupted = interrupt::install_handler();
    for depth in 1..=depth {
        let start = Stopwatch::start();
        let nodes = if hard_drop {
            perft::hard_drops_until(&pool, &board, &queue[..depth], &interrupted)
        } else {
            let spin_mode = if spins { SpinMode::TSpins } else { SpinMode::Ignore };
            perft::perft_until(&pool, &board, &queue[..depth], spin_mode, &interrupted)
        };
        let Ok(nodes) = nodes else {
            remark(format_args!("interrupted at depth {depth}"));
            break;
        };
        let nodes_per_second = per_second(nodes as f64, start.elapsed().as_secs_f64());
        let fields = Fields::default().with("depth", depth).with("nodes", nodes);
        output.line(&fields.whole("nodes_per_second", nodes_per_second))?;
    }
    Ok(())
}

/// Returns the tour section: the T-spin that clears the most lines on a board with an overhang, and
/// perft against published counts.
fn tour(_: Stop) -> TourSection {
    let board: Board = TOUR_BOARD.parse().expect("the tour's board is well formed");
    let placements = Placements::of(&board, Piece::T, SpinMode::TSpins);
    let lines = |spun: Placement| board.place(spun.at).map_or(0, |mut board| board.clear_lines());
    let full = placements.iter().filter(|placement| placement.spin == Spin::Full);
    let spun = full.max_by_key(|&spun| lines(spun));

    let perft = |board: &Board, queue: &str, spin_mode| {
        let queue: Queue = queue.parse().expect("letters of pieces");
        perft::perft(board, &queue, spin_mode)
    };
    let hard_drops = perft::hard_drops(&Board::EMPTY, &[Piece::I, Piece::O, Piece::L, Piece::J]);
    TourSection {
        title: "Tetris: the board as columns of bits; here a T-spin under an overhang",
        picture: spun.map_or_else(String::new, |spun| picture::draw(&board, spun)),
        checks: vec![
            Check::new(
                "placements of a T on this board, spins counted separately",
                38,
                placements.len(),
            ),
            Check::new("lines cleared by the T-spin", 2, spun.map_or(0, lines)),
            Check::new(
                "perft IOLJS on the empty board",
                3497187,
                perft(&Board::EMPTY, "IOLJS", SpinMode::Ignore),
            ),
            Check::new(
                "perft IOTL on this board with spins",
                250786,
                perft(&board, "IOTL", SpinMode::TSpins),
            ),
            Check::new("perft IOLJ with hard drops only", 176868, hard_drops),
        ],
        timed: Timed {
            operation: "tetris perft",
            unit: "node",
            units: 5266,
            reference: Box::new(|| {
                naive::perft(&Board::EMPTY, &TIMED_QUEUE, naive::Rules::default())
            }),
            kernel: Box::new(|| perft::perft(&Board::EMPTY, &TIMED_QUEUE, SpinMode::Ignore)),
        },
        next: "bitcade tetris perft --queue IOLJSZT --depth 6",
    }
}

const TIMED_QUEUE: [Piece; 3] = [Piece::I, Piece::O, Piece::L];

/// The board `tspin` of the benchmarks.
const TOUR_BOARD: &str = "3f,3f,1f,7,1,0,d,1f,3f,ff";
