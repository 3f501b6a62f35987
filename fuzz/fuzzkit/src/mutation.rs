//! Random input: mutations of corpus entries, a handful at a time, as fuzzers make them.

/// The largest input that is made.
const LARGEST: usize = 4096;

/// A generator of input: `SplitMix64` and what it mutates.
pub(crate) struct Mutator<'a> {
    state: u64,
    corpus: &'a [Vec<u8>],
    words: &'a [Vec<u8>],
}

impl<'a> Mutator<'a> {
    pub(crate) fn new(seed: u64, corpus: &'a [Vec<u8>], words: &'a [Vec<u8>]) -> Self {
        Self { state: seed, corpus, words }
    }

    fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.word()) * n as u128) >> 64) as usize
    }

    fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.word() as u8).collect()
    }

    fn entry(&mut self) -> &'a [u8] {
        if self.corpus.is_empty() { &[] } else { &self.corpus[self.below(self.corpus.len())] }
    }

    /// Returns the next input: random bytes, or an entry of the corpus after one to eight mutations.
    pub(crate) fn input(&mut self) -> Vec<u8> {
        if self.corpus.is_empty() || self.below(8) == 0 {
            let n = self.below(200);
            return self.bytes(n);
        }
        let mut data = self.entry().to_vec();
        for _ in 0..=self.below(8) {
            self.mutate(&mut data);
        }
        data.truncate(LARGEST);
        data
    }

    fn mutate(&mut self, data: &mut Vec<u8>) {
        let at = self.below(data.len() + 1);
        let to = at + self.below(data.len() - at + 1).min(self.below(64));
        match self.below(8) {
            0 if at < data.len() => data[at] ^= 1 << self.below(8),
            1 if at < data.len() => data[at] = self.word() as u8,
            2 if at < data.len() => data[at] = data[at].wrapping_add(self.below(3) as u8).wrapping_sub(1),
            3 => drop(data.drain(at..to)),
            4 => {
                let part = data[at..to].to_vec();
                let at = self.below(data.len() + 1);
                data.splice(at..at, part);
            }
            5 => {
                let n = self.below(9);
                let part = self.bytes(n);
                data.splice(at..at, part);
            }
            6 if !self.words.is_empty() => {
                let word = self.words[self.below(self.words.len())].iter().copied();
                let end = if self.below(2) == 0 { at } else { to };
                data.splice(at..end, word);
            }
            // The head of one entry, the tail of another.
            _ => {
                let other = self.entry();
                let from = self.below(other.len() + 1);
                data.truncate(at);
                data.extend_from_slice(&other[from..]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LARGEST, Mutator};

    #[test]
    fn a_seed_repeats_its_input() {
        let corpus = [b"swap 2 0 H".to_vec(), vec![7; 5000]];
        let words = [b"match ".to_vec()];
        let inputs = |seed| {
            let mut mutator = Mutator::new(seed, &corpus, &words);
            (0..1000).map(|_| mutator.input()).collect::<Vec<_>>()
        };
        assert_eq!(inputs(1), inputs(1));
        assert_ne!(inputs(1), inputs(2));
        assert!(inputs(3).iter().all(|input| input.len() <= LARGEST));
        assert!(inputs(3).iter().any(|input| input.windows(6).any(|part| part == b"match ")));
        assert!(Mutator::new(1, &[], &[]).input().len() < 200);
    }
}
