//! The observation and the legal actions of a game as bytes.
//!
//! The rows are packed to one bit per action; eight bits become eight bytes in one operation:
//!
//! ```text
//! bits                h g f e d c b a          bit 0 is the first action
//! spread              0h 0g .. 0b 0a           one byte each; stored lowest first, in action order
//! ```

use super::go_game::{GoGame, NO_STONE};
use crate::board::Color;
use crate::points::Points;
use bitcore::Isa;

pub(super) const PLANES: usize = 6;

/// `obs` has `PLANES * N * N` bytes.
#[inline(always)]
pub(super) fn write_planes<S: Isa, const N: usize>(isa: S, game: &GoGame<N>, obs: &mut [u8]) {
    let mut planes = obs.chunks_exact_mut(N * N);
    let mut plane = || planes.next().unwrap_or_default();
    let (color, [last, before]) = (game.to_move(), game.last());
    write_points(isa, game.stones()[color as usize], plane());
    write_points(isa, game.stones()[color.other() as usize], plane());
    write_few_points(game.banned(), plane());
    write_point::<N>(last, plane());
    write_point::<N>(before, plane());
    plane().fill(u8::from(color == Color::Black));
}

#[inline(always)]
pub(super) fn write_mask<S: Isa, const N: usize>(isa: S, game: &GoGame<N>, mask: &mut [bool]) {
    let Some((pass, points)) = mask.split_last_mut() else { return };
    *pass = true;
    for (mut bits, flags) in packed(game.legal()).into_iter().zip(points.chunks_mut(64)) {
        let (eights, rest) = flags.as_chunks_mut::<8>();
        for eight in eights {
            *eight = spread(isa, bits).to_le_bytes().map(|byte| byte != 0);
            bits >>= 8;
        }
        let last = spread(isa, bits).to_le_bytes().map(|byte| byte != 0);
        rest.copy_from_slice(&last[..rest.len()]);
    }
}

#[inline(always)]
fn write_points<S: Isa, const N: usize>(isa: S, points: Points<N>, plane: &mut [u8]) {
    for (mut bits, bytes) in packed(points).into_iter().zip(plane.chunks_mut(64)) {
        let (eights, rest) = bytes.as_chunks_mut::<8>();
        for eight in eights {
            *eight = spread(isa, bits).to_le_bytes();
            bits >>= 8;
        }
        rest.copy_from_slice(&spread(isa, bits).to_le_bytes()[..rest.len()]);
    }
}

/// Returns one bit per action: the rows without the gaps between them.
#[inline(always)]
fn packed<const N: usize>(points: Points<N>) -> [u64; 6] {
    let mut packed = [0; 6];
    for y in 0..N {
        let (row, start) = (points.row(y), y * N);
        packed[start / 64] |= row << (start % 64);
        if start % 64 + N > 64 {
            packed[start / 64 + 1] |= row >> (64 - start % 64);
        }
    }
    packed
}

/// Like [`write_points`], faster for sets that are mostly empty.
#[inline(always)]
fn write_few_points<const N: usize>(points: Points<N>, plane: &mut [u8]) {
    plane.fill(0);
    for index in &points {
        plane[GoGame::<N>::action(Some(index)) as usize] = 1;
    }
}

#[inline(always)]
fn write_point<const N: usize>(index: u16, plane: &mut [u8]) {
    plane.fill(0);
    if index != NO_STONE {
        plane[GoGame::<N>::action(Some(index.into())) as usize] = 1;
    }
}

/// Spreads the low eight bits of `bits` to eight bytes of 0 or 1, lowest first.
#[inline(always)]
fn spread<S: Isa>(isa: S, bits: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    if S::FAST_PEXT {
        return isa.pdep(bits, ONES);
    }
    // Byte i keeps only bit i of its copy of the bits; the sum and shift turn a nonzero byte into 1.
    let single = (bits & 0xff).wrapping_mul(ONES) & 0x8040_2010_0804_0201;
    (single + 0x7f * ONES) >> 7 & ONES
}
