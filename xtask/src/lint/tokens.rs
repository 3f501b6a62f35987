//! A Rust file as a flat list of tokens, for the checks of sources.

use crate::Result;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::path::{Path, PathBuf};

/// A token with its line. A string is one token; comments are left out.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) line: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Ident(String),
    Punct(char),
    Literal(String),
    /// `(`, `[` or `{`.
    Open(char),
    /// `)`, `]` or `}`.
    Close(char),
}

impl Token {
    /// Returns the identifier or keyword, if the token is one.
    pub(super) fn ident(&self) -> Option<&str> {
        if let Kind::Ident(word) = &self.kind { Some(word) } else { None }
    }

    pub(super) fn is_ident(&self, word: &str) -> bool {
        self.ident() == Some(word)
    }

    pub(super) fn is_punct(&self, sign: char) -> bool {
        self.kind == Kind::Punct(sign)
    }

    pub(super) fn opens(&self, bracket: char) -> bool {
        self.kind == Kind::Open(bracket)
    }
}

/// Reads the tokens of a file, without the items of tests.
pub(super) fn read(path: &Path) -> Result<Vec<Token>> {
    parse(&std::fs::read_to_string(path)?).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// Reads all tokens of a file.
pub(super) fn read_whole(path: &Path) -> Result<Vec<Token>> {
    parse_whole(&std::fs::read_to_string(path)?)
        .map_err(|error| format!("{}: {error}", path.display()).into())
}

/// Parses the tokens of a text, without the items of tests.
pub(super) fn parse(text: &str) -> Result<Vec<Token>> {
    Ok(without_tests(&parse_whole(text)?))
}

fn parse_whole(text: &str) -> Result<Vec<Token>> {
    let mut tokens = Vec::new();
    flatten(text.parse().map_err(|error| format!("{error}"))?, &mut tokens);
    Ok(tokens)
}

fn flatten(stream: TokenStream, tokens: &mut Vec<Token>) {
    for tree in stream {
        let line = tree.span().start().line;
        let kind = match tree {
            TokenTree::Ident(word) => Kind::Ident(word.to_string()),
            TokenTree::Punct(sign) => Kind::Punct(sign.as_char()),
            TokenTree::Literal(literal) => Kind::Literal(literal.to_string()),
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ('(', ')'),
                    Delimiter::Brace => ('{', '}'),
                    Delimiter::Bracket | Delimiter::None => ('[', ']'),
                };
                tokens.push(Token { kind: Kind::Open(open), line });
                flatten(group.stream(), tokens);
                let line = group.span_close().start().line;
                tokens.push(Token { kind: Kind::Close(close), line });
                continue;
            }
        };
        tokens.push(Token { kind, line });
    }
}

/// Returns the index behind the bracket that closes the one at `open`.
pub(super) fn after_group(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::Open(_) => depth += 1,
            Kind::Close(_) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i + 1;
        }
    }
    tokens.len()
}

/// Returns the index behind the item that begins at `start`: behind its `;` or its braces.
pub(super) fn after_item(tokens: &[Token], start: usize) -> usize {
    let mut i = start;
    while i < tokens.len() {
        match tokens[i].kind {
            Kind::Open('{') => return after_group(tokens, i),
            Kind::Open(_) => i = after_group(tokens, i),
            Kind::Punct(';') => return i + 1,
            // The end of the group that has the item.
            Kind::Close(_) => return i,
            _ => i += 1,
        }
    }
    i
}

/// Removes the items under `#[cfg(test)]` or `#[cfg(doctest)]`.
fn without_tests(tokens: &[Token]) -> Vec<Token> {
    let mut kept = Vec::with_capacity(tokens.len());
    let mut i = 0;
    while i < tokens.len() {
        let attribute = tokens[i].is_punct('#') && tokens.get(i + 1).is_some_and(|next| next.opens('['));
        if attribute && is_test_only(&tokens[i + 2..after_group(tokens, i + 1)]) {
            i = after_group(tokens, i + 1);
            while tokens.get(i).is_some_and(|token| token.is_punct('#')) {
                i = after_group(tokens, i + 1);
            }
            // `use a::{b};` ends with its semicolon, not with its braces.
            let is_use = tokens.get(i).is_some_and(|token| token.is_ident("use"));
            i = if is_use { after_use(tokens, i) } else { after_item(tokens, i) };
        } else {
            kept.push(tokens[i].clone());
            i += 1;
        }
    }
    kept
}

/// Returns the index behind the semicolon of a `use`.
pub(super) fn after_use(tokens: &[Token], start: usize) -> usize {
    let length = tokens[start..].iter().position(|token| token.is_punct(';'));
    length.map_or(tokens.len(), |length| start + length + 1)
}

/// Returns whether the tokens in an attribute's brackets restrict an item to tests.
fn is_test_only(attribute: &[Token]) -> bool {
    attribute.first().is_some_and(|token| token.is_ident("cfg"))
        && attribute.iter().any(|token| token.is_ident("test") || token.is_ident("doctest"))
        && !attribute.iter().any(|token| token.is_ident("not") || token.is_ident("any"))
}

/// Returns every Rust file in a folder and the folders below it, sorted.
pub(super) fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{parse, parse_whole};

    fn words(text: &str) -> Vec<String> {
        parse(text).unwrap().iter().filter_map(|token| token.ident().map(str::to_owned)).collect()
    }

    #[test]
    fn items_of_tests_are_dropped() {
        assert_eq!(words("#[cfg(test)] mod tests { fn a() {} } fn b() {}"), ["fn", "b"]);
        assert_eq!(words("#[cfg(test)] #[allow(x)] use a::{b, c}; fn d() {}"), ["fn", "d"]);
        assert_eq!(words("#[cfg(all(test, unix))] fn a(b: [u8; 3]) -> u8 { c } d"), ["d"]);
        assert_eq!(words("#[cfg(test)] mod tests; struct A;"), ["struct", "A"]);
        assert_eq!(words("#[cfg(not(test))] struct A;"), ["cfg", "not", "test", "struct", "A"]);
    }

    #[test]
    fn comments_and_strings_hold_no_words() {
        assert_eq!(words("// a\n/// b\nfn c() { \"d\"; }"), ["doc", "fn", "c"]);
    }

    #[test]
    fn only_the_keyword_counts() {
        let source = r##"
            //! unsafe in docs
            #![forbid(unsafe_code)]
            // unsafe { }
            fn quiet<'unsafe_>(text: &'unsafe_ str) -> bool { text == "unsafe" || text == r#"unsafe { "x" }"# }
            fn loud() { macro_like!(unsafe { 1 }); }
            unsafe fn louder() {}
        "##;
        let tokens = parse_whole(source).unwrap();
        let lines = tokens.iter().filter(|token| token.is_ident("unsafe")).map(|token| token.line);
        assert_eq!(lines.collect::<Vec<_>>(), [6, 7]);
    }

    #[test]
    fn a_file_that_is_no_rust_is_an_error() {
        assert!(parse("fn (").is_err());
    }
}
