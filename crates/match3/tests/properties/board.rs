//! [`Board`] with its functions, the bit planes in each layout that holds it, and rows of colors, against the
//! rules cell by cell.

use super::values::{any_board, any_swap, cell, draws};
use bitcore::{Level, Rng};
use match3::board64::Board64;
use match3::boards8::Boards8;
use match3::groups::{Shape, groups, squares};
use match3::mask::Mask;
use match3::planes::{AnyBoard, Layout, PlaneBoard, PlaneLayout};
use match3::reference::{ByteRows, ColorMasks, naive};
use match3::shuffle::{redeal, shuffle};
use match3::{
    Board, CascadeResult, Event, Swap, cascade, has_swap, ranked_swaps, replay, runs, swaps, try_swap,
};
use std::collections::BinaryHeap;
use testkit::Input;

/// Colors of refills: enough for every cascade to end.
const COLORS: u32 = 7;

pub(crate) fn run(input: &Input) {
    let longest = match input.byte() {
        0..=199 => 9,
        200..=249 => 17,
        // The rules cell by cell take half a second on 64 x 64 cells.
        _ => 24,
    };
    let steps = if longest > 9 { 3 } else { 8 };
    let colors = 2 + input.below(15) as u32;
    let mut board = any_board(input, longest, colors);
    lists(&board);
    for _ in input.steps(steps) {
        step(input, &mut board);
        lists(&board);
    }
}

fn step(input: &Input, board: &mut Board) {
    match input.below(7) {
        0 | 1 => {
            let legal = naive::swaps(board);
            let swap = any_swap(input, board, &legal);
            play(board, swap, legal.contains(&swap), input.byte().into());
        }
        2 => {
            let (x, y) = any_cell(input, board);
            board.set(x, y, cell(input.byte()));
        }
        3 => fall(board, input.byte().into()),
        4 => {
            let (a, b) = (any_cell(input, board), any_cell(input, board));
            let before = board.clone();
            board.exchange(a, b);
            board.exchange(a, b);
            assert_eq!(*board, before);
            board.exchange(a, b);
            assert_eq!(board.transposed().transposed(), *board);
            *board = board.transposed();
        }
        // Hopeless boards of more cells take a million steps.
        _ if board.cells().len() > 12 => {}
        5 => shuffled(board, input.byte().into()),
        _ => dealt_again(board, 3 + input.below(5) as u8, input.byte().into()),
    }
}

fn any_cell(input: &Input, board: &Board) -> (usize, usize) {
    (input.below(board.width()), input.below(board.height()))
}

fn lists(board: &Board) {
    let (legal, rows) = (naive::swaps(board), naive::matched(board));
    assert!(swaps(board).iter().eq(legal.iter().copied()), "\n{board}");
    assert_eq!(swaps(board).len(), legal.len());
    assert_eq!(has_swap(board), !legal.is_empty(), "\n{board}");
    assert_eq!(ColorMasks::new(board).swaps(), legal, "\n{board}");
    if let Some(bytes) = ByteRows::new(board) {
        assert_eq!(bytes.swaps(), legal, "\n{board}");
    }
    assert_eq!(runs::is_stable(board), rows.iter().all(|&row| row == 0));
    for level in Level::all() {
        assert!(swaps::swaps_on(level, board).iter().eq(legal.iter().copied()), "{level}\n{board}");
        assert_eq!(runs::matched_on(level, board).words(), rows, "{level}\n{board}");
        let in_rows = Board64::new_on(level, board);
        assert!(in_rows.swaps_on(level).iter().eq(legal.iter().copied()), "{level}\n{board}");
        assert_eq!(in_rows.matched_on(level).words(), rows, "{level}\n{board}");
    }
    let mut grouped = vec![0u64; board.height()];
    for group in groups(board) {
        assert_ne!(group.shape(), Shape::Square);
        group.cells().iter().for_each(|&(x, y)| grouped[y] |= 1 << x);
    }
    assert_eq!(grouped, rows, "\n{board}");
    for square in squares(board) {
        assert!(square.shape() == Shape::Square && square.cells().len() == 4);
    }
    let ranked = ranked_swaps(board);
    assert!(ranked.len() == legal.len() && ranked.is_sorted_by(|a, b| a.1.score >= b.1.score));
    plane_lists::<1, 3>(board, &legal, &rows);
    plane_lists::<1, 4>(board, &legal, &rows);
    plane_lists::<4, 3>(board, &legal, &rows);
    plane_lists::<4, 4>(board, &legal, &rows);
    four_at_once(board, &legal);
    for layout in LAYOUTS {
        if let Ok(any) = AnyBoard::new(layout, board) {
            assert_eq!((any.layout(), Board::from(any)), (layout, board.clone()));
            assert!(Level::all().all(|level| any.swaps_on(level) == legal));
        }
    }
}

const LAYOUTS: [Layout; 4] =
    [Layout::Size8Colors7, Layout::Size8Colors15, Layout::Size16Colors7, Layout::Size16Colors15];

fn plane_lists<const WORDS: usize, const P: usize>(board: &Board, legal: &[Swap], rows: &[u64])
where
    PlaneBoard<WORDS, P>: PlaneLayout<WORDS, P>,
{
    let Ok(planes) = PlaneBoard::<WORDS, P>::new(board) else { return };
    assert_eq!(Board::from(planes), *board);
    for level in Level::all() {
        let found = planes.swaps_on(level);
        assert!(found.iter().eq(legal.iter().copied()), "{level}\n{board}");
        assert_eq!((found.len(), found.is_empty()), (legal.len(), legal.is_empty()));
        assert!(legal.iter().all(|&swap| found.contains(swap)));
        let matched = planes.matched_on(level);
        assert!((0..board.height()).map(|y| matched.row(y)).eq(rows.iter().copied()), "{level}\n{board}");
        assert_eq!(PlaneBoard::count_swaps_on(level, &[planes; 3]), 3 * legal.len() as u64);
    }
}

fn four_at_once(board: &Board, legal: &[Swap]) {
    let Ok(planes) = match3::Board8::<3>::new(board) else { return };
    let each = planes.swaps();
    let n = 1 + legal.len() % 6;
    let together = Boards8::new(&vec![planes; n]);
    for level in Level::all() {
        let (mut right, mut down) = (vec![0; n], vec![0; n]);
        together.swaps_into_on(level, &mut right, &mut down);
        assert_eq!((&right, &down), (&vec![each.right.words()[0]; n], &vec![each.down.words()[0]; n]));
        assert_eq!(together.count_swaps_on(level), (n * legal.len()) as u64);
    }
}

/// Plays a swap in every form. A refused one changes nothing.
fn play(board: &mut Board, swap: Swap, legal: bool, seed: u64) {
    let start = board.clone();
    let mut expected = board.clone();
    let result = legal.then(|| {
        let [a, b] = swap.cells();
        expected.exchange(a, b);
        naive::cascade(&mut expected, draws(seed, COLORS))
    });
    let mut events = Vec::new();
    let found = try_swap(board, swap, draws(seed, COLORS), &mut events);
    assert_eq!(found.ok(), result, "{swap}\n{start}");
    assert_eq!(*board, expected, "{swap}\n{start}");
    replayed(&start, board, &events);
    played::<1, 3>(&start, swap, seed, &found, board);
    played::<1, 4>(&start, swap, seed, &found, board);
    played::<4, 3>(&start, swap, seed, &found, board);
    played::<4, 4>(&start, swap, seed, &found, board);
}

fn replayed(start: &Board, end: &Board, events: &[Event]) {
    let mut after = start.clone();
    assert_eq!(replay(&mut after, events), Ok(()));
    assert_eq!(after, *end);
    for event in events {
        assert_eq!(event.to_string().parse().as_ref(), Ok(event));
    }
}

fn played<const WORDS: usize, const P: usize>(
    start: &Board,
    swap: Swap,
    seed: u64,
    expected: &Result<CascadeResult, match3::SwapError>,
    end: &Board,
) where
    PlaneBoard<WORDS, P>: PlaneLayout<WORDS, P>,
{
    let Ok(planes) = PlaneBoard::<WORDS, P>::new(start) else { return };
    for level in Level::all() {
        let mut after = planes;
        let found = after.try_swap_on(level, swap, &mut draws(seed, COLORS));
        assert_eq!(found, *expected, "{level}, {swap}\n{start}");
        assert_eq!(Board::from(after), *end, "{level}, {swap}\n{start}");
    }
}

/// Clears and refills, or lets all fall without new pieces, in every form.
fn fall(board: &mut Board, seed: u64) {
    let start = board.clone();
    let mut bare = start.clone();
    let result = cascade::cascade_without_refill(&mut bare, &mut ());
    for layout in LAYOUTS {
        for level in Level::all() {
            let Ok(mut any) = AnyBoard::new(layout, &start) else { continue };
            assert_eq!(any.cascade_without_refill_on(level), result, "{level}, {layout:?}\n{start}");
            assert_eq!(Board::from(any), bare, "{level}, {layout:?}\n{start}");
        }
    }
    let mut expected = start.clone();
    let result = naive::cascade(&mut expected, draws(seed, COLORS));
    let mut events = Vec::new();
    assert_eq!(cascade(board, draws(seed, COLORS), &mut events), result, "\n{start}");
    assert_eq!(*board, expected, "\n{start}");
    replayed(&start, board, &events);
    if result.levels % 2 == 1 {
        // From here on with holes.
        *board = bare;
    }
}

fn shuffled(board: &mut Board, seed: u64) {
    let start = board.clone();
    if shuffle(board, &mut Rng::new(seed)).is_err() {
        assert_eq!(*board, start);
        return;
    }
    assert!(runs::is_stable(board) && has_swap(board), "\n{start}");
    let sorted =
        [board, &start].map(|board| board.cells().iter().collect::<BinaryHeap<_>>().into_sorted_vec());
    assert_eq!(sorted[0], sorted[1]);
    assert!(start.cells().iter().zip(board.cells()).all(|(a, b)| a.is_swappable() || a == b));
}

fn dealt_again(board: &mut Board, colors: u8, seed: u64) {
    let start = board.clone();
    if redeal(board, colors, &mut Rng::new(seed)).is_err() {
        assert_eq!(*board, start);
        return;
    }
    assert!(runs::is_stable(board) && has_swap(board), "\n{start}");
    for (a, b) in start.cells().iter().zip(board.cells()) {
        assert_eq!((a.is_hole(), a.is_locked()), (b.is_hole(), b.is_locked()));
        assert!(if a.is_hole() { a == b } else { b.color().is_some_and(|color| color <= colors) });
    }
}
