//! The file of a match: its settings, then one line per game.

use crate::atomic_file::{Appender, Existing, OutputFile};
use crate::output::Failure;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// The settings of a match, the first line of its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MatchSettings {
    pub(super) bots: [String; 2],
    pub(super) seed: u64,
    pub(super) milliseconds: u64,
    pub(super) pieces: u64,
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

/// The file of a match and the games in it. The file is created with its first game, or by
/// [`Results::finish`]: a match that cannot begin leaves none.
pub(super) struct Results {
    pub(super) file: OutputFile,
    /// The lines with which the file begins.
    begin: String,
    appender: Option<Appender>,
    pub(super) games: Vec<GameRecord>,
}

impl Results {
    /// Checks that the file can be written. With `resume` reads its games, which must have the same
    /// settings.
    pub(super) fn open(
        path: &Path,
        settings: &MatchSettings,
        resume: bool,
        force: bool,
    ) -> Result<Self, Failure> {
        let failed = |error: &dyn std::fmt::Display| Failure::Input(format!("{}: {error}", path.display()));
        let mut results = Self {
            file: OutputFile::check(path, Existing::forced_or_resumed(force, resume))?,
            begin: line(settings)?,
            appender: None,
            games: Vec::new(),
        };
        if resume {
            let mut text = fs::read_to_string(path).map_err(|error| failed(&error))?;
            results.games = parse(&text, settings).map_err(|error| failed(&error))?;
            // A last line without a line feed is incomplete.
            text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
            results.begin = text;
        }
        Ok(results)
    }

    /// Appends a game.
    pub(super) fn append(&mut self, record: GameRecord) -> Result<(), Failure> {
        self.opened()?.append(line(&record)?.as_bytes())?;
        self.games.push(record);
        Ok(())
    }

    /// Creates the file if no game has done so.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        self.opened().map(|_| ())
    }

    /// Returns the open file, which is created by the first call.
    fn opened(&mut self) -> Result<&mut Appender, Failure> {
        let appender = match self.appender.take() {
            Some(appender) => appender,
            None => self.file.appender(self.begin.as_bytes())?,
        };
        Ok(self.appender.insert(appender))
    }
}

/// Returns a JSON line.
fn line(record: &impl Serialize) -> Result<String, Failure> {
    Ok(serde_json::to_string(record).map_err(std::io::Error::from)? + "\n")
}

/// Returns the games of a file. The settings must match and the games must be numbered from 0.
fn parse(text: &str, settings: &MatchSettings) -> Result<Vec<GameRecord>, String> {
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    let mut lines = whole.lines().zip(1..);
    let (header, _) = lines.next().ok_or("line 1: expected the settings, found nothing")?;
    let found: MatchSettings = serde_json::from_str(header).map_err(|error| format!("line 1: {error}"))?;
    if found != *settings {
        return Err(format!("line 1: expected the settings of this run, found {header}"));
    }
    let mut games = Vec::new();
    for (line, number) in lines {
        let record: GameRecord =
            serde_json::from_str(line).map_err(|error| format!("line {number}: {error}"))?;
        if record.game != games.len() as u64 {
            return Err(format!("line {number}: expected game {}, found {}", games.len(), record.game));
        }
        games.push(record);
    }
    Ok(games)
}
