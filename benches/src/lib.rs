//! The operations that are timed and counted: fixed workloads that a reference and a fast kernel both run.
//!
//! [`compare`] times them (`cargo xtask compare`), [`counts`] counts their instructions (`cargo xtask counts`),
//! and `benches/operations.rs` runs them under criterion.
#![warn(missing_docs)]
#![deny(unsafe_code)]

pub mod compare;
pub mod counts;

mod bitcore_ops;
#[cfg(target_arch = "x86_64")]
mod by_hand;
mod contest_ops;
mod g2048_ops;
mod go_ops;
mod match3_ops;
mod paired;
mod table;
mod tetris_ops;

use bitcore::Level;
use std::rc::Rc;

/// A kernel over a fixed workload, and the reference that returns the same digest of its results.
pub struct Operation {
    /// The name, beginning with the game: `match3 swaps 8x8`.
    pub name: &'static str,
    /// The reference.
    pub reference: Reference,
    /// The kernel on a level.
    pub kernel: Box<dyn FnMut(Level) -> u64>,
}

/// A workload with its slow implementation, which operations can share.
#[derive(Clone)]
pub struct Reference {
    /// The unit of the work, such as `board`.
    pub unit: &'static str,
    /// The number of units per call.
    pub units: usize,
    /// The kind of the reference: `seed` for the published algorithm that the game's crate began with,
    /// `naive` for a plain implementation, `hand` for a kernel written by hand.
    pub against: &'static str,
    /// The reference.
    pub call: Rc<dyn Fn() -> u64>,
}

/// Returns a published algorithm as reference.
fn seed(unit: &'static str, units: usize, call: impl Fn() -> u64 + 'static) -> Reference {
    Reference { unit, units, against: "seed", call: Rc::new(call) }
}

/// Returns a plain implementation as reference.
fn naive(unit: &'static str, units: usize, call: impl Fn() -> u64 + 'static) -> Reference {
    Reference { against: "naive", ..seed(unit, units, call) }
}

impl Reference {
    /// Returns an operation that does the work of this reference.
    fn kernel(&self, name: &'static str, kernel: impl FnMut(Level) -> u64 + 'static) -> Operation {
        Operation { name, reference: self.clone(), kernel: Box::new(kernel) }
    }
}

impl Operation {
    /// Returns `true` if the reference and the kernel on every level return the same digest.
    fn agrees(&mut self) -> bool {
        let expected = (self.reference.call)();
        Level::all().all(|level| (self.kernel)(level) == expected)
    }
}

/// Returns a workload that lives as long as the program, so that reference and kernels can share it.
fn workload<T>(items: impl IntoIterator<Item = T>) -> &'static [T] {
    Vec::leak(items.into_iter().collect())
}

/// Returns the operations of each game.
fn games() -> [Vec<Operation>; 6] {
    [
        bitcore_ops::operations(),
        match3_ops::operations(),
        g2048_ops::operations(),
        tetris_ops::operations(),
        go_ops::operations(),
        contest_ops::operations(),
    ]
}

/// Returns all operations, in the order of the tables. Those named `.. one call` call the kernel for each
/// board, the others below 100 ns for a slice of boards.
pub fn all() -> Vec<Operation> {
    games().into_iter().flatten().collect()
}

/// Returns the kernels of bitcore with functions written by hand as references, which show what `dispatch!`
/// costs; nothing on a CPU without the features.
fn by_hand() -> Vec<Operation> {
    #[cfg(target_arch = "x86_64")]
    if bitcore::X86V3::new().is_some() {
        return by_hand::operations();
    }
    Vec::new()
}

/// Returns whether a name begins with one of the prefixes. Without any, every name is wanted.
fn is_wanted(name: &str, prefixes: &[String]) -> bool {
    prefixes.is_empty() || prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// Parses a program's arguments. Prints an error in them as one line, and exits with status 2.
fn parse_arguments<T: clap::Parser>() -> T {
    T::try_parse().unwrap_or_else(|error| {
        if !error.use_stderr() {
            error.exit();
        }
        eprintln!("{} (see --help)", error.to_string().lines().next().unwrap_or_default());
        std::process::exit(2)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn reference_and_every_level_agree() {
        let _ = testkit::levels();
        let mut names = BTreeSet::new();
        for game in super::games() {
            assert!(!game.is_empty());
            for mut operation in game {
                assert!(operation.agrees(), "{}", operation.name);
                assert!(operation.reference.units > 0 && names.insert(operation.name), "{}", operation.name);
            }
        }
        for mut operation in super::by_hand() {
            assert!(operation.agrees(), "{} by hand", operation.name);
        }
    }
}
