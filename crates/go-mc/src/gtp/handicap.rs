//! The points of handicap stones: of fixed ones from section 4.1.1 of the GTP specification.

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

/// Returns the points of fixed handicap stones. `count` is from 2 to [`max_stones`], but small boards also
/// have nine of them.
pub(super) fn points(side: usize, count: usize) -> Vec<Point> {
    let low = match side {
        0..7 => 1,
        7..13 => 2,
        _ => 3,
    };
    let (middle, high) = (side / 2, side - 1 - low);
    let corners = [(low, low), (high, high), (low, high), (high, low)];
    let sides = [(low, middle), (high, middle), (middle, low), (middle, high)];
    let center = (count >= 5 && count % 2 == 1).then_some((middle, middle));
    // With an odd count, one stone goes to the center instead of a side.
    let others = count - usize::from(center.is_some());
    let places = corners.into_iter().chain(sides).take(others).chain(center);
    places.map(|(x, y)| Point { x: x as u8, y: y as u8 }).collect()
}

/// Returns any number of points for handicap stones, up to all points: the fixed ones, then each time the
/// empty point farthest from its nearest stone, where the edge counts as a row of stones.
pub(super) fn free_points(side: usize, count: usize) -> Vec<Point> {
    let mut points = points(side, count.min(9));
    let all = || (0..side as u8).flat_map(|y| (0..side as u8).map(move |x| Point { x, y }));
    while points.len() < count {
        let distance = |point: &Point| {
            let stones = points.iter().map(|stone| square_distance(*point, *stone));
            let lines = [point.x, point.y].map(|place| usize::from(place).min(side - 1 - usize::from(place)));
            // From a stone mirrored at the edge.
            let edges = lines.map(|line| (2 * line + 1).pow(2));
            stones.chain(edges).min()
        };
        let Some(point) = all().filter(|point| !points.contains(point)).max_by_key(distance) else { break };
        points.push(point);
    }
    points
}

fn square_distance(point: Point, other: Point) -> usize {
    let (x, y) = (point.x.abs_diff(other.x), point.y.abs_diff(other.y));
    usize::from(x).pow(2) + usize::from(y).pow(2)
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
