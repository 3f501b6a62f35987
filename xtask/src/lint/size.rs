//! The size of a package's tests, in characters of code: lines without comments and indentation.

use super::files_in;
use crate::Result;
use std::path::Path;

/// The most characters of tests, in percent of those of the source.
const BOUND: usize = 50;
/// The bounds of packages whose tests are larger; they may only fall.
const BOUNDS: [(&str, usize); 6] = [
    ("bitcade", 75),
    ("bitcade-files", 87),
    ("bitcade-py", 60),
    ("go-mc", 60),
    ("match3", 57),
    ("tetris", 54),
];

pub(super) fn finding(name: &str, folder: &Path) -> Result<Option<String>> {
    // The helpers of all tests.
    if name == "testkit" {
        return Ok(None);
    }
    let mut source = 0;
    let mut tests = 0;
    for extension in ["rs", "py", "pyi"].into_iter().filter(|_| folder.exists()) {
        for file in files_in(folder, extension)? {
            let is_in = |part| file.starts_with(folder.join(part));
            if is_in("examples") || is_in("fuzz") {
                continue;
            }
            let text = std::fs::read_to_string(&file)?;
            let (own, of_tests) = characters(&text, if extension == "rs" { "//" } else { "#" });
            if is_in("tests") {
                tests += own + of_tests;
            } else {
                source += own;
                tests += of_tests;
            }
        }
    }
    let bound = BOUNDS.iter().find(|(package, _)| *package == name).map_or(BOUND, |bound| bound.1);
    Ok((tests * 100 > source * bound).then(|| {
        format!(
            "crates/{name}: {tests} characters of tests for {source} of source, expected at most \
             {bound} %: merge tests, or delete what another test proves"
        )
    }))
}

/// Returns the characters of a file before and after the first `#[cfg(test)]`.
fn characters(text: &str, comment: &str) -> (usize, usize) {
    let mut counts = [0; 2];
    let mut in_tests = false;
    for line in text.lines().map(str::trim) {
        in_tests |= line.starts_with("#[cfg(test)]") || line.starts_with("#[cfg(all(test");
        if !line.starts_with(comment) {
            counts[usize::from(in_tests)] += line.chars().count();
        }
    }
    (counts[0], counts[1])
}
