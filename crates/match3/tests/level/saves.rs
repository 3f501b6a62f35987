//! Saved games of levels.

use super::random;
use bitcore::Rng;
use match3::level::{Cover, Goal, Level, LevelGame, LevelSave, LevelSpec, Start, Target};
use serde_json::{Value, json};

fn through_json(save: &LevelSave) -> LevelSave {
    serde_json::from_str(&serde_json::to_string(save).expect("JSON")).expect("what was written")
}

#[test]
fn restored_games_go_on_as_they_were() {
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let mut game = LevelGame::new(random::level(seed), &mut rng).expect("a game");
        for _ in 0..40 {
            let saved = through_json(&game.save());
            let mut restored = LevelGame::restore(game.level().clone(), &saved).expect("a game");
            assert_eq!(restored, game);
            assert_eq!(restored.legal_moves(), game.legal_moves());
            if game.is_over() {
                break;
            }
            let legal = game.legal_moves();
            let swap = legal[rng.below(legal.len() as u32) as usize];
            let mut other = rng.clone();
            game.play(swap, &mut rng, &mut ()).expect("a legal swap");
            restored.play(swap, &mut other, &mut ()).expect("a legal swap");
            assert_eq!(restored, game);
        }
    }
}

#[test]
fn states_that_no_game_reaches_are_refused() {
    let mut spec = LevelSpec::new(4, 4);
    let piece = |cover| Start::Piece { color: None, special: None, cover };
    spec.cell((0, 0)).start = Start::Crate(2);
    spec.cell((1, 0)).start = piece(Cover::Ice(2));
    spec.cell((2, 0)).start = piece(Cover::Lock);
    spec.cell((3, 0)).jelly = 1;
    spec.effects.square = false;
    let count = 1;
    spec.goals =
        vec![Goal { target: Target::Crates, count }, Goal { target: Target::Score, count: 900 }];
    let level = Level::new(spec).expect("a level");
    let mut rng = Rng::new(3);
    let mut game = LevelGame::new(level, &mut rng).expect("a game");
    game.play(game.legal_moves()[0], &mut rng, &mut ()).expect("a legal swap");
    let good = serde_json::to_value(game.save()).expect("JSON");
    let restore = |value: &Value| {
        let save = serde_json::from_value::<LevelSave>(value.clone()).expect("a save");
        LevelGame::restore(game.level().clone(), &save).map_err(|error| error.to_string())
    };
    assert_eq!(restore(&good).as_ref(), Ok(&game));
    let board = good["board"].as_str().expect("text").to_owned();
    for (field, value, what) in [
        ("board", json!("1"), "a board of this size"),
        ("board", json!(board.replacen(|cell: char| cell.is_ascii_digit(), "9", 1)), "this color"),
        ("specials", json!([[[3, 3], "square"]]), "this special piece"),
        ("specials", json!([[[0, 0], "row"]]), "this special piece"),
        ("specials", json!([[[3, 3], "row"], [[3, 3], "row"]]), "a special piece there"),
        ("items", json!([[3, 3]]), "these crates or items"),
        ("crates", json!([]), "these crates or items"),
        ("crates", json!([[[0, 0], 3]]), "a crate there"),
        ("crates", json!([[[0, 0], 0]]), "a crate there"),
        ("ice", json!([[[1, 0], 3]]), "ice there"),
        ("ice", json!([[[0, 9], 1]]), "ice there"),
        ("ice", json!([]), "this number of locks"),
        ("jelly", json!([[[0, 0], 1]]), "jelly there"),
        ("jelly", json!([[[3, 0], 2]]), "jelly there"),
        ("score", json!(0), "this much left of a goal"),
        ("left", json!([0, 870]), "this much left of a goal"),
        ("left", json!([1]), "this number of goals"),
        ("limit_left", json!(31), "this limit left"),
        ("limit_left", json!(28), "this number of moves"),
        ("moves", json!(0), "this number of moves"),
        ("items_brought", json!(1), "these items"),
    ] {
        let mut bad = good.clone();
        bad[field] = value.clone();
        let found = restore(&bad).map(|_| ());
        assert_eq!(found, Err(format!("no game of this level has {what}")), "{field}: {value}");
    }
    let mut more = good;
    more["more"] = json!(1);
    assert!(serde_json::from_value::<LevelSave>(more).is_err());
}
