//! Saved forms: the texts of [`Size`] and [`Board`]; a [`Packed`] as its board; a [`Game`] field by field.

use crate::board::{Board, Size};
use crate::game::Game;
use crate::packed::Packed;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

bitcore::__serde_as_text!(Size: "a size such as 4x4", Board: "rows of tile values");

impl Serialize for Packed {
    /// Writes the text of the board.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.board().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Packed {
    /// Reads the text of a board of 4x4 without a tile above 32768.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(&Board::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl<'de> Deserialize<'de> for Game {
    /// Reads a game, field by field, with a score and a number of moves that play can reach.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Saved {
            score: u64,
            moves: u64,
            board: Board,
        }
        let Saved { score, moves, board } = Saved::deserialize(deserializer)?;
        if score > board.potential() {
            Err(D::Error::custom("expected a score that the board's tiles have gained"))
        } else if moves > board.tiles().sum::<u64>() / 2 {
            Err(D::Error::custom("expected no more moves than 2s in the board's tiles"))
        } else {
            Ok(Self { score, moves, board })
        }
    }
}
