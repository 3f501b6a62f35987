//! Types shared by the games and `watch`: options, and the display data of a game.

use super::player::Player;
use crate::arguments::parse_seed;
use crate::io::output::Failure;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct PlayerOptions {
    /// The 2048 network, written by `bitcade 2048 train`; its size is the board's [default: the
    /// built-in one]
    #[arg(long)]
    pub(crate) net: Option<PathBuf>,
    /// The random seed
    #[arg(long, default_value_t = 1, value_parser = parse_seed)]
    pub(crate) seed: u64,
}

pub(crate) struct Watched {
    /// The unit of the player's search count.
    pub(crate) unit: &'static str,
    /// The minimum columns and rows of the board, including what stands next to it.
    pub(crate) least: (u16, u16),
    /// The columns of the game when all games share a row of 80 columns.
    pub(crate) narrow: u16,
    pub(crate) player: fn(&PlayerOptions) -> Result<Box<dyn Player>, Failure>,
}
