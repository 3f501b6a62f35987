//! Everything that `tetris` reads: boards, pieces, queues, fumens.

use bitcore::Rng;
use fuzzkit::Input;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tetris::board::{HEIGHT, WIDTH};
use tetris::fumen::{self, FumenError, Page};
use tetris::garbage::Attack;
use tetris::real_time::{Handling, RealTimeRules};
use tetris::{Bag, Board, Game, Location, Move, Orientation, Piece, Queue, RealTimeGame, Rules};

/// The first byte of an input that is a saved value. The doors before it keep the meaning of their inputs.
const SAVED: u8 = 253;

/// Reads a saved value. One that is taken is written, and read again.
fn same_form<T: Serialize + DeserializeOwned>(text: &str) -> Option<T> {
    let value: T = serde_json::from_str(text).ok()?;
    let written = serde_json::to_string(&value).expect("a value that was read has a form");
    let again: T = serde_json::from_str(&written).expect("what was written is read");
    assert_eq!(serde_json::to_string(&again).expect("a form"), written, "{text:?}");
    Some(value)
}

/// Reads the input by the door that its first byte names.
pub fn doors(data: &[u8]) {
    let Some((&door, rest)) = data.split_first() else { return };
    if door == SAVED {
        return saved(&String::from_utf8_lossy(rest));
    }
    match door % 5 {
        0 => board_text(&String::from_utf8_lossy(rest)),
        1 => queue_text(&String::from_utf8_lossy(rest)),
        2 => fumen_text(&String::from_utf8_lossy(rest)),
        3 => fumen_pages(&mut Input::new(rest)),
        _ => board_columns(&mut Input::new(rest)),
    }
}

fn saved(text: &str) {
    same_form::<Board>(text);
    same_form::<Queue>(text);
    same_form::<Bag>(text);
    same_form::<Move>(text);
    same_form::<Rules>(text);
    let handling = same_form::<Handling>(text).unwrap_or_default();
    if let Some(rules) = same_form::<RealTimeRules>(text) {
        let recording =
            "0 press right\n9 press soft-drop\n18446744073709551615 end".parse().expect("a recording");
        let game = RealTimeGame::new(rules, handling, 1).replay(&recording);
        assert!(game.end().is_some() || game.ticks() == u64::MAX);
    }
    let (Some(mut game), mut rng) = (same_form::<Game>(text), Rng::new(1)) else { return };
    for column in 0..10 {
        let legal = game.legal_moves();
        assert_eq!(legal.is_empty(), game.over().is_some());
        let result = game.random_step(&mut rng);
        assert_eq!(result.is_none(), legal.is_empty());
        let _ = game.receive(Attack { lines: 2, column });
        same_form::<Game>(&serde_json::to_string(&game).expect("a form"));
    }
}

fn board_text(text: &str) {
    match text.parse::<Board>() {
        Ok(board) => board_forms(&board),
        Err(error) => assert!(error.to_string().starts_with("line "), "{error}"),
    }
}

/// Checks that both text forms of a board are read again.
fn board_forms(board: &Board) {
    assert_eq!(board.to_string().parse().as_ref(), Ok(board));
    assert_eq!(format!("{board:x}").parse().as_ref(), Ok(board));
}

fn board_columns(input: &mut Input) {
    let columns: [u64; WIDTH] = std::array::from_fn(|_| input.u64() >> input.below(64));
    let board = Board::from_columns(columns);
    assert_eq!(board.is_some(), columns.iter().all(|column| column >> HEIGHT == 0));
    if let Some(board) = board {
        board_forms(&board);
    }
}

fn queue_text(text: &str) {
    match text.parse::<Queue>() {
        Ok(queue) => assert_eq!(queue.to_string().parse(), Ok(queue)),
        Err(error) => assert!(error.to_string().starts_with("column "), "{error}"),
    }
    if let Ok(piece) = text.parse::<Piece>() {
        assert_eq!(piece.to_string().parse(), Ok(piece));
    }
}

fn fumen_text(text: &str) {
    let pages = match fumen::decode(text) {
        Ok(pages) => pages,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    write_and_read(&pages);
}

/// Writes pages and reads them again. Pages that were read can always be written, but for a comment whose
/// escaped form is longer than the one that was read.
fn write_and_read(pages: &[Page]) {
    match fumen::encode(pages) {
        Ok(text) => {
            let again = fumen::decode(&text).expect("what was written is read");
            assert_eq!(again.len(), pages.len());
            for (a, b) in again.iter().zip(pages) {
                assert_eq!((a.board, a.piece), (b.board, b.piece));
            }
            assert_eq!(comments(&again), comments(pages));
        }
        Err(error) => assert!(matches!(error, FumenError::Comment { .. }), "{error}"),
    }
}

/// Returns the comment that each page shows: its own, or that of the page before.
fn comments(pages: &[Page]) -> Vec<&str> {
    let mut shown = "";
    pages
        .iter()
        .map(|page| {
            shown = page.comment.as_deref().unwrap_or(shown);
            shown
        })
        .collect()
}

fn fumen_pages(input: &mut Input) {
    let mut pages = Vec::new();
    while !input.is_empty() && pages.len() < 8 {
        let mut columns = [0; WIDTH];
        for column in &mut columns {
            *column = (u64::from(input.byte()) << input.below(33)) & ((1 << fumen::ROWS) - 1);
        }
        let piece = input.flag().then(|| Location {
            piece: Piece::ALL[input.below(7)],
            orientation: Orientation::ALL[input.below(4)],
            x: input.byte() as i8,
            y: input.byte() as i8,
        });
        let comment = input.flag().then(|| {
            let length = input.below(20);
            (0..length).map(|_| char::from_u32(input.below(65_536) as u32).unwrap_or('\u{1F600}')).collect()
        });
        pages.push(Page { board: Board::from_columns(columns).unwrap_or_default(), piece, comment });
    }
    let inside = |page: &Page| {
        page.piece.is_none_or(|at| {
            let is_inside =
                |&(x, y): &(i32, i32)| (0..10).contains(&x) && (0..fumen::ROWS as i32).contains(&y);
            at.cells().iter().all(is_inside)
        })
    };
    match fumen::encode(&pages) {
        Err(FumenError::Piece { page }) => assert!(!inside(&pages[page - 1])),
        _ => {
            if pages.iter().all(inside) {
                write_and_read(&pages);
            }
        }
    }
}
