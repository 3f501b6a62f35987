//! [`GameFile`]: the SGF file of a game.

use crate::output::Failure;
use bitcade_files::{Existing, OutputFile};
use etcetera::BaseStrategy;
use go_mc::sgf::Record;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub(crate) enum GameFile {
    Named(NamedFile),
    /// A file with the next free number in a folder. It is chosen when the game is first saved.
    Numbered(PathBuf),
    /// No file: the system has no folder for data of the user.
    Missing,
}

#[derive(Clone, Debug)]
pub(crate) struct NamedFile {
    path: PathBuf,
    file: OutputFile,
    /// The text of the file.
    saved: String,
    is_numbered: bool,
}

const MAX_NUMBER: u32 = 1_000_000;

impl GameFile {
    /// Returns the file of this name, or one in the user's data folder.
    pub(crate) fn new(path: Option<&Path>, force: bool) -> Result<Self, Failure> {
        if let Some(path) = path {
            let file = OutputFile::check(path, Existing::forced(force))?;
            return Ok(Self::named(path, file, false));
        }
        let base = etcetera::choose_base_strategy().ok();
        Ok(base.map_or(Self::Missing, |base| Self::Numbered(base.data_dir().join("bitcade/games"))))
    }

    fn named(path: &Path, file: OutputFile, is_numbered: bool) -> Self {
        Self::Named(NamedFile { path: path.to_owned(), file, saved: String::new(), is_numbered })
    }

    /// Returns whether the file can be written more than once, and while a screen is shown.
    pub(crate) fn is_regular(&self) -> bool {
        match self {
            Self::Named(named) => named.file.is_regular(),
            Self::Numbered(_) => true,
            Self::Missing => false,
        }
    }

    /// Writes a game, unless it was saved as it is. Returns the path of the file, or `None` without a file.
    pub(crate) fn save(&mut self, record: &Record) -> Result<Option<&Path>, Failure> {
        if let Self::Numbered(folder) = self {
            let failed = |error: io::Error| Failure::Check(format!("{}: {error}", folder.display()));
            let path = next_free(folder).map_err(failed)?;
            let file = OutputFile::check(&path, Existing::Replace)?;
            *self = Self::named(&path, file, true);
        }
        let Self::Named(NamedFile { path, file, saved, .. }) = self else { return Ok(None) };
        let text = format!("{record}\n");
        if *saved != text {
            file.write(|sink| sink(text.as_bytes()))?;
            *saved = text;
        }
        Ok(Some(path))
    }

    /// Leaves the file as it is: another game is saved under the next number. A file that the user named is replaced.
    pub(crate) fn keep(&mut self) {
        if let Self::Named(NamedFile { path, is_numbered: true, .. }) = self
            && let Some(folder) = path.parent()
        {
            *self = Self::Numbered(folder.to_owned());
        }
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
        // A game that was kept is not written again.
        let mut file = GameFile::Numbered(games.clone());
        file.save(&record).expect("saved");
        file.keep();
        assert_eq!(file.save(&record).expect("saved"), Some(games.join("go-5.sgf").as_path()));
        let mut file =
            GameFile::new(Some(&games.join("own.sgf")), false).unwrap_or_else(|_| panic!("a folder"));
        file.keep();
        assert_eq!(file.save(&record).expect("saved"), Some(games.join("own.sgf").as_path()));
        assert_eq!(GameFile::Missing.save(&record).expect("no file"), None);
    }
}
