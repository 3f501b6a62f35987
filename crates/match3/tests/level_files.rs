//! Level files: the examples, broken files with the place of the fault, and levels written and read
//! back.

use crate::level::random;
use bitcore::Rng;
use match3::level::{EXAMPLES, Level, LevelFileError};
use std::fs;
use std::path::Path;

/// A hand-made file that is broken at a place.
struct Broken {
    /// Who refuses it.
    by: String,
    reason: String,
    text: String,
    line: usize,
    column: usize,
}

fn broken() -> Vec<Broken> {
    let data = include_str!("data/broken_levels.txt").replace('␍', "\r");
    let files = data.split("\n=== ").skip(1).map(|file| {
        let (head, marked) = file.split_once('\n').expect("a file below its head");
        let (by, reason) = head.split_once(": ").expect("a reason");
        let (before, after) = marked.split_once('»').expect("a place");
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.rsplit('\n').next().map_or(0, |row| row.chars().count());
        let text = format!("{before}{after}");
        Broken { by: by.to_owned(), reason: reason.to_owned(), text, line, column }
    });
    files.collect()
}

#[test]
fn broken_files_are_refused_at_their_place() {
    let files = broken();
    assert!(files.len() >= 40, "{}", files.len());
    let mut wrong = Vec::new();
    for Broken { by, reason, text, line, column } in files {
        let found = Level::from_toml(&text).map(|_| "read".to_owned());
        let found = found.unwrap_or_else(|error| error.to_string());
        let place = format!("line {line}, column {column}: ");
        let told = found.strip_prefix(&place);
        // The words of the TOML parser are not ours.
        if told.is_none_or(|told| by != "toml" && told != reason) {
            wrong.push(format!("{place}{reason}\n{found}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn examples_are_written_and_read_back() {
    let mut names = Vec::new();
    for (name, text) in EXAMPLES {
        let level = Level::from_toml(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let written = level.to_toml();
        assert_eq!(Level::from_toml(&written).as_ref(), Ok(&level), "{name}:\n{written}");
        assert!(!level.spec().goals.is_empty(), "{name}");
        names.push(format!("{name}.toml"));
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels");
    let files = fs::read_dir(folder).expect("the examples").map(|entry| entry.unwrap().file_name());
    let mut files: Vec<_> = files.map(|name| name.into_string().expect("a name")).collect();
    files.retain(|name| name != "level.schema.json");
    files.sort();
    assert_eq!(names, files);
}

#[test]
fn random_levels_are_written_and_read_back() {
    for seed in 0..1000 {
        let level = random::level(seed);
        let written = level.to_toml();
        assert_eq!(Level::from_toml(&written).as_ref(), Ok(&level), "seed {seed}:\n{written}");
    }
}

/// Returns the example with one random change: a byte range removed, doubled, or replaced.
fn mutated(text: &str, rng: &mut Rng) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut below = |n: usize| rng.below(n as u32) as usize;
    let from = below(characters.len());
    let most = if below(4) == 0 { 40 } else { 2 };
    let length = 1 + below(most);
    let to = (from + length).min(characters.len());
    let taken = &characters[from..to];
    let others: Vec<char> = "\"'[]{}=.,#?x_19A-\\\n\r\u{0}é\u{feff}".chars().collect();
    let middle: String = match below(4) {
        0 => String::new(),
        1 => taken.iter().chain(taken).collect(),
        2 => (0..length).map(|_| others[below(others.len())]).collect(),
        _ => taken.iter().rev().collect(),
    };
    let before: String = characters[..from].iter().collect();
    let after: String = characters[to..].iter().collect();
    format!("{before}{middle}{after}")
}

/// A file with a random change is read as a level, or refused by one line with a place in the file.
#[test]
fn no_change_of_a_file_panics() {
    let mut rng = Rng::new(1);
    let mut refused = 0;
    for round in 0..300 {
        for (name, text) in EXAMPLES {
            let text = mutated(text, &mut rng);
            let Err(LevelFileError { line, column, message, .. }) = Level::from_toml(&text) else {
                continue;
            };
            refused += 1;
            // The end of the text is behind its last line.
            let rows: Vec<&str> = text.split('\n').collect();
            assert!((1..=rows.len()).contains(&line), "{name} {round}: {line} of {text}");
            let width = rows[line - 1].chars().count();
            assert!((1..=width + 1).contains(&column), "{name} {round}: {line}:{column} of {text}");
            assert!(!message.is_empty() && !message.contains('\n'), "{name} {round}: {message:?}");
        }
    }
    assert!(refused > 1000, "{refused}");
}

/// Every TOML block of the page on level files is one, with what it leaves out.
#[test]
fn the_blocks_of_the_page_are_levels() {
    let page = include_str!("../../../docs/level-files.md");
    let blocks = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap_or(""));
    let mut count = 0;
    for block in blocks {
        let rules = "version = 1\ncolors = 4\nmoves = 9\n";
        let plain = "pieces = '''\n?????\n?????\n?????'''\n";
        let full = "items = { total = 3 }\njelly = '''\n11...\n.....\n.....'''\n\
                    exits = '''\n.....\n.....\nxxxxx'''\n\
                    pieces = '''\nC???o\n?????\n?????'''\n\
                    [legend]\nC = { crate = 1 }\no = \"item\"\n";
        let text = match block {
            block if block.contains("version") => block.to_owned(),
            block if block.contains("pieces =") => format!("{rules}{block}"),
            block if block.contains("[legend]") => format!("{rules}{plain}{block}"),
            block => format!("{rules}{block}{full}"),
        };
        let level = Level::from_toml(&text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
        assert!(level.colors() >= 4, "{text}");
        count += 1;
    }
    assert_eq!(count, 5);
}

#[test]
fn a_file_may_have_a_mark_and_any_line_ends() {
    for (name, text) in EXAMPLES {
        let level = Level::from_toml(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        assert_eq!(Level::from_toml(&windows), Ok(level), "{name}");
        let cut = format!("\u{feff}{}", text.replacen("#:schema", "schema", 1));
        let error = Level::from_toml(&cut).map(|_| ()).expect_err(name);
        assert_eq!(error.line, 1, "{name}: {error}");
    }
}
