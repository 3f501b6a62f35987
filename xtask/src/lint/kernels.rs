//! The rules for kernels that can be checked in the sources: no public item of a game's crate is generic over
//! a token, no kernel asks which level it runs on, and no library has a `black_box`.

use super::tokens::{Kind, Token, after_group, after_item};
use std::collections::BTreeSet;

/// The tokens that only bitcore names.
const TOKENS: [&str; 5] = ["X86V3", "X86V3SlowPext", "X86V4", "Neon", "Simd128"];
/// The names of levels.
const LEVELS: [&str; 6] = ["portable", "x86-64-v3", "x86-64-v3-slow-pext", "x86-64-v4", "neon", "simd128"];

/// Returns the offenses of a file against all rules, each with its line.
pub(super) fn findings(tokens: &[Token]) -> Vec<(usize, String)> {
    let mut found = public_isa_items(tokens);
    found.extend(level_questions(tokens));
    found.extend(black_boxes(tokens));
    found.sort();
    found.dedup();
    found
}

/// Returns every `black_box`.
pub(super) fn black_boxes(tokens: &[Token]) -> Vec<(usize, String)> {
    let words = tokens.iter().filter(|token| token.is_ident("black_box"));
    words.map(|token| (token.line, "black_box in a library".to_owned())).collect()
}

/// Returns the places that ask for the level: uses of the token `X86V3`, of a token's name, and comparisons
/// of levels.
fn level_questions(tokens: &[Token]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut report = |token: &Token, text: &str| found.push((token.line, text.to_owned()));
    let mentions_isa = tokens.iter().any(|token| token.is_ident("Isa"));
    for (i, token) in tokens.iter().enumerate() {
        match &token.kind {
            Kind::Ident(word) if TOKENS.contains(&word.as_str()) => {
                report(token, "the tokens of instruction sets belong to bitcore only");
            }
            Kind::Ident(word) if word == "NAME" && mentions_isa && follows_path(tokens, i) => {
                report(token, "the name of a token is used: ask the constants of Isa instead");
            }
            Kind::Ident(word) if word == "Level" && is_compared(tokens, i) => {
                report(token, "a level is compared: ask the constants of Isa instead");
            }
            Kind::Ident(word)
                if word == "matches"
                    && tokens.get(i + 2).is_some_and(|next| next.opens('('))
                    && tokens[i..after_group(tokens, i + 2)].iter().any(|token| token.is_ident("Level")) =>
            {
                report(token, "a level is compared: ask the constants of Isa instead");
            }
            Kind::Literal(text) if LEVELS.contains(&text.trim_matches('"')) => {
                report(token, "the name of a level is used: ask the constants of Isa instead");
            }
            _ => {}
        }
    }
    found
}

/// Returns whether `::` precedes the token.
fn follows_path(tokens: &[Token], i: usize) -> bool {
    i >= 2 && tokens[i - 1].is_punct(':') && tokens[i - 2].is_punct(':')
}

/// Returns whether `Level::SOMETHING` or `Level::something(..)` is an operand of `==` or `!=`.
fn is_compared(tokens: &[Token], i: usize) -> bool {
    let compares = |i: usize| {
        let (Some(first), Some(second)) = (tokens.get(i), tokens.get(i + 1)) else { return false };
        (first.is_punct('=') || first.is_punct('!')) && second.is_punct('=')
    };
    // The path may be longer on its left: `bitcore::Level`.
    let mut start = i;
    while start >= 3 && follows_path(tokens, start) && tokens[start - 3].ident().is_some() {
        start -= 3;
    }
    let mut end = i + 1;
    while tokens.get(end).is_some_and(|token| token.is_punct(':')) {
        end += 3;
    }
    if tokens.get(end).is_some_and(|token| token.opens('(')) {
        end = after_group(tokens, end);
    }
    start >= 2 && compares(start - 2) || compares(end)
}

/// Returns the public items with `Isa` among their parameters, bounds or members.
pub(super) fn public_isa_items(tokens: &[Token]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let types = public_types(tokens);
    let mut i = 0;
    while i < tokens.len() {
        let token = &tokens[i];
        if token.is_ident("mod") && tokens.get(i + 1).is_some_and(|name| name.is_ident("sealed")) {
            i = after_item(tokens, i);
            continue;
        }
        if token.is_ident("impl") && at_item(tokens, i) {
            let body = body(tokens, i);
            let header = &tokens[i..body];
            if mentions(header) {
                let end = after_item(tokens, i);
                let inherent = !header.iter().any(|token| token.is_ident("for"));
                let of = header.iter().rev().filter_map(Token::ident).find(|word| types.contains(word));
                if inherent {
                    let public = (body..end).filter(|&i| is_public(tokens, i));
                    found.extend(public.map(|i| finding(tokens, i)));
                } else if let Some(of) = of {
                    found.push((token.line, format!("an impl of the public {of} is generic over Isa")));
                }
                i = end;
                continue;
            }
        }
        if is_public(tokens, i) {
            let whole = tokens[i..]
                .iter()
                .take(4)
                .any(|token| ["struct", "enum", "trait", "union"].contains(&token.ident().unwrap_or("")));
            let skipped = tokens.get(i + 1).is_some_and(|next| next.is_ident("use") || next.is_ident("mod"));
            let end = if whole { after_item(tokens, i) } else { body(tokens, i) };
            if !skipped && mentions(&tokens[i..end]) {
                found.push(finding(tokens, i));
                i = end;
                continue;
            }
        }
        i += 1;
    }
    found
}

fn finding(tokens: &[Token], i: usize) -> (usize, String) {
    let words = tokens[i + 1..].iter().map_while(Token::ident);
    let item: Vec<&str> = words.take(4).collect();
    (tokens[i].line, format!("a public item is generic over Isa: {}", item.join(" ")))
}

fn mentions(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| token.is_ident("Isa"))
}

/// Returns whether the token at this index is a `pub` without a restriction.
fn is_public(tokens: &[Token], i: usize) -> bool {
    tokens[i].is_ident("pub") && tokens.get(i + 1).is_some_and(|next| !next.opens('('))
}

/// Returns whether an item can begin at this index: `impl` is also a part of types.
fn at_item(tokens: &[Token], i: usize) -> bool {
    i == 0
        || matches!(tokens[i - 1].kind, Kind::Close('}' | ']') | Kind::Open('{') | Kind::Punct(';'))
        || tokens[i - 1].is_ident("unsafe")
}

/// Returns the index of the item's braces, or the index behind its `;`.
fn body(tokens: &[Token], start: usize) -> usize {
    let mut i = start;
    while i < tokens.len() {
        match tokens[i].kind {
            Kind::Open('{') | Kind::Close(_) => return i,
            Kind::Open(_) => i = after_group(tokens, i),
            Kind::Punct(';') => return i + 1,
            _ => i += 1,
        }
    }
    i
}

/// Returns the names of the public types of a file.
fn public_types(tokens: &[Token]) -> BTreeSet<&str> {
    let public = (0..tokens.len()).filter(|&i| is_public(tokens, i));
    let named = public.filter_map(|i| match (tokens.get(i + 1)?.ident()?, tokens.get(i + 2)?.ident()?) {
        ("struct" | "enum" | "union", name) => Some(name),
        _ => None,
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::findings;
    use crate::lint::tokens::parse;

    fn lines(text: &str) -> Vec<usize> {
        findings(&parse(text).unwrap()).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn public_items_are_not_generic_over_tokens() {
        assert_eq!(lines("pub fn f<S: Isa>(isa: S) { }"), [1]);
        assert_eq!(lines("pub const fn f<S>(isa: S) where S: bitcore::Isa { }"), [1]);
        assert_eq!(lines("pub fn f(isa: impl Isa) { }"), [1]);
        assert_eq!(lines("pub struct A<S: Isa>(S);"), [1]);
        assert_eq!(lines("pub trait A {\n fn f<S: Isa>(isa: S); }"), [1]);
        assert_eq!(lines("impl A { \n pub fn f<S: Isa>(isa: S) {} }"), [2]);
        assert_eq!(lines("impl<S: Isa> A<S> { fn a() {}\n pub fn f(isa: S) {}\n fn b() {} }"), [2]);
        assert_eq!(lines("pub struct A;\nimpl<S: Isa> From<S> for A {}"), [2]);
        assert_eq!(lines("macro_rules! m { ($n:ident) => {\n pub fn $n<S: Isa>(isa: S) {} } }"), [2]);
    }

    #[test]
    fn kernels_and_their_entries_may_stand_anywhere() {
        assert!(
            lines("#[inline(always)] fn f<S: Isa>(isa: S) {} pub(crate) fn g<S: Isa>(isa: S) {}").is_empty()
        );
        assert!(
            lines("pub fn f(level: Level) { dispatch!(level, isa [] => g(isa)) } fn g<S: Isa>(isa: S) {}")
                .is_empty()
        );
        assert!(
            lines("pub struct A; impl A { fn f<S: Isa>(isa: S) {} pub fn g() { h::<Isa>() } }").is_empty()
        );
        assert!(lines("struct B; impl<S: Isa> From<S> for B { }").is_empty());
        assert!(lines("mod sealed { pub trait Sealed { fn f<S: Isa>(isa: S); } }").is_empty());
        assert!(lines("pub use bitcore::{Isa, Level}; pub mod a { fn f<S: Isa>() {} }").is_empty());
        assert!(lines("pub fn f(g: impl Fn(u8)) -> impl Iterator<Item = u8> { }").is_empty());
    }

    #[test]
    fn no_kernel_asks_for_its_level() {
        assert_eq!(lines("fn f() { if level == Level::PORTABLE {} }"), [1]);
        assert_eq!(lines("fn f() { if bitcore::Level::detect() != level {} }"), [1]);
        assert_eq!(lines("fn f() { if level == bitcore::Level::from(isa) {} }"), [1]);
        assert_eq!(lines("fn f() { matches!(isa.into(), Level::Portable(_)) }"), [1]);
        assert_eq!(lines("fn f<S: Isa>() { S::NAME == x }"), [1]);
        assert_eq!(lines("fn f() { level.name() == \"portable\" }"), [1]);
        assert_eq!(lines("fn f() { level.name() == \"neon\" }"), [1]);
        for token in super::TOKENS {
            assert_eq!(lines(&format!("use bitcore::{token};")), [1]);
        }
        assert!(
            lines("fn f() { let level = Level::PORTABLE; g_on(Level::detect(), level == level) }").is_empty()
        );
        assert!(lines("impl A { const B: &str = Self::NAME; }").is_empty());
        assert!(lines("fn f<S: Isa>(isa: S) { if S::FAST_PEXT { g_on(isa.into()) } }").is_empty());
    }

    #[test]
    fn no_library_hides_values_from_the_compiler() {
        assert_eq!(lines("use core::hint::black_box;\nfn f() { black_box(1) }"), [1, 2]);
        assert!(lines("#[cfg(test)] mod tests { use core::hint::black_box; }").is_empty());
    }
}
