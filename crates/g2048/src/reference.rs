//! Reference implementations: the published line algorithm, its author's older one, and naive
//! versions of everything without a published algorithm. They are simple and slow; tests and
//! benchmarks compare the fast implementations against them.
//!
//! Lines and boards consist of tile *values* here (0, 2, 4, 8, ..), not ranks.
//!
//! Source: flaribbit, "时隔五年重写 2048 核心算法" (Rewriting the core algorithm of 2048 after five years), 2022.
//! Its two-pointer loop is correct for lines of any length. Our corrections and additions:
//!
//! - **Score and change.** The published form returns nothing, but a game needs the gain, and may
//!   spawn only if the board changed. [`SlideResult`] reports both.
//! - **Sign of the stride.** The text gives "right 1, left -1, down n, up -n", the directions of
//!   travel. The scan runs the other way, away from the wall: sliding left starts at the left end
//!   with stride +1. Each line also needs its own offset.
//! - **The condition `i == j`.** It looks redundant, but without it a tile merges with itself and
//!   vanishes: `2 4` becomes `2 0`.
//! - **Values as `int`** overflow above 2^30; here they are `u64`.

use crate::board::{Board, Size};
use crate::direction::Direction;
use crate::game::Game;
use crate::perft::PerftRow;
use crate::random_move::RandomMove;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use bitcore::Rng;
use core::ops::AddAssign;

/// The gain of a slide, and whether it changed anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlideResult {
    /// The sum of the merged tiles.
    pub gain: u64,
    /// `true` if any cell changed.
    pub changed: bool,
}

impl AddAssign for SlideResult {
    fn add_assign(&mut self, other: Self) {
        self.gain += other.gain;
        self.changed |= other.changed;
    }
}

/// Slides a line of any length toward its first cell with two pointers: `i` reads, and `j` is the
/// cell where the next tile lands or merges.
///
/// ```
/// let mut line = [4, 2, 2, 4, 4, 2];
/// let slid = g2048::reference::slide_line(&mut line);
/// assert_eq!(line, [4, 4, 8, 2, 0, 0]);
/// assert_eq!((slid.gain, slid.changed), (12, true));
/// ```
pub fn slide_line(line: &mut [u64]) -> SlideResult {
    slide_strided(line, 0, 1, line.len())
}

/// Slides the `n` cells `offset`, `offset + stride`, .. of a board toward the first of them, like
/// [`slide_line`]. The stride leads away from the wall.
///
/// # Panics
///
/// Panics if one of these cells is outside `cells`.
#[inline] // for a known direction and size, which take a third less time
pub fn slide_strided(cells: &mut [u64], offset: usize, stride: isize, n: usize) -> SlideResult {
    let at = |k: usize| offset.wrapping_add_signed(stride * k as isize);
    let mut slid = SlideResult::default();
    let mut i = 1;
    let mut j = 0;
    while i < n {
        let from = at(i);
        let to = at(j);
        if cells[from] == 0 || i == j {
            i += 1;
        } else if cells[from] == cells[to] {
            cells[to] += cells[from];
            cells[from] = 0;
            slid += SlideResult { gain: cells[to], changed: true };
            i += 1;
            j += 1;
        } else if cells[to] == 0 {
            cells[to] = cells[from];
            cells[from] = 0;
            slid.changed = true;
            i += 1;
        } else {
            j += 1;
        }
    }
    slid
}

/// Slides a board of tile values, row-major with `width` cells per row, in one of the four
/// directions.
///
/// ```
/// use g2048::{Direction, reference};
/// let mut cells = [
///     2, 0, 2, //
///     2, 4, 4,
/// ];
/// let slid = reference::slide(&mut cells, 3, Direction::Right);
/// assert_eq!(cells, [0, 0, 4, 0, 2, 8]);
/// assert_eq!(slid.gain, 12);
/// ```
///
/// # Panics
///
/// Panics if `cells` isn't a whole number of rows.
#[inline]
pub fn slide(cells: &mut [u64], width: usize, direction: Direction) -> SlideResult {
    let w = width;
    let h = cells.len() / width;
    assert_eq!(cells.len(), w * h, "whole rows");
    let (lines, n) = match direction {
        Direction::Left | Direction::Right => (h, w),
        Direction::Up | Direction::Down => (w, h),
    };
    let mut slid = SlideResult::default();
    for line in 0..lines {
        let (offset, stride) = match direction {
            Direction::Left => (line * w, 1),
            Direction::Right => (line * w + w - 1, -1),
            Direction::Up => (line, w as isize),
            Direction::Down => (line + (h - 1) * w, -(w as isize)),
        };
        slid += slide_strided(cells, offset, stride, n);
    }
    slid
}

/// Slides a line of four cells toward the *last* one with the author's older algorithm: pack,
/// merge, pack.
///
/// ```
/// let mut line = [2, 2, 0, 2];
/// let slid = g2048::reference::slide_four(&mut line);
/// assert_eq!(line, [0, 0, 2, 4]);
/// assert_eq!((slid.gain, slid.changed), (4, true));
/// ```
pub fn slide_four(line: &mut [u64; 4]) -> SlideResult {
    let mut slid = pack_four(line);
    for i in [3, 2, 1] {
        if line[i] != 0 && line[i - 1] == line[i] {
            line[i] *= 2;
            line[i - 1] = 0;
            slid += SlideResult { gain: line[i], changed: true };
        }
    }
    slid += pack_four(line);
    slid
}

/// Moves the nearest tile into each empty cell, starting with the last cell.
fn pack_four(line: &mut [u64; 4]) -> SlideResult {
    let mut slid = SlideResult::default();
    for j in [3, 2, 1] {
        if line[j] == 0
            && let Some(i) = (0..j).rev().find(|&i| line[i] != 0)
        {
            line.swap(i, j);
            slid.changed = true;
        }
    }
    slid
}

/// Slides a 4x4 board with [`slide_four`], each line with its wall cell last.
pub fn slide_four_by_four(cells: &mut [u64; 16], direction: Direction) -> SlideResult {
    let mut slid = SlideResult::default();
    for line in 0..4 {
        let at: [usize; 4] = match direction {
            Direction::Left => [3, 2, 1, 0].map(|x| 4 * line + x),
            Direction::Right => [0, 1, 2, 3].map(|x| 4 * line + x),
            Direction::Up => [3, 2, 1, 0].map(|y| 4 * y + line),
            Direction::Down => [0, 1, 2, 3].map(|y| 4 * y + line),
        };
        let mut four = at.map(|cell| cells[cell]);
        slid += slide_four(&mut four);
        for (cell, value) in at.into_iter().zip(four) {
            cells[cell] = value;
        }
    }
    slid
}

/// Returns a line slid toward its first cell, straight from the rule: the tiles in order, with
/// equal neighbors merged in pairs, starting at the first cell.
pub fn naive_slide_line(line: &[u64]) -> (Vec<u64>, SlideResult) {
    let mut tiles = line.iter().copied().filter(|&value| value != 0).peekable();
    let mut after = Vec::with_capacity(line.len());
    let mut gain = 0;
    while let Some(value) = tiles.next() {
        let merges = tiles.next_if_eq(&value).is_some();
        after.push(if merges { 2 * value } else { value });
        gain += if merges { 2 * value } else { 0 };
    }
    after.resize(line.len(), 0);
    let changed = after != line;
    (after, SlideResult { gain, changed })
}

/// Slides a [`Board`] with [`slide`].
pub fn slide_board(board: &Board, direction: Direction) -> (Board, SlideResult) {
    let mut cells: Vec<u64> = board.tiles().collect();
    let slid = slide(&mut cells, board.size().width(), direction);
    let rank = |cell: usize| cells[cell].checked_ilog2().unwrap_or(0) as u8;
    (Board::from_fn(board.size(), rank), slid)
}

/// Plays one random game, with the draws of [`Playouts`](crate::Playouts) on sizes other than 4x4.
pub fn naive_playout(size: Size, rng: &mut Rng) -> Game {
    let board = Board::start(size, rng);
    naive_playout_from(&board, rng)
}

/// Plays random moves from a position until the game is over, with the draws of [`naive_playout`].
pub fn naive_playout_from(board: &Board, rng: &mut Rng) -> Game {
    let mut board = *board;
    let mut score = 0;
    let mut moves = 0;
    loop {
        let slides = Direction::ALL.map(|direction| slide_board(&board, direction));
        let legal: Vec<_> = slides.into_iter().filter(|(_, slid)| slid.changed).collect();
        if legal.is_empty() {
            return Game::resume(board, score, moves);
        }
        let (slid_board, slid) = legal[rng.below(legal.len() as u32) as usize];
        board = slid_board;
        score += slid.gain;
        moves += 1;
        board.spawn(rng);
    }
}

/// One game slot of a [`Batch`](crate::Batch): successive games on one stream, with the batch's
/// draws.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveGames {
    /// The current position.
    pub board: Board,
    /// The final position of the previous game.
    pub last: Option<Board>,
    rng: Rng,
}

impl NaiveGames {
    /// Starts the first game of a stream.
    pub fn new(size: Size, mut rng: Rng) -> Self {
        Self { board: Board::start(size, &mut rng), last: None, rng }
    }

    /// Plays a move. Returns its gain and whether it ended the game, or `None`, with nothing
    /// changed, if the move is illegal. When a game ends, the next one starts.
    pub fn step(&mut self, direction: Direction) -> Option<(u64, bool)> {
        let (board, slid) = slide_board(&self.board, direction);
        if !slid.changed {
            return None;
        }
        self.board = board;
        self.board.spawn(&mut self.rng);
        let over =
            Direction::ALL.iter().all(|&direction| !slide_board(&self.board, direction).1.changed);
        if over {
            self.last = Some(self.board);
            self.board = Board::start(board.size(), &mut self.rng);
        }
        Some((slid.gain, over))
    }

    /// Plays a random legal move; see [`step`](Self::step).
    pub fn random_step(&mut self) -> Option<(u64, bool)> {
        let mut legal = Direction::ALL.to_vec();
        legal.retain(|&direction| slide_board(&self.board, direction).1.changed);
        let k = self.rng.below(legal.len() as u32) as usize;
        self.step(*legal.get(k)?)
    }
}

/// Plays the next 4x4 game of a stream, with the draws of [`Playouts`](crate::Playouts).
pub fn naive_playout4x4(stream: &mut Rng) -> Game {
    naive_playout4x4_from(Board::empty(Size::CLASSIC), 2, stream)
}

fn random_moves(stream: &mut Rng) -> [RandomMove; 2] {
    let word = stream.next_u64();
    [RandomMove::new(word as u32), RandomMove::new((word >> 32) as u32)]
}

/// Plays the next 4x4 game of a stream from a position, with the draws of [`naive_playout4x4`],
/// after 0, 1 or 2 spawns.
pub fn naive_playout4x4_from(mut board: Board, spawns: usize, stream: &mut Rng) -> Game {
    if spawns > 0 {
        for random in random_moves(stream).into_iter().take(spawns) {
            spawn_tile(&mut board, random);
        }
    }
    let mut score = 0;
    let mut moves = 0;
    loop {
        for random in
            core::iter::repeat_with(|| random_moves(stream)).take(4).flatten().collect::<Vec<_>>()
        {
            let ranks = board.ranks();
            let turned = Board::from_fn(Size::CLASSIC, |cell| {
                let mut x = cell % 4;
                let mut y = cell / 4;
                // Undo both mirrors in reverse order to find the source cell.
                if random.anti_transpose {
                    (x, y) = (3 - y, 3 - x);
                }
                if random.transpose {
                    (x, y) = (y, x);
                }
                ranks[4 * y + x]
            });
            let (after, slid) = slide_board(&turned, Direction::Left);
            board = after;
            if slid.changed {
                score += slid.gain;
                moves += 1;
                spawn_tile(&mut board, random);
            }
        }
        if Direction::ALL.iter().all(|&direction| !slide_board(&board, direction).1.changed) {
            return Game::resume(board, score, moves);
        }
    }
}

/// Spawns the tile of a try on a board with an empty cell.
fn spawn_tile(board: &mut Board, random: RandomMove) {
    let ranks = board.ranks().to_vec();
    let empty: Vec<usize> = (0..ranks.len()).filter(|&cell| ranks[cell] == 0).collect();
    let chosen = empty[(usize::from(random.position) * empty.len()) >> 16];
    let new = if random.four { 2 } else { 1 };
    *board = Board::from_fn(board.size(), |cell| if cell == chosen { new } else { ranks[cell] });
}

/// Returns a row of [`Perft`](crate::Perft) by walking every path.
pub fn naive_perft(board: &Board, depth: u32) -> PerftRow {
    let mut row = PerftRow { depth, nodes: 0, distinct: 0, gain: 0, dead: 0 };
    let mut seen = BTreeSet::new();
    walk(board, depth, 0, &mut row, &mut seen);
    row.distinct = seen.len() as u64;
    row
}

/// Adds all paths of `depth` moves from `board` to `row`; `gain` is the score so far.
fn walk(board: &Board, depth: u32, gain: u64, row: &mut PerftRow, seen: &mut BTreeSet<Board>) {
    if depth == 0 {
        row.nodes += 1;
        row.gain += u128::from(gain);
        seen.insert(*board);
        return;
    }
    let slides = Direction::ALL.map(|direction| slide_board(board, direction));
    if depth == 1 && slides.iter().all(|(_, slid)| !slid.changed) {
        row.dead += 1;
    }
    for (slid_board, slid) in slides.iter().filter(|(_, slid)| slid.changed) {
        for child in slid_board.spawns() {
            walk(&child, depth - 1, gain + slid.gain, row, seen);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_never_meets_itself() {
        // Without the condition `i == j` the 4 vanishes.
        let mut line = [2, 4];
        assert_eq!(slide_line(&mut line), SlideResult::default());
        assert_eq!(line, [2, 4]);
    }

    #[test]
    fn the_stride_leads_away_from_the_wall() {
        // Taken as printed, "left -1" scans from the right end and slides to the right.
        let mut as_printed = [2, 2, 4, 0];
        let mut mended = [2, 2, 4, 0];
        slide_strided(&mut as_printed, 3, -1, 4);
        assert_eq!(as_printed, [0, 0, 4, 4]);
        slide(&mut mended, 4, Direction::Left);
        assert_eq!(mended, [4, 4, 0, 0]);
    }

    #[test]
    fn slides_return_gain_and_change() {
        let slid = |mut line: [u64; 4]| {
            let slid = slide_line(&mut line);
            (slid.gain, slid.changed)
        };
        assert_eq!(slid([2, 2, 4, 4]), (12, true));
        assert_eq!(slid([0, 2, 4, 2]), (0, true), "moved, nothing merged");
        assert_eq!(slid([2, 4, 2, 0]), (0, false), "not a legal move");
    }

    #[test]
    fn tiles_beyond_four_bits_and_beyond_int_merge() {
        for value in [1 << 15, 1 << 16, 1 << 30, 1 << 31, 1 << 49] {
            let mut line = [0, value, 0, value];
            assert_eq!(slide_line(&mut line), SlideResult { gain: 2 * value, changed: true });
            assert_eq!(line, [2 * value, 0, 0, 0]);
        }
    }
}
