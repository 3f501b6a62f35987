//! [`Sequence`]: the pieces of a game, all known in advance.

use super::piece::{Piece, Shape};

/// The pieces of a whole game. The last of them is placed, but never scores.
pub const PIECES: usize = 10_000;

/// The 10,000 pieces of a seed.
///
/// The contest had one seed, [`Sequence::CONTEST`]. Others give new games only where they lie on another cycle of the
/// generator: it has six of length 5,458 and one fixed point, so the letters of every game repeat.
///
/// ```
/// use tetris_ai::contest::Sequence;
/// let sequence = Sequence::contest();
/// let first: Vec<_> = sequence.pieces()[..5].iter().map(ToString::to_string).collect();
/// assert_eq!(first.join(" "), "Z0 I1 O2 S3 L0");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    seed: u64,
    pieces: Vec<Piece>,
}

impl Sequence {
    /// The contest's seed.
    pub const CONTEST: u64 = 12358;

    /// The sequence of a seed: `v = (27073 v + 17713) mod 32749` before each piece, the letter from `v mod 29`, the
    /// state in which piece i (from 0) spawns i mod 4.
    pub fn new(seed: u64) -> Self {
        let letters = std::iter::successors(Some(next(seed % MODULUS)), |&v| Some(next(v))).map(letter);
        let pieces = letters.zip((0..4).cycle()).map(|(shape, state)| Piece::new(shape, state));
        Self { seed, pieces: pieces.take(PIECES).collect() }
    }

    /// The contest's own sequence.
    pub fn contest() -> Self {
        Self::new(Self::CONTEST)
    }

    /// The seed that it was made of.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The 10,000 pieces, each in the state in which it spawns.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }
}

const MODULUS: u64 = 32749;

/// One step of the generator.
const fn next(v: u64) -> u64 {
    (v * 27073 + 17713) % MODULUS
}

/// The letter of a generator value.
const fn letter(v: u64) -> Shape {
    match v % 29 {
        0..=1 => Shape::I,
        2..=4 => Shape::L,
        5..=7 => Shape::J,
        8..=11 => Shape::T,
        12..=16 => Shape::O,
        17..=22 => Shape::S,
        _ => Shape::Z,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_cycles_and_a_fixed_point() {
        let mut seen = vec![false; MODULUS as usize];
        let mut lengths = Vec::new();
        for start in 0..MODULUS {
            let (mut v, mut length) = (start, 0);
            while !seen[v as usize] {
                seen[v as usize] = true;
                length += 1;
                v = next(v);
            }
            if length > 0 {
                assert_eq!(v, start, "the generator is a permutation");
                lengths.push(length);
            }
        }
        lengths.sort_unstable();
        assert_eq!(lengths, [1, 5458, 5458, 5458, 5458, 5458, 5458]);
    }

    #[test]
    fn seeds_repeat_with_the_modulus() {
        assert_eq!(Sequence::new(12358).pieces(), Sequence::new(12358 + 7 * MODULUS).pieces());
        assert_ne!(Sequence::new(1).pieces(), Sequence::contest().pieces());
        assert_eq!(Sequence::new(u64::MAX).pieces().len(), PIECES);
    }
}
