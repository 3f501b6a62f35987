//! Fumen: the text in which players pass boards round, `v115@..`, in and out.
//!
//! A fumen is a list of [pages](Page). Writing is the work of the crate `fumen`. Reading isn't: that crate takes the
//! text for well-formed, and panics over a piece that stands outside the field; only its rule for the page that follows
//! a page is used.

use crate::board::{Board, WIDTH};
use crate::location::Location;
use crate::piece::{Orientation, Piece};
use ::fumen::{CellColor, Fumen, PieceType, RotationState};
use alloc::string::String;
use alloc::vec::Vec;

/// Rows of a fumen's field.
pub const ROWS: usize = 23;
/// The longest comment, in characters of its escaped form: a letter, digit or one of `@*_+-./` takes one, another of
/// Latin-1 three, any other six.
pub const MAX_COMMENT: usize = 4095;

/// Cells that a page writes down, the row of garbage under the field included.
const CELLS: usize = (ROWS + 1) * WIDTH;

/// One page: a board, a piece on it that locks as the page is turned, a comment. Colors aren't kept: what is written is
/// gray, and so is what is read. Nor is the garbage under the field, nor that a page rises, is mirrored or doesn't lock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Page {
    /// The cells before the piece locks.
    pub board: Board,
    /// The piece. It need not rest on anything, and may stand on filled cells.
    pub piece: Option<Location>,
    /// What is said about it; none if there is nothing new.
    pub comment: Option<String>,
}

/// Why a fumen wasn't written or read. Pages and characters count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FumenError {
    /// A board that is too high for a fumen.
    #[error("page {page}: expected a board of at most {ROWS} rows, found {found}")]
    Height {
        /// The page.
        page: usize,
        /// The board's height.
        found: u32,
    },
    /// A piece with a cell outside the field.
    #[error("page {page}: a cell of the piece is outside the field")]
    Piece {
        /// The page.
        page: usize,
    },
    /// A comment that is too long.
    #[error("page {page}: expected a comment of at most {MAX_COMMENT} escaped characters, found {found}")]
    Comment {
        /// The page.
        page: usize,
        /// The length of its escaped form.
        found: usize,
    },
    /// No `v115@`.
    #[error("expected `v115@`, the only version that is read")]
    Version,
    /// Something that isn't one of the 64 digits.
    #[error("character {position}: expected a letter, a digit, `+` or `/`, found {found:?}")]
    Digit {
        /// The character of the text.
        position: usize,
        /// What stands there.
        found: char,
    },
    /// A text that ends within a page.
    #[error("page {page}: the text ends in it")]
    Short {
        /// The page.
        page: usize,
    },
    /// Cells that don't make up a field.
    #[error("page {page}: its cells don't make up a field")]
    Cells {
        /// The page.
        page: usize,
    },
}

/// Writes pages, which need not follow from each other.
///
/// ```
/// use tetris::fumen::{self, Page};
/// use tetris::{Location, Piece};
/// let page = Page { piece: Some(Location { y: 0, ..Location::spawn(Piece::T) }), ..Page::default() };
/// let text = fumen::encode(&[page.clone()])?;
/// assert_eq!(text, "v115@vhAVQJ");
/// assert_eq!(fumen::decode(&text)?, [page]);
/// # Ok::<(), fumen::FumenError>(())
/// ```
///
/// # Errors
///
/// [`FumenError::Height`], [`FumenError::Piece`] and [`FumenError::Comment`].
pub fn encode(pages: &[Page]) -> Result<String, FumenError> {
    let mut out = Fumen::default();
    for (page, number) in pages.iter().zip(1..) {
        let height = page.board.max_height();
        if height > ROWS as u32 {
            return Err(FumenError::Height { page: number, found: height });
        }
        if page.piece.is_some_and(|at| !is_inside(at)) {
            return Err(FumenError::Piece { page: number });
        }
        let length = page.comment.as_ref().map_or(0, |comment| escaped_length(comment));
        if length > MAX_COMMENT {
            return Err(FumenError::Comment { page: number, found: length });
        }
        let mut written = ::fumen::Page {
            piece: page.piece.map(|at| ::fumen::Piece {
                kind: KINDS[at.piece as usize],
                rotation: DIRECTIONS[at.orientation as usize],
                // Inside the field: not negative.
                x: at.x as u32,
                y: at.y as u32,
            }),
            comment: page.comment.clone(),
            ..::fumen::Page::default()
        };
        for (y, row) in written.field.iter_mut().enumerate() {
            for (cell, column) in row.iter_mut().zip(page.board.columns()) {
                if column >> y & 1 == 1 {
                    *cell = CellColor::Grey;
                }
            }
        }
        out.pages.push(written);
    }
    Ok(out.encode())
}

/// Reads the pages of a fumen, or of a link with one: what stands before `v115@` doesn't count.
///
/// ```
/// use tetris::fumen;
/// let pages = fumen::decode("https://fumen.zui.jp/?v115@bhJ8JeAgHvhAAAA")?;
/// let boards = pages.iter().map(|page| page.board.to_string()).collect::<Vec<_>>();
/// // The full row of the first page is gone on the second.
/// assert_eq!(boards, ["##########", ".........."]);
/// # Ok::<(), fumen::FumenError>(())
/// ```
///
/// # Errors
///
/// Any but those of [`encode`] for boards and comments.
pub fn decode(text: &str) -> Result<Vec<Page>, FumenError> {
    let start = text.find("v115@").ok_or(FumenError::Version)?;
    let before = text[..start].chars().count() + 5;
    let mut digits = Vec::new();
    for (position, found) in (before + 1..).zip(text[start + 5..].trim_end().chars()) {
        // Question marks only break the text into pieces.
        if found != '?' {
            digits.push(digit(found).ok_or(FumenError::Digit { position, found })?);
        }
    }
    let mut reader = Reader { digits: &digits, page: 0 };
    let (mut pages, mut now, mut repeats) = (Vec::new(), ::fumen::Page::default(), 0);
    while repeats > 0 || !reader.digits.is_empty() {
        reader.page += 1;
        if repeats > 0 {
            repeats -= 1;
        } else {
            repeats = reader.field(&mut now)?;
        }
        let comment = reader.piece_and_comment(&mut now)?;
        let location = now.piece.map(location);
        pages.push(Page { board: board(&now), piece: location, comment });
        now = now.next_page();
    }
    Ok(pages)
}

/// What is left of a text, and the page that is read.
struct Reader<'a> {
    digits: &'a [u8],
    page: usize,
}

impl Reader<'_> {
    /// A number of so many digits, the lowest first.
    fn number(&mut self, digits: usize) -> Result<usize, FumenError> {
        let (number, rest) =
            self.digits.split_at_checked(digits).ok_or(FumenError::Short { page: self.page })?;
        self.digits = rest;
        Ok(number.iter().rev().fold(0, |sum, &digit| sum * 64 + usize::from(digit)))
    }

    /// Changes the page's cells, from the top left, by runs of equal differences in color. Returns how many pages that
    /// follow have no differences either and don't say so.
    fn field(&mut self, page: &mut ::fumen::Page) -> Result<usize, FumenError> {
        let wrong = FumenError::Cells { page: self.page };
        let (mut cell, mut changed) = (0, false);
        while cell < CELLS {
            let run = self.number(2)?;
            let (difference, length) = (run / CELLS, run % CELLS + 1);
            changed |= difference != SAME;
            if length > CELLS - cell {
                return Err(wrong);
            }
            for cell in cell..cell + length {
                let (row, x) = (cell / WIDTH, cell % WIDTH);
                let row = if row < ROWS { &mut page.field[ROWS - 1 - row] } else { &mut page.garbage_row };
                let color = (row[x] as usize + difference).checked_sub(SAME);
                row[x] = *color.and_then(|color| COLORS.get(color)).ok_or(wrong)?;
            }
            cell += length;
        }
        if changed { Ok(0) } else { self.number(1) }
    }

    /// Reads what follows the cells. A piece that is taken stands inside the field.
    fn piece_and_comment(&mut self, page: &mut ::fumen::Page) -> Result<Option<String>, FumenError> {
        let number = self.number(3)?;
        page.piece = match PIECES.get((number % 8).wrapping_sub(1)) {
            None => None,
            Some(&kind) => {
                let rotation = ROTATIONS[number / 8 % 4];
                let at = number / 32 % CELLS;
                Some(piece(kind, rotation, at).ok_or(FumenError::Piece { page: self.page })?)
            }
        };
        let flags = number / 32 / CELLS;
        let has = |flag: usize| flags >> flag & 1 == 1;
        (page.rise, page.mirror, page.lock) = (has(0), has(1), !has(4));
        if has(3) { self.comment().map(Some) } else { Ok(None) }
    }

    /// Four characters of 96 in five digits.
    fn comment(&mut self) -> Result<String, FumenError> {
        let length = self.number(2)?;
        let mut escaped = Vec::new();
        while escaped.len() < length {
            let mut number = self.number(5)?;
            for _ in 0..(length - escaped.len()).min(4) {
                escaped.push((number % 96) as u8 + b' ');
                number /= 96;
            }
        }
        Ok(unescape(&escaped))
    }
}

/// The difference of a cell that stays as it is.
const SAME: usize = 8;

/// Numbered as in a fumen.
const COLORS: [CellColor; 9] = [
    CellColor::Empty,
    CellColor::I,
    CellColor::L,
    CellColor::O,
    CellColor::Z,
    CellColor::T,
    CellColor::J,
    CellColor::S,
    CellColor::Grey,
];

/// Numbered from 1 in a fumen.
const PIECES: [PieceType; 7] =
    [PieceType::I, PieceType::L, PieceType::O, PieceType::Z, PieceType::T, PieceType::J, PieceType::S];

/// Numbered as in a fumen.
const ROTATIONS: [RotationState; 4] =
    [RotationState::South, RotationState::East, RotationState::North, RotationState::West];

/// The piece of a place from the top left. Some of a fumen's centers are others than those of the rotation system. None
/// if a cell is outside the field.
fn piece(kind: PieceType, rotation: RotationState, place: usize) -> Option<::fumen::Piece> {
    use PieceType as P;
    use RotationState as R;
    let dx = match (kind, rotation) {
        (P::S, R::East) => -1,
        (P::Z | P::O, R::West) | (P::O | P::I, R::South) => 1,
        _ => 0,
    };
    let dy = match (kind, rotation) {
        (P::S | P::Z | P::O, R::North) | (P::O | P::I, R::West) => -1,
        _ => 0,
    };
    let x = u32::try_from((place % WIDTH) as i32 + dx).ok()?;
    let y = u32::try_from((ROWS as i32 - 1) - (place / WIDTH) as i32 + dy).ok()?;
    let piece = ::fumen::Piece { kind, rotation, x, y };
    is_inside(location(piece)).then_some(piece)
}

/// In the order of [`Piece::ALL`].
const KINDS: [PieceType; 7] =
    [PieceType::I, PieceType::O, PieceType::T, PieceType::S, PieceType::Z, PieceType::J, PieceType::L];

/// In the order of [`Orientation::ALL`].
const DIRECTIONS: [RotationState; 4] =
    [RotationState::North, RotationState::East, RotationState::South, RotationState::West];

/// Coordinates of a piece read are below 64.
fn location(piece: ::fumen::Piece) -> Location {
    // Every kind and every direction is one of the list.
    let number = KINDS.iter().position(|&kind| kind == piece.kind).unwrap_or_default();
    let turns = DIRECTIONS.iter().position(|&direction| direction == piece.rotation).unwrap_or_default();
    let (x, y) = (piece.x as i8, piece.y as i8);
    Location { piece: Piece::ALL[number], orientation: Orientation::ALL[turns], x, y }
}

/// Whether all cells are in the 23 rows.
fn is_inside(at: Location) -> bool {
    at.cells().iter().all(|&(x, y)| (0..WIDTH as i32).contains(&x) && (0..ROWS as i32).contains(&y))
}

fn board(page: &::fumen::Page) -> Board {
    let mut columns = [0; WIDTH];
    for (y, row) in page.field.iter().enumerate() {
        for (column, &cell) in columns.iter_mut().zip(row) {
            *column |= u64::from(cell != CellColor::Empty) << y;
        }
    }
    // 23 rows are less than the field has.
    Board::from_columns(columns).unwrap_or_default()
}

/// The value of a digit, in the order of Base64.
fn digit(character: char) -> Option<u8> {
    let value = match character {
        'A'..='Z' => character as u8 - b'A',
        'a'..='z' => character as u8 - b'a' + 26,
        '0'..='9' => character as u8 - b'0' + 52,
        '+' => 62,
        '/' => 63,
        _ => return None,
    };
    Some(value)
}

/// The length of a text in the form of ECMAScript's `escape`.
fn escaped_length(text: &str) -> usize {
    let length = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '@' | '*' | '_' | '+' | '-' | '.' | '/' => 1,
        '\0'..='\u{FF}' => 3,
        _ => 6 * c.len_utf16(),
    };
    text.chars().map(length).sum()
}

/// ECMAScript's `unescape`: `%41` and `%u2603`. What isn't of that form stays; half a surrogate pair becomes U+FFFD.
fn unescape(escaped: &[u8]) -> String {
    let hexadecimal = |digits: &[u8]| {
        digits.iter().try_fold(0, |sum, &digit| Some(sum * 16 + (digit as char).to_digit(16)? as u16))
    };
    let (mut units, mut rest) = (Vec::new(), escaped);
    while let Some((&first, after)) = rest.split_first() {
        let (digits, skipped) =
            if after.first() == Some(&b'u') { (after.get(1..5), 6) } else { (after.get(..2), 3) };
        let unit = digits.filter(|_| first == b'%').and_then(hexadecimal);
        units.push(unit.unwrap_or(first.into()));
        rest = &rest[if unit.is_some() { skipped } else { 1 }..];
    }
    String::from_utf16_lossy(&units)
}
