//! `bitcade tetris tbp` and `bitcade tetris match`: their messages, files and errors.

use crate::common::{Run, bitcade, folder};
use serde_json::{Value, json};

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
        assert_eq!(kinds, ["info", "ready", "suggestion", "suggestion", "suggestion", "suggestion"]);
        assert_eq!(answers[0]["name"], "bitcade");
        assert_eq!(answers[0]["features"], json!(["randomizer", "move_info"]));
        // Without a game, before the start and after the stop, there is no move.
        let none = json!({"type": "suggestion", "moves": []});
        assert_eq!([&answers[2], &answers[5]], [&none, &none]);
        for (answer, depth) in answers[3..5].iter().zip([4.0, 5.0]) {
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
        .fails(2, "line 1, column 8: unknown field `holes`, expected one of `plain`, ");
}

/// Returns the suggested moves of a conversation with one bot, and what it says on stderr.
fn suggestions(said: impl Into<Vec<u8>>) -> (Vec<Vec<Value>>, String) {
    let output = bitcade(["tetris", "tbp", "--nodes", "200"]).stdin(said).output();
    assert!(output.status.success());
    let answers = lines(&String::from_utf8(output.stdout).expect("UTF-8"));
    let moves = answers.iter().filter_map(|answer| answer["moves"].as_array().cloned()).collect();
    (moves, String::from_utf8(output.stderr).expect("UTF-8"))
}

/// The spawn is blocked at y = 19: y = 20 is tried, as in the guideline and in the protocol's frontends.
#[test]
fn a_blocked_spawn_is_no_resignation() {
    for blocked in 3..6 {
        for (queue, hold) in [(["L", "J", "S", "Z"], None), (["I", "I", "O", "T"], Some("T"))] {
            let mut start = start(&queue, hold);
            for y in 0..19 {
                start["board"][y] = json!([["G"; 9].as_slice(), &[]].concat());
                start["board"][y].as_array_mut().expect("a row").push(Value::Null);
            }
            start["board"][19][blocked] = json!("G");
            let said = [json!({"type": "rules"}), start, json!({"type": "suggest"}), json!({"type": "quit"})];
            let (moves, stderr) = suggestions(text(&said));
            assert_eq!((moves.len(), &stderr[..]), (1, ""));
            let kinds: Vec<&Value> = moves[0].iter().map(|mv| &mv["location"]["type"]).collect();
            for piece in [Some(queue[0]), hold.or(Some(queue[1]))].into_iter().flatten() {
                assert!(kinds.contains(&&json!(piece)), "{piece} with a cell in column {blocked}");
            }
        }
    }
}

#[test]
fn a_byte_order_mark_before_the_first_line_is_skipped() {
    let said = text(&[json!({"type": "rules"}), start(&["T", "I"], None), json!({"type": "suggest"})]);
    let plain = bitcade(["tetris", "tbp", "--nodes", "200"]).stdin(said.clone()).text();
    let marked = bitcade(["tetris", "tbp", "--nodes", "200"]).stdin(format!("\u{feff}{said}")).text();
    let kinds = |text: &str| lines(text).iter().map(|line| line["type"].clone()).collect::<Vec<_>>();
    assert_eq!(kinds(&marked), ["info", "ready", "suggestion"]);
    let moves = |text: &str| lines(text)[2]["moves"].clone();
    assert_eq!(moves(&marked), moves(&plain));
    // In a later line it is no part of a message.
    let (moves, stderr) =
        suggestions(said.replace("{\"type\":\"suggest\"}", "\u{feff}{\"type\":\"suggest\"}"));
    assert_eq!(moves.len(), 0);
    assert!(stderr.starts_with("bitcade: standard input: line 3, column 1: "), "{stderr}");
    // A mark alone is an empty line.
    let marked = bitcade(["tetris", "tbp"]).stdin("\u{feff}\n{\"type\":\"rules\"}").text();
    assert_eq!(kinds(&marked), ["info", "ready"]);
}

#[test]
fn integral_floats_are_integers() {
    let play = |x: f64, y: f64| {
        let location = json!({"type": "T", "orientation": "north", "x": x, "y": y});
        let play = json!({"type": "play", "move": {"location": location, "spin": "none"}});
        text(&[start(&["T", "I", "O", "S"], None), play, json!({"type": "suggest"})])
    };
    let (moves, stderr) = suggestions(play(4.0, 0.0));
    assert_eq!((&stderr[..], moves[0].is_empty()), ("", false));
    assert!(moves[0].iter().all(|mv| mv["location"]["type"] != "T"));
    let (moves, stderr) = suggestions(play(4.5, 0.0));
    assert!(moves[0].is_empty() && stderr.ends_with("; the game is forgotten\n"), "{stderr}");
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
    assert_eq!(kinds, ["info", "suggestion", "ready", "suggestion"]);
    let empty = answers.iter().map(|answer| answer["moves"] == json!([])).collect::<Vec<_>>();
    assert_eq!(empty, [false, true, false, false]);
}

/// A message that can't be understood ends the game and is said on stderr, so that the bot never answers from
/// a game that is not played; fields that frontends write in different ways are read.
#[test]
fn a_bad_start_ends_the_old_game() {
    let bot = |said: String| {
        let output = bitcade(["tetris", "tbp", "--nodes", "200"]).stdin(said).output();
        assert!(output.status.success());
        let stderr = String::from_utf8(output.stderr).expect("UTF-8");
        (lines(&String::from_utf8(output.stdout).expect("UTF-8")), stderr)
    };
    let suggest = json!({"type": "suggest"});
    let good = start(&["T", "I", "O"], None);
    let with = |field: &str, value: Value| {
        let mut start = good.clone();
        start[field] = value;
        start
    };
    let twenty_rows = json!(vec![vec![Value::Null; 10]; 20]);
    for start in [
        with("combo", json!(-1)),
        with("combo", json!(1.0)),
        with("combo", Value::Null),
        with("back_to_back", Value::Null),
        with("randomizer", Value::Null),
        with("randomizer", json!({"type": "tgm3"})),
        with("board", twenty_rows),
    ] {
        let (answers, stderr) = bot(text(&[start.clone(), suggest.clone()]));
        assert_eq!(stderr, "", "{start}");
        assert_eq!(answers[1]["moves"].as_array().map(Vec::len), Some(34 + 17), "{start}");
    }
    for (start, place) in [
        (with("hold", json!("X")).to_string(), "line 3: hold: unknown variant `X`"),
        (with("hold", json!(5)).to_string(), "line 3: hold: "),
        (with("queue", json!(["T", "Q"])).to_string(), "line 3: queue: piece 2: unknown variant `Q`"),
        (with("board", json!([[null]])).to_string(), "line 3: board: row 0: expected 10 cells, found 1"),
        (json!({"type": "start"}).to_string(), "line 3: missing field `queue`"),
        (good.to_string()[..200].to_owned(), "line 3, column "),
        (json!({"type": "play", "move": 7}).to_string(), "line 3: "),
        (json!({"type": "new_piece", "piece": "X"}).to_string(), "line 3: unknown variant `X`"),
    ] {
        let said = format!("{good}\n{suggest}\n{start}\n{suggest}\n{good}\n{suggest}\n");
        let (answers, stderr) = bot(said);
        let moves: Vec<bool> = answers[1..].iter().map(|answer| answer["moves"] != json!([])).collect();
        assert_eq!(moves, [true, false, true], "{start}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(stderr.starts_with(&format!("bitcade: standard input: {place}")), "{start}: {stderr}");
        assert!(stderr.ends_with("; the game is forgotten\n"), "{stderr}");
        assert_eq!(stderr.matches(" line ").count(), 1, "{stderr}");
    }
    // Unknown messages are ignored without a word; broken ones that belong to no game end none.
    let said = format!("{good}\n{{\"type\":\"gossip\"}}\n\n{{\"no\":1}}\n[1\n{suggest}\n");
    let (answers, stderr) = bot(said);
    assert_ne!(answers[1]["moves"], json!([]));
    assert_eq!(stderr.lines().count(), 2, "{stderr}");
    let (_, stderr) = bot("\ngarbage\n".to_owned());
    assert_eq!(stderr, "bitcade: standard input: line 2, column 1: expected value\n");
    let (_, stderr) = bot("{\n".repeat(1000));
    assert_eq!(stderr.lines().count(), 21, "{stderr}");
}

fn path(file: &std::path::Path) -> &str {
    file.to_str().expect("UTF-8")
}

fn own_bot(nodes: u32) -> String {
    format!("{} tetris tbp --nodes {nodes}", env!("CARGO_BIN_EXE_bitcade"))
}

/// Returns a run of a match without waiting, with at most 12 turns per game.
fn run_match(bots: [&str; 2], games: &str, out: &std::path::Path, more: &[&str]) -> Run {
    let mut run = bitcade(["tetris", "match", "--milliseconds", "0", "--pieces", "12", "--json"]);
    run.arguments(["--bot", bots[0], "--bot", bots[1], "--games", games, "--out", path(out)].into_iter());
    run.arguments(more.iter().copied());
    run
}

/// Returns the settings and the games of a file, the games without their times.
fn games(file: &std::path::Path) -> Vec<Value> {
    let mut games = lines(&std::fs::read_to_string(file).expect("a file"));
    let end = games.pop().expect("a last line");
    assert_eq!((&end["games"], &end["version"]), (&json!(games.len() - 1), &json!(3)));
    for game in &mut games {
        game.as_object_mut().expect("an object").remove("seconds");
    }
    games
}

/// Writes a file of a match with changed lines and the checksum that fits them.
fn change(file: &std::path::Path, change: impl Fn(&str) -> String) {
    let text = std::fs::read_to_string(file).expect("a file");
    let (lines, _) = text.trim_end().rsplit_once('\n').expect("lines");
    let lines = change(&format!("{lines}\n"));
    assert!(!text.starts_with(&lines), "nothing changed");
    let games = lines.lines().count() - 1;
    let crc = crc32fast::hash(lines.as_bytes());
    let end = format!("{{\"games\":{games},\"version\":3,\"crc32\":\"{crc:08x}\"}}\n");
    std::fs::write(file, lines + &end).expect("written");
}

#[test]
fn matches_repeat_and_resume() {
    let folder = folder("match-resume");
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
    run_match(bots, "3", &parts, &[]).fails(2, "parts.jsonl: holds results of another run; --resume");
    run_match(bots, "3", &parts, &["--resume"]).text();
    assert_eq!(games(&parts), played);
    run_match(bots, "3", &parts, &["--resume", "--seed", "2"])
        .fails(2, "line 1: expected the settings of this run");
    let whole_text = std::fs::read_to_string(&parts).expect("a file");
    let refused = |from: &str, to: &str, message: &str| {
        std::fs::write(&parts, &whole_text).expect("written");
        change(&parts, |lines| lines.replace(from, to));
        run_match(bots, "3", &parts, &["--resume"]).fails(2, message);
    };
    refused("\"game\":1", "\"game\":7", "parts.jsonl: line 3: expected game 1, found 7");
    refused(
        "\"pieces\":12,\"attack",
        "\"pieces\":13,\"attack",
        "line 2: expected pieces of at most 12, found 13",
    );
    refused("\"seed\":", "\"seed\":1", "line 1: ");
    let winner = games(&whole)[1]["winner"].clone();
    let winner = format!("\"winner\":{winner}");
    refused(&winner, "\"winner\":7", "line 2: expected winner 0, 1 or null, found 7");
    // Counts of any size are added up.
    std::fs::write(&parts, &whole_text).expect("written");
    change(&parts, |lines| {
        let cut = |line: &str| match line.split_once("\"nodes\":") {
            Some((before, _)) => format!("{before}\"nodes\":[{0},{0}]}}\n", u64::MAX),
            None => format!("{line}\n"),
        };
        lines.lines().map(cut).collect()
    });
    let record = &lines(&run_match(bots, "3", &parts, &["--resume"]).text())[0];
    assert_eq!(record["games"], 3);
    run_match(bots, "3", &folder.join("none"), &["--resume"]).fails(2, "none");
}

/// Version 1 of the file had no last line.
#[test]
fn a_match_without_its_last_line_is_refused() {
    let out = folder("match-version").join("out.jsonl");
    let own = own_bot(20);
    let bots = [own.as_str(), own.as_str()];
    run_match(bots, "3", &out, &[]).text();
    let whole = std::fs::read_to_string(&out).expect("a file");
    let (old, _) = whole.trim_end().rsplit_once('\n').expect("lines");
    std::fs::write(&out, format!("{old}\n")).expect("written");
    run_match(bots, "3", &out, &["--resume"]).fails(2, "line 5: expected a last line with games, version 3");
}

#[test]
fn bots_that_cannot_begin() {
    let out = folder("match-begin").join("out.jsonl");
    let own = own_bot(10);
    let fails = |bot: &str, message: &str| {
        run_match([&own, bot], "1", &out, &[]).fails(2, message);
        // The next try finds no file in its way.
        assert!(!out.exists(), "{bot}");
    };
    fails("'x", "--bot 'x: missing closing quote");
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

    /// Returns the command of a bot that greets, answers the rules, reads the start, and runs `then`.
    fn script(folder: &std::path::Path, name: &str, then: &str) -> String {
        let file = folder.join(name);
        let greeting = r#"{"type":"info","name":"x","version":"1","author":"y","features":[]}"#;
        let script =
            format!("echo '{greeting}'\nread rules\necho '{{\"type\":\"ready\"}}'\nread start\n{then}\n");
        std::fs::write(&file, script).expect("written");
        format!("sh '{}'", path(&file))
    }

    /// The words of a command line are those of a shell, and what a bot says on stderr is shown.
    #[test]
    fn command_lines_have_words() {
        let folder = folder("match-words").join("with blanks");
        std::fs::create_dir_all(&folder).expect("a folder");
        let link = folder.join("a bot");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_bitcade"), &link).expect("a link");
        let quoted = format!("'{}' tetris tbp --nodes 10", path(&link));
        let talks =
            format!("sh -c 'echo \"it talks\" >&2; exec \"$0\" tetris tbp --nodes 10' '{}'", path(&link));
        let out = folder.join("out.jsonl");
        let output = run_match([&quoted, &talks], "1", &out, &[]).output();
        let stderr = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(output.status.success() && stderr.lines().any(|line| line == "it talks"), "{stderr}");
        assert_eq!(games(&out)[1]["pieces"], 12);
    }

    /// A bot that sends an endless line, or other messages without end, loses; no memory is taken for it.
    #[test]
    fn endless_output_is_bounded() {
        let folder = folder("match-endless");
        let own = own_bot(10);
        let out = folder.join("out.jsonl");
        run_match([&own, "cat /dev/zero"], "1", &out, &[])
            .fails(2, "--bot cat /dev/zero: the bot sent no info message: line too long");
        assert!(!out.exists());
        let zeros = script(&folder, "zeros.sh", "exec cat /dev/zero");
        let gossip = script(&folder, "gossip.sh", "exec yes '{\"type\":\"gossip\"}'");
        for (bot, reason) in [(&zeros, "line too long"), (&gossip, "silent")] {
            let _ = std::fs::remove_file(&out);
            run_match([&own, bot], "1", &out, &["--patience", "2000"]).text();
            let game = &games(&out)[1];
            assert_eq!((&game["winner"], &game["reason"]), (&json!(0), &json!(reason)));
        }
    }

    /// The rules name the randomizer, the same as the start; counts of nodes of any size are added up.
    #[test]
    fn the_rules_name_the_randomizer() {
        let folder = folder("match-rules");
        let heard = folder.join("heard");
        let info = r#"{"type":"info","name":"x","version":"1","author":"y","features":[]}"#;
        let moves = r#"{"type":"suggestion","moves":[],"move_info":{"nodes":18446744073709551615}}"#;
        let text = format!(
            "echo '{info}'\nread rules\necho '{{\"type\":\"ready\"}}'\nread start\n\
             echo \"$rules\" > '{0}'\necho \"$start\" >> '{0}'\nread suggest\necho '{moves}'\nread end\n",
            path(&heard)
        );
        let file = folder.join("bot.sh");
        std::fs::write(&file, text).expect("written");
        let bot = format!("sh '{}'", path(&file));
        let out = folder.join("out.jsonl");
        run_match([&own_bot(10), &bot], "1", &out, &[]).text();
        let heard = lines(&std::fs::read_to_string(heard).expect("a file"));
        assert_eq!(heard[0], json!({"type": "rules", "randomizer": "seven_bag"}));
        assert_eq!(heard[1]["randomizer"]["type"], "seven_bag");
        assert_eq!(games(&out)[1]["nodes"][1], u64::MAX);
        assert_eq!(games(&out)[1]["reason"], "resigned");
    }

    #[test]
    fn faults_lose() {
        let folder = folder("match-faults");
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
            ("silent", "while read line; do echo '{\"type\":7,\"moves\":[]}'; done".to_owned()),
            ("unreadable suggestion", suggest("7")),
            ("unreadable suggestion", suggest(&nowhere.replace("15", "1e400"))),
            ("unreadable suggestion", "read suggest\necho '{\"type\":\"suggestion\",'\nread end".to_owned()),
        ];
        let own = own_bot(50);
        for (i, (reason, then)) in bots.iter().enumerate() {
            let bot = script(&folder, &format!("bot{i}.sh"), then);
            let patience: &[&str] = if *reason == "silent" { &["--patience", "300"] } else { &[] };
            let (lost, none) = (json!({*reason: 1}), json!({}));
            for (bots, winner, reasons) in [
                ([own.as_str(), &bot], json!(0), [&none, &lost, &none]),
                ([&bot, &own], json!(1), [&lost, &none, &none]),
                ([&bot, &bot], json!(null), [&none, &none, &lost]),
            ] {
                let out = folder.join("out.jsonl");
                let _ = std::fs::remove_file(&out);
                let record = &lines(&run_match(bots, "1", &out, patience).text())[0];
                assert_eq!([&record["losses"][0], &record["losses"][1], &record["draw_reasons"]], reasons);
                let game = &games(&out)[1];
                assert_eq!(
                    (&game["winner"], &game["reason"], &game["pieces"]),
                    (&winner, &json!(reason), &json!(0))
                );
            }
        }
        let dies = script(&folder, "dies.sh", "exit 3");
        let mut run = bitcade(["tetris", "match", "--milliseconds", "0", "--force"]);
        let out = folder.join("out.jsonl");
        run.arguments(["--bot", &own, "--bot", &dies, "--games", "3", "--out", path(&out)].into_iter());
        let text = run.text();
        let expected = "\nlosses_of_first none\nlosses_of_second died 3\ndraw_reasons none\n";
        assert!(text.contains(expected), "{text}");
        let refuses = folder.join("refuses.sh");
        let answer = r#"{"type":"error","reason":"unsupported_rules"}"#;
        let greeting = r#"{"type":"info","name":"x","version":"1","author":"y","features":[]}"#;
        std::fs::write(&refuses, format!("echo '{greeting}'\nread rules\necho '{answer}'\nread end"))
            .expect("written");
        let refuses = format!("sh {}", path(&refuses));
        let out = folder.join("refused.jsonl");
        run_match([&own, &refuses], "1", &out, &[]).fails(2, "unsupported_rules");
    }

    /// The time to answer is counted from `suggest` for both bots, so it does not depend on the side.
    #[test]
    fn both_bots_have_the_same_time() {
        let folder = folder("match-patience");
        let mv = |piece| {
            format!(r#"{{"location":{{"type":"{piece}","orientation":"north","x":4,"y":0}},"spin":"none"}}"#)
        };
        let moves = ["I", "O", "T", "S", "Z", "J", "L"].map(mv).join(",");
        let answers = |seconds| {
            format!(
                "while read line; do case $line in *suggest*) sleep {seconds}; \
                 echo '{{\"type\":\"suggestion\",\"moves\":[{moves}]}}';; esac; done"
            )
        };
        let quick = script(&folder, "quick.sh", &answers("1"));
        // Late for its patience of 2 seconds, but not if that began with the other bot's answer.
        let late = script(&folder, "late.sh", &answers("2.5"));
        for (bots, winner) in [([&quick, &late], 0), ([&late, &quick], 1)] {
            let out = folder.join(format!("{winner}.jsonl"));
            run_match(bots.map(String::as_str), "1", &out, &["--patience", "2000"]).text();
            let game = &games(&out)[1];
            assert_eq!((&game["winner"], &game["reason"]), (&json!(winner), &json!("silent")));
        }
    }
}
