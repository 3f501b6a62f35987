//! The match file, one JSON object per line: the settings, each game, the end.
//!
//! ```text
//! {"bots":["bitcade tetris tbp","cold-clear-2"],"seed":1,"milliseconds":100,"pieces":600,"patience":10000}
//! {"game":0,"seed":14971601782005023387,"winner":1,"reason":"top out",..}
//! {"game":1,"seed":13781649495232077965,"winner":null,"reason":"attack",..}
//! {"games":2,"version":3,"crc32":"5a0e17c3"}
//! ```
//!
//! The last line is a checksum (the CRC-32 of zip and PNG) of all preceding bytes, so a file that
//! lost its last games or has a flipped bit is not continued. A regular file is replaced atomically
//! after each game, which takes milliseconds compared with seconds per game; it always has its last
//! line, and a kill loses at most the game in progress. Version 1 had no last line, version 2 no
//! patience.

use crate::arguments::{milliseconds_in, parse_positive, parse_seed};
use crate::io::input::{Input, json_error};
use crate::io::output::Checkpoints;
use crate::io::output::Failure;
use bitcade_files::{Appender, Existing, OutputFile};
use bitcore::Rng;
use clap::Args;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The arguments that determine the games of a match. They are the first line of its file, and only
/// a match with the same ones can be continued.
#[derive(Args, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchSettings {
    /// A bot's command line, split into words like in a shell (quotes keep blanks); give it twice
    #[arg(long = "bot", value_name = "COMMAND", required = true, num_args = 1)]
    pub(super) bots: Vec<String>,
    /// The random seed, which determines the pieces and garbage holes of each game
    #[arg(long, default_value_t = 1, value_parser = parse_seed)]
    pub(super) seed: u64,
    /// The thinking time before each `suggest`, such as 100 (milliseconds) or 2s
    #[arg(long, value_name = "T", default_value_t = 100, value_parser = milliseconds_in(0..=3_600_000))]
    pub(super) milliseconds: u64,
    /// The maximum number of turns per game
    #[arg(long, default_value_t = 600, value_parser = parse_positive)]
    pub(super) pieces: u64,
    /// The time limit for a bot to read its input and answer, counted from `suggest` for both, such
    /// as 500 (milliseconds) or 10s; exceeding it loses the game
    #[arg(long, value_name = "T", default_value = "10s", value_parser = milliseconds_in(1..=3_600_000))]
    pub(super) patience: u64,
}

/// A finished game, one line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct GameRecord {
    pub(super) game: u64,
    pub(super) seed: u64,
    /// The winner, 0 or 1, or `None` for a draw.
    pub(super) winner: Option<usize>,
    pub(super) reason: String,
    pub(super) pieces: u64,
    pub(super) attack: [u64; 2],
    pub(super) seconds: f64,
    pub(super) nodes: [u64; 2],
}

#[derive(Serialize)]
struct End {
    games: usize,
    version: u32,
    crc32: String,
}

const VERSION: u32 = 3;

/// A match file and its games. The file is created with its first game, or by [`Results::finish`],
/// so a match that cannot begin leaves no file.
pub(super) struct Results {
    pub(super) file: OutputFile,
    /// The lines of the file, without the last one.
    text: String,
    /// The open output if it is not a regular file.
    stream: Option<Appender>,
    checkpoints: Checkpoints,
    pub(super) games: Vec<GameRecord>,
}

impl Results {
    /// Checks that the file can be written. With `resume`, reads its games, whose settings must
    /// match.
    pub(super) fn open(
        path: &Path,
        settings: &MatchSettings,
        resume: bool,
        force: bool,
    ) -> Result<Self, Failure> {
        let file = OutputFile::check(path, Existing::forced_or_resumed(force, resume))?;
        let checkpoints = Checkpoints::default();
        let mut results =
            Self { file, text: line(settings)?, stream: None, checkpoints, games: Vec::new() };
        if resume {
            let is_match = |bytes: &[u8]| bytes.starts_with(b"{\"bots\":");
            let input = Input::resume(path, "a match file, as written by tetris match", is_match)?;
            let lines = checked(&input.text).map_err(|error| input.error(error))?;
            results.games = parse(lines, settings).map_err(|error| input.error(error))?;
            lines.clone_into(&mut results.text);
        }
        Ok(results)
    }

    /// Adds a game and saves it. If the file can't be written now, it is written later: all games
    /// are in memory. On any other output, the reader already has the previous games.
    pub(super) fn append(&mut self, record: GameRecord) -> Result<(), Failure> {
        let line = line(&record)?;
        self.games.push(record);
        if self.file.is_regular() {
            self.text += &line;
            let saved = self.save();
            self.checkpoints.take(saved);
            return Ok(());
        }
        self.stream()?.append(line.as_bytes())?;
        self.text += &line;
        Ok(())
    }

    /// Writes whatever is missing: the whole file, or the last line of any other output.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        if self.file.is_regular() {
            return self.save();
        }
        let end = end(&self.text, self.games.len())?;
        self.stream()?.append(end.as_bytes())
    }

    fn save(&self) -> Result<(), Failure> {
        let end = end(&self.text, self.games.len())?;
        self.file.write(|sink| {
            sink(self.text.as_bytes());
            sink(end.as_bytes());
        })
    }

    /// The first call opens it and writes the settings.
    fn stream(&mut self) -> Result<&mut Appender, Failure> {
        let stream = if let Some(stream) = self.stream.take() {
            stream
        } else {
            let mut stream = self.file.appender()?;
            stream.append(self.text.as_bytes())?;
            stream
        };
        Ok(self.stream.insert(stream))
    }
}

fn line(record: &impl Serialize) -> Result<String, Failure> {
    Ok(serde_json::to_string(record).map_err(std::io::Error::from)? + "\n")
}

/// Returns the last line of a file with these preceding lines.
fn end(text: &str, games: usize) -> Result<String, Failure> {
    line(&End {
        games,
        version: VERSION,
        crc32: format!("{:08x}", crc32fast::hash(text.as_bytes())),
    })
}

/// Returns a file's lines without the last one, after verifying their checksum.
fn checked(text: &str) -> Result<&str, String> {
    let whole = text.trim_end();
    let (lines, last) = whole.split_at(whole.rfind('\n').map_or(0, |end| end + 1));
    let number = 1 + lines.lines().count();
    let expected = end(lines, number.saturating_sub(2)).map_err(|error| error.to_string())?;
    let expected = expected.trim_end();
    if last == expected {
        Ok(lines)
    } else if last.contains("crc32") {
        Err(format!("line {number}: expected {expected}: the file was changed"))
    } else {
        Err(format!(
            "line {}: expected a last line with games, version {VERSION} and crc32: the file is cut off, or from \
             version 1, which had none",
            number + 1
        ))
    }
}

/// Returns the games of a file. The settings must match and the games must be numbered from 0.
fn parse(text: &str, settings: &MatchSettings) -> Result<Vec<GameRecord>, String> {
    let mut lines = text.lines().zip(1..);
    let (header, _) = lines.next().ok_or("line 1: expected the settings, found nothing")?;
    let found: MatchSettings =
        serde_json::from_str(header).map_err(|error| json_error(1, &error))?;
    if found != *settings {
        return Err(format!("line 1: expected the settings of this run, found {header}"));
    }
    let mut games = Vec::new();
    for (line, number) in lines {
        let record: GameRecord =
            serde_json::from_str(line).map_err(|error| json_error(number, &error))?;
        let expected =
            |what: &str, expected: &dyn std::fmt::Display, found: &dyn std::fmt::Display| {
                Err(format!("line {number}: expected {what} {expected}, found {found}"))
            };
        if record.game != games.len() as u64 {
            return expected("game", &games.len(), &record.game);
        }
        let seed = game_seed(settings.seed, record.game);
        if record.seed != seed {
            return expected("seed", &seed, &record.seed);
        }
        if let Some(winner) = record.winner.filter(|&winner| winner > 1) {
            return expected("winner", &"0, 1 or null", &winner);
        }
        if record.pieces > settings.pieces {
            return expected("pieces of at most", &settings.pieces, &record.pieces);
        }
        if record.seconds < 0.0 {
            return expected("seconds of at least", &0, &record.seconds);
        }
        games.push(record);
    }
    Ok(games)
}

pub(super) fn game_seed(seed: u64, game: u64) -> u64 {
    Rng::stream(seed, game).next_u64()
}
