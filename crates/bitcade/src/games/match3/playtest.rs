//! `bitcade match3 playtest`: how hard levels are.

mod html;
mod requirement;
mod saved;
mod search;
mod summary;
mod variation;

use super::level;
use crate::arguments::{number_in, parse_positive, parse_seed};
use crate::io::interrupt;
use crate::io::output::{Failure, Output, remark};
use crate::io::progress;
use crate::io::threads::Threads;
use bitcade_core::ThreadPool;
use bitcade_files::{Existing, OutputFile};
use clap::Args;
use match3::level::{Agent, Comparison, Level, Playtest, PlaytestReport};
use requirement::Requirement;
use saved::Saved;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use summary::{comparison_fields, report_fields};
use variation::{Knob, Sweep};

#[derive(Args)]
pub(crate) struct PlaytestArgs {
    /// The level files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The number of games of each agent
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = parse_positive)]
    games: u64,
    /// The players, separated by commas: random, greedy (by goals), careful (which tries swaps
    /// out), human or human:N,RATE, who sees N of the swaps and slips at a RATE
    #[arg(long, value_name = "NAMES", default_value = "random,greedy,human", value_parser = parse_agents)]
    agents: Agents,
    /// End an agent's games as soon as the 95 % interval of its pass rate is at most this wide
    #[arg(long, value_name = "WIDTH", value_parser = number_in(0.001f64..=1.0))]
    interval: Option<f64>,
    /// The random seed; game i of a seed meets the same luck on every level
    #[arg(long, default_value_t = 1, value_parser = parse_seed)]
    seed: u64,
    /// Fail with status 1 unless an agent's pass rate is in a range; can be given more than once
    #[arg(long = "require", value_name = "pass(AGENT) in LOW..HIGH", value_parser = Requirement::parse)]
    requirements: Vec<Requirement>,
    /// Play another version of the level with the same luck, and say which is harder
    #[arg(long, value_name = "FILE", conflicts_with_all = ["sweep", "target", "interval", "requirements", "html", "csv", "out"])]
    against: Option<PathBuf>,
    /// Play the level with each value of moves, colors or goal (the count of the first goal)
    #[arg(long, value_name = "NAME=A..B", value_parser = Sweep::parse, conflicts_with = "target")]
    sweep: Option<Sweep>,
    /// Find the two neighboring values of --by between which the first agent's pass rate is RATE
    #[arg(long, value_name = "RATE", value_parser = number_in(0.0f64..=1.0), requires = "by", conflicts_with_all = ["requirements", "html", "csv", "out"])]
    target: Option<f64>,
    /// What --target changes
    #[arg(long, value_name = "NAME", requires = "target")]
    by: Option<Knob>,
    /// Write a report with charts and heat maps, one file that needs nothing else
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the results as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Keep the games so far in a file, which --resume continues
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Continue the run in the file of --out
    #[arg(long, requires = "out")]
    resume: bool,
    /// Replace the files of --html, --csv and --out
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    threads: Threads,
}

#[derive(Clone, Debug, PartialEq)]
struct Agents(Vec<Agent>);

fn parse_agents(text: &str) -> Result<Agents, String> {
    // The numbers of `human:8,0.1` have a comma of their own.
    let mut agents = Vec::new();
    let mut words = text.split(',');
    while let Some(word) = words.next() {
        let whole = if word.starts_with("human:") {
            format!("{word},{}", words.next().unwrap_or_default())
        } else {
            word.to_owned()
        };
        let agent = whole.trim().parse().map_err(|_| {
            "expected names from random, greedy, careful, human and human:N,RATE, separated by \
             commas"
                .to_owned()
        })?;
        if agents.contains(&agent) {
            return Err(format!("{agent} is there twice, expected each agent once"));
        }
        agents.push(agent);
    }
    Ok(Agents(agents))
}

/// One agent's games of one level.
struct Test {
    name: String,
    level: Arc<Level>,
    agent: Agent,
    report: PlaytestReport,
}

pub(crate) fn run(arguments: &PlaytestArgs, output: &mut Output) -> Result<(), Failure> {
    let replaced = Existing::forced(arguments.force);
    let open = |path: &Option<PathBuf>| path.as_ref().map(|path| OutputFile::check(path, replaced));
    let html = open(&arguments.html).transpose()?;
    let csv = open(&arguments.csv).transpose()?;
    let kept = Existing::forced_or_resumed(arguments.force, arguments.resume);
    let out = arguments.out.as_ref().map(|path| OutputFile::check(path, kept)).transpose()?;
    let mut levels = Vec::new();
    for file in &arguments.files {
        levels.extend(variation::versions(read(file)?, arguments.sweep.as_ref())?);
    }
    if let (Some(rate), Some(knob)) = (arguments.target, arguments.by) {
        return search::run(arguments, &levels, rate, knob, output);
    }
    if let Some(old) = &arguments.against {
        let old = read(old)?;
        return compare(arguments, &levels, &old, output);
    }
    for requirement in &arguments.requirements {
        if !arguments.agents.0.contains(&requirement.agent) {
            let agent = requirement.agent;
            return Err(Failure::Input(format!("--require: {agent} is none of the agents")));
        }
    }
    let mut saved = Saved::open(out, arguments, &levels)?;
    let pool = arguments.threads.pool();
    let interrupted = interrupt::install_handler();
    let mut tests = Vec::new();
    for (name, level) in &levels {
        for &agent in &arguments.agents.0 {
            let number = tests.len();
            let report = play(arguments, level, agent, &mut saved, number, &pool);
            tests.push(Test { name: name.clone(), level: level.clone(), agent, report });
        }
    }
    // A file that can't be written must not cost the results on the screen.
    let kept = saved.finish();
    if interrupted() {
        remark("interrupted; these are the games so far");
    }
    for (number, test) in tests.iter().enumerate() {
        if number > 0 {
            output.text("\n")?;
        }
        output.lines(&report_fields(test))?;
    }
    for (name, _) in &levels {
        let mut of_level = tests.iter().filter(|test| test.name == *name);
        if !interrupted() && of_level.all(|test| test.report.won == 0) {
            remark(format_args!("{name}: no agent won a game"));
        }
    }
    kept?;
    if let Some(file) = html {
        file.write(|sink| sink(html::page(&tests).as_bytes()))?;
    }
    if let Some(file) = csv {
        file.write(|sink| sink(summary::csv(&tests).as_bytes()))?;
    }
    check_requirements(arguments, &tests)
}

fn read(file: &Path) -> Result<(String, Arc<Level>), Failure> {
    let name = file.display().to_string();
    let level = level::read(file.to_owned())?;
    if level.spec().goals.is_empty() {
        return Err(Failure::Input(format!(
            "{name}: a level without goals, which nobody can pass"
        )));
    }
    Ok((name, Arc::new(level)))
}

/// Plays an agent's games, from where the saved run ended.
fn play(
    arguments: &PlaytestArgs,
    level: &Arc<Level>,
    agent: Agent,
    saved: &mut Saved,
    number: usize,
    pool: &ThreadPool,
) -> PlaytestReport {
    let interrupted = interrupt::install_handler();
    let bar = progress::bar(arguments.games);
    let mut playtest = Playtest::new(level.clone(), agent, arguments.seed);
    let mut report = saved.report(number);
    playtest.skip(report.games);
    bar.set_position(report.games);
    bar.set_message(agent.to_string());
    while report.games < arguments.games && !is_enough(arguments, &report) && !interrupted() {
        // Resumed runs look at the interval after the same games as whole ones.
        let portion = (PORTION - report.games % PORTION).min(arguments.games - report.games);
        let mut played = PlaytestReport::default();
        // Interrupted, the games so far count.
        let _ = playtest.play_until(pool, portion, &interrupted, |so_far| {
            played.clone_from(so_far);
            bar.set_position(report.games + so_far.games);
        });
        report += played;
        saved.keep(number, &report);
    }
    bar.finish_and_clear();
    report
}

/// The games between two looks at the interval, which ask no one else: the same for all.
const PORTION: u64 = 256;

fn is_enough(arguments: &PlaytestArgs, report: &PlaytestReport) -> bool {
    let interval = arguments.interval.zip(report.pass_rate());
    interval.is_some_and(|(width, [_, low, high])| high - low <= width)
}

/// Plays each level and its other version with the same luck.
fn compare(
    arguments: &PlaytestArgs,
    levels: &[(String, Arc<Level>)],
    (old_name, old): &(String, Arc<Level>),
    output: &mut Output,
) -> Result<(), Failure> {
    let interrupted = interrupt::install_handler();
    let pool = arguments.threads.pool();
    for (name, level) in levels {
        for &agent in &arguments.agents.0 {
            let bar = progress::bar(arguments.games);
            let mut versions =
                [level, old].map(|level| Playtest::new(Arc::clone(level), agent, arguments.seed));
            let mut found = Comparison::default();
            let games = arguments.games;
            // Interrupted, the games so far count.
            let _ = Comparison::play_until(&mut versions, &pool, games, &interrupted, |so_far| {
                found = *so_far;
                bar.set_position(so_far.games);
            });
            bar.finish_and_clear();
            output.lines(&comparison_fields(name, old_name, agent, &found))?;
        }
    }
    Ok(())
}

fn check_requirements(arguments: &PlaytestArgs, tests: &[Test]) -> Result<(), Failure> {
    let mut failed = Vec::new();
    for requirement in &arguments.requirements {
        for test in tests.iter().filter(|test| test.agent == requirement.agent) {
            if let Some(games) = requirement.games_to_decide(&test.report) {
                let name = &test.name;
                remark(format_args!("{name}: {requirement}: about {games} games would decide"));
            }
            if !requirement.is_met(&test.report) {
                let [rate, _, _] = test.report.pass_rate().unwrap_or_default();
                failed.push(format!("{}: {requirement}, found {rate:.3}", test.name));
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(Failure::Check(failed.join("; "))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use match3::level::Habits;

    #[test]
    fn agents_are_read() {
        let own = Agent::Human(Habits { seen: 3, slip: 0.5 });
        let found = parse_agents("random,human:3,0.5,greedy").map(|agents| agents.0);
        assert_eq!(found, Ok(vec![Agent::Random, own, Agent::Greedy]));
        for bad in ["", "greedy,", "greedy,greedy", "human:0,1", "human:3", "fast"] {
            assert!(parse_agents(bad).is_err(), "{bad}");
        }
    }
}
