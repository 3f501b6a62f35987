//! [`Cells`]: the locked cells with the pieces they came from, to draw them in color.

use tetris::{Board, Location, Piece};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tile {
    #[default]
    Empty,
    Garbage,
    Of(Piece),
}

/// The tiles of the field, lowest row first.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    rows: Vec<[Tile; Board::WIDTH]>,
}

impl Default for Cells {
    fn default() -> Self {
        Self { rows: vec![[Tile::Empty; Board::WIDTH]; Board::HEIGHT] }
    }
}

impl Cells {
    /// Cells outside the field are empty.
    pub(super) fn tile(&self, x: i32, y: i32) -> Tile {
        let row = usize::try_from(y).ok().and_then(|y| self.rows.get(y));
        let tile = row.zip(usize::try_from(x).ok()).and_then(|(row, x)| row.get(x));
        tile.copied().unwrap_or_default()
    }

    pub(super) fn place(&mut self, piece: Piece, cells: [(i32, i32); 4]) {
        for (x, y) in cells {
            if let Some(tile) =
                self.rows.get_mut(y as usize).and_then(|row| row.get_mut(x as usize))
            {
                *tile = Tile::Of(piece);
            }
        }
    }

    /// Returns the full rows, one bit each.
    pub(super) fn full_rows(&self) -> u64 {
        let is_full = |row: &[Tile; Board::WIDTH]| !row.contains(&Tile::Empty);
        (0..).zip(&self.rows).map(|(y, row)| u64::from(is_full(row)) << y).sum()
    }

    /// Removes rows, one bit each, and lets garbage without holes rise.
    pub(super) fn shift(&mut self, full_rows: u64, garbage_rows: u32) {
        let mut y = 0;
        self.rows.retain(|_| {
            y += 1;
            full_rows >> (y - 1) & 1 == 0
        });
        let garbage = (garbage_rows as usize).min(Board::HEIGHT);
        self.rows.splice(0..0, std::iter::repeat_n([Tile::Garbage; Board::WIDTH], garbage));
        self.rows.resize(Board::HEIGHT, [Tile::Empty; Board::WIDTH]);
    }

    pub(super) fn dig_holes(&mut self, board: &Board) {
        for (row, y) in self.rows.iter_mut().zip(0..) {
            for (tile, x) in row.iter_mut().zip(0..) {
                match (board.occupied(x, y), *tile) {
                    (false, _) => *tile = Tile::Empty,
                    (true, Tile::Empty) => *tile = Tile::Garbage,
                    (true, _) => {}
                }
            }
        }
    }

    /// Applies a turn: a piece locks, with `after` as the resulting board.
    pub(super) fn lock(&mut self, at: Location, garbage_rows: u32, after: &Board) {
        self.place(at.piece, at.cells());
        self.shift(self.full_rows(), garbage_rows);
        self.dig_holes(after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitcore::Rng;
    use tetris::{Attack, Game, Rules};

    #[test]
    fn colors_stay_with_their_cells() {
        let mut rng = Rng::new(3);
        let mut game = Game::new(Rules::GUIDELINE, &mut rng);
        let mut cells = Cells::default();
        let mut locked = [0u32; 7];
        while let Some(&turn) = game.legal_moves().iter().min_by_key(|turn| turn.placement.at.y) {
            let at = turn.placement.at;
            let full = game.board().place(at).expect("legal").full_lines();
            if game.pieces() % 9 == 4 {
                game.receive(Attack { lines: 2, column: 3 }).expect("a running game");
            }
            let result = game.play(turn, &mut rng).expect("legal");
            locked[at.piece as usize] += 1;
            cells.lock(at, result.garbage_rows, game.board());
            for y in 0..Board::HEIGHT as i32 {
                for x in 0..Board::WIDTH as i32 {
                    assert_eq!(cells.tile(x, y) != Tile::Empty, game.board().occupied(x, y));
                }
            }
            if full == 0 && result.garbage_rows == 0 && result.top_out.is_none() {
                assert!(at.cells().iter().all(|&(x, y)| cells.tile(x, y) == Tile::Of(at.piece)));
            }
            if result.garbage_rows > 0 && result.top_out.is_none() {
                assert_eq!([cells.tile(3, 0), cells.tile(4, 0)], [Tile::Empty, Tile::Garbage]);
                // The rest of the stack keeps its colors.
                let of = |tile| matches!(tile, Tile::Of(_));
                assert!(
                    at.cells()
                        .iter()
                        .all(|&(x, y)| of(cells.tile(x, y + result.garbage_rows as i32)))
                );
            }
        }
        assert!(locked.iter().all(|&count| count > 0) && cells.tile(-1, 50) == Tile::Empty);
    }
}
