//! Every command in clap's tree. Commands that can run longer than a second show progress on a
//! terminal, respond to signals within half a second, print their results so far, and resume from
//! their saved state; the others have nothing to save and leave signals alone.
//!
//! `BITCADE_FAULTS=full` sends every signal to each command, after up to three seconds of work.

use crate::common::{bitcade, prepare, short_or_full, stdout, tbp_start, under};
use crate::pty::session::{start_in, wait};
use std::os::unix::process::ExitStatusExt;
use std::thread;
use std::time::{Duration, Instant};

/// The time limit for ending a run after a signal.
const PROMISE: Duration = Duration::from_millis(500);

const SIGNALS: [(&str, u32); 3] = [("INT", 130), ("TERM", 143), ("HUP", 143)];

/// Runs that take longer than any test.
struct Long {
    lines: &'static [&'static str],
    /// Input typed at the start; `START` begins a game of a Tetris bot.
    input: &'static str,
    /// Text that the terminal shows while they work.
    progress: &'static str,
    /// Text shown after the signal or, with a `!`, text not shown. See [`fill_in`].
    results: &'static [&'static str],
    /// A command that resumes the saved state, and its output; or why there is none.
    resumes: Result<[&'static str; 2], &'static str>,
}

const fn long(
    lines: &'static [&'static str],
    progress: &'static str,
    results: &'static [&'static str],
    resumes: Result<[&'static str; 2], &'static str>,
) -> Long {
    Long { lines, input: "", progress, results, resumes }
}

/// Returns sessions, which end with their controller.
const fn session(
    lines: &'static [&'static str],
    input: &'static str,
    progress: &'static str,
    results: &'static [&'static str],
) -> Long {
    Long { input, ..long(lines, progress, results, Err("a session: the controller has the game")) }
}

/// Text in every progress bar.
const BAR: &str = " left";
const GAMES: &str = "games are independent, --seed makes more of them";
const SAVED: &[&str] = &["--resume continues it"];
const READY: &str = "\"ready\"";

static LONG: [Long; 28] = [
    long(
        &[""],
        "perft 3 of this board",
        &["checks passed", "match3 swaps 8x8", "interrupted in section "],
        Err("a demonstration"),
    ),
    long(
        &[
            "watch --seed 1",
            "play",
            "play 2048 --seed 1",
            "play match3 --seed 1",
            "play tetris --seed 1",
            "contest replay game.txt --delay 500",
        ],
        "quit",
        &[],
        Err("a screen: the game ends with its person or show"),
    ),
    long(
        &["play go --size 5", "play go --color white --seconds 1000"],
        "quit",
        &[],
        Err("a screen: --sgf keeps the record"),
    ),
    long(
        &[
            "match3 evaluate --agent rollout --size 16x16 --budget 100000",
            "match3 evaluate --agent random --moves 4000000000 --games 100",
            "2048 playouts --size 8x8 --games 1000000000000",
        ],
        BAR,
        &["interrupted after {games} of "],
        Err(GAMES),
    ),
    long(
        &[
            "match3 evaluate --agent greedy --games 1000000000000",
            "2048 playouts --size 4x4 --games 1000000000000",
            "2048 playouts --size 2x2 --level portable --games 1000000000000",
            "go playouts --size 9 --games 1000000000000",
            "go playouts --size 19 --games 1000000000000",
        ],
        BAR,
        &["interrupted after {games} of ", "!\ngames 0\n"],
        Err(GAMES),
    ),
    long(&["2048 evaluate --net net --depth 8 --games 100"], BAR, &["games 0\n"], Err(GAMES)),
    long(
        &["2048 analyze --depth 8 boards"],
        BAR,
        &["interrupted after 0 of 1 moves", "moves 0, "],
        Err("a game is reviewed in seconds at the default depth"),
    ),
    long(
        &[
            "tetris control --weights dt20 --time 1000",
            "tetris control --weights dt20 --games 1000000000000",
        ],
        BAR,
        &["\npieces ", "!\npieces 0\n"],
        Err(GAMES),
    ),
    long(
        &[
            "2048 perft --depth 40 board",
            "tetris perft --queue IOTLJSZIOTLJSZ --depth 14",
            "tetris perft --queue IOTLJSZIOTLJSZ --depth 14 --spins --level portable",
            "tetris perft --queue IOTLJSZIOTLJSZ --depth 14 --hard-drop",
            "go perft --size 5x5 --depth 60",
            "go perft --size 19x19 --depth 50 --passes",
        ],
        "depth 1 ",
        &["interrupted at depth {depth}"],
        Err("each depth is printed when it is counted"),
    ),
    long(
        &["2048 solve --size 3x3"],
        "layer ",
        &["interrupted without a result"],
        Err("takes a minute at most"),
    ),
    long(
        &["2048 train --minutes 100 --out net"],
        BAR,
        &["!games 0\n"],
        Ok(["2048 train --resume --games {games} --out net", "games {games}\n"]),
    ),
    long(
        &["2048 train --size 8x8 --minutes 100 --out net"],
        BAR,
        &["games 0\n"],
        Err("can't be resumed; the network is saved"),
    ),
    session(&["tetris tbp"], "{\"type\":\"rules\"}\n", READY, &[]),
    session(&["tetris tbp --nodes 4000000", "tetris tbp"], "START", READY, &[]),
    // The best move so far.
    session(
        &["tetris tbp --milliseconds 100000000"],
        "START{\"type\":\"suggest\"}\n",
        READY,
        &["\"type\":\"suggestion\""],
    ),
    long(
        &["tetris match --bot BOT --bot BOT --games 900 --pieces 2 --milliseconds 0 --out match"],
        "2/900",
        &["games {games}\n", "!bitcade: "],
        Ok([
            "tetris match --bot BOT --bot BOT --games {games} --pieces 2 --milliseconds 0 --resume --out match",
            "games {games}\n",
        ]),
    ),
    long(
        &["go match --engine ENGINE --engine ENGINE --size 5 --games 900 --out match"],
        "2/900",
        &["games {games}\n", "!bitcade: "],
        Ok([
            "go match --engine ENGINE --engine ENGINE --size 5 --games {games} --resume --out match",
            "games {games}\n",
        ]),
    ),
    long(
        &["go selfplay --sizes 5 --playouts 200 --games 100000 --out games"],
        BAR,
        &["games {games}\n", "!bitcade: "],
        Ok([
            "go selfplay --sizes 5 --playouts 200 --games {games} --resume --out games",
            "games {games}\n",
        ]),
    ),
    long(
        &["go learn games --epochs 10000 --out prior"],
        BAR,
        &["games 20\n"],
        Err("takes minutes at most, and writes what it has learned"),
    ),
    long(
        &["match3 playtest level.toml --agents random --games 1000000000 --out run"],
        BAR,
        &["interrupted; these are the games so far"],
        Ok([
            "match3 playtest level.toml --agents random --games {games} --resume --out run",
            "games {games}\n",
        ]),
    ),
    // A greeting that never comes, a pause between two moves, a search that takes too long.
    long(
        &[
            "tetris match --games 5 --out match --bot 'sleep 1000' --bot BOT --patience 3600000",
            "tetris match --games 5 --out match --bot BOT --bot BOT --milliseconds 3600000",
            "tetris match --games 5 --out match --bot SLOW --bot SLOW --patience 3600000",
        ],
        BAR,
        &["games 0\n"],
        Err("no game ended"),
    ),
    session(&["go gtp"], "name\n", "= bitcade", &[]),
    session(
        &["go gtp --seconds 1000"],
        "name\ntime_settings 0 0 0\ngenmove b\n",
        "= bitcade",
        &["=\n\n= "],
    ),
    session(
        &["go gtp --playouts 1000000000000"],
        "name\ngenmove b\n",
        "= bitcade",
        &["bitcade\n\n= "],
    ),
    session(&["go gtp --threads 3"], "lz-analyze 10\n", "info move", &[]),
    session(&["go gtp"], "kata-analyze b 10\n", "info move", &[]),
    long(
        &[
            "contest solve --time 1000 --out game",
            "contest solve --width 300000 --out game",
            "contest solve --depth 6 --out game",
            "contest solve --depth 10 --out game",
        ],
        BAR,
        SAVED,
        Ok(["contest verify game --require-checksum", "score {score}\n"]),
    ),
    long(
        &["contest solve --time 900 --out game"],
        BAR,
        SAVED,
        Ok(["contest solve --resume --time 10ms --out game", "pieces 10000\n"]),
    ),
];

fn long_runs() -> impl Iterator<Item = (&'static str, &'static Long)> {
    LONG.iter().flat_map(|long| long.lines.iter().map(move |line| (*line, long)))
}

/// The commands that never work long, with their input. The signal itself ends the wait for endless
/// input, since there is nothing to save.
const SHORT: [(&str, &str); 10] = [
    ("match3 swaps", "1121\n3213\n"),
    ("match3 hint", "1121\n3213\n"),
    ("match3 level", "version = 1\ncolors = 4\nmoves = 9\npieces = \"\"\"\n?????\n?????\"\"\"\n"),
    ("2048 perft --depth 2", "2 .\n. 2\n"),
    ("2048 analyze --depth 2", "2 . . 2 . . . . . . . . . . . ."),
    ("contest verify", "N,D19\n"),
    ("tetris moves --piece T", ""),
    ("keys", ""),
    ("completions bash", ""),
    ("man", ""),
];

/// Adds the names of a command's leaves, the commands that do work.
fn leaves(command: &clap::Command, name: &str, all: &mut Vec<String>) {
    if !command.is_subcommand_required_set() {
        all.push(name.to_owned());
    }
    for command in command.get_subcommands() {
        leaves(command, format!("{name} {}", command.get_name()).trim_start(), all);
    }
}

#[test]
fn every_command_is_listed() {
    let mut all = Vec::new();
    leaves(&bitcade::command(), "", &mut all);
    assert!(all.len() > 20, "{all:?}");
    let lines = || long_runs().map(|(line, _)| line).chain(SHORT.map(|(line, _)| line));
    let is_of = |line: &str, leaf: &str| match line.strip_prefix(leaf) {
        Some(rest) => rest.is_empty() || !leaf.is_empty() && rest.starts_with(' '),
        None => false,
    };
    for leaf in &all {
        assert!(lines().any(|line| is_of(line, leaf)), "`{leaf}` is missing in LONG or SHORT");
    }
    for line in lines() {
        assert!(all.iter().any(|leaf| is_of(line, leaf)), "`{line}` is no command");
    }
}

/// Returns the text with the words in braces replaced: `{depth}` by the number of printed depths
/// plus one, others by the number after the word in a line of the output.
fn fill_in(text: &str, output: &str) -> String {
    let Some((before, rest)) = text.split_once('{') else { return text.to_owned() };
    let (word, rest) = rest.split_once('}').expect("a closing brace");
    let number = |line: &str| line.strip_prefix(word)?.trim_start().parse::<u64>().ok();
    let number = match word {
        "depth" => {
            Some(1 + output.lines().filter(|line| line.starts_with("depth ")).count() as u64)
        }
        _ => output.lines().find_map(number),
    };
    let number = number.unwrap_or_else(|| panic!("no {word}: {output}"));
    format!("{before}{number}{}", fill_in(rest, output))
}

/// Lets a run show progress, signals it some time later, and checks its end. Returns how long it
/// took.
fn interrupt(line: &str, long: &Long, (signal, status): (&str, u32), work: Duration) -> Duration {
    let folder = tempfile::tempdir().expect("a folder");
    prepare(folder.path(), line);
    let mut session = start_in(folder, line, true);
    // Enough space for everything it prints.
    session.resize(240, 200);
    session.press(&long.input.replace("START", &tbp_start()));
    session.shows(long.progress);
    thread::sleep(work);
    let begun = Instant::now();
    session.send(signal);
    wait(&mut *session.child);
    let took = begun.elapsed();
    let (output, folder) = session.ends(status);
    let lines: Vec<&str> = output.lines().map(str::trim_end).collect();
    let output = lines.join("\n") + "\n";
    assert!(!output.contains("panicked"), "{line}: {output}");
    let remarks = output.lines().filter(|line| line.starts_with("bitcade: ")).count();
    // The tour's title begins like a remark.
    assert!(remarks <= 1 + usize::from(line.is_empty()), "{line}: one remark at most: {output}");
    for result in long.results {
        let (result, shown) =
            result.strip_prefix('!').map_or((*result, true), |result| (result, false));
        assert_eq!(output.contains(&fill_in(result, &output)), shown, "{line}: {result}: {output}");
    }
    if let Ok(resumed) = long.resumes {
        let [resume, expected] = resumed.map(|text| fill_in(text, &output));
        let text = bitcade(&resume).within(folder.path()).text();
        assert!(text.contains(&expected), "{resume}: no {expected}: {text}");
    }
    took
}

/// Returns how many programs compete for each core: 1 on a machine that only runs this test.
fn waiting() -> u32 {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(1.0);
    let cores = thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    (load / cores as f64).ceil().max(1.0) as u32
}

#[test]
fn long_runs_show_progress_hear_signals_and_save() {
    for (i, (line, long)) in long_runs().enumerate() {
        for again in 0..short_or_full(1, 3) {
            let signal = SIGNALS[(i + again) % 3];
            let work = Duration::from_millis(short_or_full(150, [300, 1000, 3000][again]));
            // A machine with other work may be late, but not three times.
            let mut took = Vec::new();
            while took.len() < 3 && took.last().is_none_or(|&took| took > PROMISE * waiting()) {
                took.push(interrupt(line, long, signal, work));
            }
            println!("{took:?}: SIG{}: {line}", signal.0);
            let kept = took.last().is_some_and(|&took| took <= PROMISE * waiting());
            assert!(kept, "{line}: {took:?} with {} programs for each core", waiting());
        }
    }
}

/// Runs with nothing to save or print leave signals alone.
#[test]
fn short_runs_leave_signals_alone() {
    for (line, input) in SHORT {
        let begun = Instant::now();
        assert!(!bitcade(line).stdin(input).text().is_empty(), "{line}");
        assert!(begun.elapsed() < Duration::from_secs(1), "{line}");
        if !input.is_empty() {
            let running = bitcade(line).start();
            thread::sleep(Duration::from_millis(100));
            running.send("TERM");
            let output = running.wait(PROMISE);
            assert_eq!(output.status.signal(), Some(15), "{line}: {output:?}");
        }
    }
}

/// `timeout` signals both the program and its group, that is, twice; here also during a save.
#[test]
fn a_signal_that_is_sent_twice_saves_too() {
    for _ in 0..5 {
        let line = "2048 train --minutes 100 --save-every 5ms --out net";
        let session = start_in(tempfile::tempdir().expect("a folder"), line, true);
        session.shows(BAR);
        thread::sleep(Duration::from_millis(50));
        session.send("TERM");
        session.send("TERM");
        let (output, folder) = session.ends(143);
        let resume = fill_in("2048 train --resume --games {games} --out net", &output);
        let text = bitcade(&resume).within(folder.path()).text();
        assert!(text.contains(&fill_in("games {games}\n", &output)), "{output} became {text}");
    }
}

/// Signals that were ignored at the start stay ignored, as in the background of a script; the
/// others end the run.
#[test]
fn ignored_signals_stay_ignored() {
    for (ignored, ending, status) in [("INT", "TERM", 143), ("TERM", "INT", 130)] {
        let shell = ["sh", "-c", &format!("trap '' {ignored}; exec \"$@\""), "sh"];
        let mut running = under(&shell, "tetris control --weights dt20 --time 1000").start();
        thread::sleep(Duration::from_millis(500));
        running.send(ignored);
        thread::sleep(Duration::from_millis(400));
        running.send(ignored);
        assert_eq!(running.ends_within(Duration::from_millis(400)), None, "{ignored}");
        running.send(ending);
        let output = running.wait(Duration::from_secs(8));
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        assert!(stdout(&output).contains("pieces "), "{output:?}");
    }
}

#[test]
fn nohup_is_respected() {
    let line = "tetris control --weights dt20 --time 1000";
    let running = under(&["nohup"], line).start();
    thread::sleep(Duration::from_millis(500));
    running.send("HUP");
    thread::sleep(Duration::from_millis(300));
    running.send("TERM");
    let output = running.wait(Duration::from_secs(8));
    let pieces = fill_in("{pieces}", &stdout(&output)).parse::<u64>();
    assert_eq!(output.status.code(), Some(143), "{output:?}");
    assert!(pieces.is_ok_and(|pieces| pieces > 0), "{output:?}");
}
