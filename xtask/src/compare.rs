//! `compare`: runs the program `compare` of the package `benches`, or compares it with the same program of
//! another commit.
//!
//! `--save FILE` copies the program to a file, and writes its commit and compiler to `FILE.json`.
//!
//! `--against FILE` runs that program and the present one in turns, operation by operation, so that a drift
//! in the machine's speed affects both. The table shows the median over the turns of new time divided by old
//! time. A row that is slower than allowed gets more turns before it fails.

mod chart;

use crate::workspace::{Workspace, cargo};
use crate::{Result, table};
use chart::{Measured, draw};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(clap::Args)]
#[command(after_help = "Examples: cargo xtask compare match3 --json\n\
    cargo xtask compare --save target/before    (then, on another commit:)\n\
    cargo xtask compare --against target/before\n    cargo xtask compare --chart docs/charts")]
pub(crate) struct Args {
    /// Only operations whose name begins with this text, such as `match3` or `2048 slide`
    operations: Vec<String>,
    /// Print one JSON object per row; times in nanoseconds per unit
    #[arg(long)]
    json: bool,
    /// Compare kernels behind `dispatch!` with functions written by hand for one instruction set instead
    #[arg(long, conflicts_with_all = ["save", "against"])]
    twins: bool,
    /// Measurements of each function in one run of the program
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: Option<u16>,
    /// Milliseconds of CPU time per measurement
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    turn: Option<u16>,
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

/// The number of runs after which a row that is slower than allowed fails.
const MORE_TURNS: u16 = 15;
/// The defaults of `--rounds` and `--turn` with `--against`. Many short runs give a better median than few
/// long ones.
const SHORT_RUN: (u16, u16) = (5, 20);

pub(crate) fn run(args: &Args) -> Result {
    let program = build()?;
    if let Some(file) = &args.save {
        return save(&program, file);
    }
    if let Some(file) = &args.against {
        return compare_with(&program, file, args);
    }
    if let Some(folder) = &args.chart {
        return charts(&program, folder, args);
    }
    let mut run = Command::new(program);
    run.args(&args.operations);
    if args.json {
        run.arg("--json");
    }
    if args.twins {
        run.arg("--twins");
    }
    for (name, value) in [("--rounds", args.rounds), ("--turn", args.turn)] {
        if let Some(value) = value {
            run.args([name, &value.to_string()]);
        }
    }
    match run.status()?.code() {
        // The program has already printed the error in its arguments.
        Some(2) => std::process::exit(2),
        code => Ok(code == Some(0)),
    }
}

/// Builds the program, and returns its path.
pub(crate) fn build() -> Result<PathBuf> {
    let workspace = Workspace::load()?;
    let status =
        cargo(&[]).args(["build", "--quiet", "--release", "--package=benches", "--bin=compare"]).status()?;
    if !status.success() {
        return Err("the build of benches' program compare failed".into());
    }
    Ok(workspace.target.join("release").join(format!("compare{}", std::env::consts::EXE_SUFFIX)))
}

/// Returns the first line that a command prints, or an empty text if it can't be run.
pub(crate) fn line(command: &str, arguments: &[&str]) -> String {
    let output = Command::new(command).args(arguments).stderr(Stdio::null()).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or_default().to_owned()
}

fn save(program: &Path, file: &Path) -> Result {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::copy(program, file)?;
    let origin = json!({
        "commit": line("git", &["rev-parse", "HEAD"]),
        "changed": !line("git", &["status", "--porcelain", "--untracked-files=no"]).is_empty(),
        "rustc": line("rustc", &["--version"]),
        "flags": "",
    });
    let beside = origin_file(file);
    std::fs::write(&beside, format!("{origin}\n"))?;
    println!("{}: {origin}", file.display());
    Ok(true)
}

/// Returns the path of the file where [`save`] writes the commit and compiler of a program.
fn origin_file(program: &Path) -> PathBuf {
    let mut name = program.as_os_str().to_owned();
    name.push(".json");
    PathBuf::from(name)
}

/// The old and new time of one operation on one level.
#[derive(Debug, PartialEq, Serialize)]
struct Row {
    operation: String,
    unit: String,
    level: String,
    /// The median over the turns, in nanoseconds per unit; so is `new`.
    old: f64,
    new: f64,
    /// The median over the turns of new time divided by old time; `least` and `greatest` are the extremes.
    ratio: f64,
    least: f64,
    greatest: f64,
    turns: usize,
    verdict: &'static str,
}

/// The old and new time of each turn, for each level.
type Pairs = BTreeMap<String, Vec<(f64, f64)>>;

fn compare_with(new: &Path, old: &Path, args: &Args) -> Result {
    let old = std::path::absolute(old)?;
    if let Ok(origin) = std::fs::read_to_string(origin_file(&old)) {
        eprintln!("old: {}", origin.trim());
    }
    // A short run lists the operations.
    let listed = times(new, &args.operations, 1, 1)?;
    let known = times(&old, &args.operations, 1, 1)?;
    let mut rows = Vec::new();
    for Measured { name: operation, unit, .. } in &listed {
        eprintln!("{operation} ..");
        if !known.iter().any(|known| known.name == *operation) {
            eprintln!("{operation}: the old program doesn't have it");
            continue;
        }
        let mut pairs = Pairs::new();
        run_in_turns(new, &old, operation, args, args.turns, &mut pairs)?;
        if level_rows(operation, unit, &pairs).iter().any(|row| row.verdict == SLOWER)
            && args.turns < MORE_TURNS
        {
            run_in_turns(new, &old, operation, args, MORE_TURNS - args.turns, &mut pairs)?;
        }
        let found = level_rows(operation, unit, &pairs);
        if args.json {
            for row in &found {
                println!("{}", serde_json::to_string(row)?);
            }
        }
        rows.extend(found);
    }
    let failed = rows.iter().filter(|row| row.verdict == SLOWER).count();
    if !args.json {
        let header =
            ["operation", "level", "old ns", "new ns", "new / old", "from", "to", "turns", "verdict"];
        table::print(&header, &[2, 3, 4, 5, 6, 7], rows.iter().map(cells));
        println!();
        table::print_counts(rows.len() - failed, failed, 0);
    }
    Ok(failed == 0 && !rows.is_empty())
}

fn cells(row: &Row) -> Vec<String> {
    let Row { operation, unit: _, level, old, new, ratio, least, greatest, turns, verdict } = row;
    let mut cells = vec![operation.clone(), level.clone(), format!("{old:.2}"), format!("{new:.2}")];
    cells.extend([ratio, least, greatest].map(|ratio| format!("{ratio:.3}")));
    cells.extend([turns.to_string(), (*verdict).to_owned()]);
    cells
}

/// Runs the old and the new program in turns, and adds the times to `pairs`. The program that begins
/// alternates.
fn run_in_turns(
    new: &Path,
    old: &Path,
    operation: &str,
    args: &Args,
    turns: u16,
    pairs: &mut Pairs,
) -> Result<()> {
    let (rounds, turn) = (args.rounds.unwrap_or(SHORT_RUN.0), args.turn.unwrap_or(SHORT_RUN.1));
    let times_of = |program: &Path| -> Result<BTreeMap<String, f64>> {
        let rows = times(program, &[operation.to_owned()], rounds, turn)?;
        let row = rows.into_iter().find(|row| row.name == operation);
        Ok(row.ok_or_else(|| format!("{}: no row {operation}", program.display()))?.levels)
    };
    for i in 0..turns {
        let (before, after) = if i % 2 == 0 {
            let before = times_of(old)?;
            (before, times_of(new)?)
        } else {
            let after = times_of(new)?;
            (times_of(old)?, after)
        };
        for (level, old) in before {
            if let Some(&new) = after.get(&level) {
                pairs.entry(level).or_default().push((old, new));
            }
        }
    }
    Ok(())
}

/// Measures, and draws a chart for the operations of each game.
fn charts(program: &Path, folder: &Path, args: &Args) -> Result {
    std::fs::create_dir_all(folder)?;
    let measured = times(program, &args.operations, args.rounds.unwrap_or(15), args.turn.unwrap_or(20))?;
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let origin = format!(
        "{}; commit {}; {}",
        cpu_name(&cpu),
        line("git", &["rev-parse", "--short", "HEAD"]),
        line("date", &["+%Y-%m-%d"])
    );
    let mut games: Vec<&str> = measured.iter().map(Measured::game).collect();
    games.dedup();
    for game in games {
        let operations: Vec<&Measured> = measured.iter().filter(|measured| measured.game() == game).collect();
        let file = folder.join(format!("{game}.svg"));
        std::fs::write(&file, draw(game, &operations, &origin))?;
        println!("{}: {} operations", file.display(), operations.len());
    }
    Ok(!measured.is_empty())
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

/// Runs a `compare`, and returns its rows.
fn times(program: &Path, operations: &[String], rounds: u16, turn: u16) -> Result<Vec<Measured>> {
    let mut run = Command::new(program);
    run.args(operations).args(["--json", "--rounds", &rounds.to_string(), "--turn", &turn.to_string()]);
    let output = run.stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("{}: {}", program.display(), output.status).into());
    }
    String::from_utf8_lossy(&output.stdout).lines().map(parse).collect()
}

/// The fields of a row that are numbers, but not the time of a level.
const NO_LEVELS: [&str; 4] = ["reference", "best", "ratio_reference", "ratio_portable"];

fn parse(line: &str) -> Result<Measured> {
    let row: Map<String, Value> = serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
    let text = |name: &str| row.get(name).and_then(Value::as_str).map(str::to_owned);
    let name = text("operation").ok_or_else(|| format!("no operation: {line}"))?;
    let reference = row.get("reference").and_then(Value::as_f64).unwrap_or(f64::NAN);
    let levels = row.iter().filter(|(name, _)| !NO_LEVELS.contains(&name.as_str()));
    let levels = levels.filter_map(|(name, time)| Some((name.clone(), time.as_f64()?))).collect();
    Ok(Measured { name, unit: text("unit").unwrap_or_default(), reference, levels })
}

const SLOWER: &str = "SLOWER";

/// Returns the increase of the time that a row may show, as a part of the old time.
fn tolerance(level: &str) -> f64 {
    if level == "portable" { 0.10 } else { 0.03 }
}

fn level_rows(operation: &str, unit: &str, pairs: &Pairs) -> Vec<Row> {
    let rows = pairs.iter().map(|(level, pairs)| {
        let ratios: Vec<f64> = pairs.iter().map(|(old, new)| new / old).collect();
        let ratio = median(ratios.clone());
        let verdict = match ratio - 1.0 {
            change if change > tolerance(level) => SLOWER,
            change if change < -tolerance(level) => "faster",
            _ => "ok",
        };
        Row {
            operation: operation.to_owned(),
            unit: unit.to_owned(),
            level: level.clone(),
            old: median(pairs.iter().map(|pair| pair.0).collect()),
            new: median(pairs.iter().map(|pair| pair.1).collect()),
            ratio,
            least: ratios.iter().copied().fold(f64::INFINITY, f64::min),
            greatest: ratios.iter().copied().fold(0.0, f64::max),
            turns: pairs.len(),
            verdict,
        }
    });
    rows.collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { f64::midpoint(values[middle - 1], values[middle]) }
}

#[cfg(test)]
mod tests {
    use super::{Pairs, SLOWER, cpu_name, level_rows, median, origin_file, parse};
    use std::path::Path;

    /// A row of the first version.
    const OLD_ROW: &str = r#"{"operation":"2048 slide","unit":"board","against":"seed","reference":80.5,
        "portable":3.5,"x86_64_v3":2.5,"ratio_reference":32.2,"ratio_portable":1.4}"#;

    #[test]
    fn rows_of_every_version_are_read() {
        let old = parse(OLD_ROW).unwrap();
        assert_eq!((old.name.as_str(), old.unit.as_str(), old.game()), ("2048 slide", "board", "2048"));
        assert_eq!((old.reference, old.levels["x86_64_v3"]), (80.5, 2.5));
        assert_eq!(old.levels.keys().collect::<Vec<_>>(), ["portable", "x86_64_v3"]);
        let newer =
            OLD_ROW.replace("\"ratio_reference\"", "\"x86_64_v4\":null,\"best\":2.5,\"ratio_reference\"");
        assert_eq!(parse(&newer).unwrap(), old);
        assert!(parse("{}").is_err() && parse("absent").is_err());
    }

    #[test]
    fn the_cpu_is_named() {
        let text = "processor\t: 0\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n";
        assert_eq!(cpu_name(text), "AMD EPYC (family 25, model 17)");
        assert_eq!(cpu_name(""), "? (family ?, model ?)");
    }

    fn verdicts(level: &str, ratios: &[f64]) -> &'static str {
        let pairs =
            Pairs::from([(level.to_owned(), ratios.iter().map(|&ratio| (10.0, 10.0 * ratio)).collect())]);
        level_rows("a", "b", &pairs)[0].verdict
    }

    #[test]
    fn a_row_is_judged_by_the_median_of_its_ratios_and_by_its_level() {
        assert_eq!(verdicts("x86_64_v3", &[1.02, 0.98, 1.5, 1.01, 0.7]), "ok");
        assert_eq!(verdicts("x86_64_v3", &[1.05, 1.04, 0.9, 1.06, 1.05]), SLOWER);
        assert_eq!(verdicts("portable", &[1.05, 1.04, 0.9, 1.06, 1.05]), "ok");
        assert_eq!(verdicts("portable", &[1.11]), SLOWER);
        assert_eq!(verdicts("x86_64_v3", &[0.5, 0.6, 0.4]), "faster");
    }

    #[test]
    fn rows_have_medians_and_extremes() {
        let pairs = Pairs::from([("portable".to_owned(), vec![(1.0, 2.0), (2.0, 2.0), (4.0, 2.0)])]);
        let row = &level_rows("a", "b", &pairs)[0];
        let numbers = [row.old, row.new, row.ratio, row.least, row.greatest];
        assert_eq!(numbers.map(f64::to_bits), [2.0, 2.0, 1.0, 0.5, 2.0].map(f64::to_bits));
        assert_eq!(row.turns, 3);
        assert_eq!(median(vec![3.0, 1.0]).to_bits(), 2.0f64.to_bits());
    }

    #[test]
    fn the_origin_stands_beside_the_program() {
        assert_eq!(origin_file(Path::new("a/before.exe")), Path::new("a/before.exe.json"));
    }
}
