//! The program `compare`: times the reference and every level of every operation in one process, or
//! compares itself with the same program of another commit.

mod against;
mod arguments;
mod chart;
mod machine;
mod tables;

use crate::arguments::{is_wanted, parse_arguments};
use crate::operation::Operation;
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
        eprintln!(
            "compare: no operation of these names on this machine: {}",
            args.operations.join(", ")
        );
        return Ok(ExitCode::from(2));
    }
    if let Some(file) = &args.save {
        return against::save(file);
    }
    if let Some(file) = &args.against {
        return against::compare(&operations, file, args);
    }
    if args.tables {
        return tables::write_pages(args.rivals.as_deref());
    }
    let mut machine = args.machine.as_deref().map(Machine::this).transpose()?;
    let levels: Vec<Level> = Level::all().collect();
    let turn = Duration::from_millis(args.turn.into());
    let rounds = args.rounds.unwrap_or(15).into();
    let mut rows = Vec::new();
    let mut cells = Vec::new();
    for operation in &mut operations {
        let (row, texts) = timed(operation, &levels, rounds, turn)?;
        if args.json {
            println!("{}", serde_json::to_string(&row)?);
        }
        cells.push(texts);
        rows.push(row);
    }
    if args.json {
        return Ok(ExitCode::SUCCESS);
    }
    let mut header = vec!["operation", "ns per", "against", "reference"];
    header.extend(levels.iter().map(|level| level.name()).chain(["best to reference (quartiles)"]));
    table::print(&header, 3..header.len(), cells);
    for (operation, row) in operations.iter_mut().zip(&rows) {
        let again = |names: [&str; 2]| {
            let pair = names.map(|name| {
                levels.iter().find(|level| field(level.name()) == name).expect("timed")
            });
            Timings::take(2, 3 * rounds, turn, |i| operation.run(*pair[i])).ratio(0, 1)
        };
        if let Some(line) = slower(row, again) {
            println!("{line}");
        }
    }
    if let Some(machine) = &mut machine {
        machine.rows = rows;
        machine.save()?;
        return tables::write_pages(args.rivals.as_deref());
    }
    Ok(ExitCode::SUCCESS)
}

/// Times the reference and every level of an operation. Returns the row, and its cells in the
/// table.
fn timed(
    operation: &mut Operation,
    levels: &[Level],
    rounds: usize,
    turn: Duration,
) -> Result<(Row, Vec<String>)> {
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
    let names = || {
        ["reference".to_owned()].into_iter().chain(levels.iter().map(|level| field(level.name())))
    };
    let last = levels.len();
    let ratio = timings.ratio(0, last);
    let ratio_quartiles = timings.ratio_quartiles(0, last).map(rounded);
    let quartiles = names().enumerate().map(|(i, name)| (name, timings.quartiles(i).map(per_unit)));
    let row = Row {
        operation: operation.name.to_owned(),
        unit: operation.reference.unit.to_owned(),
        against: operation.reference.against.name().to_owned(),
        reference: Some(nanoseconds(0)),
        levels: names().enumerate().skip(1).map(|(i, name)| (name, nanoseconds(i))).collect(),
        best: Level::best().name().to_owned(),
        ratio_reference: Some(rounded(ratio)),
        ratio_portable: Some(rounded(timings.ratio(1, last))),
        quartiles: quartiles.chain([("ratio_reference".to_owned(), ratio_quartiles)]).collect(),
    };
    let mut texts = [&row.operation, &row.unit, &row.against].map(String::clone).to_vec();
    texts.extend([0, 1].map(|i| format!("{:.2}", nanoseconds(i))));
    texts
        .extend((2..=last).map(|i| format!("{:.2} ({:.2}x)", nanoseconds(i), timings.ratio(1, i))));
    let [least, most] = ratio_quartiles;
    texts.push(format!("{ratio:.2}x ({least:.2} to {most:.2})"));
    Ok((row, texts))
}

/// Returns the number with five digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.4e}").parse().unwrap_or(value)
}

/// The factor from which a slower level is reported.
const SLOWER: f64 = 1.05;

/// Describes a row whose best level takes longer than another one, if `again` repeats it: it times
/// the fields of two levels in alternation, and returns the median of their ratios.
fn slower(row: &Row, again: impl FnOnce([&str; 2]) -> f64) -> Option<String> {
    let (other, &least) = row.levels.iter().min_by(|a, b| a.1.total_cmp(b.1))?;
    if row.time()? < least * SLOWER {
        return None;
    }
    let ratio = again([&field(&row.best), other]);
    let line = || {
        format!("{}: {} takes {ratio:.2} times as long as {other}", row.operation, field(&row.best))
    };
    (ratio >= SLOWER).then(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[test]
    fn a_slower_level_is_named_if_it_is_slower_again() {
        let row = |v3: f64, v4: f64| {
            let row = format!(
                r#"{{"operation":"go","unit":"game","against":"printed","portable":9,"x86_64_v3":{v3},
                "x86_64_v4":{v4},"best":"x86-64-v4"}}"#
            );
            serde_json::from_str::<Row>(&row).unwrap()
        };
        let line = "go: x86_64_v4 takes 1.25 times as long as x86_64_v3";
        let again = |names: [&str; 2]| {
            assert_eq!(names, ["x86_64_v4", "x86_64_v3"]);
            1.25
        };
        assert_eq!(slower(&row(4.0, 5.2), again).as_deref(), Some(line));
        assert_eq!(slower(&row(4.0, 5.2), |_| 1.04), None);
        for faster in [row(4.0, 4.1), row(4.0, 3.0)] {
            assert_eq!(slower(&faster, |_| panic!("timed again")), None);
        }
    }

    /// xtask passes these on unseen.
    #[test]
    fn the_commands_of_the_pages_are_understood() {
        let pages = ["", "docs", "docs/benchmarks"].map(|folder| machine::root().join(folder));
        let files = pages.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
        let pages = files.map(|file| file.unwrap().path());
        let pages =
            pages.filter(|page| page.extension().is_some_and(|extension| extension == "md"));
        let text: String = pages.map(|page| std::fs::read_to_string(page).unwrap()).collect();
        assert!(text.matches("cargo xtask compare").count() > 10);
        for command in text.split("cargo xtask compare").skip(1) {
            let arguments =
                command.split(['`', '#', '\n']).next().unwrap_or_default().split_whitespace();
            assert!(
                Args::try_parse_from(["compare"].into_iter().chain(arguments)).is_ok(),
                "{command}"
            );
        }
    }
}
