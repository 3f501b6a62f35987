//! [`BestScores`]: the best results of the user, in a file of the user's data folder.

use crate::atomic_file::{Existing, OutputFile};
use etcetera::BaseStrategy;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The order of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Better {
    Higher,
    Lower,
}

/// The best result of one kind of game, such as `2048 4x4` or `tetris sprint`. Without a data folder results
/// are kept for this run only.
#[derive(Clone, Debug)]
pub(crate) struct BestScores {
    path: Option<PathBuf>,
    kind: String,
    better: Better,
    best: Option<u64>,
}

impl BestScores {
    /// Reads the best result of a kind of game from the user's data folder.
    pub(crate) fn load(kind: &str, better: Better) -> Self {
        let folder = etcetera::choose_base_strategy().ok().map(|base| base.data_dir().join("bitcade"));
        Self::at(folder.map(|folder| folder.join("best-scores.json")), kind, better)
    }

    /// Reads the best result from a file, or creates one that is kept in memory.
    pub(crate) fn at(path: Option<PathBuf>, kind: &str, better: Better) -> Self {
        let best = path.as_deref().and_then(read).and_then(|all| all.get(kind).copied());
        Self { path, kind: kind.to_owned(), better, best }
    }

    /// Returns the best result so far.
    pub(crate) fn best(&self) -> Option<u64> {
        self.best
    }

    /// Takes a result. Returns whether it is a new best one, which is then saved. A file that cannot be read
    /// as best results stays as it is.
    pub(crate) fn add(&mut self, result: u64) -> bool {
        if !self.is_better(result, self.best) {
            return false;
        }
        self.best = Some(result);
        if let Some(path) = &self.path
            // Another game may have saved its results meanwhile.
            && let Some(mut all) = read(path)
            && self.is_better(result, all.get(&self.kind).copied())
        {
            all.insert(self.kind.clone(), result);
            // A game is worth more than its score: it does not end because of a full disk.
            let _ = save(path, &all);
        }
        true
    }

    fn is_better(&self, result: u64, best: Option<u64>) -> bool {
        best.is_none_or(|best| match self.better {
            Better::Higher => result > best,
            Better::Lower => result < best,
        })
    }
}

/// Reads all best results: none if there is no file, `None` if it holds something else.
fn read(path: &Path) -> Option<BTreeMap<String, u64>> {
    match fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text).ok(),
        Err(error) => (error.kind() == std::io::ErrorKind::NotFound).then(BTreeMap::new),
    }
}

fn save(path: &Path, all: &BTreeMap<String, u64>) -> Option<()> {
    fs::create_dir_all(path.parent()?).ok()?;
    let text = serde_json::to_string_pretty(all).ok()? + "\n";
    let file = OutputFile::check(path, Existing::Replace).ok()?;
    file.write(|sink| sink(text.as_bytes())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_result_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new/best-scores.json");
        let load = |kind, better| BestScores::at(Some(path.clone()), kind, better);
        let mut scores = load("2048 4x4", Better::Higher);
        assert_eq!(scores.best(), None);
        assert!(scores.add(100) && !scores.add(100) && !scores.add(90) && scores.add(101));
        let mut times = load("sprint", Better::Lower);
        assert!(times.add(50) && !times.add(60) && times.add(40));
        assert_eq!(load("2048 4x4", Better::Higher).best(), Some(101));
        assert_eq!(load("sprint", Better::Lower).best(), Some(40));
        // Something else in the file is not overwritten.
        fs::write(&path, "notes").expect("a folder");
        let mut scores = load("2048 4x4", Better::Higher);
        assert!(scores.add(5));
        assert_eq!((scores.best(), fs::read_to_string(&path).ok().as_deref()), (Some(5), Some("notes")));
    }
}
