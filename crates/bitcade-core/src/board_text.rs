//! [`rows`]: the rows of boards in text, one per line or as nested lists, as Python and JSON print them.

/// A row of a board; a blank one ends the board.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    whole: &'a str,
    /// The line's number and the offset of its first byte.
    line: (usize, usize),
    start: usize,
    end: usize,
    is_list: bool,
}

impl<'a> Row<'a> {
    /// Returns the text of the row. A list is without its brackets, and may contain line feeds.
    pub fn text(&self) -> &'a str {
        &self.whole[self.start..self.end]
    }

    /// Returns whether the cells are separate words.
    pub fn has_words(&self) -> bool {
        self.is_list || self.text().contains(',')
    }

    /// Returns the number of the row's first line, counted from 1.
    pub fn line(&self) -> usize {
        self.line.0
    }

    /// Returns the line and column of a byte of the row, counted in characters from 1.
    pub fn place(&self, byte: usize) -> (usize, usize) {
        let before = &self.whole[self.line.1..self.start + byte];
        let line = self.line.0 + before.matches('\n').count();
        (line, before.rsplit('\n').next().unwrap_or_default().chars().count() + 1)
    }

    /// Returns the words between blanks and commas, without quotes, and their offsets. A word that
    /// is missing between two commas is empty.
    pub fn words(&self) -> impl Iterator<Item = (usize, &'a str)> {
        let text = self.text();
        let offset = move |part: &str| part.as_ptr().addr() - text.as_ptr().addr();
        let last = text.rfind(',').map_or(0, |comma| comma + 1);
        let parts =
            text.split(',').filter(move |part| offset(part) < last || !part.trim().is_empty());
        let words = parts.flat_map(|part| {
            let missing = Some(&part[..0]).filter(|_| part.trim().is_empty());
            missing.into_iter().chain(part.split_whitespace())
        });
        words.map(move |word| {
            let quoted = |quote: char| word.strip_prefix(quote)?.strip_suffix(quote);
            (offset(word), quoted('"').or(quoted('\'')).unwrap_or(word))
        })
    }
}

/// Returns the rows of a text: its lines, and the innermost of nested lists in brackets. A blank
/// row follows a list of rows. An open bracket without an end is a row of its own.
pub fn rows(text: &str) -> impl Iterator<Item = Row<'_>> {
    let rows = Rows {
        text,
        at: 0,
        line: (1, 0),
        open: (0, (1, 0)),
        depth: 0,
        is_innermost: false,
        has_ended: false,
    };
    core::iter::from_fn({
        let mut rows = rows;
        move || rows.next()
    })
}

struct Rows<'a> {
    text: &'a str,
    /// The first byte that is in no row.
    at: usize,
    /// The number of its line, and the offset of that line.
    line: (usize, usize),
    /// The outermost bracket, and its line.
    open: (usize, (usize, usize)),
    depth: usize,
    /// `true` if the list has no list so far.
    is_innermost: bool,
    has_ended: bool,
}

impl<'a> Rows<'a> {
    fn next(&mut self) -> Option<Row<'a>> {
        while !self.has_ended {
            let rest = &self.text[self.at..];
            if self.depth == 0 {
                let line = rest.split('\n').next().unwrap_or_default();
                let indent = line.len() - line.trim_start().len();
                if line[indent..].starts_with('[') {
                    self.open = (self.at + indent, self.line);
                    self.enter(self.open.0);
                    continue;
                }
                return Some(self.take(line.len(), 1, false));
            }
            let Some(end) = rest.find(['[', ']']) else {
                ((self.at, self.line), self.has_ended) = (self.open, true);
                return Some(Row { is_list: false, ..self.row(1) });
            };
            let is_blank = rest[..end].trim_matches([',', ' ', '\t', '\r', '\n']).is_empty();
            if rest.as_bytes()[end] == b'[' && is_blank {
                self.enter(self.at + end);
            } else if rest.as_bytes()[end] == b'[' {
                // A cell beside a list is a row, whose length is wrong.
                return Some(self.take(end, 0, true));
            } else if self.is_innermost || !is_blank {
                self.is_innermost = false;
                self.depth -= 1;
                return Some(self.close(end));
            } else {
                self.depth -= 1;
                return Some(Row { end: self.at, ..self.close(end) });
            }
        }
        None
    }

    fn enter(&mut self, bracket: usize) {
        self.advance(bracket + 1);
        self.depth += 1;
        self.is_innermost = true;
    }

    /// Returns a list that ends here. The rest of its line is no row if it is blank.
    fn close(&mut self, length: usize) -> Row<'a> {
        let row = self.take(length, 1, true);
        if self.depth == 0 {
            let rest = &self.text[self.at..];
            let blank = rest.len() - rest.trim_start_matches([',', ' ', '\t', '\r']).len();
            match rest.as_bytes().get(blank) {
                Some(b'\n') => self.advance(self.at + blank + 1),
                Some(_) => {}
                None => self.has_ended = true,
            }
        }
        row
    }

    /// Returns the next bytes as a row, and drops `after` more.
    fn take(&mut self, length: usize, after: usize, is_list: bool) -> Row<'a> {
        let row = Row { is_list, ..self.row(length) };
        let next = self.at + length + after;
        self.has_ended = next > self.text.len();
        self.advance(next.min(self.text.len()));
        row
    }

    fn row(&self, length: usize) -> Row<'a> {
        Row {
            whole: self.text,
            line: self.line,
            start: self.at,
            end: self.at + length,
            is_list: true,
        }
    }

    fn advance(&mut self, to: usize) {
        let passed = &self.text[self.at..to];
        if let Some(last) = passed.rfind('\n') {
            self.line = (self.line.0 + passed.matches('\n').count(), self.at + last + 1);
        }
        self.at = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::vec::Vec;

    /// Returns the lines of the rows and their texts.
    fn found(text: &str) -> Vec<(usize, &str)> {
        rows(text).map(|row| (row.line(), row.text())).collect()
    }

    #[test]
    fn rows_are_lines_or_lists() {
        let lines = |rows: &[(usize, &'static str)]| rows.to_vec();
        assert_eq!(found(""), lines(&[(1, "")]));
        assert_eq!(found("12\n\n3,4"), lines(&[(1, "12"), (2, ""), (3, "3,4")]));
        for list in ["[[1, 2], [3, 4]]", "[[1, 2], [3, 4]]\n", " [ [1, 2] , [3, 4] ] , \n"] {
            assert_eq!(found(list)[..3], lines(&[(1, "1, 2"), (1, "3, 4"), (1, "")]), "{list}");
        }
        assert_eq!(found("[[1 2]\n [3 4]]"), lines(&[(1, "1 2"), (2, "3 4"), (2, "")]));
        assert_eq!(found("[1, 2],\n[3, 4]"), lines(&[(1, "1, 2"), (2, "3, 4")]));
        assert_eq!(found("[1, 2]\n\n[3, 4]"), lines(&[(1, "1, 2"), (2, ""), (3, "3, 4")]));
        // Two boards in one list, and a list with one cell per line.
        let boards = [(1, "1"), (1, ""), (1, "2"), (1, ""), (1, "")];
        assert_eq!(found("[[[1]], [[2]]]"), lines(&boards));
        assert_eq!(found("[\n  [\n    1,\n    2\n  ]\n]")[0], (2, "\n    1,\n    2\n  "));
        // Nothing is lost: an open bracket, a cell beside a list.
        assert_eq!(found("[[1, 2], [3, 4]"), lines(&[(1, "1, 2"), (1, "3, 4"), (1, "[")]));
        assert_eq!(found("[1, [2], 3]"), lines(&[(1, "1, "), (1, "2"), (1, ", 3")]));
        assert_eq!(found("[1] 2"), lines(&[(1, "1"), (1, " 2")]));
        assert_eq!(found("1 ]"), lines(&[(1, "1 ]")]));
    }

    #[test]
    fn words_have_places() {
        let of = |text: &str| -> Vec<String> {
            let row = rows(text).next().expect("a row");
            let words = row.words().map(|(byte, word)| {
                let (line, column) = row.place(byte);
                alloc::format!("{line}.{column} {word}")
            });
            words.collect()
        };
        assert_eq!(of("1, ä,3 ,"), ["1.1 1", "1.4 ä", "1.6 3"]);
        assert_eq!(of("1,,2"), ["1.1 1", "1.3 ", "1.4 2"]);
        assert_eq!(of(" [\n 1,\n '2', \"3\"]"), ["2.2 1", "3.2 2", "3.7 3"]);
        assert_eq!(of("["), ["1.1 ["]);
        let open = rows("\n [[1],\n [2]\n").last().expect("a row");
        assert_eq!(open.text(), "[");
        assert_eq!(open.place(0), (2, 2));
    }
}
