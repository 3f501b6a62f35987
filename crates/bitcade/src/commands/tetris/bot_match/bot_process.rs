//! A bot that runs in a process of its own.

use crate::input::MAX_LINE;
use crate::interrupt::POLL;
use crate::output::Failure;
use crate::threads::no_reader;
use std::io::{self, BufRead, BufReader, Read, Write};
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
    messages: Receiver<Result<BotMessage, Forfeit>>,
    /// Disconnected once the standard error of the process has ended and is shown.
    shown: Receiver<()>,
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
    /// It sent a line longer than any message.
    LineTooLong,
}

impl Forfeit {
    /// Returns the name of the reason in the results.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::IllegalMove => "illegal move",
            Self::Resigned => "resigned",
            Self::Exited => "died",
            Self::TimedOut => "silent",
            Self::LineTooLong => "line too long",
        }
    }
}

impl BotProcess {
    /// Starts the process, sends the rules and waits until the bot is ready.
    pub(super) fn start(
        command: &str,
        patience: Duration,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Self, Failure> {
        let failed = |reason: String| Failure::Input(format!("--bot {command}: {reason}"));
        let words = shell_words::split(command).map_err(|error| failed(error.to_string()))?;
        let (program, arguments) =
            words.split_first().ok_or_else(|| failed("expected a command line".to_owned()))?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| failed(error.to_string()))?;
        let input = child.stdin.take();
        let readers = read(&mut child).and_then(|messages| Ok((messages, show_stderr(&mut child)?)));
        let (messages, shown) = readers.map_err(|error| {
            let _ = child.kill();
            let _ = child.wait();
            no_reader(&format!("the output of --bot {command}"), &error)
        })?;
        let mut bot = Self { child, input, messages, shown, nodes: 0 };
        let is_info = |message: &BotMessage| matches!(message, BotMessage::Info { .. });
        bot.wait(patience, interrupted, is_info)
            .map_err(|forfeit| failed(format!("the bot sent no info message: {}", forfeit.name())))?;
        bot.send(&FrontendMessage::Rules { randomizer: RandomizerKind::SevenBag });
        let is_answer =
            |message: &BotMessage| matches!(message, BotMessage::Ready | BotMessage::Error { .. });
        match bot.wait(patience, interrupted, is_answer) {
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
    pub(super) fn suggestion(
        &mut self,
        patience: Duration,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Vec<TbpMove>, Forfeit> {
        let is_suggestion = |message: &BotMessage| matches!(message, BotMessage::Suggestion { .. });
        match self.wait(patience, interrupted, is_suggestion)? {
            BotMessage::Suggestion { moves, move_info } => {
                self.nodes = self.nodes.saturating_add(move_info.nodes);
                Ok(moves)
            }
            _ => Err(Forfeit::TimedOut),
        }
    }

    /// Waits for the first message that `is_wanted` accepts and ignores all others. After a signal the bot
    /// has no time left.
    fn wait(
        &self,
        patience: Duration,
        interrupted: &dyn Fn() -> bool,
        is_wanted: impl Fn(&BotMessage) -> bool,
    ) -> Result<BotMessage, Forfeit> {
        let start = Instant::now();
        loop {
            let left = patience.saturating_sub(start.elapsed());
            match self.messages.recv_timeout(left.min(POLL)) {
                Ok(Ok(message)) if is_wanted(&message) => return Ok(message),
                Ok(Err(forfeit)) => return Err(forfeit),
                // Other messages do not extend the time.
                Ok(Ok(_)) if left.is_zero() || interrupted() => return Err(Forfeit::TimedOut),
                Ok(Ok(_)) => {}
                Err(RecvTimeoutError::Timeout) if left > POLL && !interrupted() => {}
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
        // Its own children may live on and keep the standard error open.
        let _ = self.shown.recv_timeout(LAST_WORDS);
    }
}

/// The time in which the last words of a bot that has ended are shown.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// Shows the standard error of the process in a separate thread: what a bot says about a failure is for the
/// user. The process does not inherit it, since its children could keep it open after the match.
fn show_stderr(child: &mut Child) -> io::Result<Receiver<()>> {
    let (sender, receiver) = sync_channel::<()>(1);
    if let Some(mut stderr) = child.stderr.take() {
        let show = move || {
            let _ = io::copy(&mut stderr, &mut io::stderr());
            drop(sender);
        };
        thread::Builder::new().spawn(show)?;
    }
    Ok(receiver)
}

/// Reads the messages of the process in a separate thread. Lines that are not messages are ignored; one that
/// is too long is the last.
fn read(child: &mut Child) -> io::Result<Receiver<Result<BotMessage, Forfeit>>> {
    let (sender, receiver) = sync_channel(64);
    if let Some(output) = child.stdout.take() {
        let read = move || {
            let mut output = BufReader::new(output);
            while let Some(line) = read_bounded_line(&mut output) {
                let too_long = line.is_err();
                let message = line.map(|line| serde_json::from_slice(&line).ok()).transpose();
                if message.is_some_and(|message| sender.send(message).is_err()) || too_long {
                    break;
                }
            }
        };
        thread::Builder::new().spawn(read)?;
    }
    Ok(receiver)
}

/// Reads the next line, or returns `None` at the end of the output. A bot that sends a line longer than
/// [`MAX_LINE`] is not read any further.
fn read_bounded_line(output: &mut impl BufRead) -> Option<Result<Vec<u8>, Forfeit>> {
    let mut line = Vec::new();
    output.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut line).ok()?;
    if line.len() as u64 > MAX_LINE {
        return Some(Err(Forfeit::LineTooLong));
    }
    (!line.is_empty()).then_some(Ok(line))
}
