//! The first word of a function's doc comment: a verb in the third person.

use super::comments::{Block, Style};

/// Returns the first line of a function's doc comment that doesn't begin with a verb (`Returns`, `Plays`),
/// with its number. Test functions state the property that they test, and are left out.
pub(super) fn finding(block: &Block, lines: &[&str]) -> Option<(usize, String)> {
    let first = block.lines.first()?.trim();
    // An example that is made by a macro and a `#[doc = ..]` above it.
    if first == "```" {
        return None;
    }
    let documents_function = block.style == Style::Outer && is_function(&lines[block.line - 1..], block);
    (documents_function && !begins_with_verb(first))
        .then(|| (block.line, format!("the function's doc comment doesn't begin with a verb: {first}")))
}

/// Returns whether the item below the block, behind its attributes, is a function that isn't a test.
fn is_function(from: &[&str], block: &Block) -> bool {
    let mut below = from[block.lines.len()..].iter().map(|line| line.trim());
    let mut line = below.next();
    while let Some(attribute) = line.filter(|line| line.starts_with("#[")) {
        if attribute == "#[test]" {
            return false;
        }
        let mut end = attribute;
        while !end.ends_with(']') {
            let Some(next) = below.next() else { return false };
            end = next;
        }
        line = below.next();
    }
    let modifiers = |word: &&str| ["const", "async", "unsafe"].contains(word) || word.starts_with("pub");
    line.unwrap_or_default().split_whitespace().find(|word| !modifiers(word)) == Some("fn")
}

/// Returns whether the first word ends like a verb in the third person. It may be a link: `[Places](..)`.
fn begins_with_verb(text: &str) -> bool {
    let text = text.trim_start_matches('[');
    let word: &str = text.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    word.starts_with(char::is_uppercase) && word.ends_with('s') && !["This", "Its", "Always"].contains(&word)
}

#[cfg(test)]
mod tests {
    use super::finding;
    use crate::lint::comments::blocks;

    fn lines(text: &str) -> Vec<usize> {
        let lines: Vec<&str> = text.lines().collect();
        blocks(text).iter().filter_map(|block| finding(block, &lines)).map(|(line, _)| line).collect()
    }

    #[test]
    fn functions_begin_with_a_verb() {
        assert_eq!(lines("/// The length.\nfn len() {}"), [1]);
        assert_eq!(lines("/// Return it.\n#[inline]\npub(crate) const fn it() {}"), [1]);
        assert_eq!(lines("/// [`run`] on a level.\n#[allow(\n    x\n)]\npub fn run_on() {}"), [1]);
        assert_eq!(lines("/// This is.\nfn f() {}"), [1]);
    }

    #[test]
    fn verbs_other_items_and_tests_pass() {
        assert!(lines("/// Returns it.\n/// The rest.\npub const fn it() {}").is_empty());
        assert!(lines("/// [Places](a) it, and tells.\nunsafe fn it() {}").is_empty());
        assert!(lines("/// The type.\nstruct It;\n/// The field.\n#[x]\npub it: u8,").is_empty());
        assert!(lines("/// All are equal.\n#[test]\nfn all() {}\n//! The module\nfn f() {}").is_empty());
        assert!(lines("/// The end").is_empty());
    }
}
