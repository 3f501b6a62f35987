//! `bitcade go match`: its games, files, tests and broken engines.

use crate::common::{Folder, PROGRAM, Run, bitcade, folder};
use go_mc::Game;
use go_mc::sgf::Record;
use serde_json::{Value, json};

fn engine(playouts: u32) -> String {
    format!("'{PROGRAM}' go gtp --playouts {playouts}")
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

impl Folder {
    /// Returns a run of a match on 5 x 5. Its file is `games`.
    fn go_match(&self, engines: [&str; 2], more: &str) -> Run {
        let engines = engines.map(|engine| shell_words::quote(engine).into_owned());
        let engines = engines.join(" --engine ");
        self.run(format!("go match --size 5 --json --engine {engines} --out games {more}"))
    }

    /// Returns the games in the file, without their times.
    fn records(&self) -> Vec<Value> {
        let mut records = lines(&self.read("games"));
        records.pop().expect("a last line");
        for record in &mut records {
            let record = record.as_object_mut().expect("an object");
            record.remove("seconds");
            record.remove("cpu_seconds");
        }
        records.split_off(1)
    }
}

#[test]
fn matches_repeat_and_resume_at_any_concurrency() {
    let folder = folder("go-match-resume");
    let [strong, weak] = [40, 2].map(engine);
    let engines = [strong.as_str(), &weak];
    let result = folder.go_match(engines, "--games 6").json();
    assert_eq!(result["games"], 6);
    let cpu = result["cpu_seconds"].as_array();
    assert_eq!(cpu.is_some(), cfg!(target_os = "linux"), "{result}");
    let played = folder.records();
    folder.go_match(engines, "--games 3 --force").text();
    folder.go_match(engines, "--games 6").fails(2, "contains results of another run; --resume");
    folder.go_match(engines, "--games 6 --resume --concurrency 3").text();
    assert_eq!(folder.records(), played);
    folder
        .go_match(engines, "--games 6 --resume --seed 2")
        .fails(2, "line 1: expected the settings of this run");
    let whole = folder.read("games");
    folder.write("games", whole.replacen("\"game\":1", "\"game\":2", 1));
    folder.go_match(engines, "--resume").fails(2, "the file was changed");
}

/// The games are legal, begin with the openings, and their winners are those of the records.
#[test]
fn games_are_what_their_records_say() {
    let folder = folder("go-match-records");
    let [first, second] = [60, 5].map(engine);
    folder.go_match([&first, &second], "--games 8 --opening 2 --komi 0.5").text();
    let records = folder.records();
    let mut openings = Vec::new();
    for (number, game) in records.iter().enumerate() {
        let sgf: Record = game["sgf"].as_str().expect("a text").parse().expect("a record");
        let black = number % 2;
        let names = [&first, &second];
        assert_eq!([&sgf.player_names[0], &sgf.player_names[1]], [names[black], names[1 - black]]);
        assert_eq!(sgf.komi, Some(0.5));
        let mut replayed = Game::new(sgf.size.into());
        for (color, mv) in sgf.moves() {
            assert_eq!(replayed.to_move(), color);
            replayed.play(mv).expect("a legal move");
        }
        let moves: Vec<String> = sgf.moves().map(|(_, mv)| mv.to_string()).collect();
        assert_eq!(game["moves"], moves.len() - 2);
        openings.push(moves[..2].join(" "));
        let winner = match sgf.result.chars().next() {
            Some('B') => json!(black),
            Some('W') => json!(1 - black),
            _ => json!(null),
        };
        assert_eq!(game["winner"], winner, "{game}");
        let is_over = replayed.is_over();
        assert_eq!(game["reason"] == "counted", is_over, "{game}");
    }
    for pair in openings.chunks_exact(2) {
        assert_eq!(pair[0], pair[1]);
    }
    openings.dedup();
    assert!(openings.len() > 1, "{openings:?}");
}

/// Sixty playouts are stronger than one by far more than 100 Elo; against itself nobody is.
#[test]
fn a_sequential_test_ends_early() {
    let folder = folder("go-match-sprt");
    let [strong, weak] = [60, 1].map(engine);
    let result = folder.go_match([&strong, &weak], "--games 200 --sprt 0,100 --force").json();
    assert_eq!(result["sprt"], "stronger", "{result}");
    assert!(result["games"].as_u64().expect("a number") < 200, "{result}");
    assert!(result["elo"].as_f64().is_none_or(|elo| elo > 0.0), "{result}");
    let result = folder.go_match([&weak, &strong], "--games 200 --sprt 0,100 --force").json();
    assert_eq!(result["sprt"], "not stronger", "{result}");
    let ended = folder.go_match([&strong, &strong], "--games 2 --sprt 0,1 --force").json();
    assert_eq!(ended["sprt"], "undecided", "{ended}");
    assert_eq!(ended["games"], 2);
}

#[test]
fn engines_that_cannot_begin() {
    let folder = folder("go-match-begin");
    for (engine, message) in [
        ("'x".to_owned(), "--engine 'x: missing closing quote"),
        ("/no/such/program".to_owned(), "--engine /no/such/program: "),
        (format!("'{PROGRAM}' --version"), "boardsize 5: died"),
        ("cat /dev/zero".to_owned(), "boardsize 5: line too long"),
    ] {
        folder.go_match([&self::engine(1), &engine], "--games 1").fails(2, message);
        assert!(!folder.join("games").exists(), "{engine}");
    }
    folder.run("go match --engine x --out games").fails(2, "--engine: expected two engines");
    for (option, message) in [
        ("--sprt 20,0", "expected two Elo differences"),
        ("--komi 7.25", "expected a multiple of 0.5"),
        ("--size 7", "expected 5, 9, 13 or 19"),
        ("--concurrency 0", "expected a number from 1 to 256"),
    ] {
        bitcade(format!("go match --engine a --engine b --out x {option}")).fails(2, message);
    }
}

/// Engines written as a few lines of shell.
#[cfg(unix)]
mod scripts {
    use super::*;

    impl Folder {
        /// Returns an engine that runs `genmove` on the first request for a move, and accepts
        /// everything else.
        fn script(&self, name: &str, genmove: &str) -> String {
            let text = format!(
                "while read line; do case $line in genmove*) {genmove} ;; *) printf '=\\n\\n' ;; esac; done\n"
            );
            self.write(name, text);
            format!("sh {name}")
        }
    }

    #[test]
    fn engines_that_break_the_rules_lose() {
        let folder = folder("go-match-broken");
        let own = engine(10);
        for (name, genmove, reason) in [
            ("resigns", "printf '= resign\\n\\n'", "resigned"),
            ("off", "printf '= T19\\n\\n'", "illegal move"),
            ("babbles", "printf 'thinking\\n=3 nonsense\\n\\n'", "illegal move"),
            ("refuses", "printf '? no idea\\n\\n'", "failed: no idea"),
            ("dies", "exit 3", "died"),
            ("waits", "sleep 600", "silent"),
        ] {
            let script = folder.script(name, genmove);
            let more = "--games 2 --patience 2s --force";
            let result = folder.go_match([&own, &script], more).json();
            assert_eq!(result["wins"], json!([2, 0]), "{name}: {result}");
            assert_eq!(result["reasons"], json!({ (reason): 2 }), "{name}");
        }
        // Two that only pass: everything is White's komi.
        let passes = folder.script("passes", "printf '= PASS\\n\\n'");
        let result = folder.go_match([&passes, &passes], "--games 2 --opening 0 --force").json();
        assert_eq!(result["reasons"], json!({ "counted": 2 }));
        assert_eq!(result["wins"], json!([1, 1]));
    }
}
