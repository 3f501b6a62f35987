//! A piece as a 4 x 4 bounding box of bits, rotated by delta swaps.
//!
//! A box is a `u16` written row by row, its top left cell in bit 15. T, in the 3 x 3 cells at the
//! top left, and its clockwise rotation:
//!
//! ```text
//! 0x4E00   . # . .        0x4640   . # . .
//!          # # # .                 . # # .
//!          . . . .                 . # . .
//!          . . . .                 . . . .
//! ```
//!
//! A rotation is a transposition followed by a reversal of rows or columns. Each takes one or two
//! delta swaps, which exchange the bits under a mask with the bits a constant distance away. The
//! method comes from the article named in [`reference`](crate::reference), with one mask corrected.

use bitcore::bits::delta_swap_u16;

/// Reverses the order of the columns.
pub const fn mirror_columns(cells: u16) -> u16 {
    delta_swap_u16::<0x3333, 2>(delta_swap_u16::<0x5555, 1>(cells))
}

/// Reverses the order of the rows.
pub const fn mirror_rows(cells: u16) -> u16 {
    delta_swap_u16::<0x00FF, 8>(delta_swap_u16::<0x0F0F, 4>(cells))
}

/// Mirrors the box on the diagonal from the top left: rows become columns.
pub const fn transpose(cells: u16) -> u16 {
    delta_swap_u16::<0x00CC, 6>(delta_swap_u16::<0x0A0A, 3>(cells))
}

/// Mirrors the box on the diagonal from the top right.
///
/// ```
/// use tetris::reference::anti_transpose;
/// assert_eq!(anti_transpose(0x4E00), 0x0232);
/// // As printed in the article. `delta_swap_u16::<0x00CC, 10>` doesn't compile: the shifted mask leaves
/// // the word.
/// let swap = |d: u16, mask: u16, shift: u32| {
///     let x = (d ^ (d >> shift)) & mask;
///     d ^ x ^ (x << shift)
/// };
/// assert_eq!(swap(swap(0x4E00, 0x0505, 5), 0x00CC, 10), 0xCA00);
/// ```
pub const fn anti_transpose(cells: u16) -> u16 {
    delta_swap_u16::<0x0033, 10>(delta_swap_u16::<0x0505, 5>(cells))
}

/// Rotates the whole box clockwise, for I and O.
///
/// ```
/// assert_eq!(tetris::reference::rotate_cw_4x4(0x0F00), 0x2222);
/// ```
pub const fn rotate_cw_4x4(cells: u16) -> u16 {
    mirror_columns(transpose(cells))
}

/// Rotates the whole box counter-clockwise, for I and O.
pub const fn rotate_ccw_4x4(cells: u16) -> u16 {
    mirror_rows(transpose(cells))
}

/// Rotates the 3 x 3 cells at the top left clockwise, for the other five pieces. The rest of the
/// box must be empty.
///
/// ```
/// assert_eq!(tetris::reference::rotate_cw_3x3(0x4E00), 0x4640);
/// ```
pub const fn rotate_cw_3x3(cells: u16) -> u16 {
    delta_swap_u16::<0x2220, 2>(transpose(cells))
}

/// Rotates the 3 x 3 cells at the top left counter-clockwise. The rest of the box must be empty.
pub const fn rotate_ccw_3x3(cells: u16) -> u16 {
    delta_swap_u16::<0x00E0, 8>(transpose(cells))
}
