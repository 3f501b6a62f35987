//! The settings and games of a match, and its [file](crate::io::match_file).

use crate::arguments::{milliseconds_in, number_in, parse_seed};
use crate::games::go::arguments::{ko_rule, parse_go_side};
use crate::io::match_file::{self, expected};
use clap::Args;
use go_mc::{Color, Ko, Komi, Rules, Size};
use serde::{Deserialize, Serialize};

/// The arguments that determine the openings and rules of a match.
#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchSettings {
    /// An engine's command line, split into words like in a shell (quotes keep blanks); give it
    /// twice
    #[arg(long = "engine", value_name = "COMMAND", required = true, num_args = 1)]
    pub(super) engines: Vec<String>,
    /// Board size: 5, 9, 13 or 19; 9x9 means 9
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = parse_go_side)]
    pub(super) size: usize,
    /// Points that White gets for moving second, a multiple of 0.5 from -361 to 361
    #[arg(long, default_value_t = 7.5, value_parser = parse_komi, allow_negative_numbers = true)]
    pub(super) komi: f64,
    /// Ko rule that the moves have to obey: simple, positional or situational
    #[arg(long, value_name = "RULE", default_value = "positional", value_parser = ko_name(), hide_possible_values = true)]
    pub(super) ko: String,
    /// Stones of each opening, drawn at random until both sides have chances. Both games of a pair
    /// begin with the same one, with colors exchanged
    #[arg(long, value_name = "STONES", default_value_t = 4, value_parser = number_in(0u32..=20))]
    pub(super) opening: u32,
    /// The random seed of the openings
    #[arg(long, default_value_t = 1, value_parser = parse_seed)]
    pub(super) seed: u64,
    /// The time limit of each answer, such as 500 (milliseconds) or 60s; exceeding it loses the
    /// game
    #[arg(long, value_name = "T", default_value = "60s", value_parser = milliseconds_in(1..=86_400_000))]
    pub(super) patience: u64,
}

fn parse_komi(text: &str) -> Result<f64, String> {
    let most = f64::from(go_mc::search::MAX_KOMI);
    let komi = number_in(-most..=most)(text)?;
    Komi::try_from(komi).map_err(|_| "expected a multiple of 0.5".to_owned())?;
    Ok(komi)
}

/// The names of the rules, as they are kept in the file.
fn ko_name() -> impl clap::builder::TypedValueParser<Value = String> {
    use clap::builder::TypedValueParser;
    ko_rule().map(|ko: Ko| {
        match ko {
            Ko::Simple => "simple",
            Ko::Positional => "positional",
            Ko::Situational => "situational",
        }
        .to_owned()
    })
}

impl MatchSettings {
    pub(super) fn rules(&self) -> Rules {
        Rules {
            size: Size::square(self.size).expect("a size that was parsed"),
            ko: self.ko.parse().expect("a name that was parsed"),
            komi: Komi::try_from(self.komi).expect("a komi that was parsed"),
            ..Rules::default()
        }
    }
}

/// Returns the engine that plays a color: the first one has Black in games with even numbers.
pub(super) fn engine_of(color: Color, game: u64) -> usize {
    usize::from((color == Color::White) != (game % 2 == 1))
}

/// A finished game, one line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameRecord {
    pub(super) game: u64,
    /// The winner, 0 or 1, or `None` for a draw.
    pub(super) winner: Option<usize>,
    pub(super) reason: String,
    /// The moves after the opening.
    pub(super) moves: u64,
    /// The CPU seconds of each engine, if the system knows them.
    pub(super) cpu_seconds: Option<[f64; 2]>,
    pub(super) seconds: f64,
    pub(super) sgf: String,
}

impl match_file::MatchSettings for MatchSettings {
    type Game = GameRecord;

    const START: &str = "{\"engines\":";
    const KIND: &str = "a match file, as written by go match";
    const VERSION: u32 = 1;
    const EARLIER: &str = "";

    fn check(&self, number: u64, game: &GameRecord) -> Result<(), String> {
        if game.game != number {
            return expected("game", number, game.game);
        }
        if let Some(winner) = game.winner.filter(|&winner| winner > 1) {
            return expected("winner", "0, 1 or null", winner);
        }
        let cpu = game.cpu_seconds.unwrap_or_default();
        if let Some(&seconds) = cpu.iter().chain([&game.seconds]).find(|&&seconds| seconds < 0.0) {
            return expected("seconds of at least", 0, seconds);
        }
        Ok(())
    }
}
