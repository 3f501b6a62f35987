//! Every form of a slide, of random play, of a batch and of learning, compared with the reference on every
//! level.

mod batch;
mod learn;

use bitcore::{Level, Rng};
use g2048::packed::playout4x4_on;
use g2048::reference::{
    naive_perft, naive_playout, naive_playout4x4, naive_slide_line, slide_board, slide_four_by_four,
    slide_line,
};
use g2048::{Board, Boards32, Direction, Perft, Playouts, Playouts4x4, Size, Slide, Slides, Stats, Stopped};

/// Checks all forms of the four slides of up to 32 boards.
fn check_slides(boards: &[Board]) {
    let lanes = Boards32::from_boards(boards).unwrap();
    // Of another size: the contents must not matter.
    let mut slides = Slides::new(Size::new(8, 8).unwrap());
    for direction in Direction::ALL {
        let expected: Vec<Slide> = boards
            .iter()
            .map(|board| {
                let (board, slid) = slide_board(board, direction);
                Slide { board, gain: slid.gain, changed: slid.changed }
            })
            .collect();
        for level in Level::all() {
            lanes.slide_into_on(level, direction, &mut slides);
            for (lane, expected) in expected.iter().enumerate() {
                let changed = slides.changed >> lane & 1 == 1;
                let found = Slide { board: slides.boards.board(lane), gain: slides.gains[lane], changed };
                assert_eq!(found, *expected, "{level}, {direction}, lane {lane} of {:?}", boards[lane]);
            }
            assert_eq!(slides, lanes.slide(direction), "{level}");
            let mut to = Boards32::empty(Size::new(8, 8).unwrap());
            let changed = lanes.slide_boards_on(level, direction, &mut to);
            assert_eq!((to, changed), (slides.boards.clone(), slides.changed), "{level}");
        }
        for (board, expected) in boards.iter().zip(&expected) {
            assert_eq!(board.slide(direction), *expected, "{direction} of {board:?}");
            assert_eq!(board.is_legal(direction), expected.changed, "{direction} of {board:?}");
            assert_eq!(expected.board.potential() - board.potential(), expected.gain);
        }
    }
}

/// Returns a board with few or many kinds of tiles and few or many empty cells.
fn random_board(rng: &mut Rng, size: Size) -> Board {
    let kinds = [1, 2, 3, 6, 17, 50][rng.below(6) as usize];
    let empty = rng.below(100);
    let ranks: Vec<u8> = (0..size.cells())
        .map(|_| if rng.below(100) < empty { 0 } else { 1 + rng.below(kinds) as u8 })
        .collect();
    Board::from_ranks(size, &ranks).unwrap()
}

fn random_size(rng: &mut Rng) -> Size {
    Size::new(2 + rng.below(7) as usize, 2 + rng.below(7) as usize).unwrap()
}

/// Checks all 65,536 lines of four cells of rank 0 to 15, in rows and in columns.
#[test]
fn all_lines_of_four() {
    let _ = testkit::levels();
    let lines: Vec<[u8; 4]> =
        (0..1 << 16).map(|n: u32| [0, 4, 8, 12].map(|shift| (n >> shift & 15) as u8)).collect();
    let boards: Vec<Board> =
        lines.chunks(4).map(|rows| Board::from_ranks(Size::CLASSIC, &rows.concat()).unwrap()).collect();
    for boards in boards.chunks(32) {
        check_slides(boards);
        check_slides(&boards.iter().map(Board::transpose).collect::<Vec<_>>());
        for board in boards {
            for direction in Direction::ALL {
                let mut cells: [u64; 16] = board.tiles().collect::<Vec<_>>().try_into().unwrap();
                let slid = slide_four_by_four(&mut cells, direction);
                let (expected, expected_slid) = slide_board(board, direction);
                assert!(expected.tiles().eq(cells), "{direction} of {board:?}");
                assert_eq!(slid, expected_slid, "{direction} of {board:?}");
            }
        }
    }
}

#[test]
fn slides_of_any_size() {
    let _ = testkit::levels();
    testkit::seeds(4_000, |seed| {
        let mut rng = Rng::new(seed);
        let size = random_size(&mut rng);
        let boards: Vec<Board> = (0..=rng.below(32)).map(|_| random_board(&mut rng, size)).collect();
        check_slides(&boards);
    });
}

#[test]
fn two_pointers_are_the_rule_on_any_line() {
    testkit::seeds(200_000, |seed| {
        let mut rng = Rng::new(seed);
        let kinds = 2 + rng.below(5);
        let mut line: Vec<u64> = (0..rng.below(20)).map(|_| (1 << rng.below(kinds)) & !1).collect();
        let (expected, expected_slid) = naive_slide_line(&line);
        assert_eq!(slide_line(&mut line), expected_slid);
        assert_eq!(line, expected);
    });
}

/// 32768 + 32768 no longer fits into a rank of four bits; 65536 + 65536 is the largest tile of 4x4.
#[test]
fn large_tiles_merge_in_every_form() {
    for tile in [1u64 << 14, 1 << 15, 1 << 16, 1 << 49, 1 << 50] {
        let board: Board =
            format!("{tile} {tile} . .\n. . {tile} .\n. . . .\n. {tile} {tile} {tile}").parse().unwrap();
        check_slides(&[board]);
        let slide = board.slide(Direction::Left);
        assert_eq!((slide.gain, slide.board.tiles().next()), (4 * tile, Some(2 * tile)));
    }
}

/// Games are the same in any portions, on any level, and in the naive form.
#[test]
fn random_play_is_the_naive_play() {
    let _ = testkit::levels();
    testkit::seeds(100, |seed| {
        let mut rng = Rng::new(seed);
        let sides = [(2, 2), (3, 2), (2, 4), (3, 3), (4, 4), (2, 8), (4, 3)][rng.below(7) as usize];
        let size = Size::new(sides.0, sides.1).unwrap();
        let (first, second) = (u64::from(rng.below(40)), u64::from(rng.below(40)));
        let games = (first + second) as usize;
        let naive = Rng::streams(seed).take(games).map(|mut rng| naive_playout(size, &mut rng));
        let expected: Stats = naive.sum();
        for level in Level::all() {
            let mut playouts = Playouts::new(size, seed);
            let mut found = playouts.run_on(level, first);
            found += playouts.run_on(level, second);
            assert_eq!(found, expected, "{level}, {size}, {first} + {second} games");
            assert_eq!(found.games(), first + second);
        }
    });
}

/// Game g is the (g / 32)-th game on stream g % 32, in any portions and on any level.
#[test]
fn games_in_lockstep_are_the_naive_games() {
    let _ = testkit::levels();
    testkit::seeds(40, |seed| {
        let mut rng = Rng::new(seed);
        let portions = [rng.below(70), rng.below(3), rng.below(70)].map(u64::from);
        let mut streams: Vec<Rng> = Rng::streams(seed).take(32).collect();
        let mut next = 0;
        let expected: Vec<Stats> = portions
            .iter()
            .map(|&games| {
                let numbers = next..next + games as usize;
                next = numbers.end;
                numbers.map(|number| naive_playout4x4(&mut streams[number % 32])).sum()
            })
            .collect();
        for level in Level::all() {
            let (mut chosen, mut packed) = (Playouts4x4::new(seed), Playouts4x4::new(seed));
            let mut streams = Rng::streams(seed).take(32).collect::<Vec<_>>();
            let mut game = 0;
            for (&games, expected) in portions.iter().zip(&expected) {
                let found = [
                    chosen.run_on(level, games),
                    packed.run_packed_on(level, games),
                    (game..game + games)
                        .map(|game| playout4x4_on(level, &mut streams[game as usize % 32]))
                        .sum(),
                ];
                game += games;
                assert_eq!(found, [*expected; 3], "{level}, {portions:?}");
            }
        }
    });
}

#[test]
fn perft_is_the_naive_perft() {
    testkit::seeds(150, |seed| {
        let mut rng = Rng::new(seed);
        let sizes = [(2, 2, 5), (3, 2, 3), (2, 3, 3), (3, 3, 3), (4, 4, 2), (2, 8, 2)];
        let (width, height, depth) = sizes[rng.below(6) as usize];
        let board = random_board(&mut rng, Size::new(width, height).unwrap());
        for (row, depth) in Perft::new(&board).zip(1..=depth) {
            assert_eq!(row, Ok(naive_perft(&board, depth)), "{board:?}");
        }
    });
}

/// Every game on 2x2 ends, so the rows end, and the last one has no path.
#[test]
fn perft_ends_with_the_last_path() {
    let board: Board = "2 .\n. 2".parse().unwrap();
    let rows: Vec<_> = Perft::new(&board).map(Result::unwrap).collect();
    let (last, before) = (rows[rows.len() - 1], rows[rows.len() - 2]);
    assert_eq!((last.nodes, last.distinct, last.gain), (0, 0, 0));
    assert_eq!(last.dead, before.nodes);
    assert!(rows[..rows.len() - 1].iter().all(|row| row.nodes > 0));
}

#[test]
fn symmetries_are_a_group_of_images() {
    testkit::seeds(5_000, |seed| {
        let mut rng = Rng::new(seed);
        let size = random_size(&mut rng);
        let board = random_board(&mut rng, size);
        let images = board.symmetries();
        for image in images {
            assert_eq!(image.canonical(), board.canonical());
            assert!(image.symmetries().iter().all(|twice| images.contains(twice)));
        }
        assert_eq!(board.transpose().transpose(), board);
        assert_eq!(board.mirror().mirror(), board);
        // The image of a slide is the slide of the image toward the image of the wall.
        let slid = |board: Board, direction| board.slide(direction).board;
        for (direction, mirrored, transposed) in [
            (Direction::Left, Direction::Right, Direction::Up),
            (Direction::Right, Direction::Left, Direction::Down),
            (Direction::Up, Direction::Up, Direction::Left),
            (Direction::Down, Direction::Down, Direction::Right),
        ] {
            assert_eq!(slid(board, direction).mirror(), slid(board.mirror(), mirrored));
            assert_eq!(slid(board, direction).transpose(), slid(board.transpose(), transposed));
        }
    });
}

/// The eight images of a board of nine different ranks are all different.
#[test]
fn nine_ranks_have_eight_images() {
    let board = Board::from_ranks(Size::new(3, 3).unwrap(), &[1, 2, 3, 4, 5, 6, 7, 8, 9]).unwrap();
    let mut images = board.symmetries().to_vec();
    images.sort_unstable();
    images.dedup();
    assert_eq!(images.len(), 8);
    assert_eq!(images[0], board.canonical());
}

#[test]
fn a_spawn_fills_one_empty_cell_by_two_draws() {
    testkit::seeds(5_000, |seed| {
        let mut rng = Rng::new(seed);
        let size = random_size(&mut rng);
        let before = random_board(&mut rng, size);
        let (mut board, mut twin) = (before, rng.clone());
        let cell = board.spawn(&mut rng);
        if before.empty_cells() == 0 {
            assert_eq!((cell, board, rng), (None, before, twin));
            return;
        }
        let cell = cell.unwrap();
        let (k, four) = (twin.below(before.empty_cells() as u32), twin.below(10) == 0);
        assert_eq!(before.ranks()[..cell].iter().map(|&rank| u32::from(rank == 0)).sum::<u32>(), k);
        assert_eq!((before.ranks()[cell], board.ranks()[cell]), (0, 1 + u8::from(four)));
        assert!(
            (0..size.cells()).all(|other| other == cell || board.ranks()[other] == before.ranks()[other])
        );
        assert!(before.spawns().any(|spawned| spawned == board));
        assert_eq!(rng, twin);
    });
}

#[test]
fn digests_are_equal() {
    testkit::digest("g2048", include_str!("data/digest.txt"), g2048::digest);
}

#[test]
fn stopped_runs() {
    use std::cell::Cell;
    // A game on 8x8 has seven million moves.
    let size = Size::new(8, 8).unwrap();
    let asked = Cell::new(0);
    let stop = || asked.replace(asked.get() + 1) == 2;
    assert_eq!(Playouts::new(size, 1).run_until(32, &stop), Err(Stopped));
    assert_eq!(asked.get(), 3);
    let whole = Playouts::new(Size::CLASSIC, 1).run(40);
    assert_eq!(Playouts::new(Size::CLASSIC, 1).run_until(40, &|| false), Ok(whole));

    // A row with enough boards for several questions.
    let mut perft = Perft::new(
        &"2 4 8 16
. 2 4 8
. . 2 2
. . . 4"
            .parse()
            .unwrap(),
    );
    assert_eq!(perft.nth(2).unwrap().unwrap().distinct, 18601);
    asked.set(0);
    assert_eq!(perft.next_until(&stop), Err(Stopped));
    assert_eq!(asked.get(), 3);
}
