//! Every type of `go-mc` that changes, as a program of operations against plain code on every level.

mod boards;
mod chains;
mod doors;
mod plain;
mod playouts;
mod searches;
mod session;

pub(crate) use doors::doors;

use crate::kit::Input;
use go_mc::{Color, Ko, Point, Rules, Size, Suicide};

pub(crate) fn machines(data: &[u8]) {
    let input = Input::new(data);
    match input.below(32) {
        0..=7 => boards::board(&input),
        8..=15 => boards::game(&input),
        16 => boards::perft(&input),
        17..=19 => chains::points(&input),
        20..=24 => chains::chains::<5>(&input),
        25 => chains::chains::<9>(&input),
        26 => chains::chains::<19>(&input),
        27 => playouts::simd(&input),
        28 => playouts::sequential(&input),
        29 => playouts::portions(&input),
        _ => searches::search(&input),
    }
}

const COLORS: [Color; 2] = Color::ALL;
const SUICIDES: [Suicide; 3] = [Suicide::Forbidden, Suicide::Multi, Suicide::All];

fn rules(input: &Input) -> Rules {
    let ko = *input.pick(&[Ko::Simple, Ko::Positional, Ko::Situational]);
    Rules { ko, suicide: *input.pick(&SUICIDES) }
}

/// Takes a size, mostly a small one, where captures are frequent.
fn size(input: &Input) -> Size {
    let most = if input.below(16) == 0 { 19 } else { 5 };
    Size::new(1 + input.below(most), 1 + input.below(most)).expect("a size")
}

/// Takes a point of the board, or, now and then, any.
fn point(input: &Input, size: Size) -> Point {
    let (x, y) = (input.byte(), input.byte());
    if x == 255 {
        Point { x: y, y: x }
    } else {
        Point { x: x % size.width() as u8, y: y % size.height() as u8 }
    }
}
