//! The first game of a text, and its limits.

use super::error::{MAX_NODES, MAX_POINTS, SgfError};

/// Returns the first game of a text, from its `(;` to its `)`: files from letters and newsgroups have other
/// text around it. A game without an end is the rest of the text, which the parser refuses.
/// The errors are [`SgfError::TooManyNodes`] and [`SgfError::TooManyPoints`].
pub(super) fn first_game(text: &str) -> Result<&str, SgfError> {
    let begins = |&(at, _): &(usize, &str)| text[at + 1..].trim_ascii_start().starts_with(';');
    let start = text.match_indices('(').find(begins).map_or(0, |(at, _)| at);
    let game = &text[start..];
    let (mut trees, mut depth, mut nodes, mut points) = (0, 0, 0, 0);
    let mut bytes = game.bytes().enumerate();
    let mut end = game.len();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'(' => (trees, depth) = (trees + 1, depth + 1),
            b')' if depth <= 1 => {
                end = at + 1;
                break;
            }
            b')' => depth -= 1,
            b';' => nodes += 1,
            b'[' => {
                let mut escaped = false;
                let closes = |&(_, byte): &(usize, u8)| {
                    let closes = byte == b']' && !escaped;
                    escaped = byte == b'\\' && !escaped;
                    closes
                };
                let close = bytes.find(closes).map_or(game.len(), |(at, _)| at);
                points += point_count(&game.as_bytes()[at + 1..close]);
            }
            _ => {}
        }
    }
    // Every variation begins with a node.
    let nodes = nodes.max(trees);
    match () {
        () if nodes > MAX_NODES => Err(SgfError::TooManyNodes(nodes)),
        () if points > MAX_POINTS => Err(SgfError::TooManyPoints(points)),
        () => Ok(&game[..end]),
    }
}

/// Returns the number of points of a value: those of the rectangle of `aa:ss`, otherwise one.
fn point_count(value: &[u8]) -> usize {
    let &[left, top, b':', right, bottom] = value else { return 1 };
    let side = |low: u8, high: u8| place(high).zip(place(low)).and_then(|(high, low)| high.checked_sub(low));
    side(left, right).zip(side(top, bottom)).map_or(1, |(width, height)| (width + 1) * (height + 1))
}

/// Returns the place of a letter on a line: 0 for `a`, 26 for `A`.
fn place(letter: u8) -> Option<usize> {
    match letter {
        b'a'..=b'z' => Some(usize::from(letter - b'a')),
        b'A'..=b'Z' => Some(usize::from(letter - b'A') + 26),
        _ => None,
    }
}
