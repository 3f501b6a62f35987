//! Standard streams by their names, and files that can't be renamed.

use crate::{names, read, save};
use bitcade_files::{Existing, InputFile, OutputFile, is_stdout_taken};
use std::env;
use std::fs;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};

/// The output or input of a test that runs as a process of its own.
const OUTPUT: &str = "BITCADE_FILES_OUTPUT";

/// Returns a process that runs one test of this program again, under another program such as
/// `setpriv`.
fn again(outer: &[&str], test: &str, output: &Path) -> Command {
    let own = env::current_exe().expect("this program");
    let mut words = outer.iter().map(AsRef::as_ref).chain([own.as_os_str()]);
    let mut command = Command::new(words.next().expect("a program"));
    command.args(words).args(["--exact", test, "--nocapture"]).env(OUTPUT, output);
    command
}

/// A socket has no other name than its descriptor, and can't be opened.
#[test]
fn the_names_of_standard_streams_are_the_streams() {
    if let Some(path) = env::var_os(OUTPUT) {
        let path: &Path = path.as_ref();
        if path.ends_with("stdin") || path.ends_with("0") {
            let mut text = String::new();
            InputFile::open(path).expect("an input").read_to_string(&mut text).expect("UTF-8");
            return assert_eq!(text, "112");
        }
        let output = OutputFile::check(path, Existing::Replace).expect("an output");
        assert!(!output.is_regular());
        assert_eq!(is_stdout_taken(), !path.ends_with("stderr") && !path.ends_with("2"));
        output.write(|sink| sink(b"results")).expect("a reader");
        return output.appender().expect("a reader").append(b" and more").expect("a reader");
    }
    for (number, name) in [(0, "stdin"), (1, "stdout"), (2, "stderr")] {
        let names = [
            format!("/dev/{name}"),
            format!("/dev/fd/{number}"),
            format!("/proc/self/fd/{number}"),
        ];
        for name in names.iter().map(String::as_str).chain((number == 1).then_some("-")) {
            let (mut ours, theirs) = UnixStream::pair().expect("two sockets");
            let theirs = Stdio::from(OwnedFd::from(theirs));
            let mut test =
                again(&[], "linux::the_names_of_standard_streams_are_the_streams", name.as_ref());
            test.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
            match number {
                0 => test.stdin(theirs),
                1 => test.stdout(theirs),
                _ => test.stderr(theirs),
            };
            let child = test.spawn().expect("a test");
            drop(test);
            if number == 0 {
                ours.write_all(b"112").expect("a socket");
            }
            ours.shutdown(Shutdown::Write).expect("a socket");
            let mut text = String::new();
            ours.read_to_string(&mut text).expect("UTF-8");
            assert_eq!(text.contains("results and more"), number > 0, "{name}: {text}");
            let ended = child.wait_with_output().expect("it ends");
            assert!(ended.status.success(), "{name}: {ended:?}");
        }
    }
}

/// A mounted file, and another user's file in a folder where only the owner may rename it: both are
/// written in place, whether they become longer or shorter.
#[test]
fn what_cannot_be_renamed_is_written_in_place() {
    const STICKY: &[&str] = &["setpriv", "--reuid", "61233", "--regid", "61233", "--clear-groups"];
    const MOUNTED: &[&str] =
        &["unshare", "-Urm", "sh", "-c", "mount --bind real file && exec \"$0\" \"$@\""];
    const NEW: &str = "new results";

    if let Some(path) = env::var_os(OUTPUT) {
        return save(path.as_ref(), NEW).expect("space");
    }
    for (outer, written) in [(STICKY, "file"), (MOUNTED, "real")] {
        let folder = tempfile::tempdir().expect("a folder");
        let place = |name: &str| folder.path().join(name);
        for name in ["real", "file"] {
            fs::write(place(name), "").expect("a file");
        }
        for (name, mode) in [(".", 0o1777), ("file", 0o666)] {
            fs::set_permissions(place(name), PermissionsExt::from_mode(mode)).expect("permitted");
        }
        if !again(outer, "none", "".as_ref())
            .current_dir(&folder)
            .status()
            .is_ok_and(|status| status.success())
        {
            println!("SKIPPED: no way to run {outer:?}");
            continue;
        }
        for old in ["short", &"long ".repeat(1000)] {
            fs::write(place(written), old).expect("a file");
            let test = "linux::what_cannot_be_renamed_is_written_in_place";
            let saved =
                again(outer, test, &place("file")).current_dir(&folder).output().expect("a test");
            assert!(saved.status.success(), "{saved:?}");
            assert_eq!(read(&place(written)), NEW, "{outer:?}");
            assert_eq!(names(folder.path()), ["file", "real"], "{outer:?}");
        }
    }
}
