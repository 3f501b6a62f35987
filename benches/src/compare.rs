//! The program `compare`: times the reference and every level of every operation in one process, or compares
//! itself with the same program of another commit.

mod against;
mod arguments;
mod chart;
mod machine;

use crate::arguments::{is_wanted, parse_arguments};
use crate::{list, paired::Timings, table};
use arguments::{Args, Result};
use bitcore::Level;
use chart::{Row, field};
use machine::Machine;
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
    if args.tables {
        return machine::write_pages(args.rivals.as_deref());
    }
    let mut machine = args.machine.as_deref().map(Machine::this).transpose()?;
    let levels: Vec<Level> = Level::all().collect();
    let turn = Duration::from_millis(args.turn.into());
    let rounds = args.rounds.unwrap_or(15).into();
    let (mut rows, mut cells) = (Vec::new(), Vec::new());
    for operation in &mut operations {
        if !operation.agrees() {
            return Err(format!("{}: reference and levels disagree", operation.name).into());
        }
        let call = |variant| match variant {
            0 => (operation.reference.call)(),
            _ => operation.run(levels[variant - 1]),
        };
        let timings = Timings::take(1 + levels.len(), rounds, turn, call);
        let per_unit = |seconds: f64| rounded(seconds * 1e9 / operation.reference.units as f64);
        let nanoseconds = |variant| per_unit(timings.median(variant));
        let names =
            || ["reference".to_owned()].into_iter().chain(levels.iter().map(|level| field(level.name())));
        let last = levels.len();
        let (ratio, ratio_quartiles) =
            (timings.ratio(0, last), timings.ratio_quartiles(0, last).map(rounded));
        let quartiles = names().enumerate().map(|(i, name)| (name, timings.quartiles(i).map(per_unit)));
        let row = Row {
            operation: operation.name.to_owned(),
            unit: operation.reference.unit.to_owned(),
            against: operation.reference.against.to_owned(),
            reference: Some(nanoseconds(0)),
            levels: names().enumerate().skip(1).map(|(i, name)| (name, nanoseconds(i))).collect(),
            best: Level::best().name().to_owned(),
            ratio_reference: Some(rounded(ratio)),
            ratio_portable: Some(rounded(timings.ratio(1, last))),
            quartiles: quartiles.chain([("ratio_reference".to_owned(), ratio_quartiles)]).collect(),
        };
        if args.json {
            println!("{}", serde_json::to_string(&row)?);
        }
        let mut texts = [&row.operation, &row.unit, &row.against].map(String::clone).to_vec();
        texts.extend([0, 1].map(|i| format!("{:.2}", nanoseconds(i))));
        texts.extend((2..=last).map(|i| format!("{:.2} ({:.2}x)", nanoseconds(i), timings.ratio(1, i))));
        let [least, most] = ratio_quartiles;
        texts.push(format!("{ratio:.2}x ({least:.2} to {most:.2})"));
        cells.push(texts);
        rows.push(row);
    }
    if args.json {
        return Ok(ExitCode::SUCCESS);
    }
    let mut header = vec!["operation", "ns per", "against", "reference"];
    header.extend(levels.iter().map(|level| level.name()).chain(["best to reference (quartiles)"]));
    table::print(&header, 3..header.len(), cells);
    if let Some(machine) = &mut machine {
        machine.rows = rows;
        machine.save()?;
        return machine::write_pages(args.rivals.as_deref());
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the number with five digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.4e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

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
