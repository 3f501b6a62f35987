//! [`SgfError`], [`Remark`], and the limits of a text.

use crate::rules::board::IllegalMove;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The maximum number of nodes of a main line.
pub const MAX_NODES: usize = 10_000;

/// The maximum number of values that a main line keeps of properties without their own field.
pub const MAX_VALUES: usize = 100_000;

/// The maximum number of nodes, and of values of properties without their own field, that a record
/// keeps of all variations together; the rest of them is skipped.
pub const MAX_IN_VARIATIONS: usize = 500_000;

/// The maximum number of remarks on one text; one more counts the rest.
pub const MAX_REMARKS: usize = 100;

/// The maximum number of characters of the text shown in a remark.
const MAX_SHOWN: usize = 40;

/// The reason why a text is rejected as a whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SgfError {
    /// The text contains no game.
    #[error("not an SGF record: expected (; and properties")]
    NoGame,
    /// The game is not Go.
    #[error("not a Go record: GM[{0}]")]
    OtherGame(String),
    /// The board is larger than 19 x 19.
    #[error("SZ[{0}]: expected a board of at most 19 x 19")]
    TooLarge(String),
    /// The main line has more than [`MAX_NODES`] nodes.
    #[error("expected at most {MAX_NODES} nodes")]
    TooManyNodes,
    /// The main line has more than [`MAX_VALUES`] values of properties without their own field.
    #[error("expected at most {MAX_VALUES} values")]
    TooManyValues,
    /// [`str::parse`] rejects any text that needs a remark.
    #[error("{0}")]
    Remark(Remark),
}

/// A part of a text that was reinterpreted or skipped, and its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct Remark {
    /// The line of the text, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The kind of remark.
    pub kind: RemarkKind,
}

/// The kinds of [`Remark`]. Texts quoted from the file are shortened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RemarkKind {
    /// Text before the game.
    #[error("text before the game: \"{0}\"")]
    TextBefore(String),
    /// Text after the game.
    #[error("text after the game: \"{0}\"")]
    TextAfter(String),
    /// Games after the first; they are ignored.
    #[error("only the first game is read")]
    MoreGames,
    /// A game that starts with a node, without `(`.
    #[error("the game begins without (")]
    NoStart,
    /// A sequence that starts with a property, without `;`.
    #[error("a sequence begins without ;")]
    NoNode,
    /// A game that isn't closed.
    #[error("the game ends without )")]
    NoEnd,
    /// Text between properties.
    #[error("skipped: \"{0}\"")]
    Skipped(String),
    /// A property without a value.
    #[error("skipped: {0} has no value")]
    NoValue(String),
    /// A value that isn't closed.
    #[error("{0}: the value ends without ]")]
    OpenValue(String),
    /// An unescaped bracket within a value.
    #[error("{0}: a bracket is not escaped")]
    Bracket(String),
    /// A property name in lower case.
    #[error("{0}: a name in lower case")]
    LowerCase(String),
    /// An invalid value.
    #[error("skipped: {property}[{value}] is not a valid value")]
    Invalid {
        /// The name of the property.
        property: String,
        /// The value.
        value: String,
    },
    /// A value in an unusual form.
    #[error("{property}[{value}] is read as {read}")]
    Read {
        /// The name of the property.
        property: String,
        /// The value.
        value: String,
        /// The value in the record.
        read: String,
    },
    /// A point off the board.
    #[error("skipped: {property}[{value}] is off the board")]
    OffBoard {
        /// The name of the property.
        property: String,
        /// The value.
        value: String,
    },
    /// A second value of a property that can have only one.
    #[error("skipped: a second value of {0}")]
    Second(String),
    /// A one-letter property that SGF does not define. It is kept, like every property without its
    /// own field.
    #[error("{0} is not an SGF property")]
    Unknown(String),
    /// A property that appears twice in a node; its values are merged.
    #[error("{0} appears twice in a node")]
    Twice(String),
    /// A point set up twice in a node: White takes precedence over Black, and both over an empty
    /// point.
    #[error("{property}[{value}]: a point set up twice")]
    SetUpTwice {
        /// The name of the property.
        property: String,
        /// The value.
        value: String,
    },
    /// Variations with more than [`MAX_IN_VARIATIONS`] nodes and values.
    #[error("skipped: the rest of the variations, after {MAX_IN_VARIATIONS} nodes and values")]
    MoreVariations,
    /// A node with moves of both players.
    #[error("two moves in a node")]
    TwoMoves,
    /// A handicap without its stones.
    #[error("HA[{0}]: a handicap without stones")]
    NoHandicap(u32),
    /// Setup stones without a liberty.
    #[error("{0} stones without a liberty are removed")]
    NoLiberty(u32),
    /// An illegal move, played as written.
    #[error("move {number}: {error}; it is played as written")]
    Illegal {
        /// The move number, from 1.
        number: usize,
        /// The broken rule.
        error: IllegalMove,
    },
    /// A size that isn't a number.
    #[error("SZ[{0}] is not a size; without another, the board is 19 x 19")]
    Size(String),
    /// An unknown character set.
    #[error("unknown character set {name}, read as {read}")]
    Charset {
        /// The name in the file.
        name: String,
        /// The character set the file is read as.
        read: &'static str,
    },
    /// A guessed character set, because the file names none.
    #[error("no character set is named: read as {0}")]
    GuessedCharset(&'static str),
    /// A character set that isn't the file's, whose text is valid in another one.
    #[error("not all text is {name}: read as {read}")]
    OtherCharset {
        /// The name in the file.
        name: String,
        /// The character set the file is read as.
        read: &'static str,
    },
    /// Bytes without a meaning in the character set.
    #[error("not all text is {0}: bytes are read as U+FFFD")]
    InvalidBytes(&'static str),
    /// The number of further remarks.
    #[error("and {0} more remarks")]
    More(usize),
}

/// Returns a text as shown in remarks: short, with control characters escaped for the terminal.
pub(crate) fn shown(text: &str) -> String {
    let mut chars = text.chars();
    let mut start = String::new();
    for char in chars.by_ref().take(MAX_SHOWN) {
        if char.is_control() { start.extend(char.escape_default()) } else { start.push(char) }
    }
    if chars.next().is_some() { start + ".." } else { start }
}

/// The remarks on a text, each with a byte index.
#[derive(Debug, Default)]
pub(super) struct Remarks {
    found: Vec<(usize, RemarkKind)>,
    more: usize,
}

impl Remarks {
    pub(super) fn push(&mut self, at: usize, kind: RemarkKind) {
        if self.found.len() < MAX_REMARKS {
            self.found.push((at, kind));
        } else {
            self.more += 1;
        }
    }

    pub(super) fn invalid(&mut self, at: usize, property: &str, value: &str) {
        self.push(at, RemarkKind::Invalid { property: property.to_string(), value: shown(value) });
    }

    pub(super) fn read(&mut self, at: usize, property: &str, value: &str, read: &impl ToString) {
        let property = property.to_string();
        let value = shown(value);
        let read = shown(&read.to_string());
        self.push(at, RemarkKind::Read { property, value, read });
    }

    /// Returns the number of remarks, those that are only counted included.
    pub(super) fn count(&self) -> usize {
        self.found.len() + self.more
    }

    pub(super) fn in_order(mut self, text: &str) -> Vec<Remark> {
        self.found.sort_by_key(|&(at, _)| at);
        if self.more > 0 {
            self.found.push((text.len(), RemarkKind::More(self.more)));
        }
        let mut place = 0;
        let mut line = 1;
        let mut column = 1;
        let mut chars = text.chars().peekable();
        let locate = |(at, kind)| {
            while place < at {
                let Some(char) = chars.next() else { break };
                place += char.len_utf8();
                // A line ends in CR, LF or both.
                let ends = char == '\n' || char == '\r' && chars.peek() != Some(&'\n');
                (line, column) = if ends { (line + 1, 1) } else { (line, column + 1) };
            }
            Remark { line, column, kind }
        };
        self.found.into_iter().map(locate).collect()
    }
}
