//! The saved form of a [`Game`].

use super::{Game, MAX_NEXT, Rules, TopOut};
use crate::bag::Bag;
use crate::board::Board;
use crate::garbage::{GarbageQueue, GarbageTiming};
use crate::location::Location;
use crate::piece::Piece;
use crate::text::Queue;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The fields of a [`Game`], with the queue as long as it is in use.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Game", deny_unknown_fields)]
struct Saved {
    rules: Rules,
    board: Board,
    queue: Queue,
    hold: Option<Piece>,
    bag: Bag,
    combo: u32,
    back_to_back: u32,
    garbage: GarbageQueue,
    pieces: u64,
    over: Option<TopOut>,
}

impl Serialize for Game {
    /// Writes the rules and the state, field by field.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { rules, board, queue, hold, bag, combo, back_to_back, ref garbage, pieces, over } = *self;
        let (queue, garbage) = (Queue(queue[..self.queue_len()].to_vec()), garbage.clone());
        Saved { rules, board, queue, hold, bag, combo, back_to_back, garbage, pieces, over }
            .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Game {
    /// Reads a game, and refuses one whose fields contradict each other.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Saved { rules, board, queue: known, hold, bag, combo, back_to_back, garbage, pieces, over } =
            Saved::deserialize(deserializer)?;
        if rules.next > MAX_NEXT {
            let found = rules.next;
            return Err(D::Error::custom(format_args!(
                "expected a preview of at most {MAX_NEXT}, found {found}"
            )));
        }
        let queue = [Piece::I; 1 + MAX_NEXT];
        let mut game = Self { rules, board, queue, hold, bag, combo, back_to_back, garbage, pieces, over };
        let (expected, found) = (game.queue_len(), known.len());
        if found != expected {
            return Err(D::Error::custom(format_args!(
                "expected a queue of {expected} pieces, found {found}"
            )));
        }
        game.queue[..found].copy_from_slice(&known);
        // A block out is the only end that the board shows.
        let fits = board.fits(Location::spawn(game.piece()));
        if !fits && over.is_none() {
            return Err(D::Error::custom(
                "expected a game that is over: the piece in play overlaps the stack",
            ));
        }
        if fits && over == Some(TopOut::Block) {
            return Err(D::Error::custom("expected no block out: the piece in play fits at its spawn"));
        }
        if rules.garbage_timing == GarbageTiming::Immediate && over.is_none() && !game.garbage.is_empty() {
            return Err(D::Error::custom(
                "expected no waiting garbage in a game where it enters immediately",
            ));
        }
        Ok(game)
    }
}
