//! [`solve`]: exact expected results of whole games on small boards, for optimal and random play.
//!
//! A slide preserves the sum of the tiles and a spawn adds 2 or 4, so positions form layers by
//! their sum:
//!
//! ```text
//! for each sum, upward:       list the boards reached by a slide and a spawn from the two smaller sums
//! for each sum, downward:     compute the values from the values of the two larger sums
//! ```
//!
//! Boards are stored up to symmetry, in canonical form. The threads split the work on each list:
//! they list the boards reached from parts of the sources, sort each part while it is in the cache,
//! and then merge the parts, with one range of boards per task.

use crate::board::{Board, Size};
use crate::direction::Direction;
use alloc::vec;
use alloc::vec::Vec;
use bitcade_core::{Stop, Stopped, ThreadPool};

/// The exact expected results of a game on one board size.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Solution {
    /// The number of boards that can occur after a spawn, starting with the second spawn.
    pub states: u64,
    /// The number of these boards up to symmetry.
    pub canonical: u64,
    /// The expected score of optimal play.
    pub best_score: f64,
    /// The expected score of random play, with all legal moves equally likely.
    pub random_score: f64,
    /// The expected number of moves of random play.
    pub random_moves: f64,
}

/// The reason a size wasn't solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The size has more than nine cells, and too many boards.
    #[error("{0} has too many positions to solve: expected at most 9 cells, such as 3x3")]
    TooLarge(Size),
    /// There isn't enough memory for the next layer.
    #[error("not enough memory")]
    OutOfMemory,
}

/// Checks that this many bytes, plus a reserve for other allocations, can be allocated.
fn check_memory(bytes: usize) -> Result<(), SolveError> {
    const SPARE_BYTES: usize = 8 << 20;
    let reserved = Vec::<u8>::new().try_reserve_exact(bytes.saturating_add(SPARE_BYTES));
    reserved.map_err(|_| SolveError::OutOfMemory)
}

/// Returns the most bytes that [`distinct`] needs for this many boards: as parts, merged, and as
/// one list.
const fn distinct_bytes(boards: usize) -> usize {
    3 * boards * size_of::<BoardBits>()
}

/// A board of at most nine cells, four bits per cell. Its largest tile is 2^10.
type BoardBits = u64;

const fn rank(board: BoardBits, cell: usize) -> u64 {
    board >> (4 * cell) & 15
}

/// Computes the exact expected results of optimal and random play on a size of at most nine cells.
///
/// 2x2 and 2x3 take less than a second; 3x3 has 48,713,519 boards up to symmetry and takes about a
/// minute and 0.4 GB: see [`solve_until`].
///
/// # Errors
///
/// [`SolveError::TooLarge`] for more than nine cells, [`SolveError::OutOfMemory`] if there isn't
/// enough memory.
///
/// ```
/// use g2048::{Size, solve};
/// let solution = solve(Size::new(2, 2)?)?;
/// assert_eq!(solution.canonical, 110);
/// assert!((solution.best_score - 66.964_149_457).abs() < 1e-8);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[allow(clippy::missing_panics_doc, reason = "only `stop` ends it early")]
pub fn solve(size: Size) -> Result<Solution, SolveError> {
    solve_until(&ThreadPool::single(), size, &|| false).expect("nothing stops it")
}

/// Solves a size on the threads of a pool, with the same result as [`solve`] to the last bit. Asks
/// `stop` once per sum of tiles in each of two passes.
///
/// # Errors
///
/// [`Stopped`] if `stop` returned `true`.
///
/// ```
/// use g2048::{Size, ThreadPool, solve, solve_until};
/// let size = Size::new(2, 3)?;
/// assert_eq!(solve_until(&ThreadPool::single(), size, &|| false)?, solve(size));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub fn solve_until(
    pool: &ThreadPool,
    size: Size,
    stop: Stop<'_>,
) -> Result<Result<Solution, SolveError>, Stopped> {
    match solve_with(pool, size, stop) {
        Ok(solution) => Ok(Ok(solution)),
        Err(Unsolved::Error(error)) => Ok(Err(error)),
        Err(Unsolved::Stopped) => Err(Stopped),
    }
}

/// The reason for an early end.
enum Unsolved {
    Error(SolveError),
    Stopped,
}

impl From<SolveError> for Unsolved {
    fn from(error: SolveError) -> Self {
        Self::Error(error)
    }
}

fn solve_with(pool: &ThreadPool, size: Size, stop: Stop<'_>) -> Result<Solution, Unsolved> {
    if size.cells() > 9 {
        return Err(SolveError::TooLarge(size).into());
    }
    let rules = Rules::new(size);
    // Layer i contains the boards whose tiles sum to 2i. The first boards have two tiles.
    let mut layers: Vec<Vec<BoardBits>> = Vec::new();
    let mut starts = vec![Vec::new(); FIRST_LAYERS];
    for (board, _) in rules.starts() {
        starts[rules.layer(board)].push(rules.canonical(board));
    }
    // The afterstates of the last layer and of the one before it.
    let mut after: [Vec<BoardBits>; 2] = Default::default();
    let mut states = 0;
    while layers.len() < FIRST_LAYERS || after.iter().any(|after| !after.is_empty()) {
        if stop() {
            return Err(Unsolved::Stopped);
        }
        let [before, before_that] = &after;
        let first: &[BoardBits] = starts.get(layers.len()).map_or(&[], |starts| starts);
        check_memory(distinct_bytes(
            first.len() + size.cells() * (before.len() + before_that.len()),
        ))?;
        let sources = [(first, 0), (before, 1), (before_that, 2)];
        let parts = sources.iter().flat_map(|(boards, rank)| {
            let most = if *rank == 0 { 1 } else { size.cells() };
            boards.chunks(PART).map(move |part| ((part, *rank), most * part.len()))
        });
        let layer = distinct(pool, parts, |(part, rank), boards| {
            for &board in part {
                if rank == 0 {
                    boards.push(board);
                } else {
                    for cell in rules.empty(board) {
                        boards.push(rules.canonical(board | rank << (4 * cell)));
                    }
                }
            }
        });
        let orbits =
            |part: &[BoardBits]| Some(part.iter().map(|&board| rules.orbit(board)).sum::<u64>());
        states += pool.map(layer.chunks(PART), orbits).iter().sum::<u64>();
        check_memory(distinct_bytes(4 * layer.len()))?;
        let [before, _] = after;
        after = [rules.afterstates(pool, &layer), before];
        layers.push(layer);
    }
    let canonical = layers.iter().map(|layer| layer.len() as u64).sum();
    let values = rules.values(pool, layers, stop)?;
    let mut solution =
        Solution { states, canonical, best_score: 0.0, random_score: 0.0, random_moves: 0.0 };
    for (board, probability) in rules.starts() {
        let value = values.get(rules.layer(board), rules.canonical(board));
        solution.best_score += probability * value.best;
        solution.random_score += probability * value.random;
        solution.random_moves += probability * value.moves;
    }
    Ok(solution)
}

/// The number of layers up to the last one with boards of two tiles: sums 0 to 8.
const FIRST_LAYERS: usize = 5;

/// Boards per task; the boards reached from them fit in the cache.
const PART: usize = 1 << 11;

/// Boards per range of a merge, including duplicates.
const RANGE: usize = 1 << 14;

/// A list in memory allocated by the caller's thread. The threads of a pool allocate nothing: each
/// would reserve address space for its own allocator, and [`check_memory`] only vouches for what
/// one thread can allocate.
struct Slots<'a> {
    slots: &'a mut [BoardBits],
    len: usize,
}

impl<'a> Slots<'a> {
    const fn new(slots: &'a mut [BoardBits]) -> Self {
        Self { slots, len: 0 }
    }

    fn push(&mut self, board: BoardBits) {
        self.slots[self.len] = board;
        self.len += 1;
    }

    /// The list must be sorted.
    fn dedup(mut self) -> &'a mut [BoardBits] {
        let boards = core::mem::take(&mut self.slots);
        let mut kept = self.len.min(1);
        for i in 1..self.len {
            boards[kept] = boards[i];
            kept += usize::from(boards[kept] != boards[kept - 1]);
        }
        &mut boards[..kept]
    }
}

/// Lists the distinct boards reached from the parts, sorted. Each part comes with an upper bound on
/// the number of boards reached from it.
fn distinct<T>(
    pool: &ThreadPool,
    parts: impl Iterator<Item = (T, usize)> + Clone + Send,
    list: impl Fn(T, &mut Slots<'_>) + Sync,
) -> Vec<BoardBits> {
    let mut slots = vec![0; parts.clone().map(|(_, most)| most).sum()];
    let parts = split(&mut slots, parts);
    let lists = pool.map(parts, |(part, slots)| {
        let mut boards = Slots::new(slots);
        list(part, &mut boards);
        boards.slots[..boards.len].sort_unstable();
        Some(boards.dedup())
    });
    if lists.len() <= 1 {
        return lists.into_iter().next().map_or_else(Vec::new, |list| list.to_vec());
    }
    // The ranges start at boards that divide a sample evenly.
    let total: usize = lists.iter().map(|list| list.len()).sum();
    let ranges = total.div_ceil(RANGE).max(1);
    let every = (total / (64 * ranges)).max(1);
    let mut sample: Vec<BoardBits> =
        lists.iter().flat_map(|list| list.iter().copied().step_by(every)).collect();
    sample.sort_unstable();
    let begin =
        |range: usize| (range > 0).then(|| sample.get(range * sample.len() / ranges)).flatten();
    let inside = |range: usize| {
        let (begin, end) = (begin(range), begin(range + 1).filter(|_| range + 1 < ranges));
        let at = |list: &[BoardBits], bound| list.partition_point(|board| board < bound);
        lists.iter().map(move |list| {
            let begin = begin.map_or(0, |bound| at(list, bound));
            &list[begin..end.map_or(list.len(), |bound| at(list, bound))]
        })
    };
    let lens = pool.map(0..ranges, |range| Some(inside(range).map(<[_]>::len).sum()));
    let mut merged = vec![0; total];
    let lens =
        pool.map(split(&mut merged, (0..ranges).zip(lens.iter().copied())), |(range, slots)| {
            let mut at = 0;
            for part in inside(range) {
                slots[at..at + part.len()].copy_from_slice(part);
                at += part.len();
            }
            // A merge sort would benefit from the sorted parts, but needs memory; this sort needs
            // none.
            slots.sort_unstable();
            let given = slots.len();
            let boards = Slots { slots, len: given };
            Some((given, boards.dedup().len()))
        });
    let mut from = 0;
    let mut to = 0;
    for (given, kept) in lens {
        merged.copy_within(from..from + kept, to);
        (from, to) = (from + given, to + kept);
    }
    merged.truncate(to);
    merged.shrink_to_fit();
    merged
}

fn split<T>(
    mut slots: &mut [BoardBits],
    parts: impl Iterator<Item = (T, usize)> + Send,
) -> impl Iterator<Item = (T, &mut [BoardBits])> + Send {
    parts.map(move |(part, len)| {
        let (first, rest) = core::mem::take(&mut slots).split_at_mut(len);
        slots = rest;
        (part, first)
    })
}

/// The expected rest of a game from a board: score of optimal play, score and moves of random play.
#[derive(Clone, Copy, Debug, Default)]
struct Value {
    best: f64,
    random: f64,
    moves: f64,
}

/// The boards and values of each layer, sorted by board.
struct Values(Vec<(Vec<BoardBits>, Vec<Value>)>);

impl Values {
    fn get(&self, layer: usize, board: BoardBits) -> Value {
        let (boards, values) = &self.0[layer];
        // Always found: the list contains every board that can occur.
        boards.binary_search(&board).map_or_else(|_| Value::default(), |at| values[at])
    }
}

struct Rules {
    size: Size,
    /// The lines of each direction, wall cell first.
    lines: [Vec<Vec<u32>>; 4],
    /// For each line, four bits per cell, the slid line and its gain.
    slides: Vec<(u16, u32)>,
    /// The source cell of each cell under each symmetry.
    symmetries: Vec<Vec<u32>>,
}

impl Rules {
    fn new(size: Size) -> Self {
        let lines = Direction::ALL.map(|direction| {
            let (count, length) = direction.lines(size);
            let line = |i| (0..length).map(|k| direction.cell(size, i, k) as u32).collect();
            (0..count).map(line).collect()
        });
        let longest = size.width().max(size.height());
        let slides = (0..1u32 << (4 * longest)).map(slide_line).collect();
        let width = size.width();
        let height = size.height();
        let mut symmetries = Vec::new();
        for (mirror_x, mirror_y, transpose) in (0..8).map(|i| (i & 1 == 1, i & 2 == 2, i & 4 == 4))
        {
            if transpose && width != height {
                continue;
            }
            let from = |cell: usize| {
                let mut x = cell % width;
                let mut y = cell / width;
                if mirror_x {
                    x = width - 1 - x;
                }
                if mirror_y {
                    y = height - 1 - y;
                }
                if transpose { (x * width + y) as u32 } else { (y * width + x) as u32 }
            };
            symmetries.push((0..size.cells()).map(from).collect());
        }
        Self { size, lines, slides, symmetries }
    }

    /// Returns the layer of a board: half the sum of its tiles.
    fn layer(&self, board: BoardBits) -> usize {
        let ranks = (0..self.size.cells()).map(|cell| rank(board, cell));
        ranks.map(|rank| if rank == 0 { 0 } else { 1 << (rank - 1) }).sum()
    }

    /// Returns the boards after two spawns with their probabilities. A board may appear several
    /// times.
    fn starts(&self) -> Vec<(BoardBits, f64)> {
        let cells = self.size.cells();
        let mut starts = Vec::new();
        for (first, second) in (0..cells).flat_map(|a| (0..cells).map(move |b| (a, b))) {
            if first == second {
                continue;
            }
            for (a, b) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
                let tile = |rank| if rank == 1 { 0.9 } else { 0.1 };
                let board = a << (4 * first) | b << (4 * second);
                starts.push((board, tile(a) * tile(b) / (cells * (cells - 1)) as f64));
            }
        }
        starts
    }

    #[inline(never)]
    fn canonical(&self, board: BoardBits) -> BoardBits {
        self.symmetries.iter().map(|from| image(board, from)).min().unwrap_or(board)
    }

    /// Returns the number of distinct images of a board: all symmetries divided by the symmetries
    /// that fix it.
    fn orbit(&self, board: BoardBits) -> u64 {
        let same = self.symmetries.iter().filter(|from| image(board, from) == board).count();
        (self.symmetries.len() / same.max(1)) as u64
    }

    fn empty(&self, board: BoardBits) -> impl Iterator<Item = usize> + use<> {
        (0..self.size.cells()).filter(move |&cell| rank(board, cell) == 0)
    }

    /// Returns the afterstate and the gain of each legal move.
    fn moves(&self, board: BoardBits) -> impl Iterator<Item = (BoardBits, u32)> {
        self.lines.iter().filter_map(move |lines| {
            let mut after = 0;
            let mut gain = 0;
            for line in lines {
                let mut packed = 0;
                for (k, cell) in line.iter().enumerate() {
                    packed |= (board >> (4 * cell) & 15) << (4 * k);
                }
                let (slid, more) = self.slides[packed as usize];
                for (k, cell) in line.iter().enumerate() {
                    after |= u64::from(slid >> (4 * k) & 15) << (4 * cell);
                }
                gain += more;
            }
            (after != board).then_some((after, gain))
        })
    }

    /// Lists the afterstates of a layer up to symmetry, sorted.
    fn afterstates(&self, pool: &ThreadPool, layer: &[BoardBits]) -> Vec<BoardBits> {
        distinct(pool, layer.chunks(PART).map(|part| (part, 4 * part.len())), |part, after| {
            for &board in part {
                for (slid, _) in self.moves(board) {
                    after.push(self.canonical(slid));
                }
            }
        })
    }

    /// Computes the values of all boards, from the largest sum down, and drops layers that are no
    /// longer needed.
    fn values(
        &self,
        pool: &ThreadPool,
        layers: Vec<Vec<BoardBits>>,
        stop: Stop<'_>,
    ) -> Result<Values, Unsolved> {
        let mut values = Values(layers.into_iter().map(|boards| (boards, Vec::new())).collect());
        for at in (0..values.0.len()).rev() {
            if stop() {
                return Err(Unsolved::Stopped);
            }
            let boards = &values.0[at].0;
            check_memory(distinct_bytes(4 * boards.len()))?;
            let after = self.afterstates(pool, boards);
            check_memory(size_of::<Value>() * (after.len() + boards.len()))?;
            let after_values = map_parts(pool, &after, |board| self.expected(&values, at, board));
            let layer = map_parts(pool, boards, |board| self.value(board, &after, &after_values));
            values.0[at].1 = layer;
            // Spawns lead to the next two layers only. The first layers stay: games start there.
            if at >= FIRST_LAYERS
                && let Some(done) = values.0.get_mut(at + 2)
            {
                *done = (Vec::new(), Vec::new());
            }
        }
        Ok(values)
    }

    /// Returns the value of an afterstate, the mean over all spawns.
    fn expected(&self, values: &Values, layer: usize, board: BoardBits) -> Value {
        let mut sum = Value::default();
        let mut cells = 0.0;
        for cell in self.empty(board) {
            for (rank, probability) in [(1, 0.9), (2, 0.1)] {
                let next = self.canonical(board | rank << (4 * cell));
                let value = values.get(layer + rank as usize, next);
                sum.best += probability * value.best;
                sum.random += probability * value.random;
                sum.moves += probability * value.moves;
            }
            cells += 1.0;
        }
        Value { best: sum.best / cells, random: sum.random / cells, moves: sum.moves / cells }
    }

    fn value(&self, board: BoardBits, after: &[BoardBits], after_values: &[Value]) -> Value {
        let mut value = Value::default();
        let mut legal = 0.0;
        for (slid, gain) in self.moves(board) {
            let to_come = after
                .binary_search(&self.canonical(slid))
                .map_or_else(|_| Value::default(), |at| after_values[at]);
            let gain = f64::from(gain);
            value.best = value.best.max(gain + to_come.best);
            value.random += gain + to_come.random;
            value.moves += 1.0 + to_come.moves;
            legal += 1.0;
        }
        if legal > 0.0 {
            value.random /= legal;
            value.moves /= legal;
        }
        value
    }
}

fn map_parts(
    pool: &ThreadPool,
    boards: &[BoardBits],
    value: impl Fn(BoardBits) -> Value + Sync,
) -> Vec<Value> {
    let mut values = vec![Value::default(); boards.len()];
    pool.for_each(values.chunks_mut(PART).zip(boards.chunks(PART)), |(values, boards)| {
        for (slot, &board) in values.iter_mut().zip(boards) {
            *slot = value(board);
        }
    });
    values
}

/// Returns the image of a board, given the source cell of each cell.
fn image(board: BoardBits, from: &[u32]) -> BoardBits {
    from.iter()
        .enumerate()
        .fold(0, |form, (cell, from)| form | (board >> (4 * from) & 15) << (4 * cell))
}

/// Slides a line of four bits per cell toward its lowest cell. Returns the slid line and its gain.
fn slide_line(packed: u32) -> (u16, u32) {
    let ranks: Vec<u8> = (0..4).map(|k| (packed >> (4 * k) & 15) as u8).collect();
    let line = Board::from_fn(Size::CLASSIC, |cell| if cell < 4 { ranks[cell] } else { 0 });
    let slide = line.slide(Direction::Left);
    let slid = slide.board.ranks()[..4]
        .iter()
        .enumerate()
        .fold(0, |word, (k, &rank)| word | u16::from(rank & 15) << (4 * k));
    (slid, slide.gain as u32)
}
