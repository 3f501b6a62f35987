//! Files of [`TupleNetwork`]s, and of the small networks before version 3.

use super::small::{BitReader, BitWriter, SMALL_BLOCK};
use super::{CHECKSUM, HEADER, Reader, SMALL, TUPLE, Writer, file_length_of, read_weights};
use crate::board::Size;
use crate::error::Error;
use crate::network::any_size::{MOST_LOOKUPS, TupleNetwork};
use crate::network::layout::{Layout, TUPLE_CELLS};
use alloc::vec;
use alloc::vec::Vec;

/// The maximum length of a file.
const LONGEST: usize = HEADER + (1 << 28) + CHECKSUM;

/// The most weights in a file.
const MOST_WEIGHTS: u64 = 1 << 26;

/// Version 1 of a small network had the first 13.
const SMALL_TUPLES: [[u8; 4]; 15] = [
    [0, 1, 2, 3],
    [4, 5, 6, 7],
    [0, 1, 4, 5],
    [1, 2, 5, 6],
    [5, 6, 9, 10],
    [0, 1, 2, 4],
    [0, 1, 2, 6],
    [4, 5, 6, 8],
    [4, 5, 6, 10],
    [0, 4, 5, 6],
    [2, 4, 5, 6],
    [0, 1, 2, 5],
    [4, 5, 6, 9],
    [0, 1, 5, 6],
    [1, 2, 4, 5],
];

impl TupleNetwork {
    /// Checks the first [`HEADER_BYTES`](crate::network::HEADER_BYTES) of a file and returns the
    /// file's length in bytes, like [`Network::file_length`](crate::Network::file_length).
    ///
    /// # Errors
    ///
    /// [`Error`] if they are neither the header of such a network nor that of a small network of
    /// version 1 or 2.
    pub fn file_length(head: &[u8]) -> Result<u64, Error> {
        if head.starts_with(&SMALL) {
            file_length_of(head, SMALL, 1..=2, "2048-sml", LONGEST)
        } else {
            file_length_of(head, TUPLE, 1..=1, "2048-tup", LONGEST)
        }
    }

    /// Saves the network by passing its bytes to `sink` in chunks.
    pub fn save(&self, sink: &mut dyn FnMut(&[u8])) {
        let Self { layout, scale, weights } = self;
        let mut marks = vec![0u8; weights.len().div_ceil(SMALL_BLOCK).div_ceil(8)];
        let mut bits = BitWriter::default();
        for (i, part) in weights.chunks(SMALL_BLOCK).enumerate() {
            let mut block = [0; SMALL_BLOCK];
            block[..part.len()].copy_from_slice(part);
            if block != [0; SMALL_BLOCK] {
                marks[i / 8] |= 1 << (i % 8);
                bits.block(&block);
            }
        }
        let stream = bits.finish();
        let content = 16 + 8 * layout.tuples.len() + 4 + marks.len() + stream.len();
        let mut writer = Writer::new(sink, TUPLE, content);
        let size = layout.size;
        let numbers = [size.width(), size.height(), layout.ranks as usize, layout.tuples.len()];
        for number in numbers {
            writer.u32(number as u32);
        }
        for &tuple in &layout.tuples {
            writer.u64(tuple);
        }
        writer.f32(*scale);
        for part in marks.chunks(1 << 15).chain(stream.chunks(1 << 15)) {
            writer.bytes(part);
        }
        writer.finish();
    }

    /// Loads a network from the bytes that [`save`](Self::save) wrote, or from the file of a small
    /// network of version 1 or 2, whose tuples have four cells.
    ///
    /// # Errors
    ///
    /// [`Error`] if the bytes are truncated or modified, or have another kind or version.
    pub fn load(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.starts_with(&SMALL) {
            return Self::load_small(bytes);
        }
        let mut reader = Reader::new(bytes, TUPLE, 1..=1, "2048-tup")?;
        let start = reader.offset;
        let width = reader.u32()? as usize;
        let height = reader.u32()? as usize;
        let wrong = |expected| Error::FileContent { offset: start, expected };
        let size =
            Size::new(width, height).map_err(|_| wrong("a width and a height from 2 to 8"))?;
        let ranks = u64::from(reader.u32()?);
        if !(2..=64).contains(&ranks) {
            return Err(wrong("2 to 64 ranks"));
        }
        let count = reader.u32()? as usize;
        if !(1..=MOST_LOOKUPS / 8).contains(&count) {
            return Err(wrong("1 to 64 tuples"));
        }
        let mut tuples = Vec::new();
        let mut weights = 0;
        for _ in 0..count {
            let error = reader.error("a tuple of four to six cells of the board");
            let tuple = reader.u64()?;
            let cells = tuple.count_ones();
            if !TUPLE_CELLS.contains(&cells) || tuple > u64::MAX >> (64 - size.cells()) {
                return Err(error);
            }
            weights += ranks.pow(cells);
            if weights > MOST_WEIGHTS {
                return Err(wrong("at most 2^26 weights"));
            }
            tuples.push(tuple);
        }
        let scale = reader.scale()?;
        let mut weights = vec![0; weights as usize];
        let marks = reader.take(weights.len().div_ceil(SMALL_BLOCK).div_ceil(8))?;
        let mut bits = BitReader::new(&reader);
        for (i, part) in weights.chunks_mut(SMALL_BLOCK).enumerate() {
            if marks[i / 8] >> (i % 8) & 1 == 1 {
                let mut block = [0; SMALL_BLOCK];
                bits.block(&mut block)?;
                part.copy_from_slice(&block[..part.len()]);
            }
        }
        reader.offset = bits.end();
        reader.end()?;
        Ok(Self { layout: Layout::new(size, ranks, tuples), scale, weights })
    }

    fn load_small(bytes: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, SMALL, 1..=2, "2048-sml")?;
        let scale = reader.scale()?;
        let (ranks, tuples) = if reader.version == 1 { (14, 13) } else { (16, 15) };
        let tuple = |cells: &[u8; 4]| cells.iter().fold(0, |tuple, cell| tuple | 1u64 << cell);
        let tuples = SMALL_TUPLES[..tuples].iter().map(tuple).collect();
        let layout = Layout::new(Size::CLASSIC, ranks, tuples);
        let mut weights = vec![0; layout.weights as usize];
        let saved = reader.take(2 * weights.len())?;
        read_weights(&mut weights, saved);
        reader.end()?;
        Ok(Self { layout, scale, weights })
    }
}

#[cfg(test)]
mod tests {
    use super::super::file_of;
    use super::*;
    use crate::board::Board;

    /// A weight for ranks that the tables tell apart.
    fn weight(tuple: usize, ranks: [usize; 4]) -> i16 {
        let mixed = ranks.iter().fold(tuple as u32 + 1, |mixed, &rank| mixed * 31 + rank as u32);
        (mixed.wrapping_mul(0x9e37_79b9) >> 20) as i16
    }

    #[test]
    fn small_networks_of_versions_1_and_2_are_read() {
        for (version, tuples, ranks) in [(1, 13, 14usize), (2, 15, 16)] {
            let mut content = 0.5f32.to_le_bytes().to_vec();
            for tuple in 0..tuples {
                for i in 0..ranks.pow(4) {
                    let digits =
                        [1, ranks, ranks.pow(2), ranks.pow(3)].map(|base| i / base % ranks);
                    content.extend(weight(tuple, digits).to_le_bytes());
                }
            }
            let bytes = file_of(SMALL, version, &content);
            assert_eq!(TupleNetwork::file_length(&bytes), Ok(bytes.len() as u64));
            let network = TupleNetwork::load(&bytes).unwrap();
            assert_eq!(network.size(), Size::CLASSIC);
            let mut rng = crate::Rng::new(1);
            for _ in 0..500 {
                let board = Board::from_fn(Size::CLASSIC, |_| rng.below(17) as u8);
                let mut sum = 0;
                for image in board.symmetries() {
                    for (tuple, cells) in SMALL_TUPLES[..tuples].iter().enumerate() {
                        let rank = |cell: u8| usize::from(image.ranks()[usize::from(cell)]);
                        sum += i32::from(weight(tuple, cells.map(|c| rank(c).min(ranks - 1))));
                    }
                }
                assert_eq!(network.value(&board).to_bits(), (0.5 * sum as f32).to_bits());
            }
            // It is saved in today's form.
            let mut saved = Vec::new();
            network.save(&mut |part| saved.extend_from_slice(part));
            assert!(TupleNetwork::load(&saved).unwrap() == network);
        }
    }

    #[test]
    fn bad_content_is_refused() {
        let error = |numbers: [u32; 4], tuples: &[u64]| {
            let mut content: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
            content.extend(tuples.iter().flat_map(|tuple| tuple.to_le_bytes()));
            content.extend(1f32.to_le_bytes());
            content.resize(content.len() + (1 << 20), 0);
            TupleNetwork::load(&file_of(TUPLE, 1, &content)).err()
        };
        let expected = |offset, expected| Some(Error::FileContent { offset, expected });
        assert_eq!(error([9, 3, 11, 1], &[15]), expected(20, "a width and a height from 2 to 8"));
        assert_eq!(error([3, 3, 1, 1], &[15]), expected(20, "2 to 64 ranks"));
        assert_eq!(error([3, 3, 65, 1], &[15]), expected(20, "2 to 64 ranks"));
        assert_eq!(error([3, 3, 11, 0], &[15]), expected(20, "1 to 64 tuples"));
        assert_eq!(error([3, 3, 11, 65], &[15]), expected(20, "1 to 64 tuples"));
        let cells = "a tuple of four to six cells of the board";
        assert_eq!(error([3, 3, 11, 2], &[15, 7]), expected(44, cells));
        assert_eq!(error([3, 3, 11, 1], &[127]), expected(36, cells));
        assert_eq!(error([3, 3, 11, 1], &[7 | 1 << 9]), expected(36, cells));
        assert_eq!(error([3, 3, 64, 1], &[63]), expected(20, "at most 2^26 weights"));
        // As many zeros as the network has marks, and more.
        let marks = 11u64.pow(4).div_ceil(128) as usize;
        assert_eq!(error([3, 3, 11, 1], &[15]), expected(48 + marks, "the checksum"));
    }
}
