//! The mean length of games, some of which have not ended.

/// An estimate of the mean number of lines per game from finished and unfinished games.
///
/// The mean over finished games alone is too small, since a budget cuts off long games rather than short
/// ones. The estimate assumes that a game is equally likely to end at each of its lines (an exponential
/// distribution of lengths, observed with censoring). This nearly holds for good controllers, whose games
/// last far longer than a stack takes to rise and fall.
///
/// ```
/// use tetris_ai::control::GameLength;
/// let length = GameLength { lines: 1000, ended: 10 };
/// let (low, high) = length.interval();
/// assert_eq!((length.mean(), low.round(), high.unwrap().round()), (Some(100.0), 54.0, 209.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GameLength {
    /// The lines of all games, finished or not.
    pub lines: u64,
    /// The number of finished games.
    pub ended: u64,
}

impl GameLength {
    /// Returns the maximum-likelihood mean, all lines divided by the finished games, or `None` if no game
    /// finished.
    pub fn mean(self) -> Option<f64> {
        (self.ended > 0).then(|| self.lines as f64 / self.ended as f64)
    }

    /// Returns the lower and upper bound of the 95 % confidence interval of the mean; the upper bound is
    /// `None` if no game finished. The quantiles of the chi-squared distribution use the formula of E. B.
    /// Wilson and M. M. Hilferty (1931), accurate to 1 % from one finished game on.
    pub fn interval(self) -> (f64, Option<f64>) {
        let twice = 2.0 * self.lines as f64;
        let freedom = 2.0 * self.ended as f64;
        // No finished game: the mean at which 1 run of 40 has no finished game.
        let low = if self.ended == 0 { 2.0 * 40f64.ln() } else { chi_squared(freedom + 2.0, NORMAL) };
        (twice / low, (self.ended > 0).then(|| twice / chi_squared(freedom, -NORMAL)))
    }
}

/// The 97.5 % quantile of the normal distribution.
const NORMAL: f64 = 1.959_964;

/// Returns the quantile of the chi-squared distribution with `freedom` degrees of freedom that corresponds to
/// `deviations` standard deviations of the normal distribution.
fn chi_squared(freedom: f64, deviations: f64) -> f64 {
    if freedom <= 2.0 && deviations < 0.0 {
        // Two degrees of freedom make an exponential distribution: exact, where the formula is least
        // accurate.
        return -2.0 * 0.975f64.ln();
    }
    let part = 2.0 / (9.0 * freedom);
    freedom * (1.0 - part + deviations * part.sqrt()).powi(3)
}
