//! 2048 by a network: a trained one, or one that learns while it is watched.

use super::network::{LEARNER_BYTES, read_network};
use super::tiles::Tiles;
use crate::memory::check_memory;
use crate::output::Failure;
use crate::screen::widgets::grouped;
use crate::watch::player::{AnimatedMove, Fact, Player, Stop, timed};
use crate::watch::watched::PlayerOptions;
use bitcore::Rng;
use g2048::expectimax::{Evaluate, Limits};
use g2048::network::LearnerSettings;
use g2048::{Expectimax, Game, Learner, Network, Packed, Player as _, Rules};
use std::time::Duration;

pub(super) fn player(options: &PlayerOptions) -> Result<Box<dyn Player>, Failure> {
    Ok(Box::new(NetworkPlayer::new(options.seed, values(options)?)))
}

/// Returns the values of the file, or of a learner that knows nothing yet.
fn values(options: &PlayerOptions) -> Result<Values, Failure> {
    if let Some(net) = &options.net {
        return Ok(Values::Trained(Box::new(read_network(net)?)));
    }
    check_memory(LEARNER_BYTES, "the learning of 2048")?;
    let learner = Learner::new(LearnerSettings::default(), options.seed);
    Ok(Values::Learning(Box::new(learner.map_err(|error| Failure::Input(error.to_string()))?)))
}

/// The source of the values by which moves are chosen.
enum Values {
    Trained(Box<Network>),
    Learning(Box<Learner>),
}

impl Evaluate for Values {
    fn value(&self, after: Packed) -> f32 {
        match self {
            Self::Trained(network) => network.value(after),
            Self::Learning(learner) => learner.value(after),
        }
    }
}

struct NetworkPlayer {
    values: Values,
    rng: Rng,
    game: Game,
    last_game: Option<u64>,
}

/// The rounds of learning between two looks for something else to do: some milliseconds.
const ROUNDS: u64 = 2_000;

impl NetworkPlayer {
    fn new(seed: u64, values: Values) -> Self {
        let mut rng = Rng::new(seed);
        let game = Game::new(Rules::default(), &mut rng);
        Self { values, rng, game, last_game: None }
    }

    fn facts(&self, chosen: &str) -> Vec<Fact> {
        let mut facts = vec![
            ("score", grouped(self.game.score())),
            ("moves", grouped(self.game.moves())),
            ("move", chosen.to_owned()),
            ("last game", self.last_game.map_or_else(|| "-".to_owned(), grouped)),
        ];
        if let Values::Learning(learner) = &self.values {
            facts.push(("learned", grouped(learner.games())));
            let last = learner.curve().last().map(|point| point.score / g2048::network::CurvePoint::GAMES);
            facts.push(("mean", last.map_or_else(|| "-".to_owned(), grouped)));
        }
        facts
    }
}

const MOVED: Duration = Duration::from_millis(160);
const OVER: Duration = Duration::from_secs(2);

impl Player for NetworkPlayer {
    fn next_move(&mut self, stop: Stop<'_>) -> AnimatedMove {
        let depth = if matches!(self.values, Values::Trained(_)) { 2 } else { 1 };
        let (choice, thinking) =
            timed(|| Expectimax::new(&self.values, Limits::depth(depth)).choose_until(&self.game, stop));
        let (mut shown, mut time) = ("none".to_owned(), MOVED);
        if let Some(direction) = choice
            && self.game.play(direction, &mut self.rng).is_ok()
        {
            shown = direction.to_string();
        }
        let picture = Box::new(Tiles { board: *self.game.board(), slide: None });
        if choice.is_none() && !stop() {
            (self.last_game, time) = (Some(self.game.score()), OVER);
            self.game = Game::new(Rules::default(), &mut self.rng);
        }
        AnimatedMove { pictures: vec![(picture, time)], facts: self.facts(&shown), nodes: 1, thinking }
    }

    fn practice(&mut self) -> bool {
        match &mut self.values {
            Values::Trained(_) => false,
            Values::Learning(learner) => {
                learner.learn(ROUNDS);
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use g2048::network::LearnerSettings;

    #[test]
    fn the_player_learns() {
        let learner = Learner::new(LearnerSettings::default(), 1).expect("the default settings");
        let mut player = NetworkPlayer::new(1, Values::Learning(Box::new(learner)));
        for _ in 0..40 {
            player.next_move(&|| false);
            assert!(player.practice());
        }
        let Values::Learning(learner) = &player.values else { panic!("it was given a learner") };
        assert_eq!(learner.rounds(), 40 * ROUNDS);
        assert!(player.game.moves() > 0 && player.game.score() > 0);
    }
}
