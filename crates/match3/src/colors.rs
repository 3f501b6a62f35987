//! Where new pieces come from: [`Colors`], and the random ones, [`RandomColors`].

use crate::planes_error::{PlanesError, largest_color};
use bitcore::{Isa, Level, Rng, SetBits, dispatch};

/// A source of colors for refills. Any `FnMut() -> u8` is one; [`RandomColors`] is the fast one.
///
/// `P` is the number of bit planes of the boards that it serves: their colors are 1 to 2^P - 1, and what a closure
/// returns is taken into that range.
pub trait Colors<const P: usize> {
    /// The next color.
    fn next(&mut self) -> u8;

    /// The source itself if it is the fast one.
    #[doc(hidden)]
    fn random(&mut self) -> Option<&mut RandomColors<P>> {
        None
    }
}

impl<const P: usize, F: FnMut() -> u8> Colors<P> for F {
    #[inline(always)]
    fn next(&mut self) -> u8 {
        self().clamp(1, largest_color(P))
    }
}

#[inline(always)]
pub(crate) fn put<const P: usize>(planes: &mut [u64; P], at: u32, color: u8) {
    for (bit, plane) in planes.iter_mut().enumerate() {
        *plane |= u64::from(color >> bit & 1) << at;
    }
}

/// Endless random colors, each 1 to a given number with exactly the same probability.
///
/// The draws: while none is in stock, take one word of the generator for each bit of a color; bit i of these words is
/// a number, lowest bit first; the numbers below the count of colors, in the order of i, plus one, are the next
/// colors. So a refill takes no loop over its cells: the stock is deposited into them plane by plane.
///
/// ```
/// use bitcore::Rng;
/// use match3::{Colors, RandomColors};
/// let mut colors: RandomColors = RandomColors::new(6, Rng::new(1))?;
/// let mut seen = [0; 7];
/// for _ in 0..6000 {
///     seen[usize::from(colors.next())] += 1;
/// }
/// assert!(seen[0] == 0 && seen[1..].iter().all(|&n| (850..1150).contains(&n)));
/// # Ok::<(), match3::PlanesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomColors<const P: usize = 3> {
    rng: Rng,
    count: u8,
    /// The colors in stock as bit planes, the next one in the lowest bits, and how many they are.
    stock: [u64; P],
    left: u32,
}

impl<const P: usize> RandomColors<P> {
    /// Colors 1 to `count`, drawn from a generator.
    ///
    /// # Errors
    ///
    /// [`PlanesError::Colors`] if `count` is 0 or doesn't fit `P` planes.
    pub fn new(count: u8, rng: Rng) -> Result<Self, PlanesError> {
        if count == 0 || count > largest_color(P) {
            return Err(PlanesError::Colors { found: count, least: 1, largest: largest_color(P) });
        }
        Ok(Self { rng, count, stock: [0; P], left: 0 })
    }

    /// The same colors from the start of another generator.
    pub(crate) fn restart(&mut self, rng: Rng) {
        (self.rng, self.stock, self.left) = (rng, [0; P], 0);
    }

    /// How many colors there are.
    pub fn count(&self) -> u8 {
        self.count
    }

    /// The generator, for draws in between: which move to play.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    /// The generator, the stock and how many it has left.
    pub(crate) fn parts(&self) -> (&Rng, [u64; P], u32) {
        (&self.rng, self.stock, self.left)
    }

    /// From [`parts`](Self::parts).
    pub(crate) fn from_parts(rng: Rng, count: u8, stock: [u64; P], left: u32) -> Self {
        Self { rng, count, stock, left }
    }

    /// Fills the empty stock: about once in 48 colors.
    #[cold]
    #[inline(never)]
    fn draw_on(&mut self, level: Level) {
        while self.left == 0 {
            self.draw_numbers();
            self.left = stock_on(level, &mut self.stock, self.count);
        }
    }

    /// The same for kernels.
    #[cold]
    #[inline(never)]
    fn draw<S: Isa>(&mut self, isa: S) {
        isa.enter(
            #[inline(always)]
            || {
                while self.left == 0 {
                    self.draw_numbers();
                    self.left = stock_with(isa, &mut self.stock, self.count);
                }
            },
        );
    }

    /// Draws a word for each bit of a color.
    #[inline(always)]
    fn draw_numbers(&mut self) {
        self.stock = [0; P];
        for number in self.stock.iter_mut().take(bits_of(self.count) as usize) {
            *number = self.rng.next_u64();
        }
    }

    /// Deposits as many colors as `cells` has, which are in stock.
    #[inline(always)]
    fn take_with<S: Isa>(&mut self, isa: S, cells: u64, planes: &mut [u64; P]) {
        let n = cells.count_ones();
        for (plane, stock) in planes.iter_mut().zip(&mut self.stock) {
            *plane |= isa.pdep(*stock, cells);
            *stock = stock.unbounded_shr(n);
        }
        self.left -= n;
    }

    #[inline(always)]
    pub(crate) fn next_on(&mut self, level: Level) -> u8 {
        if self.left == 0 {
            self.draw_on(level);
        }
        let mut color = 0;
        for (bit, plane) in self.stock.iter_mut().enumerate() {
            color |= ((*plane & 1) as u8) << bit;
            *plane >>= 1;
        }
        self.left -= 1;
        color
    }

    /// One color for each set bit of `cells`, from the lowest, as bit planes.
    #[inline(always)]
    pub(crate) fn planes_with<S: Isa>(&mut self, isa: S, cells: u64) -> [u64; P] {
        let mut planes = [0; P];
        if !S::FAST_PEXT {
            for at in SetBits(cells) {
                put(&mut planes, at, self.next_on(isa.into()));
            }
            return planes;
        }
        let mut cells = cells;
        while cells.count_ones() > self.left {
            // All that is left for the first of them.
            let first = isa.pdep(1u64.unbounded_shl(self.left).wrapping_sub(1), cells);
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

/// [`stock_with`] on a level.
fn stock_on(level: Level, numbers: &mut [u64], count: u8) -> u32 {
    dispatch!(level, isa [numbers, count] => stock_with(isa, numbers, count))
}

/// Leaves of 64 numbers, given as bit planes, those below `count`, plus one. Returns how many they are.
#[inline(always)]
pub(crate) fn stock_with<S: Isa>(isa: S, numbers: &mut [u64], count: u8) -> u32 {
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

impl<const P: usize> Colors<P> for RandomColors<P> {
    fn next(&mut self) -> u8 {
        self.next_on(Level::detect())
    }

    fn random(&mut self) -> Option<&mut Self> {
        Some(self)
    }
}
