//! Boards, cell by cell, and the garbage that waits to enter them.

use super::values::{board as any_board, location};
use bitcore::Level;
use std::collections::BTreeSet;
use testkit::Input;
use tetris::board::{HEIGHT, WIDTH};
use tetris::garbage::{Attack, GarbageQueue};
use tetris::reference::{self, FallingPiece, naive};
use tetris::simd_board::SimdBoard;
use tetris::{Board, Features, Orientation};

/// The longest program.
const STEPS: usize = 24;

pub(crate) fn board(input: &Input) {
    let mut board = any_board(input);
    for _ in input.steps(STEPS) {
        let before = board;
        match input.below(6) {
            0 | 1 => {
                let at = location(input);
                let placed = naive::place(&board, at);
                assert_eq!(board.fits(at), placed.is_some());
                assert_eq!(board.place(at), placed);
                if let Some(placed) = placed {
                    assert_eq!(placed.eroded_cells(at), reference::features::eroded_cells(&placed, at));
                    board = placed;
                }
            }
            2 => {
                let at = location(input);
                let mut fallen = at;
                while naive::fits(&board, fallen.moved(0, -1)) && naive::fits(&board, fallen) {
                    fallen = fallen.moved(0, -1);
                }
                assert_eq!(board.landing(at), naive::fits(&board, at).then_some(fallen));
                let [a, b] = [at, at.canonical()].map(|at| BTreeSet::from(at.cells()));
                assert!(at.x.unsigned_abs() > 100 || at.y.unsigned_abs() > 100 || a == b);
            }
            3 => {
                let (expected, lines) = naive::clear_lines(&board);
                assert_eq!(board.full_lines().count_ones(), lines);
                for level in Level::all() {
                    let mut cleared = [board; 3];
                    assert_eq!(cleared[0].clear_lines_on(level), lines);
                    assert_eq!(Board::clear_all_on(level, &mut cleared[1..]), 2 * u64::from(lines));
                    assert_eq!(cleared, [expected; 3]);
                }
                board = expected;
            }
            4 => {
                let attack = garbage(input);
                let expected = with_garbage(&board, attack);
                assert_eq!(board.apply_garbage(attack), expected.is_some());
                assert_eq!(board, expected.unwrap_or(before));
            }
            _ => {
                let expected = reference::features::features(&board);
                assert_eq!((board.holes(), board.heights()), (naive::holes(&board), expected.heights));
                for level in Level::all() {
                    assert_eq!(board.features_on(level), expected);
                    let mut all = [Features::default(); 2];
                    Board::features_all_on(level, &[board; 2], &mut all);
                    assert_eq!(all, [expected; 2]);
                }
            }
        }
    }
}

/// Takes an attack: of a few lines, of any number, or next to the field.
pub(crate) fn garbage(input: &Input) -> Attack {
    let lines = match input.below(8) {
        0 => input.u32(),
        1 => input.below(HEIGHT + 2) as u32,
        _ => input.below(4) as u32,
    };
    Attack { lines, column: input.below(WIDTH + 1) as u8 }
}

/// Inserts garbage row by row; `None` if a cell would pass the ceiling or the hole isn't in the field.
pub(crate) fn with_garbage(board: &Board, attack: Attack) -> Option<Board> {
    let mut columns = *board.columns();
    if usize::from(attack.column) >= WIDTH {
        return None;
    }
    for _ in 0..attack.lines.min(HEIGHT as u32 + 1) {
        for (x, column) in columns.iter_mut().enumerate() {
            *column = *column << 1 | u64::from(x != usize::from(attack.column));
        }
        Board::from_columns(columns)?;
    }
    Board::from_columns(columns)
}

/// The layout of two registers against the article's algorithms, one lane at a time.
pub(crate) fn simd_board(input: &Input) {
    let any = any_board(input);
    let mut board = SimdBoard::from_columns(any.columns().map(|column| column as u32));
    if let Ok(whole) = SimdBoard::try_from(any) {
        assert_eq!((whole, Board::from(whole)), (board, any));
    } else {
        assert!(any.max_height() > 32);
    }
    for _ in input.steps(STEPS) {
        let falling = FallingPiece::new(super::values::piece(input));
        let turned = input.pick(&Orientation::ALL);
        let falling = (0..*turned as usize).fold(falling, |falling, _| falling.cw());
        let (mut x, mut y) = (input.byte() as i8, input.byte() as i8);
        if input.flag() {
            (x, y) = (x.rem_euclid(14) - 3, y.rem_euclid(36) - 3);
        }
        let cells = if input.below(8) == 0 { input.u16() } else { falling.cells };
        let collides = reference::collides(&board, cells, x, y);
        let mut placed = board;
        assert_eq!(reference::place(&mut placed, cells, x, y), !collides);
        let lines = reference::full_lines(&placed);
        let mut cleared = placed;
        assert_eq!(reference::clear_lines(&mut cleared), lines.count_ones());
        let holes = reference::holes(&cleared);
        for level in Level::all() {
            let (mut boards, pieces) = ([board; 2], [(cells, x, y); 2]);
            let (mut flags, mut counts) = ([collides; 2], [0; 2]);
            assert_eq!(board.collides_on(level, cells, x, y), collides);
            SimdBoard::collides_all_on(level, &boards, &pieces, &mut flags);
            assert_eq!(flags, [collides; 2]);
            SimdBoard::place_all_on(level, &mut boards, &pieces, &mut flags);
            assert_eq!((boards, flags), ([placed; 2], [!collides; 2]));
            let mut one = board;
            assert_eq!((one.place_on(level, cells, x, y), one), (!collides, placed));
            assert_eq!(one.full_lines_on(level), lines);
            assert_eq!((one.clear_lines_on(level), one), (lines.count_ones(), cleared));
            assert_eq!(SimdBoard::clear_all_on(level, &mut boards), 2 * u64::from(lines.count_ones()));
            SimdBoard::holes_all_on(level, &boards, &mut counts);
            assert_eq!((boards, counts, one.holes_on(level)), ([cleared; 2], [holes; 2], holes));
        }
        board = cleared;
        if input.below(4) == 0 {
            let hole = input.below(WIDTH);
            let rows = (1 << input.below(5)) - 1;
            reference::insert_rows(&mut board, rows, 0x3FF & !(1 << hole));
        }
    }
}

/// The queue of attacks against a list of lines, each with its column.
pub(crate) fn garbage_queue(input: &Input) {
    let (mut queue, mut lines) = (GarbageQueue::default(), Vec::new());
    for _ in input.steps(64) {
        let n = input.below(6);
        match input.below(3) {
            0 => {
                let attack = Attack { lines: n as u32, column: input.byte() };
                queue.push(attack);
                // Attacks of one column stay apart: the second number tells them from each other.
                let number = lines.last().map_or(0, |&(_, number)| number + 1);
                lines.extend((0..n).map(|_| (attack.column, number)));
            }
            1 => {
                let cancelled = n.min(lines.len());
                lines.drain(..cancelled);
                assert_eq!(queue.cancel(n as u32), (n - cancelled) as u32);
            }
            _ => {
                let oldest = lines.first().copied();
                let taken = lines.iter().take_while(|&&line| Some(line) == oldest).count().min(n);
                let expected = oldest.filter(|_| taken > 0);
                lines.drain(..taken);
                let expected = expected.map(|(column, _)| Attack { lines: taken as u32, column });
                assert_eq!(queue.take(n as u32), expected);
            }
        }
        let listed: Vec<(u8, u32)> = queue.iter().map(|attack| (attack.column, attack.lines)).collect();
        let groups = lines.chunk_by(|a, b| a == b).map(|group| (group[0].0, group.len() as u32));
        assert_eq!(listed, groups.collect::<Vec<_>>());
        assert_eq!((queue.lines() as usize, queue.is_empty()), (lines.len(), lines.is_empty()));
    }
}
