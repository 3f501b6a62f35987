//! [`Position`]: a game of a level and its upcoming pieces.

use super::animation::Animation;
use super::cells::Cells;
use super::text;
use crate::play::turns;
use bitcore::Rng;
use match3::level::{Level, LevelEvent, LevelGame, LevelMove, Limit, Outcome};
use match3::{Error, RandomColors, Swap, SwapError};
use std::sync::Arc;
use std::time::Duration;

/// The state after a move, with everything the next move depends on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Position {
    pub(super) game: LevelGame,
    pub(super) last: LevelMove,
    colors: RandomColors,
    /// The seconds spent until here.
    seconds: u32,
}

impl Position {
    pub(super) fn deal(level: &Arc<Level>, rng: Rng) -> Result<Self, Error> {
        let mut colors = RandomColors::new(level.colors(), rng)?;
        let game = LevelGame::new(level.clone(), &mut colors)?;
        Ok(Self { game, last: LevelMove::default(), colors, seconds: 0 })
    }

    pub(super) fn after(
        &self,
        swap: Swap,
        start: Duration,
    ) -> Result<(Self, Animation), SwapError> {
        let (next, events) = self.played(swap)?;
        let animation = Animation::new(&self.game, &events, start);
        Ok((next, animation))
    }

    /// Plays a swap, and returns its events.
    pub(super) fn played(&self, swap: Swap) -> Result<(Self, Vec<LevelEvent>), SwapError> {
        let mut next = self.clone();
        let mut events = Vec::new();
        next.last = next.game.play(swap, &mut next.colors, &mut events)?;
        Ok((next, events))
    }

    /// Counts the seconds of the session up to now, in a level with a limit of time.
    pub(super) fn spend_until(&mut self, seconds: u32) {
        self.game.spend(seconds.saturating_sub(self.seconds));
        self.seconds = self.seconds.max(seconds);
    }

    /// Returns the stars: one for a level that is won, two with a sixth of its moves or seconds left,
    /// three with a third.
    pub(super) fn stars(&self) -> u64 {
        if self.game.outcome() != Some(Outcome::Won) {
            return 0;
        }
        let (Limit::Moves(all) | Limit::Time(all)) = self.game.level().spec().limit;
        let left = u64::from(self.game.limit_left());
        1 + u64::from(6 * left >= all.into()) + u64::from(3 * left >= all.into())
    }
}

impl turns::Position for Position {
    type Move = Swap;

    fn score(&self) -> u64 {
        self.game.score()
    }

    fn is_over(&self) -> bool {
        self.game.is_over()
    }

    fn after_move(&self, swap: Swap) -> Option<Self> {
        self.played(swap).ok().map(|(next, _)| next)
    }

    fn board_text(&self) -> String {
        text::drawn(self.game.level().spec(), &Cells::of(self.game.board())).join("\n")
    }
}
