//! The features `serde` and `rand_core`.

#[cfg(feature = "rand_core")]
mod rand_core {
    use bitcore::RandomSource;
    use bitcore::rand_core::SeedableRng;
    use match3::{Board, deal, has_swap, is_stable, ranked_swaps, redeal, shuffle, try_swap};
    use rand_xoshiro::SplitMix64;

    #[test]
    fn another_generator_deals_shuffles_and_refills() {
        testkit::seeds(200, |seed| {
            let mut foreign = SplitMix64::seed_from_u64(seed);
            let colors = 4 + foreign.below(4) as u8;
            let is_good = |board: &Board| is_stable(board) && has_swap(board);
            let mut board = deal(5, 6, colors, &mut foreign).unwrap();
            assert!(is_good(&board));
            shuffle(&mut board, &mut foreign).unwrap();
            assert!(is_good(&board));
            redeal(&mut board, colors, &mut foreign).unwrap();
            assert!(is_good(&board));
            let (swap, _) = ranked_swaps(&board)[0];
            let color = || 1 + foreign.below(colors.into()) as u8;
            let result = try_swap(&mut board, swap, color, &mut ()).unwrap();
            assert!(result.cleared >= 3 && is_stable(&board));
            assert!(
                board.cells().iter().all(|cell| cell.color().is_some_and(|color| color <= colors))
            );
        });
    }
}

#[cfg(feature = "serde")]
mod serde {
    use crate::properties;
    use crate::properties::values::{any_board, with_specials};
    use bitcore::Rng;
    use match3::special::{Special, SpecialBoard, SpecialEvent};
    use match3::{
        Axis, Board, Board8, Board16, Cell, Colors, Event, Game, RandomColors, Rules, Swap,
        ranked_swaps, replay, try_swap,
    };
    use serde_json::{Value, json};

    fn read<T: serde::de::DeserializeOwned>(value: &Value) -> Result<T, String> {
        serde_json::from_value(value.clone()).map_err(|error| error.to_string())
    }

    fn again<T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(
        value: &T,
    ) {
        assert_eq!(read::<T>(&serde_json::to_value(value).unwrap()).as_ref(), Ok(value));
    }

    #[test]
    fn saved_values_are_read_again() {
        testkit::inputs(500, |input| {
            let board = any_board(input, 64, 35);
            again(&board);
            again(&board.cells().to_vec());
            if let Ok(planes) = Board16::<4>::try_from(&board) {
                again(&planes);
                let rules =
                    Rules { width: board.width(), height: board.height(), ..Rules::default() };
                let mut game = Game::with_board(rules, &board).unwrap();
                again(&game);
                if let Some(&swap) = game.legal_moves().first() {
                    game.play(swap, &mut RandomColors::new(6, Rng::new(1)).unwrap()).unwrap();
                    again(&game);
                }
            }
            again(&with_specials(board, 20, 1));
            let mut colors = RandomColors::new(1 + input.byte() % 15, Rng::new(1)).unwrap();
            for _ in 0..input.byte() % 100 {
                colors.next();
            }
            again(&colors);
        });
    }

    #[test]
    fn a_saved_journal_is_replayed() {
        let mut board: Board = "1213\n3122\n2331".parse().unwrap();
        let start = board.clone();
        let mut colors = RandomColors::new(3, Rng::new(7)).unwrap();
        let swap = ranked_swaps(&board)[0].0;
        let mut journal = Vec::<Event>::new();
        let result = try_swap(&mut board, swap, || colors.next(), &mut journal).unwrap();
        again(&(swap, result));
        let saved = serde_json::to_value(&journal).unwrap();
        assert_eq!(saved[0], json!(journal[0].to_string()));
        let mut replayed = start;
        replay(&mut replayed, &read::<Vec<Event>>(&saved).unwrap()).unwrap();
        assert_eq!(replayed, board);
    }

    #[test]
    fn the_forms_are_the_texts() {
        let board: Board = "1#\n!2.".parse().unwrap();
        let planes: Board8 = Board8::try_from(&board).unwrap();
        let swap = Swap { x: 1, y: 2, axis: Axis::Vertical };
        let value = (&board, planes, board[(0, 1)], swap, Special::Bomb);
        let text = "1#\n!2.";
        assert_eq!(
            serde_json::to_value(value).unwrap(),
            json!([text, text, "!2", { "x": 1, "y": 2, "axis": "V" }, "bomb"])
        );
        let mut special = SpecialBoard::from(board);
        special.set_special(0, 1, Some(Special::Row)).unwrap();
        assert_eq!(
            serde_json::to_value(special).unwrap(),
            json!({ "board": text, "specials": [[0, 1, "row"]] })
        );
        assert_eq!(read(&json!({ "colors": 5 })), Ok(Rules { colors: 5, ..Rules::default() }));
        let mut colors = RandomColors::new(5, Rng::from_state([1, 2, 3, 4]).unwrap()).unwrap();
        assert_eq!(serde_json::to_value(&colors).unwrap()["buffered"], json!([]));
        let first = colors.next();
        let saved = serde_json::to_value(&colors).unwrap();
        let next = saved["buffered"][0].as_u64().unwrap();
        assert_eq!(u64::from(colors.next()), next);
        assert!((1..=5).contains(&first));
    }

    #[test]
    fn what_no_board_has_is_refused() {
        fn refused<T: serde::de::DeserializeOwned>(value: &Value, part: &str) {
            let error = read::<T>(value).map(drop).expect_err(part);
            assert!(error.contains(part), "{error}");
        }
        refused::<Board>(&json!("12\n1x2"), "line 2: a row of 3 cells");
        refused::<Board>(&json!("12\n1Y"), "line 2, column 2: found 'Y'");
        refused::<Board>(&json!([1, 2]), "expected rows of cells");
        refused::<Cell>(&json!("12"), "expected one cell, found 2");
        refused::<Board8>(&json!("8"), "color 8, expected at most 7");
        refused::<Board8>(&json!("123123123"), "a board of 9 x 1");
        refused::<SpecialEvent>(&json!("fall 1,1"), "column 9: expected a cell");
        refused::<Swap>(&json!({ "x": 1, "y": 2, "axis": "X" }), "X");
        refused::<Rules>(&json!({ "colours": 5 }), "unknown field `colours`");
        assert!(read::<Board8<4>>(&json!("8")).is_ok());

        let special = |specials: Value| json!({ "board": "1#", "specials": specials });
        assert!(read::<SpecialBoard>(&special(json!([[0, 0, "row"]]))).is_ok());
        refused::<SpecialBoard>(&special(json!([[1, 0, "row"]])), "has no piece");
        refused::<SpecialBoard>(&special(json!([[2, 0, "row"]])), "outside the board");
        refused::<SpecialBoard>(&special(json!([[0, 0, "gem"]])), "unknown special piece");
        let twice = json!([[0, 0, "row"], [0, 0, "bomb"]]);
        refused::<SpecialBoard>(&special(twice), "in a different cell");

        let game = |key: &str, value: Value| {
            let rules = json!({ "width": 4, "height": 1, "moves": 3 });
            let mut game = json!({ "rules": rules, "board": "1121", "moves_left": 2, "score": 30 });
            game[key] = value;
            game
        };
        assert!(read::<Game>(&game("moves_left", json!(3))).is_ok_and(|game| !game.is_over()));
        assert!(read::<Game>(&game("moves_left", json!(0))).is_ok_and(|game| game.is_over()));
        refused::<Game>(&game("moves_left", json!(4)), "4 moves left: expected at most 3");
        refused::<Game>(&game("board", json!("112")), "a board of 3 x 1: expected 4 x 1");
        refused::<Game>(&game("board", json!("11g1")), "color 16, expected at most 15");
        refused::<Game>(
            &game("rules", json!({ "width": 4, "height": 1, "colors": 2 })),
            "2 colors",
        );

        let colors = |count: u8, buffered: Value| json!({ "rng": [1, 2, 3, 4], "count": count, "buffered": buffered });
        assert!(read::<RandomColors>(&colors(3, json!([1, 2, 3]))).is_ok());
        refused::<RandomColors>(&colors(3, json!([1, 4])), "expected a color from 1 to 3, found 4");
        refused::<RandomColors>(&colors(3, json!([0])), "expected a color from 1 to 3, found 0");
        refused::<RandomColors>(
            &colors(3, json!(vec![1; 65])),
            "at most 64 buffered colors, found 65",
        );
        refused::<RandomColors>(&colors(16, json!([])), "16 colors");
        refused::<RandomColors>(&colors(0, json!([])), "0 colors");
    }

    testkit::calls_through_json!();

    #[test]
    fn saved_batches_play_on() {
        testkit::inputs(100, |input| properties::batch::by(input, &ThroughJson));
        for colors in [4, 9] {
            let rules = Rules { colors, ..Rules::default() };
            let mut value = serde_json::to_value(match3::Batch::new(2, rules, 1).unwrap()).unwrap();
            value["rules"]["colors"] = json!(colors - 1);
            assert!(serde_json::from_value::<match3::Batch>(value).is_err());
        }
    }
}
