//! [`Player`]: a computer player to watch, and [`Feed`]: its moves, computed on a separate thread and shown
//! one after the other.

use crate::io::stopwatch::Stopwatch;
use crate::screen::picture::Picture;
use bitcade_core::Stop;
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::thread;
use std::time::Duration;

/// A line about a game: a label and its value.
pub(crate) type Fact = (&'static str, String);

pub(crate) struct AnimatedMove {
    /// The pictures in order, each with its display time.
    pub(crate) pictures: Vec<(Box<dyn Picture>, Duration)>,
    pub(crate) facts: Vec<Fact>,
    /// The positions, continuations or playouts searched for this move.
    pub(crate) nodes: u64,
    pub(crate) thinking: Duration,
}

/// A player of one game after another.
pub(crate) trait Player: Send + 'static {
    /// Makes the next move, or the first of the next game. Once `stop` returns `true`, any move
    /// will do.
    fn next_move(&mut self, stop: Stop<'_>) -> AnimatedMove;
}

/// The number of moves computed ahead.
const AHEAD: usize = 2;

/// The interval between polls for a late move.
const LATE: Duration = Duration::from_millis(20);

pub(crate) struct Feed {
    moves: Source,
    /// `true` ends the thread.
    end: Arc<AtomicBool>,
    /// The remaining pictures of the current move.
    coming: VecDeque<(Box<dyn Picture>, Duration)>,
    pub(crate) shown: Option<Box<dyn Picture>>,
    pub(crate) facts: Vec<Fact>,
    /// The nodes per second of the last moves.
    pub(crate) speed: Option<f64>,
    /// The end of the current picture's display time.
    until: Duration,
}

enum Source {
    Thread(Receiver<AnimatedMove>),
    /// The player itself, for tests: moves take no time.
    #[cfg(test)]
    Here(Box<dyn Player>),
}

impl Feed {
    pub(crate) fn start(mut player: Box<dyn Player>) -> io::Result<Self> {
        let (sender, receiver) = sync_channel(AHEAD);
        let end = Arc::new(AtomicBool::new(false));
        let shared = Arc::clone(&end);
        let think = move || {
            let ended = || shared.load(Ordering::Relaxed);
            // Sleeps while the queue is full.
            while !ended() && sender.send(player.next_move(&ended)).is_ok() {}
        };
        thread::Builder::new().spawn(think)?;
        Ok(Self::new(Source::Thread(receiver), end))
    }

    #[cfg(test)]
    pub(crate) fn here(player: Box<dyn Player>) -> Self {
        Self::new(Source::Here(player), Arc::default())
    }

    fn new(moves: Source, end: Arc<AtomicBool>) -> Self {
        let coming = VecDeque::new();
        let facts = Vec::new();
        Self { moves, end, coming, shown: None, facts, speed: None, until: Duration::ZERO }
    }

    pub(crate) fn next_change(&self) -> Duration {
        self.until
    }

    pub(crate) fn advance(&mut self, now: Duration) {
        while self.until <= now {
            if self.coming.is_empty() && !self.take_move() {
                self.until = now + LATE;
                return;
            }
            self.show_next(now);
        }
    }

    /// Completes the current move, or shows the next one in full. Returns `false` if that is not
    /// computed yet.
    pub(crate) fn step(&mut self, now: Duration) -> bool {
        if self.coming.is_empty() && !self.take_move() {
            return false;
        }
        while !self.coming.is_empty() {
            self.show_next(now);
        }
        true
    }

    fn show_next(&mut self, now: Duration) {
        if let Some((picture, time)) = self.coming.pop_front() {
            self.shown = Some(picture);
            // After a delay the pictures don't hurry to catch up.
            let due = if self.until + LATE < now { now } else { self.until };
            self.until = due + time;
        }
    }

    fn take_move(&mut self) -> bool {
        let next = match &mut self.moves {
            Source::Thread(receiver) => match receiver.try_recv() {
                Ok(next) => next,
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => return false,
            },
            #[cfg(test)]
            Source::Here(player) => {
                let mut next = player.next_move(&|| false);
                // Snapshots show no times.
                next.thinking = Duration::ZERO;
                next
            }
        };
        if next.nodes > 0 && !next.thinking.is_zero() {
            let speed = next.nodes as f64 / next.thinking.as_secs_f64();
            // A mean of the last few moves, robust against one slow move.
            self.speed = Some(self.speed.map_or(speed, |before| 0.8 * before + 0.2 * speed));
        }
        (self.coming, self.facts) = (next.pictures.into(), next.facts);
        true
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
    }
}

pub(crate) fn timed<T>(search: impl FnOnce() -> T) -> (T, Duration) {
    let start = Stopwatch::start();
    let result = search();
    (result, start.elapsed())
}
