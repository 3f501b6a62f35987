//! [`History`]: the earlier positions of a game, for superko and to take moves back.
//!
//! A move repeats a position if it recreates an earlier board. Each position has a 32-bit Zobrist
//! hash, and the game a list of *toggles*: the stones that each move put on or took off the board.
//! Two positions with equal hashes are the same if the toggles of all moves between them cancel
//! out, so a hash collision never forbids a legal move.
//!
//! Few moves need a scan of the list. An *anchor* is a stone on the board that no position had
//! before it was played, except positions that lack an earlier anchor. A position with all anchors
//! is therefore no older than the last anchor. So a move that takes no anchor and repeats a
//! position must play where a stone of its color was taken since the last anchor: on a point of
//! `since_anchor`.
//!
//! ```text
//! play c at p:   p not in since_anchor[c]:  p becomes an anchor, since_anchor = {}
//! take stones:   since_anchor += stones;  an anchor among them: anchors = {}, since_anchor = since_start
//! undo:          anchors = {}, since_anchor = since_start       stones taken by undone moves stay in since_start
//! ```

use crate::rules::board::Color;
use crate::rules::points::Points;
use alloc::vec::Vec;

static ZOBRIST: [[u32; Points::<19>::INDEX_END]; 2] = {
    let mut table = [[0; Points::<19>::INDEX_END]; 2];
    let mut state = 0u64;
    let mut color = 0;
    while color < 2 {
        let mut index = 0;
        while index < Points::<19>::INDEX_END {
            // SplitMix64.
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut word = state;
            word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            table[color][index] = (word ^ (word >> 31)) as u32;
            index += 1;
        }
        color += 1;
    }
    table
};

fn hash_of<const N: usize, const W: usize>(color: Color, mut stones: Points<N, W>) -> u32 {
    let mut hash = 0;
    while let Some(index) = stones.pop() {
        hash ^= ZOBRIST[color as usize][index];
    }
    hash
}

/// The stones in which two positions differ, Black's first.
pub(crate) type Difference<const N: usize, const W: usize> = [Points<N, W>; 2];

/// The position after a move.
#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u32,
    /// The number of toggles up to and including this move.
    toggles: u32,
}

/// The positions of a game so far, the current one last.
#[derive(Clone, Debug)]
pub(crate) struct History<const N: usize, const W: usize> {
    /// One entry for the start and for each move or turn, passes included, so colors alternate.
    entries: Vec<Entry>,
    /// The toggled stones, move by move: `2 * index + color`.
    toggles: Vec<u16>,
    /// The hash of the last entry. In a large batch, reading it from the list would wait for
    /// memory.
    hash: u32,
    /// Points where a stone of each color was taken since the start.
    since_start: [Points<N, W>; 2],
    /// Points where a stone was taken since the last anchor was played.
    since_anchor: [Points<N, W>; 2],
    anchors: Points<N, W>,
    /// The entry in which the last anchor appeared; 0 without anchors.
    last_anchor: u32,
}

impl<const N: usize, const W: usize> History<N, W> {
    pub(crate) const fn new() -> Self {
        Self {
            entries: Vec::new(),
            toggles: Vec::new(),
            hash: 0,
            since_start: [Points::EMPTY; 2],
            since_anchor: [Points::EMPTY; 2],
            anchors: Points::EMPTY,
            last_anchor: 0,
        }
    }

    /// Returns `true` before the start and under simple ko, which records no positions.
    pub(crate) const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the stones of the start, computed from the current stones.
    #[cfg(feature = "serde")]
    pub(crate) fn first(&self, present: &[Points<N, W>; 2]) -> [Points<N, W>; 2] {
        let mut stones = *present;
        self.toggle(0, &mut stones);
        stones
    }

    /// Returns the moves since the start: the index of each stone, `None` for a pass.
    #[cfg(feature = "serde")]
    pub(crate) fn moves(&self) -> impl Iterator<Item = Option<usize>> {
        self.entries.windows(2).map(|two| {
            let [from, to] = [two[0].toggles, two[1].toggles].map(|toggles| toggles as usize);
            // The first toggle of a move is its own stone.
            self.toggles[from..to].first().map(|&toggle| usize::from(toggle / 2))
        })
    }

    pub(crate) fn start(&mut self, stones: &[Points<N, W>; 2]) {
        self.hash = hash_of(Color::Black, stones[0]) ^ hash_of(Color::White, stones[1]);
        self.entries.clear();
        self.toggles.clear();
        self.push();
        (self.since_start, self.since_anchor) = Default::default();
        (self.anchors, self.last_anchor) = (Points::EMPTY, 0);
    }

    /// Makes room for this number of moves and their captures.
    pub(crate) fn reserve(&mut self, moves: usize) {
        self.entries.reserve(moves);
        self.toggles.reserve(2 * moves);
    }

    /// Returns a copy with room for this number of moves and their captures.
    pub(crate) fn with_room(&self, moves: usize) -> Self {
        let mut copy = Self { entries: Vec::new(), toggles: Vec::new(), ..*self };
        copy.reserve(moves + self.toggles.len().max(self.entries.len()));
        copy.entries.extend_from_slice(&self.entries);
        copy.toggles.extend_from_slice(&self.toggles);
        copy
    }

    /// Records a pass, or a turn that the other player gives up.
    pub(crate) fn pass(&mut self) {
        self.push();
    }

    fn push(&mut self) {
        self.entries.push(Entry { hash: self.hash, toggles: self.toggles.len() as u32 });
    }

    /// Records a stone and the stones of one color that it takes: captured ones, or by suicide its
    /// own chain.
    #[inline]
    pub(crate) fn play(
        &mut self,
        color: Color,
        index: usize,
        taken: Option<(Color, &Points<N, W>)>,
    ) {
        let own = color as usize;
        // A suicide toggles its stone on and off.
        self.toggle_stone(own, index);
        if let Some((color, taken)) = taken {
            self.take(color, taken);
        }
        if !self.since_anchor[own].contains(index) {
            self.since_anchor = Default::default();
            if !self.since_start[own].contains(index) {
                self.anchors = Points::EMPTY;
            }
            self.anchors.set_bit(index);
            self.last_anchor = self.entries.len() as u32;
        }
        self.push();
    }

    #[inline(always)]
    fn toggle_stone(&mut self, color: usize, index: usize) {
        self.hash ^= ZOBRIST[color][index];
        self.toggles.push((2 * index + color) as u16);
    }

    /// Takes stones off the board, as a part of the next move.
    #[inline]
    pub(crate) fn take(&mut self, color: Color, taken: &Points<N, W>) {
        let color = color as usize;
        let mut left = *taken;
        while let Some(index) = left.pop() {
            self.toggle_stone(color, index);
        }
        self.since_start[color] |= *taken;
        self.since_anchor[color] |= *taken;
        if !(*taken & self.anchors).is_empty() {
            self.forget_anchors();
        }
    }

    /// Any position may be repeated at any point where a stone was ever taken.
    fn forget_anchors(&mut self) {
        (self.anchors, self.last_anchor) = (Points::EMPTY, 0);
        self.since_anchor = self.since_start;
    }

    /// Returns the number of positions so far.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Forgets all but the first `positions` positions. Turns `stones`, those of the current
    /// position, into those of the last one left, and returns the points where moves put or took a
    /// stone since.
    pub(crate) fn undo(&mut self, positions: usize, stones: &mut Difference<N, W>) -> Points<N, W> {
        self.entries.truncate(positions);
        let mut changed = Points::EMPTY;
        let Some(&Entry { hash, toggles }) = self.entries.last() else { return changed };
        for &toggle in &self.toggles[toggles as usize..] {
            changed.set_bit(usize::from(toggle / 2));
        }
        self.toggle(toggles, stones);
        self.hash = hash;
        self.toggles.truncate(toggles as usize);
        if !changed.is_empty() {
            self.forget_anchors();
        }
        changed
    }

    /// Returns the stones of each position, the newest first; `present` are the current ones.
    #[cfg(feature = "std")]
    pub(crate) fn positions(
        &self,
        present: Difference<N, W>,
    ) -> impl Iterator<Item = Difference<N, W>> {
        self.entries.iter().rev().map(move |entry| {
            let mut stones = present;
            self.toggle(entry.toggles, &mut stones);
            stones
        })
    }

    /// Returns the points where a stone of `color` may repeat a position even if it takes no
    /// anchor.
    #[inline(always)]
    pub(crate) fn may_repeat(&self, color: Color) -> &Points<N, W> {
        &self.since_anchor[color as usize]
    }

    /// Returns the points where a stone of `color` may repeat a position if it takes an anchor.
    #[inline(always)]
    pub(crate) fn may_repeat_without_anchor(&self, color: Color) -> &Points<N, W> {
        &self.since_start[color as usize]
    }

    #[inline(always)]
    pub(crate) const fn anchors(&self) -> Points<N, W> {
        self.anchors
    }

    /// Returns whether an earlier position differs from the current one by these stones. If
    /// `situational`, only positions with the same player to move as after the next move count.
    #[inline(never)]
    pub(crate) fn repeats(&self, difference: &Difference<N, W>, situational: bool) -> bool {
        let [black, white] = *difference;
        let hash = self.hash ^ hash_of(Color::Black, black) ^ hash_of(Color::White, white);
        let keeps_anchors = ((black | white) & self.anchors).is_empty();
        let first = if keeps_anchors { self.last_anchor as usize } else { 0 };
        let next = self.entries.len() - first;
        let recent = self.entries[first..].iter().enumerate();
        recent.rev().any(|(i, entry)| {
            entry.hash == hash
                && (!situational || (next - i).is_multiple_of(2))
                && self.differs_from_present(*entry, difference)
        })
    }

    fn differs_from_present(&self, entry: Entry, difference: &Difference<N, W>) -> bool {
        let mut left = *difference;
        self.toggle(entry.toggles, &mut left);
        left[0].is_empty() && left[1].is_empty()
    }

    /// Toggles the stones of all moves after the first `toggles` toggles.
    fn toggle(&self, toggles: u32, stones: &mut Difference<N, W>) {
        for &toggle in &self.toggles[toggles as usize..] {
            let index = usize::from(toggle / 2);
            let stones = &mut stones[usize::from(toggle % 2)];
            if stones.contains(index) {
                stones.clear_bit(index);
            } else {
                stones.set_bit(index);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Difference, History};
    use crate::rules::board::Color;
    use crate::rules::points::Points;
    use alloc::vec::Vec;
    use bitcore::Rng;

    #[test]
    fn positions_of_the_same_hash_are_compared() {
        // Stones come and go in a corner, as no rules would allow, to make many positions equal.
        let mut rng = Rng::new(1);
        let mut stones = [Points::<5, 1>::EMPTY; 2];
        let mut history = History::new();
        history.start(&stones);
        let mut seen = alloc::vec![stones];
        for _ in 0..300 {
            let color = Color::ALL[rng.below(2) as usize];
            let empty = (Points::<5, 1>::rectangle(3, 1) - stones[0] - stones[1])
                .iter()
                .collect::<Vec<_>>();
            if empty.is_empty() || rng.below(4) == 0 {
                history.pass();
            } else {
                let index = empty[rng.below(empty.len() as u32) as usize];
                stones[color as usize].insert(index);
                let from = Color::ALL[rng.below(2) as usize];
                let taken = if rng.below(2) == 0 { stones[from as usize] } else { Points::EMPTY };
                history.play(color, index, (!taken.is_empty()).then_some((from, &taken)));
                stones[from as usize] -= taken;
            }
            seen.push(stones);
            let change: Difference<5, 1> = [rng.below(8), rng.below(2)].map(|bits| {
                let mut points = Points::EMPTY;
                points.insert_row(0, bits.into());
                points
            });
            let changed: Difference<5, 1> = [0, 1]
                .map(|color| (stones[color] | change[color]) - (stones[color] & change[color]));
            assert_eq!(history.entries.len(), seen.len());
            for (&entry, seen) in history.entries.iter().zip(&seen) {
                assert_eq!(history.differs_from_present(entry, &change), *seen == changed);
            }
        }
    }
}
