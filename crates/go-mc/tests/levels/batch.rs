//! Batches: refusals, rules and actions. `properties::batch` has the play.

use crate::properties::batch::{Seen, by, moves, starts};
use bitcore::Rng;
use go_mc::batch::{BatchError, BatchRulesError, StepBuffers};
use go_mc::{Batch, BatchRules, Board, Color, Ko, Move, Point, Size};
use testkit::{Input, OneThread};

#[test]
fn random_programs_reach_every_end_and_every_ko() {
    let seen = Seen::default();
    // Of fixed seeds, which always reach the same.
    for seed in 0..testkit::cases(300) {
        let mut rng = Rng::new(seed);
        let program: Vec<u8> = (0..rng.below(400)).map(|_| rng.next_u64() as u8).collect();
        by(&Input::new(&program), &OneThread, &seen);
    }
    if testkit::cases(300) == 300 {
        assert!(seen.banned.get() > seen.superko.get() + 30 && seen.superko.get() > 100, "{seen:?}");
        assert!(
            seen.cut_off.get() > 20
                && [0, 2].map(|kind| seen.rewards[kind].get()).iter().all(|&count| count > 9),
            "{seen:?}"
        );
    }
}

/// Games of hundreds of moves, whose superko asks for positions of long before.
#[test]
fn long_games_by_every_rule() {
    for (ko, suicide) in (0..9).map(|rule| (rule / 3, rule % 3)) {
        // 5x5, a komi of 1, nine games, the first seed; restarts in the same step, no illegal action.
        let mut program = vec![0, 1, ko, suicide, 5, 3 + suicide, 0];
        // The first call, then random steps, 41 at a time.
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
    // Black has everything, and makes the last pass.
    for (komi_half_points, reward) in [(49, 1), (50, 0), (51, -1), (i32::MIN, 1)] {
        let mut batch = Batch::new(1, BatchRules { komi_half_points, ..BatchRules::new(5) }, 1).unwrap();
        let mut buffers = StepBuffers::new(batch.shape());
        batch.reset_into(&mut buffers.obs, &mut buffers.mask).unwrap();
        for action in [12, 25, 25] {
            batch.step_into(&[action], buffers.out()).unwrap();
        }
        assert_eq!((&buffers.reward[..], &buffers.terminated[..]), (&[reward][..], &[true][..]));
    }
}

#[test]
fn starts_have_the_size_of_the_batch() {
    let oblong = (Board::new(Size::new(9, 5).unwrap()), Color::Black);
    for (size, start) in [(9, starts().remove(0)), (5, oblong)] {
        let wrong = Batch::new(1, BatchRules::new(size), 1).unwrap().with_starts(vec![start]);
        let expected = BatchError::Start { index: 0, reason: "a board of another size" };
        assert_eq!(wrong.map(|_| ()), Err(expected));
    }
}

#[test]
fn a_ko_is_shown_from_the_first_observation() {
    let start = starts().swap_remove(1);
    let back: Point = "B4".parse().unwrap();
    assert_eq!((start.1, start.0.ko(Color::White)), (Color::White, Some(back)));
    // Superko doesn't know the positions before the start.
    for (ko, banned) in [(Ko::Simple, true), (Ko::Positional, false), (Ko::Situational, false)] {
        let rules = BatchRules { ko, ..BatchRules::new(5) };
        let mut batch = Batch::new(1, rules, 1).unwrap().with_starts(vec![start.clone()]).unwrap();
        let mut buffers = StepBuffers::new(batch.shape());
        batch.reset_into(&mut buffers.obs, &mut buffers.mask).unwrap();
        let action = rules.action(Move::Play(back)).unwrap() as usize;
        assert_eq!((buffers.mask[action], buffers.obs[2 * 25 + action]), (!banned, banned.into()), "{ko}");
    }
}

#[test]
fn what_a_batch_refuses() {
    let batch = |komi_half_points| {
        Batch::new(2, BatchRules { komi_half_points, ..BatchRules::new(5) }, 1).expect("a size")
    };
    let new = |n| Batch::new(n, BatchRules::default(), 1);
    testkit::check_refusals([batch(15), batch(14)], new, BatchRulesError::Games);
    for size in [0, 1, 4, 6, 8, 10, 18, 20, usize::MAX] {
        for n in [0, 1] {
            let refused = Batch::new(n, BatchRules { size, ..BatchRules::default() }, 1);
            assert_eq!(refused.map(|_| ()), Err(BatchRulesError::Size(size)));
        }
    }
    assert_eq!(BatchRulesError::Size(4).to_string(), "no batch of size 4: expected 5, 7, 9, 13 or 19");
}

#[test]
fn actions_are_points_from_the_top() {
    for size in [5, 7, 9, 13, 19] {
        let rules = BatchRules::new(size);
        let all: Vec<Move> = moves(size).collect();
        for (action, &mv) in (0..).zip(&all) {
            assert_eq!((rules.action(mv), rules.decode(action)), (Some(action), Some(mv)));
        }
        assert_eq!(all.len(), Batch::new(0, rules, 1).unwrap().actions());
        assert_eq!((rules.decode(all.len() as u32), rules.decode(u32::MAX)), (None, None));
        let side = size as u8;
        for (x, y) in [(side, 0), (0, side), (255, 255)] {
            assert_eq!(rules.action(Move::Play(Point { x, y })), None);
        }
    }
    for size in [20, 256, 1 << 31, usize::MAX] {
        let rules = BatchRules::new(size);
        let corner = Move::Play(Point { x: 0, y: 0 });
        assert_eq!((rules.action(Move::Pass), rules.action(corner)), (None, None));
        assert_eq!((rules.decode(0), rules.decode(70_000)), (None, None));
    }
}
