//! Random input: a handful of mutations of corpus entries, as fuzzers make them.

use bitcore::Rng;

/// The maximum length of an input.
const LARGEST: usize = 4096;

pub(crate) struct Mutator<'a> {
    pub(crate) rng: Rng,
    pub(crate) corpus: &'a [Vec<u8>],
    pub(crate) words: &'a [Vec<u8>],
}

impl<'a> Mutator<'a> {
    fn below(&mut self, n: usize) -> usize {
        self.rng.below(n as u32) as usize
    }

    fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.rng.next_u64() as u8).collect()
    }

    fn entry(&mut self) -> &'a [u8] {
        &self.corpus[self.below(self.corpus.len())]
    }

    /// Returns the next input: random bytes, or an entry of the corpus after one to eight
    /// mutations.
    pub(crate) fn input(&mut self) -> Vec<u8> {
        if self.below(8) == 0 {
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
            1 if at < data.len() => data[at] = self.rng.next_u64() as u8,
            2 if at < data.len() => {
                data[at] = data[at].wrapping_add(self.below(3) as u8).wrapping_sub(1);
            }
            3 => drop(data.drain(at..to)),
            4 => {
                let part = data[at..to].to_vec();
                let at = self.below(data.len() + 1);
                data.splice(at..at, part);
            }
            5 => {
                let n = self.below(9);
                data.splice(at..at, self.bytes(n));
            }
            6 if !self.words.is_empty() => {
                let word = self.words[self.below(self.words.len())].iter().copied();
                let end = if self.below(2) == 0 { at } else { to };
                data.splice(at..end, word);
            }
            // Splice: the head of one entry, the tail of another.
            _ => {
                let other = self.entry();
                data.truncate(at);
                data.extend_from_slice(&other[self.below(other.len() + 1)..]);
            }
        }
    }
}

/// Parses a dictionary in libFuzzer's syntax: `name="word"` or `"word"` per line, with the escapes
/// `\\`, `\"` and `\xAB`, and `#` comments. The error is the number of the first invalid line.
pub(crate) fn words(text: &str) -> Result<Vec<Vec<u8>>, usize> {
    let lines = text.lines().zip(1..).map(|(line, number)| (line.trim(), number));
    let lines = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(line, number)| word(line).ok_or(number)).collect()
}

fn word(line: &str) -> Option<Vec<u8>> {
    let mut bytes = line[line.find('"')? + 1..].strip_suffix('"')?.bytes();
    let mut found = Vec::new();
    while let Some(byte) = bytes.next() {
        found.push(match byte {
            b'\\' => match bytes.next()? {
                b'x' => {
                    let digits = [bytes.next()?, bytes.next()?];
                    u8::from_str_radix(str::from_utf8(&digits).ok()?, 16).ok()?
                }
                escaped @ (b'\\' | b'"') => escaped,
                _ => return None,
            },
            byte => byte,
        });
    }
    Some(found)
}

#[test]
fn a_seed_repeats_its_input() {
    let corpus = [b"swap 2 0 H".to_vec(), vec![7; 5000]];
    let inputs = |seed| {
        let mut mutator =
            Mutator { rng: Rng::new(seed), corpus: &corpus, words: &[b"match ".to_vec()] };
        (0..1000).map(|_| mutator.input()).collect::<Vec<_>>()
    };
    assert_eq!(inputs(1), inputs(1));
    assert_ne!(inputs(1), inputs(2));
    assert!(inputs(3).iter().all(|input| input.len() <= LARGEST));
    assert!(inputs(3).iter().any(|input| input.windows(6).any(|part| part == b"match ")));
}

#[test]
fn words_are_quoted_with_or_without_a_name() {
    let text = "# words\n\nline=\"a\\x0a\\\"\"\n\"b\\\\\"\n";
    assert_eq!(words(text), Ok(vec![b"a\n\"".to_vec(), b"b\\".to_vec()]));
    assert_eq!(words("\"a\"\nb"), Err(2));
    assert_eq!(words("\"\\n\""), Err(1));
}
