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
    /// The kind of reference: `seed` for the published algorithm that the game's crate started from, `naive`
    /// for a plain implementation, `hand` for a hand-written kernel, `user` for the twenty lines that a user
    /// would write instead of a public call, which must not take fewer instructions (`cargo xtask counts`).
    pub against: &'static str,
    /// The reference.
    pub call: Rc<dyn Fn() -> u64>,
}

/// Returns a published algorithm as a reference.
pub(crate) fn seed(unit: &'static str, units: usize, call: impl Fn() -> u64 + 'static) -> Reference {
    Reference { unit, units, against: "seed", call: Rc::new(call) }
}

pub(crate) fn naive(unit: &'static str, units: usize, call: impl Fn() -> u64 + 'static) -> Reference {
    Reference { against: "naive", ..seed(unit, units, call) }
}

pub(crate) fn user(unit: &'static str, units: usize, call: impl Fn() -> u64 + 'static) -> Reference {
    Reference { against: USER, ..seed(unit, units, call) }
}

/// The kind of a reference that a public call must not be slower than.
pub(crate) const USER: &str = "user";

impl Reference {
    pub(crate) fn kernel(&self, name: &'static str, kernel: impl FnMut() -> u64 + 'static) -> Operation {
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
