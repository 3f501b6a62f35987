//! [`Input`]: the bytes of a target, read as numbers.

/// The rest of a target's bytes. After the end every number is 0.
#[derive(Clone, Debug)]
pub struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    /// Begins at the first byte.
    pub fn new(data: &'a [u8]) -> Self {
        Self(data)
    }

    /// Returns whether no byte is left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of bytes left.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Takes the bytes that are left.
    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }

    /// Takes up to `n` bytes.
    pub fn take(&mut self, n: usize) -> &'a [u8] {
        let (head, tail) = self.0.split_at(n.min(self.0.len()));
        self.0 = tail;
        head
    }

    /// Takes the rest as text. Bytes that aren't UTF-8 are replaced.
    pub fn text(&mut self) -> std::borrow::Cow<'a, str> {
        String::from_utf8_lossy(self.rest())
    }

    fn number<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        let taken = self.take(N);
        bytes[..taken.len()].copy_from_slice(taken);
        bytes
    }

    /// Takes one byte.
    pub fn byte(&mut self) -> u8 {
        self.number::<1>()[0]
    }

    /// Takes one byte as a flag: its lowest bit.
    pub fn flag(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    /// Takes two bytes, the lower one first.
    pub fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.number())
    }

    /// Takes four bytes, the lowest one first.
    pub fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.number())
    }

    /// Takes eight bytes, the lowest one first.
    pub fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.number())
    }

    /// Takes one byte, or two if `n` is above 256, and returns it modulo `n`.
    ///
    /// # Panics
    ///
    /// If `n` is 0 or above 65,536.
    pub fn below(&mut self, n: usize) -> usize {
        assert!((1..=1 << 16).contains(&n), "a number below {n}");
        let number = if n <= 256 { usize::from(self.byte()) } else { usize::from(self.u16()) };
        number % n
    }

    /// Takes a size that no caller can mean: mostly small, sometimes next to a power of two or to the largest.
    pub fn size(&mut self) -> usize {
        let byte = self.byte();
        match byte {
            0..=191 => usize::from(byte),
            192..=223 => usize::from(self.u16()),
            224..=239 => usize::MAX >> self.below(64),
            240..=247 => (1usize << self.below(64)).wrapping_add(self.below(3)).wrapping_sub(1),
            _ => self.u64() as usize,
        }
    }

    /// Takes an element of a slice.
    ///
    /// # Panics
    ///
    /// If the slice is empty.
    pub fn pick<'b, T>(&mut self, slice: &'b [T]) -> &'b T {
        &slice[self.below(slice.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::Input;

    #[test]
    fn numbers_are_taken_in_order_and_are_0_after_the_end() {
        let mut input = Input::new(&[1, 2, 1, 9, 0, 7]);
        assert_eq!((input.byte(), input.u16(), input.below(4)), (1, 0x102, 1));
        assert_eq!((input.flag(), input.u64(), input.u64(), input.is_empty()), (false, 7, 0, true));
        assert_eq!(Input::new(b"a\xffb").text(), "a\u{fffd}b");
        assert_eq!((Input::new(&[224, 0]).size(), Input::new(&[191]).size()), (usize::MAX, 191));
    }
}
