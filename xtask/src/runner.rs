//! Finds test binaries, runs them on all cores, and parses their output.
//!
//! xtask starts the binaries itself instead of `cargo test`: several run at once, each line of output belongs
//! to a known package and target, and an emulator can run them.

use crate::Result;
use crate::workspace::{Workspace, clear_test_variables};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An executable of a package: its unit tests, an integration test, a program or an example.
#[derive(Clone)]
pub(crate) struct Binary {
    pub(crate) package: String,
    pub(crate) target: String,
    /// `lib`, `bin` or `example`, or `test` for an integration test.
    pub(crate) kind: String,
    pub(crate) executable: PathBuf,
    directory: PathBuf,
}

impl Binary {
    /// Returns whether the binary has the integration tests of its package.
    pub(crate) fn is_main_test(&self) -> bool {
        self.kind == "test" && self.target == "main"
    }

    /// Returns the name in tables and messages.
    pub(crate) fn name(&self) -> String {
        match self.kind.as_str() {
            "test" => format!("{} {}", self.package, self.target),
            // A library and a program may have the same name.
            "bin" => format!("{} {} (program)", self.package, self.target),
            _ => format!("{} {} (unit)", self.package, self.target),
        }
    }

    /// Returns a command that runs the binary as `cargo test` would, under `emulator` unless that is empty.
    pub(crate) fn command(&self, emulator: &[&str]) -> Command {
        let mut command = match emulator {
            [] => Command::new(&self.executable),
            [program, arguments @ ..] => {
                let mut command = Command::new(program);
                command.args(arguments).arg(&self.executable);
                command
            }
        };
        command.current_dir(&self.directory).env("CARGO_MANIFEST_DIR", &self.directory).stdin(Stdio::null());
        command.env("CARGO_PKG_NAME", &self.package);
        clear_test_variables(&mut command);
        command
    }
}

#[derive(Deserialize)]
struct Message {
    manifest_path: Option<PathBuf>,
    target: Option<MessageTarget>,
    profile: Option<MessageProfile>,
    executable: Option<PathBuf>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
}
#[derive(Deserialize)]
struct MessageTarget {
    name: String,
    kind: Vec<String>,
}
#[derive(Deserialize)]
struct MessageProfile {
    test: bool,
}

/// Returns the executables in cargo's JSON messages, by name: tests if `tests`, else programs and examples.
pub(crate) fn executables(messages: &str, tests: bool, workspace: &Workspace) -> Result<Vec<Binary>> {
    let mut found = Vec::new();
    for line in messages.lines().filter(|line| line.starts_with('{')) {
        let message: Message = serde_json::from_str(line)?;
        let (Some(manifest), Some(target), Some(profile), Some(executable)) =
            (message.manifest_path, message.target, message.profile, message.executable)
        else {
            continue;
        };
        let package = workspace.packages.iter().find(|package| package.manifest_path == manifest);
        let (Some(package), true) = (package, profile.test == tests) else { continue };
        found.push(Binary {
            package: package.name.clone(),
            target: target.name,
            kind: target.kind.into_iter().next().unwrap_or_default(),
            executable,
            directory: manifest.parent().unwrap_or(Path::new(".")).to_path_buf(),
        });
    }
    found.sort_by_key(Binary::name);
    Ok(found)
}

/// Returns the names and files of the libraries for users in cargo's messages.
pub(crate) fn rlibs(messages: &str, workspace: &Workspace) -> Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    for line in messages.lines().filter(|line| line.starts_with('{')) {
        let message: Message = serde_json::from_str(line)?;
        let package = workspace
            .packages
            .iter()
            .find(|package| Some(&package.manifest_path) == message.manifest_path.as_ref())
            .filter(|package| package.is_library());
        let rlib =
            message.filenames.into_iter().find(|file| file.extension().is_some_and(|end| end == "rlib"));
        if let (Some(package), Some(rlib)) = (package, rlib) {
            found.push((package.name.clone(), rlib));
        }
    }
    Ok(found)
}

/// Does all jobs on `workers` threads, started in order. `done` is called with the results in the same order,
/// each as soon as it and all before it are there. After the first error of `done`, which is returned, no job
/// is started; those that run are finished.
pub(crate) fn pool<T: Sync, R: Send, E: Send>(
    jobs: &[T],
    workers: usize,
    work: impl Fn(&T) -> R + Sync,
    done: impl FnMut(&T, R) -> std::result::Result<(), E> + Send,
) -> std::result::Result<(), E> {
    struct State<R, E, F> {
        results: Vec<Option<R>>,
        reported: usize,
        done: F,
        error: Option<E>,
    }
    let results = jobs.iter().map(|_| None).collect();
    let state = Mutex::new(State { results, reported: 0, done, error: None });
    let next = AtomicUsize::new(0);
    let worker = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(i) else { return };
            let result = work(job);
            let Ok(mut guard) = state.lock() else { return };
            let state = &mut *guard;
            state.results[i] = Some(result);
            while let Some(result) = state.results.get_mut(state.reported).and_then(Option::take) {
                if let Err(error) = (state.done)(&jobs[state.reported], result) {
                    state.error = Some(error);
                    next.store(jobs.len(), Ordering::Relaxed);
                    return;
                }
                state.reported += 1;
            }
            if state.error.is_some() {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..workers.clamp(1, jobs.len().max(1)) {
            scope.spawn(worker);
        }
    });
    let state = state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    state.error.map_or(Ok(()), Err)
}

/// Returns the number of cores, which is the number of jobs that run at once.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The parsed output of one test binary.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Report {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    /// The sets of levels that tests reported, each as it was printed.
    pub(crate) levels: BTreeSet<String>,
    /// The name and value of each digest.
    pub(crate) digests: BTreeSet<(String, String)>,
}

impl Report {
    /// Parses the lines of testkit and the summaries of libtest, and ignores all others.
    pub(crate) fn parse(stdout: &str) -> Self {
        let mut report = Self::default();
        for line in stdout.lines() {
            if let Some(levels) = line.strip_prefix("matrix: levels ") {
                report.levels.insert(levels.to_owned());
            } else if let Some((name, value)) =
                line.strip_prefix("matrix: digest ").and_then(|rest| rest.split_once(' '))
            {
                report.digests.insert((name.to_owned(), value.to_owned()));
            } else if let Some((_, counts)) =
                line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". "))
            {
                report.passed += count(counts, "passed");
                report.failed += count(counts, "failed");
            }
        }
        report
    }
}

/// Returns the number before `what` in `10 passed; 0 failed; ..`, or 0.
fn count(counts: &str, what: &str) -> usize {
    let number = counts.split("; ").find_map(|part| part.strip_suffix(what)?.trim().parse().ok());
    number.unwrap_or(0)
}

/// Returns the status of a process that failed.
pub(crate) fn failure(output: &Output) -> Option<String> {
    (!output.status.success()).then(|| output.status.to_string())
}

#[cfg(test)]
mod tests {
    use super::{Report, pool};

    #[test]
    fn a_pool_does_every_job_and_reports_in_order() {
        for workers in [0, 1, 2, 7] {
            let jobs: Vec<u64> = (0..40).collect();
            let mut reported = Vec::new();
            let work = |&job: &u64| {
                std::thread::sleep(std::time::Duration::from_micros((job * 7919) % 300));
                job * job
            };
            let done = |&job: &u64, square| {
                reported.push((job, square));
                Ok::<(), ()>(())
            };
            pool(&jobs, workers, work, done).unwrap();
            assert_eq!(reported, (0..40).map(|job| (job, job * job)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_pool_ends_with_the_first_error() {
        let mut reported = 0;
        let done = |&job: &i32, (): ()| {
            reported += 1;
            if job == 3 { Err("three") } else { Ok(()) }
        };
        assert_eq!(pool(&(0..20).collect::<Vec<_>>(), 2, |_| (), done), Err("three"));
        assert_eq!(reported, 4);
        let none: Result<(), ()> = pool(&[], 2, |&(): &()| (), |(), ()| Ok(()));
        assert!(none.is_ok());
    }

    #[test]
    fn reports_are_parsed_among_lines_of_libtest() {
        let stdout = "\nrunning 3 tests\n\nmatrix: levels portable,x86-64-v3\ntest a ... ok\n\n\
            matrix: digest go-mc 53838100186593e2\nok\n\nmatrix: levels portable,x86-64-v3\n\n\
            test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.04s\n\n\
            test result: FAILED. 12 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1s\n";
        let report = Report::parse(stdout);
        assert_eq!((report.passed, report.failed), (15, 2));
        assert_eq!(report.levels.into_iter().collect::<Vec<_>>(), ["portable,x86-64-v3"]);
        assert_eq!(report.digests.len(), 1);
        assert!(report.digests.contains(&("go-mc".into(), "53838100186593e2".into())));
    }

    #[test]
    fn similar_lines_are_ignored() {
        let stdout =
            "test matrix: levels portable\n matrix: digest x 1\ntruth: a | b | c\ntest result: odd\n";
        assert_eq!(Report::parse(stdout), Report::default());
    }
}
