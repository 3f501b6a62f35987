//! The rows of the table and the surroundings of all kinds of faults.

use super::process::{Program, Random};
use std::path::Path;

/// The result of one case: a row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// The command or the form of file.
    pub(super) case: String,
    pub(super) trial: Trial,
    pub(super) note: String,
}

/// The faults of a case, or none of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trial {
    /// The number of faults, and a message for each that did not survive.
    Tried {
        tried: usize,
        lost: Vec<String>,
    },
    Skipped,
}

impl Row {
    pub(super) fn new(case: impl Into<String>) -> Self {
        Self { case: case.into(), trial: Trial::Tried { tried: 0, lost: Vec::new() }, note: String::new() }
    }

    pub(super) fn skipped(case: impl Into<String>, why: impl Into<String>) -> Self {
        Self { case: case.into(), trial: Trial::Skipped, note: why.into() }
    }

    /// Returns the row of a case that could not even be set up.
    pub(super) fn broken(case: &str, error: &dyn std::fmt::Display) -> Self {
        let mut row = Self::new(case);
        row.count(Err(error.to_string()));
        row
    }

    /// Counts one fault.
    pub(super) fn count(&mut self, result: Result<(), String>) {
        if let Trial::Tried { tried, lost } = &mut self.trial {
            *tried += 1;
            lost.extend(result.err());
        }
    }

    /// Returns the row as the table shows it.
    pub(super) fn cells(&self, kind: &str) -> Vec<String> {
        let (tried, survived) = match &self.trial {
            Trial::Tried { tried, lost } => (tried.to_string(), (tried - lost.len()).to_string()),
            Trial::Skipped => ("SKIPPED".to_owned(), String::new()),
        };
        vec![kind.to_owned(), self.case.clone(), tried, survived, self.note.clone()]
    }
}

/// The surroundings of all kinds.
pub(super) struct Bench<'a> {
    pub(super) program: Program,
    /// An empty folder for files.
    pub(super) folder: &'a Path,
    pub(super) kills: usize,
    pub(super) flips: usize,
    pub(super) random: Random,
}
