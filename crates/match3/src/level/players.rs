//! Players of levels.

use super::game::LevelGame;
use crate::player::Random;
use crate::swap::{Axis, Swap};
use bitcade_core::Player;
use core::cmp::Reverse;

/// A player that picks the swap whose cascade scores the most without new pieces. Ties go as in
/// [`Greedy`](crate::player::Greedy): the lowest upper or left cell, then horizontal before
/// vertical, then leftmost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GreedyByPoints;

/// A player that picks the swap whose cascade comes closest to the goals without new pieces: the
/// largest sum, over the goals, of what the swap counts towards the goal, in millionths of its
/// count. Ties go to the most points, then as in [`GreedyByPoints`].
///
/// ```
/// use match3::level::{Goal, GreedyByGoals, Level, LevelGame, LevelSpec, Target};
/// use match3::{Player, RandomColors, Rng};
/// let mut spec = LevelSpec::new(7, 7);
/// spec.goals = vec![Goal { target: Target::Color(2), count: 15 }];
/// let level = Level::new(spec)?;
/// let mut colors = RandomColors::new(level.colors(), Rng::new(1))?;
/// let mut game = LevelGame::new(level, &mut colors)?;
/// while let Some(swap) = GreedyByGoals.choose(&game) {
///     game.play(swap, &mut colors, &mut ())?;
/// }
/// println!("{:?}", game.outcome());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GreedyByGoals;

impl LevelGame {
    /// Returns the swap of [`GreedyByGoals`], or `None` if the game is over.
    pub fn hint(&self) -> Option<Swap> {
        GreedyByGoals.choose(self)
    }
}

/// Returns how far a swap's foreseeable cascade counts towards the goals, the sum over the goals in
/// millionths of their counts, and its points.
pub(super) fn goal_value(game: &LevelGame, swap: Swap) -> (u64, u64) {
    let Ok((result, after)) = game.foresee(swap) else { return (0, 0) };
    let goals = game.level().spec().goals.iter().zip(game.left().iter().zip(after));
    let millionths = goals.map(|(goal, (&before, after))| {
        u64::from(before - after) * 1_000_000 / u64::from(goal.count)
    });
    (millionths.sum(), result.score)
}

fn tie_break(swap: Swap) -> impl Ord {
    (swap.y, swap.axis == Axis::Horizontal, Reverse(swap.x))
}

impl Player<LevelGame> for GreedyByPoints {
    fn choose(&mut self, game: &LevelGame) -> Option<Swap> {
        let points = |swap| game.foresee(swap).map_or(0, |(result, _)| result.score);
        game.legal_moves().iter().copied().max_by_key(|&swap| (points(swap), tie_break(swap)))
    }
}

impl Player<LevelGame> for GreedyByGoals {
    fn choose(&mut self, game: &LevelGame) -> Option<Swap> {
        let value = |swap| (goal_value(game, swap), tie_break(swap));
        game.legal_moves().iter().copied().max_by_key(|&swap| value(swap))
    }
}

impl Random {
    pub(super) fn choose_in(&mut self, legal: &[Swap]) -> Option<Swap> {
        if legal.is_empty() { None } else { Some(legal[self.below(legal.len() as u32) as usize]) }
    }
}

impl Player<LevelGame> for Random {
    /// Draws [`below`](bitcore::Rng::below) the number of legal swaps, in their order.
    fn choose(&mut self, game: &LevelGame) -> Option<Swap> {
        self.choose_in(game.legal_moves())
    }
}
