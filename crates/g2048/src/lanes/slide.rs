//! Slides of [`Boards32`]: all boards in the same direction, or each board in its own.
//!
//! If the directions differ, each board is first turned until one line kernel can slide them all:
//!
//! ```text
//! square boards                               other boards, once per axis
//!   transpose the boards going up or down       clear the lanes of boards going along the other axis
//!   reverse the lines going right or down       reverse the lines going right or down
//!   slide all lines left                        slide all lines left (or up)
//!   reverse the same lines back                 reverse the same lines back
//!   transpose the same boards back              restore the cleared lanes
//! ```
//!
//! With vector registers the line length is a constant, to keep lines in registers. Without them,
//! one instance handles lines of up to four cells and another handles longer lines.

use super::boards::{Boards32, Slides};
use super::gains::{GainSums, MergeSink};
use super::line::{slide_line, slide_line_bytes};
use crate::board::Size;
use crate::direction::Direction;
use bitcore::{Bytes, Isa, Lanes, dispatch};
use core::slice::{from_mut, from_ref};

impl Boards32 {
    /// Slides every board in the same direction, like [`Board::slide`](crate::Board::slide).
    pub fn slide(&self, direction: Direction) -> Slides {
        let mut slides = Slides::new(self.size);
        self.slide_into(direction, &mut slides);
        slides
    }

    /// Slides every board into `slides`, overwriting its contents; see [`slide`](Self::slide).
    pub fn slide_into(&self, direction: Direction, slides: &mut Slides) {
        Self::slide_all_into(from_ref(self), direction, from_mut(slides));
    }

    /// Slides `boards[i]` into `slides[i]` for each i, up to the length of the shorter slice; see
    /// [`slide_into`](Self::slide_into).
    ///
    /// ```
    /// use g2048::{Board, Boards32, Direction, Size, Slides};
    /// let boards: [Board; 2] = ["2 2 \n . 4".parse()?, "2 4 \n 8 2".parse()?];
    /// let lanes = boards.map(|board| Boards32::try_from(&[board][..]).unwrap());
    /// let mut slides = [Slides::new(lanes[0].size()), Slides::new(lanes[1].size())];
    /// Boards32::slide_all_into(&lanes, Direction::Left, &mut slides);
    /// assert_eq!([slides[0].gains[0], slides[1].gains[0]], [4, 0]);
    /// # Ok::<_, g2048::Error>(())
    /// ```
    pub fn slide_all_into(boards: &[Self], direction: Direction, slides: &mut [Slides]) {
        dispatch!(isa [boards, direction, slides] => slide_all_into_with(isa, boards, direction, slides));
    }

    /// Slides every board into `to`, overwriting its contents, without computing gains. Returns the
    /// mask of the boards that changed: bit i is board i.
    ///
    /// ```
    /// use g2048::{Board, Boards32, Direction, Size};
    /// let lanes = Boards32::try_from(&["2 2 \n . 4".parse()?][..])?;
    /// let mut left = Boards32::empty(lanes.size());
    /// assert_eq!(lanes.slide_boards(Direction::Left, &mut left), 0b1);
    /// assert_eq!(left.board(0), "4 . \n 4 .".parse()?);
    /// # Ok::<_, Box<dyn core::error::Error>>(())
    /// ```
    pub fn slide_boards(&self, direction: Direction, to: &mut Self) -> u32 {
        let mut changed = 0;
        Self::slide_all_boards(from_ref(self), direction, from_mut(to), from_mut(&mut changed));
        changed
    }

    /// Slides `boards[i]` into `to[i]` and writes the mask of the changed boards to `changed[i]`
    /// for each i, up to the length of the shortest slice; see
    /// [`slide_boards`](Self::slide_boards).
    pub fn slide_all_boards(
        boards: &[Self],
        direction: Direction,
        to: &mut [Self],
        changed: &mut [u32],
    ) {
        dispatch!(isa [boards, direction, to, changed] => {
            slide_all_boards_with(isa, boards, direction, to, changed);
        });
    }
}

#[inline(always)]
fn slide_all_into_with<S: Isa>(
    isa: S,
    boards: &[Boards32],
    direction: Direction,
    slides: &mut [Slides],
) {
    for (boards, slides) in boards.iter().zip(slides) {
        slides.boards.fit(boards.size);
        let mut gains = GainSums::new(isa);
        slides.changed = slide_with(isa, boards, direction, &mut slides.boards, &mut gains);
        slides.gains = gains.sums(isa);
    }
}

#[inline(always)]
fn slide_all_boards_with<S: Isa>(
    isa: S,
    boards: &[Boards32],
    direction: Direction,
    to: &mut [Boards32],
    changed: &mut [u32],
) {
    for ((boards, to), changed) in boards.iter().zip(to).zip(changed) {
        to.fit(boards.size);
        *changed = slide_with(isa, boards, direction, to, &mut ());
    }
}

/// The lines of a size that slide toward one wall.
#[derive(Clone, Copy)]
struct Lines {
    count: usize,
    length: usize,
    first: Line,
    /// The distance from each line to the next, in cells, wrapped if negative.
    step: usize,
}

impl Lines {
    #[inline(always)]
    fn new(size: Size, direction: Direction) -> Self {
        let (count, length) = direction.lines(size);
        let first = direction.cell(size, 0, 0);
        let stride = direction.cell(size, 0, 1).wrapping_sub(first);
        let step = direction.cell(size, 1, 0).wrapping_sub(first);
        Self { count, length, first: Line { first, stride }, step }
    }

    #[inline(always)]
    const fn line(&self, i: usize) -> Line {
        Line { first: self.first.first.wrapping_add(i.wrapping_mul(self.step)), ..self.first }
    }
}

#[derive(Clone, Copy)]
struct Line {
    first: usize,
    stride: usize,
}

impl Line {
    /// Returns the index of the `k`-th cell from the wall.
    #[inline(always)]
    const fn cell(self, k: usize) -> usize {
        // The remainder lets the compiler drop bounds checks.
        self.first.wrapping_add(k.wrapping_mul(self.stride)) % 64
    }

    #[inline(always)]
    fn load<S: Isa, const N: usize>(self, isa: S, boards: &Boards32) -> [S::U8x32; N] {
        let mut line = [isa.splat_u8(0); N];
        for (k, group) in line.iter_mut().enumerate() {
            *group = isa.u8x32(&boards.cells[self.cell(k)]);
        }
        line
    }
}

/// Slides `from` into `to`, which has the same size. Returns the mask of the boards that changed.
#[inline(always)]
fn slide_with<S: Isa, G: MergeSink<S>>(
    isa: S,
    from: &Boards32,
    direction: Direction,
    to: &mut Boards32,
    sink: &mut G,
) -> u32 {
    let length = direction.lines(from.size).1;
    // The compiler's vectors take fewer instructions on NEON if nothing is added up.
    if !S::HAS_SIMD || !S::FAST_BITMASK && !G::ADDS {
        return if length <= 4 {
            slide_in_memory::<S, G, 4>(isa, from, direction, to, sink)
        } else {
            slide_in_memory::<S, G, 8>(isa, from, direction, to, sink)
        };
    }
    match length {
        2 => slide_lines::<S, G, 2>(isa, from, direction, to, sink),
        3 => slide_lines::<S, G, 3>(isa, from, direction, to, sink),
        4 => slide_lines::<S, G, 4>(isa, from, direction, to, sink),
        5 => slide_lines::<S, G, 5>(isa, from, direction, to, sink),
        6 => slide_lines::<S, G, 6>(isa, from, direction, to, sink),
        7 => slide_lines::<S, G, 7>(isa, from, direction, to, sink),
        _ => slide_lines::<S, G, 8>(isa, from, direction, to, sink),
    }
}

#[inline(always)]
fn slide_lines<S: Isa, G: MergeSink<S>, const N: usize>(
    isa: S,
    from: &Boards32,
    direction: Direction,
    to: &mut Boards32,
    sink: &mut G,
) -> u32 {
    let mut changed = isa.splat_u8(0);
    let lines = Lines::new(from.size, direction);
    for i in 0..lines.count {
        let line = lines.line(i);
        let mut groups = line.load::<S, N>(isa, from);
        changed = changed | slide_line(isa, &mut groups, sink).changed;
        for (k, group) in groups.into_iter().enumerate() {
            to.cells[line.cell(k)] = group.to_array();
        }
    }
    !changed.zero_bitmask()
}

/// Slides lines of up to `N` cells in loops over bytes; see [`slide_with`].
#[inline(always)]
fn slide_in_memory<S: Isa, G: MergeSink<S>, const N: usize>(
    isa: S,
    from: &Boards32,
    direction: Direction,
    to: &mut Boards32,
    sink: &mut G,
) -> u32 {
    let lines = Lines::new(from.size, direction);
    let length = lines.length;
    let mut difference = [0; 32];
    for i in 0..lines.count {
        let line = lines.line(i);
        let mut after = [[0; 32]; N];
        let mut merged = [[0; 32]; 7];
        for (k, group) in after.iter_mut().take(length).enumerate() {
            *group = from.cells[line.cell(k)];
        }
        slide_line_bytes(&mut after, &mut merged, &mut difference);
        for (k, group) in after.iter().take(length).enumerate() {
            to.cells[line.cell(k)] = *group;
        }
        for group in merged.iter().take(length - 1) {
            sink.add(isa, isa.u8x32(group));
        }
    }
    !isa.u8x32(&difference).zero_bitmask()
}

/// Slides each board in its chosen direction and adds its gain to `gains`.
///
/// `chosen` has a lane mask for each of [`Direction::ALL`], at most one of them set per board. A
/// board without a direction stays.
#[inline(always)]
pub(crate) fn slide_chosen_with<S: Isa>(
    isa: S,
    boards: &mut Boards32,
    chosen: &[[u8; 32]; 4],
    mut gains: Option<&mut [u64; 32]>,
) {
    let [left, right, up, down] = chosen;
    let left = isa.u8x32(left);
    let right = isa.u8x32(right);
    let up = isa.u8x32(up);
    let down = isa.u8x32(down);
    let square = S::HAS_SIMD && boards.size.width() == boards.size.height();
    let axes = if square {
        let moving = left | right | up | down;
        [AxisSlide { toward: Direction::Left, moving, reversed: right | down }; 2]
    } else {
        let along = AxisSlide { toward: Direction::Left, moving: left | right, reversed: right };
        [along, AxisSlide { toward: Direction::Up, moving: up | down, reversed: down }]
    };
    if square {
        transpose_with(isa, boards, up | down);
    }
    for axis in &axes[usize::from(square)..] {
        if let Some(gains) = gains.as_deref_mut() {
            let mut sums = GainSums::new(isa);
            slide_axis_with(isa, boards, axis, &mut sums);
            for (gain, sum) in gains.iter_mut().zip(sums.sums(isa)) {
                *gain += sum;
            }
        } else {
            slide_axis_with(isa, boards, axis, &mut ());
        }
    }
    if square {
        transpose_with(isa, boards, up | down);
    }
}

#[inline(always)]
fn transpose_with<S: Isa>(isa: S, boards: &mut Boards32, lanes: S::U8x32) {
    let side = boards.size.width();
    for y in 0..side {
        for x in 0..y {
            let a = y * side + x;
            let b = x * side + y;
            let first = isa.u8x32(&boards.cells[a]);
            let second = isa.u8x32(&boards.cells[b]);
            boards.cells[a] = lanes.blend_lanes(second, first).to_array();
            boards.cells[b] = lanes.blend_lanes(first, second).to_array();
        }
    }
}

#[derive(Clone, Copy)]
struct AxisSlide<S: Isa> {
    /// The wall of the boards that aren't reversed.
    toward: Direction,
    /// The lane mask of the boards that slide along this axis.
    moving: S::U8x32,
    /// The lane mask of the boards among them that slide to the opposite wall.
    reversed: S::U8x32,
}

#[inline(always)]
fn slide_axis_with<S: Isa, G: MergeSink<S>>(
    isa: S,
    boards: &mut Boards32,
    axis: &AxisSlide<S>,
    sink: &mut G,
) {
    let length = axis.toward.lines(boards.size).1;
    if !S::HAS_SIMD {
        return if length <= 4 {
            slide_axis_in_memory::<S, G, 4>(isa, boards, axis, sink);
        } else {
            slide_axis_in_memory::<S, G, 8>(isa, boards, axis, sink);
        };
    }
    match length {
        2 => slide_axis_lines::<S, G, 2>(isa, boards, axis, sink),
        3 => slide_axis_lines::<S, G, 3>(isa, boards, axis, sink),
        4 => slide_axis_lines::<S, G, 4>(isa, boards, axis, sink),
        5 => slide_axis_lines::<S, G, 5>(isa, boards, axis, sink),
        6 => slide_axis_lines::<S, G, 6>(isa, boards, axis, sink),
        7 => slide_axis_lines::<S, G, 7>(isa, boards, axis, sink),
        _ => slide_axis_lines::<S, G, 8>(isa, boards, axis, sink),
    }
}

#[inline(always)]
fn slide_axis_lines<S: Isa, G: MergeSink<S>, const N: usize>(
    isa: S,
    boards: &mut Boards32,
    &AxisSlide { toward, moving, reversed }: &AxisSlide<S>,
    sink: &mut G,
) {
    let lines = Lines::new(boards.size, toward);
    for i in 0..lines.count {
        let line = lines.line(i);
        let before = line.load::<S, N>(isa, boards);
        let mut after = before;
        // Empties the lanes of the other axis: empty cells don't merge.
        for group in &mut after {
            *group = *group & moving;
        }
        reverse_line::<S, N>(&mut after, reversed);
        slide_line(isa, &mut after, sink);
        reverse_line::<S, N>(&mut after, reversed);
        for k in 0..N {
            boards.cells[line.cell(k)] = moving.blend_lanes(after[k], before[k]).to_array();
        }
    }
}

#[inline(always)]
fn reverse_line<S: Isa, const N: usize>(line: &mut [S::U8x32; N], lanes: S::U8x32) {
    for k in 0..N / 2 {
        let near = line[k];
        let far = line[N - 1 - k];
        line[k] = lanes.blend_lanes(far, near);
        line[N - 1 - k] = lanes.blend_lanes(near, far);
    }
}

/// Slides lines of up to `N` cells on levels without vector registers; see [`slide_axis_with`].
#[inline(always)]
fn slide_axis_in_memory<S: Isa, G: MergeSink<S>, const N: usize>(
    isa: S,
    boards: &mut Boards32,
    &AxisSlide { toward, moving, reversed }: &AxisSlide<S>,
    sink: &mut G,
) {
    let lines = Lines::new(boards.size, toward);
    let length = lines.length;
    for i in 0..lines.count {
        let line = lines.line(i);
        let mut after = [[0; 32]; N];
        let mut merged = [[0; 32]; 7];
        for (k, group) in after.iter_mut().take(length).enumerate() {
            let from_near = isa.u8x32(&boards.cells[line.cell(k)]);
            let from_far = isa.u8x32(&boards.cells[line.cell(length - 1 - k)]);
            *group = (reversed.blend_lanes(from_far, from_near) & moving).to_array();
        }
        slide_line_bytes(&mut after, &mut merged, &mut [0; 32]);
        for k in 0..length {
            let cell = &mut boards.cells[line.cell(k)];
            let slid =
                reversed.blend_lanes(isa.u8x32(&after[length - 1 - k]), isa.u8x32(&after[k]));
            *cell = moving.blend_lanes(slid, isa.u8x32(cell)).to_array();
        }
        for group in merged.iter().take(length - 1) {
            sink.add(isa, isa.u8x32(group));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use alloc::vec::Vec;
    use bitcore::Rng;

    /// Covers ranks inside and outside the tables of [`GainSums`]; ordinary games rarely reach the
    /// large ones.
    #[test]
    fn each_board_slides_in_its_own_direction() {
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
            let directions: Vec<usize> = (0..32).map(|_| rng.below(4) as usize).collect();
            let mut chosen = [[0; 32]; 4];
            for (lane, &direction) in directions.iter().enumerate() {
                chosen[direction][lane] = 0xff;
            }
            let before = Boards32::try_from(&boards[..]).unwrap();
            testkit::on_each_level(|| {
                let mut after = before.clone();
                let mut unscored = before.clone();
                let mut gains = [0; 32];
                let to = &mut gains;
                dispatch!(isa => slide_chosen_with(isa, &mut after, &chosen, Some(to)));
                dispatch!(isa => slide_chosen_with(isa, &mut unscored, &chosen, None));
                assert_eq!(after, unscored, "{size}");
                for (lane, (board, &direction)) in boards.iter().zip(&directions).enumerate() {
                    let expected = board.slide(Direction::ALL[direction]);
                    assert_eq!(after.board(lane), expected.board, "{direction} of {board:?}");
                    assert_eq!(gains[lane], expected.gain, "{direction} of {board:?}");
                }
            });
        }
    }
}
