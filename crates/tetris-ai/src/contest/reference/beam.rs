//! The beam's move generator and evaluation, cell by cell and key press by key press.

use crate::columns::{COLUMNS, ROWS};
use crate::contest::beam::{BeamWeights, Patterns};
use crate::contest::board::Board;
use crate::contest::falling_piece::{ContestKey, FallingPiece};
use crate::contest::game::multiplier;
use crate::contest::piece::OrientedPiece;
use crate::contest::sequence::PIECES;
use std::collections::{BTreeSet, HashSet};
use tetris::Piece;

/// Returns the same placements as [`beam::placements`](crate::contest::beam::placements), in the
/// same order, by a search over single key presses.
pub fn placements(board: &Board, piece: OrientedPiece) -> Vec<FallingPiece> {
    let mut seen = HashSet::new();
    let mut todo: Vec<FallingPiece> = board.spawn(piece).into_iter().collect();
    let mut found = BTreeSet::new();
    while let Some(falling) = todo.pop() {
        if !seen.insert(falling) {
            continue;
        }
        let pressed = ContestKey::ALL.map(|key| falling.after_key(key));
        todo.extend(pressed.into_iter().filter(|&falling| board.fits(falling)));
        let rests = !board.fits(falling.after_key(ContestKey::Down));
        if rests && falling.cells().iter().all(|&(_, y)| y > 0) {
            let FallingPiece { piece, x, y } = falling.canonical();
            found.insert((y, piece, x));
        }
    }
    found.into_iter().map(|(y, piece, x)| FallingPiece { piece, x, y }).collect()
}

/// Returns the value of a board after piece `piece` (from 0) of the game `pieces`, computing every
/// feature of [`BeamWeights`] from its definition. The score so far is not included.
pub fn beam_value(
    weights: &BeamWeights,
    pieces: &[OrientedPiece],
    piece: usize,
    board: &Board,
) -> i32 {
    let left = pieces.len() - piece - 1;
    let faded = left.min(weights.fade_pieces) as i32;
    let fade = weights.fade_pieces as i32;
    let part = |value: i32| if fade == 0 { value } else { value * faded / fade };
    let hundredths = if fade == 0 { 100 } else { faded * 100 / fade };
    let cells = board.cells();
    let potential_percent = 100 - part(100 - weights.potential_percent);
    let linear = weights.cell * cells as i32 * (100 - potential_percent);
    let patterns =
        weights.patterns.filter(|_| piece + 1 > weights.patterns_after).unwrap_or(&Patterns::NONE);
    let row_terms: i32 =
        (0..=ROWS as i8).map(|y| row_value(weights, patterns, hundredths, board, y)).sum();
    let potential = potential(&pieces[piece + 1..], piece + 1, cells);
    row_terms
        + part(run_value(weights, patterns, &pieces[piece + 1..], board))
        + part(top_value(weights, patterns, board))
        + (linear + potential * potential_percent) / 100
}

fn filled(board: &Board, x: i8, y: i8) -> bool {
    y >= ROWS as i8 || board.filled(x, y)
}

fn covered(board: &Board, x: i8, y: i8) -> bool {
    (0..y).any(|y| filled(board, x, y))
}

fn count(what: impl Fn(i8) -> bool) -> i32 {
    (0..COLUMNS as i8).filter(|&x| what(x)).count() as i32
}

/// Returns the cells of a row as the bits that index patterns.
fn bits(what: impl Fn(i8) -> bool) -> usize {
    (0..COLUMNS as i8).map(|x| usize::from(what(x)) << x).sum()
}

fn row_value(
    weights: &BeamWeights,
    patterns: &Patterns,
    hundredths: i32,
    board: &Board,
    y: i8,
) -> i32 {
    let row = |x| filled(board, x, y);
    let skyline = |x| row(x) || covered(board, x, y);
    let walled = |x| !(0..COLUMNS as i8).contains(&x) || skyline(x);
    let hole = |x| !row(x) && covered(board, x, y);
    let differs = |x| row(x) != filled(board, x, y - 1);
    let last = COLUMNS as i8 - 1;
    let gaps = count(|x| !row(x));
    let holes = count(hole);
    let transitions = count(|x| x < last && row(x) != row(x + 1));
    let by_gaps = match (gaps, holes) {
        (1, 0) => weights.open_rows,
        (1, _) => weights.covered_rows,
        (2, _) => weights.two_gaps,
        _ => 0,
    };
    let steps = count(|x| x < last && skyline(x) != skyline(x + 1));
    let wells = count(|x| !skyline(x) && walled(x - 1) && walled(x + 1));
    // Empty rows above the stack have no value.
    let patterns = if bits(skyline) > 0 { patterns } else { &Patterns::NONE };
    let terms = [
        weights.row_transitions * transitions
            + by_gaps
            + i32::from(patterns.rows[bits(row)][usize::from(holes > 0)]),
        weights.skyline_transitions * steps
            + weights.wells * wells
            + i32::from(patterns.skyline[bits(skyline)]),
        weights.holes * holes
            + weights.rows_with_holes * i32::from(holes > 0)
            + i32::from(patterns.holes[bits(hole)]),
        weights.column_transitions * count(differs) + i32::from(patterns.columns[bits(differs)]),
    ];
    terms.iter().map(|term| term * hundredths / 100).sum()
}

/// Returns the length of the longest run of rows with a single, open gap in the same column, at
/// most 4.
fn longest_run(board: &Board) -> usize {
    let gap = |y: i8| {
        let mut gaps = (0..COLUMNS as i8).filter(|&x| !filled(board, x, y));
        let gap = gaps.next().filter(|&x| !covered(board, x, y));
        gap.filter(|_| gaps.next().is_none())
    };
    let runs = (0..ROWS as i8).map(|top| {
        let first = gap(top);
        (top..ROWS as i8).take_while(|&y| first.is_some() && gap(y) == first).count()
    });
    runs.max().unwrap_or(0).min(4)
}

fn run_value(
    weights: &BeamWeights,
    patterns: &Patterns,
    upcoming: &[OrientedPiece],
    board: &Board,
) -> i32 {
    let wait = upcoming.iter().position(|piece| piece.kind() == Piece::I);
    let longest = longest_run(board);
    let length = longest as i32;
    let is_i_soon = wait.is_some_and(|wait| wait <= weights.ready_max_wait);
    let ready = if length == 4 && is_i_soon { weights.tetris_ready } else { 0 };
    let is_drought = wait.is_none_or(|wait| wait >= weights.drought_min_wait);
    let waiting = if is_drought { weights.drought * length } else { 0 };
    let of_length = patterns.runs[longest];
    let pattern = of_length[wait.map_or(of_length.len() - 1, |wait| wait.min(of_length.len() - 1))];
    weights.run * length + ready + waiting + i32::from(pattern)
}

fn top_value(weights: &BeamWeights, patterns: &Patterns, board: &Board) -> i32 {
    let highest =
        (0..ROWS as i8).find(|&y| count(|x| filled(board, x, y)) > 0).unwrap_or(ROWS as i8);
    let nearness = match highest {
        1 => 6,
        2 => 3,
        3 => 1,
        _ => 0,
    };
    weights.top * nearness + i32::from(patterns.tops[highest as usize])
}

/// Returns the potential of `cells` filled cells, relative to the potential of the usual number of
/// cells.
fn potential(upcoming: &[OrientedPiece], placed: usize, cells: u32) -> i32 {
    const MAX_CELLS: i32 = 168;
    const TOO_MANY_CELLS: i32 = -20_000;
    let mut best = [0; MAX_CELLS as usize + 1];
    for (i, piece) in upcoming.iter().enumerate().rev() {
        let scores = placed + i + 1 < PIECES;
        let after = best;
        for (cells, best) in (0..).zip(&mut best) {
            *best = TOO_MANY_CELLS;
            for lines in 0..=piece.max_lines() {
                let left = cells + 4 - 10 * lines as i32;
                if (0..=MAX_CELLS).contains(&left) {
                    let gain = if scores { multiplier(lines) as i32 * (cells + 4) } else { 0 };
                    *best = (*best).max(after[left as usize] + gain);
                }
            }
        }
    }
    let usual = best[100 + 4 * placed % 10];
    best.get(cells as usize).map_or(TOO_MANY_CELLS, |value| value - usual)
}

/// Returns the children of a board as the beam generates them: the placement, the board, and the
/// sum of points and value. A child that clears rows of a board with too few cells is left out,
/// except near the end of the game.
pub fn beam_children(
    weights: &BeamWeights,
    pieces: &[OrientedPiece],
    piece: usize,
    board: &Board,
) -> Vec<(FallingPiece, Board, i32)> {
    let fading = pieces.len() - piece - 1 < weights.fade_pieces;
    let mut children = Vec::new();
    for place in placements(board, pieces[piece]) {
        let mut after = *board;
        after.place(place);
        let cells = after.cells();
        let lines = after.clear_full_rows();
        if lines > 0 && cells < weights.min_clear_cells && !fading {
            continue;
        }
        let gain = if piece + 1 < PIECES { multiplier(lines) * cells } else { 0 };
        children.push((place, after, gain as i32 + beam_value(weights, pieces, piece, &after)));
    }
    children
}
