//! [`GameFile`]: the SGF file of a game.

use crate::output::Failure;
use bitcade_files::{Existing, OutputFile};
use etcetera::BaseStrategy;
use go_mc::sgf::{MoveNode, Record};
use go_mc::{Color, Move, Size};
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub(crate) enum GameFile {
    Named(PathBuf, OutputFile),
    /// A file with the next free number in a folder. It is chosen when the game is first saved.
    Numbered(PathBuf),
    /// No file: the system has no folder for data of the user.
    Missing,
}

/// Returns the record of a game on a square board, with Black's win rate in percent after each move if known.
pub(crate) fn record(
    side: usize,
    komi: f64,
    user: Color,
    moves: impl IntoIterator<Item = (Move, Option<f64>)>,
    result: &str,
) -> Option<Record> {
    let moves = moves.into_iter().zip(Color::ALL.into_iter().cycle());
    let node =
        |((mv, black_win_percent), color)| MoveNode { color, mv, comment: String::new(), black_win_percent };
    Some(Record {
        komi: Some(komi),
        player_names: Color::ALL.map(|color| if color == user { "you" } else { "bitcade" }.to_owned()),
        result: result.to_owned(),
        moves: moves.map(node).collect(),
        ..Record::new(Size::new(side, side)?)
    })
}

const MAX_NUMBER: u32 = 1_000_000;

impl GameFile {
    /// Returns the file of this name, or one in the user's data folder.
    pub(crate) fn new(path: Option<&Path>, force: bool) -> Result<Self, Failure> {
        if let Some(path) = path {
            let file = OutputFile::check(path, Existing::forced(force))?;
            return Ok(Self::Named(path.to_owned(), file));
        }
        let base = etcetera::choose_base_strategy().ok();
        Ok(base.map_or(Self::Missing, |base| Self::Numbered(base.data_dir().join("bitcade/games"))))
    }

    /// Returns whether the file can be written more than once, and while a screen is shown.
    pub(crate) fn is_regular(&self) -> bool {
        match self {
            Self::Named(_, file) => file.is_regular(),
            Self::Numbered(_) => true,
            Self::Missing => false,
        }
    }

    /// Writes a game. Returns the path of the file, or `None` without a file.
    pub(crate) fn save(&mut self, record: &Record) -> Result<Option<&Path>, Failure> {
        if let Self::Numbered(folder) = self {
            let failed = |error: io::Error| Failure::Check(format!("{}: {error}", folder.display()));
            let path = next_free(folder).map_err(failed)?;
            let file = OutputFile::check(&path, Existing::Replace)?;
            *self = Self::Named(path, file);
        }
        let Self::Named(path, file) = self else { return Ok(None) };
        let text = format!("{record}\n");
        file.write(|sink| sink(text.as_bytes()))?;
        Ok(Some(path))
    }
}

/// Creates an empty file with the first number that is free, so that no other game takes it.
fn next_free(folder: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    for number in 1..MAX_NUMBER {
        let path = folder.join(format!("go-{number}.sgf"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_mc::Size;

    #[test]
    fn each_game_has_a_number_of_its_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let games = folder.path().join("new/games");
        let mut record = Record::new(Size::new(5, 5).expect("a size"));
        let names: Vec<PathBuf> = (0..3)
            .map(|_| {
                let mut file = GameFile::Numbered(games.clone());
                let first = file.save(&record).expect("saved").map(Path::to_owned);
                record.result = "B+1".to_owned();
                assert_eq!(file.save(&record).expect("saved").map(Path::to_owned), first);
                first.expect("a file")
            })
            .collect();
        assert_eq!(names, [1, 2, 3].map(|number| games.join(format!("go-{number}.sgf"))));
        let text = fs::read_to_string(&names[0]).expect("a file");
        assert!(text.contains("RE[B+1]") && text.ends_with(")\n"), "{text}");
        assert_eq!(GameFile::Missing.save(&record).expect("no file"), None);
    }
}
