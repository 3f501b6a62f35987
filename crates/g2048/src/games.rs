//! [`Games32`]: 32 games in byte lanes, what [`Playouts`](crate::Playouts) and [`Batch`](crate::Batch) are made of.

use crate::board::{Board, Size};
use crate::lanes::{Boards32, slide_chosen_with};
use bitcore::{Bytes, Isa, Lanes, Level, Rng, Streams, U64s, dispatch};

/// One byte for each lane, all ones or all zeros, for each of [`Direction::ALL`](crate::Direction::ALL).
pub(crate) type DirectionMasks = [[u8; 32]; 4];

/// 32 games of one size, each with a stream of its own. A lane without a game has an empty board.
#[derive(Clone, Debug)]
pub(crate) struct Games32 {
    boards: Boards32,
    /// The streams' [words](Streams::words): lane 8j + t is lane j of `streams[t]`. So the bytes of 32 lanes and the
    /// words of 32 streams meet by shifts alone.
    streams: [[[u64; 4]; 4]; 8],
    /// All ones in the lanes that have a game.
    live: [u8; 32],
    /// Which moves are legal.
    legal: DirectionMasks,
}

impl Games32 {
    /// Returns lanes without games.
    pub(crate) const fn new(size: Size) -> Self {
        Self { boards: Boards32::empty(size), streams: [[[0; 4]; 4]; 8], live: [0; 32], legal: [[0; 32]; 4] }
    }

    #[inline(always)]
    pub(crate) const fn boards(&self) -> &Boards32 {
        &self.boards
    }

    /// Returns which moves are legal, as [`update_legal`](Self::update_legal) saw it.
    #[inline(always)]
    pub(crate) const fn legal(&self) -> &DirectionMasks {
        &self.legal
    }

    /// Starts a game in a lane, which goes on with this stream, and returns its first position.
    pub(crate) fn start(&mut self, lane: usize, mut rng: Rng) -> Board {
        let board = Board::start(self.boards.size(), &mut rng);
        self.boards.set(lane, &board);
        rng.store_lane(&mut self.streams[lane % 8], lane / 8);
        self.live[lane] = 0xff;
        board
    }

    /// Starts the next game of a lane's stream.
    pub(crate) fn restart(&mut self, lane: usize) {
        // A stream that was begun is never all zeros.
        if let Some(rng) = Rng::from_lane(&self.streams[lane % 8], lane / 8) {
            self.start(lane, rng);
        }
    }

    /// Leaves a lane without a game.
    pub(crate) fn clear_lane(&mut self, lane: usize) {
        self.boards.set(lane, &Board::empty(self.boards.size()));
        self.live[lane] = 0;
    }

    /// Finds the legal moves after boards have changed. Returns the mask of the games that are over.
    pub(crate) fn update_legal(&mut self, level: Level) -> u32 {
        dispatch!(level, isa [games = self] => games.update_legal_with(isa))
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

    /// Draws one of the legal moves in each game: of n in the order of the directions, number `below(n)`.
    pub(crate) fn draw_moves(&mut self, level: Level) -> DirectionMasks {
        dispatch!(level, isa [games = self] => games.draw_moves_with(isa))
    }

    #[inline(always)]
    fn draw_moves_with<S: Isa>(&mut self, isa: S) -> DirectionMasks {
        let zero = isa.splat_u8(0);
        let mut count = zero;
        for legal in &self.legal {
            // A lane mask is -1.
            count = count - isa.u8x32(legal);
        }
        let [draws] = self.draw_with(isa);
        let mut left = below_with(isa, &draws, count);
        let mut chosen = [[0; 32]; 4];
        for (chosen, legal) in chosen.iter_mut().zip(&self.legal) {
            let legal = isa.u8x32(legal);
            *chosen = (legal & left.cmp_eq(zero)).to_array();
            // Behind the one that was hit this wraps to 255 and stays beyond 0.
            left = left + legal;
        }
        chosen
    }

    /// Plays a legal move in each game, adds what it gains to `gains`, and spawns. Returns ones in the lanes where a 4
    /// was spawned.
    pub(crate) fn play(
        &mut self,
        level: Level,
        chosen: &DirectionMasks,
        gains: Option<&mut [u64; 32]>,
    ) -> [u8; 32] {
        dispatch!(level, isa [games = self, chosen, gains] => games.play_with(isa, chosen, gains))
    }

    #[inline(always)]
    fn play_with<S: Isa>(
        &mut self,
        isa: S,
        chosen: &DirectionMasks,
        gains: Option<&mut [u64; 32]>,
    ) -> [u8; 32] {
        slide_chosen_with(isa, &mut self.boards, chosen, gains);
        let [nth, kind] = self.draw_with(isa);
        let nth = below_with(isa, &nth, self.boards.empty_with(isa));
        let (live, one) = (isa.u8x32(&self.live), isa.splat_u8(1));
        let four = below_with(isa, &kind, isa.splat_u8(10)).cmp_eq(isa.splat_u8(0)) & live & one;
        self.boards.spawn_with(isa, nth, (one & live) + four);
        four.to_array()
    }

    /// Writes observations and masks, game by game, as many as there is room for.
    pub(crate) fn write_rows(&self, level: Level, obs: &mut [u8], mask: &mut [bool]) {
        dispatch!(level, isa [games = self, obs, mask] => games.write_rows_with(isa, obs, mask));
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

    /// The next `D` words of every stream.
    #[inline(always)]
    fn draw_with<S: Isa, const D: usize>(&mut self, isa: S) -> [[S::U64x4; 8]; D] {
        let mut draws = [[isa.splat_u64(0); 8]; D];
        for (t, words) in self.streams.iter_mut().enumerate() {
            let mut streams = Streams::from_words(isa, words);
            for draw in &mut draws {
                draw[t] = streams.next_u64s();
            }
            *words = streams.words();
        }
        draws
    }
}

/// A set of directions as flags.
const DIRECTION_FLAGS: [[bool; 4]; 16] = {
    let mut flags = [[false; 4]; 16];
    let mut set = 0;
    while set < 16 {
        flags[set] = [set & 1 == 1, set & 2 == 2, set & 4 == 4, set & 8 == 8];
        set += 1;
    }
    flags
};

/// [`Rng::below`], lane by lane: the high half of the 128 bits of `draw * n`.
#[inline(always)]
fn below_with<S: Isa>(isa: S, draws: &[S::U64x4; 8], n: S::U8x32) -> S::U8x32 {
    let byte = isa.splat_u64(0xff);
    let (mut n, mut below) = (isa.bitcast_u8_u64(n), isa.splat_u64(0));
    for &draw in draws {
        let factor = n & byte;
        let high = draw.shr::<32>().mul_low(factor) + draw.mul_low(factor).shr::<32>();
        // It is in the upper half, and less than 256.
        below = below.shr::<8>() | high.shr::<32>().shl::<56>();
        n = n.shr::<8>();
    }
    isa.bitcast_u64_u8(below)
}
