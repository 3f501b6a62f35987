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
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// The time of the reference.
    pub reference: f64,
    /// The time of the kernel on the portable level.
    pub portable: f64,
    /// The time of the kernel on the best level; `None` if that is the portable one.
    pub best: Option<f64>,
    /// The reference's time divided by the best level's.
    pub ratio_reference: f64,
    /// The portable level's time divided by the best level's.
    pub ratio_portable: f64,
    /// The reference's time divided by the portable level's.
    pub portable_reference: f64,
    /// `true` if all variants, including the kernel on every untimed level, returned the same digest.
    pub agree: bool,
}

impl Operation {
    /// Returns `true` if the reference and the kernel on every level return the same digest.
    pub fn agrees(&mut self) -> bool {
        let expected = (self.reference)();
        Level::all().all(|level| (self.kernel)(level) == expected)
    }

    /// Times the reference, the portable level and `best` in alternation.
    pub fn measure(&mut self, best: Level, budget: Budget) -> Measurement {
        self.measure_capped(best, budget, Duration::MAX)
    }

    /// Times like [`measure`](Self::measure), but gives [no more turns](Timings::take_capped) to a variant
    /// that has taken `most` in total.
    pub fn measure_capped(&mut self, best: Level, budget: Budget, most: Duration) -> Measurement {
        let portable = Level::PORTABLE;
        let kernel = RefCell::new(&mut self.kernel);
        let mut variants: Vec<Box<dyn FnMut() -> u64 + '_>> =
            vec![Box::new(&mut self.reference), Box::new(|| kernel.borrow_mut()(portable))];
        if best != portable {
            variants.push(Box::new(|| kernel.borrow_mut()(best)));
        }
        let last = variants.len() - 1;
        let timings = Timings::take_capped(&mut variants, budget, most);
        drop(variants);
        let untimed = || Level::all().filter(|&level| level != portable && level != best);
        let agree =
            timings.result().is_some_and(|result| untimed().all(|level| (self.kernel)(level) == result));
        let nanoseconds = |variant| timings.median(variant) * 1e9 / self.units as f64;
        Measurement {
            reference: nanoseconds(0),
            portable: nanoseconds(1),
            best: (best != portable).then(|| nanoseconds(last)),
            ratio_reference: timings.ratio(0, last),
            ratio_portable: timings.ratio(1, last),
            portable_reference: timings.ratio(0, 1),
            agree,
        }
    }
}
