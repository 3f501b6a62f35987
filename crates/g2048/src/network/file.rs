//! The file format of networks and learners. All numbers are little-endian.
//!
//! ```text
//! offset      size
//! 0              8    name: "2048-net" (network), "2048-sml" (small network) or "2048-lrn" (learner)
//! 8              4    version, u32: 1
//! 12             8    length of the file in bytes, u64
//! 20             n    content
//! 20 + n         8    checksum of all bytes before it, u64
//! ```
//!
//! Content of either kind of network: the scale as an `f32`, then the weights as `i16`s. A
//! network's are in the order of a learner's, without those of ranks that don't occur.
//!
//! Content of a learner, in this order:
//!
//! - settings: concurrent games as a `u32`, learning rate as an `f32`, flags as a `u32` (1 for
//!   coherence, plus 2 if several threads have learned at the same time);
//! - the four words of the next game's stream; rounds, moves and games as `u64`s;
//! - for each concurrent game: the four words of its stream; the board; a `u32` of 1 and the last
//!   afterstate, or of 0 and 0 without one; score and moves;
//! - the number of points of the learning curve, these points, and the unfinished point, three
//!   `u64`s each;
//! - the number of blocks with any bit set, and for each of them its index as a `u32`, 32 weights
//!   and 32 pairs of error sums as `f32`s.

use super::learn::{CurvePoint, Episode, Learner, LearnerSettings};
use super::quantized::{Network, RANKS};
use super::small::{SMALL_WEIGHTS, SmallNetwork};
use super::tables::{Aligned, BLOCK, BLOCKS, TupleTables, any_nonzero};
use crate::error::Error;
use crate::packed::Packed;
use alloc::vec;
use alloc::vec::Vec;
use bitcore::Rng;

const VERSION: u32 = 1;
const NETWORK: [u8; 8] = *b"2048-net";
const SMALL: [u8; 8] = *b"2048-sml";
const LEARNER: [u8; 8] = *b"2048-lrn";
/// Bytes of name, version and length.
const HEADER: usize = 20;
const CHECKSUM: usize = 8;
/// The weights of a network without those of ranks that don't occur: the sixth ranks of two tuples
/// by five shared ones, for two pairs of tuples.
const NETWORK_WEIGHTS: usize = 2 * RANKS.pow(5) * 2 * RANKS;

/// Returns `true` if all five ranks of a block of weights occur.
fn has_known_ranks(block: usize) -> bool {
    const _: () = assert!(RANKS == 14, "the others have their three top bits set");
    (block >> 3 & block >> 2 & block >> 1) & 0x11111 == 0
}

/// A checksum that detects every change within one word: each step is a bijection of the state for
/// given bytes, and of the bytes for a given state.
#[derive(Clone, Copy)]
struct Checksum {
    state: u64,
    /// The bytes of an incomplete word.
    pending: u64,
    bytes: u64,
}

impl Checksum {
    fn new() -> Self {
        Self { state: 0x2048, pending: 0, bytes: 0 }
    }

    fn word(&mut self, word: u64) {
        self.state = (self.state ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }

    fn add(&mut self, mut bytes: &[u8]) {
        while let Some((&byte, rest)) = bytes.split_first() {
            if self.bytes.is_multiple_of(8) && bytes.len() >= 8 {
                let (words, rest) = bytes.as_chunks();
                for &word in words {
                    self.word(u64::from_le_bytes(word));
                }
                self.bytes += 8 * words.len() as u64;
                bytes = rest;
                continue;
            }
            self.pending |= u64::from(byte) << (8 * (self.bytes % 8));
            self.bytes += 1;
            if self.bytes.is_multiple_of(8) {
                let word = core::mem::take(&mut self.pending);
                self.word(word);
            }
            bytes = rest;
        }
    }

    fn finish(mut self) -> u64 {
        self.word(self.pending);
        self.word(self.bytes);
        self.state
    }
}

/// A writer that passes bytes to a sink in chunks and computes their checksum.
struct Writer<'a> {
    sink: &'a mut dyn FnMut(&[u8]),
    checksum: Checksum,
    buffer: Vec<u8>,
}

impl<'a> Writer<'a> {
    fn new(sink: &'a mut dyn FnMut(&[u8]), name: [u8; 8], content: usize) -> Self {
        let mut writer =
            Self { sink, checksum: Checksum::new(), buffer: Vec::with_capacity(1 << 16) };
        writer.bytes(&name);
        writer.u32(VERSION);
        writer.u64((HEADER + content + CHECKSUM) as u64);
        writer
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= (1 << 16) - 512 {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.checksum.add(&self.buffer);
        (self.sink)(&self.buffer);
        self.buffer.clear();
    }

    fn u32(&mut self, number: u32) {
        self.bytes(&number.to_le_bytes());
    }

    fn u64(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    fn f32(&mut self, number: f32) {
        self.bytes(&number.to_le_bytes());
    }

    /// Writes many numbers of `W` bytes. One call per number would take most of the time of a save.
    fn numbers<const W: usize, T: Copy>(&mut self, numbers: &[T], bytes: impl Fn(T) -> [u8; W]) {
        for numbers in numbers.chunks((1 << 15) / W) {
            let at = self.buffer.len();
            self.buffer.resize(at + W * numbers.len(), 0);
            for (to, &number) in self.buffer[at..].as_chunks_mut::<W>().0.iter_mut().zip(numbers) {
                *to = bytes(number);
            }
            if self.buffer.len() >= 1 << 15 {
                self.flush();
            }
        }
    }

    fn rng(&mut self, rng: &Rng) {
        for word in rng.state() {
            self.u64(word);
        }
    }

    fn finish(mut self) {
        self.flush();
        (self.sink)(&self.checksum.finish().to_le_bytes());
    }
}

/// A reader that tracks its offset, for errors.
struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    /// Checks the header and the checksum. Returns a reader of the content.
    fn new(bytes: &'a [u8], name: [u8; 8], expected: &'static str) -> Result<Self, Error> {
        let found = bytes.len() as u64;
        if !bytes.starts_with(&name[..name.len().min(bytes.len())]) || bytes.is_empty() {
            return Err(Error::FileName { expected });
        }
        let short = Error::FileLength { expected: (HEADER + CHECKSUM) as u64, found };
        if bytes.len() < HEADER + CHECKSUM {
            return Err(short);
        }
        let mut reader = Self { bytes: &bytes[..bytes.len() - CHECKSUM], offset: name.len() };
        let version = reader.u32()?;
        if version != VERSION {
            return Err(Error::FileVersion { expected: VERSION, found: version });
        }
        let expected = reader.u64()?;
        if expected != found {
            return Err(Error::FileLength { expected, found });
        }
        let mut checksum = Checksum::new();
        checksum.add(reader.bytes);
        let mut end = Reader { bytes, offset: reader.bytes.len() };
        let offset = end.offset;
        let expected = checksum.finish();
        let found = end.u64()?;
        if found != expected {
            return Err(Error::FileChecksum { offset, expected, found });
        }
        Ok(reader)
    }

    fn take(&mut self, n: usize) -> Result<&'a [u8], Error> {
        let error = self.error("more bytes");
        let rest = self.bytes.get(self.offset..).unwrap_or_default();
        let (taken, _) = rest.split_at_checked(n).ok_or(error)?;
        self.offset += n;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn u32(&mut self) -> Result<u32, Error> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, Error> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads a sum that grows during learning, and must leave it some headroom.
    fn sum(&mut self) -> Result<u64, Error> {
        let error = self.error("a sum below 2^56");
        self.u64().and_then(|sum| if sum < SUM_LIMIT { Ok(sum) } else { Err(error) })
    }

    fn f32(&mut self) -> Result<f32, Error> {
        let error = self.error("a finite number");
        self.array()
            .map(f32::from_le_bytes)
            .and_then(|number| if number.is_finite() { Ok(number) } else { Err(error) })
    }

    fn rng(&mut self) -> Result<Rng, Error> {
        let error = self.error("a generator state that isn't all zeros");
        let mut state = [0; 4];
        for word in &mut state {
            *word = self.u64()?;
        }
        Rng::from_state(state).ok_or(error)
    }

    /// Reads a number of items of at least `size` bytes each, which must fit in the remaining
    /// bytes.
    fn count(&mut self, size: usize) -> Result<usize, Error> {
        let error = self.error("no more entries than fit in the remaining bytes");
        let count = self.u64()?;
        let most = (self.bytes.len() - self.offset) / size;
        if count <= most as u64 { Ok(count as usize) } else { Err(error) }
    }

    fn error(&self, expected: &'static str) -> Error {
        Error::FileContent { offset: self.offset, expected }
    }

    fn end(&self) -> Result<(), Error> {
        if self.offset == self.bytes.len() { Ok(()) } else { Err(self.error("the checksum")) }
    }
}

/// The number of leading bytes of a file that [`Network::file_length`] and [`Learner::file_length`]
/// need.
pub const HEADER_BYTES: usize = HEADER;

/// Checks the first bytes of a file. Returns the length of the file, at most `longest`.
fn file_length(
    head: &[u8],
    name: [u8; 8],
    expected: &'static str,
    longest: usize,
) -> Result<u64, Error> {
    if !head.starts_with(&name[..name.len().min(head.len())]) || head.is_empty() {
        return Err(Error::FileName { expected });
    }
    if head.len() < HEADER {
        return Err(Error::FileLength {
            expected: (HEADER + CHECKSUM) as u64,
            found: head.len() as u64,
        });
    }
    let mut reader = Reader { bytes: head, offset: name.len() };
    let version = reader.u32()?;
    if version != VERSION {
        return Err(Error::FileVersion { expected: VERSION, found: version });
    }
    let error = reader.error("a possible file length");
    let length = reader.u64()?;
    if length <= longest as u64 { Ok(length) } else { Err(error) }
}

impl Network {
    /// Checks the first [`HEADER_BYTES`] of a file and returns the file's length in bytes. Use it
    /// to reject other kinds of files before reading them.
    ///
    /// # Errors
    ///
    /// [`Error`] if they aren't the header of a network.
    pub fn file_length(head: &[u8]) -> Result<u64, Error> {
        file_length(head, NETWORK, "2048-net", HEADER + 4 + 2 * NETWORK_WEIGHTS + CHECKSUM)
    }

    /// Saves the network by passing its bytes to `sink` in chunks.
    pub fn save(&self, sink: &mut dyn FnMut(&[u8])) {
        let mut writer = Writer::new(sink, NETWORK, 4 + 2 * NETWORK_WEIGHTS);
        writer.f32(self.scale);
        let blocks = self.weights.get().as_chunks::<BLOCK>().0;
        for (_, block) in blocks.iter().enumerate().filter(|&(i, _)| has_known_ranks(i)) {
            let mut bytes = [0; 4 * RANKS];
            let halves = bytes.as_chunks_mut::<{ 2 * RANKS }>().0.iter_mut();
            for (to, half) in halves.zip(block.as_chunks::<{ BLOCK / 2 }>().0) {
                to.as_chunks_mut()
                    .0
                    .iter_mut()
                    .zip(half)
                    .for_each(|(to, weight)| *to = weight.to_le_bytes());
            }
            writer.bytes(&bytes);
        }
        writer.finish();
    }

    /// Loads a network from the bytes that [`save`](Self::save) wrote.
    ///
    /// # Errors
    ///
    /// [`Error`] if the bytes are truncated or modified, or have another kind or version.
    pub fn load(bytes: &[u8]) -> Result<Self, Error> {
        let (scale, saved) = load_network(bytes, NETWORK, "2048-net", NETWORK_WEIGHTS)?;
        let mut weights = Aligned::zeros();
        let blocks = weights.get_mut().as_chunks_mut::<BLOCK>().0.iter_mut().enumerate();
        let known = blocks.filter(|&(i, _)| has_known_ranks(i));
        for ((_, to), from) in known.zip(saved.as_chunks::<{ 4 * RANKS }>().0) {
            // The system provides memory only for written pages.
            if *from != [0; 4 * RANKS] {
                let halves = to.as_chunks_mut::<{ BLOCK / 2 }>().0.iter_mut();
                for (to, half) in halves.zip(from.as_chunks::<{ 2 * RANKS }>().0) {
                    to.iter_mut()
                        .zip(half.as_chunks().0)
                        .for_each(|(to, &from)| *to = i16::from_le_bytes(from));
                }
            }
        }
        Ok(Self { scale, weights })
    }
}

impl SmallNetwork {
    /// Checks the first [`HEADER_BYTES`] of a file and returns the file's length in bytes, like
    /// [`Network::file_length`].
    ///
    /// # Errors
    ///
    /// [`Error`] if they aren't the header of a small network.
    pub fn file_length(head: &[u8]) -> Result<u64, Error> {
        file_length(head, SMALL, "2048-sml", HEADER + 4 + 2 * SMALL_WEIGHTS + CHECKSUM)
    }

    /// Saves the network by passing its bytes to `sink` in chunks.
    pub fn save(&self, sink: &mut dyn FnMut(&[u8])) {
        let mut writer = Writer::new(sink, SMALL, 4 + 2 * self.weights.len());
        writer.f32(self.scale);
        writer.numbers(&self.weights, i16::to_le_bytes);
        writer.finish();
    }

    /// Loads a network from the bytes that [`save`](Self::save) wrote.
    ///
    /// # Errors
    ///
    /// [`Error`] if the bytes are truncated or modified, or have another kind or version.
    pub fn load(bytes: &[u8]) -> Result<Self, Error> {
        let (scale, weights) = load_network(bytes, SMALL, "2048-sml", SMALL_WEIGHTS)?;
        let weights = weights.as_chunks().0.iter().copied().map(i16::from_le_bytes).collect();
        Ok(Self { scale, weights })
    }
}

/// Returns the scale of a network of either kind, and the bytes of its weights.
fn load_network<'a>(
    bytes: &'a [u8],
    name: [u8; 8],
    expected: &'static str,
    length: usize,
) -> Result<(f32, &'a [u8]), Error> {
    let mut reader = Reader::new(bytes, name, expected)?;
    let error = reader.error("a scale above 0");
    let scale = reader.f32()?;
    if scale <= 0.0 {
        return Err(error);
    }
    let weights = reader.take(2 * length)?;
    reader.end()?;
    Ok((scale, weights))
}

/// The bound on sums in a file: hundreds of years of learning, yet far from overflow when the sums
/// of all concurrent games are added.
const SUM_LIMIT: u64 = 1 << 56;
const EPISODE_BYTES: usize = 32 + 8 + 4 + 8 + 8 + 8;
/// Bytes per point of the curve.
const POINT_BYTES: usize = 24;
const BLOCK_BYTES: usize = 4 + 4 * 3 * BLOCK;

/// The maximum length of a learner's file: all blocks, plus a gibibyte for games and points of the
/// curve.
const LONGEST_LEARNER: usize = BLOCKS * BLOCK_BYTES + (1 << 30);

impl Learner {
    /// Checks the first [`HEADER_BYTES`] of a file and returns the file's length in bytes. Use it
    /// to reject other kinds of files before reading them.
    ///
    /// # Errors
    ///
    /// [`Error`] if they aren't the header of a learner.
    pub fn file_length(head: &[u8]) -> Result<u64, Error> {
        file_length(head, LEARNER, "2048-lrn", LONGEST_LEARNER)
    }

    /// Saves the learner by passing its bytes to `sink` in chunks. A learner [loaded](Self::load)
    /// from them continues as if it had never been interrupted. Each block with any bit set takes
    /// 388 bytes, at most 776 MiB in total.
    pub fn save(&self, sink: &mut dyn FnMut(&[u8])) {
        // One bit per block, set if the block has any bit set: finding these blocks takes a single
        // pass.
        let mut used = vec![0; BLOCKS.div_ceil(64)];
        for (i, (values, sums)) in self.tables.blocks().enumerate() {
            used[i / 64] |= u64::from(any_nonzero(values) || any_nonzero(sums)) << (i % 64);
        }
        let blocks = used.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        let fixed = 12 + 32 + 24 + 8 + POINT_BYTES + 8;
        let content = fixed
            + EPISODE_BYTES * self.episodes.len()
            + POINT_BYTES * self.curve.len()
            + BLOCK_BYTES * blocks;
        let mut writer = Writer::new(sink, LEARNER, content);
        writer.u32(self.settings.concurrent_games as u32);
        writer.f32(self.settings.learning_rate);
        writer.u32(u32::from(self.settings.coherence) | u32::from(self.shared) << 1);
        writer.rng(&self.next);
        for count in [self.rounds, self.moves, self.games] {
            writer.u64(count);
        }
        for episode in &self.episodes {
            writer.rng(&episode.rng);
            writer.u64(episode.board.bits());
            writer.u32(episode.after.is_some().into());
            writer.u64(episode.after.map_or(0, Packed::bits));
            writer.u64(episode.score);
            writer.u64(episode.moves);
        }
        writer.u64(self.curve.len() as u64);
        for point in self.curve.iter().chain([&self.point]) {
            for sum in [point.score, point.moves, point.reached_2048] {
                writer.u64(sum);
            }
        }
        writer.u64(blocks as u64);
        for (i, (values, sums)) in self.tables.blocks().enumerate() {
            if used[i / 64] >> (i % 64) & 1 == 1 {
                writer.u32(i as u32);
                writer.numbers(values, f32::to_le_bytes);
                writer.numbers(sums, f32::to_le_bytes);
            }
        }
        writer.finish();
    }

    /// Loads a learner from the bytes that [`save`](Self::save) wrote.
    ///
    /// # Errors
    ///
    /// [`Error`] if the bytes are truncated or modified, or have another kind or version.
    pub fn load(bytes: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, LEARNER, "2048-lrn")?;
        let start = reader.offset;
        let concurrent_games = reader.u32()? as usize;
        let learning_rate = reader.f32()?;
        let (coherence, shared) = match reader.u32()? {
            flags @ 0..4 => (flags & 1 == 1, flags & 2 == 2),
            _ => return Err(Error::FileContent { offset: start + 8, expected: "0 to 3" }),
        };
        let settings = LearnerSettings { concurrent_games, learning_rate, coherence };
        let wrong = Error::FileContent { offset: start, expected: "settings within their ranges" };
        settings.check().map_err(|_| wrong)?;
        let next = reader.rng()?;
        let rounds = reader.sum()?;
        let moves = reader.sum()?;
        let games = reader.sum()?;
        let mut episodes = Vec::new();
        for _ in 0..settings.concurrent_games {
            let rng = reader.rng()?;
            let board = Packed::from_bits(reader.u64()?);
            let error = reader.error("1 and an afterstate, or 0 and 0");
            let after = match (reader.u32()?, reader.u64()?) {
                (0, 0) => None,
                (1, bits) => Some(Packed::from_bits(bits)),
                _ => return Err(error),
            };
            episodes.push(Episode {
                rng,
                board,
                after,
                score: reader.sum()?,
                moves: reader.sum()?,
            });
        }
        let mut curve = vec![CurvePoint::default(); reader.count(POINT_BYTES)?];
        let mut point = CurvePoint::default();
        for point in curve.iter_mut().chain([&mut point]) {
            *point = CurvePoint {
                score: reader.sum()?,
                moves: reader.sum()?,
                reached_2048: reader.sum()?,
            };
        }
        let mut tables = TupleTables::new();
        let blocks = reader.count(BLOCK_BYTES)?;
        let mut least = 0;
        for _ in 0..blocks {
            let error = reader.error("a block index larger than the last one");
            let i = reader.u32()? as usize;
            if i < least || i >= BLOCKS {
                return Err(error);
            }
            least = i + 1;
            let (values, sums) = tables.block_mut(i);
            for number in values.iter_mut().chain(sums) {
                *number = reader.f32()?;
            }
        }
        reader.end()?;
        Ok(Self { settings, tables, episodes, next, rounds, moves, games, curve, point, shared })
    }
}

#[cfg(test)]
mod tests {
    use super::{Error, SUM_LIMIT};
    use crate::network::LearnerSettings;
    use crate::network::learn::Learner;
    use alloc::vec::Vec;

    fn error_after(change: impl Fn(&mut Learner)) -> Option<Error> {
        let settings = LearnerSettings { concurrent_games: 1, ..LearnerSettings::default() };
        let mut learner = Learner::new(settings, 1).unwrap();
        change(&mut learner);
        let mut bytes = Vec::new();
        learner.save(&mut |part| bytes.extend_from_slice(part));
        Learner::load(&bytes).err()
    }

    #[test]
    fn sums_that_would_overflow_are_refused() {
        let error = |offset| Some(Error::FileContent { offset, expected: "a sum below 2^56" });
        assert_eq!(error_after(|learner| learner.rounds = SUM_LIMIT - 1), None);
        assert_eq!(error_after(|learner| learner.rounds = u64::MAX), error(64));
        assert_eq!(error_after(|learner| learner.episodes[0].score = u64::MAX), error(88 + 52));
    }
}
