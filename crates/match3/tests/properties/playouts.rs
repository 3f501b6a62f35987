//! [`Playouts`] from a position against a loop over [`Game`]; from the deal, split over calls,
//! [`RandomGame`]s, and a [`Batch`] that steps at random, on every ISA level, against the plain
//! byte board; and the deals of all layouts against deals cell by cell.

use super::plain::{deal, swaps_in_order_of_draw};
use super::values::any_board;
use bitcade_core::batch::StepBuffers;
use match3::bitboard::{FourWords, PlaneBoard, PlaneLayout};
use match3::reference::plain::ByteBoard;
use match3::{
    Batch, Board, Colors, Game, Playouts, RandomColors, RandomGame, Rng, Rules, Stats, Swap,
};
use testkit::{Input, on_each_level};

fn any_side(input: &Input) -> usize {
    match input.byte() {
        byte @ 128.. => 4 + usize::from(byte) % 7,
        _ => 8,
    }
}

pub(crate) fn run(input: &Input) {
    let rules = Rules {
        width: any_side(input),
        height: any_side(input),
        colors: 3 + input.below(13) as u8,
        moves: match input.byte() {
            byte @ 240.. => u32::from(byte) - 200,
            byte => 1 + u32::from(byte) % 8,
        },
    };
    let portions = input.list(1 + input.below(3), || match input.byte() {
        byte @ 240.. => u64::from(byte) % 16 * 9,
        byte => u64::from(byte) % 6,
    });
    let seed = u64::from(input.u16());
    let games = portions.iter().sum::<u64>();
    let mut stats = Stats::default();
    stats.games = games;
    stats.moves = games * u64::from(rules.moves);
    let mut scores = Vec::new();
    let mut ends = Vec::new();
    for rng in Rng::streams(seed).take(games as usize) {
        let game = RandomGame::new(rules, rng).expect("a board that can be dealt");
        let mut colors = game.colors().clone();
        let mut plain = ByteBoard::new(&game.board()).expect("nothing blocked");
        let mut score = 0;
        for _ in 0..rules.moves {
            let result = plain.random_step(&mut colors);
            (stats.cleared, score) = (stats.cleared + result.cleared, score + result.score);
        }
        stats.score.add(score);
        scores.push(score as i64);
        ends.push((plain.board(), colors));
    }
    on_each_level(|| {
        let mut playouts = Playouts::new(rules, seed).expect("a board that can be dealt");
        assert_eq!(playouts.rules(), rules);
        let mut sums = Stats::default();
        for &games in &portions {
            sums += playouts.play(games);
        }
        assert_eq!(sums, stats, "{rules:?}, {portions:?}");
        let first = Playouts::new(rules, seed).expect("the same").play(1);
        assert_eq!(
            first.score.sum,
            i128::from(scores.first().map_or(first.score.sum as i64, |&score| score))
        );
        // Game by game, in one call, and step by step.
        for (rng, (i, end)) in Rng::streams(seed).zip(ends.iter().enumerate()) {
            let mut game = RandomGame::new(rules, rng).expect("the same");
            let mut steps = game.clone();
            let result = game.run(rules.moves.into());
            let mut cleared = 0;
            let mut score = 0;
            for _ in 0..rules.moves {
                let result = steps.step();
                (cleared, score) = (cleared + result.cleared, score + result.score);
            }
            assert_eq!(result.cleared, cleared);
            assert_eq!(result.score, score);
            assert_eq!(score as i64, scores[i]);
            assert_eq!(game, steps);
            assert_eq!(&game.board(), &end.0);
            assert_eq!(game.colors(), &end.1);
        }
        let mut batch = Batch::new(scores.len(), rules, seed).expect("rules that are played");
        let mut buffers = StepBuffers::new(batch.shape());
        let mut sums = vec![0; scores.len()];
        batch.reset_into(&mut buffers.obs, &mut buffers.mask).expect("buffers that fit");
        for _ in 0..rules.moves {
            batch.random_step_into(buffers.out()).expect("buffers that fit");
            sums.iter_mut().zip(&buffers.reward).for_each(|(sum, reward)| *sum += *reward as i64);
        }
        assert_eq!(sums, scores, "{rules:?}");
    });
}

/// Plays a copy of a game to its end, with the given first move or a drawn one, and draws counted
/// like those of a random move.
fn play_on(game: &Game, first: Option<Swap>, rng: Rng, stats: &mut Stats) {
    let mut game = game.clone();
    let mut next = first;
    let mut colors = RandomColors::new(game.rules().colors, rng).expect("few colors");
    while !game.is_over() {
        let swap = next.take().unwrap_or_else(|| {
            let legal = swaps_in_order_of_draw(&game.board());
            legal[colors.rng().below(legal.len() as u32) as usize]
        });
        stats.cleared += game.play(swap, &mut colors).expect("a legal swap").cleared;
        stats.moves += 1;
    }
    stats.games += 1;
    stats.score.add(game.score());
}

/// From the middle of a game on any board.
pub(crate) fn positions(input: &Input) {
    let mut rng = Rng::new(input.u16().into());
    let colors = 4 + input.below(12) as u8;
    let moves = 1 + u32::from(input.byte() % 16);
    let mut rules = Rules { width: any_side(input), height: any_side(input), colors, moves };
    let full = Game::new(rules, &mut rng).expect("a board that can be dealt");
    let mut game = if input.flag() {
        full
    } else {
        // Also with runs, holes and locks, and with colors beyond the rules.
        let board = any_board(input, 10, 2 + input.below(14) as u32);
        (rules.width, rules.height) = (board.width(), board.height());
        Game::with_board(rules, &board).unwrap_or(full)
    };
    for _ in 0..input.below(4) {
        let legal = game.legal_moves();
        if !legal.is_empty() {
            game.play(*input.pick(&legal), &mut rng).expect("a legal swap");
        }
    }
    let legal = game.legal_moves();
    let first = if input.flag() && !legal.is_empty() { Some(*input.pick(&legal)) } else { None };
    let seed = u64::from(input.u16());
    let portions = [input.below(9) as u64, input.below(5) as u64];
    let mut expected = Stats::default();
    for rng in Rng::streams(seed).take(portions.iter().sum::<u64>() as usize) {
        play_on(&game, first, rng, &mut expected);
    }
    on_each_level(|| {
        let mut playouts = match first {
            None => Playouts::from_game(&game, seed),
            Some(first) => Playouts::after_move(&game, first, seed).expect("a legal swap"),
        };
        assert_eq!(playouts.rules(), game.rules());
        let mut found = Stats::default();
        for games in portions {
            found += playouts.play(games);
        }
        assert_eq!(found, expected, "{first:?} on\n{}\n{game:?}", game.board());
    });
}

pub(crate) fn deals(input: &Input) {
    let side = || 1 + usize::from(input.byte()) % 10;
    let size = (side(), side());
    let mut colors =
        RandomColors::new(1 + input.byte() % 15, Rng::new(input.u16().into())).expect("few colors");
    // The buffer may run out at any cell.
    for _ in 0..input.byte() % 64 {
        colors.next();
    }
    dealt::<u64, 3>(size, &colors);
    dealt::<u64, 4>(size, &colors);
    dealt::<FourWords, 3>(size, &colors);
    dealt::<FourWords, 4>(size, &colors);
}

/// Deals a board. Expects an error if it doesn't fit the layout or no swap is found.
fn dealt<W: PlaneLayout<P>, const P: usize>(
    (width, height): (usize, usize),
    colors: &RandomColors,
) {
    let side = if W::SIDE == 8 { 8 } else { 16 };
    let most = if P == 3 { 7 } else { 15 };
    let fits = width.max(height) <= side && (3..=most).contains(&colors.count());
    let mut drawn = colors.clone();
    let expected = if fits { deal(width, height, &mut drawn) } else { None };
    on_each_level(|| {
        let mut colors = colors.clone();
        let found = PlaneBoard::<W, P>::deal(width, height, &mut colors);
        assert_eq!(found.map(Board::from).ok(), expected.clone());
        assert_eq!(&colors, &drawn);
    });
}
