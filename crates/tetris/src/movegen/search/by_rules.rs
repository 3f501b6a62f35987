//! The search by any rules: all rotation systems, and spins of all pieces.
//!
//! It differs from the search of the guideline in its last part. Rotations have tables and half
//! turns of their own, called out of line. An immobile piece, which can't move left, right, up or
//! down, came there by a rotation, since a move could be undone. So with minis of all pieces, the
//! immobile centers among the results are the minis, and no rotation needs to be recorded; only
//! at an immobile spawn the piece is without a spin until it rotates.

use super::collision::CollisionMaps;
use super::pieces::{O, T, dispatch_piece, shapes};
use super::reachable::{Outcome, ReachableSet};
use super::rotations::{RotationTargets, rotate_by_system};
use super::spins::Corners;
use super::steps::{Below, closed_maps, move_and_drop, reached_resting};
use super::symmetry::canonical;
use crate::movegen::bitboard::{Bitboard, RowBlock, rows};
use crate::piece::Piece;
use crate::placement::{MoveRules, SpinMode};
use bitcore::Isa;

/// Returns the resting centers that a piece reaches, as the search of the guideline does.
#[inline(always)]
pub(crate) fn search_piece_by_rules<K: Outcome, B: RowBlock, const N: usize>(
    isa: B::Token,
    board: &Bitboard<B, N>,
    spawn: Option<&Bitboard<B, N>>,
    below: Below,
    piece: Piece,
    rules: MoveRules,
) -> Option<K::Of<B, N>> {
    K::of(
        piece,
        rules.spin_mode,
        #[inline(always)]
        || dispatch_piece!(piece, SpinMode::Ignore, outlined[B, N](isa, board, spawn, below, rules)),
    )
}

#[inline(always)]
fn outlined<B: RowBlock, const N: usize, const P: usize, const SPINS: bool>(
    isa: B::Token,
    board: &Bitboard<B, N>,
    spawn: Option<&Bitboard<B, N>>,
    below: Below,
    rules: MoveRules,
) -> Option<ReachableSet<B, N>> {
    isa.call4(
        board,
        spawn,
        below,
        rules,
        #[inline(always)]
        move |board, spawn, below, rules| search::<B, N, P>(isa, *board, spawn, below, rules),
    )
}

#[inline(always)]
fn search<B: RowBlock, const N: usize, const P: usize>(
    isa: B::Token,
    board: Bitboard<B, N>,
    spawn: Option<&Bitboard<B, N>>,
    below: Below,
    rules: MoveRules,
) -> Option<ReachableSet<B, N>> {
    let none = Bitboard::splat(isa, 0);
    let maps = closed_maps::<B, N, P>(isa, &board, below)?;
    let resting = maps.resting;
    let spawn_cell = spawn.copied().unwrap_or(none);
    let immobile =
        if rules.spin_mode == SpinMode::AllMini { immobile_centers(&maps) } else { [none; 4] };
    let spun_at_spawn = immobile[0].and(spawn_cell);
    let mut search_on = !spun_at_spawn.is_zero();
    let mut corners = None;
    if const { P == T } && rules.spin_mode != SpinMode::Ignore {
        let found = Corners::new(isa, board);
        let three_filled = found.three_filled();
        let any = resting[0].or(resting[1]).or(resting[2].or(resting[3])).and(three_filled);
        let any = any.or(immobile[0]).or(immobile[1]).or(immobile[2].or(immobile[3]));
        if !any.is_zero() {
            corners = Some(found);
            search_on = true;
        }
    }
    let (reached, targets) = match move_and_drop::<B, N, P>(isa, board, spawn, maps, search_on) {
        Ok(mut fill) => {
            // A rotation keeps O in place.
            let targets = if const { P == O } {
                RotationTargets { by_others: fill.reached, by_fifth: [none; 4] }
            } else {
                rotate_by_system::<B, N, P>(isa, &mut fill, rules.rotation_system, search_on)
            };
            (fill.reached, Some(targets))
        }
        Err(no_spin) => (no_spin, None),
    };
    let no_spin = match &targets {
        Some(_) => reached_resting::<B, N, P>(&reached, resting),
        None => reached,
    };
    if let (Some(corners), Some(targets)) = (&corners, &targets) {
        let mut set = corners.split(targets, &reached, no_spin, spawn);
        if let Some([mini, _]) = &mut set.spins {
            macro_rules! add_immobile {
                ($r:literal) => {
                    let only = immobile[$r].and_not(corners.three_filled());
                    let rotated = if $r == 0 { only.and_not(spawn_cell) } else { only };
                    let spun = targets.by_others[$r].or(targets.by_fifth[$r]);
                    mini[$r] = mini[$r].or(no_spin[$r].and(only).and(spun));
                    set.no_spin[$r] = set.no_spin[$r].and_not(rotated);
                };
            }
            add_immobile!(0);
            add_immobile!(1);
            add_immobile!(2);
            add_immobile!(3);
        }
        return Some(set);
    }
    if rules.spin_mode != SpinMode::AllMini {
        return Some(ReachableSet { no_spin, spins: None });
    }
    let mut spun = no_spin;
    if search_on && let Some(targets) = &targets {
        let ends = |r: usize| targets.by_others[r].or(targets.by_fifth[r]);
        let all = [ends(0), ends(1), ends(2), ends(3)];
        spun = if const { shapes(P) == 2 } {
            let [north, east] = canonical::<B, N, P>(&all);
            [north, east, none, none]
        } else {
            all
        };
    }
    let mut set = ReachableSet { no_spin, spins: Some([[none; 4], [none; 4]]) };
    if let Some([mini, _]) = &mut set.spins {
        for r in 0..shapes(P) {
            mini[r] = no_spin[r].and(immobile[r]).and(spun[r]);
            let rotated = if r == 0 { immobile[0].and_not(spawn_cell) } else { immobile[r] };
            set.no_spin[r] = no_spin[r].and_not(rotated);
        }
    }
    Some(set)
}

/// Returns the resting centers from which the piece can't move left, right or up.
#[inline(always)]
fn immobile_centers<B: RowBlock, const N: usize>(
    maps: &CollisionMaps<B, N>,
) -> [Bitboard<B, N>; 4] {
    let CollisionMaps { free, resting } = maps;
    let mut immobile = *resting;
    macro_rules! each {
        ($($r:literal)+) => { $(
            let moves = free[$r].right::<1>().or(free[$r].left::<1>()).or(rows!(free[$r], -1));
            immobile[$r] = immobile[$r].and_not(moves);
        )+ };
    }
    each!(0 1 2 3);
    immobile
}
