//! `faults`: ends the program in every way that a machine knows, damages its files, and counts what survived.
//!
//! Each kind has a file of its own below `faults/`; `process` runs the program for all of them. Nothing of
//! the program is linked in: the faults come from outside, as they do in life.

mod bench;
mod damage;
mod disk;
mod kill;
mod limits;
mod process;
mod signals;

use crate::workspace::{Workspace, cargo};
use crate::{Result, table};
use bench::{Bench, Row, Trial};
use clap::ValueEnum;
use process::{Program, Random};
use std::path::PathBuf;
use std::time::Instant;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The program to test [default: a release build of bitcade]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// The number of kills of each command
    #[arg(long, value_name = "N", default_value_t = 100)]
    kills: usize,
    /// The number of flipped bits and cuts of each form of file
    #[arg(long, value_name = "N", default_value_t = 1000)]
    flips: usize,
    /// Only this kind of faults; can be given several times
    #[arg(long, value_name = "KIND")]
    only: Vec<Kind>,
    /// The seed of the moments and places of faults
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
}

impl Args {
    /// Returns the arguments of `ci`: three kills of each command.
    pub(crate) fn quick() -> Self {
        Self { program: None, kills: 3, flips: 0, only: vec![Kind::Kill], seed: 1 }
    }
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// kill -9 at random moments of commands that save their state
    Kill,
    /// SIGINT, SIGTERM and SIGHUP to every long command
    Signal,
    /// A full disk, a device without space, a limit on the size of files
    Disk,
    /// A folder that cannot be written
    Folder,
    /// Flipped bits and cuts of every form of file
    Flip,
    /// Limits of memory and of threads
    Limit,
}

impl Kind {
    /// Returns the name in the table and on the command line.
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

pub(crate) fn run(args: &Args) -> Result {
    let workspace = Workspace::load()?;
    let program = match &args.program {
        Some(program) => program.canonicalize()?,
        None => build(&workspace)?,
    };
    let folder = workspace.target.join(format!("faults-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let mut bench = Bench {
        program: Program::new(program),
        folder: &folder,
        kills: args.kills,
        flips: args.flips,
        random: Random::new(args.seed),
    };
    let mut rows = Vec::new();
    let mut result = Ok(());
    for &kind in Kind::value_variants() {
        if !args.only.is_empty() && !args.only.contains(&kind) {
            continue;
        }
        let start = Instant::now();
        let done = match kind {
            Kind::Kill => Ok(kill::run(&mut bench)),
            Kind::Signal => signals::run(&mut bench),
            Kind::Disk => disk::full(&mut bench),
            Kind::Folder => disk::read_only(&mut bench),
            Kind::Flip => Ok(damage::run(&mut bench)),
            Kind::Limit => limits::run(&mut bench),
        };
        eprintln!("{}: {:.1} s", kind.name(), start.elapsed().as_secs_f64());
        match done {
            Ok(done) => rows.extend(done.into_iter().map(|row| (kind, row))),
            Err(error) => {
                result = Err(format!("{}: {error}", kind.name()).into());
                break;
            }
        }
    }
    let held = report(&rows);
    std::fs::remove_dir_all(&folder)?;
    result.map(|()| held)
}

/// Prints the table and what was lost. Returns whether nothing was.
fn report(rows: &[(Kind, Row)]) -> bool {
    let header = ["kind", "case", "tried", "survived", "note"];
    table::print(&header, &[2, 3], rows.iter().map(|(kind, row)| row.cells(&kind.name())));
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for (kind, row) in rows {
        match &row.trial {
            Trial::Skipped => skipped += 1,
            Trial::Tried { tried, lost } => {
                for message in lost {
                    println!("LOST: {}: {}: {message}", kind.name(), row.case);
                }
                passed += tried - lost.len();
                failed += lost.len();
            }
        }
    }
    table::print_counts(passed, failed, skipped);
    failed == 0
}

/// Builds the program as its users do.
fn build(workspace: &Workspace) -> Result<PathBuf> {
    let built = cargo(&[]).args(["build", "--release", "--quiet", "--package", "bitcade"]).status()?;
    if !built.success() {
        return Err("bitcade could not be built".into());
    }
    let name = format!("bitcade{}", std::env::consts::EXE_SUFFIX);
    Ok(workspace.target.join("release").join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_count_what_was_lost() {
        let mut row = Row::new("contest solve");
        row.count(Ok(()));
        row.count(Err("gone".to_owned()));
        row.count(Ok(()));
        assert_eq!(row.cells("kill"), ["kill", "contest solve", "3", "2", ""]);
        assert!(!report(&[(Kind::Kill, row)]));
        let skipped = Row::skipped("full disk", "no mount");
        assert_eq!(skipped.cells("disk"), ["disk", "full disk", "SKIPPED", "", "no mount"]);
        assert!(report(&[(Kind::Disk, skipped)]));
    }

    #[test]
    fn kinds_have_names() {
        for kind in Kind::value_variants() {
            assert_eq!(Kind::from_str(&kind.name(), false), Ok(*kind));
        }
        assert_eq!(Args::quick().only, [Kind::Kill]);
    }
}
