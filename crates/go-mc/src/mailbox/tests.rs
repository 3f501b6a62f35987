//! Tests of every position and every choice of the mailbox against sets from chains.

// Tests use std even without the feature.
extern crate std;

use super::{Mailbox, Neighbors};
use crate::board::Color;
use crate::chains::Chains;
use crate::points::Points;
use crate::policy::Policy;
use crate::position::Position;
use alloc::format;
use bitcore::Rng32;

impl<const N: usize> Mailbox<N> {
    /// Checks all that the board keeps against `chains`.
    fn assert_is(&self, chains: &Chains<N>) {
        let stones = Color::ALL.map(|color| chains.stones(color));
        assert_eq!(Color::ALL.map(|color| self.stones(color)), stones, "{chains:?}");
        let contents = |index: usize| match (stones[0].contains(index), stones[1].contains(index)) {
            (true, _) => Neighbors::stone_code(Color::Black),
            (_, true) => Neighbors::stone_code(Color::White),
            _ if Points::<N>::FULL.contains(index) => 0,
            _ => Neighbors::BORDER,
        };
        let ko = chains.ko().iter().next().map_or(0, |index| index + Self::FIRST_CELL);
        assert_eq!(self.ko, ko, "{chains:?}");
        let listed: Points<N> = self.empty_cells[..self.empty_count]
            .iter()
            .map(|&cell| usize::from(cell) - Self::FIRST_CELL)
            .collect();
        assert_eq!((listed, self.empty_points()), (chains.empty(), listed.len() as usize));
        for index in &Points::<N>::FULL {
            let cell = &self.cells[index + Self::FIRST_CELL];
            let neighbors = Points::<N>::neighbor_indices(index)
                .into_iter()
                .rev()
                .fold(0, |all, side| all << 2 | contents(side));
            assert_eq!(
                (cell.contents, cell.neighbors),
                (contents(index), neighbors),
                "{index} of {chains:?}"
            );
            let chain = chains.chain(index);
            if chain.is_empty() {
                assert_eq!(
                    usize::from(self.empty_cells[usize::from(cell.list_index)]),
                    index + Self::FIRST_CELL
                );
                assert_eq!(usize::from(cell.chain), index + Self::FIRST_CELL);
                continue;
            }
            let name = usize::from(cell.chain) - Self::FIRST_CELL;
            assert!(chain.contains(name));
            let pairs = |stone: usize| (Points::<N>::from_index(stone).neighbors() & chains.empty()).len();
            let liberties = chain.iter().map(pairs).sum::<u32>();
            assert_eq!(
                u32::from(self.pseudo_liberties[usize::from(cell.chain)]),
                liberties,
                "{index} of {chains:?}"
            );
            let (mut ring, mut at) = (Points::EMPTY, index);
            while !ring.contains(at) {
                ring.insert(at);
                assert_eq!(self.cells[at + Self::FIRST_CELL].chain, cell.chain);
                at = usize::from(self.cells[at + Self::FIRST_CELL].next) - Self::FIRST_CELL;
            }
            assert_eq!((ring, at), (chain, index));
        }
    }
}

/// Plays games with occasional passes and two moves in a row. Returns the number of their moves.
fn walk<const N: usize>(policy: Policy, games: u64) -> u64 {
    let multi_suicide = policy == Policy::MultiSuicide;
    let (mut moves, mut rng) = (0, Rng32::stream(5, N as u64));
    for _ in 0..games {
        let (mut board, mut chains) = (Mailbox::<N>::new(&Position::EMPTY), Chains::<N>::new());
        let (mut color, mut passes) = (Color::Black, 0);
        for _ in 0..4 * N * N {
            let legal = policy.playable(&chains, color) - chains.ko();
            let playable =
                |index: &usize| board.is_playable(color, index + Mailbox::<N>::FIRST_CELL, multi_suicide);
            assert_eq!(
                chains.empty().iter().filter(playable).collect::<Points<N>>(),
                legal,
                "{color} {chains:?}"
            );
            let choice = board.choose_random(color, multi_suicide, &mut rng);
            assert_eq!(choice.is_some(), !legal.is_empty());
            if let Some(index) = choice.filter(|_| rng.below(40) > 0) {
                assert!(legal.contains(index));
                board.play(color, index, multi_suicide);
                chains.play(color, index);
                passes = 0;
            } else {
                board.pass();
                chains.pass();
                passes += u32::from(choice.is_none());
            }
            moves += 1;
            board.assert_is(&chains);
            let position = Position::from_chains(&chains, color.other());
            if rng.below(50) == 0 {
                Mailbox::new(&position).assert_is(&chains);
            }
            if passes == 2 {
                break;
            }
            // The ko point is banned for the opponent only.
            if rng.below(20) > 0 || !chains.ko().is_empty() {
                color = color.other();
            }
        }
    }
    moves
}

/// Defines a test of games of `$n` x `$n` against sets from chains, under both light policies.
macro_rules! check {
    ($name:ident, $n:literal, $native:literal) => {
        #[test]
        fn $name() {
            let games: u64 = match std::env::var_os(testkit::EMULATED) {
                Some(_) => 1,
                None if testkit::full_truth() => 20 * $native,
                None => $native,
            };
            for policy in [Policy::NoSuicide, Policy::MultiSuicide] {
                let name =
                    format!("mailbox of {0}x{0} against sets from chains, {policy:?}, {games} games", $n);
                let moves = || walk::<$n>(policy, games) >= games * $n * $n / 2;
                testkit::truth("go", "any", &name, testkit::Cost::Quick, &true, moves);
            }
        }
    };
}
check!(two, 2, 400);
check!(five, 5, 400);
check!(nine, 9, 60);
check!(thirteen, 13, 20);
check!(nineteen, 19, 6);
