//! Quiz comments, `#Q=[hold](current)next;rest`: the comment of the next page follows from the piece placed.
//!
//! The rules are those of the package `tetris-fumen`, with which the sites and bots of today read fumens:
//!
//! ```text
//! piece                         hold     current   next          named
//! current                       stays    next[0]   without it    direct
//! hold                          current  next[0]   without it    swap
//! next[0], no hold              current  next[1]   without both  stock
//! next[0], hold but no current  stays    next[1]   without both  direct
//! any other                     the quiz stays
//! ```
//!
//! A quiz without pieces is over, and the text after its semicolon is the comment: plain, or one more quiz.
//! Blanks are dropped.

use crate::piece::Piece;
use alloc::format;
use alloc::string::String;
use core::fmt;

/// The comments of the pages of a fumen, one after another.
#[derive(Default)]
pub(super) struct Comments {
    /// The comment of the page before.
    shown: String,
    quiz: Option<Quiz>,
}

impl Comments {
    /// Returns the comment of the page before.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    /// Returns the comment of a page without one of its own; `None` if it is that of the page before.
    pub(super) fn advanced(&self) -> Option<String> {
        let text = format!("{}", self.quiz.as_ref()?.normalized());
        (text != self.shown).then_some(text)
    }

    /// Sets the comment of a page: its own, or that of [`advanced`](Self::advanced).
    pub(super) fn show(&mut self, text: String, own: bool) {
        if own {
            self.quiz = Quiz::new(&text);
        }
        self.shown = text;
    }

    /// Ends a page with this piece. One that isn't locked leaves the quiz as it is.
    pub(super) fn end_page(&mut self, piece: Option<Piece>, lock: bool) {
        if let Some(quiz) = self.quiz.as_mut().filter(|quiz| lock && quiz.can_advance()) {
            let after = piece.and_then(|piece| quiz.next_if_over().advance(piece));
            *quiz = after.unwrap_or_else(|| quiz.normalized());
        }
    }
}

/// A comment that is a quiz, or was one.
#[derive(Clone)]
enum Quiz {
    /// `rest` is all after the current piece: the next pieces, then any text.
    Pieces { hold: Option<char>, current: Option<char>, rest: String },
    /// The text that is left of a quiz.
    Text(String),
}

impl Quiz {
    /// Returns the quiz of a comment, without its blanks; none if it isn't one.
    fn new(comment: &str) -> Option<Self> {
        let text: String = comment.strip_prefix("#Q=")?.chars().filter(|c| !is_blank(*c)).collect();
        let (hold, text) = piece_between(&text, '[', ']')?;
        let (current, rest) = piece_between(text, '(', ')')?;
        Some(Self::Pieces { hold, current, rest: rest.into() })
    }

    /// Returns what follows a quiz of no piece: the text after its semicolon.
    fn next_if_over(&self) -> Self {
        match self {
            Self::Pieces { hold: None, current: None, rest } if rest.starts_with(';') => Self::of(&rest[1..]),
            _ => self.clone(),
        }
    }

    fn of(text: &str) -> Self {
        Self::new(text).unwrap_or_else(|| Self::Text(text.into()))
    }

    fn can_advance(&self) -> bool {
        match self.next_if_over() {
            Self::Pieces { hold, current, rest } => hold.is_some() || current.is_some() || !rest.is_empty(),
            Self::Text(_) => false,
        }
    }

    /// Returns the quiz as a page shows it: a piece is current, or the quiz is over.
    fn normalized(&self) -> Self {
        let quiz = self.next_if_over();
        let Self::Pieces { hold, current: None, rest } = &quiz else { return quiz };
        let mut after = rest.chars();
        match (hold, after.next()) {
            (Some(_), _) => Self::Pieces { hold: None, current: *hold, rest: rest.clone() },
            (None, None) => Self::Text(String::new()),
            (None, Some(';')) => Self::of(after.as_str()),
            (None, Some(next)) if is_piece(next) => {
                Self::Pieces { hold: None, current: Some(next), rest: after.as_str().into() }
            }
            _ => quiz,
        }
    }

    /// Returns the quiz after a piece; none if the piece isn't one of those that can be placed, or if no piece
    /// would follow where one has to.
    fn advance(&self, piece: Piece) -> Option<Self> {
        let Self::Pieces { hold, current, rest } = self else { return None };
        let (hold, current, piece) = (*hold, *current, Some(piece.letter()));
        let (next, after) = first(rest);
        // `drawn` is the piece after the next one. It may only be missing for an empty hold.
        let (drawn, after_both) = match after.chars().next() {
            Some(drawn) => (Some(drawn), &after[drawn.len_utf8()..]),
            None => (None, ""),
        };
        let (hold, current, rest) = if piece == current {
            (hold, next, after)
        } else if piece == hold {
            (current, next, after)
        } else if piece == next && (hold.is_none() || (current.is_none() && drawn.is_some())) {
            (hold.or(current), drawn, after_both)
        } else {
            return None;
        };
        let suits = current.is_none_or(is_piece);
        suits.then(|| Self::Pieces { hold, current, rest: rest.into() })
    }
}

impl fmt::Display for Quiz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pieces { hold, current, rest } => {
                let name = |piece: Option<char>| piece.map(String::from).unwrap_or_default();
                write!(f, "#Q=[{}]({}){rest}", name(*hold), name(*current))
            }
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// Splits the next piece from the text after the current one. A semicolon ends the pieces, and stays.
fn first(rest: &str) -> (Option<char>, &str) {
    match rest.chars().next() {
        Some(next) if next != ';' => (Some(next), &rest[next.len_utf8()..]),
        _ => (None, rest),
    }
}

/// Reads brackets with a piece or nothing between them, and returns the text after them.
fn piece_between(text: &str, open: char, close: char) -> Option<(Option<char>, &str)> {
    let (inside, rest) = text.strip_prefix(open)?.split_once(close)?;
    let mut letters = inside.chars();
    let piece = letters.next();
    (letters.next().is_none() && piece.is_none_or(is_piece)).then_some((piece, rest))
}

/// Returns whether a letter names a piece. A small letter names one, too, that no placed piece equals.
fn is_piece(letter: char) -> bool {
    "IOTSZJL".contains(letter.to_ascii_uppercase())
}

/// Returns whether ECMAScript's `\s` matches a character.
pub(super) fn is_blank(letter: char) -> bool {
    letter == '\u{FEFF}' || (letter.is_whitespace() && letter != '\u{85}')
}
