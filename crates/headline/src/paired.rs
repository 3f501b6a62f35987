//! Paired timing: the sides run in turns within one process, by the CPU time of the thread, so that a machine whose
//! speed drifts slows all of them alike.

use cpu_time::ThreadTime;
use std::hint::black_box;
use std::time::Duration;

/// How much to measure.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// How often each side has its turn.
    pub rounds: usize,
    /// How long one turn should last.
    pub turn: Duration,
}

/// Seconds per call of each side in each round.
#[derive(Clone, Debug)]
pub struct Timings {
    sides: Vec<Vec<f64>>,
}

impl Timings {
    /// Times the sides in turns: A B C A B C .. . Each side's turn repeats it until the turn is full; how often, is
    /// found out first, which also warms it up.
    pub fn take<F: FnMut() -> u64>(sides: &mut [F], budget: Budget) -> Self {
        let seconds = |side: &mut F, calls: u64| {
            let start = ThreadTime::now();
            for _ in 0..calls {
                black_box(side());
            }
            start.elapsed().as_secs_f64()
        };
        let calls: Vec<u64> = sides
            .iter_mut()
            .map(|side| {
                let mut calls = 1;
                loop {
                    let fraction = seconds(side, calls) / budget.turn.as_secs_f64();
                    if fraction >= 0.5 {
                        return ((calls as f64 / fraction) as u64).max(1);
                    }
                    // At most tenfold at a time: a first call is slower than those that follow.
                    calls = (calls as f64 * (0.8 / fraction.max(1e-9)).clamp(1.5, 10.0)).ceil() as u64;
                }
            })
            .collect();
        let mut timings = vec![Vec::with_capacity(budget.rounds); sides.len()];
        for _ in 0..budget.rounds {
            for ((side, &calls), timings) in sides.iter_mut().zip(&calls).zip(&mut timings) {
                timings.push(seconds(side, calls) / calls as f64);
            }
        }
        Self { sides: timings }
    }

    /// The median of a side's seconds per call.
    pub fn median(&self, side: usize) -> f64 {
        median(self.sides[side].clone())
    }

    /// The least of a side's seconds per call: its speed when nothing disturbed it.
    pub fn best(&self, side: usize) -> f64 {
        self.sides[side].iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The median over the rounds of `slow`'s time by `fast`'s.
    pub fn ratio(&self, slow: usize, fast: usize) -> f64 {
        median(self.sides[slow].iter().zip(&self.sides[fast]).map(|(slow, fast)| slow / fast).collect())
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
        let timings = Timings { sides: vec![vec![2.0, 40.0, 6.0], vec![1.0, 10.0, 2.0]] };
        assert_eq!(timings.median(0).to_bits(), 6.0f64.to_bits());
        assert_eq!(timings.best(1).to_bits(), 1.0f64.to_bits());
        assert_eq!(timings.ratio(0, 1).to_bits(), 3.0f64.to_bits());
        assert_eq!(median(vec![1.0, 4.0, 2.0, 3.0]).to_bits(), 2.5f64.to_bits());
    }

    #[test]
    fn every_side_has_every_turn() {
        let calls = std::cell::Cell::new([0u64; 2]);
        let count = |side: usize| {
            let mut now = calls.get();
            now[side] += 1;
            calls.set(now);
            now[side]
        };
        let mut sides: Vec<Box<dyn FnMut() -> u64>> = vec![Box::new(|| count(0)), Box::new(|| count(1))];
        let budget = Budget { rounds: 3, turn: Duration::from_micros(50) };
        let timings = Timings::take(&mut sides, budget);
        assert!(timings.sides.iter().all(|side| side.len() == 3 && side.iter().all(|&t| t >= 0.0)));
        drop(sides);
        assert!(calls.get().iter().all(|&n| n >= 4));
    }
}
