//! Truth numbers: tests/data, and what they are checked with.

use bitcore::{Level, dispatch};
use testkit::{Cost, truth};
use tetris::reference::naive::{self, Rules};
use tetris::{Board, Piece, Queue, Spin, perft};

/// The rows of a data file without comments, in words.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or(""));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>()).filter(|words| !words.is_empty())
}

fn board(name: &str) -> Board {
    let row = rows(include_str!("data/boards.txt")).find(|row| row[0] == name);
    row.expect("a board of boards.txt")[1].parse().expect("ten columns")
}

/// Under an emulator only what takes no time natively.
fn too_slow_here(nodes: u64) -> bool {
    std::env::var_os(testkit::EMULATED).is_some() && nodes > 20_000
}

#[test]
fn perft_counts() {
    let mut counts = 0;
    for row in rows(include_str!("data/perft.txt")) {
        let [name, queue, rules, nodes @ ..] = &row[..] else { panic!("{row:?}") };
        let (board, queue): (Board, Queue) = (board(name), queue.parse().unwrap());
        let mut cost = Cost::Quick;
        let mut depth = 0;
        for nodes in nodes {
            if *nodes == "|" {
                cost = Cost::Slow;
                continue;
            }
            depth += 1;
            let Ok(expected) = nodes.parse::<u64>() else { continue };
            if too_slow_here(expected) {
                continue;
            }
            let queue = &queue[..depth];
            let case = format!("perft {name} {} {rules}", Queue(queue.to_vec()));
            let naive_rules = match *rules {
                "srs" => Some(Rules::default()),
                "spins" => Some(Rules { spins: true, ..Rules::default() }),
                "spawn20" => Some(Rules { spawn_y: 20, ..Rules::default() }),
                "nokicks" => Some(Rules { kicks: 1, ..Rules::default() }),
                "harddrop" => None,
                other => panic!("rules {other}"),
            };
            counts += 1;
            if let Some(rules) = naive_rules {
                // Plain code, the same on every level.
                truth("tetris", "every", &case, cost, &expected, || naive::perft(&board, queue, rules));
                continue;
            }
            for level in Level::all() {
                truth(
                    "tetris",
                    level.name(),
                    &case,
                    cost,
                    &expected,
                    || dispatch!(level, isa => perft::hard_drops_with(isa, &board, queue)),
                );
            }
        }
    }
    assert!(counts > 30, "{counts} numbers read");
}

#[test]
fn placements_of_each_piece() {
    use Piece::{I, J, L, O, S, T, Z};
    for row in rows(include_str!("data/placements.txt")) {
        let board = board(row[0]);
        let cases =
            [I, O, T, L, J, S, Z, T].into_iter().zip([false, false, false, false, false, false, false, true]);
        assert_eq!(row.len(), 9);
        for ((piece, spins), expected) in cases.zip(&row[1..]) {
            let case = format!("placements {} {piece}{}", row[0], if spins { " with spins" } else { "" });
            truth("tetris", "every", &case, Cost::Quick, &expected.parse::<usize>().unwrap(), || {
                naive::placements(&board, piece, Rules { spins, ..Rules::default() }).len()
            });
        }
    }
}

#[test]
fn spins_of_the_t_spin_board() {
    // The one placement that the kinds of spin add: the T under the overhang.
    let with_spins = Rules { spins: true, ..Rules::default() };
    let all = naive::placements(&board("tspin"), Piece::T, with_spins);
    let kinds =
        [Spin::None, Spin::Mini, Spin::Full].map(|kind| all.iter().filter(|p| p.spin == kind).count());
    assert_eq!(kinds.iter().sum::<usize>(), 38);
    assert!(kinds[2] > 0, "{kinds:?}");
}
