//! Texts of boards, pieces and queues.

use super::values::{board, piece};
use std::array::from_fn;
use testkit::Input;
use tetris::{Board, Error, Piece, Queue};

pub(crate) fn written(input: &Input) {
    board_forms(&board(input));
    let queue = Queue(input.list(input.below(20), || piece(input)));
    let text = queue.to_string();
    assert_eq!([text.parse().as_ref(), text.to_lowercase().parse().as_ref()], [Ok(&queue); 2]);
}

pub(crate) fn any(input: &Input) {
    let text = input.text();
    board_text(&text);
    board_text(&format!("{text},"));
    queue_text(&text);
}

pub(crate) fn board_text(text: &str) {
    match text.parse::<Board>() {
        Ok(board) => board_forms(&board),
        Err(error) => assert_line(&error.to_string(), "line "),
    }
}

fn board_forms(board: &Board) {
    let rows = board.to_string();
    let list = |row: &str| row.replace('.', "0 ").replace('#', "1 ");
    let lists: Vec<String> = rows.lines().map(|row| format!("[{}]", list(row))).collect();
    let lists = format!("[{}]", lists.join(",\n"));
    for text in [rows, lists, format!("{board:x}"), format!("{board:x}\n")] {
        assert_eq!(text.parse().as_ref(), Ok(board), "{text}");
    }
}

pub(crate) fn board_columns(input: &Input) {
    let columns: [u64; Board::WIDTH] = from_fn(|_| input.u64() >> input.below(64));
    let board = Board::try_from(columns);
    let too_high = columns.iter().position(|column| column >> Board::HEIGHT != 0);
    assert_eq!(board.err(), too_high.map(|column| Error::AboveField { column }));
    board.iter().for_each(board_forms);
}

pub(crate) fn queue_text(text: &str) {
    match text.parse::<Queue>() {
        Ok(queue) => assert_eq!(queue.to_string().parse().as_ref(), Ok(&queue)),
        Err(error) => assert_line(&error.to_string(), "column "),
    }
    match text.parse::<Piece>() {
        Ok(piece) => assert_eq!(piece.to_string().parse(), Ok(piece)),
        Err(error) => assert_line(&error.to_string(), "column "),
    }
}

fn assert_line(error: &str, place: &str) {
    assert!(error.starts_with(place) && !error.contains('\n'), "{error:?}");
}
