//! The file of a match: its settings, then one line per game.

use crate::output::Failure;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
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

/// The open file of a match and the games in it.
pub(super) struct Results {
    name: String,
    file: File,
    pub(super) games: Vec<GameRecord>,
}

impl Results {
    /// Creates a new file or, with `resume`, opens an existing one, which must have the same settings.
    pub(super) fn open(path: &Path, settings: &MatchSettings, resume: bool) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let failed = |error: &dyn std::fmt::Display| Failure::Input(format!("{name}: {error}"));
        if resume {
            let mut file =
                OpenOptions::new().read(true).append(true).open(path).map_err(|error| failed(&error))?;
            let mut text = String::new();
            file.read_to_string(&mut text).map_err(|error| failed(&error))?;
            let games = parse(&text, settings).map_err(|error| failed(&error))?;
            // A last line without a line feed is incomplete.
            let whole = text.rfind('\n').map_or(0, |end| end + 1);
            file.set_len(whole as u64).map_err(|error| failed(&error))?;
            return Ok(Self { name, file, games });
        }
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        let mut results = Self { file: file.map_err(|error| failed(&error))?, name, games: Vec::new() };
        results.write(settings)?;
        Ok(results)
    }

    /// Appends a game.
    pub(super) fn append(&mut self, record: GameRecord) -> Result<(), Failure> {
        self.write(&record)?;
        self.games.push(record);
        Ok(())
    }

    /// Writes a line and syncs it to the disk.
    fn write(&mut self, line: &impl Serialize) -> Result<(), Failure> {
        let line = serde_json::to_string(line).map_err(std::io::Error::from)? + "\n";
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|error| Failure::Check(format!("{}: {error}", self.name)))
    }
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
