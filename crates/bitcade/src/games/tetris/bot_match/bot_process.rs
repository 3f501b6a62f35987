//! The two bots of a match, each in its own process.

use crate::io::child_process::{ChildEvent, ChildProcess, Silence};
use crate::io::interrupt::{self, POLL};
use crate::io::output::Failure;
use crate::io::stopwatch::Stopwatch;
#[cfg(unix)]
use nix::sys::signal::Signal;
use std::array;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;
use tetris_ai::bot::tbp::{BotMessage, FrontendMessage, RandomizerKind, TbpMove};

/// The bots of both sides. A shared event queue gives both the same time to answer.
pub(super) struct Bots {
    processes: [BotProcess; 2],
    events: Receiver<(usize, Event)>,
    patience: Duration,
    /// The total nodes reported by each bot.
    pub(super) nodes: [u64; 2],
}

struct BotProcess {
    process: ChildProcess,
    /// The number of messages that the process has not read yet.
    unwritten: usize,
    /// The reason why the process sends nothing more.
    ended: Option<Forfeit>,
}

enum Event {
    Message(BotMessage),
    /// A message was written to the process, or can't be.
    Written,
    /// Nothing more will be read from the process.
    Ended(Forfeit),
    Unreadable,
}

/// The reason for a bot's loss other than topping out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Forfeit {
    /// It suggested moves, none of them legal.
    IllegalMove,
    /// It suggested no move.
    Resigned,
    /// Its suggestion violates the protocol.
    Unreadable,
    Exited,
    TimedOut,
    /// It did not read its input in time.
    NotReading,
    LineTooLong,
}

impl Forfeit {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::IllegalMove => "illegal move",
            Self::Resigned => "resigned",
            Self::Unreadable => "unreadable suggestion",
            Self::Exited => "died",
            Self::TimedOut => "silent",
            Self::NotReading => "input not read",
            Self::LineTooLong => "line too long",
        }
    }
}

impl Bots {
    /// Starts the processes, sends the rules and waits until both bots are ready.
    pub(super) fn start(
        commands: [&str; 2],
        patience: Duration,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Self, Failure> {
        // A full queue blocks a bot that sends faster than it is read.
        let (sender, events) = sync_channel(64);
        let first = BotProcess::start(commands[0], 0, &sender)?;
        let processes = [first, BotProcess::start(commands[1], 1, &sender)?];
        let mut bots = Self { processes, events, patience, nodes: [0; 2] };
        let failed = |side: usize, reason: &str| {
            Failure::Input(format!("--bot {}: {reason}", commands[side]))
        };
        let is_info = |message: &BotMessage| matches!(message, BotMessage::Info { .. });
        for (side, answer) in bots.wait(interrupted, is_info).into_iter().enumerate() {
            answer.map_err(|forfeit| {
                failed(side, &format!("the bot sent no info message: {}", forfeit.name()))
            })?;
        }
        for side in 0..2 {
            bots.send(side, &FrontendMessage::Rules { randomizer: RandomizerKind::SevenBag });
        }
        let is_answer =
            |message: &BotMessage| matches!(message, BotMessage::Ready | BotMessage::Error { .. });
        for (side, answer) in bots.wait(interrupted, is_answer).into_iter().enumerate() {
            match answer {
                Ok(BotMessage::Error { reason }) => return Err(failed(side, &reason)),
                Ok(_) => {}
                Err(forfeit) => {
                    let reason = format!("the bot did not answer the rules: {}", forfeit.name());
                    return Err(failed(side, &reason));
                }
            }
        }
        Ok(bots)
    }

    /// Does not wait; a failure shows up with the next answer.
    pub(super) fn send(&mut self, side: usize, message: &FrontendMessage) {
        self.processes[side].send(message);
    }

    /// Lets the bots think.
    pub(super) fn sleep(&self, time: Duration, interrupted: &dyn Fn() -> bool) {
        interrupt::sleep(time, &|| {
            self.stop_if_asked();
            interrupted()
        });
    }

    /// On SIGTSTP, as from Control-Z, stops the bots and then this program; continues the bots with
    /// it.
    fn stop_if_asked(&self) {
        #[cfg(unix)]
        if stops::asked() {
            self.processes.iter().for_each(|process| process.process.send_signal(Signal::SIGSTOP));
            stops::stop();
            self.processes.iter().for_each(|process| process.process.send_signal(Signal::SIGCONT));
        }
    }

    /// Asks both bots for their moves and waits for the answers, with one deadline for both.
    pub(super) fn suggestions(
        &mut self,
        interrupted: &dyn Fn() -> bool,
    ) -> [Result<Vec<TbpMove>, Forfeit>; 2] {
        for process in &mut self.processes {
            process.send(&FrontendMessage::Suggest);
        }
        let is_suggestion = |message: &BotMessage| matches!(message, BotMessage::Suggestion { .. });
        let [first, second] = self.wait(interrupted, is_suggestion);
        [self.moves(0, first), self.moves(1, second)]
    }

    fn moves(
        &mut self,
        side: usize,
        answer: Result<BotMessage, Forfeit>,
    ) -> Result<Vec<TbpMove>, Forfeit> {
        let BotMessage::Suggestion { moves, move_info } = answer? else {
            return Err(Forfeit::TimedOut);
        };
        let nodes = move_info.map_or(0, |info| info.nodes);
        self.nodes[side] = self.nodes[side].saturating_add(nodes);
        Ok(moves)
    }

    /// Waits until each bot has read its input and sent a message accepted by `is_wanted`; ignores
    /// others. After a signal the bots have no time left.
    fn wait(
        &mut self,
        interrupted: &dyn Fn() -> bool,
        is_wanted: impl Fn(&BotMessage) -> bool,
    ) -> [Result<BotMessage, Forfeit>; 2] {
        let waited = Stopwatch::start();
        let mut answers = self.processes.each_ref().map(|process| process.ended.map(Err));
        let waits = |process: &BotProcess, answer: &Option<Result<_, _>>| match answer {
            None => true,
            Some(Ok(_)) => process.unwritten > 0,
            Some(Err(_)) => false,
        };
        while self.processes.iter().zip(&answers).any(|(process, answer)| waits(process, answer)) {
            self.stop_if_asked();
            let left = self.patience.saturating_sub(waited.elapsed());
            if left.is_zero() || interrupted() {
                break;
            }
            let Ok((side, event)) = self.events.recv_timeout(left.min(POLL)) else { continue };
            let process = &mut self.processes[side];
            let answer = &mut answers[side];
            match event {
                Event::Written => process.unwritten -= 1,
                Event::Message(message) if answer.is_none() && is_wanted(&message) => {
                    *answer = Some(Ok(message));
                }
                Event::Message(_) => {}
                Event::Unreadable => *answer = answer.take().or(Some(Err(Forfeit::Unreadable))),
                Event::Ended(forfeit) => {
                    process.ended = Some(forfeit);
                    *answer = answer.take().or(Some(Err(forfeit)));
                }
            }
        }
        array::from_fn(|side| match answers[side].take() {
            Some(Err(forfeit)) => Err(forfeit),
            _ if self.processes[side].unwritten > 0 => Err(Forfeit::NotReading),
            Some(answer) => answer,
            None => Err(Forfeit::TimedOut),
        })
    }
}

impl BotProcess {
    fn start(
        command: &str,
        side: usize,
        events: &SyncSender<(usize, Event)>,
    ) -> Result<Self, Failure> {
        let events = events.clone();
        let process = ChildProcess::start("--bot", command, move |event| {
            event_of(event).is_none_or(|event| events.send((side, event)).is_ok())
        })?;
        Ok(Self { process, unwritten: 0, ended: None })
    }

    fn send(&mut self, message: &FrontendMessage) {
        let line = serde_json::to_string(message).map(|line| line + "\n").unwrap_or_default();
        self.unwritten += usize::from(self.process.send(line));
    }
}

/// SIGTSTP during a match: the bots must stop before this program does.
#[cfg(unix)]
mod stops {
    use signal_hook::consts::SIGTSTP;
    use signal_hook::{flag, low_level};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, OnceLock};

    /// The first call installs the handler.
    pub(super) fn asked() -> bool {
        static ASKED: OnceLock<Arc<AtomicBool>> = OnceLock::new();
        let asked = ASKED.get_or_init(|| {
            let asked = Arc::default();
            let _ = flag::register(SIGTSTP, Arc::clone(&asked));
            asked
        });
        asked.swap(false, Ordering::Relaxed)
    }

    pub(super) fn stop() {
        let _ = low_level::emulate_default_handler(SIGTSTP);
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        self.send(&FrontendMessage::Quit);
    }
}

/// Returns what the match needs to know; `None` for a line that is no message.
fn event_of(event: ChildEvent) -> Option<Event> {
    match event {
        ChildEvent::Written => Some(Event::Written),
        ChildEvent::Ended(silence) => Some(Event::Ended(silence.into())),
        ChildEvent::Line(line) => match serde_json::from_slice(&line) {
            Ok(message) => Some(Event::Message(message)),
            Err(_) => looks_like_suggestion(&line).then_some(Event::Unreadable),
        },
    }
}

impl From<Silence> for Forfeit {
    fn from(silence: Silence) -> Self {
        match silence {
            Silence::Exited => Self::Exited,
            Silence::LineTooLong => Self::LineTooLong,
        }
    }
}

fn looks_like_suggestion(line: &[u8]) -> bool {
    let word = b"\"suggestion\"";
    line.trim_ascii_start().starts_with(b"{") && line.windows(word.len()).any(|part| part == word)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// A bot that reads nothing after the rules: its pipe fills, and messages to it must not block
    /// the match.
    #[test]
    fn a_bot_that_does_not_read() {
        let greeting = r#"{"type":"info","name":"x","version":"1","author":"y","features":[]}"#;
        let ready = r#"echo '{"type":"ready"}'"#;
        let silent = format!(
            "sh -c {:?}",
            format!("echo '{greeting}'; read rules; {ready}; exec sleep 600")
        );
        let answer = r#"exec yes '{"type":"suggestion","moves":[]}'"#;
        let talks =
            format!("sh -c {:?}", format!("echo '{greeting}'; read rules; {ready}; {answer}"));
        let patience = Duration::from_secs(20);
        let start = Stopwatch::start();
        let mut bots = Bots::start([&silent, &talks], patience, &|| false).expect("bots");
        // More than the 64 KiB of a pipe.
        let stop = FrontendMessage::Stop;
        for _ in 0..10_000 {
            bots.send(0, &stop);
            bots.send(1, &stop);
        }
        bots.patience = Duration::from_millis(200);
        let answers = bots.suggestions(&|| false);
        assert_eq!(answers, [Err(Forfeit::NotReading), Err(Forfeit::NotReading)]);
        // A signal ends the wait, however long the patience.
        bots.patience = Duration::from_mins(10);
        let looks = Cell::new(0);
        let answers = bots.suggestions(&|| looks.replace(looks.get() + 1) > 2);
        assert!(answers.iter().all(Result::is_err));
        drop(bots);
        assert!(start.elapsed() < Duration::from_mins(1), "{:?}", start.elapsed());
    }
}
