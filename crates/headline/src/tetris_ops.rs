//! Tetris: operations of one piece on boards from games, the placements of every piece on benchmark boards,
//! perft, playouts.

use crate::{Baseline, Operation};
use bitcore::Rng;
use tetris::movegen::SpinMode;
use tetris::playout::RandomGame;
use tetris::reference::naive::Rules;
use tetris::reference::{self, FallingPiece, naive};
use tetris::simd_board::SimdBoard;
use tetris::{Board, Location, Piece, movegen, perft};

const COUNT: usize = 256;

pub(crate) fn operations() -> Vec<Operation> {
    let mut operations = vec![clear(), collide(), place()];
    operations.extend(BENCHMARK_BOARDS.map(|(name, columns)| placements(name, columns)));
    operations.extend([perft(), hard_drop_perft(), playout()]);
    operations
}

/// Returns the operations of one board or piece, one call each.
pub(crate) fn one_call_each() -> Vec<Operation> {
    let (stacks, boards, pieces) = (boards(), halves(), falling());
    let (boards_again, pieces_again) = (boards.clone(), pieces.clone());
    let mut operations = vec![
        Operation {
            name: "tetris clear one call",
            kernel: Box::new(move |level| {
                stacks.iter().fold(0, |sum, board| {
                    let mut board = *board;
                    board.clear_lines_on(level);
                    sum.wrapping_add(total(*board.columns()))
                })
            }),
            ..clear()
        },
        Operation {
            name: "tetris collide one call",
            kernel: Box::new(move |level| {
                let cases = boards.iter().zip(&pieces);
                cases.map(|(board, &(cells, x, y))| u64::from(board.collides_on(level, cells, x, y))).sum()
            }),
            ..collide()
        },
        Operation {
            name: "tetris place one call",
            kernel: Box::new(move |level| {
                let cases = boards_again.iter().zip(&pieces_again);
                cases.fold(0, |sum, (board, &(cells, x, y))| {
                    let mut board = *board;
                    board.place_on(level, cells, x, y);
                    sum.wrapping_add(total(board.columns().map(u64::from)))
                })
            }),
            ..place()
        },
    ];
    operations.extend(BENCHMARK_BOARDS.map(|(name, columns)| {
        let board: Board = columns.parse().expect("ten columns");
        Operation {
            name: match name {
                "tetris movegen empty" => "tetris movegen empty one call",
                "tetris movegen tspin" => "tetris movegen tspin one call",
                "tetris movegen dtd" => "tetris movegen dtd one call",
                _ => "tetris movegen terrible one call",
            },
            kernel: Box::new(move |level| {
                let count =
                    |&piece| movegen::count_on(level, std::hint::black_box(&board), piece, SpinMode::TSpins);
                Piece::ALL.iter().map(|piece| u64::from(count(piece))).sum()
            }),
            ..placements(name, columns)
        }
    }));
    operations
}

/// Returns boards of random hard drops. A board higher than twelve rows is followed by the empty one; each
/// board has up to four of its lower rows filled.
fn boards() -> Vec<Board> {
    let mut rng = Rng::new(5);
    let mut board = Board::EMPTY;
    (0..COUNT)
        .map(|_| {
            let landings = movegen::hard_drops(&board, Piece::ALL[rng.below(7) as usize]);
            let chosen = landings.iter().nth(rng.below(landings.len() as u32) as usize);
            board = chosen.and_then(|at| board.place(at)).unwrap_or_default();
            if board.heights().iter().any(|&height| height > 12) {
                board = Board::EMPTY;
            }
            let full = (0..rng.below(5)).fold(0, |full, _| full | 1 << rng.below(8));
            let columns = board.columns().map(|column| column | full);
            Board::from_columns(columns).expect("rows of the field")
        })
        .collect()
}

fn halves() -> Vec<SimdBoard> {
    boards().into_iter().map(|board| SimdBoard::try_from(board).expect("low stacks")).collect()
}

/// Returns a digest of columns that depends on their order.
fn fold(columns: impl IntoIterator<Item = u64>) -> u64 {
    columns.into_iter().fold(0, |fold, column| fold.rotate_left(5) ^ column)
}

/// Returns the sum of the columns, a digest that is cheap beside operations of a few nanoseconds.
fn total(columns: impl IntoIterator<Item = u64>) -> u64 {
    columns.into_iter().fold(0, u64::wrapping_add)
}

fn clear() -> Operation {
    let (halves, boards) = (halves(), boards());
    let mut cleared = boards.clone();
    Operation {
        name: "tetris clear",
        unit: "board",
        units: COUNT as u64,
        baseline: Baseline::Published,
        reference: Box::new(move || {
            let cleared = halves.iter().map(|board| {
                let mut board = *board;
                reference::clear_lines(&mut board);
                total(board.columns().map(u64::from))
            });
            cleared.fold(0, u64::wrapping_add)
        }),
        kernel: Box::new(move |level| {
            cleared.clone_from_slice(&boards);
            Board::clear_all_on(level, &mut cleared);
            cleared.iter().fold(0, |sum, board| sum.wrapping_add(total(*board.columns())))
        }),
    }
}

/// Returns a piece in its bounding box for each board, above the stack or slightly inside it.
fn falling() -> Vec<(u16, i8, i8)> {
    let mut rng = Rng::new(6);
    let boxed = |_| {
        let mut falling = FallingPiece::new(Piece::ALL[rng.below(7) as usize]);
        (0..rng.below(4)).for_each(|_| falling = falling.cw());
        (falling.cells, rng.below(11) as i8 - 2, rng.below(14) as i8 - 2)
    };
    (0..COUNT).map(boxed).collect()
}

fn collide() -> Operation {
    let (boards, pieces) = (halves(), falling());
    let (again, pieces_again) = (boards.clone(), pieces.clone());
    let mut collides = [false; COUNT];
    Operation {
        name: "tetris collide",
        unit: "piece",
        units: COUNT as u64,
        baseline: Baseline::Published,
        reference: Box::new(move || {
            let cases = boards.iter().zip(&pieces);
            cases.map(|(board, &(cells, x, y))| u64::from(reference::collides(board, cells, x, y))).sum()
        }),
        kernel: Box::new(move |level| {
            SimdBoard::collides_all_on(level, &again, &pieces_again, &mut collides);
            collides.iter().map(|&collides| u64::from(collides)).sum()
        }),
    }
}

fn place() -> Operation {
    let (boards, pieces) = (halves(), falling());
    let (again, pieces_again) = (boards.clone(), pieces.clone());
    let (mut after, mut placed) = (boards.clone(), [false; COUNT]);
    let total = |board: &SimdBoard| total(board.columns().map(u64::from));
    Operation {
        name: "tetris place",
        unit: "piece",
        units: COUNT as u64,
        baseline: Baseline::Published,
        reference: Box::new(move || {
            let placed = boards.iter().zip(&pieces).map(|(board, &(cells, x, y))| {
                let mut board = *board;
                reference::place(&mut board, cells, x, y);
                total(&board)
            });
            placed.fold(0, u64::wrapping_add)
        }),
        kernel: Box::new(move |level| {
            after.clone_from_slice(&again);
            SimdBoard::place_all_on(level, &mut after, &pieces_again, &mut placed);
            after.iter().fold(0, |sum, board| sum.wrapping_add(total(board)))
        }),
    }
}

/// The boards of the benchmark of cobra-movegen.
const BENCHMARK_BOARDS: [(&str, &str); 4] = [
    ("tetris movegen empty", "0,0,0,0,0,0,0,0,0,0"),
    ("tetris movegen tspin", "3f,3f,1f,7,1,0,d,1f,3f,ff"),
    ("tetris movegen dtd", "1ff,1ff,ff,ff,3f,26,81,f7,ff,ff"),
    ("tetris movegen terrible", "ff,c0,cc0,ccc,ccc,ccc,ccc,c0c,c0c,ffc"),
];

const WITH_SPINS: Rules = Rules { spins: true, spawn_y: Location::SPAWN_Y, kicks: 5 };

/// Returns the operation that counts the placements of every piece on one board, with the kinds of spin
/// distinguished.
fn placements(name: &'static str, columns: &str) -> Operation {
    let board: Board = columns.parse().expect("ten columns");
    Operation {
        name,
        unit: "call",
        units: 7,
        baseline: Baseline::Naive,
        reference: Box::new(move || {
            Piece::ALL.iter().map(|&piece| naive::placements(&board, piece, WITH_SPINS).len() as u64).sum()
        }),
        kernel: Box::new(move |level| {
            movegen::count_all_on(level, std::hint::black_box(&[board]), &Piece::ALL, SpinMode::TSpins)
        }),
    }
}

fn perft() -> Operation {
    const QUEUE: [Piece; 3] = [Piece::I, Piece::O, Piece::L];
    Operation {
        name: "tetris perft",
        unit: "node",
        units: 5266,
        baseline: Baseline::Naive,
        reference: Box::new(|| naive::perft(&Board::EMPTY, &QUEUE, Rules::default())),
        kernel: Box::new(|level| perft::perft_on(level, &Board::EMPTY, &QUEUE, SpinMode::Ignore)),
    }
}

fn hard_drop_perft() -> Operation {
    const QUEUE: [Piece; 3] = [Piece::I, Piece::O, Piece::L];
    fn plain(board: &Board, queue: &[Piece]) -> u64 {
        let Some((&piece, rest)) = queue.split_first() else { return 1 };
        let landings = naive::hard_drops(board, piece);
        if rest.is_empty() {
            return landings.len() as u64;
        }
        let child = |at: Location| naive::place(board, at).map(|child| naive::clear_lines(&child).0);
        landings.into_iter().filter_map(child).map(|child| plain(&child, rest)).sum()
    }
    Operation {
        name: "tetris perft hard-drop",
        unit: "node",
        units: plain(&Board::EMPTY, &QUEUE),
        baseline: Baseline::Naive,
        reference: Box::new(|| plain(&Board::EMPTY, &QUEUE)),
        kernel: Box::new(|level| perft::hard_drops_on(level, &Board::EMPTY, &QUEUE)),
    }
}

fn playout() -> Operation {
    const PIECES: u64 = 1 << 12;
    Operation {
        name: "tetris playout",
        unit: "piece",
        units: PIECES,
        baseline: Baseline::Naive,
        reference: Box::new(|| {
            let (stats, board) = reference::playout::play(&mut Rng::new(1), PIECES);
            stats.games ^ fold(*board.columns())
        }),
        kernel: Box::new(|level| {
            let mut game = RandomGame::new(Rng::new(1));
            let stats = game.play_on(level, PIECES);
            stats.games ^ fold(*game.board().columns())
        }),
    }
}
