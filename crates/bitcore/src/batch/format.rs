//! [`Format`]: how a batch writes its observations.

use crate::{Bytes, Isa, Lanes, dispatch};
use alloc::vec::Vec;

/// How a batch writes its observations, whatever the rules: the [default](Self::default) is the one that the
/// game documents, with one byte per element.
///
/// The observation of a game consists of planes of equal size, one after the other. The format transforms
/// them in the order of its fields. States don't depend on the format: they move between batches of different
/// formats.
///
/// ```
/// use bitcore::batch::{Element, Format, OneHot};
/// let one_hot = Format { plane: 16, one_hot: Some(OneHot { first: 0, planes: 18 }), ..Format::default() };
/// assert_eq!(one_hot.bytes(16), Some(18 * 16));
/// let floats = Format { element: Element::F32, ..one_hot };
/// assert_eq!(floats.bytes(16), Some(4 * 18 * 16));
/// assert_eq!(floats.bytes(17), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Format {
    /// The number of one of the game's [layouts](super::Games::layout_cells); 0 is the one that all games
    /// have.
    pub layout: u8,
    /// The number of elements in one plane, such as the cells of a board. Not used, and allowed to be 0, if
    /// there is neither `one_hot` nor `channels_last`.
    pub plane: usize,
    /// Whether the first plane becomes one plane per value. The others are unchanged.
    pub one_hot: Option<OneHot>,
    /// Whether the elements of all planes for one cell stand together, instead of those of one plane.
    pub channels_last: bool,
    /// The type of the elements.
    pub element: Element,
}

/// One-hot planes: plane k is 1 where a cell equals `first + k`, else 0. Larger values go to the last plane,
/// smaller ones to none.
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
    /// An `f32` of the same value: its four bytes in the machine's order. The slice needs no alignment.
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

/// The error for a [`Format`] that doesn't fit the observations of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("the observations have no such format")]
pub struct NoSuchFormat;

impl Format {
    /// Returns the number of bytes of an observation that has `cells` elements before the format is applied.
    /// Returns `None` if the format doesn't fit.
    pub fn bytes(self, cells: usize) -> Option<usize> {
        let mut elements = cells;
        if self.one_hot.is_some() || self.channels_last {
            let planes = cells.checked_div(self.plane).filter(|planes| planes * self.plane == cells)?;
            let more = match self.one_hot {
                Some(OneHot { first, planes }) => {
                    first.checked_add(planes.checked_sub(1)?)?;
                    usize::from(planes) - 1
                }
                None => 0,
            };
            elements = (planes.checked_add(more).filter(|_| planes > 0)?).checked_mul(self.plane)?;
        }
        elements.checked_mul(self.element.bytes())
    }
}

/// A format with everything that it computes in advance.
#[derive(Clone, Debug, Default)]
pub(super) struct Encoder {
    pub(super) format: Format,
    /// The number of elements before the format is applied.
    raw: usize,
    /// The number of bytes after it.
    bytes: usize,
    /// For each element of the one-hot planes, the value that makes it 1.
    values: Vec<u8>,
}

/// Memory reused from one group of games to the next.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The observations of the games before the format is applied.
    pub(super) raw: Vec<u8>,
    wide: Vec<u8>,
    planes: Vec<u8>,
}

impl Encoder {
    /// Returns the encoder of the default format.
    pub(super) fn identity(raw: usize) -> Self {
        Self { raw, bytes: raw, ..Self::default() }
    }

    /// Returns `None` if the format doesn't fit observations of `raw` elements.
    pub(super) fn new(format: Format, raw: usize) -> Option<Self> {
        let bytes = format.bytes(raw)?;
        let mut values = Vec::new();
        if let Some(OneHot { first, planes }) = format.one_hot {
            for plane in 0..planes {
                values.resize(values.len() + format.plane, first + plane);
            }
        }
        Some(Self { format, raw, bytes, values })
    }

    pub(super) fn raw(&self) -> usize {
        self.raw
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns `true` if the game's own bytes are the result.
    pub(super) fn is_identity(&self) -> bool {
        let Format { one_hot, channels_last, element, .. } = self.format;
        one_hot.is_none() && !channels_last && element == Element::U8
    }

    /// Has `write` write the observations of some games, and transforms them.
    pub(super) fn write(&self, scratch: &mut Scratch, obs: &mut [u8], write: impl FnOnce(&mut [u8])) {
        if self.is_identity() {
            return write(obs);
        }
        let games = obs.len().checked_div(self.bytes).unwrap_or(0);
        // A row is read 32 bytes at a time.
        scratch.raw.resize(self.raw * games + LANES, 0);
        write(&mut scratch.raw[..self.raw * games]);
        dispatch!(isa [encoder = self, scratch, obs] => encoder.encode_with(isa, scratch, obs));
    }

    #[inline(always)]
    fn encode_with<S: Isa>(&self, isa: S, scratch: &mut Scratch, obs: &mut [u8]) {
        // The loops below go from game to game, which the hardware doesn't foresee.
        for line in obs.chunks(CACHE_LINE) {
            isa.prefetch(&line[0]);
        }
        let Format { plane, one_hot, channels_last, element, .. } = self.format;
        let Scratch { raw, wide, planes } = scratch;
        let raw = raw.as_slice();
        let rows = raw.chunks_exact(self.raw);
        match one_hot {
            None => {
                for (raw, obs) in rows.zip(obs.chunks_exact_mut(self.bytes)) {
                    write_elements(raw, plane, channels_last, element, obs);
                }
            }
            Some(one_hot) if channels_last => {
                for (raw, obs) in rows.zip(obs.chunks_exact_mut(self.bytes)) {
                    match element {
                        Element::U8 => write_one_hot_last(raw, plane, one_hot, obs, |value| [value]),
                        Element::F32 => write_one_hot_last(raw, plane, one_hot, obs, |value| {
                            f32::from(value).to_ne_bytes()
                        }),
                    }
                }
            }
            Some(OneHot { first, planes: count }) => {
                self.repeat(isa, raw, first + (count - 1), wide);
                if element == Element::U8 {
                    self.write_one_hot(isa, raw, wide, obs);
                    return;
                }
                let each = self.bytes / element.bytes();
                planes.resize(obs.len() / self.bytes * each, 0);
                self.write_one_hot(isa, raw, wide, planes);
                for (planes, obs) in planes.chunks_exact(each).zip(obs.chunks_exact_mut(self.bytes)) {
                    write_elements(planes, plane, false, element, obs);
                }
            }
        }
    }

    /// Copies each game's first plane, capped at `last`, followed by itself until 32 elements from any place
    /// in it stand together, and by 32 bytes without meaning.
    ///
    /// All games take each part before the next, here and in [`write_one_hot`](Self::write_one_hot): that
    /// leaves little in the loops, and no load waits for a store that it only overlaps.
    #[inline(always)]
    fn repeat<S: Isa>(&self, isa: S, raw: &[u8], last: u8, wide: &mut Vec<u8>) {
        let plane = self.format.plane;
        let each = plane + 2 * LANES;
        wide.resize((raw.len() - LANES) / self.raw * each, 0);
        let last = isa.splat_u8(last);
        for at in (0..plane + LANES).step_by(plane) {
            for from in (0..plane.min(plane + LANES - at)).step_by(LANES) {
                for (game, wide) in wide.chunks_exact_mut(each).enumerate() {
                    let place = wide[at + from..].first_chunk_mut::<LANES>();
                    if let (Some(place), Some(part)) = (place, raw[self.raw * game + from..].first_chunk()) {
                        *place = isa.u8x32(part).min(last).to_array();
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn write_one_hot<S: Isa>(&self, isa: S, raw: &[u8], wide: &[u8], obs: &mut [u8]) {
        let (plane, hot) = (self.format.plane, self.values.len());
        let (each_wide, each) = (plane + 2 * LANES, hot + self.raw - plane);
        if self.raw > plane {
            for (raw, obs) in raw.chunks_exact(self.raw).zip(obs.chunks_exact_mut(each)) {
                obs[hot..].copy_from_slice(&raw[plane..]);
            }
        }
        if hot < LANES {
            for (wide, obs) in wide.chunks_exact(each_wide).zip(obs.chunks_exact_mut(each)) {
                for ((obs, &value), &cell) in
                    obs.iter_mut().zip(&self.values).zip(wide[..plane].iter().cycle())
                {
                    *obs = (cell == value).into();
                }
            }
            return;
        }
        // The last 32 elements may overlap those before.
        for at in (0..hot - LANES).step_by(LANES).chain([hot - LANES]) {
            let Some(values) = self.values[at..].first_chunk::<LANES>() else { return };
            let (values, one, begin) = (isa.u8x32(values), isa.splat_u8(1), at % plane);
            for (wide, obs) in wide.chunks_exact(each_wide).zip(obs.chunks_exact_mut(each)) {
                let place = obs[at..].first_chunk_mut::<LANES>();
                if let (Some(place), Some(cells)) = (place, wide[begin..].first_chunk()) {
                    *place = (isa.u8x32(cells).cmp_eq(values) & one).to_array();
                }
            }
        }
    }
}

const LANES: usize = 32;
const CACHE_LINE: usize = 64;

/// Writes one game's one-hot planes, all planes of one cell together.
#[inline(always)]
fn write_one_hot_last<const N: usize>(
    raw: &[u8],
    plane: usize,
    one_hot: OneHot,
    obs: &mut [u8],
    element: impl Fn(u8) -> [u8; N],
) {
    obs.fill(0);
    let (last, one) = (one_hot.planes - 1, element(1));
    let each = usize::from(one_hot.planes) + raw.len() / plane - 1;
    for (cell, obs) in obs.as_chunks_mut::<N>().0.chunks_exact_mut(each).enumerate() {
        if let Some(value) = raw[cell].checked_sub(one_hot.first) {
            obs[usize::from(value.min(last))] = one;
        }
        let rest = raw[plane..].iter().skip(cell).step_by(plane);
        for (obs, &value) in obs[usize::from(one_hot.planes)..].iter_mut().zip(rest) {
            *obs = element(value);
        }
    }
}

/// Writes elements in the order and type of a format.
#[inline(always)]
fn write_elements(raw: &[u8], plane: usize, channels_last: bool, element: Element, obs: &mut [u8]) {
    match (channels_last, element) {
        (false, Element::U8) => obs.copy_from_slice(raw),
        (false, Element::F32) => {
            for (out, &value) in obs.as_chunks_mut::<4>().0.iter_mut().zip(raw) {
                *out = f32::from(value).to_ne_bytes();
            }
        }
        (true, Element::U8) => {
            let planes = raw.len() / plane;
            for (cell, out) in obs.chunks_exact_mut(planes).enumerate() {
                for (out, &value) in out.iter_mut().zip(raw[cell..].iter().step_by(plane)) {
                    *out = value;
                }
            }
        }
        (true, Element::F32) => {
            let planes = raw.len() / plane;
            for (cell, out) in obs.as_chunks_mut::<4>().0.chunks_exact_mut(planes).enumerate() {
                for (out, &value) in out.iter_mut().zip(raw[cell..].iter().step_by(plane)) {
                    *out = f32::from(value).to_ne_bytes();
                }
            }
        }
    }
}
