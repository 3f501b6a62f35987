//! Operations below 100 ns that are measured through a slice, once more with a call for each board: what a caller pays
//! who has one board at a time.

use crate::{Operation, g2048_ops, match3_ops, tetris_ops};

/// The operations, each named after the one whose work it does.
pub(crate) fn operations() -> Vec<Operation> {
    let mut operations = match3_ops::one_call_each();
    operations.extend(g2048_ops::one_call_each());
    operations.extend(tetris_ops::one_call_each());
    operations
}
