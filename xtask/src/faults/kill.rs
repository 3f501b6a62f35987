//! Kills: `kill -9` at random moments of the commands that save their state.
//!
//! Each command plays a game in parts. Each part begins with `--resume` if there is a file, and is killed at
//! a random moment. After each kill the files must be readable and must hold no less than before. A part that
//! ends by itself must have reached the result of a run that was never killed; then the next game begins.

use super::bench::{Bench, Row};
use super::process::STUCK;
use super::process::{self, Running, clear, fresh, lasting, succeed};
use crate::Result;
use serde_json::Value;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// A command that saves its state.
struct Case {
    name: &'static str,
    /// The whole work, without `--resume`.
    begin: &'static str,
    /// The file that is there if anything is.
    file: &'static str,
    /// Reads the file and prints a JSON object, which is the same for equal files.
    inspect: &'static str,
    /// The key of the object that grows.
    progress: &'static str,
    /// Files that are equal, byte for byte, after equal runs.
    equal: &'static [&'static str],
}

const CASES: [Case; 4] = [
    Case {
        name: "contest solve --search beam",
        begin: "contest solve --width 40 --pieces 300 --threads 1 --save-every 0 --json --out game",
        file: "game",
        inspect: "contest verify game --json",
        progress: "pieces",
        equal: &[],
    },
    Case {
        name: "contest solve --search tree",
        begin: "contest solve --depth 4 --pieces 80 --threads 1 --save-every 0 --json --out game",
        file: "game",
        inspect: "contest verify game --json",
        progress: "pieces",
        equal: &["game"],
    },
    Case {
        name: "2048 train",
        begin: "2048 train --games 20 --save-every 0.0005 --json --out net",
        file: "net.learner",
        // The run is complete after as many games as there are: this one ends at once.
        inspect: "2048 train --resume --games 1 --json --out net",
        progress: "games",
        equal: &["net", "net.learner"],
    },
    Case {
        name: "tetris match",
        begin: "tetris match --bot BOT --bot BOT --games 6 --pieces 5 --milliseconds 0 --json --out match",
        file: "match",
        inspect: "tetris match --bot BOT --bot BOT --games 1 --pieces 5 --milliseconds 0 --resume --json \
                  --out match",
        progress: "games",
        equal: &[],
    },
];

fn run_case(bench: &mut Bench, case: &Case) -> Result<Row> {
    let (whole, parts) = (fresh(bench.folder, "kill-whole")?, fresh(bench.folder, "kill-parts")?);
    let start = Instant::now();
    succeed(bench.program.command(&whole, case.begin))?;
    let length = start.elapsed();
    let expected = inspect(bench, case, &whole)?.ok_or("an unkilled run wrote no file")?;

    let mut row = Row::new(case.name);
    let (mut before, mut games) = (None, 0);
    for _ in 0..bench.kills {
        let resume = if before.is_some() { " --resume" } else { "" };
        let part = bench.program.command(&parts, &format!("{}{resume}", case.begin));
        let mut running = Running::start(part, "")?;
        running.close();
        thread::sleep(Duration::from_micros(bench.random.below(length.as_micros() as u64)));
        running.kill();
        let ended = running.wait(STUCK)?;
        let after = inspect(bench, case, &parts);
        let result = match after {
            Err(error) => Err(format!("what the kill left: {error}")),
            Ok(after) => {
                let result = judge(case, before.as_ref(), after.as_ref());
                before = after;
                result
            }
        };
        let result = result.and_then(|()| match ended.code {
            None => Ok(()),
            Some(0) => compare(case, &expected, before.as_ref(), &whole, &parts),
            Some(_) => Err(format!("the run after a kill: {}", ended.describe())),
        });
        if result.is_err() || ended.code.is_some() {
            games += usize::from(ended.code == Some(0));
            before = None;
            clear(&parts)?;
        }
        row.count(result);
    }
    // The last game is played to its end.
    let resume = if before.is_some() { " --resume" } else { "" };
    let last = process::run(bench.program.command(&parts, &format!("{}{resume}", case.begin)))?;
    let result = if last.code == Some(0) {
        let found = inspect(bench, case, &parts)?;
        games += 1;
        compare(case, &expected, found.as_ref(), &whole, &parts)
    } else {
        Err(format!("the last part: {}", last.describe()))
    };
    if result.is_err() {
        row.count(result);
    }
    row.note = format!("{games} games ended as an unkilled one of {:.2} s", length.as_secs_f64());
    Ok(row)
}

/// Returns the object that the file in the folder amounts to, or `None` if there is no file.
fn inspect(bench: &Bench, case: &Case, folder: &Path) -> Result<Option<Value>> {
    if !folder.join(case.file).exists() {
        return Ok(None);
    }
    lasting(&succeed(bench.program.command(folder, case.inspect))?).map(Some)
}

/// Checks that nothing was lost by a kill.
fn judge(case: &Case, before: Option<&Value>, after: Option<&Value>) -> std::result::Result<(), String> {
    let progress = |value: Option<&Value>| value.map(|value| value[case.progress].as_u64().unwrap_or(0));
    let (before, after) = (progress(before), progress(after));
    if after < before { Err(format!("{} went from {before:?} to {after:?}", case.progress)) } else { Ok(()) }
}

/// Checks that a run in parts ended as one in a piece.
fn compare(
    case: &Case,
    expected: &Value,
    found: Option<&Value>,
    whole: &Path,
    parts: &Path,
) -> std::result::Result<(), String> {
    if found != Some(expected) {
        return Err(format!("a game in parts ended with {found:?}, expected {expected}"));
    }
    for file in case.equal {
        let read = |folder: &Path| std::fs::read(folder.join(file)).map_err(|error| error.to_string());
        if read(whole)? != read(parts)? {
            return Err(format!("{file} of a game in parts differs"));
        }
    }
    Ok(())
}

pub(super) fn run(bench: &mut Bench) -> Vec<Row> {
    CASES
        .iter()
        .map(|case| run_case(bench, case).unwrap_or_else(|error| Row::broken(case.name, &*error)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_file_may_appear_and_grow_only() {
        let judge = |before: Option<u64>, after: Option<u64>| {
            let value = |pieces: Option<u64>| pieces.map(|pieces| json!({ "pieces": pieces }));
            judge(&CASES[0], value(before).as_ref(), value(after).as_ref()).is_ok()
        };
        assert!(judge(None, None) && judge(None, Some(3)) && judge(Some(3), Some(3)));
        assert!(judge(Some(3), Some(5)));
        assert!(!judge(Some(3), Some(2)) && !judge(Some(3), None));
    }
}
