//! `bitcade tetris`.

mod control;
mod moves;
mod picture;
mod tbp;
mod versus;

use crate::output::{Failure, Output};
use crate::stage::{Check, Stage};
use bitcore::Level;
use clap::Subcommand;
use serde::Serialize;
use std::time::Instant;
use tetris::movegen::{Placements, SpinMode};
use tetris::{Board, Piece, Placement, Queue, Spin, perft};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Count the ways to lock the first pieces of a queue, depth by depth
    ///
    /// Pieces move by single presses of left, right, soft drop and both rotations with SRS kicks; equal cells count
    /// once; full lines are cleared. Prints depth, nodes and nodes per second.
    #[command(after_help = "Example: bitcade tetris perft --queue IOLJSZT --depth 6\n\
                            Example: bitcade tetris perft --queue IOTLJSZ --depth 3 --board \
                            3f,3f,1f,7,1,0,d,1f,3f,ff --spins")]
    Perft {
        /// The pieces, the next one first: letters of I O T S Z J L
        #[arg(long)]
        queue: Queue,
        /// How many of them to lock
        #[arg(long)]
        depth: usize,
        /// Ten columns from the left in hexadecimal, bit 0 = bottom row; empty if not given
        #[arg(long, value_name = "COLS", default_value_t = Board::EMPTY, hide_default_value = true)]
        board: Board,
        /// Count equal cells once for each kind of T-spin
        #[arg(long)]
        spins: bool,
        /// Rotations at the spawn, steps to one side and hard drops only
        #[arg(long, conflicts_with = "spins")]
        hard_drop: bool,
    },
    /// List every way to lock a piece on a board, with the keys that lead there
    ///
    /// One line a placement: where the piece's center is, its kind of spin, the lines that it clears, and the fewest key
    /// presses from where it spawns. Equal cells count once. On a terminal each is drawn.
    #[command(
        after_help = "Example: bitcade tetris moves --board 3f,3f,1f,7,1,0,d,1f,3f,ff --piece T --spins"
    )]
    Moves(moves::Moves),
    /// Let a published controller play plain 10x20 Tetris
    ///
    /// Pieces are drawn uniformly and dropped from above; a game ends when no drop stays below row 20. Game i of a seed
    /// is the same game whatever the budget. The mean is over the games that ended, which favors short games where
    /// the budget cuts one off; lines per death, with their 95 % interval, take the unfinished game in, as if
    /// each line were as dangerous as any other. Control-C ends the run and prints what was reached.
    #[command(after_help = "Example: bitcade tetris control --weights dt20 --pieces 10000000")]
    Control(control::Control),
    /// Speak the Tetris Bot Protocol on standard input and output
    ///
    /// One JSON object a line. The bot thinks whenever it has a position, and answers `suggest` at once with what it has
    /// found; with --nodes or --milliseconds it thinks after `suggest` instead. Lines that are no messages are ignored.
    #[command(after_help = "Example: bitcade tetris tbp --nodes 100000")]
    Tbp(tbp::Tbp),
    /// Let two Tetris Bot Protocol bots play matches against each other
    ///
    /// Both get the same pieces from bags of seven, see five ahead, and lock a piece a turn. Lines sent cancel waiting
    /// garbage first; the rest enters after the opponent's next lock, a turn's lines with one hole in a random column.
    /// Who tops out loses, and so does who suggests no legal turn, dies or stays silent; after --pieces turns, or if both
    /// fail in the same turn, more attack wins. Each bot is started anew for each game. Each result is appended to FILE
    /// at once; Control-C ends the work, and the game in progress is played again after --resume.
    #[command(
        after_help = "Example: bitcade tetris match --bot \"bitcade tetris tbp\" --bot cold-clear-2 --out results.jsonl"
    )]
    Match(versus::Versus),
}

#[derive(Serialize)]
struct PerftRecord {
    depth: usize,
    nodes: u64,
    nodes_per_second: u64,
}

pub(crate) fn run(command: Command, level: Level, output: &mut Output) -> Result<(), Failure> {
    let (queue, depth, board, spins, hard_drop) = match command {
        Command::Perft { queue, depth, board, spins, hard_drop } => (queue, depth, board, spins, hard_drop),
        Command::Moves(arguments) => return moves::run(&arguments, level, output),
        Command::Control(arguments) => return control::run(&arguments, level, output),
        Command::Tbp(arguments) => return tbp::run(&arguments, level, output),
        Command::Match(arguments) => return versus::run(&arguments, output),
    };
    if !(1..=queue.len()).contains(&depth) {
        let pieces = queue.len();
        return Err(Failure::Input(format!("--depth {depth}: expected 1 to the queue's length, {pieces}")));
    }
    for depth in 1..=depth {
        let start = Instant::now();
        let nodes = if hard_drop {
            perft::hard_drops_on(level, &board, &queue[..depth])
        } else {
            let kinds = if spins { SpinMode::TSpins } else { SpinMode::Ignore };
            perft::perft_on(level, &board, &queue[..depth], kinds)
        };
        let seconds = start.elapsed().as_secs_f64().max(1e-9);
        let record = PerftRecord { depth, nodes, nodes_per_second: (nodes as f64 / seconds) as u64 };
        output.result(&record, || {
            let PerftRecord { depth, nodes, nodes_per_second } = &record;
            format!("depth {depth} nodes {nodes} nodes_per_second {nodes_per_second}\n")
        })?;
        // Each depth takes about as long as all before it, many times over.
        output.flush()?;
    }
    Ok(())
}

/// The tour: the spin that clears most on a board with an overhang, and whole queues against the published counts.
pub(crate) fn tour() -> Stage {
    let board: Board = TOUR_BOARD.parse().expect("the tour's board is well formed");
    let placements = Placements::of(&board, Piece::T, SpinMode::TSpins);
    let lines = |spun: Placement| board.place(spun.at).map_or(0, |mut board| board.clear_lines());
    let full = placements.iter().filter(|placement| placement.spin == Spin::Full);
    let spun = full.max_by_key(|&spun| lines(spun));

    let perft = |board: &Board, queue: &str, kinds| {
        let queue: Queue = queue.parse().expect("letters of pieces");
        perft::perft(board, &queue, kinds)
    };
    let hard_drops = perft::hard_drops(&Board::EMPTY, &[Piece::I, Piece::O, Piece::L, Piece::J]);
    Stage {
        game: "tetris",
        title: "Tetris: the board in columns of bits; here T turns under an overhang",
        picture: spun.map_or_else(String::new, |spun| picture::draw(&board, spun)),
        checks: vec![
            Check::new("placements of T on this board, kinds of spin apart", 38, placements.len()),
            Check::new("lines that the T-spin clears", 2, spun.map_or(0, lines)),
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
            Check::new("perft IOLJ by hard drops only", 176868, hard_drops),
        ],
        next: "bitcade tetris perft --queue IOLJSZT --depth 6",
    }
}

/// The benchmark board `tspin`.
const TOUR_BOARD: &str = "3f,3f,1f,7,1,0,d,1f,3f,ff";
