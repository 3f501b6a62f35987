//! `cargo xtask TASK`: tests, measurements and checks of the workspace, one module per task. No
//! game is linked in.
#![forbid(unsafe_code)]

#[cfg(test)]
mod archives;
mod benches;
mod codegen;
mod lint;
#[cfg(test)]
mod mutants;
mod result;
mod table;
mod test_matrix;
mod truth;
mod web;
mod workspace;

use clap::{Parser, Subcommand};
use result::Result;
use std::process::ExitCode;

#[derive(Parser)]
#[command(
    name = "xtask",
    bin_name = "cargo xtask",
    about = "Tests, measurements and checks of the workspace"
)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Test every crate under every set of flags, with and without std, and on emulated CPUs
    TestMatrix(test_matrix::Args),
    /// Check the compiled kernels: no intrinsic left out of line, no kernel compiled twice, no
    /// crate grown too large
    Codegen(codegen::Args),
    /// Count every operation's instructions on every level under valgrind, and compare them with
    /// the stored counts
    Counts(benches::Args),
    /// Compute every truth number on every level, and compare it with the expected value
    Truth(truth::Args),
    /// Time each operation's reference, portable level and best level, or compare two commits
    Compare(benches::Args),
    /// Check what rustc and clippy don't: uses of `unsafe`, rules for kernels, undeclared files,
    /// links
    Lint,
    /// Build the page with the four games into target/web, and test it in a browser
    Web(web::Args),
}

fn main() -> ExitCode {
    let held = match Cli::parse().task {
        Task::TestMatrix(args) => test_matrix::run(&args),
        Task::Codegen(args) => codegen::run(&args),
        Task::Counts(args) => benches::run("counts", &args),
        Task::Truth(args) => truth::run(&args),
        Task::Compare(args) => benches::run("compare", &args),
        Task::Lint => lint::run(),
        Task::Web(args) => web::run(&args),
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

#[cfg(test)]
mod tests {
    use super::{Cli, lint, workspace};
    use clap::{CommandFactory, Parser};

    #[test]
    fn arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    /// `crates/bitcade` runs the commands of the program.
    #[test]
    fn the_commands_of_the_pages_exist() {
        let root = workspace::Workspace::load().unwrap().root;
        let mut count = 0;
        for page in lint::files_in(&root, "md").unwrap() {
            let text = std::fs::read_to_string(&page).unwrap();
            for command in text.split("cargo xtask ").skip(1) {
                let command = command.split(['`', '#', '\n']).next().unwrap_or_default();
                let words = ["xtask"].into_iter().chain(command.split_whitespace());
                if let Err(error) = Cli::try_parse_from(words) {
                    panic!("{}: {command}: {error}", page.display());
                }
                count += 1;
            }
        }
        assert!(count > 30, "{count}");
    }

    #[test]
    fn unknown_tasks_and_cells_are_refused() {
        assert!(Cli::try_parse_from(["xtask", "codegen"]).is_ok());
        assert!(Cli::try_parse_from(["xtask", "codegenn"]).is_err());
        assert!(Cli::try_parse_from(["xtask", "test-matrix", "--cell", "default"]).is_ok());
        assert!(Cli::try_parse_from(["xtask", "test-matrix", "--cell", "no such cell"]).is_err());
    }
}
