//! A report of playtests as one HTML file, for people without the program.

use super::Test;
use super::summary::{goal_name, left_at_win};
use crate::statistics::ratio;
use match3::level::{Ground, Level, PlaytestReport};
use std::fmt::Write;

/// Colors for light and dark; charts take theirs from the page. Only the table scrolls on a narrow
/// screen.
const STYLE: &str = "\
:root{color-scheme:light dark;--back:#fff;--text:#1c1c1e;--faint:#6b6b70;--line:#d8d8dd;\
--bar:#2f6fd0;--heat:#c5331a;--cell:#eeeef1;--wall:#6b6b70}\
@media(prefers-color-scheme:dark){:root{--back:#17181b;--text:#ececf0;--faint:#a0a0a8;\
--line:#3a3b41;--bar:#6fa3ff;--heat:#ff8c5a;--cell:#26272c;--wall:#8a8a92}}\
body{font:16px/1.5 system-ui,sans-serif;background:var(--back);color:var(--text);\
max-width:80rem;margin:2rem auto;padding:0 1rem}\
h1,h2{line-height:1.2;overflow-wrap:anywhere}.wide{overflow-x:auto}\
table{border-collapse:collapse;width:100%}\
th,td{text-align:right;padding:.3rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}\
td{white-space:nowrap}td span{display:block}td:first-child{white-space:normal;min-width:9rem}\
th:first-child,td:first-child,th:nth-child(2),td:nth-child(2),th:last-child,td:last-child\
{text-align:left}\
th{color:var(--faint);font-weight:600;vertical-align:bottom}\
.charts{display:flex;flex-wrap:wrap;gap:1.5rem;margin:1rem 0 2rem}\
figure{margin:0}figcaption{color:var(--faint);font-size:.9rem;max-width:20rem}\
svg text{fill:var(--faint);font:11px system-ui,sans-serif}\
.heat rect{fill:color-mix(in srgb,var(--heat) var(--part),var(--cell))}\
.heat .wall{fill:var(--wall)}";

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
        let PlaytestReport { games, won, cleared, lost_at, .. } = &test.report;
        let [most_cleared, most_lost] =
            [cleared, lost_at].map(|counts| counts.iter().copied().max().unwrap_or(0));
        let each = ratio(most_cleared as f64, *games).unwrap_or(0.0);
        let caption =
            format!("Pieces cleared: none is plain, the strongest color {each:.1} a game.");
        page.push_str(&heat_map(&test.level, cleared, &caption));
        if most_lost > 0 {
            let share = ratio(100.0 * most_lost as f64, games - won).unwrap_or(0.0);
            let caption = format!(
                "What a goal still wanted when games were lost: the strongest color in \
                 {share:.0}&nbsp;% of them."
            );
            page.push_str(&heat_map(&test.level, lost_at, &caption));
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
    let mut table = "<div class=\"wide\"><table>\n<tr><th>level</th><th>agent</th><th>games</th>\
                     <th>pass rate</th><th>95&nbsp;%</th><th></th><th>moves of the best \
                     5&nbsp;%</th><th>left at win</th><th>median score</th><th>near misses</th>\
                     <th>shuffles</th><th>lacked when lost</th></tr>\n"
        .to_owned();
    for Test { name, level, agent, report } in tests {
        let rates = report.pass_rate().unwrap_or_default().map(|rate| 100.0 * rate);
        let [rate, low, high] = rates;
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "&ndash;".to_owned());
        let lost = report.games - report.won;
        let lacked: Vec<String> = level
            .spec()
            .goals
            .iter()
            .zip(&report.lacked)
            .filter_map(|(goal, &lacked)| Some((goal, ratio(lacked as f64, lost)?)))
            .map(|(goal, lacked)| format!("<span>{}: {lacked:.1}</span>", goal_name(goal.target)))
            .collect();
        let _ = writeln!(
            table,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{rate:.1}&nbsp;%</td>\
             <td>{low:.1} to {high:.1}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
             <td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(name),
            escaped(&agent.to_string()),
            report.games,
            interval_mark(rates),
            or_dash(report.moves_of_best().map(|moves| moves.to_string())),
            or_dash(left_at_win(report).map(|left| format!("{left:.1}"))),
            or_dash(report.score_at(0.5).map(|score| score.to_string())),
            report.near_misses,
            report.shuffles,
            or_dash(Some(lacked.concat()).filter(|lacked| !lacked.is_empty())),
        );
    }
    table + "</table></div>\n"
}

/// A pass rate and its interval on a line from 0 to 100 %, so that the rows of a sweep make a curve.
fn interval_mark([rate, low, high]: [f64; 3]) -> String {
    format!(
        "<svg width=\"108\" height=\"12\" viewBox=\"-4 0 108 12\" aria-hidden=\"true\">\
         <path d=\"M0 6h100\" stroke=\"var(--line)\"/>\
         <path d=\"M{low:.1} 6H{high:.1}\" stroke=\"var(--bar)\" stroke-width=\"3\"/>\
         <circle cx=\"{rate:.1}\" cy=\"6\" r=\"4\" fill=\"var(--bar)\"/></svg>"
    )
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
    let step = (WIDTH as f64 / bars as f64).min(24.0);
    // The two numbers need room.
    let end = (step * bars as f64).max(80.0);
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
        "<text x=\"0\" y=\"{0}\">{first} moves</text>{1}</svg><figcaption>Games won, by the moves \
         they took. The highest bar is {most} of them.</figcaption></figure>",
        HEIGHT + 13,
        if last > first {
            format!("<text x=\"{end:.1}\" y=\"{}\" text-anchor=\"end\">{last}</text>", HEIGHT + 13)
        } else {
            String::new()
        },
    );
    svg
}

/// A square for each cell of the board, stronger for larger counts.
fn heat_map(level: &Level, counts: &[u64], caption: &str) -> String {
    let side = (288 / level.width().max(level.height())).clamp(4, 28);
    let most = counts.iter().copied().max().unwrap_or(1).max(1);
    let mut svg = format!(
        "<figure><svg class=\"heat\" width=\"{}\" height=\"{}\" role=\"img\" \
         aria-label=\"{caption}\">",
        side * level.width(),
        side * level.height()
    );
    let cells = level.spec().cells.iter().zip(counts).enumerate();
    for (number, (cell, &count)) in cells.filter(|(_, (cell, _))| cell.ground != Ground::Void) {
        let x = number % level.width();
        let y = number / level.width();
        let size = side - 1;
        let (look, what) = if cell.ground == Ground::Open {
            let part = 100.0 * count as f64 / most as f64;
            (format!("style=\"--part:{part:.1}%\""), count.to_string())
        } else {
            ("class=\"wall\"".to_owned(), "wall".to_owned())
        };
        let _ = write!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"{size}\" height=\"{size}\" {look}>\
             <title>column {x}, row {y}: {what}</title></rect>",
            x * side,
            y * side,
        );
    }
    let has_walls = level.spec().cells.iter().any(|cell| cell.ground == Ground::Wall);
    let walls = if has_walls { " Gray: walls." } else { "" };
    let _ = writeln!(svg, "</svg><figcaption>{caption}{walls}</figcaption></figure>");
    svg
}
