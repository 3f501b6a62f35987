//! Fewer threads than requested, due to a process limit (`prlimit`) of another user (`setpriv`):
//! searches continue with the threads that started, and a command that can't read its input reports
//! that.
#![cfg(target_os = "linux")]

use crate::common::{PROGRAM, Run, prepare, short_or_full, stderr, stdout, under};
use crate::limits::{GREEDY, does_with_less};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// Returns a run as another user with at most `limit` processes and threads, or `None` where that
/// is impossible: only root can become another user, who may not have access to the program's
/// folder.
///
/// The user has no other processes and is a different one for each call: the limit only counts the
/// program's processes, not a concurrent test's.
fn with_threads(limit: u32, line: &str) -> Option<Run> {
    static NEXT: AtomicU32 = AtomicU32::new(61_234);
    let user = NEXT.fetch_add(1, Ordering::Relaxed).to_string();
    let limit = format!("--nproc={limit}");
    let outer =
        ["prlimit", &limit, "setpriv", "--reuid", &user, "--regid", &user, "--clear-groups"];
    let can = || {
        Some(
            Command::new(outer[0])
                .args(&outer[1..])
                .args([PROGRAM, "--version"])
                .output()
                .ok()?
                .status,
        )
    };
    if !can().is_some_and(|status| status.success()) {
        println!("SKIPPED: no way to run the program as another user with a limit of threads");
        return None;
    }
    Some(under(&outer, line))
}

/// Checks that the program did its work on fewer threads than are useful of 1024, with one remark.
fn check_goes_on(output: &Output) -> String {
    let stderr = stderr(output);
    assert!(output.status.success(), "{}: {stderr}", output.status);
    let remarks: Vec<&str> =
        stderr.lines().filter(|line| line.contains("threads could be started")).collect();
    let [remark] = remarks[..] else { panic!("expected one remark: {stderr}") };
    let wanted = format!(" of {} threads", bitcade_core::useful_threads(1024));
    assert!(remark.starts_with("bitcade: only ") && remark.contains(&wanted), "{remark}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    stdout(output)
}

/// Returns an empty folder that every user may write to.
fn folder() -> tempfile::TempDir {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder for the test's files");
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777))
        .expect("its permissions");
    folder
}

/// Checks that a command continues with the threads that start, and that its output begins with the
/// first text and contains the second. It has its own folder.
fn goes_on(limit: u32, line: &str, input: &str, begins: &str, has: &str) {
    let folder = folder();
    let Some(run) = with_threads(limit, &format!("{line} --threads 1024")) else { return };
    let text = check_goes_on(&run.within(folder.path()).stdin(input).output());
    assert!(!text.is_empty() && text.starts_with(begins) && text.contains(has), "{line}: {text}");
}

#[test]
fn searches_go_on_with_the_threads_that_start() {
    goes_on(20, "contest solve --out game --time 1 --pieces 5", "", "score ", "pieces 5");
    goes_on(
        20,
        "contest solve --out game --search tree --depth 8 --pieces 3",
        "",
        "score ",
        "pieces 3",
    );
    goes_on(20, "go gtp --playouts 20000", "genmove b\n7 genmove w\n", "= ", "\n=7 ");
}

#[test]
fn games_go_on_with_the_threads_that_start() {
    for line in [
        "2048 playouts --games 200000 --json",
        "2048 solve --size 2x3",
        "match3 evaluate --agent random --games 500",
        "go playouts --games 5000",
        "tetris perft --queue IOLJSZT --depth 4",
        "tetris control --weights dt20 --pieces 5000",
    ] {
        // With a limit of 1 there is not even one more thread.
        for limit in [20, 1] {
            goes_on(limit, line, "", "", "");
        }
    }
}

fn check_no_reader(output: &Output, input: &str) {
    let stderr = stderr(output);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(output.stdout.is_empty() && stderr.lines().count() == 1, "{stderr}");
    let message = format!("bitcade: {input}: the thread that reads it could not be started: ");
    assert!(stderr.starts_with(&message), "{stderr}");
}

#[test]
fn no_thread_to_read_the_input_is_one_line() {
    for line in ["go gtp", "tetris tbp"] {
        if let Some(run) = with_threads(1, line) {
            check_no_reader(&run.stdin("name\n").output(), "standard input");
        }
    }
}

#[test]
fn no_thread_to_read_a_bot_is_one_line() {
    let folder = folder();
    let line = "tetris match --games 1 --out results --bot 'sleep 100' --bot 'sleep 100'";
    // At the lowest limits not even the bot's process can start; which ones these are depends on
    // the program's own threads.
    for limit in 2..8 {
        let Some(run) = with_threads(limit, line) else { return };
        let output = run.within(folder.path()).output();
        let stderr = stderr(&output);
        if stderr.contains("the thread") {
            return check_no_reader(&output, "the output of --bot sleep 100");
        }
        // 126: not even the program could start.
        let code = output.status.code();
        assert!(matches!(code, Some(2 | 126)) && stderr.lines().count() == 1, "{code:?}: {stderr}");
    }
    panic!("no limit of processes lets the bot start and its reader not");
}

#[test]
fn greedy_commands_do_with_fewer_threads() {
    let limits = short_or_full(&[3][..], &[2, 3, 6, 12]);
    let crowded = ["contest solve", "2048 solve", "2048 train", "tetris", "go gtp"];
    for (line, input) in GREEDY {
        if !crowded.iter().any(|name| line.starts_with(name)) || line.contains("--threads 1 ") {
            continue;
        }
        for &limit in limits {
            let folder = folder();
            prepare(folder.path(), line);
            let Some(run) = with_threads(limit, line) else { return };
            does_with_less(run.within(folder.path()), line, input);
        }
    }
}
