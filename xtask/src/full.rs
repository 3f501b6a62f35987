//! `full`: every check that there is, the long ones included. It takes hours, so the results of parts are
//! kept: a run after an ended one does only the parts that have not held on the same commit.

use crate::workspace::Workspace;
use crate::{Result, table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// A part: its name and the task's arguments.
type Part = (&'static str, &'static [&'static str]);

/// The parts, the short ones first.
const PARTS: &[Part] = &[
    ("lint", &["lint"]),
    ("test-matrix", &["test-matrix"]),
    ("codegen", &["codegen"]),
    ("package", &["package", "--verify"]),
    ("memcheck", &["memcheck"]),
    ("models", &["models"]),
    ("truth", &["truth"]),
    ("python", &["python", "--full"]),
    ("fuzz", &["fuzz", "--minutes", "10"]),
    ("mutants-bitcore", &["mutants", "--package", "bitcore"]),
    ("mutants-g2048", &["mutants", "--package", "g2048"]),
    ("mutants-match3", &["mutants", "--package", "match3"]),
    ("mutants-go-mc", &["mutants", "--package", "go-mc"]),
    ("mutants-tetris", &["mutants", "--package", "tetris"]),
];

#[derive(clap::Args)]
#[command(after_help = "Example: cargo xtask full --part truth --part models")]
pub(crate) struct Args {
    /// Only this part (may be repeated)
    #[arg(long = "part", value_name = "NAME", value_parser = part_name)]
    parts: Vec<String>,
    /// Also run the parts that have already held on this commit
    #[arg(long)]
    again: bool,
    /// Print the parts and their last results on this commit, and do nothing
    #[arg(long)]
    list: bool,
}

fn part_name(name: &str) -> std::result::Result<String, String> {
    if PARTS.iter().any(|part| part.0 == name) {
        return Ok(name.to_owned());
    }
    let names: Vec<_> = PARTS.iter().map(|part| part.0).collect();
    Err(format!("expected one of {}", names.join(", ")))
}

/// The result of a part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct PartResult {
    held: bool,
    seconds: f64,
}

/// The results on one state of the sources, by part.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct State {
    /// The commit, or nothing if files differ from it: then no result is kept for a later run.
    commit: Option<String>,
    results: BTreeMap<String, PartResult>,
}

impl State {
    /// Returns the kept results of this commit.
    fn load(path: &Path, commit: Option<String>) -> Self {
        let kept = std::fs::read(path).ok().and_then(|text| serde_json::from_slice::<Self>(&text).ok());
        match kept {
            Some(kept) if commit.is_some() && kept.commit == commit => kept,
            _ => Self { commit, results: BTreeMap::new() },
        }
    }

    /// Writes the results under another name, and renames the file.
    fn save(&self, path: &Path) -> Result<()> {
        let new = path.with_extension("new");
        std::fs::write(&new, serde_json::to_vec_pretty(self)?)?;
        Ok(std::fs::rename(new, path)?)
    }

    fn held(&self, part: &str) -> bool {
        self.results.get(part).is_some_and(|result| result.held)
    }
}

/// Returns the commit if no tracked file differs from it.
fn clean_commit(root: &Path) -> Option<String> {
    let git = |args: &[&str]| {
        let output = Command::new("git").arg("-C").arg(root).args(args).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
    if changed.is_empty() { git(&["rev-parse", "HEAD"]) } else { None }
}

pub(crate) fn run(args: &Args) -> Result {
    let workspace = Workspace::load()?;
    let path = workspace.target.join("full.json");
    std::fs::create_dir_all(&workspace.target)?;
    let root = workspace.root.as_path();
    let mut state = State::load(&path, clean_commit(root));
    let wanted: Vec<&Part> = PARTS
        .iter()
        .filter(|part| args.parts.is_empty() || args.parts.iter().any(|name| name == part.0))
        .collect();
    let program = std::env::current_exe()?;
    for (name, task) in &wanted {
        if args.list || (!args.again && state.held(name)) {
            continue;
        }
        println!("== {name}");
        let start = Instant::now();
        let held = Command::new(&program).args(*task).current_dir(root).status()?.success();
        // A check of other sources than those at the start says nothing about these.
        let same = clean_commit(root) == state.commit;
        let result = PartResult { held: held && same, seconds: start.elapsed().as_secs_f64() };
        state.results.insert((*name).to_owned(), result);
        state.save(&path)?;
        if !same {
            return Err(format!("{name}: the sources changed meanwhile").into());
        }
    }
    println!("== full, {}", state.commit.as_deref().unwrap_or("uncommitted changes"));
    table::print(
        &["part", "seconds", "verdict"],
        &[1],
        wanted.iter().map(|part| {
            let (seconds, verdict) = match state.results.get(part.0) {
                None => ("-".to_owned(), "not run"),
                Some(PartResult { held, seconds }) => {
                    (format!("{seconds:.1}"), if *held { "ok" } else { "FAILED" })
                }
            };
            vec![part.0.to_owned(), seconds, verdict.to_owned()]
        }),
    );
    let passed = wanted.iter().filter(|part| state.held(part.0)).count();
    println!();
    table::print_counts(passed, wanted.len() - passed, 0);
    Ok(args.list || passed == wanted.len())
}

#[cfg(test)]
mod tests {
    use super::{PARTS, PartResult, State};
    use crate::Cli;
    use clap::Parser;

    #[test]
    fn each_part_is_a_task_with_valid_arguments() {
        for (name, task) in PARTS {
            let parsed = Cli::try_parse_from(std::iter::once("xtask").chain(task.iter().copied()));
            assert!(parsed.is_ok(), "{name}: {task:?}");
        }
    }

    #[test]
    fn results_are_kept_for_their_commit_only() {
        let folder = std::env::temp_dir().join(format!("xtask-full-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("full.json");
        let mut state = State::load(&path, Some("a".to_owned()));
        assert!(!state.held("lint"));
        state.results.insert("lint".to_owned(), PartResult { held: true, seconds: 1.5 });
        state.save(&path).unwrap();
        assert!(State::load(&path, Some("a".to_owned())).held("lint"));
        assert!(!State::load(&path, Some("b".to_owned())).held("lint"));
        assert!(!State::load(&path, None).held("lint"));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
