//! Plays a script of keys in a game loop of 60 ticks per second, and prints events and boards.
//!
//! A real game calls `press` and `release` for the events of its window, runs a tick every sixtieth
//! of a second, and draws the state after it.
//!
//! `cargo run --release -p tetris --example real_time`

use std::error::Error;
use tetris::real_time::{Event, Handling, RealTimeGame, RealTimeRules, Recording};

/// A hard drop at the left wall, another at the right wall, and a swap.
const SCRIPT: &str = "10 press left
30 release left
31 press hard-drop
33 release hard-drop
40 press right
60 release right
61 press hard-drop
63 release hard-drop
70 press hold
72 release hold
80 press soft-drop
150 end";

/// Draws the lowest rows: `#` for locked cells, `@` for the piece in play, `o` for its ghost.
fn draw(game: &RealTimeGame) -> String {
    let cells =
        |at: Option<tetris::Location>| at.map(tetris::Location::cells).into_iter().flatten();
    let mut text = String::new();
    for y in (0..12).rev() {
        for x in 0..10 {
            text.push(match () {
                () if cells(game.falling()).any(|cell| cell == (x, y)) => '@',
                () if game.board().occupied(x, y) => '#',
                () if cells(game.ghost()).any(|cell| cell == (x, y)) => 'o',
                () => '.',
            });
        }
        text.push('\n');
    }
    text
}

fn main() -> Result<(), Box<dyn Error>> {
    let script: Recording = SCRIPT.parse()?;
    let mut game = RealTimeGame::new(RealTimeRules::MARATHON, Handling::default(), 3);
    let mut inputs = script.inputs().iter().peekable();
    let mut events = Vec::new();
    for tick in 0..script.ticks() {
        while let Some((_, input)) = inputs.next_if(|&&(at, _)| at == tick) {
            game.input(*input)?;
        }
        game.tick(&mut events);
        for event in events.drain(..) {
            println!("tick {tick}: {event:?}");
            if let Event::Locked(_) = event {
                println!("{}", draw(&game));
            }
        }
    }
    println!(
        "{}score {}, level {}, {} lines",
        draw(&game),
        game.score(),
        game.level(),
        game.lines()
    );
    // The same keys in the same ticks give the same game.
    let again =
        RealTimeGame::new(RealTimeRules::MARATHON, Handling::default(), 3).replay(game.recording());
    assert!(again == game);
    Ok(())
}
