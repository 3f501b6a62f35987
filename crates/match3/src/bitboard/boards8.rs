//! [`Boards8`]: many boards of up to 8 x 8, several per register.
//!
//! Each group of eight boards is stored plane by plane, one board per lane:
//!
//! ```text
//! plane 0  b0 b1 .. b7 | plane 1  b0 b1 .. b7 | .. | locked  b0 b1 .. b7 || plane 0  b8 b9 .. b15 | ..
//! ```
//!
//! Each word has the layout of `Board8`; the last group is padded with empty boards. The swap
//! formula runs word by word, in a loop that the compiler vectorizes: the shifts are the same for
//! all boards, so a register has as many boards as it has words.

use super::formula::swaps_of;
use super::planes::Board8;
use alloc::vec::Vec;
use bitcore::{Isa, dispatch};

/// Many boards of up to 8 x 8, laid out to find the swaps of several boards in parallel.
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
    eights: Vec<Eight>,
    len: usize,
    /// The number of planes in use, 3 or 4.
    planes: usize,
}

/// Word i of each array belongs to board i. Each array is one line of the cache.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Eight {
    planes: [[u64; 8]; 4],
    locked: [u64; 8],
}

impl<const P: usize> From<&[Board8<P>]> for Boards8 {
    /// Copies the boards, in order.
    fn from(boards: &[Board8<P>]) -> Self {
        let mut eights = alloc::vec![Eight::default(); boards.len().div_ceil(8)];
        for (eight, boards) in eights.iter_mut().zip(boards.chunks(8)) {
            for (lane, board) in boards.iter().enumerate() {
                for (lanes, &plane) in eight.planes.iter_mut().zip(&board.planes) {
                    lanes[lane] = plane;
                }
                eight.locked[lane] = board.locked;
            }
        }
        Self { eights, len: boards.len(), planes: P }
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

    /// Writes the legal swaps of each board: the cells that may be swapped with the right neighbor
    /// and with the cell below, as words in the layout of [`Board8`].
    ///
    /// # Panics
    ///
    /// If a slice doesn't have exactly one word per board.
    pub fn swaps_into(&self, right: &mut [u64], down: &mut [u64]) {
        assert_eq!(right.len(), self.len, "one word per board");
        assert_eq!(down.len(), self.len, "one word per board");
        let eights = &self.eights;
        if self.planes == 3 {
            dispatch!(isa + v4 [eights, right, down] => swaps_into_with::<_, 3>(isa, eights, right, down));
        } else {
            dispatch!(isa + v4 [eights, right, down] => swaps_into_with::<_, 4>(isa, eights, right, down));
        }
    }

    /// Returns the total number of legal swaps over all boards.
    pub fn count_swaps(&self) -> u64 {
        let eights = &self.eights;
        if self.planes == 3 {
            dispatch!(isa + v4 [eights] => count_swaps_with::<_, 3>(isa, eights))
        } else {
            dispatch!(isa + v4 [eights] => count_swaps_with::<_, 4>(isa, eights))
        }
    }
}

#[inline(always)]
fn swaps_into_with<S: Isa, const P: usize>(
    isa: S,
    eights: &[Eight],
    right: &mut [u64],
    down: &mut [u64],
) {
    for (eight, (right, down)) in eights.iter().zip(right.chunks_mut(8).zip(down.chunks_mut(8))) {
        let mut across = [0; 8];
        let mut along = [0; 8];
        for lane in 0..8 {
            (across[lane], along[lane]) = swaps_of_lane_with::<S, P>(isa, eight, lane);
        }
        for (to, from) in [(right, across), (down, along)] {
            match <&mut [u64; 8]>::try_from(&mut *to) {
                Ok(to) => *to = from,
                Err(_) => to.copy_from_slice(&from[..to.len()]),
            }
        }
    }
}

#[inline(always)]
fn count_swaps_with<S: Isa, const P: usize>(isa: S, eights: &[Eight]) -> u64 {
    // A sum per lane, since adding the lanes of a register takes longer than counting them.
    let mut sums = [0; 8];
    for eight in eights {
        for (lane, sum) in sums.iter_mut().enumerate() {
            let (right, down) = swaps_of_lane_with::<S, P>(isa, eight, lane);
            *sum += u64::from(right.count_ones() + down.count_ones());
        }
    }
    sums.iter().sum()
}

#[inline(always)]
fn swaps_of_lane_with<S: Isa, const P: usize>(isa: S, eight: &Eight, lane: usize) -> (u64, u64) {
    let mut planes = [0; P];
    for (to, from) in planes.iter_mut().zip(&eight.planes) {
        *to = from[lane];
    }
    swaps_of(isa, &planes, eight.locked[lane])
}
