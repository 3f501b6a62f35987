//! The rules on boards of cells, against their definitions. They have no ISA levels.

mod cascade;
mod groups;
mod interop;
mod reference;
mod shuffle;
mod special;

testkit::properties! {
    arrangements: crate::properties::arrangements::run, 3_000;
}

#[test]
fn a_lock_stands_before_its_piece() {
    use match3::{Board, ParseBoardError};
    let locked: Board = "!1 2\n3 !4".parse().unwrap();
    assert_eq!(locked.to_string(), "!12\n3!4");
    // A blank, a second lock, a hole or the end of the row may not follow it.
    for (text, column) in [("! 1", 2), ("!\t1", 2), ("!!1", 2), ("!.1", 2), ("!#1", 2), ("12!", 4)] {
        assert_eq!(text.parse::<Board>(), Err(ParseBoardError::Lock { line: 1, column }), "{text}");
    }
}
