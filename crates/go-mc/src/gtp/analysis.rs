//! [`AnalyzeOptions`]: the arguments of the analysis commands, and report lines in the `LeelaZero` and
//! `KataGo` formats.

use super::error::CommandError;
use crate::playout::ownership::Ownership;
use crate::rules::board::{Board, Color};
use crate::rules::points::Point;
use crate::search::Variation;
use std::format;
use std::string::{String, ToString};
use std::time::Duration;
use std::vec::Vec;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnalysisFormat {
    /// Leela Zero's format: win rates and priors in ten-thousandths.
    LeelaZero,
    /// `KataGo`'s format: win rates and priors from 0 to 1.
    KataGo,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct AnalyzeOptions {
    format: AnalysisFormat,
    /// The player to analyze for; `None` for the player to move.
    pub(super) color: Option<Color>,
    pub(super) interval: Duration,
    /// The maximum number of moves per report line.
    max_moves: Option<usize>,
    /// `true` if each report line ends with the ownership of all points.
    pub(super) ownership: bool,
}

const DEFAULT_INTERVAL: Duration = Duration::from_secs(1);
/// The minimum interval, to let the other program keep up.
const MIN_INTERVAL: Duration = Duration::from_millis(10);

impl AnalyzeOptions {
    /// Parses `[color] [interval] [key value]..`, the interval in hundredths of a second.
    pub(super) fn parse(
        format: AnalysisFormat,
        arguments: &[String],
    ) -> Result<Self, CommandError> {
        let mut options = Self {
            format,
            color: None,
            interval: DEFAULT_INTERVAL,
            max_moves: None,
            ownership: false,
        };
        let mut words = arguments.iter().map(String::as_str).peekable();
        if let Some(color) = words.peek().and_then(|word| word.parse().ok()) {
            options.color = Some(color);
            words.next();
        }
        if words.peek().is_some_and(|word| word.parse::<f64>().is_ok()) {
            options.interval = interval(words.next())?;
        }
        while let Some(key) = words.next() {
            let value = words.next();
            match (key, value) {
                ("interval", _) => options.interval = interval(value)?,
                // Ignored: moves without visits have no statistics to report.
                ("minmoves", _) => drop(count(value)?),
                ("maxmoves", _) => options.max_moves = Some(count(value)?),
                ("ownership", Some("true")) if format == AnalysisFormat::KataGo => {
                    options.ownership = true;
                }
                (
                    "ownership"
                    | "ownershipStdev"
                    | "movesOwnership"
                    | "movesOwnershipStdev"
                    | "pvVisits"
                    | "pvEdgeVisits"
                    | "rootInfo",
                    Some("false"),
                ) if format == AnalysisFormat::KataGo => {}
                _ => return Err(CommandError::UnknownOption(key.into())),
            }
        }
        Ok(options)
    }

    /// Returns the report line with its line end, or an empty text if no move has been visited.
    pub(super) fn report(&self, variations: &[Variation], ownership: Option<&str>) -> String {
        let tried = variations.iter().filter(|variation| variation.candidate.visits > 0);
        let moves: Vec<String> = (0..)
            .zip(tried)
            .take_while(|&(order, _)| self.max_moves.is_none_or(|most| order < most))
            .map(|(order, variation)| self.info(order, variation))
            .collect();
        if moves.is_empty() {
            return String::new();
        }
        let ownership = ownership.map(|values| format!(" ownership {values}")).unwrap_or_default();
        format!("{}{ownership}\n", moves.join(" "))
    }

    fn info(&self, order: usize, Variation { candidate, prior, pv }: &Variation) -> String {
        let [winrate, prior] = [candidate.win_rate, *prior].map(|share| match self.format {
            AnalysisFormat::LeelaZero => format!("{:.0}", 10_000.0 * share),
            // Sabaki recognizes this format by the decimal point.
            AnalysisFormat::KataGo => format!("{share:.6}"),
        });
        let score = candidate.score;
        let deviation = candidate.score_deviation;
        let scores = match self.format {
            AnalysisFormat::LeelaZero => String::new(),
            // Both names of the mean are in use.
            AnalysisFormat::KataGo => {
                format!(" scoreMean {score:.3} scoreStdev {deviation:.3} scoreLead {score:.3}")
            }
        };
        let pv = pv.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let mv = candidate.mv;
        let visits = candidate.visits;
        format!(
            "info move {mv} visits {visits} winrate {winrate}{scores} prior {prior} order {order} pv {pv}"
        )
    }
}

fn interval(centiseconds: Option<&str>) -> Result<Duration, CommandError> {
    let seconds: f64 =
        centiseconds.and_then(|text| text.parse().ok()).map_or(-1.0, |number: f64| number / 100.0);
    Duration::try_from_secs_f64(seconds)
        .map(|interval| interval.max(MIN_INTERVAL))
        .map_err(|_| CommandError::Syntax)
}

fn count(text: Option<&str>) -> Result<usize, CommandError> {
    text.and_then(|text| text.parse().ok()).ok_or(CommandError::Syntax)
}

/// Returns the ownership of each point, separated by spaces, row by row from the top: from 1 (the
/// player's) to -1 (the opponent's), averaged over `games` playouts.
pub(super) fn ownership_values(
    board: &Board,
    color: Color,
    games: u32,
) -> Result<String, CommandError> {
    let ownership =
        Ownership::estimate(board, games, 1).map_err(|_| CommandError::UnacceptableSize)?;
    let sign = if color == Color::Black { 1.0 } else { -1.0 };
    let width = board.size().width() as u8;
    let height = board.size().height() as u8;
    let points = (0..height).rev().flat_map(|y| (0..width).map(move |x| Point { x, y }));
    let share = |point| sign * ownership.value(point);
    Ok(points.map(|point| format!("{:.3}", share(point))).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Candidate;

    fn parse(format: AnalysisFormat, text: &str) -> Result<AnalyzeOptions, String> {
        let arguments: Vec<String> = text.split_whitespace().map(ToString::to_string).collect();
        AnalyzeOptions::parse(format, &arguments).map_err(|error| error.to_string())
    }

    #[test]
    fn arguments_in_every_form() {
        let plain = AnalyzeOptions {
            format: AnalysisFormat::LeelaZero,
            color: None,
            interval: DEFAULT_INTERVAL,
            max_moves: None,
            ownership: false,
        };
        let seconds = Duration::from_secs_f64;
        assert_eq!(parse(AnalysisFormat::LeelaZero, ""), Ok(plain.clone()));
        let white =
            AnalyzeOptions { color: Some(Color::White), interval: seconds(0.5), ..plain.clone() };
        for text in ["w 50", "White interval 50", "W 20 interval 50.0 minmoves 4"] {
            assert_eq!(parse(AnalysisFormat::LeelaZero, text), Ok(white.clone()), "{text}");
        }
        assert_eq!(
            parse(AnalysisFormat::LeelaZero, "0"),
            Ok(AnalyzeOptions { interval: MIN_INTERVAL, ..plain.clone() })
        );
        let kata = AnalyzeOptions {
            format: AnalysisFormat::KataGo,
            max_moves: Some(3),
            ownership: true,
            ..plain
        };
        assert_eq!(
            parse(AnalysisFormat::KataGo, "maxmoves 3 pvVisits false ownership true"),
            Ok(kata)
        );
        for text in ["-1", "nan", "1e300", "interval", "interval x", "maxmoves -2", "minmoves"] {
            assert_eq!(parse(AnalysisFormat::KataGo, text), Err("syntax error".into()), "{text}");
        }
        let unknown = |option: &str| Err(format!("unknown option: {option}"));
        for (text, option) in [
            ("b 10 avoid b D4 3", "avoid"),
            ("green", "green"),
            ("rootInfo true", "rootInfo"),
            ("10 20", "20"),
            ("ownership maybe", "ownership"),
        ] {
            assert_eq!(parse(AnalysisFormat::KataGo, text), unknown(option), "{text}");
        }
        assert_eq!(parse(AnalysisFormat::LeelaZero, "ownership true"), unknown("ownership"));
    }

    #[test]
    fn reports_in_both_formats() {
        let variation = |mv: &str, visits, win_rate, pv: &str| Variation {
            candidate: Candidate {
                mv: mv.parse().unwrap(),
                visits,
                win_rate,
                score: 0.25 - win_rate,
                score_deviation: 12.0,
            },
            prior: 0.125,
            pv: pv.split(' ').map(|mv| mv.parse().unwrap()).collect(),
        };
        let variations = [
            variation("D4", 32, 0.5, "D4 E5 pass"),
            variation("pass", 16, 1.0, "pass"),
            variation("A1", 0, 0.0, "A1"),
        ];
        let line = |format, text| parse(format, text).unwrap().report(&variations, None);
        assert_eq!(
            line(AnalysisFormat::LeelaZero, ""),
            "info move D4 visits 32 winrate 5000 prior 1250 order 0 pv D4 E5 pass \
             info move pass visits 16 winrate 10000 prior 1250 order 1 pv pass\n"
        );
        assert_eq!(
            line(AnalysisFormat::KataGo, "maxmoves 1"),
            "info move D4 visits 32 winrate 0.500000 scoreMean -0.250 scoreStdev 12.000 scoreLead -0.250 \
             prior 0.125000 order 0 pv D4 E5 pass\n"
        );
        assert_eq!(line(AnalysisFormat::KataGo, "maxmoves 0"), "");
    }

    #[test]
    fn ownership_is_from_the_view_of_the_player() {
        let board = ".....\n.....\nOOOOO\nXXXXX\n.X.X.\n".parse().unwrap();
        let shares = |color| -> Vec<f64> {
            ownership_values(&board, color, 100)
                .unwrap()
                .split(' ')
                .map(|share| share.parse().unwrap())
                .collect()
        };
        let black = shares(Color::Black);
        let white = shares(Color::White);
        assert_eq!(black.len(), 25);
        assert_eq!(black[24].to_bits(), 1f64.to_bits());
        assert!(black.iter().zip(&white).all(|(black, white)| black + white == 0.0));
    }
}
