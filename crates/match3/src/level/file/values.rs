//! Values of a TOML document with their places: tables that know their keys, and layers, texts of a
//! character a cell.

use super::LevelFileError;
use crate::board::At;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;
use core::ops::RangeInclusive;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The text of a file.
#[derive(Clone, Copy)]
pub(super) struct Source<'t>(pub(super) &'t str);

impl<'t> Source<'t> {
    /// Returns the error for a byte of the text.
    pub(super) fn error(self, byte: usize, message: impl Display) -> LevelFileError {
        let before = &self.0.as_bytes()[..byte.min(self.0.len())];
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let text = String::from_utf8_lossy(&before[start..]);
        // Some editors begin a file with a byte order mark.
        let column = 1 + text.trim_start_matches('\u{feff}').chars().count();
        // The message of a foreign library, or a quoted key, may have several lines.
        let message = message.to_string().replace(['\n', '\r'], " ");
        LevelFileError { line, column, message }
    }

    /// Parses the text as TOML.
    pub(super) fn parse(self) -> Result<Spanned<DeTable<'t>>, LevelFileError> {
        DeTable::parse(self.0).map_err(|error| {
            let byte = error.span().map_or(0, |span| span.start);
            self.error(byte, error.message())
        })
    }
}

/// A table of known keys.
#[derive(Clone, Copy)]
pub(super) struct Table<'d, 't> {
    source: Source<'t>,
    entries: &'d DeTable<'t>,
    /// The byte where the table begins.
    at: usize,
}

impl<'d, 't> Table<'d, 't> {
    pub(super) fn new(source: Source<'t>, entries: &'d DeTable<'t>, at: usize) -> Self {
        Self { source, entries, at }
    }

    /// Refuses keys that aren't in the list, the first in the file.
    pub(super) fn of(self, keys: &[&str]) -> Result<Self, LevelFileError> {
        let unknown = self.entries.keys().filter(|key| !keys.contains(&key.get_ref().as_ref()));
        match unknown.min_by_key(|key| key.span().start) {
            Some(key) => {
                let name = key.get_ref();
                let known = keys.join(", ");
                let message = format!("unknown key {name:?}, expected one of {known}");
                Err(self.source.error(key.span().start, message))
            }
            None => Ok(self),
        }
    }

    pub(super) fn error(self, byte: usize, message: impl Display) -> LevelFileError {
        self.source.error(byte, message)
    }

    pub(super) fn get(self, key: &'static str) -> Option<Value<'d, 't>> {
        let spanned = self.entries.get(key)?;
        Some(Value { source: self.source, name: key, spanned })
    }

    pub(super) fn require(self, key: &'static str) -> Result<Value<'d, 't>, LevelFileError> {
        self.get(key).ok_or_else(|| self.source.error(self.at, format!("expected a key {key:?}")))
    }

    /// Returns the entries in the order of the file, each with the byte of its key.
    pub(super) fn entries(self) -> Vec<(&'d str, usize, Value<'d, 't>)> {
        let entry = |(key, value): (&'d Spanned<_>, &'d Spanned<DeValue<'t>>)| {
            let text: &alloc::borrow::Cow<'t, str> = key.get_ref();
            (&**text, key.span().start, Value { source: self.source, name: "", spanned: value })
        };
        let mut entries: Vec<_> = self.entries.iter().map(entry).collect();
        entries.sort_by_key(|&(_, at, _)| at);
        entries
    }
}

/// A value, and the name of its key.
#[derive(Clone, Copy)]
pub(super) struct Value<'d, 't> {
    source: Source<'t>,
    name: &'static str,
    spanned: &'d Spanned<DeValue<'t>>,
}

impl<'d, 't> Value<'d, 't> {
    pub(super) fn at(self) -> usize {
        self.spanned.span().start
    }

    pub(super) fn error(self, message: impl Display) -> LevelFileError {
        self.source.error(self.at(), message)
    }

    /// Returns the error for a value of another kind or size.
    pub(super) fn expected(self, what: impl Display) -> LevelFileError {
        let found = match self.spanned.get_ref() {
            DeValue::String(text) => format!("{text:?}"),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            DeValue::Boolean(boolean) => boolean.to_string(),
            DeValue::Datetime(time) => time.to_string(),
            DeValue::Array(_) => "a list".to_string(),
            DeValue::Table(_) => "a table".to_string(),
        };
        let name = if self.name.is_empty() { String::new() } else { format!("{}: ", self.name) };
        self.error(format!("{name}expected {what}, found {found}"))
    }

    pub(super) fn number<N>(self, range: RangeInclusive<N>) -> Result<N, LevelFileError>
    where
        N: TryFrom<u64> + PartialOrd + Display,
    {
        let number = self.as_number().and_then(|number| N::try_from(number).ok());
        let least = range.start();
        let most = range.end();
        let error = || self.expected(format!("a number from {least} to {most}"));
        number.filter(|number| range.contains(number)).ok_or_else(error)
    }

    pub(super) fn as_number(self) -> Option<u64> {
        let DeValue::Integer(number) = self.spanned.get_ref() else { return None };
        // A sign is part of the text.
        let digits = number.as_str();
        u64::from_str_radix(digits.strip_prefix('+').unwrap_or(digits), number.radix()).ok()
    }

    pub(super) fn expected_number(self, number: u64) -> Result<(), LevelFileError> {
        let is_it = self.as_number() == Some(number);
        if is_it { Ok(()) } else { Err(self.expected(number)) }
    }

    pub(super) fn boolean(self) -> Result<bool, LevelFileError> {
        self.as_boolean().ok_or_else(|| self.expected("true or false"))
    }

    pub(super) fn as_boolean(self) -> Option<bool> {
        if let DeValue::Boolean(boolean) = self.spanned.get_ref() { Some(*boolean) } else { None }
    }

    pub(super) fn text(self) -> Result<&'d str, LevelFileError> {
        self.as_text().ok_or_else(|| self.expected("text in quotes"))
    }

    pub(super) fn as_text(self) -> Option<&'d str> {
        if let DeValue::String(text) = self.spanned.get_ref() { Some(text) } else { None }
    }

    /// Returns the choice of a name from a list.
    pub(super) fn choice<C: Copy>(self, choices: &[(&str, C)]) -> Result<C, LevelFileError> {
        let text = self.as_text();
        let found = choices.iter().find(|(name, _)| Some(*name) == text);
        found.map(|&(_, choice)| choice).ok_or_else(|| self.expected(one_of(choices)))
    }

    pub(super) fn list(self, what: &str) -> Result<Vec<Self>, LevelFileError> {
        let DeValue::Array(items) = self.spanned.get_ref() else { return Err(self.expected(what)) };
        let name = self.name;
        Ok(items.iter().map(|spanned| Self { source: self.source, name, spanned }).collect())
    }

    pub(super) fn table(self, what: &str) -> Result<Table<'d, 't>, LevelFileError> {
        self.as_table().ok_or_else(|| self.expected(what))
    }

    pub(super) fn as_table(self) -> Option<Table<'d, 't>> {
        let DeValue::Table(entries) = self.spanned.get_ref() else { return None };
        Some(Table::new(self.source, entries, self.at()))
    }

    /// Reads rows of cells, a character each. Spaces, tabs and blank lines are skipped.
    pub(super) fn rows(self) -> Result<Rows<'t>, LevelFileError> {
        self.text().map_err(|_| self.expected("text in quotes, a line a row"))?;
        let span = self.spanned.span();
        let raw = &self.source.0[span.clone()];
        let quotes = if raw.starts_with("\"\"\"") || raw.starts_with("'''") { 3 } else { 1 };
        let start = span.start + quotes;
        let inside = &self.source.0[start..span.end - quotes];
        // The cells are looked up in the file itself, where an escape is more than one character.
        if let Some(at) = inside.find('\\') {
            return Err(self.source.error(start + at, "expected a cell, found a backslash"));
        }
        let mut rows = Vec::new();
        let mut at = start;
        for line in inside.split('\n') {
            let cells = line.char_indices().filter(|(_, cell)| !matches!(cell, ' ' | '\t' | '\r'));
            let cells: Vec<_> = cells.map(|(byte, cell)| (at + byte, cell)).collect();
            if !cells.is_empty() {
                rows.push(cells);
            }
            at += line.len() + 1;
        }
        Ok(Rows { source: self.source, name: self.name, start: span.start, cells: rows })
    }
}

pub(super) fn one_of<C>(choices: &[(&str, C)]) -> String {
    let mut list = String::new();
    for (i, (name, _)) in choices.iter().enumerate() {
        list += match i {
            0 => "",
            _ if i + 1 == choices.len() => " or ",
            _ => ", ",
        };
        list += &format!("{name:?}");
    }
    list
}

/// Rows of cells, each the byte of a character and the character.
pub(super) struct Rows<'t> {
    source: Source<'t>,
    name: &'static str,
    start: usize,
    cells: Vec<Vec<(usize, char)>>,
}

impl Rows<'_> {
    /// Returns the columns and rows: those of the first row and of the layer.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.cells.first().map_or(0, Vec::len), self.cells.len())
    }

    /// Returns the byte of a cell, or of the text if there is no such cell.
    pub(super) fn at(&self, (x, y): At) -> usize {
        let cell = self.cells.get(y).and_then(|row| row.get(x));
        cell.map_or(self.start, |&(byte, _)| byte)
    }

    pub(super) fn error(&self, byte: usize, message: impl Display) -> LevelFileError {
        self.source.error(byte, format!("{}: {message}", self.name))
    }

    /// Checks the number of columns and rows.
    pub(super) fn check(&self, (width, height): (usize, usize)) -> Result<(), LevelFileError> {
        for row in &self.cells {
            let found = row.len();
            if found != width {
                // The first cell too many, or else the last cell.
                let at = row.get(width).or(row.last()).map_or(self.start, |&(at, _)| at);
                return Err(self.error(at, format!("a row of {found} cells, expected {width}")));
            }
        }
        match self.cells.get(height) {
            Some(row) => {
                let found = self.cells.len();
                Err(self.error(row[0].0, format!("{found} rows, expected {height}")))
            }
            None if self.cells.len() < height => {
                let at = self.cells.last().map_or(self.start, |row| row[0].0);
                let found = self.cells.len();
                Err(self.error(at, format!("{found} rows, expected {height}")))
            }
            None => Ok(()),
        }
    }

    /// Returns the cells by row, each with its column, row, byte and character.
    pub(super) fn cells(&self) -> impl Iterator<Item = (At, usize, char)> {
        self.cells.iter().enumerate().flat_map(|(y, row)| {
            row.iter().enumerate().map(move |(x, &(byte, cell))| ((x, y), byte, cell))
        })
    }
}
