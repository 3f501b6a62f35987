//! Match-3: the legal swaps of stable boards of six colors, and random steps.

use crate::{Baseline, Operation};
use bitcore::Rng;
use match3::board64::Board64;
use match3::boards8::Boards8;
use match3::colors::RandomColors;
use match3::reference::ColorMasks;
use match3::reference::plain::ByteBoard;
use match3::runs::is_stable;
use match3::swaps::{count_swaps8_on, swaps8_on};
use match3::{Board, Board8, Board16, Cell, Playouts};

/// Boards per call.
const COUNT: usize = 256;
/// Moves per game and call.
const MOVES: u64 = 1000;

pub(crate) fn operations() -> Vec<Operation> {
    let small = boards(8, 8, COUNT);
    let middle = boards(16, 16, COUNT);
    let large = boards(64, 64, 16);
    let cells: Vec<[u8; 64]> =
        small.iter().map(|board| std::array::from_fn(|i| board.cells()[i].byte())).collect();
    let planes8: Vec<Board8> = small.iter().map(|board| Board8::new(board).expect("six colors")).collect();
    let planes64: Vec<Board64> = large.iter().map(Board64::new).collect();
    let planes16: Vec<Board16> =
        middle.iter().map(|board| Board16::new(board).expect("six colors")).collect();
    let batch = Boards8::new(&planes8);
    let again = planes8.clone();
    vec![
        Operation {
            name: "match3 swaps 8x8",
            unit: "board",
            units: COUNT as u64,
            baseline: Baseline::Published,
            reference: published(&small),
            kernel: Box::new(move |level| Board8::count_swaps_on(level, &planes8)),
        },
        Operation {
            name: "match3 swaps 8x8 brute force",
            unit: "board",
            units: COUNT as u64,
            baseline: Baseline::Naive,
            reference: brute_force(&small),
            kernel: Box::new(move |level| Board8::count_swaps_on(level, &again)),
        },
        Operation {
            name: "match3 swaps 8x8 bytes",
            unit: "board",
            units: COUNT as u64,
            baseline: Baseline::Published,
            reference: published(&small),
            kernel: Box::new(move |level| count_swaps8_on(level, &cells)),
        },
        Operation {
            name: "match3 swaps 8x8 batch",
            unit: "board",
            units: COUNT as u64,
            baseline: Baseline::Published,
            reference: published(&small),
            kernel: Box::new(move |level| batch.count_swaps_on(level)),
        },
        Operation {
            name: "match3 swaps 16x16",
            unit: "board",
            units: COUNT as u64,
            baseline: Baseline::Published,
            reference: published(&middle),
            kernel: Box::new(move |level| Board16::count_swaps_on(level, &planes16)),
        },
        Operation {
            name: "match3 swaps 64x64",
            unit: "board",
            units: large.len() as u64,
            baseline: Baseline::Published,
            reference: published(&large),
            kernel: Box::new(move |level| {
                planes64.iter().map(|board| board.swaps_on(level).len() as u64).sum()
            }),
        },
        steps("match3 step 8x8", 1),
        steps("match3 step 8x8 batch", 64),
    ]
}

/// Returns the short swap operations, one call per board.
pub(crate) fn one_call_each() -> Vec<Operation> {
    let (small, middle) = (boards(8, 8, COUNT), boards(16, 16, COUNT));
    let cells: Vec<[u8; 64]> =
        small.iter().map(|board| std::array::from_fn(|i| board.cells()[i].byte())).collect();
    let planes8: Vec<Board8> = small.iter().map(|board| Board8::new(board).expect("six colors")).collect();
    let planes16: Vec<Board16> =
        middle.iter().map(|board| Board16::new(board).expect("six colors")).collect();
    let listing = |name, boards: &[Board], kernel| Operation {
        name,
        unit: "board",
        units: COUNT as u64,
        baseline: Baseline::Published,
        reference: published(boards),
        kernel,
    };
    vec![
        listing(
            "match3 swaps 8x8 one call",
            &small,
            Box::new(move |level| planes8.iter().map(|board| board.swaps_on(level).len() as u64).sum()),
        ),
        listing(
            "match3 swaps 8x8 bytes one call",
            &small,
            Box::new(move |level| {
                let masks = cells.iter().map(|cells| swaps8_on(level, cells));
                masks.map(|(right, down)| u64::from(right.count_ones() + down.count_ones())).sum()
            }),
        ),
        listing(
            "match3 swaps 16x16 one call",
            &middle,
            Box::new(move |level| planes16.iter().map(|board| board.swaps_on(level).len() as u64).sum()),
        ),
    ]
}

fn published(boards: &[Board]) -> Box<dyn FnMut() -> u64> {
    let masks: Vec<ColorMasks> = boards.iter().map(ColorMasks::new).collect();
    Box::new(move || masks.iter().map(|masks| masks.found().len() as u64).sum())
}

fn brute_force(boards: &[Board]) -> Box<dyn FnMut() -> u64> {
    let mut engines: Vec<ByteBoard> =
        boards.iter().map(|board| ByteBoard::new(board).expect("nothing blocked")).collect();
    Box::new(move || engines.iter_mut().map(|engine| engine.count_swaps() as u64).sum())
}

/// Returns an operation of `games` random games of [`MOVES`] moves each: a single game, or many games at once
/// in lanes.
fn steps(name: &'static str, games: usize) -> Operation {
    let playouts = Playouts::new(games, 6, 5).expect("six colors");
    let engines: Vec<(ByteBoard, RandomColors)> = playouts
        .games()
        .iter()
        .map(|game| {
            let engine = ByteBoard::new(&game.board()).expect("nothing blocked");
            (engine, game.colors().clone())
        })
        .collect();
    Operation {
        name,
        unit: "move",
        units: games as u64 * MOVES,
        baseline: Baseline::Naive,
        reference: Box::new(move || {
            let mut score = 0;
            for (mut engine, mut colors) in engines.iter().cloned() {
                for _ in 0..MOVES {
                    score += engine.random_step(&mut colors).score;
                }
            }
            score
        }),
        kernel: if games == 1 {
            let game = playouts.games()[0].clone();
            Box::new(move |level| game.clone().run_on(level, MOVES).score)
        } else {
            Box::new(move |level| playouts.clone().run_on(level, MOVES).score)
        },
    }
}

/// Returns random boards without a run. Cells are drawn in row-major order, and again while they would end a
/// run.
fn boards(width: usize, height: usize, count: usize) -> Vec<Board> {
    let mut rng = Rng::new(4);
    let mut board = || {
        let mut cells: Vec<Cell> = Vec::new();
        while cells.len() < width * height {
            let (at, cell) = (cells.len(), Cell::new(1 + rng.below(6) as u8).expect("a color"));
            let left = at % width >= 2 && cells[at - 1] == cell && cells[at - 2] == cell;
            let above = at / width >= 2 && cells[at - width] == cell && cells[at - 2 * width] == cell;
            if !left && !above {
                cells.push(cell);
            }
        }
        Board::from_cells(width, height, cells).expect("sides in range")
    };
    let boards: Vec<Board> = (0..count).map(|_| board()).collect();
    debug_assert!(boards.iter().all(is_stable));
    boards
}
