//! `bitcade keys`: the keys of the games, and the location of the user's own.

use crate::games::GAMES;
use crate::io::output::{Failure, Output, printable};
use crate::play::keys::{check_games, path};
use serde_json::{Map, Value};

/// Prints the keys of all games; with --json, in the format of the user's file.
pub(crate) fn run(output: &mut Output) -> Result<(), Failure> {
    check_games(&GAMES.map(|game| game.name)).map_err(Failure::Input)?;
    let mut all = Map::new();
    let mut text = String::new();
    for game in GAMES {
        let page = (game.keys)().map_err(Failure::Input)?;
        text += &format!("{}\n", game.name);
        for (action, keys) in &page {
            text += &format!("  {action:<16}{}\n", keys.join("  "));
        }
        let actions = page.into_iter().map(|(action, keys)| (action.to_owned(), Value::from(keys)));
        all.insert(game.name.to_owned(), Value::Object(actions.collect()));
    }
    let place = path().map(|path| printable(&path.display().to_string()));
    let place =
        place.map_or(String::new(), |path| format!("\nYour own keys are read from {path}\n"));
    output.result(&all, || text + &place)
}
