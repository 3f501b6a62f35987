//! A report of playtests as one HTML file, for people without the program.

use super::Test;
use super::summary::{goal_name, left_at_win};
use match3::level::{Ground, Level, PlaytestReport};
use std::fmt::Write;

/// Colors for light and dark; charts take theirs from the page.
const STYLE: &str = "\
:root{color-scheme:light dark;--back:#fff;--text:#1c1c1e;--faint:#6b6b70;--line:#d8d8dd;\
--bar:#2f6fd0;--heat:207,62,32;--cell:#eeeef1}\
@media(prefers-color-scheme:dark){:root{--back:#17181b;--text:#ececf0;--faint:#a0a0a8;\
--line:#3a3b41;--bar:#6fa3ff;--heat:255,140,90;--cell:#26272c}}\
body{font:16px/1.5 system-ui,sans-serif;background:var(--back);color:var(--text);\
max-width:60rem;margin:2rem auto;padding:0 1rem}\
h1,h2{line-height:1.2}table{border-collapse:collapse;width:100%}\
th,td{text-align:right;padding:.3rem .6rem;border-bottom:1px solid var(--line)}\
th:first-child,td:first-child,th:nth-child(2),td:nth-child(2){text-align:left}\
th{color:var(--faint);font-weight:600}\
.charts{display:flex;flex-wrap:wrap;gap:1.5rem;margin:1rem 0 2rem}\
figure{margin:0}figcaption{color:var(--faint);font-size:.9rem;max-width:22rem}\
svg text{fill:var(--faint);font:11px system-ui,sans-serif}";

pub(super) fn page(tests: &[Test]) -> String {
    let mut page = String::new();
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>Playtest</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>Playtest</h1>\n"
    );
    page.push_str(&table(tests));
    for test in tests {
        let _ = write!(
            page,
            "<h2>{} &middot; {}</h2>\n<div class=\"charts\">\n",
            escaped(&test.name),
            escaped(&test.agent.to_string())
        );
        page.push_str(&moves_chart(&test.report));
        let [cleared, lost_at] = [&test.report.cleared, &test.report.lost_at];
        page.push_str(&heat_map(
            &test.level,
            cleared,
            "Where pieces are cleared: the darker, the more often.",
        ));
        if lost_at.iter().any(|&count| count > 0) {
            page.push_str(&heat_map(
                &test.level,
                lost_at,
                "Where games are lost: what a goal still wants at the end.",
            ));
        }
        page.push_str("</div>\n");
    }
    page.push_str("</body>\n</html>\n");
    page
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn table(tests: &[Test]) -> String {
    let mut table = "<table>\n<tr><th>level</th><th>agent</th><th>games</th><th>pass rate</th>\
                     <th>95&nbsp;%</th><th>moves of the best 5&nbsp;%</th><th>left at win</th>\
                     <th>median score</th><th>near misses</th><th>shuffles</th><th>lacked when \
                     lost</th></tr>\n"
        .to_owned();
    for Test { name, level, agent, report } in tests {
        let [rate, low, high] = report.pass_rate().unwrap_or_default().map(|rate| 100.0 * rate);
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "&ndash;".to_owned());
        let lost = (report.games - report.won).max(1) as f64;
        let lacked: Vec<String> = level
            .spec()
            .goals
            .iter()
            .zip(&report.lacked)
            .map(|(goal, &lacked)| {
                format!("{} {:.1}", goal_name(goal.target), lacked as f64 / lost)
            })
            .collect();
        let _ = writeln!(
            table,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{rate:.1}&nbsp;%</td>\
             <td>{low:.1} to {high:.1}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
             <td>{}</td><td>{}</td></tr>",
            escaped(name),
            escaped(&agent.to_string()),
            report.games,
            or_dash(report.moves_of_best().map(|moves| moves.to_string())),
            or_dash(left_at_win(report).map(|left| format!("{left:.1}"))),
            or_dash(report.score_at(0.5).map(|score| score.to_string())),
            report.near_misses,
            report.shuffles,
            lacked.join(", "),
        );
    }
    table + "</table>\n"
}

/// A bar for each number of moves with which games were won.
fn moves_chart(report: &PlaytestReport) -> String {
    const HEIGHT: u64 = 120;
    const WIDTH: usize = 320;
    let Some((&first, _)) = report.moves_needed.first_key_value() else {
        return "<figure><figcaption>No game was won.</figcaption></figure>\n".to_owned();
    };
    let last = report.moves_needed.last_key_value().map_or(first, |(&last, _)| last);
    let most = report.moves_needed.values().copied().max().unwrap_or(1);
    let bars = (last - first + 1) as usize;
    let step = WIDTH as f64 / bars as f64;
    let mut svg = format!(
        "<figure><svg width=\"{WIDTH}\" height=\"{}\" role=\"img\" \
         aria-label=\"Moves needed to win\">",
        HEIGHT + 16
    );
    for (&moves, &games) in &report.moves_needed {
        let height = (HEIGHT * games).div_ceil(most);
        let left = f64::from(moves - first) * step;
        let _ = write!(
            svg,
            "<rect x=\"{left:.1}\" y=\"{}\" width=\"{:.1}\" height=\"{height}\" \
             fill=\"var(--bar)\"><title>{moves} moves: {games} games</title></rect>",
            HEIGHT - height,
            (step - 1.0).max(0.5),
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"0\" y=\"{0}\">{first}</text><text x=\"{WIDTH}\" y=\"{0}\" \
         text-anchor=\"end\">{last}</text></svg>\
         <figcaption>Games won, by the moves they took.</figcaption></figure>",
        HEIGHT + 13,
    );
    svg
}

/// A square for each cell of the board, darker for larger counts.
fn heat_map(level: &Level, counts: &[u64], caption: &str) -> String {
    let side = (288 / level.width().max(level.height())).clamp(4, 28);
    let most = counts.iter().copied().max().unwrap_or(1).max(1);
    let mut svg = format!(
        "<figure><svg width=\"{}\" height=\"{}\" role=\"img\" aria-label=\"{caption}\">",
        side * level.width(),
        side * level.height()
    );
    let cells = level.spec().cells.iter().zip(counts).enumerate();
    for (number, (cell, &count)) in cells.filter(|(_, (cell, _))| cell.ground != Ground::Void) {
        let fill = match cell.ground {
            Ground::Open => format!("rgba(var(--heat),{:.3})", count as f64 / most as f64),
            _ => "var(--faint)".to_owned(),
        };
        let x = number % level.width();
        let y = number / level.width();
        let size = side - 1;
        let _ = write!(
            svg,
            "<g transform=\"translate({},{})\"><rect width=\"{size}\" height=\"{size}\" \
             fill=\"var(--cell)\"/><rect width=\"{size}\" height=\"{size}\" fill=\"{fill}\">\
             <title>column {x}, row {y}: {count}</title></rect></g>",
            x * side,
            y * side,
        );
    }
    let _ = writeln!(svg, "</svg><figcaption>{caption}</figcaption></figure>");
    svg
}
