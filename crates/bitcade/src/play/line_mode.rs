//! Turn-based games as plain text: for screen readers, for programs, and without a terminal.

use crate::interrupt;
use crate::lines::InputLines;
use crate::output::{Failure, Output};
use crate::play::keys::{Action, Keys};
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
}

/// A turn-based game as text.
pub(crate) trait LineGame {
    const HELP: &'static str;

    /// Returns the board and the score, as an object and as lines of text.
    fn show(&self) -> (Value, String);

    /// Executes a line, which is in lower case and trimmed. Returns the outcome as an object and as text. On
    /// an error, which says why the line is refused, the game is unchanged.
    fn act(&mut self, line: &str) -> Result<(Value, String), String>;

    fn ending(&self) -> Option<(Value, String)>;
}

pub(crate) fn typed<A: Action>(keys: &Keys<A>, line: &str) -> Option<A> {
    let is_typed = |action, name| name == line || keys.names(action).iter().any(|key| key == line);
    A::TABLE.iter().find(|&&(action, name, _)| is_typed(action, name)).map(|&(action, ..)| action)
}

/// Plays until `quit`, the end of the input, or a signal. After the end of a game, the user can undo a move
/// or start a new game.
pub(crate) fn run(game: &mut impl LineGame, output: &mut Output) -> Result<(), Failure> {
    let interrupted = interrupt::install_handler();
    let lines = InputLines::new()?;
    output.text(help(game))?;
    let (mut shown, text) = game.show();
    output.result(&shown, || text)?;
    loop {
        output.text("> ")?;
        output.flush()?;
        let Some(line) = lines.next(&interrupted)?.filter(|_| !interrupted()) else {
            // The cursor leaves the prompt's line.
            return output.text("\n");
        };
        let line = String::from_utf8_lossy(&line).trim().to_lowercase();
        match line.as_str() {
            "" => continue,
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
    format!("enter {}, show, help or quit\n", G::HELP)
}
