//! `bitcade play`: games for people, in the terminal. Without a game, a menu.
//!
//! `best_scores` keeps the best results in the user's data folder; `turns` is the session of games in turns, `lines`
//! plays them as text; `keys` are the keys of all games, and the user's own; `panel` has figures and messages.

pub(crate) mod best_scores;
pub(crate) mod keys;
pub(crate) mod line_mode;
pub(crate) mod panel;
pub(crate) mod seed;
pub(crate) mod turns;

use crate::games::{Chosen, Plays};
use crate::output::{Failure, Output};
use clap::Args;

/// The arguments of `play`.
#[derive(Args)]
#[command(subcommand_required = true)]
pub(crate) struct PlayArgs {
    #[command(subcommand)]
    game: Chosen<Plays>,
}

pub(crate) fn run(arguments: PlayArgs, output: &mut Output) -> Result<(), Failure> {
    arguments.game.run(output)
}
