//! Moments from exact sums, against the definitions.

use bitcade_core::Moments;
use testkit::Input;

pub(crate) fn of(numbers: &[i64]) -> Moments {
    let mut moments = Moments::default();
    for &number in numbers {
        moments.add(number);
    }
    moments
}

pub(crate) fn run(input: &Input) {
    let numbers: Vec<i64> =
        (0..input.below(20)).map(|_| input.u64() as i64 >> input.below(64) >> 2).collect();
    let (before, after) = numbers.split_at(input.below(numbers.len() + 1));
    let mut sum = of(before);
    sum += of(after);
    assert_eq!(sum, of(&numbers));
    assert_eq!(sum.count, numbers.len() as u64);
    assert_eq!(sum.sum, numbers.iter().map(|&n| i128::from(n)).sum());
    let count = numbers.len() as f64;
    let mean = numbers.iter().map(|&number| number as f64).sum::<f64>() / count.max(1.0);
    let squares: f64 = numbers.iter().map(|&number| (number as f64 - mean).powi(2)).sum();
    let variance = if numbers.len() < 2 { 0.0 } else { squares / (count - 1.0) };
    // Differences of large squares lose precision.
    let most = numbers.iter().map(|number| number.unsigned_abs()).max().unwrap_or(0) as f64;
    let near = |found: f64, expected: f64, scale: f64| (found - expected).abs() <= 1e-9 * scale;
    assert!(near(sum.mean(), mean, most), "{sum:?}");
    assert!(sum.variance() >= 0.0 && near(sum.variance(), variance, most * most), "{sum:?}");
    assert!(near(sum.variance_of_mean() * count, variance, most * most), "{sum:?}");
}
