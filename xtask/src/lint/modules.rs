//! The files of a crate: those that no `mod` declares, and circles of imports.
//!
//! A file imports another if it names an item that the other defines, with `use` or with a path in its code.
//! A name that comes through a re-export counts for the file that defines the item. So no file imports a
//! facade, which only declares modules and re-exports their items. `mod x;` isn't an import. A re-export is
//! one only if the file also uses the name. Globs are not followed; clippy refuses all but re-exports.

use super::links::join;
use super::tokens::{Item, Sources, items};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use syn::UseTree;

/// The modules of a crate; the first is its root.
pub(super) struct Crate<'a> {
    sources: &'a Sources,
    modules: Vec<Module>,
    /// All files, those of tests included.
    pub(super) files: Vec<PathBuf>,
}

#[derive(Default)]
struct Module {
    file: usize,
    /// The folder of the children's files.
    folder: PathBuf,
    parent: usize,
    is_test: bool,
    children: BTreeMap<String, usize>,
    /// The names that `use` gives, with their paths.
    uses: Vec<(String, Vec<String>)>,
    imports: Vec<Import>,
    /// The words of the code outside `use`.
    words: BTreeSet<String>,
}

/// A leaf of a `use`, or a path in code.
struct Import {
    path: Vec<String>,
    line: usize,
    /// The name that a re-export gives.
    exported: Option<String>,
}

/// The most names of `use` that a path passes through: a bound for those that name each other.
const MAX_HOPS: usize = 8;

/// The names that a file imports from another one, with their lines.
type Imports = BTreeMap<(usize, usize), BTreeMap<String, usize>>;

impl<'a> Crate<'a> {
    /// Reads a crate from its root file. The modules of tests have files, and import nothing.
    pub(super) fn load(root: &Path, is_test: bool, sources: &'a Sources) -> Self {
        let mut krate = Self { sources, modules: Vec::new(), files: vec![root.to_path_buf()] };
        let module = Module { folder: root.with_file_name(""), is_test, ..Module::default() };
        krate.add("crate", module, sources.get(root).unwrap_or(&TokenStream::new()));
        krate
    }

    fn add(&mut self, name: &str, module: Module, tokens: &TokenStream) {
        let (this, parent) = (self.modules.len(), module.parent);
        self.modules.push(module);
        self.modules[parent].children.insert(name.to_owned(), this);
        self.visit(this, tokens);
    }

    /// Adds the items of a module, also those in bodies and in macros such as `cfg_if!`.
    fn visit(&mut self, this: usize, tokens: &TokenStream) {
        for item in items(tokens) {
            let find = |keyword: &str| item.words.iter().position(|word| word == keyword);
            let is_mod = |i: &usize| item.words.get(i + 2).is_some_and(|word| word == "{" || word == ";");
            let tree = find("use").and_then(|i| parse_use(&item.trees[i + 1..]));
            if let Some(i) = find("mod").filter(is_mod) {
                self.add_child(this, &item, i);
            } else if item.is_test() {
            } else if let Some(tree) = tree {
                self.modules[this].add_use(&tree, &[], find("pub").is_some());
            } else {
                self.modules[this].add_paths(&item);
                item.groups().for_each(|group| self.visit(this, &group.stream()));
            }
        }
    }

    fn add_child(&mut self, parent: usize, item: &Item, keyword: usize) {
        let (this, sources, name) = (&self.modules[parent], self.sources, &item.words[keyword + 1]);
        let (file, folder, is_test) = (this.file, this.folder.join(name), this.is_test || item.is_test());
        if let TokenTree::Group(items) = &item.trees[keyword + 2] {
            let module = Module { file, folder, parent, is_test, ..Module::default() };
            return self.add(name, module, &items.stream());
        }
        // `#[path = ".."]`, also in a `cfg_attr`.
        let texts: Vec<String> = item.trees[..keyword].iter().map(ToString::to_string).collect();
        let paths = texts.iter().filter_map(|text| text.split("path = \"").nth(1)?.split('"').next());
        let paths =
            paths.map(|path| join(&self.files[file], path)).map(|path| (path.with_file_name(""), path));
        let own = [folder.with_extension("rs"), folder.join("mod.rs")].map(|path| (folder.clone(), path));
        let files: Vec<_> = paths.chain(own).filter(|(_, path)| sources.contains_key(path)).collect();
        for (folder, path) in files {
            let (file, tokens) = (self.files.len(), &sources[&path]);
            self.files.push(path);
            self.add(name, Module { file, folder, parent, is_test, ..Module::default() }, tokens);
        }
    }

    /// Returns the module that a path names or whose item it names, and whether it names an item; `None` if
    /// the path leads out of the crate. At most `hops` names of `use` are followed.
    fn resolve(&self, at: usize, path: &[String], hops: usize) -> Option<(usize, bool)> {
        let mut target = (at, false);
        for (i, name) in path.iter().enumerate() {
            let (at, false) = target else { break };
            let module = &self.modules[at];
            let found = match name.as_str() {
                "crate" => Some(0),
                "self" => Some(at),
                "super" => Some(module.parent),
                name => module.children.get(name).copied(),
            };
            let mut uses = module.uses.iter().filter(|(given, _)| given == name && hops > 0);
            let used = || uses.find_map(|(_, path)| self.resolve(at, path, hops - 1));
            let found = found.map(|module| (module, false)).or_else(used);
            // A name without `mod` or `use` is an item's; one that begins a path belongs to this file.
            target = if i == 0 { found? } else { found.unwrap_or((at, true)) };
        }
        Some(target)
    }

    fn imports(&self) -> Imports {
        let mut imports = Imports::new();
        for (i, module) in self.modules.iter().enumerate().filter(|(_, module)| !module.is_test) {
            let resolve = |path: &[String]| self.resolve(i, path, MAX_HOPS);
            // A path that begins with an item was imported by `use`.
            let begins_with_module =
                |path: &[String]| resolve(&path[..1]).is_some_and(|(_, is_item)| !is_item);
            for Import { path, line, exported } in &module.imports {
                let is_used = exported.as_ref().is_none_or(|name| module.words.contains(name));
                let Some((of, true)) = resolve(path) else { continue };
                let files = (module.file, self.modules[of].file);
                if is_used && begins_with_module(path) && files.0 != files.1 {
                    imports.entry(files).or_default().entry(path.join("::")).or_insert(*line);
                }
            }
        }
        imports
    }

    /// Returns a finding for each circle of imports, the shortest first: the file and line of the import with
    /// the fewest names, which is the easiest to cut and probably the newest, and the others of the circle.
    pub(super) fn circles(&self, short: &dyn Fn(&Path) -> String) -> Vec<String> {
        let (mut imports, mut found) = (self.imports(), Vec::new());
        while let Some(mut circle) = self.shortest_circle(&imports) {
            circle.push(circle[0]);
            let mut edges: Vec<_> = circle.windows(2).map(|edge| (edge[0], edge[1])).collect();
            let fewest = (0..edges.len()).min_by_key(|&i| imports[&edges[i]].len()).unwrap_or(0);
            edges.rotate_left(fewest);
            let texts = edges.iter().map(|edge| {
                let (from, to) = (short(&self.files[edge.0]), short(&self.files[edge.1]));
                let names: Vec<&str> = imports[edge].keys().map(String::as_str).collect();
                let line = imports[edge].values().min().copied().unwrap_or(0);
                format!("{from}:{line}: imports {} of {to}", names.join(", "))
            });
            let texts: Vec<String> = texts.collect();
            let remedy = "in a circle; move what both need to a file of its own";
            found.push(format!("{}, {remedy} ({})", texts[0], texts[1..].join("; ")));
            imports.remove(&edges[0]);
        }
        found
    }

    /// Returns the files of the shortest circle, each of which imports the next one, the last one the first.
    fn shortest_circle(&self, imports: &Imports) -> Option<Vec<usize>> {
        let circles = (0..self.files.len()).filter_map(|start| {
            let (mut ways, mut seen) = (VecDeque::from([vec![start]]), BTreeSet::new());
            while let Some(way) = ways.pop_front() {
                let last = way[way.len() - 1];
                for (&(_, next), _) in imports.range((last, 0)..(last + 1, 0)) {
                    if next == start {
                        return Some(way);
                    } else if seen.insert(next) {
                        ways.push_back([&way[..], &[next]].concat());
                    }
                }
            }
            None
        });
        circles.min_by_key(Vec::len)
    }
}

impl Module {
    /// Adds the words of an item, and the names that `::` joins.
    fn add_paths(&mut self, item: &Item) {
        let words = &item.words;
        let is_joined = |i: usize| i >= 2 && words[i - 2..i] == [":", ":"];
        let is_name = |word: &str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        for (i, word) in words.iter().enumerate().filter(|(_, word)| is_name(word)) {
            self.words.insert(word.clone());
            let ends = (i + 3..words.len()).step_by(3).take_while(|&end| is_joined(end));
            let path: Vec<String> = [i].into_iter().chain(ends).map(|i| words[i].clone()).collect();
            if path.len() > 1 && !is_joined(i) {
                let line = item.trees[i].span().start().line;
                self.imports.push(Import { path, line, exported: None });
            }
        }
    }

    fn add_use(&mut self, tree: &UseTree, prefix: &[String], exported: bool) {
        let (ident, name) = match tree {
            UseTree::Path(path) => {
                let prefix = [prefix, &[path.ident.to_string()]].concat();
                return self.add_use(&path.tree, &prefix, exported);
            }
            UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.add_use(tree, prefix, exported));
            }
            UseTree::Glob(_) => return,
            UseTree::Name(name) => (&name.ident, &name.ident),
            UseTree::Rename(name) => (&name.ident, &name.rename),
        };
        // `a::{self}` is `a`.
        let own = (ident != "self").then(|| ident.to_string());
        let path: Vec<String> = prefix.iter().cloned().chain(own).collect();
        let name = if name == "self" { path.last().cloned().unwrap_or_default() } else { name.to_string() };
        self.uses.push((name.clone(), path.clone()));
        let line = ident.span().start().line;
        self.imports.push(Import { path, line, exported: exported.then_some(name) });
    }
}

fn parse_use(trees: &[TokenTree]) -> Option<UseTree> {
    syn::parse2(trees.iter().filter(|tree| tree.to_string() != ";").cloned().collect()).ok()
}

#[cfg(test)]
mod tests {
    use super::{Crate, Path};

    /// Returns the imports `from -> to` and the circles of a crate with files `name: text`.
    fn read(files: &str) -> (String, Vec<String>) {
        let files = files.split(" | ").map(|file| file.split_once(": ").unwrap());
        let sources = files.map(|(name, text)| (name.into(), text.parse().unwrap())).collect();
        let krate = Crate::load("r.rs".as_ref(), false, &sources);
        assert_eq!(krate.files.len(), sources.len());
        let file = |i: usize| krate.files[i].display();
        let imports = krate.imports().into_keys().map(|(from, to)| format!("{} -> {}", file(from), file(to)));
        (imports.collect::<Vec<_>>().join(", "), krate.circles(&|path: &Path| path.display().to_string()))
    }

    #[test]
    fn each_circle_is_found_at_its_weakest_import() {
        let files = "r.rs: mod a; mod b; mod c; | a.rs: use crate::{b::B, c::{C, D}}; | \
            b.rs: use crate::a::{A, E}; | c.rs: \nfn f() { super::a::G }";
        let begin = |text: &String| text.split(", in a circle;").next().unwrap_or_default().to_owned();
        let found = read(files).1;
        let begins: Vec<String> = found.iter().map(begin).collect();
        assert_eq!(begins, ["a.rs:1: imports crate::b::B of b.rs", "c.rs:2: imports super::a::G of a.rs"]);
        assert!(found[1].ends_with("(a.rs:1: imports crate::c::C, crate::c::D of c.rs)"), "{}", found[1]);
    }

    #[test]
    fn a_file_imports_what_it_names() {
        for case in [
            // A facade is imported by nobody; a re-export is an import if its file needs it.
            "r.rs: mod a; mod b; pub use a::A; | a.rs: pub struct A; | b.rs: use crate::A; ==> b.rs -> a.rs",
            "r.rs: mod a; mod b; pub use b::{self, B as C}; | a.rs: use crate::C; | b.rs:  ==> a.rs -> b.rs",
            "r.rs: mod a; pub use a::A; pub fn f() -> A { A } | a.rs:  ==> r.rs -> a.rs",
            "r.rs: mod a; pub(crate) use a::A; fn f(_: A) {} | a.rs:  ==> r.rs -> a.rs",
            // Paths without `use`, or behind a `use` of their module.
            "r.rs: mod a; mod b; | a.rs: use crate::b; fn f() { core::b::h(); b::c::g() } | b.rs: mod c; | \
                b/c.rs: fn g() { let x: super::T; } ==> a.rs -> b/c.rs, b/c.rs -> b.rs",
            "r.rs: mod a; mod b; | a.rs: fn f() { use super::b; x.b::<u8>(); b::f() } | b/mod.rs:  ==> \
                a.rs -> b/mod.rs",
            // Inline modules belong to their file, and tests import nothing.
            "r.rs: mod a; mod b { use super::{F, a::A}; } | a.rs: mod c { use super::{super::F, A}; } \
                ==> r.rs -> a.rs, a.rs -> r.rs",
            "r.rs: mod a; | a.rs: #[cfg(all(test))] mod b { use crate::F; mod c; } | a/b/c.rs: crate::F ==> ",
            // Macros.
            "r.rs: mod m; mod a; macro_rules! x { () => { $crate::a::B } } | m.rs: pub(crate) use m; | \
                a.rs: use crate::m::m; use bitcore::a::B; ==> r.rs -> a.rs, a.rs -> m.rs",
            "r.rs: cfg_if! { if #[cfg(x)] { mod b; use b::B; } else { use crate::a::f; } } mod a; | a.rs:  | \
                b.rs:  ==> r.rs -> b.rs, r.rs -> a.rs",
            // Files with other names.
            "r.rs: #[cfg_attr(x, path = \"e/u.rs\")] #[cfg_attr(not(x), path = \"e/o.rs\")] mod e; | \
                e/u.rs: #[path = \"../f.rs\"] mod g; use crate::A; | e/o.rs:  | f.rs:  ==> e/u.rs -> r.rs",
        ] {
            let (files, imports) = case.split_once(" ==> ").unwrap();
            assert_eq!(read(files).0, imports, "{files}");
        }
    }
}
