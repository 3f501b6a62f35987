//! Runs of the built program and checks of their output.

pub(crate) mod pages;

use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_bitcade");

/// A run of the program that has not started yet.
pub(crate) struct Run {
    command: Command,
    stdin: Vec<u8>,
    line: String,
}

/// Returns the run `bitcade LINE`, split into words like in a shell.
pub(crate) fn bitcade(line: impl AsRef<str>) -> Run {
    under(&[], line)
}

/// Returns a folder for the program's user data, initially empty.
fn home() -> &'static Path {
    static HOME: OnceLock<tempfile::TempDir> = OnceLock::new();
    HOME.get_or_init(|| tempfile::tempdir().expect("a folder")).path()
}

/// Splits a line into words like a shell. `BOT` means a bot that thinks for a fixed number of
/// nodes, `SLOW` one that thinks for an hour, `ENGINE` a Go engine.
pub(crate) fn words(line: &str) -> Vec<String> {
    let words = shell_words::split(line).expect("quotes are closed").into_iter();
    let replaced = |word: String| match word.as_str() {
        "BOT" => format!("'{PROGRAM}' tetris tbp --nodes 40"),
        "SLOW" => format!("'{PROGRAM}' tetris tbp --milliseconds 3600000"),
        "ENGINE" => format!("'{PROGRAM}' go gtp --playouts 10"),
        _ => word,
    };
    words.map(replaced).collect()
}

/// Returns the run `bitcade LINE` under another program, such as `prlimit --nproc=9`.
pub(crate) fn under(outer: &[&str], line: impl AsRef<str>) -> Run {
    let mut command = Command::new(outer.first().unwrap_or(&PROGRAM));
    if !outer.is_empty() {
        command.args(&outer[1..]).arg(PROGRAM);
    }
    let line = line.as_ref().to_owned();
    command.args(words(&line));
    // Keeps the user's own scores and keys out of the tests.
    for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME"] {
        command.env(name, home());
    }
    Run { command, stdin: Vec::new(), line }
}

impl Run {
    pub(crate) fn within(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Starts the program with its standard input open.
    pub(crate) fn start(mut self) -> Running {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.command.spawn().expect("the program starts");
        let stdout = reader(child.stdout.take().expect("piped"));
        let stderr = reader(child.stderr.take().expect("piped"));
        let mut stdin = child.stdin.take().expect("piped");
        // A program that rejects its arguments does not read its input.
        let _ = stdin.write_all(&self.stdin);
        Running { child, stdin: Some(stdin), stdout, stderr, line: self.line }
    }

    pub(crate) fn output(self) -> Output {
        let mut running = self.start();
        running.stdin = None;
        running.wait(Duration::from_mins(2))
    }

    pub(crate) fn text(self) -> String {
        let line = self.line.clone();
        let output = self.output();
        assert!(output.status.success(), "{line}: {}, {}", output.status, stderr(&output));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    pub(crate) fn prints(self, expected: &str) {
        assert_eq!(self.text(), expected);
    }

    pub(crate) fn json(self) -> Value {
        serde_json::from_str(&self.text()).expect("one JSON object")
    }

    /// Checks for `status`, empty standard output, and one line on stderr that contains `message`.
    #[track_caller]
    pub(crate) fn fails(self, status: i32, message: &str) {
        let line = self.line.clone();
        let output = self.output();
        let stderr = stderr(&output);
        assert_eq!(output.status.code(), Some(status), "{line}: {stderr}");
        assert!(output.stdout.is_empty(), "{line}: {}", stdout(&output));
        assert_eq!(stderr.lines().count(), 1, "{line}: {stderr}");
        assert!(stderr.starts_with("bitcade: ") && stderr.contains(message), "{line}: {stderr}");
    }
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub(crate) struct Running {
    pub(crate) child: Child,
    pub(crate) stdin: Option<ChildStdin>,
    stdout: JoinHandle<Vec<u8>>,
    stderr: JoinHandle<Vec<u8>>,
    line: String,
}

fn reader(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
}

impl Running {
    pub(crate) fn wait(mut self, limit: Duration) -> Output {
        let status = self.ends_within(limit);
        if status.is_none() {
            let _ = self.child.kill();
        }
        let status = status.unwrap_or_else(|| panic!("{}: alive after {limit:?}", self.line));
        drop(self.stdin);
        let join = |pipe: JoinHandle<Vec<u8>>| pipe.join().expect("it reads");
        Output { status, stdout: join(self.stdout), stderr: join(self.stderr) }
    }

    pub(crate) fn ends_within(&mut self, limit: Duration) -> Option<std::process::ExitStatus> {
        let begun = Instant::now();
        loop {
            let status = self.child.try_wait().expect("a child");
            if status.is_some() || begun.elapsed() > limit {
                return status;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Sends a signal, given as `TERM`.
    pub(crate) fn send(&self, signal: &str) {
        let kill = Command::new("kill")
            .args([&format!("-{signal}"), &self.child.id().to_string()])
            .status();
        assert!(kill.expect("kill runs").success(), "{}: ended before its signal", self.line);
    }
}

/// Returns `full` if `BITCADE_FAULTS` is `full`, else `short`: a number of faults.
pub(crate) fn short_or_full<T>(short: T, full: T) -> T {
    match std::env::var("BITCADE_FAULTS") {
        Err(_) => short,
        Ok(text) => {
            assert_eq!(text, "full", "BITCADE_FAULTS");
            full
        }
    }
}

/// A folder for one test's files, in which its runs work.
pub(crate) struct Folder(PathBuf);

pub(crate) fn folder(name: &str) -> Folder {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    Folder(path)
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Folder {
    pub(crate) fn run(&self, line: impl AsRef<str>) -> Run {
        bitcade(line).within(self)
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn read(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).expect("UTF-8")
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.join(name), content).expect("written");
    }

    pub(crate) fn remove(&self, name: &str) {
        fs::remove_file(self.join(name)).expect("it was there");
    }

    pub(crate) fn names(&self) -> Vec<String> {
        names(self)
    }
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Returns the keys of results, one per line.
pub(crate) fn keys(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.split(' ').next()).collect()
}

#[track_caller]
pub(crate) fn value<'a>(text: &'a str, key: &str) -> &'a str {
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {key} in {text}"))
}

/// Returns the text without the lines of speeds and times, which vary between runs.
pub(crate) fn untimed(text: &str) -> String {
    let timed = |line: &str| {
        ["per_second", "us_per_move", "seconds "].iter().any(|word| line.contains(word))
    };
    text.lines().filter(|line| !timed(line)).collect::<Vec<_>>().join("\n")
}

/// Writes the files that a command reads to its folder: a network, a contest game, boards.
pub(crate) fn prepare(folder: &Path, line: &str) {
    const MADE: [[&str; 3]; 3] = [
        ["--net net", "net", "2048 train --games 10 --out net"],
        ["game.txt", "game.txt", "contest solve --width 30 --pieces 300 --out game.txt"],
        ["go learn games", "games", "go selfplay --sizes 5 --playouts 20 --games 20 --out games"],
    ];
    static CONTENTS: [OnceLock<Vec<u8>>; 3] = [const { OnceLock::new() }; 3];
    for ([word, file, make], content) in MADE.into_iter().zip(&CONTENTS) {
        if line.contains(word) {
            let content = content.get_or_init(|| {
                bitcade(make).within(folder).text();
                fs::read(folder.join(file)).expect("a file")
            });
            fs::write(folder.join(file), content).expect("written");
        }
    }
    if line.contains(" level.toml") {
        let level = "version = 1\ncolors = 5\nmoves = 20\ngoals = [{ color = 1, count = 20 }]\n\
                     pieces = \"\"\"\n??????\n??????\n??????\n??????\n??????\n??????\"\"\"\n";
        fs::write(folder.join("level.toml"), level).expect("written");
    }
    if line.ends_with(" boards") {
        let boards = "2 . . .\n. . . .\n. . . .\n. . . 2\n\n2 . . .\n. 2 . .\n. . . .\n2 . . .\n";
        fs::write(folder.join("boards"), boards).expect("written");
    }
    if line.ends_with(" board") {
        fs::write(folder.join("board"), "2 4 8 16\n. 2 4 8\n. . 2 2\n. . . 4\n").expect("written");
    }
}

pub(crate) fn tbp_start() -> String {
    let row = format!("[{}]", ["null"; 10].join(","));
    let board = vec![row; 40].join(",");
    let queue = r#"["I","O","T","S","Z","J","L","I","O"]"#;
    let start =
        format!(r#""queue":{queue},"board":[{board}],"hold":null,"combo":0,"back_to_back":false"#);
    format!("{{\"type\":\"rules\"}}\n{{\"type\":\"start\",{start}}}\n")
}
