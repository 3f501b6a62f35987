//! [`Boards32`]: 32 boards in byte lanes, slid by one kernel.

use crate::board::{Board, Size};
use crate::slide::Direction;
use bitcore::{Bytes, Isa, Lanes, Level, SetBits, U16s, U64s, dispatch};

/// 32 boards of one size, lane by lane: lane i of a cell's group is board i's rank there.
///
/// A slide is then a fixed sequence of compares and blends per line, without a branch or a table, the same for any
/// line length and any rank.
///
/// ```
/// use g2048::{Board, Boards32, Direction};
/// let boards: [Board; 2] = ["2 2 \n . 4".parse()?, "2 4 \n 8 2".parse()?];
/// let lanes = Boards32::from_boards(&boards).unwrap();
/// let left = lanes.slide(Direction::Left);
/// assert_eq!(left.boards.board(0), "4 . \n 4 .".parse()?);
/// assert_eq!((left.gains[0], left.gains[1]), (4, 0));
/// assert_eq!(left.changed, 0b01);
/// # Ok::<_, g2048::ParseBoardError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Boards32 {
    size: Size,
    /// The groups of the cells, row by row; zeros behind the last cell.
    cells: [[u8; 32]; 64],
}

/// Why boards don't fit into one [`Boards32`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected 1 to 32 boards of one size")]
pub struct Boards32Error;

/// What a slide makes of 32 boards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slides {
    /// The boards after the slide.
    pub boards: Boards32,
    /// Each board's gain: the sum of its merged tiles' new values.
    pub gains: [u64; 32],
    /// Bit i = board i changed.
    pub changed: u32,
}

impl Boards32 {
    /// 32 empty boards.
    pub const fn empty(size: Size) -> Self {
        Self { size, cells: [[0; 32]; 64] }
    }

    /// These boards in the first lanes, empty boards in the rest.
    ///
    /// # Errors
    ///
    /// If there are none, more than 32, or boards of several sizes.
    pub fn from_boards(boards: &[Board]) -> Result<Self, Boards32Error> {
        let size = boards.first().ok_or(Boards32Error)?.size();
        if boards.len() > 32 || boards.iter().any(|board| board.size() != size) {
            return Err(Boards32Error);
        }
        let mut lanes = Self::empty(size);
        for (lane, board) in boards.iter().enumerate() {
            lanes.set(lane, board);
        }
        Ok(lanes)
    }

    /// The boards' size.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The board of a lane.
    ///
    /// # Panics
    ///
    /// If `lane` is 32 or more.
    pub fn board(&self, lane: usize) -> Board {
        Board::from_fn(self.size, |cell| self.cells[cell][lane])
    }

    /// Puts a board of this size into a lane.
    pub(crate) fn set(&mut self, lane: usize, board: &Board) {
        debug_assert_eq!(board.size(), self.size);
        for (group, &rank) in self.cells.iter_mut().zip(board.ranks()) {
            group[lane] = rank;
        }
    }

    /// The groups of the board's cells, row by row.
    #[inline(always)]
    pub(crate) fn groups(&self) -> &[[u8; 32]] {
        &self.cells[..self.size.cells()]
    }

    /// The groups of the board's cells, row by row, to be changed.
    #[inline(always)]
    pub(crate) fn groups_mut(&mut self) -> &mut [[u8; 32]] {
        &mut self.cells[..self.size.cells()]
    }

    /// Slides every board the same way; each as [`Board::slide`] does.
    pub fn slide(&self, direction: Direction) -> Slides {
        let mut slides = Slides::new(self.size);
        self.slide_into(direction, &mut slides);
        slides
    }

    /// [`slide`](Self::slide) without the gains, into boards that were made before, whatever they hold. Returns which
    /// boards changed: bit i = board i.
    ///
    /// ```
    /// use g2048::{Board, Boards32, Direction, Size};
    /// let lanes = Boards32::from_boards(&["2 2 \n . 4".parse()?])?;
    /// let mut left = Boards32::empty(lanes.size());
    /// assert_eq!(lanes.slide_boards(Direction::Left, &mut left), 0b1);
    /// assert_eq!(left.board(0), "4 . \n 4 .".parse()?);
    /// # Ok::<_, Box<dyn core::error::Error>>(())
    /// ```
    pub fn slide_boards(&self, direction: Direction, to: &mut Self) -> u32 {
        dispatch!(isa => slide_boards_with(isa, self, direction, to))
    }

    /// [`slide`](Self::slide) into slides that were made before, whatever they hold.
    pub fn slide_into(&self, direction: Direction, slides: &mut Slides) {
        dispatch!(isa => slide_into_with(isa, self, direction, slides));
    }
}

impl Slides {
    /// Of 32 empty boards.
    pub const fn new(size: Size) -> Self {
        Self { boards: Boards32::empty(size), gains: [0; 32], changed: 0 }
    }
}

/// [`Boards32::slide_boards`] on the instruction set of a token.
#[doc(hidden)]
#[inline(always)]
pub fn slide_boards_with<S: Isa>(isa: S, boards: &Boards32, direction: Direction, to: &mut Boards32) -> u32 {
    if to.size != boards.size {
        *to = Boards32::empty(boards.size);
    }
    slide_groups_with(isa, boards, direction, to, &mut ())
}

/// [`Boards32::slide_into`] on the instruction set of a token.
#[doc(hidden)]
#[inline(always)]
pub fn slide_into_with<S: Isa>(isa: S, boards: &Boards32, direction: Direction, slides: &mut Slides) {
    if slides.boards.size != boards.size {
        slides.boards = Boards32::empty(boards.size);
    }
    let mut gains = Gains::new(isa);
    slides.changed = slide_groups_with(isa, boards, direction, &mut slides.boards, &mut gains);
    slides.gains = gains.points(isa);
}

/// What is made of the merges of a slide.
pub(crate) trait Score<S: Isa> {
    /// Adds new tiles, given by rank; 0 where there is none.
    fn add(&mut self, isa: S, merged: S::U8x32);
}

/// Nothing.
impl<S: Isa> Score<S> for () {
    #[inline(always)]
    fn add(&mut self, _: S, _: S::U8x32) {}
}

/// Each lane's sum of the new tiles, one tile after the other.
impl<S: Isa> Score<S> for [u64; 32] {
    #[inline(always)]
    fn add(&mut self, _: S, merged: S::U8x32) {
        add_tiles(self, merged.to_array(), !merged.zero_mask());
    }
}

/// Adds the tiles of some lanes, given by rank.
#[inline(always)]
fn add_tiles(gains: &mut [u64; 32], ranks: [u8; 32], lanes: u32) {
    for lane in SetBits(lanes.into()) {
        gains[lane as usize] += 1 << ranks[lane as usize];
    }
}

/// Each lane's sum of the new tiles, by table for the ranks of nearly all merges and one by one for the rest.
#[derive(Clone, Copy)]
pub(crate) struct Gains<S: Isa> {
    /// A quarter of the new tiles of up to 2^[`RANK`](Self::RANK): the sums of the low bytes of the even lanes, ..
    even: S::U16x16,
    /// .. of the odd lanes, ..
    odd: S::U16x16,
    /// .. and the sums of the high bytes.
    high: S::U8x32,
    /// The larger new tiles.
    large: [u64; 32],
}

impl<S: Isa> Gains<S> {
    /// A move merges at most 32 pairs, so quarters of tiles up to this rank sum up to 32 * 2^10 at most: 16 bits.
    const RANK: u8 = 12;

    /// No gain in any lane.
    #[inline(always)]
    pub(crate) fn new(isa: S) -> Self {
        let zero = isa.u64s_as_u16s(isa.splat_u64(0));
        Self { even: zero, odd: zero, high: isa.splat_u8(0), large: [0; 32] }
    }

    #[cold]
    fn add_large(gains: &mut [u64; 32], ranks: [u8; 32]) {
        let large = |lane: &usize| ranks[*lane] > Self::RANK;
        add_tiles(gains, ranks, (0..32).filter(large).fold(0, |lanes, lane| lanes | 1 << lane));
    }

    /// The sums.
    #[inline(always)]
    pub(crate) fn points(self, isa: S) -> [u64; 32] {
        let high = isa.u64s_as_u16s(isa.bytes_as_u64s(self.high));
        let even = (self.even + high.shl::<8>()).to_array();
        let odd = (self.odd + high.shr::<8>().shl::<8>()).to_array();
        let mut points = self.large;
        for (k, pair) in points.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            pair[0] += 4 * u64::from(even[k]);
            pair[1] += 4 * u64::from(odd[k]);
        }
        points
    }
}

/// A quarter of the tile of each rank below 16, one of its two bytes, for either half of a shuffle.
const fn quarters(byte: usize) -> [u8; 32] {
    let mut table = [0; 32];
    let mut i = 0;
    while i < 32 {
        if i % 16 >= 2 {
            table[i] = (1u16 << (i % 16 - 2)).to_le_bytes()[byte];
        }
        i += 1;
    }
    table
}

impl<S: Isa> Score<S> for Gains<S> {
    #[inline(always)]
    fn add(&mut self, isa: S, mut merged: S::U8x32) {
        const QUARTERS: [[u8; 32]; 2] = [quarters(0), quarters(1)];
        // A table in memory is slower than one tile after the other.
        if !S::REAL_LANES {
            self.large.add(isa, merged);
            return;
        }
        let small = merged.min(isa.splat_u8(Self::RANK));
        if !(merged ^ small).is_zero() {
            Self::add_large(&mut self.large, merged.to_array());
            merged = merged & merged.lanes_eq(small);
        }
        let low = isa.u64s_as_u16s(isa.bytes_as_u64s(isa.u8x32(&QUARTERS[0]).shuffle(merged)));
        self.even = self.even + low.shl::<8>().shr::<8>();
        self.odd = self.odd + low.shr::<8>();
        self.high = self.high + isa.u8x32(&QUARTERS[1]).shuffle(merged);
    }
}

/// Slides `from` into `to`, of the same size, and returns the mask of the boards that changed.
#[inline(always)]
fn slide_groups_with<S: Isa, G: Score<S>>(
    isa: S,
    from: &Boards32,
    direction: Direction,
    to: &mut Boards32,
    score: &mut G,
) -> u32 {
    debug_assert_eq!(from.size, to.size);
    // The length as a constant keeps a line in registers.
    match direction.lines(from.size).1 {
        2 => slide_lines::<S, G, 2>(isa, from, direction, to, score),
        3 => slide_lines::<S, G, 3>(isa, from, direction, to, score),
        4 => slide_lines::<S, G, 4>(isa, from, direction, to, score),
        5 => slide_lines::<S, G, 5>(isa, from, direction, to, score),
        6 => slide_lines::<S, G, 6>(isa, from, direction, to, score),
        7 => slide_lines::<S, G, 7>(isa, from, direction, to, score),
        _ => slide_lines::<S, G, 8>(isa, from, direction, to, score),
    }
}

/// The first cell of a line, and the step from each cell to the next.
#[inline(always)]
fn line_of(size: Size, direction: Direction, line: usize) -> (usize, usize) {
    let first = direction.cell(size, line, 0);
    (first, direction.cell(size, line, 1).wrapping_sub(first))
}

/// The groups of a line of `N` cells.
#[inline(always)]
fn load_line<S: Isa, const N: usize>(
    isa: S,
    boards: &Boards32,
    (first, stride): (usize, usize),
) -> [S::U8x32; N] {
    let mut line = [isa.splat_u8(0); N];
    for (k, group) in line.iter_mut().enumerate() {
        *group = isa.u8x32(&boards.cells[first.wrapping_add(k.wrapping_mul(stride))]);
    }
    line
}

/// [`slide_groups_with`] for lines of `N` cells.
#[inline(always)]
fn slide_lines<S: Isa, G: Score<S>, const N: usize>(
    isa: S,
    from: &Boards32,
    direction: Direction,
    to: &mut Boards32,
    score: &mut G,
) -> u32 {
    let mut difference = isa.splat_u8(0);
    for i in 0..direction.lines(from.size).0 {
        let (first, stride) = line_of(from.size, direction, i);
        let before = load_line::<S, N>(isa, from, (first, stride));
        let mut line = before;
        close_up(isa, &mut line);
        merge(isa, &mut line, score);
        for k in 0..N {
            difference = difference | (before[k] ^ line[k]);
            to.cells[first.wrapping_add(k.wrapping_mul(stride))] = line[k].to_array();
        }
    }
    !difference.zero_mask()
}

/// Slides each board in the direction that is chosen for it, one at most. Boards without one must be empty.
///
/// Too big to inline wherever it is used.
#[inline(never)]
pub(crate) fn slide_chosen<S: Isa, G: Score<S>>(
    isa: S,
    boards: &mut Boards32,
    chosen: &[[u8; 32]; 4],
    score: &mut G,
) {
    isa.enter(
        #[inline(always)]
        || slide_chosen_with(isa, boards, chosen, score),
    );
}

/// [`slide_chosen`], inlined. Boards that slide to the far wall of their lines are mirrored before and after; where
/// boards are square, those that slide along columns are transposed before and after, so that all slide at once.
#[inline(always)]
fn slide_chosen_with<S: Isa, G: Score<S>>(
    isa: S,
    boards: &mut Boards32,
    chosen: &[[u8; 32]; 4],
    score: &mut G,
) {
    let [left, right, up, down] = chosen;
    let (left, right) = (isa.u8x32(left), isa.u8x32(right));
    let (up, down) = (isa.u8x32(up), isa.u8x32(down));
    if boards.size.width() == boards.size.height() {
        transpose_with(isa, boards, up | down);
        slide_axis_with(isa, boards, Direction::Left, isa.splat_u8(0xff), right | down, score);
        transpose_with(isa, boards, up | down);
    } else {
        slide_axis_with(isa, boards, Direction::Left, left | right, right, score);
        slide_axis_with(isa, boards, Direction::Up, up | down, down, score);
    }
}

/// Mirrors some of 32 square boards at the main diagonal.
#[inline(always)]
fn transpose_with<S: Isa>(isa: S, boards: &mut Boards32, lanes: S::U8x32) {
    let side = boards.size.width();
    for y in 0..side {
        for x in 0..y {
            let (a, b) = (y * side + x, x * side + y);
            let (first, second) = (isa.u8x32(&boards.cells[a]), isa.u8x32(&boards.cells[b]));
            boards.cells[a] = lanes.blend_lanes(second, first).to_array();
            boards.cells[b] = lanes.blend_lanes(first, second).to_array();
        }
    }
}

/// Slides the boards of some lanes along one axis: to the wall of `near`, or where `far` is set to the opposite one.
#[inline(always)]
fn slide_axis_with<S: Isa, G: Score<S>>(
    isa: S,
    boards: &mut Boards32,
    near: Direction,
    lanes: S::U8x32,
    far: S::U8x32,
    score: &mut G,
) {
    match near.lines(boards.size).1 {
        2 => slide_axis::<S, G, 2>(isa, boards, near, lanes, far, score),
        3 => slide_axis::<S, G, 3>(isa, boards, near, lanes, far, score),
        4 => slide_axis::<S, G, 4>(isa, boards, near, lanes, far, score),
        5 => slide_axis::<S, G, 5>(isa, boards, near, lanes, far, score),
        6 => slide_axis::<S, G, 6>(isa, boards, near, lanes, far, score),
        7 => slide_axis::<S, G, 7>(isa, boards, near, lanes, far, score),
        _ => slide_axis::<S, G, 8>(isa, boards, near, lanes, far, score),
    }
}

/// [`slide_axis_with`] for lines of `N` cells.
#[inline(always)]
fn slide_axis<S: Isa, G: Score<S>, const N: usize>(
    isa: S,
    boards: &mut Boards32,
    near: Direction,
    lanes: S::U8x32,
    far: S::U8x32,
    score: &mut G,
) {
    for i in 0..near.lines(boards.size).0 {
        let (first, stride) = line_of(boards.size, near, i);
        let before = load_line::<S, N>(isa, boards, (first, stride));
        let mut line = before;
        // What isn't there doesn't merge.
        for group in &mut line {
            *group = *group & lanes;
        }
        mirror::<S, N>(&mut line, far);
        close_up(isa, &mut line);
        merge(isa, &mut line, score);
        mirror::<S, N>(&mut line, far);
        for k in 0..N {
            boards.cells[first + k * stride] = lanes.blend_lanes(line[k], before[k]).to_array();
        }
    }
}

/// Turns a line round in some lanes.
#[inline(always)]
fn mirror<S: Isa, const N: usize>(line: &mut [S::U8x32; N], lanes: S::U8x32) {
    for k in 0..N / 2 {
        let (near, far) = (line[k], line[N - 1 - k]);
        line[k] = lanes.blend_lanes(far, near);
        line[N - 1 - k] = lanes.blend_lanes(near, far);
    }
}

/// One line of 32 boards, the cell at the wall first, loses its gaps. From the far end to the wall: where a cell is
/// empty, all behind it move up by one; what is behind it is closed up already, so one step is enough.
#[inline(always)]
fn close_up<S: Isa, const N: usize>(isa: S, line: &mut [S::U8x32; N]) {
    for i in (0..N - 1).rev() {
        let empty = line[i].lanes_eq(isa.splat_u8(0));
        line[i] = line[i] | (line[i + 1] & empty);
        move_up::<S, N>(line, i + 1, empty);
    }
}

/// Merges the pairs of a line without gaps. From the wall outward: where a cell equals the next one it takes the next
/// rank, and all behind move up. That cell isn't looked at again: no tile merges twice.
#[inline(always)]
fn merge<S: Isa, G: Score<S>, const N: usize>(isa: S, line: &mut [S::U8x32; N], score: &mut G) {
    for i in 0..N - 1 {
        let equal = line[i].lanes_eq(line[i + 1]).and_not(line[i].lanes_eq(isa.splat_u8(0)));
        // A lane mask is -1.
        line[i] = line[i] - equal;
        score.add(isa, line[i] & equal);
        move_up::<S, N>(line, i + 1, equal);
    }
}

/// Under the lane mask, cells `from..` take the next cell's rank and the last one becomes empty.
#[inline(always)]
fn move_up<S: Isa, const N: usize>(line: &mut [S::U8x32; N], from: usize, mask: S::U8x32) {
    for i in from..N - 1 {
        line[i] = mask.blend_lanes(line[i + 1], line[i]);
    }
    line[N - 1] = line[N - 1].and_not(mask);
}

/// Neighbours of a line, `near` nearer to the first wall: adds to the lane masks of the boards that can slide towards
/// that wall, and away from it.
#[inline(always)]
fn look_with<S: Isa>(isa: S, near: S::U8x32, far: S::U8x32, legal: &mut [S::U8x32; 2]) {
    let [no_near, no_far] = [near.lanes_eq(isa.splat_u8(0)), far.lanes_eq(isa.splat_u8(0))];
    let equal = near.lanes_eq(far);
    legal[0] = legal[0] | (equal | no_near).and_not(no_far);
    legal[1] = legal[1] | (equal | no_far).and_not(no_near);
}

impl Boards32 {
    /// The lane masks of the boards that each of [`Direction::ALL`] changes.
    #[inline(always)]
    pub(crate) fn legal_with<S: Isa>(&self, isa: S) -> [S::U8x32; 4] {
        let (width, height) = (self.size.width(), self.size.height());
        let mut across = [isa.splat_u8(0); 2];
        let mut along = across;
        for y in 0..height {
            for x in 0..width {
                let group = isa.u8x32(&self.cells[y * width + x]);
                if x > 0 {
                    look_with(isa, isa.u8x32(&self.cells[y * width + x - 1]), group, &mut across);
                }
                if y > 0 {
                    look_with(isa, isa.u8x32(&self.cells[(y - 1) * width + x]), group, &mut along);
                }
            }
        }
        [across[0], across[1], along[0], along[1]]
    }

    /// How many cells of each board are empty.
    #[inline(always)]
    pub(crate) fn empty_with<S: Isa>(&self, isa: S) -> S::U8x32 {
        let mut empty = isa.splat_u8(0);
        if !S::REAL_LANES {
            // Eight lanes a word: a rank other than 0 carries into its byte's top bit.
            let (carry, one) = (isa.splat_u64(0x7f7f_7f7f_7f7f_7f7f), isa.splat_u64(0x0101_0101_0101_0101));
            let mut full = isa.splat_u64(0);
            for group in self.groups() {
                full = full + ((isa.bytes_as_u64s(isa.u8x32(group)) + carry).shr::<7>() & one);
            }
            return isa.splat_u8(self.size.cells() as u8) - isa.u64s_as_bytes(full);
        }
        for group in self.groups() {
            // A lane mask is -1.
            empty = empty - isa.u8x32(group).lanes_eq(isa.splat_u8(0));
        }
        empty
    }

    /// Adds, lane by lane, a rank to the `nth` empty cell; rank 0 changes nothing.
    #[inline(always)]
    pub(crate) fn spawn_with<S: Isa>(&mut self, isa: S, nth: S::U8x32, ranks: S::U8x32) {
        let zero = isa.splat_u8(0);
        let mut left = nth;
        for group in self.groups_mut() {
            let before = isa.u8x32(group);
            let empty = before.lanes_eq(zero);
            *group = (before | (ranks & empty & left.lanes_eq(zero))).to_array();
            // Behind the cell that was hit this wraps to 255, and 64 cells don't bring it back to 0.
            left = left + empty;
        }
    }

    /// [`write_rows_with`](Self::write_rows_with), not inlined.
    #[inline(never)]
    pub(crate) fn write_rows<S: Isa>(&self, isa: S, rows: &mut [u8]) {
        isa.enter(
            #[inline(always)]
            || self.write_rows_with(isa, rows),
        );
    }

    /// Writes the boards of the first lanes as rows of a byte a cell, as many as there is room for.
    #[inline(always)]
    fn write_rows_with<S: Isa>(&self, isa: S, rows: &mut [u8]) {
        let cells = self.size.cells();
        if cells < 8 {
            for (lane, row) in rows.chunks_exact_mut(cells).enumerate() {
                for (rank, group) in row.iter_mut().zip(&self.cells) {
                    *rank = group[lane];
                }
            }
            return;
        }
        // Eight cells at a time; the last eight overlap those before if need be.
        for block in 0..cells.div_ceil(8) {
            let first = (8 * block).min(cells - 8);
            let mut groups = [isa.splat_u64(0); 8];
            for (k, group) in groups.iter_mut().enumerate() {
                *group = isa.bytes_as_u64s(isa.u8x32(&self.cells[first + k]));
            }
            transpose_bytes_with(isa, &mut groups);
            for (t, group) in groups.into_iter().enumerate() {
                for (j, word) in group.to_array().into_iter().enumerate() {
                    let at = (8 * j + t) * cells + first;
                    if let Some(row) = rows.get_mut(at..at + 8) {
                        row.copy_from_slice(&word.to_le_bytes());
                    }
                }
            }
        }
    }
}

/// Eight groups of words as four matrices of 8 x 8 bytes, each transposed: byte k of a lane of `groups[t]` and byte t of
/// that lane of `groups[k]` change places.
#[inline(always)]
fn transpose_bytes_with<S: Isa>(isa: S, groups: &mut [S::U64x4; 8]) {
    exchange_with::<S, 8>(isa.splat_u64(0xff00_ff00_ff00_ff00), groups, 1);
    exchange_with::<S, 16>(isa.splat_u64(0xffff_0000_ffff_0000), groups, 2);
    exchange_with::<S, 32>(isa.splat_u64(0xffff_ffff_0000_0000), groups, 4);
}

/// One step of [`transpose_bytes_with`]: the upper fields of a group, marked by a lane mask of bytes, for the lower ones
/// of the group `distance` behind it.
#[inline(always)]
fn exchange_with<S: Isa, const SHIFT: i32>(upper: S::U64x4, groups: &mut [S::U64x4; 8], distance: usize) {
    for t in 0..8 {
        if t & distance == 0 {
            let (a, b) = (groups[t], groups[t + distance]);
            groups[t] = upper.blend_lanes(b.shl::<SHIFT>(), a);
            groups[t + distance] = upper.blend_lanes(b, a.shr::<SHIFT>());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use bitcore::{Rng, dispatch};

    /// Points of 32 boards, each slid in a direction of its own.
    #[inline(always)]
    fn play_with<S: Isa>(isa: S, boards: &mut Boards32, chosen: &[[u8; 32]; 4]) -> [u64; 32] {
        let mut gains = Gains::new(isa);
        slide_chosen(isa, boards, chosen, &mut gains);
        gains.points(isa)
    }

    /// Ranks that the table of [`Gains`] holds, ranks that it doesn't, and both beside each other: games that are played
    /// from the start don't get that far.
    #[test]
    fn each_board_slides_its_own_way() {
        let mut rng = Rng::new(7);
        for case in 0..testkit::cases(2000) {
            let size = Size::all().nth(case as usize % 49).unwrap();
            let (least, kinds) =
                [(1, 2), (1, 4), (9, 3), (11, 2), (12, 1), (12, 2), (1, 50)][rng.below(7) as usize];
            let empty = rng.below(60);
            let boards: Vec<Board> = (0..32)
                .map(|_| {
                    Board::from_fn(size, |_| {
                        if rng.below(100) < empty { 0 } else { (least + rng.below(kinds)) as u8 }
                    })
                })
                .collect();
            let ways: Vec<usize> = (0..32).map(|_| rng.below(4) as usize).collect();
            let mut chosen = [[0; 32]; 4];
            for (lane, &way) in ways.iter().enumerate() {
                chosen[way][lane] = 0xff;
            }
            let before = Boards32::from_boards(&boards).unwrap();
            for level in Level::all() {
                let mut after = before.clone();
                let points = dispatch!(level, isa => play_with(isa, &mut after, &chosen));
                for (lane, (board, &way)) in boards.iter().zip(&ways).enumerate() {
                    let expected = board.slide(Direction::ALL[way]);
                    assert_eq!(after.board(lane), expected.board, "{level}, {way} of {board:?}");
                    assert_eq!(points[lane], expected.gain, "{level}, {way} of {board:?}");
                }
            }
        }
    }
}
