//! A game loop: input, state, and the events of a move, drawn one by one as an animation would.
//!
//! Run `cargo run -p match3 --example game_loop`, then enter lines: `3 2 H` exchanges the piece in
//! column 3 of row 2 with its right neighbor, `3 2 V` with the one below. Other commands are `hint`
//! and `quit`.

use bitcore::Rng;
use match3::{
    Axis, Board, Colors, Event, RandomColors, Swap, deal, has_swap, ranked_swaps, replay, shuffle,
    try_swap,
};
use std::error::Error;
use std::io::BufRead;

enum Input {
    Swap(Swap),
    Hint,
    Quit,
}

struct State {
    board: Board,
    score: u64,
    moves_left: u32,
    colors: RandomColors,
}

impl State {
    fn new(seed: u64) -> Result<Self, Box<dyn Error>> {
        let mut rng = Rng::new(seed);
        let board = deal(8, 8, 6, &mut rng)?;
        Ok(Self { board, score: 0, moves_left: 20, colors: RandomColors::new(6, rng)? })
    }

    /// Plays a swap and returns its events, for the animation to show before the next input.
    fn update(&mut self, swap: Swap) -> Result<Vec<Event>, Box<dyn Error>> {
        let mut events = Vec::new();
        let colors = &mut self.colors;
        let result = try_swap(&mut self.board, swap, || colors.next(), &mut events)?;
        (self.score, self.moves_left) = (self.score + result.score, self.moves_left - 1);
        if !has_swap(&self.board) {
            shuffle(&mut self.board, self.colors.rng())?;
        }
        Ok(events)
    }

    fn draw(&self) {
        println!("{}\nscore {}, {} moves left\n", self.board, self.score, self.moves_left);
    }
}

fn input(line: &str) -> Option<Input> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["hint"] => Some(Input::Hint),
        ["quit"] => Some(Input::Quit),
        [x, y, axis] => {
            let axis = match axis {
                "H" => Axis::Horizontal,
                "V" => Axis::Vertical,
                _ => return None,
            };
            Some(Input::Swap(Swap { x: x.parse().ok()?, y: y.parse().ok()?, axis }))
        }
        _ => None,
    }
}

/// Shows the frames of a move: the board after each round of clearing, falling and refilling.
fn animate(mut board: Board, events: &[Event]) -> Result<(), Box<dyn Error>> {
    let cleared = |event: &Event| matches!(event, Event::Clear { .. });
    // A frame ends where the pieces have come to rest and the next ones are matched.
    for frame in events.chunk_by(|before, after| cleared(before) == cleared(after)) {
        replay(&mut board, frame)?;
        println!("{board}\n");
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut state = State::new(7)?;
    state.draw();
    for line in std::io::stdin().lock().lines() {
        match input(&line?) {
            Some(Input::Swap(swap)) => {
                let before = state.board.clone();
                match state.update(swap) {
                    Ok(events) => animate(before, &events)?,
                    Err(error) => println!("{swap}: {error}"),
                }
                state.draw();
            }
            Some(Input::Hint) => {
                if let Some((swap, result)) = ranked_swaps(&state.board).first() {
                    println!("{swap}: {} points", result.score);
                }
            }
            Some(Input::Quit) => break,
            None => println!("expected a swap such as 3 2 H, hint or quit"),
        }
        if state.moves_left == 0 {
            break;
        }
    }
    println!("{} points", state.score);
    Ok(())
}
