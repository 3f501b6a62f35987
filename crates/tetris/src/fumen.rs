//! Fumen: reading and writing the text format in which players share boards, `v115@..`.
//!
//! A fumen is a list of [pages](Page). The crate `fumen` writes it. This module reads it, since
//! that crate panics on malformed texts and on pieces outside the field; only its rule for the
//! page that follows a page is used.

use crate::board::{Board, WIDTH};
use crate::location::Location;
use crate::piece::{Orientation, Piece};
use ::fumen::{CellColor, Fumen, PieceType, RotationState};
use alloc::string::String;
use alloc::vec::Vec;

/// The number of rows of a fumen's field.
pub const ROWS: usize = 23;
/// The longest comment, in characters of its escaped form. A letter, a digit or one of `@*_+-./` takes one,
/// another character of Latin-1 three, and a UTF-16 unit of any other six.
pub const MAX_COMMENT: usize = 4095;

/// The number of cells of a page, with the garbage row below the field.
const CELLS: usize = (ROWS + 1) * WIDTH;

/// One page: a board, a piece that locks before the next page, and a comment.
///
/// Colors aren't kept: all cells are written as gray. The garbage row below the field and the flags of a page
/// (rise, mirror, lock) aren't kept either.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Page {
    /// The filled cells before the piece locks.
    pub board: Board,
    /// The piece. It need not rest on anything and may overlap filled cells.
    pub piece: Option<Location>,
    /// The comment, or `None` if it is that of the page before.
    pub comment: Option<String>,
}

/// The reason why a fumen wasn't written or read. Pages and characters count from 1.
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
    /// A text without `v115@`.
    #[error("expected `v115@`, the only version that is read")]
    Version,
    /// A character that isn't one of the 64 digits.
    #[error("character {position}: expected a letter, a digit, `+` or `/`, found {found:?}")]
    Digit {
        /// The position of the character in the text.
        position: usize,
        /// The character found there.
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

/// Writes pages as a fumen. A page need not follow from the one before.
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
/// [`FumenError::Height`], [`FumenError::Piece`] or [`FumenError::Comment`] for
/// a page that a fumen can't hold.
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

/// Reads the pages of a fumen or of a link to one. Text before `v115@` is ignored.
///
/// ```
/// use tetris::fumen;
/// let pages = fumen::decode("https://fumen.zui.jp/?v115@bhJ8JeAgHvhAAAA")?;
/// let boards = pages.iter().map(|page| page.board.to_string()).collect::<Vec<_>>();
/// // The full row of the first page is cleared on the second.
/// assert_eq!(boards, ["##########", ".........."]);
/// # Ok::<(), fumen::FumenError>(())
/// ```
///
/// # Errors
///
/// All variants of [`FumenError`] except `Height` and `Comment`.
pub fn decode(text: &str) -> Result<Vec<Page>, FumenError> {
    let start = text.find("v115@").ok_or(FumenError::Version)?;
    let before = text[..start].chars().count() + 5;
    let mut digits = Vec::new();
    for (position, found) in (before + 1..).zip(text[start + 5..].trim_end().chars()) {
        // Question marks only split the text into parts.
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

/// A reader: the digits left, and the number of the current page.
struct Reader<'a> {
    digits: &'a [u8],
    page: usize,
}

impl Reader<'_> {
    /// Reads a number of this many digits, the lowest first.
    fn number(&mut self, digits: usize) -> Result<usize, FumenError> {
        let (number, rest) =
            self.digits.split_at_checked(digits).ok_or(FumenError::Short { page: self.page })?;
        self.digits = rest;
        Ok(number.iter().rev().fold(0, |sum, &digit| sum * 64 + usize::from(digit)))
    }

    /// Reads the changes of the page's cells, from the top left: runs of equal differences in color. If there
    /// are none, returns the number of following pages without changes, which are left out of the text.
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

    /// Reads piece, flags and comment. The piece is inside the field.
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

    /// Reads a comment: four characters of an alphabet of 96 in each five digits.
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

/// The difference of an unchanged cell.
const SAME: usize = 8;

/// The colors by their numbers in a fumen.
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

/// The pieces by their numbers in a fumen, from 1.
const PIECES: [PieceType; 7] =
    [PieceType::I, PieceType::L, PieceType::O, PieceType::Z, PieceType::T, PieceType::J, PieceType::S];

/// The orientations by their numbers in a fumen.
const ROTATIONS: [RotationState; 4] =
    [RotationState::South, RotationState::East, RotationState::North, RotationState::West];

/// Returns the piece at a cell number, counted from the top left, or `None` if a cell is outside the field.
/// Some centers of a fumen differ from those of the rotation system.
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

/// The pieces in the order of [`Piece::ALL`].
const KINDS: [PieceType; 7] =
    [PieceType::I, PieceType::O, PieceType::T, PieceType::S, PieceType::Z, PieceType::J, PieceType::L];

/// The orientations in the order of [`Orientation::ALL`].
const DIRECTIONS: [RotationState; 4] =
    [RotationState::North, RotationState::East, RotationState::South, RotationState::West];

/// Converts a piece, whose coordinates are below 64.
fn location(piece: ::fumen::Piece) -> Location {
    // The lists have all pieces and all orientations.
    let number = KINDS.iter().position(|&kind| kind == piece.kind).unwrap_or_default();
    let turns = DIRECTIONS.iter().position(|&direction| direction == piece.rotation).unwrap_or_default();
    let (x, y) = (piece.x as i8, piece.y as i8);
    Location { piece: Piece::ALL[number], orientation: Orientation::ALL[turns], x, y }
}

/// Returns `true` if all cells are in the 23 rows.
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
    // 23 rows always fit into the field.
    Board::from_columns(columns).unwrap_or_default()
}

/// Returns the value of a Base64 digit.
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

/// Returns the length of a text in the form of ECMAScript's `escape`.
fn escaped_length(text: &str) -> usize {
    let length = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '@' | '*' | '_' | '+' | '-' | '.' | '/' => 1,
        '\0'..='\u{FF}' => 3,
        _ => 6 * c.len_utf16(),
    };
    text.chars().map(length).sum()
}

/// Decodes the escapes of ECMAScript's `unescape`, `%41` and `%u2603`. Other text stays as it is; half a
/// surrogate pair becomes U+FFFD.
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
