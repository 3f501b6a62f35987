//! Match-3: the legal swaps of stable boards of six colors, random steps, and what users call:
//! lists, moves of [`Game`], rollouts from the middle of a game, and hints for special pieces.

#[cfg(target_arch = "x86_64")]
use crate::hand_written;
use crate::operation::{Operation, naive, printed, user, workload};
use crate::user_match3::{self, Cells};
use bitcore::Rng;
use match3::bitboard::{Board64, Boards8};
use match3::reference::plain::ByteBoard;
use match3::reference::{self, ByteRows, ColorMasks};
use match3::special::SpecialBoard;
use match3::{
    Board, Board8, Board16, Cell, Colors, Game, Playouts, RandomColors, RandomGame, Rules, Swap,
    Swaps, is_stable, swaps,
};
use std::cell::RefCell;
use std::hint::black_box;

/// Boards per call.
const COUNT: usize = 256;
/// Moves per game and call, enough to make the initial deal, which the reference does beforehand,
/// negligible.
const MOVES: u32 = 8000;

pub(crate) fn operations() -> Vec<Operation> {
    let [small, middle, large] =
        [(8, COUNT), (16, COUNT), (64, 16)].map(|(side, n)| boards(side, n));
    let cells8 = workload(small.iter().cloned());
    let planes8: &[Board8] =
        workload(small.iter().map(|board| Board8::try_from(board).expect("six colors")));
    let planes16: &[Board16] =
        workload(middle.iter().map(|board| Board16::try_from(board).expect("six colors")));
    let planes64 = workload(large.iter().map(Board64::from));
    let batch = Boards8::from(planes8);
    let [swaps8, swaps16, swaps64] = [&small, &middle, &large].map(|boards| {
        let masks = workload(boards.iter().map(ColorMasks::from));
        printed("board", boards.len(), || masks.iter().map(|masks| masks.count() as u64).sum())
    });
    let engines: Vec<_> =
        small.iter().map(|board| ByteBoard::new(board).expect("nothing blocked")).collect();
    let engines = RefCell::new(engines);
    let brute_force = naive("board", COUNT, move || {
        engines.borrow_mut().iter_mut().map(|engine| engine.count_swaps() as u64).sum()
    });
    let rows = workload(small.iter().map(|board| ByteRows::new(board).expect("8 x 8")));
    let byte_lanes = printed("board", COUNT, || rows.iter().map(|rows| rows.count() as u64).sum());
    let mut operations = vec![
        swaps8.kernel("match3 swaps 8x8", || Board8::count_swaps(planes8)),
        brute_force.kernel("match3 swaps 8x8 brute force", || Board8::count_swaps(planes8)),
        byte_lanes.kernel("match3 swaps 8x8 byte lanes", || Board8::count_swaps(planes8)),
        swaps8.kernel("match3 swaps 8x8 batch", move || batch.count_swaps()),
        swaps16.kernel("match3 swaps 16x16", || Board16::count_swaps(planes16)),
        swaps64.kernel("match3 swaps 64x64", || {
            planes64.iter().map(|board| board.swaps().len() as u64).sum()
        }),
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
        listed(&small, planes8),
        list(planes8),
        game_moves(),
        rollouts(),
        greedy_special(),
    ];
    #[cfg(target_arch = "x86_64")]
    if bitcore::X86V3::new().is_some() {
        let [masks, bytes] = hand_written::match3::counts(&small);
        operations.extend([
            masks.kernel("match3 swaps 8x8 masks by hand", || Board8::count_swaps(planes8)),
            bytes.kernel("match3 swaps 8x8 bytes by hand", || Board8::count_swaps(planes8)),
        ]);
    }
    operations
}

/// Finds and lists the swaps.
fn listed(boards: &[Board], planes: &'static [Board8]) -> Operation {
    let masks = workload(boards.iter().map(ColorMasks::from));
    let printed = printed("board", COUNT, move || {
        let mut swaps = Vec::with_capacity(Swap::actions(8, 8));
        let list = |masks: &ColorMasks| {
            masks.list(&mut swaps);
            black_box(&mut swaps).drain(..).len() as u64
        };
        masks.iter().map(list).sum()
    });
    printed.kernel("match3 swaps 8x8 listed", move || {
        let mut swaps = Vec::with_capacity(Swap::actions(8, 8));
        let list = |board: &Board8| {
            board.swaps().iter().for_each(|swap| swaps.push(swap));
            black_box(&mut swaps).drain(..).len() as u64
        };
        planes.iter().map(list).sum()
    })
}

/// Lists the swaps of ready masks.
fn list(boards: &'static [Board8]) -> Operation {
    let masks = workload(boards.iter().map(Board8::swaps));
    let sum = |list: &mut Vec<Swap>| black_box(list).drain(..).len() as u64;
    let by_user = user("board", COUNT, move || {
        let mut swaps = Vec::with_capacity(Swap::actions(8, 8));
        let list = |masks| {
            user_match3::list(masks, &mut swaps);
            sum(&mut swaps)
        };
        masks.iter().map(list).sum()
    });
    by_user.kernel("match3 list 8x8", move || {
        let mut swaps = Vec::with_capacity(Swap::actions(8, 8));
        let list = |masks: &Swaps<_>| {
            masks.iter().for_each(|swap| swaps.push(swap));
            sum(&mut swaps)
        };
        masks.iter().map(list).sum()
    })
}

/// Plays a game by its list of moves.
fn game_moves() -> Operation {
    const LENGTH: u32 = 1000;
    let rules = Rules { moves: LENGTH, ..Rules::default() };
    let mut colors = RandomColors::new(6, Rng::new(6)).expect("six colors");
    let game = Game::new(rules, &mut colors).expect("six colors");
    let cells = cells_of(&game.board());
    let drawn = colors.clone();
    let by_user = user("move", LENGTH as usize, move || {
        let mut cells = cells.clone();
        let mut colors = drawn.clone();
        let mut legal = Vec::with_capacity(Swap::actions(8, 8));
        cells.list(&mut legal);
        let mut score = 0;
        for left in (0..LENGTH).rev() {
            score += cells.play(legal[legal.len() / 2], &mut colors);
            legal.clear();
            cells.list(&mut legal);
            if left > 0 && legal.is_empty() {
                cells.deal(&mut colors);
                cells.list(&mut legal);
            }
        }
        score
    });
    by_user.kernel("match3 game move", move || {
        let mut game = game.clone();
        let mut colors = colors.clone();
        while !game.is_over() {
            let legal = game.legal_moves();
            game.play(legal[legal.len() / 2], &mut colors).expect("a legal swap");
        }
        game.score()
    })
}

fn cells_of(board: &Board) -> Cells {
    Cells(core::array::from_fn(|at| board.cells()[at].byte()))
}

/// Plays the second half of games to their end.
fn rollouts() -> Operation {
    const GAMES: u64 = 256;
    let mut colors = RandomColors::new(6, Rng::new(7)).expect("six colors");
    let mut game = Game::new(Rules::default(), &mut colors).expect("six colors");
    for _ in 0..15 {
        game.play(game.legal_moves()[0], &mut colors).expect("a legal swap");
    }
    let start = ByteBoard::new(&game.board()).expect("nothing blocked");
    let left = game.moves_left();
    let score = game.score();
    let by_user = user("move", GAMES as usize * left as usize, move || {
        let play = |rng| {
            let mut board = start.clone();
            let mut colors = RandomColors::new(6, rng).expect("six colors");
            score + (0..left).map(|_| board.random_step(&mut colors).score).sum::<u64>()
        };
        Rng::streams(1).take(GAMES as usize).map(play).sum()
    });
    by_user.kernel("match3 rollout 8x8", move || {
        Playouts::from_game(&game, 1).play(GAMES).score.sum as u64
    })
}

/// Plays the best hint on boards from games with special pieces.
fn greedy_special() -> Operation {
    let mut rng = Rng::new(8);
    let mut board = SpecialBoard::deal(8, 8, 6, &mut rng).expect("six colors");
    let mut colors = RandomColors::new(6, rng).expect("six colors");
    let mut boards = Vec::new();
    for _ in 0..COUNT {
        boards.push((board.clone(), colors.clone()));
        if let Some(&(swap, _)) = board.ranked_swaps().first() {
            board.try_swap(swap, || colors.next(), &mut ()).expect("a legal swap");
        } else {
            board.redeal(6, colors.rng()).expect("six colors");
        }
    }
    let boards = workload(boards.into_iter().filter(|(board, _)| board.has_swap()));
    let cell_by_cell = naive("move", boards.len(), || {
        let play = |(board, colors): &(SpecialBoard, RandomColors)| {
            let mut board = board.clone();
            let mut colors = colors.clone();
            let swap = reference::special::ranked_swaps(&board)[0].0;
            reference::special::try_swap(&mut board, swap, || colors.next())
                .expect("a legal swap")
                .score
        };
        boards.iter().map(play).sum()
    });
    cell_by_cell.kernel("match3 greedy special", || {
        let play = |(board, colors): &(SpecialBoard, RandomColors)| {
            let mut board = board.clone();
            let mut colors = colors.clone();
            let swap = board.ranked_swaps()[0].0;
            board.try_swap(swap, || colors.next(), &mut ()).expect("a legal swap").score
        };
        boards.iter().map(play).sum()
    })
}

/// Plays `games` random games of [`MOVES`] moves each: a single game, or many in lanes.
fn steps(name: &'static str, games: usize) -> Operation {
    let rules = Rules { moves: MOVES, ..Rules::default() };
    let dealt: Vec<RandomGame> = Rng::streams(5)
        .take(games)
        .map(|rng| RandomGame::new(rules, rng).expect("six colors"))
        .collect();
    let engines: Vec<(ByteBoard, RandomColors)> = dealt
        .iter()
        .map(|game| {
            (ByteBoard::new(&game.board()).expect("nothing blocked"), game.colors().clone())
        })
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
        return reference
            .kernel(name, move || playouts.clone().play(games as u64).score.sum as u64);
    }
    let game = dealt[0].clone();
    reference.kernel(name, move || game.clone().run(MOVES.into()).score)
}

/// Returns random square boards without runs. Cells are drawn in row-major order, and redrawn while
/// they would complete a run.
fn boards(side: usize, count: usize) -> Vec<Board> {
    let mut rng = Rng::new(4);
    let mut board = || {
        let mut cells: Vec<Cell> = Vec::new();
        while cells.len() < side * side {
            let at = cells.len();
            let cell = Cell::new(1 + rng.below(6) as u8).expect("a color");
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
