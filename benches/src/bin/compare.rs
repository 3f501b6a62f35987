//! Times the reference and every level of every headline operation in one process.
//! `cargo xtask compare` starts it.
#![forbid(unsafe_code)]

use bitcore::Level;
use clap::Parser;
use comfy_table::{CellAlignment, Table, presets};
use headline::LevelTime;
use headline::paired::{Budget, Timings};

use serde::Serialize;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;

/// Times the reference and every level of each operation in alternation: medians of CPU time, and in
/// parentheses the factor to the portable level
#[derive(Parser)]
#[command(after_help = "Example: cargo xtask compare match3 --json")]
struct Arguments {
    /// Only operations whose name begins with one of these (`match3`, `2048 slide`); all if none is given
    operations: Vec<String>,
    /// Print one JSON object per operation; times in nanoseconds per unit
    #[arg(long)]
    json: bool,
    /// Compare kernels behind `dispatch!` with hand-written ones instead
    #[arg(long)]
    twins: bool,
    /// Call each kernel once on each level, out of line, for `cargo xtask counts`; print each call before it
    #[arg(long, conflicts_with = "twins")]
    count: bool,
    /// With --count: only on this level
    #[arg(long, requires = "count", value_name = "NAME")]
    level: Option<Level>,
    /// With --count: the number of calls. An emulator that counts all instructions of a run tells those of a
    /// call by the difference of two runs
    #[arg(long, requires = "count", default_value_t = 1, value_name = "N")]
    calls: u32,
    /// Turns of each variant
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Milliseconds of CPU time per turn
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..))]
    turn: u16,
}

#[derive(Serialize)]
struct Row {
    operation: &'static str,
    unit: &'static str,
    against: &'static str,
    reference: f64,
    /// Nanoseconds of each level, the fields named after the levels: `portable`, `x86_64_v3`.
    #[serde(flatten)]
    levels: BTreeMap<String, f64>,
    /// The name of the best level.
    best: &'static str,
    /// The reference's time divided by the best level's.
    ratio_reference: f64,
    /// The portable level's time divided by the best level's.
    ratio_portable: f64,
}

#[derive(Serialize)]
struct PairRow {
    kernel: &'static str,
    dispatched: f64,
    by_hand: f64,
    /// The best turn of the dispatched kernel divided by the best turn of the hand-written one.
    ratio: f64,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let budget = Budget {
        rounds: usize::from(arguments.rounds),
        turn: Duration::from_millis(u64::from(arguments.turn)),
    };
    let wanted = |name: &str| {
        arguments.operations.is_empty() || arguments.operations.iter().any(|prefix| name.starts_with(prefix))
    };
    if arguments.count {
        count(&arguments, wanted)
    } else if arguments.twins {
        twins(&arguments, budget, wanted)
    } else {
        operations(&arguments, budget, wanted)
    }
}

#[derive(Serialize)]
struct CountRow {
    operation: &'static str,
    level: &'static str,
    units: u64,
}

/// Prints each kernel and calls it, for a profiler that counts the instructions of [`counted`].
fn count(arguments: &Arguments, wanted: impl Fn(&str) -> bool) -> ExitCode {
    let mut rows = 0;
    for mut operation in headline::all()
        .into_iter()
        .chain(headline::one_call_each())
        .filter(|operation| wanted(operation.name))
    {
        for level in Level::all().filter(|&level| arguments.level.is_none_or(|only| only == level)) {
            // A first call outside the count initializes tables and buffers.
            std::hint::black_box((operation.kernel)(level));
            print_json(&CountRow { operation: operation.name, level: level.name(), units: operation.units });
            for _ in 0..arguments.calls {
                std::hint::black_box(counted(&mut operation.kernel, level));
            }
            rows += 1;
        }
    }
    finish(arguments, rows, None)
}

/// Calls a kernel. `cargo xtask counts` finds this function by its name.
#[inline(never)]
fn counted(kernel: &mut dyn FnMut(Level) -> u64, level: Level) -> u64 {
    kernel(level)
}

fn operations(arguments: &Arguments, budget: Budget, wanted: impl Fn(&str) -> bool) -> ExitCode {
    let levels: Vec<Level> = Level::all().collect();
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    let names = ["operation", "ns per", "against", "reference"].into_iter();
    table.set_header(names.chain(levels.iter().map(|level| level.name())).chain(["best to reference"]));
    let mut rows = 0;
    for mut operation in headline::all()
        .into_iter()
        .chain(headline::one_call_each())
        .filter(|operation| wanted(operation.name))
    {
        if !operation.agrees() {
            eprintln!("compare: {}: reference and levels disagree", operation.name);
            return ExitCode::from(1);
        }
        let measured = operation.measure(&levels, budget);
        rows += 1;
        if arguments.json {
            let field = |time: &LevelTime| (time.level.name().replace('-', "_"), time.time);
            print_json(&Row {
                operation: operation.name,
                unit: operation.unit,
                against: operation.baseline.name(),
                reference: measured.reference,
                levels: measured.levels.iter().map(field).collect(),
                best: Level::detect().name(),
                ratio_reference: measured.ratio_reference,
                ratio_portable: measured.ratio_portable,
            });
        } else {
            let mut row =
                [operation.name, operation.unit, operation.baseline.name()].map(str::to_owned).to_vec();
            row.push(format!("{:.2}", measured.reference));
            for &LevelTime { level, time, ratio_portable } in &measured.levels {
                let ratio = format!(" ({ratio_portable:.2}x)");
                row.push(format!("{time:.2}{}", if level == Level::PORTABLE { "" } else { &ratio }));
            }
            row.push(format!("{:.2}x", measured.ratio_reference));
            table.add_row(row);
        }
    }
    finish(arguments, rows, Some(table))
}

fn twins(arguments: &Arguments, budget: Budget, wanted: impl Fn(&str) -> bool) -> ExitCode {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header(["kernel", "dispatched, us a call", "by hand, us a call", "best to best"]);
    let mut rows = 0;
    for mut pair in benches::hand_written::kernel_pairs().into_iter().filter(|pair| wanted(pair.name)) {
        if (pair.dispatched)() != (pair.by_hand)() {
            eprintln!("compare: {}: the two kernels disagree", pair.name);
            return ExitCode::from(1);
        }
        let timings = Timings::take(&mut [pair.dispatched, pair.by_hand], budget);
        let row = PairRow {
            kernel: pair.name,
            dispatched: timings.best(0) * 1e6,
            by_hand: timings.best(1) * 1e6,
            ratio: timings.best(0) / timings.best(1),
        };
        rows += 1;
        if arguments.json {
            print_json(&row);
        } else {
            table.add_row([
                row.kernel.to_owned(),
                format!("{:.3}", row.dispatched),
                format!("{:.3}", row.by_hand),
                format!("{:.3}", row.ratio),
            ]);
        }
    }
    finish(arguments, rows, Some(table))
}

fn print_json(row: &impl Serialize) {
    println!("{}", serde_json::to_string(row).expect("plain numbers and names"));
}

fn finish(arguments: &Arguments, rows: usize, table: Option<Table>) -> ExitCode {
    if rows == 0 {
        eprintln!(
            "compare: no operation of these names on this machine: {}",
            arguments.operations.join(", ")
        );
        return ExitCode::from(2);
    }
    if let Some(mut table) = table
        && !arguments.json
    {
        for column in table.column_iter_mut().skip(if arguments.twins { 1 } else { 3 }) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        println!("{table}");
    }
    ExitCode::SUCCESS
}
