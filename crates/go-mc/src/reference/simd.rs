//! A plain-code version of the games of [`SimdPlayouts`](crate::playout::SimdPlayouts).

use crate::playout::policy::Policy;
use crate::playout::results::{GameResult, MAX_PLIES_PER_POINT, Playout, simple_area};
use crate::playout::simd_playouts::TWO_LIBERTY_ROUNDS;
use crate::rules::board::{Board, Color, Size, Suicide};
use crate::rules::eyes;
use crate::rules::points::Points;
use crate::rules::position::Position;
use bitcore::Rng32;

/// Returns stones whose chains certainly have two liberties and can't be captured by a single
/// stone.
///
/// Starts from the stones with two empty neighbors and, of two adjacent stones with one empty
/// neighbor each, the left or lower one. Two rounds then extend along their chains: right along the
/// row as far as the stones continue, left by one stone, then up and down by one from there. Chains
/// in atari are never reached; some other chains are missed, too.
fn with_two_liberties<const N: usize>(stones: Points<N>, empty: Points<N>) -> Points<N> {
    let has_liberties = |p: usize, n| (Points::<N>::from_index(p).neighbors() & empty).len() >= n;
    let right_and_up = |p: usize| [p + 1, p + Points::<N>::STRIDE];
    let first = stones.iter().filter(|&p| {
        let right_or_upper = |q: &usize| stones.contains(*q) && has_liberties(*q, 1);
        has_liberties(p, 2) || has_liberties(p, 1) && right_and_up(p).iter().any(right_or_upper)
    });
    let mut reached: Points<N> = first.collect();
    for _ in 0..TWO_LIBERTY_ROUNDS {
        let mut rows = reached;
        for p in reached {
            (p..Points::<N>::INDEX_END)
                .take_while(|&q| stones.contains(q))
                .for_each(|q| rows.insert(q));
            if p > 0 && stones.contains(p - 1) {
                rows.insert(p - 1);
            }
        }
        let columns = rows.iter().flat_map(|p| [p.wrapping_sub(N + 1), p + N + 1]);
        reached = columns
            .filter(|&q| stones.contains(q))
            .fold(rows, |all, q| all | Points::from_index(q));
    }
    reached
}

/// Returns the candidate points of a [`SimdPlayouts`](crate::playout::SimdPlayouts) playout: the
/// empty points, except own real eyes and the ko point, that have as a neighbor an empty point, an
/// own stone, or an enemy stone not known to have two liberties.
///
/// The candidates are all legal moves that do not fill an own eye, and the suicides that take
/// longer to detect. Enemy stones known to have two liberties are: a stone with two empty
/// neighbors; of two adjacent stones with an empty neighbor each, the left or the lower one; and
/// the stones reached from these in two rounds, each right along the row as far as the stones
/// continue, left by one, then up and down by one.
///
/// ```
/// use go_mc::{Points, reference::candidates};
/// // White surrounds the corner with a chain of enough liberties: no candidate for Black.
/// let white = [1, 10, 11].into_iter().collect::<Points<9>>();
/// assert!(!candidates(Points::EMPTY, white, Points::EMPTY).contains(0));
/// ```
pub fn candidates<const N: usize>(own: Points<N>, enemy: Points<N>, ko: Points<N>) -> Points<N> {
    let empty = !(own | enemy);
    let eyes = eyes::real_eyes(eyes::eyelike(own), enemy);
    let useful = empty | own | (enemy - with_two_liberties(enemy, empty));
    (empty & useful.neighbors()) - eyes - ko
}

/// Plays game `number` of [`SimdPlayouts`](crate::playout::SimdPlayouts) under a seed, on a
/// [`Board`].
///
/// # Panics
///
/// If the position has a chain without a liberty, or there is no board size `N`.
pub fn simd_playout<const N: usize>(
    start: &Position<N>,
    policy: Policy,
    seed: u64,
    number: u64,
) -> Playout<N> {
    let mut rng = Rng32::stream(seed, number);
    let suicide = if policy == Policy::MultiSuicide { Suicide::Multi } else { Suicide::Forbidden };
    let size = Size::new(N, N).expect("a size");
    let [black, white] = Color::ALL.map(|color| start.stones(color).resized());
    let mut board = Board::from_stones(size, black, white).expect("chains with liberties");
    let mut color = start.to_move();
    let mut ko = start.ko();
    let mut stones = 0;
    let mut plies = 0;
    let mut passes = u32::from(start.passed());
    let mut first_played = [Points::EMPTY; 2];
    while passes < 2 && plies < MAX_PLIES_PER_POINT * (N * N) as u32 {
        let [own, enemy] = [color, color.other()].map(|color| board.stones(color).resized());
        let mut left = candidates(own, enemy, ko);
        let played = loop {
            if left.is_empty() {
                break None;
            }
            let drawn =
                left.iter().nth(rng.below(left.len()) as usize).expect("below their number");
            // The candidates exclude the ko point, even the start's ko point, which `board` does
            // not know.
            if board.play(color, Points::<N>::point(drawn), suicide).is_ok() {
                break Some(drawn);
            }
            left.remove(drawn);
        };
        if let Some(index) = played {
            (stones, passes) = (stones + 1, 0);
            if !first_played[color.other() as usize].contains(index) {
                first_played[color as usize].insert(index);
            }
        } else {
            board.pass();
            passes += 1;
        }
        plies += 1;
        color = color.other();
        ko = board.ko(color).and_then(Points::<N>::index).map_or(Points::EMPTY, Points::from_index);
    }
    let end = Color::ALL.map(|color| board.stones(color).resized());
    Playout {
        number,
        result: GameResult { stones, plies, area: simple_area(end) },
        stones: end,
        first_played,
    }
}
