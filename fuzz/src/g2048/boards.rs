//! Slides, spawns and images of [`Board`], [`Packed`] and [`Boards32`] against the two-pointer line.

use super::values::{any_board, any_size};
use crate::kit::Input;
use bitcore::{Level, Rng};
use g2048::reference::{slide_board, slide_four_by_four};
use g2048::{Board, Boards32, Direction, Packed, Size, Slide, Slides};

pub(super) fn run(input: &Input) {
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

/// The slides of up to 32 boards, in every form.
fn all_slides(boards: &[Board], direction: Direction) {
    let lanes = Boards32::from_boards(boards).expect("boards of one size");
    let slide = |board| {
        let (board, slid) = slide_board(board, direction);
        Slide { board, gain: slid.gain, changed: slid.changed }
    };
    let expected: Vec<Slide> = boards.iter().map(slide).collect();
    for level in Level::all() {
        let mut slides = Slides::new(Size::new(2, 8).expect("a size"));
        lanes.slide_into_on(level, direction, &mut slides);
        for (lane, expected) in expected.iter().enumerate() {
            let changed = slides.changed >> lane & 1 == 1;
            let found = Slide { board: slides.boards.board(lane), gain: slides.gains[lane], changed };
            assert_eq!(found, *expected, "{level}, {direction} of {:?}", boards[lane]);
        }
        let mut to = Boards32::empty(Size::new(2, 8).expect("a size"));
        let changed = lanes.slide_boards_on(level, direction, &mut to);
        assert_eq!((to, changed), (slides.boards.clone(), slides.changed), "{level}");
        let mut twice = [slides.clone(), slides.clone()];
        Boards32::slide_all_into_on(level, &[lanes.clone(), lanes.clone()], direction, &mut twice);
        assert_eq!(twice, [slides.clone(), slides], "{level}");
    }
    for (board, expected) in boards.iter().zip(&expected) {
        assert_eq!(board.slide(direction), *expected, "{direction} of {board:?}");
        assert_eq!(board.is_legal(direction), expected.changed, "{direction} of {board:?}");
        assert_eq!(expected.board.potential() - board.potential(), expected.gain);
        packed(board, direction, expected);
    }
}

fn packed(board: &Board, direction: Direction, expected: &Slide) {
    if board.size() == Size::CLASSIC {
        let mut cells: [u64; 16] = board.tiles().collect::<Vec<_>>().try_into().expect("16 cells");
        let slid = slide_four_by_four(&mut cells, direction);
        assert!(expected.board.tiles().eq(cells), "{direction} of {board:?}");
        assert_eq!((slid.gain, slid.changed), (expected.gain, expected.changed));
    }
    let Ok(packed) = Packed::new(board) else { return };
    assert_eq!(packed.board(), *board);
    assert_eq!(packed.is_legal(direction), expected.changed, "{direction} of {board:?}");
    assert_eq!(packed.is_over(), board.is_over(), "{board:?}");
    assert_eq!((packed.max_rank(), packed.empty_cells() as usize), (board.max_rank(), board.empty_cells()));
    // No tile of 65536 fits.
    let found = packed.slide(direction);
    let found = found.map(|slide| (slide.board.board(), u64::from(slide.gain), slide.changed));
    let fits = expected.board.max_rank() <= 15;
    let expected = fits.then_some((expected.board, expected.gain, expected.changed));
    assert_eq!(found, expected, "{direction} of {board:?}");
}

fn spawn(board: &mut Board, rng: &mut Rng) {
    let (before, mut twin) = (*board, rng.clone());
    let cell = board.spawn(rng);
    if let Ok(mut packed) = Packed::new(&before) {
        let found = packed.spawn(&mut twin);
        assert_eq!((found.is_some(), packed.board()), (cell.is_some(), *board), "{before:?}");
        assert_eq!(*rng, twin);
    }
    match cell {
        None => assert!(before.empty_cells() == 0 && *board == before),
        Some(cell) => {
            assert!(before.ranks()[cell] == 0 && (1..3).contains(&board.ranks()[cell]));
            assert!(before.spawns().any(|spawned| spawned == *board));
        }
    }
}

fn images(board: &Board) {
    let images = board.symmetries();
    assert_eq!(images.iter().min(), Some(&board.canonical()));
    assert!(images.iter().all(|image| image.canonical() == board.canonical()));
    assert_eq!((board.transpose().transpose(), board.mirror().mirror()), (*board, *board));
    if let Ok(packed) = Packed::new(board) {
        let [mut found, mut expected] = [packed.symmetries().map(Packed::board), images];
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
        assert_eq!(packed.canonical(), packed.transpose().mirror().canonical());
    }
}
