//! Every level and every number of threads agrees with the reference.

use crate::properties;
use bitcore::Rng;
use tetris::Rules;
use tetris_ai::contest::Sequence;
use tetris_ai::contest::tree::TreeSearch;
use tetris_ai::control::{Controller, ControllerWeights, SimplifiedGame};
use tetris_ai::{Columns, bot};

testkit::properties! {
    contest_boards: properties::contests::board, 300;
    contest_games: properties::contests::game, 200;
    tree_children: properties::trees::children, 2_000;
    tree_searches: properties::trees::search, 200;
    solvers: properties::trees::solver, 60;
    beam_placements: properties::beams::placements, 400;
    beam_values: properties::beams::values, 300;
    beams: properties::beams::beam, 60;
    time_managers: properties::beams::time_manager, 300;
    versus_games: properties::bots::versus, 100;
    bot_searches: properties::bots::search, 100;
    bot_advances: properties::bots::advance, 40;
    bot_states: properties::bots::state, 100;
    bot_players: properties::bots::player, 100;
    controllers_games: properties::controllers::games, 100;
    controllers_choices: properties::controllers::choices, 2_000;
}

#[test]
fn threads_change_nothing() {
    let sequence = Sequence::contest();
    let depth = if testkit::emulated() { 6 } else { 7 };
    testkit::on_each_level(|| {
        let mut board = Columns::new();
        for start in 0..3 {
            let search =
                |threads| TreeSearch { depth, threads }.best(&sequence, start, &board).unwrap();
            let one = search(1);
            for threads in [2, 3, 5, 16] {
                assert_eq!(search(threads), one, "{threads} threads");
            }
            board = one.board;
        }
    });
}

/// The best states of a round have their spawn blocked. The search once ended there.
#[test]
fn a_bot_search_goes_on_past_states_without_a_placement() {
    let bytes = [
        191, 1, 52, 13, 104, 50, 143, 110, 218, 214, 255, 249, 151, 253, 35, 195, 112, 25, 70, 54,
        10, 73, 49, 28, 12, 197, 59, 78, 255, 255, 193, 51, 127, 8, 221, 252, 74, 107, 246, 178,
        68, 157,
    ];
    properties::bots::search(&testkit::Input::new(&bytes));
}

/// Pinned results of this implementation: update them with intended changes.
#[test]
fn a_game_of_a_fixed_seed() {
    testkit::on_each_level(|| {
        let mut rng = Rng::new(4);
        let mut game = tetris::Game::new(Rules::default(), &mut rng);
        let mut attack = 0;
        let mut nodes = 0;
        for _ in 0..40 {
            let mut search =
                bot::Search::new(&bot::GameState::from(&game), bot::BotWeights::default());
            search.run(1500);
            nodes += search.nodes();
            attack +=
                game.play(search.best().expect("a turn"), &mut rng).expect("it is legal").attack;
        }
        assert_eq!(attack, 17);
        assert_eq!(nodes, 79_693);
    });
}

/// Pinned results of this implementation: the games must not change.
#[test]
fn games_of_fixed_seeds() {
    // Two of Dellacherie's weights alone: short games.
    let short = ControllerWeights {
        cumulative_wells: -100,
        landing_height: -100,
        ..ControllerWeights::default()
    };
    testkit::on_each_level(|| {
        let mut lines = 0;
        for i in 0..20 {
            let mut game = SimplifiedGame::new(Rng::stream(7, i));
            while !game.over() {
                game.play(&Controller::new(short), 1000);
            }
            lines += game.lines();
        }
        assert_eq!(lines, 343);
        for (weights, two_piece, pieces, lines, valued) in [
            (ControllerWeights::DT20, false, 20_000, 7_997, 463_246),
            (ControllerWeights::DELLACHERIE, false, 20_000, 7_996, 463_246),
            (ControllerWeights::DT20, true, 1_000, 398, 535_840),
        ] {
            let mut game = SimplifiedGame::new(Rng::new(1));
            assert_eq!(game.play(&Controller { weights, two_piece }, pieces), pieces);
            assert_eq!(game.lines(), lines, "{weights} {two_piece}");
            assert_eq!(game.evaluated(), valued, "{weights} {two_piece}");
        }
    });
}

#[test]
fn digests_agree() {
    testkit::digest("tetris-ai", include_str!("data/digest.txt"), tetris_ai::digest);
}
