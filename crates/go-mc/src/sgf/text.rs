//! Texts and points in SGF notation.

use crate::rules::board::Size;
use crate::rules::points::{Point, Points};
use alloc::string::String;

/// Returns the text of a value: without escapes and soft line breaks, with `\n` for every line
/// break.
pub(super) fn unescaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(char) = chars.next() {
        let (char, escaped) = match char {
            '\\' => match chars.next() {
                Some(char) => (char, true),
                None => break,
            },
            _ => (char, false),
        };
        match char {
            '\r' | '\n' => {
                // A two-character line break.
                chars.next_if(|&next| (next == '\r' || next == '\n') && next != char);
                text.extend((!escaped).then_some('\n'));
            }
            '\t' | '\u{b}' | '\u{c}' => text.push(' '),
            _ => text.push(char),
        }
    }
    text
}

/// Escapes a text for use between brackets. Also escapes opening brackets, which readers treat
/// differently.
pub(super) fn escaped(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for char in text.chars() {
        if matches!(char, '[' | ']' | '\\') {
            value.push('\\');
        }
        value.push(char);
    }
    value
}

/// Returns a value whose escapes are complete, safe to write between brackets.
pub(super) fn closed(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => {
                text.push('\\');
                text.push(chars.next().unwrap_or('\\'));
            }
            '[' | ']' => text.extend(['\\', char]),
            _ => text.push(char),
        }
    }
    text
}

/// Returns a value with full-width letters, digits and signs in ASCII, and with dashes as minus
/// signs.
pub(super) fn narrow(value: &str) -> String {
    let narrow = |char| match char {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(char) - 0xfee0).unwrap_or(char),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        _ => char,
    };
    value.trim().chars().map(narrow).collect()
}

/// Reads the whole number at the start of a text, such as `9` or `9.0`. Returns it with the rest of
/// the text.
pub(super) fn whole(text: &str) -> Option<(u32, &str)> {
    let digits = |char: char| char.is_ascii_digit();
    let text = text.trim_start();
    let rest = text.trim_start_matches(digits);
    let number = &text[..text.len() - rest.len()];
    let rest = rest.strip_prefix('.').map_or(rest, |zeros| zeros.trim_start_matches('0'));
    let is_whole = !number.is_empty() && !rest.starts_with(digits);
    // A number too large for the type is too large for a board, too.
    is_whole.then(|| (number.parse().unwrap_or(u32::MAX), rest.trim_start()))
}

/// Reads the number at the start of a text, such as `6.5`, `1/2` or `3 3/4`. Returns it with the
/// rest of the text.
pub(super) fn mixed(text: &str) -> Option<(f64, &str)> {
    fraction(text).or_else(|| {
        let (number, rest) = decimal(text)?;
        let (part, rest) = fraction(rest.trim_start()).unwrap_or((0.0, rest));
        Some((number + part.copysign(number), rest.trim_start()))
    })
}

fn fraction(text: &str) -> Option<(f64, &str)> {
    let (part, rest) = decimal(text)?;
    let (divisor, rest) = decimal(rest.strip_prefix('/')?)?;
    Some((part / divisor, rest))
}

fn decimal(text: &str) -> Option<(f64, &str)> {
    let rest = text.trim_start_matches(|char| matches!(char, '+' | '-' | '.' | '0'..='9'));
    Some((text[..text.len() - rest.len()].parse().ok()?, rest))
}

/// Reads two letters: column and row from the top left corner, from 0, possibly off the board.
/// Ignores whitespace between them.
fn letters(value: &str) -> Option<(u8, u8)> {
    let mut places = value.chars().filter(|char| !char.is_whitespace()).map(|char| match char {
        'a'..='z' => Some(char as u8 - b'a'),
        'A'..='Z' => Some(char as u8 - b'A' + 26),
        _ => None,
    });
    match (places.next(), places.next(), places.next()) {
        (Some(Some(x)), Some(Some(y)), None) => Some((x, y)),
        _ => None,
    }
}

/// A parsed point or set of points, and whether its notation is standard SGF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Read<T> {
    Plain(T),
    /// In another program's notation.
    Unusual(T),
    OffBoard,
    Invalid,
}

/// Converts an SGF point, whose rows count from the top.
fn from_top(size: Size, x: u8, y: u8) -> Option<Point> {
    let on_board = usize::from(x) < size.width() && usize::from(y) < size.height();
    on_board.then(|| Point { x, y: size.height() as u8 - 1 - y })
}

/// Reads a point: two letters, or a vertex such as `D4`. Upper-case letters are off every board.
pub(super) fn point(size: Size, value: &str) -> Read<Point> {
    match letters(value) {
        Some((x, y)) => {
            let is_plain = value.len() == 2;
            if let Some(point) = from_top(size, x, y) {
                return if is_plain { Read::Plain(point) } else { Read::Unusual(point) };
            }
            let lower = (x >= 26 && y >= 26).then(|| from_top(size, x - 26, y - 26)).flatten();
            lower.map_or(Read::OffBoard, Read::Unusual)
        }
        None => match value.trim().parse::<Point>() {
            Ok(at) if Points::<19>::index(at).is_some_and(|at| size.points().contains(at)) => {
                Read::Unusual(at)
            }
            Ok(_) => Read::OffBoard,
            Err(_) => Read::Invalid,
        },
    }
}

/// Reads a point or a rectangle of points, dropping points off the board.
pub(super) fn points(size: Size, value: &str) -> Read<Points<19>> {
    let one = |point: Point| Points::<19>::index(point).into_iter().collect();
    let Some((from, to)) = value.split_once(':') else {
        return match point(size, value) {
            Read::Plain(at) => Read::Plain(one(at)),
            Read::Unusual(at) => Read::Unusual(one(at)),
            Read::OffBoard => Read::OffBoard,
            Read::Invalid => Read::Invalid,
        };
    };
    let Some(((left, top), (right, bottom))) = letters(from).zip(letters(to)) else {
        return Read::Invalid;
    };
    let columns = || left.min(right)..=left.max(right);
    let rows = top.min(bottom)..=top.max(bottom);
    let on_board = rows.flat_map(|y| columns().filter_map(move |x| from_top(size, x, y)));
    let found: Points<19> = on_board.filter_map(Points::<19>::index).collect();
    let cells = usize::from(left.abs_diff(right) + 1) * usize::from(top.abs_diff(bottom) + 1);
    let is_plain = left <= right && top <= bottom && found.len() as usize == cells;
    match () {
        () if found.is_empty() => Read::OffBoard,
        () if is_plain => Read::Plain(found),
        () => Read::Unusual(found),
    }
}

pub(super) fn point_text(size: Size, point: Point) -> String {
    let y = (size.height() as u8 - 1).wrapping_sub(point.y);
    [point.x, y].map(|place| char::from(b'a' + place.min(25))).iter().collect()
}
