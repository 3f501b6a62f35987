//! Turn-based games as plain text: for screen readers, for programs, and without a terminal.

use crate::io::interrupt;
use crate::io::lines::InputLines;
use crate::io::output::{Failure, Output};
use crate::play::keys::{Action, Keys};
use crate::play::turns::GIVE_UP;
use crate::screen::options::ScreenArgs;
use crate::screen::terminal::has_terminal;
use clap::Args;
use serde_json::{Value, json};

#[derive(Args)]
pub(crate) struct LineArgs {
    /// Play line by line, as text for a screen reader; the default without a terminal
    #[arg(long, conflicts_with = "record")]
    lines: bool,
}

impl LineArgs {
    pub(crate) fn wanted(&self, screen: &ScreenArgs) -> bool {
        self.lines || !has_terminal() && screen.record.is_none()
    }

    /// Returns whether unfinished games are saved: those of people, who come back to them. A
    /// program reads JSON, or names the seed of a game that nobody looks at.
    pub(crate) fn saves(&self, screen: &ScreenArgs, seed: Option<u64>, output: &Output) -> bool {
        !output.is_json() && (has_terminal() || self.wanted(screen) && seed.is_none())
    }
}

/// A turn-based game as text.
pub(crate) trait LineGame {
    const HELP: &'static str;

    /// Returns the question whether to continue a saved game instead of this new one.
    fn offer(&self) -> Option<String>;

    fn resume(&mut self);

    /// Returns whether a line would give up a game in progress.
    fn gives_up(&self, line: &str) -> bool;

    /// Returns the board and the score, as an object and as lines of text.
    fn show(&self) -> (Value, String);

    /// Executes a line, which is in lower case and trimmed. Returns the outcome as an object and as
    /// text. On an error, which says why the line is refused, the game is unchanged.
    fn act(&mut self, line: &str) -> Result<(Value, String), String>;

    fn ending(&self) -> Option<(Value, String)>;
}

pub(crate) fn typed<A: Action>(keys: &Keys<A>, line: &str) -> Option<A> {
    let is_typed = |action, name| name == line || keys.names(action).iter().any(|key| key == line);
    A::TABLE.iter().find(|&&(action, name, _)| is_typed(action, name)).map(|&(action, ..)| action)
}

/// Plays until `quit`, the end of the input, or a signal. After the end of a game, the user can
/// undo a move or start a new game.
pub(crate) fn run(game: &mut impl LineGame, output: &mut Output) -> Result<(), Failure> {
    let interrupted = interrupt::install_handler();
    let lines = InputLines::new()?;
    output.text(help(game))?;
    if let Some(offer) = game.offer() {
        output.text(format!("{offer} Enter continue, or play this new one.\n"))?;
    }
    let (mut shown, text) = game.show();
    output.result(&shown, || text)?;
    let mut is_asked = false;
    loop {
        output.text("> ")?;
        output.flush()?;
        let Some(line) = lines.next(&interrupted)?.filter(|_| !interrupted()) else {
            // The cursor leaves the prompt's line.
            return output.text("\n");
        };
        let mut line = String::from_utf8_lossy(&line).trim().to_lowercase();
        match (std::mem::take(&mut is_asked), line.as_str()) {
            (true, "y" | "yes") => "new".clone_into(&mut line),
            (true, "n" | "no") => continue,
            // A program doesn't give up a game by mistake.
            _ if !output.is_json() && game.gives_up(&line) => {
                output.text(format!("{GIVE_UP} Enter yes or no.\n"))?;
                is_asked = true;
                continue;
            }
            _ => {}
        }
        match line.as_str() {
            "" => continue,
            "continue" if game.offer().is_some() => game.resume(),
            "quit" | "q" => return Ok(()),
            "help" | "?" => {
                output.text(help(game))?;
                continue;
            }
            "show" => shown = Value::Null,
            _ => {
                let (object, text) =
                    game.act(&line).unwrap_or_else(|error| (json!({ "error": error }), error));
                output.result(&object, || text + "\n")?;
            }
        }
        let (object, text) = game.show();
        // An unchanged board is not read out again.
        if object != shown {
            output.result(&object, || text)?;
            shown = object;
            if let Some((object, text)) = game.ending() {
                output.result(&object, || text + "\n")?;
            }
        }
    }
}

fn help<G: LineGame>(_: &G) -> String {
    format!(
        "enter {}, show, help or quit\ncolumns and rows count from 1, from the top left\n",
        G::HELP
    )
}
