//! [`BestScores`]: the user's best results, in a file in the user's data folder.

use super::data_file;
use crate::io::interrupt;
use crate::io::output;
use bitcade_files::{Existing, OutputFile};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Better {
    Higher,
    Lower,
}

/// The best result of a kind of game, such as `2048 4x4`. Without a data folder it is kept for this
/// run only.
#[derive(Clone, Debug)]
pub(crate) struct BestScores {
    path: Option<PathBuf>,
    kind: String,
    better: Better,
    best: Option<u64>,
    /// Problems with the file, one line each, to report after the screen.
    remarks: Vec<String>,
}

type Scores = BTreeMap<String, u64>;

impl BestScores {
    pub(crate) fn load(kind: &str, better: Better) -> Self {
        Self::at(data_file::folder().map(|folder| folder.join("best-scores.json")), kind, better)
    }

    /// Reads the best result from a file; without one, keeps it in memory.
    pub(crate) fn at(path: Option<PathBuf>, kind: &str, better: Better) -> Self {
        let mut scores =
            Self { path, kind: kind.to_owned(), better, best: None, remarks: Vec::new() };
        if let Some(path) = scores.path.clone() {
            let all = match read(&path) {
                Ok(all) => Ok(all),
                // Another game may be setting the file aside.
                Err(Unread::Damaged(_)) => lock(&path).and_then(|_lock| scores.read_locked(&path)),
                Err(Unread::Refused(why)) => Err(why),
            };
            match all {
                Ok(all) => scores.best = all.get(kind).copied(),
                Err(why) => scores.say(format!("{why}; best scores are not saved")),
            }
        }
        scores
    }

    pub(crate) fn best(&self) -> Option<u64> {
        self.best
    }

    /// Records a result. Returns whether it is a new best one, which is then saved. A failure only
    /// becomes a remark: a full disk must not end a game.
    pub(crate) fn add(&mut self, result: u64) -> bool {
        if !self.is_better(result, self.best) {
            return false;
        }
        self.best = Some(result);
        if let Some(path) = self.path.clone()
            && let Err(why) = self.save(&path, result)
        {
            self.say(format!("{why}; best scores are not saved"));
        }
        true
    }

    /// Prints the problems with the file. Call it after the screen has ended, which the text would
    /// garble.
    pub(crate) fn report(&mut self) {
        self.remarks.drain(..).for_each(output::remark);
    }

    fn say(&mut self, remark: String) {
        if !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }

    fn is_better(&self, result: u64, best: Option<u64>) -> bool {
        best.is_none_or(|best| match self.better {
            Better::Higher => result > best,
            Better::Lower => result < best,
        })
    }

    /// Saves a result unless another game has saved a better one meanwhile.
    fn save(&mut self, path: &Path, result: u64) -> Result<(), String> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let file = lock(path)?;
        let mut all = self.read_locked(path)?;
        if self.is_better(result, all.get(&self.kind).copied()) {
            all.insert(self.kind.clone(), result);
            let text =
                serde_json::to_string_pretty(&all).map_err(|error| error.to_string())? + "\n";
            file.write(|sink| sink(text.as_bytes())).map_err(|failure| failure.to_string())?;
        }
        Ok(())
    }

    /// Reads the file under the lock. Renames a damaged one.
    fn read_locked(&mut self, path: &Path) -> Result<Scores, String> {
        match read(path) {
            Ok(all) => Ok(all),
            Err(Unread::Refused(why)) => Err(why),
            Err(Unread::Damaged(why)) => {
                self.say(data_file::set_aside(path, &why)?);
                Ok(Scores::new())
            }
        }
    }
}

enum Unread {
    /// The file has other content.
    Damaged(String),
    /// There is no regular file to read, or no permission.
    Refused(String),
}

fn read(path: &Path) -> Result<Scores, Unread> {
    let Some(bytes) = data_file::read(path).map_err(Unread::Refused)? else {
        return Ok(Scores::new());
    };
    serde_json::from_slice(&bytes).map_err(|error| {
        let name = path.display();
        let line = error.line();
        let column = error.column();
        Unread::Damaged(format!(
            "{name}: line {line}, column {column}: expected an object of whole numbers, such as {{\"2048 4x4\": 20480}}"
        ))
    })
}

/// How long to wait at most for other games, which save their results within milliseconds;
/// `LAST_WAIT` applies after a signal.
const MAX_WAIT: Duration = Duration::from_secs(5);
const LAST_WAIT: Duration = Duration::from_millis(100);

/// Waits until no other game reads and writes the best results.
fn lock(path: &Path) -> Result<OutputFile, String> {
    // A pipe would wait for its other end.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(format!("{}: expected a regular file", path.display()));
    }
    let gives_up = |waited| waited > MAX_WAIT || interrupt::arrived() && waited > LAST_WAIT;
    OutputFile::wait(path, Existing::Replace, gives_up).map_err(|failure| failure.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use tempfile::TempDir;

    fn folder() -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("best-scores.json");
        (folder, path)
    }

    fn load(path: &Path, kind: &str) -> BestScores {
        BestScores::at(Some(path.to_owned()), kind, Better::Higher)
    }

    #[test]
    fn the_best_result_is_kept() {
        let (_folder, path) = folder();
        let path = path.join("new/best-scores.json");
        let mut scores = load(&path, "2048 4x4");
        assert_eq!(scores.best(), None);
        assert_eq!([100, 100, 90, 101].map(|score| scores.add(score)), [true, false, false, true]);
        let sprint = || BestScores::at(Some(path.clone()), "sprint", Better::Lower);
        let mut times = sprint();
        assert_eq!([50, 60, 40].map(|time| times.add(time)), [true, false, true]);
        assert_eq!(load(&path, "2048 4x4").best(), Some(101));
        assert_eq!(sprint().best(), Some(40));
        assert!(scores.remarks.is_empty() && times.remarks.is_empty());
    }

    #[test]
    fn games_that_end_at_the_same_moment_lose_nothing() {
        const GAMES: u64 = 8;
        for _ in 0..10 {
            let (_folder, path) = folder();
            let start = std::sync::Barrier::new(GAMES as usize);
            let load = |game| load(&path, &format!("2048 game {game}"));
            thread::scope(|scope| {
                for game in 0..GAMES {
                    let load = &load;
                    let start = &start;
                    scope.spawn(move || {
                        let mut scores = load(game);
                        start.wait();
                        assert!(
                            scores.add(100 + game) && scores.remarks.is_empty(),
                            "{:?}",
                            scores.remarks
                        );
                    });
                }
            });
            assert!((0..GAMES).all(|game| load(game).best() == Some(100 + game)));
        }
    }

    #[test]
    fn a_damaged_file_is_set_aside() {
        let (folder, path) = folder();
        let damaged: [&[u8]; 7] = [
            b"",
            b"notes",
            b"{\"2048 2x2\": 1.5}",
            b"{\"2048 2x2\": -5}",
            b"\xef\xbb\xbf{\"2048 2x2\": 5}",
            b"{\"2048 2x2\": 5",
            b"{\"\xff\": 5}",
        ];
        for (i, content) in (1..).zip(damaged) {
            fs::write(&path, content).expect("a folder");
            let mut scores = load(&path, "2048 2x2");
            let name = if i == 1 { "damaged".to_owned() } else { format!("damaged-{i}") };
            assert_eq!(
                fs::read(path.with_added_extension(&name)).expect("it was set aside"),
                content
            );
            assert!(scores.add(7), "{content:?}");
            assert_eq!(load(&path, "2048 2x2").best(), Some(7));
            let [remark] = scores.remarks.as_slice() else { panic!("{:?}", scores.remarks) };
            assert!(
                remark.contains(".json: line 1, column ") && remark.ends_with(&name),
                "{remark}"
            );
        }
        // Also while a game is running.
        let mut scores = load(&path, "2048 2x2");
        fs::write(&path, "notes").expect("a folder");
        assert!(scores.add(9) && scores.remarks.len() == 1);
        assert_eq!(load(&path, "2048 2x2").best(), Some(9));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 9);
    }

    /// Checks that the best result is kept for this run, with one remark.
    fn check_refusal(path: &Path, begins: &str) {
        let mut scores = load(path, "2048 4x4");
        assert_eq!([5, 4, 6].map(|score| scores.add(score)), [true, false, true]);
        assert_eq!(scores.best(), Some(6));
        let [remark] = scores.remarks.as_slice() else { panic!("{:?}", scores.remarks) };
        assert!(
            remark.ends_with("; best scores are not saved") && !remark.contains('\n'),
            "{remark}"
        );
        assert!(remark.starts_with(begins), "{remark}");
    }

    #[test]
    fn what_is_no_file_is_one_remark() {
        let (folder, path) = folder();
        let expected = format!("{}: expected a regular file", path.display());
        fs::create_dir(&path).expect("a folder");
        check_refusal(&path, &expected);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        fs::remove_dir(&path).expect("an empty folder");
        if cfg!(unix) {
            assert!(
                std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo").success()
            );
            check_refusal(&path, &expected);
        }
        // Not even root can create a file in `/proc`.
        if cfg!(target_os = "linux") {
            check_refusal(Path::new("/proc/bitcade/best-scores.json"), "/proc/bitcade: ");
        }
    }
}
