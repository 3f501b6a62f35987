//! [`BoardSize`]: a size of board as a type.

/// The `N` x `N` board. What is compiled for some sizes only is a trait that [`BoardSize`] implements for these.
#[derive(Clone, Copy, Debug)]
pub struct BoardSize<const N: usize>;

pub(crate) mod sealed {
    /// Keeps the traits of sizes closed: what they compile, they compile in this crate.
    pub trait Sealed {}
}

impl<const N: usize> sealed::Sealed for BoardSize<N> {}
