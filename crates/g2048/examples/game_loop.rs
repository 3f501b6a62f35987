//! A game loop: input, update, draw. The rules accept any random generator and don't depend on a
//! terminal, so the same three functions fit a game engine's `update` and `render`.
//!
//! Run `cargo run -p g2048 --example game_loop`, then type letters and Enter: `wasd` slide, `u`
//! undoes a move, `q` quits.

use g2048::{Direction, Game, IllegalMove, Outcome, Rng, Rules};
use std::io::BufRead;

enum Input {
    Slide(Direction),
    Undo,
    Quit,
}

/// The state of the game: plain values, so a copy is a save.
#[derive(Clone)]
struct State {
    game: Game,
    rng: Rng,
}

impl State {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        Self { game: Game::new(Rules::default(), &mut rng), rng }
    }

    fn update(&mut self, direction: Direction) -> Result<Outcome, IllegalMove> {
        self.game.play(direction, &mut self.rng)
    }

    fn draw(&self) {
        println!("{}\nscore {}\n", self.game.board(), self.game.score());
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
    let mut state = State::new(2048);
    let mut earlier = Vec::new();
    state.draw();
    for line in std::io::stdin().lock().lines() {
        for key in line?.chars().filter(|key| !key.is_whitespace()) {
            match input(key) {
                Some(Input::Slide(direction)) => {
                    let before = state.clone();
                    match state.update(direction) {
                        Ok(_) => earlier.push(before),
                        Err(error) => println!("{error}"),
                    }
                }
                Some(Input::Undo) => match earlier.pop() {
                    Some(before) => state = before,
                    None => println!("no move to undo"),
                },
                Some(Input::Quit) => return Ok(()),
                None => println!("expected w, a, s, d, u or q, found {key:?}"),
            }
        }
        state.draw();
        if state.game.is_over() {
            println!("no legal moves left");
            return Ok(());
        }
    }
    Ok(())
}
