//! Names that the workspace doesn't use any more. The list has a standard term for each of them.

use crate::Result;
use std::collections::BTreeSet;

/// A line of the list.
#[derive(Debug, PartialEq)]
pub(super) struct Banned {
    pattern: Pattern,
    /// The term to use.
    instead: String,
    /// The packages in which the name is banned; if empty, all of them.
    packages: Vec<String>,
}

#[derive(Debug, PartialEq)]
enum Pattern {
    /// `Name`: this identifier.
    Whole(String),
    /// `NAME_*`: identifiers with this beginning.
    Prefix(String),
    /// `*name*`: identifiers that contain this, in upper or lower case.
    Part(String),
}

impl Pattern {
    fn parse(text: &str) -> Self {
        match (text.strip_prefix('*'), text.strip_suffix('*')) {
            (Some(part), _) => Self::Part(part.trim_end_matches('*').to_lowercase()),
            (None, Some(prefix)) => Self::Prefix(prefix.to_owned()),
            (None, None) => Self::Whole(text.to_owned()),
        }
    }

    fn matches(&self, word: &str) -> bool {
        match self {
            Self::Whole(name) => word == name,
            Self::Prefix(prefix) => word.starts_with(prefix),
            Self::Part(part) => word.to_lowercase().contains(part),
        }
    }
}

/// Parses lines `name | term` or `name | term | package, package`; `#` begins a comment.
///
/// # Errors
///
/// The number of the first line that has another form.
pub(super) fn parse(text: &str) -> Result<Vec<Banned>> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(number, line)| {
            let fields: Vec<&str> = line.split('|').map(str::trim).collect();
            let (name, instead, packages) = match fields[..] {
                [name, instead] if !name.is_empty() && !instead.is_empty() => (name, instead, ""),
                [name, instead, packages] if !name.is_empty() && !instead.is_empty() => {
                    (name, instead, packages)
                }
                _ => {
                    return Err(
                        format!("line {number}: expected `name | term` or `name | term | packages`").into()
                    );
                }
            };
            let packages = packages.split(',').map(str::trim).filter(|package| !package.is_empty());
            let packages = packages.map(str::to_owned).collect();
            Ok(Banned { pattern: Pattern::parse(name), instead: instead.to_owned(), packages })
        })
        .collect()
}

/// Returns the words of a package's file that the list bans, each with the line where it is first.
pub(super) fn findings<'a>(
    words: impl Iterator<Item = (usize, &'a str)>,
    package: &str,
    banned: &[Banned],
) -> Vec<(usize, String)> {
    let here: Vec<&Banned> = banned
        .iter()
        .filter(|banned| banned.packages.is_empty() || banned.packages.iter().any(|name| name == package))
        .collect();
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (line, word) in words.filter(|(_, word)| seen.insert(*word)) {
        if let Some(banned) = here.iter().find(|banned| banned.pattern.matches(word)) {
            found.push((line, format!("the name {word}: use {}", banned.instead)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{findings, parse};
    use crate::lint::comments::words;

    const LIST: &str =
        "# remark\nBrood | expansion\nMOST_* | MAX_\n\n*colour* | color\nCut | cutoff | tetris-ai, go-mc";

    fn names(text: &str, package: &str) -> Vec<String> {
        findings(words(text), package, &parse(LIST).unwrap()).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn banned_names_are_found_with_their_terms() {
        assert_eq!(names("struct Brood; fn f(_: Brood) {}", "tetris"), ["the name Brood: use expansion"]);
        assert_eq!(names("const MOST_MOVES: u8 = 1;", "tetris"), ["the name MOST_MOVES: use MAX_"]);
        assert_eq!(names("fn paint(bgColour: u8) {}", "tetris"), ["the name bgColour: use color"]);
        assert_eq!(names("enum Cut {}", "go-mc"), ["the name Cut: use cutoff"]);
    }

    #[test]
    fn other_names_comments_and_strings_pass() {
        assert!(names("struct Broods; /// Brood\nfn f() { \"Brood\"; ALMOST_ }", "tetris").is_empty());
        assert!(names("enum Cut {}", "match3").is_empty());
    }

    #[test]
    fn a_line_without_a_term_is_refused() {
        for line in ["Brood", "Brood |", "| expansion", "a | b | c | d"] {
            assert!(parse(&format!("\n{line}")).unwrap_err().to_string().starts_with("line 2"));
        }
    }
}
