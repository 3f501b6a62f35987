//! `serde` forms: [`Size`] and [`Board`] as text, [`Packed`] as its board, [`Game`] field by field.

use crate::board::{Board, Size};
use crate::game::Game;
use crate::packed::Packed;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

bitcade_core::__serde_as_text!(Size: "a size such as 4x4", Board: "rows of tile values");

impl Serialize for Packed {
    /// Writes the board as text.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.board().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Packed {
    /// Reads a 4x4 board without tiles above 32768.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(&Board::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// A [`Game`] as it is saved.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Game", deny_unknown_fields)]
struct Saved {
    score: u64,
    moves: u64,
    board: Board,
}

impl Serialize for Game {
    /// Writes the game field by field.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Saved { score: self.score(), moves: self.moves(), board: self.board() }
            .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Game {
    /// Reads a game field by field. Rejects a score or a number of moves beyond the bounds of play.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Saved { score, moves, board } = Saved::deserialize(deserializer)?;
        if score > board.potential() {
            Err(D::Error::custom("expected a score reachable with the board's tiles"))
        } else if moves > board.tiles().sum::<u64>() / 2 {
            Err(D::Error::custom("expected no more moves than half the sum of the board's tiles"))
        } else {
            Ok(Self::resume(board, score, moves))
        }
    }
}
