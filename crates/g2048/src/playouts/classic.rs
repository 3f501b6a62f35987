//! [`Classic`]: random 4x4 games, 32 at a time, at a few nanoseconds per move.
//!
//! # Idea
//!
//! Sliding in a random direction is equivalent to applying a random symmetry and then sliding left.
//! One slide kernel therefore serves all directions, and 32 games in byte lanes run without
//! branches between the checks for finished games:
//!
//! ```text
//! loop:
//!     repeat 8 times:                                 one try, with 32 random bits per game
//!         where transpose:       swap cells across the main diagonal
//!         where anti_transpose:  swap cells across the other diagonal
//!         slide the four rows to the left
//!         where the board changed:                    else the try isn't a move
//!             n = empty cells; k = position * n >> 16
//!             set the k-th empty cell to a 2, or a 4
//!     for each game without a legal move:
//!         add its result; start the next game in its lane
//! ```
//!
//! No swap means left, only the first means up, only the second means down, and both mean right. A
//! try that changes nothing isn't a move, so all legal directions are equally likely.
//!
//! # Layout
//!
//! The board is 16 registers, one per cell, with a byte lane per game (see `lanes`). The 32 streams
//! are eight registers of four words, `w0` to `w7`; stream 4g + j is word j of `wg`. A word has the
//! bits of two tries. Shifts and masks sort the 16-bit fields of all streams into two registers of
//! 16-bit lanes, one for the even and one for the odd byte lanes of the board:
//!
//! ```text
//! byte lane 8j +      0     1     2     3     4     5     6     7
//! field of word j of  w0    w4    w2    w6    w1    w5    w3    w7
//! register            even  odd   even  odd   even  odd   even  odd
//! ```

use super::packed::{OVERFLOW_RANK, play_interleaved, playout4x4};
use super::{Kernel, Start};
use crate::lanes::slide_line;
use crate::packed::{count_flags, nth_flag};
use crate::random_move::{FOUR_BELOW, MOVES_PER_BLOCK, RandomMove};
use crate::stats::Stats;
use bitcade_core::{PartJump, Parts, Stop, ThreadPool};
use bitcore::{Bytes, Isa, Lanes, Portable, Rng, SetBits, Streams, U16s, U64s, dispatch};
use core::array::from_fn;

/// The games of a seed on 4x4, in blocks.
#[derive(Clone, Debug)]
pub(crate) struct Classic {
    start: Start,
    block: Block,
    /// The first stream of the next block.
    next: Rng,
    kernel: Kernel,
}

/// The remaining games of a block.
#[derive(Clone, Debug)]
struct Block {
    /// The state of each stream between two games.
    streams: [Rng; 32],
    next_game: u64,
}

/// Games per block: large enough that few lanes idle at the end.
const BLOCK_GAMES: u64 = 1 << 16;
/// Games per block from a position. The rest of a game takes less time, searches play fewer games,
/// and every thread should get a block.
const BLOCK_GAMES_FROM_POSITION: u64 = 1 << 13;

/// The games between two looks at `stop`: milliseconds, also if many threads share a core.
const GAMES_PER_STOP: u64 = 1 << 14;

/// Returns the byte lane of a stream; see the module's picture.
const fn lane_of(stream: usize) -> usize {
    8 * (stream % 4) + 4 * (stream / 4 % 2) + 2 * (stream / 8 % 2) + stream / 16
}

/// A full board without a legal move, for lanes without a game.
const FINISHED_BOARD: [u8; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

type Cells<S> = [<S as Isa>::U8x32; 16];

impl Classic {
    pub(super) fn new(start: Start, seed: u64, kernel: Kernel) -> Self {
        let mut next = Rng::new(seed);
        Self { start, block: Block::new(&mut next), next, kernel }
    }

    const fn block_games(&self) -> u64 {
        if self.start.spawns == 2 { BLOCK_GAMES } else { BLOCK_GAMES_FROM_POSITION }
    }

    /// Begins the next block if the current one is complete. Returns how many of the next `games`
    /// games are in the block.
    fn next_part(&mut self, games: u64) -> u64 {
        if self.block.next_game == self.block_games() {
            self.block = Block::new(&mut self.next);
        }
        games.min(self.block_games() - self.block.next_game)
    }
}

/// One block, or what is left of it, per part.
impl Parts for Classic {
    type Stats = Stats;

    /// Skips a part that completes its block, whose streams aren't needed any more.
    fn skip(&mut self, games: u64, _: &mut PartJump) {
        self.next_part(games);
        self.block.next_game += games;
    }

    fn part(&self, _: &ThreadPool, games: u64) -> u64 {
        match self.block_games() - self.block.next_game {
            0 => games.min(self.block_games()),
            left => games.min(left),
        }
    }

    fn play_part(&mut self, games: u64, stop: Stop<'_>) -> Option<Stats> {
        let mut stats = Stats::default();
        let mut left = games;
        while left > 0 {
            if stop() {
                return None;
            }
            let games = self.next_part(left).min(GAMES_PER_STOP);
            stats += match self.kernel {
                Kernel::Lanes | Kernel::AnySize => self.block.run(&self.start, games),
                Kernel::Interleaved => self.block.run_interleaved(&self.start, games),
                Kernel::Single => self.block.run_one_by_one(&self.start, games),
            };
            left -= games;
        }
        Some(stats)
    }
}

impl Block {
    fn new(next: &mut Rng) -> Self {
        Self { streams: from_fn(|_| next.copy_and_jump()), next_game: 0 }
    }

    fn run(&mut self, start: &Start, games: u64) -> Stats {
        dispatch!(isa [block = self, start, games] => block.run_with(isa, start, games))
    }

    #[inline(always)]
    fn run_with<S: Isa>(&mut self, isa: S, start: &Start, games: u64) -> Stats {
        // Without vector registers, four interleaved 64-bit boards are twice as fast, unless the
        // tiles overflow them.
        if S::HAS_SIMD || start.board.max_rank() >= OVERFLOW_RANK {
            self.run_lanes(isa, start, games)
        } else {
            self.run_packed(isa, start, games)
        }
    }

    /// Claims the next `games` games. Returns how many there are on each stream.
    fn assign_games(&mut self, games: u64) -> [u64; 32] {
        // The number of games below n on a stream.
        let below = |n: u64, stream: u64| (n + 31 - stream) / 32;
        let mut quota = [0; 32];
        for (stream, quota) in (0..).zip(&mut quota) {
            *quota = below(self.next_game + games, stream) - below(self.next_game, stream);
        }
        self.next_game += games;
        quota
    }

    #[inline(always)]
    fn run_packed<S: Isa>(&mut self, isa: S, start: &Start, games: u64) -> Stats {
        let quota = self.assign_games(games);
        if S::FAST_PEXT {
            play_interleaved(isa, start, &mut self.streams, quota)
        } else {
            // Without PDEP, vector instructions only tempt the compiler to vectorize over the four
            // games.
            play_interleaved(Portable, start, &mut self.streams, quota)
        }
    }

    fn run_interleaved(&mut self, start: &Start, games: u64) -> Stats {
        dispatch!(isa + slow_pext [block = self, start, games] => block.run_packed(isa, start, games))
    }

    fn run_one_by_one(&mut self, start: &Start, games: u64) -> Stats {
        let mut stats = Stats::default();
        for _ in 0..games {
            playout4x4(start, &mut self.streams[self.next_game as usize % 32], &mut stats);
            self.next_game += 1;
        }
        stats
    }

    #[inline(always)]
    fn run_lanes<S: Isa>(&mut self, isa: S, start: &Start, games: u64) -> Stats {
        let mut stats = Stats::default();
        let mut quota = self.assign_games(games);
        let mut streams = load_streams_with(isa, &self.streams);
        let mut memory = [[0; 32]; 16];
        let mut running = 0u32;
        let mut fours = [0u32; 32];
        for (stream, quota) in quota.iter_mut().enumerate() {
            let lane = lane_of(stream);
            let mut board = FINISHED_BOARD;
            if *quota > 0 {
                *quota -= 1;
                running |= 1 << lane;
                (board, fours[lane]) = first_board_with(isa, start, &mut streams, stream);
            }
            set_lane(&mut memory, lane, &board);
        }
        let mut cells = cells_with(isa, &memory);
        let mut fours8 = isa.splat_u8(0);
        let mut blocks = 0;
        while running != 0 {
            for _ in 0..MOVES_PER_BLOCK / 2 {
                for random in draw_with(isa, &mut streams) {
                    fours8 = fours8 - try_move_with(isa, &mut cells, &random);
                }
            }
            let over = finished_with(isa, &cells) & running;
            blocks += 1;
            // A block spawns at most eight 4s, so a byte can count 30 blocks.
            if over == 0 && blocks < 30 {
                continue;
            }
            blocks = 0;
            for (sum, lane) in fours.iter_mut().zip(fours8.to_array()) {
                *sum += u32::from(lane);
            }
            fours8 = isa.splat_u8(0);
            for (group, cell) in memory.iter_mut().zip(cells) {
                *group = cell.to_array();
            }
            for lane in SetBits(over.into()).map(|lane| lane as usize) {
                let ranks = memory.iter().map(|group| group[lane]);
                start.finish(ranks, fours[lane].into(), &mut stats);
                let stream = stream_of(lane);
                if quota[stream] == 0 {
                    running &= !(1 << lane);
                    set_lane(&mut memory, lane, &FINISHED_BOARD);
                    // The lane keeps drawing with the others, so save the stream's state now.
                    self.streams[stream] =
                        streams[stream / 4].into_generators()[stream % 4].clone();
                } else {
                    quota[stream] -= 1;
                    let board;
                    (board, fours[lane]) = first_board_with(isa, start, &mut streams, stream);
                    set_lane(&mut memory, lane, &board);
                }
            }
            cells = cells_with(isa, &memory);
        }
        stats
    }
}

/// Returns the stream of a byte lane, the inverse of [`lane_of`].
const fn stream_of(lane: usize) -> usize {
    lane / 8 + 4 * (lane / 4 % 2) + 8 * (lane / 2 % 2) + 16 * (lane % 2)
}

#[inline(always)]
fn load_streams_with<S: Isa>(isa: S, generators: &[Rng; 32]) -> [Streams<S>; 8] {
    let mut streams = [Streams::from_words(isa, &[[0; 4]; 4]); 8];
    for (streams, four) in streams.iter_mut().zip(generators.as_chunks::<4>().0) {
        *streams = Streams::new(isa, four.clone());
    }
    streams
}

#[inline(always)]
fn cells_with<S: Isa>(isa: S, memory: &[[u8; 32]; 16]) -> Cells<S> {
    let mut cells = [isa.splat_u8(0); 16];
    for (cell, group) in cells.iter_mut().zip(memory) {
        *cell = isa.u8x32(group);
    }
    cells
}

fn set_lane(memory: &mut [[u8; 32]; 16], lane: usize, ranks: &[u8; 16]) {
    for (group, &rank) in memory.iter_mut().zip(ranks) {
        group[lane] = rank;
    }
}

/// The fields of 32 [`RandomMove`](crate::RandomMove)s in 16-bit lanes: the even byte lanes, then
/// the odd ones.
#[derive(Clone, Copy)]
struct RandomMoves<S: Isa> {
    position: [S::U16x16; 2],
    /// The low 16 bits: tile and symmetry.
    low: [S::U16x16; 2],
}

/// Draws the next word of every stream, as two tries.
#[inline(always)]
fn draw_with<S: Isa>(isa: S, streams: &mut [Streams<S>; 8]) -> [RandomMoves<S>; 2] {
    let mut words = [isa.splat_u64(0); 8];
    for (word, streams) in words.iter_mut().zip(streams) {
        *word = streams.next_u64s();
    }
    split_words_with(isa, &words)
}

/// Draws the next word of one stream; the others don't advance.
#[inline(always)]
fn draw_one_with<S: Isa>(isa: S, streams: &mut [Streams<S>; 8], stream: usize) -> u64 {
    let mut chosen = [0; 4];
    chosen[stream % 4] = u64::MAX;
    streams[stream / 4].next_u64s_masked(isa.u64x4(&chosen)).to_array()[stream % 4]
}

/// Returns the first board of the next game of a stream, with its spawns, and its number of spawned
/// 4s.
#[inline(always)]
fn first_board_with<S: Isa>(
    isa: S,
    start: &Start,
    streams: &mut [Streams<S>; 8],
    stream: usize,
) -> ([u8; 16], u32) {
    let mut ranks = start.board.first_ranks();
    let mut empty = start.packed.empty_flags();
    let mut word = if start.spawns == 0 { 0 } else { draw_one_with(isa, streams, stream) };
    let mut fours = 0;
    for _ in 0..start.spawns {
        let random = RandomMove::new(word as u32);
        let spawned = nth_flag(empty, (u64::from(random.position) * count_flags(empty)) >> 16);
        ranks[spawned.trailing_zeros() as usize / 4 % 16] = 1 + u8::from(random.four);
        fours += u32::from(random.four);
        empty ^= spawned;
        word >>= 32;
    }
    (ranks, fours)
}

/// Splits each word into two tries, and each try into fields. The order of the shifts determines
/// [`lane_of`].
#[inline(always)]
fn split_words_with<S: Isa>(isa: S, words: &[S::U64x4; 8]) -> [RandomMoves<S>; 2] {
    let low32 = isa.splat_u64(0xffff_ffff);
    let low16 = isa.splat_u64(0x0000_ffff_0000_ffff);
    let zero = isa.bitcast_u64_u16(isa.splat_u64(0));
    let mut moves = [RandomMoves::<S> { position: [zero; 2], low: [zero; 2] }; 2];
    for (pair, words) in words.as_chunks::<4>().0.iter().enumerate() {
        let [a, b, c, d] = *words;
        let low = [(a & low32) | b.shl::<32>(), (c & low32) | d.shl::<32>()];
        let high = [a.shr::<32>() | b.and_not(low32), c.shr::<32>() | d.and_not(low32)];
        for (random, [even, odd]) in moves.iter_mut().zip([low, high]) {
            random.low[pair] = isa.bitcast_u64_u16((even & low16) | (odd & low16).shl::<16>());
            random.position[pair] =
                isa.bitcast_u64_u16((even.shr::<16>() & low16) | odd.and_not(low16));
        }
    }
    moves
}

/// Joins the low bytes of two groups of 16-bit lanes: even byte lanes from the first, odd ones from
/// the second.
#[inline(always)]
fn join_bytes_with<S: Isa>(isa: S, [even, odd]: [S::U16x16; 2]) -> S::U8x32 {
    isa.bitcast_u64_u8(isa.bitcast_u16_u64((even & isa.splat_u16(0xff)) | odd.shl::<8>()))
}

/// Spawns in the lanes of a mask, on boards that were just slid left; `empty` is the negated number
/// of empty cells of each row. Returns the lane mask of the spawned 4s.
///
/// The empty cells of a row are its last ones, so counting them per row finds the spawn. `passed`
/// is the number of empty cells up to and including a row, minus the `before` empty cells that
/// precede the spawn, minus one. It turns from negative to 0 or more in the row of the spawn, and
/// is then the column, counted from the right:
///
/// ```text
/// before = 4      empty cells    passed
/// | 2 . . . |          3        -5 -> -2
/// | 4 2 . * |          2        -2 ->  0     the spawn, in column 0 from the right
/// | 2 . . . |          3         0 ->  3
/// ```
///
/// One shuffle per cell then writes the tile.
#[inline(always)]
fn spawn_behind_tiles_with<S: Isa>(
    isa: S,
    cells: &mut Cells<S>,
    empty: [S::U8x32; 4],
    random: &RandomMoves<S>,
    lanes: S::U8x32,
) -> S::U8x32 {
    let count = isa.splat_u8(0) - ((empty[0] + empty[1]) + (empty[2] + empty[3]));
    let count = isa.bitcast_u64_u16(isa.bitcast_u8_u64(count));
    // With the counts in the high bytes, the integer parts of the products are in the high bytes
    // too.
    let [even, odd] = random.position;
    let high = isa.splat_u16(0xff00);
    let even = even.mul_high(count.shl::<8>()).shr::<8>();
    let odd = odd.mul_high(count & high) & high;
    let before = isa.bitcast_u64_u8(isa.bitcast_u16_u64(even | odd));
    let below = isa.splat_u16(FOUR_BELOW - 1);
    let [even, odd] = random.low;
    let four = [even.min(below).cmp_eq(even), odd.min(below).cmp_eq(odd)];
    let four = join_bytes_with(isa, four) & lanes;
    // Lanes without a spawn start far below zero, where `passed` stays negative.
    let mut passed = !(before | isa.splat_u8(0x40).and_not(lanes));
    let sign = isa.splat_u8(0x80);
    let four_bit = four & isa.splat_u8(8);
    let mut tables = [[0; 32]; 4];
    for (column, table) in tables.iter_mut().enumerate() {
        for half in [0, 16] {
            (table[half + 3 - column], table[half + 8 + 3 - column]) = (1, 2);
        }
    }
    let tables = tables.each_ref().map(|table| isa.u8x32(table));
    for (row, empty) in cells.as_chunks_mut::<4>().0.iter_mut().zip(empty) {
        let passed_above = passed;
        passed = passed - empty;
        // In every row except the spawn's, the top bit of the index is set, and the shuffle returns 0.
        let index = passed | (sign.and_not(passed_above) | four_bit);
        for (cell, table) in row.iter_mut().zip(tables) {
            *cell = *cell | table.shuffle(index);
        }
    }
    four
}

/// Returns the lane mask of spawned 4s.
#[inline(always)]
fn try_move_with<S: Isa>(isa: S, cells: &mut Cells<S>, random: &RandomMoves<S>) -> S::U8x32 {
    let bits = join_bytes_with(isa, random.low);
    let one = isa.splat_u8(1);
    let two = isa.splat_u8(2);
    let transpose = (bits & one).cmp_eq(one);
    for (a, b) in [(1, 4), (2, 8), (3, 12), (6, 9), (7, 13), (11, 14)] {
        swap_cells_with::<S>(cells, a, b, transpose);
    }
    let anti_transpose = (bits & two).cmp_eq(two);
    for (a, b) in [(0, 15), (1, 11), (2, 7), (4, 14), (5, 10), (8, 13)] {
        swap_cells_with::<S>(cells, a, b, anti_transpose);
    }
    // Unrolled by hand: a loop that the compiler leaves rolled keeps the board in memory.
    let mut changed = isa.splat_u8(0);
    let empty = [
        slide_row_with::<S, 0>(isa, cells, &mut changed),
        slide_row_with::<S, 1>(isa, cells, &mut changed),
        slide_row_with::<S, 2>(isa, cells, &mut changed),
        slide_row_with::<S, 3>(isa, cells, &mut changed),
    ];
    let moved = !changed.cmp_eq(isa.splat_u8(0));
    spawn_behind_tiles_with(isa, cells, empty, random, moved)
}

#[inline(always)]
fn swap_cells_with<S: Isa>(cells: &mut Cells<S>, a: usize, b: usize, lanes: S::U8x32) {
    let first = cells[a];
    let second = cells[b];
    cells[a] = lanes.blend_lanes(second, first);
    cells[b] = lanes.blend_lanes(first, second);
}

/// Slides a row left and sets bits of `changed` in the lanes where a cell changes. Returns the
/// negated number of empty cells in the row.
#[inline(always)]
fn slide_row_with<S: Isa, const ROW: usize>(
    isa: S,
    cells: &mut Cells<S>,
    changed: &mut S::U8x32,
) -> S::U8x32 {
    let at = 4 * ROW;
    let mut line = [cells[at], cells[at + 1], cells[at + 2], cells[at + 3]];
    let slide = slide_line(isa, &mut line, &mut ());
    cells[at..at + 4].copy_from_slice(&line);
    *changed = *changed | slide.changed;
    slide.negated_empty
}

/// Returns the bit mask of the boards without a legal move: no empty cell and no two equal
/// neighbors.
#[inline(always)]
fn finished_with<S: Isa>(isa: S, cells: &Cells<S>) -> u32 {
    let mut alive = isa.splat_u8(0);
    for at in 0..16 {
        alive = alive | cells[at].cmp_eq(isa.splat_u8(0));
        if at % 4 < 3 {
            alive = alive | cells[at].cmp_eq(cells[at + 1]);
        }
        if at < 12 {
            alive = alive | cells[at].cmp_eq(cells[at + 4]);
        }
    }
    alive.zero_bitmask()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::reference::naive_playout4x4;
    use alloc::vec::Vec;

    /// Compares games in lanes on every level, including the levels on which `run` chooses the
    /// packed form.
    #[test]
    fn games_in_lanes_are_the_naive_games() {
        for seed in 0..testkit::cases(40) {
            let portions = [Rng::new(seed).below(70).into(), seed % 3, 33];
            let mut streams: Vec<Rng> = Rng::streams(seed).take(32).collect();
            let mut next = 0;
            let expected = portions.map(|games| {
                let numbers = next..next + games as usize;
                next = numbers.end;
                numbers.map(|number| naive_playout4x4(&mut streams[number % 32])).sum::<Stats>()
            });
            testkit::on_each_level(|| {
                let start = Start::empty(Size::CLASSIC);
                let mut playouts = Classic::new(start.clone(), seed, Kernel::Lanes);
                for (games, expected) in portions.into_iter().zip(&expected) {
                    let found = dispatch!(isa => playouts.block.run_lanes(isa, &start, games));
                    assert_eq!(found, *expected, "{portions:?}");
                }
            });
        }
    }
}
