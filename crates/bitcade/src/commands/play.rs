//! `bitcade play`: games for people, in the terminal.
//!
//! Each game is a [`Screen`](crate::screen::view::Screen) of its own file. `best_scores` keeps the best
//! results in the user's data folder.

mod best_scores;
pub(crate) mod g2048;
pub(crate) mod go;
mod keys;
pub(crate) mod match3;
mod panel;
mod seed;
pub(crate) mod tetris;

use crate::output::{Failure, Output};
use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// 2048: slide the tiles with the arrow keys
    #[command(name = "2048", after_help = "Example: bitcade play 2048 --size 5")]
    G2048(g2048::PlayArgs),
    /// Match-3: swap neighbors to reach a goal within a number of moves
    #[command(after_help = "Example: bitcade play match3 --size 9 --colors 5 --moves 20")]
    Match3(match3::PlayArgs),
    /// Tetris in real time: marathon, a sprint of 40 lines, or versus the bot
    #[command(after_help = "Example: bitcade play tetris --mode versus --bot-speed 1.5")]
    Tetris(tetris::PlayArgs),
    /// Go: play against the engine, with arrow keys or the mouse
    ///
    /// Without a terminal, moves are read and printed line by line: vertices such as D4, pass, undo, resign
    /// and quit.
    #[command(after_help = "Example: bitcade play go --size 9 --color black --seconds 2")]
    Go(Box<go::PlayArgs>),
}

pub(crate) fn run(command: Command, output: &mut Output) -> Result<(), Failure> {
    // Go has a mode for programs, too.
    if !matches!(command, Command::Go(_)) {
        output.refuse_json_of("is played on the screen")?;
    }
    match command {
        Command::G2048(arguments) => g2048::run(&arguments, output),
        Command::Match3(arguments) => match3::run(&arguments, output),
        Command::Tetris(arguments) => tetris::run(&arguments, output),
        Command::Go(arguments) => go::run(&arguments, output),
    }
}
