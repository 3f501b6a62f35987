//! [`StateLine`]: a checkpoint line of name-value pairs.

use std::str::{FromStr, SplitWhitespace};

/// The rest of a line such as `# tree search: seed 12358 depth 8 ..`.
pub(super) struct StateLine<'a>(SplitWhitespace<'a>);

impl<'a> StateLine<'a> {
    pub(super) fn new(line: &'a str, begin: &str) -> Option<Self> {
        Some(Self(line.strip_prefix(begin)?.split_whitespace()))
    }

    /// Consumes `name` and returns the word after it.
    pub(super) fn word(&mut self, name: &str) -> Option<&'a str> {
        self.0.next().filter(|&word| word == name).and_then(|_| self.0.next())
    }

    pub(super) fn number<T: FromStr>(&mut self, name: &str) -> Option<T> {
        self.word(name)?.parse().ok()
    }

    pub(super) fn numbers<const N: usize>(&mut self, names: [&str; N]) -> Option<[u64; N]> {
        let mut numbers = [0; N];
        for (number, name) in numbers.iter_mut().zip(names) {
            *number = self.number(name)?;
        }
        Some(numbers)
    }

    /// Returns `None` if words are left.
    pub(super) fn end(mut self) -> Option<()> {
        self.0.next().is_none().then_some(())
    }
}
