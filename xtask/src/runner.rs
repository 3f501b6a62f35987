//! Finds test binaries, runs them on all cores, and reads what they say.
//!
//! They are run here and not by `cargo test`, so that every line is known to belong to one package and one target,
//! so that several run at once, and so that an emulator can be put in front.

use crate::Result;
use crate::workspace::{Workspace, clear_test_variables};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An executable of a package: unit tests, an integration test, a program or an example.
pub(crate) struct Binary {
    pub(crate) package: String,
    pub(crate) target: String,
    /// `lib`, `bin`, `example`; `test` for an integration test.
    pub(crate) kind: String,
    pub(crate) executable: PathBuf,
    directory: PathBuf,
}

impl Binary {
    /// What tables and messages call it.
    pub(crate) fn name(&self) -> String {
        if self.kind == "test" {
            format!("{} {}", self.package, self.target)
        } else {
            format!("{} {} (unit)", self.package, self.target)
        }
    }

    /// A command that runs it as `cargo test` would, behind `emulator` if that isn't empty.
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

/// Executables that cargo's messages (`--message-format=json`) report, each with its package, target and kind:
/// test binaries if `tests`, else programs and examples.
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

/// The libraries of the workspace's packages that cargo's messages report.
pub(crate) fn rlibs(messages: &str, workspace: &Workspace) -> Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    for line in messages.lines().filter(|line| line.starts_with('{')) {
        let message: Message = serde_json::from_str(line)?;
        let package = workspace
            .packages
            .iter()
            .find(|package| Some(&package.manifest_path) == message.manifest_path.as_ref());
        let rlib =
            message.filenames.into_iter().find(|file| file.extension().is_some_and(|end| end == "rlib"));
        if let (Some(package), Some(rlib)) = (package, rlib) {
            found.push((package.name.clone(), rlib));
        }
    }
    Ok(found)
}

/// Does all jobs on `workers` threads. Jobs begin in their order, and `done` hears of each in that order too, as soon
/// as all before it are done; its first error ends the pool once the jobs that run are done.
pub(crate) fn pool<T: Sync, R: Send, E: Send>(
    jobs: &[T],
    workers: usize,
    work: impl Fn(&T) -> R + Sync,
    done: impl FnMut(&T, R) -> std::result::Result<(), E> + Send,
) -> std::result::Result<(), E> {
    struct State<R, E, F> {
        results: Vec<Option<R>>,
        told: usize,
        done: F,
        error: Option<E>,
    }
    let results = jobs.iter().map(|_| None).collect();
    let state = Mutex::new(State { results, told: 0, done, error: None });
    let next = AtomicUsize::new(0);
    let worker = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(i) else { return };
            let result = work(job);
            let Ok(mut guard) = state.lock() else { return };
            let state = &mut *guard;
            state.results[i] = Some(result);
            while let Some(result) = state.results.get_mut(state.told).and_then(Option::take) {
                if let Err(error) = (state.done)(&jobs[state.told], result) {
                    state.error = Some(error);
                    next.store(jobs.len(), Ordering::Relaxed);
                    return;
                }
                state.told += 1;
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

/// How many jobs run at once: as many as there are cores.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// One row of the truth table, as testkit prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Truth {
    pub(crate) game: String,
    pub(crate) level: String,
    pub(crate) name: String,
    pub(crate) expected: String,
    pub(crate) found: String,
    pub(crate) seconds: f64,
    pub(crate) verdict: String,
}

impl Truth {
    /// Reads `truth: game | level | name | expected | found | seconds | verdict`; only the name may hold ` | `.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let line = line.strip_prefix("truth: ")?;
        let mut fields = line.splitn(3, " | ");
        let (game, level, rest) = (fields.next()?, fields.next()?, fields.next()?);
        let mut fields = rest.rsplitn(5, " | ");
        let (verdict, seconds) = (fields.next()?, fields.next()?);
        let (found, expected, name) = (fields.next()?, fields.next()?, fields.next()?);
        let seconds = seconds.parse().ok()?;
        let [game, level, name, expected, found, verdict] =
            [game, level, name, expected, found, verdict].map(str::to_owned);
        Some(Self { game, level, name, expected, found, seconds, verdict })
    }
}

/// What the tests of one binary said.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Report {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    /// Each set of levels that some test reported, as it was printed.
    pub(crate) levels: BTreeSet<String>,
    /// Name and value of each digest.
    pub(crate) digests: BTreeSet<(String, String)>,
    pub(crate) truths: Vec<Truth>,
}

impl Report {
    /// Reads the lines of testkit and libtest's summaries; everything else is passed over.
    pub(crate) fn parse(stdout: &str) -> Self {
        let mut report = Self::default();
        for line in stdout.lines() {
            if let Some(levels) = line.strip_prefix("matrix: levels ") {
                report.levels.insert(levels.to_owned());
            } else if let Some((name, value)) =
                line.strip_prefix("matrix: digest ").and_then(|rest| rest.split_once(' '))
            {
                report.digests.insert((name.to_owned(), value.to_owned()));
            } else if let Some(truth) = Truth::parse(line) {
                report.truths.push(truth);
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

/// The number before `what` in `10 passed; 0 failed; ..`.
fn count(counts: &str, what: &str) -> usize {
    let number = counts.split("; ").find_map(|part| part.strip_suffix(what)?.trim().parse().ok());
    number.unwrap_or(0)
}

/// How a process ended, if not well.
pub(crate) fn failure(output: &Output) -> Option<String> {
    (!output.status.success()).then(|| output.status.to_string())
}

#[cfg(test)]
mod tests {
    use super::{Report, Truth, pool};

    #[test]
    fn a_pool_does_every_job_and_tells_in_order() {
        for workers in [0, 1, 2, 7] {
            let jobs: Vec<u64> = (0..40).collect();
            let mut told = Vec::new();
            let work = |&job: &u64| {
                std::thread::sleep(std::time::Duration::from_micros((job * 7919) % 300));
                job * job
            };
            let done = |&job: &u64, square| {
                told.push((job, square));
                Ok::<(), ()>(())
            };
            pool(&jobs, workers, work, done).unwrap();
            assert_eq!(told, (0..40).map(|job| (job, job * job)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_pool_ends_with_the_first_error() {
        let mut told = 0;
        let done = |&job: &i32, (): ()| {
            told += 1;
            if job == 3 { Err("three") } else { Ok(()) }
        };
        assert_eq!(pool(&(0..20).collect::<Vec<_>>(), 2, |_| (), done), Err("three"));
        assert_eq!(told, 4);
        let none: Result<(), ()> = pool(&[], 2, |&(): &()| (), |(), ()| Ok(()));
        assert!(none.is_ok());
    }

    #[test]
    fn reports_are_read_from_between_the_lines_of_libtest() {
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
    fn nothing_is_read_from_lines_that_only_resemble() {
        let stdout =
            "test matrix: levels portable\n matrix: digest x 1\ntruth: a | b | c\ntest result: odd\n";
        assert_eq!(Report::parse(stdout), Report::default());
    }

    #[test]
    fn truth_rows_keep_a_bar_in_their_name() {
        let row = Truth::parse("truth: tetris | portable | empty | tspin | 17 | 18 | 0.25 | WRONG").unwrap();
        assert_eq!((row.game.as_str(), row.level.as_str()), ("tetris", "portable"));
        assert_eq!(row.name, "empty | tspin");
        assert_eq!((row.expected.as_str(), row.found.as_str()), ("17", "18"));
        assert_eq!((row.seconds, row.verdict.as_str()), (0.25, "WRONG"));
        assert_eq!(Truth::parse("truth: tetris | portable | 17"), None);
    }
}
