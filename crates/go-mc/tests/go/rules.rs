//! The exact rules, case by case.

use crate::properties::values::square;
use go_mc::perft::Passes;
use go_mc::{
    Board, Chains, Color, Game, IllegalMove, Ko, Move, Point, Points, Position, Rules, Setup, Size,
    Stopped, Suicide, ThreadPool, perft,
};

fn board(diagram: &str) -> Board {
    diagram.parse().unwrap()
}

fn point(name: &str) -> Point {
    name.parse().unwrap()
}

/// Plays moves, each with the expected number of captured stones or the expected error.
fn assert_played(board: &mut Board, suicide: Suicide, moves: &str) {
    for text in moves.split(' ') {
        if text == "pass" {
            board.pass();
            continue;
        }
        let (color, rest) = text.split_at(1);
        let (at, outcome) = rest.split_once('=').expect("an outcome");
        let expected = match outcome {
            "ko" => Err(IllegalMove::Ko),
            "suicide" => Err(IllegalMove::Suicide),
            count => Ok(count.parse().expect("a number of stones")),
        };
        let color = if color == "b" { Color::Black } else { Color::White };
        assert_eq!(board.play(color, point(at), suicide), expected, "{text} of {moves}, {suicide}");
    }
}

const KO: &str = ".XO.\nXO.O\n.XO.\n....";

#[test]
fn captures_suicide_and_ko_by_rule() {
    use Suicide::{All, Forbidden, Multi};
    let one = ".X.\nX..\n...";
    let two = "OX.\n.X.\nX..";
    for (before, suicide, moves, after) in [
        // Every chain left without a liberty is captured.
        (
            ".X.X.\nXO.OX\n.X.X.\n.....",
            Forbidden,
            "bC3=2 wB3=suicide",
            ".X.X.\nX.X.X\n.X.X.\n.....",
        ),
        (one, Forbidden, "wA3=suicide", one),
        (one, Multi, "wA3=suicide", one),
        (one, All, "wA3=1", one),
        (two, Forbidden, "wA2=suicide", two),
        (two, Multi, "wA2=2", ".X.\n.X.\nX.."),
        (two, All, "wA2=2", ".X.\n.X.\nX.."),
        // A ko binds the opponent for one move, or until a pass.
        (KO, Forbidden, "bC3=1 wB3=ko", ".XO.\nX.XO\n.XO.\n...."),
        (KO, Forbidden, "bC3=1 bB3=0", ".XO.\nXXXO\n.XO.\n...."),
        (KO, Forbidden, "bC3=1 pass wB3=1", KO),
        (KO, Forbidden, "bC3=1 wB3=ko wA1=0 wB3=1", ".XO.\nXO.O\n.XO.\nO..."),
        // A capturing stone in a larger chain, or with another liberty: no ko.
        (
            ".....\n.....\nOO...\nXXO..\n.OX..",
            Forbidden,
            "bA1=1 wB1=3",
            ".....\n.....\nOO...\n..O..\n.OX..",
        ),
        ("...\nX..\nO..", Forbidden, "bB1=1 wA1=suicide", "...\nX..\n.X."),
    ] {
        let mut played = board(before);
        assert_played(&mut played, suicide, moves);
        assert_eq!(played.to_string().trim_end(), after, "{moves}, {suicide}");
    }
}

#[test]
fn superko_by_rule() {
    use Ko::{Positional, Simple, Situational};
    let superko = Err(IllegalMove::Superko);
    for (size, ko, moves, expected) in [
        // Retaking immediately recreates the position with White to move.
        ("2x1", Simple, "A1 B1 A1", Err(IllegalMove::Ko)),
        ("2x1", Positional, "A1 B1 A1", superko),
        ("2x1", Situational, "A1 B1 A1", superko),
        // The suicide of two stones recreates the empty board, but with White to move: an old
        // position, a new situation.
        ("2x1", Positional, "A1 pass B1", superko),
        ("2x1", Situational, "A1 pass B1", Ok(())),
        ("2x1", Simple, "pass pass A1", Err(IllegalMove::GameOver)),
        // The suicide of a lone stone changes the turn but not the position.
        ("1x1", Simple, "A1", Ok(())),
        ("1x1", Situational, "A1", Ok(())),
        ("1x1", Positional, "A1", superko),
    ] {
        let mut game =
            Game::new(Rules { ko, suicide: Suicide::All, ..size.parse::<Size>().unwrap().into() });
        let last = moves.split(' ').map(|mv| game.play(mv.parse().unwrap())).last();
        assert_eq!(last, Some(expected), "{moves}, {ko}");
    }
}

#[test]
fn eyes_by_definition() {
    let board = board(".X.X.\nX.X.X\n.X.XO\nX.X..\n.XO..");
    let eyes =
        board.empty().iter().map(Points::<19>::point).filter(|&p| board.is_eye(Color::Black, p));
    let names: Vec<String> = eyes.map(|p| p.to_string()).collect();
    // D4 has one lost diagonal in the interior. C1 is not empty. A1 has no enemy on its diagonal.
    assert_eq!(names, ["A1", "B2", "A3", "C3", "B4", "D4", "A5", "C5", "E5"]);
}

fn game(side: usize, suicide: Suicide) -> Game {
    Game::new(Rules { ko: Ko::Simple, suicide, ..square(side) })
}

#[test]
fn perft_to_its_greatest_depth() {
    // A single point where every move removes itself: one sequence of each length.
    assert_eq!(
        perft::perft(&game(1, Suicide::All), perft::MAX_DEPTH, Passes::LeftOut),
        [1; perft::MAX_DEPTH]
    );
}

#[test]
#[should_panic(expected = "a stone on an empty point")]
fn chains_refuse_an_occupied_point() {
    let mut chains = Chains::<5>::new();
    chains.play(Color::Black, 7);
    chains.play(Color::White, 7);
}

#[test]
#[should_panic(expected = "a stone on an empty point")]
fn chains_refuse_a_gap_between_rows() {
    Chains::<5>::new().play(Color::Black, 5);
}

#[test]
#[should_panic(expected = "expected a depth of at most 1000 plies, found 2305843009213693951")]
fn perft_refuses_a_greater_depth() {
    perft::perft(&game(1, Suicide::Forbidden), usize::MAX >> 3, Passes::LeftOut);
}

#[test]
fn a_stopped_perft_ends_soon() {
    let game = game(19, Suicide::Forbidden);
    let stop = testkit::stop_at(2);
    let stopped = perft::perft_until(&ThreadPool::single(), &game, 50, Passes::Counted, &stop);
    assert_eq!(stopped, Err(Stopped));
}

#[test]
fn a_position_after_a_pass() {
    let mut board = board(KO);
    board.play(Color::Black, point("C3"), Suicide::Forbidden).unwrap();
    let position = Position::<4>::new(&board, Color::White).unwrap();
    let ko = Points::from_index(Points::<4>::index(point("B3")).unwrap());
    assert_eq!(position.ko(), ko);
    assert!(!position.passed());
    let after = position.after_pass();
    assert_eq!(after.ko(), Points::EMPTY);
    assert!(after.passed());
    assert_eq!(after.to_move(), Color::Black);
    assert_eq!(
        Color::ALL.map(|color| after.stones(color)),
        Color::ALL.map(|color| position.stones(color))
    );
}

#[test]
fn a_board_brings_its_size() {
    let small = board("...\nX..\n...");
    let game = Game::from_board(small.clone(), Color::White, Rules::default());
    assert_eq!(game.rules().size, small.size());
    assert_eq!(game.board().size(), small.size());
}

/// The steps of a record are taken back like moves, up to its last setup.
#[test]
fn undo_goes_back_to_the_last_setup() {
    let mut game = Game::from_board(board(KO), Color::Black, Rules::default());
    let taking = Move::Play(point("C3"));
    game.play(taking).unwrap();
    let with_ko = game.clone();
    let retaking = Move::Play(point("B3"));
    assert_eq!(game.play_recorded(Color::White, retaking), Some(IllegalMove::Superko));
    game.set_to_move(Color::White);
    assert_eq!(game.undo(), Some((Color::White, retaking)));
    assert_eq!(game, with_ko);
    assert_eq!(
        game.play_recorded(Color::White, Move::Play(point("T19"))),
        Some(IllegalMove::OffBoard)
    );
    assert_eq!(game, with_ko);
    assert_eq!(game.start().board(), &board(KO));
    assert_eq!(game.undo(), Some((Color::Black, taking)));
    assert_eq!(game.undo(), None);
    game.play(taking).unwrap();
    let corner = Points::<19>::index(point("D1")).into_iter().collect();
    game.set_up(&Setup { black: corner, ..Setup::default() });
    assert_eq!(game.moves().count(), 0);
    assert_eq!(game.undo(), None);
    assert_eq!(game.start(), game);
}
