//! The settings and results of a search.

use super::net::Net;
use super::prior::Prior;
use crate::rules::game::Move;
use std::vec::Vec;

/// The kind of playout that evaluates a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlayoutKind {
    /// Uniformly random moves; on 9 x 9 and 13 x 13 many games in parallel in vector lanes.
    Light,
    /// Captures, rescues and 3 x 3 patterns near the last two moves come first, and self-ataris are
    /// rare. About ten times slower than light playouts in lanes, and far stronger at equal time.
    Heavy,
}

/// The settings of a search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The kind of playout that evaluates a leaf.
    pub playout_kind: PlayoutKind,
    /// The playouts per visit of a leaf. 16 or more fill the vector lanes; for heavy playouts 1 is
    /// best.
    pub playouts_per_leaf: u32,
    /// The number of threads that share the tree, capped at the
    /// [useful](bitcade_core::useful_threads) number; 0 means 1. If the system can't start as many,
    /// [`Search::missing_threads`](super::Search::missing_threads) returns how many are missing.
    pub threads: usize,
    /// The maximum number of nodes in the tree, 32 bytes each. A full tree keeps updating its
    /// existing nodes. While [`Search::play`](super::Search::play) copies the subtree, two trees
    /// exist.
    pub max_nodes: usize,
    /// The seed of the playouts.
    pub seed: u64,
    /// The win rate below which [`Search::choose`](super::Search::choose) resigns, given [enough
    /// visits](super::MIN_RESIGN_VISITS); 0 means never.
    pub resign_threshold: f64,
    /// `true` if the game is scored by Tromp-Taylor, where all stones are alive. Otherwise dead
    /// stones are removed by agreement at the end and need not be captured.
    pub tromp_taylor: bool,
    /// The knowledge that guides the first playouts of each move.
    pub prior: Prior,
    /// The net that replaces the prior at the root and at nodes with enough visits.
    pub net: Option<Net>,
    /// The visits from which a node's moves get the priors of the net. The net costs half a heavy
    /// playout per node, and only one node in five gets four visits.
    pub net_visits: u32,
}

impl Default for Settings {
    /// Returns one heavy playout per leaf, one thread, at most 2^22 nodes, seed 1, resignation
    /// below a win rate of 5 %, removal of dead stones by agreement, the
    /// [built-in](Prior::builtin) prior, and from 4 visits on the [built-in](Net::builtin) net.
    fn default() -> Self {
        Self {
            playout_kind: PlayoutKind::Heavy,
            playouts_per_leaf: 1,
            threads: 1,
            max_nodes: 1 << 22,
            seed: 1,
            resign_threshold: 0.05,
            tromp_taylor: false,
            prior: Prior::builtin(),
            net: Some(Net::builtin()),
            net_visits: 4,
        }
    }
}

impl Settings {
    /// Returns settings with 16 light playouts per leaf, which fill the vector lanes, and no net: at
    /// equal CPU time it doesn't make them stronger.
    pub fn light() -> Self {
        let playout_kind = PlayoutKind::Light;
        Self { playout_kind, playouts_per_leaf: 16, net: None, ..Self::default() }
    }
}

/// A root move with its statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// The number of playouts that began with the move.
    pub visits: u64,
    /// The share of these playouts won by the player to move, from 0 to 1; a draw counts as half a
    /// win. 0 without playouts.
    pub win_rate: f64,
    /// The mean score of these playouts after komi, in points, for the player to move; 0 without
    /// playouts.
    pub score: f64,
    /// The standard deviation of the score of a playout after the move; of one from the position if
    /// the move has had fewer than two playouts since the last one was
    /// [played](super::Search::play).
    pub score_deviation: f64,
}

/// A root move with its prior and its principal variation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Variation {
    /// The move with its statistics.
    pub candidate: Candidate,
    /// The move's share of the prior wins of all root moves, from 0 to 1; all shares add up to 1.
    pub prior: f64,
    /// The principal variation: the move, then the most visited move of each node below it.
    pub pv: Vec<Move>,
}

/// A player's choice for one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The player makes a move.
    Move(Move),
    /// The player resigns.
    Resign,
}
