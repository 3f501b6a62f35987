//! [`Walker`]: a board that goes down the tree and is played to its end from there: all that a tree knows of the size.

use super::heavy::Heavy;
use super::pool::Child;
use super::prior;
use super::rollout::{Lanes, Rollouts, Singles};
use super::settings::{Settings, Style};
use super::state::State;
use crate::board::{self, Color};
use crate::game::Game;
use crate::points::{Points, Words};
use crate::policy::Policy;
use std::boxed::Box;
use std::vec::Vec;

/// The stones of each color, Black's first, by the indices of the board's size.
pub(super) type Stones = [Words; 2];

/// A board between the root of a tree and a leaf.
pub(super) trait Walker: Send + Sync {
    /// The game has gone on with a stone or a pass: its position is the new root.
    fn advance(&mut self, game: &Game, last: Option<usize>);

    /// Goes back to the root.
    fn restart(&mut self);

    /// The player to move.
    fn color(&self) -> Color;

    /// The passes in a row that were played last.
    fn passes(&self) -> u8;

    /// Plays a point, or [`PASS`](super::pool::PASS).
    fn play(&mut self, point: u16);

    /// The moves that may follow.
    fn children(&self) -> Vec<Child>;

    /// The stones.
    fn stones(&self) -> Stones;

    /// The stones of a position of the game.
    fn stones_of(&self, stones: &[Points<19>; 2]) -> Stones;

    /// Each color's area, Black's first.
    fn area(&self) -> [u32; 2];

    /// Plays games to the end. Each is told by its score, Black's points less White's, and the points on which each color
    /// was the first of both.
    fn judge(&mut self, games: u32, take: &mut dyn FnMut(i32, Stones));
}

/// A walker for each thread, all from the position of a game. None if there are no playouts of its size.
pub(super) fn walkers(game: &Game, policy: Policy, settings: &Settings) -> Option<Vec<Box<dyn Walker>>> {
    let (level, seed) = (settings.level, |nth| settings.seed.wrapping_add(nth));
    let heavy = settings.style == Style::Heavy;
    let size = game.board().size();
    let all = 0..settings.threads.max(1) as u64;
    // The style is data; the size is a type.
    macro_rules! of {
        ($n:literal: $light:expr) => {
            all.map(|nth| -> Option<Box<dyn Walker>> {
                let rollouts: Box<dyn Rollouts<$n>> = if heavy {
                    Box::new(Heavy::<$n>::new_on(level, policy, seed(nth)))
                } else {
                    let light = $light;
                    Box::new(light(seed(nth)))
                };
                let root = State::<$n>::new(game)?;
                Some(Box::new(Board { state: root.clone(), root, policy, rollouts }))
            })
            .collect()
        };
    }
    match size.width() {
        5 => of!(5: |seed| Singles::<5>::new(policy, seed)),
        9 => of!(9: |seed| Lanes::<9>::new_on(level, policy, seed)),
        13 => of!(13: |seed| Lanes::<13>::new_on(level, policy, seed)),
        19 => of!(19: |seed| Singles::<19>::new(policy, seed)),
        _ => None,
    }
}

struct Board<const N: usize> {
    root: State<N>,
    state: State<N>,
    policy: Policy,
    rollouts: Box<dyn Rollouts<N>>,
}

impl<const N: usize> Walker for Board<N> {
    fn advance(&mut self, game: &Game, last: Option<usize>) {
        if let Some(root) = State::new(game) {
            self.root = State { last: [last, self.root.last[0]], ..root };
        }
    }

    fn restart(&mut self) {
        self.state.copy_from(&self.root);
    }

    fn color(&self) -> Color {
        self.state.color
    }

    fn passes(&self) -> u8 {
        self.state.passes
    }

    fn play(&mut self, point: u16) {
        self.state.play(point);
    }

    fn children(&self) -> Vec<Child> {
        prior::children(&self.state.chains, self.state.color, self.state.last[0], self.policy)
    }

    fn stones(&self) -> Stones {
        let [black, white] = self.state.chains.stones_by_color();
        [black.words(), white.words()]
    }

    fn stones_of(&self, stones: &[Points<19>; 2]) -> Stones {
        let [black, white] = stones;
        [black.resized::<N>().words(), white.resized::<N>().words()]
    }

    fn area(&self) -> [u32; 2] {
        let chains = &self.state.chains;
        board::area(*chains.stones_by_color(), chains.empty())
    }

    fn judge(&mut self, games: u32, take: &mut dyn FnMut(i32, Stones)) {
        self.rollouts
            .run(&self.state, games, &mut |score, first| take(score, [first[0].words(), first[1].words()]));
    }
}
