//! Plays a seeded game with a journal, saves it as text, and replays it:
//! `cargo run --example replay [seed]`.

use bitcore::Rng;
use match3::journal::parse_journal;
use match3::{Event, deal, ranked_swaps, replay, shuffle, try_swap};

const COLORS: u8 = 6;
const MOVES: usize = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seed = std::env::args().nth(1).map_or(Ok(1), |seed| seed.parse())?;
    let mut rng = Rng::new(seed);
    let start = deal(8, 8, COLORS, &mut rng)?;
    let mut board = start.clone();
    let mut events = Vec::new();
    let mut score = 0;
    for _ in 0..MOVES {
        let Some(&(swap, _)) = ranked_swaps(&board).first() else { break };
        score +=
            try_swap(&mut board, swap, || 1 + rng.below(COLORS.into()) as u8, &mut events)?.score;
    }
    let text: String = events.iter().map(|event: &Event| format!("{event}\n")).collect();
    println!("{start}\n\nthe first of {} events:", events.len());
    for line in text.lines().take(12) {
        println!("  {line}");
    }

    let mut replayed = start;
    replay(&mut replayed, &parse_journal::<Event>(&text)?)?;
    assert_eq!(replayed, board, "the journal leads to the same board");
    println!("\n{replayed}\n\n{score} points; the replay ends on the same board");
    // A game shuffles its board when no swap is left.
    if ranked_swaps(&board).is_empty() {
        shuffle(&mut board, &mut rng)?;
        println!("\n{board}\nshuffled");
    }
    Ok(())
}
