//! The points of fixed handicap stones, from section 4.1.1 of the GTP specification.

use crate::points::Point;
use std::vec::Vec;

/// Returns the maximum number of fixed handicap stones: 0 below side 7; 4 on side 7 and on even sides; 9 on
/// all others.
pub(super) fn max_stones(side: usize) -> usize {
    match side {
        0..7 => 0,
        7 => 4,
        _ if side.is_multiple_of(2) => 4,
        _ => 9,
    }
}

/// `count` is from 2 to [`max_stones`].
pub(super) fn points(side: usize, count: usize) -> Vec<Point> {
    let low = if side < 13 { 2 } else { 3 };
    let (middle, high) = (side / 2, side - 1 - low);
    let corners = [(low, low), (high, high), (low, high), (high, low)];
    let sides = [(low, middle), (high, middle), (middle, low), (middle, high)];
    let center = (count >= 5 && count % 2 == 1).then_some((middle, middle));
    // With an odd count, one stone goes to the center instead of a side.
    let others = count - usize::from(center.is_some());
    let places = corners.into_iter().chain(sides).take(others).chain(center);
    places.map(|(x, y)| Point { x: x as u8, y: y as u8 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    fn text(side: usize, count: usize) -> std::string::String {
        points(side, count).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_places_of_the_table() {
        assert_eq!(text(19, 3), "D4 Q16 D16");
        assert_eq!(text(19, 5), "D4 Q16 D16 Q4 K10");
        assert_eq!(text(19, 9), "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10");
        assert_eq!(text(9, 7), "C3 G7 C7 G3 C5 G5 E5");
        assert_eq!(text(13, 8), "D4 K10 D10 K4 D7 K7 G4 G10");
        assert_eq!([5, 7, 8, 9, 13, 19].map(max_stones), [0, 4, 4, 9, 9, 9]);
    }
}
