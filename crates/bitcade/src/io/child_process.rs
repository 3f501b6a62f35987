//! A child process that speaks a protocol of lines, such as a bot or an engine.

use crate::io::input::{MAX_LINE, strip_byte_order_mark};
use crate::io::output::Failure;
use crate::io::threads::no_reader;
use bitcade_files::Blocking;
#[cfg(unix)]
use nix::sys::signal::{Signal, killpg};
#[cfg(unix)]
use nix::unistd::Pid;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

/// A process with a thread for each of its streams, so that nothing it does or leaves undone blocks
/// this program. Dropping it ends the process and everything that it started.
pub(crate) struct ChildProcess {
    child: Child,
    /// The queue of the thread that writes to the process.
    input: Sender<String>,
    /// Disconnected once the process's standard error has ended and been shown.
    shown: Receiver<()>,
}

/// What the threads of a process report.
pub(crate) enum ChildEvent {
    /// The process wrote a line; the line feed is part of it unless the output ended there.
    Line(Vec<u8>),
    /// A text was written to the process, or can't be.
    Written,
    /// Nothing more will be read from the process.
    Ended(Silence),
}

/// Why nothing more is read from a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    Exited,
    LineTooLong,
}

impl ChildProcess {
    /// Starts a command line, split into words like in a shell. `report` receives the events of
    /// both threads, and returns whether it wants more. Errors name the option, such as `--bot`.
    pub(crate) fn start(
        option: &str,
        command: &str,
        report: impl FnMut(ChildEvent) -> bool + Clone + Send + 'static,
    ) -> Result<Self, Failure> {
        let failed = |reason: String| Failure::Input(format!("{option} {command}: {reason}"));
        let words = shell_words::split(command).map_err(|error| failed(error.to_string()))?;
        let (program, arguments) =
            words.split_first().ok_or_else(|| failed("expected a command line".to_owned()))?;
        let mut process = Command::new(program);
        process.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            // A process group for the process and everything it starts, to end them together.
            process.process_group(0);
        }
        let mut child = process.spawn().map_err(|error| failed(error.to_string()))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(failed("the pipes to the process are missing".to_owned()));
        };
        let (input, texts) = channel();
        let (shows, shown) = sync_channel(1);
        // From here on, dropping it on an error ends the process.
        let process = Self { child, input, shown };
        let from_writer = report.clone();
        let threads = spawn(move || write(stdin, &texts, from_writer))
            .and_then(|()| spawn(move || read(stdout, report)))
            .and_then(|()| spawn(move || show(stderr, shows)));
        threads.map_err(|error| no_reader(&format!("the output of {option} {command}"), &error))?;
        Ok(process)
    }

    /// Queues a text for the process. Returns whether [`ChildEvent::Written`] will follow.
    pub(crate) fn send(&self, text: String) -> bool {
        self.input.send(text).is_ok()
    }

    #[cfg(unix)]
    pub(crate) fn send_signal(&self, signal: Signal) {
        let _ = killpg(Pid::from_raw(self.child.id() as i32), signal);
    }

    /// Returns the CPU seconds of the process and everything it started and didn't leave to others.
    /// Known on Linux only.
    pub(crate) fn cpu_seconds(&self) -> Option<f64> {
        #[cfg(target_os = "linux")]
        return linux::cpu_seconds_of_group(self.child.id());
        #[cfg(not(target_os = "linux"))]
        None
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        #[cfg(unix)]
        self.send_signal(Signal::SIGKILL);
        let _ = self.child.kill();
        let _ = self.child.wait();
        // A process that has left the group may keep the standard error open.
        let _ = self.shown.recv_timeout(LAST_WORDS);
    }
}

const LAST_WORDS: Duration = Duration::from_millis(100);

fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().spawn(work).map(drop)
}

/// Writes texts to a process that may not read them. After a failure they are dropped.
fn write(stdin: ChildStdin, texts: &Receiver<String>, mut report: impl FnMut(ChildEvent) -> bool) {
    let mut stdin = Some(stdin);
    for text in texts {
        if stdin.as_mut().is_some_and(|stdin| stdin.write_all(text.as_bytes()).is_err()) {
            stdin = None;
        }
        if !report(ChildEvent::Written) {
            break;
        }
    }
}

/// Shows a process's standard error, since the user should see its own account of a failure. The
/// process does not inherit ours: its children could keep it open after the end.
fn show(mut stderr: ChildStderr, shows: SyncSender<()>) {
    let _ = io::copy(&mut stderr, &mut Blocking(io::stderr()));
    drop(shows);
}

/// Reads the lines of a process. One that is too long is the last.
fn read(stdout: ChildStdout, mut report: impl FnMut(ChildEvent) -> bool) {
    let mut stdout = BufReader::new(stdout);
    let mut is_first = true;
    loop {
        let mut line = Vec::new();
        let read = stdout.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut line);
        let event = match read {
            Ok(1..) if line.len() as u64 > MAX_LINE => ChildEvent::Ended(Silence::LineTooLong),
            Ok(1..) => {
                if is_first {
                    strip_byte_order_mark(&mut line);
                }
                ChildEvent::Line(line)
            }
            Ok(0) | Err(_) => ChildEvent::Ended(Silence::Exited),
        };
        is_first = false;
        let is_last = matches!(event, ChildEvent::Ended(_));
        if !report(event) || is_last {
            break;
        }
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use nix::unistd::{SysconfVar, sysconf};
    use std::fs;

    /// Returns the CPU seconds of the processes of a group and of their ended children.
    pub(super) fn cpu_seconds_of_group(group: u32) -> Option<f64> {
        let ticks_per_second = sysconf(SysconfVar::CLK_TCK).ok()??;
        let mut ticks = 0;
        for entry in fs::read_dir("/proc").ok()?.flatten() {
            let is_process = entry.file_name().to_string_lossy().parse::<u32>().is_ok();
            let stat =
                if is_process { fs::read_to_string(entry.path().join("stat")) } else { continue };
            // The process may have ended since.
            let Ok(stat) = stat else { continue };
            ticks += ticks_of_member(&stat, group).unwrap_or_default();
        }
        Some(ticks as f64 / ticks_per_second as f64)
    }

    /// Reads user and system time, own and of ended children, if the process is in the group.
    fn ticks_of_member(stat: &str, group: u32) -> Option<u64> {
        // The preceding name can contain blanks and parentheses.
        let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
        if fields.get(2)?.parse() != Ok(group) {
            return None;
        }
        fields.get(11..15)?.iter().map(|ticks| ticks.parse::<u64>().ok()).sum()
    }
}
