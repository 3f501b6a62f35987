//! The lists of operations.

use crate::operation::Operation;
use crate::{bitcore_ops, contest_ops, g2048_ops, go_ops, match3_ops, tetris_ops};

fn games() -> [Vec<Operation>; 6] {
    [
        bitcore_ops::operations(),
        match3_ops::operations(),
        g2048_ops::operations(),
        tetris(),
        go_ops::operations(),
        contest_ops::operations(),
    ]
}

fn tetris() -> Vec<Operation> {
    #[allow(unused_mut, reason = "other architectures have no instructions of the article")]
    let mut operations = tetris_ops::operations();
    #[cfg(target_arch = "x86_64")]
    if bitcore::X86V3::new().is_some() {
        operations.extend(crate::hand_written::tetris::operations());
    }
    operations
}

/// Returns all operations, in the order of the tables. Operations named `.. one call` call the
/// kernel once per board; other operations below 100 ns take a slice of boards per call.
pub fn all() -> Vec<Operation> {
    games().into_iter().flatten().collect()
}

/// Returns bitcore's kernels with hand-written functions as references, which shows the cost of
/// `dispatch!`. Empty on a CPU without the features.
pub(crate) fn by_hand() -> Vec<Operation> {
    #[cfg(target_arch = "x86_64")]
    if bitcore::X86V3::new().is_some() {
        return crate::hand_written::operations();
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use crate::operation::Operation;
    use std::collections::BTreeSet;

    #[test]
    fn reference_and_every_level_agree() {
        let mut names = BTreeSet::new();
        for game in super::games() {
            assert!(!game.is_empty());
            for mut operation in game {
                assert_agrees(&mut operation);
                assert!(
                    operation.reference.units > 0 && names.insert(operation.name),
                    "{}",
                    operation.name
                );
            }
        }
        for mut operation in super::by_hand() {
            assert_agrees(&mut operation);
        }
    }

    fn assert_agrees(operation: &mut Operation) {
        let expected = (operation.reference.call)();
        testkit::on_each_level(|| assert_eq!((operation.kernel)(), expected, "{}", operation.name));
    }
}
