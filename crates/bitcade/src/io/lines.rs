//! [`InputLines`]: standard input's lines, read ahead to let a running search check for input.

use crate::io::input::{read_line, strip_byte_order_mark};
use crate::io::interrupt::POLL;
use crate::io::job;
use crate::io::output::Failure;
use crate::io::stopwatch::Stopwatch;
use crate::io::threads::no_reader;
use bitcade_files::InputFile;
use std::io::{self, BufReader};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

const MAX_READ_AHEAD: usize = 64;

/// If the input ends within this time of its last line, it was a complete session, as from a file.
const PAUSE: Duration = Duration::from_millis(200);

/// A line, or `None` at the end of the input, and its arrival time.
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
    /// The number of lines read but not taken; the end of the input counts as one.
    count: AtomicUsize,
    /// `true` if the input ended later than [`PAUSE`] after its last line.
    abandoned: AtomicBool,
    /// The time since the last taken line arrived, or since the previous answer.
    waiting: Mutex<Option<Stopwatch>>,
}

impl PendingLines {
    pub(crate) fn any(&self) -> bool {
        self.0.count.load(Ordering::Relaxed) > 0
    }

    /// Returns whether the input's writer disappeared in mid-session. The end of a file, or of a
    /// pipe that carried a complete session, does not count: its writer waits for the answers.
    pub(crate) fn abandoned(&self) -> bool {
        self.0.abandoned.load(Ordering::Relaxed)
    }

    /// Returns how long the writer of the last taken line has waited for the answer; `None` before
    /// the first line.
    pub(crate) fn waiting(&self) -> Option<Duration> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner).map(Stopwatch::elapsed)
    }
}

impl InputLines {
    pub(crate) fn new() -> Result<Self, Failure> {
        let (sender, lines) = sync_channel(MAX_READ_AHEAD);
        let pending = PendingLines::default();
        let count = pending.clone();
        let no_input = |error| no_reader("standard input", &error);
        // No output is the file that standard input comes from.
        drop(InputFile::stdin()?);
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

    /// `None` at the end of the input and after a signal.
    pub(crate) fn next(&self, interrupted: &dyn Fn() -> bool) -> Result<Option<Vec<u8>>, Failure> {
        // The answer is written between two calls: for a line that came before it, the wait only
        // starts now.
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
