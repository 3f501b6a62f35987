//! A flat Monte Carlo player: plays a number of random games after each legal swap, and then the
//! swap with the best mean. Prints what it scores beside the greedy and the random player.

use match3::{Game, Moments, PlayerKind, Playouts, RandomColors, Rng, Rules, Swap, SwapError};

/// Random games per legal swap.
const PLAYOUTS: u64 = 64;
/// Games of each player.
const GAMES: u64 = 120;

fn best(game: &Game, seed: u64) -> Result<Option<Swap>, SwapError> {
    let mut best = None;
    for swap in game.legal_moves() {
        let mean = Playouts::after_move(game, swap, seed)?.play(PLAYOUTS).score.mean();
        if best.is_none_or(|(most, _)| mean > most) {
            best = Some((mean, swap));
        }
    }
    Ok(best.map(|(_, swap)| swap))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Rules::default();
    let mut scores = Moments::default();
    for (number, rng) in (0..GAMES).zip(Rng::streams(1)) {
        let mut colors = RandomColors::new(rules.colors, rng)?;
        let mut game = Game::new(rules, &mut colors)?;
        while let Some(swap) = best(&game, !number)? {
            game.play(swap, &mut colors)?;
        }
        scores.add(game.score());
    }
    println!(
        "flat Monte Carlo, {PLAYOUTS} games per swap: {:.0} points in {GAMES} games",
        scores.mean()
    );
    for player in [PlayerKind::Greedy, PlayerKind::Random] {
        let mut scores = Moments::default();
        for score in player.games(rules, 1, 0..GAMES) {
            scores.add(score?);
        }
        println!("{player}: {:.0} points", scores.mean());
    }
    Ok(())
}
