//! What the pages of the workspace say: their commands, and the names of tests and items. Commands
//! that wait for keys are run in `pty.rs`, those of xtask parsed by xtask, examples run by
//! `.ci/examples`.
#![cfg(unix)]

use crate::common::pages::{self, Command as PageCommand, RUN, root, screen_arguments};
use crate::common::{PROGRAM, bitcade};
use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

/// What is shorter here: numbers of games and times, which are those of a person who looks.
const SHORTER: [[&str; 2]; 5] = [
    ["--time 12s", "--time 2s"],
    ["--time 30 ", "--time 10ms "],
    ["sleep 2", "sleep 0.2"],
    ["IOLJSZT --depth 7", "IOLJSZT --depth 5"],
    ["train --games 5000", "train --games 500"],
];

/// The commands in their order: later ones read what earlier ones wrote.
#[test]
fn every_command_of_the_readme_runs() {
    // It looks like a checkout with a built program.
    let folder = tempfile::tempdir().expect("a folder");
    let built = folder.path().join("target/release");
    fs::create_dir_all(&built).expect("a folder");
    symlink(PROGRAM, built.join("bitcade")).expect("a link");
    let commands = pages::readme();
    let commands: Vec<&String> =
        commands.iter().filter(|command| screen_arguments(command).is_none()).collect();
    assert!(commands.len() >= 10, "{commands:?}");
    let mut shortened = 0;
    for command in commands {
        let mut script = command.replace(RUN, "target/release/bitcade ");
        for [long, short] in SHORTER {
            shortened += script.matches(long).count();
            script = script.replace(long, short);
        }
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(folder.path()).stdin(Stdio::null());
        let output = shell.env("XDG_DATA_HOME", folder.path().join("data")).output().expect("sh");
        assert!(output.status.success(), "{script}: {output:?}");
        assert!(
            !output.stdout.is_empty() || command.contains("target/"),
            "{script}: printed nothing"
        );
    }
    assert_eq!(shortened, SHORTER.len(), "a command of SHORTER is not in the README");
    for picture in ["watch.gif", "game.gif"] {
        let bytes = fs::read(folder.path().join("target").join(picture)).expect("a picture");
        assert!(bytes.starts_with(b"GIF89a") && bytes.len() > 10_000, "{picture}: {}", bytes.len());
    }
}

/// What only a person or another machine can run, or what would run all tests again.
const NOT_RUN: [&str; 11] = [
    "FUZZ_TARGET=match3/doors cargo +nightly fuzz run",
    "cargo install --locked cargo-fuzz",
    "cargo bench -p benches --features criterion",
    "cargo build",
    "cargo deny check",
    "cargo doc ",
    "cargo machete",
    "cargo modules dependencies",
    "cargo mutants",
    "cargo publish",
    "cargo semver-checks",
];

/// Every command of every page is one of those that something runs; those of the program have
/// arguments that it takes.
#[test]
fn every_command_of_every_page_is_known() {
    let commands = pages::commands();
    assert!(commands.len() > 150, "{}", commands.len());
    let unknown = unknown(&commands);
    assert!(unknown.is_empty(), "{unknown:#?}");
}

fn unknown(commands: &[PageCommand]) -> Vec<String> {
    let unknown = commands.iter().filter(|command| !is_known(command));
    let located = |PageCommand { page, number, line }: &PageCommand| {
        format!("{}:{number}: {line}", page.display())
    };
    unknown.map(located).collect()
}

fn is_known(PageCommand { page, line, .. }: &PageCommand) -> bool {
    // The commands of the README's shell blocks run as they are.
    if page == Path::new("README.md") && line.contains(RUN) {
        return true;
    }
    let words = shell_words::split(line).expect("quotes are closed");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let variables = words.iter().take_while(|word| word.contains('=')).count();
    match words[variables..] {
        // xtask parses its own (`the_commands_of_the_pages_exist`), `.ci/run` and `.ci/python` run
        // the others.
        ["cargo", "xtask", ..]
        | ["cargo", "run", "--release"]
        | ["cargo", "test"]
        | ["cargo", "test", ".."]
        | ["cargo", "test", "-p", "GAME"]
        | ["pip", "install", _] => true,
        // A sketch of a command.
        ["bitcade", ref rest @ ..] if rest.iter().any(|word| ["..", "COMMAND"].contains(word)) => {
            true
        }
        ["bitcade", ..] => {
            let arguments =
                line.trim_start_matches("bitcade ").split('>').next().unwrap_or_default();
            bitcade(format!("{arguments} --help")).output().status.success()
        }
        ["printf", ..] => {
            let folder = Path::new(PROGRAM).parent().expect("a folder").display();
            let script = format!("PATH={folder}:$PATH; {line}");
            let output = Command::new("sh").args(["-c", &script]).output().expect("sh");
            output.status.success() && !output.stdout.is_empty()
        }
        ["cargo", "run", "--release", "-p", package, ref rest @ ..] => {
            let name =
                rest.iter().skip_while(|&&word| word != "--example").nth(1).expect("an example");
            root().join(format!("crates/{package}/examples/{name}.rs")).is_file()
        }
        ["cargo", "test", "-p", "bitcade", "--test", "main", ref rest @ ..] => {
            let filters = rest.iter().filter(|word| !word.starts_with("--"));
            filters.map(|filter| own_tests(filter)).all(|count| count > 0)
        }
        ["cargo", "test", ref rest @ ..] => {
            let package = rest.iter().skip_while(|&&word| word != "-p").nth(1).expect("a package");
            let folder =
                if *package == "bitcade-fuzz" { "fuzz" } else { &format!("crates/{package}") };
            let place =
                |inner: &str, name: &str| root().join(folder).join(inner).join(name).is_file();
            let modules = rest.iter().filter(|word| word.contains("::"));
            let mut files =
                modules.map(|word| format!("{}.rs", word.split("::").next().unwrap_or(word)));
            place("", "Cargo.toml")
                && files.all(|file| {
                    ["tests", "src/kit", "src/search/tree"].iter().any(|inner| place(inner, &file))
                })
        }
        ["python", script, ..] => root().join(script).is_file(),
        [script, ..] if script.starts_with(".ci/") => root().join(script).is_file(),
        _ => NOT_RUN.iter().any(|known| line.starts_with(known)),
    }
}

/// Returns the number of this binary's tests with a filter.
fn own_tests(filter: &str) -> usize {
    let program = env::current_exe().expect("this program");
    let output = Command::new(program).args(["--list", filter]).output().expect("a list");
    String::from_utf8_lossy(&output.stdout).lines().filter(|line| line.ends_with(": test")).count()
}

#[test]
fn the_tests_that_pages_name_exist() {
    for (page, least) in [("RELIABILITY.md", 50), ("docs/articles.md", 10)] {
        let (count, missing) = missing_tests(page, &pages::text_of(page));
        assert!(missing.is_empty(), "{missing:#?}");
        assert!(count >= least, "{page} names {count}");
    }
}

/// Returns the number of tests such as `file.rs::test` that a page names, and those that no file
/// has.
fn missing_tests(page: &str, text: &str) -> (usize, Vec<String>) {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    let mut missing = Vec::new();
    for (number, code) in pages::code_spans(text) {
        let Some((file, name)) = code.rsplit_once("::") else { continue };
        count += 1;
        let folder = package.join(if file.starts_with("crates/") { "../.." } else { "tests" });
        let text = fs::read_to_string(folder.join(file)).unwrap_or_default();
        if !["fn", "def"].iter().any(|word| text.contains(&format!("{word} {name}("))) {
            missing.push(format!("{page}:{number}: {code} is no test"));
        }
    }
    (count, missing)
}

#[test]
fn the_names_of_the_articles_page_are_in_their_files() {
    let page = "docs/articles.md";
    let (count, missing) = missing_names(page, &pages::text_of(page));
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(count > 40, "{count}");
}

/// Returns the number of links such as [`Board`](../crates/tetris/src/board.rs), and those to a
/// file that lacks the name.
fn missing_names(page: &str, text: &str) -> (usize, Vec<String>) {
    let mut count = 0;
    let mut missing = Vec::new();
    for (before, after) in text.match_indices("`](../crates/").map(|(at, _)| text.split_at(at)) {
        let name = before.rsplit('`').next().expect("a name");
        let file = after[6..].split(')').next().expect("a file");
        let source = fs::read_to_string(root().join(file)).unwrap_or_default();
        count += 1;
        // A file is linked under its own name, too.
        if source.is_empty() || !file.ends_with(name) && !source.contains(name) {
            let number = before.matches('\n').count() + 1;
            missing.push(format!("{page}:{number}: {file} has no {name}"));
        }
    }
    (count, missing)
}

#[test]
fn planted_violations_are_reported() {
    let page = "A `bitcade no-such-command`.\n```sh\ncargo frobnicate # a remark\n\
                bitcade tetris perft \\\n  --no-such-flag\n.ci/none\n```\n";
    assert_eq!(
        unknown(&pages::commands_of(Path::new("a.md"), page)),
        [
            "a.md:3: cargo frobnicate",
            "a.md:4: bitcade tetris perft --no-such-flag",
            "a.md:6: .ci/none",
            "a.md:1: bitcade no-such-command",
        ]
    );
    let tests = "`pages.rs::unknown`\n`pages.rs::none` and `none.rs::unknown`";
    assert_eq!(
        missing_tests("a.md", tests).1,
        ["a.md:2: pages.rs::none is no test", "a.md:2: none.rs::unknown is no test"]
    );
    let names =
        "\n[`Board`](../crates/tetris/src/board.rs)\n[`None`](../crates/tetris/src/none.rs)";
    assert_eq!(
        missing_names("a.md", &format!("{names}\n[`Nowhere`](../crates/tetris/src/board.rs)")).1,
        [
            "a.md:3: crates/tetris/src/none.rs has no None",
            "a.md:4: crates/tetris/src/board.rs has no Nowhere",
        ]
    );
}
