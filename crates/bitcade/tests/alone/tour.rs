//! The tour: every check holds and every game is timed.

use crate::common::bitcade;

#[test]
fn every_check_holds_and_every_game_is_timed() {
    let text = bitcade("--json").text();
    let count = |part: &str| text.lines().filter(|line| line.contains(part)).count();
    assert!(count("\"ok\":true") >= 20, "{text}");
    assert_eq!(count("\"ok\":false"), 0, "{text}");
    for game in ["match3", "2048", "tetris", "go", "contest"] {
        assert!(count(&format!("\"operation\":\"{game} ")) > 0, "{game}: {text}");
    }
}
