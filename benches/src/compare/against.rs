//! `--save` and `--against`: the same program of two commits, alternating operation by operation,
//! so a drift in the machine's speed affects both.

use super::arguments::{Args, Result};
use crate::{operation::Operation, paired::median, table};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// The number of runs after which a row that is slower than allowed fails.
const MORE_TURNS: u16 = 15;

/// Copies this program to a file, and writes its commit and compiler to `FILE.json`.
pub(super) fn save(file: &Path) -> Result {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::copy(std::env::current_exe()?, file)?;
    let origin = json!({
        "commit": line("git", &["rev-parse", "HEAD"]),
        "changed": !line("git", &["status", "--porcelain", "--untracked-files=no"]).is_empty(),
        "rustc": line("rustc", &["--version"]),
        "flags": "",
    });
    std::fs::write(origin_file(file), format!("{origin}\n"))?;
    println!("{}: {origin}", file.display());
    Ok(ExitCode::SUCCESS)
}

/// Returns the first line that a command prints, or an empty text if it can't be run.
pub(super) fn line(command: &str, arguments: &[&str]) -> String {
    let output = Command::new(command).args(arguments).output().map(|output| output.stdout);
    String::from_utf8_lossy(&output.unwrap_or_default())
        .lines()
        .next()
        .unwrap_or_default()
        .to_owned()
}

fn origin_file(program: &Path) -> PathBuf {
    let mut name = program.as_os_str().to_owned();
    name.push(".json");
    PathBuf::from(name)
}

#[derive(Debug, PartialEq, Serialize)]
struct Row<'a> {
    operation: &'a str,
    unit: &'a str,
    level: &'a str,
    /// The median over the turns, in nanoseconds per unit; so is `new`.
    old: f64,
    new: f64,
    /// The median over the turns of new time divided by old time; `least` and `greatest` are the
    /// extremes.
    ratio: f64,
    least: f64,
    greatest: f64,
    turns: usize,
    verdict: &'static str,
}

/// The nanoseconds of each level.
type Times = BTreeMap<String, f64>;
/// The old and new time of each turn, for each level.
type Pairs = BTreeMap<String, Vec<(f64, f64)>>;

/// Runs an old program and this one in turns. A row slower than allowed gets more turns before it
/// fails.
pub(super) fn compare(operations: &[Operation], old: &Path, args: &Args) -> Result {
    let programs = [std::path::absolute(old)?, std::env::current_exe()?];
    if let Ok(origin) = std::fs::read_to_string(origin_file(&programs[0])) {
        eprintln!("old: {}", origin.trim());
    }
    // A short run lists its operations.
    let known = times(&programs[0], &args.operations, 1, 1)?;
    let mut cells = Vec::new();
    let mut failed = 0;
    for Operation { name, reference, .. } in operations {
        eprintln!("{name} ..");
        if !known.contains_key(*name) {
            eprintln!("{name}: the old program doesn't have it");
            continue;
        }
        let mut pairs = Pairs::new();
        let mut turn = 0;
        for turns in [args.turns, MORE_TURNS] {
            while turn < turns {
                let mut found = [Times::new(), Times::new()];
                // The program that begins alternates.
                for side in [turn % 2, 1 - turn % 2].map(usize::from) {
                    let mut rows = times(
                        &programs[side],
                        &[(*name).to_owned()],
                        args.rounds.unwrap_or(5),
                        args.turn,
                    )?;
                    found[side] = rows
                        .remove(*name)
                        .ok_or_else(|| format!("{}: no row {name}", programs[side].display()))?;
                }
                let [old, new] = found;
                for (level, old) in old {
                    if let Some(&new) = new.get(&level) {
                        pairs.entry(level).or_default().push((old, new));
                    }
                }
                turn += 1;
            }
            if rows(name, reference.unit, &pairs).all(|row| row.verdict != SLOWER) {
                break;
            }
        }
        for row in rows(name, reference.unit, &pairs) {
            if args.json {
                println!("{}", serde_json::to_string(&row)?);
            }
            failed += usize::from(row.verdict == SLOWER);
            let mut text = [row.operation, row.level].map(str::to_owned).to_vec();
            text.extend([row.old, row.new].map(|time| format!("{time:.2}")));
            text.extend([row.ratio, row.least, row.greatest].map(|ratio| format!("{ratio:.3}")));
            text.extend([row.turns.to_string(), row.verdict.to_owned()]);
            cells.push(text);
        }
    }
    let held = failed == 0 && !cells.is_empty();
    if !args.json {
        let passed = cells.len() - failed;
        let header = [
            "operation",
            "level",
            "old ns",
            "new ns",
            "new / old",
            "from",
            "to",
            "turns",
            "verdict",
        ];
        table::print(&header, 2..8, cells);
        table::print_counts(passed, failed, 0);
    }
    Ok(if held { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn times(
    program: &Path,
    operations: &[String],
    rounds: u16,
    turn: u16,
) -> Result<BTreeMap<String, Times>> {
    let mut run = Command::new(program);
    run.args(operations).args([
        "--json",
        "--rounds",
        &rounds.to_string(),
        "--turn",
        &turn.to_string(),
    ]);
    let output = run.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("{}: {}", program.display(), output.status).into());
    }
    String::from_utf8_lossy(&output.stdout).lines().map(parse).collect()
}

/// The fields of a row that are numbers, but not the time of a level.
const NO_LEVELS: [&str; 4] = ["reference", "best", "ratio_reference", "ratio_portable"];

/// Parses a row of any version: the operation and its times.
fn parse(line: &str) -> Result<(String, Times)> {
    let mut row: BTreeMap<String, Value> =
        serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
    let operation = row.get("operation").and_then(Value::as_str).map(str::to_owned);
    let operation = operation.ok_or_else(|| format!("no operation: {line}"))?;
    row.retain(|name, _| !NO_LEVELS.contains(&name.as_str()));
    Ok((
        operation,
        row.into_iter().filter_map(|(name, time)| Some((name, time.as_f64()?))).collect(),
    ))
}

const SLOWER: &str = "SLOWER";

/// Returns the increase of the time that a row may show, as a part of the old time.
fn tolerance(level: &str) -> f64 {
    if level == "portable" { 0.10 } else { 0.03 }
}

fn rows<'a>(operation: &'a str, unit: &'a str, pairs: &'a Pairs) -> impl Iterator<Item = Row<'a>> {
    pairs.iter().map(move |(level, pairs)| {
        let ratios = || pairs.iter().map(|(old, new)| new / old);
        let ratio = median(ratios());
        let verdict = match ratio - 1.0 {
            change if change > tolerance(level) => SLOWER,
            change if change < -tolerance(level) => "faster",
            _ => "ok",
        };
        Row {
            operation,
            unit,
            level,
            old: median(pairs.iter().map(|pair| pair.0)),
            new: median(pairs.iter().map(|pair| pair.1)),
            ratio,
            least: ratios().fold(f64::INFINITY, f64::min),
            greatest: ratios().fold(0.0, f64::max),
            turns: pairs.len(),
            verdict,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of the first version.
    const OLD_ROW: &str = r#"{"operation":"2048 slide","unit":"board","against":"printed","reference":80.5,
        "portable":3.5,"x86_64_v3":2.5,"ratio_reference":32.2,"ratio_portable":1.4}"#;

    #[test]
    fn rows_of_every_version_are_read() {
        let old = parse(OLD_ROW).unwrap();
        let times =
            [("portable", 3.5), ("x86_64_v3", 2.5)].map(|(level, time)| (level.to_owned(), time));
        assert_eq!(old, ("2048 slide".to_owned(), Times::from(times)));
        let newer = OLD_ROW
            .replace("\"ratio_reference\"", "\"x86_64_v4\":null,\"best\":2.5,\"ratio_reference\"");
        assert_eq!(parse(&newer).unwrap(), old);
        assert!(parse("{}").is_err() && parse("absent").is_err());
    }

    #[test]
    fn a_row_is_judged_by_the_median_of_its_ratios_and_by_its_level() {
        let verdict = |level: &str, ratios: &[f64]| {
            let pairs = ratios.iter().map(|&ratio| (10.0, 10.0 * ratio)).collect();
            rows("a", "b", &Pairs::from([(level.to_owned(), pairs)])).next().map(|row| row.verdict)
        };
        assert_eq!(verdict("x86_64_v3", &[1.02, 0.98, 1.5, 1.01, 0.7]), Some("ok"));
        assert_eq!(verdict("x86_64_v3", &[1.05, 1.04, 0.9, 1.06, 1.05]), Some(SLOWER));
        assert_eq!(verdict("portable", &[1.05, 1.04, 0.9, 1.06, 1.05]), Some("ok"));
        assert_eq!(verdict("portable", &[1.11]), Some(SLOWER));
        assert_eq!(verdict("x86_64_v3", &[0.5, 0.6, 0.4]), Some("faster"));
    }

    #[test]
    fn rows_have_medians_and_extremes() {
        let pairs =
            Pairs::from([("portable".to_owned(), vec![(1.0, 2.0), (2.0, 2.0), (4.0, 2.0)])]);
        let row = rows("a", "b", &pairs).next().unwrap();
        let numbers = [row.old, row.new, row.ratio, row.least, row.greatest];
        assert_eq!(numbers.map(f64::to_bits), [2.0, 2.0, 1.0, 0.5, 2.0].map(f64::to_bits));
        assert_eq!(row.turns, 3);
    }

    #[test]
    fn the_origin_is_next_to_the_program() {
        assert_eq!(origin_file(Path::new("a/before.exe")), Path::new("a/before.exe.json"));
    }
}
