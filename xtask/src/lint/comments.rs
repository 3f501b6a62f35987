//! The comments and the identifiers of a Rust file, scanned from its text. A syntax tree has no comments, and
//! its parser is slower.

use std::iter::once;
use std::ops::Range;

/// The part of a comment that stands on one line.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Comment<'a> {
    /// The line's number, from 1.
    line: usize,
    style: Style,
    /// The text behind the sign that begins the comment, with its spaces.
    text: &'a str,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Style {
    /// `///`
    Outer,
    /// `//!`
    Inner,
    /// `//`, or `////`
    Plain,
    /// A line of `/* .. */`
    Block,
}

/// Comments of one style on contiguous lines.
#[derive(Debug, PartialEq)]
pub(super) struct Block<'a> {
    /// The first line's number, from 1.
    pub(super) line: usize,
    pub(super) style: Style,
    /// The texts of the lines, without the signs that begin the comments.
    pub(super) lines: Vec<&'a str>,
}

impl Block<'_> {
    pub(super) fn is_doc(&self) -> bool {
        matches!(self.style, Style::Outer | Style::Inner)
    }
}

/// Returns the comments of a file, block by block.
pub(super) fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block> = Vec::new();
    for Comment { line, style, text } in comments(text) {
        match blocks.last_mut() {
            Some(last) if last.style == style && last.line + last.lines.len() == line => {
                last.lines.push(text);
            }
            _ => blocks.push(Block { line, style, lines: vec![text] }),
        }
    }
    blocks
}

/// Returns the identifiers, keywords and numbers of a file, each with its line. Those in comments, strings
/// and characters don't count.
pub(super) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let code = parts(text).filter(|part| part.kind == Kind::Code);
    code.flat_map(|Part { line, range, .. }| {
        (line..).zip(text[range].split('\n')).flat_map(|(line, code)| {
            let words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.filter(|word| !word.is_empty()).map(move |word| (line, word))
        })
    })
}

fn comments(text: &str) -> impl Iterator<Item = Comment<'_>> {
    parts(text).flat_map(move |Part { kind, line, range }| {
        let part = &text[range];
        match kind {
            Kind::Code | Kind::Literal => Vec::new(),
            Kind::LineComment => vec![line_comment(line, part.trim_end())],
            Kind::BlockComment => {
                let inside = part[2..].strip_suffix("*/").unwrap_or(&part[2..]);
                let lines = (line..).zip(inside.lines());
                lines.map(|(line, text)| Comment { line, style: Style::Block, text }).collect()
            }
        }
    })
}

/// A part of a file, as bytes of its text.
struct Part {
    kind: Kind,
    /// The number of its first line, from 1.
    line: usize,
    range: Range<usize>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Code,
    LineComment,
    BlockComment,
    /// A string, or a character.
    Literal,
}

/// Splits a file into code, comments and literals.
fn parts(text: &str) -> impl Iterator<Item = Part> {
    let bytes = text.as_bytes();
    let (mut start, mut line) = (0, 1);
    std::iter::from_fn(move || {
        if start == bytes.len() {
            return None;
        }
        let (kind, end) = special(text, start).unwrap_or_else(|| {
            let starts = |i: &usize| matches!(bytes[*i], b'/' | b'"' | b'\'') && special(text, *i).is_some();
            (Kind::Code, (start + 1..bytes.len()).find(starts).unwrap_or(bytes.len()))
        });
        let part = Part { kind, line, range: start..end };
        line += bytes[start..end].iter().filter(|&&byte| byte == b'\n').count();
        start = end;
        Some(part)
    })
}

/// Returns the kind and the end of the comment or literal that begins at `start`; `None` if none begins
/// there.
fn special(text: &str, start: usize) -> Option<(Kind, usize)> {
    let bytes = &text.as_bytes()[start..];
    match bytes {
        [b'/', b'/', ..] => {
            let length = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
            Some((Kind::LineComment, start + length))
        }
        [b'/', b'*', ..] => Some((Kind::BlockComment, block_comment_end(text.as_bytes(), start))),
        [b'"', ..] => Some((Kind::Literal, string_end(text, start))),
        [b'\'', ..] => Some((Kind::Literal, char_end(text, start)?)),
        _ => None,
    }
}

fn line_comment(line: usize, comment: &str) -> Comment<'_> {
    let (style, text) = if let Some(text) = comment.strip_prefix("//!") {
        (Style::Inner, text)
    } else if let Some(text) = comment.strip_prefix("///").filter(|text| !text.starts_with('/')) {
        (Style::Outer, text)
    } else {
        (Style::Plain, &comment[2..])
    };
    Comment { line, style, text }
}

/// Returns the index behind the block comment that begins at `start`. Block comments nest.
fn block_comment_end(bytes: &[u8], start: usize) -> usize {
    let (mut i, mut depth) = (start, 0);
    while i < bytes.len() {
        match &bytes[i..bytes.len().min(i + 2)] {
            b"/*" => (i, depth) = (i + 2, depth + 1),
            b"*/" => (i, depth) = (i + 2, depth - 1),
            _ => i += 1,
        }
        if depth == 0 {
            return i;
        }
    }
    bytes.len()
}

/// Returns the index behind the string whose opening quote is at `start`.
fn string_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    if let Some(hashes) = raw_hashes(&bytes[..start]) {
        let quote: String = once('"').chain("#".repeat(hashes).chars()).collect();
        return text[start + 1..].find(&quote).map_or(text.len(), |at| start + 1 + at + quote.len());
    }
    let mut i = start + 1;
    while i < bytes.len() {
        match bytes[i] {
            b'\\' => i += 2,
            b'"' => return i + 1,
            _ => i += 1,
        }
    }
    bytes.len()
}

/// Returns the number of `#` before the quote of a raw string, given the bytes before the quote; `None` if
/// the string isn't raw.
fn raw_hashes(before: &[u8]) -> Option<usize> {
    let hashes = before.iter().rev().take_while(|&&byte| byte == b'#').count();
    let before = before[..before.len() - hashes].strip_suffix(b"r")?;
    let before = before.strip_suffix(b"b").or_else(|| before.strip_suffix(b"c")).unwrap_or(before);
    // Else the `r` ends an identifier.
    let is_prefix = before.last().is_none_or(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_'));
    is_prefix.then_some(hashes)
}

/// Returns the index behind the character whose opening quote is at `start`; `None` if the quote begins a
/// lifetime.
fn char_end(text: &str, start: usize) -> Option<usize> {
    let mut chars = text[start + 1..].char_indices();
    match (chars.next()?, chars.next()?) {
        // The escaped character may be a quote itself.
        ((_, '\\'), (_, escaped)) => {
            let behind = start + 2 + escaped.len_utf8();
            Some(behind + text[behind..].find('\'')? + 1)
        }
        (_, (at, '\'')) => Some(start + at + 2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, Style, blocks, words};

    fn lines(text: &str) -> Vec<(usize, &str)> {
        blocks(text).into_iter().map(|block| (block.line, block.lines[0])).collect()
    }

    #[test]
    fn contiguous_lines_of_one_style_are_a_block() {
        let text = "//! a\n//! b\n\n/// c\n// d\n/// e\nfn f() {} // g\n//// h\n";
        let block = |line, style, lines| Block { line, style, lines };
        let expected = [
            block(1, Style::Inner, vec![" a", " b"]),
            block(4, Style::Outer, vec![" c"]),
            block(5, Style::Plain, vec![" d"]),
            block(6, Style::Outer, vec![" e"]),
            block(7, Style::Plain, vec![" g", "// h"]),
        ];
        assert_eq!(blocks(text), expected);
    }

    #[test]
    fn strings_hold_no_comments() {
        assert_eq!(lines(r#"let url = "http://a"; // b"#), [(1, " b")]);
        assert_eq!(lines(r#"let quote = "\"// a"; // b"#), [(1, " b")]);
        assert_eq!(lines("let text = \"\n// a\n\"; // b"), [(3, " b")]);
        assert_eq!(lines("r#\"\n\" // a\n\"# // b\n\nbr\"\\\" // c"), [(3, " b"), (5, " c")]);
        assert_eq!(lines("for r in s { cr##\"\"# // a\"## } // b"), [(1, " b")]);
    }

    #[test]
    fn characters_and_lifetimes_hold_none_either() {
        assert_eq!(lines("let quote = '\"'; // a"), [(1, " a")]);
        assert_eq!(lines(r"let quote = '\''; // a"), [(1, " a")]);
        assert_eq!(lines(r"let backslash = '\\'; // a"), [(1, " a")]);
        assert_eq!(lines(r"let letter = '\u{e9}'; // a"), [(1, " a")]);
        assert_eq!(lines("let letter = 'é'; fn f<'a>(x: &'a str) {} // b"), [(1, " b")]);
    }

    #[test]
    fn block_comments_nest_and_have_lines() {
        assert_eq!(blocks("/* a /* b */\nc */ d // e")[0].lines, [" a /* b */", "c "]);
        assert_eq!(lines("a /* b */ // c"), [(1, " b "), (1, " c")]);
    }

    #[test]
    fn words_are_those_of_code() {
        let text = "fn a<'b>() { \"c\" /* d */ }\n// e\nlet _f2 = '\\n' + r#\"g\"#;";
        let found: Vec<(usize, &str)> = words(text).collect();
        assert_eq!(found, [(1, "fn"), (1, "a"), (1, "b"), (3, "let"), (3, "_f2"), (3, "r")]);
    }

    #[test]
    fn text_that_ends_early_is_read_to_its_end() {
        for text in ["\"", "'", "'\\", "/*", "/", "r#\"", "// a"] {
            assert!(blocks(text).len() <= 1);
        }
    }
}
