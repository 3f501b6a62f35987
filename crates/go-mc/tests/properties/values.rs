//! What the targets of a game take from their input.

use go_mc::{Color, Ko, Point, Rules, Size, Suicide};
use testkit::Input;

pub(crate) const COLORS: [Color; 2] = Color::ALL;
pub(crate) const SUICIDES: [Suicide; 3] = [Suicide::Forbidden, Suicide::Multi, Suicide::All];

pub(crate) fn rules(input: &Input) -> Rules {
    let ko = *input.pick(&[Ko::Simple, Ko::Positional, Ko::Situational]);
    Rules { ko, suicide: *input.pick(&SUICIDES) }
}

/// Takes a size, mostly a small one, where captures are frequent.
pub(crate) fn size(input: &Input) -> Size {
    let most = if input.below(16) == 0 { 19 } else { 5 };
    Size::new(1 + input.below(most), 1 + input.below(most)).expect("a size")
}

/// Takes a point of the board, or, now and then, any.
pub(crate) fn point(input: &Input, size: Size) -> Point {
    let (x, y) = (input.byte(), input.byte());
    if x == 255 {
        Point { x: y, y: x }
    } else {
        Point { x: x % size.width() as u8, y: y % size.height() as u8 }
    }
}
