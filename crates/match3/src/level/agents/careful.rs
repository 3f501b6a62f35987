//! [`Careful`]: a player that tries swaps out.

use crate::bitboard::colors::RandomColors;
use crate::level::game::LevelGame;
use crate::level::goals::Outcome;
use crate::level::position::Position;
use crate::swap::Swap;
use alloc::vec::Vec;
use bitcade_core::{Player, Stop, Stopped};
use bitcore::Rng;
use core::cmp::Reverse;

/// A player that plays the most promising swaps out a few moves ahead, with new pieces of its own,
/// and picks the one that brings it closest to the goals: what a good player without luck reaches.
///
/// The swaps are ranked as by [`GreedyByGoals`](crate::level::GreedyByGoals); the best six are
/// tried. Each is played eight times with other new pieces and followed by two moves of
/// `GreedyByGoals`; all swaps meet the same new
/// pieces. A game that is won counts more than any progress, and more with more moves left.
///
/// ```
/// use match3::level::{Careful, Goal, Level, LevelGame, LevelSpec, Outcome, Target};
/// use match3::{Player, RandomColors, Rng};
/// let mut spec = LevelSpec::new(6, 6);
/// spec.goals = vec![Goal { target: Target::Color(3), count: 10 }];
/// let mut colors = RandomColors::new(6, Rng::new(1))?;
/// let mut game = LevelGame::new(Level::new(spec)?, &mut colors)?;
/// let mut player = Careful::new(Rng::new(2));
/// while let Some(swap) = player.choose(&game) {
///     game.play(swap, &mut colors, &mut ())?;
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Won));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Careful {
    rng: Rng,
}

/// The swaps that are tried.
const TRIED: usize = 6;
/// The times each is tried.
const SAMPLES: usize = 8;
/// The moves after it.
const AHEAD: usize = 2;

impl Careful {
    /// Creates a player with its own generator.
    pub const fn new(rng: Rng) -> Self {
        Self { rng }
    }

    pub(in crate::level) fn choose_in(
        &mut self,
        game: &impl Position,
        stop: Stop<'_>,
    ) -> Result<Option<Swap>, Stopped> {
        let mut ranked: Vec<_> =
            game.legal_swaps().into_iter().map(|swap| (game.value(swap), swap)).collect();
        // Stable: equal swaps stay in their order.
        ranked.sort_by_key(|&(value, _)| Reverse(value));
        ranked.truncate(TRIED);
        if ranked.len() < 2 {
            return Ok(ranked.first().map(|&(_, swap)| swap));
        }
        let colors = game.level().colors();
        let sources: Vec<RandomColors> =
            (0..SAMPLES).map(|_| RandomColors::of(colors, Rng::new(self.rng.next_u64()))).collect();
        let mut best = None;
        for (_, swap) in ranked {
            if stop() {
                return Err(Stopped);
            }
            let value: u64 = sources.iter().map(|colors| outcome(game, swap, colors.clone())).sum();
            if best.is_none_or(|(highest, _)| value > highest) {
                best = Some((value, swap));
            }
        }
        Ok(best.map(|(_, swap)| swap))
    }
}

impl Player<LevelGame> for Careful {
    fn choose(&mut self, game: &LevelGame) -> Option<Swap> {
        self.choose_until(game, &|| false).unwrap_or_default()
    }

    fn choose_until(&mut self, game: &LevelGame, stop: Stop<'_>) -> Result<Option<Swap>, Stopped> {
        self.choose_in(game, stop)
    }
}

/// Returns how far a swap and the moves after it lead.
fn outcome(game: &impl Position, swap: Swap, mut colors: RandomColors) -> u64 {
    let mut game = game.clone();
    let mut next = Some(swap);
    for _ in 0..=AHEAD {
        let Some(swap) = next else { break };
        game.play(swap, &mut colors, None);
        next = game.best();
    }
    // All goals reached are this much in total.
    let whole = 1_000_000 * game.level().spec().goals.len() as u64;
    let reached = |(goal, &left): (&super::super::Goal, &u32)| {
        u64::from(goal.count - left) * 1_000_000 / u64::from(goal.count)
    };
    let progress: u64 = game.level().spec().goals.iter().zip(game.left()).map(reached).sum();
    match game.outcome() {
        Some(Outcome::Won) => 2 * whole + u64::from(game.limit_left()),
        Some(Outcome::Dead) => progress / 2,
        // Without goals, or between equal ones, points decide.
        _ => progress + game.score().min(100_000),
    }
}
