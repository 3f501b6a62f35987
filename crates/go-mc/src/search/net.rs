//! [`Net`]: a small network that says how likely each move is to be the best one.
//!
//! ```text
//! first layer     each point: the sum of a row of weights for each class of each point around it,
//!                 and for each class of its own
//! two layers      3 x 3 convolutions
//! score(stone)    the weights of its classes, as in a [prior](super::Prior), and of its channels
//! score(pass)     likewise, with the means of all channels
//! p(move)         2^score / the same of all moves
//! ```
//!
//! Layers have 16 channels from 0 to 127. All sums are integers, and shifts round them down: the same
//! results on every machine.

mod layers;
mod learner;
mod planes;
#[cfg(all(test, not(loom)))]
mod tests;

use super::arena::NewChild;
use super::features::Groups;
use super::prior::{ParsePriorError, Prior, TextReader, children, powers};
use super::state::SearchState;
use crate::playout::policy::Policy;
use core::fmt;
use core::str::FromStr;
use layers::{CHANNELS, CONVOLUTION_ROWS, CONVOLUTIONS, FIRST_ROWS, Layers, Weights};
pub use learner::NetLearner;
use planes::{Planes, padding};
use std::sync::{Arc, OnceLock};
use std::vec::Vec;

/// A small convolutional network, a better and slower guide of a search than a [`Prior`].
///
/// [`NetLearner`] finds its weights from games. A net's text begins with `go-net 1`; then there are
/// the lines of a prior, which the net adds to its own scores, and one line for each layer.
///
/// ```
/// use go_mc::search::{Net, NetLearner, Search, Settings};
/// use go_mc::{Game, Rules};
/// let net = NetLearner::new(1).net();
/// let same: Net = net.to_string().parse()?;
/// assert_eq!(same, net);
/// let game = Game::new(Rules { size: "5x5".parse().unwrap(), ..Rules::default() });
/// let mut search = Search::new(&game, &Settings { net: Some(net), ..Settings::default() }).unwrap();
/// search.run(100);
/// # Ok::<(), go_mc::search::ParsePriorError>(())
/// ```
#[derive(Clone)]
pub struct Net(Arc<Inner>);

struct Inner {
    prior: Prior,
    weights: Weights,
    layers: Layers,
}

impl Net {
    fn new(prior: Prior, weights: Weights) -> Self {
        let layers = Layers::new(&weights);
        Self(Arc::new(Inner { prior, weights, layers }))
    }

    /// Returns the net that `bitcade go learn` has found on games of the engine with itself.
    ///
    /// At equal CPU time it gains 78 Elo (37 to 118) on 9x9 and 168 (99 to 238) on 13x13.
    ///
    /// ```
    /// use go_mc::search::{Net, Settings};
    /// let settings = Settings { net: Some(Net::builtin()), ..Settings::default() };
    /// assert_eq!(settings.net_visits, 4);
    /// ```
    #[allow(clippy::missing_panics_doc, reason = "a test reads the text")]
    pub fn builtin() -> Self {
        static BUILTIN: OnceLock<Net> = OnceLock::new();
        let parse = || include_str!("net/net.txt").parse().expect("a net");
        BUILTIN.get_or_init(parse).clone()
    }

    /// Returns the moves of a player with their priors, the same moves as
    /// [`Prior::new_children`].
    pub(super) fn new_children<const N: usize>(
        &self,
        state: &SearchState<N>,
        policy: Policy,
    ) -> Vec<NewChild> {
        let Inner { prior, layers, .. } = &*self.0;
        let mut points = Vec::with_capacity(N * N + 1);
        let mut scores = Vec::with_capacity(N * N + 1);
        let planes = Planes::of(state, policy, |index, features| {
            points.push(index as u16);
            scores.push(prior.stone_score(features));
        });
        let activations = layers.activations(&planes);
        let last = &activations.layers[CONVOLUTIONS];
        for (&point, score) in points.iter().zip(&mut scores) {
            *score += layers.stone_score(&last[padding(N) + usize::from(point)]);
        }
        scores.push(prior.pass_score(Groups::get().pass(state)) + layers.pass_score(N, last));
        children(&points, &powers(&scores))
    }
}

impl PartialEq for Net {
    fn eq(&self, other: &Self) -> bool {
        self.0.prior == other.0.prior && self.0.weights == other.0.weights
    }
}

impl Eq for Net {}

impl fmt::Debug for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Net").finish_non_exhaustive()
    }
}

const HEADER: &str = "go-net 1";

/// The largest weights by line: with these no sum of 16 bits overflows in the first layer.
const MAX_FIRST: i16 = 1023;
const MAX_CONVOLUTION: i16 = 127;

/// The lines: name, number of weights, the largest bias and the largest weight. The first
/// [`CHANNELS`] weights of a layer are its bias.
const LINES: [(&str, usize, i16, i16); CONVOLUTIONS + 2] = [
    ("first", FIRST_ROWS * CHANNELS, 4095, MAX_FIRST),
    ("second", CONVOLUTION_ROWS * CHANNELS, i16::MAX, MAX_CONVOLUTION),
    ("third", CONVOLUTION_ROWS * CHANNELS, i16::MAX, MAX_CONVOLUTION),
    ("scores", 2 * CHANNELS, MAX_CONVOLUTION, MAX_CONVOLUTION),
];

impl fmt::Display for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { prior, weights, .. } = &*self.0;
        f.write_str(HEADER)?;
        prior.write_lines(f)?;
        let Weights { first, convolutions: [second, third], scores } = weights;
        for ((name, ..), weights) in LINES.iter().zip([first, second, third, scores]) {
            write!(f, "\n{name}")?;
            for weight in weights {
                write!(f, " {weight}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for Net {
    type Err = ParsePriorError;

    fn from_str(text: &str) -> Result<Self, ParsePriorError> {
        let mut reader = TextReader::new(text);
        reader.header(HEADER)?;
        let prior = Prior::read_lines(&mut reader)?;
        let mut lines = Vec::with_capacity(LINES.len());
        for (name, count, max_bias, max) in LINES {
            let bound = |at| if at < CHANNELS { max_bias } else { max };
            lines.push(reader.weights(name, count, bound)?);
        }
        reader.end()?;
        let mut lines = lines.into_iter();
        let mut next = || lines.next().expect("a line of each layer");
        let (first, second, third, scores) = (next(), next(), next(), next());
        Ok(Self::new(prior, Weights { first, convolutions: [second, third], scores }))
    }
}
