//! Go: playouts from the empty board and from the middle of a game, and games by exact rules. With
//! `FooGo`'s rules, the comparison is between incrementally updated sets and sets computed from
//! chains at each ply. Light playouts, in lanes and single, are compared with the reference board;
//! a [`Game`] with flood fills on bytes.

use crate::operation::{Operation, Reference, naive, printed, user, workload};
use crate::user_go::ByteGame;
use bitcore::Rng;
use go_mc::playout::{
    BoardSize, GameResult, HasSimdPlayouts, Playout, SequentialPlayouts, SimdPlayouts,
    chain_playouts,
};
use go_mc::reference::{FooGo, sequential_playout, simd_playout};
use go_mc::{
    Board, Color, Game, Komi, Move, Playouts, Point, Points, Policy, Position, Rules, Size, Stats,
    Suicide,
};
use std::cell::RefCell;

const POLICY: Policy = Policy::NoSuicide;
const SEED: u64 = 9;

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        playout::<9>("go playout 9x9", 400),
        playout::<19>("go playout 19x19", 10),
        lanes::<9>("go playout 9x9 lanes", 512),
        lanes::<13>("go playout 13x13 lanes", 256),
        single::<9>("go playout 9x9 single", 400),
        single::<19>("go playout 19x19 single", 10),
        moves("go game 9x9", 9),
        moves("go game 13x13", 13),
        moves("go game 19x19", 19),
        plays("go game play 9x9", 9),
        plays("go game play 19x19", 19),
        asks("go game allows 9x9", 9),
        board("go board play 9x9", 9),
        board("go board play 19x19", 19),
        rollouts::<9>("go rollouts 9x9", 256),
        rollouts::<13>("go rollouts 13x13", 64),
    ]
}

/// Returns the points of a random game to a nearly full board, Black first.
fn record(side: usize, mut rng: Rng) -> Vec<Point> {
    let mut game = game(side);
    let points = (0..side * side * 9 / 10).map(|_| {
        let legal = game.legal_points();
        let index = legal.select(rng.below(legal.len())).expect("a legal point");
        let point = Points::<19>::point(index);
        game.play(Move::Play(point)).expect("a legal move");
        point
    });
    points.collect()
}

/// Returns so many games that the branch predictor doesn't learn them.
fn records(side: usize) -> &'static [Vec<Point>] {
    let games = if side == 9 { 40 } else { 10 };
    workload(Rng::streams(SEED).take(games).map(|rng| record(side, rng)))
}

fn stones(records: &[Vec<Point>]) -> usize {
    records.iter().map(Vec::len).sum()
}

fn game(side: usize) -> Game {
    Game::new(Size::square(side).expect("a size").into())
}

/// Calls `visit` with each point of the records and the game before it, which starts as `empty`.
fn follow(
    empty: &ByteGame,
    records: &[Vec<Point>],
    mut visit: impl FnMut(&mut ByteGame, usize) -> u64,
) -> u64 {
    let mut game = empty.clone();
    records.iter().fold(0, |sum, points| {
        game.restart();
        points.iter().fold(sum, |sum: u64, point| {
            let at = game.cell(point.x.into(), point.y.into());
            let seen = visit(&mut game, at);
            sum.wrapping_mul(31).wrapping_add(seen) + u64::from(game.play(at))
        })
    })
}

fn replay(empty: &Game, records: &[Vec<Point>], mut visit: impl FnMut(&Game, Point) -> u64) -> u64 {
    records.iter().fold(0, |sum, points| {
        let mut game = empty.clone();
        points.iter().fold(sum, |sum: u64, &point| {
            let seen = visit(&game, point);
            sum.wrapping_mul(31).wrapping_add(seen)
                + u64::from(game.play(Move::Play(point)).is_ok())
        })
    })
}

/// The list of the legal moves before each move of a game, and the move.
fn moves(name: &'static str, side: usize) -> Operation {
    let records = records(side);
    let user_game = ByteGame::new(side, true);
    let lists = RefCell::new((Vec::new(), Vec::new()));
    let reference = user("move", stones(records), move || {
        let (chains, legal) = &mut *lists.borrow_mut();
        follow(&user_game, records, |game, _| {
            game.legal_points(chains, legal);
            legal.len() as u64
        })
    });
    let empty = game(side);
    // The pass is legal, too.
    reference.kernel(name, move || {
        replay(&empty, records, |game, _| game.legal_moves().len() as u64 - 1)
    })
}

/// The moves of a game.
fn plays(name: &'static str, side: usize) -> Operation {
    let records = records(side);
    let user_game = ByteGame::new(side, true);
    let empty = game(side);
    let reference = user("move", stones(records), move || follow(&user_game, records, |_, _| 0));
    reference.kernel(name, move || replay(&empty, records, |_, _| 0))
}

/// Whether each point is legal before each move of a game.
fn asks(name: &'static str, side: usize) -> Operation {
    let records = records(side);
    let user_game = ByteGame::new(side, true);
    let empty = game(side);
    let all = move || (0..side).flat_map(move |y| (0..side).map(move |x| (x, y)));
    let reference = user("point", stones(records) * side * side, move || {
        follow(&user_game, records, |game, _| {
            all().filter(|&(x, y)| game.allows(game.cell(x, y))).count() as u64
        })
    });
    reference.kernel(name, move || {
        replay(&empty, records, |game, _| {
            let allows = |(x, y)| game.allows(Move::Play(Point { x: x as u8, y: y as u8 }));
            all().filter(|&at| allows(at)).count() as u64
        })
    })
}

/// The stones of a game on a [`Board`], without superko.
fn board(name: &'static str, side: usize) -> Operation {
    let records = records(side);
    let user_game = ByteGame::new(side, false);
    let reference = user("move", stones(records), move || follow(&user_game, records, |_, _| 0));
    let empty = Board::new(Size::square(side).expect("a size"));
    reference.kernel(name, move || {
        records.iter().fold(0, |sum, points| {
            let mut board = empty.clone();
            let mut color = Color::Black;
            points.iter().fold(sum, |sum: u64, &point| {
                let played = board.play(color, point, Suicide::Forbidden);
                color = color.other();
                sum.wrapping_mul(31) + u64::from(played.is_ok())
            })
        })
    })
}

/// Playouts from the middle of a game.
fn rollouts<const N: usize>(name: &'static str, games: usize) -> Operation {
    let mut game = game(N);
    for &point in &record(N, Rng::new(SEED))[..N * N / 3] {
        game.play(Move::Play(point)).expect("a legal move");
    }
    let position = Position::<N>::new(game.board(), game.to_move()).expect("the size");
    light(games, move |number| simd_playout(&position, POLICY, SEED, number)).kernel(
        name,
        move || {
            let mut playouts = Playouts::from_game(&game, SEED).expect("a size with playouts");
            digest(&playouts.play(games as u64))
        },
    )
}

fn playout<const N: usize>(name: &'static str, games: usize) -> Operation {
    let generators = workload(Rng::streams(9).take(games));
    let board = RefCell::new(FooGo::<N>::new());
    let reference = printed("game", games, move || {
        let board = &mut *board.borrow_mut();
        fold(generators.iter().map(|rng| {
            board.clear();
            board.playout(&mut rng.clone())
        }))
    });
    let size = Size::square(N).expect("a size");
    let rules = Rules { suicide: Suicide::All, ..size.into() };
    reference.kernel(name, move || {
        let generators = generators.iter().cloned();
        digest(&chain_playouts(rules, generators).unwrap_or_default())
    })
}

fn lanes<const N: usize>(name: &'static str, games: usize) -> Operation
where
    BoardSize<N>: HasSimdPlayouts<N>,
{
    light(games, |number| simd_playout::<N>(&Position::EMPTY, POLICY, SEED, number)).kernel(
        name,
        move || {
            let mut lanes = SimdPlayouts::<N>::new(POLICY, SEED).expect("a policy of lanes");
            digest(&lanes.play(&Position::EMPTY, games as u64))
        },
    )
}

/// Returns light playouts of single games, the same on every level.
fn single<const N: usize>(name: &'static str, games: usize) -> Operation {
    let reference =
        light(games, |number| sequential_playout::<N>(&Position::EMPTY, POLICY, SEED, number));
    reference.kernel(name, move || {
        let mut single = SequentialPlayouts::<N>::new(POLICY, SEED).expect("a light policy");
        digest(&single.play(&Position::EMPTY, games as u64))
    })
}

fn light<const N: usize>(games: usize, twin: impl Fn(u64) -> Playout<N> + 'static) -> Reference {
    naive("game", games, move || fold((0..games as u64).map(|number| twin(number).result)))
}

fn fold(games: impl Iterator<Item = GameResult>) -> u64 {
    let mut stats = Stats::default();
    games.for_each(|game| stats.add(&game, Komi::default()));
    digest(&stats)
}

fn digest(stats: &Stats) -> u64 {
    (stats.plies.sum as u64) << 32 | stats.black.sum as u64
}
