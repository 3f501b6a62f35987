//! [`Operation`]: one thing that the tour and `cargo xtask compare` time, and what came of it.

use crate::paired::{Budget, Timings};
use bitcore::Level;
use std::cell::RefCell;
use std::time::Duration;

/// What the reference of an operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// The algorithm of the article that the game's crate grew from.
    Published,
    /// A plain twin, where no article has the operation.
    Naive,
}

impl Baseline {
    /// `seed` or `naive`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Published => "seed",
            Self::Naive => "naive",
        }
    }
}

/// One operation: a fixed workload that each variant repeats. All variants fold their results into the same number.
pub struct Operation {
    /// Game first: `match3 swaps 8x8`.
    pub name: &'static str,
    /// What one unit of the work is: `board`.
    pub unit: &'static str,
    /// Units per call.
    pub units: u64,
    /// What the reference is.
    pub baseline: Baseline,
    /// The reference.
    pub reference: Box<dyn FnMut() -> u64>,
    /// The kernel, dispatched once per call.
    pub kernel: Box<dyn FnMut(Level) -> u64>,
}

/// Nanoseconds per unit of each variant (medians over the rounds), and how many times faster one variant is than another
/// (medians of the ratios, round by round).
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// The reference.
    pub reference: f64,
    /// The kernel on the portable level.
    pub portable: f64,
    /// The kernel on the best level, where that isn't the portable one.
    pub best: Option<f64>,
    /// How many times faster than the reference the best level is.
    pub ratio_reference: f64,
    /// How many times faster than the portable level the best level is.
    pub ratio_portable: f64,
    /// How many times faster than the reference the portable level is.
    pub portable_reference: f64,
    /// Whether the variants, and the kernel on every other level, folded the workload into the same number.
    pub agree: bool,
}

impl Operation {
    /// Whether reference and kernel fold the workload into the same number on every level.
    pub fn agrees(&mut self) -> bool {
        let expected = (self.reference)();
        Level::all().all(|level| (self.kernel)(level) == expected)
    }

    /// Times the reference, the portable level and `best` in turns.
    pub fn measure(&mut self, best: Level, budget: Budget) -> Measurement {
        self.measure_capped(best, budget, Duration::MAX)
    }

    /// [`measure`](Self::measure), but a variant that has taken `most` has [no more turns](Timings::take_capped).
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
