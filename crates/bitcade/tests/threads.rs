//! Fewer threads than asked for, by a limit of processes (`prlimit`) of another user (`setpriv`): searches go
//! on with the threads that started, and a command that can't read its input says so.
#![cfg(target_os = "linux")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// Returns a user without processes of its own, another one for each call: the limit counts only the
/// program's, and not those of a test that runs meanwhile.
fn user() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(61_234);
    NEXT.fetch_add(1, Ordering::Relaxed).to_string()
}

/// Runs the program as another user with at most `limit` processes and threads. Returns `None` where that
/// is not possible.
fn limited(limit: u32, arguments: &[&str], input: &str) -> Option<Output> {
    let user = user();
    let run = |program: &str, arguments: &[&str], input: &str| {
        let mut command = Command::new("prlimit");
        command.args([&format!("--nproc={limit}"), "setpriv", "--reuid", &user, "--regid", &user]);
        command.args(["--clear-groups", program]).args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().ok()?;
        // A program that ends early does not read its input.
        let _ = child.stdin.take()?.write_all(input.as_bytes());
        child.wait_with_output().ok()
    };
    let bitcade = env!("CARGO_BIN_EXE_bitcade");
    // Only root can become another user, who may not reach the program's folder.
    if !run(bitcade, &["--version"], "").is_some_and(|output| output.status.success()) {
        println!("SKIPPED: no way to run the program as another user with a limit of threads");
        return None;
    }
    run(bitcade, arguments, input)
}

/// Checks that the program did its work on fewer threads than 1024 and said so once.
fn check_goes_on(output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {stderr}", output.status);
    let remarks: Vec<&str> =
        stderr.lines().filter(|line| line.contains("threads could be started")).collect();
    let [remark] = remarks[..] else { panic!("expected one remark: {stderr}") };
    assert!(remark.starts_with("bitcade: only ") && remark.contains(" of 1024 threads"), "{remark}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns an empty folder that every user may write to.
fn folder() -> tempfile::TempDir {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder for the test's files");
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).expect("its permissions");
    folder
}

fn solve(file: &Path, arguments: &[&str]) -> Option<String> {
    let all = [&["contest", "solve", "--threads", "1024", "--out", file.to_str()?], arguments].concat();
    limited(20, &all, "").map(|output| check_goes_on(&output))
}

#[test]
fn beam_search_goes_on_with_the_threads_that_start() {
    let folder = folder();
    let file = folder.path().join("game");
    if let Some(text) = solve(&file, &["--time", "1", "--pieces", "5"]) {
        assert!(text.contains("pieces 5"), "{text}");
    }
}

#[test]
fn tree_search_goes_on_with_the_threads_that_start() {
    let folder = folder();
    let file = folder.path().join("game");
    if let Some(text) = solve(&file, &["--search", "tree", "--depth", "8", "--pieces", "3"]) {
        assert!(text.contains("pieces 3"), "{text}");
    }
}

#[test]
fn a_go_session_goes_on_with_the_threads_that_start() {
    let arguments = ["go", "gtp", "--threads", "1024", "--playouts", "1000"];
    if let Some(output) = limited(20, &arguments, "genmove b\n7 genmove w\n") {
        let text = check_goes_on(&output);
        assert!(text.starts_with("= ") && text.contains("\n=7 "), "{text}");
    }
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
        let arguments: Vec<&str> = line.split(' ').chain(["--threads", "1024"]).collect();
        if let Some(output) = limited(20, &arguments, "") {
            assert!(!check_goes_on(&output).is_empty(), "{line}");
        }
        // Not even one more thread.
        if let Some(output) = limited(1, &arguments, "") {
            assert!(!check_goes_on(&output).is_empty(), "{line}");
        }
    }
}

/// Checks that the program ends with status 1 and one line.
fn check_no_reader(output: &Output, input: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(output.stdout.is_empty() && stderr.lines().count() == 1, "{stderr}");
    let message = format!("bitcade: {input}: the thread that reads it could not be started: ");
    assert!(stderr.starts_with(&message), "{stderr}");
}

#[test]
fn no_thread_to_read_the_input_is_one_line() {
    for arguments in [&["go", "gtp"][..], &["tetris", "tbp"]] {
        if let Some(output) = limited(1, arguments, "name\n") {
            check_no_reader(&output, "standard input");
        }
    }
}

#[test]
fn no_thread_to_read_a_bot_is_one_line() {
    let folder = folder();
    let Some(file) = folder.path().join("results").to_str().map(str::to_owned) else { return };
    let bots = ["--bot", "sleep 100", "--bot", "sleep 100"];
    let arguments = [&["tetris", "match", "--games", "1", "--out", &file], &bots[..]].concat();
    // At the least limits not even the bot's process can start; which ones depends on the program's own
    // threads.
    for limit in 2..8 {
        let Some(output) = limited(limit, &arguments, "") else { return };
        let stderr = String::from_utf8_lossy(&output.stderr);
        if stderr.contains("the thread") {
            return check_no_reader(&output, "the output of --bot sleep 100");
        }
        // 126: not even the program could start.
        let code = output.status.code();
        assert!(matches!(code, Some(2 | 126)) && stderr.lines().count() == 1, "{code:?}: {stderr}");
    }
    panic!("no limit of processes lets the bot start and its reader not");
}
