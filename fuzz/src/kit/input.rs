//! [`Input`]: the bytes of a target, read as numbers.

use std::cell::Cell;

/// The rest of a target's bytes. After the end every number is 0.
pub(crate) struct Input<'a>(Cell<&'a [u8]>);

impl<'a> Input<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Self(Cell::new(data))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.get().is_empty()
    }

    /// Returns the steps of a program: up to `most`, as long as there are bytes.
    pub(crate) fn steps(&self, most: usize) -> impl Iterator<Item = usize> {
        (0..most).take_while(|_| !self.is_empty())
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.0.take()
    }

    /// Takes up to `n` bytes.
    pub(crate) fn take(&self, n: usize) -> &'a [u8] {
        let (head, tail) = self.0.get().split_at(n.min(self.0.get().len()));
        self.0.set(tail);
        head
    }

    /// Takes the rest as text. Bytes that aren't UTF-8 are replaced.
    pub(crate) fn text(&self) -> std::borrow::Cow<'a, str> {
        String::from_utf8_lossy(self.rest())
    }

    pub(crate) fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        let taken = self.take(N);
        bytes[..taken.len()].copy_from_slice(taken);
        bytes
    }

    pub(crate) fn byte(&self) -> u8 {
        self.bytes::<1>()[0]
    }

    /// Takes one byte as a flag: its lowest bit.
    pub(crate) fn flag(&self) -> bool {
        self.byte() & 1 == 1
    }

    pub(crate) fn u16(&self) -> u16 {
        u16::from_le_bytes(self.bytes())
    }

    pub(crate) fn u32(&self) -> u32 {
        u32::from_le_bytes(self.bytes())
    }

    pub(crate) fn u64(&self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }

    /// Takes one byte, or two if `n` is above 256, and returns it modulo `n`.
    pub(crate) fn below(&self, n: usize) -> usize {
        assert!((1..=1 << 16).contains(&n), "a number below {n}");
        let number = if n <= 256 { usize::from(self.byte()) } else { usize::from(self.u16()) };
        number % n
    }

    /// Takes a size that no caller can mean: mostly small, sometimes next to a power of two or to the largest.
    pub(crate) fn size(&self) -> usize {
        let byte = self.byte();
        match byte {
            0..=191 => usize::from(byte),
            192..=223 => usize::from(self.u16()),
            224..=239 => usize::MAX >> self.below(64),
            240..=247 => (1usize << self.below(64)).wrapping_add(self.below(3)).wrapping_sub(1),
            _ => self.u64() as usize,
        }
    }

    pub(crate) fn pick<'b, T>(&self, slice: &'b [T]) -> &'b T {
        &slice[self.below(slice.len())]
    }

    #[allow(clippy::unused_self, reason = "it reads like the other draws")]
    pub(crate) fn list<T>(&self, n: usize, mut value: impl FnMut() -> T) -> Vec<T> {
        (0..n).map(|_| value()).collect()
    }
}

#[test]
fn numbers_are_taken_in_order_and_are_0_after_the_end() {
    let input = Input::new(&[1, 2, 1, 9, 0, 7]);
    assert_eq!((input.byte(), input.u16(), input.below(4)), (1, 0x102, 1));
    assert_eq!((input.flag(), input.u64(), input.u64(), input.is_empty()), (false, 7, 0, true));
    assert_eq!(Input::new(b"a\xffb").text(), "a\u{fffd}b");
    assert_eq!((Input::new(&[224, 0]).size(), Input::new(&[191]).size()), (usize::MAX, 191));
}
