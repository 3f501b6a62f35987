//! `bitcade contest` as used by scripts.

use crate::common::{Folder, Run, bitcade, folder, stderr, stdout, value};
use tetris_ai::contest::checksum;

/// Three pieces that clear no lines.
const GAME: &str = "N,D19,N,L2,D3,N,C1,R2,D10\n";

fn verify(record: &str) -> Run {
    bitcade("contest verify").stdin(record)
}

impl Folder {
    /// Returns the results for the game in a file, which must match the output of its search.
    fn verified_as(&self, file: &str, solved: &str) -> String {
        let verified = self.run(format!("contest verify {file}")).text();
        for key in ["score", "bound", "ratio", "lines", "clears", "pieces", "over"] {
            assert_eq!(value(&verified, key), value(solved, key));
        }
        verified
    }
}

#[test]
fn records_are_verified() {
    let text = verify("N,D19,N,L2,D3").text();
    for (key, expected) in [
        ("score", "0"),
        ("width", "none"),
        ("bound", "0"),
        ("ratio", "none"),
        ("clears", "0 0 0 0 (of 1, 2, 3 and 4 lines)"),
        ("hovers", "1 (pieces that locked in mid-air)"),
        ("pieces", "2"),
        ("cells_left", "8"),
        ("over", "goes on"),
        ("checksum", "none"),
    ] {
        assert_eq!(value(&text, key), expected);
    }
    let json = bitcade("contest verify - --seed 1 --json").stdin("N,D1").text();
    let begins =
        "{\"score\":0,\"width\":null,\"bound\":0,\"ratio\":null,\"lines\":0,\"clears\":[0,0,0,0],";
    assert!(json.starts_with(begins) && json.contains("\"pieces\":1,\"seconds\":"), "{json}");
    assert!(json.ends_with(",\"claimed\":null,\"checksum\":\"none\"}\n"), "{json}");
}

/// The second line of a published record is the claimed score.
#[test]
fn claimed_scores_are_compared() {
    let folder = folder("contest-claimed");
    let text = folder.run("contest solve --depth 3 --pieces 200 --out game").text();
    let score = value(&text, "score");
    assert!(score.len() > 3, "{score}");
    let written = folder.read("game");
    let record = written.lines().next().expect("a record");
    let (thousands, rest) = score.split_at(score.len() - 3);
    for claim in [
        format!("{record}\n{score}"),
        format!("\u{feff}{record}\r\n {score}\t\r\n\r\n"),
        format!("{record}\n{thousands},{rest}\n# by hand\n"),
    ] {
        let text = verify(&claim).text();
        assert_eq!(value(&text, "claimed"), format!("{score} (the score)"));
        assert_eq!(value(&text, "score"), score);
        assert_eq!(value(&text, "checksum"), "none");
    }
    assert!(!verify(record).text().contains("claimed"));
    bitcade("contest replay --json").stdin(format!("{record}\n{score}\n")).text();

    // The result is printed too, since the record's score is known.
    let output = verify(&format!("{record}\n\n  1{score}\n")).output();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(value(&stdout(&output), "score"), score);
    assert_eq!(value(&stdout(&output), "claimed"), format!("1{score} (not the score)"));
    let message = format!(
        "standard input: line 3, column 3: the record claims a score of 1{score}, expected {score}, by the rules"
    );
    assert!(stderr(&output).contains(&message), "{output:?}");
    let output = bitcade("contest verify --json").stdin("N,D19\n7\n").output();
    assert!(stdout(&output).contains(",\"claimed\":7,\"checksum\":\"none\"}"), "{output:?}");
}

/// A record is verified and shown with the seed named in its file. Another seed is refused.
#[test]
fn the_seed_of_a_file() {
    let folder = folder("contest-seed");
    for search in ["--width 8", "--depth 3"] {
        let text = folder
            .run(format!("contest solve {search} --seed 7 --pieces 200 --force --out game"))
            .text();
        let score = value(&text, "score");
        assert_ne!(score, "0");
        for seed in ["", "--seed 7"] {
            let verified = folder.run(format!("contest verify game {seed}")).text();
            assert_eq!(value(&verified, "score"), score);
        }
        let last = folder.run("contest replay game --from 200 --json").json();
        assert_eq!(last["score"].to_string(), score);
        for other in ["verify game --seed 12358", "replay game --seed 8"] {
            let message = "line 2: this game was played with --seed 7, expected the same or none";
            folder.run(format!("contest {other}")).fails(2, message);
        }
    }
    // A number that is cut off is not a seed.
    assert_eq!(value(&verify("N,D19\n# beam: seed 123").text(), "pieces"), "1");
}

/// A game is only resumed with its original settings; others are refused, and the file stays.
#[test]
fn other_settings_are_not_resumed() {
    let folder = folder("contest-settings");
    let solve = |more: &str| folder.run(format!("contest solve --threads 1 --out game {more}"));
    solve("--width 20 --pieces 100").text();
    let whole = folder.read("game");
    for (more, message) in [
        ("--width 30", "played with --width 20x100, expected the same"),
        ("--width 20x50,30", "played with --width 20x100, expected the same"),
        ("--width 19", "played with --width 20x100, expected the same"),
        ("--pieces 99", "begun with --seed 12358 --pieces 100"),
        ("--seed 3", "begun with --seed 12358 --pieces 100"),
    ] {
        solve(&format!("--resume {more}")).fails(2, &format!("line 2: this game was {message}"));
        assert!(folder.read("game") == whole, "the file is as it was");
    }
    solve("--resume --search tree").fails(2, "begun by the other search");
    for width in ["20", "20x100", "20x100,30"] {
        solve(&format!("--resume --width {width}")).text();
        // Only the time spent differs.
        assert_eq!(folder.read("game").lines().next(), whole.lines().next());
    }
    // A stopped game can continue with another width, after the widths of its first pieces.
    let (state, _) = whole.split_once("# version").expect("a checksum");
    folder.write("game", checksum::with_checksum(&state.replace(" pieces 100 ", " pieces 110 ")));
    solve("--resume --width 30").fails(
        2,
        "line 2: this game was played with --width 20x100, expected the same, or 20x100,30",
    );
    let text = solve("--resume --width 20x100,30").text();
    assert_eq!(value(&text, "pieces"), "110");
    assert_eq!(value(&text, "widths"), "20x100,30x10");
}

#[test]
fn a_game_is_solved_in_parts() {
    let folder = folder("contest-parts");
    let text = folder.run("contest solve --depth 3 --pieces 60 --threads 1 --out whole").text();
    assert_eq!(value(&text, "pieces"), "60");
    assert_eq!(value(&text, "width"), "3");
    folder.verified_as("whole", &text);
    let number = |key| value(&text, key).parse::<u64>().expect("a number");
    assert!(number("score") < number("bound"), "{text}");
    for more in [
        "--depth 3 --threads 2 --level portable --pieces 20",
        "--depth 3 --threads 2 --level portable --resume --steps 41",
        "--resume --pieces 60",
    ] {
        folder.run(format!("contest solve --out parts {more}")).text();
    }
    assert_eq!(folder.read("whole"), folder.read("parts"));
    folder
        .run("contest solve --out parts --resume --depth 4")
        .fails(2, "line 2: this game was begun with --seed 12358");
}

#[test]
fn time_keeps_what_was_reached() {
    let folder = folder("contest-time");
    let json =
        folder.run("contest solve --depth 12 --time 0.2 --threads 2 --out game --json").json();
    assert_eq!(json["width"], 11);
    let state = folder.read("game");
    assert!(state.contains("# tree search: seed 12358 depth 12 most 12"), "{state}");
}

/// A resumed game keeps its original time limit; a game without one needs --time or --width.
#[test]
fn a_resumed_beam_knows_its_time() {
    let folder = folder("contest-beam-time");
    folder.run("contest solve --time 90 --pieces 20 --threads 1 --out game").text();
    let text = folder.read("game");
    // The weights of a beam that has not begun, with or without a time limit.
    let weights = text.lines().nth(2).expect("a line of weights");
    let begin = |allowed| {
        let state = format!(
            "\n# beam: seed 12358 pieces 20 trunk 0 placements 0 spent 0 allowed {allowed} widths -\n{weights}\n"
        );
        folder.write("game", checksum::with_checksum(&state));
        folder.run("contest solve --resume --out game")
    };
    begin(0).fails(2, "line 2: this game was begun with --width, expected --width or --time");
    assert_eq!(value(&begin(90_000).text(), "pieces"), "20");
    let text = folder.read("game");
    assert!(
        text.lines().nth(1).is_some_and(|line| line.contains(" allowed 90000 widths ")),
        "{text}"
    );
}

#[test]
fn a_beam_in_a_hurry_completes_its_game() {
    // A second has more than a hundred stretches, all of them short.
    for (more, pieces) in [("--time 0.01 --pieces 500", 500), ("--time 1", 10_000)] {
        let json =
            folder("contest-hurry").run(format!("contest solve {more} --out game --json")).json();
        assert_eq!(json["pieces"], pieces, "{json}");
    }
}

#[test]
fn games_are_shown() {
    let folder = folder("contest-replay");
    folder.run("contest solve --width 50 --pieces 50 --out game").text();
    let text = folder.run("contest replay game --from 49").text();
    assert_eq!(text.lines().count(), 2 * 22, "{text}");
    assert!(text.contains("piece 49 J, score ") && text.contains("piece 50 J, score "), "{text}");
    // The piece that just locked is drawn as `@`.
    assert_eq!(text.matches('@').count(), 8, "{text}");
    folder.run("contest replay game --every 10 --svg game.svg --gif game.gif").text();
    let svg = folder.read("game.svg");
    assert!(svg.matches("<text").count() == 2 * 5 && svg.ends_with("</svg>\n"), "{svg}");
    // The sheet's last board has the same cells as the printed one, for the stack and for the
    // piece.
    let board = folder.run("contest replay game --from 41 --to 41").text();
    let cells = ['#', '@'].map(|c| board.matches(c).count());
    let paths = svg.lines().rfind(|line| line.starts_with("<g transform")).expect("a board");
    let runs = |path: &str| -> usize {
        path.split('h')
            .skip(1)
            .filter_map(|run| run.split(['M', '"']).next()?.parse::<usize>().ok())
            .sum()
    };
    assert_eq!(paths.split("<path").skip(1).map(runs).collect::<Vec<_>>(), cells, "{paths}");
    assert!(cells[0] > 20 && cells[1] == 4);
    // Cells of 24 pixels: the bordered board of ten columns, and 24 columns of characters.
    assert_eq!(frames(&folder, (24 * 10 + 24 + 24 * 12, 24 * 22)), [8, 8, 8, 8, 300]);
}

/// Returns the duration of each frame of `game.gif`, which has this size, in hundredths of a
/// second.
fn frames(folder: &Folder, size: (u16, u16)) -> Vec<u16> {
    let bytes = folder.bytes("game.gif");
    let mut decoder = gif::Decoder::new(&*bytes).expect("a GIF");
    assert_eq!((decoder.width(), decoder.height()), size);
    std::iter::from_fn(|| decoder.read_next_frame().expect("a GIF").map(|frame| frame.delay))
        .collect()
}

/// Without a terminal, a recording is made faster than real time, in any size and at any speed.
#[test]
fn games_are_recorded() {
    let folder = folder("contest-recorded");
    let record =
        |more: &str| folder.run(format!("contest replay --delay 20 --record {more}")).stdin(GAME);
    record("game.gif --screen 60x24").prints("");
    assert_eq!(frames(&folder, (60 * 12, 24 * 24)), [2, 2, 300]);
    record("game.cast --ascii").text();
    let text = folder.read("game.cast");
    assert!(
        text.is_ascii() && text.starts_with("{\"height\":24,\"version\":2,\"width\":80}\n"),
        "{text}"
    );
    let starts: Vec<&str> =
        text.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(starts, ["[0.0", "[0.02", "[0.04"]);
    assert!(text.contains("piece") && text.contains("ratio"), "{text}");
    record("game.cast").fails(2, "is not empty; --force replaces it");
    record("game.cast --force --svg game.cast").fails(2, "used for two outputs");
}

/// With `--json` a replay prints a record per piece.
#[test]
fn a_replay_has_records() {
    let json = |more: &str| bitcade(format!("contest replay --json {more}")).stdin(GAME).text();
    let text = json("");
    let records: Vec<&str> = text.lines().collect();
    assert_eq!(
        records[1],
        "{\"piece\":2,\"shape\":\"I\",\"rotation\":1,\"x\":2,\"y\":3,\"keys\":\"L2,D3\",\"lines\":0,\"score\":0}"
    );
    assert!(records.len() == 3 && records[2].contains("\"keys\":\"C1,R2,D10\""), "{text}");
    assert_eq!(json("--from 2 --to 2"), format!("{}\n", records[1]));
    assert_eq!(json("--every 2"), format!("{}\n{}\n", records[0], records[2]));
}
