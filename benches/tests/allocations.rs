//! A reference that a page calls an opponent allocates nothing in a loop: its allocator would be
//! measured.

use benches::Against;

/// Allocations that a call may need before its loop: a game, the list of its moves.
const LIMIT: u64 = 40;

/// Its reference copies a board for each game: five allocations in 15 moves of two microseconds.
const KNOWN: &str = "match3 rollout 8x8";

#[test]
fn no_opponent_allocates_in_its_loop() {
    let opponents = [Against::Prescribed, Against::Printed, Against::User];
    let mut allocating = Vec::new();
    for operation in benches::all() {
        let reference = &operation.reference;
        if opponents.contains(&reference.against) && operation.name != KNOWN {
            let allocated = allocation_counter::measure(|| {
                (reference.call)();
            });
            let count = allocated.count_total;
            if count > LIMIT {
                allocating
                    .push(format!("{}: {count} in {} units", operation.name, reference.units));
            }
        }
    }
    assert!(allocating.is_empty(), "{allocating:#?}");
}
