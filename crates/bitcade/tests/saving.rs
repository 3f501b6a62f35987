//! The outputs of commands: `--out`, `--svg`, `--gif`, `--picture`.

use crate::common::{Run, bitcade, bitcade_line, folder, names};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}

/// Returns a run that plays a short game to a file.
fn solve(out: &str, more: &[&str]) -> Run {
    let mut run = bitcade(["contest", "solve", "--width", "2", "--pieces", "5", "--threads", "1", "--out"]);
    run.arguments([out].into_iter().chain(more.iter().copied()));
    run
}

fn train(out: &Path, more: &[&str]) -> Run {
    let mut run = bitcade(["2048", "train", "--games", "1", "--out", text(out)]);
    run.arguments(more.iter().copied());
    run
}

/// Returns a match of no move: the bots resign at once.
fn versus(out: &Path, more: &[&str]) -> Run {
    let bot = format!("{} tetris tbp --nodes 1", env!("CARGO_BIN_EXE_bitcade"));
    let mut run = bitcade(["tetris", "match", "--games", "1", "--pieces", "1", "--milliseconds", "0"]);
    run.arguments(["--bot", &bot, "--bot", &bot, "--out", text(out)].into_iter().chain(more.iter().copied()));
    run
}

/// A program that is still at work keeps others from its files, with and without `--force`.
#[test]
fn a_file_has_one_writer() {
    let folder = folder("saving-one-writer");
    let (out, net) = (folder.join("game"), folder.join("net"));
    let program = |arguments: &[&str], out: &Path| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_bitcade"));
        let running = program.args(arguments).arg(out).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let name = out.file_name().expect("a name").as_encoded_bytes();
        let hidden = format!(".bitcade-{:08x}-", crc32fast::hash(name));
        while !names(&folder).iter().any(|name| name.starts_with(&hidden)) {
            thread::sleep(Duration::from_millis(5));
        }
        // It is locked right after it is made.
        thread::sleep(Duration::from_millis(100));
        running.expect("the program starts")
    };
    let mut solving = program(&["contest", "solve", "--width", "2000", "--threads", "1", "--out"], &out);
    let mut training = program(&["2048", "train", "--minutes", "60", "--threads", "1", "--out"], &net);
    for more in [&[][..], &["--force"]] {
        solve(text(&out), more).fails(1, "game: another program is writing it");
        train(&net, more).fails(1, "net: another program is writing it");
    }
    for running in [&mut solving, &mut training] {
        running.kill().expect("it runs");
        running.wait().expect("it ends");
    }
    // What a killed program leaves is removed by the next one, and locks nothing.
    assert!(names(&folder).iter().any(|name| name.starts_with(".bitcade-")));
    solve(text(&out), &["--force"]).text();
    train(&net, &["--force"]).text();
    assert_eq!(names(&folder), ["game", "net", "net.learner"]);
}

/// Names that older versions used are the user's, and so is a link or a folder that looks like a hidden file.
#[test]
fn files_of_the_user_are_never_ours() {
    let folder = folder("saving-users");
    let (out, net) = (folder.join("game"), folder.join("net"));
    for name in [".game.lock", ".net.lock", ".net.saving", ".net.learner.lock"] {
        fs::write(folder.join(name), "precious").expect("written");
    }
    let hidden = format!(".bitcade-{:08x}-aB3dE6gH9jK2", crc32fast::hash(b"game"));
    fs::create_dir(folder.join(&hidden)).expect("a folder");
    let before = names(&folder);
    solve(text(&out), &[]).text();
    solve(text(&out), &[]).fails(2, "holds results of another run");
    train(&net, &["--picture", text(&folder.join(".net.svg"))]).text();
    let mut all = names(&folder);
    all.retain(|name| !["game", "net", "net.learner", ".net.svg"].contains(&&**name));
    assert_eq!(all, before);
    train(&folder.join("other"), &["--picture", text(&folder.join(".bitcade-x"))])
        .fails(1, "temporary files");
}

/// A mounted file, and the file of another user in a folder where only its owner may rename it: both are written in
/// place, whether they become longer or shorter.
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_renamed_is_written_in_place() {
    use crate::common::under;
    use std::os::unix::fs::PermissionsExt;

    const STICKY: &[&str] = &["setpriv", "--reuid", "61233", "--regid", "61233", "--clear-groups"];
    const MOUNTED: &[&str] = &["unshare", "-Urm", "sh", "-c", "mount --bind real game && exec \"$0\" \"$@\""];
    let line = "contest solve --width 2 --pieces 5 --threads 1 --force --out game";
    for (outer, written) in [(STICKY, "game"), (MOUNTED, "real")] {
        let folder = folder("saving-in-place");
        fs::write(folder.join("real"), "").expect("written");
        fs::write(folder.join("game"), "").expect("written");
        for (name, mode) in [(".", 0o1777), ("game", 0o666)] {
            fs::set_permissions(folder.join(name), PermissionsExt::from_mode(mode)).expect("a mode");
        }
        let outer_runs = under(outer, "--version").within(&folder).output();
        if !outer_runs.status.success() {
            println!("SKIPPED: no way to run {outer:?}");
            continue;
        }
        for old in ["short", &"long ".repeat(1000)] {
            fs::write(folder.join(written), old).expect("written");
            under(outer, line).within(&folder).text();
            bitcade_line(&format!("contest verify {written} --require-checksum")).within(&folder).text();
            assert_eq!(names(&folder), ["game", "real"], "{outer:?}");
        }
    }
}

/// A file that another program makes in the meantime stays, and the results are beside it.
#[test]
fn a_file_of_the_meantime_is_kept() {
    let folder = folder("saving-meantime");
    let run = bitcade(["watch", "2048", "--time", "1s", "--record", "film.cast"]).within(&folder).start();
    thread::sleep(Duration::from_millis(400));
    fs::write(folder.join("film.cast"), "precious").expect("written");
    let output = run.wait(Duration::from_mins(1));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && told.contains("film.cast.new"), "{told}");
    assert_eq!(read(&folder.join("film.cast")), "precious");
    assert!(read(&folder.join("film.cast.new")).starts_with('{'));
}

#[test]
fn results_of_another_run_are_kept() {
    let folder = folder("saving-kept");
    let out = folder.join("game");
    let refusal = "holds results of another run; --resume continues them, --force replaces them";
    solve(text(&out), &["--seed", "7"]).text();
    let first = read(&out);
    solve(text(&out), &[]).fails(2, refusal);
    assert_eq!(read(&out), first);
    solve(text(&out), &["--force", "--resume"]).fails(2, "--force");
    solve(text(&out), &["--force"]).text();
    assert_ne!(read(&out), first);
    // An empty file, as `mktemp` makes it, holds nothing.
    fs::write(&out, "").expect("written");
    solve(text(&out), &[]).text();

    let results = folder.join("match");
    versus(&results, &[]).text();
    let first = read(&results);
    versus(&results, &["--seed", "2"]).fails(2, refusal);
    assert_eq!(read(&results), first);
    versus(&results, &["--seed", "2", "--force"]).text();
    assert!(read(&results).contains("\"seed\":2,"));
    versus(&results, &["--force", "--resume"]).fails(2, "--force");

    for (flag, file) in [("--svg", folder.join("sheet.svg")), ("--gif", folder.join("game.gif"))] {
        let replay = |more: &[&str]| {
            let mut run = bitcade(["contest", "replay", text(&out), flag, text(&file)]);
            run.arguments(more.iter().copied());
            run
        };
        fs::write(&file, "drawn by hand").expect("written");
        replay(&[]).fails(2, "is not empty; --force replaces it");
        assert_eq!(read(&file), "drawn by hand");
        replay(&["--force"]).text();
        assert!(fs::read(&file).expect("a file").len() > 100);
    }
    let picture = folder.join("both");
    bitcade(["contest", "replay", text(&out), "--svg", text(&picture), "--gif", text(&picture)])
        .fails(2, "named for two outputs");
    assert!(!picture.exists());
}

#[test]
fn a_trained_network_is_kept() {
    let folder = folder("saving-network");
    let (net, learner, curve) = (folder.join("net"), folder.join("net.learner"), folder.join("curve.svg"));
    for precious in [&net, &learner] {
        fs::write(precious, "precious").expect("written");
        train(&net, &[]).fails(2, "holds results of another run; --resume continues them");
        assert_eq!(read(precious), "precious");
        fs::remove_file(precious).expect("it was there");
    }
    fs::write(&curve, "precious").expect("written");
    train(&net, &["--picture", text(&curve)]).fails(2, "curve.svg: is not empty; --force replaces it");
    train(&net, &["--picture", text(&learner)]).fails(2, "net.learner: named for two outputs");
    assert_eq!(names(&folder), ["curve.svg"], "nothing was learned");
    bitcade(["2048", "train", "--out", text(&net)]).fails(2, "--minutes <T>|--games <G>");
    bitcade(["2048", "train", "--games", "1", "--resume", "--out", "-"]).fails(2, "-: --resume needs");
}

#[test]
fn names_that_cannot_be_files_are_refused_before_the_work() {
    let folder = folder("saving-names");
    let below = folder.join("file").join("below");
    fs::write(folder.join("file"), "").expect("written");
    let none = folder.join("none").join("file");
    let slash = format!("{}/", text(&folder.join("new")));
    for (out, message) in [
        (text(&folder), "is a directory"),
        (".", ".: is a directory"),
        (text(&none), "expected a file name in an existing folder"),
        (text(&below), "expected a file name in an existing folder"),
        (&slash, "expected a file name in an existing folder"),
    ] {
        let start = std::time::Instant::now();
        bitcade(["contest", "solve", "--time", "600", "--out", out]).fails(1, message);
        assert!(start.elapsed().as_secs() < 300, "before the work");
        bitcade(["contest", "replay", "/no/such/record", "--svg", out]).fails(1, message);
    }
    assert_eq!(names(&folder), ["file"]);
}

#[test]
fn a_dash_is_standard_output() {
    let folder = folder("saving-dash");
    let out = folder.join("game");
    solve(text(&out), &[]).text();
    // The program runs in the folder, where a file named `-` would appear.
    let run = |arguments: &[&str]| {
        let mut run = bitcade([]);
        run.arguments(arguments.iter().copied());
        run.within(&folder).output()
    };
    let solved =
        run(&["contest", "solve", "--width", "2", "--pieces", "5", "--threads", "1", "--out", "-", "--json"]);
    assert!(solved.status.success());
    let lines = |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&solved.stdout)[0], read(&out).lines().next().expect("the record"));
    assert!(lines(&solved.stderr).iter().any(|line| line.starts_with("{\"score\":")), "the results");

    let sheet = run(&["contest", "replay", text(&out), "--svg", "-"]);
    assert!(sheet.status.success() && sheet.stdout.starts_with(b"<svg") && sheet.stderr.is_empty());
    let game = run(&["contest", "replay", text(&out), "--gif", "-"]);
    assert!(game.status.success() && game.stdout.starts_with(b"GIF89a"));
    let both = run(&["contest", "replay", text(&out), "--svg", "-", "--gif", "-"]);
    assert_eq!((both.status.code(), both.stdout.len()), (Some(2), 0));

    let results = folder.join("match");
    versus(&results, &[]).text();
    let played = versus(Path::new("-"), &[]).output();
    let (printed, written) = (lines(&played.stdout), lines(read(&results).as_bytes()));
    // The settings, the game, the checksum.
    assert_eq!((printed.len(), &printed[0]), (3, &written[0]));
    assert_eq!(names(&folder), ["game", "match"]);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    use std::process::{Command, Stdio};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("a file").permissions().mode() & 0o7777
    }

    #[test]
    fn a_users_files_and_modes_are_kept() {
        let folder = folder("saving-modes");
        let (out, users) = (folder.join("game"), folder.join("game.new"));
        fs::write(&users, "precious").expect("written");
        solve(text(&out), &[]).text();
        assert_eq!(read(&users), "precious");
        // The mode of a new file is that of any other file.
        assert_eq!(mode(&out), mode(&users));
        for kept in [0o600, 0o640, 0o755] {
            fs::set_permissions(&out, fs::Permissions::from_mode(kept)).expect("permitted");
            solve(text(&out), &["--force"]).text();
            assert_eq!(mode(&out), kept);
        }
        assert_eq!(names(&folder), ["game", "game.new"]);
    }

    #[test]
    fn symbolic_links_are_followed() {
        let folder = folder("saving-links");
        let (real, link, chain) = (folder.join("real"), folder.join("link"), folder.join("chain"));
        fs::create_dir(&real).expect("a folder");
        symlink("real/game", &link).expect("a link");
        symlink(&link, &chain).expect("a link");
        // The link dangles first.
        solve(text(&chain), &[]).text();
        assert!(read(&real.join("game")).contains("# beam"));
        solve(text(&link), &[]).fails(2, "holds results of another run");
        solve(text(&link), &["--force", "--seed", "3"]).text();
        assert!(read(&real.join("game")).contains("# beam: seed 3"));
        for path in [&link, &chain] {
            assert!(fs::symlink_metadata(path).expect("a link").is_symlink());
        }
        assert_eq!(names(&real), ["game"]);
        let (first, second) = (folder.join("first"), folder.join("second"));
        symlink(&first, &second).expect("a link");
        symlink(&second, &first).expect("a link");
        solve(text(&first), &[]).fails(1, "too many symbolic links");
        symlink(&real, folder.join("folder")).expect("a link");
        solve(text(&folder.join("folder")), &[]).fails(1, "is a directory");
    }

    #[test]
    fn devices_and_pipes_are_written_in_place() {
        let folder = folder("saving-devices");
        let link = folder.join("null");
        // Through a link, so that a fault does not replace the device itself.
        symlink("/dev/null", &link).expect("a link");
        solve(text(&link), &[]).text();
        assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
        assert!(fs::metadata("/dev/null").expect("a device").file_type().is_char_device());

        let pipe = folder.join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().expect("cat");
        solve(text(&pipe), &["--save-every", "0"]).text();
        let received = reader.wait_with_output().expect("it ends").stdout;
        // Exactly one state, although it would be saved after each piece.
        assert_eq!(String::from_utf8_lossy(&received).matches("# beam: ").count(), 1);
        assert!(fs::metadata(&pipe).expect("a pipe").file_type().is_fifo());

        // Standard output by a name is standard output, even if it is a regular file.
        let printed = folder.join("printed");
        let status = Command::new(env!("CARGO_BIN_EXE_bitcade"))
            .args(["contest", "solve", "--width", "2", "--pieces", "5", "--out", "/dev/stdout"])
            .stdout(fs::File::create(&printed).expect("a file"))
            .stderr(Stdio::null())
            .status();
        assert!(status.expect("it ends").success());
        assert!(read(&printed).contains("# beam: ") && !read(&printed).contains("score "));
        assert_eq!(names(&folder), ["null", "pipe", "printed"]);
    }

    #[test]
    fn names_are_as_long_as_the_file_system_allows() {
        let folder = folder("saving-long");
        let name = "n".repeat(255);
        solve(text(&folder.join(&name)), &[]).text();
        assert_eq!(names(&folder), [name]);
    }

    #[test]
    fn names_are_shown_escaped() {
        let folder = folder("saving-escaped");
        let out = folder.join("line\nbreak\u{1b}[31m");
        solve(text(&out), &[]).text();
        solve(text(&out), &[]).fails(2, "line\\nbreak\\u{1b}[31m: holds results");
    }

    /// Not even root can create a file in `/proc`.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_cannot_be_written_is_refused_before_the_work() {
        let out = "/proc/bitcade-out";
        let message = "/proc/bitcade-out: ";
        for more in [&[][..], &["--force"], &["--resume"]] {
            let run = |arguments: &[&str]| {
                let mut run = bitcade([]);
                run.arguments(arguments.iter().chain(more).copied());
                run
            };
            run(&["contest", "solve", "--time", "600", "--out", out]).fails(1, message);
            run(&["2048", "train", "--minutes", "600", "--out", out]).fails(1, message);
            let bots = ["--bot", "/no/such/bot", "--bot", "/no/such/bot"];
            run(&[&["tetris", "match", "--out", out][..], &bots].concat()).fails(1, message);
        }
        bitcade(["contest", "replay", "/no/such/record", "--svg", out]).fails(1, message);
    }

    /// Returns the number of frames of a GIF, which must be whole.
    fn gif_frames(path: &Path) -> usize {
        let mut decoder = gif::Decoder::new(fs::File::open(path).expect("a file")).expect("a GIF");
        std::iter::from_fn(|| decoder.read_next_frame().expect("a GIF").map(|_| ())).count()
    }

    /// Returns the number of events of a recording for asciinema, which must be whole.
    fn cast_events(path: &Path) -> usize {
        let text = read(path);
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert!(text.ends_with('\n') && lines[0]["version"] == 2, "{text}");
        lines.len() - 1
    }

    /// A limit on the size of files stands for a full disk.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_ends_the_recording_and_not_the_game() {
        let folder = folder("saving-recording");
        // Blocks of 512 bytes. In three seconds a GIF grows from 23 to 67, the other recording from 9 to 24.
        for (name, time, blocks, frames) in [
            ("whole.gif", "1s", 10_000, 2..),
            ("part.gif", "3s", 40, 1..),
            ("part.cast", "3s", 16, 1..),
            ("none.gif", "1s", 1, 0..),
            ("none.cast", "1s", 1, 0..),
        ] {
            let limit = format!("ulimit -f {blocks}; exec \"$@\"");
            let output = Command::new("sh")
                .args(["-c", &limit, "sh", env!("CARGO_BIN_EXE_bitcade"), "watch", "tetris", "--time", time])
                .args(["--record", name])
                .current_dir(&folder)
                // Unused: the recording grows in the folder of its file.
                .env("TMPDIR", "/no/such/folder")
                .output()
                .expect("sh");
            let [stdout, stderr] =
                [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            assert!(stdout.starts_with("seconds ") && stdout.contains("\nframes "), "{name}: {stdout}");
            let path = folder.join(name);
            if name.starts_with("whole") {
                assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""));
            } else {
                let place = folder.canonicalize().expect("a folder");
                let why = format!(" s: {}: File too large (os error 27)", place.display());
                let what = if path.exists() { "the recording ends after " } else { "not recorded: " };
                assert_eq!((output.status.code(), stderr.lines().count()), (Some(1), 1), "{stderr}");
                assert!(stderr.starts_with(&format!("bitcade: {name}: {what}")), "{stderr}");
                assert!(stderr.trim_end().ends_with(&why[if path.exists() { 0 } else { 4 }..]), "{stderr}");
                assert_eq!(path.exists(), name.starts_with("part"), "{name}: {stderr}");
            }
            if path.exists() {
                let is_gif = path.extension().is_some_and(|extension| extension == "gif");
                let found = if is_gif { gif_frames(&path) } else { cast_events(&path) };
                assert!(frames.contains(&found), "{name}: {found} frames");
            }
        }
        assert_eq!(names(&folder), ["part.cast", "part.gif", "whole.gif"]);
    }

    #[test]
    fn a_recording_for_a_pipe_needs_a_temporary_folder() {
        let folder = folder("saving-recording-pipe");
        let pipe = folder.join("pipe.gif");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        let record = |temporary: &Path| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_bitcade"));
            command.args(["watch", "tetris", "--time", "300ms", "--record", text(&pipe)]);
            command.env("TMPDIR", temporary).stdout(Stdio::null()).output().expect("it ends")
        };
        let none = record(&folder.join("none"));
        let stderr = String::from_utf8_lossy(&none.stderr);
        let expected = format!(
            "bitcade: {}: no temporary file in {}: No such file or directory (os error 2)\n",
            text(&pipe),
            folder.join("none").display()
        );
        assert_eq!((none.status.code(), &*stderr), (Some(1), &*expected));
        let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().expect("cat");
        assert!(record(&folder).status.success());
        let received = reader.wait_with_output().expect("it ends").stdout;
        assert!(received.starts_with(b"GIF89a") && received.ends_with(b";"), "{} bytes", received.len());
    }
}

/// The commands that resume, with the flags that change a result and those that don't: where a run ends, where its
/// files are, how it is shared out.
const RESUMABLE: [(&[&str], &[&str], &[&str]); 3] = [
    (
        &["contest", "solve"],
        &["search", "seed", "pieces", "width", "depth", "most", "early"],
        &["time", "steps", "threads", "out", "resume", "force", "save_every"],
    ),
    (
        &["2048", "train"],
        &["seed"],
        &["out", "minutes", "games", "resume", "picture", "force", "threads", "save_every"],
    ),
    (
        &["tetris", "match"],
        &["bots", "seed", "milliseconds", "pieces", "patience"],
        &["games", "out", "resume", "force"],
    ),
];

/// A run, and flags with which it is not resumed: one line for each flag that changes a result.
const OTHER_SETTINGS: [(&str, &[&str]); 4] = [
    (
        "contest solve --width 3 --pieces 9 --seed 4 --out file",
        &["--search tree", "--seed 5 --width 3", "--pieces 10 --width 3", "--width 4"],
    ),
    (
        "contest solve --depth 3 --most 6 --early 2:4 --pieces 9 --out file",
        &["--search beam", "--seed 5", "--depth 4", "--most 7", "--early 2:5"],
    ),
    ("2048 train --games 1 --out file", &["--seed 2 --games 2"]),
    (
        "tetris match --bot BOT --bot BOT --games 1 --pieces 2 --milliseconds 0 --patience 9s --out file",
        &[
            "--bot BOT --bot SLOW --pieces 2 --milliseconds 0 --patience 9s",
            "--bot BOT --bot BOT --pieces 2 --milliseconds 0 --patience 9s --seed 2",
            "--bot BOT --bot BOT --pieces 2 --milliseconds 1 --patience 9s",
            "--bot BOT --bot BOT --pieces 3 --milliseconds 0 --patience 9s",
            "--bot BOT --bot BOT --pieces 2 --milliseconds 0 --patience 8s",
        ],
    ),
];

/// A new flag of a command that resumes fails here until it is in a list.
#[test]
fn a_run_is_resumed_with_its_own_settings() {
    fn resumable(command: &clap::Command, path: &[String], found: &mut Vec<(Vec<String>, Vec<String>)>) {
        let ids: Vec<String> =
            command.get_arguments().map(|argument| argument.get_id().to_string()).collect();
        if ids.iter().any(|id| id == "resume") {
            found.push((path.to_vec(), ids));
        }
        for below in command.get_subcommands() {
            resumable(below, &[path, &[below.get_name().to_owned()]].concat(), found);
        }
    }
    let mut found = Vec::new();
    resumable(&bitcade::command(), &[], &mut found);
    assert_eq!(found.len(), RESUMABLE.len(), "{found:?}");
    for (path, ids) in found {
        let of_command = RESUMABLE.iter().find(|(command, ..)| path == *command);
        let (_, settings, free) = of_command.unwrap_or_else(|| panic!("{path:?} is not listed"));
        for id in &ids {
            let listed = settings.contains(&&**id) || free.contains(&&**id);
            assert!(listed, "{path:?}: does --{id} change a result?");
        }
    }
    let folder = folder("saving-settings");
    for (begin, others) in OTHER_SETTINGS {
        bitcade_line(&format!("{begin} --force")).within(&folder).text();
        let before = fs::read(folder.join("file")).expect("a file");
        let command: Vec<&str> = begin.split(' ').take(2).collect();
        for other in others {
            let line = format!("{} --resume {other} --out file", command.join(" "));
            let output = bitcade_line(&line).within(&folder).output();
            assert_eq!(output.status.code(), Some(2), "{line}: {output:?}");
            assert!(fs::read(folder.join("file")).expect("a file") == before, "{line}");
        }
    }
}
