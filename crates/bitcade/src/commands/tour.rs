//! The tour: each game on real input, its checks, and the speeds of the reference, the portable
//! level and the best level.

use crate::games::GAMES;
use crate::io::interrupt;
use crate::io::output::{Failure, Output, remark};
use crate::tour_section::{Timed, on_each_level};
use anstyle::Style;
use bitcore::Level;
use comfy_table::{CellAlignment, Table, presets};
use cpu_time::ThreadTime;
use serde::Serialize;

/// A row of the speed table, in nanoseconds per unit.
#[derive(Serialize)]
struct Speed {
    operation: &'static str,
    unit: &'static str,
    reference: f64,
    portable: f64,
    best: f64,
    ratio_reference: f64,
    ratio_portable: f64,
}

/// The measurements of each operation. `cargo xtask compare` measures longer, and more operations.
const ROUNDS: usize = 5;

const BOLD: Style = Style::new().bold();

/// Runs the whole tour, or the sections before a signal. [`Failure::Check`] at the end if a check
/// failed, [`Failure::Output`] if output cannot be written.
pub(crate) fn run(output: &mut Output) -> Result<(), Failure> {
    let level = Level::active();
    let levels = Level::all().map(Level::name).collect::<Vec<_>>();
    output.text(format!(
        "bitcade: fast engines for match-3, 2048, Tetris and Go\nthis machine runs the levels {}; the tour uses {level}\n",
        levels.join(", ")
    ))?;
    let mut speeds = Vec::new();
    let mut checks = 0;
    let mut failed = Vec::new();
    let mut next = Vec::new();
    let interrupted = interrupt::install_handler();
    let sections = GAMES.iter().flat_map(|game| game.tour);
    let mut begun = 0;
    for make_section in sections.clone() {
        begun += 1;
        let section = make_section(&interrupted);
        if interrupted() {
            break;
        }
        output.colored(&format!(
            "\n{BOLD}{}{BOLD:#}\n\n{}\n",
            section.title,
            indent(&section.picture)
        ))?;
        checks += section.checks.len();
        for check in section.checks {
            output.result(&check, || {
                let mark = if check.ok { "ok   " } else { "WRONG" };
                let expected = if check.found == check.expected {
                    String::new()
                } else {
                    format!(" (expected {})", check.expected)
                };
                format!("  {mark} {}: {}{expected}\n", check.name, check.found)
            })?;
            if !check.ok {
                failed.push(check.name);
            }
        }
        output.flush()?;
        checks += 1;
        let (speed, agree) = measure(&section.timed);
        if !agree {
            failed.push(format!("{}: reference and levels agree", speed.operation));
        }
        output.result(&speed, String::new)?;
        speeds.push(speed);
        next.push(section.next);
    }
    output.text(format!(
        "\n{} of {checks} checks passed\n\n{}\n",
        checks - failed.len(),
        table(&speeds)
    ))?;
    output.text(format!(
        "CPU time per unit: the minimum of several interleaved measurements.\nThe last two columns are the speedups of {level} over the reference and the portable level.\n\n"))?;
    if interrupted() {
        remark(format_args!("interrupted in section {begun} of {}", sections.count()));
    } else {
        output.text(format!(
            "Next:\n  bitcade watch\n  bitcade play tetris\n  {}\n  bitcade --help\n",
            next.join("\n  ")
        ))?;
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(Failure::Check(format!("checks failed: {}", failed.join("; "))))
    }
}

/// Times the reference, the portable level and the active one in alternation, and returns the
/// minimum time of each and whether the reference and all levels agree.
fn measure(timed: &Timed) -> (Speed, bool) {
    let expected = (timed.reference)();
    let mut agree = on_each_level(&timed.kernel).iter().all(|&found| found == expected);
    let mut seconds = |call: &dyn Fn() -> u64| seconds(|| agree &= call() == expected);
    let level = Level::active();
    let [mut reference, mut portable, mut best] = [f64::INFINITY; 3];
    for _ in 0..ROUNDS {
        reference = reference.min(seconds(&timed.reference));
        Level::set_active(Level::PORTABLE);
        portable = portable.min(seconds(&timed.kernel));
        Level::set_active(level);
        best = best.min(seconds(&timed.kernel));
    }
    let ratio_reference = reference / best;
    let ratio_portable = portable / best;
    let [reference, portable, best] =
        [reference, portable, best].map(|time| time * 1e9 / timed.units as f64);
    let Timed { operation, unit, .. } = *timed;
    (Speed { operation, unit, reference, portable, best, ratio_reference, ratio_portable }, agree)
}

/// Returns the CPU time per call, from enough calls to fill a millisecond.
fn seconds(mut call: impl FnMut()) -> f64 {
    let mut calls = 1;
    loop {
        let start = ThreadTime::now();
        for _ in 0..calls {
            call();
        }
        let seconds = start.elapsed().as_secs_f64();
        if seconds > 1e-3 {
            return seconds / f64::from(calls);
        }
        calls *= 8;
    }
}

fn table(speeds: &[Speed]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    let best = Level::active().name();
    table.set_header([
        "operation",
        "per",
        "reference",
        "portable",
        best,
        "vs reference",
        "vs portable",
    ]);
    for speed in speeds {
        table.add_row([
            speed.operation.to_owned(),
            speed.unit.to_owned(),
            time(speed.reference),
            time(speed.portable),
            time(speed.best),
            format!("{:.1}x", speed.ratio_reference),
            format!("{:.1}x", speed.ratio_portable),
        ]);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        t if t < 1e3 => format!("{t:.2} ns"),
        t if t < 1e6 => format!("{:.2} us", t / 1e3),
        t => format!("{:.2} ms", t / 1e6),
    }
}

fn indent(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}
