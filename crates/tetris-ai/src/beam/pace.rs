//! [`Widths`]: how wide a beam was; [`Pace`]: how wide it should be to end in time.

use std::fmt;
use std::str::FromStr;

/// The width of the beam, piece by piece: `1000x50,24000x9950` for fifty pieces with a thousand boards, and so on. A
/// width alone is for all pieces.
///
/// ```
/// use tetris_ai::Widths;
/// let widths: Widths = "1000x50,24000".parse()?;
/// assert_eq!((widths.at(49), widths.at(50), widths.at(9_999)), ((1000, 1), (24000, usize::MAX), (24000, usize::MAX)));
/// assert!("1000x50,0".parse::<Widths>().is_err());
/// # Ok::<(), tetris_ai::ParseBeamError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Widths {
    /// Pieces and width, neighbours different.
    runs: Vec<(usize, usize)>,
}

impl Widths {
    /// Adds a width for some pieces.
    pub(super) fn push(&mut self, pieces: usize, width: usize) {
        match self.runs.last_mut() {
            Some(last) if last.1 == width => last.0 = last.0.saturating_add(pieces),
            _ => self.runs.push((pieces, width)),
        }
    }

    /// The width at piece `piece` (from 0), and for how many pieces from there on it stays the same. Behind the end the
    /// last one goes on; of none at all it is one.
    pub fn at(&self, piece: usize) -> (usize, usize) {
        let mut end = 0usize;
        for &(pieces, width) in &self.runs {
            end = end.saturating_add(pieces);
            if piece < end {
                return (width, if end == usize::MAX { end } else { end - piece });
            }
        }
        (self.runs.last().map_or(1, |run| run.1), usize::MAX)
    }

    /// The greatest width.
    pub fn greatest(&self) -> usize {
        self.runs.iter().map(|run| run.1).max().unwrap_or(0)
    }

    /// The pieces that they are for, all together.
    pub(super) fn pieces(&self) -> usize {
        self.runs.iter().fold(0, |sum: usize, run| sum.saturating_add(run.0))
    }

    /// All boards of all layers.
    fn boards(&self) -> f64 {
        self.runs.iter().map(|&(pieces, width)| pieces as f64 * width as f64).sum()
    }
}

impl fmt::Display for Widths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (pieces, width)) in self.runs.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            match *pieces {
                usize::MAX => write!(f, "{comma}{width}")?,
                pieces => write!(f, "{comma}{width}x{pieces}")?,
            }
        }
        Ok(())
    }
}

impl FromStr for Widths {
    type Err = super::ParseBeamError;

    fn from_str(text: &str) -> Result<Self, super::ParseBeamError> {
        let mut widths = Self::default();
        for run in text.split(',') {
            let (width, pieces) = run.split_once('x').unwrap_or((run, ""));
            let pieces = if run.contains('x') { pieces.parse().ok() } else { Some(usize::MAX) };
            let width = width.parse().ok().filter(|width| (1..=super::MOST_WIDTH).contains(width));
            let (Some(pieces), Some(width)) = (pieces, width) else {
                return Err(super::ParseBeamError::Widths);
            };
            widths.push(pieces, width);
        }
        Ok(widths)
    }
}

/// Chooses widths so that a search ends when its budget does. It knows no clock: it is told how much of the budget is
/// used, and learns from that what a board costs.
///
/// ```
/// use tetris_ai::{Pace, Widths};
/// let mut pace = Pace::new(10_000, &Widths::default(), 0.0);
/// // A search that would take 1/8,000,000 of the budget for each board of each layer.
/// let (mut pieces, mut used, mut widest) = (0, 0.0, 0);
/// while pieces < 10_000 {
///     let (stretch, width) = pace.next(pieces, used);
///     pieces += stretch;
///     used += (stretch * width) as f64 / 8_000_000.0;
///     widest = widest.max(width);
/// }
/// assert!((0.95..1.0).contains(&used) && widest < 900, "{used}, {widest}");
/// // One that is resumed knows at once what is within its means.
/// let half: Widths = "800x5000".parse()?;
/// assert_eq!(Pace::new(10_000, &half, 0.5).next(5000, 0.5), (100, 800));
/// # Ok::<(), tetris_ai::ParseBeamError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pace {
    goal: usize,
    /// Pieces and budget used when the stretch of now began.
    begun: (usize, f64),
    width: usize,
    /// Boards per budget, in the last stretches.
    speed: Option<f64>,
}

impl Pace {
    /// The width of the first stretch, which only measures.
    const FIRST: usize = 500;
    /// How much of the budget is aimed at: what comes after the search and what varies need the rest.
    const AIM: f64 = 0.985;

    /// For a search up to piece `goal`, which was so wide until now and used such a part of its budget, 0..1.
    pub fn new(goal: usize, before: &Widths, used: f64) -> Self {
        let (boards, width) = (before.boards(), before.runs.last().map_or(0, |run| run.1));
        let speed = (boards > 0.0 && used > 0.0).then(|| boards / used);
        Self { goal, begun: (before.pieces(), used), width, speed }
    }

    /// How many pieces to place next, and with which width, when so many are placed and so much of the budget is used.
    pub fn next(&mut self, pieces: usize, used: f64) -> (usize, usize) {
        let (done, taken) = (pieces - self.begun.0.min(pieces), used - self.begun.1);
        if done > 0 && self.width > 0 && taken > 0.0 {
            let speed = (done * self.width) as f64 / taken;
            // The machine's other work comes and goes: half the new speed, half the old.
            self.speed = Some(self.speed.map_or(speed, |before| 2.0 / (1.0 / before + 1.0 / speed)));
        }
        self.begun = (pieces, used);
        let left = self.goal.saturating_sub(pieces).max(1);
        let Some(speed) = self.speed else {
            self.width = if used < Self::AIM { Self::FIRST } else { MIN_WIDTH as usize };
            return (left.min(60), self.width);
        };
        let width = (Self::AIM - used).max(0.0) * speed / left as f64;
        // A tenth more or less is as good, and what is printed stays short; but not near the end.
        let near = (0.9..1.1).contains(&(width / self.width as f64)) && left > 1000;
        if !near {
            let most = 4.0 * self.width.max(Self::FIRST) as f64;
            self.width = rounded(width.clamp(MIN_WIDTH, most) as usize);
        }
        // Towards the end ever shorter, so that what one stretch takes too long never leaves the last pieces nothing.
        (left.min((left / 4).clamp(10, 100)), self.width)
    }
}

/// Narrower than this a beam may die.
const MIN_WIDTH: f64 = 120.0;

/// Two digits and a half, downwards: so that what is printed is short.
fn rounded(width: usize) -> usize {
    let unit = (width.max(1) / 64).max(1).next_power_of_two();
    width / unit * unit
}
