//! Searches on one thread: the same tree on every level, machine and build.

use bitcore::bits::fold;
use go_mc::search::{PlayoutKind, Search, Settings};
use go_mc::{Color, Game, Ko, Komi, Move, Point, Rules, Size, Suicide};

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
        let statistics =
            [word(candidate.mv), candidate.visits, candidate.win_rate.to_bits(), variation.prior.to_bits()];
        statistics.into_iter().chain(variation.pv.iter().copied().map(word)).fold(digest, fold)
    })
}

/// Pinned results of this implementation: update them with intended changes. The choice of a move from the
/// statistics doesn't matter.
#[test]
fn searches_of_fixed_seeds() {
    let heavy = Settings { max_nodes: 1 << 14, ..Settings::default() };
    let light = Settings { max_nodes: 1 << 14, ..Settings::light() };
    let one_light = Settings { playout_kind: PlayoutKind::Light, ..heavy.clone() };
    let few_nodes = Settings { max_nodes: 500, ..heavy.clone() };
    // With a komi that is a whole number.
    let draws = Rules { komi: Komi::ZERO, ..*empty(5, Ko::Simple, Suicide::Forbidden).rules() };
    let small = empty(5, Ko::Simple, Suicide::Forbidden);
    for (name, pinned, game, settings, playouts) in [
        ("5x5", 0x57e5c4110bbcf94b, small.clone(), &heavy, 400),
        ("5x5, a full tree", 0xc4a9a6d565376142, small, &few_nodes, 150),
        ("5x5, draws", 0, Game::new(draws), &heavy, 200),
        ("5x5, light", 0x71d6d431276174bf, empty(5, Ko::Positional, Suicide::Multi), &one_light, 400),
        ("9x9", 0xdf35ce76e4046398, empty(9, Ko::Positional, Suicide::Multi), &heavy, 80),
        ("9x9, light", 0x742ccb924d8d5110, empty(9, Ko::Simple, Suicide::All), &light, 1_200),
        ("9x9, capture", 0xfbda6e2d10bd734e, fight(Color::Black), &heavy, 80),
        ("9x9, rescue", 0x67eeb0e5733d97e4, fight(Color::White), &light, 800),
        ("positional superko", 0xb403b31548e81bd3, superko(Ko::Positional), &heavy, 300),
        ("situational superko", 0xb98e144c3033e309, superko(Ko::Situational), &one_light, 300),
        ("13x13, light", 0x864e4c8087342413, empty(13, Ko::Positional, Suicide::Forbidden), &light, 200),
        ("19x19", 0x927885eec74ab990, empty(19, Ko::Positional, Suicide::Forbidden), &heavy, 8),
    ] {
        testkit::on_each_level(|| {
            let mut search = Search::new(&game, settings).expect("a size with playouts");
            search.run(playouts, &|| false);
            let mut digest = folded(&search);
            // The subtree of the best move.
            search.play(search.candidates()[0].mv).expect("a candidate is legal");
            search.run(playouts / 4, &|| false);
            digest = fold(digest, folded(&search));
            // A new tree, if the move was never tried.
            search.play(search.candidates().last().expect("a candidate").mv).expect("it is legal");
            search.run(playouts / 4, &|| false);
            digest = fold(digest, folded(&search));
            assert_eq!(digest, pinned, "{name}: {digest:#018x}");
        });
    }
}
