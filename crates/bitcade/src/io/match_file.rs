//! A match file, one JSON object per line: the settings, each game, the end.
//!
//! ```text
//! {"bots":["bitcade tetris tbp","cold-clear-2"],"seed":1,..}
//! {"game":0,"seed":14971601782005023387,"winner":1,"reason":"top out",..}
//! {"game":1,"seed":13781649495232077965,"winner":null,"reason":"attack",..}
//! {"games":2,"version":3,"crc32":"5a0e17c3"}
//! ```
//!
//! The last line is a checksum (the CRC-32 of zip and PNG) of all preceding bytes, so a file that
//! lost its last games or has a flipped bit is not continued. A regular file is replaced atomically
//! after each game, or, of games that take no longer than a save, after some of them; it always has
//! its last line, and a kill loses at most the games since the last save.

use crate::io::input::{Input, json_error};
use crate::io::output::{Checkpoints, Failure};
use crate::io::stopwatch::Stopwatch;
use bitcade_files::{Appender, Existing, OutputFile};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::path::Path;
use std::time::Duration;

/// The arguments that determine the games of a match. They are the first line of its file, and only
/// a match with the same ones can be continued.
pub(crate) trait MatchSettings: Serialize + DeserializeOwned + PartialEq {
    /// A finished game, one line of the file.
    type Game: Serialize + DeserializeOwned;

    /// What begins every file.
    const START: &str;
    /// What the file is, and which command writes it.
    const KIND: &str;
    const VERSION: u32;
    /// What can be missing in files of earlier versions, after "the file is cut off".
    const EARLIER: &str;

    /// Checks that a game could be the one with this number: what was expected and what was found.
    fn check(&self, number: u64, game: &Self::Game) -> Result<(), String>;
}

/// Returns the error of a number or text in a file that isn't the one that was expected.
pub(crate) fn expected(
    what: &str,
    expected: impl Display,
    found: impl Display,
) -> Result<(), String> {
    Err(format!("expected {what} {expected}, found {found}"))
}

#[derive(Serialize)]
struct End {
    games: usize,
    version: u32,
    crc32: String,
}

/// A match file and its games. The file is created with its first game, or by [`Self::finish`], so
/// a match that cannot begin leaves no file.
pub(crate) struct MatchFile<S: MatchSettings> {
    pub(crate) file: OutputFile,
    /// The lines of the file, without the last one.
    text: String,
    /// The open output if it is not a regular file.
    stream: Option<Appender>,
    checkpoints: Checkpoints,
    /// How long the last save took, and the time since.
    saving: Duration,
    since_saved: Stopwatch,
    pub(crate) games: Vec<S::Game>,
}

/// Saving takes at most one part in so many of the time: the file of many short games is long.
const SHARE: u32 = 20;

impl<S: MatchSettings> MatchFile<S> {
    /// Checks that the file can be written. With `resume`, reads its games, whose settings must
    /// match.
    pub(crate) fn open(
        path: &Path,
        settings: &S,
        resume: bool,
        force: bool,
    ) -> Result<Self, Failure> {
        let file = OutputFile::check(path, Existing::forced_or_resumed(force, resume))?;
        let checkpoints = Checkpoints::default();
        let mut results = Self {
            file,
            text: line(settings)?,
            stream: None,
            checkpoints,
            saving: Duration::ZERO,
            since_saved: Stopwatch::start(),
            games: Vec::new(),
        };
        if resume {
            let is_match = |bytes: &[u8]| bytes.starts_with(S::START.as_bytes());
            let input = Input::resume(path, S::KIND, is_match)?;
            let lines = checked::<S>(&input.text).map_err(|error| input.error(error))?;
            results.games = parse(lines, settings).map_err(|error| input.error(error))?;
            lines.clone_into(&mut results.text);
        }
        Ok(results)
    }

    /// Adds a game and saves it. If the file can't be written now, it is written later: all games
    /// are in memory. On any other output, the reader already has the previous games.
    pub(crate) fn append(&mut self, game: S::Game) -> Result<(), Failure> {
        let line = line(&game)?;
        self.games.push(game);
        if self.file.is_regular() {
            self.text += &line;
            if self.since_saved.elapsed() >= SHARE * self.saving {
                let start = Stopwatch::start();
                let saved = self.save();
                self.checkpoints.take(saved);
                (self.saving, self.since_saved) = (start.elapsed(), Stopwatch::start());
            }
            return Ok(());
        }
        self.stream()?.append(line.as_bytes())?;
        self.text += &line;
        Ok(())
    }

    /// Writes whatever is missing: the whole file, or the last line of any other output.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        if self.file.is_regular() {
            return self.save();
        }
        let end = end::<S>(&self.text, self.games.len())?;
        self.stream()?.append(end.as_bytes())
    }

    fn save(&self) -> Result<(), Failure> {
        let end = end::<S>(&self.text, self.games.len())?;
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

/// Returns the games of a file with any settings.
pub(crate) fn read<S: MatchSettings>(text: &str) -> Result<Vec<S::Game>, String> {
    let lines = checked::<S>(text)?;
    let header = lines.lines().next().unwrap_or_default();
    let settings = serde_json::from_str(header).map_err(|error| json_error(1, &error))?;
    parse::<S>(lines, &settings)
}

fn line(record: &impl Serialize) -> Result<String, Failure> {
    Ok(serde_json::to_string(record).map_err(std::io::Error::from)? + "\n")
}

/// Returns the last line of a file with these preceding lines.
fn end<S: MatchSettings>(text: &str, games: usize) -> Result<String, Failure> {
    line(&End {
        games,
        version: S::VERSION,
        crc32: format!("{:08x}", crc32fast::hash(text.as_bytes())),
    })
}

/// Returns a file's lines without the last one, after verifying their checksum.
fn checked<S: MatchSettings>(text: &str) -> Result<&str, String> {
    let whole = text.trim_end();
    let (lines, last) = whole.split_at(whole.rfind('\n').map_or(0, |end| end + 1));
    let number = 1 + lines.lines().count();
    let expected = end::<S>(lines, number.saturating_sub(2)).map_err(|error| error.to_string())?;
    let expected = expected.trim_end();
    if last == expected {
        Ok(lines)
    } else if last.contains("crc32") {
        Err(format!("line {number}: expected {expected}: the file was changed"))
    } else {
        Err(format!(
            "line {}: expected a last line with games, version {} and crc32: the file is cut off{}",
            number + 1,
            S::VERSION,
            S::EARLIER
        ))
    }
}

/// Returns the games of a file. The settings must match and the games must be numbered from 0.
fn parse<S: MatchSettings>(text: &str, settings: &S) -> Result<Vec<S::Game>, String> {
    let mut lines = text.lines().zip(1..);
    let (header, _) = lines.next().ok_or("line 1: expected the settings, found nothing")?;
    let found: S = serde_json::from_str(header).map_err(|error| json_error(1, &error))?;
    if found != *settings {
        return Err(format!("line 1: expected the settings of this run, found {header}"));
    }
    let mut games = Vec::new();
    for (line, number) in lines {
        let game: S::Game =
            serde_json::from_str(line).map_err(|error| json_error(number, &error))?;
        settings
            .check(games.len() as u64, &game)
            .map_err(|error| format!("line {number}: {error}"))?;
        games.push(game);
    }
    Ok(games)
}
