//! `bitcade tetris tbp`: a Tetris Bot Protocol bot.

use super::weights::parse_weights;
use crate::arguments::{number_in, parse_milliseconds, parse_time};
use crate::input::{Input, json_error, read_line};
use crate::interrupt::{self, POLL};
use crate::output::{Failure, Output, remark};
use crate::threads::no_reader;
use bitcore::Level;
use clap::Args;
use serde::Deserialize;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use tetris_ai::bot::BotWeights;
use tetris_ai::tbp::{BotMessage, FrontendMessage, Session};

/// The arguments of `tbp`.
#[derive(Args)]
pub(crate) struct TbpArgs {
    /// Search this many placements after each `suggest`
    #[arg(long, conflicts_with = "milliseconds", value_parser = number_in(1..=MAX_NODES))]
    nodes: Option<u64>,
    /// Search for this time, such as 500ms or 2 (seconds), after each `suggest`
    #[arg(long, value_name = "T", conflicts_with_all = ["nodes", "milliseconds"], value_parser = parse_time)]
    time: Option<Duration>,
    /// The same, without a unit in milliseconds
    #[arg(long, value_name = "T", value_parser = parse_milliseconds)]
    milliseconds: Option<u64>,
    /// The evaluation: a JSON object of weights by name, in hundredths of a line; missing weights keep their
    /// defaults
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

/// The maximum number of placements of a search, a few hundred megabytes of memory.
const MAX_NODES: u64 = 4_000_000;
/// The number of placements searched between two checks for a message, about a millisecond.
const NODES_PER_POLL: u64 = 2_000;

pub(crate) fn run(arguments: &TbpArgs, level: Level, output: &mut Output) -> Result<(), Failure> {
    let mut bot = TbpBot::new(arguments, weights(arguments)?, level);
    let lines = read_lines()?;
    let mut remarks = Remarks::default();
    send(&Session::info(), output)?;
    let interrupted = interrupt::install_handler();
    while let Some(line) = bot.next_line(&lines, &interrupted) {
        remarks.line += 1;
        match serde_json::from_slice(&line) {
            Ok(FrontendMessage::Quit) => break,
            Ok(FrontendMessage::Suggest) => {
                // Without a game the frontend waits for an answer, too.
                send(&bot.suggest(&interrupted).unwrap_or_else(BotMessage::resignation), output)?;
            }
            Ok(message) => {
                if let Some(answer) = bot.receive(message) {
                    send(&answer, output)?;
                }
            }
            Err(_) if line.trim_ascii().is_empty() => {}
            Err(error) => {
                let ends_game = belongs_to_a_game(&line);
                if ends_game {
                    // What the frontend plays now is not known; the old game is not it.
                    bot.receive(FrontendMessage::Stop);
                }
                remarks.say(&error, ends_game);
            }
        }
    }
    Ok(())
}

/// The remarks about messages that cannot be read.
#[derive(Default)]
struct Remarks {
    /// The number of the current line, from 1.
    line: u64,
    said: u32,
}

impl Remarks {
    /// The number of remarks in a run.
    const MAX: u32 = 20;

    fn say(&mut self, error: &serde_json::Error, ends_game: bool) {
        self.said = self.said.saturating_add(1);
        if self.said <= Self::MAX {
            let end = if ends_game { "; the game is forgotten" } else { "" };
            let error = json_error(self.line, error);
            remark(format_args!("standard input: {error}{end}"));
        } else if self.said == Self::MAX + 1 {
            remark("standard input: further messages that cannot be read are not reported");
        }
    }
}

/// The words by which a line that is not JSON is taken for a damaged message of a game.
const WORDS_OF_A_GAME: [&str; 5] = ["\"start\"", "\"board\"", "\"queue\"", "\"play\"", "\"new_piece\""];

/// Returns whether a line that cannot be read is a message that begins or changes a game, or looks like a
/// damaged one.
fn belongs_to_a_game(line: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Typed {
        r#type: String,
    }
    let has = |word: &str| line.windows(word.len()).any(|part| part == word.as_bytes());
    match serde_json::from_slice::<Typed>(line) {
        Ok(Typed { r#type }) => matches!(&*r#type, "start" | "play" | "new_piece"),
        Err(_) => WORDS_OF_A_GAME.into_iter().any(has),
    }
}

fn weights(arguments: &TbpArgs) -> Result<BotWeights, Failure> {
    let Some(file) = &arguments.weights else { return Ok(BotWeights::default()) };
    let input = Input::read(Some(file.clone()))?;
    parse_weights(&input.text).map_err(|error| input.error(error))
}

fn send(message: &BotMessage, output: &mut Output) -> Result<(), Failure> {
    output.json_line(message)?;
    output.flush()
}

/// The session and the limits of its searches.
struct TbpBot {
    session: Session,
    nodes: Option<u64>,
    time: Option<Duration>,
    /// The number of placements searched and the time spent since the state last changed.
    searched_nodes: u64,
    search_time: Duration,
}

impl TbpBot {
    fn new(arguments: &TbpArgs, weights: BotWeights, level: Level) -> Self {
        let session = Session::new_on(level, weights);
        let time = arguments.time.or(arguments.milliseconds.map(Duration::from_millis));
        Self { session, nodes: arguments.nodes, time, searched_nodes: 0, search_time: Duration::ZERO }
    }

    /// Waits for a line and, without a limit, searches meanwhile. Returns `None` at the end of the input and
    /// after a signal.
    fn next_line(&mut self, lines: &Receiver<Vec<u8>>, interrupted: &dyn Fn() -> bool) -> Option<Vec<u8>> {
        let mut thinks = self.nodes.is_none() && self.time.is_none() && self.session.has_piece_in_play();
        while !interrupted() {
            match lines.recv_timeout(if thinks { Duration::ZERO } else { POLL }) {
                Ok(line) => return Some(line),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if thinks => {
                    thinks = self.think(self.searched_nodes + NODES_PER_POLL, None, interrupted);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        None
    }

    /// Continues the search. Returns `false` if nothing is left to search.
    fn think(&mut self, nodes: u64, time: Option<Duration>, interrupted: &dyn Fn() -> bool) -> bool {
        let start = Instant::now();
        let stop = || interrupted() || time.is_some_and(|time| start.elapsed() >= time);
        let more = self.session.think(nodes.min(MAX_NODES), &stop);
        self.searched_nodes = nodes;
        self.search_time += start.elapsed();
        more && nodes < MAX_NODES
    }

    fn receive(&mut self, message: FrontendMessage) -> Option<BotMessage> {
        (self.searched_nodes, self.search_time) = (0, Duration::ZERO);
        self.session.receive(message)
    }

    /// Searches to its limit and returns the suggestion; after a signal, the best so far.
    fn suggest(&mut self, interrupted: &dyn Fn() -> bool) -> Option<BotMessage> {
        if let Some(nodes) = self.nodes {
            self.think(nodes, None, interrupted);
        } else if self.time.is_some() {
            self.think(MAX_NODES, self.time, interrupted);
        }
        let mut suggestion = self.session.suggestion()?;
        if let BotMessage::Suggestion { move_info: Some(info), .. } = &mut suggestion {
            info.nps = (info.nodes as f64 / self.search_time.as_secs_f64().max(1e-6)).round();
        }
        Some(suggestion)
    }
}

/// Reads standard input in a separate thread, so that a line can interrupt a search.
fn read_lines() -> Result<Receiver<Vec<u8>>, Failure> {
    let (sender, receiver) = sync_channel(64);
    let read = move || {
        let mut input = io::stdin().lock();
        while let Ok(Some(line)) = read_line(&mut input) {
            if sender.send(line).is_err() {
                break;
            }
        }
    };
    thread::Builder::new().spawn(read).map_err(|error| no_reader("standard input", &error))?;
    Ok(receiver)
}
