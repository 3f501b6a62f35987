//! The outputs of commands: `--out`, `--svg`, `--gif`, `--picture`, `--record`. `bitcade-files`
//! tests what is true of each of them.

use crate::common::{Folder, Run, folder, stderr, stdout};
use std::fs;
use std::path::Path;

/// Short runs that write a file, named last: a game, a network, a match of bots that resign
/// immediately.
const SOLVE: &str = "contest solve --width 2 --pieces 5 --threads 1 --out";
const TRAIN: &str = "2048 train --games 1 --out";
const MATCH: &str = "tetris match --bot BOT --bot BOT --games 1 --pieces 1 --milliseconds 0 --out";

const REFUSAL: &str =
    "contains results of another run; --resume continues them, --force replaces them";

impl Folder {
    fn solve(&self, out: &str) -> Run {
        self.run(format!("{SOLVE} {out}"))
    }

    fn train(&self, out: &str) -> Run {
        self.run(format!("{TRAIN} {out}"))
    }
}

#[test]
fn results_of_another_run_are_kept() {
    let folder = folder("saving-kept");
    for (line, file) in [(SOLVE, "game"), (MATCH, "match")] {
        let run = |more: &str| folder.run(format!("{line} {file} {more}"));
        run("--seed 7").text();
        let first = folder.read(file);
        run("--seed 2").fails(2, REFUSAL);
        run("--force --resume").fails(2, "--force");
        assert_eq!(folder.read(file), first);
        run("--seed 2 --force").text();
        let second = folder.read(file);
        assert!(
            second != first && ["\"seed\":2,", "seed 2 "].iter().any(|seed| second.contains(seed))
        );
    }
    // An empty file, as from `mktemp`, contains nothing to lose.
    folder.write("game", "");
    folder.solve("game").text();
    for flag in ["--svg", "--gif"] {
        let replay = |more: &str| folder.run(format!("contest replay game {flag} picture {more}"));
        folder.write("picture", "drawn by hand");
        replay("").fails(2, "is not empty; --force replaces it");
        assert_eq!(folder.read("picture"), "drawn by hand");
        replay("--force").text();
        assert!(folder.bytes("picture").len() > 100);
    }
    folder.run("contest replay game --svg both --gif both").fails(2, "used for two outputs");
    assert_eq!(folder.names(), ["game", "match", "picture"]);
}

#[test]
fn a_trained_network_is_kept() {
    let folder = folder("saving-network");
    for precious in ["net", "net.learner"] {
        folder.write(precious, "precious");
        folder.train("net").fails(2, REFUSAL);
        assert_eq!(folder.read(precious), "precious");
        folder.remove(precious);
    }
    folder.write("curve.svg", "precious");
    folder
        .train("net --picture curve.svg")
        .fails(2, "curve.svg: is not empty; --force replaces it");
    folder.train("net --picture net.learner").fails(2, "net.learner: used for two outputs");
    folder.train("- --resume").fails(2, "-: --resume needs");
    assert_eq!(folder.names(), ["curve.svg"], "nothing was learned");
}

#[test]
fn a_dash_is_standard_output() {
    // The program runs in the folder, where a file named `-` would appear.
    let folder = folder("saving-dash");
    folder.solve("game").text();
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let solved = folder.solve("- --json").output();
    assert_eq!(lines(&stdout(&solved))[0], lines(&folder.read("game"))[0]);
    let results = lines(&stderr(&solved)).iter().any(|line| line.starts_with("{\"score\":"));
    assert!(solved.status.success() && results, "{solved:?}");
    for (flag, begins) in [("--svg", "<svg"), ("--gif", "GIF89a")] {
        let picture = folder.run(format!("contest replay game {flag} -")).output();
        assert!(picture.status.success() && picture.stderr.is_empty(), "{picture:?}");
        assert!(picture.stdout.starts_with(begins.as_bytes()), "{flag}");
    }
    folder.run("contest replay game --svg - --gif -").fails(2, "used for two outputs");
    folder.run(format!("{MATCH} match")).text();
    let played = folder.run(format!("{MATCH} -")).output();
    let printed = lines(&stdout(&played));
    let written = lines(&folder.read("match"));
    // The settings, the game, the checksum.
    assert_eq!(printed.len(), 3);
    assert_eq!(&printed[0], &written[0]);
    assert_eq!(folder.names(), ["game", "match"]);
}

/// Files of every kind, each with the command that resumes it, are refused by the others as what
/// they are not.
#[test]
fn files_of_another_kind_are_not_resumed() {
    let folder = folder("saving-kinds");
    folder.solve("beam").text();
    folder.run("contest solve --depth 2 --pieces 3 --threads 1 --out tree").text();
    folder.run(format!("{MATCH} match")).text();
    folder.train("net").text();
    folder.run("2048 train --games 1 --small --out small").text();
    folder.write("board", "112\n213\n");
    folder.write("record", "(;GM[1]SZ[9])\n");
    folder.write("object", "{\"tetris\": {}}");
    folder.write("bytes", b"\xff\x00\xfe");
    folder.write("empty", "");
    for name in folder.names() {
        let before = folder.bytes(&name);
        if name != "match" {
            let message = format!("{name}: not a match file, as written by tetris match");
            folder
                .run(format!("tetris match --bot a --bot b --resume --out {name}"))
                .fails(2, &message);
        }
        if !["beam", "tree"].contains(&&*name) {
            let message = format!("{name}: not a game to resume, as written by contest solve");
            for flags in ["", "--depth 2", "--width 2"] {
                folder
                    .run(format!("contest solve --resume {flags} --out {name}"))
                    .fails(2, &message);
            }
        }
        if name != "net.learner" && name != "net" {
            folder.write("other.learner", &before);
            let message = "other.learner: offset 0: expected a file that begins with \"2048-lrn\"";
            folder.run("2048 train --games 1 --resume --out other").fails(2, message);
            folder.remove("other.learner");
        }
        assert!(folder.bytes(&name) == before, "{name}");
    }
}

/// The results of a command never share the stream of its file.
#[test]
fn a_file_has_its_stream_alone() {
    let folder = folder("saving-streams");
    folder.solve("game").text();
    let svg = folder.run("contest replay game --svg sheet.svg").text();
    assert_eq!(svg, "");
    let standard: &[&str] =
        if cfg!(unix) { &["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] } else { &["-"] };
    for name in standard.iter().filter(|name| **name == "-" || Path::new(name).exists()) {
        let replayed = folder.run(format!("contest replay game --json --svg {name}")).output();
        assert_eq!(stdout(&replayed), folder.read("sheet.svg"), "{name}");
        let pieces = stderr(&replayed);
        assert!(
            pieces.lines().count() == 5 && pieces.starts_with("{\"piece\":1"),
            "{name}: {pieces}"
        );
        let solved = folder.solve(name).output();
        assert!(stdout(&solved).contains("# beam: "), "{name}");
        assert!(!stdout(&solved).contains("\nscore "), "{name}");
        assert!(stderr(&solved).starts_with("score "), "{name}");
        let played = folder
            .run(format!("play go --size 5 --lines --sgf {name}"))
            .stdin("pass\nq\n")
            .output();
        assert!(stdout(&played).starts_with("(;GM[1]"), "{name}: {played:?}");
        assert!(stderr(&played).contains("black> "), "{name}: {played:?}");
    }
}

#[cfg(unix)]
mod unix {
    use super::*;
    use crate::common::under;
    use std::os::unix::fs::FileTypeExt;
    use std::process::{Child, Command, Stdio};

    fn make_pipe(path: &Path) {
        assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
    }

    fn reader(pipe: &Path) -> Child {
        Command::new("cat").arg(pipe).stdout(Stdio::piped()).spawn().expect("cat")
    }

    /// Not as standard input either, and not in place of what is printed.
    #[test]
    fn an_input_is_no_output() {
        let folder = folder("saving-inputs");
        folder.solve("game.gif").text();
        folder.train("net.gif").text();
        folder.write("go.sgf", "(;GM[1]SZ[5];B[cc])");
        folder.write("moves", "pass\nq\n");
        fs::hard_link(folder.join("game.gif"), folder.join("hard.gif")).expect("a link");
        let names = folder.names();
        let before: Vec<Vec<u8>> = names.iter().map(|name| folder.bytes(name)).collect();
        let check = |run: Run, message: &str| {
            run.fails(2, message);
            assert_eq!(folder.names(), names);
            assert!(names.iter().zip(&before).all(|(name, before)| folder.bytes(name) == *before));
        };
        let is_output = "is an output, too, expected another file";
        for line in [
            "contest replay game.gif --svg game.gif",
            "contest replay game.gif --gif game.gif",
            "contest replay game.gif --record game.gif",
            "play go --lines --load go.sgf --sgf go.sgf",
        ] {
            check(folder.run(format!("{line} --force")), is_output);
        }
        let net = "play 2048 --net net.gif --record net.gif --time 1s --force";
        check(folder.run(net), "net.gif: is an");
        let from = |file: &str, line: &str| {
            let shell = ["sh", "-c", &format!("exec \"$@\" < {file}"), "sh"];
            under(&shell, line).within(&folder)
        };
        check(
            from("game.gif", "contest replay --svg game.gif --force"),
            "standard input: is an output",
        );
        check(
            from("hard.gif", "contest replay /dev/stdin --svg game.gif --force"),
            "standard input: is an",
        );
        check(
            from("moves", "play go --size 5 --lines --sgf moves --force"),
            "standard input: is an output",
        );
        for redirection in [">>", "2>>"] {
            let shell = ["sh", "-c", &format!("exec \"$@\" {redirection} hard.gif"), "sh"];
            let output =
                under(&shell, format!("{SOLVE} game.gif --force")).within(&folder).output();
            assert_eq!(output.status.code(), Some(2), "{redirection}: {output:?}");
            assert!(
                folder
                    .read("game.gif")
                    .starts_with(std::str::from_utf8(&before[0]).expect("UTF-8"))
            );
        }
    }

    #[test]
    fn pipes_are_written_once() {
        let folder = folder("saving-pipes");
        let pipe = folder.join("pipe");
        make_pipe(&pipe);
        let reader = reader(&pipe);
        folder.solve("pipe --save-every 0").text();
        let received = reader.wait_with_output().expect("it ends");
        // Exactly one state, although it would be saved after each piece.
        assert_eq!(stdout(&received).matches("# beam: ").count(), 1);
        assert!(fs::metadata(&pipe).expect("a pipe").file_type().is_fifo());

        // Standard output by its name is standard output, even if it is a regular file.
        let shell = ["sh", "-c", "exec \"$@\" > printed", "sh"];
        under(&shell, format!("{SOLVE} /dev/stdout")).within(&folder).text();
        let printed = folder.read("printed");
        assert!(printed.contains("# beam: ") && !printed.contains("score "));
        assert_eq!(folder.names(), ["pipe", "printed"]);
    }

    /// They are escaped in messages.
    #[test]
    fn names_of_any_characters() {
        let folder = folder("saving-characters");
        let escaped = "'line\nbreak\u{1b}[31m'";
        folder.solve(escaped).text();
        folder.solve(escaped).fails(2, "line\\nbreak\\u{1b}[31m: contains results");
        assert_eq!(folder.names(), ["line\nbreak\u{1b}[31m"]);
    }

    /// Returns the number of frames of a GIF or of events of an asciinema recording, which must be
    /// complete.
    fn frames(folder: &Folder, name: &str) -> usize {
        if Path::new(name).extension().is_some_and(|extension| extension == "gif") {
            let bytes = folder.bytes(name);
            let mut decoder = gif::Decoder::new(&*bytes).expect("a GIF");
            return std::iter::from_fn(|| decoder.read_next_frame().expect("a GIF").map(|_| ()))
                .count();
        }
        let text = folder.read(name);
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert!(text.ends_with('\n') && lines[0]["version"] == 2, "{text}");
        lines.len() - 1
    }

    /// A file size limit simulates a full disk.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_ends_the_recording_and_not_the_game() {
        let folder = folder("saving-recording");
        // Blocks of 512 bytes. In three seconds a GIF grows from 23 to 67, the other recording from
        // 9 to 24.
        for (name, time, blocks, least) in [
            ("whole.gif", "1s", 10_000, 2),
            ("part.gif", "3s", 40, 1),
            ("part.cast", "3s", 16, 1),
            ("none.gif", "1s", 1, 0),
            ("none.cast", "1s", 1, 0),
        ] {
            let shell = ["sh", "-c", &format!("ulimit -f {blocks}; exec \"$@\""), "sh"];
            // Temporary files grow in the recording's folder, not in this one.
            let run = under(&shell, format!("watch tetris --time {time} --record {name}"));
            let output = run.within(&folder).env("TMPDIR", "/no/such/folder").output();
            let printed = stdout(&output);
            let told = stderr(&output);
            assert!(
                printed.starts_with("seconds ") && printed.contains("\nframes "),
                "{name}: {printed}"
            );
            let is_there = folder.join(name).exists();
            assert_eq!(is_there, !name.starts_with("none"), "{name}: {told}");
            if name.starts_with("whole") {
                assert_eq!(output.status.code(), Some(0));
                assert_eq!(told.as_str(), "");
            } else {
                let place = folder.canonicalize().expect("a folder");
                let why = format!("{}: File too large (os error 27)\n", place.display());
                let [what, end] = if is_there {
                    ["the recording ends after ", " s: "]
                } else {
                    ["not recorded: ", ""]
                };
                assert_eq!(output.status.code(), Some(1), "{told}");
                assert_eq!(told.lines().count(), 1, "{told}");
                assert!(told.starts_with(&format!("bitcade: {name}: {what}")), "{told}");
                assert!(told.ends_with(&format!("{end}{why}")), "{told}");
            }
            assert!(!is_there || frames(&folder, name) >= least, "{name}");
        }
        assert_eq!(folder.names(), ["part.cast", "part.gif", "whole.gif"]);
    }

    #[test]
    fn a_recording_for_a_pipe_needs_a_temporary_folder() {
        let folder = folder("saving-recording-pipe");
        let pipe = folder.join("pipe.gif");
        make_pipe(&pipe);
        let record = |temporary| {
            folder.run("watch tetris --time 300ms --record pipe.gif").env("TMPDIR", temporary)
        };
        let none = record("none").output();
        let expected = "bitcade: pipe.gif: can't create a temporary file in none: No such file or directory (os error 2)\n";
        assert_eq!(none.status.code(), Some(1));
        assert_eq!(stderr(&none).as_str(), expected);
        let reader = reader(&pipe);
        record(".").text();
        let received = reader.wait_with_output().expect("it ends").stdout;
        assert!(
            received.starts_with(b"GIF89a") && received.ends_with(b";"),
            "{} bytes",
            received.len()
        );
    }
}

/// The commands that resume, with the flags that change a result and the ones that don't: the end
/// of a run, its files, its division into threads.
const RESUMABLE: [[&str; 3]; 6] = [
    [
        "contest solve",
        "search seed pieces width depth most early",
        "time steps threads out resume force save_every",
    ],
    [
        "2048 train",
        "seed late small size",
        "out minutes games resume picture force threads save_every",
    ],
    ["tetris match", "bots seed milliseconds pieces patience", "games out resume force"],
    [
        "go match",
        "engines size komi ko opening seed patience",
        "games sprt concurrency out resume force",
    ],
    [
        "go selfplay",
        "sizes playouts opening seed prior net net_visits",
        "games threads out resume force",
    ],
    // tests/playtest.rs has its other settings.
    [
        "match3 playtest",
        "files agents seed sweep",
        "games interval requirements against target by html csv threads out resume force",
    ],
];

/// A run, the settings that its refused resumptions share, and flags with which it is not resumed:
/// one for each flag that changes a result.
const OTHER_SETTINGS: [(&str, &str, &[&str]); 7] = [
    (
        "contest solve --width 3 --pieces 9 --seed 4",
        "",
        &["--search tree", "--seed 5 --width 3", "--pieces 10 --width 3", "--width 4"],
    ),
    (
        "contest solve --depth 3 --most 6 --early 2:4 --pieces 9",
        "",
        &["--search beam", "--seed 5", "--depth 4", "--most 7", "--early 2:5"],
    ),
    ("2048 train --games 1", "--games 2", &["--seed 2", "--late", "--small", "--size 5"]),
    (
        "tetris match --games 1 --bot BOT --bot BOT --pieces 2 --milliseconds 0 --patience 9s",
        "--bot BOT",
        &[
            "--bot SLOW --pieces 2 --milliseconds 0 --patience 9s",
            "--bot BOT --pieces 2 --milliseconds 0 --patience 9s --seed 2",
            "--bot BOT --pieces 2 --milliseconds 1 --patience 9s",
            "--bot BOT --pieces 3 --milliseconds 0 --patience 9s",
            "--bot BOT --pieces 2 --milliseconds 0 --patience 8s",
        ],
    ),
    (
        "go match --games 1 --engine ENGINE --engine ENGINE --size 5",
        "--games 1 --engine ENGINE",
        &[
            "--engine 'no engine' --size 5",
            "--engine ENGINE --size 9",
            "--engine ENGINE --size 5 --komi 6.5",
            "--engine ENGINE --size 5 --ko simple",
            "--engine ENGINE --size 5 --opening 2",
            "--engine ENGINE --size 5 --seed 2",
            "--engine ENGINE --size 5 --patience 9s",
        ],
    ),
    (
        "go selfplay --games 1 --sizes 5 --playouts 5",
        "--games 1",
        &[
            "--sizes 9 --playouts 5",
            "--sizes 5 --playouts 6",
            "--sizes 5 --playouts 5 --opening 2",
            "--sizes 5 --playouts 5 --seed 2",
            "--sizes 5 --playouts 5 --prior none",
        ],
    ),
    (
        "go selfplay --games 1 --sizes 5 --playouts 5 --net net",
        "--games 1",
        &["--sizes 5 --playouts 5", "--sizes 5 --playouts 5 --net net --net-visits 2"],
    ),
];

/// Adds the commands that resume, each with the names of its flags.
fn resumable(command: &clap::Command, path: &str, found: &mut Vec<(String, Vec<String>)>) {
    let ids: Vec<String> =
        command.get_arguments().map(|argument| argument.get_id().to_string()).collect();
    if ids.iter().any(|id| id == "resume") {
        found.push((path.to_owned(), ids));
    }
    for below in command.get_subcommands() {
        resumable(below, format!("{path} {}", below.get_name()).trim_start(), found);
    }
}

/// A new flag of a command that resumes fails here until it is listed.
#[test]
fn a_run_is_resumed_with_its_own_settings() {
    let mut found = Vec::new();
    resumable(&bitcade::command(), "", &mut found);
    assert_eq!(found.len(), RESUMABLE.len(), "{found:?}");
    for (path, ids) in found {
        let of_command = RESUMABLE.iter().find(|[command, ..]| path == *command);
        let [_, settings, free] = of_command.unwrap_or_else(|| panic!("{path} is not listed"));
        for id in &ids {
            let listed = settings.split(' ').chain(free.split(' ')).any(|listed| listed == id);
            assert!(listed, "{path}: does --{id} change a result?");
        }
    }
    let folder = folder("saving-settings");
    folder.run("go selfplay --games 2 --sizes 5 --playouts 5 --out games").text();
    folder.run("go learn games --kind net --epochs 1 --out net").text();
    for (begin, same, others) in OTHER_SETTINGS {
        folder.run(format!("{begin} --out file --force")).text();
        let before = folder.bytes("file");
        let (command, _) = begin.split_once(" --").expect("flags");
        for other in others {
            let line = format!("{command} --resume {same} {other} --out file");
            let output = folder.run(&line).output();
            assert_eq!(output.status.code(), Some(2), "{line}: {output:?}");
            assert!(folder.bytes("file") == before, "{line}");
        }
    }
}
