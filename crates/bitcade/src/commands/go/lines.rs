//! [`InputLines`]: the lines of standard input, read ahead, so that a running search can check for input.

use crate::input::read_line;
use crate::output::Failure;
use crate::threads::no_reader;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

/// The maximum number of lines that are read ahead.
const MAX_READ_AHEAD: usize = 64;

/// A line, or `None` at the end of the input.
type Line = io::Result<Option<Vec<u8>>>;

/// The lines of standard input, which a thread reads as they arrive.
pub(super) struct InputLines {
    lines: Receiver<Line>,
    pending: PendingLines,
}

/// The number of lines that were read and not yet taken; the end of the input counts as one.
#[derive(Clone, Default)]
pub(super) struct PendingLines(Arc<AtomicUsize>);

impl PendingLines {
    pub(super) fn any(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }
}

impl InputLines {
    /// Starts the reading thread.
    pub(super) fn new() -> Result<Self, Failure> {
        let ((sender, lines), pending) = (sync_channel(MAX_READ_AHEAD), PendingLines::default());
        let count = pending.clone();
        let read = move || {
            let mut input = io::stdin().lock();
            loop {
                let line = read_line(&mut input);
                let last = !matches!(line, Ok(Some(_)));
                count.0.fetch_add(1, Ordering::Relaxed);
                // The receiver is gone when the program is about to end.
                if sender.send(line).is_err() || last {
                    break;
                }
            }
        };
        thread::Builder::new().spawn(read).map_err(|error| no_reader("standard input", &error))?;
        Ok(Self { lines, pending })
    }

    /// Returns the shared count of pending lines.
    pub(super) fn pending(&self) -> PendingLines {
        self.pending.clone()
    }

    /// Waits for the next line and returns it, or `None` at the end of the input.
    pub(super) fn next(&self) -> Result<Option<Vec<u8>>, Failure> {
        // The thread ends after its last message.
        let line = self.lines.recv().unwrap_or(Ok(None));
        self.pending.0.fetch_sub(1, Ordering::Relaxed);
        line.map_err(|error| Failure::Input(format!("standard input: {error}")))
    }
}
