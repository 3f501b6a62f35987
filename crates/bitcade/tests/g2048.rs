//! `bitcade 2048`: its output and errors.

use crate::common::{bitcade, folder, keys, names};
use serde_json::Value;

const KEYS: [&str; 6] =
    ["games", "mean_score", "stderr_score", "mean_moves", "stderr_moves", "moves_per_second"];

#[test]
fn perft_by_depth() {
    for (flags, board, counts) in [
        (
            "--depth 4",
            "2 .\n. 2\n",
            "depth 1 nodes 16 distinct 12 gain 0 dead 0\n\
             depth 2 nodes 208 distinct 34 gain 768 dead 0\n\
             depth 3 nodes 1792 distinct 74 gain 16384 dead 8\n\
             depth 4 nodes 12160 distinct 106 gain 171008 dead 112\n",
        ),
        (
            "--depth 1 - --json",
            "2 0 0\n. . .\n0 . 2",
            "{\"depth\":1,\"nodes\":56,\"distinct\":52,\"gain\":0,\"dead\":0}\n",
        ),
        // A board without a legal move has one dead sequence, of length 0.
        ("--depth 9", "2 4\n4 2", "depth 1 nodes 0 distinct 0 gain 0 dead 1\n"),
        // Tiles beyond four bits.
        (
            "--depth 1",
            "32768 32768\n65536 65536",
            "depth 1 nodes 8 distinct 8 gain 1572864 dead 0\n",
        ),
    ] {
        bitcade(format!("2048 perft {flags}")).stdin(board).prints(counts);
    }
}

/// All keys except the speed have the same values on every level.
#[test]
fn playouts_repeat() {
    let run = |level| {
        let line = format!("2048 playouts --size 3x2 --games 1500 --seed 7 --json --level {level}");
        let mut record = bitcade(line).json();
        assert!(KEYS.iter().all(|key| record.get(key).is_some()), "{record}");
        let speed = record.as_object_mut().expect("an object").remove("moves_per_second");
        assert!(speed.and_then(|speed| speed.as_u64()).is_some_and(|speed| speed > 0));
        record
    };
    let record = run("auto");
    assert_eq!(record, run("portable"));
    assert_eq!(record["games"], 1500);
    let number = |key: &str| record[key].as_f64().expect("a number");
    for (key, exact) in [("score", 61.1689), ("moves", 13.5278)] {
        let error = number(&format!("mean_{key}")) - exact;
        assert!(error.abs() < 5.0 * number(&format!("stderr_{key}")), "{record}");
    }
}

#[test]
fn playouts_as_text() {
    let text = bitcade("2048 playouts --size 2x2 --games 1 --seed 1").text();
    assert_eq!(keys(&text), KEYS);
    assert!(text.starts_with("games 1\n") && text.contains("\nstderr_score none\n"), "{text}");
}

#[test]
fn solved() {
    bitcade("2048 solve --size 2x2").prints(
        "states 662\ncanonical 110\nexpected_score 66.9641494571\nrandom_score 19.6565401755\n\
         random_moves 5.6007230007\n",
    );
    let record = bitcade("2048 solve --size 2x3 --json").json();
    assert_eq!(record["canonical"], 21752);
    assert!(
        record["expected_score"]
            .as_f64()
            .is_some_and(|score| (score - 480.258_271_776).abs() < 1e-9)
    );
}

/// Without a terminal, a game is played line by line. This one makes 2048 with its last possible
/// move.
#[test]
fn played_line_by_line() {
    let folder = folder("g2048-lines");
    let play = |flags: &str, lines: &str| {
        let run = folder.run(format!("play 2048 --seed 1 {flags}"));
        run.env("XDG_DATA_HOME", &*folder).stdin(lines).text()
    };
    let text = play("", "foo\nleft\nundo\nundo\nquit\n");
    assert!(text.starts_with("enter left, right, up or down, undo, hint, new, show"), "{text}");
    let shown = "score 0, best 0, moves 0\n. 2 . .\n";
    assert!(text.contains(&format!("> move undone\n{shown}")), "{text}");
    for error in ["> expected left, right, up or down", "> no move to undo\n> score 0\n"] {
        assert!(text.contains(error), "{error}: {text}");
    }
    let file = include_str!("data/2048-win-with-last-move.txt");
    let mut parts = file.splitn(3, '\n').skip(1);
    let [keys, board] = [parts.next(), parts.next()].map(|part| part.expect("keys and a board"));
    let lines: String = keys.chars().flat_map(|key| [key, '\n']).collect();
    let text = play("--lines", &lines);
    let rows: Vec<&str> = text.lines().rev().skip(3).take(4).collect();
    assert!(
        rows.iter()
            .rev()
            .zip(board.lines())
            .all(|(row, of)| row.split_whitespace().eq(of.split_whitespace()))
    );
    assert_eq!(text.matches(": you made 2048!\n").count(), 1, "{text}");
    let end = text.rsplit('\n').nth(3).unwrap_or_default();
    assert_eq!(end, "You made 2048! Game over. Your best score!");
    // The best score is known from now on.
    let json = play("--json", &lines);
    let objects: Vec<Value> = json.lines().map(|line| line.parse().expect("JSON")).collect();
    let [.., won, shown, over] = &objects[..] else { panic!("{json}") };
    assert!(won["won"] == true && won["gain"] == 2048 && objects[1]["won"] == false, "{won}");
    assert!(
        over["won"] == true && over["is_best"] == false && over["score"] == shown["best"],
        "{over}"
    );
    assert_eq!(objects[0]["best"], shown["best"]);
    let lost = play("--size 2x2", &"left\nup\nright\ndown\n".repeat(9));
    assert!(
        lost.contains("\nGame over: no moves left. Your best score!\n> the game is over\n"),
        "{lost}"
    );
}

/// Without a terminal a game is saved at the end of the input too, and its offer takes no line
/// away. Programs that read JSON or name a seed are left alone.
#[test]
fn a_game_of_lines_is_saved_and_continued() {
    const SAVED: &str = "the game is saved; the next one offers to continue it\n";
    const ASKS: &str = "Give up this game for a new one? Enter yes or no.\n";
    let folder = folder("g2048-saved");
    let play = |flags: &str, lines: &str| {
        let run = folder.run(format!("play 2048 {flags}"));
        run.env("XDG_DATA_HOME", &*folder).stdin(lines).text()
    };
    let all = "left\nup\nright\ndown\n";
    for flags in ["--json", "--seed 1 --lines"] {
        let text = play(flags, all);
        assert!(!text.contains("saved"), "{flags}: {text}");
    }
    assert!(!folder.join("bitcade/games").exists());
    let text = play("", all);
    assert!(text.ends_with(SAVED), "{text}");
    let first = folder.read("bitcade/games/2048-4x4-1.json");
    // Lines that aren't an answer play the new game.
    let text = play("--lines", all);
    assert!(text.contains(" points? Enter continue, or play this new one.\nscore 0, "), "{text}");
    assert!(text.ends_with(SAVED), "{text}");
    assert_eq!(folder.read("bitcade/games/2048-4x4-1.json"), first);
    folder.remove("bitcade/games/2048-4x4-2.json");
    let text = play("", "continue\ncontinue\nundo\n");
    assert!(text.contains("> expected left, right, up or down"), "an offer ends: {text}");
    assert!(text.contains("> move undone\n"), "{text}");
    for flags in ["--json", "--seed 1 --lines"] {
        let text = play(flags, "continue\n");
        assert!(
            text.contains("expected left, right, up or down") && !text.contains("Enter"),
            "{text}"
        );
    }
    // `new` asks, except for a program.
    let text = play("", "continue\nnew\nno\nnew\nundo\nnew\nyes\nshow\n");
    assert_eq!(text.matches(ASKS).count(), 3, "{text}");
    assert!(text.contains(&format!("{ASKS}> > {ASKS}> move undone\n")), "{text}");
    assert!(text.contains(&format!("{ASKS}> new game\nscore 0, ")), "{text}");
    assert!(names(&folder.join("bitcade/games")).is_empty());
    let json = play("--json --seed 1", "down\nnew\n");
    assert!(json.contains("{\"new\":true}"), "{json}");
}
