//! Boards as bit planes, on every level: lists, runs, cascades and random play against the cell-by-cell
//! rules.

use crate::common;
use bitcore::batch::TooManyGames;
use bitcore::{Level, Rng};
use match3::board64::Board64;
use match3::boards8::Boards8;
use match3::colors::{Colors, RandomColors};
use match3::mask::Mask;
use match3::planes::{PlaneBoard, PlaneLayout, PlanesError};
use match3::playout::{RandomGame, Stats};
use match3::reference::{naive, plain::ByteBoard};
use match3::{Axis, Board, Board8, Board16, Cell, Playouts, Swap, SwapError, Swaps, has_swap, try_swap};

/// A mixed board with sides up to `longest`, of up to `colors` colors.
fn mixed(rng: &mut Rng, longest: u32, colors: u32) -> Board {
    let size = match rng.below(3) {
        0 => (longest as usize, longest as usize),
        _ => (1 + rng.below(longest) as usize, 1 + rng.below(longest) as usize),
    };
    let colors = 1 + rng.below(colors);
    let shares = [rng.below(2) * rng.below(40), rng.below(2) * rng.below(20), rng.below(2) * rng.below(30)];
    common::mixed(rng, size, colors, shares)
}

fn listed<M: Mask>(swaps: &Swaps<M>, expected: &[Swap], board: &Board) {
    assert!(swaps.iter().eq(expected.iter().copied()), "{board}");
    assert_eq!((swaps.len(), swaps.is_empty()), (expected.len(), expected.is_empty()));
    assert!(expected.iter().all(|&swap| swaps.contains(swap)));
    for y in 0..=board.height() {
        for x in 0..=board.width() {
            for axis in [Axis::Horizontal, Axis::Vertical] {
                let swap = Swap { x, y, axis };
                assert_eq!(swaps.contains(swap), expected.contains(&swap), "{swap}\n{board}");
            }
        }
    }
}

fn lists_and_runs<const WORDS: usize, const P: usize>(board: &Board, expected: &[Swap])
where
    PlaneBoard<WORDS, P>: PlaneLayout<WORDS, P>,
{
    let planes = PlaneBoard::<WORDS, P>::new(board).expect("it fits");
    assert_eq!(&Board::from(planes), board);
    assert_eq!(planes.has_swap(), !expected.is_empty());
    let runs = naive::matched(board);
    assert_eq!((0..board.height()).map(|y| planes.matched().row(y)).collect::<Vec<_>>(), runs, "{board}");
    assert_eq!(planes.is_stable(), runs.iter().all(|&row| row == 0));
    for level in Level::all() {
        listed(&planes.swaps_on(level), expected, board);
        assert_eq!(planes.matched_on(level), planes.matched(), "{level}\n{board}");
        let count = PlaneBoard::count_swaps_on(level, &[planes; 5]);
        assert_eq!(count, 5 * expected.len() as u64, "{level}\n{board}");
    }
}

#[test]
fn lists_and_runs_equal_brute_force() {
    let _ = testkit::levels();
    testkit::seeds(3_000, |seed| {
        let mut rng = Rng::new(seed);
        let board = mixed(&mut rng, 8, 7);
        let expected = naive::swaps(&board);
        lists_and_runs::<1, 3>(&board, &expected);
        lists_and_runs::<1, 4>(&board, &expected);
        lists_and_runs::<4, 3>(&board, &expected);
        let board = mixed(&mut rng, 16, 15);
        lists_and_runs::<4, 4>(&board, &naive::swaps(&board));
    });
}

#[test]
fn boards_in_rows_equal_brute_force() {
    testkit::seeds(150, |seed| {
        let mut rng = Rng::new(seed);
        let most = [7, 15, 35][rng.below(3) as usize];
        let board = mixed(&mut rng, 64, most);
        let expected = naive::swaps(&board);
        for level in Level::all() {
            let rows = Board64::new_on(level, &board);
            assert!(rows.swaps_on(level).iter().eq(expected.iter().copied()), "{level}\n{board}");
            assert_eq!(rows.matched_on(level).words(), naive::matched(&board), "{level}\n{board}");
        }
    });
}

#[test]
fn many_boards_at_once_equal_each_alone() {
    let mut rng = Rng::new(11);
    for n in 0..40 {
        let boards: Vec<Board8> =
            (0..n).map(|_| Board8::new(&mixed(&mut rng, 8, 7)).expect("7 colors")).collect();
        let together = Boards8::new(&boards);
        let (mut right, mut down) = (vec![0; n], vec![0; n]);
        together.swaps_into(&mut right, &mut down);
        let each: Vec<Swaps<_>> = boards.iter().map(Board8::swaps).collect();
        assert!(each.iter().map(|swaps| swaps.right.words()).eq(right.iter().map(|&word| [word])));
        assert!(each.iter().map(|swaps| swaps.down.words()).eq(down.iter().map(|&word| [word])));
        let count: usize = each.iter().map(Swaps::len).sum();
        assert_eq!((together.len(), together.is_empty()), (n, n == 0));
        for level in Level::all() {
            assert_eq!(together.count_swaps_on(level), count as u64);
            let (mut across, mut along) = (vec![0; n], vec![0; n]);
            together.swaps_into_on(level, &mut across, &mut along);
            assert_eq!((&across, &along), (&right, &down), "{level}");
        }
    }
}

/// The same colors at every call.
fn draws(seed: u64, colors: u32) -> impl FnMut() -> u8 {
    let mut rng = Rng::new(seed);
    move || 1 + rng.below(colors) as u8
}

fn cascades<const WORDS: usize, const P: usize>(board: &Board, seed: u64)
where
    PlaneBoard<WORDS, P>: PlaneLayout<WORDS, P>,
{
    let mut expected = board.clone();
    let result = naive::cascade(&mut expected, draws(seed, 7));
    let planes = PlaneBoard::<WORDS, P>::new(board).expect("it fits");
    for level in Level::all() {
        let mut fallen = planes;
        assert_eq!(fallen.cascade_on(level, &mut draws(seed, 7)), result, "{level}\n{board}");
        assert_eq!(Board::from(fallen), expected, "{level}\n{board}");
        let mut colors = RandomColors::new(7, Rng::new(seed)).expect("7 colors");
        let mut same = colors.clone();
        let mut by_hand = board.clone();
        let result = naive::cascade(&mut by_hand, || same.next());
        let mut fallen = planes;
        assert_eq!(fallen.cascade_on(level, &mut colors), result);
        assert_eq!(Board::from(fallen), by_hand, "{level}\n{board}");
        assert_eq!(colors, same, "as many colors were drawn");
    }
    let mut expected = board.clone();
    let result = match3::cascade::cascade_without_refill(&mut expected, &mut ());
    for level in Level::all() {
        let mut settled = planes;
        assert_eq!(settled.cascade_without_refill_on(level), result);
        assert_eq!(Board::from(settled), expected, "{level}\n{board}");
    }
}

#[test]
fn cascades_equal_the_plain_rules() {
    let _ = testkit::levels();
    testkit::seeds(2_000, |seed| {
        let mut rng = Rng::new(seed);
        let board = mixed(&mut rng, 8, 7);
        cascades::<1, 3>(&board, seed);
        cascades::<4, 3>(&board, seed);
        cascades::<4, 4>(&mixed(&mut rng, 16, 15), seed);
    });
}

#[test]
fn swaps_are_tried_like_on_cells() {
    testkit::seeds(3_000, |seed| {
        let mut rng = Rng::new(seed);
        let board = mixed(&mut rng, 16, 7);
        let axis = if rng.below(2) == 0 { Axis::Horizontal } else { Axis::Vertical };
        let at = |rng: &mut Rng, side: usize| rng.below(side as u32 + 1) as usize;
        let swap = Swap { x: at(&mut rng, board.width()), y: at(&mut rng, board.height()), axis };
        let (mut cells, mut planes) = (board.clone(), Board16::<3>::new(&board).expect("it fits"));
        let expected = try_swap(&mut cells, swap, draws(seed, 7), &mut ());
        assert_eq!(planes.try_swap(swap, &mut draws(seed, 7)), expected);
        assert_eq!(Board::from(planes), cells);
        if expected.is_err() {
            assert_eq!(cells, board, "an illegal swap leaves the board untouched");
        }
    });
    let mut board: Board8 = Board8::new(&"1122".parse::<Board>().unwrap()).unwrap();
    let outside = Swap { x: 3, y: 0, axis: Axis::Horizontal };
    assert_eq!(board.try_swap(outside, &mut || 1), Err(SwapError::Outside { x: 4, y: 0 }));
}

#[test]
fn what_does_not_fit_is_refused() {
    let board = |text: &str| text.parse::<Board>().expect("a board");
    let error = PlanesError::Color { x: 1, y: 1, found: 8, largest: 7 };
    assert_eq!(Board8::<3>::new(&board("12\n38")), Err(error));
    assert_eq!(
        error.to_string(),
        "column 1 of row 1, from 0: color 8, expected at most 7 in these bit planes"
    );
    assert!(Board8::<4>::new(&board("12\n38")).is_ok());
    let error = PlanesError::Color { x: 0, y: 0, found: 16, largest: 15 };
    assert_eq!(Board16::<4>::new(&board("g2")), Err(error));
    // Rows hold every color.
    assert!(Board64::new(&board("z2")).swaps().is_empty());
    let error = PlanesError::Size { width: 9, height: 1, longest: 8 };
    assert_eq!(Board8::<3>::new(&board("123456712")), Err(error));
    let long = Board::new(1, 17).expect("17 rows");
    assert_eq!(Board16::<3>::new(&long), Err(PlanesError::Size { width: 1, height: 17, longest: 16 }));
    for count in [0, 16] {
        let error = PlanesError::Colors { found: count, least: 1, largest: 15 };
        assert_eq!(RandomColors::new(count, Rng::new(1)), Err(error));
    }
    let mut eight = RandomColors::new(8, Rng::new(1)).expect("eight colors");
    let error = PlanesError::Colors { found: 8, least: 3, largest: 7 };
    assert_eq!(Board8::<3>::deal(8, 8, &mut eight), Err(error));
    let error = PlanesError::Colors { found: 2, least: 3, largest: 15 };
    assert_eq!(RandomGame::new(2, Rng::new(1)), Err(error));
    assert_eq!(Playouts::new(5, 2, 1).map(|_| ()), Err(error));
    for games in [usize::MAX, usize::MAX / 16, isize::MAX as usize / 4] {
        for colors in [6, 15] {
            let error = Playouts::new(games, colors, 1).map(|_| ()).unwrap_err();
            assert_eq!(error, PlanesError::Games(TooManyGames { games }));
            assert_eq!(error.to_string(), format!("{games} games: more than memory can hold"));
        }
    }
}

/// The documented draws, number by number.
fn colors_by_hand(count: u8, rng: &mut Rng, into: &mut Vec<u8>) {
    let bits = (0..8).find(|&bits| 1 << bits >= u32::from(count)).expect("few bits");
    let words: Vec<u64> = (0..bits).map(|_| rng.next_u64()).collect();
    for i in 0..64 {
        let number = words.iter().enumerate().fold(0, |n, (bit, word)| n | (word >> i & 1) << bit) as u8;
        if number < count {
            into.push(number + 1);
        }
    }
}

#[test]
fn random_colors_are_drawn_as_documented() {
    for count in 1..=15 {
        let mut rng = Rng::new(u64::from(count));
        let mut colors = RandomColors::new(count, rng.clone()).expect("15 colors");
        let mut expected = Vec::new();
        while expected.len() < 5000 {
            colors_by_hand(count, &mut rng, &mut expected);
        }
        let drawn: Vec<u8> = (0..5000).map(|_| colors.next()).collect();
        assert_eq!(drawn, expected[..5000], "{count} colors");
    }
}

/// Plays games one by one with the plain engine.
fn plain(games: usize, colors: u8, seed: u64, moves: u64) -> (Stats, Vec<Board>) {
    let (mut stats, mut boards) = (Stats::default(), Vec::new());
    for rng in Rng::streams(seed).take(games) {
        let game = RandomGame::new(colors, rng).expect("colors that fit");
        let mut colors = game.colors().clone();
        let mut engine = ByteBoard::new(&game.board()).expect("nothing blocked");
        for _ in 0..moves {
            let result = engine.random_step(&mut colors);
            stats += Stats { moves: 1, cleared: result.cleared, score: result.score };
        }
        boards.push(engine.board());
    }
    (stats, boards)
}

fn playouts(games: usize, colors: u8, seed: u64, portions: &[u64]) {
    let (stats, boards) = plain(games, colors, seed, portions.iter().sum());
    for level in testkit::levels() {
        let mut playouts = Playouts::new(games, colors, seed).expect("colors that fit");
        let mut sum = Stats::default();
        for &moves in portions {
            sum += playouts.run_on(level, moves);
        }
        assert_eq!(sum, stats, "{level}, {games} games, {colors} colors");
        assert!(playouts.games().iter().map(RandomGame::board).eq(boards.iter().cloned()));
        // One after the other, at once and step by step.
        let alone = Playouts::new(games, colors, seed).expect("colors that fit");
        let (mut at_once, mut by_steps) = (Stats::default(), Stats::default());
        for (mut game, together) in alone.games().into_iter().zip(playouts.games()) {
            let mut steps = game.clone();
            for &moves in portions {
                at_once += game.run_on(level, moves);
            }
            for _ in 0..portions.iter().sum() {
                let result = steps.step_on(level);
                by_steps += Stats { moves: 1, cleared: result.cleared, score: result.score };
            }
            assert_eq!((&game, &steps), (&together, &together), "{level}");
        }
        assert_eq!((at_once, by_steps), (stats, stats), "{level}");
    }
}

#[test]
fn games_in_lockstep_equal_plain_games() {
    // Seven colors: a board is dead after one move in 70, and is replaced.
    for colors in 3..=7 {
        playouts(9, colors, 1, &[40, 0, 1, 60]);
    }
    for colors in [3, 8, 12, 15] {
        playouts(6, colors, 2, &[30]);
    }
    playouts(70, 6, 3, &[50]);
    playouts(0, 6, 3, &[50]);
}

#[test]
fn a_game_does_not_depend_on_those_beside_it() {
    let games = |n| {
        let mut playouts = Playouts::new(n, 6, 5).expect("six colors");
        playouts.run(30);
        playouts.games()
    };
    let all = games(130);
    for n in [1, 2, 3, 4, 5, 63, 64, 65] {
        assert_eq!(games(n), all[..n], "{n} games");
    }
}

#[test]
fn dead_boards_are_dealt_anew() {
    // Fifteen colors: nearly every move ends on a dead board.
    let (mut dealt, mut game) = (0, RandomGame::new(15, Rng::new(9)).expect("15 colors"));
    for _ in 0..500 {
        dealt += u64::from(!has_swap(&game.board()));
        game.step();
    }
    assert!(dealt > 100, "{dealt}");
}

#[test]
fn dealt_boards_are_full_stable_and_alive() {
    for count in 3..=7 {
        let mut colors = RandomColors::new(count, Rng::new(count.into())).expect("7 colors");
        for _ in 0..200 {
            let board = Board8::<3>::deal(8, 8, &mut colors).expect("three colors");
            assert!(board.is_stable() && board.has_swap());
            let cells = Board::from(board);
            assert!(cells.cells().iter().all(|&cell| cell.color().is_some_and(|color| color <= count)));
            assert_ne!(cells.get(0, 0), Cell::EMPTY);
        }
    }
}
