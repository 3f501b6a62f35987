//! The program `counts`: compares each operation's instruction count on each level with the stored
//! count.
//!
//! Unlike times, counts are exactly reproducible. The program runs itself under callgrind, a
//! valgrind tool, which counts the instructions of one function, on every level that it supports.
//! Without valgrind nothing is counted. The counts also depend on the compiler: after a compiler
//! update, store new ones with `--write`.
//!
//! Where the reference is the code that a user would write instead of a public call, it is counted
//! too, as a level of its own, and the call fails on each level where it takes more instructions.

use crate::arguments::{is_wanted, parse_arguments};
use crate::operation::Against;
use crate::{list, table};
use bitcore::Level;
use clap::Parser;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Count the instructions of every operation and level under valgrind, and compare them with the
/// stored ones
#[derive(Parser)]
#[command(
    bin_name = "cargo xtask counts",
    after_help = "Example: cargo xtask counts 'tetris movegen'"
)]
struct Args {
    /// Only operations whose name begins with this text, such as `match3` or `2048 slide`
    operations: Vec<String>,
    /// Print one JSON object per row
    #[arg(long)]
    json: bool,
    /// Write the numbers of this build to `benches/data/instructions.txt`
    #[arg(long)]
    write: bool,
    /// Only call each kernel N times on each level, out of line, and print each call before it.
    /// With an emulator that counts all instructions of a run, the difference of two runs gives the
    /// count per call
    #[arg(long, conflicts_with_all = ["json", "write"], value_name = "N")]
    calls: Option<u32>,
    /// With --calls: only on this level
    #[arg(long, requires = "calls", value_name = "NAME")]
    level: Option<Level>,
}

const STORED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/instructions.txt");
/// The maximum increase of an operation's instructions, in percent.
const MAX_GROWTH: f64 = 2.0;
/// [`counted`] in two spellings, for callgrind's options `--toggle-collect` and `--dump-after`.
/// callgrind only accepts one option per spelling of a name, and not every pair of spellings works;
/// this pair does.
const COUNTED: [&str; 2] = ["*::counted", "benches::counts::counted"];

/// The level under which the code of a user is counted.
const USER: &str = Against::User.name();

/// The instructions per unit of each operation and level.
type Counts = BTreeMap<(String, String), f64>;

#[derive(Serialize)]
struct Row<'a> {
    operation: &'a str,
    level: &'a str,
    stored: Option<f64>,
    instructions: Option<f64>,
    ratio: Option<f64>,
    verdict: &'static str,
}

/// Runs the program and returns its exit status.
pub fn main() -> ExitCode {
    match run(&parse_arguments()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("counts: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<bool> {
    if let Some(calls) = args.calls {
        return Ok(call(args, calls) > 0);
    }
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("SKIPPED: no valgrind in PATH");
        table::print_counts(0, 0, 1);
        return Ok(true);
    }
    let found = count(&args.operations)?;
    let mut stored = match std::fs::read_to_string(STORED) {
        Ok(text) => parse(&text)?,
        Err(_) if args.write => Counts::new(),
        Err(error) => return Err(format!("{STORED}: {error}; write it with --write").into()),
    };
    if args.write {
        // Keep the numbers of levels that this machine lacks.
        let levels: BTreeSet<&String> = found.keys().map(|(_, level)| level).collect();
        let mut written = stored.clone();
        written.retain(|(operation, level), _| {
            !(is_wanted(operation, &args.operations) && levels.contains(level))
        });
        written.extend(found.clone());
        let compiler = Command::new("rustc").arg("--version").output()?.stdout;
        std::fs::write(STORED, file(&written, String::from_utf8_lossy(&compiler).trim()))?;
        eprintln!("written: {STORED}");
        // Only compare the rows just counted.
        stored.retain(|key, _| found.contains_key(key));
    }
    stored.retain(|(operation, _), _| is_wanted(operation, &args.operations));
    let rows = rows(&stored, &found);
    let number = |part: &str| rows.iter().filter(|row| row.verdict.contains(part)).count();
    let failed = number("MORE") + number("NEW") + number("GONE") + number("SLOWER");
    if args.json {
        for row in &rows {
            println!("{}", serde_json::to_string(row)?);
        }
    } else {
        let header = ["operation", "level", "stored", "instructions", "new / stored", "verdict"];
        table::print(&header, 2..5, rows.iter().map(cells));
        let skipped = number("SKIPPED");
        table::print_counts(rows.len() - failed - skipped, failed, skipped);
    }
    Ok(failed == if args.write { number("MORE") + number("NEW") + number("GONE") } else { 0 })
}

/// Prints each operation, level and number of units, then calls the kernel. Returns the number of
/// lines printed.
fn call(args: &Args, calls: u32) -> usize {
    let mut rows = 0;
    for mut operation in list::all().into_iter().filter(|one| is_wanted(one.name, &args.operations))
    {
        for level in Level::all().filter(|&level| args.level.is_none_or(|only| only == level)) {
            // Initialize tables and buffers with a first, uncounted call.
            black_box(operation.run(level));
            println!("{} | {level} | {}", operation.name, operation.reference.units);
            for _ in 0..calls {
                black_box(counted(&mut operation.kernel));
            }
            rows += 1;
        }
        let reference = operation.reference;
        if reference.against == Against::User && args.level.is_none() {
            println!("{} | {USER} | {}", operation.name, reference.units);
            for _ in 0..calls {
                black_box(counted(&mut || (reference.call)()));
            }
            rows += 1;
        }
    }
    rows
}

/// callgrind identifies this function by its name.
#[inline(never)]
fn counted(kernel: &mut dyn FnMut() -> u64) -> u64 {
    kernel()
}

/// Runs this program once under callgrind, which writes one file of counts per call.
fn count(operations: &[String]) -> Result<Counts> {
    let program = std::env::current_exe()?;
    let folder = program.with_file_name("counts.out");
    match std::fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        _ => std::fs::create_dir_all(&folder)?,
    }
    let mut run = Command::new("valgrind");
    let [toggled, dumped] = COUNTED;
    run.args(["--tool=callgrind", "--quiet"])
        .args([format!("--toggle-collect={toggled}"), format!("--dump-after={dumped}")])
        .arg(format!("--callgrind-out-file={}", folder.join("out").display()));
    let output =
        run.arg(program).arg("--calls=1").args(operations).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(
            format!("no operation of these names, or valgrind failed: {}", output.status).into()
        );
    }
    // The lines have the format of the stored file, with units in place of counts.
    let mut counts = Counts::new();
    for (i, line) in String::from_utf8(output.stdout)?.lines().enumerate() {
        let (key, units) =
            parse_line(line).ok_or_else(|| format!("not of this program: {line}"))?;
        counts.insert(key, instructions(&folder.join(format!("out.{}", i + 1)))? / units);
    }
    Ok(counts)
}

fn instructions(path: &Path) -> Result<f64> {
    let dump =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    // A count of 0 means that callgrind didn't find the function.
    let total = total(&dump).filter(|&total| total > 0.0);
    Ok(total.ok_or_else(|| format!("{}: no instructions", path.display()))?)
}

fn total(dump: &str) -> Option<f64> {
    let total = |name| dump.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    total("summary:").or_else(|| total("totals:"))
}

fn rows<'a>(stored: &'a Counts, found: &'a Counts) -> Vec<Row<'a>> {
    let keys: BTreeSet<&(String, String)> = stored.keys().chain(found.keys()).collect();
    let ran = |level: &String| found.keys().any(|(_, other)| other == level);
    let rows = keys.into_iter().map(|key| {
        let stored = stored.get(key).copied();
        let instructions = found.get(key).copied();
        let ratio = stored.zip(instructions).map(|(stored, found)| found / stored);
        let by_hand = found.get(&(key.0.clone(), USER.to_owned()));
        let verdict = match ratio {
            _ if instructions.zip(by_hand).is_some_and(|(call, by_hand)| call > *by_hand) => {
                "SLOWER than what a user would write"
            }
            Some(ratio) if ratio > 1.0 + MAX_GROWTH / 100.0 => "MORE",
            Some(ratio) if ratio < 1.0 - MAX_GROWTH / 100.0 => "less: counts --write",
            Some(_) => "ok",
            None if instructions.is_some() => "NEW: counts --write",
            None if ran(&key.1) => "GONE: counts --write",
            None => "SKIPPED: no such level here",
        };
        Row { operation: &key.0, level: &key.1, stored, instructions, ratio, verdict }
    });
    rows.collect()
}

fn cells(row: &Row) -> Vec<String> {
    let text =
        |number: Option<f64>, digits| number.map_or("-".to_owned(), |n| format!("{n:.digits$}"));
    let numbers = [text(row.stored, 2), text(row.instructions, 2), text(row.ratio, 3)];
    [row.operation, row.level]
        .map(str::to_owned)
        .into_iter()
        .chain(numbers)
        .chain([row.verdict.to_owned()])
        .collect()
}

fn file(counts: &Counts, compiler: &str) -> String {
    let mut text = format!(
        "# Instructions per unit of each headline operation on each level: operation, level, instructions.\n\
         # Written by `cargo xtask counts --write`, which counts them under valgrind in a release build of\n# {compiler}.\n"
    );
    for ((operation, level), count) in counts {
        text += &format!("{operation} | {level} | {count:.2}\n");
    }
    text
}

fn parse(text: &str) -> Result<Counts> {
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let wrong = |i| format!("{STORED}, line {}: expected operation | level | number", i + 1).into();
    lines.map(|(i, line)| parse_line(line).ok_or_else(|| wrong(i))).collect()
}

fn parse_line(line: &str) -> Option<((String, String), f64)> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [operation, level, number] = fields[..] else { return None };
    Some(((operation.to_owned(), level.to_owned()), number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(rows: &[(&str, &str, f64)]) -> Counts {
        rows.iter()
            .map(|&(operation, level, n)| ((operation.to_owned(), level.to_owned()), n))
            .collect()
    }

    #[test]
    fn totals_of_dumps_are_read() {
        assert_eq!(total("version: 1\nevents: Ir\nsummary: 1234\n\nfn=x\n"), Some(1234.0));
        assert_eq!(total("events: Ir\nfn=x\n1 2\ntotals: 77\n"), Some(77.0));
        assert_eq!(total("events: Ir\n"), None);
    }

    #[test]
    fn numbers_are_read_as_they_are_written() {
        let counts =
            counts(&[("2048 slide", "portable", 12.5), ("go playout 9x9", "x86-64-v3", 14000.0)]);
        let text = file(&counts, "rustc 1.95.0");
        assert!(text.contains("# rustc 1.95.0.\n"));
        assert_eq!(parse(&text).unwrap(), counts);
        assert!(parse("2048 slide | portable").is_err());
        assert!(parse("2048 slide | portable | many").is_err());
    }

    #[test]
    fn two_percent_more_are_too_many() {
        let stored = counts(&[
            ("a", "portable", 100.0),
            ("b", "portable", 100.0),
            ("c", "portable", 100.0),
            ("d", "portable", 1.0),
            ("d", "x86-64-v3", 1.0),
        ]);
        let found = counts(&[
            ("a", "portable", 102.0),
            ("b", "portable", 102.1),
            ("c", "portable", 97.0),
            ("e", "portable", 1.0),
        ]);
        let verdicts: Vec<&str> = rows(&stored, &found).iter().map(|row| row.verdict).collect();
        let expected = [
            "ok",
            "MORE",
            "less: counts --write",
            "GONE: counts --write",
            "SKIPPED: no such level here",
            "NEW: counts --write",
        ];
        assert_eq!(verdicts, expected);
    }

    #[test]
    fn a_call_takes_no_more_than_what_a_user_would_write() {
        let counts = counts(&[
            ("a", "portable", 100.0),
            ("a", "user", 99.0),
            ("a", "x86-64-v3", 99.0),
            ("b", "portable", 100.0),
        ]);
        let verdicts: Vec<&str> = rows(&counts, &counts).iter().map(|row| row.verdict).collect();
        assert_eq!(verdicts, ["SLOWER than what a user would write", "ok", "ok", "ok"]);
    }
}
