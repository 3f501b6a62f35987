//! Whole games of random levels, played by [`LevelGame`] and by the plain engine that was written
//! from the page of the rules: both are equal event by event.

use super::plain::Plain;
use super::random;
use bitcore::Rng;
use match3::level::{Cover, Level, LevelEvent, LevelGame, LevelSpec, Limit, Start};
use match3::{Axis, RandomColors, Swap};
use std::sync::Arc;

fn assert_equal(game: &LevelGame, plain: &Plain, place: &str) {
    let cells: Vec<_> = game.board().cells().collect();
    assert_eq!(cells, plain.cells, "{place}: board");
    assert_eq!(game.board().plain(), &plain.board(), "{place}: plain board");
    assert_eq!(game.score(), plain.score, "{place}: score");
    assert_eq!(game.left(), plain.left, "{place}: goals");
    assert_eq!(game.limit_left(), plain.limit_left, "{place}: limit");
    assert_eq!(game.outcome(), plain.outcome, "{place}: outcome");
    assert_eq!(game.legal_moves(), plain.legal_swaps(), "{place}: legal swaps");
}

/// Plays one game of a level with random swaps, some of them illegal.
fn play(level: &Arc<Level>, seed: u64, place: &str) {
    let mut dice = Rng::stream(seed, 1);
    let mut colors = RandomColors::new(level.colors(), Rng::stream(seed, 0)).expect("colors");
    let mut plain_colors = colors.clone();
    let mut game = LevelGame::new(level.clone(), &mut colors).expect("colors of the level");
    let mut plain = Plain::new(level.spec(), &mut plain_colors);
    assert!(!plain.has_match(), "{place}: a match at the start");
    assert_eq!(colors, plain_colors, "{place}: draws of the deal");
    for number in 0..60 {
        let place = &format!("{place}, move {number}");
        assert_equal(&game, &plain, place);
        if dice.below(4) == 0 {
            let x = dice.below(level.width() as u32) as usize;
            let y = dice.below(level.height() as u32) as usize;
            let axis = if dice.below(2) == 0 { Axis::Horizontal } else { Axis::Vertical };
            let swap = Swap { x, y, axis };
            if !plain.legal_swaps().contains(&swap) {
                let mut events: Vec<LevelEvent> = Vec::new();
                assert!(game.play(swap, &mut colors, &mut events).is_err(), "{place}: {swap}");
                assert_eq!(events, [], "{place}: {swap}");
                assert!(plain.play(swap, &mut plain_colors).is_none(), "{place}: {swap}");
                assert_eq!(colors, plain_colors, "{place}: draws of an illegal swap");
                assert_equal(&game, &plain, place);
            }
        }
        if matches!(level.spec().limit, Limit::Time(_)) {
            let seconds = dice.below(3);
            game.spend(seconds);
            plain.spend(seconds);
            assert_equal(&game, &plain, place);
        }
        if game.is_over() {
            break;
        }
        let legal = game.legal_moves();
        let swap = legal[dice.below(legal.len() as u32) as usize];
        let mut events: Vec<LevelEvent> = Vec::new();
        let played = game.play(swap, &mut colors, &mut events).expect("a legal swap");
        let plain_events = plain.play(swap, &mut plain_colors).expect("a legal swap");
        for (index, pair) in events.iter().zip(&plain_events).enumerate() {
            assert_eq!(pair.0, pair.1, "{place}, event {index}");
        }
        assert_eq!(events.len(), plain_events.len(), "{place}: number of events");
        assert_eq!(colors, plain_colors, "{place}: draws");
        assert_eq!(played.cascade.cleared, plain.cleared, "{place}: cleared");
        assert_eq!(played.cascade.score, plain.points, "{place}: points");
        assert_eq!(played.cascade.levels, plain.levels, "{place}: levels");
        assert_eq!(played.outcome, plain.outcome, "{place}: outcome");
    }
}

/// Whole games: 1,000 levels x 200 games with `BITCADE_TRUTH=full`, else as many as take a second.
#[test]
fn both_engines_play_the_same_games() {
    let games = if testkit::full_truth() { 200 } else { 1 };
    let levels = if testkit::full_truth() { 500 } else { testkit::cases(250) };
    for seed in 0..levels {
        for (kind, level) in [("", random::level(seed)), ("wide ", random::wide_level(seed))] {
            let level = Arc::new(level);
            for game in 0..games {
                play(&level, seed << 8 | game, &format!("{kind}level {seed}, game {game}"));
            }
        }
    }
}

/// Small boards with few colors, where a rearranged board often has a square.
#[test]
fn both_engines_rearrange_boards_without_squares() {
    let mut spec = LevelSpec::new(4, 4);
    spec.effects.square = true;
    for colors in 4..8 {
        spec.colors = vec![1; colors];
        let level = Arc::new(Level::new(spec.clone()).expect("a level"));
        for seed in 0..10 {
            play(&level, seed, &format!("{colors} colors, game {seed}"));
        }
    }
}

/// A deal that puts a swap in place first could make a run, or a square, with the level's own
/// pieces.
#[test]
fn no_deal_has_a_match() {
    let own = Start::Piece { color: Some(1), special: None, cover: Cover::None };
    let mut row = LevelSpec::new(5, 1);
    row.cell((4, 0)).start = own;
    // Only the two free pieces can be swapped.
    let mut square = LevelSpec::new(4, 2);
    for cell in &mut square.cells[2..] {
        cell.start = Start::Piece { color: None, special: None, cover: Cover::Lock };
    }
    square.effects.square = true;
    square.cell((2, 1)).start = own;
    square.cell((3, 1)).start = own;
    for mut spec in [row, square] {
        spec.colors = vec![1; 15];
        let level = Arc::new(Level::new(spec).expect("a level"));
        for seed in 0..300 {
            play(&level, seed, &format!("game {seed}"));
        }
    }
}

#[cfg(feature = "level-files")]
#[test]
fn both_engines_play_the_examples() {
    for (name, text) in match3::level::EXAMPLES {
        let level = Arc::new(Level::from_toml(text).expect("an example"));
        for seed in 0..if testkit::full_truth() { 200 } else { 2 } {
            play(&level, seed, &format!("{name}, game {seed}"));
        }
    }
}
