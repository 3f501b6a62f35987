//! Journals: the events on a board in order, for animation, saving and replay.

use crate::board::{At, Board, Cell};
use crate::cells::groups::{Group, Shape};
use crate::swap::{Axis, Swap};
use crate::text::parse_printed;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// Receives events in the order they happen. `()` discards them at no cost; a [`Vec`] collects
/// them.
pub trait Journal<E = Event> {
    /// Whether the journal wants events. If `false`, no events are created.
    const RECORDS: bool = true;

    /// Receives the next event.
    fn record(&mut self, event: E);
}

impl<E> Journal<E> for () {
    const RECORDS: bool = false;

    #[inline(always)]
    fn record(&mut self, _: E) {}
}

impl<E, J: Journal<E>> Journal<E> for &mut J {
    const RECORDS: bool = J::RECORDS;

    #[inline(always)]
    fn record(&mut self, event: E) {
        (*self).record(event);
    }
}

impl<E> Journal<E> for Vec<E> {
    fn record(&mut self, event: E) {
        self.push(event);
    }
}

/// One event on a board. Cells are (x, y), counted from 0; cascade levels count from 1.
///
/// The text of an event is one line:
///
/// ```text
/// swap 2 0 H
/// match 1 line3 4 0,0 1,0 2,0
/// clear 1 0,0 !4
/// fall 0,1 0,3
/// spawn 0,0 5
/// ```
///
/// `match` has the level, the shape, the color as a number, and the cells; `clear` has the level,
/// the cell, and the piece as in the text of a board.
///
/// ```
/// use match3::Event;
/// let event: Event = "fall 0,1 0,3".parse()?;
/// assert_eq!(event, Event::Fall { from: (0, 1), to: (0, 3) });
/// assert_eq!(event.to_string(), "fall 0,1 0,3");
/// # Ok::<(), match3::journal::ParseEventError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the variants explain their fields")]
pub enum Event {
    /// Two pieces trade places.
    Swap(Swap),
    /// A group is matched. Its cells are cleared next, together with all other groups of this
    /// level.
    Match { level: u64, group: Group },
    /// A piece is removed.
    Clear { level: u64, at: At, cell: Cell },
    /// A piece falls straight down and comes to rest.
    Fall { from: At, to: At },
    /// A new piece enters at the top and comes to rest.
    Spawn { at: At, cell: Cell },
}

/// The reason an event is impossible after the preceding events, with the cell as (x, y).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the variants explain their fields")]
pub enum ReplayErrorKind {
    /// A cell is outside the board.
    #[error("({}, {}) is outside the board", .at.0, .at.1)]
    Outside { at: At },
    /// A locked piece is swapped.
    #[error("({}, {}) holds {found}, expected a color without a lock", .at.0, .at.1)]
    NotSwappable { at: At, found: Cell },
    /// The cells of a match are not a group on this board; `at` is the first of them.
    #[error("the cells starting at ({}, {}) are not a group of this color", .at.0, .at.1)]
    NoGroup { at: At },
    /// The piece differs from the one in the event.
    #[error("({}, {}) holds {found}, expected {expected}", .at.0, .at.1)]
    WrongPiece { at: At, expected: Cell, found: Cell },
    /// An empty or blocked cell where the event needs a piece, on the board or as the new piece.
    #[error("({}, {}): expected a color, found {found}", .at.0, .at.1)]
    NoPiece { at: At, found: Cell },
    /// A fall that isn't straight down; `at` is its start.
    #[error("from ({}, {}): a piece falls straight down", .at.0, .at.1)]
    NotStraightDown { at: At },
    /// An occupied cell in the way of a falling or new piece, or where a special piece is created.
    #[error("({}, {}) holds {found}, expected an empty cell", .at.0, .at.1)]
    Occupied { at: At, found: Cell },
    /// The special piece that is set off isn't in the cell.
    #[error("({}, {}) is not a special piece of this kind and color", .at.0, .at.1)]
    NotSpecial { at: At },
}

/// The first impossible event in a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {index}: {kind}")]
#[non_exhaustive]
pub struct ReplayError {
    /// The index of the event, from 0.
    pub index: usize,
    /// The reason the event is impossible.
    pub kind: ReplayErrorKind,
}

/// Applies a journal to the board it starts from.
///
/// Each event must be possible on the board at that time: a swap of two unlocked pieces; a match of
/// a group or square on the board; a clear of the piece in the cell; a fall straight down through
/// empty cells; a new piece in an empty cell that is open to the top. Whether the rules require the
/// event, and whether its level is right, is not checked.
///
/// # Errors
///
/// The first impossible event. The board is then unchanged.
///
/// ```
/// use match3::{Board, cascade, replay};
/// let start: Board = "231\n111\n232".parse()?;
/// let (mut played, mut events) = (start.clone(), Vec::new());
/// let mut color = 0;
/// cascade(&mut played, || { color += 1; color }, &mut events);
/// let mut replayed = start;
/// replay(&mut replayed, &events)?;
/// assert_eq!(replayed, played);
/// assert_eq!(replay(&mut replayed, &events).unwrap_err().index, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn replay(board: &mut Board, events: &[Event]) -> Result<(), ReplayError> {
    *board = replayed(board, events, apply)?;
    Ok(())
}

pub(crate) fn replayed<B: Clone, E>(
    start: &B,
    events: &[E],
    apply: impl Fn(&mut B, &E) -> Result<(), ReplayErrorKind>,
) -> Result<B, ReplayError> {
    let mut board = start.clone();
    for (index, event) in events.iter().enumerate() {
        apply(&mut board, event).map_err(|kind| ReplayError { index, kind })?;
    }
    Ok(board)
}

/// An impossible event leaves the board unchanged.
pub(crate) fn apply(board: &mut Board, event: &Event) -> Result<(), ReplayErrorKind> {
    match *event {
        Event::Swap(swap) => {
            // The upper or left cell first: far outside the board, its neighbor could overflow
            // `usize`.
            expect_piece(board, (swap.x, swap.y))?;
            let cells = swap.cells();
            for at in cells {
                let found = expect_piece(board, at)?;
                if !found.is_swappable() {
                    return Err(ReplayErrorKind::NotSwappable { at, found });
                }
            }
            board.exchange(cells[0], cells[1]);
        }
        Event::Match { ref group, .. } => {
            for &at in group.cells() {
                expect_inside(board, at)?;
            }
            if !group.is_on(board) {
                return Err(ReplayErrorKind::NoGroup { at: group.cells()[0] });
            }
        }
        Event::Clear { at, cell: expected, .. } => {
            let found = expect_piece(board, at)?;
            if found != expected {
                return Err(ReplayErrorKind::WrongPiece { at, expected, found });
            }
            board[at] = Cell::EMPTY;
        }
        Event::Fall { from, to } => {
            let cell = expect_piece(board, from)?;
            expect_inside(board, to)?;
            if from.0 != to.0 || from.1 >= to.1 {
                return Err(ReplayErrorKind::NotStraightDown { at: from });
            }
            for y in from.1 + 1..=to.1 {
                expect_empty(board, (to.0, y))?;
            }
            board[from] = Cell::EMPTY;
            board[to] = cell;
        }
        Event::Spawn { at, cell } => {
            expect_inside(board, at)?;
            if cell.is_hole() {
                return Err(ReplayErrorKind::NoPiece { at, found: cell });
            }
            for y in 0..=at.1 {
                expect_empty(board, (at.0, y))?;
            }
            board[at] = cell;
        }
    }
    Ok(())
}

fn expect_inside(board: &Board, at: At) -> Result<Cell, ReplayErrorKind> {
    if board.contains(at) { Ok(board[at]) } else { Err(ReplayErrorKind::Outside { at }) }
}

pub(crate) fn expect_piece(board: &Board, at: At) -> Result<Cell, ReplayErrorKind> {
    let found = expect_inside(board, at)?;
    if found.is_hole() { Err(ReplayErrorKind::NoPiece { at, found }) } else { Ok(found) }
}

pub(crate) fn expect_empty(board: &Board, at: At) -> Result<(), ReplayErrorKind> {
    match expect_inside(board, at)? {
        Cell::EMPTY => Ok(()),
        found => Err(ReplayErrorKind::Occupied { at, found }),
    }
}

impl fmt::Display for Event {
    /// Writes one line, without a trailing newline.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Swap(swap) => write!(f, "swap {swap}"),
            Self::Match { level, group } => {
                write!(f, "match {level} {} {}", group.shape(), group.color())?;
                group.cells().iter().try_for_each(|(x, y)| write!(f, " {x},{y}"))
            }
            Self::Clear { level, at: (x, y), cell } => write!(f, "clear {level} {x},{y} {cell}"),
            Self::Fall { from, to } => write!(f, "fall {},{} {},{}", from.0, from.1, to.0, to.1),
            Self::Spawn { at: (x, y), cell } => write!(f, "spawn {x},{y} {cell}"),
        }
    }
}

/// The reason a line isn't an event or a swap, with its position. Columns count characters from 1;
/// `expected` describes the expected word.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the variants explain their fields")]
pub enum ParseEventError {
    /// An unexpected word, with its first column.
    #[error("column {column}: expected {expected}, found {found:?}")]
    Word { column: usize, expected: &'static str, found: String },
    /// A line that ends too early, with the column after its last character.
    #[error("column {column}: expected {expected}, found the end of the line")]
    End { column: usize, expected: &'static str },
    /// Cells of a match that don't form a group of the given shape, with the first column of the
    /// cells.
    #[error("column {column}: these cells are not a group of shape {shape}")]
    Group { column: usize, shape: Shape },
}

pub(crate) struct LineWords<'a> {
    line: &'a str,
    /// The byte offset of the rest.
    at: usize,
}

impl<'a> LineWords<'a> {
    pub(crate) fn new(line: &'a str) -> Self {
        Self { line, at: 0 }
    }

    /// Skips spaces. Returns the column where the next word starts or the line ends.
    fn column(&mut self) -> usize {
        let rest = &self.line[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
        self.line[..self.at].chars().count() + 1
    }

    pub(crate) fn is_empty(&mut self) -> bool {
        self.column();
        self.at == self.line.len()
    }

    pub(crate) fn next<T>(
        &mut self,
        expected: &'static str,
        take: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, ParseEventError> {
        let column = self.column();
        let word = self.line[self.at..].split([' ', '\t']).next().unwrap_or_default();
        if word.is_empty() {
            return Err(ParseEventError::End { column, expected });
        }
        let taken = take(word).ok_or_else(|| ParseEventError::Word {
            column,
            expected,
            found: word.into(),
        })?;
        self.at += word.len();
        Ok(taken)
    }

    /// Reads one of the words of a list like `H or V`.
    pub(crate) fn one_of(&mut self, list: &'static str) -> Result<&'static str, ParseEventError> {
        let mut words = list.split([',', ' ']).filter(|word| !["", "or"].contains(word));
        self.next(list, |found| words.find(|&word| word == found))
    }

    pub(crate) fn number<T: FromStr>(
        &mut self,
        expected: &'static str,
    ) -> Result<T, ParseEventError> {
        self.next(expected, digits)
    }

    pub(crate) fn at(&mut self) -> Result<At, ParseEventError> {
        self.next("a cell as x,y", |word| {
            let (x, y) = word.split_once(',')?;
            Some((digits(x)?, digits(y)?))
        })
    }

    fn swap(&mut self) -> Result<Swap, ParseEventError> {
        let x = self.number("a column")?;
        let y = self.number("a row")?;
        let is_horizontal = self.one_of("H or V")? == "H";
        Ok(Swap { x, y, axis: if is_horizontal { Axis::Horizontal } else { Axis::Vertical } })
    }

    pub(crate) fn cell(&mut self) -> Result<Cell, ParseEventError> {
        self.next("a piece (1-9, a-z, ! before a locked one)", parse_printed)
    }

    pub(crate) fn color(&mut self) -> Result<u8, ParseEventError> {
        self.next("a color from 1 to 35", |word| {
            digits(word).filter(|&color| Cell::new(color).is_some())
        })
    }

    pub(crate) fn end(&mut self) -> Result<(), ParseEventError> {
        if self.is_empty() { Ok(()) } else { self.next("the end of the line", |_| None) }
    }
}

/// Parses an unsigned number; unlike `parse`, rejects a leading `+`.
fn digits<T: FromStr>(word: &str) -> Option<T> {
    if word.bytes().all(|byte| byte.is_ascii_digit()) { word.parse().ok() } else { None }
}

impl FromStr for Swap {
    type Err = ParseEventError;

    /// Parses `x y H` or `x y V`, ignoring leading and trailing spaces.
    ///
    /// ```
    /// use match3::{Axis, Swap};
    /// assert_eq!("3 5 V".parse(), Ok(Swap { x: 3, y: 5, axis: Axis::Vertical }));
    /// let error = "3 5 v".parse::<Swap>().unwrap_err();
    /// assert_eq!(error.to_string(), "column 5: expected H or V, found \"v\"");
    /// ```
    fn from_str(line: &str) -> Result<Self, ParseEventError> {
        let words = &mut LineWords::new(line);
        let swap = words.swap()?;
        words.end()?;
        Ok(swap)
    }
}

impl FromStr for Event {
    type Err = ParseEventError;

    /// Parses one line, ignoring leading and trailing spaces.
    fn from_str(line: &str) -> Result<Self, ParseEventError> {
        let words = &mut LineWords::new(line);
        let event = match words.one_of("swap, match, clear, fall or spawn")? {
            "swap" => Self::Swap(words.swap()?),
            "match" => {
                let level = words.number("a level")?;
                let shape: Shape = words.next(Shape::NAMES, |word| word.parse().ok())?;
                let color = words.color()?;
                let column = words.column();
                let mut cells = Vec::new();
                while cells.is_empty() || !words.is_empty() {
                    cells.push(words.at()?);
                }
                let group = Group::new(color, &cells).filter(|group| group.shape() == shape);
                Self::Match { level, group: group.ok_or(ParseEventError::Group { column, shape })? }
            }
            "clear" => Self::Clear {
                level: words.number("a level")?,
                at: words.at()?,
                cell: words.cell()?,
            },
            "fall" => Self::Fall { from: words.at()?, to: words.at()? },
            _ => Self::Spawn { at: words.at()?, cell: words.cell()? },
        };
        words.end()?;
        Ok(event)
    }
}

/// The first invalid line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, {source}")]
#[non_exhaustive]
pub struct ParseJournalError {
    /// The line number, from 1.
    pub line: usize,
    /// The reason the line isn't an event.
    pub source: ParseEventError,
}

/// Parses a journal, one event per line, skipping blank lines.
///
/// # Errors
///
/// [`ParseJournalError`] for the first line that isn't an event.
///
/// ```
/// use match3::journal::parse_journal;
/// use match3::Event;
/// let events: Vec<Event> = parse_journal("fall 0,1 0,3\n\nspawn 0,0 !5\n")?;
/// assert_eq!(events.len(), 2);
/// assert_eq!(
///     parse_journal::<Event>("fall 0,1 0,3\nfall 0;1 0,3").unwrap_err().to_string(),
///     "line 2, column 6: expected a cell as x,y, found \"0;1\"",
/// );
/// # Ok::<(), match3::journal::ParseJournalError>(())
/// ```
pub fn parse_journal<E: FromStr<Err = ParseEventError>>(
    text: &str,
) -> Result<Vec<E>, ParseJournalError> {
    let lines =
        text.lines().enumerate().filter(|(_, line)| !line.trim_matches([' ', '\t']).is_empty());
    lines
        .map(|(i, line)| line.parse().map_err(|source| ParseJournalError { line: i + 1, source }))
        .collect()
}
