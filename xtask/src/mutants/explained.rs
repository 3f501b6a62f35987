//! The list of mutants that no test can notice, with the reason of each.
//!
//! An entry has three lines or more: the file and the change as cargo-mutants names it, without its place;
//! the line of code; and the reason. Entries are separated by empty lines, and `#` begins a comment.
//!
//! ```text
//! crates/bitcore/src/bits.rs: replace | with ^ in fold
//!     (digest << 7) | (digest >> 57)
//!     The two halves have no bit in common.
//! ```

use super::outcomes::Mutant;
use crate::Result;
use std::collections::BTreeSet;
use std::path::Path;

/// The mutants by file, change and line of code: line numbers would change with every edit above them.
#[derive(Debug)]
pub(super) struct Explained {
    entries: BTreeSet<[String; 3]>,
}

impl Explained {
    /// Reads the list at a path below the workspace's root, and checks that each entry's line stands in its
    /// file.
    pub(super) fn load(root: &Path, path: &str) -> Result<Self> {
        let text = std::fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"))?;
        let explained = Self::parse(&text).map_err(|error| format!("{path}: {error}"))?;
        for [file, change, line] in &explained.entries {
            let source =
                std::fs::read_to_string(root.join(file)).map_err(|error| format!("{file}: {error}"))?;
            if !source.lines().any(|found| found.trim() == line) {
                return Err(format!("{path}: {file} lacks the line of `{change}`: {line}").into());
            }
        }
        Ok(explained)
    }

    fn parse(text: &str) -> std::result::Result<Self, String> {
        let mut entries = BTreeSet::new();
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        for entry in lines.split(|line| line.trim().is_empty()).filter(|entry| !entry.is_empty()) {
            let [mutant, line, reason, ..] = entry else {
                return Err(format!("`{}`: expected a mutant, its line and the reason", entry[0]));
            };
            let (file, change) =
                mutant.split_once(": ").ok_or(format!("`{mutant}`: expected FILE: CHANGE"))?;
            if reason.trim().is_empty() {
                return Err(format!("`{mutant}`: expected a reason"));
            }
            entries.insert([file, change, line.trim()].map(str::to_owned));
        }
        Ok(Self { entries })
    }

    /// Returns whether the mutant of this line of code has an entry.
    pub(super) fn has(&self, mutant: &Mutant, line: &str) -> bool {
        self.entries.contains(&[&mutant.file, &mutant.change, line].map(ToString::to_string))
    }
}

#[cfg(test)]
mod tests {
    use super::{Explained, Mutant};

    #[test]
    fn an_entry_is_found_by_file_change_and_line() {
        let list = "# a comment\n\na.rs: replace | with ^ in f\n    x | y\n    No common bit.\n\n\
                    b.rs: replace g -> u8 with 0\n    0\n    It is.\n    In two lines.\n";
        let explained = Explained::parse(list).unwrap();
        assert_eq!(explained.entries.len(), 2);
        let mutant = |file: &str, change: &str| Mutant {
            file: file.to_owned(),
            line: 7,
            column: 3,
            change: change.to_owned(),
        };
        assert!(explained.has(&mutant("a.rs", "replace | with ^ in f"), "x | y"));
        assert!(!explained.has(&mutant("a.rs", "replace | with ^ in f"), "x | z"));
        assert!(!explained.has(&mutant("a.rs", "replace | with & in f"), "x | y"));
        assert!(!explained.has(&mutant("b.rs", "replace | with ^ in f"), "x | y"));
    }

    #[test]
    fn an_entry_without_a_reason_is_refused() {
        assert!(Explained::parse("a.rs: replace | with ^ in f\n    x | y\n").is_err());
        assert!(Explained::parse("replace | with ^ in f\n    x | y\n    No.\n").is_err());
        assert!(Explained::parse("").is_ok());
    }
}
