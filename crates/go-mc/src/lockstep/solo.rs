//! The games of the lanes one after the other: for levels whose lanes are arrays in memory, where this is twice as fast.

use super::flight::Flight;
use super::group::SECURE_ROUNDS;
use crate::board::Color;
use crate::eyes;
use crate::mailbox::Mailbox;
use crate::outcome::{Outcome, PLY_CAP, Playout, light_points};
use crate::points::Points;
use bitcore::{Portable, Rng32};

/// Plays the games of an order. The candidates are sets; a [`Mailbox`] tells which of them are suicide, and what a stone
/// takes.
pub(super) fn fly<const N: usize>(flight: &Flight<N>, take: &mut dyn FnMut(&Playout<N>)) {
    let begin = Mailbox::new(&flight.start);
    let mut board = begin.clone();
    for number in flight.numbers.clone() {
        board.copy_from(&begin);
        take(&play(flight, &mut board, number));
    }
}

#[inline(never)]
fn play<const N: usize>(flight: &Flight<N>, board: &mut Mailbox<N>, number: u64) -> Playout<N> {
    let start = &flight.start;
    let mut rng = Rng32::stream(flight.seed, number);
    let mut color = start.to_move();
    let mut sets = [start.stones(Color::Black), start.stones(Color::White)];
    let (mut first, mut ko, mut passed) = ([Points::EMPTY; 2], start.ko(), start.passed());
    let (mut stones, mut plies) = (0, 0);
    while plies < PLY_CAP * (N * N) as u32 {
        let (own, enemy) = (color as usize, color.other() as usize);
        let mut left = candidates(sets[own], sets[enemy]) - ko;
        let drawn = loop {
            let count = left.len();
            if count == 0 {
                break None;
            }
            let Some(index) = left.select_with(Portable, rng.below(count)) else { break None };
            if board.is_playable_at(color, index, flight.multi) {
                break Some(index);
            }
            left.remove(index);
        };
        plies += 1;
        color = color.other();
        let Some(index) = drawn else {
            board.pass();
            ko = Points::EMPTY;
            if core::mem::replace(&mut passed, true) {
                break;
            }
            continue;
        };
        (stones, passed) = (stones + 1, false);
        if flight.first && !first[enemy].contains(index) {
            first[own].insert(index);
        }
        sets[own].insert(index);
        let before = board.empty_points();
        board.play(color.other(), index, flight.multi);
        for taken in board.listed_from(before - 1) {
            sets[own].remove(taken);
            sets[enemy].remove(taken);
        }
        ko = board.ko();
    }
    Playout { number, outcome: Outcome { stones, plies, points: light_points(sets) }, stones: sets, first }
}

/// [`reference::candidates`](crate::reference::candidates) but for the ko.
#[inline(always)]
pub(super) fn candidates<const N: usize>(own: Points<N>, enemy: Points<N>) -> Points<N> {
    let empty = !(own | enemy);
    let [up, down, left, right] = empty.each_side();
    let breathing = (up | down) | (left | right);
    let breathing_twice = (up & down) | (left & right) | ((up | down) & (left | right));
    let once = enemy & breathing;
    let [_, below, before, _] = once.each_side();
    let mut secure = (enemy & breathing_twice) | (once & (before | below));
    for _ in 0..SECURE_ROUNDS {
        secure = secure.spread(enemy);
    }
    let useful = breathing | (own | (enemy - secure)).neighbors();
    (empty & useful) - eyes::sound(eyes::surrounded(own), enemy)
}
