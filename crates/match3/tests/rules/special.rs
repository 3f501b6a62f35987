//! Special pieces against their definition, cell by cell.

use crate::common;
use bitcore::{Level, Rng};
use match3::groups::{Shape, groups};
use match3::journal::{ParseEventError, ReplayErrorKind, parse_journal};
use match3::reference::naive;
use match3::shuffle::{DealError, ShuffleError, redeal};
use match3::special::{Special, SpecialBoard, SpecialError, SpecialEvent};
use match3::{Axis, Board, CascadeResult, Cell, Event, Swap, SwapError, cascade, deal, shuffle, try_swap};
use std::collections::{BTreeMap, BTreeSet};

const KINDS: [Special; 4] = [Special::Row, Special::Column, Special::Bomb, Special::Color];

type At = (usize, usize);

/// The rules as `SpecialBoard`'s documentation has them: sets of cells; pieces fall step by step.
#[derive(Clone)]
struct Plain {
    board: Board,
    kinds: BTreeMap<At, Special>,
}

impl Plain {
    fn of(board: &SpecialBoard) -> Self {
        let kinds = common::cells(board.board()).filter_map(|at| Some((at, board.special(at.0, at.1)?)));
        Self { board: board.board().clone(), kinds: kinds.collect() }
    }

    fn color(&self, at: At) -> Option<u8> {
        self.board.get(at.0, at.1).color()
    }

    fn exchange(&mut self, a: At, b: At) {
        self.board.exchange(a, b);
        let (first, second) = (self.kinds.remove(&a), self.kinds.remove(&b));
        self.kinds.extend(second.map(|kind| (a, kind)));
        self.kinds.extend(first.map(|kind| (b, kind)));
    }

    fn hits(&self, at: At, kind: Special, color: Option<u8>, other: At) -> bool {
        self.color(other).is_some()
            && match kind {
                Special::Row => at.1 == other.1,
                Special::Column => at.0 == other.0,
                Special::Bomb => at.0.abs_diff(other.0) <= 1 && at.1.abs_diff(other.1) <= 1,
                Special::Color => self.color(other) == color,
            }
    }

    fn cascade(&mut self, swap: Option<Swap>, draw: impl FnMut() -> u8) -> CascadeResult {
        self.levels(swap, Some(draw))
    }

    /// Plays a cascade, without new pieces if there is no draw.
    fn levels(&mut self, swap: Option<Swap>, mut draw: Option<impl FnMut() -> u8>) -> CascadeResult {
        let mut result = CascadeResult::default();
        let swapped = swap.map_or(Vec::new(), |swap| swap.cells().to_vec());
        // What a color piece clears if it isn't its own color.
        let mut targets: BTreeMap<At, Option<u8>> = BTreeMap::new();
        if let [a, b] = swapped[..] {
            for (at, other) in [(a, b), (b, a)] {
                if self.kinds.get(&at) == Some(&Special::Color) {
                    targets.insert(at, self.color(other));
                }
            }
        }
        loop {
            let runs = naive::matched(&self.board);
            let mut cleared: BTreeSet<At> =
                common::cells(&self.board).filter(|&(x, y)| runs[y] >> x & 1 == 1).collect();
            cleared.extend(targets.keys());
            if cleared.is_empty() {
                return result;
            }
            loop {
                let hit = |other: &At| {
                    cleared.iter().any(|at| {
                        self.kinds.get(at).is_some_and(|&kind| {
                            let color = targets.get(at).copied().unwrap_or(self.color(*at));
                            self.hits(*at, kind, color, *other)
                        })
                    })
                };
                let more: BTreeSet<At> = common::cells(&self.board).filter(hit).collect();
                let before = cleared.len();
                cleared.extend(more);
                if cleared.len() == before {
                    break;
                }
            }
            result.levels += 1;
            result.cleared += cleared.len() as u64;
            result.score += 10 * cleared.len() as u64 * result.levels;

            let found = groups(&self.board);
            for at in cleared {
                self.board.set(at.0, at.1, Cell::EMPTY);
                self.kinds.remove(&at);
            }
            for group in found {
                let cells = group.cells();
                let kind = match group.shape() {
                    Shape::Line3 | Shape::Square => continue,
                    Shape::Line4 if cells[0].0 == cells[3].0 => Special::Column,
                    Shape::Line4 => Special::Row,
                    Shape::L | Shape::T | Shape::Plus => Special::Bomb,
                    Shape::Line5 => Special::Color,
                };
                let first_level = result.levels == 1;
                let swapped = swapped.iter().find(|at| first_level && cells.contains(at));
                let at = *swapped.unwrap_or(&cells[cells.len() / 2]);
                self.board.set(at.0, at.1, Cell::new(group.color()).unwrap());
                self.kinds.insert(at, kind);
            }
            targets.clear();
            self.fall();
            let Some(draw) = &mut draw else { continue };
            for x in 0..self.board.width() {
                let open =
                    (0..self.board.height()).take_while(|&y| self.board.get(x, y) == Cell::EMPTY).count();
                for y in (0..open).rev() {
                    self.board.set(x, y, Cell::new(draw().clamp(1, 35)).unwrap());
                }
            }
        }
    }

    fn fall(&mut self) {
        loop {
            let before = self.board.clone();
            for (x, y) in common::cells(&before).filter(|&(_, y)| y + 1 < before.height()) {
                if !self.board.get(x, y).is_hole() && self.board.get(x, y + 1) == Cell::EMPTY {
                    self.exchange((x, y), (x, y + 1));
                }
            }
            if self.board == before {
                return;
            }
        }
    }
}

/// A random board on which a share of the pieces is special.
fn special(rng: &mut Rng, board: &Board, percent: u32) -> SpecialBoard {
    let mut special = SpecialBoard::new(board.clone());
    for (x, y) in common::cells(board) {
        let kind = KINDS[rng.below(4) as usize];
        if !board.get(x, y).is_hole() && rng.below(100) < percent {
            special.set_special(x, y, Some(kind)).expect("a piece");
        }
    }
    special
}

fn draws(seed: u64, colors: u32) -> impl FnMut() -> u8 {
    let mut rng = Rng::new(seed ^ 0xD1CE);
    move || 1 + rng.below(colors) as u8
}

fn random_board(rng: &mut Rng, colors: u32) -> Board {
    let size = (3 + rng.below(8) as usize, 3 + rng.below(8) as usize);
    let shares = [rng.below(10), rng.below(10), rng.below(15)];
    common::mixed(rng, size, colors, shares)
}

/// A journal leads from the start to the end, adds up, and survives as text.
fn check_journal(start: &SpecialBoard, end: &SpecialBoard, result: &CascadeResult, events: &[SpecialEvent]) {
    let text: String = events.iter().map(|event| format!("{event}\n")).collect();
    let read = parse_journal::<SpecialEvent>(&text).expect("its own text");
    assert_eq!(read, events);
    let mut replayed = start.clone();
    replayed.replay(&read).unwrap_or_else(|error| panic!("{error}\n{}", start.board()));
    assert_eq!(&replayed, end);
    let mut summed = CascadeResult::default();
    for event in events {
        if let SpecialEvent::Board(Event::Clear { level, .. }) = *event {
            summed.cleared += 1;
            summed.score += 10 * level;
            summed.levels = summed.levels.max(level);
        }
    }
    assert_eq!(&summed, result);
}

#[test]
fn cascades_equal_the_definition() {
    testkit::seeds(3_000, |seed| {
        let mut rng = Rng::new(seed);
        let colors = 4 + rng.below(4);
        let board = random_board(&mut rng, colors);
        let percent = rng.below(40);
        let start = special(&mut rng, &board, percent);
        let mut plain = Plain::of(&start);
        let expected = plain.cascade(None, draws(seed, colors));
        let (mut quiet, mut recorded, mut events) = (start.clone(), start.clone(), Vec::new());
        assert_eq!(quiet.cascade(draws(seed, colors), &mut ()), expected, "{start:?}");
        assert_eq!(recorded.cascade(draws(seed, colors), &mut events), expected);
        assert_eq!(quiet, recorded);
        assert_eq!((quiet.board(), Plain::of(&quiet).kinds), (&plain.board, plain.kinds));
        check_journal(&start, &quiet, &expected, &events);
    });
}

#[test]
fn games_equal_the_definition() {
    testkit::seeds(1_500, |seed| {
        let mut rng = Rng::new(seed);
        let colors = 4 + rng.below(3);
        let board = random_board(&mut rng, colors);
        let percent = rng.below(20);
        let start = special(&mut rng, &board, percent);
        let (mut board, mut events) = (start.clone(), Vec::new());
        for turn in 0..12 {
            // The legal swaps by definition: those of the plain board, and of a color piece with any unlocked
            // piece.
            let mut legal: BTreeSet<Swap> = naive::swaps(board.board()).into_iter().collect();
            let at = |(x, y): At| board.board().get(x, y);
            for (x, y) in common::cells(board.board()) {
                for (other, axis) in [((x + 1, y), Axis::Horizontal), ((x, y + 1), Axis::Vertical)] {
                    if other.0 < board.board().width()
                        && other.1 < board.board().height()
                        && at((x, y)).is_swappable()
                        && at(other).is_swappable()
                        && [(x, y), other].iter().any(|&(x, y)| board.special(x, y) == Some(Special::Color))
                    {
                        legal.insert(Swap { x, y, axis });
                    }
                }
            }
            let legal: Vec<Swap> = legal.into_iter().collect();
            assert_eq!(board.swaps(), legal);
            if legal.is_empty() {
                break;
            }
            let swap = legal[rng.below(legal.len() as u32) as usize];
            let mut plain = Plain::of(&board);
            let [a, b] = swap.cells();
            plain.exchange(a, b);
            let expected = plain.cascade(Some(swap), draws(seed.wrapping_add(turn), colors));
            let mut turn_events = Vec::new();
            let before = board.clone();
            let result = board
                .try_swap(swap, draws(seed.wrapping_add(turn), colors), &mut turn_events)
                .expect("legal");
            assert_eq!(result, expected, "{swap}\n{before:?}");
            assert_eq!(
                (board.board(), &Plain::of(&board).kinds),
                (&plain.board, &plain.kinds),
                "{swap}\n{before:?}"
            );
            check_journal(&before, &board, &result, &turn_events);
            events.extend(turn_events);
        }
        let mut replayed = start;
        replayed.replay(&events).unwrap();
        assert_eq!(replayed, board);
    });
}

#[test]
fn plain_boards_stay_plain() {
    let mut plain_games = 0;
    let mut rng = Rng::new(4);
    let count = testkit::cases(2_000);
    for seed in 0..count {
        let colors = 5 + rng.below(3);
        let board = random_board(&mut rng, colors);
        let (mut plain, mut special, mut events) =
            (board.clone(), SpecialBoard::new(board.clone()), Vec::new());
        let result = cascade(&mut plain, draws(seed, colors), &mut ());
        let found = special.cascade(draws(seed, colors), &mut events);
        if events.iter().all(|event| matches!(event, SpecialEvent::Board(_))) {
            assert_eq!((found, special.board()), (result, &plain));
            assert!(Plain::of(&special).kinds.is_empty());
            plain_games += 1;
        }
        // An illegal swap is the same error, and changes nothing.
        let swap = Swap { x: rng.below(12) as usize, y: rng.below(12) as usize, axis: Axis::Vertical };
        let before = special.clone();
        let never = || -> u8 { panic!("a draw") };
        if !special.swaps().contains(&swap) && !naive::swaps(special.board()).contains(&swap) {
            let expected = try_swap(&mut special.board().clone(), swap, never, &mut ());
            assert_eq!(special.try_swap(swap, never, &mut ()), expected);
            assert!(expected.is_err());
            assert_eq!(special, before);
        }
    }
    assert!(plain_games * 4 > count, "only {plain_games} games without special pieces");
}

struct After {
    board: SpecialBoard,
    result: CascadeResult,
    /// The pieces that the first level clears.
    first: usize,
    /// The special pieces set off, in order.
    set_off: Vec<At>,
}

fn after(board: &str, specials: &[(At, Special)], swap: Swap) -> After {
    let mut board = SpecialBoard::new(board.parse().unwrap());
    for &((x, y), kind) in specials {
        board.set_special(x, y, Some(kind)).unwrap();
    }
    let mut colors = (9..=18).cycle();
    let mut events = Vec::new();
    let result = board.try_swap(swap, || colors.next().unwrap(), &mut events).unwrap();
    let is_first =
        |event: &&SpecialEvent| matches!(event, SpecialEvent::Board(Event::Clear { level: 1, .. }));
    let first = events.iter().filter(is_first).count();
    let set_off = events.iter().filter_map(|event| match event {
        SpecialEvent::SetOff { at, .. } => Some(*at),
        _ => None,
    });
    After { set_off: set_off.collect(), board, result, first }
}

#[test]
fn pieces_by_hand() {
    let across = |x, y| Swap { x, y, axis: Axis::Horizontal };
    let down = |x, y| Swap { x, y, axis: Axis::Vertical };
    let specials = |after: &After| Plain::of(&after.board).kinds.into_iter().collect::<Vec<_>>();

    // Four in a row leave a row piece where the swapped piece is, and nothing is set off yet.
    let four = after("2213\n1121\n3234", &[], down(2, 0));
    assert_eq!(four.result, CascadeResult { cleared: 7, score: 70, levels: 1 });
    assert_eq!((specials(&four), four.set_off), (vec![((2, 1), Special::Row)], vec![]));
    assert_eq!(four.board.board().to_string(), "acde\n9b13\n3234");
    // A matched row piece clears its row, and the locked piece in it; a blocked cell neither stops it nor
    // goes.
    let row = after("56!7814\n112#!43\n231457", &[((0, 1), Special::Row)], down(2, 1));
    assert_eq!((row.first, row.set_off), (5, vec![(0, 1)]));
    assert_eq!(row.board.board().get(3, 1), Cell::BLOCKED);
    // A color piece with a neighbor: all of the neighbor's color, and itself.
    let color = [((0, 0), Special::Color)];
    let one = after("1234\n2345\n3452\n4523", &color, across(0, 0));
    assert_eq!((one.first, one.set_off), (5, vec![(1, 0)]));
    // With one of its own color.
    assert_eq!(after("1134\n2345\n3451\n4513", &color, across(0, 0)).first, 4);
    // Two color pieces: each clears the color of the other.
    let two = [((0, 0), Special::Color), ((1, 0), Special::Color)];
    assert_eq!(after("1234\n2341\n3412\n4123", &two, across(0, 0)).first, 8);
    // A chain: the run sets off a column piece, that a bomb, that a row piece. 3 of the run, 4 more of the
    // column, (1, 2) to (1, 4), then (2, 4), (3, 4).
    let chain = [((0, 0), Special::Column), ((0, 3), Special::Bomb), ((1, 4), Special::Row)];
    let turns = after("1123\n2314\n4356\n3562\n5243", &chain, down(2, 0));
    assert_eq!((turns.first, turns.set_off), (12, vec![(0, 0), (0, 3), (1, 4)]));
    // Matched ones by row, then what the first of them hits, then what the second hits: (2, 2) is hit by
    // both.
    let order = [
        ((0, 0), Special::Column),
        ((2, 1), Special::Column),
        ((0, 2), Special::Bomb),
        ((2, 3), Special::Bomb),
        ((2, 2), Special::Bomb),
    ];
    let turns = after("1123\n2314\n4356\n3562\n5243", &order, down(2, 0));
    assert_eq!(turns.set_off, [(0, 0), (2, 0), (0, 2), (2, 2), (2, 3)]);
    // A bomb in the corner of the board.
    let bomb = after("1123\n!2!314\n4356", &[((0, 0), Special::Bomb)], down(2, 0));
    assert_eq!(bomb.first, 5);
}

#[test]
fn what_is_refused() {
    let mut board = SpecialBoard::new("1.\n#!2".parse().unwrap());
    assert_eq!(board.set_special(2, 0, None), Err(SpecialError::Outside { x: 2, y: 0 }));
    assert_eq!(board.set_special(0, 2, None), Err(SpecialError::Outside { x: 0, y: 2 }));
    let row = Some(Special::Row);
    assert_eq!(board.set_special(1, 0, row), Err(SpecialError::NoPiece { x: 1, y: 0 }));
    assert_eq!(board.set_special(0, 1, row), Err(SpecialError::NoPiece { x: 0, y: 1 }));
    board.set_special(1, 1, Some(Special::Color)).unwrap();
    // Locked: not even a color piece.
    let mut locked = SpecialBoard::new("1!2".parse().unwrap());
    locked.set_special(1, 0, Some(Special::Color)).unwrap();
    let swap = Swap { x: 0, y: 0, axis: Axis::Horizontal };
    assert_eq!(locked.try_swap(swap, || 1, &mut ()), Err(SwapError::Locked { x: 1, y: 0 }));
    assert_eq!(locked.swaps(), []);

    let start = board.clone();
    let mut refused = |line: &str| {
        let fits = "setoff 1 1,1 color 7".parse().unwrap();
        let error = board.replay(&[fits, line.parse().unwrap()]).expect_err(line);
        assert_eq!((error.index, &board), (1, &start));
        error.kind
    };
    assert_eq!(refused("setoff 1 0,0 row 1"), ReplayErrorKind::NotSpecial { x: 0, y: 0 });
    assert_eq!(refused("setoff 1 1,1 bomb 2"), ReplayErrorKind::NotSpecial { x: 1, y: 1 });
    assert_eq!(refused("setoff 1 1,0 row 1"), ReplayErrorKind::NoPiece { x: 1, y: 0, found: Cell::EMPTY });
    assert_eq!(refused("create 1 0,1 row 1"), ReplayErrorKind::Occupied { x: 0, y: 1, found: Cell::BLOCKED });
    assert_eq!(refused("create 1 0,2 row 1"), ReplayErrorKind::Outside { x: 0, y: 2 });
    assert_eq!(
        refused("clear 1 0,0 2"),
        ReplayErrorKind::WrongPiece {
            x: 0,
            y: 0,
            expected: Cell::new(2).unwrap(),
            found: Cell::new(1).unwrap()
        }
    );

    let wrong = |line: &str| line.parse::<SpecialEvent>().unwrap_err();
    let kinds = "row, column, bomb or color";
    assert_eq!(
        wrong("create 1 2,3 rwo 4"),
        ParseEventError::Word { column: 14, expected: kinds, found: "rwo".into() }
    );
    assert_eq!(wrong("setoff 1 2,3"), ParseEventError::End { column: 13, expected: kinds });
    assert!(matches!(wrong("setoff 1 2,3 row 4 5"), ParseEventError::Word { column: 20, .. }));
    assert!(matches!(wrong("jump"), ParseEventError::Word { column: 1, .. }));
    assert!(matches!(wrong("fall 0,0 0"), ParseEventError::Word { column: 10, .. }));
    for kind in KINDS {
        assert_eq!(kind.to_string().parse(), Ok(kind));
    }
    assert!("rocket".parse::<Special>().is_err());
}

/// All swaps, each tried on a copy.
fn tried(board: &SpecialBoard) -> Vec<Swap> {
    let mut legal = Vec::new();
    for (x, y) in common::cells(board.board()) {
        for axis in [Axis::Horizontal, Axis::Vertical] {
            let swap = Swap { x, y, axis };
            if board.clone().try_swap(swap, draws(1, 6), &mut ()).is_ok() {
                legal.push(swap);
            }
        }
    }
    legal
}

/// Swaps and life by trial of all swaps, hints by the definition without new pieces.
#[test]
fn swaps_hints_and_life_by_trial() {
    let (mut alive, mut dead) = (0, 0);
    testkit::seeds(1_500, |seed| {
        let mut rng = Rng::new(seed);
        let colors = 3 + rng.below(12);
        let size = (1 + rng.below(6) as usize, 1 + rng.below(6) as usize);
        let shares = [rng.below(30), rng.below(20), rng.below(60)];
        let board = common::mixed(&mut rng, size, colors, shares);
        let percent = rng.below(30);
        let board = special(&mut rng, &board, percent);
        let legal = tried(&board);
        assert_eq!(board.swaps(), legal);
        for level in Level::all() {
            assert_eq!(board.swaps_on(level), legal);
        }
        assert_eq!(board.has_swap(), !legal.is_empty(), "{board:?}");
        *(if legal.is_empty() { &mut dead } else { &mut alive }) += 1;

        let rate = |&swap: &Swap| {
            let mut plain = Plain::of(&board);
            let [a, b] = swap.cells();
            plain.exchange(a, b);
            (swap, plain.levels(Some(swap), None::<fn() -> u8>))
        };
        let mut expected: Vec<(Swap, CascadeResult)> = legal.iter().map(rate).collect();
        expected.sort_by_key(|&(swap, result)| {
            (std::cmp::Reverse(result.score), swap.y, swap.x, swap.axis == Axis::Vertical)
        });
        assert_eq!(board.ranked_swaps(), expected, "{board:?}");

        let (mut settled, mut plain, mut events) = (board.clone(), Plain::of(&board), Vec::new());
        let result = settled.cascade_without_refill(&mut events);
        assert_eq!(result, plain.levels(None, None::<fn() -> u8>));
        assert_eq!((settled.board(), Plain::of(&settled).kinds), (&plain.board, plain.kinds));
        check_journal(&board, &settled, &result, &events);
    });
    assert!(alive > 300 && dead > 100 || testkit::emulated(), "{alive} {dead}");
}

/// The pieces with their kinds, sorted.
fn pieces(board: &SpecialBoard) -> Vec<(Cell, Option<u8>)> {
    let number = |kind: Special| KINDS.iter().position(|&other| other == kind).unwrap() as u8;
    let piece = |(x, y): At| (board.board().get(x, y), board.special(x, y).map(number));
    let mut pieces: Vec<_> = common::cells(board.board()).map(piece).collect();
    pieces.sort_unstable();
    pieces
}

/// Stable, and alive by trial.
fn is_good(board: &SpecialBoard) -> bool {
    naive::matched(board.board()).iter().all(|&row| row == 0) && !tried(board).is_empty()
}

/// Returns whether some order of the unlocked pieces is good, by trying all distinct orders.
fn some_order_is_good(
    board: &mut SpecialBoard,
    places: &[At],
    left: &mut BTreeMap<(Cell, Option<u8>), usize>,
) -> bool {
    let Some((&(x, y), rest)) = places.split_first() else { return is_good(board) };
    let kinds: Vec<_> = left.iter().filter(|&(_, &n)| n > 0).map(|(&piece, _)| piece).collect();
    kinds.into_iter().any(|(cell, kind)| {
        *left.entry((cell, kind)).or_default() -= 1;
        // A board with other cells: its kinds are put again.
        let mut cells = board.board().clone();
        cells.set(x, y, cell);
        let mut changed = SpecialBoard::new(cells);
        for (x, y) in common::cells(board.board()).filter(|&other| other != (x, y)) {
            if let Some(kind) = board.special(x, y) {
                changed.set_special(x, y, Some(kind)).expect("a piece");
            }
        }
        changed.set_special(x, y, kind.map(|kind| KINDS[usize::from(kind)])).expect("a piece");
        *board = changed;
        let found = some_order_is_good(board, rest, left);
        *left.entry((cell, kind)).or_default() += 1;
        found
    })
}

#[test]
fn shuffles_by_brute_force() {
    let (mut good, mut none, mut by_color_alone) = (0, 0, 0);
    testkit::seeds(3_000, |seed| {
        let mut rng = Rng::new(seed);
        let size = [(3, 3), (4, 1), (2, 2), (9, 1), (2, 4), (1, 5), (3, 2)][rng.below(7) as usize];
        let colors = 2 + rng.below(4);
        let shares = [rng.below(40), rng.below(20), rng.below(50)];
        let board = common::mixed(&mut rng, size, colors, shares);
        let percent = rng.below(30);
        let board = special(&mut rng, &board, percent);
        let places: Vec<At> =
            common::cells(board.board()).filter(|&(x, y)| board.board().get(x, y).is_swappable()).collect();
        if places.len() > 6 {
            // Too many orders for the definition.
            return;
        }
        let mut left = BTreeMap::new();
        let number = |kind: Special| KINDS.iter().position(|&other| other == kind).unwrap() as u8;
        for &(x, y) in &places {
            *left.entry((board.board().get(x, y), board.special(x, y).map(number))).or_default() += 1;
        }
        let exists = some_order_is_good(&mut board.clone(), &places, &mut left);
        let mut after = board.clone();
        match after.shuffle(&mut rng) {
            Ok(()) => {
                assert!(exists && is_good(&after), "{board:?}\n{after:?}");
                assert_eq!(pieces(&after), pieces(&board));
                for (x, y) in common::cells(board.board()).filter(|at| !places.contains(at)) {
                    assert_eq!(after.board().get(x, y), board.board().get(x, y));
                    assert_eq!(after.special(x, y), board.special(x, y));
                }
                good += 1;
                by_color_alone += u32::from(naive::swaps(after.board()).is_empty());
            }
            Err(error) => {
                assert_eq!((error, exists), (ShuffleError::NoneExists, false), "{board:?}");
                assert_eq!(after, board, "a refused shuffle changes nothing");
                none += 1;
            }
        }
    });
    let enough = good > 100 && none > 300 && by_color_alone > 50;
    assert!(enough || testkit::emulated(), "{good} {none} {by_color_alone}");
}

#[test]
fn shuffles_and_deals_of_games() {
    testkit::seeds(400, |seed| {
        let mut rng = Rng::new(seed);
        let colors = 4 + rng.below(4);
        let board = random_board(&mut rng, colors);
        let percent = rng.below(40);
        let board = special(&mut rng, &board, percent);
        let mut after = board.clone();
        if after.shuffle(&mut rng).is_ok() {
            assert!(is_good(&after), "{board:?}\n{after:?}");
            assert_eq!(pieces(&after), pieces(&board));
        }
        let mut dealt = board.clone();
        if dealt.redeal(colors as u8, &mut rng).is_ok() {
            assert!(is_good(&dealt), "{board:?}\n{dealt:?}");
            for (x, y) in common::cells(board.board()) {
                assert_eq!(dealt.special(x, y), board.special(x, y));
                let (before, now) = (board.board().get(x, y), dealt.board().get(x, y));
                assert_eq!(before.is_hole(), now.is_hole());
                assert_eq!(before.is_locked(), now.is_locked());
            }
        }
        // Without special pieces: the draws and results of the plain board.
        let (mut one, mut two) = (Rng::new(seed), Rng::new(seed));
        let (mut plain, mut same) = (board.board().clone(), SpecialBoard::new(board.board().clone()));
        assert_eq!(shuffle(&mut plain, &mut one), same.shuffle(&mut two));
        assert_eq!((&plain, one.next_u64()), (same.board(), two.next_u64()));
        assert_eq!(redeal(&mut plain, colors as u8, &mut one), same.redeal(colors as u8, &mut two));
        assert_eq!((&plain, one.next_u64()), (same.board(), two.next_u64()));
        let dealt = SpecialBoard::deal(5, 6, colors as u8, &mut one).expect("a board");
        assert_eq!(Ok(dealt.board()), deal(5, 6, colors as u8, &mut two).as_ref());
        assert!(is_good(&dealt) && Plain::of(&dealt).kinds.is_empty());
    });
    let refused = SpecialBoard::deal(3, 1, 6, &mut Rng::new(1));
    assert_eq!(refused, Err(DealError::Arrangement(ShuffleError::NoneExists)));
    assert_eq!(SpecialBoard::deal(3, 3, 0, &mut Rng::new(1)), Err(DealError::Colors { colors: 0 }));
}

/// A board with a single way to live: its color piece has to touch another piece.
#[test]
fn a_color_piece_is_put_next_to_a_piece() {
    // Thirty pieces alone, and two that touch, of colors that make no run.
    let text = format!("12{}", "#3".repeat(30));
    for seed in 0..20 {
        let mut board = SpecialBoard::new(text.parse().expect("a board"));
        board.set_special(31, 0, Some(Special::Color)).expect("a piece");
        assert!(!board.has_swap());
        board.shuffle(&mut Rng::new(seed)).expect("an order");
        assert!(is_good(&board), "{board:?}");
    }
}

/// The single color piece has a color of its own, and only two of a thousand places touch: random orders hardly
/// find it, so that the search through all orders has to tell its color from other rare ones.
#[test]
fn a_rare_color_piece_is_searched_for() {
    let mut text = format!("12{}\n", "#3".repeat(31));
    for _ in 0..15 {
        text += &format!("{}\n{}\n", "#".repeat(64), "#3".repeat(32));
    }
    let text = text.replacen("3\n", "4\n", 1).replacen("#3#3\n", "#5#6\n", 1).replacen("#3#3\n", "#7#8\n", 1);
    let mut found = 0;
    for seed in 0..20 {
        let mut board = SpecialBoard::new(text.parse().expect("a board"));
        board.set_special(63, 0, Some(Special::Color)).expect("the piece of color 4");
        match board.shuffle(&mut Rng::new(seed)) {
            Ok(()) => found += u32::from(is_good(&board)),
            Err(error) => assert_eq!(error, ShuffleError::NotFound),
        }
    }
    assert!(found >= 8, "{found} of 20");
}

/// A board on which no run fits lives by its color piece, whatever the colors are.
#[test]
fn a_color_piece_is_dealt_for() {
    let mut board = SpecialBoard::new("12\n#3".parse().expect("a board"));
    let refused = board.redeal(3, &mut Rng::new(1));
    assert_eq!(refused, Err(DealError::Arrangement(ShuffleError::NoneExists)));
    board.set_special(0, 0, Some(Special::Color)).expect("a piece");
    board.redeal(3, &mut Rng::new(1)).expect("any colors");
    assert!(is_good(&board) && board.special(0, 0) == Some(Special::Color));
}
