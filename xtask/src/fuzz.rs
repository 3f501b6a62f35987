//! `fuzz`: the fuzz targets of `fuzz/`, a workspace of its own. With `--replay` on stable Rust, over the
//! stored corpus and some seconds of random input; otherwise by libFuzzer, for some minutes each.

use crate::workspace::{Workspace, cargo};
use crate::{Result, table};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

#[derive(clap::Args)]
#[command(after_help = "Example: cargo xtask fuzz --minutes 10 --target match3/machines\n\n\
                        New inputs are kept in target/fuzz/corpus, inputs of crashes in fuzz/GAME/artifacts.")]
pub(crate) struct Args {
    /// Run the corpus and seconds of random input on stable Rust, without libFuzzer
    #[arg(long, conflicts_with_all = ["minutes", "target", "merge"])]
    replay: bool,
    /// Minutes for each target
    #[arg(long, value_name = "M", default_value = "1", value_parser = parse_minutes)]
    minutes: f64,
    /// Only this target (may be repeated)
    #[arg(long, value_name = "GAME/NAME")]
    target: Vec<String>,
    /// Add the inputs that reach new code to the stored corpus, the smallest of each
    #[arg(long)]
    merge: bool,
}

impl Args {
    /// Returns the arguments of `--replay`.
    pub(crate) fn replayed() -> Self {
        Self { replay: true, minutes: 0.0, target: Vec::new(), merge: false }
    }
}

/// Parses a number of minutes above 0.
fn parse_minutes(text: &str) -> std::result::Result<f64, String> {
    let minutes = text.parse().ok().filter(|minutes| (0.001..=100_000.0).contains(minutes));
    minutes.ok_or_else(|| "expected a number of minutes above 0".to_owned())
}

pub(crate) fn run(args: &Args) -> Result {
    let root = Workspace::load()?.root;
    if args.replay { replay(&root) } else { fuzz(&root, args) }
}

/// Runs the tests of the fuzz workspace.
fn replay(root: &Path) -> Result {
    let tests = |last: &str| {
        let mut tests = cargo(&[]);
        tests.current_dir(root.join("fuzz"));
        tests.args(["test", "--quiet", "--locked", "--workspace", "--lib", "--tests", "--target-dir"]);
        tests.arg(root.join("target/fuzz")).arg(last);
        tests
    };
    let start = Instant::now();
    if !tests("--no-run").status()?.success() {
        return Err("the build of the fuzz targets failed".into());
    }
    let built = start.elapsed().as_secs_f64();
    let held = tests("--").args(["--nocapture"]).status()?.success();
    let ran = start.elapsed().as_secs_f64() - built;
    println!("fuzz targets replayed: {built:.1} s to build, {ran:.1} s to run");
    Ok(held)
}

/// A fuzz target: a program of a package of the fuzz workspace.
struct Target {
    /// The package's folder in `fuzz/`.
    game: String,
    name: String,
}

impl Target {
    /// Returns all targets, sorted.
    fn all(root: &Path) -> Result<Vec<Self>> {
        let mut found = Vec::new();
        for game in names(&root.join("fuzz"))? {
            let folder = root.join("fuzz").join(&game).join("fuzz_targets");
            if !folder.is_dir() {
                continue;
            }
            for file in names(&folder)? {
                if let Some(name) = file.strip_suffix(".rs") {
                    found.push(Self { game: game.clone(), name: name.to_owned() });
                }
            }
        }
        Ok(found)
    }

    /// Returns the name in tables and arguments.
    fn full_name(&self) -> String {
        format!("{}/{}", self.game, self.name)
    }

    /// Returns the sanitizer: memory is checked where there is `unsafe`. It halves the speed.
    fn sanitizer(&self) -> &'static str {
        if self.game == "bitcore" { "address" } else { "none" }
    }
}

/// Returns the names in a folder, sorted.
fn names(folder: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        found.push(entry?.file_name().to_string_lossy().into_owned());
    }
    found.sort();
    Ok(found)
}

/// Returns a command for cargo-fuzz on the nightly toolchain.
fn cargo_fuzz() -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo", "fuzz"]).stdin(Stdio::null());
    // cargo-fuzz sets RUSTFLAGS, which these would override.
    command.env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("CARGO").env_remove("RUSTC");
    command
}

/// The figures that libFuzzer prints.
#[derive(Debug, Default, PartialEq)]
struct Figures {
    executions: u64,
    per_second: u64,
    /// The edges of the program's flow that were reached.
    coverage: u64,
    /// Edges, counted once for each magnitude of their number of visits.
    features: u64,
    corpus: u64,
}

impl Figures {
    /// Parses libFuzzer's log.
    fn parse(log: &str) -> Self {
        let mut figures = Self::default();
        let number = |text: &str| text.split('/').next().and_then(|text| text.parse().ok()).unwrap_or(0);
        for line in log.lines() {
            let mut words = line.split_whitespace();
            while let Some(word) = words.next() {
                let place = match word {
                    "cov:" => &mut figures.coverage,
                    "ft:" => &mut figures.features,
                    "corp:" => &mut figures.corpus,
                    "stat::number_of_executed_units:" => &mut figures.executions,
                    "stat::average_exec_per_sec:" => &mut figures.per_second,
                    _ => continue,
                };
                *place = number(words.next().unwrap_or_default());
            }
        }
        figures
    }
}

/// Fuzzes each target by libFuzzer.
fn fuzz(root: &Path, args: &Args) -> Result {
    let all = Target::all(root)?;
    let wanted = |target: &&Target| args.target.is_empty() || args.target.contains(&target.full_name());
    if let Some(unknown) = args.target.iter().find(|name| all.iter().all(|other| other.full_name() != **name))
    {
        let known: Vec<String> = all.iter().map(Target::full_name).collect();
        return Err(format!("no fuzz target {unknown}: expected one of {}", known.join(", ")).into());
    }
    let found = cargo_fuzz().arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !found.is_ok_and(|status| status.success()) {
        println!("SKIPPED: no nightly toolchain with cargo-fuzz (cargo install --locked cargo-fuzz)");
        return Ok(true);
    }
    let (mut rows, mut failures) = (Vec::new(), Vec::new());
    for target in all.iter().filter(wanted) {
        let program = build(root, target)?;
        let seconds = (60.0 * args.minutes).ceil() as u64;
        println!("{}: {seconds} s", target.full_name());
        let (figures, crashes) = fuzz_target(root, target, &program, seconds)?;
        if args.merge && crashes.is_empty() {
            merge(root, target, &program)?;
        }
        let Figures { executions, per_second, coverage, features, corpus } = figures;
        let mut row = vec![target.full_name()];
        row.extend([executions, per_second, coverage, features, corpus].map(|number| number.to_string()));
        row.push(crashes.len().to_string());
        rows.push(row);
        failures.extend(crashes);
    }
    let header = ["target", "executions", "exec/s", "cov", "ft", "corpus", "crashes"];
    println!();
    let passed = rows.iter().filter(|row| row[6] == "0").count();
    let failed = rows.len() - passed;
    table::print(&header, &[1, 2, 3, 4, 5, 6], rows);
    println!();
    for failure in &failures {
        println!("crash: {failure}");
    }
    table::print_counts(passed, failed, 0);
    Ok(failed == 0)
}

/// Builds the programs of the target's package, and returns the target's.
fn build(root: &Path, target: &Target) -> Result<PathBuf> {
    let folder = root.join("target/fuzz/libfuzzer").join(target.sanitizer());
    let mut build = cargo_fuzz();
    build.current_dir(root.join("fuzz")).args(["build", "--features=libfuzzer"]);
    build.arg("--fuzz-dir").arg(&target.game).arg("--sanitizer").arg(target.sanitizer());
    build.arg("--target-dir").arg(&folder).arg(&target.name);
    if !build.status()?.success() {
        return Err(format!("{}: the build failed", target.full_name()).into());
    }
    for triple in names(&folder)? {
        let built = folder.join(triple).join("release").join(&target.name);
        if built.is_file() {
            // Each package has programs of the same names.
            let program = root.join("target/fuzz").join(format!("{}-{}", target.game, target.name));
            fs::copy(&built, &program)?;
            return Ok(program);
        }
    }
    Err(format!("{}: no program was built", target.full_name()).into())
}

/// Returns the folder of new inputs.
fn work_folder(root: &Path, target: &Target) -> PathBuf {
    root.join("target/fuzz/corpus").join(&target.game).join(&target.name)
}

/// Returns a command that runs a target's program, with limits of memory and length.
fn program(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(["-rss_limit_mb=1024", "-malloc_limit_mb=256", "-max_len=4096", "-timeout=20"]);
    command.stdin(Stdio::null());
    command
}

/// Fuzzes one target. Returns its figures and the files of its crashes.
fn fuzz_target(root: &Path, target: &Target, built: &Path, seconds: u64) -> Result<(Figures, Vec<String>)> {
    let game = root.join("fuzz").join(&target.game);
    let (work, stored) = (work_folder(root, target), game.join("corpus").join(&target.name));
    let artifacts = game.join("artifacts").join(&target.name);
    for folder in [&work, &stored, &artifacts] {
        fs::create_dir_all(folder)?;
    }
    let before = names(&artifacts)?;
    let log = root.join("target/fuzz").join(format!("{}-{}.log", target.game, target.name));
    let mut command = program(built);
    command.args(["-print_final_stats=1", &format!("-max_total_time={seconds}")]);
    command.arg(format!("-artifact_prefix={}/", artifacts.display()));
    let dictionary = game.join("dictionary").join(format!("{}.dict", target.name));
    if dictionary.is_file() {
        command.arg(format!("-dict={}", dictionary.display()));
    }
    let status = command.arg(work).arg(stored).stderr(File::create(&log)?).status()?;
    let figures = Figures::parse(&String::from_utf8_lossy(&fs::read(&log)?));
    let new = names(&artifacts)?.into_iter().filter(|name| !before.contains(name));
    let folder = format!("fuzz/{}/artifacts/{}", target.game, target.name);
    let mut crashes: Vec<String> = new.map(|name| format!("{folder}/{name}")).collect();
    if !status.success() && crashes.is_empty() {
        crashes.push(format!("{}: {status}, see {}", target.full_name(), log.display()));
    }
    Ok((figures, crashes))
}

/// Replaces the stored corpus by the smallest set of inputs with the same features, of it and of the new
/// ones.
fn merge(root: &Path, target: &Target, built: &Path) -> Result<()> {
    let stored = root.join("fuzz").join(&target.game).join("corpus").join(&target.name);
    let merged = root.join("target/fuzz/merged");
    if merged.exists() {
        fs::remove_dir_all(&merged)?;
    }
    fs::create_dir_all(&merged)?;
    let mut command = program(built);
    // Only edges: the features of a full corpus take thousands of files.
    command.args(["-merge=1", "-use_value_profile=0", "-use_counters=0"]);
    command.arg(&merged).arg(&stored).arg(work_folder(root, target)).stderr(Stdio::null());
    if !command.status()?.success() {
        return Err(format!("{}: the merge failed", target.full_name()).into());
    }
    for name in names(&stored)? {
        fs::remove_file(stored.join(name))?;
    }
    for name in names(&merged)? {
        fs::copy(merged.join(&name), stored.join(&name))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Figures, Target, parse_minutes};
    use std::path::Path;

    #[test]
    fn figures_are_those_of_the_last_line() {
        let log = "#2\tINITED cov: 9 ft: 12 corp: 1/1b exec/s: 0 rss: 26Mb\n\
                   #900\tNEW    cov: 2541 ft: 7753 corp: 943/30Kb lim: 657 exec/s: 1900 rss: 30Mb L: 12/657\n\
                   Done 4000 runs in 2 second(s)\n\
                   stat::number_of_executed_units: 4000\n\
                   stat::average_exec_per_sec:     2000\n";
        let expected =
            Figures { executions: 4000, per_second: 2000, coverage: 2541, features: 7753, corpus: 943 };
        assert_eq!(Figures::parse(log), expected);
        assert_eq!(Figures::parse("cov: x"), Figures::default());
    }

    #[test]
    fn targets_are_the_files_of_the_packages() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let names: Vec<String> = Target::all(root).unwrap().iter().map(Target::full_name).collect();
        assert!(names.contains(&"match3/doors".to_owned()) && names.contains(&"match3/machines".to_owned()));
        assert!(names.iter().all(|name| !name.starts_with("fuzzkit")), "{names:?}");
    }

    #[test]
    fn minutes_are_above_0() {
        assert_eq!(parse_minutes("0.5"), Ok(0.5));
        assert!(["0", "-1", "NaN", "x"].iter().all(|text| parse_minutes(text).is_err()));
    }
}
