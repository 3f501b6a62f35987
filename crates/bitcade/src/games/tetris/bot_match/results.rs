//! The settings and games of a match, and its [file](crate::io::match_file). Version 1 of the file
//! had no last line, version 2 no patience.

use crate::arguments::{milliseconds_in, parse_positive, parse_seed};
use crate::io::match_file::{self, expected};
use bitcore::Rng;
use clap::Args;
use serde::{Deserialize, Serialize};

/// The arguments that determine the games of a match.
#[derive(Args, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchSettings {
    /// A bot's command line, split into words like in a shell (quotes keep blanks); give it twice
    #[arg(long = "bot", value_name = "COMMAND", required = true, num_args = 1)]
    pub(super) bots: Vec<String>,
    /// The random seed, which determines the pieces and garbage holes of each game
    #[arg(long, default_value_t = 1, value_parser = parse_seed)]
    pub(super) seed: u64,
    /// The thinking time before each `suggest`, such as 100 (milliseconds) or 2s
    #[arg(long, value_name = "T", default_value_t = 100, value_parser = milliseconds_in(0..=3_600_000))]
    pub(super) milliseconds: u64,
    /// The maximum number of turns per game
    #[arg(long, default_value_t = 600, value_parser = parse_positive)]
    pub(super) pieces: u64,
    /// The time limit for a bot to read its input and answer, counted from `suggest` for both, such
    /// as 500 (milliseconds) or 10s; exceeding it loses the game
    #[arg(long, value_name = "T", default_value = "10s", value_parser = milliseconds_in(1..=3_600_000))]
    pub(super) patience: u64,
}

/// A finished game, one line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct GameRecord {
    pub(super) game: u64,
    pub(super) seed: u64,
    /// The winner, 0 or 1, or `None` for a draw.
    pub(super) winner: Option<usize>,
    pub(super) reason: String,
    pub(super) pieces: u64,
    pub(super) attack: [u64; 2],
    pub(super) seconds: f64,
    pub(super) nodes: [u64; 2],
}

impl match_file::MatchSettings for MatchSettings {
    type Game = GameRecord;

    const START: &str = "{\"bots\":";
    const KIND: &str = "a match file, as written by tetris match";
    const VERSION: u32 = 3;
    const EARLIER: &str = ", or from version 1, which had none";

    fn check(&self, number: u64, game: &GameRecord) -> Result<(), String> {
        if game.game != number {
            return expected("game", number, game.game);
        }
        let seed = game_seed(self.seed, number);
        if game.seed != seed {
            return expected("seed", seed, game.seed);
        }
        if let Some(winner) = game.winner.filter(|&winner| winner > 1) {
            return expected("winner", "0, 1 or null", winner);
        }
        if game.pieces > self.pieces {
            return expected("pieces of at most", self.pieces, game.pieces);
        }
        if game.seconds < 0.0 {
            return expected("seconds of at least", 0, game.seconds);
        }
        Ok(())
    }
}

pub(super) fn game_seed(seed: u64, game: u64) -> u64 {
    Rng::stream(seed, game).next_u64()
}
