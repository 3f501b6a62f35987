//! The program `compare`: times the reference and every level of every operation in one process, or compares
//! itself with the same program of another commit.

mod against;
mod chart;

use bitcore::Level;
use clap::Parser;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

type Result<T = ExitCode> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Time the reference and every level of each operation in alternation: medians of CPU time, and in
/// parentheses the factor to the portable level
#[derive(Parser)]
#[command(
    bin_name = "cargo xtask compare",
    after_help = "Examples: cargo xtask compare match3 --json\n\
    cargo xtask compare --save target/before    (then, on another commit:)\n\
    cargo xtask compare --against target/before\n    cargo xtask compare --chart docs/charts"
)]
struct Args {
    /// Only operations whose name begins with one of these, such as `match3` or `2048 slide`
    operations: Vec<String>,
    /// Print one JSON object per row; times in nanoseconds per unit
    #[arg(long)]
    json: bool,
    /// Compare kernels behind `dispatch!` with functions written by hand for one instruction set instead
    #[arg(long, conflicts_with_all = ["save", "against"])]
    twins: bool,
    /// Measurements of each function in one run of the program: 15, or 5 with --against
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: Option<u16>,
    /// Milliseconds of CPU time per measurement
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..))]
    turn: u16,
    /// Copy the program to this file, and write its commit and compiler to FILE.json
    #[arg(long, value_name = "FILE", conflicts_with = "against")]
    save: Option<PathBuf>,
    /// Compare with a program that --save has copied, or any `compare` of another commit
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Write a chart of each game to this folder: GAME.svg
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["save", "against", "twins", "json"])]
    chart: Option<PathBuf>,
    /// With --against: the number of runs of the old and of the new program, in alternation
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..), requires = "against")]
    turns: u16,
}

/// The times of an operation, in nanoseconds per unit: medians over the rounds, as are the ratios.
#[derive(Serialize)]
struct Row {
    operation: &'static str,
    unit: &'static str,
    against: &'static str,
    reference: f64,
    /// The fields are named after the levels: `portable`, `x86_64_v3`.
    #[serde(flatten)]
    levels: BTreeMap<String, f64>,
    /// The name of the best level.
    best: &'static str,
    /// The reference's time divided by the best level's.
    ratio_reference: f64,
    /// The portable level's time divided by the best level's.
    ratio_portable: f64,
}

/// Runs the program and returns its exit status.
pub fn main() -> ExitCode {
    run(&crate::parse_arguments()).unwrap_or_else(|error| {
        eprintln!("compare: {error}");
        ExitCode::FAILURE
    })
}

fn run(args: &Args) -> Result {
    let mut operations = if args.twins { crate::by_hand() } else { crate::all() };
    operations.retain(|operation| crate::is_wanted(operation.name, &args.operations));
    if operations.is_empty() {
        eprintln!("compare: no operation of these names on this machine: {}", args.operations.join(", "));
        return Ok(ExitCode::from(2));
    }
    if let Some(file) = &args.save {
        return against::save(file);
    }
    if let Some(file) = &args.against {
        return against::compare(&operations, file, args);
    }
    let levels: Vec<Level> = Level::all().collect();
    let turn = Duration::from_millis(args.turn.into());
    let (mut rows, mut table) = (Vec::new(), Vec::new());
    for mut operation in operations {
        if !operation.agrees() {
            return Err(format!("{}: reference and levels disagree", operation.name).into());
        }
        let rounds = args.rounds.unwrap_or(15).into();
        let call = |variant| match variant {
            0 => (operation.reference.call)(),
            _ => (operation.kernel)(levels[variant - 1]),
        };
        let timings = crate::paired::Timings::take(1 + levels.len(), rounds, turn, call);
        let nanoseconds = |variant| timings.median(variant) * 1e9 / operation.reference.units as f64;
        let field = |(i, level): (usize, &Level)| (level.name().replace('-', "_"), nanoseconds(i + 1));
        let row = Row {
            operation: operation.name,
            unit: operation.reference.unit,
            against: operation.reference.against,
            reference: nanoseconds(0),
            levels: levels.iter().enumerate().map(field).collect(),
            best: Level::detect().name(),
            ratio_reference: timings.ratio(0, levels.len()),
            ratio_portable: timings.ratio(1, levels.len()),
        };
        if args.json {
            println!("{}", serde_json::to_string(&row)?);
        }
        let mut cells = [row.operation, row.unit, row.against].map(str::to_owned).to_vec();
        cells.extend([format!("{:.2}", row.reference), format!("{:.2}", nanoseconds(1))]);
        let others = 2..=levels.len();
        cells.extend(others.map(|i| format!("{:.2} ({:.2}x)", nanoseconds(i), timings.ratio(1, i))));
        cells.push(format!("{:.2}x", row.ratio_reference));
        table.push(cells);
        rows.push(row);
    }
    if let Some(folder) = &args.chart {
        charts(&rows, folder)?;
    } else if !args.json {
        let mut header = vec!["operation", "ns per", "against", "reference"];
        header.extend(levels.iter().map(|level| level.name()).chain(["best to reference"]));
        crate::table::print(&header, 3..header.len(), table);
    }
    Ok(ExitCode::SUCCESS)
}

/// Draws a chart for the operations of each game.
fn charts(rows: &[Row], folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let commit = line("git", &["rev-parse", "--short", "HEAD"]);
    let origin = format!("{}; commit {commit}; {}", cpu_name(&cpu), line("date", &["+%Y-%m-%d"]));
    for operations in rows.chunk_by(|a, b| chart::game(a) == chart::game(b)) {
        let file = folder.join(format!("{}.svg", chart::game(&operations[0])));
        std::fs::write(&file, chart::draw(operations, &origin))?;
        println!("{}: {} operations", file.display(), operations.len());
    }
    Ok(())
}

/// Returns the first line that a command prints, or an empty text if it can't be run.
fn line(command: &str, arguments: &[&str]) -> String {
    let output = Command::new(command).args(arguments).output().map(|output| output.stdout);
    String::from_utf8_lossy(&output.unwrap_or_default()).lines().next().unwrap_or_default().to_owned()
}

/// Returns the name of the CPU in the text of Linux, with family and model, which some machines hide in the
/// name.
fn cpu_name(cpuinfo: &str) -> String {
    let field = |name: &str| {
        let mut lines = cpuinfo.lines().filter_map(|line| line.split_once(':'));
        lines.find(|(found, _)| found.trim() == name).map_or("?", |(_, value)| value.trim())
    };
    format!("{} (family {}, model {})", field("model name"), field("cpu family"), field("model"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_is_named() {
        let text = "processor\t: 0\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n";
        assert_eq!(cpu_name(text), "AMD EPYC (family 25, model 17)");
        assert_eq!(cpu_name(""), "? (family ?, model ?)");
    }

    /// xtask passes these on unseen.
    #[test]
    fn the_commands_of_the_readme_are_understood() {
        let readme = include_str!("../../README.md");
        let commands = readme.lines().filter_map(|line| line.strip_prefix("cargo xtask compare"));
        for command in commands {
            let arguments = command.split('#').next().unwrap_or_default().split_whitespace();
            assert!(Args::try_parse_from(["compare"].into_iter().chain(arguments)).is_ok(), "{command}");
        }
    }
}
