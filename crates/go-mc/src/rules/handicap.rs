//! The points of handicap stones: of fixed ones from section 4.1.1 of the GTP specification.

use crate::rules::board::Size;
use crate::rules::points::Point;
use alloc::vec::Vec;

/// Returns the points of fixed handicap stones, in the order of the GTP specification. `None`
/// unless the board has this number of them: from 2 to 9, on sides of 7 and even sides to 4; boards
/// with a side below 7 have none.
///
/// ```
/// use go_mc::{Board, Color, Game, Points, Rules, fixed_handicap};
/// let rules = Rules::default();
/// let points = fixed_handicap(rules.size, 2).unwrap();
/// assert_eq!(points, ["C3".parse()?, "G7".parse()?]);
/// let stones: Points<19> = points.into_iter().filter_map(Points::<19>::index).collect();
/// let board = Board::from_stones(rules.size, stones, Points::EMPTY).unwrap();
/// let game = Game::from_board(board, Color::White, rules);
/// # assert_eq!(game.board().stones(Color::Black).len(), 2);
/// # Ok::<(), go_mc::Error>(())
/// ```
pub fn fixed_handicap(size: Size, stones: usize) -> Option<Vec<Point>> {
    let most = most_fixed(size.width()).min(most_fixed(size.height()));
    (2..=most).contains(&stones).then(|| star_points(size, stones))
}

/// Returns the points of any number of handicap stones from 2 to all points but one, otherwise
/// `None`: the fixed ones, then each time the empty point farthest from its nearest stone, where
/// the edge counts as a row of stones.
///
/// ```
/// use go_mc::{Size, free_handicap};
/// let points = free_handicap(Size::square(19).unwrap(), 13).unwrap();
/// assert_eq!(points[9..], ["N13", "G13", "N7", "G7"].map(|point| point.parse().unwrap()));
/// assert_eq!(free_handicap(Size::square(5).unwrap(), 25), None);
/// ```
pub fn free_handicap(size: Size, stones: usize) -> Option<Vec<Point>> {
    let width = size.width();
    let height = size.height();
    if !(2..width * height).contains(&stones) {
        return None;
    }
    let mut points = star_points(size, stones.min(9));
    // Of small boards some star points coincide.
    let mut seen = Vec::new();
    points.retain(|&point| {
        let is_new = !seen.contains(&point);
        seen.push(point);
        is_new
    });
    let all = || (0..height as u8).flat_map(|y| (0..width as u8).map(move |x| Point { x, y }));
    while points.len() < stones {
        let distance = |point: &Point| {
            let to_stones = points.iter().map(|stone| square_distance(*point, *stone));
            let lines = [(point.x, width), (point.y, height)]
                .map(|(place, side)| usize::from(place).min(side - 1 - usize::from(place)));
            // From a stone mirrored at the edge.
            let to_edges = lines.map(|line| (2 * line + 1).pow(2));
            to_stones.chain(to_edges).min()
        };
        points.push(all().filter(|point| !points.contains(point)).max_by_key(distance)?);
    }
    Some(points)
}

fn most_fixed(side: usize) -> usize {
    match side {
        0..7 => 0,
        7 => 4,
        _ if side.is_multiple_of(2) => 4,
        _ => 9,
    }
}

/// Returns 2 to 9 points: corners, then sides, and for odd numbers from 5 the center instead of a
/// side.
fn star_points(size: Size, count: usize) -> Vec<Point> {
    let [[left, middle, right], [bottom, center, top]] = [size.width(), size.height()].map(lines);
    let corners = [(left, bottom), (right, top), (left, top), (right, bottom)];
    let sides = [(left, center), (right, center), (middle, bottom), (middle, top)];
    let tengen = (count >= 5 && count % 2 == 1).then_some((middle, center));
    let others = count - usize::from(tengen.is_some());
    let places = corners.into_iter().chain(sides).take(others).chain(tengen);
    places.map(|(x, y)| Point { x, y }).collect()
}

/// Returns the lines with star points along one side.
fn lines(side: usize) -> [u8; 3] {
    let low = match side {
        0..3 => 0,
        3..7 => 1,
        7..13 => 2,
        _ => 3,
    };
    [low, side / 2, side - 1 - low].map(|line| line as u8)
}

fn square_distance(point: Point, other: Point) -> usize {
    let x = point.x.abs_diff(other.x);
    let y = point.y.abs_diff(other.y);
    usize::from(x).pow(2) + usize::from(y).pow(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};

    fn text(width: usize, height: usize, count: usize) -> Option<String> {
        let points = fixed_handicap(Size::new(width, height).unwrap(), count)?;
        Some(points.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn the_places_of_the_table() {
        for (width, height, count, expected) in [
            (19, 19, 3, "D4 Q16 D16"),
            (19, 19, 5, "D4 Q16 D16 Q4 K10"),
            (19, 19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
            (9, 9, 7, "C3 G7 C7 G3 C5 G5 E5"),
            (13, 13, 8, "D4 K10 D10 K4 D7 K7 G4 G10"),
            (9, 13, 6, "C4 G10 C10 G4 C7 G7"),
        ] {
            assert_eq!(text(width, height, count).as_deref(), Some(expected));
        }
        for (side, most) in [(1, 0), (6, 0), (7, 4), (8, 4), (9, 9), (13, 9), (19, 9)] {
            let counts: Vec<usize> =
                (0..30).filter(|&count| text(side, side, count).is_some()).collect();
            assert_eq!(counts, (2..=most).collect::<Vec<_>>(), "{side}");
        }
        assert_eq!(text(9, 8, 5), None);
    }

    #[test]
    fn free_stones_are_on_different_points() {
        for size in
            (1..=7).flat_map(|width| (1..=7).filter_map(move |height| Size::new(width, height)))
        {
            let all = size.points();
            let most = all.len() as usize;
            for count in 0..=most {
                let points = free_handicap(size, count);
                assert_eq!(points.is_some(), (2..most).contains(&count), "{size}: {count}");
                let Some(points) = points else { continue };
                let set: crate::Points<19> =
                    points.iter().filter_map(|&point| crate::Points::<19>::index(point)).collect();
                assert_eq!(set.len() as usize, count, "{size}");
                assert_eq!(set & all, set);
            }
        }
    }
}
