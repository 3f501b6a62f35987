//! The serialized form of a [`Game`].

use super::{Game, Ko, Rules};
use crate::board::{Board, Color};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(rename = "Game", deny_unknown_fields)]
struct Saved {
    rules: Rules,
    board: Board,
    to_move: Color,
    passes: u8,
    /// Under superko: every position including the current one, with its player to move.
    history: Vec<(String, Color)>,
}

impl Serialize for Game {
    /// Writes the rules, the position, and under superko all earlier positions.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { ref board, rules, to_move, passes, ref history } = *self;
        let size = board.size();
        let text = |&(stones, color): &_| (Board::with_ko(size, stones, None).to_string(), color);
        let history = history.iter().map(text).collect();
        Saved { rules, board: board.clone(), to_move, passes, history }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Game {
    /// Reads a game; rejects games with contradictory fields.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Saved { rules, board, to_move, passes, history: texts } = Saved::deserialize(deserializer)?;
        if rules.size != board.size() {
            let (expected, found) = (rules.size, board.size());
            return Err(D::Error::custom(format_args!("expected a board of {expected}, found {found}")));
        }
        if passes > 2 {
            return Err(D::Error::custom(format_args!("expected at most 2 passes, found {passes}")));
        }
        if board.ko(to_move.other()).is_some() || passes > 0 && board.ko(to_move).is_some() {
            return Err(D::Error::custom("expected a ko only for the player to move, and none after a pass"));
        }
        let mut history = Vec::new();
        for (i, (text, color)) in (1..).zip(texts) {
            let fails = |why: &dyn core::fmt::Display| D::Error::custom(format_args!("position {i}: {why}"));
            let earlier: Board = text.parse().map_err(|error| fails(&error))?;
            if earlier.size() != board.size() {
                let (expected, found) = (board.size(), earlier.size());
                return Err(fails(&format_args!("expected a board of {expected}, found {found}")));
            }
            history.push((earlier.stones_by_color(), color));
        }
        let last = Some(&(board.stones_by_color(), to_move));
        if rules.ko == Ko::Simple && !history.is_empty() {
            return Err(D::Error::custom("expected no earlier positions under simple ko"));
        }
        if rules.ko != Ko::Simple && history.last() != last {
            return Err(D::Error::custom("expected the position of the game at the end of its history"));
        }
        Ok(Self { board, rules, to_move, passes, history })
    }
}
