//! [`InputLines`]: the lines of standard input, read ahead, so that a running search can check for input.

use crate::input::{read_line, strip_byte_order_mark};
use crate::interrupt::POLL;
use crate::job;
use crate::output::Failure;
use crate::stopwatch::Stopwatch;
use crate::threads::no_reader;
use std::io::{self, BufReader};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The maximum number of lines that are read ahead.
const MAX_READ_AHEAD: usize = 64;

/// The time after the last line in which the end of the input belongs to it, as in a session from a file.
const PAUSE: Duration = Duration::from_millis(200);

/// A line, or `None` at the end of the input, and when it arrived.
type Line = (io::Result<Option<Vec<u8>>>, Stopwatch);

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
    /// The time since the last line that was taken arrived, or since the answer before it.
    waiting: Mutex<Option<Stopwatch>>,
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

    /// Returns for how long the writer of the last line that was taken has waited for the answer; `None` before the
    /// first line.
    pub(crate) fn waiting(&self) -> Option<Duration> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner).map(Stopwatch::elapsed)
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
            let mut sent = Stopwatch::start();
            let mut is_first = true;
            loop {
                let mut line = read_line(&mut input);
                let arrived = Stopwatch::start();
                if let (Ok(Some(line)), true) = (&mut line, std::mem::take(&mut is_first)) {
                    strip_byte_order_mark(line);
                }
                let last = !matches!(line, Ok(Some(_)));
                if last {
                    count.0.abandoned.store(sent.elapsed() > PAUSE, Ordering::Relaxed);
                }
                count.0.count.fetch_add(1, Ordering::Relaxed);
                // The receiver is gone when the program is about to end.
                if sender.send((line, arrived)).is_err() || last {
                    break;
                }
                sent = Stopwatch::start();
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
        // Between two calls the answer is written: nobody waits for one in a line that came before it.
        let answered = Stopwatch::start();
        let (line, arrived) = loop {
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
        *self.pending.0.waiting.lock().unwrap_or_else(PoisonError::into_inner) =
            [arrived, answered].into_iter().min_by_key(|since| since.elapsed());
        line.map_err(|error| Failure::Input(format!("standard input: {error}")))
    }
}
