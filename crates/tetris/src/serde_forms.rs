//! Serialized forms: boards, pieces and queues as text; a bag as the letters of its pieces; garbage
//! as a list of attacks.

use crate::bag::Bag;
use crate::board::{Board, WIDTH};
use crate::garbage::{Attack, GarbageQueue};
use crate::piece::Piece;
use crate::real_time::Recording;
use crate::text::Queue;
use alloc::vec::Vec;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

bitcade_core::__serde_as_text!(
    Board: "rows of `.` and `#`, or ten hexadecimal columns",
    Piece: "one of I O T S Z J L",
    Queue: "letters of pieces",
    Recording: "lines of inputs with their ticks",
);

impl Serialize for Bag {
    /// Writes the letters of the remaining pieces, such as `IOTSZJL`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Queue(self.pieces().collect()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Bag {
    /// Reads the letters of the remaining pieces: one to seven, each once.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let left = Queue::deserialize(deserializer)?;
        let mut bag = Self::FULL;
        // Never takes the last one, which would refill the bag: at least one piece stays.
        for piece in
            Piece::ALL.into_iter().filter(|piece| !left.is_empty() && !left.contains(piece))
        {
            bag.take(piece);
        }
        if left.len() == bag.len() as usize && !left.is_empty() {
            Ok(bag)
        } else {
            Err(D::Error::custom(format_args!(
                "expected a bag of one to seven pieces, each once, found `{left}`"
            )))
        }
    }
}

/// An attack with the rest of its delay, which is left out if it is 0.
#[derive(Serialize, Deserialize)]
struct Pending {
    #[serde(flatten)]
    attack: Attack,
    #[serde(default, skip_serializing_if = "is_zero")]
    delay: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn is_zero(&delay: &u32) -> bool {
    delay == 0
}

impl Serialize for GarbageQueue {
    /// Writes the attacks, oldest first.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter_delayed().map(|(attack, delay)| Pending { attack, delay }))
    }
}

impl<'de> Deserialize<'de> for GarbageQueue {
    /// Reads the attacks, oldest first, each with at least one line and its hole in the field.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut queue = Self::default();
        for Pending { attack, delay } in Vec::<Pending>::deserialize(deserializer)? {
            if attack.lines == 0 {
                return Err(D::Error::custom("expected garbage of at least one line"));
            }
            if usize::from(attack.column) >= WIDTH {
                let column = attack.column;
                return Err(D::Error::custom(format_args!(
                    "expected a column below {WIDTH}, found {column}"
                )));
            }
            queue.push_delayed(attack, delay);
        }
        Ok(queue)
    }
}
