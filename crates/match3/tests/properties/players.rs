//! The players and [`Game`] on every ISA level, against the same players and the rules cell by
//! cell.

use super::batch::PlainGame;
use super::plain::{
    At, cascade, colors_at_once, deal, foreseen, open_cells, swaps_in_order_of_draw,
};
use super::values::{any_board, any_swap, color};
use bitcade_core::batch::StepBuffers;
use bitcore::Rng;
use match3::player::{Greedy, Random, Rollout, play};
use match3::reference::naive;
use match3::{
    Axis, Batch, Board, Cell, Colors, Game, Player, PlayerKind, RandomColors, Rules, Swap,
    SwapError, redeal, try_swap,
};
use std::cmp::Reverse;
use std::fmt::Debug;
use testkit::{Input, on_each_level};

/// Returns the swap with the largest total. Ties go to the lowest, then horizontal before vertical,
/// then the leftmost.
fn best(board: &Board, mut total: impl FnMut(Swap) -> u64) -> Option<(u64, Swap)> {
    let totals = naive::swaps(board).into_iter().map(|swap| (total(swap), swap));
    totals.max_by_key(|&(total, swap)| {
        (total, swap.y, swap.axis == Axis::Horizontal, Reverse(swap.x))
    })
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
    /// The side of the layout. Colors are drawn for its cells by column, bottom first.
    side: usize,
    budget: u32,
    colors: u8,
    seed: u64,
}

impl PlainRollout {
    /// Returns the color of every cell of the layout, for one cascade level of a step of a sample.
    fn full(&self, sample: u64, step: u64, level: u64) -> Vec<u8> {
        let seed =
            self.seed.wrapping_add(sample << 32).wrapping_add(step << 24).wrapping_add(level - 1);
        let mut rng = Rng::new(seed);
        let mut full = vec![0; self.side * self.side];
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

    fn play(&self, board: &mut Board, swap: Swap, sample: u64, step: u64) -> u64 {
        let [a, b] = swap.cells();
        board.exchange(a, b);
        let refill = |board: &mut Board, level: u64| {
            let full = self.full(sample, step, level);
            let at = |(x, y): At| self.side * x + board.height() - 1 - y;
            let new: Vec<_> =
                open_cells(board).into_iter().map(|open| (open, full[at(open)])).collect();
            for ((x, y), new) in new {
                board[(x, y)] = color(new);
            }
        };
        cascade(board, refill).score
    }

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
    let rules = Rules {
        width: board.width(),
        height: board.height(),
        moves: 1 + u32::from(input.byte()) % 8,
        // Possibly fewer or more colors than on the board.
        colors: 4 + input.below(12) as u8,
    };
    let budget = u32::from(input.byte() % 24);
    let Ok(game) = Game::with_board(rules, &board) else {
        let fits = |cell: &Cell| cell.color().is_none_or(|color| color <= 15);
        return assert!(!board.cells().iter().all(fits), "\n{board}");
    };
    assert_eq!(game.board(), board.clone());
    assert_eq!(game.moves_left(), rules.moves);
    assert_eq!(game.score(), 0);

    let legal = swaps_in_order_of_draw(&board);
    let mut drawn = rng.clone();
    let random = (!legal.is_empty()).then(|| legal[drawn.below(legal.len() as u32) as usize]);
    chooses(&game, &Random::new(rng.clone()), random, &Random::new(drawn));
    chooses(&game, &Greedy, best_one(&board).map(|(_, swap)| swap), &Greedy);

    let mut before = Rollout::new(budget, rng.clone());
    let mut own = rng;
    let seed = own.next_u64();
    let side = if board.width() <= 8 && board.height() <= 8 { 8 } else { 16 };
    let n = legal.len();
    let expected = if n * n * (budget as usize + 2 * n) < 10_000 {
        PlainRollout { side, budget, colors: rules.colors, seed }.choose(&board, rules.moves)
    } else {
        // Too slow cell by cell.
        let found = before.clone().choose(&game);
        assert!(found.is_some_and(|swap| legal.contains(&swap)), "\n{board}");
        found
    };
    chooses(&game, &before, expected, &Rollout::new(budget, own));
    assert_eq!(before.choose(&game), expected);
    plays(input, &game);
}

fn chooses<A: Player<Game> + Clone + PartialEq + Debug>(
    game: &Game,
    player: &A,
    expected: Option<Swap>,
    after: &A,
) {
    on_each_level(|| {
        let mut player = player.clone();
        assert_eq!(player.choose(game), expected, "{game:?}\n{}", game.board());
        assert_eq!(&player, after, "{game:?}\n{}", game.board());
    });
}

/// Plays a game on any board to its end, against the rules cell by cell.
fn plays(input: &Input, start: &Game) {
    let rules = start.rules();
    let source =
        RandomColors::new(rules.colors, Rng::new(input.byte().into())).expect("few colors");
    let mut board = start.board();
    let mut drawn = source.clone();
    let mut score = 0;
    let mut played = Vec::new();
    for left in (0..rules.moves).rev() {
        let legal = naive::swaps(&board);
        if legal.is_empty() {
            break;
        }
        let swap = any_swap(input, &board, &legal);
        let before = board.clone();
        let result = legal.contains(&swap).then(|| {
            let [a, b] = swap.cells();
            board.exchange(a, b);
            let result = naive::cascade(&mut board, || drawn.next());
            score += result.score;
            if left > 0 && naive::swaps(&board).is_empty() {
                if board.cells().iter().all(|cell| cell.is_swappable()) {
                    board = deal(rules.width, rules.height, &mut drawn)
                        .unwrap_or_else(|| board.clone());
                } else {
                    let _ = redeal(&mut board, rules.colors, drawn.rng());
                }
            }
            result
        });
        played.push((swap, result, before));
        if result.is_none() {
            // A rejected swap takes no move; trying one is enough.
            break;
        }
    }
    on_each_level(|| {
        let mut game = start.clone();
        let mut colors = source.clone();
        for (swap, result, before) in &played {
            assert_eq!(game.board(), *before);
            assert_eq!(game.legal_moves(), naive::swaps(before));
            let unchanged = (game.clone(), colors.clone());
            let found = game.play(*swap, &mut colors);
            assert_eq!(found.as_ref().ok(), result.as_ref(), "{swap}\n{before}");
            if let Err(error) = found {
                assert_eq!(Err(error), try_swap(&mut before.clone(), *swap, || 1, &mut ()));
                assert_eq!(&game, &unchanged.0);
                assert_eq!(&colors, &unchanged.1);
            }
        }
        let moves = played.iter().filter(|(_, result, _)| result.is_some()).count() as u32;
        assert_eq!(game.board(), board.clone());
        assert_eq!(game.score(), score);
        assert_eq!(game.moves_left(), rules.moves - moves);
        assert_eq!(colors, drawn, "as many colors were drawn");
        let is_over = game.moves_left() == 0 || naive::swaps(&board).is_empty();
        assert_eq!(game.is_over(), is_over);
        assert_eq!(game.legal_moves().is_empty(), is_over);
        if is_over {
            let swap = Swap { x: 0, y: 0, axis: Axis::Horizontal };
            assert_eq!(game.play(swap, &mut colors), Err(SwapError::GameOver));
            assert_eq!(
                [Random::new(Rng::new(1)).choose(&game), Greedy.choose(&game)],
                [None, None]
            );
            assert_eq!(Rollout::new(1, Rng::new(1)).choose(&game), None);
        }
    });
}

fn greedy_game(rules: Rules, rng: Rng) -> u64 {
    let mut game = PlainGame::new(rules, &[], rng);
    let play = |left| {
        let (_, swap) = best_one(&game.board).expect("a board that isn't dead");
        game.swap(swap, left == 0)
    };
    (0..rules.moves).rev().map(play).sum()
}

/// Plays a player's game in a batch, using the player's choices as actions.
fn in_a_batch(player: PlayerKind, rules: Rules, seed: u64, number: u64) -> u64 {
    if rules.moves == 0 {
        return 0;
    }
    let mut batch =
        Batch::new(number as usize + 1, rules, seed).expect("a board, as for the player");
    let mut buffers = StepBuffers::new(batch.shape());
    batch.reset_into(&mut buffers.obs, &mut buffers.mask).expect("buffers that fit");
    let own = Rng::stream(!seed, number);
    let mut random = Random::new(own.clone());
    let mut rollout = Rollout::new(3, own);
    let mut score = 0;
    for moves in (1..=rules.moves).rev() {
        // The other games play their first legal action.
        let actions = buffers.mask.chunks(batch.actions());
        let mut actions: Vec<u32> =
            actions.map(|mask| mask.iter().position(|&legal| legal).unwrap_or(0) as u32).collect();
        let board = batch.game(number as usize).expect("a game");
        let game =
            Game::with_board(Rules { moves, ..rules }, &board).expect("a board of the batch");
        let swap = match player {
            PlayerKind::Random => random.choose(&game),
            PlayerKind::Greedy => Greedy.choose(&game),
            _ => rollout.choose(&game),
        };
        let action = swap.and_then(|swap| swap.action(rules.width, rules.height));
        actions[number as usize] = action.expect("a board with a swap") as u32;
        batch.step_into(&actions, buffers.out()).expect("legal actions");
        score += buffers.reward[number as usize] as u64;
    }
    score
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
    let player = *input.pick(&[PlayerKind::Random, PlayerKind::Greedy, PlayerKind::Rollout(3)]);
    let seed = u64::from(input.byte());
    let first = u64::from(input.byte() % 3);
    on_each_level(|| {
        for (number, found) in (first..).zip(player.games(rules, seed, first..first + 2)) {
            // Players have their own streams.
            let rng = Rng::stream(seed, number);
            let own = Rng::stream(!seed, number);
            let mut rollout = Rollout::new(3, own.clone());
            let agent: &mut dyn Player<Game> = match player {
                PlayerKind::Random => &mut Random::new(own),
                PlayerKind::Greedy => &mut Greedy,
                _ => &mut rollout,
            };
            assert_eq!(play(agent, rules, rng.clone()), found, "{player:?}, {rules:?}");
            if found.is_ok() {
                assert_eq!(
                    Ok(in_a_batch(player, rules, seed, number)),
                    found,
                    "{player:?}, {rules:?}"
                );
            }
            if player == PlayerKind::Greedy && found.is_ok() {
                assert_eq!(found, Ok(greedy_game(rules, rng)), "{rules:?}");
            }
        }
    });
}
