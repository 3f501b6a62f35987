//! The arguments of the program.

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;

pub(super) type Result<T = ExitCode> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Time the reference and every level of each operation in alternation: medians of CPU time, and in
/// parentheses the factor to the portable level
#[derive(Parser)]
#[command(
    bin_name = "cargo xtask compare",
    after_help = "Examples: cargo xtask compare match3 --json\n\
    cargo xtask compare --save target/before    (then, on another commit:)\n\
    cargo xtask compare --against target/before\n    \
    cargo xtask compare --machine zen5\n    cargo xtask compare --tables --rivals cobra.json"
)]
pub(super) struct Args {
    /// Only operations whose name begins with one of these, such as `match3` or `2048 slide`
    pub(super) operations: Vec<String>,
    /// Print one JSON object per row; times in nanoseconds per unit
    #[arg(long)]
    pub(super) json: bool,
    /// Compare kernels behind `dispatch!` with functions written by hand for one instruction set
    /// instead
    #[arg(long, conflicts_with_all = ["save", "against"])]
    pub(super) twins: bool,
    /// Measurements of each function in one run of the program: 15, or 5 with --against
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) rounds: Option<u16>,
    /// Milliseconds of CPU time per measurement
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) turn: u16,
    /// Copy the program to this file, and write its commit and compiler to FILE.json
    #[arg(long, value_name = "FILE", conflicts_with = "against")]
    pub(super) save: Option<PathBuf>,
    /// Compare with a program that --save has copied, or any `compare` of another commit
    #[arg(long, value_name = "FILE")]
    pub(super) against: Option<PathBuf>,
    /// Measure all operations, write them to benches/data/machines/NAME.json, then as --tables
    #[arg(long, value_name = "NAME", conflicts_with_all = ["operations", "json", "save", "against", "twins"])]
    pub(super) machine: Option<String>,
    /// Write the tables of BENCHMARKS.md and docs/benchmarks, and the charts, from
    /// benches/data/machines
    #[arg(long, conflicts_with_all = ["operations", "json", "save", "against", "twins", "machine"])]
    pub(super) tables: bool,
    /// With --machine or --tables: first merge another program's rows (see CONTRIBUTING.md) into
    /// the machines' files
    #[arg(long, value_name = "FILE")]
    pub(super) rivals: Option<PathBuf>,
    /// With --against: the number of runs of the old and of the new program, in alternation
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..), requires = "against")]
    pub(super) turns: u16,
}
