//! [`rows`]: the cells of posted boards, line by line or from lists in brackets.

use super::PostError;
use alloc::borrow::ToOwned;
use alloc::vec;
use alloc::vec::Vec;

/// The text of a cell without quotes and emphasis, and its place, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell<'a> {
    pub(super) text: &'a str,
    pub(super) line: usize,
    pub(super) column: usize,
}

/// The rows of each board.
#[derive(Debug, PartialEq)]
pub(super) struct Rows<'a> {
    pub(super) boards: Vec<Vec<Vec<Cell<'a>>>>,
    pub(super) are_lists: bool,
}

pub(super) fn rows(text: &str) -> Result<Rows<'_>, PostError> {
    let is_list = text.contains(['[', '{']) || text.contains("((");
    if is_list { lists(text) } else { Ok(lines(text)) }
}

/// Returns whether a cell's text says that it is empty.
pub(super) fn is_empty(text: &str) -> bool {
    text.chars().all(|c| matches!(c, '.' | '_' | '-' | '·' | '•' | '*' | '□' | '⬜' | '▢'))
        || ["none", "null", "nil", "empty", "x"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

impl<'a> Cell<'a> {
    fn new(text: &'a str, line: usize, column: usize) -> Self {
        let mut text = text;
        for mark in ["**", "`", "\"", "'"] {
            let inner = text.strip_prefix(mark).and_then(|text| text.strip_suffix(mark));
            text = inner.unwrap_or(text).trim();
        }
        Self { text, line, column }
    }
}

/// A line, or a part of it, and the column of its first character.
#[derive(Clone, Copy)]
struct Part<'a> {
    text: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Part<'a> {
    fn part(&self, text: &'a str) -> Self {
        let byte = text.as_ptr().addr() - self.text.as_ptr().addr();
        Self { text, line: self.line, column: self.column + self.text[..byte].chars().count() }
    }

    fn trim(&self) -> Self {
        self.part(self.text.trim())
    }

    fn cell(&self) -> Cell<'a> {
        let part = self.trim();
        Cell::new(part.text, part.line, part.column)
    }

    fn cells(&self, split: impl Iterator<Item = &'a str>) -> Vec<Cell<'a>> {
        split.map(|text| self.part(text).cell()).collect()
    }
}

const BARS: [char; 6] = ['|', '│', '┃', '║', '¦', '‖'];

/// Returns the boards of a text of lines, each ended by a blank line.
fn lines(text: &str) -> Rows<'_> {
    let mut boards: Vec<Vec<Vec<Cell<'_>>>> = vec![Vec::new()];
    for (number, text) in (1..).zip(text.lines()) {
        let quoted = text.trim_start().trim_start_matches('>');
        let whole = Part { text, line: number, column: 1 };
        let line = if quoted.len() < text.trim_start().len() { whole.part(quoted) } else { whole };
        let trimmed = line.text.trim();
        let is_score = trimmed.get(..5).is_some_and(|word| word.eq_ignore_ascii_case("score"));
        let last = boards.last_mut().expect("never empty");
        if trimmed.is_empty() || is_score {
            if !last.is_empty() {
                boards.push(Vec::new());
            }
        } else if is_fence(trimmed) {
        } else if is_rule(trimmed) {
            // Above the rule, a table of Markdown has a row of headings, here without any.
            let is_heading = trimmed.starts_with(BARS)
                && matches!(&last[..], [row] if row.iter().all(|cell| cell.text.is_empty()));
            if is_heading {
                last.clear();
            }
        } else {
            for row in line.text.split(['/', ';']) {
                let row = cells(line.part(row));
                if !row.is_empty() {
                    last.push(row);
                }
            }
        }
    }
    boards.retain(|board| !board.is_empty());
    for board in &mut boards {
        drop_indents(board);
    }
    Rows { boards, are_lists: false }
}

/// Drops an empty first column, by which tabs indent all rows of a board.
fn drop_indents(board: &mut [Vec<Cell<'_>>]) {
    let rows = board.len();
    if board.iter().all(|row| row.len() == rows + 1 && row[0].text.is_empty()) {
        for row in board {
            row.remove(0);
        }
    }
}

fn is_fence(line: &str) -> bool {
    line.starts_with("```") || line.starts_with("~~~")
}

/// Returns whether a line only draws a frame.
fn is_rule(line: &str) -> bool {
    let draws =
        |c| matches!(c, '-' | '=' | '+' | ':' | ' ' | '\t' | '─'..='╿') || BARS.contains(&c);
    let is_drawn = |c| matches!(c, '+' | '─'..='╿') && !BARS.contains(&c);
    let has_run = ["--", "=="].iter().any(|run| line.contains(run));
    line.chars().all(draws) && (has_run || line.contains(is_drawn))
}

fn cells(row: Part<'_>) -> Vec<Cell<'_>> {
    let trimmed = row.trim();
    // Bars stand around all cells or only between them.
    let within = trimmed.text.strip_prefix(BARS).and_then(|text| text.strip_suffix(BARS));
    let barred = within.unwrap_or(row.text);
    let inner = row.part(barred);
    if barred.contains(BARS) {
        return inner.cells(barred.split(BARS));
    }
    if barred.contains(',') {
        let listed = barred.trim_end();
        return inner.cells(listed.strip_suffix(',').unwrap_or(listed).split(','));
    }
    // Tabs separate cells that may be empty, unless blanks separate some, too.
    let tabbed = row.text.trim_matches([' ', '\r']);
    if tabbed.contains('\t') && !tabbed.split('\t').any(|cell| cell.trim().contains(' ')) {
        return row.cells(tabbed.split('\t'));
    }
    inner.cells(barred.split_whitespace())
}

/// A list in brackets: its cells, and the rows and boards in it.
#[derive(Default)]
struct List<'a> {
    cells: Vec<Cell<'a>>,
    rows: Vec<Vec<Cell<'a>>>,
    place: (usize, usize),
}

/// Returns the boards of nested lists: the innermost ones are rows, those around them boards. Words
/// outside of the lists, such as `board =`, are left out.
fn lists(text: &str) -> Result<Rows<'_>, PostError> {
    let mut boards = Vec::new();
    let mut outer: List<'_> = List::default();
    let mut open: Vec<List<'_>> = Vec::new();
    for (number, text) in (1..).zip(text.lines()) {
        let declared = if open.is_empty() { declaration(text) } else { 0 };
        let line = Part { text, line: number, column: 1 };
        if open.is_empty()
            && let Some(cell) = row_without_brackets(line)
        {
            let expected = "a list in brackets, like the others".to_owned();
            return Err(PostError { line: cell.line, column: cell.column, expected });
        }
        let mut start = declared;
        let ends = text.char_indices().filter(|&(i, c)| i >= declared && is_end(c));
        for (at, c) in ends.chain([(text.len(), '\n')]) {
            let word = line.part(&text[start..at]);
            let opens = matches!(c, '[' | '{' | '(');
            if let Some(list) = open.last_mut()
                && !word.text.is_empty()
                && !opens
                && !word.text.contains('=')
            {
                list.cells.push(word.cell());
            }
            if opens {
                let place = (number, line.part(&text[at..]).column);
                open.push(List { place, ..List::default() });
            } else if matches!(c, ']' | '}' | ')')
                && let Some(list) = open.pop()
            {
                let parent = open.last_mut().unwrap_or(&mut outer);
                if list.rows.is_empty() {
                    if !list.cells.is_empty() {
                        parent.rows.push(list.cells);
                    }
                } else if let Some(cell) = list.cells.first() {
                    let expected = "rows of one list, each in brackets".to_owned();
                    return Err(PostError { line: cell.line, column: cell.column, expected });
                } else {
                    boards.push(list.rows);
                }
            }
            start = at + c.len_utf8().min(text.len() - at);
        }
    }
    if let Some(list) = open.first() {
        let (line, column) = list.place;
        return Err(PostError { line, column, expected: "the end of this bracket".to_owned() });
    }
    if !outer.rows.is_empty() {
        boards.push(outer.rows);
    }
    Ok(Rows { boards, are_lists: true })
}

/// Returns the first cell of a line that is a row of tiles without brackets, which a list would leave
/// out.
fn row_without_brackets(line: Part<'_>) -> Option<Cell<'_>> {
    let words = line.text.split(|c: char| c.is_whitespace() || c == ',' || BARS.contains(&c));
    let cells = line.cells(words.filter(|word| !word.is_empty()));
    let is_number = |cell: &Cell<'_>| cell.text.parse::<u64>().is_ok();
    let is_row = cells.len() > 1
        && cells.iter().any(is_number)
        && cells.iter().all(|cell| is_number(cell) || is_empty(cell.text));
    if is_row { cells.first().copied() } else { None }
}

fn is_end(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '[' | ']' | '{' | '}' | '(' | ')')
}

/// Returns the offset after the `=` of a declaration such as `int board[4][4] = {`, or 0.
fn declaration(text: &str) -> usize {
    let Some(at) = text.find('=') else { return 0 };
    let value = text[at + 1..].trim_start();
    let name =
        |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '!' | '<' | '>' | ':' | ' ');
    if value.trim_start_matches(name).starts_with(['[', '{', '(']) { at + 1 } else { 0 }
}
