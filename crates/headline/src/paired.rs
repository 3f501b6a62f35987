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

/// Seconds per call of each side, turn by turn, and what the sides returned.
#[derive(Clone, Debug)]
pub struct Timings {
    sides: Vec<Vec<f64>>,
    results: Vec<u64>,
}

/// One side: what is timed, how many calls fill its turn, and what it has taken.
struct Side<'a, F> {
    call: &'a mut F,
    result: u64,
    calls: u64,
    turns: Vec<f64>,
    taken: f64,
}

impl<F: FnMut() -> u64> Side<'_, F> {
    /// The CPU time of so many calls.
    fn seconds(&mut self, calls: u64) -> f64 {
        let start = ThreadTime::now();
        for _ in 0..calls {
            self.result = black_box((self.call)());
        }
        start.elapsed().as_secs_f64()
    }

    /// Finds out how many calls fill a turn, which also warms the side up. A first call that takes `most` or more is the
    /// side's only turn: it needs no warming, and costs enough.
    fn calibrate(&mut self, turn: f64, most: f64) {
        loop {
            let seconds = self.seconds(self.calls);
            if seconds >= most {
                return self.keep(seconds);
            }
            let fraction = seconds / turn;
            if fraction >= 0.5 {
                self.calls = ((self.calls as f64 / fraction) as u64).max(1);
                return;
            }
            // At most tenfold at a time: a first call is slower than those that follow.
            self.calls = (self.calls as f64 * (0.8 / fraction.max(1e-9)).clamp(1.5, 10.0)).ceil() as u64;
        }
    }

    fn keep(&mut self, seconds: f64) {
        self.turns.push(seconds / self.calls as f64);
        self.taken += seconds;
    }
}

impl Timings {
    /// Times the sides in turns: A B C A B C .. . Each side's turn repeats it until the turn is full; how often, is
    /// found out first, which also warms it up.
    pub fn take<F: FnMut() -> u64>(sides: &mut [F], budget: Budget) -> Self {
        Self::take_at_most(sides, budget, Duration::MAX)
    }

    /// [`take`](Self::take), but a side that has taken `most` has no more turns: for references of which one call lasts
    /// longer than all turns of a kernel. Each side has one turn at least.
    pub fn take_at_most<F: FnMut() -> u64>(sides: &mut [F], budget: Budget, most: Duration) -> Self {
        let most = most.as_secs_f64();
        let new =
            |call| Side { call, result: 0, calls: 1, turns: Vec::with_capacity(budget.rounds), taken: 0.0 };
        let mut sides: Vec<Side<'_, F>> = sides.iter_mut().map(new).collect();
        for side in &mut sides {
            side.calibrate(budget.turn.as_secs_f64(), most);
        }
        for _ in 0..budget.rounds {
            for side in sides.iter_mut().filter(|side| side.taken < most) {
                let seconds = side.seconds(side.calls);
                side.keep(seconds);
            }
        }
        let results = sides.iter().map(|side| side.result).collect();
        Self { sides: sides.into_iter().map(|side| side.turns).collect(), results }
    }

    /// The number that all sides returned; none if they differ.
    pub fn result(&self) -> Option<u64> {
        let (&first, others) = self.results.split_first()?;
        others.iter().all(|&other| other == first).then_some(first)
    }

    /// The median of a side's seconds per call.
    pub fn median(&self, side: usize) -> f64 {
        median(self.sides[side].clone())
    }

    /// The least of a side's seconds per call: its speed when nothing disturbed it.
    pub fn best(&self, side: usize) -> f64 {
        self.sides[side].iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The median over the rounds of `slow`'s time by `fast`'s; the ratio of their medians if one of them has had fewer
    /// turns than the other.
    pub fn ratio(&self, slow: usize, fast: usize) -> f64 {
        let [slow_turns, fast_turns] = [slow, fast].map(|side| &self.sides[side]);
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
        let sides = vec![vec![2.0, 40.0, 6.0], vec![1.0, 10.0, 2.0], vec![8.0]];
        let timings = Timings { sides, results: vec![5, 5, 6] };
        assert_eq!(timings.median(0).to_bits(), 6.0f64.to_bits());
        assert_eq!(timings.best(1).to_bits(), 1.0f64.to_bits());
        assert_eq!(timings.ratio(0, 1).to_bits(), 3.0f64.to_bits());
        assert_eq!(timings.ratio(2, 1).to_bits(), 4.0f64.to_bits());
        assert_eq!(median(vec![1.0, 4.0, 2.0, 3.0]).to_bits(), 2.5f64.to_bits());
        assert_eq!(timings.result(), None);
    }

    #[test]
    fn every_side_has_every_turn() {
        let calls = std::cell::Cell::new([0u64; 2]);
        let count = |side: usize| {
            let mut now = calls.get();
            now[side] += 1;
            calls.set(now);
            7
        };
        let mut sides: Vec<Box<dyn FnMut() -> u64>> = vec![Box::new(|| count(0)), Box::new(|| count(1))];
        let budget = Budget { rounds: 3, turn: Duration::from_micros(50) };
        let timings = Timings::take(&mut sides, budget);
        assert!(timings.sides.iter().all(|side| side.len() == 3 && side.iter().all(|&t| t >= 0.0)));
        assert_eq!(timings.result(), Some(7));
        drop(sides);
        assert!(calls.get().iter().all(|&n| n >= 4));
    }

    #[test]
    fn a_slow_side_has_one_turn() {
        let calls = std::cell::Cell::new(0u64);
        let slow = || {
            calls.set(calls.get() + 1);
            let start = ThreadTime::now();
            while start.elapsed() < Duration::from_millis(3) {}
            1
        };
        let mut sides: Vec<Box<dyn FnMut() -> u64>> = vec![Box::new(slow), Box::new(|| 2)];
        let budget = Budget { rounds: 3, turn: Duration::from_micros(50) };
        let timings = Timings::take_at_most(&mut sides, budget, Duration::from_millis(2));
        assert_eq!((timings.sides[0].len(), timings.sides[1].len(), timings.result()), (1, 3, None));
        drop(sides);
        assert_eq!(calls.get(), 1);
    }
}
