//! Everything that `tetris` reads: boards, pieces, queues, fumens.

use crate::kit::{Input, read_as, same_again, same_form};
use bitcore::Rng;
use std::array::from_fn;
use tetris::board::{HEIGHT, WIDTH};
use tetris::fumen::{self, FumenError, Page};
use tetris::garbage::Attack;
use tetris::real_time::{Handling, RealTimeRules};
use tetris::{Bag, Board, Game, Location, Move, Orientation, Piece, Queue, RealTimeGame, Rules};

pub(crate) fn doors(data: &[u8]) {
    if let [253, text @ ..] = data {
        return saved(&String::from_utf8_lossy(text));
    }
    let input = Input::new(data);
    match input.below(5) {
        0 => board_text(&input.text()),
        1 => queue_text(&input.text()),
        2 => fumen_text(&input.text()),
        3 => fumen_pages(&input),
        _ => board_columns(&input),
    }
}

fn saved(text: &str) {
    read_as!(same_form(text): Board, Queue, Bag, Move, Rules);
    let [handling, _] = same_form(text).unwrap_or([Handling::default(); 2]);
    if let Some([rules, _]) = same_form::<RealTimeRules>(text) {
        let recording =
            "0 press right\n9 press soft-drop\n18446744073709551615 end".parse().expect("a recording");
        let game = RealTimeGame::new(rules, handling, 1).replay(&recording);
        assert!(game.end().is_some() || game.ticks() == u64::MAX);
    }
    let Some([mut game, _]) = same_form::<Game>(text) else { return };
    let mut rng = Rng::new(1);
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
    match same_again::<Board>(text) {
        Ok(board) => board_forms(&board),
        Err(error) => assert!(error.starts_with("line "), "{error}"),
    }
}

/// Checks that both text forms of a board are read again.
fn board_forms(board: &Board) {
    assert_eq!(board.to_string().parse().as_ref(), Ok(board));
    assert_eq!(format!("{board:x}").parse().as_ref(), Ok(board));
}

fn board_columns(input: &Input) {
    let columns: [u64; WIDTH] = from_fn(|_| input.u64() >> input.below(64));
    let board = Board::from_columns(columns);
    assert_eq!(board.is_some(), columns.iter().all(|column| column >> HEIGHT == 0));
    if let Some(board) = board {
        board_forms(&board);
    }
}

fn queue_text(text: &str) {
    if let Err(error) = same_again::<Queue>(text) {
        assert!(error.starts_with("column "), "{error}");
    }
    drop(same_again::<Piece>(text));
}

fn fumen_text(text: &str) {
    match fumen::decode(text) {
        Ok(pages) => write_and_read(&pages),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
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

fn fumen_pages(input: &Input) {
    let mut pages = Vec::new();
    for _ in input.steps(8) {
        let row_bits = (1 << fumen::ROWS) - 1;
        let columns = from_fn(|_| (u64::from(input.byte()) << input.below(33)) & row_bits);
        let piece = input.flag().then(|| Location {
            piece: *input.pick(&Piece::ALL),
            orientation: *input.pick(&Orientation::ALL),
            x: input.byte() as i8,
            y: input.byte() as i8,
        });
        let letter = |_| char::from_u32(input.below(65_536) as u32).unwrap_or('\u{1F600}');
        let comment = input.flag().then(|| (0..input.below(20)).map(letter).collect());
        pages.push(Page { board: Board::from_columns(columns).unwrap_or_default(), piece, comment });
    }
    let is_inside = |&(x, y): &(i32, i32)| (0..10).contains(&x) && (0..fumen::ROWS as i32).contains(&y);
    let inside = |page: &Page| page.piece.is_none_or(|at| at.cells().iter().all(is_inside));
    match fumen::encode(&pages) {
        Err(FumenError::Piece { page }) => assert!(!inside(&pages[page - 1])),
        _ if pages.iter().all(inside) => write_and_read(&pages),
        _ => {}
    }
}
