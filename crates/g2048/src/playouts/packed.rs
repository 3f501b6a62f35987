//! The games of [`Classic`](crate::playouts::Classic) on [`Packed`] boards.

use super::Start;
use crate::board::Board;
use crate::packed::{Packed, ROW_TABLES, count_flags, nth_flag, slide_rows};
use crate::random_move::{MOVES_PER_BLOCK, RandomMove};
use crate::reference::naive_playout4x4_from;
use crate::stats::Stats;
use bitcore::{Isa, Rng, dispatch};

/// Plays the next game of a stream of [`Classic`](crate::playouts::Classic) from a board that can
/// be packed.
pub(crate) fn playout4x4(start: &Start, stream: &mut Rng, stats: &mut Stats) {
    let last = dispatch!(isa + slow_pext [start, stream] => {
        PackedGame::start_with(isa, start, stream).play_out_with(isa, stream)
    });
    last.finish(start, stats);
}

/// The number of interleaved games: the table lookups of one overlap with the work of the others.
const INTERLEAVED_GAMES: usize = 4;

/// Plays `quota[i]` games on `streams[i]` and returns their statistics.
#[inline(never)]
pub(crate) fn play_interleaved<S: Isa>(
    isa: S,
    start: &Start,
    streams: &mut [Rng; 32],
    quota: [u64; 32],
) -> Stats {
    isa.enter(
        #[inline(always)]
        || play_interleaved_with(isa, start, streams, quota),
    )
}

#[inline(always)]
fn play_interleaved_with<S: Isa>(
    isa: S,
    start: &Start,
    streams: &mut [Rng; 32],
    quota: [u64; 32],
) -> Stats {
    let mut stats = Stats::default();
    let mut quota = quota;
    let mut unassigned = 0..32;
    let mut next_stream = |quota: &[u64; 32]| unassigned.find(|&stream| quota[stream] > 0);
    // Copies of the streams in use can stay in registers.
    let mut games = [PackedGame::EMPTY; INTERLEAVED_GAMES];
    let mut rngs = [const { None }; INTERLEAVED_GAMES].map(|_: Option<Rng>| streams[0].clone());
    let mut slots = [None; INTERLEAVED_GAMES];
    for slot in 0..INTERLEAVED_GAMES {
        if let Some(stream) = next_stream(&quota) {
            rngs[slot] = streams[stream].clone();
            games[slot] = PackedGame::start_with(isa, start, &mut rngs[slot]);
            slots[slot] = Some(stream);
        }
    }
    while slots.iter().any(Option::is_some) {
        for _ in 0..MOVES_PER_BLOCK / 2 {
            let mut words = [0; INTERLEAVED_GAMES];
            for (word, rng) in words.iter_mut().zip(&mut rngs) {
                *word = rng.next_u64();
            }
            for (game, &word) in games.iter_mut().zip(&words) {
                game.try_move_with(isa, word as u32);
            }
            for (game, &word) in games.iter_mut().zip(&words) {
                game.try_move_with(isa, (word >> 32) as u32);
            }
        }
        for slot in 0..INTERLEAVED_GAMES {
            if !games[slot].may_be_over() {
                continue;
            }
            // A slot without a stream has no game.
            let Some(stream) = slots[slot] else { continue };
            let Some(last) = games[slot].finish_if_over(&mut rngs[slot]) else { continue };
            last.finish(start, &mut stats);
            quota[stream] -= 1;
            if quota[stream] == 0 {
                streams[stream] = rngs[slot].clone();
                slots[slot] = next_stream(&quota);
                if let Some(stream) = slots[slot] {
                    rngs[slot] = streams[stream].clone();
                }
            }
            if slots[slot].is_some() {
                games[slot] = PackedGame::start_with(isa, start, &mut rngs[slot]);
            }
        }
    }
    stats
}

/// The end of a game: its last board, and its number of spawned 4s.
struct Last {
    board: Board,
    fours: u64,
}

impl Last {
    #[inline(always)]
    fn finish(&self, start: &Start, stats: &mut Stats) {
        start.finish(self.board.first_ranks().into_iter(), self.fours, stats);
    }
}

/// The least rank from which a board [may overflow](PackedGame::near_overflow).
pub(crate) const OVERFLOW_RANK: u8 = 12;

/// A game of [`Classic`](crate::playouts::Classic), which draws [`RandomMove`]s.
#[derive(Clone, Copy)]
struct PackedGame {
    /// The board, possibly rotated by 180 degrees.
    stored: Packed,
    /// All ones if the board is rotated, else 0. Sliding right and counting from the last cell is
    /// cheaper than rotating.
    rotated: u64,
    fours: u64,
}

impl PackedGame {
    const EMPTY: Self = Self { stored: Packed::EMPTY, rotated: 0, fours: 0 };

    #[inline(always)]
    fn start_with<S: Isa>(isa: S, start: &Start, stream: &mut Rng) -> Self {
        let mut game = Self { stored: start.packed, ..Self::EMPTY };
        let mut word = if start.spawns == 0 { 0 } else { stream.next_u64() };
        for _ in 0..start.spawns {
            game.spawn_with(isa, RandomMove::new(word as u32), 1);
            word >>= 32;
        }
        game
    }

    #[inline(always)]
    fn board(&self) -> Board {
        let Packed(bits) = self.stored;
        Packed(if self.rotated == 0 { bits } else { rotate_180(bits) }).board()
    }

    #[inline(always)]
    fn play_out_with<S: Isa>(mut self, isa: S, stream: &mut Rng) -> Last {
        if self.near_overflow() {
            return finish_unpacked(self.board(), self.fours, stream);
        }
        loop {
            for _ in 0..MOVES_PER_BLOCK / 2 {
                let word = stream.next_u64();
                self.try_move_with(isa, word as u32);
                self.try_move_with(isa, (word >> 32) as u32);
            }
            if let Some(last) = self.finish_if_over(stream) {
                return last;
            }
        }
    }

    /// Applies the symmetry, slides the board left, and spawns if the slide changed it. Each board
    /// depends on the one before, so the path between them is branchless and short.
    #[inline(always)]
    fn try_move_with<S: Isa>(&mut self, isa: S, bits: u32) {
        let random = RandomMove::new(bits);
        // Mirroring across both diagonals rotates by 180 degrees. So mirroring across the second
        // diagonal is mirroring across the first, then rotating.
        let transpose = 0u64.wrapping_sub(u64::from(random.transpose != random.anti_transpose));
        self.rotated ^= 0u64.wrapping_sub(random.anti_transpose.into());
        let before = self.stored.transpose_if(transpose);
        let table = if self.rotated == 0 { &ROW_TABLES.left } else { &ROW_TABLES.right };
        self.stored = Packed(slide_rows(before.0, table));
        self.spawn_with(isa, random, (self.stored != before).into());
    }

    /// Spawns a tile if `moved` is 1, and does nothing if it is 0.
    #[inline(always)]
    fn spawn_with<S: Isa>(&mut self, isa: S, random: RandomMove, moved: u64) {
        let empty = self.stored.empty_flags();
        let cells = count_flags_with(isa, empty);
        let k = (u64::from(random.position) * cells) >> 16;
        // In a rotated board, counts from the last cell: cells - 1 - k.
        let k = (k ^ self.rotated).wrapping_add(cells & self.rotated);
        let four = u64::from(random.four);
        self.stored.0 |= (nth_flag_with(isa, empty, k) & 0u64.wrapping_sub(moved)) << four;
        self.fours += four & moved;
    }

    /// Returns `true` if [`finish_if_over`](Self::finish_if_over) may return a game.
    #[inline(always)]
    fn may_be_over(&self) -> bool {
        self.stored.empty_flags() == 0 || self.near_overflow()
    }

    /// Returns `true` if the board has a tile of 4096 or more. Without one the tiles sum to at most
    /// 2^15, so a block of tries can't reach 65536, the first tile that doesn't fit.
    #[inline(always)]
    fn near_overflow(&self) -> bool {
        self.stored.0 >> 3 & self.stored.0 >> 2 & 0x1111_1111_1111_1111 != 0
    }

    /// Returns the end if the game is over, between two blocks. Near overflow, finishes the game
    /// with one byte per cell.
    #[inline(always)]
    fn finish_if_over(&self, stream: &mut Rng) -> Option<Last> {
        if self.near_overflow() {
            return Some(finish_unpacked(self.board(), self.fours, stream));
        }
        self.stored.is_over().then(|| Last { board: self.board(), fours: self.fours })
    }
}

#[inline(always)]
const fn rotate_180(board: u64) -> u64 {
    let board = board.swap_bytes();
    (board >> 4 & 0x0f0f_0f0f_0f0f_0f0f) | (board & 0x0f0f_0f0f_0f0f_0f0f) << 4
}

/// Counts flags like [`count_flags`], with one instruction on levels that have it.
#[inline(always)]
fn count_flags_with<S: Isa>(_: S, flags: u64) -> u64 {
    if S::FAST_PEXT { flags.count_ones().into() } else { count_flags(flags) }
}

/// Returns the `k`-th flag like [`nth_flag`], with two instructions on levels with a fast PDEP.
#[inline(always)]
fn nth_flag_with<S: Isa>(isa: S, flags: u64, k: u64) -> u64 {
    if S::FAST_PEXT { isa.pdep(1u64.wrapping_shl(k as u32), flags) } else { nth_flag(flags, k) }
}

/// Finishes a game, from between two blocks, with one byte per cell.
#[cold]
fn finish_unpacked(board: Board, fours: u64, stream: &mut Rng) -> Last {
    if board.is_over() {
        return Last { board, fours };
    }
    let rest = naive_playout4x4_from(board, 0, stream);
    let last = rest.board();
    // See `Start`.
    let more_fours = (last.potential() - board.potential() - rest.score()) / 4;
    Last { board: last, fours: fours + more_fours }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::game::Game;

    #[test]
    fn tiles_from_4096_on_are_near_overflow() {
        for (cell, rank) in (0..16).flat_map(|cell| (0..16).map(move |rank| (cell, rank))) {
            let game = PackedGame { stored: Packed(rank << (4 * cell)), ..PackedGame::EMPTY };
            assert_eq!(game.near_overflow(), rank >= 12, "rank {rank} on cell {cell}");
        }
    }

    /// Compares games that start with large tiles, and outgrow the packed form, with games in
    /// bytes.
    #[test]
    fn games_that_outgrow_the_packed_form() {
        let mut games = 0;
        let mut overflowed = 0;
        for seed in 0..testkit::cases(200) {
            let mut rng = Rng::new(seed);
            let ranks: [u8; 16] = core::array::from_fn(|_| {
                if rng.below(3) == 0 { 0 } else { [13, 13, 13, 11, 1][rng.below(5) as usize] }
            });
            let board = Board::from_fn(Size::CLASSIC, |cell| ranks[cell]);
            let game = PackedGame { stored: Packed::clamped(&board), ..PackedGame::EMPTY };
            testkit::on_each_level(|| {
                let mut stream = rng.clone();
                let mut twin = rng.clone();
                let found = dispatch!(isa => game.play_out_with(isa, &mut stream));
                let expected = naive_playout4x4_from(board, 0, &mut twin);
                assert_eq!(found.board, expected.board(), "{seed}");
                let mut stats = Stats::default();
                found.finish(&Start::game(&Game::from(board)), &mut stats);
                assert_eq!(stats, core::iter::once(expected).sum(), "{seed}");
                assert_eq!(stream, twin, "{seed}");
                games += 1;
                overflowed += u32::from(found.board.max_rank() > 15);
            });
        }
        assert!(20 * overflowed > games, "{overflowed} of {games}");
    }
}
