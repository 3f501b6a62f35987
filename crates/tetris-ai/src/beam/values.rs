//! [`Values`]: what the beam makes of single boards.

use super::brood::Brood;
use super::lock::Lock;
use super::moves::MOVES;
use super::node::Node;
use super::potential::Outlook;
use super::rows::walled;
use super::select::Bars;
use super::weights::Weights;
use crate::contest::{Board, Piece};
use bitcore::Level;

/// What the evaluation makes of single boards of a sequence: to be compared with
/// [`reference`](mod@crate::reference), in results and in time.
#[doc(hidden)]
pub struct Values<'a> {
    outlook: Outlook,
    pieces: &'a [Piece],
}

impl<'a> Values<'a> {
    /// For a game of these pieces.
    pub fn new(weights: &Weights, pieces: &'a [Piece]) -> Self {
        Self { outlook: Outlook::new(weights, pieces), pieces }
    }

    /// What a board is worth on which piece `piece` (from 0) has just been placed.
    pub fn value(&self, piece: usize, board: &Board) -> i32 {
        let node = Node::new(board, 0);
        let evaluation = self.outlook.after(piece);
        evaluation.value(&evaluation.profile(&walled(&node.rows), node.cells))
    }

    /// The children of a board by piece `piece`: lock, board, gain and value together, by rows from the top.
    pub fn children_on(&self, level: Level, piece: usize, board: &Board) -> Vec<(Lock, Board, i32)> {
        let node = Node::new(board, 0);
        let moves = &MOVES[self.pieces[piece].shape() as usize];
        let scores = self.outlook.after(piece).scores;
        let brood = self.brood(level, piece, &[node]);
        let children = brood.candidates().map(|candidate| {
            let lock = Lock::unpack(candidate.lock).unwrap_or_else(|| unreachable!("packed before"));
            let child = node.child(moves, lock, scores, 0).rehashed();
            debug_assert_eq!((child.hash, child.cells / 10), (candidate.hash, candidate.class.into()));
            (lock, child.board(), candidate.key)
        });
        let mut children: Vec<_> = children.collect();
        children.sort_unstable_by_key(|&(lock, ..)| (lock.y, lock.state, lock.x));
        children
    }

    /// How many children some boards have by piece `piece`, and the sum of what all are worth.
    pub fn sum_on(&self, level: Level, piece: usize, boards: &[Board]) -> (u64, i64) {
        let nodes: Vec<Node> = boards.iter().map(|board| Node::new(board, 0)).collect();
        let brood = self.brood(level, piece, &nodes);
        (brood.generated, brood.candidates().map(|candidate| i64::from(candidate.key)).sum())
    }

    fn brood(&self, level: Level, piece: usize, nodes: &[Node]) -> Brood {
        let mut brood = Brood::default();
        brood.fill_on(level, &self.outlook.after(piece), self.pieces[piece], nodes, 0, &Bars::default());
        brood
    }
}
