//! `models`: models of what threads share. loom explores the shared search tree of go-mc, every order of its
//! atomic operations up to a number of preemptions; shuttle runs the worker pool and the work queue of
//! tetris-ai in random schedules.
//!
//! The models are unit tests in the modules `models` of both crates, behind `--cfg loom` and `--cfg shuttle`.
//! Each prints a line `model: NAME | CHECKER | THREADS | EXPLORED | SECONDS`.

use crate::runner::{cores, executables};
use crate::workspace::{Workspace, cargo};
use crate::{Result, table};
use serde::Serialize;
use std::process::Stdio;

#[derive(clap::Args)]
#[command(after_help = "Example: cargo xtask models --package go-mc")]
pub(crate) struct Args {
    /// Print one JSON array instead of the table
    #[arg(long)]
    json: bool,
    /// Only this package: go-mc or tetris-ai
    #[arg(long, short, value_name = "NAME")]
    package: Option<String>,
}

/// The packages with models, and the model checker of each.
const CHECKERS: [(&str, &str); 2] = [("go-mc", "loom"), ("tetris-ai", "shuttle")];

/// The packages of the checkers themselves, which take most of the time.
const OPTIMIZED: [&str; 5] = ["loom", "generator", "shuttle-engine", "shuttle-schedulers", "shuttle-std"];

/// A row of the table.
#[derive(Debug, PartialEq, Serialize)]
struct Model {
    package: String,
    name: String,
    checker: String,
    threads: String,
    explored: String,
    seconds: String,
    verdict: String,
}

pub(crate) fn run(args: &Args) -> Result {
    let workspace = Workspace::load()?;
    let wanted = |name: &str| args.package.as_ref().is_none_or(|package| package == name);
    let mut models = Vec::new();
    for (package, checker) in CHECKERS.into_iter().filter(|(package, _)| wanted(package)) {
        models.extend(explore(package, checker, &workspace)?);
    }
    if models.is_empty() {
        return Err("no package with models has this name".into());
    }
    let failed = models.iter().filter(|model| model.verdict != "ok").count();
    if args.json {
        println!("{}", serde_json::to_string_pretty(&models)?);
    } else {
        let header = ["package", "model", "checker", "threads", "explored", "seconds", "verdict"];
        table::print(&header, &[3, 5], models.iter().map(row));
        println!();
        table::print_counts(models.len() - failed, failed, 0);
    }
    Ok(failed == 0)
}

/// Builds the models of a package in a target folder of their own, whose flags differ, and runs them.
fn explore(package: &str, checker: &str, workspace: &Workspace) -> Result<Vec<Model>> {
    eprintln!("{package} under {checker} ..");
    let mut build = cargo(&["--cfg", checker]);
    build.args([
        "test",
        "--lib",
        "--no-run",
        "--message-format=json-render-diagnostics",
        "--package",
        package,
    ]);
    build.arg("--target-dir").arg(workspace.target.join("models").join(checker));
    for name in OPTIMIZED {
        build.args(["--config", &format!("profile.test.package.{name}.opt-level=3")]);
    }
    let output = build.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("the models of {package} can't be built").into());
    }
    let mut models = Vec::new();
    for binary in executables(&String::from_utf8_lossy(&output.stdout), true, workspace)? {
        let mut command = binary.command(&[]);
        command.args(["models::", "--nocapture", &format!("--test-threads={}", cores())]);
        let output = command.output()?;
        let (stdout, stderr) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let found = parse(package, checker, &stdout);
        let complete = output.status.success() && !found.is_empty();
        if !complete {
            eprintln!("{}: {}\n{stdout}\n{stderr}", binary.name(), output.status);
        }
        if !complete && found.iter().all(|model| model.verdict == "ok") {
            return Err(format!("the models of {package} ended without a verdict").into());
        }
        models.extend(found);
    }
    Ok(models)
}

/// Returns the models in the output of a test binary: those that reported what they explored, then those that
/// failed.
fn parse(package: &str, checker: &str, stdout: &str) -> Vec<Model> {
    let explored = stdout.lines().filter_map(|line| {
        let fields: Vec<&str> = line.strip_prefix("model: ")?.split(" | ").collect();
        let [name, checker, threads, explored, seconds] = fields[..] else { return None };
        let [package, name, checker, threads, explored, seconds, verdict] =
            [package, name, checker, threads, explored, seconds, "ok"].map(str::to_owned);
        Some(Model { package, name, checker, threads, explored, seconds, verdict })
    });
    // libtest lists the failed tests once more at the end, each indented.
    let failed = stdout.rsplit_once("\nfailures:\n").into_iter().flat_map(|(_, list)| list.lines());
    let failed =
        failed.filter_map(|line| line.strip_prefix("    ")?.split_once("models::")).map(|(_, test)| {
            let [package, name, checker, verdict] =
                [package, &test.replace('_', " "), checker, "FAILED"].map(str::to_owned);
            let [threads, explored, seconds] = [(); 3].map(|()| String::new());
            Model { package, name, checker, threads, explored, seconds, verdict }
        });
    explored.chain(failed).collect()
}

fn row(model: &Model) -> Vec<String> {
    let Model { package, name, checker, threads, explored, seconds, verdict } = model;
    [package, name, checker, threads, explored, seconds, verdict].map(Clone::clone).to_vec()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn models_that_ran_and_models_that_failed() {
        let stdout = "running 2 tests\n\nmodel: full pool | loom | 3 | 71 executions | 0.4\n\
            test search::tree::models::full_pool ... ok\nfailures:\n\n---- x stdout ----\n\nfailures:\n    \
            search::tree::models::a_new_chunk\n\ntest result: FAILED. 1 passed; 1 failed\n";
        let models = parse("go-mc", "loom", stdout);
        let rows: Vec<_> =
            models.iter().map(|model| (&*model.name, &*model.explored, &*model.verdict)).collect();
        assert_eq!(rows, [("full pool", "71 executions", "ok"), ("a new chunk", "", "FAILED")]);
        assert_eq!(parse("go-mc", "loom", "test result: ok. 0 passed\n"), []);
    }
}
