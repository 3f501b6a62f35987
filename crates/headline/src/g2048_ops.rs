//! 2048 on 4 x 4: the four slides of positions of random play, and random play itself.

use crate::{Against, Operation};
use bitcore::{Isa, Rng, dispatch};
use g2048::lanes::slide_into_with;
use g2048::{Board, Boards32, Direction, Lockstep, Size, Slides, reference};
use std::hint::black_box;

/// Groups of 32 boards.
const GROUPS: usize = 16;
/// Games of a call.
const GAMES: u64 = 1024;

pub(crate) fn operations() -> Vec<Operation> {
    vec![slide_batch(), playout_batch()]
}

fn slide_batch() -> Operation {
    let boards = boards();
    let groups: Vec<Boards32> =
        boards.chunks(32).map(|group| Boards32::from_boards(group).expect("32 boards of one size")).collect();
    let values: Vec<Vec<u64>> = boards.iter().map(|board| board.tiles().collect()).collect();
    Operation {
        name: "2048 slide batch",
        unit: "board and direction",
        units: 4 * boards.len() as u64,
        against: Against::Seed,
        reference: Box::new(move || {
            let mut fold = 0;
            for values in &values {
                for direction in Direction::ALL {
                    let mut cells: [u64; 16] = values[..].try_into().expect("16 cells");
                    let slid = reference::slide(&mut cells, 4, direction);
                    black_box(cells);
                    fold += slid.score + u64::from(slid.changed);
                }
            }
            fold
        }),
        kernel: Box::new(move |level| dispatch!(level, isa => slide_all_with(isa, &groups))),
    }
}

#[inline(always)]
fn slide_all_with<S: Isa>(isa: S, groups: &[Boards32]) -> u64 {
    let mut slides = Slides::new(Size::CLASSIC);
    let mut fold = 0;
    for boards in groups {
        for direction in Direction::ALL {
            slide_into_with(isa, boards, direction, &mut slides);
            black_box(&slides.boards);
            fold += slides.gains.iter().sum::<u64>() + u64::from(slides.changed.count_ones());
        }
    }
    fold
}

fn playout_batch() -> Operation {
    let games = Lockstep::new(1);
    let moves = games.clone().run(GAMES).moves.sum as u64;
    Operation {
        name: "2048 playout batch",
        unit: "move",
        units: moves,
        against: Against::Naive,
        reference: Box::new(|| {
            let mut streams: Vec<Rng> = Rng::streams(1).take(32).collect();
            (0..GAMES).map(|game| reference::lockstep_game(&mut streams[game as usize % 32]).score).sum()
        }),
        kernel: Box::new(move |level| {
            let mut games = games.clone();
            dispatch!(level, isa => games.run_with(isa, GAMES).score.sum as u64)
        }),
    }
}

/// Positions of random play, in the order of the games.
fn boards() -> Vec<Board> {
    let mut rng = Rng::new(5);
    let mut boards = Vec::with_capacity(32 * GROUPS);
    while boards.len() < 32 * GROUPS {
        let mut board = Board::start(Size::CLASSIC, &mut rng);
        while !board.is_over() {
            boards.push(board);
            let moves: Vec<Direction> = board.legal_moves().collect();
            board = board.slide(moves[rng.below(moves.len() as u32) as usize]).board;
            board.spawn(&mut rng);
        }
    }
    boards.truncate(32 * GROUPS);
    boards
}
