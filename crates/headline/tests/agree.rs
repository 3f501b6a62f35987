//! Reference and kernel of every operation return the same digest on every level.

use std::collections::BTreeSet;

#[test]
fn reference_and_every_level_agree() {
    let _ = testkit::levels();
    let mut names = BTreeSet::new();
    for mut operation in headline::all() {
        assert!(operation.agrees(), "{}", operation.name);
        assert!(operation.units > 0 && names.insert(operation.name), "{}", operation.name);
    }
    for game in ["bitcore", "match3", "2048", "tetris", "go", "contest"] {
        assert!(!headline::of_game(game).is_empty(), "{game}");
    }
}
