//! External faults: `kill -9`, damaged files, full disks, unwritable folders.
//!
//! `BITCADE_FAULTS=full` tries each hundreds of times instead of a few.
#![cfg(unix)]

use crate::common::{Folder, Run, bitcade, folder, short_or_full, stderr, stdout, under};
use bitcore::Rng;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

/// Returns a result's JSON object without the keys that vary between identical runs.
fn lasting(output: &str) -> Value {
    let mut value: Value =
        serde_json::from_str(output.lines().last().expect("a result")).expect("JSON");
    let object = value.as_object_mut().expect("an object");
    for key in ["seconds", "cpu_seconds", "moves_per_second", "pieces_per_second"] {
        object.remove(key);
    }
    value
}

struct Saver {
    /// The whole work, without `--resume`.
    begin: &'static str,
    /// Extra flags of the unkilled run, which do not affect its result.
    whole: &'static str,
    /// The first file to exist.
    file: &'static str,
    /// Reads the file and prints an object, which is the same for equal files.
    inspect: &'static str,
    /// The key of the object that grows.
    progress: &'static str,
    /// The files that are byte-identical after identical runs.
    equal: &'static [&'static str],
}

const BEAM: Saver = Saver {
    begin: "contest solve --width 60x150,90 --pieces 400 --save-every 0 --json --out game",
    whole: "--threads 1 --level portable",
    file: "game",
    inspect: "contest verify game --require-checksum --json",
    progress: "pieces",
    equal: &[],
};

const TREE: Saver = Saver {
    begin: "contest solve --depth 4 --pieces 80 --save-every 0 --json --out game",
    equal: &["game"],
    ..BEAM
};

const TRAINING: Saver = Saver {
    begin: "2048 train --games 40 --save-every 5ms --json --out net",
    whole: "--level portable",
    file: "net.learner",
    // `--games 1` is already reached, so this run ends immediately.
    inspect: "2048 train --resume --games 1 --json --out net",
    progress: "games",
    equal: &["net", "net.learner"],
};

const MATCH: Saver = Saver {
    begin: "tetris match --bot BOT --bot BOT --games 6 --pieces 5 --milliseconds 0 --json --out match",
    whole: "",
    file: "match",
    inspect: "tetris match --bot BOT --bot BOT --games 1 --pieces 5 --milliseconds 0 --resume --json --out match",
    progress: "games",
    equal: &[],
};

const GO_MATCH: Saver = Saver {
    begin: "go match --engine ENGINE --engine ENGINE --size 5 --games 6 --json --out match",
    whole: "--concurrency 2",
    file: "match",
    inspect: "go match --engine ENGINE --engine ENGINE --size 5 --games 1 --resume --json --out match",
    progress: "games",
    equal: &[],
};

const GO_SELFPLAY: Saver = Saver {
    begin: "go selfplay --sizes 5,9 --playouts 50 --games 12 --json --out games",
    whole: "--threads 2",
    file: "games",
    inspect: "go selfplay --sizes 5,9 --playouts 50 --games 1 --resume --json --out games",
    progress: "games",
    equal: &["games"],
};

impl Saver {
    fn inspect(&self, folder: &Folder) -> Option<Value> {
        folder.join(self.file).exists().then(|| lasting(&folder.run(self.inspect).text()))
    }

    /// Plays a game in parts, each of which is killed: half of them at a random moment, half of
    /// them soon after the file appears. Nothing is lost, and the finished game matches an unkilled
    /// run.
    fn survives_kills(&self) {
        let begin = self.begin;
        let name: String = begin.chars().filter(char::is_ascii_alphanumeric).take(24).collect();
        let whole = folder(&format!("kill-{name}-whole"));
        let empty_parts = || folder(&format!("kill-{name}-parts"));
        let parts = empty_parts();
        let start = Instant::now();
        whole.run(format!("{begin} {}", self.whole)).text();
        let length = start.elapsed();
        let expected = self.inspect(&whole).expect("an unkilled run writes a file");
        let part = |before: &Option<Value>| {
            parts.run(format!("{begin} {}", if before.is_some() { "--resume" } else { "" }))
        };
        let progress = |state: &Option<Value>| {
            state
                .as_ref()
                .map(|state| state[self.progress].as_u64().expect("a number of what grows"))
        };
        let check_end = |found: Option<Value>| {
            assert_eq!(found.as_ref(), Some(&expected), "{begin}: a game in parts");
            for file in self.equal {
                assert!(
                    whole.bytes(file) == parts.bytes(file),
                    "{begin}: {file} of a game in parts"
                );
            }
        };
        let kills = short_or_full(4, 100);
        let mut rng = Rng::new(1);
        let mut before = None;
        let mut met = 0;
        for kill in 0..kills {
            let mut running = part(&before).start();
            let begun = Instant::now();
            let waits = || kill % 2 == 1 && !parts.join(self.file).exists();
            while waits()
                && running.ends_within(Duration::ZERO).is_none()
                && begun.elapsed() < 9 * length
            {
                thread::sleep(Duration::from_millis(1));
            }
            // Soon after its first file a run still has most of its work left.
            let longest = if kill % 2 == 1 { length / 8 } else { length };
            thread::sleep(Duration::from_micros(rng.next_u64() % longest.as_micros() as u64));
            let _ = running.child.kill();
            let output = running.wait(Duration::from_mins(2));
            let after = self.inspect(&parts);
            assert!(progress(&after) >= progress(&before), "{begin}: {before:?} became {after:?}");
            match (output.status.signal(), output.status.code()) {
                // The test sends only this signal; a crash has another one.
                (Some(9), _) => {
                    met += usize::from(after.is_some());
                    before = after;
                }
                (_, Some(0)) => {
                    check_end(after);
                    before = None;
                    empty_parts();
                }
                _ => panic!("{begin}: a run after a kill: {output:?}"),
            }
        }
        assert!(4 * met >= kills, "{begin}: only {met} of {kills} kills met a saved state");
        part(&before).text();
        check_end(self.inspect(&parts));
    }
}

#[test]
fn a_killed_beam_goes_on() {
    BEAM.survives_kills();
}

#[test]
fn a_killed_tree_search_goes_on() {
    TREE.survives_kills();
}

#[test]
fn a_killed_training_goes_on() {
    TRAINING.survives_kills();
}

#[test]
fn a_killed_match_goes_on() {
    MATCH.survives_kills();
}

#[test]
fn a_killed_go_match_goes_on() {
    GO_MATCH.survives_kills();
}

#[test]
fn killed_games_of_self_play_go_on() {
    GO_SELFPLAY.survives_kills();
}

/// The file formats: a command that writes one, its name, and a command that reads it.
const FORMS: [[&str; 3]; 8] = [
    [BEAM_OF_40, "game", "contest verify game --require-checksum --json"],
    [BEAM_OF_40, "game", "contest solve --resume --width 10 --threads 1 --json --out game"],
    [
        "contest solve --depth 3 --pieces 40 --threads 1 --out game",
        "game",
        "contest solve --resume --pieces 40 --threads 1 --json --out game",
    ],
    [
        "tetris match --bot BOT --bot BOT --games 3 --pieces 3 --milliseconds 0 --out match",
        "match",
        "tetris match --bot BOT --bot BOT --games 3 --pieces 3 --milliseconds 0 --resume --json --out match",
    ],
    [
        "go match --engine ENGINE --engine ENGINE --size 5 --games 3 --out match",
        "match",
        "go match --engine ENGINE --engine ENGINE --size 5 --games 3 --resume --json --out match",
    ],
    [ONE_GAME, "net", "2048 evaluate --net net --games 1 --depth 1 --json"],
    [ONE_GAME, "net.learner", "2048 train --resume --games 1 --json --out net"],
    [
        "go selfplay --sizes 5 --playouts 20 --games 3 --out games",
        "games",
        "go selfplay --sizes 5 --playouts 20 --games 3 --resume --json --out games",
    ],
];
const BEAM_OF_40: &str = "contest solve --width 10 --pieces 40 --threads 1 --out game";
const ONE_GAME: &str = "2048 train --games 1 --out net";

/// A flipped bit or a cut is refused with one line, or changes no result.
#[test]
fn damage_is_refused() {
    let damages = short_or_full(20, 1000);
    for (form, [make, file, read]) in FORMS.into_iter().enumerate() {
        let folder = folder(&format!("damage-{form}"));
        folder.run(make).text();
        let whole = folder.bytes(file);
        let expected = lasting(&folder.run(read).text());
        let mut rng = Rng::new(form as u64);
        let mut refused = 0;
        for damage in 0..damages {
            let mut bytes = whole.clone();
            let place = rng.next_u64() as usize % whole.len();
            match damage % 4 {
                0 | 2 => bytes[place] ^= 1 << (rng.next_u64() % 8),
                1 => bytes.truncate(place),
                // A cut at the end of a line, if there is one.
                _ => bytes.truncate(
                    1 + bytes[..place].iter().rposition(|&byte| byte == b'\n').unwrap_or(place),
                ),
            }
            folder.write(file, bytes);
            let output = folder.run(read).output();
            if output.status.code() == Some(0) {
                assert_eq!(
                    lasting(&stdout(&output)),
                    expected,
                    "{read}: damage {damage} at {place}"
                );
            } else {
                refused += 1;
                let told = stderr(&output);
                let one_line =
                    told.lines().count() == 1 && told.contains(file) && output.stdout.is_empty();
                assert!(
                    output.status.code() == Some(2) && one_line,
                    "{read}: damage {damage}: {output:?}"
                );
            }
        }
        assert!(2 * refused > damages, "{read}: only {refused} of {damages} refused");
    }
}

/// The commands that write a file, by its name. `../spare` is a folder on a disk with free space.
const WRITERS: [[&str; 2]; 7] = [
    ["game", "contest solve --width 50 --pieces 300 --threads 1 --force --out game"],
    ["game", "contest solve --depth 3 --pieces 300 --force --out game"],
    ["sheet", "contest replay ../spare/game --force --svg sheet"],
    ["film", "contest replay ../spare/game --force --gif film"],
    ["net", "2048 train --games 1 --force --out net"],
    ["curve", "2048 train --games 1 --force --out /dev/null --picture curve"],
    [
        "match",
        "tetris match --bot BOT --bot BOT --games 9 --pieces 3 --milliseconds 0 --force --out match",
    ],
];

const PRINTERS: [&str; 9] = [
    "--help",
    "--version",
    "help go",
    "contest verify ../spare/game",
    "2048 playouts --games 10 --json",
    "match3 evaluate --games 1 --moves 3",
    "tetris perft --queue IO --depth 2",
    "go perft --size 2x2 --depth 2",
    "contest solve --width 2 --pieces 5 --out -",
];

const OLD: &str = "This file was here before.\n";

/// Makes a folder for a test, and next to it `spare` with the files that `WRITERS` and `REFUSED`
/// read.
fn folder_with_spare(name: &str) -> Folder {
    fill(&folder(&format!("{name}/spare")));
    folder(&format!("{name}/here"))
}

fn fill(folder: &Folder) {
    for line in [
        "contest solve --width 20 --pieces 90 --threads 1 --out game",
        ONE_GAME,
        "tetris match --bot BOT --bot BOT --games 1 --pieces 1 --milliseconds 0 --out match",
    ] {
        folder.run(line).text();
    }
}

/// Checks that a run ends with status 1 and one line that contains `message`.
fn fails_by(run: Run, line: &str, message: &str) -> Output {
    let output = run.output();
    let told = stderr(&output);
    // A failed intermediate save is a remark, and the last one is the failure.
    let messages: Vec<&str> = told.lines().filter(|told| told.starts_with("bitcade: ")).collect();
    let remarks = &messages[..messages.len().saturating_sub(1)];
    let said = messages.last().is_some_and(|told| told.contains(message))
        && remarks.len() <= 1
        && remarks.iter().all(|told| told.contains(message) && told.ends_with("; the run goes on"));
    assert!(output.status.code() == Some(1) && said, "{line}: {output:?}");
    output
}

/// Makes all writers fail in a folder; the old file stays, and nothing else is left there.
fn old_files_stay(folder: &Folder, message: &str, prepare: impl Fn(), run: impl Fn(&str) -> Run) {
    for ([file, line], old) in
        WRITERS.into_iter().flat_map(|writer| [(writer, true), (writer, false)])
    {
        for name in folder.names() {
            folder.remove(&name);
        }
        if old {
            folder.write(file, OLD);
        }
        prepare();
        let mut files = folder.names();
        fails_by(run(line).within(folder), line, message);
        let text = fs::read_to_string(folder.join(file)).ok();
        // A match replaces its file after each game, and may complete one.
        let ends = |text: &str| {
            text.trim_end().rsplit('\n').next().is_some_and(|end| end.contains("crc32"))
        };
        if file == "match" && text.as_deref().is_some_and(ends) {
            files = vec![file.to_owned()];
        } else {
            assert_eq!(text.as_deref(), old.then_some(OLD), "{line}");
        }
        assert_eq!(folder.names(), files, "{line}");
    }
}

/// A file system in memory, mounted on a folder until dropped.
struct Mount<'a>(&'a Path);

impl<'a> Mount<'a> {
    fn new(folder: &'a Path, options: &str) -> Option<Self> {
        let done = mount(folder, &["-t", "tmpfs", "-o", options, "tmpfs"]);
        if !done {
            println!("SKIPPED: no way to mount a file system here");
        }
        done.then_some(Self(folder))
    }
}

impl Drop for Mount<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

fn mount(folder: &Path, arguments: &[&str]) -> bool {
    let output = Command::new("mount").args(arguments).arg(folder).output();
    output.is_ok_and(|output| output.status.success())
}

#[test]
fn a_full_disk_keeps_old_files() {
    let here = folder_with_spare("full-disk");
    let Some(_mount) = Mount::new(&here, "size=256k") else { return };
    let fill = || {
        use std::io::Write;
        let mut file = fs::File::create(here.join("filling")).expect("a file");
        for size in [4096, 1] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
    };
    old_files_stay(&here, "No space left on device", fill, |line| bitcade(line));
}

#[test]
fn a_limit_on_the_size_of_files_keeps_old_files() {
    // At most half a KiB, or one in some shells; the picture of a curve without points is smaller.
    let run = |line: &str| {
        let blocks = u8::from(!line.ends_with("curve"));
        under(&["sh", "-c", &format!("ulimit -f {blocks}; exec \"$@\""), "sh"], line)
    };
    old_files_stay(&folder_with_spare("file-size"), "File too large", || (), run);
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_without_space_is_one_line_and_status_1() {
    let here = folder_with_spare("full-device");
    for [file, line] in WRITERS {
        if !here.join(file).is_symlink() {
            symlink("/dev/full", here.join(file)).expect("a link");
        }
        fails_by(here.run(line), line, "No space left on device");
        assert!(here.join(file).is_symlink(), "{line}");
    }
    for line in PRINTERS {
        let run = under(&["sh", "-c", "exec \"$@\" >/dev/full", "sh"], line);
        fails_by(run.within(&here), line, "No space left on device");
    }
}

/// Long-running commands with output to an unwritable folder.
const REFUSED: [&str; 9] = [
    "contest solve --time 900 --out new",
    "contest solve --time 900 --resume --out game",
    "contest replay game --svg new",
    "contest replay game --gif new",
    "2048 train --minutes 900 --out new",
    "2048 train --minutes 900 --resume --out net",
    "2048 train --minutes 900 --out ../spare/net --force --picture new",
    "tetris match --bot BOT --bot BOT --games 900 --out new",
    "tetris match --bot BOT --bot BOT --games 900 --pieces 1 --milliseconds 0 --resume --out match",
];

#[test]
fn a_folder_that_cannot_be_written_is_refused_before_the_work() {
    let here = folder_with_spare("read-only");
    // The mode of a folder doesn't stop root, and only root can mount one.
    let mount = Mount::new(&here, "size=1g");
    fill(&here);
    let message = if mount.is_some() {
        assert!(self::mount(&here, &["-o", "remount,ro"]));
        "Read-only file system"
    } else {
        fs::set_permissions(&*here, fs::Permissions::from_mode(0o555)).expect("permitted");
        "Permission denied"
    };
    if mount.is_some() || fs::write(here.join("probe"), "").is_err() {
        for line in REFUSED {
            let begun = Instant::now();
            here.run(line).fails(1, message);
            assert!(begun.elapsed() < Duration::from_secs(30), "{line}: before the work");
        }
    }
    let _ = fs::set_permissions(&*here, fs::Permissions::from_mode(0o755));
}

/// Leaves a continued game where it can't be saved: one remark, and the file as it was.
fn game_stays(here: &Folder, message: &str, prepare: impl FnOnce()) {
    let play = |lines: &str| {
        let run = here.run("play 2048 --size 5 --lines").env("XDG_DATA_HOME", &**here);
        run.stdin(lines).output()
    };
    play("left\nup\nright\ndown\n");
    let name = "bitcade/games/2048-5x5-1.json";
    let before = here.read(name);
    prepare();
    for lines in ["continue\nup\nleft\ndown\nright\n", "up\nleft\ndown\nright\n"] {
        let output = play(lines);
        let told = stderr(&output);
        let remarks: Vec<&str> = told.lines().filter(|line| line.contains("game")).collect();
        assert!(remarks.iter().any(|told| told.ends_with("; the game is not saved")), "{output:?}");
        assert!(told.contains(message) && !stdout(&output).contains("is saved"), "{output:?}");
        // The game went on.
        assert!(output.status.success(), "{output:?}");
        assert!(stdout(&output).matches(", moves ").count() >= 3, "{output:?}");
        assert_eq!(here.read(name), before);
    }
}

#[test]
fn a_full_disk_keeps_the_saved_game() {
    let here = folder("full-disk-game");
    let Some(_mount) = Mount::new(&here, "size=64k") else { return };
    game_stays(&here, "No space left on device", || {
        use std::io::Write;
        let mut file = fs::File::create(here.join("filling")).expect("a file");
        for size in [4096, 1] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
    });
}

#[test]
fn a_read_only_disk_keeps_the_saved_game() {
    let here = folder("read-only-game");
    let Some(_mount) = Mount::new(&here, "size=1m") else { return };
    game_stays(&here, "Read-only file system", || {
        assert!(mount(&here, &["-o", "remount,ro"]));
    });
}
