//! The features `serde` and `rand_core`.

#[cfg(feature = "rand_core")]
mod rand_core {
    use bitcore::rand_core::SeedableRng;
    use rand_xoshiro::SplitMix64;
    use std::collections::BTreeSet;
    use tetris::{Bag, Game, Rules};

    #[test]
    fn another_generator_draws_whole_bags() {
        testkit::seeds(500, |seed| {
            let (mut bag, mut foreign) = (Bag::FULL, SplitMix64::seed_from_u64(seed));
            let seven: BTreeSet<_> = (0..7).map(|_| bag.draw(&mut foreign)).collect();
            assert_eq!((seven.len(), bag), (7, Bag::FULL));
        });
    }

    #[test]
    fn another_generator_plays_legal_games() {
        testkit::seeds(50, |seed| {
            let mut foreign = SplitMix64::seed_from_u64(seed);
            let mut game = Game::new(Rules::default(), &mut foreign);
            for _ in 0..20 {
                let legal = game.legal_moves();
                let Some(&turn) = legal.get(seed as usize % legal.len().max(1)) else { break };
                let (mut by_step, mut same) = (game.clone(), foreign.clone());
                assert!(by_step.step(turn, &mut same).is_ok());
                assert_eq!(by_step.pieces(), game.pieces() + 1);
                assert!(game.random_step(&mut foreign).is_some());
            }
        });
    }
}

#[cfg(feature = "serde")]
mod serde {
    use bitcore::Rng;
    use serde_json::{Value, json};
    use std::num::NonZeroU32;
    use tetris::batch::{Actions, BatchRules, GarbageRate};
    use tetris::garbage::{Attack, GarbageQueue, GarbageTiming};
    use tetris::movegen::SpinMode;
    use tetris::real_time::{Handling, Key, RealTimeRules, Recording};
    use tetris::{Bag, Board, Game, Location, Move, Piece, Queue, RealTimeGame, Rotation, Rules};

    fn read<T: serde::de::DeserializeOwned>(value: &Value) -> Result<T, String> {
        serde_json::from_value(value.clone()).map_err(|error| error.to_string())
    }

    /// Returns a game after some random turns, with garbage.
    fn played(seed: u64) -> (Game, Rng) {
        let mut rng = Rng::new(seed);
        let timings =
            [GarbageTiming::AfterNonClearingLock, GarbageTiming::AfterEveryLock, GarbageTiming::Immediate];
        let rules = Rules {
            next: rng.below(17) as usize,
            hold: rng.below(4) > 0,
            garbage_timing: timings[rng.below(3) as usize],
            garbage_cap: 1 + rng.below(5),
            second_spawn_row: rng.below(4) > 0,
            ..Rules::default()
        };
        let mut game = Game::new(rules, &mut rng);
        for _ in 0..rng.below(60) {
            game.random_step(&mut rng);
            if rng.below(4) == 0 {
                let _ = game.receive(Attack { lines: 1 + rng.below(3), column: rng.below(10) as u8 });
            }
        }
        (game, rng)
    }

    #[test]
    fn saved_games_continue_as_before() {
        testkit::seeds(300, |seed| {
            let (mut game, mut rng) = played(seed);
            let text = serde_json::to_string(&(&game, &rng)).unwrap();
            let (mut read, mut same): (Game, Rng) = serde_json::from_str(&text).unwrap();
            assert_eq!((&read, &same), (&game, &rng));
            assert_eq!(read.random_step(&mut same), game.random_step(&mut rng));
            assert_eq!(read, game);
        });
    }

    #[test]
    fn saved_values_are_read_again() {
        testkit::seeds(200, |seed| {
            let (mut game, mut rng) = played(seed);
            let moves: Vec<Move> = game.legal_moves();
            let garbage: GarbageQueue = game.garbage().clone();
            let value =
                (*game.board(), Queue(game.next().to_vec()), game.bag(), *game.rules(), moves, garbage);
            let value = (value, game.over(), game.board().features(), game.random_step(&mut rng));
            let text = serde_json::to_string(&value).unwrap();
            macro_rules! same {
                ($($field:tt),+) => {{
                    let mut again = value.clone();
                    again.clone_from(&serde_json::from_str(&text).unwrap());
                    $(assert_eq!(again.$field, value.$field);)+
                }};
            }
            same!(0, 1, 2, 3);
        });
    }

    #[test]
    fn a_saved_real_time_game_is_replayed() {
        let (rules, handling) = (RealTimeRules::SPRINT, Handling { das: 7, ..Handling::default() });
        let (mut game, mut rng) = (RealTimeGame::new(rules, handling, 7), Rng::new(1));
        for _ in 0..2000 {
            if rng.below(3) == 0 {
                game.tap(Key::ALL[rng.below(7) as usize]);
            }
            game.tick(&mut Vec::new());
        }
        let value = serde_json::to_value((rules, handling, game.recording())).unwrap();
        assert_eq!(value[0]["goal"], json!({ "lines": 40 }));
        let (rules, handling, recording): (RealTimeRules, Handling, Recording) = read(&value).unwrap();
        assert_eq!(RealTimeGame::new(rules, handling, 7).replay(&recording), game);
        let error = read::<Recording>(&json!("0 press left\n1 press lift\n")).unwrap_err();
        assert!(error.starts_with("line 2, column 9: expected `left`"), "{error}");
        assert!(read::<Handling>(&json!({ "dass": 7 })).is_err());
    }

    #[test]
    fn the_forms_are_the_texts() {
        let board: Board = "#.........\n##.......#".parse().unwrap();
        let (mut bag, at) = (Bag::FULL, Location::spawn(Piece::T));
        bag.take(Piece::I);
        let value =
            serde_json::to_value((board, Piece::S, bag, at, Rotation::Ccw, SpinMode::TSpins)).unwrap();
        let location = json!({ "piece": "T", "orientation": "north", "x": 4, "y": 19 });
        assert_eq!(value, json!([board.to_string(), "S", "OTSZJL", location, "ccw", "t_spins"]));
        // The other text of a board, and rules with defaults.
        assert_eq!(read(&json!("3,1,0,0,0,0,0,0,0,1")), Ok(board));
        assert_eq!(read(&json!({ "next": 3 })), Ok(Rules { next: 3, ..Rules::default() }));
    }

    #[test]
    fn what_no_game_has_is_refused() {
        let game = Game::new(Rules::default(), &mut Rng::new(1));
        let good = serde_json::to_value(&game).unwrap();
        assert_eq!(read(&good), Ok(game));
        let full = "##########\n".repeat(25);
        let blocked = format!("..########\n{}", "#########.\n".repeat(21));
        for (field, value, expected) in [
            ("queue", json!("IOT"), "expected a queue of 6 pieces, found 3"),
            ("queue", json!("IOTSZX"), "column 6: expected one of I O T S Z J L"),
            ("bag", json!(""), "expected a bag of one to seven pieces"),
            ("bag", json!("II"), "expected a bag of one to seven pieces"),
            ("bag", json!("IOTSZJLI"), "expected a bag of one to seven pieces"),
            ("board", json!("###"), "line 1, column 4: expected 10 cells"),
            ("board", json!(full), "expected a game that is over"),
            ("board", json!(blocked), "expected a game that is over"),
            ("over", json!("block"), "expected no block out"),
            ("over", json!("tired"), "unknown variant"),
            ("combo", json!(-1), "expected u32"),
            ("garbage", json!([{ "lines": 0, "column": 3 }]), "at least one line"),
            ("garbage", json!([{ "lines": 2, "column": 10 }]), "expected a column below 10, found 10"),
            ("level", json!(3), "unknown field `level`"),
        ] {
            let mut bad = good.clone();
            bad[field] = value;
            let error = read::<Game>(&bad).unwrap_err();
            assert!(error.contains(expected), "{field}: {error}");
        }
        let mut bad = good.clone();
        bad["rules"]["next"] = json!(16);
        assert!(read::<Game>(&bad).unwrap_err().contains("a preview of at most 15, found 16"));
        let mut bad = good.clone();
        bad["rules"]["garbage_timing"] = json!("immediate");
        bad["garbage"] = json!([{ "lines": 1, "column": 0 }]);
        assert!(read::<Game>(&bad).unwrap_err().contains("expected no waiting garbage"));
        bad["rules"]["garbage_timing"] = json!("after_every_lock");
        assert!(read::<Game>(&bad).is_ok());
        let mut bad = good;
        bad.as_object_mut().unwrap().remove("hold");
        assert!(read::<Game>(&bad).is_ok(), "an empty hold may be left out");
        bad.as_object_mut().unwrap().remove("bag");
        assert!(read::<Game>(&bad).unwrap_err().contains("missing field `bag`"));
    }

    #[test]
    fn saved_batches_play_on() {
        fn again<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
            serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
        }
        for actions in [Actions::Drops, Actions::Placements] {
            let garbage = Some(GarbageRate { every: NonZeroU32::new(3).unwrap(), lines: 2 });
            let rules =
                BatchRules { actions, garbage, max_pieces: NonZeroU32::new(30), ..BatchRules::default() };
            let batch = tetris::Batch::new(5, 1, rules).unwrap();
            testkit::check_saved(&batch, again, again);
            let mut value = serde_json::to_value(batch).unwrap();
            value["rules"]["game"]["next"] = json!(1);
            assert!(serde_json::from_value::<tetris::Batch>(value).is_err());
        }
    }
}
