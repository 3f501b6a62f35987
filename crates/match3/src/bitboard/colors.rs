//! Sources of new pieces: the trait [`Colors`], and [`RandomColors`].
//!
//! [`RandomColors`] draws 64 numbers in parallel and keeps the valid colors, as bit planes:
//!
//! ```text
//! numbers   one random word per bit of a color: number i is bit i of each word
//! below     the numbers less than the count of colors     a bitwise comparison, 64 numbers in parallel
//! sums      each number plus 1                            an addition with carry, 64 numbers in parallel
//! buffer    pext(plane, below) for each plane             the colors, the next one in the lowest bits
//! ```
//!
//! A refill of n empty cells is one PDEP per plane, followed by a shift of the buffer by n.

use crate::bitboard::color_counts::largest_color;
use crate::error::Error;
use bitcore::{Isa, RandomSource, Rng, SetBits, dispatch};

/// A source of colors for refills. Every `FnMut() -> u8` implements it; [`RandomColors`] is the
/// fast implementation.
///
/// Boards clamp each color to the range they support: 1 to 7 with three bit planes, 1 to 15 with
/// four.
pub trait Colors {
    /// Returns the next color.
    fn next(&mut self) -> u8;

    /// Returns the source itself if it is a [`RandomColors`].
    #[doc(hidden)]
    fn random(&mut self) -> Option<&mut RandomColors> {
        None
    }
}

impl<F: FnMut() -> u8> Colors for F {
    #[inline(always)]
    fn next(&mut self) -> u8 {
        self()
    }
}

/// What a [`Game`](crate::Game) deals and refills from: any [`RandomSource`], or [`RandomColors`].
///
/// [`RandomColors`] keep the colors that they have drawn and not yet given out, and so are faster,
/// and the games are those of [`Playouts`](crate::Playouts) and [`Batch`](crate::Batch). Any other
/// source draws one word per call of the game, the seed of the [`RandomColors`] for this call.
pub trait PieceSource {
    /// Calls a function with colors 1 to `count`, which must be a number of colors.
    #[doc(hidden)]
    fn with_colors<T>(&mut self, count: u8, work: impl FnOnce(&mut RandomColors) -> T) -> T;
}

impl<R: RandomSource + ?Sized> PieceSource for R {
    fn with_colors<T>(&mut self, count: u8, work: impl FnOnce(&mut RandomColors) -> T) -> T {
        work(&mut RandomColors::of(count, Rng::new(self.next_u64())))
    }
}

impl PieceSource for RandomColors {
    fn with_colors<T>(&mut self, _: u8, work: impl FnOnce(&mut RandomColors) -> T) -> T {
        work(self)
    }
}

const PLANES: usize = 4;

#[inline(always)]
pub(crate) fn put<const P: usize>(planes: &mut [u64; P], at: u32, color: u8) {
    for (bit, plane) in planes.iter_mut().enumerate() {
        *plane |= u64::from(color >> bit & 1) << at;
    }
}

/// An endless sequence of random colors from 1 to a given number, all exactly equally likely.
///
/// Draws: whenever the buffer is empty, one word of the generator per bit of a color, lowest bit
/// first. Number i consists of bit i of these words. The numbers less than the count of colors, in
/// the order of i and incremented by one, are the next colors.
///
/// ```
/// use match3::Rng;
/// use match3::{Colors, RandomColors};
/// let mut colors = RandomColors::new(6, Rng::new(1))?;
/// let mut seen = [0; 7];
/// for _ in 0..6000 {
///     seen[usize::from(colors.next())] += 1;
/// }
/// assert!(seen[0] == 0 && seen[1..].iter().all(|&n| (850..1150).contains(&n)));
/// # Ok::<(), match3::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomColors {
    rng: Rng,
    count: u8,
    /// The buffered colors as bit planes, the next one in the lowest bits.
    buffer: [u64; PLANES],
    buffered: u32,
}

impl RandomColors {
    /// The largest number of colors: 15.
    pub const MAX: u8 = largest_color(PLANES);

    /// Creates a source of colors 1 to `count` that draws from a generator.
    ///
    /// # Errors
    ///
    /// [`Error::Colors`] if `count` is 0 or larger than [`MAX`](Self::MAX).
    pub fn new(count: u8, rng: Rng) -> Result<Self, Error> {
        if count == 0 || count > Self::MAX {
            return Err(Error::Colors { found: count, least: 1, largest: Self::MAX });
        }
        Ok(Self::of(count, rng))
    }

    pub(crate) const fn of(count: u8, rng: Rng) -> Self {
        Self { rng, count, buffer: [0; PLANES], buffered: 0 }
    }

    pub(crate) fn restart(&mut self, rng: Rng) {
        (self.rng, self.buffer, self.buffered) = (rng, [0; PLANES], 0);
    }

    /// Returns the number of colors.
    pub fn count(&self) -> u8 {
        self.count
    }

    /// Returns the generator, for draws between refills, such as the choice of a move.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    pub(crate) fn parts(&self) -> (&Rng, [u64; PLANES], u32) {
        (&self.rng, self.buffer, self.buffered)
    }

    pub(crate) fn from_parts<const P: usize>(
        rng: Rng,
        count: u8,
        planes: &[u64; P],
        buffered: u32,
    ) -> Self {
        let mut buffer = [0; PLANES];
        buffer[..P].copy_from_slice(planes);
        Self { rng, count, buffer, buffered }
    }

    /// Fills the empty buffer; happens about once every 48 colors.
    #[cold]
    #[inline(never)]
    fn draw(&mut self) {
        dispatch!(isa + slow_pext [this = self] => this.draw_with(isa));
    }

    #[inline(always)]
    fn draw_with<S: Isa>(&mut self, isa: S) {
        while self.buffered == 0 {
            self.draw_numbers();
            let count = self.count;
            self.buffered = buffer_with(isa, self.used_planes(), count);
        }
    }

    /// Returns the bit planes that are nonzero for some color.
    #[inline(always)]
    fn used_planes(&mut self) -> &mut [u64] {
        &mut self.buffer[..bits_of(self.count + 1) as usize]
    }

    #[inline(always)]
    fn draw_numbers(&mut self) {
        self.buffer = [0; PLANES];
        for number in self.buffer.iter_mut().take(bits_of(self.count) as usize) {
            *number = self.rng.next_u64();
        }
    }

    /// The buffer must have a color for each cell.
    #[inline(always)]
    fn take_with<S: Isa, const P: usize>(&mut self, isa: S, cells: u64, planes: &mut [u64; P]) {
        let n = cells.count_ones();
        for (plane, buffer) in planes.iter_mut().zip(&mut self.buffer) {
            *plane |= isa.pdep(*buffer, cells);
            *buffer = buffer.unbounded_shr(n);
        }
        self.buffered -= n;
    }

    #[inline(always)]
    pub(crate) fn next_color<const P: usize>(&mut self) -> u8 {
        if self.buffered == 0 {
            self.draw();
        }
        let mut color = 0;
        for (bit, plane) in self.buffer.iter_mut().enumerate().take(P) {
            color |= ((*plane & 1) as u8) << bit;
            *plane >>= 1;
        }
        self.buffered -= 1;
        color
    }

    /// Returns the buffered colors as bit planes, the next one in the lowest bits, and their
    /// number, at least
    /// 1. They stay in the buffer.
    #[inline]
    pub(crate) fn buffered_planes<const P: usize>(&mut self) -> ([u64; P], u32) {
        if self.buffered == 0 {
            self.draw();
        }
        let mut planes = [0; P];
        planes.copy_from_slice(&self.buffer[..P]);
        (planes, self.buffered)
    }

    #[inline]
    pub(crate) fn remove(&mut self, n: u32) {
        for plane in &mut self.buffer {
            *plane = plane.unbounded_shr(n);
        }
        self.buffered -= n;
    }

    /// Returns one color for each set bit of `cells`, lowest bit first, as bit planes.
    #[inline(always)]
    pub(crate) fn take_planes_with<S: Isa, const P: usize>(
        &mut self,
        isa: S,
        cells: u64,
    ) -> [u64; P] {
        let mut planes = [0; P];
        if !S::FAST_PEXT {
            for at in SetBits(cells) {
                put(&mut planes, at, self.next_color::<P>());
            }
            return planes;
        }
        let mut cells = cells;
        while cells.count_ones() > self.buffered {
            // The first cells take everything in the buffer.
            let first = isa.pdep(1u64.unbounded_shl(self.buffered).wrapping_sub(1), cells);
            self.take_with(isa, first, &mut planes);
            cells &= !first;
            draw_from_kernel(isa, self);
        }
        self.take_with(isa, cells, &mut planes);
        planes
    }
}

pub(crate) const fn bits_of(count: u8) -> u32 {
    u8::BITS - (count - 1).leading_zeros()
}

#[cold]
#[inline(never)]
fn draw_from_kernel<S: Isa>(isa: S, colors: &mut RandomColors) {
    isa.enter(
        #[inline(always)]
        || colors.draw_with(isa),
    );
}

/// Returns which of 64 numbers, given as bit planes, are less than `count`.
#[inline(always)]
pub(crate) fn below(numbers: &[u64], count: u8) -> u64 {
    // Compares from the lowest bit up, so the highest differing bit decides. If the count is a
    // power of two, every number drawn is less.
    if count.is_power_of_two() {
        return u64::MAX;
    }
    let mut below = 0;
    for (bit, plane) in numbers.iter().enumerate().take(bits_of(count) as usize) {
        below = if count >> bit & 1 == 1 { !*plane | below } else { !*plane & below };
    }
    below
}

/// Adds 1 to each of 64 numbers, which turns numbers from 0 into colors from 1.
#[inline(always)]
pub(crate) fn add_one<'a>(numbers: impl IntoIterator<Item = &'a mut u64>) {
    let mut carry = u64::MAX;
    for plane in numbers {
        let sum = *plane ^ carry;
        carry &= *plane;
        *plane = sum;
    }
}

/// Filters 64 numbers, given as bit planes: keeps the ones less than `count` and adds 1 to each.
/// Returns how many are kept.
#[inline(always)]
pub(crate) fn buffer_with<S: Isa>(isa: S, numbers: &mut [u64], count: u8) -> u32 {
    let below = below(numbers, count);
    add_one(numbers.iter_mut());
    for plane in numbers {
        *plane = isa.pext(*plane, below);
    }
    below.count_ones()
}

impl Colors for RandomColors {
    fn next(&mut self) -> u8 {
        self.next_color::<PLANES>()
    }

    fn random(&mut self) -> Option<&mut Self> {
        Some(self)
    }
}
