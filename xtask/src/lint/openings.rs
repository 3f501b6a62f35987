//! The first word of each doc comment: a verb for a function, a noun for anything else.

use super::comments::Block;

/// Words that begin a clause about the item, instead of a statement of what it is or does.
const BANNED: [&str; 11] = ["What", "Whether", "Who", "Whose", "Where", "As", "Of", "By", "How", "Why", "So"];

/// Returns the first line of a doc comment that begins with one of the [`BANNED`] words, with its number.
pub(super) fn finding(block: &Block) -> Option<(usize, String)> {
    let (line, text) = (block.line..).zip(&block.lines).find(|(_, text)| !text.trim().is_empty())?;
    let text = text.trim();
    let word = text.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (block.is_doc() && BANNED.contains(&word))
        .then(|| (line, format!("the doc comment begins with {word}: {text}")))
}

#[cfg(test)]
mod tests {
    use super::finding;
    use crate::lint::comments::blocks;

    fn lines(text: &str) -> Vec<usize> {
        blocks(text).iter().filter_map(finding).map(|(line, _)| line).collect()
    }

    #[test]
    fn the_first_word_of_a_doc_comment_is_none_of_the_list() {
        assert_eq!(lines("/// Whether it is.\nfn f() {}"), [1]);
        assert_eq!(lines("//!\n//! What's in here.\n"), [2]);
        assert_eq!(lines("/// So: a\nfn f() {}\n    /// By b\n    fn g() {}"), [1, 3]);
    }

    #[test]
    fn other_words_lines_and_comments_pass() {
        assert!(lines("/// Returns whether it is.\n/// So it is.\n// What it is\n").is_empty());
        assert!(lines("/// Asks. \n//! Offers.\nfn f() { \"/// What\" }").is_empty());
    }
}
