//! The charts of `compare --chart`: for each game an SVG picture of its operations, with a bar for each
//! level. The length of a bar is the logarithm of the factor by which the level is faster than the reference.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A row of the program: nanoseconds per unit of the reference and of each level.
#[derive(Debug, PartialEq)]
pub(super) struct Measured {
    pub(super) name: String,
    pub(super) unit: String,
    pub(super) reference: f64,
    pub(super) levels: BTreeMap<String, f64>,
}

impl Measured {
    /// Returns the first word of the name.
    pub(super) fn game(&self) -> &str {
        self.name.split(' ').next().unwrap_or_default()
    }
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

/// Draws the operations of one game. `origin` tells the CPU, the commit and the date.
pub(super) fn draw(game: &str, operations: &[&Measured], origin: &str) -> String {
    let mut levels: Vec<&str> = Vec::new();
    for level in operations.iter().flat_map(|operation| operation.levels.keys()) {
        if !levels.contains(&level.as_str()) {
            levels.push(level);
        }
    }
    let factor = |operation: &Measured, time: f64| (operation.reference / time).max(1.0);
    let factors = operations
        .iter()
        .flat_map(|operation| operation.levels.values().map(move |&time| factor(operation, time)));
    let decades = factors.fold(10.0, f64::max).log10().ceil();
    let x = |factor: f64| NAMES + BARS * factor.log10() / decades;
    let bars: usize = operations.iter().map(|operation| operation.levels.len()).sum();
    let bottom = HEAD + bars as f64 * BAR + operations.len() as f64 * GAP;
    let (width, height) = (NAMES + BARS + NUMBERS, bottom + 24.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"10\" y=\"20\" font-size=\"15\">{}: times faster than the reference</text>\n\
         <text x=\"10\" y=\"36\" fill=\"#555\">{}</text>\n",
        escaped(game),
        escaped(origin)
    );
    let mut at = NAMES;
    for (level, color) in levels.iter().zip(COLORS) {
        let name = level.replace('_', "-");
        let _ = writeln!(
            svg,
            "<rect x=\"{at}\" y=\"44\" width=\"10\" height=\"10\" fill=\"{color}\"/>\
             <text x=\"{}\" y=\"53\">{name}</text>",
            at + 14.0
        );
        at += 30.0 + 6.5 * name.len() as f64;
    }
    for decade in 0..=decades as i32 {
        let x = x(10f64.powi(decade));
        let _ = writeln!(
            svg,
            "<line x1=\"{x}\" y1=\"{HEAD}\" x2=\"{x}\" y2=\"{bottom}\" stroke=\"#ddd\"/>\
             <text x=\"{x}\" y=\"{}\" fill=\"#555\" text-anchor=\"middle\">{}x</text>",
            bottom + 14.0,
            10u64.pow(decade.unsigned_abs())
        );
    }
    let mut y = HEAD + GAP / 2.0;
    for operation in operations {
        let middle = y + BAR * operation.levels.len() as f64 / 2.0 + 4.0;
        let _ = writeln!(svg, "<text x=\"10\" y=\"{middle}\">{}</text>", escaped(&operation.name));
        for (level, &time) in &operation.levels {
            let color = COLORS[levels.iter().position(|other| other == level).unwrap_or(0) % COLORS.len()];
            let factor = factor(operation, time);
            let _ = writeln!(
                svg,
                "<rect x=\"{NAMES}\" y=\"{y}\" width=\"{:.1}\" height=\"{}\" fill=\"{color}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"9\">{factor:.1}x, {time:.2} ns per {}</text>",
                (x(factor) - NAMES).max(1.0),
                BAR - 2.0,
                x(factor) + 4.0,
                y + 8.5,
                escaped(&operation.unit)
            );
            y += BAR;
        }
        y += GAP;
    }
    svg + "</svg>\n"
}

/// Replaces the characters that XML reserves.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_for_each_level() {
        let levels = [("portable", 10.0), ("x86_64_v3", 1.0)].map(|(name, time)| (name.to_owned(), time));
        let operation = Measured {
            name: "2048 slide".to_owned(),
            unit: "board".to_owned(),
            reference: 100.0,
            levels: levels.into_iter().collect(),
        };
        let svg = draw("2048", &[&operation], "a CPU & more");
        for text in
            ["10.0x, 10.00 ns per board", "100.0x, 1.00 ns per board", "a CPU &amp; more", ">x86-64-v3<"]
        {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        // The bar of the factor 100 has the whole length, that of 10 a half.
        for width in ["width=\"430.0\"", "width=\"215.0\""] {
            assert_eq!(svg.matches(width).count(), 1, "{width}");
        }
    }
}
