//! `build-times`: the time that a user waits for a clean release build of each library and of the program.
//!
//! Each package is built in an empty target folder, after all dependencies were downloaded. Wall-clock
//! seconds are comparable only on an idle machine; CPU seconds change less under load.

use crate::workspace::{Workspace, cargo};
use crate::{Result, table};
use serde::Serialize;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

#[derive(clap::Args)]
#[command(after_help = "Example: cargo xtask build-times --package tetris --json")]
pub(crate) struct Args {
    /// Print one JSON object per package instead of the table
    #[arg(long)]
    json: bool,
    /// Only this package (may be repeated)
    #[arg(long, short, value_name = "NAME")]
    package: Vec<String>,
}

#[derive(Serialize)]
struct Row {
    package: String,
    seconds: f64,
    /// User and system time of cargo and its child processes; absent where the system doesn't report it.
    cpu_seconds: Option<f64>,
    /// The size of the program's or the library's file.
    bytes: u64,
}

pub(crate) fn run(args: &Args) -> Result {
    let workspace = Workspace::load()?;
    let members = workspace.packages.iter();
    let wanted = |name: &str| args.package.is_empty() || args.package.iter().any(|package| package == name);
    let packages: Vec<&str> = members
        .filter(|package| package.is_published())
        .map(|package| package.name.as_str())
        .filter(|name| wanted(name))
        .collect();
    if packages.is_empty() {
        return Err("no package for users has this name".into());
    }
    // So that no download is timed.
    if !cargo(&[]).args(["fetch", "--quiet", "--locked"]).status()?.success() {
        return Err("cargo fetch failed".into());
    }
    let folder = workspace.target.join("build-times");
    let mut rows = Vec::new();
    for package in packages {
        eprintln!("{package} ..");
        remove(&folder)?;
        let row = build(package, &folder)?;
        if args.json {
            println!("{}", serde_json::to_string(&row)?);
        }
        rows.push(row);
    }
    remove(&folder)?;
    if !args.json {
        table::print(&["package", "seconds", "CPU seconds", "MB"], &[1, 2, 3], rows.iter().map(cells));
    }
    Ok(true)
}

fn remove(folder: &Path) -> Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

fn build(package: &str, folder: &Path) -> Result<Row> {
    let mut build = cargo(&[]);
    build.args(["build", "--release", "--quiet", "--locked", "--package", package]);
    build.arg("--target-dir").arg(folder).stdout(Stdio::null());
    let (cpu, start) = (children_cpu_seconds(), Instant::now());
    let status = build.status()?;
    let (seconds, after) = (start.elapsed().as_secs_f64(), children_cpu_seconds());
    if !status.success() {
        return Err(format!("{package}: the build failed").into());
    }
    let release = folder.join("release");
    let library = format!("lib{}.rlib", package.replace('-', "_"));
    let files = [package.to_owned(), format!("{package}.exe"), library];
    let bytes = files.iter().find_map(|file| std::fs::metadata(release.join(file)).ok());
    let cpu_seconds = cpu.zip(after).map(|(before, after)| after - before);
    Ok(Row { package: package.to_owned(), seconds, cpu_seconds, bytes: bytes.map_or(0, |file| file.len()) })
}

fn cells(row: &Row) -> Vec<String> {
    let cpu = row.cpu_seconds.map_or_else(|| "-".to_owned(), |seconds| format!("{seconds:.1}"));
    vec![row.package.clone(), format!("{:.1}", row.seconds), cpu, format!("{:.1}", row.bytes as f64 / 1e6)]
}

/// Returns the user and system time of all child processes that have ended, where `/proc` has it.
fn children_cpu_seconds() -> Option<f64> {
    parse_stat(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// Returns the sum of the fields `cutime` and `cstime` of `/proc/self/stat`, which count hundredths of a
/// second, in seconds.
fn parse_stat(stat: &str) -> Option<f64> {
    // The second field is the program's name in parentheses, which may itself have spaces and parentheses.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    Some((ticks(16)? + ticks(17)?) as f64 / 100.0)
}

#[cfg(test)]
mod tests {
    use super::{Row, cells, children_cpu_seconds, parse_stat};

    #[test]
    fn the_time_of_children_is_read_whatever_the_name() {
        let stat = "12 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 700 800 1250 50 20 0 1 0 5 6 7";
        assert_eq!(parse_stat(stat).map(f64::to_bits), Some(13.0f64.to_bits()));
        assert_eq!(parse_stat("12 (a) S 1"), None);
        assert!(!cfg!(target_os = "linux") || children_cpu_seconds().is_some());
    }

    #[test]
    fn rows_have_a_dash_where_nothing_is_known() {
        let row = Row { package: "tetris".into(), seconds: 12.34, cpu_seconds: None, bytes: 1_260_000 };
        assert_eq!(cells(&row), ["tetris", "12.3", "-", "1.3"]);
    }
}
