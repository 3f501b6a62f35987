//! The rules for kernels: no public item of a game crate is generic over a token, and no kernel
//! depends on its level. The rules work on tokens, which include the bodies of macros.

use super::tokens::{Item, items, mentions};
use proc_macro2::{TokenStream, TokenTree};

/// Returns a file's violations, each with its line. `levels` are the names of all levels for a
/// library, where kernels may not query the level, and empty for a program.
pub(super) fn findings(tokens: &TokenStream, levels: &[&str]) -> Vec<(usize, String)> {
    let mut rules = Rules { levels, types: Vec::new(), found: Vec::new() };
    rules.collect_types(tokens);
    rules.visit(tokens, false);
    rules.found
}

struct Rules<'a> {
    levels: &'a [&'a str],
    /// The public types of the file.
    types: Vec<String>,
    found: Vec<(usize, String)>,
}

impl Rules<'_> {
    fn collect_types(&mut self, tokens: &TokenStream) {
        for item in items(tokens) {
            let public = item.words.windows(3).filter(|words| words[0] == "pub");
            let types =
                public.filter(|words| ["struct", "enum", "union"].contains(&words[1].as_str()));
            self.types.extend(types.map(|words| words[2].clone()));
            item.groups().for_each(|group| self.collect_types(&group.stream()));
        }
    }

    /// Visits items. `in_isa_impl` is `true` inside the `impl` of a type that is generic over a
    /// token.
    fn visit(&mut self, tokens: &TokenStream, in_isa_impl: bool) {
        for item in items(tokens) {
            if item.is_test() || item.has(&["mod", "sealed"]) {
                continue;
            }
            let Item { trees, words } = &item;
            let is = |kinds: &[&str]| words.iter().any(|word| kinds.contains(&word.as_str()));
            let body = usize::from(words.ends_with(&["{".to_owned()]));
            let header = &trees[..trees.len() - body];
            let begin =
                words.iter().find(|word| !["#", "!", "[", "unsafe"].contains(&word.as_str()));
            let is_isa_impl =
                begin.is_some_and(|word| word == "impl") && mentions(header.to_vec(), "Isa");
            let public = words.windows(2).position(|words| words[0] == "pub" && words[1] != "(");
            // Members of a type or trait count; the body of a function doesn't.
            let parts = if is(&["struct", "enum", "trait", "union"]) { trees } else { header };
            let is_generic =
                || in_isa_impl || mentions(parts.to_vec(), "Isa") && !is(&["use", "mod"]);
            if let Some(i) = public.filter(|_| is_generic()) {
                self.report(
                    &trees[i],
                    "a public item is generic over Isa: call dispatch! inside it instead",
                );
            }
            if is_isa_impl && is(&["for"]) && self.types.iter().any(|name| is(&[name])) {
                self.report(
                    &trees[0],
                    "an impl of a public type is generic over Isa: use a private function",
                );
            }
            if item.has(&["Isa", "as"]) && !item.has(&["Isa", "as", "_"]) {
                self.report(
                    &trees[0],
                    "Isa is renamed: keep the name, the rules for kernels look for it",
                );
            }
            let mut start = 0;
            for part in words.split(|word| word == ",").filter(|_| !self.levels.is_empty()) {
                self.visit_questions(&trees[start..start + part.len()], part);
                start += part.len() + 1;
            }
            let is_inherent = is_isa_impl && !is(&["for"]);
            item.groups().for_each(|group| self.visit(&group.stream(), is_inherent));
        }
    }

    /// Reports where a part of an item queries the level, excluding nested groups.
    fn visit_questions(&mut self, trees: &[TokenTree], words: &[String]) {
        let compares = words.windows(2).any(|signs| signs == ["=", "="] || signs == ["!", "="]);
        for (i, tree) in trees.iter().enumerate() {
            let follows = |pair: [&str; 2]| i >= 2 && words[i - 2..i] == pair;
            let asks = match tree {
                TokenTree::Ident(name) if name == "Level" => {
                    compares && words.get(i + 1).is_some_and(|next| next == ":")
                }
                TokenTree::Ident(name) => {
                    name == "NAME" && follows([":", ":"]) && words[i.saturating_sub(3)] != "Self"
                }
                TokenTree::Literal(_) => self.levels.contains(&words[i].trim_matches('"')),
                TokenTree::Group(group) => {
                    follows(["matches", "!"]) && mentions(group.stream(), "Level")
                }
                TokenTree::Punct(_) => false,
            };
            if asks {
                self.report(
                    tree,
                    "a kernel depends on its level: use a constant of Isa, such as FAST_PEXT",
                );
            }
        }
    }

    fn report(&mut self, at: &TokenTree, text: &str) {
        self.found.push((at.span().start().line, text.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    fn lines(text: &str) -> Vec<usize> {
        let levels = ["portable", "neon"];
        super::findings(&text.parse().unwrap(), &levels).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn public_items_are_not_generic_over_tokens() {
        for text in [
            "\npub fn f<S: Isa>(isa: S) { }",
            "fn g() {}\npub const fn f<S>(isa: S) where S: bitcore::Isa { }",
            "#[inline]\npub fn f(isa: impl Isa) { }",
            "\npub struct A<S: Isa>(S);",
            "\npub trait A { fn f<S: Isa>(isa: S); }",
            "impl A {\n pub fn f<S: Isa>(isa: S) {} }",
            "impl<S: Isa> A<S> { fn a() {}\n pub fn f(isa: S) {} fn b() {} }",
            "pub struct A;\nimpl<S: Isa> From<S> for A {}",
            "macro_rules! m { ($n:ident) => {\n pub fn $n<S: Isa>(isa: S) {} } }",
            "\nuse bitcore::Isa as Token; pub fn f<S: Token>(isa: S) {}",
            "use bitcore::{\nIsa as Token, Level};",
        ] {
            assert_eq!(lines(text), [2], "{text}");
        }
    }

    #[test]
    fn kernels_and_their_entries_may_stand_anywhere() {
        for text in [
            "#[inline(always)] fn f<S: Isa>(isa: S) {} pub(crate) fn g<S: Isa>(isa: S) {}",
            "pub fn f(level: Level) { dispatch!(level, isa [] => g(isa)) } fn g<S: Isa>(isa: S) {}",
            "pub struct A; impl A { fn f<S: Isa>(isa: S) {} pub fn g() { h::<Isa>() } }",
            "struct B; impl<S: Isa> From<S> for B { }",
            "mod sealed { pub trait Sealed { fn f<S: Isa>(isa: S); } }",
            "pub use bitcore::{Isa, Level}; pub mod a { fn f<S: Isa>() {} } use bitcore::Isa as _;",
            "#[cfg(test)] mod tests { pub fn f<S: Isa>() {} }",
        ] {
            assert_eq!(lines(text), [0; 0], "{text}");
        }
    }

    #[test]
    fn no_kernel_asks_for_its_level() {
        for text in [
            "if level == Level::PORTABLE {}",
            "if bitcore::Level::detect() != level {}",
            "assert!(level == bitcore::Level::from(isa));",
            "matches!(level, Level::PORTABLE)",
            "S::NAME == x",
            "level.name() == \"neon\"",
        ] {
            assert_eq!(lines(&format!("fn f() {{\n {text} }}")), [2], "{text}");
        }
        let level = "fn f() { let level = Level::PORTABLE; g_on(Level::detect(), level == level) }";
        assert!(lines(level).is_empty());
        assert!(lines("impl A { const B: &str = Self::NAME; }").is_empty());
        assert!(lines("fn f<S: Isa>(isa: S) { if S::FAST_PEXT { g_on(isa.into()) } }").is_empty());
    }
}
