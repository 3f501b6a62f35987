//! The tests of the crate in one binary.

mod inputs;
#[cfg(target_os = "linux")]
mod linux;
mod outputs;
#[cfg(unix)]
mod unix;

use bitcade_files::{Existing, Failure, OutputFile};
use std::fs;
use std::path::Path;

/// Replaces a file.
fn save(path: &Path, text: &str) -> Result<(), Failure> {
    OutputFile::check(path, Existing::Replace)?.write(|sink| sink(text.as_bytes()))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}

/// Returns the names in a folder, in alphabetical order.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    names
}

/// Checks that a call fails with a message.
#[track_caller]
fn fails<T>(result: Result<T, Failure>, message: &str) {
    let error = result.err().expect("an error").to_string();
    assert!(error.contains(message), "{error}");
}
