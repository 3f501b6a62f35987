//! A piece as a 4 x 4 box of bits, and its turns by delta swaps.
//!
//! A box is a `u16` written row by row, its top left cell in bit 15. From the article that
//! [`reference`](crate::reference) names, with the mask mended that it says there.

use bitcore::bits::delta_swap_u16;

/// A box with its columns in reverse order.
pub const fn mirror_columns(cells: u16) -> u16 {
    delta_swap_u16::<0x3333, 2>(delta_swap_u16::<0x5555, 1>(cells))
}

/// A box with its rows in reverse order.
pub const fn mirror_rows(cells: u16) -> u16 {
    delta_swap_u16::<0x00FF, 8>(delta_swap_u16::<0x0F0F, 4>(cells))
}

/// A box with its rows as columns: the flip about the diagonal from the top left.
pub const fn transpose(cells: u16) -> u16 {
    delta_swap_u16::<0x00CC, 6>(delta_swap_u16::<0x0A0A, 3>(cells))
}

/// The flip about the diagonal from the top right.
///
/// ```
/// use tetris::bounding_box::anti_transpose;
/// assert_eq!(anti_transpose(0x4E00), 0x0232);
/// // As printed; `delta_swap_u16::<0x00CC, 10>` doesn't compile, because the mask's image leaves the word.
/// let swap = |d: u16, mask: u16, shift: u32| {
///     let x = (d ^ (d >> shift)) & mask;
///     d ^ x ^ (x << shift)
/// };
/// assert_eq!(swap(swap(0x4E00, 0x0505, 5), 0x00CC, 10), 0xCA00);
/// ```
pub const fn anti_transpose(cells: u16) -> u16 {
    delta_swap_u16::<0x0033, 10>(delta_swap_u16::<0x0505, 5>(cells))
}

/// A box after a clockwise turn about its middle: right for I and O.
///
/// ```
/// assert_eq!(tetris::bounding_box::rotate_cw_4x4(0x0F00), 0x2222);
/// ```
pub const fn rotate_cw_4x4(cells: u16) -> u16 {
    mirror_columns(transpose(cells))
}

/// A box after a counter-clockwise turn about its middle.
pub const fn rotate_ccw_4x4(cells: u16) -> u16 {
    mirror_rows(transpose(cells))
}

/// A clockwise turn of the 3 x 3 cells at the top left, for the other five pieces. The rest of the box is empty.
///
/// ```
/// assert_eq!(tetris::bounding_box::rotate_cw_3x3(0x4E00), 0x4640);
/// ```
pub const fn rotate_cw_3x3(cells: u16) -> u16 {
    delta_swap_u16::<0x2220, 2>(transpose(cells))
}

/// A counter-clockwise turn of the 3 x 3 cells at the top left.
pub const fn rotate_ccw_3x3(cells: u16) -> u16 {
    delta_swap_u16::<0x00E0, 8>(transpose(cells))
}
