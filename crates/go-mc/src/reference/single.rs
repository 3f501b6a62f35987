//! The games of [`Single`](crate::Single) in plain words.

use crate::board::{Board, Color, Size, Suicide};
use crate::outcome::{Outcome, PLY_CAP, Playout, light_points};
use crate::points::Points;
use crate::policy::Policy;
use crate::position::Position;
use alloc::vec;
use alloc::vec::Vec;
use bitcore::Rng32;

/// The stones of each chain in a ring, each by its next: it decides in which order taken points are listed.
struct Rings<const N: usize>(Vec<usize>);

impl<const N: usize> Rings<N> {
    /// The ring from a stone on.
    fn from(&self, stone: usize) -> Vec<usize> {
        let mut ring = vec![stone];
        while self.0[ring[ring.len() - 1]] != stone {
            ring.push(self.0[ring[ring.len() - 1]]);
        }
        ring
    }

    /// A stone, its own next, joins the ring of each own neighbor below, left, right and above that isn't in its ring
    /// yet: the two change their nexts.
    fn join(&mut self, stone: usize, own: Points<N>) {
        for mate in Points::<N>::cross(stone).into_iter().filter(|&mate| own.contains(mate)) {
            if !self.from(stone).contains(&mate) {
                self.0.swap(stone, mate);
            }
        }
    }

    /// Takes off the ring from a stone on.
    fn take_off(&mut self, stone: usize) -> Vec<usize> {
        let ring = self.from(stone);
        for &taken in &ring {
            self.0[taken] = taken;
        }
        ring
    }
}

/// Game `number` of [`Single`](crate::Single) under a seed, on the judge's board.
///
/// The order of the list where stones leave the board: the chains that are taken follow each other as their last stones
/// below, left, right and above the move do, each from that stone on along its ring; a suicide's chain begins with the
/// move. A ring is a stone alone at first; with each neighboring chain of its own, again from below, left, right and
/// above, it becomes one ring: the stone and its neighbor exchange their successors. The stones of the start join so
/// too, Black's before White's, each in point order.
///
/// # Panics
///
/// If the position isn't one of a game.
pub fn single_playout<const N: usize>(
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
    let mut rings = Rings::<N>((0..Points::<N>::END).collect());
    for color in Color::ALL {
        let mut own = Points::EMPTY;
        for index in start.stones(color) {
            rings.join(index, own);
            own.insert(index);
        }
    }
    let mut list: Vec<usize> = board.empty().resized::<N>().iter().collect();
    let (mut color, mut ko) = (start.to_move(), start.ko());
    let (mut stones, mut plies, mut passes) = (0, 0, u32::from(start.passed()));
    let mut first = [Points::EMPTY; 2];
    while passes < 2 && plies < PLY_CAP * (N * N) as u32 {
        let [own, enemy] = [color, color.other()].map(|color| board.stones(color).resized::<N>());
        let mut left = list.len();
        let played = loop {
            if left == 0 {
                break None;
            }
            let place = rng.below(left as u32) as usize;
            let point = Points::<N>::point(list[place]);
            // The board doesn't know of the first ko.
            let may = !ko.contains(list[place]) && !board.is_eye(color, point);
            if may && board.play(color, point, suicide).is_ok() {
                break Some(place);
            }
            left -= 1;
            list.swap(place, left);
        };
        if let Some(place) = played {
            let index = list.swap_remove(place);
            rings.join(index, own);
            let empty = board.empty().resized::<N>();
            let mut taken: Vec<usize> = Points::<N>::cross(index).into();
            taken.retain(|&neighbor| enemy.contains(neighbor) && empty.contains(neighbor));
            for (i, &neighbor) in taken.iter().enumerate() {
                let ring = rings.from(neighbor);
                if !taken[i + 1..].iter().any(|later| ring.contains(later)) {
                    list.extend(rings.take_off(neighbor));
                }
            }
            if empty.contains(index) {
                list.extend(rings.take_off(index));
            }
            if !first[color.other() as usize].contains(index) {
                first[color as usize].insert(index);
            }
            (stones, passes) = (stones + 1, 0);
        } else {
            board.pass();
            passes += 1;
        }
        plies += 1;
        color = color.other();
        ko = board.ko(color).and_then(Points::<N>::index).map_or(Points::EMPTY, Points::one);
    }
    let end = Color::ALL.map(|color| board.stones(color).resized());
    Playout { number, outcome: Outcome { stones, plies, points: light_points(end) }, stones: end, first }
}
