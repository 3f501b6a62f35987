//! Every parser and constructor of `match3` for untrusted text and numbers. Accepted text is
//! printed and parsed again.

use super::properties::values::{any_axis, cell};
use crate::kit::{Input, read_as, same_again, same_form};
use bitcore::Rng;
use match3::groups::{Group, Shape};
use match3::journal::{ParseEventError, parse_journal};
use match3::special::{Special, SpecialBoard, SpecialEvent};
use match3::{
    Batch, Board, Board8, Cell, Colors, Error, Event, Game, PlayerKind, RandomColors, Rules, Swap,
    deal, has_swap, parse_boards, replay, swaps, try_swap,
};
use std::fmt::{Debug, Display};
use std::str::FromStr;

pub(crate) fn doors(data: &[u8]) {
    if let [253, text @ ..] = data {
        return saved(&String::from_utf8_lossy(text));
    }
    let input = Input::new(data);
    match input.below(9) {
        0 => board(&input.text()),
        1 => boards(&input.text()),
        2 => drop(journal::<Event>(&input.text())),
        3 => drop(journal::<SpecialEvent>(&input.text())),
        4 => replays(&input.text()),
        5 => names(&input.text()),
        6 => batch(&input),
        7 => numbers(&input),
        _ => boards_of_numbers(&input),
    }
}

fn saved(text: &str) {
    read_as!(same_form(text): Board, Board8, SpecialBoard, Vec<Event>, Swap, Rules);
    if let Some([mut colors, _]) = same_form::<RandomColors>(text) {
        assert!((0..200).all(|_| (1..=colors.count()).contains(&colors.next())));
    }
}

fn board(text: &str) {
    if let Ok(board) = same_again::<Board>(text) {
        assert_eq!(parse_boards(text), Ok(vec![board]));
    }
}

fn boards(text: &str) {
    if let Ok(boards) = parse_boards(text) {
        let printed: Vec<String> = boards.iter().map(ToString::to_string).collect();
        assert_eq!(parse_boards(&printed.join("\n\n")).as_ref(), Ok(&boards));
    }
}

fn journal<E: FromStr<Err = ParseEventError> + Display + PartialEq + Debug>(
    text: &str,
) -> Option<Vec<E>> {
    let events = parse_journal::<E>(text).ok()?;
    let printed: String = events.iter().map(|event| format!("{event}\n")).collect();
    assert_eq!(parse_journal::<E>(&printed).as_ref(), Ok(&events));
    Some(events)
}

/// A board, a line `-`, and a journal.
fn replays(text: &str) {
    let Some((start, events)) = text.split_once("\n-\n") else { return };
    let Ok(start) = start.parse::<Board>() else { return };
    if let Some(events) = journal::<Event>(events) {
        let mut board = start.clone();
        // A refused journal changes nothing, and can be replayed up to the refused event.
        if let Err(error) = replay(&mut board, &events) {
            assert_eq!(board, start);
            assert_eq!(replay(&mut board, &events[..error.index]), Ok(()));
        }
    } else if let Some(events) = journal::<SpecialEvent>(events) {
        let start = SpecialBoard::from(start);
        let mut board = start.clone();
        if let Err(error) = board.replay(&events) {
            assert_eq!(board, start);
            assert_eq!(board.replay(&events[..error.index]), Ok(()));
        }
    }
}

fn names(text: &str) {
    read_as!(same_again(text): Event, SpecialEvent, Special, Shape, PlayerKind, Swap);
}

fn batch(input: &Input) {
    let rules = Rules {
        width: if input.flag() { input.size() } else { input.below(18) },
        height: if input.flag() { input.size() } else { input.below(18) },
        colors: input.byte() % 20,
        moves: input.byte().into(),
    };
    // A board size without legal swaps costs ten thousand deals.
    if rules.width.max(rules.height) < 5 && input.byte() != 7 {
        return;
    }
    // Either few enough games to fit into memory, or so many that they never do.
    let n =
        if input.flag() { input.below(4) } else { usize::MAX - input.size() % (usize::MAX >> 8) };
    let none = Batch::new(0, rules, 1).map(|_| ());
    match Batch::new(n, rules, 1) {
        Ok(batch) => {
            assert_eq!(none, Ok(()));
            assert_eq!(batch.len(), n);
        }
        Err(_) => assert!(none.is_err() || n > 4, "{rules:?}"),
    }
}

/// Swaps, actions and groups of arbitrary numbers, including swaps that exist on no board.
fn numbers(input: &Input) {
    let axis = any_axis(input);
    let width = input.size();
    let height = input.size();
    let swap = Swap { x: input.size(), y: input.size(), axis };
    if let Some(action) = swap.action(width, height) {
        assert!(action < Swap::actions(width, height));
        assert_eq!(Swap::from_action(action, width, height), Some(swap));
    }
    let action = input.size();
    match Swap::from_action(action, width, height) {
        Some(swap) => assert_eq!(swap.action(width, height), Some(action)),
        None => assert!(action >= Swap::actions(width, height)),
    }
    let a = (input.size(), input.size());
    let b = (input.size(), input.size());
    assert_eq!(Swap::between(a, b), Swap::between(b, a));
    assert!(Swap::between(a, b).is_none_or(|swap| [[a, b], [b, a]].contains(&swap.cells())));
    refused_swaps(swap);
    let cells = input.list(input.below(12), || (input.size(), input.size()));
    if let Some(group) = Group::new(input.byte(), &cells) {
        let event = Event::Match { level: input.u64(), group };
        assert_eq!(event.to_string().parse(), Ok(event));
    }
}

/// A swap on boards that hardly ever contain its cells: it must fail and change nothing.
fn refused_swaps(swap: Swap) {
    let start: Board = "1213\n3122\n2331".parse().expect("a board");
    let mut board = start.clone();
    let legal = swaps(&start).contains(swap);
    assert_eq!(has_swap(&start), !swaps(&start).is_empty());
    let mut planes: Board8 = Board8::try_from(&start).expect("three colors");
    let mut special = SpecialBoard::from(start.clone());
    let mut draw = || 5;
    assert_eq!(planes.swaps().contains(swap), legal);
    if legal {
        return;
    }
    let error = try_swap(&mut board, swap, &mut draw, &mut ()).expect_err("an illegal swap");
    assert_eq!(planes.try_swap(swap, &mut draw), Err(error));
    assert_eq!(special.try_swap(swap, &mut draw, &mut ()), Err(error));
    assert_eq!(Board::from(planes), start.clone());
    assert_eq!(special.board(), &start);
    let events = [Event::Swap(swap), Event::Fall { from: (swap.x, 0), to: (0, swap.y) }];
    assert!(replay(&mut board, &events).is_err());
    assert_eq!(board, start);
}

fn boards_of_numbers(input: &Input) {
    let width = input.size();
    let height = input.size();
    match Board::new(width, height) {
        Ok(board) => {
            assert!(board.to_string().parse() == Ok(board.clone()));
            let rules = Rules { width, height, ..Rules::default() };
            assert_eq!(Game::with_board(rules, &board).is_ok(), width <= 16 && height <= 16);
        }
        Err(error) => assert_eq!(error, Error::Size { width, height, longest: 64 }),
    }
    let colors = input.byte();
    assert_eq!(RandomColors::new(colors, Rng::new(1)).is_ok(), (1..=15).contains(&colors));
    if width.min(height) < 3 || width.max(height) > 64 {
        let _ = deal(width, height, colors, &mut Rng::new(input.u64()));
    }
    let width = input.below(12);
    let height = input.below(12);
    let cells: Vec<Cell> = input.rest().iter().map(|&byte| cell(byte)).collect();
    match Board::from_cells(width, height, cells.clone()) {
        Ok(board) => {
            assert_eq!(board.width(), width);
            assert_eq!(board.height(), height);
            assert_eq!(board.cells(), &cells[..]);
            assert_eq!(board.to_string().parse(), Ok(board));
        }
        Err(Error::Size { .. }) => assert!(width == 0 || height == 0),
        Err(Error::Cells { expected, .. }) => assert_ne!(expected, cells.len()),
        Err(error) => panic!("{error}"),
    }
}
