//! [`Boards8`]: many boards of up to 8 x 8, four per register.
//!
//! Each group of four boards is stored plane by plane, one board per lane:
//!
//! ```text
//! plane 0  b0 b1 b2 b3 | plane 1  b0 b1 b2 b3 | .. | locked  b0 b1 b2 b3 || plane 0  b4 b5 b6 b7 | ..
//! ```
//!
//! Each word has the layout of `Board8`; the last group is padded with empty boards. The swap formula runs
//! once per four boards, with the same shifts in every lane.

use super::formula::swaps_of;
use super::planes::Board8;
use super::words::FourBoards;
use alloc::vec::Vec;
use bitcore::{Bytes, Isa, Lanes, dispatch};

/// Many boards of up to 8 x 8, laid out to find the swaps of four boards in parallel.
///
/// ```
/// use match3::bitboard::Boards8;
/// use match3::{Board, Board8};
/// let board: Board8 = Board8::try_from(&"1121\n3213\n2132".parse::<Board>()?)?;
/// let boards = Boards8::from(&[board; 5][..]);
/// let (mut right, mut down) = ([0; 5], [0; 5]);
/// boards.swaps_into(&mut right, &mut down);
/// assert_eq!(right[4], board.swaps().right.words());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Boards8 {
    fours: Vec<Four>,
    len: usize,
    /// The number of planes in use, 3 or 4.
    planes: usize,
}

/// Word i of each array belongs to board i.
#[derive(Clone, Copy, Debug, Default)]
struct Four {
    planes: [[u64; 4]; 4],
    locked: [u64; 4],
}

impl<const P: usize> From<&[Board8<P>]> for Boards8 {
    /// Copies the boards, in order.
    fn from(boards: &[Board8<P>]) -> Self {
        let mut fours = alloc::vec![Four::default(); boards.len().div_ceil(4)];
        for (four, boards) in fours.iter_mut().zip(boards.chunks(4)) {
            for (lane, board) in boards.iter().enumerate() {
                for (lanes, &plane) in four.planes.iter_mut().zip(&board.planes) {
                    lanes[lane] = plane;
                }
                four.locked[lane] = board.locked;
            }
        }
        Self { fours, len: boards.len(), planes: P }
    }
}

impl Boards8 {
    /// Returns the number of boards.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no boards.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Writes the legal swaps of each board: the cells that may be swapped with the right neighbor and with
    /// the cell below, as words in the layout of [`Board8`].
    ///
    /// # Panics
    ///
    /// If a slice doesn't have exactly one word per board.
    pub fn swaps_into(&self, right: &mut [u64], down: &mut [u64]) {
        assert_eq!((right.len(), down.len()), (self.len, self.len), "one word per board");
        let fours = &self.fours;
        if self.planes == 3 {
            dispatch!(isa + v4 [fours, right, down] => swaps_into_with::<_, 3>(isa, fours, right, down));
        } else {
            dispatch!(isa + v4 [fours, right, down] => swaps_into_with::<_, 4>(isa, fours, right, down));
        }
    }

    /// Returns the total number of legal swaps over all boards.
    pub fn count_swaps(&self) -> u64 {
        let fours = &self.fours;
        if self.planes == 3 {
            dispatch!(isa + v4 [fours] => count_swaps_with::<_, 3>(isa, fours))
        } else {
            dispatch!(isa + v4 [fours] => count_swaps_with::<_, 4>(isa, fours))
        }
    }
}

#[inline(always)]
fn swaps_into_with<S: Isa, const P: usize>(isa: S, fours: &[Four], right: &mut [u64], down: &mut [u64]) {
    for (four, (right, down)) in fours.iter().zip(right.chunks_mut(4).zip(down.chunks_mut(4))) {
        let n = right.len();
        if S::WIDE_REGISTERS {
            let (across, along) = swaps_of_four_with::<S, P>(isa, four);
            right.copy_from_slice(&across.0.to_array()[..n]);
            down.copy_from_slice(&along.0.to_array()[..n]);
        } else {
            for lane in 0..n {
                (right[lane], down[lane]) = swaps_of_one_with::<S, P>(isa, four, lane);
            }
        }
    }
}

#[inline(always)]
fn count_swaps_with<S: Isa, const P: usize>(isa: S, fours: &[Four]) -> u64 {
    let (mut sum, mut sums) = (0, isa.splat_u64(0));
    for four in fours {
        if S::WIDE_REGISTERS {
            let (right, down) = swaps_of_four_with::<S, P>(isa, four);
            let count = isa.bitcast_u64_u8(right.0).count_ones() + isa.bitcast_u64_u8(down.0).count_ones();
            sums = sums + isa.bitcast_u8_u64(count.sums_of_8());
        } else {
            for lane in 0..4 {
                let (right, down) = swaps_of_one_with::<S, P>(isa, four, lane);
                sum += u64::from(right.count_ones() + down.count_ones());
            }
        }
    }
    let [a, b, c, d] = sums.to_array();
    sum + a + b + c + d
}

#[inline(always)]
fn swaps_of_four_with<S: Isa, const P: usize>(isa: S, four: &Four) -> (FourBoards<S>, FourBoards<S>) {
    let mut planes = [FourBoards::<S>(isa.splat_u64(0)); P];
    for (to, from) in planes.iter_mut().zip(&four.planes) {
        *to = FourBoards(isa.u64x4(from));
    }
    swaps_of(isa, &planes, FourBoards(isa.u64x4(&four.locked)))
}

/// Returns the legal swaps of one board, for ISA levels without registers of four words.
#[inline(always)]
fn swaps_of_one_with<S: Isa, const P: usize>(isa: S, four: &Four, lane: usize) -> (u64, u64) {
    let mut planes = [0; P];
    for (to, from) in planes.iter_mut().zip(&four.planes) {
        *to = from[lane];
    }
    swaps_of(isa, &planes, four.locked[lane])
}
