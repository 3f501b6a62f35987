//! [`TimeManager`]: how wide a beam should be to end in time.

use super::widths::Widths;

/// Chooses widths so that a search ends when its budget does. It knows no clock: it is told how much of the budget is
/// used, and learns from that what a board costs.
///
/// ```
/// use tetris_ai::beam::{TimeManager, Widths};
/// let mut time_manager = TimeManager::new(10_000, &Widths::default(), 0.0);
/// // A search that would take 1/8,000,000 of the budget for each board of each layer.
/// let (mut pieces, mut used, mut widest) = (0, 0.0, 0);
/// while pieces < 10_000 {
///     let (stretch, width) = time_manager.plan(pieces, used);
///     pieces += stretch;
///     used += (stretch * width) as f64 / 8_000_000.0;
///     widest = widest.max(width);
/// }
/// assert!((0.95..1.0).contains(&used) && widest < 900, "{used}, {widest}");
/// // One that is resumed knows at once what is within its means.
/// let half: Widths = "800x5000".parse()?;
/// assert_eq!(TimeManager::new(10_000, &half, 0.5).plan(5000, 0.5), (100, 800));
/// # Ok::<(), tetris_ai::beam::ParseBeamError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TimeManager {
    goal: usize,
    /// Pieces and budget used when the stretch of now began.
    started: (usize, f64),
    width: usize,
    /// Boards per budget, in the last stretches.
    speed: Option<f64>,
}

impl TimeManager {
    /// The width of the first stretch, which only measures.
    const FIRST_WIDTH: usize = 500;
    /// How much of the budget is aimed at: what comes after the search and what varies need the rest.
    const TARGET: f64 = 0.985;

    /// For a search up to piece `goal`, which was so wide until now and used such a part of its budget, 0..1.
    pub fn new(goal: usize, before: &Widths, used: f64) -> Self {
        let (boards, width) = (before.boards(), before.last());
        let speed = (boards > 0.0 && used > 0.0).then(|| boards / used);
        Self { goal, started: (before.pieces(), used), width, speed }
    }

    /// How many pieces to place next, and with which width, when so many are placed and so much of the budget is used.
    pub fn plan(&mut self, pieces: usize, used: f64) -> (usize, usize) {
        let (done, taken) = (pieces - self.started.0.min(pieces), used - self.started.1);
        if done > 0 && self.width > 0 && taken > 0.0 {
            let speed = (done * self.width) as f64 / taken;
            // The machine's other work comes and goes: half the new speed, half the old.
            self.speed = Some(self.speed.map_or(speed, |before| 2.0 / (1.0 / before + 1.0 / speed)));
        }
        self.started = (pieces, used);
        let left = self.goal.saturating_sub(pieces).max(1);
        let Some(speed) = self.speed else {
            self.width = if used < Self::TARGET { Self::FIRST_WIDTH } else { MIN_WIDTH as usize };
            return (left.min(60), self.width);
        };
        let within = |budget: f64| budget * speed / left as f64;
        // Once the aim is passed, a part of what is kept back: the last stretches are not starved.
        let kept_back = within((1.0 - used) / 16.0).min(self.width as f64);
        let width = within(Self::TARGET - used).max(kept_back);
        // A tenth more or less is as good, and what is printed stays short; but not near the end.
        let near = (0.9..1.1).contains(&(width / self.width as f64)) && left > 1000;
        if !near {
            let most = 4.0 * self.width.max(Self::FIRST_WIDTH) as f64;
            self.width = rounded(width.clamp(MIN_WIDTH, most) as usize);
        }
        // Toward the end ever shorter, so that what one stretch takes too long never leaves the last pieces nothing.
        (left.min((left / 4).clamp(10, 100)), self.width)
    }
}

/// Narrower than this a beam may die.
const MIN_WIDTH: f64 = 120.0;

/// Two digits and a half, downwards: so that what is printed is short.
fn rounded(width: usize) -> usize {
    let unit = (width.max(1) / 64).max(1).next_power_of_two();
    width / unit * unit
}
