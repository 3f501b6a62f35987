//! Errors of texts that cannot be read, and texts that are written and read again.

use bitcore::Rng;
use go_mc::{
    Board, Color, Ko, Move, ParseError, Point, Policy, Size, Stats, Suicide, UnsupportedSize, playouts,
};
use std::fmt::Debug;
use std::str::FromStr;

fn refused<T: FromStr<Err = ParseError> + Debug>(text: &str) -> (usize, usize) {
    let error = text.parse::<T>().expect_err(text);
    (error.line, error.column)
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
    for (text, column) in [("", 1), ("9", 1), ("0x3", 1), ("20x3", 1), ("3x", 3), ("10x20", 4), ("3x3x3", 3)]
    {
        assert_eq!(refused::<Size>(text), (1, column), "{text}");
    }
    assert_eq!(refused::<Color>("green"), (1, 1));
    assert_eq!(refused::<Ko>(""), (1, 1));
    assert_eq!(refused::<Suicide>("no"), (1, 1));
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
        // The highest of the stones without a liberty, then the leftmost.
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
}

#[test]
fn boards_are_read_with_blanks_around_them() {
    let plain: Board = ".X.\nO..\n".parse().unwrap();
    assert_eq!("\n\t.x. \n\to.. \n\n".parse(), Ok(plain));
}

#[test]
fn batches_join() {
    let (first, all) = (playouts(5, Policy::FooGo, 30, 4), playouts(5, Policy::FooGo, 100, 4));
    let rest = (30..100).map(|i| {
        let one = std::iter::once(Rng::stream(4, i));
        go_mc::playout::chain_playouts(5, Policy::FooGo, one).unwrap()
    });
    let joined = rest.fold(first.unwrap(), |mut sum: Stats, stats| {
        sum += stats;
        sum
    });
    assert_eq!(Ok(joined), all);
    assert_eq!(joined.games, 100);
    for size in [0, 1, 8, 10, 20, usize::MAX] {
        assert_eq!(playouts(size, Policy::FooGo, 1, 1), Err(UnsupportedSize(size)));
    }
    let none = playouts(9, Policy::FooGo, 0, 1).unwrap();
    assert_eq!((none, none.score.mean().to_bits()), (Stats::default(), 0));
}
