//! Tests of `bitcade contest` as scripts use it.

use crate::common::{bitcade, stderr, stdout};
use std::path::{Path, PathBuf};
use tetris_ai::checksum;

/// Returns the path of a file for one test, without an old file at it.
fn file(name: &str) -> (PathBuf, String) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("contest-{name}.txt"));
    let _ = std::fs::remove_file(&path);
    let text = path.to_str().expect("UTF-8").to_owned();
    (path, text)
}

fn value<'a>(text: &'a str, key: &str) -> &'a str {
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {key} in {text}"))
}

#[test]
fn records_are_verified() {
    let text = bitcade(["contest", "verify"]).stdin("N,D19,N,L2,D3").text();
    for (key, expected) in [("score", "0"), ("width", "none"), ("bound", "0"), ("ratio", "none")] {
        assert_eq!(value(&text, key), expected);
    }
    assert_eq!(value(&text, "clears"), "0 0 0 0 (of 1, 2, 3 and 4 lines)");
    assert_eq!(value(&text, "hovers"), "1 (pieces that locked in mid-air)");
    for (key, expected) in [("pieces", "2"), ("cells_left", "8"), ("over", "goes on")] {
        assert_eq!(value(&text, key), expected);
    }
    assert_eq!(value(&text, "checksum"), "none");
    let json = bitcade(["contest", "verify", "-", "--seed", "1", "--json"]).stdin("N,D1").text();
    assert!(json.starts_with(
        "{\"score\":0,\"width\":null,\"bound\":0,\"ratio\":null,\"lines\":0,\"clears\":[0,0,0,0],"
    ));
    assert!(json.contains("\"pieces\":1,\"seconds\":"), "{json}");
    assert!(json.ends_with(",\"claimed\":null,\"checksum\":\"none\"}\n"), "{json}");
}

/// The second line of a published record is the score that it claims.
#[test]
fn claimed_scores_are_compared() {
    let verify = |text: &str| bitcade(["contest", "verify"]).stdin(text);
    let (_, name) = file("claimed");
    let solve = ["contest", "solve", "--depth", "3", "--pieces", "200", "--out", &name];
    let score = value(&bitcade(solve).text(), "score").to_owned();
    assert!(score.len() > 3, "{score}");
    let written = std::fs::read_to_string(&name).expect("written");
    let record = written.lines().next().expect("a record");
    let grouped = format!("{},{}", &score[..score.len() - 3], &score[score.len() - 3..]);
    for claim in [
        format!("{record}\n{score}"),
        format!("\u{feff}{record}\r\n {score}\t\r\n\r\n"),
        format!("{record}\n{grouped}\n# by hand\n"),
    ] {
        let text = verify(&claim).text();
        assert_eq!(value(&text, "claimed"), format!("{score} (the score)"));
        assert_eq!((value(&text, "score"), value(&text, "checksum")), (&*score, "none"));
    }
    assert!(!verify(record).text().contains("claimed"));
    bitcade(["contest", "replay", "--json"]).stdin(format!("{record}\n{score}\n")).text();

    // The result is printed, too: what the record is worth is known.
    let output = verify(&format!("{record}\n\n  1{score}\n")).output();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(value(&stdout(&output), "score"), score);
    assert_eq!(value(&stdout(&output), "claimed"), format!("1{score} (not the score)"));
    let message = format!(
        "standard input: line 3, column 3: the record claims a score of 1{score}, expected {score}, by the rules"
    );
    assert!(stderr(&output).contains(&message), "{output:?}");
    let output = bitcade(["contest", "verify", "--json"]).stdin("N,D19\n7\n").output();
    assert!(stdout(&output).contains(",\"claimed\":7,\"checksum\":\"none\"}"), "{output:?}");

    verify("N,D19\n0\n0\n").fails(2, "line 3, column 1: expected a blank line or one that begins with #, or");
    verify("N,D19\n0 points\n").fails(2, "line 2, column 1: expected a blank line");
    verify("0\nN,D19\n").fails(2, "line 1, column 1, item 1: expected N");
}

/// A record is verified and shown with the pieces of the seed that its file names. Another seed is refused.
#[test]
fn the_seed_of_a_file() {
    for (name, flags) in [("seed-beam", ["--width", "8"]), ("seed-tree", ["--depth", "3"])] {
        let (_, name) = file(name);
        let [flag, number] = flags;
        let solve = ["contest", "solve", flag, number, "--seed", "7", "--pieces", "200", "--out", &name];
        let score = value(&bitcade(solve).text(), "score").to_owned();
        assert_ne!(score, "0");
        let message = "line 2: this game was played with --seed 7, expected the same or none";
        for seed in [&["--seed", "7"][..], &[]] {
            let mut run = bitcade(["contest", "verify", &name]);
            run.arguments(seed.iter().copied());
            assert_eq!(value(&run.text(), "score"), score);
        }
        let last = bitcade(["contest", "replay", &name, "--from", "200", "--json"]).text();
        assert!(last.contains(&format!("\"score\":{score}}}")), "{last} {score}");
        bitcade(["contest", "verify", &name, "--seed", "12358"]).fails(2, message);
        bitcade(["contest", "replay", &name, "--seed", "8"]).fails(2, message);
    }
    // A number that is cut off is no seed.
    let cut = "N,D19\n# beam: seed 123";
    assert_eq!(value(&bitcade(["contest", "verify"]).stdin(cut).text(), "pieces"), "1");
}

/// A game is resumed with the settings that it was begun with; others are refused, and the file stays.
#[test]
fn other_settings_are_not_resumed() {
    let (path, name) = file("other-settings");
    let solve = |more: &[&str]| {
        let mut run = bitcade(["contest", "solve", "--threads", "1", "--out", &name]);
        run.arguments(more.iter().copied());
        run
    };
    solve(&["--width", "20", "--pieces", "100"]).text();
    let read = || std::fs::read_to_string(&path).expect("written");
    let whole = read();
    for width in ["30", "20x50,30", "19"] {
        solve(&["--resume", "--width", width])
            .fails(2, "line 2: this game was played with --width 20x100, expected the same");
        assert!(read() == whole, "the file is as it was");
    }
    solve(&["--resume", "--pieces", "99"])
        .fails(2, "line 2: this game was begun with --seed 12358 --pieces 100");
    for width in ["20", "20x100", "20x100,30"] {
        solve(&["--resume", "--width", width]).text();
        // Only the time spent differs.
        assert_eq!(read().lines().next(), whole.lines().next());
    }
    // A stopped game can go on with another width, after those that it was played with.
    let (state, _) = whole.split_once("# version").expect("a checksum");
    let begun = checksum::with_checksum(&state.replace(" pieces 100 ", " pieces 110 "));
    std::fs::write(&path, begun).expect("written");
    solve(&["--resume", "--width", "30"])
        .fails(2, "line 2: this game was played with --width 20x100, expected the same, or 20x100,30");
    let text = solve(&["--resume", "--width", "20x100,30"]).text();
    assert_eq!((value(&text, "pieces"), value(&text, "widths")), ("110", "20x100,30x10"));
}

/// Lines after a record are remarks or blank; anything else shows that the record is damaged.
#[test]
fn lines_after_a_record_are_remarks() {
    let verify = |text: &str| bitcade(["contest", "verify"]).stdin(text);
    assert_eq!(value(&verify("N,D19\r\n\r\n# remark\r\n").text(), "pieces"), "1");
    verify("N,D19\nfoo bar\n").fails(2, "standard input: line 2, column 1: expected a blank line or one");
    verify(&"N,D1\n".repeat(1000)).fails(2, "line 2, column 1: expected a blank line");
    bitcade(["contest", "replay"]).stdin("N,D19\nN,D19\n").fails(2, "line 2, column 1");
    // The script of the contest's page has the record in quotes.
    assert_eq!(value(&verify("upload(\n'N,D19');\nmore();\n").text(), "pieces"), "1");
    for empty in ["", "\n# remark\n"] {
        verify(empty).fails(2, "line 1, column 1, item 1: expected N");
    }
}

/// Without `--require-checksum` a record that is cut off in its first line has no checksum any more, and
/// `verify` says so; any other damage is refused, or does not change the result.
#[test]
fn damage_is_found() {
    let mut rng = bitcore::Rng::new(17);
    let (path, name) = file("damage");
    bitcade(["contest", "solve", "--out", &name, "--width", "8", "--pieces", "25", "--threads", "1"]).text();
    let whole = std::fs::read(&path).expect("written");
    let verified = || {
        let run = bitcade(["contest", "verify", &name, "--seed", "12358"]);
        let output = run.output();
        let timeless = |line: &&str| !line.starts_with("seconds ");
        match output.status.code() {
            Some(0) => Some(stdout(&output).lines().filter(timeless).collect::<Vec<_>>().join("\n")),
            code => {
                assert_eq!((code, stderr(&output).contains("line ")), (Some(2), true), "{output:?}");
                None
            }
        }
    };
    let good = verified();
    assert!(good.as_ref().is_some_and(|text| text.ends_with("\nchecksum ok")), "{good:?}");
    for i in 0..60 {
        let mut bytes = whole.clone();
        let place = rng.below(whole.len() as u32) as usize;
        if i % 2 == 0 {
            bytes[place] ^= 1 << rng.below(8);
        } else {
            bytes.truncate(place);
        }
        std::fs::write(&path, bytes).expect("written");
        let found = verified();
        let without = found.as_ref().is_some_and(|text| text.ends_with("\nchecksum none"));
        assert!(found.is_none() || without || found == good, "{i}: {found:?}");
        let cut_in_record = i % 2 == 1 && !whole[..place].contains(&b'\n');
        let shorn = found.as_ref().map(|text| text.replace("checksum none", "checksum ok"));
        assert!(cut_in_record || found.is_none() || shorn == good, "{i}: {found:?}");
    }
}

/// A checkpoint of an older version, which had no checksum, is refused by --resume and verified as a record.
#[test]
fn old_checkpoints_are_refused() {
    let (path, name) = file("old-checkpoint");
    let state = "N,D19\n# tree search: seed 12358 depth 3 most 12 early 0 at 0 now 3 past 0 steps 1\n";
    std::fs::write(&path, state).expect("written");
    bitcade(["contest", "solve", "--resume", "--out", &name])
        .fails(2, "line 3: expected a last line \"# version 2 checksum crc32 XXXXXXXX\"");
    assert_eq!(value(&bitcade(["contest", "verify", &name]).text(), "checksum"), "none");
    bitcade(["contest", "verify", &name, "--require-checksum"]).fails(2, "line 3: expected a last line");
}

#[test]
fn a_game_is_solved_in_parts() {
    let (whole, whole_name) = file("whole");
    let (parts, parts_name) = file("parts");
    let text = bitcade([
        "contest",
        "solve",
        "--depth",
        "3",
        "--pieces",
        "60",
        "--threads",
        "1",
        "--out",
        &whole_name,
    ]);
    let text = text.text();
    assert_eq!((value(&text, "pieces"), value(&text, "width")), ("60", "3"));
    let solve =
        ["contest", "solve", "--depth", "3", "--threads", "2", "--level", "portable", "--out", &parts_name];
    let [a, b, c, d, e, f, g, h, i, j] = solve;
    bitcade([a, b, c, d, e, f, g, h, i, j, "--pieces", "20"]).text();
    bitcade([a, b, c, d, e, f, g, h, i, j, "--resume", "--steps", "41"]).text();
    bitcade([a, b, "--out", j, "--resume", "--pieces", "60"]).text();
    let (whole, parts) = (std::fs::read_to_string(whole), std::fs::read_to_string(parts));
    let whole = whole.expect("written");
    assert_eq!(whole, parts.expect("written"));

    let verified = bitcade(["contest", "verify", &whole_name]).text();
    for key in ["score", "bound", "ratio", "lines", "clears", "pieces", "over"] {
        assert_eq!(value(&verified, key), value(&text, key));
    }
    bitcade([a, b, "--out", j, "--resume", "--depth", "4"])
        .fails(2, "line 2: this game was begun with --seed 12358");
}

#[test]
fn time_keeps_what_was_reached() {
    let (path, name) = file("time");
    let solve =
        ["contest", "solve", "--depth", "12", "--time", "0.2", "--threads", "2", "--out", &name, "--json"];
    let json = bitcade(solve).text();
    assert!(json.contains("\"width\":11"), "{json}");
    let state = std::fs::read_to_string(path).expect("written");
    assert!(state.contains("# tree search: seed 12358 depth 12 most 12"), "{state}");
}

#[test]
fn bad_input_is_one_line_and_status_2() {
    let verify = |text: &str, message| bitcade(["contest", "verify"]).stdin(text).fails(2, message);
    verify("", "standard input: line 1, column 1, item 1: expected N");
    verify("N,D3,N,L", "line 1, column 8, item 4: expected a count");
    verify("N,D3,Q", "line 1, column 6, item 3: expected N, or L, R, D or C");
    verify(" N,D3,N,N,D1", "line 1, column 7, item 3, piece 2: expected 1 to 100 key presses, found 0");
    bitcade(["contest", "verify", "no such file"]).fails(2, "no such file: ");
    bitcade(["contest", "verify", "--seed", "x"]).fails(2, "--seed");
    bitcade(["contest"]).fails(2, "subcommand");
    bitcade(["contest", "solve"]).fails(2, "--out");
    bitcade(["contest", "solve", "--out", "no/such/folder/file"]).fails(1, "no/such/folder/file: ");
    bitcade(["contest", "solve", "--out", "."]).fails(1, ".: ");
    bitcade(["contest", "solve", "--out", "x", "--depth", "3", "--search", "beam"])
        .fails(2, "--depth: the beam");
    bitcade(["contest", "solve", "--out", "x", "--width", "9", "--search", "tree"])
        .fails(2, "--width: the tree");
    bitcade(["contest", "solve", "--out", "x", "--width", "9", "--time", "3"]).fails(2, "--time");
    bitcade(["contest", "solve", "--out", "x", "--width", "9x"]).fails(2, "such as 900x50,500");
    bitcade(["contest", "replay", "no such file"]).fails(2, "no such file: ");
    bitcade(["contest", "replay", "--every", "0"]).fails(2, "--every");
    bitcade(["contest", "replay", "--svg", "no/such/folder/file"]).fails(1, "no/such/folder/file: ");
    for flags in [
        ["--depth", "16"],
        ["--pieces", "0"],
        ["--pieces", "10001"],
        ["--early", "9"],
        ["--time", "-1"],
        ["--time", "0"],
        ["--steps", "0"],
    ] {
        let [flag, number] = flags;
        let flag_with_number = format!("{flag}={number}");
        bitcade(["contest", "solve", "--out", "x", &flag_with_number]).fails(2, flag);
    }
    let (_, missing) = file("missing");
    bitcade(["contest", "solve", "--resume", "--out", &missing]).fails(2, "missing");
    let (broken, broken_name) = file("broken");
    let state = |text: &str| std::fs::write(&broken, checksum::with_checksum(text)).expect("written");
    state("N,D1,N\n# tree search: seed 1\n");
    bitcade(["contest", "solve", "--resume", "--out", &broken_name])
        .fails(2, "line 2: expected \"# tree search:\"");
    state("N,D1,N\n# beam: seed 1\n");
    bitcade(["contest", "solve", "--resume", "--out", &broken_name]).fails(2, "line 2: expected \"# beam:\"");
}

/// A beam has the widths asked for, and is resumed with its own seed and search only.
#[test]
fn a_beam_of_two_widths() {
    let (_, name) = file("beam-widths");
    let [a, b, c] = ["contest", "solve", "--out"];
    let text = bitcade([a, b, c, &name, "--pieces", "400", "--width", "60x150,90"]).text();
    assert_eq!((value(&text, "pieces"), value(&text, "width")), ("400", "90"));
    assert_eq!(value(&text, "widths"), "60x150,90x250");
    let verified = bitcade(["contest", "verify", &name]).text();
    for key in ["score", "bound", "ratio", "lines", "clears", "pieces", "over"] {
        assert_eq!(value(&verified, key), value(&text, key));
    }
    bitcade([a, b, c, &name, "--resume", "--seed", "3"])
        .fails(2, "line 2: this game was begun with --seed 12358 --pieces 400");
    bitcade([a, b, c, &name, "--resume", "--search", "tree"]).fails(2, "begun by the other search");
}

/// A resumed game keeps the time limit that it was begun with; a game without one needs --time or --width.
#[test]
fn a_resumed_beam_knows_its_time() {
    let (begun, name) = file("beam-time");
    let solve = ["contest", "solve", "--time", "90", "--pieces", "20", "--threads", "1", "--out", &name];
    bitcade(solve).text();
    let text = std::fs::read_to_string(&begun).expect("written");
    // The weights of a beam that has not begun, with a time limit or without.
    let weights = text.lines().nth(2).expect("a line of weights");
    let state = |allowed| {
        checksum::with_checksum(&format!(
            "\n# beam: seed 12358 pieces 20 trunk 0 placements 0 spent 0 allowed {allowed} widths -\n{weights}\n"
        ))
    };
    std::fs::write(&begun, state(0)).expect("written");
    let resume = ["contest", "solve", "--resume", "--out", &name];
    bitcade(resume).fails(2, "line 2: this game was begun with --width, expected --width or --time");
    std::fs::write(&begun, state(90_000)).expect("written");
    assert_eq!(value(&bitcade(resume).text(), "pieces"), "20");
    let text = std::fs::read_to_string(&begun).expect("written");
    assert!(text.lines().nth(1).is_some_and(|line| line.contains(" allowed 90000 widths ")), "{text}");
}

#[test]
fn a_beam_in_a_hurry_completes_its_game() {
    let (_, name) = file("beam-hurry");
    let solve = ["contest", "solve", "--time", "0.01", "--pieces", "500", "--out", &name, "--json"];
    let json = bitcade(solve).text();
    assert!(json.contains("\"pieces\":500,\"seconds\":"), "{json}");
    // More than a hundred stretches, all of them short.
    let json = bitcade(["contest", "solve", "--time", "1", "--force", "--out", &name, "--json"]).text();
    assert!(json.contains("\"pieces\":10000,\"seconds\":"), "{json}");
}

#[test]
fn games_are_shown() {
    let (_, name) = file("replay");
    let (svg, svg_name) = file("replay-svg");
    let (gif, gif_name) = file("replay-gif");
    bitcade(["contest", "solve", "--width", "50", "--pieces", "50", "--out", &name]).text();
    let text = bitcade(["contest", "replay", &name, "--from", "49"]).text();
    assert_eq!(text.lines().count(), 2 * 22, "{text}");
    assert!(text.contains("piece 49 J, score ") && text.contains("piece 50 J, score "), "{text}");
    // The piece that has just locked is drawn as `@`.
    assert_eq!(text.matches('@').count(), 8, "{text}");
    bitcade(["contest", "replay", &name, "--every", "10", "--svg", &svg_name, "--gif", &gif_name]).text();
    let svg = std::fs::read_to_string(svg).expect("written");
    assert_eq!(svg.matches("<text").count(), 2 * 5);
    assert!(svg.ends_with("</svg>\n"));
    // The last board of the sheet has the cells of the printed one: of the stack, and of the piece.
    let board = bitcade(["contest", "replay", &name, "--from", "41", "--to", "41"]).text();
    let cells = |c| board.matches(c).count();
    let paths = svg.lines().rfind(|line| line.starts_with("<g transform")).expect("a board");
    let drawn: Vec<usize> = paths
        .split("<path")
        .skip(1)
        .map(|path| {
            path.split('h').skip(1).filter_map(|run| run.split(['M', '"']).next()?.parse::<usize>().ok())
        })
        .map(Iterator::sum)
        .collect();
    assert_eq!(drawn, [cells('#'), cells('@')], "{paths}");
    assert!(cells('#') > 20 && cells('@') == 4);
    // Cells of 24 pixels: the board of ten columns in its border, and 24 columns of characters.
    assert_eq!(frames(&gif, (24 * 10 + 24 + 24 * 12, 24 * 22)), [8, 8, 8, 8, 300]);
}

/// Returns how long each frame of a GIF of this size lasts, in hundredths of a second.
fn frames(path: &Path, size: (u16, u16)) -> Vec<u16> {
    let file = std::fs::File::open(path).expect("written");
    let mut decoder = gif::DecodeOptions::new().read_info(std::io::BufReader::new(file)).expect("a GIF");
    assert_eq!((decoder.width(), decoder.height()), size);
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("a GIF") {
        delays.push(frame.delay);
    }
    delays
}

/// Without a terminal, a recording is made at once, of any size, and faster than the eye.
#[test]
fn games_are_recorded() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = |file: &str| folder.path().join(file).to_str().expect("UTF-8").to_owned();
    let (gif, cast) = (name("game.gif"), name("game.cast"));
    let record = |more: &[&str]| {
        let mut run = bitcade(["contest", "replay", "--delay", "20", "--record"]);
        run.arguments(more.iter().copied());
        run.stdin("N,D19,N,L2,D3,N,C1,R2,D10\n")
    };
    assert_eq!(record(&[&gif, "--screen", "60x24"]).text(), "");
    assert_eq!(frames(Path::new(&gif), (60 * 12, 24 * 24)), [2, 2, 300]);
    record(&[&cast, "--ascii"]).text();
    let text = std::fs::read_to_string(&cast).expect("written");
    assert!(text.is_ascii() && text.starts_with("{\"height\":24,\"version\":2,\"width\":80}\n"), "{text}");
    let starts: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(starts, ["[0.0", "[0.02", "[0.04"]);
    assert!(text.contains("piece") && text.contains("ratio"), "{text}");
    record(&[&cast]).fails(2, "is not empty; --force replaces it");
    record(&[&cast, "--force", "--svg", &cast]).fails(2, "named for two outputs");
    record(&["game.mp4"]).fails(2, "expected a name in .gif or .cast");
}

/// With `--json` a replay prints a record per piece.
#[test]
fn a_replay_has_records() {
    let json = |options: &[&str]| {
        let mut run = bitcade(["contest", "replay", "--json"]);
        run.arguments(options.iter().copied());
        run.stdin("N,D19,N,L2,D3,N,C1,R2,D10\n").text()
    };
    let text = json(&[]);
    let records: Vec<&str> = text.lines().collect();
    assert_eq!(
        records[1],
        "{\"piece\":2,\"shape\":\"I\",\"rotation\":1,\"x\":2,\"y\":3,\"keys\":\"L2,D3\",\"lines\":0,\"score\":0}"
    );
    assert_eq!(records.len(), 3, "{text}");
    assert!(records[2].contains("\"keys\":\"C1,R2,D10\""), "{text}");
    assert_eq!(json(&["--from", "2", "--to", "2"]), format!("{}\n", records[1]));
    assert_eq!(json(&["--every", "2"]), format!("{}\n{}\n", records[0], records[2]));
}
