//! Games in lanes from their start to their end, with groups enough that one's steps overlap with the next one's.

use super::flight::Flight;
use super::group::Group;
use super::plane::{self, Plane};
use crate::outcome::{Outcome, Playout, light_points};
use crate::points::Points;
use bitcore::{Isa, Lanes, Rng32, SetBits};
use core::ops::Range;

/// The number of a lane whose game nobody waits for.
const IDLE: u64 = u64::MAX;

/// The numbers of the games in a group's lanes.
pub(super) type Numbers = [u64; plane::MOST];

#[inline(always)]
pub(super) fn fly<S: Isa, P: Plane<S, N>, const N: usize, const GROUPS: usize>(
    isa: S,
    flight: &Flight<N>,
    take: &mut dyn FnMut(&Playout<N>),
) {
    let mut deck = flight.numbers.clone();
    let mut left = deck.end - deck.start;
    let mut groups = [Group::<S, P, N>::new(isa, &flight.start); GROUPS];
    let mut numbers = [[IDLE; plane::MOST]; GROUPS];
    for (group, numbers) in groups.iter_mut().zip(&mut numbers) {
        deal(isa, group, numbers, (1 << P::GAMES) - 1, flight.seed, &mut deck);
    }
    while left > 0 {
        for g in 0..GROUPS {
            let (group, numbers) = (&mut groups[g], &mut numbers[g]);
            let survey = group.look(isa);
            let over = group.settle(isa, &survey, flight.multi, flight.first);
            if !over.is_zero() {
                left -= collect(group, numbers, over, flight.first, take);
                group.restart(isa, &flight.start, over);
                deal(isa, group, numbers, marked::<S, P, N>(over), flight.seed, &mut deck);
            }
        }
    }
}

/// The lanes of a mask as bits.
#[inline(always)]
pub(super) fn marked<S: Isa, P: Plane<S, N>, const N: usize>(lanes: P::Lane) -> u32 {
    let mut bits = 0;
    for (game, number) in P::numbers(lanes).into_iter().enumerate() {
        bits |= u32::from(number != 0) << game;
    }
    bits
}

/// Gives numbers and generators to the games of `lanes`.
#[inline(always)]
pub(super) fn deal<S: Isa, P: Plane<S, N>, const N: usize>(
    isa: S,
    group: &mut Group<S, P, N>,
    numbers: &mut Numbers,
    lanes: u32,
    seed: u64,
    deck: &mut Range<u64>,
) {
    for game in SetBits(u64::from(lanes)) {
        let number = deck.next().unwrap_or(IDLE);
        numbers[game as usize] = number;
        P::deal(isa, &mut group.draws, game as usize, &Rng32::stream(seed, number));
    }
}

/// Hands over the games of `lanes` that have a number. Returns how many.
#[inline(always)]
fn collect<S: Isa, P: Plane<S, N>, const N: usize>(
    group: &Group<S, P, N>,
    numbers: &Numbers,
    lanes: P::Lane,
    first: bool,
    take: &mut dyn FnMut(&Playout<N>),
) -> u64 {
    let (own, enemy, black) = (group.own.store(), group.enemy.store(), P::numbers(group.black));
    let (plies, passes) = (P::numbers(group.plies), P::numbers(group.passes));
    let firsts = if first { [group.own_first.store(), group.enemy_first.store()] } else { [own, enemy] };
    let mut games = 0;
    for game in SetBits(u64::from(marked::<S, P, N>(lanes))).map(|game| game as usize) {
        if numbers[game] == IDLE {
            continue;
        }
        games += 1;
        let colors = |own, enemy| {
            let sides = [P::points(own, game), P::points(enemy, game)];
            if black[game] == 0 { [sides[1], sides[0]] } else { sides }
        };
        let stones = colors(&own, &enemy);
        take(&Playout {
            number: numbers[game],
            outcome: Outcome {
                stones: plies[game] - passes[game],
                plies: plies[game],
                points: light_points(stones),
            },
            stones,
            first: if first { colors(&firsts[0], &firsts[1]) } else { [Points::EMPTY; 2] },
        });
    }
    games
}
