//! Characters that pictures are made of.

/// The blocks by the quarters that are filled: bit 0 upper left, then upper right, lower left, lower right.
pub(crate) const BLOCKS: [&str; 16] =
    [" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"];

/// The lines of a grid by their arms: bit 0 up, then right, down, left.
pub(crate) const LINES: [&str; 16] =
    [" ", "╵", "╶", "└", "╷", "│", "┌", "├", "╴", "┘", "─", "┴", "┐", "┤", "┬", "┼"];
