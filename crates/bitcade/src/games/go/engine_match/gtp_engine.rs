//! [`GtpEngine`]: an engine of a match in its own process.

use crate::io::child_process::{ChildEvent, ChildProcess, Silence};
use crate::io::interrupt::POLL;
use crate::io::output::Failure;
use crate::io::stopwatch::Stopwatch;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

pub(super) struct GtpEngine {
    process: ChildProcess,
    events: Receiver<ChildEvent>,
    patience: Duration,
}

/// Why a command has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unanswered {
    /// The engine's error message.
    Refused(String),
    Exited,
    LineTooLong,
    TimedOut,
    Interrupted,
}

impl Unanswered {
    pub(super) fn name(&self) -> String {
        match self {
            Self::Refused(message) => format!("failed: {message}"),
            Self::Exited => "died".to_owned(),
            Self::LineTooLong => "line too long".to_owned(),
            Self::TimedOut => "silent".to_owned(),
            Self::Interrupted => "interrupted".to_owned(),
        }
    }
}

impl GtpEngine {
    pub(super) fn start(command: &str, patience: Duration) -> Result<Self, Failure> {
        // A full queue blocks an engine that writes faster than it is read.
        let (sender, events) = sync_channel(64);
        let report = move |event| sender.send(event).is_ok();
        let process = ChildProcess::start("--engine", command, report)?;
        Ok(Self { process, events, patience })
    }

    /// Sends a command and returns its result, without the `=`.
    pub(super) fn ask(
        &self,
        command: &str,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<String, Unanswered> {
        self.process.send(format!("{command}\n"));
        let waited = Stopwatch::start();
        let mut response = Response::default();
        loop {
            let left = self.patience.saturating_sub(waited.elapsed());
            if interrupted() {
                return Err(Unanswered::Interrupted);
            }
            if left.is_zero() {
                return Err(Unanswered::TimedOut);
            }
            let Ok(event) = self.events.recv_timeout(left.min(POLL)) else { continue };
            match event {
                ChildEvent::Written => {}
                ChildEvent::Ended(Silence::Exited) => return Err(Unanswered::Exited),
                ChildEvent::Ended(Silence::LineTooLong) => return Err(Unanswered::LineTooLong),
                ChildEvent::Line(line) => {
                    if let Some(result) = response.add(&String::from_utf8_lossy(&line)) {
                        return result.map_err(Unanswered::Refused);
                    }
                }
            }
        }
    }

    pub(super) fn cpu_seconds(&self) -> Option<f64> {
        self.process.cpu_seconds()
    }
}

/// The lines of a response so far.
#[derive(Default)]
struct Response {
    /// Whether it is an error, and its text. `None` before its first line.
    begun: Option<(bool, String)>,
}

impl Response {
    /// Adds a line. An empty one ends the response and returns its text: `Err` after a `?`. Lines
    /// before the response are no part of the protocol and skipped.
    fn add(&mut self, line: &str) -> Option<Result<String, String>> {
        let line = line.trim_end();
        let Some((is_error, text)) = &mut self.begun else {
            let rest = line.strip_prefix(['=', '?'])?;
            let text = rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim();
            self.begun = Some((line.starts_with('?'), text.to_owned()));
            return None;
        };
        if !line.is_empty() {
            text.push('\n');
            text.push_str(line);
            return None;
        }
        let text = std::mem::take(text);
        Some(if *is_error { Err(text) } else { Ok(text) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses() {
        let read = |text: &str| {
            let mut response = Response::default();
            text.split_inclusive('\n').find_map(|line| response.add(line))
        };
        assert_eq!(read("= D4\n\n"), Some(Ok("D4".to_owned())));
        assert_eq!(read("=\n\n"), Some(Ok(String::new())));
        assert_eq!(read("=12 pass\r\n\r\n"), Some(Ok("pass".to_owned())));
        assert_eq!(read("= a\nb\n\nc\n"), Some(Ok("a\nb".to_owned())));
        assert_eq!(read("?3 illegal move\n\n"), Some(Err("illegal move".to_owned())));
        assert_eq!(read("\nloading\n= ok\n\n"), Some(Ok("ok".to_owned())));
        assert_eq!(read("= D4\n"), None);
    }
}
