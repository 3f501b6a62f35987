//! `soak`: the memory of long runs. A Go engine plays random sessions and a 2048 network learns, both for 30
//! minutes; neither may use more memory than in its first minute, and the engine may not fail a command.
//!
//! - The engine is judged by its highest resident size. Its first commands fill its largest tree.
//! - The training allocates its tables at the start and touches them bit by bit, so that its resident size
//!   grows for hours towards a known end. It is judged by the data that it has allocated, between two saves:
//!   the file that a save makes in memory grows with the part of the tables that was touched.

use crate::runner::executables;
use crate::workspace::{Workspace, cargo};
use crate::{Result, table};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
#[command(after_help = "Example: cargo xtask soak --minutes 5")]
pub(crate) struct Args {
    /// The length of the run, at least 1
    #[arg(long, value_name = "M", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    minutes: u64,
    /// The seed of the sessions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The program to run instead of a new release build
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

/// The growth after the warm-up that is no leak: 5 percent and 2 MB.
const ALLOWED_PERCENT: u64 = 5;
const ALLOWED_KB: u64 = 2048;

pub(crate) fn run(args: &Args) -> Result {
    if !cfg!(target_os = "linux") {
        println!("SKIPPED: the memory of a process is read from /proc on Linux");
        return Ok(true);
    }
    let bitcade = args.program.clone().map_or_else(build, Ok)?;
    let folder = Folder::create()?;
    let length = Duration::from_secs(60 * args.minutes);
    let warm_up = if args.minutes == 1 { length / 2 } else { Duration::from_mins(1) };
    let end = Instant::now() + length;
    let mut training = Command::new(&bitcade);
    training.args(["2048", "train", "--save-every", "0.25", "--minutes", &args.minutes.to_string(), "--out"]);
    training.arg(folder.0.join("net")).stdin(Stdio::null()).stdout(Stdio::null());
    let mut training = Running::start(&mut training)?;
    let mut engine = Command::new(&bitcade);
    engine.args(["go", "gtp", "--playouts", "200", "--memory", "16"]);
    let mut engine = Running::start(engine.stdin(Stdio::piped()).stdout(Stdio::piped()))?;
    let mut session = Session::new(&mut engine.child, &folder.0, args.seed)?;

    let (failure, sizes) = thread::scope(|scope| -> Result<_> {
        let pids = [engine.child.id(), training.child.id()];
        let sampler = scope.spawn(move || sample(pids, end));
        // The sampler ends by itself at the end of the run.
        let failure = session.play_until(end).err();
        if let Some(failure) = &failure {
            eprintln!("go gtp: {failure}");
        }
        Ok((failure, sampler.join().map_err(|_| "the sampler panicked")?))
    })?;
    drop(session.input);
    let statuses = [engine.child.wait()?, training.child.wait()?];
    let names = [("go gtp", Judged::HighestResident), ("2048 train", Judged::LeastData)];
    let mut failed = usize::from(failure.is_some());
    let mut rows = Vec::new();
    for (((name, judged), sizes), status) in names.into_iter().zip(&sizes).zip(statuses) {
        let summary = Summary::new(judged, sizes, warm_up.as_secs() as usize);
        let held = summary.is_bounded() && status.success();
        failed += usize::from(!held);
        let verdict = if held { "ok".to_owned() } else { format!("FAILED ({status})") };
        rows.push(summary.row(name, &verdict));
    }
    let header =
        ["process", "start MB", "warm", "peak", "end", "judged by", "warm-up MB", "after it MB", "verdict"];
    table::print(&header, &[1, 2, 3, 4, 6, 7], rows);
    let counts: Vec<String> =
        session.counts.iter().map(|(command, count)| format!("{count} {command}")).collect();
    println!("\n{} minutes, seed {}: {}", args.minutes, args.seed, counts.join(", "));
    if let Some(failure) = failure {
        println!("go gtp: {failure}");
    }
    Ok(failed == 0)
}

/// Builds the program and returns its file.
fn build() -> Result<PathBuf> {
    let mut build = cargo(&[]);
    build.args(["build", "--release", "--package=bitcade", "--message-format=json-render-diagnostics"]);
    let output = build.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err("bitcade can't be built".into());
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let program = executables(&messages, false, &Workspace::load()?)?.pop();
    Ok(program.ok_or("cargo names no program")?.executable)
}

/// A folder for the files of the run, which is removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn create() -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("bitcade-soak-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A process that ends with the run.
struct Running {
    child: Child,
}

impl Running {
    fn start(command: &mut Command) -> Result<Self> {
        Ok(Self { child: command.spawn()? })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The memory of a process at a moment, in KB.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Memory {
    resident: u64,
    /// The data that it has allocated, touched or not.
    data: u64,
}

impl Memory {
    fn of(pid: u32) -> Option<Self> {
        Self::parse(&std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?)
    }

    fn parse(status: &str) -> Option<Self> {
        let size = |name| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse().ok()
        };
        Some(Self { resident: size("VmRSS:")?, data: size("VmData:")? })
    }
}

/// Reads the sizes of both processes once a second until `end`, and shows them once a minute.
fn sample(pids: [u32; 2], end: Instant) -> [Vec<Memory>; 2] {
    let mut sizes = [Vec::new(), Vec::new()];
    let start = Instant::now();
    while Instant::now() < end {
        for (sizes, pid) in sizes.iter_mut().zip(pids) {
            sizes.extend(Memory::of(pid));
        }
        let seconds = sizes[0].len() as u64;
        if seconds % 60 == 1 {
            let now =
                sizes.each_ref().map(|sizes| megabytes(sizes.last().copied().unwrap_or_default().resident));
            eprintln!("minute {}: go gtp {} MB, 2048 train {} MB", seconds / 60, now[0], now[1]);
        }
        thread::sleep(
            (start + Duration::from_secs(seconds.max(1))).saturating_duration_since(Instant::now()),
        );
    }
    sizes
}

fn megabytes(kilobytes: u64) -> String {
    format!("{:.1}", kilobytes as f64 / 1024.0)
}

/// The quantity by which a process is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Judged {
    HighestResident,
    LeastData,
}

/// The memory of a process in the warm-up and after it, in KB.
#[derive(Debug, PartialEq)]
struct Summary {
    judged: Judged,
    start: u64,
    warm: u64,
    highest: u64,
    end: u64,
    before: u64,
    after: u64,
}

impl Summary {
    /// Returns the summary of one reading a second, of which the first `warm_up` belong to the warm-up.
    fn new(judged: Judged, readings: &[Memory], warm_up: usize) -> Self {
        let (first, rest) = readings.split_at(warm_up.min(readings.len()));
        let resident = |memory: Option<&Memory>| memory.copied().unwrap_or_default().resident;
        let highest = |part: &[Memory]| part.iter().map(|memory| memory.resident).max().unwrap_or_default();
        // In the first half of the warm-up the tables are not there yet; the rest counts by its end.
        let second_half = |part: &[Memory]| {
            let half = &part[part.len().saturating_sub(warm_up.div_ceil(2))..];
            half.iter().map(|memory| memory.data).min().unwrap_or_default()
        };
        let (before, after) = match judged {
            Judged::HighestResident => (highest(first), highest(rest)),
            Judged::LeastData => (second_half(first), second_half(rest)),
        };
        let (start, warm, end) =
            (resident(readings.first()), resident(first.last()), resident(readings.last()));
        Self { judged, start, warm, highest: highest(readings), end, before, after }
    }

    /// Returns whether the process had no more memory, up to what is allowed, than in its warm-up.
    fn is_bounded(&self) -> bool {
        let allowed = self.before + self.before * ALLOWED_PERCENT / 100 + ALLOWED_KB;
        self.after > 0 && self.after <= allowed
    }

    fn row(&self, name: &str, verdict: &str) -> Vec<String> {
        let judged = match self.judged {
            Judged::HighestResident => "highest resident",
            Judged::LeastData => "least data allocated",
        };
        let mut row = vec![name.to_owned()];
        row.extend([self.start, self.warm, self.highest, self.end].map(megabytes));
        row.extend([judged.to_owned(), megabytes(self.before), megabytes(self.after), verdict.to_owned()]);
        row
    }
}

/// A game record for `loadsgf`, and the number of its moves.
const RECORDS: [(&str, usize); 3] = [
    ("(;FF[4]GM[1]SZ[9]KM[7.5];B[ee];W[cg];B[gc])", 3),
    ("(;FF[4]GM[1]SZ[19]KM[0.5]AB[dd][pp]PL[W];W[qd];B[dp];W[])", 3),
    ("(;FF[4]GM[1]SZ[13]KM[5.5])", 0),
];

/// The moves after which a new game begins, if it has not ended before.
const MAX_MOVES: usize = 150;

/// A session with the engine.
struct Session<'a> {
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    folder: &'a Path,
    random: u64,
    /// The number of commands by name.
    counts: BTreeMap<String, u64>,
    side: usize,
    moves: usize,
    passes: usize,
}

impl<'a> Session<'a> {
    fn new(child: &mut Child, folder: &'a Path, seed: u64) -> Result<Self> {
        for (number, (record, _)) in RECORDS.iter().enumerate() {
            std::fs::write(folder.join(format!("{number}.sgf")), record)?;
        }
        Ok(Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().ok_or("no stdout")?),
            folder,
            random: seed,
            counts: BTreeMap::new(),
            side: 9,
            moves: 0,
            passes: 0,
        })
    }

    /// Returns a random number below `bound` (`SplitMix64`).
    fn below(&mut self, bound: u64) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.random;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ (word >> 31)) % bound
    }

    fn send(&mut self, command: &str) -> Result<()> {
        let name = command.split(' ').next().unwrap_or_default().to_owned();
        *self.counts.entry(name).or_default() += 1;
        let input = self.input.as_mut().ok_or("no stdin")?;
        input.write_all(format!("{command}\n").as_bytes())?;
        Ok(input.flush()?)
    }

    fn read_line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            return Err("the engine has ended".into());
        }
        Ok(line)
    }

    /// Reads a response to its end. Returns its text, or the engine's error.
    fn response(&mut self) -> Result<std::result::Result<String, String>> {
        let mut text = self.read_line()?;
        loop {
            let line = self.read_line()?;
            if line == "\n" {
                break;
            }
            text += &line;
        }
        let body = text.get(1..).unwrap_or_default().trim().to_owned();
        Ok(if text.starts_with('=') { Ok(body) } else { Err(body) })
    }

    /// Sends a command and returns the text of its response, which must not be an error.
    fn ask(&mut self, command: &str) -> Result<String> {
        self.send(command)?;
        self.response()?.map_err(|error| format!("{command}: {error}").into())
    }

    /// Plays sessions until `end`.
    fn play_until(&mut self, end: Instant) -> Result<()> {
        self.fill_tree()?;
        while Instant::now() < end {
            self.step()?;
        }
        self.ask("quit").map(drop)
    }

    /// Fills the largest tree, and copies it by a move.
    fn fill_tree(&mut self) -> Result<()> {
        self.set_board("boardsize 19", 19)?;
        self.analyze("lz-analyze b 100", Duration::from_secs(15))?;
        self.ask("play b K10")?;
        self.analyze("lz-analyze w 100", Duration::from_secs(5))?;
        self.set_board("boardsize 9", 9)
    }

    fn set_board(&mut self, command: &str, side: usize) -> Result<()> {
        self.ask(command)?;
        (self.side, self.moves, self.passes) = (side, 0, 0);
        Ok(())
    }

    /// Starts an analysis and ends it after `length` by another command.
    fn analyze(&mut self, command: &str, length: Duration) -> Result<()> {
        self.send(command)?;
        let end = Instant::now() + length;
        // The first line is `=`, then each report has one.
        while Instant::now() < end {
            let line = self.read_line()?;
            if line.starts_with('?') {
                return Err(format!("{command}: {line}").into());
            }
        }
        self.send("name")?;
        while self.read_line()? != "\n" {}
        self.response()?.map(drop).map_err(|error| format!("name: {error}").into())
    }

    /// Makes the engine play, by either command. A game that is over begins anew.
    fn generate(&mut self) -> Result<()> {
        let color = ["b", "w"][self.moves % 2];
        let mv = if self.below(10) == 0 {
            let text = self.ask(&format!("lz-genmove_analyze {color} 5"))?;
            text.rsplit_once("play ").map(|(_, mv)| mv.to_owned()).ok_or(format!("no move in {text}"))?
        } else {
            self.ask(&format!("genmove {color}"))?
        };
        self.moves += 1;
        self.passes = if mv == "pass" { self.passes + 1 } else { 0 };
        if mv == "resign" || self.passes == 2 || self.moves == MAX_MOVES {
            self.ask("final_score")?;
            self.set_board("clear_board", self.side)?;
        }
        Ok(())
    }

    /// Plays on a random point, possibly an illegal move.
    fn play(&mut self) -> Result<()> {
        let color = ["b", "w"][self.moves % 2];
        let column = b"ABCDEFGHJKLMNOPQRST"[self.below(self.side as u64) as usize] as char;
        let row = 1 + self.below(self.side as u64);
        let command = format!("play {color} {column}{row}");
        self.send(&command)?;
        match self.response()? {
            Ok(_) => (self.moves, self.passes) = (self.moves + 1, 0),
            Err(error) if error == "illegal move" => {}
            Err(error) => return Err(format!("{command}: {error}").into()),
        }
        Ok(())
    }

    /// Takes moves back, perhaps more than there are.
    fn undo(&mut self) -> Result<()> {
        for _ in 0..=self.below(4) {
            self.send("undo")?;
            match (self.response()?, self.moves) {
                (Ok(_), 1..) => self.moves -= 1,
                (Err(error), 0) if error == "cannot undo" => {}
                (answer, moves) => return Err(format!("undo after {moves} moves: {answer:?}").into()),
            }
            self.passes = 0;
        }
        Ok(())
    }

    fn load_record(&mut self) -> Result<()> {
        let number = self.below(RECORDS.len() as u64) as usize;
        let file = self.folder.join(format!("{number}.sgf"));
        self.ask(&format!("loadsgf {}", file.display()))?;
        (self.side, self.moves, self.passes) = ([9, 19, 13][number], RECORDS[number].1, 0);
        Ok(())
    }

    /// Sends a random command.
    fn step(&mut self) -> Result<()> {
        match self.below(100) {
            0..60 => self.generate(),
            60..72 => self.play(),
            72..80 => self.undo(),
            80..83 => self.load_record(),
            83..87 => {
                let length = Duration::from_millis(self.below(200));
                let command = ["lz-analyze 5", "kata-analyze 5 ownership true"][self.below(2) as usize];
                self.analyze(command, length)
            }
            87..90 => {
                let side = [5, 9, 13, 19][self.below(4) as usize];
                self.set_board(&format!("boardsize {side}"), side)
            }
            90..92 => self.set_board("clear_board", self.side),
            92..94 => {
                let komi = self.below(15);
                self.ask(&format!("komi {komi}.5")).map(drop)
            }
            94..96 => self.ask("final_status_list dead").map(drop),
            96..98 => self.ask("reg_genmove b").map(drop),
            _ => self.ask("showboard").map(drop),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Judged, Memory, Summary};

    fn readings(sizes: &[u64]) -> Vec<Memory> {
        sizes.iter().map(|&size| Memory { resident: size, data: 2 * size }).collect()
    }

    #[test]
    fn the_highest_size_is_bounded_by_the_warm_up() {
        let summary = |sizes: &[u64]| Summary::new(Judged::HighestResident, &readings(sizes), 3);
        let steady = summary(&[1_000, 100_000, 90_000, 80_000, 106_000, 95_000]);
        assert_eq!((steady.start, steady.warm, steady.highest), (1_000, 90_000, 106_000));
        assert_eq!((steady.before, steady.after, steady.end), (100_000, 106_000, 95_000));
        assert!(steady.is_bounded());
        assert!(!summary(&[1_000, 100_000, 90_000, 107_100]).is_bounded());
        assert!(!summary(&[1_000, 1_000]).is_bounded(), "it has ended in its warm-up");
    }

    #[test]
    fn the_least_data_leaves_out_saves() {
        let summary = |sizes: &[u64]| Summary::new(Judged::LeastData, &readings(sizes), 4);
        let steady = summary(&[1_000, 1_000, 90_000, 50_000, 90_000, 50_000, 90_000, 50_100]);
        assert_eq!((steady.before, steady.after), (100_000, 100_200));
        assert!(steady.is_bounded());
        assert!(!summary(&[1_000, 1_000, 90_000, 50_000, 90_000, 60_000, 90_000, 60_000]).is_bounded());
    }

    #[test]
    fn the_status_of_a_process_is_parsed() {
        let status = "VmHWM:\t 20 kB\nVmRSS:\t    1234 kB\nRssAnon: 3 kB\nVmData:\t 5678 kB\n";
        assert_eq!(Memory::parse(status), Some(Memory { resident: 1234, data: 5678 }));
        assert_eq!(Memory::parse("Name:\tzombie\n"), None);
    }
}
