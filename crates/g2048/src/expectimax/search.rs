//! [`Expectimax`], its limits and its evaluation.

use crate::board::{Board, Size};
use crate::direction::Direction;
use crate::game::Game;
use crate::network::any_size::TupleNetwork;
use crate::network::pair::NetworkPair;
use crate::network::quantized::Network;
use crate::network::small::SmallNetwork;
use crate::packed::Packed;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use bitcade_core::{Player, Stop, Stopped};
use bitcore::SetBits;

/// An evaluation of afterstates: boards after a slide, before the spawn. They are [`Packed`], or of
/// any size.
pub trait Evaluate<B: Copy = Packed> {
    /// Returns the estimated remaining score from an afterstate.
    fn value(&self, after: B) -> f32;

    /// Writes the value of each afterstate, for as many as both slices have. Evaluations that wait
    /// for memory gain from several boards per call.
    fn values(&self, afters: &[B], values: &mut [f32]) {
        for (&after, value) in afters.iter().zip(values) {
            *value = self.value(after);
        }
    }
}

impl Evaluate for Network {
    #[inline]
    fn value(&self, after: Packed) -> f32 {
        Self::value(self, after)
    }

    fn values(&self, afters: &[Packed], values: &mut [f32]) {
        Self::values(self, afters, values);
    }
}

impl Evaluate for NetworkPair {
    #[inline]
    fn value(&self, after: Packed) -> f32 {
        Self::value(self, after)
    }

    fn values(&self, afters: &[Packed], values: &mut [f32]) {
        Self::values(self, afters, values);
    }
}

impl Evaluate for SmallNetwork {
    #[inline]
    fn value(&self, after: Packed) -> f32 {
        Self::value(self, after)
    }
}

impl Evaluate<Board> for TupleNetwork {
    #[inline]
    fn value(&self, after: Board) -> f32 {
        Self::value(self, &after)
    }
}

impl<B: Copy, F: Fn(B) -> f32> Evaluate<B> for F {
    #[inline]
    fn value(&self, after: B) -> f32 {
        self(after)
    }
}

/// The limits of an [`Expectimax`] search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The search depth in moves of the player, including the move to choose, from 1 to 255; 0
    /// counts as 1.
    pub depth: u32,
    /// The probability of a line's spawns below which the line is cut off and its afterstate
    /// evaluated; 0 disables the cutoff.
    pub min_probability: f32,
}

impl Limits {
    /// Returns limits with this depth and no probability cutoff.
    pub const fn depth(depth: u32) -> Self {
        Self { depth, min_probability: 0.0 }
    }
}

/// The move chosen by a search.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Choice {
    /// The direction of the slide.
    pub direction: Direction,
    /// The expected remaining score.
    pub value: f32,
}

/// A player: expectimax search with a transposition table.
///
/// Results are deterministic: a choice depends on the position, the evaluation and the limits, not
/// on earlier searches. The only budget is the depth.
///
/// On 4x4 boards, tiles above 32768 follow the rules at the root; deeper in the tree they count as
/// 32768s.
///
/// ```
/// use g2048::expectimax::Limits;
/// use g2048::{Board, Expectimax, Game, Packed, Player};
/// // Many empty cells are good.
/// let empty = |after: Packed| after.empty_cells() as f32;
/// let mut player = Expectimax::new(&empty, Limits::depth(2));
/// let board: Board = "2 4 8 2 \n . . . 2 \n . . . . \n . . . 2".parse()?;
/// let choice = player.search(&board).ok_or("a move")?;
/// assert!(board.is_legal(choice.direction) && choice.value > 0.0);
/// assert_eq!(player.choose(&Game::from(board)), Some(choice.direction));
/// # Ok::<_, Box<dyn core::error::Error>>(())
/// ```
pub struct Expectimax<'a>(Searches<'a>);

enum Searches<'a> {
    Classic(Search<'a, Packed>),
    AnySize(Size, Search<'a, Board>),
}

/// A position before or after a slide.
trait Position: Copy + PartialEq {
    const EMPTY: Self;
    fn hash(self) -> u64;
    fn empty_cells(self) -> u32;
    /// Returns the set of empty cells, with a bit for each.
    fn empty_set(self) -> u64;
    /// Returns the position with a tile of rank 1 or 2 on an empty cell, given by its bit.
    fn with_tile(self, bit: u32, rank: u8) -> Self;
    /// Returns the slides, in [`Direction::ALL`].
    fn slides(self) -> [Slid<Self>; 4];
}

struct Slid<B> {
    after: B,
    gain: f32,
    is_legal: bool,
}

impl Position for Packed {
    const EMPTY: Self = Self::EMPTY;

    #[inline(always)]
    fn hash(self) -> u64 {
        self.bits().wrapping_mul(HASH_FACTOR)
    }

    #[inline(always)]
    fn empty_cells(self) -> u32 {
        Self::empty_cells(self)
    }

    #[inline(always)]
    fn empty_set(self) -> u64 {
        self.empty_flags()
    }

    #[inline(always)]
    fn with_tile(self, bit: u32, rank: u8) -> Self {
        Self::from_bits(self.bits() | 1 << (bit + u32::from(rank) - 1))
    }

    #[inline(always)]
    fn slides(self) -> [Slid<Self>; 4] {
        self.slides_clamped().map(|slide| Slid {
            after: slide.board,
            gain: slide.gain as f32,
            is_legal: slide.changed,
        })
    }
}

impl Position for Board {
    const EMPTY: Self = Self::empty(Size::CLASSIC);

    #[inline(always)]
    fn hash(self) -> u64 {
        let fold = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(HASH_FACTOR);
        self.words::<8>().into_iter().fold(0, fold)
    }

    #[inline(always)]
    fn empty_cells(self) -> u32 {
        Self::empty_set(&self).count_ones()
    }

    #[inline(always)]
    fn empty_set(self) -> u64 {
        Self::empty_set(&self)
    }

    #[inline(always)]
    fn with_tile(mut self, bit: u32, rank: u8) -> Self {
        self.set_nth_empty(1 << bit, 0, rank);
        self
    }

    #[inline(always)]
    fn slides(self) -> [Slid<Self>; 4] {
        Direction::ALL.map(|direction| {
            let slide = self.slide(direction);
            Slid { after: slide.board, gain: slide.gain as f32, is_legal: slide.changed }
        })
    }
}

/// 2^64 divided by the golden ratio.
const HASH_FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

struct Search<'a, B> {
    evaluate: &'a (dyn Evaluate<B> + Sync),
    limits: Limits,
    table: Vec<Entry<B>>,
    leaves: Box<Leaves<B>>,
    /// The number of the current search, which tags its table entries.
    generation: u32,
}

/// A table entry: the value of a chance node.
#[derive(Clone, Copy)]
struct Entry<B> {
    after: B,
    value: f32,
    /// The generation of the search in the upper 24 bits and the depth in the lower 8; 0 marks an
    /// empty entry.
    key: u32,
}

impl<B: Position> Entry<B> {
    const EMPTY: Self = Self { after: B::EMPTY, value: 0.0, key: 0 };
}

/// The table has 2^14 entries, of 16 bytes on 4x4: enough for the positions of a depth-3 search, and small
/// enough for the L2 cache.
const TABLE_BITS: u32 = 14;

/// The evaluated afterstates, and the lists of one chance node. Many spawns lead to the same
/// afterstate: tiles in the same gap of a row slide to the same cell.
struct Leaves<B> {
    /// The values of the search's last leaves, apart from the other entries, which they would
    /// replace. The lower 8 bits of a key are 1, or 0 while the value is an index of `boards`.
    table: Vec<Entry<B>>,
    /// The leaves to evaluate.
    boards: [B; MOST_LEAVES],
    /// The values of `boards`, then known values.
    values: [f32; 2 * MOST_LEAVES],
    /// The gain of each move, and the index of its leaf's value.
    moves: [(f32, u32); MOST_LEAVES],
    /// The end of each position's moves.
    ends: [usize; MOST_LEAVES / 4],
}

/// The table of leaves has 2^12 entries.
const LEAF_BITS: u32 = 12;

/// The most leaves of a chance node: 64 cells, two tiles, four directions.
const MOST_LEAVES: usize = 512;

#[inline(always)]
fn slot<const BITS: u32>(after: impl Position) -> usize {
    (after.hash() >> (64 - BITS)) as usize
}

impl<'a> Expectimax<'a> {
    /// Returns a search for 4x4 boards, with an empty table.
    pub fn new(evaluate: &'a (dyn Evaluate + Sync), limits: Limits) -> Self {
        Self(Searches::Classic(Search::new(evaluate, limits)))
    }

    /// Returns a search for boards of a size, with an empty table.
    ///
    /// ```
    /// use g2048::expectimax::Limits;
    /// use g2048::{Board, Expectimax, Size, TupleLearner};
    /// let mut learner = TupleLearner::new(Size::new(3, 3)?, 1);
    /// learner.learn_games(100);
    /// let network = learner.network();
    /// let mut player = Expectimax::of_size(network.size(), &network, Limits::depth(3));
    /// let choice = player.search(&"2 4 8 \n . . 2 \n . . 2".parse()?).ok_or("a move")?;
    /// println!("{}, {:.0} points to come", choice.direction, choice.value);
    /// # assert!(choice.value > 0.0);
    /// # Ok::<_, Box<dyn core::error::Error>>(())
    /// ```
    pub fn of_size(size: Size, evaluate: &'a (dyn Evaluate<Board> + Sync), limits: Limits) -> Self {
        Self(Searches::AnySize(size, Search::new(evaluate, limits)))
    }

    /// Returns the best move, or `None` if the game is over or the board has another size. Ties go
    /// to the first direction in [`Direction::ALL`].
    pub fn search(&mut self, board: &Board) -> Option<Choice> {
        self.search_until(board, &|| false).unwrap_or_default()
    }

    /// Does the same, unless `stop` ends it.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`.
    pub fn search_until(
        &mut self,
        board: &Board,
        stop: Stop<'_>,
    ) -> Result<Option<Choice>, Stopped> {
        Ok(best(self.values_until(board, stop)?))
    }

    /// Returns the value of each move: its gain plus the expected remaining score after it. The
    /// moves are in the order of [`Direction::ALL`], and an illegal one has `None`; so have all if
    /// the board has another size.
    ///
    /// ```
    /// use g2048::expectimax::Limits;
    /// use g2048::{Board, Expectimax, Packed};
    /// let empty = |after: Packed| after.empty_cells() as f32;
    /// let board: Board = "2 2 4 8 \n 4 8 2 4 \n 2 4 8 2 \n 4 8 2 4".parse()?;
    /// let values = Expectimax::new(&empty, Limits::depth(1)).values(&board);
    /// // Only the two 2s merge: 4 points and one empty cell.
    /// assert_eq!(values, [Some(5.0), Some(5.0), None, None]);
    /// # Ok::<_, g2048::Error>(())
    /// ```
    pub fn values(&mut self, board: &Board) -> [Option<f32>; 4] {
        self.values_until(board, &|| false).unwrap_or_default()
    }

    /// Does the same, unless `stop` ends it.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`.
    pub fn values_until(
        &mut self,
        board: &Board,
        stop: Stop<'_>,
    ) -> Result<[Option<f32>; 4], Stopped> {
        match &mut self.0 {
            Searches::Classic(search) if board.size() == Size::CLASSIC => {
                search.slide_values(&root_slides(board), stop)
            }
            Searches::AnySize(size, search) if board.size() == *size => {
                search.slide_values(&board.slides(), stop)
            }
            _ => Ok([None; 4]),
        }
    }
}

impl Expectimax<'_> {
    /// Searches with depth 1, 2 and so on up to the limit, until `stop` ends it. Returns the deepest
    /// complete search's [values](Self::values) and its depth, which gives them again.
    ///
    /// Depths 1 and 2 aren't stopped.
    ///
    /// ```
    /// use g2048::expectimax::Limits;
    /// use g2048::{Board, Expectimax, Packed};
    /// let empty = |after: Packed| after.empty_cells() as f32;
    /// let board: Board = "2 4 8 2 \n . . . 2 \n . . . . \n . . . 2".parse()?;
    /// let start = std::time::Instant::now();
    /// let stop = || start.elapsed().as_millis() >= 20;
    /// let (values, depth) = Expectimax::new(&empty, Limits::depth(255)).deepen_until(&board, &stop);
    /// assert!(depth >= 2);
    /// assert_eq!(values, Expectimax::new(&empty, Limits::depth(depth)).values(&board));
    /// # Ok::<_, g2048::Error>(())
    /// ```
    pub fn deepen_until(&mut self, board: &Board, stop: Stop<'_>) -> ([Option<f32>; 4], u32) {
        let most = self.limits().depth;
        let mut found = ([None; 4], 0);
        for depth in 1..=most {
            self.limits().depth = depth;
            let Ok(values) = self.values_until(board, stop) else { break };
            found = (values, depth);
            if depth > 1 && stop() {
                break;
            }
        }
        self.limits().depth = most;
        found
    }

    const fn limits(&mut self) -> &mut Limits {
        match &mut self.0 {
            Searches::Classic(search) => &mut search.limits,
            Searches::AnySize(_, search) => &mut search.limits,
        }
    }
}

/// Returns the best of the moves of [`Direction::ALL`].
fn best(values: [Option<f32>; 4]) -> Option<Choice> {
    let mut best: Option<Choice> = None;
    for (direction, value) in Direction::ALL.into_iter().zip(values) {
        if let Some(value) = value
            && best.is_none_or(|best| value > best.value)
        {
            best = Some(Choice { direction, value });
        }
    }
    best
}

impl<'a, B: Position> Search<'a, B> {
    fn new(evaluate: &'a (dyn Evaluate<B> + Sync), limits: Limits) -> Self {
        let limits = Limits { depth: limits.depth.clamp(1, 255), ..limits };
        let leaves = Leaves {
            table: vec![Entry::EMPTY; 1 << LEAF_BITS],
            boards: [B::EMPTY; MOST_LEAVES],
            values: [0.0; 2 * MOST_LEAVES],
            moves: [(0.0, 0); MOST_LEAVES],
            ends: [0; MOST_LEAVES / 4],
        };
        let table = vec![Entry::EMPTY; 1 << TABLE_BITS];
        Self { evaluate, limits, table, leaves: Box::new(leaves), generation: 0 }
    }

    /// Returns the values of a position's slides, `None` for one that moves no tile.
    fn slide_values(
        &mut self,
        slides: &[Slid<B>; 4],
        stop: Stop<'_>,
    ) -> Result<[Option<f32>; 4], Stopped> {
        // Entries of earlier searches may reflect other cutoffs. The generation invalidates them
        // without clearing.
        self.generation = (self.generation + 1) & 0x00ff_ffff;
        if self.generation == 0 {
            self.table.fill(Entry::EMPTY);
            self.leaves.table.fill(Entry::EMPTY);
            self.generation = 1;
        }
        let mut found = [None; 4];
        if self.is_leaf(self.limits.depth, 1.0) {
            let mut afters = [B::EMPTY; 4];
            let mut gains = [0.0; 4];
            let mut from = [0; 4];
            let mut n = 0;
            for (i, &Slid { after, gain, is_legal }) in slides.iter().enumerate() {
                // The mask avoids a bounds check.
                (afters[n & 3], gains[n & 3], from[n & 3]) = (after, gain, i);
                n += usize::from(is_legal);
            }
            let mut values = [0.0; 4];
            self.evaluate.values(&afters[..n], &mut values);
            for i in 0..n {
                found[from[i] & 3] = Some(gains[i] + values[i]);
            }
        } else {
            for (i, &Slid { after, gain, is_legal }) in slides.iter().enumerate() {
                if is_legal {
                    found[i] = Some(gain + self.chance_node(after, self.limits.depth, 1.0, stop)?);
                }
            }
        }
        Ok(found)
    }

    /// Returns `true` if an afterstate at this depth and with this probability is evaluated, not
    /// searched.
    #[inline(always)]
    fn is_leaf(&self, depth: u32, probability: f32) -> bool {
        depth == 1 || probability < self.limits.min_probability
    }

    /// Returns the value of an afterstate that isn't a leaf: the mean over its spawns.
    fn chance_node(
        &mut self,
        after: B,
        depth: u32,
        probability: f32,
        stop: Stop<'_>,
    ) -> Result<f32, Stopped> {
        if depth > 2 && stop() {
            return Err(Stopped);
        }
        let key = self.generation << 8 | depth;
        let slot = slot::<TABLE_BITS>(after);
        let entry = &self.table[slot];
        if entry.after == after && entry.key == key {
            return Ok(entry.value);
        }
        let cells = after.empty_cells() as f32;
        let probabilities = [0.9, 0.1].map(|share| probability * share / cells);
        let leaves = probabilities.map(|probability| self.is_leaf(depth - 1, probability));
        let mut sums = self.sums_of_leaves(after, leaves);
        if leaves != [true; 2] {
            for cell in SetBits(after.empty_set()) {
                for (i, sum) in sums.iter_mut().enumerate() {
                    if !leaves[i] {
                        let board = after.with_tile(cell, i as u8 + 1);
                        *sum += self.max_node(board, depth - 1, probabilities[i], stop)?;
                    }
                }
            }
        }
        // In play an afterstate always has an empty cell.
        let value = if cells > 0.0 { (0.9 * sums[0] + 0.1 * sums[1]) / cells } else { 0.0 };
        self.table[slot] = Entry { after, value, key };
        Ok(value)
    }

    /// Returns the value of a position's best move, or 0 if the game is over. No afterstate is a
    /// leaf.
    fn max_node(
        &mut self,
        board: B,
        depth: u32,
        probability: f32,
        stop: Stop<'_>,
    ) -> Result<f32, Stopped> {
        let mut best: Option<f32> = None;
        for slide in board.slides() {
            if slide.is_legal {
                let value = slide.gain + self.chance_node(slide.after, depth, probability, stop)?;
                best = Some(best.map_or(value, |best| best.max(value)));
            }
        }
        Ok(best.unwrap_or(0.0))
    }

    /// Returns the sums, over the empty cells, of the best move's value after a 2 and after a 4,
    /// for the tiles whose moves lead to leaves; 0 for the others. Evaluates all new leaves in one
    /// call, each once.
    fn sums_of_leaves(&mut self, after: B, are_leaves: [bool; 2]) -> [f32; 2] {
        let Leaves { table, boards, values, moves, ends } = &mut *self.leaves;
        let known = self.generation << 8 | 1;
        let new = self.generation << 8;
        let mut boards_found = 0;
        let mut values_known = MOST_LEAVES;
        let mut moves_found = 0;
        let mut positions = 0;
        for (i, _) in are_leaves.into_iter().enumerate().filter(|&(_, is_leaf)| is_leaf) {
            for cell in SetBits(after.empty_set()) {
                for slide in after.with_tile(cell, i as u8 + 1).slides() {
                    if !slide.is_legal {
                        continue;
                    }
                    let entry = &mut table[slot::<LEAF_BITS>(slide.after)];
                    let value = if entry.after == slide.after && entry.key == known {
                        values[values_known] = entry.value;
                        values_known += 1;
                        values_known - 1
                    } else if entry.after == slide.after && entry.key == new {
                        entry.value as usize
                    } else {
                        *entry = Entry { after: slide.after, value: boards_found as f32, key: new };
                        boards[boards_found] = slide.after;
                        boards_found += 1;
                        boards_found - 1
                    };
                    moves[moves_found] = (slide.gain, value as u32);
                    moves_found += 1;
                }
                ends[positions] = moves_found;
                positions += 1;
            }
        }
        self.evaluate.values(&boards[..boards_found], values);
        for (&after, &value) in boards[..boards_found].iter().zip(&*values) {
            table[slot::<LEAF_BITS>(after)] = Entry { after, value, key: known };
        }
        let mut sums = [0.0; 2];
        let mut ends = ends.iter();
        let mut start = 0;
        for (sum, _) in sums.iter_mut().zip(are_leaves).filter(|&(_, is_leaf)| is_leaf) {
            for &end in ends.by_ref().take(after.empty_cells() as usize) {
                let mut best: Option<f32> = None;
                for &(gain, at) in &moves[start..end] {
                    let value = gain + values[at as usize];
                    best = Some(best.map_or(value, |best| best.max(value)));
                }
                *sum += best.unwrap_or(0.0);
                start = end;
            }
        }
        sums
    }
}

/// Returns the slides of a 4x4 position.
fn root_slides(board: &Board) -> [Slid<Packed>; 4] {
    match Packed::try_from(board) {
        Ok(packed) => packed.slides(),
        Err(_) => board.slides().map(|slid| Slid {
            after: Packed::clamped(&slid.after),
            gain: slid.gain,
            is_legal: slid.is_legal,
        }),
    }
}

impl Player<Game> for Expectimax<'_> {
    /// Returns the best move, like [`search`](Expectimax::search).
    fn choose(&mut self, game: &Game) -> Option<Direction> {
        self.choose_until(game, &|| false).unwrap_or_default()
    }

    fn choose_until(&mut self, game: &Game, stop: Stop<'_>) -> Result<Option<Direction>, Stopped> {
        let choice = match (&mut self.0, game.packed()) {
            (Searches::Classic(search), Some(board)) => {
                best(search.slide_values(&board.slides(), stop)?)
            }
            _ => self.search_until(&game.board(), stop)?,
        };
        Ok(choice.map(|choice| choice.direction))
    }
}
