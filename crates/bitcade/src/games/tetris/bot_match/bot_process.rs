//! The two bots of a match, each in its own process.

use crate::io::input::{MAX_LINE, strip_byte_order_mark};
use crate::io::interrupt::{self, POLL};
use crate::io::output::Failure;
use crate::io::stopwatch::Stopwatch;
use crate::io::threads::no_reader;
use bitcade_files::Blocking;
#[cfg(unix)]
use nix::sys::signal::{Signal, killpg};
#[cfg(unix)]
use nix::unistd::Pid;
use std::array;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
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
    child: Child,
    /// The queue of the thread that writes to the process.
    input: Sender<String>,
    /// The number of messages that the process has not read yet.
    unwritten: usize,
    /// The reason why the process sends nothing more.
    ended: Option<Forfeit>,
    /// Disconnected once the process's standard error has ended and been shown.
    shown: Receiver<()>,
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
            self.processes.iter().for_each(|process| process.send_signal(Signal::SIGSTOP));
            stops::stop();
            self.processes.iter().for_each(|process| process.send_signal(Signal::SIGCONT));
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
        let failed = |reason: String| Failure::Input(format!("--bot {command}: {reason}"));
        let words = shell_words::split(command).map_err(|error| failed(error.to_string()))?;
        let (program, arguments) =
            words.split_first().ok_or_else(|| failed("expected a command line".to_owned()))?;
        let mut process = Command::new(program);
        process.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            // A process group for the bot and everything it starts, to end them together.
            process.process_group(0);
        }
        let mut child = process.spawn().map_err(|error| failed(error.to_string()))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(failed("the pipes to the bot are missing".to_owned()));
        };
        let (input, messages) = channel();
        let (shows, shown) = sync_channel(1);
        // From here on, dropping the bot on an error ends the process.
        let bot = Self { child, input, unwritten: 0, ended: None, shown };
        let send = |events: &SyncSender<_>| {
            let events = events.clone();
            move |event| events.send((side, event)).is_ok()
        };
        let from_reader = send(events);
        let from_writer = send(events);
        let threads = spawn(move || write(stdin, &messages, from_writer))
            .and_then(|()| spawn(move || read(stdout, from_reader)))
            .and_then(|()| spawn(move || show(stderr, shows)));
        threads.map_err(|error| no_reader(&format!("the output of --bot {command}"), &error))?;
        Ok(bot)
    }

    fn send(&mut self, message: &FrontendMessage) {
        let line = serde_json::to_string(message).map(|line| line + "\n").unwrap_or_default();
        self.unwritten += usize::from(self.input.send(line).is_ok());
    }

    #[cfg(unix)]
    fn send_signal(&self, signal: Signal) {
        let _ = killpg(Pid::from_raw(self.child.id() as i32), signal);
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
        // A bot that ignores `quit` must end too, with everything it started.
        #[cfg(unix)]
        self.send_signal(Signal::SIGKILL);
        let _ = self.child.kill();
        let _ = self.child.wait();
        // A process that has left the group may keep the standard error open.
        let _ = self.shown.recv_timeout(LAST_WORDS);
    }
}

const LAST_WORDS: Duration = Duration::from_millis(100);

fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().spawn(work).map(drop)
}

/// Writes messages to a process that may not read them. After a failure they are dropped.
fn write(stdin: ChildStdin, messages: &Receiver<String>, send: impl Fn(Event) -> bool) {
    let mut stdin = Some(stdin);
    for line in messages {
        if stdin.as_mut().is_some_and(|stdin| stdin.write_all(line.as_bytes()).is_err()) {
            stdin = None;
        }
        if !send(Event::Written) {
            break;
        }
    }
}

/// Shows a process's standard error, since the user should see a bot's own account of a failure.
/// The process does not inherit ours: its children could keep it open after the match.
fn show(mut stderr: ChildStderr, shows: SyncSender<()>) {
    let _ = io::copy(&mut stderr, &mut Blocking(io::stderr()));
    drop(shows);
}

/// Reads the messages of a process. Other lines are ignored; one that is too long is the last.
fn read(stdout: ChildStdout, send: impl Fn(Event) -> bool) {
    let mut stdout = BufReader::new(stdout);
    let mut is_first = true;
    loop {
        let mut line = read_bounded_line(&mut stdout);
        if let (Ok(line), true) = (&mut line, std::mem::take(&mut is_first)) {
            strip_byte_order_mark(line);
        }
        let event = match line {
            Ok(line) => match serde_json::from_slice(&line) {
                Ok(message) => Event::Message(message),
                Err(_) if looks_like_suggestion(&line) => Event::Unreadable,
                Err(_) => continue,
            },
            Err(forfeit) => Event::Ended(forfeit),
        };
        let last = matches!(event, Event::Ended(_));
        if !send(event) || last {
            break;
        }
    }
}

fn looks_like_suggestion(line: &[u8]) -> bool {
    let word = b"\"suggestion\"";
    line.trim_ascii_start().starts_with(b"{") && line.windows(word.len()).any(|part| part == word)
}

fn read_bounded_line(output: &mut impl BufRead) -> Result<Vec<u8>, Forfeit> {
    let mut line = Vec::new();
    let read = output.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut line);
    match read {
        Ok(1..) if line.len() as u64 > MAX_LINE => Err(Forfeit::LineTooLong),
        Ok(1..) => Ok(line),
        Ok(0) | Err(_) => Err(Forfeit::Exited),
    }
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
