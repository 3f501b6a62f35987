//! Searches on one thread: the same tree on every level, machine and build.

use bitcore::bits::fold;
use go_mc::search::{NetLearner, PlayoutKind, Search, Settings};
use go_mc::{Color, Game, Ko, Move, Point, Rules, Size, Suicide};

fn empty(side: usize, ko: Ko, suicide: Suicide) -> Game {
    let size = Size::square(side).expect("a size");
    Game::new(Rules { size, ko, suicide, ..Rules::default() })
}

/// Nine stones in atari, which Black captures and White saves.
const ATARI: &str = "
    .........
    ..XXX....
    .XOOOX...
    .XOOO.O..
    .XOOOX...
    ..XXX....
    .........
    ....O.O..
    .........";

/// Black takes a ko with E4. If White moves twice, only superko forbids the answer on D4.
const KO: &str = "...XO\n..XO.\n...XO\n.....\n.....";

fn fight(to_move: Color) -> Game {
    Game::from_board(ATARI.parse().expect("a board"), to_move, Rules::default())
}

fn superko(ko: Ko) -> Game {
    let board = KO.parse().expect("a board");
    let mut game = Game::from_board(board, Color::Black, Rules { ko, ..Rules::default() });
    for mv in ["E4", "pass"] {
        game.play(mv.parse().expect("a move")).expect("it is legal");
    }
    game.set_to_move(Color::White);
    game
}

fn word(mv: Move) -> u64 {
    match mv {
        Move::Pass => u64::MAX,
        Move::Play(Point { x, y }) => u64::from(x) << 8 | u64::from(y),
    }
}

/// Folds the statistics of the root moves, and the most visited line below each.
fn folded(search: &Search) -> u64 {
    search.variations().iter().fold(search.visits(), |digest, variation| {
        let candidate = variation.candidate;
        let statistics = [
            word(candidate.mv),
            candidate.visits,
            candidate.win_rate.to_bits(),
            variation.prior.to_bits(),
        ];
        statistics.into_iter().chain(variation.pv.iter().copied().map(word)).fold(digest, fold)
    })
}

/// Pinned results of this implementation: update them with intended changes. The choice of a move
/// from the statistics doesn't matter.
#[test]
fn searches_of_fixed_seeds() {
    let heavy = Settings { max_nodes: 1 << 14, net: None, ..Settings::default() };
    let light = Settings { max_nodes: 1 << 14, ..Settings::light() };
    let one_light = Settings { playout_kind: PlayoutKind::Light, ..heavy.clone() };
    let net = Settings { net: Some(NetLearner::new(1).net()), ..heavy.clone() };
    let few_nodes = Settings { max_nodes: 500, ..heavy.clone() };
    // Black has 13 points and White 12 in a draw.
    let komi = "1".parse().expect("a komi");
    let draws = Rules { komi, ..empty(5, Ko::Simple, Suicide::Forbidden).rules() };
    let small = empty(5, Ko::Simple, Suicide::Forbidden);
    for (name, pinned, game, settings, playouts) in [
        ("5x5", 0x6c6f581ec6dddd48, small.clone(), &heavy, 400),
        ("5x5, a full tree", 0x2ffb6b333125a18b, small, &few_nodes, 150),
        ("5x5, draws", 0x1b752649d2cf8cdc, Game::new(draws), &heavy, 200),
        (
            "5x5, light",
            0x34e424d2db5696ff,
            empty(5, Ko::Positional, Suicide::Multi),
            &one_light,
            400,
        ),
        ("9x9", 0x3e0105216dc50661, empty(9, Ko::Positional, Suicide::Multi), &heavy, 80),
        ("9x9, net", 0x4d8f1b9bc33a67fa, empty(9, Ko::Positional, Suicide::Multi), &net, 80),
        ("9x9, light", 0x487f9e6fb889a64c, empty(9, Ko::Simple, Suicide::All), &light, 1_200),
        ("9x9, capture", 0xd9bbf49f064021b7, fight(Color::Black), &heavy, 80),
        ("9x9, rescue", 0x954dd48d641ec876, fight(Color::White), &light, 800),
        ("positional superko", 0x22431149754765d8, superko(Ko::Positional), &heavy, 300),
        ("situational superko", 0x5894c46ef1efe427, superko(Ko::Situational), &one_light, 300),
        (
            "13x13, light",
            0xd7545f28cdbe46ba,
            empty(13, Ko::Positional, Suicide::Forbidden),
            &light,
            200,
        ),
        ("19x19", 0x7b97178b88212701, empty(19, Ko::Positional, Suicide::Forbidden), &heavy, 8),
    ] {
        testkit::on_each_level(|| {
            let mut search = Search::new(&game, settings).expect("a size with playouts");
            search.run(playouts);
            let mut digest = folded(&search);
            // The subtree of the best move.
            search.play(search.candidates()[0].mv).expect("a candidate is legal");
            search.run(playouts / 4);
            digest = fold(digest, folded(&search));
            // A new tree, if the move was never tried.
            search.play(search.candidates().last().expect("a candidate").mv).expect("it is legal");
            search.run(playouts / 4);
            digest = fold(digest, folded(&search));
            assert_eq!(digest, pinned, "{name}: {digest:#018x}");
        });
    }
}
