//! [`Boards8`]: many boards of up to 8 x 8, four per register.
//!
//! Word i of a plane belongs to board i, so four consecutive words are four boards, one per lane:
//!
//! ```text
//! plane 0   b0 b1 b2 b3 | b4 b5 b6 b7 | ..      each word as in `Board8`: bit 8x + y from below
//! plane 1   b0 b1 b2 b3 | b4 b5 b6 b7 | ..
//!   ..
//! locked    b0 b1 b2 b3 | b4 b5 b6 b7 | ..      filled up with empty boards to a multiple of four
//! ```
//!
//! The swap formula then runs once per four boards, and its shifts are the same in each lane.

use crate::bitboard::formula::{EqualMasks, colored, swaps_of};
use crate::bitboard::planes::Board8;
use crate::bitboard::words::{FourBoards, HAS_BELOW, HAS_BELOW2};
use alloc::vec::Vec;
use bitcore::{Bytes, Isa, Lanes, dispatch};

/// Many boards of up to 8 x 8, laid out so that the swaps of four are found at once.
///
/// ```
/// use match3::boards8::Boards8;
/// use match3::{Board, Board8};
/// let board: Board8 = Board8::new(&"1121\n3213\n2132".parse::<Board>()?)?;
/// let boards = Boards8::new(&[board; 5]);
/// let (mut right, mut down) = ([0; 5], [0; 5]);
/// boards.swaps_into(&mut right, &mut down);
/// assert_eq!([right[4]], board.swaps().right.words());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Boards8<const P: usize = 3> {
    /// Plane by plane, then the locked cells: one word of each board, up to a multiple of four boards.
    words: Vec<u64>,
    len: usize,
}

impl<const P: usize> Boards8<P> {
    /// Copies boards, in order.
    pub fn new(boards: &[Board8<P>]) -> Self {
        let each = boards.len().next_multiple_of(4);
        let mut words = Vec::with_capacity((P + 1) * each);
        for plane in 0..P {
            words.extend(boards.iter().map(|board| board.planes[plane][0]));
            words.resize((plane + 1) * each, 0);
        }
        words.extend(boards.iter().map(|board| board.locked[0]));
        words.resize((P + 1) * each, 0);
        Self { words, len: boards.len() }
    }

    /// Returns the number of boards.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there is no board.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Writes the legal swaps of each board: the cells that may be swapped with the right neighbor, and with
    /// the cell below, as words in the layout of [`Board8`].
    ///
    /// # Panics
    ///
    /// If a slice hasn't one word per board.
    pub fn swaps_into(&self, right: &mut [u64], down: &mut [u64]) {
        assert_eq!((right.len(), down.len()), (self.len, self.len), "one word per board");
        swaps_into_entry(P, &self.words, right, down);
    }

    /// Returns the number of legal swaps of all boards together.
    pub fn count_swaps(&self) -> u64 {
        count_swaps_entry(P, &self.words)
    }
}

/// Enters a kernel for three planes or four.
macro_rules! of_planes {
    ($planes:expr, $kernel:ident($($arg:ident),*)) => {
        if $planes == 3 {
            dispatch!(isa + v4 [$($arg),*] => $kernel::<_, 3>(isa, $($arg),*))
        } else {
            dispatch!(isa + v4 [$($arg),*] => $kernel::<_, 4>(isa, $($arg),*))
        }
    };
}

fn swaps_into_entry(planes: usize, words: &[u64], right: &mut [u64], down: &mut [u64]) {
    of_planes!(planes, swaps_into_with(words, right, down));
}

fn count_swaps_entry(planes: usize, words: &[u64]) -> u64 {
    of_planes!(planes, count_swaps_with(words))
}

/// Splits the words into those of each plane and those of the locked cells.
#[inline(always)]
fn split<const P: usize>(words: &[u64]) -> ([&[u64]; P], &[u64]) {
    let each = words.len() / (P + 1);
    let mut planes = [&words[..each]; P];
    for (k, plane) in planes.iter_mut().enumerate() {
        *plane = &words[k * each..][..each];
    }
    (planes, &words[P * each..][..each])
}

/// Groups the words by four boards.
#[inline(always)]
fn fours<'a, const P: usize>(
    planes: &[&'a [u64]; P],
    locked: &'a [u64],
) -> ([&'a [[u64; 4]]; P], &'a [[u64; 4]]) {
    let locked = locked.as_chunks().0;
    let mut fours = [locked; P];
    for (to, from) in fours.iter_mut().zip(planes) {
        // The common length lets the compiler drop the bounds checks of the loops.
        *to = &from.as_chunks().0[..locked.len()];
    }
    (fours, locked)
}

#[inline(always)]
fn swaps_into_with<S: Isa, const P: usize>(isa: S, words: &[u64], right: &mut [u64], down: &mut [u64]) {
    let (planes, locked) = split::<P>(words);
    if S::HAS_SIMD {
        let (planes, locked) = fours(&planes, locked);
        for (at, (right, down)) in right.chunks_mut(4).zip(down.chunks_mut(4)).enumerate() {
            let (across, along) = swaps_of_four_with(isa, &planes, locked, at);
            let n = right.len();
            right.copy_from_slice(&across.to_array()[..n]);
            down.copy_from_slice(&along.to_array()[..n]);
        }
    } else {
        for (at, (right, down)) in right.iter_mut().zip(down).enumerate() {
            (*right, *down) = swaps_of_one(&planes, locked, at);
        }
    }
}

#[inline(always)]
fn count_swaps_with<S: Isa, const P: usize>(isa: S, words: &[u64]) -> u64 {
    let (planes, locked) = split::<P>(words);
    let mut sum = 0;
    if S::HAS_SIMD {
        let mut sums = isa.splat_u64(0);
        let (planes, locked) = fours(&planes, locked);
        for at in 0..locked.len() {
            let (across, along) = swaps_of_four_with(isa, &planes, locked, at);
            let count = isa.bitcast_u64_u8(across).count_ones() + isa.bitcast_u64_u8(along).count_ones();
            sums = sums + isa.bitcast_u8_u64(count.sums_of_8());
        }
        for lane in sums.to_array() {
            sum += lane;
        }
    } else {
        for at in 0..locked.len() {
            let (right, down) = swaps_of_one(&planes, locked, at);
            sum += u64::from(right.count_ones() + down.count_ones());
        }
    }
    sum
}

#[inline(always)]
fn swaps_of_four_with<S: Isa, const P: usize>(
    isa: S,
    words: &[&[[u64; 4]]; P],
    locked: &[[u64; 4]],
    at: usize,
) -> (S::U64x4, S::U64x4) {
    let mut planes = [FourBoards::<S>(isa.splat_u64(0)); P];
    for (to, from) in planes.iter_mut().zip(words) {
        *to = FourBoards(isa.u64x4(&from[at]));
    }
    let (below, below2) = (FourBoards(isa.splat_u64(HAS_BELOW)), FourBoards(isa.splat_u64(HAS_BELOW2)));
    let locked = FourBoards(isa.u64x4(&locked[at]));
    let colored = colored(&planes);
    let (right, down) = swaps_of(&planes, colored, colored & below, colored & below2, locked);
    (right.0, down.0)
}

/// Returns the legal swaps of one board, for levels without vector lanes.
#[inline(always)]
fn swaps_of_one<const P: usize>(words: &[&[u64]; P], locked: &[u64], at: usize) -> (u64, u64) {
    let mut planes = [0; P];
    for (to, from) in planes.iter_mut().zip(words) {
        *to = from[at];
    }
    let colored = colored(&planes);
    swaps_of(&planes, colored, colored & HAS_BELOW, colored & HAS_BELOW2, locked[at])
}

/// Returns the legal swaps of four full boards without locked cells, and the first cells of their runs.
#[inline(always)]
pub(crate) fn swaps_of_full_with<S: Isa, const P: usize>(
    isa: S,
    planes: &[FourBoards<S>; P],
) -> (FourBoards<S>, FourBoards<S>, FourBoards<S>) {
    let all = FourBoards(isa.splat_u64(u64::MAX));
    let (below, below2) = (FourBoards(isa.splat_u64(HAS_BELOW)), FourBoards(isa.splat_u64(HAS_BELOW2)));
    let equal = EqualMasks::new(planes, all, below, below2);
    let (right, down) = equal.swaps();
    let starts = (equal.right & equal.right2) | (equal.down & equal.down2);
    (right, down, starts)
}
