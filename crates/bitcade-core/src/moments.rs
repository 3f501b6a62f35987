//! [`Moments`]: mean and standard error of integers, from exact sums.

use core::ops::AddAssign;

/// The count, sum and sum of squares of a sample of integers.
///
/// The sums are exact, so the order of additions and of merges doesn't matter.
///
/// ```
/// use bitcade_core::Moments;
/// let mut scores = Moments::default();
/// for score in [10, 20, -6] {
///     scores.add(score);
/// }
/// assert_eq!((scores.count, scores.sum, scores.mean()), (3, 24, 8.0));
/// assert_eq!(scores.variance(), 172.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Moments {
    /// The size of the sample.
    pub count: u64,
    /// The sum of the numbers.
    pub sum: i128,
    /// The sum of the squares of the numbers.
    pub squares: u128,
}

impl Moments {
    /// Adds one number.
    ///
    /// # Panics
    ///
    /// With overflow checks, if a sum overflows 128 bits. That can't happen with numbers below
    /// 2^32.
    pub fn add(&mut self, number: impl Into<i128>) {
        let number = number.into();
        self.count += 1;
        self.sum += number;
        self.squares += number.unsigned_abs() * number.unsigned_abs();
    }

    /// Returns the mean, or 0 if there are no numbers.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    /// Returns the sample variance (with n - 1 in the denominator), or 0 if there are fewer than
    /// two numbers.
    pub fn variance(&self) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        let n = self.count as f64;
        let mean = self.mean();
        ((self.squares as f64 - n * mean * mean) / (n - 1.0)).max(0.0)
    }

    /// Returns the variance of the mean: the square of the standard error.
    pub fn variance_of_mean(&self) -> f64 {
        self.variance() / self.count.max(1) as f64
    }

    /// Returns the sample standard deviation, or 0 if there are fewer than two numbers.
    #[cfg(feature = "std")]
    pub fn standard_deviation(&self) -> f64 {
        self.variance().sqrt()
    }

    /// Returns the standard error of the mean, or 0 if there are fewer than two numbers.
    #[cfg(feature = "std")]
    pub fn standard_error(&self) -> f64 {
        self.variance_of_mean().sqrt()
    }
}

impl AddAssign for Moments {
    fn add_assign(&mut self, other: Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }
}
