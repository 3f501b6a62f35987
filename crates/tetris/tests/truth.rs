//! The numbers in tests/data, confirmed by independent programs.

use crate::properties::placements::{move_rules, plain};
use crate::properties::values::random_board;
use bitcore::{Level, Rng};
use testkit::{Cost, on_each_level, truth};
use tetris::movegen::{self, MoveRules, Placements, SpinMode};
use tetris::reference::naive::{self, Rules};
use tetris::{Board, Piece, Queue, RotationSystem, Spin, perft};

fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or(""));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>()).filter(|words| !words.is_empty())
}

fn board(name: &str) -> Board {
    let row = rows(include_str!("data/boards.txt")).find(|row| row[0] == name);
    row.expect("a board of boards.txt")[1].parse().expect("ten columns")
}

const SRS_PLUS: MoveRules = move_rules(RotationSystem::SrsPlus, SpinMode::Ignore, false);

fn too_slow_here(nodes: u64) -> bool {
    std::env::var_os(testkit::EMULATED).is_some() && nodes > 20_000
}

#[test]
fn perft_counts() {
    let mut counts = 0;
    for row in rows(include_str!("data/perft.txt")) {
        let [name, queue, rules, nodes @ ..] = &row[..] else { panic!("{row:?}") };
        let (board, queue): (Board, Queue) = (board(name), queue.parse().unwrap());
        // The cost of the search by single key presses, `None` if it would take days.
        let mut cost = Some(Cost::Quick);
        let mut depth = 0;
        for nodes in nodes {
            match *nodes {
                "|" => cost = Some(Cost::Slow),
                "||" => cost = None,
                _ => depth += 1,
            }
            let Ok(expected) = nodes.parse::<u64>() else { continue };
            if too_slow_here(expected) {
                continue;
            }
            let queue = &queue[..depth];
            let case = format!("perft {name} {} {rules}", Queue(queue.to_vec()));
            let naive_rules = match *rules {
                "srs" => Some(Rules::default()),
                "spins" => Some(Rules { spin_mode: SpinMode::TSpins, ..Rules::default() }),
                "spawn20" => Some(Rules { spawn_y: 20, ..Rules::default() }),
                "srs+" => Some(plain(SRS_PLUS)),
                "nokicks" => Some(Rules { kicks: 1, ..Rules::default() }),
                "harddrop" => None,
                other => panic!("rules {other}"),
            };
            counts += 1;
            if let (Some(rules), Some(cost)) = (naive_rules, cost) {
                // Scalar code, the same on every level.
                let case = format!("{case} by single key presses");
                truth("tetris", "every", &case, cost, &expected, || {
                    naive::perft(&board, queue, rules)
                });
            }
            on_each_level(|| {
                let count = || match *rules {
                    "harddrop" => perft::hard_drops(&board, queue),
                    "srs" => perft::perft(&board, queue, SpinMode::Ignore),
                    "srs+" => perft::perft(&board, queue, SRS_PLUS),
                    _ => perft::perft(&board, queue, SpinMode::TSpins),
                };
                if matches!(*rules, "harddrop" | "srs" | "srs+" | "spins") {
                    let cost = if expected < 4_000_000 { Cost::Quick } else { Cost::Slow };
                    truth("tetris", Level::active().name(), &case, cost, &expected, count);
                }
            });
        }
    }
    assert!(counts > 30, "{counts} numbers read");
}

#[test]
fn placements_of_each_piece() {
    use Piece::{I, J, L, O, S, T, Z};
    for row in rows(include_str!("data/placements.txt")) {
        let board = board(row[0]);
        let cases = [I, O, T, L, J, S, Z, T]
            .into_iter()
            .zip([false, false, false, false, false, false, false, true]);
        assert_eq!(row.len(), 9);
        for ((piece, spins), expected) in cases.zip(&row[1..]) {
            let case =
                format!("placements {} {piece}{}", row[0], if spins { " with spins" } else { "" });
            let expected = expected.parse::<usize>().unwrap();
            let by_keys = format!("{case} by single key presses");
            let spin_mode = if spins { SpinMode::TSpins } else { SpinMode::Ignore };
            truth("tetris", "every", &by_keys, Cost::Quick, &expected, || {
                naive::placements(&board, piece, Rules { spin_mode, ..Rules::default() }).len()
            });
            on_each_level(|| {
                truth("tetris", Level::active().name(), &case, Cost::Quick, &expected, || {
                    movegen::count(&board, piece, spin_mode) as usize
                });
            });
        }
    }
}

#[test]
fn spins_of_the_t_spin_board() {
    // The spins add a single placement: the T under the overhang.
    let with_spins = Rules { spin_mode: SpinMode::TSpins, ..Rules::default() };
    let all = naive::placements(&board("tspin"), Piece::T, with_spins);
    let kinds = [Spin::None, Spin::Mini, Spin::Full]
        .map(|kind| all.iter().filter(|p| p.spin == kind).count());
    assert_eq!(kinds.iter().sum::<usize>(), 38);
    assert!(kinds[2] > 0, "{kinds:?}");
}

#[test]
fn placements_on_random_boards() {
    // The generator on every level against the search by single key presses, for each piece.
    const BOARDS: u64 = 100_000;
    let agrees = |board: &Board, rules: MoveRules| {
        Piece::ALL.iter().all(|&piece| {
            let expected = naive::placements(board, piece, plain(rules));
            let mut agrees = true;
            on_each_level(|| {
                let mut placements = Placements::new();
                placements.fill(board, piece, rules);
                let mut found: Vec<_> = placements.iter().collect();
                found.sort();
                let count = movegen::count(board, piece, rules);
                agrees &= found == expected && count as usize == expected.len();
            });
            agrees
        })
    };
    for (system, spin_mode) in
        RotationSystem::ALL.into_iter().flat_map(|system| SpinMode::ALL.map(|mode| (system, mode)))
    {
        let rules = move_rules(system, spin_mode, false);
        let mut rng = Rng::new(40);
        let case = format!("random boards with equal placements, {system:?}, {spin_mode:?}");
        truth("tetris", "every", &case, Cost::Slow, &BOARDS, || {
            (0..BOARDS).map(|_| u64::from(agrees(&random_board(&mut rng), rules))).sum()
        });
    }
}
