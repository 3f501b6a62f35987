//! [`MissingThreads`]: what a search remembers of the threads that did not start.

/// The number of threads that the system could not start for the last part of a search. It is no part of the
/// search's state: all numbers are equal.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MissingThreads(pub(crate) usize);

impl PartialEq for MissingThreads {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for MissingThreads {}
