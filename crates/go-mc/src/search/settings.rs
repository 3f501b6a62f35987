//! What a search is told, and what it says.

use crate::game::Move;
use bitcore::Level;
use std::vec::Vec;

/// The question whether to stop, asked after each batch of playouts and by every thread.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// The playouts that judge a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// Uniformly random moves; on 9 x 9 and 13 x 13 many games at once in vector lanes.
    Light,
    /// Captures, rescues and `MoGo`'s shapes beside the last two moves come first, and self-ataris are rare. Ten times slower
    /// than in lanes, and at equal times far stronger.
    Heavy,
}

/// How a search works.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What judges a leaf.
    pub style: Style,
    /// Playouts of a leaf at a time. Lanes are full from 16 on; of heavy playouts one is best.
    pub batch: u32,
    /// Threads that share the tree; 0 is taken as 1.
    pub threads: usize,
    /// The most nodes of the tree, 32 bytes each. A full tree goes on to learn about the moves that it has. While a move
    /// is taken over into the tree, two trees exist for a moment.
    pub nodes: usize,
    /// The seed of the playouts.
    pub seed: u64,
    /// The chance of winning below which it resigns; 0 for never.
    pub resign: f64,
    /// Whether the last word is a Tromp-Taylor count with all stones alive. Otherwise dead stones are taken off at the end
    /// by agreement, and needn't be captured.
    pub tromp_taylor: bool,
    /// The instruction set of the playouts.
    pub level: Level,
}

/// One heavy playout a leaf.
impl Default for Settings {
    fn default() -> Self {
        Self {
            style: Style::Heavy,
            batch: 1,
            threads: 1,
            nodes: 1 << 22,
            seed: 1,
            resign: 0.05,
            tromp_taylor: false,
            level: Level::detect(),
        }
    }
}

impl Settings {
    /// Light playouts, with full lanes.
    pub fn light() -> Self {
        Self { style: Style::Light, batch: 16, ..Self::default() }
    }
}

/// A move and what the search thinks of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// The playouts that began with it.
    pub playouts: u64,
    /// The share of them that its player won, a drawn game counted as a half; 0 without playouts.
    pub value: f64,
}

/// A move and how the search expects the game to go on after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    /// The move and what the search thinks of it.
    pub candidate: Candidate,
    /// What simple knowledge thought of the move before it was tried: its part of the wins that it imagines for all moves
    /// together, which add up to 1.
    pub prior: f64,
    /// The move, and those that were tried most after it.
    pub line: Vec<Move>,
}

/// What a player does in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A move.
    Move(Move),
    /// It gives the game up.
    Resign,
}
