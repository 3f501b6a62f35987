//! Batches: rejected input, rules and actions. `properties::batch` tests the play.

use crate::properties::batch::{Seen, by, moves, starts};
use crate::properties::values::square;
use bitcore::Rng;
use go_mc::batch::{BatchError, StepBuffers};
use go_mc::{Batch, Board, Color, Error, Ko, Komi, Move, Point, Rules, Size};
use testkit::{Input, OneThread};

#[test]
fn random_programs_reach_every_end_and_every_ko() {
    let seen = Seen::default();
    // Fixed seeds, so the coverage never changes.
    for seed in 0..testkit::cases(300) {
        let mut rng = Rng::new(seed);
        let program: Vec<u8> = (0..rng.below(400)).map(|_| rng.next_u64() as u8).collect();
        by(&Input::new(&program), &OneThread, &seen);
    }
    if testkit::cases(300) == 300 {
        assert!(
            seen.banned.get() > seen.superko.get() + 30 && seen.superko.get() > 100,
            "{seen:?}"
        );
        assert!(
            seen.cut_off.get() > 20
                && [0, 2].map(|kind| seen.rewards[kind].get()).iter().all(|&count| count > 9),
            "{seen:?}"
        );
    }
}

/// Games of hundreds of moves, where superko needs positions from long before.
#[test]
fn long_games_by_every_rule() {
    for (ko, suicide) in (0..9).map(|rule| (rule / 3, rule % 3)) {
        // 5x5, a komi of 1, nine games, the first seed; autoreset in the same step, no illegal
        // action.
        let mut program = vec![0, 1, ko, suicide, 5, 3 + suicide, 0];
        // The first call, then random steps, 41 per call.
        program.push(0);
        for _ in 0..testkit::cases(300).div_ceil(41) {
            program.extend([12, 0, 39]);
            program.extend([0; 40]);
        }
        by(&Input::new(&program), &OneThread, &Seen::default());
    }
}

#[test]
fn half_a_point_decides() {
    // Black owns everything and makes the last pass.
    for (komi_half_points, reward) in [(49, 1.0), (50, 0.0), (51, -1.0), (i32::MIN, 1.0)] {
        let rules = Rules { komi: Komi::from_half_points(komi_half_points), ..square(5) };
        let mut batch = Batch::new(1, rules, 1).unwrap();
        let mut buffers = StepBuffers::new(batch.shape());
        batch.reset_into(&mut buffers.obs, &mut buffers.mask).unwrap();
        for action in [12, 25, 25] {
            batch.step_into(&[action], buffers.out()).unwrap();
        }
        assert_eq!(&buffers.reward[..], &[reward][..]);
        assert_eq!(&buffers.terminated[..], &[true][..]);
    }
}

#[test]
fn starts_have_the_size_of_the_batch() {
    let oblong = (Board::new(Size::new(9, 5).unwrap()), Color::Black);
    for (size, start) in [(9, starts().remove(0)), (5, oblong)] {
        let wrong = Batch::new(1, square(size), 1).unwrap().with_starts(vec![start]);
        let expected = BatchError::Start { index: 0, reason: "a board of another size" };
        assert_eq!(wrong.map(|_| ()), Err(expected));
    }
}

#[test]
fn a_ko_is_shown_from_the_first_observation() {
    let start = starts().swap_remove(1);
    let back: Point = "B4".parse().unwrap();
    assert_eq!(start.1, Color::White);
    assert_eq!(start.0.ko(Color::White), Some(back));
    // Superko ignores positions before the start.
    for (ko, banned) in [(Ko::Simple, true), (Ko::Positional, false), (Ko::Situational, false)] {
        let rules = Rules { ko, ..square(5) };
        let mut batch = Batch::new(1, rules, 1).unwrap().with_starts(vec![start.clone()]).unwrap();
        let mut buffers = StepBuffers::new(batch.shape());
        batch.reset_into(&mut buffers.obs, &mut buffers.mask).unwrap();
        let action = Move::Play(back).action(rules.size).unwrap() as usize;
        assert_eq!(buffers.mask[action], !banned, "{ko}");
        assert_eq!(buffers.obs[2 * 25 + action], u8::from(banned), "{ko}");
    }
}

#[test]
fn what_a_batch_refuses() {
    let batch = |komi_half_points| {
        Batch::new(2, Rules { komi: Komi::from_half_points(komi_half_points), ..square(5) }, 1)
            .expect("a size")
    };
    let new = |n| Batch::new(n, Rules::default(), 1);
    testkit::check_refusals([batch(15), batch(14)], new, Error::Games);
    for size in ["1x1", "4x4", "6x6", "8x8", "10x10", "18x18", "5x7", "19x9"] {
        let size: Size = size.parse().unwrap();
        for n in [0, 1] {
            let refused = Batch::new(n, size, 1);
            assert_eq!(refused.map(|_| ()), Err(Error::NoBatch(size)));
        }
    }
    for (size, name) in [("4x4", "4"), ("9x5", "9x5")] {
        let text = format!("no batch of size {name}: expected 5, 7, 9, 13 or 19");
        assert_eq!(Error::NoBatch(size.parse().unwrap()).to_string(), text);
    }
}

#[test]
fn actions_are_points_from_the_top() {
    for side in [5, 7, 9, 13, 19] {
        let all = moves(side).collect::<Vec<Move>>();
        let size = square(side).size;
        for (action, &mv) in (0..).zip(&all) {
            assert_eq!(mv.action(size), Some(action));
            assert_eq!(Move::from_action(action, size), Some(mv));
        }
        assert_eq!(all.len(), Batch::new(0, size, 1).unwrap().actions());
        assert_eq!(
            ([all.len() as u32, u32::MAX].map(|action| Move::from_action(action, size))),
            [None, None]
        );
        let side = side as u8;
        for (x, y) in [(side, 0), (0, side), (255, 255)] {
            assert_eq!(Move::Play(Point { x, y }).action(size), None);
        }
    }
    // Row by row, on a rectangle, too.
    let size: Size = "3x2".parse().unwrap();
    let names = ["A2", "B2", "C2", "A1", "B1", "C1", "pass"];
    let all = (0..).map_while(|action| Move::from_action(action, size)).map(|mv| mv.to_string());
    assert!(all.eq(names));
    assert!(
        (0..)
            .zip(names)
            .all(|(action, name)| name.parse::<Move>().unwrap().action(size) == Some(action))
    );
}
