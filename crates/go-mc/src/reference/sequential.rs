//! A plain-code version of the games of [`SequentialPlayouts`](crate::playout::SequentialPlayouts).

use crate::playout::policy::Policy;
use crate::playout::results::{GameResult, MAX_PLIES_PER_POINT, Playout, simple_area};
use crate::rules::board::{Board, Color, Size, Suicide};
use crate::rules::points::Points;
use crate::rules::position::Position;
use alloc::vec;
use alloc::vec::Vec;
use bitcore::Rng32;

/// The stones of each chain as a circular list of successors: the order in which captured points
/// are listed.
struct Cycles<const N: usize>(Vec<usize>);

impl<const N: usize> Cycles<N> {
    fn stones_from(&self, stone: usize) -> Vec<usize> {
        let mut cycle = vec![stone];
        while self.0[cycle[cycle.len() - 1]] != stone {
            cycle.push(self.0[cycle[cycle.len() - 1]]);
        }
        cycle
    }

    /// Joins a stone, still its own successor, with the cycle of each own neighbor (below, left,
    /// right, above) not yet in its cycle, by swapping their successors.
    fn join(&mut self, stone: usize, own: Points<N>) {
        for neighbor in
            Points::<N>::neighbor_indices(stone).into_iter().filter(|&q| own.contains(q))
        {
            if !self.stones_from(stone).contains(&neighbor) {
                self.0.swap(stone, neighbor);
            }
        }
    }

    /// Removes the cycle of a stone and returns it, starting at that stone.
    fn remove(&mut self, stone: usize) -> Vec<usize> {
        let cycle = self.stones_from(stone);
        for &taken in &cycle {
            self.0[taken] = taken;
        }
        cycle
    }
}

/// Plays game `number` of [`SequentialPlayouts`](crate::playout::SequentialPlayouts) under a seed,
/// on a [`Board`].
///
/// Removed stones are appended to the list of empty points in the following order. Captured chains
/// are ordered by their last stone below, left, right and above the move, and each is listed from
/// that stone along its cycle. The chain of a suicide is listed from the move. A new stone is a
/// cycle of one. It is joined with each adjacent own chain, again below, left, right and above, by
/// swapping the successors of the stone and its neighbor. The stones of the start are joined in the
/// same way, Black's before White's, each in point order.
///
/// # Panics
///
/// If the position has a chain without a liberty, or there is no board size `N`.
pub fn sequential_playout<const N: usize>(
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
    let mut cycles = Cycles::<N>((0..Points::<N>::INDEX_END).collect());
    for color in Color::ALL {
        let mut own = Points::EMPTY;
        for index in start.stones(color) {
            cycles.join(index, own);
            own.insert(index);
        }
    }
    let mut list: Vec<usize> = board.empty().resized::<N>().iter().collect();
    let mut color = start.to_move();
    let mut ko = start.ko();
    let mut stones = 0;
    let mut plies = 0;
    let mut passes = u32::from(start.passed());
    let mut first_played = [Points::EMPTY; 2];
    while passes < 2 && plies < MAX_PLIES_PER_POINT * (N * N) as u32 {
        let [own, enemy] = [color, color.other()].map(|color| board.stones(color).resized::<N>());
        let mut left = list.len();
        let played = loop {
            if left == 0 {
                break None;
            }
            let place = rng.below(left as u32) as usize;
            let point = Points::<N>::point(list[place]);
            // `board` does not know the ko point of `start`.
            let may = !ko.contains(list[place]) && !board.is_eye(color, point);
            if may && board.play(color, point, suicide).is_ok() {
                break Some(place);
            }
            left -= 1;
            list.swap(place, left);
        };
        if let Some(place) = played {
            let index = list.swap_remove(place);
            cycles.join(index, own);
            let empty = board.empty().resized::<N>();
            let mut taken: Vec<usize> = Points::<N>::neighbor_indices(index).into();
            taken.retain(|&neighbor| enemy.contains(neighbor) && empty.contains(neighbor));
            for (i, &neighbor) in taken.iter().enumerate() {
                let cycle = cycles.stones_from(neighbor);
                if !taken[i + 1..].iter().any(|later| cycle.contains(later)) {
                    list.extend(cycles.remove(neighbor));
                }
            }
            if empty.contains(index) {
                list.extend(cycles.remove(index));
            }
            if !first_played[color.other() as usize].contains(index) {
                first_played[color as usize].insert(index);
            }
            (stones, passes) = (stones + 1, 0);
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
