//! [`Position`]: what a [`Playtest`](super::Playtest) and a batch need of a game.

use super::Level;
use super::board::Content;
use super::event::LevelEvent;
use super::game::{LevelGame, LevelMove};
use super::goals::{Outcome, Target};
use super::players::{GreedyByGoals, goal_value};
use super::spec::Cover;
use crate::bitboard::colors::RandomColors;
use crate::cells::journal::Journal;
use crate::swap::Swap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use bitcade_core::Player;

/// A game of a level on one of the engines.
pub(super) trait Position: Clone {
    fn level(&self) -> &Arc<Level>;
    fn left(&self) -> &[u32];
    fn score(&self) -> u64;
    fn limit_left(&self) -> u32;
    fn moves(&self) -> u32;
    fn outcome(&self) -> Option<Outcome>;
    /// Returns the number of legal swaps.
    fn choices(&self) -> u64;
    /// Calls a function with each legal swap, in any order; with none if the game is over.
    fn each_legal(&self, see: impl FnMut(Swap));
    /// Returns the value of a legal swap to [`GreedyByGoals`]: towards the goals, and in points.
    fn value(&self, swap: Swap) -> (u64, u64);
    /// Returns the swap of [`GreedyByGoals`].
    fn best(&self) -> Option<Swap>;
    /// Plays a legal swap. With `cleared`, counts the pieces that are cleared in each cell.
    fn play(
        &mut self,
        swap: Swap,
        colors: &mut RandomColors,
        cleared: Option<&mut [u64]>,
    ) -> LevelMove;
    /// Returns the same game on the plain engine.
    fn to_plain(&self) -> LevelGame;
    /// Counts the cells with something that a goal wants, each once.
    fn add_wanted(&self, cells: &mut [u64], wanted: &[Target]);

    /// Returns the legal swaps in order.
    fn legal_swaps(&self) -> Vec<Swap> {
        let mut swaps = Vec::new();
        self.each_legal(|swap| swaps.push(swap));
        swaps.sort_unstable();
        swaps
    }
}

impl Position for LevelGame {
    fn level(&self) -> &Arc<Level> {
        self.level()
    }

    fn left(&self) -> &[u32] {
        self.left()
    }

    fn score(&self) -> u64 {
        self.score()
    }

    fn limit_left(&self) -> u32 {
        self.limit_left()
    }

    fn moves(&self) -> u32 {
        self.moves()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    fn choices(&self) -> u64 {
        self.legal_moves().len() as u64
    }

    fn each_legal(&self, see: impl FnMut(Swap)) {
        self.legal_moves().iter().copied().for_each(see);
    }

    fn value(&self, swap: Swap) -> (u64, u64) {
        goal_value(self, swap)
    }

    fn best(&self) -> Option<Swap> {
        GreedyByGoals.choose(self)
    }

    fn play(
        &mut self,
        swap: Swap,
        colors: &mut RandomColors,
        cleared: Option<&mut [u64]>,
    ) -> LevelMove {
        let width = self.level().width();
        let played = match cleared {
            Some(cells) => self.play(swap, colors, &mut Clears { width, cells }),
            None => self.play(swap, colors, &mut ()),
        };
        played.expect("a legal swap")
    }

    fn to_plain(&self) -> LevelGame {
        self.clone()
    }

    fn add_wanted(&self, cells: &mut [u64], wanted: &[Target]) {
        for (count, cell) in cells.iter_mut().zip(self.board().cells()) {
            let is_wanted = |&target: &Target| match (target, cell.content) {
                (Target::Jelly, _) => cell.jelly > 0,
                (Target::Crates, Content::Crate(_)) | (Target::Items, Content::Item) => true,
                (Target::Ice, Content::Piece { cover, .. }) => matches!(cover, Cover::Ice(_)),
                (Target::Locked, Content::Piece { cover, .. }) => cover == Cover::Lock,
                _ => false,
            };
            *count += u64::from(wanted.iter().any(is_wanted));
        }
    }
}

/// Counts the pieces cleared in each cell.
struct Clears<'a> {
    width: usize,
    cells: &'a mut [u64],
}

impl Journal<LevelEvent> for Clears<'_> {
    fn record(&mut self, event: LevelEvent) {
        if let LevelEvent::Clear { at: (x, y), .. } = event {
            self.cells[y * self.width + x] += 1;
        }
    }
}
