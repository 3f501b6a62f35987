//! `Board` and `SimdBoard` against definitions cell by cell.

use bitcore::{Level, Rng};
use std::collections::BTreeSet;
use tetris::board::{HEIGHT, WIDTH};
use tetris::reference::{self, FallingPiece, naive};
use tetris::simd_board::SimdBoard;
use tetris::{Board, Location, Orientation, Piece, movegen};

/// A generator for the cases: each has a seed.
struct Cases(Rng);

impl Cases {
    fn below(&mut self, n: u32) -> u32 {
        self.0.below(n)
    }

    /// Columns of mixed density up to a random height; about half of the boards get full rows.
    fn columns(&mut self, rows: u32) -> [u64; WIDTH] {
        let height = self.below(rows + 1);
        let field = (1u64 << height) - 1;
        let density = self.below(4);
        let full = (0..self.below(9)).fold(0u64, |full, _| full | 1 << self.below(rows)) & field;
        std::array::from_fn(|_| {
            let (a, b) = (self.0.next_u64(), self.0.next_u64());
            let cells = match density {
                0 => a & b,
                1 => a,
                2 => a | b,
                _ => a | b | self.0.next_u64(),
            };
            (cells | full) & field
        })
    }

    fn board(&mut self) -> Board {
        Board::from_columns(self.columns(HEIGHT as u32)).unwrap()
    }

    fn simd_board(&mut self) -> SimdBoard {
        SimdBoard::from_columns(self.columns(32).map(|column| column as u32))
    }

    fn piece(&mut self) -> Piece {
        Piece::ALL[self.below(7) as usize]
    }

    /// A position in the field or a few cells outside, sometimes far away.
    fn location(&mut self) -> Location {
        let orientation = Orientation::ALL[self.below(4) as usize];
        let (x, y) = match self.below(20) {
            0 => (self.0.next_u64() as i8, self.0.next_u64() as i8),
            _ => (self.below(16) as i8 - 3, self.below(HEIGHT as u32 + 8) as i8 - 4),
        };
        Location { piece: self.piece(), orientation, x, y }
    }
}

/// One test per property: the same random cases on every level of the machine.
macro_rules! on_every_level {
    ($($name:ident => $property:ident, $cases:literal;)*) => {$(
        #[test]
        fn $name() {
            let levels = testkit::levels();
            testkit::seeds($cases, |seed| {
                for &level in &levels {
                    $property(level, &mut Cases(Rng::new(seed)));
                }
            });
        }
    )*};
}
on_every_level! {
    clearing_lines_equals_rebuilding_the_rows => clear_board, 20_000;
    simd_boards_clear_and_count_as_the_reference => clear_simd_board, 20_000;
    simd_boards_collide_and_place_as_the_reference => collide_simd_board, 40_000;
}

fn clear_board(level: Level, cases: &mut Cases) {
    let board = cases.board();
    let mut cleared = board;
    let lines = cleared.clear_lines_on(level);
    assert_eq!((cleared, lines), naive::clear_lines(&board), "{board}");
    assert_eq!(board.full_lines().count_ones(), lines);
    let mut all = [board, Board::EMPTY, board];
    assert_eq!(Board::clear_all_on(level, &mut all), 2 * u64::from(lines));
    assert_eq!(all, [cleared, Board::EMPTY, cleared]);
}

fn clear_simd_board(level: Level, cases: &mut Cases) {
    let simd_board = cases.simd_board();
    let board = Board::from(simd_board);
    assert_eq!(SimdBoard::try_from(board), Ok(simd_board));
    let (cleared, lines) = naive::clear_lines(&board);
    let (mut fast, mut slow) = (simd_board, simd_board);
    assert_eq!(simd_board.full_lines_on(level), reference::full_lines(&simd_board));
    assert_eq!(u64::from(reference::full_lines(&simd_board)), board.full_lines());
    assert_eq!((fast.clear_lines_on(level), reference::clear_lines(&mut slow)), (lines, lines), "{board}");
    assert_eq!(fast, slow, "{board}");
    assert_eq!(Board::from(slow), cleared);
    assert_eq!(slow, SimdBoard::from_columns(slow.columns()), "the walls stand");
    let holes = naive::holes(&board);
    assert_eq!(
        (simd_board.holes_on(level), reference::holes(&simd_board), board.holes()),
        (holes, holes, holes),
        "{board}"
    );
    let (mut all, mut counted) = ([simd_board, SimdBoard::EMPTY], [99; 2]);
    SimdBoard::holes_all_on(level, &all, &mut counted);
    assert_eq!(counted, [holes, 0]);
    let mut again = all;
    assert_eq!(SimdBoard::clear_all_on(level, &mut all), u64::from(lines));
    assert_eq!((SimdBoard::clear_all(&mut again), again), (u64::from(lines), all));
    assert_eq!(all, [slow, SimdBoard::EMPTY]);
}

fn collide_simd_board(level: Level, cases: &mut Cases) {
    let board = cases.simd_board();
    // Any sixteen bits, or a piece in a random orientation.
    let mut falling = FallingPiece::new(cases.piece());
    for _ in 0..cases.below(4) {
        falling = falling.cw();
    }
    let cells =
        if cases.below(4) == 0 { cases.0.next_u64() as u16 | 1 << cases.below(16) } else { falling.cells };
    let (x, y) = (cases.below(13) as i8 - 3, cases.below(40) as i8 - 5);
    let field = Board::from(board);
    let in_box = (0..16).filter(|bit| cells >> (15 - bit) & 1 == 1).map(|bit| (bit % 4, 3 - bit / 4));
    let mut filled = in_box.map(|(column, row)| (i32::from(x) + column, i32::from(y) + row));
    let collides = filled.any(|(x, y)| field.occupied(x, y) || y >= 32);
    let case = format!("{cells:04x} at {x} {y} on\n{field}");
    assert_eq!(reference::collides(&board, cells, x, y), collides, "{case}");
    assert_eq!(board.collides_on(level, cells, x, y), collides, "{case}");
    let (mut fast, mut slow) = (board, board);
    assert_eq!(fast.place_on(level, cells, x, y), !collides, "{case}");
    assert_eq!(reference::place(&mut slow, cells, x, y), !collides, "{case}");
    assert_eq!(fast, slow, "{case}");
    let (mut all, mut is) = ([board; 2], [!collides; 2]);
    let pieces = [(cells, x, y), (0x0F00, 10, 0)];
    SimdBoard::collides_all_on(level, &all, &pieces, &mut is);
    assert_eq!(is, [collides, true], "{case}");
    SimdBoard::place_all_on(level, &mut all, &pieces, &mut is);
    assert_eq!((all, is), ([slow, board], [!collides, false]), "{case}");
    if collides {
        assert_eq!(slow, board, "a refused piece changes nothing");
    } else {
        let cells_now: u32 = slow.columns().iter().map(|column| column.count_ones()).sum();
        let cells_then: u32 = board.columns().iter().map(|column| column.count_ones()).sum();
        assert_eq!(cells_now, cells_then + cells.count_ones(), "{case}");
    }
}

#[test]
fn a_box_far_outside_collides() {
    for (x, y) in [(-4, 0), (10, 0), (i8::MIN, i8::MIN), (i8::MAX, i8::MAX), (0, i8::MIN), (0, i8::MAX)] {
        assert!(reference::collides(&SimdBoard::EMPTY, 0x0F00, x, y), "{x} {y}");
        assert!(SimdBoard::EMPTY.collides(0x0F00, x, y), "{x} {y}");
        for level in Level::all() {
            assert!(SimdBoard::EMPTY.collides_on(level, 0x0F00, x, y), "{level} {x} {y}");
        }
    }
}

#[test]
fn a_piece_fits_where_its_cells_are_free() {
    testkit::seeds(40_000, |seed| {
        let mut cases = Cases(Rng::new(seed));
        let (board, at) = (cases.board(), cases.location());
        assert_eq!(board.fits(at), naive::fits(&board, at), "{at} on\n{board}");
        assert_eq!(board.place(at), naive::place(&board, at), "{at} on\n{board}");
        let mut fallen = at;
        while naive::fits(&board, fallen.moved(0, -1)) {
            fallen = fallen.moved(0, -1);
        }
        assert_eq!(board.landing(at), naive::fits(&board, at).then_some(fallen), "{at} on\n{board}");
    });
}

#[test]
fn hard_drops_are_those_of_the_definition() {
    // Boards up to the ceiling: the spawn is often blocked, or reached by overhangs
    // that a drop from the sky misses.
    testkit::seeds(20_000, |seed| {
        let mut cases = Cases(Rng::new(seed));
        let rows = 14 + cases.below(12);
        let board = Board::from_columns(cases.columns(rows)).unwrap();
        let piece = cases.piece();
        let fast = movegen::hard_drops(&board, piece);
        let plain = naive::hard_drops(&board, piece);
        assert_eq!(fast.iter().collect::<BTreeSet<_>>(), plain, "{piece} on\n{board}");
        assert_eq!((fast.len(), fast.is_empty()), (plain.len(), plain.is_empty()));
    });
}

#[test]
fn rows_of_garbage_clear_again() {
    testkit::seeds(20_000, |seed| {
        let mut cases = Cases(Rng::new(seed));
        let mut board = cases.simd_board();
        let rows = cases.0.next_u64() as u32 & cases.0.next_u64() as u32 & cases.0.next_u64() as u32;
        let hole = 1u16 << cases.below(10);
        let before = board;
        let top = board.columns().iter().fold(0, |all, column| all | column);
        let room = top.leading_zeros() >= rows.count_ones();
        assert_eq!(reference::insert_rows(&mut board, rows, 0x3FF & !hole), room);
        if !room {
            assert_eq!(board, before, "a refused row changes nothing");
            return;
        }
        for (x, column) in board.columns().into_iter().enumerate() {
            assert_eq!(column & rows, if hole >> x & 1 == 1 { 0 } else { rows });
            assert_eq!(bitcore::bits::pext(column.into(), (!rows).into()) as u32, before.columns()[x]);
        }
        let mut full = before;
        reference::clear_lines(&mut full);
        let mut filled = full;
        assert!(reference::insert_rows(&mut filled, rows, 0x3FF));
        assert_eq!((reference::clear_lines(&mut filled), filled), (rows.count_ones(), full));
    });
}
