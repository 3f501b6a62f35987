//! Where a command's input comes from: a file, or standard input for `-` or none.

use crate::output::Failure;
use std::fmt::Display;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A text and the name to report its errors under.
pub(crate) struct Input {
    name: String,
    pub(crate) text: String,
}

impl Input {
    /// Reads all of a file, or of standard input.
    pub(crate) fn read(file: Option<PathBuf>) -> Result<Self, Failure> {
        let mut bytes = Vec::new();
        let (name, read) = match file.filter(|path| path != Path::new("-")) {
            Some(path) => {
                let name = path.display().to_string();
                let read = std::fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes));
                (name, read)
            }
            None => ("standard input".to_owned(), std::io::stdin().lock().read_to_end(&mut bytes)),
        };
        read.map_err(|error| Failure::Input(format!("{name}: {error}")))?;
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self { name, text }),
            Err(error) => {
                let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                let line = 1 + valid.iter().filter(|&&byte| byte == b'\n').count();
                Err(Failure::Input(format!("{name}: line {line}: expected text in UTF-8")))
            }
        }
    }

    /// What is wrong with the text, with its name before it.
    pub(crate) fn error(&self, error: impl Display) -> Failure {
        Failure::Input(format!("{}: {error}", self.name))
    }
}
