//! The file format of networks and learners. All numbers are little-endian.
//!
//! ```text
//! offset      size
//! 0              8    name: "2048-net" (network), "2048-sml" (small network), "2048-tup" (network for
//!                     any size) or "2048-lrn" (learner)
//! 8              4    version, u32: 2; 3 of a small network; 1 of a network for any size
//! 12             8    length of the file in bytes, u64
//! 20             n    content
//! 20 + n         8    checksum of all bytes before it, u64
//! ```
//!
//! Content of a network: the scale as an `f32`; one bit per block, set if the block has a weight
//! other than 0, in 262,144 bytes, lowest bit first; the 32 weights of each such block as `i16`s.
//! A block has the weights of a pair of tuples for five shared ranks: block
//! `pair << 20 | r4 << 16 | r3 << 12 | r2 << 8 | r1 << 4 | r0`, where pair 0 is tuples 0 and 2 with
//! the ranks of cells 0, 1, 2, 4 and 5, and pair 1 is tuples 1 and 3 with those of cells 4, 5, 6, 8
//! and 9. First come the 16 weights of the pair's first tuple, by the rank of its other cell, then
//! the 16 of its second. A value is the scale times the sum of 32 weights: those of the four tuples
//! on the eight images of a board.
//!
//! Content of a small network: the scale as an `f32`; one bit per block of 16 weights, set if the
//! block has a weight other than 0, in 65,536 bytes, lowest bit first; then a stream of bits, lowest
//! bit of each byte first, with each such block:
//!
//! - 16 bits, set for the weights other than 0, lowest first;
//! - a number k in four bits;
//! - for each of these weights its difference d from the one before, or from 0, as `2 * d` or
//!   `-2 * d - 1`: this number divided by 2^k, at most 31, in as many ones and a zero, then its
//!   lowest k bits.
//!
//! The weights of tuple t for the ranks r0 to r4 of its cells are in block
//! `t << 16 | r4 << 12 | r3 << 8 | r2 << 4 | r1`, at r0.
//!
//! Content of a network for any size: the width, the height, the number of ranks n and the number of
//! tuples as `u32`s; the cells of each tuple as the bits of a `u64`, lowest cell first, row-major; then
//! the scale, the bits and the stream of a small network, as many as its weights need. The weights
//! follow each other tuple by tuple, those of a tuple's k cells at
//! `r0 + n * r1 + .. + n^(k - 1) * r(k - 1)`. Ranks above n - 1 count as n - 1. A value is the scale
//! times the sum of the weights of all tuples on the images of the board that have its size: eight of a
//! square, four of others.
//!
//! Content of a learner, in this order:
//!
//! - settings: concurrent games as a `u32`, learning rate as an `f32`, flags as a `u32` (1 for
//!   coherence, plus 2 if several threads have learned at the same time, plus 4 for late starts),
//!   lambda as an `f32`, games per restart as a `u64`;
//! - the four words of the next game's stream; rounds, moves, games and restarts as `u64`s;
//! - for each concurrent game: the four words of its stream; the board; its restarts; its number of
//!   moves; for each move the afterstate, and the gain as a `u32`;
//! - the number of points of the learning curve, these points, and the unfinished point, three
//!   `u64`s each;
//! - the number of blocks with any bit set, and for each of them its index as a `u32`, 32 weights
//!   and 32 pairs of error sums as `f32`s.
//!
//! In files of version 1, ranks above 13 count as 13. A network of that version has all weights of
//! the other ranks, without the bits; a learner has no lambda, games per restart or restarts, and
//! for each concurrent game the four words of its stream and 36 more bytes. Such a learner goes on
//! with new games.
//!
//! Small networks of versions 1 and 2 are read as networks for any size. After the scale they have the
//! weights of all tuples as `i16`s: 13 tuples with 14 ranks in version 1, 15 tuples with 16 ranks in
//! version 2, in the order of weights above.

mod any_size;
mod small;

use super::learn::{CurvePoint, Episode, Learner};
use super::quantized::Network;
use super::settings::LearnerSettings;
use super::tables::{Aligned, BLOCK, BLOCKS, TupleTables, WEIGHTS, any_nonzero};
use crate::error::Error;
use crate::packed::Packed;
use alloc::vec;
use alloc::vec::Vec;
use bitcore::Rng;
use core::ops::RangeInclusive;

const VERSION: u32 = 2;
const SMALL_VERSION: u32 = 3;
const NETWORK: [u8; 8] = *b"2048-net";
const SMALL: [u8; 8] = *b"2048-sml";
const TUPLE: [u8; 8] = *b"2048-tup";
const LEARNER: [u8; 8] = *b"2048-lrn";
/// Bytes of name, version and length.
const HEADER: usize = 20;
const CHECKSUM: usize = 8;
/// Bytes of the bits of a network's blocks.
const BITS: usize = BLOCKS / 8;
/// Ranks per cell in version 1.
const OLD_RANKS: usize = 14;
/// Weights of a network in version 1: the sixth ranks of two tuples by five shared ones, for two
/// pairs of tuples.
const OLD_WEIGHTS: usize = 2 * OLD_RANKS.pow(5) * 2 * OLD_RANKS;
/// Replaces the four-bit ranks above 13 in an index by 13.
fn old_ranks(index: usize) -> usize {
    // Ranks 14 and 15 have their three top bits set.
    let above = (index >> 3 & index >> 2 & index >> 1) & 0x11111;
    // They become 15, then 13.
    (index | above) ^ above << 1
}

/// Gives ranks 14 and 15 the numbers of rank 13, `EACH` of them per weight.
fn spread_rank_13<const EACH: usize, T: Copy + PartialEq + Default>(numbers: &mut [T]) {
    let (numbers, _) = numbers.as_chunks_mut::<EACH>();
    let (blocks, _) = numbers.as_chunks_mut::<BLOCK>();
    for pair in blocks.chunks_mut(BLOCKS / 2) {
        for i in 0..pair.len() {
            let from = old_ranks(i);
            if i == from {
                for half in pair[i].chunks_mut(BLOCK / 2) {
                    let [.., thirteen, above, most] = half else { continue };
                    (*above, *most) = (*thirteen, *thirteen);
                }
            } else if pair[from] != [[T::default(); EACH]; BLOCK] {
                // The system provides memory only for written pages.
                pair[i] = pair[from];
            }
        }
    }
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
        writer.u32(*versions(name).end());
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
    version: u32,
}

impl<'a> Reader<'a> {
    /// Checks the header and the checksum. Returns a reader of the content.
    fn new(
        bytes: &'a [u8],
        name: [u8; 8],
        versions: RangeInclusive<u32>,
        expected: &'static str,
    ) -> Result<Self, Error> {
        let found = bytes.len() as u64;
        if !bytes.starts_with(&name[..name.len().min(bytes.len())]) || bytes.is_empty() {
            return Err(Error::FileName { expected });
        }
        let short = Error::FileLength { expected: (HEADER + CHECKSUM) as u64, found };
        if bytes.len() < HEADER + CHECKSUM {
            return Err(short);
        }
        let content = &bytes[..bytes.len() - CHECKSUM];
        let mut reader = Self { bytes: content, offset: name.len(), version: VERSION };
        reader.read_version(versions)?;
        let expected = reader.u64()?;
        if expected != found {
            return Err(Error::FileLength { expected, found });
        }
        let mut checksum = Checksum::new();
        checksum.add(reader.bytes);
        let mut end = Reader { bytes, offset: reader.bytes.len(), ..reader };
        let offset = end.offset;
        let expected = checksum.finish();
        let found = end.u64()?;
        if found != expected {
            return Err(Error::FileChecksum { offset, expected, found });
        }
        Ok(reader)
    }

    fn read_version(&mut self, versions: RangeInclusive<u32>) -> Result<(), Error> {
        self.version = self.u32()?;
        if versions.contains(&self.version) {
            Ok(())
        } else {
            Err(Error::FileVersion { expected: *versions.end(), found: self.version })
        }
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

    fn scale(&mut self) -> Result<f32, Error> {
        let error = self.error("a scale above 0");
        self.f32().and_then(|scale| if scale > 0.0 { Ok(scale) } else { Err(error) })
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

/// Returns the versions of a kind of files that are read. The last one is written.
const fn versions(name: [u8; 8]) -> RangeInclusive<u32> {
    match name {
        SMALL => SMALL_VERSION..=SMALL_VERSION,
        TUPLE => 1..=1,
        _ => 1..=VERSION,
    }
}

/// Checks the first bytes of a file. Returns the length of the file, at most `longest`.
fn file_length(
    head: &[u8],
    name: [u8; 8],
    expected: &'static str,
    longest: usize,
) -> Result<u64, Error> {
    file_length_of(head, name, versions(name), expected, longest)
}

fn file_length_of(
    head: &[u8],
    name: [u8; 8],
    versions: RangeInclusive<u32>,
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
    let mut reader = Reader { bytes: head, offset: name.len(), version: VERSION };
    reader.read_version(versions)?;
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
        file_length(head, NETWORK, "2048-net", HEADER + 4 + BITS + 2 * WEIGHTS + CHECKSUM)
    }

    /// Saves the network by passing its bytes to `sink` in chunks. Each block of 32 weights that
    /// aren't all 0 takes 64 bytes, at most 128 MiB in total.
    pub fn save(&self, sink: &mut dyn FnMut(&[u8])) {
        let (blocks, _) = self.weights.get().as_chunks::<BLOCK>();
        let mut bits = vec![0; BITS];
        for (bits, blocks) in bits.iter_mut().zip(blocks.as_chunks::<8>().0) {
            for (i, block) in blocks.iter().enumerate() {
                *bits |= u8::from(*block != [0; BLOCK]) << i;
            }
        }
        let used = bits.iter().map(|bits| bits.count_ones() as usize).sum::<usize>();
        let mut writer = Writer::new(sink, NETWORK, 4 + BITS + 2 * BLOCK * used);
        writer.f32(self.scale);
        writer.numbers(&bits, |bits| [bits]);
        for block in blocks.iter().filter(|&block| *block != [0; BLOCK]) {
            writer.numbers(block, i16::to_le_bytes);
        }
        writer.finish();
    }

    /// Loads a network from the bytes that [`save`](Self::save) wrote.
    ///
    /// # Errors
    ///
    /// [`Error`] if the bytes are truncated or modified, or have another kind or version.
    pub fn load(bytes: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, NETWORK, versions(NETWORK), "2048-net")?;
        let scale = reader.scale()?;
        let mut weights = Aligned::zeros();
        let (blocks, _) = weights.get_mut().as_chunks_mut::<BLOCK>();
        if reader.version == 1 {
            let saved = reader.take(2 * OLD_WEIGHTS)?;
            let known = blocks.iter_mut().enumerate().filter(|&(i, _)| old_ranks(i) == i);
            for ((_, to), from) in known.zip(saved.as_chunks::<{ 4 * OLD_RANKS }>().0) {
                // The system provides memory only for written pages.
                if *from != [0; 4 * OLD_RANKS] {
                    let halves = to.chunks_mut(BLOCK / 2);
                    for (to, from) in halves.zip(from.as_chunks::<{ 2 * OLD_RANKS }>().0) {
                        read_weights(to, from);
                    }
                }
            }
            spread_rank_13::<1, _>(weights.get_mut());
        } else {
            let bits = reader.take(BITS)?;
            for (i, to) in blocks.iter_mut().enumerate() {
                if bits[i / 8] >> (i % 8) & 1 == 1 {
                    read_weights(to, reader.take(2 * BLOCK)?);
                }
            }
        }
        reader.end()?;
        Ok(Self { scale, weights })
    }
}

fn read_weights(weights: &mut [i16], bytes: &[u8]) {
    for (weight, &bytes) in weights.iter_mut().zip(bytes.as_chunks().0) {
        *weight = i16::from_le_bytes(bytes);
    }
}

/// The bound on sums in a file: hundreds of years of learning, yet far from overflow when the sums
/// of all concurrent games are added.
const SUM_LIMIT: u64 = 1 << 56;
const EPISODE_BYTES: usize = 32 + 8 + 8 + 8;
const MOVE_BYTES: usize = 8 + 4;
/// Bytes of a game in progress in version 1, without its stream.
const OLD_EPISODE_BYTES: usize = 8 + 4 + 8 + 8 + 8;
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
        let fixed = 24 + 32 + 32 + 8 + POINT_BYTES + 8;
        let moves = self.episodes.iter().map(|episode| episode.moves.len()).sum::<usize>();
        let content = fixed
            + EPISODE_BYTES * self.episodes.len()
            + MOVE_BYTES * moves
            + POINT_BYTES * self.curve.len()
            + BLOCK_BYTES * blocks;
        let mut writer = Writer::new(sink, LEARNER, content);
        writer.u32(self.settings.concurrent_games as u32);
        writer.f32(self.settings.learning_rate);
        let flags = [self.settings.coherence, self.shared, self.settings.late_start];
        writer.u32(flags.into_iter().rev().fold(0, |flags, flag| flags << 1 | u32::from(flag)));
        writer.f32(self.settings.lambda);
        writer.u64(self.settings.games_per_restart);
        writer.rng(&self.next);
        for count in [self.rounds, self.moves, self.games, self.restarts] {
            writer.u64(count);
        }
        for episode in &self.episodes {
            writer.rng(&episode.rng);
            writer.u64(episode.board.bits());
            writer.u64(episode.restarts);
            writer.u64(episode.moves.len() as u64);
            for &(after, gain) in &episode.moves {
                writer.u64(after.bits());
                writer.u32(gain);
            }
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
        let mut reader = Reader::new(bytes, LEARNER, versions(LEARNER), "2048-lrn")?;
        let start = reader.offset;
        let concurrent_games = reader.u32()? as usize;
        let learning_rate = reader.f32()?;
        let is_old = reader.version == 1;
        let [coherence, shared, late_start] = match reader.u32()? {
            flags @ 0..8 if !is_old || flags < 4 => [0, 1, 2].map(|bit| flags >> bit & 1 == 1),
            _ => return Err(Error::FileContent { offset: start + 8, expected: "0 to 7" }),
        };
        let mut settings =
            LearnerSettings { concurrent_games, learning_rate, coherence, ..Default::default() };
        settings.late_start = late_start;
        if !is_old {
            settings.lambda = reader.f32()?;
            settings.games_per_restart = reader.u64()?;
        }
        let wrong = Error::FileContent { offset: start, expected: "settings within their ranges" };
        settings.check().map_err(|_| wrong)?;
        let mut next = reader.rng()?;
        let rounds = reader.sum()?;
        let moves = reader.sum()?;
        let games = reader.sum()?;
        let restarts = if is_old { 0 } else { reader.sum()? };
        let mut episodes = Vec::new();
        for _ in 0..settings.concurrent_games {
            let rng = reader.rng()?;
            if is_old {
                reader.take(OLD_EPISODE_BYTES)?;
                episodes.push(Episode::start(&mut next, settings));
                continue;
            }
            let board = Packed::from_bits(reader.u64()?);
            let restarts = reader.sum()?;
            let mut moves = Vec::new();
            for _ in 0..reader.count(MOVE_BYTES)? {
                moves.push((Packed::from_bits(reader.u64()?), reader.u32()?));
            }
            episodes.push(Episode { rng, board, moves, restarts });
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
        if is_old {
            let (values, sums) = tables.numbers_mut();
            spread_rank_13::<1, _>(values);
            spread_rank_13::<2, _>(sums);
        }
        Ok(Self {
            settings,
            tables,
            episodes,
            next,
            rounds,
            moves,
            games,
            restarts,
            curve,
            point,
            shared,
        })
    }
}

#[cfg(test)]
fn file_of(name: [u8; 8], version: u32, content: &[u8]) -> Vec<u8> {
    let mut bytes = name.to_vec();
    bytes.extend(version.to_le_bytes());
    bytes.extend((content.len() as u64 + 28).to_le_bytes());
    bytes.extend(content);
    let mut checksum = Checksum::new();
    checksum.add(&bytes);
    bytes.extend(checksum.finish().to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::{Error, LEARNER, NETWORK, SUM_LIMIT, file_of};
    use crate::Packed;
    use crate::network::LearnerSettings;
    use crate::network::learn::Learner;
    use crate::network::quantized::Network;
    use alloc::vec;
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
        assert_eq!(error_after(|learner| learner.rounds = u64::MAX), error(76));
        assert_eq!(error_after(|learner| learner.episodes[0].restarts = u64::MAX), error(108 + 40));
    }

    fn old_file(name: [u8; 8], content: &[u8]) -> Vec<u8> {
        file_of(name, 1, content)
    }

    /// A weight for ranks of at most 13.
    fn weight(tuple: usize, ranks: &[usize]) -> i16 {
        let mixed = ranks.iter().fold(tuple as u32 + 1, |mixed, &rank| mixed * 31 + rank as u32);
        (mixed.wrapping_mul(0x9e37_79b9) >> 20) as i16
    }

    #[test]
    fn networks_of_version_1_count_larger_ranks_as_13() {
        let mut content = 1f32.to_le_bytes().to_vec();
        for pair in 0..2 {
            for i in 0..14usize.pow(5) {
                let [r0, r1, r2, r3, r4] = [1, 14, 196, 2744, 38416].map(|base| i / base % 14);
                for second in 0..2 {
                    for sixth in 0..14 {
                        // The ranks in the order of the tuple's cells.
                        let ranks = match second {
                            0 => [r0, r1, r2, sixth, r3, r4],
                            _ => [r0, r1, r2, r3, r4, sixth],
                        };
                        let weight = weight(pair + 2 * second, &ranks);
                        content.extend(weight.to_le_bytes());
                    }
                }
            }
        }
        let network = Network::load(&old_file(NETWORK, &content)).unwrap();
        let mut rng = crate::Rng::new(1);
        for i in 0..4_000 {
            let ranks = [(); 6].map(|()| rng.below(16) as u8);
            let clamped = ranks.map(|rank| usize::from(rank.min(13)));
            let expected = f32::from(weight(i % 4, &clamped));
            assert_eq!(network.weight(i % 4, ranks), Some(expected), "{ranks:?}");
        }
    }

    #[test]
    fn a_learner_of_version_1_goes_on_with_new_games() {
        let mut content = Vec::new();
        content.extend(1u32.to_le_bytes());
        content.extend(0.5f32.to_le_bytes());
        content.extend(3u32.to_le_bytes());
        let numbers = |content: &mut Vec<u8>, numbers: &[u64]| {
            content.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        };
        numbers(&mut content, &[1, 2, 3, 4, 500, 400, 7]);
        // The game: its stream, its board, an afterstate, score and moves.
        numbers(&mut content, &[5, 6, 7, 8, 0x1234]);
        content.extend(1u32.to_le_bytes());
        numbers(&mut content, &[0x1230, 90, 30]);
        // The curve.
        numbers(&mut content, &[0, 900, 300, 0]);
        // One block of pair 1, for the ranks 13, 0, 0, 0 and 2: the weight of sixth rank 13.
        numbers(&mut content, &[1]);
        content.extend((1 << 20 | 0x2000du32).to_le_bytes());
        let mut block = vec![0f32; 96];
        block[13] = 2.5;
        block[32 + 2 * 13] = 7.0;
        content.extend(block.iter().flat_map(|number| number.to_le_bytes()));

        let mut learner = Learner::load(&old_file(LEARNER, &content)).unwrap();
        let settings = LearnerSettings {
            concurrent_games: 1,
            learning_rate: 0.5,
            ..LearnerSettings::default()
        };
        assert_eq!(learner.settings(), settings);
        assert_eq!((learner.rounds(), learner.moves(), learner.games()), (500, 400, 7));
        assert!(!learner.is_repeatable());
        // The first tuple of pair 1 has cells 4 to 9: a 16384 in cell 4, a 32768 in cell 7.
        let board = Packed::from_bits(0x20_f00e << 16);
        assert_eq!(learner.value(board).to_bits(), 2.5f32.to_bits());
        let (_, sums) = learner.tables.block_mut(1 << 20 | 0x2000e);
        assert_eq!(sums[2 * 15].to_bits(), 7f32.to_bits());
        learner.learn(300);
        assert!(learner.games() > 7);
    }
}
