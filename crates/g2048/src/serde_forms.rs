//! Saved forms: the texts of [`Size`] and [`Board`]; a [`Packed`] as its board.

use crate::board::{Board, Size};
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
        Self::new(&Board::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
