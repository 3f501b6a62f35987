//! Every parser of `tetris-ai` for untrusted text. Accepted text is printed and parsed again.

use crate::kit::{Input, same_again, same_form};
use std::sync::LazyLock;
use tetris::{Board, Piece};
use tetris_ai::bot::tbp::{BotMessage, FrontendMessage, Session};
use tetris_ai::bot::{BotWeights, GameState, Search};
use tetris_ai::contest::beam::{AdvanceSettings, Beam, Widths};
use tetris_ai::contest::tree::Solver;
use tetris_ai::contest::{self, Record, Sequence, checksum, position_of_item, verify};
use tetris_ai::control::ControllerWeights;
use tetris_ai::{Columns, Stopped};

static SEQUENCE: LazyLock<Sequence> = LazyLock::new(Sequence::contest);

pub(crate) fn doors(data: &[u8]) {
    let input = Input::new(data);
    match input.below(12) {
        0 | 1 => record(input.rest()),
        2 => {
            if let Ok(board) = same_again::<contest::Board>(&input.text()) {
                assert_eq!(contest::Board::from(&Columns::from(&board)), board);
            }
        }
        3 => widths(&input.text()),
        4 => beam(&input.text()),
        5 => solver(&input.text()),
        6 => weights(&input.text()),
        7 => drop(same_again::<ControllerWeights>(&input.text())),
        _ => conversation(&input.text()),
    }
}

fn record(text: &[u8]) {
    let record = match Record::parse(text) {
        Ok(record) => record,
        Err(error) => return assert!(error.to_string().starts_with("line "), "{error}"),
    };
    let printed = record.to_string();
    assert_eq!(printed.parse().as_ref(), Ok(&record));
    match verify(&record, &SEQUENCE) {
        Ok(result) => {
            assert!(result.score <= result.bound && result.pieces <= record.turns().len());
            assert_eq!(verify(&printed.parse().expect("a record"), &SEQUENCE), Ok(result));
        }
        Err(error) => assert!(position_of_item(text, error.item()).is_some()),
    }
}

fn widths(text: &str) {
    if let Ok(widths) = same_again::<Widths>(text) {
        let mut piece = 0;
        for _ in 0..64 {
            let (width, pieces) = widths.at(piece);
            assert!((1..=widths.max().max(1)).contains(&width));
            assert_ne!(pieces, Some(0));
            let Some(pieces) = pieces else { break };
            piece += pieces;
        }
    }
}

/// A text completed with its checksum line, which gets the content past the check.
fn with_checksum(text: &str) -> String {
    checksum::with_checksum(
        &text.split("# version").next().unwrap_or_default().replace("\r\n", "\n"),
    )
}

fn beam(text: &str) {
    drop(text.parse::<Beam>());
    let Ok(mut beam) = with_checksum(text).parse::<Beam>() else { return };
    let again: Beam = beam.to_string().parse().expect("what was written is read");
    assert_eq!(again.to_string(), beam.to_string());
    assert_eq!(again.pieces(), beam.pieces());
    assert_eq!(again.score(), beam.score());
    beam.advance(AdvanceSettings { pieces: 2, width: 3 });
    beam.compact();
    assert!(beam.pieces() <= beam.goal());
}

fn solver(text: &str) {
    drop(text.parse::<Solver>());
    let Ok(mut solver) = with_checksum(text).parse::<Solver>() else { return };
    assert_eq!(solver.to_string().parse().as_ref(), Ok(&solver));
    // A deep search checks the stop flag before it begins.
    let before = solver.clone();
    if solver.step_until(&|| true) == Err(Stopped) {
        assert_eq!(solver, before);
    }
}

fn weights(text: &str) {
    let Some([weights, again]) = same_form::<BotWeights>(text) else { return };
    assert_eq!(again, weights);
    let board: Board = "##........\n#...######\n##.#######".parse().expect("a board");
    let state =
        GameState { board, queue: vec![Piece::T, Piece::I, Piece::O], ..GameState::default() };
    let mut search = Search::new(&state, weights);
    search.run(100);
    assert!(search.best().is_some());
}

/// The maximum number of messages in a conversation, and of suggestions among them.
const MESSAGES: usize = 48;
const SUGGESTIONS: usize = 4;

/// Lines of the Tetris Bot Protocol. `@B` abbreviates an empty board, `@R` an empty row and `@G` a
/// filled one, because a board takes two thousand characters.
fn conversation(text: &str) {
    let row = |cell: &str| format!("[{}]", [cell; 10].join(","));
    let empty = row("null");
    let filled = row("\"G\"");
    let board = format!("[{}]", vec![empty.as_str(); 40].join(","));
    let mut session = Session::default();
    let mut suggestions = 0;
    for line in text.lines().take(MESSAGES) {
        let line =
            line.replacen("@B", &board, 2).replacen("@R", &empty, 64).replacen("@G", &filled, 64);
        let _ = same_form::<BotMessage>(&line);
        let Some([message, again]) = same_form::<FrontendMessage>(&line) else { continue };
        assert!(message == FrontendMessage::Unknown || again == message, "{line:?}");
        if message == FrontendMessage::Quit {
            break;
        }
        let asks = message == FrontendMessage::Suggest;
        let answer = session.receive(message);
        assert!(answer.is_none_or(|answer| !matches!(answer, BotMessage::Unknown)));
        if asks && suggestions < SUGGESTIONS {
            suggestions += 1;
            let has_piece = session.has_piece_in_play();
            session.think(50);
            let suggestion = session.suggestion();
            assert_eq!(suggestion.is_some(), has_piece);
            if let Some(BotMessage::Suggestion { moves, .. }) = suggestion {
                for mv in moves {
                    let at = tetris::Placement::from(mv).at;
                    assert!(
                        at.cells()
                            .iter()
                            .all(|&(x, y)| (0..10).contains(&x) && (0..40).contains(&y))
                    );
                }
            }
        }
    }
}
