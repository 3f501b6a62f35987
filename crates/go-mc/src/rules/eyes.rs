//! The eyes of a whole board as sets of points.

use crate::rules::points::Points;

/// Returns the eyelike points of a color: the empty points whose neighbors on the board are all in
/// `stones`, the stones of that color.
#[inline(always)]
pub fn eyelike<const N: usize, const W: usize>(stones: Points<N, W>) -> Points<N, W> {
    !stones - (!stones).neighbors()
}

/// Returns the real eyes among `eyelike` points: the points with fewer than two lost diagonals.
/// Each diagonal neighbor in `hostile` is lost; on the edge of the board one more counts as lost.
///
/// With the enemy stones as `hostile`, these are the eyes that light playouts never fill. With all
/// points except own stones and own eyelike points as `hostile`, they are `FooGo`'s *real* eyes: at
/// least 3 good diagonals in the interior, 2 on an edge, 1 in a corner.
#[inline(always)]
pub fn real_eyes<const N: usize, const W: usize>(
    eyelike: Points<N, W>,
    hostile: Points<N, W>,
) -> Points<N, W> {
    if eyelike.is_empty() {
        return eyelike;
    }
    let mut once = Points::EDGE;
    let mut twice = Points::EMPTY;
    let [a, b, c, d] = hostile.diagonal_shifts();
    twice |= once & a;
    once |= a;
    twice |= once & b;
    once |= b;
    twice |= once & c;
    once |= c;
    eyelike - twice - (once & d)
}
