//! Every type of `go-mc` that changes, as a program of operations against plain code on every level.

mod boards;
mod chains;
mod plain;
mod playouts;
mod searches;

use fuzzkit::Input;
use go_mc::{Color, Ko, Point, Rules, Size, Suicide};

/// Runs the bytes as a program of one machine, chosen by the first byte.
pub fn machines(data: &[u8]) {
    let mut input = Input::new(data);
    match input.below(32) {
        0..=7 => boards::board(&mut input),
        8..=15 => boards::game(&mut input),
        16 => boards::perft(&mut input),
        17..=19 => chains::points(&mut input),
        20..=24 => chains::chains::<5>(&mut input),
        25 => chains::chains::<9>(&mut input),
        26 => chains::chains::<19>(&mut input),
        27 => playouts::simd(&mut input),
        28 => playouts::sequential(&mut input),
        29 => playouts::portions(&mut input),
        _ => searches::search(&mut input),
    }
}

const COLORS: [Color; 2] = Color::ALL;
const SUICIDES: [Suicide; 3] = [Suicide::Forbidden, Suicide::Multi, Suicide::All];

fn rules(input: &mut Input) -> Rules {
    let ko = *input.pick(&[Ko::Simple, Ko::Positional, Ko::Situational]);
    Rules { ko, suicide: *input.pick(&SUICIDES) }
}

/// Takes a size, mostly a small one, where captures are frequent.
fn size(input: &mut Input) -> Size {
    let most = if input.below(16) == 0 { 19 } else { 5 };
    Size::new(1 + input.below(most), 1 + input.below(most)).expect("a size")
}

/// Takes a point of the board, or, now and then, any.
fn point(input: &mut Input, size: Size) -> Point {
    let (x, y) = (input.byte(), input.byte());
    if x == 255 {
        Point { x: y, y: x }
    } else {
        Point { x: x % size.width() as u8, y: y % size.height() as u8 }
    }
}
