//! What the games and `watch` have in common: options, and what it shows of a game.

use super::player::Player;
use crate::arguments::parse_seed;
use crate::output::Failure;
use clap::Args;
use std::path::PathBuf;

/// The options of the players.
#[derive(Args)]
pub(crate) struct PlayerOptions {
    /// The network that plays 2048, written by `bitcade 2048 train` [default: the program's own]
    #[arg(long)]
    pub(crate) net: Option<PathBuf>,
    /// The seed of all games
    #[arg(long, default_value_t = 1, value_parser = parse_seed)]
    pub(crate) seed: u64,
}

/// What `watch` shows of a game.
pub(crate) struct Watched {
    /// The name of the things that the player counts in its search.
    pub(crate) unit: &'static str,
    /// The least columns and rows of the game's board, with hold and queue.
    pub(crate) least: (u16, u16),
    /// The columns that the game takes in a row of all games on 80 columns.
    pub(crate) narrow: u16,
    pub(crate) player: fn(&PlayerOptions) -> Result<Box<dyn Player>, Failure>,
}
