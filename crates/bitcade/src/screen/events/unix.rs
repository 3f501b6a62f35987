//! [`Events`] of a Unix terminal. One thread reads the bytes, so neither input nor its absence
//! delays the program; another one waits for signals. Both run until the program or the terminal
//! ends.

use super::Event;
use crate::io::{interrupt, job};
use crate::screen::decoder::Decoder;
use crate::screen::terminal;
use signal_hook::consts::{SIGABRT, SIGCONT, SIGQUIT, SIGSYS, SIGTRAP, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;
use signal_hook::low_level;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

enum Message {
    Bytes(Vec<u8>, Instant),
    Event(Event),
    /// A signal that the screen polls by itself.
    Signal,
}

/// The maximum number of waiting messages, beyond which the terminal keeps the bytes.
const WAITING: usize = 64;

/// The receiver of the threads' messages, one for all screens of the program.
static MESSAGES: Mutex<Option<Receiver<Message>>> = Mutex::new(None);

pub(crate) struct Events {
    messages: MutexGuard<'static, Option<Receiver<Message>>>,
    decoder: Decoder,
}

impl Events {
    /// Opens the events and drops input typed into an earlier screen.
    pub(crate) fn open() -> io::Result<Self> {
        let mut messages = MESSAGES.lock().unwrap_or_else(PoisonError::into_inner);
        match &*messages {
            Some(messages) => while messages.try_recv().is_ok() {},
            None => *messages = Some(start_threads()?),
        }
        Ok(Self { messages, decoder: Decoder::default() })
    }

    /// Waits for the next event, at most for `wait`. Returns `None` earlier after a signal.
    pub(crate) fn next(&mut self, wait: Duration) -> Option<Event> {
        let begun = Instant::now();
        let messages = self.messages.as_ref()?;
        loop {
            self.decoder.end_unfinished(Instant::now());
            if let Some(input) = self.decoder.next() {
                return Some(Event::Input(input));
            }
            let mut left = wait.saturating_sub(begun.elapsed());
            if let Some(deadline) = self.decoder.deadline() {
                left = left.min(deadline.saturating_duration_since(Instant::now()));
            }
            match messages.recv_timeout(left) {
                Ok(Message::Bytes(bytes, now)) => self.decoder.take(&bytes, now),
                Ok(Message::Event(event)) => return Some(event),
                Ok(Message::Signal) => return None,
                Err(_) if begun.elapsed() >= wait => {
                    self.decoder.end_unfinished(Instant::now());
                    return self.decoder.next().map(Event::Input);
                }
                Err(_) => {}
            }
        }
    }
}

/// `true` while the program stops itself, and therefore expects to be continued.
static SUSPENDED: AtomicBool = AtomicBool::new(false);

/// Stops the program, as Control-Z does in a shell, until the shell continues it.
pub(crate) fn suspend() {
    SUSPENDED.store(true, Ordering::SeqCst);
    let _ = low_level::emulate_default_handler(SIGTSTP);
}

/// Signals that end the program by the system's own means, here after restoring the terminal. They
/// may be the way out of a stuck screen.
const RESTORING: [i32; 4] = [SIGQUIT, SIGABRT, SIGTRAP, SIGSYS];

fn start_threads() -> io::Result<Receiver<Message>> {
    let (sender, receiver) = sync_channel(WAITING);
    let of_screens = [SIGWINCH, SIGCONT].into_iter().chain(interrupt::heard(&[SIGTSTP]));
    let ending = interrupt::heard(&RESTORING).chain(interrupt::signals());
    let signals = Signals::new(of_screens.chain(ending))?;
    let also = sender.clone();
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || wait_for_signals(signals, &also))?;
    let input = job::stdin()?;
    thread::Builder::new().name("keys".to_owned()).spawn(move || read_bytes(input, &sender))?;
    Ok(receiver)
}

fn read_bytes(mut input: impl Read, sender: &SyncSender<Message>) {
    let mut bytes = [0; 4096];
    loop {
        let message = match input.read(&mut bytes) {
            Ok(length @ 1..) => Message::Bytes(bytes[..length].to_vec(), Instant::now()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            _ => {
                let _ = sender.send(Message::Event(Event::Closed));
                return;
            }
        };
        if sender.send(message).is_err() {
            return;
        }
    }
}

/// Forwards signals. If the channel is full, these messages are not needed: the screen is awake,
/// and queries the terminal's size at each frame.
fn wait_for_signals(mut signals: Signals, sender: &SyncSender<Message>) {
    for signal in signals.forever() {
        let message = match signal {
            _ if RESTORING.contains(&signal) => {
                terminal::restore_for_good();
                let _ = low_level::emulate_default_handler(signal);
                continue;
            }
            SIGTSTP if terminal::is_open() => Message::Event(Event::Suspended),
            SIGTSTP => {
                suspend();
                continue;
            }
            SIGCONT if SUSPENDED.swap(false, Ordering::SeqCst) => continue,
            SIGCONT => Message::Event(Event::Resumed),
            SIGWINCH => Message::Event(Event::Resized),
            _ => Message::Signal,
        };
        let _ = sender.try_send(message);
    }
}
