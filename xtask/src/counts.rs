//! `counts`: the instructions of each headline operation on each level, compared with the stored numbers.
//!
//! Counts repeat exactly, while times do not. The tool callgrind of valgrind counts the instructions of one
//! function on every level that it can run. Without valgrind the task is skipped. The counts depend on the
//! compiler, too: after an update of the compiler, store new ones with `--write`.

use crate::workspace::Workspace;
use crate::{Result, compare, table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

#[derive(clap::Args)]
#[command(after_help = "Example: cargo xtask counts 'tetris movegen'")]
pub(crate) struct Args {
    /// Only operations whose name begins with this text, such as `match3` or `2048 slide`
    operations: Vec<String>,
    /// Print one JSON object per row
    #[arg(long)]
    json: bool,
    /// Write the numbers of this build to `benches/data/instructions.txt`
    #[arg(long)]
    write: bool,
}

/// The file of the stored numbers, relative to the workspace's root.
const STORED: &str = "benches/data/instructions.txt";
/// The maximum increase of an operation's instructions, in percent.
const MAX_GROWTH: f64 = 2.0;
const VALGRIND: &str = "valgrind";
/// The function of the program whose instructions are counted, in the two spellings for callgrind's options
/// `--toggle-collect` and `--dump-after`. callgrind keeps one option per spelling of a name, and not every
/// pair of spellings works; this pair does.
const COUNTED: [&str; 2] = ["*::counted", "compare::counted"];

/// The instructions per unit of each operation and level.
type Counts = BTreeMap<(String, String), f64>;

/// The line that the program prints before each call.
#[derive(Deserialize)]
struct Call {
    operation: String,
    level: String,
    units: u64,
}

#[derive(Serialize)]
struct Row<'a> {
    operation: &'a str,
    level: &'a str,
    stored: Option<f64>,
    instructions: Option<f64>,
    ratio: Option<f64>,
    verdict: &'static str,
}

pub(crate) fn run(args: &Args) -> Result {
    if Command::new(VALGRIND).arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("SKIPPED: no {VALGRIND} in PATH");
        table::print_counts(0, 0, 1);
        return Ok(true);
    }
    let workspace = Workspace::load()?;
    let program = compare::build()?;
    let found = count(&program, &workspace.target.join("counts"), &args.operations)?;
    let path = workspace.root.join(STORED);
    let wanted = |operation: &str| {
        args.operations.is_empty() || args.operations.iter().any(|prefix| operation.starts_with(prefix))
    };
    let mut stored = match std::fs::read_to_string(&path) {
        Ok(text) => parse(&text)?,
        Err(_) if args.write => Counts::new(),
        Err(error) => return Err(format!("{STORED}: {error}; write it with --write").into()),
    };
    if args.write {
        // The numbers of levels that this machine lacks stay.
        let levels: Vec<&String> = found.keys().map(|(_, level)| level).collect();
        let mut written = stored.clone();
        written.retain(|(operation, level), _| !(wanted(operation) && levels.contains(&level)));
        written.extend(found.clone());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&path, file(&written, &compare::line("rustc", &["--version"])))?;
        eprintln!("written: {STORED}");
    }
    stored.retain(|(operation, _), _| wanted(operation));
    if args.write {
        // Only the rows that were counted are compared.
        stored.retain(|key, _| found.contains_key(key));
    }
    let rows = rows(&stored, &found);
    let failed = ["MORE", "NEW", "GONE"].iter().map(|verdict| number(&rows, verdict)).sum::<usize>();
    let skipped = number(&rows, "SKIPPED");
    if args.json {
        for row in &rows {
            println!("{}", serde_json::to_string(row)?);
        }
    } else {
        let header = ["operation", "level", "stored", "instructions", "new / stored", "verdict"];
        table::print(&header, &[2, 3, 4], rows.iter().map(cells));
        println!();
        table::print_counts(rows.len() - failed - skipped, failed, skipped);
    }
    Ok(args.write || failed == 0)
}

fn number(rows: &[Row], verdict: &str) -> usize {
    rows.iter().filter(|row| row.verdict.starts_with(verdict)).count()
}

/// Runs the program once under callgrind, which writes a file with the count after each call.
fn count(program: &Path, folder: &Path, operations: &[String]) -> Result<Counts> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        _ => std::fs::create_dir_all(folder)?,
    }
    let out = folder.join("out");
    let mut run = Command::new(VALGRIND);
    run.args(["--tool=callgrind", "--quiet"]);
    let [counted, dumped] = COUNTED;
    run.args([format!("--toggle-collect={counted}"), format!("--dump-after={dumped}")]);
    run.arg(format!("--callgrind-out-file={}", out.display())).arg(program).arg("--count").args(operations);
    let output = run.stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("{VALGRIND}: {}", output.status).into());
    }
    let mut counts = Counts::new();
    for (i, line) in String::from_utf8_lossy(&output.stdout).lines().enumerate() {
        let call: Call = serde_json::from_str(line)?;
        let dump = folder.join(format!("out.{}", i + 1));
        let text = std::fs::read_to_string(&dump).map_err(|error| format!("{}: {error}", dump.display()))?;
        // A count of 0 means that callgrind has not found the function.
        let total = instructions(&text).filter(|&total| total > 0);
        let total = total.ok_or_else(|| format!("{}: no instructions", dump.display()))?;
        counts.insert((call.operation, call.level), total as f64 / call.units.max(1) as f64);
    }
    Ok(counts)
}

/// Returns the number of instructions in a file of callgrind.
fn instructions(dump: &str) -> Option<u64> {
    let totals = |name| dump.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    totals("summary:").or_else(|| totals("totals:"))
}

fn rows<'a>(stored: &'a Counts, found: &'a Counts) -> Vec<Row<'a>> {
    let mut keys: Vec<&(String, String)> = stored.keys().chain(found.keys()).collect();
    keys.sort();
    keys.dedup();
    let ran = |level: &String| found.keys().any(|(_, other)| other == level);
    let rows = keys.into_iter().map(|key| {
        let (stored, instructions) = (stored.get(key).copied(), found.get(key).copied());
        let ratio = stored.zip(instructions).map(|(stored, found)| found / stored);
        let verdict = match ratio {
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
    let text = |number: Option<f64>, digits: usize| {
        number.map_or_else(|| "-".to_owned(), |number| format!("{number:.digits$}"))
    };
    let mut cells = vec![row.operation.to_owned(), row.level.to_owned()];
    cells.extend([
        text(row.stored, 2),
        text(row.instructions, 2),
        text(row.ratio, 3),
        row.verdict.to_owned(),
    ]);
    cells
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
    let mut counts = Counts::new();
    for (i, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [operation, level, count] = fields[..] else {
            return Err(format!("{STORED}, line {}: expected three fields", i + 1).into());
        };
        let count: f64 = count.parse().map_err(|_| format!("{STORED}, line {}: expected a number", i + 1))?;
        counts.insert((operation.to_owned(), level.to_owned()), count);
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::{Counts, file, instructions, parse, rows};

    fn counts(rows: &[(&str, &str, f64)]) -> Counts {
        rows.iter().map(|&(operation, level, n)| ((operation.to_owned(), level.to_owned()), n)).collect()
    }

    #[test]
    fn totals_of_dumps_are_read() {
        assert_eq!(instructions("version: 1\nevents: Ir\nsummary: 1234\n\nfn=x\n"), Some(1234));
        assert_eq!(instructions("events: Ir\nfn=x\n1 2\ntotals: 77\n"), Some(77));
        assert_eq!(instructions("events: Ir\n"), None);
    }

    #[test]
    fn numbers_are_read_as_they_are_written() {
        let counts = counts(&[("2048 slide", "portable", 12.5), ("go playout 9x9", "x86-64-v3", 14000.0)]);
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
}
