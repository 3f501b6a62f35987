//! A game loop: input, state, picture. The rules draw from any generator and know no terminal, so the same
//! three functions fit a game engine's `update` and `render`.
//!
//! `cargo run -p g2048 --example game_loop`, then letters and Enter: `wasd` slide, `u` takes a move back, `q`
//! quits.

use bitcore::Rng;
use g2048::{Board, Direction, Size};
use std::io::BufRead;

enum Input {
    Slide(Direction),
    Undo,
    Quit,
}

/// The state of the game: plain values, so that a copy is a save.
#[derive(Clone)]
struct State {
    board: Board,
    score: u64,
    rng: Rng,
}

impl State {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        Self { board: Board::start(Size::CLASSIC, &mut rng), score: 0, rng }
    }

    /// Plays a move. Returns `false` if it isn't legal.
    fn update(&mut self, direction: Direction) -> bool {
        let slide = self.board.slide(direction);
        if slide.changed {
            (self.board, self.score) = (slide.board, self.score + slide.gain);
            self.board.spawn(&mut self.rng);
        }
        slide.changed
    }

    fn draw(&self) {
        println!("{}\nscore {}\n", self.board, self.score);
    }
}

fn input(key: char) -> Option<Input> {
    Some(match key {
        'w' => Input::Slide(Direction::Up),
        'a' => Input::Slide(Direction::Left),
        's' => Input::Slide(Direction::Down),
        'd' => Input::Slide(Direction::Right),
        'u' => Input::Undo,
        'q' => Input::Quit,
        _ => return None,
    })
}

fn main() -> std::io::Result<()> {
    let (mut state, mut earlier) = (State::new(2048), Vec::new());
    state.draw();
    for line in std::io::stdin().lock().lines() {
        for key in line?.chars().filter(|key| !key.is_whitespace()) {
            match input(key) {
                Some(Input::Slide(direction)) => {
                    let before = state.clone();
                    if state.update(direction) {
                        earlier.push(before);
                    } else {
                        println!("nothing moves {direction}");
                    }
                }
                Some(Input::Undo) => match earlier.pop() {
                    Some(before) => state = before,
                    None => println!("no move to take back"),
                },
                Some(Input::Quit) => return Ok(()),
                None => println!("expected w, a, s, d, u or q, found {key:?}"),
            }
        }
        state.draw();
        if state.board.is_over() {
            println!("no legal move is left");
            return Ok(());
        }
    }
    Ok(())
}
