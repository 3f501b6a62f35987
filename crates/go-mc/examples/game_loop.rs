//! A game loop: input, rules, an answer of the search, picture.
//!
//! `cargo run --release -p go-mc --example game_loop`, then lines: `C3` plays there, `pass`, `undo`, `quit`.

use go_mc::search::{Choice, Settings};
use go_mc::{Game, IllegalMove, Ko, Move, Rules, Search, Size, Suicide};
use std::error::Error;
use std::io::BufRead;

/// White's compensation for the second move.
const KOMI: f64 = 7.5;

enum Input {
    Play(Move),
    Undo,
    Quit,
}

/// The state: the game, and every game before it, to take moves back.
struct State {
    game: Game,
    earlier: Vec<Game>,
}

impl State {
    fn new() -> Result<Self, Box<dyn Error>> {
        let rules = Rules { ko: Ko::Positional, suicide: Suicide::Forbidden };
        let size = Size::new(9, 9).ok_or("a size from 1 to 19")?;
        Ok(Self { game: Game::new(size, rules), earlier: Vec::new() })
    }

    /// Plays a move. A refused one changes nothing.
    fn update(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let before = self.game.clone();
        self.game.play(mv)?;
        self.earlier.push(before);
        Ok(())
    }

    /// Returns the move of the search for the player to move, and that player's chance to win.
    fn answer(&self) -> Result<(Move, Option<f64>), Box<dyn Error>> {
        let mut search = Search::new(&self.game, KOMI, &Settings::default())?;
        search.run(2000, &|| false);
        let chance = search.candidates().first().map(|best| best.win_rate);
        Ok(match search.choose() {
            Choice::Move(mv) => (mv, chance),
            Choice::Resign => (Move::Pass, chance),
        })
    }

    fn draw(&self) {
        println!("{}{} to move\n", self.game.board(), self.game.to_move());
    }
}

/// Parses a line of input; the error says where it is wrong.
fn input(line: &str) -> Result<Input, go_mc::ParseError> {
    Ok(match line.trim() {
        "undo" => Input::Undo,
        "quit" => Input::Quit,
        text => Input::Play(text.parse()?),
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut state = State::new()?;
    state.draw();
    for line in std::io::stdin().lock().lines() {
        match input(&line?) {
            Ok(Input::Play(mv)) => {
                if let Err(error) = state.update(mv) {
                    println!("{mv}: {error}");
                    continue;
                }
                if !state.game.is_over() {
                    let (reply, chance) = state.answer()?;
                    let chance =
                        chance.map_or(String::new(), |chance| format!(", {:.0} % to win", 100.0 * chance));
                    println!("{} answers {reply}{chance}", state.game.to_move());
                    state.update(reply)?;
                }
            }
            Ok(Input::Undo) => {
                // The own move and the answer.
                let before = state.earlier.len().saturating_sub(2);
                if let Some(game) = state.earlier.drain(before..).next() {
                    state.game = game;
                }
            }
            Ok(Input::Quit) => break,
            Err(error) => println!("{error}"),
        }
        state.draw();
        if state.game.is_over() {
            let [black, white] = state.game.board().area();
            println!("Black {black}, White {white} and komi {KOMI}");
            break;
        }
    }
    Ok(())
}
