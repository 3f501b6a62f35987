//! The 64-bit board, compared with the published line algorithm and with the board of bytes.

use bitcore::{Level, Rng};
use g2048::packed::playout_from;
use g2048::reference::{naive_playout_from, slide_board, slide_line};
use g2048::{Board, Direction, PackError, Packed, Playouts, Size, Stats};

/// Returns a 4x4 board of few or many kinds of tiles, few or many empty cells, and ranks up to 15.
fn random_board(rng: &mut Rng) -> Board {
    let (least, kinds) = [(1, 1), (1, 2), (1, 4), (1, 15), (13, 3), (15, 1)][rng.below(6) as usize];
    let empty = rng.below(100);
    let ranks: Vec<u8> =
        (0..16).map(|_| if rng.below(100) < empty { 0 } else { (least + rng.below(kinds)) as u8 }).collect();
    Board::from_ranks(Size::CLASSIC, &ranks).unwrap()
}

/// Compares all slides of every row, in each of the four rows and columns, with two pointers.
#[test]
fn all_rows_by_two_pointers() {
    let mut overflows = 0;
    for row in 0..1u64 << 16 {
        let ranks = [0, 4, 8, 12].map(|shift| row >> shift & 15);
        let tiles = ranks.map(|rank| if rank == 0 { 0 } else { 1u64 << rank });
        let (mut left, mut right) = (tiles, tiles);
        let slid_left = slide_line(&mut left);
        right.reverse();
        let slid_right = slide_line(&mut right);
        right.reverse();
        for (tiles, slid, direction, across) in [
            (left, slid_left, Direction::Left, Direction::Up),
            (right, slid_right, Direction::Right, Direction::Down),
        ] {
            for y in 0..4 {
                let packed = Packed::from_bits(row << (16 * y));
                let slides = [packed.slide(direction), packed.transpose().slide(across)];
                if tiles.contains(&65536) {
                    assert_eq!(slides, [None, None], "{packed}");
                    overflows += 1;
                    continue;
                }
                let bits = (0..4).fold(0, |bits, x| {
                    bits | u64::from(tiles[x].checked_ilog2().unwrap_or(0)) << (16 * y + 4 * x)
                });
                for (slide, transposed) in slides.into_iter().zip([false, true]) {
                    let slide = slide.unwrap();
                    let board = if transposed { slide.board.transpose() } else { slide.board };
                    assert_eq!(board.bits(), bits, "{packed}");
                    assert_eq!((u64::from(slide.gain), slide.changed), (slid.gain, slid.changed));
                }
            }
        }
    }
    // The rows with two 32768s and only empty cells between them, in 4 places and 2 directions.
    let rows = (0..1u32 << 16).filter(|row| {
        let tiles: Vec<u32> = (0..4).map(|x| row >> (4 * x) & 15).filter(|&rank| rank > 0).collect();
        tiles.windows(2).any(|pair| pair == [15, 15])
    });
    assert_eq!(overflows, 8 * rows.count());
}

#[test]
fn random_boards_as_in_bytes() {
    testkit::seeds(20_000, |seed| {
        let mut rng = Rng::new(seed);
        let board = random_board(&mut rng);
        let packed = Packed::new(&board).unwrap();
        assert_eq!(packed.board(), board);
        assert_eq!(Packed::from_bits(packed.bits()), packed);
        assert_eq!(packed.to_string(), board.to_string());
        assert_eq!(packed.empty_cells() as usize, board.empty_cells());
        assert_eq!(packed.max_rank(), board.max_rank());
        assert_eq!(packed.is_over(), board.is_over());
        assert_eq!(packed.transpose().board(), board.transpose());
        assert_eq!(packed.mirror().board(), board.mirror());
        assert_eq!(packed.symmetries().map(Board::from), board.symmetries());
        assert!(packed.symmetries().contains(&packed.canonical()));
        assert!(packed.symmetries().iter().all(|image| image.canonical() == packed.canonical()));
        for direction in Direction::ALL {
            let (expected, slid) = slide_board(&board, direction);
            assert_eq!(packed.is_legal(direction), slid.changed, "{direction} of\n{board}");
            match packed.slide(direction) {
                Some(slide) => {
                    assert_eq!(slide.board.board(), expected, "{direction} of\n{board}");
                    assert_eq!((u64::from(slide.gain), slide.changed), (slid.gain, slid.changed));
                }
                None => assert!(expected.max_rank() == 16, "{direction} of\n{board}"),
            }
        }
        let (mut in_bytes, mut twin) = (board, rng.clone());
        let cell = in_bytes.spawn(&mut twin);
        let mut packed = packed;
        let found = packed.spawn(&mut rng);
        assert_eq!((found.map(|cell| cell as usize), packed.board(), &rng), (cell, in_bytes, &twin));
    });
}

#[test]
fn what_cannot_be_packed() {
    let board = |text: &str| text.parse::<Board>().unwrap();
    assert_eq!(Packed::new(&board("2 4\n4 2")), Err(PackError::Size(Size::new(2, 2).unwrap())));
    let large = board(". . . . \n . . 65536 . \n . . . . \n . . . .");
    assert_eq!(Packed::try_from(&large), Err(PackError::Rank { cell: 6, rank: 16 }));
    assert!(PackError::Rank { cell: 6, rank: 16 }.to_string().contains("cell 6"));
}

#[test]
fn single_games_are_those_in_lanes() {
    let _ = testkit::levels();
    for level in Level::all() {
        let mut playouts = Playouts::new(Size::CLASSIC, 5);
        for mut rng in Rng::streams(5).take(300) {
            let start = Packed::start(&mut rng).board();
            let result = playout_from(&start, &mut rng);
            assert_eq!(playouts.run_on(level, 1), [result].into_iter().sum::<Stats>(), "{level}");
        }
    }
}

/// Compares random play from any board, including tiles beyond the packed form, with the published algorithm.
#[test]
fn random_play_beyond_the_border() {
    testkit::seeds(400, |seed| {
        let mut rng = Rng::new(seed);
        let start = random_board(&mut rng);
        let mut twin = rng.clone();
        let expected = naive_playout_from(&start, &mut twin);
        assert_eq!(playout_from(&start, &mut rng), expected);
        assert_eq!(rng, twin);
    });
}
