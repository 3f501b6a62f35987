//! `bitcade play`: interactive games in the terminal. Without a game, a menu.

use crate::games::{Chosen, GAMES, Plays};
use crate::io::output::{Failure, Output};
use crate::play::keys;
use crate::play::menu::Menu;
use crate::screen::options::ScreenArgs;
use crate::screen::run;
use crate::screen::terminal::has_terminal;
use clap::{Args, Command, FromArgMatches, Subcommand};

#[derive(Args)]
pub(crate) struct PlayArgs {
    #[command(subcommand)]
    game: Option<Chosen<Plays>>,
}

pub(crate) fn run(arguments: PlayArgs, output: &mut Output) -> Result<(), Failure> {
    keys::check_games(&GAMES.map(|game| game.name)).map_err(Failure::Input)?;
    match arguments.game {
        Some(game) => game.run(output),
        None => choose(output)?.map_or(Ok(()), |game| game.run(output)),
    }
}

/// Shows the menu. Returns the chosen game, with its default arguments.
fn choose(output: &Output) -> Result<Option<Chosen<Plays>>, Failure> {
    output.refuse_json_of("is a menu on the screen")?;
    if !has_terminal() {
        let names = GAMES.map(|game| game.name).join(", ");
        return Err(Failure::Input(format!(
            "expected a game, {names}, or a terminal for the menu"
        )));
    }
    let command = Chosen::<Plays>::augment_subcommands(Command::new("play"));
    let about = |name: &str| command.find_subcommand(name).and_then(Command::get_about);
    let line = |name: &str| {
        let line = about(name).map(ToString::to_string).unwrap_or_default();
        line.split_once(": ").map_or(line.clone(), |(_, line)| line.to_owned())
    };
    let entries = GAMES.map(|game| (game.title.to_owned(), line(game.name))).to_vec();
    let (menu, shown) =
        run::run(&ScreenArgs::default(), || Ok(Menu::new("bitcade play", entries)))?;
    shown?;
    let chosen = menu.chosen().map(|game| {
        let matches = command.try_get_matches_from(["play", GAMES[game].name])?;
        Chosen::from_arg_matches(&matches)
    });
    chosen.transpose().map_err(|error| Failure::Input(error.to_string()))
}
