//! The players on every level, against the same players cell by cell.

use super::batch::Game;
use super::plain::{At, cascade, colors_at_once, foreseen, open_cells, swaps_in_order_of_draw};
use super::values::{LAYOUTS, any_board, color};
use bitcore::Rng;
use match3::agent::{Agent, Greedy, Random, Rollout, play};
use match3::planes::{AnyBoard, Layout};
use match3::reference::naive;
use match3::{Axis, Board, Player, Rules, Swap};
use std::cmp::Reverse;
use std::fmt::Debug;
use testkit::{Input, on_each_level};

/// The largest total; among equals the lowest, then horizontal before vertical, then the leftmost.
fn best(board: &Board, mut total: impl FnMut(Swap) -> u64) -> Option<(u64, Swap)> {
    let totals = naive::swaps(board).into_iter().map(|swap| (total(swap), swap));
    totals.max_by_key(|&(total, swap)| (total, swap.y, swap.axis == Axis::Horizontal, Reverse(swap.x)))
}

fn best_one(board: &Board) -> Option<(u64, Swap)> {
    best(board, |swap| foreseen(board, swap).0.score)
}

fn best_two(board: &Board) -> Option<(u64, Swap)> {
    best(board, |swap| {
        let (result, after) = foreseen(board, swap);
        result.score + best_one(&after).map_or(0, |(next, _)| next)
    })
}

/// [`Rollout`], cell by cell.
struct PlainRollout {
    /// The side of the layout, whose cells have colors by column, from the lowest.
    side: usize,
    budget: u32,
    colors: u8,
    seed: u64,
}

impl PlainRollout {
    /// The color of each cell of the layout, for a level of a step of a sample.
    fn full(&self, sample: u64, step: u64, level: u64) -> Vec<u8> {
        let seed = self.seed.wrapping_add(sample << 32).wrapping_add(step << 24).wrapping_add(level - 1);
        let (mut rng, mut full) = (Rng::new(seed), vec![0; self.side * self.side]);
        for word in full.chunks_mut(64) {
            while word.contains(&0) {
                let drawn = colors_at_once(self.colors, &mut rng);
                word.iter_mut()
                    .zip(drawn)
                    .filter(|(cell, _)| **cell == 0)
                    .for_each(|(cell, new)| *cell = new);
            }
        }
        full
    }

    /// Plays a swap as the step of a sample and returns its points.
    fn play(&self, board: &mut Board, swap: Swap, sample: u64, step: u64) -> u64 {
        let [a, b] = swap.cells();
        board.exchange(a, b);
        let refill = |board: &mut Board, level: u64| {
            let full = self.full(sample, step, level);
            let at = |(x, y): At| self.side * x + board.height() - 1 - y;
            let new: Vec<_> = open_cells(board).into_iter().map(|open| (open, full[at(open)])).collect();
            for ((x, y), new) in new {
                board.set(x, y, color(new));
            }
        };
        cascade(board, refill).score
    }

    /// The points of a sample that begins with a swap.
    fn sample(&self, board: &Board, first: Swap, sample: u64, moves_left: u32) -> u64 {
        let mut board = board.clone();
        let mut sum = self.play(&mut board, first, sample, 0);
        for step in 1..=3 {
            let next = match u64::from(moves_left).saturating_sub(step) {
                0 => None,
                1 => best_one(&board),
                _ => best_two(&board),
            };
            let Some((total, swap)) = next else { break };
            sum += if step == 3 { total } else { foreseen(&board, swap).0.score };
            self.play(&mut board, swap, sample, step);
        }
        sum
    }

    fn choose(&self, board: &Board, moves_left: u32) -> Option<Swap> {
        let legal = swaps_in_order_of_draw(board);
        let mut candidates: Vec<(u64, Swap)> = legal.into_iter().map(|swap| (0, swap)).collect();
        let rounds = (0..16).find(|rounds| 1 << rounds >= candidates.len()).expect("few swaps");
        let mut sample = 0;
        for _ in 0..rounds {
            for _ in 0..(self.budget / (rounds * candidates.len() as u32)).max(1) {
                for (sum, first) in &mut candidates {
                    *sum += self.sample(board, *first, sample, moves_left);
                }
                sample += 1;
            }
            candidates.sort_by_key(|&(sum, _)| Reverse(sum));
            candidates.truncate(candidates.len().div_ceil(2));
        }
        candidates.first().map(|&(_, swap)| swap)
    }
}

pub(crate) fn run(input: &Input) {
    if input.below(4) == 0 {
        return games(input);
    }
    let colors = 2 + input.below(14) as u32;
    let board = any_board(input, 9, colors);
    let rng = Rng::new(input.u16().into());
    let moves = input.byte();
    let moves_left = 1 + u32::from(moves) % 8;
    let budget = u32::from(input.byte() % 24);
    let colors = 4 + input.below(12) as u8;
    // Any layout that the board fits, most often the smallest of fifteen colors.
    let smallest = Layout::smallest(board.width(), board.height(), 15);
    let layout = *LAYOUTS.get(usize::from(moves) / 16).unwrap_or(&smallest);
    let fits = AnyBoard::new(layout, &board).or_else(|_| AnyBoard::new(smallest, &board));
    let Ok(any) = fits else { return };

    let legal = swaps_in_order_of_draw(&board);
    let mut drawn = rng.clone();
    let random = (!legal.is_empty()).then(|| legal[drawn.below(legal.len() as u32) as usize]);
    chooses(&any, moves_left, &Random::new(rng.clone()), random, &Random::new(drawn));
    chooses(&any, moves_left, &Greedy, best_one(&board).map(|(_, swap)| swap), &Greedy);

    let rollout = |rng| Rollout::new(budget, colors, rng).expect("few colors");
    let (mut before, mut own) = (rollout(rng.clone()), rng);
    let seed = own.next_u64();
    let side = if matches!(any.layout(), Layout::Size8Colors7 | Layout::Size8Colors15) { 8 } else { 16 };
    let n = legal.len();
    let expected = if n * n * (budget as usize + 2 * n) < 10_000 {
        PlainRollout { side, budget, colors, seed }.choose(&board, moves_left)
    } else {
        // Too slow cell by cell.
        let found = before.clone().choose(&any, moves_left);
        assert!(found.is_some_and(|swap| legal.contains(&swap)), "\n{board}");
        found
    };
    chooses(&any, moves_left, &before, expected, &rollout(own));
    assert_eq!(before.choose(&any, moves_left), expected);
}

/// Checks the choice of an agent, and its state after it.
fn chooses<A: Agent + Clone + PartialEq + Debug>(
    any: &AnyBoard,
    moves_left: u32,
    agent: &A,
    expected: Option<Swap>,
    after: &A,
) {
    on_each_level(|| {
        let mut agent = agent.clone();
        let found = agent.choose(any, moves_left);
        assert_eq!((found, &agent), (expected, after), "{moves_left} moves left\n{}", Board::from(*any));
    });
}

/// A game of [`Greedy`] by the plain rules.
fn greedy_game(rules: Rules, rng: Rng) -> u64 {
    let mut game = Game::new(rules, &[], rng);
    let play = |left| {
        let (_, swap) = best_one(&game.board).expect("a board that isn't dead");
        game.swap(swap, left == 0)
    };
    (0..rules.moves).rev().map(play).sum()
}

fn games(input: &Input) {
    let side = || match input.byte() {
        byte @ 240.. => 256 - usize::from(byte),
        byte => usize::from(byte) % 9,
    };
    let rules = Rules {
        width: side(),
        height: side(),
        colors: input.below(17) as u8,
        moves: match input.byte() {
            200.. => 12,
            byte => u32::from(byte) % 4,
        },
    };
    let player = *input.pick(&[Player::Random, Player::Greedy, Player::Rollout(3)]);
    let (seed, first) = (u64::from(input.byte()), u64::from(input.byte() % 3));
    on_each_level(|| {
        for (number, found) in (first..).zip(player.games(rules, seed, first..first + 2)) {
            // Players draw from streams of their own.
            let (rng, own) = (Rng::stream(seed, number), Rng::stream(!seed, number));
            let mut rollout = Rollout::new(3, rules.colors.clamp(1, 15), own.clone()).expect("few colors");
            let agent: &mut dyn Agent = match player {
                Player::Random => &mut Random::new(own),
                Player::Greedy => &mut Greedy,
                _ => &mut rollout,
            };
            assert_eq!(play(agent, &rules, rng.clone()), found, "{player:?}, {rules:?}");
            if player == Player::Greedy && found.is_ok() {
                assert_eq!(found, Ok(greedy_game(rules, rng)), "{rules:?}");
            }
        }
    });
}
