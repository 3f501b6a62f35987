//! [`LaneGames`]: batch games on boards of up to 8 x 8, in vector lanes.
//!
//! Four games share each register ([`four_games`](crate::bitboard::four_games)) and stay there
//! between steps. One step of all games:
//!
//! ```text
//! draw, pick                           or take the swap of the caller's action
//! exchange and clear
//! repeat, for the registers with a game in a cascade:
//!     fall, clear
//! list                                 a board without a legal swap is replaced
//! ```
//!
//! A game that doesn't play exchanges no cells and has no run, so it passes through unchanged.
//! Observations need no transposition: a register filled with copies of a plane has the eight
//! columns in its bytes, and a row of the board is one bit of each byte.

use super::game::{BatchGame, Game, places, write};
use crate::bitboard::four_games::{FourGames, Moves, SizeLanes};
use crate::bitboard::mask::{ColumnMask, SwapBit, Swaps};
use crate::bitboard::planes::{Board8, PlaneLayout};
use crate::bitboard::words::CHECKERBOARD;
use crate::board::Board;
use crate::game::position::Position;
use crate::rules::Rules;
use crate::swap::{Axis, Swap};
use alloc::vec::Vec;
use bitcore::{Bytes, Isa, Lanes, Rng, dispatch};

#[derive(Clone, Debug)]
pub(super) struct LaneGames<const P: usize> {
    fours: Vec<Four<P>>,
    common: Common<P>,
}

#[derive(Clone, Copy, Debug)]
struct Common<const P: usize> {
    empty: Board8<P>,
    count: u8,
    /// The swap of each action: the bit of its first cell, plus [`DOWN`] for a swap with the cell
    /// below. Actions outside the board are `u8::MAX`. This reads as bit 63 with the cell below, a
    /// swap that only exists on 8 x 8, where every action does.
    swaps: [u8; ACTIONS],
}

const ACTIONS: usize = 112;

/// Added to the code of a swap with the cell below.
const DOWN: u8 = 64;

#[derive(Clone, Copy, Debug)]
struct Four<const P: usize> {
    games: FourGames<P>,
    /// The cells that may be swapped with the right neighbor, then with the cell below. Stale once
    /// the game is over.
    legal: [[u64; 4]; 2],
}

/// Games per group: few enough for their states to stay in the L1 cache.
pub(super) const TOGETHER: usize = 64;

const FOURS: usize = TOGETHER / 4;

/// Four-bit masks expanded to lanes.
const LANES: [[u64; 4]; 16] = {
    let mut lanes = [[0; 4]; 16];
    let mut at = 0;
    while at < 64 {
        lanes[at / 4][at % 4] = if (at / 4) >> (at % 4) & 1 == 1 { u64::MAX } else { 0 };
        at += 1;
    }
    lanes
};

impl<const P: usize> Four<P> {
    /// Draws a legal swap in each lane of the mask; [`Moves::pick_with`] then finds it.
    #[inline(always)]
    fn draw_with<S: Isa>(&mut self, isa: S, lanes: usize, moves: &mut Moves) {
        let legal = [isa.u64x4(&self.legal[0]), isa.u64x4(&self.legal[1])];
        self.games.draw_with(isa, isa.u64x4(&LANES[lanes]), legal, moves);
    }

    /// Returns the lanes of the dead boards.
    #[inline(always)]
    fn list_with<S: Isa>(&mut self, isa: S, size: &SizeLanes<S>) -> S::U64x4 {
        let (right, down) = self.games.list_with(isa, size).swaps();
        self.legal = [right.0.to_array(), down.0.to_array()];
        (right | down).0.cmp_eq(isa.splat_u64(0))
    }
}

impl<const P: usize> Common<P> {
    #[inline(always)]
    const fn swap(&self, action: u32) -> Option<SwapBit> {
        if action as usize >= ACTIONS {
            return None;
        }
        let swap = self.swaps[action as usize];
        let axis = if swap & DOWN == 0 { Axis::Horizontal } else { Axis::Vertical };
        Some(SwapBit { word: 0, bit: swap as u32 % 64, axis })
    }

    fn action(&self, swap: SwapBit) -> u32 {
        let action = self.empty.swap_at(swap).action(self.empty.width(), self.empty.height());
        action.unwrap_or_default() as u32
    }
}

impl<const P: usize> LaneGames<P>
where
    u64: PlaneLayout<P>,
{
    /// Creates games that haven't started. The rules must be valid.
    pub(super) fn new(rules: &Rules, games: usize) -> Self {
        let Game { position: Position { board: empty, .. }, colors } = Game::<u64, P>::new(rules);
        let mut swaps = [u8::MAX; ACTIONS];
        for (action, code) in swaps.iter_mut().enumerate() {
            if let Some(Swap { x, y, axis }) = Swap::from_action(action, rules.width, rules.height)
            {
                let (_, bit) = empty.word_and_bit(x, y);
                *code = bit as u8 + if axis == Axis::Vertical { DOWN } else { 0 };
            }
        }
        let mut four = Four { games: FourGames::EMPTY, legal: [[0; 4]; 2] };
        for lane in 0..4 {
            four.games.put_colors(lane, &colors);
            // A checkerboard has no run, so nothing happens in a lane without a game.
            four.games.planes[0][lane] = empty.inside & CHECKERBOARD;
            four.games.planes[1][lane] = empty.inside & !CHECKERBOARD;
        }
        let common = Common { empty, count: rules.colors, swaps };
        Self { fours: alloc::vec![four; games.div_ceil(4)], common }
    }

    /// Extracts one game, to play it on its own.
    pub(super) fn game(&self, place: usize) -> Game<u64, P> {
        Game {
            position: self.position(place),
            colors: self.fours[place / 4].games.colors(place % 4, self.common.count),
        }
    }

    fn position(&self, place: usize) -> Position<u64, P> {
        Position { board: self.board(place), legal: self.legal(place) }
    }

    pub(super) fn legal(&self, place: usize) -> Swaps<ColumnMask<u64>> {
        let [right, down] = self.fours[place / 4].legal.map(|lanes| lanes[place % 4]);
        let mask = |cells| ColumnMask::new(cells, self.common.empty.height() as u8);
        Swaps { right: mask(right), down: mask(down) }
    }

    pub(super) fn board(&self, place: usize) -> Board8<P> {
        let mut board = self.common.empty;
        board.planes = self.fours[place / 4].games.planes(place % 4);
        board
    }

    fn set(&mut self, place: usize, game: &Game<u64, P>) {
        let four = &mut self.fours[place / 4];
        let lane = place % 4;
        let Position { board, legal } = &game.position;
        four.games.put_planes(lane, &board.planes);
        four.games.put_colors(lane, &game.colors);
        four.legal[0][lane] = legal.right.words();
        four.legal[1][lane] = legal.down.words();
    }

    pub(super) fn set_value(&mut self, place: usize, value: &BatchGame) {
        self.set(place, &Game::of(value));
    }

    /// See [`Game::start`].
    pub(super) fn start<'a>(
        &mut self,
        place: usize,
        stream: Option<Rng>,
        draw_start: impl FnOnce(&mut Rng) -> Option<&'a Board>,
    ) {
        let mut game = self.game(place);
        game.start(stream, draw_start);
        self.set(place, &game);
    }

    pub(super) fn is_legal(&self, place: usize, action: u32) -> bool {
        self.common.swap(action).is_some_and(|SwapBit { bit, axis, .. }| {
            self.fours[place / 4].legal[axis as usize][place % 4] >> bit & 1 == 1
        })
    }

    /// Draws a legal action in each game of the mask `which`.
    pub(super) fn draw(&mut self, which: u64, actions: &mut [u32]) {
        dispatch!(isa + slow_pext [this = self, which, actions] => this.draw_with(isa, which, actions));
    }

    #[inline(always)]
    fn draw_with<S: Isa>(&mut self, isa: S, which: u64, actions: &mut [u32]) {
        for (at, (four, actions)) in self.fours.iter_mut().zip(actions.chunks_mut(4)).enumerate() {
            let which = which >> (4 * at) & 15;
            let mut moves = Moves::NONE;
            four.draw_with(isa, which as usize, &mut moves);
            moves.pick_with(isa);
            for (lane, action) in actions.iter_mut().enumerate() {
                if which >> lane & 1 == 1 {
                    // A board that stayed dead after ten thousand deals has no swap.
                    let bit = moves.swaps[lane].trailing_zeros() % 64;
                    let axis =
                        if moves.horizontal[lane] == 0 { Axis::Vertical } else { Axis::Horizontal };
                    *action = self.common.action(SwapBit { word: 0, bit, axis });
                }
            }
        }
    }

    /// Plays the given legal actions, or random ones, in the games of the mask `which`.
    pub(super) fn play(
        &mut self,
        which: u64,
        last: u64,
        actions: Option<&[u32]>,
        reward: &mut [f32],
    ) {
        dispatch!(isa + slow_pext + v4 [this = self, which, last, actions, reward] => {
            this.play_with(isa, which, last, actions, reward);
        });
    }

    #[inline(always)]
    fn play_with<S: Isa>(
        &mut self,
        isa: S,
        which: u64,
        last: u64,
        actions: Option<&[u32]>,
        reward: &mut [f32],
    ) {
        if !S::HAS_SIMD {
            // Here a lane is a word and PDEP a loop: playing game by game is faster.
            return self.play_alone(which, last, actions, reward);
        }
        let size = SizeLanes::new(isa, &self.common.empty);
        let mut moves = [Moves::NONE; FOURS];
        match actions {
            Some(actions) => self.choose(which, actions, &mut moves),
            None => self.draw_moves_with(isa, which, &mut moves),
        }
        // The registers with a game in a cascade.
        let mut active = [0; FOURS];
        let mut len = 0;
        for (at, (four, moves)) in self.fours.iter_mut().zip(&mut moves).enumerate() {
            let runs = four.games.exchange_and_clear_with(isa, &size, isa.splat_u64(1), moves);
            active[len % FOURS] = at;
            len += usize::from(!runs.is_zero());
        }
        let count = self.common.count;
        let mut level = 1;
        while len > 0 {
            level += 1;
            let mut left = 0;
            for i in 0..=len {
                // Overlaps the scalar work of one register (PDEP, PEXT) with the vector work of the
                // previous one.
                if i < len {
                    let at = active[i % FOURS];
                    self.fours[at].games.fall_with(isa, count, &mut moves[at]);
                }
                if i > 0 {
                    let at = active[(i - 1) % FOURS];
                    let games = &mut self.fours[at].games;
                    let level = isa.splat_u64(level);
                    let runs = games.clear_again_with(isa, &size, level, &mut moves[at]);
                    active[left % FOURS] = at;
                    left += usize::from(!runs.is_zero());
                }
            }
            len = left;
        }
        let mut dead = 0;
        for (at, four) in self.fours.iter_mut().enumerate() {
            let lanes = isa.bitcast_u64_u8(four.list_with(isa, &size)).movemask();
            if lanes != 0 {
                dead |= u64::from(lane_bits(lanes)) << (4 * at);
            }
        }
        let dead = dead & which & !last;
        if dead != 0 {
            self.deal(dead);
        }
        let mut scores = [0.0; TOGETHER];
        for (scores, moves) in scores.as_chunks_mut().0.iter_mut().zip(&moves) {
            *scores = moves.score.map(|score| (10 * score as i64) as f32);
        }
        if reward.len() == scores.len() && which == u64::MAX {
            reward.copy_from_slice(&scores);
        } else {
            for place in places(which) {
                reward[place] = scores[place];
            }
        }
    }

    #[inline(always)]
    fn draw_moves_with<S: Isa>(&mut self, isa: S, which: u64, moves: &mut [Moves; FOURS]) {
        for (at, four) in self.fours.iter_mut().enumerate() {
            four.draw_with(isa, (which >> (4 * at)) as usize % 16, &mut moves[at]);
            if at > 0 {
                moves[at - 1].pick_with(isa);
            }
        }
        moves[(self.fours.len().max(1) - 1) % FOURS].pick_with(isa);
    }

    /// Translates actions into the moves of the games of the mask `which`.
    #[inline(always)]
    fn choose(&self, which: u64, actions: &[u32], moves: &mut [Moves; FOURS]) {
        for (place, &action) in actions.iter().enumerate().take(FOURS * 4) {
            let moves = &mut moves[place / 4];
            // Only a game that doesn't play can have an illegal action.
            let Some(SwapBit { bit, axis, .. }) = self.common.swap(action) else { continue };
            moves.swaps[place % 4] = (which >> place & 1) << bit;
            moves.horizontal[place % 4] = (axis as u64).wrapping_sub(1);
        }
    }

    /// [`play`](Self::play), game by game.
    fn play_alone(&mut self, which: u64, last: u64, actions: Option<&[u32]>, reward: &mut [f32]) {
        for place in places(which) {
            let action = actions.map(|actions| actions[place]);
            let mut game = self.game(place);
            reward[place] = game.play(action, last >> place & 1 == 1) as f32;
            self.set(place, &game);
        }
    }

    #[cold]
    #[inline(never)]
    fn deal(&mut self, dead: u64) {
        for place in places(dead) {
            let mut game = self.game(place);
            game.deal();
            self.set(place, &game);
        }
    }

    /// The batch writes the other half of each observation.
    pub(super) fn write(&self, obs: &mut [u8], mask: &mut [bool]) {
        dispatch!(isa + v4 [this = self, obs, mask] => this.write_with(isa, obs, mask));
    }

    #[inline(always)]
    fn write_with<S: Isa>(&self, isa: S, obs: &mut [u8], mask: &mut [bool]) {
        let width = self.common.empty.width();
        let height = self.common.empty.height();
        if !S::HAS_SIMD || (width, height) != (8, 8) {
            let cells = width * height;
            let actions = Swap::actions(width, height);
            let rows = obs.chunks_exact_mut(2 * cells).zip(mask.chunks_exact_mut(actions));
            for (place, (obs, mask)) in rows.enumerate() {
                write(&self.position(place), &mut obs[..cells], mask);
            }
            return;
        }
        let obs = obs.as_chunks_mut::<128>().0.chunks_mut(4);
        let mask = mask.as_chunks_mut::<ACTIONS>().0.chunks_mut(4);
        for (four, (obs, mask)) in self.fours.iter().zip(obs.zip(mask)) {
            for (lane, (obs, mask)) in obs.iter_mut().zip(mask).enumerate() {
                let ([colors, _], _) = obs.as_chunks_mut::<64>() else { continue };
                write_colors_with(isa, &four.games.planes, lane, colors);
                write_mask_with(isa, four.legal[0][lane], four.legal[1][lane], mask);
            }
        }
    }

    pub(super) fn write_colors(&self, place: usize, obs: &mut [u8]) {
        self.board(place).write_colors(obs);
    }
}

/// Compresses the byte mask of a lane mask to one bit per lane.
const fn lane_bits(bytes: u32) -> u32 {
    bytes & 1 | bytes >> 7 & 2 | bytes >> 14 & 4 | bytes >> 21 & 8
}

/// Row y, counted from the top, in every column.
const ROWS: [u64; 8] = {
    let mut rows = [0; 8];
    let mut y = 0;
    while y < 8 {
        rows[y] = 0x0101_0101_0101_0101 << (7 - y);
        y += 1;
    }
    rows
};

#[inline(always)]
fn rows_with<S: Isa>(isa: S, y: usize) -> S::U8x32 {
    isa.bitcast_u64_u8(isa.u64x4(ROWS[y..].first_chunk().expect("four rows")))
}

#[inline(always)]
fn write_colors_with<S: Isa>(isa: S, planes: &[[u64; 4]], lane: usize, obs: &mut [u8; 64]) {
    for (half, obs) in obs.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        let rows = rows_with(isa, 4 * half);
        let mut colors = isa.splat_u8(0);
        for (k, plane) in planes.iter().enumerate() {
            let set = (isa.bitcast_u64_u8(isa.splat_u64(plane[lane])) & rows).cmp_eq(rows);
            colors = colors | (set & isa.splat_u8(1 << k));
        }
        *obs = colors.to_array();
    }
}

/// The column of each pair and its bit in the column: the 56 horizontal pairs, then the eight
/// vertical pairs of the top row.
const PAIRS: [[[u8; 32]; 2]; 2] = {
    let mut pairs = [[[0; 32]; 2]; 2];
    let mut at = 0;
    while at < 64 {
        let (x, y) = if at < 56 { (at % 7, at / 7) } else { (at - 56, 0) };
        pairs[0][at / 32][at % 32] = x as u8;
        pairs[1][at / 32][at % 32] = 0x80 >> y;
        at += 1;
    }
    pairs
};

#[inline(always)]
fn write_mask_with<S: Isa>(isa: S, right: u64, down: u64, mask: &mut [bool; ACTIONS]) {
    let across = isa.bitcast_u64_u8(isa.splat_u64(right));
    let along = isa.bitcast_u64_u8(isa.splat_u64(down));
    let [columns, bits] = &PAIRS;
    let first = isa.u8x32(&bits[0]);
    let second = isa.u8x32(&bits[1]);
    let pairs = across.shuffle(isa.u8x32(&columns[0]));
    store_flags((pairs & first).cmp_eq(first), &mut mask[..32]);
    let pairs = across.shuffle(isa.u8x32(&columns[1]));
    let top = isa.bitcast_u64_u8(isa.u64x4(&LANES[8]));
    store_flags((top.blend_lanes(along, pairs) & second).cmp_eq(second), &mut mask[32..64]);
    let rows = rows_with(isa, 1);
    store_flags((along & rows).cmp_eq(rows), &mut mask[64..96]);
    // Overlaps the store before: rows 3 and 4 are written twice.
    let rows = rows_with(isa, 3);
    store_flags((along & rows).cmp_eq(rows), &mut mask[80..]);
}

#[inline(always)]
fn store_flags<B: Bytes>(lanes: B, flags: &mut [bool]) {
    for (flag, byte) in flags.iter_mut().zip(lanes.to_array()) {
        *flag = byte & 1 == 1;
    }
}
