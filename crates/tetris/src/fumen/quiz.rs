//! Quiz comments, `#Q=[held](current)next;rest`: the placed piece determines the comment of the
//! next page.
//!
//! The rules match the package `tetris-fumen`, today's usual fumen reader of sites and bots:
//!
//! ```text
//! piece                            held     current   next          named
//! current                          stays    next[0]   without it    direct
//! held                             current  next[0]   without it    swap
//! next[0], none held               current  next[1]   without both  stock
//! next[0], held but no current     stays    next[1]   without both  direct
//! any other                        the quiz stays
//! ```
//!
//! A quiz without pieces is over. The text after its semicolon becomes the comment: plain text or
//! another quiz. Blanks are dropped.

use crate::piece::Piece;
use alloc::format;
use alloc::string::String;
use core::fmt;

#[derive(Default)]
pub(super) struct Comments {
    shown: String,
    quiz: Option<Quiz>,
}

impl Comments {
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    /// Returns the comment of a page that doesn't write one; `None` if it repeats the previous
    /// page's.
    pub(super) fn advanced(&self) -> Option<String> {
        let text = format!("{}", self.quiz.as_ref()?.normalized());
        (text != self.shown).then_some(text)
    }

    /// Sets the comment of a page: written in the fumen, or computed by
    /// [`advanced`](Self::advanced).
    pub(super) fn show(&mut self, text: String, own: bool) {
        if own {
            self.quiz = Quiz::new(&text);
        }
        self.shown = text;
    }

    /// Without a lock, the quiz doesn't advance.
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
    /// `rest` is everything after the current piece: the next pieces, then any text.
    Pieces { hold: Option<char>, current: Option<char>, rest: String },
    /// The text left over from a quiz.
    Text(String),
}

impl Quiz {
    /// Parses a comment as a quiz and drops its blanks; `None` if it isn't one.
    fn new(comment: &str) -> Option<Self> {
        let text: String = comment.strip_prefix("#Q=")?.chars().filter(|c| !is_blank(*c)).collect();
        let (hold, text) = piece_between(&text, '[', ']')?;
        let (current, rest) = piece_between(text, '(', ')')?;
        Some(Self::Pieces { hold, current, rest: rest.into() })
    }

    /// Returns the quiz or text after the semicolon if the quiz has no piece left, otherwise a
    /// copy.
    fn next_if_over(&self) -> Self {
        match self {
            Self::Pieces { hold: None, current: None, rest } if rest.starts_with(';') => {
                Self::of(&rest[1..])
            }
            _ => self.clone(),
        }
    }

    fn of(text: &str) -> Self {
        Self::new(text).unwrap_or_else(|| Self::Text(text.into()))
    }

    fn can_advance(&self) -> bool {
        match self.next_if_over() {
            Self::Pieces { hold, current, rest } => {
                hold.is_some() || current.is_some() || !rest.is_empty()
            }
            Self::Text(_) => false,
        }
    }

    /// Returns the displayed form of a quiz: either there is a current piece, or the quiz is over.
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

    /// Returns the quiz after a piece; `None` if the quiz doesn't offer that piece, or if it lacks
    /// a required next piece.
    fn advance(&self, piece: Piece) -> Option<Self> {
        let Self::Pieces { hold, current, rest } = self else { return None };
        let hold = *hold;
        let current = *current;
        let piece = Some(piece.letter());
        let (next, after) = first(rest);
        // `drawn` is the piece after the next one. It may only be missing while no piece is held.
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

/// Splits the next piece off the text after the current one. A semicolon ends the pieces and is not
/// consumed.
fn first(rest: &str) -> (Option<char>, &str) {
    match rest.chars().next() {
        Some(next) if next != ';' => (Some(next), &rest[next.len_utf8()..]),
        _ => (None, rest),
    }
}

/// Parses brackets around one piece or nothing, and returns the text after them.
fn piece_between(text: &str, open: char, close: char) -> Option<(Option<char>, &str)> {
    let (inside, rest) = text.strip_prefix(open)?.split_once(close)?;
    let mut letters = inside.chars();
    let piece = letters.next();
    (letters.next().is_none() && piece.is_none_or(is_piece)).then_some((piece, rest))
}

/// Returns whether a letter names a piece. Small letters count, but never equal a placed piece.
fn is_piece(letter: char) -> bool {
    "IOTSZJL".contains(letter.to_ascii_uppercase())
}

pub(super) fn is_blank(letter: char) -> bool {
    letter == '\u{FEFF}' || (letter.is_whitespace() && letter != '\u{85}')
}
