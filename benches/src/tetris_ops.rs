//! Tetris: operations of one piece on boards from games, the placements of every piece on benchmark
//! boards, perft, playouts, and whole games.

use crate::operation::{Operation, naive, printed, user, workload};
use crate::user_tetris::User;
use bitcore::Rng;
use std::hint::black_box;
use tetris::movegen::{self, SpinMode};
use tetris::reference::naive as plain;
use tetris::reference::{self, FallingPiece};
use tetris::simd_board::SimdBoard;
use tetris::{
    Board, Game, Location, Move, Piece, Placement, Playouts, RandomGame, RotationSystem, Rules,
    Spin, Stats, perft,
};

pub(crate) const COUNT: usize = 256;

pub(crate) fn operations() -> Vec<Operation> {
    let boards = boards();
    let pieces = workload(falling().iter().map(Falling::in_box));
    let halves =
        workload(boards.iter().map(|&board| SimdBoard::try_from(board).expect("low stacks")));
    let clear = printed("board", COUNT, || {
        let cleared = halves.iter().map(|board| {
            let mut board = *board;
            reference::clear_lines(&mut board);
            total(board.columns().map(u64::from))
        });
        cleared.fold(0, u64::wrapping_add)
    });
    let cases = move || halves.iter().zip(pieces);
    let collide = printed("piece", COUNT, move || {
        cases()
            .map(|(board, &(cells, x, y))| u64::from(reference::collides(board, cells, x, y)))
            .sum()
    });
    let place = printed("piece", COUNT, move || {
        let placed = cases().map(|(board, &(cells, x, y))| {
            let mut board = *board;
            reference::place(&mut board, cells, x, y);
            total(board.columns().map(u64::from))
        });
        placed.fold(0, u64::wrapping_add)
    });
    let mut cleared = boards.to_vec();
    let mut collides = [false; COUNT];
    let mut after = halves.to_vec();
    let mut placed = [false; COUNT];
    let mut one_by_one = halves.to_vec();
    let mut operations = vec![
        clear.kernel("tetris clear", move || {
            cleared.clone_from_slice(boards);
            Board::clear_all(&mut cleared);
            cleared.iter().fold(0, |sum, board| sum.wrapping_add(total(*board.columns())))
        }),
        collide.kernel("tetris collide", move || {
            SimdBoard::collides_all(halves, pieces, &mut collides);
            collides.iter().map(|&collides| u64::from(collides)).sum()
        }),
        place.kernel("tetris place", move || {
            after.clone_from_slice(halves);
            SimdBoard::place_all(&mut after, pieces, &mut placed);
            after
                .iter()
                .fold(0, |sum, board| sum.wrapping_add(total(board.columns().map(u64::from))))
        }),
        clear.kernel("tetris clear one call", || {
            boards.iter().fold(0, |sum, board| {
                let mut board = *board;
                board.clear_lines();
                sum.wrapping_add(total(*board.columns()))
            })
        }),
        collide.kernel("tetris collide one call", move || {
            cases().map(|(board, &(cells, x, y))| u64::from(board.collides(cells, x, y))).sum()
        }),
        place.kernel("tetris place one call", move || {
            // Like the row above: copied by two stores of 16 bytes a register, a board can't be
            // loaded yet.
            one_by_one.clone_from_slice(halves);
            for (board, &(cells, x, y)) in one_by_one.iter_mut().zip(pieces) {
                board.place(cells, x, y);
            }
            one_by_one
                .iter()
                .fold(0, |sum, board| sum.wrapping_add(total(board.columns().map(u64::from))))
        }),
    ];
    operations.extend(BENCHMARK_BOARDS.into_iter().flat_map(placements));
    operations.extend([perft(), hard_drop_perft(), playout(), legal_moves(), game(), rollout()]);
    operations
}

/// Returns boards from random hard drops. A board taller than twelve rows is followed by the empty
/// board; each board has up to four of its lower rows filled.
pub(crate) fn boards() -> &'static [Board] {
    let mut rng = Rng::new(5);
    let mut board = Board::EMPTY;
    workload((0..COUNT).map(|_| {
        let landings = movegen::hard_drops(&board, Piece::ALL[rng.below(7) as usize]);
        let chosen = landings.iter().nth(rng.below(landings.len() as u32) as usize);
        board = chosen.and_then(|at| board.place(at)).unwrap_or_default();
        if board.heights().iter().any(|&height| height > 12) {
            board = Board::EMPTY;
        }
        let full = (0..rng.below(5)).fold(0, |full, _| full | 1 << rng.below(8));
        let columns = board.columns().map(|column| column | full);
        Board::try_from(columns).expect("rows of the field")
    }))
}

/// A piece and the bottom left cell of its bounding box.
pub(crate) struct Falling {
    pub(crate) piece: FallingPiece,
    pub(crate) x: i8,
    pub(crate) y: i8,
}

impl Falling {
    pub(crate) fn in_box(&self) -> (u16, i8, i8) {
        (self.piece.cells, self.x, self.y)
    }
}

/// Returns a piece for each board, above the stack or slightly inside it.
pub(crate) fn falling() -> &'static [Falling] {
    let mut rng = Rng::new(6);
    workload((0..COUNT).map(|_| {
        let mut piece = FallingPiece::new(Piece::ALL[rng.below(7) as usize]);
        (0..rng.below(4)).for_each(|_| piece = piece.cw());
        Falling { piece, x: rng.below(11) as i8 - 2, y: rng.below(14) as i8 - 2 }
    }))
}

/// Returns the sum of the columns, a digest cheap enough for operations of a few nanoseconds.
pub(crate) fn total(columns: impl IntoIterator<Item = u64>) -> u64 {
    columns.into_iter().fold(0, u64::wrapping_add)
}

/// The boards of cobra-movegen's benchmark, each with the names of its two operations.
const BENCHMARK_BOARDS: [(&str, &str, &str); 4] = [
    ("tetris movegen empty", "tetris movegen empty one call", "0,0,0,0,0,0,0,0,0,0"),
    ("tetris movegen tspin", "tetris movegen tspin one call", "3f,3f,1f,7,1,0,d,1f,3f,ff"),
    ("tetris movegen dtd", "tetris movegen dtd one call", "1ff,1ff,ff,ff,3f,26,81,f7,ff,ff"),
    (
        "tetris movegen terrible",
        "tetris movegen terrible one call",
        "ff,c0,cc0,ccc,ccc,ccc,ccc,c0c,c0c,ffc",
    ),
];

const WITH_SPINS: plain::Rules = plain::Rules {
    spin_mode: SpinMode::TSpins,
    spawn_y: Location::SPAWN_Y,
    rotation_system: RotationSystem::Srs,
    kicks: 5,
    second_spawn_row: false,
};

/// Returns the operations that count every piece's placements on one board, by kind of spin.
fn placements((name, one_call, columns): (&'static str, &'static str, &str)) -> [Operation; 2] {
    let board: Board = columns.parse().expect("ten columns");
    let counts = naive("call", 7, move || {
        Piece::ALL
            .iter()
            .map(|&piece| plain::placements(&board, piece, WITH_SPINS).len() as u64)
            .sum()
    });
    [
        counts.kernel(name, move || {
            movegen::count_all(black_box(&[board]), &Piece::ALL, SpinMode::TSpins)
        }),
        counts.kernel(one_call, move || {
            let count = |&piece| movegen::count(black_box(&board), piece, SpinMode::TSpins);
            Piece::ALL.iter().map(|piece| u64::from(count(piece))).sum()
        }),
    ]
}

const QUEUE: [Piece; 3] = [Piece::I, Piece::O, Piece::L];

fn perft() -> Operation {
    naive("node", 5266, || plain::perft(&Board::EMPTY, &QUEUE, plain::Rules::default()))
        .kernel("tetris perft", || perft::perft(&Board::EMPTY, &QUEUE, SpinMode::Ignore))
}

fn hard_drop_perft() -> Operation {
    fn count(board: &Board, queue: &[Piece]) -> u64 {
        let Some((&piece, rest)) = queue.split_first() else { return 1 };
        let landings = plain::hard_drops(board, piece);
        if rest.is_empty() {
            return landings.len() as u64;
        }
        let child =
            |at: Location| plain::place(board, at).map(|child| plain::clear_lines(&child).0);
        landings.into_iter().filter_map(child).map(|child| count(&child, rest)).sum()
    }
    naive("node", count(&Board::EMPTY, &QUEUE) as usize, || count(&Board::EMPTY, &QUEUE))
        .kernel("tetris perft hard-drop", || perft::hard_drops(&Board::EMPTY, &QUEUE))
}

fn playout() -> Operation {
    const PIECES: u64 = 1 << 12;
    fn fold(columns: &[u64; 10]) -> u64 {
        columns.iter().fold(0, |fold, column| fold.rotate_left(5) ^ column)
    }
    let reference = naive("piece", PIECES as usize, || {
        let (stats, board) = reference::playout::play(&mut Rng::new(1), PIECES);
        stats.games ^ fold(board.columns())
    });
    reference.kernel("tetris playout without hold", || {
        let mut game = RandomGame::new(Rng::new(1));
        let stats = game.play(PIECES);
        stats.games ^ fold(game.board().columns())
    })
}

/// Returns games after different numbers of random turns.
fn positions() -> &'static [Game] {
    workload((0..COUNT).map(|seed| {
        let mut rng = Rng::new(seed as u64);
        let mut game = Game::new(Rules::default(), &mut rng);
        for _ in 0..seed % 24 {
            let before = game.clone();
            if game.play_random(&mut rng).is_none_or(|result| result.top_out.is_some()) {
                return before;
            }
        }
        game
    }))
}

const ANY: Move =
    Move { hold: false, placement: Placement { at: Location::spawn(Piece::I), spin: Spin::None } };

fn fold(moves: &[Move]) -> u64 {
    let at = moves[moves.len() / 2].placement.at;
    (moves.len() as u64) << 32 | (at.x as u64) << 16 | at.y as u64
}

fn legal_moves() -> Operation {
    let games = positions();
    let users: Vec<User> = games.iter().map(User::new).collect();
    let reference = user("position", COUNT, move || {
        let mut moves = [ANY; 512];
        users.iter().fold(0u64, |sum, user| {
            let count = user.list(&mut moves);
            sum.wrapping_add(fold(&moves[..count]))
        })
    });
    reference.kernel("tetris game legal moves", || {
        games.iter().fold(0, |sum, game| sum.wrapping_add(fold(&game.legal_moves())))
    })
}

/// A whole game, with the legal moves of each turn.
fn game() -> Operation {
    /// So many that the branch predictor doesn't learn them.
    const GAMES: usize = 40;
    let start = |mut rng: Rng| (Game::new(Rules::default(), &mut rng), rng);
    let play = move |rng: Rng| {
        let (mut game, mut rng) = start(rng);
        while !game.is_over() {
            let moves = game.legal_moves();
            let mv = moves[rng.below(moves.len() as u32) as usize];
            game.play(mv, &mut rng).expect("a legal move");
        }
        (game, rng)
    };
    let generators = || Rng::streams(11).take(GAMES);
    let pieces: u64 = generators().map(|rng| play(rng).0.pieces()).sum();
    let play_by_hand = move |rng: Rng| {
        let (game, mut rng) = start(rng);
        let mut game = User::new(&game);
        let mut moves = [ANY; 512];
        loop {
            let count = game.list(&mut moves);
            if count == 0 || game.play(moves[rng.below(count as u32) as usize], &mut rng).1 {
                return rng.next_u64();
            }
        }
    };
    let reference = user("piece", pieces as usize, move || {
        generators().map(play_by_hand).fold(0, |digest, word| digest ^ word)
    });
    reference.kernel("tetris game", move || {
        generators().map(|rng| play(rng).1.next_u64()).fold(0, |digest, word| digest ^ word)
    })
}

/// Games played on from the middle of one.
fn rollout() -> Operation {
    const GAMES: u64 = 4;
    let game = &positions()[8];
    let stats = Playouts::from_game(game, 1).play(GAMES);
    let number = |stats: Stats| stats.games << 48 | stats.pieces << 16 | stats.lines;
    let reference = naive("piece", stats.pieces as usize, move || {
        let mut all = Stats::default();
        let mut moves = [ANY; 512];
        let mut candidates = [ANY; 2048];
        for mut rng in Rng::streams(1).take(GAMES as usize) {
            all += User::new(game).play_on(&mut rng, &mut moves, &mut candidates);
        }
        number(all)
    });
    reference
        .kernel("tetris game rollout", move || number(Playouts::from_game(game, 1).play(GAMES)))
}
