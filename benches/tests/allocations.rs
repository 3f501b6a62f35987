//! A reference that a page calls an opponent allocates nothing in a loop: its allocator would be
//! measured.

#![allow(unsafe_code, reason = "an allocator that counts")]

use benches::Against;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Allocations that a call may need before its loop: a game, the list of its moves.
const LIMIT: u64 = 40;

/// The beginnings of the names whose references still allocate, to be mended: a list a board, the
/// sets of a game.
const KNOWN: [&str; 1] = ["match3 rollout"];

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: `System` does all work, and counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn no_opponent_allocates_in_its_loop() {
    let opponents = [Against::Prescribed, Against::Printed, Against::User];
    let mut allocating = Vec::new();
    for operation in benches::all() {
        let reference = &operation.reference;
        let is_known = KNOWN.iter().any(|name| operation.name.starts_with(name));
        if opponents.contains(&reference.against) && !is_known {
            let before = ALLOCATIONS.get();
            (reference.call)();
            let count = ALLOCATIONS.get() - before;
            if count > LIMIT {
                allocating
                    .push(format!("{}: {count} in {} units", operation.name, reference.units));
            }
        }
    }
    assert!(allocating.is_empty(), "{allocating:#?}");
}
