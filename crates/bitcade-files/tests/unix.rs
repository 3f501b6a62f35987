//! Modes, links, devices and pipes.

use crate::{fails, names, read, save};
use bitcade_files::{Existing, OutputFile, set_is_ending};
use std::fs::{self, File};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("a file").mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permitted");
}

#[test]
fn a_reader_sees_whole_files_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("results");
    let texts = ["old ".repeat(200_000), "new".repeat(100_000)];
    save(&path, &texts[0]).expect("space");
    thread::scope(|scope| {
        let writer = scope.spawn(|| (0..30).try_for_each(|i| save(&path, &texts[i % 2])));
        while !writer.is_finished() {
            let found = read(&path);
            assert!(texts.contains(&found), "{} bytes", found.len());
        }
        writer.join().expect("no panic").expect("space");
    });
    assert_eq!(names(folder.path()), ["results"]);
}

/// And the owner, where that is permitted. A draft is as private as the old file.
#[test]
fn modes_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("results");
    save(&path, "").expect("space");
    let other = folder.path().join("other");
    fs::write(&other, "").expect("a file");
    assert_eq!(mode(&path), mode(&other), "a new file");
    for kept in [0o600, 0o640, 0o755] {
        set_mode(&path, kept);
        let output = OutputFile::check(&path, Existing::Replace).expect("an output");
        let mut draft = output.draft().expect("a draft");
        assert_eq!(draft.file().metadata().expect("a file").mode() & 0o077 & !kept, 0);
        draft.keep().expect("a new name");
        assert_eq!(mode(&path), kept);
    }
    if chown(&path, Some(61_233), Some(61_234)).is_err() {
        println!("SKIPPED: owners, which only root can change");
        return;
    }
    save(&path, "new").expect("space");
    let found = fs::metadata(&path).expect("a file");
    assert_eq!(found.uid(), 61_233);
    assert_eq!(found.gid(), 61_234);
}

#[test]
fn symbolic_links_are_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    fs::create_dir(place("real")).expect("a folder");
    for (to, link) in [
        ("real/file", "link"),
        ("link", "chain"),
        ("first", "second"),
        ("second", "first"),
        ("real", "folder"),
    ] {
        symlink(to, place(link)).expect("a link");
    }
    // The link dangles first.
    for (name, text) in [("chain", "some"), ("link", "all"), ("folder/file", "more")] {
        save(&place(name), text).expect("space");
        assert_eq!(read(&place("real/file")), text);
    }
    for name in ["link", "chain", "folder"] {
        assert!(place(name).is_symlink(), "{name}");
    }
    assert_eq!(names(&place("real")), ["file"]);
    fails(OutputFile::check(&place("first"), Existing::Replace), "too many symbolic links");
    fails(OutputFile::check(&place("folder"), Existing::Replace), "is a directory");
}

/// As a copy made of hard links expects.
#[test]
fn hard_links_keep_the_old_content() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("results");
    let copy = folder.path().join("copy");
    save(&path, "old").expect("space");
    fs::hard_link(&path, &copy).expect("a link");
    let output = OutputFile::check(&path, Existing::Replace).expect("an output");
    fails(OutputFile::check(&copy, Existing::Replace), "copy: used for two outputs");
    output.write(|sink| sink(b"new")).expect("space");
    assert_eq!(read(&copy), "old");
    assert_eq!(read(&path), "new");
}

#[test]
fn a_name_is_as_long_as_the_file_system_allows() {
    let folder = tempfile::tempdir().expect("a folder");
    let long = "n".repeat(255);
    save(&folder.path().join(&long), "results").expect("space");
    assert_eq!(names(folder.path()), [long]);
}

#[test]
fn devices_and_pipes_are_written_in_place() {
    let folder = tempfile::tempdir().expect("a folder");
    // Through a link, to keep a bug from replacing the device itself.
    let link = folder.path().join("null");
    symlink("/dev/null", &link).expect("a link");
    save(&link, "results").expect("a device");
    assert!(link.is_symlink());
    assert!(fs::metadata(&link).expect("a device").file_type().is_char_device());

    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().expect("cat");
    let output = OutputFile::check(&pipe, Existing::Keep { resumable: false }).expect("an output");
    assert!(!output.is_regular());
    let mut appender = output.appender().expect("a reader");
    appender.append(b"one, ").expect("a reader");
    output.prepare(|sink| sink(b"two, ")).expect("space").keep().expect("a reader");
    appender.append(b"three").expect("a reader");
    drop(appender);
    assert_eq!(reader.wait_with_output().expect("it ends").stdout, b"one, two, three");
    assert!(fs::metadata(&pipe).expect("a pipe").file_type().is_fifo());
    drop(output);
    assert_eq!(names(folder.path()), ["null", "pipe"]);
}

/// A folder that another program has locked delays an output by a second, or less if a signal is
/// about to end this one.
#[test]
fn a_locked_folder_is_not_waited_for_long() {
    static IS_ENDING: AtomicBool = AtomicBool::new(false);
    set_is_ending(|| IS_ENDING.load(Ordering::Relaxed));
    let folder = tempfile::tempdir().expect("a folder");
    let locked = File::open(folder.path()).expect("a folder");
    locked.lock().expect("a lock");
    let time = |name: &str| {
        let begun = Instant::now();
        save(&folder.path().join(name), "results").expect("space");
        begun.elapsed()
    };
    let usual = time("usual");
    IS_ENDING.store(true, Ordering::Relaxed);
    let ending = time("ending");
    assert!(usual > Duration::from_secs(1), "{usual:?}");
    assert!(ending < usual, "{ending:?}");
}
