//! [`NetLearner`]: finds the weights of a [`Net`].

use super::layers::{
    Activations, CHANNELS, CONVOLUTIONS, Channels, Layers, MAX_ACTIVATION, TAPS, Weights, means,
    neighbor,
};
use super::planes::{CLASSES, NONE, Planes, padding};
use super::{LINES, Net};
use crate::playout::policy::Policy;
use crate::rules::error::Error;
use crate::rules::game::{Game, Move};
use crate::rules::points::Points;
use crate::search::features::Groups;
use crate::search::prior::{DOUBLE, MAX_WEIGHT, Prior, powers};
use crate::search::prior_learner::{PriorFit, random_order};
use crate::search::state::SearchState;
use bitcore::{Rng, dispatch};
use std::vec::Vec;

/// Learns a [`Net`] from positions and the visits that a search gave their moves: the least
/// cross-entropy, by Adam (Kingma and Ba, 2015). Each position is turned and mirrored at random.
///
/// The weights are rounded to those of the net before each step, so that what is learned is what the
/// net computes. The same positions, seed and steps give the same net on every machine.
///
/// ```
/// use go_mc::search::{NetLearner, Search, Settings};
/// use go_mc::{Game, Rules};
/// let mut game = Game::new(Rules { size: "5x5".parse().unwrap(), ..Rules::default() });
/// let mut learner = NetLearner::new(1);
/// for _ in 0..10 {
///     let mut search = Search::new(&game, &Settings::default())?;
///     search.run(200);
///     let visits = search.candidates().into_iter().map(|each| (each.mv, each.visits));
///     learner.add(&game, &visits.collect::<Vec<_>>())?;
///     game.play(search.choose_move()).expect("a legal move");
/// }
/// let before = learner.fit(&learner).cross_entropy;
/// for _ in 0..40 {
///     learner.learn(0.005);
/// }
/// assert!(learner.fit(&learner).cross_entropy < before);
/// # Ok::<(), go_mc::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct NetLearner {
    rng: Rng,
    positions: Vec<Position>,
    /// Weights in real units, and their moments: the mean gradients and the mean squares.
    weights: Vec<f32>,
    moments: [Vec<f32>; 2],
    /// The decays of the moments to the power of the steps so far.
    decayed: [f32; 2],
}

#[derive(Clone, Debug)]
struct Position {
    planes: Planes,
    /// By stone: the point, the classes of the prior, and the share of the visits.
    stones: Vec<(u16, [u16; 6], f32)>,
    pass: (u16, f32),
}

type Row = [f32; CHANNELS];

/// The part of the old moments that a step keeps.
const DECAYS: [f32; 2] = [0.9, 0.99];
/// The positions of a step.
const BATCH: usize = 64;
/// A real activation of 1, and the units of weights.
const ACTIVATION: f32 = 32.0;
const FIRST_UNIT: f32 = ACTIVATION * 16.0;
const UNIT: f32 = 64.0;
const UNIT_OF_PRIOR: f32 = DOUBLE / core::f32::consts::LN_2;
/// A score is the activations times the weights, divided by 16.
const UNIT_OF_SCORES: f32 = UNIT_OF_PRIOR * 16.0 / ACTIVATION;

/// The parts of all weights: the prior, then the lines of a net.
const PARTS: usize = 1 + LINES.len();

fn part_lengths() -> [usize; PARTS] {
    let [first, second, third, scores] = LINES.map(|(_, count, ..)| count);
    [Groups::get().len(), first, second, third, scores]
}

/// Returns each part of all weights.
fn parts(mut weights: &[f32]) -> [&[f32]; PARTS] {
    part_lengths().map(|length| weights.split_off(..length).expect("all weights"))
}

fn parts_mut(mut weights: &mut [f32]) -> [&mut [f32]; PARTS] {
    part_lengths().map(|length| weights.split_off_mut(..length).expect("all weights"))
}

/// Returns the unit and the largest number of a part's weight.
fn unit(part: usize, at: usize) -> (f32, i16) {
    let unit = match (part, at < CHANNELS) {
        (0, _) => return (UNIT_OF_PRIOR, MAX_WEIGHT),
        (1, _) => FIRST_UNIT,
        (4, _) => UNIT_OF_SCORES,
        (_, true) => UNIT * ACTIVATION,
        (_, false) => UNIT,
    };
    let (.., max_bias, max) = LINES[part - 1];
    (unit, if at < CHANNELS { max_bias } else { max })
}

impl NetLearner {
    /// Creates a learner without positions. The seed draws the first weights, and orders positions.
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let count = part_lengths().iter().sum();
        let mut weights = std::vec![0.0; count];
        // Uniform, so that activations of all layers vary alike (He et al., 2015).
        let widths = [0.0, 0.4, 0.2, 0.2, 0.2];
        for (part, width) in parts_mut(&mut weights).into_iter().zip(widths) {
            let bias = if width > 0.2 || part.len() == 2 * CHANNELS { 0 } else { CHANNELS };
            for weight in part.iter_mut().skip(bias) {
                *weight = width * (rng.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0);
            }
        }
        let moments = [(); 2].map(|()| std::vec![0.0; count]);
        Self { rng, positions: Vec::new(), weights, moments, decayed: [1.0; 2] }
    }

    /// Adds the position of a game and the visits of its moves. Moves that a search doesn't consider
    /// are ignored, and so is a position without visits.
    ///
    /// # Errors
    ///
    /// [`Error`] if the board is not a square of 5, 9, 13 or 19.
    pub fn add(&mut self, game: &Game, visits: &[(Move, u64)]) -> Result<(), Error> {
        let position = match game.board().size().width() {
            5 => Position::new::<5>(game, visits),
            9 => Position::new::<9>(game, visits),
            13 => Position::new::<13>(game, visits),
            19 => Position::new::<19>(game, visits),
            _ => None,
        };
        let position = position.ok_or(Error::NoPlayouts(game.board().size()))?;
        if position.shares().any(|share| share > 0.0) {
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

    /// Learns each position once, in random order. `rate` is how much a step changes a weight whose
    /// gradients agree; about 0.002 in the beginning and less in the end.
    pub fn learn(&mut self, rate: f32) {
        let order = random_order(self.positions.len(), &mut self.rng);
        for batch in order.chunks(BATCH) {
            let step = Step::new(&self.weights);
            let mut gradients = std::vec![0.0; self.weights.len()];
            for &at in batch {
                let position = self.positions[at].image(self.rng.below(8));
                step.add_gradients(&position, &mut gradients);
            }
            self.descend(&gradients, rate, batch.len());
        }
    }

    fn descend(&mut self, gradients: &[f32], rate: f32, positions: usize) {
        for (decayed, decay) in self.decayed.iter_mut().zip(DECAYS) {
            *decayed *= decay;
        }
        let [mean_scale, square_scale] = self.decayed.map(|decayed| 1.0 / (1.0 - decayed));
        let [means, squares] = &mut self.moments;
        let scale = 1.0 / positions as f32;
        for (((weight, mean), square), gradient) in
            self.weights.iter_mut().zip(means).zip(squares).zip(gradients)
        {
            let gradient = gradient * scale;
            *mean += (1.0 - DECAYS[0]) * (gradient - *mean);
            *square += (1.0 - DECAYS[1]) * (gradient * gradient - *square);
            *weight -= rate * (*mean * mean_scale) / ((*square * square_scale).sqrt() + 1e-8);
        }
        for (part, weights) in parts_mut(&mut self.weights).into_iter().enumerate() {
            for (at, weight) in weights.iter_mut().enumerate() {
                let (unit, max) = unit(part, at);
                let max = f32::from(max) / unit;
                *weight = weight.clamp(-max, max);
            }
        }
    }

    /// Compares the visits of another learner's positions with the net so far.
    pub fn fit(&self, positions: &Self) -> PriorFit {
        let step = Step::new(&self.weights);
        let positions = &positions.positions;
        let mut fit = PriorFit { positions: positions.len(), ..PriorFit::default() };
        for position in positions {
            let (_, predicted) = step.predict(position);
            let visits: Vec<f32> = position.shares().collect();
            fit.add(&predicted, &visits);
        }
        fit.mean()
    }

    /// Returns the net with the weights so far, rounded.
    pub fn net(&self) -> Net {
        let (prior, weights) = rounded(&self.weights);
        Net::new(Prior::new(prior), weights)
    }
}

/// Rounds weights to those of a net.
fn rounded(weights: &[f32]) -> (Vec<i16>, Weights) {
    let mut part = 0;
    let [prior, first, second, third, scores] = parts(weights).map(|weights| {
        let integers = weights.iter().enumerate().map(|(at, weight)| {
            let (unit, max) = unit(part, at);
            (weight * unit).round().clamp(-f32::from(max), f32::from(max)) as i16
        });
        let integers = integers.collect();
        part += 1;
        integers
    });
    (prior, Weights { first, convolutions: [second, third], scores })
}

impl Position {
    /// Returns a position with its moves as a search sees them, or `None` if the board is not N x N.
    fn new<const N: usize>(game: &Game, visits: &[(Move, u64)]) -> Option<Self> {
        let state = SearchState::<N>::new(game)?;
        let groups = Groups::get();
        let all: u64 = visits.iter().map(|&(_, visits)| visits).sum();
        let share = |mv: Move| {
            let visits = visits.iter().find(|&&(other, _)| other == mv);
            visits.map_or(0.0, |&(_, visits)| visits as f32 / all.max(1) as f32)
        };
        let mut stones = Vec::new();
        let planes = Planes::of(&state, Policy::NoSuicide, |index, features| {
            let [place, tactics, last, before_last] = groups.others(features);
            let local = [groups.pattern(features.pattern), groups.cross(features.cross)];
            let classes = [local[0], local[1], place, tactics, last, before_last];
            stones.push((index as u16, classes, share(Move::Play(Points::<N>::point(index)))));
        });
        Some(Self { planes, stones, pass: (groups.pass(&state), share(Move::Pass)) })
    }

    fn shares(&self) -> impl Iterator<Item = f32> {
        self.stones.iter().map(|&(.., share)| share).chain([self.pass.1])
    }

    /// Mirrors the position, and exchanges its coordinates, by the bits of `symmetry`.
    fn image(&self, symmetry: u32) -> Self {
        let side = self.planes.side;
        let image = |index: usize| {
            let [mut x, mut y] = [index % (side + 1), index / (side + 1)];
            if symmetry & 1 > 0 {
                x = side - 1 - x;
            }
            if symmetry & 2 > 0 {
                y = side - 1 - y;
            }
            if symmetry & 4 > 0 { x * (side + 1) + y } else { y * (side + 1) + x }
        };
        let mut planes = Planes::new(side);
        for index in (0..side * (side + 1)).filter(|index| index % (side + 1) < side) {
            let to = image(index);
            planes.seen[padding(side) + to] = self.planes.seen[padding(side) + index];
            planes.own[to] = self.planes.own[index];
        }
        let mut stones = self.stones.clone();
        for (point, ..) in &mut stones {
            *point = image((*point).into()) as u16;
        }
        Self { planes, stones, pass: self.pass }
    }
}

/// The weights of one step, as they are rounded.
struct Step {
    prior: Vec<i16>,
    layers: Layers,
    /// In real units: the weights of the convolutions by neighbor and output.
    transposed: [Vec<Row>; CONVOLUTIONS],
    scores: [Row; 2],
}

impl Step {
    fn new(weights: &[f32]) -> Self {
        let (prior, weights) = rounded(weights);
        let transposed = weights.convolutions.each_ref().map(|weights| {
            let (rows, _) = weights.as_chunks::<CHANNELS>();
            let (taps, _) = rows[1..].as_chunks::<CHANNELS>();
            let tile = |tap: &[[i16; CHANNELS]; CHANNELS]| {
                let weight = |input: usize, output: usize| f32::from(tap[input][output]) / UNIT;
                let row = |output| core::array::from_fn(|input| weight(input, output));
                core::array::from_fn::<Row, CHANNELS, _>(row)
            };
            taps.iter().flat_map(tile).collect()
        });
        let (scores, _) = weights.scores.as_chunks::<CHANNELS>();
        let scores = [scores[0], scores[1]];
        let scores = scores.map(|row| row.map(|weight| f32::from(weight) / UNIT_OF_SCORES));
        Self { prior, layers: Layers::new(&weights), transposed, scores }
    }

    /// Returns the activations and the probabilities of the stones and a pass.
    fn predict(&self, position: &Position) -> (Activations, Vec<f32>) {
        let Position { planes, stones, pass } = position;
        let activations = self.layers.activations(planes);
        let last = &activations.layers[CONVOLUTIONS];
        let weight = |class: u16| i32::from(self.prior[usize::from(class)]);
        let mut scores: Vec<i32> = stones
            .iter()
            .map(|&(point, classes, _)| {
                let prior: i32 = classes.map(weight).iter().sum();
                prior + self.layers.stone_score(&last[padding(planes.side) + usize::from(point)])
            })
            .collect();
        scores.push(weight(pass.0) + self.layers.pass_score(planes.side, last));
        let mut odds = powers(&scores);
        let total: f32 = odds.iter().sum();
        for odds in &mut odds {
            *odds /= total;
        }
        (activations, odds)
    }

    /// Adds the gradients of a position's cross-entropy.
    fn add_gradients(&self, position: &Position, gradients: &mut [f32]) {
        let Position { planes, stones, pass } = position;
        let side = planes.side;
        let (activations, predicted) = self.predict(position);
        let [prior, first, second, third, scores] = parts_mut(gradients);
        let [stone_scores, pass_scores] = scores.as_chunks_mut::<CHANNELS>().0 else {
            unreachable!("two rows");
        };
        let [.., last] = &activations.layers;
        let mut above = std::vec![[0.0; CHANNELS]; last.len()];
        let errors =
            predicted.iter().zip(position.shares()).map(|(&predicted, share)| predicted - share);
        let mut pass_error = 0.0;
        for (at, error) in errors.enumerate() {
            let Some(&(point, classes, _)) = stones.get(at) else {
                pass_error = error;
                break;
            };
            for class in classes {
                prior[usize::from(class)] += error;
            }
            let point = padding(side) + usize::from(point);
            add(stone_scores, error / ACTIVATION, &last[point].map(f32::from));
            add(&mut above[point], error, &self.scores[0]);
        }
        prior[usize::from(pass.0)] += pass_error;
        let means = means(side, last).map(|mean| mean as f32 / 16.0);
        add(pass_scores, pass_error / ACTIVATION, &means);
        for above in &mut above {
            add(above, pass_error / (side * side) as f32, &self.scores[1]);
        }
        for (at, gradients) in [(1, third), (0, second)] {
            let [from, to] = [&activations.layers[at], &activations.layers[at + 1]];
            keep_active(&mut above, to);
            let rows = gradients.as_chunks_mut::<CHANNELS>().0;
            above = convolution_gradients(side, from, &self.transposed[at], &above, rows);
        }
        keep_active(&mut above, &activations.layers[0]);
        first_gradients(planes, &above, first.as_chunks_mut::<CHANNELS>().0);
    }
}

#[inline(always)]
fn add(to: &mut Row, factor: f32, row: &Row) {
    for (to, row) in to.iter_mut().zip(row) {
        *to += factor * row;
    }
}

/// Clears the gradients of activations at a bound, which change no more; points off the board are 0.
fn keep_active(gradients: &mut [Row], activations: &[Channels]) {
    for (row, activations) in gradients.iter_mut().zip(activations) {
        for (gradient, &activation) in row.iter_mut().zip(activations) {
            if activation == 0 || activation == MAX_ACTIVATION {
                *gradient = 0.0;
            }
        }
    }
}

/// Adds the gradients of a layer's weights, and returns those of its inputs.
fn convolution_gradients(
    side: usize,
    from: &[Channels],
    transposed: &[Row],
    above: &[Row],
    rows: &mut [Row],
) -> Vec<Row> {
    let mut below = std::vec![[0.0; CHANNELS]; above.len()];
    let to = &mut below;
    dispatch!(_isa [side, from, transposed, above, rows, to] => {
        let (bias, rows) = rows.split_first_mut().expect("a bias");
        let points = || {
            (0..side * (side + 1)).map(|index| (index, &above[padding(side) + index]))
        };
        for (_, above) in points() {
            add(bias, 1.0, above);
        }
        for ((tap, rows), transposed) in
            rows.chunks_mut(CHANNELS).enumerate().zip(transposed.chunks(CHANNELS))
        {
            for (index, above) in points() {
                let neighbor = neighbor(side, index, tap);
                for (row, &activation) in rows.iter_mut().zip(&from[neighbor]) {
                    if activation > 0 {
                        add(row, f32::from(activation) / ACTIVATION, above);
                    }
                }
                for (row, &above) in transposed.iter().zip(above) {
                    add(&mut to[neighbor], above, row);
                }
            }
        }
    });
    below
}

fn first_gradients(planes: &Planes, above: &[Row], rows: &mut [Row]) {
    let side = planes.side;
    for index in 0..side * (side + 1) {
        let above = &above[padding(side) + index];
        add(&mut rows[0], 1.0, above);
        for tap in 0..TAPS {
            for class in planes.seen[neighbor(side, index, tap)] {
                add(&mut rows[1 + tap * CLASSES + usize::from(class)], 1.0, above);
            }
        }
        for class in planes.own[index].into_iter().filter(|&class| class != NONE) {
            add(&mut rows[1 + TAPS * CLASSES + usize::from(class)], 1.0, above);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::game::Rules;
    use crate::{Point, Size};

    /// The image of a position is the position of the image's game.
    #[test]
    fn images_are_positions() {
        const SIDE: u8 = 9;
        let image = |mv: Move, symmetry: u32| match mv {
            Move::Play(Point { mut x, mut y }) => {
                if symmetry & 1 > 0 {
                    x = SIDE - 1 - x;
                }
                if symmetry & 2 > 0 {
                    y = SIDE - 1 - y;
                }
                Move::Play(if symmetry & 4 > 0 { Point { x: y, y: x } } else { Point { x, y } })
            }
            Move::Pass => Move::Pass,
        };
        let new = || {
            let size = Size::square(SIDE.into()).unwrap();
            Game::new(Rules { size, ..Rules::default() })
        };
        let mut rng = Rng::new(8);
        let mut game = new();
        let mut images = [(); 8].map(|()| new());
        for _ in 0..60 {
            let moves = game.legal_moves();
            let mv = moves[rng.below(moves.len() as u32) as usize];
            game.play(mv).unwrap();
            for (symmetry, of_image) in (0..).zip(&mut images) {
                of_image.play(image(mv, symmetry)).unwrap();
            }
            if game.is_over() {
                break;
            }
            let moves = game.legal_moves();
            let visits: Vec<(Move, u64)> = moves.into_iter().zip(1..).collect();
            let position = Position::new::<9>(&game, &visits).unwrap();
            for (symmetry, of_image) in (0..).zip(&images) {
                let visits: Vec<(Move, u64)> =
                    visits.iter().map(|&(mv, visits)| (image(mv, symmetry), visits)).collect();
                let expected = Position::new::<9>(of_image, &visits).unwrap();
                let found = position.image(symmetry);
                assert_eq!(found.planes.seen, expected.planes.seen, "{symmetry}");
                assert_eq!(found.planes.own, expected.planes.own, "{symmetry}");
                assert_eq!(found.pass, expected.pass, "{symmetry}");
                let sorted = |position: &Position| {
                    let mut stones = position.stones.clone();
                    stones.sort_by_key(|&(point, ..)| point);
                    stones
                };
                assert_eq!(sorted(&found), sorted(&expected), "{symmetry}");
            }
        }
    }
}
