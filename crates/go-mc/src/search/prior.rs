//! [`Prior`]: how likely each move is to be the best one, before any playout.
//!
//! A log-linear model: each move has one class of each group of [features](super::features), and
//!
//! ```text
//! p(move)     = 2^(sum of the move's weights) / the same of all moves
//! prior       = 10 of 20 virtual playouts won (a pass: 4 of 20), and 100 sqrt(p) more, all won
//! ```
//!
//! Weights are sixty-fourths of a power of two. Sums are integers, 2^x is a table and an exponent,
//! and square roots are exact by IEEE 754: the same priors on every machine.

use super::arena::{NewChild, PASS, WinStats};
use super::features::{Features, Groups, NAMES, features};
use super::state::SearchState;
use crate::playout::policy::Policy;
use core::fmt;
use core::str::FromStr;
use std::string::{String, ToString};
use std::sync::{Arc, OnceLock};
use std::vec::Vec;

/// Virtual playouts, and how many of them are wins.
const EVEN: (u32, u32) = (20, 10);
const PASS_MOVE: (u32, u32) = (20, 4);
/// The wins of a move that is certain to be the best one.
const CERTAIN: f32 = 100.0;

/// The knowledge of a search: weights of patterns, tactics, places and distances, which say how
/// likely each move is to be the best one.
///
/// [`PriorLearner`](super::PriorLearner) finds weights from games. A prior's text begins with
/// `go-prior 1`; then there is one line for each group of features, with its name and the weights of
/// its classes.
///
/// ```
/// use go_mc::search::{Prior, Settings};
/// let prior = Prior::builtin();
/// let same: Prior = prior.to_string().parse()?;
/// let settings = Settings { prior: same, ..Settings::default() };
/// assert_eq!(settings.prior, prior);
/// # Ok::<(), go_mc::search::ParsePriorError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Prior(Arc<Tables>);

/// The weights, where the search looks them up.
#[derive(PartialEq, Eq)]
struct Tables {
    /// By class.
    weights: Vec<i16>,
    /// By the codes of patterns and crosses.
    pattern: Vec<i16>,
    cross: Vec<i16>,
}

/// The weights that double the odds of a move.
pub(super) const DOUBLE: f32 = 64.0;
const FRACTION_BITS: u32 = 6;
/// The largest weight, far above any that is learned; six of them are no overflow.
pub(super) const MAX_WEIGHT: i16 = 16 << FRACTION_BITS;

impl Prior {
    /// Returns the prior that `bitcade go learn` has found on games of the engine with itself.
    #[allow(clippy::missing_panics_doc, reason = "a test reads the text")]
    pub fn builtin() -> Self {
        static BUILTIN: OnceLock<Prior> = OnceLock::new();
        let parse = || include_str!("prior.txt").parse().expect("a prior");
        BUILTIN.get_or_init(parse).clone()
    }

    /// Returns the prior that calls all moves equally likely.
    ///
    /// ```
    /// use go_mc::search::{Prior, PriorLearner};
    /// assert_eq!(PriorLearner::new(1).prior(), Prior::none());
    /// assert_ne!(Prior::builtin(), Prior::none());
    /// ```
    pub fn none() -> Self {
        Self::new(std::vec![0; Groups::get().len()])
    }

    /// `weights` are those of all classes.
    pub(super) fn new(weights: Vec<i16>) -> Self {
        let groups = Groups::get();
        let pattern = (0..=u16::MAX).map(|code| weights[usize::from(groups.pattern(code))]);
        let cross = (0..=u8::MAX).map(|code| weights[usize::from(groups.cross(code))]);
        let (pattern, cross) = (pattern.collect(), cross.collect());
        Self(Arc::new(Tables { weights, pattern, cross }))
    }

    /// Returns the moves of a player with their priors: every legal move except filling an own eye,
    /// then a pass.
    pub(super) fn new_children<const N: usize>(
        &self,
        state: &SearchState<N>,
        policy: Policy,
    ) -> Vec<NewChild> {
        let playable = policy.playable(&state.chains, state.to_move) - state.chains.ko();
        let points: Vec<u16> = playable.iter().map(|index| index as u16).collect();
        let features = features(state);
        let mut odds = Vec::with_capacity(points.len() + 1);
        let scores = points.iter().map(|&index| self.stone_score(features(index.into())));
        odds.extend(scores.map(exp2));
        odds.push(exp2(self.pass_score(Groups::get().pass(state))));
        children(&points, &odds)
    }

    /// Returns the sum of the weights of a stone.
    #[inline]
    pub(super) fn stone_score(&self, features: Features) -> i32 {
        let Tables { weights, pattern, cross } = &*self.0;
        let local = i32::from(pattern[usize::from(features.pattern)])
            + i32::from(cross[usize::from(features.cross)]);
        let weight = |class| i32::from(weights[usize::from(class)]);
        local + Groups::get().others(features).map(weight).iter().sum::<i32>()
    }

    /// Returns the weight of a pass by its class.
    pub(super) fn pass_score(&self, class: u16) -> i32 {
        self.0.weights[usize::from(class)].into()
    }
}

/// Returns stones, then a pass, with the priors that their odds give them.
pub(super) fn children(points: &[u16], odds: &[f32]) -> Vec<NewChild> {
    let total: f32 = odds.iter().sum();
    let points = points.iter().map(|&index| (index, EVEN));
    let points = points.chain([(PASS, PASS_MOVE)]);
    let child = |((point, (visits, wins)), &odds): ((u16, (u32, u32)), &f32)| {
        let certain = (CERTAIN * (odds / total).sqrt() + 0.5) as u32;
        let prior = WinStats { visits: visits + certain, half_wins: 2 * (wins + certain) };
        NewChild { point, prior }
    };
    points.zip(odds).map(child).collect()
}

/// Returns the odds of scores of any size: 2^(score / 64), divided by the highest of them, and at
/// least 2^-64.
pub(super) fn powers(scores: &[i32]) -> Vec<f32> {
    let highest = scores.iter().copied().max().unwrap_or_default();
    scores.iter().map(|&score| exp2((score - highest).max(-64 << FRACTION_BITS))).collect()
}

/// Returns 2^(x / 64).
fn exp2(x: i32) -> f32 {
    static FRACTIONS: OnceLock<[f32; 1 << FRACTION_BITS]> = OnceLock::new();
    let fractions = FRACTIONS.get_or_init(|| {
        // Square roots of two are the same everywhere, unlike `exp2`.
        let mut roots = [core::f32::consts::SQRT_2; FRACTION_BITS as usize];
        for bit in (0..roots.len() - 1).rev() {
            roots[bit] = roots[bit + 1].sqrt();
        }
        core::array::from_fn(|x| {
            let bits = (0..roots.len()).filter(|bit| x >> bit & 1 > 0);
            bits.map(|bit| roots[bit]).product()
        })
    });
    let whole = f32::from_bits(((127 + (x >> FRACTION_BITS)) as u32) << 23);
    whole * fractions[(x & ((1 << FRACTION_BITS) - 1)) as usize]
}

const HEADER: &str = "go-prior 1";

impl fmt::Display for Prior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HEADER)?;
        self.write_lines(f)
    }
}

impl Prior {
    /// Writes the lines below the header, each with its line break before it.
    pub(super) fn write_lines(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (group, name) in NAMES.iter().enumerate() {
            write!(f, "\n{name}")?;
            for weight in &self.0.weights[Groups::get().range(group)] {
                write!(f, " {weight}")?;
            }
        }
        Ok(())
    }

    /// Reads these lines.
    pub(super) fn read_lines(reader: &mut TextReader<'_>) -> Result<Self, ParsePriorError> {
        let groups = Groups::get();
        let mut weights = Vec::with_capacity(groups.len());
        for (group, name) in NAMES.iter().enumerate() {
            let count = groups.range(group).len();
            weights.extend(reader.weights(name, count, |_| MAX_WEIGHT)?);
        }
        Ok(Self::new(weights))
    }
}

impl fmt::Debug for Prior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prior").finish_non_exhaustive()
    }
}

/// The error of a text that isn't a [`Prior`] or a [`Net`](super::Net).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected {expected}, found {found}")]
pub struct ParsePriorError {
    line: usize,
    expected: String,
    found: String,
}

impl FromStr for Prior {
    type Err = ParsePriorError;

    fn from_str(text: &str) -> Result<Self, ParsePriorError> {
        let mut reader = TextReader::new(text);
        reader.header(HEADER)?;
        let prior = Self::read_lines(&mut reader)?;
        reader.end()?;
        Ok(prior)
    }
}

/// The lines of a text of weights, with the number of the line that is read.
pub(super) struct TextReader<'a> {
    lines: core::str::Lines<'a>,
    line: usize,
}

impl<'a> TextReader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { lines: text.lines(), line: 0 }
    }

    fn next(&mut self) -> &'a str {
        self.line += 1;
        self.lines.next().unwrap_or_default()
    }

    fn error<T>(&self, expected: String, found: &str) -> Result<T, ParsePriorError> {
        let found = std::format!("{:?}", found.chars().take(40).collect::<String>());
        Err(ParsePriorError { line: self.line, expected, found })
    }

    pub(super) fn header(&mut self, header: &str) -> Result<(), ParsePriorError> {
        let found = self.next();
        if found.trim() == header { Ok(()) } else { self.error(header.to_string(), found) }
    }

    /// Reads a line of `count` weights, each within plus or minus its bound.
    pub(super) fn weights(
        &mut self,
        name: &str,
        count: usize,
        bound: impl Fn(usize) -> i16,
    ) -> Result<Vec<i16>, ParsePriorError> {
        let mut words = self.next().split_whitespace();
        let expected = std::format!("{name} and {count} weights");
        let found = words.next().unwrap_or_default();
        if found != name {
            return self.error(expected, found);
        }
        let mut weights = Vec::new();
        for word in words {
            let max = bound(weights.len());
            match word.parse().ok().filter(|weight: &i16| (-max..=max).contains(weight)) {
                Some(weight) => weights.push(weight),
                None => return self.error(std::format!("weights from -{max} to {max}"), word),
            }
        }
        if weights.len() == count {
            return Ok(weights);
        }
        let found = std::format!("{} weights", weights.len());
        Err(ParsePriorError { line: self.line, expected, found })
    }

    pub(super) fn end(&mut self) -> Result<(), ParsePriorError> {
        let rest = self.next();
        if rest.trim().is_empty() { Ok(()) } else { self.error("the end".to_string(), rest) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::game::{Game, Rules};
    use crate::rules::points::Points;
    use bitcore::Rng;

    fn random(seed: u64) -> Prior {
        let mut rng = Rng::new(seed);
        let weights = (0..Groups::get().len()).map(|_| rng.below(401) as i16 - 200);
        Prior::new(weights.collect())
    }

    #[test]
    fn powers_of_two_are_exact_enough() {
        for x in -6 * i32::from(MAX_WEIGHT)..=6 * i32::from(MAX_WEIGHT) {
            let expected = (f64::from(x) / 64.0).exp2();
            assert!((f64::from(exp2(x)) / expected - 1.0).abs() < 1e-6, "{x}");
        }
        let bits = [-64, 0, 640].map(|x| exp2(x).to_bits());
        assert_eq!(bits, [0.5f32, 1.0, 1024.0].map(f32::to_bits));
    }

    /// Beside the definition, in double precision.
    #[test]
    fn children_are_the_moves_with_their_probabilities() {
        let size = crate::Size::square(9).unwrap();
        let mut game = Game::new(Rules { size, ..Rules::default() });
        let mut rng = Rng::new(2);
        for seed in 0..60 {
            let prior = random(seed);
            let state = SearchState::<9>::new(&game).unwrap();
            let children = prior.new_children(&state, Policy::NoSuicide);
            let groups = Groups::get();
            let weight = |class: u16| f64::from(prior.0.weights[usize::from(class)]);
            let odds: Vec<f64> = children
                .iter()
                .map(|child| {
                    if child.point == PASS {
                        return (weight(groups.pass(&state)) / 64.0).exp2();
                    }
                    let seen = features(&state)(child.point.into());
                    let others = groups.others(seen).map(weight).iter().sum::<f64>();
                    let local =
                        weight(groups.pattern(seen.pattern)) + weight(groups.cross(seen.cross));
                    ((others + local) / 64.0).exp2()
                })
                .collect();
            let total: f64 = odds.iter().sum();
            for (child, odds) in children.iter().zip(odds) {
                let (visits, wins) = if child.point == PASS { PASS_MOVE } else { EVEN };
                let added = child.prior.visits - visits;
                assert_eq!(child.prior.half_wins, 2 * (wins + added));
                assert!((f64::from(added) - 100.0 * (odds / total).sqrt()).abs() < 0.51);
            }
            let playable = Policy::NoSuicide.playable(&state.chains, state.to_move);
            let points: Vec<u16> = children.iter().map(|child| child.point).collect();
            let expected: Vec<u16> = (playable - state.chains.ko())
                .iter()
                .map(|index| index as u16)
                .chain([PASS])
                .collect();
            assert_eq!(points, expected);
            let moves = game.legal_moves();
            game.play(moves[rng.below(moves.len() as u32) as usize]).unwrap();
            if game.is_over() {
                break;
            }
        }
        assert!(game.moves().count() > 30);
    }

    #[test]
    fn an_own_eye_is_no_move() {
        let board: crate::Board = "...X.\n...XX\n.....\n.....\n.....".parse().unwrap();
        let size = board.size();
        let game = Game::from_board(board, crate::Color::Black, Rules { size, ..Rules::default() });
        let state = SearchState::<5>::new(&game).unwrap();
        let children = Prior::builtin().new_children(&state, Policy::NoSuicide);
        assert_eq!(children.len(), 25 - 4 + 1);
        let eye = Points::<5>::index("E5".parse().unwrap()).unwrap();
        assert!(children.iter().all(|child| usize::from(child.point) != eye));
    }

    #[test]
    fn a_text_is_read_back() {
        let prior = random(9);
        assert_eq!(prior.to_string().parse::<Prior>().unwrap(), prior);
        assert_ne!(random(10), prior);
    }

    #[test]
    fn errors_say_where() {
        let text = random(1).to_string();
        let error = |from: &str, to: &str| {
            text.replacen(from, to, 1).parse::<Prior>().unwrap_err().to_string()
        };
        assert_eq!(
            error("go-prior 1", "go-prior 2"),
            "line 1: expected go-prior 1, found \"go-prior 2\""
        );
        assert_eq!(
            error("cross", "kross"),
            "line 3: expected cross and 45 weights, found \"kross\""
        );
        assert_eq!(
            error("\npass", " 0\npass"),
            "line 7: expected before_last and 17 weights, found 18 weights"
        );
        assert_eq!(
            error("pass ", "pass 1025 "),
            "line 8: expected weights from -1024 to 1024, found \"1025\""
        );
        assert_eq!(
            error("pass ", "pass x "),
            "line 8: expected weights from -1024 to 1024, found \"x\""
        );
        let longer = (text + "\nmore").parse::<Prior>().unwrap_err().to_string();
        assert_eq!(longer, "line 9: expected the end, found \"more\"");
        assert_eq!(
            "".parse::<Prior>().unwrap_err().to_string(),
            "line 1: expected go-prior 1, found \"\""
        );
    }
}
