//! [`Brood`]: the candidates below some boards.

use super::candidate::Candidate;
use super::evaluation::Evaluation;
use super::lock::Lock;
use super::moves::{MOVES, for_each_lock};
use super::node::{FACTORS, Node, PARTS, hash, part_of, placed};
use super::rows::walled;
use super::select::Bars;
use crate::contest::Piece;
use bitcore::{Level, dispatch};

/// What is found below some nodes.
#[derive(Debug, Default)]
pub(super) struct Brood {
    /// The candidates by parts, in each part in the order of nodes and locks.
    pub(super) parts: [Vec<Candidate>; PARTS],
    /// The placements evaluated.
    pub(super) generated: u64,
}

impl Brood {
    /// All candidates, part after part.
    pub(super) fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        self.parts.iter().flatten()
    }

    /// The best key.
    pub(super) fn best_key(&self) -> Option<i32> {
        self.candidates().map(|candidate| candidate.key).max()
    }

    /// Replaces what it held by the children of some nodes, of which the first lies at `first`, as far as the bars
    /// allow.
    pub(super) fn fill_on(
        &mut self,
        level: Level,
        evaluation: &Evaluation,
        piece: Piece,
        nodes: &[Node],
        first: u32,
        bars: &Bars,
    ) {
        self.parts.iter_mut().for_each(Vec::clear);
        dispatch!(level, _isa [this = self, evaluation, piece, nodes, first, bars] => {
            this.expand(evaluation, piece, nodes, first, bars);
        });
    }

    #[inline(always)]
    fn expand(&mut self, evaluation: &Evaluation, piece: Piece, nodes: &[Node], first: u32, bars: &Bars) {
        let moves = &MOVES[piece.shape() as usize];
        let mut generated = 0;
        for (parent, node) in (first..).zip(nodes) {
            let rows = walled(&node.rows);
            let profile = evaluation.profile(&rows, node.cells);
            // Compiled with the kernel only if it is part of it.
            #[rustfmt::skip]
            for_each_lock(moves, piece.state(), &rows, #[inline(always)] |state: usize, x: u32, y: usize| {
                let form = &moves.forms[state & 3];
                let Some(child) = evaluation.child(&profile, form, x, y) else { return };
                generated += 1;
                let key = node.score as i32 + child.value;
                let class = (child.cells / 10) as u8;
                if !bars.allows(class, key) {
                    return;
                }
                let hash = if child.lines == 0 {
                    let mut hash = node.hash;
                    for i in 0..form.height {
                        let row = u64::from(form.row(i, x));
                        hash = hash.wrapping_add(row.wrapping_mul(FACTORS[y - form.up + i]));
                    }
                    hash
                } else {
                    hash(&placed(&node.rows, form, x, y).0)
                };
                let lock = Lock { state: state as u8, x: x as u8, y: y as u8 }.pack();
                self.parts[part_of(hash)].push(Candidate { hash, key, parent, lock, class });
            });
        }
        self.generated = generated;
    }
}
