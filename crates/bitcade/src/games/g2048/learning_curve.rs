//! The learning curve of `bitcade 2048 train`, as text and as a picture.

use crate::io::output::{Failure, Output};
use g2048::network::CurvePoint;
use plotters::prelude::{BLUE, ChartBuilder, IntoDrawingArea, LineSeries, SVGBackend, WHITE};
use serde::Serialize;
use std::error::Error;

#[derive(Serialize)]
struct CurveRecord {
    games: u64,
    mean_score: f64,
    mean_moves: f64,
    rate_2048: f64,
}

const ROWS: usize = 16;

/// Prints the learning curve, one row per step with the means of the games since the previous row
/// and a bar.
pub(super) fn print_curve(points: &[CurvePoint], output: &mut Output) -> Result<(), Failure> {
    let per_row = points.len().div_ceil(ROWS).max(1);
    let rows: Vec<CurveRecord> = points
        .chunks(per_row)
        .enumerate()
        .map(|(i, points)| {
            let games = CurvePoint::GAMES * points.len() as u64;
            let of = |sum: fn(&CurvePoint) -> u64| {
                points.iter().map(sum).sum::<u64>() as f64 / games as f64
            };
            CurveRecord {
                games: CurvePoint::GAMES * (per_row * i) as u64 + games,
                mean_score: of(|point| point.score),
                mean_moves: of(|point| point.moves),
                rate_2048: of(|point| point.reached_2048),
            }
        })
        .collect();
    let most = rows.iter().fold(1.0, |most: f64, row| most.max(row.mean_score));
    for row in &rows {
        let CurveRecord { games, mean_score, mean_moves, rate_2048 } = row;
        let bar = "█".repeat((30.0 * mean_score / most).round() as usize);
        output.result(row, || {
            format!(
                "curve {games:>8} mean_score {mean_score:>9.1} mean_moves {mean_moves:>7.1} \
                 rate_2048 {rate_2048:.4} {bar}\n"
            )
        })?;
    }
    Ok(())
}

/// The characters of a [`sparkline`].
const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const COLUMNS: usize = 24;

/// Draws the curve in a line of at most 24 characters, from 0 to the largest mean: each is the mean
/// score of as many games, the last one of those that are left.
pub(super) fn sparkline(points: &[CurvePoint]) -> String {
    let per_column = points.len().div_ceil(COLUMNS).max(1);
    let mean = |points: &[CurvePoint]| {
        points.iter().map(|point| per_game(point.score)).sum::<f64>() / points.len() as f64
    };
    let means: Vec<f64> = points.chunks(per_column).map(mean).collect();
    let most = means.iter().fold(1.0, |most: f64, mean| most.max(*mean));
    means.iter().map(|mean| LEVELS[(7.0 * mean / most).round() as usize]).collect()
}

pub(super) fn draw_curve(points: &[CurvePoint]) -> Result<String, Box<dyn Error>> {
    let means: Vec<(f64, f64)> = (1..)
        .zip(points)
        .map(|(i, point)| ((i * CurvePoint::GAMES) as f64, per_game(point.score)))
        .collect();
    let games = (points.len() as u64 * CurvePoint::GAMES).max(1) as f64;
    let most = means.iter().fold(1.0, |most: f64, point| most.max(point.1));
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (800, 480)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption("2048: mean score per 1000 games", ("sans-serif", 20))
            .margin(16)
            .x_label_area_size(40)
            .y_label_area_size(70)
            .build_cartesian_2d(0.0..games, 0.0..1.05 * most)?;
        let whole = |number: &f64| format!("{number:.0}");
        let mut mesh = chart.configure_mesh();
        mesh.x_desc("games").x_label_formatter(&whole).y_label_formatter(&whole).draw()?;
        chart.draw_series(LineSeries::new(means, &BLUE))?;
        area.present()?;
    }
    Ok(svg)
}

pub(super) fn per_game(sum: u64) -> f64 {
    sum as f64 / CurvePoint::GAMES as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sparkline_goes_from_0_to_the_largest_mean() {
        let line = |scores: &[u64]| {
            let point = |&score: &u64| {
                let mut point = CurvePoint::default();
                point.score = 1_000 * score;
                point
            };
            sparkline(&scores.iter().map(point).collect::<Vec<_>>())
        };
        assert_eq!(line(&[]), "");
        assert_eq!(line(&[0]), "▁");
        assert_eq!(line(&[0, 100, 200, 700]), "▁▂▃█");
        // Three points a character, the last of one.
        let scores: Vec<u64> = (0..70).map(|i| if i == 69 { 400 } else { 50 * (i / 35) }).collect();
        assert_eq!(line(&scores), "▁▁▁▁▁▁▁▁▁▁▁▁▂▂▂▂▂▂▂▂▂▂▂█");
    }
}
