//! Players: strength, errors and stops. `properties::agents` has their choices and games.

use bitcore::Rng;
use match3::agent::{Agent, PlayError, Rollout, play};
use match3::planes::{AnyBoard, PlanesError};
use match3::{Axis, Moments, Player, Rules, Swap};

#[test]
fn better_players_score_more() {
    let mean = |player: Player, games| {
        let mut scores = Moments::default();
        player.games(Rules::default(), 1, 0..games).for_each(|score| scores.add(score.unwrap()));
        assert_eq!(scores.count, games);
        scores.mean()
    };
    let (random, greedy) = (mean(Player::Random, 200), mean(Player::Greedy, 200));
    assert!(greedy > 1.9 * random, "{greedy}, {random}");
    let (greedy, rollout) = (mean(Player::Greedy, 20), mean(Player::Rollout(64), 20));
    assert!(rollout > 1.3 * greedy, "{rollout}, {greedy}");
}

#[test]
fn what_can_not_be_played_is_an_error() {
    let size = |width, height, longest| PlanesError::Size { width, height, longest };
    let colors = |found| PlanesError::Colors { found, least: 3, largest: 15 };
    let dead = |width, height| PlanesError::Dead { width, height, colors: 4, boards: 10_000 };
    for (width, height, count, expected) in [
        (0, 8, 6, size(0, 8, 8)),
        (8, 0, 6, size(8, 0, 8)),
        (17, 3, 6, size(17, 3, 16)),
        (3, usize::MAX, 6, size(3, usize::MAX, 16)),
        (8, 8, 0, colors(0)),
        (8, 8, 1, colors(1)),
        (8, 8, 2, colors(2)),
        (8, 8, 16, colors(16)),
        (8, 8, 255, colors(255)),
        (1, 1, 4, dead(1, 1)),
        (2, 2, 4, dead(2, 2)),
        (3, 1, 4, dead(3, 1)),
    ] {
        let rules = Rules { width, height, colors: count, moves: 1 };
        for player in [Player::Random, Player::Greedy, Player::Rollout(1)] {
            let found: Vec<_> = player.games(rules, 1, 0..1).collect();
            assert_eq!(found, [Err(PlayError::Deal(expected))], "{player:?}, {rules:?}");
        }
    }
    for found in [0, 16] {
        let expected = PlanesError::Colors { found, least: 1, largest: 15 };
        assert_eq!(Rollout::new(1, found, Rng::new(1)), Err(expected));
    }
}

#[test]
fn an_illegal_swap_ends_the_game() {
    struct Fixed(Option<Swap>);
    impl Agent for Fixed {
        fn choose(&mut self, _: &AnyBoard, _: u32) -> Option<Swap> {
            self.0
        }
    }
    let outside = Swap { x: 7, y: 0, axis: Axis::Horizontal };
    for mut agent in [Fixed(None), Fixed(Some(outside))] {
        let found = play(&mut agent, &Rules::default(), Rng::new(1));
        assert_eq!(found, Err(PlayError::Illegal { moves_left: 30 }));
    }
}

#[test]
fn a_stopped_game_ends_within_a_move() {
    use std::cell::Cell as Counter;
    let play = |player: Player, rules: Rules, calls: u32| {
        let asked = Counter::new(0);
        let stop = || asked.replace(asked.get() + 1) >= calls;
        let score = player.games_until(rules, 1, 0..1, &stop).next().expect("a game");
        (score, asked.get())
    };
    let rules = Rules { width: 16, height: 16, moves: 4_000_000_000, ..Rules::default() };
    for player in [Player::Random, Player::Greedy, Player::Rollout(u32::MAX)] {
        let (score, asked) = play(player, rules, 3);
        assert_eq!(score, Err(PlayError::Stopped), "{player:?}");
        // Once more after a rollout player without a swap.
        assert!(asked <= 5, "{player:?}: {asked}");
    }
    let rules = Rules { moves: 100, ..Rules::default() };
    for player in [Player::Random, Player::Greedy, Player::Rollout(8)] {
        let whole = player.games(rules, 1, 0..1).next().expect("a game");
        assert_eq!(play(player, rules, u32::MAX).0, whole, "{player:?}");
    }
}
