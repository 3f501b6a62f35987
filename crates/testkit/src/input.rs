//! [`Input`]: bytes interpreted as the values and calls of a property.

use std::cell::Cell;

/// The remaining bytes of a property. Past the end every number is 0.
#[derive(Debug)]
pub struct Input<'a>(Cell<&'a [u8]>);

impl<'a> Input<'a> {
    /// Creates an input from bytes.
    pub fn new(data: &'a [u8]) -> Self {
        Self(Cell::new(data))
    }

    /// Returns `true` if all bytes are taken.
    pub fn is_empty(&self) -> bool {
        self.0.get().is_empty()
    }

    /// Returns the steps of a program: up to `most`, until the bytes run out.
    pub fn steps(&self, most: usize) -> impl Iterator<Item = usize> {
        (0..most).take_while(|_| !self.is_empty())
    }

    /// Takes all remaining bytes.
    pub fn rest(&self) -> &'a [u8] {
        self.0.take()
    }

    /// Takes up to `n` bytes.
    pub fn take(&self, n: usize) -> &'a [u8] {
        let (head, tail) = self.0.get().split_at(n.min(self.0.get().len()));
        self.0.set(tail);
        head
    }

    /// Takes all remaining bytes as text, with invalid UTF-8 replaced.
    pub fn text(&self) -> std::borrow::Cow<'a, str> {
        String::from_utf8_lossy(self.rest())
    }

    /// Takes `N` bytes.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        let taken = self.take(N);
        bytes[..taken.len()].copy_from_slice(taken);
        bytes
    }

    /// Takes one byte.
    pub fn byte(&self) -> u8 {
        self.bytes::<1>()[0]
    }

    /// Takes one byte as a flag: its lowest bit.
    pub fn flag(&self) -> bool {
        self.byte() & 1 == 1
    }

    /// Takes two bytes as a number.
    pub fn u16(&self) -> u16 {
        u16::from_le_bytes(self.bytes())
    }

    /// Takes four bytes as a number.
    pub fn u32(&self) -> u32 {
        u32::from_le_bytes(self.bytes())
    }

    /// Takes eight bytes as a number.
    pub fn u64(&self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }

    /// Takes one byte, or two if `n` is above 256, and returns it modulo `n`.
    ///
    /// # Panics
    ///
    /// If `n` is 0 or above 65,536.
    pub fn below(&self, n: usize) -> usize {
        assert!((1..=1 << 16).contains(&n), "a number below {n}");
        let number = if n <= 256 { usize::from(self.byte()) } else { usize::from(self.u16()) };
        number % n
    }

    /// Takes an arbitrary size, including absurd ones: mostly small, sometimes near a power of two
    /// or near the maximum.
    pub fn size(&self) -> usize {
        let byte = self.byte();
        match byte {
            0..=191 => usize::from(byte),
            192..=223 => usize::from(self.u16()),
            224..=239 => usize::MAX >> (self.below(64) as u32 % usize::BITS),
            240..=247 => (1usize << (self.below(64) as u32 % usize::BITS))
                .wrapping_add(self.below(3))
                .wrapping_sub(1),
            _ => self.u64() as usize,
        }
    }

    /// Picks an element of a slice with [`below`](Self::below).
    pub fn pick<'b, T>(&self, slice: &'b [T]) -> &'b T {
        &slice[self.below(slice.len())]
    }

    /// Takes `n` values.
    #[allow(clippy::unused_self, reason = "it reads like the other draws")]
    pub fn list<T>(&self, n: usize, mut value: impl FnMut() -> T) -> Vec<T> {
        (0..n).map(|_| value()).collect()
    }
}

#[test]
fn numbers_are_taken_in_order_and_are_0_after_the_end() {
    let input = Input::new(&[1, 2, 1, 9, 0, 7]);
    assert_eq!(input.byte(), 1);
    assert_eq!(input.u16(), 0x102);
    assert_eq!(input.below(4), 1);
    assert!(!input.flag());
    assert_eq!(input.u64(), 7);
    assert_eq!(input.u64(), 0);
    assert!(input.is_empty());
    assert_eq!(Input::new(b"a\xffb").text(), "a\u{fffd}b");
    assert_eq!(Input::new(&[224, 0]).size(), usize::MAX);
    assert_eq!(Input::new(&[191]).size(), 191);
}
