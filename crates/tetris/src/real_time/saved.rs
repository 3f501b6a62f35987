//! The serialized form of a [`RealTimeGame`] whose keys are all up and unrecorded: one of a batch.

use super::{End, Falling, Goal, InitialActions, Phase, RealTimeGame, RealTimeRules};
use crate::game::Game;
use bitcore::Rng;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(rename = "RealTimeGame", deny_unknown_fields)]
struct Saved<G> {
    rules: RealTimeRules,
    game: G,
    rng: Rng,
    phase: Phase,
    hold_used: bool,
    initial: InitialActions,
    lines: u64,
    score: u64,
    ticks: u64,
}

pub(crate) fn serialize<S: Serializer>(
    game: &RealTimeGame,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let &RealTimeGame { rules, ref rng, phase, hold_used, initial, lines, score, .. } = game;
    let ticks = game.ticks();
    let rng = rng.clone();
    let game = &game.game;
    Saved { rules, game, rng, phase, hold_used, initial, lines, score, ticks }.serialize(serializer)
}

/// Deserializes a game, and rejects contradictory fields.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<RealTimeGame, D::Error> {
    let Saved { rules, game: inner, rng, phase, hold_used, initial, lines, score, ticks } =
        Saved::<Game>::deserialize(deserializer)?;
    let mut game = RealTimeGame::new(rules, super::Handling::default(), 0);
    if inner.rules() != game.game.rules() {
        return Err(D::Error::custom("expected a game of the same rules"));
    }
    // Only a time may end a game between a hold and a lock.
    let is_timed = matches!(rules.goal, Goal::Ticks(_));
    let ended = match phase {
        Phase::Over(End::ToppedOut(over)) => inner.top_out() == Some(over),
        Phase::Over(End::Finished) | Phase::Entry(_) => true,
        Phase::Falling(_) => !inner.is_over(),
    };
    if !ended {
        return Err(D::Error::custom("expected a phase that agrees with the game's end"));
    }
    game.recording.skip(ticks);
    game = RealTimeGame { game: inner, rng, phase, hold_used, initial, lines, score, ..game };
    if let Phase::Falling(piece) = phase {
        check_falling(&game, piece).map_err(D::Error::custom)?;
    } else if hold_used && !(phase == Phase::Over(End::Finished) && is_timed) {
        return Err(D::Error::custom("expected a piece in play after a hold"));
    }
    Ok(game)
}

fn check_falling(game: &RealTimeGame, Falling { at, .. }: Falling) -> Result<(), &'static str> {
    let expected =
        if game.hold_used { game.game.piece_after_hold() } else { Some(game.game.piece()) };
    if expected != Some(at.piece) {
        return Err("expected the game's piece in play");
    }
    if !game.board().fits(at) {
        return Err("expected a piece in play that fits on the board");
    }
    Ok(())
}
