//! [`replay()`]: a target on stable Rust, over its corpus and then over random input.

use crate::dictionary;
use crate::mutation::Mutator;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// Seconds of random input for each target.
const SECONDS: &str = "FUZZ_SECONDS";
/// The seed of random input.
const SEED: &str = "FUZZ_SEED";

/// Runs a target over `corpus/NAME/*` of a package's folder, then over random and mutated input for
/// `FUZZ_SECONDS` (2). The input depends on `FUZZ_SEED` (1) alone.
///
/// Words for mutations come from `dictionary/NAME.dict`, if there is one.
///
/// # Panics
///
/// If the target panics: the input, in hexadecimal, and the seed are printed before. If the corpus is missing
/// or empty, a dictionary has the name of no corpus, a file can't be read, or a variable is no number.
pub fn replay(folder: &str, name: &str, target: impl Fn(&[u8])) {
    let folder = Path::new(folder);
    let corpus = files(&folder.join("corpus").join(name));
    assert!(!corpus.is_empty(), "{}: no corpus {name}", folder.display());
    for (file, data) in &corpus {
        run(&target, data, &format!("corpus/{name}/{file}"));
    }
    let corpus: Vec<Vec<u8>> = corpus.into_iter().map(|(_, data)| data).collect();
    for (file, _) in files(&folder.join("dictionary")) {
        // A dictionary that was renamed would be none.
        let has_target = folder.join("corpus").join(Path::new(&file).with_extension("")).is_dir();
        assert!(has_target, "{}: no corpus for the dictionary {file}", folder.display());
    }
    let path = folder.join("dictionary").join(name).with_extension("dict");
    let text =
        if path.exists() { std::fs::read_to_string(&path).expect("a dictionary") } else { String::new() };
    let words = dictionary::parse(&text).unwrap_or_else(|line| panic!("{}:{line}: no word", path.display()));

    let (seconds, seed) = (variable(SECONDS, 2), variable(SEED, 1));
    let mut mutator = Mutator::new(seed, &corpus, &words);
    let (start, mut count) = (Instant::now(), 0u64);
    while start.elapsed() < Duration::from_secs(seconds) {
        // The clock is asked rarely.
        for _ in 0..16 {
            run(&target, &mutator.input(), &format!("input {count} of {SEED}={seed}"));
            count += 1;
        }
    }
    println!("fuzz: {name}: {} files of the corpus, {count} random inputs of seed {seed}", corpus.len());
}

fn run(target: impl Fn(&[u8]), data: &[u8], source: &str) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| target(data))) {
        let hex: String = data.iter().map(|byte| format!("{byte:02x}")).collect();
        eprintln!("fuzz: {source} panicked: {hex}");
        resume_unwind(payload);
    }
}

fn variable(name: &str, default: u64) -> u64 {
    let number = |text: String| text.parse().unwrap_or_else(|_| panic!("{name}={text}: expected a number"));
    std::env::var(name).map_or(default, number)
}

/// Returns the files of a folder by name; none if there is no folder.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), std::fs::read(path).expect("a file of the corpus"))).collect()
}

#[cfg(test)]
mod tests {
    use super::replay;
    use std::fs;
    use std::panic::catch_unwind;
    use std::path::PathBuf;

    /// Makes a folder with a corpus `some` of one file and a dictionary `NAME.dict`.
    fn folder(test: &str, dictionary: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("fuzzkit-{test}-{}", std::process::id()));
        for part in ["corpus/some", "dictionary"] {
            fs::create_dir_all(folder.join(part)).expect("a folder");
        }
        fs::write(folder.join("corpus/some/one"), "input").expect("written");
        fs::write(folder.join("dictionary").join(dictionary), "\"word\"").expect("written");
        folder
    }

    /// Returns the message of the panic of a replay.
    fn message(test: &str, dictionary: &str, name: &str, target: fn(&[u8])) -> String {
        let folder = folder(test, dictionary);
        let path = folder.to_str().expect("UTF-8");
        let found = catch_unwind(|| replay(path, name, target)).expect_err("a panic");
        fs::remove_dir_all(&folder).expect("removed");
        let text = found.downcast_ref::<String>().cloned();
        text.or_else(|| found.downcast_ref::<&str>().map(|text| (*text).to_owned())).expect("a text")
    }

    #[test]
    fn a_panic_of_the_target_fails_the_replay() {
        let target = |data: &[u8]| assert!(data.len() < 100, "long");
        assert_eq!(message("panic", "some.dict", "some", target), "long");
    }

    #[test]
    fn a_missing_corpus_or_a_renamed_dictionary_fails_the_replay() {
        assert!(message("corpus", "some.dict", "other", |_| {}).ends_with(": no corpus other"));
        let renamed = message("dictionary", "same.dict", "some", |_| {});
        assert!(renamed.ends_with(": no corpus for the dictionary same.dict"), "{renamed}");
    }
}
