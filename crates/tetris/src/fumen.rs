//! Fumen: reads and writes the text format used to share boards, `v115@..`.
//!
//! A fumen is a list of [pages](Page). Writing uses the crate `fumen`. Reading is implemented here,
//! because that crate panics on malformed texts and on pieces outside the field and doesn't support
//! quizzes; only its rule for the page after a page is used.

use crate::board::{Board, WIDTH};
use crate::error::{Error, FUMEN_COMMENT, FUMEN_ROWS};
use crate::location::Location;
use crate::piece::{Orientation, Piece};
use ::fumen::{CellColor, Fumen, PieceType, RotationState};
use alloc::string::String;
use alloc::vec::Vec;
use quiz::Comments;

mod quiz;

/// The number of rows of a fumen's field.
pub const ROWS: usize = FUMEN_ROWS;
/// The longest comment, in characters of its escaped form. Letters, digits and `@*_+-./` take one,
/// other Latin-1 characters three, and each UTF-16 unit of all others six.
pub const MAX_COMMENT: usize = FUMEN_COMMENT;

/// A page: a board, a piece that locks before the next page, and a comment.
///
/// Colors are lost: all cells are written as gray. The garbage row below the field and the page
/// flags (rise, mirror, lock) are lost too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Page {
    /// The filled cells before the piece locks.
    pub board: Board,
    /// The piece. It may float, and it may overlap filled cells.
    pub piece: Option<Location>,
    /// The comment, or `None` if it repeats the previous page's comment (on the first page: if
    /// there is none).
    ///
    /// A *quiz*, such as `#Q=[O](T)LIS;then clear`, lists the held piece (O), the current piece (T)
    /// and the next ones. On a page without a new comment, the comment is the rest of the quiz
    /// after taking out the previous page's piece, by the rules of the package `tetris-fumen`.
    pub comment: Option<String>,
}

/// Encodes pages as a fumen. Pages may be unrelated to each other.
///
/// A comment that readers derive from a quiz is left out. Any other comment is written, even if it
/// equals the previous page's. `None` after a quiz writes the quiz again, or readers would advance
/// it.
///
/// ```
/// use tetris::fumen::{self, Page};
/// use tetris::{Location, Piece};
/// let page = Page { piece: Some(Location { y: 0, ..Location::spawn(Piece::T) }), ..Page::default() };
/// let text = fumen::encode(&[page.clone()])?;
/// assert_eq!(text, "v115@vhAVQJ");
/// assert_eq!(fumen::decode(&text)?, [page]);
/// # Ok::<(), tetris::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::FumenHeight`], [`Error::FumenPiece`] or [`Error::FumenComment`] for a page that doesn't
/// fit into a fumen.
pub fn encode(pages: &[Page]) -> Result<String, Error> {
    let mut out = Fumen::default();
    let mut comments = Comments::default();
    for (page, number) in pages.iter().zip(1..) {
        let height = page.board.max_height();
        if height > ROWS as u32 {
            return Err(Error::FumenHeight { page: number, found: height });
        }
        if page.piece.is_some_and(|at| !is_inside(at)) {
            return Err(Error::FumenPiece { page: number });
        }
        let length = page.comment.as_ref().map_or(0, |comment| escaped_length(comment));
        if length > MAX_COMMENT {
            return Err(Error::FumenComment { page: number, found: length });
        }
        let advanced = comments.advanced();
        // A page that repeats the previous quiz must write it, or a reader would show the rest of
        // the quiz.
        let own = match &page.comment {
            None => advanced.is_some().then(|| comments.shown().into()),
            comment if *comment == advanced => None,
            comment => comment.clone(),
        };
        let is_own = own.is_some();
        if let Some(comment) = own.clone().or(advanced) {
            comments.show(comment, is_own);
        }
        comments.end_page(page.piece.map(|at| at.piece), true);
        let mut written = ::fumen::Page {
            piece: page.piece.map(|at| ::fumen::Piece {
                kind: KINDS[at.piece as usize],
                rotation: DIRECTIONS[at.orientation as usize],
                // Not negative: the piece is inside the field.
                x: at.x as u32,
                y: at.y as u32,
            }),
            comment: own,
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

/// Decodes the pages of a fumen, given as plain text, as a link, or inside other text.
///
/// A fumen begins with `v115@`, or with `v110@` for a field of 21 rows; m and d are accepted in
/// place of v, and capital letters in place of small ones. Text before it is ignored. It ends at
/// the end of the text, at one of
/// ``&#)]<>"'` ``, or at the escape of one of these; text after it is ignored. Blanks and question marks inside it are skipped, and escapes such as `%40` are decoded.
///
/// ```
/// use tetris::fumen;
/// let pages = fumen::decode("https://fumen.zui.jp/?v115@bhJ8JeAgHvhAAAA")?;
/// let boards = pages.iter().map(|page| page.board.to_string()).collect::<Vec<_>>();
/// // The full row of the first page is cleared on the second.
/// assert_eq!(boards, ["##########", ".........."]);
/// assert_eq!(fumen::decode("[a board](https://example.org/?d=m115%40bhJ8 JeAgH&lang=en)")?, pages[..1]);
/// # Ok::<(), tetris::Error>(())
/// ```
///
/// # Errors
///
/// All `Fumen..` variants of [`Error`] except `FumenHeight` and `FumenComment`.
pub fn decode(text: &str) -> Result<Vec<Page>, Error> {
    let (rows, digits) = code(text)?;
    let mut reader = Reader { digits: &digits, page: 0, rows };
    let mut pages = Vec::new();
    let mut now = ::fumen::Page::default();
    let mut repeats = 0;
    let mut comments = Comments::default();
    while repeats > 0 || !reader.digits.is_empty() {
        reader.page += 1;
        if repeats > 0 {
            repeats -= 1;
        } else {
            repeats = reader.field(&mut now)?;
        }
        let own = reader.piece_and_comment(&mut now)?;
        let is_own = own.is_some();
        let comment = own.or_else(|| comments.advanced());
        if let Some(comment) = &comment {
            comments.show(comment.clone(), is_own);
        }
        let piece = now.piece.map(location);
        comments.end_page(piece.map(|at| at.piece), now.lock);
        pages.push(Page { board: board(&now), piece, comment });
        if !now.lock {
            // A page that doesn't lock changes nothing: the crate would still raise the garbage.
            (now.rise, now.mirror) = (false, false);
        }
        now = now.next_page();
    }
    Ok(pages)
}

/// Returns `true` if a text contains the beginning of a fumen, for [`decode`] to read.
///
/// ```
/// use tetris::fumen;
/// assert!(fumen::is_fumen("https://example.org/?v115@vhAAgH"));
/// assert!(!fumen::is_fumen("0,3,0,0,0,0,0,0,0,0"));
/// ```
pub fn is_fumen(text: &str) -> bool {
    beginning(text).is_some()
}

/// Finds the beginning of a fumen. Returns its offset, the offset of its digits, and the number of
/// rows of its field.
fn beginning(text: &str) -> Option<(usize, usize, usize)> {
    text.match_indices(['v', 'm', 'd', 'V', 'M', 'D']).find_map(|(start, letter)| {
        let after = &text[start + letter.len()..];
        let known = |(version, rows)| Some((after.strip_prefix(version)?, rows));
        let (after, rows) = [("115", ROWS), ("110", ROWS - 2)].into_iter().find_map(known)?;
        let digits = after.strip_prefix('@').or_else(|| after.strip_prefix("%40"))?;
        Some((start, text.len() - digits.len(), rows))
    })
}

fn code(text: &str) -> Result<(usize, Vec<u8>), Error> {
    let position = |offset: usize| 1 + text[..offset].chars().count();
    let (_, start, rows) = beginning(text).ok_or(Error::FumenVersion)?;
    if let Some((second, ..)) = beginning(&text[start..]) {
        return Err(Error::FumenSecond { position: position(start + second) });
    }
    let mut digits = Vec::new();
    let mut characters = text[start..].char_indices();
    while let Some((offset, mut found)) = characters.next() {
        let at = start + offset;
        if found == '%' {
            let code =
                text.get(at + 1..at + 3).filter(|code| code.bytes().all(|c| c.is_ascii_hexdigit()));
            if let Some(byte) = code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
                found = byte.into();
                characters.nth(1);
            }
        }
        match found {
            '&' | '#' | ')' | ']' | '<' | '>' | '"' | '\'' | '`' => break,
            // Sites split long texts with question marks.
            '?' => {}
            _ if quiz::is_blank(found) => {}
            _ => {
                let wrong = || Error::FumenDigit { position: position(at), found };
                digits.push(digit(found).ok_or_else(wrong)?);
            }
        }
    }
    Ok((rows, digits))
}

struct Reader<'a> {
    digits: &'a [u8],
    page: usize,
    rows: usize,
}

impl Reader<'_> {
    /// Returns the number of cells of a page, including the garbage row below the field.
    fn cells(&self) -> usize {
        (self.rows + 1) * WIDTH
    }

    /// Reads a number with this many digits, lowest first.
    fn number(&mut self, digits: usize) -> Result<usize, Error> {
        let (number, rest) =
            self.digits.split_at_checked(digits).ok_or(Error::FumenShort { page: self.page })?;
        self.digits = rest;
        Ok(number.iter().rev().fold(0, |sum, &digit| sum * 64 + usize::from(digit)))
    }

    /// Reads the changes of the page's cells from the top left, as runs of equal color differences.
    /// A page without changes returns the number of following unchanged pages, which the text
    /// leaves out.
    fn field(&mut self, page: &mut ::fumen::Page) -> Result<usize, Error> {
        let wrong = Error::FumenCells { page: self.page };
        let cells = self.cells();
        let mut cell = 0;
        let mut changed = true;
        while cell < cells {
            let run = self.number(2)?;
            let difference = run / cells;
            let length = run % cells + 1;
            if length > cells - cell {
                return Err(wrong);
            }
            changed = (difference, length) != (SAME, cells);
            for cell in cell..cell + length {
                let row = cell / WIDTH;
                let x = cell % WIDTH;
                let row = if row < self.rows {
                    &mut page.field[self.rows - 1 - row]
                } else {
                    &mut page.garbage_row
                };
                let color = (row[x] as usize + difference).checked_sub(SAME);
                row[x] = *color.and_then(|color| COLORS.get(color)).ok_or(wrong)?;
            }
            cell += length;
        }
        if changed { Ok(0) } else { self.number(1) }
    }

    /// Rejects a piece outside the field.
    fn piece_and_comment(&mut self, page: &mut ::fumen::Page) -> Result<Option<String>, Error> {
        let number = self.number(3)?;
        page.piece = match PIECES.get((number % 8).wrapping_sub(1)) {
            None => None,
            Some(&kind) => {
                let rotation = ROTATIONS[number / 8 % 4];
                let at = number / 32 % self.cells();
                Some(
                    piece(kind, rotation, at, self.rows)
                        .ok_or(Error::FumenPiece { page: self.page })?,
                )
            }
        };
        let flags = number / 32 / self.cells();
        let has = |flag: usize| flags >> flag & 1 == 1;
        (page.rise, page.mirror, page.lock) = (has(0), has(1), !has(4));
        if has(3) { self.comment().map(Some) } else { Ok(None) }
    }

    /// Reads a comment: every five digits encode four characters of an alphabet of 96.
    fn comment(&mut self) -> Result<String, Error> {
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

/// The pieces by fumen number, from 1.
const PIECES: [PieceType; 7] = [
    PieceType::I,
    PieceType::L,
    PieceType::O,
    PieceType::Z,
    PieceType::T,
    PieceType::J,
    PieceType::S,
];

const ROTATIONS: [RotationState; 4] =
    [RotationState::South, RotationState::East, RotationState::North, RotationState::West];

/// Returns the piece at a cell number, counted from the top left of a field with `rows` rows, or
/// `None` if a cell is outside the field. Some centers in a fumen differ from the rotation
/// system's.
fn piece(
    kind: PieceType,
    rotation: RotationState,
    place: usize,
    rows: usize,
) -> Option<::fumen::Piece> {
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
    let y = u32::try_from((rows as i32 - 1) - (place / WIDTH) as i32 + dy).ok()?;
    let piece = ::fumen::Piece { kind, rotation, x, y };
    is_inside(location(piece)).then_some(piece)
}

const KINDS: [PieceType; 7] = [
    PieceType::I,
    PieceType::O,
    PieceType::T,
    PieceType::S,
    PieceType::Z,
    PieceType::J,
    PieceType::L,
];

const DIRECTIONS: [RotationState; 4] =
    [RotationState::North, RotationState::East, RotationState::South, RotationState::West];

/// The coordinates must be below 64.
fn location(piece: ::fumen::Piece) -> Location {
    // The lists contain all pieces and all orientations.
    let number = KINDS.iter().position(|&kind| kind == piece.kind).unwrap_or_default();
    let turns =
        DIRECTIONS.iter().position(|&direction| direction == piece.rotation).unwrap_or_default();
    let x = piece.x as i8;
    let y = piece.y as i8;
    Location { piece: Piece::ALL[number], orientation: Orientation::ALL[turns], x, y }
}

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

/// Returns the length of a text after ECMAScript's `escape`.
fn escaped_length(text: &str) -> usize {
    let length = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '@' | '*' | '_' | '+' | '-' | '.' | '/' => 1,
        '\0'..='\u{FF}' => 3,
        _ => 6 * c.len_utf16(),
    };
    text.chars().map(length).sum()
}

/// Decodes the escapes of ECMAScript's `unescape`, `%41` and `%u2603`. Other text stays unchanged;
/// an unpaired surrogate becomes U+FFFD.
fn unescape(escaped: &[u8]) -> String {
    let hexadecimal = |digits: &[u8]| {
        digits
            .iter()
            .try_fold(0, |sum, &digit| Some(sum * 16 + (digit as char).to_digit(16)? as u16))
    };
    let mut units = Vec::new();
    let mut rest = escaped;
    while let Some((&first, after)) = rest.split_first() {
        let (digits, skipped) =
            if after.first() == Some(&b'u') { (after.get(1..5), 6) } else { (after.get(..2), 3) };
        let unit = digits.filter(|_| first == b'%').and_then(hexadecimal);
        units.push(unit.unwrap_or(first.into()));
        rest = &rest[if unit.is_some() { skipped } else { 1 }..];
    }
    String::from_utf16_lossy(&units)
}
