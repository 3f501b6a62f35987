//! [`Operation`]: one thing that the tour and `cargo xtask compare` time, and what came of it.

use crate::paired::{Budget, Timings};
use bitcore::Level;
use std::cell::RefCell;
use std::time::Duration;

/// What the reference of an operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// The algorithm of the article that the game's crate grew from.
    Seed,
    /// A plain twin, where no article has the operation.
    Naive,
}

impl Against {
    /// `seed` or `naive`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Naive => "naive",
        }
    }
}

/// One operation: a fixed workload that each side repeats. All sides fold their results into the same number.
pub struct Operation {
    /// Game first: `match3 swaps 8x8`.
    pub name: &'static str,
    /// What one unit of the work is: `board`.
    pub unit: &'static str,
    /// Units per call.
    pub units: u64,
    /// What the reference is.
    pub against: Against,
    /// The reference.
    pub reference: Box<dyn FnMut() -> u64>,
    /// The kernel, dispatched once per call.
    pub kernel: Box<dyn FnMut(Level) -> u64>,
}

/// Nanoseconds per unit of each side (medians over the rounds), and how many times faster one side is than another
/// (medians of the ratios, round by round).
#[derive(Clone, Copy, Debug)]
pub struct Measured {
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
    /// Whether the sides, and the kernel on every other level, folded the workload into the same number.
    pub agree: bool,
}

impl Operation {
    /// Whether reference and kernel fold the workload into the same number on every level.
    pub fn agrees(&mut self) -> bool {
        let expected = (self.reference)();
        Level::all().all(|level| (self.kernel)(level) == expected)
    }

    /// Times the reference, the portable level and `best` in turns.
    pub fn measure(&mut self, best: Level, budget: Budget) -> Measured {
        self.measure_at_most(best, budget, Duration::MAX)
    }

    /// [`measure`](Self::measure), but a side that has taken `most` has [no more turns](Timings::take_at_most).
    pub fn measure_at_most(&mut self, best: Level, budget: Budget, most: Duration) -> Measured {
        let portable = Level::PORTABLE;
        let kernel = RefCell::new(&mut self.kernel);
        let mut sides: Vec<Box<dyn FnMut() -> u64 + '_>> =
            vec![Box::new(&mut self.reference), Box::new(|| kernel.borrow_mut()(portable))];
        if best != portable {
            sides.push(Box::new(|| kernel.borrow_mut()(best)));
        }
        let last = sides.len() - 1;
        let timings = Timings::take_at_most(&mut sides, budget, most);
        drop(sides);
        let untimed = || Level::all().filter(|&level| level != portable && level != best);
        let agree =
            timings.result().is_some_and(|result| untimed().all(|level| (self.kernel)(level) == result));
        let nanoseconds = |side| timings.median(side) * 1e9 / self.units as f64;
        Measured {
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
