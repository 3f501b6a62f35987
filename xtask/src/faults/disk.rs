//! Disks that are full and folders that cannot be written.

use super::bench::{Bench, Row};
use super::process::{self, Ended, Running, exists, fresh, succeed, user};
use crate::Result;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// A command that writes a file.
struct Writer {
    name: &'static str,
    arguments: &'static str,
    file: &'static str,
    /// `true` if the file is begun and then grows line by line.
    grows: bool,
}

const fn writer(name: &'static str, arguments: &'static str, file: &'static str) -> Writer {
    Writer { name, arguments, file, grows: false }
}

/// The commands that write files. `../spare` is a folder with room.
const WRITERS: [Writer; 7] = [
    writer(
        "contest solve (beam)",
        "contest solve --width 50 --pieces 300 --threads 1 --force --out game",
        "game",
    ),
    writer("contest solve (tree)", "contest solve --depth 3 --pieces 300 --force --out game", "game"),
    writer("contest replay --svg", "contest replay ../spare/record --force --svg sheet", "sheet"),
    writer("contest replay --gif", "contest replay ../spare/record --force --gif film", "film"),
    writer("2048 train", "2048 train --games 1 --force --out net", "net"),
    writer(
        "2048 train --picture",
        "2048 train --games 1 --force --out ../spare/net --picture curve",
        "curve",
    ),
    Writer {
        grows: true,
        ..writer(
            "tetris match",
            "tetris match --bot BOT --bot BOT --games 9 --pieces 3 --milliseconds 0 --force --out match",
            "match",
        )
    },
];

/// Commands whose results go to standard output.
const PRINTERS: [&str; 6] = [
    "contest verify ../spare/record",
    "2048 playouts --games 10 --json",
    "match3 play --games 1 --moves 3",
    "tetris perft --queue IO --depth 2",
    "go perft --size 2x2 --depth 2",
    "contest solve --width 2 --pieces 5 --out -",
];

/// The content of files that must not be lost.
const OLD: &str = "This file was here before.\n";

pub(super) fn full(bench: &mut Bench) -> Result<Vec<Row>> {
    spare(bench)?;
    let mut rows = Vec::new();
    let room = fresh(bench.folder, "disk")?;
    rows.push(match Mount::new(&room, "size=256k") {
        Ok(_mount) => {
            let mut row = Row::new("full disk");
            for writer in &WRITERS {
                process::clear(&room)?;
                fs::write(room.join(writer.file), OLD)?;
                fill(&room.join("filling"))?;
                let ended = process::run(bench.program.command(&room, writer.arguments))?;
                let names = [writer.file, "filling"];
                row.count(judge(&room, &names, writer, &ended, OLD).map_err(|why| told(writer, &why)));
            }
            row
        }
        Err(why) => Row::skipped("full disk", why),
    });
    rows.push(if Path::new("/dev/full").exists() {
        let mut row = Row::new("device without space");
        for writer in &WRITERS {
            let folder = fresh(bench.folder, "device")?;
            link("/dev/full", &folder.join(writer.file))?;
            let ended = process::run(bench.program.command(&folder, writer.arguments))?;
            let is_link = fs::symlink_metadata(folder.join(writer.file)).is_ok_and(|it| it.is_symlink());
            let result = if is_link { ended.failed(&[1]) } else { Err("the link was replaced".to_owned()) };
            row.count(result.map_err(|why| told(writer, &why)));
        }
        for arguments in PRINTERS {
            let folder = fresh(bench.folder, "device")?;
            let shell = ["sh", "-c", "exec \"$@\" >/dev/full", "sh"];
            let ended = process::run(bench.program.command_under(&shell, &folder, arguments))?;
            let messages = ended.stderr.lines().filter(|line| line.starts_with("bitcade: ")).count();
            let held = ended.code == Some(1) && messages == 1;
            row.count(held.then_some(()).ok_or_else(|| format!("{arguments}: {}", ended.describe())));
        }
        row
    } else {
        Row::skipped("device without space", "there is no /dev/full")
    });
    rows.push(if exists("sh") {
        let mut row = Row::new("limit on the size of files");
        for writer in &WRITERS {
            let folder = fresh(bench.folder, "limited")?;
            fs::write(folder.join(writer.file), OLD)?;
            // Files of half a KiB or of one, by the shell.
            let shell = ["sh", "-c", "ulimit -f 1; exec \"$@\"", "sh"];
            let ended = process::run(bench.program.command_under(&shell, &folder, writer.arguments))?;
            // The picture of a curve without points has less than that.
            let result = if writer.file == "curve" && ended.code == Some(0) {
                Ok(())
            } else {
                judge(&folder, &[writer.file], writer, &ended, OLD)
            };
            row.count(result.map_err(|why| told(writer, &why)));
        }
        row
    } else {
        Row::skipped("limit on the size of files", "there is no shell")
    });
    Ok(rows)
}

fn told(writer: &Writer, why: &str) -> String {
    format!("{}: {why}", writer.name)
}

/// Checks that the command failed in words, that the old file is there, and nothing but the files `names`.
fn judge(
    folder: &Path,
    names: &[&str],
    writer: &Writer,
    ended: &Ended,
    old: &str,
) -> std::result::Result<(), String> {
    ended.failed(&[1])?;
    let content = fs::read_to_string(folder.join(writer.file)).map_err(|error| error.to_string())?;
    let whole_lines = writer.grows && content.ends_with('\n');
    if content != old && !whole_lines {
        return Err(format!("the old file is lost: {} bytes", content.len()));
    }
    for entry in fs::read_dir(folder).map_err(|error| error.to_string())? {
        let name = entry.map_err(|error| error.to_string())?.file_name();
        if !names.iter().any(|&known| name == known) {
            return Err(format!("it left {}", name.to_string_lossy()));
        }
    }
    Ok(())
}

/// Makes a folder with room for other files, and a record in it.
fn spare(bench: &Bench) -> Result<PathBuf> {
    let spare = fresh(bench.folder, "spare")?;
    let solve = "contest solve --width 20 --pieces 90 --threads 1 --out record";
    succeed(bench.program.command(&spare, solve))?;
    Ok(spare)
}

/// Writes a file until there is no more room.
fn fill(path: &Path) -> Result<()> {
    use std::io::Write;
    let mut file = fs::File::create(path)?;
    for size in [4096, 1] {
        while file.write_all(&vec![0; size]).is_ok() {}
    }
    Ok(())
}

#[cfg(unix)]
fn link(target: &str, path: &Path) -> Result<()> {
    Ok(std::os::unix::fs::symlink(target, path)?)
}

#[cfg(not(unix))]
fn link(_target: &str, _path: &Path) -> Result<()> {
    Err("no symbolic links here".into())
}

/// A file system in memory, mounted on a folder until it is dropped.
struct Mount<'a>(&'a Path);

impl<'a> Mount<'a> {
    fn new(folder: &'a Path, options: &str) -> std::result::Result<Self, String> {
        mount(folder, &["-t", "tmpfs", "-o", options, "tmpfs"])?;
        Ok(Self(folder))
    }

    fn make_read_only(&self) -> std::result::Result<(), String> {
        mount(self.0, &["-o", "remount,ro"])
    }
}

impl Drop for Mount<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

/// Runs `mount`; an error says in a line why that is not possible.
fn mount(folder: &Path, arguments: &[&str]) -> std::result::Result<(), String> {
    let output = Command::new("mount").args(arguments).arg(folder).output();
    let output = output.map_err(|error| format!("mount: {error}"))?;
    if output.status.success() {
        Ok(())
    } else {
        let stderr = String::from_utf8_lossy(&output.stderr);
        Err(stderr.lines().next().unwrap_or("mount failed").rsplit(": ").next().unwrap_or_default().into())
    }
}

/// Long work whose output goes to a folder that cannot be written.
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

/// The time in which a command is refused: far less than its work.
const AT_ONCE: Duration = Duration::from_secs(30);

pub(super) fn read_only(bench: &mut Bench) -> Result<Vec<Row>> {
    const CASE: &str = "read-only folder";
    spare(bench)?;
    let folder = fresh(bench.folder, "read-only")?;
    let fill = |bench: &Bench| -> Result<()> {
        for arguments in [
            "contest solve --width 2 --pieces 9 --out game",
            "2048 train --games 1 --out net",
            "tetris match --bot BOT --bot BOT --games 1 --pieces 1 --milliseconds 0 --out match",
        ] {
            succeed(bench.program.command(&folder, arguments))?;
        }
        Ok(())
    };
    // The mode of a folder does not stop root.
    let mount = match Mount::new(&folder, "size=1g") {
        Ok(mount) => {
            fill(bench)?;
            mount.make_read_only()?;
            Some(mount)
        }
        Err(why) if user() == Some(0) => return Ok(vec![Row::skipped(CASE, why)]),
        Err(_) => {
            fill(bench)?;
            set_writable(&folder, false)?;
            None
        }
    };
    let mut row = Row::new(CASE);
    for arguments in REFUSED {
        let start = Instant::now();
        let mut running = Running::start(bench.program.command(&folder, arguments), "")?;
        running.close();
        let ended = running.wait(AT_ONCE)?;
        let result = ended.refused(&[1, 2]);
        let took = start.elapsed().as_secs_f64();
        row.count(result.map_err(|why| format!("{arguments}: after {took:.1} s: {why}")));
    }
    if mount.is_none() {
        set_writable(&folder, true)?;
    }
    Ok(vec![row])
}

fn set_writable(folder: &Path, writable: bool) -> Result<()> {
    let mode = if writable { "u+w" } else { "a-w" };
    let status = Command::new("chmod").arg(mode).arg(folder).status()?;
    if status.success() { Ok(()) } else { Err("chmod failed".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_file_must_stay_and_nothing_new() {
        let folder = std::env::temp_dir().join(format!("xtask-disk-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let ended =
            Ended { code: Some(1), stderr: "bitcade: game: no space\n".to_owned(), ..Ended::default() };
        let judge = || judge(&folder, &["game"], &WRITERS[0], &ended, OLD);
        assert!(judge().is_err(), "no file");
        fs::write(folder.join("game"), OLD).unwrap();
        assert_eq!(judge(), Ok(()));
        fs::write(folder.join(".game.tmp"), "").unwrap();
        assert_eq!(judge(), Err("it left .game.tmp".to_owned()));
        fs::remove_file(folder.join(".game.tmp")).unwrap();
        fs::write(folder.join("game"), "half").unwrap();
        assert!(judge().is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
