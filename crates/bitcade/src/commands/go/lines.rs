//! [`InputLines`]: the lines of standard input, read ahead, so that a running search can check for input.

use crate::input::read_line;
use crate::interrupt::POLL;
use crate::job;
use crate::output::Failure;
use crate::stopwatch::Stopwatch;
use crate::threads::no_reader;
use std::io::{self, BufReader};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// The maximum number of lines that are read ahead.
const MAX_READ_AHEAD: usize = 64;

/// The time after the last line in which the end of the input belongs to it, as in a session from a file.
const PAUSE: Duration = Duration::from_millis(200);

/// A line, or `None` at the end of the input.
type Line = io::Result<Option<Vec<u8>>>;

/// The lines of standard input, which a thread reads as they arrive.
pub(crate) struct InputLines {
    lines: Receiver<Line>,
    pending: PendingLines,
}

/// The state of the input ahead of the session.
#[derive(Clone, Default)]
pub(crate) struct PendingLines(Arc<Pending>);

#[derive(Default)]
struct Pending {
    /// The number of lines that were read and not yet taken; the end of the input counts as one.
    count: AtomicUsize,
    /// `true` if the input has ended later than [`PAUSE`] after its last line.
    abandoned: AtomicBool,
}

impl PendingLines {
    pub(crate) fn any(&self) -> bool {
        self.0.count.load(Ordering::Relaxed) > 0
    }

    /// Returns whether the writer of the input has gone away in mid-session. The end of a file, or of a pipe
    /// given its whole session at once, does not count: its writer waits for the answers.
    pub(crate) fn abandoned(&self) -> bool {
        self.0.abandoned.load(Ordering::Relaxed)
    }
}

impl InputLines {
    /// Starts the reading thread.
    pub(crate) fn new() -> Result<Self, Failure> {
        let ((sender, lines), pending) = (sync_channel(MAX_READ_AHEAD), PendingLines::default());
        let count = pending.clone();
        let no_input = |error| no_reader("standard input", &error);
        let mut input = BufReader::new(job::stdin().map_err(no_input)?);
        let read = move || {
            let mut arrived = Stopwatch::start();
            loop {
                let line = read_line(&mut input);
                let last = !matches!(line, Ok(Some(_)));
                if last {
                    count.0.abandoned.store(arrived.elapsed() > PAUSE, Ordering::Relaxed);
                }
                count.0.count.fetch_add(1, Ordering::Relaxed);
                // The receiver is gone when the program is about to end.
                if sender.send(line).is_err() || last {
                    break;
                }
                arrived = Stopwatch::start();
            }
        };
        thread::Builder::new().spawn(read).map_err(no_input)?;
        Ok(Self { lines, pending })
    }

    pub(crate) fn pending(&self) -> PendingLines {
        self.pending.clone()
    }

    /// Waits for the next line and returns it, or `None` at the end of the input and after a signal.
    pub(crate) fn next(&self, interrupted: &dyn Fn() -> bool) -> Result<Option<Vec<u8>>, Failure> {
        let line = loop {
            if interrupted() {
                return Ok(None);
            }
            match self.lines.recv_timeout(POLL) {
                Ok(line) => break line,
                Err(RecvTimeoutError::Timeout) => {}
                // The thread ends after its last message.
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        };
        self.pending.0.count.fetch_sub(1, Ordering::Relaxed);
        line.map_err(|error| Failure::Input(format!("standard input: {error}")))
    }
}
