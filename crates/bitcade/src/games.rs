//! The table of games, [`GAMES`]. Every list of games is built from it: commands, `play`, `watch`,
//! the tour, the fuzz target.
//!
//! Each game has a module with its commands and its tour section. In the folder of the same name,
//! `play` is the interactive game and `watch` is the computer player's demo.

pub(crate) mod entry;
pub(crate) mod g2048;
pub(crate) mod go;
pub(crate) mod match3;
pub(crate) mod tetris;

use crate::io::output::{Failure, Output};
use clap::error::ErrorKind;
use clap::{ArgMatches, Command, Error, FromArgMatches, Subcommand};
use entry::{Action, GameEntry, Subcommands};
use std::marker::PhantomData;

/// The games, in the order used by every list.
pub(crate) const GAMES: [&GameEntry; 4] = [&match3::GAME, &g2048::GAME, &tetris::GAME, &go::GAME];

/// One entry per game, as subcommands of one command.
pub(crate) trait Column {
    fn of(game: &'static GameEntry) -> &'static Subcommands;
}

/// The commands `bitcade GAME ..`.
pub(crate) enum Commands {}

impl Column for Commands {
    fn of(game: &'static GameEntry) -> &'static Subcommands {
        &game.commands
    }
}

/// The commands `bitcade play GAME`.
pub(crate) enum Plays {}

impl Column for Plays {
    fn of(game: &'static GameEntry) -> &'static Subcommands {
        &game.play
    }
}

pub(crate) struct Chosen<C> {
    run: Action,
    column: PhantomData<C>,
}

impl<C> Chosen<C> {
    pub(crate) fn run(self, output: &mut Output) -> Result<(), Failure> {
        (self.run)(output)
    }
}

impl<C: Column> FromArgMatches for Chosen<C> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let name = matches.subcommand_name().unwrap_or_default();
        let entry = GAMES.into_iter().map(C::of).find(|entry| (entry.has)(name));
        let entry = entry.ok_or_else(|| Error::new(ErrorKind::MissingSubcommand))?;
        Ok(Self { run: (entry.parse)(matches)?, column: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<C: Column> Subcommand for Chosen<C> {
    fn augment_subcommands(command: Command) -> Command {
        GAMES.into_iter().map(C::of).fold(command, |command, entry| (entry.augment)(command))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        GAMES.into_iter().any(|game| (C::of(game).has)(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::testing::{check_contrast, code_of, key};
    use std::time::Duration;

    #[test]
    fn letters_are_read() {
        for (game, make) in
            GAMES.iter().flat_map(|game| game.fuzzed.iter().map(move |make| (game, make)))
        {
            let mut screen = make(14);
            for (i, letter) in (1..).zip("←\n↓ →\n↑ ←x↓\n→z↑i h".chars().cycle().take(60))
            {
                let now = Duration::from_millis(300 * i);
                screen.advance(now);
                screen.input(key(code_of(letter)), now);
            }
            check_contrast(&*screen, true);
            // Without Unicode, Go stones are letters in their own colors.
            if game.name != "go" {
                check_contrast(&*screen, false);
            }
        }
    }
}
