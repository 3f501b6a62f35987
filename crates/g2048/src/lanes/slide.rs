//! The slides of [`Boards32`]: all boards the same way, or each its own way.
//!
//! Where lanes are registers, a line's length is a constant, so that the line stays in them. Elsewhere lines of up to four
//! cells share one code and longer ones another.

use super::boards::{Boards32, Slides};
use super::gains::{GainSums, MergeSink};
use super::line::{slide_line, slide_line_bytes};
use crate::board::Size;
use crate::slide::Direction;
use bitcore::{Bytes, Isa, Lanes, Level, dispatch};
use core::slice::{from_mut, from_ref};

impl Boards32 {
    /// Slides every board the same way; each as [`Board::slide`](crate::Board::slide) does.
    pub fn slide(&self, direction: Direction) -> Slides {
        self.slide_on(Level::detect(), direction)
    }

    /// [`slide`](Self::slide) on a level.
    pub fn slide_on(&self, level: Level, direction: Direction) -> Slides {
        let mut slides = Slides::new(self.size);
        self.slide_into_on(level, direction, &mut slides);
        slides
    }

    /// [`slide`](Self::slide) into slides that were made before, whatever they hold.
    pub fn slide_into(&self, direction: Direction, slides: &mut Slides) {
        self.slide_into_on(Level::detect(), direction, slides);
    }

    /// [`slide_into`](Self::slide_into) on a level.
    pub fn slide_into_on(&self, level: Level, direction: Direction, slides: &mut Slides) {
        Self::slide_all_into_on(level, from_ref(self), direction, from_mut(slides));
    }

    /// [`slide_into`](Self::slide_into) of many boards: `boards[i]` into `slides[i]`, up to the end of the shorter slice.
    ///
    /// ```
    /// use g2048::{Board, Boards32, Direction, Size, Slides};
    /// let boards: [Board; 2] = ["2 2 \n . 4".parse()?, "2 4 \n 8 2".parse()?];
    /// let lanes = boards.map(|board| Boards32::from_boards(&[board]).unwrap());
    /// let mut slides = [Slides::new(lanes[0].size()), Slides::new(lanes[1].size())];
    /// Boards32::slide_all_into(&lanes, Direction::Left, &mut slides);
    /// assert_eq!([slides[0].gains[0], slides[1].gains[0]], [4, 0]);
    /// # Ok::<_, g2048::ParseBoardError>(())
    /// ```
    pub fn slide_all_into(boards: &[Self], direction: Direction, slides: &mut [Slides]) {
        Self::slide_all_into_on(Level::detect(), boards, direction, slides);
    }

    /// [`slide_all_into`](Self::slide_all_into) on a level.
    pub fn slide_all_into_on(level: Level, boards: &[Self], direction: Direction, slides: &mut [Slides]) {
        dispatch!(level, isa [boards, direction, slides] => slide_all_into_with(isa, boards, direction, slides));
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
        self.slide_boards_on(Level::detect(), direction, to)
    }

    /// [`slide_boards`](Self::slide_boards) on a level.
    pub fn slide_boards_on(&self, level: Level, direction: Direction, to: &mut Self) -> u32 {
        let mut changed = 0;
        Self::slide_all_boards_on(level, from_ref(self), direction, from_mut(to), from_mut(&mut changed));
        changed
    }

    /// [`slide_boards`](Self::slide_boards) of many boards: `boards[i]` into `to[i]`, and which of them changed into
    /// `changed[i]`, up to the end of the shortest slice.
    pub fn slide_all_boards(boards: &[Self], direction: Direction, to: &mut [Self], changed: &mut [u32]) {
        Self::slide_all_boards_on(Level::detect(), boards, direction, to, changed);
    }

    /// [`slide_all_boards`](Self::slide_all_boards) on a level.
    pub fn slide_all_boards_on(
        level: Level,
        boards: &[Self],
        direction: Direction,
        to: &mut [Self],
        changed: &mut [u32],
    ) {
        dispatch!(level, isa [boards, direction, to, changed] => {
            slide_all_boards_with(isa, boards, direction, to, changed);
        });
    }
}

#[inline(always)]
fn slide_all_into_with<S: Isa>(isa: S, boards: &[Boards32], direction: Direction, slides: &mut [Slides]) {
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

/// The lines of a size that slide to one wall.
#[derive(Clone, Copy)]
struct Lines {
    count: usize,
    length: usize,
    /// The first line.
    first: Line,
    /// From each line to the next.
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

/// A line among the cells: its first cell, and the step from each cell to the next.
#[derive(Clone, Copy)]
struct Line {
    first: usize,
    stride: usize,
}

impl Line {
    /// The `k`-th cell from the wall.
    #[inline(always)]
    const fn cell(self, k: usize) -> usize {
        // Without the remainder each access would be checked.
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

/// Slides `from` into `to`, of the same size, and returns the mask of the boards that changed.
#[inline(always)]
fn slide_with<S: Isa, G: MergeSink<S>>(
    isa: S,
    from: &Boards32,
    direction: Direction,
    to: &mut Boards32,
    sink: &mut G,
) -> u32 {
    let length = direction.lines(from.size).1;
    if !S::REAL_LANES {
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

/// [`slide_with`] for lines of `N` cells.
#[inline(always)]
fn slide_lines<S: Isa, G: MergeSink<S>, const N: usize>(
    isa: S,
    from: &Boards32,
    direction: Direction,
    to: &mut Boards32,
    sink: &mut G,
) -> u32 {
    let mut difference = isa.splat_u8(0);
    let lines = Lines::new(from.size, direction);
    for i in 0..lines.count {
        let cells = lines.line(i);
        let before = cells.load::<S, N>(isa, from);
        let mut line = before;
        slide_line(isa, &mut line, sink);
        for k in 0..N {
            difference = difference | (before[k] ^ line[k]);
            to.cells[cells.cell(k)] = line[k].to_array();
        }
    }
    !difference.zero_mask()
}

/// [`slide_with`] for lines of up to `N` cells, where lanes are no registers.
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
        let cells = lines.line(i);
        let (mut line, mut merged) = ([[0; 32]; N], [[0; 32]; 7]);
        for (k, group) in line.iter_mut().take(length).enumerate() {
            *group = from.cells[cells.cell(k)];
        }
        slide_line_bytes(&mut line, &mut merged, &mut difference);
        for (k, group) in line.iter().take(length).enumerate() {
            to.cells[cells.cell(k)] = *group;
        }
        for group in merged.iter().take(length - 1) {
            sink.add(isa, isa.u8x32(group));
        }
    }
    !isa.u8x32(&difference).zero_mask()
}

/// Slides each board in the direction that is chosen for it, one at most, and adds its gain to `gains`. Boards without a
/// direction must be empty.
///
/// Boards that slide to the far wall of their lines are mirrored before and after. Where boards are square, and lanes
/// registers, those that slide along columns are transposed before and after, so that all slide at once.
#[inline(always)]
pub(crate) fn slide_chosen_with<S: Isa>(
    isa: S,
    boards: &mut Boards32,
    chosen: &[[u8; 32]; 4],
    mut gains: Option<&mut [u64; 32]>,
) {
    let [left, right, up, down] = chosen;
    let (left, right) = (isa.u8x32(left), isa.u8x32(right));
    let (up, down) = (isa.u8x32(up), isa.u8x32(down));
    let square = S::REAL_LANES && boards.size.width() == boards.size.height();
    let axes = if square {
        [AxisSlide { toward: Direction::Left, moving: isa.splat_u8(0xff), reversed: right | down }; 2]
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

/// The boards that slide along one axis, and to which wall.
#[derive(Clone, Copy)]
struct AxisSlide<S: Isa> {
    toward: Direction,
    /// The lane mask of the boards that slide along this axis.
    moving: S::U8x32,
    /// The lane mask of those among them that slide to the wall opposite to `toward`.
    reversed: S::U8x32,
}

/// Slides some boards along one axis.
#[inline(always)]
fn slide_axis_with<S: Isa, G: MergeSink<S>>(
    isa: S,
    boards: &mut Boards32,
    axis: &AxisSlide<S>,
    sink: &mut G,
) {
    let length = axis.toward.lines(boards.size).1;
    if !S::REAL_LANES {
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

/// [`slide_axis_with`] for lines of `N` cells.
#[inline(always)]
fn slide_axis_lines<S: Isa, G: MergeSink<S>, const N: usize>(
    isa: S,
    boards: &mut Boards32,
    &AxisSlide { toward, moving, reversed }: &AxisSlide<S>,
    sink: &mut G,
) {
    let lines = Lines::new(boards.size, toward);
    for i in 0..lines.count {
        let cells = lines.line(i);
        let before = cells.load::<S, N>(isa, boards);
        let mut line = before;
        // What isn't there doesn't merge.
        for group in &mut line {
            *group = *group & moving;
        }
        reverse_line::<S, N>(&mut line, reversed);
        slide_line(isa, &mut line, sink);
        reverse_line::<S, N>(&mut line, reversed);
        for k in 0..N {
            boards.cells[cells.cell(k)] = moving.blend_lanes(line[k], before[k]).to_array();
        }
    }
}

/// Turns a line round in some lanes.
#[inline(always)]
fn reverse_line<S: Isa, const N: usize>(line: &mut [S::U8x32; N], lanes: S::U8x32) {
    for k in 0..N / 2 {
        let (near, far) = (line[k], line[N - 1 - k]);
        line[k] = lanes.blend_lanes(far, near);
        line[N - 1 - k] = lanes.blend_lanes(near, far);
    }
}

/// [`slide_axis_with`] for lines of up to `N` cells, where lanes are no registers.
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
        let cells = lines.line(i);
        let (mut line, mut merged) = ([[0; 32]; N], [[0; 32]; 7]);
        for (k, group) in line.iter_mut().take(length).enumerate() {
            let from_near = isa.u8x32(&boards.cells[cells.cell(k)]);
            let from_far = isa.u8x32(&boards.cells[cells.cell(length - 1 - k)]);
            *group = (reversed.blend_lanes(from_far, from_near) & moving).to_array();
        }
        slide_line_bytes(&mut line, &mut merged, &mut [0; 32]);
        for k in 0..length {
            let cell = &mut boards.cells[cells.cell(k)];
            let slid = reversed.blend_lanes(isa.u8x32(&line[length - 1 - k]), isa.u8x32(&line[k]));
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

    /// Ranks that the table of [`GainSums`] holds, ranks that it doesn't, and both beside each other: games that are played
    /// from the start don't get that far.
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
            let before = Boards32::from_boards(&boards).unwrap();
            for level in Level::all() {
                let (mut after, mut unscored, mut gains) = (before.clone(), before.clone(), [0; 32]);
                let to = &mut gains;
                dispatch!(level, isa => slide_chosen_with(isa, &mut after, &chosen, Some(to)));
                dispatch!(level, isa => slide_chosen_with(isa, &mut unscored, &chosen, None));
                assert_eq!(after, unscored, "{level}, {size}");
                for (lane, (board, &direction)) in boards.iter().zip(&directions).enumerate() {
                    let expected = board.slide(Direction::ALL[direction]);
                    assert_eq!(after.board(lane), expected.board, "{level}, {direction} of {board:?}");
                    assert_eq!(gains[lane], expected.gain, "{level}, {direction} of {board:?}");
                }
            }
        }
    }
}
