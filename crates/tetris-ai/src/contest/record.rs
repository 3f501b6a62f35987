//! Records: the key presses of a game as text.

use super::checksum::{self, ChecksumError};
use super::falling_piece::ContestKey;
use super::sequence::PIECES;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// A key with the number of times it is pressed in a row, such as `D12`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct KeyRun {
    /// The key.
    pub key: ContestKey,
    /// The number of presses, at least 1.
    pub count: u32,
}

/// The key presses of one piece.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KeyPresses {
    runs: Vec<KeyRun>,
}

impl KeyPresses {
    /// Returns an empty sequence of key presses.
    pub const fn new() -> Self {
        Self { runs: Vec::new() }
    }

    /// Appends `count` presses of a key. Does nothing if `count` is 0.
    pub fn push(&mut self, key: ContestKey, count: u32) {
        if count > 0 {
            self.runs.push(KeyRun { key, count });
        }
    }

    /// Returns the runs of equal keys, in press order.
    pub fn runs(&self) -> &[KeyRun] {
        &self.runs
    }

    /// Returns the total number of presses.
    pub fn count(&self) -> u64 {
        self.runs.iter().map(|run| u64::from(run.count)).sum()
    }
}

/// The key presses of a game, such as `N,C1,L2,D17,N,D18`: `N` begins a piece, and its keys with
/// their counts follow.
///
/// Parsing accepts the records accepted by the contest's tools:
///
/// - The record is the first line of the text after any blank lines. Each line after it must be
///   blank or begin with `#`, because otherwise a damaged record could pass for a shorter one. One
///   of them may instead be a number, the score claimed by a published record: see
///   [`claimed_score`].
/// - A byte order mark before the text is skipped.
/// - If the text contains `'N,...'` in single quotes, like the scripts of the contest page, the
///   record is the quoted part; the text around it is ignored.
/// - Whitespace around items and empty items are skipped.
/// - A blank text, or one that begins with a `#` line, is a record without pieces.
/// - A [checksum line](crate::contest::checksum) is verified if present. Published records have
///   none.
///
/// Parsing does not check the rules: [`verify`](super::verify) checks that each piece has 1..=100
/// key presses.
///
/// ```
/// use tetris_ai::contest::{Record, RecordErrorKind};
/// let record: Record = "N,C1,L2,D17,N,D18".parse()?;
/// assert_eq!(record.turns().len(), 2);
/// assert_eq!(record.turns()[0].count(), 20);
/// assert_eq!(record.to_string(), "N,C1,L2,D17,N,D18");
///
/// let error = "N,D3,N,L".parse::<Record>().unwrap_err();
/// assert_eq!((error.position.column, error.position.item), (8, 4));
/// assert_eq!(error.kind, RecordErrorKind::MissingCount);
/// # Ok::<(), tetris_ai::contest::ParseRecordError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Record {
    turns: Vec<KeyPresses>,
}

impl Record {
    /// Creates a record without pieces. Its text is empty.
    pub const fn new() -> Self {
        Self { turns: Vec::new() }
    }

    /// Appends a piece. Returns `false`, without changing anything, if the record already has
    /// [`PIECES`] pieces.
    pub fn push(&mut self, turn: KeyPresses) -> bool {
        let room = self.turns.len() < PIECES;
        if room {
            self.turns.push(turn);
        }
        room
    }

    /// Shortens the record to its first `pieces` pieces.
    pub fn truncate(&mut self, pieces: usize) {
        self.turns.truncate(pieces);
    }

    /// Returns the key presses of each piece.
    pub fn turns(&self) -> &[KeyPresses] {
        &self.turns
    }

    /// Returns the item (from 1) that begins a piece (from 0): piece 0 begins at item 1.
    pub(super) fn item_of_piece(&self, piece: usize) -> usize {
        1 + self.turns[..piece].iter().map(|turn| 1 + turn.runs.len()).sum::<usize>()
    }

    /// Parses a record from the bytes of a file.
    ///
    /// # Errors
    ///
    /// [`ParseRecordError`] with the position of the first invalid item or line.
    pub fn parse(text: &[u8]) -> Result<Self, ParseRecordError> {
        let mut record = Self::new();
        for (position, item) in items(text) {
            let fail = |kind| Err(ParseRecordError { position, kind });
            let letter = char::from(item[0]);
            let digits = &item[1..];
            let key = ContestKey::ALL.into_iter().find(|key| key.letter() == letter);
            if key.is_none() && letter != 'N' || !digits.iter().all(u8::is_ascii_digit) {
                return fail(RecordErrorKind::ExpectedKey);
            }
            let Some(key) = key else {
                if !digits.is_empty() {
                    return fail(RecordErrorKind::UnexpectedCount);
                }
                if !record.push(KeyPresses::new()) {
                    return fail(RecordErrorKind::TooManyPieces);
                }
                continue;
            };
            let Some(turn) = record.turns.last_mut() else {
                return fail(RecordErrorKind::ExpectedN);
            };
            match count(digits) {
                0 => return fail(RecordErrorKind::MissingCount),
                count => turn.push(key, count),
            }
        }
        let (range, _) = record_range(text);
        if record.turns.is_empty() && trimmed(&text[range]).is_some() {
            let position = TextPosition { line: 1, column: 1, item: 1 };
            return Err(ParseRecordError { position, kind: RecordErrorKind::ExpectedN });
        }
        if let Some(position) = other_text(text) {
            return Err(ParseRecordError { position, kind: RecordErrorKind::TextAfter });
        }
        if let Err(error) = checksum::find(text) {
            let position = TextPosition { line: error.line(), column: 1, item: 0 };
            return Err(ParseRecordError { position, kind: RecordErrorKind::Checksum(error) });
        }
        Ok(record)
    }
}

/// Returns the value of decimal digits, at most [`u32::MAX`].
fn count(digits: &[u8]) -> u32 {
    digits
        .iter()
        .fold(0, |n: u32, digit| n.saturating_mul(10).saturating_add(u32::from(digit - b'0')))
}

impl FromStr for Record {
    type Err = ParseRecordError;

    fn from_str(text: &str) -> Result<Self, ParseRecordError> {
        Self::parse(text.as_bytes())
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, turn) in self.turns.iter().enumerate() {
            f.write_str(if i == 0 { "N" } else { ",N" })?;
            for run in &turn.runs {
                write!(f, ",{}{}", run.key.letter(), run.count)?;
            }
        }
        Ok(())
    }
}

/// A position in the text of a record. All numbers count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextPosition {
    /// The line of the text.
    pub line: usize,
    /// The column, in bytes.
    pub column: usize,
    /// The item of the record: a part between two commas, not counting empty parts. 0 for a
    /// position after the record.
    pub item: usize,
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)?;
        if self.item == 0 { Ok(()) } else { write!(f, ", item {}", self.item) }
    }
}

/// The error of parsing an invalid record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{}", match kind {
    // The checksum error names its line itself.
    RecordErrorKind::Checksum(error) => error.to_string(),
    kind => format!("{position}: {kind}"),
})]
pub struct ParseRecordError {
    /// The position of the invalid item or line.
    pub position: TextPosition,
    /// The kind of the error.
    pub kind: RecordErrorKind,
}

/// The kind of a [`ParseRecordError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum RecordErrorKind {
    /// An item that is neither N nor a key with a count.
    #[error("expected N, or L, R, D or C with a count")]
    ExpectedKey,
    /// An N with a count.
    #[error("expected N without a count")]
    UnexpectedCount,
    /// A key without a count or with the count 0.
    #[error("expected a count of at least 1 after the key")]
    MissingCount,
    /// A first item other than N, or a record without items.
    #[error("expected N: a record begins with it")]
    ExpectedN,
    /// More than [`PIECES`] pieces.
    #[error("expected the end: a game has at most 10000 pieces")]
    TooManyPieces,
    /// A line after the record that is neither blank, nor a comment, nor the only claimed score.
    #[error(
        "expected a blank line or one that begins with #, or a single claimed score, after the record"
    )]
    TextAfter,
    /// An invalid checksum line or a wrong checksum.
    #[error(transparent)]
    Checksum(ChecksumError),
}

/// Returns the position of an item (numbered from 1) in the text of a record, or `None` if the
/// record has fewer items. Use it to convert the item number of a
/// [`VerifyError`](super::VerifyError) to a line and column.
pub fn position_of_item(text: &[u8], item: usize) -> Option<TextPosition> {
    items(text).map(|(position, _)| position).find(|position| position.item == item)
}

/// Returns the length of the whitespace at the start and the trimmed text, or `None` if the text is
/// blank.
fn trimmed(text: &[u8]) -> Option<(usize, &[u8])> {
    let start = text.iter().position(|&byte| !is_blank(byte))?;
    let end = text.iter().rposition(|&byte| !is_blank(byte))? + 1;
    Some((start, &text[start..end]))
}

/// Returns whether the contest's tools treat a byte as blank: tab to carriage return, the four
/// ASCII separators, and space.
const fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | 0x1c..=0x1f | b' ')
}

/// Returns the bytes of the record, and the offset after which only blank lines and comments may
/// follow.
fn record_range(text: &[u8]) -> (Range<usize>, usize) {
    let end_of_line = |range: Range<usize>| {
        let line = text[range.clone()].iter().position(|&byte| matches!(byte, b'\n' | b'\r'));
        range.start..line.map_or(range.end, |line| range.start + line)
    };
    let quoted = text.windows(3).position(|window| window == b"'N,").and_then(|quote| {
        let length = text[quote + 1..].iter().position(|&byte| byte == b'\'')?;
        Some(quote + 1..quote + 1 + length)
    });
    if let Some(quoted) = quoted {
        return (end_of_line(quoted), text.len());
    }
    let first = first_line(text);
    let start = trimmed(&text[first..]).map_or(text.len(), |(blanks, _)| first + blanks);
    // A comment in the first line: the record has no pieces.
    let range =
        if text.get(start) == Some(&b'#') { start..start } else { end_of_line(start..text.len()) };
    (range.clone(), range.end)
}

/// Returns the offset of the text after a byte order mark.
fn first_line(text: &[u8]) -> usize {
    const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
    if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}

/// The score claimed by a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ClaimedScore {
    /// The score.
    pub score: u64,
    /// The position of the score's first digit.
    pub position: TextPosition,
}

/// Returns the score claimed in the text of a record, or `None`. Published records carry it in the
/// line after the key presses. It is only a claim: [`verify`](super::verify) computes the score.
///
/// The claim is the first line after the record that is neither blank nor a comment, if it is a
/// number below 2^64, optionally surrounded by whitespace. Its digits may be in groups of three,
/// separated by a comma or a space.
///
/// ```
/// use tetris_ai::contest::{Record, Sequence, claimed_score, verify};
/// let text = "N,D19,N,L2,D3\r\n1,395,326\r\n";
/// let claimed = claimed_score(text.as_bytes()).unwrap();
/// assert_eq!((claimed.score, claimed.position.line), (1_395_326, 2));
/// let result = verify(&text.parse()?, &Sequence::contest())?;
/// assert_ne!(result.score, claimed.score);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn claimed_score(text: &[u8]) -> Option<ClaimedScore> {
    let (range, _) = record_range(text);
    let (position, line) = lines_after(text).next().filter(|_| !range.is_empty())?;
    Some(ClaimedScore { score: score(line)?, position })
}

/// Parses the number in a trimmed line.
fn score(line: &[u8]) -> Option<u64> {
    let groups: Vec<&[u8]> = line.split(|byte| matches!(byte, b',' | b' ')).collect();
    let (first, rest) = groups.split_first()?;
    if !rest.is_empty() && (first.len() > 3 || rest.iter().any(|group| group.len() != 3)) {
        return None;
    }
    let digits = groups.concat();
    let is_number = !first.is_empty() && digits.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(&digits).ok().filter(|_| is_number)?.parse().ok()
}

/// Returns the position of the first line after the record that is neither blank, nor a comment,
/// nor the claimed score.
fn other_text(text: &[u8]) -> Option<TextPosition> {
    let claim = usize::from(claimed_score(text).is_some());
    lines_after(text).nth(claim).map(|(position, _)| TextPosition { column: 1, ..position })
}

/// Returns the trimmed lines after the record that are neither blank nor comments, with the
/// positions of their first bytes. A carriage return also ends a line.
fn lines_after(text: &[u8]) -> impl Iterator<Item = (TextPosition, &[u8])> {
    let (_, after) = record_range(text);
    let mut line = line_of(text, after);
    let parts = text[after..].split_inclusive(|&byte| matches!(byte, b'\n' | b'\r'));
    let numbered = parts.map(move |part| {
        let number = line;
        line += usize::from(part.ends_with(b"\n"));
        (number, part)
    });
    numbered.filter_map(|(line, part)| {
        let (start, text) = trimmed(part)?;
        let position = TextPosition { line, column: 1 + start, item: 0 };
        (text[0] != b'#').then_some((position, text))
    })
}

/// Returns the line (from 1) that contains an offset.
fn line_of(text: &[u8], offset: usize) -> usize {
    1 + text[..offset].iter().filter(|&&byte| byte == b'\n').count()
}

/// Returns the nonempty items of the record, trimmed, with their positions.
fn items(text: &[u8]) -> impl Iterator<Item = (TextPosition, &[u8])> {
    let (range, _) = record_range(text);
    let line = line_of(text, range.start);
    let line_start = text[..range.start].iter().rposition(|&byte| byte == b'\n');
    let line_start = line_start.map_or(first_line(text), |end| end + 1);
    let mut offset = range.start;
    let pieces = text[range].split(|&byte| byte == b',').filter_map(move |item| {
        let start = offset;
        offset += item.len() + 1;
        let (blanks, item) = trimmed(item)?;
        Some((start + blanks, item))
    });
    pieces.enumerate().map(move |(i, (start, item))| {
        (TextPosition { line, column: 1 + start - line_start, item: i + 1 }, item)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_where() {
        use RecordErrorKind::{
            ExpectedKey, ExpectedN, MissingCount, TextAfter, TooManyPieces, UnexpectedCount,
        };
        let assert_place = |text: &str, place: (usize, usize, usize), kind: RecordErrorKind| {
            let error = text.parse::<Record>().expect_err(text);
            let TextPosition { line, column, item } = error.position;
            assert_eq!((line, column, item), place, "{text}");
            assert_eq!(error.kind, kind, "{text}");
        };
        let full = vec!["N"; PIECES].join(",");
        assert!(full.parse::<Record>().is_ok());
        for (text, place, kind) in [
            (" ,, ,", (1, 1, 1), ExpectedN),
            ("\n\n D3,N", (3, 2, 1), ExpectedN),
            ("N,D3,,N2", (1, 7, 3), UnexpectedCount),
            ("N, D", (1, 4, 2), MissingCount),
            ("N,D00", (1, 3, 2), MissingCount),
            ("N,D1 2", (1, 3, 2), ExpectedKey),
            ("N,D-1", (1, 3, 2), ExpectedKey),
            ("N,d1", (1, 3, 2), ExpectedKey),
            ("var s =\n 'N,Q';", (2, 5, 2), ExpectedKey),
            ("\u{feff}N,Q", (1, 3, 2), ExpectedKey),
            (&format!("{full},N"), (1, 20_001, 10_001), TooManyPieces),
            // A damaged line ending must not yield a shorter record.
            ("N,D3\n# remark\n\n N,D4", (4, 1, 0), TextAfter),
            ("N,D3\rN,D4", (1, 1, 0), TextAfter),
            ("# remark\nN,D4", (2, 1, 0), TextAfter),
            // A second claim, and a claim without a record.
            ("N,D3\n 12\n\n 13\n", (4, 1, 0), TextAfter),
            ("N,D3\r\n12\r\nN,D4\r\n", (3, 1, 0), TextAfter),
            ("# remark\n12", (2, 1, 0), TextAfter),
        ] {
            assert_place(text, place, kind);
        }
        for claim in [
            "-1",
            "12x",
            "1,23",
            "1234,567",
            ",123",
            "1  234",
            "18446744073709551616",
            "1.5",
            "0x1",
        ] {
            assert_place(&format!("N,D3\n{claim}"), (2, 1, 0), TextAfter);
        }
        for (text, begin) in [
            ("N,D3,N,L", "line 1, column 8, item 4: expected a count of at least 1 after the key"),
            ("N\n!", "line 2, column 1: expected a blank line or one"),
            ("N\n# version 2\n", "line 2: expected \"# version 2 checksum crc32"),
        ] {
            let error = text.parse::<Record>().expect_err(text).to_string();
            assert!(error.starts_with(begin), "{error}");
        }
    }

    #[test]
    fn accepts_what_the_contests_tools_accept() {
        let plain: Record = "N,C1,L2,D17,N".parse().unwrap();
        for text in [
            "\n  N , C01,L2\t,,D17,N,\n# all of this is a remark, Q\n\n \n#\n",
            "N,C1,L2,D17,N\r\n# remark",
            "upload('N,C1,L2,D17,N'); // 'N,D1'\nmore",
        ] {
            assert_eq!(text.parse::<Record>().as_ref(), Ok(&plain), "{text:?}");
        }
        let huge: Record = "N,D99999999999999999999,D7".parse().unwrap();
        assert_eq!(huge.turns()[0].count(), u64::from(u32::MAX) + 7);
    }

    #[test]
    fn published_records_claim_a_score() {
        let plain: Record = "N,C1,L2,D17,N".parse().unwrap();
        let claim = |text: &str| {
            assert_eq!(text.parse::<Record>().as_ref(), Ok(&plain), "{text:?}");
            let claimed = claimed_score(text.as_bytes())?;
            Some((claimed.score, claimed.position.line, claimed.position.column))
        };
        for (text, expected) in [
            ("N,C1,L2,D17,N", None),
            ("N,C1,L2,D17,N\n# 12\n", None),
            ("upload('N,C1,L2,D17,N');\n12\n", None),
            ("N,C1,L2,D17,N\n881136", Some((881_136, 2, 1))),
            ("\u{feff}N,C1,L2,D17,N\r\n  881136 \t\r\n\r\n \r\n", Some((881_136, 2, 3))),
            ("\n\nN,C1,L2,D17,N\n\n# by hand\n0\n# end\n", Some((0, 6, 1))),
            ("N,C1,L2,D17,N\n1,413,876\n", Some((1_413_876, 2, 1))),
            ("N,C1,L2,D17,N\n1 413 876\n", Some((1_413_876, 2, 1))),
            ("N,C1,L2,D17,N\r18446744073709551615\r", Some((u64::MAX, 1, 1))),
        ] {
            assert_eq!(claim(text), expected, "{text:?}");
        }
    }

    #[test]
    fn texts_are_parsed_again() {
        let turn = |count| {
            let mut turn = KeyPresses::new();
            turn.push(ContestKey::Down, count);
            turn
        };
        let mut record = Record::new();
        for pieces in 0..3 {
            assert_eq!(record.to_string().parse().as_ref(), Ok(&record));
            let text = checksum::with_checksum(&record.to_string());
            assert_eq!(text.parse().as_ref(), Ok(&record), "{text}");
            assert!(record.push(turn(pieces)));
        }
        for text in ["", " \n", "\n# a remark\n", "# beam: .."] {
            assert_eq!(text.parse(), Ok(Record::new()), "{text:?}");
        }
    }

    #[test]
    fn items_are_found_again() {
        let text = b"\n N, C1,L2,D17,N";
        let record = Record::parse(text).unwrap();
        let item = record.item_of_piece(1);
        assert_eq!(
            position_of_item(text, item),
            Some(TextPosition { line: 2, column: 15, item: 5 })
        );
        assert_eq!(position_of_item(text, item + 1), None);
    }
}
