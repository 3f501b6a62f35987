//! The pieces as const arguments.

use crate::piece::Piece;
use crate::placement::SpinMode;

/// The pieces as const arguments, in the order of [`Piece::ALL`].
pub(crate) const I: usize = Piece::I as usize;
pub(crate) const O: usize = Piece::O as usize;
pub(crate) const T: usize = Piece::T as usize;

/// Calls a function with two more const arguments: the piece, and whether T-spins are classified.
macro_rules! dispatch_piece {
    ($piece:expr, $spin_mode:expr, $function:ident [$($more:tt)*] $arguments:tt) => {
        match ($piece, $spin_mode) {
            (Piece::T, SpinMode::TSpins) => dispatch_piece!(@ $function, T, true, [$($more)*], $arguments),
            (Piece::I, _) => dispatch_piece!(@ $function, I, false, [$($more)*], $arguments),
            (Piece::O, _) => dispatch_piece!(@ $function, O, false, [$($more)*], $arguments),
            (Piece::T, _) => dispatch_piece!(@ $function, T, false, [$($more)*], $arguments),
            (Piece::S, _) => dispatch_piece!(@ $function, S, false, [$($more)*], $arguments),
            (Piece::Z, _) => dispatch_piece!(@ $function, Z, false, [$($more)*], $arguments),
            (Piece::J, _) => dispatch_piece!(@ $function, J, false, [$($more)*], $arguments),
            (Piece::L, _) => dispatch_piece!(@ $function, L, false, [$($more)*], $arguments),
        }
    };
    (@ $function:ident, $letter:ident, $spins:literal, [$($more:tt)*], ($($argument:expr),*)) => {
        $function::<$($more)*, { Piece::$letter as usize }, $spins>(
            $($argument),*
        )
    };
}
pub(crate) use dispatch_piece;

pub(crate) const fn shapes(piece: usize) -> usize {
    match Piece::ALL[piece] {
        Piece::O => 1,
        Piece::I | Piece::S | Piece::Z => 2,
        _ => 4,
    }
}

pub(crate) const fn spin_mode<const SPINS: bool>() -> SpinMode {
    if SPINS { SpinMode::TSpins } else { SpinMode::Ignore }
}
