//! Serialized forms. Boards, cells, events, shapes and special pieces are text; a board with
//! special pieces is its board and a list of the pieces; a game is its rules, board, remaining
//! moves and score; random colors are a generator and a buffer.

use crate::bitboard::colors::{RandomColors, put};
use crate::bitboard::planes::{PlaneBoard, PlaneLayout};
use crate::board::{Board, Cell};
use crate::cells::groups::Shape;
use crate::cells::journal::Event;
use crate::cells::special::{Special, SpecialBoard, SpecialEvent};
use crate::game::Game;
use crate::level::{Kind, LevelEvent};
use crate::rules::Rules;
use alloc::vec::Vec;
use bitcore::Rng;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

bitcade_core::__serde_as_text!(
    Board: "rows of cells",
    Event: "the line of an event",
    Kind: "the name of a special piece",
    LevelEvent: "the line of an event",
    Shape: "the name of a shape",
    Special: "the name of a special piece",
    SpecialEvent: "the line of an event",
);

impl Serialize for Cell {
    /// Writes the cell as text.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Cell {
    /// Reads a cell from its text, which is a board of one cell.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Board::deserialize(deserializer)?.cells() {
            &[cell] => Ok(cell),
            cells => {
                Err(D::Error::custom(format_args!("expected one cell, found {}", cells.len())))
            }
        }
    }
}

impl<W: PlaneLayout<P>, const P: usize> Serialize for PlaneBoard<W, P> {
    /// Writes the board as text.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Board::from(*self).serialize(serializer)
    }
}

impl<'de, W: PlaneLayout<P>, const P: usize> Deserialize<'de> for PlaneBoard<W, P> {
    /// Reads a board from text. Its size and colors must fit the planes.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(&Board::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "SpecialBoard", deny_unknown_fields)]
struct SavedSpecialBoard {
    board: Board,
    /// Column, row and kind of each special piece, by row.
    specials: Vec<(usize, usize, Special)>,
}

impl Serialize for SpecialBoard {
    /// Writes the board, and the position and kind of each special piece.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let board = self.board().clone();
        let cells = (0..board.height()).flat_map(|y| (0..board.width()).map(move |x| (x, y)));
        let specials = cells.filter_map(|(x, y)| Some((x, y, self.special(x, y)?))).collect();
        SavedSpecialBoard { board, specials }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SpecialBoard {
    /// Reads a board and its special pieces. Each must be on a piece, and no two in the same cell.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SavedSpecialBoard { board, specials } = SavedSpecialBoard::deserialize(deserializer)?;
        let mut read = Self::from(board);
        let mut placed = 0;
        for (x, y, special) in specials {
            read.set_special(x, y, Some(special)).map_err(D::Error::custom)?;
            placed += 1;
        }
        let cells =
            (0..read.board().height()).flat_map(|y| (0..read.board().width()).map(move |x| (x, y)));
        if cells.filter(|&(x, y)| read.special(x, y).is_some()).count() != placed {
            return Err(D::Error::custom("expected each special piece in a different cell"));
        }
        Ok(read)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Game", deny_unknown_fields)]
struct SavedGame {
    rules: Rules,
    board: Board,
    moves_left: u32,
    score: u64,
}

impl Serialize for Game {
    /// Writes the rules, the board, the number of moves left and the score.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rules = self.rules();
        let board = self.board();
        let moves_left = self.moves_left();
        let score = self.score();
        SavedGame { rules, board, moves_left, score }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Game {
    /// Reads a game. The board must fit the rules, and there can't be more moves left than the
    /// rules allow.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SavedGame { rules, board, moves_left, score } = SavedGame::deserialize(deserializer)?;
        if moves_left > rules.moves {
            let most = rules.moves;
            return Err(D::Error::custom(format_args!(
                "{moves_left} moves left: expected at most {most}"
            )));
        }
        Self::restored(rules, moves_left, score, &board).map_err(D::Error::custom)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "RandomColors", deny_unknown_fields)]
struct SavedColors {
    rng: Rng,
    count: u8,
    /// The buffered colors, the next one first.
    buffered: Vec<u8>,
}

impl Serialize for RandomColors {
    /// Writes the generator, the number of colors and the buffered colors, the next one first.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (rng, planes, buffered) = self.parts();
        let color =
            |at| (0..).zip(planes).map(|(bit, plane)| ((plane >> at & 1) as u8) << bit).sum();
        let buffered = (0..buffered).map(color).collect();
        SavedColors { rng: rng.clone(), count: self.count(), buffered }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RandomColors {
    /// Reads a source of colors, with at most 64 buffered colors, each from 1 to the number of
    /// colors.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SavedColors { rng, count, buffered } = SavedColors::deserialize(deserializer)?;
        Self::new(count, rng.clone()).map_err(D::Error::custom)?;
        if buffered.len() > 64 {
            let found = buffered.len();
            return Err(D::Error::custom(format_args!(
                "expected at most 64 buffered colors, found {found}"
            )));
        }
        let mut planes = [0u64; 4];
        for (at, &color) in (0..).zip(&buffered) {
            if !(1..=count).contains(&color) {
                return Err(D::Error::custom(format_args!(
                    "expected a color from 1 to {count}, found {color}"
                )));
            }
            put(&mut planes, at, color);
        }
        Ok(Self::from_parts(rng, count, &planes, buffered.len() as u32))
    }
}
