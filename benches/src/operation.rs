//! [`Operation`]: a workload to time and count.

use bitcore::Level;
use std::rc::Rc;

/// A kernel over a fixed workload, and a reference with the same digest of its results.
pub struct Operation {
    /// The name, starting with the game: `match3 swaps 8x8`.
    pub name: &'static str,
    /// The reference.
    pub reference: Reference,
    /// The kernel, run on the active level.
    pub kernel: Box<dyn FnMut() -> u64>,
}

/// A workload with its slow implementation, shared by several operations.
#[derive(Clone)]
pub struct Reference {
    /// The unit of work, such as `board`.
    pub unit: &'static str,
    /// The number of units per call.
    pub units: usize,
    /// What it is.
    pub against: Against,
    /// The reference.
    pub call: Rc<dyn Fn() -> u64>,
}

/// The kinds of references, apart from programs of others, which `benches/data/machines` lists as
/// rivals.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Against {
    /// The published algorithm that the game's crate started from, with its faults mended:
    /// idiomatic code that allocates nothing inside the loop, and has the same task and the same
    /// form of output.
    Printed,
    /// The same algorithm with the instructions that its article names, such as AVX2, PEXT and
    /// PDEP.
    Prescribed,
    /// A plain implementation of the same rules.
    Naive,
    /// The twenty lines that a user would write instead of a public call, which must not take fewer
    /// instructions (`cargo xtask counts`).
    User,
    /// A hand-written kernel, which shows the cost of `dispatch!`.
    Hand,
}
impl Against {
    /// Returns the word of the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Printed => "printed",
            Self::Prescribed => "prescribed",
            Self::Naive => "naive",
            Self::User => "user",
            Self::Hand => "hand",
        }
    }

    pub(crate) fn reference(
        self,
        unit: &'static str,
        units: usize,
        call: impl Fn() -> u64 + 'static,
    ) -> Reference {
        Reference { unit, units, against: self, call: Rc::new(call) }
    }
}

pub(crate) fn printed(
    unit: &'static str,
    units: usize,
    call: impl Fn() -> u64 + 'static,
) -> Reference {
    Against::Printed.reference(unit, units, call)
}

pub(crate) fn naive(
    unit: &'static str,
    units: usize,
    call: impl Fn() -> u64 + 'static,
) -> Reference {
    Against::Naive.reference(unit, units, call)
}

pub(crate) fn user(
    unit: &'static str,
    units: usize,
    call: impl Fn() -> u64 + 'static,
) -> Reference {
    Against::User.reference(unit, units, call)
}

impl Reference {
    pub(crate) fn kernel(
        &self,
        name: &'static str,
        kernel: impl FnMut() -> u64 + 'static,
    ) -> Operation {
        Operation { name, reference: self.clone(), kernel: Box::new(kernel) }
    }
}

impl Operation {
    pub(crate) fn agrees(&mut self) -> bool {
        let expected = (self.reference.call)();
        Level::all().all(|level| self.run(level) == expected)
    }

    /// Runs the kernel on a level.
    pub fn run(&mut self, level: Level) -> u64 {
        Level::set_active(level);
        (self.kernel)()
    }
}

/// Leaks a workload, to share it between references and kernels.
pub(crate) fn workload<T>(items: impl IntoIterator<Item = T>) -> &'static [T] {
    Vec::leak(items.into_iter().collect())
}
