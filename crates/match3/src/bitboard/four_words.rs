//! [`FourWords`]: a mask of up to 16 x 16 cells in four words, with operators.

use core::ops::{BitAnd, BitOr, BitXor, Not};

/// A mask of up to 16 x 16 cells, four columns per word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FourWords(pub [u64; 4]);

// Written out, because loops take far longer to compile.
macro_rules! operators_of_words {
    ($($operator:ident $f:ident $symbol:tt)*) => {$(
        impl $operator for FourWords {
            type Output = Self;
            #[inline(always)]
            fn $f(self, other: Self) -> Self {
                let [a, b, c, d] = self.0;
                let [e, f, g, h] = other.0;
                Self([a $symbol e, b $symbol f, c $symbol g, d $symbol h])
            }
        }
    )*};
}
operators_of_words!(BitAnd bitand & BitOr bitor | BitXor bitxor ^);

impl Not for FourWords {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([!a, !b, !c, !d])
    }
}
