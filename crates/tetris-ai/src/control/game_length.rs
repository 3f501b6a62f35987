//! The mean length of games, some of them unfinished.

/// An estimate of the mean number of lines per game from finished and unfinished games.
///
/// The mean over finished games alone is biased low, because a budget cuts off long games more
/// often than short ones. The estimate assumes that a game is equally likely to end at each of its
/// lines: an exponential distribution of lengths, observed with censoring. This is nearly true for
/// good controllers, whose games last far longer than a stack takes to rise and fall.
///
/// ```
/// use tetris_ai::control::GameLength;
/// let length = GameLength { lines: 1000, ended: 10 };
/// let (low, high) = length.interval();
/// assert_eq!((length.mean(), low.round(), high.unwrap().round()), (Some(100.0), 54.0, 209.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GameLength {
    /// The number of lines cleared in all games, finished or not.
    pub lines: u64,
    /// The number of finished games.
    pub ended: u64,
}

impl GameLength {
    /// Returns the maximum-likelihood mean, which is all lines divided by the number of finished
    /// games, or `None` if no game finished.
    pub fn mean(self) -> Option<f64> {
        (self.ended > 0).then(|| self.lines as f64 / self.ended as f64)
    }

    /// Returns the bounds of the 95 % confidence interval of the mean; the upper bound is `None` if
    /// no game finished. The chi-squared quantiles use the approximation of E. B. Wilson and M. M.
    /// Hilferty (1931), accurate to 1 % with at least one finished game.
    pub fn interval(self) -> (f64, Option<f64>) {
        let twice = 2.0 * self.lines as f64;
        let freedom = 2.0 * self.ended as f64;
        // No finished game: the mean at which one run in 40 would have no finished game.
        let low =
            if self.ended == 0 { 2.0 * 40f64.ln() } else { chi_squared(freedom + 2.0, NORMAL) };
        (twice / low, (self.ended > 0).then(|| twice / chi_squared(freedom, -NORMAL)))
    }
}

/// The 97.5 % quantile of the normal distribution.
const NORMAL: f64 = 1.959_964;

/// Returns the quantile of the chi-squared distribution with `freedom` degrees of freedom that
/// corresponds to `deviations` standard deviations of the normal distribution.
fn chi_squared(freedom: f64, deviations: f64) -> f64 {
    if freedom <= 2.0 && deviations < 0.0 {
        // Two degrees of freedom give an exponential distribution: exact, just where the formula is
        // least accurate.
        return -2.0 * 0.975f64.ln();
    }
    let part = 2.0 / (9.0 * freedom);
    freedom * (1.0 - part + deviations * part.sqrt()).powi(3)
}
