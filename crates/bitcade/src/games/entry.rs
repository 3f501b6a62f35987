//! [`GameEntry`]: a row of the table of games.

use crate::io::output::{Failure, Output};
use crate::screen::view::Screen;
use crate::screen::widgets::Page;
use crate::tour_section::TourSection;
use crate::watch::watched::Watched;
use bitcade_core::Stop;
use clap::{ArgMatches, Command, Error, Subcommand};

pub(crate) struct GameEntry {
    /// The name on the command line.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) commands: Subcommands,
    pub(crate) play: Subcommands,
    /// Returns the keys of `play`, with the user's changes applied. The error describes what is
    /// wrong in the user's file.
    pub(crate) keys: fn() -> Result<Page, String>,
    pub(crate) watch: Watched,
    pub(crate) tour: &'static [fn(Stop<'_>) -> TourSection],
    pub(crate) fuzzed: &'static [MakeScreen],
}

/// Builds a screen from a seed.
pub(crate) type MakeScreen = fn(u64) -> Box<dyn Screen>;

/// The subcommands of a game and their entry point.
pub(crate) trait Run: Subcommand + 'static {
    fn run(self, output: &mut Output) -> Result<(), Failure>;
}

pub(crate) type Action = Box<dyn FnOnce(&mut Output) -> Result<(), Failure>>;

pub(crate) struct Subcommands {
    pub(super) augment: fn(Command) -> Command,
    pub(super) has: fn(&str) -> bool,
    pub(super) parse: fn(&ArgMatches) -> Result<Action, Error>,
}

impl Subcommands {
    pub(crate) const fn of<R: Run>() -> Self {
        Self {
            augment: R::augment_subcommands,
            has: R::has_subcommand,
            parse: |matches| {
                let command = R::from_arg_matches(matches)?;
                Ok(Box::new(move |output| command.run(output)))
            },
        }
    }
}
