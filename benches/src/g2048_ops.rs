//! 2048 on 4 x 4: all four slides of positions from random play, steps of batches, and random play
//! to the end. On 4 x 4 and 5 x 5: the calls on a single board and game.

use crate::operation::{Operation, naive, printed, user, workload};
use crate::user_2048;
use bitcade_core::batch::{Format, OneHot, StepBuffers};
use bitcore::Rng;
use g2048::reference::{self, NaiveGames};
use g2048::{Batch, Board, Boards32, Direction, Game, Kernel, Packed, Playouts, Size, Slides};
use std::hint::black_box;

/// Groups of 32 boards, enough to keep branch predictors from learning them.
const GROUPS: usize = 128;
/// Groups per call, few enough to stay in the cache together with their slides.
const CHUNK: usize = 8;
/// Games per call.
const GAMES: u64 = 8192;

pub(crate) fn operations() -> Vec<Operation> {
    let boards = boards(Size::CLASSIC);
    let tiles = |board: &Board| board.tiles().collect::<Vec<u64>>().try_into().expect("16 cells");
    let values: &[[u64; 16]] = workload(boards.iter().map(tiles));
    let packed = workload(boards.iter().map(|board| Packed::try_from(board).expect("small tiles")));
    let groups =
        boards.chunks(32).map(|group| Boards32::try_from(group).expect("32 boards of one size"));
    let groups = workload(groups);
    let by_two_pointers = |unit, directions: &'static [Direction], scored: bool| {
        printed(unit, directions.len() * boards.len(), move || {
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
    let playouts_of = |kernel| Playouts::with_kernel(Size::CLASSIC, 1, kernel);
    let single = playouts_of(Kernel::Single);
    let interleaved = playouts_of(Kernel::Interleaved);
    let playouts = naive("move", games.clone().play(GAMES).moves.sum as usize, || {
        let mut streams: Vec<Rng> = Rng::streams(1).take(32).collect();
        (0..GAMES)
            .map(|game| reference::naive_playout4x4(&mut streams[game as usize % 32]).score())
            .sum()
    });
    let [steps, one_hot_steps] = step_batch();
    let mut operations = vec![
        // Row tables don't use vectors, so this is the same on every level.
        left.kernel("2048 slide", || slide_packed(packed, [Direction::Left])),
        scored.kernel("2048 slide four ways", || slide_packed(packed, Direction::ALL)),
        unscored.kernel("2048 slide batch", move || slide_all(groups, &mut slid)),
        scored.kernel("2048 slide batch scored", move || slide_all_scored(groups, &mut slides)),
        steps,
        one_hot_steps,
        playouts.kernel("2048 playout", move || single.clone().play(GAMES).score.sum as u64),
        playouts.kernel("2048 playout interleaved", move || {
            interleaved.clone().play(GAMES).score.sum as u64
        }),
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
        rollout_classic(),
    ];
    operations.extend(one_board::<4, 4>([
        "2048 board slide",
        "2048 game legal moves",
        "2048 game over",
        "2048 game move",
        "2048 game play out",
    ]));
    operations.extend(one_board::<5, 5>([
        "2048 board slide 5x5",
        "2048 game legal moves 5x5",
        "2048 game over 5x5",
        "2048 game move 5x5",
        "2048 game play out 5x5",
    ]));
    operations.push(rollout::<5, 5>("2048 rollout 5x5"));
    operations
        .push(slide_by_two_pointers::<25>(Size::new(5, 5).expect("a size"), "2048 slide 5x5"));
    operations
}

/// A slide of a board of bytes, of any size, against the published algorithm.
fn slide_by_two_pointers<const CELLS: usize>(size: Size, name: &'static str) -> Operation {
    let boards: &[Board] = workload(boards(size));
    let tiles = |board: &Board| board.tiles().collect::<Vec<u64>>().try_into().expect("its cells");
    let values: &[[u64; CELLS]] = workload(boards.iter().map(tiles));
    let reference = printed("board and direction", 4 * boards.len(), move || {
        let slides =
            values.iter().flat_map(|cells| Direction::ALL.map(|direction| (*cells, direction)));
        slides.fold(0, |fold, (mut cells, direction)| {
            let slid = reference::slide(&mut cells, size.width(), direction);
            black_box(&cells);
            fold + slid.gain + u64::from(slid.changed)
        })
    });
    reference.kernel(name, move || slide_boards(boards))
}

/// Slides boards in all directions.
fn slide_boards(boards: &[Board]) -> u64 {
    let slides = boards.iter().flat_map(|board| Direction::ALL.map(|direction| (board, direction)));
    slides.fold(0, |fold, (board, direction)| {
        let slide = board.slide(direction);
        black_box(&slide.board);
        fold + slide.gain + u64::from(slide.changed)
    })
}

/// The calls on a single board and game, against what a user would write.
fn one_board<const W: usize, const H: usize>(names: [&'static str; 5]) -> Vec<Operation> {
    /// Games per call.
    const GAMES: u64 = 8;
    let size = Size::new(W, H).expect("a size");
    let boards: &[Board] = workload(boards(size));
    let cells: &[user_2048::Cells<W, H>] = workload(boards.iter().map(bytes));
    let games: &[Game] = workload(boards.iter().copied().map(Game::from));
    let slides = user("board and direction", 4 * boards.len(), move || {
        let slides =
            cells.iter().flat_map(|cells| Direction::ALL.map(|direction| (*cells, direction)));
        slides.fold(0, |fold, (mut cells, direction)| {
            let gain = user_2048::slide(&mut cells, direction);
            black_box(&cells);
            fold + gain.map_or(0, |gain| gain + 1)
        })
    });
    let legal = user("board", boards.len(), move || {
        cells.iter().fold(0, |fold, cells| {
            let (moves, count) = user_2048::legal_moves(cells);
            fold + moves[..count].iter().map(|&direction| 1 + direction as u64).sum::<u64>()
        })
    });
    let over = user("board", boards.len(), move || {
        cells.iter().map(|cells| u64::from(user_2048::is_over(cells))).sum()
    });
    let seeds = move || Rng::streams(1).take(GAMES as usize);
    let whole = move |mut rng: Rng| {
        let mut game = Game::new(size, &mut rng);
        game.play_out(&mut rng);
        game
    };
    let moves = seeds().map(|rng| whole(rng).moves()).sum::<u64>() as usize;
    let play = user("move", moves, move || {
        seeds().fold(0, |fold, mut rng| {
            let mut cells = [[0; W]; H];
            user_2048::spawn(&mut cells, &mut rng);
            user_2048::spawn(&mut cells, &mut rng);
            fold + user_2048::play_out(&mut cells, &mut rng)
        })
    });
    let [slide_name, legal_name, over_name, move_name, play_out_name] = names;
    vec![
        slides.kernel(slide_name, move || slide_boards(boards)),
        legal.kernel(legal_name, move || {
            let moves = games.iter().flat_map(Game::legal_moves);
            moves.map(|&direction| 1 + direction as u64).sum()
        }),
        over.kernel(over_name, move || games.iter().map(|game| u64::from(game.is_over())).sum()),
        play.kernel(move_name, move || {
            seeds().fold(0, |fold, mut rng| {
                let mut game = Game::new(size, &mut rng);
                loop {
                    let legal = game.legal_moves();
                    if legal.is_empty() {
                        return fold + game.score();
                    }
                    let direction = legal[rng.below(legal.len() as u32) as usize];
                    game.play(direction, &mut rng).expect("a legal move");
                }
            })
        }),
        play.kernel(play_out_name, move || seeds().map(|rng| whole(rng).score()).sum()),
    ]
}

fn bytes<const W: usize, const H: usize>(board: &Board) -> user_2048::Cells<W, H> {
    std::array::from_fn(|y| std::array::from_fn(|x| board.rank(x, y)))
}

/// Returns a game in its middle, played at random.
fn middle(size: Size) -> Game {
    let mut rng = Rng::new(3);
    let mut game = Game::new(size, &mut rng);
    while game.moves() < 3 * size.cells() as u64 {
        let legal = game.legal_moves();
        let direction = legal[rng.below(legal.len() as u32) as usize];
        game.play(direction, &mut rng).expect("a legal move");
    }
    game
}

/// Random play to the end from a position, with the draws that every size but 4 x 4 has.
fn rollout<const W: usize, const H: usize>(name: &'static str) -> Operation {
    /// Games per call.
    const GAMES: u64 = 256;
    let game = middle(Size::new(W, H).expect("a size"));
    let playouts = Playouts::from_game(&game, 1);
    let cells = bytes::<W, H>(&game.board());
    let score = game.score();
    let moves = playouts.clone().play(GAMES).moves.sum as usize;
    let reference = user("move", moves, move || {
        let rest = |mut rng| user_2048::play_out(&mut { cells }, &mut rng);
        Rng::streams(1).take(GAMES as usize).map(|rng| score + rest(rng)).sum()
    });
    reference.kernel(name, move || playouts.clone().play(GAMES).score.sum as u64)
}

fn rollout_classic() -> Operation {
    let game = middle(Size::CLASSIC);
    let playouts = Playouts::from_game(&game, 1);
    let board = game.board();
    let score = game.score();
    let reference = naive("move", playouts.clone().play(GAMES).moves.sum as usize, move || {
        let mut streams: Vec<Rng> = Rng::streams(1).take(32).collect();
        let mut rest = |game: u64| {
            reference::naive_playout4x4_from(board, 0, &mut streams[game as usize % 32]).score()
        };
        (0..GAMES).map(|game| score + rest(game)).sum()
    });
    reference.kernel("2048 rollout", move || playouts.clone().play(GAMES).score.sum as u64)
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
    let mut changed = [0; CHUNK];
    let mut fold = 0;
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
    let mut changed = [0; CHUNK];
    let mut fold = 0;
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

/// Includes observations, masks and restarts. The second operation compiles the kernels of all
/// formats, for `cargo xtask codegen`.
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
            batch
                .reset_into(&mut buffers.obs, &mut buffers.mask)
                .expect("slices of the right lengths");
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
fn boards(size: Size) -> Vec<Board> {
    let mut rng = Rng::new(5);
    let mut boards = Vec::with_capacity(32 * GROUPS);
    while boards.len() < 32 * GROUPS {
        let mut board = Board::start(size, &mut rng);
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
