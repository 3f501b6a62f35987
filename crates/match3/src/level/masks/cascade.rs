//! The cascade of a move on masks.

use super::board::{MaskBoard, Runs, any, take_layer};
use super::effects::{Activation, Hits};
use super::plan::Plan;
use super::{ALL, SPECIALS, THINGS, Word, has};
use crate::cascade_result::CascadeResult;
use crate::level::falls::Spawners;
use crate::level::goals::{Tally, Target};
use crate::level::kind::Kind;
use alloc::collections::VecDeque;
use alloc::vec::Vec;

/// A group that makes a special piece.
struct Maker<W> {
    cells: W,
    kind: Kind,
    color: u8,
}

impl<W: Word, const P: usize> MaskBoard<W, P> {
    /// Plays a swap of two cells, the upper or left one first, and its cascade. Returns the totals
    /// and whether the level's bound ended it. With `cleared`, counts the pieces that are cleared
    /// in each cell.
    #[inline(always)]
    pub(super) fn play(
        &mut self,
        plan: &Plan<W>,
        swapped: [u32; 2],
        left: &mut [u32],
        spawners: Option<&mut Spawners<'_>>,
        cleared: Option<&mut [u64]>,
    ) -> (CascadeResult, bool) {
        match plan.features {
            0 => self.play_with::<0>(plan, swapped, left, spawners, cleared),
            SPECIALS => self.play_with::<SPECIALS>(plan, swapped, left, spawners, cleared),
            _ => self.play_with::<ALL>(plan, swapped, left, spawners, cleared),
        }
    }

    #[inline(always)]
    fn play_with<const F: u8>(
        &mut self,
        plan: &Plan<W>,
        swapped: [u32; 2],
        left: &mut [u32],
        mut spawners: Option<&mut Spawners<'_>>,
        mut cleared: Option<&mut [u64]>,
    ) -> (CascadeResult, bool) {
        let spec = plan.level.spec();
        let effects = spec.effects;
        self.exchange::<F>(swapped);
        let mut activation =
            if has::<F>(SPECIALS) { Activation::of(self, effects, swapped) } else { None };
        let mut result = CascadeResult::default();
        let mut tally = Tally { goals: &spec.goals, left };
        loop {
            let runs = self.runs(plan);
            let mut matched = runs.cells_across() | runs.cells_along();
            let squares = if has::<F>(SPECIALS) && effects.square {
                self.squares(plan, &runs, matched)
            } else {
                Vec::new()
            };
            for square in &squares {
                matched |= square.cells;
            }
            if matched.is_empty() && activation.is_none() {
                return (result, false);
            }
            if result.levels == u64::from(spec.cascade_limit) {
                return (result, true);
            }
            let level = result.levels + 1;
            let makers = if has::<F>(SPECIALS) && effects.specials {
                self.makers(plan, &runs, squares)
            } else {
                Vec::new()
            };
            let mut set = matched;
            let is_set_off =
                activation.is_some() || !(matched & self.special::<F>() & !self.ice).is_empty();
            let mut set_off = 0;
            // Crates are hit before anything that is set off.
            if is_set_off {
                let wanted = tally.wanted();
                let queue = VecDeque::new();
                let mut hits = Hits { plan, board: self, wanted, set: W::EMPTY, queue, set_off: 0 };
                hits.collect(matched, activation.take());
                (set, set_off) = (hits.set, hits.set_off);
            } else if has::<F>(THINGS) {
                set |= self.crates_beside(plan, matched);
            }
            let (pieces, layers) = self.take_effect::<F>(
                plan,
                set,
                level,
                set_off,
                &mut tally,
                cleared.as_deref_mut(),
            );
            result.add_level(pieces);
            result.score += 10 * layers * level;
            if !makers.is_empty() {
                let swapped: &[u32] = if level == 1 { &swapped } else { &[] };
                self.create::<F>(plan, &makers, swapped, &mut tally);
            }
            let items = self.settle::<F>(plan, spawners.as_deref_mut());
            if items > 0 {
                tally.add(Target::Items, items.into());
            }
        }
    }

    #[inline(always)]
    pub(super) fn crates_beside(&self, plan: &Plan<W>, matched: W) -> W {
        if self.crates.is_empty() {
            return W::EMPTY;
        }
        let beside = (matched & plan.has_next) << 1
            | (matched & plan.has_previous) >> 1
            | matched << W::STRIDE
            | matched >> W::STRIDE;
        beside & self.crates
    }

    /// Applies the hits. Returns the numbers of pieces cleared and of layers taken.
    #[inline(always)]
    fn take_effect<const F: u8>(
        &mut self,
        plan: &Plan<W>,
        set: W,
        level: u64,
        set_off: u64,
        tally: &mut Tally<'_>,
        cleared: Option<&mut [u64]>,
    ) -> (u64, u64) {
        let coated = set & self.fixed::<F>();
        let mut layers = 0;
        let mut gone = W::EMPTY;
        if !coated.is_empty() {
            layers += coated.len();
            gone = take_layer(&mut self.coats, coated);
        }
        let crates = self.crates & gone;
        let ice = self.ice & gone;
        self.crates ^= crates;
        self.ice ^= ice;
        let mut jelly = set & !coated & any(&self.jelly);
        if !jelly.is_empty() {
            layers += jelly.len();
            jelly = take_layer(&mut self.jelly, jelly);
        }
        let pieces = set & !coated & self.pieces();
        let n = u64::from(pieces.len());
        let layers = u64::from(layers);
        for (goal, left) in tally.goals.iter().zip(&mut *tally.left) {
            let count = match goal.target {
                Target::Color(color) => (pieces & self.of_color(color)).len().into(),
                Target::Jelly => jelly.len().into(),
                Target::Score => 10 * (n + layers) * level,
                Target::Locked => (pieces & self.locked).len().into(),
                Target::Crates => crates.len().into(),
                Target::Ice => ice.len().into(),
                Target::SetOff => set_off,
                Target::Items | Target::Made => 0,
            };
            *left = left.saturating_sub(u32::try_from(count).unwrap_or(u32::MAX));
        }
        self.clear::<F>(pieces);
        if let Some(cleared) = cleared {
            for at in pieces.bits() {
                cleared[usize::from(plan.cell_of[at as usize])] += 1;
            }
        }
        (n, layers)
    }

    /// Creates the special pieces of the groups.
    fn create<const F: u8>(
        &mut self,
        plan: &Plan<W>,
        makers: &[Maker<W>],
        swapped: &[u32],
        tally: &mut Tally<'_>,
    ) {
        for &Maker { cells, kind, color } in makers {
            let swapped = swapped.iter().copied().find(|&at| cells.contains(at));
            let free = cells & !self.occupied::<F>();
            let middle = || plan.in_order(cells).nth(cells.len() as usize / 2);
            let first = swapped.or_else(middle).filter(|&at| free.contains(at));
            let Some(at) = first.or_else(|| plan.first_in_order(free)) else { continue };
            self.put(at, color, Some(kind));
            tally.add(Target::Made, 1);
        }
    }

    /// Returns the squares, in order.
    fn squares(&self, plan: &Plan<W>, runs: &Runs<W>, mut taken: W) -> Vec<Maker<W>> {
        let lowest = runs.next & runs.up & runs.next >> W::STRIDE;
        let mut found = Vec::new();
        if lowest.is_empty() {
            return found;
        }
        let block = W::bit(0) | W::bit(1) | W::bit(W::STRIDE) | W::bit(W::STRIDE + 1);
        for corner in plan.in_order(lowest << plan.upper_left) {
            let lowest = corner - plan.upper_left;
            let cells = block << lowest;
            if (cells & taken).is_empty() {
                taken |= cells;
                found.push(Maker { cells, kind: Kind::Square, color: self.color(lowest) });
            }
        }
        found
    }

    /// Returns the groups that make a special piece: those of runs, and `squares`.
    #[inline(always)]
    fn makers(&self, plan: &Plan<W>, runs: &Runs<W>, squares: Vec<Maker<W>>) -> Vec<Maker<W>> {
        let mut makers = squares;
        let across = runs.cells_across();
        let along = runs.cells_along();
        let fours = runs.across & runs.across >> 1 | runs.along & runs.along >> W::STRIDE;
        let seeds = fours | across & along;
        if !seeds.is_empty() {
            self.add_makers(plan, runs, seeds, &mut makers);
        }
        makers
    }

    /// Adds the groups of some cells. A group without a run of four and without a crossing makes
    /// nothing.
    #[cold]
    fn add_makers(&self, plan: &Plan<W>, runs: &Runs<W>, mut seeds: W, makers: &mut Vec<Maker<W>>) {
        let across = runs.cells_across();
        let along = runs.cells_along();
        // The pairs of neighbors in a run.
        let next = runs.next & across;
        let up = runs.up & along;
        while !seeds.is_empty() {
            let first = seeds.first();
            let mut cells = W::bit(first);
            loop {
                let grown = cells
                    | (cells & next) << 1
                    | cells >> 1 & next
                    | (cells & up) << W::STRIDE
                    | cells >> W::STRIDE & up;
                if grown == cells {
                    break;
                }
                cells = grown;
            }
            seeds &= !cells;
            let four = [runs.across & runs.across >> 1, runs.along & runs.along >> W::STRIDE];
            let fives = four[0] & runs.across >> 2 | four[1] & runs.along >> (2 * W::STRIDE);
            let kind = if !(fives & cells).is_empty() {
                Kind::Color
            } else if !(across & along & cells).is_empty() {
                Kind::Bomb
            } else if (four[0] & cells).is_empty() == plan.is_turned {
                Kind::Row
            } else {
                Kind::Column
            };
            makers.push(Maker { cells, kind, color: self.color(first) });
        }
    }
}
