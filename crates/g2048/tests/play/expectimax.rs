//! The search, compared with its definition.

use bitcore::Rng;
use g2048::expectimax::{Choice, Evaluate, Limits};
use g2048::network::LearnerSettings;
use g2048::{
    Board, Direction, Expectimax, Game, Learner, Packed, Player, Size, SmallLearner, Stopped,
};
use std::sync::atomic::{AtomicU32, Ordering};

/// An arbitrary evaluation with different values for different boards.
fn value(after: Packed) -> f32 {
    (after.bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50) as f32
}

/// Returns the mean over all spawns of the best move after each.
fn mean(after: &Board, depth: u32) -> f64 {
    if depth == 1 {
        return f64::from(value(Packed::try_from(after).unwrap()));
    }
    let spawns: Vec<Board> = after.spawns().collect();
    let weighted = spawns.chunks(2).map(|two_four| {
        let [two, four] =
            [0, 1].map(|i| best(&two_four[i], depth - 1).map_or(0.0, |(value, _)| value));
        0.9 * two + 0.1 * four
    });
    weighted.sum::<f64>() / after.empty_cells() as f64
}

fn best(board: &Board, depth: u32) -> Option<(f64, Direction)> {
    let mut best = None;
    for &direction in board.legal_moves() {
        let slide = board.slide(direction);
        let value = slide.gain as f64 + mean(&slide.board, depth);
        if best.is_none_or(|(best, _)| value > best) {
            best = Some((value, direction));
        }
    }
    best
}

/// Returns a board with few empty cells, which keeps the plain search fast.
fn random_board(rng: &mut Rng) -> Board {
    let empty = 1 + rng.below(4);
    let mut ranks: Vec<u8> = (0..16).map(|_| 1 + rng.below(9) as u8).collect();
    for _ in 0..empty {
        ranks[rng.below(16) as usize] = 0;
    }
    Board::from_ranks(Size::CLASSIC, &ranks).unwrap()
}

#[test]
fn the_search_is_the_definition() {
    testkit::seeds(150, |seed| {
        let mut rng = Rng::new(seed);
        let board = random_board(&mut rng);
        // At depth 4 the same afterstate appears at two depths: after one 4, and after two 2s.
        let deepest = if board.empty_cells() == 1 { 4 } else { 3 };
        for depth in 1..=deepest {
            let mut search = Expectimax::new(&value, Limits::depth(depth));
            // Earlier searches must not matter.
            search.search(&random_board(&mut rng));
            let found = search.search(&board);
            let expected = best(&board, depth);
            for (direction, value) in Direction::ALL.into_iter().zip(search.values(&board)) {
                let slide = board.slide(direction);
                assert_eq!(value.is_some(), slide.changed);
                if let Some(value) = value {
                    let expected = slide.gain as f64 + mean(&slide.board, depth);
                    assert!((f64::from(value) - expected).abs() <= 1e-5 * expected, "{board:?}");
                }
            }
            assert_eq!(found.is_some(), expected.is_some());
            if let (Some(found), Some((value, _))) = (found, expected) {
                assert!(
                    (f64::from(found.value) - value).abs() <= 1e-5 * value,
                    "{found:?} {value} of {board:?}"
                );
                // If values differ only by rounding, another direction may win.
                let slide = board.slide(found.direction);
                let taken = slide.gain as f64 + mean(&slide.board, depth);
                assert!((taken - value).abs() <= 1e-5 * value);
            }
        }
    });
}

/// On 4x4 both searches take the same steps; on other sizes only the boards differ.
#[test]
fn a_search_of_any_size_is_the_one_for_4x4() {
    let any = |after: Board| value(Packed::try_from(&after).unwrap());
    testkit::seeds(60, |seed| {
        let mut rng = Rng::new(seed);
        for limits in
            [1, 2, 3].map(Limits::depth).iter().chain([&Limits { depth: 4, min_probability: 0.01 }])
        {
            let mut search = Expectimax::new(&value, *limits);
            let mut other = Expectimax::of_size(Size::CLASSIC, &any, *limits);
            for board in [random_board(&mut rng), random_board(&mut rng)] {
                let [values, others] =
                    [&mut search, &mut other].map(|search| search.values(&board));
                assert_eq!(others, values, "{board}");
            }
        }
    });
}

/// Values of best play until no tile is left to move: with a depth that ends every game, the search
/// needs no evaluation.
#[test]
fn other_sizes() {
    let size = Size::new(2, 3).unwrap();
    let none = |_: Board| 0.0;
    let mut search = Expectimax::of_size(size, &none, Limits::depth(1));
    let board: Board = "2 2 \n 4 8 \n 16 .".parse().unwrap();
    assert_eq!(
        search.values(&board),
        Direction::ALL.map(|d| {
            let slide = board.slide(d);
            slide.changed.then_some(slide.gain as f32)
        })
    );
    assert_eq!(search.search(&Board::start(Size::CLASSIC, &mut Rng::new(1))), None);
    assert_eq!(search.search(&Board::start(size.transpose(), &mut Rng::new(1))), None);
    // A chance node of 8x8 has up to 512 leaves.
    let size = Size::new(8, 8).unwrap();
    let empty = |after: Board| after.empty_cells() as f32;
    let mut search = Expectimax::of_size(size, &empty, Limits::depth(2));
    let mut rng = Rng::new(1);
    let mut game = Game::new(size, &mut rng);
    for _ in 0..3 {
        let direction = search.choose(&game).unwrap();
        game.play(direction, &mut rng).unwrap();
    }
}

/// So many leaves of one node share places of the table.
#[test]
fn a_node_with_many_leaves_is_the_definition() {
    testkit::seeds(60, |seed| {
        let mut rng = Rng::new(seed);
        let ranks: [u8; 16] = std::array::from_fn(|_| rng.below(8).saturating_sub(4) as u8);
        let board = Board::from_ranks(Size::CLASSIC, &ranks).unwrap();
        let found = Expectimax::new(&value, Limits::depth(2)).search(&board);
        let expected = best(&board, 2);
        assert_eq!(found.is_some(), expected.is_some());
        if let (Some(found), Some((value, _))) = (found, expected) {
            assert!(
                (f64::from(found.value) - value).abs() <= 1e-5 * value,
                "{found:?} {value} of {board:?}"
            );
        }
    });
}

#[test]
fn improbable_lines_end_early() {
    let board: Board = "2 4 8 16 \n 4 8 16 32 \n 8 16 32 64 \n 16 32 . .".parse().unwrap();
    let calls = |limits| {
        let calls = AtomicU32::new(0);
        let counted = |after| {
            calls.fetch_add(1, Ordering::Relaxed);
            value(after)
        };
        Expectimax::new(&counted, limits).search(&board);
        calls.into_inner()
    };
    let all = calls(Limits::depth(4));
    let some = calls(Limits { depth: 4, min_probability: 0.01 });
    assert!(some < 2 * all / 3 && some > 0, "{some} of {all}");
    // A probability of exactly the limit is searched: here the root's 1.
    let limits = Limits { depth: 4, min_probability: 1.0 };
    assert_eq!(calls(limits), calls(Limits::depth(2)));
    // All lines are cut off, which makes it a depth-1 search.
    assert_eq!(calls(Limits { depth: 4, min_probability: 2.0 }), calls(Limits::depth(1)));
}

/// With a cutoff the value of a node depends on its line, so no search may take one from an earlier
/// search.
#[test]
fn earlier_searches_do_not_matter() {
    testkit::seeds(60, |seed| {
        let mut rng = Rng::new(seed);
        let board = random_board(&mut rng);
        let limits = Limits { depth: 4, min_probability: 0.02 };
        let mut search = Expectimax::new(&value, limits);
        // A 2 and then a 4, or a 4 and then a 2, lead to the same board: the probable way and the
        // improbable one.
        let spawns: Vec<Board> = board.spawns().collect();
        let far = [&spawns[0], &board, &spawns[spawns.len() - 1]];
        for board in spawns.iter().take(4).chain([&board]).chain(far) {
            let expected = Expectimax::new(&value, limits).search(board);
            assert_eq!(search.search(board), expected, "{board}");
        }
    });
}

#[test]
fn a_deepened_search_is_the_one_of_its_depth() {
    testkit::seeds(20, |seed| {
        let mut rng = Rng::new(seed);
        let board = random_board(&mut rng);
        let mut search = Expectimax::new(&value, Limits { depth: 4, min_probability: 0.001 });
        let mut deepest = 0;
        for calls in [0, 1, 5, 50, 500, u32::MAX] {
            let (values, depth) = search.deepen_until(&board, &testkit::stop_at(calls));
            let limits = Limits { depth, min_probability: 0.001 };
            assert_eq!(values, Expectimax::new(&value, limits).values(&board), "{depth} {board}");
            assert!(depth >= deepest.max(2), "{depth} after {deepest}");
            deepest = depth;
        }
        assert_eq!(deepest, 4);
        // The limit is as before.
        let limits = Limits { depth: 4, min_probability: 0.001 };
        assert_eq!(search.values(&board), Expectimax::new(&value, limits).values(&board));
    });
}

#[test]
fn equal_moves_go_to_the_first_direction() {
    let board: Board = ". . . . \n . 2 . . \n . . . . \n . . . .".parse().unwrap();
    let blocked: Board = ". . . . \n . . . . \n . . . . \n 2 . . .".parse().unwrap();
    for (board, first) in [(board, Direction::ALL[0]), (blocked, blocked.legal_moves()[0])] {
        for depth in 1..=2 {
            let found = Expectimax::new(&|_| 1.0, Limits::depth(depth)).search(&board);
            assert_eq!(found.map(|choice| choice.direction), Some(first));
        }
    }
}

#[test]
fn networks_are_evaluations() {
    let mut small = SmallLearner::new(1);
    small.learn_games(20);
    let small = small.network();
    let mut large = Learner::new(LearnerSettings::default(), 1).unwrap();
    large.learn_games(20, u64::MAX);
    let large = large.network();
    let by_small = |after| small.value(after);
    let by_large = |after| large.value(after);
    let pairs: [(&(dyn Evaluate + Sync), &(dyn Evaluate + Sync)); 2] =
        [(&small, &by_small), (&large, &by_large)];
    let board: Board = "4 2 8 2 \n 2 . . 4 \n . 2 . . \n 2 . . 2".parse().unwrap();
    for (network, plain) in pairs {
        for depth in 1..=2 {
            let [found, expected] = [network, plain]
                .map(|evaluate| Expectimax::new(evaluate, Limits::depth(depth)).search(&board));
            assert_eq!(found, expected);
        }
        let after = Packed::try_from(&board).unwrap();
        let expected = plain.value(after).to_bits();
        assert_eq!(network.value(after).to_bits(), expected);
        assert_ne!(expected, 0, "something has been learned");
    }
}

#[test]
fn no_move_and_no_time() {
    let over: Board = "2 4 2 4 \n 4 2 4 2 \n 2 4 2 4 \n 4 2 4 2".parse().unwrap();
    let mut search = Expectimax::new(&value, Limits::depth(3));
    assert_eq!(search.search(&over), None);
    assert_eq!(search.search(&Board::empty(Size::new(3, 3).unwrap())), None);
    let start = Board::start(Size::CLASSIC, &mut Rng::new(1));
    assert_eq!(search.search_until(&start, &|| true), Err(Stopped));
    let game = Game::from(start);
    assert_eq!(search.choose_until(&game, &|| true), Err(Stopped));
    assert_eq!(search.choose(&Game::from(over)), None);
    let after_stop = search.search(&start);
    assert_eq!(search.choose(&game), after_stop.map(|choice| choice.direction));
    assert_eq!(after_stop, Expectimax::new(&value, Limits::depth(3)).search(&start));
}

/// At the root two 32768s merge, but a 65536 doesn't merge with a 32768.
#[test]
fn tiles_beyond_the_packed_form() {
    let mut search = Expectimax::new(&value, Limits::depth(2));
    let pair: Board = "32768 4 8 16 \n 32768 2 4 8 \n 2 4 8 16 \n 4 8 16 32".parse().unwrap();
    let Some(Choice { direction, value, .. }) = search.search(&pair) else { panic!("a move") };
    assert!(matches!(direction, Direction::Up | Direction::Down) && value >= 65536.0);
    let unlike: Board = "65536 4 8 16 \n 32768 2 4 8 \n 2 4 8 16 \n 4 8 16 32".parse().unwrap();
    assert_eq!(search.search(&unlike), None);
}
