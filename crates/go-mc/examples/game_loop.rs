//! A game loop: input, rules, a reply from the search, output.
//!
//! `cargo run --release -p go-mc --example game_loop`, then lines: `C3` plays there, `pass`,
//! `undo`, `quit`.

use go_mc::search::{SearchPlayer, Settings};
use go_mc::{Game, Move, Player, Rules};
use std::error::Error;
use std::io::BufRead;

enum Input {
    Play(Move),
    Undo,
    Quit,
}

/// The state: the game and the opponent.
struct State {
    game: Game,
    opponent: SearchPlayer,
}

impl State {
    fn new() -> Result<Self, Box<dyn Error>> {
        let rules = Rules::default();
        let opponent = SearchPlayer::new(rules, Settings::default(), 2000)?;
        Ok(Self { game: Game::new(rules), opponent })
    }

    /// Returns the opponent's win rate at its last move.
    fn chance(&self) -> Option<f64> {
        let search = self.opponent.search()?;
        search.win_rate(search.game().to_move())
    }

    fn draw(&self) {
        println!("{}{} to move\n", self.game.board(), self.game.to_move());
    }
}

/// Parses a line of input; the error gives the place.
fn input(line: &str) -> Result<Input, go_mc::Error> {
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
                if let Err(error) = state.game.play(mv) {
                    println!("{mv}: {error}");
                    continue;
                }
                if let Some(reply) = state.opponent.choose(&state.game) {
                    let chance = state.chance();
                    let chance = chance.map_or(String::new(), |chance| {
                        format!(", {:.0} % to win", 100.0 * chance)
                    });
                    println!("{} answers {reply}{chance}", state.game.to_move());
                    state.game.play(reply)?;
                }
            }
            Ok(Input::Undo) => {
                // The player's own move and the reply.
                state.game.undo();
                state.game.undo();
            }
            Ok(Input::Quit) => break,
            Err(error) => println!("{error}"),
        }
        state.draw();
        if state.game.is_over() {
            println!("{}", state.game.score());
            break;
        }
    }
    Ok(())
}
