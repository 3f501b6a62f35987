//! Runs of the program, from start to end.

use crate::Result;
use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The time after which a run that should have ended is stuck.
pub(super) const STUCK: Duration = Duration::from_mins(2);

/// The program under test.
pub(super) struct Program {
    path: PathBuf,
}

impl Program {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the command `bitcade ARGUMENTS` in a folder. The arguments are separated by blanks; a word
    /// `BOT` stands for a bot that thinks for a fixed number of nodes.
    pub(super) fn command(&self, folder: &Path, arguments: &str) -> Command {
        self.command_under(&[], folder, arguments)
    }

    /// Returns a command that runs under another one, such as `prlimit --nproc=9`.
    pub(super) fn command_under(&self, outer: &[&str], folder: &Path, arguments: &str) -> Command {
        let mut command = match outer {
            [] => Command::new(&self.path),
            [program, rest @ ..] => {
                let mut command = Command::new(program);
                command.args(rest).arg(&self.path);
                command
            }
        };
        command.args(arguments.split_whitespace().map(|word| match word {
            "BOT" if self.path.display().to_string().contains(' ') => {
                format!("\"{}\" tetris tbp --nodes 40", self.path.display())
            }
            "BOT" => format!("{} tetris tbp --nodes 40", self.path.display()),
            word => word.to_owned(),
        }));
        command.current_dir(folder);
        command
    }
}

/// A process that runs.
pub(super) struct Running {
    child: Child,
    /// Open until the process has ended or [`Running::close`] is called.
    stdin: Option<ChildStdin>,
    stdout: Option<JoinHandle<Vec<u8>>>,
    stderr: Option<JoinHandle<Vec<u8>>>,
}

/// The end of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ended {
    /// The exit status, or none after a signal.
    pub(super) code: Option<i32>,
    pub(super) stdout: String,
    pub(super) stderr: String,
    /// Ended by [`Running::wait`] since it was stuck.
    pub(super) stuck: bool,
}

impl Running {
    /// Starts a process and gives it some input.
    pub(super) fn start(mut command: Command, input: &str) -> Result<Self> {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let mut stdin = child.stdin.take();
        if let Some(stdin) = &mut stdin {
            // A program that refuses its arguments does not read its input.
            let _ = stdin.write_all(input.as_bytes());
        }
        let stdout = child.stdout.take().map(reader);
        let stderr = child.stderr.take().map(reader);
        Ok(Self { child, stdin, stdout, stderr })
    }

    /// Closes the standard input.
    pub(super) fn close(&mut self) {
        self.stdin = None;
    }

    /// Returns the number of the process.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns whether the process has ended.
    pub(super) fn ended(&mut self) -> Result<bool> {
        Ok(self.child.try_wait()?.is_some())
    }

    /// Kills the process, as by `kill -9`.
    pub(super) fn kill(&mut self) {
        let _ = self.child.kill();
    }

    /// Waits for the end, at most a time; then kills the process.
    pub(super) fn wait(mut self, limit: Duration) -> Result<Ended> {
        let start = Instant::now();
        let mut stuck = false;
        let status = loop {
            if let Some(status) = self.child.try_wait()? {
                break status;
            }
            if start.elapsed() > limit {
                stuck = true;
                self.kill();
                break self.child.wait()?;
            }
            thread::sleep(Duration::from_millis(1));
        };
        drop(self.stdin.take());
        let join = |pipe: Option<JoinHandle<Vec<u8>>>| {
            let bytes = pipe.and_then(|pipe| pipe.join().ok()).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let (stdout, stderr) = (join(self.stdout.take()), join(self.stderr.take()));
        Ok(Ended { code: status.code(), stdout, stderr, stuck })
    }
}

fn reader(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
}

/// Runs a command to its end, without input.
pub(super) fn run(command: Command) -> Result<Ended> {
    let mut running = Running::start(command, "")?;
    running.close();
    running.wait(STUCK)
}

/// Runs a command that must end with status 0, and returns its standard output.
pub(super) fn succeed(command: Command) -> Result<String> {
    let shown = format!("{command:?}");
    let ended = run(command)?;
    if ended.code == Some(0) {
        Ok(ended.stdout)
    } else {
        Err(format!("{shown}: {}", ended.describe()).into())
    }
}

impl Ended {
    /// Returns the end in words.
    pub(super) fn describe(&self) -> String {
        let code = match (self.stuck, self.code) {
            (true, _) => "stuck".to_owned(),
            (false, Some(code)) => format!("status {code}"),
            (false, None) => "ended by a signal".to_owned(),
        };
        let lines: Vec<&str> = self.stderr.lines().take(3).collect();
        format!("{code}: {}", lines.join(" | "))
    }

    /// Checks that the command was refused: one of these statuses, one line on standard error, and nothing on
    /// standard output.
    pub(super) fn refused(&self, codes: &[i32]) -> std::result::Result<(), String> {
        let one_line = self.stderr.lines().count() == 1 && self.stderr.starts_with("bitcade: ");
        if self.code.is_some_and(|code| codes.contains(&code)) && one_line && self.stdout.is_empty() {
            Ok(())
        } else {
            Err(self.describe())
        }
    }

    /// Checks that the command failed in words: one of these statuses, and exactly one message.
    pub(super) fn failed(&self, codes: &[i32]) -> std::result::Result<(), String> {
        // That threads are missing is a remark, and no failure.
        let remark = |line: &&str| !line.contains(" threads could be started");
        let mut messages = self.stderr.lines().filter(remark);
        let in_words =
            messages.next().is_some_and(|line| line.starts_with("bitcade: ")) && messages.next().is_none();
        if self.code.is_some_and(|code| codes.contains(&code)) && in_words {
            Ok(())
        } else {
            Err(self.describe())
        }
    }
}

/// Returns whether a program can be run, as `prlimit --version`.
pub(super) fn exists(program: impl AsRef<OsStr>) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok()
}

/// Returns the user's number, where `id` tells it.
pub(super) fn user() -> Option<u32> {
    let output = Command::new("id").arg("-u").stdin(Stdio::null()).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

/// A generator of random numbers (splitmix64), so that a seed repeats the faults.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `end`, 0 if that is 0.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }
}

/// Returns the JSON object of a result without the keys that differ between equal runs.
pub(super) fn lasting(json: &str) -> Result<serde_json::Value> {
    const FLEETING: [&str; 3] = ["seconds", "moves_per_second", "pieces_per_second"];
    let last = json.lines().last().ok_or("no result was printed")?;
    let mut value: serde_json::Value = serde_json::from_str(last)?;
    let object = value.as_object_mut().ok_or("expected a JSON object")?;
    for key in FLEETING {
        object.remove(key);
    }
    Ok(value)
}

/// Removes the files of a folder.
pub(super) fn clear(folder: &Path) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        std::fs::remove_file(entry?.path())?;
    }
    Ok(())
}

/// Returns an empty folder below another one.
pub(super) fn fresh(folder: &Path, name: &str) -> Result<PathBuf> {
    let path = folder.join(name.replace(' ', "-"));
    std::fs::create_dir_all(&path)?;
    clear(&path)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(code: Option<i32>, stdout: &str, stderr: &str) -> Ended {
        Ended { code, stdout: stdout.to_owned(), stderr: stderr.to_owned(), stuck: false }
    }

    #[test]
    fn one_line_and_a_status_are_a_refusal() {
        let line = "bitcade: file: line 3: expected a piece\n";
        assert_eq!(ended(Some(2), "", line).refused(&[2]), Ok(()));
        for other in [
            ended(Some(1), "", line),
            ended(Some(0), "", ""),
            ended(None, "", line),
            ended(Some(2), "score 1\n", line),
            ended(Some(2), "", &line.repeat(2)),
            ended(Some(101), "", "thread 'main' panicked at\n"),
        ] {
            assert!(other.refused(&[2]).is_err(), "{other:?}");
        }
        assert_eq!(ended(Some(1), "score 1\n", line).failed(&[1]), Ok(()));
        assert!(ended(Some(1), "", &line.repeat(2)).failed(&[1]).is_err());
    }

    #[test]
    fn equal_runs_differ_in_their_times_only() {
        let fast = lasting("{\"a\":1}\n{\"score\":7,\"seconds\":0.1}\n").unwrap();
        assert_eq!(fast, lasting("{\"score\":7,\"seconds\":99.5}").unwrap());
        assert_ne!(fast, lasting("{\"score\":8,\"seconds\":0.1}").unwrap());
        assert!(lasting("").is_err() && lasting("score 7").is_err());
    }

    #[test]
    fn random_numbers_repeat_and_stay_below() {
        let draw = |seed| {
            let mut random = Random::new(seed);
            (0..1000).map(|_| random.below(10)).collect::<Vec<_>>()
        };
        let first = draw(1);
        assert_eq!(first, draw(1));
        assert_ne!(first, draw(2));
        assert!((0..10).all(|digit| first.contains(&digit)) && first.iter().all(|&digit| digit < 10));
        assert_eq!(Random::new(1).below(0), 0);
    }
}
