//! [`Boards8`]: many boards of 8 x 8 side by side, four to a group of lanes.

use crate::field::{Equal, Four, Near, Word};
use crate::planes::{Board8, HAS_BELOW, HAS_BELOW2};
use alloc::vec::Vec;
use bitcore::{Isa, Lanes, dispatch};

/// Four boards: lane by lane, the words of a [`Board8`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Group<const P: usize> {
    planes: [[u64; 4]; P],
    locked: [u64; 4],
}

/// Many boards of up to 8 x 8, laid out so that four are listed at once.
///
/// ```
/// use match3::{Board, Board8, Boards8};
/// let board: Board8 = Board8::new(&"1121\n3213\n2132".parse::<Board>()?)?;
/// let boards = Boards8::new(&[board; 5]);
/// let (mut right, mut down) = ([0; 5], [0; 5]);
/// boards.swaps_into(&mut right, &mut down);
/// assert_eq!([right[4]], board.swaps().right.words());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Boards8<const P: usize = 3> {
    groups: Vec<Group<P>>,
    len: usize,
}

impl<const P: usize> Boards8<P> {
    /// The boards, in order.
    pub fn new(boards: &[Board8<P>]) -> Self {
        let group = |boards: &[Board8<P>]| {
            let mut group = Group { planes: [[0; 4]; P], locked: [0; 4] };
            for (lane, board) in boards.iter().enumerate() {
                for (lanes, plane) in group.planes.iter_mut().zip(&board.planes) {
                    lanes[lane] = plane[0];
                }
                group.locked[lane] = board.locked[0];
            }
            group
        };
        Self { groups: boards.chunks(4).map(group).collect(), len: boards.len() }
    }

    /// The number of boards.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The legal swaps of each board, with the right neighbour and with the cell below, in the layout of [`Board8`].
    ///
    /// # Panics
    ///
    /// If a slice hasn't one word a board.
    pub fn swaps_into(&self, right: &mut [u64], down: &mut [u64]) {
        assert_eq!((right.len(), down.len()), (self.len, self.len), "one word a board");
        dispatch!(isa => self.swaps_into_with(isa, right, down));
    }

    #[inline(always)]
    fn swaps_into_with<S: Isa>(&self, isa: S, right: &mut [u64], down: &mut [u64]) {
        for ((group, right), down) in self.groups.iter().zip(right.chunks_mut(4)).zip(down.chunks_mut(4)) {
            let (across, along) = group.swaps_with(isa);
            let n = right.len();
            right.copy_from_slice(&across.to_array()[..n]);
            down.copy_from_slice(&along.to_array()[..n]);
        }
    }

    /// The number of legal swaps of all boards.
    pub fn count_swaps(&self) -> u64 {
        dispatch!(isa => self.count_swaps_with(isa))
    }

    /// [`count_swaps`](Self::count_swaps) for kernels.
    #[doc(hidden)]
    #[inline(always)]
    pub fn count_swaps_with<S: Isa>(&self, isa: S) -> u64 {
        use bitcore::Bytes;
        let mut sums = isa.splat_u64(0);
        for group in &self.groups {
            let (across, along) = group.swaps_with(isa);
            let count = isa.u64s_as_bytes(across).count_ones() + isa.u64s_as_bytes(along).count_ones();
            sums = sums + isa.bytes_as_u64s(count.group_sums());
        }
        let mut sum = 0;
        for lane in sums.to_array() {
            sum += lane;
        }
        sum
    }
}

impl<const P: usize> Group<P> {
    #[inline(always)]
    fn swaps_with<S: Isa>(&self, isa: S) -> (S::U64x4, S::U64x4) {
        let mut planes = [Four::<S>(isa.splat_u64(0)); P];
        for (to, from) in planes.iter_mut().zip(&self.planes) {
            *to = Four(isa.u64x4(from));
        }
        let mut coloured = planes[0];
        for &plane in &planes[1..] {
            coloured = coloured | plane;
        }
        let free = coloured.and_not(Four(isa.u64x4(&self.locked)));
        let (right, down) = swaps_with(isa, &planes, coloured);
        ((right & free & free.at::<1, 0>()).0, (down & free & free.at::<0, 1>()).0)
    }
}

/// The legal swaps of four boards whose coloured cells are all free.
#[inline(always)]
pub(crate) fn swaps_with<S: Isa, const P: usize>(
    isa: S,
    planes: &[Four<S>; P],
    coloured: Four<S>,
) -> (Four<S>, Four<S>) {
    let (below, below2) = (Four(isa.splat_u64(HAS_BELOW)), Four(isa.splat_u64(HAS_BELOW2)));
    Equal::new(planes, coloured, coloured & below, coloured & below2).swaps()
}

/// The same of four full boards, and which of their cells start a run.
#[inline(always)]
pub(crate) fn swaps_of_full_with<S: Isa, const P: usize>(
    isa: S,
    planes: &[Four<S>; P],
) -> (Four<S>, Four<S>, Four<S>) {
    let all = Four(isa.splat_u64(u64::MAX));
    let (below, below2) = (Four(isa.splat_u64(HAS_BELOW)), Four(isa.splat_u64(HAS_BELOW2)));
    let equal = Equal::new(planes, all, below, below2);
    let (right, down) = equal.swaps();
    let starts = (equal.right & equal.right2) | (equal.down & equal.down2);
    (right, down, starts)
}
