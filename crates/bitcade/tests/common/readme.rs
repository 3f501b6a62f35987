//! The commands of the workspace's README that run the program.

use std::fs;
use std::path::Path;

/// Returns the README's shell commands that run the program with arguments, without the remarks behind them.
pub(crate) fn commands() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let text = fs::read_to_string(path).expect("the README of the workspace");
    let mut commands = Vec::new();
    let mut shell = false;
    for line in text.lines() {
        if let Some(language) = line.strip_prefix("```") {
            shell = language == "sh";
        } else if shell && line.contains(COMMAND) {
            commands.push(line.split(" # ").next().unwrap_or_default().trim().to_owned());
        }
    }
    commands
}

/// The words with which the README runs the program.
pub(crate) const COMMAND: &str = "cargo run --release -- ";

/// Returns the arguments of a command that shows a screen and waits for keys.
pub(crate) fn screen_arguments(command: &str) -> Option<&str> {
    let arguments = command.strip_prefix(COMMAND)?;
    let screen = arguments.starts_with("watch") || arguments.starts_with("play");
    (screen && !arguments.contains("--record")).then_some(arguments)
}
