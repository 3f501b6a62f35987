//! `bitcade tetris tbp`: a Tetris Bot Protocol bot.

use crate::arguments::{number_in, parse_milliseconds, parse_time};
use crate::io::input::{Input, json_error, json_text};
use crate::io::interrupt;
use crate::io::lines::InputLines;
use crate::io::output::{Failure, Output, remark};
use crate::io::stopwatch::Stopwatch;
use clap::Args;
use serde::Deserialize;
use std::path::PathBuf;
use std::time::Duration;
use tetris_ai::Stop;
use tetris_ai::bot::BotWeights;
use tetris_ai::bot::tbp::{BotMessage, FrontendMessage, Session};

#[derive(Args)]
pub(crate) struct TbpArgs {
    /// Search this many placements after each `suggest`
    #[arg(long, conflicts_with = "milliseconds", value_parser = number_in(1..=MAX_NODES))]
    nodes: Option<u64>,
    /// Search for this time, such as 500ms or 2 (seconds), after each `suggest`
    #[arg(long, value_name = "T", conflicts_with_all = ["nodes", "milliseconds"], value_parser = parse_time)]
    time: Option<Duration>,
    /// Like --time; a bare number is in milliseconds
    #[arg(long, value_name = "T", value_parser = parse_milliseconds)]
    milliseconds: Option<u64>,
    /// The evaluation: a JSON object of weights by name, in hundredths of a line; missing weights
    /// keep their defaults
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

/// The maximum number of placements of a search, a few hundred megabytes of memory.
const MAX_NODES: u64 = 4_000_000;
/// The placements searched between two checks for a message, about a millisecond.
const NODES_PER_POLL: u64 = 2_000;

pub(crate) fn run(arguments: &TbpArgs, output: &mut Output) -> Result<(), Failure> {
    let mut bot = TbpBot::new(arguments, weights(arguments)?);
    let lines = InputLines::new()?;
    let mut remarks = Remarks::default();
    send(&Session::info(), output)?;
    let interrupted = interrupt::install_handler();
    while let Some(line) = bot.next_line(&lines, &interrupted) {
        remarks.line += 1;
        match serde_json::from_slice(&line) {
            Ok(FrontendMessage::Quit) => break,
            Ok(FrontendMessage::Suggest) => {
                // Even without a game, the frontend waits for an answer.
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
                    // The frontend's current game is unknown, and the old one is over.
                    bot.receive(FrontendMessage::Stop);
                }
                remarks.say(&error, ends_game);
            }
        }
    }
    Ok(())
}

#[derive(Default)]
struct Remarks {
    /// The number of the current line, from 1.
    line: u64,
    said: u32,
}

impl Remarks {
    /// The maximum number of remarks per run.
    const MAX: u32 = 20;

    fn say(&mut self, error: &serde_json::Error, ends_game: bool) {
        self.said = self.said.saturating_add(1);
        if self.said <= Self::MAX {
            let end = if ends_game { "; the game is dropped" } else { "" };
            let error = json_error(self.line, error);
            remark(format_args!("standard input: {error}{end}"));
        } else if self.said == Self::MAX + 1 {
            remark("standard input: further unreadable messages are not reported");
        }
    }
}

/// The words that mark a line that is not JSON as a damaged message of a game.
const WORDS_OF_A_GAME: [&str; 5] =
    ["\"start\"", "\"board\"", "\"queue\"", "\"play\"", "\"new_piece\""];

/// Returns whether an unreadable line is a message that begins or changes a game, or looks like a
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

/// Parses weights by name: whole numbers, or lists of them. Missing weights keep their defaults.
fn parse_weights(text: &str) -> Result<BotWeights, String> {
    // A list would be read as all weights in order.
    if !text.trim_start().starts_with('{') {
        return Err(
            "line 1, column 1: expected an object of weights such as {\"covered\": -20}".to_owned()
        );
    }
    serde_json::from_str(text).map_err(|error: serde_json::Error| {
        format!("line {}, column {}: {}", error.line(), error.column(), json_text(&error))
    })
}

fn send(message: &BotMessage, output: &mut Output) -> Result<(), Failure> {
    output.json_line(message)?;
    output.flush()
}

struct TbpBot {
    session: Session,
    nodes: Option<u64>,
    time: Option<Duration>,
    /// The placements searched and the time spent since the state last changed.
    searched_nodes: u64,
    search_time: Duration,
}

impl TbpBot {
    fn new(arguments: &TbpArgs, weights: BotWeights) -> Self {
        let session = Session::new(weights);
        let time = arguments.time.or(arguments.milliseconds.map(Duration::from_millis));
        Self {
            session,
            nodes: arguments.nodes,
            time,
            searched_nodes: 0,
            search_time: Duration::ZERO,
        }
    }

    /// Waits for a line; without a limit, searches meanwhile. Returns `None` at the end of the
    /// input and after a signal.
    fn next_line(&mut self, lines: &InputLines, interrupted: Stop<'_>) -> Option<Vec<u8>> {
        let mut thinks =
            self.nodes.is_none() && self.time.is_none() && self.session.has_piece_in_play();
        while thinks && !lines.pending().any() && !interrupted() {
            thinks = self.think(self.searched_nodes + NODES_PER_POLL, None, interrupted);
        }
        lines.next(interrupted).ok().flatten()
    }

    /// Returns `false` if nothing is left to search.
    fn think(&mut self, nodes: u64, time: Option<Duration>, interrupted: Stop<'_>) -> bool {
        let start = Stopwatch::start();
        let stop = || interrupted() || time.is_some_and(|time| start.elapsed() >= time);
        // After a stop, more is left.
        let more = self.session.think_until(nodes.min(MAX_NODES), &stop).unwrap_or(true);
        self.searched_nodes = nodes;
        self.search_time += start.elapsed();
        more && nodes < MAX_NODES
    }

    fn receive(&mut self, message: FrontendMessage) -> Option<BotMessage> {
        (self.searched_nodes, self.search_time) = (0, Duration::ZERO);
        self.session.receive(message)
    }

    /// Searches up to its limit and returns the suggestion; after a signal, the best so far.
    fn suggest(&mut self, interrupted: Stop<'_>) -> Option<BotMessage> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_have_names() {
        let text = "{ \"covered\": -7,\n\t\"mini\": [1, 2 ,3]\r\n}\n";
        let expected = BotWeights { covered: -7, mini: [1, 2, 3], ..BotWeights::default() };
        assert_eq!(parse_weights(text), Ok(expected));
        assert_eq!(parse_weights(" {} "), Ok(BotWeights::default()));
        let all = serde_json::to_string_pretty(&BotWeights::default()).expect("JSON");
        assert_eq!(parse_weights(&all), Ok(BotWeights::default()));
    }

    #[test]
    fn errors_of_weights_say_where() {
        let object = "line 1, column 1: expected an object of weights such as {\"covered\": -20}";
        for (text, error) in [
            ("", object),
            ("[1]", object),
            ("{", "line 1, column 1: EOF while parsing an object"),
            ("{\"covered\n", "line 2, column 0: control character"),
            ("{\"covered\" 1}", "line 1, column 12: expected `:`"),
            (
                "{\n \"covered\": 1.5}",
                "line 2, column 15: invalid type: floating point `1.5`, expected i32",
            ),
            ("{\"covered\": 1,}", "line 1, column 15: trailing comma"),
            ("{\"covered\": 1 2}", "line 1, column 15: expected `,` or `}`"),
            ("{\"covered\": 1} x", "line 1, column 16: trailing characters"),
            ("{\"covered\": 1, \"covered\": 2}", "line 1, column 24: duplicate field `covered`"),
            (
                "{\"mini\": 3}",
                "line 1, column 10: invalid type: integer `3`, expected an array of length 3",
            ),
            (
                "{\"mini\": [1, 2]}",
                "line 1, column 15: invalid length 2, expected an array of length 3",
            ),
            ("{\"mini\": [1, 2, 3, 4]}", "line 1, column 20: trailing characters"),
            (
                "{\"cover\": 1}",
                "line 1, column 8: unknown field `cover`, expected one of `plain`, ",
            ),
        ] {
            let found = parse_weights(text).expect_err(text);
            assert!(found.starts_with(error), "{text}: {found}");
        }
    }
}
