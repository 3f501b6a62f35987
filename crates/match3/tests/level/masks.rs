//! [`Playtest`] plays its agents on masks of cells, and any other player on the plain engine: both
//! give the same numbers.

use super::random;
use match3::level::{Agent, Habits, Level, LevelSpec, Limit, Playtest, Start};
use std::sync::Arc;

fn agents() -> [Agent; 4] {
    [Agent::Random, Agent::Greedy, Agent::Careful, Agent::Human(Habits { seen: 5, slip: 0.3 })]
}

/// Plays games one by one, so that two errors don't cancel out.
fn assert_same_games(level: &Arc<Level>, agent: Agent, seed: u64, games: u64, place: &str) {
    let mut masks = Playtest::new(level.clone(), agent, seed);
    let mut plain = Playtest::with_player(level.clone(), move |rng| agent.player(rng), seed);
    for game in 0..games {
        assert_eq!(masks.play(1), plain.play(1), "{place}, {agent}, game {game}");
    }
}

/// A playtest of a level that ends with time, and has no goals, has no end.
fn with_moves(level: &Level) -> Level {
    let mut spec = level.spec().clone();
    if let Limit::Time(number) = spec.limit {
        spec.limit = Limit::Moves(number);
    }
    Level::new(spec).expect("a level that was one before")
}

/// 1,000 levels with `BITCADE_TRUTH=full`, else as many as take a second.
#[test]
fn masks_play_random_levels() {
    let levels = if testkit::full_truth() { 1000 } else { testkit::cases(100) };
    let games = if testkit::full_truth() { 50 } else { 1 };
    for seed in 0..levels {
        for (kind, level) in [("", random::level(seed)), ("wide ", random::wide_level(seed))] {
            // Large levels take seconds on the plain engine, and are never played on masks.
            if level.width().max(level.height()) > 12 {
                continue;
            }
            let level = Arc::new(with_moves(&level));
            for agent in agents() {
                // It takes a hundred times as long.
                let games = if agent == Agent::Careful { u64::from(seed % 16 == 0) } else { games };
                assert_same_games(&level, agent, seed, games, &format!("{kind}level {seed}"));
            }
        }
    }
}

#[cfg(feature = "level-files")]
#[test]
fn masks_play_the_examples() {
    for (name, text) in match3::level::EXAMPLES {
        let level = Arc::new(Level::from_toml(text).expect("an example"));
        for agent in agents() {
            let games = match (agent, testkit::full_truth()) {
                (Agent::Careful, is_full) => u64::from(is_full),
                (_, true) => 10_000,
                (_, false) => 1,
            };
            assert_same_games(&level, agent, 1, games, name);
        }
    }
}

/// A match in the last column is beside no crate in the first column of the next row of bits.
#[test]
fn crates_at_the_edges_are_not_neighbors() {
    for side in [8, 11] {
        let mut spec = LevelSpec::new(side, side);
        for y in 0..side {
            let x = if y < side / 2 { 0 } else { side - 1 };
            spec.cell((x, y)).start = Start::Crate(9);
        }
        let level = Arc::new(Level::new(spec).expect("a level"));
        assert_same_games(&level, Agent::Random, 1, 5, &format!("{side} x {side}"));
    }
}
