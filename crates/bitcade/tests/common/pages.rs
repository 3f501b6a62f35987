//! The commands on the workspace's pages.

use std::fs;
use std::path::{Path, PathBuf};

/// A command line of a page, without the remark behind it.
#[derive(Debug)]
pub(crate) struct Command {
    pub(crate) page: PathBuf,
    pub(crate) line: String,
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

/// Returns the Markdown files of the workspace, relative to its folder.
fn pages() -> Vec<PathBuf> {
    let root = root();
    let entries = |folder: PathBuf| {
        fs::read_dir(folder).expect("a folder").map(|entry| entry.unwrap().path())
    };
    let crates = entries(root.join("crates")).filter(|path| path.is_dir());
    let folders = ["", ".github", "docs", "docs/benchmarks"]
        .map(|folder| root.join(folder))
        .into_iter()
        .chain(crates);
    let files =
        folders.flat_map(entries).filter(|path| path.extension().is_some_and(|end| end == "md"));
    files.map(|path| path.strip_prefix(&root).expect("a page").to_path_buf()).collect()
}

/// Returns the commands of all pages: the lines of shell blocks, and code in a sentence that begins
/// with a program.
pub(crate) fn commands() -> Vec<Command> {
    pages().into_iter().flat_map(|page| commands_of(&page)).collect()
}

fn commands_of(page: &Path) -> Vec<Command> {
    let text = fs::read_to_string(root().join(page)).expect("a page");
    let mut lines = Vec::<String>::new();
    let mut prose = String::new();
    let mut block = None;
    for line in text.lines() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            block = block.is_none().then_some(language);
        } else if block == Some("sh") {
            // A backslash at the end continues the line before.
            match lines.last_mut() {
                Some(last) if last.ends_with('\\') => {
                    last.pop();
                    last.push_str(line.trim_start());
                }
                _ => lines.push(line.to_owned()),
            }
        } else if block.is_none() {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    for code in prose.split('`').skip(1).step_by(2) {
        let code = code.split_whitespace().collect::<Vec<_>>().join(" ");
        let first = code.split(' ').find(|word| !word.contains('=')).unwrap_or_default();
        let is_command = code.contains(' ') || first.starts_with(".ci/");
        if is_command
            && (["bitcade", "cargo", "pip", "python"].contains(&first) || first.starts_with(".ci/"))
        {
            lines.push(code);
        }
    }
    let lines = lines.iter().map(|line| line.split(" # ").next().unwrap_or_default().trim());
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| Command { page: page.to_path_buf(), line: line.to_owned() }).collect()
}

pub(crate) fn readme() -> Vec<String> {
    let commands = commands_of(Path::new("README.md")).into_iter().map(|command| command.line);
    commands.filter(|line| line.contains(RUN)).collect()
}

/// The words with which the README runs the program.
pub(crate) const RUN: &str = "cargo run --release -- ";

/// Returns the arguments of a command that shows a screen and waits for keys.
pub(crate) fn screen_arguments(command: &str) -> Option<&str> {
    let arguments = command.strip_prefix(RUN)?;
    let screen = arguments.starts_with("watch") || arguments.starts_with("play");
    (screen && !arguments.contains("--record")).then_some(arguments)
}
