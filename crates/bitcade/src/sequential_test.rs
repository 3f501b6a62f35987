//! Elo differences, and a sequential probability ratio test of match results.

/// Returns the expected score, from 0 to 1, at an Elo difference.
fn elo_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Returns the Elo difference of an expected score; `None` at 0 and 1, where it is infinite.
pub(crate) fn elo_of(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// A sequential probability ratio test: is the first player stronger by `high` Elo, or only by
/// `low`? Each answer is wrong with a probability of 5 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SequentialTest {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// ln(0.95 / 0.05)
const BOUND: f64 = 2.944_438_979_166_44;

impl SequentialTest {
    /// Returns the generalized log-likelihood ratio of counts of results, from the worst to the
    /// best, whose scores are equally spaced from 0 to 1.
    ///
    /// As in the tests of chess engines, the results are pairs of games on one opening with both
    /// colors: an opening that favors a color then adds nothing to the variance.
    pub(crate) fn log_likelihood_ratio(self, counts: &[u64]) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        // A result not seen yet counts a little: otherwise it could never be seen.
        let regular: Vec<f64> = counts.iter().map(|&count| (count as f64).max(1e-3)).collect();
        let total: f64 = regular.iter().sum();
        let best = (counts.len() - 1) as f64;
        let outcomes: Vec<Outcome> = (0..)
            .zip(&regular)
            .map(|(place, count)| Outcome { score: f64::from(place) / best, share: count / total })
            .collect();
        let low = tilt(&outcomes, elo_score(self.low));
        let high = tilt(&outcomes, elo_score(self.high));
        let log_ratio =
            |outcome: &Outcome| outcome.share * (low.divisor(outcome) / high.divisor(outcome)).ln();
        total * outcomes.iter().map(log_ratio).sum::<f64>()
    }

    /// Returns the answer of a log-likelihood ratio, or `None` if it takes more games.
    pub(crate) fn is_stronger(log_likelihood_ratio: f64) -> Option<bool> {
        (log_likelihood_ratio.abs() >= BOUND).then_some(log_likelihood_ratio > 0.0)
    }
}

struct Outcome {
    score: f64,
    share: f64,
}

/// The most likely distribution with a given mean: each share is divided by its divisor.
struct Tilt {
    mean: f64,
    slope: f64,
}

impl Tilt {
    fn divisor(&self, outcome: &Outcome) -> f64 {
        1.0 + self.slope * (outcome.score - self.mean)
    }
}

fn tilt(outcomes: &[Outcome], mean: f64) -> Tilt {
    // Between the poles at which a divisor is 0, the mean falls with the slope.
    let mut low = -1.0 / (1.0 - mean);
    let mut high = 1.0 / mean;
    for _ in 0..100 {
        let tilt = Tilt { mean, slope: f64::midpoint(low, high) };
        let excess: f64 = outcomes
            .iter()
            .map(|outcome| outcome.share * (outcome.score - mean) / tilt.divisor(outcome))
            .sum();
        if excess > 0.0 {
            low = tilt.slope;
        } else {
            high = tilt.slope;
        }
    }
    Tilt { mean, slope: f64::midpoint(low, high) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With two results there is nothing to fit, and the ratio is the plain one.
    #[test]
    fn two_results() {
        let test = SequentialTest { low: 0.0, high: 20.0 };
        let score = elo_score(20.0);
        let [losses, wins] = [412_u64, 588];
        let plain = wins as f64 * (score / 0.5).ln() + losses as f64 * ((1.0 - score) / 0.5).ln();
        let found = test.log_likelihood_ratio(&[losses, wins]);
        assert!((found - plain).abs() < 1e-6, "{found} {plain}");
        assert_eq!(SequentialTest::is_stronger(found), Some(true));
        let mirrored = SequentialTest { low: -20.0, high: 0.0 };
        let same = mirrored.log_likelihood_ratio(&[wins, losses]);
        assert!((found + same).abs() < 1e-6, "{found} {same}");
        assert_eq!(SequentialTest::is_stronger(1.0), None);
        assert_eq!(SequentialTest::is_stronger(-3.0), Some(false));
        assert!(test.log_likelihood_ratio(&[0, 0]).abs() < 1e-12);
    }

    /// The means under both hypotheses are the expected scores: the derivative of the fit is 0.
    #[test]
    fn a_tilted_distribution_has_its_mean() {
        let shares = [0.1, 0.2, 0.4, 0.2, 0.1];
        let outcomes: Vec<Outcome> = (0..)
            .zip(shares)
            .map(|(place, share)| Outcome { score: f64::from(place) / 4.0, share })
            .collect();
        for mean in [0.3, 0.5, 0.529, 0.9] {
            let tilt = tilt(&outcomes, mean);
            let share = |outcome: &Outcome| outcome.share / tilt.divisor(outcome);
            let whole: f64 = outcomes.iter().map(share).sum();
            let found: f64 = outcomes.iter().map(|outcome| outcome.score * share(outcome)).sum();
            assert!((whole - 1.0).abs() < 1e-9, "{whole}");
            assert!((found - mean).abs() < 1e-9, "{found}");
        }
    }

    #[test]
    fn elo_of_scores() {
        assert!(elo_of(0.5).is_some_and(|elo| elo.abs() < 1e-12));
        assert_eq!(elo_of(1.0), None);
        let elo = elo_of(elo_score(35.0)).expect("a score inside");
        assert!((elo - 35.0).abs() < 1e-9, "{elo}");
    }
}
