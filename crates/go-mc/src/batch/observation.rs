//! The observation and the legal actions of a game as bytes.
//!
//! The rows are packed to one bit per action; 32 bits become 32 bytes in a few operations:
//!
//! ```text
//! bits                h g f e d c b a          bit 0 is the first action
//! spread              0h 0g .. 0b 0a           one byte each; stored lowest first, in action order
//! ```

use super::go_game::{BOARDS, GoGame, NO_STONE};
use crate::rules::board::Color;
use crate::rules::points::Points;
use bitcore::{Bytes, Isa, Lanes};

pub(super) const PLANES: usize = 6;

/// The most words with a bit per action.
const WORDS: usize = 6;

/// `obs` has `PLANES * N * N` bytes.
#[inline(always)]
pub(super) fn write_planes<S: Isa, const N: usize, const W: usize>(
    isa: S,
    game: &GoGame<N, W>,
    obs: &mut [u8],
) {
    let color = game.to_move();
    let points = N * N;
    let (own, rest) = obs.split_at_mut(points);
    let (enemy, rest) = rest.split_at_mut(points);
    let (few, black) = rest.split_at_mut(3 * points);
    write_points(isa, game.stones()[color as usize], own);
    write_points(isa, game.stones()[color.other() as usize], enemy);
    few.fill(0);
    let mut banned = game.banned();
    while let Some(index) = banned.pop() {
        few[GoGame::<N, W>::action(Some(index)) as usize] = 1;
    }
    for (plane, index) in (1..).zip(game.last()) {
        if index != NO_STONE {
            few[plane * points + GoGame::<N, W>::action(Some(index.into())) as usize] = 1;
        }
    }
    black.fill(u8::from(color == Color::Black));
}

/// What an observation shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Layout {
    /// Six planes: the stones, the ko points, and the last two moves.
    #[default]
    Features,
    /// The stones in the last positions, 1 to 8 of them, as AlphaGo Zero sees them.
    History(u8),
}

/// Returns the number of planes of a layout: [`PLANES`], or for a history those of each color and
/// one for the color to move.
pub(super) const fn planes(layout: Layout) -> Option<usize> {
    match layout {
        Layout::Features => Some(PLANES),
        Layout::History(positions @ 1..) if positions as usize <= BOARDS => {
            Some(2 * positions as usize + 1)
        }
        Layout::History(_) => None,
    }
}

/// Writes the planes of a history: `obs` has an odd number of `N * N` bytes.
#[inline(always)]
pub(super) fn write_history<S: Isa, const N: usize, const W: usize>(
    isa: S,
    game: &GoGame<N, W>,
    obs: &mut [u8],
) {
    let color = game.to_move();
    let (stones, black) = obs.split_at_mut(obs.len() - N * N);
    let (own, enemy) = stones.split_at_mut(stones.len() / 2);
    for (moves_ago, (own, enemy)) in
        own.chunks_exact_mut(N * N).zip(enemy.chunks_exact_mut(N * N)).enumerate()
    {
        let stones = game.stones_before(moves_ago);
        write_points(isa, stones[color as usize], own);
        write_points(isa, stones[color.other() as usize], enemy);
    }
    black.fill(u8::from(color == Color::Black));
}

#[inline(always)]
pub(super) fn write_mask<S: Isa, const N: usize, const W: usize>(
    isa: S,
    game: &GoGame<N, W>,
    mask: &mut [bool],
) {
    let Some((pass, points)) = mask.split_last_mut() else { return };
    *pass = true;
    let (chunks, rest) = points.as_chunks_mut::<32>();
    let bits = packed(isa, game.legal());
    for (i, chunk) in chunks.iter_mut().enumerate() {
        spread(isa, half(&bits, i)).write_flags(chunk);
    }
    let mut last = [false; 32];
    spread(isa, half(&bits, chunks.len())).write_flags(&mut last);
    rest.copy_from_slice(&last[..rest.len()]);
}

#[inline(always)]
fn write_points<S: Isa, const N: usize, const W: usize>(
    isa: S,
    points: Points<N, W>,
    plane: &mut [u8],
) {
    let (chunks, rest) = plane.as_chunks_mut::<32>();
    let bits = packed(isa, points);
    for (i, chunk) in chunks.iter_mut().enumerate() {
        *chunk = spread(isa, half(&bits, i)).to_array();
    }
    let last = spread(isa, half(&bits, chunks.len())).to_array();
    rest.copy_from_slice(&last[..rest.len()]);
}

/// Returns bits `32 * i` to `32 * i + 31`.
#[inline(always)]
fn half(bits: &[u64; WORDS], i: usize) -> u32 {
    (bits[i / 2] >> (32 * (i % 2))) as u32
}

/// Returns one bit per action: the rows without the gaps between them.
#[inline(always)]
fn packed<S: Isa, const N: usize, const W: usize>(isa: S, points: Points<N, W>) -> [u64; WORDS] {
    let mut packed = [0; WORDS];
    let mut append = |bits: u64, start: usize, len: usize| {
        packed[start / 64] |= bits << (start % 64);
        if start % 64 + len > 64 {
            packed[start / 64 + 1] |= bits >> (64 - start % 64);
        }
    };
    if S::FAST_PEXT {
        let mut start = 0;
        for (&word, &full) in points.as_words().iter().zip(Points::<N, W>::FULL.as_words()) {
            let len = full.count_ones() as usize;
            append(isa.pext(word, full), start, len);
            start += len;
        }
    } else {
        for y in 0..N {
            append(points.row(y), y * N, N);
        }
    }
    packed
}

/// Spreads bits to bytes of 0 or 1, lowest first.
#[inline(always)]
fn spread<S: Isa>(isa: S, bits: u32) -> S::U8x32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const EACH: u64 = 0x8040_2010_0804_0201;
    if S::HAS_SIMD {
        // Byte i of each group of eight keeps only bit i of its copy of the group's bits.
        let copies = isa.bitcast_u64_u8(isa.splat_u64(bits.into()));
        let copies = copies.shuffle(isa.bitcast_u64_u8(isa.u64x4(&[0, ONES, 2 * ONES, 3 * ONES])));
        let each = isa.bitcast_u64_u8(isa.splat_u64(EACH));
        return (copies & each).min(isa.splat_u8(1));
    }
    // The sum and shift turn a nonzero byte into 1.
    isa.bitcast_u64_u8(isa.u64x4(&[0, 8, 16, 24].map(|start| {
        let single = (u64::from(bits) >> start & 0xff).wrapping_mul(ONES) & EACH;
        (single + 0x7f * ONES) >> 7 & ONES
    })))
}
