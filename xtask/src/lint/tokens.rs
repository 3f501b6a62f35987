//! Rust files as items of tokens. Unlike a syntax tree they have the bodies of macros, too.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::path::PathBuf;

pub(super) type Sources = BTreeMap<PathBuf, TokenStream>;

/// An item with its attributes, or whatever ends with `;` or braces.
pub(super) struct Item {
    pub(super) trees: Vec<TokenTree>,
    /// The text of each tree, or the bracket that begins a group.
    pub(super) words: Vec<String>,
}

pub(super) fn items(tokens: &TokenStream) -> Vec<Item> {
    let trees: Vec<(TokenTree, String)> =
        tokens.clone().into_iter().map(|tree| (tree.clone(), word(&tree))).collect();
    let items = trees.split_inclusive(|(_, word)| word == "{" || word == ";");
    items.map(|item| item.iter().cloned().unzip()).map(|(trees, words)| Item { trees, words }).collect()
}

impl Item {
    pub(super) fn has(&self, words: &[&str]) -> bool {
        self.words.windows(words.len()).any(|found| found == words)
    }

    pub(super) fn groups(&self) -> impl Iterator<Item = &Group> {
        self.trees.iter().filter_map(group)
    }

    /// Returns whether an attribute restricts the item to tests.
    pub(super) fn is_test(&self) -> bool {
        self.groups().filter(|group| group.delimiter() == Delimiter::Bracket).any(|group| {
            let is = |name| mentions(group.stream(), name);
            is("cfg") && is("test") && !is("not") && !is("any")
        })
    }
}

fn group(tree: &TokenTree) -> Option<&Group> {
    if let TokenTree::Group(group) = tree { Some(group) } else { None }
}

fn word(tree: &TokenTree) -> String {
    match group(tree).map(Group::delimiter) {
        Some(Delimiter::Parenthesis) => "(".to_owned(),
        Some(Delimiter::Brace) => "{".to_owned(),
        Some(Delimiter::Bracket | Delimiter::None) => "[".to_owned(),
        None => tree.to_string(),
    }
}

/// Returns whether an identifier is among the tokens or in a group of them.
pub(super) fn mentions(tokens: impl IntoIterator<Item = TokenTree>, name: &str) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
