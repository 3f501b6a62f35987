//! The loop that plays games in lanes from start to end. Interleaves several groups to overlap the
//! latency of one group's step with the work of the next.

use super::job::Job;
use super::lane_group::LaneGroup;
use super::plane::{self, GAMES, Plane};
use crate::playout::results::{GameResult, Playout, simple_area};
use crate::rules::points::Points;
use bitcore::{Isa, Lanes, Rng32, SetBits};
use core::ops::Range;

/// The game number of an idle lane.
const NO_GAME: u64 = u64::MAX;

/// The number of groups that a core plays in turns.
const GROUPS: usize = 2;

pub(super) type GameNumbers = [u64; GAMES];

#[inline(always)]
pub(super) fn run<S: Isa, const N: usize, const WORDS: usize, const FIELD: i32>(
    isa: S,
    job: &Job<N>,
    visit: &mut dyn FnMut(&Playout<N>),
) {
    let mut pending = job.numbers.clone();
    let mut left = pending.end - pending.start;
    let mut groups = [LaneGroup::<S, N, WORDS, FIELD>::new(isa, &job.start); GROUPS];
    let mut numbers = [[NO_GAME; GAMES]; GROUPS];
    for (group, numbers) in groups.iter_mut().zip(&mut numbers) {
        assign(isa, group, numbers, (1 << GAMES) - 1, job.seed, &mut pending);
    }
    while left > 0 {
        for g in 0..GROUPS {
            let group = &mut groups[g];
            let numbers = &mut numbers[g];
            let over = group.step(isa, job.multi_suicide, job.track_first);
            if !over.is_zero() {
                left -= report_finished(group, numbers, over, job.track_first, visit);
                group.restart(isa, &job.start, over);
                assign(isa, group, numbers, lane_bits::<S>(over), job.seed, &mut pending);
            }
        }
    }
}

/// Returns a lane mask as bits, lane 0 lowest.
#[inline(always)]
pub(super) fn lane_bits<S: Isa>(lanes: S::U32x8) -> u32 {
    let mut bits = 0;
    for (game, number) in lanes.to_array().into_iter().enumerate() {
        bits |= u32::from(number != 0) << game;
    }
    bits
}

/// Assigns the next pending game numbers, with their generators, to the marked lanes.
#[inline(always)]
pub(super) fn assign<S: Isa, const N: usize, const WORDS: usize, const FIELD: i32>(
    isa: S,
    group: &mut LaneGroup<S, N, WORDS, FIELD>,
    numbers: &mut GameNumbers,
    lanes: u32,
    seed: u64,
    pending: &mut Range<u64>,
) {
    for game in SetBits(u64::from(lanes)) {
        let number = pending.next().unwrap_or(NO_GAME);
        numbers[game as usize] = number;
        plane::set_generator(
            isa,
            &mut group.generators,
            game as usize,
            &Rng32::stream(seed, number),
        );
    }
}

/// Calls `visit` for the games of the marked lanes, skipping idle lanes, and returns their number.
#[inline(always)]
fn report_finished<S: Isa, const N: usize, const WORDS: usize, const FIELD: i32>(
    group: &LaneGroup<S, N, WORDS, FIELD>,
    numbers: &GameNumbers,
    lanes: S::U32x8,
    track_first: bool,
    visit: &mut dyn FnMut(&Playout<N>),
) -> u64 {
    let own = group.own.store();
    let enemy = group.enemy.store();
    let black = group.black.to_array();
    let plies = group.plies.to_array();
    let passes = group.passes.to_array();
    let first_played = if track_first {
        [group.own_first.store(), group.enemy_first.store()]
    } else {
        [own, enemy]
    };
    let mut games = 0;
    for game in SetBits(u64::from(lane_bits::<S>(lanes))).map(|game| game as usize) {
        if numbers[game] == NO_GAME {
            continue;
        }
        games += 1;
        let colors = |own, enemy| {
            let sides = [
                Plane::<S, N, WORDS, FIELD>::points(own, game),
                Plane::<S, N, WORDS, FIELD>::points(enemy, game),
            ];
            if black[game] == 0 { [sides[1], sides[0]] } else { sides }
        };
        let stones = colors(&own, &enemy);
        visit(&Playout {
            number: numbers[game],
            result: GameResult {
                stones: plies[game] - passes[game],
                plies: plies[game],
                area: simple_area(stones),
            },
            stones,
            first_played: if track_first {
                colors(&first_played[0], &first_played[1])
            } else {
                [Points::EMPTY; 2]
            },
        });
    }
    games
}
