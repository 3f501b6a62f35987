//! `bitcade completions`: shell scripts that complete commands and flags.

use crate::io::output::{Failure, Output};
use clap::{Args, Command};
use clap_complete::aot::{Shell, generate};

#[derive(Args)]
pub(crate) struct Completions {
    /// The shell to complete for
    shell: Shell,
}

pub(crate) fn run(
    arguments: &Completions,
    mut program: Command,
    output: &mut Output,
) -> Result<(), Failure> {
    output.refuse_json_of("prints a script")?;
    let name = program.get_name().to_owned();
    let mut script = Vec::new();
    generate(arguments.shell, &mut program, name, &mut script);
    output.text(String::from_utf8_lossy(&script))
}
