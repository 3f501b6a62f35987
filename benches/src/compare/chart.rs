//! The charts of `--tables`: for each game an SVG picture of its operations, with a bar for each
//! level. The length of a bar is the logarithm of the factor by which the level is faster than the
//! reference.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The times of an operation, in nanoseconds per unit: medians over the rounds, as are the ratios.
/// A field that an older table lacks is `None`.
#[derive(Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) operation: String,
    pub(super) unit: String,
    pub(super) against: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reference: Option<f64>,
    /// The fields are named after the levels: `portable`, `x86_64_v3`.
    #[serde(flatten)]
    pub(super) levels: BTreeMap<String, f64>,
    /// The name of the level that a program chooses.
    pub(super) best: String,
    /// The reference's time divided by the best level's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ratio_reference: Option<f64>,
    /// The portable level's time divided by the best level's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ratio_portable: Option<f64>,
    /// The lower and the upper quartile of some of the numbers, under their names.
    #[serde(default)]
    pub(super) quartiles: BTreeMap<String, [f64; 2]>,
}

impl Row {
    /// Returns the best level's time.
    pub(super) fn time(&self) -> Option<f64> {
        self.levels.get(&field(&self.best)).copied()
    }
}

/// Returns the name of a level's field.
pub(super) fn field(level: &str) -> String {
    level.replace('-', "_")
}

/// The widths of names, of a bar of the largest factor, and of the numbers behind the bars.
const NAMES: f64 = 230.0;
const BARS: f64 = 430.0;
const NUMBERS: f64 = 150.0;
/// The height of a bar, and of the gap between two operations.
const BAR: f64 = 11.0;
const GAP: f64 = 10.0;
/// The height above the first operation.
const HEAD: f64 = 64.0;
/// The colors of bars, in the order of levels.
const COLORS: [&str; 5] = ["#9aa5b1", "#d08c3f", "#3a7ca5", "#2f9e6e", "#7b4fa3"];

pub(super) fn game(row: &Row) -> &str {
    row.operation.split(' ').next().unwrap_or_default()
}

/// `origin` names the CPU, the commit and the date.
pub(super) fn draw(operations: &[Row], origin: &str) -> String {
    let factor = |row: &Row, time: f64| (row.reference.unwrap_or_default() / time).max(1.0);
    let factors =
        operations.iter().flat_map(|row| row.levels.values().map(move |&time| factor(row, time)));
    let decades = factors.fold(10.0, f64::max).log10().ceil();
    let length = |factor: f64| BARS * factor.log10() / decades;
    let heights = operations.iter().map(|row| row.levels.len() as f64 * BAR + GAP);
    let bottom = HEAD + heights.sum::<f64>();
    let width = NAMES + BARS + NUMBERS;
    let height = bottom + 24.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"10\" y=\"20\" font-size=\"15\">{}: times faster than the reference</text>\n\
         <text x=\"10\" y=\"36\" fill=\"#555\">{}</text>\n",
        game(&operations[0]),
        origin.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
    );
    let mut at = NAMES;
    // Every operation has the levels of this machine.
    for (level, color) in operations[0].levels.keys().zip(COLORS) {
        svg += &format!(
            "<rect x=\"{at}\" y=\"44\" width=\"10\" height=\"10\" fill=\"{color}\"/>\
             <text x=\"{}\" y=\"53\">{}</text>\n",
            at + 14.0,
            level.replace('_', "-")
        );
        at += 30.0 + 6.5 * level.len() as f64;
    }
    for decade in 0..=decades as i32 {
        let factor = 10f64.powi(decade);
        let x = NAMES + length(factor);
        svg += &format!(
            "<line x1=\"{x}\" y1=\"{HEAD}\" x2=\"{x}\" y2=\"{bottom}\" stroke=\"#ddd\"/>\
             <text x=\"{x}\" y=\"{}\" fill=\"#555\" text-anchor=\"middle\">{factor}x</text>\n",
            bottom + 14.0
        );
    }
    let mut y = HEAD + GAP / 2.0;
    for row in operations {
        let middle = y + BAR * row.levels.len() as f64 / 2.0 + 4.0;
        svg += &format!("<text x=\"10\" y=\"{middle}\">{}</text>\n", row.operation);
        for (&time, color) in row.levels.values().zip(COLORS) {
            let factor = factor(row, time);
            svg += &format!(
                "<rect x=\"{NAMES}\" y=\"{y}\" width=\"{:.1}\" height=\"{}\" fill=\"{color}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"9\">{factor:.1}x, {time:.2} ns per {}</text>\n",
                length(factor).max(1.0),
                BAR - 2.0,
                NAMES + length(factor) + 4.0,
                y + 8.5,
                row.unit
            );
            y += BAR;
        }
        y += GAP;
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_for_each_level() {
        let levels =
            [("portable", 10.0), ("x86_64_v3", 1.0)].map(|(name, time)| (name.to_owned(), time));
        let row = Row {
            operation: "2048 slide".into(),
            unit: "board".into(),
            against: "printed".into(),
            reference: Some(100.0),
            levels: levels.into(),
            best: "x86-64-v3".into(),
            ratio_reference: Some(100.0),
            ratio_portable: Some(10.0),
            quartiles: BTreeMap::new(),
        };
        let svg = draw(&[row], "a CPU & more");
        for text in [
            "10.0x, 10.00 ns per board",
            "100.0x, 1.00 ns per board",
            "a CPU &amp; more",
            ">x86-64-v3<",
        ] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        // A factor of 100 fills the bar, a factor of 10 half of it.
        for width in ["width=\"430.0\"", "width=\"215.0\""] {
            assert_eq!(svg.matches(width).count(), 1, "{width}");
        }
    }
}
