//! Playout verdicts on stones of obvious status.

use go_mc::{
    Board, Color, Error, Ownership, Point, Points, Size, Stopped, dead_stones, seki_stones,
};

fn point(name: &str) -> Point {
    name.parse().unwrap()
}

/// A board with two walls, and a stone of each color dead behind the enemy wall.
const WALLS: &str = "
    .X.XOO.O.
    X.XXO.OOO
    .XX.XO.O.
    XXXXXOOOO
    ...XO....
    .O.XO..X.
    ...XO....
    XXXXOOOOO
    X.X.XO.O.";

#[test]
fn stones_behind_the_wall_are_dead() {
    let board: Board = WALLS.parse().unwrap();
    let dead = dead_stones(&board, 1000, 1).unwrap();
    assert_eq!(
        dead,
        ["B4", "H4"].into_iter().filter_map(|name| Points::<19>::index(point(name))).collect()
    );
    let [black, white] = board.without(dead).area();
    let stones = |color| board.without(dead).stones(color).len();
    assert!(black > stones(Color::Black) && white > stones(Color::White));
    assert_eq!(
        black + white,
        81 - board.without(dead).empty().len() + black + white
            - stones(Color::Black)
            - stones(Color::White)
    );

    let ownership = Ownership::estimate(&board, 1001, 1).unwrap();
    assert_eq!(ownership.dead(&board), dead);
    assert_eq!(ownership.games(), 1001);
    assert!(ownership.value(point("A1")) > 0.9 && ownership.value(point("J9")) < -0.9);
    assert!(ownership.value(point("B4")) > 0.5);
    let owned = |color| ownership.count(color, point("B4"));
    assert!(owned(Color::Black) > owned(Color::White));
    let values: f64 = (0..9)
        .flat_map(|y| (0..9).map(move |x| Point { x, y }))
        .map(|at| ownership.value(at))
        .sum();
    assert!((ownership.score(6.5) - (values - 6.5)).abs() < 1e-9);
    assert!(
        ownership.score(-8.0) > 0.0 && ownership.score(8.0) < 0.0,
        "both sides have about the same"
    );
    let off = Point { x: 200, y: 3 };
    assert_eq!(ownership.count(Color::Black, off), 0);
    assert_eq!(ownership.value(off).to_bits(), 0);
}

/// A corner where Black's six stones and White's ring share the liberties A1 and C1; all other
/// stones live.
const CORNER: &str = "
    .O.OOOO.O
    OOOOOOOOO
    OOOOOOOOO
    XXXXXXXXX
    X.XXXX.XX
    XXXXXXXXX
    OOOOOOOX.
    OXXXXXOXX
    .X.OOOOX.";

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

fn in_seki(text: &str) -> u32 {
    let stones = seki_stones(&board(text), 1000, 1).unwrap();
    assert!((stones & dead_stones(&board(text), 1000, 1).unwrap()).is_empty());
    stones.len()
}

#[test]
fn a_seki_is_proved() {
    let corner = seki_stones(&board(CORNER), 1000, 1).unwrap();
    let [black, white] = ["B2", "D1"].map(|point| board(CORNER).chain(point.parse().unwrap()));
    assert_eq!(corner, black | white);
    assert_eq!(black.len(), 6);
    assert_eq!(white.len(), 13);
    // Playouts alone would remove one side.
    let ownership = Ownership::estimate(&board(CORNER), 1000, 1).unwrap();
    let dead = ownership.dead(&board(CORNER));
    assert!(!dead.is_empty() && (dead - corner).is_empty());
    assert_eq!(dead_stones(&board(CORNER), 1000, 1), Ok(Points::EMPTY));
    // One eye each and one shared liberty; then no eye and two shared liberties.
    assert_eq!(in_seki("XXXOO\nXX.OO\nXXXOO\nXXXOO\n.XXO."), 13 + 9);
    assert_eq!(in_seki("XX.OO\nXX.OO\nXXXOO\nXXXOO\nXXXOO"), 13 + 10);
    // White captures few stones, but has another eye.
    assert_eq!(in_seki("OOOO.\nOOOOO\nOOOOO\nXXOOO\n.X.OO"), 3 + 19);
}

#[test]
fn an_estimate_may_be_stopped() {
    for size in [5, 9, 13, 19] {
        let board = Board::new(Size::new(size, size).unwrap());
        let all = Ownership::estimate_until(&board, 3000, 1, &|| false);
        assert_eq!(all, Ok(Ownership::estimate(&board, 3000, 1)));
        // One call of `stop` for each color's games at least.
        let stopped = Ownership::estimate_until(&board, 3000, 1, &testkit::stop_at(1));
        assert_eq!(stopped, Err(Stopped));
    }
    let oblong = Board::new(Size::new(9, 5).unwrap());
    assert!(Ownership::estimate_until(&oblong, 1, 1, &|| false).unwrap().is_err());
}

#[test]
fn what_is_no_seki() {
    let cases = [
        // One liberty too many: Black can fill it safely.
        (".X.OO\nXX.OO\nXX.OO\nXXXOO\nXXXOO", "three shared liberties"),
        (".XXOO\nXX.OO\nXX.OO\nXXXOO\nXXXOO", "an eye against none"),
        (".X.OO\nX.XOO\nXXXOO\nXXXOO\nXXXO.", "two eyes against one"),
        ("XXXOO\nXX.OO\nXXXOO\nXXXOO\nXXXOO", "who moves first captures"),
        (".....\n.XX..\n..XO.\n..OO.\n.....", "an open fight"),
    ];
    for (text, why) in cases {
        assert_eq!(in_seki(text), 0, "{why}");
    }
    // Three stones and one more leave White a shape with a single eye, so Black can sacrifice them.
    let nakade = CORNER.replace("OXXXXXOXX", "OXXOOOOXX");
    assert_eq!(in_seki(&nakade), 0);
    assert_eq!(in_seki(WALLS), 0);
    // The surrounding black wall is in atari.
    let doubtful = CORNER.replace("X.XXXX.XX", "XXXXXXXXX").replace("OOOOOOOX.", "OOOOOOOXX");
    assert_eq!(in_seki(&doubtful), 0);
}

#[test]
fn sizes_without_playouts_are_refused() {
    for (width, height) in [(7, 7), (9, 13), (1, 1)] {
        let size = Size::new(width, height).unwrap();
        assert_eq!(dead_stones(&Board::new(size), 1, 1), Err(Error::NoPlayouts(size)));
        assert_eq!(seki_stones(&Board::new(size), 1, 1), Err(Error::NoPlayouts(size)));
    }
    for side in [5, 13, 19] {
        let board = Board::new(Size::new(side, side).unwrap());
        assert_eq!(dead_stones(&board, 4, 1), Ok(Points::EMPTY));
    }
}
