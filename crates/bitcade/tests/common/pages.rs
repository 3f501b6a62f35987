//! The commands on the workspace's pages.

use std::fs;
use std::path::{Path, PathBuf};

/// A command line of a page, without the remark behind it.
pub(crate) struct Command {
    pub(crate) page: PathBuf,
    /// The number of its line, from 1.
    pub(crate) number: usize,
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
    pages().into_iter().flat_map(|page| commands_of(&page, &text_of(&page))).collect()
}

pub(crate) fn text_of(page: impl AsRef<Path>) -> String {
    fs::read_to_string(root().join(page)).expect("a page")
}

/// Returns the code in a text's sentences, each with the number of its line.
pub(crate) fn code_spans(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut number = 1;
    let spans = text.split('`').map(move |part| {
        let begin = number;
        number += part.matches('\n').count();
        (begin, part)
    });
    spans.skip(1).step_by(2)
}

pub(crate) fn commands_of(page: &Path, text: &str) -> Vec<Command> {
    let mut lines = Vec::<(usize, String)>::new();
    let mut prose = String::new();
    let mut block = None;
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            block = block.is_none().then_some(language);
        } else if block == Some("sh") {
            // A backslash at the end continues the line before.
            match lines.last_mut() {
                Some((_, last)) if last.ends_with('\\') => {
                    last.pop();
                    last.push_str(line.trim_start());
                }
                _ => lines.push((number, line.to_owned())),
            }
        } else if block.is_none() {
            prose.push_str(line);
        }
        prose.push('\n');
    }
    for (number, code) in code_spans(&prose) {
        let code = code.split_whitespace().collect::<Vec<_>>().join(" ");
        let first = code.split(' ').find(|word| !word.contains('=')).unwrap_or_default();
        let is_command = code.contains(' ') || first.starts_with(".ci/");
        if is_command
            && (["bitcade", "cargo", "pip", "python"].contains(&first) || first.starts_with(".ci/"))
        {
            lines.push((number, code));
        }
    }
    let lines = lines.iter().map(|(number, line)| {
        let line = line.split(" # ").next().unwrap_or_default().trim();
        Command { page: page.to_path_buf(), number: *number, line: line.to_owned() }
    });
    lines.filter(|command| !command.line.is_empty() && !command.line.starts_with('#')).collect()
}

pub(crate) fn readme() -> Vec<String> {
    let page = Path::new("README.md");
    let commands = commands_of(page, &text_of(page)).into_iter().map(|command| command.line);
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
