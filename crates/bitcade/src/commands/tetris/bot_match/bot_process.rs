//! A bot that runs in a process of its own.

use crate::output::Failure;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use tetris_ai::tbp::{BotMessage, FrontendMessage, RandomizerKind, TbpMove};

/// The process of a bot and its messages.
pub(super) struct BotProcess {
    child: Child,
    /// The standard input of the process, or `None` after a failed write.
    input: Option<ChildStdin>,
    messages: Receiver<BotMessage>,
    /// The total number of nodes that the bot reports.
    pub(super) nodes: u64,
}

/// The reason why a bot loses without topping out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Forfeit {
    /// It suggested moves, none of them legal.
    IllegalMove,
    /// It suggested no move.
    Resigned,
    /// Its process ended.
    Exited,
    /// It did not answer in time.
    TimedOut,
}

impl Forfeit {
    /// Returns the name of the reason in the results.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::IllegalMove => "illegal move",
            Self::Resigned => "resigned",
            Self::Exited => "died",
            Self::TimedOut => "silent",
        }
    }
}

impl BotProcess {
    /// Starts the process, sends the rules and waits until the bot is ready.
    pub(super) fn start(command: &str, patience: Duration) -> Result<Self, Failure> {
        let failed = |reason: String| Failure::Input(format!("--bot {command}: {reason}"));
        let mut words = command.split_whitespace();
        let program = words.next().ok_or_else(|| failed("expected a command line".to_owned()))?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| failed(error.to_string()))?;
        let input = child.stdin.take();
        let messages = read(&mut child);
        let mut bot = Self { child, input, messages, nodes: 0 };
        let is_info = |message: &BotMessage| matches!(message, BotMessage::Info { .. });
        bot.wait(patience, is_info)
            .map_err(|forfeit| failed(format!("the bot sent no info message: {}", forfeit.name())))?;
        bot.send(&FrontendMessage::Rules { randomizer: RandomizerKind::SevenBag });
        let is_answer =
            |message: &BotMessage| matches!(message, BotMessage::Ready | BotMessage::Error { .. });
        match bot.wait(patience, is_answer) {
            Ok(BotMessage::Error { reason }) => Err(failed(reason)),
            Ok(_) => Ok(bot),
            Err(forfeit) => Err(failed(format!("the bot did not answer the rules: {}", forfeit.name()))),
        }
    }

    /// Sends a message. A failure shows at the next answer.
    pub(super) fn send(&mut self, message: &FrontendMessage) {
        let Some(input) = &mut self.input else { return };
        let line = serde_json::to_string(message).map(|line| line + "\n").unwrap_or_default();
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            self.input = None;
        }
    }

    /// Waits for the answer to `suggest`.
    pub(super) fn suggestion(&mut self, patience: Duration) -> Result<Vec<TbpMove>, Forfeit> {
        let is_suggestion = |message: &BotMessage| matches!(message, BotMessage::Suggestion { .. });
        match self.wait(patience, is_suggestion)? {
            BotMessage::Suggestion { moves, move_info } => {
                self.nodes += move_info.nodes;
                Ok(moves)
            }
            _ => Err(Forfeit::TimedOut),
        }
    }

    /// Waits for the first message that `is_wanted` accepts and ignores all others.
    fn wait(
        &self,
        patience: Duration,
        is_wanted: impl Fn(&BotMessage) -> bool,
    ) -> Result<BotMessage, Forfeit> {
        let start = Instant::now();
        loop {
            match self.messages.recv_timeout(patience.saturating_sub(start.elapsed())) {
                Ok(message) if is_wanted(&message) => return Ok(message),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => return Err(Forfeit::TimedOut),
                Err(RecvTimeoutError::Disconnected) => return Err(Forfeit::Exited),
            }
        }
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        self.send(&FrontendMessage::Quit);
        // A bot that ignores `quit` must end, too.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads the messages of the process in a separate thread. Lines that are not messages are ignored.
fn read(child: &mut Child) -> Receiver<BotMessage> {
    let (sender, receiver) = sync_channel(64);
    if let Some(output) = child.stdout.take() {
        thread::spawn(move || {
            let lines = BufReader::new(output).split(b'\n').map_while(Result::ok);
            for message in lines.filter_map(|line| serde_json::from_slice(&line).ok()) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
    }
    receiver
}
