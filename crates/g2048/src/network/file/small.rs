//! Files of [`SmallNetwork`]s: differences of weights in Rice codes.

use super::{CHECKSUM, HEADER, Reader, SMALL, Writer, file_length, versions};
use crate::error::Error;
use crate::network::small::{SMALL_WEIGHTS, SmallNetwork};
use alloc::vec;
use alloc::vec::Vec;

impl SmallNetwork {
    /// Checks the first [`HEADER_BYTES`](crate::network::HEADER_BYTES) of a file and returns the
    /// file's length in bytes, like [`Network::file_length`](crate::Network::file_length).
    ///
    /// # Errors
    ///
    /// [`Error`] if they aren't the header of a small network.
    pub fn file_length(head: &[u8]) -> Result<u64, Error> {
        file_length(head, SMALL, "2048-sml", LONGEST_SMALL)
    }

    /// Saves the network by passing its bytes to `sink` in chunks.
    pub fn save(&self, sink: &mut dyn FnMut(&[u8])) {
        let (blocks, _) = self.weights.as_chunks();
        let mut marks = vec![0u8; SMALL_MARKS];
        let mut bits = BitWriter::default();
        for (i, block) in blocks.iter().enumerate() {
            if *block != [0; SMALL_BLOCK] {
                marks[i / 8] |= 1 << (i % 8);
                bits.block(block);
            }
        }
        let stream = bits.finish();
        let mut writer = Writer::new(sink, SMALL, 4 + marks.len() + stream.len());
        writer.f32(self.scale);
        for part in marks.chunks(1 << 15).chain(stream.chunks(1 << 15)) {
            writer.bytes(part);
        }
        writer.finish();
    }

    /// Loads a network from the bytes that [`save`](Self::save) wrote. Versions 1 and 2, of tuples
    /// with four cells, are for [`TupleNetwork::load`](crate::TupleNetwork::load).
    ///
    /// # Errors
    ///
    /// [`Error`] if the bytes are truncated or modified, or have another kind or version.
    pub fn load(bytes: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, SMALL, versions(SMALL), "2048-sml")?;
        let scale = reader.scale()?;
        let marks = reader.take(SMALL_MARKS)?;
        let mut bits = BitReader::new(&reader);
        let mut weights = vec![0; SMALL_WEIGHTS];
        let (blocks, _) = weights.as_chunks_mut();
        for (i, block) in blocks.iter_mut().enumerate() {
            if marks[i / 8] >> (i % 8) & 1 == 1 {
                bits.block(block)?;
            }
        }
        reader.offset = bits.end();
        reader.end()?;
        Ok(Self { scale, weights })
    }
}

/// Weights per block of a small network, and bytes of the bits that mark its blocks.
pub(super) const SMALL_BLOCK: usize = 16;
const SMALL_MARKS: usize = SMALL_WEIGHTS / SMALL_BLOCK / 8;

/// The longest code of a weight in bits: 31 ones, a zero, 15 more bits.
const LONGEST_CODE: usize = 47;

/// The maximum length of a small network's file.
const LONGEST_SMALL: usize = HEADER
    + 4
    + SMALL_MARKS
    + SMALL_WEIGHTS / SMALL_BLOCK * 20 / 8
    + SMALL_WEIGHTS * LONGEST_CODE / 8
    + CHECKSUM;

/// A stream of bits, lowest first.
#[derive(Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// Fewer than eight bits.
    bits: u64,
    count: u32,
}

impl BitWriter {
    /// Writes the lowest bits of a number, at most 48.
    fn put(&mut self, number: u64, count: u32) {
        self.bits |= number << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.bits as u8);
            self.bits >>= 8;
            self.count -= 8;
        }
    }

    pub(super) fn block(&mut self, block: &[i16; SMALL_BLOCK]) {
        let mut mask = 0;
        let mut codes = [0u32; SMALL_BLOCK];
        let mut n = 0;
        let mut before = 0;
        for (i, &weight) in block.iter().enumerate().filter(|&(_, &weight)| weight != 0) {
            mask |= 1 << i;
            let difference = i32::from(weight) - before;
            codes[n] = (difference << 1 ^ difference >> 31) as u32;
            (n, before) = (n + 1, i32::from(weight));
        }
        let codes = &codes[..n];
        let length = |k: &u32| codes.iter().map(|code| (code >> k) + 1 + k).sum::<u32>();
        let fits = |k: &u32| codes.iter().all(|code| code >> k < 32);
        let k = (0..16).filter(fits).min_by_key(length).unwrap_or(15);
        self.put(mask, 16);
        self.put(u64::from(k), 4);
        for &code in codes {
            let ones = code >> k;
            self.put((1 << ones) - 1, ones + 1);
            self.put(u64::from(code & ((1 << k) - 1)), k);
        }
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        // Fills the last byte with zeros.
        self.put(0, 7);
        self.bytes
    }
}

/// Reads the bits from a reader's offset on.
pub(super) struct BitReader {
    /// With eight more bytes.
    bytes: Vec<u8>,
    start: usize,
    /// In bits.
    at: usize,
}

impl BitReader {
    pub(super) fn new(reader: &Reader<'_>) -> Self {
        let rest = reader.bytes.get(reader.offset..).unwrap_or_default();
        let mut bytes = Vec::with_capacity(rest.len() + 8);
        bytes.extend_from_slice(rest);
        bytes.extend([0; 8]);
        Self { bytes, start: reader.offset, at: 0 }
    }

    fn error(&self, expected: &'static str) -> Error {
        Error::FileContent { offset: self.end(), expected }
    }

    /// Returns at least 57 bits, of which the next call leaves out some.
    #[inline]
    fn peek(&self) -> Result<u64, Error> {
        let bytes = self.bytes.get(self.at / 8..).and_then(|bytes| bytes.first_chunk());
        let bytes = bytes.ok_or_else(|| self.error("more bytes"))?;
        Ok(u64::from_le_bytes(*bytes) >> (self.at % 8))
    }

    pub(super) fn block(&mut self, block: &mut [i16; SMALL_BLOCK]) -> Result<(), Error> {
        let head = self.peek()?;
        self.at += 20;
        let mut mask = head as u16;
        let k = (head >> 16 & 15) as u32;
        let mut weight = 0;
        while mask != 0 {
            let bits = self.peek()?;
            let ones = bits.trailing_ones();
            if ones > 31 {
                return Err(self.error("a number with at most 31 ones"));
            }
            let code = ones << k | (bits >> (ones + 1)) as u32 & ((1 << k) - 1);
            weight += (code >> 1) as i32 ^ -((code & 1) as i32);
            let error = self.error("a weight of 16 bits");
            block[mask.trailing_zeros() as usize] = i16::try_from(weight).map_err(|_| error)?;
            self.at += (ones + 1 + k) as usize;
            mask &= mask - 1;
        }
        Ok(())
    }

    /// Returns the offset of the first byte without read bits.
    pub(super) fn end(&self) -> usize {
        self.start + self.at.div_ceil(8)
    }
}

#[cfg(test)]
mod tests {
    use super::super::file_of;
    use super::*;

    #[test]
    fn any_weights_of_a_small_network_are_saved() {
        let mut rng = crate::Rng::new(3);
        let mut weights = vec![0i16; SMALL_WEIGHTS];
        for bits in [0, 3, 9, 15] {
            for _ in 0..20_000 {
                let weight = rng.next_u64() as i16 >> (15 - bits);
                weights[rng.below(SMALL_WEIGHTS as u32) as usize] = weight;
            }
        }
        weights[..4].copy_from_slice(&[i16::MAX, i16::MIN, 1, i16::MIN]);
        weights[SMALL_WEIGHTS - 1] = -1;
        let network = SmallNetwork { scale: 0.5, weights };
        let mut bytes = Vec::new();
        network.save(&mut |part| bytes.extend_from_slice(part));
        assert!(SmallNetwork::load(&bytes).unwrap() == network);
        assert_eq!(SmallNetwork::file_length(&bytes), Ok(bytes.len() as u64));
    }

    /// Returns the error of a small network with one block of these bits.
    fn small_error(stream: &[u8]) -> Option<Error> {
        let mut content = 1f32.to_le_bytes().to_vec();
        content.push(1);
        content.resize(4 + SMALL_MARKS, 0);
        content.extend(stream);
        SmallNetwork::load(&file_of(SMALL, 3, &content)).err()
    }

    #[test]
    fn bad_blocks_of_a_small_network_are_refused() {
        let start = HEADER + 4 + SMALL_MARKS;
        let error = |offset, expected| Some(Error::FileContent { offset, expected });
        // One weight, with k 1: ones, a zero, a bit.
        assert_eq!(small_error(&[1, 0, 0b0101_0001]), None);
        assert_eq!(small_error(&[]), error(start + 3, "the checksum"));
        assert_eq!(small_error(&[1, 0]), error(start + 3, "the checksum"));
        assert_eq!(small_error(&[1, 0, 1, 0]), error(start + 3, "the checksum"));
        let ones = [1, 0, 0xf1, 0xff, 0xff, 0xff, 0xff, 0xff];
        assert_eq!(small_error(&ones), error(start + 3, "a number with at most 31 ones"));
        // With k 15: a one, a zero and 15 ones are 65535, for -32768; then again.
        let twice = [3, 0, 0xdf, 0xff, 0xbf, 0xff, 0x3f];
        assert_eq!(small_error(&twice), error(start + 5, "a weight of 16 bits"));
    }
}
