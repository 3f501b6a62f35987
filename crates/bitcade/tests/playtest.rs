//! `bitcade match3 playtest`: its numbers, questions, files and refusals.

use crate::common::{Folder, bitcade, folder, stderr, stdout};
use match3::level::EXAMPLES;
use serde_json::{Value, json};

/// A level that a random player passes about half of the time.
const LEVEL: &str = r#"
version = 1
name = "Small"
colors = 5
moves = 12
falls = "diagonal"
goals = [{ color = 1, count = 14 }, { jelly = "all" }]
pieces = """
??????
??????
?##???
??????
??????
??????
"""
jelly = """
......
......
......
.1....
......
......
"""
"#;

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

impl Folder {
    fn with_level(self) -> Self {
        self.write("level.toml", LEVEL);
        self
    }

    fn playtest(&self, more: &str) -> Vec<Value> {
        lines(&self.run(format!("match3 playtest level.toml --json {more}")).text())
    }
}

#[test]
fn the_same_numbers_on_any_number_of_threads() {
    let folder = folder("playtest-threads").with_level();
    let one = folder.playtest("--games 300 --agents random,greedy,careful,human --threads 1");
    assert_eq!(one.len(), 4);
    for threads in [2, 7] {
        let more = format!("--games 300 --agents random,greedy,careful,human --threads {threads}");
        assert_eq!(folder.playtest(&more), one);
    }
    let rates: Vec<f64> =
        one.iter().map(|line| line["pass_rate"].as_f64().expect("a rate")).collect();
    let [random, greedy, careful, human] = rates[..] else { panic!("{rates:?}") };
    assert!(random < human, "{rates:?}");
    assert!(human < greedy, "{rates:?}");
    assert!(greedy < careful, "{rates:?}");
    for line in &one {
        let low = line["pass_rate_low"].as_f64().expect("a bound");
        let high = line["pass_rate_high"].as_f64().expect("a bound");
        let rate = line["pass_rate"].as_f64().expect("a rate");
        assert!(low < rate && rate < high, "{line}");
        assert_eq!(line["cleared"].as_array().map(Vec::len), Some(36));
        // Only the cell with jelly can lack something.
        let lost_at = line["lost_at"].as_array().expect("cells");
        let elsewhere = lost_at.iter().enumerate().filter(|&(cell, _)| cell != 19);
        assert!(elsewhere.into_iter().all(|(_, count)| *count == 0), "{line}");
    }
    // Games of another seed are others.
    assert_ne!(folder.playtest("--games 300 --agents random --seed 2")[0], one[0]);
}

/// The numbers that `crates/bitcade-py/tests/test_levels.py` expects of the Python package, too.
#[test]
fn stored_numbers() {
    let folder = folder("playtest-stored");
    let agents = "--games 60 --agents random,greedy,human:5,0.2 --seed 7";
    for name in ["05-jam", "04-warehouse"] {
        let (_, level) = EXAMPLES.iter().find(|(found, _)| *found == name).expect("an example");
        folder.write(&format!("{name}.toml"), level);
    }
    let files = "05-jam.toml 04-warehouse.toml";
    let found = folder.run(format!("match3 playtest {files} --json {agents}")).text();
    assert_eq!(lines(&found), lines(include_str!("data/playtests.jsonl")));
}

/// The first games of a long run are the games of a short one: a run in parts is the whole run.
#[test]
fn a_run_is_saved_and_continued() {
    let folder = folder("playtest-saved").with_level();
    let agents = "--agents random,greedy";
    let whole = folder.playtest(&format!("{agents} --games 900"));
    folder.playtest(&format!("{agents} --games 300 --out run"));
    folder
        .run(format!("match3 playtest level.toml {agents} --games 900 --out run"))
        .fails(2, "run: contains results of another run; --resume");
    assert_eq!(folder.playtest(&format!("{agents} --games 900 --out run --resume")), whole);
    // What is complete is only read.
    assert_eq!(folder.playtest(&format!("{agents} --games 900 --out run --resume")), whole);
    // An interval ends a run in parts after the same games as a whole one.
    let narrow = "--agents random --interval 0.08";
    let whole = folder.playtest(narrow);
    folder.playtest("--agents random --games 300 --out parts");
    assert_eq!(folder.playtest(&format!("{narrow} --out parts --resume")), whole);
    let saved = folder.read("run");
    folder
        .run(format!("match3 playtest level.toml {agents} --seed 2 --out run --resume"))
        .fails(2, "run: expected the levels, agents and seed of this run");
    folder.write("run", saved.replacen("\"won\":", "\"won\":1", 1));
    folder
        .run(format!("match3 playtest level.toml {agents} --out run --resume"))
        .fails(2, "run: its checksum differs");
}

#[test]
fn requirements_set_the_status() {
    let folder = folder("playtest-require").with_level();
    let run = |more: &str| {
        folder
            .run(format!("match3 playtest level.toml --games 400 --agents greedy {more}"))
            .output()
    };
    let inside = run("--require 'pass(greedy) in 0.2..1'");
    assert_eq!(inside.status.code(), Some(0), "{}", stderr(&inside));
    let outside = run("--require 'pass(greedy) in 0..0.01'");
    assert_eq!(outside.status.code(), Some(1));
    let told = stderr(&outside);
    assert!(told.contains("level.toml: pass(greedy) in 0..0.01, found 0."), "{told}");
    assert!(stdout(&outside).contains("pass_rate"));
    folder
        .run("match3 playtest level.toml --agents greedy --require 'pass(random) in 0..1'")
        .fails(2, "random is none of the agents");
    // A bound at the rate itself: more games would tell.
    let rate = folder.playtest("--games 400 --agents greedy")[0]["pass_rate"].to_string();
    let near = run(&format!("--require 'pass(greedy) in {rate}..1'"));
    assert!(stderr(&near).contains("games would decide"), "{}", stderr(&near));
}

#[test]
fn a_designers_questions() {
    let folder = folder("playtest-questions").with_level();
    let sweep = folder.playtest("--games 200 --agents random --sweep moves=8..16");
    let rates: Vec<f64> =
        sweep.iter().map(|line| line["pass_rate"].as_f64().expect("a rate")).collect();
    assert_eq!(rates.len(), 9);
    assert!(rates.is_sorted(), "more moves never hurt the same games: {rates:?}");
    assert!(rates[8] > rates[0]);

    let target = "--games 400 --agents random --target 0.5 --by moves";
    let neighbors = folder.playtest(target);
    let rates: Vec<f64> =
        neighbors.iter().map(|line| line["pass_rate"].as_f64().expect("a rate")).collect();
    let [below, above] = rates[..] else { panic!("{neighbors:?}") };
    assert!(below < 0.5 && 0.5 <= above, "{rates:?}");
    let goal = folder.playtest("--games 400 --agents random --target 0.5 --by goal");
    let easier = goal[0]["pass_rate"].as_f64().expect("a rate");
    let harder = goal[1]["pass_rate"].as_f64().expect("a rate");
    assert!(easier >= 0.5 && 0.5 > harder, "{goal:?}");

    folder.write("harder.toml", LEVEL.replace("moves = 12", "moves = 9"));
    let run = "match3 playtest level.toml --against harder.toml --games 300 --agents random --json";
    let found = lines(&folder.run(run).text());
    assert_eq!(found[0]["verdict"], "easier", "{found:?}");
    let same = "match3 playtest level.toml --against level.toml --games 300 --agents random --json";
    let found = lines(&folder.run(same).text());
    assert_eq!(found[0]["difference"], json!(0.0), "{found:?}");
    assert_eq!(found[0]["verdict"], "undecided");
    // An interval ends a run early.
    let early = folder.playtest("--games 100000 --agents random --interval 0.1");
    let games = early[0]["games"].as_u64().expect("a number");
    assert!((100..2000).contains(&games), "{games}");
}

#[test]
fn reports_are_files() {
    let folder = folder("playtest-files").with_level();
    let more = "--games 50 --agents greedy --html report.html --csv report.csv";
    let run = format!("match3 playtest level.toml {more}");
    folder.run(&run).text();
    folder.run(&run).fails(2, "report.html: is not empty; --force replaces it");
    folder.run(format!("{run} --force")).text();
    let csv = folder.read("report.csv");
    assert_eq!(csv.lines().count(), 2);
    assert!(
        csv.lines().nth(1).is_some_and(|line| line.starts_with("\"level.toml\",\"greedy\",50,"))
    );
    let html = folder.read("report.html");
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"));
    assert!(!html.contains("http"), "the report needs nothing else");
    // A square for each cell that isn't a void, twice where games were lost.
    assert_eq!(
        html.matches("<title>column 0, row 0: ").count(),
        html.matches("<figure><svg").count() - 1
    );
}

#[test]
fn what_cannot_be_played() {
    let folder = folder("playtest-bad").with_level();
    folder.write("aimless.toml", LEVEL.replace("goals = [{", "# ["));
    for (line, message) in [
        ("none.toml", "none.toml: "),
        ("aimless.toml", "aimless.toml: a level without goals"),
        ("level.toml --agents fast", "--agents"),
        ("level.toml --sweep moves=3", "--sweep"),
        ("level.toml --sweep colors=1..20", "level.toml: colors=1: "),
        ("level.toml --target 0.5", "--by"),
        ("level.toml --resume", "--out"),
        ("level.toml --against level.toml --html report.html", "--html"),
        ("level.toml --target 0.5 --by moves --out run", "--out"),
    ] {
        folder.run(format!("match3 playtest {line}")).fails(2, message);
    }
    let unbeaten = LEVEL.replace("count = 14", "count = 900");
    folder.write("unbeaten.toml", unbeaten);
    let run = folder.run("match3 playtest unbeaten.toml --games 20 --agents random").output();
    assert!(stderr(&run).contains("unbeaten.toml: no agent won a game"), "{}", stderr(&run));
    bitcade("match3 playtest").fails(2, "FILE");
}
