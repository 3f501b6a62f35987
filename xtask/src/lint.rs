//! `lint`: format, clippy, docs, and what only the sources show: where `unsafe` stands, the rules for kernels, circles
//! of imports.

mod circles;
mod kernels;
mod tokens;

use crate::workspace::{Package, Workspace, cargo};
use crate::{Result, table};
use std::process::Command;
use std::time::Instant;

/// The only part of `crates/` that may say `unsafe`: bitcore's tokens.
const UNSAFE_HOME: &str = "crates/bitcore/src/isa";

#[derive(Default, clap::Args)]
#[command(after_help = "Example: cargo xtask lint --only circles")]
pub(crate) struct Args {
    /// Only this check (may be repeated)
    #[arg(long, value_name = "NAME", value_parser = CHECKS)]
    only: Vec<String>,
}

const CHECKS: [&str; 6] = ["fmt", "clippy", "doc", "unsafe", "kernels", "circles"];

pub(crate) fn run(args: &Args) -> Result {
    let workspace = Workspace::load()?;
    let (mut passed, mut failed) = (0, 0);
    let wanted = |name: &str| args.only.is_empty() || args.only.iter().any(|only| only == name);
    for name in CHECKS.into_iter().filter(|name| wanted(name)) {
        let start = Instant::now();
        let held = match name {
            "fmt" => succeeds(cargo(&[]).args(["fmt", "--all", "--check"])),
            "clippy" => succeeds(cargo(&[]).args([
                "clippy",
                "--quiet",
                "--workspace",
                "--all-targets",
                "--",
                "-Dwarnings",
            ])),
            "doc" => succeeds(cargo(&[]).env("CARGO_ENCODED_RUSTDOCFLAGS", "-Dwarnings").args([
                "doc",
                "--quiet",
                "--workspace",
                "--no-deps",
            ])),
            "unsafe" => unsafe_is_at_home(&workspace),
            "kernels" => kernels_keep_the_rules(&workspace),
            _ => no_circles(&workspace),
        }?;
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
    for file in tokens::sources(&crates)? {
        // `isa.rs` is the module's own file, `isa/` what is below it; only the latter may.
        if file.starts_with(&home) {
            continue;
        }
        for token in tokens::read_whole(&file)?.iter().filter(|token| token.is_word("unsafe")) {
            complaints.push(format!(
                "{}:{}: unsafe outside {UNSAFE_HOME}",
                workspace.short(&file),
                token.line
            ));
        }
    }
    let others = |package: &&Package| package.name != "bitcore" && package.manifest_path.starts_with(&crates);
    for target in workspace.packages.iter().filter(others).flat_map(|package| &package.targets) {
        let forbids = || -> Result {
            let text = std::fs::read_to_string(&target.src_path)?;
            Ok(text.lines().any(|line| line == "#![forbid(unsafe_code)]"))
        };
        if (target.is("lib") || target.is("bin")) && !forbids()? {
            complaints.push(format!("{}: lacks #![forbid(unsafe_code)]", workspace.short(&target.src_path)));
        }
    }
    Ok(print(&complaints))
}

/// What the sources of libraries must not say. bitcore makes the tokens and the levels; the workspace's own tools may
/// time and compare, but no token passes through what they publish.
fn kernels_keep_the_rules(workspace: &Workspace) -> Result {
    let crates = workspace.root.join("crates");
    let mut complaints = Vec::new();
    let in_crates = workspace.packages.iter().filter(|package| package.manifest_path.starts_with(&crates));
    for package in in_crates {
        for file in tokens::sources(&package.folder().join("src"))? {
            let tokens = tokens::read(&file)?;
            let found = match (package.name.as_str(), package.is_library()) {
                ("bitcore", _) => kernels::barriers(&tokens),
                (_, true) => kernels::complaints(&tokens),
                (_, false) => kernels::public_tokens(&tokens),
            };
            let short = workspace.short(&file);
            complaints.extend(found.into_iter().map(|(line, text)| format!("{short}:{line}: {text}")));
        }
    }
    Ok(print(&complaints))
}

/// No file of a crate imports one that imports it, at whatever distance.
fn no_circles(workspace: &Workspace) -> Result {
    let mut complaints = Vec::new();
    for package in &workspace.packages {
        for target in package.targets.iter().filter(|target| target.is("lib") || target.is("bin")) {
            let imports = circles::Crate::load(&target.src_path)?.imports();
            complaints.extend(circles::complaints(&imports, &workspace.root));
        }
    }
    Ok(print(&complaints))
}

fn print(complaints: &[String]) -> bool {
    for complaint in complaints {
        println!("{complaint}");
    }
    complaints.is_empty()
}
