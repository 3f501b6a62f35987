//! The output and the errors of `bitcade go`.

use crate::common::{bitcade, folder, stderr, stdout};
use go_mc::sgf::Record;
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn perft_by_rule() {
    for (line, nodes) in [
        ("--size 2x2 --depth 4", &[4, 12, 24, 16][..]),
        ("--size 1x2 --depth 6 --ko positional --passes", &[3, 7, 8, 6, 2, 0]),
        ("--size 3x3 --depth 4 --suicide all", &[9, 72, 504, 3032]),
        ("--size 2x2 --depth 2 --ko situational --passes", &[5, 21]),
    ] {
        let nodes = || (1..).zip(nodes);
        let text: String =
            nodes().map(|(depth, nodes)| format!("depth {depth} nodes {nodes}\n")).collect();
        let json: String = nodes()
            .map(|(depth, nodes)| format!("{{\"depth\":{depth},\"nodes\":{nodes}}}\n"))
            .collect();
        bitcade(format!("go perft {line}")).prints(&text);
        bitcade(format!("go perft {line} --json")).prints(&json);
    }
}

/// Returns the lines of `go playouts` without the speed, which varies between runs.
fn playouts(flags: &str) -> Vec<String> {
    let text = bitcade(format!("go playouts {flags}")).text();
    let (speed, rest): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with("playouts_per_second "));
    assert_eq!(speed.len(), 1, "{text}");
    assert_eq!(rest.len(), 7, "{text}");
    rest.into_iter().map(str::to_owned).collect()
}

#[test]
fn playouts_are_the_same_at_every_level() {
    for suicide in ["forbidden", "multi", "all"] {
        let line = format!("--size 9 --games 50 --seed 3 --suicide {suicide}");
        let games = playouts(&line);
        assert_eq!(games[0], "games 50");
        assert_eq!(games, playouts(&format!("{line} --level portable")));
    }
    assert_ne!(playouts("--games 50"), playouts("--games 51"));
}

#[test]
fn playouts_as_json() {
    let text = bitcade("go playouts --size 5 --games 20 --json").text();
    let keys: Vec<&str> = text.split('"').skip(1).step_by(2).collect();
    let expected = "games mean_stones mean_plies mean_score stderr_score black_wins_k0 black_wins_k7_5 playouts_per_second";
    assert_eq!(keys.join(" "), expected);
    assert!(text.starts_with("{\"games\":20,") && text.ends_with("}\n"), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
}

#[test]
fn an_engine_speaks_gtp() {
    for (line, said, answers) in [
        (
            "--playouts 5000",
            &b"1 protocol_version\r\n# a remark\n\nboardsize 5\nkomi 7.5\ngenmove b\n2 nonsense\nquit\nname\n"[..],
            "=1 2\n\n=\n\n=\n\n= C3\n\n?2 unknown command\n\n=\n\n",
        ),
        // The end of the input ends the session; a line that is not text does not.
        (
            "--size 13x13 --komi -3.5 --ko simple --threads 2",
            b"\xff\xff\nfinal_score\nloadsgf /nowhere/at/all",
            "? unknown command\n\n= B+3.5\n\n? cannot load file: /nowhere/at/all: No such file or directory (os error 2)\n\n",
        ),
        // The first bytes of programs on some systems, and words that no command accepts.
        (
            "",
            "\u{feff}1 name\r\n\u{feff}# a remark\r\n2 boardsize 9 13\r\n3 quit now\r\n4 boardsize 13 13\r\n"
                .as_bytes(),
            "=1 bitcade\n\n?2 unacceptable size\n\n?3 quit takes no argument\n\n=4\n\n",
        ),
    ] {
        for level in ["auto", "portable"] {
            bitcade(format!("go gtp {line} --level {level}")).stdin(said).prints(answers);
        }
    }
    let moves = bitcade("go gtp --seconds 0.01 --memory 1").stdin("genmove b\ngenmove w\n").text();
    assert_eq!(moves.matches("= ").count(), 2, "{moves}");
    // The time of a move begins with its line, but not before the preceding lines are answered.
    let text =
        bitcade("go gtp --size 5").stdin("reg_genmove b\nreg_genmove w\nbitcade-winrate\n").text();
    let visits = text.split_whitespace().last().and_then(|visits| visits.parse().ok());
    assert!(visits > Some(1u64), "{text}");
}

/// Records in the character sets of old files, and files that are not records.
#[test]
fn a_session_loads_files() {
    let folder = folder("go-files");
    folder.write("latin-1", b"(;SZ[9]PB[Jos\xe9];B[ee])");
    folder.write("utf-16", b"\xff\xfe(\0;\0S\0Z\0[\x009\0]\0)\0");
    folder.write("mail", "Dear (all)\n\n(;SZ[9];B[ee];W[\x1b[2J])");
    folder.write("empty", "");
    std::fs::File::create(folder.join("large"))
        .and_then(|file| file.set_len(1 << 25))
        .expect("a file");
    // Skipped text is reported on standard error, with terminal control characters escaped.
    let remarks = "bitcade: mail: line 1, column 1: text before the game: \"Dear (all)\"\n\
                   bitcade: mail: line 3, column 17: skipped: W[\\u{1b}[2J] is not a valid value\n";
    for (file, is_read, remarks) in [
        ("latin-1", true, ""),
        ("utf-16", true, ""),
        ("mail", true, remarks),
        (".", false, ""),
        ("empty", false, ""),
        ("large", false, ""),
    ] {
        let output = folder.run("go gtp").stdin(format!("loadsgf {file}\n")).output();
        let refusal =
            format!("? cannot load file: {file}: expected a file of 1 to 16777216 bytes\n\n");
        assert_eq!(stdout(&output), if is_read { "=\n\n" } else { &refusal });
        assert_eq!(stderr(&output), remarks, "{file}");
    }
    // A system file without a size, and without an end.
    if cfg!(target_os = "linux") {
        let text = bitcade("go gtp").stdin("loadsgf /proc/kmsg\nname\n").text();
        assert!(
            text.starts_with("? cannot load file: /proc/kmsg: ")
                && text.ends_with("\n\n= bitcade\n\n")
        );
    }
}

#[test]
fn an_analysis_ends_with_the_next_line_or_the_input() {
    let text =
        bitcade("go gtp --size 5").stdin("1 lz-analyze b 1\n\n2 name\nkata-analyze 1\n").text();
    let lines: Vec<&str> = text.lines().collect();
    let [first, second] =
        ["=1", "="].map(|mark| lines.iter().position(|&line| line == mark).expect("an answer"));
    assert_eq!(first, 0, "{text}");
    assert_eq!(lines[second - 3..second].concat(), "=2 bitcade".to_owned(), "{text}");
    for (from, end) in [(first + 1, second - 3), (second + 1, lines.len() - 1)] {
        assert!(
            end > from && lines[from..end].iter().all(|line| line.starts_with("info move ")),
            "{text}"
        );
    }
    assert!(text.ends_with("\n\n"), "{text}");
}

/// A line that arrives during an analysis ends it.
#[test]
fn an_analysis_streams_while_the_input_is_open() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};
    let mut engine = Command::new(crate::common::PROGRAM)
        .args(["go", "gtp", "--size", "9"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = engine.stdin.take().expect("piped");
    let mut lines =
        BufReader::new(engine.stdout.take().expect("piped")).lines().map_while(Result::ok);
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
    let play = |flags: &str, said| bitcade(format!("play go --size 5 {flags}")).stdin(said).text();
    assert_eq!(
        play("--playouts 5000 --color white --json", "c3\nz9\nresign\n"),
        "{\"color\":\"black\",\"move\":\"C3\"}\n{\"color\":\"white\",\"move\":\"resign\"}\n{\"result\":\"B+Resign\"}\n"
    );
    let black = play("--playouts 5000 --color black --json", "undo\na1\nundo\nc3\nquit\n");
    let lines: Vec<&str> = black.lines().collect();
    let moves = ["{\"color\":\"black\",\"move\":\"A1\"}", "{\"color\":\"black\",\"move\":\"C3\"}"];
    assert_eq!(lines.len(), 4);
    assert_eq!([lines[0], lines[2]], moves);
    let text = play("--playouts 500 --lines", "c9\nhelp\npass\n");
    let help = "black> enter a vertex (for example D4), pass, undo, resign, show, help or quit";
    let told = format!("black> C9: the point is off the board\n{help}\nblack> black pass\n");
    assert!(text.contains(&told), "{text}");
    assert!(text.contains("  3 . . . . . 3\n"), "{text}");
    // Two boards, each with letters above and below.
    let letters: Vec<&str> = text.lines().filter(|line| line.contains("A B C D E")).collect();
    assert_eq!(letters, ["    A B C D E"; 4], "{text}");
}

/// Where all stones count as alive, the engine answers a pass by one that wins, so the first pass
/// asks.
#[test]
fn a_pass_that_ends_an_open_game_asks() {
    let play = |flags: &str, said| {
        bitcade(format!("play go --size 5 --playouts 50 --tromp-taylor {flags}")).stdin(said).text()
    };
    let question = "the game is still open: pass and end it? y / n\n";
    let text = play("--lines", "pass\nn\ny\npass\ny\n");
    assert_eq!(text.matches(question).count(), 2, "{text}");
    assert!(text.contains("black pass\nwhite pass\n") && text.ends_with("W+7.5\n"), "{text}");
    let text = play("--lines", "pass\nc3\nquit\n");
    assert!(
        text.contains(question) && text.contains("black C3\n") && !text.contains("black pass"),
        "{text}"
    );
    // A program means what it says.
    let text = play("--json", "pass\n");
    assert!(
        text.ends_with("{\"color\":\"white\",\"move\":\"pass\"}\n{\"result\":\"W+7.5\"}\n"),
        "{text}"
    );
}

/// Even without a terminal, signals end a game at the prompt and during the engine's turn.
#[cfg(unix)]
#[test]
fn a_game_without_a_terminal_hears_signals() {
    for (line, signal, status, printed) in [
        ("play go --playouts 10", "INT", 130, "black C3\n"),
        ("play go --color white --seconds 1000", "TERM", 143, "enter a vertex"),
    ] {
        let running = bitcade(line).stdin("c3\n").start();
        thread::sleep(Duration::from_secs(1));
        running.send(signal);
        let output = running.wait(Duration::from_secs(8));
        assert_eq!(output.status.code(), Some(status), "{line}: {output:?}");
        assert!(stdout(&output).contains(printed), "{line}: {output:?}");
    }
}

#[test]
fn an_engine_whose_controller_is_gone_ends() {
    for command in ["genmove b", "kata-genmove_analyze b 100000"] {
        let mut running = bitcade("go gtp --seconds 1000").stdin(format!("{command}\n")).start();
        thread::sleep(Duration::from_secs(1));
        running.stdin = None;
        let output = running.wait(Duration::from_secs(8));
        assert!(output.status.success() && output.stdout.starts_with(b"="), "{output:?}");
    }
    // A session that arrives as a whole is answered in full, by playouts or by time.
    let visits = |line| {
        let answer = bitcade(line).stdin("genmove b\nlz-analyze 1\n").text();
        let visits = answer.split("visits ").skip(1);
        visits.filter_map(|rest| rest.split(' ').next()?.parse::<u64>().ok()).sum::<u64>()
    };
    assert!(visits("go gtp --playouts 20000") > 1000);
    let begun = Instant::now();
    visits("go gtp --seconds 1");
    assert!(begun.elapsed() >= Duration::from_secs(1));
}

/// The record has the moves that were not undone.
#[test]
fn a_game_is_played_and_saved_without_a_terminal() {
    let folder = folder("go-saved");
    let run = folder.run("play go --size 5 --playouts 300 --sgf game --force");
    let text = run.stdin("c3\na1\nundo\ne1\nresign\n").text();
    assert!(text.ends_with("W+Resign\n"), "{text}");
    let record: Record = folder.read("game").parse().expect("a record");
    assert_eq!(record.size.width(), 5);
    assert_eq!(record.result.as_str(), "W+Resign");
    assert_eq!(record.komi, Some(7.5));
    let moves: Vec<String> = record.moves().step_by(2).map(|(_, mv)| mv.to_string()).collect();
    assert_eq!(moves.join(" ").as_str(), "C3 E1");
    assert_eq!(record.moves().count(), 4);
}

/// Four stones on D1 to D4, and a wall: Black has 36 points and White 45.
const HANDICAP: &str = "AB[df:di];W[ei];B[de];W[eh];B[dd];W[eg];B[dc];W[ef];B[db];W[ee];B[da];W[ed];B[];W[ec];B[];\
    W[eb];B[];W[ea]";

/// The result has the bonus for the handicap under the rules that a record names; the komi has not.
#[test]
fn a_record_with_a_handicap_is_scored_by_its_rules() {
    let folder = folder("go-handicap");
    for (rules, result) in [
        ("Chinese", "W+13.5"),
        ("AGA", "W+12.5"),
        ("NZ", "W+9.5"),
        ("Japanese", "W+9.5"),
        ("", "W+9.5"),
    ] {
        folder.write("from", format!("(;GM[1]SZ[9]KM[0.5]HA[4]RU[{rules}]{HANDICAP})"));
        let run = folder.run("play go --playouts 200 --load from --sgf to --force");
        let text = run.stdin("pass\n").text();
        assert!(text.ends_with(&format!("{result}\n")), "{rules}: {text}");
        let bonus = text.contains("komi 0.5, handicap bonus ");
        assert_eq!(bonus, ["Chinese", "AGA"].contains(&rules), "{rules}: {text}");
        let written = folder.read("to");
        for kept in ["KM[0.5]", "HA[4]", &format!("RU[{rules}]"), &format!("RE[{result}]")] {
            assert!(written.contains(kept), "{rules} {kept}: {written}");
        }
    }
}

/// The simple ko belongs to no rule set.
#[test]
fn a_new_record_names_its_rules() {
    let folder = folder("go-rules");
    for (ko, rules) in
        [("positional", Some("Chinese")), ("situational", Some("AGA")), ("simple", None)]
    {
        let line = format!("play go --size 5 --ko {ko} --playouts 20 --sgf game --force");
        folder.run(&line).stdin("c3\nquit\n").text();
        let written = folder.read("game");
        let name = written.split_once("RU[").and_then(|(_, rest)| rest.split_once(']'));
        assert_eq!(name.map(|(name, _)| name), rules, "{written}");
    }
}

/// A game continues from a record, and keeps the record's information.
#[test]
fn a_game_goes_on_from_a_record() {
    let folder = folder("go-loaded");
    folder.write(
        "from",
        "(;GM[1]SZ[5]KM[2]HA[2]RU[Japanese]DT[2001-02-03]PB[Ann]AB[bb][dd];W[cc]LB[cc:1](;B[];W[])(;B[aa]))",
    );
    let run = folder.run("play go --playouts 50 --color black --load from --sgf to");
    let output = run.stdin("a1\nquit\n").output();
    let remarks = "bitcade: from: the main line is played; variations are kept\n\
                   bitcade: from: RU[Japanese]: not played; the score is the area\n";
    assert_eq!(stderr(&output), remarks);
    let record: Record = folder.read("to").parse().expect("a record");
    assert_eq!(record.komi, Some(2.0));
    assert_eq!(&record.player_names[..], &["Ann".to_owned(), "bitcade".to_owned()][..]);
    let written = record.to_string();
    for kept in [
        "HA[2]RU[Japanese]DT[2001-02-03]",
        "AB[dd][bb]",
        "W[cc]LB[cc:1](;B[];W[];PL[B];B[ae];W[",
        ")(;B[aa]))",
    ] {
        assert!(written.contains(kept), "{kept}: {written}");
    }
}

/// A finished record is shown and told; it waits for the user, who can undo into it or play on.
#[test]
fn a_finished_record_waits() {
    let folder = folder("go-finished");
    let passed = "(;GM[1]SZ[9]KM[6.5]PB[A]PW[B]RE[B+R]HA[2]AB[cc][gg];W[ee]C[main];B[ce];W[];B[])";
    let resigned = "(;GM[1]SZ[9]KM[6.5]PB[A]PW[B]RE[W+R];B[ee];W[cc];B[gg])";
    folder.write("passed", passed);
    folder.write("resigned", resigned);
    let play = |line: &str, said: &str| {
        let run = folder.run(format!("play go --playouts 20 {line} --sgf to --force"));
        let text = run.stdin(said).text();
        (text, folder.read("to"))
    };
    // Nothing is played at once, and the result is kept.
    for (name, result) in [("passed", "B+R"), ("resigned", "W+R")] {
        let (text, record) = play(&format!("--load {name} --lines"), "show\nresign\n");
        let told = format!("the record is finished ({result}): enter a vertex");
        assert!(text.contains(&told), "{text}");
        assert!(!text.contains("white "), "{text}");
        let record: Record = record.parse().expect("a record");
        assert_eq!(record.result, result);
        assert_eq!(record.moves().count(), if name == "passed" { 4 } else { 3 });
    }
    // It is the engine's turn: it plays when asked to, and then the result is gone.
    let (text, record) = play("--load resigned", "a1\ncontinue\nquit\n");
    assert!(text.contains("continue on mine") && !text.contains("black A1"), "{text}");
    assert!(record.contains("B[ee];W[cc];B[gg];W[") && !record.contains("RE["), "{record}");
    // Undo takes back the user's last move of the record, and the end of the game.
    let (_, record) = play("--load resigned", "undo\na1\nquit\n");
    assert!(record.contains("B[ee];W[cc];B[ai];W[") && !record.contains("RE["), "{record}");
    let (_, record) = play("--load resigned", "undo\nundo\na1\nundo\na2\nquit\n");
    assert!(record.contains("KM[6.5]PB[A]PW[B];B[ah];W["), "{record}");
    let (text, record) = play("--load passed", "undo\nquit\n");
    assert!(!text.contains("white "), "{text}");
    assert!(record.contains("W[ee]C[main];B[ce];W[])"), "{record}");
    // On the user's turn a move goes on; an illegal one changes nothing.
    let (text, record) = play("--load passed --color white", "e5\na9\nquit\n");
    assert!(text.contains("E5: the point is occupied"), "{text}");
    assert!(record.contains("W[];B[];PL[W];W[aa];B["), "{record}");
    let (_, record) = play("--load passed --color white", "e5\nquit\n");
    assert!(record.contains("RE[B+R]") && !record.contains("PL["), "{record}");
    // A game goes on if its result is unknown.
    folder.write("unknown", resigned.replace("W+R", "?"));
    let (text, _) = play("--load unknown", "quit\n");
    assert!(text.contains("white "), "{text}");
}
