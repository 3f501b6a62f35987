//! The serialized forms of [`Game`] and [`Rules`].

use super::{Game, MAX_NEXT, Rules, TopOut};
use crate::attack::AttackTable;
use crate::bag::Bag;
use crate::board::Board;
use crate::garbage::{GarbageQueue, GarbageTiming};
use crate::kicks::RotationSystem;
use crate::piece::Piece;
use crate::placement::SpinMode;
use crate::text::Queue;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Deserialize)]
#[serde(rename = "Rules", deny_unknown_fields)]
pub(super) struct SavedRules {
    next: Option<usize>,
    hold: Option<bool>,
    attack: Option<AttackTable>,
    garbage_timing: Option<GarbageTiming>,
    cancel: Option<bool>,
    garbage_cap: Option<u32>,
    garbage_delay: Option<u32>,
    second_spawn_row: Option<bool>,
    rotation_system: Option<RotationSystem>,
    spin_mode: Option<SpinMode>,
}

impl From<SavedRules> for Rules {
    /// Uses the default for missing fields. A text with all fields of that time and no
    /// `second_spawn_row` predates that rule.
    fn from(saved: SavedRules) -> Self {
        let SavedRules {
            next,
            hold,
            attack,
            garbage_timing,
            cancel,
            garbage_cap,
            garbage_delay,
            second_spawn_row,
            rotation_system,
            spin_mode,
        } = saved;
        let is_old = next.is_some()
            && hold.is_some()
            && attack.is_some()
            && garbage_timing.is_some()
            && cancel.is_some()
            && garbage_cap.is_some();
        let rules = Self::default();
        Self {
            next: next.unwrap_or(rules.next),
            hold: hold.unwrap_or(rules.hold),
            attack: attack.unwrap_or(rules.attack),
            garbage_timing: garbage_timing.unwrap_or(rules.garbage_timing),
            cancel: cancel.unwrap_or(rules.cancel),
            garbage_cap: garbage_cap.unwrap_or(rules.garbage_cap),
            garbage_delay: garbage_delay.unwrap_or(rules.garbage_delay),
            second_spawn_row: second_spawn_row.unwrap_or(rules.second_spawn_row && !is_old),
            rotation_system: rotation_system.unwrap_or(rules.rotation_system),
            spin_mode: spin_mode.unwrap_or(rules.spin_mode),
        }
    }
}

/// The queue contains only its used part.
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
    #[serde(rename = "over")]
    top_out: Option<TopOut>,
}

impl Serialize for Game {
    /// Writes the rules and the state, field by field.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self {
            rules,
            board,
            queue,
            hold,
            bag,
            combo,
            back_to_back,
            ref garbage,
            pieces,
            top_out,
        } = *self;
        let queue = Queue(queue[..self.queue_len()].to_vec());
        let garbage = garbage.clone();
        Saved { rules, board, queue, hold, bag, combo, back_to_back, garbage, pieces, top_out }
            .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Game {
    /// Deserializes a game, and rejects contradictory fields.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Saved {
            rules,
            board,
            queue: known,
            hold,
            bag,
            combo,
            back_to_back,
            garbage,
            pieces,
            top_out,
        } = Saved::deserialize(deserializer)?;
        if rules.next > MAX_NEXT {
            let found = rules.next;
            return Err(D::Error::custom(format_args!(
                "expected a preview of at most {MAX_NEXT}, found {found}"
            )));
        }
        let queue = [Piece::I; 1 + MAX_NEXT];
        let mut game =
            Self { rules, board, queue, hold, bag, combo, back_to_back, garbage, pieces, top_out };
        let expected = game.queue_len();
        let found = known.len();
        if found != expected {
            return Err(D::Error::custom(format_args!(
                "expected a queue of {expected} pieces, found {found}"
            )));
        }
        game.queue[..found].copy_from_slice(&known);
        // Only a block out can be checked against the board.
        let fits = game.spawn_location(game.piece()).is_some();
        if !fits && top_out.is_none() {
            return Err(D::Error::custom(
                "expected a game that is over: the piece in play overlaps the stack",
            ));
        }
        if fits && top_out == Some(TopOut::Block) {
            return Err(D::Error::custom(
                "expected no block out: the piece in play fits at its spawn",
            ));
        }
        if rules.garbage_timing == GarbageTiming::Immediate
            && top_out.is_none()
            && !game.garbage.is_empty()
        {
            return Err(D::Error::custom(
                "expected no waiting garbage in a game where it enters immediately",
            ));
        }
        Ok(game)
    }
}
