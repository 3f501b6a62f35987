//! The bugs of `FooGo`, each with a position where the fixed version differs.

use go_mc::reference::FooGo;
use go_mc::{Board, Color, Point, Points, Size};

fn at<const N: usize>(point: &str) -> usize {
    Points::<N>::index(point.parse::<Point>().unwrap()).unwrap()
}

/// Returns a game with these stones played; none of them captures.
fn placed<const N: usize>(black: &str, white: &str) -> FooGo<N> {
    let mut game = FooGo::new();
    for (color, points) in [(Color::Black, black), (Color::White, white)] {
        points.split(' ').for_each(|point| game.play(color, at::<N>(point)));
    }
    let stones = |points: &str| points.split(' ').map(at::<N>).collect::<Points<N>>();
    assert_eq!(game.stones(), [stones(black), stones(white)]);
    game
}

#[test]
fn a_capture_refreshes_the_real_eyes_of_the_captured_color() {
    // White's eyes A1 and B2 make each other real, until Black captures C2 from inside B2.
    let mut game = placed::<5>("C1 D2 C3", "A2 B1 C2 B3");
    assert!(game.sets()[1].real_eyes.contains(at::<5>("A1")));
    game.play(Color::Black, at::<5>("B2"));
    assert!(game.sets()[1].eyes.contains(at::<5>("A1")));
    assert!(!game.sets()[1].real_eyes.contains(at::<5>("A1")));
}

#[test]
fn a_fake_eye_opens_in_atari_only() {
    let mut game = placed::<5>("B2", "A2 B1");
    let open =
        |game: &FooGo<5>| [0, 1].map(|color| game.sets()[color].playable.contains(at::<5>("A1")));
    assert_eq!(open(&game), [false, false]);
    // A2 becomes a chain with more liberties: nothing opens.
    game.play(Color::White, at::<5>("A3"));
    assert_eq!(open(&game), [false, false]);
    // With B1 in atari, both may play there.
    game.play(Color::Black, at::<5>("C1"));
    assert_eq!(open(&game), [true, true]);
}

#[test]
fn suicide_is_playable_and_so_is_the_rest() {
    let mut game = placed::<5>("A2 B2 C1", "A1");
    let playable = game.sets()[1].playable;
    assert!(playable.contains(at::<5>("B1")) && playable.contains(at::<5>("E5")));
    game.play(Color::White, at::<5>("B1"));
    assert!(game.stones()[1].is_empty());
    // Now an eye of two points, neither of which is an eye by the program's definition.
    assert!(game.sets()[1].playable.contains(at::<5>("A1")));
}

#[test]
fn only_a_lone_stone_makes_a_ko() {
    // Black's A1 captures B1 and joins a chain whose only liberty is B1: White may capture the
    // three stones.
    let mut game = placed::<5>("A2 B2 C1", "B1 A3 B3 C2");
    game.play(Color::Black, at::<5>("A1"));
    assert_eq!(game.liberty_count(at::<5>("A2")), 1);
    assert_eq!(game.ko(), None);
    game.play(Color::White, at::<5>("B1"));
    assert_eq!(game.stones()[0].len(), 1);
    // For comparison, a real ko.
    let mut game = placed::<5>("B1 A2 B3 C4", "C1 D2 C3 B2");
    game.play(Color::Black, at::<5>("C2"));
    assert_eq!(game.ko(), Some(at::<5>("B2")));
    game.pass(Color::White);
    assert_eq!(game.ko(), None);
}

#[test]
fn more_than_127_liberties() {
    // A comb of six teeth, three columns apart.
    let size = Size::new(19, 19).unwrap();
    let comb: Points<19> = size
        .points()
        .iter()
        .filter(|p| p / Points::<19>::STRIDE == 0 || p % Points::<19>::STRIDE % 3 == 1)
        .collect();
    let mut game = FooGo::<19>::new();
    comb.iter().for_each(|p| game.play(Color::Black, p));
    let board = Board::from_stones(size, comb, Points::EMPTY).unwrap();
    let liberties = board.liberties("A1".parse().unwrap()).len();
    assert!(liberties > 127);
    assert_eq!(u32::from(game.liberty_count(at::<19>("A1"))), liberties);
}
