//! Moves, cascades and journals against the plain twin.

use crate::common;
use bitcore::Rng;
use match3::cascade::cascade_without_refill;
use match3::journal::{ParseEventError, ReplayErrorKind, parse_journal};
use match3::reference::naive;
use match3::runs::is_stable;
use match3::{
    Axis, Board, CascadeResult, Cell, Event, Swap, SwapError, cascade, has_swap, ranked_swaps, replay, swaps,
    try_swap,
};

/// Draws for a refill; sometimes beyond the colors, which every form has to clamp alike.
fn draws(seed: u64, colors: u32) -> impl FnMut() -> u8 {
    let mut rng = Rng::new(seed ^ 0xD1CE);
    move || match rng.below(50) {
        0 => 0,
        1 => 200,
        _ => 1 + rng.below(colors) as u8,
    }
}

/// [`cascade_without_refill`] cell by cell: a piece sinks by one while the cell below is empty.
fn cascade_by_steps(board: &mut Board) -> CascadeResult {
    let mut result = CascadeResult::default();
    loop {
        let runs = naive::matched(board);
        let cells: u64 = runs.iter().map(|row| u64::from(row.count_ones())).sum();
        if cells == 0 {
            return result;
        }
        result.levels += 1;
        result.cleared += cells;
        result.score += 10 * cells * result.levels;
        for (x, y) in common::cells(board).filter(|&(x, y)| runs[y] >> x & 1 == 1) {
            board.set(x, y, Cell::EMPTY);
        }
        loop {
            let before = board.clone();
            for (x, y) in common::cells(board).filter(|&(_, y)| y + 1 < before.height()) {
                if !board.get(x, y).is_hole() && board.get(x, y + 1) == Cell::EMPTY {
                    board.exchange((x, y), (x, y + 1));
                }
            }
            if *board == before {
                break;
            }
        }
    }
}

#[test]
fn cascades_equal_the_plain_twin() {
    testkit::seeds(3_000, |seed| {
        let mut rng = Rng::new(seed);
        let colors = 4 + rng.below(5);
        let start = common::any(&mut rng, colors);

        let mut expected = start.clone();
        let result = naive::cascade(&mut expected, draws(seed, colors));
        let (mut quiet, mut recorded, mut events) = (start.clone(), start.clone(), Vec::new());
        assert_eq!(cascade(&mut quiet, draws(seed, colors), &mut ()), result, "{start}");
        assert_eq!(cascade(&mut recorded, draws(seed, colors), &mut events), result, "{start}");
        assert_eq!((&quiet, &recorded), (&expected, &expected), "{start}");
        assert!(is_stable(&quiet));
        check_journal(&start, &expected, &result, &events);

        let mut expected = start.clone();
        let result = cascade_by_steps(&mut expected);
        let (mut quiet, mut recorded, mut events) = (start.clone(), start.clone(), Vec::new());
        assert_eq!(cascade_without_refill(&mut quiet, &mut ()), result, "{start}");
        assert_eq!(cascade_without_refill(&mut recorded, &mut events), result, "{start}");
        assert_eq!((&quiet, &recorded), (&expected, &expected), "{start}");
        assert!(!events.iter().any(|event| matches!(event, Event::Spawn { .. })));
        check_journal(&start, &expected, &result, &events);
    });
}

/// A journal leads from `start` to `end`, adds up to the result, and survives as text.
fn check_journal(start: &Board, end: &Board, result: &CascadeResult, events: &[Event]) {
    let mut replayed = start.clone();
    replay(&mut replayed, events).unwrap_or_else(|error| panic!("{error}\n{start}"));
    assert_eq!(&replayed, end);
    let mut summed = CascadeResult::default();
    for event in events {
        if let Event::Clear { level, .. } = *event {
            summed.cleared += 1;
            summed.score += 10 * level;
            summed.levels = summed.levels.max(level);
        }
    }
    assert_eq!(&summed, result);
    let text: String = events.iter().map(|event| format!("{event}\n")).collect();
    assert_eq!(parse_journal(&text).as_deref(), Ok(events));
}

#[test]
fn matches_come_before_their_clears() {
    let mut board: Board = "2132\n1141\n2111\n2332".parse().unwrap();
    let mut events = Vec::new();
    let result = cascade_without_refill(&mut board, &mut events);
    let lines: Vec<String> = events.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "match 1 L 1 1,0 1,1 1,2 2,2 3,2",
            "clear 1 1,0 1",
            "clear 1 1,1 1",
            "clear 1 1,2 1",
            "clear 1 2,2 1",
            "clear 1 3,2 1",
            "fall 2,1 2,2",
            "fall 2,0 2,1",
            "fall 3,1 3,2",
            "fall 3,0 3,1",
        ]
    );
    assert_eq!(result, CascadeResult { cleared: 5, score: 50, levels: 1 });
}

/// The reasons why `swap` is illegal, told from the definition and independent of the crate's order of tests.
fn reasons(board: &Board, swap: Swap) -> Vec<SwapError> {
    let (x, y) = (swap.x, swap.y);
    let Some(other) = (match swap.axis {
        Axis::Horizontal => x.checked_add(1).map(|x| (x, y)),
        Axis::Vertical => y.checked_add(1).map(|y| (x, y)),
    }) else {
        return vec![SwapError::Outside { x, y }];
    };
    let inside = |(x, y): (usize, usize)| x < board.width() && y < board.height();
    let mut found: Vec<SwapError> = [(x, y), other]
        .into_iter()
        .filter(|&at| !inside(at))
        .map(|(x, y)| SwapError::Outside { x, y })
        .collect();
    for (x, y) in [(x, y), other].into_iter().filter(|&at| inside(at)) {
        let cell = board.get(x, y);
        match cell.to_string().as_bytes()[0] {
            b'.' => found.push(SwapError::Empty { x, y }),
            b'#' => found.push(SwapError::Blocked { x, y }),
            b'!' => found.push(SwapError::Locked { x, y }),
            _ => {}
        }
    }
    if found.is_empty() {
        let same = board.get(x, y).color() == board.get(other.0, other.1).color();
        found.push(if same { SwapError::SameColor { x, y } } else { SwapError::NoRun { x, y } });
    }
    found
}

#[test]
fn illegal_swaps_leave_the_board_and_say_why() {
    testkit::seeds(500, |seed| {
        let mut rng = Rng::new(seed);
        let colors = 2 + rng.below(5);
        let size = (1 + rng.below(8) as usize, 1 + rng.below(6) as usize);
        let start = common::mixed(&mut rng, size, colors, [15, 10, 15]);
        let legal = naive::swaps(&start);
        assert_eq!(has_swap(&start), !legal.is_empty());
        // One column and one row beyond the edge, too.
        for (x, y) in (0..=start.height()).flat_map(|y| (0..=start.width()).map(move |x| (x, y))) {
            for axis in [Axis::Horizontal, Axis::Vertical] {
                let swap = Swap { x, y, axis };
                let (mut board, mut events) = (start.clone(), vec![Event::Swap(swap)]);
                let color = || 1 + rng.below(35) as u8;
                match try_swap(&mut board, swap, color, &mut events) {
                    Ok(_) => {
                        assert!(legal.contains(&swap), "{swap}\n{start}");
                        assert_eq!(events[1], Event::Swap(swap));
                    }
                    Err(error) => {
                        assert!(!legal.contains(&swap), "{swap}\n{start}");
                        assert_eq!((&board, events.len()), (&start, 1), "{swap}");
                        assert!(reasons(&start, swap).contains(&error), "{swap}: {error}\n{start}");
                    }
                }
            }
        }
    });
    let far = Swap { x: usize::MAX, y: usize::MAX, axis: Axis::Vertical };
    let mut board: Board = "1121".parse().unwrap();
    let never = || -> u8 { panic!("a draw") };
    let outside = SwapError::Outside { x: usize::MAX, y: usize::MAX };
    assert_eq!(try_swap(&mut board, far, never, &mut ()), Err(outside));
    assert_eq!(outside.to_string(), format!("({0}, {0}) is outside the board", usize::MAX));
}

#[test]
fn games_replay() {
    testkit::seeds(4_000, |seed| {
        let mut rng = Rng::new(seed);
        let colors = 4 + rng.below(3);
        let shares = [rng.below(10), rng.below(10), rng.below(15)];
        let size = (4 + rng.below(6) as usize, 4 + rng.below(6) as usize);
        let start = common::mixed(&mut rng, size, colors, shares);
        let (mut board, mut events) = (start.clone(), Vec::new());
        let mut twin = start.clone();
        for _ in 0..20 {
            let legal: Vec<Swap> = swaps(&board).iter().collect();
            if legal.is_empty() {
                break;
            }
            let swap = legal[rng.below(legal.len() as u32) as usize];
            let draw = rng.next_u64();
            let result = try_swap(&mut board, swap, draws(draw, colors), &mut events).expect("a legal swap");
            let [a, b] = swap.cells();
            twin.exchange(a, b);
            assert_eq!(naive::cascade(&mut twin, draws(draw, colors)), result);
            assert_eq!(board, twin);
        }
        let text: String = events.iter().map(|event| format!("{event}\n")).collect();
        let read = parse_journal::<Event>(&text).expect("its own text");
        assert_eq!(read, events);
        let mut replayed = start.clone();
        replay(&mut replayed, &read).expect("its own start");
        assert_eq!(replayed, board);

        // Without any one of its events that change the board, a journal either stops at a later event or
        // ends elsewhere.
        if events.is_empty() {
            return;
        }
        let lost = rng.below(events.len() as u32) as usize;
        let mut without = events.clone();
        if !matches!(without.remove(lost), Event::Match { .. }) {
            let mut other = start.clone();
            match replay(&mut other, &without) {
                Ok(()) => assert_ne!(other, board, "lost event {lost}"),
                Err(error) => {
                    assert!(error.index >= lost);
                    assert_eq!(other, start, "an unfit journal changes nothing");
                }
            }
        }
    });
}

#[test]
fn unfit_events_are_refused() {
    let start: Board = "12.\n1#3\n!13.".parse().unwrap();
    let refused = |line: &str| {
        let event: Event = line.parse().unwrap();
        let mut board = start.clone();
        let error = replay(&mut board, &[event]).expect_err(line);
        assert_eq!((error.index, &board), (0, &start));
        error.kind
    };
    let piece = |c| Cell::new(c).unwrap();
    assert_eq!(refused("swap 2 2 H"), ReplayErrorKind::NoPiece { x: 2, y: 2, found: Cell::EMPTY });
    assert_eq!(refused("swap 1 2 V"), ReplayErrorKind::Outside { x: 1, y: 3 });
    let far = format!("swap {} 0 H", usize::MAX);
    assert_eq!(refused(&far), ReplayErrorKind::Outside { x: usize::MAX, y: 0 });
    assert_eq!(refused("swap 0 1 H"), ReplayErrorKind::NoPiece { x: 1, y: 1, found: Cell::BLOCKED });
    assert_eq!(refused("swap 0 1 V"), ReplayErrorKind::NotSwappable { x: 0, y: 2, found: piece(1).locked() });
    assert_eq!(refused("match 1 line3 2 0,0 0,1 0,2"), ReplayErrorKind::NoGroup { x: 0, y: 0 });
    assert_eq!(refused("match 1 line3 1 0,1 0,2 0,3"), ReplayErrorKind::Outside { x: 0, y: 3 });
    assert_eq!(refused("match 1 square 1 0,0 1,0 0,1 1,1"), ReplayErrorKind::NoGroup { x: 0, y: 0 });
    let other = ReplayErrorKind::WrongPiece { x: 0, y: 2, expected: piece(1), found: piece(1).locked() };
    assert_eq!(refused("clear 1 0,2 1"), other);
    assert_eq!(refused("clear 1 2,0 ."), ReplayErrorKind::NoPiece { x: 2, y: 0, found: Cell::EMPTY });
    assert_eq!(refused("clear 1 1,1 #"), ReplayErrorKind::NoPiece { x: 1, y: 1, found: Cell::BLOCKED });
    assert_eq!(refused("fall 0,0 0,1"), ReplayErrorKind::Occupied { x: 0, y: 1, found: piece(1) });
    assert_eq!(refused("fall 1,0 1,2"), ReplayErrorKind::Occupied { x: 1, y: 1, found: Cell::BLOCKED });
    assert_eq!(refused("fall 1,0 2,0"), ReplayErrorKind::NotStraightDown { x: 1, y: 0 });
    assert_eq!(refused("fall 1,0 2,1"), ReplayErrorKind::NotStraightDown { x: 1, y: 0 });
    assert_eq!(refused("fall 2,1 2,0"), ReplayErrorKind::NotStraightDown { x: 2, y: 1 });
    assert_eq!(refused("fall 2,1 2,3"), ReplayErrorKind::Outside { x: 2, y: 3 });
    assert_eq!(refused("fall 2,0 2,2"), ReplayErrorKind::NoPiece { x: 2, y: 0, found: Cell::EMPTY });
    assert_eq!(refused("spawn 2,2 1"), ReplayErrorKind::Occupied { x: 2, y: 1, found: piece(3) });
    assert_eq!(refused("spawn 2,0 #"), ReplayErrorKind::NoPiece { x: 2, y: 0, found: Cell::BLOCKED });
    assert_eq!(refused("spawn 3,0 1"), ReplayErrorKind::Outside { x: 3, y: 0 });
    // A part of a group isn't one, nor is a group of which the board has more.
    let mut board: Board = "1111\n1...\n1...".parse().unwrap();
    for (cells, fits) in [
        ("line3 1 0,0 1,0 2,0", false),
        ("line3 1 1,0 2,0 3,0", false),
        ("line4 1 0,0 1,0 2,0 3,0", false),
        ("line3 1 0,0 0,1 0,2", false),
        ("L 1 0,0 1,0 2,0 0,1 0,2", false),
        ("L 1 0,0 1,0 2,0 3,0 0,1 0,2", true),
    ] {
        let event = format!("match 1 {cells}").parse().unwrap();
        assert_eq!(replay(&mut board, &[event]).is_ok(), fits, "{cells}");
    }
    let mut column: Board = "1\n1\n1\n1".parse().unwrap();
    for (cells, fits) in
        [("line3 1 0,0 0,1 0,2", false), ("line3 1 0,1 0,2 0,3", false), ("line4 1 0,0 0,1 0,2 0,3", true)]
    {
        let event = format!("match 1 {cells}").parse().unwrap();
        assert_eq!(replay(&mut column, &[event]).is_ok(), fits, "{cells}");
    }
    // What does fit, one after the other; then one that doesn't: the second counts from 0, and nothing has
    // changed.
    let mut board = start.clone();
    let fits =
        parse_journal("match 1 line3 1 0,0 0,1 0,2\nfall 2,1 2,2\nspawn 2,1 !4\nclear 1 0,2 !1\n").unwrap();
    replay(&mut board, &fits).unwrap();
    assert_eq!(board.to_string(), "12.\n1#!4\n.33");
    let twice = parse_journal("fall 2,1 2,2\nspawn 2,0 4\nspawn 2,0 4").unwrap();
    let mut board = start.clone();
    let error = replay(&mut board, &twice).unwrap_err();
    assert_eq!(error.to_string(), "event 2: (2, 0) holds 4, expected an empty cell");
    assert_eq!(board, start);
}

#[test]
fn what_is_no_event() {
    let wrong = |line: &str| line.parse::<Event>().unwrap_err();
    let word =
        |column, expected, found: &str| ParseEventError::Word { column, expected, found: found.into() };
    let kinds = "swap, match, clear, fall or spawn";
    assert_eq!(wrong(""), ParseEventError::End { column: 1, expected: kinds });
    assert_eq!(wrong("  jump 0,0"), word(3, kinds, "jump"));
    assert_eq!(wrong("swap 1 2"), ParseEventError::End { column: 9, expected: "H or V" });
    assert_eq!(wrong("swap +1 2 H"), word(6, "a column", "+1"));
    assert_eq!(wrong("swap 1 99999999999999999999 H"), word(8, "a row", "99999999999999999999"));
    assert_eq!(wrong("swap 1 2 h"), word(10, "H or V", "h"));
    assert_eq!(wrong("swap 1 2 H é"), word(12, "the end of the line", "é"));
    assert_eq!(wrong("fall 0,0"), ParseEventError::End { column: 9, expected: "a cell as x,y" });
    assert_eq!(wrong("fall 0,0 ,1"), word(10, "a cell as x,y", ",1"));
    assert_eq!(wrong("match 1 line3 0 0,0 1,0 2,0"), word(15, "a color from 1 to 35", "0"));
    let shape = match3::groups::Shape::Line4;
    assert_eq!(wrong("match 1 line4 1 0,0 1,0 2,0"), ParseEventError::Group { column: 17, shape });
    assert_eq!(wrong("match 1 line4 1"), ParseEventError::End { column: 16, expected: "a cell as x,y" });
    let piece = "a piece (1-9, a-z, ! before a locked one)";
    for cell in ["0", "A", "11", "!", "1\u{a0}"] {
        assert_eq!(wrong(&format!("spawn 0,0 {cell}")), word(11, piece, cell));
    }
    let error = parse_journal::<Event>("fall 0,0 0,1\n \nfell").unwrap_err();
    assert_eq!(error.to_string(), format!("line 3, column 1: expected {kinds}, found \"fell\""));
}

#[test]
fn ratings_are_those_of_the_swaps() {
    testkit::seeds(500, |seed| {
        let mut rng = Rng::new(seed);
        let colors = 3 + rng.below(4);
        let board = common::mixed(&mut rng, (8, 8), colors, [5, 5, 5]);
        let found = ranked_swaps(&board);
        let mut in_order: Vec<Swap> = found.iter().map(|&(swap, _)| swap).collect();
        in_order.sort_unstable();
        assert_eq!(in_order, naive::swaps(&board));
        for &(swap, result) in &found {
            let [a, b] = swap.cells();
            let mut after = board.clone();
            after.exchange(a, b);
            assert!(!is_stable(&after));
            assert_eq!(cascade_by_steps(&mut after), result);
        }
        for pair in found.windows(2) {
            let ((first, best), (second, next)) = (pair[0], pair[1]);
            assert!(best.score > next.score || (best.score == next.score && first < second));
        }
    });
}
