//! [`replay()`]: runs a target on stable Rust, over its corpus and then over random and mutated input.

use super::mutation::{Mutator, words};
use crate::{TARGETS, Target};
use bitcore::Rng;
use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// The minimum number of random inputs, even on slow machines.
const LEAST: u64 = 64;

pub(crate) fn replay(name: &str) {
    let target = TARGETS.iter().find(|(other, ..)| *other == name).expect("a target of the table");
    replay_in(Path::new(env!("CARGO_MANIFEST_DIR")), *target);
}

/// Runs a target over the empty input, over `corpus/NAME/*`, then over random and mutated input for
/// `FUZZ_SECONDS` (2). The input only depends on `FUZZ_SEED` (1). Words for mutations come from
/// `dictionary/NAME.dict`. Panics if there is no file, or no word for a target with a dictionary,
/// or if the target panics, after printing the input in hexadecimal and the seed.
fn replay_in(folder: &Path, (name, target, has_words): Target) {
    let folder_of = folder.join("corpus").join(name);
    let mut corpus = vec![Vec::new()];
    run(target, &[], &format!("{name}: no byte"));
    for file in entries(&folder_of) {
        let data =
            fs::read(folder_of.join(&file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(!data.is_empty(), "corpus/{name}/{file}: an empty file");
        run(target, &data, &format!("corpus/{name}/{file}"));
        corpus.push(data);
    }
    let files = corpus.len() - 1;
    assert!(files > 0, "corpus/{name}: no file");
    let words = if has_words { words_of(folder, name) } else { Vec::new() };

    let seconds = variable("FUZZ_SECONDS", 2);
    let seed = variable("FUZZ_SEED", 1);
    let mut mutator = Mutator { rng: Rng::new(seed), corpus: &corpus, words: &words };
    let start = Instant::now();
    let mut count = 0;
    while count < LEAST || start.elapsed() < Duration::from_secs(seconds) {
        run(target, &mutator.input(), &format!("{name}: input {count} of FUZZ_SEED={seed}"));
        count += 1;
    }
    println!("fuzz: {name}: {files} files of the corpus, {count} random inputs of seed {seed}");
}

fn run(target: fn(&[u8]), data: &[u8], source: &str) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| target(data))) {
        let hex: String = data.iter().map(|byte| format!("{byte:02x}")).collect();
        eprintln!("fuzz: {source} panicked: {hex}");
        resume_unwind(payload);
    }
}

fn variable(name: &str, default: u64) -> u64 {
    let number =
        |text: String| text.parse().unwrap_or_else(|_| panic!("{name}={text}: expected a number"));
    std::env::var(name).map_or(default, number)
}

fn words_of(folder: &Path, name: &str) -> Vec<Vec<u8>> {
    let file = format!("dictionary/{name}.dict");
    let text =
        fs::read_to_string(folder.join(&file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let words = words(&text).unwrap_or_else(|line| panic!("{file}:{line}: no word"));
    assert!(!words.is_empty(), "{file}: no word");
    words
}

fn entries(folder: &Path) -> BTreeSet<String> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect()
}

#[test]
fn every_corpus_and_dictionary_has_a_target() {
    let names = |kind: &str| -> BTreeSet<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(kind);
        let of = |game: String| {
            entries(&folder.join(&game)).into_iter().map(move |name| format!("{game}/{name}"))
        };
        entries(&folder).into_iter().flat_map(of).collect()
    };
    assert_eq!(names("corpus"), TARGETS.iter().map(|&(name, ..)| name.to_owned()).collect());
    let with_words = TARGETS.iter().filter(|(.., has_words)| *has_words);
    assert_eq!(names("dictionary"), with_words.map(|(name, ..)| format!("{name}.dict")).collect());
}

#[test]
fn a_panic_and_what_is_missing_fail_the_replay() {
    let folder = std::env::temp_dir().join(format!("bitcade-fuzz-{}", std::process::id()));
    for (file, text) in [
        ("corpus/a/b/one", "input"),
        ("dictionary/a/b.dict", "\"word\""),
        ("corpus/a/c/one", "input"),
        ("corpus/a/wordless/one", "input"),
        ("dictionary/a/wordless.dict", "# no word\n"),
        ("corpus/a/empty/none", ""),
    ] {
        fs::create_dir_all(folder.join(file).parent().expect("a folder")).expect("a folder");
        fs::write(folder.join(file), text).expect("written");
    }
    fs::create_dir(folder.join("corpus/a/fileless")).expect("a folder");
    let cases: [(Target, &str); 7] = [
        (("a/b", |data| assert!(data.len() < 100, "long"), true), "long"),
        (("a/b", |data| assert_ne!(data, b"input", "the file"), true), "the file"),
        (("a/d", |_| {}, false), "a/d: "),
        (("a/fileless", |_| {}, false), "corpus/a/fileless: no file"),
        (("a/empty", |_| {}, false), "corpus/a/empty/none: an empty file"),
        (("a/c", |_| {}, true), "dictionary/a/c.dict: "),
        (("a/wordless", |_| {}, true), "dictionary/a/wordless.dict: no word"),
    ];
    for (target, expected) in cases {
        let payload = catch_unwind(|| replay_in(&folder, target)).expect_err("a panic");
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref().map(|text: &&str| (*text).to_owned()));
        assert!(
            text.as_ref().is_some_and(|text| text.contains(expected)),
            "{text:?}, expected {expected}"
        );
    }
    fs::remove_dir_all(&folder).expect("removed");
}
