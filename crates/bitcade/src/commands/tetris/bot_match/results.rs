//! [`Results`]: the file of matches.

use crate::output::Failure;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;

/// What all games of a file have in common: its first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MatchSettings {
    pub(super) bots: [String; 2],
    pub(super) seed: u64,
    pub(super) milliseconds: u64,
    pub(super) pieces: u64,
}

/// A game: a further line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct GameRecord {
    pub(super) game: u64,
    pub(super) seed: u64,
    /// 0 or 1; none of a draw.
    pub(super) winner: Option<usize>,
    pub(super) reason: String,
    pub(super) pieces: u64,
    pub(super) attack: [u64; 2],
    pub(super) seconds: f64,
    pub(super) nodes: [u64; 2],
}

/// The open file, and the games in it.
pub(super) struct Results {
    name: String,
    file: File,
    pub(super) games: Vec<GameRecord>,
}

impl Results {
    /// A new file; or, to go on with, one of the same settings.
    pub(super) fn open(path: &Path, settings: &MatchSettings, resume: bool) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let failed = |error: &dyn std::fmt::Display| Failure::Input(format!("{name}: {error}"));
        if resume {
            let mut file =
                OpenOptions::new().read(true).append(true).open(path).map_err(|error| failed(&error))?;
            let mut text = String::new();
            file.read_to_string(&mut text).map_err(|error| failed(&error))?;
            let games = parse(&text, settings).map_err(|error| failed(&error))?;
            // A line without an end was cut off in the midst of writing.
            let whole = text.rfind('\n').map_or(0, |end| end + 1);
            file.set_len(whole as u64).map_err(|error| failed(&error))?;
            return Ok(Self { name, file, games });
        }
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        let mut results = Self { file: file.map_err(|error| failed(&error))?, name, games: Vec::new() };
        results.write(settings)?;
        Ok(results)
    }

    /// Adds a game.
    pub(super) fn append(&mut self, record: GameRecord) -> Result<(), Failure> {
        self.write(&record)?;
        self.games.push(record);
        Ok(())
    }

    /// Writes a line, whole and at once.
    fn write(&mut self, line: &impl Serialize) -> Result<(), Failure> {
        let line = serde_json::to_string(line).map_err(std::io::Error::from)? + "\n";
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|error| Failure::Check(format!("{}: {error}", self.name)))
    }
}

/// The games of a file, which must be those of the settings, in their order.
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
