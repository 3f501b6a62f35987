//! The width of lines with a comment. rustfmt wraps only code.

use super::comments::Block;
use std::collections::BTreeSet;

/// The maximum number of columns; `rustfmt.toml` has the same number for code.
const MAX_COLUMNS: usize = 110;

/// Returns the lines of a file that have a comment and are too wide.
pub(super) fn findings(text: &str, blocks: &[Block]) -> Vec<(usize, String)> {
    let commented: BTreeSet<usize> =
        blocks.iter().flat_map(|block| (block.line..).take(block.lines.len())).collect();
    let lines = (1..).zip(text.lines()).filter(|(line, _)| commented.contains(line));
    let widths = lines.map(|(line, text)| (line, text.chars().count()));
    let wide = widths.filter(|&(_, columns)| columns > MAX_COLUMNS);
    wide.map(|(line, columns)| (line, format!("a comment of {columns} columns: {MAX_COLUMNS} at most")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{MAX_COLUMNS, findings};
    use crate::lint::comments::blocks;

    fn lines(text: &str) -> Vec<usize> {
        findings(text, &blocks(text)).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn a_comment_is_as_wide_as_code_may_be() {
        let (fits, wide) = ("é".repeat(MAX_COLUMNS - 7), "é".repeat(MAX_COLUMNS - 6));
        assert!(lines(&format!("//! a\n   /// {fits}\n")).is_empty());
        assert_eq!(lines(&format!("//! a\n   /// {wide}\n")), [2]);
        assert_eq!(lines(&format!("abc; // {wide}\n/*\n{wide}{wide}\n*/")), [1, 3]);
        assert!(lines(&format!("let text = \"// {wide}{wide}\";")).is_empty());
    }
}
