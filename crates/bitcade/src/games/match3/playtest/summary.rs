//! The results of playtests as text, JSON and comma-separated values.

use super::Test;
use crate::io::output::Fields;
use crate::statistics::ratio;
use match3::level::{Agent, Comparison, PlaytestReport, Target};
use std::collections::BTreeMap;

/// Returns an agent's results on a level.
pub(super) fn report_fields(test: &Test) -> Fields {
    let Test { name, level, agent, report } = test;
    let [rate, low, high] = report.pass_rate().map_or([None; 3], |rate| rate.map(Some));
    let score = |share| report.score_at(share);
    let lost = report.games - report.won;
    let lacked: BTreeMap<String, Option<f64>> = level
        .spec()
        .goals
        .iter()
        .zip(&report.lacked)
        .map(|(goal, &lacked)| (goal_name(goal.target), ratio(lacked as f64, lost)))
        .collect();
    let lacked_text: Vec<String> = lacked
        .iter()
        .map(|(goal, lacked)| format!("{goal} {}", crate::statistics::or_none(*lacked, 1)))
        .collect();
    Fields::default()
        .with("level", name)
        .with("agent", agent.to_string())
        .with("games", report.games)
        .interval("pass_rate", [rate, low, high], 3)
        .whole("moves_of_best_5_percent", report.moves_of_best().map(u64::from))
        .number("left_at_win", left_at_win(report), 1)
        .whole("score_10", score(0.1))
        .whole("score_50", score(0.5))
        .whole("score_90", score(0.9))
        .json("lacked", &lacked)
        .text("lacked", lacked_text.join(", "))
        .with("near_misses", report.near_misses)
        .with("dead", report.dead)
        .with("shuffles", report.shuffles)
        .with("cascades_cut", report.limited)
        .number("choices_per_move", ratio(report.choices as f64, report.moves), 1)
        .number("cascade_levels_per_move", ratio(report.cascade_levels as f64, report.moves), 2)
        .json("cleared", &report.cleared)
        .json("lost_at", &report.lost_at)
}

/// Returns the mean number of moves, or seconds, left in won games.
pub(super) fn left_at_win(report: &PlaytestReport) -> Option<f64> {
    let sum: u64 = report.left_at_win.iter().map(|(&left, &games)| u64::from(left) * games).sum();
    ratio(sum as f64, report.won)
}

/// Returns the name of a target, as in level files.
pub(super) fn goal_name(target: Target) -> String {
    match target {
        Target::Score => "score".to_owned(),
        Target::Color(color) => format!("color {color}"),
        Target::Locked => "locks".to_owned(),
        Target::Jelly => "jelly".to_owned(),
        Target::Crates => "crates".to_owned(),
        Target::Ice => "ice".to_owned(),
        Target::Items => "items".to_owned(),
        Target::SetOff => "set_off".to_owned(),
        Target::Made => "made".to_owned(),
    }
}

/// Returns the difference of two versions' pass rates, with its 95 % interval.
pub(super) fn comparison_fields(
    name: &str,
    old_name: &str,
    agent: Agent,
    found: &Comparison,
) -> Fields {
    let games = found.games;
    let rate = |won| ratio(won as f64, games);
    // The games that both or neither won tell nothing about the difference.
    let difference = ratio(found.first_only as f64 - found.second_only as f64, games);
    let margin = difference.map(|difference| {
        let differing = (found.first_only + found.second_only) as f64 / games as f64;
        1.96 * ((differing - difference * difference).max(0.0) / games as f64).sqrt()
    });
    let bounds = difference
        .zip(margin)
        .map(|(difference, margin)| (difference - margin, difference + margin));
    let (low, high) = bounds.unzip();
    let verdict = match bounds {
        Some((low, _)) if low > 0.0 => "easier",
        Some((_, high)) if high < 0.0 => "harder",
        _ => "undecided",
    };
    Fields::default()
        .with("level", name)
        .with("against", old_name)
        .with("agent", agent.to_string())
        .with("games", games)
        .number("pass_rate", rate(found.both + found.first_only), 3)
        .number("pass_rate_against", rate(found.both + found.second_only), 3)
        .interval("difference", [difference, low, high], 3)
        .with("verdict", verdict)
}

/// Returns a line for each level and agent, after a line of names.
pub(super) fn csv(tests: &[Test]) -> String {
    let mut text = "level,agent,games,won,pass_rate,low,high,moves_of_best_5_percent,left_at_win,\
                    score_10,score_50,score_90,near_misses,dead,shuffles\n"
        .to_owned();
    for Test { name, agent, report, .. } in tests {
        let [rate, low, high] = report.pass_rate().unwrap_or_default();
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let number = |number: Option<u64>| number.map(|n| n.to_string()).unwrap_or_default();
        let columns = [
            quoted(name),
            quoted(&agent.to_string()),
            report.games.to_string(),
            report.won.to_string(),
            format!("{rate:.4}"),
            format!("{low:.4}"),
            format!("{high:.4}"),
            number(report.moves_of_best().map(u64::from)),
            left_at_win(report).map(|left| format!("{left:.2}")).unwrap_or_default(),
            number(report.score_at(0.1)),
            number(report.score_at(0.5)),
            number(report.score_at(0.9)),
            report.near_misses.to_string(),
            report.dead.to_string(),
            report.shuffles.to_string(),
        ];
        text.push_str(&columns.join(","));
        text.push('\n');
    }
    text
}
