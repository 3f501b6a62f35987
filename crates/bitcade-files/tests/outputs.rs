//! Outputs on every system.

use crate::{fails, names, read, save};
use bitcade_files::{Existing, Failure, OutputFile};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

const BUSY: &str = "another program is writing it";
const KEEP: Existing = Existing::Keep { resumable: false };

/// Creates a hidden file of an output, as another program does.
fn hidden(output: &Path) -> (File, PathBuf) {
    let name = output.file_name().expect("a name").as_encoded_bytes();
    let path =
        output.with_file_name(format!(".bitcade-{:08x}-aB3dE6gH9jK2", crc32fast::hash(name)));
    (File::create(&path).expect("a file"), path)
}

#[test]
fn a_draft_is_nothing_until_it_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("results");
    save(&path, "old").expect("space");
    let output = OutputFile::check(&path, Existing::Replace).expect("an output");
    let mut draft = output.draft().expect("a draft");
    draft.file().write_all(b"new").expect("space");
    assert_eq!(draft.name(), path.display().to_string());
    assert_eq!(draft.folder(), folder.path().canonicalize().expect("a folder"));
    drop(draft);
    let draft = output.prepare(|sink| sink(b"newer")).expect("space");
    assert_eq!(read(&path), "old");
    draft.keep().expect("a new name");
    assert_eq!(read(&path), "newer");
    drop(output);
    assert_eq!(names(folder.path()), ["results"]);
}

#[test]
fn results_are_replaced_only_on_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("results");
    // An empty file, as from `mktemp`, contains nothing to lose.
    fs::write(&path, "").expect("a file");
    OutputFile::check(&path, KEEP).expect("an output");
    fs::write(&path, "precious").expect("a file");
    fails(OutputFile::check(&path, KEEP), "results: is not empty; --force replaces it");
    let keep = Existing::Keep { resumable: true };
    let refusal = "contains results of another run; --resume continues them, --force replaces them";
    fails(OutputFile::check(&path, keep), refusal);
    for allowed in [Existing::Resume, Existing::Replace] {
        assert!(OutputFile::check(&path, allowed).expect("an output").is_regular());
    }
    assert_eq!(read(&path), "precious");
    assert_eq!([false, true].map(Existing::forced), [KEEP, Existing::Replace]);
    let flags = [(false, false), (false, true), (true, false), (true, true)];
    let chosen = flags.map(|(force, resume)| Existing::forced_or_resumed(force, resume));
    assert_eq!(chosen, [keep, Existing::Resume, Existing::Replace, Existing::Replace]);
}

#[test]
fn names_that_cannot_be_files_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("file"), "").expect("a file");
    let expected = "expected a file name in an existing folder";
    for (name, message) in [
        (".", "is a directory"),
        ("new/", expected),
        ("file/below", expected),
        ("none/below", expected),
        (".bitcade-x", "are reserved for temporary files"),
    ] {
        fails(OutputFile::check(&folder.path().join(name), Existing::Replace), message);
    }
    assert_eq!(names(folder.path()), ["file"]);
}

#[test]
fn failures_have_exit_codes() {
    let text = String::new;
    assert_eq!(Failure::Check(text()).exit_code(), ExitCode::from(1));
    assert_eq!(Failure::Output(io::ErrorKind::BrokenPipe.into()).exit_code(), ExitCode::from(1));
    assert_eq!(Failure::Input(text()).exit_code(), ExitCode::from(2));
}

/// Within a program, until the first is dropped.
#[test]
fn a_file_is_one_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("results");
    let first = OutputFile::check(&path, Existing::Replace).expect("an output");
    let clone = first.clone();
    fails(OutputFile::check(&path, Existing::Replace), "used for two outputs");
    drop(first);
    fails(OutputFile::wait(&path, KEEP, |waited| waited.as_millis() > 20), "used for two outputs");
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(20));
            drop(clone);
        });
        OutputFile::wait(&path, KEEP, |_| false).expect("an output");
    });
}

/// With and without permission to replace its results. What a killed program leaves is unlocked;
/// the next one removes it once it has saved.
#[test]
fn a_file_has_one_writer() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("results");
    let (other, left) = hidden(&path);
    other.lock().expect("a lock");
    for existing in [KEEP, Existing::Resume, Existing::Replace] {
        fails(OutputFile::check(&path, existing), BUSY);
    }
    fails(OutputFile::wait(&path, KEEP, |waited| waited.as_millis() > 20), BUSY);
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(20));
            drop(other);
        });
        let output = OutputFile::wait(&path, KEEP, |_| false).expect("an output");
        let folder = folder.path().canonicalize().expect("a folder");
        assert_eq!(output.leftovers(), [folder.join(left.file_name().expect("a name"))]);
        assert!(left.exists());
        output.write(|sink| sink(b"results")).expect("space");
        assert!(output.leftovers().is_empty());
    });
    assert_eq!(names(folder.path()), ["results"]);
}

/// Names of older versions belong to the user, and so does a folder that looks like a hidden file.
#[test]
fn files_of_the_user_are_never_ours() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("results");
    for name in [".results.lock", ".results.saving", ".bitcade-12345678-aB3dE6gH9jK2"] {
        fs::write(folder.path().join(name), "precious").expect("a file");
    }
    let (file, looks_hidden) = hidden(&path);
    drop(file);
    fs::remove_file(&looks_hidden).expect("a file");
    fs::create_dir(&looks_hidden).expect("a folder");
    let mut expected = names(folder.path());
    save(&path, "new").expect("space");
    expected.push("results".to_owned());
    assert_eq!(names(folder.path()), expected);
}

/// The results are saved next to it, and next to other files of the user.
#[test]
fn a_file_of_the_meantime_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("results");
    fs::write(folder.path().join("results.new"), "mine").expect("a file");
    let output = OutputFile::check(&path, KEEP).expect("an output");
    fs::write(&path, "precious").expect("a file");
    for text in ["some", "all"] {
        let saved = output.write(|sink| sink(text.as_bytes()));
        fails(
            saved,
            "another program has written it in the meantime; the results of this run are in ",
        );
        assert_eq!(read(&folder.path().join("results.new-2")), text);
    }
    drop(output);
    assert_eq!(read(&path), "precious");
    assert_eq!(read(&folder.path().join("results.new")), "mine");
    assert_eq!(names(folder.path()), ["results", "results.new", "results.new-2"]);
    // Unless it may be replaced.
    let output = OutputFile::check(&path, Existing::Replace).expect("an output");
    fs::write(&path, "written meanwhile").expect("a file");
    output.write(|sink| sink(b"new")).expect("space");
    assert_eq!(read(&path), "new");
}

/// A child keeps the locks of a killed program until it executes its own.
#[test]
fn a_lock_that_goes_soon_is_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("results");
    let (lock, _) = hidden(&path);
    lock.lock().expect("locks");
    thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(20));
            drop(lock);
        });
        save(&path, "new").expect("the lock is gone");
    });
    assert_eq!(read(&path), "new");
}
