//! Paired timing: the variants alternate within one process and are measured in the thread's CPU
//! time, so drifts of the machine's speed affect them all alike.

use cpu_time::ThreadTime;
use std::hint::black_box;
use std::time::Duration;

/// The seconds per call of each variant and turn.
pub(crate) struct Timings(Vec<Vec<f64>>);

impl Timings {
    /// Times variants alternately: A B C A B C .. `call` runs the variant with the given index
    /// once; each of a variant's `rounds` turns repeats it for about the CPU time `turn`.
    pub(crate) fn take(
        variants: usize,
        rounds: usize,
        turn: Duration,
        mut call: impl FnMut(usize) -> u64,
    ) -> Self {
        let mut seconds = |variant, calls: u64| {
            let start = ThreadTime::now();
            for _ in 0..calls {
                black_box(call(variant));
            }
            start.elapsed().as_secs_f64()
        };
        let mut calibrated = |variant| {
            let mut calls = 1;
            loop {
                let fraction = seconds(variant, calls) / turn.as_secs_f64();
                if fraction >= 0.5 {
                    return ((calls as f64 / fraction) as u64).max(1);
                }
                // At most tenfold per step: the first call is slower than later ones.
                calls = (calls as f64 * (0.8 / fraction.max(1e-9)).clamp(1.5, 10.0)).ceil() as u64;
            }
        };
        let calls: Vec<u64> = (0..variants).map(&mut calibrated).collect();
        let mut times = vec![Vec::with_capacity(rounds); variants];
        for _ in 0..rounds {
            for (variant, &calls) in calls.iter().enumerate() {
                times[variant].push(seconds(variant, calls) / calls as f64);
            }
        }
        Self(times)
    }

    pub(crate) fn median(&self, variant: usize) -> f64 {
        median(self.0[variant].iter().copied())
    }

    /// Returns the median over all rounds of `slow`'s time divided by `fast`'s.
    pub(crate) fn ratio(&self, slow: usize, fast: usize) -> f64 {
        median(self.ratios(slow, fast).into_iter())
    }

    /// Returns the lower and the upper quartile of the ratios whose median is
    /// [`ratio`](Self::ratio).
    pub(crate) fn ratio_quartiles(&self, slow: usize, fast: usize) -> [f64; 2] {
        quartiles(self.ratios(slow, fast))
    }

    pub(crate) fn quartiles(&self, variant: usize) -> [f64; 2] {
        quartiles(self.0[variant].clone())
    }

    fn ratios(&self, slow: usize, fast: usize) -> Vec<f64> {
        self.0[slow].iter().zip(&self.0[fast]).map(|(slow, fast)| slow / fast).collect()
    }
}

fn quartiles(mut values: Vec<f64>) -> [f64; 2] {
    values.sort_unstable_by(f64::total_cmp);
    [1, 3].map(|quarter| values[(values.len() - 1) * quarter / 4])
}

/// Returns the median of at least one number.
pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 {
        values[middle]
    } else {
        f64::midpoint(values[middle - 1], values[middle])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_ratios() {
        let timings = Timings(vec![vec![2.0, 40.0, 6.0], vec![1.0, 10.0, 2.0]]);
        assert_eq!(timings.median(0).to_bits(), 6.0f64.to_bits());
        assert_eq!(timings.ratio(0, 1).to_bits(), 3.0f64.to_bits());
        let timings = Timings(vec![vec![9.0, 1.0, 7.0, 3.0, 5.0], vec![1.0; 5]]);
        assert_eq!(
            timings.ratio_quartiles(0, 1).map(f64::to_bits),
            [3.0f64, 7.0].map(f64::to_bits)
        );
        assert_eq!(timings.quartiles(0).map(f64::to_bits), [3.0f64, 7.0].map(f64::to_bits));
        assert_eq!(median([1.0, 4.0, 2.0, 3.0].into_iter()).to_bits(), 2.5f64.to_bits());
    }

    #[test]
    fn every_variant_has_every_turn() {
        let mut calls = [0; 2];
        let timings = Timings::take(2, 3, Duration::from_micros(50), |variant| {
            calls[variant] += 1;
            7
        });
        assert!(
            timings.0.iter().all(|turns| turns.len() == 3 && turns.iter().all(|&time| time >= 0.0))
        );
        assert!(calls.iter().all(|&calls| calls >= 4));
    }
}
