//! `cargo xtask VERB`: what the workspace does with itself. One file per verb; no game is linked in.
#![forbid(unsafe_code)]

mod build_times;
mod ci;
mod codegen;
mod compare;
mod counts;
mod lint;
mod result;
mod runner;
mod table;
mod test_matrix;
mod truth;
mod workspace;

use clap::{Parser, Subcommand, error::ErrorKind};
use result::Result;
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "xtask", bin_name = "cargo xtask", about = "The workspace's own commands")]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Test every crate under every set of flags, with and without std, and on emulated CPUs
    TestMatrix(test_matrix::Args),
    /// Check what the compiler made of the kernels: nothing out of line, nothing compiled twice, no crate grown
    Codegen(codegen::Args),
    /// Count the instructions of every operation and level under valgrind, beside those stored
    Counts(counts::Args),
    /// Time a clean release build of each library and of the program
    BuildTimes(build_times::Args),
    /// Compute every truth number on every level
    Truth(truth::Args),
    /// Time reference, portable and best level of every operation, or two commits in turns
    Compare(compare::Args),
    /// Check format, clippy, docs, where `unsafe` stands, rules for kernels, import cycles, comments, names and links
    Lint(lint::Args),
    /// Everything that must hold before a change lands: lint, test-matrix, codegen
    Ci,
}

fn main() -> ExitCode {
    let verb = match Cli::try_parse() {
        Ok(cli) => cli.verb,
        Err(error) => return usage(&error),
    };
    let held = match verb {
        Verb::TestMatrix(args) => test_matrix::run(&args),
        Verb::Codegen(args) => codegen::run(&args),
        Verb::Counts(args) => counts::run(&args),
        Verb::BuildTimes(args) => build_times::run(&args),
        Verb::Truth(args) => truth::run(&args),
        Verb::Compare(args) => compare::run(&args),
        Verb::Lint(args) => lint::run(&args),
        Verb::Ci => Ok(ci::run()),
    };
    match held {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Help is asked for and goes to stdout; everything else is one line and status 2.
fn usage(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            print!("{error}");
            ExitCode::SUCCESS
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            eprint!("{error}");
            ExitCode::from(2)
        }
        _ => {
            let text = error.to_string();
            let line = text.lines().next().unwrap_or_default();
            eprintln!("{line} (see cargo xtask --help)");
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::{CommandFactory, Parser};

    #[test]
    fn arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn unknown_verbs_and_cells_are_refused() {
        assert!(Cli::try_parse_from(["xtask", "ci"]).is_ok());
        assert!(Cli::try_parse_from(["xtask", "cii"]).is_err());
        assert!(Cli::try_parse_from(["xtask", "test-matrix", "--cell", "default"]).is_ok());
        assert!(Cli::try_parse_from(["xtask", "test-matrix", "--cell", "no such cell"]).is_err());
    }
}
