//! Every command of the README that runs the program, run as it stands there. Those that wait for keys are
//! run in `pty.rs`.
#![cfg(unix)]

use crate::common::readme::{PROGRAM, commands, screen_arguments};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs a command in a folder that looks like a checkout with a built program.
fn run(command: &str, folder: &Path) {
    let script = command.replace(PROGRAM, "target/release/bitcade ");
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder)
        .env("XDG_DATA_HOME", folder.join("data"))
        .stdin(Stdio::null())
        .output()
        .expect("sh");
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command}: {}: {error}", output.status);
    assert!(!out.is_empty() || command.contains("target/"), "{command}: printed nothing");
}

/// The commands in their order: later ones read what earlier ones wrote.
#[test]
fn every_command_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let built = folder.path().join("target/release");
    fs::create_dir_all(&built).expect("a folder");
    symlink(env!("CARGO_BIN_EXE_bitcade"), built.join("bitcade")).expect("a link");
    let commands = commands();
    let commands: Vec<&String> =
        commands.iter().filter(|command| screen_arguments(command).is_none()).collect();
    assert!(commands.len() >= 20, "{commands:?}");
    for command in commands {
        run(command, folder.path());
    }
    for picture in ["watch.gif", "game.gif"] {
        let bytes = fs::read(folder.path().join("target").join(picture)).expect("a picture");
        assert!(bytes.starts_with(b"GIF89a") && bytes.len() > 10_000, "{picture}: {}", bytes.len());
    }
}
