//! Argument values of the 2048 commands.

use crate::arguments::parse_sides;

/// Parses a board's size.
pub(crate) fn parse_2048_size(text: &str) -> Result<g2048::Size, String> {
    let (width, height) = parse_sides(text, 2..=8)?;
    g2048::Size::new(width, height).map_err(|error| error.to_string())
}
