//! Eyes of a whole board at once.

use crate::points::Points;

/// The points outside `stones` whose neighbors on the board are all in `stones`.
#[inline(always)]
pub fn eyelike<const N: usize>(stones: Points<N>) -> Points<N> {
    !stones - (!stones).neighbors()
}

/// The points of `eyes` with fewer than two strikes: one for each diagonal neighbor in `hostile`, one more on the edge.
///
/// With the opponent's stones as `hostile` these are the eyes that light playouts leave alone. With everything but own
/// stones and own eyes they are `FooGo`'s *real* eyes: at least 3 good diagonals inside, 2 on an edge, 1 in a corner.
#[inline(always)]
pub fn real_eyes<const N: usize>(eyelike: Points<N>, hostile: Points<N>) -> Points<N> {
    if eyelike.is_empty() {
        return eyelike;
    }
    let (mut once, mut twice) = (Points::EDGE, Points::EMPTY);
    let [a, b, c, d] = hostile.diagonal_shifts();
    twice |= once & a;
    once |= a;
    twice |= once & b;
    once |= b;
    twice |= once & c;
    once |= c;
    eyelike - twice - (once & d)
}
