//! The openings of a match.

use bitcore::Rng;
use go_mc::search::{Search, Settings};
use go_mc::{Color, Game, Move, Rules};

/// The random openings of which the most balanced one is taken, if none is balanced.
const TRIES: usize = 30;
/// The playouts that tell whether an opening is balanced.
const PLAYOUTS: u64 = 400;
/// How far the win rate of a balanced opening may be from one half.
const TOLERANCE: f64 = 0.1;

/// Returns the game after an opening of random stones that leaves both colors chances: the first of
/// the seed's stream that a short search calls balanced. The search has one thread, so that the
/// same numbers give the same opening on every machine.
pub(super) fn opening(rules: Rules, stones: u32, seed: u64, number: u64) -> Game {
    let mut rng = Rng::stream(seed, number);
    let mut best = (f64::INFINITY, Game::new(rules));
    if stones == 0 {
        return best.1;
    }
    for _ in 0..TRIES {
        let game = random_stones(rules, stones, &mut rng);
        let imbalance = (win_rate(&game) - 0.5).abs();
        if imbalance < best.0 {
            best = (imbalance, game);
        }
        if best.0 <= TOLERANCE {
            break;
        }
    }
    best.1
}

/// Plays random stones: on boards of 9 x 9 and larger, not on the edge.
pub(in crate::games::go) fn random_stones(rules: Rules, stones: u32, rng: &mut Rng) -> Game {
    let mut game = Game::new(rules);
    let side = rules.size.width() as u8;
    let edge = u8::from(side >= 9);
    let inside = edge..side - edge;
    for _ in 0..stones {
        let mut moves = game.legal_moves();
        moves.retain(|&mv| match mv {
            Move::Play(point) => inside.contains(&point.x) && inside.contains(&point.y),
            Move::Pass => false,
        });
        if moves.is_empty() {
            break;
        }
        let mv = moves[rng.below(moves.len() as u32) as usize];
        game.play(mv).expect("a legal move");
    }
    game
}

/// Returns Black's win rate.
fn win_rate(game: &Game) -> f64 {
    let mut search = Search::new(game, &Settings::default()).expect("a size of searches");
    search.run(PLAYOUTS);
    search.win_rate(Color::Black).unwrap_or(0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_differ_and_are_balanced() {
        let rules = Rules::default();
        let openings: Vec<Game> = (0..6).map(|number| opening(rules, 4, 1, number)).collect();
        for game in &openings {
            assert_eq!(game.moves().count(), 4);
            let rate = win_rate(game);
            assert!((rate - 0.5).abs() <= TOLERANCE, "{rate}\n{}", game.board());
        }
        for (number, game) in openings.iter().enumerate() {
            assert!(!openings[..number].contains(game), "{}", game.board());
        }
        assert_eq!(opening(rules, 4, 1, 5), openings[5]);
        assert_eq!(opening(rules, 0, 1, 5), Game::new(rules));
    }
}
