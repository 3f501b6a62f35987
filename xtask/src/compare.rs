//! `compare`: hands over to the program that has the kernels.

use crate::Result;
use crate::workspace::{Workspace, cargo};

#[derive(clap::Args)]
#[command(disable_help_flag = true, after_help = "Example: cargo xtask compare --json")]
pub(crate) struct Args {
    /// Passed on as they are; try --help
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result {
    let workspace = Workspace::load()?;
    let mut members = workspace.packages.iter();
    let has_compare = members.any(|member| {
        member.name == "benches"
            && member.targets.iter().any(|target| target.is("bin") && target.name == "compare")
    });
    if !has_compare {
        return Err("the workspace has no package benches with a program compare".into());
    }
    let mut run = cargo(&[]);
    run.args(["run", "--quiet", "--release", "--package=benches", "--bin=compare", "--"])
        .args(&args.arguments);
    match run.status()?.code() {
        // The program has already said what was wrong with its arguments.
        Some(2) => std::process::exit(2),
        code => Ok(code == Some(0)),
    }
}
