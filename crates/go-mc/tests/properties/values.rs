//! Takes the values of Go from an input.

use bitcore::Rng;
use go_mc::{Board, Color, Ko, Point, Points, Rules, Size, Suicide};
use testkit::Input;

pub(crate) const COLORS: [Color; 2] = Color::ALL;
pub(crate) const KOS: [Ko; 3] = [Ko::Simple, Ko::Positional, Ko::Situational];
pub(crate) const SUICIDES: [Suicide; 3] = [Suicide::Forbidden, Suicide::Multi, Suicide::All];

pub(crate) fn rules(input: &Input) -> Rules {
    Rules { ko: *input.pick(&KOS), suicide: *input.pick(&SUICIDES), ..Rules::default() }
}

pub(crate) fn square(side: usize) -> Rules {
    Size::square(side).expect("a size").into()
}

/// Takes a size, usually a small one, where captures are frequent.
pub(crate) fn size(input: &Input) -> Size {
    let most = if input.below(16) == 0 { 19 } else { 5 };
    Size::new(1 + input.below(most), 1 + input.below(most)).expect("a size")
}

/// Takes a point, usually on the board.
pub(crate) fn point(input: &Input, size: Size) -> Point {
    let x = input.byte();
    let y = input.byte();
    if x == 255 {
        Point { x: y, y: x }
    } else {
        Point { x: x % size.width() as u8, y: y % size.height() as u8 }
    }
}

/// Fills a board with random moves of both colors, eyes included; some are illegal, some capture.
pub(crate) fn fill(board: &mut Board, rng: &mut Rng) {
    let points = board.size().points().len();
    for number in 0..rng.below(2 * points) {
        let empty = board.empty();
        let color = COLORS[number as usize % 2];
        let Some(index) = empty.select(rng.below(empty.len().max(1))) else { return };
        // An illegal move is skipped.
        let _ = board.play(color, Points::<19>::point(index), Suicide::Multi);
    }
}
