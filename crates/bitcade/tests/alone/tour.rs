//! The tour: every check passes and every game is timed.

use crate::common::{bitcade, under};

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

/// The second line of the tour names the level.
#[cfg(unix)]
#[test]
fn the_flag_or_the_variable_sets_the_level() {
    let best = bitcore::Level::best().name();
    for (variable, flag, level) in
        [("", "", best), ("portable", "", "portable"), ("sse9", "--level portable", "portable")]
    {
        let begin = under(&["sh", "-c", "\"$0\" $1 | head -n 2"], format!("'{flag}'"));
        let text = begin.env("BITCADE_LEVEL", variable).text();
        assert!(
            text.ends_with(&format!("; the tour uses {level}\n")),
            "{variable}, {flag}: {text}"
        );
    }
    for name in ["sse9", "neon", "x86-64-v3"] {
        if let Err(error) = name.parse::<bitcore::Level>() {
            let run = bitcade("2048 playouts --games 1").env("BITCADE_LEVEL", name);
            run.fails(2, &format!("BITCADE_LEVEL={name}: {error}"));
        }
    }
}
