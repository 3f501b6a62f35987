//! Shows the expected owner of each point of a 9 x 9 position, from 10,000 playouts: `cargo run --release -p
//! go-mc --example ownership` reads a diagram of `.`, `X` and `O` from standard input, or takes an example
//! position if there is none.

use go_mc::{Board, Color, Ownership, Points};
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
    let ownership = Ownership::<9>::estimate(&board, 10_000, 1).ok_or("expected a board of 9x9")?;
    for y in (0..9).rev() {
        let row = (0..9).map(|x| format!("{:4.0}", 100.0 * ownership.value(10 * y + x)));
        println!("{}", row.collect::<String>());
    }
    let dead: Points<9> = ownership.dead(Color::ALL.map(|color| {
        board.stones(color).iter().filter_map(|p| Points::<9>::index(Points::<19>::point(p))).collect()
    }));
    let names = dead.iter().map(|p| Points::<9>::point(p).to_string()).collect::<Vec<_>>();
    println!("dead: {}", if names.is_empty() { "none".to_owned() } else { names.join(" ") });
    Ok(())
}
