//! 2048 on 4 x 4: all four slides of positions from random play, steps of batches, and random play to the
//! end.

use crate::operation::{Operation, naive, seed, workload};
use bitcade_core::batch::{Format, OneHot, StepBuffers};
use bitcore::Rng;
use g2048::reference::{self, NaiveGames};
use g2048::{Batch, Board, Boards32, Direction, Kernel, Packed, Playouts, Size, Slides};
use std::hint::black_box;

/// Groups of 32 boards, enough to keep branch predictors from learning them.
const GROUPS: usize = 128;
/// Groups per call, few enough to stay in the cache together with their slides.
const CHUNK: usize = 8;
/// Games per call.
const GAMES: u64 = 8192;

pub(crate) fn operations() -> Vec<Operation> {
    let boards = boards();
    let tiles = |board: &Board| board.tiles().collect::<Vec<u64>>().try_into().expect("16 cells");
    let values: &[[u64; 16]] = workload(boards.iter().map(tiles));
    let packed = workload(boards.iter().map(|board| Packed::try_from(board).expect("small tiles")));
    let groups = boards.chunks(32).map(|group| Boards32::try_from(group).expect("32 boards of one size"));
    let groups = workload(groups);
    let by_two_pointers = |unit, directions: &'static [Direction], scored: bool| {
        seed(unit, directions.len() * boards.len(), move || {
            let mut fold = 0;
            for cells in values {
                for &direction in directions {
                    let mut cells = *cells;
                    let slid = reference::slide(&mut cells, 4, direction);
                    black_box(cells);
                    fold += if scored { slid.gain } else { 0 } + u64::from(slid.changed);
                }
            }
            fold
        })
    };
    let left = by_two_pointers("board to the left", &[Direction::Left], true);
    let [unscored, scored] =
        [false, true].map(|scored| by_two_pointers("board and direction", &Direction::ALL, scored));
    let mut slides = vec![Slides::new(Size::CLASSIC); CHUNK];
    let mut slid = vec![Boards32::empty(Size::CLASSIC); CHUNK];
    let mut slid_one = Boards32::empty(Size::CLASSIC);

    let games = Playouts::new(Size::CLASSIC, 1);
    let kernel = |kernel| Playouts::with_kernel(Size::CLASSIC, 1, kernel);
    let single = kernel(Kernel::Single);
    let interleaved = kernel(Kernel::Interleaved);
    let playouts = naive("move", games.clone().play(GAMES).moves.sum as usize, || {
        let mut streams: Vec<Rng> = Rng::streams(1).take(32).collect();
        (0..GAMES).map(|game| reference::naive_playout4x4(&mut streams[game as usize % 32]).score()).sum()
    });
    let [steps, one_hot_steps] = step_batch();
    vec![
        // Row tables don't use vectors, so this is the same on every level.
        left.kernel("2048 slide", || slide_packed(packed, [Direction::Left])),
        scored.kernel("2048 slide four ways", || slide_packed(packed, Direction::ALL)),
        unscored.kernel("2048 slide batch", move || slide_all(groups, &mut slid)),
        scored.kernel("2048 slide batch scored", move || slide_all_scored(groups, &mut slides)),
        steps,
        one_hot_steps,
        playouts.kernel("2048 playout", move || single.clone().play(GAMES).score.sum as u64),
        playouts.kernel("2048 playout interleaved", move || interleaved.clone().play(GAMES).score.sum as u64),
        playouts.kernel("2048 playout batch", move || games.clone().play(GAMES).score.sum as u64),
        unscored.kernel("2048 slide batch one call", move || {
            let mut fold = 0;
            for group in groups {
                for direction in Direction::ALL {
                    fold += u64::from(group.slide_boards(direction, &mut slid_one).count_ones());
                    black_box(&slid_one);
                }
            }
            fold
        }),
    ]
}

/// Inlined, to make the directions compile-time constants.
#[inline(always)]
fn slide_packed<const N: usize>(boards: &[Packed], directions: [Direction; N]) -> u64 {
    let mut fold = 0;
    for board in boards {
        for direction in directions {
            let slide = board.slide(direction).expect("small tiles");
            black_box(slide.board);
            fold += u64::from(slide.gain) + u64::from(slide.changed);
        }
    }
    fold
}

fn slide_all_scored(groups: &[Boards32], slides: &mut [Slides]) -> u64 {
    let (mut changed, mut fold) = ([0; CHUNK], 0);
    for groups in groups.chunks_exact(CHUNK) {
        for direction in Direction::ALL {
            Boards32::slide_all_into(groups, direction, slides);
            black_box(&*slides);
            for (slides, changed) in slides.iter().zip(&mut changed) {
                fold += slides.gains.iter().sum::<u64>();
                *changed = slides.changed;
            }
            fold += ones(&changed);
        }
    }
    fold
}

fn slide_all(groups: &[Boards32], slid: &mut [Boards32]) -> u64 {
    let (mut changed, mut fold) = ([0; CHUNK], 0);
    for groups in groups.chunks_exact(CHUNK) {
        for direction in Direction::ALL {
            Boards32::slide_all_boards(groups, direction, slid, &mut changed);
            black_box(&*slid);
            fold += ones(&changed);
        }
    }
    fold
}

fn ones(masks: &[u32; CHUNK]) -> u64 {
    let pairs = masks.as_chunks::<2>().0;
    pairs.iter().map(|&[a, b]| u64::from((u64::from(a) | u64::from(b) << 32).count_ones())).sum()
}

/// Includes observations, masks and restarts. The second operation compiles the kernels of all formats, for
/// `cargo xtask codegen`.
fn step_batch() -> [Operation; 2] {
    const N: usize = 256;
    const STEPS: usize = 256;
    let reference = naive("step of a game", N * STEPS, || {
        let mut games: Vec<NaiveGames> =
            Rng::streams(1).take(N).map(|rng| NaiveGames::new(Size::CLASSIC, rng)).collect();
        let mut step =
            || games.iter_mut().filter_map(NaiveGames::random_step).map(|(points, _)| points).sum();
        (0..STEPS).map(|_| -> u64 { step() }).sum()
    });
    let steps = |name, format| {
        let batch = Batch::new(N, Size::CLASSIC, 1).expect("few games");
        let mut batch = batch.with_format(format).expect("planes of 16 cells");
        let mut buffers = StepBuffers::new(batch.shape());
        reference.kernel(name, move || {
            batch.reset_into(&mut buffers.obs, &mut buffers.mask).expect("slices of the right lengths");
            let mut fold = 0;
            for _ in 0..STEPS {
                batch.random_step_into(buffers.out()).expect("slices of the right lengths");
                fold += buffers.reward.iter().map(|&reward| reward as i64).sum::<i64>();
            }
            fold as u64
        })
    };
    let one_hot = Format { one_hot: Some(OneHot { first: 0, planes: 18 }), ..Format::default() };
    [steps("2048 step batch", Format::default()), steps("2048 step batch one-hot", one_hot)]
}

/// Returns positions from random play, in the order of the games.
fn boards() -> Vec<Board> {
    let mut rng = Rng::new(5);
    let mut boards = Vec::with_capacity(32 * GROUPS);
    while boards.len() < 32 * GROUPS {
        let mut board = Board::start(Size::CLASSIC, &mut rng);
        while !board.is_over() {
            boards.push(board);
            let moves = board.legal_moves();
            board = board.slide(moves[rng.below(moves.len() as u32) as usize]).board;
            board.spawn(&mut rng);
        }
    }
    boards.truncate(32 * GROUPS);
    boards
}
