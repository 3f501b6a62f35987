//! [`Games32`]: 32 games in byte lanes with their random streams, the core of [`Playouts`](crate::Playouts)
//! and [`Batch`](crate::Batch).
//!
//! A board has one byte per game and cell, a random word has eight. Game 8j + t draws from word j
//! of `streams[t]`: this puts a game's byte and its random word into the same 64 bits of a
//! register, where shifts bring them together:
//!
//! ```text
//! 32 byte lanes    |  0  1 ..  7 |  8  9 .. 15 | 16 17 .. 23 | 24 25 .. 31 |
//! streams[0]       |  game 0     |  game 8     |  game 16    |  game 24    |
//! streams[1]       |  game 1     |  game 9     |  game 17    |  game 25    |
//! ..
//! streams[7]       |  game 7     |  game 15    |  game 23    |  game 31    |
//! ```

use crate::board::{Board, Size};
use crate::lanes::{Boards32, slide_chosen_with};
use bitcore::{Bytes, Isa, Lanes, Rng, Streams, U64s, dispatch};

/// Lane masks (each byte all ones or all zeros), one for each of
/// [`Direction::ALL`](crate::Direction::ALL).
pub(crate) type DirectionMasks = [[u8; 32]; 4];

/// A lane without a game has an empty board.
#[derive(Clone, Debug)]
pub(crate) struct Games32 {
    boards: Boards32,
    /// The [words](Streams::words) of the streams' states: game 8j + t is lane j of `streams[t]`.
    streams: [[[u64; 4]; 4]; 8],
    /// The mask of the lanes that have a game.
    live: [u8; 32],
    /// The legal moves of each game, as of the last [`update_legal`](Self::update_legal).
    legal: DirectionMasks,
}

impl Games32 {
    pub(crate) const fn new(size: Size) -> Self {
        Self {
            boards: Boards32::empty(size),
            streams: [[[0; 4]; 4]; 8],
            live: [0; 32],
            legal: [[0; 32]; 4],
        }
    }

    #[inline(always)]
    pub(crate) const fn boards(&self) -> &Boards32 {
        &self.boards
    }

    #[inline(always)]
    pub(crate) const fn legal(&self) -> &DirectionMasks {
        &self.legal
    }

    pub(crate) fn start(&mut self, lane: usize, mut rng: Rng) {
        let board = Board::start(self.boards.size(), &mut rng);
        self.set(lane, &board, &rng);
    }

    pub(crate) fn set(&mut self, lane: usize, board: &Board, rng: &Rng) {
        self.boards.set(lane, board);
        rng.store_lane(&mut self.streams[lane % 8], lane / 8);
        self.live[lane] = 0xff;
    }

    pub(crate) fn stream(&self, lane: usize) -> Option<Rng> {
        // All zeros mark an unused lane: no stream has that state.
        Rng::from_lane(&self.streams[lane % 8], lane / 8)
    }

    pub(crate) fn clear_lane(&mut self, lane: usize) {
        self.boards.set(lane, &Board::empty(self.boards.size()));
        self.live[lane] = 0;
    }

    /// Returns the mask of finished games: bit i is lane i.
    pub(crate) fn update_legal(&mut self) -> u32 {
        dispatch!(isa [games = self] => games.update_legal_with(isa))
    }

    #[inline(always)]
    fn update_legal_with<S: Isa>(&mut self, isa: S) -> u32 {
        let mut alive = isa.splat_u8(0);
        let legal = self.boards.legal_with(isa);
        for (lanes, legal) in self.legal.iter_mut().zip(legal) {
            *lanes = legal.to_array();
            alive = alive | legal;
        }
        isa.u8x32(&self.live).and_not(alive).movemask()
    }

    /// Returns the mask of the games whose chosen direction is legal: bit i is lane i.
    pub(crate) fn are_legal(&self, chosen: &DirectionMasks) -> u32 {
        dispatch!(isa [games = self, chosen] => games.are_legal_with(isa, chosen))
    }

    #[inline(always)]
    fn are_legal_with<S: Isa>(&self, isa: S, chosen: &DirectionMasks) -> u32 {
        let mut legal = isa.splat_u8(0);
        for (chosen, lanes) in chosen.iter().zip(&self.legal) {
            legal = legal | (isa.u8x32(chosen) & isa.u8x32(lanes));
        }
        legal.movemask()
    }

    /// Draws one legal move per game: number `below(n)` of its n legal moves, in the order of the
    /// directions. If only some games play, the streams of the others stay.
    pub(crate) fn draw_moves(&mut self, playing: Option<&[u8; 32]>) -> DirectionMasks {
        dispatch!(isa [games = self, playing] => games.draw_moves_with(isa, playing))
    }

    #[inline(always)]
    fn draw_moves_with<S: Isa>(&mut self, isa: S, playing: Option<&[u8; 32]>) -> DirectionMasks {
        let zero = isa.splat_u8(0);
        let mut count = zero;
        for legal in &self.legal {
            // A lane mask is -1.
            count = count - isa.u8x32(legal);
        }
        let [draws] = self.draw_with(isa, playing);
        let mut left = below_with(isa, &draws, count);
        let mut chosen = [[0; 32]; 4];
        for (chosen, legal) in chosen.iter_mut().zip(&self.legal) {
            let legal = isa.u8x32(legal);
            *chosen = (legal & left.cmp_eq(zero)).to_array();
            // After the chosen move `left` wraps to 255 and doesn't return to 0.
            left = left + legal;
        }
        chosen
    }

    /// Returns 1 in the lanes that spawned a 4, else 0.
    ///
    /// If only some games play, given by a lane mask, the others' boards and streams stay.
    pub(crate) fn play(
        &mut self,
        chosen: &DirectionMasks,
        gains: Option<&mut [u64; 32]>,
        playing: Option<&[u8; 32]>,
    ) -> [u8; 32] {
        dispatch!(isa [games = self, chosen, gains, playing] => games.play_with(isa, chosen, gains, playing))
    }

    #[inline(always)]
    fn play_with<S: Isa>(
        &mut self,
        isa: S,
        chosen: &DirectionMasks,
        gains: Option<&mut [u64; 32]>,
        playing: Option<&[u8; 32]>,
    ) -> [u8; 32] {
        let mut moves = *chosen;
        if let Some(playing) = playing {
            for lanes in &mut moves {
                *lanes = (isa.u8x32(lanes) & isa.u8x32(playing)).to_array();
            }
        }
        slide_chosen_with(isa, &mut self.boards, &moves, gains);
        let [nth, kind] = self.draw_with(isa, playing);
        let nth = below_with(isa, &nth, self.boards.empty_with(isa));
        let mut live = isa.u8x32(&self.live);
        let one = isa.splat_u8(1);
        if let Some(playing) = playing {
            live = live & isa.u8x32(playing);
        }
        let four = below_with(isa, &kind, isa.splat_u8(10)).cmp_eq(isa.splat_u8(0)) & live & one;
        self.boards.spawn_with(isa, nth, (one & live) + four);
        four.to_array()
    }

    /// Writes each game's observation and mask of legal moves, row-major, for as many games as fit.
    pub(crate) fn write_rows(&self, obs: &mut [u8], mask: &mut [bool]) {
        dispatch!(isa [games = self, obs, mask] => games.write_rows_with(isa, obs, mask));
    }

    #[inline(always)]
    fn write_rows_with<S: Isa>(&self, isa: S, obs: &mut [u8], mask: &mut [bool]) {
        self.boards.write_rows_with(isa, obs);
        let mut sets = isa.splat_u8(0);
        for (d, legal) in self.legal.iter().enumerate() {
            sets = sets | (isa.u8x32(legal) & isa.splat_u8(1 << d));
        }
        for (row, set) in mask.as_chunks_mut::<4>().0.iter_mut().zip(sets.to_array()) {
            *row = DIRECTION_FLAGS[usize::from(set % 16)];
        }
    }

    #[inline(always)]
    fn draw_with<S: Isa, const D: usize>(
        &mut self,
        isa: S,
        playing: Option<&[u8; 32]>,
    ) -> [[S::U64x4; 8]; D] {
        let mut draws = [[isa.splat_u64(0); 8]; D];
        let byte = isa.splat_u64(0xff);
        let mut playing = playing.map(|playing| isa.bitcast_u8_u64(isa.u8x32(playing)));
        for (t, words) in self.streams.iter_mut().enumerate() {
            let before = *words;
            let mut streams = Streams::from_words(isa, words);
            for draw in &mut draws {
                draw[t] = streams.next_u64s();
            }
            *words = streams.words();
            if let Some(playing) = &mut playing {
                let lanes = (*playing & byte).cmp_eq(byte);
                for (word, before) in words.iter_mut().zip(&before) {
                    *word = lanes.blend_lanes(isa.u64x4(word), isa.u64x4(before)).to_array();
                }
                *playing = playing.shr::<8>();
            }
        }
        draws
    }
}

/// The flags of each set of directions: flag d is bit d of the index.
const DIRECTION_FLAGS: [[bool; 4]; 16] = {
    let mut flags = [[false; 4]; 16];
    let mut set = 0;
    while set < 16 {
        flags[set] = [set & 1 == 1, set & 2 == 2, set & 4 == 4, set & 8 == 8];
        set += 1;
    }
    flags
};

/// Returns [`Rng::below`] lane by lane: the high half of the 128-bit product of the drawn word and
/// `n`.
#[inline(always)]
fn below_with<S: Isa>(isa: S, draws: &[S::U64x4; 8], n: S::U8x32) -> S::U8x32 {
    let byte = isa.splat_u64(0xff);
    let mut n = isa.bitcast_u8_u64(n);
    let mut below = isa.splat_u64(0);
    for &draw in draws {
        let factor = n & byte;
        let high = draw.shr::<32>().mul_u32(factor) + draw.mul_u32(factor).shr::<32>();
        // The result, less than 256, is in the upper half of `high`.
        below = below.shr::<8>() | high.shr::<32>().shl::<56>();
        n = n.shr::<8>();
    }
    isa.bitcast_u64_u8(below)
}
