//! The rules page, case by case.

use bitcore::Rng;
use match3::level::{
    Cover, Falls, Goal, Gravity, Ground, Items, Kind, Level, LevelEvent, LevelGame, LevelMove,
    LevelSpec, Limit, Outcome, Portal, ShuffleRule, Spawner, Start, Target,
};
use match3::{RandomColors, Swap, SwapError};

/// A level without spawners: digits are colors, `o` is an item, `C` a crate of two layers, `#` a
/// wall, `_` a void, `.` empty.
fn spec(rows: &[&str]) -> LevelSpec {
    let mut spec = LevelSpec::new(rows[0].len(), rows.len());
    spec.colors = vec![1; 9];
    spec.spawners = Some(Vec::new());
    spec.shuffle = ShuffleRule::End;
    for (y, row) in rows.iter().enumerate() {
        for (x, cell) in row.chars().enumerate() {
            let at = spec.cell((x, y));
            match cell {
                '#' => at.ground = Ground::Wall,
                '_' => at.ground = Ground::Void,
                '.' => at.start = Start::Empty,
                'o' => at.start = Start::Item,
                'C' => at.start = Start::Crate(2),
                _ => at.start = piece(cell.to_digit(10).expect("a color"), None, Cover::None),
            }
        }
    }
    spec
}

fn piece(color: u32, special: Option<Kind>, cover: Cover) -> Start {
    Start::Piece { color: Some(color as u8), special, cover }
}

fn game(spec: LevelSpec) -> (LevelGame, RandomColors) {
    let mut colors = RandomColors::new(spec.colors.len() as u8, Rng::new(1)).expect("colors");
    let level = Level::new(spec).unwrap_or_else(|error| panic!("{error}"));
    (LevelGame::new(level, &mut colors).expect("a game"), colors)
}

fn swap(text: &str) -> Swap {
    text.parse().expect("a swap")
}

/// Plays a swap. Returns the lines of its events after the swap, and the totals.
fn play(spec: LevelSpec, at: &str) -> (Vec<String>, LevelMove) {
    let (mut game, mut colors) = game(spec);
    let mut events: Vec<LevelEvent> = Vec::new();
    let result = game.play(swap(at), &mut colors, &mut events).expect("a legal swap");
    (events[1..].iter().map(ToString::to_string).collect(), result)
}

#[test]
fn a_match_breaks_what_is_on_it_and_crates_beside_it() {
    let mut spec = spec(&["1121", "C343", "5656"]);
    spec.cell((1, 0)).jelly = 2;
    spec.cell((0, 0)).start = piece(1, None, Cover::Lock);
    spec.cell((1, 1)).jelly = 1;
    spec.goals = vec![Goal { target: Target::Locked, count: 1 }];
    let (events, result) = play(spec, "2 0 H");
    let expected = [
        "match 1 line3 1 0,0 1,0 2,0",
        "clear 1 0,0 !1",
        "clear 1 1,0 1",
        "layer 1 1,0 jelly 1",
        "clear 1 2,0 1",
        "layer 1 0,1 crate 1",
        "goal 0",
        "over won",
    ];
    assert_eq!(events, expected);
    assert_eq!(result.cascade.cleared, 3);
    assert_eq!(result.cascade.score, 50);
}

#[test]
fn ice_takes_the_hit_and_keeps_its_piece_and_the_jelly() {
    let mut spec = spec(&["1121", "4343", "5656"]);
    spec.cell((0, 0)).start = piece(1, Some(Kind::Column), Cover::Ice(1));
    spec.cell((0, 0)).jelly = 1;
    let (events, result) = play(spec, "2 0 H");
    let expected = [
        "match 1 line3 1 0,0 1,0 2,0",
        "layer 1 0,0 ice 0",
        "clear 1 1,0 1",
        "clear 1 2,0 1",
        "over dead",
    ];
    assert_eq!(events, expected);
    assert_eq!(result.outcome, Some(Outcome::Dead));
}

#[test]
fn a_special_piece_goes_where_ice_left_room() {
    let mut spec = spec(&["11121", "43435", "56563"]);
    spec.cell((2, 0)).start = piece(2, None, Cover::None);
    spec.cell((2, 1)).start = piece(1, None, Cover::None);
    spec.cell((3, 0)).start = piece(1, None, Cover::Ice(1));
    let (events, _) = play(spec, "2 0 V");
    assert_eq!(events[0], "match 1 line5 1 0,0 1,0 2,0 3,0 4,0");
    assert!(events.contains(&"create 1 2,0 color 1".to_owned()), "{events:?}");

    // The group falls into place; its middle is below ice.
    let mut spec = self::spec(&["4411", "5543", "7891", "1176"]);
    spec.cell((2, 3)).start = piece(1, None, Cover::Ice(2));
    spec.cell((3, 3)).start = piece(1, None, Cover::None);
    spec.cell((1, 3)).start = piece(3, None, Cover::None);
    spec.cell((1, 2)).start = piece(1, None, Cover::None);
    spec.cell((1, 1)).start = piece(5, None, Cover::None);
    let (events, _) = play(spec, "1 2 V");
    assert_eq!(events[0], "match 1 line4 1 0,3 1,3 2,3 3,3");
    assert!(events.contains(&"create 1 1,3 row 1".to_owned()), "{events:?}");
}

/// Five colors in a Latin square, so that only special pieces match.
fn latin(first: Kind, second: Kind) -> LevelSpec {
    let mut spec = spec(&["12345", "23451", "34512", "45123", "51234"]);
    spec.cell((1, 2)).start = piece(4, Some(first), Cover::None);
    spec.cell((2, 2)).start = piece(5, Some(second), Cover::None);
    spec.effects.square = true;
    spec
}

#[test]
fn pairs_clear_what_the_page_says() {
    use Kind::{Bomb, Color, Column, Row, Square};
    for (first, second, cleared) in [
        (Row, Row, 9),
        (Row, Column, 9),
        (Column, Column, 9),
        (Row, Bomb, 21),
        (Bomb, Column, 21),
        (Bomb, Bomb, 25),
        (Color, Color, 25),
        (Square, Square, 8),
        (Square, Row, 10),
        (Column, Square, 10),
        (Bomb, Square, 9),
    ] {
        let (events, result) = play(latin(first, second), "1 2 H");
        assert_eq!(events[0], format!("pair 1 2,2 {first} 1,2 {second}"));
        assert_eq!(result.cascade.cleared, cleared, "{first} and {second}");
        assert_eq!(result.cascade.score, 10 * cleared, "{first} and {second}");
    }
}

#[test]
fn a_color_piece_changes_the_color_of_its_pair() {
    let (events, _) = play(latin(Kind::Color, Kind::Bomb), "1 2 H");
    let changes: Vec<&str> =
        events.iter().map(String::as_str).filter(|event| event.starts_with("change")).collect();
    assert_eq!(
        changes,
        ["change 1 4,0 bomb", "change 1 3,1 bomb", "change 1 1,3 bomb", "change 1 0,4 bomb"]
    );
    let set_off: Vec<&str> =
        events.iter().map(String::as_str).filter(|event| event.starts_with("setoff")).collect();
    assert_eq!(set_off[2], "setoff 1 1,2 bomb 5");
    assert_eq!(set_off.len(), 5);

    let (events, _) = play(latin(Kind::Column, Kind::Color), "1 2 H");
    let changes: Vec<&str> =
        events.iter().map(String::as_str).filter(|event| event.starts_with("change")).collect();
    assert_eq!(
        changes,
        ["change 1 3,0 row", "change 1 2,1 column", "change 1 0,3 row", "change 1 4,4 column"]
    );
}

#[test]
fn a_square_flies_to_the_goal_that_comes_first() {
    let goals: [(Option<Target>, &str); 5] = [
        (Some(Target::Crates), "fly 1 2,2 4,4"),
        (Some(Target::Jelly), "fly 1 2,2 3,4"),
        (Some(Target::Locked), "fly 1 2,2 2,4"),
        (Some(Target::Color(3)), "fly 1 2,2 2,0"),
        (None, "fly 1 2,2 0,0"),
    ];
    for (target, expected) in goals {
        let mut spec = latin(Kind::Square, Kind::Bomb);
        spec.cell((4, 4)).start = Start::Crate(1);
        spec.cell((3, 4)).jelly = 1;
        spec.cell((2, 4)).start = piece(2, None, Cover::Lock);
        spec.goals = target.into_iter().map(|target| Goal { target, count: 1 }).collect();
        let (events, _) = play(spec, "1 2 H");
        assert_eq!(events[1], expected, "{target:?}");
    }
}

#[test]
fn squares_match_and_make_square_pieces() {
    let mut spec = spec(&["1123", "4156", "1748"]);
    let swap = "0 1 V";
    let (mut game, mut colors) = game(spec.clone());
    assert_eq!(game.play(self::swap(swap), &mut colors, &mut ()), Err(SwapError::NoRun((0, 1))));
    spec.effects.square = true;
    let (events, _) = play(spec, swap);
    assert_eq!(events[0], "match 1 square 1 0,0 1,0 0,1 1,1");
    assert!(events.contains(&"create 1 0,1 square 1".to_owned()), "{events:?}");
}

/// What falls: through a void, out of a portal, and diagonally past a wall.
#[test]
fn things_fall_along_their_ways() {
    let rows = ["3456", "_789", "1121", "6545"];
    let (events, _) = play(spec(&rows), "2 2 H");
    let falls: Vec<&str> = events[4..].iter().map(String::as_str).collect();
    assert_eq!(
        falls,
        [
            "fall 0,0 0,2",
            "fall 1,1 1,2",
            "fall 1,0 1,1",
            "fall 2,1 2,2",
            "fall 2,0 2,1",
            "over dead"
        ]
    );

    let mut level = spec(&["3456", "2789", "1121", "6545"]);
    level.portals = vec![Portal { entrance: (3, 0), exit: (0, 2) }];
    let (events, _) = play(level, "2 2 H");
    assert!(events.contains(&"fall 3,0 0,2".to_owned()), "{events:?}");

    let mut level = spec(&["3456", "#789", "1121", "6545"]);
    level.falls = Falls::Diagonal;
    let (events, _) = play(level, "2 2 H");
    assert!(events.contains(&"fall 1,1 0,2".to_owned()), "{events:?}");
}

#[test]
fn gravity_points_anywhere() {
    for (gravity, expected) in [
        (Gravity::Down, "fall 0,1 0,2"),
        (Gravity::Up, "fall 0,3 0,2"),
        (Gravity::Left, "fall 3,2 2,2 1,2 0,2"),
        (Gravity::Right, "over dead"),
    ] {
        let mut level = spec(&["3456", "2789", "1121", "6545"]);
        level.gravity = gravity;
        let (events, _) = play(level, "2 2 H");
        assert_eq!(events[4], expected, "{gravity:?}");
    }
}

#[test]
fn spawners_bring_items_and_stop_at_their_limit() {
    let mut level = spec(&["3456", "2789", "1121", "6545"]);
    let mut first = Spawner::new((0, 0));
    first.weights = Some(vec![0, 0, 0, 0, 0, 0, 0, 0, 1]);
    first.items = false;
    let mut second = Spawner::new((1, 0));
    second.limit = Some(0);
    level.spawners = Some(vec![first, second, Spawner::new((2, 0))]);
    level.items = Items { total: 2, at_once: 1 };
    level.exits = vec![(0, 3)];
    let (events, _) = play(level, "2 2 H");
    let spawns: Vec<&str> =
        events.iter().map(String::as_str).filter(|event| event.starts_with("spawn")).collect();
    assert_eq!(spawns, ["spawn 9 0,0", "spawn item 2,0"]);
}

#[test]
fn items_are_swapped_into_place_and_leave() {
    let mut level = spec(&["3456", "1o89", "7112", "6545"]);
    level.exits = vec![(0, 1), (0, 3)];
    level.goals = vec![Goal { target: Target::Items, count: 1 }];
    let (mut game, _) = game(level.clone());
    assert!(game.legal_moves().is_empty() || !game.legal_moves().contains(&swap("0 1 H")));
    let error = game.play(swap("1 1 H"), &mut Rng::new(1), &mut ());
    assert_eq!(error, Err(SwapError::NoRun((1, 1))));

    let mut level = spec(&["3456", "7o89", "1711", "6554", "5546"]);
    level.cell((1, 1)).start = piece(1, None, Cover::None);
    level.cell((1, 2)).start = Start::Item;
    level.exits = vec![(1, 1)];
    level.goals = vec![Goal { target: Target::Items, count: 1 }];
    let (events, _) = play(level, "1 1 V");
    assert_eq!(events[0], "match 1 line4 1 0,2 1,2 2,2 3,2");
    assert!(events.contains(&"collect 1,1".to_owned()), "{events:?}");
    assert_eq!(events.last().map(String::as_str), Some("over won"));
}

#[test]
fn the_bound_ends_a_cascade_and_the_next_move_goes_on() {
    let mut level = LevelSpec::new(8, 8);
    level.colors = vec![1; 3];
    level.cascade_limit = 1;
    level.limit = Limit::Moves(1000);
    let (mut game, mut colors) = game(level);
    let mut is_limited = false;
    for _ in 0..100 {
        let Some(&swap) = game.legal_moves().first() else { break };
        let mut events: Vec<LevelEvent> = Vec::new();
        let result = game.play(swap, &mut colors, &mut events).expect("a legal swap");
        assert_eq!(result.cascade.levels, 1);
        assert_eq!(events.contains(&LevelEvent::CascadeLimit { level: 1 }), result.is_limited);
        assert_eq!(match3::is_stable(game.board().plain()), !result.is_limited);
        is_limited |= result.is_limited;
    }
    assert!(is_limited);
}

#[test]
fn moves_left_are_worth_a_bonus() {
    let mut level = spec(&["1121", "4343", "5656"]);
    level.limit = Limit::Moves(5);
    level.bonus = 100;
    level.goals = vec![Goal { target: Target::Score, count: 30 }];
    let (events, result) = play(level, "2 0 H");
    assert_eq!(events[4..], ["goal 0", "bonus 4 400", "over won"]);
    assert_eq!(result.bonus, 400);
}
