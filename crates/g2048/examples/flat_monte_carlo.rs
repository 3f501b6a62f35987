//! A flat Monte Carlo player: each move is the one after which random play scores most on average.

use g2048::{Game, IllegalMove, Playouts, Rng, Rules};

/// Random games after each legal move.
const GAMES: u64 = 100;

fn main() -> Result<(), IllegalMove> {
    let mut rng = Rng::new(2048);
    let mut game = Game::new(Rules::default(), &mut rng);
    loop {
        let mut best = None;
        for &direction in game.legal_moves() {
            // Other games in each position: the number of the move is their seed.
            let stats = Playouts::after_move(&game, direction, game.moves())?.play(GAMES);
            let score = stats.score.mean();
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, direction));
            }
        }
        let Some((_, direction)) = best else { break };
        game.play(direction, &mut rng)?;
    }
    println!("{}", game.board());
    println!(
        "score {} in {} moves, with {GAMES} random games after each",
        game.score(),
        game.moves()
    );
    Ok(())
}
