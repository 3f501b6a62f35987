//! The features `serde` and `rand_core`.

#[cfg(feature = "rand_core")]
mod rand_core {
    use bitcore::Rng;
    use bitcore::rand_core::SeedableRng;
    use g2048::{Board, Packed, Size};
    use rand_xoshiro::SplitMix64;

    #[test]
    fn another_generator_spawns_tiles_by_the_rules() {
        testkit::seeds(500, |seed| {
            let mut foreign = SplitMix64::seed_from_u64(seed);
            let size = Size::all().nth((seed % 49) as usize).unwrap();
            let mut board = Board::start(size, &mut foreign);
            assert_eq!(board.empty_cells(), size.cells() - 2);
            loop {
                let before = board;
                let Some(cell) = board.spawn(&mut foreign) else { break };
                assert!(before.ranks()[cell] == 0 && matches!(board.ranks()[cell], 1 | 2));
                assert!(before.spawns().any(|spawn| spawn == board));
            }
            assert_eq!(board.empty_cells(), 0);
        });
    }

    #[test]
    fn both_boards_draw_the_same_from_any_generator() {
        for seed in 0..200 {
            let mut a = SplitMix64::seed_from_u64(seed);
            let mut b = SplitMix64::seed_from_u64(seed);
            assert_eq!(Board::from(Packed::start(&mut a)), Board::start(Size::CLASSIC, &mut b));
            assert_eq!(a, b);
        }
        // Also a generator behind a trait object.
        let source: &mut dyn bitcore::RandomSource = &mut Rng::new(1);
        assert_eq!(Packed::start(source), Packed::start(&mut Rng::new(1)));
    }
}

#[cfg(feature = "serde")]
mod serde {
    use bitcore::Rng;
    use g2048::{Batch, Board, Direction, Game, Packed, Rules, Size};

    #[test]
    fn saved_values_are_read_again() {
        testkit::seeds(1_000, |seed| {
            let mut rng = Rng::new(seed);
            let size = Size::all().nth(rng.below(49) as usize).unwrap();
            let ranks: Vec<u8> = (0..size.cells()).map(|_| rng.below(51) as u8).collect();
            let board = Board::from_ranks(size, &ranks).unwrap();
            let value = (size, board, Direction::ALL[rng.below(4) as usize], Game::from(board));
            let text = serde_json::to_string(&value).unwrap();
            assert_eq!(
                serde_json::from_str::<(Size, Board, Direction, Game)>(&text).unwrap(),
                value
            );
            let mut packed = Packed::start(&mut rng);
            packed.spawn(&mut rng);
            let text = serde_json::to_string(&packed).unwrap();
            assert_eq!(serde_json::from_str::<Packed>(&text).unwrap(), packed);
        });
    }

    #[test]
    fn the_forms_are_the_texts() {
        let board: Board = "2 4 .\n. 8 16".parse().unwrap();
        let value = (board, board.size(), Direction::Up);
        assert_eq!(
            serde_json::to_value(value).unwrap(),
            serde_json::json!([board.to_string(), "3x2", "up"])
        );
    }

    #[test]
    fn what_is_no_board_is_refused_with_its_place() {
        let board = |text| serde_json::from_str::<Board>(text).unwrap_err().to_string();
        assert!(board(r#""2 4\n2 3""#).starts_with("line 2, column 3: expected a tile"));
        assert!(board("[2, 4]").contains("expected rows of tile values"));
        let size = |text| serde_json::from_str::<Size>(text).unwrap_err().to_string();
        assert!(
            size(r#""9x4""#).contains("numbers from 2 to 8")
                && size("44").contains("a size such as 4x4")
        );
        let packed = |text| serde_json::from_str::<Packed>(text).unwrap_err().to_string();
        assert!(packed(r#""2 4\n2 4""#).contains("expected a board of 4x4, found 2x2"));
        let large = r#""65536 . . .\n. . . .\n. . . .\n. . . .""#;
        assert!(packed(large).contains("expected a rank of at most 15, found 16"));
        assert!(serde_json::from_str::<Direction>(r#""north""#).is_err());
    }

    #[test]
    fn games_are_read_as_play_can_reach_them() {
        let mut rng = Rng::new(4);
        let mut games = Vec::new();
        let mut game = Game::new(Rules::default(), &mut rng);
        while let Some(&direction) = game.legal_moves().first() {
            games.push(game.clone());
            game.play(direction, &mut rng).unwrap();
        }
        games.push(game.clone());
        for game in &games {
            let text = serde_json::to_string(game).unwrap();
            assert_eq!(serde_json::from_str::<Game>(&text).unwrap(), *game);
        }
        let value = |score: u64, moves: u64| {
            let value = serde_json::json!({"score": score, "moves": moves, "board": "4 2\n2 ."});
            serde_json::from_value::<Game>(value).map_err(|error| error.to_string())
        };
        assert!(value(4, 4).is_ok());
        assert!(value(5, 4).unwrap_err().starts_with("expected a score"));
        assert!(value(4, 5).unwrap_err().starts_with("expected no more moves"));
        assert!(value(u64::MAX, u64::MAX).is_err());
        let rules = serde_json::to_value(Rules::default()).unwrap();
        assert_eq!(rules, serde_json::json!({"size": "4x4"}));
        assert_eq!(serde_json::from_value::<Rules>(rules).unwrap(), Rules::default());
    }

    testkit::calls_through_json!();

    #[test]
    fn saved_batches_play_on() {
        testkit::inputs(200, |input| crate::properties::batch::by(input, &ThroughJson));
        let starts = vec![Board::from_ranks(Size::CLASSIC, &[3; 16]).unwrap()];
        let batch = Batch::new(3, Size::CLASSIC, 1).unwrap().with_starts(starts).unwrap();
        let reset = |mut batch: Batch| {
            batch.reset_into(&mut [0; 48], &mut [false; 12]).unwrap();
            format!("{batch:?}")
        };
        assert_eq!(reset(through_json(&batch)), reset(batch.clone()), "the starts are saved, too");
        let mut value = serde_json::to_value(batch).unwrap();
        value["games"][0]["game"]["board"] =
            serde_json::to_value(Board::empty(Size::new(3, 3).unwrap())).unwrap();
        assert!(serde_json::from_value::<Batch>(value).is_err());
    }
}
