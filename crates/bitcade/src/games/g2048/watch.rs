//! 2048 played by a trained network.

use super::network::{Nets, Values, values_of};
use super::tiles::Tiles;
use crate::io::output::Failure;
use crate::screen::widgets::grouped;
use crate::watch::player::{AnimatedMove, Fact, Player, timed};
use crate::watch::watched::PlayerOptions;
use bitcade_core::Stop;
use bitcore::Rng;
use g2048::expectimax::Limits;
use g2048::{Game, Player as _};
use std::time::Duration;

pub(super) fn player(options: &PlayerOptions) -> Result<Box<dyn Player>, Failure> {
    let nets = Nets { net: options.net.as_deref(), late: None };
    Ok(Box::new(NetworkPlayer::new(options.seed, values_of(nets)?)))
}

struct NetworkPlayer {
    values: Values,
    rng: Rng,
    game: Game,
    last_game: Option<u64>,
}

impl NetworkPlayer {
    fn new(seed: u64, values: Values) -> Self {
        let mut rng = Rng::new(seed);
        let game = Game::new(values.size(), &mut rng);
        Self { values, rng, game, last_game: None }
    }

    fn facts(&self, chosen: &str) -> Vec<Fact> {
        vec![
            ("score", grouped(self.game.score())),
            ("moves", grouped(self.game.moves())),
            ("move", chosen.to_owned()),
            ("last game", self.last_game.map_or_else(|| "-".to_owned(), grouped)),
        ]
    }
}

/// The lookahead in moves.
const DEPTH: u32 = 2;

const MOVED: Duration = Duration::from_millis(160);
const OVER: Duration = Duration::from_secs(2);

impl Player for NetworkPlayer {
    fn next_move(&mut self, stop: Stop<'_>) -> AnimatedMove {
        let mut search = self.values.search(Limits::depth(DEPTH));
        let (choice, thinking) = timed(|| search.choose_until(&self.game, stop));
        let mut shown = "none".to_owned();
        let mut time = MOVED;
        if let Ok(Some(direction)) = choice
            && self.game.play(direction, &mut self.rng).is_ok()
        {
            shown = direction.to_string();
        }
        let picture = Box::new(Tiles { board: self.game.board(), slide: None });
        if choice == Ok(None) {
            (self.last_game, time) = (Some(self.game.score()), OVER);
            self.game = Game::new(self.values.size(), &mut self.rng);
        }
        AnimatedMove {
            pictures: vec![(picture, time)],
            facts: self.facts(&shown),
            nodes: 1,
            thinking,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_player_plays_well() {
        let mut player =
            NetworkPlayer::new(1, values_of(Nets::default()).expect("the own network"));
        for _ in 0..500 {
            player.next_move(&|| false);
        }
        // Random play ends after about a hundred moves.
        assert!(
            player.game.moves() >= 500 && player.game.board().max_rank() >= 8,
            "{}",
            player.game.board()
        );
    }
}
