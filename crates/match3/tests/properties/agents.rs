//! The players on every level: the same legal swap, none on a dead board, the best one by brute force.

use super::values::any_board;
use bitcore::{Level, Rng};
use match3::agent::{Agent, Greedy, Random, Rollout};
use match3::planes::{AnyBoard, Layout};
use match3::reference::naive;
use match3::{Board, Player, Rules, ranked_swaps};
use std::fmt::Debug;
use testkit::Input;

pub(crate) fn run(input: &Input) {
    if input.below(4) == 0 {
        return games(input);
    }
    let colors = 2 + input.below(14) as u32;
    let board = any_board(input, 9, colors);
    let layout = Layout::smallest(board.width(), board.height(), 15);
    let Ok(any) = AnyBoard::new(layout, &board) else { return };
    let rng = Rng::new(input.u16().into());
    let moves_left = 1 + u32::from(input.byte() % 4);
    let budget = u32::from(input.byte() % 24);
    let rollout_colors = 4 + input.below(12) as u8;
    let rollout = Rollout::new(budget, rollout_colors, rng.clone()).expect("few colors");
    same(&any, moves_left, &board, &Greedy);
    same(&any, moves_left, &board, &Random::new(rng));
    same(&any, moves_left, &board, &rollout);
    // No swap without new pieces scores more.
    if let Some(swap) = Greedy.choose_on(Level::PORTABLE, &any, moves_left) {
        let ranked = ranked_swaps(&board);
        let chosen = ranked.iter().find(|(other, _)| *other == swap).expect("a legal swap");
        assert_eq!(chosen.1.score, ranked[0].1.score, "\n{board}");
    }
}

fn same<A: Agent + Clone + PartialEq + Debug>(any: &AnyBoard, moves_left: u32, board: &Board, agent: &A) {
    let legal = naive::swaps(board);
    let mut portable = agent.clone();
    let expected = portable.choose_on(Level::PORTABLE, any, moves_left);
    assert_eq!(expected.is_none(), legal.is_empty(), "\n{board}");
    assert!(expected.is_none_or(|swap| legal.contains(&swap)), "\n{board}");
    for level in Level::all() {
        let mut other = agent.clone();
        assert_eq!(other.choose_on(level, any, moves_left), expected, "{level}\n{board}");
        assert_eq!(other, portable);
    }
}

fn games(input: &Input) {
    let rules = Rules {
        width: input.below(9),
        height: input.below(9),
        colors: input.below(17) as u8,
        moves: u32::from(input.byte() % 4),
    };
    let player = *input.pick(&[Player::Random, Player::Greedy, Player::Rollout(3)]);
    let (seed, first) = (input.byte().into(), u64::from(input.byte() % 3));
    let on = |level| player.games_on(level, rules, seed, first..first + 2).collect::<Vec<_>>();
    let expected = on(Level::PORTABLE);
    assert!(Level::all().all(|level| on(level) == expected), "{rules:?}");
}
