//! Characters for drawing pictures.

/// The block characters by filled quarters: bit 0 upper left, then upper right, lower left, lower
/// right.
pub(crate) const BLOCKS: [&str; 16] =
    [" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"];

/// The grid line characters by their arms: bit 0 up, then right, down, left.
pub(crate) const LINES: [&str; 16] =
    [" ", "╵", "╶", "└", "╷", "│", "┌", "├", "╴", "┘", "─", "┴", "┐", "┤", "┬", "┼"];
