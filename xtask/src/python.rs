//! `python`: the Python package, built and tested in a virtual environment of its own.

use crate::workspace::Workspace;
use crate::{Result, table};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The oldest Python that the package promises to work with.
const OLDEST: (u32, u32) = (3, 11);

/// Prints the requirements of the package: to build it, to run it, and those of its extras given.
const REQUIREMENTS: &str = "\
import sys, tomllib
with open('pyproject.toml', 'rb') as file:
    project = tomllib.load(file)
wanted = project['build-system']['requires'] + project['project']['dependencies']
for extra in sys.argv[1:]:
    wanted += project['project']['optional-dependencies'][extra]
print(*wanted, sep='\\n')";

#[derive(clap::Args, Default)]
#[command(after_help = "Example: cargo xtask python")]
pub(crate) struct Args {
    /// Also what takes long: a Ray cluster with killed workers, the examples that learn, the rivals
    #[arg(long)]
    full: bool,
    /// The Python to make the virtual environment with
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: String,
}

impl Args {
    /// Returns the arguments of `ci`.
    pub(crate) fn quick() -> Self {
        Self { full: false, python: "python3".to_owned() }
    }
}

pub(crate) fn run(args: &Args) -> Result {
    let Some(version) = version_of(&args.python) else {
        return Ok(skip(&format!("no {} in PATH", args.python)));
    };
    if version < OLDEST {
        let (major, minor) = version;
        return Ok(skip(&format!("Python {major}.{minor}, needs {}.{}", OLDEST.0, OLDEST.1)));
    }
    let workspace = Workspace::load()?;
    let package = workspace.root.join("crates/bitcade-py");
    let venv = workspace.target.join("python/venv");
    let python = venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if !python.exists() && !succeeds(Command::new(&args.python).args(["-m", "venv"]).arg(&venv))? {
        return Ok(skip("no virtual environment could be made (on Debian: the package python3-venv)"));
    }

    let extras: &[&str] = if args.full { &["test", "ray", "examples"] } else { &["test"] };
    let requirements = Command::new(&python)
        .args(["-c", REQUIREMENTS])
        .args(extras)
        .current_dir(&package)
        .stderr(Stdio::inherit())
        .output()?;
    if !requirements.status.success() {
        return Err("the requirements of pyproject.toml could not be read".into());
    }
    let requirements = String::from_utf8_lossy(&requirements.stdout).into_owned();
    let pip = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        command.args(["-m", "pip", "--disable-pip-version-check", "install", "--quiet"]).args(arguments);
        command.current_dir(&package);
        command
    };
    let start = Instant::now();
    if !succeeds(pip(&requirements.lines().collect::<Vec<_>>()).stderr(Stdio::null()))? {
        return Ok(skip("the packages that the tests need could not be installed"));
    }
    println!("packages: ok, {:.1} s", start.elapsed().as_secs_f64());

    let start = Instant::now();
    // Maturin is there already, and an isolated build would fetch it again.
    let build = ["--no-build-isolation", "--no-deps", "--force-reinstall", "."];
    if !succeeds(pip(&build).env("PATH", with_folder(python.parent())?))? {
        return Err("the package could not be built".into());
    }
    println!("build: ok, {:.1} s", start.elapsed().as_secs_f64());

    let start = Instant::now();
    let counts = test(&python, &package, if args.full { &[] } else { &["-m", "not slow"] })?;
    println!("pytest: {}, {:.1} s", counts.verdict(), start.elapsed().as_secs_f64());
    let mut total = counts;
    if args.full {
        for example in EXAMPLES {
            let start = Instant::now();
            let held = succeeds(Command::new(&python).args(*example).current_dir(&package))?;
            let verdict = if held { "ok" } else { "FAILED" };
            println!("{}: {verdict}, {:.1} s", example.join(" "), start.elapsed().as_secs_f64());
            total.passed += usize::from(held);
            total.failed += usize::from(!held);
        }
    }
    table::print_counts(total.passed, total.failed, total.skipped);
    Ok(total.failed == 0)
}

/// The programs of `--full`; each ends with an error if it misses its goal.
const EXAMPLES: &[&[&str]] = &[
    &["examples/ppo.py", "--game", "2048", "--minutes", "4", "--check"],
    &["examples/ppo.py", "--game", "match3-8x8", "--minutes", "9", "--check"],
    &["examples/ppo.py", "--game", "match3-5x5", "--minutes", "6", "--check"],
    &["examples/ntuple.py", "--games", "5000"],
    &["examples/playtest_level.py"],
    &["benches/steps.py", "--quick"],
];

/// Says why nothing was checked.
fn skip(reason: &str) -> bool {
    println!("python: SKIPPED, {reason}");
    table::print_counts(0, 0, 1);
    true
}

/// Returns the version of a Python, or `None` if there is no such program.
fn version_of(python: &str) -> Option<(u32, u32)> {
    let code = "import sys; print(*sys.version_info[:2])";
    let output = Command::new(python).args(["-c", code]).stderr(Stdio::null()).output().ok()?;
    parse_version(&String::from_utf8_lossy(&output.stdout))
}

fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split_whitespace().map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => Some((major, minor)),
        _ => None,
    }
}

/// Returns the variable `PATH` with another folder before all others.
fn with_folder(folder: Option<&Path>) -> Result<OsString> {
    let others = std::env::var_os("PATH").unwrap_or_default();
    let folders = folder.map(Path::to_path_buf).into_iter().chain(std::env::split_paths(&others));
    Ok(std::env::join_paths(folders)?)
}

fn succeeds(command: &mut Command) -> Result {
    Ok(command.stdin(Stdio::null()).stdout(Stdio::inherit()).status()?.success())
}

/// The numbers of tests by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Counts {
    fn verdict(self) -> &'static str {
        if self.failed == 0 { "ok" } else { "FAILED" }
    }

    /// Reads the last line of pytest, such as `1 failed, 41 passed, 2 skipped in 3.21s`.
    fn parse(line: &str) -> Self {
        let mut counts = Self::default();
        let words: Vec<&str> = line.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        for pair in words.windows(2) {
            let Ok(number) = pair[0].parse::<usize>() else { continue };
            match pair[1] {
                "passed" => counts.passed += number,
                "failed" | "error" | "errors" => counts.failed += number,
                "skipped" => counts.skipped += number,
                _ => {}
            }
        }
        counts
    }
}

/// Runs the package's tests.
fn test(python: &PathBuf, package: &Path, arguments: &[&str]) -> Result<Counts> {
    let mut command = Command::new(python);
    command.args(["-m", "pytest", "-q", "-rs", "--color=no"]).args(arguments).current_dir(package);
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}");
    let mut counts = Counts::parse(text.lines().last().unwrap_or_default());
    if !output.status.success() && counts.failed == 0 {
        // A run that ended early: its counts are not those of all tests.
        counts.failed = 1;
    }
    if counts.passed == 0 && counts.failed == 0 {
        return Err("pytest ran no test".into());
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::{Counts, parse_version};

    #[test]
    fn counts_are_read_from_the_last_line() {
        let counts = |passed, failed, skipped| Counts { passed, failed, skipped };
        assert_eq!(Counts::parse("1 failed, 41 passed, 2 skipped in 3.21s"), counts(41, 1, 2));
        assert_eq!(Counts::parse("3 passed, 1 error, 4 warnings in 0.11s"), counts(3, 1, 0));
        assert_eq!(Counts::parse("no tests ran in 0.01s"), counts(0, 0, 0));
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(parse_version("3 11\n"), Some((3, 11)));
        assert!(parse_version("3 9") < Some(super::OLDEST) && parse_version("3 13") > Some(super::OLDEST));
        assert_eq!(parse_version("Python"), None);
    }
}
