//! Match-3: the legal swaps of stable boards of six colors, and random steps.

use crate::operation::{Operation, naive, seed, workload};
use bitcore::Rng;
use match3::bitboard::{Board64, Boards8};
use match3::reference::plain::ByteBoard;
use match3::reference::{ByteRows, ColorMasks};
use match3::{Board, Board8, Board16, Cell, Playouts, RandomColors, RandomGame, Rules, is_stable, swaps};
use std::cell::RefCell;

/// Boards per call.
const COUNT: usize = 256;
/// Moves per game and call, enough to make the initial deal, which the reference does beforehand, negligible.
const MOVES: u32 = 8000;

pub(crate) fn operations() -> Vec<Operation> {
    let [small, middle, large] = [(8, COUNT), (16, COUNT), (64, 16)].map(|(side, n)| boards(side, n));
    let cells8 = workload(small.iter().cloned());
    let planes8: &[Board8] = workload(small.iter().map(|board| Board8::try_from(board).expect("six colors")));
    let planes16: &[Board16] =
        workload(middle.iter().map(|board| Board16::try_from(board).expect("six colors")));
    let planes64 = workload(large.iter().map(Board64::from));
    let batch = Boards8::from(planes8);
    let [swaps8, swaps16, swaps64] = [&small, &middle, &large].map(|boards| {
        let masks = workload(boards.iter().map(ColorMasks::from));
        seed("board", boards.len(), || masks.iter().map(|masks| masks.found().len() as u64).sum())
    });
    let engines: Vec<_> = small.iter().map(|board| ByteBoard::new(board).expect("nothing blocked")).collect();
    let engines = RefCell::new(engines);
    let brute_force = naive("board", COUNT, move || {
        engines.borrow_mut().iter_mut().map(|engine| engine.count_swaps() as u64).sum()
    });
    let rows = workload(small.iter().map(|board| ByteRows::new(board).expect("8 x 8")));
    let byte_lanes = seed("board", COUNT, || rows.iter().map(|rows| rows.found().len() as u64).sum());
    vec![
        swaps8.kernel("match3 swaps 8x8", || Board8::count_swaps(planes8)),
        brute_force.kernel("match3 swaps 8x8 brute force", || Board8::count_swaps(planes8)),
        byte_lanes.kernel("match3 swaps 8x8 byte lanes", || Board8::count_swaps(planes8)),
        swaps8.kernel("match3 swaps 8x8 batch", move || batch.count_swaps()),
        swaps16.kernel("match3 swaps 16x16", || Board16::count_swaps(planes16)),
        swaps64
            .kernel("match3 swaps 64x64", || planes64.iter().map(|board| board.swaps().len() as u64).sum()),
        steps("match3 step 8x8", 1),
        steps("match3 step 8x8 batch", 64),
        swaps8.kernel("match3 swaps 8x8 one call", || {
            planes8.iter().map(|board| board.swaps().len() as u64).sum()
        }),
        swaps8.kernel("match3 swaps 8x8 cells one call", || {
            cells8.iter().map(|board| swaps(board).len() as u64).sum()
        }),
        swaps16.kernel("match3 swaps 16x16 one call", || {
            planes16.iter().map(|board| board.swaps().len() as u64).sum()
        }),
    ]
}

/// Returns `games` random games of [`MOVES`] moves each: a single game, or many in lanes.
fn steps(name: &'static str, games: usize) -> Operation {
    let rules = Rules { moves: MOVES, ..Rules::default() };
    let dealt: Vec<RandomGame> =
        Rng::streams(5).take(games).map(|rng| RandomGame::new(rules, rng).expect("six colors")).collect();
    let engines: Vec<(ByteBoard, RandomColors)> = dealt
        .iter()
        .map(|game| (ByteBoard::new(&game.board()).expect("nothing blocked"), game.colors().clone()))
        .collect();
    let reference = naive("move", games * MOVES as usize, move || {
        let mut score = 0;
        for (mut engine, mut colors) in engines.iter().cloned() {
            for _ in 0..MOVES {
                score += engine.random_step(&mut colors).score;
            }
        }
        score
    });
    if games > 1 {
        let playouts = Playouts::new(rules, 5).expect("six colors");
        return reference.kernel(name, move || playouts.clone().play(games as u64).score.sum as u64);
    }
    let game = dealt[0].clone();
    reference.kernel(name, move || game.clone().run(MOVES.into()).score)
}

/// Returns random square boards without runs. Cells are drawn in row-major order, and redrawn while they
/// would complete a run.
fn boards(side: usize, count: usize) -> Vec<Board> {
    let mut rng = Rng::new(4);
    let mut board = || {
        let mut cells: Vec<Cell> = Vec::new();
        while cells.len() < side * side {
            let (at, cell) = (cells.len(), Cell::new(1 + rng.below(6) as u8).expect("a color"));
            let left = at % side >= 2 && cells[at - 1] == cell && cells[at - 2] == cell;
            let above = at / side >= 2 && cells[at - side] == cell && cells[at - 2 * side] == cell;
            if !left && !above {
                cells.push(cell);
            }
        }
        Board::from_cells(side, side, cells).expect("sides in range")
    };
    let boards: Vec<Board> = (0..count).map(|_| board()).collect();
    debug_assert!(boards.iter().all(is_stable));
    boards
}
