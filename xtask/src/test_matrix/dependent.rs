//! The cell of a user's program: `xtask/dependent`, outside the workspace, in small stacks.
//!
//! | build | opt-level of the crates | panics |
//! |---|---|---|
//! | `dev` | 0 | unwind |
//! | `advised` | 1, as their READMEs advise | abort |

use crate::Result;
use crate::workspace::{DEPENDENT, Workspace, cargo};
use std::path::Path;
use std::process::{Command, Output};

/// The profiles of the program.
pub(super) const PROFILES: [&str; 2] = ["dev", "advised"];
/// The stack in which every operation must run, a quarter of a thread's.
const STACK_KIB: usize = 512;

/// Builds the program.
pub(super) fn build(workspace: &Workspace, folder: &Path, profile: &str) -> Result<Output> {
    let package = workspace.root.join(DEPENDENT);
    // The versions that the workspace has; cargo removes those that the program doesn't need.
    std::fs::copy(workspace.root.join("Cargo.lock"), package.join("Cargo.lock"))?;
    let mut cargo = cargo(&[]);
    cargo.args(["build", "--profile", profile, "--manifest-path"]).arg(package.join("Cargo.toml"));
    // As in a user's workspace, where nothing is set.
    cargo
        .arg("--target-dir")
        .arg(folder)
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_PROFILE_DEV_DEBUG", "none");
    Ok(cargo.output()?)
}

/// Runs the program, with the threads of pools in stacks of the same size.
pub(super) fn run(folder: &Path, profile: &str) -> Result<Output> {
    let program = folder.join(if profile == "dev" { "debug" } else { profile }).join("dependent");
    let mut command = Command::new(program);
    command.arg(STACK_KIB.to_string()).env("RUST_MIN_STACK", (STACK_KIB << 10).to_string());
    Ok(command.output()?)
}
