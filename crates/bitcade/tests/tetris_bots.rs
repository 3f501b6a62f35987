//! `bitcade tetris tbp` and `bitcade tetris match`: their messages, files and errors.

use crate::common::{Folder, PROGRAM, Run, bitcade, folder, stderr, stdout};
use serde_json::{Value, json};

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn text(messages: &[Value]) -> String {
    messages.iter().map(|message| format!("{message}\n")).collect()
}

fn kind(kind: &str) -> Value {
    json!({"type": kind})
}

fn start(queue: &[&str], hold: Option<&str>) -> Value {
    let board = vec![vec![Value::Null; 10]; 40];
    json!({
        "type": "start", "queue": queue, "hold": hold, "combo": 0, "back_to_back": false, "board": board,
        "randomizer": {"type": "seven_bag", "bag_state": ["S", "Z"]},
    })
}

struct Conversation {
    answers: Vec<Value>,
    stderr: String,
}

fn converse(said: impl Into<Vec<u8>>) -> Conversation {
    let output = bitcade("tetris tbp --nodes 200").stdin(said).output();
    assert!(output.status.success(), "{output:?}");
    Conversation { answers: lines(&stdout(&output)), stderr: stderr(&output) }
}

impl Conversation {
    fn kinds(&self) -> Vec<&str> {
        self.answers.iter().map(|answer| answer["type"].as_str().expect("a type")).collect()
    }

    fn moves(&self) -> Vec<&Vec<Value>> {
        self.answers.iter().filter_map(|answer| answer["moves"].as_array()).collect()
    }

    fn has_moves(&self) -> Vec<bool> {
        self.moves().iter().map(|moves| !moves.is_empty()).collect()
    }
}

#[test]
fn a_conversation() {
    let said = [
        kind("rules"),
        kind("suggest"),
        start(&["T", "I", "O", "L", "J"], None),
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
        let run = bitcade(format!("tetris tbp --nodes 3000 --level {}", level.name()));
        let said =
            Conversation { answers: lines(&run.stdin(text(&said)).text()), stderr: String::new() };
        assert_eq!(
            said.kinds(),
            ["info", "ready", "suggestion", "suggestion", "suggestion", "suggestion"]
        );
        let answers = &said.answers;
        assert_eq!(answers[0]["name"], "bitcade");
        assert_eq!(answers[0]["features"], json!(["randomizer", "move_info"]));
        // Without a game, before the start and after the stop, there is no move.
        let none = json!({"type": "suggestion", "moves": []});
        assert_eq!([&answers[2], &answers[5]], [&none, &none]);
        for (answer, depth) in answers[3..5].iter().zip([4.0, 5.0]) {
            let first = &answer["moves"][0]["location"];
            assert!(first["y"].as_i64().expect("a row") <= 2, "{answer}");
            let info = &answer["move_info"];
            assert!(
                info["nodes"].as_u64().expect("a number") >= 3000 && info["depth"] == depth,
                "{info}"
            );
        }
    }
}

#[test]
fn thinks_for_a_time_or_between_messages() {
    let said = text(&[kind("rules"), start(&["T", "I", "O"], Some("L")), kind("suggest")]);
    for more in ["--milliseconds 5", ""] {
        let answers = lines(&bitcade(format!("tetris tbp {more}")).stdin(said.clone()).text());
        assert_eq!(answers.len(), 3);
        assert_eq!(&answers[2]["type"], &json!("suggestion"));
        assert_ne!(answers[2]["moves"], json!([]));
    }
}

#[test]
fn a_byte_order_mark_before_the_first_line_is_skipped() {
    let said = text(&[kind("rules"), start(&["T", "I"], None), kind("suggest")]);
    let plain = converse(said.clone());
    let marked = converse(format!("\u{feff}{said}"));
    assert_eq!(marked.kinds(), ["info", "ready", "suggestion"]);
    assert_eq!(marked.moves(), plain.moves());
    // In a later line it is not part of a message.
    let late = converse(said.replace("{\"type\":\"suggest\"}", "\u{feff}{\"type\":\"suggest\"}"));
    assert_eq!(late.moves().len(), 0);
    assert!(
        late.stderr.starts_with("bitcade: standard input: line 3, column 1: "),
        "{}",
        late.stderr
    );
    // A mark alone is an empty line.
    assert_eq!(converse("\u{feff}\n{\"type\":\"rules\"}").kinds(), ["info", "ready"]);
}

#[test]
fn random_lines_change_nothing() {
    let mut rng = bitcore::Rng::new(1);
    let mut noise = Vec::new();
    let words = "{ } \"type\" : \"start\" \"play\" , null [ ] 9e999 -1 \"T\" \\u0000";
    let words: Vec<&str> = words.split(' ').collect();
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
        let message = json!({"type": kind, "board": [[]], "piece": "X", "move": {}});
        noise.extend(format!("{message}\n").bytes());
    }
    // A line longer than any message.
    noise.extend(std::iter::repeat_n(b'[', 3 << 20));
    noise.push(b'\n');
    noise.extend(text(&[start(&["T", "I"], None), kind("suggest")]).bytes());
    noise.extend(b"{\"type\":\"quit\"");
    let said = converse(noise);
    assert_eq!(said.kinds(), ["info", "suggestion", "ready", "suggestion"]);
    assert_eq!(said.has_moves(), [false, true]);
}

/// An unreadable message ends the game and is reported on stderr, to keep the bot from answering
/// for a game that is no longer played.
#[test]
fn a_bad_start_ends_the_old_game() {
    let suggest = kind("suggest");
    let good = start(&["T", "I", "O"], None);
    let with = |field: &str, value: Value| {
        let mut start = good.clone();
        start[field] = value;
        start
    };
    for (start, place) in [
        (with("hold", json!("X")).to_string(), ": hold: unknown variant `X`"),
        (with("hold", json!(5)).to_string(), ": hold: "),
        (with("queue", json!(["T", "Q"])).to_string(), ": queue: piece 2: unknown variant `Q`"),
        (with("board", json!([[null]])).to_string(), ": board: row 0: expected 10 cells, found 1"),
        (kind("start").to_string(), ": missing field `queue`"),
        (good.to_string()[..200].to_owned(), ", column "),
        (json!({"type": "play", "move": 7}).to_string(), ": "),
        (json!({"type": "new_piece", "piece": "X"}).to_string(), ": unknown variant `X`"),
    ] {
        let said = converse(format!("{good}\n{suggest}\n{start}\n{suggest}\n{good}\n{suggest}\n"));
        assert_eq!(said.has_moves(), [true, false, true], "{start}");
        let told = said.stderr;
        assert!(
            told.starts_with(&format!("bitcade: standard input: line 3{place}")),
            "{start}: {told}"
        );
        assert!(told.ends_with("; the game is dropped\n"), "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
        assert_eq!(told.matches(" line ").count(), 1, "{told}");
    }
    // Unknown messages are silently ignored; broken ones that belong to no game end none.
    let said =
        converse(format!("{good}\n{{\"type\":\"gossip\"}}\n\n{{\"no\":1}}\n[1\n{suggest}\n"));
    assert_eq!(said.has_moves(), vec![true], "{}", said.stderr);
    assert_eq!(said.stderr.lines().count(), 2, "{}", said.stderr);
    let garbage = converse("\ngarbage\n");
    assert_eq!(garbage.stderr, "bitcade: standard input: line 2, column 1: expected value\n");
    assert_eq!(converse("{\n".repeat(1000)).stderr.lines().count(), 21);
}

fn own_bot(nodes: u32) -> String {
    format!("'{PROGRAM}' tetris tbp --nodes {nodes}")
}

impl Folder {
    /// Returns a run of a match without thinking time, with at most 12 turns per game. Its file is
    /// `match`.
    fn versus(&self, bots: [&str; 2], more: &str) -> Run {
        let bots = bots.map(|bot| shell_words::quote(bot).into_owned()).join(" --bot ");
        self.run(format!(
            "tetris match --milliseconds 0 --pieces 12 --json --bot {bots} --out match {more}"
        ))
    }

    /// Plays one game. Returns the result of the match, and the game's record.
    fn play_once(&self, bots: [&str; 2], more: &str) -> [Value; 2] {
        let result = self.versus(bots, &format!("--games 1 --force {more}")).json();
        [result, self.games().remove(1)]
    }

    /// Returns the settings and the games in the file, without the games' times.
    fn games(&self) -> Vec<Value> {
        let mut games = lines(&self.read("match"));
        let end = games.pop().expect("a last line");
        assert_eq!(&end["games"], &json!(games.len() - 1));
        assert_eq!(&end["version"], &json!(3));
        for game in &mut games {
            game.as_object_mut().expect("an object").remove("seconds");
        }
        games
    }

    /// Writes a match file with changed lines and a matching checksum.
    fn write_changed(&self, text: &str, change: impl Fn(&str) -> String) {
        let (lines, _) = text.trim_end().rsplit_once('\n').expect("lines");
        let lines = change(&format!("{lines}\n"));
        assert!(!text.starts_with(&lines), "nothing changed");
        let games = lines.lines().count() - 1;
        let crc = crc32fast::hash(lines.as_bytes());
        let end = format!("{{\"games\":{games},\"version\":3,\"crc32\":\"{crc:08x}\"}}\n");
        self.write("match", lines + &end);
    }
}

#[test]
fn matches_repeat_and_resume() {
    let folder = folder("match-resume");
    let first = own_bot(300);
    let second = own_bot(100);
    let bots = [first.as_str(), &second];
    let three = |more: &str| folder.versus(bots, &format!("--games 3 {more}"));
    let result = three("").json();
    assert_eq!(&result["games"], &json!(3));
    assert_eq!(&result["pieces"], &json!(36));
    let played = folder.games();
    assert_eq!(played.len(), 1 + 3);
    assert_eq!(&played[0]["bots"], &json!(bots));
    for (i, game) in played[1..].iter().enumerate() {
        let found = [&game["game"], &game["pieces"], &game["reason"]];
        assert_eq!(found, [&json!(i), &json!(12), &json!("attack")]);
    }
    folder.versus(bots, "--games 1 --force").text();
    three("").fails(2, "match: contains results of another run; --resume");
    three("--resume").text();
    assert_eq!(folder.games(), played);
    three("--resume --seed 2").fails(2, "line 1: expected the settings of this run");
    let whole = folder.read("match");
    let winner = format!("\"winner\":{}", played[1]["winner"]);
    for (from, to, message) in [
        ("\"game\":1", "\"game\":7", "match: line 3: expected game 1, found 7"),
        (
            "\"pieces\":12,\"attack",
            "\"pieces\":13,\"attack",
            "line 2: expected pieces of at most 12, found 13",
        ),
        ("\"seed\":", "\"seed\":1", "line 1: "),
        (&winner, "\"winner\":7", "line 2: expected winner 0, 1 or null, found 7"),
    ] {
        folder.write_changed(&whole, |lines| lines.replace(from, to));
        three("--resume").fails(2, message);
    }
    // Arbitrarily large counts can be summed.
    folder.write_changed(&whole, |lines| {
        let cut = |line: &str| match line.split_once("\"nodes\":") {
            Some((before, _)) => format!("{before}\"nodes\":[{0},{0}]}}\n", u64::MAX),
            None => format!("{line}\n"),
        };
        lines.lines().map(cut).collect()
    });
    assert_eq!(three("--resume").json()["games"], 3);
    // Version 1 of the file had no last line.
    let (old, _) = whole.trim_end().rsplit_once('\n').expect("lines");
    folder.write("match", format!("{old}\n"));
    three("--resume").fails(2, "line 5: expected a last line with games, version 3");
    folder.remove("match");
    three("--resume").fails(2, "match: ");
}

#[test]
fn bots_that_cannot_begin() {
    let folder = folder("match-begin");
    for (bot, message) in [
        ("'x", "--bot 'x: missing closing quote"),
        ("/no/such/program", "--bot /no/such/program: "),
        (" ", "expected a command line"),
        (&format!("'{PROGRAM}' --version"), "the bot sent no info message: died"),
        ("cat /dev/zero", "--bot cat /dev/zero: the bot sent no info message: line too long"),
    ] {
        folder.versus([&own_bot(10), bot], "--games 1").fails(2, message);
        // The next try finds no file in its way.
        assert!(!folder.join("match").exists(), "{bot}");
    }
    folder.run("tetris match --bot x --out match").fails(2, "--bot: expected two bots, found 1");
}

/// Bots written as a few lines of shell.
#[cfg(unix)]
mod scripts {
    use super::*;

    const GREETING: &str = r#"{"type":"info","name":"x","version":"1","author":"y","features":[]}"#;

    impl Folder {
        fn bot(&self, answer: &str, then: &str) -> String {
            let name = format!("bot{}.sh", self.names().len());
            self.write(&name, format!("echo '{GREETING}'\nread rules\necho '{answer}'\n{then}\n"));
            format!("sh {name}")
        }

        fn ready_bot(&self, then: &str) -> String {
            self.bot("{\"type\":\"ready\"}", &format!("read start\n{then}"))
        }
    }

    fn suggestion(moves: &str) -> String {
        format!("echo '{{\"type\":\"suggestion\",\"moves\":[{moves}]}}'")
    }

    fn move_of(piece: &str, y: &str) -> String {
        format!(
            r#"{{"location":{{"type":"{piece}","orientation":"north","x":4,"y":{y}}},"spin":"none"}}"#
        )
    }

    /// Command lines are split like in a shell, and a bot's stderr is shown.
    #[test]
    fn command_lines_have_words() {
        let folder = folder("match words");
        std::os::unix::fs::symlink(PROGRAM, folder.join("a bot")).expect("a link");
        let quoted = format!("'{}' tetris tbp --nodes 10", folder.join("a bot").display());
        let talks = "sh -c 'echo \"it talks\" >&2; exec \"$0\" tetris tbp --nodes 10' './a bot'";
        let output = folder.versus([&quoted, talks], "--games 1").output();
        let told = stderr(&output);
        assert!(output.status.success() && told.lines().any(|line| line == "it talks"), "{told}");
        assert_eq!(folder.games()[1]["pieces"], 12);
    }

    /// The rules name the randomizer, as does the start; arbitrarily large node counts can be
    /// summed.
    #[test]
    fn the_rules_name_the_randomizer() {
        let folder = folder("match-rules");
        let moves =
            r#"{"type":"suggestion","moves":[],"move_info":{"nodes":18446744073709551615}}"#;
        let hears = "echo \"$rules\" > heard\necho \"$start\" >> heard\nread suggest";
        let bot = folder.ready_bot(&format!("{hears}\necho '{moves}'\nread end"));
        let [_, game] = folder.play_once([&own_bot(10), &bot], "");
        let heard = lines(&folder.read("heard"));
        assert_eq!(heard[0], json!({"type": "rules", "randomizer": "seven_bag"}));
        assert_eq!(heard[1]["randomizer"]["type"], "seven_bag");
        assert_eq!(&game["nodes"][1], &json!(u64::MAX));
        assert_eq!(&game["reason"], &json!("resigned"));
    }

    /// No memory is taken for an endless line, or for other endless messages.
    #[test]
    fn faults_lose() {
        let folder = folder("match-faults");
        let suggest = |moves: &str| format!("read suggest\n{}\nread end", suggestion(moves));
        let nowhere = move_of("T", "15");
        let own = own_bot(50);
        for (reason, then) in [
            ("died", "exit 3"),
            ("silent", "sleep 600"),
            ("silent", "exec yes '{\"type\":\"gossip\"}'"),
            ("line too long", "exec cat /dev/zero"),
            ("resigned", &suggest("")),
            ("illegal move", &suggest(&nowhere)),
            ("illegal move", &suggest(&[&*nowhere; 3].join(","))),
            // Lines that are not messages are no answer.
            ("silent", "while read line; do echo '{\"type\":7,\"moves\":[]}'; done"),
            ("unreadable suggestion", &suggest("7")),
            ("unreadable suggestion", &suggest(&move_of("T", "1e400"))),
            ("unreadable suggestion", "read suggest\necho '{\"type\":\"suggestion\",'\nread end"),
        ] {
            let bot = folder.ready_bot(then);
            let patience = if reason == "silent" { "--patience 300" } else { "" };
            let lost = json!({reason: 1});
            let none = json!({});
            for (bots, winner, reasons) in [
                ([own.as_str(), &bot], json!(0), [&none, &lost, &none]),
                ([&bot, &own], json!(1), [&lost, &none, &none]),
                ([&bot, &bot], json!(null), [&none, &none, &lost]),
            ] {
                let [result, game] = folder.play_once(bots, patience);
                assert_eq!(
                    [&result["losses"][0], &result["losses"][1], &result["draw_reasons"]],
                    reasons
                );
                assert_eq!(
                    [&game["winner"], &game["reason"], &game["pieces"]],
                    [&winner, &json!(reason), &json!(0)]
                );
            }
        }
        let dies = folder.ready_bot("exit 3");
        let text = folder.run(format!(
            "tetris match --milliseconds 0 --bot BOT --bot '{dies}' --games 3 --out text"
        ));
        let expected = "\nlosses_of_first none\nlosses_of_second died 3\ndraw_reasons none\n";
        assert!(text.text().contains(expected));
        let refuses = folder.bot(r#"{"type":"error","reason":"unsupported_rules"}"#, "read end");
        folder.versus([&own, &refuses], "--games 1 --force").fails(2, "unsupported_rules");
    }

    /// The time to answer is counted from `suggest` for both bots, so it does not depend on the
    /// side.
    #[test]
    fn both_bots_have_the_same_time() {
        let folder = folder("match-patience");
        let moves = ["I", "O", "T", "S", "Z", "J", "L"].map(|piece| move_of(piece, "0")).join(",");
        let answers = |seconds| {
            let answer = suggestion(&moves);
            let then = format!("case $line in *suggest*) sleep {seconds}; {answer};; esac");
            folder.ready_bot(&format!("while read line; do {then}; done"))
        };
        // Too late for a patience of one second, unless that began with the other bot's answer.
        let quick = answers("0.5");
        let late = answers("1.25");
        for (bots, winner) in [([&quick, &late], 0), ([&late, &quick], 1)] {
            let [_, game] = folder.play_once(bots.map(String::as_str), "--patience 1000");
            assert_eq!(&game["winner"], &json!(winner));
            assert_eq!(&game["reason"], &json!("silent"));
        }
    }
}
