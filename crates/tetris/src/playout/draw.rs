//! Draws one of a piece's reachable placements uniformly.
//!
//! ```text
//! center = a random one of all resting centers, reached or not
//! if the stack is below the spawn and center is reached from the sky by a fall, or by a fall, one
//!     move to the side and a fall: return center                                       // most draws
//! if the stack is next to the spawn and center is reached by a turn at the spawn, moves to one side
//!     and a fall: return center
//! search the reachable centers
//! if center is one of them: return center
//! return a random one of the reachable centers
//! ```

use crate::location::Location;
use crate::movegen::bitboard::{Bitboard, RowBlock};
use crate::movegen::search;
use crate::piece::{Orientation, Piece};
use crate::placement::SpinMode;
use bitcore::{Isa, Rng};

/// A location of a piece: the index of its canonical orientation, and the column and row of its
/// center.
#[derive(Clone, Copy)]
pub(crate) struct Center {
    pub(crate) orientation: usize,
    pub(crate) x: usize,
    pub(crate) y: u32,
}

impl Center {
    #[inline(always)]
    pub(super) fn lowest_row(self, piece: Piece) -> u32 {
        self.y.wrapping_add_signed(piece.shape(Orientation::ALL[self.orientation]).bottom)
    }
}

/// Draws one of a piece's placements, reached from the cell `spawn` or, without one, from the sky.
/// Returns `None` if the spawn is blocked. All resting centers must be in the lowest `16 * M` rows.
#[inline(always)]
pub(super) fn draw<S: Isa, B: RowBlock<Token = S::Shared>, const N: usize, const M: usize>(
    isa: S,
    field: &Bitboard<B, N>,
    spawn: Option<&Bitboard<B, N>>,
    piece: Piece,
    rng: &mut Rng,
) -> Option<Center> {
    let maps = search::collision_maps(isa.shared(), field, piece);
    if let Some(spawn) = spawn
        && spawn.and(maps.free[0]).is_zero()
    {
        return None;
    }
    let drawn = CenterMaps::<M>::new(&maps.resting).draw(isa, rng)?;
    let settled = if spawn.is_none() {
        is_reached_from_sky(&maps.free[drawn.orientation], drawn)
    } else {
        is_reached_from_spawn(&maps.free, piece, drawn)
    };
    if settled {
        return Some(drawn);
    }
    isa.call5(
        field,
        spawn,
        piece,
        drawn,
        rng,
        #[inline(always)]
        move |field, spawn, piece, drawn, rng| {
            let reachable = search::search_piece::<search::Maps, _, _>(
                isa.shared(),
                field,
                spawn,
                search::Below::Floor,
                piece,
                SpinMode::Ignore.into(),
            )?;
            let reached = CenterMaps::<M>::new(&reachable.no_spin);
            if reached.contains(drawn) { Some(drawn) } else { reached.draw(isa, rng) }
        },
    )
}

/// Returns `true` if a free center is reached from the sky by a straight fall, or by a fall in a
/// neighboring column, one move to the side, and a fall.
#[inline(always)]
pub(crate) fn is_reached_from_sky<B: RowBlock, const N: usize>(
    free: &Bitboard<B, N>,
    center: Center,
) -> bool {
    let x = center.x;
    let above = (1u64 << (Bitboard::<B, N>::ROWS - 1 - center.y)) - 1;
    let blocked = !free.column(x) & above;
    // From this row down, counted from the top, a piece falls freely to the center.
    let from = u64::BITS - blocked.leading_zeros();
    let left = free.column(if x == 0 { 11 } else { x - 1 }).trailing_ones();
    let right = free.column(x + 1).trailing_ones();
    from == 0 || left.max(right) > from
}

/// Returns `true` if a free center is reached by a turn at the spawn, moves to one side, and a
/// fall. The spawn must be free.
#[inline(always)]
pub(crate) fn is_reached_from_spawn<B: RowBlock, const N: usize>(
    free: &[Bitboard<B, N>; 4],
    piece: Piece,
    center: Center,
) -> bool {
    const EAST: usize = Orientation::East as usize;
    const SOUTH: usize = Orientation::South as usize;
    const WEST: usize = Orientation::West as usize;
    let Center { orientation, x, y } = center;
    let here = row_of_spawn(&free[orientation]);
    let spawn = Location::SPAWN_X as u32;
    // The ends of both rotations' first kicks, if they fit. For I, S and Z, west counts as east,
    // one column to the left.
    let starts = match (piece, orientation) {
        (Piece::I, EAST) => [spawn, spawn + 1],
        (Piece::S | Piece::Z, EAST) => [spawn - 1, spawn],
        _ => [spawn; 2],
    };
    // South takes two turns.
    let turned = orientation != SOUTH
        || (row_of_spawn(&free[EAST]) | row_of_spawn(&free[WEST])) >> spawn & 1 == 1;
    let slid = starts.into_iter().any(|start| {
        let left = start.min(x as u32);
        let right = start.max(x as u32);
        let path = (2 << right) - (1 << left);
        here & path == path
    });
    let rows = Bitboard::<B, N>::ROWS - 1;
    let fall = (2u64 << (rows - y)).wrapping_sub(1 << (rows - Location::SPAWN_Y as u32));
    turned && slid && y <= Location::SPAWN_Y as u32 && free[orientation].column(x) & fall == fall
}

/// Returns a mask of the columns whose cell in the spawn row is in the bitboard.
#[inline(always)]
fn row_of_spawn<B: RowBlock, const N: usize>(field: &Bitboard<B, N>) -> u32 {
    let (block, part) = if N == 1 { (0, 1) } else { (1, 0) };
    let mut row = 0;
    for (word, x) in field.0[block].packed_rows(part).into_iter().zip([0, 4, 8]) {
        // The product collects bits 0, 16, 32 and 48 in its highest bits.
        let cells = word >> (31 - Location::SPAWN_Y) & 0x0001_0001_0001_0001;
        row |= (cells.wrapping_mul(0x0001_0002_0004_0008) >> 48 & 15) << x;
    }
    row as u32
}

/// The centers of a piece by orientation and by groups of sixteen rows from the floor, four columns
/// per word.
#[derive(Clone, Copy)]
pub(crate) struct CenterMaps<const M: usize>([[[u64; 3]; M]; 4]);

impl<const M: usize> CenterMaps<M> {
    /// Orientations without a distinct shape have empty maps.
    #[inline(always)]
    pub(crate) fn new<B: RowBlock, const N: usize>(maps: &[Bitboard<B, N>; 4]) -> Self {
        let mut words = [[[0; 3]; M]; 4];
        for (words, map) in words.iter_mut().zip(maps) {
            for (i, words) in words.iter_mut().enumerate() {
                // A group of rows is a block, or part of a tall block.
                let (block, part) = if N == 1 { (0, i) } else { (i, 0) };
                *words = map.0[block].packed_rows(part);
            }
        }
        Self(words)
    }

    /// Returns the number of centers of each orientation.
    #[inline(always)]
    pub(crate) fn counts(&self) -> [u32; 4] {
        let mut counts = [0; 4];
        for (count, words) in counts.iter_mut().zip(&self.0) {
            for word in words.as_flattened() {
                *count += word.count_ones();
            }
        }
        counts
    }

    /// Draws a center uniformly. Returns `None` if there is none.
    #[inline(always)]
    fn draw<S: Isa>(&self, isa: S, rng: &mut Rng) -> Option<Center> {
        let counts = self.counts();
        let all = counts.iter().sum();
        if all == 0 {
            return None;
        }
        Some(self.nth(isa, counts, rng.below(all)))
    }

    /// Returns center `k`, numbered by orientation, group of rows, column, and from the top down.
    #[inline(always)]
    pub(crate) fn nth<S: Isa>(&self, isa: S, counts: [u32; 4], k: u32) -> Center {
        // Sums and comparisons instead of branches: on random numbers, those would be mispredicted.
        let mut orientation = 0;
        let mut before = 0;
        let mut sum = 0;
        for count in &counts[..3] {
            sum += count;
            let beyond = k >= sum;
            orientation += usize::from(beyond);
            before = if beyond { sum } else { before };
        }
        let k = k - before;
        let words = self.0[orientation].as_flattened();
        let mut at = 0;
        let mut before = 0;
        let mut sum = 0;
        for word in &words[..3 * M - 1] {
            sum += word.count_ones();
            let beyond = k >= sum;
            at += usize::from(beyond);
            before = if beyond { sum } else { before };
        }
        let bit = isa.select(words[at], k - before);
        let x = at % 3 * 4 + (bit / 16) as usize;
        Center { orientation, x, y: 16 * (at / 3) as u32 + 15 - bit % 16 }
    }

    #[inline(always)]
    fn contains(&self, center: Center) -> bool {
        let Center { orientation, x, y } = center;
        let word = self.0[orientation][y as usize / 16][x / 4];
        word >> (x % 4 * 16 + 15 - y as usize % 16) & 1 == 1
    }
}
