//! The output and the errors of `bitcade go`.

use crate::common::{bitcade, bitcade_line};
use go_mc::sgf::Record;
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn perft_by_rule() {
    bitcade(["go", "perft", "--size", "2x2", "--depth", "4"])
        .prints("depth 1 nodes 4\ndepth 2 nodes 12\ndepth 3 nodes 24\ndepth 4 nodes 16\n");
    bitcade(["go", "perft", "--size", "1x2", "--depth", "6", "--ko", "positional", "--passes", "--json"])
        .prints(
            "{\"depth\":1,\"nodes\":3}\n{\"depth\":2,\"nodes\":7}\n{\"depth\":3,\"nodes\":8}\n\
         {\"depth\":4,\"nodes\":6}\n{\"depth\":5,\"nodes\":2}\n{\"depth\":6,\"nodes\":0}\n",
        );
    bitcade(["go", "perft", "--size", "3x3", "--depth", "4", "--suicide", "all"])
        .prints("depth 1 nodes 9\ndepth 2 nodes 72\ndepth 3 nodes 504\ndepth 4 nodes 3032\n");
    bitcade(["go", "perft", "--size", "2x2", "--depth", "2", "--ko", "situational", "--passes"])
        .prints("depth 1 nodes 5\ndepth 2 nodes 21\n");
}

/// Returns the lines of `go playouts` without the speed, which differs from run to run.
fn playouts<const N: usize>(arguments: [&str; N]) -> Vec<String> {
    let text = bitcade(arguments).text();
    let (speed, rest): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with("playouts_per_second "));
    assert_eq!((speed.len(), rest.len()), (1, 7), "{text}");
    rest.into_iter().map(str::to_owned).collect()
}

#[test]
fn playouts_are_the_same_at_every_level() {
    for suicide in ["forbidden", "multi", "all"] {
        let level = |level| {
            playouts([
                "go",
                "playouts",
                "--size",
                "9",
                "--games",
                "50",
                "--seed",
                "3",
                "--suicide",
                suicide,
                "--level",
                level,
            ])
        };
        let games = level("auto");
        assert_eq!(games[0], "games 50");
        assert_eq!(games, level("portable"));
    }
    assert_ne!(playouts(["go", "playouts", "--games", "50"]), playouts(["go", "playouts", "--games", "51"]));
}

#[test]
fn playouts_as_json() {
    let text = bitcade(["go", "playouts", "--size", "5", "--games", "20", "--json"]).text();
    let keys: Vec<&str> = text.split('"').skip(1).step_by(2).collect();
    let expected = "games mean_stones mean_plies mean_score stderr_score black_wins_k0 black_wins_k7_5 playouts_per_second";
    assert_eq!(keys.join(" "), expected);
    assert!(
        text.starts_with("{\"games\":20,") && text.ends_with("}\n") && text.lines().count() == 1,
        "{text}"
    );
}

#[test]
fn an_engine_speaks_gtp() {
    let script =
        "1 protocol_version\r\n# a remark\n\nboardsize 5\nkomi 7.5\ngenmove b\n2 nonsense\nquit\nname\n";
    for level in ["auto", "portable"] {
        bitcade(["go", "gtp", "--playouts", "5000", "--level", level])
            .stdin(script)
            .prints("=1 2\n\n=\n\n=\n\n= C3\n\n?2 unknown command\n\n=\n\n");
    }
    // The end of the input ends the session, and a line that is not text does not.
    bitcade(["go", "gtp", "--size", "13x13", "--komi", "-3.5", "--ko", "simple", "--threads", "2"])
        .stdin(b"\xff\xff\nfinal_score\nloadsgf /nowhere/at/all".as_slice())
        .prints(
            "? unknown command\n\n= B+3.5\n\n? cannot load file: /nowhere/at/all: No such file or directory (os error 2)\n\n",
        );
    let moves =
        bitcade(["go", "gtp", "--seconds", "0.01", "--memory", "1"]).stdin("genmove b\ngenmove w\n").text();
    assert_eq!(moves.matches("= ").count(), 2, "{moves}");
}

/// What programs of some systems write first, and words that no command reads.
#[test]
fn an_engine_skips_byte_order_marks_and_refuses_words_too_many() {
    bitcade(["go", "gtp"])
        .stdin(
            "\u{feff}1 name\r\n\u{feff}# a remark\r\n2 boardsize 9 13\r\n3 quit now\r\n4 boardsize 13 13\r\n",
        )
        .prints("=1 bitcade\n\n?2 unacceptable size\n\n?3 quit takes no argument\n\n=4\n\n");
}

/// The time of a move begins with its line, but not while the lines before it are answered.
#[test]
fn lines_sent_ahead_lose_no_time() {
    let text =
        bitcade(["go", "gtp", "--size", "5"]).stdin("reg_genmove b\nreg_genmove w\nbitcade-winrate\n").text();
    let visits = text.split_whitespace().last().and_then(|visits| visits.parse().ok());
    assert!(visits > Some(1u64), "{text}");
}

/// Records in the character sets of old files, and files that are none.
#[test]
fn a_session_loads_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a name").to_owned();
    std::fs::write(path("latin-1.sgf"), b"(;SZ[9]PB[Jos\xe9];B[ee])").expect("a file");
    std::fs::write(path("utf-16.sgf"), b"\xff\xfe(\0;\0S\0Z\0[\x009\0]\0)\0").expect("a file");
    for name in ["latin-1.sgf", "utf-16.sgf"] {
        bitcade(["go", "gtp"]).stdin(format!("loadsgf {}\n", path(name))).prints("=\n\n");
    }
    // What isn't read is said on standard error, and not with characters that a terminal obeys.
    let mail = path("mail.sgf");
    std::fs::write(&mail, "Dear (all)\n\n(;SZ[9];B[ee];W[\x1b[2J])").expect("a file");
    let output = bitcade(["go", "gtp"]).stdin(format!("loadsgf {mail}\n")).output();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "=\n\n");
    let remarks = format!(
        "bitcade: {mail}: line 1, column 1: text before the game: \"Dear (all)\"\n\
         bitcade: {mail}: line 3, column 17: skipped: W[\\u{{1b}}[2J] is no valid value\n"
    );
    assert_eq!(String::from_utf8_lossy(&output.stderr), remarks);
    std::fs::write(path("empty.sgf"), "").expect("a file");
    std::fs::File::create(path("large.sgf")).and_then(|file| file.set_len(1 << 25)).expect("a file");
    for path in [path(""), path("empty.sgf"), path("large.sgf")] {
        bitcade(["go", "gtp"])
            .stdin(format!("loadsgf {path}\n"))
            .prints(&format!("? cannot load file: {path}: expected a file of 1 to 16777216 bytes\n\n"));
    }
    // A file of the system that has no size, and whose end never comes.
    if cfg!(target_os = "linux") {
        let text = bitcade(["go", "gtp"]).stdin("loadsgf /proc/kmsg\nname\n").text();
        assert!(text.starts_with("? cannot load file: /proc/kmsg: ") && text.ends_with("\n\n= bitcade\n\n"));
    }
}

#[test]
fn an_analysis_ends_with_the_next_line_or_the_input() {
    let text =
        bitcade(["go", "gtp", "--size", "5"]).stdin("1 lz-analyze b 1\n\n2 name\nkata-analyze 1\n").text();
    let lines: Vec<&str> = text.lines().collect();
    let [first, second] =
        ["=1", "="].map(|mark| lines.iter().position(|&line| line == mark).expect("an answer"));
    assert_eq!((first, lines[second - 3..second].concat()), (0, "=2 bitcade".to_owned()), "{text}");
    for (from, end) in [(first + 1, second - 3), (second + 1, lines.len() - 1)] {
        assert!(end > from && lines[from..end].iter().all(|line| line.starts_with("info move ")), "{text}");
    }
    assert!(text.ends_with("\n\n"), "{text}");
}

/// A line that arrives during an analysis ends it.
#[test]
fn an_analysis_streams_while_the_input_is_open() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};
    let mut engine = Command::new(env!("CARGO_BIN_EXE_bitcade"))
        .args(["go", "gtp", "--size", "9"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = engine.stdin.take().expect("piped");
    let mut lines = BufReader::new(engine.stdout.take().expect("piped")).lines().map_while(Result::ok);
    input.write_all(b"kata-analyze b 1\n").expect("written");
    assert_eq!(lines.next().as_deref(), Some("="));
    for _ in 0..3 {
        let line = lines.next().expect("a report");
        assert!(line.starts_with("info move ") && line.contains(" order 0 pv "), "{line}");
    }
    input.write_all(b"4 quit\n").expect("written");
    let rest: Vec<String> = lines.skip_while(|line| line.starts_with("info ")).collect();
    assert_eq!(rest, ["", "=4", ""]);
    assert!(engine.wait().expect("the end").success());
}

#[test]
fn a_game_against_the_engine() {
    let play = |color, script: &'static str| {
        bitcade(["go", "play", "--size", "5", "--playouts", "5000", "--color", color, "--json"])
            .stdin(script)
            .text()
    };
    let white = play("white", "c3\nz9\nresign\n");
    assert_eq!(
        white,
        "{\"color\":\"black\",\"move\":\"C3\"}\n{\"color\":\"white\",\"move\":\"resign\"}\n{\"result\":\"B+Resign\"}\n"
    );
    let black = play("black", "undo\na1\nundo\nc3\nquit\n");
    let lines: Vec<&str> = black.lines().collect();
    assert_eq!(
        (lines.len(), lines[0], lines[2]),
        (4, "{\"color\":\"black\",\"move\":\"A1\"}", "{\"color\":\"black\",\"move\":\"C3\"}")
    );
    let text = bitcade(["go", "play", "--size", "5", "--playouts", "500"]).stdin("c9\npass\n").text();
    assert!(text.contains("black> illegal move\nblack> black pass\n"), "{text}");
    assert!(text.contains("  3 . . . . . 3\n"), "{text}");
}

/// Without a terminal, too, signals end a game at the prompt and in the engine's turn.
#[cfg(unix)]
#[test]
fn a_game_without_a_terminal_hears_signals() {
    for (line, signal, status, printed) in [
        ("go play --playouts 10", "INT", 130, "black C3\n"),
        ("go play --color white --seconds 1000", "TERM", 143, "enter a vertex"),
    ] {
        let running = bitcade_line(line).stdin("c3\n").start();
        thread::sleep(Duration::from_secs(1));
        running.send(signal);
        let output = running.wait(Duration::from_secs(8));
        assert_eq!(output.status.code(), Some(status), "{line}: {output:?}");
        assert!(crate::common::stdout(&output).contains(printed), "{line}: {output:?}");
    }
}

#[test]
fn an_engine_whose_controller_is_gone_ends() {
    for command in ["genmove b", "kata-genmove_analyze b 100000"] {
        let mut running = bitcade_line("go gtp --seconds 1000").stdin(format!("{command}\n")).start();
        thread::sleep(Duration::from_secs(1));
        running.stdin = None;
        let output = running.wait(Duration::from_secs(8));
        assert!(output.status.success() && output.stdout.starts_with(b"="), "{output:?}");
    }
    // A session that arrives as a whole is answered in full, by playouts or by time.
    let visits = |line| {
        let answer = bitcade_line(line).stdin("genmove b\nlz-analyze 1\n").text();
        let visits = answer.split("visits ").skip(1);
        visits.filter_map(|rest| rest.split(' ').next()?.parse::<u64>().ok()).sum::<u64>()
    };
    assert!(visits("go gtp --playouts 20000") > 1000);
    let begun = Instant::now();
    visits("go gtp --seconds 1");
    assert!(begun.elapsed() >= Duration::from_secs(1));
}

/// `go play` is another name of `play go`; the record has the moves that were not taken back.
#[test]
fn a_game_is_played_and_saved_without_a_terminal() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("go-lines.sgf");
    let _ = std::fs::remove_file(&path);
    let name = path.to_str().expect("UTF-8");
    let game = |words: [&'static str; 2]| {
        let mut run = bitcade(words);
        run.arguments(["--size", "5", "--playouts", "300", "--sgf", name, "--force"].into_iter());
        run.stdin("c3\na1\nundo\nb2\nresign\n").text()
    };
    let text = game(["play", "go"]);
    assert_eq!(game(["go", "play"]), text);
    assert!(text.ends_with("W+Resign\n"), "{text}");
    let record: Record = std::fs::read_to_string(&path).expect("written").parse().expect("a record");
    assert_eq!((record.size.width(), record.result.as_str(), record.komi), (5, "W+Resign", Some(7.5)));
    let moves: Vec<String> = record.moves().step_by(2).map(|(_, mv)| mv.to_string()).collect();
    assert_eq!((moves.join(" ").as_str(), record.moves().count()), ("C3 B2", 4));
    bitcade(["play", "go", "--sgf", name]).fails(2, "is not empty; --force replaces it");
    bitcade(["play", "go", "--record", "game.gif"]).fails(2, "expected a terminal");
    bitcade(["play", "go", "--record", "game.mp4"]).fails(2, "expected a name in .gif or .cast");
}

/// A game goes on from a record, and what the record says is kept.
#[test]
fn a_game_goes_on_from_a_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a name").to_owned();
    let (from, to) = (path("from.sgf"), path("to.sgf"));
    let text =
        "(;GM[1]SZ[5]KM[2]HA[2]RU[Japanese]DT[2001-02-03]PB[Ann]AB[bb][dd];W[cc]LB[cc:1](;B[];W[])(;B[aa]))";
    std::fs::write(&from, text).expect("a file");
    let mut run = bitcade(["play", "go", "--playouts", "50", "--color", "black"]);
    run.arguments(["--load", &from, "--sgf", &to].into_iter());
    let output = run.stdin("a1\nquit\n").output();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(said, format!("bitcade: {from}: variations are left out\n"));
    let record: Record = std::fs::read_to_string(&to).expect("written").parse().expect("a record");
    assert_eq!(
        (record.komi, record.player_names.clone()),
        (Some(2.0), ["Ann".to_owned(), "bitcade".to_owned()])
    );
    let written = record.to_string();
    for kept in ["HA[2]RU[Japanese]DT[2001-02-03]", "AB[dd][bb]", "W[cc]LB[cc:1];B[];W[];PL[B];B[ae];W["] {
        assert!(written.contains(kept), "{kept}: {written}");
    }
    bitcade(["play", "go", "--size", "9", "--load", &from]).fails(2, "cannot be used with");
    std::fs::write(&from, "(;SZ[7])").expect("a file");
    bitcade(["play", "go", "--load", &from]).fails(2, "a board of 7 x 7: expected a side of 5, 9, 13 or 19");
    std::fs::write(&from, "no game").expect("a file");
    bitcade(["play", "go", "--load", &from]).fails(2, "not an SGF record");
}

#[test]
fn bad_usage_is_one_line_and_status_2() {
    bitcade(["go", "playouts", "--size", "8"]).fails(2, "'--size <N>': expected 5, 9, 13 or 19");
    bitcade(["go", "playouts", "--games", "0"]).fails(2, "--games");
    bitcade(["go", "playouts", "--suicide", "maybe"]).fails(2, "expected forbidden, multi or all");
    bitcade(["go", "playouts", "--seed", "-1"]).fails(2, "-1");
    bitcade(["go", "perft", "--size", "3x20", "--depth", "2"])
        .fails(2, "expected a size N or NxM with numbers from 1 to 19");
    bitcade(["go", "perft", "--size", "3x3"]).fails(2, "--depth");
    bitcade(["go", "perft", "--size", "3x3", "--depth", "0"]).fails(2, "--depth");
    bitcade(["go", "perft", "--size", "3x3", "--depth", "4000000000"]).fails(2, "--depth");
    bitcade(["go", "perft", "--size", "3x3", "--depth", "2", "--ko", "super"])
        .fails(2, "expected simple, positional or situational");
    bitcade(["go", "gtp", "--size", "7"]).fails(2, "'--size <N>': expected 5, 9, 13 or 19");
    bitcade(["go", "gtp", "--playouts", "10", "--seconds", "1"]).fails(2, "--seconds");
    bitcade(["go", "gtp", "--playouts", "0"]).fails(2, "--playouts");
    bitcade(["go", "gtp", "--komi", "nan"]).fails(2, "expected a number from -361 to 361");
    bitcade(["go", "gtp", "--komi", "1e9"]).fails(2, "expected a number from -361 to 361");
    bitcade(["go", "gtp", "--resign", "2"]).fails(2, "expected a number from 0 to 1");
    bitcade(["go", "play", "--color", "green"]).fails(2, "expected black, b, white or w");
    bitcade(["go"]).fails(2, "subcommand");
}

#[test]
fn every_line_of_a_board_is_in_its_place() {
    let text = bitcade(["go", "play", "--size", "5", "--playouts", "10"]).stdin("c3\nquit\n").text();
    let letters: Vec<&str> = text.lines().filter(|line| line.contains("A B C D E")).collect();
    // Two boards, each with letters above and below.
    assert_eq!(letters, ["    A B C D E"; 4], "{text}");
}
