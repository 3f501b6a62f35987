//! [`Operation`]: a timed workload, and the [`Measurement`] of one.

use crate::paired::{Budget, Timings};
use bitcore::Level;
use std::cell::RefCell;
use std::time::Duration;

/// The kind of reference that an operation is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// The published algorithm that the game's crate began with.
    Published,
    /// A naive implementation, for operations without a published algorithm.
    Naive,
}

impl Baseline {
    /// Returns the name in tables and JSON: `seed` of a published algorithm, `naive` of a naive one.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Published => "seed",
            Self::Naive => "naive",
        }
    }
}

/// An operation: a fixed workload that all variants repeat. The variants are the reference and the kernel on
/// each level; each returns the same digest of its results.
pub struct Operation {
    /// The name, beginning with the game: `match3 swaps 8x8`.
    pub name: &'static str,
    /// The unit of the work, such as `board`.
    pub unit: &'static str,
    /// The number of units per call.
    pub units: u64,
    /// The kind of the reference.
    pub baseline: Baseline,
    /// The reference. Returns the digest of its results.
    pub reference: Box<dyn FnMut() -> u64>,
    /// The kernel on a level. Returns the digest of its results.
    pub kernel: Box<dyn FnMut(Level) -> u64>,
}

/// The times of the variants in nanoseconds per unit (medians over the rounds), and their ratios (medians of
/// the ratios of each round).
#[derive(Clone, Debug)]
pub struct Measurement {
    /// The time of the reference.
    pub reference: f64,
    /// The time of the kernel on the portable level.
    pub portable: f64,
    /// The time of the kernel on the last of the timed levels.
    pub best: f64,
    /// The reference's time divided by the best level's.
    pub ratio_reference: f64,
    /// The portable level's time divided by the best level's.
    pub ratio_portable: f64,
    /// The times of the kernel on all timed levels, in their order.
    pub levels: Vec<LevelTime>,
    /// `true` if all variants, including the kernel on every untimed level, returned the same digest.
    pub agree: bool,
}

/// The time of a kernel on one level.
#[derive(Clone, Copy, Debug)]
pub struct LevelTime {
    /// The level.
    pub level: Level,
    /// Nanoseconds per unit.
    pub time: f64,
    /// The portable level's time divided by this one.
    pub ratio_portable: f64,
}

impl Operation {
    /// Returns `true` if the reference and the kernel on every level return the same digest.
    pub fn agrees(&mut self) -> bool {
        let expected = (self.reference)();
        Level::all().all(|level| (self.kernel)(level) == expected)
    }

    /// Times the reference, the portable level and the other `levels` in alternation.
    pub fn measure(&mut self, levels: &[Level], budget: Budget) -> Measurement {
        self.measure_capped(levels, budget, Duration::MAX)
    }

    /// Times like [`measure`](Self::measure), but gives [no more turns](Timings::take_capped) to a variant
    /// that has taken `most` in total.
    pub fn measure_capped(&mut self, levels: &[Level], budget: Budget, most: Duration) -> Measurement {
        let others = levels.iter().copied().filter(|&level| level != Level::PORTABLE);
        let levels: Vec<Level> = std::iter::once(Level::PORTABLE).chain(others).collect();
        let kernel = RefCell::new(&mut self.kernel);
        let mut variants: Vec<Box<dyn FnMut() -> u64 + '_>> = vec![Box::new(&mut self.reference)];
        for &level in &levels {
            let kernel = &kernel;
            variants.push(Box::new(move || kernel.borrow_mut()(level)));
        }
        let last = levels.len();
        let timings = Timings::take_capped(&mut variants, budget, most);
        drop(variants);
        let mut untimed = Level::all().filter(|level| !levels.contains(level));
        let agree =
            timings.result().is_some_and(|result| untimed.all(|level| (self.kernel)(level) == result));
        let nanoseconds = |variant| timings.median(variant) * 1e9 / self.units as f64;
        let time = |(i, &level)| LevelTime {
            level,
            time: nanoseconds(i + 1),
            ratio_portable: timings.ratio(1, i + 1),
        };
        Measurement {
            reference: nanoseconds(0),
            portable: nanoseconds(1),
            best: nanoseconds(last),
            ratio_reference: timings.ratio(0, last),
            ratio_portable: timings.ratio(1, last),
            levels: levels.iter().enumerate().map(time).collect(),
            agree,
        }
    }
}
