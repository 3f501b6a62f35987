//! Paired timing: the variants run in alternation within one process, measured by the CPU time of the thread.
//! If the speed of the machine drifts, it affects all variants alike.
//!
//! ```text
//! calibrate each variant: the number of calls that fill a turn
//! for each round:
//!     for each variant: one turn; seconds per call = CPU time / calls
//! ratio of two variants = median over the rounds of the ratio of their times
//! ```

#[cfg(not(target_family = "wasm"))]
use cpu_time::ThreadTime;
use std::hint::black_box;
use std::time::Duration;
// WebAssembly has no clock of CPU time. A run there should be alone on its core.
#[cfg(target_family = "wasm")]
use std::time::Instant as ThreadTime;

/// The amount of measuring.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The number of turns of each variant.
    pub rounds: usize,
    /// The CPU time of one turn.
    pub turn: Duration,
}

/// The seconds per call of each variant, turn by turn, and the numbers that the variants returned.
#[derive(Clone, Debug)]
pub struct Timings {
    variants: Vec<Vec<f64>>,
    results: Vec<u64>,
}

/// A timed function: the calls that fill its turn, and its times so far.
struct Variant<'a, F> {
    call: &'a mut F,
    result: u64,
    calls: u64,
    turns: Vec<f64>,
    taken: f64,
}

impl<F: FnMut() -> u64> Variant<'_, F> {
    /// Returns the CPU time of `calls` calls.
    fn seconds(&mut self, calls: u64) -> f64 {
        let start = ThreadTime::now();
        for _ in 0..calls {
            self.result = black_box((self.call)());
        }
        start.elapsed().as_secs_f64()
    }

    /// Finds the number of calls that fill a turn, which also warms the variant up. A first call that takes
    /// `most` or longer counts as the only turn of the variant.
    fn calibrate(&mut self, turn: f64, most: f64) {
        loop {
            let seconds = self.seconds(self.calls);
            if seconds >= most {
                return self.record(seconds);
            }
            let fraction = seconds / turn;
            if fraction >= 0.5 {
                self.calls = ((self.calls as f64 / fraction) as u64).max(1);
                return;
            }
            // At most tenfold at a time: the first call is slower than later ones.
            self.calls = (self.calls as f64 * (0.8 / fraction.max(1e-9)).clamp(1.5, 10.0)).ceil() as u64;
        }
    }

    fn record(&mut self, seconds: f64) {
        self.turns.push(seconds / self.calls as f64);
        self.taken += seconds;
    }
}

impl Timings {
    /// Times the variants in alternation: A B C A B C ..
    pub fn take<F: FnMut() -> u64>(variants: &mut [F], budget: Budget) -> Self {
        Self::take_capped(variants, budget, Duration::MAX)
    }

    /// Times like [`take`](Self::take), but gives no more turns to a variant that has taken `most` in total.
    /// Each variant has at least one turn.
    pub fn take_capped<F: FnMut() -> u64>(variants: &mut [F], budget: Budget, most: Duration) -> Self {
        let most = most.as_secs_f64();
        let new = |call| Variant {
            call,
            result: 0,
            calls: 1,
            turns: Vec::with_capacity(budget.rounds),
            taken: 0.0,
        };
        let mut variants: Vec<Variant<'_, F>> = variants.iter_mut().map(new).collect();
        for variant in &mut variants {
            variant.calibrate(budget.turn.as_secs_f64(), most);
        }
        for _ in 0..budget.rounds {
            for variant in variants.iter_mut().filter(|variant| variant.taken < most) {
                let seconds = variant.seconds(variant.calls);
                variant.record(seconds);
            }
        }
        let results = variants.iter().map(|variant| variant.result).collect();
        Self { variants: variants.into_iter().map(|variant| variant.turns).collect(), results }
    }

    /// Returns the number that all variants returned, or `None` if they differ.
    pub fn result(&self) -> Option<u64> {
        let (&first, others) = self.results.split_first()?;
        others.iter().all(|&other| other == first).then_some(first)
    }

    /// Returns the median of a variant's seconds per call.
    ///
    /// # Panics
    ///
    /// If there is no such variant, or no turn was taken.
    pub fn median(&self, variant: usize) -> f64 {
        median(self.variants[variant].clone())
    }

    /// Returns the least of a variant's seconds per call, its speed with the least disturbance.
    ///
    /// # Panics
    ///
    /// If there is no such variant.
    pub fn best(&self, variant: usize) -> f64 {
        self.variants[variant].iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Returns the median over the rounds of `slow`'s time divided by `fast`'s, or the ratio of their medians
    /// if they have different numbers of turns.
    ///
    /// # Panics
    ///
    /// If there is no such variant, or no turn was taken.
    pub fn ratio(&self, slow: usize, fast: usize) -> f64 {
        let [slow_turns, fast_turns] = [slow, fast].map(|variant| &self.variants[variant]);
        if slow_turns.len() != fast_turns.len() {
            return self.median(slow) / self.median(fast);
        }
        median(slow_turns.iter().zip(fast_turns).map(|(slow, fast)| slow / fast).collect())
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { f64::midpoint(values[middle - 1], values[middle]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_ratios() {
        let variants = vec![vec![2.0, 40.0, 6.0], vec![1.0, 10.0, 2.0], vec![8.0]];
        let timings = Timings { variants, results: vec![5, 5, 6] };
        assert_eq!(timings.median(0).to_bits(), 6.0f64.to_bits());
        assert_eq!(timings.best(1).to_bits(), 1.0f64.to_bits());
        assert_eq!(timings.ratio(0, 1).to_bits(), 3.0f64.to_bits());
        assert_eq!(timings.ratio(2, 1).to_bits(), 4.0f64.to_bits());
        assert_eq!(median(vec![1.0, 4.0, 2.0, 3.0]).to_bits(), 2.5f64.to_bits());
        assert_eq!(timings.result(), None);
    }

    #[test]
    fn every_variant_has_every_turn() {
        let calls = std::cell::Cell::new([0u64; 2]);
        let count = |variant: usize| {
            let mut now = calls.get();
            now[variant] += 1;
            calls.set(now);
            7
        };
        let mut variants: Vec<Box<dyn FnMut() -> u64>> = vec![Box::new(|| count(0)), Box::new(|| count(1))];
        let budget = Budget { rounds: 3, turn: Duration::from_micros(50) };
        let timings = Timings::take(&mut variants, budget);
        assert!(
            timings.variants.iter().all(|variant| variant.len() == 3 && variant.iter().all(|&t| t >= 0.0))
        );
        assert_eq!(timings.result(), Some(7));
        drop(variants);
        assert!(calls.get().iter().all(|&n| n >= 4));
    }

    #[test]
    fn a_slow_variant_has_one_turn() {
        let calls = std::cell::Cell::new(0u64);
        let slow = || {
            calls.set(calls.get() + 1);
            let start = ThreadTime::now();
            while start.elapsed() < Duration::from_millis(3) {}
            1
        };
        let mut variants: Vec<Box<dyn FnMut() -> u64>> = vec![Box::new(slow), Box::new(|| 2)];
        let budget = Budget { rounds: 3, turn: Duration::from_micros(50) };
        let timings = Timings::take_capped(&mut variants, budget, Duration::from_millis(2));
        assert_eq!((timings.variants[0].len(), timings.variants[1].len(), timings.result()), (1, 3, None));
        drop(variants);
        assert_eq!(calls.get(), 1);
    }
}
