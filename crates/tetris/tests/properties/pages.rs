//! Fumen pages, written and read back. In a separate file, because only builds with the feature
//! `fumen` compile it.

use std::array::from_fn;
use testkit::Input;
use tetris::fumen::{self, Page, ROWS};
use tetris::{Board, Error, Location, Orientation, Piece};

const FIELD: u64 = (1 << ROWS) - 1;

pub(crate) fn is_inside(at: Location) -> bool {
    at.cells().iter().all(|&(x, y)| (0..10).contains(&x) && (0..ROWS as i32).contains(&y))
}

/// Draws pages, some with a piece outside the field.
pub(crate) fn pages(input: &Input) -> Vec<Page> {
    let mut pages: Vec<Page> = Vec::new();
    for _ in input.steps(8) {
        let columns = from_fn(|_| (u64::from(input.byte()) << input.below(33)) & FIELD);
        let choice = input.byte();
        // Some boards have full rows, some follow from the previous page.
        let full = if choice & 4 > 0 { 5 } else { 0 };
        let mut board =
            Board::try_from(columns.map(|column| column | full)).expect("rows of a field");
        if let (Some(before), true) = (pages.last(), choice & 2 > 0) {
            board = before
                .piece
                .filter(|&at| is_inside(at))
                .and_then(|at| before.board.place(at))
                .unwrap_or(before.board);
            board.clear_lines();
        }
        let piece = (choice & 1 > 0).then(|| {
            let piece = *input.pick(&Piece::ALL);
            let orientation = *input.pick(&Orientation::ALL);
            let x = input.byte() as i8;
            let y = input.byte() as i8;
            let near =
                Location { piece, orientation, x: x.rem_euclid(12) - 1, y: y.rem_euclid(25) - 1 };
            if choice & 0b11_1000 > 0 { near } else { Location { x, y, ..near } }
        });
        let choice = input.byte();
        let comment = (choice & 1 > 0).then(|| comment(input, choice >> 1));
        pages.push(Page { board, piece, comment });
    }
    pages
}

/// Draws a comment: any characters, characters with different kinds of escapes, or a quiz.
fn comment(input: &Input, choice: u8) -> String {
    if choice % 4 < 2 {
        let letter = |_| char::from_u32(input.below(65_536) as u32).unwrap_or('\u{1F600}');
        return (0..input.below(20)).map(letter).collect();
    }
    if choice % 4 == 2 {
        let letters = ["a", "Z", " ", "%", "%u", "ä", "世", "🏍", "/", "~", "\n"];
        return (0..input.below(9)).map(|_| *input.pick(&letters)).collect();
    }
    let letters = |most| -> String {
        (0..input.below(most)).map(|_| input.pick(&Piece::ALL).letter()).collect()
    };
    let hold = letters(2);
    let current = letters(2);
    let rest = letters(6);
    let end = input.pick(&["", ";", "; text", ";#Q=[](T)I", "-", "世"]);
    format!("#Q=[{hold}]({current}){rest}{end}")
}

/// Only a piece outside the field can make encoding fail.
pub(crate) fn there_and_back(input: &Input) {
    let pages = pages(input);
    let outside = pages.iter().position(|page| !page.piece.is_none_or(is_inside));
    match outside {
        None => drop(write_and_read(&pages)),
        Some(page) => assert_eq!(fumen::encode(&pages), Err(Error::FumenPiece { page: page + 1 })),
    }
}

/// Decoded pages can be written again unless the escaped form of a comment is longer than in the
/// source.
pub(crate) fn write_and_read(pages: &[Page]) -> Option<String> {
    let text = match fumen::encode(pages) {
        Ok(text) => text,
        Err(error) => {
            assert!(matches!(error, Error::FumenComment { .. }), "{error}");
            return None;
        }
    };
    let again = fumen::decode(&text).expect("what was written is read");
    let parts =
        |pages: &[Page]| pages.iter().map(|page| (page.board, page.piece)).collect::<Vec<_>>();
    assert_eq!(parts(&again), parts(pages), "{text}");
    assert_eq!(shown(&again), shown(pages), "{text}");
    if !has_quiz(pages) {
        assert_eq!(again, pages, "{text}");
    }
    assert_eq!(fumen::encode(&again).as_ref(), Ok(&text), "what was read is written as it was");
    Some(text)
}

pub(crate) fn has_quiz(pages: &[Page]) -> bool {
    pages.iter().flat_map(|page| &page.comment).any(|comment| comment.contains("#Q="))
}

/// Returns the displayed comment of each page: its own, or the previous page's.
pub(crate) fn shown(pages: &[Page]) -> Vec<&str> {
    let mut shown = "";
    let mut all = Vec::new();
    for page in pages {
        shown = page.comment.as_deref().unwrap_or(shown);
        all.push(shown);
    }
    all
}
