//! [`MaskGame`]: a game of a level on masks.

use super::Word;
use super::board::MaskBoard;
use super::plan::Plan;
use crate::bitboard::colors::RandomColors;
use crate::level::Level;
use crate::level::board::Layer;
use crate::level::falls::{Spawners, Supply};
use crate::level::game::{LevelGame, LevelMove};
use crate::level::goals::{Outcome, Target};
use crate::level::position::Position;
use crate::level::spec::Limit;
use crate::swap::{Axis, Swap};
use alloc::sync::Arc;
use alloc::vec::Vec;
use bitcore::{Isa, dispatch};
use core::cmp::Reverse;

/// The most goals: one of each target.
const MAX_GOALS: usize = 8 + RandomColors::MAX as usize;

/// A game of a level on masks: the state of a [`LevelGame`].
#[derive(Clone, Debug)]
pub(in crate::level) struct MaskGame<W, const P: usize> {
    plan: Arc<Plan<W>>,
    board: MaskBoard<W, P>,
    score: u64,
    left: Vec<u32>,
    limit_left: u32,
    moves: u32,
    supply: Supply,
    outcome: Option<Outcome>,
    /// The cells that may be swapped with the next bit, and with the row below.
    legal: [W; 2],
    /// How much each source has brought in the move.
    counts: Vec<u32>,
}

impl<W: Word, const P: usize> MaskGame<W, P> {
    /// Deals a board and starts a game, as [`LevelGame::new`].
    pub(in crate::level) fn new(plan: &Arc<Plan<W>>, colors: &mut RandomColors) -> Self {
        let game = LevelGame::new(plan.level.clone(), colors).expect("the level's colors");
        Self::of(plan, game)
    }

    /// Goes on with a game of the level.
    pub(in crate::level) fn of(plan: &Arc<Plan<W>>, game: LevelGame) -> Self {
        let board = MaskBoard::new(plan, &game.board);
        Self {
            board,
            score: game.score,
            limit_left: game.limit_left,
            moves: game.moves,
            outcome: game.outcome,
            legal: if game.is_over() { [W::EMPTY; 2] } else { board.swaps(plan) },
            counts: alloc::vec![0; plan.level.layout.sources.len()],
            left: game.left,
            supply: game.supply,
            plan: plan.clone(),
        }
    }

    /// Returns the bits of the legal swaps, the upper or left cell first.
    #[inline(always)]
    fn swaps(&self) -> impl Iterator<Item = [u32; 2]> {
        let across = self.legal[0].bits().map(|at| [at, at + 1]);
        let along = self.legal[1].bits().map(|at| [at, at - W::STRIDE]);
        across.chain(along).map(|[a, b]| {
            let cell = |at: u32| self.plan.cell_of[at as usize];
            if cell(a) < cell(b) { [a, b] } else { [b, a] }
        })
    }

    /// Calls a function with each layer that each cell has, the index of the cell, and the number
    /// of layers.
    pub(in crate::level) fn each_layer(&self, mut see: impl FnMut(Layer, usize, u8)) {
        self.board.each_layer(self.plan.level.colors(), |layer, at, number| {
            see(layer, self.plan.cell_of[at as usize].into(), number);
        });
    }

    fn swap_of(&self, [a, b]: [u32; 2]) -> Swap {
        let (a, b) = (self.plan.at(a), self.plan.at(b));
        let axis = if a.1 == b.1 { Axis::Horizontal } else { Axis::Vertical };
        Swap { x: a.0, y: a.1, axis }
    }

    #[inline(always)]
    fn value_of(&self, swap: [u32; 2]) -> (u64, u64) {
        let goals = &self.plan.level.spec().goals;
        let mut left = [0; MAX_GOALS];
        let left = &mut left[..goals.len()];
        left.copy_from_slice(&self.left);
        let mut board = self.board;
        let (result, _) = board.play(&self.plan, swap, left, None, None);
        let mut millionths = 0;
        for (goal, (&before, &mut after)) in goals.iter().zip(self.left.iter().zip(left)) {
            if before > after {
                millionths += u64::from(before - after) * 1_000_000 / u64::from(goal.count);
            }
        }
        (millionths, result.score)
    }

    /// The level of a kernel counts bits and combines masks in fewer instructions.
    #[inline(always)]
    fn best_with<S: Isa>(&self, _: S) -> Option<[u32; 2]> {
        let mut best = None;
        for swap in self.swaps() {
            let value = self.value_of(swap);
            let is_better = best.is_none_or(|(highest, at)| {
                value > highest || value == highest && self.tie_break(swap) > self.tie_break(at)
            });
            if is_better {
                best = Some((value, swap));
            }
        }
        best.map(|(_, swap)| swap)
    }

    /// Returns the cell that wins a tie: as in [`GreedyByGoals`](crate::level::GreedyByGoals).
    fn tie_break(&self, cells: [u32; 2]) -> (usize, bool, Reverse<usize>) {
        let Swap { x, y, axis } = self.swap_of(cells);
        (y, axis == Axis::Horizontal, Reverse(x))
    }
}

impl<W: Word, const P: usize> Position for MaskGame<W, P> {
    fn level(&self) -> &Arc<Level> {
        &self.plan.level
    }

    fn left(&self) -> &[u32] {
        &self.left
    }

    fn score(&self) -> u64 {
        self.score
    }

    fn limit_left(&self) -> u32 {
        self.limit_left
    }

    fn moves(&self) -> u32 {
        self.moves
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn choices(&self) -> u64 {
        u64::from(self.legal[0].len() + self.legal[1].len())
    }

    fn each_legal(&self, see: impl FnMut(Swap)) {
        self.swaps().map(|swap| self.swap_of(swap)).for_each(see);
    }

    fn value(&self, swap: Swap) -> (u64, u64) {
        self.value_of(self.plan.bits_of(swap))
    }

    fn best(&self) -> Option<Swap> {
        let best = dispatch!(isa [this = self] => this.best_with(isa));
        best.map(|swap| self.swap_of(swap))
    }

    fn play(
        &mut self,
        swap: Swap,
        colors: &mut RandomColors,
        cleared: Option<&mut [u64]>,
    ) -> LevelMove {
        let plan = &*self.plan;
        let spec = plan.level.spec();
        self.counts.fill(0);
        let mut spawners = Spawners { supply: &mut self.supply, colors, counts: &mut self.counts };
        let swap = plan.bits_of(swap);
        let (cascade, is_limited) =
            self.board.play(plan, swap, &mut self.left, Some(&mut spawners), cleared);
        self.score = self.score.saturating_add(cascade.score);
        self.moves += 1;
        if let Limit::Moves(_) = spec.limit {
            self.limit_left -= 1;
        }
        let mut result = LevelMove { cascade, is_limited, ..LevelMove::default() };
        self.legal = [W::EMPTY; 2];
        if !self.left.is_empty() && self.left.iter().all(|&left| left == 0) {
            result.bonus = u64::from(self.limit_left) * u64::from(spec.bonus);
            self.score = self.score.saturating_add(result.bonus);
            self.outcome = Some(Outcome::Won);
        } else if self.limit_left == 0 {
            self.outcome = Some(Outcome::OutOfMoves);
        } else {
            self.legal = self.board.swaps(plan);
            if self.choices() == 0 {
                self.shuffle(colors, &mut result);
            }
        }
        result.outcome = self.outcome;
        result
    }

    fn to_plain(&self) -> LevelGame {
        let level = &self.plan.level;
        let board = self.board.cells(&self.plan, level.spec());
        let mut game = LevelGame::with(level.clone(), board, self.supply.clone());
        game.score = self.score;
        game.left.clone_from(&self.left);
        game.limit_left = self.limit_left;
        game.moves = self.moves;
        if let Some(outcome) = self.outcome {
            game.over(outcome);
        }
        game
    }

    fn add_wanted(&self, cells: &mut [u64], wanted: &[Target]) {
        let all = wanted.iter().fold(W::EMPTY, |all, &target| all | self.board.wanted(target));
        for at in all.bits() {
            cells[usize::from(self.plan.cell_of[at as usize])] += 1;
        }
    }
}

impl<W: Word, const P: usize> MaskGame<W, P> {
    #[cold]
    fn shuffle(&mut self, colors: &mut RandomColors, result: &mut LevelMove) {
        let plan = &*self.plan;
        let mut cells = self.board.cells(plan, plan.level.spec());
        if cells.shuffle(&plan.level, colors.rng()) {
            self.board = MaskBoard::new(plan, &cells);
            self.legal = self.board.swaps(plan);
            result.is_shuffled = true;
        } else {
            self.outcome = Some(Outcome::Dead);
        }
    }
}
