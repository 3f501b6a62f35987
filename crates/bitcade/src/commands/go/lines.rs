//! [`InputLines`]: standard input, read ahead, so that a program at work can ask whether a line waits.

use crate::input::read_line;
use crate::output::Failure;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

/// InputLines that are read ahead at most: who sends more has to wait.
const MAX_READ_AHEAD: usize = 64;

/// A line, or none at the end.
type Line = io::Result<Option<Vec<u8>>>;

/// The lines of standard input, which a thread reads as they come.
pub(super) struct InputLines {
    lines: Receiver<Line>,
    pending: PendingLines,
}

/// The number of lines that wait to be taken, the end of the input counted.
#[derive(Clone, Default)]
pub(super) struct PendingLines(Arc<AtomicUsize>);

impl PendingLines {
    pub(super) fn any(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }
}

impl InputLines {
    /// Begins to read.
    pub(super) fn new() -> Self {
        let ((sender, lines), pending) = (sync_channel(MAX_READ_AHEAD), PendingLines::default());
        let count = pending.clone();
        thread::spawn(move || {
            let mut input = io::stdin().lock();
            loop {
                let line = read_line(&mut input);
                let last = !matches!(line, Ok(Some(_)));
                count.0.fetch_add(1, Ordering::Relaxed);
                // Nobody listens any more when the program is about to end.
                if sender.send(line).is_err() || last {
                    break;
                }
            }
        });
        Self { lines, pending }
    }

    /// The question whether a line waits.
    pub(super) fn pending(&self) -> PendingLines {
        self.pending.clone()
    }

    /// The next line; waits for it. None at the end.
    pub(super) fn next(&self) -> Result<Option<Vec<u8>>, Failure> {
        // After its last message the thread is gone.
        let line = self.lines.recv().unwrap_or(Ok(None));
        self.pending.0.fetch_sub(1, Ordering::Relaxed);
        line.map_err(|error| Failure::Input(format!("standard input: {error}")))
    }
}
