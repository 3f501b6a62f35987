//! `bitcade`: the games in the terminal. All input and output of people lives in this crate.
//!
//! `main.rs` reads the arguments and turns failures into exit statuses; `commands` holds one file per game; `tour` is
//! what runs without a command, made of one `stage` per game; `input` and `output` are the two ends of every command,
//! `interrupt`, `progress` and `save` serve those that take long, `paint` has the colors.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod atomic_file;
mod color;
mod commands;
mod input;
mod interrupt;
mod output;
mod progress;
mod tour;
mod tour_section;

use bitcore::Level;
use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use output::{Failure, Output};
use std::process::ExitCode;

/// Match-3, 2048, Tetris and Go on one SIMD bit core. Without a command: the tour of all games.
#[derive(Parser)]
#[command(version, after_help = "Example: bitcade match3 swaps boards.txt --count --json")]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print one JSON object per result
    #[arg(long, global = true)]
    json: bool,
    /// The instruction set to use: auto, portable or x86-64-v3
    #[arg(long, global = true, value_name = "LEVEL", default_value = "auto")]
    level: Level,
}

/// One variant per game; the order is that of the help.
#[derive(Subcommand)]
enum Command {
    /// Match-3: legal swaps of boards
    #[command(subcommand)]
    Match3(commands::match3::Command),
    /// 2048: counts of paths, random play
    #[command(subcommand, name = "2048")]
    G2048(commands::g2048::Command),
    /// Tetris: counts of whole queues
    #[command(subcommand)]
    Tetris(commands::tetris::Command),
    /// Go: an engine for the Go Text Protocol, random playouts, counts of move sequences
    #[command(subcommand)]
    Go(commands::go::Command),
    /// The 2021 Goose Tetris contest: verify records, make them by search
    #[command(subcommand)]
    Contest(commands::contest::Command),
}

fn run(cli: Cli) -> Result<(), Failure> {
    let mut output = Output::new(cli.json);
    match cli.command {
        None => tour::run(cli.level, &mut output),
        Some(Command::Match3(command)) => commands::match3::run(command, cli.level, &mut output),
        Some(Command::G2048(command)) => commands::g2048::run(command, cli.level, &mut output),
        Some(Command::Tetris(command)) => commands::tetris::run(command, cli.level, &mut output),
        Some(Command::Go(command)) => commands::go::run(command, cli.level, &mut output),
        Some(Command::Contest(command)) => commands::contest::run(command, cli.level, &mut output),
    }?;
    output.finish()
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // Help and version.
        Err(message) if !message.use_stderr() => {
            let _ = message.print();
            return ExitCode::SUCCESS;
        }
        Err(message) => {
            eprintln!("bitcade: {}", one_line(&message));
            return ExitCode::from(2);
        }
    };
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has seen enough.
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("bitcade: {failure}");
            failure.exit_code()
        }
    }
}

/// The first paragraph of clap's message, on one line.
fn one_line(error: &clap::Error) -> String {
    let message = match error.kind() {
        // Here clap would print the whole help.
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "a subcommand is missing".to_owned(),
        _ => error.to_string(),
    };
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    let paragraph = message.split("\n\n").next().unwrap_or(message);
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    format!("{} (see --help)", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn usage_errors_take_one_line() {
        let message =
            Cli::try_parse_from(["bitcade", "match3", "swaps", "--color"]).err().expect("no such flag");
        let line = one_line(&message);
        assert!(!line.contains('\n') && line.contains("--color"), "{line}");
    }
}
