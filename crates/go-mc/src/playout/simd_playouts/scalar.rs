//! The same games one at a time, for levels that would emulate lanes as arrays in memory (see
//! docs/decisions.md).
//!
//! Candidates are computed as sets of points ([`candidates`]); a [`Mailbox`] decides which of them
//! are suicide and lists the captured points.

use super::job::Job;
use super::lane_group::TWO_LIBERTY_ROUNDS;
use crate::playout::results::{GameResult, MAX_PLIES_PER_POINT, Playout, simple_area};
use crate::rules::board::Color;
use crate::rules::eyes;
use crate::rules::mailbox::Mailbox;
use crate::rules::points::Points;
use bitcore::{Portable, Rng32};

pub(super) fn run<const N: usize>(job: &Job<N>, visit: &mut dyn FnMut(&Playout<N>)) {
    let start_board = Mailbox::new(&job.start);
    let mut board = start_board.clone();
    for number in job.numbers.clone() {
        board.copy_from(&start_board);
        visit(&play(job, &mut board, number));
    }
}

#[inline(never)]
fn play<const N: usize>(job: &Job<N>, board: &mut Mailbox<N>, number: u64) -> Playout<N> {
    let start = &job.start;
    let mut rng = Rng32::stream(job.seed, number);
    let mut color = start.to_move();
    let mut stones_of = [start.stones(Color::Black), start.stones(Color::White)];
    let mut first_played = [Points::EMPTY; 2];
    let mut ko = start.ko();
    let mut passed = start.passed();
    let mut stones = 0;
    let mut plies = 0;
    while plies < MAX_PLIES_PER_POINT * (N * N) as u32 {
        let own = color as usize;
        let enemy = color.other() as usize;
        let mut left = candidates(stones_of[own], stones_of[enemy]) - ko;
        let chosen = loop {
            let count = left.len();
            if count == 0 {
                break None;
            }
            let Some(index) = left.select_with(Portable, rng.below(count)) else { break None };
            if board.is_playable_at(color, index, job.multi_suicide) {
                break Some(index);
            }
            left.clear_bit(index);
        };
        plies += 1;
        color = color.other();
        let Some(index) = chosen else {
            board.pass();
            ko = Points::EMPTY;
            if core::mem::replace(&mut passed, true) {
                break;
            }
            continue;
        };
        (stones, passed) = (stones + 1, false);
        if job.track_first && !first_played[enemy].contains(index) {
            first_played[own].set_bit(index);
        }
        stones_of[own].set_bit(index);
        let before = board.empty_points();
        board.play(color.other(), index, job.multi_suicide);
        for taken in board.empty_from(before - 1) {
            stones_of[own].clear_bit(taken);
            stones_of[enemy].clear_bit(taken);
        }
        ko = board.ko();
    }
    Playout {
        number,
        result: GameResult { stones, plies, area: simple_area(stones_of) },
        stones: stones_of,
        first_played,
    }
}

/// Returns [`reference::candidates`](crate::reference::candidates) before the ko point is excluded.
#[inline(always)]
pub(super) fn candidates<const N: usize>(own: Points<N>, enemy: Points<N>) -> Points<N> {
    let empty = !(own | enemy);
    let [up, down, left, right] = empty.orthogonal_shifts();
    let beside_empty = (up | down) | (left | right);
    let beside_two_empty = (up & down) | (left & right) | ((up | down) & (left | right));
    let with_one_liberty = enemy & beside_empty;
    let [_, below, before, _] = with_one_liberty.orthogonal_shifts();
    let mut with_two_liberties = (enemy & beside_two_empty) | (with_one_liberty & (before | below));
    for _ in 0..TWO_LIBERTY_ROUNDS {
        with_two_liberties = with_two_liberties.flood_step(enemy);
    }
    let useful = beside_empty | (own | (enemy - with_two_liberties)).neighbors();
    (empty & useful) - eyes::real_eyes(eyes::eyelike(own), enemy)
}
