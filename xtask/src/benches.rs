//! `compare` and `counts`: the programs of the package `benches`, in a release build.

use crate::Result;
use crate::workspace::cargo;
use std::ffi::OsString;

#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Args {
    /// The program's arguments: see --help
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

pub(crate) fn run(program: &str, args: &Args) -> Result {
    let mut run = cargo(&[]);
    run.args(["run", "--quiet", "--release", "--package=benches", "--bin", program, "--"]);
    match run.args(&args.arguments).status()?.code() {
        // The program has already printed its usage error.
        Some(2) => std::process::exit(2),
        code => Ok(code == Some(0)),
    }
}
