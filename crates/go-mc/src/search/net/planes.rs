//! [`Planes`]: what a [net](super::Net) sees of a position.

use crate::playout::policy::Policy;
use crate::rules::board::Color;
use crate::search::features::{Features, features};
use crate::search::state::SearchState;
use std::vec::Vec;

/// The classes of a point that its neighbors see: the first group says who is there, or what a stone
/// takes and leaves to the enemy; the second group the liberties that a stone has.
pub(super) const CLASSES: usize = OWN_LIBERTIES + 1 + 5 * 4;
const OFF_BOARD: u8 = 0;
/// A stone of the player to move with one to three liberties, or more; then four for the enemy.
const STONES: [u8; 2] = [1, 5];
const NOT_PLAYABLE: u8 = 9;
/// Captures (none, one, more) and the liberties left to the enemy.
const PLAYABLE: u8 = 10;
/// The second group: no move, or the weakest own chain and the liberties of the new one.
const OWN_LIBERTIES: usize = PLAYABLE as usize + 3 * 4;

/// The classes that only the point itself sees: `place`, `last` and `before_last` of the
/// [prior](crate::search::Prior).
pub(super) const OWN_CLASSES: usize = 200 + 17 + 17;
const LAST: u8 = 200;
const BEFORE_LAST: u8 = 217;
/// A class without weights, of points that are no moves.
pub(super) const NONE: u8 = 255;

/// The classes of all points, in rows with one more point, which is off the board. Before and behind
/// them are as many points off the board as neighbors need.
#[derive(Clone, Debug)]
pub(super) struct Planes {
    pub(super) side: usize,
    /// The two classes that neighbors see, padded.
    pub(super) seen: Vec<[u8; 2]>,
    /// The three that they don't see.
    pub(super) own: Vec<[u8; 3]>,
}

impl Planes {
    pub(super) fn new(side: usize) -> Self {
        let points = side * (side + 1);
        let off_board = [OFF_BOARD, OWN_LIBERTIES as u8];
        let seen = std::vec![off_board; points + 2 * padding(side)];
        Self { side, seen, own: std::vec![[NONE; 3]; points] }
    }

    /// Returns the planes of a position. Calls `visit` with each stone that may be played and its
    /// features.
    pub(super) fn of<const N: usize>(
        state: &SearchState<N>,
        policy: Policy,
        mut visit: impl FnMut(usize, Features),
    ) -> Self {
        let mut planes = Self::new(N);
        let SearchState { chains, to_move, .. } = state;
        let playable = policy.playable(chains, *to_move) - chains.ko();
        for index in chains.empty() - playable {
            planes.see(index, [NOT_PLAYABLE, OWN_LIBERTIES as u8]);
        }
        for color in [Color::Black, Color::White] {
            let stones = STONES[usize::from(color != *to_move)];
            let mut left = chains.stones(color);
            while let Some(index) = left.iter().next() {
                let liberties = chains.liberties(index).len().clamp(1, 4) as u8 - 1;
                let chain = chains.chain(index);
                for index in chain {
                    planes.see(index, [stones + liberties, OWN_LIBERTIES as u8]);
                }
                left -= chain;
            }
        }
        let features = features(state);
        for index in playable {
            let features = features(index);
            let Features { place, tactics, last, before_last, .. } = features;
            let [taken, own] = [tactics / 20, tactics % 20];
            planes.see(index, [PLAYABLE + taken, OWN_LIBERTIES as u8 + 1 + own]);
            planes.own[index] = [place, LAST + last, BEFORE_LAST + before_last];
            visit(index, features);
        }
        planes
    }

    fn see(&mut self, index: usize, classes: [u8; 2]) {
        self.seen[padding(self.side) + index] = classes;
    }
}

/// Returns the points off the board before the first one and behind the last one.
pub(super) const fn padding(side: usize) -> usize {
    side + 2
}
