//! [`TimeManager`]: widths for a beam with a deadline.

use super::widths::Widths;

/// Chooses beam widths that make a search end when its budget does.
///
/// It reads no clock: the caller reports the used share of the budget, which determines the cost
/// per board.
///
/// ```
/// use tetris_ai::contest::beam::{TimeManager, Widths};
/// let mut time_manager = TimeManager::new(10_000, &Widths::default(), 0.0);
/// // A search that uses 1/8,000,000 of the budget per board and layer.
/// let (mut pieces, mut used, mut widest) = (0, 0.0, 0);
/// while pieces < 10_000 {
///     let (stretch, width) = time_manager.plan(pieces, used);
///     pieces += stretch;
///     used += (stretch * width) as f64 / 8_000_000.0;
///     widest = widest.max(width);
/// }
/// assert!((0.95..1.0).contains(&used) && widest < 900, "{used}, {widest}");
/// // A resumed search starts from the cost of its boards so far.
/// let half: Widths = "800x5000".parse()?;
/// assert_eq!(TimeManager::new(10_000, &half, 0.5).plan(5000, 0.5), (100, 800));
/// # Ok::<(), tetris_ai::contest::beam::ParseWidthsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TimeManager {
    goal: usize,
    /// The pieces placed and the budget used at the start of the current stretch.
    started: (usize, f64),
    width: usize,
    /// The number of boards that the whole budget buys, measured on the last stretches.
    speed: Option<f64>,
}

impl TimeManager {
    /// The width of the first stretch, which measures the speed.
    const FIRST_WIDTH: usize = 500;
    /// The planned share of the budget. The rest covers variation and work after the search.
    const TARGET: f64 = 0.985;

    /// Creates the time manager for a search of `goal` pieces that has already searched the widths
    /// `before` and used the share `used` (0..1) of its budget.
    pub fn new(goal: usize, before: &Widths, used: f64) -> Self {
        let boards = before.boards();
        let width = before.last();
        let speed = (boards > 0.0 && used > 0.0).then(|| boards / used);
        Self { goal, started: (before.pieces().unwrap_or(goal), used), width, speed }
    }

    /// Returns the number of pieces to place next and the width to use. `pieces` is the number of
    /// pieces placed so far, `used` the used share of the budget, 0..1.
    pub fn plan(&mut self, pieces: usize, used: f64) -> (usize, usize) {
        let done = pieces - self.started.0.min(pieces);
        let taken = used - self.started.1;
        if done > 0 && self.width > 0 && taken > 0.0 {
            let speed = done as f64 * self.width as f64 / taken;
            // The harmonic mean of the old and new speed, because other load on the machine comes
            // and goes.
            self.speed =
                Some(self.speed.map_or(speed, |before| 2.0 / (1.0 / before + 1.0 / speed)));
        }
        self.started = (pieces, used);
        let left = self.goal.saturating_sub(pieces).max(1);
        let Some(speed) = self.speed else {
            self.width = if used < Self::TARGET { Self::FIRST_WIDTH } else { MIN_WIDTH as usize };
            return (left.min(60), self.width);
        };
        let within = |budget: f64| budget * speed / left as f64;
        // Beyond the target, the last stretches get part of the reserve. See docs/decisions.md.
        let kept_back = within((1.0 - used) / 16.0).min(self.width as f64);
        let width = within(Self::TARGET - used).max(kept_back);
        // A change of less than 10 % is not worth a new run in the list of widths, except near the
        // end.
        let near = (0.9..1.1).contains(&(width / self.width as f64)) && left > 1000;
        if !near {
            let most = 4.0 * self.width.max(Self::FIRST_WIDTH) as f64;
            // A NaN share makes the width 0.
            self.width = rounded(width.clamp(MIN_WIDTH, most) as usize).max(1);
        }
        // Stretches get shorter toward the end, because one slow stretch must not use up the time
        // of the last pieces.
        (left.min((left / 4).clamp(10, 100)), self.width)
    }
}

/// The minimum width: a narrower beam may run out of boards.
const MIN_WIDTH: f64 = 120.0;

/// Rounds down to about two digits, which keeps the printed list of widths short.
fn rounded(width: usize) -> usize {
    let unit = (width.max(1) / 64).max(1).next_power_of_two();
    width / unit * unit
}
