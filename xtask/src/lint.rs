//! `lint`: format, clippy, docs, dependencies, and checks of the sources: where `unsafe` stands, the rules
//! for intrinsics and kernels, cycles of imports, comments, names and links.

mod comments;
mod cycles;
mod intrinsics;
mod kernels;
mod links;
mod names;
mod openings;
mod phrases;
mod tokens;
mod verbs;
mod width;

use crate::workspace::{Package, Workspace, cargo, is_installed, subcommand};
use crate::{Result, table};
use clap::builder::PossibleValuesParser;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The only folder in `crates/` where `unsafe` is allowed: bitcore's tokens.
const UNSAFE_FOLDER: &str = "crates/bitcore/src/isa";
/// The list of banned names, relative to the workspace's root.
const BANNED_NAMES: &str = "xtask/data/banned_names.txt";

#[derive(Default, clap::Args)]
#[command(after_help = "Example: cargo xtask lint --only cycles")]
pub(crate) struct Args {
    /// Only this check (may be repeated)
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(CHECKS.map(|check| check.name)))]
    only: Vec<String>,
}

struct Check {
    name: &'static str,
    run: fn(&Workspace) -> Result<Report>,
}

/// The result of a check, which holds if there are no findings.
#[derive(Default)]
struct Report {
    /// Lines to print: `file:line: text`.
    findings: Vec<String>,
    /// The number and kind of the things that were scanned; empty for cargo's own checks.
    scanned: String,
    /// The reason why the check could not run; empty if it did.
    skipped: String,
}

const CHECKS: [Check; 12] = [
    Check { name: "fmt", run: formatted },
    Check {
        name: "clippy",
        run: |_| {
            let arguments = ["clippy", "--quiet", "--workspace", "--all-targets", "--", "-Dwarnings"];
            succeeds(cargo(&[]).args(arguments))
        },
    },
    Check {
        name: "doc",
        run: |_| {
            let arguments = ["doc", "--quiet", "--workspace", "--all-features", "--no-deps"];
            succeeds(cargo(&[]).env("CARGO_ENCODED_RUSTDOCFLAGS", "-Dwarnings").args(arguments))
        },
    },
    Check { name: "unsafe", run: unsafe_outside_tokens },
    Check { name: "intrinsics", run: misplaced_intrinsics },
    Check { name: "kernels", run: broken_kernel_rules },
    Check { name: "cycles", run: import_cycles },
    Check { name: "words", run: words_of_comments },
    Check { name: "names", run: banned_names },
    Check { name: "links", run: broken_links },
    // By the rules in deny.toml. Advisories are left out: their database is a download of its own.
    Check {
        name: "deny",
        run: |_| {
            let arguments = ["check", "--hide-inclusion-graph"];
            tool("deny", &[&arguments[..], &["bans", "licenses", "sources"]].concat())
        },
    },
    Check { name: "unused", run: |_| tool("machete", &[]) },
];

pub(crate) fn run(args: &Args) -> Result {
    let workspace = Workspace::load()?;
    let (mut passed, mut failed, mut skipped_checks) = (0, 0, 0);
    let wanted = |name: &str| args.only.is_empty() || args.only.iter().any(|only| only == name);
    for Check { name, run } in CHECKS.iter().filter(|check| wanted(check.name)) {
        let start = Instant::now();
        let Report { findings, scanned, skipped } = run(&workspace)?;
        if !skipped.is_empty() {
            println!("{name}: SKIPPED, {skipped}");
            skipped_checks += 1;
            continue;
        }
        for finding in &findings {
            println!("{finding}");
        }
        let verdict =
            if findings.is_empty() { "ok".to_owned() } else { format!("FAILED ({})", findings.len()) };
        let scanned = if scanned.is_empty() { scanned } else { format!("{scanned}, ") };
        println!("{name}: {verdict}, {scanned}{:.1} s", start.elapsed().as_secs_f64());
        *if findings.is_empty() { &mut passed } else { &mut failed } += 1;
    }
    table::print_counts(passed, failed, skipped_checks);
    Ok(failed == 0)
}

/// Checks the format of both workspaces.
fn formatted(workspace: &Workspace) -> Result<Report> {
    let arguments = ["fmt", "--all", "--check"];
    let mut report = succeeds(cargo(&[]).args(arguments))?;
    let fuzz = succeeds(cargo(&[]).args(arguments).current_dir(workspace.root.join("fuzz")))?;
    report.findings.extend(fuzz.findings);
    Ok(report)
}

/// Runs a command that prints its own findings.
fn succeeds(command: &mut Command) -> Result<Report> {
    let status = command.status()?;
    let findings = if status.success() { Vec::new() } else { vec![format!("cargo: {status}")] };
    Ok(Report { findings, ..Report::default() })
}

/// Runs a subcommand of cargo that prints its own findings, if it is installed.
fn tool(name: &str, arguments: &[&str]) -> Result<Report> {
    if !is_installed(name) {
        let skipped = format!("no cargo-{name} (cargo install --locked cargo-{name})");
        return Ok(Report { skipped, ..Report::default() });
    }
    succeeds(subcommand(name).args(arguments))
}

/// Finds the keyword `unsafe` outside of [`UNSAFE_FOLDER`], and crates other than bitcore that don't forbid
/// it.
fn unsafe_outside_tokens(workspace: &Workspace) -> Result<Report> {
    let crates = workspace.root.join("crates");
    let allowed = workspace.root.join(UNSAFE_FOLDER);
    let mut findings = Vec::new();
    let files = tokens::sources(&crates)?;
    // The module's own file `isa.rs` isn't in the folder.
    for file in files.iter().filter(|file| !file.starts_with(&allowed)) {
        let tokens = tokens::read_whole(file)?;
        let found = tokens.iter().filter(|token| token.is_ident("unsafe"));
        let found = found.map(|token| (token.line, format!("unsafe outside {UNSAFE_FOLDER}")));
        findings.extend(located(workspace, file, found));
    }
    let others = |package: &&Package| package.name != "bitcore" && package.manifest_path.starts_with(&crates);
    for target in workspace.packages.iter().filter(others).flat_map(|package| &package.targets) {
        let forbids = || -> Result {
            let text = std::fs::read_to_string(&target.src_path)?;
            Ok(text.lines().any(|line| line == "#![forbid(unsafe_code)]"))
        };
        if (target.is("lib") || target.is("bin")) && !forbids()? {
            findings.push(format!("{}: lacks #![forbid(unsafe_code)]", workspace.short(&target.src_path)));
        }
    }
    Ok(Report { findings, scanned: format!("{} files", files.len()), ..Report::default() })
}

/// Finds `unsafe` blocks and intrinsics that stand elsewhere in [`UNSAFE_FOLDER`] than in their few places.
fn misplaced_intrinsics(workspace: &Workspace) -> Result<Report> {
    let files = tokens::sources(&workspace.root.join(UNSAFE_FOLDER))?;
    let mut findings = Vec::new();
    for file in &files {
        findings.extend(located(workspace, file, intrinsics::findings(&tokens::read_whole(file)?)));
    }
    Ok(Report { findings, scanned: format!("{} files", files.len()), ..Report::default() })
}

/// Finds offenses against the rules for kernels. All rules apply to libraries. bitcore, which makes tokens
/// and levels, and the workspace's own tools, which time them, have fewer.
fn broken_kernel_rules(workspace: &Workspace) -> Result<Report> {
    let crates = workspace.root.join("crates");
    let (mut findings, mut files) = (Vec::new(), 0);
    let in_crates = workspace.packages.iter().filter(|package| package.manifest_path.starts_with(&crates));
    for package in in_crates {
        for file in tokens::sources(&package.folder().join("src"))? {
            let tokens = tokens::read(&file)?;
            let found = match (package.name.as_str(), package.is_library()) {
                ("bitcore", _) => kernels::black_boxes(&tokens),
                (_, true) => kernels::findings(&tokens),
                (_, false) => kernels::public_isa_items(&tokens),
            };
            findings.extend(located(workspace, &file, found));
            files += 1;
        }
    }
    Ok(Report { findings, scanned: format!("{files} files"), ..Report::default() })
}

/// Finds files of a crate that import each other, directly or through other files.
fn import_cycles(workspace: &Workspace) -> Result<Report> {
    let (mut findings, mut crates) = (Vec::new(), 0);
    for package in &workspace.packages {
        for target in package.targets.iter().filter(|target| target.is("lib") || target.is("bin")) {
            let imports = cycles::Crate::load(&target.src_path)?.imports();
            findings.extend(cycles::findings(&imports, &workspace.root));
            crates += 1;
        }
    }
    Ok(Report { findings, scanned: format!("{crates} crates"), ..Report::default() })
}

/// Finds comments that are wider than code may be, banned phrases, and doc comments with a banned first word,
/// or, of functions outside of tests, without a verb at their beginning.
fn words_of_comments(workspace: &Workspace) -> Result<Report> {
    let (mut findings, mut lines, mut docs) = (Vec::new(), 0, 0);
    let mut counts = [0; 4];
    for (_, file) in sources(workspace)? {
        let text = std::fs::read_to_string(&file)?;
        let blocks = comments::blocks(&text);
        lines += blocks.iter().map(|block| block.lines.len()).sum::<usize>();
        docs += blocks.iter().filter(|block| block.is_doc()).count();
        let text_lines: Vec<&str> = text.lines().collect();
        let is_test = file.components().any(|part| part.as_os_str() == "tests");
        let found: [Vec<(usize, String)>; 4] = [
            blocks.iter().filter_map(openings::finding).collect(),
            width::findings(&text, &blocks),
            blocks.iter().flat_map(phrases::findings).collect(),
            blocks
                .iter()
                .filter(|_| !is_test)
                .filter_map(|block| verbs::finding(block, &text_lines))
                .collect(),
        ];
        counts.iter_mut().zip(&found).for_each(|(count, found)| *count += found.len());
        let mut found = found.concat();
        found.sort();
        findings.extend(located(workspace, &file, found));
    }
    let [openings, wide, phrases, nouns] = counts;
    let scanned = format!(
        "{docs} doc comments ({openings} with a banned first word, {nouns} of functions \
         without a verb), \
         {lines} lines of comments ({wide} too wide, {phrases} banned phrases)"
    );
    Ok(Report { findings, scanned, ..Report::default() })
}

/// Finds names on the list of banned ones.
fn banned_names(workspace: &Workspace) -> Result<Report> {
    let list = std::fs::read_to_string(workspace.root.join(BANNED_NAMES))?;
    let banned = names::parse(&list).map_err(|error| format!("{BANNED_NAMES}, {error}"))?;
    let (mut findings, mut files) = (Vec::new(), 0);
    for (package, file) in sources(workspace)? {
        let text = std::fs::read_to_string(&file)?;
        let found = names::findings(comments::words(&text), &package.name, &banned);
        findings.extend(located(workspace, &file, found));
        files += 1;
    }
    Ok(Report { findings, scanned: format!("{files} files for {} names", banned.len()), ..Report::default() })
}

/// Finds relative links in Markdown files that lead nowhere.
fn broken_links(workspace: &Workspace) -> Result<Report> {
    let read = |path: &Path| {
        let path = workspace.root.join(path);
        if path.is_dir() {
            Some(String::new())
        } else {
            Some(std::fs::read(path).ok()?).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        }
    };
    let (mut findings, mut links) = (Vec::new(), 0);
    for file in markdown(workspace)? {
        let text = std::fs::read_to_string(&file)?;
        let short = file.strip_prefix(&workspace.root).unwrap_or(&file);
        links += links::links(&text).len();
        findings.extend(located(workspace, &file, links::findings(short, &text, &read)));
    }
    Ok(Report { findings, scanned: format!("{links} links"), ..Report::default() })
}

/// Returns every Rust file of each package.
fn sources(workspace: &Workspace) -> Result<Vec<(&Package, PathBuf)>> {
    let mut found = Vec::new();
    for package in &workspace.packages {
        found.extend(tokens::sources(package.folder())?.into_iter().map(|file| (package, file)));
    }
    Ok(found)
}

/// Returns the Markdown files in the root, in `docs` and beside each package's manifest.
fn markdown(workspace: &Workspace) -> Result<Vec<PathBuf>> {
    let packages = workspace.packages.iter().map(|package| package.folder().to_path_buf());
    let mut found = Vec::new();
    for folder in [workspace.root.clone(), workspace.root.join("docs")].into_iter().chain(packages) {
        if !folder.is_dir() {
            continue;
        }
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found.dedup();
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
