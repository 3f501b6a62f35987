//! `bitcade man`: manual pages for all commands, generated from their help.

use crate::io::output::{Failure, Output, printable};
use bitcade_files::{Existing, OutputFile};
use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use serde_json::json;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct Manual {
    /// Write the pages of all commands into this folder, which is created if missing
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Replace pages that are already in the folder
    #[arg(long, requires = "out")]
    force: bool,
}

/// Prints the page of `program`, or writes the pages of all its commands.
pub(crate) fn run(
    arguments: &Manual,
    program: Command,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut program = program.disable_help_subcommand(true);
    program.build();
    let Some(folder) = arguments.out.as_deref().filter(|folder| *folder != Path::new("-")) else {
        output.refuse_json_of("prints a manual page")?;
        return output.text(String::from_utf8_lossy(&page(&program)?));
    };
    fs::create_dir_all(folder)
        .map_err(|error| Failure::Check(format!("{}: {error}", folder.display())))?;
    let commands = with_subcommands(&program);
    let pages = commands.iter().map(|command| {
        let page = folder.join(Man::new((*command).clone()).get_filename());
        Ok((OutputFile::check(&page, Existing::forced(arguments.force))?, page))
    });
    // Checks all pages before writing the first.
    let pages = pages.collect::<Result<Vec<_>, Failure>>()?;
    for (command, (file, path)) in commands.iter().zip(pages) {
        let content = page(command)?;
        file.write(|sink| sink(&content))?;
        let text = format!("{}\n", printable(&path.display().to_string()));
        output.result(&json!({ "page": path }), || text)?;
    }
    Ok(())
}

fn with_subcommands(command: &Command) -> Vec<&Command> {
    let below = command.get_subcommands().filter(|below| !below.is_hide_set());
    [command].into_iter().chain(below.flat_map(with_subcommands)).collect()
}

/// Returns the page of a command, with its examples under a separate heading.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let command = command.clone().after_help(None::<&str>);
    let version = command.get_version().unwrap_or(env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone()).source(format!("bitcade {version}"));
    let mut text = Vec::new();
    man.render(&mut text)?;
    let mut roff = Roff::new();
    roff.control("SH", ["EXAMPLES"]);
    // Keeps the lines unfilled, ready to be copied.
    roff.control("nf", []);
    for line in examples.lines() {
        roff.text([roman(line.strip_prefix("Example: ").unwrap_or(line))]);
    }
    roff.control("fi", []);
    text.extend(roff.render().into_bytes());
    Ok(text)
}
