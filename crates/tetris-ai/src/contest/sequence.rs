//! The pieces of a game, all known in advance.

use super::piece::OrientedPiece;
use tetris::Piece;

/// The number of pieces in a whole game. The last one is placed but never scores.
pub const PIECES: usize = 10_000;

/// The 10,000 pieces generated from a seed.
///
/// The contest used one seed, [`Sequence::CONTEST_SEED`]. The generator has six cycles of length
/// 5,458 and one fixed point, so the pieces of every game repeat after at most 5,458 pieces, and
/// seeds on the same cycle share their order.
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
    pieces: Vec<OrientedPiece>,
}

impl Sequence {
    /// The seed of the contest.
    pub const CONTEST_SEED: u64 = 12358;

    /// Generates the sequence of a seed. Each piece first updates
    /// `v = (27073 v + 17713) mod 32749`, starting from the seed; `v mod 29` selects the piece;
    /// piece i (from 0) spawns in rotation state i mod 4.
    pub fn new(seed: u64) -> Self {
        let letters =
            std::iter::successors(Some(next(seed % MODULUS)), |&v| Some(next(v))).map(letter);
        let pieces =
            letters.zip((0..4).cycle()).map(|(kind, state)| OrientedPiece::new(kind, state));
        Self { seed, pieces: pieces.take(PIECES).collect() }
    }

    /// Returns the contest's sequence.
    pub fn contest() -> Self {
        Self::new(Self::CONTEST_SEED)
    }

    /// Returns the seed of the sequence.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the 10,000 pieces, each in the rotation state in which it spawns.
    pub fn pieces(&self) -> &[OrientedPiece] {
        &self.pieces
    }
}

const MODULUS: u64 = 32749;

const fn next(v: u64) -> u64 {
    (v * 27073 + 17713) % MODULUS
}

const fn letter(v: u64) -> Piece {
    match v % 29 {
        0..=1 => Piece::I,
        2..=4 => Piece::L,
        5..=7 => Piece::J,
        8..=11 => Piece::T,
        12..=16 => Piece::O,
        17..=22 => Piece::S,
        _ => Piece::Z,
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
            let mut v = start;
            let mut length = 0;
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
