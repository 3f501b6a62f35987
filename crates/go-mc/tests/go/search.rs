//! The moves found by the search, and the guarantees of its tree.

use crate::properties::values::square;
use bitcore::Rng;
use go_mc::search::{Candidate, Choice, Search, SearchPlayer, Settings};
use go_mc::{
    Board, Color, Error, Game, IllegalMove, Ko, Move, Player, Point, Points, Rules, Size, Stopped,
    Suicide, dead_stones, seki_stones,
};

fn settings() -> Settings {
    Settings { max_nodes: 1 << 18, ..Settings::light() }
}

fn empty(side: usize) -> Game {
    Game::new(square(side))
}

fn position(board: &str, to_move: Color) -> Game {
    Game::from_board(board.parse::<Board>().unwrap(), to_move, Rules::default())
}

fn play(mv: &str) -> Choice {
    Choice::Move(mv.parse().unwrap())
}

fn searched(settings: &Settings, playouts: u64) -> Search {
    let mut search = Search::new(&empty(9), settings).unwrap();
    search.run(playouts);
    search
}

fn visits(candidates: &[Candidate]) -> u64 {
    candidates.iter().map(|candidate| candidate.visits).sum()
}

fn chosen(game: &Game, komi: f64, settings: &Settings, playouts: u64) -> Choice {
    let mut search = Search::with_komi(game, komi, settings).unwrap();
    search.run(playouts);
    search.choose()
}

#[test]
fn the_center_of_5x5_wins_it() {
    assert_eq!(chosen(&empty(5), 7.5, &settings(), 10_000), play("C3"));
}

#[test]
fn a_group_is_captured_or_saved() {
    // Nine stones in atari: Black captures them, or White connects them to a stone with liberties.
    let atari = "
        .........
        ..XXX....
        .XOOOX...
        .XOOO.O..
        .XOOOX...
        ..XXX....
        .........
        ....O.O..
        .........";
    for color in Color::ALL {
        let game = position(atari, color);
        assert_eq!(chosen(&game, 0.5, &settings(), 20_000), play("F6"), "{color}");
        assert_eq!(chosen(&game, 0.5, &Settings::default(), 2000), play("F6"), "{color}");
    }
}

#[test]
fn a_seed_repeats_the_search() {
    let candidates = |seed, playouts_per_leaf| {
        let mut search = searched(&Settings { seed, playouts_per_leaf, ..settings() }, 3000);
        search.run(1000);
        assert_eq!(search.visits(), 4000);
        assert_eq!(visits(&search.candidates()), 4000);
        search.candidates()
    };
    let first = candidates(1, 16);
    assert!(first == candidates(1, 16) && first != candidates(2, 16) && first != candidates(1, 8));
}

#[test]
fn every_level_finds_the_same() {
    let heavy = Settings { max_nodes: 1 << 18, ..Settings::default() };
    for (side, playouts, settings) in [
        (9, 2000, settings()),
        (5, 500, heavy.clone()),
        (9, 300, heavy.clone()),
        (13, 30, heavy.clone()),
        (19, 10, heavy),
    ] {
        let candidates = |seed| {
            let settings = Settings { seed, ..settings.clone() };
            let mut search = Search::new(&empty(side), &settings).unwrap();
            search.run(playouts);
            search.candidates()
        };
        let first = candidates(1);
        testkit::on_each_level(|| assert_eq!(candidates(1), first, "{side}"));
        assert_ne!(candidates(2), first);
    }
}

#[test]
fn threads_share_the_tree_and_lose_no_playout() {
    let mut search = searched(&Settings { threads: 3, ..settings() }, 5000);
    search.run(1);
    let candidates = search.candidates();
    assert_eq!(search.visits(), 5001);
    assert_eq!(visits(&candidates), 5001);
    assert!(candidates.iter().all(|candidate| (0.0..=1.0).contains(&candidate.win_rate)));
}

#[test]
fn memory_is_bounded() {
    for max_nodes in [1, 82, 83, 1000, 5000] {
        let mut search = searched(&Settings { max_nodes, ..settings() }, 3000);
        assert!(search.node_count() <= max_nodes, "{} of {max_nodes}", search.node_count());
        assert_eq!(search.visits(), 3000);
        if max_nodes >= 83 {
            // A full tree still updates its nodes.
            let most = search.candidates()[0].visits;
            assert!(most > 100, "{most} with {max_nodes} nodes");
            let Choice::Move(mv) = search.choose() else { panic!("no reason to resign") };
            search.play(mv).unwrap();
            search.run(500);
            assert!(search.node_count() <= max_nodes);
        } else {
            assert_eq!(search.choose(), Choice::Move(Move::Pass), "there was no room for a move");
        }
    }
}

#[test]
fn the_subtree_of_a_move_is_kept() {
    let mut search = searched(&settings(), 10_000);
    let best = search.candidates()[0];
    let pv = search.principal_variation();
    assert_eq!(pv[0], best.mv);
    search.play(best.mv).unwrap();
    assert_eq!(search.visits(), best.visits);
    assert_eq!(search.principal_variation(), pv[1..]);
    // All visits except the first batch, which evaluated the node as a leaf.
    assert_eq!(visits(&search.candidates()), best.visits - 16);
    search.run(1000);
    assert_eq!(search.visits(), best.visits + 1000);
    // An illegal move changes nothing.
    assert!(search.play(best.mv).is_err());
    assert_eq!(search.visits(), best.visits + 1000);
    assert_eq!(search.game().to_move(), Color::White);
}

#[test]
fn variations_are_the_candidates_with_their_principal_variations() {
    assert_eq!(Search::new(&empty(9), &settings()).unwrap().variations(), []);
    let mut search = searched(&settings(), 20_000);
    let variations = search.variations();
    let candidates: Vec<Candidate> =
        variations.iter().map(|variation| variation.candidate).collect();
    assert_eq!(candidates, search.candidates());
    assert!((variations.iter().map(|variation| variation.prior).sum::<f64>() - 1.0).abs() < 1e-9);
    for variation in &variations {
        assert_eq!(variation.pv[0], variation.candidate.mv);
        let mut game = empty(9);
        assert!(variation.pv.iter().all(|&mv| game.play(mv).is_ok()), "{:?}", variation.pv);
    }
    // After the second best move, the rest of its variation is the principal variation.
    let second = &variations[1];
    assert!(second.pv.len() > 2);
    search.play(second.candidate.mv).unwrap();
    assert_eq!(search.principal_variation(), second.pv[1..]);
}

#[test]
fn stop_ends_the_search() {
    let mut search = Search::new(&empty(9), &settings()).unwrap();
    assert_eq!(search.run_until(u64::MAX, &|| true), Err(Stopped));
    assert_eq!(search.visits(), 16, "what it needs to know a move");
    assert_eq!(search.run_until(u64::MAX, &testkit::stop_at(10)), Err(Stopped));
    assert_eq!(search.visits(), 16 + 10 * 16);
    search.run(0);
    assert_eq!(search.visits(), 11 * 16);
    // The subtree of a leaf has visits and no children; the search must still find a move.
    let leaf = search.candidates().into_iter().find(|candidate| candidate.visits == 16).unwrap();
    search.play(leaf.mv).unwrap();
    assert_eq!(search.visits(), 16);
    assert_eq!(search.candidates().len(), 0);
    assert_eq!(search.run_until(u64::MAX, &|| true), Err(Stopped));
    assert_eq!(search.visits(), 32);
    assert_eq!(search.candidates()[0].visits, 16);
}

/// Black has 45 points and White 36; every empty point is an eye.
const FINISHED: &str = "
    X.X.XOO.O
    .XXXXO.OO
    XXXXXOOOO
    XXXXXOOOO
    XXXXXOOOO
    XXXXXOOOO
    XXXXXOOOO
    .XXXXOO.O
    X.X.XO.OO";

/// The same area with a dead white stone on the board; nine points belong to Black, or to nobody.
const LOST_STONE: &str = "
    X.X.XOO.O
    .XXXXO.OO
    XXXXXOOOO
    ...XXOOOO
    .O.XXOOOO
    ...XXOOOO
    XXXXXOOOO
    .XXXXOO.O
    X.X.XO.OO";

fn after_pass(board: &str, color: Color, komi: f64, tromp_taylor: bool) -> Choice {
    let mut game = position(board, color.other());
    game.play(Move::Pass).unwrap();
    let mut search =
        Search::with_komi(&game, komi, &Settings { tromp_taylor, ..settings() }).unwrap();
    search.run(3000);
    search.choose()
}

#[test]
fn a_pass_is_answered_by_a_pass_if_it_wins() {
    assert_eq!(position(FINISHED, Color::Black).score().to_string(), "B+1.5");
    assert_eq!(after_pass(FINISHED, Color::Black, 7.5, true), play("pass"));
    assert_eq!(after_pass(FINISHED, Color::Black, 9.5, true), Choice::Resign);
    assert_eq!(after_pass(FINISHED, Color::White, 9.5, true), play("pass"));
    let rules = Rules { komi: "0.5".parse().unwrap(), ..Rules::default() };
    let lost = Game::from_board(LOST_STONE.parse().unwrap(), Color::Black, rules);
    let dead = dead_stones(lost.board(), 1000, 1).unwrap();
    assert_eq!(
        [lost.score(), lost.score_without(dead)].map(|score| score.to_string()),
        ["W+1.5", "B+8.5"]
    );
    assert_eq!(after_pass(LOST_STONE, Color::Black, 0.5, false), play("pass"));
}

#[test]
fn a_won_game_is_not_passed_away() {
    // If all stones count as alive, the dead one must be captured first.
    let choice = after_pass(LOST_STONE, Color::Black, 0.5, true);
    assert!(matches!(choice, Choice::Move(Move::Play(_))), "{choice:?}");
    // White wins only if the dead stone counts as alive, and passes only then.
    assert_eq!(after_pass(LOST_STONE, Color::White, 0.5, true), play("pass"));
    assert_ne!(after_pass(LOST_STONE, Color::White, 0.5, false), play("pass"));
}

/// Returns the positions of a random 5 x 5 game whose only empty points are the liberties of a
/// seki.
fn sekis_of_a_game(rng: &mut Rng) -> Vec<Board> {
    let mut board = Board::new(Size::new(5, 5).unwrap());
    let mut color = Color::Black;
    let mut found = Vec::new();
    for _ in 0..60 {
        let legal = |&point: &Point| {
            !board.is_eye(color, point)
                && board.clone().play(color, point, Suicide::Forbidden).is_ok()
        };
        let moves: Vec<Point> =
            board.empty().iter().map(Points::<19>::point).filter(legal).collect();
        if moves.is_empty() {
            board.pass();
        } else {
            board
                .play(color, moves[rng.below(moves.len() as u32) as usize], Suicide::Forbidden)
                .unwrap();
        }
        color = color.other();
        let seki = if board.empty().len() < 6 {
            seki_stones(&board, 10, 1).unwrap()
        } else {
            Points::EMPTY
        };
        if !seki.is_empty() && (board.empty() - seki.neighbors()).is_empty() {
            found.push(board.clone());
        }
    }
    found
}

#[test]
fn nobody_gains_by_moving_first_in_a_seki() {
    let mut rng = Rng::new(11);
    let mut sekis = 0;
    while sekis < 6 {
        for board in sekis_of_a_game(&mut rng) {
            sekis += 1;
            for mover in Color::ALL {
                // A komi that makes the player to move lose by half a point.
                let missing = if mover == Color::Black { 0.5 } else { -0.5 };
                let game = Game::from_board(board.clone(), mover, Rules::default());
                let komi = f64::from(game.score()) + f64::from(game.rules().komi) + missing;
                let mut search =
                    Search::with_komi(&game, komi, &Settings { tromp_taylor: true, ..settings() })
                        .unwrap();
                search.run(3000);
                let best = search.candidates()[0];
                assert!(best.win_rate < 0.4, "{mover}: {best:?}\n{board}");
            }
        }
    }
}

/// Plays moves; `again` lets the player who has just passed move again.
fn after(board: &str, rules: Rules, moves: &[&str], again: Option<Color>) -> Game {
    let mut game = Game::from_board(board.parse().unwrap(), Color::Black, rules);
    for mv in moves {
        game.play(mv.parse().unwrap()).unwrap();
    }
    if let Some(color) = again {
        game.set_to_move(color);
    }
    game
}

fn considers(search: &Search, mv: Move) -> bool {
    let variations = search.variations();
    let sum = variations.iter().map(|variation| variation.prior).sum::<f64>();
    assert!(variations.is_empty() || (sum - 1.0).abs() < 1e-9);
    search.candidates().iter().map(|candidate| candidate.mv).any(|found| found == mv)
        || variations.iter().any(|variation| variation.candidate.mv == mv)
}

#[test]
fn no_move_repeats_a_position() {
    // Black captures D6 with E6, and White may not retake the ko.
    let board = "
        .........
        .........
        ...XO....
        ..XO.O...
        ...XO....
        .........
        .........
        .........
        .........";
    let [take, back]: [Move; 2] = ["E6", "D6"].map(|mv| mv.parse().unwrap());
    for ko in [Ko::Simple, Ko::Positional, Ko::Situational] {
        let search = |game: &Game| {
            let mut search = Search::new(game, &settings()).unwrap();
            search.run(5000);
            search
        };
        let rules = Rules { ko, ..Rules::default() };
        // First the kept subtree of a search, then a new search.
        let mut kept = search(&after(board, rules, &[], None));
        kept.play(take).unwrap();
        let anew = search(kept.game());
        for mut search in [kept, anew] {
            assert!(!considers(&search, back) && search.play(back).is_err(), "{ko}");
        }
        // White passes and moves again: only superko forbids the retake.
        let mut search = search(&after(board, rules, &["E6", "pass"], Some(Color::White)));
        let found = considers(&search, back);
        assert_eq!(found, ko == Ko::Simple, "{ko}");
        assert_eq!(search.play(back).is_ok(), ko == Ko::Simple, "{ko}");
    }
}

#[test]
fn threads_may_find_a_repetition_at_the_same_time() {
    // White may not retake the ko; the search detects this within the tree.
    let board = "...XO\n..XO.\n...XO\n.....\n.....";
    let game = after(board, Rules::default(), &["E4", "pass"], Some(Color::White));
    for seed in 0..60 {
        let settings = Settings { seed, threads: 4, max_nodes: 1 << 14, ..Settings::default() };
        let mut search = Search::new(&game, &settings).unwrap();
        search.run(300);
        assert!(search.candidates().len() > 10 && !considers(&search, "D4".parse().unwrap()));
        assert_eq!(search.visits(), 300);
    }
}

#[test]
fn a_candidate_never_repeats_a_position() {
    // Black has thrown in a stone at the corner. A second one would be a suicide that recreates the
    // board before both stones, which superko forbids.
    let rules = Rules { suicide: Suicide::Multi, ..Rules::default() };
    let game = after(".....\n.....\n.....\nOO...\n..O..", rules, &["A1", "pass"], None);
    let second: Move = "B1".parse().unwrap();
    assert_eq!(game.clone().play(second), Err(IllegalMove::Superko));
    for playouts in [0, 1, 200] {
        let mut search = Search::new(&game, &settings()).unwrap();
        search.run(playouts);
        assert!(!considers(&search, second), "{playouts}");
    }
}

#[test]
fn a_komi_is_a_number_of_points() {
    for komi in [f64::NAN, f64::INFINITY, -361.5, 1e300] {
        let error = Search::with_komi(&empty(9), komi, &settings()).err().unwrap();
        assert_eq!(
            error.to_string(),
            format!("komi: expected a number from -361 to 361, found {komi}")
        );
    }
    for komi in [-361.0, -0.0, 361.0] {
        assert!(Search::with_komi(&empty(9), komi, &settings()).is_ok(), "{komi}");
    }
}

#[test]
fn sizes_without_playouts_are_refused() {
    for (width, height) in [(7, 7), (9, 13), (1, 1)] {
        let game = Game::new(Size::new(width, height).unwrap().into());
        let error = Search::new(&game, &settings()).err();
        assert_eq!(error, Some(Error::NoPlayouts(Size::new(width, height).unwrap())));
    }
    for side in [13, 19] {
        let mut search = Search::new(&empty(side), &settings()).unwrap();
        search.run(200);
        assert_eq!(search.candidates().len(), side * side + 1);
        assert!(matches!(search.choose(), Choice::Move(Move::Play(_))));
    }
}

#[test]
fn a_player_keeps_its_tree() {
    let rules = square(5);
    let mut player = SearchPlayer::new(rules, settings(), 500).unwrap();
    let mut game = Game::new(rules);
    // It plays for the score of its game, where all stones are alive.
    let alive = Settings { tromp_taylor: true, ..settings() };
    let mut search = Search::new(&game, &alive).unwrap();
    for turn in 0..4 {
        for portion in [200, 200, 100] {
            search.run(portion);
        }
        let mv = player.choose(&game).unwrap();
        assert_eq!(mv, search.choose_move());
        let visits = player.search().unwrap().visits();
        assert_eq!(visits, search.visits());
        assert!(turn % 3 == 0 || visits > 500, "{visits} visits in turn {turn}");
        if turn == 3 {
            break;
        }
        // Its own move and an answer: the expected one, and finally a pass.
        game.play(mv).unwrap();
        search.play(mv).unwrap();
        let answer = if turn > 1 { Move::Pass } else { search.candidates()[0].mv };
        game.play(answer).unwrap();
        search.play(answer).unwrap();
    }
    // A jump of three moves, another start and another size each need a new search.
    let mut far = game.clone();
    for _ in 0..3 {
        far.play(far.legal_moves()[0]).unwrap();
    }
    for other in
        [far, empty(5), position(".X...\n.....\n.....\n...O.\n.....", Color::White), empty(9)]
    {
        player.choose(&other).expect("a move");
        assert_eq!(player.search().unwrap().visits(), 500);
        assert_eq!(player.search().unwrap().game(), &other);
    }
    assert_eq!(player.choose_until(&empty(5), &|| true), Err(Stopped));
    let before = player.search().unwrap().visits();
    assert_eq!(player.choose_until(&empty(5), &testkit::stop_at(2)), Err(Stopped));
    assert_eq!(player.search().unwrap().visits(), before + 32);
    assert_eq!(player.choose(&empty(7)), None);
    assert!(SearchPlayer::new(square(7), settings(), 1).is_err());
    while !game.is_over() {
        game.play(Move::Pass).unwrap();
    }
    assert_eq!(player.choose(&game), None);
}

#[test]
fn a_game_of_two_players_ends() {
    for (seed, suicide) in [(1, Suicide::Forbidden), (2, Suicide::All)] {
        let rules = Rules { suicide, ..square(5) };
        let player = |seed| SearchPlayer::new(rules, Settings { seed, ..settings() }, 60).unwrap();
        let mut players = [player(seed), player(seed + 9)];
        let mut game = Game::new(rules);
        let mut moves = 0;
        while let Some(mv) = players[game.to_move() as usize].choose(&game) {
            game.play(mv).unwrap();
            moves += 1;
        }
        assert!(game.is_over() && moves > 10, "{moves} moves");
    }
}

/// The score is the mean over the playouts, as seen by the player to move, and survives a move.
#[test]
fn candidates_have_a_score() {
    let won = ".X.XX\nXXXXX\nXXXXX\nXXXXX\nXXX.X";
    for (to_move, komi, score) in [
        (Color::Black, 7.5, 17.5),
        (Color::White, 7.5, -17.5),
        (Color::Black, 30.0, -5.0),
        (Color::White, 30.0, 5.0),
    ] {
        let game = Game::from_board(won.parse().unwrap(), to_move, Rules::default());
        for playouts in [settings(), Settings { max_nodes: 1 << 18, ..Settings::default() }] {
            let mut search = Search::with_komi(&game, komi, &playouts).unwrap();
            search.run(200);
            let best = search.candidates()[0];
            assert!((best.score - score).abs() < 1.0, "{to_move} {komi}: {best:?}");
            assert!(best.score_deviation < 10.0, "{to_move} {komi}: {best:?}");
            search.play(Move::Pass).unwrap();
            let kept = search.candidates();
            assert!(kept.first().is_none_or(|kept| (kept.score + score).abs() < 1.5), "{kept:?}");
        }
    }
    // On the empty board, the playouts of a search and light playouts agree on the spread.
    let game = Game::new(Rules::default());
    for threads in [1, 2] {
        let mut search = Search::new(&game, &Settings { threads, ..Settings::light() }).unwrap();
        search.run(4000);
        for candidate in search.candidates().iter().take(3) {
            assert!(candidate.score.abs() < 15.0, "{candidate:?}");
            assert!((10.0..50.0).contains(&candidate.score_deviation), "{candidate:?}");
        }
    }
}
