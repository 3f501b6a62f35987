//! Serialized forms: points, moves, colors, sizes and rules as text; a board as its diagram and ko
//! point; a playout position as its board.

use crate::rules::board::{Board, Color, Size, Suicide};
use crate::rules::game::{Ko, Move};
use crate::rules::komi::Komi;
use crate::rules::points::{Point, Points};
use crate::rules::position::Position;
use alloc::string::{String, ToString};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

bitcade_core::__serde_as_text!(
    Color: "black or white",
    Ko: "simple, positional or situational",
    Komi: "a multiple of 0.5, such as 7.5",
    Move: "`pass` or a point such as D4",
    Point: "a point such as D4",
    Size: "a size such as 9x9",
    Suicide: "forbidden, multi or all",
);

#[derive(Serialize, Deserialize)]
#[serde(rename = "Board", deny_unknown_fields)]
struct SavedBoard {
    stones: String,
    /// The color that may not retake a ko this turn, and the ko point.
    ko: Option<(Color, Point)>,
}

impl Serialize for Board {
    /// Writes the diagram, and the ko point with the color that may not take it.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ko = Color::ALL.into_iter().find_map(|color| Some((color, self.ko(color)?)));
        SavedBoard { stones: self.to_string(), ko }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Board {
    /// Reads a diagram in which each chain has a liberty, and a ko point that a capture can
    /// explain.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SavedBoard { stones, ko } = SavedBoard::deserialize(deserializer)?;
        let board: Self = stones.parse().map_err(D::Error::custom)?;
        let Some((color, point)) = ko else { return Ok(board) };
        if !can_be_ko(&board, color, point) {
            return Err(D::Error::custom(format_args!(
                "{point} can't be a ko point forbidden to {color}"
            )));
        }
        Ok(Self::with_ko(board.size(), Color::ALL.map(|color| board.stones(color)), ko))
    }
}

/// Returns whether the last move can have been a capture of a single stone of `color` on `point` by
/// a single stone without other liberties.
fn can_be_ko(board: &Board, color: Color, point: Point) -> bool {
    let Some(index) = Points::<19>::index(point) else { return false };
    let captured = Points::from_index(index);
    let around = captured.neighbors() & board.size().points();
    let captures = |neighbor| {
        let at = Points::<19>::point(neighbor);
        board.chain(at).is_single() && board.liberties(at) == captured
    };
    board.empty().contains(index)
        && (around - board.stones(color.other())).is_empty()
        && around.iter().any(captures)
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Position", deny_unknown_fields)]
struct SavedPosition {
    board: Board,
    to_move: Color,
    passed: bool,
}

impl<const N: usize> Serialize for Position<N> {
    /// Writes the board, the player to move and whether the last move was a pass.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(size) = Size::new(N, N) else {
            return Err(serde::ser::Error::custom(format_args!("no board has {N} x {N} points")));
        };
        let to_move = self.to_move();
        let passed = self.passed();
        let ko = self.ko().iter().next().map(|index| (to_move, Points::<N>::point(index)));
        let board = Board::with_ko(size, Color::ALL.map(|color| self.stones(color).resized()), ko);
        SavedPosition { board, to_move, passed }.serialize(serializer)
    }
}

impl<'de, const N: usize> Deserialize<'de> for Position<N> {
    /// Reads an `N` x `N` position. Rejects a ko point after a pass, or one of the player who has
    /// just moved.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SavedPosition { board, to_move, passed } = SavedPosition::deserialize(deserializer)?;
        if board.ko(to_move.other()).is_some() || passed && board.ko(to_move).is_some() {
            return Err(D::Error::custom(
                "expected a ko only for the player to move, and none after a pass",
            ));
        }
        let position = if passed {
            Self::new(&board, to_move.other()).map(Self::after_pass)
        } else {
            Self::new(&board, to_move)
        };
        let size = board.size();
        position.ok_or_else(|| {
            D::Error::custom(format_args!("expected a board of {N}x{N}, found {size}"))
        })
    }
}
