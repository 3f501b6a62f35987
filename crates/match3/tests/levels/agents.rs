//! The players against the same players written cell by cell.

use bitcore::{Level, Rng, SetBits};
use match3::agent::{Agent, Greedy, PlayError, Random, Rollout, play};
use match3::colors::{Colors, RandomColors};
use match3::planes::{AnyBoard, Layout, PlanesError};
use match3::reference::naive;
use match3::{Axis, Board, Board16, Cell, Moments, Player, Rules, Swap};
use std::cmp::Reverse;

/// A random board: full or with holes, blocked and locked cells in changing shares.
fn mixed(rng: &mut Rng, longest: u32, colors: u32) -> Board {
    let mut side = || 1 + rng.below(longest).max(rng.below(longest)) as usize;
    let (width, height) = (side(), side());
    let colors = 3 + rng.below(colors - 2);
    let [empty, blocked, locked] = match rng.below(3) {
        0 => [0; 3],
        1 => [rng.below(20), 0, rng.below(20)],
        _ => [rng.below(20), rng.below(15), rng.below(20)],
    };
    let cells = (0..width * height).map(|_| {
        let cell = Cell::new(1 + rng.below(colors) as u8).unwrap();
        match rng.below(100) {
            p if p < empty => Cell::EMPTY,
            p if p < empty + blocked => Cell::BLOCKED,
            p if p < empty + blocked + locked => cell.locked(),
            _ => cell,
        }
    });
    Board::from_cells(width, height, cells.collect()).unwrap()
}

/// A full board without a run.
fn dealt(rng: &mut Rng, width: usize, height: usize, colors: u8) -> Board {
    let mut colors = RandomColors::new(colors, Rng::new(rng.next_u64())).unwrap();
    Board16::<4>::deal(width, height, &mut colors).unwrap().into()
}

/// Exchanges two cells, clears, and lets each piece fall by one while anything falls; `refill` comes after
/// each level. Returns the points in tens.
fn played(board: &mut Board, swap: Swap, mut refill: impl FnMut(&mut Board, u64)) -> u64 {
    let [a, b] = swap.cells();
    board.exchange(a, b);
    let (mut score, mut level) = (0, 0);
    loop {
        let runs = naive::matched(board);
        if runs.iter().all(|&row| row == 0) {
            return score;
        }
        level += 1;
        for (y, row) in runs.into_iter().enumerate() {
            for x in SetBits(row) {
                board.set(x as usize, y, Cell::EMPTY);
                score += level;
            }
        }
        let mut moved = true;
        while moved {
            moved = false;
            for y in 1..board.height() {
                for x in 0..board.width() {
                    if !board.get(x, y - 1).is_hole() && board.get(x, y) == Cell::EMPTY {
                        board.exchange((x, y - 1), (x, y));
                        moved = true;
                    }
                }
            }
        }
        refill(board, level);
    }
}

/// Plays a swap without refills: the part that a player can foresee.
fn foreseen(board: &Board, swap: Swap) -> (u64, Board) {
    let mut after = board.clone();
    let score = played(&mut after, swap, |_, _| {});
    (score, after)
}

/// The largest total; among equals the lowest, then horizontal before vertical, then the leftmost.
fn best(board: &Board, mut total: impl FnMut(Swap) -> u64) -> Option<(u64, Swap)> {
    let ranked_swaps = naive::swaps(board).into_iter().map(|swap| (total(swap), swap));
    ranked_swaps.max_by_key(|&(total, swap)| (total, swap.y, swap.axis == Axis::Horizontal, Reverse(swap.x)))
}

fn best_one(board: &Board) -> Option<(u64, Swap)> {
    best(board, |swap| foreseen(board, swap).0)
}

fn best_two(board: &Board) -> Option<(u64, Swap)> {
    best(board, |swap| {
        let (score, after) = foreseen(board, swap);
        score + best_one(&after).map_or(0, |(next, _)| next)
    })
}

/// The number of a color in each cell of a layout of `words` words, 64 at once and a word for each bit; again
/// for those cells whose number isn't below `colors`.
fn full(mut rng: Rng, words: usize, colors: u8) -> Vec<u8> {
    let bits = (0..8).find(|bits| 1u32 << bits >= u32::from(colors)).unwrap();
    let mut full = vec![0; 64 * words];
    for word in full.chunks_mut(64) {
        while word.contains(&0) {
            let draws: Vec<u64> = (0..bits).map(|_| rng.next_u64()).collect();
            for (i, cell) in word.iter_mut().enumerate() {
                let number =
                    draws.iter().enumerate().fold(0, |n, (bit, draw)| n | (draw >> i & 1) << bit) as u8;
                if *cell == 0 && number < colors {
                    *cell = number + 1;
                }
            }
        }
    }
    full
}

/// [`Rollout`], cell by cell.
fn rollout(
    board: &Board,
    words: usize,
    budget: u32,
    colors: u8,
    rng: &mut Rng,
    moves_left: u32,
) -> Option<Swap> {
    let mut candidates: Vec<(u64, Swap)> = naive::swaps(board).into_iter().map(|swap| (0, swap)).collect();
    candidates.sort_by_key(|&(_, swap)| (swap.axis, swap.x, Reverse(swap.y)));
    let seed = rng.next_u64();
    let rounds = (0..16).find(|rounds| 1 << rounds >= candidates.len()).unwrap();
    let mut sample = 0u64;
    for _ in 0..rounds {
        for _ in 0..(budget / (rounds * candidates.len() as u32)).max(1) {
            let refill = |step: u64| {
                move |board: &mut Board, level: u64| {
                    let seed =
                        seed.wrapping_add(sample << 32).wrapping_add(step << 24).wrapping_add(level - 1);
                    let full = full(Rng::new(seed), words, colors);
                    let side = if words == 1 { 8 } else { 16 };
                    for x in 0..board.width() {
                        for y in 0..board.height() {
                            if board.get(x, y) != Cell::EMPTY {
                                break;
                            }
                            let at = side * x + board.height() - 1 - y;
                            board.set(x, y, Cell::new(full[at]).unwrap());
                        }
                    }
                }
            };
            for (sum, first) in &mut candidates {
                let mut board = board.clone();
                *sum += played(&mut board, *first, refill(0));
                for step in 1..=3 {
                    let left = u64::from(moves_left).saturating_sub(step);
                    let next = match left {
                        0 => None,
                        1 => best_one(&board),
                        _ => best_two(&board),
                    };
                    let Some((total, swap)) = next else { break };
                    *sum += if step == 3 { total } else { foreseen(&board, swap).0 };
                    played(&mut board, swap, refill(step));
                }
            }
            sample += 1;
        }
        candidates.sort_by_key(|&(sum, _)| Reverse(sum));
        candidates.truncate(candidates.len().div_ceil(2));
    }
    candidates.first().map(|&(_, swap)| swap)
}

fn chooses_as_by_hand(layout: Layout, board: &Board) {
    let fast = AnyBoard::new(layout, board).unwrap();
    let expected = best_one(board).map(|(_, swap)| swap);
    assert_eq!(Greedy.choose(&fast, 1), expected, "\n{board}");
    for level in Level::all() {
        assert_eq!(Greedy.choose_on(level, &fast, 1), expected, "{level}\n{board}");
    }
}

#[test]
fn greedy_is_the_best_swap_by_hand() {
    let _ = testkit::levels();
    testkit::seeds(300, |seed| {
        let mut rng = Rng::new(seed);
        chooses_as_by_hand(Layout::Size8Colors7, &mixed(&mut rng, 8, 7));
        chooses_as_by_hand(Layout::Size8Colors15, &mixed(&mut rng, 8, 15));
        chooses_as_by_hand(Layout::Size16Colors7, &mixed(&mut rng, 16, 7));
        chooses_as_by_hand(Layout::Size8Colors7, &dealt(&mut rng, 8, 8, 4));
        chooses_as_by_hand(Layout::Size16Colors15, &dealt(&mut rng, 12, 9, 4));
    });
}

fn rolls_out_as_by_hand(layout: Layout, board: &Board, rng: &mut Rng, colors: u8) {
    let fast = AnyBoard::new(layout, board).unwrap();
    let words = if matches!(layout, Layout::Size8Colors7 | Layout::Size8Colors15) { 1 } else { 4 };
    let (budget, own) = (rng.below(40), Rng::new(rng.next_u64()));
    let moves_left = 1 + rng.below(6);
    let mut agent = Rollout::new(budget, colors, own.clone()).unwrap();
    let expected = rollout(board, words, budget, colors, &mut own.clone(), moves_left);
    for level in Level::all() {
        let found = agent.clone().choose_on(level, &fast, moves_left);
        assert_eq!(found, expected, "{level}, budget {budget}, {moves_left} moves left\n{board}");
    }
    assert_eq!(agent.choose(&fast, moves_left), expected);
    // It drew one word.
    let mut rng = own;
    rng.next_u64();
    assert_eq!(agent, Rollout::new(budget, colors, rng).unwrap());
}

#[test]
fn rollouts_are_those_by_hand() {
    testkit::seeds(24, |seed| {
        let mut rng = Rng::new(seed);
        let colors = 4 + rng.below(4) as u8;
        let board = dealt(&mut rng, 8, 7, colors);
        rolls_out_as_by_hand(Layout::Size8Colors7, &board, &mut rng, colors);
        let board = dealt(&mut rng, 9, 5, 8);
        rolls_out_as_by_hand(Layout::Size16Colors15, &board, &mut rng, 8);
        let board = mixed(&mut rng, 7, 7);
        rolls_out_as_by_hand(Layout::Size8Colors15, &board, &mut rng, 9);
    });
}

#[test]
fn swaps_are_legal_and_none_on_dead_boards() {
    fn legal(layout: Layout, board: &Board, rng: &mut Rng) {
        let fast = AnyBoard::new(layout, board).unwrap();
        let expected = naive::swaps(board);
        let own = Rng::new(rng.next_u64());
        let mut rollout = Rollout::new(1, 7, own.clone()).unwrap();
        for moves_left in [1, 2, 9] {
            for swap in
                [Random::new(own.clone()).choose(&fast, moves_left), rollout.choose(&fast, moves_left)]
            {
                assert_eq!(swap.is_none(), expected.is_empty(), "\n{board}");
                assert!(swap.is_none_or(|swap| expected.contains(&swap)), "{swap:?}\n{board}");
            }
        }
    }
    testkit::seeds(100, |seed| {
        let mut rng = Rng::new(seed);
        legal(Layout::Size8Colors7, &mixed(&mut rng, 8, 7), &mut rng);
        legal(Layout::Size16Colors15, &mixed(&mut rng, 11, 15), &mut rng);
    });
}

#[test]
fn random_swaps_come_in_the_order_of_the_draw() {
    testkit::seeds(200, |seed| {
        let mut rng = Rng::new(seed);
        let board = mixed(&mut rng, 16, 7);
        let mut swaps = naive::swaps(&board);
        swaps.sort_by_key(|swap| (swap.axis, swap.x, Reverse(swap.y)));
        let mut agent = Random::new(rng.clone());
        let fast = Board16::<3>::new(&board).unwrap();
        for _ in 0..if swaps.is_empty() { 0 } else { 20 } {
            let expected = swaps[rng.below(swaps.len() as u32) as usize];
            let before = agent.clone();
            assert_eq!(agent.choose(&fast.into(), 1), Some(expected));
            for level in Level::all() {
                let found = before.clone().choose_on(level, &fast.into(), 1);
                assert_eq!(found, Some(expected), "{level}");
            }
        }
    });
}

/// A game cell by cell, with the same draws.
fn game_by_hand(rules: &Rules, rng: Rng) -> u64 {
    let mut colors = RandomColors::new(rules.colors, rng).unwrap();
    let deal = |colors: &mut RandomColors| loop {
        let mut board = Board::new(rules.width, rules.height).unwrap();
        for y in 0..rules.height {
            for x in 0..rules.width {
                loop {
                    board.set(x, y, Cell::new(colors.next()).unwrap());
                    if naive::matched(&board).iter().all(|&row| row == 0) {
                        break;
                    }
                }
            }
        }
        if !naive::swaps(&board).is_empty() {
            return board;
        }
    };
    let mut board = deal(&mut colors);
    let (mut score, mut moves) = (0, 0);
    while moves < rules.moves {
        match best_one(&board) {
            Some((_, swap)) => {
                let [a, b] = swap.cells();
                board.exchange(a, b);
                score += naive::cascade(&mut board, || colors.next()).score;
                moves += 1;
            }
            None => board = deal(&mut colors),
        }
    }
    score
}

#[test]
fn games_are_those_by_hand() {
    // Many colors on few cells: dead boards come up.
    for (width, height, colors) in
        [(8, 8, 6), (8, 8, 9), (5, 4, 5), (4, 1, 3), (13, 6, 5), (3, 16, 8), (16, 16, 15)]
    {
        let rules = Rules { width, height, colors, moves: 12 };
        let found: Vec<u64> = Player::Greedy.games(rules, 7, 0..4).map(Result::unwrap).collect();
        let expected: Vec<u64> = Rng::streams(7).take(4).map(|rng| game_by_hand(&rules, rng)).collect();
        assert_eq!(found, expected, "{rules:?}");
        for level in Level::all() {
            let games = Player::Greedy.games_on(level, rules, 7, 0..4);
            assert_eq!(games.map(Result::unwrap).collect::<Vec<u64>>(), expected, "{level}, {rules:?}");
        }
        let later: Vec<u64> = Player::Greedy.games(rules, 7, 2..4).map(Result::unwrap).collect();
        assert_eq!(later, found[2..], "{rules:?}");
        assert_eq!(Player::Greedy.games(rules, 7, 3..3).count(), 0);
    }
}

#[test]
fn players_draw_from_their_own_stream() {
    let rules = Rules::default();
    let found: Vec<u64> = Player::Random.games(rules, 5, 1..3).map(Result::unwrap).collect();
    let expected = [1, 2].map(|i| {
        let mut agent = Random::new(Rng::stream(!5, i));
        play(&mut agent, &rules, Rng::stream(5, i)).unwrap()
    });
    assert_eq!(found, expected);
    let rollouts: Vec<u64> = Player::Rollout(20).games(rules, 5, 0..2).map(Result::unwrap).collect();
    let mut agent = Rollout::new(20, 6, Rng::stream(!5, 1)).unwrap();
    assert_eq!(rollouts[1], play(&mut agent, &rules, Rng::stream(5, 1)).unwrap());
}

#[test]
fn better_players_score_more() {
    let mean = |player: Player, games| {
        let mut scores = Moments::default();
        player.games(Rules::default(), 1, 0..games).for_each(|score| scores.add(score.unwrap()));
        assert_eq!(scores.count, games);
        scores.mean()
    };
    let (random, greedy) = (mean(Player::Random, 200), mean(Player::Greedy, 200));
    assert!(greedy > 1.9 * random, "{greedy}, {random}");
    let (greedy, rollout) = (mean(Player::Greedy, 20), mean(Player::Rollout(64), 20));
    assert!(rollout > 1.3 * greedy, "{rollout}, {greedy}");
}

#[test]
fn what_can_not_be_played_is_an_error() {
    let error = |width, height, colors| {
        let rules = Rules { width, height, colors, moves: 1 };
        [Player::Random, Player::Greedy, Player::Rollout(1)].map(|player| {
            let results: Vec<_> = player.games(rules, 1, 0..1).collect();
            results[0].unwrap_err()
        })
    };
    for (width, height) in [(0, 8), (8, 0), (17, 3), (3, usize::MAX)] {
        for found in error(width, height, 6) {
            assert_eq!(
                found,
                PlayError::Deal(PlanesError::Size {
                    width,
                    height,
                    longest: if width.max(height) <= 8 { 8 } else { 16 }
                })
            );
        }
    }
    for found in [0, 1, 2, 16, 255] {
        let expected = PlanesError::Colors { found, least: 3, largest: 15 };
        assert_eq!(error(8, 8, found), [PlayError::Deal(expected); 3]);
    }
    for (width, height) in [(1, 1), (2, 2), (3, 1)] {
        let expected = PlanesError::Dead { width, height, colors: 4, boards: 10_000 };
        assert_eq!(error(width, height, 4), [PlayError::Deal(expected); 3]);
    }
    for colors in [0, 16] {
        let expected = PlanesError::Colors { found: colors, least: 1, largest: 15 };
        assert_eq!(Rollout::new(1, colors, Rng::new(1)), Err(expected));
    }
}

#[test]
fn an_illegal_swap_ends_the_game() {
    struct Fixed(Option<Swap>);
    impl Agent for Fixed {
        fn choose(&mut self, _: &AnyBoard, _: u32) -> Option<Swap> {
            self.0
        }
    }
    let outside = Swap { x: 7, y: 0, axis: Axis::Horizontal };
    for mut agent in [Fixed(None), Fixed(Some(outside))] {
        let found = play(&mut agent, &Rules::default(), Rng::new(1));
        assert_eq!(found, Err(PlayError::Illegal { moves_left: 30 }));
    }
}

#[test]
fn a_stopped_game_ends_within_a_move() {
    use std::cell::Cell as Counter;
    let play = |player: Player, rules: Rules, calls: u32| {
        let asked = Counter::new(0);
        let stop = || asked.replace(asked.get() + 1) >= calls;
        let score = player.games_until(rules, 1, 0..1, &stop).next().expect("a game");
        (score, asked.get())
    };
    let rules = Rules { width: 16, height: 16, moves: 4_000_000_000, ..Rules::default() };
    for player in [Player::Random, Player::Greedy, Player::Rollout(u32::MAX)] {
        let (score, asked) = play(player, rules, 3);
        assert_eq!(score, Err(PlayError::Stopped), "{player:?}");
        // Once more after a rollout player without a swap.
        assert!(asked <= 5, "{player:?}: {asked}");
    }
    let rules = Rules { moves: 100, ..Rules::default() };
    for player in [Player::Random, Player::Greedy, Player::Rollout(8)] {
        let whole = player.games(rules, 1, 0..1).next().expect("a game");
        assert_eq!(play(player, rules, u32::MAX).0, whole, "{player:?}");
    }
}
