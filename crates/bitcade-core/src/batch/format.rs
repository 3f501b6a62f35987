//! [`Format`]: how a batch writes its observations.

use alloc::vec::Vec;
use bitcore::{Bytes, Isa, Lanes, U64s, dispatch};

/// How a batch writes its observations: the [default](Self::default) is the one that the game
/// documents, with one byte per element.
///
/// The observation of a game consists of planes of equal size, one after the other, unless the game
/// says otherwise. The format transforms them in the order of its fields. States don't depend on
/// the format: they move between batches of different formats.
///
/// ```
/// # use bitcade_core::batch::{Batch, FormatError, Games};
/// use bitcade_core::batch::{Element, Format, OneHot};
/// # fn check<G: Games>(batch: Batch<G>) -> Result<(), FormatError> {
/// let one_hot = Some(OneHot { first: 0, planes: 18 });
/// let batch = batch.with_format(Format { one_hot, element: Element::F32, ..Format::default() })?;
/// println!("{} bytes", batch.cells());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Format<L = ()> {
    /// The game's [layout](super::Games::Layout): what it shows, and in which order.
    pub layout: L,
    /// Whether the first plane becomes one plane per value. The others are unchanged.
    pub one_hot: Option<OneHot>,
    /// Whether the elements of all planes for one cell stand together, instead of those of one
    /// plane.
    pub channels_last: bool,
    /// The type of the elements.
    pub element: Element,
}

/// One-hot planes: plane k is 1 where a cell equals `first + k`, else 0. Larger values go to the
/// last plane, smaller ones to none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct OneHot {
    /// The value of the first plane.
    pub first: u8,
    /// The number of planes.
    pub planes: u8,
}

/// The type of the elements of an observation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Element {
    /// One byte.
    #[default]
    U8,
    /// An `f32` of the same value: its four bytes in the machine's order. The slice needs no
    /// alignment.
    F32,
}

impl Element {
    const fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::F32 => 4,
        }
    }
}

/// The reason observations can't be written in a [`Format`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The layout doesn't exist under these rules.
    #[error("the observations have no such layout")]
    NoLayout,
    /// The format is one of planes, and the observations have none.
    #[error("the observations have no planes")]
    NoPlanes,
    /// There is no one-hot plane, or the value of the last one exceeds 255.
    #[error("one-hot planes: expected 1 or more, for values up to 255")]
    OneHot,
    /// The observations of all games don't fit into memory.
    #[error("the observations don't fit into memory")]
    TooLarge,
}

/// A format and the sizes of its observations.
#[derive(Clone, Debug)]
pub(super) struct Encoder<L> {
    pub(super) layout: L,
    arrangement: Arrangement,
}

/// What a format does with the elements, whatever they show.
#[derive(Clone, Debug, Default)]
struct Arrangement {
    one_hot: Option<OneHot>,
    channels_last: bool,
    element: Element,
    /// The number of elements in a plane, not used without `one_hot` and `channels_last`.
    plane: usize,
    /// The number of elements before the format is applied.
    raw: usize,
    /// The number of bytes after it.
    bytes: usize,
}

/// Memory reused from one group of games to the next.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The observations of the games before the format is applied, and [`LANES`] bytes more.
    raw: Vec<u8>,
    /// The elements as bytes.
    elements: Vec<u8>,
    /// The elements of the last game, and [`LANES`] bytes more.
    last: Vec<u8>,
}

const LANES: usize = 32;

impl<L: Copy + Default> Encoder<L> {
    /// Returns the encoder of the default format.
    pub(super) fn identity(raw: usize) -> Self {
        let arrangement = Arrangement { raw, bytes: raw, ..Arrangement::default() };
        Self { layout: L::default(), arrangement }
    }

    /// Returns the encoder of observations of `raw` elements, in planes of `plane` each if they
    /// have any.
    pub(super) fn new(
        format: Format<L>,
        raw: usize,
        plane: Option<usize>,
    ) -> Result<Self, FormatError> {
        Ok(Self { layout: format.layout, arrangement: Arrangement::new(&format, raw, plane)? })
    }

    pub(super) fn format(&self) -> Format<L> {
        let Arrangement { one_hot, channels_last, element, .. } = self.arrangement;
        Format { layout: self.layout, one_hot, channels_last, element }
    }

    pub(super) fn raw(&self) -> usize {
        self.arrangement.raw
    }

    pub(super) fn bytes(&self) -> usize {
        self.arrangement.bytes
    }

    /// Has `write` write the observations of some games, and transforms them.
    pub(super) fn write(
        &self,
        scratch: &mut Scratch,
        obs: &mut [u8],
        write: impl FnOnce(&mut [u8]),
    ) {
        self.arrangement.write(scratch, obs, write);
    }
}

impl Arrangement {
    fn new<L>(format: &Format<L>, raw: usize, plane: Option<usize>) -> Result<Self, FormatError> {
        let &Format { one_hot, channels_last, element, .. } = format;
        let mut elements = Some(raw);
        let plane = plane.filter(|_| one_hot.is_some() || channels_last);
        if one_hot.is_some() || channels_last {
            let plane = plane.filter(|&plane| plane > 0).ok_or(FormatError::NoPlanes)?;
            if let Some(OneHot { first, planes }) = one_hot {
                let more = planes.checked_sub(1).ok_or(FormatError::OneHot)?;
                first.checked_add(more).ok_or(FormatError::OneHot)?;
                elements =
                    usize::from(more).checked_mul(plane).and_then(|more| raw.checked_add(more));
            }
        }
        let bytes = elements.and_then(|elements| elements.checked_mul(element.bytes()));
        let bytes = bytes.ok_or(FormatError::TooLarge)?;
        Ok(Self { one_hot, channels_last, element, plane: plane.unwrap_or_default(), raw, bytes })
    }

    fn write(&self, scratch: &mut Scratch, obs: &mut [u8], write: impl FnOnce(&mut [u8])) {
        let Self { one_hot, channels_last, element, .. } = *self;
        if one_hot.is_none() && !channels_last && element == Element::U8 {
            return write(obs);
        }
        let games = obs.len().checked_div(self.bytes).unwrap_or(0);
        // A row is read 32 bytes at a time.
        scratch.raw.resize(self.raw * games + LANES, 0);
        write(&mut scratch.raw[..self.raw * games]);
        self.encode(scratch, obs);
    }

    /// Compiled here, once for all games.
    fn encode(&self, scratch: &mut Scratch, obs: &mut [u8]) {
        dispatch!(isa [this = self, scratch, obs] => this.encode_with(isa, scratch, obs));
    }

    #[inline(always)]
    fn encode_with<S: Isa>(&self, isa: S, scratch: &mut Scratch, obs: &mut [u8]) {
        let Scratch { raw, elements, last } = scratch;
        match self.element {
            Element::U8 => self.arrange(isa, raw, last, obs),
            Element::F32 => {
                elements.resize(obs.len() / size_of::<f32>(), 0);
                self.arrange(isa, raw, last, elements);
                for (out, &value) in obs.as_chunks_mut().0.iter_mut().zip(&*elements) {
                    *out = f32::from(value).to_ne_bytes();
                }
            }
        }
    }

    /// Writes the elements of each game as bytes.
    #[inline(always)]
    fn arrange<S: Isa>(&self, isa: S, raw: &[u8], last: &mut Vec<u8>, out: &mut [u8]) {
        let Self { plane, one_hot, channels_last, element, .. } = *self;
        let each = self.bytes / element.bytes();
        last.resize(each + LANES, 0);
        /// Has a function write the elements of each game after those of the game before: whole
        /// vectors in ascending order, so that the next one overwrites what a vector writes past
        /// its part. The rows and the parts for them are longer by `LANES`. A macro, because
        /// closures aren't always inlined.
        macro_rules! each_game {
            ($write:ident) => {
                for game in 0..out.len() / each {
                    let raw = &raw[self.raw * game..][..self.raw + LANES];
                    let rest = &mut out[each * game..];
                    if let Some(part) = rest.get_mut(..each + LANES) {
                        $write(isa, self, raw, part);
                    } else {
                        $write(isa, self, raw, last);
                        rest[..each].copy_from_slice(&last[..each]);
                    }
                }
            };
        }
        match (one_hot, channels_last) {
            (None, false) => out.copy_from_slice(&raw[..out.len()]),
            (None, true) => each_game!(transpose),
            (Some(_), true) => each_game!(write_one_hot_last),
            // The 4x4 boards of 2048.
            (Some(one_hot), false)
                if plane == 16 && self.raw == 16 && one_hot.planes.is_multiple_of(2) =>
            {
                write_pairs_of_planes(isa, raw, one_hot, out);
            }
            (Some(_), false) => each_game!(write_one_hot),
        }
    }
}

/// Returns zeros if there aren't as many elements.
#[inline(always)]
fn load<const N: usize>(raw: &[u8], at: usize) -> [u8; N] {
    raw.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; N])
}

/// Writes nothing if there is no room.
#[inline(always)]
fn store<const N: usize>(out: &mut [u8], at: usize, elements: [u8; N]) {
    if let Some(place) = out.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        *place = elements;
    }
}

/// Writes one game's one-hot planes and the rest of its planes.
#[inline(always)]
fn write_one_hot<S: Isa>(
    isa: S,
    &Arrangement { plane, one_hot, .. }: &Arrangement,
    raw: &[u8],
    out: &mut [u8],
) {
    let Some(OneHot { first, planes }) = one_hot else { return };
    let one = isa.splat_u8(1);
    let last = isa.splat_u8(first + (planes - 1));
    for k in 0..planes {
        let value = isa.splat_u8(first + k);
        for at in (0..plane).step_by(LANES) {
            let cells = isa.u8x32(&load(raw, at)).min(last);
            store(out, plane * usize::from(k) + at, (cells.cmp_eq(value) & one).to_array());
        }
    }
    let hot = plane * usize::from(planes);
    let rest = out.len() - LANES - hot;
    out[hot..][..rest].copy_from_slice(&raw[plane..][..rest]);
}

/// Writes the one-hot planes of games with 16 cells: a vector takes two planes.
#[inline(always)]
fn write_pairs_of_planes<S: Isa>(
    isa: S,
    raw: &[u8],
    OneHot { first, planes }: OneHot,
    out: &mut [u8],
) {
    let one = isa.splat_u8(1);
    let two = isa.splat_u8(2);
    let last = isa.splat_u8(first + (planes - 1));
    let mut values = [first; LANES];
    values[16..].fill(first.wrapping_add(1));
    let values = isa.u8x32(&values);
    let rows = raw.as_chunks::<8>().0.as_chunks().0;
    for (row, out) in rows.iter().zip(out.chunks_exact_mut(16 * usize::from(planes))) {
        let [low, high] = row.map(u64::from_le_bytes);
        let cells = isa.bitcast_u64_u8(isa.u64x4(&[low, high, low, high])).min(last);
        let mut values = values;
        for out in out.as_chunks_mut::<LANES>().0 {
            *out = (cells.cmp_eq(values) & one).to_array();
            values = values + two;
        }
    }
}

/// Writes one game's one-hot planes and the rest of its planes, all elements of one cell together.
#[inline(always)]
fn write_one_hot_last<S: Isa>(
    _: S,
    &Arrangement { plane, one_hot, .. }: &Arrangement,
    raw: &[u8],
    out: &mut [u8],
) {
    let Some(OneHot { first, planes }) = one_hot else { return };
    let (cells, rest) = raw[..raw.len() - LANES].split_at(plane);
    let last = first + (planes - 1);
    let hot = usize::from(planes);
    let each = hot + rest.len() / plane;
    out.as_chunks_mut::<LANES>().0.fill([0; LANES]);
    for (&value, cell) in cells.iter().zip(out.chunks_exact_mut(each)) {
        cell[usize::from(value.min(last).saturating_sub(first))] = (value >= first).into();
    }
    for (k, plane) in rest.chunks_exact(plane).enumerate() {
        for (&value, cell) in plane.iter().zip(out.chunks_exact_mut(each)) {
            cell[hot + k] = value;
        }
    }
}

/// Writes one game's planes, all elements of one cell together: 8 planes of 32 cells at a time.
#[inline(always)]
fn transpose<S: Isa>(isa: S, &Arrangement { plane, .. }: &Arrangement, raw: &[u8], out: &mut [u8]) {
    let planes = (raw.len() - LANES) / plane;
    for cell in (0..plane).step_by(LANES) {
        // The last eight planes may overlap those before, so that nothing is written past a cell's
        // elements.
        for first in (0..planes.saturating_sub(8)).step_by(8).chain([planes.saturating_sub(8)]) {
            let mut rows = [isa.splat_u64(0); 8];
            for (row, k) in rows.iter_mut().zip(first..planes) {
                *row = isa.bitcast_u8_u64(isa.u8x32(&load(raw, plane * k + cell)));
            }
            exchange::<S, 32>(isa, &mut rows, 0x0000_0000_ffff_ffff);
            exchange::<S, 16>(isa, &mut rows, 0x0000_ffff_0000_ffff);
            exchange::<S, 8>(isa, &mut rows, 0x00ff_00ff_00ff_00ff);
            let mut words = [[0; 4]; 8];
            for (words, row) in words.iter_mut().zip(rows) {
                *words = row.to_array();
            }
            // Cells after the last are those of the next game, which overwrites them.
            let mut at = planes * cell + first;
            for lane in 0..4 {
                for words in &words {
                    store(out, at, words[lane].to_le_bytes());
                    at += planes;
                }
            }
        }
    }
}

/// Exchanges the upper fields of `BITS` bits of a row with the lower ones of the row `BITS / 8`
/// below.
#[inline(always)]
fn exchange<S: Isa, const BITS: i32>(isa: S, rows: &mut [S::U64x4; 8], lower: u64) {
    let lower = isa.splat_u64(lower);
    let below = BITS as usize / 8;
    for rows in rows.chunks_exact_mut(2 * below) {
        let (above, below) = rows.split_at_mut(below);
        for (a, b) in above.iter_mut().zip(below) {
            let moved = (a.shr::<BITS>() ^ *b) & lower;
            *a = *a ^ moved.shl::<BITS>();
            *b = *b ^ moved;
        }
    }
}
