//! [`Human`]: a player that overlooks swaps and slips.

use super::Habits;
use crate::level::game::LevelGame;
use crate::level::position::Position;
use crate::swap::Swap;
use alloc::vec::Vec;
use bitcade_core::Player;
use bitcore::Rng;

/// A player that sees some of the legal swaps and prefers those that score much: a rough model of a
/// person, by two [`Habits`].
///
/// Each move, it draws the swaps that it sees, without repetition, and then whether it slips. The
/// best of the swaps that it sees has the most points in its foreseeable cascade, and of those the
/// most progress towards the goals; if they are equal, too, it is the one that was seen first. A
/// slip plays the swap that was seen first.
///
/// ```
/// use match3::level::{Habits, Human, Level, LevelGame, LevelSpec};
/// use match3::{Player, RandomColors, Rng};
/// let mut colors = RandomColors::new(6, Rng::new(1))?;
/// let mut game = LevelGame::new(Level::new(LevelSpec::new(8, 8))?, &mut colors)?;
/// let mut player = Human::new(Habits { seen: 4, slip: 0.2 }, Rng::new(2));
/// while let Some(swap) = player.choose(&game) {
///     game.play(swap, &mut colors, &mut ())?;
/// }
/// assert!(game.is_over());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Human {
    habits: Habits,
    rng: Rng,
}

impl Human {
    /// Creates a player with its own generator.
    pub const fn new(habits: Habits, rng: Rng) -> Self {
        Self { habits, rng }
    }
}

/// A probability is compared with a draw below this number.
const SLIP_DRAWS: u32 = 1 << 24;

impl Human {
    pub(in crate::level) fn choose_in(&mut self, game: &impl Position) -> Option<Swap> {
        let mut unseen = game.legal_swaps();
        let mut best = None;
        let first = unseen.len().min(self.habits.seen.max(1) as usize);
        let mut seen = Vec::with_capacity(first);
        for _ in 0..first {
            seen.push(unseen.swap_remove(self.rng.below(unseen.len() as u32) as usize));
        }
        let slips =
            f64::from(self.rng.below(SLIP_DRAWS)) < self.habits.slip * f64::from(SLIP_DRAWS);
        if slips {
            return seen.first().copied();
        }
        for swap in seen {
            let (goals, points) = game.value(swap);
            let value = (points, goals);
            if best.is_none_or(|(highest, _)| value > highest) {
                best = Some((value, swap));
            }
        }
        best.map(|(_, swap)| swap)
    }
}

impl Player<LevelGame> for Human {
    fn choose(&mut self, game: &LevelGame) -> Option<Swap> {
        self.choose_in(game)
    }
}
