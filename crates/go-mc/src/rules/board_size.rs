//! [`BoardSize`]: the size of a square board as a type.

/// The size `N` x `N`. Traits such as
/// [`HasSimdPlayouts`](crate::playout::simd_playouts::HasSimdPlayouts) are implemented for the
/// sizes with a compiled kernel.
#[derive(Clone, Copy, Debug)]
pub struct BoardSize<const N: usize>;

pub(crate) mod sealed {
    /// A supertrait that other crates cannot implement: all kernels are compiled in this crate.
    pub trait Sealed {}
}

impl<const N: usize> sealed::Sealed for BoardSize<N> {}
