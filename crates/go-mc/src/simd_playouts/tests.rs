//! Tests of every position and every choice of the lanes against [`Chains`] and the slow rules.

use super::lane_group::LaneGroup;
use super::packed_rows::PackedRows;
use super::plane::{MAX_GAMES, Plane};
use super::rows::Rows;
use super::run::{GameNumbers, assign, lane_bits};
use super::scalar;
use crate::board::Color;
use crate::chains::Chains;
use crate::mailbox::Mailbox;
use crate::points::Points;
use crate::policy::Policy;
use crate::position::Position;
use crate::reference::candidates;
use alloc::format;
use alloc::vec::Vec;
use bitcore::{Isa, Level, Rng32, dispatch};

const GROUPS: usize = 2;

/// The expected state of a lane.
#[derive(Clone)]
struct ExpectedGame<const N: usize> {
    chains: Chains<N>,
    color: Color,
    known_suicides: Points<N>,
    unresolved_stone: Option<usize>,
    passed: bool,
}

impl<const N: usize> ExpectedGame<N> {
    fn new() -> Self {
        Self {
            chains: Chains::new(),
            color: Color::Black,
            known_suicides: Points::EMPTY,
            unresolved_stone: None,
            passed: false,
        }
    }

    /// Returns the own stones, then the opponent's.
    fn sides(&self) -> [Points<N>; 2] {
        [self.color, self.color.other()].map(|color| self.chains.stones(color))
    }
}

/// Checks every position and every choice on a level. Returns the number of moves.
#[inline(always)]
fn games<S: Isa, P: Plane<S, N>, const N: usize>(isa: S, policy: Policy, steps: u64) -> u64 {
    if const { S::HAS_SIMD } {
        walk::<S, P, N>(isa, policy, steps)
    } else {
        walk_scalar::<N>(policy, 20 * steps)
    }
}

/// Checks `draws` draws of the scalar playouts: candidates, which are legal, and the captures of each move.
fn walk_scalar<const N: usize>(policy: Policy, draws: u64) -> u64 {
    let (multi_suicide, mut rng, mut moves) =
        (policy == Policy::MultiSuicide, Rng32::stream(11, N as u64), 0);
    let (mut board, mut expected) = (Mailbox::<N>::new(&Position::EMPTY), ExpectedGame::<N>::new());
    for _ in 0..draws {
        let ([own, enemy], ko, color) = (expected.sides(), board.ko(), expected.color);
        let candidates = scalar::candidates(own, enemy) - ko;
        let playable = |&index: &usize| board.is_playable_at(color, index, multi_suicide);
        let legal: Points<N> = candidates.iter().filter(playable).collect();
        assert_eq!(
            legal,
            policy.playable(&expected.chains, color) - expected.chains.ko(),
            "{:?}",
            expected.chains
        );

        let left = candidates - expected.known_suicides;
        let stone = left.select(rng.below(left.len().max(1)));
        let (mut sides, before) = ([own, enemy], board.empty_points());
        match stone {
            Some(index) if legal.contains(index) => {
                board.play(color, index, multi_suicide);
                sides[0].insert(index);
                for taken in board.empty_from(before - 1) {
                    sides[0].remove(taken);
                    sides[1].remove(taken);
                }
                sides.reverse();
            }
            Some(_) => {}
            None => {
                board.pass();
                sides.reverse();
            }
        }
        let [first, second] = sides;
        let stone = stone.map_or(Points::EMPTY, Points::from_index);
        let step = expected.step(policy, left, stone, [first, second, board.ko()], false);
        moves += u64::from(step != StepResult::None);
        if step == StepResult::Over {
            (board, expected) = (Mailbox::new(&Position::EMPTY), ExpectedGame::new());
        }
    }
    moves
}

/// Checks `steps` steps of all groups, from the empty board. Returns the number of moves that they made.
#[inline(always)]
fn walk<S: Isa, P: Plane<S, N>, const N: usize>(isa: S, policy: Policy, steps: u64) -> u64 {
    let multi_suicide = policy == Policy::MultiSuicide;
    let mut groups = [LaneGroup::<S, P, N>::new(isa, &Position::EMPTY); GROUPS];
    let mut numbers: [GameNumbers; GROUPS] = [[0; MAX_GAMES]; GROUPS];
    let mut pending = 0..u64::MAX;
    for (group, numbers) in groups.iter_mut().zip(&mut numbers) {
        assign(isa, group, numbers, (1 << P::GAMES) - 1, 11, &mut pending);
    }
    let mut expected_games: Vec<ExpectedGame<N>> =
        (0..GROUPS * P::GAMES).map(|_| ExpectedGame::new()).collect();
    let mut moves = 0;
    for _ in 0..steps {
        for (g, group) in groups.iter_mut().enumerate() {
            let step = group.begin_step(isa);
            let chosen = [step.candidates().store(), step.stone().store()];
            let over = group.finish_step(isa, &step, multi_suicide, true);
            let after = [group.own.store(), group.enemy.store(), group.ko().store()];
            let (ended, unresolved) = (lane_bits::<S, P, N>(over), lane_bits::<S, P, N>(group.unresolved()));
            for game in 0..P::GAMES {
                let expected = &mut expected_games[g * P::GAMES + game];
                let [candidates, stone] = chosen.each_ref().map(|plane| P::points(plane, game));
                let after = after.each_ref().map(|plane| P::points(plane, game));
                let waits = unresolved >> game & 1 == 1;
                let step = expected.step(policy, candidates, stone, after, waits);
                moves += u64::from(step != StepResult::None);
                assert_eq!(ended >> game & 1 == 1, step == StepResult::Over, "the end");
                if step == StepResult::Over {
                    *expected = ExpectedGame::new();
                }
            }
            group.restart(isa, &Position::EMPTY, over);
        }
    }
    moves
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StepResult {
    /// No move was made.
    None,
    Move,
    /// The game ended, by the second of two passes.
    Over,
}

impl<const N: usize> ExpectedGame<N> {
    /// Checks the effect of a step on a lane and makes the same move.
    fn step(
        &mut self,
        policy: Policy,
        drawn_from: Points<N>,
        stone: Points<N>,
        after: [Points<N>; 3],
        waits: bool,
    ) -> StepResult {
        let [own, enemy] = self.sides();
        let ko = self.chains.ko();
        let legal = policy.playable(&self.chains, self.color) - ko;
        if let Some(unresolved_stone) = self.unresolved_stone {
            assert_eq!(
                (stone, drawn_from),
                (Points::from_index(unresolved_stone), Points::from_index(unresolved_stone)),
                "an open stone stays"
            );
        } else {
            assert_eq!(drawn_from, candidates(own, enemy, ko) - self.known_suicides, "{:?}", self.chains);
            assert!((legal - drawn_from).is_empty() && (legal & self.known_suicides).is_empty());
            assert!((stone - drawn_from).is_empty() && stone.is_empty() == drawn_from.is_empty());
        }
        assert!(stone.len() < 2);
        let index = stone.iter().next();
        self.unresolved_stone = if waits { index } else { None };
        let is_legal = index.is_none_or(|index| legal.contains(index));
        if waits || !is_legal {
            // Nothing has changed, except perhaps the known suicides.
            assert_eq!(after, [own, enemy, ko]);
            assert!(!waits || index.is_some());
            if !waits {
                self.known_suicides |= stone;
            }
            return StepResult::None;
        }
        self.known_suicides = Points::EMPTY;
        if let Some(index) = index {
            self.chains.play(self.color, index);
        } else {
            assert!(legal.is_empty());
            self.chains.pass();
        }
        self.color = self.color.other();
        let [own, enemy] = self.sides();
        assert_eq!(after, [own, enemy, self.chains.ko()]);
        let over = index.is_none() && self.passed;
        self.passed = index.is_none();
        if over { StepResult::Over } else { StepResult::Move }
    }
}

/// Defines a test of `$native` steps of `$n` x `$n` on every level.
macro_rules! check {
    ($name:ident, $n:literal, $plane:ident, $native:literal) => {
        #[test]
        fn $name() {
            let steps = if testkit::full_truth() { 100 * $native } else { testkit::cases($native) };
            for level in Level::all() {
                for policy in [Policy::NoSuicide, Policy::MultiSuicide] {
                    let name = format!("lanes of {0}x{0} against slow rules, {policy:?}", $n);
                    let moves = || dispatch!(level, isa => games::<_, $plane<_>, $n>(isa, policy, steps));
                    testkit::truth("go", level.name(), &name, testkit::Cost::Quick, &true, || moves() > 10 * steps);
                }
            }
        }
    };
}
check!(nine, 9, PackedRows, 1000);
check!(thirteen, 13, Rows, 200);
