//! Slides, spawns and images of [`Board`], [`Packed`] and [`Boards32`] against the two-pointer
//! line.

use super::values::{any_board, any_size};
use bitcore::Rng;
use g2048::reference::{slide_board, slide_four_by_four};
use g2048::{Board, Boards32, Direction, Game, Packed, Size, Slide, Slides};
use testkit::{Input, on_each_level};

pub(crate) fn run(input: &Input) {
    let size = any_size(input);
    let mut boards = vec![any_board(input, size)];
    let mut rng = Rng::new(input.u16().into());
    for _ in input.steps(24) {
        let at = input.below(boards.len());
        let mut board = boards[at];
        match input.below(8) {
            0..3 => {
                let direction = *input.pick(&Direction::ALL);
                all_slides(&boards, direction);
                board = board.slide(direction).board;
            }
            3 => spawn(&mut board, &mut rng),
            4 => images(&board),
            5 => board = board.transpose(),
            6 if boards.len() < 32 => boards.push(any_board(input, board.size())),
            _ => board = board.mirror(),
        }
        // One size for all.
        if boards.len() == 1 || board.size() == boards[0].size() {
            boards[at] = board;
        }
    }
}

/// Checks the slides of up to 32 boards in every implementation.
pub(crate) fn all_slides(boards: &[Board], direction: Direction) {
    let lanes = Boards32::try_from(boards).expect("boards of one size");
    let slide = |board| {
        let (board, slid) = slide_board(board, direction);
        Slide { board, gain: slid.gain, changed: slid.changed }
    };
    let expected: Vec<Slide> = boards.iter().map(slide).collect();
    // The target has another size: its contents must not matter.
    let other = Size::new(2, 8).expect("a size");
    on_each_level(|| {
        let mut slides = Slides::new(other);
        lanes.slide_into(direction, &mut slides);
        for (lane, expected) in expected.iter().enumerate() {
            let changed = slides.changed >> lane & 1 == 1;
            let found =
                Slide { board: slides.boards.board(lane), gain: slides.gains[lane], changed };
            assert_eq!(found, *expected, "{direction} of {:?}", boards[lane]);
        }
        assert_eq!(slides, lanes.slide(direction));
        let mut to = Boards32::empty(other);
        let changed = lanes.slide_boards(direction, &mut to);
        assert_eq!(to, slides.boards.clone());
        assert_eq!(changed, slides.changed);
        let mut twice = [slides.clone(), slides.clone()];
        Boards32::slide_all_into(&[lanes.clone(), lanes.clone()], direction, &mut twice);
        assert_eq!(twice, [slides.clone(), slides]);
    });
    for (board, expected) in boards.iter().zip(&expected) {
        assert_eq!(board.slide(direction), *expected, "{direction} of {board:?}");
        assert_eq!(board.is_legal(direction), expected.changed, "{direction} of {board:?}");
        assert_eq!(expected.board.potential() - board.potential(), expected.gain);
        packed(board, direction, expected);
        moves(board);
    }
}

/// Checks the list of legal moves.
fn moves(board: &Board) {
    let legal =
        Direction::ALL.into_iter().filter(|&direction| slide_board(board, direction).1.changed);
    let legal: Vec<Direction> = legal.collect();
    assert_eq!(board.legal_moves(), legal, "{board:?}");
    assert_eq!(board.is_over(), legal.is_empty(), "{board:?}");
    let game = Game::from(*board);
    assert_eq!(game.board(), *board);
    assert_eq!(game.rules().size, board.size());
    assert_eq!(game.legal_moves(), legal, "{board:?}");
    assert_eq!(game.is_over(), legal.is_empty(), "{board:?}");
    assert_eq!(game.packed(), Packed::try_from(board).ok(), "{board:?}");
}

pub(crate) fn packed(board: &Board, direction: Direction, expected: &Slide) {
    if board.size() == Size::CLASSIC {
        let mut cells: [u64; 16] = board.tiles().collect::<Vec<_>>().try_into().expect("16 cells");
        let slid = slide_four_by_four(&mut cells, direction);
        assert!(expected.board.tiles().eq(cells), "{direction} of {board:?}");
        assert_eq!(slid.gain, expected.gain);
        assert_eq!(slid.changed, expected.changed);
    }
    let Ok(packed) = Packed::try_from(board) else { return };
    assert_eq!(Board::from(packed), *board);
    assert_eq!(packed.is_legal(direction), expected.changed, "{direction} of {board:?}");
    assert_eq!(packed.is_over(), board.is_over(), "{board:?}");
    assert_eq!(packed.max_rank(), board.max_rank());
    assert_eq!(packed.empty_cells() as usize, board.empty_cells());
    // A 65536 doesn't fit.
    let found = packed.slide(direction);
    let found = found.map(|slide| (Board::from(slide.board), u64::from(slide.gain), slide.changed));
    let fits = expected.board.max_rank() <= 15;
    let expected = fits.then_some((expected.board, expected.gain, expected.changed));
    assert_eq!(found, expected, "{direction} of {board:?}");
}

/// Checks the accessors by column and row.
fn cells(board: &Board) {
    let width = board.size().width();
    let packed = Packed::try_from(board);
    for (cell, (tile, &rank)) in board.tiles().zip(board.ranks()).enumerate() {
        let x = cell % width;
        let y = cell / width;
        assert_eq!(board.tile(x, y), tile, "{x} {y} of {board:?}");
        assert_eq!(board.rank(x, y), rank, "{x} {y} of {board:?}");
        assert!(packed.is_err() || packed.is_ok_and(|packed| packed.rank(x, y) == rank));
    }
}

fn spawn(board: &mut Board, rng: &mut Rng) {
    let before = *board;
    let mut twin = rng.clone();
    let mut draws = rng.clone();
    let cell = board.spawn(rng);
    if let Ok(mut packed) = Packed::try_from(&before) {
        let found = packed.spawn(&mut twin).map(|cell| cell as usize);
        assert_eq!(found, cell, "{before:?}");
        assert_eq!(Board::from(packed), *board, "{before:?}");
        assert_eq!(*rng, twin);
    }
    let Some(cell) = cell else {
        return assert_eq!((before.empty_cells(), &before, &*rng), (0, &*board, &draws));
    };
    // The first draw selects the empty cell, the second the tile.
    let k = draws.below(before.empty_cells() as u32);
    let four = draws.below(10) == 0;
    let mut ranks = before.ranks().to_vec();
    assert_eq!(ranks[..cell].iter().filter(|&&rank| rank == 0).count(), k as usize);
    assert_eq!(ranks[cell], 0);
    ranks[cell] = 1 + u8::from(four);
    assert_eq!(board.ranks(), &ranks[..]);
    assert_eq!(&*rng, &draws);
    assert!(before.spawns().any(|spawned| spawned == *board));
}

fn images(board: &Board) {
    cells(board);
    let images = board.symmetries();
    assert_eq!(images.iter().min(), Some(&board.canonical()));
    for image in images {
        assert_eq!(image.canonical(), board.canonical());
        assert!(image.symmetries().iter().all(|twice| images.contains(twice)));
    }
    assert_eq!(board.transpose().transpose(), *board);
    assert_eq!(board.mirror().mirror(), *board);
    // A slide can produce a larger tile than the parser accepts.
    let is_read = board.max_rank() <= Board::MAX_RANK;
    assert_eq!(board.to_string().parse().as_ref().ok(), is_read.then_some(board));
    // Sliding commutes with symmetries: the image slides toward the image of the wall.
    let slid = |board: Board, direction| board.slide(direction).board;
    for (direction, mirrored, transposed) in [
        (Direction::Left, Direction::Right, Direction::Up),
        (Direction::Right, Direction::Left, Direction::Down),
        (Direction::Up, Direction::Up, Direction::Left),
        (Direction::Down, Direction::Down, Direction::Right),
    ] {
        assert_eq!(slid(*board, direction).mirror(), slid(board.mirror(), mirrored));
        assert_eq!(slid(*board, direction).transpose(), slid(board.transpose(), transposed));
    }
    if let Ok(packed) = Packed::try_from(board) {
        assert_eq!(packed, Packed::from_bits(packed.bits()));
        assert_eq!(packed.to_string(), board.to_string());
        assert_eq!(Board::from(packed.transpose()), board.transpose());
        assert_eq!(Board::from(packed.mirror()), board.mirror());
        assert_eq!(packed.symmetries().map(Board::from), images);
        assert!(packed.symmetries().contains(&packed.canonical()));
        assert!(packed.symmetries().iter().all(|image| image.canonical() == packed.canonical()));
    }
}
