//! Signals: SIGINT, SIGTERM and SIGHUP to every long command. It ends soon with status 130 or 143, has saved
//! its state, and prints what it has reached.

use super::bench::{Bench, Row};
use super::process::{Ended, Running, exists, fresh, succeed};
use crate::Result;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// A long command.
struct Case {
    name: &'static str,
    arguments: &'static str,
    /// The standard input, which stays open.
    input: &'static str,
    /// Text of the results that are printed on standard output, empty if there are none.
    prints: &'static str,
    /// Reads the state that was saved; empty if none is.
    inspect: &'static str,
}

const fn case(name: &'static str, arguments: &'static str, prints: &'static str) -> Case {
    Case { name, arguments, input: "", prints, inspect: "" }
}

const CASES: [Case; 24] = [
    Case {
        inspect: "contest verify game",
        ..case("contest solve (beam)", "contest solve --time 9000 --out game", "score ")
    },
    Case {
        inspect: "contest verify game",
        ..case("contest solve (wide beam)", "contest solve --width 300000 --out game", "score ")
    },
    Case {
        inspect: "contest verify game",
        ..case("contest solve (tree)", "contest solve --depth 10 --out game", "score ")
    },
    Case {
        inspect: "2048 train --resume --games 1 --out net",
        ..case("2048 train", "2048 train --minutes 900 --out net", "games ")
    },
    Case {
        inspect: "tetris match --bot BOT --bot BOT --resume --games 1 --pieces 600 --milliseconds 100 --out match",
        ..case(
            "tetris match",
            "tetris match --bot BOT --bot BOT --games 900 --pieces 600 --milliseconds 100 --out match",
            "games ",
        )
    },
    case("match3 play, random", "match3 play --agent random --games 100 --moves 4000000000", "mean_score"),
    case("match3 play, greedy", "match3 play --agent greedy --games 100 --moves 4000000000", "mean_score"),
    case(
        "match3 play, rollout",
        "match3 play --agent rollout --games 1000 --size 16x16 --budget 100000",
        "mean_score",
    ),
    case("2048 playouts", "2048 playouts --games 4000000000", "games "),
    case("2048 playouts 8x8", "2048 playouts --size 8x8 --games 100000", "games "),
    case("2048 solve", "2048 solve --size 3x3", ""),
    Case {
        input: "2 . . .\n. . . .\n. . . .\n. . . 2\n\n",
        ..case("2048 perft", "2048 perft --depth 60 board", "depth 1 ")
    },
    case("2048 play", "2048 play --net net --depth 6 --games 1000", "games "),
    case("tetris perft", "tetris perft --queue IOLJSZTIOLJSZT --depth 14", "depth 1 "),
    case(
        "tetris perft --hard-drop",
        "tetris perft --queue IOLJSZTIOLJSZT --depth 14 --hard-drop",
        "depth 1 ",
    ),
    case("tetris control", "tetris control --weights dt20 --time 9000", "pieces"),
    Case { input: "{\"type\":\"rules\"}\n", ..case("tetris tbp", "tetris tbp --nodes 4000000", "\"info\"") },
    case("go perft", "go perft --size 5x5 --depth 60", " 1 "),
    case("go playouts 9x9", "go playouts --size 9 --games 4000000000", "games "),
    case("go playouts 19x19", "go playouts --size 19 --games 4000000000", "games "),
    case("go gtp, waiting", "go gtp", ""),
    Case { input: "genmove b\n", ..case("go gtp, thinking", "go gtp --seconds 9000", "") },
    Case { input: "kata-analyze b 50\n", ..case("go gtp, analyzing", "go gtp", "=") },
    case("the tour", "", ""),
];

/// The signals, and the exit status of a run that one has ended.
const SIGNALS: [(&str, i32); 3] = [("INT", 130), ("TERM", 143), ("HUP", 143)];

/// The time in which a run must end. On a machine with nothing else to do it is half a second at most.
const LIMIT: Duration = Duration::from_secs(2);

pub(super) fn run(bench: &mut Bench) -> Result<Vec<Row>> {
    if !exists("kill") || !Path::new("/proc/self/status").exists() {
        return Ok(vec![Row::skipped("every long command", "needs kill and /proc")]);
    }
    let net = fresh(bench.folder, "signal-net")?;
    succeed(bench.program.command(&net, "2048 train --games 50 --out net"))?;
    let mut rows = Vec::new();
    for case in &CASES {
        let mut row = Row::new(case.name);
        let mut longest = Duration::ZERO;
        for (signal, code) in SIGNALS {
            let folder = fresh(bench.folder, "signal")?;
            if case.arguments.contains("--net net") {
                fs::copy(net.join("net"), folder.join("net"))?;
            }
            if case.arguments.ends_with("board") {
                fs::write(folder.join("board"), case.input)?;
            }
            let running = Running::start(bench.program.command(&folder, case.arguments), case.input)?;
            if !catches(running.id()) {
                running.wait(Duration::ZERO)?;
                row.count(Err(format!("SIG{signal} is not caught")));
                continue;
            }
            // The work begins after the handler is there.
            thread::sleep(Duration::from_millis(300 + bench.random.below(100)));
            let start = Instant::now();
            Command::new("kill").args([format!("-{signal}"), running.id().to_string()]).status()?;
            let ended = running.wait(Duration::from_secs(20))?;
            let took = start.elapsed();
            longest = longest.max(took);
            let mut result = judge(case, code, &ended, took).map_err(|why| format!("SIG{signal}: {why}"));
            if result.is_ok() && !case.inspect.is_empty() {
                let read = succeed(bench.program.command(&folder, case.inspect));
                result = read.map(|_| ()).map_err(|error| format!("SIG{signal}: the saved state: {error}"));
            }
            row.count(result);
        }
        row.note = format!("at most {} ms", longest.as_millis());
        rows.push(row);
    }
    Ok(rows)
}

/// Returns whether a process catches SIGTERM, as soon as it does.
fn catches(process: u32) -> bool {
    const BIT: u64 = 1 << 14;
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(5) {
        let Ok(status) = fs::read_to_string(format!("/proc/{process}/status")) else { return false };
        if caught(&status).is_some_and(|mask| mask & BIT != 0) {
            return true;
        }
        thread::sleep(Duration::from_millis(2));
    }
    false
}

/// Returns the mask of caught signals in a status of `/proc`.
fn caught(status: &str) -> Option<u64> {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

/// Checks the end of a run that got a signal.
fn judge(case: &Case, code: i32, ended: &Ended, took: Duration) -> std::result::Result<(), String> {
    if ended.stuck || took > LIMIT {
        Err(format!("ended after {} ms", took.as_millis()))
    } else if ended.code != Some(code) {
        Err(format!("expected status {code}: {}", ended.describe()))
    } else if !ended.stdout.contains(case.prints) {
        Err(format!("printed no {:?}: {:?}", case.prints.trim(), ended.stdout))
    } else if ended.stderr.contains("panicked") {
        Err(ended.describe())
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mask_of_caught_signals() {
        assert_eq!(caught("Name:\tx\nSigIgn:\t01\nSigCgt:\t0000000000004003\n"), Some(0x4003));
        assert_eq!(caught("SigCgt:\tx"), None);
        assert_eq!(caught(""), None);
    }

    #[test]
    fn a_run_ends_soon_with_its_results() {
        let case = case("x", "x", "score ");
        let ended = |code: i32, stdout: &str| Ended {
            code: Some(code),
            stdout: stdout.to_owned(),
            ..Ended::default()
        };
        let soon = Duration::from_millis(9);
        assert!(judge(&case, 143, &ended(143, "score 7\n"), soon).is_ok());
        assert!(judge(&case, 143, &ended(143, "score 7\n"), Duration::from_secs(9)).is_err());
        assert!(judge(&case, 143, &ended(0, "score 7\n"), soon).is_err());
        assert!(judge(&case, 130, &ended(143, "score 7\n"), soon).is_err());
        assert!(judge(&case, 143, &ended(143, ""), soon).is_err());
    }
}
