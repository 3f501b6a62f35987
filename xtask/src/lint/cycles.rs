//! Cycles of imports between the files of a crate.
//!
//! A file imports another if it names an item that the other defines, with `use` or with a path in its code.
//! A name that comes through a re-export counts for the file that defines the item. So no file imports a
//! facade, which only declares modules and re-exports their items. `mod x;` isn't an import. A re-export is
//! one only if the file also uses the name.

use super::tokens::{Kind, Token, after_group, after_use};
use crate::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A crate's modules; the first is its root.
pub(super) struct Crate {
    modules: Vec<Module>,
}

#[derive(Default)]
struct Module {
    file: PathBuf,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    items: BTreeSet<String>,
    uses: Vec<Use>,
    /// The paths of two or more names in the code outside `use`, each with its line.
    paths: Vec<(Vec<String>, usize)>,
    /// The words of the code outside `use`, each with the line where it is first.
    words: BTreeMap<String, usize>,
}

/// One leaf of a `use`.
#[derive(Clone, Debug, PartialEq)]
struct Use {
    path: Vec<String>,
    /// The name that the item has in this file; `None` for a glob.
    name: Option<String>,
    exported: bool,
    line: usize,
}

/// The thing that a path names.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Target {
    Module(usize),
    /// An item of this module.
    Item(usize),
}

/// The imports of a crate: for each file the files that it imports, each with the line and the name of the
/// first import.
pub(super) type Imports = BTreeMap<PathBuf, BTreeMap<PathBuf, (usize, String)>>;

impl Crate {
    /// Reads a crate from its root file.
    pub(super) fn load(root: &Path) -> Result<Self> {
        let mut krate = Self { modules: Vec::new() };
        let folder = root.parent().unwrap_or(Path::new("."));
        let read = &|path: &Path| if path.exists() { super::tokens::read(path).map(Some) } else { Ok(None) };
        krate.add(root, folder, None, read)?;
        Ok(krate)
    }

    /// Adds the module in a file, whose children have their files in `folder`.
    fn add(
        &mut self,
        file: &Path,
        folder: &Path,
        parent: Option<usize>,
        read: &dyn Fn(&Path) -> Result<Option<Vec<Token>>>,
    ) -> Result<usize> {
        let tokens = read(file)?.ok_or_else(|| format!("{}: no such file", file.display()))?;
        self.add_tokens(&tokens, file, folder, parent, read)
    }

    fn add_tokens(
        &mut self,
        tokens: &[Token],
        file: &Path,
        folder: &Path,
        parent: Option<usize>,
        read: &dyn Fn(&Path) -> Result<Option<Vec<Token>>>,
    ) -> Result<usize> {
        let this = self.modules.len();
        self.modules.push(Module { file: file.to_path_buf(), parent, ..Module::default() });
        let (mut i, mut depth) = (0, 0);
        while i < tokens.len() {
            let token = &tokens[i];
            let next = tokens.get(i + 1);
            match &token.kind {
                Kind::Open(_) => depth += 1,
                Kind::Close(_) => depth -= 1,
                Kind::Ident(word) if word == "use" && !next.is_some_and(|next| next.is_punct('<')) => {
                    let end = after_use(tokens, i);
                    let exported = i > 0 && (tokens[i - 1].is_ident("pub") || is_restricted(tokens, i - 1));
                    let line = token.line;
                    let leaves = leaves(&tokens[i + 1..end.saturating_sub(1)]);
                    let uses = leaves.into_iter().map(|(path, name)| Use { path, name, exported, line });
                    self.modules[this].uses.extend(uses);
                    i = end;
                    continue;
                }
                Kind::Ident(word) if word == "mod" && next.and_then(Token::ident).is_some() => {
                    let name = next.and_then(Token::ident).unwrap_or_default().to_owned();
                    let below = folder.join(&name);
                    if tokens.get(i + 2).is_some_and(|token| token.opens('{')) {
                        let end = after_group(tokens, i + 2);
                        let child =
                            self.add_tokens(&tokens[i + 3..end - 1], file, &below, Some(this), read)?;
                        self.modules[this].children.insert(name, child);
                        i = end;
                    } else {
                        let candidates = [folder.join(format!("{name}.rs")), below.join("mod.rs")];
                        for candidate in candidates {
                            if let Some(tokens) = read(&candidate)? {
                                let child = self.add_tokens(&tokens, &candidate, &below, Some(this), read)?;
                                self.modules[this].children.insert(name.clone(), child);
                                break;
                            }
                        }
                        i += 3;
                    }
                    continue;
                }
                Kind::Ident(word) => {
                    let module = &mut self.modules[this];
                    if depth == 0 {
                        module.items.extend(defined(tokens, i));
                    }
                    module.words.entry(word.clone()).or_insert(token.line);
                    let after_path = i > 0
                        && (tokens[i - 1].is_punct(':') || tokens[i - 1].is_punct('.'))
                        && !(i > 1 && tokens[i - 1].is_punct(':') && !tokens[i - 2].is_punct(':'));
                    let path = path(tokens, i);
                    if !after_path && path.len() > 1 {
                        module.paths.push((path, token.line));
                    }
                }
                _ => {}
            }
            i += 1;
        }
        Ok(this)
    }

    /// Returns the thing that a path names in a module; `None` if the path leads out of the crate.
    fn resolve(
        &self,
        module: usize,
        path: &[String],
        seen: &mut BTreeSet<(usize, String)>,
    ) -> Option<Target> {
        let (first, mut rest) = path.split_first()?;
        let mut target = match first.as_str() {
            "crate" => Target::Module(0),
            "self" => Target::Module(module),
            "super" => Target::Module(self.modules[module].parent?),
            name => self.lookup(module, name, seen)?,
        };
        while let (Target::Module(at), Some((name, behind))) = (target, rest.split_first()) {
            target = match name.as_str() {
                "super" => Target::Module(self.modules[at].parent?),
                "self" => target,
                // An item that a macro defines isn't known: it counts for the module that the path names.
                name => self.lookup(at, name, seen).unwrap_or(Target::Item(at)),
            };
            rest = behind;
        }
        Some(target)
    }

    /// Returns the thing that a name stands for in a module.
    fn lookup(&self, at: usize, name: &str, seen: &mut BTreeSet<(usize, String)>) -> Option<Target> {
        if !seen.insert((at, name.to_owned())) {
            return None;
        }
        let module = &self.modules[at];
        let found = if let Some(&child) = module.children.get(name) {
            Some(Target::Module(child))
        } else if module.items.contains(name) {
            Some(Target::Item(at))
        } else {
            let mut named = module.uses.iter().filter(|leaf| leaf.name.as_deref() == Some(name));
            let target = named.find_map(|leaf| self.resolve(at, &leaf.path, seen));
            target.or_else(|| {
                let mut globs = module.uses.iter().filter(|leaf| leaf.name.is_none());
                globs.find_map(|leaf| match self.resolve(at, &leaf.path, seen)? {
                    Target::Module(module) => self.lookup(module, name, seen),
                    Target::Item(_) => None,
                })
            })
        };
        seen.remove(&(at, name.to_owned()));
        found
    }

    /// Returns the names that a glob of a module imports.
    fn names(&self, module: usize) -> impl Iterator<Item = &str> {
        let module = &self.modules[module];
        let used = module.uses.iter().filter_map(|leaf| leaf.name.as_deref());
        module.items.iter().chain(module.children.keys()).map(String::as_str).chain(used)
    }

    pub(super) fn imports(&self) -> Imports {
        let mut imports = Imports::new();
        let mut add = |module: usize, target: Option<Target>, line: usize, name: &str| {
            let Some(Target::Item(of)) = target else { return };
            let (from, to) = (&self.modules[module].file, &self.modules[of].file);
            if from != to {
                let files = imports.entry(from.clone()).or_default();
                files.entry(to.clone()).or_insert_with(|| (line, name.to_owned()));
            }
        };
        for (i, module) in self.modules.iter().enumerate() {
            let resolve = |path: &[String]| self.resolve(i, path, &mut BTreeSet::new());
            for leaf in &module.uses {
                let target = resolve(&leaf.path);
                match (&leaf.name, target) {
                    (Some(name), _) if leaf.exported && !module.words.contains_key(name) => {}
                    (Some(name), target) => add(i, target, leaf.line, name),
                    (None, Some(Target::Module(of))) => {
                        for name in self.names(of) {
                            if let Some(&line) = module.words.get(name) {
                                let target = self.lookup(of, name, &mut BTreeSet::new());
                                let shadowed = !matches!(self.lookup(i, name, &mut BTreeSet::new()), found if found == target);
                                if !shadowed {
                                    add(i, target, line, name);
                                }
                            }
                        }
                    }
                    (None, target) => add(i, target, leaf.line, "*"),
                }
            }
            for (path, line) in &module.paths {
                // A path that begins with an item was imported by `use`, or belongs to this file.
                let first = resolve(&path[..1]);
                if matches!(first, Some(Target::Module(_))) {
                    add(i, resolve(path), *line, &path.join("::"));
                }
            }
        }
        imports
    }
}

/// Returns whether a `pub(..)` ends at this index.
fn is_restricted(tokens: &[Token], end: usize) -> bool {
    let Kind::Close(')') = tokens[end].kind else { return false };
    let open = (0..end).rev().find(|&i| tokens[i].opens('('));
    open.is_some_and(|open| open > 0 && tokens[open - 1].is_ident("pub"))
}

/// Returns the name that an item's keyword at this index defines.
fn defined(tokens: &[Token], i: usize) -> Option<String> {
    let next = |k: usize| tokens.get(i + k).and_then(Token::ident);
    match tokens[i].ident()? {
        "const" if next(1) == Some("fn") || next(1) == Some("unsafe") => None,
        "static" if next(1) == Some("mut") => next(2).map(str::to_owned),
        "fn" | "struct" | "enum" | "trait" | "type" | "union" | "const" | "static" => {
            next(1).map(str::to_owned)
        }
        "macro_rules" => next(2).map(str::to_owned),
        _ => None,
    }
}

/// Returns the names from `start` on that `::` joins.
fn path(tokens: &[Token], start: usize) -> Vec<String> {
    let mut names = Vec::new();
    let mut i = start;
    while let Some(word) = tokens.get(i).and_then(Token::ident) {
        names.push(word.to_owned());
        let joined = |k: usize| tokens.get(i + k).is_some_and(|token| token.is_punct(':'));
        if !(joined(1) && joined(2)) {
            break;
        }
        i += 3;
    }
    names
}

/// Returns the leaves of the tree behind `use`: each path, and its name unless it is a glob.
fn leaves(tokens: &[Token]) -> Vec<(Vec<String>, Option<String>)> {
    let mut found = Vec::new();
    let mut prefix = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        match &tokens[i].kind {
            Kind::Ident(word) if word == "as" => {
                let name = tokens.get(i + 1).and_then(Token::ident).unwrap_or("_").to_owned();
                found.push((std::mem::take(&mut prefix), Some(name)));
                i += 1;
            }
            Kind::Ident(word) => prefix.push(word.clone()),
            Kind::Punct('*') => found.push((std::mem::take(&mut prefix), None)),
            Kind::Punct(',') => end_leaf(&mut prefix, &mut found),
            Kind::Open(_) => {
                let end = after_group(tokens, i);
                for (path, name) in leaves(&tokens[i + 1..end - 1]) {
                    // `a::{self}` is `a`.
                    let own = path.len() == 1 && path[0] == "self";
                    let name =
                        if own && name.as_deref() == Some("self") { prefix.last().cloned() } else { name };
                    let tail: &[String] = if own { &[] } else { &path };
                    found.push(([prefix.as_slice(), tail].concat(), name));
                }
                prefix.clear();
                i = end;
                continue;
            }
            _ => {}
        }
        i += 1;
    }
    end_leaf(&mut prefix, &mut found);
    found
}

fn end_leaf(prefix: &mut Vec<String>, found: &mut Vec<(Vec<String>, Option<String>)>) {
    if let Some(name) = prefix.last().cloned() {
        found.push((std::mem::take(prefix), Some(name)));
    }
}

/// Returns a finding for every import between two files of a cycle.
pub(super) fn findings(imports: &Imports, root: &Path) -> Vec<String> {
    let reach: BTreeMap<&PathBuf, BTreeSet<&PathBuf>> =
        imports.keys().map(|file| (file, reachable(imports, file))).collect();
    let short = |file: &Path| file.strip_prefix(root).unwrap_or(file).display().to_string();
    let mut found = Vec::new();
    for (from, files) in imports {
        for (to, (line, name)) in files {
            if reach.get(to).is_some_and(|reached| reached.contains(from)) {
                let (from, to) = (short(from), short(to));
                found.push(format!("{from}:{line}: imports {name} of {to}, which imports this file"));
            }
        }
    }
    found
}

fn reachable<'a>(imports: &'a Imports, start: &PathBuf) -> BTreeSet<&'a PathBuf> {
    let mut found = BTreeSet::new();
    let mut open = vec![start];
    while let Some(file) = open.pop() {
        for next in imports.get(file).into_iter().flat_map(BTreeMap::keys) {
            if found.insert(next) {
                open.push(next);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Crate, findings, leaves};
    use crate::lint::tokens::{Token, parse};
    use std::path::Path;

    /// Returns `from -> to` for each import of a crate, given as pairs of file and text.
    fn imports(files: &[(&str, &str)]) -> Vec<String> {
        let krate = krate(files);
        let pairs = krate.imports().into_iter().flat_map(|(from, files)| {
            files.into_keys().map(move |to| format!("{} -> {}", from.display(), to.display()))
        });
        pairs.collect()
    }

    fn krate(files: &[(&str, &str)]) -> Crate {
        let read = |path: &Path| {
            let file = files.iter().find(|(name, _)| Path::new(name) == path);
            Ok(file.map(|(_, text)| parse(text).unwrap()))
        };
        let mut krate = Crate { modules: Vec::new() };
        krate.add(Path::new("lib.rs"), Path::new(""), None, &read).unwrap();
        krate
    }

    #[test]
    fn trees_of_use_have_leaves() {
        let tokens: Vec<Token> = parse("crate::a::{self, B, c::{D as E, *}}, super::F").unwrap();
        let found: Vec<String> =
            leaves(&tokens).into_iter().map(|(path, name)| format!("{} {name:?}", path.join("::"))).collect();
        let expected = [
            "crate::a Some(\"a\")",
            "crate::a::B Some(\"B\")",
            "crate::a::c::D Some(\"E\")",
            "crate::a::c None",
            "super::F Some(\"F\")",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_facade_is_imported_by_nobody() {
        let files = [
            ("lib.rs", "mod a; mod b; pub use a::A; pub use b::*;"),
            ("a.rs", "use crate::B; pub struct A;"),
            ("b.rs", "pub struct B;"),
        ];
        assert_eq!(imports(&files), ["a.rs -> b.rs"]);
    }

    #[test]
    fn a_parent_and_a_child_that_use_each_other_are_a_cycle() {
        let files = [
            ("lib.rs", "mod a;"),
            ("a.rs", "mod b; pub struct A; pub fn f() { b::g() }"),
            ("a/b.rs", "use super::A; pub fn g() {}"),
        ];
        assert_eq!(imports(&files), ["a/b.rs -> a.rs", "a.rs -> a/b.rs"]);
        let found = findings(&krate(&files).imports(), Path::new(""));
        assert_eq!(found.len(), 2);
        assert_eq!(found[1], "a.rs:1: imports b::g of a/b.rs, which imports this file");
    }

    #[test]
    fn a_re_export_counts_where_the_file_needs_it() {
        let text = |body| [("lib.rs", body), ("a.rs", "pub struct A;")];
        assert!(imports(&text("mod a; pub use a::A;")).is_empty());
        assert_eq!(imports(&text("mod a; pub use a::A; pub fn f() -> A { A }")), ["lib.rs -> a.rs"]);
        assert_eq!(imports(&text("mod a; use a::A;")), ["lib.rs -> a.rs"]);
        assert_eq!(imports(&text("mod a; pub(crate) use a::A; fn f(_: A) {}")), ["lib.rs -> a.rs"]);
    }

    #[test]
    fn paths_without_use_are_imports_too() {
        let files = [
            ("lib.rs", "pub mod a; mod b;"),
            (
                "a.rs",
                "use crate::b; fn f() { b::c::g(); core::mem::swap(x, y); crate::b::T::new(); x.b::<u8>() }",
            ),
            ("b/mod.rs", "pub mod c; pub struct T;"),
            ("b/c.rs", "pub fn g() { let x: super::T; }"),
        ];
        assert_eq!(imports(&files), ["a.rs -> b/c.rs", "a.rs -> b/mod.rs", "b/c.rs -> b/mod.rs"]);
        assert!(findings(&krate(&files).imports(), Path::new("")).is_empty());
    }

    #[test]
    fn globs_count_for_the_names_that_are_used() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c; pub use a::*;"),
            ("a.rs", "pub struct A; pub use crate::c::C;"),
            ("b.rs", "use crate::a::*; fn f() -> C { }"),
            ("c.rs", "pub struct C;"),
        ];
        assert_eq!(imports(&files), ["b.rs -> c.rs"]);
    }

    #[test]
    fn inline_modules_are_of_their_file_and_tests_of_none() {
        let files = [
            ("lib.rs", "mod a; mod b { use super::a::A; use super::F; } struct F;"),
            (
                "a.rs",
                "pub struct A; mod inner { use super::super::F; use super::A; } #[cfg(test)] mod tests { use crate::z::Z; }",
            ),
        ];
        assert_eq!(imports(&files), ["a.rs -> lib.rs", "lib.rs -> a.rs"]);
    }

    #[test]
    fn names_of_macros_and_of_other_crates_are_found_or_passed_over() {
        let files = [
            (
                "lib.rs",
                "#[macro_use] mod m; mod a; mod b; #[macro_export] macro_rules! x { () => { $crate::b::B } }",
            ),
            ("m.rs", "macro_rules! m { () => {} } pub(crate) use m;"),
            ("a.rs", "use crate::m::m; use bitcore::b::B; use std::fmt; fn f() { fmt::Debug }"),
            ("b.rs", "made!(pub struct B);"),
        ];
        assert_eq!(imports(&files), ["a.rs -> m.rs", "lib.rs -> b.rs"]);
    }
}
