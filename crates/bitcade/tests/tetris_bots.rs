//! `bitcade tetris tbp` and `bitcade tetris match`: their messages, files and errors.

mod common;
use common::bitcade;
use serde_json::{Value, json};
use std::path::PathBuf;

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn start(queue: &[&str], hold: Option<&str>) -> Value {
    let board = vec![vec![Value::Null; 10]; 40];
    json!({
        "type": "start", "queue": queue, "hold": hold, "combo": 0, "back_to_back": false, "board": board,
        "randomizer": {"type": "seven_bag", "bag_state": ["S", "Z"]},
    })
}

fn text(messages: &[Value]) -> String {
    messages.iter().map(|message| format!("{message}\n")).collect()
}

#[test]
fn a_conversation() {
    let kind = |kind: &str| json!({"type": kind});
    let queue = ["T", "I", "O", "L", "J"];
    let said = [
        kind("rules"),
        kind("suggest"),
        start(&queue, None),
        kind("suggest"),
        kind("nonsense"),
        json!({"type": "new_piece", "piece": "S", "new": 1}),
        kind("suggest"),
        kind("stop"),
        kind("suggest"),
        kind("quit"),
        kind("suggest"),
    ];
    for level in bitcore::Level::all() {
        let run = bitcade(["tetris", "tbp", "--nodes", "3000", "--level", level.name()]);
        let answers = lines(&run.stdin(text(&said)).text());
        let kinds: Vec<&str> =
            answers.iter().map(|answer| answer["type"].as_str().expect("a type")).collect();
        assert_eq!(kinds, ["info", "ready", "suggestion", "suggestion"]);
        assert_eq!(answers[0]["name"], "bitcade");
        for (answer, depth) in answers[2..].iter().zip([4.0, 5.0]) {
            let first = &answer["moves"][0]["location"];
            assert!(first["y"].as_i64().expect("a row") <= 2, "{answer}");
            let info = &answer["move_info"];
            assert!(info["nodes"].as_u64().expect("a number") >= 3000 && info["depth"] == depth, "{info}");
        }
    }
}

#[test]
fn thinks_for_a_time_or_between_messages() {
    let said =
        text(&[json!({"type": "rules"}), start(&["T", "I", "O"], Some("L")), json!({"type": "suggest"})]);
    for more in [&["--milliseconds", "5"][..], &[]] {
        let mut run = bitcade(["tetris", "tbp"]);
        run.arguments(more.iter().copied());
        let answers = lines(&run.stdin(said.clone()).text());
        assert_eq!((answers.len(), &answers[2]["type"]), (3, &json!("suggestion")));
        assert!(!answers[2]["moves"].as_array().expect("moves").is_empty());
    }
    bitcade(["tetris", "tbp", "--nodes", "5", "--milliseconds", "5"]).fails(2, "--milliseconds");
    bitcade(["tetris", "tbp", "--nodes", "0"]).fails(2, "--nodes");
    bitcade(["tetris", "tbp", "--weights", "/no/such/file"]).fails(2, "/no/such/file: ");
    bitcade(["tetris", "tbp", "--weights", "-"])
        .stdin("{\"holes\":1}")
        .fails(2, "line 1, column 2: expected one of back_to_back, ");
}

#[test]
fn random_lines_change_nothing() {
    let mut rng = bitcore::Rng::new(1);
    let mut noise = Vec::new();
    let words = [
        "{",
        "}",
        "\"type\"",
        ":",
        "\"start\"",
        "\"play\"",
        ",",
        "null",
        "[",
        "]",
        "9e999",
        "-1",
        "\"T\"",
        "\\u0000",
    ];
    for i in 0..10_000 {
        for _ in 0..rng.below(12) {
            if i % 2 == 0 {
                noise.push(rng.below(256) as u8);
            } else {
                noise.extend(words[rng.below(words.len() as u32) as usize].as_bytes());
            }
        }
        noise.push(b'\n');
    }
    for kind in ["start", "play", "new_piece", "suggest", "rules", "suggestion"] {
        noise.extend(
            format!("{{\"type\":\"{kind}\",\"board\":[[]],\"piece\":\"X\",\"move\":{{}}}}\n").bytes(),
        );
    }
    // A line longer than any message.
    noise.extend(std::iter::repeat_n(b'[', 3 << 20));
    noise.push(b'\n');
    noise.extend(text(&[start(&["T", "I"], None), json!({"type": "suggest"})]).bytes());
    noise.extend(b"{\"type\":\"quit\"");
    let answers = lines(&bitcade(["tetris", "tbp", "--nodes", "100"]).stdin(noise).text());
    let kinds: Vec<&Value> = answers.iter().map(|answer| &answer["type"]).collect();
    assert_eq!(kinds, ["info", "ready", "suggestion"]);
}

/// Returns an empty folder for the files of one test.
fn folder(name: &str) -> PathBuf {
    let folder =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("match-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn path(file: &std::path::Path) -> &str {
    file.to_str().expect("UTF-8")
}

fn own_bot(nodes: u32) -> String {
    format!("{} tetris tbp --nodes {nodes}", env!("CARGO_BIN_EXE_bitcade"))
}

/// Returns a run of a match without waiting, with at most 12 turns per game.
fn run_match(bots: [&str; 2], games: &str, out: &std::path::Path, more: &[&str]) -> common::Run {
    let mut run = bitcade(["tetris", "match", "--milliseconds", "0", "--pieces", "12", "--json"]);
    run.arguments(["--bot", bots[0], "--bot", bots[1], "--games", games, "--out", path(out)].into_iter());
    run.arguments(more.iter().copied());
    run
}

/// Returns the games of a file without their times.
fn games(file: &std::path::Path) -> Vec<Value> {
    let mut games = lines(&std::fs::read_to_string(file).expect("a file"));
    for game in &mut games {
        game.as_object_mut().expect("an object").remove("seconds");
    }
    games
}

#[test]
fn matches_repeat_and_resume() {
    let folder = folder("resume");
    let (whole, parts) = (folder.join("whole.jsonl"), folder.join("parts.jsonl"));
    let (first, second) = (own_bot(300), own_bot(100));
    let bots = [first.as_str(), second.as_str()];
    let record = &lines(&run_match(bots, "3", &whole, &[]).text())[0];
    assert_eq!((&record["games"], &record["pieces"]), (&json!(3), &json!(36)));
    let played = games(&whole);
    assert_eq!((played.len(), &played[0]["bots"]), (1 + 3, &json!(bots)));
    for (i, game) in played[1..].iter().enumerate() {
        assert_eq!(
            (&game["game"], &game["pieces"], &game["reason"]),
            (&json!(i), &json!(12), &json!("attack"))
        );
    }
    run_match(bots, "1", &parts, &[]).text();
    run_match(bots, "3", &parts, &[]).fails(2, "parts.jsonl");
    // The last line is cut off, as by a kill.
    let mut cut = std::fs::read_to_string(&parts).expect("a file");
    cut.push_str("{\"game\":1,\"se");
    std::fs::write(&parts, cut).expect("written");
    run_match(bots, "3", &parts, &["--resume"]).text();
    assert_eq!(games(&parts), played);
    run_match(bots, "3", &parts, &["--resume", "--seed", "2"])
        .fails(2, "line 1: expected the settings of this run");
    let wrong = std::fs::read_to_string(&parts).expect("a file").replace("\"game\":1", "\"game\":7");
    std::fs::write(&parts, wrong).expect("written");
    run_match(bots, "3", &parts, &["--resume"]).fails(2, "line 3: expected game 1, found 7");
    run_match(bots, "3", &folder.join("none"), &["--resume"]).fails(2, "none");
}

#[test]
fn bots_that_cannot_begin() {
    let out = folder("begin").join("out.jsonl");
    let own = own_bot(10);
    let fails = |bot: &str, message: &str| {
        let _ = std::fs::remove_file(&out);
        run_match([&own, bot], "1", &out, &[]).fails(2, message);
    };
    fails("/no/such/program", "--bot /no/such/program: ");
    fails(" ", "expected a command line");
    fails(&format!("{} --version", env!("CARGO_BIN_EXE_bitcade")), "the bot sent no info message: died");
    let mut run = bitcade(["tetris", "match", "--bot", "x"]);
    run.arguments(["--out", path(&out)].into_iter());
    run.fails(2, "--bot: expected two bots, found 1");
}

/// Bots written as a few lines of shell.
#[cfg(unix)]
mod scripts {
    use super::*;

    /// Returns the command of a bot that greets, answers the rules, reads the start, and then runs the lines
    /// `then`.
    fn script(folder: &std::path::Path, name: &str, then: &str) -> String {
        let file = folder.join(name);
        let greeting = r#"{"type":"info","name":"x","version":"1","author":"y","features":[]}"#;
        let script =
            format!("echo '{greeting}'\nread rules\necho '{{\"type\":\"ready\"}}'\nread start\n{then}\n");
        std::fs::write(&file, script).expect("written");
        format!("sh {}", path(&file))
    }

    #[test]
    fn faults_lose() {
        let folder = folder("faults");
        let suggest = |moves: &str| {
            format!("read suggest\necho '{{\"type\":\"suggestion\",\"moves\":[{moves}]}}'\nread end")
        };
        let nowhere = r#"{"location":{"type":"T","orientation":"north","x":4,"y":15},"spin":"none"}"#;
        let bots = [
            ("died", "exit 3".to_owned()),
            ("silent", "sleep 600".to_owned()),
            ("resigned", suggest("")),
            ("illegal move", suggest(nowhere)),
            ("illegal move", suggest(&[nowhere; 3].join(","))),
            // Lines that are not messages are no answer.
            ("silent", "while read line; do echo '{\"type\":\"suggestion\",\"moves\":7}'; done".to_owned()),
        ];
        let own = own_bot(50);
        for (i, (reason, then)) in bots.iter().enumerate() {
            let bot = script(&folder, &format!("bot{i}.sh"), then);
            let patience: &[&str] = if *reason == "silent" { &["--patience", "300"] } else { &[] };
            for (bots, winner) in
                [([own.as_str(), &bot], json!(0)), ([&bot, &own], json!(1)), ([&bot, &bot], json!(null))]
            {
                let out = folder.join("out.jsonl");
                let _ = std::fs::remove_file(&out);
                run_match(bots, "1", &out, patience).text();
                let game = &games(&out)[1];
                assert_eq!(
                    (&game["winner"], &game["reason"], &game["pieces"]),
                    (&winner, &json!(reason), &json!(0))
                );
            }
        }
        let refuses = folder.join("refuses.sh");
        let answer = r#"{"type":"error","reason":"unsupported_rules"}"#;
        let greeting = r#"{"type":"info","name":"x","version":"1","author":"y","features":[]}"#;
        std::fs::write(&refuses, format!("echo '{greeting}'\nread rules\necho '{answer}'\nread end"))
            .expect("written");
        let refuses = format!("sh {}", path(&refuses));
        let out = folder.join("refused.jsonl");
        run_match([&own, &refuses], "1", &out, &[]).fails(2, "unsupported_rules");
    }
}
