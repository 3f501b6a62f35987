//! A game in turns as plain text: for screen readers, for programs, and without a terminal.

use crate::interrupt;
use crate::lines::InputLines;
use crate::output::{Failure, Output};
use crate::screen::options::ScreenArgs;
use crate::screen::terminal::has_terminal;
use clap::Args;
use serde_json::Value;

/// The arguments of games that can be played line by line.
#[derive(Args)]
pub(crate) struct LineArgs {
    /// Play line by line, as text for a screen reader; without a terminal, the default
    #[arg(long, conflicts_with = "record")]
    lines: bool,
}

impl LineArgs {
    pub(crate) fn wanted(&self, screen: &ScreenArgs) -> bool {
        self.lines || !has_terminal() && screen.record.is_none()
    }
}

/// A game in turns, as text.
pub(crate) trait LineGame {
    /// What can be typed.
    const HELP: &'static str;

    /// Returns the board and the score, in lines.
    fn show(&self) -> String;

    /// Does what a line says, in lower case and without blanks around it. Returns what happened, as an object and as
    /// text. Errors: why it can't be done; the game is as before.
    fn act(&mut self, line: &str) -> Result<(Value, String), String>;

    /// Returns how the game has ended, if it has.
    fn ending(&self) -> Option<(Value, String)>;
}

/// Plays until `quit`, the end of the input, or a signal. After the end of a game a move can be taken back or a new
/// game begun.
pub(crate) fn run(game: &mut impl LineGame, output: &mut Output) -> Result<(), Failure> {
    let interrupted = interrupt::install_handler();
    let lines = InputLines::new()?;
    output.text(format!("{}\n{}", help(game), game.show()))?;
    loop {
        output.text("> ")?;
        output.flush()?;
        let Some(line) = lines.next(&interrupted)?.filter(|_| !interrupted()) else {
            // The cursor leaves the line of the question.
            return output.text("\n");
        };
        let line = String::from_utf8_lossy(&line).trim().to_lowercase();
        match line.as_str() {
            "" => {}
            "quit" | "q" => return Ok(()),
            "help" | "?" => output.text(help(game) + "\n")?,
            "show" => output.text(game.show())?,
            _ => match game.act(&line) {
                Ok((object, text)) => {
                    output.result(&object, || text + "\n")?;
                    output.text(game.show())?;
                    if let Some((object, text)) = game.ending() {
                        output.result(&object, || text + "\n")?;
                    }
                }
                Err(error) => output.text(error + "\n")?,
            },
        }
    }
}

fn help<G: LineGame>(_: &G) -> String {
    format!("enter {}, show, help or quit", G::HELP)
}
