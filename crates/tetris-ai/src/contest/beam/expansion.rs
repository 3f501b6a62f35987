//! [`Expansion`]: the candidates generated from a chunk of nodes.

use super::candidate::Candidate;
use super::evaluation::Evaluation;
use super::movegen::{MOVE_TABLES, for_each_placement};
use super::node::{BeamNode, HASH_FACTORS, PARTITIONS, hash, partition_of, place_piece};
use super::placement::pack;
use super::rows::padded;
use super::selection::Thresholds;
use crate::contest::piece::OrientedPiece;
use bitcore::dispatch;

/// The children of a chunk of nodes.
#[derive(Debug, Default)]
pub(super) struct Expansion {
    /// The candidates by partition of their boards; within a partition, by parent, then by
    /// placement.
    pub(super) partitions: [Vec<Candidate>; PARTITIONS],
    /// The number of placements evaluated, including those below the thresholds.
    pub(super) generated: u64,
}

impl Expansion {
    pub(super) fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        self.partitions.iter().flatten()
    }

    pub(super) fn best_key(&self) -> Option<i32> {
        self.candidates().map(|candidate| candidate.key).max()
    }

    /// Replaces the candidates with the admitted children of `nodes`, the first of which has the id
    /// `first`.
    pub(super) fn expand(
        &mut self,
        evaluation: &Evaluation,
        piece: OrientedPiece,
        nodes: &[BeamNode],
        first: u32,
        thresholds: &Thresholds,
    ) {
        self.partitions.iter_mut().for_each(Vec::clear);
        dispatch!(_isa [this = self, evaluation, piece, nodes, first, thresholds] => {
            this.expand_here(evaluation, piece, nodes, first, thresholds);
        });
    }

    #[inline(always)]
    fn expand_here(
        &mut self,
        evaluation: &Evaluation,
        piece: OrientedPiece,
        nodes: &[BeamNode],
        first: u32,
        thresholds: &Thresholds,
    ) {
        let moves = &MOVE_TABLES[piece.kind() as usize];
        let mut generated = 0;
        for (parent, node) in (first..).zip(nodes) {
            let rows = padded(&node.rows);
            let board = evaluation.evaluate(&rows, node.cells);
            // The attribute compiles the closure as part of the kernel.
            #[rustfmt::skip]
            for_each_placement(moves, piece.state(), &rows, #[inline(always)] |state: usize, x: u32, y: usize| {
                let piece_rows = &moves.piece_rows[state & 3];
                let Some(child) = evaluation.evaluate_child(&board, piece_rows, x, y) else { return };
                generated += 1;
                let key = node.score as i32 + child.value;
                let class = (child.cells / 10) as u8;
                if !thresholds.admits(class, key) {
                    return;
                }
                let hash = if child.lines == 0 {
                    let mut hash = node.hash;
                    for i in 0..piece_rows.height {
                        let row = u64::from(piece_rows.row(i, x));
                        hash = hash.wrapping_add(row.wrapping_mul(HASH_FACTORS[y - piece_rows.up + i]));
                    }
                    hash
                } else {
                    hash(&place_piece(&node.rows, piece_rows, x, y).0)
                };
                let placement = pack(state, x, y);
                self.partitions[partition_of(hash)].push(Candidate { hash, key, parent, placement, class });
            });
        }
        self.generated = generated;
    }
}
