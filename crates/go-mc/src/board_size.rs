//! [`BoardSize`]: the size of a square board as a type.

/// The size `N` x `N`. Traits such as [`HasSimdPlayouts`](crate::simd_playouts::HasSimdPlayouts) are
/// implemented for the sizes for which this crate compiles a kernel.
#[derive(Clone, Copy, Debug)]
pub struct BoardSize<const N: usize>;

pub(crate) mod sealed {
    /// A supertrait that other crates cannot implement: kernels are compiled in this crate only.
    pub trait Sealed {}
}

impl<const N: usize> sealed::Sealed for BoardSize<N> {}
