//! Command input: a file, or standard input if the name is `-` or missing.

use crate::io::output::Failure;
use bitcade_files::InputFile;
use std::fmt::Display;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

/// The maximum input size in bytes: far more than a board or record needs, but it turns endless
/// input into an error instead of exhausted memory.
const MAX_BYTES: u64 = 1 << 28;
/// The maximum line length in bytes, longer than any protocol message.
pub(crate) const MAX_LINE: u64 = 1 << 20;

/// The mark that some editors write at the start of a UTF-8 text.
pub(crate) const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The text of an input and its name in error messages.
pub(crate) struct Input {
    name: String,
    pub(crate) text: String,
}

impl Input {
    /// Reads a whole file, or standard input if `file` is `-` or `None`.
    pub(crate) fn read(file: Option<PathBuf>) -> Result<Self, Failure> {
        let (name, bytes) = read_bytes(file)?;
        Self::of(name, bytes)
    }

    /// Reads a run's state to resume. `is_kind` recognizes its first bytes, and `kind` names it.
    pub(crate) fn resume(
        file: &Path,
        kind: &str,
        is_kind: impl Fn(&[u8]) -> bool,
    ) -> Result<Self, Failure> {
        let (name, bytes) = read_bytes(Some(file.to_owned()))?;
        if is_kind(bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes)) {
            Self::of(name, bytes)
        } else {
            Err(Failure::Input(format!("{name}: not {kind}")))
        }
    }

    fn of(name: String, mut bytes: Vec<u8>) -> Result<Self, Failure> {
        // Some editors begin a file with a byte order mark, which is not part of the text.
        strip_byte_order_mark(&mut bytes);
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self { name, text }),
            Err(error) => {
                let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                let valid = String::from_utf8_lossy(valid);
                let line = 1 + valid.matches('\n').count();
                let rest = valid.rsplit('\n').next();
                let column = 1 + rest.map_or(0, |rest| rest.chars().count());
                Err(Failure::Input(format!(
                    "{name}: line {line}, column {column}: expected text in UTF-8"
                )))
            }
        }
    }

    pub(crate) fn error(&self, error: impl Display) -> Failure {
        Failure::Input(format!("{}: {error}", self.name))
    }
}

/// Reads the bytes of a whole file, or of standard input if `file` is `-` or `None`. The first
/// result is the input's name in error messages.
pub(crate) fn read_bytes(file: Option<PathBuf>) -> Result<(String, Vec<u8>), Failure> {
    let mut file = file.map_or_else(InputFile::stdin, |path| InputFile::open(&path))?;
    let name = file.name().to_owned();
    let mut bytes = Vec::new();
    let read = file.by_ref().take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::Input(format!("{name}: {error}")))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failure::Input(format!("{name}: expected at most {MAX_BYTES} bytes")));
    }
    Ok((name, bytes))
}

/// Returns an error's message without its position.
pub(crate) fn json_text(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}

/// Returns the message for an error in a JSON line. An error in the content has no column: `serde`
/// only knows where the object ends.
pub(crate) fn json_error(line: u64, error: &serde_json::Error) -> String {
    let text = json_text(error);
    if error.is_data() {
        format!("line {line}: {text}")
    } else {
        format!("line {line}, column {}: {text}", error.column())
    }
}

/// Removes the mark from the start of a text or of a protocol's first line: .NET writes one.
pub(crate) fn strip_byte_order_mark(line: &mut Vec<u8>) {
    if line.starts_with(BYTE_ORDER_MARK) {
        line.drain(..BYTE_ORDER_MARK.len());
    }
}

/// Reads the next line, or `None` at the end. A line longer than [`MAX_LINE`] is cut off, and
/// thereby invalid.
pub(crate) fn read_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
    if line.len() as u64 == MAX_LINE && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    Ok((!line.is_empty()).then_some(line))
}
