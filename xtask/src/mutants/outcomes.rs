//! The part of cargo-mutants' `outcomes.json` that is reported.

use crate::Result;
use serde::Deserialize;
use std::path::Path;

/// A change of the code.
#[derive(Debug, PartialEq)]
pub(super) struct Mutant {
    /// The file, relative to the workspace's root.
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) column: usize,
    /// The change in words, without its place.
    pub(super) change: String,
}

/// The results of a run. Mutants that don't compile are left out.
#[derive(Debug, PartialEq)]
pub(super) struct TestedMutants {
    /// The number of mutants that a test has noticed, or that ran too long.
    pub(super) killed: usize,
    /// Those of them that ran too long.
    pub(super) timeouts: usize,
    pub(super) survivors: Vec<Mutant>,
    /// The time of all builds and tests of mutants.
    pub(super) seconds: f64,
}

#[derive(Deserialize)]
struct File {
    outcomes: Vec<TestedScenario>,
    /// The time at the end of a complete run.
    end_time: Option<String>,
}

#[derive(Deserialize)]
struct TestedScenario {
    scenario: Scenario,
    summary: String,
    phase_results: Vec<Phase>,
}

#[derive(Deserialize)]
enum Scenario {
    /// The unchanged code.
    Baseline,
    Mutant {
        name: String,
        file: String,
        span: Span,
    },
}

#[derive(Deserialize)]
struct Span {
    start: Position,
}

#[derive(Deserialize)]
struct Position {
    line: usize,
    column: usize,
}

#[derive(Deserialize)]
struct Phase {
    duration: f64,
}

impl TestedMutants {
    pub(super) fn load(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Self::parse(&text)
    }

    fn parse(text: &str) -> Result<Self> {
        let File { outcomes, end_time } = serde_json::from_str(text)?;
        if end_time.is_none() {
            return Err("cargo-mutants ended before its last mutant".into());
        }
        let mut tested = Self { killed: 0, timeouts: 0, survivors: Vec::new(), seconds: 0.0 };
        for TestedScenario { scenario, summary, phase_results } in outcomes {
            let Scenario::Mutant { name, file, span } = scenario else {
                if summary != "Success" {
                    return Err("the tests of the unchanged code fail".into());
                }
                continue;
            };
            match summary.as_str() {
                "CaughtMutant" => tested.killed += 1,
                "Timeout" => {
                    tested.killed += 1;
                    tested.timeouts += 1;
                }
                "MissedMutant" => {
                    let Position { line, column } = span.start;
                    let place = format!("{file}:{line}:{column}: ");
                    let change = name.strip_prefix(&place).unwrap_or(&name).to_owned();
                    tested.survivors.push(Mutant { file, line, column, change });
                }
                "Unviable" => continue,
                other => return Err(format!("{name}: unknown outcome {other}").into()),
            }
            tested.seconds += phase_results.iter().map(|phase| phase.duration).sum::<f64>();
        }
        Ok(tested)
    }
}

#[cfg(test)]
mod tests {
    use super::{Mutant, TestedMutants};

    const BASELINE: &str =
        r#"{"scenario": "Baseline", "summary": "Success", "phase_results": [{"duration": 9.0}]}"#;

    fn mutant(summary: &str) -> String {
        format!(
            r#"{{"scenario": {{"Mutant": {{"name": "a.rs:7:3: replace f with 0", "file": "a.rs",
            "span": {{"start": {{"line": 7, "column": 3}}, "end": {{"line": 7, "column": 9}}}}}}}},
            "summary": "{summary}", "phase_results": [{{"duration": 1.5}}, {{"duration": 0.5}}]}}"#
        )
    }

    fn file(outcomes: &[String], end: &str) -> String {
        format!(r#"{{"outcomes": [{}], "end_time": {end}}}"#, outcomes.join(","))
    }

    #[test]
    fn noticed_and_surviving_mutants_are_counted() {
        let outcomes = ["CaughtMutant", "Timeout", "Unviable", "MissedMutant"].map(mutant);
        let outcomes = [&[BASELINE.to_owned()][..], &outcomes].concat();
        let tested = TestedMutants::parse(&file(&outcomes, "\"2026\"")).unwrap();
        let survivor = Mutant { file: "a.rs".into(), line: 7, column: 3, change: "replace f with 0".into() };
        assert_eq!(tested, TestedMutants { killed: 2, timeouts: 1, survivors: vec![survivor], seconds: 6.0 });
    }

    #[test]
    fn a_run_that_says_nothing_is_an_error() {
        assert!(TestedMutants::parse(&file(&[BASELINE.to_owned()], "null")).is_err());
        let failed = BASELINE.replace("Success", "Failure");
        assert!(TestedMutants::parse(&file(&[failed], "\"2026\"")).is_err());
        assert!(TestedMutants::parse(&file(&[mutant("Odd")], "\"2026\"")).is_err());
    }
}
