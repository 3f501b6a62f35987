//! The field of 20 rows, and the drops of a piece on it.

use super::ROWS;
use tetris::board::WIDTH;
use tetris::{Board, Location, Orientation, Piece};

/// The locked cells: a word a column, bit 0 = bottom row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Field {
    columns: [u32; WIDTH],
}

/// Where a piece comes to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Drop {
    /// Which of the piece's [forms](FORMS).
    pub(super) form: u8,
    /// The leftmost column of its cells.
    pub(super) left: u8,
    /// The lowest row of its cells.
    pub(super) bottom: u8,
    /// The rows that it completes.
    pub(super) full: u32,
}

impl Field {
    /// The columns.
    #[inline(always)]
    pub(super) fn columns(&self) -> &[u32; WIDTH] {
        &self.columns
    }

    /// The height of each column.
    #[inline(always)]
    pub(super) fn heights(&self) -> [u32; WIDTH] {
        let mut heights = [0; WIDTH];
        for (height, column) in heights.iter_mut().zip(self.columns) {
            *height = u32::BITS - column.leading_zeros();
        }
        heights
    }

    /// The same cells in the field of [`tetris`].
    #[inline(always)]
    pub(super) fn board(&self) -> Board {
        let mut columns = [0; WIDTH];
        for (wide, column) in columns.iter_mut().zip(self.columns) {
            *wide = u64::from(column);
        }
        // Twenty rows are fewer than forty.
        Board::from_columns(columns).unwrap_or_default()
    }

    /// Every drop that ends below row 20, by form, then by column from the left.
    #[inline(always)]
    pub(super) fn drops(&self, piece: Piece) -> Drops<'_> {
        Drops {
            field: self,
            rest: Rest::new(&self.columns),
            heights: self.heights(),
            piece,
            form: 0,
            left: 0,
        }
    }

    /// The board after a drop, without the completed rows.
    #[inline(always)]
    pub(super) fn after(&self, piece: Piece, drop: Drop) -> Self {
        let mut columns = self.columns;
        let form = &FORMS[piece as usize].forms[usize::from(drop.form)];
        let left = usize::from(drop.left);
        for (column, cells) in columns[left..].iter_mut().zip(form.columns) {
            *column |= cells << drop.bottom;
        }
        let mut rows = drop.full;
        while rows != 0 {
            // The highest first: it moves no row that is still to go.
            let below = (1 << rows.ilog2()) - 1;
            for column in &mut columns {
                *column = *column & below | *column >> 1 & !below;
            }
            rows &= below;
        }
        Self { columns }
    }
}

impl From<&Board> for Field {
    fn from(board: &Board) -> Self {
        let rows = (1 << ROWS) - 1;
        Self { columns: board.columns().map(|column| (column & rows) as u32) }
    }
}

impl Drop {
    /// The location of the piece.
    pub(super) fn location(self, piece: Piece) -> Location {
        let form = &FORMS[piece as usize].forms[usize::from(self.form)];
        let orientation = Orientation::ALL[usize::from(self.form)];
        let (x, y) = (self.left as i8 + form.centre.0, self.bottom as i8 + form.centre.1);
        Location { piece, orientation, x, y }
    }

    /// [`Location::landing_height_twice`].
    #[inline(always)]
    pub(super) fn landing_height_twice(self, piece: Piece) -> u32 {
        let form = &FORMS[piece as usize].forms[usize::from(self.form)];
        2 * u32::from(self.bottom) + form.height - 1
    }

    /// [`Board::eroded_cells`].
    #[inline(always)]
    pub(super) fn eroded_cells(self, piece: Piece) -> u32 {
        if self.full == 0 {
            return 0;
        }
        let mut cells = 0;
        for column in FORMS[piece as usize].forms[usize::from(self.form)].columns {
            cells += (column << self.bottom & self.full).count_ones();
        }
        cells * self.full.count_ones()
    }
}

/// The rows that all columns but some neighbours have filled.
struct Rest {
    /// Of the columns before column i.
    before: [u32; WIDTH + 1],
    /// Of the columns from column i on.
    from: [u32; WIDTH + 1],
}

impl Rest {
    #[inline(always)]
    fn new(columns: &[u32; WIDTH]) -> Self {
        let rows = (1 << ROWS) - 1;
        let (mut before, mut from) = ([rows; WIDTH + 1], [rows; WIDTH + 1]);
        for i in 0..WIDTH {
            before[i + 1] = before[i] & columns[i];
            from[WIDTH - 1 - i] = from[WIDTH - i] & columns[WIDTH - 1 - i];
        }
        Self { before, from }
    }
}

/// The iterator of [`Field::drops`].
pub(super) struct Drops<'a> {
    field: &'a Field,
    rest: Rest,
    heights: [u32; WIDTH],
    piece: Piece,
    form: usize,
    left: usize,
}

impl Iterator for Drops<'_> {
    type Item = Drop;

    #[inline(always)]
    fn next(&mut self) -> Option<Drop> {
        let forms = &FORMS[self.piece as usize];
        loop {
            if self.form == forms.count {
                return None;
            }
            let form = &forms.forms[self.form];
            let (index, left) = (self.form, self.left);
            self.left += 1;
            if self.left + form.width > WIDTH {
                (self.form, self.left) = (self.form + 1, 0);
            }
            let mut bottom = 0;
            for i in 0..form.width {
                bottom = bottom.max(self.heights[left + i].saturating_sub(form.feet[i]));
            }
            if bottom + form.height > ROWS as u32 {
                continue;
            }
            let mut full = self.rest.before[left] & self.rest.from[left + form.width];
            for i in 0..form.width {
                full &= self.field.columns[left + i] | form.columns[i] << bottom;
            }
            return Some(Drop { form: index as u8, left: left as u8, bottom: bottom as u8, full });
        }
    }
}

/// A piece in one orientation, as the columns that it covers.
pub(super) struct Form {
    /// Columns in use, 1 to 4.
    width: usize,
    /// Rows in use, 1 to 4.
    height: u32,
    /// From the lowest left corner of its box to the piece's centre.
    centre: (i8, i8),
    /// The row of each column's lowest cell.
    feet: [u32; 4],
    /// Bit 0 of each column is the box's lowest row.
    columns: [u32; 4],
    /// `columns`, with as many empty ones on either side as a register has: seen from number `16 - x` on, a field with
    /// the piece in column x.
    pub(super) lanes: [u16; 32],
}

/// The different forms of a piece: one for each orientation from north on.
pub(super) struct Forms {
    count: usize,
    pub(super) forms: [Form; 4],
}

pub(super) static FORMS: [Forms; 7] = {
    let [i, o, t, s, z, j, l] = Piece::ALL;
    [forms(i, 2), forms(o, 1), forms(t, 4), forms(s, 2), forms(z, 2), forms(j, 4), forms(l, 4)]
};

const fn forms(piece: Piece, count: usize) -> Forms {
    let [north, east, south, west] = Orientation::ALL;
    Forms { count, forms: [form(piece, north), form(piece, east), form(piece, south), form(piece, west)] }
}

const fn form(piece: Piece, orientation: Orientation) -> Form {
    let cells = piece.cells(orientation);
    let (mut left, mut bottom, mut right, mut top) = (0, 0, 0, 0);
    let mut i = 0;
    while i < 4 {
        let (x, y) = cells[i];
        (left, right) = (if x < left { x } else { left }, if x > right { x } else { right });
        (bottom, top) = (if y < bottom { y } else { bottom }, if y > top { y } else { top });
        i += 1;
    }
    let mut columns = [0; 4];
    i = 0;
    while i < 4 {
        columns[(cells[i].0 - left) as usize] |= 1u32 << (cells[i].1 - bottom);
        i += 1;
    }
    let (mut feet, mut lanes) = ([0; 4], [0; 32]);
    let width = (right - left + 1) as usize;
    i = 0;
    while i < width {
        feet[i] = columns[i].trailing_zeros();
        lanes[16 + i] = columns[i] as u16;
        i += 1;
    }
    let height = (top - bottom + 1) as u32;
    Form { width, height, centre: ((-left) as i8, (-bottom) as i8), feet, columns, lanes }
}
