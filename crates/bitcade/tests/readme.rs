//! What the pages of the workspace say: every command of the README that runs the program (those that wait for
//! keys are run in `pty.rs`), and the names of tests in RELIABILITY.md.
#![cfg(unix)]

use crate::common::PROGRAM;
use crate::common::readme::{COMMAND, commands, screen_arguments};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

/// What is shorter here: numbers of games and times, which are those of a person who looks.
const SHORTER: [[&str; 2]; 6] = [
    ["--time 12s", "--time 2s"],
    ["--time 30 ", "--time 10ms "],
    ["sleep 2", "sleep 0.2"],
    ["--pieces 10000000", "--pieces 100000"],
    ["IOLJSZT --depth 7", "IOLJSZT --depth 5"],
    ["train --games 5000", "train --games 500"],
];

/// The commands in their order: later ones read what earlier ones wrote.
#[test]
fn every_command_runs() {
    // It looks like a checkout with a built program.
    let folder = tempfile::tempdir().expect("a folder");
    let built = folder.path().join("target/release");
    fs::create_dir_all(&built).expect("a folder");
    symlink(PROGRAM, built.join("bitcade")).expect("a link");
    let commands = commands();
    let commands: Vec<&String> =
        commands.iter().filter(|command| screen_arguments(command).is_none()).collect();
    assert!(commands.len() >= 20, "{commands:?}");
    let mut shortened = 0;
    for command in commands {
        let mut script = command.replace(COMMAND, "target/release/bitcade ");
        for [long, short] in SHORTER {
            shortened += script.matches(long).count();
            script = script.replace(long, short);
        }
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(folder.path()).stdin(Stdio::null());
        let output = shell.env("XDG_DATA_HOME", folder.path().join("data")).output().expect("sh");
        assert!(output.status.success(), "{script}: {output:?}");
        assert!(!output.stdout.is_empty() || command.contains("target/"), "{script}: printed nothing");
    }
    assert_eq!(shortened, SHORTER.len(), "a command of SHORTER is not in the README");
    for picture in ["watch.gif", "game.gif"] {
        let bytes = fs::read(folder.path().join("target").join(picture)).expect("a picture");
        assert!(bytes.starts_with(b"GIF89a") && bytes.len() > 10_000, "{picture}: {}", bytes.len());
    }
}

#[test]
fn the_tests_of_the_reliability_page_exist() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(package.join("../../RELIABILITY.md")).expect("a page");
    let names: Vec<_> =
        page.split('`').skip(1).step_by(2).filter_map(|name| name.rsplit_once("::")).collect();
    assert!(names.len() > 40, "{names:?}");
    for (file, name) in names {
        let folder = package.join(if file.starts_with("crates/") { "../.." } else { "tests" });
        let text = fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let is_there = ["fn", "def"].iter().any(|word| text.contains(&format!("{word} {name}(")));
        assert!(is_there, "{file}::{name} is no test");
    }
}
