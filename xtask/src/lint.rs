//! `lint`: the source rules that neither rustc nor clippy checks: uses of `unsafe` and of
//! intrinsics, kernels, undeclared files, circles of imports, the size of tests, and links.

mod imports;
mod intrinsics;
mod kernels;
mod links;
mod size;
mod tokens;

use crate::Result;
use crate::workspace::{DEPENDENT, Package, Workspace};
use intrinsics::Place;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tokens::{Sources, declares};

/// The only folder in `crates/` that may use `unsafe`: bitcore's tokens.
const UNSAFE_FOLDER: &str = "crates/bitcore/src/isa";
/// The only crate that exports C names; rustc counts their attribute as `unsafe` code.
const EXPORTING_CRATE: &str = "bitcade-c";
/// The file with the names of all levels, relative to the workspace's root.
const LEVELS: &str = "crates/bitcore/src/level.rs";

pub(crate) fn run() -> Result {
    let (findings, files) = findings(&Workspace::load()?)?;
    for finding in &findings {
        println!("{finding}");
    }
    println!("{} findings in {files} files", findings.len());
    Ok(findings.is_empty())
}

/// Returns the violations of all rules, and the number of files read.
fn findings(workspace: &Workspace) -> Result<(Vec<String>, usize)> {
    let mut sources = Sources::new();
    for package in &workspace.packages {
        for file in files_in(package.folder(), "rs")? {
            let tokens = std::fs::read_to_string(&file)?.parse();
            let tokens = tokens.map_err(|error| format!("{}: {error}", workspace.short(&file)))?;
            sources.insert(file, tokens);
        }
    }
    let mut findings = lost_files(workspace, &sources);
    let crates = workspace.root.join("crates");
    for package in
        workspace.packages.iter().filter(|package| package.manifest_path.starts_with(&crates))
    {
        findings.extend(unsafe_and_kernels(workspace, package, &sources)?);
        findings.extend(size::finding(&package.name, package.folder())?);
    }
    // A workspace of its own.
    findings.extend(size::finding("bitcade-py", &crates.join("bitcade-py"))?);
    for package in &workspace.packages {
        findings.extend(circles(workspace, package, &sources));
    }
    let markdown = files_in(&workspace.root, "md")?;
    for file in &markdown {
        let found = links::findings(file, &std::fs::read_to_string(file)?);
        findings.extend(located(workspace, file, found));
    }
    Ok((findings, sources.len() + markdown.len()))
}

/// Finds `unsafe` and intrinsics outside their few allowed places, crates that don't forbid
/// `unsafe`, and violations of the kernel rules. Libraries must follow all kernel rules, bitcore
/// none, because it defines tokens and levels; programs may query the level.
fn unsafe_and_kernels(
    workspace: &Workspace,
    package: &Package,
    sources: &Sources,
) -> Result<Vec<String>> {
    let levels = std::fs::read_to_string(workspace.root.join(LEVELS))?;
    let levels =
        levels.lines().filter(|line| line.contains("const ") && line.contains(": &str = "));
    let mut levels: Vec<&str> = levels.filter_map(|line| line.split('"').nth(1)).collect();
    if levels.is_empty() {
        return Err(format!("{LEVELS}: no line `const NAME: &str = \"level\"`").into());
    } else if !package.is_library() {
        levels.clear();
    }
    let mut findings = Vec::new();
    let is_bitcore = package.name == "bitcore";
    for (file, tokens) in sources.iter().filter(|(file, _)| file.starts_with(package.folder())) {
        let place = if file.starts_with(workspace.root.join(UNSAFE_FOLDER)) {
            Place::Tokens
        } else if package.name == EXPORTING_CRATE {
            Place::Exports
        } else {
            Place::Other
        };
        let mut found = intrinsics::findings(tokens, "", place);
        if !is_bitcore && file.starts_with(package.folder().join("src")) {
            found.extend(kernels::findings(tokens, &levels));
        }
        findings.extend(located(workspace, file, found));
    }
    let roots = package.targets.iter().filter(|target| target.is("lib") || target.is("bin"));
    for root in roots.map(|target| &target.src_path).filter(|_| !is_bitcore) {
        let word = if package.name == EXPORTING_CRATE { "deny" } else { "forbid" };
        let attribute = format!("#![{word}(unsafe_code)]");
        if !std::fs::read_to_string(root)?.contains(&format!("\n{attribute}\n")) {
            let text = format!("add {attribute}: only bitcore may use unsafe code");
            findings.extend(located(workspace, root, [(1, text)]));
        }
    }
    Ok(findings)
}

/// Finds folders of a package's sources where files import each other in a circle.
fn circles(workspace: &Workspace, package: &Package, sources: &Sources) -> Vec<String> {
    let source = package.folder().join("src");
    let module = |file: &Path| {
        let path = file.strip_prefix(&source).ok()?.with_extension("");
        let names = path.iter().map(|name| name.to_string_lossy().into_owned());
        Some(names.filter(|name| name != "lib").collect())
    };
    let files = sources.iter().filter_map(|(file, tokens)| Some((module(file)?, tokens))).collect();
    let circle = |(folder, text): (imports::Module, String)| {
        let folder = folder.iter().fold(source.clone(), |path, name| path.join(name));
        format!("{}: {text}", workspace.short(&folder))
    };
    imports::findings(&files).into_iter().map(circle).collect()
}

/// Finds files that are neither a target's root nor declared by a `mod` in the parent module's file
/// or by a `path` attribute in the same package.
fn lost_files(workspace: &Workspace, sources: &Sources) -> Vec<String> {
    let mut findings = Vec::new();
    for package in &workspace.packages {
        let roots: BTreeSet<&Path> =
            package.targets.iter().map(|target| &*target.src_path).collect();
        let own = || sources.iter().filter(|(file, _)| file.starts_with(package.folder()));
        for (file, _) in own().filter(|(file, _)| !roots.contains(&***file)) {
            let module = if file.ends_with("mod.rs") {
                file.with_file_name("")
            } else {
                file.with_extension("")
            };
            let is_parent = |other: &Path| {
                let of_folder = roots.contains(other) || other.ends_with("mod.rs");
                let folder =
                    if of_folder { other.with_file_name("") } else { other.with_extension("") };
                module.parent() == Some(&folder)
            };
            let is_outside = file.starts_with(workspace.root.join(DEPENDENT));
            if !is_outside
                && !own().any(|(other, tokens)| declares(tokens, &module, file, is_parent(other)))
            {
                let text =
                    "no `mod` of a target declares this file: declare or delete it".to_owned();
                findings.extend(located(workspace, file, [(1, text)]));
            }
        }
    }
    findings
}

/// Returns the files with this extension, including subfolders but not cargo's output or hidden
/// folders, except `.github`.
pub(crate) fn files_in(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        let is_hidden = name.as_encoded_bytes().starts_with(b".") && name != ".github";
        if path.is_dir() && name != "target" && !is_hidden {
            found.extend(files_in(&path, extension)?);
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    Ok(found)
}

fn located(
    workspace: &Workspace,
    file: &Path,
    findings: impl IntoIterator<Item = (usize, String)>,
) -> impl Iterator<Item = String> {
    let file = workspace.short(file);
    findings.into_iter().map(move |(line, text)| format!("{file}:{line}: {text}"))
}

/// A violation of each rule, planted in a workspace, is reported with its place.
#[test]
fn planted_violations_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let package = |name| {
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
             publish.workspace = true\n"
        )
    };
    let kernels = "
        pub struct A;
        pub fn f<S: Isa>(isa: S) {}
        impl<S: Isa> From<S> for A {}
        use bitcore::Isa as Token;
        fn g<S: Isa>(isa: S) { S::NAME == name }
        fn h() { unsafe { i() } }
        fn j() { _mm_loadu_si128(p) }
    ";
    for (file, text) in [
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"crates/*\"]\nresolver = \"3\"\n[workspace.package]\npublish = []",
        ),
        ("crates/bitcore/Cargo.toml", &package("bitcore")),
        ("crates/bitcore/src/lib.rs", "mod level;"),
        ("crates/bitcore/src/level.rs", "pub const NEON: &str = \"neon\";"),
        ("crates/game/Cargo.toml", &package("game")),
        ("crates/game/src/lib.rs", "mod a;\nmod b;\nmod kernels;"),
        ("crates/game/src/a.rs", "\nuse crate::b::B;"),
        ("crates/game/src/b.rs", "\n\nuse super::a::A;"),
        ("crates/game/src/kernels.rs", kernels),
        ("crates/game/src/lost.rs", ""),
        ("crates/game/tests/main.rs", &"fn f() {}\n".repeat(99)),
        ("crates/game/README.md", "\n[a](b.md)"),
    ] {
        let file = root.join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let (found, files) = findings(&Workspace::of(&root).unwrap()).unwrap();
    let begins = [
        "crates/game/src/lost.rs:1: no `mod` of a target declares this file",
        "crates/game/src/kernels.rs:7: unsafe in `h`: call a method of a token",
        "crates/game/src/kernels.rs:8: _mm_loadu_si128 in `j`: call a method of a token",
        "crates/game/src/kernels.rs:3: a public item is generic over Isa",
        "crates/game/src/kernels.rs:4: an impl of a public type is generic over Isa",
        "crates/game/src/kernels.rs:5: Isa is renamed",
        "crates/game/src/kernels.rs:6: a kernel depends on its level",
        "crates/game/src/lib.rs:1: add #![forbid(unsafe_code)]",
        "crates/game: 891 characters of tests for 245 of source",
        "crates/game/src: files import each other in a circle: a imports b (a.rs:2); b imports a (b.rs:3)",
        "crates/game/README.md:2: the link b.md: no such file",
    ];
    assert_eq!(files, 9);
    for (found, begin) in found.iter().zip(begins) {
        assert!(found.starts_with(begin), "{found}\n{begin}");
    }
    assert_eq!(found.len(), begins.len(), "{found:#?}");
}
