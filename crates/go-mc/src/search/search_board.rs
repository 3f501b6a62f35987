//! [`SearchBoard`]: the board that a thread uses to descend the tree. It hides the board's size from the
//! tree.

use super::arena::NewChild;
use super::heavy::HeavyPlayouts;
use super::leaf_playouts::{LeafPlayouts, LightSequentialPlayouts, LightSimdPlayouts};
use super::net::Net;
use super::prior::Prior;
use super::settings::{PlayoutKind, Settings};
use super::state::SearchState;
use super::sync::has_spare_memory;
use crate::playout::policy::Policy;
use crate::rules::board::{self, Color};
use crate::rules::game::Game;
use crate::rules::points::{Points, Words};
use bitcade_core::useful_threads;
use std::boxed::Box;
use std::vec::Vec;

/// A set of points per color, Black's first, as the words of a [`Points`] of the board's size.
pub(super) type PointWords = [Words; 2];

/// The board at a node between the root and a leaf.
pub(super) trait SearchBoard: Send + Sync {
    /// Makes the position of a game the new root.
    fn advance(&mut self, game: &Game);

    fn restart(&mut self);

    fn to_move(&self) -> Color;

    /// Returns the number of consecutive passes just played.
    fn passes(&self) -> u8;

    /// Plays on a point index, or passes for [`PASS`](super::arena::PASS).
    fn play(&mut self, point: u16);

    fn new_children(&self) -> Vec<NewChild>;

    /// Returns the same children with the priors of the net.
    fn net_children(&self) -> Vec<NewChild>;

    fn stones(&self) -> PointWords;

    fn convert_stones(&self, stones: &[Points<19>; 2]) -> PointWords;

    fn area(&self) -> [u32; 2];

    /// Plays `games` playouts from the position and calls `on_playout` for each one with its score
    /// (Black's points minus White's) and the points that each color was first to play.
    fn run_playouts(&mut self, games: u32, on_playout: &mut dyn FnMut(i32, PointWords));
}

/// Creates one board per thread at the position of a game; fewer, but at least one, if memory runs
/// out. Returns `None` if there are no playouts for the board's size.
pub(super) fn search_boards(
    game: &Game,
    policy: Policy,
    settings: &Settings,
) -> Option<Vec<Box<dyn SearchBoard>>> {
    let seed = |nth| settings.seed.wrapping_add(nth);
    let heavy = settings.playout_kind == PlayoutKind::Heavy;
    let size = game.board().size();
    let threads = 0..useful_threads(settings.threads.max(1)) as u64;
    // The kind of playout is a value, the size a type.
    macro_rules! boards {
        ($n:literal: $light:expr) => {
            threads
                .take_while(|&nth| nth == 0 || has_spare_memory())
                .map(|nth| -> Option<Box<dyn SearchBoard>> {
                    let playouts: Box<dyn LeafPlayouts<$n>> = if heavy {
                        Box::new(HeavyPlayouts::<$n>::new(policy, seed(nth)))
                    } else {
                        let light = $light;
                        Box::new(light(seed(nth)))
                    };
                    let root = SearchState::<$n>::new(game)?;
                    let (prior, net) = (settings.prior.clone(), settings.net.clone());
                    Some(Box::new(SizedBoard {
                        state: root.clone(),
                        root,
                        policy,
                        prior,
                        net,
                        playouts,
                    }))
                })
                .collect()
        };
    }
    match size.width() {
        5 => boards!(5: |seed| LightSequentialPlayouts::<5>::new(policy, seed)),
        9 => boards!(9: |seed| LightSimdPlayouts::<9>::new(policy, seed)),
        13 => boards!(13: |seed| LightSimdPlayouts::<13>::new(policy, seed)),
        19 => boards!(19: |seed| LightSequentialPlayouts::<19>::new(policy, seed)),
        _ => None,
    }
}

struct SizedBoard<const N: usize> {
    root: SearchState<N>,
    state: SearchState<N>,
    policy: Policy,
    prior: Prior,
    net: Option<Net>,
    playouts: Box<dyn LeafPlayouts<N>>,
}

impl<const N: usize> SearchBoard for SizedBoard<N> {
    fn advance(&mut self, game: &Game) {
        if let Some(root) = SearchState::new(game) {
            self.root = root;
        }
    }

    fn restart(&mut self) {
        self.state.copy_from(&self.root);
    }

    fn to_move(&self) -> Color {
        self.state.to_move
    }

    fn passes(&self) -> u8 {
        self.state.passes
    }

    fn play(&mut self, point: u16) {
        self.state.play(point);
    }

    fn new_children(&self) -> Vec<NewChild> {
        self.prior.new_children(&self.state, self.policy)
    }

    fn net_children(&self) -> Vec<NewChild> {
        match &self.net {
            Some(net) => net.new_children(&self.state, self.policy),
            None => self.new_children(),
        }
    }

    fn stones(&self) -> PointWords {
        let [black, white] = self.state.chains.stones_by_color();
        [black.words(), white.words()]
    }

    fn convert_stones(&self, stones: &[Points<19>; 2]) -> PointWords {
        let [black, white] = stones;
        [black.resized::<N>().words(), white.resized::<N>().words()]
    }

    fn area(&self) -> [u32; 2] {
        let chains = &self.state.chains;
        board::area(*chains.stones_by_color(), chains.empty())
    }

    fn run_playouts(&mut self, games: u32, on_playout: &mut dyn FnMut(i32, PointWords)) {
        self.playouts.run(&self.state, games, &mut |score, first_played| {
            on_playout(score, [first_played[0].words(), first_played[1].words()]);
        });
    }
}
