//! Where new pieces come from: [`Colors`], and the random ones, [`RandomColors`].

use crate::planes_error::{PlanesError, largest_color};
use bitcore::{Isa, Level, Rng, SetBits, dispatch};

/// A source of colors for refills. Every `FnMut() -> u8` is one; [`RandomColors`] is the fast one.
///
/// A board clamps each color to the range that it holds: 1 to 7 with three bit planes, 1 to 15 with four.
pub trait Colors {
    /// Returns the next color.
    fn next(&mut self) -> u8;

    /// The source itself if it is the fast one.
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

/// The bit planes of [`RandomColors`]: colors 1 to [`RandomColors::MAX`].
const PLANES: usize = 4;

#[inline(always)]
pub(crate) fn put<const P: usize>(planes: &mut [u64; P], at: u32, color: u8) {
    for (bit, plane) in planes.iter_mut().enumerate() {
        *plane |= u64::from(color >> bit & 1) << at;
    }
}

/// Endless random colors, each 1 to a given number with exactly the same probability.
///
/// The draws: while none is in buffer, take one word of the generator for each bit of a color; bit i of these words is
/// a number, lowest bit first; the numbers below the count of colors, in the order of i, plus one, are the next
/// colors. So a refill takes no loop over its cells: the buffer is deposited into them plane by plane.
///
/// ```
/// use bitcore::Rng;
/// use match3::colors::{Colors, RandomColors};
/// let mut colors = RandomColors::new(6, Rng::new(1))?;
/// let mut seen = [0; 7];
/// for _ in 0..6000 {
///     seen[usize::from(colors.next())] += 1;
/// }
/// assert!(seen[0] == 0 && seen[1..].iter().all(|&n| (850..1150).contains(&n)));
/// # Ok::<(), match3::planes::PlanesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomColors {
    rng: Rng,
    count: u8,
    /// The colors in buffer as bit planes, the next one in the lowest bits, and how many they are.
    buffer: [u64; PLANES],
    buffered: u32,
}

impl RandomColors {
    /// The largest number of colors: 15.
    pub const MAX: u8 = largest_color(PLANES);

    /// Colors 1 to `count`, drawn from a generator.
    ///
    /// # Errors
    ///
    /// [`PlanesError::Colors`] if `count` is 0 or larger than [`MAX`](Self::MAX).
    pub fn new(count: u8, rng: Rng) -> Result<Self, PlanesError> {
        if count == 0 || count > Self::MAX {
            return Err(PlanesError::Colors { found: count, least: 1, largest: Self::MAX });
        }
        Ok(Self { rng, count, buffer: [0; PLANES], buffered: 0 })
    }

    /// The same colors from the start of another generator.
    pub(crate) fn restart(&mut self, rng: Rng) {
        (self.rng, self.buffer, self.buffered) = (rng, [0; PLANES], 0);
    }

    /// How many colors there are.
    pub fn count(&self) -> u8 {
        self.count
    }

    /// The generator, for draws in between: which move to play.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    /// The generator, the buffer and how many it has buffered.
    pub(crate) fn parts(&self) -> (&Rng, [u64; PLANES], u32) {
        (&self.rng, self.buffer, self.buffered)
    }

    /// From [`parts`](Self::parts).
    pub(crate) fn from_parts<const P: usize>(rng: Rng, count: u8, planes: &[u64; P], buffered: u32) -> Self {
        let mut buffer = [0; PLANES];
        buffer[..P].copy_from_slice(planes);
        Self { rng, count, buffer, buffered }
    }

    /// Fills the empty buffer: about once in 48 colors.
    #[cold]
    #[inline(never)]
    fn draw_on(&mut self, level: Level) {
        while self.buffered == 0 {
            self.draw_numbers();
            let count = self.count;
            self.buffered = buffer_on(level, self.used_planes(), count);
        }
    }

    /// The same for kernels.
    #[cold]
    #[inline(never)]
    fn draw<S: Isa>(&mut self, isa: S) {
        isa.enter(
            #[inline(always)]
            || {
                while self.buffered == 0 {
                    self.draw_numbers();
                    let count = self.count;
                    self.buffered = buffer_with(isa, self.used_planes(), count);
                }
            },
        );
    }

    /// Returns the bit planes that some color has a bit in.
    #[inline(always)]
    fn used_planes(&mut self) -> &mut [u64] {
        &mut self.buffer[..bits_of(self.count + 1) as usize]
    }

    /// Draws a word for each bit of a color.
    #[inline(always)]
    fn draw_numbers(&mut self) {
        self.buffer = [0; PLANES];
        for number in self.buffer.iter_mut().take(bits_of(self.count) as usize) {
            *number = self.rng.next_u64();
        }
    }

    /// Deposits as many colors as `cells` has, which are in buffer.
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
    pub(crate) fn next_on<const P: usize>(&mut self, level: Level) -> u8 {
        if self.buffered == 0 {
            self.draw_on(level);
        }
        let mut color = 0;
        for (bit, plane) in self.buffer.iter_mut().enumerate().take(P) {
            color |= ((*plane & 1) as u8) << bit;
            *plane >>= 1;
        }
        self.buffered -= 1;
        color
    }

    /// One color for each set bit of `cells`, from the lowest, as bit planes.
    #[inline(always)]
    pub(crate) fn take_planes_with<S: Isa, const P: usize>(&mut self, isa: S, cells: u64) -> [u64; P] {
        let mut planes = [0; P];
        if !S::FAST_PEXT {
            for at in SetBits(cells) {
                put(&mut planes, at, self.next_on::<P>(isa.into()));
            }
            return planes;
        }
        let mut cells = cells;
        while cells.count_ones() > self.buffered {
            // All that is buffered for the first of them.
            let first = isa.pdep(1u64.unbounded_shl(self.buffered).wrapping_sub(1), cells);
            self.take_with(isa, first, &mut planes);
            cells &= !first;
            self.draw(isa);
        }
        self.take_with(isa, cells, &mut planes);
        planes
    }
}

/// How many bits a number below `count` has.
pub(crate) const fn bits_of(count: u8) -> u32 {
    u8::BITS - (count - 1).leading_zeros()
}

/// [`buffer_with`] on a level.
fn buffer_on(level: Level, numbers: &mut [u64], count: u8) -> u32 {
    dispatch!(level, isa [numbers, count] => buffer_with(isa, numbers, count))
}

/// Leaves of 64 numbers, given as bit planes, those below `count`, plus one. Returns how many they are.
#[inline(always)]
pub(crate) fn buffer_with<S: Isa>(isa: S, numbers: &mut [u64], count: u8) -> u32 {
    let bits = bits_of(count);
    // Compares all of them with the count, from the lowest bit; every number of so many bits is below a power of two.
    let mut below = u64::MAX;
    if !count.is_power_of_two() {
        below = 0;
        for (bit, plane) in numbers.iter().enumerate().take(bits as usize) {
            below = if count >> bit & 1 == 1 { !*plane | below } else { !*plane & below };
        }
    }
    let mut carry = u64::MAX;
    for plane in numbers {
        let sum = *plane ^ carry;
        carry &= *plane;
        *plane = isa.pext(sum, below);
    }
    below.count_ones()
}

impl Colors for RandomColors {
    fn next(&mut self) -> u8 {
        self.next_on::<PLANES>(Level::detect())
    }

    fn random(&mut self) -> Option<&mut Self> {
        Some(self)
    }
}
