//! The serialized form of a [`Game`]: its start and its steps, from which everything else follows.

use super::{Change, Game, Rules};
use crate::rules::board::{Board, Color};
use crate::rules::game::Move;
use alloc::vec::Vec;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(rename = "Game", deny_unknown_fields)]
struct Saved {
    rules: Rules,
    start: Board,
    /// The player to move at the start.
    to_move: Color,
    /// Each move with its player; without a move, the player to whom the turn passes.
    moves: Vec<(Color, Option<Move>)>,
}

impl Serialize for Game {
    /// Writes the rules, the start and the moves.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (start, to_move) = self.start.clone();
        let saved = |change| match change {
            Change::Turn(color) => (color, None),
            Change::Move(color, mv) => (color, Some(mv)),
        };
        let moves = self.steps.iter().map(|step| saved(step.change)).collect();
        Saved { rules: self.rules, start, to_move, moves }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Game {
    /// Reads a game and plays its moves, the illegal ones like those of a record
    /// ([`play_recorded`](Self::play_recorded)). Rejects a start that no game has, and steps that
    /// change nothing.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Saved { rules, start, to_move, moves } = Saved::deserialize(deserializer)?;
        if rules.size != start.size() {
            let expected = rules.size;
            let found = start.size();
            return Err(D::Error::custom(format_args!(
                "expected a board of {expected}, found {found}"
            )));
        }
        if start.ko(to_move.other()).is_some() {
            return Err(D::Error::custom("expected a ko only for the player to move"));
        }
        let mut game = Self::from_board(start, to_move, rules);
        for (number, (color, mv)) in (1..).zip(moves) {
            let before = game.steps.len();
            game.take(mv.map_or(Change::Turn(color), |mv| Change::Move(color, mv)));
            if game.steps.len() == before {
                let why =
                    if mv.is_some() { "off the board" } else { "it is already this player's turn" };
                return Err(D::Error::custom(format_args!("move {number}: {why}")));
            }
        }
        Ok(game)
    }
}
