//! Shows the expected owner of each point of a position from 10,000 playouts:
//! `cargo run --release -p go-mc --example ownership` reads a diagram of `.`, `X` and `O` from
//! standard input, or uses an example position if there is none.

use go_mc::{Board, Ownership, Point, Points};
use std::io::{IsTerminal, Read};

const EXAMPLE: &str = "
    .X.XOO.O.
    X.XXO.OOO
    .XX.XO.O.
    XXXXXOOOO
    ...XO....
    .O.XO..X.
    ...XO....
    XXXXOOOOO
    X.X.XO.O.";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut text = String::new();
    if !std::io::stdin().is_terminal() {
        std::io::stdin().read_to_string(&mut text)?;
    }
    let board: Board = if text.trim().is_empty() { EXAMPLE.parse()? } else { text.parse()? };
    let ownership = Ownership::estimate(&board, 10_000, 1)?;
    let side = board.size().width() as u8;
    for y in (0..side).rev() {
        let row = (0..side).map(|x| format!("{:4.0}", 100.0 * ownership.value(Point { x, y })));
        println!("{}", row.collect::<String>());
    }
    let dead = ownership.dead(&board);
    let names = dead.iter().map(|index| Points::<19>::point(index).to_string()).collect::<Vec<_>>();
    println!("dead: {}", if names.is_empty() { "none".to_owned() } else { names.join(" ") });
    Ok(())
}
