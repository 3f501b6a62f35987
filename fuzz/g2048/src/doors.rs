//! Every entry of `g2048` for foreign text, bytes and numbers. What is taken is printed, and taken again.

use crate::checksum::file;
use bitcore::{Level, Rng};
use fuzzkit::Input;
use g2048::expectimax::{Expectimax, Limits};
use g2048::network::{Learner, Network, Settings};
use g2048::{Autoreset, Batch, Board, Boards32, Direction, GameResult, Packed, Size, StepBuffers};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::cell::Cell;
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
        0 => same_again::<Board>(&input.text()),
        1 => same_again::<Size>(&input.text()),
        2 => drop(Network::load(input.rest())),
        3 => drop(Learner::load(input.rest())),
        4 => learner(input.rest()),
        5 => ranks(&mut input),
        6 => batch(&mut input),
        7 => search(&mut input),
        _ => settings(&mut input),
    }
}

fn saved(text: &str) {
    same_form::<Size>(text);
    same_form::<Packed>(text);
    same_form::<Direction>(text);
    same_form::<GameResult>(text);
    same_form::<Rng>(text);
    if let Some(mut board) = same_form::<Board>(text) {
        board.spawn(&mut Rng::new(1));
        board.slide(Direction::Left);
    }
}

/// Parses, prints, and parses again.
fn same_again<T: FromStr<Err: Debug + Display> + Display + PartialEq + Debug>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => assert_eq!(value.to_string().parse::<T>().as_ref().ok(), Some(&value), "{text:?}"),
        Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
    }
}

/// The content of a learner's file behind a valid header, before a valid checksum: what loads can learn.
fn learner(content: &[u8]) {
    let Ok(mut learner) = Learner::load(&file(*b"2048-lrn", content)) else { return };
    let before = (learner.rounds(), learner.moves(), learner.games());
    learner.learn(3);
    assert!(learner.rounds() == before.0 + 3 && learner.moves() >= before.1 && learner.games() >= before.2);
}

fn any_size(input: &mut Input<'_>) -> Size {
    Size::new(2 + input.below(7), 2 + input.below(7)).expect("a size")
}

fn ranks(input: &mut Input<'_>) {
    let (width, height) = (input.size(), input.size());
    assert_eq!(Size::new(width, height).is_ok(), (2..9).contains(&width) && (2..9).contains(&height));
    let packed = Packed::from_bits(input.u64());
    assert_eq!((packed.bits(), Packed::new(&packed.board())), (packed.bits(), Ok(packed)));
    let size = any_size(input);
    let ranks: Vec<u8> = input.take(80).to_vec();
    if let Ok(board) = Board::from_ranks(size, &ranks) {
        assert_eq!((board.size(), board.ranks()), (size, &ranks[..]));
        assert_eq!(board.to_string().parse(), Ok(board));
        let n = input.below(40);
        assert_eq!(Boards32::from_boards(&vec![board; n]).is_ok(), (1..33).contains(&n));
        let other = Board::empty(any_size(input));
        assert_eq!(Boards32::from_boards(&[board, other]).is_ok(), other.size() == size);
        let fits = size == Size::CLASSIC && board.max_rank() < 16;
        assert_eq!(Packed::new(&board).map(Packed::board).ok(), fits.then_some(board));
    }
}

const MODES: [Autoreset; 3] = [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled];

/// Numbers of games, actions and slices of a batch.
fn batch(input: &mut Input<'_>) {
    let level = if input.flag() { Level::detect() } else { Level::PORTABLE };
    let size = any_size(input);
    // Either so few games that they fit, or so many that they never do.
    let n = if input.flag() { input.below(40) } else { usize::MAX - input.size() % (usize::MAX >> 8) };
    let Ok(batch) = Batch::new_on(level, n, 1, size) else {
        assert!(n > 40);
        return;
    };
    let mut batch = batch.with_autoreset(*input.pick(&MODES));
    let mut buffers = StepBuffers::new(batch.shape());
    assert_eq!(batch.reset_into(&mut buffers.obs, &mut buffers.mask), Ok(()));
    let before = buffers.clone();
    let fill = input.u32();
    let mut actions: Vec<u32> = (0..input.below(6)).map(|_| input.byte().into()).collect();
    if input.flag() {
        actions.resize(n, fill);
    }
    if batch.step_into(&actions, buffers.out()).is_err() {
        assert_eq!(buffers, before);
    }
    buffers.obs.resize(input.size() % 4096, 0);
    let before = buffers.clone();
    let which: Vec<bool> = (0..input.below(6)).map(|_| input.flag()).collect();
    if batch.reset_some_into(&which, &mut buffers.obs, &mut buffers.mask).is_err() {
        assert_eq!(buffers, before);
    }
    if batch.random_step_into(buffers.out()).is_err() {
        assert_eq!(buffers, before);
    }
}

/// A search with any limits, any values, on any board, stopped after some time.
fn search(input: &mut Input<'_>) {
    let limits = Limits { depth: input.size() as u32, min_probability: f32::from_bits(input.u32()) };
    let (a, b) = (f32::from_bits(input.u32()), f32::from_bits(input.u32()));
    let value = |after: Packed| if after.bits() % 3 == 0 { a } else { b };
    let mut search = Expectimax::new(&value, limits);
    let size = if input.byte() < 16 { any_size(input) } else { Size::CLASSIC };
    let ranks: Vec<u8> = (0..size.cells()).map(|_| input.byte() % 51).collect();
    let board = Board::from_ranks(size, &ranks).expect("ranks of a board");
    let calls = Cell::new(0);
    let stop = || {
        calls.set(calls.get() + 1);
        calls.get() > 2
    };
    if let Ok(choice) = search.choose(&board, &stop) {
        let legal = board.legal_moves().next().is_some() && size == Size::CLASSIC;
        assert_eq!(choice.is_some(), legal, "{board:?}");
        assert!(choice.is_none_or(|choice| board.is_legal(choice.direction)), "{board:?}");
    }
}

fn settings(input: &mut Input<'_>) {
    let (games, rate) = (input.size(), f32::from_bits(input.u32()));
    let settings = Settings { concurrent_games: games, learning_rate: rate, coherence: input.flag() };
    let valid = (1..=64).contains(&games) && rate > 0.0 && rate <= 1.0;
    // A learner's tables cost some time.
    if !valid || input.byte() == 7 {
        assert_eq!(Learner::new(1, settings).is_ok(), valid, "{settings:?}");
    }
    let mut rng = Rng::new(input.u64());
    let board = Board::start(any_size(input), &mut rng);
    for direction in Direction::ALL {
        same_again::<Board>(&board.slide(direction).board.to_string());
    }
}
