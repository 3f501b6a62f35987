//! [`Board`] and its functions, the bit planes in every layout that fits it, and `Board64`, against
//! the rules cell by cell.

use super::arrangements::{dealt_again, shuffled};
use super::plain::{self, At, adds_up, cells, foreseen, pairs};
use super::values::{any_board, any_swap, cell, draws, wild_draws};
use bitcore::Rng;
use match3::bitboard::{Board64, Boards8, FourWords, Mask, PlaneBoard, PlaneLayout};
use match3::groups::{Group, Shape, groups, squares};
use match3::reference::{ByteRows, ColorMasks, naive};
use match3::special::SpecialBoard;
use match3::{
    Board, Board8, CascadeResult, Cell, Colors, Event, RandomColors, Swap, SwapError, Swaps,
    cascade, cascade_without_refill, has_swap, is_stable, matched, ranked_swaps, replay, swaps,
    try_swap,
};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use testkit::{Input, on_each_level};

/// The number of refill colors, enough for every cascade to end.
const COLORS: u8 = 7;

/// Calls a function generic over the layout's words and planes for every layout.
macro_rules! in_each_layout {
    ($function:ident($($argument:expr),*)) => {
        $function::<u64, 3>($($argument),*);
        $function::<u64, 4>($($argument),*);
        $function::<FourWords, 3>($($argument),*);
        $function::<FourWords, 4>($($argument),*);
    };
}

pub(crate) fn run(input: &Input) {
    let (longest, steps) = match input.byte() {
        0..=199 => (9, 8),
        200..=249 => (17, 3),
        250..=253 => (24, 3),
        // The rules cell by cell are slow.
        _ => (64, 1),
    };
    let colors = match input.byte() {
        254 => 1,
        255 => 35,
        byte => 2 + u32::from(byte) % 15,
    };
    let mut board = any_board(input, longest, colors);
    lists(&board);
    for _ in input.steps(steps) {
        step(input, &mut board);
        lists(&board);
    }
}

fn step(input: &Input, board: &mut Board) {
    match input.below(8) {
        0 | 1 => {
            let legal = naive::swaps(board);
            let swap = any_swap(input, board, &legal);
            play(board, swap, legal.contains(&swap), input.byte().into());
        }
        2 => {
            let (x, y) = any_cell(input, board);
            board[(x, y)] = cell(input.byte());
        }
        3 => fall(board, input.byte().into()),
        4 => {
            let a = any_cell(input, board);
            let b = any_cell(input, board);
            let before = board.clone();
            board.exchange(a, b);
            board.exchange(a, b);
            assert_eq!(*board, before);
            board.exchange(a, b);
            assert_eq!(board.transposed().transposed(), *board);
            *board = board.transposed();
        }
        7 => refused(board),
        // Larger hopeless boards take a million steps.
        _ if board.cells().len() > 12 => {}
        5 => {
            *board =
                shuffled(&SpecialBoard::from(board.clone()), input.byte().into()).board().clone();
        }
        _ => {
            let colors = 3 + input.below(5) as u8;
            let seed = input.byte().into();
            *board = dealt_again(&SpecialBoard::from(board.clone()), colors, seed).board().clone();
        }
    }
}

fn any_cell(input: &Input, board: &Board) -> At {
    (input.below(board.width()), input.below(board.height()))
}

fn lists(board: &Board) {
    let legal = naive::swaps(board);
    let rows = naive::matched(board);
    let alive_and_stable = (!legal.is_empty(), rows.iter().all(|&row| row == 0));
    assert_eq!(board.to_string().parse().as_ref(), Ok(board));
    let list = |row: &[Cell]| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let lists: Vec<String> = board.rows().map(|row| format!("[{}]", list(row))).collect();
    assert_eq!(format!("[{}]", lists.join(",\n ")).parse().as_ref(), Ok(board));
    assert_eq!(ColorMasks::from(board).swaps(), legal, "\n{board}");
    if let Some(bytes) = ByteRows::new(board) {
        assert_eq!(bytes.swaps(), legal, "\n{board}");
    }
    let mut before = Board64::from(board);
    on_each_level(|| {
        listed(&swaps(board), &legal, board);
        assert_eq!(matched(board).words(), rows, "\n{board}");
        assert_eq!((has_swap(board), is_stable(board)), alive_and_stable, "\n{board}");
        let in_rows = Board64::from(board);
        // Also for a board converted on another level.
        for in_rows in [&in_rows, &before] {
            listed(&in_rows.swaps(), &legal, board);
            assert_eq!(in_rows.matched().words(), rows, "\n{board}");
        }
        before = in_rows;
    });
    groups_and_squares(board, &rows);
    if board.cells().len() < 600 {
        let mut ranked: Vec<_> =
            legal.iter().map(|&swap| (swap, foreseen(board, swap).0)).collect();
        // Ties stay in swap order.
        ranked.sort_by_key(|(_, result)| Reverse(result.score));
        assert_eq!(ranked_swaps(board), ranked, "\n{board}");
    }
    in_each_layout!(plane_lists(board, &legal, &rows));
    many_at_once(board);
}

fn listed<M: Mask>(found: &Swaps<M>, legal: &[Swap], board: &Board) {
    assert!(found.iter().eq(legal.iter().copied()), "\n{board}");
    assert_eq!(found.len(), legal.len());
    assert_eq!(found.is_empty(), legal.is_empty());
    assert!(
        pairs(board).filter(|&swap| found.contains(swap)).eq(legal.iter().copied()),
        "\n{board}"
    );
}

fn plane_lists<W: PlaneLayout<P>, const P: usize>(board: &Board, legal: &[Swap], rows: &[u64]) {
    let Ok(planes) = PlaneBoard::<W, P>::try_from(board) else { return };
    assert_eq!(Board::from(planes), *board);
    let alive_and_stable = (!legal.is_empty(), rows.iter().all(|&row| row == 0));
    on_each_level(|| {
        listed(&planes.swaps(), legal, board);
        let matched = planes.matched();
        assert!((0..board.height()).map(|y| matched.row(y)).eq(rows.iter().copied()), "\n{board}");
        assert_eq!((planes.has_swap(), planes.is_stable()), alive_and_stable, "\n{board}");
        assert_eq!(PlaneBoard::count_swaps(&[planes; 5]), 5 * legal.len() as u64);
    });
}

/// Several boards in one `Boards8`: the same cells, rotated.
fn many_at_once(board: &Board) {
    let n = board.cells().iter().map(|cell| usize::from(cell.byte())).sum::<usize>() % 10;
    let rotated = |by: usize| {
        let mut cells = board.cells().to_vec();
        cells.rotate_left(by % board.cells().len());
        Board::from_cells(board.width(), board.height(), cells).expect("as many cells")
    };
    let boards: Result<Vec<Board8>, _> = (0..n).map(|by| Board8::try_from(&rotated(by))).collect();
    let Ok(boards) = boards else { return };
    let each: Vec<_> = boards.iter().map(Board8::swaps).collect();
    let together = Boards8::from(&boards[..]);
    assert_eq!(together.len(), n);
    assert_eq!(together.is_empty(), n == 0);
    on_each_level(|| {
        let mut right = vec![0; n];
        let mut down = vec![0; n];
        together.swaps_into(&mut right, &mut down);
        assert!(each.iter().map(|swaps| swaps.right.words()).eq(right));
        assert!(each.iter().map(|swaps| swaps.down.words()).eq(down));
        assert_eq!(together.count_swaps(), each.iter().map(Swaps::len).sum::<usize>() as u64);
    });
}

/// Counts the cells to the left, right, top and bottom of (x, y) that continue its color.
fn arms(board: &Board, x: usize, y: usize) -> [usize; 4] {
    let arm = |dx: isize, dy: isize| {
        let mut at = (x, y);
        let mut length = 0;
        while let (Some(x), Some(y)) = (at.0.checked_add_signed(dx), at.1.checked_add_signed(dy)) {
            if x >= board.width() || y >= board.height() || !board[(x, y)].matches(board[at]) {
                break;
            }
            (at, length) = ((x, y), length + 1);
        }
        length
    };
    [arm(-1, 0), arm(1, 0), arm(0, -1), arm(0, 1)]
}

/// Cells are (y, x), which sorts by row, then by column.
type Cells = BTreeSet<At>;

/// Joins the runs, as sets of cells, until no two sets share a cell. Returns `None` if that takes
/// too long.
fn groups_by_definition(board: &Board) -> Option<Vec<Cells>> {
    let mut sets: Vec<Cells> = Vec::new();
    for (x, y) in cells(board).filter(|&(x, y)| !board[(x, y)].is_hole()) {
        let [left, right, up, down] = arms(board, x, y);
        if left == 0 && right >= 2 {
            sets.push((0..=right).map(|d| (y, x + d)).collect());
        }
        if up == 0 && down >= 2 {
            sets.push((0..=down).map(|d| (y + d, x)).collect());
        }
    }
    if sets.len() > 100 {
        return None;
    }
    let meet = |sets: &[Cells]| {
        let pairs = (0..sets.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        { pairs }.find(|&(a, b)| !sets[a].is_disjoint(&sets[b]))
    };
    while let Some((a, b)) = meet(&sets) {
        let other = sets.swap_remove(b);
        sets[a].extend(other);
    }
    sets.sort_unstable_by_key(|set| set.first().copied());
    Some(sets)
}

/// Returns the shape, by the rules documented on `Shape`, from the arms of every cell and the
/// longest run.
fn shape(board: &Board, cells: &Cells) -> (Shape, usize) {
    let mut longest = 0;
    let mut ends = None;
    for &(y, x) in cells {
        let [left, right, up, down] = arms(board, x, y);
        let across = left + right + 1;
        let along = up + down + 1;
        longest = longest.max(across).max(along);
        if across >= 3 && along >= 3 {
            let here = usize::from(left == 0 || right == 0) + usize::from(up == 0 || down == 0);
            ends = Some(ends.map_or(here, |ends: usize| ends.min(here)));
        }
    }
    let shape = match (longest, ends) {
        (5.., _) => Shape::Line5,
        (_, Some(0)) => Shape::Plus,
        (_, Some(1)) => Shape::T,
        (_, Some(_)) => Shape::L,
        (4, None) => Shape::Line4,
        (_, None) => Shape::Line3,
    };
    (shape, longest)
}

fn groups_and_squares(board: &Board, rows: &[u64]) {
    let found = groups(board);
    let mut grouped = vec![0u64; board.height()];
    for group in &found {
        for &(x, y) in group.cells() {
            assert_eq!(board[(x, y)].color(), Some(group.color()));
            assert_eq!(grouped[y] >> x & 1, 0, "({x}, {y}) in two groups\n{board}");
            grouped[y] |= 1 << x;
        }
        let reversed: Vec<At> = group.cells().iter().rev().copied().collect();
        assert_eq!(Group::new(group.color(), &reversed).as_ref(), Some(group));
    }
    assert_eq!(grouped, rows, "\n{board}");
    if let Some(expected) = groups_by_definition(board) {
        let told = |group: &Group| {
            let cells: Cells = group.cells().iter().map(|&(x, y)| (y, x)).collect();
            (cells, (group.shape(), group.longest()))
        };
        let expected = expected.into_iter().map(|cells| (cells.clone(), shape(board, &cells)));
        assert!(found.iter().map(told).eq(expected), "{found:?}\n{board}");
        assert!(found.iter().all(|group| group.cells().is_sorted_by_key(|&(x, y)| (y, x))));
    }
    let square = |(x, y): At| [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
    let is_square = |cells: &[At; 4]| {
        let is_inside = cells.iter().all(|&(x, y)| x < board.width() && y < board.height());
        let first = board[cells[0]];
        is_inside && cells.iter().all(|&(x, y)| board[(x, y)].matches(first))
    };
    let expected = cells(board).map(square).filter(is_square);
    let found = squares(board);
    assert!(found.iter().map(Group::cells).eq(expected), "{found:?}\n{board}");
    assert!(found.iter().all(|group| (group.shape(), group.longest()) == (Shape::Square, 2)));
}

/// Plays a swap in every form. A rejected swap changes nothing.
fn play(board: &mut Board, swap: Swap, legal: bool, seed: u64) {
    let start = board.clone();
    let mut expected = board.clone();
    let result = legal.then(|| {
        let [a, b] = swap.cells();
        expected.exchange(a, b);
        naive::cascade(&mut expected, draws(seed, COLORS.into()))
    });
    // Events are appended.
    let mut events = vec![Event::Swap(swap)];
    let found = try_swap(board, swap, draws(seed, COLORS.into()), &mut events);
    assert_eq!(found.ok(), result, "{swap}\n{start}");
    assert_eq!(&*board, &expected, "{swap}\n{start}");
    match result {
        Some(result) => {
            assert_eq!(events[1], Event::Swap(swap));
            replayed(&start, board, &events[1..], &result, seed);
        }
        None => assert_eq!(events.len(), 1),
    }
    in_each_layout!(played(&start, swap, seed, &found, board));
}

/// Checks that a journal leads from start to end and adds up to the result.
fn replayed(start: &Board, end: &Board, events: &[Event], result: &CascadeResult, seed: u64) {
    let mut after = start.clone();
    assert_eq!(replay(&mut after, events), Ok(()));
    assert_eq!(after, *end);
    let cleared = |event: &Event| match *event {
        Event::Clear { level, .. } => Some(level),
        _ => None,
    };
    adds_up(events, cleared, result);
    // If one of the events that change the board is missing, the replay fails at a later one or
    // ends on a different board.
    let lost = seed as usize % events.len().max(1);
    let mut without = events.to_vec();
    if !events.is_empty() && !matches!(without.remove(lost), Event::Match { .. }) {
        let mut other = start.clone();
        match replay(&mut other, &without) {
            Ok(()) => assert_ne!(other, *end, "without event {lost}"),
            Err(error) => {
                assert!(error.index >= lost);
                assert_eq!(other, *start, "an unfit journal changes nothing");
            }
        }
    }
}

fn played<W: PlaneLayout<P>, const P: usize>(
    start: &Board,
    swap: Swap,
    seed: u64,
    expected: &Result<CascadeResult, SwapError>,
    end: &Board,
) {
    let Ok(planes) = PlaneBoard::<W, P>::try_from(start) else { return };
    on_each_level(|| {
        let mut after = planes;
        let found = after.try_swap(swap, &mut draws(seed, COLORS.into()));
        assert_eq!(found, *expected, "{swap}\n{start}");
        assert_eq!(Board::from(after), end.clone(), "{swap}\n{start}");
    });
}

/// Returns the reasons `swap` is illegal, from the definition and independent of the order of
/// checks in the crate.
fn reasons(board: &Board, swap: Swap) -> Vec<SwapError> {
    let is_inside = |&(x, y): &At| x < board.width() && y < board.height();
    let (inside, outside): (Vec<At>, Vec<At>) = swap.cells().into_iter().partition(is_inside);
    let mut found: Vec<_> = outside.into_iter().map(SwapError::Outside).collect();
    found.extend(inside.into_iter().filter_map(
        |(x, y)| match board[(x, y)].to_string().as_bytes()[0] {
            b'.' => Some(SwapError::Empty((x, y))),
            b'#' => Some(SwapError::Blocked((x, y))),
            b'!' => Some(SwapError::Locked((x, y))),
            _ => None,
        },
    ));
    if found.is_empty() {
        let [(x, y), other] = swap.cells();
        let same = board[(x, y)].color() == board[other].color();
        found.push(if same { SwapError::SameColor((x, y)) } else { SwapError::NoRun((x, y)) });
    }
    found
}

/// Checks that each illegal swap returns its reason and changes nothing.
fn refused(board: &Board) {
    let legal = naive::swaps(board);
    let never = || -> u8 { panic!("a draw") };
    for swap in pairs(board).filter(|swap| !legal.contains(swap)) {
        let mut after = board.clone();
        let mut events = Vec::new();
        let error = try_swap(&mut after, swap, never, &mut events).expect_err("an illegal swap");
        assert_eq!(&after, board, "{swap}");
        assert_eq!(events.len(), 0, "{swap}");
        assert!(reasons(board, swap).contains(&error), "{swap}: {error}\n{board}");
    }
}

/// Plays a cascade in every form, with and without refills.
fn fall(board: &mut Board, seed: u64) {
    let start = board.clone();
    let mut events = Vec::new();
    let mut bare = start.clone();
    let result = plain::cascade(&mut bare, |_, _| {});
    let mut quiet = start.clone();
    assert_eq!(cascade_without_refill(&mut quiet, &mut ()), result, "\n{start}");
    assert_eq!(cascade_without_refill(board, &mut events), result, "\n{start}");
    assert_eq!(&quiet, &bare, "\n{start}");
    assert_eq!(&*board, &bare, "\n{start}");
    replayed(&start, &bare, &events, &result, seed);
    in_each_layout!(settled(&start, &bare, &result));

    let mut quiet = start.clone();
    let mut expected = start.clone();
    let result = naive::cascade(&mut expected, wild_draws(seed));
    (*board, events) = (start.clone(), Vec::new());
    assert_eq!(cascade(&mut quiet, wild_draws(seed), &mut ()), result, "\n{start}");
    assert_eq!(cascade(board, wild_draws(seed), &mut events), result, "\n{start}");
    assert_eq!(&quiet, &expected, "\n{start}");
    assert_eq!(&*board, &expected, "\n{start}");
    replayed(&start, board, &events, &result, seed);
    in_each_layout!(fallen(&start, seed));
    if result.levels % 2 == 1 {
        // Continue with holes.
        *board = bare;
    }
}

/// Checks the cascade of bit planes without new pieces.
fn settled<W: PlaneLayout<P>, const P: usize>(start: &Board, bare: &Board, result: &CascadeResult) {
    let Ok(planes) = PlaneBoard::<W, P>::try_from(start) else { return };
    on_each_level(|| {
        let mut after = planes;
        assert_eq!(after.cascade_without_refill(), *result, "\n{start}");
        assert_eq!(Board::from(after), *bare, "\n{start}");
    });
}

/// Checks the cascade of bit planes, drawing colors one at a time and many in one step.
fn fallen<W: PlaneLayout<P>, const P: usize>(start: &Board, seed: u64) {
    let Ok(planes) = PlaneBoard::<W, P>::try_from(start) else { return };
    let mut by_draws = start.clone();
    let result = naive::cascade(&mut by_draws, draws(seed, COLORS.into()));
    let colors = RandomColors::new(COLORS, Rng::new(seed)).expect("few colors");
    let mut by_colors = start.clone();
    let mut drawn = colors.clone();
    let result_by_colors = naive::cascade(&mut by_colors, || drawn.next());
    on_each_level(|| {
        let mut after = planes;
        let mut after_colors = planes;
        let mut colors = colors.clone();
        assert_eq!(after.cascade(&mut draws(seed, COLORS.into())), result, "\n{start}");
        assert_eq!(after_colors.cascade(&mut colors), result_by_colors, "\n{start}");
        assert_eq!([after, after_colors].map(Board::from), [by_draws.clone(), by_colors.clone()]);
        assert_eq!(colors, drawn, "as many colors were drawn");
    });
}
