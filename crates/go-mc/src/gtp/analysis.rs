//! [`Analysis`]: what the programs that show an analysis ask for, and the lines that they read.

use super::fault::Fault;
use crate::board::{Board, Color};
use crate::ownership::Ownership;
use crate::points::{Point, Points};
use crate::search::Variation;
use std::format;
use std::string::{String, ToString};
use std::time::Duration;
use std::vec::Vec;

/// Whose form the lines have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Leela Zero's: shares in ten thousandths.
    Leela,
    /// `KataGo`'s: shares from 0 to 1.
    Kata,
}

/// An answer in many lines, one each interval.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Analysis {
    dialect: Dialect,
    /// None: the player to move.
    pub(super) color: Option<Color>,
    pub(super) interval: Duration,
    /// The most moves of a line.
    most: usize,
    /// Whether a line ends with the owners of all points.
    pub(super) ownership: bool,
}

/// Where a program names none.
const INTERVAL: Duration = Duration::from_secs(1);
/// What asks for more often would get more than it can read.
const SHORTEST: Duration = Duration::from_millis(10);

impl Analysis {
    /// Reads `[color] [interval] [key value]..`, the interval in hundredths of a second.
    pub(super) fn parse(dialect: Dialect, arguments: &[String]) -> Result<Self, Fault> {
        let mut analysis =
            Self { dialect, color: None, interval: INTERVAL, most: usize::MAX, ownership: false };
        let mut words = arguments.iter().map(String::as_str).peekable();
        if let Some(color) = words.peek().and_then(|word| word.parse().ok()) {
            analysis.color = Some(color);
            words.next();
        }
        if words.peek().is_some_and(|word| word.parse::<f64>().is_ok()) {
            analysis.interval = interval(words.next())?;
        }
        while let Some(key) = words.next() {
            let value = words.next();
            match (key, value) {
                ("interval", _) => analysis.interval = interval(value)?,
                // Of a move that wasn't tried nothing is known: there are never more of them to tell of.
                ("minmoves", _) => drop(count(value)?),
                ("maxmoves", _) => analysis.most = count(value)?,
                ("ownership", Some("true")) if dialect == Dialect::Kata => analysis.ownership = true,
                (
                    "ownership"
                    | "ownershipStdev"
                    | "movesOwnership"
                    | "movesOwnershipStdev"
                    | "pvVisits"
                    | "pvEdgeVisits"
                    | "rootInfo",
                    Some("false"),
                ) if dialect == Dialect::Kata => {}
                _ => return Err(Fault::Option(key.into())),
            }
        }
        Ok(analysis)
    }

    /// The line, with its end; nothing before a move was tried.
    pub(super) fn line(&self, variations: &[Variation], owners: Option<&str>) -> String {
        let tried = variations.iter().filter(|variation| variation.candidate.playouts > 0);
        let moves: Vec<String> =
            (0..).zip(tried.take(self.most)).map(|(order, variation)| self.entry(order, variation)).collect();
        if moves.is_empty() {
            return String::new();
        }
        let owners = owners.map(|owners| format!(" ownership {owners}")).unwrap_or_default();
        format!("{}{owners}\n", moves.join(" "))
    }

    fn entry(&self, order: u32, Variation { candidate, prior, line }: &Variation) -> String {
        let [winrate, prior] = [candidate.value, *prior].map(|share| match self.dialect {
            Dialect::Leela => format!("{:.0}", 10_000.0 * share),
            // Sabaki knows it by the point.
            Dialect::Kata => format!("{share:.6}"),
        });
        let line = line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let (mv, visits) = (candidate.mv, candidate.playouts);
        format!("info move {mv} visits {visits} winrate {winrate} prior {prior} order {order} pv {line}")
    }
}

fn interval(centiseconds: Option<&str>) -> Result<Duration, Fault> {
    let seconds: f64 =
        centiseconds.and_then(|text| text.parse().ok()).map_or(-1.0, |number: f64| number / 100.0);
    Duration::try_from_secs_f64(seconds).map(|interval| interval.max(SHORTEST)).map_err(|_| Fault::Syntax)
}

fn count(text: Option<&str>) -> Result<usize, Fault> {
    text.and_then(|text| text.parse().ok()).ok_or(Fault::Syntax)
}

/// A player's share of each point less the other's, row by row from the top: by playouts from the position.
pub(super) fn owners(board: &Board, color: Color, games: u32) -> Result<String, Fault> {
    let ownership = Ownership::estimate_any_size(board, games, 1).map_err(|_| Fault::Size)?;
    let sign = if color == Color::Black { 1.0 } else { -1.0 };
    let (width, height) = (board.size().width() as u8, board.size().height() as u8);
    let points = (0..height).rev().flat_map(|y| (0..width).map(move |x| Point { x, y }));
    let share = |point| sign * Points::<19>::index(point).map_or(0.0, |index| ownership.value(index));
    Ok(points.map(|point| format!("{:.3}", share(point))).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Candidate;

    fn parse(dialect: Dialect, text: &str) -> Result<Analysis, String> {
        let arguments: Vec<String> = text.split_whitespace().map(ToString::to_string).collect();
        Analysis::parse(dialect, &arguments).map_err(|fault| fault.to_string())
    }

    #[test]
    fn arguments_in_every_form() {
        let plain = Analysis {
            dialect: Dialect::Leela,
            color: None,
            interval: INTERVAL,
            most: usize::MAX,
            ownership: false,
        };
        let seconds = |seconds| Duration::from_secs_f64(seconds);
        assert_eq!(parse(Dialect::Leela, ""), Ok(plain.clone()));
        let white = Analysis { color: Some(Color::White), interval: seconds(0.5), ..plain.clone() };
        for text in ["w 50", "White interval 50", "W 20 interval 50.0 minmoves 4"] {
            assert_eq!(parse(Dialect::Leela, text), Ok(white.clone()), "{text}");
        }
        assert_eq!(parse(Dialect::Leela, "0"), Ok(Analysis { interval: SHORTEST, ..plain.clone() }));
        let kata = Analysis { dialect: Dialect::Kata, most: 3, ownership: true, ..plain };
        assert_eq!(parse(Dialect::Kata, "maxmoves 3 pvVisits false ownership true"), Ok(kata));
        for text in ["-1", "nan", "1e300", "interval", "interval x", "maxmoves -2", "minmoves"] {
            assert_eq!(parse(Dialect::Kata, text), Err("syntax error".into()), "{text}");
        }
        for (text, option) in [
            ("b 10 avoid b D4 3", "avoid"),
            ("green", "green"),
            ("rootInfo true", "rootInfo"),
            ("10 20", "20"),
            ("ownership maybe", "ownership"),
        ] {
            assert_eq!(parse(Dialect::Kata, text), Err(format!("unknown option: {option}")), "{text}");
        }
        assert_eq!(parse(Dialect::Leela, "ownership true"), Err("unknown option: ownership".into()));
    }

    #[test]
    fn lines_in_both_dialects() {
        let variation = |mv: &str, playouts, value, line: &str| Variation {
            candidate: Candidate { mv: mv.parse().unwrap(), playouts, value },
            prior: 0.125,
            line: line.split(' ').map(|mv| mv.parse().unwrap()).collect(),
        };
        let variations = [
            variation("D4", 32, 0.5, "D4 E5 pass"),
            variation("pass", 16, 1.0, "pass"),
            variation("A1", 0, 0.0, "A1"),
        ];
        let line = |dialect, text| parse(dialect, text).unwrap().line(&variations, None);
        assert_eq!(
            line(Dialect::Leela, ""),
            "info move D4 visits 32 winrate 5000 prior 1250 order 0 pv D4 E5 pass \
             info move pass visits 16 winrate 10000 prior 1250 order 1 pv pass\n"
        );
        assert_eq!(
            line(Dialect::Kata, "maxmoves 1"),
            "info move D4 visits 32 winrate 0.500000 prior 0.125000 order 0 pv D4 E5 pass\n"
        );
        assert_eq!(line(Dialect::Kata, "maxmoves 0"), "");
    }

    #[test]
    fn owners_are_those_of_a_player() {
        let board = ".....\n.....\nOOOOO\nXXXXX\n.X.X.\n".parse().unwrap();
        let shares = |color| -> Vec<f64> {
            owners(&board, color, 100).unwrap().split(' ').map(|share| share.parse().unwrap()).collect()
        };
        let (black, white) = (shares(Color::Black), shares(Color::White));
        assert_eq!((black.len(), black[24].to_bits()), (25, 1f64.to_bits()));
        assert!(black.iter().zip(&white).all(|(black, white)| black + white == 0.0));
    }
}
