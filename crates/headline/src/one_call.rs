//! Operations below 100 ns that are otherwise measured through a slice, with one call per board: the cost for
//! a caller who has one board at a time.

use crate::{Operation, g2048_ops, match3_ops, tetris_ops};

/// Returns the operations, each named after the one with the same work.
pub(crate) fn operations() -> Vec<Operation> {
    let mut operations = match3_ops::one_call_each();
    operations.extend(g2048_ops::one_call_each());
    operations.extend(tetris_ops::one_call_each());
    operations
}
