//! [`SgfError`], [`Remark`], and the limits of a text.

use crate::board::IllegalMove;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The maximum number of nodes of a main line.
pub const MAX_NODES: usize = 10_000;

/// The maximum number of values that a record keeps of properties without a field of their own.
pub const MAX_VALUES: usize = 100_000;

/// The most remarks on one text; a last one counts the others.
pub const MAX_REMARKS: usize = 100;

/// The most characters of the text that a remark shows.
const MAX_SHOWN: usize = 40;

/// The reason why a text cannot be read at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SgfError {
    /// The text has no game.
    #[error("not an SGF record: expected (; and properties")]
    NoGame,
    /// The game is not Go.
    #[error("a record of another game than Go: GM[{0}]")]
    OtherGame(String),
    /// The board is larger than 19 x 19.
    #[error("SZ[{0}]: expected a board of at most 19 x 19")]
    TooLarge(String),
    /// The main line has more than [`MAX_NODES`] nodes.
    #[error("expected at most {MAX_NODES} nodes")]
    TooManyNodes,
    /// The record would keep more than [`MAX_VALUES`] values of other properties.
    #[error("expected at most {MAX_VALUES} values")]
    TooManyValues,
    /// [`str::parse`] accepts no text with a remark.
    #[error("{0}")]
    Remark(Remark),
}

/// What a record has in another way than its text, or not at all, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct Remark {
    /// The line of the text, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is there.
    pub kind: RemarkKind,
}

/// The kinds of [`Remark`]. Texts from the file are shortened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RemarkKind {
    /// Text before the game.
    #[error("text before the game: \"{0}\"")]
    TextBefore(String),
    /// Text after the game.
    #[error("text after the game: \"{0}\"")]
    TextAfter(String),
    /// Games after the first one.
    #[error("only the first game is read")]
    MoreGames,
    /// A game that begins with a node.
    #[error("the game begins without (")]
    NoStart,
    /// A sequence that begins with a property.
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
    /// A bracket within a value.
    #[error("{0}: a bracket is not escaped")]
    Bracket(String),
    /// The name of a property in lower case.
    #[error("{0}: a name in lower case")]
    LowerCase(String),
    /// A value that means nothing.
    #[error("skipped: {property}[{value}] is no valid value")]
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
        /// The value as the record has it.
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
    /// A second value of a property that has one.
    #[error("skipped: a second value of {0}")]
    Second(String),
    /// A property of one letter that SGF doesn't have. It is kept, as all properties without a field are.
    #[error("{0} is no property of SGF")]
    Unknown(String),
    /// A property that is there twice in a node; its values are put together.
    #[error("{0} is there twice in a node")]
    Twice(String),
    /// A point that a node sets up twice: White's stone counts before Black's, and both before an empty point.
    #[error("{property}[{value}]: a point that is set up twice")]
    SetUpTwice {
        /// The name of the property.
        property: String,
        /// The value.
        value: String,
    },
    /// A node with moves of both players.
    #[error("two moves in a node")]
    TwoMoves,
    /// A handicap without its stones.
    #[error("HA[{0}]: a handicap without stones")]
    NoHandicap(u32),
    /// Set-up stones that have no liberty.
    #[error("{0} stones without a liberty are taken off the board")]
    NoLiberty(u32),
    /// An illegal move, which is played as it is written.
    #[error("move {number}: {error}; it is played as written")]
    Illegal {
        /// The move, from 1.
        number: usize,
        /// The rule.
        error: IllegalMove,
    },
    /// A character set that is not known.
    #[error("unknown character set {0}, read as Latin-1")]
    Charset(String),
    /// The number of further remarks.
    #[error("and {0} more remarks")]
    More(usize),
}

/// Returns a text as remarks show it: short, and without characters that a terminal would obey.
pub(super) fn shown(text: &str) -> String {
    let mut chars = text.chars();
    let mut start = String::new();
    for char in chars.by_ref().take(MAX_SHOWN) {
        if char.is_control() { start.extend(char.escape_default()) } else { start.push(char) }
    }
    if chars.next().is_some() { start + ".." } else { start }
}

/// The remarks on a text, by the index of a byte.
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

    /// Says that a value is no valid one.
    pub(super) fn invalid(&mut self, at: usize, property: &str, value: &str) {
        self.push(at, RemarkKind::Invalid { property: property.to_string(), value: shown(value) });
    }

    /// Says how a value is read.
    pub(super) fn read(&mut self, at: usize, property: &str, value: &str, read: &impl ToString) {
        let (property, value, read) = (property.to_string(), shown(value), read.to_string());
        self.push(at, RemarkKind::Read { property, value, read });
    }

    /// Returns the remarks in the order of the text, with lines and columns.
    pub(super) fn in_order(mut self, text: &str) -> Vec<Remark> {
        self.found.sort_by_key(|&(at, _)| at);
        if self.more > 0 {
            self.found.push((text.len(), RemarkKind::More(self.more)));
        }
        let (mut place, mut line, mut column) = (0, 1, 1);
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
