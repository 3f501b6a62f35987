//! [`GameFile`]: a game's SGF file.

use crate::io::output::Failure;
use bitcade_files::{Existing, OutputFile};
use etcetera::BaseStrategy;
use go_mc::sgf::Record;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub(crate) enum GameFile {
    Named(NamedFile),
    /// A file in a folder, with a name and the next free number, chosen at the first save.
    Numbered(PathBuf, String),
    /// No file: the system has no user data folder.
    Missing,
}

#[derive(Clone, Debug)]
pub(crate) struct NamedFile {
    path: PathBuf,
    file: OutputFile,
    saved: String,
    /// The base name of numbered files.
    stem: String,
}

const MAX_NUMBER: u32 = 1_000_000;

impl GameFile {
    /// Returns the file of this name, or one in the user's data folder.
    pub(crate) fn new(path: Option<&Path>, force: bool) -> Result<Self, Failure> {
        if let Some(path) = path {
            let file = OutputFile::check(path, Existing::forced(force))?;
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            return Ok(Self::named(path, file, stem));
        }
        let base = etcetera::choose_base_strategy().ok();
        Ok(base.map_or(Self::Missing, |base| {
            Self::Numbered(base.data_dir().join("bitcade/games"), "go".to_owned())
        }))
    }

    fn named(path: &Path, file: OutputFile, stem: String) -> Self {
        Self::Named(NamedFile { path: path.to_owned(), file, saved: String::new(), stem })
    }

    /// Returns whether the file can be rewritten, also while a screen is shown.
    pub(crate) fn is_regular(&self) -> bool {
        match self {
            Self::Named(named) => named.file.is_regular(),
            Self::Numbered(..) => true,
            Self::Missing => false,
        }
    }

    /// Writes a game unless it is already saved. Returns the path, or `None` without a file.
    pub(crate) fn save(&mut self, record: &Record) -> Result<Option<&Path>, Failure> {
        if let Self::Numbered(folder, stem) = self {
            let failed =
                |error: io::Error| Failure::Check(format!("{}: {error}", folder.display()));
            let path = next_free(folder, stem).map_err(failed)?;
            let file = OutputFile::check(&path, Existing::Replace)?;
            *self = Self::named(&path, file, std::mem::take(stem));
        }
        let Self::Named(NamedFile { path, file, saved, .. }) = self else { return Ok(None) };
        let text = format!("{record}\n");
        if *saved != text {
            file.write(|sink| sink(text.as_bytes()))?;
            *saved = text;
        }
        Ok(Some(path))
    }

    /// Leaves the file as it is if the next game can be saved under the next number.
    pub(crate) fn keep(&mut self) {
        if let Self::Named(NamedFile { path, stem, saved, file }) = self
            && file.is_regular()
            && !saved.is_empty()
        {
            path.pop();
            *self = Self::Numbered(std::mem::take(path), std::mem::take(stem));
        }
    }
}

/// Creates an empty file with the first free number, to reserve it against other games.
fn next_free(folder: &Path, stem: &str) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    for number in 1..MAX_NUMBER {
        let path = folder.join(format!("{stem}-{number}.sgf"));
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
                let mut file = GameFile::Numbered(games.clone(), "go".to_owned());
                let first = file.save(&record).expect("saved").map(Path::to_owned);
                record.result = "B+1".to_owned();
                assert_eq!(file.save(&record).expect("saved").map(Path::to_owned), first);
                first.expect("a file")
            })
            .collect();
        assert_eq!(names, [1, 2, 3].map(|number| games.join(format!("go-{number}.sgf"))));
        let text = fs::read_to_string(&names[0]).expect("a file");
        assert!(text.contains("RE[B+1]") && text.ends_with(")\n"), "{text}");
        // A kept game is not written again.
        let mut file = GameFile::Numbered(games.clone(), "go".to_owned());
        file.save(&record).expect("saved");
        file.keep();
        assert_eq!(file.save(&record).expect("saved"), Some(games.join("go-5.sgf").as_path()));
        let mut file = GameFile::new(Some(&games.join("own.txt")), false)
            .unwrap_or_else(|_| panic!("a folder"));
        file.keep();
        for name in ["own.txt", "own-1.sgf", "own-2.sgf"] {
            assert_eq!(file.save(&record).expect("saved"), Some(games.join(name).as_path()));
            file.keep();
        }
        assert_eq!(GameFile::Missing.save(&record).expect("no file"), None);
    }
}
