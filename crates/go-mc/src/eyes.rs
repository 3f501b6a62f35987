//! Eyes of a whole board at once.

use crate::points::Points;

/// The points outside `stones` whose neighbors on the board are all in `stones`.
#[inline(always)]
pub fn surrounded<const N: usize>(stones: Points<N>) -> Points<N> {
    !stones - (!stones).neighbors()
}

/// The points of `eyes` with fewer than two strikes: one for each diagonal neighbor in `bad`, one more on the edge.
///
/// With the opponent's stones as `bad` these are the eyes that light playouts leave alone. With everything but own
/// stones and own eyes they are `FooGo`'s *real* eyes: at least 3 good diagonals inside, 2 on an edge, 1 in a corner.
#[inline(always)]
pub fn sound<const N: usize>(eyes: Points<N>, bad: Points<N>) -> Points<N> {
    if eyes.is_empty() {
        return eyes;
    }
    let (mut once, mut twice) = (Points::EDGE, Points::EMPTY);
    let [a, b, c, d] = bad.each_diagonal();
    twice |= once & a;
    once |= a;
    twice |= once & b;
    once |= b;
    twice |= once & c;
    once |= c;
    eyes - twice - (once & d)
}
