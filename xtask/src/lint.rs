//! `lint`: format, clippy, docs, and where `unsafe` stands.

use crate::workspace::{Package, Workspace, cargo};
use crate::{Result, table};
use proc_macro2::{TokenStream, TokenTree};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The only part of `crates/` that may say `unsafe`: bitcore's tokens.
const UNSAFE_HOME: &str = "crates/bitcore/src/isa";

pub(crate) fn run() -> Result {
    let workspace = Workspace::load()?;
    let mut clippy = cargo(&[]);
    clippy.args(["clippy", "--quiet", "--workspace", "--all-targets", "--", "-Dwarnings"]);
    let mut doc = cargo(&[]);
    doc.env("CARGO_ENCODED_RUSTDOCFLAGS", "-Dwarnings");
    doc.args(["doc", "--quiet", "--workspace", "--no-deps"]);
    let mut fmt = cargo(&[]);
    fmt.args(["fmt", "--all", "--check"]);
    let steps: [(&str, &mut dyn FnMut() -> Result); 4] = [
        ("fmt", &mut || succeeds(&mut fmt)),
        ("clippy", &mut || succeeds(&mut clippy)),
        ("doc", &mut || succeeds(&mut doc)),
        ("unsafe", &mut || unsafe_is_at_home(&workspace)),
    ];
    let (mut passed, mut failed) = (0, 0);
    for (name, step) in steps {
        let start = Instant::now();
        let held = step()?;
        let verdict = if held { "ok" } else { "FAILED" };
        println!("{name}: {verdict}, {:.1} s", start.elapsed().as_secs_f64());
        *if held { &mut passed } else { &mut failed } += 1;
    }
    table::print_counts(passed, failed, 0);
    Ok(failed == 0)
}

fn succeeds(command: &mut Command) -> Result {
    Ok(command.status()?.success())
}

/// The keyword stands only under [`UNSAFE_HOME`], and the compiler forbids it in every crate but bitcore.
fn unsafe_is_at_home(workspace: &Workspace) -> Result {
    let crates = workspace.root.join("crates");
    let home = workspace.root.join(UNSAFE_HOME);
    let mut complaints = Vec::new();
    for file in sources(&crates)? {
        // `isa.rs` is the module's own file, `isa/` what is below it; only the latter may.
        if file.starts_with(&home) {
            continue;
        }
        let tokens: TokenStream = match std::fs::read_to_string(&file)?.parse() {
            Ok(tokens) => tokens,
            Err(error) => return Err(format!("{}: {error}", file.display()).into()),
        };
        let lines = unsafe_lines(tokens).into_iter();
        complaints
            .extend(lines.map(|line| format!("{}:{line}: unsafe outside {UNSAFE_HOME}", file.display())));
    }
    let others = |package: &&Package| package.name != "bitcore" && package.manifest_path.starts_with(&crates);
    for target in workspace.packages.iter().filter(others).flat_map(|package| &package.targets) {
        let forbids = || -> Result {
            let text = std::fs::read_to_string(&target.src_path)?;
            Ok(text.lines().any(|line| line == "#![forbid(unsafe_code)]"))
        };
        if (target.is("lib") || target.is("bin")) && !forbids()? {
            complaints.push(format!("{}: lacks #![forbid(unsafe_code)]", target.src_path.display()));
        }
    }
    for complaint in &complaints {
        println!("{complaint}");
    }
    Ok(complaints.is_empty())
}

/// Every Rust file below a folder, in order.
fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
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

/// The lines where the keyword `unsafe` stands. Comments are no tokens, strings are one token each, and the name of
/// a lint is another word.
fn unsafe_lines(tokens: TokenStream) -> Vec<usize> {
    let lines = tokens.into_iter().flat_map(|tree| match tree {
        TokenTree::Group(group) => unsafe_lines(group.stream()),
        TokenTree::Ident(word) if word == "unsafe" => vec![word.span().start().line],
        _ => Vec::new(),
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::unsafe_lines;

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
        assert_eq!(unsafe_lines(source.parse().unwrap()), [6, 7]);
    }
}
