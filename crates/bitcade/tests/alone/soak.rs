//! The memory of long runs: a Go engine plays random sessions while a 2048 network learns, for some
//! seconds, or for the minutes in `BITCADE_SOAK_MINUTES`. Neither needs more memory than in its
//! warm-up, and no command fails.
//!
//! - The engine is judged by its peak resident size. Its first commands fill its largest tree.
//! - The training allocates its tables at the start and touches them bit by bit, so its resident
//!   size grows for hours toward a known limit. It is judged by its allocated data between two
//!   saves, since the in-memory file of a save grows with the touched part of the tables.

use crate::common::{PROGRAM, folder};
use bitcore::Rng;
use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Returns a process size in KB.
fn size(process: u32, name: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("a process");
    let line =
        status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).expect("a size");
    line.trim().trim_end_matches(" kB").parse().expect("a number of KB")
}

/// Game records for `loadsgf`.
const RECORDS: [&str; 3] = [
    "(;FF[4]GM[1]SZ[9]KM[7.5];B[ee];W[cg];B[gc])",
    "(;FF[4]GM[1]SZ[19]KM[0.5]AB[dd][pp]PL[W];W[qd];B[dp];W[])",
    "(;FF[4]GM[1]SZ[13]KM[5.5])",
];

struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    commands: usize,
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Engine {
    fn start(folder: &Path) -> Self {
        let mut command = Command::new(PROGRAM);
        command.args(["go", "gtp", "--playouts", "200", "--memory", "16"]).current_dir(folder);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let input = child.stdin.take().expect("piped");
        let output = child.stdout.take().expect("piped");
        Self { child, input, output: BufReader::new(output), commands: 0 }
    }

    fn send(&mut self, command: &str) {
        self.commands += 1;
        self.input.write_all(format!("{command}\n").as_bytes()).expect("it reads");
    }

    /// Reads until the answer to the last command, `name`. Only moves may fail.
    fn finish(&mut self) {
        self.send("name");
        let mut line = String::new();
        while line != "= bitcade\n" {
            let refused = line.strip_prefix("? ").map(str::trim_end);
            assert!(
                refused.is_none_or(|why| ["illegal move", "cannot undo"].contains(&why)),
                "{line}"
            );
            line.clear();
            assert!(
                self.output.read_line(&mut line).expect("it writes") > 0,
                "the engine has ended"
            );
        }
    }

    fn analyze(&mut self, command: &str, length: Duration) {
        self.send(command);
        thread::sleep(length);
        self.finish();
    }

    fn play(&mut self, rng: &mut Rng) {
        let side = [5, 9, 13, 19][rng.below(4) as usize];
        match rng.below(4) {
            0 => self.send(&format!("loadsgf {}.sgf", rng.below(3))),
            _ => self.send(&format!("boardsize {side}")),
        }
        for _ in 0..rng.below(20) {
            let color = ["b", "w"][rng.below(2) as usize];
            let column = b"ABCDEFGHJKLMNOPQRST"[rng.below(side) as usize] as char;
            match rng.below(100) {
                0..60 => self.send(&format!("genmove {color}")),
                60..65 => self.send(&format!("lz-genmove_analyze {color} 5")),
                65..77 => self.send(&format!("play {color} {column}{}", 1 + rng.below(side))),
                77..85 => self.send("undo"),
                85..87 => self.send(&format!("komi {}.5", rng.below(15))),
                87..90 => self.send("final_status_list dead"),
                90..92 => self.send("reg_genmove b"),
                92..94 => self.send("final_score"),
                94..96 => self.send("clear_board"),
                _ => self.send("showboard"),
            }
        }
        let command = ["lz-analyze 5", "kata-analyze 5 ownership true"][rng.below(2) as usize];
        self.analyze(command, Duration::from_millis(rng.next_u64() % 200));
    }
}

fn is_bounded(name: &str, before: u64, after: u64) {
    println!("{name}: {before} KB in the warm-up, {after} KB after it");
    assert!(
        after > 0 && after <= before + before / 20 + 2048,
        "{name}: {before} KB grew to {after} KB"
    );
}

#[test]
fn memory_stays_bounded() {
    let minutes = std::env::var("BITCADE_SOAK_MINUTES").ok();
    let minutes =
        minutes.map(|minutes| minutes.parse::<u32>().ok().filter(|&n| n > 0).expect("minutes"));
    let length =
        minutes.map_or(Duration::from_secs(8), |minutes| 60 * minutes * Duration::from_secs(1));
    let warm_up = (length / 2).min(Duration::from_mins(1));
    let folder = folder("soak");
    for (number, record) in RECORDS.iter().enumerate() {
        folder.write(&format!("{number}.sgf"), record);
    }
    let train = format!(
        "2048 train --save-every {}ms --minutes {}s --out net",
        warm_up.as_millis() / 8,
        length.as_secs()
    );
    let training = folder.run(train).start();
    let mut engine = Engine::start(&folder);
    let begun = Instant::now();
    let processes = [engine.child.id(), training.child.id()];
    let goes_on = || begun.elapsed() + Duration::from_millis(500) < length;
    let sizes: Vec<(Duration, u64, u64)> = thread::scope(|scope| {
        let sampler = scope.spawn(|| {
            let mut sizes = Vec::new();
            while goes_on() {
                sizes.push((
                    begun.elapsed(),
                    size(processes[0], "VmRSS"),
                    size(processes[1], "VmData"),
                ));
                thread::sleep(length / 200);
            }
            sizes
        });
        // The largest tree, which a move copies.
        engine.send("boardsize 19");
        engine.analyze("lz-analyze b 100", warm_up / 4);
        engine.send("play b K10");
        engine.analyze("lz-analyze w 100", warm_up / 8);
        let mut rng = Rng::new(1);
        while goes_on() {
            engine.play(&mut rng);
        }
        sampler.join().expect("both run")
    });
    engine.send("quit");
    assert!(engine.child.wait().expect("it ends").success());
    assert!(training.wait(Duration::from_mins(1)).status.success());
    println!("{length:?}, {} commands", engine.commands);
    let within =
        |times: Range<Duration>| sizes.iter().filter(move |(time, ..)| times.contains(time));
    let highest = |times| within(times).map(|sizes| sizes.1).max().expect("a reading");
    is_bounded("go gtp, resident", highest(Duration::ZERO..warm_up), highest(warm_up..length));
    let least = |times| within(times).map(|sizes| sizes.2).min().expect("a reading");
    // In the first half of the warm-up the tables are not complete yet.
    let end = length.saturating_sub(warm_up / 2)..length;
    is_bounded("2048 train, least data", least(warm_up / 2..warm_up), least(end));
}
