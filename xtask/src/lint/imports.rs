//! The rule for imports: in each folder, the files and folders import one another in one direction
//! only.
//!
//! A path that begins with `crate` or `super` imports the file that it names. A name that the
//! crate's root re-exports counts as an import of its own file.

use super::tokens::items;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};

/// A module by its path from the crate's root, which is empty.
pub(super) type Module = Vec<String>;
pub(super) type Files<'a> = BTreeMap<Module, &'a TokenStream>;
/// An import's path from the crate's root, and its line.
type Import = (Module, usize);
/// The neighbors in a folder that each of its files and folders imports, and where it first does.
type Imports = BTreeMap<String, BTreeMap<String, String>>;

/// Returns the folders of a crate with a circle, each with a line that names what takes part.
pub(super) fn findings(files: &Files<'_>) -> Vec<(Module, String)> {
    let reexported = reexported(files);
    let mut folders: BTreeMap<Module, Imports> = BTreeMap::new();
    for (file, tokens) in files {
        let mut paths = BTreeSet::new();
        visit(tokens, file, &mut paths);
        for (path, line) in paths {
            let path = path.first().and_then(|name| reexported.get(name)).unwrap_or(&path);
            let known = (0..=path.len()).rev().find(|&len| files.contains_key(&path[..len]));
            let to = &path[..known.unwrap_or(0)];
            let common = file.iter().zip(to).take_while(|(a, b)| a == b).count();
            if let (Some(from), Some(to)) = (file.get(common), to.get(common)) {
                let imports = folders.entry(file[..common].to_vec()).or_default();
                let place = || format!("{}.rs:{line}", file[common..].join("/"));
                imports.entry(from.clone()).or_default().entry(to.clone()).or_insert_with(place);
            }
        }
    }
    let circle = |(folder, imports)| Some((folder, circle(imports)?));
    folders.into_iter().filter_map(circle).collect()
}

/// Returns what is left after everything that takes part in no circle.
fn circle(mut imports: Imports) -> Option<String> {
    loop {
        let imported: BTreeSet<String> =
            imports.values().flat_map(|to| to.keys().cloned()).collect();
        let importing: BTreeSet<String> = imports.keys().cloned().collect();
        imports.retain(|name, _| imported.contains(name));
        for names in imports.values_mut() {
            names.retain(|name, _| importing.contains(name));
        }
        imports.retain(|_, names| !names.is_empty());
        if imports.len() == importing.len() {
            break;
        }
    }
    let line = |(name, names): (&String, &BTreeMap<String, String>)| {
        let names: Vec<String> =
            names.iter().map(|(name, place)| format!("{name} ({place})")).collect();
        format!("{name} imports {}", names.join(", "))
    };
    let lines: Vec<String> = imports.iter().map(line).collect();
    (!lines.is_empty())
        .then(|| format!("files import each other in a circle: {}", lines.join("; ")))
}

/// Returns the paths of the names that the crate's root re-exports.
fn reexported(files: &Files<'_>) -> BTreeMap<String, Module> {
    let mut paths = BTreeSet::new();
    for item in files.get(&[][..]).into_iter().flat_map(|root| items(root)) {
        if let Some(at) = item.words.windows(2).position(|words| words == ["pub", "use"]) {
            read(&item.trees[at + 2..], Vec::new(), 0, &mut paths);
        }
    }
    let named = |(path, _): Import| Some((path.last()?.clone(), path));
    let is_file = |name: &String| files.contains_key(std::slice::from_ref(name));
    paths.into_iter().filter_map(named).filter(|(name, _)| !is_file(name)).collect()
}

/// Collects the paths from the crate's root that a file uses outside of its tests.
fn visit(tokens: &TokenStream, file: &Module, paths: &mut BTreeSet<Import>) {
    for item in items(tokens).iter().filter(|item| !item.is_test()) {
        item.groups().for_each(|group| visit(&group.stream(), file, paths));
        for (at, word) in item.words.iter().enumerate() {
            let parent = file.split_last().map(|(_, parent)| parent.to_vec());
            let start = match word.as_str() {
                "crate" => Some(Vec::new()),
                "super" => parent,
                _ => None,
            };
            let begins = item.words[..at].last().is_none_or(|before| before != ":");
            if let Some(start) = start.filter(|_| begins && is_colons(&item.trees[at + 1..])) {
                let line = item.trees[at].span().start().line;
                read(&item.trees[at + 3..], start, line, paths);
            }
        }
    }
}

fn is_colons(trees: &[TokenTree]) -> bool {
    let is = |tree: &TokenTree| matches!(tree, TokenTree::Punct(sign) if sign.as_char() == ':');
    trees.len() > 2 && trees[..2].iter().all(is)
}

/// Reads the rest of a path, or of each path in braces.
fn read(trees: &[TokenTree], mut path: Module, line: usize, paths: &mut BTreeSet<Import>) {
    match trees.first() {
        Some(TokenTree::Ident(name)) => {
            if name == "super" {
                path.pop();
            } else {
                path.push(name.to_string());
            }
            if is_colons(&trees[1..]) {
                return read(&trees[3..], path, line, paths);
            }
        }
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            let is_comma =
                |tree: &TokenTree| matches!(tree, TokenTree::Punct(sign) if sign.as_char() == ',');
            for trees in inner.split(is_comma) {
                read(trees, path.clone(), line, paths);
            }
            return;
        }
        _ => {}
    }
    paths.insert((path, line));
}

#[test]
fn circles_are_named() {
    let found = |texts: &[(&str, &str)]| {
        let module = |name: &str| {
            name.split('/').filter(|part| !part.is_empty()).map(String::from).collect()
        };
        let parsed: Vec<(Module, TokenStream)> =
            texts.iter().map(|(name, text)| (module(name), text.parse().unwrap())).collect();
        findings(&parsed.iter().map(|(module, tokens)| (module.clone(), tokens)).collect())
    };
    let tests = "#[cfg(test)] mod tests { use crate::b::B; }";
    assert_eq!(
        found(&[("", "pub use b::B;"), ("a", tests), ("b", "use super::a::{self, A};")]),
        []
    );
    for a in
        ["use crate::B;", "fn f() { let b = crate::b::B; }", "use crate::{c::C, b::{self, B}};"]
    {
        let files = [
            ("", "pub use b::B;"),
            ("a", a),
            ("b/d", "use super::super::x; use crate::a::A;"),
            ("b", ""),
        ];
        let text =
            "files import each other in a circle: a imports b (a.rs:1); b imports a (b/d.rs:1)";
        assert_eq!(found(&files), [(Vec::new(), text.to_owned())], "{a}");
    }
}
