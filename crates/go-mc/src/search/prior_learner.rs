//! [`PriorLearner`]: finds the weights of a [`Prior`].

use super::features::{Groups, features};
use super::prior::{DOUBLE, MAX_WEIGHT, Prior};
use super::state::SearchState;
use crate::playout::policy::Policy;
use crate::rules::error::Error;
use crate::rules::game::{Game, Move};
use crate::rules::points::Points;
use bitcore::Rng;
use std::vec::Vec;

/// Learns a [`Prior`] from positions and the visits that a search gave their moves: the weights for
/// which the prior's odds are most like the visits (the least cross-entropy, by stochastic gradient
/// descent with the steps of `AdaGrad`).
///
/// The same positions, seed and passes give the same weights on one kind of machine; the exponential
/// function may differ in its last bit on others.
///
/// ```
/// use go_mc::search::{PriorLearner, Search, Settings};
/// use go_mc::{Game, Rules};
/// let mut game = Game::new(Rules { size: "5x5".parse().unwrap(), ..Rules::default() });
/// let mut learner = PriorLearner::new(1);
/// for _ in 0..10 {
///     let mut search = Search::new(&game, &Settings::default())?;
///     search.run(200);
///     let visits = search.candidates().into_iter().map(|each| (each.mv, each.visits));
///     learner.add(&game, &visits.collect::<Vec<_>>())?;
///     game.play(search.choose_move()).expect("a legal move");
/// }
/// let before = learner.fit(&learner).cross_entropy;
/// for _ in 0..20 {
///     learner.learn();
/// }
/// assert!(learner.fit(&learner).cross_entropy < before);
/// let settings = Settings { prior: learner.prior(), ..Settings::default() };
/// # let _ = settings;
/// # Ok::<(), go_mc::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PriorLearner {
    rng: Rng,
    positions: Vec<Position>,
    /// By class, in units of a factor e.
    weights: Vec<f32>,
    /// By class: the sum of the squares of all gradients.
    squares: Vec<f32>,
}

/// The classes of each move, with its share of the visits. A pass has one class, and five times the
/// one behind the last, whose weight is always 0.
#[derive(Clone, Debug)]
struct Position(Vec<([u16; 6], f32)>);

/// How well a prior predicts a search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PriorFit {
    /// The number of positions.
    pub positions: usize,
    /// The share of positions in which the most likely move has the most visits.
    pub top1: f64,
    /// The mean cross-entropy of the visits and the prior, in nats.
    pub cross_entropy: f64,
}

impl PriorFit {
    /// Adds the fit of a position: the probabilities of its moves and their shares of the visits.
    pub(super) fn add(&mut self, predicted: &[f32], visits: &[f32]) {
        let most = |shares: &[f32]| {
            shares.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map(|(at, _)| at)
        };
        self.top1 += f64::from(u8::from(most(predicted) == most(visits)));
        for (&share, &predicted) in visits.iter().zip(predicted) {
            self.cross_entropy -= f64::from(share) * f64::from(predicted.max(1e-12)).ln();
        }
    }

    /// Divides the sums by the number of positions.
    pub(super) fn mean(self) -> Self {
        let count = self.positions.max(1) as f64;
        Self { top1: self.top1 / count, cross_entropy: self.cross_entropy / count, ..self }
    }
}

/// The step of a weight at its first gradient, in units of a factor e.
const STEP: f32 = 0.1;

/// Returns the numbers below `len` in random order.
pub(super) fn random_order(len: usize, rng: &mut Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    for end in (1..len).rev() {
        order.swap(end, rng.below(end as u32 + 1) as usize);
    }
    order
}

impl PriorLearner {
    /// Creates a learner without positions. The seed orders them.
    pub fn new(seed: u64) -> Self {
        let classes = Groups::get().len();
        let mut squares = std::vec![1e-6; classes];
        squares.push(f32::INFINITY);
        let weights = std::vec![0.0; classes + 1];
        Self { rng: Rng::new(seed), positions: Vec::new(), weights, squares }
    }

    /// Adds the position of a game and the visits of its moves. Moves that a search doesn't consider
    /// are ignored, and so is a position without visits.
    ///
    /// # Errors
    ///
    /// [`Error`] if the board is not a square of 5, 9, 13 or 19.
    pub fn add(&mut self, game: &Game, visits: &[(Move, u64)]) -> Result<(), Error> {
        let position = match game.board().size().width() {
            5 => position::<5>(game, visits),
            9 => position::<9>(game, visits),
            13 => position::<13>(game, visits),
            19 => position::<19>(game, visits),
            _ => None,
        };
        let position = position.ok_or(Error::NoPlayouts(game.board().size()))?;
        if position.0.iter().any(|&(_, share)| share > 0.0) {
            self.positions.push(position);
        }
        Ok(())
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Learns each position once, in random order.
    pub fn learn(&mut self) {
        let order = random_order(self.positions.len(), &mut self.rng);
        let mut shares = Vec::new();
        for at in order {
            let Position(moves) = &self.positions[at];
            predict(&self.weights, moves, &mut shares);
            for (&(classes, share), &predicted) in moves.iter().zip(&shares) {
                let gradient = predicted - share;
                for class in classes.map(usize::from) {
                    self.squares[class] += gradient * gradient;
                    self.weights[class] -= STEP * gradient / self.squares[class].sqrt();
                }
            }
        }
    }

    /// Compares the visits of another learner's positions with the weights so far.
    pub fn fit(&self, positions: &Self) -> PriorFit {
        let positions = &positions.positions;
        let mut fit = PriorFit { positions: positions.len(), ..PriorFit::default() };
        let mut shares = Vec::new();
        for Position(moves) in positions {
            predict(&self.weights, moves, &mut shares);
            let visits: Vec<f32> = moves.iter().map(|&(_, share)| share).collect();
            fit.add(&shares, &visits);
        }
        fit.mean()
    }

    /// Returns the prior with the weights so far, rounded.
    pub fn prior(&self) -> Prior {
        let unit = DOUBLE / core::f32::consts::LN_2;
        let bound = f32::from(MAX_WEIGHT);
        let rounded = |&weight: &f32| (weight * unit).round().clamp(-bound, bound) as i16;
        Prior::new(self.weights[..Groups::get().len()].iter().map(rounded).collect())
    }
}

/// Returns a position with its moves as a search sees them, or `None` if the board is not N x N.
fn position<const N: usize>(game: &Game, visits: &[(Move, u64)]) -> Option<Position> {
    let state = SearchState::<N>::new(game)?;
    let groups = Groups::get();
    let all: u64 = visits.iter().map(|&(_, visits)| visits).sum();
    let share = |mv: Move| {
        let visits =
            visits.iter().find(|&&(other, _)| other == mv).map_or(0, |&(_, visits)| visits);
        visits as f32 / all.max(1) as f32
    };
    let policy = Policy::NoSuicide;
    let playable = policy.playable(&state.chains, state.to_move) - state.chains.ko();
    let features = features(&state);
    let stone = |index| {
        let features = features(index);
        let [place, tactics, last, before_last] = groups.others(features);
        let [pattern, cross] = [groups.pattern(features.pattern), groups.cross(features.cross)];
        let classes = [pattern, cross, place, tactics, last, before_last];
        (classes, share(Move::Play(Points::<N>::point(index))))
    };
    let mut moves: Vec<([u16; 6], f32)> = playable.iter().map(stone).collect();
    let mut pass = [groups.len() as u16; 6];
    pass[0] = groups.pass(&state);
    moves.push((pass, share(Move::Pass)));
    Some(Position(moves))
}

/// Replaces `shares` by the probabilities of moves, which add up to 1.
fn predict(weights: &[f32], moves: &[([u16; 6], f32)], shares: &mut Vec<f32>) {
    shares.clear();
    shares.extend(
        moves.iter().map(|(classes, _)| {
            classes.iter().map(|&class| weights[usize::from(class)]).sum::<f32>()
        }),
    );
    let highest = shares.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for share in shares.iter_mut() {
        *share = (*share - highest).exp();
    }
    let total: f32 = shares.iter().sum();
    for share in shares.iter_mut() {
        *share /= total;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use std::string::ToString;

    /// Positions in which the move with the visits is next to the last one.
    fn answers(size: usize, seed: u64) -> PriorLearner {
        let size = crate::Size::square(size).unwrap();
        let mut rng = Rng::new(seed);
        let mut learner = PriorLearner::new(seed);
        for _ in 0..200 {
            let mut game = Game::new(Rules { size, ..Rules::default() });
            for _ in 0..6 {
                let moves = game.legal_moves();
                game.play(moves[rng.below(moves.len() as u32 - 1) as usize]).unwrap();
            }
            let Some((_, Move::Play(last))) = game.moves().next_back() else { continue };
            let is_near = |mv: &Move| match *mv {
                Move::Play(point) => point.x.abs_diff(last.x) + point.y.abs_diff(last.y) == 1,
                Move::Pass => false,
            };
            let visits: Vec<(Move, u64)> =
                game.legal_moves().into_iter().filter(is_near).map(|mv| (mv, 10)).collect();
            learner.add(&game, &visits).unwrap();
        }
        learner
    }

    #[test]
    fn a_planted_rule_is_learned() {
        let mut learner = answers(9, 1);
        let test = answers(9, 2);
        assert!(learner.fit(&test).cross_entropy > 4.0);
        for _ in 0..20 {
            learner.learn();
        }
        let fit = learner.fit(&test);
        assert_eq!(fit.positions, test.len());
        // Three or four moves have the same visits, and any of them may be called the first.
        assert!(fit.cross_entropy < 1.7, "{fit:?}");
        let prior = learner.prior();
        assert_eq!(prior.to_string().parse::<Prior>().unwrap(), prior);
        let mut again = answers(9, 1);
        for _ in 0..20 {
            again.learn();
        }
        assert_eq!(again.prior(), prior);
    }

    #[test]
    fn sizes_without_searches_are_refused() {
        let size = crate::Size::square(7).unwrap();
        let game = Game::new(Rules { size, ..Rules::default() });
        let mut learner = PriorLearner::new(1);
        assert_eq!(learner.add(&game, &[(Move::Pass, 1)]), Err(Error::NoPlayouts(size)));
        assert!(learner.is_empty());
        let game = Game::new(Rules { size: crate::Size::square(5).unwrap(), ..Rules::default() });
        learner.add(&game, &[]).unwrap();
        assert!(learner.is_empty());
        learner.add(&game, &[(Move::Pass, 1)]).unwrap();
        assert_eq!(learner.len(), 1);
    }
}
