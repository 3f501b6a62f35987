//! Coverage of the random values: properties can't test cases that are never drawn.

use crate::properties::real_time;
use crate::properties::values::random_board;
use bitcore::Rng;
use testkit::Input;
use tetris::batch::Actions;
use tetris::real_time::End;
use tetris::{Game, Piece, Placement, Position, Rules, Spin, TopOut};

/// Returns `true` if this run has fewer cases, too few for full coverage.
fn is_short(cases: u64) -> bool {
    testkit::cases(cases) < cases
}

#[test]
fn random_boards_have_every_spin_spawn_and_lock() {
    const BOARDS: u64 = 1_000;
    let mut minis = 0;
    let mut fulls = 0;
    let mut second_rows = 0;
    let mut blocked = 0;
    let mut lock_outs = 0;
    let mut unnumbered = 0;
    let mut eroded = 0;
    for seed in 0..testkit::cases(BOARDS) {
        let mut rng = Rng::new(seed);
        let board = random_board(&mut rng);
        let position = Position { board, queue: &[Piece::T], ..Position::default() };
        let game =
            Game::from_position(Rules::default(), position, &mut rng).expect("a short queue");
        second_rows += u32::from(game.spawn_location(Piece::T).is_some_and(|at| at.y == 20));
        blocked += u32::from(game.is_over());
        for mv in game.legal_moves() {
            let Placement { at, spin } = mv.placement;
            minis += u32::from(spin == Spin::Mini);
            fulls += u32::from(spin == Spin::Full);
            lock_outs += u32::from(at.cells().iter().all(|&(_, y)| y >= 20));
            unnumbered += u32::from(Actions::Placements.encode(mv, &game.rules()).is_none());
            eroded += u32::from(board.place(at).is_some_and(|placed| placed.eroded_cells(at) > 0));
        }
    }
    let counts = [minis, fulls, second_rows, blocked, lock_outs, unnumbered, eroded];
    assert!(is_short(BOARDS) || counts.iter().all(|&count| count > 20), "{counts:?}");
}

#[test]
fn real_time_games_have_every_end() {
    const GAMES: u64 = 800;
    let mut locks = 0;
    let mut spins = 0;
    let mut holds = 0;
    let mut ends = [0; 4];
    for seed in 0..testkit::cases(GAMES) {
        let mut rng = Rng::new(seed);
        let bytes: Vec<u8> = (0..200).map(|_| rng.next_u64() as u8).collect();
        let reached = real_time::play(&Input::new(&bytes));
        locks += reached.locks;
        spins += reached.spins;
        holds += reached.holds;
        ends[match reached.end {
            None => 0,
            Some(End::Finished) => 1,
            Some(End::ToppedOut(TopOut::Block)) => 2,
            Some(End::ToppedOut(_)) => 3,
        }] += 1;
    }
    let is_enough =
        locks > 1_500 && spins > 0 && holds > 300 && ends.iter().all(|&count| count > 3);
    assert!(is_short(GAMES) || is_enough, "{locks} {spins} {holds} {ends:?}");
}
