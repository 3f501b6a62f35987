//! Random values for the properties and the fuzz targets.

use testkit::Input;
use tetris::Piece::{I, J, L, O, S, T, Z};
use tetris_ai::contest::{Board, COLUMNS, OrientedPiece, ROWS, beam};

/// Draws a contest board: no full row, an empty row at the top.
pub(crate) fn board(input: &Input) -> Board {
    let height = input.below(ROWS);
    let kind = input.byte();
    // Some boards are stacks without holes.
    let piled = kind >= 128 && kind.is_multiple_of(3);
    let mut above = 0;
    let row = || {
        let row = match kind % 3 {
            0 => {
                let row = input.u16();
                if piled { above | (row & row.rotate_left(5)) } else { row }
            }
            1 => input.u16() | input.u16(),
            _ => !(1 << input.below(COLUMNS)),
        };
        let full = (1 << COLUMNS) - 1;
        let row = if row & full == full { row & !(1 << (height % COLUMNS)) } else { row };
        above = row;
        (0..COLUMNS).map(|x| if row >> x & 1 == 1 { '#' } else { '.' }).collect::<String>()
    };
    input.list(height, row).join("\n").parse().expect("rows that are not full")
}

/// Places pieces on the board, each in one of its lowest placements, as in good play.
pub(crate) fn grown(input: &Input, mut board: Board, pieces: &[OrientedPiece]) -> Board {
    for &piece in pieces {
        let places = beam::placements(&board, piece);
        let lowest = &places[places.len().saturating_sub(8)..];
        let Some(place) = lowest.get(input.below(lowest.len().max(1))) else { break };
        board.place(*place);
        board.clear_full_rows();
    }
    board
}

pub(crate) fn piece(input: &Input) -> OrientedPiece {
    OrientedPiece::new(*input.pick(&[I, L, J, T, O, S, Z]), input.byte() % 4)
}

/// Draws a guideline board with columns up to `height` rows high, with or without holes.
pub(crate) fn low_board(input: &Input, height: usize) -> tetris::Board {
    // Some boards are nearly flat.
    let mut flat = false;
    let column = |x| {
        let byte = input.byte();
        flat |= x == 0 && byte >= 192;
        match byte % 3 {
            0 => u64::from(input.u32()) & ((1 << height) - 1),
            _ if flat => (1 << (height - input.below(height + 1) / 6)) - 1,
            _ => (1 << input.below(height + 1)) - 1,
        }
    };
    let mut columns: [u64; 10] = std::array::from_fn(column);
    if flat {
        let full = columns.iter().fold(!0, |rows, column| rows & column);
        columns[height % 10] &= !full;
    }
    tetris::Board::try_from(columns).expect("low columns")
}
