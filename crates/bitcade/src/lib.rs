//! `bitcade`: the games in the terminal. This crate does all input and output for people.
//!
//! - This file parses the arguments and turns failures into exit statuses; `main.rs` only calls it.
//!   The program is a library to give the fuzz targets access to its screens; it has no other
//!   interface.
//! - `commands` know every game: `play`, `watch`, the tour, `keys`; `games` has the table of games,
//!   and a module for each: its commands, screens and tour section.
//! - `play` and `watch` are what the games' screens share; `screen` runs interactive and animated
//!   screens.
//! - `io` reads, writes, and hears signals for all commands.
//! - `arguments` parses argument values; `statistics` computes means and rates.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod arguments;
mod commands;
mod games;
mod io;
mod play;
mod screen;
mod sequential_test;
mod statistics;
mod tour_section;
mod watch;

// The linker drops it from the program.
#[doc(hidden)]
pub use commands::fuzz::terminal as fuzz_terminal;

use arguments::{join_negative_values, named};
use bitcore::Level;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgAction, CommandFactory, Parser, Subcommand};

use games::{Chosen, Commands};
use io::output::{Failure, Output};
use io::{color, interrupt, output};
use std::ffi::OsStr;
use std::process::ExitCode;
use std::str::FromStr;

/// Fast engines for match-3, 2048, Tetris and Go
///
/// Without a command, shows a tour of all games. It takes a few seconds, plays each game on real
/// input, checks the results against known numbers, and compares the speed of a plain
/// implementation, portable code, and this machine's best instruction set.
///
/// Exit status: 0 done, 1 a check failed or a file could not be written, 2 invalid usage or input,
/// 130 ended early by SIGINT (Control-C), 143 by another signal that ends programs, such as
/// SIGTERM, SIGHUP, or a batch system's SIGUSR1 and SIGXCPU. A command that a signal ends early
/// saves its state and prints its results so far; a second SIGINT, SIGTERM or SIGHUP ends it
/// immediately.
#[derive(Parser)]
#[command(
    version,
    disable_help_flag = true,
    disable_version_flag = true,
    after_help = "Example: bitcade\nExample: bitcade 2048 playouts --json\nExample: bitcade contest --help"
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print each result as a JSON object on one line
    #[arg(long, global = true, help_heading = GLOBAL)]
    json: bool,
    #[arg(long, global = true, value_name = "LEVEL", help_heading = GLOBAL,
        value_parser = named(&Level::NAMES, Level::from_str), hide_possible_values = true,
        help = format!("The instruction set: {} [default: {LEVEL}, or auto]", Level::NAMES.join(", ")))]
    level: Option<Level>,
    /// Print help, with -h a summary
    #[arg(short, long, global = true, action = ArgAction::Help, help_heading = GLOBAL)]
    help: Option<bool>,
    /// Print the version
    #[arg(short = 'V', long, action = ArgAction::Version, help_heading = GLOBAL)]
    version: Option<bool>,
}

const GLOBAL: &str = "Global options";
/// The environment variable that sets the level without a flag.
const LEVEL: &str = "BITCADE_LEVEL";

/// The commands, first one per game, in the order of the help.
#[derive(Subcommand)]
enum Command {
    /// Watch computer players at work: all games, or one
    #[command(after_help = "Example: bitcade watch tetris")]
    Watch(commands::watch::WatchArgs),
    /// Play 2048, match-3, Tetris or Go yourself
    #[command(after_help = "Example: bitcade play 2048")]
    Play(commands::play::PlayArgs),
    #[command(flatten)]
    Game(Chosen<Commands>),
    /// Print the keys of the games; --json prints them as keys.json
    #[command(after_help = "Example: bitcade keys --json")]
    Keys,
    /// Print a shell completion script for commands and flags
    #[command(after_help = "Example: bitcade completions bash")]
    Completions(commands::completions::Completions),
    /// Print the manual page, or write the pages of all commands
    #[command(after_help = "Example: bitcade man --out man1")]
    Man(commands::manual::Manual),
}

fn level_of_environment() -> Result<Option<Level>, Failure> {
    let name = std::env::var_os(LEVEL).filter(|name| !name.is_empty());
    let name = name.as_deref().map(OsStr::to_string_lossy);
    let level = name.map(|name| name.parse().map_err(|error| format!("{LEVEL}={name}: {error}")));
    level.transpose().map_err(Failure::Input)
}

fn run(cli: Cli) -> Result<(), Failure> {
    if let Some(level) = cli.level.map_or_else(level_of_environment, |level| Ok(Some(level)))? {
        Level::set_active(level);
    }
    let mut output = Output::new(cli.json);
    let result = match cli.command {
        None => commands::tour::run(&mut output),
        Some(Command::Watch(arguments)) => commands::watch::run(&arguments, &mut output),
        Some(Command::Play(arguments)) => commands::play::run(arguments, &mut output),
        Some(Command::Game(command)) => command.run(&mut output),
        Some(Command::Keys) => commands::keys::run(&mut output),
        Some(Command::Completions(arguments)) => {
            commands::completions::run(&arguments, Cli::command(), &mut output)
        }
        Some(Command::Man(arguments)) => {
            commands::manual::run(&arguments, Cli::command(), &mut output)
        }
    };
    let finished = output.finish();
    result.and(finished)
}

fn print(message: &clap::Error) -> Result<(), Failure> {
    let mut output = Output::new(false);
    output.colored(&message.render().ansi().to_string())?;
    output.finish()
}

/// Returns the command tree, for the tests.
#[doc(hidden)]
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the program and returns its exit status.
pub fn main() -> ExitCode {
    // With `CI` or `CLICOLOR` set, anstream would color even a dumb terminal.
    let forced = std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    if !color::moves_cursor() && !forced {
        anstream::ColorChoice::Never.write_global();
    }
    bitcade_files::set_is_ending(interrupt::arrived);
    interrupt::survive_limits();
    let result = match Cli::try_parse_from(join_negative_values(std::env::args_os())) {
        Ok(cli) => run(cli),
        // Help or version.
        Err(message) if !message.use_stderr() => print(&message),
        Err(message) => {
            output::remark(one_line(&message));
            return ExitCode::from(2);
        }
    };
    let ended = || interrupt::exit_code().unwrap_or(ExitCode::SUCCESS);
    match result {
        Ok(()) => ended(),
        // The reader has closed the output, as `head` does.
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ended(),
        Err(failure) => {
            output::remark(&failure);
            // A hangup of the terminal breaks the output too.
            let hung_up =
                matches!(failure, Failure::Output(_)).then(interrupt::exit_code).flatten();
            hung_up.unwrap_or_else(|| failure.exit_code())
        }
    }
}

/// Returns the first paragraph of clap's message on one line, with the closest known name.
fn one_line(error: &clap::Error) -> String {
    let message = match error.kind() {
        // Here clap's message is the whole help.
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "a subcommand is missing".to_owned(),
        _ => error.to_string(),
    };
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    let paragraph = message.split("\n\n").next().unwrap_or(message);
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    let meant = meant(error).map_or(String::new(), |name| format!(": did you mean '{name}'?"));
    format!("{}{meant} (see --help)", words.join(" "))
}

/// Returns the known name closest to the one in the error.
fn meant(error: &clap::Error) -> Option<&str> {
    let kinds =
        [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    kinds.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(name) => Some(name.as_str()),
        // The best match is last.
        ContextValue::Strings(names) => names.last().map(String::as_str),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_well_formed() {
        Cli::command().debug_assert();
    }
}
