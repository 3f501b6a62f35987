//! `bitcade go play`.

use super::engine::{Engine, World};
use crate::color;
use crate::input::read_line;
use crate::output::{Failure, Output};
use bitcore::Level;
use clap::Args;
use go_mc::gtp::Session;
use go_mc::{Color, Move};
use serde::Serialize;
use std::io;

/// What a game is told.
#[derive(Args)]
pub(crate) struct Play {
    /// Your color
    #[arg(long, value_name = "COLOR", default_value = "black")]
    color: Color,
    #[command(flatten)]
    engine: Engine,
}

/// A move that was made.
#[derive(Serialize)]
struct Turn {
    color: String,
    #[serde(rename = "move")]
    mv: String,
}

/// How a game ended.
#[derive(Serialize)]
struct End {
    result: String,
}

pub(crate) fn run(arguments: &Play, level: Level, output: &mut Output) -> Result<(), Failure> {
    let mut game =
        Game { session: arguments.engine.session(level)?, world: World::new(), you: arguments.color };
    output.text("a vertex as D4, or: pass, undo, resign, quit\n")?;
    while !game.session.game().is_over() {
        let color = game.session.game().to_move();
        let mv = if color == game.you { game.ask(output)? } else { Some(game.think()) };
        let Some(mv) = mv else { return Ok(()) };
        output.result(&Turn { color: color.to_string(), mv: mv.clone() }, || format!("{color} {mv}\n"))?;
        if mv == "resign" {
            let winner = if color == Color::Black { 'W' } else { 'B' };
            return print_end(format!("{winner}+Resign"), output);
        }
    }
    let score = game.say("final_score");
    game.show(output)?;
    print_end(score.unwrap_or_else(|error| error), output)
}

fn print_end(result: String, output: &mut Output) -> Result<(), Failure> {
    let text = format!("{result}\n");
    output.result(&End { result }, || text)
}

struct Game {
    session: Session,
    world: World,
    you: Color,
}

impl Game {
    /// What the engine answers to a command, or why it refuses.
    fn say(&mut self, command: &str) -> Result<String, String> {
        let answer = self.session.answer(command.as_bytes(), &self.world).map(|answer| answer.text);
        let answer = answer.unwrap_or_default();
        let text = answer.get(1..).unwrap_or_default().trim_matches([' ', '\n']).to_owned();
        if answer.starts_with('=') { Ok(text) } else { Err(text) }
    }

    fn show(&mut self, output: &mut Output) -> Result<(), Failure> {
        let board = self.say("showboard").unwrap_or_default();
        // Columns and rows are letters and digits; only stones are painted.
        let paint = |row: &str| {
            let inside = row.trim_start().starts_with(|c: char| c.is_ascii_digit());
            let color = |c| match c {
                'X' => Some(color::palette(1)),
                'O' => Some(color::palette(3)),
                _ => None,
            };
            if inside { color::characters(row, color) } else { row.to_owned() }
        };
        let text: String = board.lines().map(|row| format!(" {}\n", paint(row))).collect();
        output.colored(&text)
    }

    fn think(&mut self) -> String {
        let color = self.session.game().to_move();
        // It is its turn on a board that it knows: it can't refuse.
        self.say(&format!("genmove {color}")).unwrap_or_else(|_| "resign".to_owned())
    }

    /// Your next move, which is played, or `resign`. None if you leave.
    fn ask(&mut self, output: &mut Output) -> Result<Option<String>, Failure> {
        self.show(output)?;
        let mut input = io::stdin().lock();
        loop {
            output.text(format!("{}> ", self.you))?;
            output.flush()?;
            let line =
                read_line(&mut input).map_err(|error| Failure::Input(format!("standard input: {error}")))?;
            let Some(line) = line else { return Ok(None) };
            let line = String::from_utf8_lossy(&line).trim().to_lowercase();
            match line.as_str() {
                "" => {}
                "quit" => return Ok(None),
                "resign" => return Ok(Some(line)),
                "undo" => {
                    self.undo(output)?;
                    self.show(output)?;
                }
                _ => match self.play(&line) {
                    Ok(mv) => return Ok(Some(mv)),
                    Err(why) => output.text(format!("{why}\n"))?,
                },
            }
        }
    }

    fn play(&mut self, line: &str) -> Result<String, String> {
        let mv: Move = line.parse().map_err(|_| "a vertex as D4, or: pass, undo, resign, quit".to_owned())?;
        self.say(&format!("play {} {mv}", self.you)).map(|_| mv.to_string())
    }

    /// Takes back your last move and the answer to it.
    fn undo(&mut self, output: &mut Output) -> Result<(), Failure> {
        let both = self.session.moves() >= 2;
        for _ in 0..if both { 2 } else { 0 } {
            let _ = self.say("undo");
        }
        if both { Ok(()) } else { output.text("cannot undo\n") }
    }
}
