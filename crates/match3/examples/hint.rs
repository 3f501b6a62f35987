//! A hint: the swap with the best score that is certain before any new piece is drawn.

use match3::{Board, cascade_without_refill, ranked_swaps, try_swap};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board: Board = "
        1 2 3 4 5 6 1 2
        3 4 5 6 1 2 3 4
        1 2 3 3 5 6 1 2
        3 4 5 6 3 2 3 4
        1 2 3 4 5 6 1 2
        3 4 5 6 1 2 3 4
        1 2 3 4 5 6 1 2
        3 4 5 6 1 2 3 4"
        .parse()?;
    for (swap, result) in ranked_swaps(&board).into_iter().take(5) {
        println!(
            "{swap}   {} points: {} cells, levels: {}",
            result.score, result.cleared, result.levels
        );
    }
    let Some(&(best, _)) = ranked_swaps(&board).first() else {
        println!("no legal swap: shuffle");
        return Ok(());
    };
    let [a, b] = best.cells();
    println!("\nhint: exchange {a:?} and {b:?}");

    // The same swap without new pieces, then in a game, where new pieces may add to its score.
    let mut settled = board.clone();
    settled.exchange(a, b);
    cascade_without_refill(&mut settled, &mut ());
    println!("\n{settled}\n");
    let mut played = board;
    let mut rng = bitcore::Rng::new(1);
    let result = try_swap(&mut played, best, || 1 + rng.below(6) as u8, &mut ())?;
    println!("{played}\n\n{} points in the game", result.score);
    Ok(())
}
