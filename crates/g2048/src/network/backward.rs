//! Learning a finished game from its end to its start.
//!
//! ```text
//! target = 0
//! for each move, last move first:
//!     update value(afterstate) toward the target
//!     target = gain + lambda * target + (1 - lambda) * value(afterstate)
//! ```

use super::settings::LearnerSettings;
use super::tables::{WeightIndices, Weights, find_weight_indices};
use crate::packed::Packed;
use alloc::vec::Vec;
use bitcore::Isa;

/// The moves of a finished game: after each move, the position before the spawn, and the move's
/// gain.
pub type Transcript = Vec<(Packed, u32)>;

/// Computes the weight indices of the last four of some moves, last move first, and prefetches
/// their weights.
#[inline(always)]
fn prepare_with<S: Isa>(
    isa: S,
    tables: &impl Weights,
    coherence: bool,
    moves: Option<&&[(Packed, u32)]>,
    prepared: &mut [WeightIndices; 4],
) {
    let Some(moves) = moves else { return };
    let mut boards = [Packed::EMPTY; 4];
    for (to, &(board, _)) in boards.iter_mut().zip(moves.iter().rev()) {
        *to = board;
    }
    let mut indices = [[0; 4]; 32];
    find_weight_indices(isa, &boards, &mut indices);
    for i in 0..4 {
        tables.prefetch_values_with(isa, &indices, i);
    }
    for (i, four) in indices.into_iter().enumerate() {
        for (prepared, index) in prepared.iter_mut().zip(four) {
            prepared[i] = index as u32;
        }
    }
    if coherence {
        for indices in &*prepared {
            tables.prefetch_sums_with(isa, indices);
        }
    }
}

#[inline(always)]
pub(super) fn learn_backward_with<S: Isa>(
    isa: S,
    settings: LearnerSettings,
    tables: &mut impl Weights,
    transcript: &[(Packed, u32)],
) {
    let LearnerSettings { learning_rate, coherence, lambda, .. } = settings;
    let mut now = &mut [[0; 32]; 4];
    let mut next = &mut [[0; 32]; 4];
    let mut target = 0.0;
    let mut chunks = transcript.rchunks(4).peekable();
    prepare_with(isa, tables, coherence, chunks.peek(), next);
    while let Some(moves) = chunks.next() {
        (now, next) = (next, now);
        // The weights of the next four moves arrive during the updates of these.
        prepare_with(isa, tables, coherence, chunks.peek(), next);
        for (indices, &(_, gain)) in now.iter().zip(moves.iter().rev()) {
            tables.update(indices, target, learning_rate, coherence);
            target = gain as f32 + lambda * target + (1.0 - lambda) * tables.value(indices);
        }
    }
}
