//! The checksum line: the last line of a saved text, which reveals changes and truncation.
//!
//! ```text
//! N,C1,L2,D17,N,D18                       the text
//! # tree search: seed 12358 ..
//! # version 2 checksum crc32 5a0e17c3     the checksum line
//! ```
//!
//! The checksum is the CRC-32 of ISO 3309 (as in zip and PNG) of all bytes before the line. A
//! carriage return before a line feed is not counted, so a text survives a conversion of its line
//! endings. The version is the version of the text forms. Version 1 had no checksum line.

use std::fmt::{self, Write};

/// The version of the text forms of [`Beam`](crate::Beam) and [`Solver`](crate::Solver).
pub const VERSION: u32 = 2;

/// The reason why the checksum line of a text is rejected. Lines are numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ChecksumError {
    /// No checksum line in a text that requires one.
    #[error(
        "line {line}: expected a last line \"{CHECKSUM_LINE}\": the text is truncated, or of version 1, which had none"
    )]
    Missing {
        /// The line after the last.
        line: usize,
    },
    /// A line that begins like a checksum line or names its algorithm, but is not valid.
    #[error("line {line}: expected \"{CHECKSUM_LINE}\", with eight digits")]
    Malformed {
        /// The line.
        line: usize,
    },
    /// A checksum line of another version.
    #[error("line {line}: expected version {VERSION}, found version {found}")]
    Version {
        /// The line.
        line: usize,
        /// The version.
        found: u32,
    },
    /// Text after the checksum line.
    #[error("line {line}: expected the end of the text after the checksum line")]
    TextAfter {
        /// The first nonblank line after it.
        line: usize,
    },
    /// A checksum that does not match the lines before.
    #[error(
        "line {line}: expected the checksum {expected:08x}, found {found:08x}: the text was changed"
    )]
    Mismatch {
        /// The line of the checksum.
        line: usize,
        /// The checksum of the lines before.
        expected: u32,
        /// The checksum in the line.
        found: u32,
    },
}

impl ChecksumError {
    /// Returns the line of the error, numbered from 1.
    pub const fn line(self) -> usize {
        match self {
            Self::Missing { line }
            | Self::Malformed { line }
            | Self::Version { line, .. }
            | Self::TextAfter { line }
            | Self::Mismatch { line, .. } => line,
        }
    }
}

/// The form of the line, for error messages.
const CHECKSUM_LINE: &str = "# version 2 checksum crc32 XXXXXXXX";

const BEFORE_VERSION: &str = "# version ";
const BEFORE_CHECKSUM: &str = " checksum crc32 ";

/// Appends the checksum line to a text, after adding a line feed to a last line that has none.
///
/// ```
/// use tetris_ai::contest::checksum;
/// let text = checksum::with_checksum("N,D19\n");
/// assert_eq!(text, "N,D19\n# version 2 checksum crc32 5f2f2cd3\n");
/// assert_eq!(checksum::find(text.as_bytes()), Ok(Some(6)));
/// assert!(checksum::find(text.replace("D19", "D18").as_bytes()).is_err());
/// // A text without a checksum line is not an error.
/// assert_eq!(checksum::find(b"N,D19\n"), Ok(None));
/// ```
pub fn with_checksum(text: &str) -> String {
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let mut text = format!("{text}{end}");
    text += &checksum_line(checksum(text.as_bytes()));
    text
}

fn checksum_line(checksum: u32) -> String {
    format!("{BEFORE_VERSION}{VERSION}{BEFORE_CHECKSUM}{checksum:08x}\n")
}

/// A writer that appends the checksum line to its text, which must end with a line feed.
pub(crate) struct ChecksumWriter<W> {
    inner: W,
    hasher: crc32fast::Hasher,
}

impl<W: Write> ChecksumWriter<W> {
    pub(crate) fn new(inner: W) -> Self {
        Self { inner, hasher: crc32fast::Hasher::new() }
    }

    pub(crate) fn finish(mut self) -> fmt::Result {
        self.inner.write_str(&checksum_line(self.hasher.finalize()))
    }
}

impl<W: Write> Write for ChecksumWriter<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.hasher.update(text.as_bytes());
        self.inner.write_str(text)
    }
}

/// Finds and verifies the checksum line of a text. Returns its offset, or `None` for a text without
/// one.
///
/// # Errors
///
/// [`ChecksumError`], except [`Missing`](ChecksumError::Missing).
pub fn find(text: &[u8]) -> Result<Option<usize>, ChecksumError> {
    let mut offset = 0;
    let mut checked = None;
    for (line, bytes) in (1..).zip(text.split_inclusive(|&byte| byte == b'\n')) {
        let trimmed = bytes.trim_ascii_end();
        if checked.is_some() {
            if !trimmed.is_empty() {
                return Err(ChecksumError::TextAfter { line });
            }
        } else if is_like_checksum_line(trimmed) {
            let (version, found) = parse(trimmed).ok_or(ChecksumError::Malformed { line })?;
            if version != VERSION {
                return Err(ChecksumError::Version { line, found: version });
            }
            let expected = checksum(&text[..offset]);
            if found != expected {
                return Err(ChecksumError::Mismatch { line, expected, found });
            }
            checked = Some(offset);
        }
        offset += bytes.len();
    }
    Ok(checked)
}

/// Verifies a text that must have a checksum line and returns the text before it.
///
/// # Errors
///
/// [`ChecksumError`] for a text without a checksum line or with a wrong one.
pub fn checked(text: &str) -> Result<&str, ChecksumError> {
    match find(text.as_bytes())? {
        Some(end) => Ok(&text[..end]),
        None => Err(ChecksumError::Missing { line: 1 + text.lines().count() }),
    }
}

/// Returns whether a line has either of the two marks of a checksum line. If it does, it must be
/// exact: no single error can turn a checksum line into a comment.
fn is_like_checksum_line(line: &[u8]) -> bool {
    const ALGORITHM: &[u8] = b"crc32";
    line.first() == Some(&b'#')
        && (line.starts_with(BEFORE_VERSION.as_bytes())
            || line.windows(ALGORITHM.len()).any(|part| part == ALGORITHM))
}

fn parse(line: &[u8]) -> Option<(u32, u32)> {
    let line = str::from_utf8(line).ok()?.strip_prefix(BEFORE_VERSION)?;
    let (version, checksum) = line.split_once(BEFORE_CHECKSUM)?;
    let is_plain = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let plain = version.bytes().all(|byte| byte.is_ascii_digit()) && checksum.bytes().all(is_plain);
    if !plain || checksum.len() != 8 {
        return None;
    }
    Some((version.parse().ok()?, u32::from_str_radix(checksum, 16).ok()?))
}

/// Returns the checksum of a text, skipping carriage returns before line feeds.
fn checksum(text: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if let Some(line) = line.strip_suffix(b"\r\n") {
            hasher.update(line);
            hasher.update(b"\n");
        } else {
            hasher.update(line);
        }
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_where() {
        let text = with_checksum("N,D3\n# remark");
        assert_eq!(text.lines().count(), 3);
        let find = |text: &str| find(text.as_bytes());
        assert_eq!(find(&text), Ok(Some(14)));
        // Line endings may change, and blank lines may follow.
        assert_eq!(find(&text.replace('\n', "\r\n")), Ok(Some(16)));
        assert_eq!(find(text.trim_end()), Ok(Some(14)));
        assert_eq!(find(&format!("{text}\n \r\n")), Ok(Some(14)));

        assert_eq!(find(&format!("{text}\n# more")), Err(ChecksumError::TextAfter { line: 5 }));
        assert_eq!(find(&format!("{text}{text}")), Err(ChecksumError::TextAfter { line: 4 }));
        let changed = find(&text.replace("remark", "remarK"));
        assert!(matches!(changed, Err(ChecksumError::Mismatch { line: 3, .. })), "{changed:?}");
        let newer = text.replace("version 2", "version 10");
        assert_eq!(find(&newer), Err(ChecksumError::Version { line: 3, found: 10 }));
        for (from, to) in [
            ("crc32", "crc16"),
            ("version", "versiom"),
            ("version 2", "version"),
            ("version 2", "version 99999999999"),
            ("checksum", "Checksum"),
            ("crc32 ", "crc32 0"),
            ("crc32 ", "crc32  "),
        ] {
            let broken = text.replace(from, to);
            assert_eq!(find(&broken), Err(ChecksumError::Malformed { line: 3 }), "{broken}");
        }
        assert_eq!(checked("N,D3\n# remark\n"), Err(ChecksumError::Missing { line: 3 }));
        assert_eq!(checked(""), Err(ChecksumError::Missing { line: 1 }));
    }
}
