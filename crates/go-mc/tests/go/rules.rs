//! The exact rules, case by case.

use bitcore::Rng;
use go_mc::{
    Board, Chains, Color, Game, IllegalMove, Ko, Move, Point, Points, Position, Rules, Size, Suicide, perft,
};

fn board(diagram: &str) -> Board {
    diagram.parse().unwrap()
}

fn point(name: &str) -> Point {
    name.parse().unwrap()
}

#[test]
fn a_stone_takes_every_chain_that_it_leaves_without_a_liberty() {
    let mut board = board(".X.X.\nXO.OX\n.X.X.\n.....");
    assert_eq!(board.play(Color::Black, point("C3"), Suicide::Forbidden), Ok(2));
    assert_eq!(board.to_string(), ".X.X.\nX.X.X\n.X.X.\n.....\n");
    assert_eq!((board.ko(Color::White), board.ko(Color::Black)), (None, None));
}

#[test]
fn suicide_by_rule() {
    for (diagram, at, own) in [(".X.\nX..\n...", "A3", 1), ("OX.\n.X.\nX..", "A2", 2)] {
        let before = board(diagram);
        for suicide in [Suicide::Forbidden, Suicide::Multi, Suicide::All] {
            let mut after = before.clone();
            let allowed = suicide == Suicide::All || suicide == Suicide::Multi && own == 2;
            let played = after.play(Color::White, point(at), suicide);
            assert_eq!(played, if allowed { Ok(own) } else { Err(IllegalMove::Suicide) }, "{suicide}");
            if allowed {
                assert_eq!(after.stones(Color::White), Points::EMPTY);
                assert_eq!(after.stones(Color::Black), before.stones(Color::Black));
            } else {
                assert_eq!(after, before);
            }
        }
    }
}

#[test]
fn a_ko_binds_the_opponent_for_one_move() {
    let start = board(".XO.\nXO.O\n.XO.\n....");
    let take = |board: &mut Board| board.play(Color::Black, point("C3"), Suicide::Forbidden);
    let back = |board: &mut Board| board.play(Color::White, point("B3"), Suicide::Forbidden);
    let mut ko = start.clone();
    assert_eq!((take(&mut ko), back(&mut ko)), (Ok(1), Err(IllegalMove::Ko)));
    assert_eq!((ko.ko(Color::White), ko.ko(Color::Black)), (Some(point("B3")), None));
    // Black may fill it; a pass or any other move ends the ban.
    assert_eq!(ko.clone().play(Color::Black, point("B3"), Suicide::Forbidden), Ok(0));
    let mut passed = ko.clone();
    passed.pass();
    assert_eq!(back(&mut passed), Ok(1));
    ko.play(Color::White, point("A1"), Suicide::Forbidden).unwrap();
    assert_eq!(back(&mut ko), Ok(1));
    // A capturing stone in a larger chain, or with another liberty: no ko.
    for (diagram, takes) in [(".....\n.....\nOO...\nXXO..\n.OX..", "A1"), ("...\nX..\nO..", "B1")] {
        let mut no_ko = board(diagram);
        assert_eq!(no_ko.play(Color::Black, point(takes), Suicide::Forbidden), Ok(1));
        assert_eq!(no_ko.ko(Color::White), None);
    }
}

#[test]
fn superko_by_rule() {
    let line = Size::new(2, 1).unwrap();
    let play = |ko, moves: &str| {
        let mut game = Game::new(line, Rules { ko, suicide: Suicide::All });
        moves.split(' ').map(|mv| game.play(mv.parse::<Move>().unwrap())).last().unwrap()
    };
    // Retaking at once recreates the position with White to move.
    assert_eq!(play(Ko::Simple, "A1 B1 A1"), Err(IllegalMove::Ko));
    for ko in [Ko::Positional, Ko::Situational] {
        assert_eq!(play(ko, "A1 B1 A1"), Err(IllegalMove::Superko));
    }
    // The suicide of two stones recreates the empty board, now with White to move: an old position, a new
    // situation.
    assert_eq!(play(Ko::Positional, "A1 pass B1"), Err(IllegalMove::Superko));
    assert_eq!(play(Ko::Situational, "A1 pass B1"), Ok(()));
    assert_eq!(play(Ko::Simple, "pass pass A1"), Err(IllegalMove::GameOver));
    let single = Size::new(1, 1).unwrap();
    for (ko, expected) in
        [(Ko::Simple, Ok(())), (Ko::Situational, Ok(())), (Ko::Positional, Err(IllegalMove::Superko))]
    {
        // The suicide of a lone stone changes the turn but not the position.
        let mut game = Game::new(single, Rules { ko, suicide: Suicide::All });
        assert_eq!(game.play(Move::Play(point("A1"))), expected, "{ko}");
    }
}

#[test]
fn refusals_say_why_and_change_nothing() {
    let mut game = Game::new(Size::new(3, 2).unwrap(), Rules { ko: Ko::Simple, suicide: Suicide::Forbidden });
    game.play(Move::Play(point("A1"))).unwrap();
    let before = format!("{game:?}");
    for (at, why) in
        [("A1", IllegalMove::Occupied), ("D1", IllegalMove::OffBoard), ("A3", IllegalMove::OffBoard)]
    {
        assert_eq!(game.play(Move::Play(point(at))), Err(why));
        assert_eq!(format!("{game:?}"), before);
    }
    let far = Point { x: 255, y: 255 };
    assert_eq!(game.play(Move::Play(far)), Err(IllegalMove::OffBoard));
    assert_eq!((game.board().at(far), game.board().liberties(far)), (None, Points::EMPTY));
    assert!(!game.board().is_eye(Color::Black, far));
}

#[test]
fn eyes_by_definition() {
    let board = board(".X.X.\nX.X.X\n.X.XO\nX.X..\n.XO..");
    let eyes = board.empty().iter().map(Points::<19>::point).filter(|&p| board.is_eye(Color::Black, p));
    let names: Vec<String> = eyes.map(|p| p.to_string()).collect();
    // D4 has one lost diagonal in the interior. C1 is no empty point. A1 has no enemy on its diagonal.
    assert_eq!(names, ["A1", "B2", "A3", "C3", "B4", "D4", "A5", "C5", "E5"]);
}

#[test]
fn random_games_keep_the_invariant() {
    testkit::seeds(1000, |seed| {
        let mut rng = Rng::new(seed);
        let size = Size::new(1 + rng.below(7) as usize, 1 + rng.below(7) as usize).unwrap();
        let ko = [Ko::Simple, Ko::Positional, Ko::Situational][rng.below(3) as usize];
        let suicide = [Suicide::Forbidden, Suicide::Multi, Suicide::All][rng.below(3) as usize];
        let mut game = Game::new(size, Rules { ko, suicide });
        let mut seen = vec![];
        for _ in 0..60 {
            let mv = match rng.below(12) {
                0 => Move::Pass,
                _ => Move::Play(Point { x: rng.below(8) as u8, y: rng.below(8) as u8 }),
            };
            let before = format!("{game:?}");
            if game.play(mv).is_err() {
                assert_eq!(format!("{game:?}"), before);
                continue;
            }
            let board = game.board();
            let stones = Color::ALL.map(|color| board.stones(color));
            let again = Board::from_stones(size, stones[0], stones[1]).expect("every chain has a liberty");
            assert_eq!(board.to_string().parse::<Board>(), Ok(again));
            if mv != Move::Pass && ko != Ko::Simple {
                let turn = (ko == Ko::Situational).then(|| game.to_move());
                assert!(!seen.contains(&(stones, turn)), "a position came back");
            }
            seen.push((stones, (ko == Ko::Situational).then(|| game.to_move())));
        }
    });
}

#[test]
fn perft_to_its_greatest_depth() {
    // One point on which every move removes itself: one sequence of each length.
    let rules = Rules { ko: Ko::Simple, suicide: Suicide::All };
    let game = Game::new(Size::new(1, 1).unwrap(), rules);
    assert_eq!(perft::perft(&game, perft::MAX_DEPTH, false), [1; perft::MAX_DEPTH]);
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
    let rules = Rules { ko: Ko::Simple, suicide: Suicide::Forbidden };
    perft::perft(&Game::new(Size::new(1, 1).unwrap(), rules), usize::MAX >> 3, false);
}

#[test]
fn a_stopped_perft_ends_soon() {
    let asked = std::cell::Cell::new(0);
    let stop = || asked.replace(asked.get() + 1) == 2;
    let rules = Rules { ko: Ko::Simple, suicide: Suicide::Forbidden };
    let game = Game::new(Size::new(19, 19).unwrap(), rules);
    assert_eq!(perft::perft_until(&game, 50, true, &stop), None);
    assert_eq!(asked.get(), 3);
}

#[test]
fn a_position_after_a_pass() {
    let mut board = board(".XO.\nXO.O\n.XO.\n....");
    board.play(Color::Black, point("C3"), Suicide::Forbidden).unwrap();
    let position = Position::<4>::new(&board, Color::White).unwrap();
    let ko = Points::from_index(Points::<4>::index(point("B3")).unwrap());
    assert_eq!((position.ko(), position.passed()), (ko, false));
    let after = position.after_pass();
    assert_eq!((after.ko(), after.passed(), after.to_move()), (Points::EMPTY, true, Color::Black));
    assert_eq!(Color::ALL.map(|color| after.stones(color)), Color::ALL.map(|color| position.stones(color)));
}

#[test]
fn the_player_to_move_can_be_set() {
    let rules = Rules { ko: Ko::Simple, suicide: Suicide::Forbidden };
    let mut game = Game::new(Size::new(5, 5).unwrap(), rules);
    game.play(Move::Pass).unwrap();
    // The turn was White's: nothing changes.
    game.set_to_move(Color::White);
    assert_eq!((game.to_move(), game.passes()), (Color::White, 1));
    game.set_to_move(Color::Black);
    assert_eq!((game.to_move(), game.passes()), (Color::Black, 0));
    // After the end, a game continues with either player.
    for color in Color::ALL {
        let mut over = game.clone();
        for _ in 0..2 {
            over.play(Move::Pass).unwrap();
        }
        assert!(over.is_over());
        over.set_to_move(color);
        assert_eq!((over.to_move(), over.passes(), over.is_over()), (color, 0, false));
    }
}

#[test]
fn legal_positions_are_counted() {
    // OEIS A094777 for squares; John Tromp and Gunnar Farnebäck, "Combinatorics of Go", for the other.
    for (width, height, count) in [(1, 1, 1), (2, 1, 5), (2, 2, 57), (3, 3, 12_675)] {
        assert_eq!(perft::legal_positions(Size::new(width, height).unwrap()), count, "{width} x {height}");
    }
}
