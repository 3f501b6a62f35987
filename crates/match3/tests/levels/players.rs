//! Players: strength, errors and stops. `properties::players` covers their choices and games.

use bitcore::{RandomSource, Rng};
use match3::player::{PlayError, play};
use match3::{
    Axis, Board, Error, Game, Moments, Player, PlayerKind, RandomColors, Rules, Stopped, Swap,
    ThreadPool,
};
use std::sync::atomic::{AtomicU32, Ordering};

#[test]
fn better_players_score_more() {
    let mean = |player: PlayerKind, games| {
        let mut scores = Moments::default();
        player.games(Rules::default(), 1, 0..games).for_each(|score| scores.add(score.unwrap()));
        assert_eq!(scores.count, games);
        scores.mean()
    };
    let random = mean(PlayerKind::Random, 200);
    let greedy = mean(PlayerKind::Greedy, 200);
    assert!(greedy > 1.9 * random, "{greedy}, {random}");
    let greedy = mean(PlayerKind::Greedy, 20);
    let rollout = mean(PlayerKind::Rollout(64), 20);
    assert!(rollout > 1.3 * greedy, "{rollout}, {greedy}");
}

#[test]
fn what_can_not_be_played_is_an_error() {
    let size = |width, height, longest| Error::Size { width, height, longest };
    let colors = |found| Error::Colors { found, least: 3, largest: 15 };
    let dead = |width, height| Error::Dead { width, height, colors: 4, boards: 10_000 };
    for (width, height, count, expected) in [
        (0, 8, 6, size(0, 8, 8)),
        (8, 0, 6, size(8, 0, 8)),
        (17, 3, 6, size(17, 3, 16)),
        (3, usize::MAX, 6, size(3, usize::MAX, 16)),
        (8, 8, 0, colors(0)),
        (8, 8, 1, colors(1)),
        (8, 8, 2, colors(2)),
        (8, 8, 16, colors(16)),
        (8, 8, 255, colors(255)),
        (1, 1, 4, dead(1, 1)),
        (2, 2, 4, dead(2, 2)),
        (3, 1, 4, dead(3, 1)),
    ] {
        let rules = Rules { width, height, colors: count, moves: 1 };
        for player in [PlayerKind::Random, PlayerKind::Greedy, PlayerKind::Rollout(1)] {
            let found: Vec<_> = player.games(rules, 1, 0..1).collect();
            assert_eq!(found, [Err(PlayError::Deal(expected))], "{player:?}, {rules:?}");
        }
    }
    let mut five = RandomColors::new(5, Rng::new(1)).unwrap();
    let expected = Error::Colors { found: 5, least: 6, largest: 6 };
    assert_eq!(Game::new(Rules::default(), &mut five), Err(expected));
    let board: Board = "121\n212".parse().unwrap();
    let rules = Rules { width: 3, height: 2, ..Rules::default() };
    assert!(Game::with_board(rules, &board).is_ok());
    for (rules, expected) in [
        (
            Rules { width: 2, height: 3, ..rules },
            Error::OtherSize { width: 3, height: 2, expected: (2, 3) },
        ),
        (Rules { colors: 2, ..rules }, colors(2)),
        (Rules { colors: 16, ..rules }, colors(16)),
    ] {
        assert_eq!(Game::with_board(rules, &board), Err(expected));
    }
}

/// A generator gives each call of a game the seed of its pieces.
#[test]
fn games_take_any_generator() {
    let rules = Rules::default();
    let mut rng = Rng::new(3);
    let mut seeds = Rng::new(3);
    let mut colors = || RandomColors::new(rules.colors, Rng::new(seeds.next_u64())).unwrap();
    let mut game = Game::new(rules, &mut rng).unwrap();
    let mut same = Game::new(rules, &mut colors()).unwrap();
    while let Some(&swap) = game.legal_moves().first() {
        assert_eq!(game, same);
        let source: &mut dyn RandomSource = &mut rng;
        assert_eq!(game.play(swap, source), same.play(swap, &mut colors()));
    }
    assert_eq!(game.moves_left(), 0);
}

#[test]
fn an_illegal_swap_ends_the_game() {
    struct Fixed(Option<Swap>);
    impl Player<Game> for Fixed {
        fn choose(&mut self, _: &Game) -> Option<Swap> {
            self.0
        }
    }
    let outside = Swap { x: 7, y: 0, axis: Axis::Horizontal };
    for mut player in [Fixed(None), Fixed(Some(outside))] {
        let found = play(&mut player, Rules::default(), Rng::new(1));
        assert_eq!(found, Err(PlayError::Illegal { moves_left: 30 }));
    }
}

#[test]
fn a_stopped_game_ends_within_a_move() {
    let pool = ThreadPool::single();
    let play = |player: PlayerKind, rules: Rules, calls: u32| {
        let asked = AtomicU32::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= calls;
        let mut found = None;
        let visit = |score| found = Some(score);
        let played = player.games_until(&pool, rules, 1, 0..1, &stop, visit);
        (played.map(|played| played.map(|()| found.expect("a game"))), asked.into_inner())
    };
    let rules = Rules { width: 16, height: 16, moves: 4_000_000_000, ..Rules::default() };
    for player in [PlayerKind::Random, PlayerKind::Greedy, PlayerKind::Rollout(u32::MAX)] {
        let (score, asked) = play(player, rules, 3);
        assert_eq!(score, Err(Stopped), "{player:?}");
        assert!(asked <= 5, "{player:?}: {asked}");
    }
    let rules = Rules { moves: 100, ..Rules::default() };
    for player in [PlayerKind::Random, PlayerKind::Greedy, PlayerKind::Rollout(8)] {
        let whole = player.games(rules, 1, 0..1).next().expect("a game");
        assert_eq!(play(player, rules, u32::MAX).0, Ok(whole), "{player:?}");
    }
}

#[test]
fn names() {
    for (text, player) in [
        ("random", PlayerKind::Random),
        ("greedy", PlayerKind::Greedy),
        ("rollout:100", PlayerKind::Rollout(100)),
        ("rollout:4294967295", PlayerKind::Rollout(u32::MAX)),
    ] {
        assert_eq!(text.parse(), Ok(player));
        assert_eq!(player.to_string().as_str(), text);
    }
    for text in [
        "",
        "Random",
        "rollout",
        "rollout:",
        "rollout:0",
        "rollout:+1",
        "rollout:4294967296",
        "greedy:1",
    ] {
        let error = text.parse::<PlayerKind>().unwrap_err();
        assert_eq!(error.found, text);
        assert!(error.to_string().ends_with(&format!("found {text:?}")), "{error}");
    }
}

#[test]
fn a_copy_plays_on_with_other_pieces() {
    let mut colors = RandomColors::new(6, Rng::new(3)).unwrap();
    let mut game = Game::new(Rules::default(), &mut colors).unwrap();
    let mut copy = game.clone();
    let mut same = colors.clone();
    let mut other = RandomColors::new(6, Rng::new(4)).unwrap();
    let mut differs = false;
    while let Some(&swap) = game.legal_moves().first() {
        let mut imagined = game.clone();
        imagined.play(swap, &mut other).unwrap();
        game.play(swap, &mut colors).unwrap();
        copy.play(swap, &mut same).unwrap();
        assert_eq!(&game, &copy);
        assert_eq!(&colors, &same);
        differs |= imagined.board() != game.board();
    }
    assert!(differs && game.is_over());
}
