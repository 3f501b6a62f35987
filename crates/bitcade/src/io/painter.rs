//! [`Painter`]: a thread that writes to the terminal. A blocked terminal, as behind a broken connection,
//! blocks only this thread.

use std::io::{self, Write};
use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) struct Painter {
    state: Mutex<State>,
    /// Notified when bytes arrive, and when they are written.
    changed: Condvar,
}

struct State {
    started: bool,
    /// The terminal, if no thread could be started: then callers write directly.
    direct: Option<Box<dyn Write + Send>>,
    waiting: Vec<u8>,
    /// The start of the current write.
    writing: Option<Instant>,
    /// Set after the last bytes of a program that is about to end.
    closed: bool,
    /// The first write error, until it is reported.
    error: Option<io::Error>,
}

impl State {
    fn is_idle(&self) -> bool {
        self.writing.is_none() && self.waiting.is_empty()
    }
}

impl Painter {
    pub(crate) const fn new() -> Self {
        let state = State {
            started: false,
            direct: None,
            waiting: Vec::new(),
            writing: None,
            closed: false,
            error: None,
        };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the thread on the first call.
    pub(crate) fn start(&'static self, out: impl Write + Send + 'static) {
        let mut state = self.state();
        if mem::replace(&mut state.started, true) {
            return;
        }
        state.direct = Some(Box::new(out));
        // The thread waits for the lock taken above.
        let begin = || {
            let out = self.state().direct.take();
            if let Some(out) = out {
                self.write_all(out);
            }
        };
        let begun = thread::Builder::new().name("painter".to_owned()).spawn(begin);
        if begun.is_ok() {
            // Keeps everyone else from writing until the thread has the terminal.
            state = self
                .changed
                .wait_while(state, |state| state.direct.is_some())
                .unwrap_or_else(PoisonError::into_inner);
        }
        drop(state);
    }

    fn write_all(&self, mut out: Box<dyn Write + Send>) {
        self.changed.notify_all();
        let mut state = self.state();
        loop {
            state = self
                .changed
                .wait_while(state, |state| state.waiting.is_empty())
                .unwrap_or_else(PoisonError::into_inner);
            let bytes = mem::take(&mut state.waiting);
            state.writing = Some(Instant::now());
            drop(state);
            let written = out.write_all(&bytes).and_then(|()| out.flush());
            state = self.state();
            state.writing = None;
            if let Err(error) = written {
                state.error.get_or_insert(error);
            }
            self.changed.notify_all();
        }
    }

    /// Queues bytes for writing. Returns the error of an earlier write, if any.
    pub(crate) fn paint(&self, bytes: Vec<u8>) -> io::Result<()> {
        self.add(&mut self.state(), bytes)
    }

    /// Queues the last bytes; later ones are dropped.
    pub(crate) fn close(&self, bytes: Vec<u8>) -> io::Result<()> {
        let mut state = self.state();
        let added = self.add(&mut state, bytes);
        state.closed = true;
        added
    }

    fn add(&self, state: &mut State, bytes: Vec<u8>) -> io::Result<()> {
        if state.closed {
            return Ok(());
        }
        if let Some(error) = state.error.take() {
            return Err(error);
        }
        if let Some(out) = &mut state.direct {
            out.write_all(&bytes)?;
            return out.flush();
        }
        state.waiting.extend(bytes);
        self.changed.notify_all();
        Ok(())
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.state().is_idle()
    }

    pub(crate) fn blocked(&self) -> Duration {
        self.state().writing.map_or(Duration::ZERO, |begun| begun.elapsed())
    }

    /// Waits until everything is written, or a write has been blocked for `time`. Returns whether
    /// everything is written. If a busy machine starts the write late, the wait is extended, up to
    /// two seconds.
    pub(crate) fn wait(&self, time: Duration) -> bool {
        const LONGEST: Duration = Duration::from_secs(2);
        let begun = Instant::now();
        let mut state = self.state();
        loop {
            let since = state.writing.map_or(begun, |writing| writing.max(begun));
            let limit = if state.writing.is_some() { time } else { LONGEST };
            let left = limit.saturating_sub(since.elapsed());
            if state.is_idle() || left.is_zero() {
                return state.is_idle();
            }
            let waited = self.changed.wait_timeout(state, left.min(time));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_comes_late_is_waited_for_and_a_terminal_that_takes_nothing_is_not() {
        const TIME: Duration = Duration::from_millis(50);
        let painter = Painter::new();
        painter.paint(b"last".to_vec()).expect("no error before");
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(4 * TIME);
                painter.state().waiting.clear();
                painter.changed.notify_all();
            });
            assert!(painter.wait(TIME));
        });
        painter.state().writing = Some(Instant::now());
        assert!(!painter.wait(TIME));
    }
}
