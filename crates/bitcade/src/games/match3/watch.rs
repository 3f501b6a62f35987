//! Match-3 played by rollouts: each swap with its cascade, level by level.

use super::animation::{At, PICTURE, Step};
use super::pieces::{Mark, Pieces};
use super::position::Position;
use crate::io::output::Failure;
use crate::screen::picture::Picture;
use crate::screen::widgets::grouped;
use crate::watch::player::{AnimatedMove, Fact, Player, timed};
use crate::watch::watched::PlayerOptions;
use bitcade_core::Stop;
use bitcore::Rng;
use match3::player::Rollout;
use match3::{Player as _, Rules};
use std::time::Duration;

/// The rollouts for each move.
const BUDGET: u32 = 256;

#[expect(clippy::unnecessary_wraps, reason = "players of other games read a file")]
pub(super) fn player(options: &PlayerOptions) -> Result<Box<dyn Player>, Failure> {
    Ok(Box::new(RolloutPlayer::new(options.seed)))
}

struct RolloutPlayer {
    seeds: Rng,
    position: Position,
    rollout: Rollout,
    games: u64,
    best: u64,
}

impl RolloutPlayer {
    fn new(seed: u64) -> Self {
        let mut seeds = Rng::new(seed);
        let (position, rollout) = start(&mut seeds);
        Self { seeds, position, rollout, games: 0, best: 0 }
    }

    fn facts(&self, last: String) -> Vec<Fact> {
        vec![
            ("score", grouped(self.position.game.score())),
            ("moves left", self.position.game.moves_left().to_string()),
            ("swap", last),
            ("games", self.games.to_string()),
            ("best game", grouped(self.best)),
        ]
    }

    fn picture(
        &self,
        marked: &[At],
        step: Option<(Step, f64)>,
        time: Duration,
    ) -> (Box<dyn Picture>, Duration) {
        let marks = marked.iter().map(|&at| (at, Mark::Selected)).collect();
        (Box::new(Pieces { board: self.position.game.board(), step, marks }), time)
    }
}

fn start(seeds: &mut Rng) -> (Position, Rollout) {
    let mut stream = || Rng::new(seeds.next_u64());
    let position =
        Position::deal(Rules::default(), stream()).expect("six colors fit on 8 x 8 cells");
    (position, Rollout::new(BUDGET, stream()))
}

const PAUSE: Duration = Duration::from_millis(450);
const REST: Duration = Duration::from_millis(250);

impl Player for RolloutPlayer {
    fn next_move(&mut self, stop: Stop<'_>) -> AnimatedMove {
        let game = &self.position.game;
        if game.is_over() {
            let last = format!("last game {}", grouped(game.score()));
            (self.games, self.best) = (self.games + 1, self.best.max(game.score()));
            (self.position, self.rollout) = start(&mut self.seeds);
            let pictures = vec![self.picture(&[], None, PAUSE)];
            return AnimatedMove {
                pictures,
                facts: self.facts(last),
                nodes: 0,
                thinking: Duration::ZERO,
            };
        }
        let (swap, thinking) = timed(|| self.rollout.choose_until(game, stop));
        let mut pictures = Vec::new();
        let mut last = "none".to_owned();
        if let Ok(Some(swap)) = swap
            && let Ok((next, animation)) = self.position.after(swap, Duration::ZERO)
        {
            pictures.push(self.picture(&swap.cells(), None, PAUSE));
            last = format!("{swap} +{}", next.last.score);
            let steps = (0..).map_while(|i| animation.at(PICTURE * i));
            pictures.extend(
                steps.map(|(step, part)| self.picture(&[], Some((step.clone(), part)), PICTURE)),
            );
            self.position = next;
        }
        pictures.push(self.picture(&[], None, REST));
        AnimatedMove { pictures, facts: self.facts(last), nodes: u64::from(BUDGET), thinking }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_those_of_the_player() {
        let mut player = RolloutPlayer::new(3);
        for _ in 0..2 * 31 {
            let before = player.position.clone();
            let mut rollout = player.rollout.clone();
            let games = player.games;
            let made = player.next_move(&|| false);
            let Some(swap) = rollout.choose(&before.game) else {
                assert_eq!(player.games, games + 1);
                assert_eq!(player.position.game.moves_left(), 30);
                continue;
            };
            let (expected, _) = before.after(swap, Duration::ZERO).expect("legal");
            assert_eq!(player.position, expected);
            assert!(made.pictures.len() >= 5, "swap, match, holes, fall, rest");
        }
        assert!(player.games == 2 && player.best > 0);
    }
}
