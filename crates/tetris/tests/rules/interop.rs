//! The features `serde` and `rand_core`.

#[cfg(feature = "rand_core")]
mod rand_core {
    use bitcore::rand_core::SeedableRng;
    use rand_xoshiro::SplitMix64;
    use std::collections::BTreeSet;
    use tetris::{Bag, Game, Rules};

    #[test]
    fn another_generator_draws_whole_bags_and_plays_legal_games() {
        testkit::seeds(100, |seed| {
            let mut bag = Bag::FULL;
            let mut foreign = SplitMix64::seed_from_u64(seed);
            let seven: BTreeSet<_> = (0..7).map(|_| bag.draw(&mut foreign)).collect();
            assert_eq!(seven.len(), 7);
            assert_eq!(bag, Bag::FULL);
            let mut game = Game::new(Rules::default(), &mut foreign);
            for turn in 0..20 {
                let legal = game.legal_moves();
                let Some(&turn_by_step) = legal.get(seed as usize % legal.len().max(1)) else {
                    break;
                };
                assert_eq!(game.pieces(), turn);
                assert!(game.clone().play(turn_by_step, &mut foreign.clone()).is_ok());
                assert!(game.play_random(&mut foreign).is_some());
            }
        });
    }
}

#[cfg(feature = "serde")]
mod serde {
    use crate::properties;
    use crate::properties::values::{garbage, position, rules};
    use bitcore::Rng;
    use serde::{Serialize, de::DeserializeOwned};
    use serde_json::{Value, json};
    use std::fmt::Debug;
    use tetris::movegen::SpinMode;
    use tetris::real_time::{
        Handling, Key, RealTimeGame, RealTimeRules, RealTimeVersus, Recording, VersusRules,
    };
    use tetris::{
        AttackTable, Bag, Batch, Board, Game, Location, Piece, Position, Queue, Rotation, Rules,
    };

    testkit::calls_through_json!();

    fn read<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
        serde_json::from_value(value.clone()).map_err(|error| error.to_string())
    }

    fn assert_same<T: Serialize + DeserializeOwned + Debug + PartialEq>(value: &T) {
        assert_eq!(through_json(value), *value);
    }

    #[test]
    fn saved_values_are_read_again_and_play_on() {
        testkit::inputs(500, |input| {
            let rules = rules(input);
            let (known, position) = position(input);
            let mut rng = Rng::new(input.byte().into());
            let Ok(mut game) = Game::from_position(rules, position(&known), &mut rng) else {
                return;
            };
            for _ in 0..input.below(40) {
                game.play_random(&mut rng);
                if input.below(4) == 0 {
                    let _ = game.receive(garbage(input));
                }
            }
            assert_same(game.board());
            assert_same(&Queue(game.next().to_vec()));
            assert_same(&game.bag());
            assert_same(&game.rules());
            assert_same(&game.legal_moves());
            assert_same(game.garbage());
            assert_same(&game.top_out());
            assert_same(&game.board().features());
            let (mut read, mut same) = through_json(&(game.clone(), rng.clone()));
            assert_eq!(&read, &game);
            assert_eq!(&same, &rng);
            let result = game.play_random(&mut rng);
            assert_eq!(read.play_random(&mut same), result);
            assert_eq!(read, game);
            assert_same(&result);
        });
    }

    #[test]
    fn a_saved_real_time_game_is_replayed() {
        let rules = RealTimeRules::SPRINT;
        let handling = Handling { das: 7, ..Handling::default() };
        let mut game = RealTimeGame::new(rules, handling, 7);
        let mut rng = Rng::new(1);
        for _ in 0..2000 {
            if rng.below(3) == 0 {
                game.tap(Key::ALL[rng.below(7) as usize]);
            }
            game.tick(&mut Vec::new());
        }
        let value = serde_json::to_value((rules, handling, game.recording())).unwrap();
        assert_eq!(value[0]["goal"], json!({ "lines": 40 }));
        let (rules, handling, recording): (RealTimeRules, Handling, Recording) =
            read(&value).unwrap();
        assert_eq!(RealTimeGame::new(rules, handling, 7).replay(&recording), game);
        let error = read::<Recording>(&json!("0 press left\n1 press lift\n")).unwrap_err();
        assert!(error.starts_with("line 2, column 9: expected `left`"), "{error}");
        assert!(read::<Handling>(&json!({ "dass": 7 })).is_err());
    }

    #[test]
    fn saved_versus_games_play_on() {
        testkit::inputs(100, |input| {
            properties::versus::play(input, |versus| through_json(&versus));
        });
        let mut versus = RealTimeVersus::new(VersusRules::JSTRIS, [Handling::default(); 2], 7);
        let mut events = Default::default();
        for tick in 0..600 {
            versus.tap(tick % 2, Key::HardDrop);
            versus.tick(&mut events);
        }
        let good = serde_json::to_value(&versus).unwrap();
        assert_eq!(read(&good), Ok(versus));
        for (fields, expected) in [
            (json!({ "recordings": ["5 end", "5 ends"] }), "line 1, column 3"),
            (json!({ "recordings": ["5 end", "6 end"] }), "two recordings of as many ticks"),
            (json!({ "last_holes": [null, 10] }), "a column below 10"),
            (
                json!({ "rules": { "countdown": 0 }, "recordings": ["9999999 end", "9 end"] }),
                "games under these rules",
            ),
        ] {
            let mut bad = good.clone();
            bad.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            let error = read::<RealTimeVersus>(&bad).unwrap_err();
            assert!(error.contains(expected), "{fields}: {error}");
        }
    }

    #[test]
    fn the_forms_are_the_texts() {
        let board: Board = "#.........\n##.......#".parse().unwrap();
        let mut bag = Bag::FULL;
        let at = Location::spawn(Piece::T);
        bag.take(Piece::I);
        let value =
            serde_json::to_value((board, Piece::S, bag, at, Rotation::Ccw, SpinMode::TSpins))
                .unwrap();
        let location = json!({ "piece": "T", "orientation": "north", "x": 4, "y": 19 });
        assert_eq!(value, json!([board.to_string(), "S", "OTSZJL", location, "ccw", "t_spins"]));
        // The other text form of a board, and rules with defaults.
        assert_eq!(read(&json!("3,1,0,0,0,0,0,0,0,1")), Ok(board));
        assert_eq!(read(&json!({ "next": 3 })), Ok(Rules { next: 3, ..Rules::default() }));
        // Rules saved before garbage traveled.
        let mut rules = serde_json::to_value(Rules::GUIDELINE).unwrap();
        assert!(rules.as_object_mut().unwrap().remove("garbage_delay").is_some());
        assert_eq!(read(&rules), Ok(Rules::GUIDELINE));
        // Tables and clears saved before other games' bonuses existed.
        let mut table = serde_json::to_value(AttackTable::GUIDELINE).unwrap();
        for field in ["combo_bonus", "back_to_back_bonus", "perfect_bonus"] {
            assert!(table.as_object_mut().unwrap().remove(field).is_some());
        }
        assert_eq!(read(&table), Ok(AttackTable::GUIDELINE));
        assert_same(&AttackTable::TETRIO_SEASON_2);
    }

    #[test]
    fn what_no_game_has_is_refused() {
        let game = Game::new(Rules::default(), &mut Rng::new(1));
        let good = serde_json::to_value(&game).unwrap();
        assert_eq!(read(&good), Ok(game));
        let full = "##########\n".repeat(25);
        let blocked = format!("..########\n{}", "#########.\n".repeat(21));
        let immediate = json!({ "garbage_timing": "immediate" });
        // Changed fields and the expected error.
        for (fields, expected) in [
            (json!({ "queue": "IOT" }), "expected a queue of 6 pieces, found 3"),
            (json!({ "queue": "IOTSZX" }), "column 6: expected one of I O T S Z J L"),
            (json!({ "bag": "" }), "expected a bag of one to seven pieces"),
            (json!({ "bag": "II" }), "expected a bag of one to seven pieces"),
            (json!({ "bag": "IOTSZJLI" }), "expected a bag of one to seven pieces"),
            (json!({ "board": "###" }), "line 1, column 4: expected 10 cells"),
            (json!({ "board": full }), "expected a game that is over"),
            (json!({ "board": blocked }), "expected a game that is over"),
            (json!({ "over": "block" }), "expected no block out"),
            (json!({ "over": "tired" }), "unknown variant"),
            (json!({ "combo": -1 }), "expected u32"),
            (json!({ "garbage": [{ "lines": 0, "column": 3 }] }), "at least one line"),
            (
                json!({ "garbage": [{ "lines": 2, "column": 10 }] }),
                "expected a column below 10, found 10",
            ),
            (json!({ "level": 3 }), "unknown field `level`"),
            (json!({ "rules": { "next": 16 } }), "a preview of at most 15, found 16"),
            (json!({ "rules": { "second_row": false } }), "unknown field `second_row`"),
            (
                json!({ "rules": immediate, "garbage": [{ "lines": 1, "column": 0 }] }),
                "expected no waiting garbage",
            ),
        ] {
            let mut bad = good.clone();
            bad.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            let error = read::<Game>(&bad).unwrap_err();
            assert!(error.contains(expected), "{fields}: {error}");
        }
        let without = |field| {
            let mut value = good.clone();
            value.as_object_mut().unwrap().remove(field);
            read::<Game>(&value)
        };
        assert!(without("hold").is_ok(), "an empty hold may be left out");
        assert!(without("bag").unwrap_err().contains("missing field `bag`"));
        let mut waiting = good.clone();
        waiting["garbage"] = json!([{ "lines": 1, "column": 0 }]);
        assert!(read::<Game>(&waiting).is_ok());
    }

    #[test]
    fn saved_batches_play_on() {
        testkit::inputs(100, |input| properties::batch::by(input, &ThroughJson));
        testkit::inputs(100, |input| properties::keys::by(input, &ThroughJson));
        let mut value = serde_json::to_value(Batch::new(5, Rules::default(), 1).unwrap()).unwrap();
        value["rules"]["rules"]["next"] = json!(1);
        assert!(serde_json::from_value::<Batch>(value).is_err());
    }

    /// Games saved before the second spawn row existed have one spawn row.
    #[test]
    fn saved_games_of_before_have_one_row() {
        let old_rules = Rules { second_spawn_row: false, ..Rules::GUIDELINE };
        let blocked = format!("....#.....\n{}", "#########.\n".repeat(19));
        let start = |rules, board: &str| {
            let position = Position {
                board: board.parse().unwrap(),
                queue: &[Piece::T],
                ..Position::default()
            };
            Game::from_position(rules, position, &mut Rng::new(1)).unwrap()
        };
        // A game over by a block out, and a running one.
        for game in [start(old_rules, &blocked), start(old_rules, "..........")] {
            let mut saved = serde_json::to_value(&game).unwrap();
            assert_eq!(saved["rules"]["second_spawn_row"], false);
            assert_eq!(saved["rules"]["rotation_system"], "srs");
            assert_eq!(saved["rules"]["spin_mode"], "t_spins");
            for later in ["second_spawn_row", "rotation_system", "spin_mode"] {
                saved["rules"].as_object_mut().unwrap().remove(later);
            }
            assert_eq!(read(&saved), Ok(game));
        }
        let batch = Batch::new(2, old_rules, 1).unwrap();
        let text = serde_json::to_string(&batch).unwrap();
        let old = text.replace(r#","second_spawn_row":false"#, "");
        assert!(!old.contains("second"));
        assert_eq!(
            serde_json::to_string(&serde_json::from_str::<Batch>(&old).unwrap()).unwrap(),
            text
        );
        // Rules with more fields missing take the defaults.
        assert_eq!(read(&json!({})), Ok(Rules::default()));
        assert_eq!(read(&json!({ "second_spawn_row": false })), Ok(old_rules));
        // With the second spawn row, a block out needs both rows.
        let game = start(Rules::GUIDELINE, &format!("....#.....\n{blocked}"));
        let mut saved = serde_json::to_value(&game).unwrap();
        assert_eq!(read(&saved), Ok(game));
        saved["board"] = blocked.parse::<Board>().unwrap().to_string().into();
        let error = read::<Game>(&saved).unwrap_err();
        assert!(error.contains("expected no block out"), "{error}");
    }
}
