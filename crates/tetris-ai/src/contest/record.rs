//! [`Record`]: the key presses of a game, as text and back.

use super::falling_piece::Key;
use super::sequence::PIECES;
use std::fmt;
use std::str::FromStr;

/// A key and how often it is pressed: `D12`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyRun {
    /// The key.
    pub key: Key,
    /// How often, at least once.
    pub count: u32,
}

/// The key presses of one piece.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KeyPresses {
    runs: Vec<KeyRun>,
}

impl KeyPresses {
    /// No key pressed.
    pub const fn new() -> Self {
        Self { runs: Vec::new() }
    }

    /// Adds `count` presses of a key; none for 0.
    pub fn push(&mut self, key: Key, count: u32) {
        if count > 0 {
            self.runs.push(KeyRun { key, count });
        }
    }

    /// The runs, in the order in which they are pressed.
    pub fn runs(&self) -> &[KeyRun] {
        &self.runs
    }

    /// The presses, all together.
    pub fn count(&self) -> u64 {
        self.runs.iter().map(|run| u64::from(run.count)).sum()
    }
}

/// A whole game: `N,C1,L2,D17,N,D18`. `N` begins a piece, then come its key presses with their counts.
///
/// Parsing takes what the contest's tools take: the text up to its first line end, blank space around it and round
/// every item, empty items (a comma too many) skipped; or, where a text holds `'N,...'` in single quotes, as the
/// official page's scripts do, what the quotes enclose. All that follows is no part of the record.
///
/// Whether each piece has 1..=100 key presses is a matter of the rules: [`verify`](super::verify) tells.
///
/// ```
/// use tetris_ai::contest::{Record, RecordProblem};
/// let record: Record = "N,C1,L2,D17,N,D18".parse()?;
/// assert_eq!(record.turns().len(), 2);
/// assert_eq!(record.turns()[0].count(), 20);
/// assert_eq!(record.to_string(), "N,C1,L2,D17,N,D18");
///
/// let error = "N,D3,N,L".parse::<Record>().unwrap_err();
/// assert_eq!((error.position.column, error.position.item), (8, 4));
/// assert_eq!(error.problem, RecordProblem::NoCount);
/// # Ok::<(), tetris_ai::contest::ParseRecordError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Record {
    turns: Vec<KeyPresses>,
}

impl Record {
    /// A record of no piece.
    pub const fn new() -> Self {
        Self { turns: Vec::new() }
    }

    /// Adds a piece. False, and nothing happens, after [`PIECES`] of them.
    pub fn push(&mut self, turn: KeyPresses) -> bool {
        let room = self.turns.len() < PIECES;
        if room {
            self.turns.push(turn);
        }
        room
    }

    /// Forgets all but the first `pieces` pieces.
    pub fn truncate(&mut self, pieces: usize) {
        self.turns.truncate(pieces);
    }

    /// The key presses of each piece.
    pub fn turns(&self) -> &[KeyPresses] {
        &self.turns
    }

    /// The number of the item that begins a piece (both from 0 and from 1: piece 0 begins at item 1), to say where a
    /// fault of the rules lies.
    pub(super) fn item_of_piece(&self, piece: usize) -> usize {
        1 + self.turns[..piece].iter().map(|turn| 1 + turn.runs.len()).sum::<usize>()
    }

    /// Reads a record from the bytes of a file.
    ///
    /// # Errors
    ///
    /// Where and why it isn't one.
    pub fn parse(text: &[u8]) -> Result<Self, ParseRecordError> {
        let mut record = Self::new();
        let mut last = TextPosition { line: 1, column: 1, item: 1 };
        for (position, item) in items(text) {
            last = position;
            let fail = |problem| Err(ParseRecordError { position, problem });
            let key = match item[0] {
                b'N' => None,
                b'L' => Some(Key::Left),
                b'R' => Some(Key::Right),
                b'D' => Some(Key::Down),
                b'C' => Some(Key::Rotate),
                _ => return fail(RecordProblem::NoKey),
            };
            let digits = &item[1..];
            if !digits.iter().all(u8::is_ascii_digit) {
                return fail(RecordProblem::NoKey);
            }
            let Some(key) = key else {
                if !digits.is_empty() {
                    return fail(RecordProblem::CountOfN);
                }
                if !record.push(KeyPresses::new()) {
                    return fail(RecordProblem::TooManyPieces);
                }
                continue;
            };
            let Some(turn) = record.turns.last_mut() else { return fail(RecordProblem::NotBegun) };
            match count(digits) {
                0 => return fail(RecordProblem::NoCount),
                count => turn.push(key, count),
            }
        }
        if record.turns.is_empty() {
            return Err(ParseRecordError { position: last, problem: RecordProblem::NotBegun });
        }
        Ok(record)
    }
}

/// The value of decimal digits, at most [`u32::MAX`].
fn count(digits: &[u8]) -> u32 {
    digits.iter().fold(0, |n: u32, digit| n.saturating_mul(10).saturating_add(u32::from(digit - b'0')))
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

/// A place in the text of a record, everything counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextPosition {
    /// The line of the text.
    pub line: usize,
    /// The byte of the line.
    pub column: usize,
    /// The item of the record: what stands between two commas, empty ones not counted.
    pub item: usize,
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}, item {}", self.line, self.column, self.item)
    }
}

/// Why a text isn't a record, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{position}: {problem}")]
pub struct ParseRecordError {
    /// Where.
    pub position: TextPosition,
    /// Why.
    pub problem: RecordProblem,
}

/// What is wrong with an item of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum RecordProblem {
    /// Neither N nor a key with a count.
    #[error("expected N, or L, R, D or C with a count")]
    NoKey,
    /// N with a count.
    #[error("expected N without a count")]
    CountOfN,
    /// A key without a count, or with the count 0.
    #[error("expected a count of at least 1 after the key")]
    NoCount,
    /// The first item isn't N, or there is none.
    #[error("expected N: a record begins with it")]
    NotBegun,
    /// One piece too many.
    #[error("expected the end: a game has at most 10000 pieces")]
    TooManyPieces,
}

/// Where an item (numbered from 1) stands in the text of a record, if it has so many: to say in which line and column
/// a fault of the rules lies.
pub fn position_of_item(text: &[u8], item: usize) -> Option<TextPosition> {
    items(text).map(|(position, _)| position).find(|position| position.item == item)
}

/// Blank to the contest's tools: tab to carriage return, the four ASCII separators, space.
const fn blank(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | 0x1c..=0x1f | b' ')
}

/// The part of a text that is the record, as a range of bytes.
fn record_range(text: &[u8]) -> std::ops::Range<usize> {
    let quoted = text.windows(3).position(|window| window == b"'N,").and_then(|quote| {
        let length = text[quote + 1..].iter().position(|&byte| byte == b'\'')?;
        Some(quote + 1..quote + 1 + length)
    });
    let range = quoted.unwrap_or_else(|| {
        let start = text.iter().position(|&byte| !blank(byte)).unwrap_or(text.len());
        start..text.len()
    });
    let line = text[range.clone()].iter().position(|&byte| matches!(byte, b'\n' | b'\r'));
    range.start..line.map_or(range.end, |line| range.start + line)
}

/// The items of a text's record that aren't empty, without the blanks around them, and where each begins.
fn items(text: &[u8]) -> impl Iterator<Item = (TextPosition, &[u8])> {
    let range = record_range(text);
    let before = &text[..range.start];
    let line = before.split(|&byte| byte == b'\n').count();
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut offset = range.start;
    let pieces = text[range].split(|&byte| byte == b',').filter_map(move |item| {
        let start = offset;
        offset += item.len() + 1;
        let blanks = item.iter().position(|&byte| !blank(byte))?;
        let end = item.iter().rposition(|&byte| !blank(byte))? + 1;
        Some((start + blanks, &item[blanks..end]))
    });
    pieces.enumerate().map(move |(i, (start, item))| {
        (TextPosition { line, column: 1 + start - line_start, item: i + 1 }, item)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> Option<(usize, usize, usize, RecordProblem)> {
        let error = text.parse::<Record>().err()?;
        Some((error.position.line, error.position.column, error.position.item, error.problem))
    }

    #[test]
    fn errors_say_where() {
        use RecordProblem::{CountOfN, NoCount, NoKey, NotBegun, TooManyPieces};
        assert_eq!(problem(""), Some((1, 1, 1, NotBegun)));
        assert_eq!(problem(" ,, ,"), Some((1, 1, 1, NotBegun)));
        assert_eq!(problem("\n\n D3,N"), Some((3, 2, 1, NotBegun)));
        assert_eq!(problem("N,D3,,N2"), Some((1, 7, 3, CountOfN)));
        assert_eq!(problem("N, D"), Some((1, 4, 2, NoCount)));
        assert_eq!(problem("N,D00"), Some((1, 3, 2, NoCount)));
        assert_eq!(problem("N,D1 2"), Some((1, 3, 2, NoKey)));
        assert_eq!(problem("N,D-1"), Some((1, 3, 2, NoKey)));
        assert_eq!(problem("N,d1"), Some((1, 3, 2, NoKey)));
        assert_eq!(problem("var s =\n 'N,Q';"), Some((2, 5, 2, NoKey)));
        let full = vec!["N"; PIECES].join(",");
        assert_eq!(problem(&full), None);
        assert_eq!(problem(&format!("{full},N")), Some((1, 20_001, 10_001, TooManyPieces)));
        let error = "N,D3,N,L".parse::<Record>().unwrap_err();
        let words = "line 1, column 8, item 4: expected a count of at least 1 after the key";
        assert_eq!(error.to_string(), words);
    }

    #[test]
    fn what_the_tools_take_is_taken() {
        let plain: Record = "N,C1,L2,D17,N".parse().unwrap();
        for text in [
            "\n  N , C01,L2\t,,D17,N,\nall of this is a remark, Q",
            "N,C1,L2,D17,N\r\nremark",
            "upload('N,C1,L2,D17,N'); // 'N,D1'",
        ] {
            assert_eq!(text.parse::<Record>().as_ref(), Ok(&plain), "{text:?}");
        }
        let huge: Record = "N,D99999999999999999999,D7".parse().unwrap();
        assert_eq!(huge.turns()[0].count(), u64::from(u32::MAX) + 7);
    }

    #[test]
    fn items_are_found_again() {
        let text = b"\n N, C1,L2,D17,N";
        let record = Record::parse(text).unwrap();
        let item = record.item_of_piece(1);
        assert_eq!(position_of_item(text, item), Some(TextPosition { line: 2, column: 15, item: 5 }));
        assert_eq!(position_of_item(text, item + 1), None);
    }
}
