//! Journals: what happens on a board, event by event, to animate, to save and to replay.

use crate::board::{Board, Cell};
use crate::groups::{Group, Shape};
use crate::swap::{Axis, Swap};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// Takes events in the order in which they happen: `()` drops them at no cost, a [`Vec`] keeps them.
pub trait Journal<E = Event> {
    /// Whether events are wanted at all. Where they aren't, none is made.
    const RECORDS: bool = true;

    /// Takes the next event.
    fn record(&mut self, event: E);
}

impl<E> Journal<E> for () {
    const RECORDS: bool = false;

    #[inline(always)]
    fn record(&mut self, _: E) {}
}

impl<E> Journal<E> for Vec<E> {
    fn record(&mut self, event: E) {
        self.push(event);
    }
}

/// One thing that happens on a board. Cells are (x, y), counted from 0.
///
/// As text, one line an event:
///
/// ```text
/// swap 2 0 H
/// match 1 line3 4 0,0 1,0 2,0
/// clear 1 0,0 !4
/// fall 0,1 0,3
/// spawn 0,0 5
/// ```
///
/// `match` names the level, the shape, the color as a number, and the cells; `clear` the level, the cell and what it
/// held, as in the text of a board.
///
/// ```
/// use match3::Event;
/// let event: Event = "fall 0,1 0,3".parse()?;
/// assert_eq!(event, Event::Fall { from: (0, 1), to: (0, 3) });
/// assert_eq!(event.to_string(), "fall 0,1 0,3");
/// # Ok::<(), match3::journal::ParseEventError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// Two pieces change places.
    Swap(Swap),
    /// A group is matched: its cells are cleared next, with all others of this level.
    Match {
        /// The level of the cascade, from 1.
        level: u64,
        /// The cells and their shape.
        group: Group,
    },
    /// A piece vanishes.
    Clear {
        /// The level of the cascade, from 1.
        level: u64,
        /// Where.
        at: (usize, usize),
        /// The piece.
        cell: Cell,
    },
    /// A piece falls straight down.
    Fall {
        /// Where it was.
        from: (usize, usize),
        /// Where it comes to rest.
        to: (usize, usize),
    },
    /// A new piece comes in from the top.
    Spawn {
        /// Where it comes to rest.
        at: (usize, usize),
        /// The piece.
        cell: Cell,
    },
}

/// Why an event can't happen on the board that the events before it leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayErrorKind {
    /// A cell that isn't on the board.
    #[error("({x}, {y}) is outside the board")]
    Outside {
        /// The column.
        x: usize,
        /// The row.
        y: usize,
    },
    /// A swap of something that can't be swapped.
    #[error("({x}, {y}) holds {found}, expected a color without a lock")]
    NotSwappable {
        /// The column.
        x: usize,
        /// The row.
        y: usize,
        /// What is there.
        found: Cell,
    },
    /// A match of cells that are no group of this board: (x, y) is the first.
    #[error("the cells from ({x}, {y}) on are no group of this color")]
    NoGroup {
        /// The column.
        x: usize,
        /// The row.
        y: usize,
    },
    /// Another piece than the event's, or none where there must be one.
    #[error("({x}, {y}) holds {found}, expected {expected}")]
    WrongPiece {
        /// The column.
        x: usize,
        /// The row.
        y: usize,
        /// What the event says.
        expected: Cell,
        /// What is there.
        found: Cell,
    },
    /// An event about a piece, and the cell is a hole.
    #[error("({x}, {y}): expected a color, found {found}")]
    NoPiece {
        /// The column.
        x: usize,
        /// The row.
        y: usize,
        /// What is there, or what would enter.
        found: Cell,
    },
    /// A fall that isn't straight down.
    #[error("from ({x}, {y}): a piece falls straight down")]
    NotStraightDown {
        /// The column from which.
        x: usize,
        /// The row from which.
        y: usize,
    },
    /// A cell on the way of a falling or new piece, or where a special piece would come up, isn't empty.
    #[error("({x}, {y}) holds {found}, expected an empty cell")]
    Occupied {
        /// The column.
        x: usize,
        /// The row.
        y: usize,
        /// What is there.
        found: Cell,
    },
    /// A special piece is set off that isn't there.
    #[error("({x}, {y}) is no special piece of this kind and color")]
    NotSpecial {
        /// The column.
        x: usize,
        /// The row.
        y: usize,
    },
}

/// The first event of a journal that doesn't fit, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {index}: {kind}")]
pub struct ReplayError {
    /// The event, counted from 0.
    pub index: usize,
    /// What is wrong with it.
    pub kind: ReplayErrorKind,
}

/// Applies a journal to the board on which it began.
///
/// Every event must be possible where it stands: a swap of two unlocked pieces; a match of a group (or square) of the
/// board; a clear of the very piece that is there; a fall straight down through empty cells; a new piece in a cell
/// that is empty and open to the top. Whether the rules *ask* for it isn't tested, and levels aren't compared.
///
/// # Errors
///
/// The first event that doesn't fit; the board is untouched.
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
    let mut after = board.clone();
    for (index, event) in events.iter().enumerate() {
        apply(&mut after, event).map_err(|kind| ReplayError { index, kind })?;
    }
    *board = after;
    Ok(())
}

/// Applies one event; one that doesn't fit changes nothing.
pub(crate) fn apply(board: &mut Board, event: &Event) -> Result<(), ReplayErrorKind> {
    match *event {
        Event::Swap(swap) => {
            // The upper or left cell first: beside a cell far outside there is none to name.
            expect_piece(board, (swap.x, swap.y))?;
            let cells = swap.cells();
            for (x, y) in cells {
                let found = expect_piece(board, (x, y))?;
                if !found.is_swappable() {
                    return Err(ReplayErrorKind::NotSwappable { x, y, found });
                }
            }
            board.exchange(cells[0], cells[1]);
        }
        Event::Match { ref group, .. } => {
            for &at in group.cells() {
                expect_inside(board, at)?;
            }
            if !group.is_on(board) {
                let (x, y) = group.cells()[0];
                return Err(ReplayErrorKind::NoGroup { x, y });
            }
        }
        Event::Clear { at: (x, y), cell, .. } => {
            let found = expect_piece(board, (x, y))?;
            if found != cell {
                return Err(ReplayErrorKind::WrongPiece { x, y, expected: cell, found });
            }
            board.set(x, y, Cell::EMPTY);
        }
        Event::Fall { from, to } => {
            let cell = expect_piece(board, from)?;
            expect_inside(board, to)?;
            if from.0 != to.0 || from.1 >= to.1 {
                return Err(ReplayErrorKind::NotStraightDown { x: from.0, y: from.1 });
            }
            expect_empty(board, to.0, from.1 + 1..=to.1)?;
            board.set(from.0, from.1, Cell::EMPTY);
            board.set(to.0, to.1, cell);
        }
        Event::Spawn { at: (x, y), cell } => {
            expect_inside(board, (x, y))?;
            if cell.is_hole() {
                return Err(ReplayErrorKind::NoPiece { x, y, found: cell });
            }
            expect_empty(board, x, 0..=y)?;
            board.set(x, y, cell);
        }
    }
    Ok(())
}

pub(crate) fn expect_inside(board: &Board, (x, y): (usize, usize)) -> Result<(), ReplayErrorKind> {
    if x < board.width() && y < board.height() { Ok(()) } else { Err(ReplayErrorKind::Outside { x, y }) }
}

/// The piece in a cell.
pub(crate) fn expect_piece(board: &Board, (x, y): (usize, usize)) -> Result<Cell, ReplayErrorKind> {
    expect_inside(board, (x, y))?;
    let found = board.get(x, y);
    if found.is_hole() { Err(ReplayErrorKind::NoPiece { x, y, found }) } else { Ok(found) }
}

fn expect_empty(
    board: &Board,
    x: usize,
    rows: core::ops::RangeInclusive<usize>,
) -> Result<(), ReplayErrorKind> {
    for y in rows {
        let found = board.get(x, y);
        if found != Cell::EMPTY {
            return Err(ReplayErrorKind::Occupied { x, y, found });
        }
    }
    Ok(())
}

impl fmt::Display for Event {
    /// One line, without a line feed.
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

/// Why a line isn't an event, and where. Columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseEventError {
    /// A word that has no place here.
    #[error("column {column}: expected {expected}, found {found:?}")]
    Word {
        /// Where it begins.
        column: usize,
        /// What belongs here.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// The line ends too soon.
    #[error("column {column}: expected {expected}, found the end of the line")]
    End {
        /// The column behind the last character.
        column: usize,
        /// What belongs here.
        expected: &'static str,
    },
    /// The cells of a match are no group, or one of another shape.
    #[error("column {column}: these cells are no group of the shape {shape}")]
    Group {
        /// Where the first cell begins.
        column: usize,
        /// The shape that the line names.
        shape: Shape,
    },
}

/// The words of a line, one after the other.
pub(crate) struct LineWords<'a> {
    line: &'a str,
    /// The byte where the rest begins.
    at: usize,
}

impl<'a> LineWords<'a> {
    pub(crate) fn new(line: &'a str) -> Self {
        Self { line, at: 0 }
    }

    /// The column where the next word begins, or the line ends.
    fn column(&mut self) -> usize {
        let rest = &self.line[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
        self.line[..self.at].chars().count() + 1
    }

    fn is_empty(&mut self) -> bool {
        self.column();
        self.at == self.line.len()
    }

    /// The next word, if `take` makes something of it.
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
        let taken =
            take(word).ok_or_else(|| ParseEventError::Word { column, expected, found: word.into() })?;
        self.at += word.len();
        Ok(taken)
    }

    pub(crate) fn number<T: FromStr>(&mut self, expected: &'static str) -> Result<T, ParseEventError> {
        self.next(expected, digits)
    }

    pub(crate) fn at(&mut self) -> Result<(usize, usize), ParseEventError> {
        self.next("a cell as x,y", |word| {
            let (x, y) = word.split_once(',')?;
            Some((digits(x)?, digits(y)?))
        })
    }

    pub(crate) fn cell(&mut self) -> Result<Cell, ParseEventError> {
        self.next("a piece (1-9, a-z, ! before a locked one)", |word| {
            match *word.parse::<Board>().ok()?.cells() {
                [cell] => Some(cell),
                _ => None,
            }
        })
    }

    pub(crate) fn color(&mut self) -> Result<u8, ParseEventError> {
        self.next("a color from 1 to 35", |word| digits(word).filter(|&color| Cell::new(color).is_some()))
    }

    pub(crate) fn end(&mut self) -> Result<(), ParseEventError> {
        if self.is_empty() { Ok(()) } else { self.next("the end of the line", |_| None) }
    }
}

/// A number of digits only: no sign.
fn digits<T: FromStr>(word: &str) -> Option<T> {
    if word.bytes().all(|byte| byte.is_ascii_digit()) { word.parse().ok() } else { None }
}

impl FromStr for Event {
    type Err = ParseEventError;

    /// One line; spaces around it don't count.
    fn from_str(line: &str) -> Result<Self, ParseEventError> {
        let words = &mut LineWords::new(line);
        let kind = words.next("swap, match, clear, fall or spawn", |word| {
            ["swap", "match", "clear", "fall", "spawn"].into_iter().find(|&kind| kind == word)
        })?;
        let event = match kind {
            "swap" => {
                let (x, y) = (words.number("a column")?, words.number("a row")?);
                let axis = words.next("H or V", |word| match word {
                    "H" => Some(Axis::Horizontal),
                    "V" => Some(Axis::Vertical),
                    _ => None,
                })?;
                Self::Swap(Swap { x, y, axis })
            }
            "match" => {
                let level = words.number("a level")?;
                let shape: Shape =
                    words.next("line3, line4, line5, L, T, plus or square", |word| word.parse().ok())?;
                let color = words.color()?;
                let column = words.column();
                let mut cells = Vec::new();
                while cells.is_empty() || !words.is_empty() {
                    cells.push(words.at()?);
                }
                let group = Group::new(color, &cells)
                    .filter(|group| group.shape() == shape)
                    .ok_or(ParseEventError::Group { column, shape })?;
                Self::Match { level, group }
            }
            "clear" => Self::Clear { level: words.number("a level")?, at: words.at()?, cell: words.cell()? },
            "fall" => Self::Fall { from: words.at()?, to: words.at()? },
            _ => Self::Spawn { at: words.at()?, cell: words.cell()? },
        };
        words.end()?;
        Ok(event)
    }
}

/// Which line of a journal isn't an event, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, {source}")]
pub struct ParseJournalError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub source: ParseEventError,
}

/// A journal from its text, one event a line; blank lines don't count.
///
/// # Errors
///
/// The first line that isn't an event.
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
pub fn parse_journal<E: FromStr<Err = ParseEventError>>(text: &str) -> Result<Vec<E>, ParseJournalError> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim_matches([' ', '\t']).is_empty());
    lines.map(|(i, line)| line.parse().map_err(|source| ParseJournalError { line: i + 1, source })).collect()
}
