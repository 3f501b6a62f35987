//! [`SavedGames`]: unfinished games to be continued, in numbered files in the user's data folder.

use super::data_file::{self, MAX_BYTES};
use crate::io::output;
use bitcade_files::{Existing, OutputFile};
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The version of the files' format.
pub(crate) const FORMAT: u32 = 1;

const MAX_NUMBER: u32 = 1_000_000;

/// A game as its seed and its moves, which bring back every position and all random numbers to
/// come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedGame {
    pub(crate) format: u32,
    /// The rules, such as `2048 4x4`.
    pub(crate) rules: String,
    pub(crate) seed: u64,
    /// The random stream of the seed.
    pub(crate) stream: u64,
    pub(crate) moves: Vec<String>,
    /// The score and the board after the moves, to recognize a file that says something else.
    pub(crate) score: u64,
    pub(crate) board: String,
}

/// The file of a game, kept from other programs until it is dropped.
#[derive(Debug)]
pub(super) struct SavedFile {
    path: PathBuf,
    file: OutputFile,
}

/// The saved games of some rules.
pub(crate) struct SavedGames {
    folder: Option<PathBuf>,
    rules: String,
    /// Problems with the files, one line each, to report after the screen.
    remarks: Vec<String>,
}

impl SavedGames {
    pub(crate) fn of(rules: &str) -> Self {
        Self::at(data_file::folder().map(|folder| folder.join("games")), rules)
    }

    /// Returns the saved games in a folder, which may not exist yet.
    pub(crate) fn at(folder: Option<PathBuf>, rules: &str) -> Self {
        Self { folder, rules: rules.to_owned(), remarks: Vec::new() }
    }

    pub(super) fn rules(&self) -> &str {
        &self.rules
    }

    pub(super) fn has_folder(&self) -> bool {
        self.folder.is_some()
    }

    /// Returns the latest game that no other program has open, restored by `restore`. A damaged
    /// file is set aside.
    pub(super) fn latest<T>(
        &mut self,
        restore: impl Fn(&SavedGame) -> Option<T>,
    ) -> Option<(SavedFile, T)> {
        for path in self.files() {
            let opened = claim(&path, Existing::Replace).and_then(|file| {
                let Some((file, bytes)) = file.zip(data_file::read(&path)?) else {
                    return Ok(None);
                };
                let restored = self.parse(&bytes).and_then(|game| {
                    restore(&game)
                        .ok_or_else(|| format!("expected an unfinished game of {}", self.rules))
                });
                match restored {
                    Ok(restored) => Ok(Some((SavedFile { path: path.clone(), file }, restored))),
                    Err(why) => {
                        let remark =
                            data_file::set_aside(&path, &format!("{}: {why}", path.display()))?;
                        self.remarks.push(remark);
                        Ok(None)
                    }
                }
            });
            match opened {
                Ok(None) => {}
                Ok(found) => return found,
                Err(why) => self.remarks.push(format!("{why}; the saved game is not offered")),
            }
        }
        None
    }

    fn parse(&self, bytes: &[u8]) -> Result<SavedGame, String> {
        let game: SavedGame = serde_json::from_slice(bytes).map_err(|error| {
            let line = error.line();
            let column = error.column();
            format!("line {line}, column {column}: expected a saved game")
        })?;
        if game.format != FORMAT {
            return Err(format!("expected format {FORMAT}, found {}", game.format));
        }
        if game.rules != self.rules {
            return Err(format!("expected a game of {}, found {:?}", self.rules, game.rules));
        }
        Ok(game)
    }

    /// Saves a game in its file or, without one, under the next free number. Returns whether it is
    /// saved; a failure becomes a remark.
    pub(super) fn save(&mut self, file: Option<SavedFile>, game: &SavedGame) -> bool {
        let saved = self.write(file, game);
        let is_saved = saved.is_ok();
        self.remarks.extend(saved.err().map(|why| format!("{why}; the game is not saved")));
        is_saved
    }

    fn write(&self, file: Option<SavedFile>, game: &SavedGame) -> Result<(), String> {
        let text = serde_json::to_string(game).map_err(|error| error.to_string())? + "\n";
        if text.len() as u64 > MAX_BYTES {
            return Err(format!("{} moves are more than a file may have", game.moves.len()));
        }
        let SavedFile { file, .. } = file.map_or_else(|| self.next_free(), Ok)?;
        file.write(|sink| sink(text.as_bytes())).map_err(|failure| failure.to_string())
    }

    /// Removes the file of a game that is finished or given up.
    pub(super) fn remove(&mut self, SavedFile { path, .. }: SavedFile) {
        if let Err(error) = fs::remove_file(&path)
            && error.kind() != io::ErrorKind::NotFound
        {
            self.remarks.push(format!("{}: {error}; the saved game stays", path.display()));
        }
    }

    /// Prints the problems with the files. Call it after the screen has ended, which the text would
    /// garble.
    pub(super) fn report(&mut self) {
        self.remarks.drain(..).for_each(output::remark);
    }

    fn path(&self, folder: &Path, number: u32) -> PathBuf {
        folder.join(format!("{}-{number}.json", self.stem()))
    }

    fn stem(&self) -> String {
        self.rules.replace(' ', "-")
    }

    /// Returns the paths of all saved games, the latest first.
    fn files(&self) -> Vec<PathBuf> {
        let stem = self.stem();
        let number = |name: &OsStr| {
            let rest = name.to_str()?.strip_prefix(&stem)?.strip_prefix('-')?;
            rest.strip_suffix(".json")?.parse::<u32>().ok()
        };
        let entries = self.folder.iter().flat_map(fs::read_dir).flatten().flatten();
        let file = |entry: fs::DirEntry| {
            let number = number(&entry.file_name())?;
            let path = entry.path();
            let found = fs::metadata(&path).ok().filter(Metadata::is_file)?;
            Some((found.modified().unwrap_or(SystemTime::UNIX_EPOCH), number, path))
        };
        let mut files: Vec<(SystemTime, u32, PathBuf)> = entries.filter_map(file).collect();
        files.sort();
        files.into_iter().rev().map(|(.., path)| path).collect()
    }

    fn next_free(&self) -> Result<SavedFile, String> {
        let folder = self.folder.as_deref().ok_or("no folder for your data")?;
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let is_there = |path: &Path| fs::symlink_metadata(path).is_ok();
        for path in (1..MAX_NUMBER).map(|number| self.path(folder, number)) {
            if is_there(&path) {
                continue;
            }
            match claim(&path, Existing::Keep { resumable: false }) {
                Ok(Some(file)) => return Ok(SavedFile { path, file }),
                // Another program has just taken the number.
                Ok(None) => {}
                Err(_) if is_there(&path) => {}
                Err(why) => return Err(why),
            }
        }
        Err(format!("{}: no free number", folder.display()))
    }
}

/// Keeps a file from other programs. `None` if another one has it open.
fn claim(path: &Path, existing: Existing) -> Result<Option<OutputFile>, String> {
    let is_busy = Cell::new(false);
    let claimed = OutputFile::wait(path, existing, |_| {
        is_busy.set(true);
        true
    });
    match claimed {
        Ok(file) => Ok(Some(file)),
        Err(_) if is_busy.get() => Ok(None),
        Err(failure) => Err(failure.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tempfile::TempDir;

    const RULES: &str = "2048 4x4";

    fn game(seed: u64) -> SavedGame {
        SavedGame {
            format: FORMAT,
            rules: RULES.to_owned(),
            seed,
            stream: 0,
            moves: vec!["left".to_owned()],
            score: 4,
            board: "4 2".to_owned(),
        }
    }

    fn saves(folder: &TempDir) -> SavedGames {
        SavedGames::at(Some(folder.path().join("new/games")), RULES)
    }

    fn folder() -> TempDir {
        tempfile::tempdir().expect("a folder")
    }

    fn latest(saves: &mut SavedGames) -> Option<(SavedFile, SavedGame)> {
        saves.latest(|game| Some(game.clone()))
    }

    fn latest_seed(saves: &mut SavedGames) -> Option<u64> {
        latest(saves).map(|(_, game)| game.seed)
    }

    /// Saves games with the seeds 1 to `games`, each a second later.
    fn save_all(saves: &mut SavedGames, games: u64) {
        for seed in 1..=games {
            assert!(saves.save(None, &game(seed)), "{:?}", saves.remarks);
            let path = saves.path(saves.folder.as_deref().expect("a folder"), seed as u32);
            let file = fs::File::options().write(true).open(path).expect("saved");
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seed))
                .expect("permitted");
        }
    }

    #[test]
    fn every_game_is_kept_and_the_latest_one_is_offered() {
        let folder = folder();
        let mut saves = saves(&folder);
        assert_eq!(latest_seed(&mut saves), None);
        save_all(&mut saves, 3);
        let (file, found) = latest(&mut saves).expect("a game");
        assert_eq!(found, game(3));
        // A continued game keeps its file.
        assert!(saves.save(Some(file), &game(9)));
        assert_eq!(latest_seed(&mut saves), Some(9));
        assert_eq!(saves.files().len(), 3);
        let (file, _) = latest(&mut saves).expect("a game");
        saves.remove(file);
        assert_eq!(latest_seed(&mut saves), Some(2));
        // Other rules have other games.
        let other = |rules| latest_seed(&mut SavedGames::at(saves.folder.clone(), rules));
        assert_eq!(other("2048 4x4 goal 5"), None);
        assert_eq!(other("2048"), None);
        assert!(saves.remarks.is_empty(), "{:?}", saves.remarks);
    }

    #[test]
    fn a_game_is_open_in_one_program() {
        let folder = folder();
        let [mut one, mut other] = [saves(&folder), saves(&folder)];
        save_all(&mut one, 2);
        let (file, _) = latest(&mut one).expect("a game");
        assert_eq!(latest_seed(&mut other), Some(1));
        // A new game doesn't take its place.
        assert!(other.save(None, &game(5)));
        assert!(one.save(Some(file), &game(6)));
        assert_eq!(one.files().len(), 3);
        assert!(one.remarks.is_empty() && other.remarks.is_empty());
    }

    #[test]
    fn a_damaged_file_is_set_aside() {
        let whole = serde_json::to_string(&game(1)).expect("JSON");
        let format = format!("{FORMAT}");
        for (damaged, why) in [
            (String::new(), "line 1, column 0: expected a saved game"),
            ("notes".to_owned(), "line 1, column 2: expected a saved game"),
            (whole[..20].to_owned(), "line 1, column 20: expected a saved game"),
            (whole.replace(&format!(":{format},"), ":9,"), "expected format 1, found 9"),
            (whole.replace(RULES, "2048 5x5"), "expected a game of 2048 4x4, found \"2048 5x5\""),
            (whole.replace("score", "points"), "line 1, column 76: expected a saved game"),
            (whole.replace("left", "east"), "expected an unfinished game of 2048 4x4"),
            (
                " ".repeat(MAX_BYTES as usize) + &whole,
                "line 1, column 1048576: expected a saved game",
            ),
        ] {
            let folder = folder();
            let mut saves = saves(&folder);
            save_all(&mut saves, 2);
            let path = saves.files().remove(0);
            fs::write(&path, &damaged).expect("a folder");
            let restored = saves.latest(|game| (game.moves == ["left"]).then_some(game.seed));
            assert_eq!(restored.map(|(_, seed)| seed), Some(1), "{why}");
            let [remark] = saves.remarks.as_slice() else { panic!("{why}: {:?}", saves.remarks) };
            let aside = path.with_added_extension("damaged");
            let expected =
                format!("{}: {why}; the file is now {}", path.display(), aside.display());
            assert_eq!(remark, &expected);
            assert_eq!(fs::read_to_string(aside).expect("a file"), damaged);
        }
    }

    /// A game that can't be saved is one remark.
    #[test]
    fn what_cannot_be_saved_is_one_remark() {
        let folder = folder();
        let blocked = folder.path().join("file");
        fs::write(&blocked, "").expect("a folder");
        let mut long = game(1);
        long.moves = vec!["left".to_owned(); MAX_BYTES as usize / 7];
        for (place, saved, why) in [
            (None, game(1), "no folder for your data".to_owned()),
            (
                Some(blocked.join("games")),
                game(1),
                format!("{}: ", blocked.join("games").display()),
            ),
            (
                Some(folder.path().to_owned()),
                long,
                "149796 moves are more than a file may have".to_owned(),
            ),
        ] {
            let mut saves = SavedGames::at(place, RULES);
            assert_eq!(latest_seed(&mut saves), None);
            assert!(!saves.save(None, &saved));
            let [remark] = saves.remarks.as_slice() else { panic!("{why}: {:?}", saves.remarks) };
            assert!(
                remark.starts_with(&why) && remark.ends_with("; the game is not saved"),
                "{remark}"
            );
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
