//! The features `serde` and `rand_core`.

#[cfg(feature = "rand_core")]
mod rand_core {
    use bitcore::rand_core::SeedableRng;
    use go_mc::reference::light_playout;
    use go_mc::{Size, Suicide};
    use rand_xoshiro::SplitMix64;

    #[test]
    fn another_generator_plays_to_the_end() {
        for seed in 0..20 {
            let size = Size::new(5, 4).unwrap();
            let (result, board) =
                light_playout(size, Suicide::Forbidden, &mut SplitMix64::seed_from_u64(seed));
            assert!(result.stones > 0 && result.area == board.area());
        }
    }
}

#[cfg(feature = "serde")]
mod serde {
    use crate::properties::{batch, values};
    use bitcore::Rng;
    use go_mc::{Batch, Board, Color, Game, Ko, Move, Point, Position, Rules, Size};
    use serde_json::{Value, json};

    fn read<T: serde::de::DeserializeOwned>(value: &Value) -> Result<T, String> {
        serde_json::from_value(value.clone()).map_err(|error| error.to_string())
    }

    #[test]
    fn saved_values_are_read_again() {
        testkit::inputs(500, |input| {
            let size = values::size(input);
            let below = |n: usize| input.below(n) as u8;
            let draw = || match below(12) {
                0 => Move::Pass,
                _ => Move::Play(Point { x: below(size.width()), y: below(size.height()) }),
            };
            let mut game = Game::new(Rules { size, ..values::rules(input) });
            for _ in input.steps(80) {
                match below(16) {
                    0 => game.set_to_move(*input.pick(&Color::ALL)),
                    1 => drop(game.play_recorded(*input.pick(&Color::ALL), draw())),
                    // An illegal move only uses up input.
                    _ => drop(game.play(draw())),
                }
            }
            assert_eq!(through_json(&game), game);
            let mut board = Board::new(Size::new(5, 5).unwrap());
            values::fill(&mut board, &mut Rng::new(input.u64()));
            let mut position = Position::<5>::new(&board, game.to_move()).unwrap();
            if input.below(3) == 0 {
                position = position.after_pass();
            }
            let value = (board, game.rules(), draw(), game.to_move(), position);
            assert_eq!(through_json(&value), value);
        });
    }

    /// Returns a game of 4 x 4 where White may not retake a ko on B3.
    fn with_ko(ko: Ko) -> Game {
        let board: Board = ".XO.\nXO.O\n.XO.\n....".parse().unwrap();
        let mut game = Game::from_board(board, Color::Black, Rules { ko, ..Rules::default() });
        game.play("C3".parse().unwrap()).unwrap();
        game
    }

    #[test]
    fn the_forms_are_the_texts() {
        let game = with_ko(Ko::Simple);
        let board = json!({ "stones": ".XO.\nX.XO\n.XO.\n....\n", "ko": ["white", "B3"] });
        assert_eq!(serde_json::to_value(game.board()).unwrap(), board);
        let mut later = game;
        later.set_to_move(Color::Black);
        let expected = json!({
            "rules": { "size": "4x4", "ko": "simple", "suicide": "forbidden", "komi": "7.5" },
            "start": { "stones": ".XO.\nXO.O\n.XO.\n....\n", "ko": null },
            "to_move": "black", "moves": [["black", "C3"], ["black", null]],
        });
        assert_eq!(serde_json::to_value(&later).unwrap(), expected);
        let value = (Move::Pass, Move::Play(Point { x: 3, y: 3 }), Size::new(3, 4).unwrap());
        assert_eq!(serde_json::to_value(value).unwrap(), json!(["pass", "D4", "3x4"]));
        assert_eq!(read(&json!("d4")), Ok(Point { x: 3, y: 3 }));
    }

    #[test]
    fn what_no_board_has_is_refused() {
        let ko = ".XO.\nX.XO\n.XO.\n....";
        for (stones, ko, expected) in [
            ("XO\nO.", Value::Null, "line 1, column 1: expected a stone whose chain has a liberty"),
            ("XO\nO*", Value::Null, "line 2, column 2: expected X, O or ."),
            (ko, json!(["black", "B3"]), "B3 can't be a ko point forbidden to black"),
            (ko, json!(["white", "C3"]), "C3 can't be a ko"),
            (ko, json!(["white", "D1"]), "D1 can't be a ko"),
            (".XO.\nX.X.\n.XO.\n....", json!(["white", "B3"]), "B3 can't be a ko"),
            (ko, json!(["white", "I3"]), "expected a column letter"),
            (ko, json!(["white", "T19"]), "T19 can't be a ko"),
        ] {
            let error = read::<Board>(&json!({ "stones": stones, "ko": ko })).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        let board = json!({ "stones": "..\n..", "ko": null });
        let position = |passed| json!({ "board": board, "to_move": "black", "passed": passed });
        assert!(read::<Position<2>>(&position(true)).is_ok());
        assert!(
            read::<Position<9>>(&position(true))
                .unwrap_err()
                .contains("expected a board of 9x9, found 2x2")
        );
        let board = serde_json::to_value(with_ko(Ko::Simple).board()).unwrap();
        let mut position = json!({ "board": board, "to_move": "white", "passed": false });
        assert!(read::<Position<4>>(&position).is_ok());
        position["passed"] = json!(true);
        assert!(read::<Position<4>>(&position).unwrap_err().contains("none after a pass"));
    }

    #[test]
    fn what_no_game_has_is_refused() {
        let game = serde_json::to_value(with_ko(Ko::Positional)).unwrap();
        let ko = serde_json::to_value(with_ko(Ko::Simple).board()).unwrap();
        let rules = |size| json!({ "size": size, "ko": "simple", "suicide": "all", "komi": "0" });
        for (field, value, expected) in [
            ("start", ko, "expected a ko only for the player to move"),
            ("start", json!({ "stones": "XO\nO.", "ko": null }), "line 1, column 1"),
            ("moves", json!([["black", "C3"], ["white", "E5"]]), "move 2: off the board"),
            ("moves", json!([["black", null]]), "move 1: it is already this player's turn"),
            ("moves", json!([["green", "C3"]]), "expected black, b, white or w"),
            ("moves", json!([["black", "I9"]]), "expected a column letter"),
            ("komi", json!(7.5), "unknown field `komi`"),
            ("rules", rules("4x5"), "expected a board of 4x5, found 4x4"),
            ("rules", rules("0x4"), "expected WxH"),
        ] {
            let mut bad = game.clone();
            bad[field] = value;
            let error = read::<Game>(&bad).unwrap_err();
            assert!(error.contains(expected), "{field}: {error}");
        }
        // A record's illegal move is a move of its game.
        let mut record = game;
        record["moves"] = json!([["black", "C3"], ["white", "B3"], ["black", "B3"]]);
        assert_eq!(read::<Game>(&record).unwrap().moves().count(), 3);
    }

    testkit::calls_through_json!();

    #[test]
    fn saved_batches_play_on() {
        testkit::inputs(100, |input| batch::by(input, &ThroughJson, &batch::Seen::default()));
        let batch =
            Batch::new(3, values::square(5), 1).unwrap().with_starts(batch::starts()).unwrap();
        let reset = |mut batch: Batch| {
            batch.reset_into(&mut [0; 450], &mut [false; 78]).unwrap();
            format!("{batch:?}")
        };
        assert_eq!(reset(through_json(&batch)), reset(batch.clone()), "the starts are saved, too");
        let mut value = serde_json::to_value(batch).unwrap();
        value["rules"]["size"] = json!("7x7");
        assert!(serde_json::from_value::<Batch>(value).is_err());
    }
}
