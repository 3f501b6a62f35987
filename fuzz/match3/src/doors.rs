//! Every entry of `match3` for foreign text and numbers. What is taken is printed, and taken again.

use bitcore::batch::{Autoreset, StepBuffers};
use bitcore::{Level, Rng};
use fuzzkit::Input;
use match3::agent::Rollout;
use match3::board::BoardError;
use match3::colors::{Colors, RandomColors};
use match3::groups::{Group, Shape};
use match3::journal::{ParseEventError, parse_journal};
use match3::planes::{AnyBoard, Layout};
use match3::special::{Special, SpecialBoard, SpecialEvent};
use match3::text::parse_boards;
use match3::{Axis, Batch, Board, Board8, Cell, Event, Rules, Swap, deal, has_swap, replay, swaps, try_swap};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::{Debug, Display};
use std::str::FromStr;

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

/// Hands the bytes to one entry, chosen by the first one.
pub fn doors(data: &[u8]) {
    if let Some((&SAVED, rest)) = data.split_first() {
        return saved(&String::from_utf8_lossy(rest));
    }
    let mut input = Input::new(data);
    match input.below(9) {
        0 => board(&input.text()),
        1 => boards(&input.text()),
        2 => drop(journal::<Event>(&input.text())),
        3 => drop(journal::<SpecialEvent>(&input.text())),
        4 => replays(&input.text()),
        5 => names(&input.text()),
        6 => batch(&mut input),
        7 => numbers(&mut input),
        _ => boards_of_numbers(&mut input),
    }
}

fn saved(text: &str) {
    same_form::<Board>(text);
    same_form::<Board8>(text);
    same_form::<SpecialBoard>(text);
    same_form::<Vec<Event>>(text);
    same_form::<Swap>(text);
    same_form::<Rules>(text);
    if let Some(mut colors) = same_form::<RandomColors>(text) {
        assert!((0..200).all(|_| (1..=colors.count()).contains(&colors.next())));
    }
}

/// Parses, prints, and parses again.
fn same_again<T: FromStr<Err: Debug + Display> + Display + PartialEq + Debug>(text: &str) -> Option<T> {
    match text.parse::<T>() {
        Ok(value) => {
            assert_eq!(value.to_string().parse::<T>().as_ref().ok(), Some(&value), "{text:?}");
            Some(value)
        }
        Err(error) => {
            assert!(!error.to_string().contains('\n'), "{error}");
            None
        }
    }
}

fn board(text: &str) {
    if let Some(board) = same_again::<Board>(text) {
        assert_eq!(parse_boards(text), Ok(vec![board]));
    }
}

fn boards(text: &str) {
    if let Ok(boards) = parse_boards(text) {
        let printed: Vec<String> = boards.iter().map(ToString::to_string).collect();
        assert_eq!(parse_boards(&printed.join("\n\n")).as_ref(), Ok(&boards));
    }
}

fn journal<E: FromStr<Err = ParseEventError> + Display + PartialEq + Debug>(text: &str) -> Option<Vec<E>> {
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
        // A refused journal changes nothing; up to the event that was refused it can be replayed.
        if let Err(error) = replay(&mut board, &events) {
            assert_eq!(board, start);
            assert_eq!(replay(&mut board, &events[..error.index]), Ok(()));
        }
    } else if let Some(events) = journal::<SpecialEvent>(events) {
        let start = SpecialBoard::new(start);
        let mut board = start.clone();
        if let Err(error) = board.replay(&events) {
            assert_eq!(board, start);
            assert_eq!(board.replay(&events[..error.index]), Ok(()));
        }
    }
}

fn names(text: &str) {
    same_again::<Event>(text);
    same_again::<SpecialEvent>(text);
    same_again::<Special>(text);
    same_again::<Shape>(text);
}

/// Rules, numbers of games, actions and slices of a batch.
fn batch(input: &mut Input<'_>) {
    let rules = Rules {
        width: if input.flag() { input.size() } else { input.below(18) },
        height: if input.flag() { input.size() } else { input.below(18) },
        colors: input.byte() % 20,
        moves: input.byte().into(),
    };
    // Boards without a swap cost ten thousand deals.
    if rules.width.max(rules.height) < 5 && input.byte() != 7 {
        return;
    }
    // Either so few games that they fit, or so many that they never do.
    let n = if input.flag() { input.below(4) } else { usize::MAX - input.size() % (usize::MAX >> 8) };
    let level = levels(input);
    let none = Batch::new_on(level, 0, 1, rules).map(|_| ());
    let Ok(batch) = Batch::new_on(level, n, 1, rules) else {
        assert!(none.is_err() || n > 4, "{rules:?}");
        return;
    };
    assert_eq!(none, Ok(()));
    let mut batch = batch.with_autoreset(*input.pick(&MODES));
    let mut buffers = StepBuffers::new(batch.shape());
    assert_eq!(batch.reset_into(&mut buffers.obs, &mut buffers.mask), Ok(()));
    let before = buffers.clone();
    let actions: Vec<u32> = (0..input.below(6)).map(|_| input.u16().into()).collect();
    if batch.step_into(&actions, buffers.out()).is_err() {
        assert_eq!(buffers, before);
    }
    buffers.obs.resize(input.size() % 4096, 0);
    buffers.mask.resize(input.size() % 4096, false);
    let before = buffers.clone();
    let which: Vec<bool> = (0..input.below(6)).map(|_| input.flag()).collect();
    if batch.reset_some_into(&which, &mut buffers.obs, &mut buffers.mask).is_err() {
        assert_eq!(buffers, before);
    }
    if batch.random_step_into(buffers.out()).is_err() {
        assert_eq!(buffers, before);
    }
}

const MODES: [Autoreset; 3] = [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled];

fn levels(input: &mut Input<'_>) -> Level {
    if input.flag() { Level::detect() } else { Level::PORTABLE }
}

/// Swaps, actions and groups of any numbers, and swaps that no board has.
fn numbers(input: &mut Input<'_>) {
    let axis = if input.flag() { Axis::Horizontal } else { Axis::Vertical };
    let (width, height) = (input.size(), input.size());
    let swap = Swap { x: input.size(), y: input.size(), axis };
    if let Some(action) = swap.action(width, height) {
        assert!(action < Swap::actions(width, height));
        assert_eq!(Swap::from_action(action, width, height), Some(swap));
    }
    let action = input.size();
    if let Some(swap) = Swap::from_action(action, width, height) {
        assert_eq!(swap.action(width, height), Some(action));
    } else {
        assert!(action >= Swap::actions(width, height));
    }
    let (a, b) = ((input.size(), input.size()), (input.size(), input.size()));
    assert_eq!(Swap::between(a, b), Swap::between(b, a));
    if let Some(swap) = Swap::between(a, b) {
        let [first, second] = swap.cells();
        assert!((first, second) == (a, b) || (first, second) == (b, a));
    }
    refused_swaps(swap);
    let cells: Vec<(usize, usize)> = (0..input.below(12)).map(|_| (input.size(), input.size())).collect();
    if let Some(group) = Group::new(input.byte(), &cells) {
        let event = Event::Match { level: input.u64(), group };
        assert_eq!(event.to_string().parse(), Ok(event));
    }
}

/// A swap on boards that hardly ever have such cells: an error, and nothing changed.
fn refused_swaps(swap: Swap) {
    let start: Board = "1213\n3122\n2331".parse().expect("a board");
    let mut board = start.clone();
    let legal = swaps(&start).contains(swap);
    assert_eq!(has_swap(&start), !swaps(&start).is_empty());
    let mut planes: Board8 = Board8::new(&start).expect("three colors");
    let mut special = SpecialBoard::new(start.clone());
    let mut draw = || 5;
    assert_eq!(planes.swaps().contains(swap), legal);
    if legal {
        return;
    }
    let error = try_swap(&mut board, swap, &mut draw, &mut ()).expect_err("an illegal swap");
    assert_eq!(planes.try_swap(swap, &mut draw), Err(error));
    assert_eq!(special.try_swap(swap, &mut draw, &mut ()), Err(error));
    assert_eq!((Board::from(planes), special.board()), (start.clone(), &start));
    assert!(
        replay(&mut board, &[Event::Swap(swap), Event::Fall { from: (swap.x, 0), to: (0, swap.y) }]).is_err()
    );
    assert_eq!(board, start);
}

/// Sizes, colors and cells of boards.
fn boards_of_numbers(input: &mut Input<'_>) {
    let (width, height) = (input.size(), input.size());
    match Board::new(width, height) {
        Ok(board) => {
            assert!(board.to_string().parse() == Ok(board.clone()));
            let layout = Layout::smallest(width, height, 7);
            assert_eq!(AnyBoard::new(layout, &board).is_ok(), width <= 16 && height <= 16);
        }
        Err(error) => assert_eq!(error, BoardError::Size { width, height }),
    }
    let colors = input.byte();
    assert_eq!(RandomColors::new(colors, Rng::new(1)).is_ok(), (1..=15).contains(&colors));
    assert_eq!(Rollout::new(1, colors, Rng::new(1)).is_ok(), (1..=15).contains(&colors));
    if width.min(height) < 3 || width.max(height) > 64 {
        let _ = deal(width, height, colors, &mut Rng::new(input.u64()));
    }
    let small = (input.below(12), input.below(12));
    let (height, cells) = (small.1, input.rest());
    let cells: Vec<Cell> = cells.iter().map(|&byte| cell(byte)).collect();
    let found = cells.len();
    match Board::from_cells(small.0, height, cells.clone()) {
        Ok(board) => {
            assert_eq!((board.width(), board.height(), board.cells()), (small.0, height, &cells[..]));
            assert_eq!(board.to_string().parse(), Ok(board));
        }
        Err(BoardError::Size { .. }) => assert!(small.0 == 0 || height == 0),
        Err(BoardError::Cells { expected, .. }) => assert_ne!(expected, found),
        Err(error) => panic!("{error}"),
    }
}

/// Returns the cell of any byte.
pub(crate) fn cell(byte: u8) -> Cell {
    let piece = Cell::new(1 + (byte & 0x3f) % 35).expect("a color");
    match byte {
        0..=63 => piece,
        64..=79 => Cell::EMPTY,
        80..=95 => Cell::BLOCKED,
        96..=127 => piece.locked(),
        // Few colors.
        _ => Cell::new(1 + byte % 7).expect("a color"),
    }
}
