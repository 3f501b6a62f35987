//! Boards, cell by cell, and pending garbage.

use super::values::{board as any_board, garbage, location, piece as any_piece};
use bitcore::Rng;
use bitcore::bits::pext;
use std::collections::BTreeSet;
use testkit::{Input, on_each_level};
use tetris::reference::{self, FallingPiece, naive};
use tetris::simd_board::SimdBoard;
use tetris::{Attack, Board, Error, Features, GarbageQueue, Location, Messiness, Orientation};

const STEPS: usize = 24;

pub(crate) fn board(input: &Input) {
    let mut board = any_board(input);
    for _ in input.steps(STEPS) {
        let before = board;
        match input.below(7) {
            0 | 1 => board = place(&board, location(input)).unwrap_or(board),
            2 => {
                let at = location(input);
                let mut fallen = at;
                while naive::fits(&board, fallen.moved(0, -1)) && naive::fits(&board, fallen) {
                    fallen = fallen.moved(0, -1);
                }
                assert_eq!(
                    board.landing(at),
                    naive::fits(&board, at).then_some(fallen),
                    "{at}\n{board}"
                );
                let [a, b] = [at, at.canonical()].map(|at| BTreeSet::from(at.cells()));
                assert!(at.x.unsigned_abs() > 100 || at.y.unsigned_abs() > 100 || a == b);
            }
            3 => {
                let (expected, lines) = naive::clear_lines(&board);
                assert_eq!(board.full_lines().count_ones(), lines);
                on_each_level(|| {
                    let mut cleared = board;
                    assert_eq!(cleared.clear_lines(), lines, "{board}");
                    assert_eq!(cleared, expected, "{board}");
                    let mut all = [board, Board::EMPTY, board];
                    assert_eq!(Board::clear_all(&mut all), 2 * u64::from(lines));
                    assert_eq!(all, [expected, Board::EMPTY, expected]);
                });
                board = expected;
            }
            4 => {
                let attack = garbage(input);
                let expected = with_garbage(&board, attack);
                assert_eq!(board.apply_garbage(attack), expected.is_some());
                assert_eq!(board, expected.unwrap_or(before), "{attack:?} under\n{before}");
            }
            5 => features(&board),
            _ => {
                // Full rows, except for the cells of a piece.
                let at = location(input);
                let rows = input.u64() & ((1 << Board::HEIGHT) - 1);
                let mut columns = board.columns().map(|column| column | rows);
                for (x, y) in
                    at.cells().into_iter().filter(|(_, y)| (0..Board::HEIGHT as i32).contains(y))
                {
                    columns.get_mut(x as usize).into_iter().for_each(|column| *column &= !(1 << y));
                }
                let gap = Board::try_from(columns).expect("rows of the field");
                board = place(&gap, at).unwrap_or(board);
            }
        }
    }
}

fn place(board: &Board, at: Location) -> Option<Board> {
    let placed = naive::place(board, at);
    assert_eq!(board.fits(at), placed.is_some(), "{at} on\n{board}");
    assert_eq!(board.place(at), placed, "{at} on\n{board}");
    if let Some(placed) = &placed {
        assert_eq!(
            placed.eroded_cells(at),
            reference::features::eroded_cells(placed, at),
            "{at} in\n{placed}"
        );
        let rows = at.cells().map(|(_, y)| y);
        let ends = rows.iter().min().zip(rows.iter().max()).map(|(low, high)| low + high);
        assert_eq!(Some(at.landing_height_twice()), ends, "{at}");
    }
    placed
}

fn features(board: &Board) {
    let expected = reference::features::features(board);
    assert_eq!(expected.holes, naive::holes(board));
    on_each_level(|| {
        assert_eq!(board.features(), expected, "{board}");
        let mut all = [Features::default(); 3];
        Board::features_all(&[*board, Board::EMPTY, *board], &mut all);
        assert_eq!(all, [expected, Board::EMPTY.features(), expected], "{board}");
    });
    let one_by_one = Features {
        heights: board.heights(),
        well_depths: board.well_depths(),
        max_height: board.max_height(),
        filled_cells: board.filled_cells(),
        holes: board.holes(),
        covered_cells: board.covered_cells(),
        hole_depth: board.hole_depth(),
        rows_with_holes: board.rows_with_holes(),
        row_transitions: board.row_transitions(),
        column_transitions: board.column_transitions(),
        cumulative_wells: board.cumulative_wells(),
        bumpiness: board.bumpiness(),
        pattern_diversity: board.pattern_diversity(),
    };
    assert_eq!(one_by_one, expected, "{board}");
}

/// Inserts garbage row by row; `None` if a cell would pass the ceiling or the hole is outside the
/// field.
pub(crate) fn with_garbage(board: &Board, attack: Attack) -> Option<Board> {
    let mut columns = *board.columns();
    if usize::from(attack.column) >= Board::WIDTH {
        return None;
    }
    for _ in 0..attack.lines.min(Board::HEIGHT as u32 + 1) {
        for (x, column) in columns.iter_mut().enumerate() {
            *column = *column << 1 | u64::from(x != usize::from(attack.column));
        }
        Board::try_from(columns).ok()?;
    }
    Board::try_from(columns).ok()
}

/// The two-register layout against the article's algorithms, one lane at a time, and these against
/// boards.
pub(crate) fn simd_board(input: &Input) {
    let any = any_board(input);
    let mut board = SimdBoard::from(any.columns().map(|column| column as u32));
    let too_high = any.heights().into_iter().position(|height| height > 32);
    match SimdBoard::try_from(any) {
        Ok(whole) => {
            assert_eq!(whole, board);
            assert_eq!(Board::from(whole), any);
            assert_eq!(too_high, None);
        }
        Err(error) => {
            assert_eq!(Some(error), too_high.map(|column| Error::AboveSimdBoard { column }));
        }
    }
    for _ in input.steps(STEPS) {
        let falling = FallingPiece::new(any_piece(input));
        let turned = input.pick(&Orientation::ALL);
        let falling = (0..*turned as usize).fold(falling, |falling, _| falling.cw());
        let mut x = input.byte() as i8;
        let mut y = input.byte() as i8;
        if input.flag() {
            (x, y) = (x.rem_euclid(14) - 3, y.rem_euclid(36) - 3);
        }
        let cells = if input.below(8) == 0 { input.u16() } else { falling.cells };
        let collides = reference::collides(&board, cells, x, y);
        let mut placed = board;
        assert_eq!(reference::place(&mut placed, cells, x, y), !collides);
        assert_placed(&board, &placed, cells, (x.into(), y.into()));
        let lines = reference::full_lines(&placed);
        let mut cleared = placed;
        assert_eq!(reference::clear_lines(&mut cleared), lines.count_ones());
        assert_eq!((Board::from(cleared), lines.count_ones()), naive::clear_lines(&placed.into()));
        assert_eq!(u64::from(lines), Board::from(placed).full_lines());
        let holes = reference::holes(&cleared);
        assert_eq!(holes, naive::holes(&cleared.into()));
        on_each_level(|| {
            // The second piece is outside the field.
            let mut boards = [board; 2];
            let pieces = [(cells, x, y), (0x0F00, 10, 0)];
            let mut flags = [!collides; 2];
            let mut counts = [99; 2];
            assert_eq!(board.collides(cells, x, y), collides, "{cells:04x} at {x} {y}");
            SimdBoard::collides_all(&boards, &pieces, &mut flags);
            assert_eq!(flags, [collides, true]);
            SimdBoard::place_all(&mut boards, &pieces, &mut flags);
            assert_eq!(boards, [placed, board]);
            assert_eq!(flags, [!collides, false]);
            let mut one = board;
            assert_eq!(one.place(cells, x, y), !collides);
            assert_eq!(one, placed);
            assert_eq!(one.full_lines(), lines);
            assert_eq!(one.clear_lines(), lines.count_ones());
            assert_eq!(one, cleared);
            SimdBoard::holes_all(&[cleared, SimdBoard::EMPTY], &mut counts);
            assert_eq!(counts, [holes, 0]);
            assert_eq!(one.holes(), holes);
        });
        board = cleared;
        if input.below(4) == 0 {
            let hole = input.below(Board::WIDTH);
            let choice = u32::from(input.byte());
            let rows = (1u32 << (choice % 5)) - 1;
            insert_rows(&mut board, rows | rows.rotate_left(choice / 5 * 3), 1 << hole);
        }
    }
}

/// Clears full rows anywhere in boards, of which some are cleared together, against the article's
/// algorithm.
pub(crate) fn simd_board_lines(input: &Input) {
    let mut rng = Rng::new(input.u64());
    let rare = input.below(8);
    let boards = input.list(input.below(40), || {
        let full = (0..rare).fold(u32::MAX, |full, _| full & rng.next_u64() as u32);
        SimdBoard::from(std::array::from_fn(|_| rng.next_u64() as u32 | full))
    });
    let mut expected = boards.clone();
    let lines =
        expected.iter_mut().map(|board| u64::from(reference::clear_lines(board))).sum::<u64>();
    on_each_level(|| {
        let mut cleared = boards.clone();
        assert_eq!(SimdBoard::clear_all(&mut cleared), lines);
        assert_eq!(cleared, expected);
        let mut cleared = boards.clone();
        assert_eq!(
            cleared.iter_mut().map(|board| u64::from(board.clear_lines())).sum::<u64>(),
            lines
        );
        assert_eq!(cleared, expected);
    });
}

/// Checks the article's placement: a box of sixteen cells, rows from the top.
fn assert_placed(before: &SimdBoard, placed: &SimdBoard, cells: u16, (x, y): (i32, i32)) {
    let mut field = Board::from(*before).columns().map(|column| column as u32);
    let in_box = (0..16).filter(|bit| cells >> (15 - bit) & 1 == 1);
    let fits = in_box.map(|bit| (x + bit % 4, y + 3 - bit / 4)).all(|(x, y)| {
        let is_free =
            (0..10).contains(&x) && (0..32).contains(&y) && field[x as usize] >> y & 1 == 0;
        if is_free {
            field[x as usize] |= 1 << y;
        }
        is_free
    });
    let expected = if fits { SimdBoard::from(field) } else { *before };
    assert_eq!(*placed, expected, "{cells:04x} at {x} {y} on\n{}", Board::from(*before));
}

/// Inserts rows with a hole. Removing them restores the board, and full rows are cleared again.
fn insert_rows(board: &mut SimdBoard, rows: u32, hole: u16) {
    let before = *board;
    let top = before.columns().iter().fold(0, |all, column| all | column);
    let has_room = top.leading_zeros() >= rows.count_ones();
    assert_eq!(reference::insert_rows(board, rows, 0x3FF & !hole), has_room);
    if !has_room {
        return assert_eq!(*board, before, "a refused row changes nothing");
    }
    for (x, (column, before)) in board.columns().into_iter().zip(before.columns()).enumerate() {
        assert_eq!(column & rows, if hole >> x & 1 == 1 { 0 } else { rows });
        assert_eq!(pext(column.into(), (!rows).into()) as u32, before);
    }
    let mut full = before;
    assert!(reference::insert_rows(&mut full, rows, 0x3FF));
    assert_eq!(reference::clear_lines(&mut full), rows.count_ones());
    assert_eq!(full, before);
}

/// The garbage queue against a list of single lines, each with its column and delay.
pub(crate) fn garbage_queue(input: &Input) {
    let mut queue = GarbageQueue::default();
    let mut lines: Vec<(u8, u32, u32)> = Vec::new();
    for _ in input.steps(64) {
        let n = input.below(6);
        match input.below(5) {
            0 => {
                let attack = Attack { lines: n as u32, column: input.byte() };
                let delay = if input.flag() { 0 } else { input.below(4) as u32 };
                if delay == 0 && input.flag() {
                    queue.push(attack);
                } else {
                    queue.push_delayed(attack, delay);
                }
                // The second number distinguishes consecutive attacks on the same column.
                let number = lines.last().map_or(0, |&(_, number, _)| number + 1);
                lines.extend((0..n).map(|_| (attack.column, number, delay)));
            }
            1 => {
                let cancelled = n.min(lines.len());
                lines.drain(..cancelled);
                assert_eq!(queue.cancel(n as u32), (n - cancelled) as u32);
            }
            2 => {
                queue.advance(n as u32);
                for (_, _, delay) in &mut lines {
                    *delay = delay.saturating_sub(n as u32);
                }
            }
            kind => {
                let oldest = lines.first().copied().filter(|line| kind == 3 || line.2 == 0);
                let taken = lines.iter().take_while(|&&line| Some(line) == oldest).count().min(n);
                let expected = oldest.filter(|_| taken > 0);
                lines.drain(..taken);
                let expected = expected.map(|(column, ..)| Attack { lines: taken as u32, column });
                let found =
                    if kind == 3 { queue.take(n as u32) } else { queue.take_ready(n as u32) };
                assert_eq!(found, expected);
            }
        }
        let listed: Vec<(u8, u32, u32)> = queue
            .iter_delayed()
            .map(|(attack, delay)| (attack.column, attack.lines, delay))
            .collect();
        let groups =
            lines.chunk_by(|a, b| a == b).map(|group| (group[0].0, group.len() as u32, group[0].2));
        assert_eq!(listed, groups.collect::<Vec<_>>());
        assert!(queue.iter().eq(queue.iter_delayed().map(|(attack, _)| attack)));
        assert_eq!(queue.lines() as usize, lines.len());
        let ready = lines.iter().take_while(|&&(_, _, delay)| delay == 0).count();
        assert_eq!(queue.ready_lines() as usize, ready);
        assert_eq!(queue.is_empty(), lines.is_empty());
    }
}

/// Holes row by row, as documented.
pub(crate) fn messiness(input: &Input) {
    let percent = || if input.flag() { *input.pick(&[0, 100]) } else { input.byte() };
    let messiness = Messiness { between: percent(), within: percent(), moves_away: input.flag() };
    let mut rng = Rng::new(input.u64());
    let mut same = rng.clone();
    let mut last = None;
    for _ in 0..input.below(20) {
        let lines = input.byte() as usize;
        let mut columns = Vec::new();
        for attack in messiness.attacks(lines as u32, last, &mut rng) {
            columns.extend(vec![attack.column; attack.lines as usize]);
        }
        assert_eq!(columns.len(), lines);
        for (row, &column) in columns.iter().enumerate() {
            let chance = if row == 0 { messiness.between } else { messiness.within };
            let moves = match (last, chance) {
                _ if row >= 40 => false,
                (Some(_), 0) => false,
                (Some(_), 1..100) => same.below(100) < chance.into(),
                _ => true,
            };
            if moves {
                let others = (0..10).filter(|&x| !messiness.moves_away || last != Some(x));
                let others: Vec<u8> = others.collect();
                last = Some(others[same.below(others.len() as u32) as usize]);
            }
            assert_eq!(Some(column), last, "row {row}");
        }
        assert_eq!(rng, same, "as many draws");
    }
}
