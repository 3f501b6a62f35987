//! [`BoardEvaluator`]: the beam's evaluation for individual boards.

use super::expansion::Expansion;
use super::movegen::MOVE_TABLES;
use super::node::BeamNode;
use super::placement::unpack;
use super::rows::padded;
use super::selection::Thresholds;
use super::tables::EvaluationTables;
use super::weights::BeamWeights;
use crate::contest::board::Board;
use crate::contest::falling_piece::FallingPiece;
use crate::contest::piece::OrientedPiece;

/// Evaluates individual boards of a sequence, for comparison with
/// [`reference`](mod@crate::contest::reference) in results and speed.
///
/// ```
/// use tetris_ai::contest::beam::{BeamWeights, BoardEvaluator};
/// use tetris_ai::contest::{Board, Sequence};
/// let sequence = Sequence::contest();
/// let evaluator = BoardEvaluator::new(&BeamWeights::default(), sequence.pieces());
/// let children = evaluator.children(0, &Board::default());
/// println!("{} placements, value {}", children.len(), evaluator.value(0, &children[0].1));
/// ```
pub struct BoardEvaluator<'a> {
    tables: EvaluationTables,
    pieces: &'a [OrientedPiece],
}

impl<'a> BoardEvaluator<'a> {
    /// Creates the evaluator of a game with these pieces.
    pub fn new(weights: &BeamWeights, pieces: &'a [OrientedPiece]) -> Self {
        Self { tables: EvaluationTables::new(weights, pieces), pieces }
    }

    /// Returns the value of a board right after piece `piece` (from 0) was placed.
    pub fn value(&self, piece: usize, board: &Board) -> i32 {
        let node = BeamNode::new(board, 0);
        let evaluation = self.tables.after(piece);
        evaluation.value(&evaluation.evaluate(&padded(&node.rows), node.cells))
    }

    /// Returns the children of a board after piece `piece`: the placement, the board, and the sum
    /// of points and value. They are ordered by row from the top, then by state, then by column.
    pub fn children(&self, piece: usize, board: &Board) -> Vec<(FallingPiece, Board, i32)> {
        let node = BeamNode::new(board, 0);
        let moves = &MOVE_TABLES[self.pieces[piece].kind() as usize];
        let scores = self.tables.after(piece).scores;
        let expansion = self.expansion(piece, &[node]);
        let children = expansion.candidates().map(|candidate| {
            let place = unpack(candidate.placement, moves.kind)
                .unwrap_or_else(|| unreachable!("packed before"));
            let child = node.child(moves, place, scores, 0).rehashed();
            debug_assert_eq!(child.hash, candidate.hash);
            debug_assert_eq!(child.cells / 10, candidate.class.into());
            (place, child.board(), candidate.key)
        });
        let mut children: Vec<_> = children.collect();
        children.sort_unstable_by_key(|&(place, ..)| (place.y, place.piece, place.x));
        children
    }

    /// Returns the number of children of all boards after piece `piece`, and the sum of their
    /// values.
    pub fn sum(&self, piece: usize, boards: &[Board]) -> (u64, i64) {
        let nodes: Vec<BeamNode> = boards.iter().map(|board| BeamNode::new(board, 0)).collect();
        let expansion = self.expansion(piece, &nodes);
        (
            expansion.generated,
            expansion.candidates().map(|candidate| i64::from(candidate.key)).sum(),
        )
    }

    fn expansion(&self, piece: usize, nodes: &[BeamNode]) -> Expansion {
        let mut expansion = Expansion::default();
        expansion.expand(
            &self.tables.after(piece),
            self.pieces[piece],
            nodes,
            0,
            &Thresholds::default(),
        );
        expansion
    }
}
