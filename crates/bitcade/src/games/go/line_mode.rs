//! Line mode, a game against the engine as text: `bitcade play go --lines`, and without a terminal.

use super::engine::{SystemHost, may_end_open};
use super::game_file::GameFile;
use super::start::Start;
use crate::io::color;
use crate::io::interrupt;
use crate::io::lines::InputLines;
use crate::io::output::{Failure, Output};
use crate::io::threads::report_missing;
use go_mc::gtp::{Options, Session};
use go_mc::{Color, Move};
use serde_json::json;
use std::fmt::Display;

/// Asked before a pass; a program that reads JSON means what it says.
const OPEN_GAME: &str = "the game is still open: pass and end it? y / n";
const INPUT_HELP: &str = "enter a vertex (for example D4), pass, undo, resign, show, help or quit";

const FINISHED_HELP: &str =
    "enter a vertex or pass on your turn, continue on mine, undo, show, help or quit";

pub(crate) fn run(
    user: Color,
    threads: usize,
    options: Options,
    start: Start,
    file: Option<GameFile>,
    output: &mut Output,
) -> Result<(), Failure> {
    let interrupted = interrupt::install_handler();
    let lines = InputLines::new()?;
    let no_session = |error: &dyn Display| Failure::Input(format!("--size: {error}"));
    let tromp_taylor = options.search.tromp_taylor;
    let mut session = Session::new(options).map_err(|error| no_session(&error))?;
    session.load(start.record()).map_err(|error| no_session(&error))?;
    let host = SystemHost::new(&lines);
    let mut game = Game { session, host, user, start, tromp_taylor, moves: Vec::new() };
    output.text(format!("{INPUT_HELP}\n"))?;
    let played = game.play_on(threads, &lines, &interrupted, output);
    let moves = game.moves.iter().map(|&mv| (mv, None));
    let result = played.as_ref().ok().and_then(Option::as_deref).unwrap_or_default();
    // The moves are kept even if the output of the game can't be written.
    if let Some(mut file) = file {
        file.save(&game.start.record_after(user, moves, result))?;
    }
    played.map(drop)
}

fn print_end(result: String, output: &mut Output) -> Result<String, Failure> {
    output.result(&json!({ "result": result }), || format!("{result}\n"))?;
    Ok(result)
}

struct Game {
    session: Session,
    host: SystemHost,
    user: Color,
    start: Start,
    tromp_taylor: bool,
    /// The moves since the start, as written to the record.
    moves: Vec<Move>,
}

impl Game {
    /// Plays until the end of the game or the input, or until a signal arrives. Returns the result
    /// of a finished game.
    fn play_on(
        &mut self,
        threads: usize,
        lines: &InputLines,
        interrupted: &dyn Fn() -> bool,
        output: &mut Output,
    ) -> Result<Option<String>, Failure> {
        if self.start.is_finished() {
            let result = self.start.result().unwrap_or_else(|| "two passes".to_owned());
            let text = || format!("the record is finished ({result}): {FINISHED_HELP}\n");
            output.result(&json!({ "record": result }), text)?;
        }
        while self.start.is_finished() || !self.session.game().is_over() {
            let color = self.session.game().to_move();
            let mv = if color == self.user || self.start.is_finished() {
                self.user_move(output, &|| lines.next(interrupted))?
            } else {
                Some(self.engine_move())
            };
            report_missing(threads, self.session.missing_threads());
            if mv.as_deref() == Some("continue") {
                continue;
            }
            let Some(mv) = mv.filter(|_| !interrupted()) else {
                // The cursor leaves the prompt's line.
                if interrupted() {
                    output.text("\n")?;
                }
                return Ok(None);
            };
            let played = json!({ "color": color.to_string(), "move": mv });
            output.result(&played, || format!("{color} {mv}\n"))?;
            if mv == "resign" {
                let winner = if color == Color::Black { 'W' } else { 'B' };
                return print_end(format!("{winner}+Resign"), output).map(Some);
            }
            self.moves.extend(mv.parse::<Move>());
        }
        let score = self.command("final_score");
        self.show(output)?;
        print_end(score.unwrap_or_else(|error| error), output).map(Some)
    }

    fn command(&mut self, command: &str) -> Result<String, String> {
        let answer = self.session.respond(command.as_bytes(), &self.host).map(|answer| answer.text);
        let answer = answer.unwrap_or_default();
        let text = answer.get(1..).unwrap_or_default().trim_end();
        // A space precedes words, a line feed a board.
        let text = text.strip_prefix([' ', '\n']).unwrap_or(text).to_owned();
        if answer.starts_with('=') { Ok(text) } else { Err(text) }
    }

    fn show(&mut self, output: &mut Output) -> Result<(), Failure> {
        let board = self.command("showboard").unwrap_or_default();
        // Only the board rows, which begin with their number, are painted.
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

    fn engine_move(&mut self) -> String {
        let color = self.session.game().to_move();
        // It is the engine's turn, so the command cannot fail.
        self.command(&format!("genmove {color}")).unwrap_or_else(|_| "resign".to_owned())
    }

    /// Returns the move or `resign`, or `None` if the user quits.
    fn user_move(
        &mut self,
        output: &mut Output,
        next_line: &dyn Fn() -> Result<Option<Vec<u8>>, Failure>,
    ) -> Result<Option<String>, Failure> {
        self.show(output)?;
        let mut is_asked = false;
        loop {
            output.text(format!("{}> ", self.user))?;
            output.flush()?;
            let Some(line) = next_line()? else { return Ok(None) };
            let line = String::from_utf8_lossy(&line).trim().to_lowercase();
            let was_asked = core::mem::take(&mut is_asked);
            match line.as_str() {
                "" => {}
                "n" | "no" if was_asked => {}
                "y" | "yes" if was_asked => return Ok(self.play("pass").ok()),
                "pass"
                    if !output.is_json()
                        && may_end_open(self.session.game(), self.tromp_taylor) =>
                {
                    output.text(format!("{OPEN_GAME}\n"))?;
                    is_asked = true;
                }
                "quit" | "q" => return Ok(None),
                "continue" if self.start.is_finished() => {
                    self.restart(self.start.resumed());
                    return Ok(Some(line));
                }
                "resign" if !self.start.is_finished() => return Ok(Some(line)),
                "help" | "?" => output.text(format!("{}\n", self.help()))?,
                "show" => self.show(output)?,
                "undo" => {
                    self.undo(output)?;
                    self.show(output)?;
                }
                _ => match self.play(&line) {
                    Ok(mv) => return Ok(Some(mv)),
                    Err(error) => output.text(format!("{error}\n"))?,
                },
            }
        }
    }

    fn play(&mut self, line: &str) -> Result<String, String> {
        let mv: Move = line.parse().map_err(|_| self.help().to_owned())?;
        if self.start.is_finished() {
            if self.session.game().to_move() != self.user {
                return Err(FINISHED_HELP.to_owned());
            }
            let resumed = self.start.resumed();
            resumed.game().clone().play(mv).map_err(|error| format!("{mv}: {error}"))?;
            self.restart(resumed);
        }
        // GTP gives no reason.
        self.session.game().clone().play(mv).map_err(|error| format!("{mv}: {error}"))?;
        self.command(&format!("play {} {mv}", self.user)).map(|_| mv.to_string())
    }

    fn help(&self) -> &'static str {
        if self.start.is_finished() { FINISHED_HELP } else { INPUT_HELP }
    }

    /// Undoes the user's last move, which may be one of the record, and what follows it.
    fn undo(&mut self, output: &mut Output) -> Result<(), Failure> {
        if self.moves.len() >= 2 {
            for _ in 0..2 {
                let _ = self.command("undo");
                self.moves.pop();
            }
        } else if let Some((start, _)) = self.start.before_last_move_of(self.user) {
            self.restart(start);
        } else {
            output.text("cannot undo\n")?;
        }
        Ok(())
    }

    /// Begins again from another position of the same record.
    fn restart(&mut self, start: Start) {
        // The size and the komi are those of the session.
        let _ = self.session.load(start.record());
        self.start = start;
        self.moves.clear();
    }
}
