//! Every position and every choice of the lanes against slow rules.

use super::group::Group;
use super::lanes::{Numbers, deal, marked};
use super::plane::{MOST, Plane};
use super::rows::Rows;
use super::solo;
use super::thirds::Thirds;
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

/// Groups of a walk.
const GROUPS: usize = 2;

/// What a lane should be.
#[derive(Clone)]
struct Shadow<const N: usize> {
    chains: Chains<N>,
    color: Color,
    banned: Points<N>,
    /// The stone that is still open.
    open: Option<usize>,
    passed: bool,
}

impl<const N: usize> Shadow<N> {
    fn new() -> Self {
        Self { chains: Chains::new(), color: Color::Black, banned: Points::EMPTY, open: None, passed: false }
    }

    /// Own stones, then the opponent's.
    fn sides(&self) -> [Points<N>; 2] {
        [self.color, self.color.other()].map(|color| self.chains.stones(color))
    }
}

/// Every position and every choice on a level. Returns the moves.
#[inline(always)]
fn games<S: Isa, P: Plane<S, N>, const N: usize>(isa: S, policy: Policy, steps: u64) -> u64 {
    if const { S::HAS_SIMD } {
        walk::<S, P, N>(isa, policy, steps)
    } else {
        walk_alone::<N>(policy, 20 * steps)
    }
}

/// So many draws one after the other: the candidates, which of them are legal, and what a move takes.
fn walk_alone<const N: usize>(policy: Policy, draws: u64) -> u64 {
    let (multi, mut rng, mut moves) = (policy == Policy::MultiSuicide, Rng32::stream(11, N as u64), 0);
    let (mut board, mut shadow) = (Mailbox::<N>::new(&Position::EMPTY), Shadow::<N>::new());
    for _ in 0..draws {
        let ([own, enemy], ko, color) = (shadow.sides(), board.ko(), shadow.color);
        let candidates = solo::candidates(own, enemy) - ko;
        let playable = |&index: &usize| board.is_playable_at(color, index, multi);
        let legal: Points<N> = candidates.iter().filter(playable).collect();
        assert_eq!(legal, policy.playable(&shadow.chains, color) - shadow.chains.ko(), "{:?}", shadow.chains);

        let left = candidates - shadow.banned;
        let stone = left.select(rng.below(left.len().max(1)));
        let (mut sides, before) = ([own, enemy], board.empty_points());
        match stone {
            Some(index) if legal.contains(index) => {
                board.play(color, index, multi);
                sides[0].insert(index);
                for taken in board.listed_from(before - 1) {
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
        let stone = stone.map_or(Points::EMPTY, Points::one);
        let step = shadow.step(policy, left, stone, [first, second, board.ko()], false);
        moves += u64::from(step != Step::None);
        if step == Step::Over {
            (board, shadow) = (Mailbox::new(&Position::EMPTY), Shadow::new());
        }
    }
    moves
}

/// Steps of all groups from the empty board. Returns the moves that they made.
#[inline(always)]
fn walk<S: Isa, P: Plane<S, N>, const N: usize>(isa: S, policy: Policy, steps: u64) -> u64 {
    let multi = policy == Policy::MultiSuicide;
    let mut groups = [Group::<S, P, N>::new(isa, &Position::EMPTY); GROUPS];
    let mut numbers: [Numbers; GROUPS] = [[0; MOST]; GROUPS];
    let mut deck = 0..u64::MAX;
    for (group, numbers) in groups.iter_mut().zip(&mut numbers) {
        deal(isa, group, numbers, (1 << P::GAMES) - 1, 11, &mut deck);
    }
    let mut shadows: Vec<Shadow<N>> = (0..GROUPS * P::GAMES).map(|_| Shadow::new()).collect();
    let mut moves = 0;
    for _ in 0..steps {
        for (g, group) in groups.iter_mut().enumerate() {
            let survey = group.look(isa);
            let chosen = [survey.candidates().store(), survey.stone().store()];
            let over = group.settle(isa, &survey, multi, true);
            let after = [group.own.store(), group.enemy.store(), group.ko().store()];
            let (ended, waiting) = (marked::<S, P, N>(over), marked::<S, P, N>(group.waiting()));
            for game in 0..P::GAMES {
                let shadow = &mut shadows[g * P::GAMES + game];
                let [candidates, stone] = chosen.each_ref().map(|plane| P::points(plane, game));
                let after = after.each_ref().map(|plane| P::points(plane, game));
                let waits = waiting >> game & 1 == 1;
                let step = shadow.step(policy, candidates, stone, after, waits);
                moves += u64::from(step != Step::None);
                assert_eq!(ended >> game & 1 == 1, step == Step::Over, "the end");
                if step == Step::Over {
                    *shadow = Shadow::new();
                }
            }
            group.restart(isa, &Position::EMPTY, over);
        }
    }
    moves
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// No move yet.
    None,
    Move,
    /// The second of two passes.
    Over,
}

impl<const N: usize> Shadow<N> {
    /// Checks what a lane has done in a step.
    fn step(
        &mut self,
        policy: Policy,
        drawn_from: Points<N>,
        stone: Points<N>,
        after: [Points<N>; 3],
        waits: bool,
    ) -> Step {
        let [own, enemy] = self.sides();
        let ko = self.chains.ko();
        let legal = policy.playable(&self.chains, self.color) - ko;
        if let Some(open) = self.open {
            assert_eq!((stone, drawn_from), (Points::one(open), Points::one(open)), "an open stone stays");
        } else {
            assert_eq!(drawn_from, candidates(own, enemy, ko) - self.banned, "{:?}", self.chains);
            assert!((legal - drawn_from).is_empty() && (legal & self.banned).is_empty());
            assert!((stone - drawn_from).is_empty() && stone.is_empty() == drawn_from.is_empty());
        }
        assert!(stone.len() < 2);
        let index = stone.iter().next();
        self.open = if waits { index } else { None };
        let is_legal = index.is_none_or(|index| legal.contains(index));
        if waits || !is_legal {
            // Nothing has happened, but perhaps a ban.
            assert_eq!(after, [own, enemy, ko]);
            assert!(!waits || index.is_some());
            if !waits {
                self.banned |= stone;
            }
            return Step::None;
        }
        self.banned = Points::EMPTY;
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
        if over { Step::Over } else { Step::Move }
    }
}

/// `steps` steps of `N` x `N` on every level.
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
check!(nine, 9, Thirds, 1000);
check!(thirteen, 13, Rows, 200);
