//! Networks and learners as bytes.
//!
//! Both forms: 8 bytes of name, the version as a `u32`, the length of the whole in bytes as a `u64`, the content, and
//! a checksum of all before it as a `u64`. All numbers are little-endian.
//!
//! A network's content: the scale as an `f32`, then the weights as `i16`s. A learner's: its settings (games at once
//! as a `u32`, rate as an `f32`, coherence as a `u32` of 0 or 1), the generator's four words, rounds, moves, games;
//! the running games, each with its generator's four words, its board, 1 and the last afterstate or 0 and 0, its
//! score and moves; the curve's points, their number first, and the point begun; then the blocks that aren't all
//! zero, their number first, each with its index as a `u32`, 32 values and 32 pairs of sums as `f32`s.

use super::learn::{CurvePoint, Episode, Learner, Settings};
use super::quantized::{Network, WEIGHTS};
use super::tables::{BLOCK, BLOCKS, TupleTables};
use crate::packed::Packed;
use alloc::vec;
use alloc::vec::Vec;
use bitcore::Rng;

const VERSION: u32 = 1;
const NETWORK: [u8; 8] = *b"2048-net";
const LEARNER: [u8; 8] = *b"2048-lrn";
/// Name, version, length.
const HEADER: usize = 20;
const CHECKSUM: usize = 8;

/// Why bytes are no network or no learner. Offsets are in bytes from the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// It doesn't begin with the name of what was asked for.
    #[error("offset 0: expected a file that begins with {expected:?}")]
    Name {
        /// The first eight bytes of such a file.
        expected: &'static str,
    },
    /// Another version of the form.
    #[error("offset 8: expected version {VERSION}, found {found}")]
    Version {
        /// The version it says.
        found: u32,
    },
    /// It ends early, or goes on behind its end.
    #[error("offset {found}: expected {expected} bytes in all")]
    Length {
        /// As many bytes as it should have: what its header says, or the least that any has.
        expected: u64,
        /// As many as there are.
        found: u64,
    },
    /// Some byte was changed.
    #[error("offset {offset}: expected the checksum {expected:016x}, found {found:016x}")]
    Checksum {
        /// Where the checksum stands.
        offset: usize,
        /// What the bytes before it give.
        expected: u64,
        /// What stands there.
        found: u64,
    },
    /// The bytes are whole, but say what can't be.
    #[error("offset {offset}: expected {expected}")]
    Content {
        /// Where.
        offset: usize,
        /// What should stand there.
        expected: &'static str,
    },
}

/// Every step is a bijection of the state for given bytes, and of the bytes for a given state: one changed word always
/// shows.
#[derive(Clone, Copy)]
struct Checksum {
    state: u64,
    /// Bytes that make no whole word yet.
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

/// Hands bytes on in portions and keeps their checksum.
struct Writer<'a> {
    sink: &'a mut dyn FnMut(&[u8]),
    checksum: Checksum,
    buffer: Vec<u8>,
}

impl<'a> Writer<'a> {
    fn new(sink: &'a mut dyn FnMut(&[u8]), name: [u8; 8], content: usize) -> Self {
        let mut writer = Self { sink, checksum: Checksum::new(), buffer: Vec::with_capacity(1 << 16) };
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

/// Reads numbers and knows where it stands.
struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    /// Looks at header and checksum, and stands at the content.
    fn new(bytes: &'a [u8], name: [u8; 8], expected: &'static str) -> Result<Self, LoadError> {
        let found = bytes.len() as u64;
        if !bytes.starts_with(&name[..name.len().min(bytes.len())]) || bytes.is_empty() {
            return Err(LoadError::Name { expected });
        }
        let short = LoadError::Length { expected: (HEADER + CHECKSUM) as u64, found };
        if bytes.len() < HEADER + CHECKSUM {
            return Err(short);
        }
        let mut reader = Self { bytes: &bytes[..bytes.len() - CHECKSUM], offset: name.len() };
        let version = reader.u32()?;
        if version != VERSION {
            return Err(LoadError::Version { found: version });
        }
        let expected = reader.u64()?;
        if expected != found {
            return Err(LoadError::Length { expected, found });
        }
        let mut checksum = Checksum::new();
        checksum.add(reader.bytes);
        let mut end = Reader { bytes, offset: reader.bytes.len() };
        let (offset, expected, found) = (end.offset, checksum.finish(), end.u64()?);
        if found != expected {
            return Err(LoadError::Checksum { offset, expected, found });
        }
        Ok(reader)
    }

    fn take(&mut self, n: usize) -> Result<&'a [u8], LoadError> {
        let error = self.error("more bytes");
        let rest = self.bytes.get(self.offset..).unwrap_or_default();
        let (taken, _) = rest.split_at_checked(n).ok_or(error)?;
        self.offset += n;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], LoadError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn u32(&mut self) -> Result<u32, LoadError> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, LoadError> {
        self.array().map(u64::from_le_bytes)
    }

    /// A finite number.
    fn f32(&mut self) -> Result<f32, LoadError> {
        let error = self.error("a finite number");
        self.array()
            .map(f32::from_le_bytes)
            .and_then(|number| if number.is_finite() { Ok(number) } else { Err(error) })
    }

    fn rng(&mut self) -> Result<Rng, LoadError> {
        let error = self.error("a generator's state, not all zero");
        let mut state = [0; 4];
        for word in &mut state {
            *word = self.u64()?;
        }
        Rng::from_state(state).ok_or(error)
    }

    /// A number of things of at least `size` bytes each, no more than can follow.
    fn count(&mut self, size: usize) -> Result<usize, LoadError> {
        let error = self.error("no more entries than bytes follow");
        let count = self.u64()?;
        let most = (self.bytes.len() - self.offset) / size;
        if count <= most as u64 { Ok(count as usize) } else { Err(error) }
    }

    fn error(&self, expected: &'static str) -> LoadError {
        LoadError::Content { offset: self.offset, expected }
    }

    fn end(&self) -> Result<(), LoadError> {
        if self.offset == self.bytes.len() { Ok(()) } else { Err(self.error("the checksum")) }
    }
}

impl Network {
    /// Hands the network's bytes to `sink`, in portions.
    pub fn save(&self, sink: &mut dyn FnMut(&[u8])) {
        let mut writer = Writer::new(sink, NETWORK, 4 + 2 * WEIGHTS);
        writer.f32(self.scale);
        for weight in &self.weights {
            writer.bytes(&weight.to_le_bytes());
        }
        writer.finish();
    }

    /// The network that was [saved](Self::save) as these bytes.
    ///
    /// # Errors
    ///
    /// If they are anything else: cut off, changed, or of another kind or version.
    pub fn load(bytes: &[u8]) -> Result<Self, LoadError> {
        let mut reader = Reader::new(bytes, NETWORK, "2048-net")?;
        let error = reader.error("a scale above 0");
        let scale = reader.f32()?;
        if scale <= 0.0 {
            return Err(error);
        }
        let weights =
            reader.take(2 * WEIGHTS)?.as_chunks().0.iter().copied().map(i16::from_le_bytes).collect();
        reader.end()?;
        Ok(Self { scale, weights })
    }
}

/// Bytes of a running game, of a point, of a block.
const EPISODE_BYTES: usize = 32 + 8 + 4 + 8 + 8 + 8;
const POINT_BYTES: usize = 24;
const BLOCK_BYTES: usize = 4 + 4 * 3 * BLOCK;

/// Whether any bit is set: -0.0 is kept too.
fn any_nonzero(numbers: &[f32]) -> bool {
    numbers.iter().any(|number| number.to_bits() != 0)
}

impl Learner {
    /// Hands the learner's bytes to `sink`, in portions: all that [`load`](Self::load) needs to go on as if there had
    /// been no pause. They take 388 bytes for each five ranks met on five cells, at most 776 MiB.
    pub fn save(&self, sink: &mut dyn FnMut(&[u8])) {
        let used = || {
            self.tables
                .blocks()
                .enumerate()
                .filter(|&(_, (values, sums))| any_nonzero(values) || any_nonzero(sums))
        };
        let blocks = used().count();
        let fixed = 12 + 32 + 24 + 8 + POINT_BYTES + 8;
        let content = fixed
            + EPISODE_BYTES * self.episodes.len()
            + POINT_BYTES * self.curve.len()
            + BLOCK_BYTES * blocks;
        let mut writer = Writer::new(sink, LEARNER, content);
        writer.u32(self.settings.concurrent_games as u32);
        writer.f32(self.settings.learning_rate);
        writer.u32(self.settings.coherence.into());
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
        for (i, (values, sums)) in used() {
            writer.u32(i as u32);
            for &number in values.iter().chain(sums) {
                writer.f32(number);
            }
        }
        writer.finish();
    }

    /// The learner that was [saved](Self::save) as these bytes.
    ///
    /// # Errors
    ///
    /// If they are anything else: cut off, changed, or of another kind or version.
    pub fn load(bytes: &[u8]) -> Result<Self, LoadError> {
        let mut reader = Reader::new(bytes, LEARNER, "2048-lrn")?;
        let start = reader.offset;
        let settings = Settings {
            concurrent_games: reader.u32()? as usize,
            learning_rate: reader.f32()?,
            coherence: match reader.u32()? {
                0 => false,
                1 => true,
                _ => return Err(LoadError::Content { offset: start + 8, expected: "0 or 1" }),
            },
        };
        let wrong = LoadError::Content { offset: start, expected: "settings in their ranges" };
        settings.check().map_err(|_| wrong)?;
        let next = reader.rng()?;
        let (rounds, moves, games) = (reader.u64()?, reader.u64()?, reader.u64()?);
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
            episodes.push(Episode { rng, board, after, score: reader.u64()?, moves: reader.u64()? });
        }
        let mut curve = vec![CurvePoint::default(); reader.count(POINT_BYTES)?];
        let mut point = CurvePoint::default();
        for point in curve.iter_mut().chain([&mut point]) {
            *point = CurvePoint { score: reader.u64()?, moves: reader.u64()?, reached_2048: reader.u64()? };
        }
        let mut tables = TupleTables::new();
        let blocks = reader.count(BLOCK_BYTES)?;
        let mut least = 0;
        for _ in 0..blocks {
            let error = reader.error("the index of a block, larger than the last");
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
        Ok(Self { settings, tables, episodes, next, rounds, moves, games, curve, point })
    }
}
