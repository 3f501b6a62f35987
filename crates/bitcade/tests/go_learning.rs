//! `bitcade go selfplay` and `go learn`: games, files, and what is learned.

use crate::common::folder;
use go_mc::{Game, Rules, Size};
use serde_json::Value;

const GAMES: &str = "go selfplay --sizes 5,9 --playouts 60 --out";

/// Any number of threads and any interruption give the same file.
#[test]
fn games_repeat_and_resume_on_any_threads() {
    let folder = folder("go-selfplay");
    let result = folder.run(format!("{GAMES} whole --games 7 --threads 1 --json")).json();
    assert_eq!(result["games"], 7);
    folder.run(format!("{GAMES} parts --games 2 --threads 3")).text();
    folder.run(format!("{GAMES} parts --games 7 --threads 3 --resume")).text();
    assert!(folder.bytes("whole") == folder.bytes("parts"));
    folder.run(format!("{GAMES} other --games 7 --seed 2")).text();
    assert!(folder.bytes("whole") != folder.bytes("other"));
}

/// The games are legal, and their numbers are those of searches.
#[test]
fn games_are_what_the_file_says() {
    let folder = folder("go-selfplay-games");
    let result = folder.run(format!("{GAMES} games --games 10 --opening 3 --json")).json();
    let text = folder.read("games");
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 12);
    let mut positions = 0;
    let mut openings = Vec::new();
    for (number, record) in lines[1..11].iter().enumerate() {
        let side = [5, 9][number % 2];
        assert_eq!([&record["game"], &record["size"]], [number, side]);
        let size = Size::square(side).expect("a size");
        let mut game = Game::new(Rules { size, ..Rules::default() });
        let moves = record["moves"].as_array().expect("moves");
        let visits = record["visits"].as_array().expect("visits");
        openings.push(moves.len() - visits.len());
        positions += visits.len();
        for (number, mv) in moves.iter().enumerate() {
            if let Some(at) = number.checked_sub(moves.len() - visits.len()) {
                let visits = visits[at].as_array().expect("moves");
                let mut all = 0;
                for entry in visits {
                    let mv = entry[0].as_str().expect("a vertex").parse().expect("a vertex");
                    assert!(game.allows(mv), "{record}");
                    all += entry[1].as_u64().expect("a number");
                }
                assert!(all >= 60, "{record}");
            }
            game.play(mv.as_str().expect("a vertex").parse().expect("a vertex")).expect("legal");
        }
        // The first of five games is played to its end.
        let has_ended = game.is_over() || visits.len() == 3 * side * side;
        assert!(has_ended || number % 5 > 0, "{record}");
        assert!(["B", "W"].contains(&record["winner"].as_str().expect("komi has a half")));
    }
    assert_eq!(result["positions"], positions);
    assert!(openings.iter().all(|&stones| stones <= 3), "{openings:?}");
    assert!((0..=3).all(|stones| openings.contains(&stones)), "{openings:?}");
}

#[test]
fn a_prior_is_learned_and_played_with() {
    let folder = folder("go-learn");
    folder.run("go selfplay --sizes 5 --playouts 100 --games 20 --out games").text();
    let learned = folder.run("go learn games --out prior --epochs 20 --json").json();
    assert_eq!(learned["games"], 20);
    let entropy = |result: &Value| result["test_cross_entropy"].as_f64().expect("a number");
    let little = folder.run("go learn games --out early --epochs 1 --json").json();
    assert!(entropy(&learned) < entropy(&little), "{learned} {little}");
    assert!(folder.read("prior").starts_with("go-prior 1\npattern "));
    let moves = |prior: &str| {
        let line = format!("go gtp --size 5 --playouts 30 {prior}");
        folder.run(line).stdin("genmove b\ngenmove w\ngenmove b\ngenmove w\n").text()
    };
    assert_eq!(moves("--prior prior"), moves("--prior prior"));
    assert_ne!(moves("--prior none"), moves(""));
    let same = folder.run("go learn games --out - --epochs 20").text();
    assert_eq!(same, folder.read("prior"));
    folder.run("go learn games --out prior").fails(2, "prior: ");
}

#[test]
fn a_net_is_learned_and_played_with() {
    let folder = folder("go-learn-net");
    folder.run("go selfplay --sizes 5 --playouts 100 --games 20 --out games").text();
    let learn = |epochs: u32, out: &str| {
        let line = format!("go learn games --kind net --out {out} --epochs {epochs} --json");
        folder.run(line).json()["test_cross_entropy"].as_f64().expect("a number")
    };
    assert!(learn(12, "net") < learn(1, "early"));
    let text = folder.read("net");
    assert!(text.starts_with("go-net 1\npattern ") && text.contains("\nfirst "));
    let same = folder.run("go learn games --kind net --out - --epochs 12").text();
    assert_eq!(same, text);
    let moves = |net: &str| {
        let line = format!("go gtp --size 5 --playouts 60 {net}");
        folder.run(line).stdin("genmove b\ngenmove w\ngenmove b\nkata-analyze 1\n").text()
    };
    assert_eq!(moves("--net net"), moves("--net net --net-visits 4"));
    assert_eq!(moves("--net builtin"), moves(""));
    assert_ne!(moves("--net builtin"), moves("--net net"));
    assert_ne!(moves("--net builtin"), moves("--net none"));
    assert_ne!(moves("--net net"), moves("--net none"));
    assert_eq!(moves("--light"), moves("--light --net none"));
    assert_ne!(moves("--light"), moves("--light --net builtin"));
    // The games name the net and when it is used.
    folder.run("go selfplay --sizes 5 --playouts 20 --games 2 --net net --out by-net").text();
    let first = folder.read("by-net").lines().next().expect("a line").to_owned();
    let crc = format!("\"net\":[\"{:08x}\",4]}}", crc32fast::hash(text.trim_end().as_bytes()));
    assert!(first.ends_with(&crc), "{first} {crc}");
    folder.run("go learn by-net --out prior --epochs 1").text();
}

#[test]
fn errors_say_where() {
    let folder = folder("go-learn-errors");
    folder.run("go selfplay --sizes 5 --playouts 10 --games 2 --out games").text();
    let whole = folder.read("games");
    folder.write("changed", whole.replacen("\"size\":5", "\"size\":9", 1));
    folder.run("go learn changed --out prior").fails(2, "changed: line 4: expected ");
    folder.write("cut", whole.lines().next().expect("a line"));
    folder.run("go learn cut --out prior").fails(2, "cut: line 2: expected a last line");
    folder.run("go learn missing --out prior").fails(2, "missing: ");
    folder.write("prior.txt", "go-prior 1\npattern 1 2 3\n");
    folder
        .run("go gtp --prior prior.txt")
        .fails(2, "prior.txt: line 2: expected pattern and 1107 weights, found 3 weights");
    folder.run("go gtp --prior missing").fails(2, "missing: ");
    folder
        .run("go gtp --net prior.txt")
        .fails(2, "prior.txt: line 1: expected go-net 1, found \"go-prior 1\"");
    folder.run("go selfplay --out new --net missing").fails(2, "missing: ");
    assert!(!folder.join("new").exists());
    assert!(!folder.join("prior").exists());
}
