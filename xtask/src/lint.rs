//! `lint`: the rules for the sources that neither rustc nor clippy knows: places of `unsafe` and of
//! intrinsics, kernels, circles of imports, files that no `mod` declares, and links.

mod intrinsics;
mod kernels;
mod links;
mod modules;
mod tokens;

use crate::workspace::Workspace;
use crate::{Result, table};
use modules::Crate;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tokens::Sources;

/// The only folder in `crates/` where `unsafe` is allowed: bitcore's tokens.
const UNSAFE_FOLDER: &str = "crates/bitcore/src/isa";
/// The file with the names of all levels, relative to the workspace's root.
const LEVELS: &str = "crates/bitcore/src/level.rs";

/// The lines to print, `file:line: text`, and the number of files that were read.
type Report = (Vec<String>, usize);

const CHECKS: [(&str, fn(&Workspace, &Sources) -> Result<Report>); 3] = [
    ("unsafe and kernels", unsafe_and_kernels),
    ("circles and lost files", circles_and_lost_files),
    ("links", broken_links),
];

pub(crate) fn run() -> Result {
    let workspace = Workspace::load()?;
    let mut sources = Sources::new();
    for package in &workspace.packages {
        for file in files_in(package.folder(), "rs")? {
            let tokens = std::fs::read_to_string(&file)?.parse();
            let tokens = tokens.map_err(|error| format!("{}: {error}", workspace.short(&file)))?;
            sources.insert(file, tokens);
        }
    }
    let mut failed = 0;
    for (name, check) in CHECKS {
        let (findings, files) = check(&workspace, &sources)?;
        for finding in &findings {
            println!("{finding}");
        }
        let holds = findings.is_empty() && files > 0;
        let verdict = if holds { "ok".to_owned() } else { format!("FAILED ({})", findings.len()) };
        println!("{name}: {verdict}, {files} files");
        failed += usize::from(!holds);
    }
    table::print_counts(CHECKS.len() - failed, failed, 0);
    Ok(failed == 0)
}

/// Finds `unsafe` and intrinsics outside of their few places, crates that don't forbid `unsafe`, and offenses
/// against the rules for kernels. Of these all apply to libraries, and none to bitcore, which makes tokens
/// and levels; programs may ask for the level.
fn unsafe_and_kernels(workspace: &Workspace, sources: &Sources) -> Result<Report> {
    let text = std::fs::read_to_string(workspace.root.join(LEVELS))?;
    let levels = text.lines().filter(|line| line.contains("const ") && line.contains(": &str = "));
    let levels: Vec<String> = levels.filter_map(|line| Some(line.split('"').nth(1)?.to_owned())).collect();
    if levels.is_empty() {
        return Err(format!("{LEVELS}: no line `const NAME: &str = \"level\"`").into());
    }
    let (mut findings, mut files) = (Vec::new(), 0);
    let crates = workspace.root.join("crates");
    for package in workspace.packages.iter().filter(|package| package.manifest_path.starts_with(&crates)) {
        let is_bitcore = package.name == "bitcore";
        let levels = if package.is_library() { levels.as_slice() } else { &[] };
        for (file, tokens) in sources.iter().filter(|(file, _)| file.starts_with(package.folder())) {
            let mut found =
                intrinsics::findings(tokens, file.starts_with(workspace.root.join(UNSAFE_FOLDER)));
            if !is_bitcore && file.starts_with(package.folder().join("src")) {
                found.extend(kernels::findings(tokens, levels));
            }
            findings.extend(located(workspace, file, found));
            files += 1;
        }
        let roots = package.targets.iter().filter(|target| target.is("lib") || target.is("bin"));
        for root in roots.map(|target| &target.src_path).filter(|_| !is_bitcore) {
            if !std::fs::read_to_string(root)?.contains("\n#![forbid(unsafe_code)]\n") {
                let text = "add #![forbid(unsafe_code)]: only bitcore may have it".to_owned();
                findings.extend(located(workspace, root, [(1, text)]));
            }
        }
    }
    Ok((findings, files))
}

/// Finds files of a crate that import each other, directly or through other files, and files that belong to
/// no target of their package.
fn circles_and_lost_files(workspace: &Workspace, sources: &Sources) -> Result<Report> {
    let (mut findings, mut declared) = (Vec::new(), BTreeSet::new());
    for target in workspace.packages.iter().flat_map(|package| &package.targets) {
        // Tests only have files.
        let is_test = !(target.is("lib") || target.is("bin"));
        let krate = Crate::load(&target.src_path, is_test, sources);
        findings.extend(krate.circles(&|path| workspace.short(path)));
        declared.extend(krate.files);
    }
    for file in sources.keys().filter(|file| !declared.contains(*file)) {
        let text = "no `mod` of a target declares this file: declare or delete it".to_owned();
        findings.extend(located(workspace, file, [(1, text)]));
    }
    Ok((findings, declared.len()))
}

/// Finds relative links in Markdown files that lead nowhere.
fn broken_links(workspace: &Workspace, _: &Sources) -> Result<Report> {
    let files = files_in(&workspace.root, "md")?;
    let mut findings = Vec::new();
    for file in &files {
        let found = links::findings(file, &std::fs::read_to_string(file)?);
        findings.extend(located(workspace, file, found));
    }
    Ok((findings, files.len()))
}

/// Returns every file with this extension in a folder and the folders below it, sorted. Hidden folders and
/// what cargo has built are left out.
fn files_in(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() {
            if name != "target" && !name.as_encoded_bytes().starts_with(b".") {
                found.extend(files_in(&path, extension)?);
            }
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Returns the findings of a file as lines to print.
fn located<'a>(
    workspace: &'a Workspace,
    file: &'a Path,
    findings: impl IntoIterator<Item = (usize, String), IntoIter: 'a>,
) -> impl Iterator<Item = String> + 'a {
    findings.into_iter().map(|(line, text)| format!("{}:{line}: {text}", workspace.short(file)))
}
