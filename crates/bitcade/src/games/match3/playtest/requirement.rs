//! [`Requirement`]: the range of a pass rate that a level must have.

use match3::level::{Agent, PlaytestReport};
use std::fmt;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Requirement {
    pub(super) agent: Agent,
    low: f64,
    high: f64,
}

impl Requirement {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let read = || {
            let (agent, range) = text.trim().strip_prefix("pass(")?.split_once(')')?;
            let (low, high) = range.trim().strip_prefix("in")?.trim().split_once("..")?;
            let share =
                |text: &str| text.trim().parse().ok().filter(|share| (0.0..=1.0).contains(share));
            Some(Self { agent: agent.parse().ok()?, low: share(low)?, high: share(high)? })
        };
        read().filter(|requirement| requirement.low <= requirement.high).ok_or_else(|| {
            "expected a range of an agent's pass rate, such as 'pass(greedy) in 0.3..0.5'"
                .to_owned()
        })
    }

    pub(super) fn is_met(&self, report: &PlaytestReport) -> bool {
        report.pass_rate().is_some_and(|[rate, _, _]| self.low <= rate && rate <= self.high)
    }

    /// Returns the games that would probably put the whole interval on one side of each bound;
    /// `None` if it is already.
    pub(super) fn games_to_decide(&self, report: &PlaytestReport) -> Option<u64> {
        let [rate, low, high] = report.pass_rate()?;
        let straddles = |&bound: &f64| low < bound && bound < high;
        let bound = [self.low, self.high].into_iter().find(straddles)?;
        let distance = (rate - bound).abs().max(1e-4);
        let variance = (rate * (1.0 - rate)).max(bound * (1.0 - bound));
        let games = variance * (1.96 / distance).powi(2);
        Some(games.ceil().max(report.games as f64 + 1.0) as u64)
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pass({}) in {}..{}", self.agent, self.low, self.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(won: u64, games: u64) -> PlaytestReport {
        let mut report = PlaytestReport::default();
        report.won = won;
        report.games = games;
        report
    }

    #[test]
    fn requirements_are_read_and_checked() {
        let requirement = Requirement::parse(" pass(greedy) in 0.3..0.5 ").expect("a requirement");
        assert_eq!(requirement.to_string(), "pass(greedy) in 0.3..0.5");
        assert!(requirement.is_met(&report(40, 100)));
        assert!(!requirement.is_met(&report(29, 100)));
        assert_eq!(requirement.games_to_decide(&report(4000, 10_000)), None);
        let games = requirement.games_to_decide(&report(32, 100)).expect("undecided");
        assert!((2000..2200).contains(&games), "{games}");
        let human = Requirement::parse("pass(human:8,0.1) in 0..1").expect("a requirement");
        assert_eq!(human.agent.to_string(), "human:8,0.1");
        for bad in ["", "pass(greedy)", "pass(me) in 0..1", "pass(greedy) in 0.5..0.3"] {
            assert!(Requirement::parse(bad).is_err(), "{bad}");
        }
    }
}
