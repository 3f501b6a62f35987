//! [`TupleNetwork`] and [`TupleLearner`]: n-tuple networks for boards of any size.

use super::layout::Layout;
use super::learn::CurvePoint;
use super::td::{BYTES_PER_WEIGHT, Td, Tuples};
use crate::board::{Board, Size};
use crate::direction::Direction;
use alloc::vec;
use alloc::vec::Vec;
use bitcade_core::{Stop, Stopped};
use bitcore::{Rng, dispatch};
use core::fmt;

/// An n-tuple network for boards of one size, from 2x2 to 8x8.
///
/// Its tuples have as many cells as 33 million weights allow: six on 3x3, five on 5x5, four on 6x6.
/// They are 2x3 rectangles with squares, such rectangles without a corner, or squares, and lines of
/// four or five cells, wherever they fit; of those that are images of each other under the
/// symmetries of the board, one. Tiles above 131072 count as 131072s.
///
/// ```
/// use g2048::{Board, Size, TupleLearner, TupleNetwork};
/// let size = Size::new(3, 3)?;
/// let mut learner = TupleLearner::new(size, 1);
/// learner.learn_games(20);
/// let network = learner.network();
/// let mut file = Vec::new();
/// network.save(&mut |bytes| file.extend_from_slice(bytes));
/// let loaded = TupleNetwork::load(&file)?;
/// let board = Board::start(size, &mut g2048::Rng::new(7));
/// assert!(loaded.value(&board) > 0.0 && loaded.value(&board) == network.value(&board));
/// # Ok::<_, g2048::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct TupleNetwork {
    pub(super) layout: Layout,
    /// The value of one unit of a weight.
    pub(super) scale: f32,
    pub(super) weights: Vec<i16>,
}

/// The most indices of a board's weights.
pub(super) const MOST_LOOKUPS: usize = 512;

impl TupleNetwork {
    /// Returns the size of the boards that the network values.
    pub const fn size(&self) -> Size {
        self.layout.size
    }

    /// Returns the value of an afterstate: the estimated remaining score, before the spawn. It is 0
    /// for a board of another [size](Self::size).
    pub fn value(&self, after: &Board) -> f32 {
        if after.size() != self.layout.size {
            return 0.0;
        }
        let Self { layout, weights, .. } = self;
        let sum = dispatch!(_isa [layout, weights, after] => {
            let mut indices = [0; MOST_LOOKUPS];
            let indices = &mut indices[..layout.lookups];
            layout.find(after, indices);
            // The sum of at most 512 weights of 16 bits fits in 32 bits.
            let mut sum = 0;
            for &index in &*indices {
                sum += i32::from(weights[index as usize]);
            }
            sum
        });
        sum as f32 * self.scale
    }
}

impl fmt::Debug for TupleNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("TupleNetwork");
        debug.field("size", &self.size()).field("scale", &self.scale).finish_non_exhaustive()
    }
}

/// A learner for a [`TupleNetwork`]. It learns like a [`Learner`](crate::Learner) with default
/// settings and one more restart for each 32,768 games, one game after another, on one thread.
///
/// A game of more than 8,192 moves is learned in parts of so many: games on large boards have
/// millions.
///
/// The seed and the number of games determine the result to the last bit, on every ISA level. The
/// learner can't be saved.
///
/// ```
/// use g2048::{Size, TupleLearner};
/// let mut learner = TupleLearner::new(Size::new(3, 4)?, 1);
/// learner.learn_games(20);
/// assert_eq!(learner.games(), 20);
/// # Ok::<_, g2048::Error>(())
/// ```
pub struct TupleLearner(Td<Layout>);

impl Tuples for Layout {
    type Board = Board;
    type Indices = Vec<u32>;

    const MOST_MOVES: usize = 1 << 13;

    fn indices(&self) -> Vec<u32> {
        vec![0; self.lookups]
    }

    fn start(&self, rng: &mut Rng) -> Board {
        Board::start(self.size, rng)
    }

    fn spawn(board: &mut Board, rng: &mut Rng) {
        board.spawn(rng);
    }

    fn slides(board: Board) -> [(Board, u64, bool); 4] {
        Direction::ALL.map(|direction| {
            let slide = board.slide(direction);
            (slide.board, slide.gain, slide.changed)
        })
    }

    fn max_rank(board: Board) -> u8 {
        board.max_rank()
    }

    #[inline(always)]
    fn find(&self, after: Board, indices: &mut Vec<u32>) {
        Self::find(self, &after, indices);
    }

    /// The order of additions is fixed: eight sums, on squares one per image.
    #[inline(always)]
    fn value(weights: &[f32], indices: &Vec<u32>) -> f32 {
        let mut sums = [0.0; 8];
        let (eights, rest) = indices.as_chunks::<8>();
        for eight in eights {
            for (sum, &index) in sums.iter_mut().zip(eight) {
                *sum += weights[index as usize];
            }
        }
        for (sum, &index) in sums.iter_mut().zip(rest) {
            *sum += weights[index as usize];
        }
        let [a, b, c, d, e, f, g, h] = sums;
        ((a + b) + (c + d)) + ((e + f) + (g + h))
    }

    #[inline(always)]
    fn update(weights: &mut [f32], sums: &mut [[f32; 2]], indices: &Vec<u32>, target: f32) {
        let error = target - <Self as Tuples>::value(weights, indices);
        let step = error / indices.len() as f32;
        for &index in indices {
            let [error_sum, error_size] = &mut sums[index as usize];
            let share = if *error_size == 0.0 { 1.0 } else { error_sum.abs() / *error_size };
            weights[index as usize] += step * share;
            *error_sum += error;
            *error_size += error.abs();
        }
    }
}

impl TupleLearner {
    /// Returns a learner for boards of a size, with all weights 0.
    pub fn new(size: Size, seed: u64) -> Self {
        let layout = Layout::of(size);
        let weights = layout.weights as usize;
        Self(Td::new(layout, weights, seed))
    }

    /// Returns the most memory that a learner for boards of a size takes, and the network made from
    /// it, in bytes.
    pub fn memory(size: Size) -> u64 {
        BYTES_PER_WEIGHT * Layout::of(size).weights
    }

    /// Returns the size of the boards.
    pub const fn size(&self) -> Size {
        self.0.tuples.size
    }

    /// Returns the number of moves played.
    pub const fn moves(&self) -> u64 {
        self.0.moves
    }

    /// Returns the number of finished games.
    pub const fn games(&self) -> u64 {
        self.0.games
    }

    /// Returns the learning curve: one point per [`CurvePoint::GAMES`] games.
    pub fn curve(&self) -> &[CurvePoint] {
        &self.0.curve
    }

    /// Plays a number of games and learns from them.
    #[allow(clippy::missing_panics_doc, reason = "only `stop` ends it early")]
    pub fn learn_games(&mut self, games: u64) {
        self.learn_games_until(games, &|| false).expect("nothing stops it");
    }

    /// Does the same, unless `stop` ends it, which is asked before each game and every 8,192 moves
    /// of one.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` returned `true`. A game that it ended isn't [counted](Self::games).
    pub fn learn_games_until(&mut self, games: u64, stop: Stop<'_>) -> Result<(), Stopped> {
        self.0.learn_games(games, stop)
    }

    /// Returns the current weights, scaled and rounded to 16 bits: the largest absolute value
    /// becomes 32767.
    pub fn network(&self) -> TupleNetwork {
        let Td { tuples, weights, .. } = &self.0;
        let largest = weights.iter().fold(0f32, |largest, weight| largest.max(weight.abs()));
        let scale = if largest > 0.0 { largest / 32767.0 } else { 1.0 };
        // `as` truncates; adding a half first rounds.
        let rounded = |weight: &f32| (weight / scale + 0.5f32.copysign(*weight)) as i16;
        let weights = weights.iter().map(rounded).collect();
        TupleNetwork { layout: tuples.clone(), scale, weights }
    }
}

impl fmt::Debug for TupleLearner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("TupleLearner");
        debug.field("size", &self.size()).field("moves", &self.moves());
        debug.field("games", &self.games()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::small::{SMALL_TUPLES, SmallLearner};
    use crate::network::tuples::MAX_RANK;

    /// The definition of the small learner's tests is thereby this learner's, too.
    #[test]
    fn with_the_tuples_of_a_small_learner_it_learns_the_same() {
        let mut small = SmallLearner::new(3);
        small.learn_games(12);
        let set = |cells: &[usize; 5]| cells.iter().fold(0, |set, cell| set | 1u64 << cell);
        let tuples = SMALL_TUPLES.iter().map(set).collect();
        let layout = Layout::new(Size::CLASSIC, u64::from(MAX_RANK) + 1, tuples);
        let weights = layout.weights as usize;
        let mut learner = TupleLearner(Td::new(layout, weights, 3));
        learner.learn_games(12);
        assert_eq!((learner.games(), learner.moves()), (12, small.moves()));
        assert!(learner.0.weights == small.0.weights && learner.0.sums == small.0.sums);
    }

    /// The same tuples, with parts of a few moves.
    struct Parts(Layout);

    impl Tuples for Parts {
        type Board = Board;
        type Indices = Vec<u32>;

        const MOST_MOVES: usize = 40;

        fn indices(&self) -> Vec<u32> {
            Tuples::indices(&self.0)
        }

        fn start(&self, rng: &mut Rng) -> Board {
            self.0.start(rng)
        }

        fn spawn(board: &mut Board, rng: &mut Rng) {
            Layout::spawn(board, rng);
        }

        fn slides(board: Board) -> [(Board, u64, bool); 4] {
            Layout::slides(board)
        }

        fn max_rank(board: Board) -> u8 {
            Layout::max_rank(board)
        }

        fn find(&self, after: Board, indices: &mut Vec<u32>) {
            Tuples::find(&self.0, after, indices);
        }

        fn value(weights: &[f32], indices: &Vec<u32>) -> f32 {
            Layout::value(weights, indices)
        }

        fn update(weights: &mut [f32], sums: &mut [[f32; 2]], indices: &Vec<u32>, target: f32) {
            Layout::update(weights, sums, indices, target);
        }
    }

    /// Games of some hundred moves, learned in parts.
    #[test]
    fn games_are_learned_in_parts_as_well_as_whole() {
        let layout = Layout::of(Size::new(3, 3).unwrap());
        let weights = layout.weights as usize;
        let mut whole = Td::new(layout.clone(), weights, 1);
        let mut parts = Td::new(Parts(layout), weights, 1);
        whole.learn_games(2_000, &|| false).unwrap();
        parts.learn_games(2_000, &|| false).unwrap();
        let [by_whole, by_parts] = [&whole.curve, &parts.curve].map(|curve| curve[1].score / 1_000);
        // Random play scores 330.
        assert!(by_whole > 2_000 && by_parts > 3 * by_whole / 4, "{by_whole} {by_parts}");
        // A stop within a game ends it, and only complete ones count.
        let moves = parts.moves;
        assert_eq!(parts.learn_games(1, &testkit::stop_at(2)), Err(Stopped));
        assert_eq!((parts.games, parts.moves), (2_000, moves + 80));
    }

    #[test]
    fn every_size_has_tuples_of_all_cells_within_its_memory() {
        for size in Size::all() {
            let layout = Layout::of(size);
            let cells = layout.tuples.iter().fold(0, |cells, tuple| cells | tuple);
            let most = layout.tuples.iter().map(|tuple| tuple.count_ones()).max();
            assert!(layout.lookups <= MOST_LOOKUPS, "{size:?}: {} lookups", layout.lookups);
            assert!(layout.weights <= 1 << 25 || most == Some(4), "{size:?}");
            assert!(TupleLearner::memory(size) <= 900 << 20, "{size:?}");
            // With their images, the tuples reach every cell.
            let image = Board::from_fn(size, |cell| (cells >> cell & 1) as u8);
            let images = image.symmetries();
            for cell in 0..size.cells() {
                let has = |image: &Board| image.size() == size && image.ranks()[cell] == 1;
                assert!(images.iter().any(has), "{size:?}, cell {cell}");
            }
        }
        let cells = |w, h| {
            let layout = Layout::of(Size::new(w, h).unwrap());
            layout.tuples.iter().map(|tuple| tuple.count_ones()).max().unwrap()
        };
        assert_eq!(
            [(2, 2), (3, 3), (4, 3), (5, 5), (6, 6)].map(|(w, h)| cells(w, h)),
            [4, 6, 6, 5, 4]
        );
    }

    #[test]
    fn the_value_is_the_sum_of_the_weights_of_any_image() {
        let mut rng = Rng::new(2);
        for size in [(2, 2), (3, 2), (3, 3), (4, 4), (6, 5)] {
            let size = Size::new(size.0, size.1).unwrap();
            let mut learner = TupleLearner::new(size, 1);
            learner.learn_games(3);
            let network = learner.network();
            let Layout { ranks, tuples, .. } = &network.layout;
            for _ in 0..100 {
                let board = Board::from_fn(size, |_| rng.below(20) as u8);
                let images = board.symmetries().into_iter().filter(|image| image.size() == size);
                let images: Vec<Board> = images.collect();
                let mut sum = 0;
                for image in &images {
                    let mut start = 0;
                    for &tuple in tuples {
                        let mut index = 0;
                        let mut base = 1;
                        for cell in (0..64).filter(|cell| tuple >> cell & 1 == 1) {
                            index += base * u64::from(image.ranks()[cell]).min(ranks - 1);
                            base *= ranks;
                        }
                        sum += i64::from(network.weights[start + index as usize]);
                        start += base as usize;
                    }
                }
                let expected = sum as f32 * network.scale;
                for image in images {
                    assert_eq!(network.value(&image).to_bits(), expected.to_bits(), "{board:?}");
                }
            }
            let other = Board::empty(Size::new(8, 8).unwrap());
            assert_eq!(network.value(&other).to_bits(), 0);
        }
    }
}
