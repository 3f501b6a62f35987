//! Parse errors, and round trips of formatted values.

use crate::properties::values::{SUICIDES, square};
use bitcore::Rng;
use go_mc::{Board, Color, Error, Ko, Komi, Move, Playouts, Point, Rules, Size, Stats, Suicide};
use std::fmt::Debug;
use std::str::FromStr;

fn refused<T: FromStr<Err = Error> + Debug>(text: &str) -> (usize, usize) {
    let error = text.parse::<T>().expect_err(text);
    match error {
        Error::Text { line, column, .. } => (line, column),
        other => panic!("{other}"),
    }
}

#[test]
fn errors_say_where() {
    for (text, column) in
        [("", 1), ("I1", 1), ("Z1", 1), ("é1", 1), ("4D", 1), ("D", 2), ("D0", 2), ("D20", 2)]
    {
        assert_eq!(refused::<Point>(text), (1, column), "{text}");
        assert_eq!(refused::<Move>(text), (1, column), "{text}");
    }
    for text in ["D+4", "D 4", "D4 ", "D99999999999999999999999", "D4x"] {
        assert_eq!(refused::<Point>(text), (1, 2), "{text}");
    }
    for (text, column) in
        [("", 1), ("9", 1), ("0x3", 1), ("20x3", 1), ("3x", 3), ("10x20", 4), ("3x3x3", 3)]
    {
        assert_eq!(refused::<Size>(text), (1, column), "{text}");
    }
    assert_eq!(refused::<Color>("green"), (1, 1));
    assert_eq!(refused::<Ko>(""), (1, 1));
    assert_eq!(refused::<Suicide>("no"), (1, 1));
    for text in [
        "",
        "-",
        "+7",
        "7.",
        ".5",
        "7.50",
        "7.25",
        "7,5",
        "--7",
        " 7",
        "1073741824",
        "99999999999999999999",
    ] {
        assert_eq!(refused::<Komi>(text), (1, 1), "{text}");
    }
}

#[test]
fn errors_of_diagrams_say_where() {
    for (text, place) in [
        ("", (1, 1)),
        ("\n\n", (3, 1)),
        ("....................", (1, 1)),
        (".\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n.\n", (1, 1)),
        ("..\n.?", (2, 2)),
        ("\n  ..\n  .?", (3, 4)),
        ("..\n...", (2, 3)),
        ("..\n.", (2, 2)),
        ("..\n..\n\n..\n", (4, 1)),
        (".X\n\n.X\n", (3, 1)),
        // Reports the topmost of the stones without a liberty, leftmost first.
        ("....\n.X..\nXOX.\nXOX.\n.XX.\n", (3, 2)),
    ] {
        assert_eq!(refused::<Board>(text), place, "{text:?}");
    }
}

#[test]
fn points_and_words_come_back() {
    let mut names = vec![];
    for index in Size::new(19, 19).unwrap().points() {
        let point = go_mc::Points::<19>::point(index);
        let name = point.to_string();
        assert_eq!((name.parse(), name.to_lowercase().parse()), (Ok(point), Ok(Move::Play(point))));
        names.push(name);
    }
    assert_eq!((names.len(), &*names[8], &*names[360]), (361, "J1", "T19"));
    assert!(names.iter().all(|name| !name.starts_with('I')));
    assert_eq!(Move::Pass.to_string().parse(), Ok(Move::Pass));
    for color in Color::ALL {
        assert_eq!(color.to_string().to_uppercase().parse(), Ok(color));
    }
    for size in [(1, 1), (9, 9), (19, 1), (1, 19)].map(|(w, h)| Size::new(w, h).unwrap()) {
        assert_eq!(size.to_string().parse(), Ok(size));
    }
    assert_eq!((Size::new(0, 5), Size::new(5, 20)), (None, None));
    for size in [(1, 1), (9, 9), (19, 1)].map(|(w, h)| Size::new(w, h).unwrap()) {
        assert_eq!(
            size.side().and_then(Size::square),
            (size.width() == size.height()).then_some(size)
        );
    }
    assert_eq!((Size::square(0), Size::square(20)), (None, None));
}

#[test]
fn komi_is_half_points() {
    let mut rng = Rng::new(3);
    let edges = [i32::MIN, i32::MIN + 1, -2, -1, 0, 1, 2, 15, i32::MAX - 1, i32::MAX];
    for half_points in
        edges.into_iter().chain((0..1000).map(|_| rng.next_u64() as i32 >> rng.below(32)))
    {
        let (komi, points) = (Komi::from_half_points(half_points), f64::from(half_points) / 2.0);
        assert_eq!((komi.half_points(), f64::from(komi)), (half_points, points));
        assert_eq!((komi.to_string(), Komi::try_from(points)), (points.to_string(), Ok(komi)));
        assert_eq!(komi.to_string().parse(), Ok(komi));
    }
    assert_eq!(("-0".parse(), "6.0".parse()), (Ok(Komi::ZERO), Ok(Komi::from_half_points(12))));
    for points in [0.25, -7.4, 1e300, f64::INFINITY, f64::NAN, 1_073_741_824.0] {
        let error = Komi::try_from(points).unwrap_err();
        assert_eq!(error.to_string(), format!("komi: expected a multiple of 0.5, found {points}"));
    }
}

#[test]
fn boards_are_read_with_blanks_around_them() {
    let plain: Board = ".X.\nO..\n".parse().unwrap();
    assert_eq!("\n\t.x. \n\to.. \n\n".parse(), Ok(plain));
}

#[test]
fn batches_join() {
    let rules = Rules { suicide: Suicide::All, ..square(5) };
    let play = |games| Playouts::new(rules, 4).map(|mut playouts| playouts.play(games));
    let (first, all) = (play(30), play(100));
    let rest = (30..100).map(|i| {
        let one = std::iter::once(Rng::stream(4, i));
        go_mc::playout::chain_playouts(rules, one).unwrap()
    });
    let joined = rest.fold(first.unwrap(), |mut sum: Stats, stats| {
        sum += stats;
        sum
    });
    assert_eq!(Ok(joined), all);
    assert_eq!(joined.games, 100);
    for size in ["1x1", "8x8", "10x10", "18x18", "9x13"].map(|size| size.parse::<Size>().unwrap()) {
        for suicide in SUICIDES {
            let rules = Rules { size, suicide, ..Rules::default() };
            assert_eq!(Playouts::new(rules, 1).map(drop), Err(Error::NoPlayouts(size)));
        }
    }
    let none = play(0).unwrap();
    assert_eq!((none, none.score.mean().to_bits()), (Stats::default(), 0));
}
