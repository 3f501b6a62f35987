//! [`Scanner`]: the variations, nodes and properties of a game, whatever is in between.

use super::error::{RemarkKind, Remarks, SgfError, shown};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The maximum number of bytes scanned to decide where a value ends.
const MAX_LOOK: usize = 4096;
/// The maximum number of brackets tried as the end of a value.
const MAX_ENDS: usize = 8;
const MAX_NAME: usize = 64;
/// The properties whose values never contain brackets.
const WITHOUT_BRACKETS: [&str; 12] =
    ["B", "W", "AB", "AW", "AE", "PL", "SZ", "KM", "HA", "GM", "FF", "CA"];
/// The properties recognized even in lower case.
const KNOWN: [&str; 24] = [
    "B", "W", "C", "AB", "AW", "AE", "PL", "SZ", "KM", "HA", "GM", "FF", "CA", "PB", "PW", "BR",
    "WR", "RE", "DT", "RU", "AP", "EV", "GN", "LB",
];

/// A value between brackets, escapes included, and the index of its first byte.
pub(super) type Value<'a> = (usize, &'a str);

#[derive(Debug)]
pub(super) enum Token<'a> {
    /// The parenthesis that begins the game or a variation.
    Open,
    /// The parenthesis that ends the game or a variation.
    Close,
    /// The start of a node.
    Node,
    Property {
        name: String,
        values: Vec<Value<'a>>,
    },
}

/// Reads tokens from left to right, without recursion; a value is rescanned only to find its end.
#[derive(Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// The number of open parentheses.
    depth: usize,
    /// Whether a node has begun since the last parenthesis.
    in_node: bool,
    /// The depth at which only parentheses can follow, because a variation with a node ended there.
    closed: Option<usize>,
    /// Whether other text there was remarked on.
    said: bool,
    ended: bool,
    pub(super) remarks: Remarks,
}

impl<'a> Scanner<'a> {
    /// Finds the first game of a text.
    pub(super) fn new(text: &'a str) -> Result<Self, SgfError> {
        let (start, has_paren) = start(text).ok_or(SgfError::NoGame)?;
        let mut remarks = Remarks::default();
        let before = text[..start].trim_matches(is_blank);
        if !has_paren {
            remarks.push(start, RemarkKind::NoStart);
        }
        if !before.is_empty() {
            remarks.push(0, RemarkKind::TextBefore(shown(before)));
        }
        let depth = usize::from(!has_paren);
        Ok(Self {
            text,
            at: start,
            depth,
            in_node: false,
            closed: None,
            said: false,
            ended: false,
            remarks,
        })
    }

    /// Returns the number of remarks on a text, or `None` if it has no game.
    pub(super) fn count_remarks(text: &str) -> Option<usize> {
        let mut scanner = Scanner::new(text).ok()?;
        while scanner.next_token().is_some() {}
        Some(scanner.remarks.count())
    }

    /// Returns the index of the next byte.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Returns the next token of the game; `None` at its end.
    pub(super) fn next_token(&mut self) -> Option<Token<'a>> {
        while !self.ended {
            self.skip_blanks();
            match self.peek() {
                None => {
                    self.remarks.push(self.at, RemarkKind::NoEnd);
                    self.ended = true;
                }
                Some(b'(') => {
                    (self.at, self.depth, self.in_node) = (self.at + 1, self.depth + 1, false);
                    return Some(Token::Open);
                }
                Some(b')') => {
                    // A variation without a node does not count.
                    let counts = self.in_node || self.closed == Some(self.depth);
                    (self.at, self.depth, self.in_node) = (self.at + 1, self.depth - 1, false);
                    if counts {
                        self.closed = Some(self.depth);
                    }
                    if self.depth == 0 {
                        self.read_rest();
                    }
                    return Some(Token::Close);
                }
                Some(_) if self.closed == Some(self.depth) => self.skip_after_variation(),
                Some(b';') => {
                    (self.at, self.in_node) = (self.at + 1, true);
                    return Some(Token::Node);
                }
                Some(_) => match property(self.text, self.at) {
                    Some(_) if !self.in_node => {
                        self.remarks.push(self.at, RemarkKind::NoNode);
                        self.in_node = true;
                        return Some(Token::Node);
                    }
                    Some((name, bracket)) => return Some(self.read_property(name, bracket)),
                    None => self.skip_text(),
                },
            }
        }
        None
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        self.at = after_blanks(self.text, self.at);
    }

    fn skip_text(&mut self) {
        let start = self.at;
        while let Some(char) = self.text[self.at..].chars().next() {
            if matches!(char, ';' | '(' | ')') || property(self.text, self.at).is_some() {
                break;
            }
            let word = word(self.text, self.at);
            self.at = match char {
                '[' => value_end(self.text, self.at + 1).map_or(self.text.len(), |end| end + 1),
                _ => self.at + word.len().max(char.len_utf8()),
            };
        }
        let skipped = self.text[start..self.at].trim_matches(is_blank);
        let is_name = !skipped.is_empty() && skipped.bytes().all(|byte| byte.is_ascii_uppercase());
        let shown = shown(skipped);
        let kind = if is_name { RemarkKind::NoValue(shown) } else { RemarkKind::Skipped(shown) };
        self.remarks.push(start, kind);
    }

    fn read_property(&mut self, written: &str, bracket: usize) -> Token<'a> {
        let name = self.name(written);
        let mut values = Vec::new();
        self.at = bracket;
        while self.peek() == Some(b'[') {
            let start = self.at + 1;
            let end = self.find_end(&name, start);
            values.push((start, &self.text[start..end]));
            self.at = (end + 1).min(self.text.len());
            self.skip_blanks();
        }
        Token::Property { name, values }
    }

    /// Returns the name of a property. Before SGF version 4, names could contain lower-case
    /// letters, which are ignored.
    fn name(&mut self, written: &str) -> String {
        if written.bytes().all(|byte| byte.is_ascii_uppercase()) {
            return written.to_string();
        }
        let short: String = written.chars().filter(char::is_ascii_uppercase).collect();
        let whole = written.to_ascii_uppercase();
        if short.is_empty() || !KNOWN.contains(&short.as_str()) && KNOWN.contains(&whole.as_str()) {
            self.remarks.push(self.at, RemarkKind::LowerCase(shown(written)));
            return whole;
        }
        short
    }

    /// Returns the index of the bracket that ends a value: the first unescaped one, unless the text
    /// around it suggests that a bracket lacks its escape.
    fn find_end(&mut self, name: &str, start: usize) -> usize {
        let text = self.text;
        let Some(first) = value_end(text, start) else {
            self.remarks.push(start, RemarkKind::OpenValue(shown(name)));
            return text.len();
        };
        let value = &text[start..first];
        if WITHOUT_BRACKETS.contains(&name) {
            return first;
        }
        let mut opened = value
            .match_indices('[')
            .map(|(at, _)| at)
            .filter(|&at| !is_escaped(value, at))
            .peekable();
        // Nested brackets: they are text only if that alone makes the rest of the node well formed.
        let balanced = opened.peek().and_then(|_| balanced_end(text, start)).filter(|&end| {
            end > first
                && !has_node(&text[first..end])
                && !rest_is_good(text, first + 1)
                && rest_is_good(text, end + 1)
        });
        let next_bracket = |&end: &usize| value_end(text, end + 1);
        let end = balanced.or_else(|| {
            let ends = core::iter::successors(Some(first), next_bracket).take(MAX_ENDS);
            ends.take_while(|&end| end - first <= MAX_LOOK && !has_node(&text[first..end]))
                .find(|&end| next_is_good(text, end + 1))
        });
        let end = end.unwrap_or(first);
        // `SZ[` in a text: the closing bracket of the previous value may be missing.
        let swallowed = opened.find(|&at| at > 0 && value.as_bytes()[at - 1].is_ascii_uppercase());
        if end != first || swallowed.is_some() {
            let at = swallowed.map_or(first, |at| start + at);
            self.remarks.push(at, RemarkKind::Bracket(shown(name)));
        }
        end
    }

    /// Skips text behind a variation, up to the next parenthesis.
    fn skip_after_variation(&mut self) {
        if !core::mem::replace(&mut self.said, true) {
            let shown = shown(&self.text[self.at..after_line(self.text, self.at)]);
            self.remarks.push(self.at, RemarkKind::Skipped(shown));
        }
        while let Some(byte) = self.peek() {
            match byte {
                b'(' | b')' => break,
                b'[' => {
                    self.at =
                        value_end(self.text, self.at + 1).map_or(self.text.len(), |end| end + 1);
                }
                _ => self.at += 1,
            }
        }
    }

    /// Ends the game, and looks whether anything follows.
    fn read_rest(&mut self) {
        self.ended = true;
        let rest = self.text[self.at..].trim_matches(is_blank);
        if rest.is_empty() {
            return;
        }
        let next_game = rest.starts_with('(')
            && start(rest).is_some_and(|(at, has_paren)| at == 0 && has_paren);
        let kind =
            if next_game { RemarkKind::MoreGames } else { RemarkKind::TextAfter(shown(rest)) };
        self.remarks.push(self.at, kind);
    }
}

/// Returns whether a character separates properties: Unicode whitespace or a control character.
fn is_blank(char: char) -> bool {
    char.is_whitespace() || char.is_control() || char == '\u{feff}'
}

fn after_blanks(text: &str, at: usize) -> usize {
    text.len() - text[at..].trim_start_matches(is_blank).len()
}

fn word(text: &str, at: usize) -> &str {
    let letters = text.as_bytes()[at..].iter().take(MAX_NAME);
    let length = letters.take_while(|byte| byte.is_ascii_alphabetic()).count();
    &text[at..at + length]
}

/// Returns the name of the property at an index, and the index of its first bracket.
fn property(text: &str, at: usize) -> Option<(&str, usize)> {
    let name = Some(word(text, at)).filter(|name| !name.is_empty())?;
    let bracket = after_blanks(text, at + name.len());
    text[bracket..].starts_with('[').then_some((name, bracket))
}

/// Returns the index of the first parenthesis or semicolon that leads to a property, and whether it
/// is a parenthesis; in a text without properties, the index of an empty game.
fn start(text: &str) -> Option<(usize, bool)> {
    let mut at = 0;
    let mut empty = None;
    while let Some(length) = text[at..].find(['(', ';']) {
        at += length;
        let has_paren = text[at..].starts_with('(');
        let nodes = text[at + 1..].trim_start_matches(|char| char == ';' || is_blank(char));
        let next = text.len() - nodes.len();
        if property(text, next).is_some() {
            return Some((at, has_paren));
        }
        if has_paren && text[at + 1..next].contains(';') {
            empty = empty.or(Some((at, true)));
        }
        at = next;
    }
    empty
}

fn after_line(text: &str, at: usize) -> usize {
    text[at..].find(['\r', '\n']).map_or(text.len(), |length| at + length)
}

fn is_escaped(text: &str, at: usize) -> bool {
    text.as_bytes()[..at].iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
}

/// Returns the index of the first unescaped closing bracket from `start` on.
fn value_end(text: &str, start: usize) -> Option<usize> {
    let mut escaped = false;
    let ends = |&byte: &u8| {
        let ends = byte == b']' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    };
    text.as_bytes()[start..].iter().position(ends).map(|length| start + length)
}

/// Returns the index of the bracket that ends a value if nested brackets are paired.
fn balanced_end(text: &str, start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut escaped = false;
    for (at, &byte) in text.as_bytes().iter().enumerate().skip(start).take(MAX_LOOK) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'[' => depth += 1,
            b']' if depth == 0 => return Some(at),
            b']' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn has_node(text: &str) -> bool {
    text.match_indices(';').any(|(at, _)| property(text, after_blanks(text, at + 1)).is_some())
}

/// Returns whether a node can continue at an index right after a value.
fn next_is_good(text: &str, at: usize) -> bool {
    let at = after_blanks(text, at);
    matches!(text.as_bytes().get(at), None | Some(b';' | b'(' | b')' | b'['))
        || property(text, at).is_some()
}

/// Returns whether a node is well formed from an index on, to its end or to the scan limit.
fn rest_is_good(text: &str, at: usize) -> bool {
    let end = at.saturating_add(MAX_LOOK);
    let mut at = after_blanks(text, at);
    while at < end {
        match text.as_bytes().get(at) {
            None | Some(b';' | b'(' | b')') => return true,
            Some(b'[') => {
                let Some(value_end) = value_end(text, at + 1) else { return false };
                at = after_blanks(text, value_end + 1);
            }
            Some(_) => {
                let Some((_, bracket)) = property(text, at) else { return false };
                at = bracket;
            }
        }
    }
    true
}
