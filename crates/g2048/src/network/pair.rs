//! [`NetworkPair`]: a network for each part of a game.

use super::late::is_late;
use super::quantized::Network;
use crate::packed::Packed;

/// A network for each part of a game.
///
/// Looking three moves ahead, networks for whole games made no 32768, and with a second one for late
/// boards ([`LearnerSettings::late`](super::LearnerSettings::late)) 11 % of 300 games did.
///
/// ```
/// use g2048::expectimax::Limits;
/// use g2048::network::{LearnerSettings, NetworkPair};
/// use g2048::{Board, Expectimax, Learner};
/// let [early, late] = [LearnerSettings::default(), LearnerSettings::late()].map(|settings| {
///     let mut learner = Learner::new(settings, 1)?;
///     learner.learn(2_000);
///     Ok::<_, g2048::Error>(learner.network())
/// });
/// let networks = NetworkPair { early: early?, late: late? };
/// let board: Board = "16384 8192 4096 2048 \n 2 4 8 16 \n . . . . \n . . . .".parse()?;
/// let choice = Expectimax::new(&networks, Limits::depth(2)).search(&board);
/// assert!(choice.is_some());
/// # Ok::<_, g2048::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkPair {
    /// The network for boards before the late part.
    pub early: Network,
    /// The network for [late](is_late) boards.
    pub late: Network,
}

impl NetworkPair {
    /// Returns the estimated remaining score from an afterstate.
    pub fn value(&self, after: Packed) -> f32 {
        let network = if is_late(after) { &self.late } else { &self.early };
        network.value(after)
    }

    /// Writes the value of each afterstate, for as many as both slices have.
    pub fn values(&self, afters: &[Packed], values: &mut [f32]) {
        // Nearly always all leaves of a position are in the same part.
        for (afters, values) in runs(afters, values) {
            let network = if is_late(afters[0]) { &self.late } else { &self.early };
            network.values(afters, values);
        }
    }
}

/// Splits boards and values where boards of one part follow those of the other.
fn runs<'a>(
    mut afters: &'a [Packed],
    mut values: &'a mut [f32],
) -> impl Iterator<Item = (&'a [Packed], &'a mut [f32])> {
    core::iter::from_fn(move || {
        let first = is_late(*afters.first().filter(|_| !values.is_empty())?);
        let all = afters.len().min(values.len());
        let length = afters[..all].iter().take_while(|&&after| is_late(after) == first).count();
        Some((afters.split_off(..length)?, values.split_off_mut(..length)?))
    })
}
