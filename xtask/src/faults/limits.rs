//! Limits of memory and of threads: a command that cannot have what it asks for says so in a line, or does
//! with less. It never panics or aborts.

use super::bench::{Bench, Row};
use super::process::Program;
use super::process::{Ended, Running, STUCK, exists, fresh, succeed, user};
use crate::Result;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// A command that asks for much.
struct Case {
    name: &'static str,
    arguments: &'static str,
    input: &'static str,
}

const fn case(name: &'static str, arguments: &'static str) -> Case {
    Case { name, arguments, input: "" }
}

const GREEDY: [Case; 16] = [
    case("contest solve", "contest solve --width 3000000 --pieces 40 --threads 1 --out game"),
    case("contest solve, widest", "contest solve --width 268435456 --pieces 9 --threads 1 --out game"),
    case("contest solve, many threads", "contest solve --time 2 --threads 1024 --pieces 500 --out game"),
    case("contest solve (tree)", "contest solve --depth 15 --steps 3 --threads 2 --out game"),
    case("2048 solve", "2048 solve --size 3x3"),
    case("2048 train", "2048 train --games 300 --out net"),
    case("2048 play", "2048 play --net net --games 3 --depth 3"),
    Case { input: "2 . . .\n. . . .\n. . . .\n. . . 2\n", ..case("2048 perft", "2048 perft --depth 30") },
    case("2048 playouts", "2048 playouts --size 8x8 --games 1"),
    case("match3 play", "match3 play --agent rollout --size 16x16 --budget 4000000000 --moves 1 --games 1"),
    case("tetris perft", "tetris perft --queue IOLJSZTIOLJSZT --depth 14"),
    case(
        "tetris match",
        "tetris match --bot BOT --bot BOT --games 1 --pieces 3 --milliseconds 0 --out match",
    ),
    Case {
        input: "genmove b\nquit\n",
        ..case("go gtp", "go gtp --size 19 --threads 1024 --playouts 2000000000")
    },
    case("go perft", "go perft --size 19x19 --depth 5"),
    case("go playouts", "go playouts --size 19 --games 2000"),
    Case { input: "{\"type\":\"rules\"}\n", ..case("tetris tbp", "tetris tbp --nodes 1000000000000") },
];

/// The limits of memory in MiB.
const MEMORY: [u32; 4] = [60, 150, 400, 1000];

/// The time that a command has until it is asked to end.
const TIME: Duration = Duration::from_secs(4);

pub(super) fn run(bench: &mut Bench) -> Result<Vec<Row>> {
    let net = fresh(bench.folder, "limit-net")?;
    succeed(bench.program.command(&net, "2048 train --games 50 --out net"))?;
    let mut rows = Vec::new();
    for case in &GREEDY {
        let name = format!("{}, memory", case.name);
        if !exists("sh") {
            rows.push(Row::skipped(name, "there is no shell"));
            continue;
        }
        let mut row = Row::new(name);
        for mebibytes in MEMORY {
            let limit = format!("ulimit -v {}; exec \"$@\"", 1024 * mebibytes);
            let result = play(bench, &["sh", "-c", &limit, "sh"], case, &net)?;
            row.count(result.map_err(|why| format!("{mebibytes} MiB: {why}")));
        }
        rows.push(row);
    }
    rows.extend(threads(bench, &net)?);
    Ok(rows)
}

/// The cases of few threads.
const CROWDED: [usize; 4] = [2, 3, 6, 12];

/// The user for limits on processes: they do not bind root.
const NOBODY: &str = "65534";

fn threads(bench: &mut Bench, net: &Path) -> Result<Vec<Row>> {
    const CASE: &str = "few threads";
    if !exists("prlimit") {
        return Ok(vec![Row::skipped(CASE, "there is no prlimit")]);
    }
    let root = user() == Some(0);
    if root && !exists("setpriv") {
        return Ok(vec![Row::skipped(CASE, "the limit does not bind root, and there is no setpriv")]);
    }
    // Another user can read neither a checkout of root's nor write to it.
    let shared = std::env::temp_dir().join(format!("bitcade-faults-{}", std::process::id()));
    let copy = shared.join("bitcade");
    let rows = (|| -> Result<Vec<Row>> {
        std::fs::create_dir_all(&shared)?;
        std::fs::copy(bench.program.path(), &copy)?;
        let opened = Command::new("chmod").args(["-R", "a+rwx"]).arg(&shared).status()?;
        if !opened.success() {
            return Err("chmod failed".into());
        }
        crowd(net, &shared, &copy, root)
    })();
    let _ = std::fs::remove_dir_all(&shared);
    rows
}

fn crowd(net: &Path, shared: &Path, copy: &Path, root: bool) -> Result<Vec<Row>> {
    let other = Program::new(copy.to_owned());
    let mut rows = Vec::new();
    // Names of the cases that start threads.
    let crowded = ["contest solve", "many threads", "tree", "2048 solve", "2048 train", "tetris", "go gtp"];
    for case in GREEDY.iter().filter(|case| crowded.iter().any(|name| case.name.contains(name))) {
        let mut row = Row::new(format!("{}, few threads", case.name));
        for threads in CROWDED {
            let limit = format!("--nproc={threads}");
            let mut outer: Vec<&str> = Vec::new();
            let user = [format!("--reuid={NOBODY}"), format!("--regid={NOBODY}")];
            if root {
                outer.extend(["setpriv", &user[0], &user[1], "--clear-groups"]);
            }
            outer.extend(["prlimit", &limit]);
            let result = play_in(&other, &outer, case, net, shared)?;
            row.count(result.map_err(|why| format!("{threads} threads: {why}")));
        }
        rows.push(row);
    }
    Ok(rows)
}

fn play(bench: &Bench, outer: &[&str], case: &Case, net: &Path) -> Result<std::result::Result<(), String>> {
    play_in(&bench.program, outer, case, net, bench.folder)
}

/// Runs a case under a limit; one that still works after some time is asked to end.
fn play_in(
    program: &Program,
    outer: &[&str],
    case: &Case,
    net: &Path,
    parent: &Path,
) -> Result<std::result::Result<(), String>> {
    let folder: PathBuf = fresh(parent, "limit")?;
    let _ = Command::new("chmod").arg("a+rwx").arg(&folder).status();
    if case.arguments.contains("--net net") {
        std::fs::copy(net.join("net"), folder.join("net"))?;
    }
    let mut running = Running::start(program.command_under(outer, &folder, case.arguments), case.input)?;
    running.close();
    let start = Instant::now();
    while !running.ended()? && start.elapsed() < TIME {
        std::thread::sleep(Duration::from_millis(5));
    }
    let asked = !running.ended()?;
    if asked {
        Command::new("kill").args(["-TERM", &running.id().to_string()]).status()?;
    }
    Ok(judge(&running.wait(STUCK)?, asked))
}

/// Checks the end of a run under a limit.
fn judge(ended: &Ended, asked: bool) -> std::result::Result<(), String> {
    match ended.code {
        Some(0) => Ok(()),
        // Whoever did not record signals yet ends by this one.
        Some(143) | None if asked && !ended.stuck && !ended.stderr.contains("panicked") => Ok(()),
        _ => ended.failed(&[1, 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_does_with_less_or_says_so() {
        let ended = |code, stderr: &str| Ended { code, stderr: stderr.to_owned(), ..Ended::default() };
        let line = "bitcade: not enough memory for 3000000 boards\n";
        for (end, asked) in
            [(ended(Some(0), ""), false), (ended(Some(1), line), false), (ended(Some(143), ""), true)]
        {
            assert_eq!(judge(&end, asked), Ok(()));
        }
        for (code, stderr) in [
            (Some(101), "thread 'main' panicked\n"),
            (Some(134), "memory allocation failed\n"),
            (None, ""),
            (Some(2), ""),
            (Some(143), ""),
        ] {
            assert!(judge(&ended(code, stderr), false).is_err(), "{code:?}");
        }
    }
}
