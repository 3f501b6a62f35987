//! The program `compare`: times the reference and every level of every operation in one process, or compares
//! itself with the same program of another commit.

mod against;
mod arguments;
mod chart;

use crate::arguments::{is_wanted, parse_arguments};
use crate::{list, paired::Timings, table};
use against::line;
use arguments::{Args, Result};
use bitcore::Level;
use chart::Row;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// Runs the program and returns its exit status.
pub fn main() -> ExitCode {
    run(&parse_arguments()).unwrap_or_else(|error| {
        eprintln!("compare: {error}");
        ExitCode::FAILURE
    })
}

fn run(args: &Args) -> Result {
    let mut operations = if args.twins { list::by_hand() } else { list::all() };
    operations.retain(|operation| is_wanted(operation.name, &args.operations));
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
    let (mut rows, mut cells) = (Vec::new(), Vec::new());
    for mut operation in operations {
        if !operation.agrees() {
            return Err(format!("{}: reference and levels disagree", operation.name).into());
        }
        let rounds = args.rounds.unwrap_or(15).into();
        let call = |variant| match variant {
            0 => (operation.reference.call)(),
            _ => operation.run(levels[variant - 1]),
        };
        let timings = Timings::take(1 + levels.len(), rounds, turn, call);
        let nanoseconds = |variant| timings.median(variant) * 1e9 / operation.reference.units as f64;
        let field = |(i, level): (usize, &Level)| (level.name().replace('-', "_"), nanoseconds(i + 1));
        let row = Row {
            operation: operation.name,
            unit: operation.reference.unit,
            against: operation.reference.against,
            reference: nanoseconds(0),
            levels: levels.iter().enumerate().map(field).collect(),
            best: Level::best().name(),
            ratio_reference: timings.ratio(0, levels.len()),
            ratio_portable: timings.ratio(1, levels.len()),
        };
        if args.json {
            println!("{}", serde_json::to_string(&row)?);
        }
        let mut texts = [row.operation, row.unit, row.against].map(str::to_owned).to_vec();
        texts.extend([format!("{:.2}", row.reference), format!("{:.2}", nanoseconds(1))]);
        let others = 2..=levels.len();
        texts.extend(others.map(|i| format!("{:.2} ({:.2}x)", nanoseconds(i), timings.ratio(1, i))));
        let [least, most] = timings.ratio_quartiles(0, levels.len());
        texts.push(format!("{:.2}x ({least:.2} to {most:.2})", row.ratio_reference));
        cells.push(texts);
        rows.push(row);
    }
    if let Some(folder) = &args.chart {
        charts(&rows, folder)?;
    } else if !args.json {
        if args.markdown {
            println!("{}, {}\n", origin(), line("rustc", &["--version"]));
        }
        let mut header = vec!["operation", "ns per", "against", "reference"];
        header.extend(levels.iter().map(|level| level.name()).chain(["best to reference (quartiles)"]));
        table::print(args.style(), &header, 3..header.len(), cells);
    }
    Ok(ExitCode::SUCCESS)
}

fn charts(rows: &[Row], folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let origin = origin();
    for operations in rows.chunk_by(|a, b| chart::game(a) == chart::game(b)) {
        let file = folder.join(format!("{}.svg", chart::game(&operations[0])));
        std::fs::write(&file, chart::draw(operations, &origin))?;
        println!("{}: {} operations", file.display(), operations.len());
    }
    Ok(())
}

fn origin() -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let commit = line("git", &["rev-parse", "--short", "HEAD"]);
    format!("{}; commit {commit}; {}", cpu_name(&cpu), line("date", &["+%Y-%m-%d"]))
}

/// Returns the CPU's name in Linux's text, with family and model, which some machines' names hide.
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
    use clap::Parser;

    #[test]
    fn the_cpu_is_named() {
        let text = "processor\t: 0\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n";
        assert_eq!(cpu_name(text), "AMD EPYC (family 25, model 17)");
        assert_eq!(cpu_name(""), "? (family ?, model ?)");
    }

    /// xtask passes these on unseen.
    #[test]
    fn the_commands_of_the_pages_are_understood() {
        let pages = concat!(
            include_str!("../../README.md"),
            include_str!("../../CONTRIBUTING.md"),
            include_str!("../../BENCHMARKS.md"),
        );
        for command in pages.split("cargo xtask compare").skip(1) {
            let arguments = command.split(['`', '#', '\n']).next().unwrap_or_default().split_whitespace();
            assert!(Args::try_parse_from(["compare"].into_iter().chain(arguments)).is_ok(), "{command}");
        }
    }
}
