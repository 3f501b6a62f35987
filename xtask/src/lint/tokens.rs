//! Rust files as items of tokens. Unlike a syntax tree, they include the bodies of macros.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub(super) type Sources = BTreeMap<PathBuf, TokenStream>;

/// An item with its attributes, or anything else that ends with `;` or braces.
pub(super) struct Item {
    pub(super) trees: Vec<TokenTree>,
    /// The text of each tree, or a group's opening bracket.
    pub(super) words: Vec<String>,
}

pub(super) fn items(tokens: &TokenStream) -> Vec<Item> {
    let trees: Vec<(TokenTree, String)> =
        tokens.clone().into_iter().map(|tree| (tree.clone(), word(&tree))).collect();
    let items = trees.split_inclusive(|(_, word)| word == "{" || word == ";");
    items
        .map(|item| item.iter().cloned().unzip())
        .map(|(trees, words)| Item { trees, words })
        .collect()
}

impl Item {
    pub(super) fn has(&self, words: &[&str]) -> bool {
        self.words.windows(words.len()).any(|found| found == words)
    }

    pub(super) fn groups(&self) -> impl Iterator<Item = &Group> {
        self.trees.iter().filter_map(group)
    }

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

pub(super) fn mentions(tokens: impl IntoIterator<Item = TokenTree>, name: &str) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Returns `true` if the tokens of a file declare the module `file`: with `mod` and its name, if
/// they belong to its `parent`, or with the end of its path as a literal.
pub(super) fn declares(tokens: &TokenStream, module: &Path, file: &Path, parent: bool) -> bool {
    let mut behind_mod = false;
    let name = module.file_name().unwrap_or_default();
    tokens.clone().into_iter().any(|tree| {
        let is_mod = matches!(&tree, TokenTree::Ident(ident) if ident == "mod");
        match (std::mem::replace(&mut behind_mod, is_mod), tree) {
            (true, TokenTree::Ident(ident)) => parent && name == ident.to_string().as_str(),
            (_, TokenTree::Literal(text)) => {
                let text = text.to_string();
                text.ends_with(".rs\"") && file.ends_with(text.trim_matches('"'))
            }
            (_, TokenTree::Group(group)) => declares(&group.stream(), module, file, parent),
            _ => false,
        }
    })
}

#[test]
fn a_file_is_declared_by_its_parent_or_by_its_path() {
    let text = "#[cfg(x)] mod a; cfg_if! { if #[cfg(y)] { mod b { } } } #[cfg_attr(z, path = \"e/u.rs\")] mod e;";
    let tokens = text.parse().unwrap();
    let declared = |file: &str, parent| {
        declares(&tokens, &Path::new(file).with_extension(""), file.as_ref(), parent)
    };
    assert!(
        ["s/a.rs", "s/b.rs", "s/e.rs"]
            .iter()
            .all(|file| declared(file, true) && !declared(file, false))
    );
    assert!(declared("s/e/u.rs", false) && !declared("s/u.rs", true) && !declared("s/c.rs", true));
}
