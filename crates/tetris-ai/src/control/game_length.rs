//! [`GameLength`]: how long games last, though some are still going.

/// Games that ended, and the lines of all: enough for the mean if a game's end is as likely at any of its lines, whatever
/// went before. It nearly is for good controllers, whose games last far longer than a stack takes to rise and fall.
///
/// The mean over the games that ended alone would be too small: long games are those that a budget cuts off.
///
/// ```
/// use tetris_ai::control::GameLength;
/// let length = GameLength { lines: 1000, ended: 10 };
/// let (low, high) = length.interval();
/// assert_eq!((length.mean(), low.round(), high.unwrap().round()), (Some(100.0), 54.0, 209.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GameLength {
    /// Lines of all games, ended or not.
    pub lines: u64,
    /// Games that ended.
    pub ended: u64,
}

impl GameLength {
    /// Lines for each game that ended: the most likely mean. None if none did.
    pub fn mean(self) -> Option<f64> {
        (self.ended > 0).then(|| self.lines as f64 / self.ended as f64)
    }

    /// The bounds of the 95 % confidence interval of the mean; the upper one is missing if no game ended. Quantiles of
    /// chi-squared by E. B. Wilson and M. M. Hilferty's formula (1931), exact to a percent from one game on.
    pub fn interval(self) -> (f64, Option<f64>) {
        let twice = 2.0 * self.lines as f64;
        let freedom = 2.0 * self.ended as f64;
        // Without a death: the mean at which one in forty runs would have none.
        let low = if self.ended == 0 { 2.0 * 40f64.ln() } else { chi_squared(freedom + 2.0, NORMAL) };
        (twice / low, (self.ended > 0).then(|| twice / chi_squared(freedom, -NORMAL)))
    }
}

/// The normal distribution's 97.5 % quantile.
const NORMAL: f64 = 1.959_964;

/// The quantile of chi-squared that `deviations` is of the normal distribution.
fn chi_squared(freedom: f64, deviations: f64) -> f64 {
    if freedom <= 2.0 && deviations < 0.0 {
        // Two degrees of freedom are an exponential distribution: exact where the formula is worst.
        return -2.0 * 0.975f64.ln();
    }
    let part = 2.0 / (9.0 * freedom);
    freedom * (1.0 - part + deviations * part.sqrt()).powi(3)
}
