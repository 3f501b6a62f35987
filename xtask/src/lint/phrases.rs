//! Phrases that are banned in comments, because plain technical English doesn't need them.

use super::comments::Block;

/// In lower case, with single spaces.
const BANNED: [&str; 6] = ["so many", "goes on", "but for", "such a", "whatever", "as as"];

/// Returns the [`BANNED`] phrases of a block, each with the line where it begins. A phrase may continue on
/// the next line.
pub(super) fn findings(block: &Block) -> Vec<(usize, String)> {
    let mut text = String::from(" ");
    // The index in `text` where each line begins.
    let mut starts = Vec::new();
    for line in &block.lines {
        starts.push(text.len());
        for word in line.split_whitespace() {
            text.push_str(&word.to_lowercase());
            text.push(' ');
        }
    }
    let mut found = Vec::new();
    for phrase in BANNED {
        for (at, _) in text.match_indices(phrase) {
            let ends_words = |side: Option<char>| side.is_none_or(|c| !c.is_alphanumeric() && c != '_');
            let (before, behind) = (&text[..at], &text[at + phrase.len()..]);
            if ends_words(before.chars().next_back()) && ends_words(behind.chars().next()) {
                let line = block.line + starts.partition_point(|&start| start <= at) - 1;
                found.push((line, format!("the phrase \"{phrase}\"")));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::findings;
    use crate::lint::comments::blocks;

    fn lines(text: &str) -> Vec<usize> {
        blocks(text).iter().flat_map(findings).map(|(line, _)| line).collect()
    }

    #[test]
    fn phrases_are_found_in_every_comment() {
        assert_eq!(lines("//! At most so many.\n"), [1]);
        assert_eq!(lines("/// a\n/// Whatever it is.\nfn f() {} // (such a thing)\n"), [2, 3]);
        assert_eq!(lines("/* a\nnothing but for b */"), [2]);
    }

    #[test]
    fn a_phrase_may_continue_on_the_next_line() {
        assert_eq!(lines("/// a\n/// the search goes\n/// on and on"), [2]);
        assert_eq!(lines("// twice as\n//    as many"), [1]);
    }

    #[test]
    fn parts_of_words_and_code_pass() {
        assert!(
            lines("/// also many, such as, nothing but forests, has as, so, many\nfn f() { \"whatever\" }")
                .is_empty()
        );
    }
}
